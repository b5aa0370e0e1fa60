//! What parsers yield: the one type between bytes and facts.
//!
//! Invariant: a parser decides nothing about clusters. It says what a text holds and where; contexts,
//! merging and coverage of whole bundles are the business of [`crate`].

use crate::coverage::Answer;
use crate::kind::KindName;
use crate::object::ObjectRecord;
use crate::origin::Citation;
use crate::secrets::Counts;
use crate::shortfall::WhyPartial;
use crate::unread::WhyUnread;
use std::collections::BTreeSet;
use std::fmt;

/// One thing read from a member. A large list is hundreds of thousands of them, so what is large stands beside them.
#[derive(Debug, Clone, PartialEq)]
pub enum Record {
    /// An object, full or partial.
    Object(Box<ObjectRecord>),
    /// A table of kubectl, to be given kinds and paths by the kind catalogue.
    Table(Box<Table>),
    /// An answer of the API server that is no object: a list's completeness, `No resources found`,
    /// `(NotFound)`, `Forbidden`...
    Answer(Box<Answer>),
    /// A statement about the collection itself: collection time, product version.
    Stamp(Box<Stamp>),
    /// Which kinds the API server serves.
    Served(Box<Served>),
}

impl From<Table> for Record {
    fn from(table: Table) -> Self {
        Self::Table(Box::new(table))
    }
}

impl From<Answer> for Record {
    fn from(answer: Answer) -> Self {
        Self::Answer(Box::new(answer))
    }
}

impl From<Stamp> for Record {
    fn from(stamp: Stamp) -> Self {
        Self::Stamp(Box::new(stamp))
    }
}

impl From<Served> for Record {
    fn from(served: Served) -> Self {
        Self::Served(Box::new(served))
    }
}

/// A listing of what an API server serves.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Served {
    /// The kinds listed; empty if only groups are.
    pub kinds: BTreeSet<KindName>,
    /// The groups listed, where the listing names groups alone.
    pub groups: Option<BTreeSet<String>>,
    /// It lists all that the server serves.
    pub is_whole: bool,
    /// Its command is known, and with it what was printed beside it. The errors of a listing that stands
    /// alone in a file may have gone elsewhere.
    pub stated: bool,
    /// Its first line.
    pub citation: Citation,
}

impl Served {
    /// Is a kind served, as far as the listing says?
    pub fn holds(&self, kind: &KindName) -> bool {
        match &self.groups {
            Some(groups) => groups.contains(&kind.group),
            None => self.kinds.contains(kind),
        }
    }
}

/// A table as kubectl prints it, cut into cells.
#[derive(Debug, Clone, PartialEq)]
pub struct Table {
    /// Headers in print order, upper case (`CP UP-TO-DATE`).
    pub headers: Vec<String>,
    /// Line of the header.
    pub line: u32,
    /// Rows in print order.
    pub rows: Vec<Row>,
    /// What shows that the table was cut (an error message that followed it), if anything.
    pub cut: Option<WhyPartial>,
    /// The member it stands in.
    pub member: crate::origin::MemberId,
    /// The command that printed it, if known.
    pub command: Option<Command>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Row {
    pub line: u32,
    /// One cell for each header; an empty cell is an empty string.
    pub cells: Vec<String>,
    /// The row as printed.
    pub text: String,
}

/// A time or a version that the bundle states about itself.
#[derive(Debug, Clone, PartialEq)]
pub struct Stamp {
    pub what: Stated,
    pub text: String,
    /// Where it stands.
    pub citation: Citation,
}

/// What a bundle states about itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Stated {
    /// When it was collected.
    CollectedAt,
    /// A time that somebody noted above what he pasted.
    NotedAt,
    /// A day, or a clock without its zone, that somebody noted there: the first moment that it may mean.
    NotedDay,
    /// The version of the API server.
    ServerVersion,
}

impl fmt::Display for Stated {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::CollectedAt => "collected-at",
            Self::NotedAt => "noted-at",
            Self::NotedDay => "noted-day",
            Self::ServerVersion => "server-version",
        })
    }
}

/// A kubectl command, as far as it decides what its output means.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct Command {
    /// The command as typed.
    pub text: String,
    /// `get`, `describe`, `logs`, or the name of another program (`etcdctl`).
    pub verb: String,
    /// The kinds asked for, as typed (`machines`, `mhc`, `clusters.platform.tkestack.io`).
    pub kinds: Vec<String>,
    /// The names asked for.
    pub names: Vec<String>,
    /// `-n`; `None` means the current namespace, which nobody knows.
    pub namespace: Option<String>,
    /// `-A`.
    pub all_namespaces: bool,
    /// `-l` or `--field-selector`.
    pub selector: Option<String>,
    /// `-o`.
    pub output: Option<String>,
    /// `--context`.
    pub context: Option<String>,
    /// `--kubeconfig`.
    pub kubeconfig: Option<String>,
    /// `--cluster`, or the address that `--server` names.
    pub cluster: Option<String>,
}

/// The outcome of reading one whole member.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Parsed {
    /// What was read, in the order of the text.
    pub records: Vec<Record>,
    /// Parts that were not understood: line and reason, in the order of the text.
    pub unread: Vec<(u32, WhyUnread)>,
    /// The format as `inspect` names it: `yaml`, `json`, `table`, `describe`, `etcdctl`, `transcript`...
    pub format: &'static str,
    /// Secret values masked while reading.
    pub redactions: Counts,
}
