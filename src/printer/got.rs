//! What a path says, in the few answers that a cell can have.

use facts::node::{Node, Value};
use facts::object::{Lookup, ObjectId};
use facts::path::Path;
use facts::store::Facts;

/// What a path says.
#[derive(Debug, Clone)]
pub(crate) enum Got<'f> {
    /// These values.
    Nodes(Vec<&'f Node>),
    /// Surely no value.
    Unset,
    /// A value that was masked.
    Masked,
    /// What was collected does not tell.
    Unknown,
}

/// What a path says of an object. Values of some items of a list alone are not the cell: then it is unknown.
pub(crate) fn got<'f>(facts: &'f Facts, id: ObjectId, path: &Path) -> Got<'f> {
    match facts.lookup(id, path) {
        Lookup::Found(values) => {
            let nodes: Vec<&Node> = values.into_iter().map(|(node, _)| node).collect();
            if nodes.iter().all(|node| node.value == Value::Null) { Got::Unset } else { Got::Nodes(nodes) }
        }
        Lookup::NotSet(_) | Lookup::NotSetOrEmpty(_) => Got::Unset,
        Lookup::Redacted(_) => Got::Masked,
        Lookup::AtLeast(_) | Lookup::Unknown(_) => Got::Unknown,
    }
}

/// The same for a path of the program's own.
pub(crate) fn at<'f>(facts: &'f Facts, id: ObjectId, path: &str) -> Got<'f> {
    Path::shared(path).map_or(Got::Unknown, |path| got(facts, id, &path))
}

impl<'f> Got<'f> {
    /// The values one after the other, joined by commas; `None` if there is none.
    pub(crate) fn text(&self) -> Option<String> {
        let Got::Nodes(nodes) = self else { return None };
        let scalars = |node: &&Node| match &node.value {
            Value::List(items) => items.iter().filter_map(|item| item.value.scalar()).collect::<Vec<_>>(),
            value => value.scalar().into_iter().collect(),
        };
        let texts: Vec<String> = nodes.iter().flat_map(scalars).filter(|text| !text.is_empty()).collect();
        (!texts.is_empty()).then(|| texts.join(","))
    }

    /// The number of items or entries of what is there.
    pub(crate) fn count(&self) -> i64 {
        let Got::Nodes(nodes) = self else { return 0 };
        let sizes = nodes.iter().map(|node| match &node.value {
            Value::List(items) => items.len(),
            Value::Map(entries) => entries.len(),
            _ => 1,
        });
        i64::try_from(sizes.sum::<usize>()).unwrap_or(i64::MAX)
    }

    /// A map as labels are printed: `a=b,c=d`.
    pub(crate) fn labels(&self) -> String {
        let Got::Nodes(nodes) = self else { return super::NONE.to_owned() };
        let pair = |(key, value): &(facts::node::SmolStr, Node)| match value.value.scalar() {
            Some(text) if !text.is_empty() => format!("{key}={text}"),
            _ => format!("{key}="),
        };
        let mut pairs: Vec<String> = nodes.iter().flat_map(|node| node.entries()).map(pair).collect();
        // A table or a description prints them as one text.
        pairs.extend(nodes.iter().filter_map(|node| node.as_str()).map(str::to_owned));
        pairs.sort();
        if pairs.is_empty() { super::NONE.to_owned() } else { pairs.join(",") }
    }

    /// The items of a list.
    pub(crate) fn items(&self) -> Vec<&'f Node> {
        let Got::Nodes(nodes) = self else { return Vec::new() };
        nodes.iter().flat_map(|node| node.elements()).collect()
    }

    /// A whole number.
    pub(crate) fn number(&self) -> Option<i64> {
        self.text()?.parse().ok()
    }

    /// Is it known, whatever it is?
    pub(crate) fn is_known(&self) -> bool {
        !matches!(self, Got::Unknown)
    }
}

/// A scalar below a node.
pub(crate) fn scalar(node: &Node, keys: &[&str]) -> Option<String> {
    node.at(keys)?.value.scalar().filter(|text| !text.is_empty())
}

/// A whole number below a node.
pub(crate) fn number(node: &Node, keys: &[&str]) -> Option<i64> {
    scalar(node, keys)?.parse().ok()
}
