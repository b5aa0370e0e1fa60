//! What people call derived objects, and what those are put together from.
//!
//! Why: nobody collects an `etcdclustermembers.casefile.dev`, so a sentence that says it "was not collected" is
//! not true and sends its reader to look for nothing. It names what can be collected instead.

use super::made_of;
use crate::facts::kind::KindName;

/// Kinds that are spelt out; the others are counted.
const SPELT_OUT: usize = 4;

/// What a kind that is read off the answer of a program is called, and the command that prints it.
pub fn program(kind: &KindName) -> Option<(&'static str, &'static str)> {
    if kind.group != "casefile.dev" {
        return None;
    }
    Some(match kind.plural.as_str() {
        "etcdmembers" => ("member list", "etcdctl member list -w json"),
        "etcdendpointstatuses" => ("endpoint status", "etcdctl endpoint status --cluster -w json"),
        "etcdendpointhealths" => ("endpoint health", "etcdctl endpoint health --cluster -w json"),
        "etcdalarms" => ("alarm list", "etcdctl alarm list"),
        "certificates" => ("dates of certificates", "kubeadm certs check-expiration"),
        _ => return None,
    })
}

/// What one and several objects of a derived kind are called; `None` for other kinds.
pub fn nouns(kind: &KindName) -> Option<(&str, &str)> {
    if kind.group != "casefile.dev" {
        return None;
    }
    Some(match kind.plural.as_str() {
        "etcdclusters" => ("etcd cluster", "etcd clusters"),
        "etcdclustermembers" => ("etcd member", "etcd members"),
        "etcdclienterrors" => ("the errors of clients of etcd", "errors of clients of etcd"),
        "controlplanes" => ("control plane", "control planes"),
        "certificatestates" => ("certificate", "certificates"),
        "workloads" => ("workload", "workloads in trouble"),
        "nodehealths" => ("Node", "Nodes"),
        "podnetworks" => ("Pod network", "Pod networks"),
        "servicebackends" => ("the backends of Service", "Services with backends"),
        "webhookbackends" => ("the backend of webhook", "webhooks with backends"),
        "blockeddrains" => ("disruption budget", "drains that a disruption budget blocks"),
        "controlplanejoins" => ("the Nodes of control plane", "Nodes that joined a control plane later"),
        "machinewaits" => ("the waiting time of Machine", "Machines that wait"),
        "machinecertificates" => ("the certificates of Machine", "Machines with the end of their certificates"),
        "vmnodes" => ("the Node of virtual machine", "virtual machines with their Nodes"),
        "claimevents" => ("events of claim", "claims with events"),
        "clusterages" => ("the age of Cluster", "ages of Clusters"),
        "stateages" => ("the waiting state of", "objects in a waiting state"),
        "componentruns" => ("static Pod", "static Pods of the control plane"),
        "controlplanewaits" => ("the waiting time of KubeadmControlPlane", "KubeadmControlPlanes that wait"),
        "leaderelections" => ("the leader election of", "lost leader elections"),
        "kubeletwords" => ("the last words of the kubelet of", "last words of kubelets"),
        "apiendpoints" => ("API endpoint", "API endpoints that did not answer"),
        "ingresstargets" => ("the targets of Ingress", "Ingresses with targets"),
        "defaultstorageclasses" => ("the default StorageClass of", "default StorageClasses"),
        "installationchecks" | "installationadvices" => ("check", "checks of an installation"),
        "installerlogs" => ("the log of the installer", "logs of the installer"),
        "memberheartbeats" => ("the heartbeat of member cluster", "heartbeats of member clusters"),
        "etcdhealthanswers" => ("answer to a health check of etcd", "answers to health checks of etcd"),
        "etcdleadertransfers" => ("move of the leader of etcd", "moves of the leader of etcd"),
        "etcdmemberlists" => ("member list of etcd", "member lists of etcd"),
        "installerprogresses" => ("progress of the installer", "answers about the progress of the installer"),
        "installerrequests" => ("request to the installer", "requests to the installer"),
        "staticpods" => ("static Pod", "static Pods"),
        plural => match program(kind) {
            Some((name, _)) => (name, name),
            None => (plural, plural),
        },
    })
}

/// An object as a sentence names it: etcd member `cp-1`, nodes `w-1`.
pub fn object(kind: &KindName, name: &str) -> String {
    match nouns(kind) {
        Some((one, _)) => format!("{one} `{name}`"),
        None => format!("{kind} `{name}`"),
    }
}

/// What a derived kind is put together from, in words; `None` for what is collected as it is.
pub fn put_together_from(kind: &KindName) -> Option<String> {
    let (kinds, classes) = made_of(kind);
    if kind.group != "casefile.dev" || kinds == [kind.clone()] {
        return None;
    }
    let one = |kind: &KindName| program(kind).map_or_else(|| kind.plural.clone(), |(name, _)| format!("the {name}"));
    let mut parts: Vec<String> = kinds.iter().take(SPELT_OUT).map(one).collect();
    if kinds.len() > SPELT_OUT {
        parts.push(format!("{} more kinds", kinds.len() - SPELT_OUT));
    }
    if !classes.is_empty() {
        parts.push(format!("the logs of {}", classes.join(", ")));
    }
    let last = parts.pop()?;
    Some(if parts.is_empty() { last } else { format!("{} and {last}", parts.join(", ")) })
}

/// Why it cannot be known that there are no objects of a derived kind but those that were seen.
pub fn never_whole(kind: &KindName, place: &str) -> Option<String> {
    if let Some((name, command)) = program(kind) {
        return Some(format!("no whole {name} was collected from {place} (`{command}`)"));
    }
    let (_, many) = nouns(kind)?;
    let sources = put_together_from(kind).map(|from| format!(": they are put together from {from}"));
    Some(format!("there may be {many} in {place} that the bundle does not show{}", sources.unwrap_or_default()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sentence_names_what_can_be_collected() {
        let kind = |name: &str| KindName::parse(name);
        let whole = |name: &str| never_whole(&kind(name), "cluster").unwrap_or_default();
        insta::assert_snapshot!(whole("etcdclustermembers.casefile.dev"), @"there may be etcd members in cluster that the bundle does not show: they are put together from the member list, the endpoint status, the endpoint health, the alarm list and the logs of etcd");
        insta::assert_snapshot!(whole("etcdendpointstatuses.casefile.dev"), @"no whole endpoint status was collected from cluster (`etcdctl endpoint status --cluster -w json`)");
        assert_eq!(whole("nodes"), "");
        assert_eq!(object(&kind("etcdclustermembers.casefile.dev"), "cp-1"), "etcd member `cp-1`");
        assert_eq!(object(&kind("nodes"), "w-1"), "nodes `w-1`");
        assert_eq!(put_together_from(&kind("nodes")), None);
    }

    #[test]
    fn no_sentence_asks_for_a_kind_that_nobody_can_collect() {
        let library = crate::signature::load::Library::built_in().expect("the built-in signatures load");
        let derived: Vec<KindName> = library.kinds().into_iter().filter(|kind| kind.group == "casefile.dev").collect();
        assert!(derived.len() > 10);
        for kind in derived {
            let said = never_whole(&kind, "cluster").expect("a reason") + &object(&kind, "x");
            assert!(!said.contains("casefile.dev"), "{said}");
            let (one, _) = nouns(&kind).expect("a noun");
            assert!(one != kind.plural || kind.plural == "certificates", "{kind} has no noun");
        }
    }
}
