//! How often each lane warned before the first failure and since.
//!
//! Invariant: a lane without data on one
//! side is left out, because no rate can be told.

use crate::tables::Sample;
use crate::timeline::Named;
use diagnosis::model::Rate;
use facts::store::Facts;
use jiff::Timestamp;
use std::collections::BTreeMap;

/// Lanes whose rates are listed.
const LANES: usize = 8;
/// Seconds that a sample stands for: tallies count by the minute.
const MINUTE: i64 = 60;

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
