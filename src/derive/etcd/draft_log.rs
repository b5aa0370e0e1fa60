//! What was read of etcd, before its members are told apart: the logs.
//!
//! Invariant: a log whose class nothing tells is etcd's only if it says what etcd alone says of itself; else nothing
//! of it counts.

use crate::etcd::draft::{Draft, address, name};
use crate::etcd::log_statements;
use crate::etcd::log_statements::LogStatement;
use crate::etcd::member::Key;
use crate::etcd::observation::{Observation, Observed, Refusal, TroubleObservation};
use crate::etcd::troubles;
use crate::etcd::troubles::{Trouble, Whose};
use crate::etcd::voting::VotingMembers;
use facts::log::LogHit;
use facts::store::Stream;
use jiff::Timestamp;

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
            self.troubles(stream, hit, as_of, &mut writer);
            self.statements(stream, hit, as_of, &mut writer);
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

    /// What one line says is wrong, or well again.
    fn troubles(&mut self, stream: &Stream, hit: &LogHit, as_of: Option<Timestamp>, writer: &mut Writer) {
        let time = hit.fields.time.and_then(|time| time.resolve(as_of));
        for (whose, what) in troubles::read(&hit.fields) {
            writer.certain |= !matches!(what, Trouble::Alarm(..) | Trouble::Ready);
            let place = self.troubles.len() + self.troubles_at.len();
            let noted = TroubleObservation { what, time, answer: false, place, cited: stream.cite(hit, as_of) };
            match whose {
                Whose::Own => self.troubles.push((writer.key.clone(), noted)),
                Whose::Id(id) => self.troubles.push((Key::Id(id), noted)),
                Whose::Host(host) => self.troubles_at.push((host, noted)),
            }
        }
    }

    /// What one line says of members and their leader.
    fn statements(&mut self, stream: &Stream, hit: &LogHit, as_of: Option<Timestamp>, writer: &mut Writer) {
        let time = hit.fields.time.and_then(|time| time.resolve(as_of));
        for word in log_statements::read(&hit.fields) {
            // A log whose place tells nothing is etcd's if it says what only etcd says of itself.
            writer.certain |= !matches!(word, LogStatement::WithoutLeader | LogStatement::LocalName(_));
            let mut say = |key: Key, what: Observed| {
                let order = stream.ordered.then_some(u64::from(hit.line));
                let cited = stream.cite(hit, as_of);
                self.observations.push((key, Observation { what, time, until: time, answer: false, order, cited }));
            };
            match word {
                LogStatement::WithoutLeader => say(writer.key.clone(), Observed::WithoutLeader),
                LogStatement::WithLeader(leader) => say(writer.key.clone(), Observed::WithLeader(leader)),
                LogStatement::DialFailed(peer, error) => say(Key::Id(peer), Observed::DialFailed(error)),
                LogStatement::Active(peer) => say(Key::Id(peer), Observed::Reached),
                LogStatement::LocalId(id) => {
                    writer.id = Some(id);
                    writer.own.push(Key::Id(id));
                }
                LogStatement::LocalName(local) => writer.own.extend(name(&local)),
                LogStatement::Voters(ids) => {
                    let ids = ids.into_iter().collect();
                    let cited = stream.cite(hit, as_of);
                    writer.voting = Some(VotingMembers { ids, listed: false, time, order: None, cited });
                }
                LogStatement::Peer(id, urls) => {
                    let addresses = urls.iter().filter_map(|url| address(url));
                    self.same.push([Key::Id(id)].into_iter().chain(addresses).collect());
                }
            }
        }
    }

    /// What a client of etcd was told.
    fn client_stream(&mut self, stream: &Stream, as_of: Option<Timestamp>) {
        for hit in stream.hits() {
            let told = troubles::CLIENT_LITERALS.iter().copied().filter(|literal| hit.text.contains(literal));
            for literal in told {
                let time = hit.fields.time.and_then(|time| time.resolve(as_of));
                self.refusals.push(Refusal { literal, time, cited: stream.cite(hit, as_of) });
            }
        }
    }
}
