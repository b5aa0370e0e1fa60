//! Evaluates the evidence of one signature for one entity, in the order of the signature.
//!
//! Invariants: evidence that uses captured names runs once for each distinct tuple, is present if it is
//! for one of them, and absent only if it is for all that there can be; `expect: absent` swaps present
//! and absent and nothing else.

use crate::absences::Absences;
use crate::answer::Answered;
use crate::binding::Row;
use crate::captures::Rows;
use crate::entity::Subject;
use crate::gap::{Gap, Why};
use crate::indexed::Indexed;
use crate::interval::Interval;
use crate::log_query;
use crate::log_query::{HitIndex, Selected, Unnamed};
use crate::logic::Truth;
use crate::object_query;
use crate::settling::{Asked, Settling};
use crate::sifted::Sifted;
use facts::coverage::Basis;
use facts::kind::KindName;
use facts::object::{ContextId, ObjectId};
use facts::store::Facts;
use parse::scan::Literals;
use signature::captured::needs;
use signature::model::{Evidence, Query, Signature, Target};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// What one piece of evidence says about its claim.
#[derive(Debug, Clone, PartialEq)]
pub struct Held {
    /// Supports (true), contradicts (false) or unknown.
    pub truth: Truth,
    /// The same as `ruled_out` sees it.
    pub strict: Truth,
    /// The answer of the query.
    pub answered: Answered,
}

/// Evaluates one signature. It keeps what does not depend on the entity.
#[derive(Debug)]
pub(crate) struct Evaluator<'a> {
    facts: &'a Facts,
    signature: &'a Signature,
    literals: &'a Literals,
    hits: &'a HitIndex,
    absences: &'a Absences<'a>,
    indexed: &'a Indexed<'a>,
    sifted: RefCell<BTreeMap<(usize, ContextId), Rc<Sifted<'a>>>>,
    selected: RefCell<BTreeMap<usize, Rc<Selected>>>,
    /// For each piece of evidence the captured names that it needs, and the evidence that captures them.
    needs: Vec<(BTreeSet<String>, BTreeSet<usize>)>,
    /// What settled an entity before this one, and needs no other evidence: it is asked first.
    settled_by: RefCell<Vec<usize>>,
}

impl<'a> Evaluator<'a> {
    /// An evaluator with nothing computed yet.
    pub(crate) fn new(
        facts: &'a Facts,
        signature: &'a Signature,
        literals: &'a Literals,
        hits: &'a HitIndex,
        absences: &'a Absences<'a>,
        indexed: &'a Indexed<'a>,
    ) -> Self {
        let needs = (0..signature.evidence.len()).map(|index| needs(&signature.evidence, index)).collect();
        let (sifted, selected, settled_by) = Default::default();
        Self { facts, signature, literals, hits, absences, indexed, sifted, selected, needs, settled_by }
    }

    /// All evidence for one entity, in the order of the signature.
    pub(crate) fn evaluate(&self, subject: &Subject, unnamed: Unnamed) -> Vec<Held> {
        let mut asked = vec![None; self.signature.evidence.len()];
        for index in 0..asked.len() {
            asked[index] = Some(self.held(index, subject, unnamed, &asked));
        }
        asked.into_iter().flatten().collect()
    }

    /// The same, but nothing where the first answers settle that the entity is not found, whatever the rest says. What
    /// settled the entity before is asked first.
    pub(crate) fn unless_settled(
        &self,
        subject: &Subject,
        unnamed: Unnamed,
        settling: Settling<'_>,
    ) -> Option<Vec<Held>> {
        let mut asked: Vec<Option<Held>> = vec![None; self.signature.evidence.len()];
        let first = self.settled_by.take();
        for &index in &first {
            asked[index] = Some(self.held(index, subject, unnamed, &asked));
        }
        if !first.is_empty() && settling.by(&asked) {
            self.settled_by.replace(first);
            return None;
        }
        for index in 0..asked.len() {
            if asked[index].is_none() {
                asked[index] = Some(self.held(index, subject, unnamed, &asked));
            }
            if settling.by(&asked) {
                let reason = settling.reason(&asked);
                let at_once = reason.iter().all(|index| self.may_be_first(*index));
                self.settled_by.replace(if at_once { reason } else { first });
                return None;
            }
        }
        self.settled_by.replace(first);
        Some(asked.into_iter().flatten().collect())
    }

    /// May this piece of evidence be asked before the others? One that asks the entity's own object alone says the same
    /// whatever the others say, and costs little where another one would have settled the entity.
    fn may_be_first(&self, index: usize) -> bool {
        let is_own = |evidence: &Evidence| matches!(&evidence.query, Query::Object(query) if query.target == Target::Entity && query.each.is_none());
        self.needs.get(index).is_some_and(|(names, _)| names.is_empty())
            && self.signature.evidence.get(index).is_some_and(is_own)
    }

    /// The fewest questions about the entity's own object that settle that it is not found where it fails their conditions;
    /// none where that settles nothing.
    pub(crate) fn settling_own(&self, settling: Settling<'_>) -> Vec<usize> {
        let fails = |index: usize| {
            let evidence = &self.signature.evidence[index];
            let is_sure = matches!(&evidence.query, Query::Object(query) if Interval::of_one(Truth::False).compare(query.count) == Truth::False);
            let held =
                Held { truth: Truth::False, strict: Truth::False, answered: Answered::unknown(Gap::new(Why::Filter)) };
            (is_sure && !evidence.expect_absent && self.may_be_first(index)).then_some(held)
        };
        let asked: Vec<Option<Held>> = (0..self.signature.evidence.len()).map(fails).collect();
        if settling.by(&asked) { settling.reason(&asked) } else { Vec::new() }
    }

    /// The objects of a kind that may pass the conditions of one of some questions about an entity's own object; nothing where
    /// no question is asked, or one of them does not tell.
    pub(crate) fn may_be_found(
        &self,
        questions: &[usize],
        context: ContextId,
        kind: &KindName,
    ) -> Option<BTreeSet<ObjectId>> {
        let mut open = (!questions.is_empty()).then(BTreeSet::new)?;
        for index in questions {
            let Query::Object(query) = &self.signature.evidence.get(*index)?.query else { return None };
            open.extend(self.indexed.that_may_pass(context, kind, &query.filter)?);
        }
        Some(open)
    }

    /// What one piece of evidence says of an entity. It takes the names that it needs from the answers `before`.
    fn held(&self, index: usize, subject: &Subject, unnamed: Unnamed, before: &Asked) -> Held {
        let evidence = &self.signature.evidence[index];
        let answered = self.answer(index, evidence, subject, unnamed, before);
        let polarity = |truth: Truth| if evidence.expect_absent { truth.negate() } else { truth };
        Held { truth: polarity(answered.truth), strict: polarity(answered.strict), answered }
    }

    fn answer(
        &self,
        index: usize,
        evidence: &Evidence,
        subject: &Subject,
        unnamed: Unnamed,
        before: &Asked,
    ) -> Answered {
        let Some((names, definers)) = self.needs.get(index).filter(|(names, _)| !names.is_empty()) else {
            return self.run(index, evidence, subject, &Row::new(), unnamed, before);
        };
        let mut rows = Rows { rows: BTreeSet::from([Row::new()]), ..Rows::default() };
        for definer in definers {
            if let Some(Some(held)) = before.get(*definer) {
                rows = rows.joined(&held.answered.rows);
            }
        }
        let rows = rows.projected(names);
        if rows.rows.is_empty() || rows.rows.iter().any(|row| row.len() < names.len()) {
            return self.unbound(names, definers, before);
        }
        let runs: Vec<Answered> =
            rows.rows.iter().map(|row| self.run(index, evidence, subject, row, unnamed, before)).collect();
        together(runs, &rows, names)
    }

    /// No tuple: the evidence that would give one found nothing, or could not tell.
    fn unbound(&self, names: &BTreeSet<String>, definers: &BTreeSet<usize>, before: &Asked) -> Answered {
        let mut answered = Answered::unknown(Gap::new(Why::NotCaptured(names.iter().cloned().collect())));
        let behind = definers.iter().filter_map(|i| before.get(*i)?.as_ref()).flat_map(|held| &held.answered.gaps);
        answered.gaps.extend(behind.cloned());
        answered
    }

    fn run(
        &self,
        index: usize,
        evidence: &Evidence,
        subject: &Subject,
        row: &Row,
        unnamed: Unnamed,
        before: &Asked,
    ) -> Answered {
        match &evidence.query {
            Query::Object(query) => {
                let searched = query.each.as_ref().map_or(query, |each| &*each.exists);
                let sifted = |context| {
                    let kinds = match &searched.target {
                        Target::Kinds(kinds) => kinds.as_slice(),
                        Target::Entity => &[],
                    };
                    let mut cache = self.sifted.borrow_mut();
                    let entry = cache.entry((index, context));
                    let sift = || Rc::new(Sifted::new(self.facts, searched, kinds, context, self.indexed));
                    Rc::clone(entry.or_insert_with(sift))
                };
                match &query.target {
                    Target::Entity => object_query::of_entity(self.facts, query, subject, row, self.absences, sifted),
                    Target::Kinds(_) => object_query::of_kinds(self.facts, query, subject, row, self.absences, &sifted),
                }
            }
            Query::Log(query) => {
                let selected = Rc::clone(
                    self.selected
                        .borrow_mut()
                        .entry(index)
                        .or_insert_with(|| Rc::new(Selected::new(self.facts, query, self.hits, self.literals))),
                );
                let times_of = |id: &str| {
                    let other = self.signature.evidence.iter().position(|e| e.id == id);
                    other
                        .and_then(|i| before.get(i)?.as_ref())
                        .map(|held| held.answered.times.clone())
                        .unwrap_or_default()
                };
                let mut answered = log_query::answer(self.facts, query, subject, row, &selected, unnamed, times_of);
                if !row.is_empty() {
                    let with_row = |captured: Row| row.clone().into_iter().chain(captured).collect();
                    answered.rows.rows = std::mem::take(&mut answered.rows.rows).into_iter().map(with_row).collect();
                }
                answered
            }
        }
    }
}

/// The answers of all tuples as one: present if for any, absent only if for all that there can be.
fn together(runs: Vec<Answered>, rows: &Rows, names: &BTreeSet<String>) -> Answered {
    let truth = Truth::any(runs.iter().map(|run| run.truth));
    let strict = Truth::any(runs.iter().map(|run| run.strict));
    let unless_more = |truth: Truth, more: bool| if more && truth == Truth::False { Truth::Unknown } else { truth };
    let mut whole = Answered {
        truth: unless_more(truth, rows.more),
        strict: unless_more(strict, rows.more_strictly),
        interval: Interval { lo: 0, hi: Some(0) },
        citations: Vec::new(),
        more: 0,
        shown: Vec::new(),
        gaps: Vec::new(),
        weakest: Basis::Stated,
        rows: Rows { more: rows.more, more_strictly: rows.more_strictly, cut: rows.cut, ..Rows::default() },
        times: Vec::new(),
    };
    if truth == Truth::False && rows.more {
        whole.gaps.push(Gap::new(Why::OtherValues(names.iter().cloned().collect(), rows.cut)));
    }
    for run in runs {
        whole.interval.lo = whole.interval.lo.max(run.interval.lo);
        whole.interval.hi = whole.interval.hi.zip(run.interval.hi).map(|(a, b)| a.max(b));
        whole.rows.more |= run.rows.more;
        whole.rows.more_strictly |= run.rows.more_strictly;
        whole.rows.cut |= run.rows.cut;
        whole.rows.extend(run.rows.rows);
        if run.truth == truth {
            whole.citations.extend(run.citations);
            whole.more += run.more;
            whole.shown.extend(run.shown);
            whole.weakest = whole.weakest.min(run.weakest);
        }
        if whole.truth == Truth::Unknown {
            whole.gaps.extend(run.gaps);
        }
        whole.times.extend(run.times);
    }
    whole.tidy();
    whole
}
