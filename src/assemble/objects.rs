//! Takes in one object: its kind, its node, what it tells of clocks, versions and products.
//!
//! Invariant: an object of a kind that nobody asks for is only counted, unless it says that something is wrong with it.

use crate::as_of::{Candidate, stamps};
use crate::assembly::{Builder, ContextKey, always};
use crate::interest;
use facts::event;
use facts::kind::KindName;
use facts::node::{Node, Value};
use facts::object::{Form, ObjectRecord, Shown};
use facts::origin::Citation;
use facts::path::{Path, Step};
use facts::secrets::mask_text;
use facts::unread::WhyUnread;
use std::borrow::Cow;

/// An object with all that it tells by itself; what it means beside others comes when it is taken in.
pub(crate) struct Prepared {
    /// Nothing if nobody knows what it is.
    kind: Option<KindName>,
    record: ObjectRecord,
    /// Times of it that may be the clock.
    times: Vec<Candidate>,
}

/// Cluster API sets this phase where a Machine has a time of deletion, and a table does not print which.
/// Source: `kubernetes-sigs/cluster-api:internal/controllers/machine/machine_controller_status.go`, `setMachinePhaseAndLastUpdated`.
fn deleted_by_phase(kind: &KindName, record: &mut ObjectRecord) {
    let text = |path: &[&str]| record.node.at(path).and_then(Node::as_str);
    let is_machine = kind.plural == "machines" && kind.group == "cluster.x-k8s.io";
    if is_machine
        && record.form == Form::Table
        && text(&["status", "phase"]) == Some("Deleting")
        && record.node.at(&["metadata", "deletionTimestamp"]).is_none()
    {
        record.node.set_at(&["metadata", "deletionTimestamp"], Node::new(record.line, Value::REDACTED));
    }
}

/// The tier of the Pods that kubeadm runs from files (`kubernetes/kubernetes:cmd/kubeadm/app/constants`).
const CONTROL_PLANE: &str = "control-plane";

impl Builder<'_> {
    /// Works out what an object tells by itself: it may be done for many at once.
    pub(crate) fn prepare(&self, mut record: ObjectRecord) -> Prepared {
        mask_names(&mut record);
        let kind = match (&record.kind, &record.api_version) {
            (_, Some(version)) => record
                .node
                .at(&["kind"])
                .and_then(Node::as_str)
                .map(|kind| self.catalogue.kind_of(version, kind))
                .or_else(|| record.kind.as_ref().map(|k| self.catalogue.canonical(k))),
            (Some(kind), None) => Some(self.catalogue.canonical(kind)),
            (None, None) => None,
        };
        let Some(kind) = kind else { return Prepared { kind: None, record, times: Vec::new() } };
        if self.catalogue.cluster_scoped(&kind) == Some(true) {
            record.namespace = None;
        }
        self.of_node(&kind, &mut record);
        complete(&mut record);
        let kind = self.static_pod(kind, &mut record);
        deleted_by_phase(&kind, &mut record);
        if event::is_kind(&kind)
            && let Some((key, message)) = event::unmarked(&record.node)
        {
            record.node.set_at(&[key], message);
        }
        let mut times = Vec::new();
        if kind.group != "casefile.dev" {
            let citation = Citation::line(record.member, record.line, &format!("{kind} {}", record.name));
            times = stamps::candidates_of_object(&kind, &record.node, &citation);
        }
        if kind == KindName::parse("nodes") {
            record.order.heartbeat = heartbeat(&record.node);
        }
        Prepared { kind: Some(kind), record, times }
    }

    /// Takes an object in.
    pub(crate) fn object(&mut self, key: &ContextKey, object: Prepared) {
        let Prepared { kind, mut record, times } = object;
        let Some(kind) = kind else {
            let why = WhyUnread::UnknownKind(record.name.clone().into());
            self.facts.unread.push((record.member, record.line, why));
            return;
        };
        self.paths.share(&mut record.shown);
        let wanted = self.wanted(&kind);
        let gathered = self.gathered.entry(key.clone()).or_default();
        gathered.marks.add(&kind, record.namespace.as_deref(), &record.name, &record.node);
        if record.shown.is_whole() {
            let scope = if record.namespace.is_some() { &mut gathered.namespaced } else { &mut gathered.unscoped };
            scope.insert(kind.clone());
        }
        if kind.group != "casefile.dev" {
            gathered.kinds.insert(kind.clone());
            if !record.shown.is_manifest() {
                gathered.there.insert(kind.clone());
            }
        }
        gathered.times.extend(times);
        if kind == KindName::parse("nodes")
            && let Some(version) = record.node.at(&["status", "nodeInfo", "kubeletVersion"]).and_then(Node::as_str)
            && !version.is_empty()
        {
            gathered.versions.insert(("Kubernetes".to_owned(), version.to_owned()));
        }
        if !wanted {
            let name = (record.namespace.clone(), record.name.clone());
            gathered.counted.entry(kind.clone()).or_default().insert(name);
        }
        if wanted || interest::is_in_trouble(&kind, &record) {
            record.kind = Some(kind.clone());
            gathered.records.entry(kind).or_default().push(record);
        }
    }

    /// The manifest of a static Pod is a file of a node, not an object of the API server: those of several
    /// nodes have one name. The kubelet shows each as a Pod named after its node.
    /// Source: `kubernetes/kubernetes:pkg/kubelet/config/common.go`, `applyDefaults`.
    fn static_pod(&self, kind: KindName, record: &mut ObjectRecord) -> KindName {
        let of_api_server = record.uid.is_some() || record.node.get("status").is_some_and(|s| !s.value.is_empty());
        if kind != KindName::parse("pods") || of_api_server || matches!(record.shown, Shown::Paths(_)) {
            return kind;
        }
        let file = self.facts.members.get(&record.member).map_or("", |name| name.inside());
        let text = |path: &[&str]| record.node.at(path).and_then(Node::as_str).filter(|text| !text.is_empty());
        // Of the files that kubeadm writes each names its component and its tier, wherever somebody copied it to.
        let is_of_plane = text(&["metadata", "labels", "tier"]) == Some(CONTROL_PLANE)
            && text(&["metadata", "labels", "component"]) == Some(record.name.as_str())
            && text(&["spec", "nodeName"]).is_none();
        if !file.contains("manifests/") && !is_of_plane {
            return kind;
        }
        // The file is what the kubelet runs, not what somebody wants of an API server.
        record.shown = record.shown.text().clone();
        let node = self.catalogue.sources.locate(file).node;
        let node = node.or_else(|| self.machine_of(record.member).map(str::to_owned));
        let node = node.unwrap_or_else(|| file.to_owned());
        record.name = format!("{}-{node}", record.name);
        record.node.set_at(&["metadata", "name"], Node::str(record.line, record.name.as_str()));
        KindName { plural: "staticpods".to_owned(), group: "casefile.dev".to_owned() }
    }

    fn wanted(&self, kind: &KindName) -> bool {
        let named = || kind.group == "casefile.dev" || self.options.wanted.contains(kind);
        self.options.every_kind || named() || always().any(|always| always == *kind)
    }

    /// What a program of a node prints is about that node, and its file is named after the command alone:
    /// the node belongs to the name, or file systems of several nodes would be one. Where the path names no
    /// node, the file stands for it.
    fn of_node(&self, kind: &KindName, record: &mut ObjectRecord) {
        const BOUND: [&str; 8] = [
            "filesystems",
            "diskusages",
            "clocks",
            "systemdunits",
            "certificates",
            "manifestfiles",
            "sysctls",
            DRIVERS,
        ];
        const NODE_KNOWN: [&str; 4] = ["crictlcontainers", "crictlpods", "crictlimages", "apiserverchecks"];
        let bound = BOUND.contains(&kind.plural.as_str());
        let local = kind.group == "casefile.dev" && parse::etcdctl::is_local(&kind.plural, &record.node);
        if kind.group != "casefile.dev" || !(bound || local || NODE_KNOWN.contains(&kind.plural.as_str())) {
            return;
        }
        let file = self.facts.members.get(&record.member).map_or("", |name| name.inside());
        // A session knows better than its file where a command ran.
        let told = record.node.at(&["spec", "node"]).and_then(Node::as_str).filter(|_| bound || local);
        let of_file = || self.catalogue.sources.locate(file).node;
        // A machine has several certificates with one name, and each in a file of its own.
        let is_one = kind.plural != "certificates";
        let of_machine = || self.machine_of(record.member).filter(|_| is_one).map(str::to_owned);
        // What is shown to be a machine says more than the shape of a name.
        let node = told.map(str::to_owned).or_else(of_machine).or_else(of_file);
        if let Some(node) = &node {
            record.node.set_at(&["spec", "node"], Node::str(record.line, node.as_str()));
            if let Shown::Paths(paths) = &mut record.shown {
                paths.push(Path(vec![Step::Field("spec".to_owned()), Step::Field("node".to_owned())]));
            }
        }
        let image_or_checks = matches!(kind.plural.as_str(), "crictlimages" | "apiserverchecks");
        if bound || node.is_some() && (image_or_checks || local) {
            let place = node.as_deref().unwrap_or_else(|| if kind.plural == DRIVERS { root_of(file) } else { file });
            if kind.plural == DRIVERS {
                record.node.set_at(&["spec", "machine"], Node::str(record.line, place));
                if let Shown::Paths(paths) = &mut record.shown {
                    paths.push(Path(vec![Step::Field("spec".to_owned()), Step::Field("machine".to_owned())]));
                }
            }
            record.name = format!("{place} {}", record.name);
            record.node.set_at(&["metadata", "name"], Node::str(record.line, record.name.as_str()));
        }
    }
}

/// What the configuration of several programs of one machine says: where nothing names it, the folder stands for it in which its
/// root was copied.
const DRIVERS: &str = "cgroupdrivers";

/// The folder of a copied root that holds a file.
fn root_of(file: &str) -> &str {
    let root =
        ["etc/", "var/"].iter().filter_map(|top| file.split_once(top)).map(|(root, _)| root.trim_end_matches('/'));
    match root.min_by_key(|root| root.len()) {
        Some("") | None => "the machine",
        Some(root) => root,
    }
}

/// Names of the API are letters, digits and a few marks. What a stranger's text gives as one and is none may hold a
/// secret, and names stand in every sentence.
fn mask_names(record: &mut ObjectRecord) {
    let is_name = |text: &str| text.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'.' | b':'));
    let names = [Some(&mut record.name), record.namespace.as_mut(), record.uid.as_mut()];
    for name in names.into_iter().flatten().filter(|name| !is_name(name)) {
        if let (Cow::Owned(masked), _) = mask_text(name) {
            *name = masked;
        }
    }
}

/// The last time at which the kubelet of a Node told of itself.
fn heartbeat(node: &Node) -> Option<jiff::Timestamp> {
    let conditions = match node.at(&["status", "conditions"]).map(|conditions| &conditions.value) {
        Some(Value::List(conditions)) => conditions.as_slice(),
        _ => &[],
    };
    conditions.iter().filter_map(|condition| condition.get("lastHeartbeatTime")?.as_str()?.parse().ok()).max()
}

/// Puts name and namespace into the tree where the form left them out of it, so that paths find them.
fn complete(record: &mut ObjectRecord) {
    // Rows of events have no name: theirs is made of what they say.
    let named = !record.name.contains('#');
    let known = [("name", Some(&record.name).filter(|_| named)), ("namespace", record.namespace.as_ref())];
    for (field, value) in known {
        let Some(value) = value else { continue };
        if record.node.at(&["metadata", field]).is_none() {
            record.node.set_at(&["metadata", field], Node::str(record.line, value.as_str()));
        }
        if let Shown::Paths(paths) = &mut record.shown {
            let path = Path(vec![Step::Field("metadata".to_owned()), Step::Field(field.to_owned())]);
            if !paths.contains(&path) {
                paths.push(path);
            }
        }
    }
}
