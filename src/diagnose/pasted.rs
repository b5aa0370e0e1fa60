//! What a paste shows, in words: whoever pastes half a screen wants to see first that it was understood.
//!
//! Invariant: nothing but counts and names of kinds, so no text of the paste stands in it.

use catalogue::kinds::Catalogue;
use catalogue::nouns;
use diagnosis::words;
use facts::kind::KindName;
use facts::object::Form;
use facts::store::Facts;
use std::collections::BTreeMap;

/// Kinds that are named; a paste rarely shows more.
const KINDS: usize = 6;

/// `6 events`, `1 Pod`, `a log of kubelet (12 lines)`; nothing for a collected bundle.
pub(crate) fn shows(facts: &Facts, catalogue: &Catalogue) -> Vec<String> {
    if !facts.is_paste {
        return Vec::new();
    }
    let mut counts: BTreeMap<&KindName, u64> = BTreeMap::new();
    let read = facts.objects.iter().filter(|object| {
        !object.shadow && object.sightings.iter().any(|sighting| sighting.record.form != Form::Derived)
    });
    for object in read {
        *counts.entry(&object.kind).or_default() += 1;
    }
    let mut counts: Vec<(&KindName, u64)> = counts.into_iter().collect();
    counts.sort_by_key(|(kind, count)| (std::cmp::Reverse(*count), *kind));
    let more = counts.len().saturating_sub(KINDS) as u64;
    let mut shown: Vec<String> =
        counts.iter().take(KINDS).map(|(kind, count)| object(catalogue, kind, *count)).collect();
    if more > 0 {
        shown.push(words::count(more, "more kind", "more kinds"));
    }
    let mut logs: BTreeMap<&str, u64> = BTreeMap::new();
    for stream in &facts.streams {
        let lines: u64 = stream.parts.iter().map(|(_, part)| part.lines()).sum();
        *logs.entry(stream.class.as_deref().unwrap_or_default()).or_default() += lines;
    }
    shown.extend(logs.into_iter().filter(|(_, lines)| *lines > 0).map(|(class, lines)| {
        let lines = words::count(lines, "line", "lines");
        if class.is_empty() { format!("{lines} of a log") } else { format!("{lines} of a log of {class}") }
    }));
    shown
}

fn object(catalogue: &Catalogue, kind: &KindName, count: u64) -> String {
    match nouns::nouns(kind) {
        Some((one, _)) if count == 1 => one.to_owned(),
        Some((_, many)) => many.to_owned(),
        None if count == 1 => {
            let known = catalogue.kind(kind).map(|known| known.kind.as_str()).filter(|kind| !kind.is_empty());
            format!("1 {}", known.unwrap_or(&kind.plural))
        }
        None => words::count(count, "", &kind.plural),
    }
}
