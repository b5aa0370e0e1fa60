//! Lists: which objects a request asks for, and whether that is all there are.
//!
//! Invariants: an empty list is answered only where the facts prove that there is none; one that may lack objects says so
//! in a warning; an object that nobody can tell to match is left out, counted and named in a warning.

use crate::reply::Reply;
use crate::resources::Resource;
use crate::selector::{Match, Selector};
use crate::status;
use facts::object::{ContextId, ObjectId};
use facts::store::{Facts, Scope};
use facts::whole::{self as missing, Whole};

/// The version of every list: nothing changes.
pub(crate) const VERSION: &str = "1";

/// The objects that a request asks for.
#[derive(Debug)]
pub(crate) struct Listed {
    pub ids: Vec<ObjectId>,
    pub warnings: Vec<String>,
}

/// The objects of a kind in a namespace, or in all, that a selector selects.
///
/// # Errors
/// The refusal, if there may be some and none is known.
pub(crate) fn list(
    facts: &Facts,
    context: ContextId,
    resource: &Resource,
    namespace: Option<&str>,
    selector: &Selector,
) -> Result<Listed, Reply> {
    let kind = &resource.kind;
    let namespace = namespace.or_else(|| selector.namespace().filter(|_| resource.is_namespaced));
    let mut found = Found::default();
    for id in facts.of_kind(context, kind) {
        found.add(facts, *id, resource, namespace, selector);
    }
    let scope = Scope { namespace: namespace.map(str::to_owned), name: selector.name().map(str::to_owned) };
    let whole = missing::whole(facts, context, kind, &scope);
    let plural = kind.to_string();
    let mut doubts = Vec::new();
    if found.undecided > 0 {
        doubts.push(format!(
            "of {} {plural} what the selector asks for was not collected, so nobody knows whether they match",
            found.undecided
        ));
    }
    if found.elsewhere > 0 {
        doubts.push(format!("of {} {plural} the namespace was not collected", found.elsewhere));
    }
    if found.shadows > 0 {
        doubts.push(format!("{} rows may be {plural} of other names and are left out", found.shadows));
    }
    if found.manifests > 0 && found.ids.is_empty() {
        doubts.push(format!(
            "{} manifests speak of {plural}, and nobody knows whether they are in the cluster",
            found.manifests
        ));
    }
    match &whole {
        Whole::No(why) => doubts.insert(0, why.clone()),
        Whole::Doubtful(place) => doubts.push(format!("the table in {place} may have been filtered")),
        Whole::Likely(place) if found.ids.is_empty() => {
            doubts.push(format!("the list in {place} stands without its command, and may have been filtered"));
        }
        Whole::Yes(_) | Whole::Likely(_) => {}
    }
    let is_open = matches!(whole, Whole::No(_)) || found.undecided + found.elsewhere + found.shadows > 0;
    if found.ids.is_empty() && is_open {
        let about = (kind.group.as_str(), kind.plural.as_str(), "");
        let refused = status::not_in_bundle(about, &doubts.join("; "));
        // `kubectl describe` swallows the refusal of a list of Events and prints "none"; a warning it prints.
        let swallowed =
            selector.is_of_object().then(|| format!("{plural} are not in the bundle: {}", doubts.join("; ")));
        return Err(refused.warned(swallowed));
    }
    let warnings = doubts.into_iter().map(|doubt| format!("this list of {plural} may not be whole: {doubt}")).collect();
    Ok(Listed { ids: found.ids, warnings })
}

/// What was found, and what stays open.
#[derive(Debug, Default)]
struct Found {
    ids: Vec<ObjectId>,
    /// Objects that nobody can tell to match.
    undecided: usize,
    /// Objects whose namespace nobody knows, where one was asked for.
    elsewhere: usize,
    /// Rows that could be one of several objects.
    shadows: usize,
    /// Objects of which only manifests speak.
    manifests: usize,
}

impl Found {
    fn add(&mut self, facts: &Facts, id: ObjectId, resource: &Resource, namespace: Option<&str>, selector: &Selector) {
        let object = facts.object(id);
        let is_elsewhere = |wanted: &str| object.namespace.as_deref().is_some_and(|own| own != wanted);
        if object.is_manifest() || namespace.is_some_and(is_elsewhere) {
            self.manifests += usize::from(object.is_manifest());
            return;
        }
        match selector.matches(facts, id) {
            Match::No => {}
            Match::Unknown => self.undecided += 1,
            Match::Yes if object.shadow => self.shadows += 1,
            Match::Yes if namespace.is_some() && object.namespace.is_none() && resource.is_namespaced => {
                self.elsewhere += 1
            }
            Match::Yes => self.ids.push(id),
        }
    }
}

/// One object by its name.
///
/// # Errors
/// The refusal: it does not exist, or nobody knows.
pub(crate) fn get(
    facts: &Facts,
    context: ContextId,
    resource: &Resource,
    namespace: Option<&str>,
    name: &str,
) -> Result<ObjectId, Reply> {
    let kind = &resource.kind;
    if let Some(id) = facts.named(context, kind, namespace, name) {
        return Ok(id);
    }
    let about = (kind.group.as_str(), kind.plural.as_str(), name);
    let is_same = |id: &&ObjectId| {
        let object = facts.object(**id);
        object.name == name && (object.namespace.is_none() || object.namespace.as_deref() == namespace)
    };
    if let Some(id) = facts.of_kind(context, kind).iter().find(is_same) {
        let why = if facts.object(*id).is_manifest() {
            format!(
                "only a manifest speaks of {} {name}, and nobody knows whether it is in the cluster",
                resource.singular
            )
        } else {
            format!("of a {} {name} the namespace was not collected", resource.singular)
        };
        return Err(status::not_in_bundle(about, &why));
    }
    if let Some(id) = facts.gone_of_kind(context, kind).iter().find(is_same) {
        let ended = facts.object(*id).presence.ended().map(|ended| missing::place(facts, Some(&ended.citation)));
        return Err(status::not_found(about, &format!(": it was there, and is gone by {}", ended.unwrap_or_default())));
    }
    let scope = Scope { namespace: namespace.map(str::to_owned), name: Some(name.to_owned()) };
    Err(match missing::whole(facts, context, kind, &scope) {
        Whole::Yes(place) if place.is_empty() => status::not_found(about, ""),
        Whole::Yes(place) | Whole::Likely(place) => status::not_found(about, &format!(", by the list in {place}")),
        Whole::Doubtful(place) => {
            let why = format!("the table in {place} lacks {} {name}, and may have been filtered", resource.singular);
            status::not_in_bundle(about, &why)
        }
        Whole::No(why) => status::not_in_bundle(about, &format!("{} {name}: {why}", resource.singular)),
    })
}
