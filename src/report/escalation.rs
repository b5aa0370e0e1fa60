//! What to hand to the next level of support, for every root cause: the packet of its signature, else one that is put
//! together from what is known of it.
//!
//! Invariant: no text of a bundle acts as Markdown or HTML.

use crate::markdown;
use crate::ticket::proofs;
use diagnosis::model::{Diagnosis, Finding, Packet};
use diagnosis::words::{self, short};

/// Who gets it where the signature does not say.
pub const NEXT: &str = "the next level of support";
/// Characters of a quoted place.
const QUOTE: usize = 200;

/// The packet of a finding as Markdown; empty where there is nobody to hand it to.
pub fn text(diagnosis: &Diagnosis, finding: &Finding) -> String {
    match &finding.escalation {
        Some(packet) => markdown::packet(packet),
        None if finding.stands() => markdown::packet(&packet(diagnosis, finding)),
        None => String::new(),
    }
}

/// The packet of a finding whose signature has none.
fn packet(diagnosis: &Diagnosis, finding: &Finding) -> Packet {
    let mut items = vec![
        ("Problem".to_owned(), format!("{} ({}, {})", finding.headline(), finding.signature.id, words::badge(finding))),
        (
            "Object".to_owned(),
            format!(
                "{} {} in cluster {}",
                words::kind_of_one(&finding.entity.kind),
                words::entities(finding),
                finding.entity.context
            ),
        ),
    ];
    let context = diagnosis.contexts.iter().find(|context| context.name == finding.entity.context);
    let versions: Vec<String> =
        context.into_iter().flat_map(|c| &c.versions).map(|(name, version)| format!("{name} {version}")).collect();
    if !versions.is_empty() {
        items.push(("Versions".to_owned(), versions.join(", ")));
    }
    let as_of = context.and_then(|context| context.as_of.as_ref());
    let times = [
        words::since(finding),
        as_of.map(|as_of| format!("collected {} UTC ({})", words::clock(&as_of.time), as_of.source)),
    ];
    let times: Vec<String> = times.into_iter().flatten().collect();
    if !times.is_empty() {
        items.push(("Times".to_owned(), times.join("; ")));
    }
    let proof = |row: &diagnosis::model::EvidenceRow| {
        let places = row.citations.iter().take(1);
        let places = places.map(|c| format!("  {}: {}", words::place(c), short(c.excerpt.trim(), QUOTE)));
        [row.claim.clone()].into_iter().chain(places).collect::<Vec<_>>().join("\n")
    };
    let proofs: Vec<String> = proofs(finding).map(proof).collect();
    if !proofs.is_empty() {
        items.push(("Evidence".to_owned(), proofs.join("\n")));
    }
    let tried: Vec<String> = finding.remediation.steps.iter().map(|step| format!("[ ] {}", step.action)).collect();
    if !tried.is_empty() {
        items.push(("What was tried (mark what was done)".to_owned(), tried.join("\n")));
    }
    let bundles = diagnosis.bundles.iter().map(|bundle| format!("{} SHA-256 {}", bundle.name, bundle.sha256));
    items.push(("Bundle".to_owned(), bundles.collect::<Vec<_>>().join("\n")));
    Packet { to: NEXT.to_owned(), items }
}
