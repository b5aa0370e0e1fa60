//! Which machine a file is of, where neither the file nor the rules of `sources.yaml` say so: by the folder in which a
//! collector wrote down the name of its host, or by a folder or a file that is called after a machine that the bundle
//! shows.
//!
//! Why: collectors that run on each machine (`systeminfo/hostname` of Rancher's, `etc/hostname` of a copied root) name the
//! machine once, and everything beside that file is of it; people call a folder `cp-1`, or a file `df-cp-1.txt`.
//!
//! Invariants: a name that nobody but a folder gives is no machine; where Nodes are shown, the host of a whole bundle counts
//! only if it is one of them, for it may be the machine from which somebody collected; of two names that fit, none counts.

use crate::pod_of_log::candidates;
use facts::kind::KindName;
use facts::log::ScannedLog;
use facts::node::Node;
use facts::object::{Form, ObjectRecord};
use std::collections::{BTreeMap, BTreeSet};

/// Folders above a file that are looked at.
const DEPTH: usize = 8;
/// Characters of the longest name of a host.
const LONGEST: usize = 253;
/// Folders in which the file with the name of the host stands; the machine's own is above them.
const INNER: [&str; 10] =
    ["systeminfo", "system-info", "sysinfo", "system", "etc", "host", "sos_commands", "os", "info", "commands"];

/// The machines of one bundle.
#[derive(Debug, Default)]
pub(crate) struct Machines {
    /// Those that objects name: Nodes, members of etcd, what Machines became.
    known: BTreeSet<String>,
    /// The same by the name without its domain; of two with one such name nothing.
    short: BTreeMap<String, Option<String>>,
    /// The machines of folders, as a file in them names it.
    hosts: BTreeMap<String, String>,
}

/// The machine that an object shows, if it shows one.
pub(crate) fn machine_of(record: &ObjectRecord) -> Option<&str> {
    let kind: &KindName = record.kind.as_ref()?;
    let at = |path: &[&str]| record.node.at(path).and_then(Node::as_str).filter(|text| !text.is_empty());
    match (kind.plural.as_str(), kind.group.as_str()) {
        ("nodes", "") => Some(record.name.as_str()),
        ("etcdmembers", "casefile.dev") => at(&["spec", "name"]),
        // One that has no Node yet is called by its own name.
        ("machines", "cluster.x-k8s.io") => Some(at(&["status", "nodeRef", "name"]).unwrap_or(&record.name)),
        _ => None,
    }
}

/// The Nodes that a member lists, in a table or in a list of the API server; nothing if it shows one alone, as whoever asks
/// about a machine does.
pub(crate) fn nodes_listed<'r>(objects: impl Iterator<Item = &'r ObjectRecord>) -> BTreeSet<&'r str> {
    let is_listed = |record: &&ObjectRecord| {
        let is_node = record.kind.as_ref().is_some_and(|kind| kind.plural == "nodes" && kind.group.is_empty());
        is_node && (record.form == Form::Table || record.path.starts_with("items"))
    };
    let listed: BTreeSet<&str> = objects.filter(is_listed).map(|record| record.name.as_str()).collect();
    if listed.len() > 1 { listed } else { BTreeSet::new() }
}

/// The name of a host that is all that a file of this name holds.
pub(crate) fn host_in<'l>(file: &str, log: &'l ScannedLog) -> Option<&'l str> {
    let name = file.rsplit('/').next().unwrap_or(file);
    let name = name.strip_suffix(".txt").or_else(|| name.strip_suffix(".out")).unwrap_or(name);
    if name != "hostname" || log.tally.lines != 1 {
        return None;
    }
    let (_, text) = log.tally.last_line.as_ref()?;
    let host = text.as_str().trim();
    let is_host = host.len() <= LONGEST
        && host.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.'))
        && host.bytes().any(|byte| byte.is_ascii_alphabetic());
    is_host.then_some(host)
}

impl Machines {
    /// `known`: names of machines that objects show; `hosts`: files that hold the name of a host, with it.
    pub(crate) fn new<'h>(known: BTreeSet<String>, hosts: impl Iterator<Item = (&'h str, &'h str)>) -> Self {
        let mut machines = Self::default();
        for name in &known {
            let short = name.split('.').next().unwrap_or(name).to_owned();
            let only = machines.short.entry(short).or_insert_with(|| Some(name.clone()));
            if only.as_ref().is_some_and(|only| only != name) {
                *only = None;
            }
        }
        machines.known = known;
        let mut named: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        for (file, host) in hosts {
            let mut folder = above(file).unwrap_or_default();
            while INNER.contains(&folder.rsplit('/').next().unwrap_or(folder)) {
                folder = above(folder).unwrap_or_default();
            }
            let shown = machines.shown(host);
            // The host of a whole bundle may be the one from which somebody collected.
            if shown.is_some() || !folder.is_empty() || machines.known.is_empty() {
                let name = shown.unwrap_or(host).to_owned();
                named.entry(folder.to_owned()).or_default().insert(name);
            }
        }
        let only = |names: BTreeSet<String>| names.first().filter(|_| names.len() == 1).cloned();
        machines.hosts = named.into_iter().filter_map(|(folder, names)| Some((folder, only(names)?))).collect();
        machines
    }

    /// A machine that objects show, by a name with or without a domain.
    fn shown(&self, name: &str) -> Option<&str> {
        if let Some(known) = self.known.get(name) {
            return Some(known);
        }
        let short = name.split('.').next().filter(|short| !short.is_empty())?;
        // `cp-1` is `cp-1.example.net`, and the other way round; two domains are two machines.
        let known = self.short.get(short)?.as_deref()?;
        (!name.contains('.') || !known.contains('.')).then_some(known)
    }

    /// The machine that a file is of.
    pub(crate) fn of(&self, file: &str) -> Option<&str> {
        let is_name = |name: &&str| name.bytes().any(|byte| byte.is_ascii_digit() || matches!(byte, b'-' | b'.'));
        let folders = std::iter::successors(above(file), |folder| above(folder)).take(DEPTH);
        let mut of_folders = folders.filter_map(|folder| {
            let last = folder.rsplit('/').next().unwrap_or(folder);
            self.hosts.get(folder).map(String::as_str).or_else(|| self.shown(last).filter(is_name))
        });
        let of_root = || self.hosts.get("").map(String::as_str);
        of_folders.next().or_else(|| self.in_name(file)).or_else(of_root)
    }

    /// The longest name of a machine in the name of a file; none where two are as long.
    fn in_name(&self, file: &str) -> Option<&str> {
        let name = file.rsplit(['/', '!']).next().unwrap_or(file);
        let is_name = |name: &str| name.bytes().any(|byte| byte.is_ascii_digit()) && name.len() > 2;
        let mut found: Vec<&str> =
            candidates(name).filter(|text| is_name(text)).filter_map(|text| self.shown(text)).collect();
        found.sort_by_key(|name| std::cmp::Reverse(name.len()));
        found.dedup();
        match found.as_slice() {
            [only] => Some(only),
            // `cp-1` within `cp-10`, and nowhere else.
            [first, second, ..] if first.contains(second) && !name.replacen(first, "", 1).contains(second) => {
                Some(first)
            }
            _ => None,
        }
    }
}

fn above(path: &str) -> Option<&str> {
    path.rsplit_once('/').map(|(folder, _)| folder)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn machines(known: &[&str], hosts: &[(&str, &str)]) -> Machines {
        Machines::new(known.iter().map(|name| (*name).to_owned()).collect(), hosts.iter().copied())
    }

    #[test]
    fn a_file_beside_the_name_of_a_host_is_of_that_host() {
        let two =
            machines(&[], &[("rk-1-2026/systeminfo/hostname", "rk-1"), ("rk-2-2026/systeminfo/hostname", "rk-2")]);
        assert_eq!(two.of("rk-1-2026/rke2/agent-logs/kubelet.log"), Some("rk-1"));
        assert_eq!(two.of("rk-2-2026/systeminfo/dmesg"), Some("rk-2"));
        assert_eq!(two.of("nodes.txt"), None);
        let root = machines(&["a-1.example.net"], &[("etc/hostname", "a-1")]);
        assert_eq!(root.of("var/log/cloud-init-output.log"), Some("a-1.example.net"));
        // From where somebody collected; and one folder that two hosts claim.
        assert_eq!(machines(&["a-1"], &[("hostname", "bastion")]).of("dmesg"), None);
        assert_eq!(machines(&[], &[("x/hostname", "a"), ("x/etc/hostname", "b")]).of("x/dmesg"), None);
    }

    #[test]
    fn a_folder_or_a_file_may_be_called_after_a_machine_that_is_shown() {
        let known = machines(&["cp-1", "cp-10", "w-3.example.net", "w-3.example.org"], &[]);
        assert_eq!(known.of("machines/cp-1/var/log/cloud-init-output.log"), Some("cp-1"));
        assert_eq!(known.of("etcd-endpoint-status-cp-10.txt"), Some("cp-10"));
        assert_eq!(known.of("w-3.example.org/df.txt"), Some("w-3.example.org"));
        // Of which of the two, and nobody's.
        assert_eq!(known.of("w-3/df.txt"), None);
        assert_eq!(known.of("cp-1-to-cp-10.txt"), None);
        assert_eq!(known.of("cp-2/df.txt"), None);
    }
}
