//! What was said about an object: its events, and lines of logs that name it or are its own.
//!
//! Invariant: the last of each are taken, in the order of their time; a line is taken from the hits of signatures and
//! derived objects, so that no log is read again.

use super::atlas::Atlas;
use diagnosis::citation::citation_info;
use diagnosis::pictures::Said;
use facts::event;
use facts::event::Event;
use facts::kind::KindName;
use facts::log::Level;
use facts::object::{Object, ObjectId};
use facts::origin::Citation;

/// Events, and lines, that are taken.
const EVENTS: usize = 4;
const LINES: usize = 4;
/// Characters of a text.
const TEXT: usize = 200;
/// A shorter name stands in too many lines.
const NAME: usize = 4;

/// What was said about an object, by time.
pub(super) fn about(id: ObjectId, atlas: &Atlas<'_>) -> Vec<Said> {
    let object = atlas.facts.object(id);
    let mut all = last(events(object, atlas), EVENTS);
    all.extend(last(lines(object, atlas), LINES));
    all.sort();
    all
}

fn last(mut all: Vec<Said>, most: usize) -> Vec<Said> {
    all.sort();
    all.dedup();
    all.drain(..all.len().saturating_sub(most));
    all
}

fn cut(text: &str) -> String {
    let mut cut: String = text.chars().take(TEXT).collect();
    if cut.len() < text.len() {
        cut.push('…');
    }
    cut
}

fn events(object: &Object, atlas: &Atlas<'_>) -> Vec<Said> {
    let facts = atlas.facts;
    let mut all = Vec::new();
    for id in event::KINDS.iter().flat_map(|kind| facts.of_kind(object.context, &KindName::parse(kind))) {
        let Some(record) = facts.object(*id).sightings.first().map(|sighting| &sighting.record) else { continue };
        let told = Event::of(&record.node);
        let about = told.about();
        let of_kind = about.kind.as_deref().is_some_and(|kind| is_kind(&object.kind, kind));
        let same = about.name.as_deref() == Some(object.name.as_str())
            && (object.namespace.is_none() || about.namespace == object.namespace);
        if !(same && of_kind) {
            continue;
        }
        let text = format!("{}: {}", told.reason(), told.message());
        let citation = Citation::line(record.member, told.line().unwrap_or(record.line), "");
        all.push(Said {
            time: told.last().map(|time| time.to_string()),
            kind: "event".to_owned(),
            text: cut(&text),
            citation: citation_info(facts, &citation),
        });
    }
    all
}

/// Is it the kind that an Event calls so?
fn is_kind(kind: &KindName, said: &str) -> bool {
    KindName::guess("v1", said).plural == kind.plural || said.eq_ignore_ascii_case(&kind.plural)
}

fn lines(object: &Object, atlas: &Atlas<'_>) -> Vec<Said> {
    let facts = atlas.facts;
    let clock = facts.context(object.context).as_of.as_ref().map(|as_of| as_of.for_logs());
    let mut all = Vec::new();
    for stream in facts.streams.iter().filter(|stream| stream.context == object.context) {
        let is_own = object.kind.plural == "pods"
            && stream
                .pod
                .as_ref()
                .is_some_and(|(namespace, pod, _)| *pod == object.name && Some(namespace) == object.namespace.as_ref());
        for hit in stream.hits() {
            let loud = matches!(hit.fields.level, Level::Warn | Level::Error | Level::Fatal);
            let names = object.name.len() >= NAME && is_named(&hit.text, &object.name);
            if !(names || is_own && loud) {
                continue;
            }
            let text = if hit.fields.message.is_empty() { hit.text.as_str() } else { hit.fields.message.as_str() };
            all.push(Said {
                time: hit.fields.time.and_then(|time| time.resolve(clock)).map(|time| time.to_string()),
                kind: "log".to_owned(),
                text: cut(text),
                citation: citation_info(facts, &Citation::line(hit.member, hit.line, "")),
            });
        }
    }
    all
}

/// Does a name stand in a text by itself, and not as a part of a longer one?
fn is_named(text: &str, name: &str) -> bool {
    let part = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '.';
    text.match_indices(name).any(|(at, _)| {
        let before = text.get(..at).and_then(|text| text.chars().next_back());
        let after = text.get(at + name.len()..).and_then(|text| text.chars().next());
        !before.is_some_and(part) && !after.is_some_and(part)
    })
}

#[cfg(test)]
mod tests {
    use super::is_named;

    #[test]
    fn a_name_is_no_part_of_a_longer_one() {
        assert!(is_named("Pod \"shop/web-1\" failed", "web-1") && is_named("web-1", "web-1"));
        assert!(!is_named("web-12 failed", "web-1") && !is_named("my-web-1", "web-1"));
    }
}
