//! Takes in what was read of all members, each content of a context once.

use crate::as_of::stamps;
use crate::assembly::{Builder, ContextKey};
use crate::contexts::Folder;
use facts::coverage::Answer;
use facts::cut::Cut;
use facts::log::ScannedLog;
use facts::origin::MemberId;
use facts::parallel;
use facts::record::{Record, Stamp, Stated, Table};
use intake::Member;
use jiff::Timestamp;
use parse::answer::kind_hint;
use parse::transcript;
use parse::transcript::Session;
use std::collections::{BTreeMap, BTreeSet};

/// A member while its records are taken in.
struct Taken<'a> {
    member: MemberId,
    /// The context of its folder.
    key: ContextKey,
    /// A context was given to the whole bundle: what a transcript names does not count.
    given: bool,
    /// Why reading stopped before its end, if it did.
    cut: Option<&'a Cut>,
    session: Option<&'a Session>,
    in_transcript: bool,
    /// When a collector says that it was.
    time: Option<Timestamp>,
}

impl Taken<'_> {
    /// The context of this name, or that of the member.
    fn key_of(&self, context: Option<&str>) -> ContextKey {
        match context {
            Some(context) if !self.given => (self.key.0, Folder::Given(context.to_owned())),
            _ => self.key.clone(),
        }
    }

    /// An answer with its position, where it stands in a transcript.
    fn ordered(&self, mut answer: Answer) -> Answer {
        if self.in_transcript {
            answer.order.transcript = Some((answer.citation.member, self.position(answer.citation.line)));
        }
        answer.order.time = answer.order.time.or(self.time);
        answer
    }

    /// Where a line stands in the order in which a session was written.
    fn position(&self, line: u32) -> u64 {
        self.session.map_or(line.into(), |session| session.thread.position(line))
    }

    /// The context of a line.
    fn key_at(&self, line: u32) -> ContextKey {
        self.key_of(self.session.and_then(|session| session.context_of(line)))
    }
}

/// Of members of equal content in one bundle the one of the shortest name comes first, as its content counts once: a copy
/// is called after what it is a copy of. All others keep their places.
fn originals_first(members: &mut [(usize, &Member)]) {
    let mut same: BTreeMap<[u8; 32], Vec<usize>> = BTreeMap::new();
    for (at, (_, member)) in members.iter().enumerate() {
        same.entry(member.sha256).or_default().push(at);
    }
    for places in same.into_values().filter(|places| places.len() > 1) {
        let mut group: Vec<(usize, &Member)> = places.iter().filter_map(|at| members.get(*at).copied()).collect();
        group.sort_by_key(|(bundle, member)| (*bundle, member.name.chars().count()));
        for (at, member) in places.into_iter().zip(group) {
            if let Some(place) = members.get_mut(at) {
                *place = member;
            }
        }
    }
}

impl Builder<'_> {
    /// Takes in all members.
    pub(crate) fn gather(&mut self) {
        let mut members = self.members.clone();
        originals_first(&mut members);
        for (_, member) in members {
            self.gather_member(member);
        }
    }

    fn gather_member(&mut self, member: &Member) {
        let Some(key) = self.key_of.get(&member.id).cloned() else { return };
        // What several machines print alike of their own member of etcd is said of several members.
        let machine = self.tells_of_machine(member.id).then(|| self.machine_of(member.id)).flatten();
        let machine = machine.unwrap_or_default().to_owned();
        let Some(content) = self.contents.get_mut(&member.id) else { return };
        let records = std::mem::take(&mut content.parsed.records);
        let says = content.session.as_ref().is_some_and(|session| !session.logs.is_empty());
        if records.is_empty() && content.log.is_none() && content.framed.is_empty() && !says {
            return;
        }
        let gathered = self.gathered.entry(key.clone()).or_default();
        if !gathered.taken.insert((member.sha256, shape(&records, &member.name) + &machine)) {
            content.log = content.log.take().map(|_| ScannedLog::default());
            content.framed.clear();
            self.tables.remove(&member.id);
            return;
        }
        if content.log.is_some() || !content.framed.is_empty() {
            gathered.logs.push(member.id);
        }
        let cut = content.cut.clone();
        let in_transcript = content.parsed.format == transcript::FORMAT;
        let time = content.collected.as_deref().and_then(stamps::exact_time);
        let mut session = content.session.take();
        let logs = session.as_mut().map(|session| std::mem::take(&mut session.logs)).unwrap_or_default();
        let given = self.bundles[key.0].context.is_some();
        let taken =
            Taken { member: member.id, key, given, cut: cut.as_ref(), session: session.as_ref(), in_transcript, time };
        for part in logs {
            let key = taken.key_of(part.context.as_deref());
            self.gathered.entry(key).or_default().session_logs.push((member.id, part));
        }
        let mut objects = Vec::new();
        let mut asked_at: Option<Stamp> = None;
        for record in records {
            match record {
                Record::Object(object) => objects.push(object),
                Record::Answer(answer) => {
                    self.answer(&taken.key_at(answer.citation.line), taken.ordered(*answer), taken.cut);
                }
                Record::Stamp(stamp) => {
                    if in_transcript && stamp.what != Stated::ServerVersion {
                        asked_at = Some((*stamp).clone());
                    }
                    let key = taken.key_at(stamp.citation.line);
                    self.gathered.entry(key).or_default().stamps.push(*stamp);
                }
                Record::Served(served) => self.served(&taken.key_at(served.citation.line), &served),
                Record::Table(table) => self.table(&taken, &table),
            }
        }
        // Whoever typed `date` between commands to several clusters asked all of them at about that time.
        let spans = taken.session.map_or(&[][..], |session| session.contexts.as_slice());
        let asked: BTreeSet<ContextKey> = spans.iter().map(|span| taken.key_of(Some(&span.context))).collect();
        for key in asked {
            self.gathered.entry(key).or_default().stamps.extend(asked_at.clone());
        }
        let prepared = parallel::map_into(objects, |mut object| {
            object.order.time = object.order.time.or(taken.time);
            (taken.key_at(object.line), self.prepare(*object))
        });
        for (key, object) in prepared {
            self.object(&key, object);
        }
    }

    /// Does a member hold what only means the machine on which it was asked for?
    fn tells_of_machine(&self, id: MemberId) -> bool {
        let records = self.contents.get(&id).into_iter().flat_map(|content| &content.parsed.records);
        let is_local = |record: &Record| match record {
            Record::Object(object) => {
                object.kind.as_ref().is_some_and(|kind| parse::etcdctl::is_local(&kind.plural, &object.node))
            }
            _ => false,
        };
        { records }.any(is_local)
    }

    /// What the rows of a table say; it was converted before.
    fn table(&mut self, taken: &Taken<'_>, table: &Table) {
        let key = self.key_of_command(&taken.key_at(table.line), table.command.as_ref());
        let Some(read) = self.tables.get_mut(&taken.member).and_then(|tables| tables.pop_front()) else { return };
        for (line, text) in read.rows {
            self.facts.rows.insert((table.member, line), text.into());
        }
        self.facts.redactions += read.redactions;
        self.facts.unread.extend(read.unread.into_iter().map(|(line, why)| (taken.member, line, why)));
        self.gathered.entry(key.clone()).or_default().ages.extend(read.ages);
        for mut record in read.records {
            // `--watch` prints an object again in a later row of the same table.
            record.order.transcript = taken.in_transcript.then_some((record.member, taken.position(record.line)));
            record.order.time = record.order.time.or(taken.time);
            let object = self.prepare(record);
            self.object(&key, object);
        }
        for answer in read.answers {
            self.answer(&key, taken.ordered(answer), taken.cut);
        }
    }
}

/// What equal bytes were read as: the name of a file may give equal texts different kinds.
fn shape(records: &[Record], name: &str) -> String {
    use std::fmt::Write as _;
    let hint = kind_hint(name).map(|h| h.kind);
    let mut out = String::new();
    for record in records {
        // Writing to a String cannot fail.
        let _ = match record {
            Record::Object(o) => write!(out, "{:?}", o.kind),
            Record::Answer(a) => write!(out, "{} {:?} {:?} {:?}", a.kind, a.namespaces, a.names, a.basis),
            Record::Table(t) => write!(out, "{:?} {hint:?}", t.headers),
            Record::Stamp(s) => write!(out, "{}", s.what),
            Record::Served(s) => write!(out, "serves {}", s.kinds.len()),
        };
    }
    out
}
