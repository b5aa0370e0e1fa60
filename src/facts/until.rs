//! What a text shows that ends with the object: all up to its last line, and nothing of what may have stood behind.
//!
//! Why: YAML that `head` cut reads like YAML that is whole. A section is known to be complete only if something
//! follows it.
//!
//! Invariant: what is covered here stays true whatever the rest of the text would have said.

use crate::node::{Node, Value};
use crate::object::covers_by;
use crate::path::{Path, Step};

/// How the last line of a text ends.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Ending {
    /// No further line could go on with the last value.
    pub leaf_is_whole: bool,
    /// The last line is a map or list in braces, behind this key (nothing: an item of a list): it is closed.
    pub braces: Option<String>,
}

/// Where the text of an object ends.
#[derive(Debug, Clone, PartialEq)]
pub struct Until {
    /// What is shown whole, each as a path.
    closed: Vec<Path>,
    /// The way down to the last thing that the text shows.
    end: Vec<Step>,
    /// Whoever wrote it sorts keys: what sorts before the last one and is missing is not set.
    sorted: bool,
}

/// Fields by which the items of a list are told apart.
const KEYS: [&str; 3] = ["type", "name", "key"];

/// Does no list hold two items with one value of this field?
pub(crate) fn tells_apart(field: &str) -> bool {
    KEYS.contains(&field)
}

impl Until {
    /// What a text shows that ends with this tree.
    ///
    /// `by_machine`: the API server wrote it, and its writers sort keys.
    pub fn of(node: &Node, by_machine: bool, ending: &Ending) -> Self {
        let mut until = Self { closed: Vec::new(), end: Vec::new(), sorted: by_machine && is_sorted(node) };
        let end = until.close(node, Vec::new(), ending);
        until.end = end;
        until
    }

    fn close(&mut self, node: &Node, mut at: Vec<Step>, ending: &Ending) -> Vec<Step> {
        let with = |at: &[Step], step: Step| Path(at.iter().cloned().chain([step]).collect());
        match &node.value {
            Value::Map(entries) if !entries.is_empty() => {
                let Some(((key, last), before)) = entries.split_last() else { return at };
                let closed = before.iter().map(|(key, _)| with(&at, Step::Field(key.to_string())));
                self.closed.extend(closed);
                at.push(Step::Field(key.to_string()));
                if ending.braces.as_deref() == Some(&**key) {
                    self.closed.push(Path(at.clone()));
                    return at;
                }
                self.close(last, at, ending)
            }
            Value::List(items) if !items.is_empty() => {
                let Some((last, before)) = items.split_last() else { return at };
                let closed = before.iter().enumerate();
                let steps = closed.flat_map(|(index, item)| picked(item).into_iter().chain([Step::Index(index)]));
                self.closed.extend(steps.map(|step| with(&at, step)));
                at.push(picked(last).unwrap_or(Step::Index(items.len() - 1)));
                if ending.braces.as_deref() == Some("") {
                    self.closed.push(Path(at.clone()));
                    return at;
                }
                self.close(last, at, ending)
            }
            value => {
                if ending.leaf_is_whole && !matches!(value, Value::Null) {
                    self.closed.push(Path(at.clone()));
                }
                at
            }
        }
    }

    /// Does the text show whatever the object has at this path?
    pub fn covers(&self, path: &Path) -> bool {
        covers_by(&self.closed, path) || self.sorted && self.sorts_before_end(path)
    }

    fn sorts_before_end(&self, path: &Path) -> bool {
        let plain = |text: &str| text.bytes().all(|b| b.is_ascii_alphabetic());
        for (step, end) in path.0.iter().zip(&self.end) {
            if step.same_as(end) {
                continue;
            }
            let (Step::Field(name) | Step::Key(name), Step::Field(end)) = (step, end) else { return false };
            return plain(name) && plain(end) && name < end;
        }
        false
    }
}

/// The step that picks an item of a list by what tells it apart.
pub fn picked(item: &Node) -> Option<Step> {
    let key = |field: &&str| item.field(field).and_then(|node| node.value.scalar()).filter(|text| !text.is_empty());
    KEYS.iter().find_map(|field| Some(Step::Pick { field: (*field).to_owned(), value: key(field)? }))
}

/// Are the keys of every map in the order in which Go writes them? Of keys with other signs than letters its order is
/// one of its own.
fn is_sorted(node: &Node) -> bool {
    let plain = |text: &str| text.bytes().all(|b| b.is_ascii_alphabetic());
    let pairs = node.entries().windows(2);
    let here = pairs.filter_map(|pair| pair.first().zip(pair.last()));
    let mut here = here.filter(|((a, _), (b, _))| plain(a) && plain(b));
    here.all(|((a, _), (b, _))| a < b)
        && node.entries().iter().all(|(_, node)| is_sorted(node))
        && node.items().iter().all(is_sorted)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tree(entries: Vec<(&str, Node)>) -> Node {
        let mut node = Node::map(1);
        for (key, child) in entries {
            node.set(key, child);
        }
        node
    }

    fn whole() -> Ending {
        Ending { leaf_is_whole: true, braces: None }
    }

    fn run() -> Node {
        let condition = |kind: &str| tree(vec![("status", Node::text(5, "True")), ("type", Node::text(6, kind))]);
        let conditions = Node::new(4, Value::List(vec![condition("Ready"), condition("Synced")]));
        tree(vec![
            ("apiVersion", Node::text(1, "v1")),
            ("spec", tree(vec![("size", Node::text(3, "3"))])),
            ("status", tree(vec![("conditions", conditions)])),
        ])
    }

    fn covered(until: &Until, paths: &[&str]) -> String {
        let path = |text: &str| Path::parse(text).unwrap();
        paths.iter().map(|text| if until.covers(&path(text)) { '+' } else { '-' }).collect()
    }

    #[test]
    fn what_nothing_follows_is_not_known_to_be_whole() {
        let paths = [
            "spec.size",
            "spec.other",
            "status",
            "status.active",
            "status.phase",
            "status.conditions[type=Ready].status",
            "status.conditions[type=Ready].reason",
            "status.conditions[type=Synced].status",
            "status.conditions[type=Synced].reason",
            "status.conditions[type=Other].status",
            "status.conditions[*].status",
            "kind",
            "zone",
        ];
        assert_eq!(covered(&Until::of(&run(), true, &whole()), &paths), "++-+-++++--+-");
        // Nobody knows the order of who wrote it by hand.
        assert_eq!(covered(&Until::of(&run(), false, &whole()), &paths), "++---+++-----");
    }

    #[test]
    fn a_value_that_may_go_on_is_not_known() {
        let node = tree(vec![("spec", tree(vec![("text", Node::text(2, "several words"))]))]);
        assert_eq!(covered(&Until::of(&node, true, &Ending::default()), &["spec.text", "spec.other"]), "-+");
        assert_eq!(covered(&Until::of(&node, true, &whole()), &["spec.text", "spec.other"]), "++");
        let braces = Ending { braces: Some("spec".to_owned()), ..whole() };
        assert_eq!(covered(&Until::of(&node, false, &braces), &["spec.text", "spec.other", "status"]), "++-");
        let open = tree(vec![("spec", Node::map(1)), ("status", Node::new(2, Value::Null))]);
        assert_eq!(covered(&Until::of(&open, true, &whole()), &["spec.a", "status.phase"]), "+-");
    }
}
