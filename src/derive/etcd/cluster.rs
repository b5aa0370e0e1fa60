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
//! | `status.lastWordTime`, `status.lastWordAge` | the youngest word that there is no leader; its age in seconds |
//! | `status.alarms[]`, `status.members[]` | for other signatures and for pictures |
//!
//! Quorum is `floor(V/2)+1` over voting members, started or not; learners do not vote
//! (`server/etcdserver/api/membership@v3.5.21`).

use crate::etcd::members::{Electorate, Gathered, Member, MemberIndex, Said, Statement};
use crate::etcd::words::surely_unreachable;
use crate::etcd::{cluster_member, cluster_troubles};
use crate::reader::Reader;
use facts::coverage::Basis;
use facts::derived::Derived;
use facts::node::{Node, Value};
use facts::provenance::{Cited, Provenance};
use jiff::SignedDuration;
use std::collections::BTreeSet;

/// Clocks of two machines are not compared more closely than this.
const CLOCK_GRACE: SignedDuration = SignedDuration::from_secs(60);

/// In a transcript, rows as near as this are of one answer: no etcd cluster has more members.
const ROWS_OF_ONE_ANSWER: u32 = 16;

/// What the last word of a member about its leader is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Leader {
    With,
    Without,
    /// Words without an order among them disagree.
    Either,
    /// It never spoke of one.
    Silent,
}

/// A member judged.
pub(super) struct Judged<'a> {
    pub(super) member: &'a Member,
    pub(super) label: String,
    pub(super) leader: Leader,
    /// The word that decided, if one did.
    pub(super) word: Option<&'a Said>,
    /// Its last word that it has no leader.
    pub(super) without: Option<&'a Said>,
    /// The failed dial that no later word overrules, and whether it surely means unreachable.
    pub(super) dial: Option<(&'a Said, bool)>,
    pub(super) counts_with: bool,
    maybe_with: bool,
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

/// Puts one cluster and its members together. `members` are its members; `name` is the cluster's.
pub(super) fn assemble(reader: Reader<'_>, gathered: &Gathered, members: &[MemberIndex], name: &str) -> Vec<Derived> {
    let mut object = Derived::new("etcdclusters", None, name);
    let electorate = voters(gathered, members);
    let counted: Vec<MemberIndex> = match &electorate {
        Some(found) => members.iter().copied().filter(|index| found.members.contains(index)).collect(),
        None => members.iter().copied().filter(|index| gathered.members[*index].learner != Some(true)).collect(),
    };
    let mut judged: Vec<Judged<'_>> =
        counted.iter().map(|index| judge(&gathered.members[*index], gathered.label(*index))).collect();
    judged.sort_by(|a, b| a.label.cmp(&b.label));
    weigh(&mut judged);
    let (voters, stated) = match electorate {
        Some(found) => (found.count, found.from),
        // At least those that were seen.
        None => (Bounds { low: judged.len() as i64, high: None }, Provenance::bare(Basis::Lines)),
    };
    for index in reached_since(&judged, &voters) {
        if let Some(dial) = judged.get_mut(index).and_then(|m| m.dial.as_mut()) {
            dial.1 = false;
        }
    }
    let majority = Bounds { low: voters.low / 2 + 1, high: voters.high.map(|high| high / 2 + 1) };
    object.value("spec.voters", voters.value(), &stated);
    object.value("status.majority", majority.value(), &stated);
    counts(&judged, &voters, &stated, &mut object);
    last_word(reader, &judged, &mut object);
    leader_by_status(gathered, &judged, &mut object);
    alarms(gathered, members, &mut object);
    cluster_troubles::add(reader, gathered, members, &mut object);
    members_of(gathered, members, &judged, &mut object);
    let mut derived = cluster_member::assemble(reader.log_clock(), gathered, members, &judged, &object);
    derived.push(object);
    derived
}

/// How many members have a leader, have none, are not reached, and may serve.
fn counts(judged: &[Judged<'_>], voters: &Bounds, stated: &Provenance, object: &mut Derived) {
    // Where a count of none rests on nothing in particular, what the members say last shows it.
    let last_words = Provenance::all(judged.iter().filter_map(|m| m.word).map(|said| said.cited.clone()));
    let nothing = last_words.clone().unwrap_or(Provenance::bare(Basis::Lines));
    let all = |said: &mut dyn Iterator<Item = &Said>| Provenance::all(said.map(|said| said.cited.clone()));
    let count = |judged: &mut dyn Iterator<Item = &Judged<'_>>| judged.count() as i64;

    let is_without = |m: &&Judged<'_>| m.leader == Leader::Without;
    let low = count(&mut judged.iter().filter(is_without));
    let either = count(&mut judged.iter().filter(|m| m.leader == Leader::Either));
    let lost = all(&mut judged.iter().filter(is_without).filter_map(|m| m.without)).unwrap_or(nothing.clone());
    object.value("status.withoutLeader", Bounds { low, high: Some(low + either) }.value(), &lost);

    let low = count(&mut judged.iter().filter(|m| m.counts_with));
    let maybe = count(&mut judged.iter().filter(|m| m.maybe_with));
    let with = judged.iter().filter(|m| m.counts_with || m.leader == Leader::With).filter_map(|m| m.word);
    let with = all(&mut { with }).unwrap_or(nothing.clone());
    object.value("status.withLeader", Bounds { low, high: Some(low + maybe) }.value(), with);

    let is_down = |m: &&Judged<'_>| m.surely_down();
    let low = count(&mut judged.iter().filter(is_down));
    let maybe = count(&mut judged.iter().filter(|m| m.dial.is_some() && m.maybe_down()));
    let dials = judged.iter().filter(is_down).filter_map(|m| m.dial).map(|(said, _)| said);
    let down = all(&mut { dials });
    let unreachable = down.clone().unwrap_or(nothing.clone());
    object.value("status.unreachable", Bounds { low, high: Some(low + maybe) }.value(), unreachable);

    let gone = count(&mut judged.iter().filter(|m| is_without(m) || m.surely_down()));
    let serving = Bounds { low: (voters.low - gone).max(0), high: voters.high.map(|high| (high - gone).max(0)) };
    let because = down.into_iter().fold(stated.clone().and(lost), Provenance::and);
    object.value("status.possiblyServing", serving.value(), because);

    let is_healed = |m: &&Judged<'_>| m.counts_with && m.without.is_some();
    let low = count(&mut judged.iter().filter(is_healed));
    let maybe = count(&mut judged.iter().filter(|m| m.maybe_with && m.without.is_some()));
    let words = judged.iter().filter(is_healed).flat_map(|m| [m.without, m.word]).flatten();
    let healed = all(&mut { words }).unwrap_or(nothing);
    object.value("status.healed", Bounds { low, high: Some(low + maybe) }.value(), healed);
}

/// The voting members, as far as somebody states them.
struct Voters {
    members: BTreeSet<MemberIndex>,
    count: Bounds,
    from: Provenance,
}

/// The latest member list; several without an order give bounds. Without a list, the last configuration
/// that logs show.
fn voters(gathered: &Gathered, members: &[MemberIndex]) -> Option<Voters> {
    let own: BTreeSet<MemberIndex> = members.iter().copied().collect();
    let known = |electorate: &&Electorate| {
        electorate.ids.iter().filter_map(|id| gathered.by_id(*id)).any(|index| own.contains(&index))
    };
    let voting = |electorate: &Electorate| -> BTreeSet<MemberIndex> {
        let indexes = electorate.ids.iter().filter_map(|id| gathered.by_id(*id));
        indexes.filter(|index| !electorate.listed || gathered.members[*index].learner != Some(true)).collect()
    };
    let listed: Vec<&Electorate> = gathered.electorates.iter().filter(|e| e.listed).filter(known).collect();
    let logged: Vec<&Electorate> = gathered.electorates.iter().filter(|e| !e.listed).filter(known).collect();
    let candidates = if listed.is_empty() { logged } else { listed };
    let latest = if let Some(last) = Electorate::last_of_a_transcript(&candidates) {
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
    Some(Voters {
        members: sets.into_iter().flatten().collect(),
        count: Bounds { low, high: Some(high) },
        from: Provenance::all(latest.iter().map(|e| e.cited.clone()))?,
    })
}

/// The last of some words, and whether it is known to be the last.
fn last<'a>(words: &[&'a Said]) -> Option<(&'a Said, bool)> {
    // Only places in one transcript have an order.
    let together = |said: &&Said| {
        said.order.is_some()
            && words.first().is_some_and(|first| first.cited.citation.member == said.cited.citation.member)
    };
    if !words.is_empty() && words.iter().all(together) {
        return words.iter().max_by_key(|said| said.order).map(|said| (*said, true));
    }
    let timed = words.iter().filter(|said| said.time.is_some()).max_by_key(|said| said.time);
    match timed {
        Some(said) => Some((said, words.iter().all(|other| other.time.is_some()))),
        None => words.last().map(|said| (*said, words.len() == 1)),
    }
}

pub(super) fn judge(member: &Member, label: String) -> Judged<'_> {
    let words: Vec<&Said> = member
        .said
        .iter()
        .filter(|said| matches!(said.what, Statement::WithLeader(_) | Statement::WithoutLeader))
        .collect();
    let polarity = |said: &Said| said.what == Statement::WithoutLeader;
    let found = last(&words);
    let leader = match found {
        None => Leader::Silent,
        Some((said, certain)) => {
            let contradicted =
                !certain && words.iter().any(|other| other.time.is_none() && polarity(other) != polarity(said));
            match (contradicted, polarity(said)) {
                (true, _) => Leader::Either,
                (false, true) => Leader::Without,
                (false, false) => Leader::With,
            }
        }
    };
    let without: Vec<&Said> = words.iter().copied().filter(|said| polarity(said)).collect();
    let dials: Vec<&Said> = member.said.iter().filter(|said| matches!(said.what, Statement::DialFailed(_))).collect();
    let reached = member.said.iter().filter(|said| said.what == Statement::Reached).filter_map(|said| said.time).max();
    // An answer of the member itself overrules a failed dial, unless the dial is known to be later.
    let answered: Vec<&Said> =
        member.said.iter().filter(|said| said.answer && said.what == Statement::Reached).collect();
    let failing = dials.iter().copied().filter(|said| match said.time {
        Some(time) => reached.is_none_or(|reached| reached < time),
        None => answered.is_empty(),
    });
    let failing: Vec<&Said> = failing.collect();
    let sure = |said: &Said| matches!(&said.what, Statement::DialFailed(error) if surely_unreachable(error));
    let dial = failing
        .iter()
        .copied()
        .filter(|said| sure(said))
        .max_by_key(|said| said.time)
        .map(|said| (said, answered.is_empty()))
        .or_else(|| failing.iter().copied().max_by_key(|said| said.time).map(|said| (said, false)));
    Judged {
        member,
        label,
        leader,
        word: found.map(|(said, _)| said),
        without: last(&without).map(|(said, _)| said),
        dial,
        counts_with: false,
        maybe_with: false,
    }
}

/// Members whose failed dial a later leader overrules: where it could not be without some of them, which of
/// them came back is not known.
fn reached_since(judged: &[Judged<'_>], voters: &Bounds) -> Vec<usize> {
    let lost = judged.iter().filter(|m| m.leader == Leader::Without || m.surely_down()).count() as i64;
    if voters.high.is_none_or(|high| high - lost > high / 2) {
        return Vec::new();
    }
    let leaders = || judged.iter().filter(|m| m.counts_with).filter_map(|m| m.word);
    let overruled = |dial: &Said| leaders().any(|word| word.is_later_than(dial) == Some(true));
    let down = judged.iter().enumerate().filter(|(_, m)| m.surely_down());
    down.filter(|(_, m)| m.dial.is_some_and(|(said, _)| overruled(said))).map(|(index, _)| index).collect()
}

/// Does a word that there is a leader still count, when other members say that there is none?
fn weigh(judged: &mut [Judged<'_>]) {
    let still: Vec<(usize, Option<&Said>)> = judged
        .iter()
        .enumerate()
        .filter(|(_, m)| m.leader == Leader::Without)
        .map(|(index, m)| (index, m.without))
        .collect();
    for (index, member) in judged.iter_mut().enumerate() {
        let (mut sure, mut maybe) = match member.leader {
            Leader::With => (true, true),
            Leader::Either | Leader::Silent => (false, true),
            Leader::Without => (false, false),
        };
        if let (Leader::With, Some(word)) = (member.leader, member.word) {
            for (_, lost) in still.iter().filter(|(other, _)| *other != index) {
                let Some(lost) = lost else { continue };
                // Rows of one answer are of one moment: who has a leader there has one beside who has none.
                let (ours, theirs) = (&word.cited.citation, &lost.cited.citation);
                let near = word.order.is_none() || ours.line.abs_diff(theirs.line) < ROWS_OF_ONE_ANSWER;
                if word.answer && lost.answer && ours.member == theirs.member && near {
                    continue;
                }
                match (word.is_later_than(lost), word.until, lost.time) {
                    (Some(later), ..) => {
                        sure &= later;
                        maybe &= later;
                    }
                    (_, Some(until), Some(lost)) => {
                        sure &= until.duration_since(lost) >= CLOCK_GRACE;
                        maybe &= until.duration_since(lost) > -CLOCK_GRACE;
                    }
                    _ => sure = false,
                }
            }
        }
        let down = member.surely_down();
        // A word that is older than the dial that failed says nothing about now.
        let stale = down
            && match (member.word.and_then(|w| w.until), member.dial.and_then(|(said, _)| said.time)) {
                (Some(word), Some(dial)) => word < dial,
                _ => true,
            };
        sure &= !stale;
        maybe &= !stale;
        member.counts_with = sure;
        member.maybe_with = maybe && !sure;
    }
}

impl Judged<'_> {
    pub(super) fn surely_down(&self) -> bool {
        self.dial.is_some_and(|(_, sure)| sure) && self.leader != Leader::Without && !self.spoke_after_dial()
    }

    /// A dial to it failed, and nothing shows whether it is there.
    fn maybe_down(&self) -> bool {
        let answered = self.member.said.iter().any(|said| said.answer && said.what == Statement::Reached);
        !self.surely_down() && !self.counts_with && !answered && !self.spoke_after_dial()
    }

    /// Its own log went on after the last failed dial, so the member was there.
    fn spoke_after_dial(&self) -> bool {
        match (
            self.word.filter(|word| !word.answer).and_then(|word| word.until),
            self.dial.and_then(|(said, _)| said.time),
        ) {
            (Some(word), Some(dial)) => word >= dial,
            _ => false,
        }
    }
}

fn last_word(reader: Reader<'_>, judged: &[Judged<'_>], object: &mut Derived) {
    let still = judged.iter().any(|m| m.leader == Leader::Without);
    let words = judged.iter().filter(|m| !still || m.leader == Leader::Without).filter_map(|m| m.without);
    let Some(said) = words.filter(|said| said.time.is_some()).max_by_key(|said| said.time) else { return };
    let Some(time) = said.time else { return };
    object.text("status.lastWordTime", &time.to_string(), said);
    if let Some(clock) = reader.log_clock() {
        object.number("status.lastWordAge", clock.duration_since(time).as_secs().max(0), said);
    }
}

/// An answer that shows a leader, unless a member lost it surely after that.
fn leader_by_status(gathered: &Gathered, judged: &[Judged<'_>], object: &mut Derived) {
    let lost_later = |said: &Said| {
        judged.iter().filter(|m| m.leader == Leader::Without).filter_map(|m| m.without).any(|lost| {
            match (lost.is_later_than(said), said.time, lost.time) {
                (Some(later), ..) => later,
                (_, Some(answer), Some(lost)) => lost.duration_since(answer) > CLOCK_GRACE,
                _ => false,
            }
        })
    };
    let shown = judged
        .iter()
        .flat_map(|m| m.member.said.iter().map(move |said| (m, said)))
        .filter(|(_, said)| said.answer && matches!(said.what, Statement::WithLeader(_)) && !lost_later(said));
    let mut best: Option<(bool, String, &Said)> = None;
    for (member, said) in shown {
        let named = match said.what {
            Statement::WithLeader(Some(id)) => gathered.by_id(id).map(|index| gathered.label(index)),
            _ => None,
        };
        let text = named.clone().unwrap_or_else(|| format!("one that {} knows", member.label));
        let rank =
            |(unnamed, text, said): &(bool, String, &Said)| (*unnamed, text.clone(), said.cited.citation.clone());
        let candidate = (named.is_none(), text, said);
        if best.as_ref().is_none_or(|best| rank(&candidate) < rank(best)) {
            best = Some(candidate);
        }
    }
    match best {
        Some((_, text, said)) => object.text("status.leaderByStatus", &text, said),
        // Nobody answered: whether a status would show a leader is not known.
        None => {
            let said = judged.iter().flat_map(|m| &m.member.said);
            let none = said.filter(|said| said.answer && said.what == Statement::WithoutLeader);
            if let Some(answers) = Provenance::all(none.map(|said| said.cited.clone())) {
                object.absent("status.leaderByStatus", answers);
            }
        }
    }
}

fn alarms(gathered: &Gathered, members: &[MemberIndex], object: &mut Derived) {
    let mut items = Vec::new();
    let mut places: Vec<Cited> = Vec::new();
    for (id, alarm, cited) in &gathered.alarms {
        if gathered.by_id(*id).is_some_and(|index| !members.contains(&index)) {
            continue;
        }
        let mut item = Node::map(cited.citation.line);
        item.set("memberID", Node::str(cited.citation.line, parse::etcdctl::hex(*id)));
        item.set("alarm", Node::str(cited.citation.line, alarm.as_str()));
        items.push(item);
        places.push(cited.clone());
    }
    if let Some(from) = Provenance::all(places) {
        object.value("status.alarms", Value::List(items), from);
    }
}

fn members_of(gathered: &Gathered, members: &[MemberIndex], judged: &[Judged<'_>], object: &mut Derived) {
    let mut items = Vec::new();
    let mut places = Vec::new();
    for index in members {
        let member = &gathered.members[*index];
        let label = gathered.label(*index);
        let mut item = Node::map(0);
        item.set("name", Node::str(0, label.as_str()));
        let ids: Vec<String> = member.ids.iter().map(|id| parse::etcdctl::hex(*id)).collect();
        item.set("id", Node::str(0, ids.join(",")));
        let addresses: Vec<&str> = member.addresses.iter().map(String::as_str).collect();
        item.set("addresses", Node::str(0, addresses.join(",")));
        let flag = |value: bool| Node::new(0, Value::Bool(value));
        if let Some(learner) = member.learner {
            item.set("learner", flag(learner));
        }
        if let Some(started) = member.started {
            item.set("started", flag(started));
        }
        if let Some(judged) = judged.iter().find(|judged| judged.label == label) {
            match judged.leader {
                _ if judged.counts_with => item.set("leader", Node::str(0, "known")),
                Leader::Without => item.set("leader", Node::str(0, "none")),
                Leader::With | Leader::Either | Leader::Silent => item.set("leader", Node::str(0, "unknown")),
            }
            if judged.surely_down() {
                item.set("reachable", flag(false));
            } else if judged.counts_with || judged.leader == Leader::Without {
                item.set("reachable", flag(true));
            }
            if let Some((Said { what: Statement::DialFailed(error), cited, .. }, _)) = judged.dial {
                item.set("lastDialError", Node::str(0, error.as_str()));
                places.push(cited.clone());
            }
        }
        places.extend(member.places.first().cloned());
        items.push(item);
    }
    let from = Provenance::all_or(places, Provenance::bare(Basis::Lines));
    object.value("status.members", Value::List(items), from);
}
