//! Since when each finding holds, as far as its evidence shows, and the first failure of all.
//!
//! Invariant: a time is one that the supporting evidence of the finding cites: that of a warning or error line, or of a
//! condition that turned bad. None is guessed.

use crate::cited::Cited;
use crate::moments::Transition;
use diagnosis::model::{CitationInfo, Finding};
use engine::Outcome;
use facts::log::Level;
use jiff::Timestamp;
use signature::evidence_state::EvidenceState;
use signature::model::VerdictWord;
use std::collections::BTreeMap;

/// Times of places: of lines of logs, and of conditions by their paths.
struct Times<'a> {
    lines: BTreeMap<(&'a str, u32), Timestamp>,
    paths: BTreeMap<(&'a str, &'a str), Timestamp>,
}

impl Times<'_> {
    /// The time of what a citation shows: of its line, or of the condition that it is a part of.
    fn of(&self, citation: &CitationInfo) -> Option<Timestamp> {
        let member = citation.member.as_str();
        if let Some(time) = citation.line.and_then(|line| self.lines.get(&(member, line))) {
            return Some(*time);
        }
        let path = citation.path.as_deref()?;
        let ends = path.match_indices(['.', '[']).map(|(at, _)| at).chain([path.len()]);
        ends.filter_map(|end| self.paths.get(&(member, path.get(..end)?))).min().copied()
    }
}

/// The earliest time that the evidence of each finding shows, in the order of the findings.
pub(crate) fn since(outcome: &Outcome, found: &Cited<'_>, conditions: &[Transition]) -> Vec<Option<Timestamp>> {
    let fault = |level: Level| matches!(level, Level::Warn | Level::Error | Level::Fatal);
    let lines = found.hits().iter().filter(|line| fault(line.hit.fields.level));
    let conditions = conditions.iter().filter(|change| change.bad);
    let times = Times {
        lines: lines.filter_map(|line| Some(((line.member, line.hit.line), line.time?))).collect(),
        paths: conditions
            .filter_map(|change| {
                Some(((change.citation.member.as_str(), change.citation.path.as_deref()?), change.time))
            })
            .collect(),
    };
    let of = |finding: &Finding| {
        let supporting = finding.evidence.iter().filter(|row| row.state == EvidenceState::Supports);
        supporting.flat_map(|row| &row.citations).filter_map(|citation| times.of(citation)).min()
    };
    outcome.findings.iter().map(of).collect()
}

/// The earliest time of a confirmed or probable finding.
pub(crate) fn first_failure(outcome: &Outcome, since: &[Option<Timestamp>]) -> Option<Timestamp> {
    let standing = outcome.findings.iter().zip(since);
    let standing =
        standing.filter(|(finding, _)| matches!(finding.verdict, VerdictWord::Confirmed | VerdictWord::Probable));
    standing.filter_map(|(_, time)| *time).min()
}
