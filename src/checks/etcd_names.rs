//! D18, C04 and C05: the names in the certificates of etcd, as manifests state them and as etcd serves them.

use crate::checklist::Profile;
use crate::installation::Installation;
use crate::object::Object;
use crate::outcome::{Found, Outcome, State, fail, judge, pass, unknown, warn};
use crate::pair::Pair;
use facts::node::Node;
use facts::object::Lookup;
use std::collections::BTreeSet;
use std::net::Ipv6Addr;

/// Where a KubeadmControlPlane lists the names of its etcd certificates.
pub(super) const ETCD_NAMES: &str = "spec.kubeadmConfigSpec.clusterConfiguration.etcd.local.serverCertSANs";
/// The same for the API server.
const API_NAMES: &str = "spec.kubeadmConfigSpec.clusterConfiguration.apiServer.certSANs";
/// The Service of etcd, which revised editions ask for.
const SERVICE: &str = "etcd.kube-system";

fn names<'f>(field: &Lookup<'f>) -> Vec<&'f str> {
    field.items().iter().filter_map(Node::as_str).collect()
}

/// D18: the etcd certificate covers the address of the control plane and of the platform.
pub(super) fn stated(here: &Installation<'_>, profile: &Profile) -> Found {
    let Some(plane) = here.control_plane() else { return Vec::new() };
    let field = plane.field(ETCD_NAMES);
    let Some(citation) = field.citation() else {
        return vec![unknown(format!("serverCertSANs of {plane} are not shown"))];
    };
    let (own, elsewhere) = (names(&field), plane.field(API_NAMES));
    let (vip, host) = (here.vip().map(|(text, _)| text), here.platform_host().map(|(text, _)| text));
    let of_platform = if profile.revised { State::Warn } else { State::Fail };
    let judge = |(name, what, state): (Option<String>, &str, State)| match name {
        None => unknown(format!("{what} is not known")),
        Some(name) if own.contains(&name.as_str()) => {
            pass(format!("serverCertSANs has {what}, {name}"), [citation.clone()])
        }
        Some(name) => {
            let is_elsewhere = names(&elsewhere).contains(&name.as_str());
            let hint = if is_elsewhere { "; apiServer.certSANs has it, which does not serve etcd" } else { "" };
            let told = format!("serverCertSANs of {plane} lacks {what}, {name}{hint}");
            Outcome::new(state, told, [citation.clone()])
        }
    };
    let wanted =
        [(vip, "the address of the control plane", State::Fail), (host, "the address of the platform", of_platform)];
    let mut found: Found = wanted.into_iter().map(judge).collect();
    if profile.revised && !own.contains(&SERVICE) {
        found.push(warn(format!("serverCertSANs lacks {SERVICE}"), [citation.clone()]));
    }
    let is_address = |name: &&&str| name.contains("://") || name.parse::<Ipv6Addr>().is_err() && name.contains(':');
    let wrong = own.iter().filter(is_address);
    found.extend(
        wrong.map(|name| fail(format!("serverCertSANs has `{name}`, with a scheme or port"), [citation.clone()])),
    );
    found
}

/// The names that the certificates of etcd must have on both sides of a pair, with what they are.
fn wanted(pair: &Pair<'_>, profile: &Profile) -> Vec<(&'static str, String)> {
    let wanted = [
        pair.primary.vip().map(|(text, _)| ("the address of the primary", text)),
        pair.standby.vip().map(|(text, _)| ("the address of the standby", text)),
        pair.primary.platform_host().map(|(text, _)| ("the address of the platform", text)),
        profile.revised.then(|| ("the name of the Service", SERVICE.to_owned())),
    ];
    wanted.into_iter().flatten().collect()
}

/// C04: the etcd certificates of both sides cover both addresses and the platform.
pub(super) fn on_both_sides(pair: &Pair<'_>, profile: &Profile) -> Found {
    let mut stated = Vec::new();
    for (side, here) in pair.sides() {
        let field = here.control_plane().map(|plane| plane.field(ETCD_NAMES));
        match field.and_then(|field| Some((field.texts(), field.citation()?))) {
            Some((names, citation)) => stated.push((side, names.into_iter().collect::<BTreeSet<_>>(), citation)),
            None => return vec![unknown(format!("serverCertSANs of the {side} are not known"))],
        }
    }
    let wanted = wanted(pair, profile);
    let mut found = Vec::new();
    for (side, names, citation) in &stated {
        let lacking = wanted.iter().filter(|(_, text)| !names.contains(text));
        found.extend(
            lacking.map(|(what, text)| {
                fail(format!("serverCertSANs of the {side} lack {what}, {text}"), [citation.clone()])
            }),
        );
    }
    if let [(_, a, at), (_, b, other)] = stated.as_slice() {
        let different: Vec<&str> = a.symmetric_difference(b).map(String::as_str).collect();
        let told = match different.is_empty() {
            true => "serverCertSANs are equal on both sides".to_owned(),
            false => format!("serverCertSANs differ in {}", different.join(", ")),
        };
        found.push(judge(different.is_empty(), told, [at.clone(), other.clone()]));
    }
    found
}

/// The certificate that etcd serves, as a text of it shows it.
fn certificate<'f>(here: &Installation<'f>) -> Option<Object<'f>> {
    let is_of_etcd = |own: &Object<'_>| {
        let file = own.field("spec.file").text().unwrap_or_else(|| own.name().to_owned());
        file.contains("etcd") && file.contains("server") && own.field("spec.sans").node().is_some()
    };
    here.all("certificates.casefile.dev").into_iter().find(is_of_etcd)
}

/// C05: the etcd certificates in use cover both addresses and the platform.
pub(super) fn served(pair: &Pair<'_>, profile: &Profile) -> Found {
    let wanted = wanted(pair, profile);
    let mut found = Vec::new();
    for (side, here) in pair.sides() {
        let Some(certificate) = certificate(here) else {
            found.push(unknown(format!("the certificate of etcd on the {side} was not collected")));
            continue;
        };
        let sans = certificate.field("spec.sans");
        let (served, citation) = (sans.texts(), sans.citation());
        let stated = here.control_plane().map(|plane| plane.field(ETCD_NAMES).texts()).unwrap_or_default();
        let lacking: Vec<_> = wanted.iter().filter(|(_, text)| !served.contains(text)).collect();
        for (what, text) in &lacking {
            let why = match stated.contains(text) {
                true => "; the KubeadmControlPlane has it, so the certificate is older than the change",
                false => "",
            };
            let told = format!("the certificate of etcd on the {side} lacks {what}, {text}{why}");
            found.push(fail(told, citation.clone()));
        }
        if lacking.is_empty() {
            let told = format!("the certificate of etcd on the {side} has {}", served.join(", "));
            found.push(pass(told, citation));
        }
    }
    found
}
