//! Which objects are not there any more: what a later answer, a later list or a later object of the same name says.
//!
//! Invariants: only what was stated and is later than every sighting makes an object gone; without an order it is in
//! dispute, and a list that lacks it is not whole, because one of the two is not the present; nothing depends on the
//! order of members.

use facts::coverage::{Answer, Basis, Namespaces, State};
use facts::kind::KindName;
use facts::node::Node;
use facts::object::{Object, Sighting};
use facts::order::Order;
use facts::origin::{Citation, MemberId, MemberName};
use facts::parallel;
use facts::presence::{Ended, How, Presence};
use facts::shortfall::WhyPartial;
use facts::store::Coverage;
use std::cmp::Ordering;
use std::collections::BTreeMap;

use crate::lists::AllLists;

/// Kinds of which a cluster never makes a second object of one name in its ordinary life: two of them are two
/// clusters, which `contexts` tells apart.
const ONCE: [&str; 5] = [
    "clusters.cluster.x-k8s.io",
    "clusters.platform.tkestack.io",
    "customresourcedefinitions.apiextensions.k8s.io",
    "namespaces",
    "nodes",
];

/// Objects of one name that are held each against each.
const EACH: usize = 64;

/// Tells which objects of a context are gone or in dispute, and makes those lists partial that lack what is there.
pub(crate) fn settle(
    objects: &mut [Object],
    coverage: &mut [Coverage],
    lists: &AllLists,
    members: &BTreeMap<MemberId, MemberName>,
) {
    replaced(objects);
    let mut gone_by: BTreeMap<(KindName, String), Vec<usize>> = BTreeMap::new();
    for (at, c) in coverage.iter().enumerate() {
        if let Some(name) = missing_name(&c.answer) {
            gone_by.entry((c.answer.kind.clone(), name.to_owned())).or_default().push(at);
        }
    }
    let looks = Looks { coverage: &*coverage, lists, gone_by: &gone_by };
    let mut lacking: BTreeMap<usize, (String, Citation)> = BTreeMap::new();
    let found = parallel::map(objects, |object| looks.at(object));
    for (object, found) in objects.iter_mut().zip(found) {
        for at in found.lacking {
            lacking.entry(at).or_insert_with(|| (object.name.clone(), place(object)));
        }
        if found.presence != Presence::There {
            object.presence = surer(std::mem::take(&mut object.presence), found.presence);
        }
    }
    let since = made_since(coverage, lists, &gone_by);
    let doubts = lacking.into_iter().chain(since);
    for (at, (name, citation)) in doubts.collect::<Vec<_>>() {
        let member = members.get(&citation.member).map_or_else(|| "?".into(), |name| name.shown().clone());
        let why = WhyPartial::Lacks { name: name.into(), member, line: citation.line };
        if let Some(c) = coverage.get_mut(at) {
            c.answer.state = State::Partial(why);
        }
    }
}

/// What the answers of a context say of one object.
struct Looks<'a> {
    coverage: &'a [Coverage],
    lists: &'a AllLists,
    /// The answers that say of one name that it is not there.
    gone_by: &'a BTreeMap<(KindName, String), Vec<usize>>,
}

/// What was found of one object.
#[derive(Default)]
struct Found {
    presence: Presence,
    /// The lists that lack it though nothing says that they are later.
    lacking: Vec<usize>,
}

impl Looks<'_> {
    fn at(&self, object: &Object) -> Found {
        let mut found = Found::default();
        if object.shadow || object.is_manifest() || object.presence.is_gone() || passes_by(&object.kind) {
            return found;
        }
        let named = match self.gone_by.is_empty() {
            true => None,
            false => self.gone_by.get(&(object.kind.clone(), object.name.clone())),
        };
        for at in named.into_iter().flatten() {
            let Some(c) = self.coverage.get(*at) else { continue };
            if speaks_of(&c.answer.namespaces, object) {
                // kubectl says `deleted` as soon as the API server has taken the request, and then waits.
                if matches!(c.answer.state, State::Deleted(_)) && is_leaving(object) {
                    continue;
                }
                let how = if matches!(c.answer.state, State::NotFound(_)) { How::NotFound } else { How::Deleted };
                let ended = Ended { how, citation: c.answer.citation.clone() };
                found.presence = surer(found.presence, told(&c.answer, object, ended));
            }
        }
        for list in self.lists.of(&object.kind, object.namespace.as_deref()) {
            let Some(c) = self.coverage.get(list.at) else { continue };
            if !speaks_of(&c.answer.namespaces, object) || list.holds(object) {
                continue;
            }
            let ended = Ended { how: How::NotListed, citation: c.answer.citation.clone() };
            let told = told(&c.answer, object, ended);
            if later_than_all(&c.answer.order, object).is_none() {
                found.lacking.push(list.at);
                // A list whose command is not known may have been narrowed: then it tells nothing of the object.
                if c.answer.basis != Basis::Stated {
                    continue;
                }
            }
            found.presence = surer(found.presence, told);
        }
        found
    }
}

/// Is the object shown while it is being deleted?
fn is_leaving(object: &Object) -> bool {
    let is = |node: &Node, path: &[&str]| node.at(path).and_then(Node::as_str) == Some("Terminating");
    object.sightings.iter().map(|sighting| &sighting.record.node).any(|node| {
        node.at(&["metadata", "deletionTimestamp"]).is_some()
            || is(node, &["status", "phase"])
            || is(node, &["status", "kubectlStatus"])
    })
}

/// The answers that lack what somebody made after them: `service/web created`. With the name, and where that stands.
fn made_since(
    coverage: &[Coverage],
    lists: &AllLists,
    gone_by: &BTreeMap<(KindName, String), Vec<usize>>,
) -> Vec<(usize, (String, Citation))> {
    let mut found = Vec::new();
    for made in coverage.iter().map(|c| &c.answer) {
        let State::Created(name) = &made.state else { continue };
        let said_before = |answer: &Answer| answer.order.compare_looks(&made.order) != Some(Ordering::Greater);
        let in_scope = |answer: &Answer| match (&answer.namespaces, &made.namespaces) {
            (Namespaces::All, _) => true,
            // Without its namespace it may have been made in this one.
            (Namespaces::Some(asked), Namespaces::Some(made)) => {
                made.is_empty() || made.iter().any(|namespace| asked.contains(namespace))
            }
            (Namespaces::Some(_), Namespaces::All) => false,
        };
        let of_kind = |answer: &Answer| answer.kind == made.kind && in_scope(answer) && said_before(answer);
        let named = gone_by.get(&(made.kind.clone(), name.to_string())).into_iter().flatten().copied();
        let not_found = named.filter(|at| {
            let answer = coverage.get(*at).map(|c| &c.answer);
            answer.is_some_and(|answer| of_kind(answer) && matches!(answer.state, State::NotFound(_)))
        });
        let lacking = lists
            .all(&made.kind)
            .filter(|list| coverage.get(list.at).is_some_and(|c| of_kind(&c.answer)) && !list.names_any(name));
        let all = not_found.chain(lacking.map(|list| list.at));
        found.extend(all.map(|at| (at, (name.to_string(), made.citation.clone()))));
    }
    found
}

/// Kinds that come and go by themselves, so that one sighting says nothing against another: events are forgotten
/// after an hour, and what programs of a node print is no object of the API server.
fn passes_by(kind: &KindName) -> bool {
    kind.group == "casefile.dev" || kind.plural == "events"
}

/// The one name that an answer says is not there.
fn missing_name(answer: &Answer) -> Option<&str> {
    match &answer.state {
        State::NotFound(name) | State::Deleted(name) => Some(name),
        _ => None,
    }
}

/// Does an answer for these namespaces speak of the object?
fn speaks_of(namespaces: &Namespaces, object: &Object) -> bool {
    match namespaces {
        Namespaces::All => true,
        Namespaces::Some(some) => object.namespace.as_ref().is_some_and(|own| some.contains(own)),
    }
}

/// Whether an object is still there, by an answer that does not name it.
fn told(answer: &Answer, object: &Object, ended: Ended) -> Presence {
    match later_than_all(&answer.order, object) {
        Some(true) if answer.basis == Basis::Stated || missing_name(answer).is_some() => Presence::Gone(ended),
        Some(true) | None => Presence::Disputed(ended),
        Some(false) => Presence::There,
    }
}

/// The one of two that says more against an object; of equal ones the first.
fn surer(a: Presence, b: Presence) -> Presence {
    let rank = |presence: &Presence| match presence {
        Presence::There => 0,
        Presence::Disputed(_) => 1,
        Presence::Gone(_) => 2,
    };
    if rank(&b) > rank(&a) { b } else { a }
}

/// Was an answer given after everything that shows the object? `Some(false)` if the object was seen after it, `None`
/// if nothing tells.
fn later_than_all(answer: &Order, object: &Object) -> Option<bool> {
    let mut all_before = true;
    for sighting in &object.sightings {
        match later_than(answer, sighting) {
            Some(Ordering::Less) => return Some(false),
            Some(Ordering::Greater) => {}
            _ => all_before = false,
        }
    }
    all_before.then_some(true)
}

/// Is an answer later than a sighting? A list of a version after that of the object's state shows a later cluster, for
/// an object whose UID is gone does not come back.
fn later_than(answer: &Order, sighting: &Sighting) -> Option<Ordering> {
    let by_version = || Some(answer.list_version?.cmp(&sighting.resource_version?));
    answer.compare_looks(&sighting.record.order).or_else(by_version)
}

/// Where the object stands.
fn place(object: &Object) -> Citation {
    let first = object.sightings.first().map(|sighting| &sighting.record);
    let (member, line) = first.map_or((MemberId(0), 0), |record| (record.member, record.line));
    Citation::line(member, line, &format!("{} {}", object.kind, object.name))
}

/// Of several objects of one name the later one took the place of the others.
fn replaced(objects: &mut [Object]) {
    let key = |index: &usize| {
        objects.get(*index).map(|object| (&object.kind, object.namespace.as_deref(), object.name.as_str()))
    };
    let may_be = |object: &Object| object.uid.is_some() && !object.shadow && !passes_by(&object.kind);
    let mut by_name: Vec<usize> = (0..objects.len()).filter(|index| objects.get(*index).is_some_and(may_be)).collect();
    by_name.sort_by(|a, b| key(a).cmp(&key(b)));
    let mut found: Vec<(usize, Presence)> = Vec::new();
    for same in by_name.chunk_by(|a, b| key(a) == key(b)).filter(|same| same.len() > 1) {
        let kind = same.first().and_then(|index| objects.get(*index)).map(|object| object.kind.to_string());
        let once = kind.is_some_and(|kind| ONCE.contains(&kind.as_str()));
        // Of very many each is held against the one that was made last, and that one against all.
        let last = |index: &&usize| objects.get(**index).and_then(made);
        let latest = same.iter().max_by_key(last).filter(|_| same.len() > EACH);
        for &index in same {
            let others = match latest {
                Some(latest) if *latest != index => std::slice::from_ref(latest),
                _ => same,
            };
            let others = others.iter().filter(|other| **other != index).filter_map(|other| objects.get(*other));
            let Some(object) = objects.get(index) else { continue };
            let presence = others.fold(Presence::There, |presence, other| surer(presence, after(object, other, once)));
            if presence != Presence::There {
                found.push((index, presence));
            }
        }
    }
    for (index, presence) in found {
        if let Some(object) = objects.get_mut(index) {
            object.presence = presence;
        }
    }
}

/// When an object was made, if a reading of it says so.
fn made(object: &Object) -> Option<jiff::Timestamp> {
    object.sightings.iter().find_map(|sighting| {
        let node = sighting.record.node.at(&["metadata", "creationTimestamp"])?;
        node.as_str()?.parse().ok()
    })
}

/// What an object of the same name and another UID says of one.
fn after(object: &Object, other: &Object, once: bool) -> Presence {
    let ended = Ended { how: How::Replaced, citation: place(other) };
    let looks = |other: &Object| {
        let mut orders = other.sightings.iter().map(|sighting| later_than_all(&sighting.record.order, object));
        let first = orders.next().flatten();
        if orders.all(|order| order == first) { first } else { None }
    };
    let by_creation = || Some(made(other)?.cmp(&made(object)?)).filter(|order| *order != Ordering::Equal);
    match looks(other).or_else(|| Some(by_creation()? == Ordering::Greater).filter(|_| !once)) {
        Some(true) => Presence::Gone(ended),
        Some(false) => Presence::There,
        // Two clusters, perhaps; that is for whoever tells contexts apart.
        None if once => Presence::There,
        None => Presence::Disputed(ended),
    }
}
