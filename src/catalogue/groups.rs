//! What every Kubernetes serves: `patterns/groups.yaml`.
//!
//! Invariant: a group stands there once, and each kind of a category is a kind of `kinds.yaml` in one of the groups; a test
//! holds it.

use crate::built_in;
use facts::kind::KindName;
use serde::Deserialize;
use std::sync::LazyLock;

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(rename = "schema")]
    _schema: u32,
    groups: Vec<Group>,
    categories: Vec<Category>,
}

/// A group of the API.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Group {
    group: String,
    version: String,
}

/// Kinds that are asked for by one word.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Category {
    name: String,
    kinds: Vec<String>,
}

static FILE: LazyLock<File> = LazyLock::new(|| built_in::document("groups.yaml").unwrap_or_default());

/// The version in which every Kubernetes serves a group; `None` if it does not serve it everywhere.
pub fn version(group: &str) -> Option<&'static str> {
    FILE.groups.iter().find(|own| own.group == group).map(|own| own.version.as_str())
}

/// The words by which kubectl asks for a kind together with others: `all`.
pub fn categories(kind: &KindName) -> Vec<String> {
    let name = kind.to_string();
    let of = FILE.categories.iter().filter(|category| category.kinds.contains(&name));
    of.map(|category| category.name.clone()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kinds::Catalogue;

    #[test]
    fn every_row_can_be_used() {
        assert!(FILE.groups.len() > 10 && !FILE.categories.is_empty());
        for (at, own) in FILE.groups.iter().enumerate() {
            assert!(FILE.groups.iter().skip(at + 1).all(|other| other.group != own.group), "{} twice", own.group);
        }
        for name in FILE.categories.iter().flat_map(|category| &category.kinds) {
            let kind = KindName::parse(name);
            assert!(Catalogue::shared().kind(&kind).is_some(), "{name} is in no row of kinds.yaml");
            assert!(version(&kind.group).is_some(), "{name} is in no group of the file");
        }
    }

    #[test]
    fn groups_and_categories_are_told() {
        assert_eq!(version(""), Some("v1"));
        assert_eq!(version("autoscaling"), Some("v2"));
        assert_eq!(version("cluster.x-k8s.io"), None);
        assert_eq!(categories(&KindName::parse("deployments.apps")), ["all"]);
        assert!(categories(&KindName::parse("secrets")).is_empty());
    }
}
