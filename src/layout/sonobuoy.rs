//! Sonobuoy, from 0.8 to today.
//!
//! Source: `vmware-tanzu/sonobuoy:pkg/discovery/queries.go`, `pkg/discovery/discovery.go@v0.57`; bundles of
//! 2017 and 2021 for the older names.
//!
//! Each file is a bare array of a whole list; its items have no kind of their own before 0.11, and it is named
//! after the Go type then. A query that failed leaves no file, and its error in `query-time.json`.

use crate::discovery::Served;
use crate::{Found, Is, Layout, Manifest, Rule, document, no_finish, rule};
use facts::kind::KindName;
use facts::node::Node;
use facts::origin::Citation;
use facts::record::{Record, Stamp, Stated};
use facts::shortfall::WhyTruncated;
use facts::unread::{NotAsExpected, Reporter, WhyUnread};
use parse::failure;

/// The layout from 0.9 on.
pub(crate) const LAYOUT: Layout = Layout {
    name: "sonobuoy",
    marks: &[
        &["resources/cluster/{resource}.json", "resources/ns/{namespace}/{resource}.json"],
        &["plugins/**", "podlogs/**", "meta/**", "serverversion.json", "servergroups.json", "hosts/**"],
    ],
    unless: &["resources/non-ns/{resource}.json", "resources/ns/{namespace}/results.json"],
    is_part: false,
    rules: RULES,
    finish: no_finish,
};

pub(crate) const LAYOUT_0_8: Layout = Layout {
    name: "sonobuoy-0.8",
    marks: &[&["resources/non-ns/results.json", "resources/ns/{namespace}/results.json"]],
    unless: &[],
    is_part: false,
    rules: RULES_0_8,
    finish: no_finish,
};

const TESTS: &str = "output of tests, which provoke failures on purpose";
const SELF: &str = "what Sonobuoy says about itself";
const HOST: &str = "a reading of a kubelet, which no signature rests on";

/// The rules of a version, with those for files that are named after Go types.
macro_rules! rules {
    ($cluster:literal: $($rule:expr,)* ; $($name:literal $kind:literal)*; $($of_cluster:literal $cluster_kind:literal)*) => {
        &[
            $($rule,)*
            $(rule(concat!("resources/ns/{namespace}/", $name, ".json"), Is::List($kind)),)*
            $(rule(concat!("resources/", $cluster, "/", $of_cluster, ".json"), Is::List($cluster_kind)),)*
            rule("plugins/{plugin}/results/e2e.log", Is::Aside(TESTS)),
            rule("plugins/{plugin}/results/{node}/e2e.log", Is::Aside(TESTS)),
            rule("plugins/{plugin}/results/{file}.xml", Is::Aside(TESTS)),
            rule("plugins/{plugin}/results/{node}/{file}.xml", Is::Aside(TESTS)),
            rule("plugins/{plugin}/sonobuoy_results.yaml", Is::Aside(TESTS)),
            rule("plugins/{plugin}/defintion.json", Is::Aside(SELF)),
            rule("plugins/{plugin}/definition.json", Is::Aside(SELF)),
            rule("plugins/{plugin}/errors/**", Is::Manifest(plugin_error)),
            rule("podlogs/{namespace}/{pod}/logs/e2e.txt", Is::Aside(TESTS)),
            rule("podlogs/{namespace}/{pod}/logs/{container}.txt", Is::Log(never_cut)),
            rule("hosts/{node}/configz.json", Is::Aside(HOST)),
            rule("hosts/{node}/healthz.json", Is::Aside(HOST)),
        ]
    };
}

/// The names of 0.8 to 0.10.
macro_rules! with_old_names {
    ($cluster:literal: $($rule:expr,)*) => {
        rules!($cluster: $($rule,)* ;
            "ConfigMaps" "configmaps"
            "ControllerRevisions" "controllerrevisions.apps"
            "CronJobs" "cronjobs.batch"
            "DaemonSets" "daemonsets.apps"
            "Deployments" "deployments.apps"
            "Endpoints" "endpoints"
            "Events" "events"
            "HorizontalPodAutoscalers" "horizontalpodautoscalers.autoscaling"
            "Ingresses" "ingresses.networking.k8s.io"
            "Jobs" "jobs.batch"
            "LimitRanges" "limitranges"
            "NetworkPolicies" "networkpolicies.networking.k8s.io"
            "PersistentVolumeClaims" "persistentvolumeclaims"
            "PodDisruptionBudgets" "poddisruptionbudgets.policy"
            "PodTemplates" "podtemplates"
            "Pods" "pods"
            "ReplicaSets" "replicasets.apps"
            "ReplicationControllers" "replicationcontrollers"
            "ResourceQuotas" "resourcequotas"
            "RoleBindings" "rolebindings.rbac.authorization.k8s.io"
            "Roles" "roles.rbac.authorization.k8s.io"
            "Secrets" "secrets"
            "ServiceAccounts" "serviceaccounts"
            "Services" "services"
            "StatefulSets" "statefulsets.apps"
            ;
            "CertificateSigningRequests" "certificatesigningrequests.certificates.k8s.io"
            "ClusterRoleBindings" "clusterrolebindings.rbac.authorization.k8s.io"
            "ClusterRoles" "clusterroles.rbac.authorization.k8s.io"
            "ComponentStatuses" "componentstatuses"
            "CustomResourceDefinitions" "customresourcedefinitions.apiextensions.k8s.io"
            "Namespaces" "namespaces"
            "Nodes" "nodes"
            "PersistentVolumes" "persistentvolumes"
            "PodSecurityPolicies" "podsecuritypolicies.policy"
            "StorageClasses" "storageclasses.storage.k8s.io"
        )
    };
}

const RULES: &[Rule] = with_old_names!("cluster":
    rule("meta/query-time.json", Is::Manifest(queries)),
    rule("meta/config.json", Is::Manifest(config)),
    rule("meta/info.json", Is::Aside(SELF)),
    rule("meta/clusterhealth.json", Is::Aside("a summary of what is read itself")),
    rule("serverversion.json", Is::Manifest(version)),
    rule("servergroups.json", Is::Manifest(groups)),
    rule("resources/cluster/{group}_{version}_{resource}.json", Is::List("")),
    rule("resources/ns/{namespace}/{group}_{version}_{resource}.json", Is::List("")),
);

const RULES_0_8: &[Rule] = with_old_names!("non-ns":
    rule("config.json", Is::Manifest(config)),
    rule("serverversion/serverversion.json", Is::Manifest(version)),
    rule("resources/non-ns/results.json", Is::Manifest(queries)),
    rule("resources/ns/{namespace}/results.json", Is::Manifest(queries)),
);

/// The aggregator asks for whole logs unless it was told otherwise.
fn never_cut(_: u64, _: u64) -> Option<WhyTruncated> {
    None
}

fn version(found: &Found<'_>, content: &str) -> Result<Manifest, NotAsExpected> {
    let node = document(content)?;
    let version = node.get("gitVersion").and_then(Node::as_str).ok_or("expected `gitVersion`")?;
    let citation = Citation::line(found.member, node.line, version);
    let stamp = Record::from(Stamp { what: Stated::ServerVersion, text: version.to_owned(), citation });
    Ok(Manifest { records: vec![stamp], ..Manifest::default() })
}

fn groups(_: &Found<'_>, content: &str) -> Result<Manifest, NotAsExpected> {
    Ok(Manifest { served: Served::read(&document(content)?)?, ..Manifest::default() })
}

/// What the run was asked for. `Filters.Namespaces` leaves out whole files; a selector leaves objects out of each.
/// Source: `vmware-tanzu/sonobuoy:pkg/config/config.go@v0.57`, `FilterOptions`.
fn config(_: &Found<'_>, content: &str) -> Result<Manifest, NotAsExpected> {
    let node = document(content)?;
    let filters = node.field("Filters");
    let selector = filters.and_then(|filters| filters.field("LabelSelector")).and_then(Node::as_str);
    let selector = selector.filter(|text| !text.is_empty()).map(str::to_owned);
    let unread = vec![(0, WhyUnread::Aside(SELF))];
    Ok(Manifest { selector, unread, ..Manifest::default() })
}

/// `[{"queryobj", "namespace", "time", "error"}]`: what failed was not collected.
fn queries(found: &Found<'_>, content: &str) -> Result<Manifest, NotAsExpected> {
    let node = document(content)?;
    let mut manifest = Manifest::default();
    for query in node.items() {
        let Some(error) = query.get("error").filter(|error| !error.value.is_empty()) else { continue };
        let asked = query.get("queryobj").and_then(Node::as_str).unwrap_or("?");
        let namespace = query.get("namespace").and_then(Node::as_str).filter(|text| !text.is_empty());
        let namespace = namespace.or_else(|| found.captures.get("namespace"));
        let status = error.get("ErrStatus").unwrap_or(error);
        let message = status.get("message").and_then(Node::as_str).or_else(|| error.as_str());
        let message = message.unwrap_or("the query failed");
        let detail = |field: &str| status.at(&["details", field]).and_then(Node::as_str).filter(|t| !t.is_empty());
        let kind = match (kind_of(asked), detail("kind")) {
            (Some(kind), _) => Some(kind),
            (None, Some(plural)) => Some(KindName {
                plural: plural.to_ascii_lowercase(),
                group: detail("group").unwrap_or_default().to_ascii_lowercase(),
            }),
            (None, None) => None,
        };
        let text = format!("the query for {asked} failed: {message}");
        match kind {
            Some(kind) => {
                let answer = failure::answer(found.member, error.line, kind, namespace, &text);
                manifest.records.push(Record::from(answer));
            }
            None => manifest.unread.push((error.line, WhyUnread::Quoted(failure::trouble(&text)))),
        }
    }
    Ok(manifest)
}

/// The kind that a query is named after, where that is a Go type.
fn kind_of(asked: &str) -> Option<KindName> {
    RULES.iter().find_map(|rule| {
        let name = rule.path.rsplit('/').next()?.strip_suffix(".json")?;
        match rule.is {
            Is::List(kind) if !kind.is_empty() && name == asked => Some(KindName::parse(kind)),
            _ => None,
        }
    })
}

/// `{"error": "..."}`: a plugin that did not run to its end.
fn plugin_error(_: &Found<'_>, content: &str) -> Result<Manifest, NotAsExpected> {
    let node = document(content)?;
    let error = node.get("error").and_then(Node::as_str).ok_or("expected `error`")?;
    let why = WhyUnread::Failed(Reporter::Plugin, failure::trouble(error));
    Ok(Manifest { unread: vec![(node.line, why)], ..Manifest::default() })
}
