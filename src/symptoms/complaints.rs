//! What many say alike: `complaints.casefile.dev`, one for each target that cannot be reached or trusted, and for each
//! request that is forbidden, with all who say so.
//!
//! Why: where a Service address, the DNS of the cluster or a permission is the fault, each component tells of it in a log
//! of its own, and none of them is to blame. A person sees the address that stands in all of them.
//!
//! Source: what a line says, and of which target, are the statements `complaints` (`patterns/statements.yaml`).
//!
//! Where a bundle shows more than logs and what somebody wants, two places have to say so for long; where it is a few logs and nothing else, or
//! lines that somebody cut out, they are what is asked about, and one is enough. One is enough as well where a server
//! answered and the answer is no: no network in between is in doubt, and waiting changes nothing.
//!
//! What a program said of a server that answered it later in the same log (statements `answers`) is over.
//!
//! Invariants: what was said only at a start, and not near the end of its log, is over, and counts for nothing; so is what a
//! program whose containers are ready said once or twice, long ago; nor does a log that ended long before the bundle, or before its container was started again. An address of the machine itself is another one on each machine.

use crate::{CHOSEN, all_of, speaker};
use catalogue::statements;
use derive::named_services::NamedServices;
use derive::reader::Reader;
use facts::coverage::Basis;
use facts::derived::{Derived, RestsOn};
use facts::log::{Repeated, ScannedLog};
use facts::object::ObjectId;
use facts::origin::{Citation, MemberId};
use facts::provenance::{Cited, Provenance};
use facts::store::Stream;
use std::cell::LazyCell;
use std::collections::{BTreeMap, BTreeSet};

pub(crate) const PLURAL: &str = "complaints";

/// The statements about targets.
const STATEMENTS: &str = "complaints";
/// The statements that tell which server was asked, and that it answered later.
const ANSWERS: &str = "answers";
/// What was said so many seconds before the end of its log is said up to its end.
const LATELY: i64 = 5 * 60;
/// For so many seconds things are out of reach while something restarts, is rolled out or moves to another Node.
const PASSING: i64 = 10 * 60;
/// A server was reached and refused, or its certificate was.
const ANSWERED: [&str; 2] = ["forbidden", "untrusted"];
/// What the same request is always answered, however well its program is otherwise.
const FINAL: &str = "too-large";
/// So often one place has to say so, for `PASSING` at least; while it keeps crashing, its log goes no further back.
const OFTEN: u64 = 5;
/// So many seconds of the same refusal are no race at a start.
const REFUSED: i64 = 60;
/// So many seconds are none either, if that long nothing else was answered: an API server makes its default roles sooner.
const START: i64 = 15;
/// So many seconds before its end a line is the end of its log: threads write past each other.
const AT_END: i64 = 5;
/// Said so often at the end of a log that somebody chose, it is why the log ends there.
const REPEATED: u64 = 3;
/// A log that ended so many seconds before the bundle is of another time.
const LONG_AGO: i64 = 60 * 60;
/// A log of so few lines without a time is what somebody cut out of one, or what a command said.
const EXCERPT: u64 = 12;
/// Of a log of so few lines each one counts, if nothing but logs was given.
const FEW: u64 = 3;

/// What is said of one target.
#[derive(Default)]
struct Complaint {
    speakers: BTreeSet<String>,
    /// Where they are: what runs on one Node for it says one thing.
    places: BTreeSet<String>,
    members: BTreeSet<MemberId>,
    subjects: BTreeSet<String>,
    lines: u64,
    /// For how long the one says so that says it longest.
    longest: Option<i64>,
    cited: Vec<Cited>,
    first: Option<String>,
    /// It stands in what somebody cut out.
    excerpt: bool,
    /// Its log is not much longer than that.
    short: bool,
    /// How often a log says so that ends with it.
    at_end: u64,
}

/// The complaints of a context.
pub(crate) fn derive(reader: Reader<'_>) -> Vec<Derived> {
    let Some(group) = statements::group(STATEMENTS) else { return Vec::new() };
    let mut all: BTreeMap<(&'static str, String), Complaint> = BTreeMap::new();
    for stream in reader.facts.streams.iter().filter(|stream| stream.context == reader.context) {
        let end = stream.end(stream.own_clock(reader.log_clock()));
        if stream.over.is_some() || reader.log_age(end).is_some_and(|age| age > LONG_AGO) {
            continue;
        }
        // Few logs hold a complaint about a server whose answers are known.
        let answers = LazyCell::new(|| answers(reader, stream));
        for (member, log) in &stream.parts {
            for line in log.tally.templates.values() {
                if group.literals.iter().any(|literal| line.text.contains(literal.as_str())) {
                    listen(reader, stream, (*member, log, line), &answers, &mut all);
                }
            }
        }
    }
    if all.is_empty() {
        return Vec::new();
    }
    // What is only wanted, as a manifest or a setting is, shows nothing of how anybody is.
    let tells_nothing = |id: &ObjectId| reader.object(*id).shadow || reader.plain_nodes(*id, "status").is_empty();
    let only_logs =
        reader.facts.by_kind.iter().all(|((context, kind), ids)| {
            *context != reader.context || kind.group == OWN || ids.iter().all(tells_nothing)
        });
    let is_chosen = reader.facts.members.len() <= CHOSEN;
    // What somebody chose to show beside it is not well either.
    let unwell = !only_logs && is_chosen && shows_trouble(reader);
    let alone = |complaint: &Complaint| {
        let chosen = complaint.lines > 1 || complaint.places.len() > 1 || complaint.excerpt || complaint.short;
        is_chosen && chosen && (only_logs || complaint.excerpt || unwell)
    };
    let counts = |says: &str, complaint: &Complaint| {
        let lasts = complaint.longest.is_some_and(|longest| longest >= PASSING);
        let answered = ANSWERED.contains(&says) && (lasts && complaint.lines >= OFTEN || crashes(reader, complaint));
        // Few logs that somebody chose show what holds their programs up, and one that waits tries again ever more seldom.
        let lasting = |least: i64| complaint.longest.is_some_and(|longest| longest >= least);
        let often = complaint.at_end >= OFTEN && lasting(START);
        let stuck = is_chosen && complaint.at_end >= REPEATED && lasting(REFUSED) || often;
        let refused = stuck && ANSWERED.contains(&says);
        let again = says == FINAL && complaint.lines > 1;
        complaint.places.len() > 1 && lasts || answered || refused || again || alone(complaint)
    };
    let well = reached(reader);
    let services = NamedServices::gather(reader);
    let made = all.into_iter().filter(|((says, target), complaint)| counts(says, complaint) && !well.contains(target));
    let made = made.filter_map(|((says, target), mut complaint)| {
        complaint.subjects.extend(derived_from(reader, &complaint.members));
        object(says, &target, &services, complaint)
    });
    made.collect()
}

/// Texts of lines that are looked for, beside warnings and errors.
pub(crate) fn literals() -> impl Iterator<Item = String> {
    statements::group(ANSWERS).into_iter().flat_map(|group| group.literals.iter().cloned())
}

/// When a program was last answered by the only server of a kind that it asks; in seconds.
type Answers = BTreeMap<&'static str, i64>;

fn answers(reader: Reader<'_>, stream: &Stream) -> Answers {
    let clock = stream.own_clock(reader.log_clock());
    let mut last = Answers::new();
    for hit in stream.hits() {
        let Some(time) = hit.fields.time.and_then(|time| time.resolve(clock)) else { continue };
        for said in statements::read(ANSWERS, hit).iter().filter(|said| said.about.is_none()) {
            let at = last.entry(said.says).or_insert(i64::MIN);
            *at = time.as_second().max(*at);
        }
    }
    last
}

/// Did the server of which a line complains answer later?
fn is_answered<F>(line: &Repeated, target: &str, last: Option<i64>, answers: &LazyCell<Answers, F>) -> bool
where
    F: FnOnce() -> Answers,
{
    let is_later = |says: &str| answers.get(says).zip(last).is_some_and(|(answer, last)| *answer > last);
    let is_target =
        |server: &str| server == target || server.strip_prefix(target).is_some_and(|port| port.starts_with(':'));
    let asked = statements::read(ANSWERS, line.text.as_str());
    asked.iter().any(|said| said.about.as_deref().is_some_and(is_target) && is_later(said.says))
}

/// Are the containers of the Pod whose log it is known to be ready?
fn is_well(reader: Reader<'_>, stream: &Stream) -> bool {
    let pod = stream.pod.as_ref().and_then(|(namespace, pod, _)| reader.named("pods", Some(namespace), pod));
    let ready = pod.map(|pod| reader.texts(pod, "status.containerStatuses[*].ready")).unwrap_or_default();
    !ready.is_empty() && ready.iter().all(|read| read.text == "true")
}

/// Is a Node that is shown not ready, or a Pod neither running nor done, or runs and has not been ready for a while?
fn shows_trouble(reader: Reader<'_>) -> bool {
    const WELL: [&str; 5] = ["Running", "Completed", "Succeeded", "Terminating", "ContainerCreating"];
    let node = |id: &ObjectId| {
        let ready = reader.text(*id, "status.conditions[type=Ready].status");
        ready.is_some_and(|read| read.text != "True")
            || reader.text(*id, "status.kubectlStatus").is_some_and(|read| read.text.contains("NotReady"))
    };
    let pod = |id: &ObjectId| {
        let printed = reader.text(*id, "status.kubectlStatus").or_else(|| reader.text(*id, "status.phase"));
        printed.is_some_and(|read| {
            !WELL.contains(&read.text.as_str()) || read.text == "Running" && never_ready(reader, *id)
        })
    };
    reader.all("nodes").iter().any(node) || reader.all("pods").iter().any(pod)
}

/// Does a Pod that says so keep crashing, or never become ready?
fn crashes(reader: Reader<'_>, complaint: &Complaint) -> bool {
    let pods = complaint.subjects.iter().filter_map(|subject| speaker::pod_of(subject));
    let mut pods = pods.filter_map(|(namespace, pod)| reader.named("pods", Some(namespace), pod));
    pods.any(|pod| {
        let waiting = reader.texts(pod, "status.containerStatuses[*].state.waiting.reason");
        let printed = reader.text(pod, "status.kubectlStatus");
        waiting.iter().chain(&printed).any(|read| read.text == "CrashLoopBackOff") || never_ready(reader, pod)
    })
}

/// Has a Pod said for a while that it is not ready?
fn never_ready(reader: Reader<'_>, pod: ObjectId) -> bool {
    let ready = reader.text(pod, "status.conditions[type=Ready].status");
    let since = reader.age(pod, "status.conditions[type=Ready].lastTransitionTime");
    ready.is_some_and(|read| read.text == "False") && since.is_some_and(|age| age >= PASSING)
}

/// The addresses of members of etcd that are known to be reached by now: whoever said otherwise said it before.
fn reached(reader: Reader<'_>) -> BTreeSet<String> {
    let is_reached = |id: &ObjectId| reader.is(*id, "status.reachable", "true");
    let members = reader.all("etcdclustermembers.casefile.dev").into_iter().filter(is_reached);
    members.flat_map(|id| reader.texts(id, "spec.addressList[*]")).map(|read| read.text).collect()
}

/// The group of the kinds that Casefile makes.
const OWN: &str = "casefile.dev";

/// What else was made of the same logs: who knows more about them says it better.
fn derived_from<'a>(reader: Reader<'a>, members: &'a BTreeSet<MemberId>) -> impl Iterator<Item = String> + 'a {
    let of_context =
        reader.facts.derived_from.iter().filter(move |(id, _)| reader.object(**id).context == reader.context);
    let rests = |rests: &RestsOn| {
        rests.iter().flat_map(|(_, provenance)| &provenance.citations).any(|place| members.contains(&place.member))
    };
    of_context.filter(move |(_, on)| rests(on)).map(move |(id, _)| {
        let object = reader.object(*id);
        format!("{} {}/{}", object.kind, object.namespace.as_deref().unwrap_or_default(), object.name)
    })
}

/// Was a line said once or twice, and not again for long? A log of errors alone ends with the last of them.
fn is_quiet(line: &Repeated, age: Option<i64>) -> bool {
    line.count < REPEATED && age.is_some_and(|age| age > LATELY)
}

/// Takes what a line says, if it is still said at the end of its log.
fn listen<F: FnOnce() -> Answers>(
    reader: Reader<'_>,
    stream: &Stream,
    (member, log, line): (MemberId, &ScannedLog, &Repeated),
    answers: &LazyCell<Answers, F>,
    all: &mut BTreeMap<(&'static str, String), Complaint>,
) {
    let clock = stream.own_clock(reader.log_clock());
    let (first, last, end) = (
        line.time.and_then(|time| time.resolve(clock)),
        line.last.and_then(|time| time.resolve(clock)),
        stream.end(clock),
    );
    if end.zip(last).is_some_and(|(end, last)| end.duration_since(last).as_secs() > LATELY) {
        return;
    }
    if is_quiet(line, reader.log_age(last)) && is_well(reader, stream) {
        return;
    }
    for said in statements::read(STATEMENTS, line.text.as_str()) {
        let Some(target) = said.about.map(|target| target.replace('\\', "")) else { continue };
        if is_answered(line, &target, last.map(|last| last.as_second()), answers) {
            continue;
        }
        let complaint = all.entry((said.says, target)).or_default();
        complaint.speakers.insert(speaker::of(stream));
        complaint.places.insert(speaker::place(stream));
        complaint.members.insert(member);
        complaint.subjects.insert(format!("stream {}", stream.name));
        if let Some((namespace, pod, _)) = &stream.pod {
            complaint.subjects.insert(format!("pods {namespace}/{pod}"));
        }
        complaint.lines += line.count;
        complaint.longest =
            complaint.longest.max(first.zip(last).map(|(first, last)| last.duration_since(first).as_secs()));
        complaint.short |= log.tally.lines <= FEW;
        let is_end = end.zip(last).is_some_and(|(end, last)| end.duration_since(last).as_secs() <= AT_END);
        if is_end && !is_well(reader, stream) {
            complaint.at_end = complaint.at_end.max(line.count);
        }
        complaint.excerpt |= line.time.is_none() && log.tally.lines <= EXCERPT && !is_well(reader, stream);
        complaint.cited.push(Cited::new(Citation::line(member, line.line, &line.text), Basis::Lines));
        complaint.first.get_or_insert_with(|| line.text.to_string());
    }
}

fn object(says: &str, target: &str, services: &NamedServices, complaint: Complaint) -> Option<Derived> {
    let Complaint { speakers, places, subjects, lines, longest, cited, first, .. } = complaint;
    let lines_of = Provenance::all(cited)?;
    let mut made = Derived::new(PLURAL, None, target);
    made.text("spec.says", says, &lines_of);
    let pod = subjects.iter().find_map(|subject| speaker::pod_of(subject));
    // A name alone is one of the namespace of who says it.
    let namespace = pod.map(|(namespace, _)| namespace).unwrap_or_default();
    made.list("spec.services", services.within(target, namespace), &lines_of);
    if let Some((namespace, pod)) = pod {
        made.text("spec.namespace", namespace, &lines_of);
        made.text("spec.pod", pod, &lines_of);
    }
    // Who may not: the target of a refusal names it.
    if let Some((user, _)) = target.strip_prefix("User \"").and_then(|rest| rest.split_once('"')) {
        made.text("spec.user", user, &lines_of);
    }
    made.value("spec.subjects", all_of(subjects), &lines_of);
    made.list("status.speakers", speakers.iter().cloned(), &lines_of);
    made.number("status.speakerCount", places.len() as i64, &lines_of);
    made.number("status.lines", i64::try_from(lines).ok(), &lines_of);
    match longest {
        Some(longest) => made.flag("status.lasting", longest >= PASSING, &lines_of),
        None => made.open("status.lasting", &lines_of),
    }
    made.text("status.line", &first?, &lines_of);
    Some(made)
}
