//! The form `-w fields` of etcdctl: `"Name" : "cp-1"`, one field a line, records apart by blank lines.
//!
//! Source: `etcdctl/ctlv3/command/printer_fields.go@v3.4.31, v3.5.21, v3.6.5`. Member list and alarm list
//! print the header of the answer (cluster, member, term) in front of their first record.

use crate::etcdctl::Reader;
use crate::etcdctl::grammar::Line;
use crate::etcdctl::records::StatusRow;

/// Fields of one record, in order, with their lines.
#[derive(Debug, Default)]
pub(super) struct Fields<'t> {
    line: u32,
    pairs: Vec<(&'t str, &'t str)>,
}

/// `"Key" : value`
pub(super) fn pair(line: &str) -> Option<(&str, &str)> {
    let (key, value) = line.strip_prefix('"')?.split_once("\" :")?;
    (!key.is_empty() && key.bytes().all(|b| b.is_ascii_alphanumeric())).then_some((key, value.trim()))
}

/// Is the line a field of this form?
pub(crate) fn is_field(line: &str) -> bool {
    pair(line).is_some()
}

/// Is it the first one of an answer of etcd, which nothing else prints like this?
pub(crate) fn begins_fields(line: &str) -> bool {
    pair(line).is_some_and(|(key, value)| matches!(key, "ClusterID" | "MemberID") && value.parse::<u64>().is_ok())
}

/// A value without its quotes.
fn bare(value: &str) -> &str {
    value.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')).unwrap_or(value)
}

impl<'t> Fields<'t> {
    /// Takes a field that stands at a line.
    pub(super) fn take(&mut self, line: u32, (key, value): (&'t str, &'t str)) {
        // A member of a list begins with its id; what stands before it is the header of the answer.
        if self.pairs.is_empty() || key == "ID" {
            self.line = line;
        }
        self.pairs.push((key, value));
    }

    /// Nothing was taken.
    pub(super) fn is_empty(&self) -> bool {
        self.pairs.is_empty()
    }

    fn text(&self, key: &str) -> Option<&'t str> {
        self.pairs.iter().rev().find(|(name, _)| *name == key).map(|(_, value)| bare(value))
    }

    fn number(&self, key: &str) -> Option<u64> {
        self.text(key)?.parse().ok()
    }

    fn all(&self, key: &str) -> Vec<&'t str> {
        self.pairs.iter().filter(|(name, _)| *name == key).map(|(_, value)| bare(value)).collect()
    }
}

impl Reader<'_> {
    /// Makes a record of the fields of one block; false if they are none of etcdctl's records.
    pub(super) fn fields(&mut self, fields: &Fields<'_>, listed: &mut Vec<(u32, u64)>) -> bool {
        let line = fields.line;
        let learner = fields.text("IsLearner") == Some("true");
        if let (Some(id), Some(name)) = (fields.number("ID"), fields.text("Name")) {
            listed.push((line, id));
            // A member that never started has no name.
            self.member(line, id, !name.is_empty(), name, &fields.all("PeerURL"), &fields.all("ClientURL"), learner);
            return true;
        }
        if let (Some(endpoint), Some(id), Some(version)) =
            (fields.text("Endpoint"), fields.number("MemberID"), fields.text("Version"))
        {
            let leader = fields.number("Leader");
            let errors = fields.text("Errors").unwrap_or_default().trim_start_matches('[').trim_end_matches(']').trim();
            let raft = fields.number("RaftTerm").zip(fields.number("RaftIndex"));
            let is_leader = leader.map(|leader| leader == id);
            let (applied, revision) = (fields.number("RaftAppliedIndex"), fields.number("Revision"));
            let cluster = fields.number("ClusterID");
            let size = fields.number("DBSize").and_then(|size| i64::try_from(size).ok());
            let row =
                StatusRow { id, version, is_leader, leader, learner, raft, applied, revision, cluster, size, errors };
            self.status(line, endpoint, &row);
            return true;
        }
        if let (Some(endpoint), Some(healthy)) = (fields.text("Endpoint"), fields.text("Health")) {
            self.health(line, endpoint, healthy == "true", fields.text("Error").unwrap_or_default());
            return true;
        }
        if let (Some(id), Some(alarm)) = (fields.number("MemberID"), fields.text("AlarmType")) {
            self.line(line, Line::Alarm { id, alarm }, &mut None, listed);
            return true;
        }
        // The header of an answer without records, and `snapshot status`.
        let known = ["ClusterID", "Hash"].iter().any(|key| fields.text(key).is_some());
        self.certain |= known && fields.text("RaftTerm").is_some();
        known
    }
}
