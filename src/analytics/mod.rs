//! Columnar tables over events, transitions and log counts, and what is computed from them: the timeline,
//! rates, rare templates. It never decides a verdict.

use crate::engine::Outcome;
use crate::facts::store::Facts;
use crate::report::model::{Anomaly, Timeline};

/// What the tables yield for a report.
#[derive(Debug, Default, PartialEq)]
pub struct Analytics {
    /// The timeline.
    pub timeline: Timeline,
    /// What stands out and no signature explains.
    pub anomalies: Vec<Anomaly>,
}

/// Computes timeline and anomalies. A bundle without times gives empty ones and never starts Polars.
pub fn analyse(_facts: &Facts, _outcome: &Outcome) -> Analytics {
    Analytics::default()
}
