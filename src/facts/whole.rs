//! How far a list is whole, and why not: the one place that decides between "there is none" and "nobody knows".

use crate::coverage::{Namespaces, State};
use crate::kind::KindName;
use crate::object::ContextId;
use crate::origin::Citation;
use crate::store::{Absence, Facts, Mixed, Scope};
use crate::unknown::{Unproven, WhyUnproven, namespaces};
use std::collections::BTreeSet;

/// How far a scope is known whole.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Whole {
    /// A whole list proves it.
    Yes(String),
    /// A list looks whole, and nobody knows whether it was filtered: where it stands.
    Likely(String),
    /// A table looks whole, and `head` and `grep` leave no trace in one: where it stands.
    Doubtful(String),
    /// It is not, and why.
    No(String),
}

/// How far it is known which objects of a kind a scope holds.
///
/// Events that the API server had forgotten do not count: they would not be in a list of the cluster either.
pub fn whole(facts: &Facts, context: ContextId, kind: &KindName, scope: &Scope) -> Whole {
    match facts.absence(context, kind, scope) {
        Absence::Stated(at) => Whole::Yes(place(facts, at.first())),
        Absence::Listed(at) => Whole::Likely(place(facts, at.first())),
        Absence::Rows(at) => Whole::Doubtful(place(facts, at.first())),
        Absence::Unknown { why, citations, .. } if why.why == WhyUnproven::Forgotten => {
            Whole::Yes(place(facts, citations.first()))
        }
        Absence::Unknown { why, citations, .. } => {
            let place = place(facts, citations.first());
            Whole::No(match &why.why {
                WhyUnproven::ListedIn(some) => listed(facts, context, kind, some),
                WhyUnproven::NeverAsked
                    if facts.of_kind(context, kind).iter().any(|id| !facts.object(*id).is_manifest()) =>
                {
                    format!("single {kind} were collected, and no list of them")
                }
                _ if place.is_empty() => words(&why),
                _ => format!("{} ({place})", words(&why)),
            })
        }
    }
}

/// Where the API server said that it does not serve a kind; `None` if it did not, or if there are some.
pub fn not_served(facts: &Facts, context: ContextId, kind: &KindName) -> Option<String> {
    if !facts.of_kind(context, kind).is_empty() {
        return None;
    }
    let mut said = facts.coverage.iter().filter(|known| known.context == context && known.answer.kind == *kind);
    let said = said.find(|known| known.answer.state == State::NoSuchKind)?;
    Some(place(facts, Some(&said.answer.citation)))
}

/// Member and line.
pub fn place(facts: &Facts, citation: Option<&Citation>) -> String {
    let Some(citation) = citation else { return String::new() };
    let member = facts.members.get(&citation.member).map(|name| name.shown().as_str()).unwrap_or_default();
    if citation.line == 0 { member.to_owned() } else { format!("{member}:{}", citation.line) }
}

fn words(unproven: &Unproven) -> String {
    let Unproven { kind, context, namespace, why } = unproven;
    match why {
        WhyUnproven::NeverAsked => format!("nobody asked for {kind}"),
        WhyUnproven::OtherNamespaces => {
            let namespace = namespace.as_deref().unwrap_or_default();
            format!("nobody asked for {kind} of namespace {namespace}")
        }
        WhyUnproven::Forbidden(text) => format!("the API server refused {kind}: {text}"),
        WhyUnproven::Failed(text) => format!("collecting {kind} failed: {text}"),
        WhyUnproven::Partial(text) => format!("the list of {kind} is not whole: {text}"),
        WhyUnproven::Truncated(text) => format!("the list of {kind} was cut: {text}"),
        WhyUnproven::Removed(text) => format!("the collector removed {kind}: {text}"),
        WhyUnproven::OneName(name) => format!("among {kind} only `{name}` was asked for"),
        WhyUnproven::Selected => format!("{kind} were asked for with a selector only"),
        WhyUnproven::SomeOnly => format!("only some {kind} were collected, and no whole list of them"),
        WhyUnproven::ListedIn(some) => format!("{kind} were listed only in {}", namespaces(some)),
        WhyUnproven::NamespacesUnknown => format!("no list says which namespaces its {kind} are from"),
        WhyUnproven::MayBeFiltered => {
            format!("nobody knows whether the list of {kind} was filtered, since its command is not there")
        }
        WhyUnproven::Older => format!("the list of {kind} is older than what refers to them"),
        WhyUnproven::Forgotten => "the API server keeps events for an hour".to_owned(),
        WhyUnproven::TwoClusters(Mixed::TwoUids(kind, name)) => format!(
            "{context} shows two clusters that nothing keeps apart ({kind} {name} has two UIDs); tell them apart with --context NAME=FOLDER"
        ),
        WhyUnproven::TwoClusters(Mixed::NoSuchKind(kind)) => format!(
            "{context} shows two clusters that nothing keeps apart (it holds {kind}, which its API server does not know); tell them apart with --context NAME=FOLDER"
        ),
    }
}

/// In which namespaces alone a kind was listed: by all of its answers, since the facts name one of them.
fn listed(facts: &Facts, context: ContextId, kind: &KindName, some: &[String]) -> String {
    let mut namespaces: BTreeSet<&str> = some.iter().map(String::as_str).collect();
    for known in facts.coverage.iter().filter(|known| known.context == context && known.answer.kind == *kind) {
        let is_list = known.answer.names.is_none() && matches!(known.answer.state, State::Complete | State::Empty);
        if let (true, Namespaces::Some(some)) = (is_list, &known.answer.namespaces) {
            namespaces.extend(some.iter().map(String::as_str));
        }
    }
    match namespaces.len() {
        1..=3 => {
            let names = namespaces.into_iter().collect::<Vec<_>>().join(", ");
            format!("{kind} were listed only in {names}, and nobody knows whether there are other namespaces")
        }
        number => format!("{kind} were listed in {number} namespaces, and nobody knows whether there are others"),
    }
}
