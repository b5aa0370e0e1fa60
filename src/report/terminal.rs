//! The ten-line summary for a terminal: the answer, the counters, the first findings, what to collect.
//!
//! Invariants: it says everything without colour; no character of the bundle reaches the terminal as a
//! control character; it ends with the next step.

use diagnosis::model::{Diagnosis, OverrideInfo, Pack};
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
    let paint = |code: &str, text: &str| {
        if colour { format!("\u{1b}[{code}m{text}\u{1b}[0m") } else { text.to_owned() }
    };
    let mut out = String::new();
    let mut line = |text: String| {
        out.push_str(&text);
        out.push('\n');
    };
    line(paint("1", &one_line(&diagnosis.answer)));
    let counters: Vec<String> = words::VERDICTS
        .iter()
        .map(|verdict| {
            let number = diagnosis.findings.iter().filter(|finding| finding.verdict == *verdict).count();
            format!("{number} {}", words::verdict(*verdict))
        })
        .collect();
    line(format!("Findings: {}; {} not assessed", counters.join(", "), diagnosis.not_assessed.len()));
    for damage in diagnosis.bundles.iter().flat_map(|bundle| &bundle.damage).take(2) {
        line(format!("{} {}", paint("33", "Damaged bundle:"), one_line(damage)));
    }
    let shown: Vec<_> = diagnosis.findings.iter().filter(|finding| finding.verdict != VerdictWord::RuledOut).collect();
    for finding in shown.iter().take(FINDINGS) {
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
        line(format!(
            "  {} {} {}: {} ({}{follows})",
            paint(code, &format!("{:<9}", words::verdict(finding.verdict))),
            finding.signature.id,
            one_line(&words::entity(&finding.entity)),
            one_line(&finding.signature.title),
            finding.signature.severity.word(),
        ));
    }
    if shown.len() > FINDINGS {
        line(format!(
            "  and {} in the report",
            words::count((shown.len() - FINDINGS) as u64, "more finding", "more findings")
        ));
    }
    let lead = shown.first().filter(|finding| {
        matches!(finding.verdict, VerdictWord::Confirmed | VerdictWord::Probable)
            && finding.signature.severity != Severity::Info
    });
    if let Some(finding) = lead {
        // What a reader needs before opening the report: the first step, and what would make it worse.
        if let Some(step) = finding.remediation.steps.first() {
            let risk = step.risk.map(|risk| format!(" ({})", words::risk(risk))).unwrap_or_default();
            line(format!("{} {}{risk}", paint("1", "Do first:"), one_line(&step.action)));
        }
        if let Some(never) = finding.remediation.do_not.first() {
            line(format!("{} {}: {}", paint("31", "Do not:"), one_line(&never.action), one_line(&never.because)));
        }
    }
    let packs: Vec<String> = diagnosis.packs.iter().filter(|pack| pack.name != BUILT_IN).map(pack).collect();
    if !packs.is_empty() {
        let begin =
            if packs.len() == diagnosis.packs.len() { "Only the signatures of" } else { "Also the signatures of" };
        line(format!("{begin} {}", packs.join(", ")));
    }
    if !diagnosis.overrides.is_empty() {
        let said = |item: &OverrideInfo| format!("{} {}", one_line(&item.signature), words::overridden(item));
        let more = diagnosis.overrides.len().saturating_sub(OVERRIDES);
        let more = if more == 0 { String::new() } else { format!(" and {more} more") };
        let first: Vec<String> = diagnosis.overrides.iter().take(OVERRIDES).map(said).collect();
        line(format!("Changed by the site: {}{more}", first.join(", ")));
    }
    if !diagnosis.asks.is_empty() {
        line(format!("Collect next ({}):", words::count(diagnosis.asks.len() as u64, "command", "commands")));
        for ask in diagnosis.asks.iter().take(ASKS) {
            line(format!("  on {}: {}", one_line(&ask.on), one_line(&ask.command)));
        }
        if diagnosis.asks.len() > ASKS {
            line(format!("  and {} more in the report", diagnosis.asks.len() - ASKS));
        }
    }
    let losses = words::losses(&diagnosis.unread);
    if !losses.is_empty() {
        line(format!("Not read: {} (see \"How this was decided\" in the report)", losses.join(", ")));
    }
    out
}

/// A pack with the beginning of its hash, enough to tell two apart; the report has all of it.
fn pack(pack: &Pack) -> String {
    let version = pack.version.as_ref().map(|version| format!(" {}", one_line(version))).unwrap_or_default();
    let hash: String = pack.sha256.chars().take(12).collect();
    let signatures = words::count(pack.signatures as u64, "signature", "signatures");
    format!("pack {}{version} ({signatures}, SHA-256 {}…)", one_line(&pack.name), one_line(&hash))
}
