//! Objects that were put together from other facts, and how they join those.
//!
//! Invariants: such an object is of the group `casefile.dev`, shows only the fields that are listed as known, and
//! each of them cites what it rests on.

use crate::kind::KindName;
use crate::node::Node;
use crate::object::{ContextId, Form, Object, ObjectId, ObjectRecord, Shown, Sighting};
use crate::origin::{Citation, MemberId};
use crate::path::{Path, Step};
use crate::store::Facts;
use std::collections::BTreeMap;

impl Facts {
    /// What a field of a derived object rests on; empty for other objects.
    pub fn rests_on(&self, id: ObjectId, path: &Path) -> &[Citation] {
        let Some(fields) = self.derived_from.get(&id) else { return &[] };
        let wanted = path.to_string();
        let covers = |field: &str| {
            wanted.strip_prefix(field).is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
        };
        fields.iter().filter(|(field, _)| covers(field)).max_by_key(|(field, _)| field.len()).map_or(&[], |(_, c)| c)
    }
}

/// An object that was put together from other facts.
#[derive(Debug)]
pub struct Derived {
    /// Its kind.
    pub kind: KindName,
    /// Its namespace, if it has one.
    pub namespace: Option<String>,
    /// Its name.
    pub name: String,
    /// The kind of the object that it speaks of: reports name the entity by it.
    pub stands_for: Option<KindName>,
    /// Its tree.
    pub node: Node,
    /// Field paths that are known; any other is unknown.
    pub known: Vec<String>,
    /// What each known field rests on, by field path.
    pub citations: BTreeMap<String, Vec<Citation>>,
}

/// Adds a derived object to the facts of a context.
pub fn add(facts: &mut Facts, context: ContextId, derived: Derived) {
    let id = ObjectId(facts.objects.len() as u32);
    let first = derived.citations.values().flatten().next();
    let (member, line) = first.map_or((MemberId(u32::MAX), 0), |c| (c.member, c.line));
    let path = |text: &str| Path(text.split('.').map(|step| Step::Field(step.to_owned())).collect());
    let record = ObjectRecord {
        kind: Some(derived.kind.clone()),
        api_version: Some("casefile.dev/v1".to_owned()),
        namespace: derived.namespace.clone(),
        name: derived.name.clone(),
        uid: None,
        form: Form::Derived,
        shown: Shown::Paths(derived.known.iter().map(|known| path(known)).chain([path("metadata")]).collect()),
        node: derived.node,
        member,
        line,
        path: String::new(),
        order: None,
        time: None,
    };
    facts.objects.push(Object {
        context,
        kind: derived.kind.clone(),
        namespace: derived.namespace,
        name: derived.name,
        uid: None,
        sightings: vec![Sighting { record, resource_version: None }],
        shadow: false,
    });
    facts.by_kind.entry((context, derived.kind)).or_default().push(id);
    if let Some(kind) = derived.stands_for {
        facts.stands_for.insert(id, kind);
    }
    facts.derived_from.insert(id, derived.citations);
}
