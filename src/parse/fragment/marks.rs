//! What a part of an object holds that tells its kind: names of its fields and types of its conditions.

use crate::describe::shown_before_end;
use crate::fragment::Place;
use crate::secrets;
use catalogue::kinds::Catalogue;
use catalogue::parts;
use facts::kind::KindName;
use facts::node::{Node, Value};
use facts::object::{Form, ObjectRecord, Shown};
use facts::order::Order;
use facts::path::{Path, Step};
use facts::record::{Parsed, Record};
use facts::until;
use std::collections::BTreeSet;

/// Fields of every object.
const OF_ANY: [&str; 6] = ["apiVersion", "kind", "metadata", "spec", "status", "data"];

/// The same tree as that of an object: a list of conditions, one condition, and fields of a status are put where they
/// belong. `None` if it is no part of an object.
pub(super) fn whole(node: Node) -> Option<Node> {
    let line = node.line;
    let mut root = Node::map(line);
    match &node.value {
        Value::List(items) => {
            let (field, item) = (list_of(items.first()?)?, |item: &Node| list_of(item).is_some());
            if !items.iter().all(item) {
                return None;
            }
            root.set_at(&["status", field], node);
        }
        Value::Map(_) if is_condition(&node) => {
            root.set_at(&["status", "conditions"], Node::new(line, Value::List(vec![node])));
        }
        Value::Map(entries) => {
            let is_status = |key: &str| !OF_ANY.iter().any(|known| known.eq_ignore_ascii_case(key));
            let known = entries.iter().any(|(key, _)| !is_status(key) || plain(key) == "conditions");
            if !known {
                return None;
            }
            for (key, child) in entries {
                let key = OF_ANY.iter().find(|known| known.eq_ignore_ascii_case(key)).map_or(&**key, |known| *known);
                match (&child.value, is_status(key)) {
                    (Value::Null, _) => {}
                    (_, true) => root.set_at(&["status", key], child.clone()),
                    (_, false) => root.set(key, child.clone()),
                }
            }
        }
        _ => return None,
    }
    (!root.entries().is_empty()).then_some(root)
}

/// The list of a status that an item is of.
fn list_of(item: &Node) -> Option<&'static str> {
    if is_condition(item) {
        return Some("conditions");
    }
    (item.field("restartCount").is_some() && item.field("name").is_some()).then_some("containerStatuses")
}

/// A condition has a type and a status, and a reason, message or time.
fn is_condition(node: &Node) -> bool {
    let has = |key: &str| node.field(key).is_some();
    let status = node.field("status").and_then(|status| status.value.scalar());
    let status =
        status.is_some_and(|text| ["True", "False", "Unknown"].iter().any(|known| known.eq_ignore_ascii_case(&text)));
    has("type") && status && ["reason", "message", "lastTransitionTime"].into_iter().any(has)
}

/// The name of a field as the API writes it: `kubectl describe` prints `Bootstrap Ready`.
fn plain(key: &str) -> String {
    let mut chars = key.chars().filter(|c| *c != ' ');
    let first = chars.next().map(|c| c.to_ascii_lowercase());
    first.into_iter().chain(chars).collect()
}

/// What tells the kind of a tree.
pub(super) fn of(root: &Node) -> BTreeSet<String> {
    let mut marks = BTreeSet::new();
    for field in ["spec", "status"] {
        for (key, child) in root.field(field).map(Node::entries).unwrap_or_default() {
            marks.insert(plain(key));
            if plain(key) == "conditions" {
                for item in child.elements() {
                    let text = |key: &str| item.field(key).and_then(|node| node.value.scalar());
                    marks.extend(text("type").map(|text| format!("condition {text}")));
                    marks.extend(text("reason").map(|text| format!("reason {text}")));
                    marks
                        .extend(text("message").iter().flat_map(|text| named(text)).map(|kind| format!("says {kind}")));
                }
            }
        }
    }
    marks
}

/// Words of a message that may be the name of a kind: letters alone, some of them capital within the word. Controllers in
/// Go write `ClusterStagedUpdateRun` and `clusterStagedUpdateRun` for one kind.
fn named(message: &str) -> impl Iterator<Item = String> {
    let words = message.split(|c: char| !c.is_ascii_alphabetic()).filter(|word| word.len() < LONGEST_KIND);
    let is_name = |word: &&str| word.chars().skip(1).any(char::is_uppercase) && word.chars().any(char::is_lowercase);
    words.filter(is_name).take(WORDS).map(|word| {
        let mut chars = word.chars();
        chars.next().into_iter().map(|first| first.to_ascii_uppercase()).chain(chars).collect()
    })
}

/// Letters of the longest name of a kind.
const LONGEST_KIND: usize = 64;
/// Words of a message that are looked at.
const WORDS: usize = 40;

/// The kind of a tree: what it says itself, what was asked for, or what its marks tell.
fn kind(place: &Place<'_>, root: &Node) -> Option<KindName> {
    let text = |key: &str| root.field(key).and_then(Node::as_str).filter(|text| !text.is_empty());
    let own = text("kind").map(|kind| match text("apiVersion").or_else(|| text("API Version")) {
        Some(version) => KindName::guess(version, kind),
        None => Catalogue::shared().typed(kind).unwrap_or_else(|| KindName::guess("", kind)),
    });
    // A word that several groups use leaves the choice to what stands there, among these.
    let meanings = place.meanings();
    let among = |kind: &KindName| meanings.is_empty() || meanings.contains(kind);
    let marked = || Some(parts::kind_of_marks_among(&of(root), among)?.0);
    let kind = own.or_else(|| place.kind()).or_else(marked).or_else(|| place.usual())?;
    Some(Catalogue::shared().canonical(&kind))
}

/// Adds the object that conditions are of; where nothing tells its kind, it is an `Object` of ours. Without conditions
/// it is one only if its kind is told.
pub(super) fn add_of_any_kind(place: &Place<'_>, at: usize, mut root: Node, form: Form, parsed: &mut Parsed) -> bool {
    let conditions = root.at(&["status", "conditions"]).map(Node::elements).unwrap_or_default();
    let has_conditions = !conditions.is_empty() && conditions.iter().all(is_condition);
    if has_conditions && kind(place, &root).is_none() {
        root.set("apiVersion", Node::text(place.first, "casefile.dev/v1"));
        root.set("kind", Node::text(place.first, "Object"));
    }
    add(place, at, root, form, parsed)
}

/// Adds the object that a part is of; `false` if its kind is not told.
pub(super) fn add(place: &Place<'_>, at: usize, root: Node, form: Form, parsed: &mut Parsed) -> bool {
    let mut paths = Vec::new();
    // What stands last may have gone on.
    shown_before_end(&root, &mut Vec::new(), &mut paths);
    add_shown(place, at, (root, paths), form, parsed)
}

/// The same of single fields that somebody let be printed: what they stand in is not shown whole.
pub(super) fn add_fields(place: &Place<'_>, at: usize, root: Node, parsed: &mut Parsed) -> bool {
    let mut paths = Vec::new();
    fields_of(&root, &mut Vec::new(), &mut paths);
    // The last one may have gone on.
    paths.pop();
    add_shown(place, at, (root, paths), Form::Json, parsed)
}

/// The paths of the values of a tree that hold no others; of items those that a type or a name tells apart.
fn fields_of(node: &Node, at: &mut Vec<Step>, paths: &mut Vec<Path>) {
    let fields = node.entries().iter().map(|(key, child)| (Some(Step::Field(key.to_string())), child));
    let inside: Vec<_> = fields.chain(node.items().iter().map(|item| (until::picked(item), item))).collect();
    if inside.is_empty() && !at.is_empty() {
        paths.push(Path(at.clone()));
    }
    for (step, child) in inside {
        let Some(step) = step else { continue };
        at.push(step);
        fields_of(child, at, paths);
        at.pop();
    }
}

/// Adds the object of a tree of which these paths are shown.
fn add_shown(
    place: &Place<'_>,
    at: usize,
    (mut root, paths): (Node, Vec<Path>),
    form: Form,
    parsed: &mut Parsed,
) -> bool {
    let Some(kind) = kind(place, &root) else { return false };
    let line = place.line(at);
    let text = |node: &Node, keys: &[&str]| {
        node.at(keys).and_then(Node::as_str).filter(|text| !text.is_empty()).map(str::to_owned)
    };
    let (name, namespace) = place.asked();
    let name =
        text(&root, &["metadata", "name"]).or_else(|| name.map(str::to_owned)).unwrap_or_else(|| place.unnamed(at));
    let namespace = text(&root, &["metadata", "namespace"]).or_else(|| namespace.map(str::to_owned));
    let uid = text(&root, &["metadata", "uid"]);
    let api_version = text(&root, &["apiVersion"]);
    root.line = line;
    let (node, masked) = secrets::tree(Some(&kind), root);
    parsed.redactions += masked;
    parsed.records.push(Record::Object(Box::new(ObjectRecord {
        kind: Some(kind),
        api_version,
        namespace,
        name,
        uid,
        form,
        shown: Shown::Paths(paths.into()),
        node,
        member: place.member,
        line,
        path: String::new(),
        order: Order::default(),
    })));
    true
}
