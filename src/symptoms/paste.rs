//! Is what was given a paste: what somebody cut out and chose to show, and not what a command or a collector wrote?
//!
//! Why: of a paste each line is there because somebody asks about it, so an error that a tool printed once is the question.
//! Among what was collected the same error is passing, or over, or noise of collecting.
//!
//! Invariants: one text is a paste, however long, unless it holds more objects in a list as the API server gives it than
//! anybody shows; a few are one only if each is short, they lie beside each other, and none is such a list.

use facts::object::Form;
use facts::origin::MemberId;
use facts::store::Facts;
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

fn is_short(facts: &Facts) -> bool {
    let read = facts.objects.iter().filter(|object| object.kind.group != "casefile.dev").count();
    read <= OBJECTS && facts.streams.iter().flat_map(|stream| &stream.parts).all(|(_, part)| part.lines() <= LINES)
}

/// Is there an object that stands in a list in YAML or JSON, with all its fields?
fn has_list(facts: &Facts) -> bool {
    let sightings = facts.objects.iter().flat_map(|object| &object.sightings);
    sightings.map(|sighting| &sighting.record).any(|record| {
        matches!(record.form, Form::Json | Form::Yaml) && record.path.starts_with("items") && record.shown.is_whole()
    })
}
