//! Which stream a log file belongs to: its Pod and container or node, its part, and the class of what wrote it.
//!
//! All knowledge of layouts and components is data (`patterns/sources.yaml`); this file only applies it.
//!
//! Invariants: the path is only ever read as a name; a class is given only where a rule is sure, because a
//! query for a class never reads streams of another; a stream of unknown class is read by all.

use crate::built_in;
use facts::lazy_regex::LazyRegex;
use facts::lazy_set::LazySet;
use facts::log::ScannedLog;

use serde::Deserialize;
use std::collections::BTreeSet;
use std::sync::LazyLock;

/// What wrote a log file, as far as its path tells.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct StreamOrigin {
    /// The node, if the path names it.
    pub node: Option<String>,
    /// The namespace, if the path names it.
    pub namespace: Option<String>,
    /// The Pod, if the path names it.
    pub pod: Option<String>,
    /// The container, if the path names it.
    pub container: Option<String>,
    /// What the file is named after, where it is no Pod.
    pub program: Option<String>,
    /// Each attempt of the program to run has a file of its own.
    pub is_attempt: bool,
    /// Which part of the stream the file is.
    pub part: Part,
    /// Class by name; `None` is unknown, see [`Sources::class_of_content`].
    pub class: Option<String>,
}

/// The place of a file among the parts of its stream. Sorted, the oldest comes first.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Part {
    /// The container's restart count as the kubelet numbers its files; -1 for "previous".
    pub restart: i64,
    /// 0 for the current file, -1 for `.1`, -2 for `.2`; files rotated by time all have -1.
    pub rotation: i64,
    /// The time in the name of a rotated file, as text.
    pub stamp: String,
}

/// Paths, nodes and classes, ready for use.
#[derive(Debug, Clone, Default)]
pub struct Sources {
    places: LazySet,
    nodes: LazySet,
    static_pods: Option<LazyRegex>,
    /// What stands behind the component in the name of a file, and is no node.
    no_nodes: BTreeSet<String>,
    /// The names of all classes, and the class of each.
    names: LazySet,
    class_of: Vec<usize>,
    /// The same of the classes that a program has beside those of the components that it runs itself.
    beside: LazySet,
    beside_of: Vec<usize>,
    classes: Vec<Class>,
}

#[derive(Debug, Clone)]
struct Class {
    name: String,
    callers: Vec<String>,
    texts: Vec<String>,
    machine: bool,
    utc: bool,
    role: Option<&'static str>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SourcesFile {
    schema: u32,
    places: Vec<PlaceEntry>,
    nodes: Vec<String>,
    static_pods: String,
    #[serde(default)]
    no_nodes: BTreeSet<String>,
    classes: Vec<ClassEntry>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PlaceEntry {
    path: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ClassEntry {
    name: String,
    #[serde(default)]
    names: Vec<String>,
    #[serde(default)]
    callers: Vec<String>,
    #[serde(default)]
    texts: Vec<String>,
    #[serde(default)]
    machine: bool,
    #[serde(default)]
    beside: bool,
    #[serde(default)]
    utc: bool,
    role: Option<Role>,
}

/// The cluster in which a program runs, of those that manage each other.
#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum Role {
    Management,
    Hub,
    Member,
}

/// Why a file of sources could not be used.
#[derive(Debug, thiserror::Error)]
#[error("cannot read {file}: {reason}; compare it with the comments at its top")]
pub struct Error {
    pub file: String,
    /// What is wrong, with its place.
    pub reason: String,
}

impl Sources {
    /// The sources that are embedded in the binary, read once. A test proves that they read.
    pub fn built_in() -> &'static Self {
        static BUILT_IN: LazyLock<Sources> = LazyLock::new(|| {
            let read = built_in::document("sources.yaml");
            read.and_then(|read| Sources::of(read, "patterns/sources.yaml").ok()).unwrap_or_default()
        });
        &BUILT_IN
    }

    /// Reads sources from the text of a file; `file` is its name for errors.
    ///
    /// # Errors
    /// If the file is not of the expected shape, or a regex in it does not compile.
    pub fn parse(text: &str, file: &str) -> Result<Self, Error> {
        let read = serde_saphyr::from_str(text).map_err(|e| Error { file: file.to_owned(), reason: e.to_string() })?;
        Self::of(read, file)
    }

    fn of(read: SourcesFile, file: &str) -> Result<Self, Error> {
        let fail = |reason: String| Error { file: file.to_owned(), reason };
        let regex = |text: &str| LazyRegex::parse(text).map_err(|e| fail(e.to_string()));
        if read.schema != 1 {
            return Err(fail("expected `schema: 1`".to_owned()));
        }
        let (mut classes, mut names, mut class_of) = (Vec::new(), Vec::new(), Vec::new());
        let (mut beside, mut beside_of) = (Vec::new(), Vec::new());
        let mut known = BTreeSet::new();
        for entry in read.classes {
            if !known.insert(entry.name.clone()) {
                return Err(fail(format!("class `{}` stands there twice", entry.name)));
            }
            for name in &entry.names {
                let (names, class_of) = match entry.beside {
                    true => (&mut beside, &mut beside_of),
                    false => (&mut names, &mut class_of),
                };
                names.push(regex(&format!("^(?:{name})$"))?);
                class_of.push(classes.len());
            }
            let ClassEntry { name, callers, texts, machine, utc, role, .. } = entry;
            let role = role.map(|role| match role {
                Role::Management => "management",
                Role::Hub => "hub",
                Role::Member => "member",
            });
            classes.push(Class { name, callers, texts, machine, utc, role });
        }
        let places = read.places.iter().map(|place| regex(&place.path)).collect::<Result<_, _>>()?;
        let nodes = read.nodes.iter().map(|node| regex(node)).collect::<Result<_, _>>()?;
        Ok(Self {
            places: LazySet::of(places),
            nodes: LazySet::of(nodes),
            names: LazySet::of(names),
            class_of,
            beside: LazySet::of(beside),
            beside_of,
            static_pods: Some(regex(&read.static_pods)?),
            no_nodes: read.no_nodes,
            classes,
        })
    }

    /// The names of all classes, in the order of the file.
    pub fn class_names(&self) -> impl Iterator<Item = &str> {
        self.classes.iter().map(|class| class.name.as_str())
    }

    /// Does each machine have one writer of this class, outside of any Pod?
    pub fn is_of_machine(&self, class: &str) -> bool {
        self.classes.iter().any(|known| known.name == class && known.machine)
    }

    /// Are the times in UTC that its programs write without a zone?
    pub fn is_in_utc(&self, class: &str) -> bool {
        self.classes.iter().any(|known| known.name == class && known.utc)
    }

    /// The role of the cluster in which its programs run, where that is one of several.
    pub fn role_of(&self, class: &str) -> Option<&'static str> {
        self.classes.iter().find(|known| known.name == class)?.role
    }

    /// Is it the class of a component that the kubelet of a machine runs as a static Pod?
    pub fn is_static(&self, class: &str) -> bool {
        let pod = format!("{class}-x");
        let named = self.static_pods.as_ref().and_then(|regex| regex.captures(&pod));
        named.is_some_and(|found| found.name("container").is_some_and(|container| container.as_str() == class))
    }

    /// The component whose static Pod has this name.
    pub fn component_of(&self, pod: &str) -> Option<String> {
        let found = self.static_pods.as_ref()?.captures(pod)?;
        found.name("container").map(|component| component.as_str().to_owned())
    }

    /// Reads a member's name.
    pub fn locate(&self, member_name: &str) -> StreamOrigin {
        // A file in a nested archive is placed by its name there.
        let mut origin = StreamOrigin::default();
        if let Some(found) = self.places.found(member_name).next().map(|(_, found)| found) {
            let group = |name: &str| found.name(name).map(|m| m.as_str().to_owned());
            let number = |name: &str| found.name(name).and_then(|m| m.as_str().parse::<i64>().ok());
            origin.namespace = group("namespace");
            origin.pod = group("pod");
            origin.container = group("container");
            origin.program = group("program");
            origin.is_attempt = found.name("attempt").is_some();
            origin.part = Part {
                restart: if found.name("previous").is_some() { -1 } else { number("restart").unwrap_or(0) },
                rotation: match number("rotation") {
                    Some(rotation) => rotation.saturating_neg(),
                    None if found.name("stamp").is_some() => -1,
                    None => 0,
                },
                stamp: group("stamp").unwrap_or_default(),
            };
        }
        let node = self.nodes.found(member_name).next();
        origin.node = node.and_then(|(_, found)| found.name("node").map(|m| m.as_str().to_owned()));
        let named = origin.pod.as_deref().or(origin.program.as_deref()).unwrap_or_default();
        if let Some(found) = self.static_pods.as_ref().and_then(|regex| regex.captures(named)) {
            let node = found.name("node").map(|m| m.as_str().to_owned());
            // `etcd-container.log` tells what it is of, and not of which machine; a Pod is surely called after its node.
            let node = node.filter(|node| origin.pod.is_some() || !self.no_nodes.contains(node));
            let container = found.name("container").map(|m| m.as_str().to_owned());
            // `etcd-sync-7d9f` is a Pod of something else, and its end no node.
            let is_other = self.class_of_name(named).is_some_and(|class| Some(class) != container.as_deref());
            if !is_other {
                origin.node = origin.node.or(node);
                origin.container = origin.container.or(container);
            }
        }
        let names = [origin.container.as_deref(), origin.pod.as_deref(), origin.program.as_deref()];
        origin.class = names.into_iter().flatten().find_map(|name| self.class_of_name(name)).map(str::to_owned);
        origin
    }

    /// The class of a program, container or Pod by its name.
    pub fn class_of_name(&self, name: &str) -> Option<&str> {
        let class = self.names.matches(name).find_map(|at| self.class_of.get(at))?;
        Some(self.classes.get(*class)?.name.as_str())
    }

    /// The class of a program's own words by its name, where it writes what other components say as well.
    pub fn beside(&self, name: &str) -> Option<&str> {
        let class = self.beside.matches(name).find_map(|at| self.beside_of.get(at))?;
        Some(self.classes.get(*class)?.name.as_str())
    }

    /// The class of a log by what it holds, for files whose path tells nothing: the one class of which a
    /// caller, a component or a text was seen; `None` if there is none or more than one.
    pub fn class_of_content(&self, log: &ScannedLog) -> Option<String> {
        let mut callers: BTreeSet<&str> = log.tally.buckets.keys().map(|(_, _, component)| &**component).collect();
        for hit in &log.hits {
            callers.extend(["caller", "controller"].into_iter().filter_map(|key| hit.fields.field(key)));
        }
        let texts: Vec<&str> = log
            .tally
            .templates
            .values()
            .map(|template| &*template.text)
            .chain(log.hits.iter().map(|hit| &*hit.text))
            .collect();
        let mut found = self.classes.iter().filter(|class| {
            class.callers.iter().any(|mark| callers.iter().any(|caller| caller.starts_with(mark.as_str())))
                || class.texts.iter().any(|mark| texts.iter().any(|text| text.contains(mark.as_str())))
        });
        let first = found.next()?;
        found.next().is_none().then(|| first.name.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use facts::log::Level;

    fn place(name: &str) -> String {
        let place = Sources::built_in().locate(name);
        let show = |text: &Option<String>| text.clone().unwrap_or_else(|| "-".to_owned());
        format!(
            "{} {}/{}/{} {} {}.{}{} {}",
            show(&place.node),
            show(&place.namespace),
            show(&place.pod),
            show(&place.container),
            show(&place.program),
            place.part.restart,
            place.part.rotation,
            place.part.stamp,
            show(&place.class)
        )
    }

    #[test]
    fn the_embedded_sources_read() {
        let text = include_str!("../../patterns/sources.yaml");
        let sources = Sources::parse(text, "patterns/sources.yaml").unwrap();
        assert_eq!(format!("{sources:?}"), format!("{:?}", Sources::built_in()));
        assert!(sources.class_names().any(|name| name == "etcd"));
        assert!(
            Sources::parse("schema: 1\nplaces: []\nnodes: []\nstatic_pods: x\nclasses: []\nmore: 1\n", "x").is_err()
        );
    }

    #[test]
    fn places_by_layout() {
        let uid = "0b7c1a52-6b71-4b7d-b729-1c2d3e4f5a6b";
        insta::assert_snapshot!(place(&format!("nodes/cp-2/var-log-pods/kube-system_etcd-cp-2_{uid}/etcd/3.log")), @"cp-2 kube-system/etcd-cp-2/etcd - 3.0 etcd");
        insta::assert_snapshot!(place(&format!("var/log/pods/a_b_{uid}/c/0.log.20260501-101010.gz")), @"- a/b/c - 0.-120260501-101010 -");
        insta::assert_snapshot!(place("namespaces/openshift-etcd/pods/etcd-m0/etcd/etcd/logs/previous.log"), @"m0 openshift-etcd/etcd-m0/etcd - -1.0 etcd");
        insta::assert_snapshot!(place("cluster-resources/pods/logs/velero/velero-x/node-agent-previous.log"), @"- velero/velero-x/node-agent - -1.0 velero");
        insta::assert_snapshot!(place("podlogs/heptio/sonobuoy-1/logs/e2e.txt"), @"- heptio/sonobuoy-1/e2e - 0.0 -");
        insta::assert_snapshot!(place("cluster-info-dump/kube-system/kube-proxy-x/logs.txt"), @"- kube-system/kube-proxy-x/- - 0.0 kube-proxy");
        insta::assert_snapshot!(place("logs/kube-system/kube-apiserver-cp-1.previous.log"), @"cp-1 kube-system/kube-apiserver-cp-1/kube-apiserver - -1.0 kube-apiserver");
        insta::assert_snapshot!(place("logs/shop/web-1/web.previous.log"), @"- shop/web-1/web - -1.0 -");
        insta::assert_snapshot!(place("logs/shop/web-1/previous.log"), @"- shop/web-1/- - -1.0 -");
        insta::assert_snapshot!(place("logs/kube-system/kube-scheduler-cp-1/current.log"), @"cp-1 kube-system/kube-scheduler-cp-1/kube-scheduler - 0.0 kube-scheduler");
        insta::assert_snapshot!(place("kube-system/rke2-coredns-6f6b7d8c9-q7x2z/coredns/previous.log"), @"- kube-system/rke2-coredns-6f6b7d8c9-q7x2z/coredns - -1.0 coredns");
        insta::assert_snapshot!(place("ec2/i-0c41d2be7a95f0e63-console-output.txt"), @"- -/-/- i-0c41d2be7a95f0e63-console-output 0.0 kubeadm");
        insta::assert_snapshot!(place("crictl/logs/etcd_attempt_6.log"), @"- -/-/- etcd 6.0 etcd");
        insta::assert_snapshot!(place("cp-1/crictl-logs-etcd-cp-1-3f9a6c21be70d.txt"), @"cp-1 -/-/etcd etcd-cp-1 0.0 etcd");
        insta::assert_snapshot!(place("etcd-container.log"), @"- -/-/etcd etcd-container 0.0 etcd");
        insta::assert_snapshot!(place("kube-system/etcd-rk-1/etcd/current.log"), @"rk-1 kube-system/etcd-rk-1/etcd - 0.0 etcd");
        insta::assert_snapshot!(place("machines/w-3/var/log/cloud-init-output.log"), @"w-3 -/-/- cloud-init-output 0.0 kubeadm");
        insta::assert_snapshot!(place("w-3/cloud-init.log"), @"w-3 -/-/- cloud-init 0.0 kubeadm");
        insta::assert_snapshot!(place("cp-1/etcd-endpoint-status.txt"), @"- -/-/- etcd-endpoint-status 0.0 etcd-tools");
        insta::assert_snapshot!(place("nodes/w-1/kubelet.log.2"), @"w-1 -/-/- kubelet 0.-2 kubelet");
        insta::assert_snapshot!(place("etcd-cp-1.log"), @"cp-1 -/-/etcd etcd-cp-1 0.0 etcd");
        insta::assert_snapshot!(place("logs/cluster-api-provider-dcs-manager.log"), @"- -/-/- cluster-api-provider-dcs-manager 0.0 infrastructure-provider");
        insta::assert_snapshot!(place("logs/capi-controller-manager.log"), @"- -/-/- capi-controller-manager 0.0 capi-controller");
        insta::assert_snapshot!(place("hub/hub-agent.log"), @"- -/-/- hub-agent 0.0 fleet-hub-agent");
        insta::assert_snapshot!(place("logs/etcd-sync-7d9f.log"), @"- -/-/- etcd-sync-7d9f 0.0 etcd-tools");
    }

    #[test]
    fn the_oldest_part_comes_first() {
        let sources = Sources::built_in();
        let mut names = ["x.log", "x.previous.log", "x.log.1", "x.log.2"];
        names.sort_by_key(|name| sources.locate(name).part);
        assert_eq!(names, ["x.previous.log", "x.log.2", "x.log.1", "x.log"]);
    }

    #[test]
    fn content_decides_only_when_it_is_of_one_class() {
        let sources = Sources::built_in();
        let mut log = ScannedLog::default();
        assert_eq!(sources.class_of_content(&log), None);
        log.tally.buckets.insert((String::new(), Level::Info, "etcdserver/server.go:1".into()), 1);
        assert_eq!(sources.class_of_content(&log).as_deref(), Some("etcd"));
        log.tally.buckets.insert((String::new(), Level::Info, "remediation.go:9".into()), 1);
        assert_eq!(sources.class_of_content(&log), None);
    }
}
