//! Lists without their command that lack what every cluster has: they were cut or filtered.
//!
//! Invariant: a list whose command, layout or manifest is known is not judged; one that is becomes partial, never more.

use crate::lists::Named;
use catalogue::kinds::Catalogue;
use facts::coverage::{Namespaces, State};
use facts::shortfall::WhyPartial;
use facts::store::Coverage;

/// Makes the lists partial that lack an object which every cluster has.
pub(crate) fn doubt_lists(coverage: &mut [Coverage], named: &Named, catalogue: &Catalogue) {
    for Coverage { answer, .. } in coverage {
        let whole = matches!(answer.state, State::Complete | State::Empty) && answer.names.is_none();
        if !whole || !answer.basis.is_listed() {
            continue;
        }
        let Some(known) = catalogue.kind(&answer.kind) else { continue };
        let there = named.get(&(answer.kind.clone(), answer.citation.member));
        let holds = |namespace: &Option<String>, name: &Option<String>| {
            there.into_iter().flatten().any(|(_, own, seen)| {
                (namespace.is_none() || own.is_none() || own == namespace)
                    && name.as_ref().is_none_or(|name| name == seen)
            })
        };
        let covers = |namespace: &Option<String>| match (&answer.namespaces, namespace) {
            (Namespaces::All, _) | (_, None) => true,
            (Namespaces::Some(some), Some(namespace)) => some.contains(namespace),
        };
        let lacks =
            |(namespace, name): &&(Option<String>, Option<String>)| covers(namespace) && !holds(namespace, name);
        if let Some((namespace, name)) = known.always.iter().find(lacks) {
            answer.state = State::Partial(WhyPartial::LacksAlways(
                namespace.as_ref().map(Into::into),
                name.as_ref().map(Into::into),
            ));
        }
    }
}
