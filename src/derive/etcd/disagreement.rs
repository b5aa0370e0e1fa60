//! What members answer that cannot all be true of one cluster: other leaders, other member lists, other data.
//!
//! Why: each answer alone reads as if all were well. Only beside the others does it show that a member follows another
//! leader, knows other members, or has other data than its peers at the same place of the raft log.
//!
//! Sources: etcd `api/etcdserverpb/rpc.proto` (StatusResponse, HashKVResponse); what members applied up to one index of
//! one raft log gives one revision (`server/etcdserver/corrupt.go`).
//!
//! Invariants: leaders are compared inside one answer, or inside one term, for another term has another leader; member
//! lists only where each is whole and none is known to be the later one.

use crate::etcd::draft::{HashAnswer, StatusAnswer};
use crate::etcd::member::{Key, MemberIndex, Membership};
use crate::etcd::voting::{CLOCK_GRACE, VotingMembers};
use facts::coverage::Basis;
use facts::derived::Derived;
use facts::provenance::{Cited, Provenance};
use std::collections::{BTreeMap, BTreeSet};

/// Revisions that are so far apart were not read in the middle of a write.
const FAR: i64 = 10;

/// Are these, as they are written, one number with a digit too many, too few, or wrong? IDs and hashes are spread over all
/// their values, so that two of them are never so alike by themselves: one of them was damaged on its way.
pub(super) fn is_miscopied(one: &str, other: &str) -> bool {
    let (one, other) = (one.as_bytes(), other.as_bytes());
    let (long, short) = if one.len() >= other.len() { (one, other) } else { (other, one) };
    let same_head = long.iter().zip(short).take_while(|(a, b)| a == b).count();
    let same_tail = long.iter().rev().zip(short.iter().rev()).take_while(|(a, b)| a == b).count();
    long != short && long.len() - short.len() <= 1 && same_head + same_tail + 1 >= long.len()
}

/// The same of IDs as a log or an answer writes them.
pub(super) fn is_miscopied_text(one: &str, other: &str) -> bool {
    let id = |text: &str| u64::from_str_radix(text.trim_start_matches("0x"), 16).ok();
    is_miscopied(one, other) || id(one).zip(id(other)).is_some_and(|(one, other)| is_miscopied_id(one, other))
}

/// The same of IDs, which are written in decimal or in hexadecimal digits.
fn is_miscopied_id(one: u64, other: u64) -> bool {
    is_miscopied(&one.to_string(), &other.to_string())
        || is_miscopied(&parse::etcdctl::hex(one), &parse::etcdctl::hex(other))
}

/// Adds all fields of this file; whether the answers name different leaders.
pub(super) fn add(membership: &Membership, members: &[MemberIndex], object: &mut Derived) -> bool {
    let own = |status: &&StatusAnswer| membership.by_id(status.id).is_some_and(|index| members.contains(&index));
    let statuses: Vec<&StatusAnswer> = membership.statuses.iter().filter(own).collect();
    lists(membership, members, object);
    revisions(membership, &statuses, object);
    hashes(membership, object);
    alone(membership, object);
    leaders(membership, &statuses, object)
}

/// `cp-1 (of cp-1, cp-2) and cp-3 (of cp-3)`, or another sentence about what several name.
fn spelt(named: &BTreeMap<String, BTreeSet<String>>) -> String {
    let each = named.iter().map(|(what, who)| {
        format!("{what} (named by {})", who.iter().map(String::as_str).collect::<Vec<_>>().join(", "))
    });
    each.collect::<Vec<_>>().join(" and ")
}

fn leaders(membership: &Membership, statuses: &[&StatusAnswer], object: &mut Derived) -> bool {
    let label = |id: u64| membership.by_id(id).map_or_else(|| parse::etcdctl::hex(id), |index| membership.label(index));
    let together = |one: &StatusAnswer, other: &StatusAnswer| {
        one.asked.is_beside(&other.asked) || one.term.is_some() && one.term == other.term
    };
    let differing = |status: &&&StatusAnswer| {
        let differs = |other: &&StatusAnswer| match (status.leader, other.leader) {
            (Some(own), Some(others)) => own != others && !is_miscopied_id(own, others),
            _ => false,
        };
        status.leader.is_some() && statuses.iter().any(|other| differs(other) && together(status, other))
    };
    let found: Vec<&&StatusAnswer> = statuses.iter().filter(differing).collect();
    let Some(cited) = Provenance::all(found.iter().map(|status| status.asked.cited.clone())) else { return false };
    let mut named: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for status in &found {
        if let Some(leader) = status.leader {
            named.entry(label(leader)).or_default().insert(label(status.id));
        }
    }
    object.text("status.leadersNamed", &spelt(&named), &cited);
    let terms: BTreeSet<Option<i64>> = found.iter().map(|status| status.term).collect();
    object.flag("status.leadersOfOneTerm", terms.len() == 1 && !terms.contains(&None), &cited);
    true
}

/// Lists that hold other members, none of them known to be the later one.
fn lists(membership: &Membership, members: &[MemberIndex], object: &mut Derived) {
    let known = |list: &&VotingMembers| {
        list.ids.iter().filter_map(|id| membership.by_id(*id)).any(|index| members.contains(&index))
    };
    let whole = |list: &&VotingMembers| list.listed && list.cited.basis == Basis::Stated;
    let lists: Vec<&VotingMembers> = membership.voting.iter().filter(whole).filter(known).collect();
    let differ = |one: &VotingMembers, other: &VotingMembers| {
        let later = match (one.time, other.time) {
            (Some(one), Some(other)) => one.duration_since(other).abs() > CLOCK_GRACE,
            _ => one.cited.citation.member == other.cited.citation.member,
        };
        one.ids != other.ids && !later
    };
    let differing: Vec<&&VotingMembers> =
        lists.iter().filter(|one| lists.iter().any(|other| differ(one, other))).collect();
    let Some(cited) = Provenance::all(differing.iter().map(|list| list.cited.clone())) else { return };
    let names = |list: &VotingMembers| {
        let names: BTreeSet<String> = list
            .ids
            .iter()
            .map(|id| membership.by_id(*id).map_or_else(|| parse::etcdctl::hex(*id), |index| membership.label(index)))
            .collect();
        names.into_iter().collect::<Vec<_>>().join(", ")
    };
    let sets: BTreeSet<String> = differing.iter().map(|list| names(list)).collect();
    object.text("status.listsDiffer", &sets.into_iter().collect::<Vec<_>>().join(" and "), &cited);
}

/// Other revisions at the same applied index.
fn revisions(membership: &Membership, statuses: &[&StatusAnswer], object: &mut Derived) {
    let mut at: BTreeMap<i64, Vec<(i64, &StatusAnswer)>> = BTreeMap::new();
    for status in statuses {
        if let (Some(applied), Some(revision)) = (status.applied, status.revision) {
            at.entry(applied).or_default().push((revision, status));
        }
    }
    let differs = |rows: &Vec<(i64, &StatusAnswer)>| {
        rows.iter().any(|(revision, _)| Some(revision) != rows.first().map(|(r, _)| r))
    };
    // The newest place of the raft log at which they differ.
    let Some((applied, rows)) = at.into_iter().rev().find(|(_, rows)| differs(rows)) else { return };
    let Some(cited) = Provenance::all(rows.iter().map(|(_, status)| status.asked.cited.clone())) else { return };
    let mut named: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for (revision, status) in &rows {
        let label = membership.by_id(status.id).map(|index| membership.label(index));
        named.entry(revision.to_string()).or_default().extend(label);
    }
    let each = named.iter().map(|(revision, who)| {
        format!("revision {revision} ({})", who.iter().map(String::as_str).collect::<Vec<_>>().join(", "))
    });
    let text = format!("{} at applied index {applied}", each.collect::<Vec<_>>().join(", "));
    object.text("status.revisionsDiffer", &text, &cited);
    // A revision may be read before, and the index after a write; where all stand still, or are far apart, it was not so. One
    // digit may also have been miscopied, which a hash tells.
    let found: BTreeSet<i64> = rows.iter().map(|(revision, _)| *revision).collect();
    let ends = found.last().zip(found.first());
    let far = ends.is_some_and(|(high, low)| high - low >= FAR);
    let alike = ends.is_some_and(|(high, low)| is_miscopied(&high.to_string(), &low.to_string()));
    let moving = statuses.iter().any(|status| {
        status.applied != Some(applied) && rows.iter().any(|(_, row)| row.asked.is_beside(&status.asked))
    });
    object.flag("status.revisionsAtRest", !alike && (far || !moving && rows.len() > 2), &cited);
}

/// What was answered, by whom, and where it stands.
type Said<'a> = BTreeMap<&'a str, Vec<(&'a str, &'a Cited)>>;

/// Other hashes of the same span of revisions.
fn hashes(membership: &Membership, object: &mut Derived) {
    let mut at: BTreeMap<(i64, i64), Said<'_>> = BTreeMap::new();
    for answer in &membership.hashes {
        if let (Some(from), Some(to)) = answer.span {
            let endpoint = answer.endpoint.as_str();
            at.entry((to, from)).or_default().entry(&answer.hash).or_default().push((endpoint, &answer.asked.cited));
        }
    }
    let differ = |found: &Said<'_>| {
        let mut pairs = found.keys().flat_map(|one| found.keys().map(move |other| (one, other)));
        pairs.any(|(one, other)| one != other && !is_miscopied(one, other))
    };
    let Some(((to, _), found)) = at.into_iter().rev().find(|(_, found)| differ(found)) else { return };
    let cited = found.values().flatten().map(|(_, cited)| (*cited).clone());
    let Some(cited) = Provenance::all(cited) else { return };
    let each = found.iter().map(|(hash, who)| {
        format!("{hash} ({})", who.iter().map(|(endpoint, _)| *endpoint).collect::<Vec<_>>().join(", "))
    });
    let text = format!("{} at revision {to}", each.collect::<Vec<_>>().join(" and "));
    object.text("status.hashesDiffer", &text, &cited);
}

/// Endpoints of one answer before one of them can be said to be the one that differs.
const A_MAJORITY: usize = 3;

/// The member whose hash differs from the one that all others of an answer have. It tells whose data are wrong only where
/// something else says that some are: endpoints that are asked in turn may be hashed at different revisions.
fn alone(membership: &Membership, object: &mut Derived) {
    let mut answers: Vec<Vec<&HashAnswer>> = Vec::new();
    for answer in &membership.hashes {
        match answers.last_mut() {
            Some(rows) if rows.last().is_some_and(|row| row.asked.is_beside(&answer.asked)) => rows.push(answer),
            _ => answers.push(vec![answer]),
        }
    }
    let named = answers.iter().filter_map(|rows| {
        let row = single(rows)?;
        let key = Key::Address(row.endpoint.clone());
        let name = membership.of(&key).map_or_else(|| row.endpoint.clone(), |index| membership.label(index));
        Some((name, row.asked.cited.clone()))
    });
    // Where answers name different ones, none of them does.
    let (names, places): (BTreeSet<String>, Vec<Cited>) = named.unzip();
    if let (Some(name), 1, Some(cited)) = (names.first(), names.len(), Provenance::all(places)) {
        object.text("status.hashApart", name, &cited);
    }
}

/// The row of an answer whose hash no other has, where all others have one.
fn single<'r>(rows: &[&'r HashAnswer]) -> Option<&'r HashAnswer> {
    let mut hashes: BTreeMap<&str, Vec<&'r HashAnswer>> = BTreeMap::new();
    for row in rows.iter().filter(|_| rows.len() >= A_MAJORITY) {
        hashes.entry(&row.hash).or_default().push(row);
    }
    let mut alone = hashes.values().filter(|of| of.len() == 1);
    let first = alone.next().filter(|_| hashes.len() == 2)?;
    alone.next().is_none().then(|| first.first().copied()).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_that_differ_in_one_digit_are_one() {
        // A bit that was turned, a digit that was lost, one too many.
        for other in ["8fd01ecfdb11a8d3", "8fd01ecfdb11a8d", "8fd01ecfdb11a8d17"] {
            assert!(is_miscopied_text("8fd01ecfdb11a8d1", other), "{other}");
        }
        for other in ["8fd01ecfdb11a8d1", "384c627bd2d8c40b", "8fd01ecfdb11a9d3"] {
            assert!(!is_miscopied_text("8fd01ecfdb11a8d1", other), "{other}");
        }
        // JSON prints them in decimal digits: one of those is several in hexadecimal.
        assert!(is_miscopied_id(16_272_283_584_282_658_680, 16_272_283_584_282_668_680));
        assert!(!is_miscopied_id(10_167_408_264_357_104_325, 5_416_877_082_257_088_352));
    }
}
