//! The diagnosis as Markdown, for a ticket: what the page says of each finding, what to collect, and what the
//! diagnosis was made with.
//!
//! Left to the page and to JSON are the pictures and lists that describe the bundle: timeline, inventory,
//! coverage, logs. Invariant: no text of a bundle acts as Markdown or HTML; see [`escape`].

pub mod escape;
mod finding;

use crate::problems::Problem;
use crate::told::Told;
use crate::{loudest, missing, problems};
use diagnosis::model::{Ask, CoverageRow, Diagnosis, Finding, NO_ROLE, OverrideInfo, Pack, Packet, Unread};
use diagnosis::more::MoreFindings;
use diagnosis::visible::one_line;
use diagnosis::words::{self, short};
use escape::{code, fenced, prose};
use signature::model::VerdictWord;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

/// The diagnosis as Markdown.
pub fn render(diagnosis: &Diagnosis) -> String {
    let made_by = prose(&format!("{} {}", diagnosis.tool.name, diagnosis.tool.version));
    let mut lines =
        vec![format!("**{}**", prose(&diagnosis.answer)), String::new(), format!("- Diagnosed by {made_by}")];
    lines.extend(header(diagnosis));
    lines.extend(table(diagnosis));
    lines.extend(loudest(diagnosis));
    let mut told = Told::default();
    for finding in diagnosis.findings.iter().filter(|finding| finding.verdict != VerdictWord::RuledOut) {
        lines.extend([String::new(), finding::finding(diagnosis, finding, &mut told)]);
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

/// What the logs say loudest, where no finding says more.
fn loudest(diagnosis: &Diagnosis) -> Vec<String> {
    let all = loudest::loudest(diagnosis);
    if all.is_empty() {
        return Vec::new();
    }
    let mut lines = vec![String::new(), "### Loudest lines (not diagnosed)".to_owned(), String::new()];
    lines.extend(all.iter().map(|line| format!("- {}", loud(line))));
    lines
}

/// One of the loudest lines: what it is, whose, its text, and where it stands.
pub(crate) fn loud(line: &loudest::Loud) -> String {
    let beside = [prose(&line.time), code_if(&line.place), prose(&line.note)];
    let beside: Vec<String> = beside.into_iter().filter(|part| !part.is_empty()).collect();
    format!("{} of {}: {} ({})", line.what, code(&line.log), code(&short(&line.text, LOUD)), beside.join("; "))
}

fn code_if(text: &str) -> String {
    if text.is_empty() { String::new() } else { code(text) }
}

/// Characters of one of the loudest lines.
const LOUD: usize = 240;

/// All problems, one line each; none where there is one alone.
fn table(diagnosis: &Diagnosis) -> Vec<String> {
    let problems = problems::problems(diagnosis);
    if problems.len() < 2 {
        return Vec::new();
    }
    let cell = |text: &str| if text.is_empty() { "-".to_owned() } else { text.to_owned() };
    let row = |problem: &Problem<'_>| {
        let finding = problem.finding;
        let folded = if problem.folded.is_empty() { String::new() } else { format!("; {}", problem.folded) };
        format!(
            "| {} {} | {} | {}{folded} | {} | {} |",
            words::badge(finding),
            finding.severity.word(),
            prose(&problem.object),
            prose(finding.headline()),
            cell(&finding.since.as_deref().map(words::clock).unwrap_or_default()),
            prose(&finding.signature.id),
        )
    };
    let mut lines = vec![String::new(), format!("### {}", words::count(problems.len() as u64, "problem", "problems"))];
    lines.push(String::new());
    lines.push("| How sure | Object | What and why | Since (UTC) | Rule |".to_owned());
    lines.push("| --- | --- | --- | --- | --- |".to_owned());
    lines.extend(problems.iter().take(TABLE).map(row));
    if problems.len() > TABLE {
        lines.extend([String::new(), format!("and {} more", problems.len() - TABLE)]);
    }
    lines
}

/// Rows of the table of problems.
const TABLE: usize = 60;

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
        lines.push(format!(
            "- First error or failing condition that a finding cites: {} UTC",
            prose(&words::clock(time))
        ));
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
        let times = |times: u64| if times == 1 { String::new() } else { format!(" {times} times") };
        let ids: Vec<String> =
            not_assessed.iter().map(|(id, asked)| format!("{}{}", prose(id), times(*asked))).collect();
        lines.push(format!(
            "- Not assessed for lack of data: {} ({})",
            words::count(diagnosis.count_not_assessed(), "question", "questions"),
            ids.join(", ")
        ));
    }
    lines.extend(not_whole(diagnosis));
    lines.extend(not_collected(diagnosis));
    let further = diagnosis.further.iter().take(FURTHER);
    lines.extend(further.map(|row| {
        format!("- What to collect for {}: on {} {}", checks(&row.signatures), prose(&row.on), code(row.command.trim()))
    }));
    if !diagnosis.not_applicable.is_empty() {
        let number = diagnosis.not_applicable.len() as u64;
        lines.push(format!("- Not applicable: {}", words::count(number, "signature", "signatures")));
    }
    if !diagnosis.unread.is_empty() {
        lines.push(unread(diagnosis));
    }
    let kinds = diagnosis.redactions_by_kind.iter().map(|(kind, count)| format!("{kind} {}", words::thousands(*count)));
    let kinds = kinds.collect::<Vec<_>>().join(", ");
    let kinds = if kinds.is_empty() { kinds } else { format!(" ({kinds})") };
    lines.push(format!("- Secret values masked: {}{kinds}", words::thousands(diagnosis.redactions)));
    lines
}

/// Commands that would give data to most checks.
const FURTHER: usize = 3;

fn checks(signatures: &[String]) -> String {
    words::count(signatures.len() as u64, "check", "checks")
}

/// What was not read or not understood, with the places of the first.
fn unread(diagnosis: &Diagnosis) -> String {
    let place = |row: &Unread| match row.line {
        Some(line) => format!("{}:{line}", row.member),
        None => row.member.clone(),
    };
    let named: Vec<String> = diagnosis
        .unread
        .iter()
        .take(UNREAD)
        .map(|row| format!("{}, {}", code(&place(row)), prose(&row.reason)))
        .collect();
    let more = diagnosis.count_unread().saturating_sub(named.len() as u64);
    let more = if more == 0 { String::new() } else { format!("; and {} more", words::thousands(more)) };
    format!("- Not read or not understood: {}{more}", named.join("; "))
}

/// Places of what was not understood that are named.
const UNREAD: usize = 3;

/// What was asked for and not answered whole, with the places of the first.
fn not_whole(diagnosis: &Diagnosis) -> Option<String> {
    let rows: Vec<&CoverageRow> = diagnosis.coverage.iter().filter(|row| row.state.is_missing()).collect();
    let one = |row: &&CoverageRow| {
        let spaces = if row.namespaces == "*" { String::new() } else { format!(" of {}", prose(&row.namespaces)) };
        format!("{}{spaces}, {} ({})", prose(&row.kind), row.state.word(), code(&row.member))
    };
    let named: Vec<String> = rows.iter().take(UNREAD).map(one).collect();
    let more = rows.len().saturating_sub(named.len()) as u64;
    let more = if more == 0 { String::new() } else { format!("; and {} more", words::thousands(more)) };
    (!named.is_empty()).then(|| format!("- Refused, failed or not whole: {}{more}", named.join("; ")))
}

/// What was not collected, by the checks that wait for it, the most first.
fn not_collected(diagnosis: &Diagnosis) -> Option<String> {
    let mut waiting: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for row in &diagnosis.not_collected {
        waiting.entry(&row.what).or_default().extend(row.signatures.iter().map(String::as_str));
    }
    let mut rows: Vec<(&str, usize)> = waiting.into_iter().map(|(what, ids)| (what, ids.len())).collect();
    rows.sort_by_key(|(what, ids)| (Reverse(*ids), *what));
    let more = rows.len().saturating_sub(SOURCES);
    let one =
        |(what, ids): &(&str, usize)| format!("{} ({})", prose(what), words::count(*ids as u64, "check", "checks"));
    let named: Vec<String> = rows.iter().take(SOURCES).map(one).collect();
    let more = if more == 0 { String::new() } else { format!(" and {more} more") };
    (!named.is_empty()).then(|| format!("- Not collected: {}{more}", named.join(", ")))
}

/// Sources that were not collected and are named.
const SOURCES: usize = 8;

/// A signature pack: `Signature pack Our own 2026.11: 12 signatures, SHA-256 ...`.
fn pack(pack: &Pack) -> String {
    let version = pack.version.as_ref().map(|version| format!(" {version}")).unwrap_or_default();
    let name = prose(&format!("Signature pack {}{version}", pack.name));
    let signatures = words::count(pack.signatures as u64, "signature", "signatures");
    let signed = pack.signed_by.as_ref().map(|who| prose(&format!(", signed by {who}"))).unwrap_or_default();
    format!("- {name}: {signatures}, SHA-256 {}{signed}", code(&pack.sha256))
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
