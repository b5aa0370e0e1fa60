//! Areas: what a kind or a class of logs belongs to, as a reader of a report looks for it.
//!
//! Invariant: every kind and every class has one area; the longest pattern that fits decides.

use crate::built_in;
use facts::kind::KindName;
use serde::Deserialize;
use std::sync::LazyLock;

/// One area: a row of `areas` in `patterns/kinds.yaml`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Area {
    /// Its name: `etcd`, `Nodes`, `Cluster API`.
    pub area: String,
    /// A cluster need not have it.
    #[serde(default)]
    pub product: bool,
    /// Its kinds, as `plural.group`; `*` stands for any text.
    #[serde(default)]
    kinds: Vec<String>,
    /// API groups that are its own as a whole.
    #[serde(default)]
    groups: Vec<String>,
    /// Its classes of logs.
    #[serde(default)]
    logs: Vec<String>,
}

#[derive(Deserialize)]
struct Areas {
    areas: Vec<Area>,
}

static AREAS: LazyLock<Vec<Area>> =
    LazyLock::new(|| built_in::document::<Areas>("kinds.yaml").map(|file| file.areas).unwrap_or_default());

/// All areas, in the order in which reports show them.
pub fn all() -> &'static [Area] {
    &AREAS
}

/// The area of a kind.
pub fn of_kind(kind: &KindName) -> &'static str {
    best(|area| {
        let own = area.kinds.iter().map(|pattern| KindName::parse(pattern));
        let own = own.filter(|own| fits(&own.plural, &kind.plural) && fits(&own.group, &kind.group));
        let groups = area.groups.iter().filter(|group| fits(group, &kind.group)).map(String::len);
        own.map(|own| own.plural.len() + own.group.len()).chain(groups).max()
    })
}

/// The area of a class of logs.
pub fn of_logs(class: &str) -> &'static str {
    best(|area| area.logs.iter().filter(|pattern| fits(pattern, class)).map(String::len).max())
}

fn best(length: impl Fn(&Area) -> Option<usize>) -> &'static str {
    let found = AREAS.iter().filter_map(|area| Some((length(area)?, area)));
    found.max_by_key(|(length, _)| *length).map_or("", |(_, area)| &area.area)
}

/// Does a text fit a pattern in which `*` stands for any text?
fn fits(pattern: &str, text: &str) -> bool {
    let mut parts = pattern.split('*');
    let Some(rest) = parts.next().and_then(|start| text.strip_prefix(start)) else { return false };
    let mut rest = rest;
    let mut parts = parts.peekable();
    if parts.peek().is_none() {
        return rest.is_empty();
    }
    while let Some(part) = parts.next() {
        if parts.peek().is_none() {
            return rest.ends_with(part);
        }
        let Some((_, after)) = rest.split_once(part) else { return false };
        rest = after;
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_star_stands_for_any_text() {
        let all = [("etcd*", "etcdmembers"), ("*.x", "a.b.x"), ("*alauda*", "operator.alauda.io"), ("apps", "apps")];
        assert!(all.iter().all(|(pattern, text)| fits(pattern, text)));
        let none = [("etcd*", "metcd"), ("*.x", "x"), ("apps", "apps.example.com"), ("a*b*c", "a-c")];
        assert!(!none.iter().any(|(pattern, text)| fits(pattern, text)));
    }

    #[test]
    fn kinds_and_logs_have_one_area() {
        let of = |kind: &str| of_kind(&KindName::parse(kind));
        assert_eq!(of("etcdmembers.casefile.dev"), "etcd");
        assert_eq!(of("certificates.casefile.dev"), "Control plane");
        assert_eq!(of("installationchecks.casefile.dev"), "Installation");
        assert_eq!(of("machines.cluster.x-k8s.io"), "Cluster API");
        assert_eq!(of("vspherevms.infrastructure.cluster.x-k8s.io"), "Cluster API");
        assert_eq!(of("memberclusters.cluster.kubernetes-fleet.io"), "KubeFleet");
        assert_eq!(of("clusters.platform.tkestack.io"), "Alauda platform");
        assert_eq!(of("appreleases.operator.alauda.io"), "Alauda platform");
        assert_eq!(of("storageclasses.storage.k8s.io"), "Storage");
        assert_eq!(of("volumesnapshots.snapshot.storage.k8s.io"), "Other kinds");
        assert_eq!(of("nodes"), "Nodes");
        assert_eq!(of("nodes.metrics.k8s.io"), "Other kinds");
        assert_eq!((of_logs("fleet-hub-agent"), of_logs("kube-apiserver")), ("KubeFleet", "Control plane"));
    }
}
