//! The objects of a query, sorted so that an entity meets those alone that it may be tied to.
//!
//! Why: the conditions of a query do not depend on the entity, so they are tested once for each object, and the
//! survivors are hashed by the path of the first join, and by that of another one where the first leaves many. Objects
//! whose join path is not known are tested one by one only while they are few, and count as possible matches beyond
//! that. What nothing ties to an entity but the values of its joins is weighed once for all entities that have the same.
//!
//! Invariant: whoever is left out surely does not match, whichever join decided it.

use crate::binding;
use crate::binding::Bound;
use crate::indexed::Indexed;
use crate::logic::Truth;
use crate::object_query::Tally;
use crate::predicate;
use crate::predicate::Checked;
use crate::selects::ByLabel;
use facts::kind::KindName;
use facts::object::{ContextId, ObjectId};
use facts::store::Facts;
use signature::model::ObjectQuery;
use std::borrow::Cow;
use std::cell::{OnceCell, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// Objects with an unknown join key are tested for each entity only up to this number.
const FEW: usize = 64;

/// The objects of one query in one context that its own conditions do not exclude.
#[derive(Debug, Default)]
pub(crate) struct Sifted<'f> {
    /// In id order, with what the conditions say.
    candidates: Vec<(ObjectId, Checked<'f>)>,
    /// For each join the candidates by what they have at its path, made when it is needed.
    by_join: Vec<OnceCell<ByValue>>,
    /// For each choice by labels the candidates by the labels that decide it, made when it is needed.
    by_label: Vec<OnceCell<ByLabel>>,
    /// What many of them say of a query that nothing but the values of its joins ties to an entity, by those values.
    weighed: RefCell<BTreeMap<Vec<Key>, Rc<Tally>>>,
}

/// A value that an entity gives a join, as what was weighed for it is found again.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Key {
    Values(Vec<String>),
    OneOf(Vec<String>),
    /// Nothing matches it, whatever the reason.
    Nothing,
}

impl From<&Bound> for Key {
    fn from(bound: &Bound) -> Self {
        match bound {
            Bound::Values(values) => Self::Values(values.clone()),
            Bound::OneOf(values) => Self::OneOf(values.clone()),
            Bound::NotSet | Bound::Unknown(_) => Self::Nothing,
        }
    }
}

/// Indices of candidates by the value at the path of a join.
#[derive(Debug, Default)]
struct ByValue {
    known: BTreeMap<String, Vec<usize>>,
    /// Those whose value at that path is not known.
    unknown: Vec<usize>,
}

impl ByValue {
    /// Those that have one of some values, not those of which that is not known.
    fn having<'s>(&'s self, operand: &'s Bound) -> impl Iterator<Item = &'s Vec<usize>> {
        let values = match operand {
            Bound::Values(values) | Bound::OneOf(values) => values.as_slice(),
            Bound::NotSet | Bound::Unknown(_) => &[],
        };
        values.iter().filter_map(|value| self.known.get(value))
    }

    /// How many candidates have to be tested one by one.
    fn count(&self, operand: &Bound) -> usize {
        self.having(operand).map(Vec::len).sum::<usize>() + self.few_unknown().len()
    }

    /// Those without a known value, if they are few enough to be tested.
    fn few_unknown(&self) -> &[usize] {
        if self.unknown.len() <= FEW { &self.unknown } else { &[] }
    }
}

/// Indices of candidates by what a choice by labels leaves of them.
struct Chosen<'s> {
    /// Those that are to be tested.
    tested: BTreeSet<usize>,
    /// Those of which no label decides, where they are too many.
    others: &'s BTreeSet<usize>,
}

static NOBODY: BTreeSet<usize> = BTreeSet::new();

impl<'f> Sifted<'f> {
    /// Tests the conditions of a query once for every object of its kinds in a context that may pass them.
    pub(crate) fn new(
        facts: &'f Facts,
        query: &ObjectQuery,
        kinds: &[KindName],
        context: ContextId,
        indexed: &Indexed<'_>,
    ) -> Self {
        let of_kind = |kind| match indexed.that_may_pass(context, kind, &query.filter) {
            Some(some) => Cow::Owned(some),
            None => Cow::Borrowed(facts.of_kind(context, kind)),
        };
        let lists: Vec<Cow<'_, [ObjectId]>> = kinds.iter().map(of_kind).collect();
        let candidates = lists
            .iter()
            .flat_map(|ids| ids.iter())
            .map(|&id| (id, predicate::holds_all(facts, id, &query.filter)))
            .filter(|(_, checked)| checked.truth != Truth::False)
            .collect();
        Self {
            candidates,
            by_join: query.joins.iter().map(|_| OnceCell::new()).collect(),
            by_label: query.selects.iter().map(|_| OnceCell::new()).collect(),
            weighed: RefCell::default(),
        }
    }

    /// The candidates by what they have at the path of a join.
    fn by_join(&self, facts: &Facts, query: &ObjectQuery, at: usize) -> Option<&ByValue> {
        let (cell, join) = self.by_join.get(at).zip(query.joins.get(at))?;
        Some(cell.get_or_init(|| {
            let mut by_value = ByValue::default();
            for (index, (id, _)) in self.candidates.iter().enumerate() {
                match binding::at_path(facts, *id, &join.path) {
                    Bound::NotSet => {}
                    Bound::Values(values) => {
                        values.into_iter().for_each(|value| by_value.known.entry(value).or_default().push(index));
                    }
                    Bound::OneOf(_) | Bound::Unknown(_) => by_value.unknown.push(index),
                }
            }
            by_value
        }))
    }

    /// The candidates of an entity: those that have its value at the path of a join, and those of which that is not known.
    /// `beyond` counts those of the latter that are too many to be tested.
    ///
    /// Of several joins the first decides; another one where the first leaves many, and itself leaves fewer: whoever ties
    /// Pods by their namespace first, and then by their Node, must not test all Pods of the namespace for each Node.
    pub(crate) fn of_entity(
        &self,
        facts: &Facts,
        query: &ObjectQuery,
        (entity, operands): (Option<ObjectId>, &[Bound]),
        beyond: &mut u64,
    ) -> Vec<(ObjectId, &Checked<'f>)> {
        let by_labels: Vec<Chosen<'_>> = entity.map(|entity| self.by_labels(facts, query, entity)).unwrap_or_default();
        // Where labels leave few, no join has to sort them out.
        let few = by_labels.iter().filter(|chosen| chosen.others.is_empty() && chosen.tested.len() <= FEW);
        let mut found = match few.min_by_key(|chosen| chosen.tested.len()) {
            Some(chosen) => chosen.tested.iter().copied().collect(),
            None => self.joined(facts, query, operands, beyond),
        };
        for chosen in &by_labels {
            if found.len() <= FEW {
                break;
            }
            *beyond += found.iter().filter(|index| chosen.others.contains(index)).count() as u64;
            found.retain(|index| chosen.tested.contains(index));
        }
        found.into_iter().filter_map(|at| self.candidates.get(at)).map(|(id, checked)| (*id, checked)).collect()
    }

    /// What each choice by labels leaves to an entity.
    fn by_labels(&self, facts: &Facts, query: &ObjectQuery, entity: ObjectId) -> Vec<Chosen<'_>> {
        let mut all = Vec::new();
        for (selects, cell) in query.selects.iter().zip(&self.by_label) {
            let ids = self.candidates.iter().map(|(id, _)| *id);
            let by_label = cell.get_or_init(|| ByLabel::new(facts, selects, ids));
            let Some((mut tested, others)) = by_label.of_entity(facts, selects, entity) else { continue };
            let few = others.len() <= FEW;
            tested.extend(others.iter().filter(|_| few));
            all.push(Chosen { tested, others: if few { &NOBODY } else { others } });
        }
        all
    }

    /// The candidates that the joins leave to an entity.
    fn joined(&self, facts: &Facts, query: &ObjectQuery, operands: &[Bound], beyond: &mut u64) -> Vec<usize> {
        let Some((mut narrowest, mut operand)) = self.by_join(facts, query, 0).zip(operands.first()) else {
            return (0..self.candidates.len()).collect();
        };
        if let Bound::NotSet | Bound::Unknown(_) = operand {
            return Vec::new();
        }
        if narrowest.unknown.len() > FEW {
            *beyond += narrowest.unknown.len() as u64;
        } else {
            for (at, other) in operands.iter().enumerate().skip(1) {
                let count = narrowest.count(operand);
                if count <= FEW {
                    break;
                }
                let Some(by_value) = self.by_join(facts, query, at).filter(|by_value| by_value.unknown.len() <= FEW)
                else {
                    continue;
                };
                if by_value.count(other) < count {
                    (narrowest, operand) = (by_value, other);
                }
            }
        }
        let mut found: Vec<usize> =
            narrowest.having(operand).flatten().chain(narrowest.few_unknown()).copied().collect();
        found.sort_unstable();
        found.dedup();
        found
    }

    /// What those say that have the values of an entity at the paths of the joins. Worked out once where nothing ties them
    /// to an entity, or where they are many: `weigh` says it, and how many it looked at.
    pub(crate) fn weighed(&self, operands: &[Bound], weigh: impl FnOnce() -> (Tally, usize)) -> Rc<Tally> {
        let key: Vec<Key> = operands.iter().map(Key::from).collect();
        if let Some(weighed) = self.weighed.borrow().get(&key) {
            return Rc::clone(weighed);
        }
        let (tally, looked_at) = weigh();
        let tally = Rc::new(tally);
        if key.is_empty() || looked_at > FEW {
            self.weighed.borrow_mut().insert(key, Rc::clone(&tally));
        }
        tally
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use facts::node::{Node, Value};
    use facts::object::{Form, Object, ObjectRecord, Shown, Sighting, Tree};
    use facts::order::Order;
    use facts::origin::MemberId;
    use facts::path::Path;
    use facts::presence::Presence;
    use proptest::prelude::*;
    use signature::load::Library;
    use signature::model::Query;
    use signature::pack::Pack;

    pub(crate) const OWN: ContextId = ContextId(0);

    pub(crate) fn map(fields: impl IntoIterator<Item = (&'static str, Value)>) -> Value {
        Value::Map(fields.into_iter().map(|(name, value)| (name.into(), Node::new(1, value))).collect())
    }

    pub(crate) fn pods() -> KindName {
        KindName::parse("pods")
    }

    /// Pods with their namespace and, where it is known, their Node: those of a table do not show it.
    fn facts(all: &[(&str, Option<&str>)]) -> Facts {
        let text = |text: &str| Value::Str(text.into());
        let pod = |(namespace, node): &(&str, Option<&str>)| {
            let spec = node.filter(|node| !node.is_empty()).map(|node| ("spec", map([("nodeName", text(node))])));
            (text(namespace), spec, node.is_some())
        };
        facts_of(all.iter().map(pod))
    }

    /// Pods with their namespace and a part of their tree; those that are not shown whole are rows of a table without it.
    pub(crate) fn facts_of(all: impl Iterator<Item = (Value, Option<(&'static str, Value)>, bool)>) -> Facts {
        let mut facts = Facts::default();
        for (number, (namespace, part, whole)) in all.enumerate() {
            let (id, name) = (ObjectId(number as u32), format!("pod-{number}"));
            let own_namespace = Node::new(1, namespace.clone()).to_string();
            let metadata = map([("name", Value::Str(name.as_str().into())), ("namespace", namespace)]);
            let tree = map([("metadata", metadata)].into_iter().chain(part));
            let path = |text: &str| Path::parse(text).expect("a path");
            let of_table = Shown::Paths([path("metadata.name"), path("metadata.namespace")].into_iter().collect());
            let record = ObjectRecord {
                kind: Some(pods()),
                api_version: None,
                namespace: Some(own_namespace),
                name: name.clone(),
                uid: None,
                form: if whole { Form::Yaml } else { Form::Table },
                shown: if whole { Shown::Everything } else { of_table },
                node: Tree::of(Node::new(1, tree)),
                member: MemberId(0),
                line: 1,
                path: String::new(),
                order: Order::default(),
            };
            facts.by_kind.entry((OWN, pods())).or_default().push(id);
            facts.objects.push(Object {
                context: OWN,
                kind: pods(),
                namespace: record.namespace.clone(),
                name,
                uid: None,
                sightings: vec![Sighting { record, resource_version: None }],
                shadow: false,
                presence: Presence::There,
            });
        }
        facts
    }

    fn query(joins: &str) -> ObjectQuery {
        let library = library(&format!("kind: pods\n      join: [{joins}]"));
        let signature = library.get("T-1").expect("it is there");
        match &signature.evidence.first().expect("one").query {
            Query::Object(query) => query.clone(),
            Query::Log(_) => unreachable!("it asks for objects"),
        }
    }

    /// A library of one signature that asks for objects.
    pub(crate) fn library(object: &str) -> Library {
        let text = format!(
            "schema: 1\nid: T-1\nname: a-test\ntitle: A test\nsummary: A test.\nstatus: test\nseverity: low\nreviewed: 2026-11-21\n\
             references: [{{ title: None }}]\nentity:\n  name: node\n  object: {{ kind: nodes }}\nevidence:\n  - id: some\n    role: hallmark\n    \
             claim: Some\n    object:\n      {object}\nremediation: {{ steps: [{{ do: Nothing. }}], verify: [It is well.] }}\n\
             verdict:\n  confirmed: some\n"
        );
        Library::of(&[Pack::of("test", vec![("t.yaml".to_owned(), text)])]).expect("a signature")
    }

    const BY_NAMESPACE: &str = "{ path: metadata.namespace, is: $node.name }";
    const BY_NODE: &str = "{ path: spec.nodeName, is: $node.name }";

    fn values(text: &str) -> Bound {
        Bound::Values(vec![text.to_owned()])
    }

    fn own(facts: &Facts, joins: [(&str, Bound); 2]) -> (Vec<u32>, u64) {
        let [(first, of_first), (second, of_second)] = joins;
        let query = query(&format!("{first}, {second}"));
        let library = Library::default();
        let sifted = Sifted::new(facts, &query, &[pods()], OWN, &Indexed::new(facts, &library));
        let mut beyond = 0;
        let found = sifted.of_entity(facts, &query, (None, &[of_first, of_second]), &mut beyond);
        (found.into_iter().map(|(id, _)| id.0).collect(), beyond)
    }

    #[test]
    fn the_join_that_leaves_fewer_decides() {
        let nodes: Vec<String> = (0..300).map(|number| format!("n-{}", number / 3)).collect();
        let all: Vec<_> = nodes.iter().map(|node| ("shop", Some(node.as_str()))).collect();
        let facts = facts(&all);
        let found = own(&facts, [(BY_NAMESPACE, values("shop")), (BY_NODE, values("n-7"))]);
        assert_eq!(found, (vec![21, 22, 23], 0));
        // None has it, and none can.
        let none = own(&facts, [(BY_NAMESPACE, values("shop")), (BY_NODE, Bound::NotSet)]);
        assert_eq!(none, (vec![], 0));
    }

    #[test]
    fn what_many_say_alike_is_weighed_once() {
        let facts = facts(&[("shop", None)]);
        let query = query(BY_NODE);
        let library = Library::default();
        let sifted = Sifted::new(&facts, &query, &[pods()], OWN, &Indexed::new(&facts, &library));
        let weighed = |operands: &[Bound], looked_at: usize| {
            let mut times = 0;
            for _ in 0..3 {
                sifted.weighed(operands, || {
                    times += 1;
                    (Tally::default(), looked_at)
                });
            }
            times
        };
        assert_eq!(weighed(&[], 1), 1);
        assert_eq!(weighed(&[values("shop")], FEW + 1), 1);
        // Of another namespace they say something else.
        assert_eq!(weighed(&[values("bank")], FEW + 1), 1);
        // A few are looked at again: what each Node has of its own is not kept for all of them.
        assert_eq!(weighed(&[values("n-1")], FEW), 3);
    }

    proptest! {
        /// Whoever can match is tested or counted, in whatever order the joins stand.
        #[test]
        fn nobody_who_can_match_is_left_out(
            all in prop::collection::vec((prop::sample::select(vec!["shop", "shop", "shop", "bank"]), prop::option::weighted(0.9, prop::sample::select(vec!["", "n-1", "n-2", "n-2"]))), 0..400),
        ) {
            let facts = facts(&all);
            let (namespace, node) = (|| (BY_NAMESPACE, values("shop")), || (BY_NODE, values("n-1")));
            for joins in [[namespace(), node()], [node(), namespace()]] {
                let (found, beyond) = own(&facts, joins);
                let may_match = |of: &(&str, Option<&str>)| of.0 == "shop" && of.1.is_none_or(|node| node == "n-1");
                let left_out = (0u32..).zip(&all).filter(|(id, of)| may_match(of) && !found.contains(id)).count() as u64;
                prop_assert!(left_out <= beyond, "{left_out} of {} are not tested, and {beyond} counted", all.len());
                prop_assert!((0u32..).zip(&all).all(|(id, of)| of.1 != Some("n-1") || of.0 != "shop" || found.contains(&id)));
            }
        }
    }
}
