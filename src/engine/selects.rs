//! Whether the selector of one object chooses another by its labels.
//!
//! Why: much in Kubernetes names what it works on by labels alone, and says nothing where it finds none. Which object that is
//! can be told without any message.
//!
//! Invariants: all requirements of a selector hold together; an empty one chooses all, one that is not set chooses nothing
//! (Kubernetes API, `LabelSelector`); of labels or a selector that are not known nothing is chosen and nothing left out. A kind
//! whose own rule for a selector that is not set differs needs a condition beside.

use crate::binding::{self, Bound};
use crate::gap::{Gap, PathOf, Why};
use crate::logic::Truth;
use facts::node::Node;
use facts::object::{Form, Lookup, ObjectId, ObjectRecord, Sighting};
use facts::path::{Path, Step};
use facts::store::Facts;
use signature::model::Selects;
use std::collections::{BTreeMap, BTreeSet};

/// One requirement of a selector.
#[derive(Debug, PartialEq, Eq)]
struct Requirement {
    key: String,
    asks: Asks,
}

/// What a requirement asks of the label.
#[derive(Debug, PartialEq, Eq)]
enum Asks {
    In(Vec<String>),
    NotIn(Vec<String>),
    Exists,
    DoesNotExist,
}

impl Asks {
    fn holds(&self, label: &Bound) -> Truth {
        let (one_of, wanted) = match self {
            Self::Exists => return Self::DoesNotExist.holds(label).negate(),
            Self::DoesNotExist => {
                return match label {
                    Bound::NotSet => Truth::True,
                    Bound::Values(_) | Bound::OneOf(_) => Truth::False,
                    Bound::Unknown(_) => Truth::Unknown,
                };
            }
            Self::In(wanted) => (true, wanted),
            Self::NotIn(wanted) => (false, wanted),
        };
        match label {
            Bound::NotSet => Truth::known(!one_of),
            Bound::Unknown(_) => Truth::Unknown,
            Bound::Values(values) | Bound::OneOf(values) => {
                let fitting = values.iter().filter(|value| wanted.contains(value)).count();
                match fitting {
                    0 => Truth::known(!one_of),
                    all if all == values.len() => Truth::known(one_of),
                    _ => Truth::Unknown,
                }
            }
        }
    }
}

/// What a selector is known to ask for.
enum Selector {
    Asks(Vec<Requirement>),
    NotSet,
    Unknown(Gap),
}

/// Does the selector of the one choose the other? With the reason, if that is not known.
pub(crate) fn holds(facts: &Facts, selects: &Selects, entity: ObjectId, found: ObjectId) -> (Truth, Option<Gap>) {
    let (choosing, chosen) = if selects.by_entity { (entity, found) } else { (found, entity) };
    match selector(facts, choosing, &selects.selector) {
        Selector::NotSet => (Truth::False, None),
        Selector::Unknown(gap) => (Truth::Unknown, Some(gap)),
        Selector::Asks(all) => {
            let (mut truth, mut why) = (Truth::True, None);
            for requirement in &all {
                let bound = label(facts, chosen, &selects.labels, &requirement.key);
                let held = requirement.asks.holds(&bound);
                if let (Truth::Unknown, None) = (held, &why) {
                    why = Some(match bound {
                        Bound::Unknown(gap) => gap,
                        _ => Gap::new(Why::Differ(PathOf::of(facts, chosen, &selects.labels))),
                    });
                }
                truth = truth.and(held);
            }
            (truth, why.filter(|_| truth == Truth::Unknown))
        }
    }
}

fn label(facts: &Facts, id: ObjectId, labels: &Path, key: &str) -> Bound {
    let mut path = labels.clone();
    path.0.push(Step::Key(key.to_owned()));
    binding::at_path(facts, id, &path)
}

fn selector(facts: &Facts, id: ObjectId, path: &Path) -> Selector {
    let open = |why: Why| {
        let object = facts.object(id);
        Selector::Unknown(Gap::new(why).wanting(object.context, &object.kind))
    };
    let (lookup, sighting) = facts.lookup_in(id, path);
    let node = match lookup {
        Lookup::NotSet(_) => return Selector::NotSet,
        Lookup::NotSetOrEmpty(_) => return open(Why::NotSetOrEmpty),
        Lookup::Redacted(_) => return open(Why::Masked(Some(PathOf::of(facts, id, path)))),
        Lookup::AtLeast(_) => return open(Why::SomeItems(Some(PathOf::of(facts, id, path)))),
        Lookup::Unknown(unknown) => return open(Why::LookUp(unknown)),
        Lookup::Found(values) => match values.as_slice() {
            [(node, _)] => *node,
            _ => return open(Why::NotComparable(PathOf::of(facts, id, path))),
        },
    };
    // The generic description prints keys in title case, so that nobody knows how they are written.
    let exact = |record: &ObjectRecord| record.form != Form::Describe && record.shown.text().covers(path);
    match requirements(node).filter(|_| sighting.is_some_and(|sighting| exact(&sighting.record))) {
        Some(all) => Selector::Asks(all),
        None => open(Why::NotComparable(PathOf::of(facts, id, path))),
    }
}

/// What a selector asks for: `matchLabels` and `matchExpressions`, or a map of labels. `None` if it is of another form.
fn requirements(node: &Node) -> Option<Vec<Requirement>> {
    let entries = node.entries();
    if entries.is_empty() {
        return node.value.is_empty().then(Vec::new);
    }
    let is_plain = entries.iter().all(|(key, _)| !matches!(key.as_str(), "matchLabels" | "matchExpressions"));
    if is_plain {
        return pairs(node);
    }
    let mut all = Vec::new();
    for (key, part) in entries {
        match key.as_str() {
            _ if part.value.is_empty() => {}
            "matchLabels" => all.extend(pairs(part)?),
            "matchExpressions" => {
                for item in part.items() {
                    all.push(expression(item)?);
                }
            }
            _ => return None,
        }
    }
    Some(all)
}

fn pairs(node: &Node) -> Option<Vec<Requirement>> {
    let one = |(key, node): &(facts::node::SmolStr, Node)| {
        Some(Requirement { key: key.to_string(), asks: Asks::In(vec![node.value.scalar()?]) })
    };
    node.entries().iter().map(one).collect()
}

fn expression(item: &Node) -> Option<Requirement> {
    let key = item.field("key")?.as_str()?.to_owned();
    let values = || -> Option<Vec<String>> { item.field("values")?.items().iter().map(|v| v.value.scalar()).collect() };
    let asks = match item.field("operator")?.as_str()? {
        "In" => Asks::In(values()?),
        "NotIn" => Asks::NotIn(values()?),
        "Exists" => Asks::Exists,
        "DoesNotExist" => Asks::DoesNotExist,
        _ => return None,
    };
    Some(Requirement { key, asks })
}

/// A label as a selector asks for it.
type Label = (String, String);

/// The objects of a query by the labels that tie them to an entity, so that no entity meets all of them.
#[derive(Debug, Default)]
pub(crate) struct ByLabel {
    known: BTreeMap<Label, BTreeSet<usize>>,
    /// Those of which no label decides.
    others: BTreeSet<usize>,
}

impl ByLabel {
    /// Sorts objects by their labels, or by one label that their selector asks for.
    pub(crate) fn new(facts: &Facts, selects: &Selects, objects: impl Iterator<Item = ObjectId>) -> Self {
        let mut sorted = Self::default();
        for (index, id) in objects.enumerate() {
            let keys = if selects.by_entity { labels(facts, id, selects) } else { asked(facts, id, selects) };
            match keys {
                None => drop(sorted.others.insert(index)),
                Some(keys) => keys.into_iter().take(if selects.by_entity { usize::MAX } else { 1 }).for_each(|label| {
                    sorted.known.entry(label).or_default().insert(index);
                }),
            }
        }
        sorted
    }

    /// Those that an entity may be tied to, and those of which no label decides; `None` if it may be any.
    pub(crate) fn of_entity(
        &self,
        facts: &Facts,
        selects: &Selects,
        entity: ObjectId,
    ) -> Option<(BTreeSet<usize>, &BTreeSet<usize>)> {
        let none = BTreeSet::new();
        let having = |label: &Label| self.known.get(label);
        let found = if selects.by_entity {
            let labels = asked(facts, entity, selects)?;
            labels.iter().map(|label| having(label).unwrap_or(&none)).min_by_key(|all| all.len()).cloned()
        } else {
            let labels = labels(facts, entity, selects)?;
            Some(labels.iter().filter_map(having).flatten().copied().collect())
        };
        Some((found.unwrap_or_default(), &self.others))
    }
}

/// The labels of an object; `None` if they are not known.
fn labels(facts: &Facts, id: ObjectId, selects: &Selects) -> Option<Vec<Label>> {
    let (lookup, sighting) = facts.lookup_in(id, &selects.labels);
    // A column shows one label, and says nothing of others.
    let is_whole = |sighting: &Sighting| sighting.record.shown.text().covers(&selects.labels);
    match lookup {
        Lookup::NotSet(_) => Some(Vec::new()),
        Lookup::Found(values) if sighting.is_some_and(is_whole) => match values.as_slice() {
            [(node, _)] => {
                let one = |(key, node): &(facts::node::SmolStr, Node)| Some((key.to_string(), node.value.scalar()?));
                node.entries().iter().map(one).collect()
            }
            _ => None,
        },
        _ => None,
    }
}

/// The labels that the selector of an object asks for; `None` if it may choose one that has none of them.
fn asked(facts: &Facts, id: ObjectId, selects: &Selects) -> Option<Vec<Label>> {
    let all = match selector(facts, id, &selects.selector) {
        Selector::NotSet => return Some(Vec::new()),
        Selector::Unknown(_) => return None,
        Selector::Asks(all) => all,
    };
    let one = |requirement: Requirement| match requirement.asks {
        Asks::In(values) => <[String; 1]>::try_from(values).ok().map(|[value]| (requirement.key, value)),
        _ => None,
    };
    Some(all.into_iter().filter_map(one).collect()).filter(|labels: &Vec<Label>| !labels.is_empty())
}
