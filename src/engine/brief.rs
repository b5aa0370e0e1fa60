//! Findings in brief: of a signature that holds for twenty thousand Pods a report lists fifty, so the others are made
//! without their texts.
//!
//! Why here and not in the report: the texts of one finding take some ten kilobytes, and nothing that is made for each of
//! fifty thousand entities may take that much.
//!
//! Invariants: the first findings of each signature and verdict are whole at once; what a report lists of the others
//! ([`diagnosis::listed`]) is made whole when all are known, from the same evidence, looked up once more. What a brief
//! finding keeps is all that findings are ordered, gathered, counted and answered by, and which places they cite.

use crate::Run;
use crate::entity::Subject;
use crate::evidence::{Evaluator, Held};
use crate::finding;
use crate::indicators;
use crate::log_query::Unnamed;
use crate::text::Words;
use diagnosis::citation::citation_info;
use diagnosis::listed;
use diagnosis::model::{CitationInfo, EvidenceRow, Finding};
use facts::origin::Citation;
use signature::model::{Signature, VerdictWord};
use std::collections::{BTreeMap, BTreeSet};

/// What a brief finding is made whole from.
pub(crate) struct Brief<'a> {
    pub signature: &'a Signature,
    pub subject: Subject,
    /// Whose lines that name nobody are.
    pub unnamed: Unnamed,
}

/// The finding of a verdict in brief.
pub(crate) fn finding(words: &Words<'_>, verdict: VerdictWord, conflicting: bool) -> Finding {
    let place = |citation: &Citation| CitationInfo { excerpt: String::new(), ..citation_info(words.facts, citation) };
    let row = |(evidence, held): (&signature::model::Evidence, &Held)| {
        let citations: Vec<CitationInfo> = held.answered.citations.iter().map(place).collect();
        let cites = !citations.is_empty() && !evidence.is_name();
        cites.then(|| EvidenceRow {
            id: evidence.id.clone(),
            state: finding::state(held.truth),
            claim: String::new(),
            reason: String::new(),
            says_place: false,
            cause: None,
            hallmark: evidence.hallmark,
            needed: false,
            at_least: 0,
            at_most: None,
            shown: Vec::new(),
            citations,
            more: 0,
        })
    };
    Finding {
        conflicting,
        headline: finding::headline(words, verdict),
        indicators: indicators::indicators(words.signature, words.held),
        evidence: words.signature.evidence.iter().zip(words.held).filter_map(row).collect(),
        ..finding::bare(words, verdict)
    }
}

/// Makes those whole that a report lists.
pub(crate) fn complete(run: Run<'_>, mut briefs: BTreeMap<usize, Brief<'_>>, findings: &mut [Finding]) {
    if briefs.is_empty() {
        return;
    }
    let contexts: Vec<&str> = run.facts.contexts.iter().map(|context| context.name.as_str()).collect();
    let listed: BTreeSet<usize> = listed::listed(findings, &contexts);
    briefs.retain(|index, _| listed.contains(index));
    // An evaluator keeps what all entities of a signature have in common.
    let mut of_each: BTreeMap<&str, Vec<(usize, Brief<'_>)>> = BTreeMap::new();
    for (index, brief) in briefs {
        of_each.entry(&brief.signature.id).or_default().push((index, brief));
    }
    for briefs in of_each.into_values() {
        let Some((_, Brief { signature, .. })) = briefs.first() else { continue };
        let evaluator = Evaluator::new(run.facts, signature, run.literals, run.hits, run.absences, run.indexed);
        for (index, Brief { signature, subject, unnamed }) in &briefs {
            let held = evaluator.evaluate(subject, *unnamed);
            let Some(finding) = findings.get_mut(*index) else { continue };
            let words = Words { facts: run.facts, signature, subject, held: &held };
            let whole = finding::finding(&words, run.library, finding.verdict, finding.conflicting);
            let brief = std::mem::replace(finding, whole);
            finding.anchor = brief.anchor;
            finding.owner = brief.owner;
            finding.severity = brief.severity;
            finding.caused_by = brief.caused_by;
            finding.folded_by = brief.folded_by;
        }
    }
}
