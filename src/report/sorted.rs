//! The evidence of a finding by what a reader wants of it: what proves the verdict, what goes along, what was looked at
//! and is not the case, what nobody knows.
//!
//! Invariant: each piece of evidence stands in exactly one of them.

use diagnosis::model::{EvidenceRow, Finding};
use signature::evidence_state::EvidenceState;
use signature::model::VerdictWord;

/// The evidence of one finding.
#[derive(Debug, Default)]
pub struct Sorted<'a> {
    /// What the verdict rests on.
    pub proof: Vec<&'a EvidenceRow>,
    /// What also speaks for it.
    pub more: Vec<&'a EvidenceRow>,
    /// What was looked at and is not the case.
    pub not_so: Vec<&'a EvidenceRow>,
    /// What nobody knows.
    pub not_known: Vec<&'a EvidenceRow>,
}

/// Sorts the evidence; within each part it stays in the order of the signature, what makes one suspect first.
pub fn sorted(finding: &Finding) -> Sorted<'_> {
    let mut sorted = Sorted::default();
    // A diagnosis of an earlier version does not say what its verdicts rest on.
    let known = finding.evidence.iter().any(|row| row.needed);
    let against = finding.verdict == VerdictWord::RuledOut;
    for row in &finding.evidence {
        let proves = match row.state {
            EvidenceState::Supports => !against,
            EvidenceState::Contradicts => against,
            EvidenceState::Unknown => false,
        };
        let part = match row.state {
            _ if row.needed && row.state != EvidenceState::Unknown || !known && proves => &mut sorted.proof,
            EvidenceState::Supports => &mut sorted.more,
            EvidenceState::Contradicts => &mut sorted.not_so,
            EvidenceState::Unknown => &mut sorted.not_known,
        };
        part.push(row);
    }
    sorted.proof.sort_by_key(|row| !row.hallmark);
    sorted
}
