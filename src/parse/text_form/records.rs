//! The records of what a program printed, while its text is read.
//!
//! Invariants: what is read becomes objects of the group `casefile.dev`; secret values are masked before a record
//! exists; a field that a form does not print is unknown, not unset.

use crate::answer::Asked;
use crate::secrets;
use facts::kind::KindName;
use facts::node::{Node, Value};
use facts::object::{Form, ObjectRecord, Shown};
use facts::order::Order;
use facts::path::{Path, Step};
use facts::record::{Parsed, Record};
use facts::unread::WhyUnread;

/// The group of records that are no objects of an API server.
const GROUP: &str = "casefile.dev";

/// Records while a text is read.
#[derive(Debug)]
pub(crate) struct Records<'a> {
    asked: &'a Asked<'a>,
    form: Form,
    parsed: Parsed,
}

impl<'a> Records<'a> {
    /// None yet, of a text form.
    pub(crate) fn new(asked: &'a Asked<'a>, format: &'static str) -> Self {
        Self { asked, form: Form::Table, parsed: Parsed { format, ..Parsed::default() } }
    }

    /// None yet, of a document.
    pub(crate) fn of_document(asked: &'a Asked<'a>, format: &'static str, form: Form) -> Self {
        Self { asked, form, parsed: Parsed { format, ..Parsed::default() } }
    }

    /// Adds an object of which only the fields in its tree are known.
    pub(crate) fn partial(&mut self, plural: &str, name: &str, node: Node) {
        let shown = Shown::Paths(fields(&node).into());
        self.add(plural, name, node, shown);
    }

    /// Adds an object that was printed whole.
    pub(crate) fn whole(&mut self, plural: &str, name: &str, node: Node) {
        self.add(plural, name, node, Shown::Everything);
    }

    fn add(&mut self, plural: &str, name: &str, mut node: Node, shown: Shown) {
        let kind = KindName { plural: plural.to_owned(), group: GROUP.to_owned() };
        let line = node.line;
        node.set_at(&["metadata", "name"], Node::str(line, name));
        let (node, masked) = secrets::tree(Some(&kind), node);
        self.parsed.redactions += masked;
        self.parsed.records.push(Record::Object(Box::new(ObjectRecord {
            kind: Some(kind),
            api_version: Some(format!("{GROUP}/v1")),
            namespace: None,
            name: secrets::mask_text(name).0.into_owned(),
            uid: None,
            form: self.form,
            shown,
            node,
            member: self.asked.member,
            line,
            path: String::new(),
            order: Order::default(),
        })));
    }

    /// Adds a record of another sort.
    pub(crate) fn push(&mut self, record: Record) {
        self.parsed.records.push(record);
    }

    /// Lists a line as not understood.
    pub(crate) fn unread(&mut self, line: u32, why: WhyUnread) {
        self.parsed.unread.push((line, why));
    }

    pub(crate) fn finish(self) -> Parsed {
        self.parsed
    }

    /// All of it, if there is any.
    pub(crate) fn finish_if_any(self) -> Option<Parsed> {
        (!self.parsed.records.is_empty()).then_some(self.parsed)
    }
}

/// The paths of a tree that have a value: each field of `spec` and `status`, and all others as a whole.
fn fields(node: &Node) -> Vec<Path> {
    let step = |text: &str| Step::Field(text.to_owned());
    let mut paths = vec![Path(vec![step("metadata")])];
    for (key, child) in node.entries() {
        if matches!(&**key, "spec" | "status") {
            paths.extend(child.entries().iter().map(|(field, _)| Path(vec![step(key), step(field)])));
        } else {
            paths.push(Path(vec![step(key)]));
        }
    }
    paths
}

/// The lines of a text with their numbers, without line ends and colours of a terminal; empty ones left out.
pub(crate) fn lines(text: &str) -> impl Iterator<Item = (u32, &str)> {
    (1u32..).zip(text.lines()).map(|(number, line)| (number, line.trim_end())).filter(|(_, line)| !line.is_empty())
}

/// The last part of a member's name without its ending: what the file is about, in the words of whoever
/// collected it.
pub(crate) fn stem(name: &str) -> &str {
    let file = name.rsplit('/').next().unwrap_or(name);
    file.split_once('.').map_or(file, |(stem, _)| stem)
}

/// A boolean at a line.
pub(crate) fn boolean(line: u32, value: bool) -> Node {
    Node::new(line, Value::Bool(value))
}

/// A whole number at a line.
pub(crate) fn integer(line: u32, value: i64) -> Node {
    Node::new(line, Value::Int(value))
}

/// A list of texts at a line.
pub(crate) fn texts<'t>(line: u32, items: impl IntoIterator<Item = &'t str>) -> Node {
    Node::new(line, Value::List(items.into_iter().map(|item| Node::str(line, item)).collect()))
}
