//! The infrastructure providers, and the words that go with each: `providers` in `patterns/checks.yaml`.

use crate::checklist::Checklist;
use serde::Deserialize;

/// An infrastructure provider and the words that go with it.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Provider {
    /// Value of the label `cluster-type`.
    pub name: String,
    /// End of the name of its AppRelease.
    pub release: String,
    /// Kind of its infrastructure cluster.
    pub cluster_kind: String,
    /// The same as plural.
    pub clusters: String,
    /// Kind of its machine template.
    pub template_kind: String,
    /// The same as plural.
    pub templates: String,
    /// Plural of its pools.
    pub pools: String,
}

/// The group of the kinds of every provider.
const GROUP: &str = "infrastructure.cluster.x-k8s.io";

impl Provider {
    pub(super) fn all() -> &'static [Self] {
        &Checklist::built_in().providers
    }

    /// One of its plurals with the group.
    pub(super) fn kind(plural: &str) -> String {
        format!("{plural}.{GROUP}")
    }
}
