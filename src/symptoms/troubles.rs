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
use catalogue::wordings;
use derive::reader::Reader;
use facts::coverage::Basis;
use facts::derived::{Derived, Known};
use facts::human_duration;
use facts::kind::KindName;
use facts::node::Node;
use facts::object::{Form, Lookup, ObjectId, Sighting};
use facts::origin::Citation;
use facts::path::{Path, Step};
use facts::provenance::{Cited, Provenance};
use facts::stamp::time_of;
use std::collections::{BTreeMap, BTreeSet};

pub(crate) const PLURAL: &str = "troubles";

/// For so many seconds a condition may say so while something starts, rolls out or is mended.
const PASSING: i64 = 15 * 60;
/// For so many seconds an object may be on its way out: disks are detached, machines are drained.
const GOING: i64 = 60 * 60;
/// Names that are kept of all messages.
const MOST_NAMED: usize = 20;
/// Messages of one reason that are told apart.
const MESSAGES: usize = 4;
/// Objects of one kind that somebody picks out.
const FEW: usize = 4;
/// Characters of a message; of a longer one its cause stands at the end.
const MESSAGE: usize = 600;

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
    /// What their messages name, as [`named`] says.
    named: BTreeSet<String>,
    /// The longest that one of them has said so, in seconds; unknown if no time is.
    longest: Option<i64>,
}

impl Trouble {
    /// Both as one, in the words of the first.
    fn with(mut self, other: Self) -> Self {
        self.objects.extend(other.objects);
        self.places.extend(other.places);
        self.subjects.extend(other.subjects);
        self.named.extend(other.named);
        self.longest = self.longest.max(other.longest);
        self
    }
}

/// The troubles of a context.
pub(crate) fn derive(reader: Reader<'_>, is_pasted: bool) -> Vec<Derived> {
    let mut all: BTreeMap<(&KindName, String), BTreeMap<String, Trouble>> = BTreeMap::new();
    let is_chosen = reader.facts.members.len() <= CHOSEN;
    // The time of a part that was pasted may be all that makes its clock: then nobody knows how old it is.
    let is_bound = reader.is_only_bounded();
    for ((context, kind), ids) in &reader.facts.by_kind {
        let is_own = conditions::is_of_its_own(kind) && !(is_pasted && is_shown_alone(kind));
        if *context != reader.context || is_own {
            continue;
        }
        let past = past_runs(reader, ids, conditions::is_run(kind));
        for id in ids.iter().copied().filter(|id| is_there(reader, *id) && !past.contains(id)) {
            let (goes, all_said) = said_by(reader, id);
            let normal = if goes { GOING } else { PASSING };
            for (said, seconds) in all_said {
                // Whoever shows one object alone looks at what is wrong with it; a list holds what is young as well, and of a
                // Machine its own signatures know what passes.
                let is_alone = ids.len() == 1 && !conditions::is_of_its_own(kind);
                let is_looked_at = is_alone
                    || newest(reader, id).is_some_and(|seen| {
                        let described = matches!(seen.record.form, Form::Describe | Form::TypedDescribe);
                        described || !seen.record.shown.is_whole()
                    });
                // Of few objects what failed with a reason is what somebody asks about, whether or not it has lasted.
                // So does a message that names what does not come by itself, in whatever was collected.
                let is_definite = || wordings::first("why-ended", &said.message).is_some();
                let is_told = is_pasted || said.failed || is_definite();
                let is_timeless = is_bound && is_told && (is_looked_at || said.failed && ids.len() <= FEW);
                let seconds = seconds.filter(|seconds| !is_timeless || *seconds >= normal);
                if seconds.map_or(is_chosen && !said.under_way, |seconds| seconds >= normal) {
                    let key = (kind, format!("{} {}", said.what, said.reason).trim().to_owned());
                    let message = alike(&said.message, &reader.object(id).name);
                    let trouble = all.entry(key).or_default().entry(message).or_default();
                    trouble.goes = goes;
                    add(reader, (kind, id), (&said, seconds), trouble);
                }
            }
        }
    }
    let made = all.into_iter().flat_map(|((kind, what), by_message)| {
        let several = by_message.len() > 1;
        let apart: Vec<Trouble> = match by_message.len() > MESSAGES {
            true => by_message.into_values().reduce(Trouble::with).into_iter().collect(),
            false => by_message.into_values().collect(),
        };
        let is_apart = several && apart.len() > 1;
        let objects = apart.into_iter().map(move |trouble| object(kind, &what, trouble, is_apart));
        objects.collect::<Vec<_>>()
    });
    made.flatten().collect()
}

/// Whom conditions tell more of than a word: the objects that have them, and what their messages name; without namespaces.
pub(crate) fn told_of(made: &[Derived]) -> BTreeSet<String> {
    let texts = |trouble: &Derived, path: &str| match trouble.field(path).map(|field| &field.known) {
        Some(Known::Value(node)) => node.elements().iter().filter_map(Node::as_str).map(str::to_owned).collect(),
        _ => Vec::new(),
    };
    let bare = |name: String| name.rsplit('/').next().unwrap_or_default().to_owned();
    let speaks = |trouble: &&Derived| trouble.field("status.message").is_some();
    let of = |trouble: &Derived| [texts(trouble, "status.objects"), texts(trouble, "spec.named")].concat();
    made.iter().filter(speaks).flat_map(of).map(bare).collect()
}

/// A message without what differs from one object to the next: its name, and all that has a digit.
fn alike(message: &str, own: &str) -> String {
    let word = |word: &str| match word {
        word if word.contains(own) || word.contains(|c: char| c.is_ascii_digit()) => "#".to_owned(),
        word => word.to_owned(),
    };
    message.split_whitespace().map(word).collect::<Vec<_>>().join(" ")
}

/// What a message names: `namespace/name`, or a name in the namespace of who says it, or of nobody. Words alone are names
/// only with a `-` or a digit.
fn named(message: &str, namespace: &str) -> Vec<String> {
    let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '.' | '/');
    let words = message.split(|c| !is_part(c)).map(|word| word.trim_matches(['.', '-', '/']));
    let is_name = |word: &&str| {
        word.len() <= 200
            && word.bytes().all(|b| !b.is_ascii_uppercase())
            && (word.contains('/') || word.contains(|c: char| c == '-' || c.is_ascii_digit()))
            && word.contains(|c: char| c.is_ascii_lowercase())
    };
    let each = |word: &str| match word.matches('/').count() {
        0 => vec![format!("{namespace}/{word}"), format!("/{word}")],
        1 => vec![word.to_owned()],
        _ => Vec::new(),
    };
    words.filter(is_name).flat_map(each).collect()
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

/// A run: what orders it among those of its family, and whether it got through.
type Run = ((i64, String), bool, ObjectId);

/// The runs of a context behind which a newer one stands.
pub(crate) fn past(reader: Reader<'_>) -> BTreeSet<ObjectId> {
    let runs = reader
        .facts
        .by_kind
        .iter()
        .filter(|((context, kind), _)| *context == reader.context && conditions::is_run(kind));
    runs.flat_map(|(_, ids)| past_runs(reader, ids, true)).collect()
}

/// Runs behind which a newer one stands: of the same owner, or of the same name but for the number at its end. Of a kind that
/// may hold runs and lasting things alike, only what got through shows that it is one.
fn past_runs(reader: Reader<'_>, ids: &[ObjectId], of_runs: bool) -> BTreeSet<ObjectId> {
    let mut all: BTreeMap<(Option<&str>, String), Vec<Run>> = BTreeMap::new();
    let clock = reader.facts.context(reader.context).as_of.as_ref().map_or(0, |clock| clock.for_objects().as_second());
    for id in ids.iter().copied().filter(|id| is_there(reader, *id)) {
        let object = reader.object(id);
        let text = |path: &str| reader.text(id, path).map(|read| read.text);
        let stem = conditions::family(&object.name);
        let stem = if of_runs { stem.trim_end_matches(|c: char| c.is_ascii_digit() || "-.".contains(c)) } else { stem };
        let number = object.name.get(stem.len()..).unwrap_or_default();
        let owner = if of_runs { text("metadata.ownerReferences[0].name") } else { None };
        // What has no number or random end is no run.
        if number.is_empty() && owner.is_none() && !of_runs {
            continue;
        }
        let made = text("metadata.creationTimestamp").and_then(|made| time_of(&made)).map(|time| time.as_second());
        let printed = || human_duration::parse(&text("status.kubectlAge")?).map(|age| clock - age.from);
        // Without a time the numbers of their names grow.
        let order = (made.or_else(printed).unwrap_or_default(), format!("{:>40}", number.trim_matches(['-', '.'])));
        let finished = newest(reader, id).is_some_and(|seen| conditions::has_finished(&seen.record.node));
        let family = owner.unwrap_or_else(|| stem.to_owned());
        all.entry((object.namespace.as_deref(), family)).or_default().push((order, finished, id));
    }
    let passed = |mut runs: Vec<Run>| {
        runs.sort();
        let last =
            if of_runs { runs.len().checked_sub(1) } else { runs.iter().rposition(|(_, finished, _)| *finished) };
        runs.truncate(last.unwrap_or_default());
        runs.into_iter().map(|(.., id)| id)
    };
    all.into_values().flat_map(passed).collect()
}

/// Was an object deleted, else what it says that is wrong; and for how many seconds that has been so.
fn said_by(reader: Reader<'_>, id: ObjectId) -> (bool, Vec<(Said, Option<i64>)>) {
    let Some(sighting) = newest(reader, id) else { return (false, Vec::new()) };
    let age = |since: &str| match time_of(since) {
        Some(time) => reader.age_of(time),
        None => Some(human_duration::parse(since)?.from),
    };
    let node: &Node = &sighting.record.node;
    let phase = node.at(&["status", "phase"]).and_then(Node::as_str);
    if sighting.record.form == Form::Table && phase.is_some_and(|phase| matches!(phase, "Deleting" | "Terminating")) {
        // A row tells that it goes, and not since when.
        return (true, Vec::new());
    }
    let Some(deleted) = node.at(&["metadata", "deletionTimestamp"]) else {
        // What says no time is no older than the object; how young that is, a clock that is a lower bound cannot tell.
        let is_bound = reader.is_only_bounded();
        let created = node.at(&["metadata", "creationTimestamp"]).or(node.at(&["status", "kubectlAge"]));
        let created = created.and_then(|node| age(node.as_str()?));
        let is_young = !is_bound && created.is_some_and(|age| age < PASSING);
        let each = |said: Said| {
            let seconds = said.since.as_deref().and_then(age).or(created.filter(|_| is_young));
            (said, seconds)
        };
        // A physical machine that is being made lacks this and that for a while; what failed meanwhile is told.
        let is_machine = reader.object(id).kind.group.ends_with("cluster.x-k8s.io");
        let is_made = is_machine && conditions::is_made(node) && (is_bound || created.is_none_or(|age| age < GOING));
        let wrong = conditions::wrong(node).into_iter().filter(|said| said.failed || !is_made);
        return (false, wrong.map(each).collect());
    };
    let finalizers = node.at(&["metadata", "finalizers"]).map(Node::elements).unwrap_or_default();
    let finalizers: Vec<String> = finalizers.iter().filter_map(|finalizer| finalizer.value.scalar()).collect();
    let since = deleted.value.scalar();
    let (seconds, lines) = (since.as_deref().and_then(age), vec![deleted.line]);
    let what = "Terminating".to_owned();
    let (reason, message) = (finalizers.join(", "), String::new());
    (true, vec![(Said { what, reason, message, under_way: false, failed: false, since, lines }, seconds)])
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
        to.message = both_ends(&said.message.split_whitespace().collect::<Vec<_>>().join(" "));
    }
    if to.named.len() < MOST_NAMED {
        to.named.extend(named(&to.message, namespace.unwrap_or_default()));
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

/// A message with its middle left out where it is long.
fn both_ends(message: &str) -> String {
    let length = message.chars().count();
    if length <= MESSAGE {
        return message.to_owned();
    }
    let (head, tail) = (MESSAGE / 3, MESSAGE - MESSAGE / 3);
    let kept = |from: usize, count: usize| message.chars().skip(from).take(count).collect::<String>();
    format!("{} … {}", kept(0, head), kept(length - tail, tail))
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

/// One of them; `is_apart` where others of its kind and reason say something else.
fn object(kind: &KindName, what: &str, trouble: Trouble, is_apart: bool) -> Option<Derived> {
    let Trouble { goes, reason, message, objects, places, subjects, named, longest } = trouble;
    let said = Provenance::all(places)?;
    let first = objects.first().filter(|_| is_apart).map(|first| format!(" of {first}")).unwrap_or_default();
    let mut made = Derived::new(PLURAL, None, &format!("{} {what}{first}", kind.plural));
    made.text("spec.kind", &kind.to_string(), &said);
    // As people say it where the kind is known: a name with its group is that of an API.
    let as_people = || Catalogue::shared().kind(kind).map_or_else(|| kind.to_string(), |known| known.kind.clone());
    let is_own = |name: &String| objects.iter().any(|own| own == name.trim_start_matches('/'));
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
    made.list("spec.named", named.into_iter().filter(|name| !is_own(name)), &said);
    made.number("status.count", objects.len() as i64, &said);
    made.list("status.objects", objects, &said);
    match longest {
        Some(_) => made.flag("status.lasting", true, &said),
        None => made.open("status.lasting", Provenance::bare(Basis::Named)),
    }
    Some(made)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_name_objects() {
        let own = |message: &str| named(message, "shop").join(" ");
        assert_eq!(own("waiting for LedgerShard ledger/shard-7"), "ledger/shard-7");
        assert_eq!(own("dependency 'flux-system/infra' is not ready"), "flux-system/infra");
        assert_eq!(own("secret \"wiki-tls\" not found"), "shop/wiki-tls /wiki-tls");
        assert_eq!(own("the volume is not ready yet, 3 of 4"), "");
    }

    #[test]
    fn messages_of_several_are_alike_but_for_their_names() {
        assert_eq!(
            alike("Machine md-0-x is not up after 5m", "md-0-x"),
            alike("Machine md-0-y is not up after 7m", "md-0-y")
        );
        assert_ne!(alike("waits for a", "x"), alike("waits for b", "y"));
    }
}
