//! Whose a part of a description is, where its head was not pasted: of the only thing of its kind beside it that is not well.
//!
//! Why: people paste the list that shows a Node as NotReady, and below it what `kubectl describe` says under `Conditions:`, without
//! its name. A reader sees that both are of one Node; two Nodes that are not well would be two faults.
//!
//! Invariants: only a part that says itself that something is wrong, and is the only one of its kind in its text, is given to
//! the only other of that kind in the same text of which that is said as well; what is in doubt stays without a name.

use facts::kind::KindName;
use facts::node::Node;
use facts::object::ObjectRecord;
use facts::unnamed;
use std::collections::{BTreeMap, BTreeSet};

/// Gives such parts the name of what they are of.
pub(crate) fn name(records: &mut BTreeMap<KindName, Vec<ObjectRecord>>) {
    for (plural, is_unwell) in [("nodes", unwell_node as fn(&Node) -> bool), ("pods", unwell_pod)] {
        let Some(all) = records.get_mut(&KindName::parse(plural)) else { continue };
        let is_open = |record: &ObjectRecord| unnamed::is_one(&record.name);
        let mut open: BTreeMap<_, Vec<usize>> = BTreeMap::new();
        for (at, record) in all.iter().enumerate().filter(|(_, record)| is_open(record)) {
            open.entry(record.member).or_default().push(at);
        }
        for (member, parts) in open {
            let [at] = parts.as_slice() else { continue };
            let unwell: BTreeSet<(Option<&str>, &str)> = { all.iter() }
                .filter(|record| record.member == member && !is_open(record) && is_unwell(&record.node))
                .map(|record| (record.namespace.as_deref(), record.name.as_str()))
                .collect();
            let Some((namespace, name)) = unwell.first().filter(|_| unwell.len() == 1) else { continue };
            let (namespace, name) = (namespace.map(str::to_owned), (*name).to_owned());
            if let Some(part) = all.get_mut(*at).filter(|part| is_unwell(&part.node)) {
                part.namespace = part.namespace.take().or(namespace);
                part.name = name;
            }
        }
    }
}

fn text<'n>(node: &'n Node, path: &[&str]) -> Option<&'n str> {
    node.at(path).and_then(Node::as_str)
}

fn unwell_node(node: &Node) -> bool {
    let listed = text(node, &["status", "kubectlStatus"]).is_some_and(|status| status.starts_with("NotReady"));
    let conditions = node.at(&["status", "conditions"]).map_or(&[][..], Node::items);
    let is_lost = |condition: &Node| {
        let field = |name: &str| condition.field(name).and_then(Node::as_str);
        field("type") == Some("Ready") && field("status").is_some_and(|status| status != "True")
    };
    listed || conditions.iter().any(is_lost)
}

fn unwell_pod(node: &Node) -> bool {
    const WELL: [&str; 3] = ["Running", "Completed", "Succeeded"];
    let listed = text(node, &["status", "kubectlStatus"]).is_some_and(|status| !WELL.contains(&status));
    let statuses = node.at(&["status", "containerStatuses"]).map_or(&[][..], Node::items);
    let waits = |status: &Node| status.at(&["state", "waiting", "reason"]).is_some();
    let ended = |status: &Node| status.at(&["lastState", "terminated", "reason"]).is_some();
    listed || statuses.iter().any(|status| waits(status) || ended(status))
}
