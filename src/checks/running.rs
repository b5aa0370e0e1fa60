//! Group G: the `global` cluster once it was installed, and what of the bootstrap host must no longer be in it.
//!
//! Nodes that are not ready, Pods that fail, a ClusterModule that failed and the like have signatures of
//! their own (`carried_by` in `patterns/checks.yaml`); here is what they do not read.

use crate::Profile;
use crate::State;
use crate::State::{Fail, Pass, Warn};
use crate::outcome::{Outcome, number, valued};
use crate::progress::time;
use crate::rule::{Need, Rule, rule};
use crate::side::{NAMESPACE, Side};
use crate::thing::Thing;
use facts::origin::Citation;
use regex::Regex;
use std::collections::BTreeMap;
use std::sync::LazyLock;

pub(super) const RULES: [Rule; 9] = [
    rule("G05", &[Need::Cluster, Need::Installed], registry_address),
    rule("G06", &[Need::ControlPlane, Need::Installed], number_of_nodes),
    rule("G08", &[Need::Installed], platform_phase),
    rule("G10", &[Need::Installed], releases),
    rule("G12", &[Need::Provider, Need::Infrastructure, Need::Installed], credentials),
    rule("G13", &[Need::Cluster], deletion),
    rule("G18", &[Need::Provider], hand_off),
    rule("G19", &[Need::ControlPlane, Need::Installed], drift),
    rule("G20", &[Need::Cluster, Need::Installed], left_over),
];

/// The gateway by which Pods of the bootstrap host reach its registry; it exists on that host alone.
const GATEWAY: &str = "172.18.0.1";

fn host(address: &str) -> &str {
    let bare = address.split("://").last().unwrap_or(address);
    bare.split(['/', ':']).next().unwrap_or(bare)
}

/// The registry addresses that the Cluster and its infrastructure cluster name.
fn registries(side: &Side<'_>) -> Vec<(String, String, Citation)> {
    let things = side.cluster().into_iter().chain(side.infrastructure());
    things
        .filter_map(|thing| {
            let (text, citation) = valued(&thing.annotation("cpaas.io/registry-address"))?;
            Some((thing.to_string(), text, citation))
        })
        .collect()
}

fn registry_address(side: &Side<'_>, _: &Profile) -> Vec<Outcome> {
    let found = registries(side);
    if found.is_empty() {
        return vec![Outcome::unknown("the annotation `cpaas.io/registry-address` is not shown")];
    }
    let of = |side: &Side<'_>, path: &str| side.request_field(path).and_then(|field| valued(&field));
    let either = |path: &str| of(side, path).or_else(|| of(&side.peer()?, path));
    let (bootstrap, domain) = (either("hostIP"), either("registry.domain"));
    let judge = |(thing, text, citation): (String, String, Citation)| match (&bootstrap, &domain) {
        (Some((own, at)), _) if host(&text) == own => {
            let told = format!("{thing} still names the registry of the bootstrap host, `{text}`");
            Outcome::new(Fail, told, [citation, at.clone()])
        }
        (_, Some((domain, at))) if *domain == text => {
            Outcome::new(Pass, format!("{thing} names the registry of the platform, `{text}`"), [citation, at.clone()])
        }
        _ => Outcome::unknown(format!("whether `{text}` of {thing} is the registry of the platform is not known")),
    };
    found.into_iter().map(judge).collect()
}

/// How many Nodes the cluster should have.
fn wanted_nodes(side: &Side<'_>) -> Option<(i64, Vec<Citation>)> {
    let (mut count, first) = number(&side.control_plane()?.field("spec.replicas"))?;
    let mut citations = vec![first];
    if !side.whole("machinedeployments.cluster.x-k8s.io") {
        return None;
    }
    for workers in side.belonging("machinedeployments.cluster.x-k8s.io") {
        let (more, citation) = number(&workers.field("spec.replicas"))?;
        count += more;
        citations.push(citation);
    }
    Some((count, citations))
}

fn number_of_nodes(side: &Side<'_>, _: &Profile) -> Vec<Outcome> {
    let nodes = side.all("nodes");
    if !side.whole("nodes") {
        return vec![Outcome::unknown("the Nodes of `global` were not listed whole")];
    }
    let Some((wanted, citations)) = wanted_nodes(side) else {
        return vec![Outcome::unknown(
            "how many Nodes there should be is not known: the MachineDeployments were not listed whole",
        )];
    };
    let told =
        format!("{} Nodes, and the control plane and the MachineDeployments have {wanted} replicas", nodes.len());
    let right = i64::try_from(nodes.len()) == Ok(wanted);
    vec![Outcome::new(
        if right { Pass } else { Warn },
        told,
        citations.into_iter().chain(nodes.first().map(Thing::citation)),
    )]
}

fn platform_phase(side: &Side<'_>, _: &Profile) -> Vec<Outcome> {
    let Some(cluster) = side.named("clusters.platform.tkestack.io", "global") else {
        return vec![Outcome::unknown("the Cluster `global` of the platform was not collected")];
    };
    let phase = cluster.field("status.phase");
    let (Some(text), Some(citation)) = (phase.text(), phase.citation()) else {
        return vec![Outcome::unknown(format!("status.phase of {cluster} is not shown"))];
    };
    let state = match text.as_str() {
        "Running" => Pass,
        "Failed" | "Terminating" => Fail,
        _ => Warn,
    };
    // A failed health check is told by a signature of its own.
    let checked = cluster.field("status.conditions[type=HealthCheck].status").text();
    if state == Fail && checked.as_deref() == Some("False") {
        return Vec::new();
    }
    vec![Outcome::new(state, format!("the platform has `global` in phase {text}"), [citation])]
}

fn releases(side: &Side<'_>, _: &Profile) -> Vec<Outcome> {
    let all = side.all("appreleases.operator.alauda.io");
    if all.is_empty() {
        return vec![Outcome::unknown("the AppReleases of `global` were not collected")];
    }
    let mut outcomes = Vec::new();
    // The network plugin has a signature of its own.
    for release in all.iter().filter(|release| !release.name().starts_with("cni-")) {
        for kind in ["Sync", "Health"] {
            let field = release.field(&format!("status.conditions[type={kind}].status"));
            if let (Some("False"), Some(citation)) = (field.text().as_deref(), field.citation()) {
                let why = release.field(&format!("status.conditions[type={kind}].message")).text().unwrap_or_default();
                let why = if why.is_empty() { String::new() } else { format!(": {why}") };
                outcomes.push(Outcome::new(Warn, format!("{kind} of {release} is False{why}"), [citation]));
            }
        }
    }
    if outcomes.is_empty() {
        let told = format!("no condition Sync or Health of {} AppReleases is False", all.len());
        outcomes.push(Outcome::new(Pass, told, all.iter().take(1).map(Thing::citation)));
    }
    outcomes
}

fn credentials(side: &Side<'_>, _: &Profile) -> Vec<Outcome> {
    let Some(infrastructure) = side.infrastructure() else { return Vec::new() };
    let name = infrastructure.any(&["spec.credentialSecretRef.name", "spec.identityRef.name"]);
    let Some((name, citation)) = valued(&name) else {
        return vec![Outcome::unknown(format!("which Secret {infrastructure} uses is not shown"))];
    };
    match (side.named("secrets", &name), side.lacks("secrets", &name)) {
        (Some(secret), _) => {
            vec![Outcome::new(Pass, format!("{secret} is in `global`"), [citation, secret.citation()])]
        }
        (None, Some(proof)) => {
            let told = format!("the Secret `{name}` that {infrastructure} uses is not in {NAMESPACE} of `global`");
            vec![Outcome::new(Fail, told, [citation].into_iter().chain(proof))]
        }
        (None, None) => vec![Outcome::unknown(format!("the Secrets of {NAMESPACE} were not listed"))],
    }
}

static DELETE: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r"^\s*(?:\d+\s+)?(?:\[[^\]]*\]\s*)?(?:\S*[#$]\s*)?(?:sudo\s+)?kubectl\s(?:.*\s)?delete\s+clusters?(?:\.cluster\.x-k8s\.io)?[ /]+global(?:\s|$)").ok()
});

fn deletion(side: &Side<'_>, _: &Profile) -> Vec<Outcome> {
    let things: Vec<Thing<'_>> =
        [side.cluster(), side.control_plane(), side.infrastructure()].into_iter().flatten().collect();
    let mut found: Vec<(String, Citation)> = things
        .iter()
        .filter_map(|thing| {
            let (since, citation) = time(thing, "metadata.deletionTimestamp")?;
            Some((format!("{thing} is being deleted since {since}"), citation))
        })
        .collect();
    let typed = crate::DELETIONS.iter().flat_map(|text| side.lines(text));
    let typed = typed.filter(|line| DELETE.as_ref().is_some_and(|regex| regex.is_match(line.text())));
    found
        .extend(typed.map(|line| (format!("`{}` was typed ({})", line.text().trim(), line.stream()), line.citation())));
    if found.is_empty() {
        let told = format!("none of {} objects is being deleted", things.len());
        return vec![Outcome::new(Pass, told, things.iter().map(Thing::citation))];
    }
    // Before it is complete, an installation may be begun anew.
    let (state, why, at) = match side.completed() {
        Some((why, at)) => (Fail, format!("the installation is complete: {why}"), Some(at)),
        None => (Warn, "whether the installation was complete is not known".to_owned(), None),
    };
    let told: Vec<&str> = found.iter().map(|(text, _)| text.as_str()).collect();
    let told = format!("{}; {why}", told.join(", "));
    vec![Outcome::new(state, told, found.into_iter().map(|(_, citation)| citation).chain(at))]
}

fn hand_off(side: &Side<'_>, profile: &Profile) -> Vec<Outcome> {
    if !side.is("ProviderBaremetal") || profile.is_first() {
        return Vec::new();
    }
    let name = "baremetal-system-agent-handoff";
    let Some(map) = side.named("configmaps", name) else {
        return vec![Outcome::unknown(format!("the ConfigMap `{name}` was not collected"))];
    };
    let mut outcomes = Vec::new();
    let ready = map.field("data.ready");
    if let Some(citation) = ready.citation() {
        let text = ready.text().unwrap_or_default();
        outcomes.push(Outcome::new(State::of(text == "true"), format!("ready of {map} is `{text}`"), [citation]));
    }
    let config = map.field("data.config");
    if let Some(citation) = config.citation() {
        let text = config.text().unwrap_or_default();
        let hash = text.len() == 64 && text.bytes().all(|b| b.is_ascii_digit() || (b'a'..=b'f').contains(&b));
        let told = if hash { "is a digest" } else { "is no digest of 64 hexadecimal digits" };
        outcomes.push(Outcome::new(State::of(hash), format!("config of {map} {told}"), [citation]));
    }
    if outcomes.is_empty() {
        outcomes.push(Outcome::unknown(format!("data of {map} is not shown")));
    }
    outcomes
}

fn drift(side: &Side<'_>, _: &Profile) -> Vec<Outcome> {
    let nodes = side.all("nodes");
    let mut images: BTreeMap<String, Vec<Citation>> = BTreeMap::new();
    for node in &nodes {
        if let Some((text, citation)) = valued(&node.field("status.nodeInfo.osImage")) {
            images.entry(text).or_default().push(citation);
        }
    }
    if images.is_empty() {
        return vec![Outcome::unknown("the system of the Nodes is not shown")];
    }
    let mut outcomes = Vec::new();
    let citations: Vec<Citation> = images.values().filter_map(|all| all.first().cloned()).collect();
    let names: Vec<&str> = images.keys().map(String::as_str).collect();
    let told = format!("the Nodes run {}", names.join(", "));
    outcomes.push(Outcome::new(if images.len() == 1 { Pass } else { Warn }, told, citations));
    let version = side.control_plane().and_then(|plane| valued(&plane.field("spec.version")));
    if let Some((version, at)) = version {
        for node in &nodes {
            if let Some((text, citation)) = valued(&node.field("status.nodeInfo.kubeletVersion"))
                && text != version
            {
                let told = format!("the kubelet of {node} is {text}, the control plane is to be {version}");
                outcomes.push(Outcome::new(Warn, told, [citation, at.clone()]));
            }
        }
    }
    outcomes
}

fn left_over(side: &Side<'_>, _: &Profile) -> Vec<Outcome> {
    let mut found = registries(side);
    for release in side.all("appreleases.operator.alauda.io") {
        if let Some((text, citation)) = valued(&release.field("spec.source.repoURL")) {
            found.push((release.to_string(), text, citation));
        }
    }
    if found.is_empty() {
        return vec![Outcome::unknown("no address of a registry is shown")];
    }
    let wrong: Vec<Outcome> = found
        .iter()
        .filter(|(_, text, _)| host(text) == GATEWAY)
        .map(|(thing, text, citation)| {
            Outcome::new(
                Fail,
                format!("{thing} names `{text}`, an address of the bootstrap host alone"),
                [citation.clone()],
            )
        })
        .collect();
    if wrong.is_empty() {
        let told = format!("none of {} addresses of registries is {GATEWAY}", found.len());
        return vec![Outcome::new(Pass, told, found.into_iter().map(|(_, _, citation)| citation))];
    }
    wrong
}
