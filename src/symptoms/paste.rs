//! Is what was given a paste: what somebody cut out and chose to show, and not what a command or a collector wrote?
//!
//! Why: of a paste each line is there because somebody asks about it, so an error that a tool printed once is the question.
//! Among what was collected the same error is passing, or over, or noise of collecting.
//!
//! Invariants: one text is a paste, however long, unless it holds more objects in a list as the API server gives it than
//! anybody shows; a few are one only if each is short, they lie beside each other, and none is such a list. Beside other
//! clusters what is shown of one is a paste by the same measure, if it is sessions alone.

use facts::object::{ContextId, Form, Object};
use facts::origin::MemberId;
use facts::store::{Facts, Stream};
use facts::unread::WhyUnread;
use std::collections::BTreeSet;

/// Texts that one person pastes about one trouble.
const TEXTS: usize = 4;
/// Lines of a log that somebody cuts out.
const LINES: u64 = 200;
/// Objects and rows that somebody shows.
const OBJECTS: usize = 60;

/// Is all that was given a paste?
pub(crate) fn is_one(facts: &Facts) -> bool {
    // Files of a known layout that are no evidence, and reports of Casefile.
    let aside = facts.unread.iter().filter(|(_, line, why)| *line == 1 && matches!(why, WhyUnread::Aside(_)));
    let aside: BTreeSet<MemberId> = aside.map(|(member, ..)| *member).collect();
    let texts = || facts.members.iter().filter(|(member, _)| !aside.contains(*member));
    match texts().count() {
        0 | 1 => is_short(facts) || !has_list(facts),
        2..=TEXTS => {
            let folders: BTreeSet<&str> =
                texts().map(|(_, name)| name.inside().rsplit_once('/').map_or("", |(folder, _)| folder)).collect();
            folders.len() == 1 && is_short(facts) && !has_list(facts)
        }
        _ => false,
    }
}

/// Is what was given of one cluster a paste, whatever was given of others? A ticket may lie beside the dumps of another cluster.
/// Only sessions count, with their commands: what a command alone printed may be what is left of a dump.
pub(crate) fn is_of(facts: &Facts, context: ContextId) -> bool {
    let objects: Vec<&Object> = facts.objects.iter().filter(|object| object.context == context).collect();
    let streams: Vec<&Stream> = facts.streams.iter().filter(|stream| stream.context == context).collect();
    let shown = objects.iter().flat_map(|object| &object.sightings).map(|sighting| sighting.record.member);
    let logged = streams.iter().flat_map(|stream| &stream.parts).map(|(member, _)| *member);
    let texts: BTreeSet<MemberId> = shown.chain(logged).collect();
    let sightings = objects.iter().flat_map(|object| &object.sightings);
    let in_sessions = sightings.filter(|sighting| sighting.record.order.transcript.is_some());
    let sessions: BTreeSet<MemberId> = in_sessions.map(|sighting| sighting.record.member).collect();
    let folder_of = |name: &str| name.rsplit_once('/').map_or("", |(folder, _)| folder).to_owned();
    let names = || facts.members.iter().map(|(member, name)| (member, name.inside()));
    let folders: BTreeSet<String> =
        names().filter(|(member, _)| texts.contains(member)).map(|(_, name)| folder_of(name)).collect();
    // What was not read lies there as well.
    let beside = names().filter(|(_, name)| folders.contains(&folder_of(name))).count();
    folders.len() == 1
        && texts.is_subset(&sessions)
        && beside <= TEXTS
        && is_short_of(&objects, &streams)
        && !objects.iter().any(|object| is_in_list(object))
}

fn is_short(facts: &Facts) -> bool {
    is_short_of(&Vec::from_iter(&facts.objects), &Vec::from_iter(&facts.streams))
}

fn is_short_of(objects: &[&Object], streams: &[&Stream]) -> bool {
    let read = objects.iter().filter(|object| object.kind.group != "casefile.dev").count();
    read <= OBJECTS && streams.iter().flat_map(|stream| &stream.parts).all(|(_, part)| part.lines() <= LINES)
}

/// Is there an object that stands in a list in YAML or JSON, with all its fields?
fn has_list(facts: &Facts) -> bool {
    facts.objects.iter().any(is_in_list)
}

fn is_in_list(object: &Object) -> bool {
    let sightings = object.sightings.iter();
    sightings.map(|sighting| &sighting.record).any(|record| {
        matches!(record.form, Form::Json | Form::Yaml) && record.path.starts_with("items") && record.shown.is_whole()
    })
}
