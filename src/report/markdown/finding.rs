//! One finding as Markdown.

use crate::markdown::escape::{code, fenced, prose};
use crate::told::Told;
use crate::{relations, sorted};
use diagnosis::model::{AdviceInfo, Diagnosis, EvidenceRow, Finding, ReferenceInfo, StepInfo};
use diagnosis::{folding, together, words};
use signature::evidence_state::EvidenceState;
use signature::model::{Status, VerdictWord};

/// Excerpts of one piece of evidence.
const EXCERPTS: usize = 2;
/// Entities that a finding stands for and that are named.
const ALIKE: usize = 10;
/// Values shown of one piece of evidence.
const VALUES: usize = 8;

/// One finding, without a final line feed.
pub(super) fn finding(diagnosis: &Diagnosis, finding: &Finding, told: &mut Told) -> String {
    let mut lines = vec![
        format!("### {} {}", finding.signature.id, prose(finding.headline())),
        String::new(),
        format!(
            "- {} {}{} in cluster {}: **{}**, {} of {} required signs, severity {}{}",
            prose(&words::kind_of_one(&finding.entity.kind)),
            code(&words::entity(&finding.entity)),
            words::and_more(finding),
            code(&finding.entity.context),
            words::badge(finding),
            finding.indicators.held,
            finding.indicators.total,
            finding.severity.word(),
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
    if finding.signature.status != Status::Stable {
        lines.push(format!("- {}", words::unproven(finding.signature.status)));
    }
    if !finding.explanation.is_empty() {
        lines.extend([String::new(), prose(&finding.explanation)]);
    }
    lines.extend(alike(finding));
    lines.extend([
        String::new(),
        format!("Why {}: {}", words::verdict(finding.verdict), prose(&words::why(finding))),
        String::new(),
    ]);
    let shown = sorted::sorted(finding);
    for row in shown.proof.iter().chain(&shown.more) {
        lines.extend(evidence(row, finding.verdict));
    }
    // What else was looked at about a consequence matters once its cause is cured; the page has it.
    for (title, rows) in [("Checked and not the case", &shown.not_so), ("Not known", &shown.not_known)] {
        lines.extend(match fold {
            Some(_) => (!rows.is_empty())
                .then(|| format!("- {title}: {}", words::count(rows.len() as u64, "more sign", "more signs"))),
            None => one_line(title, rows),
        });
    }
    // Steps for a fault that is over would be taken by mistake.
    if finding.verdict != VerdictWord::Resolved {
        lines.extend(remediation(finding, fold, told));
        if let Some(packet) = &finding.escalation {
            let text = crate::markdown::packet(packet);
            lines.extend([String::new(), "Escalation packet:".to_owned(), String::new(), text.trim_end().to_owned()]);
        }
    }
    let apart = relations::told_apart(finding);
    if !apart.is_empty() {
        lines.push(String::new());
        lines.extend(apart.iter().map(|text| format!("- {}", prose(text))));
    }
    if !finding.references.is_empty() {
        let references: Vec<String> = finding.references.iter().map(reference).collect();
        lines.extend([String::new(), format!("References: {}", references.join("; "))]);
    }
    // No two empty lines in a row, and none at the end.
    lines.dedup_by(|next, before| next.is_empty() && before.is_empty());
    while lines.last().is_some_and(String::is_empty) {
        lines.pop();
    }
    lines.join("\n")
}

/// The other entities that the finding stands for, each with the first place that its verdict rests on.
fn alike(finding: &Finding) -> Vec<String> {
    if finding.alike.is_empty() {
        return Vec::new();
    }
    let once = together::says_once(finding);
    let mut lines = vec![String::new(), prose(&words::stands_for(finding)), String::new()];
    for other in finding.alike.iter().take(ALIKE) {
        let headline = if once { String::new() } else { format!(": {}", prose(&other.headline)) };
        let place = other.proofs.iter().flat_map(|proof| &proof.citations).next();
        let place = place.map(|place| format!(" ({})", code(&words::place_short(place)))).unwrap_or_default();
        lines.push(format!("- {}{headline}{place}", code(&words::entity(&other.entity))));
    }
    let more = finding.alike.len().saturating_sub(ALIKE) as u64 + finding.more_alike;
    if more > 0 {
        lines.push(format!("- and {} more", words::thousands(more)));
    }
    lines
}

/// What was looked at and proves nothing: the claims in one line, each with its first place or what is missing; of claims for
/// which the same is missing that is said once, as on the page.
fn one_line(title: &str, rows: &[&EvidenceRow]) -> Option<String> {
    let mut groups: Vec<(String, Vec<String>)> = Vec::new();
    for row in rows {
        let why = match row.state {
            EvidenceState::Unknown => prose(&row.reason),
            _ => row.citations.first().map(|first| code(&words::place_short(first))).unwrap_or_default(),
        };
        match groups.iter_mut().find(|(other, _)| *other == why && !why.is_empty()) {
            Some((_, claims)) => claims.push(prose(&row.claim)),
            None => groups.push((why, vec![prose(&row.claim)])),
        }
    }
    let one = |(why, claims): &(String, Vec<String>)| {
        let claims = match claims.as_slice() {
            [claim] => claim.clone(),
            several => several.iter().map(|claim| format!("“{claim}”")).collect::<Vec<_>>().join(", "),
        };
        if why.is_empty() { claims } else { format!("{claims} ({why})") }
    };
    (!groups.is_empty()).then(|| format!("- {title}: {}", groups.iter().map(one).collect::<Vec<_>>().join("; ")))
}

/// One piece of evidence with the first places where it stands.
fn evidence(row: &EvidenceRow, verdict: VerdictWord) -> Vec<String> {
    let reason = match words::reason(row) {
        "" => String::new(),
        reason => format!(" ({})", prose(reason)),
    };
    let mut lines = vec![format!("- **{}**: {}{reason}", words::evidence(row.state), prose(&row.claim))];
    // As on the page: what decided is quoted, of what only accompanies the place is enough.
    let quoted = row.state == EvidenceState::Supports && (row.needed || verdict == VerdictWord::Undecided);
    let values: Vec<String> =
        row.shown.iter().flatten().map(|(path, value)| code(&format!("{path} = {value}"))).collect();
    if !values.is_empty() {
        let more = values.len().saturating_sub(VALUES);
        let more = if more == 0 { String::new() } else { format!(" and {more} more values") };
        let shown: Vec<String> = values.into_iter().take(VALUES).collect();
        lines.push(format!("  - {}{more}", shown.join(", ")));
    }
    for citation in row.citations.iter().take(EXCERPTS) {
        lines.push(format!("  - {}", code(&words::place(citation))));
        if quoted && !citation.excerpt.trim().is_empty() {
            lines.extend([String::new(), fenced(&citation.excerpt, "    "), String::new()]);
        }
    }
    let more = row.citations.len().saturating_sub(EXCERPTS) as u64 + row.more;
    if more > 0 {
        lines.push(format!("  - and {}", words::count(more, "more place", "more places")));
    }
    lines
}

/// What to do, in the order of the page: what not to do comes before any step.
fn remediation(finding: &Finding, fold: Option<folding::Fold<'_>>, told: &mut Told) -> Vec<String> {
    let remedy = &finding.remediation;
    let mut lines = Vec::new();
    if let Some(fold) = fold.filter(|_| !remedy.steps.is_empty()) {
        lines.extend([String::new(), format!("**{} {}.** {}", fold.begin(), named(fold.first()), fold.then())]);
    }
    lines.extend(advice("Do not", &remedy.do_not));
    if !remedy.steps.is_empty() {
        let when = if finding.verdict == VerdictWord::Undecided { " once it is confirmed" } else { "" };
        lines.extend([String::new(), format!("What to do{when}:"), String::new()]);
        for (index, step) in remedy.steps.iter().enumerate() {
            lines.extend(self::step(index + 1, step, &told.before(finding, step)));
        }
    }
    lines.extend(advice("Does not help", &remedy.does_not_help));
    if !remedy.verify.is_empty() {
        lines.extend([String::new(), "How to verify:".to_owned(), String::new()]);
        lines.extend(remedy.verify.iter().map(|text| format!("- {}", prose(text))));
    }
    lines
}

fn step(number: usize, step: &StepInfo, before: &str) -> Vec<String> {
    let risk = step.risk.map(|risk| format!(" ({})", words::risk(risk))).unwrap_or_default();
    let approval = step.approval.as_ref().map(|who| format!(", needs approval: {}", prose(who))).unwrap_or_default();
    let mut lines = vec![format!("{number}. {}{risk}{approval}", prose(&step.action))];
    if !before.is_empty() {
        lines.extend([String::new(), format!("   Before: {}", prose(before))]);
    }
    if let Some(command) = &step.command {
        lines.extend([String::new(), fenced(command, "   ")]);
    }
    if let Some(because) = &step.because {
        lines.extend([String::new(), format!("   Because: {}", prose(because))]);
    }
    if lines.len() > 1 {
        lines.push(String::new());
    }
    lines
}

/// A list of actions with their reasons.
fn advice(title: &str, advice: &[AdviceInfo]) -> Vec<String> {
    if advice.is_empty() {
        return Vec::new();
    }
    let mut lines = vec![String::new(), format!("{title}:"), String::new()];
    lines.extend(advice.iter().map(|item| format!("- {}: {}", prose(&item.action), prose(&item.because))));
    lines
}

/// Where the knowledge comes from. An address is written as code: no text becomes a link.
fn reference(reference: &ReferenceInfo) -> String {
    let section = reference.section.as_ref().map(|section| format!(", {}", prose(section))).unwrap_or_default();
    let url = reference.url.as_ref().map(|url| format!(" {}", code(url))).unwrap_or_default();
    format!("{}{section}{url}", prose(&reference.title))
}

/// Another finding, as a sentence names it.
fn named(finding: &Finding) -> String {
    let title = prose(finding.headline().trim_end_matches('.'));
    let more = words::and_more(finding);
    format!("{} {title} ({}{more})", finding.signature.id, code(&words::entity(&finding.entity)))
}
