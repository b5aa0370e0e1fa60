//! Which findings the relations of signatures connect.
//!
//! Why by value and not pair by pair: a broken cluster has thousands of findings of one signature and thousands of those that
//! follow from them, and looking at each pair takes minutes.
//!
//! Invariants: two findings are connected only if each pair of values that the relation compares has one in common, and nothing
//! that the relation names says that the effect has a cause of its own; of very many causes of one effect the first in the
//! order of the list are kept ([`MOST`]).

use crate::binding;
use crate::relations::Decided;
use facts::path::Path;
use facts::store::Facts;
use signature::evidence_state::EvidenceState;
use signature::model::{Operand, Relation, RelationKind};
use std::collections::{BTreeMap, BTreeSet};

/// Causes of which one is chosen for an effect.
pub(crate) const MOST: usize = 64;

/// For each finding those that may cause or contain it, in the order of the list, each with the first of the relations of its
/// signature that say so.
pub(crate) fn candidates(facts: &Facts, all: &[Decided<'_>]) -> Vec<Vec<(usize, RelationKind)>> {
    let mut causes: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    let mut effects: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (index, decided) in all.iter().enumerate() {
        let id = decided.signature.id.as_str();
        if decided.can_cause() {
            causes.entry(id).or_default().push(index);
        }
        if decided.can_follow() {
            effects.entry(id).or_default().push(index);
        }
    }
    let mut found: Vec<Vec<(usize, usize, RelationKind)>> = vec![Vec::new(); all.len()];
    for causes in causes.values() {
        let relations =
            causes.first().and_then(|first| all.get(*first)).map_or(&[][..], |cause| &cause.signature.relations);
        for (order, relation) in relations.iter().enumerate().filter(|(_, r)| r.kind != RelationKind::DistinctFrom) {
            let Some(effects) = effects.get(relation.to.as_str()) else { continue };
            let connected = Connected::new(facts, relation, causes, all);
            for &effect in effects {
                let (Some(list), Some(decided)) = (found.get_mut(effect), all.get(effect)) else { continue };
                if explains_itself(relation, decided) {
                    continue;
                }
                let causes = connected.causes_of(facts, decided, effect);
                list.extend(causes.into_iter().map(|cause| (cause, order, relation.kind)));
            }
        }
    }
    let in_order = |mut list: Vec<(usize, usize, RelationKind)>| {
        list.sort_by_key(|(cause, order, _)| (*cause, *order));
        list.dedup_by_key(|(cause, _, _)| *cause);
        list.into_iter().take(MOST).map(|(cause, _, kind)| (cause, kind)).collect()
    };
    found.into_iter().map(in_order).collect()
}

/// Does the evidence of an effect say that it does not follow by this relation?
fn explains_itself(relation: &Relation, effect: &Decided<'_>) -> bool {
    let says = |id: &String| {
        let rows = effect.finding.evidence.iter().filter(|row| row.id == *id);
        rows.into_iter().any(|row| row.state == EvidenceState::Supports)
    };
    relation.unless.iter().any(says)
}

/// The causes that one relation may connect with effects.
struct Connected<'r> {
    relation: &'r Relation,
    /// For each pair of values that it compares: the causes by what they have there.
    sides: Vec<Side>,
}

/// Causes by their values on one side of a comparison.
#[derive(Default)]
struct Side {
    /// In the order of the list.
    by_value: BTreeMap<(Option<usize>, String), Vec<usize>>,
    of_cause: BTreeMap<usize, BTreeSet<String>>,
}

impl Side {
    /// Lists of the causes that have one of some values.
    fn having(&self, scope: Option<usize>, values: &BTreeSet<String>) -> Vec<&[usize]> {
        values.iter().filter_map(|value| self.by_value.get(&(scope, value.clone()))).map(Vec::as_slice).collect()
    }
}

impl<'r> Connected<'r> {
    fn new(facts: &Facts, relation: &'r Relation, causes: &[usize], all: &[Decided<'_>]) -> Self {
        let side = |text: Option<&str>| {
            let mut side = Side::default();
            for (index, cause) in causes.iter().filter_map(|index| Some((*index, all.get(*index)?))) {
                let scope = scope(facts, relation, cause);
                let values = text.map_or_else(nothing, |text| values(facts, text, cause));
                for value in &values {
                    side.by_value.entry((scope, value.clone())).or_default().push(index);
                }
                side.of_cause.insert(index, values);
            }
            side
        };
        let sides = match relation.matches.as_slice() {
            [] => vec![side(None)],
            matches => matches.iter().map(|(left, _)| side(Some(left))).collect(),
        };
        Self { relation, sides }
    }

    /// Those of an effect, which is no cause of itself, in the order of the list; [`MOST`] at most.
    fn causes_of(&self, facts: &Facts, effect: &Decided<'_>, own: usize) -> Vec<usize> {
        let scope = scope(facts, self.relation, effect);
        let rights = match self.relation.matches.as_slice() {
            [] => vec![nothing()],
            matches => matches.iter().map(|(_, right)| values(facts, right, effect)).collect(),
        };
        let lists = self.sides.iter().zip(&rights).map(|(side, values)| side.having(scope, values));
        let narrowest =
            lists.min_by_key(|lists| lists.iter().map(|list| list.len()).sum::<usize>()).unwrap_or_default();
        let is_connected = |cause: &usize| {
            let mut sides = self.sides.iter().zip(&rights);
            *cause != own
                && sides.all(|(side, values)| side.of_cause.get(cause).is_some_and(|own| !own.is_disjoint(values)))
        };
        merged(narrowest).filter(is_connected).take(MOST).collect()
    }
}

/// The numbers of sorted lists, sorted, each once.
fn merged(lists: Vec<&[usize]>) -> impl Iterator<Item = usize> {
    let mut lists: Vec<_> = lists.into_iter().map(|list| list.iter().peekable()).collect();
    std::iter::from_fn(move || {
        let next = lists.iter_mut().filter_map(|list| list.peek().copied()).min().copied()?;
        for list in &mut lists {
            while list.next_if(|number| **number == next).is_some() {}
        }
        Some(next)
    })
}

/// What two findings without a comparison have in common.
fn nothing() -> BTreeSet<String> {
    BTreeSet::from([String::new()])
}

/// Within what a relation connects findings: a context where it compares nothing; everywhere, where it compares contexts;
/// else a bundle.
fn scope(facts: &Facts, relation: &Relation, decided: &Decided<'_>) -> Option<usize> {
    let context = decided.subject.context;
    let names_context = |(left, right): &(String, String)| left.ends_with(".context") && right.ends_with(".context");
    match relation.matches.as_slice() {
        [] => Some(context.0 as usize),
        matches if matches.iter().any(names_context) => None,
        _ => Some(facts.context(context).bundle),
    }
}

/// What an operand of a relation stands for in a finding: one value, or all values of a captured name.
fn values(facts: &Facts, text: &str, decided: &Decided<'_>) -> BTreeSet<String> {
    let Some(variable) = text.strip_prefix('$') else { return BTreeSet::from([text.to_owned()]) };
    let (name, rest) = variable.split_once('.').unwrap_or((variable, ""));
    if name != decided.signature.entity.name {
        return decided.captured.get(variable).cloned().unwrap_or_default();
    }
    let operand = match rest {
        "" => Operand::Entity,
        "name" | "namespace" | "context" => Operand::EntityAttribute(rest.to_owned()),
        path => match Path::parse(path) {
            Ok(path) => Operand::EntityPath(path),
            Err(_) => return BTreeSet::new(),
        },
    };
    let mut values: BTreeSet<String> = binding::values_of(facts, &operand, &decided.subject).into_iter().collect();
    if rest == "context" {
        // Others call it by the name of its Cluster, whatever its folder is called.
        values.extend(facts.context(decided.subject.context).workload_of.iter().map(|(_, cluster)| cluster.clone()));
    }
    values
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn merged_lists_are_sorted_and_each_number_stands_once(lists in prop::collection::vec(prop::collection::btree_set(0usize..40, 0..20), 0..5)) {
            let sorted: Vec<Vec<usize>> = lists.iter().map(|list| list.iter().copied().collect()).collect();
            let found: Vec<usize> = merged(sorted.iter().map(Vec::as_slice).collect()).collect();
            let all: BTreeSet<usize> = lists.into_iter().flatten().collect();
            prop_assert_eq!(found, all.into_iter().collect::<Vec<_>>());
        }
    }
}
