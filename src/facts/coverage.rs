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
use crate::outside::Outside;
use crate::shortfall::{WhyFailed, WhyPartial, WhyTruncated};
use crate::trouble::Trouble;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt;

/// How an answer ended.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum State {
    /// A list with items, to its end.
    Complete,
    /// A list that was cut or paged.
    Partial(WhyPartial),
    /// `No resources found`, or an empty list whose scope is known.
    Empty,
    /// The API server does not serve the kind: there are none.
    NoSuchKind,
    /// `(NotFound)`: this one name does not exist.
    NotFound(Outside),
    /// `pod "web-1" deleted`: this one name is gone from then on.
    Deleted(Outside),
    /// `service/web created`, or `configured`: this one name is there from then on.
    Created(Outside),
    /// RBAC refused the answer, in these words.
    Forbidden(Outside),
    /// The command failed in another way.
    Error(WhyFailed),
    /// This collector left it out on purpose.
    Redacted(&'static str),
    /// A limit of the collector, or of whoever kept it, cut it.
    Truncated(WhyTruncated),
    /// Nobody asked. Never stored; what a lookup says when it finds no record.
    NeverAsked,
}

impl State {
    /// What stands behind it: the words of whoever answered, or the name that was not found.
    pub fn detail(&self) -> Option<String> {
        match self {
            State::Partial(why) => Some(why.to_string()),
            State::Error(why) => Some(why.to_string()),
            State::Truncated(why) => Some(why.to_string()),
            State::Redacted(collector) => Some(format!("{collector} left it out")),
            State::NotFound(text) | State::Deleted(text) | State::Created(text) | State::Forbidden(text) => {
                Some(text.to_string())
            }
            State::Complete | State::Empty | State::NoSuchKind | State::NeverAsked => None,
        }
    }

    /// The error that somebody printed in place of the answer, or with it.
    pub fn trouble(&self) -> Option<&Trouble> {
        match self {
            State::Partial(why) => why.trouble(),
            State::Error(why) => why.trouble(),
            _ => None,
        }
    }

    /// Is the answer missing, or a part of it?
    pub fn is_missing(&self) -> bool {
        self.name().is_missing()
    }

    /// The state without what stands behind it.
    pub fn name(&self) -> StateName {
        match self {
            State::Complete => StateName::Complete,
            State::Partial(_) => StateName::Partial,
            State::Empty => StateName::Empty,
            State::NoSuchKind => StateName::NoSuchKind,
            State::NotFound(_) => StateName::NotFound,
            State::Deleted(_) => StateName::Deleted,
            State::Created(_) => StateName::Created,
            State::Forbidden(_) => StateName::Forbidden,
            State::Error(_) => StateName::Error,
            State::Redacted(_) => StateName::Redacted,
            State::Truncated(_) => StateName::Truncated,
            State::NeverAsked => StateName::NeverAsked,
        }
    }

    /// The word that reports print for it.
    pub fn word(&self) -> &'static str {
        self.name().word()
    }
}

/// How an answer ended, without what stands behind it: what reports carry. In the order of the words, so that rows are
/// sorted by them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[schemars(rename = "CoverageState")]
pub enum StateName {
    /// A list with items, to its end.
    Complete,
    /// One name was made.
    Created,
    /// One name was deleted.
    Deleted,
    /// There is none, in a scope that is known.
    Empty,
    /// It could not be asked.
    Error,
    /// The API server refused.
    Forbidden,
    /// Nobody asked.
    NeverAsked,
    /// The API server does not serve the kind.
    NoSuchKind,
    /// One name does not exist.
    NotFound,
    /// A list that is not whole, or not known to be.
    Partial,
    /// The collector left it out on purpose.
    Redacted,
    /// A limit cut it.
    Truncated,
}

impl StateName {
    /// Is the answer missing, or a part of it?
    pub fn is_missing(self) -> bool {
        matches!(self, Self::Partial | Self::Forbidden | Self::Error | Self::Redacted | Self::Truncated)
    }

    /// The word that reports print for it.
    pub fn word(self) -> &'static str {
        match self {
            Self::Complete => "complete",
            Self::Created => "created",
            Self::Deleted => "deleted",
            Self::Empty => "empty",
            Self::Error => "error",
            Self::Forbidden => "forbidden",
            Self::NeverAsked => "never-asked",
            Self::NoSuchKind => "no-such-kind",
            Self::NotFound => "not-found",
            Self::Partial => "partial",
            Self::Redacted => "redacted",
            Self::Truncated => "truncated",
        }
    }
}

impl fmt::Display for StateName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
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
