//! Control-plane Nodes that joined after Cluster API was seen to replace a Machine in vain:
//! `controlplanejoins.casefile.dev`.
//!
//! Why derived: that a loop of remediations has ended shows in two listings of Nodes, an earlier one and a
//! later one, and no query compares two sightings. An order is known only inside one transcript, so only
//! there such an object is made.
//!
//! Invariant: a Node counts only if its name is that of the Machine or begins with the name of the Machine's
//! control plane (`Machine.metadata.labels[cluster.x-k8s.io/control-plane-name]`; Cluster API names each
//! control-plane Machine after it, and providers name the Node after the Machine).

use crate::deriver::{Deriver, Inputs};
use crate::reader::Reader;
use facts::derived::Derived;
use facts::kind::KindName;
use facts::node::Node;
use facts::object::{Object, ObjectRecord, Sighting};
use facts::origin::Citation;
use facts::provenance::Provenance;

const MACHINES: &str = "machines.cluster.x-k8s.io";

pub(crate) const DERIVER: Deriver = Deriver { makes: &["controlplanejoins"], statements: &[], derive };

/// The joins that the transcripts of one context show, one object for each Machine.
fn derive(inputs: &Inputs<'_>) -> Vec<Derived> {
    let reader = inputs.reader;
    let nodes: Vec<&Object> = reader.all("nodes").into_iter().map(|id| reader.object(id)).collect();
    let machines = reader.facts.of_kind(reader.context, &KindName::parse(MACHINES)).iter();
    machines.filter_map(|id| joins(reader, reader.object(*id), &nodes)).collect()
}

fn joins(reader: Reader<'_>, machine: &Object, nodes: &[&Object]) -> Option<Derived> {
    let first = machine.sightings.iter().find(|sighting| {
        let record = &sighting.record;
        record.order.transcript.is_some()
            && record.node.at(&["metadata", "annotations", "controlplane.cluster.x-k8s.io/remediation-for"]).is_some()
    })?;
    let replaced = &first.record;
    let control_plane = replaced
        .node
        .at(&["metadata", "labels", "cluster.x-k8s.io/control-plane-name"])
        .and_then(Node::as_str)
        .filter(|name| !name.is_empty())
        .or_else(|| machine.name.rsplit_once('-').map(|(before, _)| before))?;
    let prefix = format!("{control_plane}-");
    let mut joined: Vec<&str> = Vec::new();
    let place = Citation::line(replaced.member, replaced.line, &machine.name);
    let mut from = Provenance::from(reader.cited(first, place));
    for node in nodes.iter().filter(|node| node.name == machine.name || node.name.starts_with(&prefix)) {
        let here = || node.sightings.iter().filter(|sighting| sighting.record.member == replaced.member);
        let order = |sighting: &&Sighting| sighting.record.order.transcript;
        if here().any(|sighting| order(&sighting) < replaced.order.transcript) {
            continue;
        }
        let last = here().max_by_key(order).filter(|last| order(last) > replaced.order.transcript);
        if let Some(sighting) = last.filter(|last| is_ready(&last.record)) {
            joined.push(&node.name);
            let (member, line) = (sighting.record.member, sighting.record.line);
            from = from.and(reader.cited(sighting, Citation::line(member, line, &format!("{} Ready", node.name))));
        }
    }
    if joined.is_empty() {
        return None;
    }
    let mut made = Derived::new("controlplanejoins", None, &machine.name).with_all_lines();
    made.text("spec.machine", &machine.name, &from);
    made.text("status.nodes", &joined.join(", "), &from);
    Some(made)
}

fn is_ready(record: &ObjectRecord) -> bool {
    let conditions = record.node.at(&["status", "conditions"]).map(Node::elements).unwrap_or_default();
    conditions.iter().any(|condition| {
        let is = |key: &str, text: &str| condition.get(key).and_then(Node::as_str) == Some(text);
        is("type", "Ready") && is("status", "True")
    })
}
