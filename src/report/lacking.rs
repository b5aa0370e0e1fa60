//! What checks had no data, and how few commands would give it to most of them.
//!
//! Invariant: a check is counted once, however many clusters or objects it was not run for.

use diagnosis::model::Diagnosis;
use diagnosis::{summary, words};
use std::collections::BTreeSet;

/// Commands that a reader is told of in one breath.
const FEW: usize = 3;

/// The checks without data.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Lacking {
    /// Checks that had no data.
    pub checks: u64,
    /// Commands that help most, at most three.
    pub commands: u64,
    /// Checks that those would give data to.
    pub closed: u64,
}

/// What lacks data.
pub fn lacking(diagnosis: &Diagnosis) -> Lacking {
    let waiting = summary::without_data(diagnosis);
    let first = diagnosis.further.iter().take(FEW);
    let closed: BTreeSet<&str> =
        first.clone().flat_map(|row| &row.signatures).map(String::as_str).filter(|id| waiting.contains(id)).collect();
    Lacking { checks: waiting.len() as u64, commands: first.count() as u64, closed: closed.len() as u64 }
}

/// The same as a sentence; empty if nothing lacks.
pub fn sentence(diagnosis: &Diagnosis) -> String {
    let Lacking { checks, commands, closed } = lacking(diagnosis);
    if checks == 0 {
        return String::new();
    }
    let had = words::count(checks, "check had", "checks had");
    if closed == 0 {
        return format!("{had} no data");
    }
    format!("{had} no data; {} would close {}", words::count(commands, "command", "commands"), words::thousands(closed))
}
