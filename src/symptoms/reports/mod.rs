//! What tools report that is wrong: `reports.casefile.dev`, one for each thing that a command, a table of a tool, a full
//! disk, a unit, a container of a node or a warning event tells of.
//!
//! Why: half of all questions begin with one error of one command, and a person reads the cause in it at once. In a bundle of
//! many files the same error is noise of collecting; so only what somebody chose to show is read.
//!
//! A log of few lines that ends with an error is such a report as well.
//!
//! Sources: `patterns/tools.yaml` for what tools print, `warning-event` of `patterns/wordings.yaml` for events.
//!
//! Beside a whole collection only what `tools::is_judged_beside` names is read: states that nothing else tells, and errors of
//! commands that nobody runs to collect.
//!
//! What ends with an error in lines of which nobody says whose they are accuses nobody where all else that is shown is well.
//!
//! Invariants: all else is asked of pastes alone (`add_all`); what got through later, or was well later, is over; a file system
//! that is always full (an image, a disc) is none.

mod events;
mod logs;

use crate::{CHOSEN, subjects, troubles};
use catalogue::tools;
use derive::reader::{Read, Reader};
use facts::derived::Derived;
use facts::human_duration;
use facts::node::{Node, Value};
use facts::object::{Form, Object, ObjectId};
use facts::origin::MemberId;
use facts::provenance::{Cited, Provenance};
use facts::stamp::time_of;
use facts::store::Stream;
use std::collections::{BTreeMap, BTreeSet};

pub(crate) const PLURAL: &str = "reports";

/// What a line says of a day so many seconds ago is nobody's trouble now.
const OF_OLD: i64 = 7 * 24 * 60 * 60;
/// An event that was seen so often is no accident.
const OFTEN: i64 = 3;
/// A container that has run for so many seconds and is not ready has had its time.
const NOT_READY: i64 = 10 * 60;
/// A Pod is scheduled, and its images are pulled, within so many seconds as a rule.
const WAITS: i64 = 2 * 60;
/// Used so far, in per cent, a file system is full: what is left belongs to root.
const FULL: i64 = 98;

/// One thing that is reported.
#[derive(Default)]
struct Report {
    name: String,
    tool: String,
    class: String,
    of: String,
    says: String,
    /// What came before it, and tells why.
    after: String,
    /// It was said at least twice, or tells of a state.
    settled: bool,
    /// It tells of a state.
    is_state: bool,
    /// The day that it names.
    day: Option<String>,
    /// It was wrong before, and is well by now.
    over: bool,
    /// What it is about is started again and again, so that it is well for a moment only.
    restarts: bool,
    /// It stands in lines of which nobody says whose they are.
    nameless: bool,
    subjects: Vec<String>,
    /// Kind, namespace and name of the object that it is about, if it is not one of those.
    about: Option<(String, String, String)>,
    /// What its line names.
    names: BTreeSet<String>,
    cited: Vec<Cited>,
}

/// Lines of the bundle.
type Places = BTreeSet<(MemberId, u32)>;

/// What others say of a context.
#[derive(Debug)]
pub(crate) struct Known {
    /// The lines on which last words and complaints rest.
    pub elsewhere: Places,
    /// Those on which conditions rest, which say more than a cell of a table of any kind.
    pub of_conditions: Places,
    /// Names of which conditions tell more than a word.
    pub told: BTreeSet<String>,
}

/// The reports of a context.
pub(crate) fn derive(reader: Reader<'_>, known: &Known) -> Vec<Derived> {
    let Known { elsewhere, of_conditions, told } = known;
    let mut all: Vec<Report> = Vec::new();
    let of_tools = reader.all("toolreports.casefile.dev").into_iter().filter_map(|id| of_tool(reader, id));
    all.extend(together(of_tools.collect()));
    all.extend(reader.all("filesystems.casefile.dev").into_iter().filter_map(|id| of_disk(reader, id)));
    all.extend(reader.all("systemdunits.casefile.dev").into_iter().filter_map(|id| of_unit(reader, id)));
    all.extend(reader.all("crictlcontainers.casefile.dev").into_iter().filter_map(|id| of_container(reader, id)));
    all.extend(reader.all("pods").into_iter().filter_map(|id| of_waiting(reader, id)));
    all.extend(reader.all("pods").into_iter().filter_map(|id| of_ended(reader, id)));
    // Beside the Nodes that they run on Pods may wait for one that starts.
    if reader.all("nodes").is_empty() {
        all.extend(reader.all("pods").into_iter().filter_map(|id| of_pod(reader, id)));
    }
    all.extend(reader.all("nodes").into_iter().filter_map(|id| of_node(reader, id)));
    all.extend(events::reports(reader));
    all.extend(logs::reports(reader));
    name_objects(reader, &mut all);
    let said_before = |report: &Report| {
        let is_in = |places: &Places| {
            report.cited.iter().all(|cited| places.contains(&(cited.citation.member, cited.citation.line)))
        };
        let is_row = report.class == tools::OF_ANY_ROW;
        let by_condition = is_row && (told.contains(&report.of) || is_in(of_conditions));
        !report.cited.is_empty() && (is_in(elsewhere) || by_condition)
    };
    say_it_once(&mut all);
    all.retain(|report| !said_before(report));
    let is_told = |report: &Report| !report.over && !report.nameless;
    if elsewhere.is_empty() && of_conditions.is_empty() && !all.iter().any(is_told) && shows_states(reader) {
        for report in all.iter_mut().filter(|report| report.nameless) {
            report.class = OF_COLLECTED_LOG.to_owned();
        }
    }
    all.into_iter().filter_map(object).collect()
}

/// Is it shown of several objects how they are?
fn shows_states(reader: Reader<'_>) -> bool {
    let is_of_context = |object: &Object| object.context == reader.context && is_told_of(object) && !object.shadow;
    let objects = (0..).zip(&reader.facts.objects).filter(|(_, object)| is_of_context(object));
    let mut shown = objects.filter(|(index, _)| !reader.plain_nodes(ObjectId(*index), "status").is_empty());
    shown.nth(STATES - 1).is_some()
}

/// The reports of tools that count in what was collected as well; `elsewhere` as above.
pub(crate) fn beside(reader: Reader<'_>, elsewhere: &Places) -> Vec<Derived> {
    let reports = reader.all("toolreports.casefile.dev").into_iter().filter_map(|id| of_tool(reader, id));
    // What a log says went on, and signatures read how.
    let is_log = |stream: &&Stream| stream.class.is_some() || stream.pod.is_some();
    let logs = reader.facts.streams.iter().filter(is_log).flat_map(|stream| &stream.parts);
    let logs: BTreeSet<MemberId> = logs.map(|(member, _)| *member).collect();
    let counts = |report: &Report| {
        tools::is_judged_beside(&report.tool, &report.class, report.is_state)
            && !is_of_old(reader, report)
            && !report.cited.iter().any(|cited| logs.contains(&cited.citation.member))
    };
    let mut all = together(reports.filter(counts).collect());
    // Whoever keeps a few logs of a cluster looked closer at those. They prove something beside what else is wrong, and
    // accuse nobody by themselves.
    let own_streams = reader.facts.streams.iter().filter(|stream| stream.context == reader.context).count();
    if own_streams <= FEW_LOGS {
        all.extend(logs::reports(reader).into_iter().map(|log| Report { class: OF_COLLECTED_LOG.to_owned(), ..log }));
    }
    // Who adds what `df` says to a few files asks about that disk.
    if reader.facts.members.len() <= CHOSEN {
        all.extend(reader.all("filesystems.casefile.dev").into_iter().filter_map(|id| of_disk(reader, id)));
    }
    name_objects(reader, &mut all);
    say_it_once(&mut all);
    let said_before = |report: &Report| {
        let mut places = report.cited.iter().map(|cited| (cited.citation.member, cited.citation.line));
        !report.cited.is_empty() && places.all(|place| elsewhere.contains(&place))
    };
    all.into_iter().filter(|report| !said_before(report)).filter_map(object).collect()
}

/// Is it of a day that was long before the bundle? A release that failed in spring stays so.
fn is_of_old(reader: Reader<'_>, report: &Report) -> bool {
    let day = report.day.as_ref().and_then(|day| time_of(&format!("{day}T00:00:00Z")));
    day.and_then(|day| reader.age_of(day)).is_some_and(|age| age > OF_OLD)
}

/// A row of a table that is also read as an object is about that object; what names a Pod that was read is about the Pod.
fn name_objects(reader: Reader<'_>, all: &mut Vec<Report>) {
    let pods: BTreeMap<&str, ObjectId> =
        reader.all("pods").into_iter().map(|id| (reader.object(id).name.as_str(), id)).collect();
    for report in all.iter_mut().filter(|report| report.subjects.is_empty()) {
        let name = report.of.strip_prefix("pod ").unwrap_or(&report.of);
        report.subjects.extend(pods.get(name).into_iter().flat_map(|id| subjects::of_object(reader, *id)));
    }
    let mut rows: BTreeMap<(MemberId, u32), &mut Vec<String>> = BTreeMap::new();
    // A row of a known table is about its object as well.
    let is_row =
        |report: &&mut Report| report.class == tools::OF_ANY_ROW || report.subjects.is_empty() && !report.of.is_empty();
    for report in all.iter_mut().filter(is_row) {
        if let Some(cited) = report.cited.first() {
            rows.insert((cited.citation.member, cited.citation.line), &mut report.subjects);
        }
    }
    if rows.is_empty() {
        return;
    }
    let past = troubles::past(reader);
    let mut history = Places::new();
    for (index, object) in (0..).zip(&reader.facts.objects).filter(|(_, object)| is_told_of(object)) {
        let namespace = object.namespace.as_deref().unwrap_or_default();
        for sighting in &object.sightings {
            let place = (sighting.record.member, sighting.record.node.line);
            if let Some(subjects) = rows.get_mut(&place) {
                subjects.push(format!("{} {namespace}/{}", object.kind, object.name));
                history.extend((past.contains(&ObjectId(index)) || shows_since_when(object)).then_some(place));
            }
        }
    }
    let is_history = |report: &Report| {
        let place = report.cited.first().map(|cited| (cited.citation.member, cited.citation.line));
        report.class == tools::OF_ANY_ROW && place.is_some_and(|place| history.contains(&place))
    };
    all.retain(|report| !is_history(report));
}

/// Is it shown of an object since when its conditions are as they are? They tell more than a cell of a table, which may be young.
fn shows_since_when(object: &Object) -> bool {
    let shown = object.sightings.iter().filter(|sighting| sighting.record.form != Form::Table);
    let mut conditions = shown.filter_map(|sighting| sighting.record.node.at(&["status", "conditions"]));
    conditions.any(|conditions| conditions.elements().iter().any(|one| one.field("lastTransitionTime").is_some()))
}

/// Is it an object that a report can be about? An event is about another one.
fn is_told_of(object: &Object) -> bool {
    object.kind.group != "casefile.dev" && object.kind.plural != "events"
}

fn object(report: Report) -> Option<Derived> {
    let said = Provenance::all(report.cited)?;
    let mut made = Derived::new(PLURAL, None, &report.name);
    made.text("spec.tool", &report.tool, &said);
    // Whoever shows an object is no part of what is wrong with it.
    let is_shown = matches!(report.tool.as_str(), "kubectl" | "events") && !report.of.is_empty();
    if !is_shown {
        made.text("spec.by", &report.tool, &said);
    }
    if !report.of.is_empty() {
        made.text("spec.of", &report.of, &said);
    }
    if let Some((kind, namespace, name)) = report.about.as_ref().or(only_subject(&report.subjects).as_ref()) {
        made.text("spec.kind", kind, &said);
        made.text("spec.name", name, &said);
        if kind == "pods" || kind == "pod" {
            made.text("spec.pod", name, &said);
        }
        if !namespace.is_empty() {
            made.text("spec.namespace", namespace, &said);
        }
    }
    let subjects = report.subjects.iter().map(|subject| Node::str(0, subject.as_str())).collect();
    made.value("spec.subjects", Value::List(subjects), &said);
    let names = report.names.iter().map(|name| Node::str(0, name.as_str())).collect();
    made.value("spec.names", Value::List(names), &said);
    made.text("status.class", &report.class, &said);
    made.text("status.says", &report.says, &said);
    if !report.after.is_empty() {
        made.text("status.after", &report.after, &said);
    }
    made.flag("status.wrong", !report.over, &said);
    made.flag("status.settled", report.settled, &said);
    made.flag("status.restartsAgain", report.restarts, &said);
    Some(made)
}

/// The object that a report is about, if it is about one: kind, namespace and name.
fn only_subject(subjects: &[String]) -> Option<(String, String, String)> {
    let objects = subjects.iter().filter_map(|subject| {
        let (kind, of) = subject.split_once(' ')?;
        let (namespace, name) = of.split_once('/')?;
        let is_object = kind != "stream" && !kind.ends_with(".casefile.dev");
        is_object.then(|| (kind.to_owned(), namespace.to_owned(), name.to_owned()))
    });
    let all: BTreeSet<_> = objects.collect();
    all.into_iter().next().filter(|_| subjects.len() <= 2)
}

/// A line or row of a tool.
fn of_tool(reader: Reader<'_>, id: ObjectId) -> Option<Report> {
    let object = reader.object(id);
    let is = |node: &Node, key: &str| node.at(&["status", key]).is_some_and(|node| node.value == Value::Bool(true));
    let wrong: Vec<&Node> = object
        .sightings
        .iter()
        .map(|sighting| -> &Node { &sighting.record.node })
        .filter(|node| is(node, "wrong"))
        .collect();
    let last = *wrong.last()?;
    let text = |keys: &[&str]| last.at(keys).and_then(Node::as_str).unwrap_or_default().to_owned();
    let state = is(last, "state");
    let over = reader.text(id, "status.wrong").is_some_and(|read| read.text == "false");
    // A state that is over is none.
    if over && state {
        return None;
    }
    let said = reader.texts(id, "status.says");
    let cited = said.into_iter().map(|read| read.cited);
    Some(Report {
        name: object.name.clone(),
        tool: text(&["spec", "tool"]),
        class: text(&["status", "class"]),
        of: text(&["spec", "of"]),
        says: text(&["status", "says"]),
        settled: state || wrong.len() > 1,
        is_state: state,
        day: Some(text(&["status", "day"])).filter(|day| !day.is_empty()),
        over,
        cited: cited.collect(),
        ..Report::default()
    })
}

/// Leaves out what another report of the same tool says with more words, and cites it there: the row of a list says
/// `ComparisonError`, and the thing itself why.
fn say_it_once(all: &mut Vec<Report>) {
    let said = |report: &Report| (report.tool.clone(), report.says.split_whitespace().collect::<Vec<_>>().join(" "));
    let mut sorted: Vec<usize> = (0..all.len()).filter(|at| !all[*at].over).collect();
    sorted.sort_by_cached_key(|at| said(&all[*at]));
    let mut more: BTreeMap<usize, usize> = BTreeMap::new();
    for pair in sorted.windows(2).rev() {
        let [brief, full] = pair else { continue };
        let ((tool, short), (of, long)) = (said(&all[*brief]), said(&all[*full]));
        let goes_on = long.strip_prefix(short.as_str()).is_some_and(|rest| rest.starts_with([' ', ':']));
        // A whole sentence says it as well as a longer one.
        let is_word = !short.is_empty() && !short.contains(' ');
        if tool == of && is_word && (goes_on || long == short && more.contains_key(full)) {
            more.insert(*brief, *full);
        }
    }
    for (brief, full) in &more {
        let cited = all[*brief].cited.clone();
        let last = std::iter::successors(Some(*full), |at| more.get(at).copied()).last().unwrap_or(*full);
        all[last].cited.extend(cited);
    }
    let mut at = 0..;
    all.retain(|_| at.next().is_some_and(|at| !more.contains_key(&at)));
}

/// One for what a tool says of many things in one go, as of each certificate or of each thing that a check of a machine
/// found.
fn together(mut all: Vec<Report>) -> Vec<Report> {
    let place = |report: &Report| report.cited.first().map(|cited| (cited.citation.member, cited.citation.line));
    all.sort_by_key(place);
    let goes_on = |a: &Report, b: &Report| {
        let near = place(a).zip(place(b)).is_some_and(|(a, b)| a.0 == b.0 && b.1 - a.1 <= NEAR);
        let alike = (&a.tool, &a.class, a.over) == (&b.tool, &b.class, b.over) && a.class != tools::OF_ANY_ROW;
        near && alike
    };
    let mut out: Vec<Report> = Vec::new();
    let mut rest = all.into_iter().peekable();
    while let Some(first) = rest.next() {
        let mut group = vec![first];
        while let Some(next) = rest.next_if(|next| group.last().is_some_and(|last| goes_on(last, next))) {
            group.push(next);
        }
        // A heading says nothing by itself.
        let said: Vec<String> = group
            .iter()
            .filter(|report| !report.says.ends_with(':'))
            .map(|report| match report.of.as_str() {
                "" => report.says.clone(),
                of => format!("{of}: {}", report.says),
            })
            .collect();
        if said.len() < MANY {
            out.extend(group);
            continue;
        }
        let more = said.len() - SHOWN;
        let says = format!("{}; and {more} more", said.get(..SHOWN).unwrap_or_default().join("; "));
        let cited = group.iter().flat_map(|report| report.cited.clone()).collect();
        let settled = group.iter().any(|report| report.settled);
        let first = group.into_iter().next();
        out.extend(first.map(|first| Report { of: String::new(), says, cited, settled, ..first }));
    }
    out
}

/// Whoever shows of so many objects how they are shows what is not well as well.
const STATES: usize = 3;
/// A collector takes more logs than somebody who chooses them.
const FEW_LOGS: usize = 5;
/// The class of what the end of such a log says.
const OF_COLLECTED_LOG: &str = "collected-log";
/// Lines between two rows of one output.
const NEAR: u32 = 8;
/// From so many on they are one report.
const MANY: usize = 4;
/// So many of them are said one by one.
const SHOWN: usize = 3;

/// A report about an object by what was read of it.
fn state(name: String, tool: &str, class: &str, says: String, read: &Read) -> Report {
    Report {
        name,
        tool: tool.to_owned(),
        class: class.to_owned(),
        says,
        settled: true,
        cited: vec![read.cited.clone()],
        ..Report::default()
    }
}

fn of_disk(reader: Reader<'_>, id: ObjectId) -> Option<Report> {
    let text = |path: &str| reader.text(id, path);
    let (device, mount) = (text("spec.device")?.text, text("spec.mount")?.text);
    // Images and discs are full as they are made, and layers of containers repeat the disk below them.
    let is_disk = !["/dev/loop", "/dev/sr", "tmpfs", "devtmpfs", "overlay", "shm", "squashfs", "udev", "none"]
        .iter()
        .any(|start| device.starts_with(start))
        && !["/snap", "/media", "/mnt/cdrom", "/sys"].iter().any(|start| mount.starts_with(start));
    let full = |path: &str| {
        let percent = text(path)?;
        (percent.text.parse::<i64>().ok()? >= FULL).then_some(percent)
    };
    let (class, percent, what) = match (full("status.usedPercent"), full("status.inodesUsedPercent")) {
        (Some(percent), _) => ("disk", percent, "of its space"),
        (None, Some(percent)) => ("inodes", percent, "of its inodes"),
        _ => return None,
    };
    let says = format!("{} % {what} are used ({device})", percent.text);
    is_disk.then(|| Report { of: mount.clone(), ..state(format!("{class} {mount}"), "df", class, says, &percent) })
}

fn of_unit(reader: Reader<'_>, id: ObjectId) -> Option<Report> {
    let (active, sub) = (reader.text(id, "status.active")?, reader.text(id, "status.sub"));
    let restarts = sub.as_ref().is_some_and(|sub| sub.text == "auto-restart");
    // The name of its machine stands in front of it.
    let unit = reader.object(id).name.rsplit(' ').next().unwrap_or_default().to_owned();
    let stopped = active.text == "inactive" && tools::must_run(&unit);
    (active.text == "failed" || restarts || stopped).then(|| {
        let says = match (restarts, stopped) {
            (true, _) => "it ends and is started again and again",
            (_, true) => "it is stopped (inactive), and nothing starts it",
            _ => "it has failed",
        };
        let says = says.to_owned();
        Report { of: unit.clone(), ..state(format!("unit {unit}"), "systemctl", "unit", says, &active) }
    })
}

/// A container that the runtime starts again and again. `docker ps` says so in one word.
fn of_container(reader: Reader<'_>, id: ObjectId) -> Option<Report> {
    let name = reader.text(id, "spec.name")?.text;
    let restarts = reader.text(id, "status.restarting")?;
    let code =
        reader.text(id, "status.exitCode").map_or(String::new(), |code| format!(", last with exit code {}", code.text));
    let says = format!("it ends and is started again and again{code}");
    (restarts.text == "true").then(|| Report {
        of: name.clone(),
        subjects: vec![format!("crictlcontainers.casefile.dev /{}", reader.object(id).name)],
        ..state(format!("container {name}"), "docker", "container", says, &restarts)
    })
}

/// A Pod that a table shows as waiting, or as not ready, for long.
fn of_pod(reader: Reader<'_>, id: ObjectId) -> Option<Report> {
    let printed = reader.text(id, "status.kubectlStatus")?;
    let age = human_duration::parse(&reader.text(id, "status.kubectlAge")?.text)?.from;
    let ready = reader.number(id, "status.readyContainers")?;
    let all = reader.number(id, "status.totalContainers")?;
    let (normal, class) = match printed.text.as_str() {
        "Running" => (NOT_READY, "not-ready"),
        "Pending" => (WAITS, "pending"),
        "ContainerCreating" | "PodInitializing" => (WAITS, "creating"),
        _ => return None,
    };
    let object = reader.object(id);
    let name = &object.name;
    (ready < all && age >= normal).then(|| Report {
        of: name.clone(),
        subjects: subjects::of_object(reader, id),
        ..state(
            format!("pod {name}"),
            "kubectl",
            class,
            format!("{}, {ready} of {all} containers ready", printed.text),
            &printed,
        )
    })
}

/// A Pod with a container that waits because of a fault.
fn of_waiting(reader: Reader<'_>, id: ObjectId) -> Option<Report> {
    let reasons = reader.some_texts(id, "status.containerStatuses[*].state.waiting.reason").into_iter();
    let inits = reader.some_texts(id, "status.initContainerStatuses[*].state.waiting.reason");
    let printed = reader.text(id, "status.kubectlStatus");
    let reason = reasons.chain(inits).chain(printed).find(|reason| tools::is_fault_of_waiting(&reason.text))?;
    let object = reader.object(id);
    let name = &object.name;
    Some(Report {
        of: name.clone(),
        subjects: subjects::of_object(reader, id),
        ..state(format!("waiting {name}"), "kubectl", "waiting", format!("a container waits: {}", reason.text), &reason)
    })
}

/// A Pod with a container that was ended again and again for a reason that tells why.
fn of_ended(reader: Reader<'_>, id: ObjectId) -> Option<Report> {
    let often = |read: &Read| read.text.parse::<i64>().is_ok_and(|count| count >= OFTEN);
    let restarts = reader.some_texts(id, "status.containerStatuses[*].restartCount").into_iter().find(often)?;
    let ended = ["state", "lastState"].into_iter().find_map(|state| {
        let reasons = reader.some_texts(id, &format!("status.containerStatuses[*].{state}.terminated.reason"));
        reasons.into_iter().find(|reason| tools::is_fault_of_ending(&reason.text))
    })?;
    let object = reader.object(id);
    let name = &object.name;
    let says = format!("a container was ended {} times, last with {}", restarts.text, ended.text);
    let mut report = Report {
        of: name.clone(),
        subjects: subjects::of_object(reader, id),
        ..state(format!("ended {name}"), "kubectl", "oom", says, &ended)
    };
    report.cited.push(restarts.cited);
    Some(report)
}

/// A Node that a table, or its own condition, shows as not ready.
fn of_node(reader: Reader<'_>, id: ObjectId) -> Option<Report> {
    let name = &reader.object(id).name;
    let condition = |field: &str| reader.text(id, &format!("status.conditions[type=Ready].{field}"));
    let table = reader.text(id, "status.kubectlStatus").filter(|read| read.text == "NotReady");
    // Somebody works on a Node that takes no Pods.
    if reader.text(id, "spec.unschedulable").is_some_and(|cordoned| cordoned.text == "true") {
        return None;
    }
    let message = condition("message").filter(|_| condition("status").is_some_and(|status| status.text != "True"));
    let printed = message.or(table)?;
    let age = reader.text(id, "status.kubectlAge").and_then(|age| human_duration::parse(&age.text));
    (age.is_none_or(|age| age.from >= NOT_READY)).then(|| Report {
        of: name.clone(),
        subjects: vec![format!("nodes /{name}"), format!("nodehealths.casefile.dev /{name}")],
        ..state(format!("node {name}"), "kubectl", "node", printed.text.clone(), &printed)
    })
}
