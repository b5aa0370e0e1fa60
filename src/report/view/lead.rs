//! What a reader needs of the first finding before scrolling: proof, first step, warnings.

use crate::sorted;
use crate::view::fragment;
use crate::view::pictures::{self, Chain, QuorumView};
use diagnosis::model::{Diagnosis, EvidenceRow, Finding, StepInfo};
use diagnosis::{quoted, words};
use serde::Serialize;
use signature::evidence_state::EvidenceState;
use signature::model::VerdictWord;

/// Characters of what stands at a place.
const EXCERPT: usize = 160;

/// What a reader needs of the first finding before scrolling.
#[derive(Debug, Serialize)]
pub struct Lead {
    /// Anchor of the finding as part of a link.
    pub link: String,
    /// The claims that weigh most, with their first place.
    pub proof: Vec<LeadProof>,
    /// Supported claims beyond those.
    pub more_proof: usize,
    /// The first step, if it may be taken now.
    pub step: Option<StepInfo>,
    /// Steps beyond it.
    pub more_steps: usize,
    /// What not to do.
    pub never: Vec<String>,
    /// Warnings beyond those.
    pub more_never: usize,
    /// Commands that would decide it.
    pub asks: usize,
    /// The verdict's word.
    pub verdict: &'static str,
    /// `CF-2001`
    pub id: String,
    /// `seen since 2026-03-04 09:40:04 UTC`; empty if it has no time.
    pub since: String,
    /// The chain of causes that it is the beginning of.
    pub chain: Option<Chain>,
    /// The voters of its etcd cluster.
    pub quorum: Option<QuorumView>,
}

/// One claim of the first screen.
#[derive(Debug, Serialize)]
pub struct LeadProof {
    pub claim: String,
    /// The claim is not the case, and that is the proof.
    pub not_so: bool,
    /// Where it stands; empty where the claim before it stands there too.
    pub place: String,
    /// What stands there, on one line.
    pub excerpt: String,
}

/// Proof, first step and warnings of a finding.
pub fn lead(diagnosis: &Diagnosis, finding: &Finding) -> Lead {
    let sorted = sorted::sorted(finding);
    let mut rows: Vec<&EvidenceRow> = sorted.proof.into_iter().chain(sorted.more).collect();
    // Stable: what is the case says more at a glance than what is not.
    rows.sort_by_key(|row| not_so(finding, row));
    let remedy = &finding.remediation;
    // A step on an undecided suspicion would be a guess: the data come first.
    let steps: &[StepInfo] = if finding.verdict == VerdictWord::Undecided { &[] } else { &remedy.steps };
    Lead {
        link: fragment(&finding.anchor),
        proof: lead_proofs(finding, &apart(&rows)),
        more_proof: rows.len().saturating_sub(2),
        step: steps.first().cloned(),
        more_steps: steps.len().saturating_sub(1),
        never: remedy.do_not.iter().take(2).map(|advice| advice.action.clone()).collect(),
        more_never: remedy.do_not.len().saturating_sub(2),
        asks: diagnosis.asks.iter().filter(|ask| ask.decides.contains(&finding.anchor)).count(),
        verdict: words::verdict(finding.verdict),
        id: finding.signature.id.clone(),
        since: words::since(finding).unwrap_or_default(),
        chain: pictures::chain(diagnosis, finding),
        quorum: pictures::quorum(diagnosis, finding),
    }
}

/// The first two claims that stand in different places: the same line twice proves no more.
fn apart<'a>(rows: &[&'a EvidenceRow]) -> Vec<&'a EvidenceRow> {
    let place = |row: &EvidenceRow| row.citations.first().map(words::place_short);
    let Some(first) = rows.first() else { return Vec::new() };
    let second = rows.iter().skip(1).find(|row| place(row) != place(first)).or(rows.get(1));
    [Some(first), second].into_iter().flatten().copied().collect()
}

/// Is a claim the opposite of what the verdict says, so that it proves it by not being the case?
fn not_so(finding: &Finding, row: &EvidenceRow) -> bool {
    row.state == EvidenceState::Contradicts && finding.verdict != VerdictWord::RuledOut
}

/// The claims, each with what stands at its first place, where that is not the place of the claim before.
fn lead_proofs(finding: &Finding, rows: &[&EvidenceRow]) -> Vec<LeadProof> {
    let mut before = String::new();
    rows.iter()
        .map(|row| {
            let first = row.citations.first();
            let place = first.map(words::place_short).unwrap_or_default();
            let is_new = place != std::mem::replace(&mut before, place.clone());
            LeadProof {
                claim: row.claim.clone(),
                not_so: not_so(finding, row),
                place: if is_new { place } else { String::new() },
                excerpt: first.map(|first| words::short(&quoted::line(first), EXCERPT)).unwrap_or_default(),
            }
        })
        .collect()
}
