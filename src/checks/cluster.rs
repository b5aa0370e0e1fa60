//! Group D, the Cluster `global`: its labels, annotations and networks.

use crate::Profile;
use crate::State::{Fail, Pass, Warn};
use crate::networks::is_bootstrap_only;
use crate::outcome::{Outcome, State, must_be};
use crate::rule::{Need, Rule, rule};
use crate::side::Side;
use crate::thing::Field;
use facts::node::{Node, Value};
use ipnet::IpNet;

pub(super) const RULES: [Rule; 9] = [
    rule("D01", &[Need::Cluster], is_global),
    rule("D02", &[Need::Cluster, Need::Provider], cluster_type),
    rule("D03", &[Need::Cluster, Need::Provider], cloud_provider),
    rule("D04", &[Need::Cluster], group_version),
    rule("D05", &[Need::Cluster], resource_kind),
    rule("D06", &[Need::Cluster], registry_address),
    rule("D07", &[Need::Cluster, Need::Provider], vsphere_annotations),
    rule("D08", &[Need::Cluster], join_network),
    rule("D30", &[Need::Cluster], networks_set),
];

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
    vec![must_be("the label `is-global`", &field, "true")]
}

fn cluster_type(side: &Side<'_>, _: &Profile) -> Vec<Outcome> {
    let (Some(cluster), Some(provider)) = (side.cluster(), side.provider()) else { return Vec::new() };
    vec![must_be("the label `cluster-type`", &cluster.label("cluster-type"), provider.name)]
}

fn cloud_provider(side: &Side<'_>, _: &Profile) -> Vec<Outcome> {
    let Some(cluster) = side.cluster().filter(|_| side.is("VSphere")) else { return Vec::new() };
    let key = "addons.cluster.x-k8s.io/vsphere-cpi";
    let mut outcomes = vec![must_be(&format!("the label `{key}`"), &cluster.label(key), "enabled")];
    let sets = side.all("clusterresourcesets.addons.cluster.x-k8s.io");
    let path = format!("spec.clusterSelector.matchLabels[\"{key}\"]");
    let selecting = sets.iter().find(|set| set.field(&path).text().as_deref() == Some("enabled"));
    outcomes.push(match selecting {
        Some(set) => Outcome::new(Pass, format!("{set} selects it"), [set.citation()]),
        None => match side.listed("clusterresourcesets.addons.cluster.x-k8s.io") {
            Some(proof) => Outcome::new(Warn, format!("no ClusterResourceSet selects the label `{key}`"), proof),
            None => Outcome::unknown("no list of ClusterResourceSets was collected"),
        },
    });
    outcomes
}

fn group_version(side: &Side<'_>, _: &Profile) -> Vec<Outcome> {
    let Some(cluster) = side.cluster() else { return Vec::new() };
    let field = cluster.annotation("capi.cpaas.io/resource-group-version");
    let wanted = "infrastructure.cluster.x-k8s.io/v1beta1";
    let mut outcomes = vec![must_be("the annotation `capi.cpaas.io/resource-group-version`", &field, wanted)];
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
    let field = cluster.annotation("capi.cpaas.io/resource-kind");
    vec![must_be("the annotation `capi.cpaas.io/resource-kind`", &field, &kind)]
}

fn registry_address(side: &Side<'_>, _: &Profile) -> Vec<Outcome> {
    let Some(cluster) = side.cluster().filter(|_| !side.is_installed()) else { return Vec::new() };
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
    if let Some(own) = side.request_field("hostIP").and_then(|field| field.text())
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

fn vsphere_annotations(side: &Side<'_>, _: &Profile) -> Vec<Outcome> {
    let Some(cluster) = side.cluster().filter(|_| side.is("VSphere")) else { return Vec::new() };
    let wanted = [("cpaas.io/alb-address-type", "ClusterAddress"), ("cpaas.io/network-type", "kube-ovn")];
    wanted
        .iter()
        .map(|(key, value)| must_be(&format!("the annotation `{key}`"), &cluster.annotation(key), value))
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

fn networks_set(side: &Side<'_>, _: &Profile) -> Vec<Outcome> {
    let Some(cluster) = side.cluster() else { return Vec::new() };
    ["spec.clusterNetwork.pods.cidrBlocks", "spec.clusterNetwork.services.cidrBlocks"]
        .iter()
        .map(|path| match cluster.field(path) {
            Field::Set(node, citation) => {
                let count = node.items().len();
                Outcome::new(State::of(count > 0), format!("{path} has {count} entries"), [citation])
            }
            Field::NotSet(citation) => Outcome::new(Fail, format!("{path} is not set"), [citation]),
            Field::Masked(_) | Field::Unknown => Outcome::unknown(format!("{path} is not shown")),
        })
        .collect()
}
