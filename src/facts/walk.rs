//! Down a tree along a path: which values stand there, and where each of them stands.
//!
//! Invariant: a walk is bounded, whatever the tree.

use crate::node::{Node, Value};
use crate::path::Step;

/// A place in the tree of a sighting.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Place {
    /// Its line; 0 where the form has none.
    pub(crate) line: u32,
    /// Path from the object, with the places of list items: `status.conditions[1].status`.
    pub(crate) path: String,
    /// The key under which the last step found it, as printed.
    pub(crate) key: String,
}

/// A walk down a tree along a path.
#[derive(Default)]
pub(crate) struct Walk<'a> {
    pub(crate) values: Vec<(&'a Node, Place)>,
    /// The deepest place that exists on the way.
    pub(crate) deepest: Option<(usize, Place)>,
    /// A masked value on the way hides what lies below it.
    pub(crate) redacted: Option<Place>,
    /// Items looked at, bounded.
    pub(crate) steps: usize,
    /// The tree comes from `kubectl describe`, which prints keys in title case: `app` as `App`.
    pub(crate) described: bool,
    /// A key was printed that may be the wanted one or another that differs in case.
    pub(crate) unclear: bool,
}

/// Most nodes that one walk visits: `[*][*]` over foreign lists stays cheap.
pub(crate) const MAX_VISITED: usize = 100_000;

impl<'a> Walk<'a> {
    pub(crate) fn go(&mut self, node: &'a Node, steps: &[Step], place: Place) {
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
pub(crate) fn items(node: &Node) -> &[Node] {
    if matches!(node.value, Value::Map(_)) { std::slice::from_ref(node) } else { node.items() }
}

pub(crate) fn below(place: &Place, key: &str, child: &Node) -> Place {
    let plain = key.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-'));
    let path = match (plain, place.path.is_empty()) {
        (true, true) => key.to_owned(),
        (true, false) => format!("{}.{key}", place.path),
        (false, _) => format!("{}[\"{key}\"]", place.path),
    };
    Place { line: if child.line > 0 { child.line } else { place.line }, path, key: key.to_owned() }
}

pub(crate) fn item_of(place: &Place, index: usize, item: &Node) -> Place {
    Place {
        line: if item.line > 0 { item.line } else { place.line },
        path: format!("{}[{index}]", place.path),
        key: place.key.clone(),
    }
}
