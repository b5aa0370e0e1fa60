//! Whose clusters a diagnosis is about and when it was: the facts that a reader compares with the ticket first.

use diagnosis::model::Diagnosis;
use diagnosis::words;

/// The facts in words, each a part of one line: `1 cluster`, `Kubernetes v1.30.4`, `4 nodes`.
pub fn who(diagnosis: &Diagnosis) -> Vec<String> {
    let mut facts = vec![words::count(diagnosis.contexts.len() as u64, "cluster", "clusters")];
    let mut versions: Vec<String> = Vec::new();
    for (name, version) in diagnosis.contexts.iter().flat_map(|context| &context.versions) {
        let version = format!("{name} {version}");
        if name == "Kubernetes" && !versions.contains(&version) {
            versions.push(version);
        }
    }
    facts.extend(versions.into_iter().take(3));
    let nodes = diagnosis.inventory.iter().filter(|table| table.kind == "nodes");
    let nodes = nodes.map(|table| table.rows.len() as u64 + table.more).sum();
    if nodes > 0 {
        facts.push(words::count(nodes, "node", "nodes"));
    }
    let first = diagnosis.logs.iter().filter_map(|log| log.from.as_deref()).filter_map(parse).min();
    let last = diagnosis.logs.iter().filter_map(|log| log.to.as_deref()).filter_map(parse).max();
    if let (Some(first), Some(last)) = (first, last) {
        facts.push(format!("logs {} to {} UTC", words::clock(&first.to_string()), words::clock(&last.to_string())));
    }
    facts
}

fn parse(time: &str) -> Option<jiff::Timestamp> {
    time.parse().ok()
}
