//! What an error text of a collector says about the answer it took the place of.
//!
//! Collectors write the error of the Kubernetes client as text: without kubectl's `Error from server`, with
//! words of their own before it.

use facts::coverage::{Answer, Basis, Namespaces, State};
use facts::kind::KindName;
use facts::origin::{Citation, MemberId};
use parse::answer::short;

/// The state that an error text means: `forbidden`, `no-such-kind`, or `error`.
///
/// Texts: `apimachinery/pkg/api/errors/errors.go@v0.34.0` (`NewForbidden`, `NewGenericServerResponse` for a
/// resource that is not served).
pub fn state(text: &str) -> State {
    let lower = text.to_ascii_lowercase();
    if lower.contains("is forbidden") || lower.contains("forbidden:") || lower.contains("is not allowed on resource") {
        State::Forbidden(short(text))
    } else {
        State::Error(short(text))
    }
}

/// The kind and namespace of a collector's own check of its rights: `action "list" is not allowed on resource
/// "pods" in the "default" namespace`, or `at cluster scope`.
pub(crate) fn not_allowed(text: &str) -> Option<(KindName, Option<&str>)> {
    let (_, rest) = text.split_once("is not allowed on resource \"")?;
    let (resource, rest) = rest.split_once('"')?;
    let namespace = rest.split_once("in the \"").and_then(|(_, rest)| Some(rest.split_once('"')?.0));
    Some((KindName::parse(resource), namespace))
}

/// An answer that failed.
pub fn answer(member: MemberId, line: u32, kind: KindName, namespace: Option<&str>, text: &str) -> Answer {
    Answer {
        kind,
        namespaces: namespace.map_or(Namespaces::All, |namespace| Namespaces::Some(vec![namespace.to_owned()])),
        names: None,
        selector: None,
        state: state(text),
        basis: Basis::Stated,
        time: None,
        citation: Citation::line(member, line, &short(text)),
    }
}

/// The kind and namespace of a list that the API server refused: `pods is forbidden: User "u" cannot list
/// resource "pods" in API group "" in the namespace "default"`, or `at the cluster scope`.
pub fn forbidden(text: &str) -> Option<(KindName, Option<&str>)> {
    let (_, rest) = text.split_once("cannot list resource \"")?;
    let (plural, rest) = rest.split_once('"')?;
    let (_, rest) = rest.split_once("in API group \"")?;
    let (group, rest) = rest.split_once('"')?;
    let namespace = rest.split_once("in the namespace \"").and_then(|(_, rest)| Some(rest.split_once('"')?.0));
    Some((KindName { plural: plural.to_ascii_lowercase(), group: group.to_ascii_lowercase() }, namespace))
}
