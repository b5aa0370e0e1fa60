//! Services with what stands behind them: `servicebackends.casefile.dev`, one for each Service that selects Pods.
//!
//! Why derived: whether a Service has somebody to serve it is a matter of its selector, the Pods' labels and
//! readiness, and its endpoints, which stand in two kinds of object.
//!
//! Invariants: a Service without a selector is left out (its endpoints are made by hand); that nobody stands
//! behind it is said by endpoints that were collected, or by all Pods of its namespace, never by their lack.

use super::Derived;
use super::builder::Builder;
use super::reader::{Read, Reader};
use super::workloads::{Workloads, id_of};
use crate::facts::kind::KindName;
use crate::facts::object::{ContextId, ObjectId};
use crate::facts::origin::Citation;
use crate::facts::store::{Absence, Facts, Scope};
use std::collections::BTreeMap;

/// Kinds that are read.
pub fn kinds() -> Vec<KindName> {
    ["services", "endpoints", "endpointslices.discovery.k8s.io"].iter().map(|kind| KindName::parse(kind)).collect()
}

/// What stands behind a Service.
#[derive(Debug)]
pub struct Service {
    /// Its object.
    pub id: ObjectId,
    /// Ready addresses; `None` if not known.
    pub ready: Option<i64>,
    /// Addresses that are not ready.
    pub not_ready: Option<i64>,
    /// Pods that it selects, by index in the workloads.
    pub pods: Vec<usize>,
    /// All Pods of its namespace were seen.
    pub all_pods: bool,
    /// Where the endpoints stand.
    pub citations: Vec<Citation>,
    /// It selects nothing by itself.
    pub without_selector: bool,
    target_ports: Vec<Read>,
}

/// The Services of a context, by namespace and name.
#[derive(Debug)]
pub struct Services<'a> {
    reader: Reader<'a>,
    workloads: &'a Workloads,
    /// By namespace and name.
    pub all: BTreeMap<(String, String), Service>,
}

impl<'a> Services<'a> {
    /// Reads them.
    pub fn gather(facts: &'a Facts, context: ContextId, workloads: &'a Workloads) -> Self {
        let reader = Reader::new(facts, context);
        let mut all = BTreeMap::new();
        let mut labels: BTreeMap<usize, Vec<(String, String)>> = BTreeMap::new();
        for (index, pod) in workloads.pods.iter().enumerate() {
            if let Some(found) = reader.entries(pod.id, "metadata.labels") {
                labels.insert(index, found);
            }
        }
        for id in reader.all("services") {
            let object = reader.object(id);
            let Some(namespace) = object.namespace.clone() else { continue };
            let selector = reader.entries(id, "spec.selector");
            if selector.is_none() || reader.is(id, "spec.type", "ExternalName") {
                continue;
            }
            let selector = selector.unwrap_or_default();
            let scope = Scope { namespace: Some(namespace.clone()), name: None };
            let whole = !matches!(facts.absence(context, &KindName::parse("pods"), &scope), Absence::Unknown { .. });
            let in_namespace: Vec<usize> = workloads
                .pods
                .iter()
                .enumerate()
                .filter(|(_, pod)| pod.namespace.as_ref() == Some(&namespace) && !pod.ended)
                .map(|(index, _)| index)
                .collect();
            let selected = |index: &usize| {
                labels.get(index).is_some_and(|labels| selector.iter().all(|pair| labels.contains(pair)))
            };
            let all_pods = whole && in_namespace.iter().all(|index| labels.contains_key(index));
            let pods =
                if selector.is_empty() { Vec::new() } else { in_namespace.into_iter().filter(selected).collect() };
            let (ready, not_ready, citations) = endpoints(reader, &namespace, &object.name);
            let service = Service {
                id,
                ready,
                not_ready,
                pods,
                all_pods,
                citations,
                without_selector: selector.is_empty(),
                target_ports: reader.texts(id, "spec.ports[*].targetPort"),
            };
            all.insert((namespace, object.name.clone()), service);
        }
        Self { reader, workloads, all }
    }

    /// The workloads behind a Service.
    pub fn workloads_of(&self, service: &Service) -> Vec<String> {
        if service.pods.is_empty() && !service.all_pods {
            // Nothing shows the labels of the Pods: the workloads that are named after the Service.
            let object = self.reader.object(service.id);
            return self.workloads_named(object.namespace.as_deref().unwrap_or_default(), &object.name);
        }
        let keys = service.pods.iter().filter_map(|index| self.workloads.owner_of(*index));
        let mut found: Vec<String> = keys.map(id_of).collect();
        found.sort();
        found.dedup();
        found
    }

    /// The workloads with Pods of these labels, even if none of their Pods is there.
    fn workloads_by_template(&self, namespace: &str, service: &Service) -> Vec<String> {
        let Some(selector) = self.reader.entries(service.id, "spec.selector").filter(|s| !s.is_empty()) else {
            return Vec::new();
        };
        let fits = |id: ObjectId| {
            self.reader
                .entries(id, "spec.template.metadata.labels")
                .is_some_and(|labels| selector.iter().all(|pair| labels.contains(pair)))
        };
        let in_namespace = self.workloads.all.iter().filter(|(key, _)| key.namespace.as_deref() == Some(namespace));
        in_namespace.filter(|(_, workload)| workload.object.is_some_and(fits)).map(|(key, _)| id_of(key)).collect()
    }

    /// Are the workloads that would stand behind a Service scaled to zero on purpose?
    fn scaled_to_zero(&self, names: &[String]) -> bool {
        let found: Vec<_> = self.workloads.all.iter().filter(|(key, _)| names.contains(&id_of(key))).collect();
        !found.is_empty() && found.iter().all(|(_, workload)| workload.desired == Some(0))
    }

    /// Was the Service seen, in whatever form?
    pub fn seen(&self, namespace: &str, name: &str) -> bool {
        self.reader.all("services").into_iter().any(|id| {
            let object = self.reader.object(id);
            object.name == name && object.namespace.as_deref() == Some(namespace)
        })
    }

    /// The workloads of a namespace whose name begins like that of a Service.
    pub fn workloads_named(&self, namespace: &str, name: &str) -> Vec<String> {
        let keys = self.workloads.all.keys().filter(|key| key.namespace.as_deref() == Some(namespace));
        keys.filter(|key| key.name == name || key.name.starts_with(&format!("{name}-"))).map(id_of).collect()
    }

    /// How many of the selected Pods are ready.
    pub fn ready_pods(&self, service: &Service) -> i64 {
        let pods = service.pods.iter().filter_map(|index| self.workloads.pods.get(*index));
        pods.filter(|pod| pod.ready != Some(false)).count() as i64
    }

    /// Where the selected Pods say whether they are ready.
    pub fn places(&self, service: &Service) -> Vec<Citation> {
        let pods = service.pods.iter().filter_map(|index| self.workloads.pods.get(*index));
        let path = "status.conditions[type=Ready].status";
        pods.filter_map(|pod| self.reader.text(pod.id, path).map(|read| read.citation)).collect()
    }

    /// Is one of the selected Pods still starting?
    pub fn starting(&self, service: &Service) -> bool {
        service.pods.iter().filter_map(|index| self.workloads.pods.get(*index)).any(|pod| pod.young)
    }

    /// The objects.
    pub fn derive(&self) -> Vec<Derived> {
        let selecting = self.all.iter().filter(|(_, service)| !service.without_selector);
        selecting.map(|((namespace, name), service)| self.object(namespace, name, service)).collect()
    }

    fn object(&self, namespace: &str, name: &str, service: &Service) -> Derived {
        let reader = self.reader;
        let mut made = Builder::new("servicebackends", Some(namespace), name);
        made.stands_for(KindName::parse("services"));
        let selector = reader.entries(service.id, "spec.selector").unwrap_or_default();
        let text: Vec<String> = selector.iter().map(|(key, value)| format!("{key}={value}")).collect();
        made.text("spec.selector", &text.join(","));
        if let Some((_, citation)) = reader.nodes(service.id, "spec.selector").first() {
            made.rests_on("spec.selector", [citation.clone()]);
        }
        if let Some(ready) = service.ready {
            made.number("status.readyEndpoints", ready);
            made.rests_on("status.readyEndpoints", service.citations.clone());
        }
        if let Some(not_ready) = service.not_ready {
            made.number("status.notReadyEndpoints", not_ready);
            made.rests_on("status.notReadyEndpoints", service.citations.clone());
        }
        let pods: Vec<&super::workloads::pod::Pod> =
            service.pods.iter().filter_map(|i| self.workloads.pods.get(*i)).collect();
        let ready = pods.iter().filter(|pod| pod.ready == Some(true)).count() as i64;
        if service.all_pods || !pods.is_empty() {
            made.number("status.selectedPods", pods.len() as i64);
            made.number("status.readyPods", ready);
        }
        let places = pods.iter().filter_map(|pod| reader.text(pod.id, "status.phase")).map(|read| read.citation);
        made.rests_on("status.selectedPods", places);
        // Many clean installations hold Services whose Pods nobody asked for; a Service is in use where its
        // workload is there, or was.
        let mut names = self.workloads_of(service);
        names.extend(self.workloads_by_template(namespace, service));
        names.sort();
        names.dedup();
        made.flag("status.scaledToZero", self.scaled_to_zero(&names));
        made.flag("status.starting", pods.iter().any(|pod| pod.young));
        made.flag("status.hasWorkload", !names.is_empty());
        let troubled = |id: &String| {
            self.workloads.all.iter().any(|(key, workload)| {
                id_of(key) == **id
                    && (!workload.troubles.is_empty()
                        || workload
                            .pods
                            .iter()
                            .any(|i| self.workloads.pods.get(*i).is_some_and(|p| !p.troubles.is_empty())))
            })
        };
        made.list("status.workloads", names.clone());
        made.list("status.troubledWorkloads", names.into_iter().filter(troubled));
        self.ports(service, &pods, &mut made);
        made.finish()
    }

    /// Target ports by name that no container of the selected Pods has.
    fn ports(&self, service: &Service, pods: &[&super::workloads::pod::Pod], made: &mut Builder) {
        let mut missing = Vec::new();
        let mut known = !pods.is_empty();
        for port in &service.target_ports {
            if port.text.parse::<i64>().is_ok() {
                continue;
            }
            for pod in pods {
                let names = self.reader.texts(pod.id, "spec.containers[*].ports[*].name");
                let shown = !self.reader.nodes(pod.id, "spec.containers").is_empty();
                known &= shown;
                if shown && !names.iter().any(|name| name.text == port.text) {
                    missing.push(port.clone());
                }
            }
        }
        if known {
            made.list("status.missingPorts", missing.iter().map(|read| read.text.clone()));
            made.rests_on("status.missingPorts", missing.into_iter().map(|read| read.citation));
        }
    }
}

/// Ready and not ready addresses, by the Endpoints object, else by its EndpointSlices.
fn endpoints(reader: Reader<'_>, namespace: &str, name: &str) -> (Option<i64>, Option<i64>, Vec<Citation>) {
    let here = |id: &ObjectId| reader.object(*id).namespace.as_deref() == Some(namespace);
    let own = reader.all("endpoints").into_iter().filter(here).find(|id| reader.object(*id).name == name);
    if let Some(id) = own {
        let ready = reader.nodes(id, "subsets[*].addresses");
        let not_ready = reader.nodes(id, "subsets[*].notReadyAddresses");
        let whole = reader.unset(id, "subsets") || !reader.nodes(id, "subsets").is_empty();
        if whole || !ready.is_empty() {
            let mut citations: Vec<Citation> =
                not_ready.iter().chain(&ready).map(|(_, citation)| citation.clone()).collect();
            citations.extend(reader.text(id, "metadata.name").map(|read| read.citation));
            return (Some(ready.len() as i64), Some(not_ready.len() as i64), citations);
        }
        return (None, None, Vec::new());
    }
    let slices: Vec<ObjectId> = reader
        .all("endpointslices.discovery.k8s.io")
        .into_iter()
        .filter(here)
        .filter(|id| reader.is(*id, "metadata.labels[\"kubernetes.io/service-name\"]", name))
        .collect();
    if slices.is_empty() {
        return (None, None, Vec::new());
    }
    let (mut ready, mut not_ready, mut citations) = (0, 0, Vec::new());
    for id in slices {
        if reader.nodes(id, "endpoints").is_empty() && !reader.unset(id, "endpoints") {
            return (None, None, Vec::new());
        }
        for (endpoint, citation) in reader.nodes(id, "endpoints") {
            let is_ready =
                endpoint.at(&["conditions", "ready"]).and_then(|node| node.value.scalar()) != Some("false".to_owned());
            if is_ready {
                ready += 1
            } else {
                not_ready += 1
            }
            citations.push(citation);
        }
        citations.extend(reader.text(id, "metadata.name").map(|read| read.citation));
    }
    (Some(ready), Some(not_ready), citations)
}
