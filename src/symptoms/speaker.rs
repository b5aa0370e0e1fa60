//! Who writes a log, by the name that a person would give.

use facts::store::Stream;

/// The Pod or the component on its Node, else the file.
pub(crate) fn of(stream: &Stream) -> String {
    match (&stream.pod, &stream.class, &stream.node) {
        (Some((_, pod, container)), ..) if container.is_empty() || pod.starts_with(container.as_str()) => pod.clone(),
        (Some((_, pod, container)), ..) => format!("{pod}/{container}"),
        (None, Some(class), Some(node)) => on_machine(class, node),
        (None, Some(class), None) if folder(stream).is_some() => {
            format!("{class} of {}", folder(stream).unwrap_or_default())
        }
        _ if stream.ordered => format!("a process of {}", file(stream)),
        (None, None, Some(node)) if !file(stream).contains(machine(node)) => {
            format!("{} of {}", file(stream), machine(node))
        }
        _ => file(stream).to_owned(),
    }
}

/// A program of a machine.
pub(crate) fn on_machine(program: &str, node: &str) -> String {
    format!("{program} on {}", machine(node))
}

/// Folders that are called after what is in them, and not after whose it is.
const KINDS_OF_FOLDERS: [&str; 26] = [
    "logs",
    "log",
    "var",
    "etcd",
    "containers",
    "current",
    "previous",
    "crictl",
    "docker",
    "podman",
    "journal",
    "journals",
    "journalctl",
    "systemd",
    "kubectl",
    "etcdctl",
    "kubernetes",
    "pods",
    "nodes",
    "node",
    "host",
    "hosts",
    "output",
    "outputs",
    "commands",
    "sos_commands",
];

/// The folder that its file stands in, if it has one.
fn folder(stream: &Stream) -> Option<&str> {
    let mut above = stream.name.rsplit('/').skip(1);
    above.find(|folder| !folder.is_empty() && !KINDS_OF_FOLDERS.contains(folder)).filter(|_| !stream.ordered)
}

/// Where who writes it is: the Node of what runs on it to keep its Pods, else who it is.
pub(crate) fn place(stream: &Stream) -> String {
    let of_node = stream.class.as_deref().is_some_and(|class| AGENTS.contains(&class));
    match &stream.node {
        Some(node) if of_node && stream.pod.is_none() => machine(node).to_owned(),
        _ => of(stream),
    }
}

/// Classes of what a Node is not Ready without.
pub(crate) const AGENTS: [&str; 5] = ["kubelet", "containerd", "cri-o", "docker", "rke2"];

/// What its file is called, without folders and endings.
pub(crate) fn file(stream: &Stream) -> &str {
    let file = stream.name.rsplit('/').next().unwrap_or_default();
    let file = [".gz", ".log", ".txt", ".out"].iter().fold(file, |file, end| file.strip_suffix(end).unwrap_or(file));
    ["-previous", ".previous", "_previous"].iter().fold(file, |file, end| file.strip_suffix(end).unwrap_or(file))
}

/// The name of a machine without its domain, or without what a copy of its log adds; an address as it is.
fn machine(node: &str) -> &str {
    let first = node.split('.').next().unwrap_or(node);
    if first.bytes().all(|byte| byte.is_ascii_digit()) { node } else { first }
}

/// The namespace and the name of the Pod that a subject is.
pub(crate) fn pod_of(subject: &str) -> Option<(&str, &str)> {
    subject.strip_prefix("pods ")?.split_once('/').filter(|(namespace, _)| !namespace.is_empty())
}
