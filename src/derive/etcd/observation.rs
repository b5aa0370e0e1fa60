//! What was observed of a member of etcd: in a line of a log, or in an answer of its own.
//!
//! Invariant: two observations have an order only by their places in one transcript, or by their times.

use catalogue::{statements, wordings};
use facts::provenance::{Cited, Provenance};
use jiff::{SignedDuration, Timestamp};

/// The words about a leader, about a dial to a member, and that it answers or a peer reached it.
pub(super) const WITH_LEADER: &str = "with-leader";
pub(super) const WITHOUT_LEADER: &str = "without-leader";
pub(super) const DIAL_FAILED: &str = "dial-failed";
pub(super) const REACHED: &str = "reached";
/// A leader gives its place to another.
pub(super) const HANDS_OVER: &str = "hands-over";

/// So long after a peer came back a member of etcd still tells of the dial that failed before: its prober reports what it
/// knew last, and a peer that stays away is told of twice a minute (`etcd-io/etcd:server/etcdserver/api/rafthttp/probing_status.go`).
const SETTLES: SignedDuration = SignedDuration::from_secs(10);

/// Does a dial that failed then tell more than that the peer, reached at this time, had been away before?
pub(super) fn is_news(failed: Timestamp, reached: Option<Timestamp>) -> bool {
    reached.is_none_or(|reached| failed.duration_since(reached) > SETTLES)
}

/// A hand-over is done, or given up, within an election timeout, which is a second by default; clocks differ.
const HANDED_OVER: SignedDuration = SignedDuration::from_secs(3);

/// Is a word about having no leader one of a hand-over, which is over in milliseconds?
pub(super) fn is_of_hand_over(word: &Observation, hand_overs: &[&Observation]) -> bool {
    let near = |time: Timestamp| {
        let mut times = hand_overs.iter().filter_map(|said| said.time);
        times.any(|over| time.duration_since(over).abs() <= HANDED_OVER)
    };
    !word.answer && word.time.is_some_and(near)
}

/// Something that was said about a member, when, and where.
#[derive(Debug, Clone)]
pub(super) struct Observation {
    /// The statement of the group `etcd` of `patterns/statements.yaml`.
    pub says: &'static str,
    /// Its words, or what it names: of `with-leader` the id of the leader, where it is named.
    pub text: String,
    /// When, if known.
    pub time: Option<Timestamp>,
    /// Up to when it is known to have held: the last line of the stream, or the time of the answer.
    pub until: Option<Timestamp>,
    /// An answer to a question, not a line of a log.
    pub answer: bool,
    /// Place in a transcript, if it has one.
    pub order: Option<u64>,
    /// Its place among all that was read: of one log in the order of its lines.
    pub place: usize,
    pub cited: Cited,
}

impl From<&Observation> for Provenance {
    fn from(said: &Observation) -> Self {
        (&said.cited).into()
    }
}

impl Observation {
    pub(super) fn is(&self, says: &str) -> bool {
        debug_assert!(statements::is_known("etcd", says), "no row of the group `etcd` says {says}");
        self.says == says
    }

    /// Does it say whether there is a leader?
    pub(super) fn is_of_leader(&self) -> bool {
        self.is(WITH_LEADER) || self.is(WITHOUT_LEADER)
    }

    /// Does it say whether a member is there?
    pub(super) fn is_of_presence(&self) -> bool {
        self.is_of_leader() || self.is(DIAL_FAILED) || self.is(REACHED)
    }

    /// Does this stand behind the other in one transcript? `None` if they do not stand in one.
    pub(super) fn is_later_than(&self, other: &Observation) -> Option<bool> {
        let (mine, theirs) = (self.order?, other.order?);
        (self.cited.citation.member == other.cited.citation.member).then_some(mine > theirs)
    }
}

/// The last of some observations by its time, then its place.
pub(super) fn last_of<'a>(all: impl Iterator<Item = &'a Observation>) -> Option<&'a Observation> {
    all.max_by_key(|said| (said.time, said.place))
}

/// The last one that `bad` takes, unless `good` takes a later one.
pub(super) fn standing(
    all: &[Observation],
    bad: impl Fn(&Observation) -> bool,
    good: impl Fn(&Observation) -> bool,
) -> Option<&Observation> {
    let found = last_of(all.iter().filter(|said| bad(said)))?;
    let healed = last_of(all.iter().filter(|said| good(said)));
    let later = healed.is_some_and(|healed| (healed.time, healed.place) > (found.time, found.place));
    (!later).then_some(found)
}

/// Does the error of a failed dial show that the peer is not there? TLS errors and time-outs of a deadline do not:
/// something answered, or nothing is known.
pub(super) fn surely_unreachable(error: &str) -> bool {
    wordings::first("cannot-dial", error).is_some()
}
