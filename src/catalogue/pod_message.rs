//! What messages of the kubelet and the scheduler say: what they mean is `patterns/wordings.yaml`, what they name (an
//! object, a webhook) is `patterns/statements.yaml`.
//!
//! Invariant: a message of unknown wording has no class; it is never pressed into one.

use crate::wordings;
use regex::Regex;
use std::sync::LazyLock;

/// Why an image could not be pulled, from the text of the runtime; `None` if the text tells no reason.
pub fn pull_problem(text: &str) -> Option<&'static str> {
    wordings::first("image-cannot-be-pulled", text).map(|wording| wording.means.as_str())
}

/// The class of that wording.
pub fn pull_class(text: &str) -> Option<&'static str> {
    wordings::first("image-cannot-be-pulled", text).map(|wording| wording.class.as_str())
}

/// The host of a registry in an image name; images without one come from docker.io.
pub fn registry(image: &str) -> String {
    match image.split_once('/') {
        Some((host, _)) if host.contains('.') || host.contains(':') || host == "localhost" => host.to_owned(),
        _ => "docker.io".to_owned(),
    }
}

/// Why the scheduler found no node, as it counts: `0/3 nodes are available: 1 Insufficient cpu, ...`.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Unschedulable {
    /// Reasons in a fixed wording.
    pub reasons: Vec<&'static str>,
    /// Their classes: those of the wording `no-node-fits`, `taints` and `extended-resource`.
    pub classes: Vec<&'static str>,
    /// Taints of nodes that the Pod does not tolerate, by key.
    pub taints: Vec<String>,
}

static TAINT: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r"taints? \{([^:}\s]+)").ok());

/// `2 Insufficient nvidia.com/gpu`: a resource of a device plugin has the domain of its vendor before its name.
static EXTENDED: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r"(?i)\bInsufficient [a-z0-9][a-z0-9.-]*/[A-Za-z0-9]").ok());

/// A message of FailedScheduling without what preemption adds: it repeats the same counts in other words.
pub fn without_preemption(text: &str) -> &str {
    text.split(" preemption: ").next().unwrap_or(text)
}

/// Reads a message of FailedScheduling.
pub fn unschedulable(text: &str) -> Unschedulable {
    let text = without_preemption(text);
    let lower = text.to_ascii_lowercase();
    let mut read = wordings::group("no-node-fits").map(|group| group.read(text)).unwrap_or_default();
    if lower.contains("anti-affinity") {
        let of_nodes = lower.contains("node affinity/selector") || lower.contains("node selector");
        read.retain(|wording| wording.class != "node-affinity" || of_nodes);
    }
    let extended =
        EXTENDED.iter().any(|regex| regex.is_match(text)) || read.is_empty() && lower.contains("insufficient ");
    // A node is asked for room once it fits the selector: some do, and what they lack is the reason.
    let lacks = |class: &str| ["cpu", "memory", "ephemeral-storage", "pods", "host-port"].contains(&class);
    if extended || read.iter().any(|wording| lacks(&wording.class)) {
        read.retain(|wording| wording.class != "node-affinity");
    }
    let mut reasons: Vec<&'static str> = read.iter().map(|wording| wording.means.as_str()).collect();
    let mut classes: Vec<&'static str> = read.iter().map(|wording| wording.class.as_str()).collect();
    if extended {
        reasons.push("not enough of an extended resource");
        classes.push("extended-resource");
    }
    let found = TAINT.iter().flat_map(|regex| regex.captures_iter(text));
    let mut taints: Vec<String> = found.filter_map(|taint| Some(taint.get(1)?.as_str().to_owned())).collect();
    taints.sort();
    taints.dedup();
    if !taints.is_empty() {
        classes.push("taints");
    }
    Unschedulable { reasons, classes, taints }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn why_no_node_fits() {
        let said = |text| format!("{:?}", unschedulable(text));
        insta::assert_snapshot!(said("0/3 nodes are available: 1 node(s) had taint {node-role.kubernetes.io/master: }, that the pod didn't tolerate, 2 Insufficient cpu."), @r#"Unschedulable { reasons: ["not enough cpu"], classes: ["cpu", "taints"], taints: ["node-role.kubernetes.io/master"] }"#);
        insta::assert_snapshot!(said("0/2 nodes are available: 2 node(s) had untolerated taint {node.kubernetes.io/not-ready: }. preemption: 0/2 nodes are available: 2 Preemption is not helpful for scheduling."), @r#"Unschedulable { reasons: [], classes: ["taints"], taints: ["node.kubernetes.io/not-ready"] }"#);
        insta::assert_snapshot!(said("0/2 nodes are available: 2 pod has unbound immediate PersistentVolumeClaims."), @r#"Unschedulable { reasons: ["a PersistentVolumeClaim is not bound"], classes: ["claim-unbound"], taints: [] }"#);
        insta::assert_snapshot!(said("0/2 nodes are available: 2 node(s) didn't match node selector."), @r#"Unschedulable { reasons: ["the node selector or node affinity matches no node"], classes: ["node-affinity"], taints: [] }"#);
        insta::assert_snapshot!(said("0/7 nodes are available: 2 Insufficient nvidia.com/gpu, 5 node(s) didn't match Pod's node affinity/selector."), @r#"Unschedulable { reasons: ["not enough of an extended resource"], classes: ["extended-resource"], taints: [] }"#);
        insta::assert_snapshot!(said("0/7 nodes are available: 3 Insufficient cpu, 1 Insufficient example.com/fpga, 4 node(s) didn't match Pod's node affinity/selector."), @r#"Unschedulable { reasons: ["not enough cpu", "not enough of an extended resource"], classes: ["cpu", "extended-resource"], taints: [] }"#);
    }
}
