//! Whose log a file is, where the bundle shows the Pod: its name stands in the path, however the collector wrote it.
//!
//! Why beside the places of `sources.yaml`: those know the layouts of collectors. People and their scripts write
//! `shop_web-1_app.previous.log`, `web-1-app-prev.txt`, `kubectl_logs_-n_shop_web-1`, and a name alone cannot be cut into
//! namespace, Pod and container; the names of the Pods that are there can.
//!
//! Invariants: a file is a Pod's only if the longest name of a Pod in its path is of one Pod, and all else in the name of the
//! file is its namespace, one of its containers, or a word that names nothing; what is in doubt stays as it was.

use catalogue::made_names::{end_of, is_of_few, workload_of};
use catalogue::sources::{Part, Sources, StreamOrigin};
use catalogue::words;
use facts::node::{Node, Value};
use facts::object::{ContextId, Object};
use facts::parallel;
use facts::store::Facts;
use std::collections::{BTreeMap, BTreeSet};

/// Folders above a file that may name its Pod.
const DEPTH: usize = 5;
/// Pieces of one segment that are put together to names.
const MOST_PIECES: usize = 40;

/// The Pods of a context by name.
#[derive(Debug, Default)]
pub(crate) struct KnownPods {
    by_name: BTreeMap<String, Vec<Known>>,
    /// The names of Pods by that of the workload that made them.
    by_workload: BTreeMap<String, BTreeSet<String>>,
    /// The same by what people call the workload: `capa` for `capa-controller-manager`.
    by_short: BTreeMap<String, BTreeSet<String>>,
    /// The static Pods of a component by its name, which the machine stands behind in theirs.
    by_component: BTreeMap<String, BTreeSet<String>>,
    /// The Pods that have a container by its name: `cilium-agent` is one of a Pod of `cilium`.
    by_container: BTreeMap<String, BTreeSet<String>>,
    /// The same by the random end of their names: `logs-x2x4z.txt` is of `web-7d9f8c6b5-x2x4z`.
    by_end: BTreeMap<String, BTreeSet<String>>,
    namespaces: BTreeSet<String>,
}

/// A name with the Pods that have it.
type Named<'s> = (&'s String, &'s Vec<Known>);

#[derive(Debug, Default)]
struct Known {
    namespace: String,
    /// Sorted, each once.
    containers: Vec<String>,
    /// One of its containers fails.
    fails: bool,
}

impl KnownPods {
    /// Those of which the context shows an object or a row.
    pub(crate) fn of(facts: &Facts, context: ContextId) -> Self {
        let mut all = Self::default();
        let is_own = |object: &&Object| object.context == context && object.kind.plural == "pods";
        let pods = facts.objects.iter().filter(is_own).filter(|pod| pod.kind.group.is_empty());
        let placed: Vec<(&Object, &String)> = pods.filter_map(|pod| Some((pod, pod.namespace.as_ref()?))).collect();
        for (pod, known) in placed.iter().zip(parallel::map(&placed, |(pod, namespace)| known(pod, namespace))) {
            if !all.namespaces.contains(&known.namespace) {
                all.namespaces.insert(known.namespace.clone());
            }
            if let Some(end) = end_of(&pod.0.name) {
                all.by_end.entry(end.to_owned()).or_default().insert(pod.0.name.clone());
            }
            if let Some(workload) = workload_of(&pod.0.name) {
                if let Some(short) = short(workload) {
                    all.by_short.entry(short.to_owned()).or_default().insert(pod.0.name.clone());
                }
                all.by_workload.entry(workload.to_owned()).or_default().insert(pod.0.name.clone());
            }
            // A table shows no containers.
            let runs = |component: &&str| {
                known.containers.is_empty() || known.containers.iter().any(|container| container == component)
            };
            if let Some(component) =
                Sources::built_in().component_of(&pod.0.name).filter(|component| runs(&component.as_str()))
            {
                // People leave out what all of them begin with: `scheduler.log`.
                if let Some(short) = component.strip_prefix("kube-") {
                    all.by_component.entry(short.to_owned()).or_default().insert(pod.0.name.clone());
                }
                all.by_component.entry(component).or_default().insert(pod.0.name.clone());
            }
            for container in known.containers.iter().filter(|name| is_of_few(name)) {
                all.by_container.entry(container.clone()).or_default().insert(pod.0.name.clone());
            }
            all.by_name.entry(pod.0.name.clone()).or_default().push(known);
        }
        all
    }

    /// The origin of a log with the Pod that its path names, if that says more than is known of it. `failing`: the log ends
    /// with what a program says that cannot go on; where its file names what made several Pods, it is that of the only one
    /// which fails. `machine`: where it was written, if that is known.
    pub(crate) fn complete(
        &self,
        mut origin: StreamOrigin,
        path: &str,
        (failing, machine): (bool, Option<&str>),
    ) -> StreamOrigin {
        let is_known = |pod: &String| {
            let known = self.by_name.get(pod).into_iter().flatten();
            { known }.any(|known| origin.namespace.as_ref() == Some(&known.namespace))
        };
        if self.by_name.is_empty() || origin.pod.as_ref().is_some_and(is_known) {
            return origin;
        }
        let of_failing =
            || self.own_of(path, |text| self.failing_of(text), false).filter(|_| failing && machine.is_none());
        let of_machine = || self.own_of(path, |text| self.on_machine(text, machine?), false);
        let is_open = !self.names_pod(path);
        let own = self.own(path).or_else(|| of_machine().or_else(of_failing).filter(|_| is_open));
        let Some(own) = own else { return origin };
        origin.namespace = Some(own.namespace);
        origin.pod = Some(own.pod);
        origin.container = own.container;
        origin.program = None;
        if origin.part == Part::default() {
            origin.part.restart = own.restart;
        }
        origin
    }

    /// Namespace and name of the Pod that `kubectl logs` named, or whose workload it named, where there is one such.
    pub(crate) fn named(&self, namespace: Option<&str>, name: &str) -> Option<(&str, &str)> {
        let (name, known) = self.by_name.get_key_value(name).or_else(|| self.only_of(name))?;
        let mut fitting = known.iter().filter(|pod| namespace.is_none_or(|namespace| pod.namespace == namespace));
        let first = fitting.next().filter(|_| fitting.next().is_none())?;
        Some((first.namespace.as_str(), name.as_str()))
    }

    /// The only Pod of a workload.
    fn only_of(&self, workload: &str) -> Option<Named<'_>> {
        self.only(self.by_workload.get(workload).or_else(|| self.by_short.get(workload))?)
    }

    fn only(&self, pods: &BTreeSet<String>) -> Option<Named<'_>> {
        self.by_name.get_key_value(pods.first().filter(|_| pods.len() == 1)?)
    }

    /// The only Pod of a workload, of a component, or with a container, that fails.
    fn failing_of(&self, workload: &str) -> Option<Named<'_>> {
        let all = [&self.by_workload, &self.by_short, &self.by_component, &self.by_container];
        let pods = all.into_iter().find_map(|by| by.get(workload))?;
        let named = pods.iter().filter_map(|name| self.by_name.get_key_value(name));
        let mut failing = named.filter(|(_, known)| known.iter().any(|pod| pod.fails));
        let first = failing.next()?;
        failing.next().is_none().then_some(first)
    }

    /// The static Pod of a component on a machine.
    fn on_machine(&self, component: &str, machine: &str) -> Option<Named<'_>> {
        let name = format!("{component}-{machine}");
        let pods = self.by_component.get(component)?;
        self.by_name.get_key_value(pods.get(&name)?)
    }

    fn own(&self, path: &str) -> Option<Own> {
        let exact = self.own_of(path, |text| self.by_name.get_key_value(text), true);
        if exact.is_some() || self.names_pod(path) {
            return exact;
        }
        self.own_of(path, |text| self.only_of(text), false)
            .or_else(|| self.own_of(path, |text| self.only(self.by_end.get(text)?), true))
    }

    /// Does a Pod of the context stand in a path?
    fn names_pod(&self, path: &str) -> bool {
        self.longest(&last_segments(path), |text| self.by_name.get_key_value(text)).is_some()
    }

    /// The Pod of a log by what `find` knows of a name in its path; `is_exact`: those are names of Pods.
    fn own_of<'s>(&'s self, path: &str, find: impl Fn(&str) -> Option<Named<'s>>, is_exact: bool) -> Option<Own> {
        let segments = last_segments(path);
        let (at, written, (name, known)) = self.longest(&segments, find)?;
        let (above, below) = (segments.get(..at)?, segments.get(at..)?);
        // What is left without the Pod, its namespace and its container.
        let below: Vec<String> = { below }.iter().map(|segment| without(segment, written)).collect();
        let named =
            |namespace: &str| below.iter().any(|segment| holds(segment, namespace)) || above.contains(&namespace);
        let pod = match known.as_slice() {
            [only] => Some(only),
            several => {
                let mut fitting = several.iter().filter(|pod| named(&pod.namespace));
                fitting.next().filter(|_| fitting.next().is_none())
            }
        }?;
        let is_elsewhere = |folder: &&&str| self.namespaces.contains(**folder) && **folder != pod.namespace;
        if above.last().filter(is_elsewhere).is_some() {
            return None;
        }
        let mut rest: Vec<String> = below.iter().map(|segment| without(segment, &pod.namespace)).collect();
        let container = { &pod.containers }
            .iter()
            .filter(|container| rest.iter().any(|segment| holds(segment, container)))
            .max_by_key(|container| container.len());
        if let Some(container) = container {
            rest = rest.iter().map(|segment| without(segment, container)).collect();
        }
        let mut restart = 0;
        for (index, segment) in rest.iter().enumerate() {
            let is_file = index + 1 == rest.len();
            for word in pieces(segment).filter(|word| !is_uid_part(word)) {
                let word = word.to_ascii_lowercase();
                match word.parse::<i64>() {
                    _ if matches!(word.as_str(), "previous" | "prev") => restart = -1,
                    // `web-1.log` may be of another Pod than the one that is shown.
                    Ok(_) if !is_exact => return None,
                    // `21.log` in the folder of a container: the kubelet counts so.
                    Ok(number) if is_file && restart == 0 && index > 0 => restart = number,
                    Ok(_) => {}
                    Err(_) if words::is_plain(&word) || LOGS.contains(&word.as_str()) => {}
                    Err(_) => return None,
                }
            }
        }
        let alone = || pod.containers.first().filter(|_| pod.containers.len() == 1);
        let container = container.or_else(alone).cloned();
        Some(Own { namespace: pod.namespace.clone(), pod: name.clone(), container, restart })
    }

    /// The longest text of the segments that `find` knows, and the last segment that holds it; none if two are as long.
    fn longest<'s, 't>(
        &'s self,
        segments: &[&'t str],
        find: impl Fn(&str) -> Option<Named<'s>>,
    ) -> Option<(usize, &'t str, Named<'s>)> {
        let mut found: Option<(usize, &str, _)> = None;
        let mut is_single = true;
        for (at, segment) in segments.iter().enumerate() {
            for text in candidates(segment) {
                let Some(pod) = find(text) else { continue };
                match found {
                    Some((_, longest, _)) if longest.len() > text.len() => {}
                    Some((_, longest, _)) if longest.len() == text.len() && longest != text => is_single = false,
                    _ => {
                        is_single |= found.is_none_or(|(_, longest, _)| longest.len() < text.len());
                        found = Some((at, text, pod));
                    }
                }
            }
        }
        found.filter(|_| is_single)
    }
}

/// The file and the folders above it that may name its Pod.
fn last_segments(path: &str) -> Vec<&str> {
    let segments: Vec<&str> = path.split(['/', '!']).filter(|segment| !segment.is_empty()).collect();
    segments.get(segments.len().saturating_sub(DEPTH)..).unwrap_or_default().to_vec()
}

/// Words at the end of the name of a workload that only tell what it is for.
const ROLES: [&str; 3] = ["-controller", "-manager", "-operator"];
/// Letters of the shortest name that is one.
const SHORTEST: usize = 3;

/// What people call a workload: its name without the words that many have in common.
fn short(workload: &str) -> Option<&str> {
    let mut last = workload;
    while let Some(name) = ROLES.iter().find_map(|role| last.strip_suffix(role)) {
        last = name;
    }
    (last.len() >= SHORTEST && last != workload).then_some(last)
}

/// The Pod of a log.
#[derive(Debug, PartialEq)]
struct Own {
    namespace: String,
    pod: String,
    container: Option<String>,
    /// As in [`Part`].
    restart: i64,
}

/// Words of the names of logs that name nobody, beside those that say how a file was written.
const LOGS: [&str; 14] = [
    "log",
    "logs",
    "n",
    "c",
    "p",
    "container",
    "containers",
    "pod",
    "pods",
    "current",
    "stdout",
    "stderr",
    "namespace",
    "ns",
];

fn known(pod: &Object, namespace: &str) -> Known {
    let mut containers: Vec<String> =
        pod.sightings.iter().flat_map(|sighting| containers(&sighting.record.node)).collect();
    containers.sort_unstable();
    containers.dedup();
    let fails = pod.sightings.iter().any(|sighting| fails(&sighting.record.node));
    Known { namespace: namespace.to_owned(), containers, fails }
}

/// Does a container of a Pod fail, as its status or a table shows?
fn fails(pod: &Node) -> bool {
    const BACK_OFF: [&str; 2] = ["CrashLoopBackOff", "Error"];
    let text = |node: &Node, path: &[&str]| node.at(path).and_then(Node::as_str).map(str::to_owned);
    let printed = text(pod, &["status", "kubectlStatus"]);
    let printed = printed.as_deref().map(|text| text.strip_prefix("Init:").unwrap_or(text));
    let lists = [["status", "containerStatuses"], ["status", "initContainerStatuses"]];
    let mut statuses = lists.iter().filter_map(|list| pod.at(list)).flat_map(Node::items);
    let fails = |status: &Node| {
        let waits = text(status, &["state", "waiting", "reason"]);
        let ended = text(status, &["state", "terminated", "reason"]);
        waits.as_deref() == Some("CrashLoopBackOff") || ended.is_some_and(|reason| reason != "Completed")
    };
    printed.is_some_and(|text| BACK_OFF.contains(&text)) || statuses.any(fails)
}

/// The names of the containers of a Pod.
fn containers(pod: &Node) -> impl Iterator<Item = String> + '_ {
    const LISTS: [[&str; 2]; 4] = [
        ["spec", "containers"],
        ["spec", "initContainers"],
        ["status", "containerStatuses"],
        ["status", "initContainerStatuses"],
    ];
    let items = |list: [&str; 2]| match pod.at(&list).map(|node| &node.value) {
        Some(Value::List(items)) => items.as_slice(),
        _ => &[],
    };
    LISTS.into_iter().flat_map(items).filter_map(|item| item.get("name")?.as_str().map(str::to_owned))
}

fn is_mark(c: char) -> bool {
    matches!(c, '-' | '_' | '.' | ' ' | ':' | ',' | '+' | '@' | '~' | '=')
}

fn pieces(text: &str) -> impl Iterator<Item = &str> {
    text.split(is_mark).filter(|piece| !piece.is_empty())
}

/// A piece of the UID that stands behind a Pod in the folders of a kubelet.
fn is_uid_part(piece: &str) -> bool {
    matches!(piece.len(), 4 | 8 | 12 | 32) && piece.bytes().all(|b| b.is_ascii_hexdigit())
}

/// Every text between two marks of a segment, with the marks inside.
pub(crate) fn candidates(segment: &str) -> impl Iterator<Item = &str> {
    let starts = std::iter::once(0).chain(segment.match_indices(is_mark).map(|(at, mark)| at + mark.len()));
    let ends = segment.match_indices(is_mark).map(|(at, _)| at).chain([segment.len()]);
    let (starts, ends): (Vec<usize>, Vec<usize>) =
        (starts.take(MOST_PIECES).collect(), ends.take(MOST_PIECES).collect());
    starts.into_iter().flat_map(move |start| ends.clone().into_iter().filter_map(move |end| segment.get(start..end)))
}

/// Where a name stands in a segment with marks round it.
fn place(segment: &str, name: &str) -> Option<usize> {
    let is_end = |c: Option<char>| c.is_none_or(is_mark);
    let mut places = segment.match_indices(name).filter(|_| !name.is_empty()).map(|(at, _)| at);
    places.find(|at| {
        let (before, after) = (segment.get(..*at), segment.get(at + name.len()..));
        is_end(before.and_then(|text| text.chars().next_back())) && is_end(after.and_then(|text| text.chars().next()))
    })
}

fn holds(segment: &str, name: &str) -> bool {
    place(segment, name).is_some()
}

/// The segment without a name, as often as it stands there.
fn without(segment: &str, name: &str) -> String {
    let mut rest = segment.to_owned();
    while let Some(at) = place(&rest, name) {
        rest.replace_range(at..at + name.len(), "");
    }
    rest
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pods() -> KnownPods {
        let known = |namespace: &str, containers: &[&str]| Known {
            fails: false,
            namespace: namespace.to_owned(),
            containers: containers.iter().map(|name| (*name).to_owned()).collect(),
        };
        let by_name = [
            ("web-7d9f8c6b5-x2x4z", vec![known("shop", &["app", "istio-proxy"])]),
            ("web", vec![known("shop", &["app"])]),
            ("pay", vec![known("shop", &["pay"])]),
            ("db-0", vec![known("shop", &["postgres"]), known("bank-1", &["postgres"])]),
            ("coredns-6f6b-abcde", vec![known("kube-system", &["coredns"])]),
            ("cert-manager-6d8f7c9b54-k8x2z", vec![known("cert-manager", &["cert-manager-controller"])]),
            ("agent-x2x4z", vec![known("shop", &["agent"])]),
            ("agent-z4x2x", vec![known("shop", &["agent"])]),
            ("blue-controller-manager-5c8d7f9b6d-kx2lv", vec![known("blue-system", &["manager"])]),
            ("red-operator-5c8d7f9b6d-kx2lv", vec![known("red-system", &["red"])]),
            ("red-controller-manager-6c8d7f9b6d-kx2lv", vec![known("red-system", &["manager"])]),
        ];
        let by_name: BTreeMap<_, _> = by_name.into_iter().map(|(name, all)| (name.to_owned(), all)).collect();
        let namespaces = by_name.values().flatten().map(|known| known.namespace.clone()).collect();
        let mut by_workload: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        let mut by_short: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        let mut by_end: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        for name in by_name.keys() {
            if let Some(end) = end_of(name) {
                by_end.entry(end.to_owned()).or_default().insert(name.clone());
            }
            if let Some(workload) = workload_of(name) {
                if let Some(short) = short(workload) {
                    by_short.entry(short.to_owned()).or_default().insert(name.clone());
                }
                by_workload.entry(workload.to_owned()).or_default().insert(name.clone());
            }
        }
        KnownPods {
            by_name,
            by_workload,
            by_short,
            by_component: BTreeMap::new(),
            by_container: BTreeMap::new(),
            by_end,
            namespaces,
        }
    }

    fn own(path: &str) -> String {
        pods().own(path).map_or_else(
            || "-".to_owned(),
            |own| format!("{}/{}/{} {}", own.namespace, own.pod, own.container.as_deref().unwrap_or("?"), own.restart),
        )
    }

    #[test]
    fn a_command_names_a_pod_or_its_workload() {
        let pods = pods();
        assert_eq!(pods.named(None, "pay"), Some(("shop", "pay")));
        assert_eq!(pods.named(None, "db-0"), None, "two of that name");
        assert_eq!(pods.named(Some("bank-1"), "db-0"), Some(("bank-1", "db-0")));
        assert_eq!(pods.named(None, "cert-manager"), Some(("cert-manager", "cert-manager-6d8f7c9b54-k8x2z")));
        assert_eq!(pods.named(None, "agent"), None, "two of that workload");
        assert_eq!(workload_of("web-admin"), None);
    }

    #[test]
    fn a_log_is_of_the_pod_that_its_path_names() {
        for (path, expected) in [
            ("logs/shop_web-7d9f8c6b5-x2x4z_app.previous.log", "shop/web-7d9f8c6b5-x2x4z/app -1"),
            ("web-7d9f8c6b5-x2x4z-istio-proxy-previous.log", "shop/web-7d9f8c6b5-x2x4z/istio-proxy -1"),
            ("web-7d9f8c6b5-x2x4z_shop_app.log", "shop/web-7d9f8c6b5-x2x4z/app 0"),
            ("shop-web-7d9f8c6b5-x2x4z.log", "shop/web-7d9f8c6b5-x2x4z/? 0"),
            ("shop/web-7d9f8c6b5-x2x4z/app.previous.log", "shop/web-7d9f8c6b5-x2x4z/app -1"),
            ("pods/shop/web-7d9f8c6b5-x2x4z/logs/app/previous.log", "shop/web-7d9f8c6b5-x2x4z/app -1"),
            ("kubectl_logs_-n_shop_web-7d9f8c6b5-x2x4z", "shop/web-7d9f8c6b5-x2x4z/? 0"),
            ("pods-logs/bank-1_db-0_84b0263b-07bc-49d5-a906-affb4d0eaf60/postgres/21.log", "bank-1/db-0/postgres 21"),
            ("collector/web-7d9f8c6b5-x2x4z/app-previous.log", "shop/web-7d9f8c6b5-x2x4z/app -1"),
            ("kube-system_coredns-6f6b-abcde.txt", "kube-system/coredns-6f6b-abcde/coredns 0"),
            ("db-0.shop.log", "shop/db-0/postgres 0"),
            ("web.log", "shop/web/app 0"),
            ("cert-manager-previous.log", "cert-manager/cert-manager-6d8f7c9b54-k8x2z/cert-manager-controller -1"),
            (
                "logs/cert-manager_cert-manager.log",
                "cert-manager/cert-manager-6d8f7c9b54-k8x2z/cert-manager-controller 0",
            ),
            ("blue-previous.log", "blue-system/blue-controller-manager-5c8d7f9b6d-kx2lv/manager -1"),
            ("logs/blue-manager.log", "blue-system/blue-controller-manager-5c8d7f9b6d-kx2lv/manager 0"),
            // By the end of its name, which one Pod alone has.
            ("09-kubectl_previous_logs_all_containers_z4x2x.txt", "shop/agent-z4x2x/agent -1"),
            ("logs_x2x4z.txt", "-"),
            // Of which of the two?
            ("red.log", "-"),
            ("blue-2.log", "-"),
            ("blues.log", "-"),
            ("agent.log", "-"),
            ("cert-manager-1.log", "-"),
            ("db-1.log", "-"),
        ] {
            assert_eq!(own(path), expected, "{path}");
        }
    }

    #[test]
    fn a_log_that_names_no_pod_is_of_the_only_one_that_fails() {
        let known = |fails: bool| Known { namespace: "ns".to_owned(), containers: Vec::new(), fails };
        let mut pods = KnownPods::default();
        for (name, workload, fails) in [
            ("hook-6d8f7c9b54-k8x2z", "hook", false),
            ("hook-6d8f7c9b54-l9x2z", "hook", true),
            ("blue-6d8f7c9b54-k8x2z", "blue", true),
            ("blue-6d8f7c9b54-l9x2z", "blue", true),
        ] {
            pods.by_name.entry(name.to_owned()).or_default().push(known(fails));
            pods.by_workload.entry(workload.to_owned()).or_default().insert(name.to_owned());
        }
        for (name, fails) in [("etcd-cp-1", false), ("etcd-cp-2", true)] {
            pods.by_name.entry(name.to_owned()).or_default().push(known(fails));
            pods.by_component.entry("etcd".to_owned()).or_default().insert(name.to_owned());
        }
        for (name, fails) in [("cilium-2x4zv", false), ("cilium-9k7lq", true)] {
            pods.by_name.entry(name.to_owned()).or_default().push(known(fails));
            pods.by_container.entry("cilium-agent".to_owned()).or_default().insert(name.to_owned());
        }
        let of = |path: &str, failing: bool, machine: Option<&str>| {
            pods.complete(StreamOrigin::default(), path, (failing, machine)).pod.unwrap_or_default()
        };
        assert_eq!(of("logs/hook.log", true, None), "hook-6d8f7c9b54-l9x2z");
        assert_eq!(of("logs/hook-previous.log", true, None), "hook-6d8f7c9b54-l9x2z");
        assert_eq!(of("etcd.log", true, None), "etcd-cp-2");
        assert_eq!(of("cilium-agent-previous.log", true, None), "cilium-9k7lq", "by its container");
        assert_eq!(of("cilium-agent.log", false, None), "");
        // Where it was written says more, and what goes on is of any of them.
        assert_eq!(of("cp-1/etcd.log", true, Some("cp-1")), "etcd-cp-1");
        assert_eq!(of("etcd.log", false, None), "");
        assert_eq!(of("blue.log", true, None), "", "two of them fail");
    }

    #[test]
    fn what_names_something_else_is_not_of_that_pod() {
        for path in [
            // Of which of the two?
            "db-0.log",
            // A program, a part of another name, another container, another namespace, another file of the Pod.
            "web-frontend.log",
            "my-web.log",
            "web-7d9f8c6b5-x2x4z-sidecar.log",
            "bank-1/web-7d9f8c6b5-x2x4z.log",
            "web/kubelet.log",
            "payments.log",
            "nodes/web/journal.log",
        ] {
            assert_eq!(own(path), "-", "{path}");
        }
    }
}
