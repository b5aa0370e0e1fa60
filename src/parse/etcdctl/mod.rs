//! Output of `etcdctl` and of etcd's `/health` endpoint, in the simple, table, JSON and fields forms of
//! 3.4 to 3.6.
//!
//! Why records of their own kinds: what etcdctl prints is no Kubernetes object, but it is asked for, merged
//! and cited like one. So each row becomes an object of the group `casefile.dev`:
//!
//! | kind | from | fields |
//! |---|---|---|
//! | `etcdmembers` | `member list` | `spec.id` (hex), `spec.name`, `spec.peerURLs`, `spec.clientURLs`, `spec.learner`, `status.started` |
//! | `etcdmemberlists` | `member list` as a whole | `spec.members` (hex ids) |
//! | `etcdendpointstatuses` | `endpoint status` | `spec.endpoint`, `status.memberID`, `status.isLeader`, `status.leaderID`, `status.errors`, `status.clusterID`, `status.raftTerm`, `status.appliedIndex`, `status.revision`, `status.dbSize` (bytes) |
//! | `etcdendpointhashes` | `endpoint hashkv` | `spec.endpoint`, `status.hash`, `status.revision`, `status.compactRevision` |
//! | `etcdendpointhealths` | `endpoint health` | `spec.endpoint`, `status.healthy`, `status.error` |
//! | `etcdalarms` | `alarm list` | `spec.memberID`, `spec.alarm` |
//! | `etcddefragmentations` | `defrag` | `spec.endpoint` |
//! | `etcdleadertransfers` | `move-leader` | `spec.from`, `spec.to` |
//! | `etcdmemberchanges` | `member add`, `remove`, `promote` | `spec.id`, `spec.change`, `spec.peerURLs` |
//! | `etcdhealthanswers` | `GET /health` | `spec.member` (from the file name), `status.healthy`, `status.reason` |
//! | `etcdclienterrors` | warnings of the client | `spec.endpoint`, `status.error` |
//!
//! Sources: `etcdctl/ctlv3/command/printer*.go@v3.4.31, v3.5.21, v3.6.5`, `server/etcdserver/api/etcdhttp/health.go`.
//!
//! Invariants: ids are 64-bit and printed as 16 hex digits whatever the form; a text is claimed only if at
//! least one line is surely etcdctl's, so that a log of etcd is never taken for its output.

mod fields;
mod grammar;
mod json;
mod records;

pub(crate) use fields::{begins_fields, is_field};

use crate::secrets;
use crate::text_form::form::{NONE, TextForm};
use crate::time;
use facts::coverage::{Answer, Basis, Namespaces, State};
use facts::kind::KindName;
use facts::node::{Node, Value};
use facts::object::{Form, ObjectRecord, Shown};
use facts::order::Order;
use facts::origin::{Citation, MemberId};
use facts::path::{Path, Step};
use facts::record::{Parsed, Record};
use facts::secrets::Counts;
use facts::unread::WhyUnread;
use grammar::{Line, named_answer, simple_line, table_row};
use nom::Parser;
use records::{HashRow, StatusRow, bytes};

/// All of it; its JSON is told by the whole text.
pub(crate) const FORM: TextForm = TextForm {
    name: "etcdctl",
    text: Some(|asked, text| try_parse(asked.member, asked.name, text)),
    json: Some(|asked, text| try_parse(asked.member, asked.name, text)),
    ..NONE
};

/// The largest text that is looked at: longer outputs of etcdctl do not exist.
const MAX_TEXT: usize = 4 << 20;

/// Reads a text as output of etcdctl; `None` if it is something else.
///
/// `name` is the member's name: `/health` answers name their member only there. Lines that belong to no
/// known output are listed in `unread`.
pub fn try_parse(member: MemberId, name: &str, text: &str) -> Option<Parsed> {
    if text.len() > MAX_TEXT {
        return None;
    }
    let mut reader = Reader {
        member,
        name,
        time: None,
        certain: false,
        records: Vec::new(),
        no_alarm: None,
        whole_list: false,
        open_row: None,
        unread: Vec::new(),
        redactions: Counts::NONE,
    };
    reader.read(text);
    if !reader.certain || reader.unread.len() > reader.records.len() + 2 {
        return None;
    }
    for record in &mut reader.records {
        record.order.time = reader.time;
    }
    let mut records: Vec<Record> = reader.records.into_iter().map(|record| Record::Object(Box::new(record))).collect();
    records.extend(reader.no_alarm.map(|line| no_alarms(member, line, reader.time)));
    Some(Parsed { records, unread: reader.unread, format: "etcdctl", redactions: reader.redactions })
}

/// A list of alarms that holds none. The text does not say which command printed it, so that it is `Listed`.
pub(crate) fn no_alarms(member: MemberId, line: u32, time: Option<jiff::Timestamp>) -> Record {
    Record::from(Answer {
        kind: KindName { plural: "etcdalarms".to_owned(), group: "casefile.dev".to_owned() },
        namespaces: Namespaces::All,
        names: None,
        selector: None,
        state: State::Empty,
        basis: Basis::Listed,
        order: Order { time, ..Order::default() },
        citation: Citation::line(member, line, "a list of alarms without one"),
    })
}

/// The command printed no more than this: what it lists is the whole list.
pub(crate) fn ends_here(records: &mut [Record]) {
    for record in records {
        if let Record::Object(object) = record
            && object.kind.as_ref().is_some_and(|kind| kind.plural == "etcdmemberlists")
        {
            object.node.set_at(&["spec", "whole"], Node::new(object.line, Value::Bool(true)));
        }
    }
}

struct Reader<'a> {
    member: MemberId,
    name: &'a str,
    /// The latest time that the text itself states.
    time: Option<jiff::Timestamp>,
    /// A line was seen that only etcdctl prints.
    certain: bool,
    records: Vec<ObjectRecord>,
    /// The line of a list of alarms that holds none.
    no_alarm: Option<u32>,
    /// The list of members is in a form that shows where it ends.
    whole_list: bool,
    /// The line of a row that the text ends with, before the border that ends it.
    open_row: Option<u32>,
    unread: Vec<(u32, WhyUnread)>,
    /// Secret values masked while reading.
    redactions: Counts,
}

impl Reader<'_> {
    fn read(&mut self, text: &str) {
        let mut headers: Option<Vec<String>> = None;
        let mut listed: Vec<(u32, u64)> = Vec::new();
        let mut http_code = None;
        let mut block = fields::Fields::default();
        // A row of a table with the lines that go on with its cells.
        let mut open: Option<(u32, Vec<String>)> = None;
        let mut last = 0;
        for (index, raw) in text.lines().enumerate() {
            let number = index as u32 + 1;
            let line = raw.trim_end_matches(['\r', '\0']);
            if let Some(pair) = fields::pair(line) {
                block.take(number, pair);
                continue;
            }
            if line.trim().is_empty() {
                self.close_block(&mut block, number, &mut listed);
                continue;
            }
            last = number;
            if !line.starts_with('|') {
                self.close_row(&mut open, headers.as_deref(), &mut listed);
            }
            if line.starts_with("+-") {
                continue;
            }
            if line.starts_with('|') {
                let Some(cells) = table_row(line) else {
                    self.unread.push((number, WhyUnread::NoBorder));
                    continue;
                };
                match (&headers, &mut open) {
                    // Long cells are wrapped at blanks, and the other cells of such a line are empty.
                    (Some(names), Some((_, row)))
                        if names.len() == cells.len() && cells.first().is_some_and(|first| first.is_empty()) =>
                    {
                        for (whole, more) in row.iter_mut().zip(&cells).filter(|(_, more)| !more.is_empty()) {
                            if !whole.is_empty() {
                                whole.push(' ');
                            }
                            whole.push_str(more);
                        }
                    }
                    (Some(names), _)
                        if names.len() == cells.len() && names.iter().any(|h| !cells.contains(&h.as_str())) =>
                    {
                        self.close_row(&mut open, headers.as_deref(), &mut listed);
                        open = Some((number, cells.iter().map(|c| (*c).to_owned()).collect()));
                    }
                    _ => {
                        self.close_row(&mut open, headers.as_deref(), &mut listed);
                        headers = Some(cells.iter().map(|c| (*c).to_owned()).collect());
                    }
                }
                continue;
            }
            headers = None;
            // Whoever collects writes above an answer when it was given.
            if let Some(remark) = line.strip_prefix('#') {
                self.time = self.time.max(time::of_remark(remark));
                continue;
            }
            if line.starts_with('{') || line.starts_with('[') {
                if !self.json(number, line, http_code, &mut listed) {
                    self.unread.push((number, WhyUnread::NotOfEtcdctl("JSON")));
                }
                continue;
            }
            if let Ok((_, (member, answer))) = named_answer.parse(line)
                && self.named_health(number, member, answer)
            {
                continue;
            }
            match simple_line(line) {
                Some(parsed) => self.line(number, parsed, &mut http_code, &mut listed),
                None => self.unread.push((number, WhyUnread::no("output of etcdctl"))),
            }
        }
        self.open_row = open.as_ref().map(|(line, _)| *line);
        self.close_row(&mut open, headers.as_deref(), &mut listed);
        self.close_block(&mut block, 1, &mut listed);
        // A border, or the output of the next command.
        self.whole_list |= listed.last().is_some_and(|(line, _)| *line < last);
        self.member_list(&listed);
    }

    /// Reads a block of `-w fields` once all its lines are there.
    fn close_block(&mut self, block: &mut fields::Fields<'_>, line: u32, listed: &mut Vec<(u32, u64)>) {
        let block = std::mem::take(block);
        if !block.is_empty() && !self.fields(&block, listed) {
            self.unread.push((line, WhyUnread::NotOfEtcdctl("fields")));
        }
    }

    /// Reads the row of a table once all its lines are there.
    fn close_row(
        &mut self,
        open: &mut Option<(u32, Vec<String>)>,
        headers: Option<&[String]>,
        listed: &mut Vec<(u32, u64)>,
    ) {
        if let (Some((line, cells)), Some(headers)) = (open.take(), headers) {
            let cells: Vec<&str> = cells.iter().map(String::as_str).collect();
            self.row(line, headers, &cells, listed);
        }
    }

    /// The answer of `/health` behind the name of the member that gave it: `cp-1: {"health":"true"}`.
    fn named_health(&mut self, line: u32, member: &str, answer: &str) -> bool {
        let Ok(json) = serde_json::from_str::<serde_json::Value>(answer) else { return false };
        let Some(health) = json.get("health") else { return false };
        let Some(healthy) = health.as_bool().or_else(|| health.as_str().map(|text| text == "true")) else {
            return false;
        };
        let reason = json.get("reason").and_then(|v| v.as_str()).unwrap_or("").to_owned();
        self.health_answer(line, member, Some(healthy), &reason);
        true
    }

    /// The list as a whole, once its rows are read: its name is the set of ids, so that the same list in
    /// another form is the same object.
    fn member_list(&mut self, listed: &[(u32, u64)]) {
        let Some((line, _)) = listed.first() else { return };
        let mut ids: Vec<String> = listed.iter().map(|(_, id)| hex(*id)).collect();
        ids.sort();
        ids.dedup();
        let mut node = Node::map(*line);
        let items = ids.iter().map(|id| Node::str(*line, id.as_str())).collect();
        node.set_at(&["spec", "members"], Node::new(*line, Value::List(items)));
        node.set_at(&["spec", "whole"], Node::new(*line, Value::Bool(self.whole_list)));
        self.push("etcdmemberlists", ids.join(","), *line, node, &[]);
    }

    fn push(&mut self, plural: &str, name: String, line: u32, mut node: Node, hidden: &[&str]) {
        node.set_at(&["metadata", "name"], Node::str(line, name.as_str()));
        // What a form does not print at all is unknown there, not unset.
        let shown = if hidden.is_empty() {
            Shown::Everything
        } else {
            let all = [
                "status.memberID",
                "status.version",
                "status.isLeader",
                "status.leaderID",
                "status.learner",
                "status.errors",
                "spec",
                "metadata",
            ];
            Shown::Paths(
                all.iter()
                    .filter(|p| !hidden.contains(p))
                    .map(|p| Path(p.split('.').map(|s| Step::Field(s.to_owned())).collect()))
                    .collect(),
            )
        };
        let (node, masked) = secrets::tree(None, node);
        self.redactions += masked;
        self.records.push(ObjectRecord {
            kind: Some(KindName { plural: plural.to_owned(), group: "casefile.dev".to_owned() }),
            api_version: Some("casefile.dev/v1".to_owned()),
            namespace: None,
            name: secrets::mask_text(&name).0.into_owned(),
            uid: None,
            form: Form::Table,
            shown,
            node,
            member: self.member,
            line,
            path: String::new(),
            order: Order::default(),
        });
    }

    fn line(&mut self, number: u32, line: Line<'_>, http_code: &mut Option<u16>, listed: &mut Vec<(u32, u64)>) {
        match line {
            Line::Member { id, started, name, peers, clients, learner } => {
                listed.push((number, id));
                self.member(number, id, started, name, &peers, &clients, learner);
            }
            Line::Status { endpoint, id, version, leader, learner, raft, applied, size, errors } => {
                let row = StatusRow {
                    id,
                    version,
                    is_leader: Some(leader),
                    learner,
                    raft,
                    applied,
                    size: size.and_then(bytes),
                    errors,
                    ..StatusRow::default()
                };
                self.status(number, endpoint, &row);
            }
            Line::Health { endpoint, healthy, detail } => {
                self.health(number, endpoint, healthy, if healthy { "" } else { detail })
            }
            Line::Alarm { id, alarm } => {
                let mut node = Node::map(number);
                node.set_at(&["spec", "memberID"], Node::str(number, hex(id)));
                node.set_at(&["spec", "alarm"], Node::str(number, alarm));
                self.push("etcdalarms", format!("{}/{alarm}", hex(id)), number, node, &[]);
                self.certain = true;
            }
            Line::Transfer { from, to } => {
                let mut node = Node::map(number);
                node.set_at(&["spec", "from"], Node::str(number, hex(from)));
                node.set_at(&["spec", "to"], Node::str(number, hex(to)));
                self.push("etcdleadertransfers", format!("{}-{}", hex(from), hex(to)), number, node, &[]);
                self.certain = true;
            }
            Line::Changed { id, change } => self.member_change(number, id, change),
            Line::Setting { name, value } => self.setting(number, name, value),
            Line::StatusFailed { endpoint, error } => {
                self.client_error(number, endpoint, error);
                self.certain = true;
            }
            Line::HttpStatus(code) => *http_code = Some(code),
            Line::NoHttpAnswer(error) => {
                if let Some(member) = self.health_file_member() {
                    self.health_answer(number, &member, None, error);
                }
            }
            Line::Defragmented { endpoint } => self.defragmented(number, endpoint),
            Line::Chatter => {}
        }
    }

    /// The member that a file of a `/health` answer names: `health-cp-1.txt` speaks of `cp-1`.
    fn health_file_member(&self) -> Option<String> {
        let file = self.name.rsplit('/').next().unwrap_or(self.name);
        let stem = file.rsplit_once('.').map_or(file, |(stem, _)| stem);
        let member = stem.strip_prefix("health-").or_else(|| stem.strip_suffix("-health"))?;
        (!member.is_empty()).then(|| member.to_owned())
    }

    fn row(&mut self, line: u32, headers: &[String], cells: &[&str], listed: &mut Vec<(u32, u64)>) {
        let cell = |name: &str| headers.iter().position(|h| h == name).and_then(|i| cells.get(i)).copied();
        let id = cell("ID").and_then(|text| u64::from_str_radix(text, 16).ok());
        let split = |text: Option<&str>| -> Vec<String> {
            text.unwrap_or("").split(',').map(str::trim).filter(|s| !s.is_empty()).map(str::to_owned).collect()
        };
        if let (Some(id), Some(status), Some(name)) = (id, cell("STATUS"), cell("NAME")) {
            listed.push((line, id));
            let (peers, clients) = (split(cell("PEER ADDRS")), split(cell("CLIENT ADDRS")));
            let peers: Vec<&str> = peers.iter().map(String::as_str).collect();
            let clients: Vec<&str> = clients.iter().map(String::as_str).collect();
            self.member(line, id, status == "started", name, &peers, &clients, cell("IS LEARNER") == Some("true"));
        } else if let (Some(endpoint), Some(id), Some(version)) = (cell("ENDPOINT"), id, cell("VERSION")) {
            let is_leader = cell("IS LEADER").map(|text| text == "true");
            let learner = cell("IS LEARNER") == Some("true");
            let errors = cell("ERRORS").unwrap_or("").replace(" ,", ",");
            let errors = errors.as_str();
            let number = |name: &str| cell(name)?.trim().parse::<u64>().ok();
            let raft = number("RAFT TERM").zip(number("RAFT INDEX"));
            let applied = number("RAFT APPLIED INDEX");
            let size = cell("DB SIZE").and_then(bytes);
            let row =
                StatusRow { id, version, is_leader, learner, raft, applied, size, errors, ..StatusRow::default() };
            self.status(line, endpoint, &row);
        } else if let (Some(endpoint), Some(hash)) = (cell("ENDPOINT"), cell("HASH")) {
            let number = |name: &str| cell(name)?.trim().parse().ok();
            if let Ok(hash) = hash.trim().parse() {
                self.hash(line, endpoint, &HashRow { hash, revision: number("HASH REVISION"), compacted: None });
            }
        } else if let (Some(endpoint), Some(health)) = (cell("ENDPOINT"), cell("HEALTH")) {
            self.health(line, endpoint, health == "true", cell("ERROR").unwrap_or(""));
        } else {
            self.unread.push((line, WhyUnread::TableNotOfEtcdctl(headers.iter().map(Into::into).collect())));
        }
    }
}

/// An etcd id the way etcd prints it in tables and logs.
pub fn hex(id: u64) -> String {
    format!("{id:x}")
}

/// Kinds whose objects tell of the member at an endpoint.
const OF_ENDPOINTS: [&str; 4] =
    ["etcdendpointstatuses", "etcdendpointhealths", "etcdclienterrors", "etcdendpointhashes"];

/// Does such an object tell of the member of the machine on which etcdctl ran? Every machine has one at the address of its
/// loopback, and none is there for the others.
pub fn is_local(plural: &str, node: &Node) -> bool {
    let endpoint = || node.at(&["spec", "endpoint"]).and_then(Node::as_str);
    OF_ENDPOINTS.contains(&plural) && endpoint().is_some_and(is_loopback)
}

/// Is it an address that every machine has for itself?
pub fn is_loopback(endpoint: &str) -> bool {
    let address = endpoint.split("://").last().unwrap_or(endpoint);
    ["127.", "localhost", "[::1]"].iter().any(|start| address.starts_with(start))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_remark_tells_when_it_was_asked() {
        let row = "http://10.0.0.1:2379, 8e9e05c52164694d, 3.5.7, 182 MB, true, false, 812, 9120442, 9120442, \n";
        let times = |text: &str| {
            let parsed = try_parse(MemberId(0), "s.txt", text).expect("output of etcdctl");
            let time = |record: &Record| match record {
                Record::Object(object) => object.order.time.map(|time| time.to_string()),
                _ => None,
            };
            (parsed.records.iter().filter_map(time).collect::<Vec<_>>(), parsed.unread.len())
        };
        assert_eq!(
            times(&format!("# after, 2026-11-30 03:05 UTC\n{row}")),
            (vec!["2026-11-30T03:05:00Z".to_owned()], 0)
        );
        assert_eq!(times(&format!("# on cp-1\n{row}")), (vec![], 0));
    }

    #[test]
    fn a_list_of_members_is_whole_where_its_form_shows_its_end() {
        let whole = |text: &str| {
            let parsed = try_parse(MemberId(0), "x.txt", text).expect("output of etcdctl");
            let mut lists = parsed.records.into_iter().filter_map(|record| match record {
                Record::Object(object) => object.node.at(&["spec", "whole"]).map(ToString::to_string),
                _ => None,
            });
            lists.next().unwrap_or_default()
        };
        let rows = "8e9e05c52164694d, started, a, http://10.0.0.1:2380, http://10.0.0.1:2379, false\n";
        assert_eq!(whole(rows), "false", "head may have cut it");
        assert_eq!(
            whole(&format!("{rows}10.0.0.1:2379 is healthy: successfully committed proposal: took = 2ms\n")),
            "true"
        );
        let border = "+----+--------+------+------------+--------------+------------+\n";
        let head = "| ID | STATUS | NAME | PEER ADDRS | CLIENT ADDRS | IS LEARNER |\n";
        let row = "| 8e9e05c52164694d | started | a | http://10.0.0.1:2380 | http://10.0.0.1:2379 | false |\n";
        let open = format!("{border}{head}{border}{row}");
        assert_eq!(whole(&open), "false");
        assert_eq!(whole(&format!("{open}{border}")), "true");
        let json = r#"{"header":{"cluster_id":1},"members":[{"ID":2,"name":"a","peerURLs":["http://10.0.0.1:2380"]}]}"#;
        assert_eq!(whole(json), "true");
    }

    #[test]
    fn the_last_cell_of_a_row_that_the_text_ends_with_may_go_on() {
        let border = "+----+----+----+----+----+----+----+----+----+----+\n";
        let head = "| ENDPOINT | ID | VERSION | DB SIZE | IS LEADER | IS LEARNER | RAFT TERM | RAFT INDEX | RAFT APPLIED INDEX | ERRORS |\n";
        let row = "| 10.0.0.1:2379 | 8e9e05c52164694d | 3.5.5 | 25 kB | true | false | 2 | 5 | 5 | memberID:7 |\n";
        let more = "| | | | | | | | | | alarm:NOSPACE |\n";
        let errors = |text: &str| {
            let parsed = try_parse(MemberId(0), "x.txt", text).expect("output of etcdctl");
            let Some(Record::Object(object)) = parsed.records.first() else { return "no status".to_owned() };
            object.node.at(&["status", "errors"]).map_or("not shown".to_owned(), ToString::to_string)
        };
        let open = format!("{border}{head}{border}{row}");
        assert_eq!(errors(&open), "not shown");
        assert_eq!(errors(&format!("{open}{border}")), "memberID:7");
        assert_eq!(errors(&format!("{open}{more}")), "memberID:7 alarm:NOSPACE");
    }

    fn seen(name: &str, text: &str) -> String {
        let Some(parsed) = try_parse(MemberId(0), name, text) else { return "not etcdctl".to_owned() };
        let mut out = String::new();
        for record in parsed.records {
            let object = match record {
                Record::Object(object) => object,
                Record::Answer(answer) => {
                    out.push_str(&format!("{}: {} {:?}\n", answer.citation.line, answer.kind, answer.state));
                    continue;
                }
                _ => continue,
            };
            let kind = object.kind.map_or(String::new(), |k| k.plural);
            let spec = object.node.get("spec").map_or(String::new(), ToString::to_string);
            let status = object.node.get("status").map_or(String::new(), ToString::to_string);
            out.push_str(&format!("{}: {kind} {} | {spec} | {status}\n", object.line, object.name));
        }
        for (line, reason) in parsed.unread {
            out.push_str(&format!("{line}: unread: {reason}\n"));
        }
        out
    }

    #[test]
    fn every_form_of_a_status_tells_its_raft_term_and_index() {
        let rafts = |text: &str| -> Vec<Option<(u64, u64)>> {
            let records = try_parse(MemberId(0), "s.txt", text).map(|parsed| parsed.records).unwrap_or_default();
            let raft = |record: &Record| match record {
                Record::Object(object) => Some(object.order.raft),
                _ => None,
            };
            records.iter().filter_map(raft).collect()
        };
        let simple = "https://10.0.0.1:2379, 8e9e05c52164694d, 3.5.7, 182 MB, false, false, 812, 9120442, 9120442, \n";
        let json = r#"[{"Endpoint":"http://10.0.0.1:2379","Status":{"header":{"member_id":7},"version":"3.5.7","leader":7,"raftTerm":812,"raftIndex":9120442}}]"#;
        let fields = "\"ClusterID\" : 1\n\"MemberID\" : 7\n\"Version\" : \"3.5.7\"\n\"Leader\" : 7\n\"RaftIndex\" : 9120442\n\"RaftTerm\" : 812\n\"Endpoint\" : \"http://10.0.0.1:2379\"\n";
        for text in [simple, json, fields] {
            assert_eq!(rafts(text), [Some((812, 9_120_442))], "{text}");
        }
    }

    #[test]
    fn health_answers_behind_the_names_of_their_members() {
        let text = "cp-1: {\"health\":\"false\",\"reason\":\"ALARM NOSPACE\"}\ncp-2: {\"health\":true}\n";
        insta::assert_snapshot!(seen("etcd-health.txt", text), @r"
        1: etcdhealthanswers cp-1 | member: cp-1 | healthy: false, reason: ALARM NOSPACE
        2: etcdhealthanswers cp-2 | member: cp-2 | healthy: true, reason: 
        ");
    }

    #[test]
    fn changes_of_the_members() {
        let text = "Member 974ba9f93b40d12d added to cluster 64abd3344ae654f4\n\nETCD_NAME=\"cp-2\"\nETCD_INITIAL_CLUSTER=\"cp-1=http://10.0.0.1:2380,cp-2=http://10.0.0.2:2380\"\nETCD_INITIAL_ADVERTISE_PEER_URLS=\"http://10.0.0.2:2380\"\nETCD_INITIAL_CLUSTER_STATE=\"existing\"\n";
        insta::assert_snapshot!(seen("s.txt", text), @"1: etcdmemberchanges 974ba9f93b40d12d added | id: 974ba9f93b40d12d, change: added, peerURLs: http://10.0.0.2:2380 | ");
        let text = "Member   4ba9f93b40d12d promoted in cluster 64abd3344ae654f4\nMember 974ba9f93b40d12d removed from cluster 64abd3344ae654f4\n";
        insta::assert_snapshot!(seen("s.txt", text), @r"
        1: etcdmemberchanges 4ba9f93b40d12d promoted | id: 4ba9f93b40d12d, change: promoted | 
        2: etcdmemberchanges 974ba9f93b40d12d removed | id: 974ba9f93b40d12d, change: removed | 
        ");
        assert!(
            try_parse(MemberId(0), "s.txt", "Member 974ba9f93b40d12d waved to cluster 64abd3344ae654f4\n").is_none()
        );
    }

    #[test]
    fn cells_that_are_wrapped_over_lines_are_one() {
        let text = "\
+-----------------------+------------------+---------+---------+-----------+------------+-----------+------------+--------------------+-------------------------------+
|       ENDPOINT        |        ID        | VERSION | DB SIZE | IS LEADER | IS LEARNER | RAFT TERM | RAFT INDEX | RAFT APPLIED INDEX |            ERRORS             |
+-----------------------+------------------+---------+---------+-----------+------------+-----------+------------+--------------------+-------------------------------+
| http://10.0.0.1:2379  | 51def7ab4185c6a3 |  3.5.16 |   17 MB |      true |      false |         2 |         91 |                 91 |  memberID:1721449402673541552 |
|                       |                  |         |         |           |            |           |            |                    |                 alarm:NOSPACE |
+-----------------------+------------------+---------+---------+-----------+------------+-----------+------------+--------------------+-------------------------------+
";
        insta::assert_snapshot!(seen("s.txt", text), @"4: etcdendpointstatuses http://10.0.0.1:2379 51def7ab4185c6a3 | endpoint: http://10.0.0.1:2379 | memberID: 51def7ab4185c6a3, version: 3.5.16, isLeader: true, learner: false, dbSize: 17000000, raftTerm: 2, appliedIndex: 91, errors: memberID:1721449402673541552 alarm:NOSPACE");
    }

    #[test]
    fn member_list_simple_with_an_unstarted_learner() {
        let text = "8e9e05c52164694d, started, cp-1, https://10.0.0.1:2380, https://10.0.0.1:2379, false\n\
                    b6e6acb707bcb7be, unstarted, , https://10.0.0.4:2380, , true\n";
        insta::assert_snapshot!(seen("m.txt", text), @r"
        1: etcdmembers 8e9e05c52164694d | id: 8e9e05c52164694d, name: cp-1, peerURLs: https://10.0.0.1:2380, clientURLs: https://10.0.0.1:2379, learner: false | started: true
        2: etcdmembers b6e6acb707bcb7be | id: b6e6acb707bcb7be, name: , peerURLs: https://10.0.0.4:2380, clientURLs: , learner: true | started: false
        1: etcdmemberlists 8e9e05c52164694d,b6e6acb707bcb7be | members: 8e9e05c52164694d, b6e6acb707bcb7be, whole: false | 
        ");
    }

    #[test]
    fn member_list_table_and_json_give_the_same_list() {
        let table = "+------------------+---------+------+------------------------+------------------------+------------+\n\
                     |        ID        | STATUS  | NAME |       PEER ADDRS       |      CLIENT ADDRS      | IS LEARNER |\n\
                     +------------------+---------+------+------------------------+------------------------+------------+\n\
                     | cacb905793cde83c | started | cp-1 | http://10.0.0.1:2380 | http://10.0.0.1:2379 |      false |\n\
                     +------------------+---------+------+------------------------+------------------------+------------+\n";
        let json = r#"{"header":{"cluster_id":16824940255726120979,"member_id":14612932121750005820,"raft_term":2},"members":[{"ID":14612932121750005820,"name":"cp-1","peerURLs":["http://10.0.0.1:2380"],"clientURLs":["http://10.0.0.1:2379"]}]}"#;
        let strip = |text: String| {
            text.lines().map(|l| l.split_once(": ").map_or("", |(_, r)| r).to_owned()).collect::<Vec<_>>()
        };
        assert_eq!(strip(seen("t", table)), strip(seen("j", json)));
        insta::assert_snapshot!(seen("j", json), @r"
        1: etcdmembers cacb905793cde83c | id: cacb905793cde83c, name: cp-1, peerURLs: http://10.0.0.1:2380, clientURLs: http://10.0.0.1:2379, learner: false | started: true
        1: etcdmemberlists cacb905793cde83c | members: cacb905793cde83c, whole: true | 
        ");
    }

    #[test]
    fn endpoint_status_without_a_leader_and_the_refused_dials_beside_it() {
        let text = concat!(
            r#"[{"Endpoint":"http://10.0.0.1:2379","Status":{"header":{"cluster_id":1,"member_id":14612932121750005820,"raft_term":2},"version":"3.4.23","raftTerm":2,"errors":["etcdserver: no leader"]}}]"#,
            "\n",
            r#"{"level":"warn","ts":"2026-01-20T19:49:59.051Z","caller":"clientv3/retry_interceptor.go:62","msg":"retrying of unary invoker failed","target":"passthrough:///http://10.0.0.2:2379","attempt":0,"error":"rpc error: desc = \"transport: Error while dialing dial tcp 10.0.0.2:2379: connect: connection refused\""}"#,
            "\nFailed to get the status of endpoint http://10.0.0.2:2379 (context deadline exceeded)\n",
        );
        insta::assert_snapshot!(seen("s.json", text), @r#"
        1: etcdendpointstatuses http://10.0.0.1:2379 cacb905793cde83c | endpoint: http://10.0.0.1:2379 | memberID: cacb905793cde83c, version: 3.4.23, isLeader: false, learner: false, clusterID: 1, errors: etcdserver: no leader
        2: etcdclienterrors 10.0.0.2:2379 rpc error: desc = "transport: Error while dialing dial tcp 10.0.0.2:2379: connect: connection refused" | endpoint: 10.0.0.2:2379 | error: rpc error: desc = "transport: Error while dialing dial tcp 10.0.0.2:2379: connect: connection refused"
        3: etcdclienterrors http://10.0.0.2:2379 context deadline exceeded | endpoint: http://10.0.0.2:2379 | error: context deadline exceeded
        "#);
    }

    #[test]
    fn endpoint_status_simple_of_3_5_and_3_6() {
        let text = "https://10.0.0.1:2379, 8e9e05c52164694d, 3.5.7, 182 MB, false, false, 812, 9120442, 9120442, etcdserver: no leader\n\
                    https://10.0.0.2:2379, 91bc3c398fb3c146, 3.6.5, 3.6.0, 182 MB, 61 MB, 66%, 2.1 GB, true, false, 7, 9, 9, , , false\n";
        insta::assert_snapshot!(seen("s.txt", text), @r"
        1: etcdendpointstatuses https://10.0.0.1:2379 8e9e05c52164694d | endpoint: https://10.0.0.1:2379 | memberID: 8e9e05c52164694d, version: 3.5.7, isLeader: false, learner: false, dbSize: 182000000, raftTerm: 812, appliedIndex: 9120442, errors: etcdserver: no leader
        2: etcdendpointstatuses https://10.0.0.2:2379 91bc3c398fb3c146 | endpoint: https://10.0.0.2:2379 | memberID: 91bc3c398fb3c146, version: 3.6.5, isLeader: true, learner: false, dbSize: 182000000, raftTerm: 7, appliedIndex: 9, errors: 
        ");
    }

    #[test]
    fn health_in_its_forms() {
        let text = "https://10.0.0.1:2379 is healthy: successfully committed proposal: took = 9.1ms\n\
                    https://10.0.0.2:2379 is unhealthy: failed to commit proposal: context deadline exceeded\n\
                    Error: unhealthy cluster\n";
        insta::assert_snapshot!(seen("h.txt", text), @r"
        1: etcdendpointhealths https://10.0.0.1:2379 | endpoint: https://10.0.0.1:2379 | healthy: true, error: 
        2: etcdendpointhealths https://10.0.0.2:2379 | endpoint: https://10.0.0.2:2379 | healthy: false, error: failed to commit proposal: context deadline exceeded
        ");
        insta::assert_snapshot!(seen("x/health-cp-2.txt", "HTTP 503\n{\"health\":\"false\",\"reason\":\"RAFT NO LEADER\"}\n"), @"2: etcdhealthanswers cp-2 | member: cp-2 | healthy: false, reason: RAFT NO LEADER");
        insta::assert_snapshot!(seen("x/health-cp-3.txt", "ERROR <urlopen error [Errno 111] Connection refused>\n"), @"1: etcdhealthanswers cp-3 | member: cp-3 | reason: ERROR <urlopen error [Errno 111] Connection refused>");
    }

    #[test]
    fn what_was_printed_for_the_second_version_of_the_api() {
        let health = "member 8e9e05c52164694d is healthy: got healthy result from http://10.0.0.1:2379\n\
                      member 91bc3c398fb3c146 is unhealthy: got unhealthy result from http://10.0.0.2:2379\n\
                      member fd422379fda50e48 is unreachable: [http://10.0.0.3:2379] are all unreachable\n\
                      cluster is degraded\n";
        insta::assert_snapshot!(seen("a.txt", health), @r"
        1: etcdendpointhealths http://10.0.0.1:2379 | endpoint: http://10.0.0.1:2379 | healthy: true, error: 
        2: etcdendpointhealths http://10.0.0.2:2379 | endpoint: http://10.0.0.2:2379 | healthy: false, error: got unhealthy result
        3: etcdendpointhealths http://10.0.0.3:2379 | endpoint: http://10.0.0.3:2379 | healthy: false, error: [http://10.0.0.3:2379] are all unreachable
        ");
        let members = "8e9e05c52164694d: name=cp-1 peerURLs=http://10.0.0.1:2380 clientURLs=http://10.0.0.1:2379 isLeader=true\n\
                       91bc3c398fb3c146[unstarted]: peerURLs=http://10.0.0.2:2380\n";
        insta::assert_snapshot!(seen("a.txt", members), @r"
        1: etcdmembers 8e9e05c52164694d | id: 8e9e05c52164694d, name: cp-1, peerURLs: http://10.0.0.1:2380, clientURLs: http://10.0.0.1:2379, learner: false | started: true
        2: etcdmembers 91bc3c398fb3c146 | id: 91bc3c398fb3c146, name: , peerURLs: http://10.0.0.2:2380, clientURLs: , learner: false | started: false
        1: etcdmemberlists 8e9e05c52164694d,91bc3c398fb3c146 | members: 8e9e05c52164694d, 91bc3c398fb3c146, whole: false | 
        ");
    }

    #[test]
    fn alarms_and_transfers() {
        insta::assert_snapshot!(seen("a", "memberID:10501334649042878790 alarm:NOSPACE \n"), @"1: etcdalarms 91bc3c398fb3c146/NOSPACE | memberID: 91bc3c398fb3c146, alarm: NOSPACE | ");
        insta::assert_snapshot!(seen("a", "alarm:CORRUPT \n"), @"1: etcdalarms 0/CORRUPT | memberID: 0, alarm: CORRUPT | ");
        insta::assert_snapshot!(seen("t", "Leadership transferred from a4f2bd5654759765 to a4f2bd5654759765\n"), @"1: etcdleadertransfers a4f2bd5654759765-a4f2bd5654759765 | from: a4f2bd5654759765, to: a4f2bd5654759765 | ");
    }

    #[test]
    fn a_log_of_etcd_is_not_output_of_etcdctl() {
        let log = r#"{"level":"warn","ts":"2026-01-20T19:47:13.324114Z","caller":"embed/config.go:689","msg":"Running http and grpc server on single port."}"#;
        assert_eq!(seen("etcd-cp-1.log", log), "not etcdctl");
        assert_eq!(seen("x.txt", "The connection to the server 10.0.0.1:6443 was refused\n"), "not etcdctl");
        assert_eq!(seen("x.txt", ""), "not etcdctl");
    }

    #[test]
    fn alarms_in_json_and_sockets_of_openshift() {
        let json = r#"{"header":{"member_id":1},"alarms":[{"memberID":10501334649042878790,"alarm":1}]}"#;
        insta::assert_snapshot!(seen("a.json", json), @"1: etcdalarms 91bc3c398fb3c146/NOSPACE | memberID: 91bc3c398fb3c146, alarm: NOSPACE | ");
        let health = r#"[{"endpoint":"https://10.0.0.1:2379","health":true,"took":"22ms"},{"endpoint":"unixs://10.0.0.1:0","health":false,"took":"5s","error":"context deadline exceeded"}]"#;
        insta::assert_snapshot!(seen("h.json", health), @"1: etcdendpointhealths https://10.0.0.1:2379 | endpoint: https://10.0.0.1:2379 | healthy: true, error: ");
    }

    #[test]
    fn a_list_of_alarms_without_one_is_an_answer() {
        let header = r#"{"header":{"cluster_id":1,"member_id":10276657743932975437,"raft_term":7}}"#;
        insta::assert_snapshot!(seen("etcd_info/alarm_list.json", header), @"1: etcdalarms.casefile.dev Empty");
        assert_eq!(seen("put.json", header), "not etcdctl", "any command may print a header alone");
        let listed = r#"{"header":{"cluster_id":1,"member_id":2,"raft_term":7},"alarms":[]}"#;
        insta::assert_snapshot!(seen("x.json", listed), @"1: etcdalarms.casefile.dev Empty");
        assert_eq!(seen("alarm.json", r#"{"alarms":[]}"#), "not etcdctl", "other programs have alarms");
    }

    #[test]
    fn the_form_fields() {
        let members = "\"ClusterID\" : 1\n\"MemberID\" : 14612932121750005820\n\"RaftTerm\" : 7\n\"ID\" : 14612932121750005820\n\"Name\" : \"cp-1\"\n\"PeerURL\" : \"http://10.0.0.1:2380\"\n\"ClientURL\" : \"http://10.0.0.1:2379\"\n\"IsLearner\" : false\n\n\"ID\" : 13179411261655136190\n\"Name\" : \"\"\n\"PeerURL\" : \"http://10.0.0.4:2380\"\n\"IsLearner\" : true\n\n";
        insta::assert_snapshot!(seen("m.txt", members), @r"
        4: etcdmembers cacb905793cde83c | id: cacb905793cde83c, name: cp-1, peerURLs: http://10.0.0.1:2380, clientURLs: http://10.0.0.1:2379, learner: false | started: true
        10: etcdmembers b6e6acb707bcb7be | id: b6e6acb707bcb7be, name: , peerURLs: http://10.0.0.4:2380, clientURLs: , learner: true | started: false
        4: etcdmemberlists b6e6acb707bcb7be,cacb905793cde83c | members: b6e6acb707bcb7be, cacb905793cde83c, whole: false | 
        ");
        let status = "\"ClusterID\" : 1\n\"MemberID\" : 14612932121750005820\n\"Revision\" : 3\n\"RaftTerm\" : 7\n\"Version\" : \"3.5.7\"\n\"DBSize\" : 1\n\"Leader\" : 0\n\"IsLearner\" : false\n\"RaftIndex\" : 9\n\"RaftTerm\" : 7\n\"RaftAppliedIndex\" : 9\n\"Errors\" : [etcdserver: no leader]\n\"Endpoint\" : \"http://10.0.0.1:2379\"\n\nFailed to get the status of endpoint http://10.0.0.2:2379 (context deadline exceeded)\n";
        insta::assert_snapshot!(seen("s.txt", status), @r"
        1: etcdendpointstatuses http://10.0.0.1:2379 cacb905793cde83c | endpoint: http://10.0.0.1:2379 | memberID: cacb905793cde83c, version: 3.5.7, isLeader: false, learner: false, clusterID: 1, dbSize: 1, raftTerm: 7, appliedIndex: 9, revision: 3, errors: etcdserver: no leader
        15: etcdclienterrors http://10.0.0.2:2379 context deadline exceeded | endpoint: http://10.0.0.2:2379 | error: context deadline exceeded
        ");
        let health = "\"Endpoint\" : \"http://10.0.0.2:2379\"\n\"Health\" : false\n\"Took\" : \"5s\"\n\"Error\" : \"context deadline exceeded\"\n\n";
        insta::assert_snapshot!(seen("h.txt", health), @"1: etcdendpointhealths http://10.0.0.2:2379 | endpoint: http://10.0.0.2:2379 | healthy: false, error: context deadline exceeded");
        insta::assert_snapshot!(seen("a.txt", "\"ClusterID\" : 1\n\"RaftTerm\" : 7\n\"MemberID\" : 10501334649042878790\n\"AlarmType\" : \"NOSPACE\"\n\n"), @"1: etcdalarms 91bc3c398fb3c146/NOSPACE | memberID: 91bc3c398fb3c146, alarm: NOSPACE | ");
    }

    proptest::proptest! {
        #[test]
        fn foreign_text_never_panics(text in "[|+\\-a-f0-9, :{}\\[\\]\"\\n.]{0,200}") {
            let _ = try_parse(MemberId(0), "health-x.txt", &text);
        }
    }
}
