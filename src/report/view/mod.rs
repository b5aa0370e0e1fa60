//! What the page's template reads: the diagnosis, grouped and bounded for people.
//!
//! Why apart from the model: the model is for programs and complete; a page groups consequences under
//! their cause, folds long lists and says what it folded. Nothing is decided here.

pub mod alike;
pub mod asks;
pub mod card;
pub mod collected;
pub mod group;
pub mod lead;

use crate::chart;
use crate::chart::Chart;
use crate::{markdown, missing};
use asks::AskGroup;
use card::Card;
use collected::{CountedView, CoverageGroup, NotAssessedGroup, RateView, UnreadGroup};
use diagnosis::model::{Diagnosis, Finding, InventoryTable, LogRow};
use diagnosis::words;
use group::Group;
use lead::Lead;
use serde::Serialize;
use signature::model::{Severity, VerdictWord};

/// Rows shown of lists that can be long.
const ROWS: usize = 60;

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
    /// How many pairs were not assessed.
    pub count_not_assessed: u64,
    /// How many parts were not read.
    pub count_unread: u64,
    /// Findings that are counted, not listed.
    pub counted: Vec<CountedView>,
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

/// A number of findings.
#[derive(Debug, Serialize)]
pub struct Counter {
    /// `ruled_out`
    pub key: &'static str,
    /// `ruled out`
    pub label: &'static str,
    /// How many.
    pub count: u64,
    /// ` (7 objects)`, if they stand for more objects than there are findings.
    pub about: String,
}

/// Groups a diagnosis for the page.
pub fn view(diagnosis: &Diagnosis) -> View {
    let open = |finding: &&Finding| is_open(finding) && finding.signature.severity != Severity::Info;
    // What breaks now comes before what will break some day.
    let now = diagnosis.findings.iter().filter(|finding| !finding.signature.latent).find(open);
    let first = now.or_else(|| diagnosis.findings.iter().find(open));
    let (latent, shown_now) = group::groups(diagnosis).into_iter().partition(|group| group.card.f.signature.latent);
    let unhealthy = diagnosis.inventory.iter().any(|table| table.unhealthy > 0) || !diagnosis.anomalies.is_empty();
    let (tone, tone_label) = match first.map(|finding| finding.verdict) {
        Some(verdict @ (VerdictWord::Confirmed | VerdictWord::Probable | VerdictWord::Undecided)) => {
            let severity = first.map(|finding| finding.signature.severity.word()).unwrap_or_default();
            (words::verdict_key(verdict), format!("{}, {severity}", words::verdict(verdict)))
        }
        _ if diagnosis.checked == 0 => ("undecided", "nothing can be said".to_owned()),
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
        lead: first.map(|finding| lead::lead(diagnosis, finding)),
        counters: words::VERDICTS
            .iter()
            .map(|verdict| Counter {
                key: words::verdict_key(*verdict),
                label: words::verdict(*verdict),
                count: diagnosis.count(*verdict),
                about: words::about(diagnosis.count(*verdict), diagnosis.count_entities(*verdict)),
            })
            .collect(),
        groups: shown_now,
        latent,
        ruled_out: diagnosis
            .findings
            .iter()
            .filter(|finding| finding.verdict == VerdictWord::RuledOut)
            .map(|finding| card::card(diagnosis, finding, false))
            .collect(),
        asks: asks::asks(diagnosis),
        shell: asks::shell(diagnosis),
        ticket: markdown::render(diagnosis),
        chart: chart::chart(&diagnosis.timeline),
        bucket: words::span(diagnosis.timeline.bucket_seconds),
        coverage: collected::coverage(&diagnosis.coverage),
        not_assessed: collected::not_assessed(diagnosis),
        count_not_assessed: diagnosis.count_not_assessed(),
        count_unread: diagnosis.count_unread(),
        counted: diagnosis.more.findings.iter().map(collected::counted).collect(),
        more_unread: collected::unread(diagnosis).len().saturating_sub(ROWS),
        unread: collected::unread(diagnosis).into_iter().take(ROWS).collect(),
        logs: collected::logs(diagnosis),
        inventory: collected::inventory(diagnosis),
        rates: diagnosis.timeline.rates.iter().map(collected::rate).collect(),
        sizes: diagnosis.bundles.iter().map(words::size).collect(),
        overrides: diagnosis.overrides.iter().map(words::overridden).collect(),
        rows: ROWS,
    }
}

/// Could it still hold now?
fn is_open(finding: &Finding) -> bool {
    matches!(finding.verdict, VerdictWord::Confirmed | VerdictWord::Probable | VerdictWord::Undecided)
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
