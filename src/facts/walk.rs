//! Down a tree along a path: which values stand there, and where each of them stands.
//!
//! Invariant: a walk is bounded, whatever the tree.

use crate::node::{Node, Value};
use crate::object::ObjectRecord;
use crate::path::{Path, Step};

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

    fn pop(&mut self) {
        self.length = self.length.saturating_sub(1);
        match self.few.get_mut(self.length) {
            Some(free) => *free = Part::Top,
            None => drop(self.more.pop()),
        }
    }

    fn parts(&self) -> impl Iterator<Item = &Part<'a>> {
        self.few.iter().take(self.length).chain(&self.more)
    }
}

impl<'a> Place<'a> {
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
}

/// A walk down a tree along a path.
#[derive(Default)]
pub(crate) struct Walk<'a> {
    pub(crate) values: Vec<(&'a Node, Place<'a>)>,
    /// The deepest place that exists on the way, where no value was found.
    pub(crate) deepest: Option<(usize, Place<'a>)>,
    /// A masked value on the way hides what lies below it.
    pub(crate) redacted: Option<Place<'a>>,
    /// Items looked at, bounded.
    steps: usize,
    /// The tree comes from `kubectl describe`, which prints keys in title case: `app` as `App`.
    described: bool,
    /// A key was printed that may be the wanted one or another that differs in case.
    pub(crate) unclear: bool,
    /// Where the walk is.
    here: Place<'a>,
}

/// Most nodes that one walk visits: `[*][*]` over foreign lists stays cheap.
const MAX_VISITED: usize = 100_000;

impl<'a> Walk<'a> {
    /// Along a path from the top of an object.
    pub(crate) fn down(record: &'a ObjectRecord, described: bool, path: &Path) -> Self {
        let here = Place { line: record.line, ..Place::default() };
        let mut walk = Self { described, here, ..Self::default() };
        walk.go(&record.node, &path.0);
        walk
    }

    fn go(&mut self, node: &'a Node, steps: &[Step]) {
        self.steps += 1;
        if self.steps > MAX_VISITED {
            return;
        }
        let Some((step, rest)) = steps.split_first() else {
            self.values.push((node, self.here.clone()));
            return;
        };
        if node.value.is_redacted() {
            self.ends_here(steps);
            self.redacted.get_or_insert_with(|| self.here.clone());
            return;
        }
        let mut goes_on = false;
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
                    goes_on = true;
                    self.below(key, child, rest);
                }
            }
            Step::Key(name) => {
                if let Some((key, child)) = node.entries().iter().find(|(k, _)| **k == **name) {
                    goes_on = true;
                    self.below(key, child, rest);
                } else if self.described && node.entries().iter().any(|(k, _)| crate::node::same_field(k, name)) {
                    self.unclear = true;
                }
            }
            Step::Pick { field, value } => {
                let value = Value::Text(value.as_str().into());
                for (i, item) in items(node).iter().enumerate() {
                    if item.field(field).is_some_and(|f| f.value.same_as(&value)) {
                        goes_on = true;
                        self.item(i, item, rest);
                    }
                }
            }
            Step::All => {
                for (i, item) in items(node).iter().enumerate() {
                    goes_on = true;
                    self.item(i, item, rest);
                }
            }
            Step::Index(i) => {
                if let Some(item) = items(node).get(*i) {
                    goes_on = true;
                    self.item(*i, item, rest);
                }
            }
        }
        if !goes_on {
            self.ends_here(steps);
        }
    }

    /// The walk goes no further on this way. Depth is told by what is left of the path: less left is deeper.
    fn ends_here(&mut self, left: &[Step]) {
        if self.deepest.as_ref().is_none_or(|(deepest, _)| left.len() < *deepest) {
            self.deepest = Some((left.len(), self.here.clone()));
        }
    }

    /// On under a key.
    fn below(&mut self, key: &'a str, child: &'a Node, rest: &[Step]) {
        let before = std::mem::replace(&mut self.here.key, key);
        self.step(Part::Key(key), child, rest);
        self.here.key = before;
    }

    /// On to an item.
    fn item(&mut self, index: usize, item: &'a Node, rest: &[Step]) {
        self.step(Part::Item(u32::try_from(index).unwrap_or(u32::MAX)), item, rest);
    }

    fn step(&mut self, part: Part<'a>, node: &'a Node, rest: &[Step]) {
        let line = self.here.line;
        if node.line > 0 {
            self.here.line = node.line;
        }
        self.here.way.push(part);
        self.go(node, rest);
        self.here.way.pop();
        self.here.line = line;
    }
}

/// The items of a list. A map is a list of one: that is all that `kubectl describe` shows of such a list,
/// and a path never picks items of a map otherwise.
pub(crate) fn items(node: &Node) -> &[Node] {
    if matches!(node.value, Value::Map(_)) { std::slice::from_ref(node) } else { node.items() }
}
