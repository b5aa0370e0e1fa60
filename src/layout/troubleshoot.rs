//! Troubleshoot (`support-bundle`, `kubectl support-bundle`, preflights), old and new.
//!
//! Source: `replicatedhq/troubleshoot:pkg/collect/cluster_resources.go`, `pkg/constants/constants.go`,
//! `pkg/supportbundle/collect.go@v0.123`; bundles of 2022 for the older names.
//!
//! The cluster-resources collector lists each kind without paging, once for each namespace that it may read,
//! and writes no file where that failed; so each file is a whole list. `namespaces.json` is one only as a
//! `NamespaceList`: namespaces that were asked for by name come as an array or as one object.

use crate::discovery;
use crate::discovery::Served;
use crate::{Found, Is, Layout, Manifest, Rule, apply, document, no_finish, rule};
use facts::coverage::{Answer, Basis, Namespaces, State};
use facts::kind::KindName;
use facts::node::{Node, Value};
use facts::order::Order;
use facts::origin::Citation;
use facts::record::{Record, Stamp, Stated};
use facts::shortfall::WhyTruncated;
use facts::unread::{NotAsExpected, Reporter, WhyUnread};
use parse::failure;

pub(crate) const LAYOUT: Layout = Layout {
    name: "troubleshoot",
    marks: &[&["cluster-resources/**", "host-collectors/**"]],
    unless: &[],
    is_part: false,
    rules: RULES,
    finish: no_finish,
};

const HOST: &str = "a reading of the host that no signature rests on";
const CHECK: &str = "the result of a check that the collector made, no object of the cluster";

const RULES: &[Rule] = &[
    rule("version.yaml", Is::Manifest(version)),
    rule("cluster-info/cluster_version.json", Is::Manifest(server_version)),
    rule("skipped-collectors.json", Is::Manifest(skipped)),
    rule("collector-errors/{title}-error.json", Is::Manifest(collector_error)),
    rule("host-collectors/errors/{title}-error.json", Is::Manifest(collector_error)),
    rule("cluster-resources/custom-resources/custom-resources-errors.json", Is::Manifest(custom_resource_errors)),
    rule("cluster-resources/custom-resources-errors.json", Is::Manifest(custom_resource_errors)),
    rule("cluster-resources/groups-resources-errors.json", Is::Manifest(discovery_errors)),
    rule("cluster-resources/{dir}-errors.json", Is::Manifest(list_errors)),
    rule("cluster-resources/groups.json", Is::Manifest(discovery::manifest)),
    rule("cluster-resources/resources.json", Is::Manifest(discovery::manifest)),
    // One list for the cluster.
    rule("cluster-resources/namespaces.json", Is::TypedList("namespaces")),
    rule("cluster-resources/nodes.json", Is::List("nodes")),
    rule("cluster-resources/pvs.json", Is::List("persistentvolumes")),
    rule("cluster-resources/storage-classes.json", Is::List("storageclasses.storage.k8s.io")),
    rule("cluster-resources/ingress-classes.json", Is::List("ingressclasses.networking.k8s.io")),
    rule("cluster-resources/priorityclasses.json", Is::List("priorityclasses.scheduling.k8s.io")),
    rule(
        "cluster-resources/custom-resource-definitions.json",
        Is::List("customresourcedefinitions.apiextensions.k8s.io"),
    ),
    rule("cluster-resources/clusterroles.json", Is::List("clusterroles.rbac.authorization.k8s.io")),
    rule("cluster-resources/clusterRoles.json", Is::List("clusterroles.rbac.authorization.k8s.io")),
    rule("cluster-resources/clusterrolebindings.json", Is::List("clusterrolebindings.rbac.authorization.k8s.io")),
    rule("cluster-resources/clusterRoleBindings.json", Is::List("clusterrolebindings.rbac.authorization.k8s.io")),
    rule("cluster-resources/volumeattachments.json", Is::List("volumeattachments.storage.k8s.io")),
    rule(
        "cluster-resources/certificatesigningrequests.json",
        Is::List("certificatesigningrequests.certificates.k8s.io"),
    ),
    rule(
        "cluster-resources/validating-webhook-configurations.json",
        Is::List("validatingwebhookconfigurations.admissionregistration.k8s.io"),
    ),
    rule(
        "cluster-resources/mutating-webhook-configurations.json",
        Is::List("mutatingwebhookconfigurations.admissionregistration.k8s.io"),
    ),
    rule("cluster-resources/license.json", Is::Aside("the licence of an application, no object of the cluster")),
    // One list for each namespace.
    rule("cluster-resources/pods/{namespace}.json", Is::List("pods")),
    rule("cluster-resources/pod-disruption-budgets/{namespace}.json", Is::List("poddisruptionbudgets.policy")),
    rule("cluster-resources/services/{namespace}.json", Is::List("services")),
    rule("cluster-resources/deployments/{namespace}.json", Is::List("deployments.apps")),
    rule("cluster-resources/replicasets/{namespace}.json", Is::List("replicasets.apps")),
    rule("cluster-resources/statefulsets/{namespace}.json", Is::List("statefulsets.apps")),
    rule("cluster-resources/daemonsets/{namespace}.json", Is::List("daemonsets.apps")),
    rule("cluster-resources/jobs/{namespace}.json", Is::List("jobs.batch")),
    rule("cluster-resources/cronjobs/{namespace}.json", Is::List("cronjobs.batch")),
    rule("cluster-resources/ingress/{namespace}.json", Is::List("ingresses.networking.k8s.io")),
    rule("cluster-resources/network-policy/{namespace}.json", Is::List("networkpolicies.networking.k8s.io")),
    rule("cluster-resources/resource-quota/{namespace}.json", Is::List("resourcequotas")),
    rule("cluster-resources/resource-quotas/{namespace}.json", Is::List("resourcequotas")),
    rule("cluster-resources/limitranges/{namespace}.json", Is::List("limitranges")),
    rule("cluster-resources/events/{namespace}.json", Is::List("events")),
    rule("cluster-resources/pvcs/{namespace}.json", Is::List("persistentvolumeclaims")),
    rule("cluster-resources/roles/{namespace}.json", Is::List("roles.rbac.authorization.k8s.io")),
    rule("cluster-resources/rolebindings/{namespace}.json", Is::List("rolebindings.rbac.authorization.k8s.io")),
    rule("cluster-resources/endpoints/{namespace}.json", Is::List("endpoints")),
    rule("cluster-resources/endpointslices/{namespace}.json", Is::List("endpointslices.discovery.k8s.io")),
    rule("cluster-resources/serviceaccounts/{namespace}.json", Is::List("serviceaccounts")),
    rule("cluster-resources/leases/{namespace}.json", Is::List("leases.coordination.k8s.io")),
    rule("cluster-resources/configmaps/{namespace}.json", Is::List("configmaps")),
    rule("cluster-resources/custom-resources/{resource}.json", Is::List("")),
    rule("cluster-resources/custom-resources/{resource}.yaml", Is::List("")),
    rule("cluster-resources/custom-resources/{resource}/{namespace}.json", Is::List("")),
    rule("cluster-resources/custom-resources/{resource}/{namespace}.yaml", Is::List("")),
    rule(
        "cluster-resources/auth-cani-list/**",
        Is::Aside("what the collector's own account may do, no object of the cluster"),
    ),
    rule(
        "cluster-resources/image-pull-secrets/**",
        Is::Aside("registries and users of a pull secret, no object of the cluster"),
    ),
    // Logs.
    rule("cluster-resources/pods/logs/{namespace}/{pod}/{container}-logs-errors.log", Is::Manifest(log_error)),
    rule("cluster-resources/pods/logs/{namespace}/{pod}/{container}.log", Is::Log(cut)),
    // Single objects that were asked for by name.
    rule("secrets/{namespace}/{name}.json", Is::Manifest(secret)),
    rule("secrets/{namespace}/{name}/{key}.json", Is::Manifest(secret)),
    rule("configmaps/{namespace}/{name}.json", Is::Manifest(config_map)),
    rule("configmaps/{namespace}/{name}/{key}.json", Is::Manifest(config_map)),
    rule("secrets-errors/**", Is::Manifest(errors)),
    rule("configmaps-errors/**", Is::Manifest(errors)),
    rule("helm/errors.json", Is::Manifest(errors)),
    rule("metrics/errors.json", Is::Manifest(errors)),
    rule("cluster-info/errors.json", Is::Manifest(errors)),
    // What the collector made of it, and what it read elsewhere.
    rule("analysis.json", Is::Aside("the collector's own analysis, not an observation")),
    rule("execution-data/**", Is::Aside("how long the collectors took")),
    rule("metadata/**", Is::Aside("what the person who collected said about the bundle")),
    rule("node-metrics/**", Is::Aside("a reading of a kubelet's metrics, which no signature rests on")),
    rule("metrics/**", Is::Aside("a reading of metrics, which no signature rests on")),
    rule("sysctl/**", Is::Aside(HOST)),
    rule("host-collectors/**", Is::Aside(HOST)),
    rule("dns/**", Is::Aside(CHECK)),
    rule("goldpinger/**", Is::Aside(CHECK)),
    rule("certificates/**", Is::Aside(CHECK)),
    rule("registry/**", Is::Aside(CHECK)),
    rule("postgres/**", Is::Aside(CHECK)),
    rule("mysql/**", Is::Aside(CHECK)),
    rule("mssql/**", Is::Aside(CHECK)),
    rule("redis/**", Is::Aside(CHECK)),
    rule("clickhouse/**", Is::Aside(CHECK)),
    rule("s3Status/**", Is::Aside(CHECK)),
    rule("helm/**", Is::Aside("releases as Helm describes them, no objects of the cluster")),
];

/// The kind of a folder or file under `cluster-resources`, and whether it is one list for each namespace.
fn kind_of_dir(dir: &str) -> Option<(KindName, bool)> {
    RULES.iter().find_map(|rule| {
        let rest = rule.path.strip_prefix("cluster-resources/")?.strip_prefix(dir)?;
        match (rest, rule.is) {
            (".json", Is::List(kind) | Is::TypedList(kind)) => Some((KindName::parse(kind), false)),
            ("/{namespace}.json", Is::List(kind)) => Some((KindName::parse(kind), true)),
            _ => None,
        }
    })
}

/// Lines and bytes after which the collector stops: of Pods that it finds unhealthy it takes the last 500
/// lines, its `logs` collector the last 10,000, and never more than 5 MB.
/// Source: `pkg/collect/cluster_resources.go`, `pkg/collect/logs.go` (`MaxLines`, `MaxBytes`).
fn cut(lines: u64, bytes: u64) -> Option<WhyTruncated> {
    match lines {
        500 => Some(WhyTruncated::LastLines("500")),
        10_000 => Some(WhyTruncated::LastLines("10,000")),
        _ if bytes >= 5_000_000 => Some(WhyTruncated::LastBytes("5 MB")),
        _ => None,
    }
}

fn text<'a>(node: &'a Node, field: &str) -> Option<&'a str> {
    node.get(field).and_then(Node::as_str).filter(|text| !text.is_empty())
}

fn stamp(found: &Found<'_>, what: Stated, text: &str, line: u32) -> Record {
    Record::from(Stamp { what, text: text.to_owned(), citation: Citation::line(found.member, line, text) })
}

fn version(_: &Found<'_>, content: &str) -> Result<Manifest, NotAsExpected> {
    let node = document(content)?;
    match text(&node, "kind") {
        Some("SupportBundle" | "Preflight" | "HostPreflight") => {
            Ok(Manifest { mark: Some(LAYOUT.name), ..Manifest::default() })
        }
        _ => Err("expected `kind: SupportBundle`".into()),
    }
}

fn server_version(found: &Found<'_>, content: &str) -> Result<Manifest, NotAsExpected> {
    let node = document(content)?;
    let version = text(&node, "string").or_else(|| node.at(&["info", "gitVersion"])?.as_str());
    let version = version.ok_or("expected `info.gitVersion`")?;
    Ok(Manifest { records: vec![stamp(found, Stated::ServerVersion, version, node.line)], ..Manifest::default() })
}

/// Discovery failed for some group, so what is missing in it may be served all the same.
fn discovery_errors(found: &Found<'_>, content: &str) -> Result<Manifest, NotAsExpected> {
    let manifest = errors(found, content)?;
    let is_partial = !manifest.unread.is_empty();
    Ok(Manifest { served: Served { is_partial, ..Served::default() }, ..manifest })
}

/// Errors as a list of texts, or as texts by what they belong to.
fn texts(node: &Node) -> Vec<(Option<String>, u32, String)> {
    match &node.value {
        Value::Map(entries) => {
            let entries = entries.iter();
            entries
                .filter_map(|(key, node)| Some((Some(key.to_string()), node.line, node.as_str()?.to_owned())))
                .collect()
        }
        _ => node.items().iter().filter_map(|node| Some((None, node.line, node.as_str()?.to_owned()))).collect(),
    }
}

/// Errors that no kind can be said of.
fn errors(_: &Found<'_>, content: &str) -> Result<Manifest, NotAsExpected> {
    let unread = texts(&document(content)?).into_iter().map(|(of, line, text)| {
        (line, WhyUnread::Failed(Reporter::Collection(of.map(Into::into)), failure::trouble(&text)))
    });
    Ok(Manifest { unread: unread.collect(), ..Manifest::default() })
}

/// `pods-errors.json`: texts by namespace, or of the whole kind.
fn list_errors(found: &Found<'_>, content: &str) -> Result<Manifest, NotAsExpected> {
    let dir = found.captures.get("dir").unwrap_or_default();
    let Some((kind, namespaced)) = kind_of_dir(dir) else { return errors(found, content) };
    let answers = texts(&document(content)?).into_iter().map(|(of, line, text)| {
        let namespace = of.as_deref().filter(|_| namespaced);
        Record::from(failure::answer(found.member, line, kind.clone(), namespace, &text))
    });
    Ok(Manifest { records: answers.collect(), ..Manifest::default() })
}

/// Texts by the name of a custom resource definition, with or without a namespace behind it.
fn custom_resource_errors(found: &Found<'_>, content: &str) -> Result<Manifest, NotAsExpected> {
    let mut manifest = Manifest::default();
    for (of, line, text) in texts(&document(content)?) {
        let Some(of) = of else {
            manifest.unread.push((line, WhyUnread::Failed(Reporter::CustomResources, failure::trouble(&text))));
            continue;
        };
        let (kind, namespace) = of.split_once('/').map_or((of.as_str(), None), |(kind, ns)| (kind, Some(ns)));
        let answer = failure::answer(found.member, line, KindName::parse(kind), namespace, &text);
        manifest.records.push(Record::from(answer));
    }
    Ok(manifest)
}

/// `{"collector", "error", "timestamp"}`.
fn collector_error(found: &Found<'_>, content: &str) -> Result<Manifest, NotAsExpected> {
    let node = document(content)?;
    let error = text(&node, "error").ok_or("expected an object with `error`")?.to_owned();
    let title = text(&node, "collector").or_else(|| found.captures.get("title")).unwrap_or_default().to_owned();
    let mut manifest = Manifest::default();
    failed(found, &node, &title, &[error], &mut manifest);
    Ok(manifest)
}

/// `[{"collector", "reason", "errors", "timestamp"}]`: what the collector was not allowed to do.
fn skipped(found: &Found<'_>, content: &str) -> Result<Manifest, NotAsExpected> {
    let node = document(content)?;
    let mut manifest = Manifest::default();
    for entry in node.items() {
        let title = text(entry, "collector").unwrap_or("?").to_owned();
        let reason = text(entry, "reason").unwrap_or("skipped").to_owned();
        let mut texts: Vec<String> = entry
            .get("errors")
            .map_or(&[][..], Node::items)
            .iter()
            .filter_map(|error| error.as_str().map(str::to_owned))
            .collect();
        if texts.is_empty() {
            texts.push(reason);
        }
        failed(found, entry, &title, &texts, &mut manifest);
    }
    Ok(manifest)
}

/// What it means that a collector failed or was skipped.
fn failed(found: &Found<'_>, node: &Node, title: &str, texts: &[String], manifest: &mut Manifest) {
    if let Some(time) = text(node, "timestamp") {
        manifest.records.push(stamp(found, Stated::CollectedAt, time, node.line));
    }
    for text in texts {
        let collector = Reporter::Collector(title.to_owned().into());
        manifest.unread.push((node.line, WhyUnread::Failed(collector, failure::trouble(text))));
        let mut say = |kind: KindName, namespace: Option<&str>| {
            let answer = failure::answer(found.member, node.line, kind, namespace, text);
            manifest.records.push(Record::from(answer));
        };
        if let Some((kind, namespace)) = failure::not_allowed(text) {
            say(kind, namespace);
        } else if title == "cluster-resources" {
            for rule in RULES {
                if let (Is::List(kind) | Is::TypedList(kind), true) =
                    (rule.is, rule.path.starts_with("cluster-resources/"))
                    && !kind.is_empty()
                {
                    say(KindName::parse(kind), None);
                }
            }
        } else if title == "etcd" {
            for kind in ["etcdmembers", "etcdendpointstatuses", "etcdendpointhealths"] {
                say(KindName { plural: kind.to_owned(), group: "casefile.dev".to_owned() }, None);
            }
        }
    }
}

/// Why the log of a container was not fetched.
fn log_error(found: &Found<'_>, content: &str) -> Result<Manifest, NotAsExpected> {
    let state = failure::state(content.trim());
    let answer = apply::log_answer(found.member, found.captures, state);
    Ok(Manifest { records: vec![Record::from(answer)], ..Manifest::default() })
}

/// `{"namespace", "name", "secretExists"}`: one name was asked for.
fn secret(found: &Found<'_>, content: &str) -> Result<Manifest, NotAsExpected> {
    exists(found, content, "secrets", "secretExists")
}

fn config_map(found: &Found<'_>, content: &str) -> Result<Manifest, NotAsExpected> {
    exists(found, content, "configmaps", "configMapExists")
}

fn exists(found: &Found<'_>, content: &str, kind: &str, field: &'static str) -> Result<Manifest, NotAsExpected> {
    let node = document(content)?;
    let exists = node.get(field).and_then(|node| node.value.scalar()).ok_or(NotAsExpected::Field(field))?;
    let mut manifest = Manifest::default();
    if let (Some(namespace), Some(name), "false") = (text(&node, "namespace"), text(&node, "name"), exists.as_str()) {
        manifest.records.push(Record::from(Answer {
            kind: KindName::parse(kind),
            namespaces: Namespaces::Some(vec![namespace.to_owned()]),
            names: Some(vec![name.to_owned()]),
            selector: None,
            state: State::NotFound(name.to_owned().into()),
            basis: Basis::Stated,
            order: Order::default(),
            citation: Citation::line(found.member, node.line, &format!("`{field}` is false")),
        }));
    }
    Ok(manifest)
}
