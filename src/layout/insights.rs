//! Archives of the OpenShift Insights Operator.
//!
//! Source: `openshift/insights-operator:pkg/gatherers/clusterconfig`, `pkg/recorder/diskrecorder`,
//! `pkg/gather/gather.go` (`GathererFunctionReport`); the sample archive in its `docs/`.
//!
//! It keeps one file for each object, often without kind and API version, and only the objects that it picked
//! (Pods of failing operators, a few namespaces): its files prove no list. What it did, and failed at, is in
//! `insights-operator/gathers.json`.

use crate::{Found, Is, Layout, Manifest, Rule, document, no_finish, rule};
use facts::coverage::State;
use facts::kind::KindName;
use facts::node::Node;
use facts::object::{Form, ObjectRecord, Shown};
use facts::order::Order;
use facts::path::{Path, Step};
use facts::record::Record;
use facts::shortfall::{WhyFailed, WhyTruncated};
use facts::unread::{NotAsExpected, Reporter, WhyUnread};
use parse::failure;

pub(crate) const LAYOUT: Layout = Layout {
    name: "insights",
    marks: &[
        &["config/**"],
        &[
            "config/pod/**",
            "config/node/**",
            "config/clusteroperator/**",
            "config/clusteroperator*",
            "insights-operator/**",
            "conditional/**",
        ],
    ],
    unless: &[],
    is_part: false,
    rules: RULES,
    finish: no_finish,
};

const SUMMARY: &str = "a summary that the collector made, no object of the cluster";

const RULES: &[Rule] = &[
    rule("insights-operator/gathers.json", Is::Manifest(gathers)),
    rule("insights-operator/**", Is::Aside("rules and settings of the collector itself")),
    rule("config/id", Is::Aside("the id of the cluster, which the ClusterVersion shows too")),
    rule("config/version.json", Is::Objects("clusterversions.config.openshift.io")),
    rule("config/infrastructure.json", Is::Objects("infrastructures.config.openshift.io")),
    rule("config/network.json", Is::Objects("networks.config.openshift.io")),
    rule("config/oauth.json", Is::Objects("oauths.config.openshift.io")),
    rule("config/ingress.json", Is::Objects("ingresses.config.openshift.io")),
    rule("config/proxy.json", Is::Objects("proxies.config.openshift.io")),
    rule("config/featuregate.json", Is::Objects("featuregates.config.openshift.io")),
    rule("config/image.json", Is::Objects("images.config.openshift.io")),
    rule("config/authentication.json", Is::Objects("authentications.config.openshift.io")),
    rule("config/schedulers/{name}.json", Is::Objects("schedulers.config.openshift.io")),
    rule("config/clusteroperator/{name}.json", Is::Objects("clusteroperators.config.openshift.io")),
    rule("config/node/{name}.json", Is::Objects("nodes")),
    rule("config/node/logs/{node}.log", Is::Log(selected)),
    rule("config/pod/{namespace}/logs/{pod}/{file}", Is::Log(selected)),
    rule("config/pod/{namespace}/{pod}.json", Is::Objects("pods")),
    rule("config/crd/{name}.json", Is::Objects("customresourcedefinitions.apiextensions.k8s.io")),
    rule("config/persistentvolumes/{name}.json", Is::Objects("persistentvolumes")),
    rule("config/storage/storageclasses/{name}.json", Is::Objects("storageclasses.storage.k8s.io")),
    rule("config/pdbs/{namespace}/{name}.json", Is::Objects("poddisruptionbudgets.policy")),
    rule("config/machines/{namespace}/{name}.json", Is::Objects("machines.machine.openshift.io")),
    rule("machinesets/{namespace}/{name}.json", Is::Objects("machinesets.machine.openshift.io")),
    rule("config/machineconfigpools/{name}.json", Is::Objects("machineconfigpools.machineconfiguration.openshift.io")),
    rule("config/machineconfigs/{name}.json", Is::Objects("machineconfigs.machineconfiguration.openshift.io")),
    rule(
        "config/securitycontextconstraint/{name}.json",
        Is::Objects("securitycontextconstraints.security.openshift.io"),
    ),
    rule("config/clusterrolebinding/{name}.json", Is::Objects("clusterrolebindings.rbac.authorization.k8s.io")),
    rule(
        "config/validatingwebhookconfigurations/{name}.json",
        Is::Objects("validatingwebhookconfigurations.admissionregistration.k8s.io"),
    ),
    rule(
        "config/mutatingwebhookconfigurations/{name}.json",
        Is::Objects("mutatingwebhookconfigurations.admissionregistration.k8s.io"),
    ),
    rule("config/configmaps/**", Is::Aside("one key of a ConfigMap, without the object around it")),
    rule("config/secrets/**", Is::Aside("a part of a Secret, without the object around it")),
    rule("config/metrics", Is::Aside("metrics, which no signature rests on")),
    rule("config/dvo_metrics", Is::Aside("metrics, which no signature rests on")),
    rule("config/serviceaccounts.json", Is::Aside(SUMMARY)),
    rule("config/workload_info.json", Is::Aside(SUMMARY)),
    rule("config/running_containers.json", Is::Aside(SUMMARY)),
    rule("config/installplans.json", Is::Aside(SUMMARY)),
    rule("config/olm_operators.json", Is::Aside(SUMMARY)),
    rule("config/helmchart_info.json", Is::Aside(SUMMARY)),
    rule("config/tsdb.json", Is::Aside(SUMMARY)),
    rule("config/alerts.json", Is::Aside(SUMMARY)),
    rule("config/silenced_alerts.json", Is::Aside(SUMMARY)),
    rule("config/namespaces_with_overlapping_uids.json", Is::Aside(SUMMARY)),
    rule("config/versioned_object_revision_counts.json", Is::Aside(SUMMARY)),
    rule("config/podnetworkconnectivitychecks.json", Is::Aside(SUMMARY)),
    rule("aggregated/**", Is::Aside(SUMMARY)),
    rule("events/{namespace}.json", Is::Manifest(events)),
    rule("conditional/alerts/**", Is::Aside(SUMMARY)),
    rule("conditional/namespaces/{namespace}/pods/{pod}/containers/{container}/logs/{file}", Is::Log(selected)),
    rule("conditional/namespaces/{namespace}/pods/{pod}/containers/{container}/{file}.log", Is::Log(selected)),
];

/// Of a log it keeps the lines that it looks for, or the last few.
fn selected(lines: u64, _: u64) -> Option<WhyTruncated> {
    (lines > 0).then_some(WhyTruncated::ChosenLines)
}

/// What each gatherer function collects whole enough to say that it failed.
const GATHERERS: [(&str, &str); 15] = [
    ("nodes", "nodes"),
    ("operators", "clusteroperators.config.openshift.io"),
    ("operators_pods_and_events", "pods"),
    ("version", "clusterversions.config.openshift.io"),
    ("infrastructures", "infrastructures.config.openshift.io"),
    ("machines", "machines.machine.openshift.io"),
    ("machine_sets", "machinesets.machine.openshift.io"),
    ("machine_healthchecks", "machinehealthchecks.machine.openshift.io"),
    ("machine_config_pools", "machineconfigpools.machineconfiguration.openshift.io"),
    ("machine_configs", "machineconfigs.machineconfiguration.openshift.io"),
    ("pdbs", "poddisruptionbudgets.policy"),
    ("certificate_signing_requests", "certificatesigningrequests.certificates.k8s.io"),
    ("storage_classes", "storageclasses.storage.k8s.io"),
    ("validating_webhook_configurations", "validatingwebhookconfigurations.admissionregistration.k8s.io"),
    ("mutating_webhook_configurations", "mutatingwebhookconfigurations.admissionregistration.k8s.io"),
];

/// `gathers.json`: what each gatherer function did, with its errors and panics.
fn gathers(found: &Found<'_>, content: &str) -> Result<Manifest, NotAsExpected> {
    let node = document(content)?;
    let reports = node.get("status_reports").ok_or("expected `status_reports`")?;
    let mut manifest = Manifest::default();
    for report in reports.items() {
        let name = report.get("name").and_then(Node::as_str).unwrap_or_default();
        let function = name.rsplit('/').next().unwrap_or(name);
        let errors = report.get("errors").map_or(&[][..], Node::items).iter().filter_map(Node::as_str);
        let panic = report.get("panic").and_then(|panic| panic.value.scalar());
        for text in errors.map(str::to_owned).chain(panic) {
            let gathering = Reporter::Gathering(function.to_owned().into());
            manifest.unread.push((report.line, WhyUnread::Failed(gathering, failure::trouble(&text))));
            if let Some((_, kind)) = GATHERERS.iter().find(|(name, _)| *name == function) {
                let mut answer = failure::answer(found.member, report.line, KindName::parse(kind), None, &text);
                if let State::Error(WhyFailed::Said(said)) = &answer.state {
                    answer.state =
                        State::Error(WhyFailed::Gathering(function.to_owned().into(), Box::new(said.clone())));
                }
                manifest.records.push(Record::from(answer));
            }
        }
    }
    Ok(manifest)
}

/// `events/NAMESPACE.json`: events cut down to a few fields, without name and object.
/// Source: `openshift/insights-operator:pkg/gatherers/common/gather_events.go` (`CompactedEvent`).
fn events(found: &Found<'_>, content: &str) -> Result<Manifest, NotAsExpected> {
    let node = document(content)?;
    let items = node.get("items").ok_or("expected `items`")?;
    let mut manifest = Manifest::default();
    for (index, item) in items.items().iter().enumerate() {
        let get = |field: &str| item.get(field).and_then(Node::as_str).unwrap_or_default().to_owned();
        let namespace = Some(get("namespace")).filter(|text| !text.is_empty());
        let namespace = namespace.or_else(|| found.captures.get("namespace").map(str::to_owned));
        let fields = ["lastTimestamp", "reason", "message", "type"];
        let mut event = Node::map(item.line);
        for field in fields {
            event.set(field, Node::str(item.line, get(field)));
        }
        let (event, _) = parse::secrets::tree(None, event);
        manifest.records.push(Record::Object(Box::new(ObjectRecord {
            kind: Some(KindName::parse("events")),
            api_version: None,
            namespace,
            name: format!("{}#{index}", get("reason")),
            uid: None,
            form: Form::Json,
            shown: Shown::Paths(fields.iter().map(|field| Path(vec![Step::Field((*field).to_owned())])).collect()),
            member: found.member,
            line: item.line,
            path: format!("items[{index}]"),
            order: Order::default(),
            node: event,
        })));
    }
    Ok(manifest)
}
