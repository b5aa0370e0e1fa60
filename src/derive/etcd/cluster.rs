//! One etcd cluster as an object: the arithmetic over its voting members.
//!
//! | field | meaning |
//! |---|---|
//! | `spec.voters` | voting members: a member list, else the last configuration in a log, else at least those seen |
//! | `status.majority` | `voters / 2 + 1` |
//! | `status.withoutLeader`, `status.withLeader` | members whose last word is that they have none, or one |
//! | `status.leaderByStatus` | the leader that an answer shows |
//! | `status.unreachable` | members that the last dial did not reach |
//! | `status.possiblyServing` | voters less those without a leader and those unreachable |
//! | `status.healed` | members that had no leader and have one again |
//! | `status.handedOverAt` | when a leader last gave its place to another, if that is why any of them had none |
//! | `status.lastWordTime`, `status.lastWordAge` | the youngest word that there is no leader; its age in seconds |
//! | `status.sizeAfterDefragmentation` | the largest database after a defragmentation, if all are far below any quota |
//! | `status.members[]` | for other signatures and for pictures |

use crate::etcd::draft::hex;
use crate::etcd::member::{MemberIndex, Membership};
use crate::etcd::member_state::{Leader, MemberState, assess, leave_out_foreign, reached_since, weigh};
use crate::etcd::observation::{HANDS_OVER, Observation, WITH_LEADER, WITHOUT_LEADER, is_of_hand_over};
use crate::etcd::voting::{Bounds, CLOCK_GRACE, voters};
use crate::etcd::{cluster_member, cluster_troubles, disagreement, freed, links, strangers};
use crate::reader::Reader;
use facts::coverage::Basis;
use facts::derived::Derived;
use facts::node::{Node, Value};
use facts::provenance::Provenance;

/// Puts one cluster and its members together. `members` are its members; `name` is the cluster's.
pub(super) fn assemble(
    reader: Reader<'_>,
    membership: &Membership,
    members: &[MemberIndex],
    name: &str,
) -> Vec<Derived> {
    let mut object = Derived::new("etcdclusters", None, name).with_all_lines();
    let voting = voters(membership, members);
    if let Some(all) = voting.as_ref().filter(|found| found.count.high == Some(found.count.low)) {
        strangers::add(membership, &all.members, &mut object);
    }
    freed::add(membership, members, &mut object);
    let counted: Vec<MemberIndex> = match &voting {
        Some(found) => members.iter().copied().filter(|index| found.members.contains(index)).collect(),
        None => {
            let learns = |index: &MemberIndex| membership.members[*index].learner == Some(true);
            // Who answers, or does not, at the loopback of a machine that nothing names may be one of the others.
            let unnamed = |index: &MemberIndex| membership.members[*index].is_of_unnamed_machine();
            let is_alone = members.iter().all(unnamed);
            members.iter().copied().filter(|index| !learns(index) && (is_alone || !unnamed(index))).collect()
        }
    };
    let mut states: Vec<MemberState<'_>> =
        counted.iter().map(|index| assess(&membership.members[*index], membership.label(*index))).collect();
    states.sort_by(|a, b| a.label.cmp(&b.label));
    leave_out_foreign(&mut states);
    weigh(&mut states);
    let (voters, stated) = match voting {
        Some(found) => (found.count, found.from),
        // At least those that were seen.
        None => (Bounds { low: states.len() as i64, high: None }, Provenance::bare(Basis::Lines)),
    };
    for index in reached_since(&states, &voters) {
        if let Some(dial) = states.get_mut(index).and_then(|m| m.dial.as_mut()) {
            dial.1 = false;
        }
    }
    let majority = Bounds { low: voters.low / 2 + 1, high: voters.high.map(|high| high / 2 + 1) };
    object.value("spec.voters", voters.value(), &stated);
    object.value("status.majority", majority.value(), &stated);
    counts(&states, &voters, &stated, &mut object);
    last_word(reader, &states, &mut object);
    // Answers that name different leaders show none that could rule anything out.
    if !disagreement::add(membership, members, &mut object) {
        leader_by_status(reader, membership, &states, &mut object);
    }
    links::add(reader, membership, &states, &mut object);
    cluster_troubles::add(reader, membership, members, &mut object);
    members_of(membership, members, &states, &mut object);
    let mut derived = cluster_member::assemble(reader, membership, members, &states, &object);
    derived.push(object);
    derived
}

/// How many members have a leader, have none, are not reached, and may serve.
fn counts(states: &[MemberState<'_>], voters: &Bounds, stated: &Provenance, object: &mut Derived) {
    // Where a count of none rests on nothing in particular, what the members say last shows it.
    let last_words = Provenance::all(states.iter().filter_map(|m| m.word).map(|said| said.cited.clone()));
    let nothing = last_words.clone().unwrap_or(Provenance::bare(Basis::Lines));
    let shown = |said: Vec<&Observation>| Provenance::all(said.into_iter().map(|said| said.cited.clone()));
    let count = |fits: &dyn Fn(&MemberState<'_>) -> bool| states.iter().filter(|m| fits(m)).count() as i64;
    // How many members are surely so, and how many more may be.
    let mut write =
        |path: &str, sure: &dyn Fn(&MemberState<'_>) -> bool, maybe: &dyn Fn(&MemberState<'_>) -> bool, from| {
            let low = count(sure);
            object.value(path, Bounds { low, high: Some(low + count(maybe)) }.value(), from);
        };

    let is_without = |m: &MemberState<'_>| m.leader == Leader::Without;
    let lost = states.iter().filter(|m| is_without(m)).filter_map(|m| m.without).collect();
    let lost = shown(lost).unwrap_or(nothing.clone());
    write("status.withoutLeader", &is_without, &|m| m.leader == Leader::Either, lost.clone());

    let with = states.iter().filter(|m| m.counts_with || m.leader == Leader::With).filter_map(|m| m.word).collect();
    let with = shown(with).unwrap_or(nothing.clone());
    write("status.withLeader", &|m| m.counts_with, &|m| m.maybe_with, with);

    let dials = states.iter().filter(|m| m.surely_down()).filter_map(|m| m.dial).map(|(said, _)| said).collect();
    let down = shown(dials);
    let unreachable = down.clone().unwrap_or(nothing.clone());
    write("status.unreachable", &|m| m.surely_down(), &|m| m.dial.is_some() && m.maybe_down(), unreachable);

    let is_healed = |m: &MemberState<'_>| m.counts_with && m.without.is_some();
    let words = states.iter().filter(|m| is_healed(m)).flat_map(|m| [m.without, m.word]).flatten().collect();
    let healed = shown(words).unwrap_or(nothing);
    write("status.healed", &is_healed, &|m| m.maybe_with && m.without.is_some(), healed);

    let hand_overs: Vec<&Observation> = states.iter().flat_map(|m| m.member.said(HANDS_OVER)).collect();
    let of_hand_over = |m: &MemberState<'_>| m.without.is_some_and(|lost| is_of_hand_over(lost, &hand_overs));
    let mut healed = states.iter().filter(|m| is_healed(m)).peekable();
    let is_all = healed.peek().is_some() && healed.all(of_hand_over);
    if let Some(last) = hand_overs.iter().filter_map(|said| said.time).max().filter(|_| is_all) {
        let told = Provenance::all(hand_overs.iter().map(|said| said.cited.clone()));
        told.iter().for_each(|told| object.text("status.handedOverAt", &last.to_string(), told));
    }

    // It is on the list, never told its name, and nobody ever heard of it: it votes for nothing.
    let never_came = |m: &MemberState<'_>| m.member.started == Some(false) && m.member.observations.is_empty();
    let gone = count(&|m| is_without(m) || m.surely_down() || m.is_foreign || never_came(m));
    let serving = Bounds { low: (voters.low - gone).max(0), high: voters.high.map(|high| (high - gone).max(0)) };
    let because = down.into_iter().fold(stated.clone().and(lost), Provenance::and);
    object.value("status.possiblyServing", serving.value(), because);
}

fn last_word(reader: Reader<'_>, states: &[MemberState<'_>], object: &mut Derived) {
    let still = states.iter().any(|m| m.leader == Leader::Without);
    let words = states.iter().filter(|m| !still || m.leader == Leader::Without).filter_map(|m| m.without);
    let Some(said) = words.filter(|said| said.time.is_some()).max_by_key(|said| said.time) else { return };
    let Some(time) = said.time else { return };
    object.text("status.lastWordTime", &time.to_string(), said);
    object.number("status.lastWordAge", reader.log_age(said.time), said);
}

/// An answer that shows a leader, unless a member lost it surely after that.
fn leader_by_status(reader: Reader<'_>, membership: &Membership, states: &[MemberState<'_>], object: &mut Derived) {
    let lost_later = |said: &Observation| {
        states.iter().filter(|m| m.leader == Leader::Without).filter_map(|m| m.without).any(|lost| {
            match (lost.is_later_than(said), said.time, lost.time) {
                (Some(later), ..) => later,
                (_, Some(answer), Some(lost)) => lost.duration_since(answer) > CLOCK_GRACE,
                _ => false,
            }
        })
    };
    let shown = states
        .iter()
        .flat_map(|m| m.member.observations.iter().map(move |said| (m, said)))
        .filter(|(_, said)| said.answer && said.is(WITH_LEADER) && !lost_later(said));
    let mut best: Option<(bool, String, &Observation)> = None;
    for (member, said) in shown {
        let named = hex(&said.text).and_then(|id| membership.by_id(id)).map(|index| membership.label(index));
        let text = named.clone().unwrap_or_else(|| format!("one that {} knows", member.label));
        // By the name of the file, since its number follows the order of an archive.
        let rank = |(unnamed, text, said): &(bool, String, &Observation)| {
            let citation = said.cited.citation.clone();
            (*unnamed, text.clone(), reader.facts.members.get(&citation.member).cloned(), citation)
        };
        let candidate = (named.is_none(), text, said);
        if best.as_ref().is_none_or(|best| rank(&candidate) < rank(best)) {
            best = Some(candidate);
        }
    }
    match best {
        Some((_, text, said)) => object.text("status.leaderByStatus", &text, said),
        // Nobody answered: whether a status would show a leader is not known.
        None => {
            let none = states.iter().flat_map(|m| m.member.said(WITHOUT_LEADER)).filter(|said| said.answer);
            if let Some(answers) = Provenance::all(none.map(|said| said.cited.clone())) {
                object.absent("status.leaderByStatus", answers);
            }
        }
    }
}

fn members_of(membership: &Membership, members: &[MemberIndex], states: &[MemberState<'_>], object: &mut Derived) {
    let mut items = Vec::new();
    let mut places = Vec::new();
    for index in members.iter().filter(|index| !membership.members[**index].is_nobody()) {
        let member = &membership.members[*index];
        let label = membership.label(*index);
        let ids: Vec<String> = member.ids.iter().map(|id| parse::etcdctl::hex(*id)).collect();
        let addresses: Vec<&str> = member.addresses.iter().map(String::as_str).collect();
        let states = states.iter().find(|states| states.label == label);
        let leader = states.map(|states| match states.leader {
            _ if states.counts_with => "known",
            Leader::Without => "none",
            Leader::With | Leader::Either | Leader::Silent => "unknown",
        });
        let is_there = |states: &MemberState<'_>| states.counts_with || states.leader == Leader::Without;
        let reachable = states.filter(|own| own.surely_down() || is_there(own)).map(|own| !own.surely_down());
        let dial = states.and_then(|states| states.dial).map(|(said, _)| said);
        places.extend(dial.map(|said| said.cited.clone()));
        let text = |text: &str| Node::str(0, text);
        let flag = |value: bool| Node::new(0, Value::Bool(value));
        let entries = [
            ("name", Some(text(&label))),
            ("id", Some(text(&ids.join(",")))),
            ("addresses", Some(text(&addresses.join(",")))),
            ("learner", member.learner.map(flag)),
            ("started", member.started.map(flag)),
            ("leader", leader.map(text)),
            ("reachable", reachable.map(flag)),
            ("lastDialError", dial.map(|said| text(&said.text))),
        ];
        let mut item = Node::map(0);
        entries.into_iter().filter_map(|(key, node)| Some((key, node?))).for_each(|(key, node)| item.set(key, node));
        places.extend(member.places.first().cloned());
        items.push(item);
    }
    let from = Provenance::all_or(places, Provenance::bare(Basis::Lines));
    object.value("status.members", Value::List(items), from);
}
