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
    way: Way,
}

/// Marks a step to an item of a list; the others go to an entry of a map.
const ITEM: u32 = 1 << 31;

/// Steps of a way that are kept without an allocation.
const FEW: usize = 6;

/// The way from the object to a place: of each step the number of the entry or item. Not names, since places are made for
/// millions of values and copied on their way; not a `SmallVec`, for that would tie what is looked up to one lifetime.
#[derive(Debug, Clone, PartialEq, Default)]
struct Way {
    few: [u32; FEW],
    length: usize,
    /// What is beyond the few.
    more: Vec<u32>,
}

impl Way {
    fn push(&mut self, step: u32) {
        match self.few.get_mut(self.length) {
            Some(free) => *free = step,
            None => self.more.push(step),
        }
        self.length += 1;
    }

    fn pop(&mut self) {
        self.length = self.length.saturating_sub(1);
        match self.few.get_mut(self.length) {
            Some(free) => *free = 0,
            None => drop(self.more.pop()),
        }
    }

    fn steps(&self) -> impl Iterator<Item = u32> {
        self.few.iter().take(self.length).chain(&self.more).copied()
    }
}

impl Place<'_> {
    /// Path from the object, whose tree this is, with the places of list items: `status.conditions[1].status`.
    pub(crate) fn path(&self, tree: &Node) -> String {
        let mut path = String::new();
        let mut node = Some(tree);
        for step in self.way.steps() {
            if step & ITEM != 0 {
                let index = step & !ITEM;
                path.push_str(&format!("[{index}]"));
                node = node.and_then(|node| items(node).get(index as usize));
                continue;
            }
            let Some((key, child)) = node.and_then(|node| node.entries().get(step as usize)) else { break };
            if key.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-')) {
                if !path.is_empty() {
                    path.push('.');
                }
                path.push_str(key);
            } else {
                path.push_str(&format!("[\"{key}\"]"));
            }
            node = Some(child);
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
                if let Some(index) = node.position(name) {
                    goes_on = true;
                    self.below(node, index, rest);
                }
            }
            Step::Key(name) => {
                if let Some(index) = node.entries().iter().position(|(k, _)| k.as_str() == name) {
                    goes_on = true;
                    self.below(node, index, rest);
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
                let before = self.values.len();
                for (i, item) in items(node).iter().enumerate() {
                    goes_on = true;
                    self.item(i, item, rest);
                }
                // A map whose own fields are not meant has one entry for each name: disks, checks, properties.
                let by_name = if self.values.len() == before && !rest.is_empty() { node.entries().len() } else { 0 };
                for entry in 0..by_name {
                    self.below(node, entry, rest);
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

    /// On to an entry of a map.
    fn below(&mut self, node: &'a Node, index: usize, rest: &[Step]) {
        let Some((key, child)) = node.entries().get(index) else { return };
        let before = std::mem::replace(&mut self.here.key, key);
        self.step(number(index), child, rest);
        self.here.key = before;
    }

    /// On to an item.
    fn item(&mut self, index: usize, item: &'a Node, rest: &[Step]) {
        self.step(number(index) | ITEM, item, rest);
    }

    fn step(&mut self, step: u32, node: &'a Node, rest: &[Step]) {
        let line = self.here.line;
        if node.line > 0 {
            self.here.line = node.line;
        }
        self.here.way.push(step);
        self.go(node, rest);
        self.here.way.pop();
        self.here.line = line;
    }
}

/// The number of an entry or item, of which no tree has so many that one would be taken for another.
fn number(index: usize) -> u32 {
    u32::try_from(index).unwrap_or(u32::MAX) & !ITEM
}

/// The items of a list. A map is a list of one: that is all that `kubectl describe` shows of such a list,
/// and a path never picks items of a map otherwise.
pub(crate) fn items(node: &Node) -> &[Node] {
    if matches!(node.value, Value::Map(_)) { std::slice::from_ref(node) } else { node.items() }
}
