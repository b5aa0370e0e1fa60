//! All facts of one run, with the indexes that queries need: what the engine reads.
//!
//! Invariants: filled once by assembly, never changed by the engine; iteration order never
//! depends on the order of members; object ids are assigned in the order of (context, kind, namespace,
//! name, uid).

use crate::asked::Asked;
use crate::coverage::{Answer, Basis};
use crate::derived::RestsOn;
use crate::kind::KindName;
use crate::limit::Limit;
use crate::log::{LineTime, LogHit, ScannedLog};
use crate::object::{ContextId, Object, ObjectId};
use crate::order::Order;
use crate::origin::{Citation, MemberId, MemberName};
use crate::outside::Outside;
use crate::provenance::Cited;
use crate::secrets::Counts;
use crate::unknown::Unproven;
use crate::unread::WhyUnread;
use std::collections::BTreeMap;

/// One cluster's worth of facts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Context {
    /// Its name in reports: the folder, the kubeconfig context, or `cluster`.
    pub name: String,
    /// What that cluster is: `management`, `global`, `workload`, `hub`, `member`; a cluster can be several.
    pub roles: Vec<String>,
    /// The bundle it came from, by index.
    pub bundle: usize,
    /// The Cluster object whose workload this context is, as (context of the object, name).
    pub workload_of: Option<(ContextId, String)>,
    /// The context's own "now".
    pub as_of: Option<AsOf>,
    /// Products recognised in it (`patterns/products.yaml`), sorted.
    pub products: Vec<String>,
    /// Versions stated by the cluster: `("Kubernetes", "v1.31.2")`.
    pub versions: Vec<(String, String)>,
    /// The versions that its API server stated for itself, and where; several if the bundle disagrees. The versions of
    /// kubelets are others.
    pub api_server: Vec<(String, Citation)>,
    /// It shows two clusters that nothing separates: then no absence in it is known.
    pub mixed: Option<Mixed>,
}

/// What shows that one context holds the facts of two clusters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Mixed {
    /// An object that nobody makes again has two UIDs: kind and name.
    TwoUids(KindName, String),
    /// The API server said that it does not know a kind of which the context holds objects.
    NoSuchKind(KindName),
}

/// The inferred clock of a context.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AsOf {
    pub time: jiff::Timestamp,
    /// What it was taken from, in words.
    pub source: String,
    /// Where that stands, if in a member.
    pub citation: Option<Citation>,
    /// How closely it is known.
    pub precision: Precision,
    /// When the objects were read, if they tell: heartbeats, or ages in tables. The logs may have been read
    /// later, so it is never after `time`.
    pub objects: Option<jiff::Timestamp>,
    /// The newest end of a log of a container that states no zone, if it is up to an hour after `time`. Its clock
    /// may be that of another zone, so only the ages of other lines are measured against it.
    pub logs: Option<jiff::Timestamp>,
}

impl AsOf {
    /// The time against which the age of what an object says is measured.
    pub fn for_objects(&self) -> jiff::Timestamp {
        self.objects.unwrap_or(self.time)
    }

    /// The earliest and the latest time against which the age of what an object says is measured. They differ
    /// only where no object tells when it was read, and the clock is not known closely.
    pub fn window_for_objects(&self) -> (jiff::Timestamp, jiff::Timestamp) {
        self.objects.map_or_else(|| self.bounds(), |time| (time, time))
    }

    /// The time against which the age of what a line of a log says is measured.
    pub fn for_logs(&self) -> jiff::Timestamp {
        self.logs.unwrap_or(self.time)
    }

    /// The earliest and the latest time that is meant: they differ where no zone is stated (local time is at most
    /// 14 hours ahead of UTC, and 12 behind it), and where nothing is renewed all the time.
    pub fn bounds(&self) -> (jiff::Timestamp, jiff::Timestamp) {
        let moved = |hours| self.time.checked_add(jiff::SignedDuration::from_hours(hours)).unwrap_or(self.time);
        match self.precision {
            Precision::Unzoned => (moved(-14), moved(12)),
            Precision::Quiet => (self.time, jiff::Timestamp::MAX),
            Precision::Stated | Precision::Before(_) | Precision::OrLater => (self.time, self.time),
        }
    }
}

/// How closely the clock of a context is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Precision {
    /// Somebody says so: a collector, or `--as-of`.
    Stated,
    /// The bundle was collected then or later, and before this.
    Before(jiff::Timestamp),
    /// The bundle was collected then or later.
    OrLater,
    /// The bundle was collected then or any time later: nothing in it is renewed all the time.
    Quiet,
    /// The same, if the log that states no zone was written in UTC.
    Unzoned,
}

/// A coverage record placed in its context.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Coverage {
    /// The cluster it speaks of.
    pub context: ContextId,
    /// What was answered.
    pub answer: Answer,
}

/// A stream of log lines: context + node or Pod + container, or the file where nothing better is known.
#[derive(Debug, Clone, PartialEq)]
pub struct Stream {
    /// The cluster it belongs to.
    pub context: ContextId,
    /// Its name in reports: `kube-system/etcd-cp-1/etcd`, or the member's name.
    pub name: Outside,
    /// Class from `patterns/sources.yaml`; `None` is unknown.
    pub class: Option<String>,
    /// The class of its program's own words, where that writes what other components say as well.
    pub beside: Option<String>,
    /// The node, if known.
    pub node: Option<String>,
    /// Namespace, Pod and container, if known.
    pub pod: Option<(String, String, String)>,
    /// Parts in order: rotated and previous before current. A part whose content another part of the
    /// bundle repeats byte for byte is listed once.
    pub parts: Vec<(MemberId, ScannedLog)>,
    /// It stands in a transcript, so that its lines and what else stands there have an order.
    pub ordered: bool,
    /// What shows that its container was started again after all of it, and is well: it says nothing of now.
    pub over: Option<Citation>,
}

/// The year of a log that states none, where nothing else tells it. It has a 29th of February.
const NO_YEAR: i16 = 2000;

/// What is tried again and again is tried once in so many seconds at least (client-go: `DefaultControllerRateLimiter`).
pub const LONGEST_WAIT: i64 = 1000;

impl Stream {
    /// The lines that hold a wanted literal, in order.
    pub fn hits(&self) -> impl Iterator<Item = &LogHit> {
        self.parts.iter().flat_map(|(_, log)| &log.hits)
    }

    /// When it ends: the time of its last line, read against a clock; `None` if no part tells.
    pub fn end(&self, clock: Option<jiff::Timestamp>) -> Option<jiff::Timestamp> {
        self.parts.iter().filter_map(|(_, log)| log.tally.last?.resolve(clock)).max()
    }

    /// Until when it would have told more of the kind: its end; where its lines were picked by what they hold, about the clock,
    /// since what came within [`LONGEST_WAIT`] before that goes on.
    fn told_until(&self, clock: Option<jiff::Timestamp>) -> Option<jiff::Timestamp> {
        let last = self.end(clock)?;
        let is_picked = self.parts.iter().all(|(_, log)| log.picked);
        let waits = jiff::SignedDuration::from_secs(LONGEST_WAIT);
        let goes_on = clock.filter(|_| is_picked).and_then(|clock| clock.checked_sub(waits).ok());
        Some(goes_on.map_or(last, |goes_on| goes_on.max(last)))
    }

    /// How many seconds before its last line one of its lines was written, read against a clock; of lines that were picked, before
    /// the one that would have followed.
    pub fn before_end(&self, time: LineTime, clock: Option<jiff::Timestamp>) -> Option<i64> {
        if let LineTime::SinceStart(at) = time {
            // The last start of the machine alone: what stands before it counts from another one.
            let Some(LineTime::SinceStart(end)) = self.parts.iter().rev().find_map(|(_, log)| log.tally.last) else {
                return None;
            };
            return i64::try_from(end.checked_sub(at)? / 1_000_000).ok();
        }
        let (end, time) = self.told_until(clock).zip(time.resolve(clock))?;
        Some(end.duration_since(time).as_secs())
    }

    /// The clock against which its own lines are read: that of its cluster; where nobody knows the date, its own end in
    /// a year that means nothing, so that what its lines say of before and after, and of how long, holds all the same.
    pub fn own_clock(&self, clock: Option<jiff::Timestamp>) -> Option<jiff::Timestamp> {
        clock.or_else(|| match self.parts.iter().rev().find_map(|(_, log)| log.tally.last)? {
            LineTime::NoYear(civil) => LineTime::Civil(civil.with().year(NO_YEAR).build().ok()?).resolve(None),
            dated => dated.resolve(None),
        })
    }

    /// One of its lines, with the order that is known of it: its time against a clock, and its position where it
    /// stands in a transcript.
    pub fn cite(&self, hit: &LogHit, clock: Option<jiff::Timestamp>) -> Cited {
        let mut cited = Cited::line(hit, hit.fields.time.and_then(|time| time.resolve(clock)));
        if self.ordered {
            let order = cited.order.get_or_insert_with(Order::default);
            order.transcript = Some((hit.member, hit.line.into()));
        }
        cited
    }
}

/// Something that was read twice and said two things.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Conflict {
    /// The object, in words.
    pub object: String,
    pub path: String,
    /// The values with their citations.
    pub values: Vec<(String, Citation)>,
}

/// All facts of one run.
#[derive(Debug, Default)]
pub struct Facts {
    /// The clusters, sorted by (bundle, name).
    pub contexts: Vec<Context>,
    pub objects: Vec<Object>,
    /// Objects by (context, kind), in id order, but for those that are gone.
    pub by_kind: BTreeMap<(ContextId, KindName), Vec<ObjectId>>,
    /// Objects that are gone, in the same way: no question about the present finds them.
    pub gone: BTreeMap<(ContextId, KindName), Vec<ObjectId>>,
    /// Coverage records, sorted.
    pub coverage: Vec<Coverage>,
    /// The same by what they prove; made when it is asked for first.
    pub asked: Asked,
    /// Log streams, sorted by (context, name).
    pub streams: Vec<Stream>,
    /// Conflicts between sightings, sorted.
    pub conflicts: Vec<Conflict>,
    /// What each field of a derived object rests on, by field path.
    pub derived_from: BTreeMap<ObjectId, RestsOn>,
    /// The fields that whoever derived an object left open, by field path, with the reason in words for people.
    pub left_open: BTreeMap<ObjectId, BTreeMap<String, String>>,
    /// The kind of the object that a derived object speaks of, by which reports name it.
    pub stands_for: BTreeMap<ObjectId, KindName>,
    /// Names of members, for citations.
    pub members: BTreeMap<MemberId, MemberName>,
    /// Table rows as printed, by member and line: what a citation of a cell shows.
    pub rows: BTreeMap<(MemberId, u32), Outside>,
    /// Parts of members that were not understood or not used: member, line, reason; sorted.
    pub unread: Vec<(MemberId, u32, WhyUnread)>,
    /// How many secret values were masked.
    pub redactions: Counts,
    /// Bounds that were reached while facts were put together.
    pub limits: Vec<Limit>,
    /// Objects of kinds that nobody asked for: only counted.
    pub counted: BTreeMap<(ContextId, KindName), u64>,
    /// All that was given is one text: each line is there because somebody asks about it.
    pub is_paste: bool,
}

impl Facts {
    /// The objects of a kind in a context, in id order; shadows included, those that are gone not.
    pub fn of_kind(&self, context: ContextId, kind: &KindName) -> &[ObjectId] {
        self.by_kind.get(&(context, kind.clone())).map_or(&[], Vec::as_slice)
    }

    /// The objects of a kind in a context that are gone, in id order.
    pub fn gone_of_kind(&self, context: ContextId, kind: &KindName) -> &[ObjectId] {
        self.gone.get(&(context, kind.clone())).map_or(&[], Vec::as_slice)
    }

    /// Adds an answer to what was collected, after questions were asked.
    pub fn add_answer(&mut self, coverage: Coverage) {
        self.coverage.push(coverage);
        self.asked = Asked::default();
    }

    /// The one of a kind with this name that is in the cluster: no shadow, and none that only a manifest speaks of.
    pub fn named(&self, context: ContextId, kind: &KindName, place: Option<&str>, name: &str) -> Option<ObjectId> {
        let ids = self.of_kind(context, kind);
        let key = |id: &ObjectId| (self.object(*id).namespace.as_deref(), self.object(*id).name.as_str());
        let from = ids.partition_point(|id| key(id) < (place, name));
        let same = ids.iter().skip(from).take_while(|id| key(id) == (place, name));
        same.copied().find(|id| !self.object(*id).shadow && !self.object(*id).is_manifest())
    }

    /// An object by id.
    ///
    /// # Panics
    /// Never for ids that this store gave out.
    pub fn object(&self, id: ObjectId) -> &Object {
        &self.objects[id.0 as usize]
    }

    /// A context by id.
    ///
    /// # Panics
    /// Never for ids that this store gave out.
    pub fn context(&self, id: ContextId) -> &Context {
        &self.contexts[id.0 as usize]
    }

    /// Where a citation stands, as a sort key: by the name of its member, never by its number, which
    /// depends on the order of an archive.
    pub fn place<'a>(&'a self, citation: &'a Citation) -> (Option<&'a str>, u32, &'a str, &'a str) {
        let member = self.members.get(&citation.member).map(MemberName::inside);
        (member, citation.line, &citation.path, &citation.excerpt)
    }

    /// All context ids in order.
    pub fn context_ids(&self) -> impl Iterator<Item = ContextId> + use<> {
        (0..self.contexts.len() as u32).map(ContextId)
    }
}

/// How far an absence can be claimed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Absence {
    /// The scope was looked at whole, by a stated answer: there are no others.
    Stated(Vec<Citation>),
    /// Whole as far as a list without a command tells: may support an absence, never rule out.
    Listed(Vec<Citation>),
    /// Whole as far as a table without a command tells: may support an absence, never confirm or rule out.
    Rows(Vec<Citation>),
    /// Not known: the reason, and the state that best describes it.
    Unknown {
        /// What keeps it open.
        why: Box<Unproven>,
        /// The state of the nearest coverage record.
        state: crate::coverage::State,
        /// What was found about it, if anything.
        citations: Vec<Citation>,
    },
}

impl Absence {
    /// How sure it is: a greater number proves more.
    pub fn sureness(&self) -> u8 {
        match self {
            Self::Unknown { .. } => 0,
            Self::Rows(_) => 1,
            Self::Listed(_) => 2,
            Self::Stated(_) => 3,
        }
    }

    /// What proves it, and where that stands; `None` if it is not known.
    pub fn proven(self) -> Option<(Basis, Vec<Citation>)> {
        match self {
            Self::Stated(lists) => Some((Basis::Stated, lists)),
            Self::Listed(lists) => Some((Basis::Listed, lists)),
            Self::Rows(lists) => Some((Basis::Rows, lists)),
            Self::Unknown { .. } => None,
        }
    }
}

/// The scope that a query needs: all namespaces or one, all names or one.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct Scope {
    /// Only this namespace.
    pub namespace: Option<String>,
    /// Only this name.
    pub name: Option<String>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::log::Tally;

    #[test]
    fn what_follows_in_lines_that_were_picked_is_measured_by_the_clock() {
        let at = |text: &str| LineTime::Exact(text.parse().unwrap());
        let tally = || Tally { last: Some(at("2026-05-14T10:00:00Z")), ..Tally::default() };
        let stream = |picked: &[bool]| Stream {
            context: ContextId(0),
            name: "a.log".into(),
            class: None,
            beside: None,
            node: None,
            pod: None,
            parts: picked
                .iter()
                .map(|picked| (MemberId(0), ScannedLog { tally: tally(), picked: *picked, ..ScannedLog::default() }))
                .collect(),
            ordered: false,
            over: None,
        };
        let before = |picked: &[bool], clock: Option<&str>| {
            stream(picked).before_end(at("2026-05-14T10:00:00Z"), clock.map(|clock| clock.parse().unwrap()))
        };
        let later = Some("2026-05-14T17:00:00Z");
        assert_eq!(before(&[false], later), Some(0), "its last line");
        assert_eq!(before(&[true], later), Some(7 * 3600 - 1000));
        assert_eq!(before(&[true], Some("2026-05-14T10:15:00Z")), Some(0), "it may come again");
        assert_eq!(before(&[true, false], later), Some(0), "the end of the other one is known");
        assert_eq!(before(&[true], None), Some(0));
    }
}
