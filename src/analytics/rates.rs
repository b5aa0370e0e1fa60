//! The first failure, and how often each lane warned before it and since.
//!
//! Invariants: the first failure is a moment that a finding cites, never a guess; a lane without data on one
//! side is left out, because no rate can be told.

use crate::cited::Cited;
use crate::moments::Transition;
use crate::tables::Sample;
use crate::timeline::Named;
use diagnosis::model::{CitationInfo, Rate};
use engine::Outcome;
use facts::log::Level;
use facts::store::Facts;
use jiff::Timestamp;
use signature::evidence_state::EvidenceState;
use signature::model::VerdictWord;
use std::collections::{BTreeMap, BTreeSet};

/// Lanes whose rates are listed.
const LANES: usize = 8;
/// Seconds that a sample stands for: tallies count by the minute.
const MINUTE: i64 = 60;

/// The earliest moment at which a confirmed or probable finding saw a fault: a warning or error line, or a
/// condition that turned bad, that its supporting evidence cites.
pub(crate) fn first_failure(outcome: &Outcome, found: &Cited<'_>, conditions: &[Transition]) -> Option<Timestamp> {
    let cited: Vec<&CitationInfo> = outcome
        .findings
        .iter()
        .filter(|finding| matches!(finding.verdict, VerdictWord::Confirmed | VerdictWord::Probable))
        .flat_map(|finding| &finding.evidence)
        .filter(|row| row.state == EvidenceState::Supports)
        .flat_map(|row| &row.citations)
        .collect();
    let lines: BTreeSet<(&str, u32)> =
        cited.iter().filter_map(|citation| Some((citation.member.as_str(), citation.line?))).collect();
    let from_lines = found.hits().iter().filter_map(|line| {
        let fault = matches!(line.hit.fields.level, Level::Warn | Level::Error | Level::Fatal);
        line.time.filter(|_| fault && lines.contains(&(line.member, line.hit.line)))
    });
    let paths: BTreeSet<(&str, &str)> =
        cited.iter().filter_map(|citation| Some((citation.member.as_str(), citation.path.as_deref()?))).collect();
    let is_cited = |change: &&Transition| {
        let member = change.citation.member.as_str();
        let Some(path) = change.citation.path.as_deref() else { return false };
        let below = |mark: &str| {
            let begin = format!("{path}{mark}");
            let next = paths.range((member, begin.as_str())..).next();
            next.is_some_and(|(of, cited)| *of == member && cited.starts_with(&begin))
        };
        paths.contains(&(member, path)) || below(".") || below("[")
    };
    let from_conditions = conditions.iter().filter(|change| change.bad).filter(is_cited).map(|change| change.time);
    from_lines.chain(from_conditions).min()
}

/// Warnings and errors of each lane before and since a moment, those that grew most first.
pub(crate) fn rates(facts: &Facts, lanes: &[Named], samples: &[Sample], failure: Timestamp) -> Vec<Rate> {
    let split = failure.as_second() - failure.as_second().rem_euclid(MINUTE);
    let mut spans: BTreeMap<u32, (i64, i64, u64, u64)> = BTreeMap::new();
    for sample in samples {
        let span = spans.entry(sample.lane).or_insert((sample.second, sample.second, 0, 0));
        span.0 = span.0.min(sample.second);
        span.1 = span.1.max(sample.second + MINUTE);
        let bad = sample.warnings + sample.errors;
        if sample.second < split { span.2 += bad } else { span.3 += bad }
    }
    let mut all: Vec<Rate> = spans
        .into_iter()
        .filter_map(|(lane, (first, last, before, since))| {
            let named = lanes.get(lane as usize).filter(|named| named.gaps)?;
            let (before_seconds, since_seconds) = (split - first, last - split);
            (before_seconds > 0 && since_seconds > 0 && before + since > 0).then(|| Rate {
                lane: named.name.clone(),
                context: facts.context(named.context).name.clone(),
                before,
                before_seconds,
                since,
                since_seconds,
            })
        })
        .collect();
    // Events a day, in whole numbers, so that the order is exact.
    let daily = |count: u64, seconds: i64| i64::try_from(count).unwrap_or(i64::MAX).saturating_mul(86_400) / seconds;
    let growth = |rate: &Rate| daily(rate.since, rate.since_seconds) - daily(rate.before, rate.before_seconds);
    all.sort_by_key(|rate| std::cmp::Reverse(growth(rate)));
    all.truncate(LANES);
    all
}
