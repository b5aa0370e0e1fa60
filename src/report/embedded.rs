//! The diagnosis inside the page, so small that a report of a large bundle stays small.
//!
//! Invariants: it is a diagnosis of the same schema. Whole are what stands, may stand or stood, with its steps; asks; the
//! loudest lines. Of findings that are ruled out only what speaks against them is there. What was not assessed is counted
//! by signature beyond the first rows. Left out are the timeline, pictures and objects, what the library says of a
//! signature, what is quoted round a place or a second time, reasons that only name the places beside them, and all but
//! the first places of a piece of evidence; lists that merely describe the bundle are cut. `left_out` names what that is.
//! `--format json` has all that the bounds of a report leave (`diagnosis::bounds`).

use crate::error::Error;
use crate::json;
use crate::view::card::CITATIONS;
use diagnosis::bounds;
use diagnosis::model::{Diagnosis, Finding, RemediationInfo};
use diagnosis::pictures::Pictures;
use diagnosis::words;
use signature::evidence_state::EvidenceState;
use signature::model::VerdictWord;

/// Rows of each descriptive list that a page carries.
pub const ROWS: usize = 10;
/// Rows of a table of objects that are well.
const TABLE: usize = 4;

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
        cut("anomalies", diagnosis.anomalies.len()),
        cut("not_collected", diagnosis.not_collected.len()),
        cut("not_applicable", diagnosis.not_applicable.len()),
        cut("not_assessed", diagnosis.not_assessed.len()),
    ];
    let mut shown = diagnosis.clone();
    let excluded = shown.findings.iter_mut().filter(|finding| finding.verdict == VerdictWord::RuledOut);
    let excluded = excluded.map(only_why_not).count() as u64;
    let mut places = 0;
    for row in shown.findings.iter_mut().flat_map(|finding| &mut finding.evidence) {
        let beyond = row.citations.len().saturating_sub(CITATIONS);
        row.citations.truncate(CITATIONS);
        if row.says_place {
            row.reason.clear();
        }
        row.more += beyond as u64;
        places += beyond as u64;
    }
    let around = shown.findings.iter_mut().flat_map(|finding| &mut finding.evidence);
    for place in around.flat_map(|row| &mut row.citations) {
        place.before.clear();
        place.after.clear();
        place.object.clear();
    }
    for table in &mut shown.inventory {
        let beyond = table.rows.len().saturating_sub(TABLE.max(table.unhealthy).min(ROWS));
        table.rows.truncate(table.rows.len() - beyond);
        table.more += beyond as u64;
    }
    // The text of each stands beside its place.
    let of_rows = shown.anomalies.iter_mut().filter_map(|row| row.citation.as_mut());
    let of_events = shown.timeline.events.iter_mut().filter_map(|event| event.citation.as_mut());
    let of_lines = shown.loudest.iter_mut().map(|line| &mut line.citation);
    of_rows.chain(of_events).chain(of_lines).for_each(|place| place.excerpt.clear());
    if !shown.timeline.lanes.is_empty() || !shown.timeline.events.is_empty() {
        shown.timeline.lanes.clear();
        shown.timeline.more_events += shown.timeline.events.len() as u64;
        shown.timeline.events.clear();
        left_out.push("the timeline and its events".to_owned());
    }
    if !shown.pictures.is_empty() {
        shown.pictures = Pictures::default();
        left_out.push("pictures and objects".to_owned());
    }
    shown.findings.iter_mut().for_each(without_library);
    if places > 0 {
        left_out.push(words::count(places, "more place of evidence", "more places of evidence"));
    }
    if excluded > 0 {
        let findings = words::count(excluded, "finding that is ruled out", "findings that are ruled out");
        left_out.push(format!("all but what speaks against {findings}"));
    }
    if !cuts.contains(&true) {
        return Ok(Embedded { json: json::embedded(&shown)?, left_out });
    }
    cut_lists(&mut shown);
    Ok(Embedded { json: json::embedded(&shown)?, left_out })
}

/// Leaves the first rows of the lists that describe the bundle.
fn cut_lists(shown: &mut Diagnosis) {
    // What is missing says more than what is whole.
    shown.coverage.sort_by_key(|row| !row.state.is_missing());
    shown.coverage.truncate(ROWS);
    shown.logs.truncate(ROWS);
    shown.conflicts.truncate(ROWS);
    shown.unread.sort_by_key(|row| !words::is_loss(row.cause));
    shown.unread.truncate(ROWS);
    shown.limits_hit.truncate(ROWS);
    shown.anomalies.truncate(ROWS);
    shown.not_collected.sort_by_key(|row| std::cmp::Reverse(row.signatures.len()));
    shown.not_collected.truncate(ROWS);
    shown.not_applicable.truncate(ROWS);
    let mut listed = 0;
    bounds::list_not_assessed(shown, |_| {
        listed += 1;
        listed <= ROWS
    });
}

/// Leaves out what the library says of a signature whatever the bundle: `casefile explain` prints it.
fn without_library(finding: &mut Finding) {
    finding.relations.clear();
    finding.references.clear();
    finding.signature.summary.clear();
}

/// Leaves of a finding that is ruled out what speaks against it.
fn only_why_not(finding: &mut Finding) {
    finding.remediation = RemediationInfo::default();
    finding.explanation.clear();
    finding.escalation = None;
    finding.evidence.retain(|row| row.needed || row.state == EvidenceState::Contradicts);
    for row in &mut finding.evidence {
        row.more += row.citations.len().saturating_sub(1) as u64;
        row.citations.truncate(1);
        row.citations.iter_mut().for_each(|place| place.excerpt.clear());
    }
}
