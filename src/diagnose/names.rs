//! The names in a bundle that say whose cluster it is: of hosts, clusters and namespaces.
//!
//! Why of the facts, and not of the diagnosis: a report names a Node that no table of it lists.
//!
//! Invariant: what Casefile derives names nothing that the bundle does not.

use diagnosis::pseudonyms::Names;
use facts::node::Node;
use facts::store::Facts;

/// Types of addresses of a Node that are names.
const NAMED: [&str; 3] = ["Hostname", "InternalDNS", "ExternalDNS"];

/// How the plurals of kinds end whose objects are hosts.
const HOSTS: [&str; 3] = ["nodes", "machines", "vms"];
/// The plurals of kinds whose objects are clusters.
const CLUSTERS: [&str; 3] = ["clusters", "memberclusters", "managedclusters"];
/// The group of what Casefile derives.
const DERIVED: &str = "casefile.dev";

/// The names.
pub(crate) fn names(facts: &Facts) -> Names {
    let mut names = Names::default();
    names.clusters.extend(facts.contexts.iter().map(|context| context.name.clone()));
    names.clusters.extend(facts.contexts.iter().filter_map(|context| Some(context.workload_of.as_ref()?.1.clone())));
    names.hosts.extend(facts.streams.iter().filter_map(|stream| stream.node.clone()));
    for object in facts.objects.iter().filter(|object| object.kind.group != DERIVED) {
        names.namespaces.extend(object.namespace.clone());
        let plural = object.kind.plural.as_str();
        if plural == "namespaces" {
            names.namespaces.insert(object.name.clone());
        } else if HOSTS.iter().any(|end| plural.ends_with(end)) {
            names.hosts.insert(object.name.clone());
            names.hosts.extend(object.sightings.iter().flat_map(|sighting| addresses(&sighting.record.node)));
        } else if CLUSTERS.contains(&plural) {
            names.clusters.insert(object.name.clone());
        }
    }
    names
}

/// The addresses of a Node that are names.
fn addresses(node: &Node) -> Vec<String> {
    let all = node.at(&["status", "addresses"]).map(Node::items).unwrap_or_default();
    let text = |node: &Node, key: &str| node.field(key).and_then(|node| node.value.scalar());
    let is_name = |item: &&Node| text(item, "type").is_some_and(|kind| NAMED.contains(&kind.as_str()));
    all.iter().filter(is_name).filter_map(|item| text(item, "address")).collect()
}
