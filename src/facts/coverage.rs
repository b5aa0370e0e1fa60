//! What was asked of a cluster, and how complete the answer is.
//!
//! Why: "not collected" must never turn into "does not exist". Every absence that a verdict rests on is
//! backed by one of these records.
//!
//! Invariants: an answer proves exactly what its [`Basis`] allows (`signatures`, section Coverage); a
//! record is never widened later, only added to by others.

use crate::kind::KindName;
use crate::order::Order;
use crate::origin::Citation;
use crate::trouble::Trouble;

/// How an answer ended.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum State {
    /// A list with items, to its end.
    Complete,
    /// A list that was cut or paged; the text says how (`metadata.continue`, an error in the middle).
    Partial(Trouble),
    /// `No resources found`, or an empty list whose scope is known.
    Empty,
    /// The API server does not serve the kind: there are none.
    NoSuchKind,
    /// `(NotFound)`: this one name does not exist.
    NotFound(String),
    /// `pod "web-1" deleted`: this one name is gone from then on.
    Deleted(String),
    /// `service/web created`, or `configured`: this one name is there from then on.
    Created(String),
    /// RBAC refused the answer.
    Forbidden(String),
    /// The command failed in another way.
    Error(Trouble),
    /// The collector removed or masked it on purpose.
    Redacted(String),
    /// A limit cut it, the collector's or Casefile's.
    Truncated(String),
    /// Nobody asked. Never stored; what a lookup says when it finds no record.
    NeverAsked,
}

impl State {
    /// What stands behind it: the words of whoever answered, or the name that was not found.
    pub fn detail(&self) -> Option<&str> {
        match self {
            State::Partial(trouble) | State::Error(trouble) => Some(&trouble.text),
            State::NotFound(text)
            | State::Deleted(text)
            | State::Created(text)
            | State::Forbidden(text)
            | State::Redacted(text)
            | State::Truncated(text) => Some(text),
            State::Complete | State::Empty | State::NoSuchKind | State::NeverAsked => None,
        }
    }

    /// Is the answer missing, or a part of it?
    pub fn is_missing(&self) -> bool {
        matches!(
            self,
            State::Partial(_) | State::Forbidden(_) | State::Error(_) | State::Redacted(_) | State::Truncated(_)
        )
    }

    /// The word that reports print for it.
    pub fn word(&self) -> &'static str {
        match self {
            State::Complete => "complete",
            State::Partial(_) => "partial",
            State::Empty => "empty",
            State::NoSuchKind => "no-such-kind",
            State::NotFound(_) => "not-found",
            State::Deleted(_) => "deleted",
            State::Created(_) => "created",
            State::Forbidden(_) => "forbidden",
            State::Error(_) => "error",
            State::Redacted(_) => "redacted",
            State::Truncated(_) => "truncated",
            State::NeverAsked => "never-asked",
        }
    }
}

/// What the scope of an answer, or a field of a derived object, rests on: the weakest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Basis {
    /// An object that may be gone: something says so, and it is not known that this was later.
    Disputed,
    /// Lines of logs: they show that something was said, and prove no absence. Never the basis of an answer.
    Lines,
    /// One object, several documents, `describe`: proves those names present, nothing else.
    Named,
    /// A table whose command is not known: `head` and `grep` leave no trace in one. Supports an absence, and neither
    /// confirms nor rules out by one.
    Rows,
    /// A list whose command is not known, which no filter of lines leaves whole: supports an absence, never rules out
    /// by one.
    Listed,
    /// The command, a manifest, a layout or the text itself proves the scope.
    Stated,
}

impl Basis {
    /// A list or a table whose command is not known?
    pub fn is_listed(self) -> bool {
        matches!(self, Basis::Rows | Basis::Listed)
    }

    /// The word that reports print for it.
    pub fn word(self) -> &'static str {
        match self {
            Basis::Disputed => "disputed",
            Basis::Lines => "lines",
            Basis::Named => "named",
            Basis::Rows | Basis::Listed => "listed",
            Basis::Stated => "stated",
        }
    }
}

/// Which namespaces an answer speaks of.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Namespaces {
    /// All of them, or the kind is cluster-scoped.
    All,
    /// These.
    Some(Vec<String>),
}

/// One answer to one question, before it is placed in a context.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Answer {
    /// The kind that was asked for.
    pub kind: KindName,
    /// The namespaces that the answer covers.
    pub namespaces: Namespaces,
    /// The names that were asked for; `None` means all.
    pub names: Option<Vec<String>>,
    /// A label or field selector that narrowed the question: then it is no proof for the rest.
    pub selector: Option<String>,
    /// How it ended.
    pub state: State,
    /// What the scope rests on.
    pub basis: Basis,
    /// When it was so: the resourceVersion of a list, its place in a transcript, a time that somebody states.
    pub order: Order,
    /// Where the answer stands.
    pub citation: Citation,
}
