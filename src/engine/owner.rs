//! Whose object a finding is about: the controller that made it, as a person names it.
//!
//! Why: whoever runs a cluster knows a MachineDeployment and a Deployment by name, and not the MachineSets and
//! ReplicaSets that these make anew for each version of their template. Fifty Machines of one MachineDeployment that
//! fail alike are one thing to look at (`diagnosis::together`).
//!
//! Invariants: the first step is the owner reference that says `controller: true`, whatever the kinds are; from there
//! the way leads upwards only through owners that are seen, and only while one is a generation of the next: named
//! after it with a suffix that no person chose. So it ends at the workload, and not at the Cluster or the operator's
//! object that the workload in turn belongs to. An owner that is not in the namespace of its object (the Node of a
//! static Pod) runs it, and does not make copies of it. A derived object has the owner of the object it stands for.
//! Where no owner reference is shown, on the way as well, a field or the object's own name may tell it (`patterns/ties.yaml`).

use crate::entity::Subject;
use catalogue::kinds::Catalogue;
use catalogue::ties;
use catalogue::ties::Named;
use diagnosis::model::OwnerInfo;
use facts::kind::KindName;
use facts::object::{ContextId, Lookup, ObjectId};
use facts::path::Path;
use facts::store::Facts;
use std::collections::BTreeMap;

/// Owners above an object that are followed: no known controllers nest deeper, and a circle must end.
const MAX_STEPS: usize = 6;
/// Characters that a generated suffix has at least, unless it is a number. Source:
/// `kubernetes/apiserver:pkg/storage/names/generate.go`, `randomLength`.
const SUFFIX: usize = 5;

/// Objects of one kind and context by namespace and name; `None` where several have the name.
type Names<'a> = BTreeMap<(Option<&'a str>, &'a str), Option<ObjectId>>;

/// The owners of objects.
pub(crate) struct Owners<'a> {
    facts: &'a Facts,
    catalogue: &'a Catalogue,
    /// Made for each kind when it is first asked for: a look-up must not cost as much as there are objects.
    names: BTreeMap<(ContextId, KindName), Names<'a>>,
}

/// What an owner reference says.
#[derive(Debug)]
struct Reference {
    /// As it is spelt.
    kind: String,
    /// The kinds that it can be: several where a text form shows no API version.
    kinds: Vec<KindName>,
    name: String,
}

impl<'a> Owners<'a> {
    pub(crate) fn new(facts: &'a Facts, catalogue: &'a Catalogue) -> Self {
        Self { facts, catalogue, names: BTreeMap::new() }
    }

    /// Whose object an entity is; `None` if it has no controller, or none is known.
    pub(crate) fn of(&mut self, subject: &Subject) -> Option<OwnerInfo> {
        let Some(own) = subject.object else { return self.of_stream(subject) };
        let object = match self.facts.stands_for.get(&own) {
            Some(kind) => {
                let kind = kind.clone();
                self.find(subject.context, &kind, subject.namespace.as_deref(), &subject.name)?
            }
            None => own,
        };
        self.of_object(subject.context, object)
    }

    /// Whose Pod wrote a log.
    fn of_stream(&mut self, subject: &Subject) -> Option<OwnerInfo> {
        let (stream, _) = subject.stream.as_ref()?;
        let facts = self.facts;
        let (namespace, pod, _) = facts.streams.get(*stream)?.pod.as_ref()?;
        let pods = KindName::parse("pods");
        let pod = self.find(subject.context, &pods, Some(namespace), pod)?;
        self.of_object(subject.context, pod)
    }

    fn of_object(&mut self, context: ContextId, object: ObjectId) -> Option<OwnerInfo> {
        let namespace = self.facts.object(object).namespace.as_deref();
        let Some(mut owner) = self.controller(object) else { return self.told(object) };
        let outside = |kind: &KindName| self.catalogue.cluster_scoped(kind) == Some(true);
        if namespace.is_some() && owner.kinds.iter().any(outside) {
            return None;
        }
        for _ in 0..MAX_STEPS {
            let object = self.object(context, namespace, &owner);
            let Some(above) = object.and_then(|object| self.controller(object)) else {
                // A row of a table shows no owner references, but its name may tell.
                let told = object.and_then(|object| self.told(object));
                match told.filter(|told| owner.name.strip_prefix(&told.name).is_some_and(|rest| rest.starts_with('-')))
                {
                    Some(told) => return Some(told),
                    None => break,
                }
            };
            if !is_generation(&owner.name, &above.name) {
                break;
            }
            owner = above;
        }
        let group = match owner.kinds.as_slice() {
            [kind] => kind.group.clone(),
            _ => String::new(),
        };
        Some(OwnerInfo { kind: owner.kind, group, name: owner.name })
    }

    /// The owner that something else than an owner reference tells.
    fn told(&self, object: ObjectId) -> Option<OwnerInfo> {
        let known = self.facts.object(object);
        let references = Path::parse("metadata.ownerReferences").ok()?;
        let unseen = matches!(self.facts.lookup(object, &references), Lookup::Unknown(_));
        ties::owners(&known.kind).find_map(|owner| {
            let name = match &owner.name {
                Named::At(path) => self.text(object, &path.to_string()),
                Named::Within(_) => owner.name.within(&known.name).filter(|_| unseen).map(str::to_owned),
            };
            Some(OwnerInfo { kind: owner.of.clone(), group: owner.group.clone(), name: name? })
        })
    }

    /// The owner reference of an object's controller.
    fn controller(&self, object: ObjectId) -> Option<Reference> {
        let field = |name: &str| self.text(object, &format!("metadata.ownerReferences[controller=true].{name}"));
        let (kind, name) = (field("kind")?, field("name")?);
        let kinds = match field("apiVersion") {
            Some(version) => vec![self.catalogue.kind_of(&version, &kind)],
            None => self.catalogue.kinds().filter(|known| known.kind == kind).map(|known| known.name.clone()).collect(),
        };
        Some(Reference { kind, kinds, name })
    }

    /// The one text at a path.
    fn text(&self, object: ObjectId, path: &str) -> Option<String> {
        match self.facts.lookup(object, &Path::parse(path).ok()?) {
            Lookup::Found(values) => match values.as_slice() {
                [(node, _)] => node.value.scalar().filter(|text| !text.is_empty()),
                _ => None,
            },
            _ => None,
        }
    }

    /// The object that an owner reference means, if it was seen and is the only one that it can mean.
    fn object(&mut self, context: ContextId, namespace: Option<&str>, owner: &Reference) -> Option<ObjectId> {
        let mut found = Vec::new();
        for kind in &owner.kinds {
            found.extend(self.find(context, kind, namespace, &owner.name));
        }
        match found.as_slice() {
            [one] => Some(*one),
            _ => None,
        }
    }

    fn find(&mut self, context: ContextId, kind: &KindName, namespace: Option<&str>, name: &str) -> Option<ObjectId> {
        let facts = self.facts;
        let names = self.names.entry((context, kind.clone())).or_insert_with(|| {
            let mut names = Names::new();
            // What is gone counts only where nothing of that name is there.
            for ids in [facts.of_kind(context, kind), facts.gone_of_kind(context, kind)] {
                let mut these = Names::new();
                for &id in ids.iter().filter(|id| !facts.object(**id).shadow) {
                    let object = facts.object(id);
                    let key = (object.namespace.as_deref(), object.name.as_str());
                    these.entry(key).and_modify(|known| *known = None).or_insert(Some(id));
                }
                for (key, id) in these {
                    names.entry(key).or_insert(id);
                }
            }
            names
        });
        names.get(&(namespace, name)).copied().flatten()
    }
}

/// Is the first name the second one with a suffix that a controller made: a number (`backup-28933`), letters without
/// a vowel, of which names are generated so that they spell no word (`md-0-7c9zt`), or the digits of a hash?
/// Source: `kubernetes/apimachinery:pkg/util/rand/rand.go`, `alphanums`.
fn is_generation(name: &str, of: &str) -> bool {
    let Some(suffix) = name.strip_prefix(of).and_then(|rest| rest.strip_prefix('-')) else { return false };
    let all = |wanted: fn(u8) -> bool| suffix.bytes().all(wanted);
    let number = !suffix.is_empty() && all(|b| b.is_ascii_digit());
    let random = all(|b| b.is_ascii_digit() || b.is_ascii_lowercase() && !b"aeiou".contains(&b));
    let hash = all(|b| b.is_ascii_digit() || (b'a'..=b'f').contains(&b)) && suffix.bytes().any(|b| b.is_ascii_digit());
    number || suffix.len() >= SUFFIX && (random || hash)
}

#[cfg(test)]
mod tests {
    use super::is_generation;

    #[test]
    fn a_generation_is_named_after_its_maker_and_by_no_person() {
        for (name, of) in [
            ("md-0-7c9zt", "md-0"),
            ("web-6d4cf56db6", "web"),
            ("web-7d9fa", "web"),
            ("backup-28933440", "backup"),
            ("router-1", "router"),
        ] {
            assert!(is_generation(name, of), "{name} of {of}");
        }
        for (name, of) in [
            ("kestrel-control-plane", "kestrel"),
            ("kestrel-cp", "kestrel"),
            ("kestrel-master1", "kestrel"),
            ("calico-node", "default"),
            ("db", "db"),
            ("db-", "db"),
            ("website-7c9zt", "web"),
            ("svc-00001-deployment", "svc-00001"),
        ] {
            assert!(!is_generation(name, of), "{name} of {of}");
        }
    }
}
