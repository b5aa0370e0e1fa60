//! Group C: what the primary and the standby cluster of a pair must agree on, and where they must differ.
//!
//! The two sides are the contexts named `primary` and `standby` (`--as primary,standby`). Keys are compared
//! by their masks and never shown.

use super::State::{Fail, Pass, Warn};
use super::encryption::{encryption, encryption_file};
use super::outcome::{Outcome, State, texts, valued};
use super::plane::ETCD_NAMES;
use super::side::{Field, Side};
use super::{Profile, bootstrap, imports, names};
use crate::facts::mask;
use crate::facts::mask::Form;
use crate::facts::node::{Node, Value};
use crate::facts::origin::Citation;
use std::collections::BTreeSet;
use std::net::IpAddr;

/// What decides a check for a pair.
pub(super) type PairLogic = fn(&Pair<'_>, &Profile) -> Vec<Outcome>;

pub(super) const LOGIC: [(&str, PairLogic); 15] = [
    ("C01", encryption_equal),
    ("C02", encryption_delivery),
    ("C03", secrets_covered),
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
    pub fn wanted_names(&self, profile: &Profile) -> Vec<(&'static str, String)> {
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

fn encryption_equal(pair: &Pair<'_>, _: &Profile) -> Vec<Outcome> {
    let found = pair.sides().map(|(name, side)| (name, encryption(side)));
    let [(_, Some((a, at))), (_, Some((b, other)))] = &found else {
        let missing: Vec<&str> = found.iter().filter(|(_, found)| found.is_none()).map(|(name, _)| *name).collect();
        return vec![Outcome::unknown(format!(
            "the encryption configuration of the {} was not collected",
            missing.join(" and of the ")
        ))];
    };
    let differences = differences(a, b);
    let citations = [at.clone(), other.clone()];
    if differences.is_empty() {
        return vec![Outcome::new(Pass, "both sides have the same encryption configuration", citations)];
    }
    vec![Outcome::new(Fail, format!("the encryption configurations differ at {}", differences.join(", ")), citations)]
}

/// Where two configurations differ in what they mean: order of rules, providers and keys counts, layout does not.
fn differences(a: &Node, b: &Node) -> Vec<String> {
    let mut found = Vec::new();
    let empty = Vec::new();
    let list = |node: &Node, key: &str| match node.get(key).map(|node| &node.value) {
        Some(Value::List(items)) => items.clone(),
        _ => empty.clone(),
    };
    let rules = [list(a, "resources"), list(b, "resources")];
    if rules[0].len() != rules[1].len() {
        found.push(format!("resources: {} and {} rules", rules[0].len(), rules[1].len()));
    }
    for (index, (x, y)) in rules[0].iter().zip(&rules[1]).enumerate() {
        let path = format!("resources[{index}]");
        let names =
            |node: &Node| list(node, "resources").iter().filter_map(|name| name.value.scalar()).collect::<Vec<_>>();
        if names(x) != names(y) {
            found.push(format!("{path}.resources"));
        }
        let providers = [list(x, "providers"), list(y, "providers")];
        if providers[0].len() != providers[1].len() {
            found.push(format!("{path}.providers: {} and {}", providers[0].len(), providers[1].len()));
        }
        for (at, (x, y)) in providers[0].iter().zip(&providers[1]).enumerate() {
            provider_differences(&format!("{path}.providers[{at}]"), x, y, &mut found);
        }
    }
    found
}

fn provider_differences(path: &str, a: &Node, b: &Node, found: &mut Vec<String>) {
    let (Some((kind, x)), Some((other, y))) = (a.entries().first(), b.entries().first()) else {
        return;
    };
    if kind != other {
        found.push(format!("{path}: {kind} and {other}"));
        return;
    }
    let keys = |node: &Node| node.get("keys").map_or(&[][..], Node::items).to_vec();
    let (x_keys, y_keys) = (keys(x), keys(y));
    if x_keys.len() != y_keys.len() {
        found.push(format!("{path}.{kind}.keys: {} and {}", x_keys.len(), y_keys.len()));
    }
    for (index, (x, y)) in x_keys.iter().zip(&y_keys).enumerate() {
        let name = |node: &Node| node.get("name").and_then(|name| name.value.scalar());
        if name(x) != name(y) {
            found.push(format!("{path}.{kind}.keys[{index}].name"));
        }
        let secret = |node: &Node| node.get("secret").and_then(mask::of_node).cloned();
        match (secret(x), secret(y)) {
            (Some(a), Some(b)) if a.same_secret(&b) => {}
            (Some(_), Some(_)) => found.push(format!("{path}.{kind}.keys[{index}].secret")),
            // Masked by whoever collected it: equal to nothing known, and different from nothing known.
            _ => {}
        }
    }
    if x_keys.is_empty() && !bootstrap::same(x, y) {
        found.push(format!("{path}.{kind}"));
    }
}

fn encryption_delivery(pair: &Pair<'_>, _: &Profile) -> Vec<Outcome> {
    let mut outcomes = Vec::new();
    for (name, side) in pair.sides() {
        let (Some(provider), Some(plane), Some(infrastructure)) =
            (side.provider(), side.control_plane(), side.infrastructure())
        else {
            outcomes.push(Outcome::unknown(format!("the objects of the {name} were not collected")));
            continue;
        };
        let file = encryption_file(&plane);
        let reference = infrastructure.field("spec.encryptionProviderConfigRef.name");
        match provider.name {
            "DCS" | "ProviderBaremetal" => {
                if let Some((_, _, citation)) = &file {
                    outcomes.push(Outcome::new(Fail, format!("the KubeadmControlPlane of the {name} writes the file; {} reads the Secret that the infrastructure cluster names", provider.name), [citation.clone()]));
                }
                outcomes.push(match (&reference, reference.citation()) {
                    (Field::NotSet(_), Some(citation)) => {
                        Outcome::new(Fail, format!("encryptionProviderConfigRef is not set on the {name}"), [citation])
                    }
                    (Field::Set(..), Some(citation)) => {
                        Outcome::new(Pass, format!("encryptionProviderConfigRef is set on the {name}"), [citation])
                    }
                    _ => Outcome::unknown(format!("encryptionProviderConfigRef of the {name} is not shown")),
                });
            }
            _ => match &file {
                Some((file, _, citation)) => {
                    let says = |key: &str| file.get(key).and_then(|node| node.value.scalar());
                    let mut wrong = Vec::new();
                    if says("owner").is_some_and(|owner| owner != "root:root") {
                        wrong.push("its owner is not root:root");
                    }
                    if says("permissions").is_some_and(|mode| mode != "0644") {
                        wrong.push("its permissions are not \"0644\"");
                    }
                    if says("append").as_deref() == Some("true") {
                        wrong.push("it is appended");
                    }
                    let state = if wrong.is_empty() { Pass } else { Fail };
                    let told = if wrong.is_empty() {
                        format!("the {name} writes the file")
                    } else {
                        format!("the {name} writes the file, but {}", wrong.join(", "))
                    };
                    outcomes.push(Outcome::new(state, told, [citation.clone()]));
                }
                None => match plane.field("spec.kubeadmConfigSpec.files") {
                    Field::Unknown => outcomes.push(Outcome::unknown(format!("files of the {name} are not shown"))),
                    field => outcomes.push(Outcome::new(
                        Fail,
                        format!("the KubeadmControlPlane of the {name} writes no encryption configuration"),
                        field.citation(),
                    )),
                },
            },
        }
    }
    outcomes
}

fn secrets_covered(pair: &Pair<'_>, _: &Profile) -> Vec<Outcome> {
    let mut covered = Vec::new();
    for (name, side) in pair.sides() {
        let Some((tree, citation)) = encryption(side) else {
            return vec![Outcome::unknown(format!("the encryption configuration of the {name} was not collected"))];
        };
        let rules = tree.get("resources").map_or(&[][..], Node::items);
        let names: BTreeSet<String> = rules
            .iter()
            .flat_map(|rule| rule.get("resources").map_or(&[][..], Node::items))
            .filter_map(|name| name.value.scalar())
            .collect();
        covered.push((name, names, citation));
    }
    let mut outcomes = Vec::new();
    for (name, names, citation) in &covered {
        let sound = ["secrets", "*.", "*.*"].iter().any(|wanted| names.contains(*wanted));
        let told = if sound {
            format!("the {name} encrypts Secrets")
        } else {
            format!("the encryption configuration of the {name} does not cover `secrets`")
        };
        outcomes.push(Outcome::new(if sound { Pass } else { Fail }, told, [citation.clone()]));
    }
    if let [(_, a, at), (_, b, other)] = covered.as_slice()
        && a != b
    {
        outcomes.push(Outcome::new(Warn, "the two sides encrypt different resources", [at.clone(), other.clone()]));
    }
    outcomes
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
        && !matches!(node.value, Value::Bool(_))
    {
        outcomes.push(Outcome::new(Fail, format!("detail is `{node}`, not a boolean"), [citation]));
    }
    if outcomes.is_empty() {
        outcomes.push(Outcome::new(Pass, format!("{thing} has its settings"), [thing.citation()]));
    }
    outcomes
}

#[cfg(test)]
mod tests {
    use super::*;

    fn masked(text: &str) -> Node {
        let mut node = crate::parse::manifest::trees(text, 1, 50).pop().expect("one document");
        crate::facts::secrets::mask_object(None, &mut node);
        node
    }

    const ONE: &str = "resources:\n- resources: [secrets]\n  providers:\n  - aescbc:\n      keys:\n      - name: key1\n        secret: c2FtcGxlLWtleS1vZi0zMi1ieXRlcy0wMTIzNDU2Nzg=\n";

    #[test]
    fn the_layout_of_a_configuration_does_not_count() {
        let other = "# a comment\nresources: [{providers: [{aescbc: {keys: [{secret: c2FtcGxlLWtleS1vZi0zMi1ieXRlcy0wMTIzNDU2Nzg=, name: key1}]}}], resources: [\"secrets\"]}]\n";
        assert_eq!(differences(&masked(ONE), &masked(other)), Vec::<String>::new());
    }

    #[test]
    fn what_differs_is_named_and_no_key_is_shown() {
        let name = ONE.replace("key1", "key2");
        assert_eq!(differences(&masked(ONE), &masked(&name)), ["resources[0].providers[0].aescbc.keys[0].name"]);
        let key = ONE.replace("MTIzNDU2Nzg=", "OTg3NjU0MzI=");
        assert_eq!(differences(&masked(ONE), &masked(&key)), ["resources[0].providers[0].aescbc.keys[0].secret"]);
        let kind = ONE.replace("aescbc", "aesgcm");
        assert_eq!(differences(&masked(ONE), &masked(&kind)), ["resources[0].providers[0]: aescbc and aesgcm"]);
        let identity = format!("{ONE}  - identity: {{}}\n");
        assert_eq!(differences(&masked(ONE), &masked(&identity)), ["resources[0].providers: 1 and 2"]);
    }
}
