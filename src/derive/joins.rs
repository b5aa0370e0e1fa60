//! Control-plane Nodes that joined after Cluster API was seen to replace a Machine in vain:
//! `controlplanejoins.casefile.dev`.
//!
//! Why derived: that a loop of remediations has ended shows in two listings of Nodes, an earlier one and a
//! later one, and no query compares two sightings. An order is known only inside one transcript, so only
//! there such an object is made.
//!
//! | field | meaning |
//! |---|---|
//! | `spec.machine` | the Machine that was a replacement in vain |
//! | `status.nodes` | Nodes of the same control plane that are Ready later, and that no earlier line shows |
//!
//! Invariant: a Node counts only if its name is that of the Machine or begins with the name of the Machine's
//! control plane (`Machine.metadata.labels[cluster.x-k8s.io/control-plane-name]`; Cluster API names each
//! control-plane Machine after it, and providers name the Node after the Machine).

use facts::derived::Derived;
use facts::kind::KindName;
use facts::node::Node;
use facts::object::{ContextId, Object, ObjectRecord};
use facts::origin::Citation;
use facts::store::Facts;
use std::collections::BTreeMap;

/// The kinds of record that this reads.
pub fn kinds() -> Vec<KindName> {
    vec![KindName::parse("nodes"), KindName::parse("machines.cluster.x-k8s.io")]
}

/// The joins that the transcripts of one context show, one object for each Machine.
pub fn derive(facts: &Facts, context: ContextId) -> Vec<Derived> {
    let of = |kind: &str| facts.of_kind(context, &KindName::parse(kind)).iter().map(|id| facts.object(*id));
    let nodes: Vec<&Object> = of("nodes").filter(|node| !node.shadow).collect();
    of("machines.cluster.x-k8s.io").filter_map(|machine| joins(machine, &nodes)).collect()
}

fn joins(machine: &Object, nodes: &[&Object]) -> Option<Derived> {
    let replaced = machine.sightings.iter().map(|sighting| &sighting.record).find(|record| {
        record.order.is_some()
            && record.node.at(&["metadata", "annotations", "controlplane.cluster.x-k8s.io/remediation-for"]).is_some()
    })?;
    let control_plane = replaced
        .node
        .at(&["metadata", "labels", "cluster.x-k8s.io/control-plane-name"])
        .and_then(Node::as_str)
        .filter(|name| !name.is_empty())
        .or_else(|| machine.name.rsplit_once('-').map(|(before, _)| before))?;
    let prefix = format!("{control_plane}-");
    let mut joined: Vec<&str> = Vec::new();
    let mut citations = vec![Citation::line(replaced.member, replaced.line, &machine.name)];
    for node in nodes.iter().filter(|node| node.name == machine.name || node.name.starts_with(&prefix)) {
        let here = || node.sightings.iter().map(|s| &s.record).filter(|record| record.member == replaced.member);
        if here().any(|record| record.order < replaced.order) {
            continue;
        }
        let last = here().max_by_key(|record| record.order);
        if let Some(record) = last.filter(|record| record.order > replaced.order && is_ready(record)) {
            joined.push(&node.name);
            citations.push(Citation::line(record.member, record.line, &format!("{} Ready", node.name)));
        }
    }
    if joined.is_empty() {
        return None;
    }
    let mut node = Node::map(0);
    node.set_at(&["metadata", "name"], Node::str(0, machine.name.as_str()));
    node.set_at(&["spec", "machine"], Node::str(replaced.line, machine.name.as_str()));
    node.set_at(&["status", "nodes"], Node::str(0, joined.join(", ")));
    let known = ["spec.machine", "status.nodes"].map(str::to_owned).to_vec();
    let rests = known.iter().map(|field| (field.clone(), citations.clone())).collect::<BTreeMap<_, _>>();
    Some(Derived {
        namespace: None,
        stands_for: None,
        kind: KindName::parse("controlplanejoins.casefile.dev"),
        name: machine.name.clone(),
        node,
        known,
        citations: rests,
    })
}

fn is_ready(record: &ObjectRecord) -> bool {
    let conditions = record.node.at(&["status", "conditions"]);
    let one = conditions.into_iter().filter(|node| node.items().is_empty());
    conditions.map(Node::items).unwrap_or_default().iter().chain(one).any(|condition| {
        let text = |key: &str| condition.get(key).and_then(Node::as_str);
        text("type") == Some("Ready") && text("status") == Some("True")
    })
}
