//! A partial object while it is put together: a tree, and what of it the form shows.
//!
//! Invariant: a path is noted as shown only by whoever knows that the form prints it whenever it is set; a
//! value in the tree without such a note is true, and says nothing of what else there is.

use crate::node::{Node, Value};
use crate::object::Shown;
use crate::path::{Path, Step};

/// The tree and the shown paths of one sighting.
#[derive(Debug, Clone, PartialEq)]
pub struct Partial {
    /// The tree.
    pub node: Node,
    /// The shown paths, in the order in which they were noted.
    pub shown: Vec<Path>,
}

impl Partial {
    /// Nothing yet, at a line.
    pub fn new(line: u32) -> Self {
        Self { node: Node::map(line), shown: Vec::new() }
    }

    /// Puts a value at a path without saying that the form shows all that is there.
    pub fn put(&mut self, path: &Path, value: Node) {
        let line = value.line;
        put(&mut self.node, &path.0, value, line);
    }

    /// Notes that the form shows this path.
    pub fn note(&mut self, path: Path) {
        self.shown.push(path);
    }

    /// Notes a path as shown, with its value; without one it is shown empty.
    pub fn show(&mut self, path: &Path, value: Option<Node>) {
        if let Some(value) = value {
            self.put(path, value);
        }
        self.note(path.clone());
    }

    /// The first item of the list at a path of plain fields.
    pub fn node_at_first(&mut self, keys: &[&str]) -> Option<&mut Node> {
        let mut node = &mut self.node;
        for key in keys {
            let Value::Map(entries) = &mut node.value else { return None };
            node = entries.iter_mut().find(|(name, _)| **name == **key).map(|(_, child)| child)?;
        }
        match &mut node.value {
            Value::List(items) => items.first_mut(),
            _ => None,
        }
    }

    /// The tree, and what of it is shown, each path once.
    pub fn finish(mut self) -> (Node, Shown) {
        self.shown.sort();
        self.shown.dedup();
        (self.node, Shown::Paths(self.shown.into()))
    }
}

/// Puts a value at a path, making maps and list items on the way. A step that takes several items holds no
/// single value: then nothing happens.
fn put(node: &mut Node, steps: &[Step], value: Node, line: u32) {
    let Some((step, rest)) = steps.split_first() else {
        *node = value;
        return;
    };
    match step {
        Step::Field(name) | Step::Key(name) => {
            if !matches!(node.value, Value::Map(_)) {
                node.value = Value::Map(Vec::new());
            }
            if let Value::Map(entries) = &mut node.value {
                let index = entries.iter().position(|(k, _)| **k == **name).unwrap_or_else(|| {
                    entries.push((name.as_str().into(), Node::new(line, Value::Null)));
                    entries.len() - 1
                });
                if let Some((_, child)) = entries.get_mut(index) {
                    put(child, rest, value, line);
                }
            }
        }
        Step::Pick { field, value: wanted } => {
            if !matches!(node.value, Value::List(_)) {
                node.value = Value::List(Vec::new());
            }
            if let Value::List(items) = &mut node.value {
                let is_it = |item: &Node| item.get(field).and_then(Node::as_str) == Some(wanted.as_str());
                let index = items.iter().position(is_it).unwrap_or_else(|| {
                    let mut item = Node::map(line);
                    item.set(field, Node::text(line, wanted.as_str()));
                    items.push(item);
                    items.len() - 1
                });
                if let Some(item) = items.get_mut(index) {
                    put(item, rest, value, line);
                }
            }
        }
        Step::All | Step::Index(_) => {}
    }
}

/// A path of plain field names.
pub fn fields(names: &[&str]) -> Path {
    Path(names.iter().map(|n| Step::Field((*n).to_owned())).collect())
}

/// A path as it is written in code: field names with dots between them, `[*]` for every item of a list.
/// Never fails: the text is a constant.
pub fn dotted(text: &str) -> Path {
    let mut steps = Vec::new();
    for word in text.split('.') {
        let (name, all) = word.strip_suffix("[*]").map_or((word, false), |name| (name, true));
        if !name.is_empty() {
            steps.push(Step::Field(name.to_owned()));
        }
        if all {
            steps.push(Step::All);
        }
    }
    Path(steps)
}
