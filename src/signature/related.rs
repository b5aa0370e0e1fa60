//! What a signature says of others: its relations to some that it names, and what it has in common with any other, by the ties
//! of `patterns/ties.yaml`.
//!
//! Why both: that one failure causes another one is knowledge about two signatures; that a lost Node takes its Pods along is
//! knowledge about Nodes, and holds for signatures that nobody has written yet.

use crate::file::Text;
use crate::located::Located;
use crate::model::RelationKind;
use facts::path::Path;
use schemars::JsonSchema;
use serde::Deserialize;
use std::collections::BTreeMap;

/// How two signatures hang together.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RelationFile {
    /// The kind of relation.
    pub kind: Located<RelationKind>,
    /// Id of the other signature.
    pub to: Text,
    /// Which entities it connects: variable of this signature to variable of the other.
    #[serde(default, rename = "match")]
    pub matches: BTreeMap<String, Text>,
    /// By what the two are told apart.
    pub by: Option<Text>,
    /// Ids of evidence of the other signature: where one of it supports, the other has a cause of its own and does not follow.
    #[serde(default)]
    pub unless: Vec<Text>,
}

/// Something that findings of one incident have in common.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TieFile {
    /// Its name in `patterns/ties.yaml`: `node`.
    pub tie: Text,
    /// The path of its values in the entity, where it is not the one of that file.
    pub at: Option<Text>,
    /// Its value, where it is always the same.
    pub is: Option<Text>,
    /// Of several values all must be broken. If it is left out, one is enough.
    #[serde(default)]
    pub every: bool,
}

/// Something that findings of one incident have in common, as a signature uses it.
#[derive(Debug, Clone)]
pub struct Tied {
    /// Its name in `patterns/ties.yaml`.
    pub tie: String,
    /// The path of its values in the entity; `None`: as the file says.
    pub at: Option<Path>,
    /// Its value, where it is always the same.
    pub is: Option<String>,
    /// Of several values all must be broken.
    pub every: bool,
}
