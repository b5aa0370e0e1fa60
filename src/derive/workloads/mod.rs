//! Workloads: the top controller of Pods (or a Pod without one) with all that is wrong with its Pods:
//! `workloads.casefile.dev`.
//!
//! Why derived: fifty Pods of one Deployment that fail alike are one failure, and why they fail stands in
//! container states, events and logs that only belong together by owner references. A person puts them
//! together first.
//!
//! Invariants: a class that no Pod shows is *not set*; a detail that no source shows is *unknown*; a Pod that
//! fails by several classes counts for the one that is nearest to the cause; nothing is concluded from what
//! is over (healed events, ended Pods, restarts of containers that are ready).
//!
//! Owners: `metadata.ownerReferences`; a ReplicaSet that was not collected is taken for its Deployment's by the
//! label `pod-template-hash` (`pkg/controller/deployment/util/deployment_util.go`); table rows, which show no
//! owner, by the names that controllers give (`<name>-<hash>-<5>`, `<name>-<5>`, `<name>-<ordinal>`), and only
//! to a controller that was seen.

mod calls;
mod container;
pub(crate) mod controllers;
pub(crate) mod events;
pub(crate) mod logs;
pub(crate) mod pod;
pub(crate) mod trouble;

use crate::deriver::Deriver;
use crate::nodes::Nodes;
use crate::reader::{Read, Reader};
use crate::services::Services;
use calls::Calls;
use events::Events;
use facts::coverage::Basis;
use facts::derived::Derived;
use facts::kind::KindName;
use facts::object::ObjectId;
use facts::parallel;
use facts::provenance::Provenance;
use pod::{Judge, Pod};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::OnceLock;
use trouble::{Class, Trouble, is_list};

/// Names that one field keeps at most.
const MAX_NAMES: usize = 10;
/// Pods that somebody shows alone.
const SHOWN: usize = 3;

pub(crate) const DERIVER: Deriver = Deriver {
    makes: &["workloads"],
    statements: &[],
    derive: |inputs| inputs.workloads.derive(inputs.reader, inputs.services),
};

/// A controller, or a Pod without one.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Key {
    pub namespace: Option<String>,
    /// Its kind: `Deployment`.
    pub kind: String,
    pub name: String,
}

#[derive(Debug, Default)]
pub(crate) struct Workload {
    /// Its own object, if it was seen.
    pub object: Option<ObjectId>,
    /// The labels of its Pods by its template, if they are shown.
    pub labels: Option<Vec<(String, String)>>,
    /// API version of the owner reference, for the kind.
    pub api_version: Option<String>,
    /// Its Pods, by index.
    pub pods: Vec<usize>,
    /// What is wrong with the controller itself.
    pub troubles: Vec<Trouble>,
    /// Wanted and ready replicas, as the controller says.
    pub desired: Option<i64>,
    pub ready: Option<i64>,
}

/// The workloads of a context.
#[derive(Debug)]
pub(crate) struct Workloads {
    pub pods: Vec<Pod>,
    pub all: BTreeMap<Key, Workload>,
    pub events: Events,
    /// Which workload a Pod belongs to, by index of the Pod.
    owner: Vec<Key>,
    /// Pods that have not ended, by namespace.
    alive: BTreeMap<String, Vec<usize>>,
    /// Those whose labels are shown, by namespace and label.
    labelled: BTreeMap<(String, (String, String)), Vec<usize>>,
}

impl Workloads {
    pub(crate) fn gather(reader: Reader<'_>, nodes: &Nodes) -> Self {
        let events = Events::gather(reader);
        let logs = logs::LastWords::gather(reader);
        let ready = OnceLock::new();
        let ids = reader.all("pods");
        let unaged = ids.len() <= SHOWN && reader.is_only_bounded();
        let judge = Judge { reader, events: &events, nodes, logs: &logs, unaged, ready: &ready };
        let mut pods: Vec<Pod> = parallel::map(&ids, |id| judge.pod(*id));
        made_good(reader, &mut pods);
        let known = controllers::Known::gather(reader);
        let mut all: BTreeMap<Key, Workload> = BTreeMap::new();
        let mut owner = Vec::with_capacity(pods.len());
        let (mut alive, mut labelled) = (BTreeMap::<String, Vec<usize>>::new(), BTreeMap::<_, Vec<usize>>::new());
        for (key, id) in known.top() {
            let labels = reader.entries(id, "spec.template.metadata.labels");
            all.insert(key, Workload { object: Some(id), labels, ..Workload::default() });
        }
        for (index, pod) in pods.iter().enumerate() {
            let (key, api_version) = known.owner(reader, pod);
            let workload = all.entry(key.clone()).or_default();
            workload.pods.push(index);
            workload.api_version = workload.api_version.take().or(api_version);
            if key.kind == "Pod" {
                workload.object = Some(pod.id);
            }
            owner.push(key);
            if let (Some(namespace), false) = (&pod.namespace, pod.ended) {
                alive.entry(namespace.clone()).or_default().push(index);
                for label in pod.labels.iter().flatten() {
                    labelled.entry((namespace.clone(), label.clone())).or_default().push(index);
                }
            }
        }
        let mut made = Self { pods, all, events, owner, alive, labelled };
        controllers::judge(reader, &mut made, &known);
        made
    }

    /// The Pods of a namespace that have not ended.
    pub(crate) fn alive(&self, namespace: &str) -> &[usize] {
        self.alive.get(namespace).map(Vec::as_slice).unwrap_or_default()
    }

    /// Those of them that a selector takes, as far as their labels are shown.
    pub(crate) fn selected(&self, namespace: &str, selector: &[(String, String)]) -> Vec<usize> {
        let labels = |index: &usize| self.pods.get(*index)?.labels.as_ref();
        let fits =
            |index: &usize| labels(index).is_some_and(|labels| selector.iter().all(|pair| labels.contains(pair)));
        let with = |pair: &(String, String)| self.labelled.get(&(namespace.to_owned(), pair.clone()));
        let fewest = selector.iter().map(|pair| with(pair).map_or(&[][..], Vec::as_slice)).min_by_key(|all| all.len());
        fewest.unwrap_or(self.alive(namespace)).iter().copied().filter(fits).collect()
    }

    /// The workloads of a namespace.
    pub(crate) fn in_namespace(&self, namespace: &str) -> impl Iterator<Item = (&Key, &Workload)> {
        let first = Key { namespace: Some(namespace.to_owned()), kind: String::new(), name: String::new() };
        let own = first.namespace.clone();
        self.all.range(first..).take_while(move |(key, _)| key.namespace == own)
    }

    /// A workload by its id, as [`id_of`] makes it.
    pub(crate) fn by_id(&self, id: &str) -> Option<&Workload> {
        let mut parts = id.splitn(3, '/').map(str::to_owned);
        let (namespace, kind, name) = (parts.next(), parts.next()?, parts.next()?);
        self.all.get(&Key { namespace, kind, name })
    }

    /// Is anything wrong with a workload, or with one of its Pods?
    pub(crate) fn is_troubled(&self, workload: &Workload) -> bool {
        let mut pods = workload.pods.iter().filter_map(|index| self.pods.get(*index));
        !workload.troubles.is_empty() || pods.any(|pod| !pod.troubles.is_empty())
    }

    /// The workload of a Pod.
    pub(crate) fn owner_of(&self, index: usize) -> Option<&Key> {
        self.owner.get(index)
    }

    fn derive(&self, reader: Reader<'_>, services: &Services<'_>) -> Vec<Derived> {
        let calls = Calls::gather(reader, services, self.all.keys());
        let mut pods: BTreeMap<Option<&str>, Provenance> = BTreeMap::new();
        let objects = self.all.iter().map(|(key, workload)| {
            let namespace = key.namespace.as_deref();
            let listed = pods.entry(namespace).or_insert_with(|| reader.listed("pods", namespace));
            let mut made = self.object(reader, key, workload, listed);
            let said = workload.pods.iter().filter_map(|index| self.pods.get(*index)).flat_map(Pod::said);
            calls.write(&mut made, key, said, listed);
            made
        });
        objects.collect()
    }

    /// One workload. `listed` is how far all Pods of its namespace are known.
    fn object(&self, reader: Reader<'_>, key: &Key, workload: &Workload, listed: &Provenance) -> Derived {
        let mut made = Derived::new("workloads", key.namespace.as_deref(), &key.name);
        let known = catalogue::controllers::KINDS.iter().find(|(kind, ..)| *kind == key.kind);
        let known = known.map(|(_, plural, ..)| KindName::parse(plural));
        made.stands_for(match (known, &workload.api_version) {
            _ if key.kind == "Pod" => KindName::parse("pods"),
            (Some(kind), _) => kind,
            (None, Some(version)) => KindName::guess(version, &key.kind),
            (None, None) => KindName::guess("", &key.kind),
        });
        let first_pod = workload.pods.first().and_then(|index| self.pods.get(*index)).map(|pod| pod.id);
        let object = workload.object.or(first_pod).map(|id| reader.seen(id));
        let seen = object.unwrap_or(Provenance::bare(Basis::Named));
        made.text("spec.kind", &key.kind, &seen);
        made.text("spec.id", &id_of(key), &seen);
        made.list("spec.names", names(key), &seen);
        made.number("spec.desired", workload.desired, &seen);
        made.number("status.ready", workload.ready, &seen);
        let replicas = workload.desired.zip(workload.ready);
        made.flag("status.allReady", replicas.map(|(desired, ready)| ready >= desired), &seen);
        let alive: Vec<&Pod> =
            workload.pods.iter().filter_map(|i| self.pods.get(*i)).filter(|pod| !pod.ended).collect();
        // What is said of all its Pods is known only as far as the Pods of its namespace are.
        let of_pods = listed.clone().and(&seen);
        made.list("status.nodes", alive.iter().filter_map(|pod| pod.node.clone()), &of_pods);
        if self.is_troubled(workload) {
            made.list("status.users", alive.iter().filter_map(|pod| user(reader, pod)), &of_pods);
        }
        self.troubles(workload, &of_pods, &mut made);
        made
    }

    fn troubles(&self, workload: &Workload, of_pods: &Provenance, made: &mut Derived) {
        let mut by_class: BTreeMap<Class, Vec<(Option<&Pod>, &Trouble)>> = BTreeMap::new();
        for trouble in &workload.troubles {
            by_class.entry(trouble.class).or_default().push((None, trouble));
        }
        // Where a Pod of a Job has done its work, one that failed before says nothing more.
        let pods = || workload.pods.iter().filter_map(|index| self.pods.get(*index));
        let done = pods().any(|pod| pod.succeeded);
        for pod in pods() {
            let nearest = pod.troubles.iter().map(|trouble| trouble.class).min();
            for trouble in pod.troubles.iter().filter(|of| Some(of.class) == nearest && (of.lasting || !done)) {
                by_class.entry(trouble.class).or_default().push((Some(pod), trouble));
            }
        }
        // A Job that gave up says all that its failed Pods say; what is only unavailable says nothing beside a reason.
        if let Some(failed) = by_class.remove(&Class::of("jobFailed")) {
            by_class = BTreeMap::from([(Class::of("jobFailed"), failed)]);
        }
        if by_class.len() > 1 {
            by_class.remove(&Class::of("unavailable"));
        }
        for class in Class::all() {
            match by_class.get(&class) {
                Some(found) => self.class(class, found, of_pods, made),
                None => made.absent(&format!("status.{}", class.field()), of_pods),
            }
        }
    }

    fn class(&self, class: Class, found: &[(Option<&Pod>, &Trouble)], of_pods: &Provenance, made: &mut Derived) {
        let at = |field: &str| format!("status.{}.{field}", class.field());
        let places = found.iter().flat_map(|(_, trouble)| trouble.places.iter().cloned());
        let because = Provenance::all_or(places, of_pods);
        let bare = because.without_places();
        let pods: BTreeSet<&str> = found.iter().filter_map(|(pod, _)| *pod).map(|pod| pod.name.as_str()).collect();
        made.flag(&at("present"), true, &because);
        made.number(&at("pods"), pods.len() as i64, &because);
        made.list(&at("podNames"), pods.iter().take(MAX_NAMES).copied(), &bare);
        made.list(&at("onNodes"), found.iter().filter_map(|(pod, _)| pod.and_then(|pod| pod.node.clone())), &bare);
        if found.iter().any(|(_, trouble)| trouble.lasting) {
            made.flag(&at("lasting"), true, &because);
        }
        let mut details: BTreeMap<&'static str, Vec<&Read>> = BTreeMap::new();
        for (_, trouble) in found {
            for (field, reads) in &trouble.details {
                details.entry(field).or_default().extend(reads);
            }
        }
        // A Pod is forgotten or it is not; that is never unknown.
        if !details.contains_key("forgotten") {
            made.absent(&at("forgotten"), &bare);
        }
        for (field, reads) in details {
            let from = Provenance::all_or(reads.iter().map(|read| read.cited.clone()), &because);
            if is_list(field) {
                made.list(&at(field), reads.iter().map(|read| read.text.clone()), from);
            } else if let Some(first) = reads.first() {
                made.text(&at(field), &first.text, from);
            }
        }
    }
}

/// A Pod that failed says nothing more where another one of the same Job did the work, also where a table shows no Job: both
/// are named after it.
fn made_good(reader: Reader<'_>, pods: &mut [Pod]) {
    let job = |pod: &Pod| {
        let (job, end) = pod.name.rsplit_once('-')?;
        (end.len() == 5 && controllers::is_hash(end)).then(|| (pod.namespace.clone(), job.to_owned()))
    };
    let done: BTreeSet<_> = pods.iter().filter(|pod| pod.succeeded).filter_map(job).collect();
    let is_over = |pod: &Pod| pod.ended || reader.is(pod.id, "status.kubectlStatus", "Error");
    let mut newest: BTreeMap<Work, (u64, u64)> = BTreeMap::new();
    for pod in pods.iter().filter(|pod| pod.succeeded) {
        if let Some((of, attempt)) = attempt(pod) {
            let known = newest.entry(of).or_default();
            *known = attempt.max(*known);
        }
    }
    for pod in pods.iter_mut().filter(|pod| is_over(pod)) {
        let is_done = job(pod).is_some_and(|job| done.contains(&job));
        let is_old = attempt(pod).is_some_and(|(of, tried)| newest.get(&of).is_some_and(|done| *done > tried));
        if is_done || is_old {
            pod.troubles.clear();
        }
    }
}

/// The namespace, the kind of work and the node that it is for.
type Work = (String, &'static str, String);

/// Of a Pod that installs or prunes the revisions of a static Pod of OpenShift, what it works for and which attempt it is:
/// revision and retry, by its name `installer-40-retry-1-NODE`.
/// Source: `openshift/library-go:pkg/operator/staticpod/controller/installer/installer_controller.go@release-4.16`.
fn attempt(pod: &Pod) -> Option<(Work, (u64, u64))> {
    let namespace = pod.namespace.clone().filter(|name| name.starts_with("openshift-"))?;
    let (kind, rest) =
        ["installer", "revision-pruner"].iter().find_map(|kind| Some((*kind, pod.name.strip_prefix(*kind)?)))?;
    let (revision, rest) = rest.strip_prefix('-')?.split_once('-')?;
    let retried = rest.strip_prefix("retry-").and_then(|rest| rest.split_once('-'));
    let (retry, node) = match retried.and_then(|(retry, node)| Some((retry.parse().ok()?, node))) {
        Some((retry, node)) => (retry, node),
        None => (0, rest),
    };
    Some(((namespace, kind, node.to_owned()), (revision.parse().ok()?, retry)))
}

/// As whom the API server knows the programs of a Pod (`kubernetes/apiserver:pkg/authentication/serviceaccount/util.go`).
fn user(reader: Reader<'_>, pod: &Pod) -> Option<String> {
    let account = reader.text(pod.id, "spec.serviceAccountName")?;
    Some(format!("system:serviceaccount:{}:{}", pod.namespace.as_deref()?, account.text))
}

/// The names by which others may speak of it. A Pod that was seen alone bears that of what made it: `web-5c6cdc7d47-7jg6b` is of
/// `web-5c6cdc7d47`, and that of `web`; `db-0` is of `db`.
fn names(key: &Key) -> Vec<String> {
    let mut names = vec![key.name.clone()];
    if key.kind == "Pod" {
        let without = |name: &str, long: std::ops::RangeInclusive<usize>| {
            let (before, end) = name.rsplit_once('-')?;
            (long.contains(&end.len()) && controllers::is_hash(end)).then(|| before.to_owned())
        };
        let set = without(&key.name, 5..=5);
        names.extend(set.as_deref().and_then(|set| without(set, 8..=10)));
        names.extend(set);
        names.extend(calls::of_set(&key.name).map(str::to_owned));
    }
    names
}

/// A text that names one workload of a context: `shop/Deployment/web`.
pub(crate) fn id_of(key: &Key) -> String {
    format!("{}/{}/{}", key.namespace.as_deref().unwrap_or_default(), key.kind, key.name)
}
