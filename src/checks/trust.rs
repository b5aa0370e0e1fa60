//! Group C: what the two sides of a pair trust: the names in the certificates that etcd really serves, and,
//! on bare metal, the keys of service accounts and the hand-over of machines.

use crate::Profile;
use crate::State;
use crate::State::{Fail, Pass};
use crate::outcome::{Outcome, texts, valued};
use crate::pair::{Pair, PairLogic, compare};
use crate::plane::ETCD_NAMES;
use crate::side::Side;
use crate::thing::Thing;
use facts::node::{Node, Value};
use facts::origin::Citation;

pub(super) const LOGIC: [(&str, PairLogic); 2] = [("C05", served_names), ("C19", bare_metal)];

/// The certificate that etcd serves, as a text of it shows it.
fn certificate<'f>(side: &Side<'f>) -> Option<Thing<'f>> {
    let all = side.all("certificates.casefile.dev").into_iter();
    let file = |thing: &Thing<'_>| thing.field("spec.file").text().unwrap_or_else(|| thing.name().to_owned());
    let mut etcd = all.filter(|thing| file(thing).contains("etcd") && file(thing).contains("server"));
    etcd.find(|thing| thing.field("spec.sans").node().is_some())
}

fn served_names(pair: &Pair<'_>, profile: &Profile) -> Vec<Outcome> {
    let wanted = pair.wanted_names(profile);
    let mut outcomes = Vec::new();
    for (name, side) in pair.sides() {
        let Some(certificate) = certificate(side) else {
            outcomes.push(Outcome::unknown(format!("the certificate of etcd on the {name} was not collected")));
            continue;
        };
        let sans = certificate.field("spec.sans");
        let (served, citation) = (texts(&sans), sans.citation());
        let stated = side.control_plane().map(|plane| texts(&plane.field(ETCD_NAMES))).unwrap_or_default();
        let lacking: Vec<&(&str, String)> = wanted.iter().filter(|(_, text)| !served.contains(text)).collect();
        for (what, text) in &lacking {
            let why = match stated.contains(text) {
                true => "; the KubeadmControlPlane has it, so the certificate is older than the change",
                false => "",
            };
            let told = format!("the certificate of etcd on the {name} lacks {what}, {text}{why}");
            outcomes.push(Outcome::new(Fail, told, citation.clone()));
        }
        if lacking.is_empty() {
            let told = format!("the certificate of etcd on the {name} has {}", served.join(", "));
            outcomes.push(Outcome::new(Pass, told, citation));
        }
    }
    outcomes
}

/// A text under the last of several keys, wherever the map that holds the first of them stands.
fn below<'n>(node: &'n Node, keys: &[&str]) -> Option<&'n Node> {
    if let Some(found) = node.at(keys) {
        return Some(found);
    }
    match &node.value {
        Value::Map(entries) => entries.iter().find_map(|(_, child)| below(child, keys)),
        _ => None,
    }
}

/// A value of the AppRelease of the provider.
fn value(side: &Side<'_>, keys: &[&str]) -> Option<(String, Citation)> {
    let values = side.release()?.field("spec.values");
    let (node, mut citation) = (below(values.node()?, keys)?, values.citation()?);
    if node.line > 0 {
        citation.line = node.line;
    }
    Some((node.value.scalar()?, citation))
}

fn bare_metal(pair: &Pair<'_>, profile: &Profile) -> Vec<Outcome> {
    if profile.is_first() || !pair.primary.is("ProviderBaremetal") && !pair.standby.is("ProviderBaremetal") {
        return Vec::new();
    }
    let mut outcomes = Vec::new();
    for key in ["service-account-issuer", "api-audiences"] {
        let path = format!("spec.kubeadmConfigSpec.clusterConfiguration.apiServer.extraArgs[\"{key}\"]");
        let of = |side: &Side<'_>| side.control_plane().and_then(|plane| valued(&plane.field(&path)));
        outcomes.extend(compare(key, pair.both(of), true, Fail));
    }
    let keys = pair.sides().map(|(_, side)| side.named("secrets", "global-sa"));
    if let [Some(a), Some(b)] = keys
        && let (Some(x), Some(y)) = (a.mask(&["data", "tls.key"]), b.mask(&["data", "tls.key"]))
    {
        let same = x.same_secret(y);
        let told = if same { "are equal" } else { "differ" };
        let told = format!("the keys that sign tokens of service accounts {told}");
        outcomes.push(Outcome::new(State::of(same), told, [a.citation(), b.citation()]));
    }
    for (name, side) in pair.sides() {
        if let Some((mode, citation)) = value(side, &["elemental", "systemAgent", "authMode"]) {
            let told = format!("elemental.systemAgent.authMode of the {name} is `{mode}`, wanted is `shared`");
            outcomes.push(Outcome::new(State::of(mode == "shared"), told, [citation]));
        }
        if let (Some((address, citation)), Some((vip, at))) =
            (value(side, &["handoffHook", "controlPlaneVIP"]), side.vip())
        {
            let told = format!("handoffHook.controlPlaneVIP of the {name} is {address}, its control plane has {vip}");
            outcomes.push(Outcome::new(State::of(address == vip), told, [citation, at]));
        }
    }
    outcomes
}
