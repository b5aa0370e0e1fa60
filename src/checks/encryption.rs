//! Group D, the encryption configuration of the API server: how it is delivered, and whether it is sound.
//!
//! Invariant: keys are read as masks alone.

use crate::Profile;
use crate::State::{Fail, Pass};
use crate::outcome::{Outcome, texts};
use crate::plane::ETCD_NAMES;
use crate::rule::{Need, Rule, rule};
use crate::side::Side;
use crate::thing::{Field, Thing};
use facts::mask;
use facts::mask::{Form, Mask};
use facts::node::Node;
use facts::origin::Citation;
use std::net::IpAddr;

pub(super) const RULES: [Rule; 2] =
    [rule("D23", &[Need::Provider, Need::ControlPlane], encryption_delivery), rule("D24", &[], encryption_content)];

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
    // With disaster recovery other rules hold, and C02 applies them.
    if is_for_recovery(side, &plane) {
        return Vec::new();
    }
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

/// Was the cluster meant for disaster recovery? It is one of a pair, copies from one, or its etcd serves the
/// address of another control plane too.
fn is_for_recovery(side: &Side<'_>, plane: &Thing<'_>) -> bool {
    let own = side.vip().map(|(own, _)| own);
    let is_other = |name: &String| own.is_some() && name.parse::<IpAddr>().is_ok() && own.as_ref() != Some(name);
    side.is_of_pair() || side.sync().is_some() || texts(&plane.field(ETCD_NAMES)).iter().any(is_other)
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
    let Some((held, citation)) = encryption(side) else {
        let name = side.infrastructure().and_then(|thing| thing.field("spec.encryptionProviderConfigRef.name").text());
        let unknown = name.map(|name| Outcome::unknown(format!("what the Secret `{name}` holds was not collected")));
        return unknown.into_iter().collect();
    };
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
