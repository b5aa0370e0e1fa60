//! Who is who: etcd members out of ids, names, addresses, endpoints and log streams.
//!
//! Each source names a member in its own way. Names that one source uses together belong to one member;
//! members that one list, one configuration or one log names together belong to one cluster; what names
//! none of these joins the only cluster of its context.
//!
//! Invariants: a client address on loopback that two members answer from names neither; the name
//! `default` (etcd's default) names nobody; the result does not depend on the order of members.

use crate::etcd::troubles;
use crate::etcd::troubles::{Trouble, Whose};
use crate::etcd::words;
use crate::etcd::words::Word;
use crate::reader::Reader;
use facts::coverage::{Answer, State};
use facts::kind::KindName;
use facts::node::Node;
use facts::object::Sighting;
use facts::origin::{Citation, MemberId};
use facts::provenance::{Cited, Order, Provenance};
use facts::store::{Coverage, Stream};
use jiff::Timestamp;
use std::collections::{BTreeMap, BTreeSet};

/// A way to name a member.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Key {
    /// Member id.
    Id(u64),
    /// Name.
    Name(String),
    /// Peer or client address without its scheme.
    Address(String),
    /// A log stream, by its index.
    Stream(usize),
}

/// A member, as an index of [`Gathered::members`].
pub(crate) type MemberIndex = usize;

/// Something that was said about a member, when, and where.
#[derive(Debug, Clone)]
pub struct Said {
    /// What.
    pub what: Statement,
    /// When, if known.
    pub time: Option<Timestamp>,
    /// Up to when it is known to have held: the last line of the stream, or the time of the answer.
    pub until: Option<Timestamp>,
    /// An answer of the member to a question, not a line of a log.
    pub answer: bool,
    /// Place in a transcript, if it has one.
    pub order: Option<u64>,
    /// Where it stands.
    pub cited: Cited,
}

impl From<&Said> for Provenance {
    fn from(said: &Said) -> Self {
        (&said.cited).into()
    }
}

impl From<&Noted> for Provenance {
    fn from(noted: &Noted) -> Self {
        (&noted.cited).into()
    }
}

impl Said {
    fn member(&self) -> MemberId {
        self.cited.citation.member
    }

    /// Does this stand behind the other in one transcript? `None` if they do not stand in one.
    pub(crate) fn is_later_than(&self, other: &Said) -> Option<bool> {
        let (mine, theirs) = (self.order?, other.order?);
        (self.member() == other.member()).then_some(mine > theirs)
    }
}

/// What was said.
#[derive(Debug, Clone, PartialEq)]
pub enum Statement {
    /// It has no leader.
    WithoutLeader,
    /// It has one; its id if named.
    WithLeader(Option<u64>),
    /// A dial to it failed, with this error.
    DialFailed(String),
    /// It answers, or a peer reached it.
    Reached,
}

/// Something that a log or an answer says is wrong with a member, or well again.
#[derive(Debug, Clone)]
pub struct Noted {
    /// What.
    pub what: Trouble,
    /// When, if known.
    pub time: Option<Timestamp>,
    /// An answer to a question, not a line of a log.
    pub answer: bool,
    /// Its place among all that was read: of one log in the order of its lines.
    pub place: usize,
    /// Where it stands.
    pub cited: Cited,
}

/// A member with all that was said about it.
#[derive(Debug, Default, Clone)]
pub struct Member {
    /// Its ids: one, or more where a member was replaced under the same name or address.
    pub ids: BTreeSet<u64>,
    /// Its names.
    pub names: BTreeSet<String>,
    /// Its addresses.
    pub addresses: BTreeSet<String>,
    /// It is a learner, where that is known.
    pub learner: Option<bool>,
    /// It was started, where that is known.
    pub started: Option<bool>,
    /// What was said about it.
    pub said: Vec<Said>,
    /// What is wrong with it or well again, in the order of its places.
    pub noted: Vec<Noted>,
    /// The id that its own log gave last.
    pub own_id: Option<u64>,
    /// It was seen other than in somebody else's list: in a list of its own cluster, an answer, a stream.
    pub places: Vec<Cited>,
}

/// A set of voting members that somebody stated.
#[derive(Debug, Clone)]
pub struct Electorate {
    /// The ids.
    pub ids: BTreeSet<u64>,
    /// It is a member list (an answer), not a line of a log.
    pub listed: bool,
    /// When.
    pub time: Option<Timestamp>,
    /// Place in a transcript, if it has one.
    pub order: Option<u64>,
    /// Where.
    pub cited: Cited,
}

impl Electorate {
    /// The last of several that all stand in one transcript: only there places have an order.
    pub(crate) fn last_of_a_transcript<'a>(all: &[&'a Self]) -> Option<&'a Self> {
        let member = all.first()?.cited.citation.member;
        let together = |one: &&Self| one.order.is_some() && one.cited.citation.member == member;
        if all.iter().all(together) { all.iter().max_by_key(|one| one.order).copied() } else { None }
    }
}

/// When an answer was given, and where it stands.
#[derive(Debug, Clone)]
struct Asked {
    time: Option<Timestamp>,
    /// Place in a transcript, if it has one.
    order: Option<u64>,
    cited: Cited,
}

impl Asked {
    fn sighting(sighting: &Sighting, cited: Cited) -> Self {
        Self { time: sighting.record.time, order: sighting.record.order, cited }
    }

    fn answer(answer: &Answer) -> Self {
        // It is compared with what stands in the same member only, where that is ordered by its lines.
        let cited = Cited { order: answer.time.map(Order::at), ..Cited::new(answer.citation.clone(), answer.basis) };
        Self { time: answer.time, order: Some(answer.citation.line.into()), cited }
    }

    /// Is it known that this was asked first?
    fn is_before(&self, other: &Self) -> bool {
        match (self.order, other.order) {
            (Some(this), Some(other_order)) if self.cited.citation.member == other.cited.citation.member => {
                this < other_order
            }
            _ => self.time.zip(other.time).is_some_and(|(this, other)| this < other),
        }
    }
}

/// All that a context says about etcd.
#[derive(Debug, Default)]
pub struct Gathered {
    /// The members, in the order of their smallest key.
    pub members: Vec<Member>,
    /// Which member a key names.
    pub by_key: BTreeMap<Key, MemberIndex>,
    /// Stated sets of voters.
    pub electorates: Vec<Electorate>,
    /// Keys of members that were named together.
    together: Vec<Vec<Key>>,
    /// Alarms: member id, alarm, place.
    pub alarms: Vec<(u64, String, Cited)>,
    /// Alarms that an answer names without the member that raised them.
    pub unnamed_alarms: Vec<(String, Cited)>,
    /// Answers of endpoints that list no alarm, and lists of alarms without one.
    pub without_alarm: Vec<Cited>,
    /// What etcd answered its clients, from logs of other components and kept error texts.
    pub refusals: Vec<Refusal>,
    /// Leaders that answers name: id, time, order, place.
    pub transfers: Vec<Said>,
}

/// A request that etcd refused, as its client tells it.
#[derive(Debug, Clone)]
pub struct Refusal {
    /// The literal of [`troubles::CLIENT_LITERALS`] that the line holds.
    pub literal: &'static str,
    /// When, if known.
    pub time: Option<Timestamp>,
    /// Where it stands.
    pub cited: Cited,
}

impl Gathered {
    /// The member that an id names.
    pub(crate) fn by_id(&self, id: u64) -> Option<MemberIndex> {
        self.by_key.get(&Key::Id(id)).copied()
    }

    /// A name for a member in reports: its name, else its id, else an address.
    pub fn label(&self, index: MemberIndex) -> String {
        let member = &self.members[index];
        member
            .names
            .first()
            .cloned()
            .or_else(|| member.ids.first().map(|id| parse::etcdctl::hex(*id)))
            .or_else(|| member.addresses.first().cloned())
            .unwrap_or_else(|| "?".to_owned())
    }

    /// The members grouped by cluster; each group and the groups among each other in order.
    pub fn clusters(&self) -> Vec<Vec<MemberIndex>> {
        let mut union = Union::new(self.members.len());
        for keys in &self.together {
            let mut known = keys.iter().filter_map(|key| self.by_key.get(key));
            if let Some(first) = known.next() {
                known.for_each(|other| union.join(*first, *other));
            }
        }
        let mut groups: BTreeMap<usize, Vec<MemberIndex>> = BTreeMap::new();
        for index in 0..self.members.len() {
            groups.entry(union.root(index)).or_default().push(index);
        }
        let (linked, alone): (Vec<_>, Vec<_>) = groups.into_values().partition(|group| group.len() > 1);
        match (linked.len(), alone.len()) {
            // Loose members join the only cluster; without one they are one cluster together.
            (0, 0) => Vec::new(),
            (0, _) => vec![alone.concat()],
            (1, _) => {
                let mut members = linked.concat();
                members.extend(alone.concat());
                members.sort_unstable();
                vec![members]
            }
            _ => linked,
        }
    }
}

/// Union-find over small indexes.
struct Union(Vec<usize>);

impl Union {
    fn new(count: usize) -> Self {
        Self((0..count).collect())
    }

    fn root(&mut self, mut index: usize) -> usize {
        while self.0[index] != index {
            self.0[index] = self.0[self.0[index]];
            index = self.0[index];
        }
        index
    }

    fn join(&mut self, a: usize, b: usize) {
        let (a, b) = (self.root(a), self.root(b));
        self.0[a.max(b)] = a.min(b);
    }
}

/// What was read, before members are told apart.
struct Draft<'a> {
    reader: Reader<'a>,
    /// Keys that one source uses for one member.
    same: Vec<Vec<Key>>,
    said: Vec<(Key, Said)>,
    learner: Vec<(Key, bool)>,
    started: Vec<(Key, bool)>,
    seen: Vec<(Key, Cited)>,
    electorates: Vec<Electorate>,
    together: Vec<Vec<Key>>,
    alarms: Vec<(u64, String, Asked)>,
    unnamed_alarms: Vec<(String, Asked)>,
    /// Alarms that a client disarmed.
    disarmed: Vec<(String, Asked)>,
    without_alarm: Vec<Asked>,
    refusals: Vec<Refusal>,
    noted: Vec<(Key, Noted)>,
    /// What a line says of the member at an address, without a port.
    noted_at: Vec<(String, Noted)>,
    own_ids: Vec<(Key, u64)>,
    transfers: Vec<Said>,
}

/// Reads everything that a context says about etcd.
pub fn gather(reader: Reader<'_>) -> Gathered {
    let Reader { facts, context, .. } = reader;
    let mut draft = Draft::new(reader);
    let as_of = reader.log_clock();
    for_each(reader, "etcdmembers", |sighting| draft.member(sighting));
    for_each(reader, "etcdmemberlists", |sighting| draft.member_list(sighting));
    for_each(reader, "etcdendpointstatuses", |sighting| draft.status(sighting));
    for_each(reader, "etcdendpointhealths", |sighting| draft.health(sighting));
    for_each(reader, "etcdhealthanswers", |sighting| draft.health_answer(sighting));
    for_each(reader, "etcdclienterrors", |sighting| draft.client_error(sighting));
    for_each(reader, "etcdalarms", |sighting| draft.alarm(sighting));
    let no_alarm =
        |c: &&Coverage| c.context == context && c.answer.kind.plural == "etcdalarms" && c.answer.state == State::Empty;
    draft.without_alarm.extend(facts.coverage.iter().filter(no_alarm).map(|c| Asked::answer(&c.answer)));
    for_each(reader, "etcdleadertransfers", |sighting| draft.transfer(sighting));
    for_each(reader, "pods", |sighting| draft.pod(sighting));
    for_each(reader, "staticpods", |sighting| draft.pod(sighting));
    for (index, stream) in facts.streams.iter().enumerate() {
        if stream.context == context {
            draft.stream(index, stream, as_of);
        }
    }
    draft.settle()
}

fn for_each(reader: Reader<'_>, plural: &str, mut take: impl FnMut(&Sighting)) {
    let group = if plural == "pods" { "" } else { "casefile.dev" };
    let kind = KindName { plural: plural.to_owned(), group: group.to_owned() };
    for id in reader.facts.of_kind(reader.context, &kind) {
        reader.object(*id).sightings.iter().for_each(&mut take);
    }
}

/// An address without scheme and trailing slash.
fn address(url: &str) -> Option<Key> {
    let bare = url.split("://").last().unwrap_or(url).trim_end_matches('/');
    (!bare.is_empty() && bare != "<no value>").then(|| Key::Address(bare.to_owned()))
}

fn name(text: &str) -> Option<Key> {
    (!text.is_empty() && text != "default").then(|| Key::Name(text.to_owned()))
}

fn text<'a>(node: &'a Node, path: &[&str]) -> &'a str {
    node.at(path).and_then(Node::as_str).unwrap_or("")
}

fn boolean(node: &Node, path: &[&str]) -> Option<bool> {
    match node.at(path)?.value {
        facts::node::Value::Bool(value) => Some(value),
        _ => None,
    }
}

fn hex(text: &str) -> Option<u64> {
    u64::from_str_radix(text, 16).ok()
}

impl<'a> Draft<'a> {
    fn new(reader: Reader<'a>) -> Self {
        Self {
            reader,
            same: Vec::new(),
            said: Vec::new(),
            learner: Vec::new(),
            started: Vec::new(),
            seen: Vec::new(),
            electorates: Vec::new(),
            together: Vec::new(),
            alarms: Vec::new(),
            unnamed_alarms: Vec::new(),
            disarmed: Vec::new(),
            without_alarm: Vec::new(),
            refusals: Vec::new(),
            noted: Vec::new(),
            noted_at: Vec::new(),
            own_ids: Vec::new(),
            transfers: Vec::new(),
        }
    }
}

impl Draft<'_> {
    /// A sighting: its line with what it says.
    fn cite(&self, sighting: &Sighting) -> Cited {
        let record = &sighting.record;
        let part = |key: &str| record.node.get(key).map_or(String::new(), ToString::to_string);
        let excerpt = format!("{} {}", part("spec"), part("status"));
        self.reader.cited(sighting, Citation::line(record.member, record.line, excerpt.trim()))
    }

    fn answer(&mut self, key: Key, what: Statement, sighting: &Sighting) {
        let time = sighting.record.time;
        let said =
            Said { what, time, until: time, answer: true, order: sighting.record.order, cited: self.cite(sighting) };
        self.said.push((key, said));
    }

    fn member(&mut self, sighting: &Sighting) {
        let node = &sighting.record.node;
        let Some(id) = hex(text(node, &["spec", "id"])) else { return };
        let mut keys = vec![Key::Id(id)];
        keys.extend(name(text(node, &["spec", "name"])));
        for list in ["peerURLs", "clientURLs"] {
            let urls = node.at(&["spec", list]).map(Node::items).unwrap_or_default();
            keys.extend(urls.iter().filter_map(Node::as_str).filter_map(address));
        }
        self.same.push(keys);
        self.seen.push((Key::Id(id), self.cite(sighting)));
        self.learner.extend(boolean(node, &["spec", "learner"]).map(|value| (Key::Id(id), value)));
        self.started.extend(boolean(node, &["status", "started"]).map(|value| (Key::Id(id), value)));
    }

    fn member_list(&mut self, sighting: &Sighting) {
        let items = sighting.record.node.at(&["spec", "members"]).map(Node::items).unwrap_or_default();
        let ids: BTreeSet<u64> = items.iter().filter_map(Node::as_str).filter_map(hex).collect();
        self.together.push(ids.iter().map(|id| Key::Id(*id)).collect());
        let (time, order) = (sighting.record.time, sighting.record.order);
        self.electorates.push(Electorate { ids, listed: true, time, order, cited: self.cite(sighting) });
    }

    fn status(&mut self, sighting: &Sighting) {
        let node = &sighting.record.node;
        let Some(id) = hex(text(node, &["status", "memberID"])) else { return };
        self.same.push([Key::Id(id)].into_iter().chain(address(text(node, &["spec", "endpoint"]))).collect());
        self.seen.push((Key::Id(id), self.cite(sighting)));
        let alarms = troubles::listed_alarms(text(node, &["status", "errors"]));
        if alarms.is_empty() {
            self.without_alarm.push(Asked::sighting(sighting, self.cite(sighting)));
        }
        let asked = Asked::sighting(sighting, self.cite(sighting));
        self.alarms.extend(alarms.into_iter().map(|(id, alarm)| (id, alarm, asked.clone())));
        let leader = hex(text(node, &["status", "leaderID"]));
        let leads = boolean(node, &["status", "isLeader"]) == Some(true);
        if text(node, &["status", "errors"]).contains("no leader") {
            self.answer(Key::Id(id), Statement::WithoutLeader, sighting);
        } else if leader.is_some() || leads {
            self.answer(Key::Id(id), Statement::WithLeader(leader.or(Some(id))), sighting);
            self.together.extend(leader.map(|leader| vec![Key::Id(id), Key::Id(leader)]));
        } else if sighting.record.shown == facts::object::Shown::Everything {
            // JSON prints the leader whenever there is one; a table shows only whether this member leads.
            self.answer(Key::Id(id), Statement::WithoutLeader, sighting);
        }
        self.answer(Key::Id(id), Statement::Reached, sighting);
    }

    fn health(&mut self, sighting: &Sighting) {
        let node = &sighting.record.node;
        let Some(key) = address(text(node, &["spec", "endpoint"])) else { return };
        self.seen.push((key.clone(), self.cite(sighting)));
        if boolean(node, &["status", "healthy"]) == Some(true) {
            // A healthy endpoint has just committed a proposal, which needs a leader.
            self.answer(key.clone(), Statement::WithLeader(None), sighting);
            self.answer(key, Statement::Reached, sighting);
        } else {
            let error = text(node, &["status", "error"]).to_owned();
            if error.contains("no leader") {
                self.answer(key.clone(), Statement::WithoutLeader, sighting);
            }
            if let Some(alarms) = error.split("Active Alarm(s):").nth(1) {
                // An endpoint that names its alarms has answered.
                self.unnamed_alarm(alarms, sighting);
                self.answer(key, Statement::Reached, sighting);
                return;
            }
            self.refused_certificate(&key, &error, sighting);
            self.answer(key, Statement::DialFailed(error), sighting);
        }
    }

    /// A client that dialled a member and found its certificate expired.
    fn refused_certificate(&mut self, key: &Key, error: &str, sighting: &Sighting) {
        if error.contains("certificate has expired") && !error.contains(" is before ") {
            let place = self.noted.len() + self.noted_at.len();
            let what = Trouble::Expired(error.to_owned());
            let noted = Noted { what, time: sighting.record.time, answer: true, place, cited: self.cite(sighting) };
            self.noted.push((key.clone(), noted));
        }
    }

    fn health_answer(&mut self, sighting: &Sighting) {
        let node = &sighting.record.node;
        let Some(key) = name(text(node, &["spec", "member"])) else { return };
        let reason = text(node, &["status", "reason"]).to_owned();
        match boolean(node, &["status", "healthy"]) {
            Some(true) => self.answer(key.clone(), Statement::WithLeader(None), sighting),
            Some(false) if reason.contains("NO LEADER") || reason.contains("no leader") => {
                self.answer(key.clone(), Statement::WithoutLeader, sighting);
            }
            Some(false) => self.unnamed_alarm(reason.strip_prefix("ALARM").unwrap_or(""), sighting),
            None => {
                self.answer(key, Statement::DialFailed(reason), sighting);
                return;
            }
        }
        self.answer(key, Statement::Reached, sighting);
    }

    fn client_error(&mut self, sighting: &Sighting) {
        let node = &sighting.record.node;
        if let Some(key) = address(text(node, &["spec", "endpoint"])) {
            let error = text(node, &["status", "error"]).to_owned();
            self.refused_certificate(&key, &error, sighting);
            self.answer(key, Statement::DialFailed(error), sighting);
        }
    }

    fn alarm(&mut self, sighting: &Sighting) {
        let node = &sighting.record.node;
        let alarm = text(node, &["spec", "alarm"]).to_owned();
        if boolean(node, &["status", "disarmed"]) == Some(true) {
            self.disarmed.push((alarm, Asked::sighting(sighting, self.cite(sighting))));
        } else if let Some(id) = hex(text(node, &["spec", "memberID"])) {
            self.alarms.push((id, alarm, Asked::sighting(sighting, self.cite(sighting))));
        }
    }

    /// Did a later answer list no alarm, or did somebody disarm it later? `alarm disarm` disarms every member.
    fn is_over(&self, alarm: &str, asked: &Asked) -> bool {
        let disarmed = self.disarmed.iter().filter(|(name, _)| name == alarm).map(|(_, later)| later);
        disarmed.chain(&self.without_alarm).any(|later| asked.is_before(later))
    }

    /// Alarms in an answer that names no member: `NOSPACE`, or several of them.
    fn unnamed_alarm(&mut self, text: &str, sighting: &Sighting) {
        for alarm in ["NOSPACE", "CORRUPT"].into_iter().filter(|alarm| text.contains(alarm)) {
            self.unnamed_alarms.push((alarm.to_owned(), Asked::sighting(sighting, self.cite(sighting))));
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

    fn transfer(&mut self, sighting: &Sighting) {
        let node = &sighting.record.node;
        let Some(to) = hex(text(node, &["spec", "to"])) else { return };
        self.answer(Key::Id(to), Statement::WithLeader(Some(to)), sighting);
        self.transfers.extend(self.said.last().map(|(_, said)| said.clone()));
    }

    /// A static Pod of etcd shows that the member exists, and no more.
    fn pod(&mut self, sighting: &Sighting) {
        let node = &sighting.record.node;
        let is_etcd = node.at(&["metadata", "labels", "component"]).and_then(Node::as_str) == Some("etcd");
        if !is_etcd || text(node, &["metadata", "namespace"]) != "kube-system" {
            return;
        }
        let member = match text(node, &["spec", "nodeName"]) {
            "" => text(node, &["metadata", "name"]).trim_start_matches("etcd-"),
            node_name => node_name,
        };
        if let Some(key) = name(member) {
            let what = format!("Pod {}", text(node, &["metadata", "name"]));
            let place = Citation::line(sighting.record.member, sighting.record.line, &what);
            self.seen.push((key, self.reader.cited(sighting, place)));
        }
    }

    fn stream(&mut self, index: usize, stream: &Stream, as_of: Option<Timestamp>) {
        if stream.class.as_deref() != Some("etcd") {
            self.client_stream(stream, as_of);
        }
        if stream.class.as_deref().is_some_and(|class| class != "etcd") {
            return;
        }
        let first_noted = (self.noted.len(), self.noted_at.len());
        let mut own_id = None;
        let key = Key::Stream(index);
        let last = stream.end(as_of);
        let first_said = self.said.len();
        let mut own = vec![key.clone()];
        let mut electorate = None;
        let mut certain = stream.class.is_some();
        for hit in stream.hits() {
            let time = hit.fields.time.and_then(|time| time.resolve(as_of));
            let cited = stream.cite(hit, as_of);
            for (whose, what) in troubles::read(&hit.fields) {
                certain |= !matches!(what, Trouble::Alarm(..) | Trouble::Ready);
                let place = self.noted.len() + self.noted_at.len();
                let noted = Noted { what, time, answer: false, place, cited: cited.clone() };
                match whose {
                    Whose::Own => self.noted.push((key.clone(), noted)),
                    Whose::Id(id) => self.noted.push((Key::Id(id), noted)),
                    Whose::Host(host) => self.noted_at.push((host, noted)),
                }
            }
            for word in words::read(&hit.fields) {
                // A log whose place tells nothing is etcd's if it says what only etcd says of itself.
                certain |= !matches!(word, Word::WithoutLeader | Word::LocalName(_));
                let mut say = |key: Key, what: Statement| {
                    let order = stream.ordered.then_some(u64::from(hit.line));
                    let said = Said { what, time, until: time, answer: false, order, cited: cited.clone() };
                    self.said.push((key, said));
                };
                match word {
                    Word::WithoutLeader => say(key.clone(), Statement::WithoutLeader),
                    Word::WithLeader(leader) => say(key.clone(), Statement::WithLeader(leader)),
                    Word::DialFailed(peer, error) => say(Key::Id(peer), Statement::DialFailed(error)),
                    Word::Active(peer) => say(Key::Id(peer), Statement::Reached),
                    Word::LocalId(id) => {
                        own_id = Some(id);
                        own.push(Key::Id(id));
                    }
                    Word::LocalName(local) => own.extend(name(&local)),
                    Word::Voters(ids) => {
                        electorate = Some(Electorate {
                            ids: ids.into_iter().collect(),
                            listed: false,
                            time,
                            order: None,
                            cited: cited.clone(),
                        });
                    }
                    Word::Peer(id, urls) => {
                        self.same.push(
                            [Key::Id(id)].into_iter().chain(urls.iter().filter_map(|url| address(url))).collect(),
                        );
                    }
                }
            }
        }
        let named = stream
            .node
            .clone()
            .or_else(|| stream.pod.as_ref().map(|(_, pod, _)| pod.trim_start_matches("etcd-").to_owned()));
        if stream.class.is_some() || self.said.len() > first_said || self.noted.len() > first_noted.0 {
            own.extend(named.as_deref().and_then(name));
        }
        let spoke = self.said.len() > first_said || self.noted.len() > first_noted.0;
        if !certain || own.len() == 1 && !spoke {
            self.said.truncate(first_said);
            self.noted.truncate(first_noted.0);
            self.noted_at.truncate(first_noted.1);
            return;
        }
        self.own_ids.extend(own_id.map(|id| (key.clone(), id)));
        // The last word about a leader holds as long as the stream goes on.
        let is_leader_word = |said: &Said| matches!(said.what, Statement::WithLeader(_) | Statement::WithoutLeader);
        if let Some((_, said)) =
            self.said[first_said..].iter_mut().rev().find(|(k, said)| *k == key && is_leader_word(said))
        {
            said.until = last.max(said.until);
        }
        own.sort();
        own.dedup();
        if let Some(mut electorate) = electorate {
            let mut named: Vec<Key> = electorate.ids.iter().map(|id| Key::Id(*id)).collect();
            named.push(key.clone());
            self.together.push(named);
            electorate.time = electorate.time.max(last);
            self.electorates.push(electorate);
        }
        let dialled: Vec<Key> = self.said[first_said..].iter().map(|(key, _)| key.clone()).collect();
        self.together.push(dialled.into_iter().chain([key]).collect());
        self.same.push(own);
    }

    /// Tells members apart: keys that some source uses together are one member.
    fn settle(self) -> Gathered {
        let alarms = self.alarms.iter().filter(|(_, alarm, asked)| !self.is_over(alarm, asked));
        let alarms = alarms.map(|(id, alarm, asked)| (*id, alarm.clone(), asked.cited.clone())).collect();
        let unnamed = self.unnamed_alarms.iter().filter(|(alarm, asked)| !self.is_over(alarm, asked));
        let unnamed_alarms = unnamed.map(|(alarm, asked)| (alarm.clone(), asked.cited.clone())).collect();
        // Loopback client addresses are the same on every node: they name a member only if one id uses them.
        let mut users: BTreeMap<&Key, BTreeSet<&Key>> = BTreeMap::new();
        for keys in &self.same {
            let ids = keys.iter().filter(|key| matches!(key, Key::Id(_)));
            for id in ids {
                keys.iter().filter(|key| is_loopback(key)).for_each(|key| {
                    users.entry(key).or_default().insert(id);
                });
            }
        }
        let ambiguous: BTreeSet<Key> =
            users.iter().filter(|(_, ids)| ids.len() > 1).map(|(key, _)| (*key).clone()).collect();
        let usable = |key: &Key| !ambiguous.contains(key);
        let noted: Vec<(Key, Noted)> =
            self.noted.into_iter().chain(by_host(&self.same, self.noted_at)).filter(|(key, _)| usable(key)).collect();

        let mut all: BTreeSet<Key> = BTreeSet::new();
        all.extend(self.same.iter().flatten().filter(|key| usable(key)).cloned());
        all.extend(
            self.said
                .iter()
                .map(|(key, _)| key)
                .chain(self.seen.iter().map(|(key, _)| key))
                .chain(noted.iter().map(|(key, _)| key))
                .filter(|key| usable(key))
                .cloned(),
        );
        all.extend(self.electorates.iter().flat_map(|e| &e.ids).map(|id| Key::Id(*id)));
        let keys: Vec<Key> = all.into_iter().collect();
        let place = |key: &Key| keys.binary_search(key).ok();
        let mut union = Union::new(keys.len());
        for group in &self.same {
            let mut places = group.iter().filter_map(place);
            if let Some(first) = places.next() {
                places.for_each(|other| union.join(first, other));
            }
        }
        let mut gathered = Gathered { electorates: self.electorates, together: self.together, ..Gathered::default() };
        let mut roots: BTreeMap<usize, MemberIndex> = BTreeMap::new();
        for (index, key) in keys.iter().enumerate() {
            let root = union.root(index);
            let member = *roots.entry(root).or_insert_with(|| {
                gathered.members.push(Member::default());
                gathered.members.len() - 1
            });
            gathered.by_key.insert(key.clone(), member);
            let known = &mut gathered.members[member];
            match key {
                Key::Id(id) => drop(known.ids.insert(*id)),
                Key::Name(name) => drop(known.names.insert(name.clone())),
                Key::Address(address) => drop(known.addresses.insert(address.clone())),
                Key::Stream(_) => {}
            }
        }
        for (key, said) in self.said {
            if let Some(member) = gathered.by_key.get(&key) {
                gathered.members[*member].said.push(said);
            }
        }
        for (key, noted) in noted {
            if let Some(member) = gathered.by_key.get(&key) {
                gathered.members[*member].noted.push(noted);
            }
        }
        for member in &mut gathered.members {
            member.noted.sort_by_key(|noted| noted.place);
        }
        for (key, id) in self.own_ids {
            if let Some(member) = gathered.by_key.get(&key) {
                gathered.members[*member].own_id = Some(id);
            }
        }
        for (key, cited) in self.seen {
            if let Some(member) = gathered.by_key.get(&key) {
                gathered.members[*member].places.push(cited);
            }
        }
        for (key, learner) in self.learner {
            if let Some(member) = gathered.by_key.get(&key) {
                gathered.members[*member].learner = Some(learner);
            }
        }
        for (key, started) in self.started {
            if let Some(member) = gathered.by_key.get(&key) {
                gathered.members[*member].started = Some(started);
            }
        }
        gathered.alarms = alarms;
        gathered.unnamed_alarms = unnamed_alarms;
        gathered.without_alarm = self.without_alarm.into_iter().map(|asked| asked.cited).collect();
        gathered.refusals = self.refusals;
        gathered.transfers = self.transfers;
        gathered
    }
}

/// What was said of an address, where that is the address of one member alone.
fn by_host(same: &[Vec<Key>], noted: Vec<(String, Noted)>) -> Vec<(Key, Noted)> {
    let mut users: BTreeMap<&str, BTreeSet<u64>> = BTreeMap::new();
    for keys in same {
        let hosts = keys.iter().filter_map(|key| match key {
            Key::Address(address) => address.rsplit_once(':').map(|(host, _)| host),
            _ => None,
        });
        for host in hosts {
            let ids = keys.iter().filter_map(|key| if let Key::Id(id) = key { Some(*id) } else { None });
            users.entry(host).or_default().extend(ids);
        }
    }
    let only = |host: &str| users.get(host).filter(|ids| ids.len() == 1).and_then(|ids| ids.first());
    noted.into_iter().filter_map(|(host, noted)| Some((Key::Id(*only(&host)?), noted))).collect()
}

fn is_loopback(key: &Key) -> bool {
    matches!(key, Key::Address(address) if address.starts_with("127.") || address.starts_with("localhost") || address.starts_with("[::1]"))
}
