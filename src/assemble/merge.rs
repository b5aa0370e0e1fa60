//! One object, many sightings: which records are readings of the same object.
//!
//! Invariants: the result does not depend on the order of records; `lo` counts the fewest objects that
//! the sightings allow, so what may be one object is one; what could be several is a shadow of none.

use facts::kind::KindName;
use facts::node::Node;
use facts::object::{ContextId, Form, Object, ObjectRecord, Shown, Sighting};
use facts::origin::{Citation, MemberId, MemberName};
use facts::presence::Presence;
use facts::store::Conflict;
use std::cmp::Ordering;
use std::collections::BTreeMap;

/// Most objects with one UID that are listed.
const MOST: usize = 20;

/// Puts the records of one kind of one context together into objects. With them the UIDs that several of them show.
pub(crate) fn merge(
    context: ContextId,
    kind: &KindName,
    cluster_scoped: bool,
    records: Vec<ObjectRecord>,
    members: &BTreeMap<MemberId, MemberName>,
) -> (Vec<Object>, Vec<Conflict>) {
    let mut objects: Vec<Object> = Vec::new();
    let new = |record: &ObjectRecord, shadow| Object {
        context,
        kind: kind.clone(),
        namespace: record.namespace.clone(),
        name: record.name.clone(),
        uid: record.uid.clone(),
        // Most objects are seen once, and there are many.
        sightings: Vec::with_capacity(1),
        shadow,
        presence: Presence::There,
    };
    let (with_uid, rest): (Vec<_>, Vec<_>) = records.into_iter().partition(|r| r.uid.is_some());
    let (with_namespace, without): (Vec<_>, Vec<_>) =
        rest.into_iter().partition(|r| cluster_scoped || r.namespace.is_some());
    let conflicts = by_uid(&mut objects, with_uid, cluster_scoped, &new);
    let events = kind.group.is_empty() && kind.plural == "events";
    // What a table cut is shown whole elsewhere, or else by that row.
    let cut =
        |records: Vec<ObjectRecord>| -> (Vec<_>, Vec<_>) { records.into_iter().partition(|r| events && is_cut(r)) };
    let ((cut_rows, with_namespace), (more_cut, without)) = (cut(with_namespace), cut(without));
    for records in [with_namespace, without, cut_rows, more_cut] {
        // Fit against what was there before this round, so that the order inside it does not matter.
        let mut by_name: BTreeMap<String, BTreeMap<Option<String>, Vec<usize>>> = BTreeMap::new();
        for (index, object) in objects.iter().enumerate() {
            let mut add = |name: String| {
                by_name.entry(name).or_default().entry(object.namespace.clone()).or_default().push(index);
            };
            add(object.name.clone());
            if events {
                let stated = &object.sightings[0].record;
                let short = short_key(stated).filter(|_| goes_on(stated));
                event_key(stated).into_iter().chain(short).for_each(&mut add);
            }
        }
        let mut fresh: BTreeMap<(Option<String>, String), usize> = BTreeMap::new();
        for record in records {
            let fits = |index: &usize| {
                let object = &objects[*index];
                cluster_scoped
                    || record.namespace.is_none()
                    || object.namespace.is_none()
                    || object.namespace == record.namespace
            };
            let key = if events && record.name.contains('#') {
                event_key(&record).or_else(|| short_key(&record))
            } else {
                None
            };
            let named = by_name.get(key.as_ref().unwrap_or(&record.name));
            let direct = [&record.namespace, &None].map(|place| named.and_then(|named| named.get(place)));
            let found: Vec<usize> = match cluster_scoped || record.namespace.is_none() {
                true => named
                    .into_iter()
                    .flat_map(|all| all.values().flatten())
                    .copied()
                    .filter(|i| fits(i))
                    .take(2)
                    .collect(),
                false => direct.into_iter().flatten().flatten().copied().filter(|i| fits(i)).take(2).collect(),
            };
            let index = match found.as_slice() {
                // Where its event is shown whole, a row that was cut adds nothing.
                [first, ..] if events && is_cut(&record) && goes_on(&objects[*first].sightings[0].record) => continue,
                [one] => *one,
                // A row of events that says what several events say adds nothing to them, and its count is
                // the count of nobody knows which.
                [_, _, ..] if key.is_some() => continue,
                several => {
                    let shadow = !several.is_empty();
                    let name = key.filter(|_| !is_cut(&record)).unwrap_or_else(|| record.name.clone());
                    *fresh.entry((record.namespace.clone(), name)).or_insert_with(|| {
                        objects.push(new(&record, shadow));
                        objects.len() - 1
                    })
                }
            };
            join(&mut objects[index], record);
        }
    }
    for object in &mut objects {
        object.sightings.sort_by(|a, b| rank(a, b, members));
    }
    objects.sort_by(|a, b| (&a.namespace, &a.name, &a.uid, a.shadow).cmp(&(&b.namespace, &b.name, &b.uid, b.shadow)));
    (objects, conflicts)
}

/// Puts the records that show a UID together: one UID, one name and one namespace are one object. A UID alone is not enough:
/// what people and programs write by copying one object into many namespaces has one UID in all of them. No API server gives
/// a UID twice, so that is listed.
fn by_uid(
    objects: &mut Vec<Object>,
    records: Vec<ObjectRecord>,
    cluster_scoped: bool,
    new: &dyn Fn(&ObjectRecord, bool) -> Object,
) -> Vec<Conflict> {
    let (placed, unplaced): (Vec<_>, Vec<_>) =
        records.into_iter().partition(|record| cluster_scoped || record.namespace.is_some());
    // By UID, name and namespace; flat, since nearly all of a hundred thousand have one place.
    let mut places: BTreeMap<(Option<String>, String, Option<String>), usize> = BTreeMap::new();
    for record in placed {
        let place = if cluster_scoped { None } else { record.namespace.clone() };
        let index = *places.entry((record.uid.clone(), record.name.clone(), place)).or_insert_with(|| {
            objects.push(new(&record, false));
            objects.len() - 1
        });
        join(&mut objects[index], record);
    }
    for record in unplaced {
        let nowhere = (record.uid.clone(), record.name.clone(), None);
        let of_uid = places.range(&nowhere..).take_while(|(key, _)| (&key.0, &key.1) == (&nowhere.0, &nowhere.1));
        let mut known = of_uid.filter(|(key, _)| key.2.is_some()).map(|(_, index)| *index);
        let index = match (known.next(), known.next()) {
            (Some(one), None) => one,
            // None that it could belong to, or nobody knows which.
            (first, _) => *places.entry(nowhere).or_insert_with(|| {
                objects.push(new(&record, first.is_some()));
                objects.len() - 1
            }),
        };
        join(&mut objects[index], record);
    }
    let all: Vec<_> = places.iter().collect();
    let of_one_uid = all.chunk_by(|((uid, name, _), _), ((other, its, _), _)| (uid, name) == (other, its));
    let several = of_one_uid.filter(|of_uid| of_uid.len() > 1);
    several.map(|of_uid| twice(of_uid.iter().filter_map(|(_, index)| objects.get(**index)))).collect()
}

/// Objects in several namespaces that show one UID.
fn twice<'o>(objects: impl Iterator<Item = &'o Object>) -> Conflict {
    let mut name = String::new();
    let value = |object: &Object| {
        name = format!("{} {}", object.kind, object.name);
        let at = object.sightings.first().map(|sighting| &sighting.record);
        let (member, line) = at.map_or((MemberId(0), 0), |record| (record.member, record.line));
        let place = object.namespace.clone().unwrap_or_default();
        (place, Citation::line(member, line, &format!("{}: {}", object.kind, object.name)))
    };
    let values = objects.take(MOST).map(value).collect();
    Conflict { object: name, path: "metadata.namespace".to_owned(), values }
}

/// A text of an event.
fn text<'r>(record: &'r ObjectRecord, keys: &[&str]) -> Option<&'r str> {
    record.node.at(keys).and_then(Node::as_str).map(str::trim)
}

fn message(record: &ObjectRecord) -> Option<&str> {
    text(record, &["message"]).or_else(|| text(record, &["note"]))
}

/// What an event states, for matching a table row without a name with the event itself.
fn event_key(record: &ObjectRecord) -> Option<String> {
    Some(format!("{}#{}", short_key(record)?, message(record)?))
}

/// The same without its message, of which a table shows the first line alone (`kubernetes/cli-runtime:pkg/printers/tableprinter.go`).
fn short_key(record: &ObjectRecord) -> Option<String> {
    let object = text(record, &["involvedObject", "name"]).or_else(|| text(record, &["regarding", "name"]))?;
    Some(format!("#{object}#{}", text(record, &["reason"])?))
}

/// Does its message go on below its first line?
fn goes_on(record: &ObjectRecord) -> bool {
    message(record).is_some_and(|message| message.contains('\n'))
}

/// Is it a row of which kubectl left out all but the first line of the message? Of such a cell nothing is read.
fn is_cut(record: &ObjectRecord) -> bool {
    record.form == Form::Table && message(record).is_none()
}

fn join(object: &mut Object, record: ObjectRecord) {
    if object.namespace.is_none() {
        object.namespace.clone_from(&record.namespace);
    }
    let version = record.node.at(&["metadata", "resourceVersion"]).and_then(|n| n.value.scalar());
    object.sightings.push(Sighting { resource_version: version.and_then(|v| v.parse().ok()), record });
}

/// The order in which sightings are listed: the newer before the older where an order is known, full
/// forms before partial ones, then by member and line.
fn rank(a: &Sighting, b: &Sighting, members: &BTreeMap<MemberId, MemberName>) -> Ordering {
    let key = |s: &Sighting| {
        (
            std::cmp::Reverse(s.resource_version),
            std::cmp::Reverse(s.record.order.time),
            s.record.shown != Shown::Everything,
            s.record.form,
            members.get(&s.record.member).cloned(),
            std::cmp::Reverse(s.record.order.transcript.map(|(_, position)| position)),
            s.record.line,
            s.record.path.clone(),
        )
    };
    key(a).cmp(&key(b))
}
