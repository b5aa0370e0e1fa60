//! One member of an etcd cluster as an object: `etcdclustermembers.casefile.dev`.
//!
//! Why beside the cluster: a broken data directory, a removed member and a member that is down are faults
//! of one member, while the others may serve. A signature about them needs the member as its entity.
//!
//! Invariants: as for the cluster; in particular no error in a log that was not collected whole is known to
//! be absent, so those fields are unknown unless they are set.

use crate::etcd::draft::HealthAnswer;
use crate::etcd::lag::Lags;
use crate::etcd::member::{Key, Member, MemberIndex, Membership};
use crate::etcd::member_state::{Leader, MemberState, assess};
use crate::etcd::observation::{Observation, REACHED, WITH_LEADER, last_of, standing};
use crate::etcd::voting::VotingMembers;
use crate::nodes::{PASSING, cordoned_by};
use crate::reader::Reader;
use catalogue::wordings;
use facts::coverage::Basis;
use facts::derived::{Derived, Known};
use facts::node::Value;
use facts::provenance::Provenance;
use std::collections::BTreeSet;

/// What a client says that got no answer.
const NO_ANSWER: &str = "context deadline exceeded";

/// The members of one cluster. `states` are its voters; `cluster` is its object.
pub(super) fn assemble(
    reader: Reader<'_>,
    membership: &Membership,
    members: &[MemberIndex],
    states: &[MemberState<'_>],
    cluster: &Derived,
) -> Vec<Derived> {
    let stated = voters_stated(cluster).is_some();
    let about = |index: &&MemberIndex| {
        let member = &membership.members[**index];
        let votes = states.iter().any(|states| states.label == membership.label(**index));
        let troubled =
            member.observations.iter().any(|it| it.is("storage-broken") || it.is("removed") || it.is("peer-removed"));
        !stated || votes || troubled || member.started.is_some() || member.own_id.is_some()
    };
    // An old id or an endpoint that nobody lists is no member.
    let file = |id| reader.facts.members.get(&id).map(ToString::to_string).unwrap_or_default();
    let lags = Lags::gather(&membership.statuses, file);
    let each = members.iter().filter(about).map(|index| {
        let mut made = one(membership, *index, states, cluster, reader);
        lags.write(&membership.members[*index].ids, &mut made);
        made
    });
    each.collect()
}

/// What states the voting members, if anything does.
fn voters_stated(cluster: &Derived) -> Option<&Provenance> {
    let voters = cluster.field("spec.voters").map(|field| &*field.provenance);
    voters.filter(|provenance| !provenance.citations.is_empty())
}

fn one(
    membership: &Membership,
    index: MemberIndex,
    voters: &[MemberState<'_>],
    cluster: &Derived,
    reader: Reader<'_>,
) -> Derived {
    let member = &membership.members[index];
    let label = membership.label(index);
    let mut object = Derived::new("etcdclustermembers", None, &label).with_all_lines();
    let seen = Provenance::all_or(member.places.first().cloned(), Provenance::bare(Basis::Lines));
    object.text("spec.cluster", cluster.name(), &seen);
    let ids: Vec<String> = member.ids.iter().map(|id| parse::etcdctl::hex(*id)).collect();
    object.text("spec.id", &ids.join(", "), &seen);
    let addresses: Vec<&str> = member.addresses.iter().map(String::as_str).collect();
    object.text("spec.addresses", &addresses.join(", "), &seen);
    object.list("spec.addressList", member.addresses.iter().cloned(), &seen);
    object.list("spec.streams", streams(membership, index, reader), &seen);
    let hosts: BTreeSet<&str> = member.addresses.iter().filter_map(|address| host(address)).collect();
    if let (Some(host), 1) = (hosts.first(), hosts.len()) {
        object.text("spec.host", host, &seen);
    }
    object.flag("spec.learner", member.learner, &seen);
    match never_heard(member) {
        Some(added) if member.started.is_none() => object.flag("status.started", false, added),
        _ => object.flag("status.started", member.started, &seen),
    }
    let own;
    let (states, votes) = match voters.iter().find(|states| states.label == label) {
        Some(states) => (states, true),
        None => {
            own = assess(member, label.clone());
            (&own, false)
        }
    };
    let stated = voters_stated(cluster);
    if let Some(from) = stated {
        object.flag("status.voter", votes, from);
        if votes {
            object.text("spec.voterOf", cluster.name(), from);
        }
    }
    object.flag("status.outside", stated.is_some() && !votes, stated.unwrap_or(&seen.without_places()));
    listed(membership, member, &mut object);
    health(member, &mut object);
    reach(member, states, reader, &mut object);
    leader(states, reader, &mut object);
    let answer = cluster.field("status.leaderByStatus").filter(|field| matches!(field.known, Known::Value(_)));
    let led = answer.filter(|_| states.leader == Leader::Without);
    let from = led.map_or(seen.without_places(), |field| (*field.provenance).clone());
    object.flag("status.ledWithoutIt", led.is_some(), from);
    let others = voters.iter().filter(|other| other.label != label);
    if let Some(word) = others.clone().filter(|other| other.counts_with).find_map(|other| other.word) {
        object.flag("status.clusterServing", true, word);
    } else if let Some(because) = majority_gone(cluster) {
        object.flag("status.clusterServing", false, because);
    }
    // That it was removed only by its own word: peers go on rejecting a member that was retired, until its process ends.
    for (says, path) in
        [("storage-broken", "status.storageError"), ("removed", "status.removedError"), ("stopped", "status.stoppedBy")]
    {
        let observed = standing(&member.observations, |observed| observed.is(says), |observed| observed.is("ready"));
        error(path, observed, reader, &mut object);
    }
    // A member whose Node takes no Pods is away for as long as maintenance takes.
    let marked = reader.named("nodes", None, &label).and_then(|node| cordoned_by(reader, node));
    let young = states.silent_since.and_then(|said| reader.log_age(said.time)).is_some_and(|age| age < PASSING);
    let from = marked.as_ref().map_or(seen.without_places(), |read| (&read.cited).into());
    object.flag("status.restarting", young && marked.is_some(), from);
    object
}

/// What an error of the client library says behind the layers that it went through.
fn brief(error: &str) -> &str {
    let inner = error.rsplit("desc = ").next().unwrap_or(error).trim_matches(['"', '\\', ' ']);
    let inner = inner.strip_prefix("transport: Error while dialing: ").unwrap_or(inner);
    let inner = inner.strip_prefix("transport: Error while dialing ").unwrap_or(inner);
    if inner.ends_with(NO_ANSWER) && !inner.starts_with("failed to commit") { NO_ANSWER } else { inner }
}

/// The line that added a member of which nobody heard since: it has told nobody its name, and no peer reached it.
fn never_heard(member: &Member) -> Option<&Observation> {
    let added = last_of(member.said("peer"))?;
    let silent = member.names.is_empty() && member.own_id.is_none() && member.said(REACHED).next().is_none();
    (silent && !member.observations.iter().any(Observation::is_of_leader)).then_some(added)
}

/// The names of the logs that it wrote.
fn streams(membership: &Membership, index: MemberIndex, reader: Reader<'_>) -> Vec<String> {
    let own = membership.by_key.iter().filter(|(_, member)| **member == index);
    let stream = |(key, _): (&Key, _)| match key {
        Key::Stream(index) => reader.facts.streams.get(*index).map(|stream| stream.name.to_string()),
        _ => None,
    };
    own.filter_map(stream).collect()
}

/// What those were told last who asked it for its health. Without an order, the bad answer counts.
fn health(member: &Member, object: &mut Derived) {
    // An error of the request, or a request that was refused, is an answer of a member that is well.
    let bad = |answer: &HealthAnswer| {
        answer.error.as_deref().is_some_and(|error| wordings::first("etcd-answered-error", error).is_none())
    };
    let stands = |answer: &&HealthAnswer| {
        let healed = |good: &HealthAnswer| good.error.is_none() && answer.asked.is_before(&good.asked);
        bad(answer) && !member.healths.iter().any(healed)
    };
    let mut standing = member.healths.iter().filter(stands);
    let Some(first) = standing.next() else { return };
    // Warnings of the client that stand above its answer say more than `context deadline exceeded`.
    let says_more = |answer: &&HealthAnswer| answer.error.as_deref().is_some_and(|error| brief(error) != NO_ANSWER);
    let best = Some(first).filter(says_more).or_else(|| standing.find(says_more)).unwrap_or(first);
    object.text("status.notHealthy", brief(best.error.as_deref().unwrap_or_default()), &best.asked.cited);
}

/// The host of an address, unless every machine has it.
fn host(address: &str) -> Option<&str> {
    let host = address.rsplit_once(':').map_or(address, |(host, _)| host).trim_matches(['[', ']']);
    let loopback = host.starts_with("127.") || host == "localhost" || host == "::1" || host.is_empty();
    (!loopback).then_some(host)
}

/// What shows that fewer members are possibly serving than a leader needs, if so.
fn majority_gone(cluster: &Derived) -> Option<&Provenance> {
    let bounds = |path: &str| {
        let field = cluster.field(path)?;
        let Known::Value(node) = &field.known else { return None };
        match &node.value {
            Value::Int(value) => Some((*value, Some(*value), &*field.provenance)),
            Value::Range(low, high) => Some((*low, *high, &*field.provenance)),
            _ => None,
        }
    };
    let ((_, serving, because), (needed, ..)) = (bounds("status.possiblyServing")?, bounds("status.majority")?);
    (serving? < needed).then_some(because)
}

/// An error that stands, with its age.
fn error(path: &str, observed: Option<&Observation>, reader: Reader<'_>, object: &mut Derived) {
    let Some(observed) = observed else { return };
    object.text(path, &observed.text, observed);
    object.number(&format!("{path}Age"), reader.log_age(observed.time), observed);
}

/// Does the latest member list hold it?
fn listed(membership: &Membership, member: &Member, object: &mut Derived) {
    let lists: Vec<_> = membership.voting.iter().filter(|voting| voting.listed).collect();
    let latest = match (VotingMembers::last_of_a_transcript(&lists), lists.iter().filter_map(|list| list.time).max()) {
        (Some(last), _) => vec![last],
        (None, Some(last)) if lists.iter().all(|list| list.time.is_some()) => {
            lists.into_iter().filter(|list| list.time == Some(last)).collect()
        }
        _ => lists,
    };
    let holds = |ids: &BTreeSet<u64>| match member.own_id {
        Some(id) => ids.contains(&id),
        None => member.ids.iter().any(|id| ids.contains(id)),
    };
    let mut answers = latest.iter().map(|list| holds(&list.ids));
    let Some(first) = answers.next() else { return };
    if answers.all(|answer| answer == first)
        && let Some(from) = Provenance::all(latest.iter().map(|list| list.cited.clone()))
    {
        object.flag("status.listed", first, from);
    }
}

fn reach(member: &Member, states: &MemberState<'_>, reader: Reader<'_>, object: &mut Derived) {
    if let Some((said, _)) = states.dial {
        object.text("status.lastDialError", &said.text, said);
        if let Some(wording) = wordings::first("host-not-reached", &said.text) {
            object.text("status.lastDialMeans", &wording.means, said);
        }
    }
    if let (true, Some((said, _))) = (states.surely_down(), states.dial) {
        object.flag("status.reachable", false, said);
        since(object, "status.unreachable", states.silent_since, reader);
    } else if let Some(said) =
        member.answered().or(states.word.filter(|_| states.counts_with || states.leader == Leader::Without))
    {
        object.flag("status.reachable", true, said);
    }
}

/// Since when something is so, and for how long.
fn since(object: &mut Derived, path: &str, first: Option<&Observation>, reader: Reader<'_>) {
    if let Some((said, time)) = first.and_then(|said| Some((said, said.time?))) {
        object.text(&format!("{path}Since"), &time.to_string(), said);
        object.number(&format!("{path}Age"), reader.log_age(Some(time)), said);
    }
}

fn leader(states: &MemberState<'_>, reader: Reader<'_>, object: &mut Derived) {
    let word = |object: &mut Derived, value: bool, said: Option<&Observation>| {
        let from = Provenance::all_or(said.map(|said| said.cited.clone()), Provenance::bare(Basis::Lines));
        object.flag("status.hasLeader", value, from);
    };
    if states.counts_with {
        word(object, true, states.word);
        if let Some(said) = states.member.said(WITH_LEADER).find(|said| said.answer) {
            object.flag("status.serving", true, said);
        }
    } else if states.leader == Leader::Without {
        word(object, false, states.without);
        since(object, "status.leaderless", states.without_since, reader);
    }
}
