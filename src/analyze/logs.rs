//! Where the collectors of Troubleshoot would have put the logs of a bundle of another layout.
//!
//! Why: a `textAnalyze` names a file, and in a must-gather the same log has another path. What it is the log of, the facts
//! know; where Troubleshoot puts it, `patterns/analyzers.yaml` says.
//!
//! Invariants: a log gets only paths of collectors that would have collected it, as far as the objects tell; a Pod that a
//! collector selects and whose log nobody collected is told, and not passed over; the log before the last start is never
//! taken for the current one.

use crate::files::Files;
use crate::known::shown;
use crate::of::selector;
use crate::spec::LogsOf;
use crate::world::World;
use catalogue::analyzers::{self, LogPath};
use catalogue::kinds::Catalogue;
use diagnose::Collected;
use facts::kind::KindName;
use facts::node::Node;
use facts::object::{ContextId, ObjectId};
use facts::origin::MemberId;
use facts::store::{Facts, Stream};
use std::collections::{BTreeMap, BTreeSet};

/// One log and the path that it would have.
#[derive(Debug)]
pub(crate) struct Placed {
    pub path: String,
    pub member: MemberId,
    /// Its lines; the whole member without.
    pub span: Option<(u32, u32)>,
}

/// The logs of all clusters.
#[derive(Debug, Default)]
pub(crate) struct Logs {
    pub placed: Vec<Placed>,
    /// Paths of logs that a collector would have collected, and whose they are.
    pub absent: Vec<(String, String)>,
}

/// The log of one container: the current one and the one before it.
type Parts = [Option<(MemberId, Option<(u32, u32)>)>; 2];

/// Where the logs would be for collectors like these.
pub(crate) fn placed(collected: &Collected, catalogue: &Catalogue, collectors: &[&LogsOf]) -> Logs {
    let facts = &collected.facts;
    let files = Files::default();
    let mut logs = Logs::default();
    for context in facts.context_ids() {
        let world = World { facts, catalogue, files: &files, context, nesting: 0 };
        let streams = streams(facts, catalogue, context);
        for path in analyzers::log_paths() {
            if path.is_of_collector() {
                for collector in collectors {
                    of_collector(&world, path, collector, &streams, &mut logs);
                }
            } else {
                for (pod, parts) in &streams {
                    place(path, "", pod, parts, &mut logs);
                }
            }
        }
    }
    logs
}

/// Namespace, Pod and container.
type OfPod = (String, String, String);

/// The logs of containers, each with its parts.
fn streams(facts: &Facts, catalogue: &Catalogue, context: ContextId) -> BTreeMap<OfPod, Parts> {
    // A file that holds one log is that log, with what stands before its first line.
    let mut shared: BTreeMap<MemberId, usize> = BTreeMap::new();
    for (member, _) in facts.streams.iter().flat_map(|stream| &stream.parts) {
        *shared.entry(*member).or_default() += 1;
    }
    let mut found = BTreeMap::new();
    for stream in facts.streams.iter().filter(|stream| stream.context == context) {
        let Some(pod) = stream.pod.as_ref().filter(|(_, _, container)| !container.is_empty()) else { continue };
        found.insert(pod.clone(), parts(facts, catalogue, stream, &shared));
    }
    found
}

/// Which part of a stream is the current log, and which the one before it: by what the names of the files say.
fn parts(facts: &Facts, catalogue: &Catalogue, stream: &Stream, shared: &BTreeMap<MemberId, usize>) -> Parts {
    let mut by_start = BTreeMap::new();
    for (member, log) in &stream.parts {
        let part = catalogue.sources.locate(facts.members.get(member).map_or("", |name| name.inside())).part;
        if part.rotation == 0 {
            let span = shared.get(member).is_some_and(|count| *count > 1).then_some(log.span);
            by_start.insert(part.restart, (*member, span));
        }
    }
    let current = by_start.keys().next_back().copied().filter(|start| *start >= 0);
    let previous = by_start.keys().rev().copied().find(|start| Some(*start) != current);
    [current, previous].map(|start| by_start.get(&start?).copied())
}

fn place(path: &LogPath, collector: &str, (namespace, pod, container): &OfPod, parts: &Parts, logs: &mut Logs) {
    for (part, is_previous) in parts.iter().zip([false, true]) {
        if let Some((member, span)) = *part {
            let path = path.filled(collector, (namespace, pod, container), is_previous);
            logs.placed.push(Placed { path, member, span });
        }
    }
}

/// The logs that a collector would have collected.
fn of_collector(
    world: &World<'_>,
    path: &LogPath,
    collector: &LogsOf,
    streams: &BTreeMap<OfPod, Parts>,
    logs: &mut Logs,
) {
    let is_in = |namespace: &str| collector.namespace.is_empty() || collector.namespace == namespace;
    let is_named =
        |container: &str| collector.containers.is_empty() || collector.containers.iter().any(|name| name == container);
    let mut seen: BTreeSet<(&str, &str)> = BTreeSet::new();
    for id in world.facts.of_kind(world.context, &KindName::parse("pods")) {
        let object = world.facts.object(*id);
        let Some(namespace) = object.namespace.as_deref().filter(|namespace| is_in(namespace)) else { continue };
        seen.insert((namespace, object.name.as_str()));
        // A Pod whose labels nobody knows is none of those that were selected: nothing is said of it.
        if !selector::all(world, *id, &collector.selector).unwrap_or(false) {
            continue;
        }
        let containers = containers(world, *id);
        if path.alone && containers.len() > 1 {
            continue;
        }
        for container in containers.iter().filter(|container| is_named(container)) {
            let of = (namespace.to_owned(), object.name.clone(), container.clone());
            let parts = streams.get(&of).copied().unwrap_or_default();
            place(path, &collector.name, &of, &parts, logs);
            if parts[0].is_none() {
                let path = path.filled(&collector.name, (namespace, &object.name, container), false);
                logs.absent.push((path, shown(&format!("{container} of Pod {namespace}/{}", object.name))));
            }
        }
    }
    // Pods of which only logs were collected.
    for (of, parts) in streams.iter().filter(|_| collector.selector.is_empty()) {
        let (namespace, pod, container) = of;
        if is_in(namespace) && is_named(container) && !seen.contains(&(namespace.as_str(), pod.as_str())) {
            place(path, &collector.name, of, parts, logs);
        }
    }
}

/// The names of the containers of a Pod, those that run before the others too.
fn containers(world: &World<'_>, id: ObjectId) -> Vec<String> {
    let names = |field: &str| -> Vec<String> {
        let items = world.items(id, &["spec", field]).unwrap_or_default();
        items.iter().filter_map(|item| Some(item.get("name").and_then(Node::as_str)?.to_owned())).collect()
    };
    [names("containers"), names("initContainers")].concat()
}
