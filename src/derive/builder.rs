//! How a derived object is put together: each field with what it rests on.
//!
//! Invariant: a field that was not set here is unknown unless [`Builder::absent`] says that it is not set.

use crate::reader::Read;
use facts::derived::Derived;
use facts::kind::KindName;
use facts::node::{Node, Value};
use facts::origin::Citation;
use std::collections::{BTreeMap, BTreeSet};

/// Citations that one field keeps at most.
const MAX_CITATIONS: usize = 12;
/// Texts that a list keeps at most.
const MAX_TEXTS: usize = 20;

/// A derived object in the making.
#[derive(Debug)]
pub struct Builder {
    kind: KindName,
    namespace: Option<String>,
    name: String,
    stands_for: Option<KindName>,
    node: Node,
    known: BTreeSet<String>,
    citations: BTreeMap<String, Vec<Citation>>,
}

impl Builder {
    /// An object of a kind of the group `casefile.dev`.
    pub fn new(kind: &str, namespace: Option<&str>, name: &str) -> Self {
        let mut made = Self {
            kind: KindName::parse(&format!("{kind}.casefile.dev")),
            namespace: namespace.map(str::to_owned),
            name: name.to_owned(),
            stands_for: None,
            node: Node::map(0),
            known: BTreeSet::new(),
            citations: BTreeMap::new(),
        };
        made.place("metadata.name", Value::Str(name.into()));
        if let Some(namespace) = namespace {
            made.place("metadata.namespace", Value::Str(namespace.into()));
        }
        made
    }

    /// The kind of the object that it speaks of, by which reports name it.
    pub fn stands_for(&mut self, kind: KindName) {
        self.stands_for = Some(kind);
    }

    fn place(&mut self, path: &str, value: Value) {
        let keys: Vec<&str> = path.split('.').collect();
        self.node.set_at(&keys, Node::new(0, value));
    }

    /// A text.
    pub fn text(&mut self, path: &str, text: &str) {
        self.place(path, Value::Str(text.into()));
        self.known.insert(path.to_owned());
    }

    /// A text with its place.
    pub fn read(&mut self, path: &str, read: &Read) {
        self.text(path, &read.text);
        self.rests_on(path, [read.citation.clone()]);
    }

    /// A number.
    pub fn number(&mut self, path: &str, number: i64) {
        self.place(path, Value::Int(number));
        self.known.insert(path.to_owned());
    }

    /// A number of which more may not have been seen.
    pub fn at_least(&mut self, path: &str, number: i64) {
        self.place(path, Value::Range(number, None));
        self.known.insert(path.to_owned());
    }

    /// A number that is at least the first and at most the second.
    pub fn range(&mut self, path: &str, low: i64, high: i64) {
        self.place(path, Value::Range(low, Some(high)));
        self.known.insert(path.to_owned());
    }

    /// A truth.
    pub fn flag(&mut self, path: &str, flag: bool) {
        self.place(path, Value::Bool(flag));
        self.known.insert(path.to_owned());
    }

    /// Texts, sorted, each once. An empty list is not set.
    pub fn list(&mut self, path: &str, texts: impl IntoIterator<Item = String>) {
        let texts: BTreeSet<String> = texts.into_iter().collect();
        self.known.insert(path.to_owned());
        if !texts.is_empty() {
            let items = texts.into_iter().take(MAX_TEXTS).map(|text| Node::str(0, text)).collect();
            self.place(path, Value::List(items));
        }
    }

    /// Surely not set.
    pub fn absent(&mut self, path: &str) {
        self.known.insert(path.to_owned());
    }

    /// What a field rests on.
    pub fn rests_on(&mut self, path: &str, citations: impl IntoIterator<Item = Citation>) {
        let all = self.citations.entry(path.to_owned()).or_default();
        for citation in citations {
            if all.len() < MAX_CITATIONS && !all.contains(&citation) {
                all.push(citation);
            }
        }
    }

    /// The object.
    pub fn finish(self) -> Derived {
        Derived {
            kind: self.kind,
            namespace: self.namespace,
            name: self.name,
            stands_for: self.stands_for,
            node: self.node,
            known: self.known.into_iter().collect(),
            citations: self.citations,
        }
    }
}
