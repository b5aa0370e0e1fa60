//! The diagnosis inside the page: what the page shows, so that a report of a large bundle stays small.
//!
//! Invariants: it is a diagnosis of the same schema; findings, asks, what was not assessed, the timeline and
//! the anomalies are whole; only lists that merely describe the bundle are cut, and `left_out` names each of
//! them with its number. `--format json` is always whole.

use super::error::Error;
use super::json;
use super::model::Diagnosis;
use super::words;

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
    if !cuts.contains(&true) {
        return Ok(Embedded { json: json::embedded(diagnosis)?, left_out });
    }
    let mut shown = diagnosis.clone();
    // What is missing says more than what is whole.
    shown.coverage.sort_by_key(|row| !words::is_missing(&row.state));
    shown.coverage.truncate(ROWS);
    shown.logs.truncate(ROWS);
    shown.conflicts.truncate(ROWS);
    shown.unread.sort_by_key(|row| !words::is_loss(&row.reason));
    shown.unread.truncate(ROWS);
    shown.limits_hit.truncate(ROWS);
    Ok(Embedded { json: json::embedded(&shown)?, left_out })
}
