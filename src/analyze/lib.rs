//! Analyzer specs of Troubleshoot (`SupportBundle`, `Preflight`, `Analyzer`), run unchanged over any bundle that Casefile
//! reads.
//!
//! Why: vendors have such specs for their products, and they run only on bundles of one layout. Here they are asked of the
//! facts, so that a must-gather answers them too; each result cites what it rests on, and where the bundle does not tell,
//! the result is *unknown* with the reason, and not a pass or an error.
//!
//! May know: facts, catalogue, intake, parse (JSON and YAML), printer, diagnosis (words, citations), diagnose.
//!
//! Invariants: no analyzer of a spec is skipped; that something is not there is said only where the facts prove it; no
//! text of a spec or a bundle is run as code, and a message that cannot be filled in is shown as it was written; what is
//! shown of a bundle was masked.

mod ask;
mod files;
pub mod github;
mod known;
mod logs;
mod message;
pub mod model;
mod of;
mod quantity;
pub mod sarif;
mod spec;
pub mod text;
mod when;
mod world;

pub use files::FilesError;
pub use spec::{Analyzer, Spec, SpecError};

use ask::{Answer, Ask};
use catalogue::analyzers::{self, Row as Kind};
use catalogue::kinds::Catalogue;
use diagnose::{Collected, Input};
use diagnosis::citation::citation_info;
use diagnosis::model::Tool;
use facts::object::ContextId;
use files::{Files, Pattern};
use intake::Limits;
use known::{Open, Why, shown};
use model::{Analysis, Outcome, Row, SCHEMA_VERSION};
use spec::Switch;
use std::collections::BTreeMap;
use world::World;

/// Citations of one result.
const PLACES: usize = 20;

/// Runs specs over what was read.
///
/// # Errors
/// If the files that analyzers name cannot be read a second time.
pub fn analyze(
    specs: &[Spec],
    collected: &Collected,
    inputs: &[Input],
    limits: &Limits,
    catalogue: &Catalogue,
) -> Result<Analysis, FilesError> {
    let wanted: Vec<Pattern> = specs.iter().flat_map(|spec| &spec.analyzers).flat_map(patterns).collect();
    let collectors: Vec<&spec::LogsOf> = specs.iter().flat_map(|spec| &spec.logs).collect();
    let places = || logs::placed(collected, catalogue, &collectors);
    let files = Files::read(collected, inputs, limits, &wanted, &places)?;
    let facts = &collected.facts;
    let mut results = Vec::new();
    for spec in specs {
        for analyzer in &spec.analyzers {
            let row = analyzers::all().find(|row| row.of == analyzer.of && !analyzer.is_of_host);
            let title = title(analyzer, row);
            let patterns = patterns(analyzer);
            // Files are of no cluster, and neither is what nobody answers.
            let of_cluster =
                row.is_some_and(|row| row.files.is_empty() && row.no.is_none()) && analyzer.exclude == Switch::Off;
            let contexts: Vec<ContextId> = facts.context_ids().collect();
            if of_cluster && contexts.is_empty() {
                results.push(result(spec, analyzer, Answer::open(&title, Why::NoCluster.into()), collected, None));
            }
            let asked = if of_cluster { contexts.as_slice() } else { &[ContextId(0)] };
            for context in asked {
                let world = World { facts, catalogue, files: &files, context: *context, nesting: limits.nesting };
                let ask = Ask { analyzer, world: &world, title: &title, patterns: &patterns };
                let cluster = (of_cluster && contexts.len() > 1).then(|| facts.context(*context).name.clone());
                let answers = answers(&ask, row);
                results.extend(answers.into_iter().map(|one| result(spec, analyzer, one, collected, cluster.clone())));
            }
        }
    }
    let mut counts = BTreeMap::new();
    for row in &results {
        *counts.entry(row.outcome.word().to_owned()).or_default() += 1;
    }
    Ok(Analysis {
        schema_version: SCHEMA_VERSION,
        tool: Tool { name: "casefile".to_owned(), version: env!("CARGO_PKG_VERSION").to_owned() },
        bundles: collected.bundles.iter().map(|bundle| shown(&bundle.intake.name)).collect(),
        counts,
        results,
    })
}

fn answers(ask: &Ask<'_>, row: Option<&Kind>) -> Vec<Answer> {
    match &ask.analyzer.exclude {
        Switch::On => {
            return vec![Answer::own(ask.title, Outcome::Excluded, "`exclude` of the spec is true", Vec::new())];
        }
        Switch::Off => {}
        Switch::Other(text) => {
            let expected = format!("`{}` is neither true nor false", shown(text));
            return ask.open(Why::BadSetting { name: "exclude", expected });
        }
    }
    if ask.analyzer.is_of_host {
        let why = "it judges what Troubleshoot measured on the host, which Casefile does not read";
        return ask.open(Why::NotAnswered(why.to_owned()));
    }
    match (row.and_then(|row| row.no.clone()), of::run(&ask.analyzer.of)) {
        (Some(why), _) => ask.open(Why::NotAnswered(why)),
        (None, Some(run)) => run(ask),
        (None, None) => ask.open(Open::of(Why::NoSuchType)),
    }
}

fn result(spec: &Spec, analyzer: &Analyzer, answer: Answer, collected: &Collected, cluster: Option<String>) -> Row {
    let facts = &collected.facts;
    let mut citations: Vec<_> = answer.at.iter().take(PLACES).map(|at| citation_info(facts, at)).collect();
    citations.dedup();
    Row {
        spec: spec.file.to_string(),
        line: analyzer.line,
        analyzer: shown(&analyzer.of),
        title: shown(&answer.title),
        outcome: answer.outcome,
        message: shown(answer.message.trim()),
        uri: answer.uri,
        strict: analyzer.strict,
        cluster,
        object: answer.object,
        annotations: analyzer.annotations.clone(),
        citations,
    }
}

/// What a result is called.
fn title(analyzer: &Analyzer, row: Option<&Kind>) -> String {
    let named = analyzer.text("checkName");
    let title = match row {
        _ if !named.is_empty() => named,
        Some(row) if row.title.contains("{{") => row.title.clone(),
        Some(row) => filled(&row.title, analyzer),
        None => analyzer.of.clone(),
    };
    let title = title.trim_start_matches('/').trim();
    if title.is_empty() { analyzer.of.clone() } else { title.to_owned() }
}

/// The files that an analyzer reads.
fn patterns(analyzer: &Analyzer) -> Vec<Pattern> {
    let row = analyzers::all().find(|row| row.of == analyzer.of && !analyzer.is_of_host);
    let files = row.map(|row| row.files.as_slice()).unwrap_or_default();
    files.iter().map(|file| Pattern::new(&filled(file, analyzer))).collect()
}

/// A text of the catalogue with the settings of an analyzer: `{name}`, or `{name|where it is not set}`.
fn filled(text: &str, analyzer: &Analyzer) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, behind)) = rest.split_once('{') {
        let Some((inside, after)) = behind.split_once('}') else { break };
        let (name, default) = inside.split_once('|').unwrap_or((inside, ""));
        let value = analyzer.text(name);
        out.push_str(before);
        out.push_str(if value.is_empty() { default } else { &value });
        rest = after;
    }
    out.push_str(rest);
    out
}
