//! The summary for a terminal: the answer, the counters, all findings in a line each, what to collect.
//!
//! Invariants: where a width is given no line is longer but for a word that is; it says everything without colour; no character of the bundle reaches the terminal as a
//! control character; it ends with the next step.

use crate::loudest;
use crate::view::who;
use diagnosis::model::{Ask, Diagnosis, Finding, OverrideInfo, Pack};
use diagnosis::visible::one_line;
use diagnosis::words::{self, short};
use diagnosis::{folding, summary};
use signature::model::VerdictWord;

/// Findings that are listed.
const FINDINGS: usize = 20;
/// Asks that are listed.
const ASKS: usize = 2;
/// Of the loudest lines those that are listed.
const LOUDEST: usize = 5;
/// Characters of one of them.
const LOUD: usize = 160;

/// Signatures that the site changed and that are listed.
const OVERRIDES: usize = 3;
/// The name of the pack that is part of Casefile.
const BUILT_IN: &str = "built-in";

/// The summary, each line ended by a line feed and wrapped to a width, if there is one.
pub fn summary(diagnosis: &Diagnosis, colour: bool, width: Option<usize>) -> String {
    let lines = [
        answer(diagnosis, colour),
        findings(diagnosis, colour),
        first_step(diagnosis, colour),
        loudest(diagnosis, colour),
        packs(diagnosis),
        asks(diagnosis),
        lacking(diagnosis).into_iter().collect(),
        losses(diagnosis),
    ];
    lines.into_iter().flatten().map(|line| wrapped(&line, width) + "\n").collect()
}

/// A line, broken between words where it is longer than the terminal is wide; what follows stands under what it follows.
fn wrapped(line: &str, width: Option<usize>) -> String {
    let Some(width) = width.filter(|width| *width >= NARROWEST) else { return line.to_owned() };
    let indent = line.len() - line.trim_start().len();
    let next = " ".repeat(indent + 2);
    let mut out = String::new();
    let mut used = 0;
    for (at, word) in line.trim_start().split(' ').enumerate() {
        let length = visible_length(word);
        if at == 0 {
            out.push_str(&" ".repeat(indent));
            used = indent + length;
        } else if used + 1 + length > width && used > next.len() {
            out.push('\n');
            out.push_str(&next);
            used = next.len() + length;
        } else {
            out.push(' ');
            used += 1 + length;
        }
        out.push_str(word);
    }
    out
}

/// Columns under which a line is left to the terminal.
const NARROWEST: usize = 20;

/// How many columns a word takes: colours take none.
fn visible_length(word: &str) -> usize {
    let parts = word.split("\u{1b}[").enumerate();
    parts
        .map(|(at, part)| {
            if at == 0 { part } else { part.split_once('m').map_or("", |(_, rest)| rest) }.chars().count()
        })
        .sum()
}

fn paint(colour: bool, code: &str, text: &str) -> String {
    if colour { format!("\u{1b}[{code}m{text}\u{1b}[0m") } else { text.to_owned() }
}

/// The answer, the counters, and damage.
fn answer(diagnosis: &Diagnosis, colour: bool) -> Vec<String> {
    let mut lines =
        vec![paint(colour, "1", &one_line(&diagnosis.answer)), format!("Findings: {}", words::counters(diagnosis))];
    let shows = who::shows(diagnosis).join(", ");
    if !shows.is_empty() {
        lines.push(format!("Pasted: {}", one_line(&shows)));
    }
    for damage in diagnosis.bundles.iter().flat_map(|bundle| &bundle.damage).take(2) {
        lines.push(format!("{} {}", paint(colour, "33", "Damaged bundle:"), one_line(damage)));
    }
    lines
}

/// All but what was ruled out.
fn shown(diagnosis: &Diagnosis) -> Vec<&Finding> {
    diagnosis.findings.iter().filter(|finding| finding.verdict != VerdictWord::RuledOut).collect()
}

fn findings(diagnosis: &Diagnosis, colour: bool) -> Vec<String> {
    let shown = shown(diagnosis);
    let one = |finding: &&Finding| {
        let code = match finding.verdict {
            VerdictWord::Confirmed => "31",
            VerdictWord::Probable => "33",
            VerdictWord::Undecided => "36",
            VerdictWord::Resolved => "32",
            VerdictWord::RuledOut => "2",
        };
        let fold = folding::fold(diagnosis, finding);
        let beside = [
            (diagnosis.contexts.len() > 1).then(|| format!("in {}", one_line(&finding.entity.context))),
            fold.map(|fold| format!("{} {}", fold.relation_short(), fold.parent.signature.id)),
            words::since(finding),
        ];
        let beside: Vec<String> = beside.into_iter().flatten().collect();
        let beside = if beside.is_empty() { String::new() } else { format!(" ({})", beside.join(", ")) };
        format!(
            "  {} {:<8} {} {}: {}{beside}",
            paint(colour, code, &format!("{:<9}", words::badge(finding))),
            finding.severity.word(),
            finding.signature.id,
            one_line(&words::entities(finding)),
            one_line(finding.headline()),
        )
    };
    let mut lines: Vec<String> = shown.iter().take(FINDINGS).map(one).collect();
    let counted = diagnosis.more.findings.iter().filter(|row| row.verdict != VerdictWord::RuledOut);
    let more = shown.len().saturating_sub(FINDINGS) as u64 + counted.map(|row| row.count).sum::<u64>();
    if more > 0 {
        let more = words::count(more, "more finding", "more findings");
        lines.push(format!("  and {more} in the report"));
    }
    lines
}

/// What a reader needs before opening the report: the first step, and what would make it worse.
fn first_step(diagnosis: &Diagnosis, colour: bool) -> Vec<String> {
    let Some(finding) = summary::primary(diagnosis).filter(|finding| finding.stands()) else { return Vec::new() };
    let mut lines = Vec::new();
    if let Some(step) = finding.remediation.steps.first() {
        let risk = step.risk.map(|risk| format!(" ({})", words::risk(risk))).unwrap_or_default();
        lines.push(format!("{} {}{risk}", paint(colour, "1", "Do first:"), one_line(&step.action)));
    }
    if let Some(never) = finding.remediation.do_not.first() {
        let (action, because) = (one_line(&never.action), one_line(&never.because));
        lines.push(format!("{} {action}: {because}", paint(colour, "31", "Do not:")));
    }
    lines
}

/// What the logs say loudest, where no finding says more.
fn loudest(diagnosis: &Diagnosis, colour: bool) -> Vec<String> {
    let all = loudest::loudest(diagnosis);
    if all.is_empty() {
        return Vec::new();
    }
    let one = |line: &loudest::Loud| {
        let place = words::short_place(&line.place);
        let beside = [line.time.as_str(), &place, line.note.as_str()];
        let beside: Vec<String> = beside.into_iter().filter(|part| !part.is_empty()).map(one_line).collect();
        let what = paint(colour, if line.worst { "31" } else { "33" }, &format!("{:<10}", line.what));
        format!("  {what} {}: {} ({})", one_line(&line.log), short(&one_line(&line.text), LOUD), beside.join("; "))
    };
    let mut lines = vec![paint(colour, "1", "Loudest lines (not diagnosed):")];
    lines.extend(all.iter().take(LOUDEST).map(one));
    if all.len() > LOUDEST {
        lines.push(format!("  and {} more in the report", all.len() - LOUDEST));
    }
    lines
}

/// Signatures that are not those of Casefile, or were changed.
fn packs(diagnosis: &Diagnosis) -> Vec<String> {
    let mut lines = Vec::new();
    let packs: Vec<String> = diagnosis.packs.iter().filter(|pack| pack.name != BUILT_IN).map(pack).collect();
    if !packs.is_empty() {
        let all = packs.len() == diagnosis.packs.len();
        let begin = if all { "Only the signatures of" } else { "Also the signatures of" };
        lines.push(format!("{begin} {}", packs.join(", ")));
    }
    if !diagnosis.overrides.is_empty() {
        let said = |item: &OverrideInfo| format!("{} {}", one_line(&item.signature), words::overridden(item));
        let more = diagnosis.overrides.len().saturating_sub(OVERRIDES);
        let more = if more == 0 { String::new() } else { format!(" and {more} more") };
        let first: Vec<String> = diagnosis.overrides.iter().take(OVERRIDES).map(said).collect();
        lines.push(format!("Changed by the site: {}{more}", first.join(", ")));
    }
    lines
}

fn asks(diagnosis: &Diagnosis) -> Vec<String> {
    if diagnosis.asks.is_empty() {
        return Vec::new();
    }
    let number = words::count(diagnosis.asks.len() as u64, "command", "commands");
    let mut lines = vec![format!("Collect next ({number}):")];
    let one = |ask: &Ask| format!("  on {}: {}", one_line(&ask.on), one_line(&ask.command));
    lines.extend(diagnosis.asks.iter().take(ASKS).map(one));
    if diagnosis.asks.len() > ASKS {
        lines.push(format!("  and {} more in the report", diagnosis.asks.len() - ASKS));
    }
    lines
}

/// How many checks had no data, and how few commands would give it to them.
fn lacking(diagnosis: &Diagnosis) -> Option<String> {
    let lacking = crate::lacking::sentence(diagnosis);
    (!lacking.is_empty()).then(|| format!("Missing: {lacking} (\"What to collect\" in the report)"))
}

fn losses(diagnosis: &Diagnosis) -> Vec<String> {
    let losses = words::losses(&diagnosis.unread, &diagnosis.more.unread);
    if losses.is_empty() {
        return Vec::new();
    }
    vec![format!("Not read: {} (see \"How this was decided\" in the report)", losses.join(", "))]
}

/// A pack with the beginning of its hash, enough to tell two apart; the report has all of it.
fn pack(pack: &Pack) -> String {
    let version = pack.version.as_ref().map(|version| format!(" {}", one_line(version))).unwrap_or_default();
    let hash: String = pack.sha256.chars().take(12).collect();
    let signatures = words::count(pack.signatures as u64, "signature", "signatures");
    let signed = pack.signed_by.as_ref().map(|who| format!(", signed by {}", one_line(who))).unwrap_or_default();
    format!("pack {}{version} ({signatures}, SHA-256 {}…{signed})", one_line(&pack.name), one_line(&hash))
}
