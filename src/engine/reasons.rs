//! Reasons of the facts as sentences without their full stop.
//!
//! Invariant: a sentence is made here and read by people alone.

use crate::gap::Cause;
use catalogue::nouns;
use facts::kind::KindName;
use facts::path::Path;
use facts::unknown::{Said, Unknown, Unproven, WhyUnproven};

/// Why a look-up is unknown: sources that disagree cannot be helped by collecting more, a form that does not show
/// the path can.
pub fn cause(unknown: &Unknown) -> Cause {
    match unknown {
        Unknown::Disagree(_) => Cause::Conflict,
        Unknown::NotShown { .. } | Unknown::LeftOpen(_) => Cause::Form,
    }
}

/// Why it is not known what a path says.
pub fn unknown(unknown: &Unknown) -> String {
    match unknown {
        Unknown::NotShown { kind, name, path } => not_shown(kind, name, path),
        Unknown::LeftOpen(reason) => reason.clone(),
        Unknown::Disagree(said) => {
            let one = |Said { value, member, line }: &Said| format!("{value} in {member}:{line}");
            let said: Vec<String> = said.iter().map(one).collect();
            format!("sources disagree and their order is not known: {}", said.join(", "))
        }
    }
}

fn not_shown(kind: &KindName, name: &str, path: &Path) -> String {
    let named = nouns::object(kind, name);
    match nouns::put_together_from(kind) {
        Some(sources) => {
            format!("what was collected does not tell `{path}` of {named}, which is put together from {sources}")
        }
        None => format!("{named} is here, but nothing that was collected of it shows `{path}`"),
    }
}

/// Why it is not known whether there are others.
pub fn unproven(unproven: &Unproven) -> String {
    let Unproven { kind, context, namespace, why } = unproven;
    match why {
        WhyUnproven::NeverAsked => {
            nouns::never_whole(kind, context).unwrap_or_else(|| format!("{kind} were not collected from {context}"))
        }
        WhyUnproven::OtherNamespaces => {
            let namespace = namespace.as_deref().unwrap_or_default();
            format!("{kind} of namespace {namespace} were not collected from {context}")
        }
        WhyUnproven::Forbidden(text) => format!("{kind} could not be read: {text}"),
        WhyUnproven::Failed(text) => format!("collecting {kind} failed: {text}"),
        WhyUnproven::Partial(text) => format!("the list of {kind} is not whole: {text}"),
        WhyUnproven::Truncated(text) => format!("the list of {kind} was cut: {text}"),
        WhyUnproven::Removed(text) => format!("{kind} were removed by the collector: {text}"),
        WhyUnproven::OneName(name) => format!("only `{name}` was asked for among {kind}"),
        WhyUnproven::Selected => format!("{kind} were asked for with a selector only"),
        WhyUnproven::SomeOnly => format!("only some {kind} were collected from {context}, not a whole list"),
        WhyUnproven::ListedIn(some) => format!("{kind} were listed only in {}, not in all namespaces", some.join(", ")),
        WhyUnproven::NamespacesUnknown => format!("no list says which namespaces its {kind} are from"),
        WhyUnproven::Forgotten => {
            "events are kept for an hour only, so a list of them cannot show that something did not happen".to_owned()
        }
    }
}
