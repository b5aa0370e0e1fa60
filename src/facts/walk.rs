//! Down a tree along a path: which values stand there, and where each of them stands.
//!
//! Invariant: a walk is bounded, whatever the tree.

use crate::node::{Node, Value};
use crate::path::Step;

/// A place in the tree of a sighting. It is made for every value that is looked at, and said for few: what it is called
/// is put together where somebody asks.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Place<'a> {
    /// Its line; 0 where the form has none.
    pub(crate) line: u32,
    /// The key under which the last step found it, as printed.
    pub(crate) key: &'a str,
    way: Way<'a>,
}

/// One step of the way to a place.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
enum Part<'a> {
    #[default]
    Top,
    Key(&'a str),
    Item(u32),
}

/// Steps of a way that are kept without an allocation.
const FEW: usize = 6;

/// The way from the object to a place. Not a `SmallVec`, for that would tie what is looked up to one lifetime.
#[derive(Debug, Clone, PartialEq, Default)]
struct Way<'a> {
    few: [Part<'a>; FEW],
    length: usize,
    /// What is beyond the few.
    more: Vec<Part<'a>>,
}

impl<'a> Way<'a> {
    fn push(&mut self, part: Part<'a>) {
        match self.few.get_mut(self.length) {
            Some(free) => *free = part,
            None => self.more.push(part),
        }
        self.length += 1;
    }

    fn parts(&self) -> impl Iterator<Item = &Part<'a>> {
        self.few.iter().take(self.length).chain(&self.more)
    }
}

impl<'a> Place<'a> {
    /// The object itself.
    pub(crate) fn top(line: u32) -> Self {
        Self { line, ..Self::default() }
    }

    /// Path from the object, with the places of list items: `status.conditions[1].status`.
    pub(crate) fn path(&self) -> String {
        let mut path = String::new();
        for part in self.way.parts() {
            match part {
                Part::Top => {}
                Part::Key(key) if key.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-')) => {
                    if !path.is_empty() {
                        path.push('.');
                    }
                    path.push_str(key);
                }
                Part::Key(key) => path.push_str(&format!("[\"{key}\"]")),
                Part::Item(index) => path.push_str(&format!("[{index}]")),
            }
        }
        path
    }

    /// The value under a key of it.
    pub(crate) fn below(&self, key: &'a str, child: &Node) -> Self {
        Self { key, ..self.with(Part::Key(key), child) }
    }

    /// An item of it.
    pub(crate) fn item(&self, index: usize, item: &Node) -> Self {
        self.with(Part::Item(u32::try_from(index).unwrap_or(u32::MAX)), item)
    }

    fn with(&self, part: Part<'a>, node: &Node) -> Self {
        let mut to = self.clone();
        to.way.push(part);
        to.line = if node.line > 0 { node.line } else { self.line };
        to
    }
}

/// A walk down a tree along a path.
#[derive(Default)]
pub(crate) struct Walk<'a> {
    pub(crate) values: Vec<(&'a Node, Place<'a>)>,
    /// The deepest place that exists on the way.
    pub(crate) deepest: Option<(usize, Place<'a>)>,
    /// A masked value on the way hides what lies below it.
    pub(crate) redacted: Option<Place<'a>>,
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
    pub(crate) fn go(&mut self, node: &'a Node, steps: &[Step], place: Place<'a>) {
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
                    self.go(child, rest, place.below(key, child));
                }
            }
            Step::Key(name) => {
                if let Some((key, child)) = node.entries().iter().find(|(k, _)| **k == **name) {
                    self.go(child, rest, place.below(key, child));
                } else if self.described && node.entries().iter().any(|(k, _)| crate::node::same_field(k, name)) {
                    self.unclear = true;
                }
            }
            Step::Pick { field, value } => {
                for (i, item) in items(node).iter().enumerate() {
                    if item.field(field).is_some_and(|f| f.value.same_as(&Value::Text(value.as_str().into()))) {
                        self.go(item, rest, place.item(i, item));
                    }
                }
            }
            Step::All => {
                for (i, item) in items(node).iter().enumerate() {
                    self.go(item, rest, place.item(i, item));
                }
            }
            Step::Index(i) => {
                if let Some(item) = items(node).get(*i) {
                    self.go(item, rest, place.item(*i, item));
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
