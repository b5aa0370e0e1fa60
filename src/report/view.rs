//! What the page's template reads: the diagnosis, grouped and bounded for people.
//!
//! Why apart from the model: the model is for programs and complete; a page groups consequences under
//! their cause, folds long lists and says what it folded. Nothing is decided here.

use super::chart::{self, Chart};
use super::model::{CitationInfo, CoverageRow, Diagnosis, EvidenceRow, EvidenceState, Finding, NotAssessed};
use super::{markdown, words};
use crate::signature::model::VerdictWord;
use serde::Serialize;
use std::collections::BTreeMap;

/// Citations shown for one piece of evidence.
const CITATIONS: usize = 4;
/// Rows shown of lists that can be long.
const ROWS: usize = 200;

/// The page.
#[derive(Debug, Serialize)]
pub struct View {
    /// Names of the bundles.
    pub title: String,
    /// Verdict of the first finding that stands, for the colour and the label of the answer.
    pub tone: &'static str,
    /// The label of the answer.
    pub tone_label: String,
    /// What is missing, in one sentence; empty if nothing is.
    pub incomplete: String,
    /// Number of findings for each verdict.
    pub counters: Vec<Counter>,
    /// Findings with their consequences.
    pub groups: Vec<Group>,
    /// Findings that are ruled out.
    pub ruled_out: Vec<Card>,
    /// What to collect, by where to run it.
    pub asks: Vec<AskGroup>,
    /// All commands as a shell text.
    pub shell: String,
    /// The ticket text.
    pub ticket: String,
    /// The picture.
    pub chart: Option<Chart>,
    /// Width of a bucket in words.
    pub bucket: String,
    /// Coverage by context and kind.
    pub coverage: Vec<CoverageGroup>,
    /// Pairs that were not assessed, by signature and reason.
    pub not_assessed: Vec<NotAssessedGroup>,
    /// Bundles with their size in words.
    pub sizes: Vec<String>,
    /// Rows shown of each long list.
    pub rows: usize,
}

/// A number of findings.
#[derive(Debug, Serialize)]
pub struct Counter {
    /// `ruled_out`
    pub key: &'static str,
    /// `ruled out`
    pub label: &'static str,
    /// How many.
    pub count: usize,
}

/// A finding with those that follow from it.
#[derive(Debug, Serialize)]
pub struct Group {
    /// The cause.
    pub card: Card,
    /// What follows from it, directly or not.
    pub consequences: Vec<Card>,
}

/// One finding.
#[derive(Debug, Serialize)]
pub struct Card {
    /// The finding.
    pub f: Finding,
    /// `ruled_out`
    pub verdict_key: &'static str,
    /// `ruled out`
    pub verdict: &'static str,
    /// Severity's word.
    pub severity: &'static str,
    /// `namespace/name`
    pub entity: String,
    /// Anchor as part of a link.
    pub link: String,
    /// It is to be open from the start.
    pub open: bool,
    /// Evidence as shown.
    pub evidence: Vec<Row>,
    /// Links of references, only where they are http or https.
    pub references: Vec<Link>,
    /// Escalation packet as one text; empty if none.
    pub packet: String,
    /// The anchor of the cause as part of a link; empty if none.
    pub cause: String,
    /// Title of the cause.
    pub cause_title: String,
    /// Relations in words.
    pub relations: Vec<String>,
}

/// One piece of evidence.
#[derive(Debug, Serialize)]
pub struct Row {
    /// State's word.
    pub state: &'static str,
    /// The claim.
    pub claim: String,
    /// Why.
    pub reason: String,
    /// Values as `path = value`.
    pub shown: Vec<String>,
    /// Values beyond those shown.
    pub more_shown: usize,
    /// The places shown.
    pub places: Vec<Place>,
    /// What is folded: `12 more places, 8 of them in etcd.log`; empty if nothing.
    pub more: String,
}

/// A place in the bundle.
#[derive(Debug, Serialize)]
pub struct Place {
    /// `member:line`
    pub place: String,
    /// The text.
    pub excerpt: String,
    /// It is to be open from the start.
    pub open: bool,
}

/// A reference.
#[derive(Debug, Serialize)]
pub struct Link {
    /// Title and section.
    pub title: String,
    /// Address; empty if it is not http or https.
    pub url: String,
}

/// Commands to run in one place.
#[derive(Debug, Serialize)]
pub struct AskGroup {
    /// Where.
    pub on: String,
    /// The commands.
    pub asks: Vec<AskView>,
}

/// One command.
#[derive(Debug, Serialize)]
pub struct AskView {
    /// The command.
    pub command: String,
    /// What to look out for.
    pub note: String,
    /// Anchors that it decides: text and link.
    pub decides: Vec<(String, String)>,
}

/// Coverage of one kind in one context.
#[derive(Debug, Serialize)]
pub struct CoverageGroup {
    /// Context name.
    pub context: String,
    /// Its kinds, those with something missing first.
    pub kinds: Vec<CoverageKind>,
    /// Kinds beyond those shown.
    pub more: usize,
}

/// One kind.
#[derive(Debug, Serialize)]
pub struct CoverageKind {
    /// The kind.
    pub kind: String,
    /// Something is missing.
    pub missing: bool,
    /// Objects seen.
    pub objects: u64,
    /// Its states in words with their scope.
    pub states: Vec<String>,
    /// Answers beyond those shown.
    pub more: usize,
    /// First member.
    pub member: String,
}

/// Entities that one signature could not assess for one reason.
#[derive(Debug, Serialize)]
pub struct NotAssessedGroup {
    /// Signature id.
    pub signature: String,
    /// Why.
    pub reason: String,
    /// The entities, bounded.
    pub entities: String,
    /// How many.
    pub count: usize,
}

/// Groups a diagnosis for the page.
pub fn view(diagnosis: &Diagnosis) -> View {
    let stands = |finding: &&Finding| finding.verdict != VerdictWord::RuledOut;
    let first = diagnosis.findings.iter().find(stands);
    let (tone, tone_label) = match first.map(|finding| finding.verdict) {
        Some(verdict @ (VerdictWord::Confirmed | VerdictWord::Probable | VerdictWord::Undecided)) => {
            let severity = first.map(|finding| words::severity(finding.signature.severity)).unwrap_or_default();
            (words::verdict_key(verdict), format!("{}, {severity}", words::verdict(verdict)))
        }
        _ if !diagnosis.not_assessed.is_empty() => {
            ("undecided", "no fault found, not everything could be assessed".to_owned())
        }
        _ => ("resolved", "no fault found".to_owned()),
    };
    View {
        title: words::bundles(&diagnosis.bundles),
        tone,
        tone_label,
        incomplete: incomplete(diagnosis),
        counters: words::VERDICTS
            .iter()
            .map(|verdict| Counter {
                key: words::verdict_key(*verdict),
                label: words::verdict(*verdict),
                count: diagnosis.findings.iter().filter(|finding| finding.verdict == *verdict).count(),
            })
            .collect(),
        groups: groups(diagnosis),
        ruled_out: diagnosis
            .findings
            .iter()
            .filter(|finding| finding.verdict == VerdictWord::RuledOut)
            .map(|finding| card(diagnosis, finding, false))
            .collect(),
        asks: asks(diagnosis),
        shell: shell(diagnosis),
        ticket: markdown::render(diagnosis),
        chart: chart::chart(&diagnosis.timeline),
        bucket: words::span(diagnosis.timeline.bucket_seconds),
        coverage: coverage(&diagnosis.coverage),
        not_assessed: not_assessed(&diagnosis.not_assessed),
        sizes: diagnosis
            .bundles
            .iter()
            .map(|bundle| {
                format!("{}, {}", words::count(bundle.members, "member", "members"), words::bytes(bundle.bytes))
            })
            .collect(),
        rows: ROWS,
    }
}

/// What is missing, in one sentence.
fn incomplete(diagnosis: &Diagnosis) -> String {
    let asks = diagnosis.asks.len() as u64;
    let blocked = diagnosis
        .findings
        .iter()
        .filter(|finding| matches!(finding.verdict, VerdictWord::Undecided | VerdictWord::Probable))
        .count() as u64;
    let refused = diagnosis.coverage.iter().filter(|row| is_missing(&row.state)).count() as u64;
    let mut parts = Vec::new();
    if asks > 0 {
        parts.push(format!("{} would decide what is open", words::count(asks, "more command", "more commands")));
    }
    if blocked > 0 {
        parts.push(format!(
            "{} for lack of data",
            words::count(blocked, "verdict is held back", "verdicts are held back")
        ));
    }
    if refused > 0 {
        parts.push(format!(
            "{} refused, failed or cut short",
            words::count(refused, "collected answer was", "collected answers were")
        ));
    }
    if !diagnosis.unread.is_empty() {
        parts.push(format!("{} not read", words::count(diagnosis.unread.len() as u64, "part was", "parts were")));
    }
    if !diagnosis.limits_hit.is_empty() {
        parts.push(format!("{} reached", words::count(diagnosis.limits_hit.len() as u64, "limit was", "limits were")));
    }
    parts.join("; ")
}

/// Does a coverage state mean that something is missing?
fn is_missing(state: &str) -> bool {
    matches!(state, "partial" | "forbidden" | "error" | "redacted" | "truncated")
}

/// Findings that stand, consequences folded under their first cause.
fn groups(diagnosis: &Diagnosis) -> Vec<Group> {
    let findings = &diagnosis.findings;
    let root_of = |mut index: usize| {
        // Bounded, in case a diagnosis read from a file goes in circles.
        for _ in 0..findings.len() {
            match findings[index].caused_by {
                Some(cause) if cause < findings.len() && cause != index && stands(&findings[cause]) => index = cause,
                _ => break,
            }
        }
        index
    };
    let mut groups: Vec<(usize, Group)> = Vec::new();
    for (index, finding) in findings.iter().enumerate().filter(|(_, finding)| stands(finding)) {
        if root_of(index) == index {
            let open = groups.len() < 3;
            groups.push((index, Group { card: card(diagnosis, finding, open), consequences: Vec::new() }));
        }
    }
    for (index, finding) in findings.iter().enumerate().filter(|(_, finding)| stands(finding)) {
        let root = root_of(index);
        if root != index {
            match groups.iter_mut().find(|(at, _)| *at == root) {
                Some((_, group)) => group.consequences.push(card(diagnosis, finding, false)),
                None => groups.push((index, Group { card: card(diagnosis, finding, false), consequences: Vec::new() })),
            }
        }
    }
    groups.into_iter().map(|(_, group)| group).collect()
}

/// Is it shown among the findings?
fn stands(finding: &Finding) -> bool {
    finding.verdict != VerdictWord::RuledOut
}

/// One finding for the page.
fn card(diagnosis: &Diagnosis, finding: &Finding, open: bool) -> Card {
    let cause = finding.caused_by.and_then(|cause| diagnosis.findings.get(cause));
    Card {
        verdict_key: words::verdict_key(finding.verdict),
        verdict: words::verdict(finding.verdict),
        severity: words::severity(finding.signature.severity),
        entity: words::entity(&finding.entity),
        link: fragment(&finding.anchor),
        open,
        evidence: finding.evidence.iter().map(|row| evidence(row, finding.verdict)).collect(),
        references: finding
            .references
            .iter()
            .map(|reference| Link {
                title: match &reference.section {
                    Some(section) => format!("{}, {section}", reference.title),
                    None => reference.title.clone(),
                },
                url: reference.url.clone().filter(|url| is_web(url)).unwrap_or_default(),
            })
            .collect(),
        packet: finding.escalation.as_ref().map(markdown::packet).unwrap_or_default(),
        cause: cause.map(|cause| fragment(&cause.anchor)).unwrap_or_default(),
        cause_title: cause.map(|cause| format!("{} {}", cause.signature.id, cause.signature.title)).unwrap_or_default(),
        relations: finding
            .relations
            .iter()
            .map(|relation| {
                let kind = match relation.kind {
                    crate::signature::model::RelationKind::Causes => "causes",
                    crate::signature::model::RelationKind::Implies => "implies",
                    crate::signature::model::RelationKind::DistinctFrom => "is not the same as",
                };
                let by = relation.by.as_ref().map(|by| format!(": {by}")).unwrap_or_default();
                format!("{kind} {} ({}){by}", relation.to, relation.title)
            })
            .collect(),
        f: finding.clone(),
    }
}

/// One piece of evidence for the page.
fn evidence(row: &EvidenceRow, verdict: VerdictWord) -> Row {
    // What decided is open; what only accompanies is one click away.
    let decisive = match verdict {
        VerdictWord::RuledOut => row.state == EvidenceState::Contradicts,
        _ => row.state == EvidenceState::Supports,
    };
    let rest = row.citations.get(CITATIONS..).unwrap_or_default();
    let hidden = rest.len() as u64 + row.more;
    let more = match rest.first() {
        Some(first) => {
            format!("{}, next in {}", words::count(hidden, "more place", "more places"), words::place(first))
        }
        None if hidden > 0 => words::count(hidden, "more place", "more places"),
        None => String::new(),
    };
    let shown: Vec<String> = row.shown.iter().flatten().map(|(path, value)| format!("{path} = {value}")).collect();
    Row {
        state: words::evidence(row.state),
        claim: row.claim.clone(),
        reason: row.reason.clone(),
        more_shown: shown.len().saturating_sub(8),
        shown: shown.into_iter().take(8).collect(),
        places: row
            .citations
            .iter()
            .take(CITATIONS)
            .enumerate()
            .map(|(index, citation)| place(citation, decisive && index == 0))
            .collect(),
        more,
    }
}

/// A citation for the page.
fn place(citation: &CitationInfo, open: bool) -> Place {
    Place { place: words::place(citation), excerpt: citation.excerpt.trim_end().to_owned(), open }
}

/// Commands by where to run them, in the order of their first one.
fn asks(diagnosis: &Diagnosis) -> Vec<AskGroup> {
    let mut groups: Vec<AskGroup> = Vec::new();
    for ask in &diagnosis.asks {
        let view = AskView {
            command: ask.command.clone(),
            note: ask.note.clone().unwrap_or_default(),
            decides: ask.decides.iter().map(|anchor| (anchor.clone(), fragment(anchor))).collect(),
        };
        match groups.iter_mut().find(|group| group.on == ask.on) {
            Some(group) => group.asks.push(view),
            None => groups.push(AskGroup { on: ask.on.clone(), asks: vec![view] }),
        }
    }
    groups
}

/// All commands as a text for a shell, with comments that say where each belongs.
fn shell(diagnosis: &Diagnosis) -> String {
    let mut text = String::new();
    for group in asks(diagnosis) {
        text.push_str(&format!("# on {}\n", super::visible::one_line(&group.on)));
        for ask in group.asks {
            if !ask.note.is_empty() {
                text.push_str(&format!("# {}\n", super::visible::one_line(&ask.note)));
            }
            text.push_str(&super::visible::visible(ask.command.trim_end()));
            text.push('\n');
        }
        text.push('\n');
    }
    text
}

/// Coverage by context and kind, what is missing first.
fn coverage(rows: &[CoverageRow]) -> Vec<CoverageGroup> {
    let mut contexts: BTreeMap<&str, BTreeMap<&str, Vec<&CoverageRow>>> = BTreeMap::new();
    for row in rows {
        contexts.entry(&row.context).or_default().entry(&row.kind).or_default().push(row);
    }
    contexts
        .into_iter()
        .map(|(context, kinds)| {
            let mut kinds: Vec<CoverageKind> = kinds
                .into_iter()
                .map(|(kind, rows)| {
                    let states: std::collections::BTreeSet<String> = rows.iter().map(|row| state_words(row)).collect();
                    CoverageKind {
                        kind: kind.to_owned(),
                        missing: rows.iter().any(|row| is_missing(&row.state)),
                        objects: rows.iter().map(|row| row.objects).max().unwrap_or_default(),
                        more: states.len().saturating_sub(4),
                        states: states.into_iter().take(4).collect(),
                        member: rows.first().map(|row| row.member.clone()).unwrap_or_default(),
                    }
                })
                .collect();
            kinds.sort_by_key(|kind| !kind.missing);
            let more = kinds.len().saturating_sub(ROWS);
            kinds.truncate(ROWS);
            CoverageGroup { context: context.to_owned(), kinds, more }
        })
        .collect()
}

/// A coverage record in words: `complete (stated), all namespaces`.
fn state_words(row: &CoverageRow) -> String {
    let scope = if row.namespaces == "*" { "all namespaces".to_owned() } else { row.namespaces.clone() };
    let detail = row.detail.as_ref().map(|detail| format!(": {detail}")).unwrap_or_default();
    format!("{} ({}), {scope}{detail}", row.state, row.basis)
}

/// What was not assessed, by signature and reason.
fn not_assessed(rows: &[NotAssessed]) -> Vec<NotAssessedGroup> {
    let mut groups: BTreeMap<(&str, &str), Vec<String>> = BTreeMap::new();
    for row in rows {
        let entity = format!("{} ({})", words::entity(&row.entity), row.entity.context);
        groups.entry((&row.signature, &row.reason)).or_default().push(entity);
    }
    groups
        .into_iter()
        .map(|((signature, reason), entities)| {
            let more = entities.len().saturating_sub(6);
            let mut text = entities.iter().take(6).cloned().collect::<Vec<_>>().join(", ");
            if more > 0 {
                text.push_str(&format!(" and {more} more"));
            }
            NotAssessedGroup {
                signature: signature.to_owned(),
                reason: reason.to_owned(),
                entities: text,
                count: entities.len(),
            }
        })
        .collect()
}

/// An anchor as the fragment of a link.
fn fragment(anchor: &str) -> String {
    let mut out = String::with_capacity(anchor.len());
    for byte in anchor.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => out.push(char::from(byte)),
            _ => out.push_str(&format!("%{byte:02X}")),
        }
    }
    out
}

/// Only such addresses become links.
pub fn is_web(url: &str) -> bool {
    (url.starts_with("https://") || url.starts_with("http://"))
        && !url.contains(|c: char| c.is_whitespace() || c.is_control())
}
