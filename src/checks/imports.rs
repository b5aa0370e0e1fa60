//! Group H: the ConfigMap that lists what the installer imports besides.

use crate::Profile;
use crate::State::{Fail, Pass, Warn};
use crate::outcome::Outcome;
use crate::rule::{Need, Rule, rule};
use crate::side::{NAMESPACE, Side};
use crate::thing::Thing;
use facts::node::{Node, Value};
use facts::origin::Citation;

pub(super) const RULES: [Rule; 7] = [
    rule("H01", &[Need::Provider], exists),
    rule("H02", &[Need::ImportMap], readable),
    rule("H03", &[Need::ImportMap], entries_sound),
    rule("H04", &[Need::ImportMap], key_base),
    rule("H05", &[Need::ImportMap], secrets_by_kubectl),
    rule("H06", &[Need::Provider, Need::ImportMap], entries_complete),
    rule("H07", &[Need::Provider, Need::Infrastructure, Need::ImportMap], secret_name),
];

/// One entry of the list.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Entry {
    pub resource: String,
    pub method: Option<String>,
    pub names: Vec<String>,
    pub key_base: Option<String>,
}

impl Entry {
    /// The entry as both sides of a pair must have it: Secrets may have their own names on each side.
    pub(crate) fn without_own_names(mut self) -> Self {
        if self.resource == "secrets" {
            self.names.clear();
        }
        self
    }
}

/// The entries, if the ConfigMap is there and can be read.
pub(super) fn entries<'f>(side: &Side<'f>) -> Option<(Thing<'f>, Vec<Entry>, Citation)> {
    let map = side.import_map()?;
    let field = map.field("data[\"resources.yaml\"]");
    let (text, citation) = (field.text()?, field.citation()?);
    let tree = parse::manifest::trees(&text, citation.line, 20).into_iter().next()?;
    let list = tree.get("resources")?;
    if !matches!(list.value, Value::List(_)) {
        return None;
    }
    let string = |node: &Node, key: &str| node.get(key).and_then(|node| node.value.scalar());
    let entries = list.items().iter().map(|node| Entry {
        resource: string(node, "resource").unwrap_or_default(),
        method: string(node, "method"),
        names: node.get("names").map_or(&[][..], Node::items).iter().filter_map(|name| name.value.scalar()).collect(),
        key_base: string(node, "etcdKeyBase"),
    });
    Some((map, entries.collect(), citation))
}

fn exists(side: &Side<'_>, profile: &Profile) -> Vec<Outcome> {
    let Some(provider) = side.provider().filter(|_| !side.is_installed()) else { return Vec::new() };
    let required = match provider.name {
        "VSphere" | "HCS" => true,
        _ => profile.id != "acp-iid-2026-05",
    };
    match (side.import_map(), required) {
        (Some(map), true) => vec![Outcome::new(Pass, map.to_string(), [map.citation()])],
        (Some(map), false) => vec![Outcome::new(
            Warn,
            format!("{map} exists, which {} needs for extra resources only", provider.name),
            [map.citation()],
        )],
        (None, true) => {
            let near: Vec<Thing<'_>> = side
                .all("configmaps")
                .into_iter()
                .filter(|map| map.name().ends_with("import-extra-resources"))
                .collect();
            if let Some(near) = near.first() {
                return vec![Outcome::new(
                    Fail,
                    format!("{near} exists; the name must be `dcs-import-extra-resources` for every provider"),
                    [near.citation()],
                )];
            }
            match side.lacks("configmaps", "dcs-import-extra-resources") {
                Some(proof) => vec![Outcome::new(Fail, "there is no ConfigMap `dcs-import-extra-resources`", proof)],
                None => vec![Outcome::unknown("the ConfigMap `dcs-import-extra-resources` was not collected")],
            }
        }
        (None, false) => Vec::new(),
    }
}

fn readable(side: &Side<'_>, _: &Profile) -> Vec<Outcome> {
    let Some(map) = side.import_map() else { return Vec::new() };
    if let Some((_, entries, citation)) = entries(side) {
        return vec![Outcome::new(Pass, format!("{map} lists {} resources", entries.len()), [citation])];
    }
    let keys = map.keys("data");
    if keys.is_empty() {
        return vec![Outcome::unknown(format!("data of {map} is not shown"))];
    }
    if keys.contains(&"resources.yaml") {
        return vec![Outcome::new(
            Fail,
            format!("`resources.yaml` of {map} holds no list `resources`"),
            [map.citation()],
        )];
    }
    vec![Outcome::new(Fail, format!("{map} has the keys {}, not `resources.yaml`", keys.join(", ")), [map.citation()])]
}

/// Runs a check over every entry.
fn each(side: &Side<'_>, check: impl Fn(&Entry) -> Option<String>, right: &str) -> Vec<Outcome> {
    let Some((_, entries, citation)) = entries(side) else { return Vec::new() };
    let wrong: Vec<String> = entries.iter().filter_map(check).collect();
    if wrong.is_empty() {
        return vec![Outcome::new(Pass, right, [citation])];
    }
    wrong.into_iter().map(|told| Outcome::new(Fail, told, [citation.clone()])).collect()
}

fn entries_sound(side: &Side<'_>, _: &Profile) -> Vec<Outcome> {
    let check = |entry: &Entry| match entry.method.as_deref() {
        _ if entry.resource.is_empty() => Some("an entry names no resource".to_owned()),
        Some("kubectl") => None,
        Some("etcdctl") if entry.key_base.is_none() => {
            Some(format!("the entry {} uses etcdctl and has no etcdKeyBase", entry.resource))
        }
        Some("etcdctl") => None,
        Some(other) => {
            Some(format!("the entry {} has the method `{other}`, which is neither etcdctl nor kubectl", entry.resource))
        }
        None => Some(format!("the entry {} has no method", entry.resource)),
    };
    each(side, check, "each entry has a resource and a method")
}

fn key_base(side: &Side<'_>, _: &Profile) -> Vec<Outcome> {
    let check = |entry: &Entry| {
        let base = entry.key_base.as_deref()?;
        let wanted = match entry.resource.split_once('.') {
            Some((plural, group)) => format!("/registry/{group}/{plural}/{NAMESPACE}/"),
            None => format!("/registry/{}/{NAMESPACE}/", entry.resource),
        };
        (base != wanted).then(|| format!("etcdKeyBase of {} is `{base}`, not `{wanted}`", entry.resource))
    };
    each(side, check, "each etcdKeyBase leads to cpaas-system")
}

fn secrets_by_kubectl(side: &Side<'_>, _: &Profile) -> Vec<Outcome> {
    let check = |entry: &Entry| {
        let wrong = entry.resource == "secrets" && entry.method.as_deref() == Some("etcdctl");
        wrong.then(|| "secrets are copied with etcdctl; what is encrypted with another key cannot be read".to_owned())
    };
    each(side, check, "secrets are copied with kubectl")
}

/// The name of the Secret with the credentials that the infrastructure cluster names.
fn credentials(side: &Side<'_>) -> Option<(String, Citation)> {
    let field = side.infrastructure()?.any(&["spec.identityRef.name", "spec.credentialSecretRef.name"]);
    Some((field.text()?, field.citation()?))
}

fn entries_complete(side: &Side<'_>, profile: &Profile) -> Vec<Outcome> {
    let (Some(provider), Some((map, entries, citation))) = (side.provider(), entries(side)) else { return Vec::new() };
    let wanted: &[&str] = match provider.name {
        "VSphere" => &[
            "vsphereclusters",
            "vspheremachinetemplates",
            "vspheremachines",
            "vspherevms",
            "vspheremachineconfigpools",
        ],
        "HCS" => &["hcsclusters", "hcsmachinetemplates", "hcsmachineconfigpools", "hcsmachines"],
        _ => &[],
    };
    let secrets = provider.name != "DCS" || profile.id != "acp-iid-2026-05";
    let mut missing: Vec<String> = wanted
        .iter()
        .map(|plural| format!("{plural}.infrastructure.cluster.x-k8s.io"))
        .filter(|resource| !entries.iter().any(|entry| entry.resource == *resource))
        .collect();
    if secrets && !entries.iter().any(|entry| entry.resource == "secrets") {
        missing.push("secrets".to_owned());
    }
    let cluster = wanted.first().map(|plural| format!("{plural}.infrastructure.cluster.x-k8s.io"));
    let unnamed = entries.iter().find(|entry| {
        Some(&entry.resource) == cluster.as_ref()
            && !entry.names.is_empty()
            && !entry.names.iter().any(|name| name == "global")
    });
    let mut outcomes = Vec::new();
    if !missing.is_empty() {
        outcomes.push(Outcome::new(Fail, format!("{map} lacks {}", missing.join(", ")), [citation.clone()]));
    }
    if let Some(entry) = unnamed {
        outcomes.push(Outcome::new(
            Fail,
            format!("the entry {} does not name `global`", entry.resource),
            [citation.clone()],
        ));
    }
    if outcomes.is_empty() {
        outcomes.push(Outcome::new(Pass, format!("{map} has every entry"), [citation]));
    }
    outcomes
}

fn secret_name(side: &Side<'_>, _: &Profile) -> Vec<Outcome> {
    let (Some((_, entries, citation)), Some((wanted, at))) = (entries(side), credentials(side)) else {
        return Vec::new();
    };
    let Some(entry) = entries.iter().find(|entry| entry.resource == "secrets") else { return Vec::new() };
    if entry.names.contains(&wanted) {
        return vec![Outcome::new(Pass, format!("the Secret `{wanted}` is imported"), [citation, at])];
    }
    let told =
        format!("the Secrets {} are imported, and the infrastructure cluster uses `{wanted}`", entry.names.join(", "));
    vec![Outcome::new(Fail, told, [citation, at])]
}
