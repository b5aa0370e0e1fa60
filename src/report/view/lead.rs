//! What a reader needs of the first finding before scrolling: proof, first step, warnings.

use crate::sorted;
use crate::view::fragment;
use crate::view::pictures::{self, Chain, QuorumView};
use diagnosis::model::{Diagnosis, EvidenceRow, Finding, StepInfo};
use diagnosis::words;
use serde::Serialize;
use signature::model::VerdictWord;

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
    /// `since 2026-03-04 09:40:04 UTC`; empty if it has no time.
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
    /// Where it stands.
    pub place: String,
    /// The first line that stands there.
    pub excerpt: String,
}

/// Proof, first step and warnings of a finding.
pub fn lead(diagnosis: &Diagnosis, finding: &Finding) -> Lead {
    let sorted = sorted::sorted(finding);
    let rows: Vec<&EvidenceRow> = sorted.proof.into_iter().chain(sorted.more).collect();
    let remedy = &finding.remediation;
    // A step on an undecided suspicion would be a guess: the data come first.
    let steps: &[StepInfo] = if finding.verdict == VerdictWord::Undecided { &[] } else { &remedy.steps };
    Lead {
        link: fragment(&finding.anchor),
        proof: apart(&rows).into_iter().map(lead_proof).collect(),
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

/// A claim with the first line of its first place.
fn lead_proof(row: &EvidenceRow) -> LeadProof {
    let first = row.citations.first();
    let line = first.and_then(|citation| citation.excerpt.lines().find(|line| !line.trim().is_empty()));
    let line = line.unwrap_or_default().trim();
    let cut: String = line.chars().take(160).collect();
    LeadProof {
        claim: row.claim.clone(),
        place: first.map(words::place_short).unwrap_or_default(),
        excerpt: if cut.len() < line.len() { format!("{cut}…") } else { cut },
    }
}
