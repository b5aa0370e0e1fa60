//! The relations of a signature in words: what it can lead to, and what it is not to be taken for.
//!
//! Invariant: nothing here claims that a relation holds in this bundle; that is said by what is folded.

use diagnosis::model::{Finding, RelationInfo};
use signature::model::RelationKind;

/// What a signature can cause, and as what else its fault can show, each a sentence without its full stop. It is
/// said in general: what it did here stands at the findings that are folded under it.
pub(crate) fn can_lead_to(finding: &Finding) -> Vec<String> {
    let is_distinct = |to: &str| {
        let other = |relation: &&RelationInfo| relation.kind == RelationKind::DistinctFrom && relation.to == to;
        finding.relations.iter().any(|relation| other(&relation))
    };
    let sentence = |(kind, begin): (RelationKind, &str)| {
        let others: Vec<String> = finding
            .relations
            .iter()
            // The two can stand side by side; a reader is told apart what is not the same.
            .filter(|relation| relation.kind == kind && !is_distinct(&relation.to))
            .map(other_signature)
            .collect();
        (!others.is_empty()).then(|| format!("{begin} {}", others.join(", ")))
    };
    let kinds = [(RelationKind::Causes, "It can cause"), (RelationKind::Implies, "The same fault can also show as")];
    kinds.into_iter().filter_map(sentence).collect()
}

/// What a signature is not to be taken for, each a sentence without its full stop.
pub(crate) fn told_apart(finding: &Finding) -> Vec<String> {
    let distinct = finding.relations.iter().filter(|relation| relation.kind == RelationKind::DistinctFrom);
    let sentence = |relation: &RelationInfo| {
        let by = relation
            .by
            .as_deref()
            .map(|by| format!("; what tells them apart: {}", by.trim_end_matches('.')))
            .unwrap_or_default();
        format!("It is easily taken for {}{by}", other_signature(relation))
    };
    distinct.map(sentence).collect()
}

/// The other side of a relation: `CF-2010 (One etcd member is down while the others have a leader)`.
fn other_signature(relation: &RelationInfo) -> String {
    format!("{} ({})", relation.to, relation.title.trim_end_matches('.'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_told_apart_is_not_also_said_to_follow() {
        let text = include_str!("../../tests/data/report/typical.diagnosis.json");
        let diagnosis: diagnosis::model::Diagnosis = serde_json::from_str(text).expect("the fixture is a diagnosis");
        let mut finding = diagnosis.findings.first().expect("the fixture has a finding").clone();
        let relation = |kind, to: &str, by: Option<&str>| RelationInfo {
            kind,
            to: to.to_owned(),
            title: format!("Title of {to}."),
            by: by.map(str::to_owned),
        };
        finding.relations = vec![
            relation(RelationKind::Implies, "CF-1", None),
            relation(RelationKind::Causes, "CF-2", None),
            relation(RelationKind::Implies, "CF-3", None),
            relation(RelationKind::DistinctFrom, "CF-1", Some("a leader is there")),
        ];
        assert_eq!(
            can_lead_to(&finding),
            ["It can cause CF-2 (Title of CF-2)", "The same fault can also show as CF-3 (Title of CF-3)"]
        );
        assert_eq!(
            told_apart(&finding),
            ["It is easily taken for CF-1 (Title of CF-1); what tells them apart: a leader is there"]
        );
    }
}
