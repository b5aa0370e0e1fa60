//! Which objects there are, who owns them, and which other objects they name.
//!
//! Invariant: that an object is *not listed* is said only where a list of its kind was collected whole and names of that
//! kind were kept; else it was not collected, as far as a reader is told.

use catalogue::kinds::Catalogue;
use catalogue::references;
use diagnosis::pictures::Standing;
use diagnosis::words;
use facts::kind::KindName;
use facts::node::{Node, Value};
use facts::object::{ContextId, Lookup, Object, ObjectId, ObjectRecord};
use facts::store::{Facts, Scope};
use std::collections::BTreeMap;

/// Kinds that Casefile makes itself.
pub(super) const DERIVED: &str = "casefile.dev";
/// References of one object that are followed.
const REFERENCES: usize = 12;

/// An object as another one names it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Target {
    /// What the first does with it.
    pub says: String,
    pub context: ContextId,
    pub kind: KindName,
    pub namespace: Option<String>,
    pub name: String,
    /// The object, if it is in the bundle.
    pub id: Option<ObjectId>,
    pub state: Standing,
}

/// The objects of a run and how they hang together.
#[derive(Debug)]
pub(super) struct Atlas<'f> {
    pub facts: &'f Facts,
    owned: BTreeMap<ObjectId, Vec<ObjectId>>,
}

impl<'f> Atlas<'f> {
    pub(super) fn new(facts: &'f Facts) -> Self {
        let mut atlas = Self { facts, owned: BTreeMap::new() };
        let real = |object: &Object| !object.shadow && object.kind.group != DERIVED && !object.presence.is_gone();
        for (at, object) in facts.objects.iter().enumerate().filter(|(_, object)| real(object)) {
            let Ok(at) = u32::try_from(at) else { break };
            for (kind, name) in owner_names(object) {
                // Only what is there owns something here, so nothing is asked of what is not.
                let (_, owner) = atlas.find(object.context, &kind, object.namespace.as_deref(), &name);
                if let Some(owner) = owner {
                    atlas.owned.entry(owner).or_default().push(ObjectId(at));
                }
            }
        }
        atlas
    }

    /// What an object is called: `Pod`, `shop/web-1`.
    pub(super) fn called(&self, kind: &KindName, namespace: Option<&str>, name: &str) -> (String, String) {
        let name = namespace.map_or_else(|| name.to_owned(), |namespace| format!("{namespace}/{name}"));
        (words::noun(&kind.to_string(), 1), name)
    }

    /// The newest reading of an object that shows most of it.
    pub(super) fn record(&self, id: ObjectId) -> Option<&'f ObjectRecord> {
        let sightings = &self.facts.object(id).sightings;
        let whole = sightings.iter().find(|sighting| sighting.record.shown.is_whole());
        whole.or(sightings.first()).map(|sighting| &sighting.record)
    }

    /// The objects that an object owns, in the order of the facts.
    pub(super) fn owned(&self, id: ObjectId) -> &[ObjectId] {
        self.owned.get(&id).map_or(&[], Vec::as_slice)
    }

    /// The owners of an object.
    pub(super) fn owners(&self, id: ObjectId) -> Vec<Target> {
        let object = self.facts.object(id);
        let owner = |(kind, name): (KindName, String)| {
            self.target(object.context, "is owned by", kind, object.namespace.as_deref(), &name)
        };
        owner_names(object).into_iter().map(owner).collect()
    }

    /// The objects that an object names, but for its owners; each once.
    pub(super) fn named(&self, id: ObjectId) -> Vec<Target> {
        let object = self.facts.object(id);
        let mut all: Vec<Target> = Vec::new();
        let mut add = |target: Target| {
            let same = |other: &Target| {
                (&other.kind, &other.namespace, &other.name) == (&target.kind, &target.namespace, &target.name)
            };
            if all.len() < REFERENCES && !all.iter().any(same) {
                all.push(target);
            }
        };
        for reference in references::of(&object.kind) {
            let (Lookup::Found(values) | Lookup::AtLeast(values)) = self.facts.lookup(id, &reference.path) else {
                continue;
            };
            for name in values.iter().filter_map(|(node, _)| node.as_str()).filter(|name| is_name(name)) {
                let kind = reference.to.clone();
                add(self.target(object.context, &reference.says, kind, object.namespace.as_deref(), name));
            }
        }
        if let Some(record) = self.record(id) {
            for part in ["spec", "status"] {
                let mut found = Vec::new();
                typed_below(record.node.get(part), 0, &mut found);
                for (field, kind, namespace, name) in found {
                    let place = namespace.as_deref().or(object.namespace.as_deref());
                    add(self.target(object.context, &field, kind, place, &name));
                }
            }
        }
        all
    }

    /// An object by its name, as another one names it.
    fn target(&self, context: ContextId, says: &str, kind: KindName, near: Option<&str>, name: &str) -> Target {
        let (namespace, id) = self.find(context, &kind, near, name);
        let state = match id {
            Some(_) => Standing::Found,
            None => self.standing(context, &kind, namespace.clone(), name),
        };
        Target { says: says.to_owned(), context, kind, namespace, name: name.to_owned(), id, state }
    }

    /// The namespace in which another object means one by its name, and that object.
    fn find(
        &self,
        context: ContextId,
        kind: &KindName,
        near: Option<&str>,
        name: &str,
    ) -> (Option<String>, Option<ObjectId>) {
        let catalogue = Catalogue::shared();
        let namespace = match catalogue.cluster_scoped(kind) {
            Some(true) => None,
            _ => near.map(str::to_owned),
        };
        // Of a kind that the catalogue does not know nobody knows whether it has namespaces.
        let id = self.facts.named(context, kind, namespace.as_deref(), name).or_else(|| {
            let open = catalogue.cluster_scoped(kind).is_none();
            if open { self.facts.named(context, kind, None, name) } else { None }
        });
        (namespace, id)
    }

    fn standing(&self, context: ContextId, kind: &KindName, namespace: Option<String>, name: &str) -> Standing {
        let is_it = |id: &&ObjectId| {
            let object = self.facts.object(**id);
            object.namespace == namespace && object.name == name
        };
        if self.facts.gone_of_kind(context, kind).iter().any(|id| is_it(&id)) {
            return Standing::Gone;
        }
        // Objects of a kind that nobody asked for are counted, and their names are not known.
        if self.facts.counted.contains_key(&(context, kind.clone())) || Catalogue::shared().kind(kind).is_none() {
            return Standing::NotCollected;
        }
        let scope = Scope { namespace, name: Some(name.to_owned()) };
        match self.facts.absence(context, kind, &scope).proven() {
            Some(_) => Standing::NotListed,
            None => Standing::NotCollected,
        }
    }
}

/// The owners of an object as it names them.
fn owner_names(object: &Object) -> Vec<(KindName, String)> {
    let records = object.sightings.iter().map(|sighting| &sighting.record);
    let mut lists = records.filter_map(|record| record.node.at(&["metadata", "ownerReferences"]));
    let list = lists.find(|list| !list.items().is_empty());
    list.map(Node::items).unwrap_or_default().iter().filter_map(typed).collect()
}

/// Can it be the name of an object?
fn is_name(name: &str) -> bool {
    !name.is_empty() && name.len() <= 253 && name.bytes().all(|b| b.is_ascii_alphanumeric() || b"-.:_".contains(&b))
}

/// The kind and the name in a reference that states both.
fn typed(item: &Node) -> Option<(KindName, String)> {
    let text = |field: &str| item.get(field).and_then(Node::as_str);
    let (kind, name) = (text("kind")?, text("name").filter(|name| is_name(name))?);
    let version = match (text("apiVersion"), text("apiGroup")) {
        (Some(version), _) => version.to_owned(),
        (None, Some(group)) => format!("{group}/v1"),
        (None, None) => "v1".to_owned(),
    };
    Some((Catalogue::shared().kind_of(&version, kind), name.to_owned()))
}

/// A reference that states its kind, below a field that ends in `Ref`: the field, kind, namespace, name.
type TypedRef = (String, KindName, Option<String>, String);

fn typed_below(node: Option<&Node>, depth: usize, found: &mut Vec<TypedRef>) {
    let Some(Value::Map(entries)) = node.map(|node| &node.value) else { return };
    for (field, inner) in entries {
        if field.ends_with("Ref")
            && let Some((kind, name)) = typed(inner)
        {
            let namespace = inner.get("namespace").and_then(Node::as_str).map(str::to_owned);
            found.push((spoken(field), kind, namespace, name));
        } else if depth < 2 {
            typed_below(Some(inner), depth + 1, found);
        }
    }
}

/// `infrastructureRef` is said `infrastructure`.
fn spoken(field: &str) -> String {
    let mut out = String::new();
    for c in field.trim_end_matches("Ref").chars() {
        if c.is_ascii_uppercase() && !out.is_empty() {
            out.push(' ');
        }
        out.push(c.to_ascii_lowercase());
    }
    out
}
