//! When something was so, as far as that is known.
//!
//! Why a type of its own: an answer of Monday must not overrule a log of Tuesday. Every reading of an object, every
//! answer and every derived field carries what is known of its time, and whoever lets one overrule another asks here
//! first.
//!
//! Invariants: never the time of a file, never the order of members; what cannot be compared has no order, and where
//! there is none nobody is overruled.

use crate::object::Sighting;
use crate::origin::MemberId;
use jiff::Timestamp;
use std::cmp::Ordering;

/// What is known of when something was so.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Order {
    /// The resourceVersion of an object: of its state, which may be older than the look at it.
    pub resource_version: Option<u64>,
    /// The resourceVersion of a list: the state of the cluster when it was made. Of an object in the list too: it was
    /// there then.
    pub list_version: Option<u64>,
    /// The position in a transcript: only positions in one member compare.
    pub transcript: Option<(MemberId, u64)>,
    /// A time that the content, a manifest, a layout or a collector's file name states; of a line its own.
    pub time: Option<Timestamp>,
    /// Of answers of etcd: the raft term and index.
    pub raft: Option<(u64, u64)>,
    /// Of Nodes and agents: the heartbeat.
    pub heartbeat: Option<Timestamp>,
}

impl Order {
    /// What one reading of an object tells; `None` if nothing.
    pub fn of(sighting: &Sighting) -> Option<Self> {
        let order = Self { resource_version: sighting.resource_version, ..sighting.record.order };
        order.known()
    }

    /// At a time.
    pub fn at(time: Timestamp) -> Self {
        Self { time: Some(time), ..Self::default() }
    }

    /// This, if anything is known.
    pub fn known(self) -> Option<Self> {
        (self != Self::default()).then_some(self)
    }

    /// Is it known when it was, by a clock or by a place in a transcript?
    pub fn is_dated(&self) -> bool {
        self.transcript.is_some() || self.time.is_some() || self.heartbeat.is_some()
    }

    /// Which of two is later; `None` where nothing tells. The surest tells first: resourceVersion, raft, position in
    /// one transcript, lists, a stated time or a heartbeat.
    pub fn compare(&self, other: &Self) -> Option<Ordering> {
        let both = |a: Option<u64>, b: Option<u64>| Some(a?.cmp(&b?));
        both(self.resource_version, other.resource_version)
            .or_else(|| Some(self.raft?.cmp(&other.raft?)))
            .or_else(|| self.compare_looks(other))
    }

    /// Which of two looks at a cluster was later, whatever they saw; `None` where nothing tells or both are one.
    pub fn compare_looks(&self, other: &Self) -> Option<Ordering> {
        let in_transcript = || {
            let ((a, mine), (b, theirs)) = (self.transcript?, other.transcript?);
            (a == b && mine != theirs).then(|| mine.cmp(&theirs))
        };
        let unequal = |order: &Ordering| *order != Ordering::Equal;
        let by_list = || Some(self.list_version?.cmp(&other.list_version?)).filter(unequal);
        let time = |order: &Self| order.time.or(order.heartbeat);
        let by_time = || Some(time(self)?.cmp(&time(other)?)).filter(unequal);
        in_transcript().or_else(by_list).or_else(by_time)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(member: u32, position: u64) -> Order {
        Order { transcript: Some((MemberId(member), position)), ..Order::default() }
    }

    #[test]
    fn only_positions_of_one_transcript_compare() {
        assert_eq!(at(1, 3).compare(&at(1, 9)), Some(Ordering::Less));
        assert_eq!(at(1, 3).compare(&at(2, 9)), None);
        let raft = |term, index| Order { raft: Some((term, index)), ..at(1, 100) };
        assert_eq!(raft(3, 1).compare(&raft(2, 900)), Some(Ordering::Greater));
    }

    #[test]
    fn looks_compare_by_transcript_then_by_list_then_by_time() {
        let list = |version, time: &str| Order {
            list_version: Some(version),
            time: Some(time.parse().unwrap()),
            ..Order::default()
        };
        let (monday, tuesday) = ("2026-03-02T00:00:00Z", "2026-03-03T00:00:00Z");
        assert_eq!(list(9, monday).compare_looks(&list(7, tuesday)), Some(Ordering::Greater));
        assert_eq!(list(7, monday).compare_looks(&list(7, tuesday)), Some(Ordering::Less));
        assert_eq!(list(7, monday).compare_looks(&list(7, monday)), None);
        let state = Order { resource_version: Some(3), ..Order::default() };
        assert_eq!(state.compare_looks(&Order { resource_version: Some(4), ..Order::default() }), None);
    }
}
