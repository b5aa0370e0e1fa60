//! The diagnosis inside the page: what the page shows, so that a report of a large bundle stays small.
//!
//! Invariants: it is a diagnosis of the same schema; findings, asks, what was not assessed, the timeline
//! and the anomalies are whole but for what the page does not show either: places of evidence beyond the first
//! four, and what to do about findings that are ruled out. Lists that merely describe the bundle are cut; `left_out` names each of these with its number.
//! `--format json` has all that the bounds of a report leave (`diagnosis::bounds`).

use crate::error::Error;
use crate::json;
use crate::view::card::CITATIONS;
use diagnosis::model::{Diagnosis, Finding, RemediationInfo};
use diagnosis::words;
use signature::model::VerdictWord;

/// Rows of each descriptive list that a page carries.
pub const ROWS: usize = 100;

/// The data of a page.
#[derive(Debug)]
pub struct Embedded {
    /// Compact JSON, safe inside a `<script>` element.
    pub json: String,
    /// What was cut, in words: `363 rows of coverage`; empty if nothing.
    pub left_out: Vec<String>,
}

/// The data for the page of a diagnosis.
///
/// # Errors
/// Only through a fault of Casefile.
pub fn embed(diagnosis: &Diagnosis) -> Result<Embedded, Error> {
    let mut left_out = Vec::new();
    let mut cut = |name: &str, length: usize| {
        if length > ROWS {
            left_out.push(format!("{} of {name}", words::count((length - ROWS) as u64, "row", "rows")));
        }
        length > ROWS
    };
    let cuts = [
        cut("coverage", diagnosis.coverage.len()),
        cut("logs", diagnosis.logs.len()),
        cut("conflicts", diagnosis.conflicts.len()),
        cut("unread", diagnosis.unread.len()),
        cut("limits_hit", diagnosis.limits_hit.len()),
    ];
    let idle = |finding: &&mut Finding| {
        finding.verdict == VerdictWord::RuledOut && finding.remediation != RemediationInfo::default()
    };
    let mut shown = diagnosis.clone();
    let mut excluded = 0;
    for finding in shown.findings.iter_mut().filter(idle) {
        finding.remediation = RemediationInfo::default();
        excluded += 1;
    }
    let mut places = 0;
    for row in shown.findings.iter_mut().flat_map(|finding| &mut finding.evidence) {
        let beyond = row.citations.len().saturating_sub(CITATIONS);
        row.citations.truncate(CITATIONS);
        row.more += beyond as u64;
        places += beyond as u64;
    }
    if places > 0 {
        left_out.push(words::count(places, "more place of evidence", "more places of evidence"));
    }
    if excluded > 0 {
        let findings = words::count(excluded, "finding that is ruled out", "findings that are ruled out");
        left_out.push(format!("what to do about {findings}"));
    }
    if !cuts.contains(&true) {
        return Ok(Embedded { json: json::embedded(&shown)?, left_out });
    }
    // What is missing says more than what is whole.
    shown.coverage.sort_by_key(|row| !row.state.is_missing());
    shown.coverage.truncate(ROWS);
    shown.logs.truncate(ROWS);
    shown.conflicts.truncate(ROWS);
    shown.unread.sort_by_key(|row| !words::is_loss(row.cause));
    shown.unread.truncate(ROWS);
    shown.limits_hit.truncate(ROWS);
    Ok(Embedded { json: json::embedded(&shown)?, left_out })
}
