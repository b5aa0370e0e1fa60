//! What objects of any kind say of themselves that is wrong, for longer than is normal: `troubles.casefile.dev`, one for
//! each kind, condition and reason, with all objects that say so; and objects that were to go long ago and are there.
//!
//! Why: of most kinds no signature knows anything, and yet each controller says in a condition of its objects that it
//! cannot go on, and why. A person who reads a foreign operator reads that.
//!
//! Source: which conditions say so is data, `patterns/conditions.yaml`; `sigs.k8s.io/cli-utils:pkg/kstatus`.
//!
//! Invariants: what is young says nothing; of what is of unknown age an object is made only in a bundle of few files,
//! of which each is there since somebody asks about it.

use crate::{CHOSEN, all_of};
use catalogue::conditions;
use catalogue::conditions::Said;
use catalogue::kinds::Catalogue;
use catalogue::nouns;
use derive::reader::Reader;
use facts::coverage::Basis;
use facts::derived::Derived;
use facts::human_duration;
use facts::kind::KindName;
use facts::node::Node;
use facts::object::{Lookup, ObjectId, Sighting};
use facts::origin::Citation;
use facts::path::{Path, Step};
use facts::provenance::{Cited, Provenance};
use facts::stamp::time_of;
use facts::store::Precision;
use std::collections::BTreeMap;

pub(crate) const PLURAL: &str = "troubles";

/// For so many seconds a condition may say so while something starts, rolls out or is mended.
const PASSING: i64 = 15 * 60;
/// For so many seconds an object may be on its way out: disks are detached, machines are drained.
const GOING: i64 = 60 * 60;
/// Characters of a message.
const MESSAGE: usize = 300;

/// What several objects of one kind say.
#[derive(Default)]
struct Trouble {
    /// They were deleted, and are still there.
    goes: bool,
    reason: String,
    message: String,
    objects: Vec<String>,
    places: Vec<Cited>,
    subjects: Vec<String>,
    /// The longest that one of them has said so, in seconds; unknown if no time is.
    longest: Option<i64>,
}

/// The troubles of a context.
pub(crate) fn derive(reader: Reader<'_>, is_pasted: bool) -> Vec<Derived> {
    let mut all: BTreeMap<(&KindName, String), Trouble> = BTreeMap::new();
    let is_chosen = reader.facts.members.len() <= CHOSEN;
    // The time of a part that was pasted may be all that makes its clock: then nobody knows how old it is.
    let clock = reader.facts.context(reader.context).as_of.as_ref();
    let is_timeless = is_pasted && clock.is_some_and(|clock| clock.precision == Precision::Quiet);
    for ((context, kind), ids) in &reader.facts.by_kind {
        let is_own = conditions::is_of_its_own(kind) && !(is_pasted && is_shown_alone(kind));
        if *context != reader.context || is_own {
            continue;
        }
        for id in ids.iter().copied().filter(|id| is_there(reader, *id)) {
            let (goes, all_said) = said_by(reader, id);
            let normal = if goes { GOING } else { PASSING };
            for (said, seconds) in all_said {
                let is_timeless = is_timeless && newest(reader, id).is_some_and(|seen| !seen.record.shown.is_whole());
                let seconds = seconds.filter(|seconds| !is_timeless || *seconds >= normal);
                if seconds.map_or(is_chosen && !said.under_way, |seconds| seconds >= normal) {
                    let key = (kind, format!("{} {}", said.what, said.reason).trim().to_owned());
                    let trouble = all.entry(key).or_default();
                    trouble.goes = goes;
                    add(reader, (kind, id), (&said, seconds), trouble);
                }
            }
        }
    }
    all.into_iter().filter_map(|((kind, what), trouble)| object(kind, &what, trouble)).collect()
}

/// Of a part of such an object, all that its own signatures join is missing; in a paste it speaks for itself.
fn is_shown_alone(kind: &KindName) -> bool {
    kind.group.ends_with("cluster.x-k8s.io")
        || kind.group.is_empty() && kind.plural == "namespaces"
        || kind.plural == "horizontalpodautoscalers"
}

fn is_there(reader: Reader<'_>, id: ObjectId) -> bool {
    let object = reader.object(id);
    !object.shadow && !object.is_manifest()
}

/// Was an object deleted, else what it says that is wrong; and for how many seconds that has been so.
fn said_by(reader: Reader<'_>, id: ObjectId) -> (bool, Vec<(Said, Option<i64>)>) {
    let Some(sighting) = newest(reader, id) else { return (false, Vec::new()) };
    let age = |since: &str| match time_of(since) {
        Some(time) => reader.age_of(time),
        None => Some(human_duration::parse(since)?.from),
    };
    let node: &Node = &sighting.record.node;
    let Some(deleted) = node.at(&["metadata", "deletionTimestamp"]) else {
        let each = |said: Said| {
            let seconds = said.since.as_deref().and_then(age);
            (said, seconds)
        };
        return (false, conditions::wrong(node).into_iter().map(each).collect());
    };
    let finalizers = node.at(&["metadata", "finalizers"]).map(Node::elements).unwrap_or_default();
    let finalizers: Vec<String> = finalizers.iter().filter_map(|finalizer| finalizer.value.scalar()).collect();
    let since = deleted.value.scalar();
    let (seconds, lines) = (since.as_deref().and_then(age), vec![deleted.line]);
    let what = "Terminating".to_owned();
    let (reason, message) = (finalizers.join(", "), String::new());
    (true, vec![(Said { what, reason, message, under_way: false, since, lines }, seconds)])
}

/// The reading of an object that is known to be its newest.
fn newest(reader: Reader<'_>, id: ObjectId) -> Option<&Sighting> {
    let path = Path(["status", "conditions"].map(|step| Step::Field(step.to_owned())).to_vec());
    match reader.object(id).sightings.as_slice() {
        [only] => Some(only),
        _ => match reader.facts.lookup_in(id, &path) {
            (Lookup::Found(_), sighting) => sighting,
            _ => None,
        },
    }
}

fn add(reader: Reader<'_>, (kind, id): (&KindName, ObjectId), (said, seconds): (&Said, Option<i64>), to: &mut Trouble) {
    let object = reader.object(id);
    let Some(sighting) = newest(reader, id) else { return };
    let namespace = object.namespace.as_deref();
    to.objects.push(namespace.map_or_else(|| object.name.clone(), |namespace| format!("{namespace}/{}", object.name)));
    to.subjects.push(format!("{kind} {}/{}", namespace.unwrap_or_default(), object.name));
    if to.message.is_empty() {
        to.message = said.message.split_whitespace().collect::<Vec<_>>().join(" ").chars().take(MESSAGE).collect();
    }
    to.reason.clone_from(&said.reason);
    to.longest = to.longest.max(seconds);
    let excerpt = format!("{}: {} {} {}", object.name, said.what, said.reason, to.message);
    for line in &said.lines {
        let citation = Citation::line(sighting.record.member, *line, excerpt.trim());
        to.places.push(reader.cited(sighting, citation));
    }
    to.subjects.extend(owners(&sighting.record.node, namespace.unwrap_or_default()));
}

/// The owners of an object and its Cluster, as `kind namespace/name`: what is said of them is said of it.
fn owners(node: &Node, namespace: &str) -> Vec<String> {
    let text = |node: &Node, key: &str| node.field(key).and_then(Node::as_str).unwrap_or_default().to_owned();
    let owners = node.at(&["metadata", "ownerReferences"]).map(Node::elements).unwrap_or_default();
    let owner = |owner: &Node| {
        let kind = Catalogue::shared().kind_of(&text(owner, "apiVersion"), &text(owner, "kind"));
        format!("{kind} {namespace}/{}", text(owner, "name"))
    };
    let labels = node.at(&["metadata", "labels"]).map(Node::entries).unwrap_or_default();
    let cluster = labels.iter().filter_map(|(label, value)| {
        let kind = conditions::kind_of_label(label)?;
        Some(format!("{kind} {namespace}/{}", value.as_str()?))
    });
    owners.iter().map(owner).chain(cluster).collect()
}

fn object(kind: &KindName, what: &str, trouble: Trouble) -> Option<Derived> {
    let Trouble { goes, reason, message, objects, places, subjects, longest } = trouble;
    let said = Provenance::all(places)?;
    let mut made = Derived::new(PLURAL, None, &format!("{} {what}", kind.plural));
    made.text("spec.kind", &kind.to_string(), &said);
    // As people say it where the kind is known: a name with its group is that of an API.
    let as_people = || Catalogue::shared().kind(kind).map_or_else(|| kind.to_string(), |known| known.kind.clone());
    let noun = nouns::nouns(kind).map_or_else(as_people, |(one, _)| one.to_owned());
    made.text("spec.noun", &noun, &said);
    made.value("spec.subjects", all_of(subjects), &said);
    made.text("status.says", what, &said);
    made.flag("status.goes", goes, &said);
    if !reason.is_empty() {
        made.text("status.reason", &reason, &said);
    }
    if !message.is_empty() {
        made.text("status.message", &message, &said);
    }
    made.number("status.count", objects.len() as i64, &said);
    made.list("status.objects", objects, &said);
    match longest {
        Some(_) => made.flag("status.lasting", true, &said),
        None => made.open("status.lasting", Provenance::bare(Basis::Named)),
    }
    Some(made)
}
