//! One object, many sightings: which records are readings of the same object, and which of two lists of
//! one scope to believe.
//!
//! Invariants: the result does not depend on the order of records; `lo` counts the fewest objects that
//! the sightings allow, so what may be one object is one; what could be several is a shadow of none.

use facts::coverage::{Answer, Basis, Namespaces, State};
use facts::kind::KindName;
use facts::node::Node;
use facts::object::{ContextId, Object, ObjectRecord, Shown, Sighting};
use facts::origin::{MemberId, MemberName};
use facts::presence::Presence;
use facts::shortfall::WhyPartial;
use facts::store::Coverage;
use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};

/// Puts the records of one kind of one context together into objects.
pub(crate) fn merge(
    context: ContextId,
    kind: &KindName,
    cluster_scoped: bool,
    records: Vec<ObjectRecord>,
    members: &BTreeMap<MemberId, MemberName>,
) -> Vec<Object> {
    let mut objects: Vec<Object> = Vec::new();
    let new = |record: &ObjectRecord, shadow| Object {
        context,
        kind: kind.clone(),
        namespace: record.namespace.clone(),
        name: record.name.clone(),
        uid: record.uid.clone(),
        sightings: Vec::new(),
        shadow,
        presence: Presence::There,
    };
    let (with_uid, rest): (Vec<_>, Vec<_>) = records.into_iter().partition(|r| r.uid.is_some());
    let (with_namespace, without): (Vec<_>, Vec<_>) =
        rest.into_iter().partition(|r| cluster_scoped || r.namespace.is_some());
    let mut by_uid: BTreeMap<(String, String), usize> = BTreeMap::new();
    for record in with_uid {
        let key = (record.uid.clone().unwrap_or_default(), record.name.clone());
        let index = *by_uid.entry(key).or_insert_with(|| {
            objects.push(new(&record, false));
            objects.len() - 1
        });
        join(&mut objects[index], record);
    }
    let events = kind.group.is_empty() && kind.plural == "events";
    for records in [with_namespace, without] {
        // Fit against what was there before this round, so that the order inside it does not matter.
        let mut by_name: BTreeMap<String, Vec<usize>> = BTreeMap::new();
        for (index, object) in objects.iter().enumerate() {
            by_name.entry(object.name.clone()).or_default().push(index);
            if events && let Some(stated) = event_key(&object.sightings[0].record) {
                by_name.entry(stated).or_default().push(index);
            }
        }
        let mut fresh: BTreeMap<(Option<String>, String), usize> = BTreeMap::new();
        for record in records {
            let fits = |index: &usize| {
                let object = &objects[*index];
                cluster_scoped
                    || record.namespace.is_none()
                    || object.namespace.is_none()
                    || object.namespace == record.namespace
            };
            let key = if events && record.name.contains('#') { event_key(&record) } else { None };
            let found: Vec<usize> = by_name
                .get(key.as_ref().unwrap_or(&record.name))
                .map(|all| all.iter().copied().filter(|i| fits(i)).collect())
                .unwrap_or_default();
            let index = match found.as_slice() {
                [one] => *one,
                // A row of events that says what several events say adds nothing to them, and its count is
                // the count of nobody knows which.
                [_, _, ..] if key.is_some() => continue,
                several => {
                    let shadow = !several.is_empty();
                    let name = key.unwrap_or_else(|| record.name.clone());
                    *fresh.entry((record.namespace.clone(), name)).or_insert_with(|| {
                        objects.push(new(&record, shadow));
                        objects.len() - 1
                    })
                }
            };
            join(&mut objects[index], record);
        }
    }
    for object in &mut objects {
        object.sightings.sort_by(|a, b| rank(a, b, members));
    }
    objects.sort_by(|a, b| (&a.namespace, &a.name, &a.uid, a.shadow).cmp(&(&b.namespace, &b.name, &b.uid, b.shadow)));
    objects
}

/// What an event states, for matching a table row without a name with the event itself.
fn event_key(record: &ObjectRecord) -> Option<String> {
    let text = |keys: &[&str]| record.node.at(keys).and_then(Node::as_str).map(str::trim);
    let object = text(&["involvedObject", "name"]).or_else(|| text(&["regarding", "name"]))?;
    let message = text(&["message"]).or_else(|| text(&["note"]))?;
    Some(format!("#{object}#{}#{message}", text(&["reason"])?))
}

fn join(object: &mut Object, record: ObjectRecord) {
    if object.namespace.is_none() {
        object.namespace.clone_from(&record.namespace);
    }
    let version = record.node.at(&["metadata", "resourceVersion"]).and_then(|n| n.value.scalar());
    object.sightings.push(Sighting { resource_version: version.and_then(|v| v.parse().ok()), record });
}

/// The order in which sightings are listed: the newer before the older where an order is known, full
/// forms before partial ones, then by member and line.
fn rank(a: &Sighting, b: &Sighting, members: &BTreeMap<MemberId, MemberName>) -> Ordering {
    let key = |s: &Sighting| {
        (
            std::cmp::Reverse(s.resource_version),
            std::cmp::Reverse(s.record.order.time),
            s.record.shown != Shown::Everything,
            s.record.form,
            members.get(&s.record.member).cloned(),
            std::cmp::Reverse(s.record.order.transcript.map(|(_, position)| position)),
            s.record.line,
            s.record.path.clone(),
        )
    };
    key(a).cmp(&key(b))
}

/// A list as it claims to be whole, with the objects that it names.
pub(crate) struct List {
    /// The place of its answer.
    pub(crate) at: usize,
    names: BTreeSet<(Option<String>, String)>,
}

impl List {
    /// Does it name an object so, in whatever namespace?
    pub(crate) fn names_any(&self, name: &str) -> bool {
        self.names.iter().any(|(_, named)| named == name)
    }

    /// Does it name the object? A row that shows no namespace may be about any object of its name.
    pub(crate) fn holds(&self, object: &Object) -> bool {
        let name = object.name.as_str();
        self.names.contains(&(object.namespace.clone(), name.to_owned()))
            || self.names.contains(&(None, name.to_owned()))
            || object.namespace.is_none() && self.names.iter().any(|(_, named)| named == name)
    }
}

/// Line, namespace and name of everything that was read of a kind in a member.
pub(crate) type Named = BTreeMap<(KindName, MemberId), Vec<(u32, Option<String>, String)>>;

/// The lists that claim to be whole in the coverage of a context, by kind.
fn whole_lists(coverage: &[Coverage], named: &Named) -> BTreeMap<KindName, Vec<List>> {
    let mut lists: BTreeMap<KindName, Vec<List>> = BTreeMap::new();
    // Where each answer about a kind stands in its member, to tell to which list an object belongs.
    let mut starts: BTreeMap<(KindName, MemberId), Vec<u32>> = BTreeMap::new();
    for c in coverage.iter() {
        let key = (c.answer.kind.clone(), c.answer.citation.member);
        starts.entry(key).or_default().push(c.answer.citation.line);
    }
    for lines in starts.values_mut() {
        lines.sort_unstable();
        lines.dedup();
    }
    for (at, c) in coverage.iter().enumerate() {
        let a = &c.answer;
        let whole = matches!(a.state, State::Complete | State::Empty)
            && a.basis != Basis::Named
            && a.selector.is_none()
            && a.names.is_none();
        if !whole {
            continue;
        }
        let key = (a.kind.clone(), a.citation.member);
        let lines = starts.get(&key).map_or(&[][..], Vec::as_slice);
        let next = lines.iter().copied().find(|l| *l > a.citation.line).unwrap_or(u32::MAX);
        let first = lines.first().is_some_and(|l| *l == a.citation.line);
        let names = if a.state == State::Empty {
            BTreeSet::new()
        } else {
            named
                .get(&key)
                .into_iter()
                .flatten()
                .filter(|(line, ..)| *line < next && (*line >= a.citation.line || first))
                .map(|(_, namespace, name)| (namespace.clone(), name.clone()))
                .collect()
        };
        lists.entry(a.kind.clone()).or_default().push(List { at, names });
    }
    lists
}

/// Two lists of one scope that name different objects: neither is whole, unless an order is known; then
/// the later one is. What loses becomes partial, with the reason. Returns the lists of a context as they were.
pub(crate) fn doubt_lists(
    coverage: &mut [Coverage],
    named: &Named,
    members: &BTreeMap<MemberId, MemberName>,
) -> BTreeMap<KindName, Vec<List>> {
    let mut lost: BTreeMap<usize, WhyPartial> = BTreeMap::new();
    let whole = whole_lists(coverage, named);
    for lists in whole.values() {
        for (i, a) in lists.iter().enumerate() {
            for b in &lists[..i] {
                let (one, two) = (&coverage[a.at].answer, &coverage[b.at].answer);
                if !differ(a, b, one, two) {
                    continue;
                }
                let why = |other: &Answer, is_later: bool| {
                    let member =
                        members.get(&other.citation.member).map_or_else(|| "?".into(), |name| name.shown().clone());
                    WhyPartial::OtherObjects { is_later, member, line: other.citation.line }
                };
                match one.order.compare_looks(&two.order) {
                    Some(Ordering::Greater) => {
                        lost.insert(b.at, why(one, true));
                    }
                    Some(Ordering::Less) => {
                        lost.insert(a.at, why(two, true));
                    }
                    _ => {
                        lost.entry(a.at).or_insert_with(|| why(two, false));
                        lost.entry(b.at).or_insert_with(|| why(one, false));
                    }
                }
            }
        }
    }
    for (at, why) in lost {
        coverage[at].answer.state = State::Partial(why);
    }
    whole
}

/// Do the lists name different objects where their scopes meet?
fn differ(a: &List, b: &List, one: &Answer, two: &Answer) -> bool {
    // Rows of events are named after what they say: they compare with each other, and not with the names of
    // Events.
    let of_rows = |list: &List| list.names.iter().next().map(|(_, name)| name.contains('#'));
    if let (Some(one), Some(two)) = (of_rows(a), of_rows(b))
        && one != two
    {
        return false;
    }
    let Some(shared) = shared(&one.namespaces, &two.namespaces) else { return false };
    let inside = |n: &Option<String>| shared.as_ref().is_none_or(|s| n.as_ref().is_none_or(|n| s.contains(&n)));
    let part = |list: &List| -> BTreeSet<(Option<String>, String)> {
        list.names.iter().filter(|(namespace, _)| inside(namespace)).cloned().collect()
    };
    part(a) != part(b)
}

/// The namespaces that two scopes share: `None` if none, `Some(None)` if all.
fn shared<'a>(a: &'a Namespaces, b: &'a Namespaces) -> Option<Option<Vec<&'a String>>> {
    match (a, b) {
        (Namespaces::All, Namespaces::All) => Some(None),
        (Namespaces::All, Namespaces::Some(some)) | (Namespaces::Some(some), Namespaces::All) => {
            (!some.is_empty()).then(|| Some(some.iter().collect()))
        }
        (Namespaces::Some(x), Namespaces::Some(y)) => {
            let both: Vec<&String> = x.iter().filter(|n| y.contains(n)).collect();
            (!both.is_empty()).then_some(Some(both))
        }
    }
}
