//! What a path of an object says, over all its sightings: the three-valued heart of the facts.
//!
//! Why here and not in one merged tree: a merged tree forgets who said what. Each question walks the
//! sightings, keeps the latest ones that show the field, and answers only if those agree.
//!
//! Invariants: an answer never depends on the order in which sightings were read; a sighting that does
//! not show a field says nothing about it; disagreement without an order is *unknown*, never a choice.

use crate::event;
use crate::masked_text;
use crate::node::{Node, Value};
use crate::object::{Form, Lookup, Object, ObjectId, ObjectRecord, Shown, Sighting};
use crate::origin::{Citation, MemberId};
use crate::path::{Path, Step};
use crate::store::{Conflict, Facts};
use crate::unknown::{Said, Unknown};
use std::cmp::Ordering;
use std::collections::BTreeSet;

/// Why a derived object leaves a field open, where it says so in `status.whyUnknown`.
fn why_derived(object: &Object) -> Option<String> {
    let mut derived = object.sightings.iter().map(|sighting| &sighting.record).filter(|r| r.form == Form::Derived);
    derived.find_map(|record| record.node.at(&["status", "whyUnknown"])?.value.scalar())
}

/// Most conflicts that are listed for one object.
const MAX_CONFLICTS: usize = 20;

impl Facts {
    /// What a path of an object says.
    pub fn lookup(&self, id: ObjectId, path: &Path) -> Lookup<'_> {
        self.lookup_in(id, path).0
    }

    /// What a path of an object says, and the sighting that says it; none where nothing is known.
    pub fn lookup_in(&self, id: ObjectId, path: &Path) -> (Lookup<'_>, Option<&Sighting>) {
        let object = self.object(id);
        let unknown = |why: Unknown| (Lookup::Unknown(why), None);
        match self.decide(object, path) {
            Decided::Answer(index, seen) => {
                let sighting = &object.sightings[index];
                let answer = seen.into_lookup(self, sighting);
                // What a derived field rests on; where it names nothing of its own, what the object rests on.
                let fields = self.derived_from.get(&id);
                let whole = || fields.and_then(|fields| fields.values().flat_map(|field| &field.citations).next());
                let answer = match self.rests_on(id, path).first().or_else(whole) {
                    Some(citation) => answer.cited(citation),
                    None => answer,
                };
                (answer, Some(sighting))
            }
            Decided::NotShown => {
                let why = self.why_left_open(id, path).map(str::to_owned).or_else(|| why_derived(object));
                unknown(match why {
                    Some(reason) => Unknown::LeftOpen(reason),
                    None => {
                        Unknown::NotShown { kind: object.kind.clone(), name: object.name.clone(), path: path.clone() }
                    }
                })
            }
            Decided::Disagree(all) => {
                let said = all.iter().map(|(index, seen)| {
                    let cited = seen.citation(self, &object.sightings[*index]);
                    let member = self.member_name(cited.member).to_owned();
                    Said { value: seen.in_words(), member, line: cited.line }
                });
                unknown(Unknown::Disagree(said.collect()))
            }
        }
    }

    /// The name of a member, for messages.
    fn member_name(&self, member: MemberId) -> &str {
        self.members.get(&member).map_or("?", String::as_str)
    }

    /// Which sightings win for a path, and whether they agree.
    fn decide<'a>(&self, object: &'a Object, path: &Path) -> Decided<'a> {
        let mut seen: Vec<(usize, Seen<'a>)> = Vec::new();
        for (index, sighting) in object.sightings.iter().enumerate() {
            if let Some(what) = see(&sighting.record, path) {
                seen.push((index, what));
            }
        }
        // A piece of a map says less than any form that shows the whole of it.
        if seen.iter().any(|(_, s)| !s.fragment()) {
            seen.retain(|(_, s)| !s.fragment());
        }
        if seen.len() > 1 {
            let newest: Vec<bool> = seen
                .iter()
                .map(|(a, _)| {
                    !seen
                        .iter()
                        .any(|(b, _)| compare(&object.sightings[*a], &object.sightings[*b]) == Some(Ordering::Less))
                })
                .collect();
            if newest.contains(&true) {
                let mut keep = newest.iter();
                seen.retain(|_| keep.next().copied().unwrap_or(true));
            }
        }
        // What a form tells of some items of a list says less than a form that shows the list.
        if seen.iter().any(|(_, s)| !matches!(s, Seen::AtLeast(_) | Seen::Redacted(_))) {
            seen.retain(|(_, s)| !matches!(s, Seen::AtLeast(_)));
        }
        // The best citation first: full forms, then the place in the bundle.
        seen.sort_by(|(a, sa), (b, sb)| {
            let rank = |index: usize, seen: &Seen<'_>| {
                let record = &object.sightings[index].record;
                (
                    seen.weakness(),
                    record.shown != Shown::Everything,
                    record.form,
                    self.member_name(record.member).to_owned(),
                    record.line,
                )
            };
            rank(*a, sa).cmp(&rank(*b, sb))
        });
        let Some((first, rest)) = seen.split_first() else { return Decided::NotShown };
        if rest.iter().all(|(_, other)| first.1.agrees(other)) {
            let (index, seen) = seen.swap_remove(0);
            Decided::Answer(index, seen)
        } else {
            Decided::Disagree(seen)
        }
    }

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
            for b in &object.sightings[..i] {
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
                    .map(|(index, seen)| (seen.in_words(), seen.citation(self, &object.sightings[*index])))
                    .collect();
                values.sort_by(|(a, x), (b, y)| (a, self.place(x)).cmp(&(b, self.place(y))));
                let place = object.namespace.as_deref().map(|n| format!("{n}/")).unwrap_or_default();
                found.push(Conflict {
                    object: format!("{} {place}{}", object.kind, object.name),
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

    /// A citation of a place in the sighting of an object.
    fn cite(&self, sighting: &Sighting, place: &Place, excerpt: &str) -> Citation {
        let record = &sighting.record;
        let line = if place.line > 0 { place.line } else { record.line };
        let excerpt = match self.rows.get(&(record.member, line)) {
            Some(row) if record.form == Form::Table => row,
            _ => excerpt,
        };
        let citation = Citation::line(record.member, line, excerpt);
        match record.form {
            Form::Json | Form::Yaml => {
                let dot = if record.path.is_empty() || place.path.is_empty() { "" } else { "." };
                citation.with_path(format!("{}{dot}{}", record.path, place.path))
            }
            _ => citation,
        }
    }
}

/// The outcome over all sightings.
enum Decided<'a> {
    /// This sighting gives the field.
    Answer(usize, Seen<'a>),
    /// None shows it.
    NotShown,
    /// These all count, and say different things.
    Disagree(Vec<(usize, Seen<'a>)>),
}

/// Which of two sightings of one object is the newer state; `None` where nothing says so.
///
/// Rules: a higher resourceVersion of one UID, else the later place in one transcript, else the later
/// stated time. Equal resourceVersions are one state.
pub fn compare(a: &Sighting, b: &Sighting) -> Option<Ordering> {
    if let (Some(x), Some(y)) = (&a.record.uid, &b.record.uid)
        && x == y
        && let (Some(x), Some(y)) = (a.resource_version, b.resource_version)
    {
        return Some(x.cmp(&y));
    }
    if let (Some(x), Some(y)) = (a.record.order, b.record.order)
        && a.record.member == b.record.member
        && x != y
    {
        return Some(x.cmp(&y));
    }
    match (a.record.time, b.record.time) {
        (Some(x), Some(y)) if x != y => Some(x.cmp(&y)),
        _ => None,
    }
}

/// A place in the tree of a sighting.
#[derive(Debug, Clone, PartialEq, Default)]
struct Place {
    /// Its line; 0 where the form has none.
    line: u32,
    /// Path from the object, with the places of list items: `status.conditions[1].status`.
    path: String,
    /// The key under which the last step found it, as printed.
    key: String,
}

/// What one sighting says about a path.
#[derive(Debug, Clone, PartialEq)]
enum Seen<'a> {
    Found {
        values: Vec<(&'a Node, Place)>,
        fragment: bool,
    },
    /// Values of some items of a list that is not shown whole.
    AtLeast(Vec<(&'a Node, Place)>),
    /// It is one of these: a cell that several values print alike (`NotReady`).
    OneOf(Vec<(&'a Node, Place)>),
    NotSet(Place),
    NotSetOrEmpty(Place),
    Redacted(Place),
}

impl<'a> Seen<'a> {
    fn fragment(&self) -> bool {
        matches!(self, Seen::Found { fragment: true, .. })
    }

    /// Of answers that agree, the one that says most comes first.
    fn weakness(&self) -> u8 {
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
    fn agrees(&self, other: &Seen<'_>) -> bool {
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

    fn in_words(&self) -> String {
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

    fn citation(&self, facts: &Facts, sighting: &Sighting) -> Citation {
        match self {
            Seen::Found { values, .. } | Seen::AtLeast(values) | Seen::OneOf(values) => match values.first() {
                Some((node, place)) => facts.cite(sighting, place, &printed(sighting.record.form, place, node)),
                None => facts.cite(sighting, &Place::default(), ""),
            },
            Seen::NotSet(place) | Seen::NotSetOrEmpty(place) | Seen::Redacted(place) => {
                let excerpt = if place.key.is_empty() {
                    format!(
                        "{}: {}",
                        sighting.record.kind.as_ref().map(ToString::to_string).unwrap_or_default(),
                        sighting.record.name
                    )
                } else if matches!(self, Seen::Redacted(_)) {
                    format!("{}: [redacted]", place.key)
                } else {
                    format!("{}:", place.key)
                };
                facts.cite(sighting, place, &excerpt)
            }
        }
    }

    fn into_lookup(self, facts: &Facts, sighting: &Sighting) -> Lookup<'a> {
        let citation = self.citation(facts, sighting);
        let cited = |values: Vec<(&'a Node, Place)>| {
            let one = |(node, place): (&'a Node, Place)| {
                let excerpt = printed(sighting.record.form, &place, node);
                (node, facts.cite(sighting, &place, &excerpt))
            };
            values.into_iter().map(one).collect()
        };
        match self {
            Seen::Found { values, .. } | Seen::OneOf(values) => Lookup::Found(cited(values)),
            Seen::AtLeast(values) => Lookup::AtLeast(cited(values)),
            Seen::NotSet(_) => Lookup::NotSet(citation),
            Seen::NotSetOrEmpty(_) => Lookup::NotSetOrEmpty(citation),
            Seen::Redacted(_) => Lookup::Redacted(citation),
        }
    }
}

/// A value with its key, as the form prints it.
fn printed(form: Form, place: &Place, node: &Node) -> String {
    let key = &place.key;
    match (&node.value, form) {
        (Value::Map(_) | Value::List(_), Form::Json) if !node.value.is_empty() => format!("\"{key}\": {node}"),
        (_, Form::Json) if key.is_empty() => node.to_string(),
        (Value::Str(text), Form::Json) => format!("\"{key}\": \"{text}\""),
        (Value::List(items), _) if items.is_empty() => format!("{key}: []"),
        (Value::Map(entries), _) if entries.is_empty() => format!("{key}: {{}}"),
        (_, Form::Json) => format!("\"{key}\": {node}"),
        _ if key.is_empty() => node.to_string(),
        _ => format!("{key}: {node}"),
    }
}

/// What one sighting says about a path; `None` if it does not show it.
fn see<'a>(record: &'a ObjectRecord, path: &Path) -> Option<Seen<'a>> {
    let mut nothing = None;
    for path in event::paths(record, path) {
        match see_exactly(record, &path) {
            Some(said @ (Seen::Found { .. } | Seen::Redacted(_))) => return Some(said),
            other => nothing = nothing.or(other),
        }
    }
    nothing.or_else(|| see_exactly(record, path))
}

/// A word that kubectl works out for its table and that is no field: an object without it says nothing of it.
fn only_printed(path: &Path) -> bool {
    matches!(&path.0[..], [Step::Field(status), Step::Field(name)] if status == "status"
    && matches!(
        name.as_str(),
        "kubectlStatus"
            | "kubectlAge"
            | "kubectlLastSeen"
            | "kubectlMemberAgentLastSeen"
            | "readyContainers"
            | "totalContainers"
            | "restarts"
    ))
}

/// The same, for this path under no other name.
fn see_exactly<'a>(record: &'a ObjectRecord, path: &Path) -> Option<Seen<'a>> {
    let described = matches!(record.form, Form::Describe | Form::TypedDescribe);
    if described && left_out_by_describe(path) || record.form != Form::Table && only_printed(path) {
        return None;
    }
    let covered = record.shown.covers(path);
    let mut walk = Walk { described, ..Walk::default() };
    walk.go(&record.node, &path.0, Place { line: record.line, ..Place::default() });
    let Walk { mut values, deepest, redacted, unclear, .. } = walk;
    if unclear && values.is_empty() {
        return None;
    }
    if let Some(place) = redacted
        && values.is_empty()
    {
        return Some(Seen::Redacted(place));
    }
    let deepest = deepest.map(|(_, place)| place).unwrap_or_default();
    if !covered {
        // Of a list that is not shown whole, what was picked may not be all there is.
        if path.0.iter().any(|step| matches!(step, Step::Pick { .. } | Step::Index(_))) {
            return None;
        }
        values.retain(|(node, _)| !node.value.is_empty());
        if path.0.contains(&Step::All) {
            return (!values.is_empty()).then_some(Seen::AtLeast(values));
        }
        let fragment = values.iter().any(|(node, _)| matches!(node.value, Value::Map(_) | Value::List(_)));
        return (!values.is_empty()).then_some(Seen::Found { values, fragment });
    }
    // Label and annotation values may be empty and are then printed as nothing.
    let exact_text = path.0.len() > 2
        && path.0[0].same_as(&Step::Field("metadata".to_owned()))
        && (path.0[1].same_as(&Step::Field("labels".to_owned()))
            || path.0[1].same_as(&Step::Field("annotations".to_owned())));
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
    if record.shown == Shown::Kept {
        let fragment = values.iter().any(|(node, _)| matches!(node.value, Value::Map(_) | Value::List(_)));
        return (!values.is_empty()).then_some(Seen::Found { values, fragment });
    }
    if !values.is_empty() {
        // `kubectl describe` cuts long annotations and leaves some metadata out.
        let cut = described && exact_text && values.iter().any(|(n, _)| n.as_str().is_some_and(|t| t.ends_with("...")));
        let fragment = described
            && path.0.len() <= 2
            && path.0.first().is_none_or(|s| s.same_as(&Step::Field("metadata".to_owned())));
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
    match &record.shown {
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
fn names_another(path: &Path) -> bool {
    matches!(&path.0[..], [.., Step::Field(reference), Step::Field(name)]
        if name == "name" && reference.ends_with("Ref"))
}

/// Fields that `kubectl describe` never prints, whatever the object holds.
/// Source: `kubernetes/kubectl:pkg/describe/describe.go`, `genericDescriber` and `skipAnnotations`.
fn left_out_by_describe(path: &Path) -> bool {
    let field = |i: usize, name: &str| path.0.get(i).is_some_and(|s| s.same_as(&Step::Field(name.to_owned())));
    field(0, "metadata")
        && (field(1, "managedFields")
            || field(1, "annotations") && field(2, "kubectl.kubernetes.io/last-applied-configuration"))
}

/// `metadata.annotations` as a whole.
fn whole_annotations(path: &Path) -> bool {
    let field = |i: usize, name: &str| path.0.get(i).is_some_and(|s| s.same_as(&Step::Field(name.to_owned())));
    path.0.len() == 2 && field(0, "metadata") && field(1, "annotations")
}

/// A walk down a tree along a path.
#[derive(Default)]
struct Walk<'a> {
    values: Vec<(&'a Node, Place)>,
    /// The deepest place that exists on the way.
    deepest: Option<(usize, Place)>,
    /// A masked value on the way hides what lies below it.
    redacted: Option<Place>,
    /// Items looked at, bounded.
    steps: usize,
    /// The tree comes from `kubectl describe`, which prints keys in title case: `app` as `App`.
    described: bool,
    /// A key was printed that may be the wanted one or another that differs in case.
    unclear: bool,
}

/// Most nodes that one walk visits: `[*][*]` over foreign lists stays cheap.
const MAX_VISITED: usize = 100_000;

impl<'a> Walk<'a> {
    fn go(&mut self, node: &'a Node, steps: &[Step], place: Place) {
        self.steps += 1;
        if self.steps > MAX_VISITED {
            return;
        }
        let Some((step, rest)) = steps.split_first() else {
            self.values.push((node, place));
            return;
        };
        // Depth is told by what is left of the path: less left is deeper.
        if self.deepest.as_ref().is_none_or(|(left, _)| steps.len() < *left) {
            self.deepest = Some((steps.len(), place.clone()));
        }
        if node.value.is_redacted() {
            self.redacted.get_or_insert(place);
            return;
        }
        match step {
            Step::Field(name) => {
                let found = match &node.value {
                    Value::Map(entries) => entries
                        .iter()
                        .find(|(k, _)| **k == **name)
                        .or_else(|| entries.iter().find(|(k, _)| crate::node::same_field(k, name))),
                    _ => None,
                };
                if let Some((key, child)) = found {
                    self.go(child, rest, below(&place, key, child));
                }
            }
            Step::Key(name) => {
                if let Some((key, child)) = node.entries().iter().find(|(k, _)| **k == **name) {
                    self.go(child, rest, below(&place, key, child));
                } else if self.described && node.entries().iter().any(|(k, _)| crate::node::same_field(k, name)) {
                    self.unclear = true;
                }
            }
            Step::Pick { field, value } => {
                for (i, item) in items(node).iter().enumerate() {
                    if item.field(field).is_some_and(|f| f.value.same_as(&Value::Text(value.as_str().into()))) {
                        self.go(item, rest, item_of(&place, i, item));
                    }
                }
            }
            Step::All => {
                for (i, item) in items(node).iter().enumerate() {
                    self.go(item, rest, item_of(&place, i, item));
                }
            }
            Step::Index(i) => {
                if let Some(item) = items(node).get(*i) {
                    self.go(item, rest, item_of(&place, *i, item));
                }
            }
        }
    }
}

/// The items of a list. A map is a list of one: that is all that `kubectl describe` shows of such a list,
/// and a path never picks items of a map otherwise.
fn items(node: &Node) -> &[Node] {
    if matches!(node.value, Value::Map(_)) { std::slice::from_ref(node) } else { node.items() }
}

fn below(place: &Place, key: &str, child: &Node) -> Place {
    let plain = key.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-'));
    let path = match (plain, place.path.is_empty()) {
        (true, true) => key.to_owned(),
        (true, false) => format!("{}.{key}", place.path),
        (false, _) => format!("{}[\"{key}\"]", place.path),
    };
    Place { line: if child.line > 0 { child.line } else { place.line }, path, key: key.to_owned() }
}

fn item_of(place: &Place, index: usize, item: &Node) -> Place {
    Place {
        line: if item.line > 0 { item.line } else { place.line },
        path: format!("{}[{index}]", place.path),
        key: place.key.clone(),
    }
}

/// Do two trees say the same? Scalars by [`Value::same_as`], maps by field names, lists in order;
/// nothing and null are the same, and so are two bounds of a derived number.
fn same(a: &Node, b: &Node) -> bool {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kind::KindName;
    use crate::object::ContextId;

    fn path(text: &str) -> Path {
        Path::parse(text).unwrap()
    }

    fn map(line: u32, entries: Vec<(&str, Node)>) -> Node {
        Node::new(line, Value::Map(entries.into_iter().map(|(k, v)| (k.into(), v)).collect()))
    }

    fn record(member: u32, form: Form, shown: Shown, node: Node) -> ObjectRecord {
        ObjectRecord {
            kind: Some(KindName::parse("machines.cluster.x-k8s.io")),
            api_version: None,
            namespace: Some("ns".to_owned()),
            name: "m".to_owned(),
            uid: None,
            form,
            shown,
            node,
            member: MemberId(member),
            line: 1,
            path: if form == Form::Json { "items[2]".to_owned() } else { String::new() },
            order: None,
            time: None,
        }
    }

    fn full(member: u32, phase: &str) -> ObjectRecord {
        let ready = map(6, vec![("type", Node::str(6, "Ready")), ("status", Node::str(7, "False"))]);
        let status =
            map(3, vec![("phase", Node::str(4, phase)), ("conditions", Node::new(5, Value::List(vec![ready])))]);
        record(member, Form::Json, Shown::Everything, map(1, vec![("status", status)]))
    }

    fn table(member: u32, phase: &str) -> ObjectRecord {
        let mut node = Node::map(2);
        if !phase.is_empty() {
            node.set_at(&["status", "phase"], Node::text(2, phase));
        }
        node.set_at(&["metadata", "labels"], map(2, vec![("a/b", Node::str(2, ""))]));
        let shown = Shown::Paths(vec![path("metadata.name"), path("status.phase"), path("metadata.labels")]);
        ObjectRecord { line: 2, ..record(member, Form::Table, shown, node) }
    }

    fn facts(records: Vec<ObjectRecord>) -> Facts {
        let sightings = records
            .into_iter()
            .map(|record| {
                let version = record.node.at(&["metadata", "resourceVersion"]).and_then(Node::as_str);
                Sighting { resource_version: version.and_then(|v| v.parse().ok()), record }
            })
            .collect();
        let object = Object {
            context: ContextId(0),
            kind: KindName::parse("machines.cluster.x-k8s.io"),
            namespace: Some("ns".to_owned()),
            name: "m".to_owned(),
            uid: None,
            sightings,
            shadow: false,
        };
        let members = (0..4).map(|i| (MemberId(i), format!("file{i}"))).collect();
        let rows = [((MemberId(1), 2), "m   Provisioned   3d".into())].into();
        Facts { objects: vec![object], members, rows, ..Facts::default() }
    }

    fn ask(facts: &Facts, text: &str) -> String {
        let cited = |c: &Citation| format!("{}:{} {} `{}`", c.member.0, c.line, c.path, c.excerpt);
        match facts.lookup(ObjectId(0), &path(text)) {
            Lookup::Found(all) => {
                all.iter().map(|(n, c)| format!("{n} @ {}", cited(c))).collect::<Vec<_>>().join(" | ")
            }
            Lookup::NotSet(c) => format!("not set @ {}", cited(&c)),
            Lookup::NotSetOrEmpty(c) => format!("not set or empty @ {}", cited(&c)),
            Lookup::Redacted(c) => format!("redacted @ {}", cited(&c)),
            Lookup::AtLeast(values) => {
                format!("at least {}", values.iter().map(|(node, _)| node.to_string()).collect::<Vec<_>>().join("|"))
            }
            Lookup::Unknown(why) => format!("unknown: {why:?}"),
        }
    }

    fn versioned(mut record: ObjectRecord, uid: &str, version: &str) -> ObjectRecord {
        record.uid = Some(uid.to_owned());
        record.node.set_at(&["metadata", "resourceVersion"], Node::str(2, version));
        record
    }

    #[test]
    fn objects_1_a_full_form_shows_values_and_what_is_not_set() {
        let f = facts(vec![full(0, "Provisioned")]);
        insta::assert_snapshot!(ask(&f, "status.phase"), @r#"Provisioned @ 0:4 items[2].status.phase `"phase": "Provisioned"`"#);
        insta::assert_snapshot!(ask(&f, "status.conditions[type=Ready].status"), @r#"False @ 0:7 items[2].status.conditions[0].status `"status": "False"`"#);
        insta::assert_snapshot!(ask(&f, "status.nodeRef"), @"not set @ 0:3 items[2].status `status:`");
        insta::assert_snapshot!(ask(&f, "status.conditions[type=Other].status"), @"not set @ 0:5 items[2].status.conditions `conditions:`");
    }

    #[test]
    fn objects_1_a_table_row_shows_its_columns_and_nothing_else() {
        let f = facts(vec![table(1, "Provisioned")]);
        insta::assert_snapshot!(ask(&f, "status.phase"), @"Provisioned @ 1:2  `m   Provisioned   3d`");
        insta::assert_snapshot!(ask(&f, "status.nodeRef"), @"unknown: machines.cluster.x-k8s.io `m` is here, but nothing that was collected of it shows `status.nodeRef`");
        insta::assert_snapshot!(ask(&f, "status.conditions[type=Ready].status"), @"unknown: machines.cluster.x-k8s.io `m` is here, but nothing that was collected of it shows `status.conditions[type=Ready].status`");
    }

    #[test]
    fn objects_1_an_empty_cell_is_not_set_or_empty() {
        let f = facts(vec![table(1, "")]);
        assert!(ask(&f, "status.phase").starts_with("not set or empty @ 1:2"), "{}", ask(&f, "status.phase"));
        let mut none = table(1, "<none>");
        none.member = MemberId(1);
        assert!(ask(&facts(vec![none]), "status.phase").starts_with("not set or empty @ 1:2"));
    }

    #[test]
    fn objects_1_a_labels_column_is_complete_and_its_values_may_be_empty() {
        let f = facts(vec![table(1, "Running")]);
        assert!(ask(&f, "metadata.labels[\"a/b\"]").starts_with(" @ 1:2"), "{}", ask(&f, "metadata.labels[\"a/b\"]"));
        assert!(ask(&f, "metadata.labels[\"other\"]").starts_with("not set @ 1:2"));
        assert!(ask(&f, "metadata.annotations[\"other\"]").starts_with("unknown"));
    }

    #[test]
    fn objects_1_a_masked_value_is_redacted_and_hides_what_lies_below() {
        let mut record = full(0, "x");
        record.node.set_at(&["data"], Node::new(9, Value::REDACTED));
        let f = facts(vec![record]);
        assert!(ask(&f, "data").starts_with("redacted @ 0:9"));
        assert!(ask(&f, "data.token").starts_with("redacted @ 0:9"));
    }

    #[test]
    fn objects_1_describe_says_nothing_of_what_it_leaves_out() {
        let mut described = full(0, "Running");
        described.form = Form::Describe;
        described.node.set_at(&["metadata", "annotations"], map(3, vec![("long", Node::text(3, "abc..."))]));
        let f = facts(vec![described]);
        assert!(ask(&f, "metadata.managedFields").starts_with("unknown"));
        assert!(ask(&f, "metadata.annotations[\"long\"]").starts_with("unknown"));
        assert!(ask(&f, "metadata.annotations[\"other\"]").starts_with("not set"));
    }

    #[test]
    fn objects_1_describe_prints_a_list_of_one_like_its_item() {
        let mut described = full(1, "Running");
        described.form = Form::Describe;
        let one = map(6, vec![("Type", Node::text(6, "Ready")), ("Status", Node::text(7, "False"))]);
        described.node.set_at(&["status", "conditions"], one);
        let f = facts(vec![described.clone()]);
        assert!(ask(&f, "status.conditions[type=Ready].status").starts_with("False @ 1:7"));
        assert!(ask(&f, "status.conditions[type=Other].status").starts_with("not set"));
        let f = facts(vec![full(0, "Running"), described]);
        assert!(f.conflicts_of(f.object(ObjectId(0))).is_empty());
    }

    #[test]
    fn objects_1_a_key_that_describe_prints_in_title_case_may_be_another() {
        let mut described = full(0, "Running");
        described.form = Form::Describe;
        described.node.set_at(&["spec", "matchLabels"], map(3, vec![("App", Node::text(3, "web"))]));
        let f = facts(vec![described]);
        assert!(ask(&f, "spec.matchLabels[\"app\"]").starts_with("unknown"));
        assert!(ask(&f, "spec.matchLabels[\"App\"]").starts_with("web"));
        assert!(ask(&f, "spec.matchLabels[\"tier\"]").starts_with("not set"));
    }

    #[test]
    fn objects_3_blanks_that_a_printed_form_drops_are_no_conflict() {
        let f = facts(vec![table(1, "Running"), full(0, "Running ")]);
        let paths: Vec<String> = f.conflicts_of(f.object(ObjectId(0))).into_iter().map(|c| c.path).collect();
        assert_eq!(paths, ["metadata.labels"]);
    }

    #[test]
    fn conflicts_list_their_values_by_member_name_whatever_the_numbers_of_members() {
        let listed = |names: [&str; 2]| {
            let mut f = facts(vec![table(1, "Pending"), table(2, "Failed"), table(0, "Failed")]);
            f.members = [(MemberId(1), "m"), (MemberId(2), names[0]), (MemberId(0), names[1])]
                .map(|(id, name)| (id, name.to_owned()))
                .into();
            let found = f.conflicts_of(f.object(ObjectId(0)));
            found[0].values.iter().map(|(text, c)| format!("{text} {}", f.members[&c.member])).collect::<Vec<_>>()
        };
        assert_eq!(listed(["a", "b"]), ["`Failed` a", "`Failed` b", "`Pending` m"]);
        assert_eq!(listed(["a", "b"]), listed(["b", "a"]));
    }

    #[test]
    fn objects_2_equal_values_come_from_the_full_form() {
        for records in [vec![table(1, "Running"), full(0, "Running")], vec![full(0, "Running"), table(1, "Running")]] {
            assert!(ask(&facts(records), "status.phase").contains("items[2].status.phase"));
        }
    }

    #[test]
    fn objects_3_without_an_order_different_values_are_unknown_and_listed() {
        let f = facts(vec![table(1, "Pending"), full(0, "Running")]);
        insta::assert_snapshot!(ask(&f, "status.phase"), @"unknown: sources disagree and their order is not known: `Running` in file0:4, `Pending` in file1:2");
        let listed = f.conflicts_of(f.object(ObjectId(0)));
        assert_eq!(listed.iter().map(|c| c.path.as_str()).collect::<Vec<_>>(), ["metadata.labels", "status.phase"]);
        let f = facts(vec![full(0, "Running"), full(2, "Failed")]);
        assert_eq!(f.conflicts_of(f.object(ObjectId(0))).len(), 1);
    }

    #[test]
    fn objects_3_the_higher_resource_version_wins_as_an_integer() {
        let f = facts(vec![versioned(full(0, "Old"), "u", "9"), versioned(full(1, "New"), "u", "10")]);
        assert!(ask(&f, "status.phase").starts_with("New @ 1:4"));
        assert!(f.conflicts_of(f.object(ObjectId(0))).is_empty());
        let f = facts(vec![versioned(full(0, "Old"), "u", "9"), versioned(full(1, "New"), "other", "10")]);
        assert!(ask(&f, "status.phase").starts_with("unknown"));
    }

    #[test]
    fn objects_3_the_later_in_one_transcript_wins_and_files_have_no_order() {
        let at = |mut record: ObjectRecord, order| {
            record.order = Some(order);
            record
        };
        let f = facts(vec![at(table(1, "Old"), 1), at(table(1, "New"), 2)]);
        assert!(ask(&f, "status.phase").starts_with("New"));
        let f = facts(vec![at(table(1, "Old"), 1), at(table(2, "New"), 2)]);
        assert!(ask(&f, "status.phase").starts_with("unknown"));
    }

    #[test]
    fn objects_3_the_later_stated_time_wins_and_the_latest_that_shows_a_field_gives_it() {
        let at = |mut record: ObjectRecord, time: &str| {
            record.time = Some(time.parse().unwrap());
            record
        };
        let f = facts(vec![at(full(0, "Old"), "2026-01-01T00:00:00Z"), at(table(1, "New"), "2026-01-02T00:00:00Z")]);
        assert!(ask(&f, "status.phase").starts_with("New"));
        assert!(ask(&f, "status.conditions[type=Ready].status").starts_with("False @ 0:7"));
    }

    #[test]
    fn what_was_cut_from_an_object_is_unknown_and_never_not_set() {
        let cut = ObjectRecord { shown: Shown::Kept, ..full(0, "Running") };
        let f = facts(vec![cut.clone()]);
        assert!(ask(&f, "status.phase").starts_with("Running"));
        assert!(ask(&f, "spec.replicas").starts_with("unknown"));
        assert!(ask(&facts(vec![full(0, "Running")]), "spec.replicas").starts_with("not set"), "whole, it is not set");
        // A form that still shows the field is not argued with.
        let mut node = Node::map(2);
        node.set_at(&["spec", "replicas"], Node::text(2, "3"));
        let row = record(1, Form::Table, Shown::Paths(vec![path("spec.replicas")]), node);
        let f = facts(vec![cut, row]);
        assert!(ask(&f, "spec.replicas").starts_with('3'));
    }

    #[test]
    fn a_piece_of_a_map_does_not_argue_with_the_whole() {
        let f = facts(vec![table(1, "Running"), full(0, "Running")]);
        assert!(ask(&f, "status").contains("@ 0:3"));
        assert!(ask(&facts(vec![table(1, "Running")]), "status").contains("@ 1:2"));
    }
}
