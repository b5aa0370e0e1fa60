//! An inspection that can be opened, whatever the bundle: the bounds of a report ([`diagnosis::bounds`]) hold for it too.
//!
//! Invariants: no list has more rows than a report has, all bundles and contexts together; what is left out is counted
//! by the name of its list; no name is longer than in a report. Within the bounds nothing changes, and bounding twice
//! changes nothing.

use crate::model::{InspectedBundle, InspectedContext, InspectedKind, InspectedTime, Inspection};
use diagnose::needs::Needs;
use diagnosis::bounds::{ROWS, UNREAD, name, sentence};
use diagnosis::words;
use facts::outside::Outside;
use std::collections::BTreeMap;

/// Bounds every list and every name.
pub fn bound(inspection: &mut Inspection) {
    // What was lost says more than what has no use.
    if inspection.unread.len() > UNREAD {
        inspection.unread.sort_by_key(|row| !words::is_loss(row.cause));
    }
    let mut rows = Rows { left: BTreeMap::new(), more: std::mem::take(&mut inspection.more) };
    rows.cut("unread", UNREAD, &mut inspection.unread);
    inspection.unread.sort();
    rows.cut("failed", ROWS, &mut inspection.failed);
    rows.cut("limits_hit", ROWS, &mut inspection.limits_hit);
    for bundle in &mut inspection.bundles {
        rows.bundle(bundle);
    }
    for context in &mut inspection.contexts {
        rows.context(context);
    }
    inspection.more = rows.more;
    names(inspection);
}

/// The rows that each list may still have.
struct Rows {
    left: BTreeMap<&'static str, usize>,
    /// Those beyond.
    more: BTreeMap<String, u64>,
}

impl Rows {
    /// Cuts one of the lists of a name, which may have so many rows together.
    fn cut<T>(&mut self, of: &'static str, most: usize, list: &mut Vec<T>) {
        let length = list.len();
        list.truncate(self.take(of, most, length));
    }

    fn cut_map<K: Ord, V>(&mut self, of: &'static str, map: &mut BTreeMap<K, V>) {
        let kept = self.take(of, ROWS, map.len());
        if kept < map.len() {
            *map = std::mem::take(map).into_iter().take(kept).collect();
        }
    }

    /// How many of so many rows may stay.
    fn take(&mut self, of: &'static str, most: usize, length: usize) -> usize {
        let left = self.left.entry(of).or_insert(most);
        let kept = length.min(*left);
        *left -= kept;
        if kept < length {
            *self.more.entry(of.to_owned()).or_default() += (length - kept) as u64;
        }
        kept
    }

    fn bundle(&mut self, bundle: &mut InspectedBundle) {
        self.cut("links", ROWS, &mut bundle.links);
        self.cut("damage", ROWS, &mut bundle.damage);
        self.cut("not_understood_members", ROWS, &mut bundle.accounted.not_understood_members);
    }

    fn context(&mut self, context: &mut InspectedContext) {
        self.cut("versions", ROWS, &mut context.versions);
        self.cut("kinds", ROWS, &mut context.kinds);
        for InspectedKind { namespaces, coverage, .. } in &mut context.kinds {
            self.cut_map("namespaces", namespaces);
            self.cut("coverage", ROWS, coverage);
        }
        self.cut("logs", ROWS, &mut context.logs);
        for log in &mut context.logs {
            self.cut("members", ROWS, &mut log.row.members);
            self.cut("gaps", ROWS, &mut log.gaps);
        }
        if let Some(InspectedTime { gaps, .. }) = &mut context.log_time {
            self.cut("gaps", ROWS, gaps);
        }
        let Needs { needs, wanted, .. } = &mut context.needs;
        self.cut("needs", ROWS, needs);
        self.cut("wanted", ROWS, wanted);
    }
}

/// Bounds names: of members, kinds and what else the bundle names, and of long words in sentences.
fn names(inspection: &mut Inspection) {
    let Inspection { bundles, contexts, failed, unread, limits_hit, .. } = inspection;
    for bundle in bundles {
        short(&mut bundle.name);
        bundle.links.iter_mut().for_each(|(link, target)| [link, target].into_iter().for_each(short));
        bundle.damage.iter_mut().for_each(said);
        bundle.accounted.not_understood_members.iter_mut().for_each(short);
    }
    contexts.iter_mut().for_each(names_of_context);
    for row in failed {
        [&mut row.what, &mut row.reason].into_iter().for_each(said);
        short(&mut row.member);
        row.context.iter_mut().for_each(short);
    }
    for row in unread {
        short(&mut row.member);
        said(&mut row.reason);
    }
    for (_, what, member) in limits_hit {
        sentence(what);
        member.iter_mut().for_each(short);
    }
}

fn names_of_context(context: &mut InspectedContext) {
    short(&mut context.name);
    context.versions.iter_mut().for_each(|(_, version)| short(version));
    if let Some(clock) = &mut context.as_of {
        said(&mut clock.source);
    }
    for need in &mut context.needs.needs {
        sentence(&mut need.what);
        sentence(&mut need.detail);
    }
    for kind in &mut context.kinds {
        short(&mut kind.kind);
        if kind.namespaces.keys().any(|name| shortened(name).is_some()) {
            let mut bounded = BTreeMap::new();
            for (mut name, objects) in std::mem::take(&mut kind.namespaces) {
                short(&mut name);
                *bounded.entry(name).or_default() += objects;
            }
            kind.namespaces = bounded;
        }
        for row in &mut kind.coverage {
            short(&mut row.namespaces);
            short(&mut row.member);
        }
    }
    for log in &mut context.logs {
        name(&mut log.row.context);
        name(&mut log.row.stream);
        log.row.members.iter_mut().for_each(name);
    }
}

/// A name as short as it must be.
fn short(text: &mut Outside) {
    if let Some(shorter) = shortened(text) {
        *text = Outside::name(&shorter);
    }
}

fn shortened(text: &Outside) -> Option<String> {
    let mut bounded = text.to_string();
    name(&mut bounded);
    (bounded != text.as_str()).then_some(bounded)
}

/// The same of a sentence.
fn said(text: &mut Outside) {
    let mut bounded = text.to_string();
    sentence(&mut bounded);
    if bounded != text.as_str() {
        *text = bounded.into();
    }
}
