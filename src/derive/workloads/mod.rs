//! Workloads: the top controller of Pods (or a Pod without one) with all that is wrong with its Pods:
//! `workloads.casefile.dev`.
//!
//! Why derived: fifty Pods of one Deployment that fail alike are one failure, and why they fail stands in
//! container states, events and logs that only belong together by owner references. A person puts them
//! together first.
//!
//! | field | meaning |
//! |---|---|
//! | `spec.kind`, `spec.desired` | kind of the controller; wanted replicas |
//! | `status.ready`, `status.pods` | ready replicas; Pods seen that have not ended |
//! | `status.allReady` | all that is wanted is ready |
//! | `status.troubles` | classes of trouble, the nearest to the cause first |
//! | `status.<class>` | details of one class (`crashLoop`, `imagePull`, ...): `pods`, `podNames`, `lasting`, `message`, ... |
//!
//! Invariants: a class that no Pod shows is *not set*; a detail that no source shows is *unknown*; a Pod that
//! fails by several classes counts for the one that is nearest to the cause; nothing is concluded from what
//! is over (healed events, ended Pods, restarts of containers that are ready).
//!
//! Owners: `metadata.ownerReferences`; a ReplicaSet that was not collected is taken for its Deployment's by the
//! label `pod-template-hash` (`pkg/controller/deployment/util/deployment_util.go`); table rows, which show no
//! owner, by the names that controllers give (`<name>-<hash>-<5>`, `<name>-<5>`, `<name>-<ordinal>`), and only
//! to a controller that was seen.

pub mod controllers;
pub mod events;
pub mod logs;
pub mod message;
pub mod pod;
pub mod trouble;

use crate::builder::Builder;
use crate::nodes::Nodes;
use crate::reader::{Read, Reader};
use events::Events;
use facts::derived::Derived;
use facts::kind::KindName;
use facts::object::{ContextId, ObjectId};
use facts::store::Facts;
use pod::{Judge, Pod};
use std::collections::{BTreeMap, BTreeSet};
use trouble::{Class, Trouble};

/// Names that one field keeps at most.
const MAX_NAMES: usize = 10;

/// Kinds that are read.
pub fn kinds() -> Vec<KindName> {
    let controllers = controllers::KINDS.iter().map(|(_, kind)| *kind);
    controllers.chain(["pods", "events", "events.events.k8s.io"]).map(KindName::parse).collect()
}

/// A controller, or a Pod without one.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Key {
    /// Its namespace.
    pub namespace: Option<String>,
    /// Its kind: `Deployment`.
    pub kind: String,
    /// Its name.
    pub name: String,
}

/// One workload.
#[derive(Debug, Default)]
pub struct Workload {
    /// Its own object, if it was seen.
    pub object: Option<ObjectId>,
    /// API version of the owner reference, for the kind.
    pub api_version: Option<String>,
    /// Its Pods, by index.
    pub pods: Vec<usize>,
    /// What is wrong with the controller itself.
    pub troubles: Vec<Trouble>,
    /// Wanted and ready replicas, as the controller says.
    pub desired: Option<i64>,
    /// Ready replicas.
    pub ready: Option<i64>,
}

/// The workloads of a context.
#[derive(Debug)]
pub struct Workloads {
    /// All Pods.
    pub pods: Vec<Pod>,
    /// All workloads.
    pub all: BTreeMap<Key, Workload>,
    /// All events.
    pub events: Events,
    /// Which workload a Pod belongs to, by index of the Pod.
    owner: Vec<Key>,
}

impl Workloads {
    /// Reads them.
    pub fn gather(facts: &Facts, context: ContextId, nodes: &Nodes) -> Self {
        let reader = Reader::new(facts, context);
        let events = Events::gather(reader);
        let logs = logs::LastWords::gather(reader);
        let judge = Judge { reader, events: &events, nodes, logs: &logs };
        let pods: Vec<Pod> = reader.all("pods").into_iter().map(|id| judge.pod(id)).collect();
        let known = controllers::Known::gather(reader);
        let mut all: BTreeMap<Key, Workload> = BTreeMap::new();
        let mut owner = Vec::with_capacity(pods.len());
        for (key, id) in known.top() {
            all.entry(key).or_default().object = Some(id);
        }
        for (index, pod) in pods.iter().enumerate() {
            let (key, api_version) = known.owner(reader, pod);
            let workload = all.entry(key.clone()).or_default();
            workload.pods.push(index);
            workload.api_version = workload.api_version.take().or(api_version);
            if key.kind == "Pod" {
                workload.object = Some(pod.id);
            }
            owner.push(key);
        }
        let mut made = Self { pods, all, events, owner };
        controllers::judge(reader, &mut made, &known);
        made
    }

    /// The workload of a Pod.
    pub(crate) fn owner_of(&self, index: usize) -> Option<&Key> {
        self.owner.get(index)
    }

    /// The objects.
    pub fn derive(&self) -> Vec<Derived> {
        self.all.iter().map(|(key, workload)| self.object(key, workload)).collect()
    }

    fn object(&self, key: &Key, workload: &Workload) -> Derived {
        let mut made = Builder::new("workloads", key.namespace.as_deref(), &key.name);
        let known =
            controllers::KINDS.iter().find(|(kind, _)| *kind == key.kind).map(|(_, plural)| KindName::parse(plural));
        made.stands_for(match (known, &workload.api_version) {
            _ if key.kind == "Pod" => KindName::parse("pods"),
            (Some(kind), _) => kind,
            (None, Some(version)) => KindName::guess(version, &key.kind),
            (None, None) => KindName::guess("", &key.kind),
        });
        made.text("spec.kind", &key.kind);
        made.text("spec.id", &id_of(key));
        if let Some(desired) = workload.desired {
            made.number("spec.desired", desired);
        }
        if let Some(ready) = workload.ready {
            made.number("status.ready", ready);
        }
        if let (Some(desired), Some(ready)) = (workload.desired, workload.ready) {
            made.flag("status.allReady", ready >= desired);
        }
        let alive: Vec<&Pod> =
            workload.pods.iter().filter_map(|i| self.pods.get(*i)).filter(|pod| !pod.ended).collect();
        made.number("status.pods", alive.len() as i64);
        made.list("status.nodes", alive.iter().filter_map(|pod| pod.node.clone()));
        self.troubles(workload, &mut made);
        made.finish()
    }

    fn troubles(&self, workload: &Workload, made: &mut Builder) {
        let mut by_class: BTreeMap<Class, Vec<(Option<&Pod>, &Trouble)>> = BTreeMap::new();
        for trouble in &workload.troubles {
            by_class.entry(trouble.class).or_default().push((None, trouble));
        }
        for pod in workload.pods.iter().filter_map(|index| self.pods.get(*index)) {
            let nearest = pod.troubles.iter().map(|trouble| trouble.class).min();
            for trouble in pod.troubles.iter().filter(|trouble| Some(trouble.class) == nearest) {
                by_class.entry(trouble.class).or_default().push((Some(pod), trouble));
            }
        }
        // A Job that gave up says all that its failed Pods say; what is only unavailable says nothing beside a reason.
        if by_class.contains_key(&Class::JobFailed) {
            by_class.retain(|class, _| matches!(class, Class::JobFailed));
        }
        if by_class.len() > 1 {
            by_class.remove(&Class::Unavailable);
        }
        made.list("status.troubles", by_class.keys().map(|class| class.field().to_owned()));
        for class in Class::ALL {
            match by_class.get(&class) {
                Some(found) => self.class(class, found, made),
                None => made.absent(&format!("status.{}", class.field())),
            }
        }
    }

    fn class(&self, class: Class, found: &[(Option<&Pod>, &Trouble)], made: &mut Builder) {
        let at = |field: &str| format!("status.{}.{field}", class.field());
        let because = || found.iter().flat_map(|(_, trouble)| trouble.citations.iter().cloned());
        let pods: BTreeSet<&str> = found.iter().filter_map(|(pod, _)| *pod).map(|pod| pod.name.as_str()).collect();
        made.flag(&at("present"), true);
        made.rests_on(&at("present"), because());
        made.number(&at("pods"), pods.len() as i64);
        made.rests_on(&at("pods"), because());
        made.list(&at("podNames"), pods.iter().take(MAX_NAMES).map(|name| (*name).to_owned()));
        made.list(&at("onNodes"), found.iter().filter_map(|(pod, _)| pod.and_then(|pod| pod.node.clone())));
        if found.iter().any(|(_, trouble)| trouble.lasting) {
            made.flag(&at("lasting"), true);
            made.rests_on(&at("lasting"), because());
        }
        let mut details: BTreeMap<&'static str, Vec<&Read>> = BTreeMap::new();
        for (_, trouble) in found {
            for (field, reads) in &trouble.details {
                details.entry(field).or_default().extend(reads);
            }
        }
        // A Pod is forgotten or it is not; that is never unknown.
        if !details.contains_key("forgotten") {
            made.absent(&at("forgotten"));
        }
        for (field, reads) in details {
            // Lists are what several Pods may have several of; of the rest the first one stands for all.
            if matches!(
                field,
                "image"
                    | "registry"
                    | "problem"
                    | "name"
                    | "claims"
                    | "reasons"
                    | "taints"
                    | "finalizers"
                    | "why"
                    | "node"
                    | "webhook"
                    | "container"
                    | "serviceAccount"
                    | "lostNode"
            ) {
                made.list(&at(field), reads.iter().map(|read| read.text.clone()));
            } else if let Some(first) = reads.first() {
                made.text(&at(field), &first.text);
            }
            made.rests_on(&at(field), reads.iter().map(|read| read.citation.clone()));
        }
    }
}

/// A text that names one workload of a context: `shop/Deployment/web`.
pub fn id_of(key: &Key) -> String {
    format!("{}/{}/{}", key.namespace.as_deref().unwrap_or_default(), key.kind, key.name)
}
