//! Names of kinds. A kind is its plural and its API group, never its version.
//!
//! Invariants: two objects are of one kind exactly when group and plural are equal; `clusters` of
//! `cluster.x-k8s.io` and `clusters` of `platform.tkestack.io` are two kinds. What stands in a text where a kind
//! should, and cannot be one, is masked before its capitals are lost, which tell what is a secret.

use crate::secrets::mask_text;
use std::borrow::Cow;
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

    /// The kind of an object by its `apiVersion` and `kind`, with the plural that the published CRDs would
    /// give it. The catalogue knows the exceptions and comes first where it is at hand.
    pub fn guess(api_version: &str, kind: &str) -> Self {
        let group = masked(Self::group_of(api_version)).to_ascii_lowercase();
        Self { plural: plural_of(&masked(kind)), group }
    }

    /// The group of an apiVersion: `apps/v1` gives `apps`, `v1` gives the core group.
    pub fn group_of(api_version: &str) -> &str {
        api_version.split_once('/').map_or("", |(group, _)| group)
    }
}

/// Letters, digits, `-` and `.` are all that a kind or a group may have.
fn masked(text: &str) -> Cow<'_, str> {
    let is_name = text.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'.'));
    if is_name { Cow::Borrowed(text) } else { mask_text(text).0 }
}

/// The plural of a kind as CRDs form it: `NetworkPolicy` gives `networkpolicies`.
/// Source: `kubernetes/apimachinery:pkg/api/meta/restmapper.go`, `UnsafeGuessKindToResource`; a vowel before
/// the `y` keeps it (`gateways`), as every published CRD does.
pub fn plural_of(kind: &str) -> String {
    let kind = kind.to_ascii_lowercase();
    let ends = |suffixes: &[&str]| suffixes.iter().any(|s| kind.ends_with(s));
    if kind.is_empty() || ends(&["endpoints"]) {
        kind
    } else if ends(&["ay", "ey", "iy", "oy", "uy"]) {
        kind + "s"
    } else if let Some(stem) = kind.strip_suffix('y') {
        format!("{stem}ies")
    } else if ends(&["s", "x", "ch", "sh"]) {
        kind + "es"
    } else {
        kind + "s"
    }
}

impl fmt::Display for KindName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.group.is_empty() { f.write_str(&self.plural) } else { write!(f, "{}.{}", self.plural, self.group) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plurals_of_published_kinds() {
        let all =
            ["Machine", "NetworkPolicy", "Gateway", "Ingress", "Endpoints", "Work", "Box", "Switch"].map(plural_of);
        assert_eq!(
            all,
            ["machines", "networkpolicies", "gateways", "ingresses", "endpoints", "works", "boxes", "switches"]
        );
        assert_eq!(KindName::guess("cluster.x-k8s.io/v1beta2", "Machine").to_string(), "machines.cluster.x-k8s.io");
        assert_eq!(KindName::guess("v1", "Pod").to_string(), "pods");
    }

    #[test]
    fn what_is_no_kind_shows_no_secret() {
        let kind = KindName::guess("token=Zq7vTr4kWp2mXn8c.example/v1", "password: Zq7vTr4kWp2m Pod");
        assert!(!kind.to_string().contains("zq7v") && kind.to_string().contains("[redacted]"), "{kind}");
    }
}
