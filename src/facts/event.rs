//! What an Event says, whatever form it has: the one place that knows the names of its fields.
//!
//! Why: the API server serves every Event as `v1` and as `events.k8s.io/v1`, and a collector keeps one of
//! them. The forms name the same things differently (`message` is `note`, `involvedObject` is `regarding`),
//! and an Event written in the new way has no `lastTimestamp` in either: its time is in `series` or in
//! `eventTime`. A signature names the fields of the core form only.
//! Source: `kubernetes/api:events/v1/types.go` and `kubernetes/kubernetes:pkg/apis/core/types.go` at v1.34,
//! `kubernetes/kubernetes:pkg/apis/events/v1/conversion.go`.
//!
//! Invariants: the field of the path itself wins; another is read only where that one says nothing, and it is
//! the other that is cited. An Event was last seen at the latest time that it states.

use crate::human_duration;
use crate::human_duration::Age;
use crate::kind::KindName;
use crate::node::{Node, Value};
use crate::object::{Form, ObjectRecord};
use crate::path::{Path, Step};
use crate::stamp::time_of;
use jiff::Timestamp;

/// What a recorder puts before the message of an Event that stands for several of one reason, whose messages differ.
/// Source: `kubernetes/client-go:tools/record/events_cache.go`, `EventAggregatorByReasonMessageFunc`.
const COMBINED: &str = "(combined from similar events): ";

/// Is this the kind of Events?
pub fn is_kind(kind: &KindName) -> bool {
    kind.plural == "events" && matches!(kind.group.as_str(), "" | "events.k8s.io")
}

/// The field with the message of an Event, without what its recorder put before it; `None` where nothing stands before it.
pub fn unmarked(event: &Node) -> Option<(&'static str, Node)> {
    let own = |key: &'static str| {
        let found = event.get(key)?;
        let own = found.as_str()?.strip_prefix(COMBINED)?;
        let typed = matches!(found.value, Value::Str(_));
        Some((key, if typed { Node::str(found.line, own) } else { Node::text(found.line, own) }))
    };
    ["message", "note"].into_iter().find_map(own)
}

/// Names of one thing, the core one first.
type Names = &'static [&'static [&'static str]];

const MESSAGE: Names = &[&["message"], &["note"]];
const ABOUT: Names = &[&["involvedObject"], &["regarding"]];
const SOURCE: Names = &[&["source"], &["deprecatedSource"]];
const FIRST: Names = &[&["firstTimestamp"], &["deprecatedFirstTimestamp"], &["eventTime"]];
const LAST: Names =
    &[&["lastTimestamp"], &["deprecatedLastTimestamp"], &["series", "lastObservedTime"], &["eventTime"]];
const COUNT: Names = &[&["count"], &["deprecatedCount"], &["series", "count"]];

const SAME: [Names; 8] = [
    MESSAGE,
    ABOUT,
    &[&["source", "component"], &["deprecatedSource", "component"], &["reportingComponent"], &["reportingController"]],
    SOURCE,
    &[&["reportingComponent"], &["reportingController"]],
    FIRST,
    LAST,
    COUNT,
];

/// The kinds as which Events are served.
pub const KINDS: [&str; 2] = ["events", "events.events.k8s.io"];

/// One Event as one sighting shows it.
#[derive(Debug, Clone, Copy)]
pub struct Event<'a>(&'a Node);

/// The object that an Event speaks of, as far as it is named.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct About {
    /// `Pod`, as the form writes it.
    pub kind: Option<String>,
    pub namespace: Option<String>,
    pub name: Option<String>,
    pub uid: Option<String>,
}

impl<'a> Event<'a> {
    /// An Event by its tree.
    pub fn of(node: &'a Node) -> Self {
        Self(node)
    }

    /// Why it was sent: `FailedMount`.
    pub fn reason(&self) -> String {
        text(self.0.at(&["reason"])).unwrap_or_default()
    }

    /// What it says.
    pub fn message(&self) -> String {
        self.text(MESSAGE, &[]).unwrap_or_default()
    }

    /// Does it warn?
    pub fn warns(&self) -> bool {
        text(self.0.at(&["type"])).is_some_and(|text| text == "Warning")
    }

    /// What it speaks of. A table may print the object as one cell: `pod/etcd-1`.
    pub fn about(&self) -> About {
        let part = |field: &str| self.text(ABOUT, &[field]);
        let cell = self.text(ABOUT, &[]);
        let (kind, name) = match cell.as_deref().map(|cell| cell.split_once('/').ok_or(cell)) {
            Some(Ok((kind, name))) => (Some(kind.to_owned()), Some(name.to_owned())),
            Some(Err(name)) => (None, Some(name.to_owned())),
            None => (None, None),
        };
        About {
            kind: part("kind").or(kind),
            namespace: part("namespace"),
            name: part("name").or(name),
            uid: part("uid"),
        }
    }

    /// The machine that sent it.
    pub fn host(&self) -> Option<&'a str> {
        self.nodes(SOURCE, &["host"]).find_map(Node::as_str).filter(|host| !host.is_empty())
    }

    /// Every place where it states when it was last seen.
    pub fn last_times(&self) -> impl Iterator<Item = (Timestamp, &'a Node)> {
        self.nodes(LAST, &[]).filter_map(|node| Some((time_of(node.as_str()?)?, node)))
    }

    /// When it was last seen: the latest of the times that it states.
    pub fn last(&self) -> Option<Timestamp> {
        self.last_times().map(|(time, _)| time).chain(self.first()).max()
    }

    /// When it was first seen.
    pub fn first(&self) -> Option<Timestamp> {
        self.nodes(FIRST, &[]).find_map(|node| time_of(node.as_str()?))
    }

    /// How often it was seen, if that is shown.
    pub fn count(&self) -> Option<i64> {
        self.nodes(COUNT, &[]).filter_map(|node| node.value.scalar()?.parse().ok()).max()
    }

    /// How long ago it was last seen, and how often, as kubectl prints it.
    pub fn printed(&self) -> Option<(Age, Option<i64>)> {
        human_duration::last_seen(self.0.at(&["status", "kubectlLastSeen"])?.as_str()?)
    }

    /// The line of what it says; `None` if it says nothing.
    pub fn line(&self) -> Option<u32> {
        let said = self.nodes(MESSAGE, &[]).next().or_else(|| self.0.at(&["reason"]));
        said.map(|node| node.line)
    }

    /// The text below the first of these names that holds one.
    fn text(&self, names: Names, rest: &[&str]) -> Option<String> {
        self.nodes(names, rest).find_map(|node| text(Some(node)))
    }

    fn nodes(&self, names: Names, rest: &[&str]) -> impl Iterator<Item = &'a Node> {
        let node = self.0;
        names.iter().filter_map(move |keys| node.at(keys)).filter_map(|found| found.at(rest))
    }
}

fn text(node: Option<&Node>) -> Option<String> {
    node?.value.scalar().filter(|text| !text.is_empty() && text != "<none>")
}

/// The other paths at which an Event may hold what a path means; empty for what is no Event and for forms that print
/// an Event in one way only.
pub(crate) fn other_paths(record: &ObjectRecord, path: &Path) -> Vec<Path> {
    let is_event = record.kind.as_ref().is_some_and(is_kind) && matches!(record.form, Form::Json | Form::Yaml);
    if !is_event {
        return Vec::new();
    }
    let starts = |names: &[&str]| {
        path.0.len() >= names.len() && path.0.iter().zip(names).all(|(step, name)| step.is_named(name))
    };
    let field = |name: &&str| Step::Field((*name).to_owned());
    for names in SAME {
        if let Some(found) = names.iter().find(|names| starts(names)) {
            let rest = path.0.get(found.len()..).unwrap_or_default();
            let others = names.iter().filter(|other| *other != found);
            return others.map(|names| Path(names.iter().map(field).chain(rest.iter().cloned()).collect())).collect();
        }
    }
    Vec::new()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn node(fields: &[(&[&str], &str)]) -> Node {
        let mut node = Node::map(1);
        for (keys, value) in fields {
            node.set_at(keys, Node::str(7, *value));
        }
        node
    }

    #[test]
    fn both_forms_say_the_same() {
        let core = node(&[
            (&["involvedObject", "kind"], "Pod"),
            (&["involvedObject", "name"], "web-1"),
            (&["message"], "no such device"),
            (&["firstTimestamp"], "2026-05-14T10:00:00Z"),
            (&["lastTimestamp"], "2026-05-14T10:05:00Z"),
            (&["count"], "3"),
        ]);
        let new = node(&[
            (&["regarding", "kind"], "Pod"),
            (&["regarding", "name"], "web-1"),
            (&["note"], "no such device"),
            (&["eventTime"], "2026-05-14T10:00:00Z"),
            (&["series", "lastObservedTime"], "2026-05-14T10:05:00Z"),
            (&["series", "count"], "3"),
        ]);
        let told = |node: &Node| {
            let event = Event::of(node);
            (event.about(), event.message(), event.first(), event.last(), event.count(), event.line())
        };
        assert_eq!(told(&core), told(&new));
        assert_eq!(Event::of(&core).count(), Some(3));
    }

    #[test]
    fn what_a_recorder_puts_before_a_message() {
        let combined = node(&[(&["note"], "(combined from similar events): Readiness probe failed: 503")]);
        let own = Node::str(7, "Readiness probe failed: 503");
        assert_eq!(unmarked(&combined), Some(("note", own)));
        assert_eq!(unmarked(&node(&[(&["message"], "Readiness probe failed: 503")])), None);
    }

    #[test]
    fn a_table_names_the_object_in_one_cell() {
        let cell = node(&[(&["involvedObject"], "pod/etcd-1")]);
        let about = Event::of(&cell).about();
        assert_eq!((about.kind.as_deref(), about.name.as_deref()), (Some("pod"), Some("etcd-1")));
        assert_eq!(Event::of(&node(&[])).last(), None);
    }
}
