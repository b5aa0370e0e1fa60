//! Events by the object that they speak of.
//!
//! Invariants: an event belongs to an object by kind, namespace and name, and where both UIDs are known, by
//! UID; an event is *fresh* only if its time is known and near the clock, or if it was young when a table or
//! `kubectl describe` printed it. Those print an age and no time, and what else was printed then is as old, so the
//! age decides by itself.

use crate::reader::{Read, Reader};
use catalogue::kinds::Catalogue;
use catalogue::wordings;
use facts::event;
use facts::human_duration::Age;
use facts::object::ObjectId;
use facts::origin::Citation;
use facts::parallel;
use facts::provenance::Cited;
use jiff::Timestamp;
use std::collections::{BTreeMap, BTreeSet};

#[derive(Debug, Clone)]
pub(crate) struct Event {
    /// `FailedMount`, `BackOff`, ...
    pub reason: String,
    /// What both say, by the group `event` of `patterns/wordings.yaml`.
    says: Vec<&'static str>,
    pub message: String,
    /// How often it was seen; 1 if not shown.
    pub count: i64,
    /// UID of the object, if shown.
    pub uid: Option<String>,
    /// When it was first seen, as its best sighting says.
    pub first: Option<Timestamp>,
    /// When it was last seen.
    pub last: Option<Timestamp>,
    /// How many seconds ago that was at least: by the clock, or else by the youngest age that was printed.
    pub age: Option<i64>,
    pub cited: Cited,
}

impl Event {
    /// What it says, with its place.
    pub(crate) fn said(&self) -> Read {
        Read { text: self.message.clone(), cited: self.cited.clone() }
    }

    /// How many seconds ago it was first seen; of one that was printed with a count, nothing tells that.
    pub(crate) fn first_age(&self, reader: Reader<'_>) -> Option<i64> {
        self.first
            .and_then(|first| reader.age_of(first))
            .or(self.age.filter(|_| self.count == 1 && self.last.is_none()))
    }

    /// Is it of a class of the group `event` of `patterns/wordings.yaml`?
    pub(crate) fn says(&self, class: &str) -> bool {
        self.says.contains(&class)
    }
}

type Key = (String, Option<String>, String);

/// All events of a context.
#[derive(Debug, Default)]
pub(crate) struct Events {
    all: BTreeMap<Key, Vec<Event>>,
    /// The namespaces of events by kind and name: a table that was asked for one namespace has no column for it.
    namespaces: BTreeMap<(String, String), BTreeSet<String>>,
}

impl Events {
    pub(crate) fn gather(reader: Reader<'_>) -> Self {
        let mut all = Self::default();
        let ids: Vec<ObjectId> = event::KINDS.iter().flat_map(|kind| reader.all(kind)).collect();
        let mut placed = Placed::default();
        for (mut key, event) in parallel::map(&ids, |id| read(reader, *id)).into_iter().flatten() {
            if key.1.is_none() {
                key.1 = placed.namespace_of(reader, &key.0, &key.2);
            }
            all.all.entry(key).or_default().push(event);
        }
        for events in all.all.values_mut() {
            // The youngest first; what says nothing of its age comes last.
            let text = |e: &Event| (e.reason.clone(), e.message.clone(), e.cited.citation.clone());
            events.sort_by_cached_key(|e| (e.age.is_none(), e.age, std::cmp::Reverse(e.last), text(e)));
        }
        for (kind, namespace, name) in all.all.keys() {
            if let Some(namespace) = namespace {
                let places = all.namespaces.entry((kind.clone(), name.clone())).or_default();
                places.insert(namespace.clone());
            }
        }
        all
    }

    /// The events of one object, newest first. Where its own namespace is not shown, those of the only one of its name.
    pub(crate) fn of(&self, kind: &str, namespace: Option<&str>, name: &str, uid: Option<&str>) -> Vec<&Event> {
        let mut key = (kind.to_owned(), namespace.map(str::to_owned), name.to_owned());
        if namespace.is_none()
            && let Some(places) = self.namespaces.get(&(kind.to_owned(), name.to_owned()))
            && let [only] = Vec::from_iter(places).as_slice()
            && !self.all.contains_key(&key)
        {
            key.1 = Some((*only).clone());
        }
        let all = self.all.get(&key).map(Vec::as_slice).unwrap_or_default();
        let same = |event: &&Event| uid.is_none() || event.uid.is_none() || event.uid.as_deref() == uid;
        all.iter().filter(same).collect()
    }

    /// The objects of a kind whose names begin so, that events of a namespace speak of.
    pub(crate) fn named_after(&self, kind: &str, namespace: Option<&str>, start: &str) -> impl Iterator<Item = &str> {
        let place = (kind.to_owned(), namespace.map(str::to_owned));
        let from = (place.0.clone(), place.1.clone(), start.to_owned());
        let keys = self.all.range(from..).map(|(key, _)| key);
        let is_of = move |key: &&Key| key.0 == place.0 && key.1 == place.1 && key.2.starts_with(start);
        keys.take_while(is_of).map(|key| key.2.as_str())
    }

    /// Every event with what it speaks of: kind, namespace, name.
    pub(crate) fn all(&self) -> impl Iterator<Item = (&str, Option<&str>, &str, &Event)> {
        self.all.iter().flat_map(|((kind, namespace, name), events)| {
            events.iter().map(move |event| (kind.as_str(), namespace.as_deref(), name.as_str(), event))
        })
    }
}

/// Where the objects are that events without a namespace speak of: by kind, then by name; of a name in several namespaces
/// nothing.
#[derive(Default)]
struct Placed(BTreeMap<String, BTreeMap<String, Option<String>>>);

impl Placed {
    fn namespace_of(&mut self, reader: Reader<'_>, kind: &str, name: &str) -> Option<String> {
        let of_kind = self.0.entry(kind.to_owned()).or_insert_with(|| {
            let mut of_kind: BTreeMap<String, Option<String>> = BTreeMap::new();
            let known = Catalogue::shared().typed(&kind.to_lowercase());
            let ids = known.map(|known| reader.all(&known.to_string())).unwrap_or_default();
            for object in ids.into_iter().map(|id| reader.object(id)) {
                let namespace = object.namespace.clone();
                let known = of_kind.entry(object.name.clone()).or_insert_with(|| namespace.clone());
                if *known != namespace {
                    *known = None;
                }
            }
            of_kind
        });
        of_kind.get(name)?.clone()
    }
}

/// An event and what it speaks of; `None` if it does not say that.
fn read(reader: Reader<'_>, id: ObjectId) -> Option<(Key, Event)> {
    let object = reader.object(id);
    let sighting = object.sightings.first()?;
    let told = || object.sightings.iter().map(|sighting| event::Event::of(&sighting.record.node));
    let best = event::Event::of(&sighting.record.node);
    let about = best.about();
    let (Some(kind), Some(name)) = (about.kind, about.name) else { return None };
    let namespace = about.namespace.or_else(|| object.namespace.clone());
    let last: Option<Timestamp> = told().filter_map(|event| event.last()).max();
    let printed: Vec<(Age, Option<i64>)> = told().filter_map(|event| event.printed()).collect();
    let age = match last {
        Some(last) => reader.age_of(last),
        None => printed.iter().map(|(age, _)| age.from.max(0)).min(),
    };
    let counts = told().filter_map(|event| event.count());
    let count = counts.chain(printed.iter().filter_map(|(_, count)| *count)).max();
    let line = best.line().map_or(sighting.record.line, |line| line.max(1));
    let (reason, message) = (best.reason(), best.message());
    let text = format!("{reason}: {message}");
    let citation = Citation::line(sighting.record.member, line, &text);
    let says = wordings::group("event").map(|group| group.read(&text)).unwrap_or_default();
    let event = Event {
        count: count.unwrap_or(1).max(1),
        uid: told().find_map(|event| event.about().uid),
        says: says.into_iter().map(|wording| wording.class.as_str()).collect(),
        reason,
        message,
        first: best.first(),
        last,
        age,
        cited: reader.cited(sighting, citation),
    };
    // A cluster-scoped object has its events in `default`.
    let namespaced = !matches!(kind.as_str(), "Node" | "PersistentVolume" | "Namespace");
    Some(((kind, namespace.filter(|_| namespaced), name), event))
}

/// Is the event at most so many seconds older than the clock? `None` if that cannot be told.
pub(crate) fn fresh(event: &Event, seconds: i64) -> Option<bool> {
    Some(event.age? <= seconds)
}
