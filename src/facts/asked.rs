//! What was asked of each kind, put in an order in which the one answer that proves a scope is found at once.
//!
//! Why: every object of a bundle may ask how far a list of its namespace is whole, and a bundle can hold as many answers
//! as objects. Invariants: it is made once, of coverage that changes no more; of answers that prove one scope the
//! surest is kept, of equally sure ones the first in the bundle.

use crate::coverage::{Answer, Basis, Namespaces, State};
use crate::kind::KindName;
use crate::object::ContextId;
use crate::store::{Absence, Facts, Scope};
use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::sync::OnceLock;

/// The answers of a run by context and kind; answers are places in [`Facts::coverage`].
#[derive(Debug, Default)]
pub struct Asked(OnceLock<BTreeMap<ContextId, BTreeMap<KindName, OfKind>>>);

/// The answers about one kind.
#[derive(Debug, Default)]
pub(crate) struct OfKind {
    /// The surest one that proves all namespaces, and of each namespace one that proves that.
    proof: Best,
    /// Answers that one name does not exist, by that name.
    not_found: BTreeMap<String, Vec<usize>>,
    /// The ones that best explain why there is no proof.
    near: Best,
    /// The one of all that does.
    nearest: Option<usize>,
    /// How far all namespaces are proven by an answer for each of them.
    pub(crate) by_each: OnceLock<Option<Absence>>,
}

/// The best answer for all namespaces, and for each.
#[derive(Debug, Default)]
struct Best {
    all: Option<usize>,
    one: BTreeMap<String, usize>,
}

impl Best {
    fn add(&mut self, at: usize, namespaces: &Namespaces, is_better: impl Fn(usize, usize) -> bool) {
        let replace = |old: Option<usize>| old.filter(|old| !is_better(at, *old)).unwrap_or(at);
        match namespaces {
            Namespaces::All => self.all = Some(replace(self.all)),
            Namespaces::Some(some) => {
                for namespace in some {
                    let best = replace(self.one.get(namespace).copied());
                    self.one.insert(namespace.clone(), best);
                }
            }
        }
    }

    /// Those that speak of a scope.
    fn of(&self, scope: &Scope) -> impl Iterator<Item = usize> {
        let one = scope.namespace.as_ref().and_then(|namespace| self.one.get(namespace));
        self.all.into_iter().chain(one.copied())
    }
}

impl Facts {
    /// The answers about a kind in a context, if there are any.
    pub(crate) fn asked(&self, context: ContextId, kind: &KindName) -> Option<&OfKind> {
        self.asked.0.get_or_init(|| self.index()).get(&context)?.get(kind)
    }

    fn index(&self) -> BTreeMap<ContextId, BTreeMap<KindName, OfKind>> {
        let mut all: BTreeMap<ContextId, BTreeMap<KindName, OfKind>> = BTreeMap::new();
        for (at, c) in self.coverage.iter().enumerate() {
            let answer = &c.answer;
            let of_kind = all.entry(c.context).or_default().entry(answer.kind.clone()).or_default();
            if answer.state == State::NoSuchKind {
                of_kind.proof.add(at, &Namespaces::All, |a, b| self.is_surer(a, b));
            } else if proves_its_scope(answer) {
                of_kind.proof.add(at, &answer.namespaces, |a, b| self.is_surer(a, b));
            }
            if let (State::NotFound(name), None) = (&answer.state, &answer.selector) {
                of_kind.not_found.entry(name.to_string()).or_default().push(at);
            }
            of_kind.near.add(at, &answer.namespaces, |a, b| self.is_nearer(a, b));
            let nearest = of_kind.nearest.filter(|old| !self.is_nearer(at, *old));
            of_kind.nearest = nearest.or(Some(at));
        }
        all
    }

    fn answer(&self, at: usize) -> &Answer {
        &self.coverage[at].answer
    }

    /// Of two answers that prove the same: the surer one, of equal ones the first in the bundle.
    fn is_surer(&self, a: usize, b: usize) -> bool {
        let key = |at: usize| (self.answer(at).basis, Reverse(self.place(&self.answer(at).citation)));
        key(a) > key(b)
    }

    fn is_nearer(&self, a: usize, b: usize) -> bool {
        let key = |at: usize| (nearness(self.answer(at)), self.place(&self.answer(at).citation));
        key(a) < key(b)
    }

    /// The surest answer that proves a scope; of equally sure ones the first in the bundle.
    pub(crate) fn surest(&self, asked: &OfKind, scope: &Scope) -> Option<&Answer> {
        let reaches = |at: &usize| match (&self.answer(*at).namespaces, &scope.namespace) {
            (Namespaces::All, _) => true,
            (Namespaces::Some(some), Some(wanted)) => some.contains(wanted),
            (Namespaces::Some(_), None) => false,
        };
        let name = scope.name.as_ref().and_then(|name| asked.not_found.get(name));
        let not_found = name.into_iter().flatten().copied().filter(reaches);
        let all = asked.proof.of(scope).chain(not_found);
        let best = all.reduce(|best, at| if self.is_surer(at, best) { at } else { best });
        best.map(|at| self.answer(at))
    }

    /// The answer that came nearest to a proof of a scope.
    pub(crate) fn nearest(&self, asked: &OfKind, scope: &Scope) -> Option<&Answer> {
        let reaching = asked.near.of(scope).reduce(|best, at| if self.is_nearer(at, best) { at } else { best });
        reaching.or(asked.nearest).map(|at| self.answer(at))
    }
}

/// Does an answer prove that its scope holds nothing else?
fn proves_its_scope(answer: &Answer) -> bool {
    answer.selector.is_none()
        && answer.basis != Basis::Named
        && answer.names.is_none()
        && matches!(answer.state, State::Complete | State::Empty)
}

/// The smaller, the better an answer explains why there is no proof of its scope.
fn nearness(answer: &Answer) -> u8 {
    match &answer.state {
        State::Partial(_) | State::Truncated(_) => 0,
        State::Forbidden(_) | State::Error(_) | State::Redacted(_) => 1,
        State::Complete | State::Empty if answer.basis != Basis::Named && answer.names.is_none() => 2,
        State::Complete | State::Empty => 3,
        _ => 4,
    }
}
