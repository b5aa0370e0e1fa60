//! Networks and addresses: CIDR blocks that must not overlap, an address that must be free.

use crate::Profile;
use crate::State::{Fail, Pass, Warn};
use crate::outcome::{Outcome, State};
use crate::rule::{Need, Rule, rule};
use crate::side::Side;
use crate::thing::Field;
use facts::node::Node;
use facts::origin::Citation;
use ipnet::IpNet;
use std::net::IpAddr;

pub(super) const RULES: [Rule; 2] = [
    rule("D21", &[Need::Cluster], overlap),
    rule("D22", &[Need::Provider, Need::Cluster, Need::Request], networks_of_request),
];

/// The network of the bootstrap host's container engine.
/// Source: alauda/immutable-infra-docs:docs/en/install/global@92a8c6e, the gateway 172.18.0.1.
const BOOTSTRAP: &str = "172.18.0.0/16";

/// A network with what it is for.
struct Named {
    what: String,
    network: IpNet,
    citation: Citation,
}

/// The networks that the Cluster states, and texts that are none.
fn stated(side: &Side<'_>) -> (Vec<Named>, Vec<Outcome>) {
    let Some(cluster) = side.cluster() else { return (Vec::new(), Vec::new()) };
    let mut networks = Vec::new();
    let mut wrong = Vec::new();
    let mut add = |what: &str, text: &str, citation: &Citation| match text.parse::<IpNet>() {
        Ok(network) => {
            networks.push(Named { what: what.to_owned(), network: network.trunc(), citation: citation.clone() });
        }
        Err(_) => {
            wrong.push(Outcome::new(Fail, format!("the {what} network `{text}` is no CIDR block"), [citation.clone()]))
        }
    };
    for (what, path) in
        [("pod", "spec.clusterNetwork.pods.cidrBlocks"), ("service", "spec.clusterNetwork.services.cidrBlocks")]
    {
        if let Field::Set(node, citation) = cluster.field(path) {
            for text in node.items().iter().filter_map(Node::as_str) {
                add(what, text, &citation);
            }
        }
    }
    if let (Some(text), Some(citation)) = {
        let join = cluster.annotation("cpaas.io/kube-ovn-join-cidr");
        (join.text(), join.citation())
    } {
        add("kube-ovn join", &text, &citation);
    }
    (networks, wrong)
}

/// Do any two of the networks share an address?
fn overlap(side: &Side<'_>, _: &Profile) -> Vec<Outcome> {
    let (networks, mut outcomes) = stated(side);
    for (index, a) in networks.iter().enumerate() {
        for b in &networks[..index] {
            if shares(&a.network, &b.network) {
                let told =
                    format!("the {} network {} and the {} network {} overlap", b.what, b.network, a.what, a.network);
                outcomes.push(Outcome::new(Fail, told, [b.citation.clone(), a.citation.clone()]));
            }
        }
        if BOOTSTRAP.parse().is_ok_and(|bootstrap: IpNet| shares(&bootstrap, &a.network)) {
            let told = format!(
                "the {} network {} overlaps {BOOTSTRAP}, the network of the bootstrap host's containers",
                a.what, a.network
            );
            outcomes.push(Outcome::new(Warn, told, [a.citation.clone()]));
        }
        for (address, what, citation) in addresses(side) {
            if a.network.contains(&address) {
                let told = format!("{what} {address} lies in the {} network {}", a.what, a.network);
                outcomes.push(Outcome::new(Fail, told, [citation, a.citation.clone()]));
            }
        }
    }
    if outcomes.is_empty() && networks.len() > 1 {
        let told: Vec<String> = networks.iter().map(|named| format!("{} {}", named.what, named.network)).collect();
        outcomes.push(Outcome::new(
            Pass,
            format!("no overlap: {}", told.join(", ")),
            networks.into_iter().map(|n| n.citation),
        ));
    }
    outcomes
}

fn networks_of_request(side: &Side<'_>, _: &Profile) -> Vec<Outcome> {
    if !(side.is("DCS") || side.is("ProviderBaremetal")) {
        return Vec::new();
    }
    let Some(cluster) = side.cluster() else { return Vec::new() };
    let pairs = [
        ("cluster.clusterCIDR", "spec.clusterNetwork.pods.cidrBlocks[0]"),
        ("cluster.serviceCIDR", "spec.clusterNetwork.services.cidrBlocks[0]"),
    ];
    let mut outcomes = Vec::new();
    for (path, own) in pairs {
        let (Some(theirs), own) = (side.request_field(path), cluster.field(own)) else { continue };
        if let (Some(a), Some(b), Some(at)) = (theirs.text(), own.text(), theirs.citation()) {
            outcomes.push(Outcome::new(
                State::of(a == b),
                format!("{path} of the installer request is {a}, the Cluster says {b}"),
                [at].into_iter().chain(own.citation()),
            ));
        }
    }
    outcomes
}

fn shares(a: &IpNet, b: &IpNet) -> bool {
    a.contains(&b.network()) || b.contains(&a.network())
}

/// Addresses outside of every cluster network: that of the control plane and of the Nodes.
fn addresses(side: &Side<'_>) -> Vec<(IpAddr, String, Citation)> {
    let vip = side
        .vip()
        .and_then(|(text, citation)| Some((text.parse().ok()?, "the control plane address".to_owned(), citation)));
    vip.into_iter()
        .chain(
            pool_addresses(side)
                .into_iter()
                .map(|(ip, pool, citation)| (ip, format!("the Node address of pool `{pool}`"), citation)),
        )
        .collect()
}

/// The addresses that pools give to Nodes.
pub(super) fn pool_addresses(side: &Side<'_>) -> Vec<(IpAddr, String, Citation)> {
    let mut found = Vec::new();
    for pool in side.pools() {
        for path in ["spec.pool", "spec.configs"] {
            let Field::Set(node, citation) = pool.field(path) else { continue };
            for entry in node.items() {
                let own = entry.get("ip").and_then(Node::as_str);
                let networks = entry.get("networks").map_or(&[][..], Node::items);
                let named =
                    networks.iter().filter_map(|n| n.get("ipAddress").or_else(|| n.get("ip"))).filter_map(Node::as_str);
                for text in own.into_iter().chain(named) {
                    let bare = text.split('/').next().unwrap_or(text);
                    if let Ok(address) = bare.parse() {
                        let mut citation = citation.clone();
                        if entry.line > 0 {
                            citation.line = entry.line;
                        }
                        found.push((address, pool.name().to_owned(), citation));
                    }
                }
            }
        }
    }
    found
}

/// Is a text one of the addresses by which only the bootstrap host reaches itself?
pub(super) fn is_bootstrap_only(host: &str) -> bool {
    matches!(host, "localhost" | "172.18.0.1") || host.parse::<IpAddr>().is_ok_and(|address| address.is_loopback())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn networks_that_share_an_address() {
        let net = |text: &str| text.parse::<IpNet>().unwrap();
        assert!(shares(&net("100.3.0.0/16"), &net("100.3.128.0/17")));
        assert!(shares(&net("100.3.128.0/17"), &net("100.3.0.0/16")));
        assert!(!shares(&net("100.3.0.0/16"), &net("100.4.0.0/16")));
        assert!(!shares(&net("fd00::/8"), &net("10.0.0.0/8")));
    }

    #[test]
    fn addresses_of_the_bootstrap_host_alone() {
        for host in ["localhost", "127.0.0.1", "172.18.0.1", "::1"] {
            assert!(is_bootstrap_only(host), "{host}");
        }
        assert!(!is_bootstrap_only("10.30.0.5") && !is_bootstrap_only("registry.example.test"));
    }
}
