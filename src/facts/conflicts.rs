//! Where the sightings of one object contradict each other and no order is known.
//!
//! Invariant: a conflict is listed, never decided; their number is bounded.

use crate::lookup::{Decided, compare};
use crate::node::{Node, Value};
use crate::object::{Object, Shown};
use crate::origin::Citation;
use crate::path::{Path, Step};
use crate::seen::same;
use crate::store::{Conflict, Facts};
use std::cmp::Ordering;
use std::collections::BTreeSet;

/// Most conflicts that are listed for one object.
const MAX_CONFLICTS: usize = 20;
/// Readings that each one is compared with: where two differ, two that are near each other differ.
const NEAR: usize = 8;

impl Facts {
    /// Every path of an object on which its sightings disagree and no order is known.
    pub fn conflicts_of(&self, object: &Object) -> Vec<Conflict> {
        if object.sightings.len() < 2 {
            return Vec::new();
        }
        let mut paths: BTreeSet<Path> = BTreeSet::new();
        for (i, a) in object.sightings.iter().enumerate() {
            if let Shown::Paths(shown) = &a.record.shown {
                paths.extend(shown.iter().cloned());
                continue;
            }
            for b in &object.sightings[i.saturating_sub(NEAR)..i] {
                if b.record.shown == Shown::Everything && compare(a, b).is_none_or(|o| o == Ordering::Equal) {
                    differences(&a.record.node, &b.record.node, &mut Vec::new(), &mut paths);
                }
            }
        }
        // Items of a list may leave out what the list says once for all of them.
        let implied =
            |path: &Path| matches!(&path.0[..], [Step::Field(name)] if name == "kind" || name == "apiVersion");
        let mut found = Vec::new();
        for path in paths.into_iter().filter(|path| !implied(path)) {
            if let Decided::Disagree(all) = self.decide(object, &path) {
                let mut values: Vec<(String, Citation)> = all
                    .iter()
                    .map(|(index, seen)| (seen.in_words(), seen.spot(self, &object.sightings[*index]).cite()))
                    .collect();
                values.sort_by(|(a, x), (b, y)| (a, self.place(x)).cmp(&(b, self.place(y))));
                let namespace = object.namespace.as_deref().map(|n| format!("{n}/")).unwrap_or_default();
                found.push(Conflict {
                    object: format!("{} {namespace}{}", object.kind, object.name),
                    path: path.to_string(),
                    values,
                });
            }
            if found.len() >= MAX_CONFLICTS {
                break;
            }
        }
        found
    }
}

/// Collects the paths at which two full trees differ, down to scalars. Bounded.
fn differences(a: &Node, b: &Node, at: &mut Vec<Step>, out: &mut BTreeSet<Path>) {
    if out.len() >= MAX_CONFLICTS || at.len() > 40 || same(a, b) {
        return;
    }
    match (&a.value, &b.value) {
        (Value::Map(x), Value::Map(y)) => {
            let only_there = y.iter().filter(|(k, _)| a.field(k).is_none());
            for (key, _) in x.iter().chain(only_there) {
                let plain = key.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | ' '));
                at.push(if plain { Step::Field(key.to_string()) } else { Step::Key(key.to_string()) });
                match (a.field(key), b.field(key)) {
                    (Some(v), Some(w)) => differences(v, w, at, out),
                    (Some(v), None) | (None, Some(v)) if !v.value.is_empty() => {
                        out.insert(Path(at.clone()));
                    }
                    _ => {}
                }
                at.pop();
            }
        }
        (Value::List(x), Value::List(y)) if x.len() == y.len() => {
            for (i, (v, w)) in x.iter().zip(y).enumerate() {
                let name = |node: &Node| {
                    ["type", "name"].iter().find_map(|f| Some(((*f).to_owned(), node.field(f)?.value.scalar()?)))
                };
                at.push(match (name(v), name(w)) {
                    (Some((field, value)), Some(other)) if (&field, &value) == (&other.0, &other.1) => {
                        Step::Pick { field, value }
                    }
                    _ => Step::Index(i),
                });
                differences(v, w, at, out);
                at.pop();
            }
        }
        _ => {
            out.insert(Path(at.clone()));
        }
    }
}
