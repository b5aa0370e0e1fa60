//! The records that the lines, rows and JSON of etcdctl become.

use crate::etcdctl::{Reader, hex};
use crate::secrets;
use facts::node::{Node, Value};
use facts::object::ObjectRecord;

/// The kind of changes of the members.
const CHANGES: &str = "etcdmemberchanges";

/// A row of `endpoint status`.
#[derive(Default)]
pub(super) struct StatusRow<'a> {
    pub(super) id: u64,
    pub(super) version: &'a str,
    pub(super) is_leader: Option<bool>,
    /// The leader's id; `Some(0)` means that it has none, `None` that the form does not print it.
    pub(super) leader: Option<u64>,
    pub(super) learner: bool,
    /// The raft term and index when it answered.
    pub(super) raft: Option<(u64, u64)>,
    /// The raft index up to which it had applied what was agreed on.
    pub(super) applied: Option<u64>,
    /// The revision of its data.
    pub(super) revision: Option<u64>,
    /// The id of its cluster.
    pub(super) cluster: Option<u64>,
    /// The size of its database, in bytes.
    pub(super) size: Option<i64>,
    pub(super) errors: &'a str,
}

/// A row of `endpoint hashkv`.
pub(super) struct HashRow {
    pub(super) hash: u64,
    /// The revision up to which the data were hashed.
    pub(super) revision: Option<u64>,
    /// The revision from which on they were.
    pub(super) compacted: Option<i64>,
}

impl Reader<'_> {
    #[expect(clippy::too_many_arguments, reason = "the fields of one row of member list")]
    pub(super) fn member(
        &mut self,
        line: u32,
        id: u64,
        started: bool,
        name: &str,
        peers: &[&str],
        clients: &[&str],
        learner: bool,
    ) {
        let mut node = Node::map(line);
        node.set_at(&["spec", "id"], Node::str(line, hex(id)));
        node.set_at(&["spec", "name"], Node::str(line, name));
        let list = |urls: &[&str]| Node::new(line, Value::List(urls.iter().map(|u| Node::str(line, *u)).collect()));
        node.set_at(&["spec", "peerURLs"], list(peers));
        node.set_at(&["spec", "clientURLs"], list(clients));
        node.set_at(&["spec", "learner"], Node::new(line, Value::Bool(learner)));
        node.set_at(&["status", "started"], Node::new(line, Value::Bool(started)));
        self.push("etcdmembers", hex(id), line, node, &[]);
        self.certain = true;
    }

    pub(super) fn health_answer(&mut self, line: u32, member: &str, healthy: Option<bool>, reason: &str) {
        let mut node = Node::map(line);
        node.set_at(&["spec", "member"], Node::str(line, member));
        if let Some(healthy) = healthy {
            node.set_at(&["status", "healthy"], Node::new(line, Value::Bool(healthy)));
        }
        node.set_at(&["status", "reason"], Node::str(line, reason));
        self.push("etcdhealthanswers", member.to_owned(), line, node, &[]);
        self.certain = true;
    }

    pub(super) fn health(&mut self, line: u32, endpoint: &str, healthy: bool, error: &str) {
        self.certain = true;
        // OpenShift lists sockets of the node beside the addresses; they never answer a client elsewhere.
        if endpoint.starts_with("unixs:") || endpoint.starts_with("unix:") {
            return;
        }
        let mut node = Node::map(line);
        node.set_at(&["spec", "endpoint"], Node::str(line, endpoint));
        node.set_at(&["status", "healthy"], Node::new(line, Value::Bool(healthy)));
        node.set_at(&["status", "error"], Node::str(line, error));
        let local =
            ["127.0.0.1:2379", "localhost:2379", "[::1]:2379"].iter().any(|address| endpoint.ends_with(address));
        // The default loopback address is a different member in each file.
        let name = if local { format!("{endpoint} in {}", self.name) } else { endpoint.to_owned() };
        self.push("etcdendpointhealths", name, line, node, &[]);
    }

    pub(super) fn client_error(&mut self, line: u32, endpoint: &str, error: &str) {
        let mut node = Node::map(line);
        node.set_at(&["spec", "endpoint"], Node::str(line, endpoint));
        node.set_at(&["status", "error"], Node::str(line, error));
        self.push("etcdclienterrors", format!("{endpoint} {error}"), line, node, &[]);
    }

    pub(super) fn status(&mut self, line: u32, endpoint: &str, row: &StatusRow<'_>) {
        let mut node = Node::map(line);
        node.set_at(&["spec", "endpoint"], Node::str(line, endpoint));
        node.set_at(&["status", "memberID"], Node::str(line, hex(row.id)));
        node.set_at(&["status", "version"], Node::str(line, row.version));
        let mut hidden = Vec::new();
        match row.is_leader {
            Some(is_leader) => node.set_at(&["status", "isLeader"], Node::new(line, Value::Bool(is_leader))),
            None => hidden.push("status.isLeader"),
        }
        match row.leader {
            Some(0) => {}
            Some(leader) => {
                node.set_at(&["status", "leaderID"], Node::str(line, hex(leader)));
                hidden.retain(|path| *path != "status.isLeader");
                node.set_at(&["status", "isLeader"], Node::new(line, Value::Bool(leader == row.id)));
            }
            None => hidden.push("status.leaderID"),
        }
        node.set_at(&["status", "learner"], Node::new(line, Value::Bool(row.learner)));
        if let Some(cluster) = row.cluster {
            node.set_at(&["status", "clusterID"], Node::str(line, hex(cluster)));
        }
        if let Some(size) = row.size {
            node.set_at(&["status", "dbSize"], Node::new(line, Value::Int(size)));
        }
        let term = row.raft.map(|(term, _)| term);
        for (key, number) in [("raftTerm", term), ("appliedIndex", row.applied), ("revision", row.revision)] {
            if let Some(number) = number.and_then(|number| i64::try_from(number).ok()) {
                node.set_at(&["status", key], Node::new(line, Value::Int(number)));
            }
        }
        if self.open_row == Some(line) && !row.errors.contains("alarm:") {
            // The rest of its last cell may have stood on lines that are cut away.
            hidden.push("status.errors");
        } else {
            node.set_at(&["status", "errors"], Node::str(line, row.errors));
        }
        // Every member answers from the same loopback address: only the id tells them apart.
        self.push("etcdendpointstatuses", format!("{endpoint} {}", hex(row.id)), line, node, &hidden);
        if let Some(record) = self.records.last_mut() {
            record.order.raft = row.raft;
        }
        self.certain = true;
    }

    /// A member that was added, removed or made a voter.
    pub(super) fn member_change(&mut self, line: u32, id: u64, change: &str) {
        let mut node = Node::map(line);
        node.set_at(&["spec", "id"], Node::str(line, hex(id)));
        node.set_at(&["spec", "change"], Node::str(line, change));
        self.push(CHANGES, format!("{} {change}", hex(id)), line, node, &[]);
        self.certain = true;
    }

    /// A setting for the new member, behind the answer that it was added: of them its addresses tell who it is.
    pub(super) fn setting(&mut self, line: u32, name: &str, value: &str) {
        let is_change = |record: &&mut ObjectRecord| record.kind.as_ref().is_some_and(|kind| kind.plural == CHANGES);
        let Some(change) = self.records.last_mut().filter(is_change).filter(|_| name == "INITIAL_ADVERTISE_PEER_URLS")
        else {
            return;
        };
        let urls = value.split(',').map(|url| Node::str(line, secrets::mask_text(url).0.into_owned())).collect();
        change.node.set_at(&["spec", "peerURLs"], Node::new(line, Value::List(urls)));
    }

    /// A member that etcdctl has defragmented.
    pub(super) fn defragmented(&mut self, line: u32, endpoint: &str) {
        let mut node = Node::map(line);
        node.set_at(&["spec", "endpoint"], Node::str(line, endpoint));
        self.push("etcddefragmentations", endpoint.to_owned(), line, node, &[]);
        self.certain = true;
    }

    /// The hash of the data of one member.
    pub(super) fn hash(&mut self, line: u32, endpoint: &str, row: &HashRow) {
        let mut node = Node::map(line);
        node.set_at(&["spec", "endpoint"], Node::str(line, endpoint));
        node.set_at(&["status", "hash"], Node::str(line, row.hash.to_string()));
        let revision = row.revision.and_then(|revision| i64::try_from(revision).ok());
        for (key, number) in [("revision", revision), ("compactRevision", row.compacted)] {
            if let Some(number) = number {
                node.set_at(&["status", key], Node::new(line, Value::Int(number)));
            }
        }
        let at = row.revision.map_or(String::new(), |revision| format!(" at {revision}"));
        self.push("etcdendpointhashes", format!("{endpoint}{at}"), line, node, &[]);
        self.certain = true;
    }
}

/// Bytes of a size as etcdctl prints one in a table: `25 MB`, by the thousand.
/// Source: `dustin/go-humanize:bytes.go@v1.0.1` (`Bytes`).
pub(super) fn bytes(cell: &str) -> Option<i64> {
    let (number, unit) = cell.trim().split_once(' ')?;
    let factor = match unit {
        "B" => 1.0,
        "kB" => 1e3,
        "MB" => 1e6,
        "GB" => 1e9,
        _ => return None,
    };
    let number: f64 = number.parse().ok().filter(|number: &f64| (0.0..1000.0).contains(number))?;
    Some((number * factor) as i64)
}
