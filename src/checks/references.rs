//! Group B: references that must lead somewhere, to the right kind, and the objects that must be there.

use crate::Profile;
use crate::State::{Fail, Pass, Warn};
use crate::outcome::Outcome;
use crate::rule::{Need, Rule, rule};
use crate::side::{CONTROL_PLANE_TEMPLATE, POOL_REFERENCES, Side};
use crate::thing::Thing;
use facts::origin::Citation;
use facts::suggest::nearest;

pub(super) const RULES: [Rule; 3] = [
    rule("B05", &[Need::Cluster], references),
    rule("B06", &[Need::Provider, Need::ControlPlane], reference_kinds),
    rule("B08", &[Need::Provider], required),
];

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
        // In the new cluster the credentials have a check of their own.
        let credentials: &[&str] =
            if side.is_installed() { &[] } else { &["spec.credentialSecretRef", "spec.identityRef"] };
        for path in credentials.iter().copied().chain(["spec.encryptionProviderConfigRef"]) {
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
        } else if let Some(proof) = side.listed(&kind) {
            let told = format!("{} of {count} {kind} for `global`", there.len());
            let state = if only_workers && (there.len() + 1 == count) { Warn } else { Fail };
            outcomes.push(Outcome::new(state, told, proof));
        } else {
            outcomes.push(Outcome::unknown(format!("{kind} were not listed whole")));
        }
    }
    outcomes
}
