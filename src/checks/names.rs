//! Groups A and B: the provider, its versions, placeholders, namespaces and names.

use crate::Profile;
use crate::State::{Fail, Pass, Warn};
use crate::outcome::Outcome;
use crate::provider::PROVIDERS;
use crate::rule::{Need, Rule, rule};
use crate::side::{NAMESPACE, Side};
use crate::thing::{Field, Thing};
use facts::node::{Node, Value};
use facts::origin::Citation;
use facts::unread::WhyUnread;
use regex::Regex;
use std::collections::BTreeSet;
use std::sync::LazyLock;

pub(super) const RULES: [Rule; 10] = [
    rule("A01", &[Need::Cluster], provider),
    rule("A02", &[], one_provider),
    rule("A03", &[Need::ControlPlane], versions),
    rule("A04", &[], placeholders),
    rule("A05", &[], indentation),
    rule("A06", &[], namespace),
    rule("B01", &[], cluster_name),
    rule("B02", &[Need::Infrastructure], infrastructure_name),
    rule("B03", &[Need::Cluster], prefix),
    rule("B07", &[Need::Cluster], reference_names),
];

/// Kinds of which an object that belongs to `global` needs the prefix.
const PREFIXED: [&str; 12] = [
    "kubeadmcontrolplanes.controlplane.cluster.x-k8s.io",
    "kubeadmconfigtemplates.bootstrap.cluster.x-k8s.io",
    "machinedeployments.cluster.x-k8s.io",
    "dcsmachinetemplates.infrastructure.cluster.x-k8s.io",
    "dcsiphostnamepools.infrastructure.cluster.x-k8s.io",
    "vspheremachinetemplates.infrastructure.cluster.x-k8s.io",
    "vspheremachineconfigpools.infrastructure.cluster.x-k8s.io",
    "hcsmachinetemplates.infrastructure.cluster.x-k8s.io",
    "hcsmachineconfigpools.infrastructure.cluster.x-k8s.io",
    "baremetalmachinetemplates.infrastructure.cluster.x-k8s.io",
    "machineinventorypools.infrastructure.cluster.x-k8s.io",
    "clusterresourcesets.addons.cluster.x-k8s.io",
];

fn provider(side: &Side<'_>, _: &Profile) -> Vec<Outcome> {
    let mut named: Vec<(&str, String, Citation)> = Vec::new();
    let mut add = |known: &'static str, field: &Field<'_>| {
        if let (Some(text), Some(citation)) = (field.text(), field.citation()) {
            named.push((known, text, citation));
        }
    };
    if let Some(cluster) = side.cluster() {
        for (path, of) in [("spec.infrastructureRef.kind", 0), ("", 1), ("", 2)] {
            let field = match of {
                0 => cluster.field(path),
                1 => cluster.label("cluster-type"),
                _ => cluster.annotation("capi.cpaas.io/resource-kind"),
            };
            let text = field.text().unwrap_or_default();
            let same = |provider: &crate::provider::Provider| {
                if of == 1 { provider.name.eq_ignore_ascii_case(&text) } else { provider.cluster_kind == text }
            };
            add(PROVIDERS.iter().find(|provider| same(provider)).map_or("none", |provider| provider.name), &field);
        }
    }
    for release in side.all("appreleases.operator.alauda.io") {
        if let Some(end) = release.name().strip_prefix("cluster-api-provider-")
            && let Some(provider) = PROVIDERS.iter().find(|provider| provider.release == end)
        {
            named.push((provider.name, release.to_string(), release.citation()));
        }
    }
    let different: BTreeSet<&str> = named.iter().map(|(known, ..)| *known).collect();
    let told: Vec<String> = named.iter().map(|(known, text, _)| format!("`{text}` means {known}")).collect();
    let citations = named.iter().map(|(.., citation)| citation.clone());
    match different.len() {
        0 => Vec::new(),
        1 if different.contains("none") => {
            vec![Outcome::new(Fail, format!("no provider is known for {}", told.join(", ")), citations)]
        }
        1 => vec![Outcome::new(Pass, told.join(", "), citations)],
        _ => vec![Outcome::new(Fail, format!("the objects name different providers: {}", told.join(", ")), citations)],
    }
}

fn one_provider(side: &Side<'_>, _: &Profile) -> Vec<Outcome> {
    let mut found: Vec<Thing<'_>> = Vec::new();
    for provider in PROVIDERS {
        found.extend(side.named(&format!("{}.infrastructure.cluster.x-k8s.io", provider.clusters), "global"));
    }
    let releases = side.all("appreleases.operator.alauda.io").into_iter().filter(|release| {
        let end = release.name().strip_prefix("cluster-api-provider-");
        PROVIDERS.iter().any(|provider| end == Some(provider.release))
    });
    let releases: Vec<Thing<'_>> = releases.collect();
    let several: Vec<&Thing<'_>> = [&found, &releases].into_iter().filter(|all| all.len() > 1).flatten().collect();
    if !several.is_empty() {
        let names: Vec<String> = several.iter().map(ToString::to_string).collect();
        return vec![Outcome::new(
            Warn,
            format!("more than one provider: {}", names.join(", ")),
            several.iter().map(|t| t.citation()),
        )];
    }
    let one: Vec<&Thing<'_>> = found.iter().chain(&releases).collect();
    if one.is_empty() {
        return Vec::new();
    }
    vec![Outcome::new(Pass, "one infrastructure provider", one.iter().map(|thing| thing.citation()))]
}

fn versions(side: &Side<'_>, _: &Profile) -> Vec<Outcome> {
    let mut found = Vec::new();
    let mut missing = Vec::new();
    let mut add = |what: &str, field: Option<Field<'_>>| match field.and_then(|f| f.text().zip(f.citation())) {
        Some((text, citation)) if !text.is_empty() => found.push((format!("{what} {text}"), citation)),
        _ => missing.push(what.to_owned()),
    };
    let revision = |thing: Thing<'_>| thing.field("spec.source.charts[0].targetRevision").text().map(|_| ());
    let kubeadm = side.named("appreleases.operator.alauda.io", "cluster-api-provider-kubeadm");
    add("Kubernetes", side.control_plane().map(|plane| plane.field("spec.version")));
    for (what, release) in [("kubeadm chart", kubeadm), ("infrastructure chart", side.release())] {
        let field = release
            .filter(|thing| revision(*thing).is_some())
            .map(|thing| thing.field("spec.source.charts[0].targetRevision"));
        add(what, field);
    }
    let image = side.templates().first().map(|template| {
        template.any(&[
            "spec.template.spec.vmTemplateName",
            "spec.template.spec.template",
            "spec.template.spec.imageName",
        ])
    });
    add("machine image", image);
    let told: Vec<String> = found.iter().map(|(text, _)| text.clone()).collect();
    if missing.is_empty() {
        return vec![Outcome::new(Pass, told.join(", "), found.into_iter().map(|(_, citation)| citation))];
    }
    vec![Outcome::unknown(format!("not collected: {}", missing.join(", ")))]
}

static PLACEHOLDER: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r"\$\{[A-Z0-9_]+\}|^<[a-z][a-z0-9]*(?:-[a-z0-9]+)*>$|^ssh-[a-z0-9-]+ AAAA\.\.\.").ok());

fn placeholders(side: &Side<'_>, _: &Profile) -> Vec<Outcome> {
    let Some(regex) = PLACEHOLDER.as_ref() else { return Vec::new() };
    let things = [
        side.cluster(),
        side.infrastructure(),
        side.control_plane(),
        side.release(),
        side.request(),
        side.import_map(),
    ];
    let things: Vec<Thing<'_>> = things.into_iter().flatten().chain(side.templates()).chain(side.pools()).collect();
    let mut found = Vec::new();
    for thing in &things {
        for part in
            ["metadata.annotations", "metadata.labels", "spec", "data", "console", "registry", "cluster", "hostIP"]
        {
            let Field::Set(node, citation) = thing.field(part) else { continue };
            scalars(node, part, &mut |path, node, text| {
                // The audit policy and scripts that are written to the machines have variables of their own.
                let is_file = path.contains(".files[") || path.contains("Commands[");
                if !is_file && (regex.is_match(text) || is_hollow(path, text)) && found.len() < 20 {
                    let mut citation = citation.clone();
                    if node.line > 0 {
                        citation.line = node.line;
                    }
                    found.push(Outcome::new(Fail, format!("{thing} has `{text}` at {path}"), [citation]));
                }
            });
        }
    }
    if found.is_empty() && !things.is_empty() {
        found.push(Outcome::new(
            Pass,
            format!("no placeholder in {} objects", things.len()),
            things.iter().map(|thing| thing.citation()),
        ));
    }
    found
}

/// What a template leaves where its variable was not set: `:11443`, `https://`, `v`.
fn is_hollow(path: &str, text: &str) -> bool {
    let port_only =
        text.strip_prefix(':').is_some_and(|port| !port.is_empty() && port.bytes().all(|b| b.is_ascii_digit()));
    port_only || matches!(text, "https://" | "http://") || text == "v" && path.ends_with("version")
}

fn scalars<'n>(node: &'n Node, path: &str, take: &mut dyn FnMut(&str, &'n Node, &'n str)) {
    match &node.value {
        Value::Map(entries) => entries.iter().for_each(|(key, child)| scalars(child, &format!("{path}.{key}"), take)),
        Value::List(items) => {
            items.iter().enumerate().for_each(|(index, child)| scalars(child, &format!("{path}[{index}]"), take));
        }
        _ => {
            if let Some(text) = node.as_str() {
                take(path, node, text);
            }
        }
    }
}

/// Keys that stand below others in every manifest of an installation, never at the top.
const INNER: [&str; 12] = [
    "clusterConfiguration",
    "clusterNetwork",
    "controlPlaneEndpoint",
    "controlPlaneRef",
    "etcd",
    "infrastructureRef",
    "kubeadmConfigSpec",
    "machineTemplate",
    "pods",
    "replicas",
    "services",
    "template",
];

fn indentation(side: &Side<'_>, _: &Profile) -> Vec<Outcome> {
    let things = [side.cluster(), side.infrastructure(), side.control_plane(), side.import_map()];
    let things: Vec<Thing<'_>> = things.into_iter().flatten().chain(side.templates()).chain(side.pools()).collect();
    let mut wrong = Vec::new();
    for thing in &things {
        for key in INNER {
            if let Field::Set(node, mut citation) = thing.field(key) {
                if node.line > 0 {
                    citation.line = node.line;
                }
                wrong.push(Outcome::new(Fail, format!("`{key}` stands at the top of {thing}"), [citation]));
            }
        }
    }
    let members: BTreeSet<u32> = things.iter().map(|thing| thing.citation().member.0).collect();
    for (citation, why) in side.unread() {
        // A file that cannot be read says nothing of its cluster, unless objects of it stand beside.
        if side.is_alone() && matches!(why, WhyUnread::Flat(_)) {
            wrong.push(Outcome::new(Fail, format!("a manifest cannot be read: {why}"), [citation]));
        } else if members.contains(&citation.member.0) && matches!(why, WhyUnread::YamlBreaksOff(_)) {
            // It may be the collector's output that was cut, and not the manifest.
            wrong.push(Outcome::new(Warn, format!("a file with manifests cannot be read whole: {why}"), [citation]));
        }
    }
    if wrong.is_empty() && !things.is_empty() {
        let told = format!("{} manifests have their indentation", things.len());
        return vec![Outcome::new(Pass, told, things.iter().map(|thing| thing.citation()))];
    }
    if wrong.is_empty() {
        return vec![Outcome::unknown("no manifest was collected")];
    }
    wrong
}

fn namespace(side: &Side<'_>, _: &Profile) -> Vec<Outcome> {
    let things = [side.cluster(), side.infrastructure(), side.control_plane(), side.import_map()];
    let things: Vec<Thing<'_>> = things.into_iter().flatten().chain(side.templates()).chain(side.pools()).collect();
    let wrong = things.iter().filter(|thing| thing.namespace().is_some_and(|namespace| namespace != NAMESPACE));
    let wrong: Vec<Outcome> = wrong
        .map(|thing| {
            let told =
                format!("{thing} is in namespace `{}`, not in `{NAMESPACE}`", thing.namespace().unwrap_or_default());
            Outcome::new(Fail, told, [thing.citation()])
        })
        .collect();
    if wrong.is_empty() && things.iter().any(|thing| thing.namespace().is_some()) {
        return vec![Outcome::new(
            Pass,
            format!("all are in `{NAMESPACE}`"),
            things.iter().map(|thing| thing.citation()),
        )];
    }
    wrong
}

pub(super) fn cluster_name(side: &Side<'_>, _: &Profile) -> Vec<Outcome> {
    match side.cluster() {
        Some(cluster) => vec![Outcome::new(Pass, format!("{cluster}"), [cluster.citation()])],
        None => match side.lacks("clusters.cluster.x-k8s.io", "global") {
            Some(citations) => vec![Outcome::new(Fail, "no Cluster of Cluster API is named `global`", citations)],
            None => vec![Outcome::unknown("no list of Clusters was collected")],
        },
    }
}

fn infrastructure_name(side: &Side<'_>, _: &Profile) -> Vec<Outcome> {
    let Some(thing) = side.infrastructure() else { return Vec::new() };
    if thing.name() == "global" {
        return vec![Outcome::new(Pass, format!("{thing}"), [thing.citation()])];
    }
    vec![Outcome::new(Fail, format!("{thing} is not named `global`"), [thing.citation()])]
}

pub(super) fn prefix(side: &Side<'_>, _: &Profile) -> Vec<Outcome> {
    let things: Vec<Thing<'_>> = PREFIXED.iter().flat_map(|kind| side.belonging(kind)).collect();
    let wrong: Vec<Outcome> = things
        .iter()
        .filter(|thing| !thing.name().starts_with("global-"))
        .map(|thing| {
            Outcome::new(Fail, format!("{thing} is not named `global-*`"), [thing.citation()]).about(thing.name())
        })
        .collect();
    if wrong.is_empty() && !things.is_empty() {
        let told = format!("{} objects are named `global-*`", things.len());
        return vec![Outcome::new(Pass, told, things.iter().map(|thing| thing.citation()))];
    }
    wrong
}

fn reference_names(side: &Side<'_>, _: &Profile) -> Vec<Outcome> {
    let Some(cluster) = side.cluster() else { return Vec::new() };
    let mut outcomes = Vec::new();
    let infrastructure = cluster.field("spec.infrastructureRef.name");
    if let (Some(name), Some(citation)) = (infrastructure.text(), infrastructure.citation()) {
        let state = if name == "global" { Pass } else { Fail };
        outcomes.push(Outcome::new(state, format!("spec.infrastructureRef.name is `{name}`"), [citation]));
    }
    let plane = cluster.field("spec.controlPlaneRef.name");
    if let (Some(name), Some(citation)) = (plane.text(), plane.citation()) {
        let state = if name.starts_with("global-") { Pass } else { Fail };
        outcomes.push(Outcome::new(state, format!("spec.controlPlaneRef.name is `{name}`"), [citation]));
    }
    outcomes
}
