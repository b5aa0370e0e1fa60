//! What the page's template reads: the diagnosis, grouped and bounded for people.
//!
//! Why apart from the model: the model is for programs and complete; a page groups consequences under
//! their cause, folds long lists and says what it folded. Nothing is decided here.

pub mod alike;
pub mod asks;
pub mod card;
pub mod collected;
pub mod evidence;
pub mod group;
pub mod lead;
pub mod pictures;
pub mod texts;
pub mod who;

use crate::chart;
use crate::chart::Chart;
use crate::{collect_script, lacking, loudest, missing, problems};
use asks::AskGroup;
use card::Card;
use collected::{CountedView, CoverageGroup, NotApplicableGroup, NotAssessedGroup, RateView, TableView, UnreadGroup};
use diagnosis::model::{Diagnosis, Finding, LogRow};
use diagnosis::{summary, words};
use group::Group;
use lead::Lead;
use serde::Serialize;
use signature::model::VerdictWord;

/// Rows shown of lists that can be long.
const ROWS: usize = 60;

/// Commands beside the answer to a paste.
const DECIDES: usize = 2;

/// The page.
#[derive(Debug, Serialize)]
pub struct View {
    /// What is wrong, and whose it is.
    pub title: String,
    /// Names of the bundles, or of their clusters.
    pub whose: String,
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
    /// The script has commands.
    pub has_script: bool,
    /// Whose clusters these are and when it was, in words.
    pub who: Vec<String>,
    /// Commands that would decide: beside the answer to a paste, which fits one screen.
    pub decides: Vec<String>,
    /// Does a problem say since when?
    pub dated: bool,
    /// All problems, one line each.
    pub problems: Vec<ProblemView>,
    /// The loudest lines of the logs, where no finding says more.
    pub loudest: Vec<loudest::Loud>,
    /// How many checks had no data, and what would give it to them; empty if none lacks any.
    pub lacking: String,
    /// What else to collect, by cluster and where to run it.
    pub further: Vec<asks::FurtherView>,
    /// A card has an escalation packet.
    pub escalations: bool,
    /// The objects that findings cite.
    pub objects: Vec<pictures::ObjectView>,
    /// Texts to paste.
    pub texts: texts::Texts,
    /// The picture.
    pub chart: Option<Chart>,
    /// Width of a bucket in words.
    pub bucket: String,
    /// Coverage by context and kind.
    pub coverage: Vec<CoverageGroup>,
    /// Pairs that were not assessed, by signature and reason.
    pub not_assessed: Vec<NotAssessedGroup>,
    /// What does not apply, by reason.
    pub not_applicable: Vec<NotApplicableGroup>,
    /// How many checks had no data.
    pub without_data: u64,
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
    pub inventory: Vec<TableView>,
    /// Bundles with their size in words.
    pub sizes: Vec<String>,
    /// What the site did to each signature that it overrides.
    pub overrides: Vec<String>,
    /// Rows shown of each long list.
    pub rows: usize,
    /// Events of the timeline before those that are listed.
    pub more_events: u64,
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
    let first = summary::primary(diagnosis);
    let (latent, shown_now) = group::groups(diagnosis).into_iter().partition(|group| group.card.f.signature.latent);
    let unhealthy = diagnosis.inventory.iter().any(|table| table.unhealthy > 0) || !diagnosis.anomalies.is_empty();
    let (tone, tone_label) = match first.map(|finding| finding.verdict) {
        Some(verdict @ (VerdictWord::Confirmed | VerdictWord::Probable | VerdictWord::Undecided)) => {
            let severity = first.map(|finding| finding.severity.word()).unwrap_or_default();
            (words::verdict_key(verdict), format!("{}, {severity}", words::verdict(verdict)))
        }
        _ if diagnosis.checked == 0 => ("undecided", "nothing can be said".to_owned()),
        _ if lacking::lacking(diagnosis).checks > 0 => ("undecided", "nothing found".to_owned()),
        // Green would promise more than a handful of checks can.
        _ if unhealthy => ("ruled_out", "no known problem found".to_owned()),
        _ => ("resolved", "no known problem found".to_owned()),
    };
    let problems: Vec<ProblemView> = problems::problems(diagnosis).iter().map(problem_view).collect();
    View {
        title: who::title(diagnosis),
        whose: who::whose(diagnosis),
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
            .chain(notes(diagnosis))
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
        shell: collect_script::render(diagnosis).unwrap_or_default(),
        has_script: collect_script::render(diagnosis).is_some(),
        who: who::who(diagnosis),
        decides: match who::shows(diagnosis).is_empty() {
            true => Vec::new(),
            false => diagnosis.asks.iter().take(DECIDES).map(|ask| ask.command.clone()).collect(),
        },
        dated: problems.iter().any(|problem| !problem.since.is_empty()),
        problems,
        loudest: loudest::loudest(diagnosis),
        lacking: lacking::sentence(diagnosis),
        further: asks::further(diagnosis),
        escalations: problems::root_causes(diagnosis).next().is_some(),
        objects: pictures::objects(diagnosis),
        texts: texts::texts(diagnosis),
        chart: chart::chart(&diagnosis.timeline),
        bucket: words::span(diagnosis.timeline.bucket_seconds),
        coverage: collected::coverage(&diagnosis.coverage),
        not_assessed: collected::not_assessed(diagnosis),
        not_applicable: collected::not_applicable(diagnosis),
        without_data: lacking::lacking(diagnosis).checks,
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
        more_events: diagnosis.timeline.more_events + diagnosis.timeline.events.len().saturating_sub(ROWS) as u64,
    }
}

/// The counter of notes, if there are any.
fn notes(diagnosis: &Diagnosis) -> Option<Counter> {
    let count = diagnosis.count_notes();
    let label = if count == 1 { words::NOTE } else { "notes" };
    (count > 0).then(|| Counter { key: words::NOTE, label, count, about: String::new() })
}

/// One line of the table of problems.
#[derive(Debug, Serialize)]
pub struct ProblemView {
    /// Fragment of the link to it.
    pub link: String,
    /// `confirmed`
    pub verdict: &'static str,
    /// `ruled_out`
    pub key: &'static str,
    pub severity: &'static str,
    pub object: String,
    pub headline: String,
    /// `2026-03-04 09:40:04`; empty if it has no time.
    pub since: String,
    /// `2 problems follow from it`; empty if none does.
    pub folded: String,
    /// The id of its signature.
    pub id: String,
}

fn problem_view(problem: &problems::Problem<'_>) -> ProblemView {
    let finding = problem.finding;
    ProblemView {
        link: fragment(&finding.anchor),
        verdict: words::badge(finding),
        key: words::badge_key(finding),
        severity: finding.severity.word(),
        object: problem.object.clone(),
        headline: finding.headline().to_owned(),
        since: finding.since.as_deref().map(words::clock).unwrap_or_default(),
        folded: problem.folded.clone(),
        id: finding.signature.id.clone(),
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
