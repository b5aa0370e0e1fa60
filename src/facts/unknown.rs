//! Why something is not known, as data.
//!
//! Why data: what to collect next, and whether collecting could help at all, follows from the reason. The
//! sentences for people are made by who prints them; no code reads a sentence back.

use crate::kind::KindName;
use crate::outside::Outside;
use crate::path::Path;
use crate::shortfall::{WhyFailed, WhyPartial, WhyTruncated};
use crate::store::Mixed;
use std::sync::Arc;

/// Why it is not known what a path of an object says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Unknown {
    /// No form in which the object was seen shows the path.
    NotShown {
        /// The kind of the object.
        kind: KindName,
        name: String,
        /// The path that was asked for.
        path: Path,
    },
    /// Whoever derived the object leaves the field open, and wrote down why, in words for people.
    LeftOpen(String),
    /// Sightings differ, and nothing says which of them is newer.
    Disagree(Vec<Said>),
}

/// What one sighting says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Said {
    /// The value as a person reads it: in backticks, or `not set`.
    pub value: String,
    /// The name of the member.
    pub member: String,
    /// The line in it.
    pub line: u32,
}

/// Namespaces that a sentence names; of very many nobody reads more.
const NAMED: usize = 12;

/// Namespaces, as a sentence lists them.
#[must_use]
pub fn namespaces(some: &[String]) -> String {
    match some.get(..NAMED).filter(|_| some.len() > NAMED + 1) {
        Some(first) => format!("{} and {} more namespaces", first.join(", "), some.len() - NAMED),
        None => some.join(", "),
    }
}

/// Why it is not known whether a scope holds other objects of a kind than those that were seen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unproven {
    /// The kind that was asked for.
    pub kind: KindName,
    /// The name of the context that was asked.
    pub context: String,
    /// The namespace that was asked for, if one.
    pub namespace: Option<String>,
    /// What keeps the answer open.
    pub why: WhyUnproven,
}

/// What keeps open whether there are other objects: the answer that came nearest to a proof. A text is what the
/// collector or the API server wrote.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum WhyUnproven {
    /// Nobody asked for the kind.
    NeverAsked,
    /// Nobody asked for the kind in this namespace.
    OtherNamespaces,
    /// The API server refused.
    Forbidden(Outside),
    /// Asking failed.
    Failed(Box<WhyFailed>),
    /// The list is not whole.
    Partial(Box<WhyPartial>),
    /// The list was cut.
    Truncated(WhyTruncated),
    /// This collector left them out.
    Removed(&'static str),
    /// Only one name was asked for.
    OneName(Outside),
    /// A selector narrowed the question.
    Selected,
    /// Only some objects were collected, and no list.
    SomeOnly,
    /// A list, but of these namespaces only.
    ListedIn(Arc<[String]>),
    /// A list that does not say which namespaces it is from.
    NamespacesUnknown,
    /// A list of which nobody knows whether it was filtered.
    MayBeFiltered,
    /// The answer is older than what refers to the objects.
    Older,
    /// Events, which the API server forgets.
    /// Source: `kubernetes/kubernetes:cmd/kube-apiserver/app/options`, `--event-ttl` (1h).
    Forgotten,
    /// The context shows two clusters that nothing separates.
    TwoClusters(Mixed),
}

#[cfg(test)]
mod tests {
    use super::{NAMED, namespaces};

    #[test]
    fn of_very_many_namespaces_a_few_are_named() {
        let some: Vec<String> = (0..40).map(|number| format!("ns-{number}")).collect();
        assert_eq!(namespaces(&some[..2]), "ns-0, ns-1");
        // One more is shorter than to say so.
        assert!(namespaces(&some[..=NAMED]).ends_with(", ns-12"));
        assert!(namespaces(&some).ends_with(", ns-11 and 28 more namespaces"));
    }
}
