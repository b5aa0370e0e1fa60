//! What findings of one incident have in common: one breaks it, the others suffer from that.
//!
//! Why beside relations: a relation names another signature. That what runs on a lost Node is not ready holds for any
//! signature about what runs there, so each says for itself what it breaks and what it suffers from
//! (`patterns/ties.yaml`), and neither names the other.
//!
//! Invariants: values are compared within one context, for two clusters have Nodes of one name; what is not known ties
//! nothing.

use crate::binding;
use crate::connections::MOST;
use crate::entity::Subject;
use crate::relations::Decided;
use catalogue::ties::{self, Tie};
use facts::object::ContextId;
use facts::path::Path;
use facts::store::Facts;
use signature::model::{Operand, Severity};
use signature::related::Tied;
use std::collections::{BTreeMap, BTreeSet};

/// Pairs of an effect and one of its causes, by their places in the list; in the order of the list. Of very many causes by
/// one value the first are kept.
pub(crate) fn pairs(facts: &Facts, all: &[Decided<'_>]) -> Vec<(usize, usize)> {
    let mut broken: BTreeMap<(ContextId, &str, String), Vec<usize>> = BTreeMap::new();
    for (index, decided) in all.iter().enumerate().filter(|(_, decided)| decided.can_cause()) {
        for tied in &decided.signature.breaks {
            for value in values(facts, tied, &decided.subject) {
                broken.entry((decided.subject.context, tied.tie.as_str(), value)).or_default().push(index);
            }
        }
    }
    for tie in ties::own() {
        // A note is about an object, and breaks nothing.
        let is_broken = |decided: &Decided<'_>| decided.can_cause() && decided.signature.severity != Severity::Info;
        for (index, decided) in all.iter().enumerate().filter(|(_, decided)| is_broken(decided)) {
            for value in own(facts, tie, &decided.subject) {
                let causes = broken.entry((decided.subject.context, tie.name.as_str(), value)).or_default();
                if causes.last() != Some(&index) {
                    causes.push(index);
                }
            }
        }
    }
    let mut pairs = Vec::new();
    for (index, decided) in all.iter().enumerate().filter(|(_, decided)| decided.can_follow()) {
        for tied in &decided.signature.suffers {
            let of_value = |value: String| {
                let causes = broken.get(&(decided.subject.context, tied.tie.as_str(), value));
                // What provides something does not suffer for want of it.
                let others = causes.filter(|causes| causes.binary_search(&index).is_err());
                others.into_iter().flatten().take(MOST).copied().collect::<Vec<usize>>()
            };
            let causes: Vec<Vec<usize>> = values(facts, tied, &decided.subject).into_iter().map(of_value).collect();
            if !tied.every || causes.iter().all(|of_one| !of_one.is_empty()) {
                pairs.extend(causes.into_iter().flatten().map(|cause| (index, cause)));
            }
        }
    }
    pairs.sort_unstable();
    pairs.dedup();
    pairs
}

/// An entity itself: what its place gives, or else its name. A log is no object.
fn own(facts: &Facts, tie: &Tie, subject: &Subject) -> BTreeSet<String> {
    match tie.place(Some(&subject.of)) {
        Some(place) => {
            let values = at(facts, &place.path, subject).into_iter();
            values.map(|value| if value.contains('/') { value } else { format!("/{value}") }).collect()
        }
        None if subject.stream.is_some() => BTreeSet::new(),
        None => BTreeSet::from([format!("{}/{}", subject.namespace.as_deref().unwrap_or_default(), subject.name)]),
    }
}

/// The values that an entity has of it; none if they are not known.
fn values(facts: &Facts, tied: &Tied, subject: &Subject) -> BTreeSet<String> {
    if let Some(value) = &tied.is {
        return BTreeSet::from([value.clone()]);
    }
    if let Some((index, _)) = &subject.stream {
        let on_node = ties::named(&tied.tie).is_some_and(|tie| tie.place(None).is_some());
        let node = facts.streams.get(*index).and_then(|stream| stream.node.clone());
        return node.filter(|_| on_node).into_iter().collect();
    }
    let place = ties::named(&tied.tie).and_then(|tie| tie.place(Some(&subject.of)));
    let Some(path) = tied.at.as_ref().or(place.map(|place| &place.path)) else { return BTreeSet::new() };
    let found = at(facts, path, subject);
    let meant = |value: String| match place {
        Some(place) if place.provides(&value) => Some(value),
        Some(place) => place.value(&value).map(str::to_owned),
        None => Some(value),
    };
    found.into_iter().filter_map(meant).collect()
}

fn at(facts: &Facts, path: &Path, subject: &Subject) -> Vec<String> {
    let operand = Operand::EntityPath(path.clone());
    binding::values_of(facts, &operand, subject)
}
