//! An analysis as SARIF 2.1.0: one result for each failure and warning; what is unknown is one of kind `open`.
//!
//! Source: SARIF 2.1.0 (OASIS), sections 3.27.9 (kind), 3.27.10 (level).

use crate::model::{Analysis, Outcome, Row};
use diagnosis::model::CitationInfo;
use diagnosis::plain_json;
use diagnosis::visible::one_line;
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// The analysis as SARIF.
///
/// # Errors
/// Only through a fault of Casefile.
pub fn render(analysis: &Analysis) -> Result<String, serde_json::Error> {
    let shown: Vec<&Row> =
        analysis.results.iter().filter(|row| !matches!(row.outcome, Outcome::NoResult | Outcome::Excluded)).collect();
    let rules: BTreeSet<&str> = shown.iter().map(|row| row.analyzer.as_str()).collect();
    let sarif = json!({
        "version": "2.1.0",
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "runs": [{
            "tool": { "driver": {
                "name": analysis.tool.name,
                "version": analysis.tool.version,
                "rules": rules.iter().map(|id| json!({ "id": id, "shortDescription": { "text": format!("the analyzer {id} of Troubleshoot") } })).collect::<Vec<_>>(),
            } },
            "results": shown.iter().map(|row| result(row)).collect::<Vec<_>>(),
        }],
    });
    plain_json::pretty(&sarif)
}

fn result(row: &Row) -> Value {
    let (kind, level) = match row.outcome {
        Outcome::Fail => ("fail", "error"),
        Outcome::Warn => ("fail", "warning"),
        Outcome::Unknown => ("open", "none"),
        Outcome::Pass | Outcome::NoResult | Outcome::Excluded => ("pass", "none"),
    };
    json!({
        "ruleId": row.analyzer,
        "kind": kind,
        "level": level,
        "message": { "text": format!("{}: {}", one_line(&row.title), one_line(&row.message)) },
        "locations": row.citations.iter().map(location).collect::<Vec<_>>(),
        "properties": {
            "outcome": row.outcome,
            "object": row.object,
            "cluster": row.cluster,
            "spec": format!("{}:{}", row.spec, row.line),
        },
    })
}

fn location(citation: &CitationInfo) -> Value {
    let mut place = json!({ "artifactLocation": { "uri": diagnosis::workflow::uri(&citation.member) } });
    if let (Some(line), Some(place)) = (citation.line, place.as_object_mut()) {
        place.insert("region".to_owned(), json!({ "startLine": line }));
    }
    json!({ "physicalLocation": place })
}
