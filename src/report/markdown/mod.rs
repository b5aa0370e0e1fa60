//! The diagnosis as Markdown, for a ticket: what the page says of each finding, what to collect, and what the
//! diagnosis was made with.
//!
//! Left to the page and to JSON are the pictures and lists that describe the bundle: timeline, inventory,
//! coverage, logs. Invariant: no text of a bundle acts as Markdown or HTML; see [`escape`].

pub mod escape;
mod finding;

use crate::missing;
use diagnosis::model::{Ask, Diagnosis, Finding, NO_ROLE, OverrideInfo, Pack, Packet};
use diagnosis::more::MoreFindings;
use diagnosis::visible::one_line;
use diagnosis::words;
use escape::{code, fenced, prose};
use signature::model::VerdictWord;
use std::collections::BTreeMap;

/// The diagnosis as Markdown.
pub fn render(diagnosis: &Diagnosis) -> String {
    let mut lines = vec![format!("**{}**", prose(&diagnosis.answer)), String::new()];
    lines.extend(header(diagnosis));
    for finding in diagnosis.findings.iter().filter(|finding| finding.verdict != VerdictWord::RuledOut) {
        lines.extend([String::new(), finding::finding(diagnosis, finding)]);
    }
    let ruled_out: Vec<&Finding> =
        diagnosis.findings.iter().filter(|finding| finding.verdict == VerdictWord::RuledOut).collect();
    if !ruled_out.is_empty() {
        lines.extend([String::new(), "### Ruled out".to_owned(), String::new()]);
        lines.extend(ruled_out.iter().map(|finding| {
            format!(
                "- {} {} for {} {}{}: {}",
                finding.signature.id,
                prose(finding.headline()),
                prose(&words::kind_of_one(&finding.entity.kind)),
                code(&words::entity(&finding.entity)),
                words::and_more(finding),
                prose(&finding.reason)
            )
        }));
    }
    if !diagnosis.more.findings.is_empty() {
        lines.extend([String::new(), "### Counted, not listed".to_owned(), String::new()]);
        lines.extend(diagnosis.more.findings.iter().map(counted));
    }
    if !diagnosis.asks.is_empty() {
        lines.extend([String::new(), "### Please collect".to_owned(), String::new(), asks(&diagnosis.asks)]);
    }
    lines.extend([String::new(), "### How this was decided".to_owned(), String::new()]);
    lines.extend(decided(diagnosis));
    lines.join("\n") + "\n"
}

/// Findings of a signature beyond those listed.
fn counted(row: &MoreFindings) -> String {
    format!(
        "- {} {}: {} more {}{}, severity {}, among them {}",
        row.signature,
        prose(&row.title),
        words::thousands(row.count),
        words::verdict(row.verdict),
        words::about(row.count, row.entities),
        row.severity.word(),
        row.first.iter().map(|name| code(name)).collect::<Vec<_>>().join(", ")
    )
}

/// What was read.
fn header(diagnosis: &Diagnosis) -> Vec<String> {
    let mut lines = Vec::new();
    for bundle in &diagnosis.bundles {
        let as_of = match &bundle.as_of {
            Some(as_of) => {
                format!("as of {} UTC ({})", prose(&words::clock(&as_of.time)), prose(&as_of.source))
            }
            None => "when it was collected is not known".to_owned(),
        };
        lines.push(format!(
            "- Bundle {}, {as_of}, {}, SHA-256 {}",
            code(&bundle.name),
            words::size(bundle),
            code(&bundle.sha256)
        ));
        lines.extend(bundle.damage.iter().map(|damage| format!("- Damage: {}", prose(damage))));
    }
    for context in &diagnosis.contexts {
        let role = if context.role == NO_ROLE { "role not known" } else { &context.role };
        let mut facts: Vec<String> =
            context.versions.iter().map(|(name, version)| prose(&format!("{name} {version}"))).collect();
        facts.extend(context.products.iter().map(|product| prose(product)));
        facts.extend(context.workload_of.iter().map(|name| format!("workload of Cluster {}", code(name))));
        let facts = if facts.is_empty() { String::new() } else { format!(": {}", facts.join(", ")) };
        lines.push(format!("- Cluster {} ({}){facts}", code(&context.name), prose(role)));
    }
    if let Some(time) = &diagnosis.timeline.first_failure {
        lines.push(format!("- First failure that a finding rests on: {} UTC", prose(&words::clock(time))));
    }
    let incomplete = missing::sentence(diagnosis);
    if !incomplete.is_empty() {
        lines.push(format!("- Incomplete data: {}", prose(&incomplete)));
    }
    lines
}

/// What to collect, as one block for each place, with comments that say why.
fn asks(asks: &[Ask]) -> String {
    let mut blocks: Vec<(&str, Vec<String>)> = Vec::new();
    for ask in asks {
        let mut lines = Vec::new();
        if !ask.decides.is_empty() {
            lines.push(format!("# decides {}", one_line(&ask.decides.join(", "))));
        }
        lines.extend(ask.note.iter().map(|note| format!("# {}", one_line(note))));
        lines.push(ask.command.trim_end().to_owned());
        match blocks.iter_mut().find(|(on, _)| *on == ask.on) {
            Some((_, commands)) => commands.extend(lines),
            None => blocks.push((&ask.on, lines)),
        }
    }
    let blocks: Vec<String> = blocks
        .iter()
        .map(|(on, commands)| format!("On {}:\n\n{}", prose(on), fenced(&commands.join("\n"), "")))
        .collect();
    blocks.join("\n\n")
}

/// What the diagnosis was made with, and what it could not say.
fn decided(diagnosis: &Diagnosis) -> Vec<String> {
    let mut lines =
        vec![format!("- Made by {}", prose(&format!("{} {}", diagnosis.tool.name, diagnosis.tool.version)))];
    lines.extend(diagnosis.packs.iter().map(pack));
    lines.extend(diagnosis.overrides.iter().map(overridden));
    lines.extend(diagnosis.options.iter().map(|(name, value)| format!("- Option {}: {}", prose(name), code(value))));
    lines.extend(diagnosis.limits_hit.iter().map(|hit| {
        let member = hit.member.as_ref().map(|member| format!(" in {}", code(member))).unwrap_or_default();
        format!("- Limit reached, {}: {}{member}", prose(&hit.limit), prose(&hit.what))
    }));
    let mut not_assessed: BTreeMap<&str, u64> = BTreeMap::new();
    for row in &diagnosis.not_assessed {
        *not_assessed.entry(&row.signature).or_default() += 1;
    }
    for row in &diagnosis.more.not_assessed {
        *not_assessed.entry(&row.signature).or_default() += row.count;
    }
    if !not_assessed.is_empty() {
        let ids: Vec<String> = not_assessed.iter().map(|(id, times)| format!("{} {times}", prose(id))).collect();
        lines.push(format!(
            "- Not assessed for lack of data: {} ({})",
            words::count(diagnosis.count_not_assessed(), "question", "questions"),
            ids.join(", ")
        ));
    }
    lines.extend(diagnosis.not_collected.iter().map(|row| {
        let signatures = words::count(row.signatures.len() as u64, "signature", "signatures");
        format!("- Not collected, so that {signatures} had nothing to look at: {}", prose(&row.reason))
    }));
    if !diagnosis.not_applicable.is_empty() {
        let number = diagnosis.not_applicable.len() as u64;
        lines.push(format!("- Not applicable: {}", words::count(number, "signature", "signatures")));
    }
    if !diagnosis.unread.is_empty() {
        lines.push(format!("- Not read or not understood: {}", words::thousands(diagnosis.count_unread())));
    }
    let kinds = diagnosis.redactions_by_kind.iter().map(|(kind, count)| format!("{kind} {}", words::thousands(*count)));
    let kinds = kinds.collect::<Vec<_>>().join(", ");
    let kinds = if kinds.is_empty() { kinds } else { format!(" ({kinds})") };
    lines.push(format!("- Secret values masked: {}{kinds}", words::thousands(diagnosis.redactions)));
    lines
}

/// A signature pack: `Signature pack Our own 2026.11: 12 signatures, SHA-256 ...`.
fn pack(pack: &Pack) -> String {
    let version = pack.version.as_ref().map(|version| format!(" {version}")).unwrap_or_default();
    let name = prose(&format!("Signature pack {}{version}", pack.name));
    let signatures = words::count(pack.signatures as u64, "signature", "signatures");
    format!("- {name}: {signatures}, SHA-256 {}", code(&pack.sha256))
}

/// What the site changed: `CF-2001 (etcd has no leader) was switched off by the site: No etcd here`.
fn overridden(item: &OverrideInfo) -> String {
    format!(
        "- {} ({}) was {} by the site: {}",
        prose(&item.signature),
        prose(&item.title),
        words::overridden(item),
        prose(&item.reason)
    )
}

/// An escalation packet as Markdown.
pub fn packet(packet: &Packet) -> String {
    let mut out = format!("To: {}\n", prose(&packet.to));
    for (title, text) in &packet.items {
        out.push_str(&format!("\n**{}**\n\n{}\n", prose(title), fenced(text, "")));
    }
    out
}
