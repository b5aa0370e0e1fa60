//! One Pod: is it well, and if not, why.
//!
//! Invariants: a Pod that has ended well, one that is ready, and one that is younger than [`YOUNG`] give no
//! trouble (but for states that never heal by themselves); of an old event nothing is concluded while the
//! Pod is well.

use crate::nodes::{Nodes, Ready};
use crate::reader::{Read, Reader};
use crate::workloads::container;
use crate::workloads::container::Container;
use crate::workloads::events::{Event, Events, fresh};
use crate::workloads::logs::LastWords;
use crate::workloads::trouble::Trouble;
use catalogue::statements::Statement;
use catalogue::{pod_message, statements, wordings};
use facts::human_duration;
use facts::object::ObjectId;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::OnceLock;

/// Starting takes a while: what a Pod younger than this waits for is no trouble yet.
pub(super) const YOUNG: i64 = 120;
/// An event not older than this says what is going on now. The kubelet repeats itself at least every few
/// minutes.
const FRESH: i64 = 20 * 60;
/// An eviction not older than this is still somebody's trouble.
const EVICTED: i64 = 60 * 60;
/// So long the API server keeps events.
const KEPT: i64 = 60 * 60;
/// A Pod without a controller that has waited for a node for so long is one that somebody left behind.
const FORGOTTEN: i64 = 6 * 60 * 60;
/// So long a node takes that an autoscaler made, or that is maintained (cluster-autoscaler, `--max-node-provision-time`).
const NODE_COMES: i64 = 15 * 60;
/// Past its deletion time by so much a Pod is stuck.
const STUCK: i64 = 10 * 60;

#[derive(Debug)]
pub(crate) struct Pod {
    pub id: ObjectId,
    pub namespace: Option<String>,
    pub name: String,
    /// Its labels, if they are shown.
    pub labels: Option<Vec<(String, String)>>,
    /// Its node, if it has one that is known.
    pub node: Option<String>,
    /// It has ended, well or not.
    pub ended: bool,
    pub succeeded: bool,
    pub terminating: bool,
    /// It is ready; `None` if not known.
    pub ready: Option<bool>,
    /// It may still be starting.
    pub young: bool,
    pub troubles: Vec<Trouble>,
    /// While it is not ready and has not done its work: why its containers ended, as they say themselves.
    pub words: Vec<Read>,
    /// The last lines of those that say nothing of it, where these tell of an error.
    pub lines: Vec<Read>,
    /// Errors shortly before those.
    pub before: Vec<Read>,
}

/// Does a last line tell of an error, as a line that programs write all the time does not?
fn tells_of_error(line: &Read) -> bool {
    wordings::first("why-ended", &line.text).is_some() || wordings::first("tells-of-error", &line.text).is_some()
}

/// What Pods said last: why they ended, or else a line that tells of an error.
pub(super) fn last_said<'p>(pods: impl Iterator<Item = &'p Pod> + Clone) -> Option<Read> {
    let words = pods.clone().flat_map(|pod| &pod.words);
    words.chain(pods.flat_map(|pod| &pod.lines)).next().cloned()
}

impl Pod {
    /// All texts that tell what is wrong with it.
    pub(crate) fn said(&self) -> impl Iterator<Item = &Read> {
        let details = self.troubles.iter().flat_map(|trouble| trouble.details.values().flatten());
        self.words.iter().chain(&self.lines).chain(&self.before).chain(details)
    }
}

/// What all Pods are judged with.
#[derive(Debug)]
pub(crate) struct Judge<'a> {
    pub reader: Reader<'a>,
    pub events: &'a Events,
    pub nodes: &'a Nodes,
    /// The last lines of logs.
    pub logs: &'a LastWords,
    /// Somebody shows so few Pods that nothing tells how old they are but what they say themselves: they are at least so
    /// old, and none of them is known to be young.
    pub unaged: bool,
    /// The ages of ready Pods by what made them; looked up where a Pod was evicted.
    pub ready: &'a OnceLock<Successors>,
}

/// The Pods of one controller.
#[derive(Debug)]
pub(crate) struct Family {
    /// Ages of the ready ones, in seconds.
    ready: Vec<i64>,
    /// The age of the youngest, ready or not; 0 where one does not tell it.
    youngest: i64,
}

impl Default for Family {
    fn default() -> Self {
        Self { ready: Vec::new(), youngest: i64::MAX }
    }
}

/// Them by namespace and by their names without the part that tells them apart.
pub(crate) type Successors = BTreeMap<(Option<String>, String), Family>;

/// The name of a Pod without the part that tells it from others of its ReplicaSet or DaemonSet.
fn family(name: &str) -> &str {
    name.rsplit_once('-').map_or(name, |(family, _)| family)
}

impl Judge<'_> {
    pub(crate) fn pod(&self, id: ObjectId) -> Pod {
        let reader = self.reader;
        let object = reader.object(id);
        let phase = reader.plain(id, "status.phase");
        let printed = reader.text(id, "status.kubectlStatus");
        let shown = |text: &str| printed.as_ref().is_some_and(|read| read.text == text);
        let phase_is = |text: &str| phase.as_deref() == Some(text);
        let deletion = reader.text(id, "metadata.deletionTimestamp");
        let succeeded = phase_is("Succeeded") || shown("Completed") || shown("Succeeded");
        let mut pod = Pod {
            id,
            namespace: object.namespace.clone(),
            name: object.name.clone(),
            labels: reader.entries(id, "metadata.labels"),
            node: reader.plain(id, "spec.nodeName"),
            succeeded,
            ended: succeeded || phase_is("Failed"),
            terminating: deletion.is_some() || shown("Terminating"),
            ready: self.ready(id),
            young: !self.unaged && self.age(id).is_some_and(|age| age < YOUNG),
            troubles: Vec::new(),
            words: Vec::new(),
            lines: Vec::new(),
            before: Vec::new(),
        };
        if pod.ready != Some(true) && !pod.succeeded {
            pod.before = self.logs.before_ends(pod.namespace.as_deref(), &pod.name);
            for (said, line) in self.logs.of_pod(pod.namespace.as_deref(), &pod.name) {
                match said {
                    Some(said) => pod.words.push(said.clone()),
                    None if tells_of_error(line) => pod.lines.push(line.clone()),
                    None => {}
                }
            }
        }
        let reason = reader.text(id, "status.reason").or_else(|| printed.clone());
        if let Some(evicted) = reason.filter(|read| read.text == "Evicted") {
            pod.ended = true;
            pod.troubles.extend(self.evicted(&pod, &evicted));
        } else if pod.ended {
            // Nothing is wrong with what is over.
        } else if pod.terminating {
            pod.troubles.extend(self.terminating(&pod, deletion.as_ref()));
        } else if pod.ready == Some(true) || pod.ready.is_none() && !self.kept_alive(&pod).is_empty() {
            pod.troubles = self.kept_alive(&pod);
        } else if let Some(trouble) = self.node_is_not_ready(&pod) {
            pod.troubles.push(trouble);
        } else {
            pod.troubles = self.containers(&pod);
            let pending = phase_is("Pending") || shown("Pending") || shown("ContainerCreating");
            if let (true, Some(printed)) = (pod.troubles.is_empty(), &printed) {
                pod.troubles.extend(self.printed(&pod, printed));
            }
            if let (true, true, false) = (pending, pod.troubles.is_empty(), pod.young)
                && let Some(phase) = reader.text(id, "status.phase").or_else(|| printed.clone())
            {
                pod.troubles.extend(self.pending(&pod, &phase));
            }
            if let (true, None, None, None) = (pod.troubles.is_empty(), &phase, &printed, pod.ready) {
                pod.troubles.extend(self.told_only(&pod));
            }
        }
        pod
    }

    /// How many seconds ago the Pod was made, or at least was when a table printed it, or got its node, as a description
    /// shows.
    pub(super) fn age(&self, id: ObjectId) -> Option<i64> {
        let printed = || human_duration::parse(&self.reader.text(id, "status.kubectlAge")?.text);
        let made = self.reader.age(id, "metadata.creationTimestamp").or_else(|| printed().map(|age| age.from));
        made.or_else(|| self.reader.age(id, "status.startTime"))
    }

    /// For how long it has waited for a node: since it was made, or since its events say so.
    fn waited(&self, pod: &Pod) -> Option<i64> {
        let told = || self.told(pod, "not-scheduled").map(|event| event.first_age(self.reader));
        let waited = self.age(pod.id).or_else(|| told().collect::<Option<Vec<i64>>>()?.into_iter().max());
        waited.filter(|age| !self.unaged || *age >= YOUNG)
    }

    fn ready(&self, id: ObjectId) -> Option<bool> {
        if let Some(state) = self.reader.plain(id, "status.conditions[type=Ready].status") {
            return Some(state == "True");
        }
        let of_each = self.reader.texts(id, "status.containerStatuses[*].ready");
        let each = (!of_each.is_empty()).then(|| of_each.iter().all(|read| read.text == "true"));
        let ready = self.reader.number(id, "status.readyContainers");
        ready.zip(self.reader.number(id, "status.totalContainers")).map(|(ready, all)| ready >= all).or(each)
    }

    fn events<'s>(&'s self, pod: &Pod) -> Vec<&'s Event> {
        let uid = self.reader.object(pod.id).uid.as_deref();
        self.events.of("Pod", pod.namespace.as_deref(), &pod.name, uid)
    }

    /// The events of a class that are fresh, or of which no time is known, the newest first.
    pub(super) fn told<'s>(&'s self, pod: &Pod, class: &str) -> impl Iterator<Item = &'s Event> {
        self.events(pod).into_iter().filter(move |event| event.says(class) && fresh(event, FRESH) != Some(false))
    }

    /// Another Pod is made at once where one is evicted: was one made after this, and so long ago? Where none is young, and
    /// one has been ready for so long, the one in its place is among those that are old.
    fn was_replaced_long_ago(&self, pod: &Pod) -> bool {
        let Some(own) = self.age(pod.id) else { return false };
        let all = self.ready.get_or_init(|| {
            let mut all = Successors::new();
            for id in self.reader.all("pods") {
                let object = self.reader.object(id);
                let of = all.entry((object.namespace.clone(), family(&object.name).to_owned())).or_default();
                let age = self.age(id);
                of.youngest = of.youngest.min(age.unwrap_or_default());
                of.ready.extend(age.filter(|_| self.ready(id) == Some(true)));
            }
            all
        });
        let family = (pod.namespace.clone(), family(&pod.name).to_owned());
        let long_ago = |of: &Family| {
            let after = of.ready.iter().any(|age| (EVICTED..own).contains(age));
            after || of.youngest >= EVICTED && of.ready.iter().any(|age| *age >= EVICTED)
        };
        all.get(&family).is_some_and(long_ago)
    }

    fn evicted(&self, pod: &Pod, reason: &Read) -> Option<Trouble> {
        let reader = self.reader;
        let times = [
            "status.conditions[type=DisruptionTarget].lastTransitionTime",
            "status.startTime",
            "metadata.creationTimestamp",
        ];
        let event = self.events(pod).into_iter().find(|event| event.says("evicted"));
        let age = event.and_then(|event| event.age).or_else(|| times.iter().find_map(|path| reader.age(pod.id, path)));
        if age.is_some_and(|age| age > EVICTED) || age.is_none() && self.was_replaced_long_ago(pod) {
            return None;
        }
        let message = reader.text(pod.id, "status.message").or_else(|| event.map(Event::said));
        let why = message.as_ref().and_then(|read| wordings::first("pod-evicted", &read.text));
        let trouble = Trouble::new("evicted", age.is_some(), reason).with("message", message);
        Some(trouble.saying("why", why.map(|wording| &wording.means)))
    }

    fn terminating(&self, pod: &Pod, deletion: Option<&Read>) -> Option<Trouble> {
        let age = |read: &Read| self.reader.age_of(read.time()?);
        let deletion = deletion.filter(|read| age(read).is_some_and(|age| age >= STUCK))?;
        let is_lost = |node: &&String| matches!(self.nodes.ready(node), Ready::Lost | Ready::NotOrLost);
        let trouble = Trouble::new("stuckTerminating", true, deletion)
            .with("finalizers", self.reader.some_texts(pod.id, "metadata.finalizers[*]"))
            .saying("lostNode", pod.node.as_ref().filter(is_lost));
        Some(trouble)
    }

    /// A Pod that is ready, and yet is killed for its memory again and again.
    fn kept_alive(&self, pod: &Pod) -> Vec<Trouble> {
        let again = |container: Container<'_>| {
            let last = container.ended("lastState");
            let Some(reason) = last.reason.clone().filter(|reason| reason.text == "OOMKilled") else {
                return container.restarts_for_ever();
            };
            // Where no time is known, many restarts say the same.
            let least = last.is_recent().map_or(Some(10), |recent| recent.then_some(3))?;
            (container.restarts() >= least).then(|| Trouble { lasting: false, ..container.oom(&reason, &last) })
        };
        // Nearly every Pod is ready, and nothing of the kind ever happened to it.
        let ends = || self.reader.some_plain(pod.id, "status.containerStatuses[*].lastState.terminated.reason");
        let is_seen_once = self.reader.object(pod.id).sightings.len() == 1;
        let killed = self.killed_again(pod);
        if killed.is_none()
            && is_seen_once
            && !ends().iter().any(|reason| matches!(reason.as_str(), "OOMKilled" | "Error"))
        {
            return Vec::new();
        }
        let containers = self.each_of(pod, "containerStatuses", "containers");
        let printed = || {
            let message = self.told(pod, "not-alive").next().or(killed).map(Event::said);
            let trouble = Trouble::new("livenessFailing", false, &killed?.said());
            Some(trouble.with("restarts", self.reader.text(pod.id, "status.restarts")).with("message", message))
        };
        match containers.is_empty() {
            // A table shows none of them.
            true => printed().into_iter().collect(),
            false => {
                let named = |container: Container<'_>| {
                    let name = container.name.clone();
                    Some(again(container)?.saying("container", [name]))
                };
                containers.into_iter().filter_map(named).collect()
            }
        }
    }

    /// What tells that the kubelet killed a container of the Pod again and again because its liveness probe failed.
    pub(super) fn killed_again(&self, pod: &Pod) -> Option<&Event> {
        self.told(pod, "killed-by-liveness-probe").find(|event| event.count >= container::KILLS)
    }

    fn node_is_not_ready(&self, pod: &Pod) -> Option<Trouble> {
        let node = pod.node.as_ref()?;
        let ready = self.nodes.ready(node);
        let lost = matches!(ready, Ready::Lost | Ready::NotOrLost);
        let waits = self.nodes.without_cni(node) && !self.has_ip_trouble(pod);
        if !lost && !waits {
            return None;
        }
        let state = || self.reader.text(pod.id, "status.conditions[type=Ready].status");
        let state = state().or_else(|| self.reader.text(pod.id, "status.phase"))?;
        let why = match (ready, lost) {
            (Ready::Lost, _) => "nothing was heard of its node for a while",
            (_, true) => "its node is not ready",
            _ => WAITS_FOR_NETWORK,
        };
        let maintained = self.nodes.maintained(self.reader, node).then_some("true");
        let trouble = Trouble::new("nodeNotReady", true, &state).saying("maintained", maintained);
        Some(trouble.saying("node", [node]).saying("why", [why]))
    }

    /// Does a container of the Pod fail in a way that a node without network does not explain? What runs on such a node uses the
    /// network of its host; among it is the network plugin itself.
    fn has_ip_trouble(&self, pod: &Pod) -> bool {
        let fails = |list: &str| {
            let at = |field: &str| self.reader.some_texts(pod.id, &format!("status.{list}[*].state.{field}"));
            let waits = |read: &Read| !matches!(read.text.as_str(), "ContainerCreating" | "PodInitializing");
            at("waiting.reason").iter().any(waits) || at("terminated.exitCode").iter().any(|read| read.text != "0")
        };
        let printed = self.reader.text(pod.id, "status.kubectlStatus");
        let printed = printed.as_ref().map(|read| read.text.strip_prefix("Init:").unwrap_or(&read.text));
        ["containerStatuses", "initContainerStatuses"].into_iter().any(fails)
            || printed.is_some_and(|text| state_of(text).is_some())
    }

    /// The containers whose status a list of the Pod shows; where the list was cut, those of its beginning.
    fn each_of<'s>(&'s self, pod: &'s Pod, status: &str, spec: &str) -> Vec<Container<'s>> {
        let names = self.reader.some_plain(pod.id, &format!("status.{status}[*].name")).into_iter();
        names.map(|name| Container::new(self, pod, status, spec, name)).collect()
    }

    /// What is wrong with the init containers, else with the containers.
    fn containers(&self, pod: &Pod) -> Vec<Trouble> {
        let judged = |container: Container<'_>| Some(container.judge()?.saying("container", [&container.name]));
        let init = self.each_of(pod, "initContainerStatuses", "initContainers");
        let found: Vec<Trouble> = init.into_iter().filter_map(judged).collect();
        if !found.is_empty() {
            return found;
        }
        self.each_of(pod, "containerStatuses", "containers").into_iter().filter_map(judged).collect()
    }

    pub(super) fn pull_attempts(&self, pod: &Pod) -> i64 {
        self.events(pod).iter().filter(|e| e.says("pull-failed")).map(|e| e.count).sum()
    }

    pub(super) fn image(&self, pod: &Pod, waiting: &Read, message: Option<Read>, image: Option<Read>) -> Trouble {
        // The kubelet tells the reason of the first attempts alone, and of later ones only that it waits: as long as it waits
        // for this image, the reason stands, however old.
        let now = || self.events(pod).into_iter().filter(|event| fresh(event, FRESH) == Some(true));
        let of_now: Vec<&str> = image.iter().map(|image| &*image.text).chain(now().filter_map(quoted)).collect();
        let names = |event: &&Event| quoted(event).is_some_and(|image| of_now.contains(&image));
        let of_image = |class: &str| self.events(pod).into_iter().filter(names).find(|event| event.says(class));
        let said = |class: &str| self.told(pod, class).next().or_else(|| of_image(class)).map(Event::said);
        let told: Vec<Read> = [said("not-pulled"), message, said("not-inspected")].into_iter().flatten().collect();
        let told = told.iter().find(|read| pod_message::pull_problem(&read.text).is_some()).or(told.first()).cloned();
        let of_both =
            |read: fn(&str) -> Option<&'static str>| read(&waiting.text).or_else(|| read(&told.as_ref()?.text));
        let (problem, class) = (of_both(pod_message::pull_problem), of_both(pod_message::pull_class));
        // A table shows no image, and the message names it.
        let named: BTreeSet<&str> = self.told(pod, "not-pulled").filter_map(quoted).collect();
        let named = || told.as_ref().zip(named.first().filter(|_| named.len() == 1));
        let image = image.or_else(|| named().map(|(said, image)| said.saying(*image)));
        let registry = image.as_ref().map(|read| read.saying(pod_message::registry(&read.text)));
        let [problem, class] = [problem, class].map(|text| Some(told.as_ref().unwrap_or(waiting).saying(text?)));
        Trouble::new("imagePull", true, waiting)
            .with("reason", Some(waiting.clone()))
            .with("image", image)
            .with("registry", registry)
            .with("problem", problem)
            .with("problemClass", class)
            .with("message", told)
    }

    pub(super) fn config(&self, pod: &Pod, waiting: &Read, message: Option<Read>) -> Trouble {
        // As for images, the kubelet tells the reason of the first attempts alone.
        let of_any_age = || self.events(pod).into_iter().find(|event| event.says("not-made"));
        let event = self.told(pod, "not-made").next().or_else(of_any_age);
        let message = message.or_else(|| event.map(Event::said));
        match message.as_ref().and_then(|read| statements::first("missing-reference", read.text.as_str())) {
            Some(missing) => missing_config(waiting, &missing, message),
            None => Trouble::new("configError", true, waiting)
                .with("reason", Some(waiting.clone()))
                .with("message", message),
        }
    }

    /// What only a table tells: its STATUS column.
    fn printed(&self, pod: &Pod, printed: &Read) -> Option<Trouble> {
        let (init, text) = match printed.text.strip_prefix("Init:") {
            Some(rest) => (true, rest),
            None => (false, printed.text.as_str()),
        };
        let images = self.reader.texts(pod.id, "spec.containers[*].image");
        let image = images.first().filter(|_| images.len() == 1).cloned();
        let between_ends = !init && text == "Running" && self.ends_again(pod);
        let state = state_of(text).or(between_ends.then_some("ended"))?;
        Some(match state {
            "image" => self.image(pod, printed, None, image),
            "config" => self.config(pod, printed, None),
            _ => {
                let killed = self.told(pod, "killed-by-liveness-probe").next();
                let class = match (init, text) {
                    (_, "OOMKilled") => "oomKilled",
                    (true, _) => "initFailing",
                    _ if killed.is_some() => "livenessFailing",
                    _ => "crashLoop",
                };
                // `Error` is a state between two restarts, or the end of a Pod that is not restarted.
                let lasting = text != "Error" && text != "OOMKilled";
                let words = self.logs.of(pod.namespace.as_deref(), &pod.name, "");
                Trouble::new(class, lasting, printed)
                    .with("state", Some(printed.clone()).filter(|_| !between_ends))
                    .with("restarts", self.reader.text(pod.id, "status.restarts"))
                    .with("lastLine", words.map(|words| words.read.clone()))
                    .with("said", words.and_then(|words| words.said.clone()))
                    .with("needs", words.and_then(|words| words.needs.clone()))
                    .with("message", killed.map(Event::said))
            }
        })
    }

    /// Does a table show a Pod that is not ready between two ends of its container? It ended a moment ago, and has done so
    /// often for its age: not once at each start of its machine.
    fn ends_again(&self, pod: &Pod) -> bool {
        let ended = self.reader.text(pod.id, "status.kubectlLastRestart");
        let ended = ended.and_then(|read| human_duration::parse(read.text.strip_suffix(" ago")?));
        let restarts = self.reader.number(pod.id, "status.restarts").unwrap_or_default();
        pod.ready == Some(false)
            && restarts >= container::SERIES
            && ended.is_some_and(|ended| ended.until <= container::RECENT)
            && self.age(pod.id).is_some_and(|age| age / restarts <= container::OFTEN)
    }

    /// What the newest of its events says of a Pod of which nothing else is known.
    fn told_only(&self, pod: &Pod) -> Option<Trouble> {
        let status = |event: &Event| wordings::first("event-status", &format!("{}: {}", event.reason, event.message));
        let now = self.events(pod).into_iter().filter(|event| fresh(event, FRESH) != Some(false));
        let (event, status) = { now }.find_map(|event| Some((event, status(event)?)))?;
        match status.class.as_str() {
            "Running" => None,
            "Pending" => self.pending(pod, &event.said()),
            status => self.printed(pod, &event.said().saying(status)),
        }
        // Newer events may have stood behind what was pasted.
        .map(|trouble| Trouble { lasting: false, ..trouble })
    }

    /// A Pod whose containers were not made yet.
    fn pending(&self, pod: &Pod, phase: &Read) -> Option<Trouble> {
        let reader = self.reader;
        let scheduling = |field: &str| reader.text(pod.id, &format!("status.conditions[type=PodScheduled].{field}"));
        // A kubelet makes containers of Pods that have a node.
        let scheduled = pod.node.is_some()
            || reader.is(pod.id, "status.kubectlStatus", "ContainerCreating")
            || scheduling("status").is_some_and(|read| read.text == "True")
            || self.events(pod).into_iter().any(|event| start_failure(event).is_some());
        if !scheduled {
            let condition = scheduling("reason").filter(|read| read.text == "Unschedulable");
            let event = self.told(pod, "not-scheduled").next().map(Event::said);
            let waited = self.waited(pod);
            let young = waited.is_some_and(|age| age < YOUNG);
            let because = condition.or_else(|| event.clone()).or_else(|| {
                let is_open = scheduling("reason").is_none() && reader.is_without(pod.id, "spec.nodeName");
                (is_open && waited.is_some_and(|age| age > NODE_COMES)).then(|| phase.clone())
            })?;
            let message = scheduling("message").or(event);
            // Of a Pod of which its events alone were pasted somebody thinks that it waits for too long.
            let state = ["status.phase", "status.kubectlStatus"].iter().find_map(|path| reader.text(pod.id, path));
            let passes = young && state.is_some() || self.node_comes(pod, waited, message.as_ref());
            let trouble = || self.unschedulable(pod, phase, &because, message);
            return (!passes).then(|| Trouble { lasting: waited.is_some() && !young, ..trouble() });
        }
        let lasting = self.age(pod.id).is_some();
        let known: Vec<(&Event, &str)> = self.events(pod).into_iter().filter_map(start_failure).collect();
        // What is missing says more than that a wait for it timed out.
        let missing = |(event, _): &(&Event, &str)| {
            let missing = statements::first("missing-reference", event.message.as_str())?;
            let trouble = missing_config(phase, &missing, Some(event.said()));
            Some(Trouble { lasting: lasting || event.count >= 3, ..trouble })
        };
        if let Some(trouble) = known.iter().find_map(missing) {
            return Some(trouble);
        }
        let (event, class) = known.iter().find(|(event, _)| !event.says("only-waited")).or(known.first())?;
        let trouble = Trouble::new(class, lasting || event.count >= 3, phase).with("message", Some(event.said()));
        let of_node = *class == "nodeNotReady";
        let trouble = trouble
            .saying("why", of_node.then_some(WAITS_FOR_NETWORK))
            .saying("node", pod.node.as_ref().filter(|_| of_node))
            .with("claims", reader.texts(pod.id, CLAIMS));
        Some(trouble)
    }

    /// Is a node on its way that will take the Pod: a new one that an autoscaler asked for, or one under maintenance?
    fn node_comes(&self, pod: &Pod, waited: Option<i64>, message: Option<&Read>) -> bool {
        let cordoned = || message.is_some_and(|read| wordings::says("no-node-fits", "cordoned", &read.text));
        let asked = || self.told(pod, "node-asked-for").any(|event| fresh(event, NODE_COMES) == Some(true));
        asked() || waited.is_some_and(|age| age < NODE_COMES) && cordoned()
    }

    fn unschedulable(&self, pod: &Pod, phase: &Read, because: &Read, message: Option<Read>) -> Trouble {
        let reader = self.reader;
        let mut trouble = Trouble::new("unschedulable", false, phase);
        trouble.places.push(because.cited.clone());
        if let Some(message) = &message {
            let parsed = pod_message::unschedulable(&message.text);
            trouble = trouble
                .with("reasons", parsed.reasons.iter().map(|reason| message.saying(*reason)))
                .with("classes", parsed.classes.iter().map(|class| message.saying(*class)))
                .with("taints", parsed.taints.iter().map(|taint| message.saying(taint)));
        }
        let alone = reader.unset(pod.id, "metadata.ownerReferences");
        let forgotten = alone && reader.age(pod.id, "metadata.creationTimestamp").is_some_and(|age| age > FORGOTTEN);
        trouble
            .with("claims", reader.texts(pod.id, CLAIMS))
            .saying("forgotten", forgotten.then_some("true"))
            .with("message", message)
    }
}

/// The claims whose volumes a Pod wants.
const CLAIMS: &str = "spec.volumes[*].persistentVolumeClaim.claimName";

const WAITS_FOR_NETWORK: &str = "its node waits for its network plugin";

/// What a reason of the kubelet for the state of a container speaks of.
pub(super) fn state_of(reason: &str) -> Option<&'static str> {
    wordings::first("container-state", reason).map(|wording| wording.class.as_str())
}

/// What events say of a Pod whose containers cannot be made: classes of trouble by their names.
const START_FAILURES: [&str; 4] = ["volumeMount", "volumeAttach", "nodeNotReady", "sandbox"];

/// What an event names first in quotes.
fn quoted(event: &Event) -> Option<&str> {
    event.message.split('"').nth(1)
}

/// An event which says that the containers of a Pod cannot be made now, with the class of that.
fn start_failure(event: &Event) -> Option<(&Event, &'static str)> {
    let class = START_FAILURES.into_iter().find(|class| event.says(class))?;
    // A Pod that is not started yet waits for what was told last, as long as the API server keeps events.
    (fresh(event, KEPT) != Some(false)).then_some((event, class))
}

/// A ConfigMap or Secret that a message says is missing, or a key of it.
fn missing_config(state: &Read, missing: &Statement, message: Option<Read>) -> Trouble {
    let place = |text: &str| Some(message.as_ref().unwrap_or(state).saying(text));
    let is_config = missing.named("kind").is_some_and(|kind| kind.to_ascii_lowercase().starts_with("config"));
    Trouble::new("missingConfig", true, state)
        .with("kind", place(if is_config { "ConfigMap" } else { "Secret" }))
        // The message about a key in a volume does not name its object.
        .with("name", place(missing.named("name").unwrap_or("?")))
        .with("message", message.clone())
        .with("key", missing.named("key").and_then(place))
}
