//! How many readings of one object are kept.
//!
//! Why bounded: each question to an object compares its readings with each other, and a bundle can hold any number of
//! copies of one object. Invariants: a bound never changes what is known, only how much: what is left out is a copy of
//! what is kept, or older than a kept one; where that does not suffice, the object shows nothing any more. The
//! oldest readings stay beside the newest, for whoever asks what was there before.

use facts::limit::Limit;
use facts::lookup::compare;
use facts::object::{Object, Shown, Sighting};
use facts::path::{Path, Step};
use std::cmp::Ordering;
use std::collections::BTreeSet;

/// Readings of one object that are kept.
const MOST: usize = 64;
/// Of them the oldest ones.
const OLDEST: usize = 8;

/// Keeps so many readings of an object, which are in their order; says it if any were left out.
pub(crate) fn bound(object: &mut Object) -> Option<Limit> {
    if object.sightings.len() <= MOST {
        return None;
    }
    let before = object.sightings.len();
    let mut seen: BTreeSet<String> = BTreeSet::new();
    object.sightings.retain(|sighting| seen.insert(content(sighting)));
    if object.sightings.len() > MOST {
        let tops = tops(&object.sightings);
        let is_old = |sighting: &Sighting| tops.iter().any(|top| compare(sighting, top) == Some(Ordering::Less));
        let old: Vec<bool> = object.sightings.iter().map(is_old).collect();
        let count = old.iter().filter(|old| **old).count();
        let newest = old.len() - count;
        let (young, room) = (newest.min(MOST - OLDEST), MOST - newest.min(MOST - OLDEST));
        let (mut at_young, mut at_old) = (0, 0);
        let mut old = old.into_iter();
        object.sightings.retain(|_| {
            if old.next() == Some(true) {
                at_old += 1;
                at_old + OLDEST <= room || at_old + OLDEST > count
            } else {
                at_young += 1;
                at_young <= young
            }
        });
        if newest != young || newest == 0 {
            object.sightings.iter_mut().for_each(hide);
        }
    }
    let dropped = (before - object.sightings.len()) as u64;
    let namespace = object.namespace.as_deref().map(|namespace| format!("{namespace}/")).unwrap_or_default();
    Some(Limit::Copies { object: format!("{} {namespace}{}", object.kind, object.name), dropped })
}

/// What a reading says, without its place.
fn content(sighting: &Sighting) -> String {
    let record = &sighting.record;
    format!("{:?} {:?} {:?} {:?} {}", record.uid, record.order, record.form, record.shown, record.node)
}

/// The latest readings by each thing that gives an order.
fn tops(all: &[Sighting]) -> Vec<&Sighting> {
    let order = |sighting: &Sighting| sighting.record.order;
    let by_version = all.iter().max_by_key(|sighting| sighting.resource_version);
    let by_list = all.iter().max_by_key(|sighting| order(sighting).list_version);
    let by_place = all.iter().max_by_key(|sighting| order(sighting).transcript);
    let by_time = all.iter().max_by_key(|sighting| order(sighting).time.or(order(sighting).heartbeat));
    [by_version, by_list, by_place, by_time].into_iter().flatten().collect()
}

/// Says no more of an object than that it is there: its readings are too many to be compared.
fn hide(sighting: &mut Sighting) {
    let metadata = |field: &str| Path(["metadata", field].map(|step| Step::Field(step.to_owned())).to_vec());
    let named = Shown::Paths(vec![metadata("name"), metadata("namespace")].into());
    let record = &mut sighting.record;
    record.shown = if record.shown.is_manifest() { Shown::Manifest(Box::new(named)) } else { named };
}
