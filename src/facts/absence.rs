//! How far the bundle proves that there are no other objects: the guard of the first promise, "not
//! collected" never turns into "does not exist".
//!
//! Invariants: an absence is only as sure as the weakest answer it rests on; taking an answer away never
//! makes it surer; a list that another list of the same scope contradicts was made partial when the facts
//! were put together, so no such list counts here.

use crate::coverage::{Answer, Basis, Namespaces, State};
use crate::kind::KindName;
use crate::object::ContextId;
use crate::origin::Citation;
use crate::shortfall::WhyTruncated;
use crate::store::{Absence, Facts, Scope};
use crate::unknown::{Unproven, WhyUnproven};
use std::cmp::Reverse;

/// Citations that one proof names at most: a proof by every namespace can rest on hundreds of lists.
const MAX_CITATIONS: usize = 20;

impl Facts {
    /// How far it can be claimed that a scope holds no objects of a kind but those that were seen.
    pub fn absence(&self, context: ContextId, kind: &KindName, scope: &Scope) -> Absence {
        if let Some(mixed) = self.contexts.get(context.0 as usize).and_then(|context| context.mixed.as_ref()) {
            let why = Unproven {
                kind: kind.clone(),
                context: self.context(context).name.clone(),
                namespace: scope.namespace.clone(),
                why: WhyUnproven::TwoClusters(mixed.clone()),
            };
            return Absence::Unknown { why: Box::new(why), state: State::NeverAsked, citations: Vec::new() };
        }
        let answers: Vec<&Answer> = self
            .coverage
            .iter()
            .filter(|c| c.context == context && c.answer.kind == *kind)
            .map(|c| &c.answer)
            .collect();
        if let Some(best) = self.best(&answers, scope) {
            if kind.plural == "events" && matches!(best.state, State::Complete | State::Empty) {
                return self.forgotten(context, kind, scope, best.citation.clone());
            }
            return absent(best.basis, vec![best.citation.clone()]);
        }
        if scope.namespace.is_none()
            && kind.plural != "events"
            && let Some(proof) = self.by_each_namespace(context, kind, scope, &answers)
        {
            return proof;
        }
        self.not_proven(context, kind, scope, &answers)
    }

    /// All namespaces, by a whole list of Namespaces and an answer for each of them.
    fn by_each_namespace(
        &self,
        context: ContextId,
        kind: &KindName,
        scope: &Scope,
        answers: &[&Answer],
    ) -> Option<Absence> {
        let namespaces = KindName::parse("namespaces");
        if *kind == namespaces || answers.is_empty() {
            return None;
        }
        let (mut basis, mut citations) = match self.absence(context, &namespaces, &Scope::default()) {
            Absence::Stated(citations) => (Basis::Stated, citations),
            Absence::Listed(citations) => (Basis::Listed, citations),
            Absence::Rows(citations) => (Basis::Rows, citations),
            Absence::Unknown { .. } => return None,
        };
        let names = self.of_kind(context, &namespaces);
        if names.is_empty() {
            return None;
        }
        for id in names {
            let one = Scope { namespace: Some(self.object(*id).name.clone()), name: scope.name.clone() };
            let best = self.best(answers, &one)?;
            basis = basis.min(best.basis);
            citations.push(best.citation.clone());
        }
        citations.sort_by(|a, b| self.place(a).cmp(&self.place(b)));
        citations.dedup();
        Some(absent(basis, citations))
    }

    /// The surest answer that proves a scope; of equally sure ones the first in the bundle.
    fn best<'a>(&self, answers: &[&'a Answer], scope: &Scope) -> Option<&'a Answer> {
        let proofs = answers.iter().copied().filter(|a| proves(a, scope));
        proofs.max_by(|a, b| {
            (a.basis, Reverse(self.place(&a.citation))).cmp(&(b.basis, Reverse(self.place(&b.citation))))
        })
    }

    /// Why there is no proof, by the answer that came nearest to one.
    fn not_proven(&self, context: ContextId, kind: &KindName, scope: &Scope, answers: &[&Answer]) -> Absence {
        let unproven = |why: WhyUnproven| Unproven {
            kind: kind.clone(),
            context: self.context(context).name.clone(),
            namespace: scope.namespace.clone(),
            why,
        };
        let Some(nearest) = answers.iter().min_by(|a, b| {
            (nearness(a, scope), self.place(&a.citation)).cmp(&(nearness(b, scope), self.place(&b.citation)))
        }) else {
            let why = unproven(WhyUnproven::NeverAsked);
            return Absence::Unknown { why: Box::new(why), state: State::NeverAsked, citations: Vec::new() };
        };
        // What went wrong in another namespace says nothing about this one.
        if let (Some(wanted), Namespaces::Some(some)) = (&scope.namespace, &nearest.namespaces)
            && !some.is_empty()
            && !some.contains(wanted)
        {
            let why = unproven(WhyUnproven::OtherNamespaces);
            return Absence::Unknown {
                why: Box::new(why),
                state: State::NeverAsked,
                citations: vec![nearest.citation.clone()],
            };
        }
        let why = match &nearest.state {
            State::Forbidden(text) => WhyUnproven::Forbidden(text.clone()),
            State::Error(why) => WhyUnproven::Failed(Box::new(why.clone())),
            State::Partial(why) => WhyUnproven::Partial(Box::new(why.clone())),
            State::Truncated(why) => WhyUnproven::Truncated(why.clone()),
            State::Redacted(collector) => WhyUnproven::Removed(collector),
            State::NotFound(name) => WhyUnproven::OneName(name.clone()),
            _ if nearest.selector.is_some() => WhyUnproven::Selected,
            _ if nearest.names.is_some() || nearest.basis == Basis::Named => WhyUnproven::SomeOnly,
            _ => match (&scope.namespace, &nearest.namespaces) {
                (Some(_), Namespaces::Some(_)) => WhyUnproven::OtherNamespaces,
                (None, Namespaces::Some(some)) if !some.is_empty() => WhyUnproven::ListedIn(some.clone()),
                _ => WhyUnproven::NamespacesUnknown,
            },
        };
        let state = match &nearest.state {
            State::Complete | State::Empty | State::NotFound(_) => State::NeverAsked,
            state => state.clone(),
        };
        Absence::Unknown { why: Box::new(unproven(why)), state, citations: vec![nearest.citation.clone()] }
    }

    /// The API server forgets events after an hour, so a whole list of them proves nothing about what happened.
    fn forgotten(&self, context: ContextId, kind: &KindName, scope: &Scope, citation: Citation) -> Absence {
        let why = Unproven {
            kind: kind.clone(),
            context: self.context(context).name.clone(),
            namespace: scope.namespace.clone(),
            why: WhyUnproven::Forgotten,
        };
        let state = State::Truncated(WhyTruncated::EventTtl);
        Absence::Unknown { why: Box::new(why), state, citations: vec![citation] }
    }
}

fn absent(basis: Basis, mut citations: Vec<Citation>) -> Absence {
    citations.truncate(MAX_CITATIONS);
    match basis {
        Basis::Stated => Absence::Stated(citations),
        Basis::Listed => Absence::Listed(citations),
        Basis::Rows | Basis::Named | Basis::Lines | Basis::Disputed => Absence::Rows(citations),
    }
}

/// Does one answer prove that the scope holds nothing else?
fn proves(answer: &Answer, scope: &Scope) -> bool {
    if answer.state == State::NoSuchKind {
        return true;
    }
    let reaches = match (&answer.namespaces, &scope.namespace) {
        (Namespaces::All, _) => true,
        (Namespaces::Some(some), Some(wanted)) => some.contains(wanted),
        (Namespaces::Some(_), None) => false,
    };
    if !reaches || answer.selector.is_some() || answer.basis == Basis::Named {
        // `(NotFound)` is its own proof, whatever else the answer's basis says.
        return reaches && answer.selector.is_none() && not_found(answer, scope);
    }
    match &answer.state {
        State::Complete | State::Empty => answer.names.is_none(),
        State::NotFound(_) => not_found(answer, scope),
        _ => false,
    }
}

fn not_found(answer: &Answer, scope: &Scope) -> bool {
    matches!((&answer.state, &scope.name), (State::NotFound(name), Some(wanted)) if name == wanted)
}

/// The smaller, the better the answer explains why there is no proof.
fn nearness(answer: &Answer, scope: &Scope) -> u8 {
    let reaches = match (&answer.namespaces, &scope.namespace) {
        (Namespaces::All, _) => true,
        (Namespaces::Some(some), Some(wanted)) => some.contains(wanted),
        (Namespaces::Some(_), None) => false,
    };
    let rank = match &answer.state {
        State::Partial(_) | State::Truncated(_) => 0,
        State::Forbidden(_) | State::Error(_) | State::Redacted(_) => 1,
        State::Complete | State::Empty if answer.basis != Basis::Named && answer.names.is_none() => 2,
        State::Complete | State::Empty => 3,
        _ => 4,
    };
    if reaches { rank } else { rank + 5 }
}
