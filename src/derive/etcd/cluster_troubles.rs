//! What is wrong with an etcd cluster as a whole: alarms, refused writes, cluster IDs that differ, expired
//! certificates, clocks, leader changes, a slow disk.
//!
//! Refused writes, differing data, cluster IDs and expired certificates that the logs of those who said it have
//! outlived (see [`crate::healed`]) are not counted; while the alarm stands that goes with them, they are.
//!
//! Invariants: a field without a line or an answer behind it is unknown, never zero; what a later line takes
//! back (a peer that became active, an alarm disarmed, a member that is ready) is not counted.

use crate::etcd::disagreement::is_miscopied_text;
use crate::etcd::member::{Key, Member, MemberIndex, Membership};
use crate::etcd::observation::{DIAL_FAILED, Observation, REACHED, WITH_LEADER, last_of, standing, surely_unreachable};
use crate::etcd::voting::CLOCK_GRACE;
use crate::healed;
use crate::healed::LogEnds;
use crate::reader::Reader;
use catalogue::{statements, wordings};
use facts::coverage::Basis;
use facts::derived::Derived;
use facts::log::LogHit;
use facts::node::{Node, Value};
use facts::origin::MemberId;
use facts::provenance::{Cited, Provenance};
use jiff::Timestamp;
use std::collections::{BTreeMap, BTreeSet};

/// Leader changes are counted inside a window of this many seconds; a log that is older than this is older
/// than the answers beside it.
const WINDOW: i64 = 600;

/// Leaders of so many terms inside a window are a series.
const SERIES: usize = 3;
/// A member that tells of its slow disk so many times less often than another is not the slow one.
const SHARE: usize = 10;

/// Why a peer refuses a certificate: the statement, its field, and whether a log that goes on without it outlives it.
const REFUSED: [(&str, &str, bool); 6] = [
    ("expired", "status.expired", true),
    ("not-yet-valid", "status.notYetValid", false),
    ("untrusted", "status.untrusted", false),
    ("wrong-name", "status.wrongName", false),
    ("wrong-usage", "status.wrongUsage", false),
    (OWN, "status.refusedByPeers", true),
];

/// What a member reports about its own certificate. Its peers may say why; where they do, this says nothing more. That it answers
/// clients, or is dialled by its peers, is no proof against it.
const OWN: &str = "refused-by-peers";

/// A cluster whose members nothing names.
pub(crate) fn without_members(reader: Reader<'_>, membership: &Membership, name: &str) -> Derived {
    let mut object = Derived::new("etcdclusters", None, name).with_all_lines();
    add(reader, membership, &[], &mut object);
    object
}

/// Adds all fields of this file.
pub(super) fn add(reader: Reader<'_>, membership: &Membership, members: &[MemberIndex], object: &mut Derived) {
    let log_ends = LogEnds::new(reader.facts, reader.context);
    let cluster = Cluster { reader, membership, members, log_ends: &log_ends };
    let full = cluster.alarms("NOSPACE", "status.nospace", object);
    cluster.refusals(full, object);
    let corrupt = cluster.alarms("CORRUPT", "status.corrupt", object);
    cluster.alarm_free(object);
    cluster.cluster_ids(object);
    cluster.certificates(object);
    cluster.drift(object);
    cluster.terms(object);
    cluster.counted("status.slowLines", "status.slowAge", cluster.notes("slow").collect(), object);
    cluster.slow_leader(object);
    cluster.slow_members(object);
    cluster.client_refused(object);
    // A check of the data that fails raises the alarm at once, so where none stands and the log goes on, it passed.
    let found =
        if corrupt { cluster.notes("inconsistent").collect() } else { cluster.lasting(cluster.notes("inconsistent")) };
    cluster.counted("status.inconsistent", "status.inconsistentAge", found, object);
}

/// Did a peer reach the member, or hear from it, after this time?
fn reached_after(member: &Member, observed: &Observation) -> bool {
    let after =
        |said: &&Observation| matches!((said.time, observed.time), (Some(reached), Some(failed)) if reached > failed);
    member.said(REACHED).filter(after).any(|said| !said.answer)
}

/// Does a member not reach a peer, so that it does not get as far as to refuse it?
fn dial_failed(hit: &LogHit) -> bool {
    let failed = |said: &statements::Statement| said.says == DIAL_FAILED && surely_unreachable(&said.text);
    surely_unreachable(&hit.text) && statements::read("etcd", hit).iter().any(failed)
}

struct Cluster<'a> {
    reader: Reader<'a>,
    membership: &'a Membership,
    members: &'a [MemberIndex],
    log_ends: &'a LogEnds<'a>,
}

impl Cluster<'_> {
    fn each(&self) -> impl Iterator<Item = (String, &Member)> {
        self.members.iter().map(|index| (self.membership.label(*index), &self.membership.members[*index]))
    }

    /// Everything of one kind that was said of any member.
    fn notes(&self, says: &'static str) -> impl Iterator<Item = &Observation> {
        self.members.iter().flat_map(move |index| self.membership.members[*index].said(says))
    }

    /// The seconds from a time to the clock.
    fn age(&self, object: &mut Derived, path: &str, time: Option<Timestamp>, cited: &Cited) {
        object.number(path, self.reader.log_age(time), cited);
    }

    /// How many lines say something, and how old the last of them is.
    fn counted(&self, count: &str, age: &str, found: Vec<&Observation>, object: &mut Derived) {
        let Some(last) = last_of(found.iter().copied()) else { return };
        let from = Provenance::all_or(found.iter().map(|observed| observed.cited.clone()), last);
        object.at_least(count, found.len() as i64, from);
        self.age(object, age, last.time, &last.cited);
    }

    /// The notes that the logs in which they stand have not outlived, and all answers.
    fn lasting<'n>(&self, notes: impl Iterator<Item = &'n Observation>) -> Vec<&'n Observation> {
        let (answers, lines): (Vec<_>, Vec<_>) = notes.partition(|observed| observed.answer);
        let (mut kept, _) =
            self.log_ends.part(lines, |observed| (observed.time, &observed.cited.citation), dial_failed);
        kept.extend(answers);
        kept.sort_by_key(|observed| observed.place);
        kept
    }

    fn refusals(&self, full: bool, object: &mut Derived) {
        let told = self.membership.refusals.iter().filter(|refusal| refusal.says == "space-exceeded");
        let told: Vec<&Observation> = if full {
            told.collect()
        } else {
            let told = told.filter(|refusal| !self.is_over(refusal.time));
            self.log_ends.part(told, |refusal| (refusal.time, &refusal.cited.citation), healed::unreached).0
        };
        self.counted("status.writesRefused", "status.refusedAge", told, object);
    }

    /// Adds the members with an alarm; whether there are any.
    fn alarms(&self, alarm: &str, path: &str, object: &mut Derived) -> bool {
        let mut named: BTreeSet<String> = BTreeSet::new();
        let mut places: Vec<Cited> = Vec::new();
        for (id, name, cited) in self.membership.alarms.iter().filter(|(_, name, _)| name == alarm) {
            match self.membership.by_id(*id) {
                Some(index) if !self.members.contains(&index) => continue,
                Some(index) => named.insert(self.membership.label(index)),
                // etcd raises CORRUPT in the name of member 0 where it cannot tell whose data are wrong.
                None if *id == 0 => false,
                None => named.insert(parse::etcdctl::hex(*id)),
            };
            places.push(cited.clone());
            let _ = name;
        }
        for (_, cited) in self.membership.unnamed_alarms.iter().filter(|(name, _)| name == alarm) {
            places.push(cited.clone());
        }
        let by_answer = !places.is_empty();
        let mut last: Option<&Observation> = None;
        for (label, member) in self.each() {
            if let Some(observed) = self.standing_alarm(member, |observed| observed.text == alarm) {
                if !member.is_nobody() {
                    named.insert(label);
                }
                places.push(observed.cited.clone());
                last = last.into_iter().chain([observed]).max_by_key(|observed| observed.time);
            }
        }
        let Some(from) = Provenance::all(places) else { return false };
        let text = if named.is_empty() { "a member that is not named".to_owned() } else { join(&named) };
        object.text(path, &text, &from);
        if !named.is_empty() {
            object.text(&format!("{path}By"), &text, &from);
        }
        if by_answer {
            object.flag(&format!("{path}Answered"), true, &from);
        }
        if let Some(observed) = last {
            self.age(object, &format!("{path}Age"), observed.time, &observed.cited);
        }
        true
    }

    /// The last alarm of a member that still stands. etcd logs `alarm raised` when the first member raises one of its kind,
    /// and `alarm disarmed` when the last one is rid of it (`server/etcdserver/apply/apply.go`): the two lines may name
    /// different members, and the second ends the alarm of all.
    fn standing_alarm<'m>(&self, member: &'m Member, is_it: impl Fn(&Observation) -> bool) -> Option<&'m Observation> {
        let raised = |observed: &Observation| observed.is("alarm-raised") && is_it(observed);
        let disarmed = |observed: &Observation| observed.is("alarm-disarmed") && is_it(observed);
        let found = standing(&member.observations, raised, disarmed)?;
        let others = self.notes("alarm-disarmed").filter(|over| over.text == found.text);
        let over =
            others.filter_map(|over| over.time).max().zip(found.time).is_some_and(|(over, raised)| over > raised);
        (!over).then_some(found)
    }

    fn alarm_free(&self, object: &mut Derived) {
        let answered = self.membership.alarms.iter().map(|(_, _, cited)| cited);
        let mut alarming = answered.chain(self.membership.unnamed_alarms.iter().map(|(_, cited)| cited));
        if let Some(cited) = alarming.next() {
            object.flag("status.alarmFree", false, cited);
        } else if let Some(answers) = Provenance::all(self.membership.without_alarm.iter().cloned())
            && !self.alarmed_lately()
        {
            object.flag("status.alarmFree", true, answers);
        }
    }

    /// Does a log speak of an alarm, or a client of refused writes, so late that the answer may be older?
    fn alarmed_lately(&self) -> bool {
        let alarms = self.each().filter_map(|(_, member)| Some(self.standing_alarm(member, |_| true)?.time));
        let refusals = self.membership.refusals.iter().map(|refusal| refusal.time);
        let mut times = alarms.chain(refusals.filter(|time| !self.is_over(*time)));
        times.any(|time| self.reader.log_age(time).is_none_or(|age| age < WINDOW))
    }

    /// Did etcd disarm its alarm after a client was refused? The clocks of the two may be apart.
    fn is_over(&self, refused: Option<Timestamp>) -> bool {
        let disarmed = self
            .notes("alarm-disarmed")
            .filter(|observed| observed.text == "NOSPACE")
            .filter_map(|observed| observed.time);
        let Some((refused, disarmed)) = refused.zip(disarmed.max()) else { return false };
        let raised = self.notes("alarm-raised").filter_map(|observed| observed.time).max();
        refused.duration_since(disarmed) <= CLOCK_GRACE && raised.is_none_or(|raised| raised <= disarmed)
    }

    /// The cluster ID of each member is the last one that its own log gives, else the last that a peer does.
    fn cluster_ids(&self, object: &mut Derived) {
        let mut by_id: BTreeMap<&str, BTreeSet<String>> = BTreeMap::new();
        let mut places: Vec<Cited> = Vec::new();
        // What restores a snapshot tells of a cluster and is no member of it.
        let is_somebody =
            |member: &Member| !(member.ids.is_empty() && member.names.is_empty() && member.addresses.is_empty());
        for (label, member) in self.each().filter(|(_, member)| is_somebody(member)) {
            if let Some(given) = last_of(member.said("cluster-id")) {
                by_id.entry(&given.text).or_default().insert(label);
                places.push(given.cited.clone());
            }
        }
        // The others are called by the IDs that they have in the cluster of who calls them: where their own were heard as well, they
        // would count twice.
        let heard: BTreeSet<String> = by_id.keys().map(|id| (*id).to_owned()).collect();
        for (label, member) in self.each().filter(|(_, member)| is_somebody(member)) {
            let called = last_of(member.said("cluster-id-of-called"));
            if let (Some(given), None) =
                (called.filter(|given| !heard.contains(&given.text)), last_of(member.said("cluster-id")))
            {
                by_id.entry(&given.text).or_default().insert(label);
                places.push(given.cited.clone());
            }
        }
        let mismatch = last_of(self.lasting(self.notes("mismatch")).into_iter());
        if let Some(last) = mismatch {
            self.age(object, "status.mismatchAge", last.time, &last.cited);
            object.flag("status.mismatch", true, last);
        } else if !self.answered_ids(object) {
            return;
        }
        let from = Provenance::all_or(places, Provenance::bare(Basis::Lines));
        object.at_least("status.clusterIDCount", by_id.len() as i64, &from);
        let ids: Vec<String> = by_id.iter().map(|(id, labels)| format!("{id} ({})", join(labels))).collect();
        object.text("status.clusterIDs", &ids.join(" and "), &from);
        let most = by_id.values().map(BTreeSet::len).max().unwrap_or(0);
        let all: usize = by_id.values().map(BTreeSet::len).sum();
        // Of members that each have an ID of their own, none is the foreign one.
        if by_id.len() > 1 && most > 1 && most * 2 > all {
            let foreign: BTreeSet<String> =
                by_id.values().filter(|labels| labels.len() < most).flatten().cloned().collect();
            object.text("status.foreignMember", &join(&foreign), &from);
            object.value("status.foreignMembers", list(&foreign), &from);
        }
    }

    /// Adds whether answers name several cluster IDs; whether they do.
    fn answered_ids(&self, object: &mut Derived) -> bool {
        let answered: Vec<&Observation> = self.notes("cluster-id").filter(|said| said.answer).collect();
        let others = |first: &&Observation| {
            answered.iter().any(|said| said.text != first.text && !is_miscopied_text(&said.text, &first.text))
        };
        let differ = answered.first().is_some_and(others);
        if let Some(from) = Provenance::all(answered.iter().map(|said| said.cited.clone())).filter(|_| differ) {
            object.flag("status.clusterIDsAnswered", true, from);
        }
        differ
    }

    /// Members whose certificate a peer refuses, for each reason, unless they were reached later.
    /// The member that is refused by the others, and refuses them, while these trust each other: without it nobody refuses
    /// anybody. Who says so is known by the log in which it stands.
    fn alone(&self, says: &'static str) -> Option<String> {
        let mut speakers: BTreeMap<MemberId, String> = BTreeMap::new();
        for (key, index) in &self.membership.by_key {
            if let (Key::Stream(stream), true) = (key, self.members.contains(index)) {
                let parts = self.reader.facts.streams.get(*stream).into_iter().flat_map(|stream| &stream.parts);
                speakers.extend(parts.map(|(member, _)| (*member, self.membership.label(*index))));
            }
        }
        let refusals = self.each().flat_map(|(label, member)| {
            let speakers = &speakers;
            member.said(says).map(move |said| (speakers.get(&said.cited.citation.member), label.clone()))
        });
        // That a member tells of its own certificate tells nothing of the others.
        let between: BTreeSet<(Option<&String>, String)> =
            refusals.filter(|(speaker, refused)| *speaker != Some(refused)).collect();
        let of_others = |label: &String| between.iter().any(|(speaker, refused)| refused == label && speaker.is_some());
        let is_in_each =
            |label: &&String| between.iter().all(|(speaker, refused)| refused == *label || *speaker == Some(*label));
        let refused: BTreeSet<&String> = between.iter().map(|(_, refused)| refused).collect();
        let mut alone = refused.into_iter().filter(|label| of_others(label)).filter(is_in_each);
        let first = alone.next()?;
        alone.next().is_none().then(|| first.clone())
    }

    fn certificates(&self, object: &mut Derived) {
        let mut youngest: Option<&Observation> = None;
        let mut ends = BTreeSet::new();
        let mut is_explained = false;
        for (says, path, outlived) in REFUSED {
            let is_own = says == OWN;
            if is_own && is_explained {
                continue;
            }
            let mut named = BTreeSet::new();
            let mut lines = Vec::new();
            let mut last: Vec<&Observation> = Vec::new();
            let mut first: Option<&Observation> = None;
            for (label, member) in self.each() {
                let said = member.said(says);
                let said = if outlived { self.lasting(said) } else { said.collect() };
                let Some(observed) =
                    last_of(said.iter().copied()).filter(|observed| is_own || !reached_after(member, observed))
                else {
                    continue;
                };
                named.insert(label);
                let standing = said.iter().copied().filter(|observed| is_own || !reached_after(member, observed));
                first =
                    first.into_iter().chain(standing).filter(|said| said.time.is_some()).min_by_key(|said| said.time);
                lines.extend(said);
                last.push(observed);
            }
            let Some(from) = Provenance::all(last.iter().map(|observed| observed.cited.clone())) else { continue };
            is_explained = true;
            // An authority that only one knows is refused on both sides.
            let is_mutual = says == "untrusted" && named.len() > 1;
            if let Some(alone) = Some(says).filter(|_| is_mutual).and_then(|says| self.alone(says)) {
                named = BTreeSet::from([alone]);
            }
            object.text(path, &join(&named), &from);
            object.value(&format!("{path}Members"), list(&named), &from);
            object.number(&format!("{path}Count"), named.len() as i64, &from);
            object.at_least(&format!("{path}Lines"), lines.len() as i64, &from);
            if says == "expired" {
                ends.extend(lines.iter().filter_map(|observed| healed::not_after(&observed.text)));
                if !ends.is_empty() {
                    object.text("status.certificateNotAfter", &join(&ends), &from);
                }
            }
            if let Some(observed) = first {
                self.age(object, &format!("{path}SinceAge"), observed.time, &observed.cited);
            }
            let last = last.into_iter().max_by_key(|observed| observed.time);
            if let Some(observed) = last {
                self.age(object, &format!("{path}Age"), observed.time, &observed.cited);
            }
            if ["untrusted", "wrong-name", "wrong-usage", OWN].contains(&says) {
                youngest = youngest.into_iter().chain(last).max_by_key(|observed| observed.time);
            }
        }
        if let Some(observed) = youngest {
            object.text("status.tlsError", &observed.text, observed);
        }
    }

    /// Lines about a slow disk of the member that led just then.
    fn slow_leader(&self, object: &mut Derived) {
        let mut elections: Vec<(Timestamp, MemberIndex)> = self
            .notes(WITH_LEADER)
            .filter_map(|said| Some((said.time?, self.membership.by_id(u64::from_str_radix(&said.text, 16).ok()?)?)))
            .collect();
        elections.sort_unstable();
        let led = |index: MemberIndex, time: Timestamp| {
            elections.iter().rev().find(|(elected, _)| *elected <= time).is_some_and(|(_, leader)| *leader == index)
        };
        let mut found = Vec::new();
        let mut labels = BTreeSet::new();
        for index in self.members {
            let member = &self.membership.members[*index];
            let slow: Vec<&Observation> =
                member.said("slow").filter(|said| said.time.is_some_and(|time| led(*index, time))).collect();
            if !slow.is_empty() {
                labels.insert(self.membership.label(*index));
                found.extend(slow);
            }
        }
        if let Some(last) = last_of(found.iter().copied()) {
            object.text("status.slowLeaders", &join(&labels), last);
        }
        self.counted("status.slowLeading", "status.slowLeadingAge", found, object);
    }

    /// The members of which nearly all such lines are: each member tells of its own disk.
    fn slow_members(&self, object: &mut Derived) {
        let all: Vec<(MemberIndex, Vec<&Observation>)> =
            self.members.iter().map(|index| (*index, self.membership.members[*index].said("slow").collect())).collect();
        let most = all.iter().map(|(_, lines)| lines.len()).max().unwrap_or_default();
        let slow = all.iter().filter(|(_, lines)| !lines.is_empty() && lines.len() * SHARE >= most);
        let (mut labels, mut lines) = (BTreeSet::new(), Vec::new());
        for (index, of_member) in slow {
            labels.insert(self.membership.label(*index));
            lines.extend(of_member.iter().copied());
        }
        if let Some(last) = last_of(lines.into_iter()) {
            object.text("status.slowMembers", &join(&labels), last);
        }
    }

    /// What a client was told that no member lets in, if it was answered by none and refused by one.
    fn client_refused(&self, object: &mut Derived) {
        let answered = self.each().any(|(_, member)| {
            member.answered().is_some() || member.healths.iter().any(|answer| answer.error.is_none())
        });
        let asked = self.each().flat_map(|(_, member)| member.healths.clone()).collect::<Vec<_>>();
        let refused = asked.iter().find_map(|answer| {
            let error = answer.error.as_deref()?;
            Some((wordings::first("etcd-client-refused", error)?, error.to_owned(), answer.asked.cited.clone()))
        });
        if let Some((wording, error, cited)) = refused.filter(|_| !answered) {
            object.text("status.clientRefused", &error, &cited);
            object.text("status.clientRefusedMeans", &wording.means, &cited);
        }
    }

    fn drift(&self, object: &mut Derived) {
        let of = |(label, one)| Member::measured(one).map(move |said| (String::clone(&label), said));
        let all: Vec<(String, &Observation)> = self.each().flat_map(of).collect();
        let Some(last) = last_of(all.iter().map(|(_, said)| *said)) else { return };
        let labels: BTreeSet<String> = all.iter().map(|(label, _)| label.clone()).collect();
        let from = Provenance::all_or(all.iter().map(|(_, said)| said.cited.clone()), last);
        object.text("status.clockDrift", &last.text, &from);
        object.text("status.driftMembers", &join(&labels), &from);
        object.at_least("status.driftPairs", labels.len() as i64, &from);
        self.age(object, "status.driftAge", last.time, &last.cited);
    }

    /// The most distinct terms in which a leader was elected inside one window, over all members: one
    /// election is logged by each of them, in the same term.
    fn terms(&self, object: &mut Derived) {
        let of = |observed: &'_ Observation| Some((observed.time?, observed.text.parse().ok()?));
        let known = self.notes("term").filter_map(|observed| Some((of(observed)?, &observed.cited)));
        let mut terms: Vec<(Timestamp, u64, &Cited)> = known.map(|((time, term), cited)| (time, term, cited)).collect();
        terms.sort_by_key(|(time, term, _)| (*time, *term));
        let mut best = 0;
        let mut series = None;
        for (start, ..) in &terms {
            let mut inside = terms.iter().filter(|(time, ..)| {
                let after = time.duration_since(*start).as_secs();
                (0..=WINDOW).contains(&after)
            });
            let distinct: BTreeSet<u64> = inside.clone().map(|(_, term, _)| *term).collect();
            best = best.max(distinct.len());
            if distinct.len() >= SERIES {
                series = inside.next_back().or(series);
            }
        }
        // One election long after a series of them does not prolong it.
        let Some((time, _, cited)) = series.or(terms.last()) else { return };
        let from = Provenance::all_or(terms.iter().map(|(_, _, cited)| (*cited).clone()), *cited);
        object.at_least("status.termsInTenMinutes", best as i64, from);
        self.age(object, "status.lastTermAge", Some(*time), cited);
    }
}

/// All names: a list of members is never cut.
fn list(names: &BTreeSet<String>) -> Value {
    Value::List(names.iter().map(|name| Node::str(0, name.as_str())).collect())
}

fn join(names: &BTreeSet<String>) -> String {
    names.iter().map(String::as_str).collect::<Vec<_>>().join(", ")
}
