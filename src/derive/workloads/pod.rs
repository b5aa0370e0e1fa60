//! One Pod: is it well, and if not, why.
//!
//! Invariants: a Pod that has ended well, one that is ready, and one that is younger than [`YOUNG`] give no
//! trouble (but for states that never heal by themselves); of an old event nothing is concluded while the
//! Pod is well.

use crate::nodes::{Nodes, Ready};
use crate::reader::{Read, Reader};
use crate::workloads::events::{Event, Events, fresh};
use crate::workloads::logs::LastWords;
use crate::workloads::message;
use crate::workloads::trouble::{Class, Trouble};
use catalogue::statements::Statement;
use catalogue::{statements, wordings};
use facts::human_duration;
use facts::object::ObjectId;

/// Starting takes a while: what a Pod younger than this waits for is no trouble yet.
const YOUNG: i64 = 120;
/// An event not older than this says what is going on now. The kubelet repeats itself at least every few
/// minutes.
const FRESH: i64 = 20 * 60;
/// An eviction not older than this is still somebody's trouble.
const EVICTED: i64 = 60 * 60;
/// A Pod without a controller that has waited for a node for so long is one that somebody left behind.
const FORGOTTEN: i64 = 6 * 60 * 60;
/// Past its deletion time by so much a Pod is stuck.
const STUCK: i64 = 10 * 60;

/// A Pod judged.
#[derive(Debug)]
pub(crate) struct Pod {
    /// Its object.
    pub id: ObjectId,
    pub namespace: Option<String>,
    pub name: String,
    /// Its node, if it has one that is known.
    pub node: Option<String>,
    /// It has ended, well or not.
    pub ended: bool,
    /// It ended well.
    pub succeeded: bool,
    /// It is being deleted.
    pub terminating: bool,
    /// It is ready; `None` if not known.
    pub ready: Option<bool>,
    /// It may still be starting.
    pub young: bool,
    /// What is wrong.
    pub troubles: Vec<Trouble>,
}

/// What all Pods are judged with.
#[derive(Debug)]
pub(crate) struct Judge<'a> {
    /// The facts.
    pub reader: Reader<'a>,
    pub events: &'a Events,
    pub nodes: &'a Nodes,
    /// The last lines of logs.
    pub logs: &'a LastWords,
}

/// What a container ended with.
struct Ended {
    reason: Option<Read>,
    code: Option<Read>,
    message: Option<Read>,
    finished: Option<i64>,
}

impl Ended {
    fn any(&self) -> Option<&Read> {
        self.reason.as_ref().or(self.code.as_ref())
    }
}

impl Judge<'_> {
    /// Judges one Pod.
    pub(crate) fn pod(&self, id: ObjectId) -> Pod {
        let reader = self.reader;
        let object = reader.object(id);
        let phase = reader.text(id, "status.phase");
        let printed = reader.text(id, "status.kubectlStatus");
        let shown = |text: &str| printed.as_ref().is_some_and(|read| read.text == text);
        let phase_is = |text: &str| phase.as_ref().is_some_and(|read| read.text == text);
        let deletion = reader.text(id, "metadata.deletionTimestamp");
        let mut pod = Pod {
            id,
            namespace: object.namespace.clone(),
            name: object.name.clone(),
            node: reader.text(id, "spec.nodeName").map(|read| read.text),
            succeeded: phase_is("Succeeded") || shown("Completed") || shown("Succeeded"),
            ended: phase_is("Succeeded") || phase_is("Failed") || shown("Completed") || shown("Succeeded"),
            terminating: deletion.is_some() || shown("Terminating"),
            ready: self.ready(id),
            young: self.age(id).is_some_and(|age| age < YOUNG),
            troubles: Vec::new(),
        };
        let reason = reader.text(id, "status.reason").or_else(|| printed.clone());
        if let Some(evicted) = reason.filter(|read| read.text == "Evicted") {
            pod.ended = true;
            self.evicted(&mut pod, &evicted);
            return pod;
        }
        if pod.ended {
            return pod;
        }
        if pod.terminating {
            self.terminating(&mut pod, deletion.as_ref());
            return pod;
        }
        if pod.ready == Some(true) {
            self.kept_alive(&mut pod);
            return pod;
        }
        if self.node_is_not_ready(&mut pod) {
            return pod;
        }
        self.containers(&mut pod);
        if pod.troubles.is_empty() {
            self.printed(&mut pod, printed.as_ref());
        }
        if pod.troubles.is_empty()
            && !pod.young
            && (phase_is("Pending") || shown("Pending") || shown("ContainerCreating"))
        {
            self.pending(&mut pod, phase.as_ref().or(printed.as_ref()));
        }
        pod
    }

    /// How many seconds ago the Pod was made, or at least was when a table printed it.
    fn age(&self, id: ObjectId) -> Option<i64> {
        let printed = || human_duration::parse(&self.reader.text(id, "status.kubectlAge")?.text);
        self.reader.age(id, "metadata.creationTimestamp").or_else(|| printed().map(|age| age.from))
    }

    fn ready(&self, id: ObjectId) -> Option<bool> {
        if let Some(read) = self.reader.text(id, "status.conditions[type=Ready].status") {
            return Some(read.text == "True");
        }
        let ready = self.reader.number(id, "status.readyContainers")?;
        let all = self.reader.number(id, "status.totalContainers")?;
        Some(ready >= all)
    }

    fn events<'s>(&'s self, pod: &Pod) -> Vec<&'s Event> {
        let uid = self.reader.object(pod.id).uid.as_deref();
        self.events.of("Pod", pod.namespace.as_deref(), &pod.name, uid)
    }

    /// The newest event with one of these reasons that is fresh, or of which no time is known.
    fn event<'s>(&'s self, pod: &Pod, wanted: impl Fn(&Event) -> bool) -> Option<&'s Event> {
        let is_fresh = |event: &&Event| fresh(event, FRESH) != Some(false);
        self.events(pod).into_iter().filter(|event| wanted(event)).find(is_fresh)
    }

    fn evicted(&self, pod: &mut Pod, reason: &Read) {
        let reader = self.reader;
        let times = [
            "status.conditions[type=DisruptionTarget].lastTransitionTime",
            "status.startTime",
            "metadata.creationTimestamp",
        ];
        let event = self.events(pod).into_iter().find(|event| event.reason == "Evicted");
        let age = event.and_then(|event| event.age).or_else(|| times.iter().find_map(|path| reader.age(pod.id, path)));
        if age.is_some_and(|age| age > EVICTED) {
            return;
        }
        let message = reader.text(pod.id, "status.message").or_else(|| event.map(Event::said));
        let why = message.as_ref().and_then(|read| wordings::first("pod-evicted", &read.text));
        let trouble = Trouble::new(Class::Evicted, age.is_some(), reason).with("message", message);
        pod.troubles.push(match why {
            Some(wording) => trouble.saying("why", &wording.means),
            None => trouble,
        });
    }

    fn terminating(&self, pod: &mut Pod, deletion: Option<&Read>) {
        let Some(deletion) = deletion else { return };
        let Some(age) = deletion.time().and_then(|time| self.reader.age_of(time)) else { return };
        if age < STUCK {
            return;
        }
        let finalizers = self.reader.texts(pod.id, "metadata.finalizers[*]");
        let mut trouble = Trouble::new(Class::StuckTerminating, true, deletion);
        for finalizer in finalizers {
            trouble = trouble.with("finalizers", Some(finalizer));
        }
        if let Some(node) = &pod.node
            && matches!(self.nodes.ready(node), Ready::Lost | Ready::NotOrLost)
        {
            trouble = trouble.saying("lostNode", node);
        }
        pod.troubles.push(trouble);
    }

    /// A Pod that is ready, and yet is killed for its memory again and again.
    fn kept_alive(&self, pod: &mut Pod) {
        if !self
            .reader
            .texts(pod.id, "status.containerStatuses[*].lastState.terminated.reason")
            .iter()
            .any(|r| r.text == "OOMKilled")
        {
            return;
        }
        for (name, base) in self.names(pod, "status.containerStatuses") {
            let last = self.ended(pod, &format!("{base}.lastState.terminated"));
            let restarts = self.reader.number(pod.id, &format!("{base}.restartCount")).unwrap_or(0);
            let recent = last.finished.is_some_and(|age| age <= 10 * 60);
            if let Some(reason) = last.reason.clone().filter(|r| r.text == "OOMKilled" && restarts >= 3 && recent) {
                let trouble = self.oom(pod, &name, &base, &reason, &last);
                pod.troubles.push(Trouble { lasting: false, ..trouble });
            }
        }
    }

    fn node_is_not_ready(&self, pod: &mut Pod) -> bool {
        let Some(node) = pod.node.clone() else { return false };
        let ready = self.nodes.ready(&node);
        let lost = matches!(ready, Ready::Lost | Ready::NotOrLost);
        let waits = self.nodes.without_cni(&node) && !self.has_ip_trouble(pod);
        if !lost && !waits {
            return false;
        }
        let Some(state) = self
            .reader
            .text(pod.id, "status.conditions[type=Ready].status")
            .or_else(|| self.reader.text(pod.id, "status.phase"))
        else {
            return false;
        };
        let why = match (ready, lost) {
            (Ready::Lost, _) => "nothing was heard of its node for a while",
            (_, true) => "its node is not ready",
            _ => "its node waits for its network plugin",
        };
        pod.troubles.push(Trouble::new(Class::NodeNotReady, true, &state).saying("node", &node).saying("why", why));
        true
    }

    /// Does a container of the Pod fail in a way that a node without network does not explain?
    fn has_ip_trouble(&self, pod: &Pod) -> bool {
        let waiting = self.reader.texts(pod.id, "status.containerStatuses[*].state.waiting.reason");
        waiting.iter().any(|read| !matches!(read.text.as_str(), "ContainerCreating" | "PodInitializing"))
    }

    /// Names of containers with the path of their status.
    fn names(&self, pod: &Pod, list: &str) -> Vec<(String, String)> {
        let names = self.reader.texts(pod.id, &format!("{list}[*].name"));
        names
            .into_iter()
            .map(|read| {
                let base = format!("{list}[name=\"{}\"]", read.text);
                (read.text, base)
            })
            .collect()
    }

    fn ended(&self, pod: &Pod, path: &str) -> Ended {
        let part = |field: &str| self.reader.text(pod.id, &format!("{path}.{field}"));
        let finished = self.reader.age(pod.id, &format!("{path}.finishedAt"));
        Ended { reason: part("reason"), code: part("exitCode"), message: part("message"), finished }
    }

    fn containers(&self, pod: &mut Pod) {
        for (list, init) in [("status.initContainerStatuses", true), ("status.containerStatuses", false)] {
            for (name, base) in self.names(pod, list) {
                // A sidecar runs beside the others and blocks them no more than they do each other.
                let init = init && !self.reader.is(pod.id, &format!("{}.restartPolicy", spec_of(&base)), "Always");
                if let Some(trouble) = self.container(pod, &name, &base, init) {
                    let trouble = trouble.saying("container", &name);
                    pod.troubles.push(trouble);
                }
            }
            if !pod.troubles.is_empty() {
                return;
            }
        }
    }

    fn container(&self, pod: &Pod, name: &str, base: &str, init: bool) -> Option<Trouble> {
        let reader = self.reader;
        let part = |field: &str| reader.text(pod.id, &format!("{base}.{field}"));
        let restarts = part("restartCount").and_then(|read| read.text.parse::<i64>().ok()).unwrap_or(0);
        if let Some(waiting) = part("state.waiting.reason") {
            let message = part("state.waiting.message");
            return match waiting.text.as_str() {
                "ErrImagePull" if pod.young && restarts == 0 && self.pull_attempts(pod) < 2 => None,
                "ErrImagePull"
                | "ImagePullBackOff"
                | "RegistryUnavailable"
                | "ImageInspectError"
                | "ErrImageNeverPull"
                | "InvalidImageName"
                | "SignatureValidationFailed" => {
                    let image = reader.text(pod.id, &format!("{}.image", spec_of(base))).or_else(|| part("image"));
                    Some(self.image(pod, &waiting, message, image))
                }
                "CreateContainerConfigError" | "CreateContainerError" | "RunContainerError"
                    if pod.young && restarts == 0 =>
                {
                    None
                }
                "CreateContainerConfigError" | "CreateContainerError" => Some(self.config(pod, &waiting, message)),
                "RunContainerError" => {
                    let last = self.ended(pod, &format!("{base}.lastState.terminated"));
                    Some(self.crash(
                        pod,
                        name,
                        base,
                        &waiting,
                        &Ended { message: message.or(last.message), ..last },
                        init,
                    ))
                }
                "CrashLoopBackOff" => {
                    let last = self.ended(pod, &format!("{base}.lastState.terminated"));
                    Some(self.crash(pod, name, base, &waiting, &last, init))
                }
                _ => None,
            };
        }
        let now = self.ended(pod, &format!("{base}.state.terminated"));
        if let Some(reason) = now.any().cloned() {
            let failed = now.code.as_ref().is_some_and(|code| code.text != "0")
                || matches!(reason.text.as_str(), "Error" | "OOMKilled" | "ContainerCannotRun" | "StartError");
            // One failure of a Pod that just started may be the last.
            return (failed && (restarts >= 1 || !pod.young)).then(|| self.crash(pod, name, base, &reason, &now, init));
        }
        if init {
            return None;
        }
        // It runs. Between two restarts it does so too.
        if part("ready").is_some_and(|ready| ready.text == "true" || ready.text == "True") {
            return None;
        }
        let running = part("state.running.startedAt").or_else(|| part("ready"))?;
        let last = self.ended(pod, &format!("{base}.lastState.terminated"));
        if restarts >= 3
            && last.finished.is_some_and(|age| age <= 10 * 60)
            && let Some(reason) = last.any().cloned()
        {
            return Some(self.crash(pod, name, base, &reason, &last, init));
        }
        let started = reader.age(pod.id, &format!("{base}.state.running.startedAt"));
        if pod.young || started.is_some_and(|age| age < YOUNG) {
            return None;
        }
        let probe = self.event(pod, |e| {
            e.reason == "Unhealthy"
                && (e.message.starts_with("Readiness probe") || e.message.starts_with("Startup probe"))
        })?;
        Some(Trouble::new(Class::ReadinessFailing, started.is_some(), &running).with("message", Some(probe.said())))
    }

    fn pull_attempts(&self, pod: &Pod) -> i64 {
        self.events(pod).iter().filter(|e| e.message.starts_with("Failed to pull image")).map(|e| e.count).sum()
    }

    fn image(&self, pod: &Pod, waiting: &Read, message: Option<Read>, image: Option<Read>) -> Trouble {
        let pulled = self.event(pod, |e| e.reason == "Failed" && e.message.contains("pull image")).map(Event::said);
        let invalid = self.event(pod, |e| e.reason == "InspectFailed").map(Event::said);
        let told: Vec<Read> = [pulled, message, invalid].into_iter().flatten().collect();
        let told = told.iter().find(|read| message::pull_problem(&read.text).is_some()).or(told.first()).cloned();
        let problem = if waiting.text == "InvalidImageName" {
            Some("the image name is not valid")
        } else if waiting.text == "ErrImageNeverPull" {
            Some("the image is not on the node, and its pull policy forbids pulling")
        } else {
            told.as_ref().and_then(|read| message::pull_problem(&read.text))
        };
        let registry = image.as_ref().map(|read| read.saying(message::registry(&read.text)));
        let problem = problem.map(|text| told.as_ref().unwrap_or(waiting).saying(text));
        Trouble::new(Class::ImagePull, true, waiting)
            .with("reason", Some(waiting.clone()))
            .with("image", image)
            .with("registry", registry)
            .with("problem", problem)
            .with("message", told)
    }

    fn config(&self, pod: &Pod, waiting: &Read, message: Option<Read>) -> Trouble {
        let event = self.event(pod, |e| e.reason == "Failed" && e.message.starts_with("Error: ")).map(Event::said);
        let message = message.or(event);
        match message.as_ref().and_then(|read| statements::first("missing-reference", read.text.as_str())) {
            Some(missing) => missing_config(waiting, &missing, message),
            None => Trouble::new(Class::ConfigError, true, waiting)
                .with("reason", Some(waiting.clone()))
                .with("message", message),
        }
    }

    fn crash(&self, pod: &Pod, name: &str, base: &str, state: &Read, last: &Ended, init: bool) -> Trouble {
        let reader = self.reader;
        if last.reason.as_ref().is_some_and(|read| read.text == "OOMKilled") {
            let reason = last.reason.clone().unwrap_or_else(|| state.clone());
            return self.oom(pod, name, base, &reason, last);
        }
        let killed = self.event(pod, |e| {
            e.reason == "Killing"
                && (e.message.contains("failed liveness probe") || e.message.contains("failed startup probe"))
                && e.message.contains(name)
        });
        let restarts = reader.text(pod.id, &format!("{base}.restartCount"));
        let words = self.logs.of(pod.namespace.as_deref(), &pod.name, name);
        let problem = last
            .message
            .as_ref()
            .filter(|read| wordings::first("container-cannot-be-started", &read.text).is_some())
            .cloned()
            .or_else(|| last.reason.clone().filter(|r| matches!(r.text.as_str(), "ContainerCannotRun" | "StartError")))
            .or_else(|| last.code.clone().filter(|code| matches!(code.text.as_str(), "126" | "127" | "128")));
        let class = match (&killed, &problem, init) {
            (_, _, true) => Class::InitFailing,
            (Some(_), None, _) => Class::LivenessFailing,
            _ => Class::CrashLoop,
        };
        let probe = killed.filter(|_| class == Class::LivenessFailing).map(|killed| {
            let unhealthy = self.event(pod, |e| e.reason == "Unhealthy" && !e.message.starts_with("Readiness"));
            unhealthy.unwrap_or(killed).said()
        });
        let because = last.any().cloned();
        let mut trouble = Trouble::new(class, true, state)
            .with("state", Some(state.clone()))
            .with("exitCode", last.code.clone())
            .with("restarts", restarts)
            .with("lastLine", words)
            .with("message", probe.or_else(|| last.message.clone()));
        if let Some(problem) = problem {
            trouble = trouble.with("notExecutable", Some(problem));
        }
        trouble.places.extend(because.map(|read| read.cited));
        trouble
    }

    fn oom(&self, pod: &Pod, name: &str, base: &str, reason: &Read, last: &Ended) -> Trouble {
        let reader = self.reader;
        let limit = reader.text(pod.id, &format!("{}.resources.limits.memory", spec_of(base)));
        let unlimited = limit.is_none() && reader.unset(pod.id, &format!("{}.resources.limits.memory", spec_of(base)));
        let mut trouble = Trouble::new(Class::OomKilled, true, reason)
            .with("reason", Some(reason.clone()))
            .with("exitCode", last.code.clone())
            .with("restarts", reader.text(pod.id, &format!("{base}.restartCount")))
            .with("limit", limit)
            .with("lastLine", self.logs.of(pod.namespace.as_deref(), &pod.name, name));
        if unlimited {
            trouble = trouble.saying("noLimit", "true");
        }
        trouble
    }

    /// What only a table tells: its STATUS column.
    fn printed(&self, pod: &mut Pod, printed: Option<&Read>) {
        let Some(printed) = printed else { return };
        let (init, text) = match printed.text.strip_prefix("Init:") {
            Some(rest) => (true, rest),
            None => (false, printed.text.as_str()),
        };
        let image = self.reader.texts(pod.id, "spec.containers[*].image");
        let image = if image.len() == 1 { image.into_iter().next() } else { None };
        let trouble = match text {
            "ErrImagePull"
            | "ImagePullBackOff"
            | "RegistryUnavailable"
            | "ImageInspectError"
            | "ErrImageNeverPull"
            | "InvalidImageName" => self.image(pod, printed, None, image),
            "CreateContainerConfigError" | "CreateContainerError" => self.config(pod, printed, None),
            "CrashLoopBackOff" | "Error" | "OOMKilled" | "RunContainerError" | "ContainerCannotRun" | "StartError" => {
                let killed = self.event(pod, |e| e.reason == "Killing" && e.message.contains("failed liveness probe"));
                let class = match (init, text) {
                    (_, "OOMKilled") => Class::OomKilled,
                    (true, _) => Class::InitFailing,
                    _ if killed.is_some() => Class::LivenessFailing,
                    _ => Class::CrashLoop,
                };
                // `Error` is a state between two restarts, or the end of a Pod that is not restarted.
                let lasting = text != "Error" && text != "OOMKilled";
                Trouble::new(class, lasting, printed)
                    .with("state", Some(printed.clone()))
                    .with("restarts", self.reader.text(pod.id, "status.restarts"))
                    .with("lastLine", self.logs.of(pod.namespace.as_deref(), &pod.name, ""))
                    .with("message", killed.map(Event::said))
            }
            _ => return,
        };
        pod.troubles.push(trouble);
    }

    fn pending(&self, pod: &mut Pod, phase: Option<&Read>) {
        let reader = self.reader;
        let Some(phase) = phase else { return };
        let condition = reader
            .text(pod.id, "status.conditions[type=PodScheduled].reason")
            .filter(|read| read.text == "Unschedulable");
        let message = reader.text(pod.id, "status.conditions[type=PodScheduled].message");
        // A kubelet makes containers of Pods that have a node.
        let scheduled = pod.node.is_some()
            || reader.is(pod.id, "status.kubectlStatus", "ContainerCreating")
            || reader.is(pod.id, "status.conditions[type=PodScheduled].status", "True");
        if !scheduled {
            let event = self.event(pod, |e| e.reason == "FailedScheduling");
            let because = condition.or_else(|| event.map(Event::said));
            let Some(because) = because else { return };
            let message = message.filter(|read| !read.text.is_empty()).or_else(|| event.map(Event::said));
            pod.troubles.push(self.unschedulable(pod, phase, &because, message));
            return;
        }
        let lasting = self.age(pod.id).is_some();
        let wanted =
            ["FailedMount", "FailedAttachVolume", "FailedCreatePodSandBox", "NetworkNotReady", "FailedMapVolume"];
        let is_known = |e: &&&Event| wanted.contains(&e.reason.as_str()) && fresh(e, FRESH) != Some(false);
        let events = self.events(pod);
        let known: Vec<&&Event> = events.iter().filter(is_known).collect();
        // What is missing says more than that a wait for it timed out.
        let missing =
            known.iter().find_map(|e| Some((statements::first("missing-reference", e.message.as_str())?, **e)));
        let mut rest =
            known.iter().filter(|e| !e.message.contains("timed out waiting") && !e.message.contains("not registered"));
        if let Some((missing, event)) = missing {
            let lasting = lasting || event.count >= 3;
            let trouble = missing_config(phase, &missing, Some(event.said()));
            pod.troubles.push(Trouble { lasting, ..trouble });
        } else if let Some(event) = rest.next().or_else(|| known.first()) {
            let class = match event.reason.as_str() {
                "FailedMount" | "FailedMapVolume" => Class::VolumeMount,
                "FailedAttachVolume" => Class::VolumeAttach,
                "NetworkNotReady" => Class::NodeNotReady,
                _ => Class::Sandbox,
            };
            let mut trouble =
                Trouble::new(class, lasting || event.count >= 3, phase).with("message", Some(event.said()));
            if class == Class::NodeNotReady {
                trouble = trouble.saying("why", "its node waits for its network plugin");
                if let Some(node) = &pod.node {
                    trouble = trouble.saying("node", node);
                }
            }
            for claim in reader.texts(pod.id, "spec.volumes[*].persistentVolumeClaim.claimName") {
                trouble = trouble.with("claims", Some(claim));
            }
            pod.troubles.push(trouble);
        }
    }

    fn unschedulable(&self, pod: &Pod, phase: &Read, because: &Read, message: Option<Read>) -> Trouble {
        let reader = self.reader;
        let lasting = self.age(pod.id).is_some();
        let mut trouble = Trouble::new(Class::Unschedulable, lasting, phase);
        trouble.places.push(because.cited.clone());
        if let Some(message) = &message {
            let parsed = message::unschedulable(&message.text);
            let place = |text: &str| Some(message.saying(text));
            for reason in &parsed.reasons {
                trouble = trouble.with("reasons", place(reason));
            }
            for taint in &parsed.taints {
                trouble = trouble.with("taints", place(taint));
            }
        }
        for claim in reader.texts(pod.id, "spec.volumes[*].persistentVolumeClaim.claimName") {
            trouble = trouble.with("claims", Some(claim));
        }
        let alone = reader.unset(pod.id, "metadata.ownerReferences");
        if alone && reader.age(pod.id, "metadata.creationTimestamp").is_some_and(|age| age > FORGOTTEN) {
            trouble = trouble.saying("forgotten", "true");
        }
        trouble.with("message", message)
    }
}

/// The path of a container in `spec` for the path of its status.
fn spec_of(base: &str) -> String {
    base.replace("status.initContainerStatuses", "spec.initContainers")
        .replace("status.containerStatuses", "spec.containers")
}

/// A ConfigMap or Secret that a message says is missing, or a key of it.
fn missing_config(state: &Read, missing: &Statement, message: Option<Read>) -> Trouble {
    let place = |text: &str| Some(message.as_ref().unwrap_or(state).saying(text));
    let is_config = missing.named("kind").is_some_and(|kind| kind.to_ascii_lowercase().starts_with("config"));
    Trouble::new(Class::MissingConfig, true, state)
        .with("kind", place(if is_config { "ConfigMap" } else { "Secret" }))
        // The message about a key in a volume does not name its object.
        .with("name", place(missing.named("name").unwrap_or("?")))
        .with("message", message.clone())
        .with("key", missing.named("key").and_then(place))
}
