//! Group D: what the manifests of `global` say.

use super::State::{Fail, Pass, Warn};
use super::networks::{is_bootstrap_only, overlap, pool_addresses};
use super::side::{Field, NAMESPACE, Side, Thing};
use super::{Logic, Outcome, Profile, State};
use crate::facts::mask::{self, Form, Mask};
use crate::facts::node::{Node, Value};
use crate::facts::origin::Citation;
use ipnet::IpNet;
use regex::Regex;
use std::sync::LazyLock;

pub(super) const LOGIC: [(&str, Logic); 30] = [
    ("D01", is_global),
    ("D02", cluster_type),
    ("D03", cloud_provider),
    ("D04", group_version),
    ("D05", resource_kind),
    ("D06", registry_address),
    ("D07", vsphere_annotations),
    ("D08", join_network),
    ("D09", skip_kube_proxy),
    ("D10", replicas),
    ("D11", surge),
    ("D12", timeouts),
    ("D13", version),
    ("D14", image_version),
    ("D15", worker_version),
    ("D16", format),
    ("D17", ssh_keys),
    ("D18", etcd_names),
    ("D19", endpoint),
    ("D20", free_address),
    ("D21", networks),
    ("D22", networks_of_request),
    ("D23", encryption_delivery),
    ("D24", encryption_content),
    ("D25", persistent_disk),
    ("D26", datastore),
    ("D27", folder),
    ("D28", identity),
    ("D29", files),
    ("D30", networks_set),
];

fn is(state: bool) -> State {
    if state { Pass } else { Fail }
}

/// A field that must have one value.
fn must_be(what: &str, field: &Field<'_>, wanted: &str) -> Vec<Outcome> {
    match (field.text(), field.citation()) {
        (Some(text), Some(citation)) => {
            let told = if text == wanted {
                format!("{what} is `{text}`")
            } else {
                format!("{what} is `{text}`, not `{wanted}`")
            };
            vec![Outcome::new(is(text == wanted), told, [citation])]
        }
        (None, Some(citation)) if field.is_empty() => {
            vec![Outcome::new(Fail, format!("{what} is not set; wanted is `{wanted}`"), [citation])]
        }
        _ => vec![Outcome::unknown(format!("{what} is not shown"))],
    }
}

fn is_global(side: &Side<'_>, profile: &Profile) -> Vec<Outcome> {
    let Some(cluster) = side.cluster() else { return Vec::new() };
    if side.provider().is_some_and(|provider| provider.name == "ProviderBaremetal") && profile.id != "acp-iid-2026-05" {
        return Vec::new();
    }
    let field = cluster.label("is-global");
    if let Field::Set(Node { value: Value::Bool(_), .. }, citation) = &field {
        return vec![Outcome::new(
            Fail,
            "the label `is-global` is a boolean; a label is a text, so write \"true\" in quotes",
            [citation.clone()],
        )];
    }
    must_be("the label `is-global`", &field, "true")
}

fn cluster_type(side: &Side<'_>, _: &Profile) -> Vec<Outcome> {
    let (Some(cluster), Some(provider)) = (side.cluster(), side.provider()) else { return Vec::new() };
    must_be("the label `cluster-type`", &cluster.label("cluster-type"), provider.name)
}

fn is_provider(side: &Side<'_>, name: &str) -> bool {
    side.provider().is_some_and(|provider| provider.name == name)
}

fn cloud_provider(side: &Side<'_>, _: &Profile) -> Vec<Outcome> {
    let Some(cluster) = side.cluster().filter(|_| is_provider(side, "VSphere")) else { return Vec::new() };
    let key = "addons.cluster.x-k8s.io/vsphere-cpi";
    let mut outcomes = must_be(&format!("the label `{key}`"), &cluster.label(key), "enabled");
    let sets = side.all("clusterresourcesets.addons.cluster.x-k8s.io");
    let path = format!("spec.clusterSelector.matchLabels[\"{key}\"]");
    let selecting = sets.iter().find(|set| set.field(&path).text().as_deref() == Some("enabled"));
    outcomes.push(match selecting {
        Some(set) => Outcome::new(Pass, format!("{set} selects it"), [set.citation()]),
        None => match side.lacks("clusterresourcesets.addons.cluster.x-k8s.io", "global-none") {
            Some(proof) => Outcome::new(Warn, format!("no ClusterResourceSet selects the label `{key}`"), proof),
            None => Outcome::unknown("no list of ClusterResourceSets was collected"),
        },
    });
    outcomes
}

fn group_version(side: &Side<'_>, _: &Profile) -> Vec<Outcome> {
    let Some(cluster) = side.cluster() else { return Vec::new() };
    let field = cluster.annotation("capi.cpaas.io/resource-group-version");
    let mut outcomes = must_be(
        "the annotation `capi.cpaas.io/resource-group-version`",
        &field,
        "infrastructure.cluster.x-k8s.io/v1beta1",
    );
    let reference = cluster.field("spec.infrastructureRef.apiVersion");
    if let (Some(a), Some(b), Some(citation)) = (field.text(), reference.text(), reference.citation())
        && a != b
    {
        outcomes.push(Outcome::new(
            Fail,
            format!("the annotation says `{a}`, spec.infrastructureRef.apiVersion `{b}`"),
            [citation],
        ));
    }
    outcomes
}

fn resource_kind(side: &Side<'_>, _: &Profile) -> Vec<Outcome> {
    let Some(cluster) = side.cluster() else { return Vec::new() };
    let Some(kind) = cluster.field("spec.infrastructureRef.kind").text() else { return Vec::new() };
    must_be("the annotation `capi.cpaas.io/resource-kind`", &cluster.annotation("capi.cpaas.io/resource-kind"), &kind)
}

/// Has the platform been installed? Then the registry is another one.
fn is_installed(side: &Side<'_>) -> bool {
    side.named("clustermodules.cluster.alauda.io", "global").is_some()
        || side.named("clusters.platform.tkestack.io", "global").is_some()
}

fn registry_address(side: &Side<'_>, _: &Profile) -> Vec<Outcome> {
    let Some(cluster) = side.cluster().filter(|_| !is_installed(side)) else { return Vec::new() };
    let field = cluster.annotation("cpaas.io/registry-address");
    let (Some(text), Some(citation)) = (field.text(), field.citation()) else {
        return match field {
            Field::NotSet(citation) => {
                vec![Outcome::new(Fail, "the annotation `cpaas.io/registry-address` is not set", [citation])]
            }
            _ => vec![Outcome::unknown("annotations of the Cluster are not shown")],
        };
    };
    let mut wrong = Vec::new();
    let bare = text.split("://").last().unwrap_or(&text);
    if bare != text {
        wrong.push("has a scheme");
    }
    let authority = bare.split('/').next().unwrap_or(bare);
    if authority != bare {
        wrong.push("has a path");
    }
    let (host, port) = authority.rsplit_once(':').unwrap_or((authority, ""));
    if port != "11443" {
        wrong.push("has not the port 11443");
    }
    if is_bootstrap_only(host) {
        wrong.push("names an address that only the bootstrap host itself reaches");
    }
    if let Some(own) = request_field(side, "hostIP").and_then(|field| field.text())
        && own != host
    {
        wrong.push("is not the host that the installer request names in hostIP");
    }
    let mut outcomes = if wrong.is_empty() {
        vec![Outcome::new(Pass, format!("`cpaas.io/registry-address` is `{text}`"), [citation])]
    } else {
        vec![Outcome::new(
            Fail,
            format!("`cpaas.io/registry-address` is `{text}`: it {}", wrong.join(", ")),
            [citation],
        )]
    };
    if let Some(other) = side.infrastructure().map(|thing| thing.annotation("cpaas.io/registry-address"))
        && let (Some(other), Some(citation)) = (other.text(), other.citation())
        && other != text
    {
        outcomes.push(Outcome::new(
            Fail,
            format!("the infrastructure cluster says `{other}`, the Cluster `{text}`"),
            [citation],
        ));
    }
    outcomes
}

/// A field of the installer request.
pub(super) fn request_field<'f>(side: &Side<'f>, path: &str) -> Option<Field<'f>> {
    side.request().map(|request| request.any(&[path, &format!("spec.{path}")]))
}

fn vsphere_annotations(side: &Side<'_>, _: &Profile) -> Vec<Outcome> {
    let Some(cluster) = side.cluster().filter(|_| is_provider(side, "VSphere")) else { return Vec::new() };
    let wanted = [("cpaas.io/alb-address-type", "ClusterAddress"), ("cpaas.io/network-type", "kube-ovn")];
    wanted
        .iter()
        .flat_map(|(key, value)| must_be(&format!("the annotation `{key}`"), &cluster.annotation(key), value))
        .collect()
}

fn join_network(side: &Side<'_>, _: &Profile) -> Vec<Outcome> {
    let Some(cluster) = side.cluster() else { return Vec::new() };
    let field = cluster.annotation("cpaas.io/kube-ovn-join-cidr");
    let (Some(text), Some(citation)) = (field.text(), field.citation()) else { return Vec::new() };
    match text.parse::<IpNet>() {
        Ok(network) if network.prefix_len() == 16 => {
            vec![Outcome::new(Pass, format!("the join network is {network}"), [citation])]
        }
        Ok(network) => vec![Outcome::new(Warn, format!("the join network {network} is no /16"), [citation])],
        Err(_) => vec![Outcome::new(Fail, format!("the join network `{text}` is no CIDR block"), [citation])],
    }
}

fn skip_kube_proxy(side: &Side<'_>, _: &Profile) -> Vec<Outcome> {
    let applies = is_provider(side, "DCS") || is_provider(side, "ProviderBaremetal");
    let Some(plane) = side.control_plane().filter(|_| applies) else { return Vec::new() };
    let key = "controlplane.cluster.x-k8s.io/skip-kube-proxy";
    // The key alone counts; its value is empty.
    if plane.keys("metadata.annotations").contains(&key) {
        return vec![Outcome::new(Pass, format!("{plane} has the annotation `{key}`"), [plane.citation()])];
    }
    match plane.annotation(key) {
        Field::NotSet(citation) => {
            vec![Outcome::new(Fail, format!("{plane} lacks the annotation `{key}`"), [citation])]
        }
        _ => vec![Outcome::unknown(format!("annotations of {plane} are not shown"))],
    }
}

fn number(field: &Field<'_>) -> Option<(i64, Citation)> {
    let number = field.node()?.value.integer()?;
    Some((i64::try_from(number).ok()?, field.citation()?))
}

fn replicas(side: &Side<'_>, _: &Profile) -> Vec<Outcome> {
    let Some(plane) = side.control_plane() else { return Vec::new() };
    let Some((count, citation)) = number(&plane.field("spec.replicas")) else {
        return vec![Outcome::unknown(format!("spec.replicas of {plane} is not shown"))];
    };
    let state = match count {
        3 | 5 => Pass,
        count if count > 0 && count % 2 == 0 => Fail,
        _ => Warn,
    };
    let why = if state == Fail { "; stacked etcd needs an odd number" } else { "" };
    vec![Outcome::new(state, format!("{plane} has {count} replicas{why}"), [citation])]
}

fn surge(side: &Side<'_>, _: &Profile) -> Vec<Outcome> {
    let Some(plane) = side.control_plane() else { return Vec::new() };
    let kind = plane.any(&["spec.rolloutStrategy.type", "spec.rollout.strategy.type"]);
    let mut outcomes = Vec::new();
    if let (Some(text), Some(citation)) = (kind.text(), kind.citation())
        && text != "RollingUpdate"
    {
        outcomes.push(Outcome::new(Fail, format!("the strategy is `{text}`, not `RollingUpdate`"), [citation]));
    }
    let field =
        plane.any(&["spec.rolloutStrategy.rollingUpdate.maxSurge", "spec.rollout.strategy.rollingUpdate.maxSurge"]);
    match (number(&field), &field) {
        (Some((0, citation)), _) => outcomes.push(Outcome::new(Pass, "maxSurge is 0", [citation])),
        (Some((count, citation)), _) => {
            outcomes.push(Outcome::new(Fail, format!("maxSurge of {plane} is {count}, not 0"), [citation]));
        }
        (None, Field::NotSet(citation)) => {
            outcomes.push(Outcome::new(
                Fail,
                format!("maxSurge of {plane} is not set, and its default is 1"),
                [citation.clone()],
            ));
        }
        _ => outcomes.push(Outcome::unknown(format!("maxSurge of {plane} is not shown"))),
    }
    outcomes
}

fn timeouts(side: &Side<'_>, _: &Profile) -> Vec<Outcome> {
    let Some(plane) = side.control_plane() else { return Vec::new() };
    let wanted = [
        (
            "nodeDrainTimeout",
            "spec.machineTemplate.nodeDrainTimeout",
            "spec.machineTemplate.spec.deletion.nodeDrainTimeoutSeconds",
            ["1m", "1m0s", "60"],
        ),
        (
            "nodeDeletionTimeout",
            "spec.machineTemplate.nodeDeletionTimeout",
            "spec.machineTemplate.spec.deletion.nodeDeletionTimeoutSeconds",
            ["5m", "5m0s", "300"],
        ),
    ];
    let mut outcomes = Vec::new();
    for (what, old, new, right) in wanted {
        let field = plane.any(&[old, new]);
        outcomes.push(match (field.text(), field.citation()) {
            (Some(text), Some(citation)) => {
                let state = if right.contains(&text.as_str()) { Pass } else { Warn };
                Outcome::new(state, format!("{what} is {text}, documented is {}", right[0]), [citation])
            }
            (None, Some(citation)) => {
                Outcome::new(Warn, format!("{what} is not set, documented is {}", right[0]), [citation])
            }
            _ => Outcome::unknown(format!("{what} is not shown")),
        });
    }
    outcomes
}

static SEMVER: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r"^v(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)([-+].+)?$").ok());

fn version(side: &Side<'_>, profile: &Profile) -> Vec<Outcome> {
    let Some(plane) = side.control_plane() else { return Vec::new() };
    let field = plane.field("spec.version");
    let (Some(text), Some(citation)) = (field.text(), field.citation()) else {
        return vec![Outcome::unknown(format!("spec.version of {plane} is not shown"))];
    };
    let sound = SEMVER.as_ref().is_some_and(|regex| regex.is_match(&text));
    let mut outcomes = vec![if sound {
        Outcome::new(Pass, format!("spec.version is {text}"), [citation.clone()])
    } else {
        Outcome::new(Fail, format!("spec.version `{text}` is no version that begins with v"), [citation.clone()])
    }];
    if profile.id != "acp-iid-2026-05"
        && let Some(other) = side.cluster().map(|cluster| cluster.annotation("capi.cpaas.io/kubernetes"))
        && let (Some(other), Some(at)) = (other.text(), other.citation())
        && other != text
    {
        outcomes.push(Outcome::new(
            Fail,
            format!("spec.version is {text}, the annotation `capi.cpaas.io/kubernetes` {other}"),
            [citation, at],
        ));
    }
    outcomes
}

/// The first `v1.2.3` in a text.
fn version_in(text: &str) -> Option<&str> {
    static INSIDE: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r"v\d+\.\d+\.\d+").ok());
    INSIDE.as_ref()?.find(text).map(|found| found.as_str())
}

fn image_version(side: &Side<'_>, _: &Profile) -> Vec<Outcome> {
    let Some(version) = side.control_plane().and_then(|plane| plane.field("spec.version").text()) else {
        return Vec::new();
    };
    let mut outcomes = Vec::new();
    for template in side.templates() {
        let image = template.any(&[
            "spec.template.spec.vmTemplateName",
            "spec.template.spec.template",
            "spec.template.spec.imageName",
        ]);
        let (Some(text), Some(citation)) = (image.text(), image.citation()) else { continue };
        outcomes.push(match version_in(&text) {
            Some(found) if version.starts_with(found) => {
                Outcome::new(Pass, format!("the image `{text}` of {template} is of {version}"), [citation])
            }
            Some(found) => Outcome::new(
                Fail,
                format!("the image `{text}` of {template} is of {found}, spec.version is {version}"),
                [citation],
            ),
            None => Outcome::unknown(format!("the name of the image `{text}` has no version")),
        });
    }
    outcomes
}

fn worker_version(side: &Side<'_>, _: &Profile) -> Vec<Outcome> {
    let Some(version) = side.control_plane().and_then(|plane| plane.field("spec.version").text()) else {
        return Vec::new();
    };
    let minor = |text: &str| {
        let mut parts = text.trim_start_matches('v').split('.');
        Some((parts.next()?.parse::<u32>().ok()?, parts.next()?.parse::<u32>().ok()?))
    };
    let mut outcomes = Vec::new();
    for workers in side.belonging("machinedeployments.cluster.x-k8s.io") {
        let field = workers.field("spec.template.spec.version");
        let (Some(text), Some(citation)) = (field.text(), field.citation()) else { continue };
        let state = match (minor(&text), minor(&version)) {
            (Some(own), Some(plane)) if own > plane => Warn,
            (Some(_), Some(_)) => Pass,
            _ => Warn,
        };
        outcomes.push(Outcome::new(state, format!("{workers} has {text}, the control plane {version}"), [citation]));
    }
    outcomes
}

fn format(side: &Side<'_>, _: &Profile) -> Vec<Outcome> {
    let Some(provider) = side.provider() else { return Vec::new() };
    let plane = side.control_plane().map(|thing| (thing, "spec.kubeadmConfigSpec.format"));
    let templates = side.belonging("kubeadmconfigtemplates.bootstrap.cluster.x-k8s.io");
    let things = plane.into_iter().chain(templates.into_iter().map(|thing| (thing, "spec.template.spec.format")));
    things
        .map(|(thing, path)| {
            let field = thing.field(path);
            let text = field.text().filter(|text| !text.is_empty());
            let Some(citation) = field.citation() else { return Outcome::unknown(format!("the format of {thing} is not shown")) };
            let shown = text.as_deref().unwrap_or("not set");
            let (state, why) = match (provider.name, text.as_deref()) {
                (_, Some("cloud-init")) => (
                    Fail,
                    "; it is no value of the API, though the documentation of 2026-05 says to write it: write `cloud-config`",
                ),
                ("DCS", Some("ignition")) | ("VSphere" | "HCS" | "ProviderBaremetal", None | Some("cloud-config")) => (Pass, ""),
                ("DCS", _) => (Fail, "; DCS needs `ignition`"),
                (_, Some("ignition")) => (Fail, "; this provider does not support it"),
                _ => (Fail, "; it is no value of the API"),
            };
            Outcome::new(state, format!("the format of {thing} is `{shown}`{why}"), [citation])
        })
        .collect()
}

fn ssh_keys(side: &Side<'_>, _: &Profile) -> Vec<Outcome> {
    let Some(plane) = side.control_plane().filter(|_| is_provider(side, "DCS")) else { return Vec::new() };
    let field = plane.field("spec.kubeadmConfigSpec.users");
    let Some(citation) = field.citation() else {
        return vec![Outcome::unknown(format!("users of {plane} are not shown"))];
    };
    let users = field.node().map_or(&[][..], Node::items);
    let keys: Vec<&str> = users
        .iter()
        .filter_map(|user| user.get("sshAuthorizedKeys"))
        .flat_map(Node::items)
        .filter_map(Node::as_str)
        .collect();
    let is_key = |text: &&&str| {
        let mut parts = text.split_whitespace();
        let (kind, body) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
        // Every OpenSSH key begins with the length and the name of its kind.
        (kind.starts_with("ssh-") || kind.starts_with("ecdsa-"))
            && body.starts_with("AAAA")
            && body.len() > 40
            && !body.contains("...")
    };
    if keys.is_empty() {
        return vec![Outcome::new(Fail, format!("no user of {plane} has sshAuthorizedKeys"), [citation])];
    }
    let bad = keys.iter().filter(|key| !is_key(key)).count();
    if bad > 0 {
        return vec![Outcome::new(
            Fail,
            format!("{bad} of {} sshAuthorizedKeys of {plane} are no OpenSSH keys", keys.len()),
            [citation],
        )];
    }
    vec![Outcome::new(Pass, format!("{} sshAuthorizedKeys", keys.len()), [citation])]
}

/// Where a KubeadmControlPlane lists the names of its etcd certificates.
pub(super) const ETCD_NAMES: &str = "spec.kubeadmConfigSpec.clusterConfiguration.etcd.local.serverCertSANs";

fn etcd_names(side: &Side<'_>, profile: &Profile) -> Vec<Outcome> {
    let Some(plane) = side.control_plane() else { return Vec::new() };
    let field = plane.field(ETCD_NAMES);
    let Some(citation) = field.citation() else {
        return vec![Outcome::unknown(format!("serverCertSANs of {plane} are not shown"))];
    };
    let names: Vec<&str> = field.node().map_or(&[][..], Node::items).iter().filter_map(Node::as_str).collect();
    let elsewhere = plane.field("spec.kubeadmConfigSpec.clusterConfiguration.apiServer.certSANs");
    let elsewhere: Vec<&str> = elsewhere.node().map_or(&[][..], Node::items).iter().filter_map(Node::as_str).collect();
    let mut outcomes = Vec::new();
    let older = profile.id == "acp-iid-2026-05";
    let wanted = [
        (side.vip().map(|(text, _)| text), "the address of the control plane", Fail),
        (side.platform_host().map(|(text, _)| text), "the address of the platform", if older { Fail } else { Warn }),
    ];
    for (name, what, state) in wanted {
        match name {
            None => outcomes.push(Outcome::unknown(format!("{what} is not known"))),
            Some(name) if names.contains(&name.as_str()) => {
                outcomes.push(Outcome::new(Pass, format!("serverCertSANs has {what}, {name}"), [citation.clone()]));
            }
            Some(name) => {
                let hint = if elsewhere.contains(&name.as_str()) {
                    "; apiServer.certSANs has it, which does not serve etcd"
                } else {
                    ""
                };
                outcomes.push(Outcome::new(
                    state,
                    format!("serverCertSANs of {plane} lacks {what}, {name}{hint}"),
                    [citation.clone()],
                ));
            }
        }
    }
    if !older && !names.contains(&"etcd.kube-system") {
        outcomes.push(Outcome::new(Warn, "serverCertSANs lacks etcd.kube-system", [citation.clone()]));
    }
    for name in &names {
        if name.contains("://") || name.parse::<std::net::Ipv6Addr>().is_err() && name.contains(':') {
            outcomes.push(Outcome::new(
                Fail,
                format!("serverCertSANs has `{name}`, with a scheme or port"),
                [citation.clone()],
            ));
        }
    }
    outcomes
}

fn endpoint(side: &Side<'_>, profile: &Profile) -> Vec<Outcome> {
    let (Some(provider), Some(infrastructure)) = (side.provider(), side.infrastructure()) else { return Vec::new() };
    let mut outcomes = Vec::new();
    let host = |path: &str| {
        let field = infrastructure.field(path);
        Some((field.text().filter(|text| !text.is_empty())?, field.citation()?))
    };
    let paths: &[&str] = match provider.name {
        "DCS" => &["spec.controlPlaneLoadBalancer.host", "spec.controlPlaneEndpoint.host"],
        "VSphere" => &["spec.controlPlaneEndpoint.host"],
        "HCS" => &["spec.controlPlaneLoadBalancer.vipAddress"],
        _ => return Vec::new(),
    };
    let found: Vec<(String, Citation)> = paths.iter().filter_map(|path| host(path)).collect();
    for path in paths {
        if let Field::NotSet(citation) = infrastructure.field(path) {
            outcomes.push(Outcome::new(Fail, format!("{path} of {infrastructure} is not set"), [citation]));
        }
    }
    let cluster = side.cluster().map(|cluster| cluster.field("spec.controlPlaneEndpoint.host"));
    let cluster = cluster.and_then(|field| Some((field.text().filter(|text| !text.is_empty())?, field.citation()?)));
    let all: Vec<(String, Citation)> = found.into_iter().chain(cluster).collect();
    let Some((first, _)) = all.first().cloned() else { return outcomes };
    let citations: Vec<Citation> = all.iter().map(|(_, citation)| citation.clone()).collect();
    if all.iter().any(|(text, _)| *text != first) {
        let told: Vec<&str> = all.iter().map(|(text, _)| text.as_str()).collect();
        outcomes.push(Outcome::new(
            Fail,
            format!("the endpoint of the control plane has different addresses: {}", told.join(", ")),
            citations,
        ));
    } else {
        outcomes.push(Outcome::new(Pass, format!("the endpoint of the control plane is {first}"), citations));
    }
    if let Some((port, citation)) = number(&infrastructure.field("spec.controlPlaneEndpoint.port"))
        && port != 6443
    {
        outcomes.push(Outcome::new(Fail, format!("the port of the control plane is {port}, not 6443"), [citation]));
    }
    let kind = infrastructure.field("spec.controlPlaneLoadBalancer.type");
    if provider.name == "DCS"
        && profile.id != "acp-iid-2026-05"
        && let (Some(text), Some(citation)) = (kind.text(), kind.citation())
        && text != "external"
    {
        outcomes.push(Outcome::new(
            Warn,
            format!("controlPlaneLoadBalancer.type is `{text}`; provider v1.0.21 needs `external`"),
            [citation],
        ));
    }
    outcomes
}

fn free_address(side: &Side<'_>, _: &Profile) -> Vec<Outcome> {
    let Some((vip, citation)) = side.vip() else { return Vec::new() };
    let mut outcomes = Vec::new();
    for (address, pool, at) in pool_addresses(side) {
        if address.to_string() == vip {
            outcomes.push(Outcome::new(
                Fail,
                format!("the control plane address {vip} is also a Node address of pool `{pool}`"),
                [citation.clone(), at],
            ));
        }
    }
    for node in side.all("nodes") {
        let field = node.field("status.addresses[type=InternalIP].address");
        if let (Some(text), Some(at)) = (field.text(), field.citation())
            && text == vip
        {
            outcomes.push(Outcome::new(
                Fail,
                format!("the control plane address {vip} is also the address of {node}"),
                [citation.clone(), at],
            ));
        }
    }
    if let Some(field) = request_field(side, "hostIP")
        && let (Some(text), Some(at)) = (field.text(), field.citation())
        && text == vip
    {
        outcomes.push(Outcome::new(
            Fail,
            format!("the control plane address {vip} is also the bootstrap host"),
            [citation.clone(), at],
        ));
    }
    if outcomes.is_empty() {
        return if side.pools().is_empty() {
            vec![Outcome::unknown("no pool with Node addresses was collected")]
        } else {
            vec![Outcome::new(Pass, format!("{vip} is no Node address of a pool"), [citation])]
        };
    }
    outcomes
}

fn networks(side: &Side<'_>, _: &Profile) -> Vec<Outcome> {
    overlap(side)
}

fn networks_of_request(side: &Side<'_>, _: &Profile) -> Vec<Outcome> {
    if !(is_provider(side, "DCS") || is_provider(side, "ProviderBaremetal")) {
        return Vec::new();
    }
    let Some(cluster) = side.cluster() else { return Vec::new() };
    let pairs = [
        ("cluster.clusterCIDR", "spec.clusterNetwork.pods.cidrBlocks[0]"),
        ("cluster.serviceCIDR", "spec.clusterNetwork.services.cidrBlocks[0]"),
    ];
    let mut outcomes = Vec::new();
    for (path, own) in pairs {
        let (Some(theirs), own) = (request_field(side, path), cluster.field(own)) else { continue };
        if let (Some(a), Some(b), Some(at)) = (theirs.text(), own.text(), theirs.citation()) {
            outcomes.push(Outcome::new(
                is(a == b),
                format!("{path} of the installer request is {a}, the Cluster says {b}"),
                [at].into_iter().chain(own.citation()),
            ));
        }
    }
    outcomes
}

/// Where the API server reads its encryption configuration.
pub(super) const ENCRYPTION_FILE: &str = "/etc/kubernetes/encryption-provider.conf";

/// The file of that name among those that a KubeadmControlPlane writes: its entry and place.
pub(super) fn encryption_file<'f>(plane: &Thing<'f>) -> Option<(&'f Node, usize, Citation)> {
    let field = plane.field("spec.kubeadmConfigSpec.files");
    let Field::Set(node, citation) = &field else { return None };
    let found = node.items().iter().enumerate().find(|(_, file)| {
        file.get("path").and_then(Node::as_str).is_some_and(|path| path.contains("encryption-provider"))
    });
    found.map(|(index, file)| {
        let mut citation = citation.clone();
        if file.line > 0 {
            citation.line = file.line;
        }
        (file, index, citation)
    })
}

fn encryption_delivery(side: &Side<'_>, profile: &Profile) -> Vec<Outcome> {
    let (Some(provider), Some(plane)) = (side.provider(), side.control_plane()) else { return Vec::new() };
    let files = plane.field("spec.kubeadmConfigSpec.files");
    if matches!(files, Field::Unknown) {
        return vec![Outcome::unknown(format!("files of {plane} are not shown"))];
    }
    let file = encryption_file(&plane);
    let reference = side.infrastructure().map(|thing| thing.field("spec.encryptionProviderConfigRef.name"));
    let mut outcomes = Vec::new();
    match (provider.name, &file) {
        ("VSphere", None) => {
            let told = format!("{plane} writes no file {ENCRYPTION_FILE}, which vSphere needs");
            outcomes.push(Outcome::new(Fail, told, [files.citation().unwrap_or_else(|| plane.citation())]));
        }
        ("VSphere", Some((_, _, citation))) => {
            outcomes.push(Outcome::new(Pass, format!("{plane} writes {ENCRYPTION_FILE}"), [citation.clone()]))
        }
        (_, Some((_, _, citation))) => {
            let told = format!(
                "{plane} writes {ENCRYPTION_FILE}, which {} does not use outside of disaster recovery",
                provider.name
            );
            outcomes.push(Outcome::new(Fail, told, [citation.clone()]));
        }
        (_, None) => {
            outcomes.push(Outcome::new(Pass, format!("{plane} writes no encryption configuration"), files.citation()))
        }
    }
    if provider.name == "DCS"
        && let Some(field) = &reference
        && let (Some(name), Some(citation)) = (field.text(), field.citation())
    {
        outcomes.push(Outcome::new(
            Fail,
            format!("encryptionProviderConfigRef names `{name}`, which is for disaster recovery"),
            [citation],
        ));
    }
    if profile.id != "acp-iid-2026-05" {
        let flag = plane
            .field("spec.kubeadmConfigSpec.clusterConfiguration.apiServer.extraArgs[\"encryption-provider-config\"]");
        let referred = reference.as_ref().is_some_and(|field| field.text().is_some());
        if let (Some(citation), false) = (flag.citation(), matches!(flag, Field::Unknown)) {
            let set = flag.text().is_some();
            if set && file.is_none() && !referred {
                outcomes.push(Outcome::new(Fail, "the API server has the flag --encryption-provider-config, and nothing writes that file: it does not start", [citation]));
            }
        }
    }
    outcomes
}

/// The encryption configuration of a side, its keys masked, with its place.
pub(super) fn encryption<'f>(side: &Side<'f>) -> Option<(&'f Node, Citation)> {
    let name = side.infrastructure().and_then(|thing| thing.field("spec.encryptionProviderConfigRef.name").text());
    let secrets = side.all("secrets");
    let wanted = name.as_deref().unwrap_or("encryption-provider-config");
    let held = |mask: &'f Mask| mask.holds.as_deref();
    if let Some(secret) = secrets.iter().find(|secret| secret.name() == wanted) {
        for key in ["encryption-provider.conf", "encryption-provider-config", "config"] {
            for part in ["data", "stringData"] {
                if let Some(tree) = secret.mask(&[part, key]).and_then(held) {
                    return Some((tree, secret.citation()));
                }
            }
        }
    }
    let by_plane = side.control_plane().and_then(|plane| {
        let (file, _, citation) = encryption_file(&plane)?;
        Some((mask::of_node(file.get("content")?).and_then(held)?, citation))
    });
    by_plane.or_else(|| side.encryption_file())
}

fn encryption_content(side: &Side<'_>, _: &Profile) -> Vec<Outcome> {
    let Some((held, citation)) = encryption(side) else { return Vec::new() };
    let mut outcomes = Vec::new();
    let rules = held.get("resources").map_or(&[][..], Node::items);
    let covers = rules.iter().any(|rule| {
        rule.get("resources")
            .map_or(&[][..], Node::items)
            .iter()
            .any(|name| matches!(name.as_str(), Some("secrets" | "*." | "*.*")))
    });
    if !covers {
        outcomes.push(Outcome::new(
            Fail,
            "no rule of the encryption configuration covers `secrets`",
            [citation.clone()],
        ));
    }
    for rule in rules {
        for provider in rule.get("providers").map_or(&[][..], Node::items) {
            for (kind, settings) in provider.entries() {
                for key in settings.get("keys").map_or(&[][..], Node::items) {
                    let name = key.get("name").and_then(Node::as_str).unwrap_or("?");
                    let form = key.get("secret").and_then(mask::of_node).map(|mask| mask.form);
                    let wrong = match form {
                        Some(Form::Base64 { bytes: 16 | 24 | 32, .. }) | None => continue,
                        Some(Form::Base64 { bytes, .. }) => {
                            format!("the key `{name}` of {kind} has {bytes} bytes, and must have 16, 24 or 32")
                        }
                        Some(_) => format!("the key `{name}` of {kind} is not base64"),
                    };
                    outcomes.push(Outcome::new(Fail, wrong, [citation.clone()]));
                }
            }
        }
    }
    if outcomes.is_empty() {
        outcomes.push(Outcome::new(Pass, "the encryption configuration is sound", [citation]));
    }
    outcomes
}

fn persistent_disk(side: &Side<'_>, _: &Profile) -> Vec<Outcome> {
    if !(is_provider(side, "DCS") || is_provider(side, "HCS")) {
        return Vec::new();
    }
    let at_path = |node: &Node| has_path(node, "/var/cpaas");
    let find = |things: Vec<Thing<'_>>| {
        things.into_iter().find_map(|thing| match thing.field("spec") {
            Field::Set(node, citation) if at_path(node) => Some((thing.to_string(), citation)),
            _ => None,
        })
    };
    let (pool, template) = (find(side.pools()), find(side.templates()));
    match (pool, template) {
        (Some((pool, a)), Some((template, b))) => {
            vec![Outcome::new(Fail, format!("both {pool} and {template} mount /var/cpaas"), [a, b])]
        }
        (None, Some((template, citation))) => {
            vec![Outcome::new(
                Fail,
                format!("/var/cpaas is a disk of {template}, so it is lost with the machine; it belongs into the pool"),
                [citation],
            )]
        }
        (Some((pool, citation)), None) => vec![Outcome::new(Pass, format!("{pool} keeps /var/cpaas"), [citation])],
        (None, None) => Vec::new(),
    }
}

fn has_path(node: &Node, wanted: &str) -> bool {
    match &node.value {
        Value::Map(entries) => entries.iter().any(|(key, child)| {
            (&**key == "path" || &**key == "mountPath") && child.as_str() == Some(wanted) || has_path(child, wanted)
        }),
        Value::List(items) => items.iter().any(|child| has_path(child, wanted)),
        _ => false,
    }
}

fn datastore(side: &Side<'_>, _: &Profile) -> Vec<Outcome> {
    if !is_provider(side, "DCS") {
        return Vec::new();
    }
    let mut names = Vec::new();
    for thing in side.pools().into_iter().chain(side.templates()) {
        if let Field::Set(node, citation) = thing.field("spec") {
            collect(node, "datastoreName", &mut |name| names.push((name.to_owned(), citation.clone())));
        }
    }
    let empty = names.iter().filter(|(name, _)| name.is_empty()).count();
    match (names.is_empty(), empty) {
        (true, _) => Vec::new(),
        (_, 0) => vec![Outcome::unknown(
            "whether a datastore name stands for one datastore or for a cluster of them cannot be told from here",
        )],
        _ => vec![Outcome::new(
            Warn,
            format!("{empty} disks name no datastore"),
            names.into_iter().map(|(_, citation)| citation).take(1),
        )],
    }
}

fn collect(node: &Node, wanted: &str, take: &mut dyn FnMut(&str)) {
    match &node.value {
        Value::Map(entries) => {
            for (key, child) in entries {
                match child.as_str() {
                    Some(text) if &**key == wanted => take(text),
                    _ => collect(child, wanted, take),
                }
            }
        }
        Value::List(items) => items.iter().for_each(|child| collect(child, wanted, take)),
        _ => {}
    }
}

fn folder(side: &Side<'_>, _: &Profile) -> Vec<Outcome> {
    if !is_provider(side, "VSphere") {
        return Vec::new();
    }
    side.templates()
        .into_iter()
        .map(|template| {
            let (folder, center) =
                (template.field("spec.template.spec.folder"), template.field("spec.template.spec.datacenter"));
            let Some(citation) = folder.citation() else {
                return Outcome::unknown(format!("the folder of {template} is not shown"));
            };
            let text = folder.text().unwrap_or_default();
            let center = center.text().unwrap_or_default();
            let parts: Vec<&str> = text.split('/').collect();
            let sound =
                matches!(parts.as_slice(), ["", own, "vm", "global", ..] if center.is_empty() || *own == center);
            let told = if sound {
                format!("the folder of {template} is `{text}`")
            } else {
                format!("the folder of {template} is `{text}`, documented is `/<datacenter>/vm/global`")
            };
            Outcome::new(is(sound), told, [citation])
        })
        .collect()
}

fn identity(side: &Side<'_>, _: &Profile) -> Vec<Outcome> {
    let Some(infrastructure) = side.infrastructure().filter(|_| is_provider(side, "VSphere")) else {
        return Vec::new();
    };
    let mut outcomes = must_be("identityRef.kind", &infrastructure.field("spec.identityRef.kind"), "Secret");
    outcomes.extend(must_be(
        "identityRef.name",
        &infrastructure.field("spec.identityRef.name"),
        "global-vsphere-credentials",
    ));
    if let Some(secret) = side.named("secrets", "global-vsphere-credentials")
        && let Some(namespace) = secret.namespace()
        && namespace != NAMESPACE
    {
        outcomes.push(Outcome::new(
            Fail,
            format!("{secret} is in namespace `{namespace}`, not in `{NAMESPACE}`"),
            [secret.citation()],
        ));
    }
    outcomes
}

fn files(side: &Side<'_>, _: &Profile) -> Vec<Outcome> {
    let Some(plane) = side.control_plane() else { return Vec::new() };
    match plane.field("spec.kubeadmConfigSpec.files") {
        Field::Set(node, citation) if !node.items().is_empty() => {
            vec![Outcome::new(Pass, format!("{plane} writes {} files", node.items().len()), [citation])]
        }
        Field::Set(_, citation) | Field::NotSet(citation) => {
            vec![Outcome::new(
                Warn,
                format!("{plane} writes no files; the manifest of the release has some"),
                [citation],
            )]
        }
        Field::Masked(_) | Field::Unknown => vec![Outcome::unknown(format!("files of {plane} are not shown"))],
    }
}

fn networks_set(side: &Side<'_>, _: &Profile) -> Vec<Outcome> {
    let Some(cluster) = side.cluster() else { return Vec::new() };
    ["spec.clusterNetwork.pods.cidrBlocks", "spec.clusterNetwork.services.cidrBlocks"]
        .iter()
        .map(|path| match cluster.field(path) {
            Field::Set(node, citation) => {
                let count = node.items().len();
                Outcome::new(is(count > 0), format!("{path} has {count} entries"), [citation])
            }
            Field::NotSet(citation) => Outcome::new(Fail, format!("{path} is not set"), [citation]),
            Field::Masked(_) | Field::Unknown => Outcome::unknown(format!("{path} is not shown")),
        })
        .collect()
}
