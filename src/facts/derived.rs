//! Objects that were put together from other facts, and how they join those.
//!
//! Why one builder: a field cannot be written without what it rests on, so a derived object never looks surer than
//! the facts that it was made of.
//!
//! Invariants: such an object is of the group `casefile.dev`; a field that was not written is unknown; each field
//! has its basis, its order as far as that is known, and the places that it rests on.

use crate::coverage::Basis;
use crate::kind::KindName;
use crate::node::{Node, Value};
use crate::object::{ContextId, Form, Object, ObjectId, ObjectRecord, Shown, Sighting, Tree};
use crate::order::Order;
use crate::origin::{Citation, MemberId};
use crate::path::{Path, Step};
use crate::provenance::Provenance;
use crate::store::Facts;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Citations that a field keeps, unless more are wanted.
const USUAL_CITATIONS: usize = 12;
/// Texts that a list keeps at most.
const MAX_TEXTS: usize = 20;

/// What is known of a field.
#[derive(Debug, Clone, PartialEq)]
pub enum Known {
    Value(Node),
    /// It is surely not set.
    NotSet,
    /// It is open, though something was looked at; with the reason in words for people, where that says more than
    /// the names of the object and the field.
    Unknown(Option<String>),
}

/// What the fields of a derived object rest on, sorted by their paths. Thousands of objects have the same fields, most of
/// which rest on the same, so that is shared.
pub type RestsOn = Vec<(Arc<str>, Arc<Provenance>)>;

/// Objects of its kind among which one that was put together alike is looked for.
const ALIKE: usize = 8;

/// One field of a derived object.
#[derive(Debug, Clone, PartialEq)]
pub struct Field {
    /// What is known of it.
    pub known: Known,
    /// What that rests on, shared with fields that rest on the same.
    pub provenance: Arc<Provenance>,
}

/// An object that was put together from other facts.
#[derive(Debug)]
pub struct Derived {
    kind: KindName,
    namespace: Option<String>,
    name: String,
    stands_for: Option<KindName>,
    /// Citations that each field keeps at most.
    most: usize,
    /// By path, in the order in which they were written.
    fields: Vec<(String, Field)>,
}

impl Derived {
    /// An object of a kind of the group `casefile.dev`, by its plural.
    pub fn new(plural: &str, namespace: Option<&str>, name: &str) -> Self {
        let kind = KindName { plural: plural.to_owned(), group: "casefile.dev".to_owned() };
        let namespace = namespace.map(str::to_owned);
        Self { kind, namespace, name: name.to_owned(), stands_for: None, most: USUAL_CITATIONS, fields: Vec::new() }
    }

    /// The same with room for all the lines that a count was made of.
    #[must_use]
    pub fn with_all_lines(self) -> Self {
        Self { most: usize::MAX, ..self }
    }

    /// The kind of the object that it speaks of, by which reports name it.
    pub fn stands_for(&mut self, kind: KindName) {
        self.stands_for = Some(kind);
    }

    pub fn kind(&self) -> &KindName {
        &self.kind
    }

    pub fn name(&self) -> &str {
        &self.name
    }

    /// A field that was written.
    pub fn field(&self, path: &str) -> Option<&Field> {
        self.fields.iter().find(|(known, _)| known == path).map(|(_, field)| field)
    }

    /// The places that its fields rest on.
    pub fn citations(&self) -> impl Iterator<Item = &Citation> {
        self.fields.iter().flat_map(|(_, field)| &field.provenance.citations)
    }

    /// The paths of the fields that were written.
    pub fn paths(&self) -> impl Iterator<Item = &str> {
        self.fields.iter().map(|(path, _)| path.as_str())
    }

    /// Writes a field; what was written there before is replaced.
    pub fn set(&mut self, path: &str, known: Known, provenance: impl Into<Provenance>) {
        let mut provenance = provenance.into();
        provenance.citations.truncate(self.most);
        let same = self.fields.iter().rev().take(ALIKE).map(|(_, field)| &field.provenance);
        let same = { same }.find(|known| ***known == provenance).map(Arc::clone);
        let field = Field { known, provenance: same.unwrap_or_else(|| Arc::new(provenance)) };
        match self.fields.iter_mut().find(|(known, _)| known == path) {
            Some((_, old)) => *old = field,
            None => self.fields.push((path.to_owned(), field)),
        }
    }

    pub fn value(&mut self, path: &str, value: Value, provenance: impl Into<Provenance>) {
        self.set(path, Known::Value(Node::new(0, value)), provenance);
    }

    pub fn text(&mut self, path: &str, text: &str, provenance: impl Into<Provenance>) {
        self.value(path, Value::Str(text.into()), provenance);
    }

    /// A number, if there is one; else the field is not written.
    pub fn number(&mut self, path: &str, number: impl Into<Option<i64>>, provenance: impl Into<Provenance>) {
        if let Some(number) = number.into() {
            self.value(path, Value::Int(number), provenance);
        }
    }

    /// A number of which more may not have been seen.
    pub fn at_least(&mut self, path: &str, number: i64, provenance: impl Into<Provenance>) {
        self.value(path, Value::Range(number, None), provenance);
    }

    /// A number that is at least the first and at most the second.
    pub fn range(&mut self, path: &str, low: i64, high: i64, provenance: impl Into<Provenance>) {
        self.value(path, Value::Range(low, Some(high)), provenance);
    }

    /// A truth, if it is known; else the field is not written.
    pub fn flag(&mut self, path: &str, flag: impl Into<Option<bool>>, provenance: impl Into<Provenance>) {
        if let Some(flag) = flag.into() {
            self.value(path, Value::Bool(flag), provenance);
        }
    }

    /// Texts, sorted, each once. An empty list is not set.
    pub fn list(
        &mut self,
        path: &str,
        texts: impl IntoIterator<Item = impl Into<String>>,
        provenance: impl Into<Provenance>,
    ) {
        let texts: BTreeSet<String> = texts.into_iter().map(Into::into).collect();
        let items: Vec<Node> = texts.into_iter().take(MAX_TEXTS).map(|text| Node::str(0, text)).collect();
        let known = if items.is_empty() { Known::NotSet } else { Known::Value(Node::new(0, Value::List(items))) };
        self.set(path, known, provenance);
    }

    /// Surely not set.
    pub fn absent(&mut self, path: &str, provenance: impl Into<Provenance>) {
        self.set(path, Known::NotSet, provenance);
    }

    /// Open, and why, in words for people.
    pub fn unknown(&mut self, path: &str, why: &str, provenance: impl Into<Provenance>) {
        self.set(path, Known::Unknown(Some(why.to_owned())), provenance);
    }

    /// Open, though this was looked at.
    pub fn open(&mut self, path: &str, provenance: impl Into<Provenance>) {
        self.set(path, Known::Unknown(None), provenance);
    }

    /// Its tree.
    fn node(&self) -> Node {
        let mut node = Node::map(0);
        let metadata = [("name", Some(&self.name)), ("namespace", self.namespace.as_ref())];
        for (key, text) in metadata {
            if let Some(text) = text {
                node.set_at(&["metadata", key], Node::str(0, text.as_str()));
            }
        }
        for (path, field) in &self.fields {
            if let Known::Value(value) = &field.known {
                let keys: Vec<&str> = path.split('.').collect();
                node.set_at(&keys, value.clone());
            }
        }
        node
    }

    /// What it shows: the fields of which something is known.
    fn shown(&self) -> Vec<Path> {
        let path = |text: &str| Path(text.split('.').map(|step| Step::Field(step.to_owned())).collect());
        let known = self.fields.iter().filter(|(_, field)| !matches!(field.known, Known::Unknown(_)));
        known.map(|(known, _)| path(known)).chain([path("metadata")]).collect()
    }
}

impl Facts {
    /// The places that a field of a derived object rests on; empty for other objects.
    pub fn rests_on(&self, id: ObjectId, path: &Path) -> &[Citation] {
        let cites = |provenance: &Provenance| !provenance.citations.is_empty();
        self.covering(id, path, cites).map_or(&[], |provenance| &provenance.citations)
    }

    /// What a field of a derived object rests on; `None` for other objects, and for a field that nobody wrote.
    pub fn provenance_of(&self, id: ObjectId, path: &Path) -> Option<&Provenance> {
        self.covering(id, path, |_| true)
    }

    /// The basis of a field of a derived object: the weakest of what it rests on.
    pub fn basis_of(&self, id: ObjectId, path: &Path) -> Option<Basis> {
        self.provenance_of(id, path).map(|provenance| provenance.basis)
    }

    /// The order of a field of a derived object, as far as it is known.
    pub fn order_of(&self, id: ObjectId, path: &Path) -> Option<&Order> {
        self.provenance_of(id, path)?.order.as_ref()
    }

    /// Why a derived object leaves a field open, if whoever derived it says so.
    pub(crate) fn why_left_open(&self, id: ObjectId, path: &Path) -> Option<&str> {
        let fields = self.left_open.get(&id)?.iter().map(|(field, why)| (field.as_str(), why));
        longest(fields, path, |_| true).map(String::as_str)
    }

    fn covering(&self, id: ObjectId, path: &Path, wanted: impl Fn(&Provenance) -> bool) -> Option<&Provenance> {
        let fields = self.derived_from.get(&id)?.iter().map(|(field, provenance)| (&**field, &**provenance));
        longest(fields, path, wanted)
    }
}

/// The entry of the longest field that holds a path.
fn longest<'a, T>(
    fields: impl Iterator<Item = (&'a str, &'a T)>,
    path: &Path,
    wanted: impl Fn(&T) -> bool,
) -> Option<&'a T> {
    let found = fields.filter(|(field, entry)| holds(field, path) && wanted(entry));
    found.max_by_key(|(field, _)| field.len()).map(|(_, entry)| entry)
}

/// Does a field, named by its dotted path, hold this path: is it that, or something above it?
fn holds(field: &str, path: &Path) -> bool {
    let mut steps = path.0.iter();
    field.split('.').all(|name| matches!(steps.next(), Some(Step::Field(step)) if step == name))
}

/// Adds a derived object to the facts of a context.
pub fn add(facts: &mut Facts, context: ContextId, derived: Derived) {
    let id = ObjectId(facts.objects.len() as u32);
    let (node, shown) = (derived.node(), shared_paths(facts, context, &derived));
    let kin = facts.by_kind.get(&(context, derived.kind.clone())).and_then(|ids| ids.last());
    let kin = kin.and_then(|kin| facts.derived_from.get(kin)).map_or(&[][..], Vec::as_slice);
    let mut from: RestsOn = Vec::with_capacity(derived.fields.len());
    let mut open: BTreeMap<String, String> = BTreeMap::new();
    for (path, field) in derived.fields {
        if let Known::Unknown(Some(why)) = field.known {
            open.insert(path.clone(), why);
        }
        let known = kin.binary_search_by(|(known, _)| (**known).cmp(path.as_str())).ok().and_then(|at| kin.get(at));
        let path = known.map_or_else(|| path.into(), |(known, _)| Arc::clone(known));
        let same = from.iter().rev().take(ALIKE).find(|(_, known)| *known == field.provenance);
        let provenance = same.map(|(_, known)| Arc::clone(known));
        from.push((path, provenance.unwrap_or(field.provenance)));
    }
    from.sort_by(|(a, _), (b, _)| a.cmp(b));
    let first = from.iter().flat_map(|(_, provenance)| &provenance.citations).next();
    let (member, line) = first.map_or((MemberId(u32::MAX), 0), |c| (c.member, c.line));
    let record = ObjectRecord {
        kind: Some(derived.kind.clone()),
        api_version: Some("casefile.dev/v1".to_owned()),
        namespace: derived.namespace.clone(),
        name: derived.name.clone(),
        uid: None,
        form: Form::Derived,
        shown: Shown::Fields(shown),
        node: Tree::of(node),
        member,
        line,
        path: String::new(),
        order: Order::default(),
    };
    facts.objects.push(Object {
        context,
        kind: derived.kind.clone(),
        namespace: derived.namespace,
        name: derived.name,
        uid: None,
        sightings: vec![Sighting { record, resource_version: None }],
        shadow: false,
        presence: crate::presence::Presence::There,
    });
    facts.by_kind.entry((context, derived.kind)).or_default().push(id);
    if let Some(kind) = derived.stands_for {
        facts.stands_for.insert(id, kind);
    }
    facts.derived_from.insert(id, from);
    if !open.is_empty() {
        facts.left_open.insert(id, open);
    }
}

/// The paths that an object shows, shared with one of the last of its kind if that shows the same.
fn shared_paths(facts: &Facts, context: ContextId, derived: &Derived) -> Arc<[Path]> {
    let own = derived.shown();
    let kin = facts.by_kind.get(&(context, derived.kind.clone())).map_or(&[][..], Vec::as_slice);
    let same = kin.iter().rev().take(ALIKE).find_map(|id| match &facts.object(*id).sightings.first()?.record.shown {
        Shown::Fields(paths) if **paths == *own => Some(Arc::clone(paths)),
        _ => None,
    });
    same.unwrap_or_else(|| own.into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::object::Lookup;
    use crate::provenance::Cited;
    use crate::store::Context;
    use crate::unknown::Unknown;

    #[test]
    fn each_field_says_what_it_rests_on() {
        let context = Context {
            name: "c".to_owned(),
            roles: Vec::new(),
            bundle: 0,
            workload_of: None,
            mixed: None,
            api_server: Vec::new(),
            as_of: None,
            products: Vec::new(),
            versions: Vec::new(),
        };
        let mut facts = Facts { contexts: vec![context], ..Facts::default() };
        let place = |line| Citation::line(MemberId(0), line, "x");
        let mut made = Derived::new("things", Some("shop"), "one");
        made.number("status.lines", 3, Cited::new(place(7), Basis::Lines));
        made.absent("status.error", Provenance::bare(Basis::Listed));
        made.unknown("status.state", "nobody asked", Provenance::bare(Basis::Named));
        add(&mut facts, ContextId(0), made);
        let id = ObjectId(0);
        let path = |text: &str| Path::parse(text).unwrap();
        assert_eq!(facts.basis_of(id, &path("status.lines")), Some(Basis::Lines));
        assert_eq!(facts.basis_of(id, &path("status.error")), Some(Basis::Listed));
        assert_eq!(facts.basis_of(id, &path("status.other")), None);
        assert_eq!(facts.rests_on(id, &path("status.lines")), [place(7)]);
        assert!(matches!(facts.lookup(id, &path("status.error")), Lookup::NotSet(_)));
        let open = Unknown::LeftOpen("nobody asked".to_owned());
        assert_eq!(facts.lookup(id, &path("status.state")), Lookup::Unknown(open));
        assert!(matches!(facts.lookup(id, &path("status.other")), Lookup::Unknown(Unknown::NotShown { .. })));
        assert!(matches!(facts.lookup(id, &path("metadata.namespace")), Lookup::Found(_)));
    }
}
