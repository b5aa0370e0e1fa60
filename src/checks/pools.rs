//! Group B: what pools and Secrets hold.

use crate::Profile;
use crate::State::{Fail, Pass, Warn};
use crate::networks::pool_addresses;
use crate::outcome::Outcome;
use crate::rule::{Need, Rule, rule};
use crate::side::{CONTROL_PLANE_TEMPLATE, POOL_REFERENCES, Side};
use crate::thing::Field;
use facts::mask::Form;
use facts::node::Node;
use facts::origin::Citation;
use std::collections::{BTreeMap, BTreeSet};

pub(super) const RULES: [Rule; 3] = [
    rule("B09", &[Need::Provider, Need::Infrastructure], secret_keys),
    rule("B10", &[Need::ControlPlane, Need::Templates, Need::Pools], pool_size),
    rule("B11", &[Need::Pools], pool_entries),
];

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
