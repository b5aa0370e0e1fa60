//! Short questions to objects, as derived objects ask them: one path, one answer with its place.
//!
//! Invariant: an answer is what [`Facts::lookup`] says; what is unknown, masked or not set gives `None`, so
//! nothing here can turn "not shown" into a value.

use facts::coverage::Basis;
use facts::derived::Derived;
use facts::kind::KindName;
use facts::node::{Node, Value};
use facts::object::{ContextId, Lookup, Object, ObjectId, Sighting};
use facts::order::Order;
use facts::origin::Citation;
use facts::path::Path;
use facts::provenance::{Bases, Cited, Provenance};
use facts::spot::Spot;
use facts::stamp::time_of;
use facts::store::{AsOf, Facts, Precision, Scope};
use jiff::Timestamp;

/// A text with its place, and what that proves.
#[derive(Debug, Clone, PartialEq)]
pub struct Read {
    pub text: String,
    pub cited: Cited,
}

impl Read {
    /// What follows from it, in other words.
    pub fn saying(&self, text: impl Into<String>) -> Self {
        Self { text: text.into(), cited: self.cited.clone() }
    }

    /// Writes it into a field of a derived object.
    pub fn write(&self, made: &mut Derived, path: &str) {
        made.text(path, &self.text, self);
    }

    /// The text as a time: RFC 3339, or as `kubectl describe` prints it.
    pub fn time(&self) -> Option<Timestamp> {
        time_of(&self.text)
    }
}

/// A text that is not empty.
fn text_of(node: &Node) -> Option<String> {
    node.value.scalar().filter(|text| !text.is_empty())
}

/// The items of a list, or the node itself.
fn items_of(node: &Node) -> &[Node] {
    match &node.value {
        Value::List(items) => items,
        _ => std::slice::from_ref(node),
    }
}

/// Writes what was read, if anything was, into a field of a derived object.
pub fn write(made: &mut Derived, path: &str, read: Option<&Read>) {
    if let Some(read) = read {
        read.write(made, path);
    }
}

impl From<&Read> for Provenance {
    fn from(read: &Read) -> Self {
        (&read.cited).into()
    }
}

/// The facts of one context.
#[derive(Debug, Clone, Copy)]
pub struct Reader<'a> {
    pub facts: &'a Facts,
    /// The context that is read.
    pub context: ContextId,
    /// Its clock, by which the age of what objects say is measured.
    pub as_of: Option<Timestamp>,
    /// What the places of the bundle prove.
    bases: &'a Bases,
}

impl<'a> Reader<'a> {
    /// A reader of one context.
    pub fn new(facts: &'a Facts, bases: &'a Bases, context: ContextId) -> Self {
        let as_of = facts.context(context).as_of.as_ref().map(AsOf::for_objects);
        Self { facts, context, as_of, bases }
    }

    /// A reader of another context of the same facts.
    pub fn of(&self, context: ContextId) -> Self {
        Self::new(self.facts, self.bases, context)
    }

    /// Is the clock a lower bound, so that an age is one as well: nothing in the context is renewed all the time.
    pub fn is_only_bounded(&self) -> bool {
        let clock = self.facts.context(self.context).as_of.as_ref();
        clock.is_some_and(|clock| clock.precision == Precision::Quiet)
    }

    /// The clock against which lines of logs are read.
    pub fn log_clock(&self) -> Option<Timestamp> {
        self.facts.context(self.context).as_of.as_ref().map(AsOf::for_logs)
    }

    /// Seconds between the time of a line and that clock, if both are known.
    pub fn log_age(&self, time: Option<Timestamp>) -> Option<i64> {
        Some(self.log_clock()?.duration_since(time?).as_secs().max(0))
    }

    /// What a reading of an object proves, and when it was.
    fn sighted(&self, sighting: &Sighting) -> (Basis, Option<Order>) {
        let record = &sighting.record;
        (self.bases.at(record.member, record.line), Order::of(sighting))
    }

    /// A place in a reading of an object.
    pub fn cited(&self, sighting: &Sighting, citation: Citation) -> Cited {
        let (basis, order) = self.sighted(sighting);
        Cited { citation, basis, order }
    }

    /// An empty derived object that stands for this one.
    pub fn about(&self, id: ObjectId, plural: &str) -> Derived {
        let object = self.object(id);
        let mut made = Derived::new(plural, object.namespace.as_deref(), &object.name);
        made.stands_for(object.kind.clone());
        made
    }

    /// What is known since the object was seen at all: nothing of it is cited.
    pub fn seen(&self, id: ObjectId) -> Provenance {
        let mut all = self.object(id).sightings.iter().map(|sighting| self.sighted(sighting));
        let (mut basis, order) = all.next().unwrap_or((Basis::Named, None));
        basis = all.map(|(basis, _)| basis).fold(basis, Basis::max);
        Provenance { basis, order, citations: Vec::new() }
    }

    /// What is known since these are all objects of a kind, as far as the bundle proves that.
    pub fn listed(&self, kind: &str, namespace: Option<&str>) -> Provenance {
        let scope = Scope { namespace: namespace.map(str::to_owned), name: None };
        let proven = self.facts.absence(self.context, &KindName::parse(kind), &scope).proven();
        Provenance::bare(proven.map_or(Basis::Named, |(basis, _)| basis))
    }

    /// What shows that there is no such object, if the bundle does.
    pub fn missing(&self, kind: &str, namespace: &str, name: &str) -> Option<Provenance> {
        let scope = Scope { namespace: Some(namespace.to_owned()), name: Some(name.to_owned()) };
        let (basis, lists) = self.facts.absence(self.context, &KindName::parse(kind), &scope).proven()?;
        let places = lists.into_iter().map(|list| Cited::new(list, basis));
        Some(Provenance::all_or(places, Provenance::bare(basis)))
    }

    /// The objects of a kind that are in the cluster: no shadows, and none that only a manifest speaks of.
    pub fn all(&self, kind: &str) -> Vec<ObjectId> {
        let ids = self.facts.of_kind(self.context, &KindName::parse(kind));
        let is_there = |id: &ObjectId| {
            let object = self.facts.object(*id);
            !object.shadow && !object.is_manifest()
        };
        ids.iter().copied().filter(is_there).collect()
    }

    /// The one of a kind with this name, if it is in the cluster.
    pub fn named(&self, kind: &str, namespace: Option<&str>, name: &str) -> Option<ObjectId> {
        self.facts.named(self.context, &KindName::parse(kind), namespace, name)
    }

    pub fn object(&self, id: ObjectId) -> &'a Object {
        self.facts.object(id)
    }

    /// All texts at a path.
    pub fn texts(&self, id: ObjectId, path: &str) -> Vec<Read> {
        self.reads(id, path, false)
    }

    /// Texts at a path that are surely there, though there may be more.
    pub fn some_texts(&self, id: ObjectId, path: &str) -> Vec<Read> {
        self.reads(id, path, true)
    }

    fn reads(&self, id: ObjectId, path: &str, in_part: bool) -> Vec<Read> {
        let (values, sighting) = self.shown(id, path, in_part);
        let texts = values.into_iter().filter_map(|(node, spot)| Some((text_of(node)?, spot)));
        texts.filter_map(|(text, spot)| Some(Read { text, cited: self.cited(sighting?, spot.cite()) })).collect()
    }

    /// The values at a path, each with its place, and the sighting that shows them; `in_part`: also where there may be
    /// more of them.
    fn shown(&self, id: ObjectId, path: &str, in_part: bool) -> (Vec<(&'a Node, Spot<'a>)>, Option<&'a Sighting>) {
        let Ok(path) = Path::shared(path) else { return (Vec::new(), None) };
        match self.facts.lookup_in(id, &path) {
            (Lookup::Found(values), sighting) => (values, sighting),
            (Lookup::AtLeast(values), sighting) if in_part => (values, sighting),
            _ => (Vec::new(), None),
        }
    }

    /// The text at a path with its place, which is not cited yet; nothing where it may be one of several.
    fn only(&self, id: ObjectId, path: &str) -> Option<(String, Spot<'a>, &'a Sighting)> {
        let (values, sighting) = self.shown(id, path, false);
        let mut texts = values.into_iter().filter_map(|(node, spot)| Some((text_of(node)?, spot)));
        let (first, spot) = texts.next()?;
        texts.all(|(other, _)| other == first).then_some((first, spot, sighting?))
    }

    /// The text at a path; `None` also where it may be one of several.
    pub fn text(&self, id: ObjectId, path: &str) -> Option<Read> {
        let (text, spot, sighting) = self.only(id, path)?;
        Some(Read { text, cited: self.cited(sighting, spot.cite()) })
    }

    /// The same without what it proves: to cite a place takes longer than to read it.
    pub fn plain(&self, id: ObjectId, path: &str) -> Option<String> {
        Some(self.only(id, path)?.0)
    }

    /// Texts at a path that are surely there, though there may be more, without what they prove.
    pub fn some_plain(&self, id: ObjectId, path: &str) -> Vec<String> {
        self.shown(id, path, true).0.into_iter().filter_map(|(node, _)| text_of(node)).collect()
    }

    /// Does the path surely hold this text?
    pub fn is(&self, id: ObjectId, path: &str, text: &str) -> bool {
        self.only(id, path).is_some_and(|(read, _, _)| read == text)
    }

    /// The whole number at a path.
    pub fn number(&self, id: ObjectId, path: &str) -> Option<i64> {
        self.only(id, path)?.0.parse().ok()
    }

    /// Is the path surely not set?
    pub fn unset(&self, id: ObjectId, path: &str) -> bool {
        let Ok(path) = Path::shared(path) else { return false };
        matches!(self.facts.lookup(id, &path), Lookup::NotSet(_))
    }

    /// Is a field shown, and surely without a value? A table prints `<none>` for "not set" and for "empty".
    pub fn is_without(&self, id: ObjectId, path: &str) -> bool {
        let Ok(path) = Path::shared(path) else { return false };
        matches!(self.facts.lookup(id, &path), Lookup::NotSet(_) | Lookup::NotSetOrEmpty(_))
    }

    /// A number that the API leaves out when it is zero; `None` if it is not known.
    pub fn count(&self, id: ObjectId, path: &str) -> Option<i64> {
        let Ok(parsed) = Path::shared(path) else { return None };
        match self.facts.lookup(id, &parsed) {
            Lookup::NotSet(_) | Lookup::NotSetOrEmpty(_) => Some(0),
            _ => self.number(id, path),
        }
    }

    /// The entries of a map at a path; `None` if it is not known, empty if it is not set.
    pub fn entries(&self, id: ObjectId, path: &str) -> Option<Vec<(String, String)>> {
        let path = Path::shared(path).ok()?;
        match self.facts.lookup(id, &path) {
            Lookup::Found(values) => {
                let entries = values.iter().flat_map(|(node, _)| node.entries());
                Some(entries.map(|(key, node)| (key.to_string(), node.value.scalar().unwrap_or_default())).collect())
            }
            Lookup::NotSet(_) | Lookup::NotSetOrEmpty(_) => Some(Vec::new()),
            _ => None,
        }
    }

    /// The nodes at a path; of a list, its items.
    pub fn nodes(&self, id: ObjectId, path: &str) -> Vec<(&'a Node, Cited)> {
        let (values, sighting) = self.shown(id, path, false);
        let cited = |(node, spot): (&'a Node, Spot<'a>)| Some((node, self.cited(sighting?, spot.cite())));
        let each = |(node, cited): (&'a Node, Cited)| items_of(node).iter().map(move |item| (item, cited.clone()));
        values.into_iter().filter_map(cited).flat_map(each).collect()
    }

    /// The same without what they prove.
    pub fn plain_nodes(&self, id: ObjectId, path: &str) -> Vec<&'a Node> {
        self.shown(id, path, false).0.into_iter().flat_map(|(node, _)| items_of(node)).collect()
    }

    /// Seconds between the time at a path and the clock; `None` if either is not known.
    pub fn age(&self, id: ObjectId, path: &str) -> Option<i64> {
        self.age_of(time_of(&self.only(id, path)?.0)?)
    }

    /// Writes how old the time is that was read, if that is known.
    pub fn write_age(&self, made: &mut Derived, path: &str, read: &Read) {
        made.number(path, read.time().and_then(|time| self.age_of(time)), read);
    }

    /// Writes what stands at paths of an object into fields.
    pub fn copy(&self, id: ObjectId, made: &mut Derived, fields: &[(&str, &str)]) {
        for (from, to) in fields {
            if let Some(read) = self.text(id, from) {
                read.write(made, to);
            }
        }
    }

    /// Seconds between a time and the clock.
    pub fn age_of(&self, time: Timestamp) -> Option<i64> {
        Some(self.as_of?.duration_since(time).as_secs())
    }
}
