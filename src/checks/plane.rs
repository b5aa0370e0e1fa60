//! Group D, the KubeadmControlPlane of `global`: replicas, rollout, versions, bootstrap format, names of certificates.

use crate::Profile;
use crate::State::{Fail, Pass, Warn};
use crate::outcome::{Outcome, number, valued};
use crate::rule::{Need, Rule, rule};
use crate::side::Side;
use crate::thing::Field;
use facts::node::Node;
use regex::Regex;
use std::sync::LazyLock;

pub(super) const RULES: [Rule; 10] = [
    rule("D09", &[Need::Provider, Need::ControlPlane], skip_kube_proxy),
    rule("D10", &[Need::ControlPlane], replicas),
    rule("D11", &[Need::ControlPlane], surge),
    rule("D12", &[Need::ControlPlane], timeouts),
    rule("D13", &[Need::ControlPlane], version),
    rule("D15", &[Need::ControlPlane], worker_version),
    rule("D16", &[Need::Provider, Need::ControlPlane], format),
    rule("D17", &[Need::Provider, Need::ControlPlane], ssh_keys),
    rule("D18", &[Need::ControlPlane], etcd_names),
    rule("D29", &[Need::ControlPlane], files),
];

fn skip_kube_proxy(side: &Side<'_>, _: &Profile) -> Vec<Outcome> {
    let applies = side.is("DCS") || side.is("ProviderBaremetal");
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
    let Some(plane) = side.control_plane().filter(|_| side.is("DCS")) else { return Vec::new() };
    let field = plane.field("spec.kubeadmConfigSpec.users");
    let Some(citation) = field.citation() else {
        return vec![Outcome::unknown(format!("users of {plane} are not shown"))];
    };
    let users = field.node().map_or(&[][..], Node::elements);
    let keys: Vec<&str> = users
        .iter()
        .filter_map(|user| user.field("sshAuthorizedKeys"))
        .flat_map(Node::elements)
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

/// Where a KubeadmControlPlane names files that must be written to its machines.
const NAMED_FILES: [&str; 2] = [
    "spec.kubeadmConfigSpec.clusterConfiguration.apiServer.extraArgs[\"audit-policy-file\"]",
    "spec.kubeadmConfigSpec.initConfiguration.patches.directory",
];

fn files(side: &Side<'_>, _: &Profile) -> Vec<Outcome> {
    let Some(plane) = side.control_plane() else { return Vec::new() };
    let field = plane.field("spec.kubeadmConfigSpec.files");
    let (Some(citation), false) = (field.citation(), matches!(field, Field::Masked(_))) else {
        return vec![Outcome::unknown(format!("files of {plane} are not shown"))];
    };
    let written: Vec<&str> =
        field.node().map_or(&[][..], Node::items).iter().filter_map(|f| f.get("path")?.as_str()).collect();
    let mut outcomes = Vec::new();
    for (path, at) in NAMED_FILES.iter().filter_map(|path| valued(&plane.field(path))) {
        if !written.iter().any(|file| file.starts_with(path.trim_end_matches('/'))) {
            let told = format!("{plane} refers to {path}, and writes no such file");
            outcomes.push(Outcome::new(Warn, told, [at, citation.clone()]));
        }
    }
    if outcomes.is_empty() {
        outcomes.push(match written.len() {
            0 => Outcome::unknown("which files the manifest of the release writes is not part of a bundle"),
            count => Outcome::new(Pass, format!("{plane} writes {count} files"), [citation]),
        });
    }
    outcomes
}
