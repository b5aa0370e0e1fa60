//! Lines of logs that show a fault, against an answer that excludes it: which of the two was later?
//!
//! Why: an answer of Monday does not exclude what a log shows on Tuesday. An answer whose time nobody knows may be of
//! Monday.
//!
//! Invariants: objects are not compared with objects here, for a signature says itself what of the present excludes
//! what; an answer overrules a line only if it is known to be later.

use crate::entity::Subject;
use crate::evidence::Held;
use crate::logic;
use crate::logic::Truth;
use crate::verdict::Views;
use facts::coverage::Basis;
use facts::object::ObjectId;
use facts::order::Order;
use facts::path::Path;
use facts::store::Facts;
use signature::model::{Condition, Evidence, Query, Signature, Target, Test};
use std::cmp::Ordering;

/// Does a line that shows the fault stand against what excludes it, with nothing that says that it was earlier?
pub(crate) fn stands(facts: &Facts, signature: &Signature, subject: &Subject, held: &[Held], views: &Views) -> bool {
    let rules = &signature.verdict;
    let for_it = [Some(&rules.confirmed), rules.probable.as_ref()].into_iter().flatten();
    let Some(for_it) = for_it.into_iter().find(|c| logic::evaluate(c, &views.plain) == Truth::True) else {
        return false;
    };
    let Some(against) = rules.ruled_out.as_ref() else { return false };
    let witnesses = |condition: &Condition, view: &[Truth]| -> Vec<Witness> {
        let grounds = logic::grounds(condition, view);
        let witness = |(index, truth): (usize, Truth)| {
            let (evidence, held) = signature.evidence.get(index).zip(held.get(index))?;
            // A denial of the fault's own sign is no witness of the fault.
            (truth == Truth::True || std::ptr::eq(condition, against)).then(|| of(facts, evidence, held, subject))
        };
        grounds.into_iter().filter_map(witness).flatten().collect()
    };
    let answers: Vec<Witness> = witnesses(against, &views.strict).into_iter().filter(|w| !w.is_line).collect();
    let mut lines = witnesses(for_it, &views.plain).into_iter().filter(|witness| witness.is_line);
    lines.any(|line| !answers.iter().all(|answer| answer.order.compare(&line.order) == Some(Ordering::Greater)))
}

/// One thing that was seen, and when.
struct Witness {
    is_line: bool,
    order: Order,
}

fn of(facts: &Facts, evidence: &Evidence, held: &Held, subject: &Subject) -> Vec<Witness> {
    let query = match &evidence.query {
        Query::Log(_) => {
            let last = held.answered.times.iter().map(|moment| moment.from).max();
            return vec![Witness { is_line: true, order: last.map(Order::at).unwrap_or_default() }];
        }
        Query::Object(query) => query,
    };
    let (Target::Entity, Some(id)) = (&query.target, subject.object) else {
        let orders = held.answered.citations.iter().filter_map(|citation| {
            let mut answers = facts.coverage.iter().map(|c| &c.answer);
            answers.find(|answer| answer.citation == *citation).map(|answer| answer.order)
        });
        return vec![Witness { is_line: false, order: orders.max().unwrap_or_default() }];
    };
    query
        .filter
        .iter()
        .flat_map(|predicate| {
            let paths = std::iter::once(&predicate.path).chain(&predicate.or_paths);
            let paths = paths.chain(match &predicate.test {
                Test::ComparePath(_, other) => Some(other),
                _ => None,
            });
            paths.map(|path| of_path(facts, id, path)).collect::<Vec<_>>()
        })
        .collect()
}

/// What a path of the entity rests on.
fn of_path(facts: &Facts, id: ObjectId, path: &Path) -> Witness {
    match facts.provenance_of(id, path) {
        Some(provenance) => {
            Witness { is_line: provenance.basis == Basis::Lines, order: provenance.order.unwrap_or_default() }
        }
        None => {
            let (_, sighting) = facts.lookup_in(id, path);
            Witness { is_line: false, order: sighting.and_then(Order::of).unwrap_or_default() }
        }
    }
}
