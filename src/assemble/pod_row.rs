//! What a row of Pods proves: its READY, STATUS and RESTARTS cells are computed from many fields.
//!
//! STATUS is the phase only where nothing else is to be said. Else it is the reason of the Pod itself
//! (`Evicted`), of one of its containers, whether it waits or has ended, or `Terminating`. Of which container
//! is known only where the Pod has one: then the row shows the state of all its containers; else some
//! container has that reason, and nothing is known of the others.
//!
//! Invariant: no phase, readiness or count is taken from a cell that another state of the Pod prints alike.
//!
//! Source: `kubernetes/kubernetes:pkg/printers/internalversion/printers.go@v1.34`, `printPod`, and `@v1.20`.

use facts::node::{Node, Value};
use facts::partial::{Partial, dotted};
use facts::path::{Path, Step};

/// Reasons for which the kubelet does not start a container yet.
/// Source: `kubernetes/kubernetes:pkg/kubelet/images/types.go`, `pkg/kubelet/container/sync_result.go`,
/// `pkg/kubelet/kuberuntime/kuberuntime_container.go`, `pkg/kubelet/kubelet_pods.go`.
const WAITING: [&str; 18] = [
    "ContainerCreating",
    "PodInitializing",
    "CrashLoopBackOff",
    "ErrImagePull",
    "ImagePullBackOff",
    "ErrImageNeverPull",
    "InvalidImageName",
    "ImageInspectError",
    "RegistryUnavailable",
    "SignatureValidationFailed",
    "CreateContainerConfigError",
    "CreateContainerError",
    "PreCreateHookError",
    "PreStartHookError",
    "PostStartHookError",
    "RunContainerError",
    "CreatePodSandboxError",
    "ConfigPodSandboxError",
];

/// Reasons of containers that have ended.
const ENDED: [&str; 6] =
    ["Completed", "Error", "OOMKilled", "ContainerCannotRun", "StartError", "ContainerStatusUnknown"];

/// Reasons of Pods that the kubelet or a controller has failed.
/// Source: `kubernetes/kubernetes:pkg/kubelet/eviction`, `pkg/kubelet/lifecycle/predicate.go`,
/// `pkg/kubelet/nodeshutdown`.
const FAILED: [&str; 12] = [
    "Evicted",
    "NodeAffinity",
    "NodeShutdown",
    "OutOfcpu",
    "OutOfmemory",
    "OutOfpods",
    "OutOfephemeral-storage",
    "Preempting",
    "Shutdown",
    "SysctlForbidden",
    "TopologyAffinityError",
    "UnexpectedAdmissionError",
];

/// The cells of a row.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Cells<'a> {
    /// `1/2`.
    pub ready: Option<&'a str>,
    /// `CrashLoopBackOff`.
    pub status: Option<&'a str>,
    /// `4`, `4 (3m ago)`.
    pub restarts: Option<&'a str>,
}

/// Puts what the cells prove into a partial Pod.
pub(crate) fn read(cells: Cells<'_>, line: u32, out: &mut Partial) {
    let text = |text: &str| Node::text(line, text);
    let unset = || Node::new(line, Value::Null);
    let Some(status) = cells.status else { return };
    let deleted = dotted("metadata.deletionTimestamp");
    let phase = dotted("status.phase");
    if status == "Terminating" {
        // It is set, and nobody printed to what.
        out.put(&deleted, Node::new(line, Value::REDACTED));
        out.note(deleted);
        return;
    }
    let (list, reason) = match status.strip_prefix("Init:") {
        Some(reason) => ("status.initContainerStatuses", reason),
        None => ("status.containerStatuses", status),
    };
    let alone = list == "status.containerStatuses"
        && cells.ready.and_then(|ready| ready.split_once('/')).is_some_and(|(_, all)| all == "1");
    match status {
        "Running" | "Pending" => {
            out.show(&phase, Some(text(status)));
            out.show(&deleted, Some(unset()));
        }
        "Succeeded" | "Failed" => out.show(&phase, Some(text(status))),
        // Some containers have completed and others run, but not all of those are ready.
        "NotReady" => {
            out.show(&phase, Some(text("Running")));
            out.show(&deleted, Some(unset()));
        }
        "SchedulingGated" => {
            out.show(&phase, Some(text("Pending")));
            out.show(&picked("status.conditions", "type", "PodScheduled", "reason"), Some(text(status)));
        }
        _ if FAILED.contains(&status) => {
            out.show(&phase, Some(text("Failed")));
            out.show(&dotted("status.reason"), Some(text(status)));
        }
        _ => container(list, reason, alone, line, out),
    }
    // A container that waits keeps its Pod from having ended, and a Pod that is being deleted before that
    // says so.
    if WAITING.contains(&reason) && list == "status.containerStatuses" {
        out.show(&deleted, Some(unset()));
    }
    counts(cells, alone, line, out);
}

/// The reason of a container: of the only one, or of some.
fn container(list: &str, reason: &str, alone: bool, line: u32, out: &mut Partial) {
    let (state, field, value, others): (&str, &str, &str, [&str; 2]) = if WAITING.contains(&reason) {
        ("waiting", "reason", reason, ["running", "terminated"])
    } else if ENDED.contains(&reason) {
        ("terminated", "reason", reason, ["running", "waiting"])
    } else if let Some(code) = reason.strip_prefix("ExitCode:") {
        ("terminated", "exitCode", code, ["running", "waiting"])
    } else if let Some(signal) = reason.strip_prefix("Signal:") {
        ("terminated", "signal", signal, ["running", "waiting"])
    } else {
        return;
    };
    let mut item = Node::map(line);
    item.set_at(&["state", state, field], Node::text(line, value));
    if alone {
        for other in others {
            item.set_at(&["state", other], Node::new(line, Value::Null));
            out.note(dotted(&format!("{list}[*].state.{other}")));
        }
        item.set("ready", Node::text(line, "false"));
        out.note(dotted(&format!("{list}[*].ready")));
        out.note(dotted(&format!("{list}[*].state.{state}.{field}")));
    }
    out.put(&dotted(list), Node::new(line, Value::List(vec![item])));
}

/// READY counts containers that are ready and run, RESTARTS adds up those of all containers.
fn counts(cells: Cells<'_>, alone: bool, line: u32, out: &mut Partial) {
    let list = dotted("status.containerStatuses");
    let ready = cells.ready.and_then(|ready| ready.split_once('/'));
    let all_ready = ready.is_some_and(|(is, all)| is == all && all != "0");
    let listed = out.node.at(&["status", "containerStatuses"]).is_some();
    if all_ready && !listed {
        let count = ready.and_then(|(_, all)| all.parse().ok()).filter(|count| *count <= 100);
        let item = || {
            let mut item = Node::map(line);
            item.set("ready", Node::text(line, "true"));
            item
        };
        if let Some(count) = count {
            out.put(&list, Node::new(line, Value::List((0..count).map(|_| item()).collect())));
            out.note(dotted("status.containerStatuses[*].ready"));
        }
    }
    let restarts = cells.restarts.and_then(|text| text.split(' ').next()).filter(|text| text.parse::<u32>().is_ok());
    if let (true, Some(restarts)) = (alone && (listed || all_ready), restarts)
        && let Some(item) = out.node_at_first(&["status", "containerStatuses"])
    {
        item.set("restartCount", Node::text(line, restarts));
        out.note(dotted("status.containerStatuses[*].restartCount"));
    }
}

/// `list[by=value].field`.
fn picked(list: &str, by: &str, value: &str, field: &str) -> Path {
    let mut path = dotted(list);
    path.0.push(Step::Pick { field: by.to_owned(), value: value.to_owned() });
    path.0.push(Step::Field(field.to_owned()));
    path
}

#[cfg(test)]
mod tests {
    use super::*;

    fn show(ready: &str, status: &str, restarts: &str) -> String {
        let mut out = Partial::new(1);
        read(Cells { ready: Some(ready), status: Some(status), restarts: Some(restarts) }, 1, &mut out);
        let shown: Vec<String> = out.shown.iter().map(Path::to_string).collect();
        format!("{{{}}} shows {}", out.node, shown.join(" "))
    }

    #[test]
    fn the_only_container_is_the_one_that_is_meant() {
        insta::assert_snapshot!(show("0/1", "CrashLoopBackOff", "4 (3m ago)"), @"{status: containerStatuses: state: waiting: reason: CrashLoopBackOff, running: null, terminated: null, ready: false, restartCount: 4, metadata: deletionTimestamp: null} shows status.containerStatuses[*].state.running status.containerStatuses[*].state.terminated status.containerStatuses[*].ready status.containerStatuses[*].state.waiting.reason metadata.deletionTimestamp status.containerStatuses[*].restartCount");
        insta::assert_snapshot!(show("1/2", "CrashLoopBackOff", "4"), @"{status: containerStatuses: state: waiting: reason: CrashLoopBackOff, metadata: deletionTimestamp: null} shows metadata.deletionTimestamp");
        insta::assert_snapshot!(show("0/1", "Init:ImagePullBackOff", "0"), @"{status: initContainerStatuses: state: waiting: reason: ImagePullBackOff} shows ");
    }

    #[test]
    fn a_phase_is_taken_only_where_it_is_one() {
        insta::assert_snapshot!(show("1/1", "Running", "2 (5d ago)"), @"{status: phase: Running, containerStatuses: ready: true, restartCount: 2, metadata: deletionTimestamp: null} shows status.phase metadata.deletionTimestamp status.containerStatuses[*].ready status.containerStatuses[*].restartCount");
        insta::assert_snapshot!(show("0/1", "Pending", "0"), @"{status: phase: Pending, metadata: deletionTimestamp: null} shows status.phase metadata.deletionTimestamp");
        insta::assert_snapshot!(show("0/1", "Evicted", "0"), @"{status: phase: Failed, reason: Evicted} shows status.phase status.reason");
        insta::assert_snapshot!(show("1/1", "Terminating", "0"), @"{metadata: deletionTimestamp: [redacted]} shows metadata.deletionTimestamp");
        insta::assert_snapshot!(show("0/1", "Init:0/1", "0"), @"{} shows ");
        insta::assert_snapshot!(show("0/1", "Unknown", "0"), @"{} shows ");
        insta::assert_snapshot!(show("0/2", "Completed", "0"), @"{status: containerStatuses: state: terminated: reason: Completed} shows ");
        insta::assert_snapshot!(show("0/1", "SomethingNew", "0"), @"{} shows ");
    }
}
