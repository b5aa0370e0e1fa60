//! Groups A and B: the provider, placeholders, names, and references that must lead somewhere.

use super::State::{Fail, Pass, Warn};
use super::networks::pool_addresses;
use super::side::{CONTROL_PLANE_TEMPLATE, Field, NAMESPACE, POOL_REFERENCES, PROVIDERS, Side, Thing};
use super::{Logic, Outcome, Profile};
use crate::facts::mask::Form;
use crate::facts::node::{Node, Value};
use crate::facts::origin::Citation;
use crate::signature::suggest::nearest;
use regex::Regex;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

pub(super) const LOGIC: [(&str, Logic); 15] = [
    ("A01", provider),
    ("A02", one_provider),
    ("A03", versions),
    ("A04", placeholders),
    ("A06", namespace),
    ("B01", cluster_name),
    ("B02", infrastructure_name),
    ("B03", prefix),
    ("B05", references),
    ("B06", reference_kinds),
    ("B07", reference_names),
    ("B08", required),
    ("B09", secret_keys),
    ("B10", pool_size),
    ("B11", pool_entries),
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
            let same = |provider: &super::side::Provider| {
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

/// Every reference: who refers, where, the kind as plural with its group, the name.
fn all_references<'f>(side: &Side<'f>) -> Vec<(Thing<'f>, String, String, String, Citation)> {
    let mut found = Vec::new();
    let mut add = |from: Thing<'f>, path: &str, kind: Option<String>| {
        let name = from.field(&format!("{path}.name"));
        if let (Some(text), Some(citation), Some(kind)) = (name.text(), name.citation(), kind) {
            found.push((from, path.to_owned(), kind, text, citation));
        }
    };
    let typed = |from: Thing<'f>, path: &str| {
        let kind = from.field(&format!("{path}.kind")).text()?;
        let group = from
            .field(&format!("{path}.apiVersion"))
            .text()
            .map(|v| v.split('/').next().unwrap_or_default().to_owned());
        let group = group.or_else(|| from.field(&format!("{path}.apiGroup")).text())?;
        Some(format!("{}s.{group}", kind.to_ascii_lowercase()))
    };
    if let Some(cluster) = side.cluster() {
        for path in ["spec.controlPlaneRef", "spec.infrastructureRef"] {
            add(cluster, path, typed(cluster, path));
        }
    }
    if let Some(plane) = side.control_plane() {
        for path in CONTROL_PLANE_TEMPLATE {
            add(plane, path, typed(plane, path));
        }
    }
    for workers in side.belonging("machinedeployments.cluster.x-k8s.io") {
        for path in ["spec.template.spec.bootstrap.configRef", "spec.template.spec.infrastructureRef"] {
            add(workers, path, typed(workers, path));
        }
    }
    if let Some(provider) = side.provider() {
        for template in side.templates() {
            for path in POOL_REFERENCES {
                add(template, path, Some(format!("{}.infrastructure.cluster.x-k8s.io", provider.pools)));
            }
        }
    }
    if let Some(infrastructure) = side.infrastructure() {
        for path in ["spec.credentialSecretRef", "spec.identityRef", "spec.encryptionProviderConfigRef"] {
            add(infrastructure, path, Some("secrets".to_owned()));
        }
    }
    found
}

fn references(side: &Side<'_>, _: &Profile) -> Vec<Outcome> {
    let mut outcomes = Vec::new();
    for (from, path, kind, name, citation) in all_references(side) {
        if let Some(there) = side.named(&kind, &name) {
            outcomes.push(Outcome::new(Pass, format!("{from} refers to {there}"), [citation, there.citation()]));
        } else if let Some(proof) = side.lacks(&kind, &name) {
            let others = side.all(&kind);
            let near = nearest(&name, others.iter().map(|thing| thing.name()));
            let hint = near.map_or(String::new(), |near| format!("; there is a `{near}`"));
            let told = format!("{from} refers at {path} to `{name}`, and no such object exists among the {kind}{hint}");
            outcomes.push(Outcome::new(Fail, told, [citation].into_iter().chain(proof)));
        } else {
            outcomes.push(Outcome::unknown(format!("`{name}` of {from} was not collected ({kind})")));
        }
    }
    outcomes
}

fn reference_kinds(side: &Side<'_>, _: &Profile) -> Vec<Outcome> {
    let (Some(provider), Some(plane)) = (side.provider(), side.control_plane()) else { return Vec::new() };
    let paths = CONTROL_PLANE_TEMPLATE.map(|path| format!("{path}.kind"));
    let field = plane.any(&[&paths[0], &paths[1]]);
    match (field.text(), field.citation()) {
        (Some(kind), Some(citation)) if kind == provider.template_kind => {
            vec![Outcome::new(Pass, format!("{plane} uses a {kind}"), [citation])]
        }
        (Some(kind), Some(citation)) => {
            let told =
                format!("{plane} uses a {kind}, and the provider {} needs a {}", provider.name, provider.template_kind);
            vec![Outcome::new(Warn, told, [citation])]
        }
        _ => vec![Outcome::unknown("the reference of the KubeadmControlPlane to its machine template is not shown")],
    }
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

fn required(side: &Side<'_>, _: &Profile) -> Vec<Outcome> {
    let Some(provider) = side.provider() else { return Vec::new() };
    let infrastructure = |plural: &str| format!("{plural}.infrastructure.cluster.x-k8s.io");
    let plain = |text: &str| text.to_owned();
    let mut wanted: Vec<(String, usize, bool)> = vec![
        (plain("kubeadmcontrolplanes.controlplane.cluster.x-k8s.io"), 1, false),
        (infrastructure(provider.templates), 2, true),
        (infrastructure(provider.pools), 2, true),
        (plain("kubeadmconfigtemplates.bootstrap.cluster.x-k8s.io"), 1, true),
        (plain("machinedeployments.cluster.x-k8s.io"), 1, true),
    ];
    if provider.name == "VSphere" {
        wanted.push((plain("clusterresourcesets.addons.cluster.x-k8s.io"), 1, false));
    }
    let mut outcomes = Vec::new();
    for (kind, count, only_workers) in wanted {
        let there = side.belonging(&kind);
        if there.len() >= count {
            outcomes.push(Outcome::new(
                Pass,
                format!("{} {kind}", there.len()),
                there.iter().map(|thing| thing.citation()),
            ));
        } else if let Some(proof) = side.lacks(&kind, "global-none") {
            let told = format!("{} of {count} {kind} for `global`", there.len());
            let state = if only_workers && (there.len() + 1 == count) { Warn } else { Fail };
            outcomes.push(Outcome::new(state, told, proof));
        } else {
            outcomes.push(Outcome::unknown(format!("{kind} were not listed whole")));
        }
    }
    outcomes
}

fn secret_keys(side: &Side<'_>, _: &Profile) -> Vec<Outcome> {
    let (Some(provider), Some(infrastructure)) = (side.provider(), side.infrastructure()) else { return Vec::new() };
    let keys: &[&str] = match provider.name {
        "DCS" => &["authUser", "authKey", "endpoint"],
        "HCS" => &["accessKey", "secretKey", "projectID", "region", "externalGlobalDomain"],
        "VSphere" => &["username", "password"],
        _ => return Vec::new(),
    };
    let Some(name) = infrastructure.any(&["spec.credentialSecretRef.name", "spec.identityRef.name"]).text() else {
        return Vec::new();
    };
    let Some(secret) = side.named("secrets", &name) else {
        return vec![Outcome::unknown(format!("the Secret `{name}` was not collected"))];
    };
    let present = [secret.keys("data"), secret.keys("stringData")].concat();
    if present.is_empty() {
        return vec![Outcome::unknown(format!("the keys of the Secret `{name}` are not shown"))];
    }
    let mut outcomes = Vec::new();
    let missing: Vec<&str> = keys.iter().filter(|key| !present.contains(key)).copied().collect();
    if !missing.is_empty() {
        outcomes.push(Outcome::new(Fail, format!("{secret} has no key {}", missing.join(", ")), [secret.citation()]));
    }
    if provider.name == "DCS"
        && !present.contains(&"site")
        && infrastructure.field("spec.site").is_empty()
        && let Some(citation) = infrastructure.field("spec.site").citation()
    {
        outcomes.push(Outcome::new(Fail, format!("neither {secret} nor {infrastructure} names the site"), [citation]));
    }
    for key in present {
        match secret.mask(&["data", key]).map(|mask| mask.form) {
            Some(Form::Base64 { newline: true, .. }) => {
                outcomes.push(Outcome::new(
                    Warn,
                    format!("the value of `{key}` in {secret} ends in a line end"),
                    [secret.citation()],
                ));
            }
            Some(Form::Plain) => {
                outcomes.push(Outcome::new(
                    Fail,
                    format!("the value of `{key}` in {secret} is not base64"),
                    [secret.citation()],
                ));
            }
            _ => {}
        }
    }
    if outcomes.is_empty() {
        outcomes.push(Outcome::new(Pass, format!("{secret} has the keys {}", keys.join(", ")), [secret.citation()]));
    }
    outcomes
}

fn whole(field: &Field<'_>) -> Option<i64> {
    field.node().and_then(|node| node.value.integer()).and_then(|number| i64::try_from(number).ok())
}

fn pool_size(side: &Side<'_>, _: &Profile) -> Vec<Outcome> {
    let Some(plane) = side.control_plane() else { return Vec::new() };
    let names: Vec<String> =
        CONTROL_PLANE_TEMPLATE.iter().filter_map(|path| plane.field(&format!("{path}.name")).text()).collect();
    let template = side.templates().into_iter().find(|template| names.iter().any(|name| name == template.name()));
    let pool_name = template
        .and_then(|template| POOL_REFERENCES.iter().find_map(|path| template.field(&format!("{path}.name")).text()));
    let Some(pool) = pool_name.and_then(|name| side.pools().into_iter().find(|pool| pool.name() == name)) else {
        return Vec::new();
    };
    let entries = pool.any(&["spec.pool", "spec.configs"]);
    let surge = whole(
        &plane.any(&["spec.rolloutStrategy.rollingUpdate.maxSurge", "spec.rollout.strategy.rollingUpdate.maxSurge"]),
    );
    let (Some(replicas), Some(count), Some(citation)) =
        (whole(&plane.field("spec.replicas")), entries.node().map(|node| node.items().len()), entries.citation())
    else {
        return vec![Outcome::unknown("replicas or pool entries are not shown")];
    };
    let needed = replicas + surge.unwrap_or(1);
    let told = format!("{pool} has {count} entries, and {plane} needs {needed}");
    let state = if (count as i64) < needed { Warn } else { Pass };
    vec![Outcome::new(state, told, [citation, plane.citation()])]
}

fn pool_entries(side: &Side<'_>, _: &Profile) -> Vec<Outcome> {
    let mut seen: BTreeMap<String, Vec<(String, Citation)>> = BTreeMap::new();
    for (address, pool, citation) in pool_addresses(side) {
        seen.entry(format!("address {address}")).or_default().push((pool, citation));
    }
    for pool in side.pools() {
        for path in ["spec.pool", "spec.configs"] {
            let Field::Set(node, citation) = pool.field(path) else { continue };
            for entry in node.items() {
                for key in ["hostname", "machineName"] {
                    if let Some(text) = entry.get(key).and_then(Node::as_str) {
                        seen.entry(format!("{key} {text}"))
                            .or_default()
                            .push((pool.name().to_owned(), citation.clone()));
                    }
                }
            }
        }
    }
    let twice: Vec<Outcome> = seen
        .iter()
        .filter(|(_, places)| places.len() > 1)
        .map(|(what, places)| {
            let pools: BTreeSet<&str> = places.iter().map(|(pool, _)| pool.as_str()).collect();
            let pools: Vec<&str> = pools.into_iter().collect();
            let told = format!("{what} stands {} times in {}", places.len(), pools.join(", "));
            Outcome::new(Fail, told, places.iter().map(|(_, citation)| citation.clone()))
        })
        .collect();
    if twice.is_empty() && !seen.is_empty() {
        let first = seen.values().flatten().map(|(_, citation)| citation.clone()).take(1);
        return vec![Outcome::new(Pass, "each address and name stands once", first)];
    }
    twice
}
