//! Controllers: who owns a Pod, how many replicas are wanted, and what the controllers themselves complain of.
//!
//! Sources: `kubernetes/kubernetes:pkg/controller/{replicaset,deployment,statefulset,daemon,job,cronjob}`:
//! conditions `ReplicaFailure` and `Progressing` with reason `ProgressDeadlineExceeded`, events `FailedCreate`,
//! Job condition `Failed` with reasons `BackoffLimitExceeded` and `DeadlineExceeded`.
//!
//! Invariant: a complaint counts only while replicas are missing; zero wanted replicas lack nothing.

use crate::reader::{Read, Reader};
use crate::workloads::events::{Event, fresh};
use crate::workloads::pod::{Pod, last_said};
use crate::workloads::trouble::Trouble;
use crate::workloads::{Key, Workload, Workloads};
use catalogue::controllers::{KINDS, SHOWN};
use catalogue::{statements, wordings};
use facts::object::ObjectId;
use std::collections::BTreeMap;

/// A complaint of a controller not older than this is about now. It backs off up to a quarter of an hour.
const FRESH: i64 = 30 * 60;
/// A quota is full for a moment while Pods are replaced: a refusal that lasts as long as this is none of these.
const LASTING: i64 = 2 * 60;
/// A controller gets this long to bring its replicas up before their lack is worth a word.
const PATIENCE: i64 = 10 * 60;

/// The controllers that were seen.
#[derive(Debug, Default)]
pub(crate) struct Known {
    by_key: BTreeMap<Key, ObjectId>,
    /// The controller above: ReplicaSet to Deployment, Job to CronJob.
    above: BTreeMap<Key, Key>,
    /// The same the other way round.
    below: BTreeMap<Key, Vec<Key>>,
    /// What Pods name as their controller, with the top controller above it: their brothers are of it by their names.
    named: BTreeMap<Key, Key>,
}

impl Known {
    pub(crate) fn gather(reader: Reader<'_>) -> Self {
        let mut known = Self::default();
        for (kind, plural, ..) in KINDS {
            for id in reader.all(plural) {
                let object = reader.object(id);
                let key =
                    Key { namespace: object.namespace.clone(), kind: (*kind).to_owned(), name: object.name.clone() };
                if let Some((kind, name, _)) = controller_of(reader, id) {
                    known.above.insert(key.clone(), Key { namespace: key.namespace.clone(), kind, name });
                }
                known.by_key.insert(key, id);
            }
        }
        let by_name: Vec<(Key, Key)> = known
            .by_key
            .keys()
            .filter(|key| key.kind == "ReplicaSet" && !known.above.contains_key(*key))
            .filter_map(|key| {
                let (name, hash) = key.name.rsplit_once('-')?;
                let deployment = Key { kind: "Deployment".to_owned(), name: name.to_owned(), ..key.clone() };
                (is_hash(hash) && known.by_key.contains_key(&deployment)).then(|| (key.clone(), deployment))
            })
            .collect();
        known.above.extend(by_name);
        let of_cron_jobs: Vec<(Key, Key)> = known
            .by_key
            .keys()
            .filter(|key| key.kind == "Job" && !known.above.contains_key(*key))
            .filter_map(|key| {
                let (name, _) = scheduled(&key.name)?;
                let cron_job = Key { kind: "CronJob".to_owned(), name: name.to_owned(), ..key.clone() };
                known.by_key.contains_key(&cron_job).then(|| (key.clone(), cron_job))
            })
            .collect();
        known.above.extend(of_cron_jobs);
        for (below, above) in &known.above {
            known.below.entry(above.clone()).or_default().push(below.clone());
        }
        for id in reader.all("pods") {
            if let Some((kind, name, _)) = controller_of(reader, id).filter(|(kind, ..)| kind != "Node") {
                let direct = Key { namespace: reader.object(id).namespace.clone(), kind, name };
                if !known.by_key.contains_key(&direct) && !known.named.contains_key(&direct) {
                    let top = known.above_of_pod(reader, id, &direct);
                    known.named.insert(direct, top);
                }
            }
        }
        known
    }

    /// The controllers that nothing above them was seen or named for.
    pub(crate) fn top(&self) -> Vec<(Key, ObjectId)> {
        let is_top = |key: &Key| !self.above.contains_key(key);
        self.by_key.iter().filter(|(key, _)| is_top(key)).map(|(key, id)| (key.clone(), *id)).collect()
    }

    /// The object of a controller.
    pub(crate) fn object(&self, key: &Key) -> Option<ObjectId> {
        self.by_key.get(key).copied()
    }

    /// The controllers directly below one.
    pub(crate) fn below<'k>(&'k self, key: &'k Key) -> impl Iterator<Item = (&'k Key, ObjectId)> {
        self.below.get(key).into_iter().flatten().filter_map(|below| Some((below, self.object(below)?)))
    }

    fn highest(&self, mut key: Key) -> Key {
        for _ in 0..4 {
            match self.above.get(&key) {
                Some(above) => key = above.clone(),
                None => break,
            }
        }
        key
    }

    /// The top controller of a Pod, with the API version that its owner reference states.
    pub(crate) fn owner(&self, reader: Reader<'_>, pod: &Pod) -> (Key, Option<String>) {
        let itself = Key { namespace: pod.namespace.clone(), kind: "Pod".to_owned(), name: pod.name.clone() };
        let Some((kind, name, version)) = controller_of(reader, pod.id) else {
            return (self.by_name(&itself).unwrap_or(itself), None);
        };
        // A static Pod belongs to its node: it stands for itself.
        if kind == "Node" {
            return (itself, None);
        }
        let direct = Key { namespace: pod.namespace.clone(), kind, name };
        let highest = self.above_of_pod(reader, pod.id, &direct);
        let version = match highest == direct {
            true => version,
            false if self.above.contains_key(&direct) => None,
            false => Some("apps/v1".to_owned()),
        };
        (highest, version)
    }

    /// The top controller above the one that a Pod names: where nobody shows a ReplicaSet, its Deployment by its name.
    fn above_of_pod(&self, reader: Reader<'_>, pod: ObjectId, direct: &Key) -> Key {
        let highest = self.highest(direct.clone());
        if highest == *direct && direct.kind == "ReplicaSet" && !self.by_key.contains_key(direct) {
            let hash = reader.plain(pod, "metadata.labels[\"pod-template-hash\"]");
            let deployment = match hash {
                Some(hash) => direct.name.strip_suffix(&format!("-{hash}")),
                None => direct.name.rsplit_once('-').filter(|(_, hash)| is_hash(hash)).map(|(name, _)| name),
            };
            if let Some(name) = deployment {
                return Key { kind: "Deployment".to_owned(), name: name.to_owned(), ..direct.clone() };
            }
        }
        highest
    }

    /// The top controller above the one that would have named a Pod so, if that was seen or another Pod names it.
    fn by_name(&self, pod: &Key) -> Option<Key> {
        let seen = |kind: &str, name: &str| {
            let key = Key { kind: kind.to_owned(), name: name.to_owned(), ..pod.clone() };
            let named = self.named.get(&key).cloned();
            if self.by_key.contains_key(&key) { Some(self.highest(key)) } else { named }
        };
        let (stem, end) = pod.name.rsplit_once('-')?;
        if end.len() == 5 && is_hash(end) {
            if let Some(found) = ["DaemonSet", "Job", "ReplicaSet"].iter().find_map(|kind| seen(kind, stem)) {
                return Some(found);
            }
            if let Some((name, _)) = stem.rsplit_once('-').filter(|(_, hash)| is_hash(hash)) {
                return seen("Deployment", name);
            }
        }
        end.bytes().all(|b| b.is_ascii_digit()).then(|| seen("StatefulSet", stem)).flatten()
    }
}

pub(super) fn is_hash(text: &str) -> bool {
    (1..=10).contains(&text.len()) && text.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit())
}

/// Kind, name and API version of the controller in the owner references.
fn controller_of(reader: Reader<'_>, id: ObjectId) -> Option<(String, String, Option<String>)> {
    let owners = reader.plain_nodes(id, "metadata.ownerReferences");
    let text = |node: &facts::node::Node, key: &str| node.get(key).and_then(|n| n.value.scalar());
    let is_controller = |node: &facts::node::Node| text(node, "controller").is_some_and(|text| text == "true");
    let owner = owners.iter().find(|node| is_controller(node)).or(owners.first())?;
    Some((text(owner, "kind")?, text(owner, "name")?, text(owner, "apiVersion")))
}

/// Judges the controllers themselves.
pub(crate) fn judge(reader: Reader<'_>, all: &mut Workloads, known: &Known) {
    let keys: Vec<Key> = all.all.keys().cloned().collect();
    for key in keys {
        let Some(workload) = all.all.get(&key) else { continue };
        let judged = Controller { reader, all, known, key: &key, workload }.judge();
        if let Some(workload) = all.all.get_mut(&key) {
            (workload.desired, workload.ready, workload.troubles) = judged;
        }
    }
}

/// One controller with all that is known.
struct Controller<'a> {
    reader: Reader<'a>,
    all: &'a Workloads,
    known: &'a Known,
    key: &'a Key,
    workload: &'a Workload,
}

impl Controller<'_> {
    fn judge(&self) -> (Option<i64>, Option<i64>, Vec<Trouble>) {
        let (desired, ready) = self.replicas();
        let lacking = match (desired, ready) {
            (Some(desired), Some(ready)) => Some(ready < desired),
            _ => None,
        };
        let mut troubles = Vec::new();
        if self.key.kind == "Pod" {
            return (desired, ready, troubles);
        }
        match self.key.kind.as_str() {
            "Job" => troubles.extend(self.workload.object.and_then(|id| self.job(id, self.key))),
            "CronJob" => troubles.extend(self.cron_job()),
            _ => {}
        }
        if (lacking != Some(false) || self.rolls_out_late()) && desired != Some(0) {
            troubles.extend(self.failed_create());
        }
        let pods_know =
            self.workload.pods.iter().filter_map(|i| self.all.pods.get(*i)).any(|pod| !pod.troubles.is_empty());
        if troubles.is_empty() && !pods_know && lacking == Some(true) {
            troubles.extend(self.unavailable(desired, ready));
        }
        (desired, ready, troubles)
    }

    fn replicas(&self) -> (Option<i64>, Option<i64>) {
        let Some(id) = self.workload.object else { return (None, None) };
        if self.key.kind == "Pod" {
            return (Some(1), self.workload.pods.first().and_then(|i| self.all.pods.get(*i)?.ready).map(i64::from));
        }
        let Some((_, _, wanted, _, ready)) = KINDS.iter().find(|(kind, ..)| *kind == self.key.kind) else {
            return (None, None);
        };
        let count = |path: &str| if path.is_empty() { None } else { self.reader.count(id, path) };
        (count(wanted), ready.iter().find_map(|path| count(path)))
    }

    fn told(&self, key: &Key, id: Option<ObjectId>, class: &str) -> impl Iterator<Item = &Event> {
        let uid = id.and_then(|id| self.reader.object(id).uid.as_deref());
        let events = self.all.events.of(&key.kind, key.namespace.as_deref(), &key.name, uid);
        events.into_iter().filter(move |event| event.says(class) && fresh(event, FRESH) != Some(false))
    }

    /// For how long its events say that a Pod cannot be created.
    fn refused_for(&self, key: &Key, id: Option<ObjectId>) -> Option<i64> {
        let told = self.told(key, id, "failed-create");
        told.filter_map(|event| event.first_age(self.reader).max(event.age)).max()
    }

    /// No Pod can be created: the condition of the ReplicaSet or Deployment, or a fresh event.
    fn failed_create(&self) -> Option<Trouble> {
        let reader = self.reader;
        let refused = |(key, id): (&Key, Option<ObjectId>)| {
            // An old ReplicaSet wants no Pods.
            if key.kind == "ReplicaSet" && id.and_then(|id| reader.count(id, "spec.replicas")) == Some(0) {
                return None;
            }
            let at = |field: &str| reader.text(id?, &format!("status.conditions[type=ReplicaFailure].{field}"));
            if let Some(status) = at("status").filter(|read| read.text == "True") {
                let since = at("lastTransitionTime").and_then(|read| reader.age_of(read.time()?));
                let told = self.refused_for(key, id);
                // A description prints no message.
                let message = at("message").or_else(|| self.told(key, id, "failed-create").next().map(Event::said));
                return Some((status, message, since.max(told).is_some_and(|age| age >= LASTING)));
            }
            if id.is_some_and(|id| self.complete(key, id)) {
                return None;
            }
            let event = self.told(key, id, "failed-create").next()?;
            Some((event.said(), Some(event.said()), self.refused_for(key, id).is_some_and(|age| age >= LASTING)))
        };
        let below = self.known.below(self.key).map(|(key, id)| (key, Some(id)));
        let told_of = self.replica_sets_told_of();
        let told_of = told_of.iter().map(|key| (key, None));
        let all = below.chain(told_of).chain([(self.key, self.workload.object)]);
        let (because, message, lasting) = all.into_iter().find_map(refused)?;
        let text = message.as_ref().map(|read| read.text.clone()).unwrap_or_default();
        let mut trouble = Trouble::new("failedCreate", lasting, &because).with("message", message);
        if !text.is_empty() {
            let why = wordings::first("pod-not-created", &text);
            trouble = trouble.saying("why", [why.map_or("the API server refuses it", |wording| &wording.means)]);
        }
        for named in statements::read("pod-not-created", text.as_str()) {
            trouble = match named.says {
                "webhook" => trouble.saying("webhook", [&named.text]),
                _ => trouble.saying("serviceAccount", named.text.rsplit('/').next()),
            };
        }
        Some(trouble)
    }

    /// Does a Deployment that has all its replicas say that new ones cannot be made, or do not get ready in time?
    fn rolls_out_late(&self) -> bool {
        let Some(id) = self.workload.object.filter(|_| self.key.kind == "Deployment") else { return false };
        self.reader.is(id, "status.conditions[type=ReplicaFailure].status", "True")
            || self.reader.is(id, "status.conditions[type=Progressing].reason", "ProgressDeadlineExceeded")
    }

    /// The ReplicaSets of a Deployment that nobody shows and events speak of. A table of events that was asked for one namespace
    /// has no column for it: it is of the only Deployment of that name.
    fn replica_sets_told_of(&self) -> Vec<Key> {
        if self.key.kind != "Deployment" {
            return Vec::new();
        }
        let start = format!("{}-", self.key.name);
        let is_only = || {
            let alike = |key: &&Key| key.kind == self.key.kind && key.name == self.key.name;
            self.known.by_key.keys().filter(alike).count() == 1
        };
        let places = [self.key.namespace.as_deref(), None];
        // Few bundles hold such events, and only for them it is worth a look at all Deployments.
        let is_told = || self.all.events.named_after("ReplicaSet", None, &start).next().is_some();
        let is_second = self.key.namespace.is_some() && is_told() && is_only();
        let places = places.iter().take(1 + usize::from(is_second));
        let named = places.flat_map(|place| {
            let names = self.all.events.named_after("ReplicaSet", *place, &start);
            let is_its = |name: &&str| name.strip_prefix(start.as_str()).is_some_and(is_hash);
            names.filter(is_its).map(|name| Key {
                namespace: place.map(str::to_owned),
                kind: "ReplicaSet".to_owned(),
                name: name.to_owned(),
            })
        });
        named.filter(|key| !self.known.by_key.contains_key(key)).collect()
    }

    /// Did the controller create all Pods that it wants?
    fn complete(&self, key: &Key, id: ObjectId) -> bool {
        let count = |path: &str| self.reader.count(id, path);
        if key.kind == "Job" {
            let pods = ["status.active", "status.succeeded", "status.failed"];
            return pods.iter().filter_map(|path| count(path)).sum::<i64>() >= 1;
        }
        let paths = KINDS.iter().find(|(kind, _, _, made, _)| *kind == key.kind && !made.is_empty());
        let (wanted, made) = paths.map_or((None, None), |(_, _, wanted, made, _)| (count(wanted), count(made)));
        matches!((wanted, made), (Some(wanted), Some(made)) if made >= wanted)
    }

    fn job(&self, id: ObjectId, key: &Key) -> Option<Trouble> {
        let reader = self.reader;
        let failed = reader.text(id, "status.conditions[type=Failed].status").filter(|read| read.text == "True")?;
        let mut trouble = Trouble::new("jobFailed", true, &failed)
            .with("reason", reader.text(id, "status.conditions[type=Failed].reason"))
            .with("message", reader.text(id, "status.conditions[type=Failed].message"));
        let pods = self.workload.pods.iter().filter_map(|index| self.all.pods.get(*index)).filter(|pod| !pod.succeeded);
        let of_job =
            |pod: &&Pod| controller_of(reader, pod.id).is_some_and(|(kind, name, _)| kind == "Job" && name == key.name);
        trouble = trouble.with("said", last_said(pods.clone().filter(of_job)));
        for pod in pods.filter(of_job) {
            let code = reader.texts(pod.id, "status.containerStatuses[*].state.terminated.exitCode");
            trouble = trouble.with("exitCode", code.into_iter().find(|read| read.text != "0"));
        }
        Some(trouble)
    }

    /// The last Job of a CronJob failed, or the controller cannot start one.
    fn cron_job(&self) -> Option<Trouble> {
        let reader = self.reader;
        if self.workload.object.is_some_and(|id| reader.is(id, "spec.suspend", "true")) {
            return None;
        }
        if let Some(event) = self.told(self.key, self.workload.object, "job-not-started").next() {
            let said = event.said();
            return Some(
                Trouble::new("cronJobFailing", event.age.is_some(), &said).with("message", Some(said.clone())),
            );
        }
        let newest = self
            .known
            .below(self.key)
            .map(|(key, id)| (reader.plain(id, "metadata.creationTimestamp"), scheduled(&key.name), key, id))
            .max_by(|a, b| match (&a.0, &b.0) {
                (Some(one), Some(other)) => one.cmp(other),
                _ => a.1.map(|(_, minute)| minute).cmp(&b.1.map(|(_, minute)| minute)),
            })?;
        self.job(newest.3, newest.2)
    }

    /// Fewer replicas than wanted, for longer than starting takes.
    fn unavailable(&self, desired: Option<i64>, ready: Option<i64>) -> Option<Trouble> {
        let reader = self.reader;
        let id = self.workload.object?;
        let late = reader
            .text(id, "status.conditions[type=Progressing].reason")
            .filter(|read| read.text == "ProgressDeadlineExceeded");
        let since = reader.age(id, "status.conditions[type=Available].lastTransitionTime");
        let gone = reader.is(id, "status.conditions[type=Available].status", "False");
        let pods: Vec<&Pod> = self.workload.pods.iter().filter_map(|i| self.all.pods.get(*i)).collect();
        let not_ready: Vec<&&Pod> = pods.iter().filter(|pod| !pod.ended && pod.ready == Some(false)).collect();
        let is_old = |pod: &&&Pod| reader.age(pod.id, "metadata.creationTimestamp").is_some_and(|age| age > PATIENCE);
        let long = late.is_some()
            || gone && since.is_some_and(|age| age > PATIENCE)
            || self.key.kind != "Deployment"
                && reader.age(id, "metadata.creationTimestamp").is_some_and(|age| age > PATIENCE)
                && not_ready.iter().any(is_old)
            || not_ready.iter().any(is_old) && not_ready.iter().all(|pod| !pod.young);
        let unknown = reader.as_of.is_none() || reader.text(id, "metadata.creationTimestamp").is_none();
        let starting = not_ready.iter().filter(|pod| pod.young && !pod.terminating).count() as i64;
        let starts = late.is_none() && desired.zip(ready).is_some_and(|(desired, ready)| starting >= desired - ready);
        if starts || !long && !unknown {
            return None;
        }
        let shown = || SHOWN.iter().find_map(|path| reader.text(id, path));
        let status = late.clone().or_else(shown)?;
        let counts = format!("{} of {}", ready.unwrap_or(0), desired.unwrap_or(0));
        let message = late.as_ref().and_then(|_| reader.text(id, "status.conditions[type=Progressing].message"));
        let trouble = Trouble::new("unavailable", long, &status).saying("counts", [counts]);
        let trouble = trouble.with("message", message).saying("late", late.map(|_| "true"));
        let waits = not_ready.iter().find_map(|pod| {
            let at = |field: &str| format!("status.initContainerStatuses[*].{field}");
            let names = reader.texts(pod.id, &at("name"));
            let runs = reader.some_texts(pod.id, &at("state.running.startedAt"));
            // Those before it are over, and those behind it have not begun: one alone runs.
            let [started] = runs.as_slice() else { return None };
            let running = |name: &&Read| {
                let path = format!("status.initContainerStatuses[name=\"{}\"].state.running.startedAt", name.text);
                reader.text(pod.id, &path).is_some_and(|read| read.text == started.text)
            };
            names.iter().find(running).cloned()
        });
        let said = last_said(not_ready.iter().map(|pod| **pod));
        Some(trouble.with("initContainer", waits).with("said", said))
    }
}

/// The CronJob that a Job is named after, and the minute for which it was made
/// (`kubernetes/kubernetes:pkg/controller/cronjob/utils.go`, `getJobName`).
fn scheduled(job: &str) -> Option<(&str, u64)> {
    let (name, minute) = job.rsplit_once('-')?;
    let is_minute = (7..=10).contains(&minute.len()) && minute.bytes().all(|b| b.is_ascii_digit());
    Some((name, minute.parse().ok().filter(|_| is_minute)?))
}
