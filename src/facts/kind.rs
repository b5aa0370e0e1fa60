//! Names of kinds. A kind is its plural and its API group, never its version.
//!
//! Invariant: two objects are of one kind exactly when group and plural are equal; `clusters` of
//! `cluster.x-k8s.io` and `clusters` of `platform.tkestack.io` are two kinds.

use std::fmt;

/// `plural.group` in lower case, or the bare plural for the core group.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct KindName {
    /// Lower-case plural: `machines`.
    pub plural: String,
    /// API group without version; empty for the core group.
    pub group: String,
}

impl KindName {
    /// Splits `machines.cluster.x-k8s.io` at its first dot.
    pub fn parse(text: &str) -> Self {
        let (plural, group) = text.split_once('.').unwrap_or((text, ""));
        Self { plural: plural.to_ascii_lowercase(), group: group.to_ascii_lowercase() }
    }

    /// The group of an apiVersion: `apps/v1` gives `apps`, `v1` gives the core group.
    pub fn group_of(api_version: &str) -> &str {
        api_version.split_once('/').map_or("", |(group, _)| group)
    }
}

impl fmt::Display for KindName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.group.is_empty() { f.write_str(&self.plural) } else { write!(f, "{}.{}", self.plural, self.group) }
    }
}
