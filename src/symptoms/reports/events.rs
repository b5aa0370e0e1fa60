//! What events warn of, in pastes: of each object and reason one report.
//!
//! Invariant: what went on well later, came long ago and not since, is said of an object that is ready by now, or of a Pod that is
//! on its way out, is over.

use super::{OFTEN, Report};
use catalogue::wordings::Wording;
use catalogue::{made_names, pod_message, wordings};
use derive::reader::Reader;
use facts::event::Event;
use facts::kind::KindName;
use facts::object::{Object, ObjectId};
use facts::provenance::Cited;
use std::collections::{BTreeMap, BTreeSet};

/// A warning that came so many seconds ago, and not since, is over.
const RECENT: i64 = 60 * 60;

/// So is one that came once or twice where it would come again soon, if it were still so: what keeps Pods tries again after a
/// quarter of an hour at the latest. Other controllers may wait for hours, and what has a class of its own may be said once.
const SAID_AGAIN: i64 = 17 * 60;
const KEEPERS: [&str; 6] = ["pod", "deployment", "replicaset", "statefulset", "daemonset", "job"];

/// What the events of one object say with one reason.
#[derive(Default)]
struct Warnings {
    message: String,
    count: i64,
    /// Seconds since the last one, if kubectl printed them.
    last: Option<i64>,
    cited: Vec<Cited>,
}

/// The wordings of events that tell that something went as it should.
const WELL: &str = "well-event";

pub(super) fn reports(reader: Reader<'_>) -> Vec<Report> {
    let mut abouts: BTreeMap<String, (String, String, String)> = BTreeMap::new();
    let mut warned: BTreeMap<(String, String), Warnings> = BTreeMap::new();
    let mut well: BTreeMap<String, i64> = BTreeMap::new();
    // The kubelet tells the reason of the first attempts alone, and then only that it waits for the image.
    let mut waits: BTreeMap<String, i64> = BTreeMap::new();
    // What was started again and again was not well for that.
    let mut restarts: BTreeSet<String> = BTreeSet::new();
    // What went on beside it.
    let mut alive: BTreeSet<String> = BTreeSet::new();
    for id in ["events", "events.events.k8s.io"].into_iter().flat_map(|kind| reader.all(kind)) {
        // Rows that say the same of the same are one event, and the youngest of them counts.
        let events = reader.object(id).sightings.iter().map(|sighting| Event::of(&sighting.record.node));
        let age_of = |event: &Event<'_>| event.printed().map_or(i64::MAX, |(age, _)| age.from);
        let Some(event) = events.rev().min_by_key(age_of) else { continue };
        let (reason, about) = (event.reason(), event.about());
        let name = about.name.unwrap_or_default();
        let kind = about.kind.unwrap_or_default().to_lowercase();
        let of = format!("{kind} {name}").trim().to_owned();
        if !name.is_empty() && !kind.is_empty() {
            let namespace = about.namespace.map(|namespace| namespace.to_string());
            let namespace = namespace.or_else(|| reader.object(id).namespace.clone()).unwrap_or_default();
            abouts.entry(of.clone()).or_insert_with(|| (kind.clone(), namespace, name.to_string()));
        }
        let printed = event.printed();
        let age = printed.as_ref().map(|(age, _)| age.from);
        if !event.warns() && !reason.ends_with("Error") {
            alive.insert(of.clone());
        }
        if wordings::says("event", "image-awaited", &format!("{reason}: {}", event.message())) {
            waits.insert(of.clone(), age.unwrap_or(0));
        }
        let times = event.count().or_else(|| printed.and_then(|(_, times)| times)).unwrap_or(1);
        let is_killed =
            || wordings::says("event", "killed-by-liveness-probe", &format!("{reason}: {}", event.message()));
        if times >= OFTEN && (reason == "Started" || is_killed()) {
            restarts.insert(of.clone());
        }
        if !event.warns() && wordings::first(WELL, &format!("{reason}: {}", event.message())).is_some() {
            let youngest = well.entry(of).or_insert(i64::MAX);
            *youngest = (*youngest).min(age.unwrap_or(i64::MAX));
            continue;
        }
        let Some(read) = reader.text(id, "message").filter(|_| event.warns() || reason.ends_with("Error")) else {
            continue;
        };
        let warnings = warned.entry((of, reason)).or_default();
        warnings.count += times;
        if warnings.message.is_empty() || age < warnings.last {
            warnings.message = read.text.split_whitespace().collect::<Vec<_>>().join(" ");
            warnings.last = age;
        }
        warnings.cited.push(read.cited);
    }
    let (served, leaving, replaced, ailing) = (served(reader), leaving(reader), Replaced::of(reader), ailing(reader));
    let ready = ready(reader, &abouts);
    let report = |((of, reason), warnings): ((String, String), Warnings)| {
        let text = format!("{reason}: {}", pod_message::without_preemption(&warnings.message));
        let class = wordings::first(EVENTS, &text).map_or(OTHER_EVENT, |wording| wording.class.as_str());
        let waits = waits.get(&of).filter(|_| reason == "Failed").copied();
        let last = warnings.last.map(|last| last.min(waits.unwrap_or(last)));
        let well = well.get(&of).filter(|_| class != "probe" || !restarts.contains(&of));
        let over = last.is_some_and(|last| last > RECENT || well.is_some_and(|well| *well <= last))
            || would_be_said_again(&warnings, class, last) && abouts.get(&of).is_some_and(|about| is_kept(about, &ailing))
            || warnings.count < OFTEN && ready.contains(&of)
            // It lacked an address when it was said so.
            || UNSERVED.contains(&reason.as_str()) && abouts.get(&of).is_some_and(|about| served.contains(&(&about.1, &about.2)));
        // A probe fails while a program starts, and a Pod waits while nodes are made.
        let passing = is_normal(&text, last)
            || ["probe", "unschedulable"].contains(&class) && warnings.count < OFTEN && alive.contains(&of);
        // A program that shuts down answers no probe any more.
        let goes = |pod: &str| leaving.contains(pod) || replaced.tells(pod);
        let passing = passing || class == "probe" && abouts.get(&of).is_some_and(|about| goes(&about.2));
        (!passing && class != "ordinary").then(|| Report {
            name: format!("{reason} of {of}"),
            tool: "events".to_owned(),
            about: abouts.get(&of).cloned(),
            class: class.to_owned(),
            of: of.clone(),
            says: text.clone(),
            settled: warnings.count >= OFTEN,
            over,
            restarts: restarts.contains(&of),
            cited: warnings.cited,
            ..Report::default()
        })
    };
    warned.into_iter().filter_map(report).collect()
}

/// Would a warning have come again by now, if it were still so?
fn would_be_said_again(warnings: &Warnings, class: &str, last: Option<i64>) -> bool {
    warnings.count < OFTEN && class == OTHER_EVENT && last.is_some_and(|last| last > SAID_AGAIN)
}

/// Is an object one that Kubernetes itself keeps, and none that is shown as ailing?
fn is_kept(about: &(String, String, String), ailing: &BTreeSet<&str>) -> bool {
    KEEPERS.contains(&about.0.as_str()) && !ailing.contains(about.2.as_str())
}

/// Is what an event says normal for longer than it has been so?
fn is_normal(text: &str, last: Option<i64>) -> bool {
    let normal = wordings::first(PASSING, text).and_then(Wording::normal_for);
    normal.zip(last).is_some_and(|(normal, last)| last < normal)
}

/// The names of the Pods that are being deleted.
fn leaving(reader: Reader<'_>) -> BTreeSet<&str> {
    let is_leaving = |id: &ObjectId| {
        reader.is(*id, "status.kubectlStatus", "Terminating")
            || reader.text(*id, "metadata.deletionTimestamp").is_some()
    };
    reader.all("pods").into_iter().filter(is_leaving).map(|id| reader.object(id).name.as_str()).collect()
}

/// The names of the Pods that are shown as neither running nor done.
fn ailing(reader: Reader<'_>) -> BTreeSet<&str> {
    const WELL: [&str; 4] = ["Running", "Completed", "Succeeded", "Terminating"];
    let is_ailing = |id: &ObjectId| {
        reader.text(*id, "status.kubectlStatus").is_some_and(|read| !WELL.contains(&read.text.as_str()))
            || !reader.some_texts(*id, "status.containerStatuses[*].state.waiting.reason").is_empty()
    };
    reader.all("pods").into_iter().filter(is_ailing).map(|id| reader.object(id).name.as_str()).collect()
}

/// The Pods that are shown, and the workloads that made them.
struct Replaced<'f> {
    pods: BTreeSet<&'f str>,
    workloads: BTreeSet<&'f str>,
}

impl<'f> Replaced<'f> {
    fn of(reader: Reader<'f>) -> Self {
        let pods: BTreeSet<&str> = reader.all("pods").into_iter().map(|id| reader.object(id).name.as_str()).collect();
        let workloads = pods.iter().filter_map(|pod| made_names::workload_of(pod)).collect();
        Self { pods, workloads }
    }

    /// Is a Pod not there any more, where others of its workload are?
    fn tells(&self, pod: &str) -> bool {
        !self.pods.contains(pod)
            && made_names::workload_of(pod).is_some_and(|workload| self.workloads.contains(workload))
    }
}

/// Those of the objects that are ready as they are shown, by kind and name. A Pod may be ready between two failures, and a Node says
/// with its events what its condition does not tell.
fn ready(reader: Reader<'_>, abouts: &BTreeMap<String, (String, String, String)>) -> BTreeSet<String> {
    let plurals: BTreeMap<(String, &str, &str), &String> = abouts
        .iter()
        .map(|(of, (kind, namespace, name))| ((KindName::guess("", kind).plural, &**namespace, &**name), of))
        .collect();
    let of = |(index, object): (u32, &Object)| {
        let kind = object.kind.plural.as_str();
        let namespace = object.namespace.as_deref().unwrap_or_default();
        let of = *plurals.get(&(kind.to_owned(), namespace, &*object.name))?;
        let plain = object.context == reader.context && !["pods", "nodes"].contains(&kind);
        (plain && reader.is(ObjectId(index), "status.conditions[type=Ready].status", "True")).then(|| of.clone())
    };
    (0..).zip(&reader.facts.objects).filter_map(of).collect()
}

/// Events that tell that a Service got no address.
const UNSERVED: [&str; 2] = ["AllocationFailed", "SyncLoadBalancerFailed"];

/// Namespace and name of the Services of type LoadBalancer that have an address.
fn served<'f>(reader: Reader<'f>) -> BTreeSet<(&'f str, &'f str)> {
    let has_address = |id: &ObjectId| {
        let balanced = reader.text(*id, "spec.type").is_some_and(|read| read.text == "LoadBalancer");
        let addresses = ["ip", "hostname"].map(|key| format!("status.loadBalancer.ingress[*].{key}"));
        balanced && addresses.iter().any(|path| !reader.some_texts(*id, path).is_empty())
    };
    let name = |id: ObjectId| -> (&'f str, &'f str) {
        let object = reader.object(id);
        (object.namespace.as_deref().unwrap_or_default(), object.name.as_str())
    };
    reader.all("services").into_iter().filter(has_address).map(name).collect()
}

/// The wordings of events that warn of what is normal for a time.
const PASSING: &str = "passing-event";
/// The wordings that class what an event warns of.
const EVENTS: &str = "warning-event";
/// The class of what no wording knows.
const OTHER_EVENT: &str = "warning";
