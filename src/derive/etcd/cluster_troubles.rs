//! What is wrong with an etcd cluster as a whole: alarms, refused writes, cluster IDs that differ, expired
//! certificates, clocks, leader changes, a slow disk.
//!
//! | field | meaning |
//! |---|---|
//! | `status.nospace`, `status.corrupt` | the members with that alarm, as text; `status.alarmAge` since its line |
//! | `status.alarmFree` | endpoint status answered and listed no alarm, and no log speaks of one in the last ten minutes |
//! | `status.writesRefused`, `status.refusedAge` | lines in which a client of etcd was told that the space is used up |
//! | `status.inconsistent`, `status.inconsistentAge` | a member found data that differ from its peers' |
//! | `status.clusterIDs`, `status.clusterIDCount` | the cluster IDs with their members; how many there are |
//! | `status.foreignMember`, `status.foreignMembers[]` | the members whose cluster ID is not that of most |
//! | `status.mismatchAge` | seconds since the youngest line about a mismatch |
//! | `status.expired`, `status.expiredMembers[]`, `status.expiredCount`, `status.certificateNotAfter`, `status.expiredAge` | members whose certificate their peers refuse as expired |
//! | `status.notYetValid` | members whose certificate is refused as not yet valid |
//! | `status.untrusted`, `status.untrustedMembers[]`, `status.untrustedLines`, `status.untrustedAge` | members whose certificate a peer refuses as of an unknown authority |
//! | `status.wrongName`, `status.wrongNameMembers[]`, `status.wrongNameLines`, `status.wrongNameAge` | members whose certificate does not name the address that a peer dials |
//! | `status.tlsError` | the youngest of both kinds of error |
//! | `status.clockDrift`, `status.driftPairs`, `status.driftAge` | how far clocks of members are apart |
//! | `status.termsInTenMinutes`, `status.lastTermAge` | most distinct terms with a leader inside ten minutes; seconds since the last leader of the last series of three or more such, or since the last leader |
//! | `status.slowLines`, `status.slowAge` | lines about a slow disk, late heartbeats or a blocked process |
//!
//! Refused writes, differing data, cluster IDs and expired certificates that the logs of those who said it have
//! outlived (see [`crate::healed`]) are not counted; while the alarm stands that goes with them, they are.
//!
//! Invariants: a field without a line or an answer behind it is unknown, never zero; what a later line takes
//! back (a peer that became active, an alarm disarmed, a member that is ready) is not counted.

use crate::etcd::log_statements;
use crate::etcd::log_statements::LogStatement;
use crate::etcd::member::{Member, MemberIndex, Membership};
use crate::etcd::observation::{Observation, Observed, Refusal, TroubleObservation, last_of, standing};
use crate::etcd::troubles;
use crate::etcd::troubles::Trouble;
use crate::healed;
use crate::healed::LogEnds;
use crate::reader::Reader;
use facts::coverage::Basis;
use facts::derived::Derived;
use facts::log::LogHit;
use facts::node::{Node, Value};
use facts::provenance::{Cited, Provenance};
use jiff::Timestamp;
use std::collections::{BTreeMap, BTreeSet};

/// Leader changes are counted inside a window of this many seconds; a log that is older than this is older
/// than the answers beside it.
const WINDOW: i64 = 600;

/// Leaders of so many terms inside a window are a series.
const SERIES: usize = 3;

/// A cluster whose members nothing names.
pub(crate) fn without_members(reader: Reader<'_>, membership: &Membership, name: &str) -> Derived {
    let mut object = Derived::new("etcdclusters", None, name).with_all_lines();
    add(reader, membership, &[], &mut object);
    object
}

/// Adds all fields of this file.
pub(super) fn add(reader: Reader<'_>, membership: &Membership, members: &[MemberIndex], object: &mut Derived) {
    let clock = reader.log_clock();
    let log_ends = LogEnds::new(reader.facts, reader.context);
    let cluster = Cluster { membership, members, clock, log_ends: &log_ends };
    let full = cluster.alarms("NOSPACE", "status.nospace", object);
    cluster.refusals(full, object);
    let corrupt = cluster.alarms("CORRUPT", "status.corrupt", object);
    cluster.alarm_free(object);
    cluster.cluster_ids(object);
    cluster.certificates(object);
    cluster.not_accepted(object);
    cluster.drift(object);
    cluster.terms(object);
    cluster.slow(object);
    cluster.inconsistent(corrupt, object);
}

/// The seconds from a time to the clock.
fn age(object: &mut Derived, path: &str, clock: Option<Timestamp>, time: Option<Timestamp>, cited: &Cited) {
    if let (Some(clock), Some(time)) = (clock, time) {
        object.number(path, clock.duration_since(time).as_secs().max(0), cited);
    }
}

/// Did a peer reach the member, or hear from it, after this time?
fn reached_after(member: &Member, noted: &TroubleObservation) -> bool {
    let after =
        |said: &&Observation| matches!((said.time, noted.time), (Some(reached), Some(failed)) if reached > failed);
    member.observations.iter().filter(after).any(|said| said.what == Observed::Reached && !said.answer)
}

/// Does a member not reach a peer, so that it does not get as far as to refuse it?
fn dial_failed(hit: &LogHit) -> bool {
    let words = log_statements::read(&hit.fields);
    words
        .iter()
        .any(|word| matches!(word, LogStatement::DialFailed(_, error) if log_statements::surely_unreachable(error)))
}

struct Cluster<'a> {
    membership: &'a Membership,
    members: &'a [MemberIndex],
    clock: Option<Timestamp>,
    log_ends: &'a LogEnds<'a>,
}

impl Cluster<'_> {
    fn each(&self) -> impl Iterator<Item = (String, &Member)> {
        self.members.iter().map(|index| (self.membership.label(*index), &self.membership.members[*index]))
    }

    /// The notes that the logs in which they stand have not outlived, and all answers.
    fn lasting<'n>(&self, notes: impl Iterator<Item = &'n TroubleObservation>) -> Vec<&'n TroubleObservation> {
        let (answers, lines): (Vec<_>, Vec<_>) = notes.partition(|noted| noted.answer);
        let (mut kept, _) = self.log_ends.part(lines, |noted| (noted.time, &noted.cited.citation), dial_failed);
        kept.extend(answers);
        kept.sort_by_key(|noted| noted.place);
        kept
    }

    fn refusals(&self, full: bool, object: &mut Derived) {
        let told = self.membership.refusals.iter().filter(|refusal| refusal.literal.contains("space exceeded"));
        let told: Vec<&Refusal> = if full {
            told.collect()
        } else {
            let unreached = |hit: &LogHit| healed::unreached(&hit.text);
            self.log_ends.part(told, |refusal| (refusal.time, &refusal.cited.citation), unreached).0
        };
        let Some(lines) = Provenance::all(told.iter().map(|refusal| refusal.cited.clone())) else { return };
        object.at_least("status.writesRefused", told.len() as i64, lines);
        let last = told.iter().filter(|refusal| refusal.time.is_some()).max_by_key(|refusal| refusal.time);
        if let Some(refusal) = last {
            age(object, "status.refusedAge", self.clock, refusal.time, &refusal.cited);
        }
    }

    /// A check of the data that fails raises the alarm at once, so where none stands and the log goes on, it passed.
    fn inconsistent(&self, corrupt: bool, object: &mut Derived) {
        let noted = self.members.iter().flat_map(|index| &self.membership.members[*index].troubles);
        let noted = noted.filter(|noted| matches!(noted.what, Trouble::Inconsistent(_)));
        let found = if corrupt { noted.collect() } else { self.lasting(noted) };
        counted("status.inconsistent", "status.inconsistentAge", object, self.clock, &found);
    }

    /// Adds the members with an alarm; whether there are any.
    fn alarms(&self, alarm: &str, path: &str, object: &mut Derived) -> bool {
        let mut named: BTreeSet<String> = BTreeSet::new();
        let mut places: Vec<Cited> = Vec::new();
        for (id, name, cited) in self.membership.alarms.iter().filter(|(_, name, _)| name == alarm) {
            match self.membership.by_id(*id) {
                Some(index) if !self.members.contains(&index) => continue,
                Some(index) => named.insert(self.membership.label(index)),
                None => named.insert(parse::etcdctl::hex(*id)),
            };
            places.push(cited.clone());
            let _ = name;
        }
        for (_, cited) in self.membership.unnamed_alarms.iter().filter(|(name, _)| name == alarm) {
            places.push(cited.clone());
        }
        let by_answer = !places.is_empty();
        let mut last: Option<&TroubleObservation> = None;
        for (label, member) in self.each() {
            let raised = |what: &Trouble| matches!(what, Trouble::Alarm(name, true) if name == alarm);
            let disarmed = |what: &Trouble| matches!(what, Trouble::Alarm(name, false) if name == alarm);
            if let Some(noted) = standing(&member.troubles, raised, disarmed) {
                named.insert(label);
                places.push(noted.cited.clone());
                last = last.into_iter().chain([noted]).max_by_key(|noted| noted.time);
            }
        }
        let Some(from) = Provenance::all(places) else { return false };
        let text = if named.is_empty() { "a member that is not named".to_owned() } else { join(&named) };
        object.text(path, &text, &from);
        if by_answer {
            object.flag(&format!("{path}Answered"), true, &from);
        }
        if let Some(noted) = last {
            age(object, &format!("{path}Age"), self.clock, noted.time, &noted.cited);
        }
        true
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
        let raised = |what: &Trouble| matches!(what, Trouble::Alarm(_, true));
        let disarmed = |what: &Trouble| matches!(what, Trouble::Alarm(_, false));
        let alarms = self.members.iter().filter_map(|index| {
            standing(&self.membership.members[*index].troubles, raised, disarmed).map(|noted| noted.time)
        });
        let mut times = alarms.chain(self.membership.refusals.iter().map(|refusal| refusal.time));
        times.any(|time| match (self.clock, time) {
            (Some(clock), Some(time)) => clock.duration_since(time).as_secs() < WINDOW,
            _ => true,
        })
    }

    /// The cluster ID of each member is the last one that its own log gives, else the last that a peer does.
    fn cluster_ids(&self, object: &mut Derived) {
        let mut by_id: BTreeMap<&str, BTreeSet<String>> = BTreeMap::new();
        let mut places: Vec<Cited> = Vec::new();
        for (label, member) in self.each() {
            let given = member.troubles.iter().filter(|noted| matches!(noted.what, Trouble::ClusterId(_)));
            if let Some(TroubleObservation { what: Trouble::ClusterId(id), cited, .. }) = last_of(given) {
                by_id.entry(id).or_default().insert(label);
                places.push(cited.clone());
            }
        }
        let mismatches = self.members.iter().flat_map(|index| &self.membership.members[*index].troubles);
        let mismatches = self.lasting(mismatches.filter(|noted| matches!(noted.what, Trouble::Mismatch(_))));
        let Some(last) = last_of(mismatches.into_iter()) else { return };
        age(object, "status.mismatchAge", self.clock, last.time, &last.cited);
        object.flag("status.mismatch", true, last);
        let from = Provenance::all_or(places, Provenance::bare(Basis::Lines));
        object.at_least("status.clusterIDCount", by_id.len() as i64, &from);
        let ids: Vec<String> = by_id.iter().map(|(id, labels)| format!("{id} ({})", join(labels))).collect();
        object.text("status.clusterIDs", &ids.join(" and "), &from);
        let most = by_id.values().map(BTreeSet::len).max().unwrap_or(0);
        let leading: Vec<_> = by_id.values().filter(|labels| labels.len() == most).collect();
        if by_id.len() > 1 && leading.len() == 1 {
            let foreign: BTreeSet<String> =
                by_id.values().filter(|labels| labels.len() < most).flatten().cloned().collect();
            object.text("status.foreignMember", &join(&foreign), &from);
            object.value("status.foreignMembers", list(&foreign), &from);
        }
    }

    fn certificates(&self, object: &mut Derived) {
        let expired = |what: &Trouble| matches!(what, Trouble::Expired(_));
        let early = |what: &Trouble| matches!(what, Trouble::NotYetValid(_));
        let mut named = BTreeSet::new();
        let mut not_after = BTreeSet::new();
        let mut places: Vec<Cited> = Vec::new();
        let mut last: Option<&TroubleObservation> = None;
        for (label, member) in self.each() {
            let lines = self.lasting(member.troubles.iter().filter(|noted| expired(&noted.what)));
            let last_line = last_of(lines.iter().copied()).filter(|noted| !reached_after(member, noted));
            let Some(noted) = last_line else { continue };
            named.insert(label);
            for noted in lines {
                if let Trouble::Expired(error) = &noted.what
                    && let Some(time) = troubles::not_after(error)
                {
                    not_after.insert(time.to_owned());
                }
            }
            places.push(noted.cited.clone());
            last = last.into_iter().chain([noted]).max_by_key(|noted| noted.time);
        }
        if let (Some(noted), Some(from)) = (last, Provenance::all(places)) {
            object.number("status.expiredCount", named.len() as i64, &from);
            object.text("status.expired", &join(&named), &from);
            object.value("status.expiredMembers", list(&named), &from);
            if !not_after.is_empty() {
                object.text("status.certificateNotAfter", &join(&not_after), &from);
            }
            age(object, "status.expiredAge", self.clock, noted.time, &noted.cited);
        }
        let found: Vec<(String, &TroubleObservation)> = self
            .each()
            .filter_map(|(label, member)| Some((label, member, standing(&member.troubles, early, |_| false)?)))
            .filter(|(_, member, noted)| !reached_after(member, noted))
            .map(|(label, _, noted)| (label, noted))
            .collect();
        if let Some(from) = Provenance::all(found.iter().map(|(_, noted)| noted.cited.clone())) {
            let labels: BTreeSet<String> = found.iter().map(|(label, _)| label.clone()).collect();
            object.text("status.notYetValid", &join(&labels), from);
        }
    }

    /// Certificates that peers refuse for another reason than their dates.
    fn not_accepted(&self, object: &mut Derived) {
        let untrusted: fn(&Trouble) -> bool = |what| matches!(what, Trouble::Untrusted(_));
        let wrong_name: fn(&Trouble) -> bool = |what| matches!(what, Trouble::WrongName(_));
        let kinds = [("status.untrusted", untrusted), ("status.wrongName", wrong_name)];
        let mut youngest: Option<&TroubleObservation> = None;
        for (path, wanted) in kinds {
            let mut named = BTreeSet::new();
            let mut places: Vec<Cited> = Vec::new();
            let mut lines = 0;
            let mut last: Option<&TroubleObservation> = None;
            for (label, member) in self.each() {
                let standing =
                    standing(&member.troubles, wanted, |_| false).filter(|noted| !reached_after(member, noted));
                let Some(noted) = standing else { continue };
                named.insert(label);
                lines += member.troubles.iter().filter(|noted| wanted(&noted.what)).count() as i64;
                places.push(noted.cited.clone());
                last = last.into_iter().chain([noted]).max_by_key(|noted| noted.time);
            }
            let (Some(noted), Some(from)) = (last, Provenance::all(places)) else { continue };
            object.text(path, &join(&named), &from);
            object.value(&format!("{path}Members"), list(&named), &from);
            object.at_least(&format!("{path}Lines"), lines, &from);
            age(object, &format!("{path}Age"), self.clock, noted.time, &noted.cited);
            youngest = youngest.into_iter().chain([noted]).max_by_key(|noted| noted.time);
        }
        if let Some(noted) = youngest
            && let Trouble::Untrusted(error) | Trouble::WrongName(error) = &noted.what
        {
            object.text("status.tlsError", error, noted);
        }
    }

    fn drift(&self, object: &mut Derived) {
        let drifts: Vec<(String, &TroubleObservation, &String)> = self
            .each()
            .flat_map(|(label, member)| member.troubles.iter().map(move |noted| (label.clone(), noted)))
            .filter_map(|(label, noted)| match &noted.what {
                Trouble::Drift(apart) => Some((label, noted, apart)),
                _ => None,
            })
            .collect();
        let Some((_, last, apart)) = drifts.iter().max_by_key(|(_, noted, _)| (noted.time, noted.place)) else {
            return;
        };
        let labels: BTreeSet<String> = drifts.iter().map(|(label, ..)| label.clone()).collect();
        let from = Provenance::all_or(drifts.iter().map(|(_, noted, _)| noted.cited.clone()), *last);
        object.text("status.clockDrift", apart, &from);
        object.text("status.driftMembers", &join(&labels), &from);
        object.at_least("status.driftPairs", labels.len() as i64, &from);
        age(object, "status.driftAge", self.clock, last.time, &last.cited);
    }

    /// The most distinct terms in which a leader was elected inside one window, over all members: one
    /// election is logged by each of them, in the same term.
    fn terms(&self, object: &mut Derived) {
        let mut terms: Vec<(Timestamp, u64, &Cited)> = self
            .members
            .iter()
            .flat_map(|index| &self.membership.members[*index].troubles)
            .filter_map(|noted| match noted.what {
                Trouble::Term(term) => Some((noted.time?, term, &noted.cited)),
                _ => None,
            })
            .collect();
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
        age(object, "status.lastTermAge", self.clock, Some(*time), cited);
    }

    fn slow(&self, object: &mut Derived) {
        let noted = self.members.iter().flat_map(|index| &self.membership.members[*index].troubles);
        let found: Vec<&TroubleObservation> = noted.filter(|noted| matches!(noted.what, Trouble::Slow(_))).collect();
        counted("status.slowLines", "status.slowAge", object, self.clock, &found);
    }
}

fn counted(count: &str, since: &str, object: &mut Derived, clock: Option<Timestamp>, found: &[&TroubleObservation]) {
    let Some(last) = last_of(found.iter().copied()) else { return };
    object.at_least(count, found.len() as i64, Provenance::all_or(found.iter().map(|noted| noted.cited.clone()), last));
    age(object, since, clock, last.time, &last.cited);
}

/// All names: a list of members is never cut.
fn list(names: &BTreeSet<String>) -> Value {
    Value::List(names.iter().map(|name| Node::str(0, name.as_str())).collect())
}

fn join(names: &BTreeSet<String>) -> String {
    names.iter().map(String::as_str).collect::<Vec<_>>().join(", ")
}
