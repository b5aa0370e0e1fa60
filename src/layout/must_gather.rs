//! OpenShift must-gather, and `oc adm inspect` by itself.
//!
//! Source: `openshift/must-gather:collection-scripts/gather`, `gather_etcd`; `openshift/oc:pkg/cli/admin/inspect`
//! (`namespace.go`, `resource.go`, `writer.go`) and `pkg/cli/admin/mustgather`.
//!
//! For each namespace that it is given, `inspect` asks for the kinds in [`RULES`] and writes one whole typed list
//! for each; kinds that are not among them were never asked for, whatever files of theirs lie there. What it is
//! given as kinds (nodes, storage, leases) it writes as one file for each object, which proves no list. It opens
//! a file before it fetches, so that a failed fetch leaves one of zero bytes: that is what an empty list looks
//! like nowhere, and what `previous.log` of a container that never restarted looks like always.

use crate::{Found, Is, Layout, Manifest, Rule, Subtree, discovery, document, path, rule};
use facts::coverage::{Answer, Basis, Namespaces, State};
use facts::kind::KindName;
use facts::order::Order;
use facts::origin::Citation;
use facts::record::{Record, Stamp, Stated};
use facts::shortfall::{WhyFailed, WhyTruncated};
use facts::unread::{NotAsExpected, Reporter, WhyUnread};
use parse::answer::short;
use parse::{etcdctl, failure};

pub(crate) const LAYOUT: Layout = Layout {
    name: "must-gather",
    marks: &[&[
        "cluster-scoped-resources/{group}/{resource}.yaml",
        "cluster-scoped-resources/{group}/{resource}/{name}.yaml",
        "namespaces/{namespace}/core/{resource}.yaml",
        "namespaces/{namespace}/pods/{pod}/{container}/{container}/logs/current.log",
    ]],
    unless: &["insights-operator/**"],
    is_part: false,
    rules: RULES,
    finish,
};

const RULES: &[Rule] = &[
    rule("timestamp", Is::Manifest(timestamp)),
    rule("../timestamp", Is::Manifest(timestamp)),
    rule("version", Is::Manifest(version)),
    rule("gather.logs", Is::Manifest(messages)),
    rule("must-gather.logs", Is::Manifest(messages)),
    rule("../must-gather.logs", Is::Manifest(messages)),
    rule("../gather.logs", Is::Manifest(messages)),
    rule("report.yaml", Is::Manifest(cleaned)),
    rule("../report.yaml", Is::Manifest(cleaned)),
    rule("aggregated-discovery-api.yaml", Is::Manifest(discovery::manifest)),
    rule("aggregated-discovery-apis.yaml", Is::Manifest(discovery::manifest)),
    rule("event-filter.html", Is::Aside(EVENT_PAGE)),
    rule("../event-filter.html", Is::Aside(EVENT_PAGE)),
    // The kinds that inspect asks for in each namespace.
    rule("namespaces/{namespace}/core/pods.yaml", Is::List("pods")),
    rule("namespaces/{namespace}/core/services.yaml", Is::List("services")),
    rule("namespaces/{namespace}/core/replicationcontrollers.yaml", Is::List("replicationcontrollers")),
    rule("namespaces/{namespace}/core/configmaps.yaml", Is::List("configmaps")),
    rule("namespaces/{namespace}/core/events.yaml", Is::List("events")),
    rule("namespaces/{namespace}/core/endpoints.yaml", Is::List("endpoints")),
    rule("namespaces/{namespace}/core/persistentvolumeclaims.yaml", Is::List("persistentvolumeclaims")),
    rule("namespaces/{namespace}/core/secrets.yaml", Is::List("secrets")),
    rule("namespaces/{namespace}/apps/daemonsets.yaml", Is::List("daemonsets.apps")),
    rule("namespaces/{namespace}/apps/deployments.yaml", Is::List("deployments.apps")),
    rule("namespaces/{namespace}/apps/replicasets.yaml", Is::List("replicasets.apps")),
    rule("namespaces/{namespace}/apps/statefulsets.yaml", Is::List("statefulsets.apps")),
    rule(
        "namespaces/{namespace}/autoscaling/horizontalpodautoscalers.yaml",
        Is::List("horizontalpodautoscalers.autoscaling"),
    ),
    rule("namespaces/{namespace}/batch/cronjobs.yaml", Is::List("cronjobs.batch")),
    rule("namespaces/{namespace}/batch/jobs.yaml", Is::List("jobs.batch")),
    rule("namespaces/{namespace}/discovery.k8s.io/endpointslices.yaml", Is::List("endpointslices.discovery.k8s.io")),
    rule(
        "namespaces/{namespace}/networking.k8s.io/networkpolicies.yaml",
        Is::List("networkpolicies.networking.k8s.io"),
    ),
    rule("namespaces/{namespace}/networking.k8s.io/ingresses.yaml", Is::List("ingresses.networking.k8s.io")),
    rule("namespaces/{namespace}/policy/poddisruptionbudgets.yaml", Is::List("poddisruptionbudgets.policy")),
    rule(
        "namespaces/{namespace}/apps.openshift.io/deploymentconfigs.yaml",
        Is::List("deploymentconfigs.apps.openshift.io"),
    ),
    rule("namespaces/{namespace}/build.openshift.io/builds.yaml", Is::List("builds.build.openshift.io")),
    rule("namespaces/{namespace}/build.openshift.io/buildconfigs.yaml", Is::List("buildconfigs.build.openshift.io")),
    rule("namespaces/{namespace}/image.openshift.io/imagestreams.yaml", Is::List("imagestreams.image.openshift.io")),
    rule("namespaces/{namespace}/route.openshift.io/routes.yaml", Is::List("routes.route.openshift.io")),
    rule("namespaces/{namespace}/k8s.ovn.org/egressfirewalls.yaml", Is::List("egressfirewalls.k8s.ovn.org")),
    rule("namespaces/{namespace}/k8s.ovn.org/egressqoses.yaml", Is::List("egressqoses.k8s.ovn.org")),
    rule("namespaces/{namespace}/k8s.ovn.org/userdefinednetworks.yaml", Is::List("userdefinednetworks.k8s.ovn.org")),
    rule(
        "namespaces/{namespace}/monitoring.coreos.com/servicemonitors.yaml",
        Is::List("servicemonitors.monitoring.coreos.com"),
    ),
    // Objects one by one.
    rule("namespaces/{namespace}/pods/{pod}/{container}/{container}/logs/{file}", Is::Log(whole)),
    rule("namespaces/{namespace}/pods/{pod}/{container}/{container}/logs/rotated/{file}", Is::Log(whole)),
    rule(
        "namespaces/{namespace}/pods/{pod}/{container}/{container}/api_priority_and_fairness/**",
        Is::Aside("the state of API Priority and Fairness, which no signature rests on"),
    ),
    rule("namespaces/{namespace}/pods/{pod}/{file}.yaml", Is::Objects("pods")),
    // Of the groups of OpenShift itself inspect lists each kind whole.
    rule("cluster-scoped-resources/{group}/{resource}.yaml", Is::TypedList("")),
    // etcd, as gather_etcd asks it.
    rule("etcd_info/member_list.json", Is::List("etcdmembers.casefile.dev")),
    rule("etcd_info/endpoint_status.json", Is::List("etcdendpointstatuses.casefile.dev")),
    rule("etcd_info/endpoint_health.json", Is::List("etcdendpointhealths.casefile.dev")),
    rule("etcd_info/alarm_list.json", Is::Manifest(alarms)),
    rule("etcd_info/object_count.json", Is::Aside("counts of keys by kind, which no signature rests on")),
    // Of no use to a diagnosis.
    rule("monitoring/**", Is::Aside("rules and alerts as Prometheus shows them, which no signature rests on")),
    rule("ingress_controllers/**", Is::Aside("the configuration of a router, which no signature rests on")),
    rule("audit_logs/**", Is::Aside("an audit log: who asked the API server for what, which no signature rests on")),
];

const EVENT_PAGE: &str = "a web page of the events, which are read from their own files";

/// inspect fetches the logs whole unless it was told a time to begin with.
fn whole(_: u64, _: u64) -> Option<WhyTruncated> {
    None
}

/// Times at which an inspect began and ended.
fn timestamp(found: &Found<'_>, content: &str) -> Result<Manifest, NotAsExpected> {
    let lines = (1..).zip(content.lines().map(str::trim)).filter(|(_, line)| !line.is_empty());
    let mut records = Vec::new();
    for (number, line) in lines {
        if !line.starts_with(|c: char| c.is_ascii_digit()) {
            return Err(NotAsExpected::Line(number, "expected a time".to_owned().into()));
        }
        let citation = Citation::line(found.member, number, line);
        records.push(Record::from(Stamp { what: Stated::CollectedAt, text: line.to_owned(), citation }));
    }
    Ok(Manifest { records, ..Manifest::default() })
}

/// What gathered, and its version.
fn version(_: &Found<'_>, content: &str) -> Result<Manifest, NotAsExpected> {
    let mut lines = content.lines();
    match (lines.next(), lines.next()) {
        (Some(product), Some(_)) if product.contains('/') => Ok(Manifest::default()),
        _ => Err("expected a product and its version".into()),
    }
}

/// `etcdctl alarm list -w json`: without an alarm no more than the header of the answer.
/// Source: `etcd-io/etcd:api/etcdserverpb/rpc.proto`, `AlarmResponse`.
fn alarms(found: &Found<'_>, content: &str) -> Result<Manifest, NotAsExpected> {
    let node = document(content)?;
    if content.trim() == "{}" {
        // Without even a header nobody knows whether etcd answered.
        return Ok(Manifest { unread: vec![(1, WhyUnread::EmptyList)], ..Manifest::default() });
    }
    if node.get("header").is_none() {
        return Err("expected an answer of etcd with its header".into());
    }
    let read = etcdctl::try_parse(found.member, found.name, content).unwrap_or_default();
    let state = match node.get("alarms").is_some_and(|alarms| !alarms.items().is_empty()) {
        true => State::Complete,
        false => State::Empty,
    };
    let mut records = read.records;
    records.retain(|record| matches!(record, Record::Object(_) | Record::Stamp(_)));
    if state == State::Complete && records.is_empty() {
        return Err("expected alarms as etcdctl prints them".into());
    }
    records.push(Record::from(Answer {
        kind: KindName::parse("etcdalarms.casefile.dev"),
        namespaces: Namespaces::All,
        names: None,
        selector: None,
        state,
        basis: Basis::Stated,
        order: Order::default(),
        citation: Citation::line(found.member, 1, &short(content)),
    }));
    Ok(Manifest { records, ..Manifest::default() })
}

/// Messages that one file of the collector's own may give at most.
const MESSAGES: usize = 50;

/// What the collector said while it worked: only what failed says something about the bundle.
fn messages(_: &Found<'_>, content: &str) -> Result<Manifest, NotAsExpected> {
    let failed = |line: &&str| {
        let lower = line.to_ascii_lowercase();
        ["error", "timed out", "unable to", "failed", "forbidden"].iter().any(|word| lower.contains(word))
    };
    let unread = (1..).zip(content.lines()).filter(|(_, line)| failed(line)).take(MESSAGES);
    let unread = unread.map(|(number, line)| (number, WhyUnread::Failed(Reporter::Said, failure::trouble(line))));
    Ok(Manifest { unread: unread.collect(), ..Manifest::default() })
}

/// The report of `must-gather-clean`: which files it left out.
/// Source: `openshift/must-gather-clean:pkg/reporting/simple.go` (`omissions`).
fn cleaned(found: &Found<'_>, content: &str) -> Result<Manifest, NotAsExpected> {
    let node = document(content)?;
    let omissions = node.get("omissions").or_else(|| node.at(&["report", "omissions"]));
    let omissions = omissions.ok_or("expected a report with `omissions`")?;
    let mut manifest = Manifest::default();
    for omitted in omissions.items() {
        let Some(name) = omitted.as_str() else { continue };
        let starts = ["namespaces/", "cluster-scoped-resources/"].into_iter().filter_map(|word| name.find(word));
        let Some(rest) = starts.min().map(|at| &name[at..]) else { continue };
        let Some((kind, namespace, object)) = omitted_kind(rest) else { continue };
        manifest.records.push(Record::from(Answer {
            kind,
            namespaces: namespace.map_or(Namespaces::All, |namespace| Namespaces::Some(vec![namespace])),
            names: object.map(|name| vec![name]),
            selector: None,
            state: State::Redacted("must-gather-clean"),
            basis: Basis::Stated,
            order: Order::default(),
            citation: Citation::line(found.member, omitted.line, name),
        }));
    }
    Ok(manifest)
}

/// Kind, namespace and name of a file that was left out.
fn omitted_kind(name: &str) -> Option<(KindName, Option<String>, Option<String>)> {
    let patterns = [
        "namespaces/{namespace}/{group}/{resource}.yaml",
        "namespaces/{namespace}/{group}/{resource}/{name}.yaml",
        "cluster-scoped-resources/{group}/{resource}.yaml",
        "cluster-scoped-resources/{group}/{resource}/{name}.yaml",
    ];
    let captures = patterns.into_iter().find_map(|pattern| path::matches(pattern, name))?;
    let get = |word: &str| captures.get(word).map(str::to_owned);
    Some((crate::kind_of("", &captures)?, get("namespace"), get("name")))
}

/// gather_etcd asks through a running etcd Pod and gives up where there is none: then the whole folder is
/// missing, just when etcd is down.
fn finish(tree: &mut Subtree<'_>) {
    if tree.first(&["etcd_info/**"]).is_some() || tree.first(&["namespaces/openshift-etcd/**"]).is_none() {
        return;
    }
    let Some(member) = tree.first(&["version"]) else { return };
    let is_default_image =
        tree.contents.get(&member).is_some_and(|content| content.parsed.format == crate::apply::FORMAT);
    if !is_default_image {
        return;
    }
    for kind in ["etcdmembers", "etcdendpointstatuses", "etcdendpointhealths"] {
        tree.add.push((
            member,
            Record::from(Answer {
                kind: KindName { plural: kind.to_owned(), group: "casefile.dev".to_owned() },
                namespaces: Namespaces::All,
                names: None,
                selector: None,
                state: State::Error(WhyFailed::NoEtcdInfo),
                basis: Basis::Stated,
                order: Order::default(),
                citation: Citation::line(member, 1, &WhyFailed::NoEtcdInfo.to_string()),
            }),
        ));
    }
}
