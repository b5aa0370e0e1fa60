//! The ten-line summary for a terminal: the answer, the counters, the first findings, what to collect.
//!
//! Invariants: it says everything without colour; no character of the bundle reaches the terminal as a
//! control character; it ends with the next step.

use diagnosis::model::{Ask, Diagnosis, Finding, OverrideInfo, Pack};
use diagnosis::visible::one_line;
use diagnosis::{folding, words};
use signature::model::{Severity, VerdictWord};

/// Findings that are listed.
const FINDINGS: usize = 4;
/// Asks that are listed.
const ASKS: usize = 2;

/// Signatures that the site changed and that are listed.
const OVERRIDES: usize = 3;
/// The name of the pack that is part of Casefile.
const BUILT_IN: &str = "built-in";

/// The summary, about ten lines, each ended by a line feed.
pub fn summary(diagnosis: &Diagnosis, colour: bool) -> String {
    let lines = [
        answer(diagnosis, colour),
        findings(diagnosis, colour),
        first_step(diagnosis, colour),
        packs(diagnosis),
        asks(diagnosis),
        losses(diagnosis),
    ];
    lines.into_iter().flatten().map(|line| line + "\n").collect()
}

fn paint(colour: bool, code: &str, text: &str) -> String {
    if colour { format!("\u{1b}[{code}m{text}\u{1b}[0m") } else { text.to_owned() }
}

/// The answer, the counters, and damage.
fn answer(diagnosis: &Diagnosis, colour: bool) -> Vec<String> {
    let counter = |verdict: &VerdictWord| {
        let number = diagnosis.count(*verdict);
        let about = words::about(number, diagnosis.count_entities(*verdict));
        format!("{number} {}{about}", words::verdict(*verdict))
    };
    let counters: Vec<String> = words::VERDICTS.iter().map(counter).collect();
    let mut lines = vec![
        paint(colour, "1", &one_line(&diagnosis.answer)),
        format!("Findings: {}; {} not assessed", counters.join(", "), diagnosis.count_not_assessed()),
    ];
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
        let follows = folding::fold(diagnosis, finding)
            .map(|fold| format!(", {} {}", fold.relation_short(), fold.parent.signature.id))
            .unwrap_or_default();
        format!(
            "  {} {} {}: {} ({}{follows})",
            paint(colour, code, &format!("{:<9}", words::verdict(finding.verdict))),
            finding.signature.id,
            one_line(&words::entities(finding)),
            one_line(finding.headline()),
            finding.signature.severity.word(),
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
    let shown = shown(diagnosis);
    let certain = |finding: &&&Finding| {
        matches!(finding.verdict, VerdictWord::Confirmed | VerdictWord::Probable)
            && finding.signature.severity != Severity::Info
    };
    let Some(finding) = shown.first().filter(certain) else { return Vec::new() };
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
    format!("pack {}{version} ({signatures}, SHA-256 {}…)", one_line(&pack.name), one_line(&hash))
}
