//! Derived objects: what a person would first put together, put together once, in code.
//!
//! Each yields objects of the group `casefile.dev` with three-valued fields and citations; signatures and
//! pictures read them like any other object. Deriving is the place for arithmetic; the signature language
//! has none.

pub mod api_endpoints;
pub mod builder;
pub mod certificates;
pub mod claim_events;
pub mod cluster_ages;
pub mod component_runs;
pub mod control_plane;
pub mod control_plane_waits;
pub mod disruptions;
pub mod etcd;
pub mod ingresses;
pub mod installation;
pub mod joins;
pub mod kubelet_words;
#[cfg(test)]
mod laws;
pub mod leader_elections;
pub mod machine_certificates;
pub mod machine_hardware;
pub mod machine_waits;
pub mod member_heartbeats;
pub mod nodes;
pub mod reader;
pub mod services;
pub mod silence;
pub mod state_ages;
pub mod storage_defaults;
pub mod webhooks;
pub mod words;
pub mod workloads;

use super::kind::KindName;
use super::node::Node;
use super::object::{ContextId, Form, Object, ObjectId, ObjectRecord, Shown, Sighting};
use super::origin::{Citation, MemberId};
use super::path::{Path, Step};
use super::store::Facts;
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

/// Every literal that derived objects look for in logs.
pub fn literals() -> Vec<String> {
    let literals = [
        etcd::words::LITERALS,
        etcd::troubles::STORAGE,
        etcd::troubles::LITERALS,
        etcd::troubles::CLIENT_LITERALS,
        control_plane::LITERALS,
        control_plane_waits::LITERALS,
        kubelet_words::LITERALS,
        leader_elections::LITERALS,
        silence::LITERALS,
        &installation::LITERALS,
    ];
    literals.into_iter().flatten().map(|text| (*text).to_owned()).collect()
}

/// Kinds that derived objects are made of: they are kept whether a signature reads them or not.
pub fn kinds() -> Vec<KindName> {
    [
        etcd::kinds(),
        certificates::kinds(),
        installation::kinds(),
        workloads::kinds(),
        nodes::kinds(),
        services::kinds(),
        webhooks::kinds(),
        disruptions::kinds(),
        joins::kinds(),
        ingresses::kinds(),
        storage_defaults::kinds(),
        machine_waits::kinds(),
        machine_certificates::kinds(),
        machine_hardware::kinds(),
        claim_events::kinds(),
        cluster_ages::kinds(),
        state_ages::kinds(),
        component_runs::kinds(),
        control_plane_waits::kinds(),
        member_heartbeats::kinds(),
    ]
    .concat()
}

/// Kinds that are made use of in one namespace alone: kept whole there.
pub fn placed_kinds() -> Vec<(KindName, &'static str)> {
    installation::placed_kinds()
}

/// What an object of a derived kind is put together from: kinds that are collected, and classes of logs. A kind
/// that is read off a bundle as it is stands for itself.
pub fn made_of(kind: &KindName) -> (Vec<KindName>, &'static [&'static str]) {
    let parse = |names: &[&str]| names.iter().map(|name| KindName::parse(name)).collect::<Vec<_>>();
    let with = |mut kinds: Vec<KindName>, more: &[&str]| {
        kinds.extend(parse(more));
        kinds
    };
    if kind.group != "casefile.dev" {
        return (vec![kind.clone()], &[]);
    }
    match kind.plural.as_str() {
        "etcdclusters" | "etcdclustermembers" => {
            let answers = [
                "etcdmembers.casefile.dev",
                "etcdendpointstatuses.casefile.dev",
                "etcdendpointhealths.casefile.dev",
                "etcdalarms.casefile.dev",
            ];
            (parse(&answers), &["etcd"])
        }
        "etcdclienterrors" => (Vec::new(), &["kube-apiserver"]),
        "controlplanes" => (Vec::new(), &control_plane::CLASSES),
        "certificatestates" => (certificates::kinds(), &[]),
        "workloads" => (workloads::kinds(), &[]),
        "nodehealths" => (nodes::kinds(), &[]),
        "podnetworks" => (with(nodes::kinds(), &["pods"]), &[]),
        "servicebackends" => (with(services::kinds(), &["pods"]), &[]),
        "webhookbackends" => (with(webhooks::kinds(), &["services", "pods"]), &[]),
        "blockeddrains" => (with(disruptions::kinds(), &["pods"]), &[]),
        "controlplanejoins" => (joins::kinds(), &[]),
        "machinewaits" => (machine_waits::kinds(), &[]),
        "machinecertificates" => (machine_certificates::kinds(), &[]),
        "vmnodes" => (machine_hardware::kinds(), &[]),
        "claimevents" => (with(claim_events::kinds(), &["events"]), &[]),
        "clusterages" => (cluster_ages::kinds(), &[]),
        "stateages" => (state_ages::kinds(), &[]),
        "componentruns" => (component_runs::kinds(), &[]),
        "controlplanewaits" => (control_plane_waits::kinds(), &["kubeadm-control-plane"]),
        "leaderelections" => (Vec::new(), &["kube-controller-manager", "kube-scheduler"]),
        "kubeletwords" => (Vec::new(), &["kubelet"]),
        // Any question to the API server tells whether it answers; Nodes are what everybody asks for.
        "apiendpoints" => (parse(&["nodes"]), &[]),
        "memberheartbeats" => (member_heartbeats::kinds(), &[]),
        "ingresstargets" => (ingresses::kinds(), &[]),
        "defaultstorageclasses" => (storage_defaults::kinds(), &[]),
        "installationchecks" | "installationadvices" => (installation::kinds(), &[]),
        _ => (vec![kind.clone()], &[]),
    }
}

/// What a user chose that derived objects depend on.
#[derive(Debug, Clone, Default)]
pub struct Choices {
    /// `--profile`: the edition of the documentation that installations are checked against; the newest
    /// without it.
    pub profile: Option<String>,
}

/// Adds all derived objects to the facts.
pub fn derive(facts: &mut Facts, choices: &Choices) {
    for context in facts.context_ids() {
        let mut derived = etcd::derive(facts, context);
        derived.extend(installation::derive(facts, context, choices.profile.as_deref()));
        derived.extend(certificates::derive(facts, context));
        let nodes = nodes::Nodes::gather(facts, context);
        let workloads = workloads::Workloads::gather(facts, context, &nodes);
        derived.extend(nodes.derive(facts, context));
        derived.extend(workloads.derive());
        let services = services::Services::gather(facts, context, &workloads);
        derived.extend(services.derive());
        derived.extend(disruptions::derive(facts, context, &workloads));
        derived.extend(claim_events::derive(facts, context, &workloads));
        derived.extend(webhooks::derive(facts, context, &workloads, &services));
        derived.extend(storage_defaults::derive(facts, context));
        derived.extend(ingresses::derive(facts, context));
        derived.extend(api_endpoints::derive(facts, context));
        derived.extend(leader_elections::derive(facts, context));
        derived.extend(kubelet_words::derive(facts, context));
        derived.extend(component_runs::derive(facts, context));
        derived.extend(control_plane_waits::derive(facts, context));
        derived.extend(machine_certificates::derive(facts, context));
        derived.extend(machine_hardware::derive(facts, context));
        derived.extend(cluster_ages::derive(facts, context));
        derived.extend(state_ages::derive(facts, context));
        for derived in derived {
            add(facts, context, derived);
        }
        if let Some(derived) = control_plane::derive(facts, context) {
            add(facts, context, derived);
        }
        for derived in joins::derive(facts, context) {
            add(facts, context, derived);
        }
        for derived in machine_waits::derive(facts, context) {
            add(facts, context, derived);
        }
        for derived in member_heartbeats::derive(facts, context) {
            add(facts, context, derived);
        }
    }
    for (context, checks) in installation::derive_pair(facts, choices.profile.as_deref()) {
        for derived in checks {
            add(facts, context, derived);
        }
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

fn add(facts: &mut Facts, context: ContextId, derived: Derived) {
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
