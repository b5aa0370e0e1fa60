//! Cells that kubectl works out of several fields, by the name that `by:` of `patterns/printers.yaml` gives.
//!
//! Source: `kubernetes/kubernetes:pkg/printers/internalversion/printers.go@v1.34`; each function says which one there it
//! follows.

use crate::age;
use crate::got::{Got, at, number, scalar};
use crate::{Cell, NONE, pod};
use facts::event::Event;
use facts::node::{Node, Value};
use facts::object::ObjectId;
use facts::store::Facts;

type Make = fn(&Facts, ObjectId) -> Cell;

/// The functions; a test compares the names with those in `patterns/printers.yaml`.
pub(crate) const CELLS: [(&str, Make); 30] = [
    ("age", age::cell),
    ("api-available", api_available),
    ("approval", approval),
    ("claim-modes", |facts, id| modes(&at(facts, id, "status.accessModes"))),
    ("component-status", component_status),
    ("data-count", data_count),
    ("endpoints", endpoints),
    ("event-count", event_count),
    ("event-last-seen", event_last_seen),
    ("event-message", |facts, id| of_event(facts, id, |event| Some(event.message()))),
    ("event-object", event_object),
    ("event-reason", |facts, id| of_event(facts, id, |event| Some(event.reason()))),
    ("event-source", event_source),
    ("ingress-ports", ingress_ports),
    ("job-completions", job_completions),
    ("job-duration", job_duration),
    ("job-status", job_status),
    ("last-schedule", last_schedule),
    ("node-roles", node_roles),
    ("node-status", node_status),
    ("pod-ready", pod::ready),
    ("pod-restarts", pod::restarts),
    ("pod-status", pod::status),
    ("replicas-ready", replicas_ready),
    ("role-of-binding", |facts, id| pair(facts, id, ["roleRef.kind", "roleRef.name"])),
    ("scaled", |facts, id| pair(facts, id, ["spec.scaleTargetRef.kind", "spec.scaleTargetRef.name"])),
    ("service-external-ip", service_external_ip),
    ("service-of-api", service_of_api),
    ("service-ports", service_ports),
    ("volume-claim", volume_claim),
];
/// The same for what stands in a second list, so that a row of either is a line.
const MORE: [(&str, Make); 2] =
    [("volume-modes", |facts, id| modes(&at(facts, id, "spec.accessModes"))), ("volume-status", volume_status)];

/// The cell that a function makes; unknown if there is no such function, which a test forbids.
pub(crate) fn make(name: &str, facts: &Facts, id: ObjectId) -> Cell {
    let found = CELLS.iter().chain(&MORE).find(|(own, _)| *own == name);
    found.map_or(Cell::Unknown, |(_, make)| make(facts, id))
}

/// Every function by its name.
#[cfg(test)]
pub(crate) fn names() -> impl Iterator<Item = &'static str> {
    CELLS.iter().chain(&MORE).map(|(name, _)| *name)
}

fn text(text: impl Into<String>) -> Cell {
    Cell::Text(text.into())
}

/// A text, or what stands for none where that is sure.
fn or_none(got: &Got<'_>, none: &str) -> Cell {
    match got {
        Got::Unknown => Cell::Unknown,
        Got::Masked => Cell::Masked,
        Got::Unset => text(none),
        Got::Nodes(_) => text(got.text().unwrap_or_else(|| none.to_owned())),
    }
}

/// `printNode`.
fn node_status(facts: &Facts, id: ObjectId) -> Cell {
    let (ready, cordoned) =
        (at(facts, id, "status.conditions[type=Ready].status"), at(facts, id, "spec.unschedulable"));
    let mut status = match (&ready, ready.text().as_deref()) {
        (Got::Unknown | Got::Masked, _) => return or_none(&at(facts, id, "status.kubectlStatus"), "Unknown"),
        (_, Some("True" | "true")) => "Ready".to_owned(),
        (_, Some(_)) => "NotReady".to_owned(),
        (_, None) => "Unknown".to_owned(),
    };
    match (&cordoned, cordoned.text().as_deref()) {
        (Got::Unknown | Got::Masked, _) => return Cell::Unknown,
        (_, Some("true")) => status.push_str(",SchedulingDisabled"),
        _ => {}
    }
    text(status)
}

/// `findNodeRoles`.
fn node_roles(facts: &Facts, id: ObjectId) -> Cell {
    let labels = at(facts, id, "metadata.labels");
    if !labels.is_known() {
        return Cell::Unknown;
    }
    let Got::Nodes(nodes) = &labels else { return text(NONE) };
    let mut roles: Vec<String> = nodes
        .iter()
        .flat_map(|node| node.entries())
        .filter_map(|(key, value)| match key.strip_prefix("node-role.kubernetes.io/") {
            Some(role) => Some(role.to_owned()).filter(|role| !role.is_empty()),
            None => (*key == *"kubernetes.io/role").then(|| value.value.scalar()).flatten(),
        })
        .collect();
    roles.sort();
    roles.dedup();
    text(if roles.is_empty() { NONE.to_owned() } else { roles.join(",") })
}

/// `printConfigMap`.
fn data_count(facts: &Facts, id: ObjectId) -> Cell {
    let parts = [at(facts, id, "data"), at(facts, id, "binaryData")];
    if parts.iter().any(|part| matches!(part, Got::Unknown | Got::Masked)) {
        return Cell::Unknown;
    }
    Cell::Number(parts.iter().map(Got::count).sum())
}

/// `formatAccessModes`: `helper.GetAccessModesAsString`.
fn modes(got: &Got<'_>) -> Cell {
    let Got::Nodes(_) = got else { return or_none(got, "") };
    let all = got.text().unwrap_or_default();
    let short = |mode: &str| match mode {
        "ReadWriteOnce" => "RWO".to_owned(),
        "ReadOnlyMany" => "ROX".to_owned(),
        "ReadWriteMany" => "RWX".to_owned(),
        "ReadWriteOncePod" => "RWOP".to_owned(),
        other => other.to_owned(),
    };
    text(all.split(',').filter(|mode| !mode.is_empty()).map(short).collect::<Vec<_>>().join(","))
}

/// `printPersistentVolume` and `printPersistentVolumeClaim`.
fn volume_status(facts: &Facts, id: ObjectId) -> Cell {
    match at(facts, id, "metadata.deletionTimestamp") {
        Got::Nodes(_) | Got::Masked => text("Terminating"),
        _ => or_none(&at(facts, id, "status.phase"), ""),
    }
}

/// `printPersistentVolume`.
fn volume_claim(facts: &Facts, id: ObjectId) -> Cell {
    let [namespace, name] = ["spec.claimRef.namespace", "spec.claimRef.name"].map(|path| at(facts, id, path));
    match (namespace.text(), name.text()) {
        (Some(namespace), Some(name)) => text(format!("{namespace}/{name}")),
        _ if matches!(name, Got::Unset) => text(""),
        _ => Cell::Unknown,
    }
}

/// Two texts joined by `/`.
fn pair(facts: &Facts, id: ObjectId, paths: [&str; 2]) -> Cell {
    let parts: Option<Vec<String>> = paths.iter().map(|path| at(facts, id, path).text()).collect();
    parts.map_or(Cell::Unknown, |parts| text(parts.join("/")))
}

/// `printDeployment`, `printStatefulSet`: ready of wanted.
fn replicas_ready(facts: &Facts, id: ObjectId) -> Cell {
    let (wanted, ready) = (at(facts, id, "spec.replicas"), at(facts, id, "status.readyReplicas"));
    let ready = match &ready {
        Got::Unset => Some(0),
        ready => ready.number(),
    };
    match (wanted.number(), ready) {
        (Some(wanted), Some(ready)) => text(format!("{ready}/{wanted}")),
        _ => Cell::Unknown,
    }
}

/// `getServiceExternalIP`.
fn service_external_ip(facts: &Facts, id: ObjectId) -> Cell {
    let own = at(facts, id, "spec.externalIPs");
    let (kind, none) = (at(facts, id, "spec.type").text(), text(NONE));
    match kind.as_deref() {
        None => Cell::Unknown,
        Some("ExternalName") => or_none(&at(facts, id, "spec.externalName"), NONE),
        Some("LoadBalancer") => {
            let ingress = at(facts, id, "status.loadBalancer.ingress");
            if !ingress.is_known() || !own.is_known() {
                return Cell::Unknown;
            }
            let given =
                ingress.items().into_iter().filter_map(|item| scalar(item, &["ip"]).or(scalar(item, &["hostname"])));
            let all: Vec<String> = given.chain(own.text()).collect();
            text(if all.is_empty() { "<pending>".to_owned() } else { all.join(",") })
        }
        Some(_) => match own {
            Got::Unset => none,
            own => or_none(&own, NONE),
        },
    }
}

/// `makePortString`.
fn service_ports(facts: &Facts, id: ObjectId) -> Cell {
    let ports = at(facts, id, "spec.ports");
    match &ports {
        Got::Unknown | Got::Masked => return Cell::Unknown,
        Got::Unset => return text(NONE),
        Got::Nodes(_) => {}
    }
    let port = |item: &Node| {
        let (own, protocol) =
            (scalar(item, &["port"])?, scalar(item, &["protocol"]).unwrap_or_else(|| "TCP".to_owned()));
        Some(match scalar(item, &["nodePort"]).filter(|port| port != "0") {
            Some(node) => format!("{own}:{node}/{protocol}"),
            None => format!("{own}/{protocol}"),
        })
    };
    match ports.items().into_iter().map(port).collect::<Option<Vec<_>>>() {
        Some(all) => text(all.join(",")),
        None => Cell::Unknown,
    }
}

/// `formatEndpoints`: the first three.
fn endpoints(facts: &Facts, id: ObjectId) -> Cell {
    const SHOWN: usize = 3;
    let subsets = at(facts, id, "subsets");
    match &subsets {
        Got::Unknown | Got::Masked => return Cell::Unknown,
        Got::Unset => return text(NONE),
        Got::Nodes(_) => {}
    }
    let mut all = Vec::new();
    for subset in subsets.items() {
        let ports = subset.get("ports").map(Node::items).unwrap_or_default();
        for address in subset.get("addresses").map(Node::items).unwrap_or_default() {
            let Some(ip) = scalar(address, &["ip"]) else { continue };
            let with = |port: &Node| scalar(port, &["port"]).map(|port| format!("{ip}:{port}"));
            if ports.is_empty() {
                all.push(ip);
            } else {
                all.extend(ports.iter().filter_map(with));
            }
        }
    }
    let more = all.len().saturating_sub(SHOWN);
    all.truncate(SHOWN);
    text(match (all.is_empty(), more) {
        (true, _) => NONE.to_owned(),
        (false, 0) => all.join(","),
        (false, more) => format!("{} + {more} more...", all.join(",")),
    })
}

/// `formatIngressPorts`.
fn ingress_ports(facts: &Facts, id: ObjectId) -> Cell {
    match at(facts, id, "spec.tls") {
        Got::Unknown | Got::Masked => Cell::Unknown,
        Got::Unset => text("80"),
        tls @ Got::Nodes(_) => text(if tls.count() > 0 { "80, 443" } else { "80" }),
    }
}

/// `printJob`: the conditions that tell the state, the most telling first.
fn job_status(facts: &Facts, id: ObjectId) -> Cell {
    let conditions = at(facts, id, "status.conditions");
    let deleted = at(facts, id, "metadata.deletionTimestamp");
    if !conditions.is_known() || !deleted.is_known() {
        return Cell::Unknown;
    }
    let holds = |kind: &str| {
        let is = |item: &&Node| {
            scalar(item, &["type"]).as_deref() == Some(kind) && scalar(item, &["status"]).as_deref() == Some("True")
        };
        conditions.items().iter().any(is)
    };
    let state = match () {
        () if holds("Complete") => "Complete",
        () if holds("Failed") => "Failed",
        () if matches!(deleted, Got::Nodes(_) | Got::Masked) => "Terminating",
        () if holds("Suspended") => "Suspended",
        () if holds("FailureTarget") => "FailureTarget",
        () if holds("SuccessCriteriaMet") => "SuccessCriteriaMet",
        () => "Running",
    };
    text(state)
}

/// `printJob`.
fn job_completions(facts: &Facts, id: ObjectId) -> Cell {
    let succeeded = match at(facts, id, "status.succeeded") {
        Got::Unset => Some(0),
        got => got.number(),
    };
    let (completions, parallel) = (at(facts, id, "spec.completions"), at(facts, id, "spec.parallelism"));
    match (succeeded, completions.number(), &completions, parallel.number()) {
        (Some(done), Some(wanted), _, _) => text(format!("{done}/{wanted}")),
        (Some(done), None, Got::Unset, Some(side_by_side @ 2..)) => text(format!("{done}/1 of {side_by_side}")),
        (Some(done), None, Got::Unset, _) => text(format!("{done}/1")),
        _ => Cell::Unknown,
    }
}

/// `printJob`.
fn job_duration(facts: &Facts, id: ObjectId) -> Cell {
    let time = |path: &str| at(facts, id, path).text().and_then(|text| text.parse::<jiff::Timestamp>().ok());
    let (started, ended) = (at(facts, id, "status.startTime"), at(facts, id, "status.completionTime"));
    match (time("status.startTime"), time("status.completionTime")) {
        (Some(from), Some(to)) => text(age::short(to.duration_since(from).as_secs())),
        (Some(from), None) if matches!(ended, Got::Unset) => {
            age::since(facts, id, from).map_or(Cell::Unknown, Cell::Text)
        }
        (None, _) if matches!(started, Got::Unset) => text(""),
        _ => Cell::Unknown,
    }
}

/// `printCronJob`.
fn last_schedule(facts: &Facts, id: ObjectId) -> Cell {
    let last = at(facts, id, "status.lastScheduleTime");
    match (&last, last.text().and_then(|text| text.parse().ok())) {
        (Got::Unset, _) => text(NONE),
        (_, Some(time)) => age::since(facts, id, time).map_or(Cell::Unknown, Cell::Text),
        _ => Cell::Unknown,
    }
}

/// `extractCSRStatus`.
fn approval(facts: &Facts, id: ObjectId) -> Cell {
    let (conditions, certificate) = (at(facts, id, "status.conditions"), at(facts, id, "status.certificate"));
    if !conditions.is_known() || !certificate.is_known() {
        return Cell::Unknown;
    }
    let has = |kind: &str| conditions.items().iter().any(|item| scalar(item, &["type"]).as_deref() == Some(kind));
    let mut status = match (has("Denied"), has("Approved")) {
        (true, _) => "Denied",
        (false, true) => "Approved",
        (false, false) => "Pending",
    }
    .to_owned();
    if has("Failed") {
        status.push_str(",Failed");
    }
    if matches!(certificate, Got::Nodes(_) | Got::Masked) {
        status.push_str(",Issued");
    }
    text(status)
}

/// The SERVICE of an APIService: `Local` where the API server serves it itself.
fn service_of_api(facts: &Facts, id: ObjectId) -> Cell {
    match at(facts, id, "spec.service") {
        Got::Unset => text("Local"),
        Got::Nodes(_) => pair(facts, id, ["spec.service.namespace", "spec.service.name"]),
        _ => Cell::Unknown,
    }
}

/// The AVAILABLE of an APIService, with the reason where it is not.
fn api_available(facts: &Facts, id: ObjectId) -> Cell {
    let status = at(facts, id, "status.conditions[type=Available].status");
    let reason = at(facts, id, "status.conditions[type=Available].reason").text();
    match (status.text(), reason) {
        (Some(status), Some(reason)) if status != "True" => text(format!("{status} ({reason})")),
        (Some(status), _) => text(status),
        (None, _) => or_none(&status, "Unknown"),
    }
}

/// `printComponentStatus`.
fn component_status(facts: &Facts, id: ObjectId) -> Cell {
    let status = at(facts, id, "conditions[type=Healthy].status");
    match (&status, status.text().as_deref()) {
        (Got::Unknown | Got::Masked, _) => Cell::Unknown,
        (_, Some("True")) => text("Healthy"),
        (_, Some("False")) => text("Unhealthy"),
        _ => text("Unknown"),
    }
}

/// What an Event says, in whichever of its forms; an empty text says nothing.
fn of_event(facts: &Facts, id: ObjectId, say: impl Fn(&Event<'_>) -> Option<String>) -> Cell {
    let sightings = &facts.object(id).sightings;
    let said =
        sightings.iter().find_map(|sighting| say(&Event::of(&sighting.record.node)).filter(|said| !said.is_empty()));
    said.map_or(Cell::Unknown, Cell::Text)
}

/// `printEvent`.
fn event_object(facts: &Facts, id: ObjectId) -> Cell {
    of_event(facts, id, |event| {
        let about = event.about();
        Some(format!("{}/{}", about.kind?.to_ascii_lowercase(), about.name?))
    })
}

/// `formatEventSource`.
fn event_source(facts: &Facts, id: ObjectId) -> Cell {
    let component = at(facts, id, "source.component");
    match (&component, component.text(), at(facts, id, "source.host").text()) {
        (_, Some(component), Some(host)) => text(format!("{component}, {host}")),
        (_, Some(component), None) => text(component),
        (Got::Unset, None, _) => text(""),
        _ => Cell::Unknown,
    }
}

fn event_count(facts: &Facts, id: ObjectId) -> Cell {
    let count = facts.object(id).sightings.iter().find_map(|sighting| Event::of(&sighting.record.node).count());
    count.map_or(Cell::Unknown, Cell::Number)
}

/// `printEvent`: how long ago it was last seen.
fn event_last_seen(facts: &Facts, id: ObjectId) -> Cell {
    let last = facts.object(id).sightings.iter().filter_map(|sighting| Event::of(&sighting.record.node).last()).max();
    last.and_then(|last| age::since(facts, id, last)).map_or(Cell::Unknown, Cell::Text)
}

/// Does a node say `true`?
pub(crate) fn is_true(node: Option<&Node>) -> bool {
    node.is_some_and(|node| Value::Bool(true).same_as(&node.value))
}

/// What a container ended with, in a word.
pub(crate) fn ended(terminated: &Node) -> String {
    match (scalar(terminated, &["reason"]), number(terminated, &["signal"])) {
        (Some(reason), _) => reason,
        (None, Some(signal @ 1..)) => format!("Signal:{signal}"),
        (None, _) => format!("ExitCode:{}", number(terminated, &["exitCode"]).unwrap_or_default()),
    }
}
