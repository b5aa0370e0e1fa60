//! What was read of etcd, before its members are told apart: the logs.
//!
//! Invariant: a log whose class nothing tells is etcd's only if it says what etcd alone says of itself; else nothing
//! of it counts.

use crate::etcd::draft::{Draft, address, hex, listed_alarms, name};
use crate::etcd::member::Key;
use crate::etcd::observation::{Observation, Observed, Refusal, TroubleObservation};
use crate::etcd::voting::VotingMembers;
use catalogue::statements;
use facts::log::LogHit;
use facts::provenance::Cited;
use facts::store::Stream;
use jiff::Timestamp;

/// What other programs say as well.
const ANYBODY_SAYS: [&str; 7] =
    ["without-leader", "local-name", "ready", "alarm-raised", "alarm-disarmed", "alarms-listed", "listed-disarmed"];

/// About whom a line speaks.
enum Of {
    Member(Key),
    /// The member at this address, without a port.
    Host(String),
}

impl Of {
    /// An id in hexadecimal digits, or an address.
    fn parse(text: &str) -> Option<Self> {
        let host = || Some(Self::Host(text.rsplit_once(':')?.0.to_owned()));
        hex(text).map(|id| Self::Member(Key::Id(id))).or_else(host)
    }
}

/// The items of a list that a JSON field was flattened to: `["a","b"]` or `[a b]`.
fn items(text: &str) -> impl Iterator<Item = &str> {
    text.split(['[', ']', '"', ',', ' ']).filter(|item| !item.is_empty())
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
    /// It is surely a log of etcd.
    certain: bool,
}

impl Draft<'_> {
    /// Reads one log.
    pub(super) fn stream(&mut self, index: usize, stream: &Stream, as_of: Option<Timestamp>) {
        if stream.class.as_deref() != Some("etcd") {
            self.client_stream(stream, as_of);
        }
        if stream.class.as_deref().is_some_and(|class| class != "etcd") {
            return;
        }
        let before = (self.observations.len(), self.troubles.len(), self.troubles_at.len());
        let key = Key::Stream(index);
        let certain = stream.class.is_some();
        let mut writer = Writer { own: vec![key.clone()], key, id: None, voting: None, certain };
        for hit in stream.hits() {
            self.line(stream, hit, as_of, &mut writer);
        }
        let spoke = self.observations.len() > before.0 || self.troubles.len() > before.1;
        if stream.class.is_some() || spoke {
            let pod = || stream.pod.as_ref().map(|(_, pod, _)| pod.trim_start_matches("etcd-").to_owned());
            writer.own.extend(stream.node.clone().or_else(pod).as_deref().and_then(name));
        }
        if !writer.certain || writer.own.len() == 1 && !spoke {
            self.observations.truncate(before.0);
            self.troubles.truncate(before.1);
            self.troubles_at.truncate(before.2);
            return;
        }
        self.written(writer, before.0, stream.end(as_of));
    }

    /// What is known once the whole log was read: `first` is where what was observed in it begins.
    fn written(&mut self, mut writer: Writer, first: usize, end: Option<Timestamp>) {
        let key = writer.key;
        self.own_ids.extend(writer.id.map(|id| (key.clone(), id)));
        // The last word about a leader holds as long as the stream goes on.
        let is_leader_word =
            |said: &Observation| matches!(said.what, Observed::WithLeader(_) | Observed::WithoutLeader);
        let mut lately = self.observations.iter_mut().skip(first).rev();
        if let Some((_, said)) = lately.find(|(k, said)| *k == key && is_leader_word(said)) {
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
        let dialled: Vec<Key> = self.observations.iter().skip(first).map(|(key, _)| key.clone()).collect();
        self.together.push(dialled.into_iter().chain([key]).collect());
        self.same.push(writer.own);
    }

    /// What one line says of members, of their leader, and of what is wrong or well again.
    fn line(&mut self, stream: &Stream, hit: &LogHit, as_of: Option<Timestamp>, writer: &mut Writer) {
        let time = hit.fields.time.and_then(|time| time.resolve(as_of));
        let order = stream.ordered.then_some(u64::from(hit.line));
        let cited = || stream.cite(hit, as_of);
        for said in statements::read("etcd", hit) {
            // A log whose place tells nothing is etcd's if it says what only etcd says of itself.
            writer.certain |= !ANYBODY_SAYS.contains(&said.says);
            let of = match &said.about {
                Some(about) => Of::parse(about),
                None => Some(Of::Member(writer.key.clone())),
            };
            let Some(of) = of else { continue };
            let text = said.text;
            let what = match said.says {
                "without-leader" => Observed::WithoutLeader,
                "with-leader" => Observed::WithLeader(hex(&text)),
                "dial-failed" => Observed::DialFailed(text),
                "reached" => Observed::Reached,
                "local-id" => {
                    if let Some(id) = hex(&text) {
                        writer.id = Some(id);
                        writer.own.push(Key::Id(id));
                    }
                    continue;
                }
                "local-name" => {
                    writer.own.extend(name(&text));
                    continue;
                }
                "voters" => {
                    let ids = text.split_whitespace().filter_map(|id| id.parse().ok()).collect();
                    writer.voting = Some(VotingMembers { ids, listed: false, time, order: None, cited: cited() });
                    continue;
                }
                "peer" => {
                    if let Of::Member(peer) = of {
                        self.same.push([peer].into_iter().chain(items(&text).filter_map(address)).collect());
                    }
                    continue;
                }
                "alarms-listed" | "listed-disarmed" => {
                    let says = if said.says == "alarms-listed" { "alarm-raised" } else { "alarm-disarmed" };
                    for (id, alarm) in listed_alarms(&text) {
                        self.note(Of::Member(Key::Id(id)), says, alarm, time, cited());
                    }
                    continue;
                }
                says => {
                    self.note(of, says, text, time, cited());
                    continue;
                }
            };
            if let Of::Member(key) = of {
                let said = Observation { what, time, until: time, answer: false, order, cited: cited() };
                self.observations.push((key, said));
            }
        }
    }

    /// Notes what is wrong or well again, in the order in which it is read.
    fn note(&mut self, of: Of, says: &'static str, text: String, time: Option<Timestamp>, cited: Cited) {
        let place = self.troubles.len() + self.troubles_at.len();
        let noted = TroubleObservation { says, text, time, answer: false, place, cited };
        match of {
            Of::Member(key) => self.troubles.push((key, noted)),
            Of::Host(host) => self.troubles_at.push((host, noted)),
        }
    }

    /// What a client of etcd was told.
    fn client_stream(&mut self, stream: &Stream, as_of: Option<Timestamp>) {
        for hit in stream.hits() {
            for told in statements::read("etcd-client", hit) {
                let time = hit.fields.time.and_then(|time| time.resolve(as_of));
                self.refusals.push(Refusal { says: told.says, time, cited: stream.cite(hit, as_of) });
            }
        }
    }
}
