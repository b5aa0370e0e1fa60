//! Whose clusters a diagnosis is about and when it was: the facts that a reader compares with the ticket first.

use diagnosis::model::Diagnosis;
use diagnosis::summary;
use diagnosis::words::{self, short};

/// Names of bundles that say nothing: whatever was unpacked or pasted.
const NAMELESS: [&str; 8] = ["bundle", "stdin", "-", ".", "upload", "must-gather", "support-bundle", "logs"];
/// The name of a cluster that has none.
const CLUSTER: &str = "cluster";
/// Characters of what is wrong in a title.
const WRONG: usize = 80;

/// The names of the bundles; of a bundle whose name says nothing, those of its clusters.
pub fn whose(diagnosis: &Diagnosis) -> String {
    let says = |name: &str| !NAMELESS.contains(&name);
    let mut names: Vec<&str> =
        diagnosis.bundles.iter().map(|bundle| bundle.name.as_str()).filter(|name| says(name)).collect();
    if names.is_empty() {
        let clusters = diagnosis.contexts.iter().map(|context| context.name.as_str());
        names = clusters.filter(|name| *name != CLUSTER).take(3).collect();
    }
    match (names.is_empty(), shows(diagnosis).is_empty()) {
        (true, true) => "Support bundle".to_owned(),
        (true, false) => "Pasted text".to_owned(),
        (false, _) => names.join(", "),
    }
}

/// What a paste shows; nothing for a collected bundle.
pub fn shows(diagnosis: &Diagnosis) -> Vec<&str> {
    diagnosis.bundles.iter().flat_map(|bundle| &bundle.shows).map(String::as_str).collect()
}

/// The title of the page: what is wrong and whose it is, as it stands on a tab and in a list of files.
pub fn title(diagnosis: &Diagnosis) -> String {
    let wrong = match summary::primary(diagnosis) {
        Some(first) => first.headline().replace('`', ""),
        None if diagnosis.checked == 0 => "Nothing can be said".to_owned(),
        None => "No known problem found".to_owned(),
    };
    format!("{} · {} · Casefile", short(wrong.trim_end_matches('.'), WRONG), whose(diagnosis))
}

/// The facts in words, each a part of one line: `1 cluster`, `Kubernetes v1.30.4`, `4 nodes`.
pub fn who(diagnosis: &Diagnosis) -> Vec<String> {
    let clusters = diagnosis.contexts.len() as u64;
    let mut facts = match shows(diagnosis).join(", ") {
        shows if shows.is_empty() => vec![words::count(clusters, "cluster", "clusters")],
        shows => vec![format!("pasted: {shows}")],
    };
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
