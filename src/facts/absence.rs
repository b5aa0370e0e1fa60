//! How far the bundle proves that there are no other objects: the guard of the first promise, "not
//! collected" never turns into "does not exist".
//!
//! Invariants: an absence is only as sure as the weakest answer it rests on; taking an answer away never
//! makes it surer; a list that another list of the same scope contradicts was made partial when the facts
//! were put together, so no such list counts here.

use crate::asked::OfKind;
use crate::coverage::{Answer, Basis, Namespaces, State};
use crate::kind::KindName;
use crate::object::ContextId;
use crate::origin::Citation;
use crate::shortfall::WhyTruncated;
use crate::store::{Absence, Facts, Scope};
use crate::unknown::{Unproven, WhyUnproven};

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
        let Some(asked) = self.asked(context, kind) else { return self.not_proven(context, kind, scope, None) };
        let best = self.surest(asked, scope);
        if let Some(best) = best
            && kind.plural == "events"
            && matches!(best.state, State::Complete | State::Empty)
        {
            return self.forgotten(context, kind, scope, best.citation.clone());
        }
        let basis = best.map(|best| best.basis);
        let for_all = || {
            let find = || self.by_each_namespace(context, kind, &Scope::default(), asked);
            asked.by_each.get_or_init(find).clone()
        };
        // Answers for each namespace may prove more than one for all of them.
        let by_each = match scope.name {
            _ if scope.namespace.is_some() || kind.plural == "events" || basis == Some(Basis::Stated) => None,
            Some(_) if basis < Some(Basis::Listed) => self.by_each_namespace(context, kind, scope, asked),
            _ => for_all(),
        };
        match (best.map(|best| absent(best.basis, vec![best.citation.clone()])), by_each) {
            (Some(one), Some(each)) if each.sureness() <= one.sureness() => one,
            (_, Some(each)) => each,
            (Some(one), None) => one,
            (None, None) => self.not_proven(context, kind, scope, self.nearest(asked, scope)),
        }
    }

    /// All namespaces, by a whole list of Namespaces and an answer for each of them.
    fn by_each_namespace(&self, context: ContextId, kind: &KindName, scope: &Scope, asked: &OfKind) -> Option<Absence> {
        let namespaces = KindName::parse("namespaces");
        if *kind == namespaces {
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
            let best = self.surest(asked, &one)?;
            basis = basis.min(best.basis);
            citations.push(best.citation.clone());
        }
        citations.sort_by(|a, b| self.place(a).cmp(&self.place(b)));
        citations.dedup();
        Some(absent(basis, citations))
    }

    /// Why there is no proof, by the answer that came nearest to one.
    fn not_proven(&self, context: ContextId, kind: &KindName, scope: &Scope, nearest: Option<&Answer>) -> Absence {
        let unproven = |why: WhyUnproven| Unproven {
            kind: kind.clone(),
            context: self.context(context).name.clone(),
            namespace: scope.namespace.clone(),
            why,
        };
        let Some(nearest) = nearest else {
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
                (None, Namespaces::Some(some)) if !some.is_empty() => WhyUnproven::ListedIn(some.as_slice().into()),
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
