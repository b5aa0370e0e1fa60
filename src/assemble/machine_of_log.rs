//! Whose log it is that a machine wrote without its name: `dmesg` prints no host, and few collectors name the file after it.
//!
//! Two things tell: the journals in the same folder, which name their machine in each line, and the Pods whose control groups
//! the kernel names, which the bundle shows with their Node. Else what tells of any file (`machine_of_file`); of the component
//! of a static Pod, of which each machine has one as well, that alone, or a journal in a folder that is called after its machine.
//!
//! Invariants: a machine is given only where all that tells names the same one, and the nearest folder that tells counts; a
//! log of a Pod is never a machine's. Lines that name a Node are its own, whatever the folder is called.

use catalogue::sources::Sources;
use facts::log::ScannedLog;
use facts::node::Node;
use facts::object::{ContextId, Object};
use facts::origin::MemberId;
use facts::store::{Facts, Stream};
use std::collections::{BTreeMap, BTreeSet};

/// Folders above a file that are looked at.
const DEPTH: usize = 8;

/// Gives streams of machines that nobody names the machine that they are of; with each the names of its files.
pub(crate) fn name<'m>(
    streams: &mut [(Stream, Vec<String>)],
    sources: &Sources,
    (facts, context): (&Facts, ContextId),
    machine: impl Fn(MemberId) -> Option<&'m str>,
) {
    by_their_lines(streams, &nodes_by_name(facts, context));
    let is_open = |stream: &Stream| {
        let class = stream.class.as_deref();
        stream.node.is_none()
            && stream.pod.is_none()
            && class.is_some_and(|class| sources.is_of_machine(class) || sources.is_static(class))
    };
    if !streams.iter().any(|(stream, _)| is_open(stream)) {
        return;
    }
    let mut hosts: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for (stream, files) in streams.iter().filter(|(stream, _)| stream.pod.is_none()) {
        for (host, file) in
            stream.parts.iter().zip(files).filter_map(|((_, log), file)| Some((log.host.as_deref()?, file)))
        {
            for folder in folders(file) {
                hosts.entry(folder).or_default().insert(host);
            }
        }
    }
    let nodes = nodes_by_uid(facts, context);
    let named: Vec<Option<String>> = streams
        .iter()
        .map(|(stream, files)| {
            let is_of_machine = stream.class.as_deref().is_some_and(|class| sources.is_of_machine(class));
            let of_folder = || {
                let (folder, nearest) =
                    folders(files.first()?).find_map(|folder| Some((folder, hosts.get(folder)?)))?;
                let host = nearest.first().filter(|_| nearest.len() == 1)?;
                // Logs of several machines may lie beside one journal, unless the folder is called after that machine.
                let own = folder.rsplit('/').next().unwrap_or(folder);
                let called = own == *host || Some(own) == host.split('.').next();
                (is_of_machine || called).then(|| (*host).to_owned())
            };
            let of_file = || {
                let mut named = stream.parts.iter().map(|(member, _)| machine(*member));
                let first = named.next().flatten()?;
                named.all(|other| other == Some(first)).then(|| first.to_owned())
            };
            let told = || of_pods(stream, &nodes).filter(|_| is_of_machine).or_else(of_folder);
            is_open(stream).then(|| told().or_else(of_file)).flatten()
        })
        .collect();
    for ((stream, _), node) in streams.iter_mut().zip(named) {
        stream.node = stream.node.take().or(node);
    }
}

/// Somebody called a folder after a machine in his own words (`node-w7`), and the lines of its journal name the Node.
fn by_their_lines(streams: &mut [(Stream, Vec<String>)], nodes: &BTreeSet<&str>) {
    let is_other = |stream: &&mut Stream| stream.node.as_deref().is_some_and(|node| !nodes.contains(node));
    for stream in streams.iter_mut().map(|(stream, _)| stream).filter(|stream| stream.pod.is_none()).filter(is_other) {
        let hosts: BTreeSet<&str> = stream.parts.iter().filter_map(|(_, log)| log.host.as_deref()).collect();
        if let Some(host) = hosts.first().filter(|host| hosts.len() == 1 && nodes.contains(*host)) {
            stream.node = Some((*host).to_owned());
        }
    }
}

/// The names of the Nodes of a context.
fn nodes_by_name(facts: &Facts, context: ContextId) -> BTreeSet<&str> {
    let is_node =
        |object: &&Object| object.context == context && object.kind.plural == "nodes" && object.kind.group.is_empty();
    facts.objects.iter().filter(is_node).map(|object| object.name.as_str()).collect()
}

/// The folders of a file, the nearest first. A file beside no other names nothing: the root of a bundle is no machine's.
fn folders(file: &str) -> impl Iterator<Item = &str> {
    std::iter::successors(Some(file), above).skip(1).take(DEPTH)
}

fn above<'p>(path: &&'p str) -> Option<&'p str> {
    path.rsplit_once('/').map(|(folder, _)| folder)
}

/// The Nodes of the Pods of a context by the UID of the Pod.
fn nodes_by_uid(facts: &Facts, context: ContextId) -> BTreeMap<String, String> {
    let is_pod =
        |object: &&Object| object.context == context && object.kind.plural == "pods" && object.kind.group.is_empty();
    let pod = |pod: &Object| {
        let text = |path: &[&str]| {
            let mut all =
                pod.sightings.iter().filter_map(|sighting| sighting.record.node.at(path).and_then(Node::as_str));
            all.next().filter(|text| !text.is_empty()).map(str::to_owned)
        };
        Some((text(&["metadata", "uid"])?, text(&["spec", "nodeName"])?))
    };
    facts.objects.iter().filter(is_pod).filter_map(pod).collect()
}

/// The Node on which all Pods run that a log names by their control groups.
fn of_pods(stream: &Stream, nodes: &BTreeMap<String, String>) -> Option<String> {
    let texts = |(_, log): &(_, ScannedLog)| {
        let hits = log.hits.iter().map(|hit| hit.text.to_string());
        hits.chain(log.tally.templates.values().map(|line| line.text.to_string())).collect::<Vec<_>>()
    };
    let named: BTreeSet<&String> =
        stream.parts.iter().flat_map(texts).filter_map(|text| nodes.get(&uid_of_cgroup(&text)?)).collect();
    named.first().filter(|_| named.len() == 1).map(|node| (*node).clone())
}

/// The UID of the Pod whose control group a line names: `kubepods-burstable-pod3cc0f8b6_11aa_4b10_8f3e_dd11e8f0b101.slice`.
fn uid_of_cgroup(text: &str) -> Option<String> {
    const UID: usize = "3cc0f8b6-11aa-4b10-8f3e-dd11e8f0b101".len();
    let uid = |at: usize| {
        let uid = text.get(at..at + UID)?.replace('_', "-");
        let is_uid = uid.bytes().enumerate().all(|(at, byte)| match at {
            8 | 13 | 18 | 23 => byte == b'-',
            _ => byte.is_ascii_hexdigit(),
        });
        is_uid.then_some(uid)
    };
    text.match_indices("pod").find_map(|(at, pod)| uid(at + pod.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_pod_of_a_control_group() {
        let line = "[1.2] oom-kill:task_memcg=/kubepods.slice/kubepods-burstable.slice/kubepods-burstable-pod3cc0f8b6_11aa_4b10_8f3e_dd11e8f0b101.slice/cri-containerd-77aa.scope";
        assert_eq!(uid_of_cgroup(line).as_deref(), Some("3cc0f8b6-11aa-4b10-8f3e-dd11e8f0b101"));
        let line = "task_memcg=/kubepods/burstable/pod3cc0f8b6-11aa-4b10-8f3e-dd11e8f0b101/77aa";
        assert_eq!(uid_of_cgroup(line).as_deref(), Some("3cc0f8b6-11aa-4b10-8f3e-dd11e8f0b101"));
        assert_eq!(uid_of_cgroup("Killed process 7 (podman) kubepods.slice pod3cc0f8b6"), None);
    }

    #[test]
    fn folders_of_a_file() {
        assert_eq!(folders("a/b/dmesg").collect::<Vec<_>>(), ["a/b", "a"]);
        assert_eq!(folders("dmesg").count(), 0);
    }
}
