//! Processes that ended, in their own words: `endings.casefile.dev`, one for each log whose end says that its program
//! cannot go on.
//!
//! Why: whatever a program is, why it ended stands in its last line, and a person looks there first. Which lines those
//! are is read in `parse` (`last_words.rs`); here is whose they are, and whether it runs again.
//!
//! Sources: `kubernetes/api:core/v1` (ContainerStatus), `kubernetes/kubernetes:pkg/printers/internalversion` (STATUS).
//!
//! Invariants: a container that is ready, or that ended well, goes on, whatever its log says; a log of a Pod that is
//! gone, and one that ended long before the bundle, gives no object; in a bundle of many files a log of which nobody
//! knows what wrote it gives none either.

use crate::{CHOSEN, speaker, subjects};
use catalogue::sources::Sources;
use catalogue::{made_names, wordings};
use derive::container_state::{State, of_container};
use derive::reader::{Read, Reader};
use facts::coverage::Basis;
use facts::derived::Derived;
use facts::log::LastWords;
use facts::object::ObjectId;
use facts::order::Order;
use facts::origin::{Citation, MemberId};
use facts::provenance::{Cited, Provenance};
use facts::store::Stream;
use parse::line;
use std::collections::{BTreeMap, BTreeSet};

pub(crate) const PLURAL: &str = "endings";

/// What ended so many seconds before the bundle is nobody's trouble now, unless its Pod says so.
const LONG_AGO: i64 = 24 * 60 * 60;
/// What its last words are about, where no wording knows it.
const OTHER: &str = "other";

/// The processes of a context that ended.
pub(crate) fn derive(reader: Reader<'_>) -> Vec<Derived> {
    let mut pods: BTreeMap<&str, Vec<ObjectId>> = BTreeMap::new();
    let streams = reader.facts.streams.iter().filter(|stream| stream.context == reader.context);
    let ended: Vec<(&Stream, MemberId, &LastWords)> = streams.filter_map(ended).collect();
    if !ended.is_empty() {
        for id in reader.all("pods") {
            pods.entry(reader.object(id).name.as_str()).or_default().push(id);
        }
    }
    let mut names = BTreeSet::new();
    let of_stream = |(stream, member, words): (&Stream, MemberId, &LastWords)| {
        let process = Process { reader, stream, member, words };
        let id = process.pod(&pods);
        let name = process.name(id);
        let name = if names.insert(name.clone()) { name } else { stream.name.to_string() };
        process.object(&name, id)
    };
    ended.into_iter().filter_map(of_stream).collect()
}

/// A stream whose newest part ends with last words.
fn ended(stream: &Stream) -> Option<(&Stream, MemberId, &LastWords)> {
    let (member, log) = stream.parts.iter().rev().find(|(_, log)| log.tally.lines > 0)?;
    // What kubectl prints instead of a log is no word of the program.
    let words = log.tally.last_words.as_ref().filter(|words| wordings::first("no-log", &words.text).is_none())?;
    Some((stream, *member, words))
}

/// The unit of systemd that a program runs as.
struct Unit {
    /// Its name, and what shows it.
    named: Read,
    /// What shows that it does not run.
    down: Option<Read>,
}

/// The unit in the name of a `systemdunits`, in front of which its machine stands.
fn unit_of(name: &str) -> &str {
    name.rsplit(' ').next().unwrap_or(name)
}

struct Process<'a> {
    reader: Reader<'a>,
    stream: &'a Stream,
    member: MemberId,
    words: &'a LastWords,
}

impl Process<'_> {
    /// The name by which a person would call it.
    fn name(&self, id: Option<ObjectId>) -> String {
        let of_pod = |container: &String, pod: &str| container.is_empty() || pod.starts_with(container.as_str());
        match (id, &self.stream.pod) {
            (Some(id), Some((_, pod, container))) if of_pod(container, pod) => self.reader.object(id).name.clone(),
            _ => self.writer().unwrap_or_else(|| speaker::of(self.stream)),
        }
    }

    /// The program whose words they are, where it is not the one whose log it is.
    fn writer(&self) -> Option<String> {
        let program = line::program(&self.words.text).filter(|_| self.stream.pod.is_none())?;
        let is_other = Sources::built_in().class_of_name(&program) != self.stream.class.as_deref();
        is_other.then_some(speaker::on_machine(&program, self.stream.node.as_deref()?))
    }

    /// The class of the program whose words they are: of a line in the journal of a machine, that of the program that wrote it.
    fn class(&self) -> Option<&str> {
        let program = line::program(&self.words.text).filter(|_| self.stream.pod.is_none());
        let of_program = program.and_then(|program| Sources::built_in().class_of_name(&program));
        of_program.or(self.stream.class.as_deref())
    }

    /// In the journal of a machine many programs have a last line; a small one that a unit calls is no process that is down.
    fn is_helper(&self) -> bool {
        let is_journal = self.stream.class.is_some() && self.writer().is_some();
        let program = line::program(&self.words.text).filter(|_| is_journal);
        let is_bundle = self.reader.facts.members.len() > CHOSEN;
        is_bundle && program.is_some_and(|program| Sources::built_in().class_of_name(&program).is_none())
    }

    /// Its Pod. A copy of a log is named after it as well: `web-1.copy`.
    fn pod(&self, pods: &BTreeMap<&str, Vec<ObjectId>>) -> Option<ObjectId> {
        let (namespace, name) = match &self.stream.pod {
            Some((namespace, pod, _)) => (namespace.as_str(), pod.as_str()),
            None => ("", speaker::file(self.stream)),
        };
        let fits = |id: &&ObjectId| {
            let own = self.reader.object(**id).namespace.as_deref();
            namespace.is_empty() || own.is_none_or(|own| own == namespace)
        };
        let names = std::iter::successors(Some(name), shorter);
        names.into_iter().find_map(|name| pods.get(name)?.iter().find(fits)).copied()
    }

    fn object(&self, name: &str, id: Option<ObjectId>) -> Option<Derived> {
        let Self { reader, stream, .. } = self;
        let pod = stream.pod.as_ref();
        let namespace = pod.map(|(namespace, ..)| namespace.as_str()).filter(|namespace| !namespace.is_empty());
        let file = pod.map_or(speaker::file(stream), |(_, pod, _)| pod.as_str());
        let pod_name = id.map_or(file, |id| reader.object(id).name.as_str());
        let container = pod.map_or("", |(.., container)| container.as_str());
        let state = match id {
            Some(id) => of_container(*reader, id, container),
            None if namespace.is_some_and(|namespace| reader.missing("pods", namespace, pod_name).is_some()) => {
                return None;
            }
            None => self.of_node(),
        };
        let unit = self.unit();
        let state = match (state, unit.as_ref().and_then(|unit| unit.down.clone())) {
            (State::Unknown, Some(down)) => State::Down(down),
            (state, _) => state,
        };
        let state = match (state, id.and_then(|id| self.made_good(id))) {
            (State::Down(_), Some(well)) => State::GoesOn(well),
            (state, _) => state,
        };
        if self.is_helper() {
            return None;
        }
        let is_known = id.is_some() || pod.is_some() || stream.class.is_some();
        let is_down = matches!(state, State::Down(_));
        if !is_known && reader.facts.members.len() > CHOSEN || !is_down && self.is_long_ago() {
            return None;
        }
        let line = self.cited();
        let mut made = Derived::new(PLURAL, namespace, name);
        made.text("spec.stream", &stream.name, &line);
        made.list("spec.subjects", self.subjects(id, namespace, pod_name), &line);
        let of_pod = (id.is_some() || pod.is_some()).then_some(pod_name);
        let of_container = Some(container).filter(|container| !container.is_empty());
        for (path, text) in [
            ("spec.class", self.class()),
            ("spec.node", stream.node.as_deref()),
            ("spec.pod", of_pod),
            ("spec.container", of_container),
        ] {
            if let Some(text) = text {
                made.text(path, text, &line);
            }
        }
        if self.class().is_none() {
            made.absent("spec.class", &line);
        }
        if of_pod.is_none() {
            made.absent("spec.pod", &line);
        }
        match &unit {
            Some(unit) => made.text("spec.unit", &unit.named.text, &unit.named),
            None => made.absent("spec.unit", &line),
        }
        made.text("status.said", &self.words.said, &line);
        made.text("status.line", &self.words.text, &line);
        made.text("status.class", self.words.class, &line);
        made.text("status.why", self.words.why.unwrap_or(OTHER), &line);
        match state {
            State::GoesOn(read) => {
                made.flag("status.goesOn", true, &read);
                made.flag("status.down", false, &read);
            }
            State::Down(read) => {
                made.flag("status.goesOn", false, &read);
                made.flag("status.down", true, &read);
            }
            State::Unknown => {
                made.open("status.goesOn", Provenance::bare(Basis::Named));
                made.open("status.down", Provenance::bare(Basis::Named));
            }
        }
        Some(made)
    }

    /// The unit of systemd that the program runs as: systemd names it behind the last words, or `systemctl` in the same paste
    /// or of the same machine.
    fn unit(&self) -> Option<Unit> {
        if let Some(word) = &self.words.unit {
            let citation = Citation::line(self.member, word.line, &word.text);
            let named = Read { text: word.unit.to_string(), cited: Cited::new(citation, Basis::Lines) };
            let down = (word.is_down && !self.is_long_ago()).then(|| named.clone());
            return Some(Unit { named, down });
        }
        let (reader, stream) = (self.reader, self.stream);
        let class = stream.class.as_deref().filter(|_| stream.pod.is_none())?;
        let of_class = |id: &ObjectId| {
            let object = reader.object(*id);
            let is_near = match (&stream.node, reader.text(*id, "spec.node")) {
                (Some(node), Some(of_unit)) => *node == of_unit.text,
                _ => object.sightings.iter().any(|sighting| sighting.record.member == self.member),
            };
            let program = unit_of(&object.name).strip_suffix(".service");
            is_near && program.is_some_and(|program| Sources::built_in().class_of_name(program) == Some(class))
        };
        let id = reader.all("systemdunits.casefile.dev").into_iter().find(of_class)?;
        let active = reader.text(id, "status.active")?;
        let sub = reader.text(id, "status.sub");
        let restarts = sub.as_ref().is_some_and(|sub| sub.text == "auto-restart");
        let down = (active.text == "failed" || restarts).then(|| sub.unwrap_or_else(|| active.clone()));
        Some(Unit { named: active.saying(unit_of(&reader.object(id).name)), down })
    }

    /// Another Pod did what this one could not: its Job is complete. Where no owner is shown, as in a table, both are named after
    /// the Job.
    fn made_good(&self, id: ObjectId) -> Option<Read> {
        let (reader, pod) = (self.reader, self.reader.object(id));
        let owner = reader.text(id, "metadata.ownerReferences[kind=Job].name").map(|read| read.text);
        // A Pod that is started again is of something that goes on.
        let has_ended = reader.is(id, "status.kubectlStatus", "Error") || reader.is(id, "status.phase", "Failed");
        let named = || made_names::of_job(&pod.name).filter(|_| has_ended).map(str::to_owned);
        let job = reader.named("jobs.batch", pod.namespace.as_deref(), &owner.or_else(named)?)?;
        let complete = reader.text(job, "status.conditions[type=Complete].status").filter(|read| read.text == "True");
        complete.or_else(|| {
            let done = reader.text(job, "status.succeeded")?;
            reader.text(job, "spec.completions").filter(|wanted| wanted.text == done.text)
        })
    }

    fn cited(&self) -> Cited {
        let citation = Citation::line(self.member, self.words.line, &self.words.text);
        let time = self.words.time.and_then(|time| time.resolve(self.reader.log_clock()));
        Cited { order: time.map(Order::at), ..Cited::new(citation, Basis::Lines) }
    }

    fn is_long_ago(&self) -> bool {
        let clock = self.reader.log_clock();
        let end = self.words.time.and_then(|time| time.resolve(clock)).or_else(|| self.stream.end(clock));
        self.reader.log_age(end).is_some_and(|age| age > LONG_AGO)
    }

    /// What runs on a Node that is Ready goes on: without its kubelet and container runtime it would not be.
    fn of_node(&self) -> State {
        let of_agent = self.stream.class.as_deref().is_some_and(|class| speaker::AGENTS.contains(&class));
        let node = self.stream.node.as_deref().filter(|_| of_agent);
        let node = node.and_then(|node| self.reader.named("nodes", None, node));
        let ready = node.and_then(|node| {
            let of_condition = self.reader.text(node, "status.conditions[type=Ready].status");
            of_condition.or_else(|| self.reader.text(node, "status.kubectlStatus"))
        });
        match ready {
            Some(read) if read.text == "True" || read.text.starts_with("Ready") => State::GoesOn(read),
            _ => State::Unknown,
        }
    }

    /// Whose trouble it is: the Pod, what made it, and the stream; as `kind namespace/name`.
    fn subjects(&self, id: Option<ObjectId>, namespace: Option<&str>, pod: &str) -> Vec<String> {
        let place = namespace.or_else(|| self.reader.object(id?).namespace.as_deref()).unwrap_or_default();
        let mut all = vec![format!("stream {}", self.stream.name)];
        if id.is_none() && self.stream.pod.is_none() {
            return all;
        }
        all.push(format!("componentruns.casefile.dev /{pod}"));
        all.extend(subjects::of_pod(self.reader, id, place, pod));
        all
    }
}

/// A name without what stands behind its last dot.
fn shorter<'n>(name: &&'n str) -> Option<&'n str> {
    name.rsplit_once('.').map(|(name, _)| name)
}
