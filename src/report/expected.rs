//! What a sample bundle's diagnosis must be: `expected.json`, a diagnosis without its prose.
//!
//! Why not the whole diagnosis: a better sentence must not break every sample, while another verdict,
//! another state of one piece of evidence, another cause or another question must.
//!
//! Invariants: made from a diagnosis alone; the same diagnosis gives the same text; everything in it is
//! compared exactly.

use diagnosis::model::{Diagnosis, EntityInfo, Finding};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use signature::evidence_state::EvidenceState;
use signature::model::{Severity, VerdictWord};
use std::collections::BTreeMap;

/// The expected diagnosis of one bundle.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Expected {
    /// Nothing above `info` is confirmed, probable or undecided: nobody needs to act.
    pub silent: bool,
    /// All findings, those that are resolved and ruled out too; sorted by signature, then entity.
    pub findings: Vec<ExpectedFinding>,
    /// Entities that were not assessed, as `<signature> <entity>`; sorted.
    pub not_assessed: Vec<String>,
    /// The commands that would decide what is open, as `<where>: <command>`, in the order of the report.
    pub asks: Vec<String>,
}

/// One expected finding.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ExpectedFinding {
    /// Signature id.
    pub signature: String,
    /// What it is about: `namespace/name in context`.
    pub entity: String,
    /// The verdict.
    pub verdict: VerdictWord,
    /// Confirmed and ruled out hold at once.
    pub conflicting: bool,
    /// The finding that it is folded under, as `<signature> <entity>`.
    pub caused_by: Option<String>,
    /// The state of each piece of evidence.
    pub evidence: BTreeMap<String, EvidenceState>,
}

impl Expected {
    /// What a diagnosis amounts to.
    pub fn of(diagnosis: &Diagnosis) -> Self {
        let open = |finding: &Finding| {
            matches!(finding.verdict, VerdictWord::Confirmed | VerdictWord::Probable | VerdictWord::Undecided)
                && finding.signature.severity != Severity::Info
        };
        let mut findings: Vec<_> = diagnosis
            .findings
            .iter()
            .map(|finding| ExpectedFinding {
                signature: finding.signature.id.clone(),
                entity: entity(&finding.entity),
                verdict: finding.verdict,
                conflicting: finding.conflicting,
                caused_by: finding
                    .caused_by
                    .and_then(|cause| diagnosis.findings.get(cause))
                    .map(|cause| format!("{} {}", cause.signature.id, entity(&cause.entity))),
                evidence: finding.evidence.iter().map(|row| (row.id.clone(), row.state)).collect(),
            })
            .collect();
        findings.sort();
        let mut not_assessed: Vec<_> =
            diagnosis.not_assessed.iter().map(|row| format!("{} {}", row.signature, entity(&row.entity))).collect();
        not_assessed.sort();
        let asks = diagnosis.asks.iter().map(|ask| format!("{}: {}", ask.on, ask.command)).collect();
        Self { silent: !diagnosis.findings.iter().any(open), findings, not_assessed, asks }
    }

    /// The text of `expected.json`.
    ///
    /// # Errors
    /// Only through a fault of Casefile.
    pub fn to_json(&self) -> Result<String, serde_json::Error> {
        diagnosis::plain_json::pretty(self)
    }

    /// Reads an `expected.json`.
    ///
    /// # Errors
    /// With the line, if it is not of that shape.
    pub fn from_json(text: &str) -> Result<Self, serde_json::Error> {
        serde_json::from_str(text)
    }

    /// A line that says what it is: `silent`, or the findings by verdict.
    pub fn summary(&self) -> String {
        let mut parts: Vec<String> = Vec::new();
        for finding in &self.findings {
            if finding.verdict != VerdictWord::RuledOut {
                parts.push(format!("{} {}", finding.signature, diagnosis::words::verdict(finding.verdict)));
            }
        }
        parts.dedup();
        if parts.is_empty() { "silent".to_owned() } else { parts.join(", ") }
    }
}

/// An entity in one text.
fn entity(entity: &EntityInfo) -> String {
    let namespace = entity.namespace.as_ref().map(|namespace| format!("{namespace}/")).unwrap_or_default();
    format!("{namespace}{} in {}", entity.name, entity.context)
}

/// The difference between two texts as a unified diff; empty if there is none.
pub fn diff(expected: &str, found: &str) -> String {
    similar::TextDiff::from_lines(expected, found)
        .unified_diff()
        .context_radius(3)
        .header("expected", "found")
        .to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_back() {
        let expected = Expected {
            silent: false,
            findings: vec![ExpectedFinding {
                signature: "CF-1001".into(),
                entity: "capi/kestrel in global".into(),
                verdict: VerdictWord::Confirmed,
                conflicting: false,
                caused_by: None,
                evidence: BTreeMap::from([("a".into(), EvidenceState::Supports)]),
            }],
            not_assessed: Vec::new(),
            asks: vec!["management: kubectl get machines -A -o yaml".into()],
        };
        let text = expected.to_json().unwrap();
        assert_eq!(Expected::from_json(&text).unwrap(), expected);
        let other = text.replace("confirmed", "probable");
        insta::assert_snapshot!(diff(&text, &other), @r#"
        --- expected
        +++ found
        @@ -4,7 +4,7 @@
             {
               "signature": "CF-1001",
               "entity": "capi/kestrel in global",
        -      "verdict": "confirmed",
        +      "verdict": "probable",
               "conflicting": false,
               "caused_by": null,
               "evidence": {
        "#);
        assert_eq!(diff(&text, &text), "");
    }

    #[test]
    fn an_unknown_key_is_refused() {
        let error = Expected::from_json(r#"{"silent":true,"findings":[],"not_assessed":[],"asks":[],"ask":[]}"#);
        assert!(error.unwrap_err().to_string().contains("unknown field `ask`"));
    }
}
