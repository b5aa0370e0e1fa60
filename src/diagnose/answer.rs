//! The answer in one sentence: the first thing that a reader sees, in every output.
//!
//! Invariant: it claims no more than the findings do, and a clean answer always says what it rests on.

use diagnosis::model::{Diagnosis, Finding, Indicators, LogRow};
use diagnosis::{folding, words};
use facts::coverage::StateName;
use signature::model::{Severity, VerdictWord};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

/// The sentence.
pub fn sentence(diagnosis: &Diagnosis) -> String {
    let standing: Vec<&Finding> = diagnosis.findings.iter().filter(|finding| stands(finding)).collect();
    let roots: Vec<&Finding> =
        standing.iter().copied().filter(|finding| fold_under(diagnosis, finding).is_none()).collect();
    let mut text = match roots.split_first() {
        Some((first, rest)) => with_a_fault(diagnosis, first, rest, &standing),
        None if undecided(diagnosis) == 0 && understood_nothing(diagnosis) => return NOTHING.to_owned(),
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

/// Is this a fault that somebody must look at?
fn stands(finding: &Finding) -> bool {
    matches!(finding.verdict, VerdictWord::Confirmed | VerdictWord::Probable)
        && finding.signature.severity != Severity::Info
}

/// The fault that a finding is folded under, if that one stands.
fn fold_under<'a>(diagnosis: &'a Diagnosis, finding: &'a Finding) -> Option<folding::Fold<'a>> {
    folding::fold(diagnosis, finding).filter(|fold| stands(fold.root))
}

fn undecided(diagnosis: &Diagnosis) -> u64 {
    diagnosis.findings.iter().filter(|finding| finding.verdict == VerdictWord::Undecided).count() as u64
}

/// How many objects findings are about, to follow their number; empty if each is about one.
fn about<'a>(findings: impl Iterator<Item = &'a Finding>) -> String {
    let (number, entities) = findings.fold((0, 0), |(n, e), finding| (n + 1, e + finding.entities()));
    words::about(number, entities)
}

/// The same for what is undecided.
fn about_undecided(diagnosis: &Diagnosis) -> String {
    about(diagnosis.findings.iter().filter(|finding| finding.verdict == VerdictWord::Undecided))
}

/// The first fault, what stands under it, and the others.
fn with_a_fault(diagnosis: &Diagnosis, first: &Finding, rest: &[&Finding], standing: &[&Finding]) -> String {
    let Indicators { held, total } = first.indicators;
    let verdict = words::verdict(first.verdict);
    let conflict = if first.conflicting { ", and other evidence contradicts it" } else { "" };
    let mut text = format!(
        "{} ({} {}, {verdict}, {held} of {}{conflict})",
        first.headline().trim_end_matches('.'),
        first.signature.id,
        named(diagnosis, first),
        words::count(total as u64, "indicator", "indicators")
    );
    let under: Vec<(&Finding, folding::Fold<'_>)> =
        standing.iter().filter_map(|finding| Some((*finding, fold_under(diagnosis, finding)?))).collect();
    let under_first: Vec<_> = under.iter().filter(|(_, fold)| fold.root.anchor == first.anchor).collect();
    let follow = under_first.iter().filter(|(_, fold)| fold.follows_from_root).count();
    if !under_first.is_empty() {
        let belong = (under_first.len() - follow) as u64;
        let counted = folding::count(follow as u64, belong, "other finding", "other findings");
        text.push_str(&format!("; {counted}{}", about(under_first.iter().map(|(finding, _)| *finding))));
    }
    if !rest.is_empty() {
        text.push_str(&others(rest, (under.len() - under_first.len()) as u64));
    }
    text.push('.');
    match undecided(diagnosis) {
        0 => {}
        number => {
            let counted = words::count(number, "suspicion is", "suspicions are");
            text.push_str(&format!(" {counted} undecided{}.", about_undecided(diagnosis)));
        }
    }
    text
}

/// The faults beside the first; `under` is how many findings stand under them.
fn others(rest: &[&Finding], under: u64) -> String {
    let one = |finding: &&Finding| {
        let (entity, verdict) = (words::entities(finding), words::verdict(finding.verdict));
        format!("{} {entity} ({verdict})", finding.signature.id)
    };
    let named: Vec<String> = rest.iter().take(NAMED).map(one).collect();
    let counted = words::count(rest.len() as u64, "other problem", "other problems");
    let mut text = format!("; and {counted}: {}", named.join(", "));
    if rest.len() > NAMED {
        text.push_str(&format!(" and {} more", rest.len() - NAMED));
    }
    match under {
        0 => {}
        1 => text.push_str("; 1 more finding stands under one of these"),
        number => text.push_str(&format!("; {} more findings stand under these", words::thousands(number))),
    }
    text
}

/// Things that are named; the others are counted.
const NAMED: usize = 3;

/// What was checked, what healed, what could not be decided.
fn without_a_fault(diagnosis: &Diagnosis) -> String {
    let mut text = match undecided(diagnosis) {
        0 if diagnosis.checked == 0 => nothing_checked(diagnosis),
        0 => checked(diagnosis),
        number => {
            let counted = words::count(number, "suspicion is", "suspicions are");
            let ask =
                if diagnosis.asks.is_empty() { "" } else { " Collect what is asked for below and run Casefile again." };
            format!(
                "No fault is certain, and {counted} undecided{}{}.{ask}",
                about_undecided(diagnosis),
                suspicion(diagnosis)
            )
        }
    };
    text.push_str(&healed(diagnosis));
    text.push_str(&not_assessed(diagnosis));
    text.push_str(&attention(diagnosis));
    text
}

/// What is said where no signature had anything to look at.
fn nothing_checked(diagnosis: &Diagnosis) -> String {
    let refused =
        !diagnosis.coverage.is_empty() && diagnosis.coverage.iter().all(|row| row.state == StateName::Forbidden);
    let why = match (refused, diagnosis.not_collected.is_empty()) {
        (true, _) => "the API server refused every answer that was collected",
        (false, true) => "none of Casefile's signatures applies to what this bundle holds",
        (false, false) => "nothing that Casefile's signatures look at was collected",
    };
    format!("Nothing can be said: {why}.{}", not_collected(diagnosis))
}

/// Signatures that had nothing to look at, with what they miss, the most missed first.
fn not_collected(diagnosis: &Diagnosis) -> String {
    let mut missing: BTreeMap<&str, usize> = BTreeMap::new();
    for row in &diagnosis.not_collected {
        *missing.entry(&row.what).or_default() += row.signatures.len();
    }
    let number: usize = missing.values().sum();
    if number == 0 {
        return String::new();
    }
    let mut kinds: Vec<(&str, usize)> = missing.into_iter().collect();
    kinds.sort_by_key(|(kind, signatures)| (Reverse(*signatures), *kind));
    let named: Vec<&str> = kinds.iter().take(NAMED).map(|(kind, _)| *kind).collect();
    let more = match kinds.len().saturating_sub(NAMED) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    format!(
        " {} not checked, because what {} at was not collected whole: {}{more}.",
        words::count(number as u64, "signature was", "signatures were"),
        if number == 1 { "it looks" } else { "they look" },
        named.join(", ")
    )
}

fn checked(diagnosis: &Diagnosis) -> String {
    let over = diagnosis.findings.iter().any(|finding| finding.verdict == VerdictWord::Resolved);
    let none = if over {
        "None of the faults that Casefile knows was found to hold any more"
    } else {
        "None of the faults that Casefile knows was found"
    };
    let others = match diagnosis.not_applicable.len() {
        0 => String::new(),
        1 => ", 1 other does not apply to this bundle".to_owned(),
        others => format!(", {others} others do not apply to this bundle"),
    };
    let run = words::count(diagnosis.checked, "signature was", "signatures were");
    format!("{none}: {run} checked{others}.{}", not_collected(diagnosis))
}

/// Faults that are over.
fn healed(diagnosis: &Diagnosis) -> String {
    let over = || diagnosis.findings.iter().filter(|finding| finding.verdict == VerdictWord::Resolved);
    let resolved: Vec<String> =
        over().map(|finding| format!("{} {}", finding.signature.id, named(diagnosis, finding))).collect();
    let number = resolved.len();
    if number == 0 {
        return String::new();
    }
    let more = if number > NAMED { format!(" and {} more", number - NAMED) } else { String::new() };
    let holds = if number == 1 { "holds" } else { "hold" };
    let first = resolved.into_iter().take(NAMED).collect::<Vec<_>>().join(", ");
    let counted = words::count(number as u64, "fault was", "faults were");
    format!(" {counted} seen and no longer {holds}{}: {first}{more}.", about(over()))
}

/// What could not be decided for want of data.
fn not_assessed(diagnosis: &Diagnosis) -> String {
    let rows = &diagnosis.not_assessed;
    if rows.is_empty() {
        return String::new();
    }
    let ids: BTreeSet<&str> = rows.iter().map(|row| row.signature.as_str()).collect();
    format!(
        " {} not be assessed, because data that {} is missing ({}).",
        words::count(rows.len() as u64, "question could", "questions could"),
        if rows.len() == 1 { "it needs" } else { "they need" },
        ids.into_iter().collect::<Vec<_>>().join(", ")
    )
}

/// Neither an object nor an answer of a cluster, and no line of a known log format.
fn understood_nothing(diagnosis: &Diagnosis) -> bool {
    diagnosis.coverage.is_empty() && diagnosis.inventory.is_empty() && !diagnosis.logs.iter().any(LogRow::is_known)
}

/// The first undecided suspicion, named.
fn suspicion(diagnosis: &Diagnosis) -> String {
    let first = diagnosis.findings.iter().find(|finding| finding.verdict == VerdictWord::Undecided);
    first
        .map(|finding| format!(": {} {}", finding.signature.id, named(diagnosis, finding)))
        .filter(|_| diagnosis.findings.iter().filter(|f| f.verdict == VerdictWord::Undecided).count() == 1)
        .unwrap_or_default()
}

/// What is not diagnosed and yet not well: a clean answer must not hide it.
fn attention(diagnosis: &Diagnosis) -> String {
    let unhealthy: usize = diagnosis.inventory.iter().map(|table| table.unhealthy).sum();
    match unhealthy as u64 {
        0 => String::new(),
        number => format!(
            " Not diagnosed: {} not healthy (see the inventory).",
            words::count(number, "object is", "objects are")
        ),
    }
}

/// The entity of a finding in the sentence, with its cluster where there are several.
fn named(diagnosis: &Diagnosis, finding: &Finding) -> String {
    let name = words::entities(finding);
    if diagnosis.contexts.len() > 1 { format!("{name} in context {}", finding.entity.context) } else { name }
}
