//! Which of several lists of one scope to believe.
//!
//! Invariants: a list that another one contradicts is not whole, unless it is known to be the later one; the result
//! does not depend on the order of members. Of many lists of one scope the one that is later than all others is
//! believed, and no other one where they differ: the work grows with their number, not with its square.

use facts::coverage::{Answer, Basis, Namespaces, State};
use facts::kind::KindName;
use facts::object::Object;
use facts::origin::{MemberId, MemberName};
use facts::shortfall::WhyPartial;
use facts::store::Coverage;
use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};

/// Lists of one kind that are compared each with each.
const EACH: usize = 64;

/// A list as it claims to be whole, with the objects that it names.
#[derive(Debug)]
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
pub(crate) type Named = BTreeMap<(KindName, MemberId), Vec<Row>>;

/// Line, namespace and name of an object.
type Row = (u32, Option<String>, String);

/// The lists of a context, by kind, and those that may speak of an object by its namespace.
#[derive(Debug, Default)]
pub(crate) struct AllLists {
    by_kind: BTreeMap<KindName, Vec<List>>,
    by_namespace: BTreeMap<KindName, ByNamespace>,
}

/// Which of the lists of a kind speak of all namespaces or of several, and which of one.
#[derive(Debug, Default)]
struct ByNamespace {
    wide: Vec<usize>,
    one: BTreeMap<String, Vec<usize>>,
}

impl AllLists {
    fn new(by_kind: BTreeMap<KindName, Vec<List>>, coverage: &[Coverage]) -> Self {
        let mut by_namespace: BTreeMap<KindName, ByNamespace> = BTreeMap::new();
        for (kind, lists) in &by_kind {
            let places = by_namespace.entry(kind.clone()).or_default();
            for (index, list) in lists.iter().enumerate() {
                match coverage.get(list.at).map(|c| &c.answer.namespaces) {
                    Some(Namespaces::Some(some)) if let [one] = some.as_slice() => {
                        places.one.entry(one.clone()).or_default().push(index);
                    }
                    _ => places.wide.push(index),
                }
            }
        }
        Self { by_kind, by_namespace }
    }

    /// The lists of a kind that may speak of a namespace, in their order.
    pub(crate) fn of(&self, kind: &KindName, namespace: Option<&str>) -> Vec<&List> {
        let (Some(lists), Some(places)) = (self.by_kind.get(kind), self.by_namespace.get(kind)) else {
            return Vec::new();
        };
        let one = namespace.and_then(|namespace| places.one.get(namespace));
        let mut found: Vec<usize> = places.wide.iter().chain(one.into_iter().flatten()).copied().collect();
        found.sort_unstable();
        found.into_iter().filter_map(|index| lists.get(index)).collect()
    }

    /// All lists of a kind.
    pub(crate) fn all(&self, kind: &KindName) -> impl Iterator<Item = &List> {
        self.by_kind.get(kind).into_iter().flatten()
    }
}

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
    let mut sorted: BTreeMap<(KindName, MemberId), Vec<&Row>> = BTreeMap::new();
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
        let next = lines.get(lines.partition_point(|line| *line <= a.citation.line)).copied().unwrap_or(u32::MAX);
        let first = lines.first().is_some_and(|l| *l == a.citation.line);
        let names = if a.state == State::Empty {
            BTreeSet::new()
        } else {
            let all = sorted.entry(key).or_insert_with_key(|key| {
                let mut all: Vec<_> = named.get(key).into_iter().flatten().collect();
                all.sort_by_key(|(line, ..)| *line);
                all
            });
            let from = if first { 0 } else { all.partition_point(|(line, ..)| *line < a.citation.line) };
            let own = all.get(from..all.partition_point(|(line, ..)| *line < next)).unwrap_or_default();
            own.iter().map(|(_, namespace, name)| (namespace.clone(), name.clone())).collect()
        };
        lists.entry(a.kind.clone()).or_default().push(List { at, names });
    }
    lists
}

/// Two lists of one scope that name different objects: neither is whole, unless an order is known; then
/// the later one is. What loses becomes partial, with the reason. Returns the lists of a context as they were, of many
/// of one scope those that no later one replaced.
pub(crate) fn doubt_lists(
    coverage: &mut [Coverage],
    named: &Named,
    members: &BTreeMap<MemberId, MemberName>,
) -> AllLists {
    let mut whole = whole_lists(coverage, named);
    let mut doubts = Doubts { coverage: &*coverage, members, lost: BTreeMap::new() };
    for lists in whole.values_mut() {
        let mut by_scope: BTreeMap<&Namespaces, Vec<usize>> = BTreeMap::new();
        for (index, list) in lists.iter().enumerate() {
            by_scope.entry(&doubts.answer(list).namespaces).or_default().push(index);
        }
        let mut replaced: BTreeSet<usize> = BTreeSet::new();
        let mut wide: Vec<usize> = Vec::new();
        for (scope, same) in &by_scope {
            let all: Vec<&List> = same.iter().map(|index| &lists[*index]).collect();
            if all.len() <= EACH {
                doubts.each_with_each(&all);
            } else {
                let old = doubts.many(&all);
                replaced.extend(same.iter().zip(old).filter(|(_, old)| *old).map(|(index, _)| *index));
            }
            if !matches!(scope, Namespaces::Some(some) if some.len() == 1) {
                wide.extend(same);
            }
        }
        wide.retain(|index| !replaced.contains(index));
        doubts.across(lists, &wide, &replaced);
        let mut index = 0;
        lists.retain(|_| {
            index += 1;
            !replaced.contains(&(index - 1))
        });
    }
    let lost = doubts.lost;
    for (at, why) in lost {
        coverage[at].answer.state = State::Partial(why);
    }
    AllLists::new(whole, coverage)
}

/// What is found to be in doubt.
struct Doubts<'a> {
    coverage: &'a [Coverage],
    members: &'a BTreeMap<MemberId, MemberName>,
    lost: BTreeMap<usize, WhyPartial>,
}

impl<'a> Doubts<'a> {
    fn answer(&self, list: &List) -> &'a Answer {
        &self.coverage[list.at].answer
    }

    /// Why a list is not whole: since another one is.
    fn why(&self, other: &List, is_later: bool) -> WhyPartial {
        let other = self.answer(other);
        let member = self.members.get(&other.citation.member).map_or_else(|| "?".into(), |name| name.shown().clone());
        WhyPartial::OtherObjects { is_later, member, line: other.citation.line }
    }

    fn each_with_each(&mut self, all: &[&List]) {
        for (i, a) in all.iter().enumerate() {
            for b in &all[..i] {
                self.two(a, b);
            }
        }
    }

    fn two(&mut self, a: &List, b: &List) {
        let (one, two) = (self.answer(a), self.answer(b));
        if !differ(a, b, one, two) {
            return;
        }
        match one.order.compare_looks(&two.order) {
            Some(Ordering::Greater) => drop(self.lost.insert(b.at, self.why(a, true))),
            Some(Ordering::Less) => drop(self.lost.insert(a.at, self.why(b, true))),
            _ => {
                let (why_a, why_b) = (self.why(b, false), self.why(a, false));
                self.lost.entry(a.at).or_insert(why_a);
                self.lost.entry(b.at).or_insert(why_b);
            }
        }
    }

    /// Of many lists of one scope: if they differ, only one that is later than all others stays whole. Says of each
    /// whether it is an older one, of which the latest says more.
    fn many(&mut self, all: &[&List]) -> Vec<bool> {
        let coverage = self.coverage;
        let answer = |list: &List| &coverage[list.at].answer;
        let is_later = |a: &List, b: &List| answer(a).order.compare_looks(&answer(b).order) == Some(Ordering::Greater);
        let Some(top) = all.iter().copied().reduce(|top, list| if is_later(list, top) { list } else { top }) else {
            return Vec::new();
        };
        let old: Vec<bool> = all.iter().map(|list| list.at != top.at && is_later(top, list)).collect();
        let differs = |list: &&List| differ(list, top, answer(list), answer(top));
        let other = all.iter().copied().find(differs);
        if let Some(other) = other {
            let beaten = |(list, old): (&&List, &bool)| list.at == top.at || *old;
            if !all.iter().zip(&old).all(beaten) {
                let why = self.why(other, false);
                self.lost.entry(top.at).or_insert(why);
            }
            for (list, old) in all.iter().zip(&old).filter(|(list, _)| list.at != top.at) {
                // One that agrees with the latest is as good as that, and differs from another one.
                let why = self.why(if differs(list) { top } else { other }, *old);
                self.lost.entry(list.at).or_insert(why);
            }
        }
        old
    }

    /// Lists of all or several namespaces with those of other scopes.
    fn across(&mut self, lists: &[List], wide: &[usize], replaced: &BTreeSet<usize>) {
        let coverage = self.coverage;
        let scope = |list: &List| &coverage[list.at].answer.namespaces;
        let (some, more) = wide.split_at(wide.len().min(EACH));
        for index in some {
            let a = &lists[*index];
            for (other, b) in lists.iter().enumerate() {
                let again = some.contains(&other) && other >= *index;
                if !again && !replaced.contains(&other) && scope(a) != scope(b) {
                    self.two(a, b);
                }
            }
        }
        // More than can be compared: nobody knows what they say together.
        for index in more {
            let why = self.why(&lists[wide[0]], false);
            self.lost.entry(lists[*index].at).or_insert(why);
        }
    }
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
