//! Lines of logs that show a fault, against an answer that excludes it: which of the two was later?
//!
//! Why: an answer of Monday does not exclude what a log shows on Tuesday. An answer whose time nobody knows may be of
//! Monday.
//!
//! Invariants: objects are not compared with objects here, for a signature says itself what of the present excludes
//! what; an answer overrules a line only if it is known to be later; where a log that was not collected could show the
//! fault, an answer of unknown time excludes nothing, so that taking the log away does not either.

use crate::entity::Subject;
use crate::evidence::Held;
use crate::logic;
use crate::logic::Truth;
use crate::verdict::Views;
use catalogue::nouns;
use facts::coverage::Basis;
use facts::object::ObjectId;
use facts::order::Order;
use facts::origin::{Citation, MemberId};
use facts::path::Path;
use facts::store::Facts;
use signature::model::{Evidence, Query, Signature, Target, Test};
use std::cmp::Ordering;

/// Is what excludes the fault known to be later than every line that shows it, and later than any that may? Where no
/// line could matter, it need not be.
pub(crate) fn may_exclude(
    facts: &Facts,
    signature: &Signature,
    subject: &Subject,
    held: &[Held],
    views: &Views,
) -> bool {
    let rules = &signature.verdict;
    let Some(against) = rules.ruled_out.as_ref() else { return true };
    let told_by_lines: Vec<bool> = signature.evidence.iter().map(|e| by_lines(e, subject)).collect();
    let grounds = logic::grounds(against, &views.strict);
    // Would the fault hold if the logs said so, and not if they did not? What excludes it stays as it is.
    let excludes = |index: usize| grounds.iter().any(|(other, _)| *other == index);
    let could_hold = |lines: Truth| {
        let mut said = views.plain.clone();
        for (index, truth) in said.iter_mut().enumerate() {
            if told_by_lines.get(index) == Some(&true) && !excludes(index) {
                *truth = lines;
            }
        }
        let mut for_it = [Some(&rules.confirmed), rules.probable.as_ref()].into_iter().flatten();
        for_it.any(|condition| logic::evaluate(condition, &said) != Truth::False)
    };
    if !could_hold(Truth::Unknown) || could_hold(Truth::False) {
        return true;
    }
    let of = |index: usize| match (signature.evidence.get(index), held.get(index)) {
        (Some(evidence), Some(held)) => of(facts, evidence, held, subject),
        _ => Vec::new(),
    };
    let answers: Vec<Witness> = grounds.iter().flat_map(|(index, _)| of(*index)).filter(|w| !w.is_line).collect();
    let holds = |index: &usize| views.plain.get(*index) == Some(&Truth::True) && !excludes(*index);
    let lines: Vec<Witness> =
        (0..views.plain.len()).filter(holds).flat_map(of).filter(|witness| witness.is_line).collect();
    let later = |answer: &Witness| {
        let after = |line: &Witness| answer.order.compare(&line.order) == Some(Ordering::Greater);
        answer.order.is_dated() && lines.iter().all(after)
    };
    answers.iter().all(later)
}

/// Can lines of logs tell of this evidence?
fn by_lines(evidence: &Evidence, subject: &Subject) -> bool {
    match &evidence.query {
        Query::Log(_) => true,
        Query::Object(query) => query.target == Target::Entity && !nouns::made_of(&subject.of).1.is_empty(),
    }
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
            let transcript = position(facts, &held.answered.citations);
            return vec![Witness {
                is_line: true,
                order: Order { transcript, ..last.map(Order::at).unwrap_or_default() },
            }];
        }
        Query::Object(query) => query,
    };
    let (Target::Entity, Some(id)) = (&query.target, subject.object) else {
        // Each place is a witness of its own: the weakest of them counts.
        let order = |citation: &Citation| {
            let mut answers = facts.coverage.iter().map(|c| &c.answer);
            let answer = answers.find(|answer| answer.citation == *citation).map(|answer| answer.order);
            answer.or_else(|| reading_at(facts, &query.target, citation)).unwrap_or_default()
        };
        let orders: Vec<Order> = match held.answered.citations.as_slice() {
            [] => vec![Order::default()],
            citations => citations.iter().map(order).collect(),
        };
        return orders.into_iter().map(|order| Witness { is_line: false, order }).collect();
    };
    query
        .filter
        .iter()
        .flat_map(|predicate| {
            let paths = std::iter::once(&predicate.path).chain(&predicate.or_paths);
            let paths = paths.chain(&predicate.else_paths).chain(match &predicate.test {
                Test::ComparePath(_, other) => Some(other),
                _ => None,
            });
            paths.map(|path| of_path(facts, id, path)).collect::<Vec<_>>()
        })
        .collect()
}

/// Where lines stand in the one transcript that holds them all: at the end of the last log with one of them, for not
/// every line is cited.
fn position(facts: &Facts, lines: &[Citation]) -> Option<(MemberId, u64)> {
    let end = |line: &Citation| {
        let ordered = facts.streams.iter().filter(|stream| stream.ordered).flat_map(|stream| &stream.parts);
        let mut logs = ordered.filter(|(member, _)| *member == line.member).map(|(_, log)| log.span);
        logs.find(|(first, last)| (*first..=*last).contains(&line.line)).map(|(_, last)| u64::from(last))
    };
    let member = lines.first()?.member;
    let ends = lines.iter().map(|line| end(line).filter(|_| line.member == member)).collect::<Option<Vec<u64>>>()?;
    Some((member, ends.into_iter().max()?))
}

/// When the object was read that stands at this place: of those of the query's kinds the last that begins above it.
fn reading_at(facts: &Facts, target: &Target, place: &Citation) -> Option<Order> {
    let Target::Kinds(kinds) = target else { return None };
    let ids = kinds.iter().flat_map(|kind| facts.context_ids().flat_map(|context| facts.of_kind(context, kind)));
    let readings = ids.flat_map(|id| &facts.object(*id).sightings);
    let above = readings.filter(|s| s.record.member == place.member && s.record.line <= place.line);
    above.max_by_key(|sighting| sighting.record.line).and_then(Order::of)
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
