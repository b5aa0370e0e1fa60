//! What matters most of a diagnosis: the numbers, and the one finding that a reader is told of first.
//!
//! Invariant: every output that names a first finding or a number of findings asks here, so that they agree.

use crate::model::{Counts, Diagnosis, Finding, Summary};
use signature::model::{Severity, VerdictWord};
use std::collections::BTreeSet;

/// The numbers of a diagnosis, and the anchor of its first finding.
pub fn of(diagnosis: &Diagnosis) -> Summary {
    let count = |verdict| diagnosis.count(verdict);
    Summary {
        counts: Counts {
            confirmed: count(VerdictWord::Confirmed),
            probable: count(VerdictWord::Probable),
            undecided: count(VerdictWord::Undecided),
            resolved: count(VerdictWord::Resolved),
            ruled_out: count(VerdictWord::RuledOut),
            notes: diagnosis.count_notes(),
            not_assessed: diagnosis.count_not_assessed(),
        },
        primary: primary(diagnosis).map(|finding| finding.anchor.clone()),
    }
}

/// Checks that had no data where a command would give it to them; where none is known, all that had nothing to look at.
pub fn without_data(diagnosis: &Diagnosis) -> BTreeSet<&str> {
    let known: BTreeSet<&str> = diagnosis.further.iter().flat_map(|row| &row.signatures).map(String::as_str).collect();
    if !known.is_empty() {
        return known;
    }
    let of_kinds = diagnosis.not_collected.iter().flat_map(|row| &row.signatures).map(String::as_str);
    let of_entities = diagnosis.not_assessed.iter().map(|row| row.signature.as_str());
    of_kinds.chain(of_entities).collect()
}

/// Is what was found no answer to what is wrong? Nothing stands, or nothing that is certain, matters and knows more than
/// the words of a log.
pub fn says_little(diagnosis: &Diagnosis) -> bool {
    primary(diagnosis).is_none_or(|finding| {
        !finding.stands() || finding.signature.general || finding.signature.severity >= Severity::Low
    })
}

/// The finding that matters most: a fault that breaks something now before one that will some day, what is certain
/// before what is not. The findings stand in the order of the report, causes first.
pub fn primary(diagnosis: &Diagnosis) -> Option<&Finding> {
    let undecided =
        |finding: &Finding| finding.verdict == VerdictWord::Undecided && finding.signature.severity != Severity::Info;
    let first = |is_it: &dyn Fn(&Finding) -> bool| diagnosis.findings.iter().find(|finding| is_it(finding));
    first(&|finding| finding.stands() && !finding.signature.latent)
        .or_else(|| first(&|finding| finding.stands()))
        .or_else(|| first(&|finding| undecided(finding) && !finding.signature.latent))
        .or_else(|| first(&undecided))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_certain_and_breaks_something_now_comes_first_and_a_note_is_no_fault() {
        let text = include_str!("../../tests/data/report/typical.diagnosis.json");
        let mut diagnosis: Diagnosis = serde_json::from_str(text).unwrap_or_default();
        let Some(like) = diagnosis.findings.first().cloned() else { panic!("the fixture has a finding") };
        let finding = |anchor: &str, verdict, severity, latent| {
            let mut finding = like.clone();
            (finding.verdict, finding.signature.severity, finding.signature.latent) = (verdict, severity, latent);
            finding.anchor = anchor.to_owned();
            finding
        };
        let (confirmed, undecided) = (VerdictWord::Confirmed, VerdictWord::Undecided);
        diagnosis.findings = vec![
            finding("note", confirmed, Severity::Info, false),
            finding("open", undecided, Severity::High, false),
            finding("later", confirmed, Severity::High, true),
            finding("now", VerdictWord::Probable, Severity::Low, false),
        ];
        diagnosis.more = Default::default();
        let said = of(&diagnosis);
        assert_eq!(said.primary.as_deref(), Some("now"));
        assert_eq!((said.counts.confirmed, said.counts.notes, said.counts.probable), (1, 1, 1));
        diagnosis.findings.pop();
        assert_eq!(primary(&diagnosis).map(|finding| finding.anchor.as_str()), Some("later"));
        diagnosis.findings.pop();
        assert_eq!(primary(&diagnosis).map(|finding| finding.anchor.as_str()), Some("open"));
        diagnosis.findings.pop();
        assert_eq!(primary(&diagnosis), None);
    }
}
