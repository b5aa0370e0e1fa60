//! How a container of a Pod is: whether it goes on, is down, or nobody says.
//!
//! Sources: `kubernetes/api:core/v1` (ContainerStatus), `kubernetes/kubernetes:pkg/printers/internalversion` (STATUS).
//!
//! Invariant: a container that is ready, or that ended well, goes on, whatever its log says.

use crate::reader::{Read, Reader};
use facts::object::ObjectId;

/// How a process is.
#[derive(Debug)]
pub enum State {
    /// It runs, or ended well.
    GoesOn(Read),
    /// It does not run.
    Down(Read),
    /// Nobody says.
    Unknown,
}

/// How a container of a Pod is; of any of its containers, if the name is empty.
pub fn of_container(reader: Reader<'_>, id: ObjectId, container: &str) -> State {
    let of_pod = |path: &str| reader.text(id, path);
    for list in ["status.containerStatuses", "status.initContainerStatuses"] {
        let at = |path: &str| {
            let pick = if container.is_empty() { "*".to_owned() } else { format!("name=\"{container}\"") };
            reader.text(id, &format!("{list}[{pick}].{path}"))
        };
        if let Some(read) = at("ready").filter(|read| read.text.eq_ignore_ascii_case("true")) {
            return State::GoesOn(read);
        }
        if let Some(read) = at("state.terminated.exitCode") {
            return if read.text == "0" { State::GoesOn(read) } else { State::Down(read) };
        }
        let waiting = at("state.waiting.reason");
        if let Some(read) =
            waiting.filter(|read| !["ContainerCreating", "PodInitializing"].contains(&read.text.as_str()))
        {
            return State::Down(read);
        }
    }
    let printed = of_pod("status.kubectlStatus").or_else(|| of_pod("status.phase"));
    let Some(printed) = printed else { return State::Unknown };
    let cells = (reader.number(id, "status.readyContainers"), reader.number(id, "status.totalContainers"));
    match printed.text.as_str() {
        "Succeeded" | "Completed" => State::GoesOn(printed),
        "Running" if matches!(cells, (Some(ready), Some(all)) if ready >= all) => State::GoesOn(printed),
        "CrashLoopBackOff" | "Error" | "Failed" | "RunContainerError" => State::Down(printed),
        _ => State::Unknown,
    }
}
