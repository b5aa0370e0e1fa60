//! The diagnosis as Markdown, for a ticket.
//!
//! Invariant: no text of a bundle acts as Markdown or HTML. Prose is escaped character by character;
//! excerpts and commands stand in code, fenced longer than any run of backticks inside.

use super::model::{Ask, Diagnosis, Finding, Packet};
use super::visible::{one_line, visible};
use super::{folding, words};
use crate::signature::model::VerdictWord;

/// Excerpts of one piece of evidence.
const EXCERPTS: usize = 2;

/// The diagnosis as Markdown.
pub fn render(diagnosis: &Diagnosis) -> String {
    let mut out = String::new();
    let mut line = |text: &str| {
        out.push_str(text);
        out.push('\n');
    };
    line(&format!("**{}**", prose(&diagnosis.answer)));
    line("");
    for bundle in &diagnosis.bundles {
        let as_of = bundle
            .as_of
            .as_ref()
            .map(|as_of| format!(", as of {}", prose(&format!("{} UTC", words::clock(&as_of.time)))))
            .unwrap_or_default();
        line(&format!("- Bundle {}{as_of}, SHA-256 {}", code(&bundle.name), code(&bundle.sha256)));
        for damage in &bundle.damage {
            line(&format!("- Damage: {}", prose(damage)));
        }
    }
    for context in &diagnosis.contexts {
        let versions: Vec<String> =
            context.versions.iter().map(|(name, version)| format!("{} {}", prose(name), prose(version))).collect();
        let versions = if versions.is_empty() { String::new() } else { format!(", {}", versions.join(", ")) };
        line(&format!("- Cluster {} ({}){versions}", code(&context.name), prose(&context.role)));
    }
    line(&format!("- {} {}", diagnosis.tool.name, diagnosis.tool.version));
    for finding in diagnosis.findings.iter().filter(|finding| finding.verdict != VerdictWord::RuledOut) {
        line("");
        line(&self::finding(diagnosis, finding));
    }
    let ruled_out: Vec<&Finding> =
        diagnosis.findings.iter().filter(|finding| finding.verdict == VerdictWord::RuledOut).collect();
    if !ruled_out.is_empty() {
        line("");
        line("### Ruled out");
        line("");
        for finding in ruled_out {
            line(&format!(
                "- {} {} for {}: {}",
                finding.signature.id,
                prose(&finding.signature.title),
                code(&words::entity(&finding.entity)),
                prose(&finding.reason)
            ));
        }
    }
    if !diagnosis.asks.is_empty() {
        line("");
        line("### Please collect");
        line("");
        line(&asks(&diagnosis.asks));
    }
    let missing = diagnosis.not_assessed.len();
    if missing > 0 || !diagnosis.unread.is_empty() || diagnosis.redactions > 0 {
        line("");
        line(&format!(
            "Not assessed for lack of data: {missing}. Parts not read or not understood: {}. Secret values masked: {}.",
            diagnosis.unread.len(),
            diagnosis.redactions
        ));
    }
    out
}

/// One finding, without a final line feed.
fn finding(diagnosis: &Diagnosis, finding: &Finding) -> String {
    let mut lines = vec![
        format!("### {} {}", finding.signature.id, prose(&finding.signature.title)),
        String::new(),
        format!(
            "- {} in {}: **{}**, {} of {} indicators, severity {}{}",
            code(&words::entity(&finding.entity)),
            code(&finding.entity.context),
            words::verdict(finding.verdict),
            finding.indicators.held,
            finding.indicators.total,
            words::severity(finding.signature.severity),
            if finding.conflicting { ", **and evidence that excludes it was found too**" } else { "" },
        ),
    ];
    if finding.signature.latent {
        lines.push("- Nothing shows this fault now; a failover, the hand-over or the loss of a Node will".to_owned());
    }
    let fold = folding::fold(diagnosis, finding);
    if let Some(fold) = fold {
        lines.push(format!("- {} {}", fold.relation(), named(fold.parent)));
    }
    if !finding.explanation.is_empty() {
        lines.push(String::new());
        lines.push(prose(&finding.explanation));
    }
    lines.extend([
        String::new(),
        format!("Why {}: {}", words::verdict(finding.verdict), prose(&words::why(finding))),
        String::new(),
    ]);
    for row in &finding.evidence {
        lines.push(format!("- **{}**: {} ({})", words::evidence(row.state), prose(&row.claim), prose(&row.reason)));
        for citation in row.citations.iter().take(EXCERPTS) {
            lines.push(format!("  - {}", code(&words::place(citation))));
            if !citation.excerpt.trim().is_empty() {
                lines.push(String::new());
                lines.push(fenced(&citation.excerpt, "    "));
                lines.push(String::new());
            }
        }
    }
    let remedy = &finding.remediation;
    if finding.verdict == VerdictWord::Resolved {
        // Steps for a fault that is over would be taken by mistake.
        while lines.last().is_some_and(String::is_empty) {
            lines.pop();
        }
        return lines.join("\n");
    }
    if !remedy.steps.is_empty() {
        let when = if finding.verdict == VerdictWord::Undecided { " once it is confirmed" } else { "" };
        lines.extend([String::new(), format!("What to do{when}:"), String::new()]);
        if let Some(fold) = fold {
            lines.extend([format!("**{} {}.** {}", fold.begin(), named(fold.root), fold.then()), String::new()]);
        }
        for (index, step) in remedy.steps.iter().enumerate() {
            let risk = step.risk.map(|risk| format!(" ({})", words::risk(risk))).unwrap_or_default();
            let approval =
                step.approval.as_ref().map(|who| format!(", needs approval of {}", prose(who))).unwrap_or_default();
            lines.push(format!("{}. {}{risk}{approval}", index + 1, prose(&step.action)));
            if let Some(command) = &step.command {
                lines.extend([String::new(), fenced(command, "   "), String::new()]);
            }
        }
    }
    for (title, advice) in [("Do not", &remedy.do_not), ("Does not help", &remedy.does_not_help)] {
        if !advice.is_empty() {
            lines.extend([String::new(), format!("{title}:"), String::new()]);
            lines.extend(advice.iter().map(|item| format!("- {}: {}", prose(&item.action), prose(&item.because))));
        }
    }
    while lines.last().is_some_and(String::is_empty) {
        lines.pop();
    }
    lines.join("\n")
}

/// Another finding, as a sentence names it.
fn named(finding: &Finding) -> String {
    let title = prose(finding.signature.title.trim_end_matches('.'));
    format!("{} {title} ({})", finding.signature.id, code(&words::entity(&finding.entity)))
}

/// What to collect, as one block for each place.
fn asks(asks: &[Ask]) -> String {
    let mut blocks: Vec<(&str, Vec<String>)> = Vec::new();
    for ask in asks {
        let command = visible(ask.command.trim_end()).into_owned();
        match blocks.iter_mut().find(|(on, _)| *on == ask.on) {
            Some((_, commands)) => commands.push(command),
            None => blocks.push((&ask.on, vec![command])),
        }
    }
    let blocks: Vec<String> = blocks
        .iter()
        .map(|(on, commands)| format!("On {}:\n\n{}", prose(on), fenced(&commands.join("\n"), "")))
        .collect();
    blocks.join("\n\n")
}

/// An escalation packet as Markdown.
pub fn packet(packet: &Packet) -> String {
    let mut out = format!("To: {}\n", prose(&packet.to));
    for (title, text) in &packet.items {
        out.push_str(&format!("\n**{}**\n\n{}\n", prose(title), fenced(text, "")));
    }
    out
}

/// Text as prose on one line: every character that Markdown or HTML could obey is escaped.
pub fn prose(text: &str) -> String {
    let line = one_line(text);
    let mut out = String::with_capacity(line.len() + 8);
    for c in line.chars() {
        match c {
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '&' => out.push_str("&amp;"),
            // `@` and `#` would notify people and link issues, a colon would make bare addresses links.
            '@' => out.push_str("&#64;"),
            '\\' | '`' | '*' | '_' | '{' | '}' | '[' | ']' | '#' | '|' | '!' | '~' | '$' => {
                out.push('\\');
                out.push(c);
            }
            c => out.push(c),
        }
    }
    // Bare addresses of a bundle must not become links.
    out = out.replace("://", ":&#47;&#47;").replace("www.", "www&#46;");
    // A line must not begin as a list, a quote or a rule.
    match out.chars().next() {
        Some('-' | '+' | '=') => out.insert(0, '\\'),
        Some('0'..='9') => {
            let digits = out.bytes().take_while(u8::is_ascii_digit).count();
            if matches!(out.as_bytes().get(digits), Some(b'.' | b')')) {
                out.insert(digits, '\\');
            }
        }
        _ => {}
    }
    out
}

/// Text as code inside a line, fenced longer than any run of backticks in it.
fn code(text: &str) -> String {
    let text = one_line(text);
    if text.is_empty() {
        return "` `".to_owned();
    }
    let fence = "`".repeat(longest_run(&text) + 1);
    let pad = if text.starts_with('`') || text.ends_with('`') { " " } else { "" };
    format!("{fence}{pad}{text}{pad}{fence}")
}

/// Text as a block of code, every line indented.
fn fenced(text: &str, indent: &str) -> String {
    let text = visible(text.trim_end());
    let fence = "`".repeat(longest_run(&text).max(2) + 1);
    let mut out = format!("{indent}{fence}text\n");
    for line in text.lines() {
        out.push_str(&format!("{indent}{line}\n"));
    }
    out.push_str(&format!("{indent}{fence}"));
    out
}

/// The longest run of backticks.
fn longest_run(text: &str) -> usize {
    text.split(|c| c != '`').map(str::len).max().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::{code, fenced, prose};

    #[test]
    fn foreign_text_is_never_markdown() {
        assert_eq!(prose("a <b> & [x](javascript:1) *y* `z`"), r"a &lt;b&gt; &amp; \[x\](javascript:1) \*y\* \`z\`");
        assert_eq!(prose("# head\n- item\n1. one"), r"\# head - item 1. one");
        assert_eq!(prose("1. one"), r"1\. one");
        assert_eq!(prose("- x"), r"\- x");
        assert_eq!(prose("@team see https://evil.example"), "&#64;team see https:&#47;&#47;evil.example");
        assert_eq!(code("a`b``c"), "```a`b``c```");
        assert_eq!(code("`"), "`` ` ``");
        assert_eq!(fenced("x\n```\ny", "  "), "  ````text\n  x\n  ```\n  y\n  ````");
    }
}
