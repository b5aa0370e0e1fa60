//! The blocks of a described Pod, and of a Pod template: containers, volumes, tolerations.
//!
//! Invariants: what a container says stands under its own name; a state that a container is not in is not
//! set; a list of arguments is taken only where no argument can have had several lines.
//!
//! Source: `kubernetes/kubectl:pkg/describe/describe.go@v0.34.0`, `describeContainers`, `describeStatus`,
//! `describeVolumes`, `printPodTolerationsMultiline`, `DescribePodTemplate`.

use crate::describe::outline;
use crate::describe::outline::{Line, Section, blocks};
use crate::describe::values::{is_none, time};
use facts::node::{Node, SmolStr, Value};
use facts::partial::{Partial, dotted, fields};
use facts::path::{Path, Step};

/// A path with a dotted one below it.
fn below(path: &Path, dotted_rest: &str) -> Path {
    let mut steps = path.0.clone();
    steps.extend(dotted(dotted_rest).0);
    Path(steps)
}

/// The same field of every item of a list.
fn each(list: &Path, dotted_rest: &str) -> Path {
    let mut steps = list.0.clone();
    steps.push(Step::All);
    steps.extend(dotted(dotted_rest).0);
    Path(steps)
}

/// A field of the item of a list that has this name.
fn of(list: &Path, name: &str, dotted_rest: &str) -> Path {
    let mut steps = list.0.clone();
    steps.push(Step::Pick { field: "name".to_owned(), value: name.to_owned() });
    steps.extend(dotted(dotted_rest).0);
    Path(steps)
}

pub(super) fn containers(out: &mut Partial, section: &Section<'_, '_>, path: &Path) {
    list(out, section, path, Some(&fields(&["status", "containerStatuses"])));
}

pub(super) fn init_containers(out: &mut Partial, section: &Section<'_, '_>, path: &Path) {
    list(out, section, path, Some(&fields(&["status", "initContainerStatuses"])));
}

pub(super) fn ephemeral_containers(out: &mut Partial, section: &Section<'_, '_>, path: &Path) {
    list(out, section, path, Some(&fields(&["status", "ephemeralContainerStatuses"])));
}

/// What is printed of every container whenever it is set.
const OF_CONTAINER: [&str; 14] = [
    "name",
    "image",
    "ports[*].containerPort",
    "ports[*].protocol",
    "resources.limits",
    "resources.requests",
    "volumeMounts[*].mountPath",
    "volumeMounts[*].name",
    "env[*].name",
    "env[*].valueFrom.secretKeyRef.name",
    "env[*].valueFrom.secretKeyRef.key",
    "env[*].valueFrom.configMapKeyRef.name",
    "env[*].valueFrom.configMapKeyRef.key",
    "envFrom[*].secretRef.name",
];

const OF_PROBE: [(&str, &str); 5] = [
    ("delay=", "initialDelaySeconds"),
    ("timeout=", "timeoutSeconds"),
    ("period=", "periodSeconds"),
    ("#success=", "successThreshold"),
    ("#failure=", "failureThreshold"),
];

/// The parts of a state, with the fields that are printed of each.
const STATES: [(&str, &[&str]); 3] = [
    ("waiting", &["reason"]),
    ("running", &["startedAt"]),
    ("terminated", &["reason", "message", "exitCode", "signal", "startedAt", "finishedAt"]),
];

/// Containers with their statuses, where the form has them.
fn list(out: &mut Partial, section: &Section<'_, '_>, spec: &Path, status: Option<&Path>) {
    let mut specs: Vec<Node> = Vec::new();
    let mut statuses: Vec<Node> = Vec::new();
    let mut states: Vec<(String, [bool; 3], bool)> = Vec::new();
    let mut probes: Vec<(String, [bool; 2])> = Vec::new();
    for block in blocks(section.body).into_iter().filter(|block| !block.key.is_empty()) {
        let mut container = Node::map(block.line);
        let mut state = Node::map(block.line);
        let name = || Node::text(block.line, block.key);
        container.set("name", name());
        state.set("name", name());
        let mut probed = [false; 2];
        let mut printed = None;
        let mut last = false;
        for field in blocks(block.body) {
            match field.key {
                "State" => printed = Some(container_state(&mut state, "state", &field)),
                "Last State" => {
                    container_state(&mut state, "lastState", &field);
                    last = true;
                }
                "Container ID" => set_text(&mut state, "containerID", &field),
                "Image ID" => set_text(&mut state, "imageID", &field),
                "Ready" => state.set("ready", Node::text(field.line, field.text.to_ascii_lowercase())),
                "Restart Count" => state.set("restartCount", Node::text(field.line, field.text)),
                "Liveness" => {
                    container.set("livenessProbe", probe(&field));
                    probed[0] = true;
                }
                "Readiness" => {
                    container.set("readinessProbe", probe(&field));
                    probed[1] = true;
                }
                "Startup" => container.set("startupProbe", probe(&field)),
                _ => spec_field(&mut container, &field),
            }
        }
        for path in [&["livenessProbe"][..], &["readinessProbe"], &["resources", "limits"], &["resources", "requests"]]
        {
            if container.at(path).is_none() {
                container.set_at(path, Node::new(block.line, Value::Null));
            }
        }
        probes.push((block.key.to_owned(), probed));
        specs.push(container);
        if let Some(printed) = printed {
            if !last {
                state.set_at(&["lastState", "terminated"], Node::new(block.line, Value::Null));
            }
            states.push((block.key.to_owned(), printed, last));
            statuses.push(state);
        }
    }
    if !specs.is_empty() {
        out.put(spec, Node::new(section.line, Value::List(specs)));
    }
    for field in OF_CONTAINER.iter().chain(&["envFrom[*].configMapRef.name"]) {
        out.note(each(spec, field));
    }
    for (index, probe) in ["livenessProbe", "readinessProbe"].into_iter().enumerate() {
        let has: Vec<(&str, bool)> =
            probes.iter().map(|(name, has)| (name.as_str(), has.get(index) == Some(&true))).collect();
        one_of(out, spec, &has, probe, &OF_PROBE.map(|(_, field)| field));
    }
    let Some(status) = status else { return };
    if !statuses.is_empty() {
        out.put(status, Node::new(section.line, Value::List(statuses)));
    }
    for field in ["name", "containerID", "imageID", "ready", "restartCount"] {
        out.note(each(status, field));
    }
    for (index, (part, leaves)) in STATES.into_iter().enumerate() {
        let has: Vec<(&str, bool)> =
            states.iter().map(|(name, state, _)| (name.as_str(), state.get(index) == Some(&true))).collect();
        one_of(out, status, &has, &format!("state.{part}"), leaves);
    }
    // Only a state that ended is printed as the last one.
    let has: Vec<(&str, bool)> = states.iter().map(|(name, _, last)| (name.as_str(), *last)).collect();
    one_of(out, status, &has, "lastState.terminated", STATES[2].1);
}

/// Notes a part of each item as shown: its printed fields where it is there, all of it where it is not.
fn one_of(out: &mut Partial, list: &Path, has: &[(&str, bool)], part: &str, leaves: &[&str]) {
    if has.iter().all(|(_, has)| !has) {
        out.note(each(list, part));
        return;
    }
    for leaf in leaves {
        out.note(each(list, &format!("{part}.{leaf}")));
    }
    for (name, _) in has.iter().filter(|(_, has)| !has) {
        out.note(of(list, name, part));
    }
}

/// `State: Terminated` with its fields. Returns which of the three states it is.
fn container_state(status: &mut Node, key: &str, field: &Section<'_, '_>) -> [bool; 3] {
    let is = [field.text == "Waiting", field.text == "Running", field.text == "Terminated"];
    for ((part, _), is) in STATES.iter().zip(is) {
        if !is {
            status.set_at(&[key, part], Node::new(field.line, Value::Null));
        }
    }
    let mut message: Option<(u32, String)> = None;
    for detail in blocks(field.body) {
        let text = Node::text(detail.line, detail.text);
        let at = |text: &str| time(text).map_or(Node::new(detail.line, Value::Null), |t| Node::text(detail.line, t));
        match detail.key {
            "Reason" => status.set_at(&[key, if is[0] { "waiting" } else { "terminated" }, "reason"], text),
            "Started" if is[1] => status.set_at(&[key, "running", "startedAt"], at(detail.text)),
            "Started" => status.set_at(&[key, "terminated", "startedAt"], at(detail.text)),
            "Finished" => status.set_at(&[key, "terminated", "finishedAt"], at(detail.text)),
            "Exit Code" => status.set_at(&[key, "terminated", "exitCode"], text),
            "Signal" => status.set_at(&[key, "terminated", "signal"], text),
            "Message" => {
                let mut whole = detail.text.to_owned();
                for (_, line) in detail.body {
                    whole.push('\n');
                    whole.push_str(line);
                }
                message = Some((detail.line, whole));
            }
            // A line of the message that looks like none of the above.
            _ => {
                if let Some((_, whole)) = &mut message {
                    let line = if detail.key.is_empty() {
                        detail.text.to_owned()
                    } else {
                        format!("{}: {}", detail.key, detail.text)
                    };
                    whole.push('\n');
                    whole.push_str(&line);
                }
            }
        }
    }
    if let Some((line, message)) = message {
        status.set_at(&[key, "terminated", "message"], Node::text(line, message.trim_end()));
    }
    is
}

fn set_text(node: &mut Node, key: &str, field: &Section<'_, '_>) {
    if !is_none(field.text) {
        node.set(key, Node::text(field.line, field.text));
    }
}

fn spec_field(container: &mut Node, field: &Section<'_, '_>) {
    let line = field.line;
    match field.key {
        "Image" => set_text(container, "image", field),
        "Port" | "Ports" => {
            let ports: Vec<Node> = field.text.split(',').filter_map(|port| container_port(line, port.trim())).collect();
            set_list(container, "ports", line, ports);
        }
        "Command" => arguments(container, "command", field),
        "Args" => arguments(container, "args", field),
        "Limits" => container.set_at(&["resources", "limits"], quantities(field)),
        "Requests" => container.set_at(&["resources", "requests"], quantities(field)),
        "Mounts" => {
            let mounts = field.body.iter().filter_map(|(line, text)| {
                let (path, rest) = text.trim().split_once(" from ")?;
                let (name, flags) = rest.split_once(" (").unwrap_or((rest, ""));
                let mut mount = Node::map(*line);
                mount.set("mountPath", Node::text(*line, path));
                mount.set("name", Node::text(*line, name));
                if flags.starts_with("ro") {
                    mount.set("readOnly", Node::text(*line, "true"));
                }
                Some(mount)
            });
            set_list(container, "volumeMounts", line, mounts.collect());
        }
        "Environment" => set_list(container, "env", line, blocks(field.body).iter().filter_map(variable).collect()),
        "Environment Variables from" => {
            let sources = field.body.iter().filter_map(|(line, text)| {
                let mut words = text.split_whitespace();
                let (name, kind) = (words.next()?, words.next()?);
                let key = match kind {
                    "ConfigMap" => "configMapRef",
                    "Secret" => "secretRef",
                    _ => return None,
                };
                let mut source = Node::map(*line);
                source.set_at(&[key, "name"], Node::text(*line, name));
                Some(source)
            });
            set_list(container, "envFrom", line, sources.collect());
        }
        _ => {}
    }
}

fn set_list(node: &mut Node, key: &str, line: u32, items: Vec<Node>) {
    if !items.is_empty() {
        node.set(key, Node::new(line, Value::List(items)));
    }
}

/// `8080/TCP`, `8080/TCP (http)`.
fn container_port(line: u32, text: &str) -> Option<Node> {
    let (port, rest) = text.split_once('/')?;
    let (protocol, name) = rest.split_once(" (").unwrap_or((rest, ""));
    let mut node = Node::map(line);
    node.set("containerPort", Node::text(line, port));
    node.set("protocol", Node::text(line, protocol));
    if !name.is_empty() {
        node.set("name", Node::text(line, name.trim_end_matches(')')));
    }
    Some(node)
}

/// Arguments stand below each other, and so do the lines of one: only flags are surely arguments.
fn arguments(container: &mut Node, key: &str, field: &Section<'_, '_>) {
    let lines: Vec<&(u32, &str)> = field.body.iter().filter(|(_, line)| !line.trim().is_empty()).collect();
    let first_may_be_a_program = usize::from(key == "command");
    if lines.iter().skip(first_may_be_a_program).all(|(_, line)| line.trim_start().starts_with('-')) {
        let items = lines.iter().map(|(number, line)| Node::text(*number, line.trim())).collect();
        set_list(container, key, field.line, items);
    }
}

/// `cpu:  500m` below each other.
pub(super) fn quantities(field: &Section<'_, '_>) -> Node {
    let mut node = Node::map(field.line);
    for quantity in blocks(field.body) {
        if !quantity.key.is_empty() {
            node.set(quantity.key, Node::text(quantity.line, quantity.text));
        }
    }
    node
}

/// An environment variable: its name, and where its value comes from. Values are left alone: they hold
/// secrets, and no reader needs them.
fn variable(field: &Section<'_, '_>) -> Option<Node> {
    let mut node = Node::map(field.line);
    if field.key.is_empty() || field.key.contains(' ') {
        return None;
    }
    node.set("name", Node::text(field.line, field.key));
    let refers = [
        ("<set to the key '", "' in secret '", "secretKeyRef"),
        ("<set to the key '", "' of config map '", "configMapKeyRef"),
    ];
    for (before, between, kind) in refers {
        if let Some((key, rest)) = field.text.strip_prefix(before).and_then(|rest| rest.split_once(between))
            && let Some((name, _)) = rest.split_once("'>")
        {
            node.set_at(&["valueFrom", kind, "name"], Node::text(field.line, name));
            node.set_at(&["valueFrom", kind, "key"], Node::text(field.line, key));
        }
    }
    Some(node)
}

/// `http-get http://:8080/healthz delay=5s timeout=1s period=10s #success=1 #failure=3`.
fn probe(field: &Section<'_, '_>) -> Node {
    let mut node = Node::map(field.line);
    for word in field.text.split_whitespace().rev().take(OF_PROBE.len()) {
        let word = word.replace("successThreshold=", "#success=").replace("failureThreshold=", "#failure=");
        for (mark, name) in OF_PROBE {
            if let Some(number) = word.strip_prefix(mark).map(|rest| rest.trim_end_matches('s'))
                && !matches!(number, "0" | "")
            {
                node.set(name, Node::text(field.line, number));
            }
        }
    }
    node
}

pub(super) fn addresses(out: &mut Partial, section: &Section<'_, '_>, path: &Path) {
    let items: Vec<Node> = blocks(section.body)
        .iter()
        .filter(|block| block.key == "IP" && !is_none(block.text))
        .map(|block| {
            let mut item = Node::map(block.line);
            item.set("ip", Node::text(block.line, block.text));
            item
        })
        .collect();
    if !items.is_empty() {
        out.put(path, Node::new(section.line, Value::List(items)));
    }
    out.note(each(path, "ip"));
}

/// kubectl works the class out where the status has none, and that of a Pod that was evicted or rejected has
/// none.
pub(super) fn quality_of_service(sections: &[Section<'_, '_>], _: &[Line<'_>], out: &mut Partial) {
    let section = |key: &str| sections.iter().find(|section| section.key == key);
    if let (Some(status), Some(class)) = (section("Status"), section("QoS Class"))
        && matches!(status.text, "Running" | "Pending" | "Succeeded")
    {
        out.show(&fields(&["status", "qosClass"]), Some(Node::text(class.line, class.text)));
    }
}

/// The word that kubectl prints for a source, its field, and labels with their fields.
type Source = (&'static str, &'static str, &'static [(&'static str, &'static str)]);

/// Sources of a volume.
const SOURCES: [Source; 7] = [
    ("Secret", "secret", &[("SecretName", "secretName")]),
    ("ConfigMap", "configMap", &[("Name", "name")]),
    ("PersistentVolumeClaim", "persistentVolumeClaim", &[("ClaimName", "claimName")]),
    ("HostPath", "hostPath", &[("Path", "path")]),
    ("EmptyDir", "emptyDir", &[("Medium", "medium")]),
    ("NFS", "nfs", &[("Server", "server"), ("Path", "path")]),
    ("CSI", "csi", &[("Driver", "driver")]),
];

pub(super) fn volumes(out: &mut Partial, section: &Section<'_, '_>, path: &Path) {
    let mut items = Vec::new();
    for block in blocks(section.body).iter().filter(|block| !block.key.is_empty()) {
        let mut item = Node::map(block.line);
        item.set("name", Node::text(block.line, block.key));
        let details = blocks(block.body);
        let kind = details.iter().find(|d| d.key == "Type").map_or("", |d| d.text.split(' ').next().unwrap_or(""));
        if let Some((_, field, labels)) = SOURCES.iter().find(|(word, ..)| *word == kind) {
            item.set(field, Node::map(block.line));
            for (label, name) in *labels {
                if let Some(detail) = details.iter().find(|d| d.key == *label).filter(|d| !is_none(d.text)) {
                    item.set_at(&[field, name], Node::text(detail.line, detail.text));
                }
            }
        }
        if kind == "Projected" {
            let mut sources = Vec::new();
            for detail in &details {
                let path: &[&str] = match detail.key {
                    "SecretName" => &["secret", "name"],
                    "ConfigMapName" => &["configMap", "name"],
                    _ => continue,
                };
                let mut source = Node::map(detail.line);
                source.set_at(path, Node::text(detail.line, detail.text));
                sources.push(source);
            }
            if !sources.is_empty() {
                item.set_at(&["projected", "sources"], Node::new(block.line, Value::List(sources)));
            }
        }
        items.push(item);
    }
    if !items.is_empty() {
        out.put(path, Node::new(section.line, Value::List(items)));
    }
    out.note(each(path, "name"));
    for (_, field, labels) in SOURCES {
        for (_, name) in labels {
            out.note(each(path, &format!("{field}.{name}")));
        }
    }
    out.note(each(path, "projected.sources[*].secret.name"));
    out.note(each(path, "projected.sources[*].configMap.name"));
}

/// The source of a PersistentVolume: one that is not printed is not set.
pub(super) fn source(out: &mut Partial, section: &Section<'_, '_>, path: &Path) {
    let details = blocks(section.body);
    let kind = details.iter().find(|d| d.key == "Type").map_or("", |d| d.text.split(' ').next().unwrap_or(""));
    for (word, field, labels) in SOURCES.iter().filter(|(word, ..)| matches!(*word, "HostPath" | "NFS" | "CSI")) {
        for (label, name) in *labels {
            let detail = details.iter().find(|d| *word == kind && d.key == *label).filter(|d| !is_none(d.text));
            let value = detail.map_or(Node::new(section.line, Value::Null), |d| Node::text(d.line, d.text));
            out.show(&below(path, &format!("{field}.{name}")), Some(value));
        }
    }
}

pub(super) fn tolerations(out: &mut Partial, section: &Section<'_, '_>, path: &Path) {
    let items: Vec<Node> = outline::values(section).into_iter().map(|(line, text)| toleration(line, text)).collect();
    if !items.is_empty() {
        out.put(path, Node::new(section.line, Value::List(items)));
    }
    for field in ["key", "value", "effect", "tolerationSeconds"] {
        out.note(each(path, field));
    }
}

/// `key=value:Effect op=Exists for 300s`; older kubectl prints no `op=Exists`.
fn toleration(line: u32, text: &str) -> Node {
    let mut node = Node::map(line);
    let (text, seconds) = match text.split_once(" for ") {
        Some((text, seconds)) => (text, Some(seconds.trim_end_matches('s'))),
        None => (text, None),
    };
    let (text, exists) = match text.trim_end().strip_suffix("op=Exists") {
        Some(text) => (text.trim_end(), true),
        None => (text, false),
    };
    key_and_effect(&mut node, line, text);
    if exists {
        node.set("operator", Node::text(line, "Exists"));
    }
    if let Some(seconds) = seconds {
        node.set("tolerationSeconds", Node::text(line, seconds));
    }
    node
}

/// `key=value:Effect`: neither a key nor a value has a colon.
pub(super) fn key_and_effect(node: &mut Node, line: u32, text: &str) {
    let (key, effect) = text.split_once(':').unwrap_or((text, ""));
    let (key, value) = key.split_once('=').unwrap_or((key, ""));
    for (name, text) in [("key", key), ("value", value), ("effect", effect)] {
        if !text.is_empty() {
            node.set(name, Node::text(line, text));
        }
    }
}

/// The template of a workload: labels, containers, volumes, selectors, tolerations.
pub(super) fn template(out: &mut Partial, section: &Section<'_, '_>, path: &Path) {
    let spec = |name: &str| below(path, &format!("spec.{name}"));
    let parts = blocks(section.body);
    for part in &parts {
        match part.key {
            "Labels" => {
                let path = below(path, "metadata.labels");
                let pairs = outline::values(part);
                let entries: Vec<(SmolStr, Node)> = pairs
                    .into_iter()
                    .filter_map(|(line, pair)| pair.split_once('=').map(|(k, v)| (k.into(), Node::str(line, v))))
                    .collect();
                let value = (!entries.is_empty()).then(|| Node::new(part.line, Value::Map(entries)));
                out.show(&path, value);
            }
            "Service Account" => out.show(&spec("serviceAccountName"), Some(Node::text(part.line, part.text))),
            "Init Containers" => list(out, part, &spec("initContainers"), None),
            "Containers" => list(out, part, &spec("containers"), None),
            "Volumes" => volumes(out, part, &spec("volumes")),
            "Priority Class Name" => out.show(&spec("priorityClassName"), Some(Node::text(part.line, part.text))),
            _ => {}
        }
    }
    if parts.iter().any(|part| part.key == "Containers") && !parts.iter().any(|part| part.key == "Init Containers") {
        out.show(&spec("initContainers"), Some(Node::new(section.line, Value::Null)));
    }
}
