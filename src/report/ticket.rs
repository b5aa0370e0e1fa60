//! A ticket: what is wrong, how that is known, what to do and what not, what to ask for. Short enough for every tracker.
//!
//! Invariants: at most [`MOST`] characters, whatever the diagnosis; what does not fit is counted, from the least
//! important on; no text of a bundle acts as Markdown or HTML.

use crate::markdown::escape::{code, prose};
use crate::{lacking, loudest, markdown, problems};
use diagnosis::model::{Diagnosis, EvidenceRow, Finding};
use diagnosis::quoted;
use diagnosis::words::{self, short};
use parts::Parts;
use signature::evidence_state::EvidenceState;
use signature::model::VerdictWord;
use std::collections::BTreeSet;

mod parts;

/// Characters of a ticket.
pub const MOST: usize = 3_000;
/// Proofs of each root cause.
const PROOFS: usize = 3;
/// Of the loudest lines those that are quoted.
const LOUD: usize = 4;
/// Characters of one sentence or excerpt.
const SENTENCE: usize = 240;
/// Characters of what is quoted.
const QUOTE: usize = 120;

/// The ticket, as Markdown.
pub fn render(diagnosis: &Diagnosis) -> String {
    let mut parts = Parts::new(MOST);
    parts.must(&format!("**{}**\n\n", prose(&short(&diagnosis.answer, SENTENCE))));
    parts.must(&source(diagnosis));
    let all = problems::problems(diagnosis);
    let certain: Vec<&problems::Problem<'_>> = all.iter().filter(|problem| problem.finding.stands()).collect();
    if let Some(first) = all.first() {
        for line in cause(first.finding) {
            parts.add(&line);
        }
    }
    if all.len() > 1 {
        parts.add("\n### All problems\n");
        let rows: Vec<String> = all.iter().map(row).collect();
        parts.list(&rows, "problem", "problems");
    }
    let loud = loudest::loudest(diagnosis);
    if !loud.is_empty() {
        parts.add("\n### Loudest lines (not diagnosed)\n");
        parts.add("\n");
        for line in loud.iter().take(LOUD) {
            parts.add(&format!("- {}\n", markdown::loud(line)));
        }
    }
    for line in asks(diagnosis) {
        parts.add(&line);
    }
    // What is left goes to the proofs of the other root causes.
    for problem in
        certain.iter().filter(|problem| all.first().is_none_or(|first| first.finding.anchor != problem.finding.anchor))
    {
        if !parts.add_all(&cause(problem.finding)) {
            break;
        }
    }
    parts.text()
}

/// Where it comes from: the program, the bundle, the clusters.
fn source(diagnosis: &Diagnosis) -> String {
    let mut lines =
        vec![format!("- Diagnosed by {}", prose(&format!("{} {}", diagnosis.tool.name, diagnosis.tool.version)))];
    for bundle in diagnosis.bundles.iter().take(2) {
        let as_of = bundle.as_of.as_ref().map(|as_of| format!(", as of {} UTC", prose(&words::clock(&as_of.time))));
        lines.push(format!(
            "- Bundle {}{}, SHA-256 {}",
            code(&short(&bundle.name, QUOTE)),
            as_of.unwrap_or_default(),
            code(&bundle.sha256)
        ));
    }
    if diagnosis.bundles.len() > 2 {
        lines.push(format!("- and {} more bundles", diagnosis.bundles.len() - 2));
    }
    lines.join("\n") + "\n"
}

/// One line of the table.
fn row(problem: &problems::Problem<'_>) -> String {
    let finding = problem.finding;
    let since = words::since(finding).map(|since| format!(", {since}")).unwrap_or_default();
    let folded = if problem.folded.is_empty() { String::new() } else { format!(" ({})", problem.folded) };
    format!(
        "- {} {}: {} ({} {}{since}){folded}\n",
        finding.severity.word(),
        code(&short(&problem.object, QUOTE)),
        prose(&short(finding.headline(), SENTENCE)),
        finding.signature.id,
        words::badge(finding),
    )
}

/// One root cause: three proofs, what to do, what not.
fn cause(finding: &Finding) -> Vec<String> {
    let mut lines = vec![format!(
        "\n### {} {}\n\n{}: {}, {}{}.\n\n",
        finding.signature.id,
        prose(&short(finding.headline(), SENTENCE)),
        code(&short(&words::entities(finding), QUOTE)),
        words::badge(finding),
        finding.severity.word(),
        words::since(finding).map(|since| format!(", {since}")).unwrap_or_default(),
    )];
    // What is only suspected is not proven.
    let called = if finding.verdict == VerdictWord::Undecided { "Sign" } else { "Proof" };
    lines.extend(proofs(finding).map(|row| proof(called, row)));
    if finding.verdict != VerdictWord::Undecided {
        let step = |step: &diagnosis::model::StepInfo| {
            let risk = step.risk.map(|risk| format!(" ({})", words::risk(risk))).unwrap_or_default();
            format!("- Do: {}{risk}\n", prose(&short(&step.action, SENTENCE)))
        };
        lines.extend(finding.remediation.steps.iter().take(2).map(step));
    }
    let never =
        |advice: &diagnosis::model::AdviceInfo| format!("- Do not: {}\n", prose(&short(&advice.action, SENTENCE)));
    lines.extend(finding.remediation.do_not.iter().take(2).map(never));
    lines
}

/// What the verdict rests on, the strongest first.
pub(crate) fn proofs(finding: &Finding) -> impl Iterator<Item = &EvidenceRow> {
    let mut rows: Vec<&EvidenceRow> =
        finding.evidence.iter().filter(|row| row.state == EvidenceState::Supports).collect();
    rows.sort_by_key(|row| (!row.needed, !row.hallmark));
    // The same line twice proves no more.
    let mut seen = BTreeSet::new();
    let place = |row: &EvidenceRow| row.citations.first().map(|first| (first.member.clone(), first.line));
    rows.sort_by_cached_key(|row| !seen.insert(place(row)));
    rows.into_iter().take(PROOFS)
}

fn proof(called: &str, row: &EvidenceRow) -> String {
    let place = row.citations.first().map(|first| {
        let line = quoted::line(first);
        let quote = if line.is_empty() { String::new() } else { format!(" {}", code(&short(&line, QUOTE))) };
        format!(" ({}{quote})", code(&words::place_short(first)))
    });
    format!("- {called}: {}{}\n", prose(&short(&row.claim, SENTENCE)), place.unwrap_or_default())
}

/// What to ask for.
fn asks(diagnosis: &Diagnosis) -> Vec<String> {
    let mut lines = Vec::new();
    for ask in diagnosis.asks.iter().take(4) {
        lines.push(format!("- on {}: {}\n", prose(&ask.on), code(&short(&ask.command, SENTENCE))));
    }
    if lines.is_empty() {
        let lacking = lacking::sentence(diagnosis);
        if lacking.is_empty() {
            return Vec::new();
        }
        return vec![format!("\n{}.\n", prose(&lacking))];
    }
    lines.insert(0, "\n### Please collect\n\n".to_owned());
    if diagnosis.asks.len() > 4 {
        lines.push(format!("- and {} more\n", diagnosis.asks.len() - 4));
    }
    lines
}
