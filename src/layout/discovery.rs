//! Which kinds the API server serves, as its discovery says: what turns "not collected" into "no such kind".
//!
//! Forms: `APIGroupList` and `APIResourceList` (or bare arrays of their items), and the aggregated form,
//! `APIGroupDiscoveryList` of `apidiscovery.k8s.io`.
//! Source: `k8s.io/apimachinery/pkg/apis/meta/v1/types.go@v0.34.0`, `k8s.io/api/apidiscovery/v2/types.go@v0.34.0`.
//!
//! Invariant: a kind is not served only if its group is missing from a whole list of groups, or if all
//! versions of its group were listed and none has it. A group that is stale, or of which a version is
//! missing, says nothing.

use crate::{Found, Manifest, document};
use facts::kind::KindName;
use facts::node::Node;
use facts::unread::NotAsExpected;
use std::collections::{BTreeMap, BTreeSet};

/// What discovery says is served. Two of them add up.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Served {
    /// Groups other than the core group with their versions, if a whole list of them was seen.
    pub groups: Option<BTreeMap<String, BTreeSet<String>>>,
    /// Versions of the core group, if a list of them was seen.
    pub core: Option<BTreeSet<String>>,
    /// Plurals by group and version.
    pub resources: BTreeMap<(String, String), BTreeSet<String>>,
    /// Something says that it is not whole.
    pub is_partial: bool,
}

impl Served {
    /// Takes in what another file says.
    pub fn add(&mut self, other: Served) {
        if let Some(groups) = other.groups {
            self.groups.get_or_insert_default().extend(groups);
        }
        if let Some(core) = other.core {
            self.core.get_or_insert_default().extend(core);
        }
        for (key, plurals) in other.resources {
            self.resources.entry(key).or_default().extend(plurals);
        }
        self.is_partial |= other.is_partial;
    }

    /// Surely not served. False where that is not known.
    pub fn lacks(&self, kind: &KindName) -> bool {
        if self.is_partial {
            return false;
        }
        let versions = if kind.group.is_empty() {
            match &self.core {
                Some(versions) if !versions.is_empty() => versions,
                _ => return false,
            }
        } else {
            match self.groups.as_ref().map(|groups| groups.get(&kind.group)) {
                Some(Some(versions)) => versions,
                // The list is whole, and has groups at all: every API server serves some.
                Some(None) => return self.groups.as_ref().is_some_and(|groups| !groups.is_empty()),
                None => return false,
            }
        };
        versions.iter().all(|version| {
            let listed = self.resources.get(&(kind.group.clone(), version.clone()));
            listed.is_some_and(|plurals| !plurals.contains(&kind.plural))
        })
    }

    /// Reads any of the forms.
    ///
    /// # Errors
    /// If it is none of them.
    pub fn read(node: &Node) -> Result<Self, NotAsExpected> {
        let mut served = Served::default();
        let list = |names: &[&str]| names.iter().find_map(|name| node.get(name));
        let items = list(&["items", "groups", "resources"]).unwrap_or(node).items();
        if node.get("groupVersion").is_some() {
            served.resource_list(node);
        }
        for item in items {
            if item.get("groupVersion").is_some() && item.get("resources").is_some() {
                served.resource_list(item);
            } else if item.at(&["metadata"]).is_some() && item.get("versions").is_some() {
                served.aggregated(item);
            } else if item.get("versions").is_some() {
                let name = text(item, "name");
                let versions = item.get("versions").map_or(&[][..], Node::items).iter().map(|v| text(v, "version"));
                served.group(&name, versions.collect());
            } else if item.get("name").is_none() {
                return Err("expected a list of API groups or API resources".into());
            }
        }
        if served == Served::default() {
            return Err("expected a list of API groups or API resources, found none".into());
        }
        Ok(served)
    }

    fn group(&mut self, name: &str, versions: BTreeSet<String>) {
        if name.is_empty() {
            self.core.get_or_insert_default().extend(versions);
        } else {
            self.groups.get_or_insert_default().insert(name.to_ascii_lowercase(), versions);
        }
    }

    /// An `APIResourceList`: `apps/v1` and what it serves.
    fn resource_list(&mut self, node: &Node) {
        let of = text(node, "groupVersion");
        let (group, version) = of.split_once('/').unwrap_or(("", &of));
        let plurals = self.resources.entry((group.to_ascii_lowercase(), version.to_owned())).or_default();
        let names = node.get("resources").map_or(&[][..], Node::items).iter().map(|resource| text(resource, "name"));
        plurals.extend(names);
    }

    /// An `APIGroupDiscovery`: a group with its versions and what they serve.
    fn aggregated(&mut self, node: &Node) {
        let group = node.at(&["metadata", "name"]).and_then(Node::as_str).unwrap_or_default().to_ascii_lowercase();
        let mut versions = BTreeSet::new();
        for version in node.get("versions").map_or(&[][..], Node::items) {
            let name = text(version, "version");
            let stale = text(version, "freshness") == "Stale";
            if !stale {
                let plurals = self.resources.entry((group.clone(), name.clone())).or_default();
                let all = version.get("resources").map_or(&[][..], Node::items);
                plurals.extend(all.iter().map(|resource| text(resource, "resource")));
            }
            versions.insert(name);
        }
        self.group(&group, versions);
    }
}

/// A file that holds discovery and nothing else.
///
/// # Errors
/// If it holds something else.
pub fn manifest(_: &Found<'_>, content: &str) -> Result<Manifest, NotAsExpected> {
    Ok(Manifest { served: Served::read(&document(content)?)?, ..Manifest::default() })
}

fn text(node: &Node, field: &str) -> String {
    node.get(field).and_then(Node::as_str).unwrap_or_default().to_owned()
}
