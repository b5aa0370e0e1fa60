//! The diagnosis as SARIF 2.1.0, for viewers of code scanning: one result for each problem, at the places that prove it.
//!
//! Source: SARIF 2.1.0 (OASIS), sections 3.14 (run), 3.19 (tool component), 3.27 (result), 3.29 (physical location).
//! Invariants: what is over, excluded or undecided is no result; a note is one of level `note`.

use crate::error::Error;
use diagnosis::model::{CitationInfo, Diagnosis, Finding};
use diagnosis::plain_json;
use diagnosis::visible::one_line;
use diagnosis::workflow::uri;
use serde_json::{Value, json};
use signature::evidence_state::EvidenceState;
use signature::model::{Severity, VerdictWord};
use std::collections::BTreeMap;

/// Places of one result.
const PLACES: usize = 10;

/// The diagnosis as SARIF.
///
/// # Errors
/// Only through a fault of Casefile.
pub fn render(diagnosis: &Diagnosis) -> Result<String, Error> {
    let shown: Vec<&Finding> = diagnosis
        .findings
        .iter()
        .filter(|finding| matches!(finding.verdict, VerdictWord::Confirmed | VerdictWord::Probable))
        .collect();
    let rules: BTreeMap<&str, Value> =
        shown.iter().map(|finding| (finding.signature.id.as_str(), rule(finding))).collect();
    let sarif = json!({
        "version": "2.1.0",
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "runs": [{
            "tool": { "driver": {
                "name": diagnosis.tool.name,
                "version": diagnosis.tool.version,
                "rules": rules.into_values().collect::<Vec<_>>(),
            } },
            "results": shown.iter().map(|finding| result(finding)).collect::<Vec<_>>(),
        }],
    });
    Ok(plain_json::pretty(&sarif)?)
}

fn rule(finding: &Finding) -> Value {
    json!({
        "id": finding.signature.id,
        "name": finding.signature.name,
        "shortDescription": { "text": finding.signature.title },
        "fullDescription": { "text": finding.signature.summary },
    })
}

fn result(finding: &Finding) -> Value {
    let level = match finding.severity {
        Severity::Critical | Severity::High => "error",
        Severity::Medium => "warning",
        Severity::Low | Severity::Info => "note",
    };
    let supporting = finding.evidence.iter().filter(|row| row.state == EvidenceState::Supports);
    let mut places: Vec<&CitationInfo> = supporting.flat_map(|row| &row.citations).collect();
    places.dedup();
    json!({
        "ruleId": finding.signature.id,
        "level": level,
        "message": { "text": one_line(finding.headline()) },
        "partialFingerprints": { "anchor": finding.anchor },
        "locations": places.into_iter().take(PLACES).map(location).collect::<Vec<_>>(),
        "properties": {
            "verdict": diagnosis::words::verdict_key(finding.verdict),
            "severity": finding.severity.word(),
            "object": diagnosis::words::entities(finding),
            "cluster": finding.entity.context,
        },
    })
}

fn location(citation: &CitationInfo) -> Value {
    let mut place = json!({ "artifactLocation": { "uri": uri(&citation.member) } });
    if let (Some(line), Some(place)) = (citation.line, place.as_object_mut()) {
        place.insert("region".to_owned(), json!({ "startLine": line, "snippet": { "text": citation.excerpt } }));
    }
    json!({ "physicalLocation": place })
}
