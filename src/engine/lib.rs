//! The engine: decides every signature for every entity, in three-valued logic.
//!
//! The way of one signature: does it apply ([`applicability`]), to which entities ([`entity`]), what does
//! each piece of evidence say ([`evidence`], [`object_query`], [`log_query`]), which verdict follows
//! ([`verdict`]), in which words ([`text`], [`finding`]). Then all findings together: what causes what
//! ([`relations`]) and what to collect next ([`asks`]).
//!
//! Invariants: facts are never changed; signatures are decided independently, so their order and the
//! number of threads change nothing.

pub mod absences;
pub mod age;
pub mod answer;
mod applicability;
pub mod asks;
pub mod binding;
pub mod captures;
mod compared;
mod each;
pub mod entity;
pub mod evidence;
pub mod finding;
pub mod gap;
pub mod interval;
pub mod log_query;
pub mod logic;
mod looked;
pub mod moments;
pub mod object_query;
pub mod observed;
mod older;
mod owner;
pub mod predicate;
mod reasons;
pub mod relations;
mod settling;
pub mod text;
pub mod verdict;
mod witness;

use absences::Absences;
use catalogue::kinds::Catalogue;
use diagnosis::model::{Ask, Finding, NotApplicable, NotAssessed, NotCollected};
use entity::Subject;
use evidence::{Evaluator, Held};
use facts::limit::Limit;
use facts::object::ContextId;
use facts::store::Facts;
use log_query::{HitIndex, Unnamed};
use logic::Truth;
use looked::Missing;
use observed::SeenEntity;
use owner::Owners;
use parse::scan::Literals;
use relations::Decided;
use settling::Settling;
use signature::load::Library;
use signature::model::{ContextSelector, Query, Signature, VerdictWord};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use text::Words;
use verdict::{Rules, Ruling, Views};

/// What the engine decided.
#[derive(Debug, Default, PartialEq)]
pub struct Outcome {
    /// Findings in the order of the report, `caused_by` and `folded_by` filled in.
    pub findings: Vec<Finding>,
    /// Entities that could not be decided and that nothing points at.
    pub not_assessed: Vec<NotAssessed>,
    /// Signatures that do not apply.
    pub not_applicable: Vec<NotApplicable>,
    /// How many signatures were checked.
    pub checked: u64,
    /// What was not collected, so that signatures were not checked.
    pub not_collected: Vec<NotCollected>,
    /// What to collect next.
    pub asks: Vec<Ask>,
    /// Limits that were reached.
    pub limits_hit: Vec<Limit>,
}

/// Decides all signatures.
pub fn evaluate(facts: &Facts, library: &Library, catalogue: &Catalogue, literals: &Literals) -> Outcome {
    let run = Run { facts, library, literals, hits: &HitIndex::new(facts), absences: &Absences::new(facts) };
    let signatures = &library.signatures;
    let threads = std::thread::available_parallelism().map_or(1, usize::from).min(signatures.len().max(1));
    // Signatures cost very different times, and those of one product stand together: each worker takes the next.
    let next = &AtomicUsize::new(0);
    let work = move || {
        let mut decided = Vec::new();
        while let index = next.fetch_add(1, Ordering::Relaxed)
            && let Some(signature) = signatures.get(index)
        {
            decided.push((index, decide(run, signature)));
        }
        decided
    };
    let mut parts: BTreeMap<usize, Part<'_>> = BTreeMap::new();
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        for worker in workers {
            match worker.join() {
                Ok(decided) => parts.extend(decided),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
    });
    let mut outcome = Outcome::default();
    let mut all = Vec::new();
    for part in parts.into_values() {
        all.extend(part.decided);
        outcome.not_assessed.extend(part.not_assessed);
        outcome.not_applicable.extend(part.not_applicable);
        outcome.limits_hit.extend(part.limits_hit);
        outcome.checked += u64::from(part.checked);
        if let Some((signature, context, missing)) = part.missing {
            let found = outcome.not_collected.iter_mut().find(|row| row.what == missing.what && row.context == context);
            match found {
                Some(row) => row.signatures.push(signature),
                None => outcome.not_collected.push(NotCollected {
                    what: missing.what,
                    context,
                    reason: reasons::why(&missing.why),
                    cause: missing.why.cause(),
                    signatures: vec![signature],
                }),
            }
        }
    }
    let mut all = relations::fold(facts, all);
    name_apart(&mut all);
    let mut asks = asks::Asks::default();
    let mut owners = Owners::new(facts, catalogue);
    for decided in &mut all {
        decided.finding.owner = owners.of(&decided.subject);
        asks.add(&asks::Asking {
            facts,
            catalogue,
            signature: decided.signature,
            subject: &decided.subject,
            held: &decided.held,
            verdict: decided.finding.verdict,
            anchor: &decided.finding.anchor,
        });
    }
    outcome.asks = asks.sorted();
    outcome.findings = all.into_iter().map(|decided| decided.finding).collect();
    outcome.not_assessed.sort();
    outcome.not_applicable.sort();
    outcome.not_collected.iter_mut().for_each(|row| row.signatures.sort());
    outcome.not_collected.sort();
    outcome.limits_hit.sort();
    outcome
}

/// What one signature says of each of its entities, whether it becomes a finding or not.
pub fn observe(facts: &Facts, library: &Library, signature: &Signature, literals: &Literals) -> Vec<SeenEntity> {
    let (hits, absences) = (HitIndex::new(facts), Absences::new(facts));
    let run = Run { facts, library, literals, hits: &hits, absences: &absences };
    let mut seen = Vec::new();
    let evaluator = Evaluator::new(facts, signature, literals, &hits, &absences);
    let rules = Rules::of(signature);
    for context in applicability::contexts(facts, signature).unwrap_or_default() {
        for (subject, held) in decide_context(run, signature, &evaluator, &rules, context, |_, _| false) {
            let Some(held) = held else { continue };
            let views = rules.views(&held);
            let ruling = rule(facts, signature, &subject, &held, &rules);
            let context = facts.context(subject.context).name.clone();
            let Views { plain: truths, strict, .. } = views;
            let Subject { namespace, name, kind, .. } = subject;
            seen.push(SeenEntity { context, namespace, name, kind, truths, strict, ruling });
        }
    }
    seen
}

/// What one signature gives.
#[derive(Default)]
struct Part<'a> {
    decided: Vec<Decided<'a>>,
    not_assessed: Vec<NotAssessed>,
    not_applicable: Option<NotApplicable>,
    limits_hit: Vec<Limit>,
    /// An entity of it was decided, or it is known that there is none.
    checked: bool,
    /// If not: the signature, the context, and what was not collected there.
    missing: Option<(String, String, Missing)>,
}

/// What all signatures of a run read.
#[derive(Clone, Copy)]
struct Run<'r> {
    facts: &'r Facts,
    library: &'r Library,
    literals: &'r Literals,
    hits: &'r HitIndex,
    absences: &'r Absences<'r>,
}

fn decide<'s>(run: Run<'_>, signature: &'s Signature) -> Part<'s> {
    let Run { facts, library, .. } = run;
    let mut part = Part::default();
    let contexts = match applicability::contexts(facts, signature) {
        Ok(contexts) => contexts,
        Err(why) => {
            let (signature, title) = (signature.id.clone(), signature.title.clone());
            let reason = why.to_string();
            part.not_applicable = Some(NotApplicable { signature, title, reason });
            return part;
        }
    };
    let evaluator = Evaluator::new(facts, signature, run.literals, run.hits, run.absences);
    let rules = Rules::of(signature);
    let settling = Settling::new(&rules);
    let mut missing = None;
    for context in contexts {
        let settles = |index: usize, held: &Held| settling.by(index, held);
        let subjects = decide_context(run, signature, &evaluator, &rules, context, settles);
        if subjects.is_empty() {
            match looked::missing(facts, run.absences, signature, context) {
                None => part.checked = true,
                Some(what) => {
                    let name = || facts.context(context).name.clone();
                    missing.get_or_insert_with(|| (signature.id.clone(), name(), what));
                }
            }
        }
        for (subject, held) in subjects {
            let Some(held) = held else {
                part.checked = true;
                continue;
            };
            let words = Words { facts, signature, subject: &subject, held: &held };
            for (evidence, held) in signature.evidence.iter().zip(&held) {
                if held.answered.rows.cut {
                    part.limits_hit.push(Limit::Captures {
                        bound: captures::MAX_ROWS as u64,
                        signature: signature.id.clone(),
                        entity: subject.name.clone(),
                        evidence: evidence.id.clone(),
                    });
                }
            }
            match rule(facts, signature, &subject, &held, &rules) {
                Ruling::NotFound => part.checked = true,
                Ruling::NotAssessed => part.not_assessed.push(NotAssessed {
                    signature: signature.id.clone(),
                    entity: finding::entity_info(&words),
                    reason: finding::not_assessed_reason(&words, &rules),
                }),
                Ruling::Verdict(verdict, conflicting) => {
                    part.checked = true;
                    let finding = finding::finding(&words, library, verdict, conflicting);
                    part.decided.push(Decided { finding, signature, subject, held });
                }
            }
        }
    }
    // What could not be assessed is told entity by entity.
    part.missing = missing.filter(|_| !part.checked && part.not_assessed.is_empty());
    part
}

/// What the evidence gives for one entity.
fn rule(facts: &Facts, signature: &Signature, subject: &Subject, held: &[Held], rules: &Rules<'_>) -> Ruling {
    let views = rules.views(held);
    let mut ruling = rules.decide(&views, subject.cap.is_some());
    if ruling == Ruling::Verdict(VerdictWord::RuledOut, false)
        && !witness::may_exclude(facts, signature, subject, held, &views)
    {
        let open = Views { strict: vec![Truth::Unknown; views.strict.len()], ..views };
        ruling = match rules.decide(&open, subject.cap.is_some()) {
            Ruling::Verdict(word @ VerdictWord::Probable, _) => Ruling::Verdict(word, true),
            ruling => ruling,
        };
    }
    ruling.given(&subject.presence)
}

/// The evidence for every entity of one context, but for those of which a piece of it `settles` that they are not
/// found. Lines that name nobody are given to the only entity that is not ruled out, once the others are known;
/// `ruled_out` never looks at lines, so this cannot turn in a circle.
fn decide_context(
    run: Run<'_>,
    signature: &Signature,
    evaluator: &Evaluator<'_>,
    rules: &Rules<'_>,
    context: ContextId,
    settles: impl Fn(usize, &Held) -> bool,
) -> Vec<(Subject, Option<Vec<Held>>)> {
    let mut all: Vec<(Subject, Option<Vec<Held>>)> =
        entity::subjects(run.facts, signature, context, run.absences, (run.hits, run.literals))
            .into_iter()
            .map(|subject| {
                let held = evaluator.evaluate(&subject, Unnamed::Anyones, &settles);
                (subject, held)
            })
            .collect();
    let reads_shared_lines = signature.evidence.iter().any(|e| match &e.query {
        Query::Log(query) => !query.own && !matches!(query.context, ContextSelector::WorkloadOf(_)),
        Query::Object(_) => false,
    });
    if !reads_shared_lines {
        return all;
    }
    let is_ruled_out = |held: &Vec<Held>| rules.ruled_out(&held.iter().map(|h| h.strict).collect::<Vec<_>>());
    let mut open = all.iter_mut().filter(|(_, held)| !held.as_ref().is_some_and(is_ruled_out));
    if let (Some((subject, held)), None) = (open.next(), open.next())
        && entity::known_to_be_all(run.absences, signature, context)
    {
        *held = evaluator.evaluate(subject, Unnamed::Ours, &settles);
    }
    all
}

/// Makes anchors unique: by the context where names repeat, then by namespace and kind, then by number.
fn name_apart(all: &mut [Decided<'_>]) {
    let add: [fn(&Decided<'_>) -> Option<String>; 3] = [
        |d| Some(d.finding.entity.context.clone()),
        |d| d.finding.entity.namespace.clone(),
        |d| Some(d.finding.entity.kind.clone()),
    ];
    for more in add {
        let repeated = repeated(all);
        for decided in all.iter_mut().filter(|d| repeated.contains_key(&d.finding.anchor)) {
            if let Some(more) = more(decided) {
                decided.finding.anchor = format!("{}@{more}", decided.finding.anchor);
            }
        }
    }
    let mut numbers = repeated(all);
    for decided in all {
        if let Some(number) = numbers.get_mut(&decided.finding.anchor) {
            decided.finding.anchor = format!("{}@{number}", decided.finding.anchor);
            *number += 1;
        }
    }
}

/// Anchors that occur more than once, each with 1.
fn repeated(all: &[Decided<'_>]) -> BTreeMap<String, usize> {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for decided in all {
        *counts.entry(decided.finding.anchor.clone()).or_default() += 1;
    }
    counts.retain(|_, count| *count > 1);
    counts.into_keys().map(|anchor| (anchor, 1)).collect()
}
