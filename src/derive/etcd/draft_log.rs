//! What was read of etcd, before its members are told apart: the logs.
//!
//! Invariant: a log whose class nothing tells is etcd's only if it says what etcd alone says of itself; else nothing
//! of it counts.

use crate::etcd::draft::{Draft, address, hex, listed_alarms, name};
use crate::etcd::links;
use crate::etcd::member::Key;
use crate::etcd::observation::{DIAL_FAILED, Observation, REACHED, WITH_LEADER, WITHOUT_LEADER};
use crate::etcd::voting::VotingMembers;
use catalogue::statements;
use facts::log::LogHit;
use facts::provenance::Cited;
use facts::store::Stream;
use jiff::Timestamp;
use std::collections::{BTreeMap, BTreeSet};

/// What other programs say as well.
const ANYBODY_SAYS: [&str; 8] = [
    "without-leader",
    ELECTION,
    "local-name",
    "ready",
    "alarm-raised",
    "alarm-disarmed",
    "alarms-listed",
    "listed-disarmed",
];

/// An election begins. So many in a row, with no leader in between, are words about having none.
const ELECTION: &str = "election";
const IN_VAIN: u32 = 5;

/// About whom a line speaks: an id in hexadecimal digits, or an address.
fn of(about: &str) -> Option<Key> {
    let host = || Some(Key::Host(about.rsplit_once(':')?.0.to_owned()));
    hex(about).map(Key::Id).or_else(host)
}

/// The items of a list that a JSON field was flattened to: `["a","b"]` or `[a b]`.
fn items(text: &str) -> impl Iterator<Item = &str> {
    text.split(['[', ']', '"', ',', ' ']).filter(|item| !item.is_empty())
}

/// Is this the address of one machine, and of no other?
fn names_one(key: &Key) -> bool {
    let anywhere = ["0.0.0.0:", "[::]:", "127.", "localhost", "[::1]", ":"];
    matches!(key, Key::Address(address) if !anywhere.iter().any(|start| address.starts_with(start)))
}

/// What one log tells of the member that writes it.
struct Writer {
    key: Key,
    /// Every key by which it is named.
    own: Vec<Key>,
    /// The id that it gave last.
    id: Option<u64>,
    /// The last configuration that it knew.
    voting: Option<VotingMembers>,
    /// Whom it has asked for a vote since its last election began, and where.
    asked: Option<(BTreeSet<u64>, Cited)>,
    /// It is surely a log of etcd.
    certain: bool,
    /// It serves: what it says from here on happens now.
    ready: bool,
    /// Elections since it last had a leader, and where the last of them stands.
    elections: u32,
    last_election: Option<Observation>,
    /// Peers by their ids, and the addresses at which they were dialled.
    dialled: BTreeSet<(Key, Key)>,
}

/// A member says its own ID in line after line.
const OFTEN: usize = 3;

impl Writer {
    /// One more election begins: in the one before, it asked every other voter.
    fn asked_all(&mut self, time: Option<Timestamp>) {
        let Some((mut ids, cited)) = self.asked.take().filter(|(asked, _)| !asked.is_empty()) else { return };
        if let Some(own) = self.id {
            ids.insert(own);
            self.voting = Some(VotingMembers { ids, listed: false, time, order: None, cited });
        }
    }

    /// Without the IDs that one line alone gives where another is given again and again: a line of another log that came into
    /// this one must not make two members one.
    fn forget_strangers(&mut self) {
        let mut counts: BTreeMap<Key, usize> = BTreeMap::new();
        for key in self.own.iter().filter(|key| matches!(key, Key::Id(_))) {
            *counts.entry(key.clone()).or_default() += 1;
        }
        if !counts.values().any(|count| *count >= OFTEN) {
            return;
        }
        let is_stranger = |key: &Key| counts.get(key) == Some(&1);
        self.own.retain(|key| !is_stranger(key));
        if self.id.is_some_and(|id| is_stranger(&Key::Id(id))) {
            let ids = self.own.iter().rev().find_map(|key| if let Key::Id(id) = key { Some(*id) } else { None });
            self.id = ids.or(self.id);
        }
    }
}

impl Draft {
    pub(super) fn stream(&mut self, index: usize, stream: &Stream, as_of: Option<Timestamp>) {
        if stream.class.as_deref() != Some("etcd") {
            self.client_stream(stream, as_of);
        }
        if stream.class.as_deref().is_some_and(|class| class != "etcd") {
            return;
        }
        let before = self.observations.len();
        let key = Key::Stream(index);
        let certain = stream.class.is_some();
        let own = vec![key.clone()];
        let (id, voting, asked, last_election, dialled) = (None, None, None, None, BTreeSet::new());
        let (ready, elections) = (false, 0);
        let mut writer = Writer { own, key, id, voting, asked, certain, ready, elections, last_election, dialled };
        for hit in stream.hits() {
            self.line(stream, hit, as_of, &mut writer);
        }
        let spoke = self.observations.iter().skip(before).any(|(key, _)| !matches!(key, Key::Host(_)));
        if stream.class.is_some() || spoke {
            let pod = || stream.pod.as_ref().map(|(_, pod, _)| pod.trim_start_matches("etcd-").to_owned());
            writer.own.extend(stream.node.clone().or_else(pod).as_deref().and_then(name));
        }
        if !writer.certain || writer.own.len() == 1 && !spoke {
            self.observations.truncate(before);
            return;
        }
        self.written(writer, before, stream.end(as_of));
    }

    /// What is known once the whole log was read: `first` is where what was observed in it begins.
    fn written(&mut self, mut writer: Writer, first: usize, end: Option<Timestamp>) {
        self.election_in_vain(&mut writer, first);
        writer.forget_strangers();
        let key = writer.key;
        self.own_ids.extend(writer.id.map(|id| (key.clone(), id)));
        // The last word about a leader holds as long as the stream goes on.
        let mut lately = self.observations.iter_mut().skip(first).rev();
        if let Some((_, said)) = lately.find(|(k, said)| *k == key && said.is_of_leader()) {
            said.until = end.max(said.until);
        }
        writer.own.sort();
        writer.own.dedup();
        if let Some(mut voting) = writer.voting {
            let mut named: Vec<Key> = voting.ids.iter().map(|id| Key::Id(*id)).collect();
            named.push(key.clone());
            self.together.push(named);
            voting.time = voting.time.max(end);
            self.voting.push(voting);
        }
        self.links.extend(links::broken(&key, self.observations.get(first..).unwrap_or_default(), end));
        let dialled = self.observations.iter().skip(first).filter(|(_, said)| said.is_of_presence());
        self.together.push(dialled.map(|(key, _)| key.clone()).chain([key]).collect());
        self.same.push(writer.own);
        let mut by_peer: BTreeMap<Key, Vec<Key>> = BTreeMap::new();
        for (id, peer) in writer.dialled {
            by_peer.entry(peer).or_default().push(id);
        }
        // Of an address at which several were dialled nobody knows whose it is.
        self.same.extend(by_peer.into_iter().filter(|(_, ids)| ids.len() == 1).map(|(peer, mut both)| {
            both.push(peer);
            both
        }));
    }

    /// A log that ends in an election, while its writer does not reach a peer, has no leader, however short it is.
    fn election_in_vain(&mut self, writer: &mut Writer, first: usize) {
        let Some(last) = writer.last_election.take().filter(|_| writer.elections < IN_VAIN) else { return };
        let alone = |(key, said): &(Key, Observation)| {
            *key != writer.key
                && said.is(DIAL_FAILED)
                && said.time.zip(last.time).is_some_and(|(dial, vote)| dial >= vote)
        };
        if self.observations.iter().skip(first).any(alone) {
            self.observations.push((writer.key.clone(), Observation { says: WITHOUT_LEADER, ..last }));
        }
    }

    /// What one line says of members, of their leader, and of what is wrong or well again.
    fn line(&mut self, stream: &Stream, hit: &LogHit, as_of: Option<Timestamp>, writer: &mut Writer) {
        let time = hit.fields.time.and_then(|time| time.resolve(as_of));
        let order = stream.ordered.then_some(u64::from(hit.line));
        let cited = || stream.cite(hit, as_of);
        let note = |all: &mut Vec<(Key, Observation)>, key, says, text| {
            let place = all.len();
            let said = Observation { says, text, time, until: time, answer: false, order, place, cited: cited() };
            all.push((key, said));
        };
        for said in statements::read("etcd", hit) {
            // A log whose place tells nothing is etcd's if it says what only etcd says of itself.
            writer.certain |= !ANYBODY_SAYS.contains(&said.says);
            let about = said.about.as_deref().map_or_else(|| Some(writer.key.clone()), of);
            let (Some(key), text) = (about, said.text) else { continue };
            match said.says {
                "local-id" => {
                    // 0 is raft's word for nobody: what restores a snapshot is no member yet
                    // (`etcd-io/raft:raft.go`, `None`; `etcd:etcdutl/snapshot/v3_snapshot.go`).
                    let id = hex(&text).filter(|id| *id != 0);
                    writer.id = id.or(writer.id);
                    writer.own.extend(id.map(Key::Id));
                }
                "local-name" => writer.own.extend(name(&text)),
                "local-address" => writer.own.extend(items(&text).filter_map(address).filter(names_one)),
                "voters" => {
                    let ids = text.split_whitespace().filter_map(|id| id.parse().ok()).collect();
                    writer.voting = Some(VotingMembers { ids, listed: false, time, order: None, cited: cited() });
                }
                "peer" => {
                    self.same.push([key.clone()].into_iter().chain(items(&text).filter_map(address)).collect());
                    // Before it is ready, a member repeats what it knew when it ended.
                    if writer.ready {
                        note(&mut self.observations, key, said.says, text);
                    }
                }
                "alarms-listed" | "listed-disarmed" => {
                    let says = if said.says == "alarms-listed" { "alarm-raised" } else { "alarm-disarmed" };
                    for (id, alarm) in listed_alarms(&text) {
                        note(&mut self.observations, Key::Id(id), says, alarm);
                    }
                }
                "asks-vote" => {
                    if let (Some((asked, _)), Some(id)) = (&mut writer.asked, hex(&text)) {
                        asked.insert(id);
                    }
                }
                ELECTION => {
                    writer.asked_all(time);
                    writer.asked = Some((BTreeSet::new(), cited()));
                    writer.elections += 1;
                    if writer.elections >= IN_VAIN {
                        note(&mut self.observations, key, WITHOUT_LEADER, text);
                    } else {
                        let (says, place) = (ELECTION, self.observations.len());
                        let (until, answer, cited) = (time, false, cited());
                        writer.last_election =
                            Some(Observation { says, text, time, until, answer, order, place, cited });
                    }
                }
                says => {
                    if says == WITH_LEADER {
                        (writer.elections, writer.last_election) = (0, None);
                    }
                    // The address that was dialled is that of the peer whose id stands beside it.
                    if says == DIAL_FAILED && matches!(key, Key::Id(_)) {
                        let peer = text.split_once("dial tcp ").and_then(|(_, rest)| address(rest.split(": ").next()?));
                        writer.dialled.extend(peer.filter(names_one).map(|peer| (key.clone(), peer)));
                    }
                    writer.ready |= says == "ready";
                    // Who leads was heard from.
                    if let Some(leader) = hex(&text).filter(|_| says == WITH_LEADER) {
                        note(&mut self.observations, Key::Id(leader), REACHED, String::new());
                    }
                    note(&mut self.observations, key, says, text);
                }
            }
        }
    }

    /// What a client of etcd was told.
    fn client_stream(&mut self, stream: &Stream, as_of: Option<Timestamp>) {
        for hit in stream.hits() {
            for told in statements::read("etcd-client", hit) {
                let time = hit.fields.time.and_then(|time| time.resolve(as_of));
                let (says, text, place, cited) = (told.says, told.text, self.refusals.len(), stream.cite(hit, as_of));
                let said = Observation { says, text, time, until: time, answer: false, order: None, place, cited };
                self.refusals.push(said);
            }
        }
    }
}
