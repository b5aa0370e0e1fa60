//! How the Nodes of a context are: `nodehealths.casefile.dev`, one for each Node, `podnetworks.casefile.dev`, one for a
//! context in which Nodes wait for their CNI plugin, and `kubeletversions.casefile.dev`, one for each Node whose kubelet's
//! version and that of the API server are known.
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

use crate::deriver::Deriver;
use crate::reader::{Read, Reader, write};
use catalogue::wordings;
use facts::coverage::Basis;
use facts::derived::Derived;
use facts::human_duration;
use facts::object::ObjectId;
use facts::order::Order;
use facts::provenance::{Cited, Provenance};
use std::collections::BTreeMap;

/// What a Node's Ready condition says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ready {
    Yes,
    /// Its kubelet says that it is not.
    No,
    /// Nobody heard of it any more.
    Lost,
    /// It is not ready, and which of both was not shown.
    NotOrLost,
    Unknown,
}

#[derive(Debug)]
pub(crate) struct NodeState {
    id: ObjectId,
    pub ready: Ready,
    message: Option<Read>,
    /// Its network plugin is not there.
    pub without_cni: bool,
}

/// The Nodes of a context by name.
#[derive(Debug, Default)]
pub(crate) struct Nodes {
    pub by_name: BTreeMap<String, NodeState>,
}

pub(crate) const DERIVER: Deriver = Deriver {
    makes: &["nodehealths", "podnetworks", "kubeletversions"],
    statements: &[],
    derive: |inputs| inputs.nodes.derive(inputs.reader),
};

/// How the static Pods of the API server begin.
const API_SERVER: &str = "kube-apiserver-";
const LEASES: &str = "leases.coordination.k8s.io";

/// The conditions of a kubelet that lacks something, with the taints that go with them.
const PRESSURES: [(&str, &str); 3] =
    [("MemoryPressure", "memory-pressure"), ("DiskPressure", "disk-pressure"), ("PIDPressure", "pid-pressure")];

const READY: &str = "status.conditions[type=Ready]";
/// A Node that joins, or that is maintained, is not ready for less than this, in seconds.
pub(crate) const PASSING: i64 = 300;

impl Nodes {
    pub(crate) fn gather(reader: Reader<'_>) -> Self {
        let mut nodes = Self::default();
        for id in reader.all("nodes") {
            let status = reader.text(id, &format!("{READY}.status"));
            let message = reader.text(id, &format!("{READY}.message"));
            let printed = reader.text(id, "status.kubectlStatus");
            let printed = printed.as_ref().and_then(|read| read.text.split(',').next());
            let ready = match (status.as_ref().map(|read| read.text.as_str()), printed) {
                (Some("True"), _) => Ready::Yes,
                (Some("False"), _) => Ready::No,
                (Some("Unknown"), _) | (_, Some("Unknown")) => Ready::Lost,
                (_, Some("Ready")) => Ready::Yes,
                (_, Some("NotReady")) => Ready::NotOrLost,
                _ => Ready::Unknown,
            };
            let says = |group: &str, read: &Read| wordings::first(group, &read.text).is_some();
            let without_cni =
                ready == Ready::No && message.as_ref().is_some_and(|read| says("network-plugin-missing", read));
            nodes.by_name.insert(reader.object(id).name.clone(), NodeState { id, ready, message, without_cni });
        }
        nodes
    }

    /// The state of a Node by name.
    pub(crate) fn ready(&self, name: &str) -> Ready {
        self.by_name.get(name).map_or(Ready::Unknown, |node| node.ready)
    }

    /// It takes no Pods, and is not known to have been away for longer than maintenance takes.
    pub(crate) fn maintained(&self, reader: Reader<'_>, name: &str) -> bool {
        let Some(node) = self.by_name.get(name) else { return false };
        let away = reader.age(node.id, &format!("{READY}.lastTransitionTime"));
        cordoned_by(reader, node.id).is_some() && away.is_none_or(|age| age < PASSING)
    }

    /// Its network plugin is not there.
    pub(crate) fn without_cni(&self, name: &str) -> bool {
        self.by_name.get(name).is_some_and(|node| node.without_cni)
    }

    fn derive(&self, reader: Reader<'_>) -> Vec<Derived> {
        let healths = self.by_name.iter().map(|(name, node)| health(reader, name, node));
        let mut all: Vec<Derived> = healths.collect();
        all.extend(self.network(reader));
        if let Some(served) = newest_served(reader) {
            all.extend(self.by_name.values().filter_map(|node| skew(reader, node, &served)));
        }
        all
    }

    /// The Nodes that wait for a network plugin, as one object.
    fn network(&self, reader: Reader<'_>) -> Option<Derived> {
        let without: Vec<(&String, &NodeState)> = self.by_name.iter().filter(|(_, node)| node.without_cni).collect();
        if without.is_empty() {
            return None;
        }
        let mut made = Derived::new("podnetworks", None, "pod-network");
        let all = reader.listed("nodes", None);
        let messages = || without.iter().filter_map(|(_, node)| node.message.as_ref());
        let from = Provenance::all_or(messages().map(|read| read.cited.clone()), &all);
        made.list("status.withoutCni", without.iter().map(|(name, _)| (*name).clone()), &from);
        made.list("status.taintKeys", ["node.kubernetes.io/not-ready"], from.without_places());
        made.number("status.nodesWithoutCni", without.len() as i64, from.without_places());
        made.number("status.nodes", self.by_name.len() as i64, &all);
        // Of a Node that a list shows as not ready nobody knows why.
        let is_open = |node: &NodeState| !node.without_cni && node.ready == Ready::NotOrLost;
        if self.by_name.values().any(is_open) {
            made.open("status.allNodes", &all);
        } else {
            made.flag("status.allNodes", without.len() == self.by_name.len(), &all);
        }
        write(&mut made, "status.message", messages().next());
        let since =
            || without.iter().filter_map(|(_, node)| reader.text(node.id, &format!("{READY}.lastTransitionTime")));
        let longest = since().filter_map(|read| reader.age_of(read.time()?)).max();
        if let (Some(longest), Some(from)) = (longest, Provenance::all(since().map(|read| read.cited))) {
            made.number("status.sinceSeconds", longest, from);
        }
        Some(made)
    }
}

fn health(reader: Reader<'_>, name: &str, node: &NodeState) -> Derived {
    let mut made = reader.about(node.id, "nodehealths");
    readiness(reader, node, &mut made);
    heartbeat(reader, node.id, name, &mut made);
    kubelet(reader, node, &mut made);
    scheduling(reader, node, &mut made);
    made
}

/// How the version of a kubelet compares with that of the API server; nothing where one of them is not known, so that
/// nobody is asked about each Node.
fn skew(reader: Reader<'_>, node: &NodeState, served: &(i64, Cited)) -> Option<Derived> {
    let own = reader.text(node.id, "status.nodeInfo.kubeletVersion")?;
    let (minor, (served, from)) = (minor(&own.text)?, served);
    let from = Provenance::from(&own).and(from.clone());
    let mut made = reader.about(node.id, "kubeletversions");
    made.number("status.minorsAhead", minor - served, &from);
    made.number("status.minorsBehind", served - minor, &from);
    Some(made)
}

/// The newest minor version of Kubernetes that an API server of the context has: while a control plane is upgraded, they
/// differ.
fn newest_served(reader: Reader<'_>) -> Option<(i64, Cited)> {
    let stated = reader.facts.context(reader.context).api_server.iter();
    let stated = stated.filter_map(|(text, place)| Some((minor(text)?, Cited::new(place.clone(), Basis::Stated))));
    let pods = reader.all("pods").into_iter().filter(|id| reader.object(*id).name.starts_with(API_SERVER));
    let images = pods.flat_map(|id| reader.texts(id, "spec.containers[name=kube-apiserver].image"));
    let images = images.filter_map(|read| Some((minor(read.text.rsplit_once(':')?.1)?, read.cited)));
    stated.chain(images).max_by_key(|(minor, _)| *minor)
}

/// The minor of `v1.31.4` and `v1.29.10+67d3387`.
fn minor(version: &str) -> Option<i64> {
    let rest = version.strip_prefix('v').unwrap_or(version).strip_prefix("1.")?;
    rest.split(|c: char| !c.is_ascii_digit()).next()?.parse().ok()
}

/// What its Ready condition says, and since when.
fn readiness(reader: Reader<'_>, node: &NodeState, made: &mut Derived) {
    let id = node.id;
    let part = |field: &str| reader.text(id, &format!("{READY}.{field}"));
    let status = part("status").or_else(|| reader.text(id, "status.kubectlStatus"));
    let from = Provenance::all_or(status.map(|read| read.cited), reader.seen(id));
    let words = match node.ready {
        Ready::Yes => Some("True"),
        Ready::No => Some("False"),
        Ready::Lost => Some("Unknown"),
        Ready::NotOrLost | Ready::Unknown => None,
    };
    match words {
        Some(word) => made.text("status.ready", word, &from),
        None => made.open("status.ready", &from),
    }
    if node.ready == Ready::NotOrLost {
        made.flag("status.onlyListed", true, &from);
    }
    match node.ready {
        Ready::Unknown => made.open("status.notReady", &from),
        ready => made.flag("status.notReady", ready != Ready::Yes, &from),
    }
    write(made, "status.message", part("message").as_ref());
    if let Some(read) = part("lastTransitionTime") {
        read.write(made, "status.since");
        reader.write_age(made, "status.sinceSeconds", &read);
    } else if let Some(read) = reader.text(id, "status.kubectlAge").filter(|_| node.ready != Ready::Yes) {
        // What is young has not been so for longer.
        let age = human_duration::parse(&read.text).map(|age| age.from).filter(|age| *age < PASSING);
        made.number("status.sinceSeconds", age, &read);
    }
    if let Some(read) = reader.text(id, "metadata.creationTimestamp") {
        reader.write_age(made, "status.ageSeconds", &read);
    }
}

/// What its kubelet says of the network, the container runtime and its resources.
fn kubelet(reader: Reader<'_>, node: &NodeState, made: &mut Derived) {
    let seen = reader.seen(node.id);
    let runtime = node
        .message
        .as_ref()
        .filter(|read| node.ready == Ready::No && wordings::first("container-runtime-down", &read.text).is_some());
    match runtime {
        Some(read) => read.write(made, "status.runtimeTrouble"),
        None => made.absent("status.runtimeTrouble", &seen),
    }
    let status = |pressure: &str| reader.text(node.id, &format!("status.conditions[type={pressure}].status"));
    let shown = PRESSURES.into_iter().filter_map(|(pressure, key)| Some((pressure, key, status(pressure)?)));
    let shown: Vec<(&str, &str, Read)> = shown.collect();
    let found: Vec<_> = shown.iter().filter(|(.., read)| read.text == "True").collect();
    if shown.len() == PRESSURES.len() || !found.is_empty() {
        let from = Provenance::all_or(found.iter().map(|(.., read)| read.cited.clone()), &seen);
        made.list("status.pressures", found.iter().map(|(pressure, ..)| *pressure), from);
    }
    // The taints that the control plane gives a Node in this state (`node.kubernetes.io/...`).
    let state = match node.ready {
        Ready::No => Some("not-ready"),
        Ready::Lost => Some("unreachable"),
        _ => None,
    };
    let keys = found.iter().map(|(_, key, _)| *key).chain(state);
    made.list("status.taintKeys", keys.map(|key| format!("node.kubernetes.io/{key}")), &seen);
}

/// What shows that a Node takes no new Pods, if it is so.
pub(crate) fn cordoned_by(reader: Reader<'_>, id: ObjectId) -> Option<Read> {
    let printed = || reader.text(id, "status.kubectlStatus").filter(|read| read.text.contains("SchedulingDisabled"));
    reader.text(id, "spec.unschedulable").filter(|read| read.text == "true").or_else(printed)
}

/// Does it take Pods?
fn scheduling(reader: Reader<'_>, node: &NodeState, made: &mut Derived) {
    let id = node.id;
    let printed = reader.text(id, "status.kubectlStatus");
    if let Some(read) = cordoned_by(reader, id) {
        made.flag("status.cordoned", true, &read);
    } else if reader.unset(id, "spec.unschedulable") || printed.is_some() {
        let shown = reader.text(id, "spec.unschedulable").or(printed).map(|read| read.cited);
        made.flag("status.cordoned", false, Provenance::all_or(shown, reader.seen(id)));
    }
}

/// The youngest sign of life: the heartbeat of the condition, or the Lease, whichever is later.
fn heartbeat(reader: Reader<'_>, id: ObjectId, name: &str, made: &mut Derived) {
    let lease = reader.named(LEASES, Some("kube-node-lease"), name);
    let lease = lease.and_then(|lease| reader.text(lease, "spec.renewTime"));
    let beats = [reader.text(id, &format!("{READY}.lastHeartbeatTime")), lease];
    let last = beats
        .into_iter()
        .flatten()
        .filter_map(|read| Some((read.text.parse::<jiff::Timestamp>().ok()?, read)))
        .max_by_key(|(time, _)| *time);
    if let Some((time, read)) = last {
        let mut from = Provenance::from(&read);
        from.order.get_or_insert_with(Order::default).heartbeat = Some(time);
        made.text("status.lastHeartbeat", &read.text, &from);
        made.number("status.heartbeatSeconds", reader.age_of(time), from);
    }
}
