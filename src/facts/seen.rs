//! What one sighting of an object says about a path.
//!
//! Invariant: what a form does not print for sure is not said.

use crate::event;
use crate::masked_text;
use crate::node::{Node, Value};
use crate::object::{Form, Lookup, ObjectRecord, Shown, Sighting};
use crate::path::{Path, Step};
use crate::spot::Spot;
use crate::store::Facts;
use crate::until::tells_apart;
use crate::walk::{Place, Walk};

/// What one sighting says about a path.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Seen<'a> {
    Found {
        values: Vec<(&'a Node, Place<'a>)>,
        fragment: bool,
    },
    /// Values of some items of a list that is not shown whole.
    AtLeast(Vec<(&'a Node, Place<'a>)>),
    /// It is one of these: a cell that several values print alike (`NotReady`).
    OneOf(Vec<(&'a Node, Place<'a>)>),
    NotSet(Place<'a>),
    NotSetOrEmpty(Place<'a>),
    Redacted(Place<'a>),
}

impl<'a> Seen<'a> {
    pub(crate) fn fragment(&self) -> bool {
        matches!(self, Seen::Found { fragment: true, .. })
    }

    /// Of answers that agree, the one that says most comes first.
    pub(crate) fn weakness(&self) -> u8 {
        match self {
            Seen::Found { .. } => 0,
            Seen::NotSet(_) => 1,
            Seen::NotSetOrEmpty(_) => 2,
            Seen::OneOf(_) => 3,
            Seen::AtLeast(_) => 4,
            Seen::Redacted(_) => 5,
        }
    }

    /// Can both be true of one state?
    pub(crate) fn agrees(&self, other: &Seen<'a>) -> bool {
        match (self, other) {
            (Seen::Found { values: a, .. }, Seen::Found { values: b, .. }) => {
                a.len() == b.len()
                    && a.iter().all(|(x, _)| b.iter().any(|(y, _)| same(x, y)))
                    && b.iter().all(|(y, _)| a.iter().any(|(x, _)| same(x, y)))
            }
            (Seen::Found { values, .. }, Seen::NotSetOrEmpty(_))
            | (Seen::NotSetOrEmpty(_), Seen::Found { values, .. }) => {
                values.iter().all(|(node, _)| node.value.is_empty())
            }
            (Seen::OneOf(some), Seen::Found { values, .. }) | (Seen::Found { values, .. }, Seen::OneOf(some)) => {
                values.iter().all(|(x, _)| some.iter().any(|(y, _)| same(x, y)))
            }
            (Seen::AtLeast(some), Seen::Found { values, .. }) | (Seen::Found { values, .. }, Seen::AtLeast(some)) => {
                some.iter().all(|(x, _)| values.iter().any(|(y, _)| same(x, y)))
            }
            (Seen::AtLeast(a), Seen::AtLeast(b)) | (Seen::OneOf(a), Seen::OneOf(b)) => {
                a.len() == b.len() && a.iter().all(|(x, _)| b.iter().any(|(y, _)| same(x, y)))
            }
            (Seen::NotSet(_) | Seen::NotSetOrEmpty(_), Seen::NotSet(_) | Seen::NotSetOrEmpty(_)) => true,
            (Seen::Redacted(_), Seen::Redacted(_) | Seen::Found { .. }) | (Seen::Found { .. }, Seen::Redacted(_)) => {
                true
            }
            _ => false,
        }
    }

    pub(crate) fn in_words(&self) -> String {
        match self {
            Seen::Found { values, .. } | Seen::AtLeast(values) | Seen::OneOf(values) => {
                let text: Vec<String> = values.iter().map(|(node, _)| node.to_string()).collect();
                let text = text.join(", ");
                match text.char_indices().nth(120) {
                    Some((cut, _)) => format!("`{}…`", &text[..cut]),
                    None => format!("`{text}`"),
                }
            }
            Seen::NotSet(_) => "not set".to_owned(),
            Seen::NotSetOrEmpty(_) => "not set or empty".to_owned(),
            Seen::Redacted(_) => "masked".to_owned(),
        }
    }

    /// The place that stands for the whole answer.
    pub(crate) fn spot(&self, facts: &'a Facts, sighting: &'a Sighting) -> Spot<'a> {
        match self {
            Seen::Found { values, .. } | Seen::AtLeast(values) | Seen::OneOf(values) => match values.first() {
                Some((node, place)) => Spot::value(facts, sighting, place.clone(), node),
                None => Spot::bare(facts, sighting),
            },
            Seen::NotSet(place) | Seen::NotSetOrEmpty(place) => Spot::none(facts, sighting, place.clone()),
            Seen::Redacted(place) => Spot::masked(facts, sighting, place.clone()),
        }
    }

    pub(crate) fn into_lookup(self, facts: &'a Facts, sighting: &'a Sighting) -> Lookup<'a> {
        let cited = |values: Vec<(&'a Node, Place<'a>)>| {
            let one = |(node, place): (&'a Node, Place<'a>)| (node, Spot::value(facts, sighting, place, node));
            values.into_iter().map(one).collect()
        };
        match self {
            Seen::Found { values, .. } | Seen::OneOf(values) => Lookup::Found(cited(values)),
            Seen::AtLeast(values) => Lookup::AtLeast(cited(values)),
            Seen::NotSet(place) => Lookup::NotSet(Spot::none(facts, sighting, place)),
            Seen::NotSetOrEmpty(place) => Lookup::NotSetOrEmpty(Spot::none(facts, sighting, place)),
            Seen::Redacted(place) => Lookup::Redacted(Spot::masked(facts, sighting, place)),
        }
    }
}

/// What one sighting says about a path; `None` if it does not show it.
pub(crate) fn see<'a>(record: &'a ObjectRecord, path: &Path) -> Option<Seen<'a>> {
    let mut nothing = match see_exactly(record, path) {
        Some(said @ (Seen::Found { .. } | Seen::Redacted(_))) => return Some(said),
        other => other,
    };
    for other in event::other_paths(record, path) {
        match see_exactly(record, &other) {
            Some(said @ (Seen::Found { .. } | Seen::Redacted(_))) => return Some(said),
            other => nothing = nothing.or(other),
        }
    }
    nothing
}

/// A word that kubectl works out for its table and that is no field: an object without it says nothing of it.
pub fn only_printed(path: &Path) -> bool {
    matches!(&path.0[..], [Step::Field(status), Step::Field(name)] if status == "status"
    && matches!(
        name.as_str(),
        "kubectlStatus"
            | "kubectlAge"
            | "kubectlEndpoints"
            | "kubectlLastSeen"
            | "kubectlMemberAgentLastSeen"
            | "readyContainers"
            | "totalContainers"
            | "restarts"
    ))
}

/// What the API server gives every object that it keeps: where a text has none, somebody left it out.
fn always_given(path: &Path) -> bool {
    matches!(&path.0[..], [Step::Field(metadata), Step::Field(name)]
        if metadata == "metadata" && name == "creationTimestamp")
}

/// The same, for this path under no other name.
pub(crate) fn see_exactly<'a>(record: &'a ObjectRecord, path: &Path) -> Option<Seen<'a>> {
    see_by(record, &record.shown, path)
}

/// What the text of a manifest says by itself: what is missing in a part that it shows whole is not set there.
pub(crate) fn see_text<'a>(record: &'a ObjectRecord, path: &Path) -> Option<Seen<'a>> {
    see_by(record, record.shown.text(), path)
}

/// Does its form print what is no field? A description prints the ages of its events.
fn prints(record: &ObjectRecord, path: &Path) -> bool {
    record.form == Form::Table || !only_printed(path) || described_age(record, path)
}

fn described_age(record: &ObjectRecord, path: &Path) -> bool {
    record.form == Form::TypedDescribe
        && record.kind.as_ref().is_some_and(|kind| kind.plural == "events")
        && path.0.get(1).is_some_and(|name| name.is_named("kubectlLastSeen"))
}

fn see_by<'a>(record: &'a ObjectRecord, shown: &Shown, path: &Path) -> Option<Seen<'a>> {
    let described = matches!(record.form, Form::Describe | Form::TypedDescribe);
    if described && left_out_by_describe(path) || !prints(record, path) {
        return None;
    }
    let covered = shown.covers(path);
    let Walk { values, deepest, redacted, unclear, .. } = Walk::down(record, described, path);
    if unclear && values.is_empty() {
        return None;
    }
    if let Some(place) = redacted
        && values.is_empty()
    {
        return Some(Seen::Redacted(place));
    }
    let deepest = deepest.map(|(_, place)| place).unwrap_or_default();
    if !covered || always_given(path) {
        return of_uncovered(path, values);
    }
    of_covered(record, shown, path, values, deepest)
}

/// What is known where the form does not show all that may stand at the path.
fn of_uncovered<'a>(path: &Path, mut values: Vec<(&'a Node, Place<'a>)>) -> Option<Seen<'a>> {
    // Of a list that is not shown whole, an item by its number may be another one. What tells items apart (a type, a name)
    // picks one, and what is seen of it is known; by any other field some are picked, and those that are seen are there.
    let picks_some = |step: &Step| matches!(step, Step::Pick { field, .. } if !tells_apart(field));
    let some = path.0.contains(&Step::All) || path.0.iter().any(picks_some);
    if path.0.iter().any(|step| matches!(step, Step::Index(_))) && !some {
        return None;
    }
    values.retain(|(node, _)| !node.value.is_empty());
    if some {
        return (!values.is_empty()).then_some(Seen::AtLeast(values));
    }
    let fragment = values.iter().any(|(node, _)| matches!(node.value, Value::Map(_) | Value::List(_)));
    (!values.is_empty()).then_some(Seen::Found { values, fragment })
}

/// What is known where the form shows all that stands at the path.
fn of_covered<'a>(
    record: &ObjectRecord,
    shown: &Shown,
    path: &Path,
    mut values: Vec<(&'a Node, Place<'a>)>,
    deepest: Place<'a>,
) -> Option<Seen<'a>> {
    let described = matches!(record.form, Form::Describe | Form::TypedDescribe);
    // Label and annotation values may be empty and are then printed as nothing.
    let exact_text = path.0.len() > 2
        && path.0[0].is_named("metadata")
        && (path.0[1].is_named("labels") || path.0[1].is_named("annotations"));
    let blank = |node: &Node| match &node.value {
        Value::Null => true,
        Value::Text(_) => !exact_text && node.value.is_empty(),
        _ => false,
    };
    let empty =
        values.iter().find(|(node, _)| matches!(&node.value, Value::Text(_)) && blank(node)).map(|(_, p)| p.clone());
    let null = values.iter().find(|(node, _)| blank(node)).map(|(_, place)| place.clone());
    values.retain(|(node, _)| !blank(node));
    if values.iter().any(|(node, _)| node.value.is_redacted()) && values.len() == 1 {
        return values.pop().map(|(_, place)| Seen::Redacted(place));
    }
    // No list holds two items that are picked by one type or name: they are what the cell may stand for.
    if record.form == Form::Table && values.len() > 1 && !path.0.contains(&Step::All) {
        return Some(Seen::OneOf(values));
    }
    if matches!(shown, Shown::Kept | Shown::Manifest(_)) {
        let fragment = values.iter().any(|(node, _)| matches!(node.value, Value::Map(_) | Value::List(_)));
        return (!values.is_empty()).then_some(Seen::Found { values, fragment });
    }
    if !values.is_empty() {
        // `kubectl describe` cuts long annotations and leaves some metadata out.
        let cut = described && exact_text && values.iter().any(|(n, _)| n.as_str().is_some_and(|t| t.ends_with("...")));
        let fragment = described && path.0.len() <= 2 && path.0.first().is_none_or(|step| step.is_named("metadata"));
        let fragment = fragment && values.iter().any(|(node, _)| matches!(node.value, Value::Map(_)));
        return (!cut).then_some(Seen::Found { values, fragment });
    }
    if described && whole_annotations(path) {
        // `<none>` there may hide what describe leaves out.
        return None;
    }
    if let Some(place) = empty {
        return Some(Seen::NotSetOrEmpty(place));
    }
    if let Some(place) = null {
        return Some(Seen::NotSet(place));
    }
    match shown {
        // The cell of this very path was empty; what lies below an empty cell is not set.
        Shown::Paths(paths)
            if record.form != Form::Derived
                && !names_another(path)
                && paths.iter().any(|p| p.0.len() == path.0.len() && p.is_prefix_of(path)) =>
        {
            Some(Seen::NotSetOrEmpty(deepest))
        }
        _ => Some(Seen::NotSet(deepest)),
    }
}

/// The name in a reference to another object (`status.nodeRef.name`): where there is a reference, its name is
/// not empty.
pub(crate) fn names_another(path: &Path) -> bool {
    matches!(&path.0[..], [.., Step::Field(reference), Step::Field(name)]
        if name == "name" && reference.ends_with("Ref"))
}

/// Fields that `kubectl describe` never prints, whatever the object holds.
/// Source: `kubernetes/kubectl:pkg/describe/describe.go`, `genericDescriber` and `skipAnnotations`.
pub(crate) fn left_out_by_describe(path: &Path) -> bool {
    let field = |i: usize, name: &str| path.0.get(i).is_some_and(|step| step.is_named(name));
    field(0, "metadata")
        && (field(1, "managedFields")
            || field(1, "annotations") && field(2, "kubectl.kubernetes.io/last-applied-configuration"))
}

/// `metadata.annotations` as a whole.
pub(crate) fn whole_annotations(path: &Path) -> bool {
    let field = |i: usize, name: &str| path.0.get(i).is_some_and(|step| step.is_named(name));
    path.0.len() == 2 && field(0, "metadata") && field(1, "annotations")
}

/// Do two trees say the same? Scalars by [`Value::same_as`], maps by field names, lists in order;
/// nothing and null are the same, and so are two bounds of a derived number.
pub(crate) fn same(a: &Node, b: &Node) -> bool {
    match (&a.value, &b.value) {
        (Value::Map(x), Value::Map(y)) => {
            x.iter().all(|(k, v)| b.field(k).map_or(v.value.is_empty(), |w| same(v, w)))
                && y.iter().all(|(k, v)| a.field(k).map_or(v.value.is_empty(), |w| same(v, w)))
        }
        (Value::List(x), Value::List(y)) => x.len() == y.len() && x.iter().zip(y).all(|(v, w)| same(v, w)),
        (Value::Null, other) | (other, Value::Null) => other.is_empty(),
        // `kubectl describe` prints a list of one item like the item.
        (Value::List(x), _) if x.len() == 1 => same(&x[0], b),
        (_, Value::List(y)) if y.len() == 1 => same(a, &y[0]),
        (Value::Redacted(_), _) | (_, Value::Redacted(_)) => true,
        (Value::Range(..), _) => a.value == b.value,
        (Value::Text(x) | Value::Str(x), Value::Text(y) | Value::Str(y)) if x == y => true,
        // Printed forms drop the blanks around a text.
        (Value::Text(x), Value::Str(y) | Value::Text(y)) | (Value::Str(x), Value::Text(y)) if x.trim() == y.trim() => {
            true
        }
        // A masked text is no other reading of what another source shows.
        (Value::Str(x) | Value::Text(x), Value::Str(y) | Value::Text(y))
            if masked_text::masked(x).is_some() || masked_text::masked(y).is_some() =>
        {
            masked_text::may_be_one(x.trim(), y.trim())
        }
        (x, y) => x.same_as(y) || x.is_empty() && y.is_empty(),
    }
}
