//! D21: CIDR blocks that must not overlap.

use crate::checklist::Profile;
use crate::installation::Installation;
use crate::outcome::{Found, Outcome, fail, pass, warn};
use crate::pools;
use facts::node::Node;
use facts::origin::Citation;
use ipnet::IpNet;
use std::net::IpAddr;

/// The network of the bootstrap host's container engine.
const BOOTSTRAP: &str = "172.18.0.0/16";
/// The annotation with the network between Nodes and Pods.
const JOIN: &str = "cpaas.io/kube-ovn-join-cidr";

/// A network with what it is for.
struct Named {
    what: &'static str,
    network: IpNet,
    citation: Citation,
}

/// The networks that the Cluster states, and texts that are none.
fn stated(here: &Installation<'_>) -> (Vec<Named>, Vec<Outcome>) {
    let Some(cluster) = here.one("cluster") else { return (Vec::new(), Vec::new()) };
    let (mut networks, mut wrong) = (Vec::new(), Vec::new());
    let mut add = |what, text: &str, citation: Citation| match text.parse::<IpNet>() {
        Ok(network) => networks.push(Named { what, network: network.trunc(), citation }),
        Err(_) => wrong.push(fail(format!("the {what} network `{text}` is no CIDR block"), [citation])),
    };
    for (what, path) in
        [("pod", "spec.clusterNetwork.pods.cidrBlocks"), ("service", "spec.clusterNetwork.services.cidrBlocks")]
    {
        if let Some((node, citation)) = cluster.field(path).set() {
            node.items().iter().filter_map(Node::as_str).for_each(|text| add(what, text, citation.clone()));
        }
    }
    let join = cluster.annotation(JOIN);
    if let (Some(text), Some(citation)) = (join.text(), join.citation()) {
        add("kube-ovn join", &text, citation);
    }
    (networks, wrong)
}

/// D21: no two networks share an address, and no Node or control plane has one of theirs.
pub(super) fn overlap(here: &Installation<'_>, _: &Profile) -> Found {
    let (networks, mut found) = stated(here);
    for (index, Named { what, network, citation }) in networks.iter().enumerate() {
        for other in networks.iter().take(index).filter(|other| shares(&other.network, network)) {
            let told = format!("the {} network {} and the {what} network {network} overlap", other.what, other.network);
            found.push(fail(told, [other.citation.clone(), citation.clone()]));
        }
        if BOOTSTRAP.parse().is_ok_and(|bootstrap: IpNet| shares(&bootstrap, network)) {
            let whose = "the network of the bootstrap host's containers";
            found.push(warn(format!("the {what} network {network} overlaps {BOOTSTRAP}, {whose}"), [citation.clone()]));
        }
        for (address, whose, at) in outside(here).into_iter().filter(|(address, ..)| network.contains(address)) {
            let told = format!("{whose} {address} lies in the {what} network {network}");
            found.push(fail(told, [at, citation.clone()]));
        }
    }
    if found.is_empty() && networks.len() > 1 {
        let told: Vec<String> = networks.iter().map(|named| format!("{} {}", named.what, named.network)).collect();
        let told = format!("no overlap: {}", told.join(", "));
        found.push(pass(told, networks.into_iter().map(|named| named.citation)));
    }
    found
}

fn shares(a: &IpNet, b: &IpNet) -> bool {
    a.contains(&b.network()) || b.contains(&a.network())
}

/// Addresses outside of every cluster network: that of the control plane and those of the Nodes.
fn outside(here: &Installation<'_>) -> Vec<(IpAddr, String, Citation)> {
    let vip = here.value("vip").and_then(|(text, citation)| Some((text.parse().ok()?, citation)));
    let vip = vip.map(|(address, citation)| (address, "the control plane address".to_owned(), citation));
    let pools = pools::addresses(here).into_iter();
    let pools = pools.map(|(address, pool, at)| (address, format!("the Node address of pool `{pool}`"), at));
    vip.into_iter().chain(pools).collect()
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
}
