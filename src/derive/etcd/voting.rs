//! Who votes in an etcd cluster: by the latest member list, else by the last configuration that a log shows.
//!
//! Quorum is `floor(V/2)+1` over voting members, started or not; learners do not vote
//! (`server/etcdserver/api/membership@v3.5.21`).

use crate::etcd::member::{MemberIndex, Membership};
use crate::etcd::observation::Observation;
use facts::coverage::Basis;
use facts::node::Value;
use facts::provenance::{Cited, Provenance};
use jiff::{SignedDuration, Timestamp};
use std::collections::BTreeSet;

/// Clocks of two machines are not compared more closely than this.
pub(super) const CLOCK_GRACE: SignedDuration = SignedDuration::from_secs(60);

/// A set of voting members that somebody stated.
#[derive(Debug, Clone)]
pub(super) struct VotingMembers {
    pub ids: BTreeSet<u64>,
    /// It is a member list (an answer), not a line of a log.
    pub listed: bool,
    pub time: Option<Timestamp>,
    /// Place in a transcript, if it has one.
    pub order: Option<u64>,
    pub cited: Cited,
}

impl VotingMembers {
    /// The last of several that all stand in one transcript: only there places have an order.
    pub(crate) fn last_of_a_transcript<'a>(all: &[&'a Self]) -> Option<&'a Self> {
        let member = all.first()?.cited.citation.member;
        let together = |one: &&Self| one.order.is_some() && one.cited.citation.member == member;
        if all.iter().all(together) { all.iter().max_by_key(|one| one.order).copied() } else { None }
    }
}

/// A count within bounds.
pub(super) struct Bounds {
    pub(super) low: i64,
    pub(super) high: Option<i64>,
}

impl Bounds {
    pub(super) fn value(&self) -> Value {
        match self.high {
            Some(high) if high == self.low => Value::Int(self.low),
            high => Value::Range(self.low, high),
        }
    }
}

/// The voting members, as far as somebody states them.
pub(super) struct Voters {
    pub(super) members: BTreeSet<MemberIndex>,
    pub(super) count: Bounds,
    pub(super) from: Provenance,
}

/// The latest member list; several without an order give bounds. Without a list, the last configuration
/// that logs show.
pub(super) fn voters(membership: &Membership, members: &[MemberIndex]) -> Option<Voters> {
    let own: BTreeSet<MemberIndex> = members.iter().copied().collect();
    let known = |voting: &&VotingMembers| {
        voting.ids.iter().filter_map(|id| membership.by_id(*id)).any(|index| own.contains(&index))
    };
    let voting = |voting: &VotingMembers| -> BTreeSet<MemberIndex> {
        let indexes = voting.ids.iter().filter_map(|id| membership.by_id(*id));
        indexes.filter(|index| !voting.listed || membership.members[*index].learner != Some(true)).collect()
    };
    let listed: Vec<&VotingMembers> = membership.voting.iter().filter(|e| e.listed).filter(known).collect();
    let logged: Vec<&VotingMembers> = membership.voting.iter().filter(|e| !e.listed).filter(known).collect();
    let candidates = if listed.is_empty() { logged } else { listed };
    let latest = if let Some(last) = VotingMembers::last_of_a_transcript(&candidates) {
        vec![last]
    } else if candidates.iter().all(|e| e.time.is_some()) && candidates.len() > 1 {
        let last = candidates.iter().filter_map(|e| e.time).max()?;
        // Logs of two machines end at nearly the same time: all of them are the last.
        candidates.into_iter().filter(|e| e.time.is_some_and(|time| last.duration_since(time) <= CLOCK_GRACE)).collect()
    } else {
        candidates
    };
    let sets: BTreeSet<BTreeSet<MemberIndex>> = latest.iter().map(|e| voting(e)).collect();
    let low = sets.iter().map(BTreeSet::len).min()? as i64;
    let high = sets.iter().map(BTreeSet::len).max()? as i64;
    let shown: Vec<Shown> = latest.iter().map(|e| Shown::of(e, membership, &own)).collect();
    let cited = latest.iter().zip(&shown).map(|(e, shown)| match shown {
        Shown::Alike => Cited { basis: Basis::Stated, ..e.cited.clone() },
        Shown::Less | Shown::More => e.cited.clone(),
    });
    Some(Voters {
        members: sets.into_iter().flatten().collect(),
        count: Bounds { low, high: (!shown.contains(&Shown::More)).then_some(high) },
        from: Provenance::all(cited)?,
    })
}

/// What logs and answers show of the members, beside a list of which nobody knows whether rows of it were cut.
#[derive(PartialEq, Eq)]
enum Shown {
    /// Each member that is listed, and no other.
    Alike,
    /// Not each of them: there may be more.
    Less,
    /// A member that the list lacks: it is not whole.
    More,
}

impl Shown {
    fn of(list: &VotingMembers, membership: &Membership, own: &BTreeSet<MemberIndex>) -> Self {
        if !list.listed || list.cited.basis == Basis::Stated {
            return Self::Less;
        }
        let listed: BTreeSet<MemberIndex> = list.ids.iter().filter_map(|id| membership.by_id(*id)).collect();
        // One that was removed, or spoken of before the list was made, may be gone since.
        let stands = |index: &&MemberIndex| {
            let member = &membership.members[**index];
            let since = |said: &Observation| said.time.zip(list.time).is_none_or(|(said, listed)| said >= listed);
            !member.observations.iter().any(|said| said.is("removed") || said.is("peer-removed"))
                && member.observations.iter().any(|said| said.is_of_presence() && since(said))
        };
        let others = || own.iter().filter(|index| !listed.contains(*index));
        if others().any(|index| stands(&index)) {
            Self::More
        } else if listed
            .iter()
            .all(|index| membership.members[*index].observations.iter().any(Observation::is_of_presence))
        {
            Self::Alike
        } else {
            Self::Less
        }
    }
}
