//! The engine: decides every signature for every entity, in three-valued logic.
//!
//! The way of one signature: does it apply ([`applicability`]), to which entities ([`entity`]), what does
//! each piece of evidence say ([`evidence`], [`object_query`], [`log_query`]), which verdict follows
//! ([`verdict`]), in which words ([`text`], [`finding`]), which are spared where too many say the same ([`brief`]). Then all findings together: what causes what
//! ([`relations`]) and what to collect next ([`asks`]).
//!
//! Invariants: facts are never changed; signatures are decided independently, so their order and the
//! number of threads change nothing.

pub mod absences;
pub mod age;
mod alike;
pub mod answer;
mod applicability;
pub mod asks;
pub mod binding;
mod blanks;
mod brief;
pub mod captures;
mod closer_look;
mod compared;
mod connections;
mod each;
pub mod entity;
pub mod evidence;
pub mod finding;
pub mod gap;
mod indexed;
pub mod indicators;
pub mod interval;
pub mod log_query;
pub mod logic;
mod looked;
pub mod moments;
pub mod object_query;
pub mod observed;
mod older;
mod owner;
mod plural;
pub mod predicate;
mod reasons;
pub mod relations;
mod selects;
mod settling;
mod sifted;
pub mod text;
mod ties;
pub mod verdict;
mod witness;
mod writers;

use absences::Absences;
use asks::Command;
use brief::Brief;
use catalogue::kinds::Catalogue;
use closer_look::CloserLook;
use diagnosis::bounds;
use diagnosis::model::{Ask, Finding, NotApplicable, NotAssessed, NotCollected};
use entity::{Narrowed, Subject};
use evidence::{Evaluator, Held};
use facts::kind::KindName;
use facts::limit::Limit;
use facts::object::ContextId;
use facts::store::Facts;
use indexed::Indexed;
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
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use text::Words;
use verdict::{Rules, Ruling, Views};

/// What the engine decided.
#[derive(Debug, Default, PartialEq)]
pub struct Outcome {
    /// Findings in the order of the report, `caused_by` and `folded_by` filled in. Those that no report lists, because
    /// there are too many of their signature, are brief: they have no texts but their headline, and of their evidence
    /// where it stands.
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
    evaluate_some(facts, library, catalogue, literals, &|_| true)
}

/// Decides those signatures that are wanted: each of them as if all were decided, but for what is folded under others.
pub fn evaluate_some(
    facts: &Facts,
    library: &Library,
    catalogue: &Catalogue,
    literals: &Literals,
    is_wanted: &(dyn Fn(&Signature) -> bool + Sync),
) -> Outcome {
    let hits = &HitIndex::new(facts);
    let (absences, indexed) = (&Absences::new(facts), &Indexed::new(facts, library));
    let run = Run { facts, library, catalogue, literals, hits, absences, indexed };
    let signatures = &library.signatures;
    let threads = std::thread::available_parallelism().map_or(1, usize::from).min(signatures.len().max(1));
    // Signatures cost very different times, and those of one product stand together: each worker takes the next.
    let next = &AtomicUsize::new(0);
    let work = move || {
        let mut decided = Vec::new();
        while let index = next.fetch_add(1, Ordering::Relaxed)
            && let Some(signature) = signatures.get(index)
        {
            if is_wanted(signature) {
                decided.push((index, decide(run, signature)));
            }
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
            let at = facts.context_ids().find(|id| facts.context(*id).name == context);
            let found = outcome.not_collected.iter_mut().find(|row| row.what == missing.what && row.context == context);
            match found {
                Some(row) => row.signatures.push(signature),
                None => outcome.not_collected.push(NotCollected {
                    what: missing.what,
                    context,
                    reason: at
                        .and_then(|at| reasons::missing(facts, at, &missing.why))
                        .unwrap_or_else(|| reasons::why(&missing.why)),
                    cause: missing.why.cause(),
                    signatures: vec![signature],
                }),
            }
        }
    }
    let mut owners = Owners::new(facts, catalogue);
    let closer_look = CloserLook::of(facts);
    for decided in &mut all {
        decided.finding.owner = owners.of(&decided.subject);
        decided.looked_at = closer_look.holds(decided);
    }
    let mut all = relations::fold(facts, catalogue, all);
    outcome.not_assessed.extend(relations::take_answered(&mut all));
    name_apart(&mut all);
    tell(run, all, &mut outcome);
    outcome.not_assessed.sort();
    outcome.not_applicable.sort();
    outcome.not_collected.iter_mut().for_each(|row| row.signatures.sort());
    outcome.not_collected.sort();
    outcome.limits_hit.sort();
    outcome
}

/// Puts the findings into the outcome, in their order, with what to collect for them.
fn tell(run: Run<'_>, all: Vec<Decided<'_>>, outcome: &mut Outcome) {
    let mut asks = asks::Asks::default();
    let mut briefs = BTreeMap::new();
    let certain: Vec<bool> = all.iter().map(|decided| decided.finding.verdict == VerdictWord::Confirmed).collect();
    let is_explained = |finding: &Finding| finding.caused_by.is_some_and(|cause| certain.get(cause) == Some(&true));
    for (index, decided) in all.into_iter().enumerate() {
        // What follows from something certain needs no proof of its own.
        if !is_explained(&decided.finding) {
            asks.add(&decided.wants, &decided.finding.anchor);
        }
        outcome.findings.push(decided.finding);
        if let Some(unnamed) = decided.brief {
            briefs.insert(index, Brief { signature: decided.signature, subject: decided.subject, unnamed });
        }
    }
    brief::complete(run, briefs, &mut outcome.findings);
    // What does not help against it was written for where it is the cause.
    for finding in outcome.findings.iter_mut().filter(|finding| finding.caused_by.is_some()) {
        finding.remediation.does_not_help.clear();
    }
    outcome.asks = asks.sorted();
}

/// What one signature says of each of its entities, whether it becomes a finding or not.
pub fn observe(facts: &Facts, library: &Library, signature: &Signature, literals: &Literals) -> Vec<SeenEntity> {
    let (hits, absences, indexed) = (&HitIndex::new(facts), &Absences::new(facts), &Indexed::new(facts, library));
    let catalogue = &Catalogue::built_in();
    let run = Run { facts, library, catalogue, literals, hits, absences, indexed };
    let mut seen = Vec::new();
    let evaluator = Evaluator::new(facts, signature, literals, hits, absences, indexed);
    let rules = Rules::of(signature);
    for context in applicability::contexts(facts, signature).unwrap_or_default() {
        let mut here = Vec::new();
        let each = EachEntity { run, signature, evaluator: &evaluator, rules: &rules, context };
        each.decide(None, |subject, _, held| here.extend(held.map(|held| (subject, held))));
        here.sort_by(|(a, _), (b, _)| a.order().cmp(&b.order()));
        for (subject, held) in here {
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
    /// How many of each verdict there are: the first of them are whole.
    whole: BTreeMap<VerdictWord, usize>,
    /// What the findings ask for.
    commands: BTreeSet<Arc<Command>>,
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
    catalogue: &'r Catalogue,
    literals: &'r Literals,
    hits: &'r HitIndex,
    absences: &'r Absences<'r>,
    indexed: &'r Indexed<'r>,
}

fn decide<'s>(run: Run<'_>, signature: &'s Signature) -> Part<'s> {
    let facts = run.facts;
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
    let evaluator = Evaluator::new(facts, signature, run.literals, run.hits, run.absences, run.indexed);
    let rules = Rules::of(signature);
    let settling = Settling::new(&rules);
    let mut missing = None;
    for context in contexts {
        let each = EachEntity { run, signature, evaluator: &evaluator, rules: &rules, context };
        let any = each.decide(Some(settling), |subject, unnamed, held| match held {
            Some(held) => part.take(run, (signature, &rules), (subject, unnamed), &held),
            None => part.checked = true,
        });
        if !any {
            match looked::missing(facts, run.absences, signature, context) {
                None => part.checked = true,
                Some(what) => {
                    let name = || facts.context(context).name.clone();
                    missing.get_or_insert_with(|| (signature.id.clone(), name(), what));
                }
            }
        }
    }
    // What could not be assessed is told entity by entity.
    part.missing = missing.filter(|_| !part.checked && part.not_assessed.is_empty());
    part
}

impl<'s> Part<'s> {
    /// Takes what the evidence gives for one entity. Of that no more is kept than the finding, the values that relations
    /// compare and the commands that it asks for: a cluster has twenty thousand Pods.
    fn take(
        &mut self,
        run: Run<'_>,
        (signature, rules): (&'s Signature, &Rules<'_>),
        (subject, unnamed): (Subject, Unnamed),
        held: &[Held],
    ) {
        let facts = run.facts;
        let words = Words { facts, signature, subject: &subject, held };
        for (evidence, held) in signature.evidence.iter().zip(held) {
            if held.answered.rows.cut {
                self.limits_hit.push(Limit::Captures {
                    bound: captures::MAX_ROWS as u64,
                    signature: signature.id.clone(),
                    entity: subject.name.clone(),
                    evidence: evidence.id.clone(),
                });
            }
        }
        match rule(facts, signature, &subject, held, rules) {
            Ruling::NotFound => self.checked = true,
            Ruling::NotAssessed => self.not_assessed.push(NotAssessed {
                signature: signature.id.clone(),
                entity: finding::entity_info(&words),
                reason: finding::not_assessed_reason(&words, rules),
            }),
            Ruling::Verdict(verdict, conflicting) => {
                self.checked = true;
                let before = self.whole.entry(verdict).or_default();
                *before += 1;
                let is_brief = *before > bounds::FINDINGS;
                let mut finding = match is_brief {
                    true => brief::finding(&words, verdict, conflicting),
                    false => finding::finding(&words, run.library, verdict, conflicting),
                };
                let asking =
                    asks::Asking { facts, catalogue: run.catalogue, signature, subject: &subject, held, verdict };
                let wants = asking.wants().into_iter().map(|command| self.shared(command)).collect();
                let captured = relations::captured(held, &run.library.compared);
                finding.captured.clone_from(&captured);
                let quoted = if is_brief { BTreeSet::new() } else { relations::quoted(held) };
                let brief = is_brief.then_some(unnamed);
                let places = relations::places(held);
                let untold = finding::untold(&words, verdict);
                let looked_at = false;
                self.decided.push(Decided {
                    finding,
                    signature,
                    subject,
                    captured,
                    quoted,
                    places,
                    wants,
                    brief,
                    untold,
                    looked_at,
                });
            }
        }
    }

    /// A command, kept once however many ask for it.
    fn shared(&mut self, command: Command) -> Arc<Command> {
        if let Some(known) = self.commands.get(&command) {
            return Arc::clone(known);
        }
        let command = Arc::new(command);
        self.commands.insert(Arc::clone(&command));
        command
    }
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

/// The entities of a signature in one context.
struct EachEntity<'a> {
    run: Run<'a>,
    signature: &'a Signature,
    evaluator: &'a Evaluator<'a>,
    rules: &'a Rules<'a>,
    context: ContextId,
}

impl EachEntity<'_> {
    /// Gives `take` the evidence for every entity, one after the other, so that all of it is never held at once; nothing
    /// for those of which a part of it settles that they are not found. Says whether there is any entity.
    ///
    /// Lines that name nobody are given to the only entity that is not ruled out, once the others are known, so that one
    /// comes last; `ruled_out` never looks at lines, so this cannot turn in a circle.
    fn decide(
        &self,
        settling: Option<Settling<'_>>,
        mut take: impl FnMut(Subject, Unnamed, Option<Vec<Held>>),
    ) -> bool {
        let Self { run, signature, evaluator, rules, context } = self;
        let reads_shared_lines = signature.evidence.iter().any(|e| match &e.query {
            Query::Log(query) => !query.own && !matches!(query.context, ContextSelector::WorkloadOf(_)),
            Query::Object(_) => false,
        });
        let settling_own = settling.map(|settling| evaluator.settling_own(settling));
        let may_be_found = |kind: &KindName| evaluator.may_be_found(settling_own.as_deref()?, *context, kind);
        let subjects = entity::subjects(
            run.facts,
            signature,
            *context,
            run.absences,
            (run.hits, run.literals),
            &Narrowed { indexed: run.indexed, may_be_found: &may_be_found },
        );
        let any = !subjects.is_empty();
        let is_ruled_out = |held: &Vec<Held>| rules.ruled_out(&held.iter().map(|h| h.strict).collect::<Vec<_>>());
        let evaluate = |subject: &Subject, unnamed| match settling {
            Some(settling) => evaluator.unless_settled(subject, unnamed, settling),
            None => Some(evaluator.evaluate(subject, unnamed)),
        };
        let mut several = !reads_shared_lines;
        let mut open = None;
        for subject in subjects {
            let held = evaluate(&subject, Unnamed::Anyones);
            if several || held.as_ref().is_some_and(is_ruled_out) {
                take(subject, Unnamed::Anyones, held);
            } else if let Some((earlier, its)) = open.replace((subject, held)) {
                several = true;
                take(earlier, Unnamed::Anyones, its);
                if let Some((subject, held)) = open.take() {
                    take(subject, Unnamed::Anyones, held);
                }
            }
        }
        match open {
            Some((only, _)) if entity::known_to_be_all(run.absences, signature, *context) => {
                let held = evaluate(&only, Unnamed::Ours);
                take(only, Unnamed::Ours, held);
            }
            Some((only, held)) => take(only, Unnamed::Anyones, held),
            None => {}
        }
        any
    }
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
