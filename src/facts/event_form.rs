//! The two forms of an Event, under one set of paths.
//!
//! Why: the API server serves every Event as `v1` and as `events.k8s.io/v1`, and a collector keeps one of
//! them. The forms name the same things differently (`message` is `note`, `involvedObject` is `regarding`),
//! and an Event written in the new way has no `lastTimestamp` in either: its time is in `series` or in
//! `eventTime`. A signature names the fields of the core form only.
//! Source: `kubernetes/api:events/v1/types.go` and `kubernetes/kubernetes:pkg/apis/core/types.go` at v1.34,
//! `kubernetes/kubernetes:pkg/apis/events/v1/conversion.go`.
//!
//! Invariant: the field of the path itself wins; another is read only where that one says nothing, and it is
//! the other that is cited.

use crate::object::{Form, ObjectRecord};
use crate::path::{Path, Step};

/// Names of one thing, the core one first.
const SAME: [&[&[&str]]; 8] = [
    &[&["message"], &["note"]],
    &[&["involvedObject"], &["regarding"]],
    &[&["source", "component"], &["deprecatedSource", "component"], &["reportingComponent"], &["reportingController"]],
    &[&["source"], &["deprecatedSource"]],
    &[&["reportingComponent"], &["reportingController"]],
    &[&["firstTimestamp"], &["deprecatedFirstTimestamp"], &["eventTime"]],
    &[&["lastTimestamp"], &["deprecatedLastTimestamp"], &["series", "lastObservedTime"], &["eventTime"]],
    &[&["count"], &["deprecatedCount"], &["series", "count"]],
];

/// The paths at which an Event may hold what a path means, that path first; empty for what is no Event and
/// for forms that print an Event in one way only.
pub(super) fn paths(record: &ObjectRecord, path: &Path) -> Vec<Path> {
    let is_event = record
        .kind
        .as_ref()
        .is_some_and(|kind| kind.plural == "events" && matches!(kind.group.as_str(), "" | "events.k8s.io"))
        && matches!(record.form, Form::Json | Form::Yaml);
    if !is_event {
        return Vec::new();
    }
    let field = |name: &&str| Step::Field((*name).to_owned());
    let starts = |names: &[&str]| {
        path.0.len() >= names.len() && path.0.iter().zip(names).all(|(step, name)| step.same_as(&field(name)))
    };
    for names in SAME {
        if let Some(found) = names.iter().find(|names| starts(names)) {
            let rest = path.0.get(found.len()..).unwrap_or_default();
            let others = names.iter().filter(|other| *other != found);
            let other = |names: &&[&str]| Path(names.iter().map(field).chain(rest.iter().cloned()).collect());
            return std::iter::once(path.clone()).chain(others.map(other)).collect();
        }
    }
    Vec::new()
}
