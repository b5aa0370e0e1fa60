//! The last line that a container wrote, where its log was collected: what a person looks at first when it
//! ends again and again.
//!
//! Invariant: the line is of a log of that Pod by its path, or of one that is called after a workload, or after a container
//! which one workload alone has; the answer of a kubectl that got no log is none.

use crate::reader::{Read, Reader};
use crate::workloads::calls;
use catalogue::made_names::{is_of_few, workload_of};
use catalogue::wordings;
use facts::coverage::Basis;
use facts::in_short::in_short;
use facts::log::{LastWords as LastLine, Level, Repeated};
use facts::origin::Citation;
use facts::provenance::Cited;
use std::collections::{BTreeMap, BTreeSet};

/// Last lines by Pod name.
#[derive(Debug, Default)]
pub(crate) struct LastWords(BTreeMap<String, Vec<Words>>);

#[derive(Debug, Clone)]
pub(crate) struct Words {
    namespace: Option<String>,
    container: String,
    pub(crate) read: Read,
    /// What it says, if it is one that programs write when they cannot go on, or tells of an error.
    pub(crate) said: Option<Read>,
    /// The component of the platform for want of which it says so.
    pub(crate) needs: Option<Read>,
    /// Errors shortly before its end, the last first: a farewell often stands behind the one that says why.
    before: Vec<Read>,
}

/// Lines before the end of a log among which they stand.
const BEFORE: u32 = 30;

/// What a log is called after, without the words that say that it is one: `logs-web`, `web-logs`, `shop_web_current`.
fn called_after(file: &str) -> &str {
    let file = ["logs-", "logs_", "log-", "log_"].iter().find_map(|before| file.strip_prefix(before)).unwrap_or(file);
    let behind = ["-logs", "_logs", "-log", "_log", "-current", "_current"];
    behind.iter().find_map(|behind| file.strip_suffix(behind)).unwrap_or(file)
}

/// How a log of a workload is called: after it, or after its namespace and it.
fn calls_of(namespace: Option<&str>, workload: &str) -> impl Iterator<Item = String> {
    let with = namespace.into_iter().flat_map(|namespace| ["-", "_", "."].map(|sign| [namespace, sign].concat()));
    let with: Vec<String> = with.collect();
    std::iter::once(String::new()).chain(with).map(move |before| before + workload)
}

/// Namespace, name and workload of a Pod.
type Place = (Option<String>, String, String);

impl LastWords {
    pub(crate) fn gather(reader: Reader<'_>) -> Self {
        let mut all = Self::default();
        let mut by_file: BTreeSet<String> = BTreeSet::new();
        for stream in reader.facts.streams.iter().filter(|stream| stream.context == reader.context) {
            let last = stream.parts.iter().rev().find_map(|(member, log)| {
                let (line, text) = log.tally.ending()?;
                let is_log = wordings::first("no-log", text).is_none();
                is_log.then(|| (Cited::new(Citation::line(*member, line, text), Basis::Lines), message(text), log))
            });
            let Some((cited, text, log)) = last else { continue };
            let (pod, namespace, container) = match &stream.pod {
                Some((namespace, pod, container)) => {
                    (pod.clone(), Some(namespace.clone()).filter(|n| !n.is_empty()), container.clone())
                }
                None => {
                    let file = stream.name.rsplit('/').next().unwrap_or_default();
                    let stem = file.split(".log").next().unwrap_or(file).trim_end_matches(".previous");
                    let stem = stem.trim_end_matches(".txt").trim_end_matches("-previous");
                    // What was written on a known machine is of that one.
                    if stream.node.is_none() {
                        by_file.insert(stem.to_owned());
                    }
                    (stem.to_owned(), None, String::new())
                }
            };
            let read = Read { text, cited };
            let said = log.tally.last_words.as_ref().map(|words| read.saying(words.said.as_str()));
            let of_end = error(&read);
            let tells_why = |read: &Read| wordings::first("why-ended", &read.text).is_some();
            // One that says the same of the same error, and what it is about, says more than the last line.
            let says_more = |words: &LastLine| {
                let error = of_end.as_ref().and_then(|read| read.text.rsplit(": ").next());
                error.is_some_and(|error| words.said.contains(error))
            };
            let reason = log.tally.last_reason.as_ref();
            let reason = reason.filter(|words| says_more(words) || !of_end.as_ref().is_some_and(tells_why));
            let reason = reason.map(|words| {
                let place = Citation::line(read.cited.citation.member, words.line, &words.text);
                Read { text: words.said.to_string(), cited: Cited::new(place, Basis::Lines) }
            });
            let said = said.or(reason).or(of_end);
            let (member, end) = (read.cited.citation.member, read.cited.citation.line);
            let is_before = |line: &&Repeated| line.level >= Level::Error && end.saturating_sub(line.line) <= BEFORE;
            let mut before: Vec<&Repeated> = log.tally.templates.values().filter(is_before).collect();
            before.sort_by_key(|line| std::cmp::Reverse(line.line));
            let before = before.into_iter().map(|line| Read {
                text: line.said.to_string(),
                cited: Cited::new(Citation::line(member, line.line, &line.text), Basis::Lines),
            });
            let before: Vec<Read> = before.collect();
            let needs = [said.as_ref(), Some(&read)].into_iter().flatten().chain(&before);
            let needs = needs.filter_map(|read| Some(read.saying(&wordings::first("needs", &read.text)?.class))).next();
            all.0.entry(pod).or_default().push(Words { namespace, container, read, said, needs, before });
        }
        all.of_workloads(reader, &by_file);
        all
    }

    /// A log whose file is called after a workload (`kubectl logs deploy/web > web.log`), or after a container where one workload
    /// alone has such a container: it is of one of its Pods, and those that fail as it does end as it does.
    fn of_workloads(&mut self, reader: Reader<'_>, by_file: &BTreeSet<String>) {
        let names: BTreeSet<&String> = by_file.iter().filter(|name| is_of_few(name)).collect();
        let mut by_workload: BTreeMap<&str, Vec<&String>> = BTreeMap::new();
        for file in by_file {
            by_workload.entry(called_after(file)).or_default().push(file);
        }
        let mut pods: BTreeMap<&String, Vec<Place>> = BTreeMap::new();
        let mut of_workloads: BTreeSet<&String> = BTreeSet::new();
        for id in if by_file.is_empty() { Vec::new() } else { reader.all("pods") } {
            let object = reader.object(id);
            let made = workload_of(&object.name).or_else(|| calls::of_set(&object.name)).map(str::to_owned);
            let owned = || reader.some_plain(id, "metadata.ownerReferences[*].name").into_iter().next();
            let workload = made.or_else(owned).unwrap_or_else(|| object.name.clone());
            let calls = calls_of(object.namespace.as_deref(), &workload);
            let of_workload: Vec<&String> =
                calls.filter_map(|call| by_workload.get(call.as_str())).flatten().copied().collect();
            let containers = match names.is_empty() {
                true => Vec::new(),
                false => reader.some_plain(id, "spec.containers[*].name"),
            };
            let of_container = containers.iter().filter_map(|name| names.get(name).copied());
            let files: BTreeSet<&String> = of_workload.iter().copied().chain(of_container).collect();
            // Static Pods of several machines have a container of one name.
            let of_node =
                || reader.some_plain(id, "metadata.ownerReferences[*].kind").iter().any(|kind| kind == "Node");
            if files.is_empty() || of_node() {
                continue;
            }
            of_workloads.extend(of_workload);
            for file in files {
                let place = (object.namespace.clone(), object.name.clone(), workload.clone());
                pods.entry(file).or_default().push(place);
            }
        }
        for (name, pods) in pods {
            let workloads: BTreeSet<_> = pods.iter().map(|(namespace, _, workload)| (namespace, workload)).collect();
            let Some(words) = self.0.get(name).filter(|_| workloads.len() == 1).cloned() else { continue };
            for (namespace, pod, _) in pods.iter().filter(|(_, pod, _)| pod != name) {
                let own = words.iter().cloned().map(|words| Words {
                    namespace: namespace.clone(),
                    container: if of_workloads.contains(name) { String::new() } else { name.clone() },
                    ..words
                });
                self.0.entry(pod.clone()).or_default().extend(own.collect::<Vec<_>>());
            }
        }
    }

    /// The errors shortly before the ends of the logs of a Pod.
    pub(crate) fn before_ends(&self, namespace: Option<&str>, pod: &str) -> Vec<Read> {
        let fits = |words: &&Words| {
            words.namespace.is_none() || namespace.is_none() || words.namespace.as_deref() == namespace
        };
        self.0.get(pod).into_iter().flatten().filter(fits).flat_map(|words| words.before.iter().cloned()).collect()
    }

    /// The last words and the last lines of the containers of a Pod.
    pub(crate) fn of_pod(&self, namespace: Option<&str>, pod: &str) -> impl Iterator<Item = (Option<&Read>, &Read)> {
        let fits = move |words: &&Words| {
            words.namespace.is_none() || namespace.is_none() || words.namespace.as_deref() == namespace
        };
        self.0.get(pod).into_iter().flatten().filter(fits).map(|words| (words.said.as_ref(), &words.read))
    }

    /// The last line of a container; of the only one of the Pod, if the container is not named.
    pub(crate) fn of(&self, namespace: Option<&str>, pod: &str, container: &str) -> Option<&Words> {
        let fits = |words: &&Words| {
            (words.namespace.is_none() || namespace.is_none() || words.namespace.as_deref() == namespace)
                && (container.is_empty()
                    || words.container.is_empty()
                    || words.container == "-"
                    || words.container == container)
        };
        self.0.get(pod)?.iter().find(fits)
    }
}

/// What the last line says, if it tells of an error: of a container that ended, that is why.
fn error(read: &Read) -> Option<Read> {
    let fields = parse::line::parse(&read.text);
    let is_error = wordings::first("tells-of-error", &read.text).is_some();
    let is_error = matches!(fields.level, Level::Error | Level::Fatal) || fields.level == Level::Unknown && is_error;
    let said = parse::said::of(&fields);
    (is_error && !said.is_empty()).then(|| read.saying(in_short(&said)))
}

/// A line without the prefix of the container runtime (`TIME stderr F TEXT`) or of `kubectl logs --timestamps`.
fn message(line: &str) -> String {
    let rest = parse::cri::prefix(line.as_bytes()).ok().and_then(|(rest, _)| std::str::from_utf8(rest).ok());
    rest.filter(|rest| !rest.trim().is_empty()).unwrap_or(line).to_owned()
}
