//! The objects that a reader wants to see, as tables in the shape of kubectl.
//!
//! Invariants: unhealthy rows come first, then namespace and name; a cell that no source shows is `?`, a
//! cell that is surely empty is `<none>`; the number of rows is bounded and the rest is counted. Health
//! here only orders rows; it is no verdict.

use diagnosis::model::InventoryTable;
use diagnosis::words;
use facts::kind::KindName;
use facts::node::{Node, Value};
use facts::object::{ContextId, Lookup, Object, ObjectId};
use facts::path::Path;
use facts::store::Facts;

/// Rows of one table.
const MAX_ROWS: usize = 40;
/// What a cell says that no source shows.
const UNKNOWN: &str = "?";
/// What a cell says that is surely empty.
const NONE: &str = "<none>";

/// How a table of one kind is made.
struct Shape {
    /// The kind as `plural.group`.
    kind: &'static str,
    /// Headers after NAMESPACE and NAME.
    headers: &'static [&'static str],
    /// The cells under those headers, and whether the row is unhealthy.
    row: fn(&Facts, ObjectId) -> (Vec<String>, bool),
}

/// The tables, in the order of the report.
const SHAPES: &[Shape] = &[
    Shape {
        kind: "clusters.cluster.x-k8s.io",
        headers: &["PHASE", "READY", "CONTROLPLANE", "INFRASTRUCTURE", "VERSION", "AGE"],
        row: cluster,
    },
    Shape {
        kind: "clusters.platform.tkestack.io",
        headers: &["TYPE", "VERSION", "PHASE", "AGE"],
        row: platform_cluster,
    },
    Shape {
        kind: "kubeadmcontrolplanes.controlplane.cluster.x-k8s.io",
        headers: &["INITIALIZED", "REPLICAS", "READY", "UPDATED", "UNAVAILABLE", "VERSION", "AGE"],
        row: control_plane,
    },
    Shape {
        kind: "machinedeployments.cluster.x-k8s.io",
        headers: &["CLUSTER", "PHASE", "REPLICAS", "READY", "UPDATED", "UNAVAILABLE", "VERSION", "AGE"],
        row: machine_deployment,
    },
    Shape {
        kind: "machines.cluster.x-k8s.io",
        headers: &["CLUSTER", "NODENAME", "PHASE", "READY", "VERSION", "AGE"],
        row: machine,
    },
    Shape { kind: "nodes", headers: &["STATUS", "VERSION", "INTERNAL-IP", "AGE"], row: node },
    Shape {
        kind: "memberclusters.cluster.kubernetes-fleet.io",
        headers: &["JOINED", "HEARTBEAT", "AGE"],
        row: member_cluster,
    },
    Shape {
        kind: "clusterstagedupdateruns.placement.kubernetes-fleet.io",
        headers: &["PLACEMENT", "STATE", "INITIALIZED", "PROGRESSING", "SUCCEEDED", "AGE"],
        row: update_run,
    },
    Shape {
        kind: "stagedupdateruns.placement.kubernetes-fleet.io",
        headers: &["PLACEMENT", "STATE", "INITIALIZED", "PROGRESSING", "SUCCEEDED", "AGE"],
        row: update_run,
    },
    Shape { kind: "pods", headers: &["READY", "STATUS", "RESTARTS", "NODE", "AGE"], row: pod },
];

/// The kinds that tables are made of, beside those that signatures ask for.
pub fn kinds() -> impl Iterator<Item = KindName> {
    SHAPES.iter().map(|shape| KindName::parse(shape.kind))
}

/// All tables of all contexts.
pub fn tables(facts: &Facts) -> Vec<InventoryTable> {
    let mut all = Vec::new();
    for context in facts.context_ids() {
        all.extend(etcd_members(facts, context));
        all.extend(SHAPES.iter().filter_map(|shape| table(facts, context, shape)));
    }
    all
}

/// The table of one kind of one context, if there are objects of it.
fn table(facts: &Facts, context: ContextId, shape: &Shape) -> Option<InventoryTable> {
    let ids = facts.of_kind(context, &KindName::parse(shape.kind));
    let objects: Vec<&Object> = ids.iter().map(|id| facts.object(*id)).filter(|object| !object.shadow).collect();
    if objects.is_empty() {
        return None;
    }
    let namespaced = objects.iter().any(|object| object.namespace.is_some());
    let mut rows: Vec<(bool, Vec<String>)> = ids
        .iter()
        .filter(|id| !facts.object(**id).shadow)
        .map(|id| {
            let object = facts.object(*id);
            let (cells, unhealthy) = (shape.row)(facts, *id);
            let mut row = Vec::with_capacity(cells.len() + 2);
            if namespaced {
                row.push(object.namespace.clone().unwrap_or_else(|| UNKNOWN.to_owned()));
            }
            row.push(object.name.clone());
            row.extend(cells);
            (unhealthy, row)
        })
        .collect();
    // Stable: rows of equal health stay in the order of the facts, which is namespace and name.
    rows.sort_by_key(|(unhealthy, _)| !unhealthy);
    let mut headers: Vec<String> = Vec::with_capacity(shape.headers.len() + 2);
    if namespaced {
        headers.push("NAMESPACE".to_owned());
    }
    headers.push("NAME".to_owned());
    headers.extend(shape.headers.iter().map(|header| (*header).to_owned()));
    Some(bounded(facts, context, shape.kind, headers, rows))
}

/// A table with at most [`MAX_ROWS`] rows. `unhealthy` counts all of them, listed or not.
fn bounded(
    facts: &Facts,
    context: ContextId,
    kind: &str,
    headers: Vec<String>,
    mut rows: Vec<(bool, Vec<String>)>,
) -> InventoryTable {
    let unhealthy = rows.iter().filter(|(unhealthy, _)| *unhealthy).count();
    let more = rows.len().saturating_sub(MAX_ROWS) as u64;
    rows.truncate(MAX_ROWS);
    InventoryTable {
        context: facts.context(context).name.clone(),
        kind: kind.to_owned(),
        headers,
        rows: rows.into_iter().map(|(_, row)| row).collect(),
        unhealthy,
        more,
    }
}

/// What a path says: `None` is unknown, an empty text is surely not set.
fn read(facts: &Facts, id: ObjectId, path: &str) -> Option<String> {
    let path = Path::parse(path).ok()?;
    match facts.lookup(id, &path) {
        Lookup::Found(values) | Lookup::AtLeast(values) => {
            Some(values.iter().map(|(node, _)| node.to_string()).collect::<Vec<_>>().join(","))
        }
        Lookup::NotSet(_) | Lookup::NotSetOrEmpty(_) => Some(String::new()),
        Lookup::Redacted(_) => Some("[redacted]".to_owned()),
        Lookup::Unknown(_) => None,
    }
}

/// A cell: the value, `<none>` or `?`.
fn cell(value: Option<&str>) -> String {
    match value {
        None => UNKNOWN.to_owned(),
        Some("") => NONE.to_owned(),
        Some(text) => text.to_owned(),
    }
}

/// The first of several paths that is set; else surely empty if any is, else unknown.
fn first(facts: &Facts, id: ObjectId, paths: &[&str]) -> Option<String> {
    let mut empty = None;
    for path in paths {
        match read(facts, id, path) {
            Some(text) if !text.is_empty() => return Some(text),
            Some(text) => empty = Some(text),
            None => {}
        }
    }
    empty
}

/// The status of a condition.
fn condition(facts: &Facts, id: ObjectId, name: &str) -> Option<String> {
    read(facts, id, &format!("status.conditions[type={name}].status"))
}

/// Age against the context's own clock; the form's own age is not trusted, it grows with each reading.
fn age(facts: &Facts, id: ObjectId) -> String {
    let as_of = facts.context(facts.object(id).context).as_of.as_ref().map(|as_of| as_of.time);
    let created = read(facts, id, "metadata.creationTimestamp").and_then(|text| text.parse::<jiff::Timestamp>().ok());
    match (as_of, created) {
        (Some(now), Some(created)) => words::age(now.duration_since(created).as_secs()),
        _ => UNKNOWN.to_owned(),
    }
}

/// Cells with the age behind them.
fn with_age(facts: &Facts, id: ObjectId, values: &[Option<String>]) -> Vec<String> {
    values.iter().map(|value| cell(value.as_deref())).chain([age(facts, id)]).collect()
}

/// Is it set, and something else than `good`?
fn bad(value: Option<&str>, good: &str) -> bool {
    value.is_some_and(|value| !value.eq_ignore_ascii_case(good))
}

fn cluster(facts: &Facts, id: ObjectId) -> (Vec<String>, bool) {
    let phase = read(facts, id, "status.phase");
    let ready = first(facts, id, &["status.conditions[type=Available].status", "status.conditions[type=Ready].status"]);
    let control = first(facts, id, &["status.initialization.controlPlaneInitialized", "status.controlPlaneReady"]);
    let infra = first(facts, id, &["status.initialization.infrastructureProvisioned", "status.infrastructureReady"]);
    let version = read(facts, id, "spec.topology.version");
    let unhealthy = bad(phase.as_deref(), "Provisioned") || ready.as_deref() == Some("False");
    let cells = [phase, ready, control, infra, version];
    (with_age(facts, id, &cells), unhealthy)
}

fn platform_cluster(facts: &Facts, id: ObjectId) -> (Vec<String>, bool) {
    let phase = read(facts, id, "status.phase");
    let unhealthy = bad(phase.as_deref(), "Running");
    let cells = [read(facts, id, "spec.type"), first(facts, id, &["status.version", "spec.version"]), phase];
    (with_age(facts, id, &cells), unhealthy)
}

fn control_plane(facts: &Facts, id: ObjectId) -> (Vec<String>, bool) {
    let initialized = first(facts, id, &["status.initialization.controlPlaneInitialized", "status.initialized"]);
    let replicas = first(facts, id, &["status.replicas", "spec.replicas"]);
    let ready = read(facts, id, "status.readyReplicas");
    let updated = first(facts, id, &["status.upToDateReplicas", "status.updatedReplicas"]);
    let unavailable = read(facts, id, "status.unavailableReplicas");
    let short = |a: &Option<String>, b: &Option<String>| match (a, b) {
        (Some(a), Some(b)) => a.parse::<u64>().unwrap_or_default() < b.parse::<u64>().unwrap_or_default(),
        _ => false,
    };
    let unhealthy = short(&ready, &replicas) || initialized.as_deref() == Some("false");
    let version = first(facts, id, &["status.version", "spec.version"]);
    let cells = [initialized, replicas, ready, updated, unavailable, version];
    (with_age(facts, id, &cells), unhealthy)
}

fn machine_deployment(facts: &Facts, id: ObjectId) -> (Vec<String>, bool) {
    let phase = read(facts, id, "status.phase");
    let unhealthy = bad(phase.as_deref(), "Running");
    let cells = [
        read(facts, id, "spec.clusterName"),
        phase,
        first(facts, id, &["status.replicas", "spec.replicas"]),
        read(facts, id, "status.readyReplicas"),
        first(facts, id, &["status.upToDateReplicas", "status.updatedReplicas"]),
        read(facts, id, "status.unavailableReplicas"),
        read(facts, id, "spec.template.spec.version"),
    ];
    (with_age(facts, id, &cells), unhealthy)
}

fn machine(facts: &Facts, id: ObjectId) -> (Vec<String>, bool) {
    let phase = read(facts, id, "status.phase");
    let ready = condition(facts, id, "Ready");
    let unhealthy = bad(phase.as_deref(), "Running") || ready.as_deref() == Some("False");
    let cluster = first(facts, id, &["spec.clusterName", "metadata.labels[\"cluster.x-k8s.io/cluster-name\"]"]);
    let cells = [cluster, read(facts, id, "status.nodeRef.name"), phase, ready, read(facts, id, "spec.version")];
    (with_age(facts, id, &cells), unhealthy)
}

fn node(facts: &Facts, id: ObjectId) -> (Vec<String>, bool) {
    let ready = condition(facts, id, "Ready");
    let mut status = match ready.as_deref() {
        Some("True") => "Ready".to_owned(),
        Some("") | None => UNKNOWN.to_owned(),
        Some("Unknown") => "NotReady (Unknown)".to_owned(),
        Some(_) => "NotReady".to_owned(),
    };
    if read(facts, id, "spec.unschedulable").as_deref() == Some("true") {
        status.push_str(",SchedulingDisabled");
    }
    let version = read(facts, id, "status.nodeInfo.kubeletVersion");
    let address = read(facts, id, "status.addresses[type=InternalIP].address");
    let cells = vec![status, cell(version.as_deref()), cell(address.as_deref()), age(facts, id)];
    (cells, bad(ready.as_deref().filter(|text| !text.is_empty()), "True"))
}

fn member_cluster(facts: &Facts, id: ObjectId) -> (Vec<String>, bool) {
    let joined = condition(facts, id, "Joined");
    let unhealthy = bad(joined.as_deref(), "True");
    let heartbeat = read(facts, id, "status.agentStatus[*].lastReceivedHeartbeat");
    (vec![cell(joined.as_deref()), cell(heartbeat.as_deref()), age(facts, id)], unhealthy)
}

fn update_run(facts: &Facts, id: ObjectId) -> (Vec<String>, bool) {
    let succeeded = condition(facts, id, "Succeeded");
    let progressing = condition(facts, id, "Progressing");
    let initialized = condition(facts, id, "Initialized");
    let failed = |value: &Option<String>| value.as_deref() == Some("False");
    let unhealthy =
        failed(&initialized) || failed(&succeeded) || (failed(&progressing) && bad(succeeded.as_deref(), "True"));
    let cells =
        [read(facts, id, "spec.placementName"), read(facts, id, "spec.state"), initialized, progressing, succeeded];
    (with_age(facts, id, &cells), unhealthy)
}

fn pod(facts: &Facts, id: ObjectId) -> (Vec<String>, bool) {
    let phase = read(facts, id, "status.phase");
    let ready = read(facts, id, "status.containerStatuses[*].ready");
    let flags: Option<Vec<bool>> =
        ready.filter(|text| !text.is_empty()).map(|text| text.split(',').map(|flag| flag == "true").collect());
    let waiting = first(
        facts,
        id,
        &[
            "status.initContainerStatuses[*].state.waiting.reason",
            "status.containerStatuses[*].state.waiting.reason",
            "status.containerStatuses[*].state.terminated.reason",
            "status.reason",
        ],
    );
    let done = matches!(phase.as_deref(), Some("Succeeded" | "Completed"));
    let status = match (&phase, waiting.filter(|text| !text.is_empty())) {
        (_, Some(reason)) if !done => Some(reason.split(',').next().unwrap_or_default().to_owned()),
        (phase, _) => phase.clone(),
    };
    let restarts = read(facts, id, "status.containerStatuses[*].restartCount")
        .map(|text| text.split(',').filter_map(|count| count.parse::<u64>().ok()).sum::<u64>().to_string());
    let all_ready = flags.as_ref().map(|flags| flags.iter().all(|ready| *ready));
    let unhealthy = !done && (all_ready == Some(false) || bad(status.as_deref(), "Running"));
    let count = flags.map(|flags| format!("{}/{}", flags.iter().filter(|ready| **ready).count(), flags.len()));
    let cells = [count, status, restarts, read(facts, id, "spec.nodeName")];
    (with_age(facts, id, &cells), unhealthy)
}

/// The members of each etcd cluster, from the derived object.
fn etcd_members(facts: &Facts, context: ContextId) -> Option<InventoryTable> {
    let kind = KindName::parse("etcdclusters.casefile.dev");
    let mut rows = Vec::new();
    for id in facts.of_kind(context, &kind) {
        let object = facts.object(*id);
        let Some(sighting) = object.sightings.first() else { continue };
        for member in sighting.record.node.at(&["status", "members"]).map(Node::items).unwrap_or_default() {
            let text = |key: &str| match member.field(key) {
                None => UNKNOWN.to_owned(),
                Some(node) if node.value.is_empty() => UNKNOWN.to_owned(),
                Some(node) => node.to_string(),
            };
            let is = |key: &str, wanted: bool| member.field(key).is_some_and(|node| node.value == Value::Bool(wanted));
            let unhealthy = is("started", false) || is("reachable", false) || text("leader") == "none";
            let mut row = vec![object.name.clone()];
            row.extend(["name", "id", "started", "learner", "leader", "reachable", "lastDialError"].map(text));
            rows.push((unhealthy, row));
        }
    }
    if rows.is_empty() {
        return None;
    }
    rows.sort_by_key(|(unhealthy, _)| !unhealthy);
    let headers = ["ETCD", "MEMBER", "ID", "STARTED", "LEARNER", "LEADER", "REACHABLE", "LAST DIAL ERROR"];
    let headers = headers.map(str::to_owned).to_vec();
    Some(bounded(facts, context, "etcdclusters.casefile.dev", headers, rows))
}
