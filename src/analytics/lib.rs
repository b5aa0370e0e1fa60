//! Columnar tables over events, transitions and log counts, and what is computed from them: the timeline,
//! rates, what stands out. It never decides a verdict.
//!
//! Invariants: rows are gathered in the order of the facts and every result is sorted by a stated rule,
//! so threads of Polars never show; a bundle without times never starts Polars.

mod anomalies;
mod cause;
mod cited;
mod covered;
mod loudest;
mod moments;
mod rates;
mod since;
mod tables;
pub mod timeline;

use cited::Cited;
use diagnosis::model::{Anomaly, LoudLine, Timeline};
use engine::Outcome;
use facts::kind::KindName;
use facts::store::Facts;
use jiff::Timestamp;

/// What the tables yield for a report.
#[derive(Debug, Default, PartialEq)]
pub struct Analytics {
    pub timeline: Timeline,
    /// The earliest time at which the evidence of each finding shows a fault, in the order of the findings.
    pub since: Vec<Option<Timestamp>>,
    /// What stands out and no signature explains.
    pub anomalies: Vec<Anomaly>,
    /// How processes ended and what went wrong last, less what findings cite.
    pub loudest: Vec<LoudLine>,
    /// Tables that could not be made, one sentence each.
    pub failed: Vec<String>,
}

/// The kinds whose objects the tables read, beside those that signatures ask for.
pub fn kinds() -> impl Iterator<Item = KindName> {
    ["events", "events.events.k8s.io", "pods"].into_iter().map(KindName::parse)
}

/// Computes timeline and anomalies. A bundle without times gives empty ones and never starts Polars.
pub fn analyse(facts: &Facts, outcome: &Outcome) -> Analytics {
    let events = moments::events(facts);
    let conditions = moments::conditions(facts);
    let cited = Cited::new(facts, outcome);
    let mut failed = Vec::new();
    let since = since::since(outcome, &cited, &conditions);
    let first = since::first_failure(outcome, &since);
    let timeline = timeline::timeline(facts, outcome, &cited, &events, &conditions, first).unwrap_or_else(|error| {
        failed.push(error.to_string());
        Timeline::default()
    });
    let loudest = loudest::loudest(facts, &cited);
    let anomalies = anomalies::anomalies(facts, &outcome.findings, &events, &cited, first).unwrap_or_else(|error| {
        failed.push(error.to_string());
        Vec::new()
    });
    Analytics { timeline, since, anomalies, loudest, failed }
}
