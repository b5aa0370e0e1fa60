//! The cells that `kubectl get` works out of several fields of a Pod or a Node, in the same way.
//!
//! Why the same: an engineer compares the table with what stood on a terminal, and `Init:CrashLoopBackOff` is known where
//! `Pending` is not.
//!
//! Source: `kubernetes/kubernetes:pkg/printers/internalversion/printers.go@v1.34`, `printPod` and `printNode`.
//!
//! Invariant: they are read off a whole object; of another one what its form prints is taken, or nothing.

use facts::node::{Node, Value};

/// The cells of a Pod.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct PodCells {
    /// Containers that are ready, and all of them.
    pub ready: (usize, usize),
    pub status: String,
    pub restarts: u64,
}

fn text<'n>(node: &'n Node, path: &[&str]) -> Option<&'n str> {
    node.at(path)?.as_str().filter(|text| !text.is_empty())
}

fn number(node: &Node, path: &[&str]) -> Option<i64> {
    match node.at(path)?.value {
        Value::Int(number) => Some(number),
        _ => None,
    }
}

fn is_true(node: &Node, path: &[&str]) -> bool {
    matches!(node.at(path).map(|node| &node.value), Some(Value::Bool(true)))
}

fn items<'n>(node: &'n Node, path: &[&str]) -> &'n [Node] {
    node.at(path).map(Node::items).unwrap_or_default()
}

fn condition<'n>(pod: &'n Node, kind: &str) -> Option<&'n Node> {
    items(pod, &["status", "conditions"]).iter().find(|item| text(item, &["type"]) == Some(kind))
}

fn holds(pod: &Node, kind: &str) -> bool {
    condition(pod, kind).is_some_and(|item| text(item, &["status"]) == Some("True"))
}

/// How a container ended, where it states no reason: `ExitCode:1`.
fn ended(ended: &Node) -> String {
    match (text(ended, &["reason"]), number(ended, &["signal"]), number(ended, &["exitCode"])) {
        (Some(reason), ..) => reason.to_owned(),
        (None, Some(signal), _) if signal != 0 => format!("Signal:{signal}"),
        (None, _, code) => format!("ExitCode:{}", code.unwrap_or_default()),
    }
}

fn restarts(container: &Node) -> u64 {
    number(container, &["restartCount"]).and_then(|count| u64::try_from(count).ok()).unwrap_or_default()
}

/// The cells of a whole Pod.
pub(crate) fn pod(pod: &Node) -> PodCells {
    let sidecars: Vec<&str> = items(pod, &["spec", "initContainers"])
        .iter()
        .filter(|container| text(container, &["restartPolicy"]) == Some("Always"))
        .filter_map(|container| text(container, &["name"]))
        .collect();
    let all = items(pod, &["spec", "containers"]).len() + sidecars.len();
    let mut status = text(pod, &["status", "phase"]).unwrap_or("Unknown").to_owned();
    if let Some(reason) = text(pod, &["status", "reason"]) {
        reason.clone_into(&mut status);
    }
    if condition(pod, "PodScheduled").is_some_and(|item| text(item, &["reason"]) == Some("SchedulingGated")) {
        "SchedulingGated".clone_into(&mut status);
    }
    let init = init(pod, &sidecars);
    let mut cells = PodCells { ready: (init.ready, all), status, restarts: init.restarts };
    if let Some(reason) = &init.status {
        cells.status.clone_from(reason);
    }
    if init.status.is_none() || holds(pod, "Initialized") {
        cells.restarts = init.of_sidecars;
        containers(pod, &mut cells);
    }
    if pod.at(&["metadata", "deletionTimestamp"]).is_some() {
        let phase = text(pod, &["status", "phase"]);
        if text(pod, &["status", "reason"]) == Some("NodeLost") {
            "Unknown".clone_into(&mut cells.status);
        } else if !matches!(phase, Some("Succeeded" | "Failed")) {
            "Terminating".clone_into(&mut cells.status);
        }
    }
    cells
}

/// What the init containers of a Pod come to.
#[derive(Default)]
struct Init {
    /// `Init:0/1`, while they are not done.
    status: Option<String>,
    restarts: u64,
    of_sidecars: u64,
    ready: usize,
}

fn init(pod: &Node, sidecars: &[&str]) -> Init {
    let mut init = Init::default();
    for (at, container) in items(pod, &["status", "initContainerStatuses"]).iter().enumerate() {
        let is_sidecar = text(container, &["name"]).is_some_and(|name| sidecars.contains(&name));
        init.restarts += restarts(container);
        if is_sidecar {
            init.of_sidecars += restarts(container);
        }
        let end = container.at(&["state", "terminated"]);
        if end.is_some_and(|end| number(end, &["exitCode"]) == Some(0)) {
            continue;
        }
        if is_sidecar && is_true(container, &["started"]) {
            init.ready += usize::from(is_true(container, &["ready"]));
            continue;
        }
        let waiting = text(container, &["state", "waiting", "reason"]).filter(|reason| *reason != "PodInitializing");
        init.status = Some(match (end, waiting) {
            (Some(end), _) => format!("Init:{}", ended(end)),
            (None, Some(reason)) => format!("Init:{reason}"),
            (None, None) => format!("Init:{at}/{}", items(pod, &["spec", "initContainers"]).len()),
        });
        break;
    }
    init
}

fn containers(pod: &Node, cells: &mut PodCells) {
    let mut runs = false;
    for container in items(pod, &["status", "containerStatuses"]).iter().rev() {
        cells.restarts += restarts(container);
        if let Some(reason) = text(container, &["state", "waiting", "reason"]) {
            reason.clone_into(&mut cells.status);
        } else if let Some(end) = container.at(&["state", "terminated"]) {
            cells.status = ended(end);
        } else if is_true(container, &["ready"]) && container.at(&["state", "running"]).is_some() {
            runs = true;
            cells.ready.0 += 1;
        }
    }
    if cells.status == "Completed" && runs {
        let status = if holds(pod, "Ready") { "Running" } else { "NotReady" };
        status.clone_into(&mut cells.status);
    }
}

/// STATUS and ROLES of a whole Node.
pub(crate) fn node(node: &Node) -> (String, String) {
    let ready = condition(node, "Ready").map(|item| text(item, &["status"]) == Some("True"));
    let mut status = match ready {
        Some(true) => "Ready",
        Some(false) => "NotReady",
        None => "Unknown",
    }
    .to_owned();
    if is_true(node, &["spec", "unschedulable"]) {
        status.push_str(",SchedulingDisabled");
    }
    let labels = node.at(&["metadata", "labels"]).map(Node::entries).unwrap_or_default();
    let role = |(key, value): &(facts::node::SmolStr, Node)| match key.strip_prefix("node-role.kubernetes.io/") {
        Some(role) if !role.is_empty() => Some(role.to_owned()),
        _ if *key == "kubernetes.io/role" => value.as_str().filter(|role| !role.is_empty()).map(str::to_owned),
        _ => None,
    };
    let mut roles: Vec<String> = labels.iter().filter_map(role).collect();
    roles.sort();
    roles.dedup();
    (status, if roles.is_empty() { "<none>".to_owned() } else { roles.join(",") })
}

#[cfg(test)]
mod tests {
    use super::*;
    use facts::record::Record;

    fn read(yaml: &str) -> Node {
        let limits = intake::Limits::default();
        let parsed = parse::manifest::read_yaml(facts::origin::MemberId(0), "a.yaml", yaml.as_bytes(), &limits);
        let Some(Record::Object(object)) = parsed.records.first() else { panic!("an object in {yaml}") };
        Node::clone(&object.node)
    }

    fn shown(spec: &str, status: &str) -> String {
        let head = "apiVersion: v1\nkind: Pod\nmetadata: {name: a, namespace: b}\n";
        let PodCells { ready, status, restarts } = pod(&read(&format!("{head}spec: {spec}\nstatus: {status}\n")));
        format!("{}/{} {status} {restarts}", ready.0, ready.1)
    }

    #[test]
    fn a_pod_is_printed_as_kubectl_prints_it() {
        let one = "{containers: [{name: c}]}";
        let two = "{containers: [{name: c}, {name: d}], initContainers: [{name: i}, {name: j}]}";
        assert_eq!(shown(one, "{phase: Pending}"), "0/1 Pending 0");
        let running =
            "{phase: Running, containerStatuses: [{name: c, ready: true, restartCount: 2, state: {running: {}}}]}";
        assert_eq!(shown(one, running), "1/1 Running 2");
        let done = "{phase: Succeeded, containerStatuses: [{name: c, ready: false, restartCount: 0, state: {terminated: {exitCode: 0, reason: Completed}}}]}";
        assert_eq!(shown(one, done), "0/1 Completed 0");
        let failed =
            "{phase: Failed, containerStatuses: [{name: c, restartCount: 0, state: {terminated: {exitCode: 3}}}]}";
        assert_eq!(shown(one, failed), "0/1 ExitCode:3 0");
        let init = "{phase: Pending, initContainerStatuses: [{name: i, restartCount: 4, state: {waiting: {reason: CrashLoopBackOff}}}, {name: j, state: {waiting: {reason: PodInitializing}}}], containerStatuses: [{name: c, state: {waiting: {reason: PodInitializing}}}]}";
        assert_eq!(shown(two, init), "0/2 Init:CrashLoopBackOff 4");
        let second = "{phase: Pending, initContainerStatuses: [{name: i, state: {terminated: {exitCode: 0}}}, {name: j, state: {running: {}}}]}";
        assert_eq!(shown(two, second), "0/2 Init:1/2 0");
        let mixed = "{phase: Running, conditions: [{type: Ready, status: 'False'}], containerStatuses: [{name: c, ready: true, state: {running: {}}}, {name: d, state: {terminated: {exitCode: 0, reason: Completed}}}]}";
        assert_eq!(shown("{containers: [{name: c}, {name: d}]}", mixed), "1/2 NotReady 0");
    }

    #[test]
    fn a_node_has_its_roles_and_says_that_it_is_cordoned() {
        let text = "apiVersion: v1\nkind: Node\nmetadata: {name: n, labels: {node-role.kubernetes.io/master: '', node-role.kubernetes.io/control-plane: ''}}\nspec: {unschedulable: true}\nstatus: {conditions: [{type: Ready, status: Unknown}]}\n";
        assert_eq!(node(&read(text)), ("NotReady,SchedulingDisabled".to_owned(), "control-plane,master".to_owned()));
        let bare = "apiVersion: v1\nkind: Node\nmetadata: {name: n}\nstatus: {}\n";
        assert_eq!(node(&read(bare)), ("Unknown".to_owned(), "<none>".to_owned()));
    }
}
