//! The answer in one sentence: the first thing that a reader sees, in every output.
//!
//! Invariant: it claims no more than the findings do, and a clean answer always says what it rests on.

use diagnosis::model::{Diagnosis, Finding, LogRow};
use diagnosis::{folding, summary, words};
use facts::coverage::StateName;
use signature::model::VerdictWord;

/// The sentence.
pub fn sentence(diagnosis: &Diagnosis) -> String {
    if nothing(diagnosis).is_some() {
        return NOTHING.to_owned();
    }
    let mut text = match summary::primary(diagnosis) {
        Some(first) if first.stands() => with_a_fault(diagnosis, first),
        Some(first) => suspected(diagnosis, first),
        None => without_a_fault(diagnosis),
    };
    if diagnosis.bundles.iter().any(|bundle| !bundle.damage.is_empty()) {
        text.push_str(" The bundle is damaged: what could not be read is missing from this answer.");
    }
    text
}

/// What is said of a bundle in which nothing was understood.
const NOTHING: &str = "Nothing can be said: no object and no log line of a known format was found in this bundle. \
     Check that the upload is what was meant to be sent, and see which parts were not read.";

/// Why nothing can be said of what was read; `None` if something can.
pub(crate) fn nothing(diagnosis: &Diagnosis) -> Option<&'static str> {
    let understood = !diagnosis.coverage.is_empty()
        || !diagnosis.inventory.is_empty()
        || !diagnosis.findings.is_empty()
        || diagnosis.logs.iter().any(LogRow::is_known);
    (!understood).then_some("no object and no log line of a known format was found in it")
}

/// The fault that a finding is folded under, if that one stands.
fn fold_under<'a>(diagnosis: &'a Diagnosis, finding: &'a Finding) -> Option<folding::Fold<'a>> {
    folding::fold(diagnosis, finding).filter(|fold| fold.root.stands())
}

fn undecided(diagnosis: &Diagnosis) -> u64 {
    diagnosis.count(VerdictWord::Undecided)
}

/// The fault that matters most, and how many others there are; a list of them stands in every output.
fn with_a_fault(diagnosis: &Diagnosis, first: &Finding) -> String {
    let headline = said(diagnosis, first);
    let mut text = match (first.verdict, first.conflicting) {
        (VerdictWord::Confirmed, false) => format!("{headline}."),
        (_, true) => format!("{headline}; other evidence is against it."),
        _ => format!("Probably: {headline}."),
    };
    let is_other = |finding: &&Finding| {
        finding.stands() && finding.anchor != first.anchor && fold_under(diagnosis, finding).is_none()
    };
    match diagnosis.findings.iter().filter(is_other).count() as u64 {
        0 => {}
        others => text.push_str(&format!(" {}.", words::count(others, "more problem", "more problems"))),
    }
    match undecided(diagnosis) {
        0 => {}
        number => text.push_str(&format!(" {} undecided.", words::count(number, "suspicion is", "suspicions are"))),
    }
    text
}

/// The headline of a finding, with its cluster where there are several.
fn said(diagnosis: &Diagnosis, finding: &Finding) -> String {
    let headline = finding.headline().trim_end_matches('.');
    if diagnosis.contexts.len() < 2 {
        return headline.to_owned();
    }
    format!("{headline} (cluster {})", finding.entity.context)
}

/// The suspicion that matters most, and how many others there are.
fn suspected(diagnosis: &Diagnosis, first: &Finding) -> String {
    let mut text = format!("Suspected, and not certain: {}.", said(diagnosis, first));
    match undecided(diagnosis).saturating_sub(1) {
        0 => {}
        others => text.push_str(&format!(" {}.", words::count(others, "more suspicion", "more suspicions"))),
    }
    if !diagnosis.asks.is_empty() {
        text.push_str(" Collect what is asked for below and run Casefile again.");
    }
    text + &healed(diagnosis)
}

/// What was checked, what is over, what had no data.
fn without_a_fault(diagnosis: &Diagnosis) -> String {
    let mut text = match diagnosis.checked {
        0 => nothing_checked(diagnosis),
        checked => format!("No known problem found: {}.", words::count(checked, "check ran", "checks ran")),
    };
    text.push_str(&healed(diagnosis));
    match summary::without_data(diagnosis).len() as u64 {
        0 => {}
        number => text.push_str(&format!(" {} no data.", words::count(number, "check had", "checks had"))),
    }
    text.push_str(&attention(diagnosis));
    text
}

/// What is said where no signature had anything to look at.
fn nothing_checked(diagnosis: &Diagnosis) -> String {
    let refused =
        !diagnosis.coverage.is_empty() && diagnosis.coverage.iter().all(|row| row.state == StateName::Forbidden);
    let why = match (refused, diagnosis.not_collected.is_empty()) {
        (true, _) => "the API server refused every answer that was collected",
        (false, true) => "none of Casefile's checks applies to what this bundle holds",
        (false, false) => "nothing that Casefile's checks look at was collected",
    };
    format!("Nothing can be said: {why}.")
}

/// Faults that are over.
fn healed(diagnosis: &Diagnosis) -> String {
    let over = || diagnosis.findings.iter().filter(|finding| finding.verdict == VerdictWord::Resolved);
    let Some(first) = over().next() else { return String::new() };
    let counted = words::count(diagnosis.count(VerdictWord::Resolved), "past problem is", "past problems are");
    let more = if over().nth(1).is_some() { ", the first of them" } else { "" };
    format!(" {counted} over{more}: {}.", first.headline().trim_end_matches('.'))
}

/// What is not diagnosed and yet not well: a clean answer must not hide it.
fn attention(diagnosis: &Diagnosis) -> String {
    let unhealthy: usize = diagnosis.inventory.iter().map(|table| table.unhealthy).sum();
    match unhealthy as u64 {
        0 => String::new(),
        number => format!(
            " {} not healthy, and no known problem explains it: see the inventory.",
            words::count(number, "object is", "objects are")
        ),
    }
}
