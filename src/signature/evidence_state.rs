//! What a piece of evidence says of its claim: the word that tests expect and reports show.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The state of a piece of evidence.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum EvidenceState {
    /// The claim holds.
    Supports,
    /// The claim does not hold.
    Contradicts,
    /// It cannot be told from this bundle.
    Unknown,
}
