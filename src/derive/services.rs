//! Services with what stands behind them: `servicebackends.casefile.dev`, one for each Service that selects Pods.
//!
//! Why derived: whether a Service has somebody to serve it is a matter of its selector, the Pods' labels and
//! readiness, and its endpoints, which stand in two kinds of object.
//!
//! Invariants: a Service without a selector is left out (its endpoints are made by hand); that nobody stands
//! behind it is said by endpoints that were collected, or by all Pods of its namespace, never by their lack.

use crate::deriver::Deriver;
use crate::reader::{Read, Reader};
use crate::workloads::pod::Pod;
use crate::workloads::{Workload, Workloads, id_of};
use facts::coverage::Basis;
use facts::derived::Derived;
use facts::limit::Limit;
use facts::object::{Lookup, ObjectId};
use facts::path::Path;
use facts::provenance::{Cited, Provenance};
use jiff::Timestamp;
use std::collections::{BTreeMap, BTreeSet};

pub(crate) const DERIVER: Deriver =
    Deriver { makes: &["servicebackends"], statements: &[], derive: |inputs| inputs.services.derive() };

/// The workloads that serve: a ReplicaSet is its Deployment's, and a Job serves nobody.
const SERVING: [&str; 3] = ["deployments.apps", "statefulsets.apps", "daemonsets.apps"];

/// Services that may select one Pod, on average, until they are not followed any more.
const SHARED: usize = 20;
/// So many workloads of their namespaces are held against the selectors of all Services.
const LOOKS: usize = 4_000_000;

/// What stands behind a Service.
#[derive(Debug)]
pub(crate) struct Service {
    pub id: ObjectId,
    /// Ready addresses; `None` if not known.
    pub ready: Option<i64>,
    /// For each of its ports the addresses that `kubectl describe` printed, if one printed them.
    described: Vec<i64>,
    /// Pods that it selects, by index in the workloads.
    pub pods: Vec<usize>,
    /// All Pods of its namespace were seen.
    pub all_pods: bool,
    /// Where the endpoints stand.
    pub places: Vec<Cited>,
    /// It selects nothing by itself.
    pub without_selector: bool,
    /// It is followed to its Pods and workloads.
    pub followed: bool,
    target_ports: Vec<Read>,
}

/// The Services of a context, by namespace and name.
#[derive(Debug)]
pub(crate) struct Services<'a> {
    reader: Reader<'a>,
    workloads: &'a Workloads,
    /// By namespace and name.
    pub all: BTreeMap<(String, String), Service>,
    /// Every Service that was seen, in whatever form, by namespace and name.
    seen: BTreeSet<(String, String)>,
    /// Some are not followed to their Pods.
    pub limit: Option<Limit>,
}

impl<'a> Services<'a> {
    pub(crate) fn gather(reader: Reader<'a>, workloads: &'a Workloads) -> Self {
        let (mut all, mut seen, mut open) = (BTreeMap::new(), BTreeSet::new(), 0);
        let mut whole: BTreeMap<String, bool> = BTreeMap::new();
        let addresses = Addresses::gather(reader);
        let mut room = 10_000 + SHARED * workloads.pods.len();
        let mut looks = LOOKS;
        let mut in_namespace: BTreeMap<String, usize> = BTreeMap::new();
        for id in reader.all("services") {
            let object = reader.object(id);
            let Some(namespace) = object.namespace.clone() else { continue };
            seen.insert((namespace.clone(), object.name.clone()));
            let Some(selector) = reader.entries(id, "spec.selector") else { continue };
            if reader.is(id, "spec.type", "ExternalName") {
                continue;
            }
            let whole = *whole.entry(namespace.clone()).or_insert_with(|| {
                let shows_labels = |index: &usize| workloads.pods.get(*index).is_some_and(|pod| pod.labels.is_some());
                reader.listed("pods", Some(&namespace)).basis != Basis::Named
                    && workloads.alive(&namespace).iter().all(shows_labels)
            });
            let without_selector = selector.is_empty();
            let among =
                in_namespace.entry(namespace.clone()).or_insert_with_key(|own| workloads.in_namespace(own).count());
            looks = looks.saturating_sub(*among);
            let is_room = room > 0 && looks > 0;
            let pods =
                if without_selector || !is_room { Vec::new() } else { workloads.selected(&namespace, &selector) };
            // Beyond any real cluster, Services that select the same Pods again are left open.
            room = room.saturating_sub(pods.len());
            let followed = is_room && room > 0;
            open += u64::from(!followed && !without_selector);
            let (pods, whole) = if followed { (pods, whole) } else { (Vec::new(), false) };
            let (described, printed) = described(reader, id);
            let (ready, places) = match addresses.of(&namespace, &object.name) {
                (None, _) if !described.is_empty() => (described.iter().copied().max(), printed),
                told => told,
            };
            let target_ports = reader.texts(id, "spec.ports[*].targetPort");
            let service = Service {
                id,
                ready,
                described,
                pods,
                all_pods: whole,
                places,
                without_selector,
                followed,
                target_ports,
            };
            all.insert((namespace, object.name.clone()), service);
        }
        Self { reader, workloads, all, seen, limit: (open > 0).then_some(Limit::Services(open)) }
    }

    /// Was any Service of the namespace seen?
    pub(crate) fn seen_in(&self, namespace: &str) -> bool {
        let first = (namespace.to_owned(), String::new());
        self.seen.range(first..).next().is_some_and(|(own, _)| own == namespace)
    }

    /// The workloads behind a Service.
    pub(crate) fn workloads_of(&self, service: &Service) -> Vec<String> {
        if !service.followed {
            return Vec::new();
        }
        if service.pods.is_empty() && !service.all_pods {
            // Nothing shows the labels of the Pods: the workloads that are named after the Service.
            let object = self.reader.object(service.id);
            return self.workloads_named(object.namespace.as_deref().unwrap_or_default(), &object.name);
        }
        let keys = service.pods.iter().filter_map(|index| self.workloads.owner_of(*index));
        keys.map(id_of).collect::<BTreeSet<_>>().into_iter().collect()
    }

    /// The workloads that stand behind a Service, or would if they had Pods.
    pub(crate) fn workloads_behind(&self, service: &Service) -> BTreeSet<String> {
        if !service.followed {
            return BTreeSet::new();
        }
        let object = self.reader.object(service.id);
        let selector = self.reader.entries(service.id, "spec.selector").unwrap_or_default();
        let by_template = self.workloads_by_template(object.namespace.as_deref().unwrap_or_default(), &selector);
        self.workloads_of(service).into_iter().chain(by_template).collect()
    }

    /// The workloads with Pods of these labels, even if none of their Pods is there.
    fn workloads_by_template(&self, namespace: &str, selector: &[(String, String)]) -> Vec<String> {
        if selector.is_empty() {
            return Vec::new();
        }
        let fits = |labels: &Vec<(String, String)>| selector.iter().all(|pair| labels.contains(pair));
        let all = self.workloads.in_namespace(namespace);
        all.filter(|(_, workload)| workload.labels.as_ref().is_some_and(fits)).map(|(key, _)| id_of(key)).collect()
    }

    /// Was the Service seen, in whatever form?
    pub(crate) fn seen(&self, namespace: &str, name: &str) -> bool {
        self.seen.contains(&(namespace.to_owned(), name.to_owned()))
    }

    /// The workloads of a namespace whose name begins like that of a Service.
    pub(crate) fn workloads_named(&self, namespace: &str, name: &str) -> Vec<String> {
        let named = |own: &str| own.strip_prefix(name).is_some_and(|rest| rest.is_empty() || rest.starts_with('-'));
        self.workloads.in_namespace(namespace).filter(|(key, _)| named(&key.name)).map(|(key, _)| id_of(key)).collect()
    }

    /// How many ready addresses a Service has: by its endpoints, else by the Pods that it selects.
    pub(crate) fn ready_count(&self, service: &Service) -> Option<i64> {
        let by_pods = (service.all_pods || !service.pods.is_empty()) && !service.without_selector;
        let pods = || self.pods_of(service).filter(|pod| pod.ready != Some(false)).count() as i64;
        service.ready.or_else(|| by_pods.then(pods))
    }

    pub(crate) fn ready_places(&self, service: &Service) -> Vec<Cited> {
        if service.ready.is_some() {
            return service.places.clone();
        }
        let path = "status.conditions[type=Ready].status";
        self.pods_of(service).filter_map(|pod| self.reader.text(pod.id, path).map(|read| read.cited)).collect()
    }

    /// Since when one of the selected Pods is ready without a break; `None` if none is, or no time is shown.
    pub(crate) fn ready_since(&self, service: &Service) -> Option<Timestamp> {
        let ready = self.pods_of(service).filter(|pod| pod.ready == Some(true));
        ready.filter_map(|pod| self.reader.text(pod.id, READY_SINCE)?.text.parse().ok()).min()
    }

    fn pods_of(&self, service: &Service) -> impl Iterator<Item = &Pod> {
        service.pods.iter().filter_map(|index| self.workloads.pods.get(*index))
    }

    /// Is one of the selected Pods still starting?
    pub(crate) fn starting(&self, service: &Service) -> bool {
        let lately = |pod: &Pod| self.reader.age(pod.id, READY_SINCE).is_some_and(|age| age < SETTLES);
        self.pods_of(service).any(|pod| pod.young || pod.ready == Some(false) && lately(pod))
    }

    fn derive(&self) -> Vec<Derived> {
        let selecting = self.all.iter().filter(|(_, service)| !service.without_selector);
        selecting.map(|((namespace, _), service)| self.object(namespace, service)).collect()
    }

    fn object(&self, namespace: &str, service: &Service) -> Derived {
        let reader = self.reader;
        let mut made = reader.about(service.id, "servicebackends");
        let selector = reader.entries(service.id, "spec.selector").unwrap_or_default();
        let text: Vec<String> = selector.iter().map(|(key, value)| format!("{key}={value}")).collect();
        let seen = reader.seen(service.id);
        let shown = reader.nodes(service.id, "spec.selector").into_iter().map(|(_, cited)| cited).next();
        made.text("spec.selector", &text.join(","), Provenance::all_or(shown, &seen));
        let endpoints = Provenance::all_or(service.places.iter().cloned(), &seen);
        made.number("status.readyEndpoints", service.ready, &endpoints);
        let pods: Vec<&Pod> = self.pods_of(service).collect();
        let ready = pods.iter().filter(|pod| pod.ready == Some(true)).count() as i64;
        // Which Pods it selects is known only as far as the Pods of its namespace are.
        let of_pods = reader.listed("pods", Some(namespace)).and(&seen);
        if service.all_pods || !pods.is_empty() {
            let places = pods.iter().filter_map(|pod| reader.text(pod.id, "status.phase")).map(|read| read.cited);
            let selected = places.fold(of_pods.clone(), Provenance::and);
            made.number("status.selectedPods", pods.len() as i64, &selected);
            made.number("status.readyPods", ready, selected.without_places());
        }
        // Many clean installations hold Services whose Pods nobody asked for; a Service is in use where its
        // workload is there, or was.
        let names = self.workloads_behind(service);
        // Those that would stand behind it may be scaled to zero on purpose.
        let behind: Vec<(&String, &Workload)> =
            names.iter().filter_map(|id| Some((id, self.workloads.by_id(id)?))).collect();
        let zero = !behind.is_empty() && behind.iter().all(|(_, workload)| workload.desired == Some(0));
        // That there is none is known only as far as the workloads are.
        let lists: Vec<_> = SERVING.iter().map(|kind| reader.listed(kind, Some(namespace))).collect();
        let known =
            |is_shown: bool| is_shown || service.followed && lists.iter().all(|list| list.basis != Basis::Named);
        made.flag("status.scaledToZero", known(!behind.is_empty() || !pods.is_empty()).then_some(zero), &of_pods);
        made.flag("status.starting", self.starting(service), &of_pods);
        let has_workload = known(!names.is_empty()).then_some(!names.is_empty());
        let none = lists.into_iter().fold(of_pods.clone(), Provenance::and);
        made.flag("status.hasWorkload", has_workload, if names.is_empty() { &none } else { &of_pods });
        made.list("status.workloads", names.iter().cloned(), &of_pods);
        let troubled = behind.into_iter().filter(|(_, workload)| self.workloads.is_troubled(workload));
        made.list("status.troubledWorkloads", troubled.map(|(id, _)| id.clone()), &of_pods);
        self.ports(service, &pods, &of_pods, &mut made);
        made
    }

    /// Target ports by name that no container of the selected Pods has. Of the init containers only those that
    /// run beside the others count (`kubernetes/kubernetes:pkg/api/v1/pod/util.go@v1.34`, `FindPort`).
    fn ports(&self, service: &Service, pods: &[&Pod], of_pods: &Provenance, made: &mut Derived) {
        let mut missing = Vec::new();
        let mut known = !pods.is_empty();
        for port in &service.target_ports {
            if port.text.parse::<i64>().is_ok() {
                continue;
            }
            for pod in pods {
                let has = self.has_port(pod, &port.text);
                known &= has.is_some();
                if has == Some(false) {
                    missing.push(port.clone());
                }
            }
        }
        if known {
            let names = missing.iter().map(|read| read.text.clone());
            let from = missing.iter().fold(of_pods.clone(), Provenance::and);
            made.list("status.missingPorts", names, from);
        }
        let unserved = self.unserved(service, pods);
        if !unserved.is_empty() {
            let from = unserved.iter().copied().fold(of_pods.clone(), Provenance::and);
            let from = service.places.iter().cloned().fold(from, Provenance::and);
            made.list("status.unservedPorts", unserved.iter().map(|read| read.text.clone()), from);
        }
    }

    /// Target ports by name for which no address is there, though Pods that are selected are ready: a ready Pod stands among
    /// the addresses of each port that it has (`kubernetes/endpointslice:reconciler.go@v0.34`).
    fn unserved<'s>(&self, service: &'s Service, pods: &[&Pod]) -> Vec<&'s Read> {
        let is_name = |read: &&Read| read.text.parse::<i64>().is_err();
        let has_ready = pods.iter().any(|pod| pod.ready == Some(true) && !pod.young);
        let by_port = service.described.len() == service.target_ports.len();
        let of_none = |at: usize| match service.described.get(at).filter(|_| by_port) {
            Some(count) => *count == 0,
            None => service.ready == Some(0),
        };
        let ports = service.target_ports.iter().enumerate();
        ports.filter(|(at, _)| has_ready && of_none(*at)).map(|(_, read)| read).filter(is_name).collect()
    }
}

/// For each port of a Service the addresses that `kubectl describe` printed, and where.
fn described(reader: Reader<'_>, service: ObjectId) -> (Vec<i64>, Vec<Cited>) {
    let ports = reader.texts(service, "status.kubectlEndpoints[*]").into_iter();
    ports.filter_map(|read| Some((read.text.parse::<i64>().ok()?, read.cited))).unzip()
}

/// A Pod that restarts, or whose Node is away for a moment, gets ready again within this many seconds.
const SETTLES: i64 = 300;
const READY_SINCE: &str = "status.conditions[type=Ready].lastTransitionTime";
const PORT_NAMES: &str = "spec.containers[*].ports[*].name";

impl Services<'_> {
    /// Has one of the containers of a Pod a port of this name? `None` if not all names are known: a description
    /// prints numbers alone.
    fn has_port(&self, pod: &Pod, wanted: &str) -> Option<bool> {
        let reader = self.reader;
        let sidecars = reader.nodes(pod.id, "spec.initContainers").into_iter().filter(|(container, _)| {
            container.get("restartPolicy").and_then(|policy| policy.as_str()) == Some("Always")
        });
        let mut names: Vec<String> = reader.texts(pod.id, PORT_NAMES).into_iter().map(|read| read.text).collect();
        for (container, _) in sidecars {
            let ports = container.get("ports").map(|ports| ports.items()).unwrap_or_default();
            names.extend(ports.iter().filter_map(|port| port.get("name")?.value.scalar()));
        }
        if names.iter().any(|name| name == wanted) {
            return Some(true);
        }
        let path = Path::parse(PORT_NAMES).ok()?;
        let known = matches!(reader.facts.lookup(pod.id, &path), Lookup::Found(_) | Lookup::NotSet(_));
        let whole =
            reader.unset(pod.id, "spec.initContainers") || !reader.nodes(pod.id, "spec.initContainers").is_empty();
        (known && whole && !reader.nodes(pod.id, "spec.containers").is_empty()).then_some(false)
    }
}

/// What endpoints say: how many addresses are ready, if that is known, and where it stands.
type Ready = (Option<i64>, Vec<Cited>);

/// The endpoints of a context by namespace and name of their Service.
struct Addresses<'a> {
    reader: Reader<'a>,
    endpoints: BTreeMap<(&'a str, &'a str), ObjectId>,
    slices: BTreeMap<(&'a str, String), Vec<ObjectId>>,
}

impl<'a> Addresses<'a> {
    fn gather(reader: Reader<'a>) -> Self {
        let (mut endpoints, mut slices) = (BTreeMap::new(), BTreeMap::new());
        for id in reader.all("endpoints") {
            let object = reader.object(id);
            if let Some(namespace) = object.namespace.as_deref() {
                endpoints.entry((namespace, object.name.as_str())).or_insert(id);
            }
        }
        for id in reader.all("endpointslices.discovery.k8s.io") {
            let service = reader.text(id, "metadata.labels[\"kubernetes.io/service-name\"]");
            if let (Some(namespace), Some(service)) = (reader.object(id).namespace.as_deref(), service) {
                slices.entry((namespace, service.text)).or_insert_with(Vec::new).push(id);
            }
        }
        Self { reader, endpoints, slices }
    }

    /// By the Endpoints object, else by the EndpointSlices.
    fn of(&self, namespace: &str, name: &str) -> Ready {
        if let Some(id) = self.endpoints.get(&(namespace, name)) {
            return by_endpoints(self.reader, *id);
        }
        let slices = self.slices.get(&(namespace, name.to_owned()));
        // One slice by its name says nothing of the others: the addresses are those of a list.
        let listed = || self.reader.listed("endpointslices.discovery.k8s.io", Some(namespace)).basis != Basis::Named;
        slices.filter(|_| listed()).map_or((None, Vec::new()), |slices| by_slices(self.reader, slices))
    }
}

fn by_endpoints(reader: Reader<'_>, id: ObjectId) -> Ready {
    let ready = reader.nodes(id, "subsets[*].addresses");
    let not_ready = reader.nodes(id, "subsets[*].notReadyAddresses");
    let whole = reader.unset(id, "subsets") || !reader.nodes(id, "subsets").is_empty();
    if !whole && ready.is_empty() {
        return by_row(reader, id);
    }
    let mut places: Vec<Cited> = not_ready.iter().chain(&ready).map(|(_, cited)| cited.clone()).collect();
    places.extend(reader.text(id, "metadata.name").map(|read| read.cited));
    (Some(ready.len() as i64), places)
}

/// What a row of kubectl says: it lists the ready addresses, each with its ports, and prints `<none>` where there is none. Of a
/// list that it cut the number is not known. Source: `kubernetes/kubernetes:pkg/printers/internalversion/printers.go@v1.34.0`
/// (`formatEndpoints`).
fn by_row(reader: Reader<'_>, id: ObjectId) -> Ready {
    const PATH: &str = "status.kubectlEndpoints";
    let place = || reader.text(id, "metadata.name").map(|read| read.cited).into_iter().collect();
    match reader.text(id, PATH) {
        Some(read) if read.text != "<none>" => (Some(read.text.split(',').count() as i64), vec![read.cited]),
        Some(read) => (Some(0), vec![read.cited]),
        None if reader.is_without(id, PATH) => (Some(0), place()),
        None => (None, Vec::new()),
    }
}

fn by_slices(reader: Reader<'_>, slices: &[ObjectId]) -> Ready {
    let (mut ready, mut places) = (0, Vec::new());
    for id in slices.iter().copied() {
        // An empty list is a slice of nobody; one that is not shown is not known.
        if reader.count(id, "endpoints").is_none() && !reader.unset(id, "endpoints") {
            return (None, Vec::new());
        }
        for (endpoint, cited) in reader.nodes(id, "endpoints") {
            let state = endpoint.at(&["conditions", "ready"]).and_then(|node| node.value.scalar());
            ready += i64::from(state.as_deref() != Some("false"));
            places.push(cited);
        }
        places.extend(reader.text(id, "metadata.name").map(|read| read.cited));
    }
    (Some(ready), places)
}
