//! What the page's template reads: the diagnosis, grouped and bounded for people.
//!
//! Why apart from the model: the model is for programs and complete; a page groups consequences under
//! their cause, folds long lists and says what it folded. Nothing is decided here.

use super::chart::{self, Chart};
use super::model::{
    CitationInfo, CoverageRow, Diagnosis, EvidenceRow, EvidenceState, Finding, InventoryTable, LogRow, NotAssessed,
    Rate, StepInfo,
};
use super::{folding, markdown, missing, relations, words};
use crate::signature::model::{Severity, VerdictWord};
use serde::Serialize;
use std::collections::BTreeMap;

/// Citations shown for one piece of evidence.
pub const CITATIONS: usize = 4;
/// Rows shown of lists that can be long.
const ROWS: usize = 60;
/// Places shown of each reason for which something was not read.
const UNREAD_PLACES: usize = 4;

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
    /// Proof, first step and warnings of the first finding, for the first screen.
    pub lead: Option<Lead>,
    /// Number of findings for each verdict.
    pub counters: Vec<Counter>,
    /// Findings with their consequences.
    pub groups: Vec<Group>,
    /// The same for what stays invisible until a later event.
    pub latent: Vec<Group>,
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
    /// What was not read, by reason.
    pub unread: Vec<UnreadGroup>,
    /// Reasons beyond those shown.
    pub more_unread: usize,
    /// Logs, those of a known class first.
    pub logs: Vec<LogRow>,
    /// Rates before and since the first failure.
    pub rates: Vec<RateView>,
    /// Tables of objects: those with unhealthy rows first.
    pub inventory: Vec<InventoryTable>,
    /// Bundles with their size in words.
    pub sizes: Vec<String>,
    /// What the site did to each signature that it overrides.
    pub overrides: Vec<String>,
    /// Rows shown of each long list.
    pub rows: usize,
}

/// What a reader needs of the first finding before scrolling.
#[derive(Debug, Serialize)]
pub struct Lead {
    /// Anchor of the finding as part of a link.
    pub link: String,
    /// The claims that weigh most, with their first place.
    pub proof: Vec<LeadProof>,
    /// Supported claims beyond those.
    pub more_proof: usize,
    /// The first step, if it may be taken now.
    pub step: Option<StepInfo>,
    /// Steps beyond it.
    pub more_steps: usize,
    /// What not to do.
    pub never: Vec<String>,
    /// Warnings beyond those.
    pub more_never: usize,
    /// Commands that would decide it.
    pub asks: usize,
    /// The verdict's word.
    pub verdict: &'static str,
}

/// One claim of the first screen.
#[derive(Debug, Serialize)]
pub struct LeadProof {
    /// The claim.
    pub claim: String,
    /// Where it stands.
    pub place: String,
    /// The first line that stands there.
    pub excerpt: String,
}

/// What was not read for one reason.
#[derive(Debug, Serialize)]
pub struct UnreadGroup {
    /// Why.
    pub reason: String,
    /// How often.
    pub count: usize,
    /// The first places.
    pub places: Vec<String>,
    /// Places beyond those.
    pub more: usize,
}

/// How often a lane warned, in words.
#[derive(Debug, Serialize)]
pub struct RateView {
    /// Lane.
    pub lane: String,
    /// Context name.
    pub context: String,
    /// Before the first failure.
    pub before: String,
    /// Since then.
    pub since: String,
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

/// A finding with those that are folded under it.
#[derive(Debug, Serialize)]
pub struct Group {
    /// The cause.
    pub card: Card,
    /// What follows from it or belongs to the same fault, directly or not.
    pub folded: Vec<Card>,
    /// `2 findings follow from it, 1 belongs to the same fault`.
    pub folded_words: String,
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
    /// What an object of its kind is called.
    pub kind: String,
    /// Anchor as part of a link.
    pub link: String,
    /// It is to be open from the start.
    pub open: bool,
    /// Why this verdict, in words for people.
    pub why: String,
    /// What to do is worth showing: `now`, `again` (only if it comes back) or `no`.
    pub act: &'static str,
    /// What the signature means in general is shown instead of what it means here.
    pub general: bool,
    /// Evidence as shown.
    pub evidence: Vec<Row>,
    /// Links of references, only where they are http or https.
    pub references: Vec<Link>,
    /// Escalation packet as one text; empty if none.
    pub packet: String,
    /// How it is folded under another finding, if it is.
    pub fold: Option<FoldView>,
    /// How far the signature can be trusted, where that is less than usual; else empty.
    pub unproven: String,
    /// What it can cause or show as, in general, each a sentence without its full stop.
    pub can_lead_to: Vec<String>,
    /// What it is not to be taken for, each a sentence without its full stop.
    pub told_apart: Vec<String>,
}

/// How a finding is folded under another one.
#[derive(Debug, Serialize)]
pub struct FoldView {
    /// `Follows from`
    pub relation: &'static str,
    /// The finding that it is folded under.
    pub parent: Link,
    /// `First cure the cause:`
    pub begin: &'static str,
    /// The finding to turn to first.
    pub first: Link,
    /// What its own steps are for.
    pub then: &'static str,
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
    /// The place to look at first.
    pub first: Option<Place>,
    /// More places, folded.
    pub places: Vec<Place>,
    /// How many places are folded, listed or not.
    pub folded: u64,
    /// Places beyond those listed; empty if none.
    pub more: String,
}

/// A place in the bundle.
#[derive(Debug, Serialize)]
pub struct Place {
    /// `member:line`
    pub place: String,
    /// The text.
    pub excerpt: String,
}

/// A reference.
#[derive(Debug, Serialize)]
pub struct Link {
    /// Title and section.
    pub title: String,
    /// Address, or the fragment of an anchor of this page; empty if it is an address and not http or https.
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
    /// Kinds with something missing.
    pub missing: usize,
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
    let open = |finding: &&Finding| is_open(finding) && finding.signature.severity != Severity::Info;
    // What breaks now comes before what will break some day.
    let now = diagnosis.findings.iter().filter(|finding| !finding.signature.latent).find(open);
    let first = now.or_else(|| diagnosis.findings.iter().find(open));
    let (latent, shown_now) = groups(diagnosis).into_iter().partition(|group| group.card.f.signature.latent);
    let unhealthy = diagnosis.inventory.iter().any(|table| table.unhealthy > 0) || !diagnosis.anomalies.is_empty();
    let (tone, tone_label) = match first.map(|finding| finding.verdict) {
        Some(verdict @ (VerdictWord::Confirmed | VerdictWord::Probable | VerdictWord::Undecided)) => {
            let severity = first.map(|finding| words::severity(finding.signature.severity)).unwrap_or_default();
            (words::verdict_key(verdict), format!("{}, {severity}", words::verdict(verdict)))
        }
        _ if !diagnosis.not_assessed.is_empty() => {
            ("undecided", "no known fault found, but not everything could be assessed".to_owned())
        }
        // Green would promise more than a handful of signatures can.
        _ if unhealthy => ("ruled_out", "no known fault found".to_owned()),
        _ => ("resolved", "no known fault found".to_owned()),
    };
    View {
        title: words::bundles(&diagnosis.bundles),
        tone,
        tone_label,
        incomplete: missing::sentence(diagnosis),
        lead: first.map(|finding| lead(diagnosis, finding)),
        counters: words::VERDICTS
            .iter()
            .map(|verdict| Counter {
                key: words::verdict_key(*verdict),
                label: words::verdict(*verdict),
                count: diagnosis.findings.iter().filter(|finding| finding.verdict == *verdict).count(),
            })
            .collect(),
        groups: shown_now,
        latent,
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
        more_unread: unread(diagnosis).len().saturating_sub(ROWS),
        unread: unread(diagnosis).into_iter().take(ROWS).collect(),
        logs: logs(diagnosis),
        inventory: inventory(diagnosis),
        rates: diagnosis.timeline.rates.iter().map(rate).collect(),
        sizes: diagnosis.bundles.iter().map(words::size).collect(),
        overrides: diagnosis.overrides.iter().map(words::overridden).collect(),
        rows: ROWS,
    }
}

/// Could it still hold now?
fn is_open(finding: &Finding) -> bool {
    matches!(finding.verdict, VerdictWord::Confirmed | VerdictWord::Probable | VerdictWord::Undecided)
}

/// Proof, first step and warnings of a finding.
fn lead(diagnosis: &Diagnosis, finding: &Finding) -> Lead {
    let mut rows: Vec<&EvidenceRow> =
        finding.evidence.iter().filter(|row| row.state == EvidenceState::Supports).collect();
    // Stable: what makes one suspect comes first, else the order of the signature.
    rows.sort_by_key(|row| !row.hallmark);
    let remedy = &finding.remediation;
    // A step on an undecided suspicion would be a guess: the data come first.
    let steps: &[StepInfo] = if finding.verdict == VerdictWord::Undecided { &[] } else { &remedy.steps };
    Lead {
        link: fragment(&finding.anchor),
        proof: rows.iter().take(2).map(|row| lead_proof(row)).collect(),
        more_proof: rows.len().saturating_sub(2),
        step: steps.first().cloned(),
        more_steps: steps.len().saturating_sub(1),
        never: remedy.do_not.iter().take(2).map(|advice| advice.action.clone()).collect(),
        more_never: remedy.do_not.len().saturating_sub(2),
        asks: diagnosis.asks.iter().filter(|ask| ask.decides.contains(&finding.anchor)).count(),
        verdict: words::verdict(finding.verdict),
    }
}

/// A claim with the first line of its first place.
fn lead_proof(row: &EvidenceRow) -> LeadProof {
    let first = row.citations.first();
    let line = first.and_then(|citation| citation.excerpt.lines().find(|line| !line.trim().is_empty()));
    let line = line.unwrap_or_default().trim();
    let cut: String = line.chars().take(160).collect();
    LeadProof {
        claim: row.claim.clone(),
        place: first.map(words::place_short).unwrap_or_default(),
        excerpt: if cut.len() < line.len() { format!("{cut}…") } else { cut },
    }
}

/// What was not read, by reason: what was lost first, then what says nothing.
fn unread(diagnosis: &Diagnosis) -> Vec<UnreadGroup> {
    let mut groups: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for row in &diagnosis.unread {
        let line = row.line.map(|line| format!(":{line}")).unwrap_or_default();
        groups.entry(&row.reason).or_default().push(format!("{}{line}", row.member));
    }
    let mut groups: Vec<UnreadGroup> = groups
        .into_iter()
        .map(|(reason, places)| UnreadGroup {
            reason: reason.to_owned(),
            count: places.len(),
            more: places.len().saturating_sub(UNREAD_PLACES),
            places: places.into_iter().take(UNREAD_PLACES).collect(),
        })
        .collect();
    groups.sort_by_key(|group| (!words::is_loss(&group.reason), std::cmp::Reverse(group.count)));
    groups
}

/// The logs that a page lists: those that signatures know first, then the longest.
fn logs(diagnosis: &Diagnosis) -> Vec<LogRow> {
    let mut rows: Vec<&LogRow> = diagnosis.logs.iter().collect();
    rows.sort_by_key(|row| (row.class.is_none(), std::cmp::Reverse(row.lines)));
    rows.into_iter().take(ROWS).cloned().collect()
}

/// The tables, those with something unhealthy first.
fn inventory(diagnosis: &Diagnosis) -> Vec<InventoryTable> {
    let mut tables = diagnosis.inventory.clone();
    tables.sort_by_key(|table| table.unhealthy == 0);
    tables
}

/// A rate in words.
fn rate(rate: &Rate) -> RateView {
    let words = |count: u64, seconds: i64| match seconds {
        ..=0 => "no data".to_owned(),
        _ => {
            let hourly = count as f64 * 3_600.0 / seconds as f64;
            let hourly = if hourly < 10.0 { format!("{hourly:.1}") } else { words::thousands(hourly.round() as u64) };
            format!("{hourly} an hour ({} in {})", words::thousands(count), words::rough_span(seconds))
        }
    };
    RateView {
        lane: rate.lane.clone(),
        context: rate.context.clone(),
        before: words(rate.before, rate.before_seconds),
        since: words(rate.since, rate.since_seconds),
    }
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
            let open = groups.len() < 3 && is_open(finding);
            groups.push((index, group(card(diagnosis, finding, open))));
        }
    }
    for (index, finding) in findings.iter().enumerate().filter(|(_, finding)| stands(finding)) {
        let root = root_of(index);
        if root != index {
            match groups.iter_mut().find(|(at, _)| *at == root) {
                Some((_, group)) => group.folded.push(card(diagnosis, finding, false)),
                None => groups.push((index, group(card(diagnosis, finding, false)))),
            }
        }
    }
    for (_, group) in &mut groups {
        let follows = |card: &&Card| folding::fold(diagnosis, &card.f).is_some_and(|fold| fold.follows_from_root);
        let follow = group.folded.iter().filter(follows).count();
        let belong = group.folded.len() - follow;
        group.folded_words = folding::count(follow as u64, belong as u64, "finding", "findings");
    }
    groups.into_iter().map(|(_, group)| group).collect()
}

/// Is it shown among the findings?
fn stands(finding: &Finding) -> bool {
    finding.verdict != VerdictWord::RuledOut
}

/// One finding for the page.
fn card(diagnosis: &Diagnosis, finding: &Finding, open: bool) -> Card {
    Card {
        verdict_key: words::verdict_key(finding.verdict),
        verdict: words::verdict(finding.verdict),
        severity: words::severity(finding.signature.severity),
        entity: words::entity(&finding.entity),
        kind: words::kind_of_one(&finding.entity.kind),
        link: fragment(&finding.anchor),
        open,
        why: words::why(finding),
        act: match finding.verdict {
            VerdictWord::RuledOut => "no",
            VerdictWord::Resolved => "again",
            _ => "now",
        },
        general: !is_open(finding) && finding.explanation == finding.signature.summary,
        evidence: sorted(finding).into_iter().map(|row| evidence(row, finding.verdict)).collect(),
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
        fold: folding::fold(diagnosis, finding).map(|fold| FoldView {
            relation: fold.relation(),
            parent: named(fold.parent),
            begin: fold.begin(),
            first: named(fold.first()),
            then: fold.then(),
        }),
        unproven: words::unproven(finding.signature.status),
        can_lead_to: relations::can_lead_to(finding),
        told_apart: relations::told_apart(finding),
        f: finding.clone(),
    }
}

/// Another finding, as a sentence names it, with its anchor.
fn named(finding: &Finding) -> Link {
    let title = finding.signature.title.trim_end_matches('.');
    Link {
        title: format!("{} {title} ({})", finding.signature.id, words::entity(&finding.entity)),
        url: fragment(&finding.anchor),
    }
}

/// A finding under which nothing is folded yet.
fn group(card: Card) -> Group {
    Group { card, folded: Vec::new(), folded_words: String::new() }
}

/// The evidence, what carries the verdict first and what is not known last; else in the order of the signature.
fn sorted(finding: &Finding) -> Vec<&EvidenceRow> {
    let mut rows: Vec<&EvidenceRow> = finding.evidence.iter().collect();
    let against = finding.verdict == VerdictWord::RuledOut;
    rows.sort_by_key(|row| match row.state {
        EvidenceState::Supports => u8::from(against),
        EvidenceState::Contradicts => u8::from(!against),
        EvidenceState::Unknown => 2,
    });
    rows
}

/// One piece of evidence for the page.
fn evidence(row: &EvidenceRow, verdict: VerdictWord) -> Row {
    // What decided is open; what only accompanies is one click away.
    let decisive = match verdict {
        VerdictWord::RuledOut => row.state == EvidenceState::Contradicts,
        _ => row.state == EvidenceState::Supports,
    };
    let mut places: Vec<Place> = row.citations.iter().take(CITATIONS).map(place).collect();
    let beyond = row.citations.len().saturating_sub(CITATIONS) as u64 + row.more;
    // Only what decided stands open; of the rest the place is enough.
    let first = (!places.is_empty()).then(|| places.remove(0));
    let first = first.map(|first| if decisive { first } else { Place { excerpt: String::new(), ..first } });
    let shown: Vec<String> = row.shown.iter().flatten().map(|(path, value)| format!("{path} = {value}")).collect();
    Row {
        state: words::evidence(row.state),
        claim: row.claim.clone(),
        reason: words::reason(row).to_owned(),
        more_shown: shown.len().saturating_sub(8),
        shown: shown.into_iter().take(8).collect(),
        first,
        folded: places.len() as u64 + beyond,
        places,
        more: if beyond > 0 {
            format!("and {}", words::count(beyond, "more place", "more places"))
        } else {
            String::new()
        },
    }
}

/// A citation for the page.
fn place(citation: &CitationInfo) -> Place {
    Place { place: words::place_short(citation), excerpt: citation.excerpt.trim_end().to_owned() }
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
                        missing: rows.iter().any(|row| words::is_missing(&row.state)),
                        objects: rows.iter().map(|row| row.objects).max().unwrap_or_default(),
                        more: states.len().saturating_sub(4),
                        states: states.into_iter().take(4).collect(),
                        member: rows.first().map(|row| row.member.clone()).unwrap_or_default(),
                    }
                })
                .collect();
            kinds.sort_by_key(|kind| !kind.missing);
            let missing = kinds.iter().filter(|kind| kind.missing).count();
            let shown = ROWS.max(missing);
            let more = kinds.len().saturating_sub(shown);
            kinds.truncate(shown);
            CoverageGroup { context: context.to_owned(), kinds, more, missing }
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
