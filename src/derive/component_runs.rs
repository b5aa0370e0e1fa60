//! The static Pods of a control plane and how their containers run: `componentruns.casefile.dev`, one for each
//! component (etcd, kube-apiserver, kube-controller-manager, kube-scheduler) on each node.
//!
//! Why derived: with the API server down only `crictl ps -a` of the node tells that a container ends again and
//! again, and there each attempt is a row of its own; with the API server up the mirror Pod tells it. A person
//! puts both together.
//!
//! Sources: `kubernetes/kubernetes:cmd/kubeadm/app/phases/controlplane` (names of static Pods are
//! `<component>-<node>` in `kube-system`), `kubernetes-sigs/cri-tools:cmd/crictl/container.go@v1.34` (ATTEMPT).
//!
//! Invariants: restarts alone are no fault, whatever their number: they may be years old, so without a state
//! nothing is concluded; a container that somebody stopped has ended too, and not badly; a Pod whose owner is
//! no Node is no static Pod.

use crate::deriver::{Deriver, Inputs};
use crate::reader::{Read, Reader, write};
use crate::workloads::logs::LastWords;
use catalogue::sources::Sources;
use catalogue::wordings;
use facts::coverage::Basis;
use facts::derived::Derived;
use facts::object::ObjectId;
use facts::origin::Citation;
use facts::provenance::{Cited, Provenance};
use std::collections::{BTreeMap, BTreeSet};

const COMPONENTS: [&str; 4] = ["etcd", "kube-apiserver", "kube-controller-manager", "kube-scheduler"];
const CONTAINERS: &str = "crictlcontainers.casefile.dev";
/// After so many attempts an ended container is in a loop.
const ATTEMPTS: i64 = 3;

pub(crate) const DERIVER: Deriver = Deriver { makes: &["componentruns"], statements: &[], derive };

/// One component on one node, as far as it was seen.
#[derive(Debug, Default)]
struct Run {
    pods: Vec<ObjectId>,
    containers: Vec<ObjectId>,
}

/// Runs by their component and their machine, or the file that shows them.
type Runs = BTreeMap<(&'static str, String), Run>;

/// The component and the node that a static Pod is named after.
fn static_pod(name: &str) -> Option<(&'static str, &str)> {
    COMPONENTS.into_iter().find_map(|component| {
        let node = name.strip_prefix(component)?.strip_prefix('-')?;
        (!node.is_empty()).then_some((component, node))
    })
}

fn derive(inputs: &Inputs<'_>) -> Vec<Derived> {
    let reader = inputs.reader;
    let mut runs = Runs::new();
    for id in reader.all("pods") {
        let object = reader.object(id);
        let Some((component, node)) = static_pod(&object.name) else { continue };
        let owners = reader.texts(id, "metadata.ownerReferences[*].kind");
        let owned = owners.iter().any(|owner| owner.text != "Node");
        if object.namespace.as_deref() == Some("kube-system") && !owned {
            runs.entry((component, node.to_owned())).or_default().pods.push(id);
        }
    }
    let mut unplaced = Runs::new();
    let containers = reader.all(CONTAINERS);
    let sources = (!containers.is_empty()).then(Sources::built_in);
    for id in containers {
        let Some(name) = reader.text(id, "spec.name") else { continue };
        let Some(component) = COMPONENTS.into_iter().find(|component| *component == name.text) else { continue };
        let pod = reader.text(id, "spec.pod");
        let named = pod.as_ref().and_then(|pod| static_pod(&pod.text)).map(|(_, node)| node.to_owned());
        let member = reader.facts.members.get(&name.cited.citation.member);
        // In a session the prompt names it.
        let node = named.or_else(|| reader.plain(id, "spec.node"));
        let node = node.or_else(|| sources.as_ref()?.locate(member?.inside()).node);
        // Where nothing names the machine, what one file shows is of one.
        let run = match node {
            Some(node) => runs.entry((component, node)).or_default(),
            None => unplaced.entry((component, member.map(ToString::to_string).unwrap_or_default())).or_default(),
        };
        run.containers.push(id);
    }
    if let Some(machine) = the_machine(reader) {
        place(&mut runs, &mut unplaced, &machine);
    }
    let words = LastWords::gather(reader);
    let mut made: Vec<Derived> = runs
        .into_iter()
        .map(|((component, node), run)| {
            one(reader, &words, (component, &format!("{component}-{node}"), Some(&node)), &run)
        })
        .collect();
    let alike = |component: &str| unplaced.keys().filter(|(other, _)| *other == component).count();
    made.extend(unplaced.iter().map(|((component, file), run)| {
        let name = if alike(component) > 1 { format!("{component} ({file})") } else { (*component).to_owned() };
        one(reader, &words, (component, &name, None), run)
    }));
    made
}

/// The machine whose static Pods wrote all the logs of such Pods, where the bundle shows no more than one.
fn the_machine(reader: Reader<'_>) -> Option<String> {
    let logs = reader.facts.streams.iter().filter(|stream| stream.context == reader.context);
    let of_logs = logs.filter_map(|stream| stream.pod.as_ref()).filter_map(|(_, pod, _)| static_pod(pod));
    let nodes = reader.all("nodes").into_iter().map(|id| reader.object(id).name.as_str());
    let machines: BTreeSet<&str> = of_logs.map(|(_, node)| node).collect();
    let all: BTreeSet<&str> = machines.iter().copied().chain(nodes).collect();
    let machine = machines.first().filter(|_| all.len() == 1)?;
    Some((*machine).to_owned())
}

/// Gives the containers that no machine is named for to the only machine: those of one file, of which it shows no others.
fn place(runs: &mut Runs, unplaced: &mut Runs, machine: &str) {
    for component in COMPONENTS {
        let files: Vec<_> = unplaced.keys().filter(|(of, _)| *of == component).cloned().collect();
        let known = runs.keys().any(|(of, node)| *of == component && node != machine);
        if let ([file], false) = (files.as_slice(), known)
            && let Some(run) = unplaced.remove(file)
        {
            runs.entry((component, machine.to_owned())).or_default().containers.extend(run.containers);
        }
    }
}

/// What was seen of one run.
#[derive(Debug, Default)]
struct Seen {
    places: Vec<Cited>,
    looping: Option<bool>,
    back_off: Option<Cited>,
    ready: Option<bool>,
    restarts: Option<i64>,
    /// When it last ended, and with what code.
    finished: Option<Read>,
    code: Option<Read>,
}

fn one(
    reader: Reader<'_>,
    words: &LastWords,
    (component, pod, node): (&str, &str, Option<&str>),
    run: &Run,
) -> Derived {
    let mut made = Derived::new("componentruns", None, pod);
    let mut state = Seen::default();
    for id in &run.pods {
        state.by_pod(reader, *id, component);
    }
    state.by_runtime(reader, run);
    let Seen { places, looping, back_off, restarts, code, .. } = state;
    let of_object = || run.pods.iter().chain(&run.containers).next().map(|id| reader.seen(*id));
    let named = || of_object().unwrap_or(Provenance::bare(Basis::Named));
    let seen = Provenance::all(places).unwrap_or_else(named);
    made.text("spec.component", component, &seen);
    match node {
        Some(node) => {
            made.text("spec.node", node, &seen);
            made.text("spec.pod", pod, &seen);
        }
        None => made.open("spec.node", &seen),
    }
    made.flag("status.looping", looping, &seen);
    made.number("status.attempts", restarts, &seen);
    write(&mut made, "status.exitCode", code.as_ref());
    let said = words.of(Some("kube-system"), pod, component).map(|words| words.read.clone());
    let said = said.or_else(|| last_line(reader, component, node?));
    let mut badly: Vec<Cited> = back_off.into_iter().collect();
    // What a signal ends has these codes, and 0 is no failure.
    let bad_code = code.filter(|code| !["0", "137", "143"].contains(&code.text.as_str()));
    let last_word = said.clone().filter(|read| wordings::first("fatal-line", &read.text).is_some());
    badly.extend(bad_code.into_iter().chain(last_word).map(|read| read.cited));
    if let Some(badly) = Provenance::all(badly) {
        made.flag("status.endedBadly", true, badly);
    }
    let because =
        said.as_ref().and_then(|read| Some(read.saying(&wordings::first("component-ended", &read.text)?.means)));
    write(&mut made, "status.because", because.as_ref());
    write(&mut made, "status.lastLine", said.as_ref());
    made
}

impl Seen {
    /// What the mirror Pod shows.
    fn by_pod(&mut self, reader: Reader<'_>, id: ObjectId, component: &str) {
        let at = |path: &str| reader.text(id, &format!("status.containerStatuses[name={component}].{path}"));
        let printed = reader.text(id, "status.kubectlStatus");
        let waiting = at("state.waiting.reason").or_else(|| printed.clone());
        let count = at("restartCount").or_else(|| reader.text(id, "status.restarts"));
        let number = count.as_ref().and_then(|read| read.text.parse::<i64>().ok());
        self.restarts = self.restarts.max(number);
        self.places.extend(waiting.iter().chain(&count).map(|read| read.cited.clone()));
        let cells = (reader.number(id, "status.readyContainers"), reader.number(id, "status.totalContainers"));
        if let Some(read) = at("ready") {
            self.ready = Some(read.text.eq_ignore_ascii_case("true"));
            self.places.push(read.cited);
        } else if let (Some(up), Some(all)) = cells {
            self.ready = Some(up == all);
        }
        let ended = at("state.terminated.exitCode").is_some_and(|read| read.text != "0");
        let again = self.restarts.is_some_and(|number| number >= ATTEMPTS);
        let back_off = waiting.filter(|read| read.text == "CrashLoopBackOff");
        self.back_off = self.back_off.take().or_else(|| back_off.as_ref().map(|read| read.cited.clone()));
        if back_off.is_some() || ended && again {
            self.looping = Some(true);
        } else if self.ready == Some(true) {
            self.looping = self.looping.or(Some(false));
        }
        for state in ["state", "lastState"] {
            let finished = at(&format!("{state}.terminated.finishedAt"));
            if self.finished.is_none() && finished.is_some() {
                (self.finished, self.code) = (finished, at(&format!("{state}.terminated.exitCode")));
            }
        }
    }

    /// What the container runtime of the node shows.
    fn by_runtime(&mut self, reader: Reader<'_>, run: &Run) {
        let attempt =
            |id: &ObjectId| Some((reader.number(*id, "spec.attempt")?, *id, reader.text(*id, "status.state")?));
        let attempts: Vec<(i64, ObjectId, Read)> = run.containers.iter().filter_map(attempt).collect();
        let Some(newest) = attempts.iter().map(|(attempt, ..)| *attempt).max() else { return };
        self.restarts = self.restarts.max(Some(newest));
        self.places.extend(attempts.iter().map(|(.., state)| state.cited.clone()));
        let runs = attempts.iter().any(|(.., state)| state.text == "Running");
        let mut last = attempts.iter().filter(|(attempt, ..)| *attempt == newest);
        if runs {
            self.looping = self.looping.or(Some(false));
        } else if last.all(|(.., state)| state.text == "Exited") && newest >= ATTEMPTS && self.ready != Some(true) {
            self.looping = Some(true);
        }
        let ends = attempts.iter().filter_map(|(_, id, _)| Some((reader.text(*id, "status.finishedAt")?, *id)));
        let newer = |finished: &Read| self.finished.as_ref().is_none_or(|known| known.text < finished.text);
        if let Some((finished, id)) = ends.max_by(|a, b| a.0.text.cmp(&b.0.text)).filter(|(end, _)| newer(end)) {
            (self.finished, self.code) = (Some(finished), reader.text(id, "status.exitCode"));
        }
    }
}

/// The last line of the component's log on this node, where the log is named after the component alone.
fn last_line(reader: Reader<'_>, component: &str, node: &str) -> Option<Read> {
    let mut streams = reader.facts.streams.iter().filter(|stream| {
        stream.context == reader.context
            && stream.class.as_deref() == Some(component)
            && stream.node.as_deref() == Some(node)
    });
    let (member, log) = streams.next()?.parts.iter().rev().find(|(_, log)| log.tally.ending().is_some())?;
    // Two logs of one component on one node: which of them ended last is not known.
    if streams.next().is_some() {
        return None;
    }
    let (line, text) = log.tally.ending()?;
    let citation = Citation::line(*member, line, text);
    Some(Read { text: text.to_string(), cited: Cited::new(citation, Basis::Lines) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_static_pods() {
        assert_eq!(static_pod("etcd-cp-1"), Some(("etcd", "cp-1")));
        assert_eq!(static_pod("kube-apiserver-edge-7x"), Some(("kube-apiserver", "edge-7x")));
        assert_eq!(static_pod("kube-proxy-abcde"), None);
        assert_eq!(static_pod("etcd"), None);
    }
}
