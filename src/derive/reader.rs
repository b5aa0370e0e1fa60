//! Short questions to objects, as derived objects ask them: one path, one answer with its place.
//!
//! Invariant: an answer is what [`Facts::lookup`] says; what is unknown, masked or not set gives `None`, so
//! nothing here can turn "not shown" into a value.

use facts::kind::KindName;
use facts::node::{Node, Value};
use facts::object::{ContextId, Lookup, Object, ObjectId};
use facts::origin::Citation;
use facts::path::Path;
use facts::stamp::time_of;
use facts::store::{AsOf, Facts};
use jiff::Timestamp;

/// A text with its place.
#[derive(Debug, Clone, PartialEq)]
pub struct Read {
    /// What stands there.
    pub text: String,
    /// Where.
    pub citation: Citation,
}

impl Read {
    /// The text as a time: RFC 3339, or as `kubectl describe` prints it.
    pub fn time(&self) -> Option<Timestamp> {
        time_of(&self.text)
    }
}

/// The facts of one context.
#[derive(Debug, Clone, Copy)]
pub struct Reader<'a> {
    /// All facts.
    pub facts: &'a Facts,
    /// The context that is read.
    pub context: ContextId,
    /// Its clock, by which the age of what objects say is measured.
    pub as_of: Option<Timestamp>,
}

impl<'a> Reader<'a> {
    /// A reader of one context.
    pub fn new(facts: &'a Facts, context: ContextId) -> Self {
        Self { facts, context, as_of: facts.context(context).as_of.as_ref().map(AsOf::for_objects) }
    }

    /// The objects of a kind that are not shadows.
    pub fn all(&self, kind: &str) -> Vec<ObjectId> {
        let ids = self.facts.of_kind(self.context, &KindName::parse(kind));
        ids.iter().copied().filter(|id| !self.facts.object(*id).shadow).collect()
    }

    /// An object.
    pub fn object(&self, id: ObjectId) -> &'a Object {
        self.facts.object(id)
    }

    /// All texts at a path.
    pub fn texts(&self, id: ObjectId, path: &str) -> Vec<Read> {
        let Ok(path) = Path::parse(path) else { return Vec::new() };
        match self.facts.lookup(id, &path) {
            Lookup::Found(values) => values
                .into_iter()
                .filter_map(|(node, citation)| Some(Read { text: node.value.scalar()?, citation }))
                .filter(|read| !read.text.is_empty())
                .collect(),
            _ => Vec::new(),
        }
    }

    /// The text at a path; `None` also where it may be one of several.
    pub fn text(&self, id: ObjectId, path: &str) -> Option<Read> {
        let mut texts = self.texts(id, path).into_iter();
        let first = texts.next()?;
        texts.all(|other| other.text == first.text).then_some(first)
    }

    /// Does the path surely hold this text?
    pub fn is(&self, id: ObjectId, path: &str, text: &str) -> bool {
        self.text(id, path).is_some_and(|read| read.text == text)
    }

    /// The whole number at a path.
    pub fn number(&self, id: ObjectId, path: &str) -> Option<i64> {
        self.text(id, path)?.text.parse().ok()
    }

    /// Is the path surely not set?
    pub fn unset(&self, id: ObjectId, path: &str) -> bool {
        let Ok(path) = Path::parse(path) else { return false };
        matches!(self.facts.lookup(id, &path), Lookup::NotSet(_))
    }

    /// A number that the API leaves out when it is zero; `None` if it is not known.
    pub fn count(&self, id: ObjectId, path: &str) -> Option<i64> {
        let Ok(parsed) = Path::parse(path) else { return None };
        match self.facts.lookup(id, &parsed) {
            Lookup::NotSet(_) | Lookup::NotSetOrEmpty(_) => Some(0),
            _ => self.number(id, path),
        }
    }

    /// The entries of a map at a path; `None` if it is not known, empty if it is not set.
    pub fn entries(&self, id: ObjectId, path: &str) -> Option<Vec<(String, String)>> {
        let path = Path::parse(path).ok()?;
        match self.facts.lookup(id, &path) {
            Lookup::Found(values) => {
                let entries = values.iter().flat_map(|(node, _)| node.entries());
                Some(entries.map(|(key, node)| (key.to_string(), node.value.scalar().unwrap_or_default())).collect())
            }
            Lookup::NotSet(_) | Lookup::NotSetOrEmpty(_) => Some(Vec::new()),
            _ => None,
        }
    }

    /// The nodes at a path.
    pub fn nodes(&self, id: ObjectId, path: &str) -> Vec<(&'a Node, Citation)> {
        let Ok(path) = Path::parse(path) else { return Vec::new() };
        match self.facts.lookup(id, &path) {
            Lookup::Found(values) => values
                .into_iter()
                .flat_map(|(node, citation)| match &node.value {
                    Value::List(items) => items.iter().map(|item| (item, citation.clone())).collect(),
                    _ => vec![(node, citation)],
                })
                .collect(),
            _ => Vec::new(),
        }
    }

    /// Seconds between the time at a path and the clock; `None` if either is not known.
    pub fn age(&self, id: ObjectId, path: &str) -> Option<i64> {
        self.age_of(self.text(id, path)?.time()?)
    }

    /// Seconds between a time and the clock.
    pub fn age_of(&self, time: Timestamp) -> Option<i64> {
        Some(self.as_of?.duration_since(time).as_secs())
    }
}
