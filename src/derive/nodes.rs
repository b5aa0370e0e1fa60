//! How the Nodes of a context are: `nodehealths.casefile.dev`, one for each Node, and
//! `podnetworks.casefile.dev`, one for a context in which Nodes wait for their CNI plugin.
//!
//! Why derived: whether a Node is lost is a matter of its heartbeats against the clock of the bundle, and
//! a missing CNI plugin is one failure however many Nodes wait for it.
//!
//! Sources: `kubernetes/kubernetes:pkg/kubelet/nodestatus/setters.go` (reasons and messages of the
//! conditions), `pkg/controller/nodelifecycle/node_lifecycle_controller.go` (`NodeStatusUnknown`, `Kubelet
//! stopped posting node status.`), `containerd/go-cni:errors.go` (`cni plugin not initialized`).
//!
//! Invariants: condition types that are not known to be of a fixed polarity are not judged; a Node whose
//! Ready condition was not shown is neither well nor ill.

use crate::builder::Builder;
use crate::reader::{Read, Reader};
use facts::derived::Derived;
use facts::kind::KindName;
use facts::object::{ContextId, ObjectId};
use facts::store::Facts;
use std::collections::BTreeMap;

/// What a Node's Ready condition says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ready {
    /// It is ready.
    Yes,
    /// Its kubelet says that it is not.
    No,
    /// Nobody heard of it any more.
    Lost,
    /// It is not ready, and which of both was not shown.
    NotOrLost,
    /// Not shown.
    Unknown,
}

/// One Node.
#[derive(Debug)]
pub struct NodeState {
    id: ObjectId,
    /// Its Ready condition.
    pub ready: Ready,
    message: Option<Read>,
    /// Its network plugin is not there.
    pub without_cni: bool,
}

/// The Nodes of a context by name.
#[derive(Debug, Default)]
pub struct Nodes {
    /// By name.
    pub by_name: BTreeMap<String, NodeState>,
}

/// Kinds that are read.
pub fn kinds() -> Vec<KindName> {
    ["nodes", "leases.coordination.k8s.io"].iter().map(|kind| KindName::parse(kind)).collect()
}

const READY: &str = "status.conditions[type=Ready]";

impl Nodes {
    /// Reads them.
    pub fn gather(facts: &Facts, context: ContextId) -> Self {
        let reader = Reader::new(facts, context);
        let mut nodes = Self::default();
        for id in reader.all("nodes") {
            let status = reader.text(id, &format!("{READY}.status"));
            let message = reader.text(id, &format!("{READY}.message"));
            let printed = reader.text(id, "status.kubectlStatus");
            let ready = match status.as_ref().map(|read| read.text.as_str()) {
                Some("True") => Ready::Yes,
                Some("False") => Ready::No,
                Some("Unknown") => Ready::Lost,
                _ => match printed.as_ref().map(|read| read.text.split(',').next().unwrap_or_default().to_owned()) {
                    Some(text) if text == "Ready" => Ready::Yes,
                    Some(text) if text == "NotReady" => Ready::NotOrLost,
                    Some(text) if text == "Unknown" => Ready::Lost,
                    _ => Ready::Unknown,
                },
            };
            let said = message.as_ref().map(|read| read.text.to_ascii_lowercase()).unwrap_or_default();
            let without_cni = ready == Ready::No
                && (said.contains("cni plugin not initialized")
                    || said.contains("cni config uninitialized")
                    || said.contains("no cni configuration file")
                    || said.contains("networkpluginnotready"));
            nodes.by_name.insert(reader.object(id).name.clone(), NodeState { id, ready, message, without_cni });
        }
        nodes
    }

    /// The state of a Node by name.
    pub fn ready(&self, name: &str) -> Ready {
        self.by_name.get(name).map_or(Ready::Unknown, |node| node.ready)
    }

    /// Its network plugin is not there.
    pub(crate) fn without_cni(&self, name: &str) -> bool {
        self.by_name.get(name).is_some_and(|node| node.without_cni)
    }

    /// The objects.
    pub fn derive(&self, facts: &Facts, context: ContextId) -> Vec<Derived> {
        let reader = Reader::new(facts, context);
        let mut all: Vec<Derived> = self.by_name.iter().map(|(name, node)| self.health(reader, name, node)).collect();
        all.extend(self.network(reader));
        all
    }

    fn health(&self, reader: Reader<'_>, name: &str, node: &NodeState) -> Derived {
        let mut made = Builder::new("nodehealths", None, name);
        made.stands_for(KindName::parse("nodes"));
        let id = node.id;
        let part = |field: &str| reader.text(id, &format!("{READY}.{field}"));
        let status = part("status").or_else(|| reader.text(id, "status.kubectlStatus"));
        let words = match node.ready {
            Ready::Yes => Some("True"),
            Ready::No => Some("False"),
            Ready::Lost => Some("Unknown"),
            Ready::NotOrLost | Ready::Unknown => None,
        };
        if let Some(word) = words {
            made.text("status.ready", word);
        }
        if node.ready != Ready::Unknown {
            made.flag("status.notReady", node.ready != Ready::Yes);
        }
        for path in ["status.ready", "status.notReady"] {
            made.rests_on(path, status.iter().map(|read| read.citation.clone()));
        }
        for (field, path) in [("reason", "status.reason"), ("message", "status.message")] {
            if let Some(read) = part(field) {
                made.read(path, &read);
            }
        }
        if let Some(read) = part("lastTransitionTime") {
            made.read("status.since", &read);
            if let Some(age) = read.time().and_then(|time| reader.age_of(time)) {
                made.number("status.sinceSeconds", age);
                made.rests_on("status.sinceSeconds", [read.citation.clone()]);
            }
        }
        self.heartbeat(reader, id, name, &mut made);
        made.flag("status.withoutCni", node.without_cni);
        made.rests_on("status.withoutCni", node.message.iter().map(|read| read.citation.clone()));
        let runtime = node.message.as_ref().filter(|read| {
            node.ready == Ready::No
                && ["PLEG is not healthy", "container runtime is down", "container runtime status check may not"]
                    .iter()
                    .any(|text| read.text.contains(text))
        });
        match runtime {
            Some(read) => made.read("status.runtimeTrouble", read),
            None => made.absent("status.runtimeTrouble"),
        }
        let pressures = ["MemoryPressure", "DiskPressure", "PIDPressure"];
        let mut found = Vec::new();
        let mut shown = 0;
        for pressure in pressures {
            let Some(read) = reader.text(id, &format!("status.conditions[type={pressure}].status")) else { continue };
            shown += 1;
            if read.text == "True" {
                found.push(pressure.to_owned());
                made.rests_on("status.pressures", [read.citation]);
            }
        }
        if shown == pressures.len() || !found.is_empty() {
            made.list("status.pressures", found.clone());
        }
        let printed = reader.text(id, "status.kubectlStatus").map(|read| read.text);
        let cordoned = reader.is(id, "spec.unschedulable", "true")
            || printed.as_ref().is_some_and(|text| text.contains("SchedulingDisabled"));
        if cordoned || reader.unset(id, "spec.unschedulable") || printed.is_some() {
            made.flag("status.cordoned", cordoned);
            let shown = reader.text(id, "spec.unschedulable").or_else(|| reader.text(id, "status.kubectlStatus"));
            made.rests_on("status.cordoned", shown.map(|read| read.citation));
        }
        // The taints that the control plane gives a Node in this state (`node.kubernetes.io/...`).
        let pressed =
            [("MemoryPressure", "memory-pressure"), ("DiskPressure", "disk-pressure"), ("PIDPressure", "pid-pressure")];
        let state = match node.ready {
            Ready::No => Some("not-ready"),
            Ready::Lost => Some("unreachable"),
            _ => None,
        };
        let keys = pressed.iter().filter(|(pressure, _)| found.iter().any(|f| f == pressure)).map(|(_, key)| *key);
        made.list("status.taintKeys", keys.chain(state).map(|key| format!("node.kubernetes.io/{key}")));
        made.list("status.taints", reader.texts(id, "spec.taints[*].key").into_iter().map(|read| read.text));
        let total = self.by_name.len() as i64;
        made.number("status.nodes", total);
        made.number("status.nodesLost", self.by_name.values().filter(|node| node.ready == Ready::Lost).count() as i64);
        made.finish()
    }

    /// The youngest sign of life: the heartbeat of the condition, or the Lease, whichever is later.
    fn heartbeat(&self, reader: Reader<'_>, id: ObjectId, name: &str, made: &mut Builder) {
        let lease = reader
            .all("leases.coordination.k8s.io")
            .into_iter()
            .find(|lease| {
                let object = reader.object(*lease);
                object.name == name && object.namespace.as_deref() == Some("kube-node-lease")
            })
            .and_then(|lease| reader.text(lease, "spec.renewTime"));
        let beats = [reader.text(id, &format!("{READY}.lastHeartbeatTime")), lease];
        let last = beats
            .into_iter()
            .flatten()
            .filter_map(|read| Some((read.text.parse::<jiff::Timestamp>().ok()?, read)))
            .max_by_key(|(time, _)| *time);
        if let Some((time, read)) = last {
            made.read("status.lastHeartbeat", &read);
            if let Some(age) = reader.age_of(time) {
                made.number("status.heartbeatSeconds", age);
                made.rests_on("status.heartbeatSeconds", [read.citation]);
            }
        }
    }

    /// The Nodes that wait for a network plugin, as one object.
    fn network(&self, reader: Reader<'_>) -> Option<Derived> {
        let without: Vec<(&String, &NodeState)> = self.by_name.iter().filter(|(_, node)| node.without_cni).collect();
        if without.is_empty() {
            return None;
        }
        let mut made = Builder::new("podnetworks", None, "pod-network");
        made.list("status.withoutCni", without.iter().map(|(name, _)| (*name).clone()));
        made.rests_on(
            "status.withoutCni",
            without.iter().filter_map(|(_, node)| node.message.as_ref()).map(|read| read.citation.clone()),
        );
        made.list("status.taintKeys", ["node.kubernetes.io/not-ready".to_owned()]);
        made.number("status.nodesWithoutCni", without.len() as i64);
        made.number("status.nodes", self.by_name.len() as i64);
        made.flag("status.allNodes", without.len() == self.by_name.len());
        if let Some(message) = without.iter().find_map(|(_, node)| node.message.as_ref()) {
            made.read("status.message", message);
        }
        let since = without.iter().filter_map(|(_, node)| reader.age(node.id, &format!("{READY}.lastTransitionTime")));
        if let Some(longest) = since.max() {
            made.number("status.sinceSeconds", longest);
            made.rests_on(
                "status.sinceSeconds",
                without
                    .iter()
                    .filter_map(|(_, n)| Some(reader.text(n.id, &format!("{READY}.lastTransitionTime"))?.citation)),
            );
        }
        Some(made.finish())
    }
}
