//! Which cluster each member of a bundle speaks of.
//!
//! Why so careful: two clusters taken for one invent findings, one cluster taken for two loses them. A
//! folder is a cluster of its own only for a reason that a person would accept; otherwise the bundle is
//! one cluster.
//!
//! Invariants: a member belongs to exactly one context; the result depends on names and contents, never
//! on the order of members.

use facts::kind::KindName;
use facts::node::Node;
use facts::object::{ContextId, Lookup, Object, ObjectRecord};
use facts::order::Order;
use facts::path::{Path, Step};
use facts::store::{Facts, Mixed};
use std::collections::{BTreeMap, BTreeSet};

/// Folders that hold one form or one part of a cluster's facts; below them no folder names a cluster.
const FORM_FOLDERS: [&str; 32] = [
    "yaml",
    "json",
    "describe",
    "logs",
    "log",
    "nodes",
    "pods",
    "events",
    "etcdctl",
    "etcd",
    "crictl",
    "namespaces",
    "namespace",
    "cluster-info-dump",
    "cluster-info",
    "cluster-resources",
    "cluster-scoped-resources",
    "get",
    "tables",
    "wide",
    "manifests",
    "objects",
    "resources",
    "host",
    "hosts",
    "journal",
    "sos_commands",
    "pod-logs",
    "podlogs",
    // Sonobuoy keeps the results of a plugin that ran once in `plugins/NAME/results/global`.
    "plugins",
    "previous",
    "current",
];

/// What a folder's name says about the role of a cluster; `None` if nothing.
pub(crate) fn role_of_folder(name: &str) -> Option<&'static str> {
    let name = name.to_ascii_lowercase();
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    match name.as_str() {
        "hub" => return Some("hub"),
        "workload" => return Some("workload"),
        "management" => return Some("management"),
        "global" => return Some("global"),
        "member" => return Some("member"),
        _ => {}
    }
    if is_numbered(&name) {
        return Some("member");
    }
    let rest = name.strip_prefix("member")?;
    let other = ["-agent", "_agent", "-list", "_list"].iter().any(|word| rest.starts_with(word));
    (digits(rest) || !other && rest.len() > 1 && rest.starts_with(['-', '_'])).then_some("member")
}

/// `m3`: a member of a fleet, or a machine where no hub is in the bundle and the folder holds what is asked of machines.
fn is_numbered(name: &str) -> bool {
    let number = name.strip_prefix(['m', 'M']).unwrap_or_default();
    !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit())
}

/// The Cluster that a folder is called after, with or without a word for what it is: `meridian`, `wl-meridian`,
/// `meridian-workload`.
fn cluster_of_folder(folder: &str, is_cluster: impl Fn(&str) -> bool) -> Option<&str> {
    let rests = AFFIXES.iter().flat_map(|word| {
        let before = folder.strip_prefix(word).and_then(|rest| rest.strip_prefix(['-', '_']));
        let behind = folder.strip_suffix(word).and_then(|rest| rest.strip_suffix(['-', '_']));
        [before, behind]
    });
    std::iter::once(folder).chain(rests.flatten()).find(|name| is_cluster(name))
}

/// What people write before or behind the name of a Cluster that they collected from.
const AFFIXES: [&str; 9] =
    ["wl", "wc", "workload", "workload-cluster", "cluster", "guest", "tenant", "member", "member-cluster"];

/// The role of a folder by a word that may be a name of something else as well, and tells only where Clusters are shown.
fn short_role(name: &str) -> Option<&'static str> {
    let name = name.to_ascii_lowercase();
    let (word, rest) = name.split_once(['-', '_']).unwrap_or((&name, ""));
    // A program of that name has a folder for its logs.
    let is_program = ["agent", "controller", "manager", "webhook", "operator", "server", "api", "proxy", "identity"]
        .iter()
        .any(|part| rest.contains(part));
    match word {
        "mgmt" | "management" if !is_program => Some("management"),
        "wl" | "workload" if rest.is_empty() || rest == "cluster" => Some("workload"),
        _ => None,
    }
}

/// How the files begin that hold what somebody asked a machine itself.
const FILES_OF_MACHINES: [&str; 6] = ["crictl", "etcdctl", "journal", "kubelet", "dmesg", "hostname"];

/// Folders with a list of Nodes that are held against each other.
const LISTS: usize = 200;

/// Machines that are held against the folders beside one that is called after a machine.
const SIBLINGS: usize = 20;

/// One member, as far as its place matters.
#[derive(Debug)]
pub(crate) struct Placed<'a> {
    /// Its name in the bundle.
    pub name: &'a str,
    /// UIDs of what nobody makes again: kind, name (with its namespace), UID.
    pub uids: Vec<(&'static str, String, &'a str)>,
    /// The machines that its objects name.
    pub machines: Vec<&'a str>,
    /// The Nodes that it lists, if it lists several.
    pub nodes: BTreeSet<&'a str>,
}

/// Gives each member its context: the folder that is one, or an empty string for the bundle's own.
///
/// `given` is `--context NAME=PATH`; `clusters` are the names of all known Clusters.
pub(crate) fn folders(members: &[Placed<'_>], given: &[(String, String)], clusters: &BTreeSet<String>) -> Vec<Folder> {
    let of_machines = folders_of_machines(members);
    let is_hub = |dir: &str| role_of_folder(dir) == Some("hub");
    let has_hub = members.iter().any(|member| member.name.split('/').rev().skip(1).any(is_hub));
    let is_of_machine = |name: &str| {
        let file = name.rsplit('/').next().unwrap_or(name);
        FILES_OF_MACHINES.iter().any(|start| file.starts_with(start))
    };
    let was_asked = |path: &str| members.iter().any(|m| inside(m.name, path) && is_of_machine(m.name));
    let is_machine = |path: &str| {
        let dir = path.rsplit('/').next().unwrap_or(path);
        of_machines.contains(path) || is_numbered(dir) && !has_hub && was_asked(path)
    };
    let mut folders: Vec<Folder> = members.iter().map(|m| by_name(m.name, given, clusters, &is_machine)).collect();
    let mut marked = by_uid(members, &folders);
    marked.extend(by_lists(members, &folders));
    for (member, folder) in members.iter().zip(&mut folders) {
        if *folder == Folder::Bundle
            && let Some(path) = marked.iter().filter(|path| inside(member.name, path)).max_by_key(|path| path.len())
        {
            *folder = Folder::Path(path.clone());
        }
    }
    folders
}

/// The folders that are called after a machine of which something is shown elsewhere, or beside a folder of another
/// machine. A cluster may be called as its only Node, and says so inside.
fn folders_of_machines<'m>(members: &[Placed<'m>]) -> BTreeSet<&'m str> {
    // The files that show a machine, and the other machines that they show.
    let mut shown: BTreeMap<&str, (BTreeSet<&str>, BTreeSet<&str>)> = BTreeMap::new();
    for member in members {
        let others: BTreeSet<&str> = member.machines.iter().copied().collect();
        for machine in &others {
            let (files, beside) = shown.entry(machine).or_default();
            files.insert(member.name);
            beside.extend(others.iter().take(SIBLINGS));
        }
    }
    let mut found = BTreeSet::new();
    if shown.is_empty() {
        return found;
    }
    let paths = |name: &'m str| name.match_indices('/').map(move |(end, _)| &name[..end]);
    let all: BTreeSet<&str> = members.iter().flat_map(|member| paths(member.name)).collect();
    for path in &all {
        let dir = path.rsplit('/').next().unwrap_or(path);
        let Some((files, beside)) = shown.get(dir) else { continue };
        let is_beside = |other: &&&str| {
            let sibling = path.strip_suffix(dir).map(|above| format!("{above}{other}"));
            **other != dir && sibling.is_some_and(|path| all.contains(path.as_str()))
        };
        // Names below one path stand together.
        let all_inside = [files.first(), files.last()].into_iter().flatten().all(|file| inside(file, path));
        if !all_inside || beside.iter().take(SIBLINGS).any(|other| is_beside(&other)) {
            found.insert(*path);
        }
    }
    found
}

/// The part of a bundle that is one cluster.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Folder {
    /// What is in no folder of its own.
    Bundle,
    /// A folder, by its path.
    Path(String),
    /// A name given by hand.
    Given(String),
}

fn inside(member: &str, folder: &str) -> bool {
    member.strip_prefix(folder).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

fn by_name(
    member: &str,
    given: &[(String, String)],
    clusters: &BTreeSet<String>,
    is_machine: &impl Fn(&str) -> bool,
) -> Folder {
    let clean = |path: &str| path.trim_start_matches("./").trim_matches('/').to_owned();
    let by_hand =
        given.iter().filter(|(_, path)| inside(member, &clean(path))).max_by_key(|(_, path)| clean(path).len());
    if let Some((name, _)) = by_hand {
        return Folder::Given(name.clone());
    }
    let Some((dirs, _)) = member.rsplit_once('/') else { return Folder::Bundle };
    let mut found = Folder::Bundle;
    let mut end = 0;
    for dir in dirs.split('/') {
        end += dir.len() + usize::from(end > 0);
        if FORM_FOLDERS.contains(&dir.to_ascii_lowercase().as_str()) {
            break;
        }
        let by_role = || role_of_folder(dir).is_some() && !is_machine(&member[..end]);
        let of_cluster = || cluster_of_folder(dir, |name| clusters.contains(name)).is_some();
        let by_word = || !clusters.is_empty() && short_role(dir).is_some();
        if of_cluster() || by_role() || by_word() {
            found = Folder::Path(member[..end].to_owned());
        }
    }
    found
}

/// Folders that show a Node or Namespace which another folder shows with a different UID.
fn by_uid(members: &[Placed<'_>], folders: &[Folder]) -> BTreeSet<String> {
    let mut seen: BTreeMap<(&str, &str), BTreeMap<&str, BTreeSet<&str>>> = BTreeMap::new();
    for (member, _) in members.iter().zip(folders).filter(|(_, folder)| **folder == Folder::Bundle) {
        let dir = member.name.rsplit_once('/').map_or("", |(dir, _)| dir);
        for (kind, name, uid) in &member.uids {
            seen.entry((kind, name)).or_default().entry(uid).or_default().insert(dir);
        }
    }
    let mut marked = BTreeSet::new();
    for by_uid in seen.values().filter(|by_uid| by_uid.len() > 1) {
        let all: Vec<(&str, &str)> =
            by_uid.iter().flat_map(|(uid, dirs)| dirs.iter().map(|d| (*uid, *d))).take(200).collect();
        for (i, (uid, dir)) in all.iter().enumerate() {
            for (other_uid, other) in &all[..i] {
                if uid != other_uid {
                    marked.extend(parted(dir, other));
                    marked.extend(parted(other, dir));
                }
            }
        }
    }
    marked
}

/// Folders that list the Nodes of a cluster, and not one of those that another folder lists.
fn by_lists(members: &[Placed<'_>], folders: &[Folder]) -> BTreeSet<String> {
    let mut lists: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for (member, _) in members.iter().zip(folders).filter(|(_, folder)| **folder == Folder::Bundle) {
        if !member.nodes.is_empty() {
            let dir = member.name.rsplit_once('/').map_or("", |(dir, _)| dir);
            lists.entry(dir).or_default().extend(&member.nodes);
        }
    }
    let mut marked = BTreeSet::new();
    let lists: Vec<_> = lists.into_iter().take(LISTS).collect();
    for (i, (dir, nodes)) in lists.iter().enumerate() {
        for (other, _) in lists[..i].iter().filter(|(_, others)| nodes.is_disjoint(others)) {
            marked.extend(parted(dir, other));
            marked.extend(parted(other, dir));
        }
    }
    marked
}

/// The folder in `dir` at which it parts from `other`; `None` where `dir` ends before, or where that
/// folder only names a form.
fn parted(dir: &str, other: &str) -> Option<String> {
    let mut others = other.split('/');
    let mut end = 0;
    for part in dir.split('/').filter(|p| !p.is_empty()) {
        end += part.len() + usize::from(end > 0);
        if others.next() != Some(part) {
            let form = FORM_FOLDERS.contains(&part.to_ascii_lowercase().as_str());
            return (!form).then(|| dir[..end].to_owned());
        }
    }
    None
}

/// Kinds whose objects hardly anybody makes again: two UIDs of one name are two clusters.
const LASTING: [&str; 5] = [
    "nodes",
    "namespaces",
    "clusters.cluster.x-k8s.io",
    "clusters.platform.tkestack.io",
    "customresourcedefinitions.apiextensions.k8s.io",
];

/// Is it such a kind?
pub(crate) fn lasting(kind: &KindName) -> Option<&'static str> {
    LASTING.into_iter().find(|lasting| KindName::parse(lasting) == *kind)
}

/// The object of a record, if its UID tells one cluster from another.
pub(crate) fn uid_of(record: &ObjectRecord) -> Option<(&'static str, String, &str)> {
    let kind = lasting(record.kind.as_ref()?)?;
    let name = match &record.namespace {
        Some(namespace) => format!("{namespace}/{}", record.name),
        None => record.name.clone(),
    };
    Some((kind, name, record.uid.as_deref()?))
}

/// What of the objects of a context shows that it holds two clusters: one name with two UIDs. Where it is known which
/// was seen first, it was made again, unless it is one that lives as long as its cluster.
pub(crate) fn two_uids(objects: &[Object]) -> Option<Mixed> {
    let mut seen: BTreeMap<(&KindName, &Option<String>, &str), Vec<&Object>> = BTreeMap::new();
    for object in objects.iter().filter(|object| object.uid.is_some() && lasting(&object.kind).is_some()) {
        seen.entry((&object.kind, &object.namespace, &object.name)).or_default().push(object);
    }
    let is_ordered = |a: &Object, b: &Object| {
        let orders = |object: &Object| -> Vec<_> {
            object.sightings.iter().map(|sighting| Order { list_version: None, ..sighting.record.order }).collect()
        };
        let (a, b) = (orders(a), orders(b));
        a.iter().any(|a| b.iter().any(|b| a.compare_looks(b).is_some()))
    };
    let as_old_as_its_cluster = |object: &Object| {
        object.kind.plural == "namespaces" && matches!(object.name.as_str(), "kube-system" | "default")
    };
    let apart = |a: &Object, b: &Object| a.uid != b.uid && (as_old_as_its_cluster(a) || !is_ordered(a, b));
    let mut all = seen.into_iter();
    let found = all.find(|(_, same)| same.iter().enumerate().any(|(at, a)| same[..at].iter().any(|b| apart(a, b))));
    found.map(|((kind, _, name), _)| Mixed::TwoUids(kind.clone(), name.to_owned()))
}

/// Kinds whose objects are Clusters of some control plane.
pub(crate) const CLUSTER_KINDS: [&str; 3] =
    ["clusters.cluster.x-k8s.io", "clusters.platform.tkestack.io", "memberclusters.cluster.kubernetes-fleet.io"];

/// What a cluster is, by the kinds that live there and by the folder's name.
pub(crate) fn roles(folder: Option<&str>, kinds: &BTreeSet<KindName>, clusters: &BTreeSet<String>) -> Vec<String> {
    let mut roles: BTreeSet<&str> = BTreeSet::new();
    let has = |text: &str| kinds.contains(&KindName::parse(text));
    let is_capi = |group: &str| group == "cluster.x-k8s.io" || group.ends_with(".cluster.x-k8s.io");
    if kinds.iter().any(|kind| is_capi(&kind.group)) {
        roles.insert("management");
    }
    if kinds.iter().any(|kind| kind.group == "platform.tkestack.io") {
        roles.insert("global");
    }
    let applied = KindName::parse("appliedworks.placement.kubernetes-fleet.io");
    if has("memberclusters.cluster.kubernetes-fleet.io")
        || kinds.iter().any(|k| k.group == "placement.kubernetes-fleet.io" && *k != applied)
    {
        roles.insert("hub");
    }
    if kinds.contains(&applied) {
        roles.insert("member");
    }
    if let Some(folder) = folder {
        if let Some(role) = role_of_folder(folder) {
            roles.insert(role);
        } else if cluster_of_folder(folder, |name| clusters.contains(name)).is_some() {
            roles.insert("workload");
        } else if let Some(role) = short_role(folder).filter(|_| !clusters.is_empty()) {
            roles.insert(role);
        }
    }
    if roles.contains("global") {
        // The global cluster of Alauda Container Platform is the one that holds the Cluster API objects of
        // all others. Source: alauda/immutable-infra-docs:docs/en/how-to/troubleshoot-cluster-not-ready.mdx.
        roles.insert("management");
    }
    if roles.is_empty() && has("nodes") {
        roles.insert("workload");
    }
    roles.into_iter().map(str::to_owned).collect()
}

/// Finds the Cluster whose workload each context is: by the folder's name, or by Nodes that match its
/// Machines. Where more than one fits, or none, it stays unknown.
pub(crate) fn link_workloads(facts: &mut Facts) {
    let mut clusters: BTreeMap<String, BTreeSet<ContextId>> = BTreeMap::new();
    for context in facts.context_ids() {
        for kind in CLUSTER_KINDS {
            for id in facts.of_kind(context, &KindName::parse(kind)) {
                clusters.entry(facts.object(*id).name.clone()).or_default().insert(context);
            }
        }
    }
    let nodes_of = nodes_by_machine(facts);
    let found: Vec<Option<(ContextId, String)>> = facts
        .context_ids()
        .map(|context| {
            let name = &facts.context(context).name;
            let bundle = facts.context(context).bundle;
            let cluster = cluster_of_folder(name, |name| clusters.contains_key(name));
            let named: Vec<ContextId> = cluster
                .and_then(|cluster| clusters.get(cluster))
                .into_iter()
                .flatten()
                .copied()
                .filter(|c| *c != context)
                .collect();
            let near: Vec<ContextId> = named.iter().copied().filter(|c| facts.context(*c).bundle == bundle).collect();
            match (near.as_slice(), named.as_slice()) {
                ([one], _) | ([], [one]) => return Some((*one, cluster?.to_owned())),
                ([], []) => {}
                _ => return None,
            }
            by_nodes(facts, context, &clusters, &nodes_of).or_else(|| the_only(facts, context, &clusters, &nodes_of))
        })
        .collect();
    for (context, workload_of) in facts.contexts.iter_mut().zip(found) {
        context.workload_of = workload_of;
    }
}

/// The only Cluster that the other folders of the bundle show, for a folder that is called no more than `workload`; unless its
/// Machines became other Nodes than those that stand there.
fn the_only(
    facts: &Facts,
    context: ContextId,
    clusters: &BTreeMap<String, BTreeSet<ContextId>>,
    nodes_of: &BTreeMap<String, BTreeSet<(ContextId, String)>>,
) -> Option<(ContextId, String)> {
    let own = facts.context(context);
    short_role(&own.name).filter(|role| *role == "workload")?;
    let is_other = |other: &&ContextId| **other != context && facts.context(**other).bundle == own.bundle;
    let mut shown = clusters.iter().flat_map(|(name, at)| at.iter().filter(is_other).map(move |at| (*at, name)));
    let (at, name) = shown.next().filter(|_| shown.next().is_none())?;
    let has_nodes = !facts.of_kind(context, &KindName::parse("nodes")).is_empty();
    let is_known = || nodes_of.values().flatten().any(|(of, cluster)| *of == at && cluster == name);
    (!has_nodes || !is_known()).then(|| (at, name.clone()))
}

/// Clusters by the names of the Nodes that their Machines became.
fn nodes_by_machine(facts: &Facts) -> BTreeMap<String, BTreeSet<(ContextId, String)>> {
    let mut nodes: BTreeMap<String, BTreeSet<(ContextId, String)>> = BTreeMap::new();
    let machines = KindName::parse("machines.cluster.x-k8s.io");
    for context in facts.context_ids() {
        for id in facts.of_kind(context, &machines) {
            let text = |names: &[&str]| text_at(facts, *id, names);
            if let (Some(node), Some(cluster)) = (text(&["status", "nodeRef", "name"]), text(&["spec", "clusterName"]))
            {
                nodes.entry(node).or_default().insert((context, cluster));
            }
        }
    }
    nodes
}

fn text_at(facts: &Facts, id: facts::object::ObjectId, names: &[&str]) -> Option<String> {
    let path = Path(names.iter().map(|n| Step::Field((*n).to_owned())).collect());
    match facts.lookup(id, &path) {
        Lookup::Found(values) => values.first().and_then(|(node, _)| Node::as_str(node)).map(str::to_owned),
        _ => None,
    }
}

fn by_nodes(
    facts: &Facts,
    context: ContextId,
    clusters: &BTreeMap<String, BTreeSet<ContextId>>,
    nodes_of: &BTreeMap<String, BTreeSet<(ContextId, String)>>,
) -> Option<(ContextId, String)> {
    let mut fits: BTreeSet<(ContextId, String)> = BTreeSet::new();
    for id in facts.of_kind(context, &KindName::parse("nodes")) {
        fits.extend(nodes_of.get(&facts.object(*id).name).into_iter().flatten().cloned());
        // The Machine controller annotates each Node with the name of its Cluster.
        // Source: kubernetes-sigs/cluster-api:api/core/v1beta2/common_types.go@v1.11, ClusterNameAnnotation.
        if let Some(cluster) = text_at(facts, *id, &["metadata", "annotations", "cluster.x-k8s.io/cluster-name"]) {
            let at = clusters.get(&cluster)?;
            let [one] = at.iter().copied().collect::<Vec<_>>()[..] else { return None };
            fits.insert((one, cluster));
        }
    }
    (fits.len() == 1).then(|| fits.pop_first()).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(names: &[&str], given: &[(&str, &str)], clusters: &[&str]) -> String {
        let members: Vec<Placed<'_>> = names
            .iter()
            .map(|name| Placed { name, uids: Vec::new(), machines: Vec::new(), nodes: BTreeSet::new() })
            .collect();
        let given: Vec<_> = given.iter().map(|(a, b)| ((*a).to_owned(), (*b).to_owned())).collect();
        let clusters = clusters.iter().map(|c| (*c).to_owned()).collect();
        print(&folders(&members, &given, &clusters))
    }

    fn print(folders: &[Folder]) -> String {
        let words = folders.iter().map(|f| match f {
            Folder::Bundle => "-".to_owned(),
            Folder::Path(path) => path.clone(),
            Folder::Given(name) => format!("={name}"),
        });
        words.collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn a_folder_named_after_a_role_is_a_context() {
        let names = ["hub/a.yaml", "member2/x/pods.yaml", "m3/a", "workload/nodes.yaml", "a/management/x", "global/x"];
        assert_eq!(place(&names, &[], &[]), "hub member2 m3 workload a/management global");
    }

    #[test]
    fn a_folder_is_called_after_its_cluster_as_people_do() {
        let names = [
            "mgmt/a.yaml",
            "wl-mill/nodes.yaml",
            "mgmt-api-server/x.log",
            "wl/nodes.yaml",
            "dye_workload/b",
            "wl-other/c",
        ];
        assert_eq!(place(&names, &[], &["mill", "dye"]), "mgmt wl-mill - wl dye_workload -");
        // Where no Cluster is known these are names of anything.
        assert_eq!(place(&names, &[], &[]), "- - - - - -");
        let roles_of = |folder: &str| {
            let kinds = [KindName::parse("nodes")].into_iter().collect();
            roles(Some(folder), &kinds, &["mill".to_owned()].into_iter().collect()).join(" ")
        };
        assert_eq!(
            (roles_of("wl-mill"), roles_of("wl"), roles_of("mgmt")),
            ("workload".into(), "workload".into(), "management".into())
        );
    }

    #[test]
    fn a_folder_named_after_a_machine_is_none() {
        let place = |with_list: &str| {
            let of = |name| Placed { name, uids: Vec::new(), machines: Vec::new(), nodes: BTreeSet::new() };
            let list = Placed { machines: vec!["m1", "m2"], ..of(with_list) };
            print(&folders(&[list, of("m1/etcd.log"), of("m2/etcd.log")], &[], &BTreeSet::new()))
        };
        assert_eq!(place("members.txt"), "- - -");
        assert_eq!(place("m1/members.txt"), "- - -");
        let own = Placed { name: "m1/nodes.yaml", uids: Vec::new(), machines: vec!["m1"], nodes: BTreeSet::new() };
        assert_eq!(print(&folders(&[own], &[], &BTreeSet::new())), "m1");
    }

    #[test]
    fn a_folder_with_the_number_of_a_machine_is_none() {
        assert_eq!(place(&["m1/crictl-logs-etcd.log", "m3/journal-kubelet.log"], &[], &[]), "- -");
        assert_eq!(place(&["m1/refresh-token.log"], &[], &[]), "m1");
        assert_eq!(place(&["hub/a.yaml", "m1/etcdctl.txt", "m3/pods.txt"], &[], &[]), "hub m1 m3");
    }

    #[test]
    fn a_folder_that_names_a_form_is_none() {
        let names = [
            "yaml/a.yaml",
            "describe/a.txt",
            "logs/hub/x.log",
            "nodes/cp-1/x",
            "hub/logs/member-agent/x.log",
            "cluster-info-dump/default/pods.json",
            "primary/x",
            "standby/x",
            "plugins/e2e/results/global/x.log",
            "member-agent/x",
            "members/x",
            "top.txt",
        ];
        assert_eq!(place(&names, &[], &[]), "- - - - hub - - - - - - -");
    }

    #[test]
    fn a_folder_named_after_a_known_cluster_is_a_context() {
        assert_eq!(place(&["prod/nodes.yaml", "test/nodes.yaml"], &[], &["prod"]), "prod -");
        assert_eq!(place(&["logs/prod/x.log"], &[], &["prod"]), "-");
    }

    #[test]
    fn a_context_given_by_hand_wins() {
        assert_eq!(place(&["hub/a", "x/b", "xy/c"], &[("east", "hub"), ("west", "./x/")], &[]), "=east =west -");
    }

    #[test]
    fn folders_that_show_one_namespace_with_two_uids_are_two_contexts() {
        let member = |name, uid| Placed {
            name,
            uids: vec![("namespaces", "kube-system".to_owned(), uid)],
            machines: Vec::new(),
            nodes: BTreeSet::new(),
        };
        let members = [
            member("dump/a/yaml/ns.yaml", "1"),
            member("dump/b/yaml/ns.yaml", "2"),
            member("dump/b/json/ns.json", "2"),
            Placed { name: "dump/a/x.txt", uids: Vec::new(), machines: Vec::new(), nodes: BTreeSet::new() },
            Placed { name: "readme.txt", uids: Vec::new(), machines: Vec::new(), nodes: BTreeSet::new() },
        ];
        assert_eq!(print(&folders(&members, &[], &BTreeSet::new())), "dump/a dump/b dump/b dump/a -");
        let members = [member("ns.yaml", "1"), member("other/ns.yaml", "2"), member("yaml/ns.yaml", "3")];
        assert_eq!(print(&folders(&members, &[], &BTreeSet::new())), "- other -");
    }

    #[test]
    fn folders_that_list_the_nodes_of_other_clusters_are_two_contexts() {
        let list = |name, nodes: &[&'static str]| Placed {
            name,
            uids: Vec::new(),
            machines: nodes.to_vec(),
            nodes: nodes.iter().copied().collect(),
        };
        let of = |members: &[Placed<'_>]| print(&folders(members, &[], &BTreeSet::new()));
        let east = list("east/nodes.txt", &["cp-1", "w-1"]);
        let log = list("west/logs/api.log", &[]);
        assert_eq!(of(&[east, list("west/nodes.txt", &["cp-9", "w-9"]), log]), "east west west");
        // Twice the same cluster, before and after a node was added.
        assert_eq!(of(&[list("a/nodes.txt", &["cp-1"]), list("b/nodes.txt", &["cp-1", "cp-2"])]), "- -");
        assert_eq!(of(&[list("nodes.txt", &["cp-1", "w-1"]), list("lab/nodes.txt", &["cp-9", "w-9"])]), "- lab");
    }

    #[test]
    fn roles_come_from_the_kinds_that_live_there() {
        let of = |folder: Option<&str>, kinds: &[&str]| {
            roles(folder, &kinds.iter().map(|k| KindName::parse(k)).collect(), &BTreeSet::new()).join("+")
        };
        assert_eq!(
            of(None, &["clusters.cluster.x-k8s.io", "clusters.platform.tkestack.io", "nodes"]),
            "global+management"
        );
        assert_eq!(of(None, &["clustercredentials.platform.tkestack.io"]), "global+management");
        assert_eq!(of(Some("global"), &["pods"]), "global+management");
        assert_eq!(of(None, &["works.placement.kubernetes-fleet.io"]), "hub");
        assert_eq!(of(None, &["appliedworks.placement.kubernetes-fleet.io", "nodes"]), "member");
        assert_eq!(of(Some("member2"), &["pods"]), "member");
        assert_eq!(of(None, &["nodes"]), "workload");
        assert_eq!(of(None, &["pods"]), "");
    }
}
