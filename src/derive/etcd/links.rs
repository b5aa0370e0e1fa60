//! Two members that reach all but each other: each has a leader, and the log of one tells that it does not reach the other.
//!
//! Why apart from who is down: a member that one peer does not reach, and that has a leader all the same, is not down; the
//! network between the two is.
//!
//! Invariants: a link counts only if its last dial failed near the end of the log that tells of it, and nothing in that
//! log says that the other was heard from afterwards.

use crate::etcd::member::{Key, MemberIndex, Membership};
use crate::etcd::member_state::{Leader, MemberState};
use crate::etcd::observation::{DIAL_FAILED, Observation, REACHED, is_news, last_of, surely_unreachable};
use crate::etcd::voting::CLOCK_GRACE;
use crate::reader::Reader;
use facts::derived::Derived;
use facts::provenance::{Cited, Provenance};
use jiff::Timestamp;
use std::collections::{BTreeMap, BTreeSet};

/// A dial that failed so many seconds before the end of its log is the last word about it: members try again after
/// some seconds, and etcd logs it twice a minute.
const LATELY: i64 = 120;

/// A link that does not work.
#[derive(Debug, Clone)]
pub(super) struct Link {
    /// Who tells of it, and whom it does not reach.
    from: Key,
    to: Key,
    error: String,
    /// The first dial that failed since the other was last heard from.
    since: Option<Timestamp>,
    cited: Cited,
}

/// The links that do not work at the end of one log. `said` is what the log tells.
pub(super) fn broken(writer: &Key, said: &[(Key, Observation)], end: Option<Timestamp>) -> Vec<Link> {
    let mut others: BTreeMap<&Key, Vec<&Observation>> = BTreeMap::new();
    for (key, said) in said.iter().filter(|(key, _)| key != writer) {
        others.entry(key).or_default().push(said);
    }
    let link = |(to, said): (&Key, Vec<&Observation>)| {
        let failed = |said: &&&Observation| said.is(DIAL_FAILED) && surely_unreachable(&said.text);
        let last = last_of(said.iter().filter(failed).copied())?;
        let heard = last_of(said.iter().filter(|said| said.is(REACHED)).copied()).and_then(|said| said.time);
        let near = end.zip(last.time).is_some_and(|(end, last)| end.duration_since(last).as_secs() <= LATELY);
        if !near || !last.time.is_some_and(|time| is_news(time, heard)) {
            return None;
        }
        let since = said.iter().filter(failed).filter_map(|said| said.time).filter(|time| is_news(*time, heard)).min();
        let (from, to, error) = (writer.clone(), to.clone(), last.text.clone());
        Some(Link { from, to, error, since, cited: last.cited.clone() })
    };
    others.into_iter().filter_map(link).collect()
}

/// Writes who does not reach whom, of members that have a leader.
pub(super) fn add(reader: Reader<'_>, membership: &Membership, states: &[MemberState<'_>], object: &mut Derived) {
    // It has a leader; and where its peer's dials alone make it look down, its own log goes on for longer than clocks differ.
    let has_leader = |index: MemberIndex, link: &Link| {
        let label = membership.label(index);
        let goes_on = |member: &MemberState<'_>| {
            let until = member.word.filter(|word| !word.answer).and_then(|word| word.until);
            until.zip(link.since).is_some_and(|(until, since)| until.duration_since(since) >= CLOCK_GRACE)
        };
        let with = |member: &MemberState<'_>| member.leader == Leader::With && goes_on(member);
        let fits = |member: &MemberState<'_>| member.counts_with && !member.surely_down() || with(member);
        states.iter().any(|member| member.label == label && fits(member))
    };
    let mut pairs: BTreeMap<(MemberIndex, MemberIndex), BTreeSet<MemberIndex>> = BTreeMap::new();
    let mut all: Vec<&Link> = Vec::new();
    for link in &membership.links {
        let (Some(from), Some(to)) = (membership.of(&link.from), membership.of(&link.to)) else { continue };
        if from != to && has_leader(from, link) && has_leader(to, link) {
            pairs.entry((from.min(to), from.max(to))).or_default().insert(from);
            all.push(link);
        }
    }
    let Some(cited) = Provenance::all(all.iter().map(|link| link.cited.clone())) else { return };
    let named = pairs.keys().map(|(one, other)| {
        let mut labels = [membership.label(*one), membership.label(*other)];
        labels.sort();
        labels.join(" and ")
    });
    object.text("status.apart", &named.collect::<BTreeSet<_>>().into_iter().collect::<Vec<_>>().join("; "), &cited);
    object.flag("status.apartMutual", pairs.values().any(|from| from.len() == 2), &cited);
    if let Some(link) = all.first() {
        object.text("status.apartError", &link.error, &link.cited);
    }
    if let Some(first) = all.iter().filter(|link| link.since.is_some()).min_by_key(|link| link.since) {
        object.number("status.apartAge", reader.log_age(first.since), &first.cited);
    }
    let members = pairs.keys().flat_map(|(one, other)| [*one, *other]);
    let addresses = members.filter_map(|index| membership.members.get(index)).flat_map(|member| &member.addresses);
    object.list("status.apartAddresses", addresses.cloned(), &cited);
}
