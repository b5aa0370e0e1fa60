//! READY, STATUS and RESTARTS of a Pod.
//!
//! Source: `kubernetes/kubernetes:pkg/printers/internalversion/printers.go@v1.34`, `printPod`.
//!
//! Invariant: the cells of a Pod that was seen in a table alone are those that the table printed.

use crate::Cell;
use crate::cells::{ended, is_true};
use crate::got::{Got, at, number, scalar};
use facts::node::Node;
use facts::object::ObjectId;
use facts::store::Facts;

/// What `printPod` works out.
struct Printed {
    reason: String,
    ready: i64,
    restarts: i64,
}

/// READY, STATUS and RESTARTS of a Pod, worked out once.
pub fn cells(facts: &Facts, id: ObjectId) -> [Cell; 3] {
    let printed = print(facts, id);
    let printed = printed.as_ref();
    [ready_of(facts, id, printed), status_of(facts, id, printed), restarts_of(facts, id, printed)]
}

/// READY: containers that are ready, of all.
pub(crate) fn ready(facts: &Facts, id: ObjectId) -> Cell {
    ready_of(facts, id, print(facts, id).as_ref())
}

/// RESTARTS, without how long ago the last one was.
pub(crate) fn restarts(facts: &Facts, id: ObjectId) -> Cell {
    restarts_of(facts, id, print(facts, id).as_ref())
}

/// STATUS.
pub(crate) fn status(facts: &Facts, id: ObjectId) -> Cell {
    status_of(facts, id, print(facts, id).as_ref())
}

fn ready_of(facts: &Facts, id: ObjectId, printed: Option<&Printed>) -> Cell {
    let (inits, containers) = (at(facts, id, "spec.initContainers"), at(facts, id, "spec.containers"));
    if let (Some(printed), true, true) = (printed, inits.is_known(), containers.is_known()) {
        let sidecars = inits.items().into_iter().filter(|item| is_sidecar(item)).count();
        let all = containers.items().len() + sidecars;
        return Cell::Text(format!("{}/{all}", printed.ready));
    }
    let [ready, all] = ["status.readyContainers", "status.totalContainers"].map(|path| at(facts, id, path).text());
    ready.zip(all).map_or(Cell::Unknown, |(ready, all)| Cell::Text(format!("{ready}/{all}")))
}

fn restarts_of(facts: &Facts, id: ObjectId, printed: Option<&Printed>) -> Cell {
    if let Some(printed) = printed {
        return Cell::Number(printed.restarts);
    }
    at(facts, id, "status.restarts").number().map_or(Cell::Unknown, Cell::Number)
}

fn status_of(facts: &Facts, id: ObjectId, printed: Option<&Printed>) -> Cell {
    let deleted = at(facts, id, "metadata.deletionTimestamp");
    if let (Some(printed), true) = (printed, deleted.is_known()) {
        let is_over = matches!(at(facts, id, "status.phase").text().as_deref(), Some("Succeeded" | "Failed"));
        let goes = matches!(deleted, Got::Nodes(_) | Got::Masked);
        return Cell::Text(match (goes, at(facts, id, "status.reason").text().as_deref()) {
            (true, Some("NodeLost")) => "Unknown".to_owned(),
            (true, _) if !is_over => "Terminating".to_owned(),
            _ => printed.reason.clone(),
        });
    }
    match at(facts, id, "status.kubectlStatus").text() {
        Some(status) => Cell::Text(status),
        None => Cell::Unknown,
    }
}

fn is_sidecar(container: &Node) -> bool {
    scalar(container, &["restartPolicy"]).as_deref() == Some("Always")
}

/// `None` if the states of the containers are not known.
fn print(facts: &Facts, id: ObjectId) -> Option<Printed> {
    let [phase, reason, inits, containers] =
        ["status.phase", "status.reason", "status.initContainerStatuses", "status.containerStatuses"]
            .map(|path| at(facts, id, path));
    let specs = at(facts, id, "spec.initContainers");
    if !(inits.is_known() && containers.is_known() && specs.is_known()) {
        return None;
    }
    let mut printed = Printed { reason: reason.text().or(phase.text())?, ready: 0, restarts: 0 };
    let gate = at(facts, id, "status.conditions[type=PodScheduled].reason").text();
    if gate.as_deref() == Some("SchedulingGated") {
        "SchedulingGated".clone_into(&mut printed.reason);
    }
    let sidecars: Vec<String> =
        specs.items().into_iter().filter(|item| is_sidecar(item)).filter_map(|item| scalar(item, &["name"])).collect();
    let is_sidecar = |status: &Node| scalar(status, &["name"]).is_some_and(|name| sidecars.contains(&name));
    let (waits, of_sidecars) = printed.inits(&inits.items(), specs.items().len(), is_sidecar);
    let initialized = at(facts, id, "status.conditions[type=Initialized].status").text().as_deref() == Some("True");
    if !waits || initialized {
        let is_ready = at(facts, id, "status.conditions[type=Ready].status").text().as_deref() == Some("True");
        printed.restarts = of_sidecars;
        printed.containers(&containers.items(), is_ready);
    }
    Some(printed)
}

impl Printed {
    /// Goes through the init containers: does one of them still hold up the others? And the restarts of sidecars.
    fn inits(&mut self, statuses: &[&Node], all: usize, is_sidecar: impl Fn(&Node) -> bool) -> (bool, i64) {
        let mut of_sidecars = 0;
        for (index, status) in statuses.iter().enumerate() {
            let restarts = number(status, &["restartCount"]).unwrap_or_default();
            self.restarts += restarts;
            let sidecar = is_sidecar(status);
            if sidecar {
                of_sidecars += restarts;
            }
            let (ended_with, waiting) =
                (status.at(&["state", "terminated"]), scalar(status, &["state", "waiting", "reason"]));
            if ended_with.is_some_and(|end| number(end, &["exitCode"]) == Some(0)) {
                continue;
            }
            if sidecar && is_true(status.get("started")) {
                self.ready += i64::from(is_true(status.get("ready")));
                continue;
            }
            self.reason = match (ended_with.filter(|end| !end.value.is_empty()), waiting) {
                (Some(end), _) => format!("Init:{}", ended(end)),
                (None, Some(reason)) if reason != "PodInitializing" => format!("Init:{reason}"),
                (None, _) => format!("Init:{index}/{all}"),
            };
            return (true, of_sidecars);
        }
        (false, of_sidecars)
    }

    fn containers(&mut self, statuses: &[&Node], is_ready: bool) {
        let mut runs = false;
        for status in statuses.iter().rev() {
            self.restarts += number(status, &["restartCount"]).unwrap_or_default();
            let ended_with = status.at(&["state", "terminated"]).filter(|end| !end.value.is_empty());
            if let Some(reason) = scalar(status, &["state", "waiting", "reason"]) {
                self.reason = reason;
            } else if let Some(end) = ended_with {
                self.reason = ended(end);
            } else if is_true(status.get("ready")) && status.at(&["state", "running"]).is_some() {
                runs = true;
                self.ready += 1;
            }
        }
        if self.reason == "Completed" && runs {
            (if is_ready { "Running" } else { "NotReady" }).clone_into(&mut self.reason);
        }
    }
}
