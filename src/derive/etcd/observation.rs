//! What was observed of a member of etcd: in a line of a log, or in an answer of its own.
//!
//! Invariant: two observations have an order only by their places in one transcript, or by their times.

use catalogue::{statements, wordings};
use facts::origin::MemberId;
use facts::provenance::{Cited, Provenance};
use jiff::Timestamp;

/// Something that was said about a member, when, and where.
#[derive(Debug, Clone)]
pub struct Observation {
    pub what: Observed,
    /// When, if known.
    pub time: Option<Timestamp>,
    /// Up to when it is known to have held: the last line of the stream, or the time of the answer.
    pub until: Option<Timestamp>,
    /// An answer of the member to a question, not a line of a log.
    pub answer: bool,
    /// Place in a transcript, if it has one.
    pub order: Option<u64>,
    /// Where it stands.
    pub cited: Cited,
}

impl From<&Observation> for Provenance {
    fn from(said: &Observation) -> Self {
        (&said.cited).into()
    }
}

impl From<&TroubleObservation> for Provenance {
    fn from(noted: &TroubleObservation) -> Self {
        (&noted.cited).into()
    }
}

impl TroubleObservation {
    /// Is it this statement?
    pub(super) fn is(&self, says: &str) -> bool {
        debug_assert!(statements::is_known("etcd", says), "no row of the group `etcd` says {says}");
        self.says == says
    }
}

impl Observation {
    pub(super) fn member(&self) -> MemberId {
        self.cited.citation.member
    }

    /// Does this stand behind the other in one transcript? `None` if they do not stand in one.
    pub(super) fn is_later_than(&self, other: &Observation) -> Option<bool> {
        let (mine, theirs) = (self.order?, other.order?);
        (self.member() == other.member()).then_some(mine > theirs)
    }
}

/// What was said.
#[derive(Debug, Clone, PartialEq)]
pub enum Observed {
    /// It has no leader.
    WithoutLeader,
    /// It has one; its id if named.
    WithLeader(Option<u64>),
    /// A dial to it failed, with this error.
    DialFailed(String),
    /// It answers, or a peer reached it.
    Reached,
}

/// Something that a log or an answer says is wrong with a member, or well again.
#[derive(Debug, Clone)]
pub struct TroubleObservation {
    /// The statement of the group `etcd` of `patterns/statements.yaml`.
    pub says: &'static str,
    /// Its words, or what it names.
    pub text: String,
    /// When, if known.
    pub time: Option<Timestamp>,
    /// An answer to a question, not a line of a log.
    pub answer: bool,
    /// Its place among all that was read: of one log in the order of its lines.
    pub place: usize,
    /// Where it stands.
    pub cited: Cited,
}

/// A request that etcd refused, as its client tells it.
#[derive(Debug, Clone)]
pub(super) struct Refusal {
    /// The statement of the group `etcd-client` of `patterns/statements.yaml`.
    pub says: &'static str,
    /// When, if known.
    pub time: Option<Timestamp>,
    /// Where it stands.
    pub cited: Cited,
}

/// The last of some notes by its time, then its place.
pub(super) fn last_of<'a>(notes: impl Iterator<Item = &'a TroubleObservation>) -> Option<&'a TroubleObservation> {
    notes.max_by_key(|noted| (noted.time, noted.place))
}

/// The last note that `bad` takes, unless `good` takes a later one.
pub(super) fn standing(
    all: &[TroubleObservation],
    bad: impl Fn(&TroubleObservation) -> bool,
    good: impl Fn(&TroubleObservation) -> bool,
) -> Option<&TroubleObservation> {
    let found = last_of(all.iter().filter(|noted| bad(noted)))?;
    let healed = last_of(all.iter().filter(|noted| good(noted)));
    let later = healed.is_some_and(|healed| (healed.time, healed.place) > (found.time, found.place));
    (!later).then_some(found)
}

/// Does the error of a failed dial show that the peer is not there? TLS errors and time-outs of a deadline do not:
/// something answered, or nothing is known.
pub(super) fn surely_unreachable(error: &str) -> bool {
    wordings::first("cannot-dial", error).is_some()
}
