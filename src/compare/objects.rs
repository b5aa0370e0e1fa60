//! Objects, field by field.
//!
//! Invariants: an object is gone or new only where the other bundle was asked for its kind and answered to the end; a
//! field that one of two readings does not show is not compared.

use crate::model::{Comparison, FieldChange, NotComparable, ObjectChange, ObjectName};
use catalogue::noise;
use facts::kind::KindName;
use facts::node::{Node, SmolStr, Value};
use facts::object::{ContextId, Object, ObjectRecord};
use facts::path::{Path, Step};
use facts::store::{Absence, Facts, Scope};
use std::collections::{BTreeMap, BTreeSet};

/// Steps that a tree is gone down.
const DEPTH: usize = 60;
/// Fields by which an item of a list is known again.
const KEYS: [&str; 5] = ["name", "type", "key", "id", "ip"];

/// One cluster of one bundle.
type Cluster<'a> = (&'a Facts, ContextId);

/// Objects of one namespace and name; those of one template are several.
type Named<'a> = BTreeMap<(Option<String>, String), Vec<&'a Object>>;

pub(crate) fn compare(a: Cluster<'_>, b: Cluster<'_>, out: &mut Comparison) {
    let of = |(facts, context): Cluster<'_>| -> BTreeSet<KindName> {
        facts.by_kind.keys().filter(|(own, _)| *own == context).map(|(_, kind)| kind.clone()).collect()
    };
    let kinds: BTreeSet<KindName> = of(a).union(&of(b)).cloned().collect();
    for kind in kinds.iter().filter(|kind| kind.group != "casefile.dev" && !noise::is_kind(kind)) {
        let (old, new) = (named(a, kind), named(b, kind));
        let mut unproven = BTreeSet::new();
        let keys: BTreeSet<_> = old.keys().chain(new.keys()).cloned().collect();
        for key in keys {
            let (before, after) = (group(&old, &key), group(&new, &key));
            let name = |count| ObjectName {
                cluster: b.0.context(b.1).name.clone(),
                kind: kind.to_string(),
                namespace: key.0.clone(),
                name: key.1.clone(),
                count,
            };
            for (from, to) in before.iter().zip(after) {
                let fields = fields(from, to);
                if !fields.is_empty() {
                    out.changed.push(ObjectChange { object: name(1), fields, more_fields: 0 });
                }
            }
            // Whoever has fewer must have been asked for all.
            let (fewer, side, list, count) = match before.len().cmp(&after.len()) {
                std::cmp::Ordering::Equal => continue,
                std::cmp::Ordering::Greater => (b, "b", &mut out.gone, before.len() - after.len()),
                std::cmp::Ordering::Less => (a, "a", &mut out.added, after.len() - before.len()),
            };
            if is_proven(fewer, kind, key.0.as_deref()) {
                list.push(name(count));
            } else {
                unproven.insert(side);
            }
        }
        let lacks = unproven.into_iter();
        out.not_comparable.extend(lacks.map(|lacks| NotComparable { what: kind.to_string(), lacks: lacks.to_owned() }));
    }
}

fn group<'n, 'a>(named: &'n Named<'a>, key: &(Option<String>, String)) -> &'n [&'a Object] {
    named.get(key).map_or(&[], Vec::as_slice)
}

/// Is it known that there are no other objects of a kind in a namespace?
fn is_proven((facts, context): Cluster<'_>, kind: &KindName, namespace: Option<&str>) -> bool {
    let scope = Scope { namespace: namespace.map(str::to_owned), name: None };
    !matches!(facts.absence(context, kind, &scope), Absence::Unknown { .. })
}

/// The objects of a kind that are there, by namespace and by a name that stays the same.
fn named<'a>((facts, context): Cluster<'a>, kind: &KindName) -> Named<'a> {
    let mut named: Named<'a> = BTreeMap::new();
    let objects = facts.of_kind(context, kind).iter().map(|id| facts.object(*id));
    for object in objects.filter(|object| !object.shadow && !object.is_manifest()) {
        named.entry((object.namespace.clone(), stable_name(object))).or_default().push(object);
    }
    named
}

/// The name without what a controller makes up for each object and each revision of its template.
fn stable_name(object: &Object) -> String {
    let text = |keys: &[&str]| {
        let shown = |record: &ObjectRecord| record.node.at(keys)?.as_str().map(str::to_owned);
        object.sightings.iter().find_map(|sighting| shown(&sighting.record))
    };
    let generated = text(&["metadata", "generateName"]).filter(|start| object.name.starts_with(start.as_str()));
    let mut name = generated.map_or_else(|| object.name.clone(), |start| format!("{start}*"));
    for hash in noise::hashes() {
        let Some(hash) = text(&["metadata", "labels", hash]).filter(|hash| hash.len() > 4) else { continue };
        // The last one: the name of a program may look like a hash.
        if let Some(at) = name.rfind(&hash) {
            name.replace_range(at..at + hash.len(), "*");
        }
    }
    name.replace("*-*", "*")
}

/// The fields that differ between the newest readings of two objects.
fn fields(a: &Object, b: &Object) -> Vec<FieldChange> {
    let best = |object: &'_ Object| {
        let whole = object.sightings.iter().find(|sighting| sighting.record.shown.is_whole());
        whole.or(object.sightings.first()).map(|sighting| sighting.record.clone())
    };
    let (Some(a), Some(b)) = (best(a), best(b)) else { return Vec::new() };
    let (mut old, mut new) = (BTreeMap::new(), BTreeMap::new());
    flatten(&a.node, &mut Vec::new(), &mut old);
    flatten(&b.node, &mut Vec::new(), &mut new);
    let paths: BTreeSet<&Path> = old.keys().chain(new.keys()).collect();
    let mut changes = Vec::new();
    for path in paths {
        let (from, to) = (old.get(path), new.get(path));
        let is_masked = |value: Option<&&Value>| value.is_some_and(|value| value.is_redacted());
        if is_masked(from) || is_masked(to) {
            continue;
        }
        // A field that is missing is not set only where the whole object was shown.
        let known = |value: Option<&&Value>, record: &ObjectRecord| value.is_some() || record.shown.is_whole();
        let same = from.zip(to).is_some_and(|(from, to)| from.same_as(to) || from == to);
        if same || !known(from, &a) || !known(to, &b) {
            continue;
        }
        let shown = path.to_string();
        if !noise::is_field(&shown) {
            let text = |value: Option<&&Value>| value.and_then(|value| value.scalar()).map(short);
            changes.push(FieldChange { path: shown, a: text(from), b: text(to) });
        }
    }
    changes.sort();
    changes
}

/// Characters of a value.
const SHOWN: usize = 300;

fn short(text: String) -> String {
    match text.char_indices().nth(SHOWN) {
        Some((cut, _)) => format!("{}…", &text[..cut]),
        None => text,
    }
}

/// Every scalar of a tree with its path; items of a list by a field that names them, where all have one.
fn flatten<'n>(node: &'n Node, path: &mut Vec<Step>, out: &mut BTreeMap<Path, &'n Value>) {
    if path.len() > DEPTH {
        return;
    }
    match &node.value {
        Value::Map(entries) => {
            for (key, value) in entries {
                path.push(step(key));
                flatten(value, path, out);
                path.pop();
            }
        }
        Value::List(items) => {
            let key = KEYS.into_iter().find(|key| names_items(items, key));
            for (index, item) in items.iter().enumerate() {
                let name = key.and_then(|key| Some((key, item.get(key)?.value.scalar()?)));
                path.push(match name {
                    Some((field, value)) => Step::Pick { field: field.to_owned(), value },
                    None => Step::Index(index),
                });
                flatten(item, path, out);
                path.pop();
            }
        }
        Value::Null => {}
        value => {
            out.insert(Path(path.clone()), value);
        }
    }
}

fn step(key: &SmolStr) -> Step {
    let is_plain = !key.is_empty() && key.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '-');
    if is_plain { Step::Field(key.to_string()) } else { Step::Key(key.to_string()) }
}

/// Does each item have this field, each another value?
fn names_items(items: &[Node], key: &str) -> bool {
    let names: BTreeSet<String> = items.iter().filter_map(|item| item.get(key)?.value.scalar()).collect();
    !items.is_empty() && names.len() == items.len()
}
