//! Group D, the address of the control plane: one for all objects, and a free one.

use crate::Profile;
use crate::State::{Fail, Pass, Warn};
use crate::networks::pool_addresses;
use crate::outcome::{Outcome, number};
use crate::rule::{Need, Rule, rule};
use crate::side::Side;
use crate::thing::Field;
use facts::origin::Citation;

pub(super) const RULES: [Rule; 2] = [
    rule("D19", &[Need::Provider, Need::Infrastructure], endpoint),
    rule("D20", &[Need::Infrastructure], free_address),
];

fn endpoint(side: &Side<'_>, profile: &Profile) -> Vec<Outcome> {
    let (Some(provider), Some(infrastructure)) = (side.provider(), side.infrastructure()) else { return Vec::new() };
    let mut outcomes = Vec::new();
    let host = |path: &str| {
        let field = infrastructure.field(path);
        Some((field.text().filter(|text| !text.is_empty())?, field.citation()?))
    };
    let paths: &[&str] = match provider.name {
        "DCS" => &["spec.controlPlaneLoadBalancer.host", "spec.controlPlaneEndpoint.host"],
        "VSphere" => &["spec.controlPlaneEndpoint.host"],
        "HCS" => &["spec.controlPlaneLoadBalancer.vipAddress"],
        _ => return Vec::new(),
    };
    let found: Vec<(String, Citation)> = paths.iter().filter_map(|path| host(path)).collect();
    for path in paths {
        if let Field::NotSet(citation) = infrastructure.field(path) {
            outcomes.push(Outcome::new(Fail, format!("{path} of {infrastructure} is not set"), [citation]));
        }
    }
    let cluster = side.cluster().map(|cluster| cluster.field("spec.controlPlaneEndpoint.host"));
    let cluster = cluster.and_then(|field| Some((field.text().filter(|text| !text.is_empty())?, field.citation()?)));
    let all: Vec<(String, Citation)> = found.into_iter().chain(cluster).collect();
    let Some((first, _)) = all.first().cloned() else { return outcomes };
    let citations: Vec<Citation> = all.iter().map(|(_, citation)| citation.clone()).collect();
    if all.iter().any(|(text, _)| *text != first) {
        let told: Vec<&str> = all.iter().map(|(text, _)| text.as_str()).collect();
        outcomes.push(Outcome::new(
            Fail,
            format!("the endpoint of the control plane has different addresses: {}", told.join(", ")),
            citations,
        ));
    } else {
        outcomes.push(Outcome::new(Pass, format!("the endpoint of the control plane is {first}"), citations));
    }
    if let Some((port, citation)) = number(&infrastructure.field("spec.controlPlaneEndpoint.port"))
        && port != 6443
    {
        outcomes.push(Outcome::new(Fail, format!("the port of the control plane is {port}, not 6443"), [citation]));
    }
    let kind = infrastructure.field("spec.controlPlaneLoadBalancer.type");
    if provider.name == "DCS"
        && profile.id != "acp-iid-2026-05"
        && let (Some(text), Some(citation)) = (kind.text(), kind.citation())
        && text != "external"
    {
        outcomes.push(Outcome::new(
            Warn,
            format!("controlPlaneLoadBalancer.type is `{text}`; provider v1.0.21 needs `external`"),
            [citation],
        ));
    }
    outcomes
}

fn free_address(side: &Side<'_>, _: &Profile) -> Vec<Outcome> {
    let Some((vip, citation)) = side.vip() else { return Vec::new() };
    let mut outcomes = Vec::new();
    for (address, pool, at) in pool_addresses(side) {
        if address.to_string() == vip {
            outcomes.push(Outcome::new(
                Fail,
                format!("the control plane address {vip} is also a Node address of pool `{pool}`"),
                [citation.clone(), at],
            ));
        }
    }
    for node in side.all("nodes") {
        let field = node.field("status.addresses[type=InternalIP].address");
        if let (Some(text), Some(at)) = (field.text(), field.citation())
            && text == vip
        {
            outcomes.push(Outcome::new(
                Fail,
                format!("the control plane address {vip} is also the address of {node}"),
                [citation.clone(), at],
            ));
        }
    }
    if let Some(field) = side.request_field("hostIP")
        && let (Some(text), Some(at)) = (field.text(), field.citation())
        && text == vip
    {
        outcomes.push(Outcome::new(
            Fail,
            format!("the control plane address {vip} is also the bootstrap host"),
            [citation.clone(), at],
        ));
    }
    if outcomes.is_empty() {
        return if side.pools().is_empty() {
            vec![Outcome::unknown("no pool with Node addresses was collected")]
        } else {
            vec![Outcome::new(Pass, format!("{vip} is no Node address of a pool"), [citation])]
        };
    }
    outcomes
}
