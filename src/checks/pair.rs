//! Group C: what the primary and the standby cluster of a pair must agree on, and where they must differ.
//!
//! The two sides are the contexts named `primary` and `standby` (`--as primary,standby`). Keys are compared
//! by their masks and never shown.

use crate::State::{Fail, Pass, Warn};
use crate::outcome::{Outcome, State, texts, valued};
use crate::plane::ETCD_NAMES;
use crate::side::Side;
use crate::thing::Field;
use crate::{Profile, imports, names};
use facts::mask::Form;
use facts::node::Value;
use facts::origin::Citation;
use std::collections::BTreeSet;
use std::net::IpAddr;

/// What decides a check for a pair.
pub(super) type PairLogic = fn(&Pair<'_>, &Profile) -> Vec<Outcome>;

pub(super) const LOGIC: [(&str, PairLogic); 12] = [
    ("C04", certificate_names),
    ("C06", addresses),
    ("C07", bootstrap_hosts),
    ("C08", platform_host),
    ("C09", import_maps),
    ("C10", folders),
    ("C11", versions),
    ("C12", prefixes),
    ("C13", sync_placement),
    ("C14", sync_address),
    ("C15", sync_token),
    ("C16", sync_settings),
];

/// A primary and a standby cluster.
pub(super) struct Pair<'f> {
    pub primary: Side<'f>,
    pub standby: Side<'f>,
}

impl<'f> Pair<'f> {
    /// Both sides with their names.
    pub fn sides(&self) -> [(&'static str, &Side<'f>); 2] {
        [("primary", &self.primary), ("standby", &self.standby)]
    }

    /// The names that the certificates of etcd must have on both sides, with what they are.
    pub(crate) fn wanted_names(&self, profile: &Profile) -> Vec<(&'static str, String)> {
        let wanted = [
            self.primary.vip().map(|(text, _)| ("the address of the primary", text)),
            self.standby.vip().map(|(text, _)| ("the address of the standby", text)),
            self.primary.platform_host().map(|(text, _)| ("the address of the platform", text)),
            (!profile.is_first()).then(|| ("the name of the Service", "etcd.kube-system".to_owned())),
        ];
        wanted.into_iter().flatten().collect()
    }

    /// A text of each side with its place; nothing unless both are known.
    pub fn both(&self, get: impl Fn(&Side<'f>) -> Option<(String, Citation)>) -> Option<[(String, Citation); 2]> {
        Some([get(&self.primary)?, get(&self.standby)?])
    }
}

/// Two texts that must be equal, or must differ.
pub(super) fn compare(what: &str, both: Option<[(String, Citation); 2]>, equal: bool, worst: State) -> Vec<Outcome> {
    let Some([(a, at), (b, other)]) = both else {
        return vec![Outcome::unknown(format!("{what} is not known on both sides"))];
    };
    let right = (a == b) == equal;
    let told = match (a == b, right) {
        (true, true) => format!("{what} is `{a}` on both sides"),
        (true, false) => format!("{what} is `{a}` on both sides, and must differ"),
        (false, true) => format!("{what} is `{a}` on the primary and `{b}` on the standby"),
        (false, false) => format!("{what} is `{a}` on the primary and `{b}` on the standby, and must be equal"),
    };
    vec![Outcome::new(if right { Pass } else { worst }, told, [at, other])]
}

/// The texts of a list, in order of their names.
fn names_of(field: &Field<'_>) -> BTreeSet<String> {
    texts(field).into_iter().collect()
}

fn certificate_names(pair: &Pair<'_>, profile: &Profile) -> Vec<Outcome> {
    let mut found = Vec::new();
    for (name, side) in pair.sides() {
        let field = side.control_plane().map(|plane| plane.field(ETCD_NAMES));
        match field.and_then(|field| Some((names_of(&field), field.citation()?))) {
            Some((names, citation)) => found.push((name, names, citation)),
            None => return vec![Outcome::unknown(format!("serverCertSANs of the {name} are not known"))],
        }
    }
    let mut outcomes = Vec::new();
    let wanted = pair.wanted_names(profile);
    for (name, names, citation) in &found {
        for (what, text) in &wanted {
            if !names.contains(text) {
                outcomes.push(Outcome::new(
                    Fail,
                    format!("serverCertSANs of the {name} lack {what}, {text}"),
                    [citation.clone()],
                ));
            }
        }
    }
    if let [(_, a, at), (_, b, other)] = found.as_slice() {
        let state = if a == b { Pass } else { Fail };
        let different: Vec<&str> = a.symmetric_difference(b).map(String::as_str).collect();
        let told = if a == b {
            "serverCertSANs are equal on both sides".to_owned()
        } else {
            format!("serverCertSANs differ in {}", different.join(", "))
        };
        outcomes.push(Outcome::new(state, told, [at.clone(), other.clone()]));
    }
    outcomes
}

fn addresses(pair: &Pair<'_>, _: &Profile) -> Vec<Outcome> {
    let mut outcomes = compare("the address of the control plane", pair.both(Side::vip), false, Fail);
    for (name, side) in pair.sides() {
        let Some((vip, at)) = side.vip() else { continue };
        if let Some(field) = side.request_field("cluster.features.ha.vip")
            && let Some((text, citation)) = valued(&field)
            && text != vip
        {
            outcomes.push(Outcome::new(
                Fail,
                format!("features.ha.vip of the {name} is {text}, its control plane has {vip}"),
                [citation, at.clone()],
            ));
        }
        if let Some(field) = side.request_field("console.host") {
            for text in names_of(&field).iter().filter(|text| text.parse::<IpAddr>().is_ok() && **text != vip) {
                outcomes.push(Outcome::new(
                    Fail,
                    format!("console.host of the {name} has {text}, its control plane has {vip}"),
                    field.citation().into_iter().chain([at.clone()]),
                ));
            }
        }
    }
    outcomes
}

fn bootstrap_hosts(pair: &Pair<'_>, _: &Profile) -> Vec<Outcome> {
    let host = |side: &Side<'_>| side.request_field("hostIP").and_then(|field| valued(&field));
    let registry =
        |side: &Side<'_>| side.cluster().and_then(|cluster| valued(&cluster.annotation("cpaas.io/registry-address")));
    let mut outcomes = compare("hostIP", pair.both(host), false, Fail);
    // Once the platform is installed, the registry is its own, and may have one name on both sides.
    if !pair.sides().iter().any(|(_, side)| side.is_installed()) {
        outcomes.extend(compare("`cpaas.io/registry-address`", pair.both(registry), false, Fail));
    }
    outcomes
}

fn platform_host(pair: &Pair<'_>, _: &Profile) -> Vec<Outcome> {
    let mut outcomes = compare("the address of the platform", pair.both(Side::platform_host), true, Fail);
    if let Some((text, citation)) = pair.primary.platform_host()
        && text.parse::<IpAddr>().is_ok()
    {
        outcomes.push(Outcome::new(
            Fail,
            format!("the address of the platform is {text}; a failover needs a DNS name"),
            [citation],
        ));
    }
    outcomes
}

fn import_maps(pair: &Pair<'_>, _: &Profile) -> Vec<Outcome> {
    let mut found = Vec::new();
    for (name, side) in pair.sides() {
        match imports::entries(side) {
            Some((_, entries, citation)) => found.push((entries, citation)),
            None => match side.lacks("configmaps", "dcs-import-extra-resources") {
                Some(proof) => {
                    return vec![Outcome::new(
                        Fail,
                        format!("the {name} has no ConfigMap `dcs-import-extra-resources`"),
                        proof,
                    )];
                }
                None => {
                    return vec![Outcome::unknown(format!(
                        "the ConfigMap `dcs-import-extra-resources` of the {name} was not collected"
                    ))];
                }
            },
        }
    }
    let [(a, at), (b, other)] = found.as_slice() else { return Vec::new() };
    let shape = |entries: &[imports::Entry]| -> BTreeSet<imports::Entry> {
        entries.iter().cloned().map(imports::Entry::without_own_names).collect()
    };
    let (a, b) = (shape(a), shape(b));
    let different: BTreeSet<&str> = a.symmetric_difference(&b).map(|entry| entry.resource.as_str()).collect();
    let different: Vec<&str> = different.into_iter().collect();
    let citations = [at.clone(), other.clone()];
    if different.is_empty() {
        return vec![Outcome::new(Pass, "both sides import the same", citations)];
    }
    vec![Outcome::new(Fail, format!("the two sides import {} differently", different.join(", ")), citations)]
}

fn folders(pair: &Pair<'_>, _: &Profile) -> Vec<Outcome> {
    if pair.primary.provider().is_none_or(|provider| provider.name != "VSphere") {
        return Vec::new();
    }
    let folder = |side: &Side<'_>| {
        side.templates().first().and_then(|template| valued(&template.field("spec.template.spec.folder")))
    };
    compare("the folder of the machines", pair.both(folder), false, Fail)
}

fn versions(pair: &Pair<'_>, _: &Profile) -> Vec<Outcome> {
    let version = |side: &Side<'_>| side.control_plane().and_then(|plane| valued(&plane.field("spec.version")));
    let chart = |side: &Side<'_>| {
        side.release().and_then(|release| valued(&release.field("spec.source.charts[0].targetRevision")))
    };
    let mut outcomes = compare("the Kubernetes version", pair.both(version), true, Warn);
    outcomes.extend(compare("the version of the provider's chart", pair.both(chart), true, Warn));
    outcomes
}

fn prefixes(pair: &Pair<'_>, profile: &Profile) -> Vec<Outcome> {
    let told = |(name, side): (&str, &Side<'_>)| {
        let outcomes = names::prefix(side, profile).into_iter().chain(names::cluster_name(side, profile));
        outcomes
            .map(|mut outcome| {
                outcome.sentence = format!("{}, on the {name}", outcome.sentence);
                outcome
            })
            .collect::<Vec<_>>()
    };
    pair.sides().into_iter().flat_map(told).collect()
}

fn sync_placement(pair: &Pair<'_>, _: &Profile) -> Vec<Outcome> {
    let mut outcomes = Vec::new();
    if let Some(thing) = pair.primary.sync() {
        outcomes.push(Outcome::new(
            Fail,
            format!("etcd-sync runs on the primary ({thing}); it belongs on the standby alone"),
            [thing.citation()],
        ));
    }
    match pair.standby.sync() {
        Some(thing) => {
            outcomes.push(Outcome::new(Pass, format!("etcd-sync runs on the standby ({thing})"), [thing.citation()]))
        }
        None => match pair.standby.lacks("moduleinfoes.cluster.alauda.io", "etcd-sync") {
            Some(proof) => outcomes.push(Outcome::new(Fail, "etcd-sync does not run on the standby", proof)),
            None => outcomes.push(Outcome::unknown("ModuleInfos of the standby were not listed whole")),
        },
    }
    outcomes
}

fn no_sync() -> Vec<Outcome> {
    vec![Outcome::unknown("the ModuleInfo of etcd-sync on the standby was not collected")]
}

fn sync_address(pair: &Pair<'_>, _: &Profile) -> Vec<Outcome> {
    let Some(thing) = pair.standby.sync() else { return no_sync() };
    let Some((text, citation)) = valued(&thing.field("spec.config.active_cluster_vip")) else {
        return vec![Outcome::unknown("active_cluster_vip is not shown")];
    };
    let (Some((primary, at)), standby) = (pair.primary.vip(), pair.standby.vip()) else {
        return vec![Outcome::unknown("the address of the primary is not known")];
    };
    let why = match standby {
        Some((own, _)) if own == text => "; that is the standby itself, and the active cluster is the other one",
        _ => "",
    };
    let state = if text == primary { Pass } else { Fail };
    vec![Outcome::new(
        state,
        format!("active_cluster_vip is {text}, the address of the primary is {primary}{why}"),
        [citation, at],
    )]
}

fn sync_token(pair: &Pair<'_>, _: &Profile) -> Vec<Outcome> {
    let Some(thing) = pair.standby.sync() else { return no_sync() };
    match thing.mask(&["spec", "config", "active_cluster_token"]).map(|mask| mask.form) {
        Some(Form::Base64 { token: true, .. }) => {
            vec![Outcome::new(Pass, "active_cluster_token is the base64 form of a token", [thing.citation()])]
        }
        Some(Form::Token) => vec![Outcome::new(
            Fail,
            "active_cluster_token is the decoded token; the base64 form of the Secret is wanted",
            [thing.citation()],
        )],
        Some(_) => vec![Outcome::new(Fail, "active_cluster_token does not decode to a token", [thing.citation()])],
        // Later editions keep the token in a Secret of its own.
        None => vec![Outcome::unknown(format!("{thing} has no active_cluster_token"))],
    }
}

fn sync_settings(pair: &Pair<'_>, _: &Profile) -> Vec<Outcome> {
    let Some(thing) = pair.standby.sync() else { return no_sync() };
    let mut outcomes = Vec::new();
    let version = thing.field("spec.version");
    if version.is_empty() {
        outcomes.push(Outcome::new(Fail, format!("spec.version of {thing} is empty"), version.citation()));
    }
    if let Field::Set(node, citation) = thing.field("spec.config.monitor_check_interval")
        && node.value.integer().is_none()
    {
        outcomes.push(Outcome::new(Fail, format!("monitor_check_interval is `{node}`, not a number"), [citation]));
    }
    if let Field::Set(node, citation) = thing.field("spec.config.detail")
        // A form without types prints `true` of a text as of a truth.
        && !matches!(node.value, Value::Bool(_) | Value::Text(_))
    {
        outcomes.push(Outcome::new(Fail, format!("detail is `{node}`, not a boolean"), [citation]));
    }
    if outcomes.is_empty() {
        outcomes.push(Outcome::new(Pass, format!("{thing} has its settings"), [thing.citation()]));
    }
    outcomes
}
