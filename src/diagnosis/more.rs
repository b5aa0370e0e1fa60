//! What a report counts instead of listing it.
//!
//! Why counted: every list of a report is bounded ([`crate::bounds`]), and what is beyond a bound is neither hidden nor
//! spelt out.
//!
//! Invariant: what is listed and what is counted are together all that there is.

use crate::model::is_zero;
use facts::unread::Cause;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use signature::model::{Severity, VerdictWord};
use std::collections::BTreeMap;

/// What is counted instead of listed.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
pub struct More {
    /// Findings of a signature beyond the first 50 (fewer where all together would be more than 150), by verdict.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub findings: Vec<MoreFindings>,
    /// Entities that a signature was not assessed for beyond the first 50.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub not_assessed: Vec<MoreNotAssessed>,
    /// Parts that were not read beyond the first 1,000, by reason, the most frequent first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unread: Vec<MoreUnread>,
    /// Rows of other lists beyond those listed: the name of the list and their number.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub rows: BTreeMap<String, u64>,
}

impl More {
    /// Is everything listed?
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// Findings of one signature and verdict that are counted.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct MoreFindings {
    /// Signature id.
    pub signature: String,
    /// Its title.
    pub title: String,
    /// Its severity.
    pub severity: Severity,
    /// Their verdict.
    pub verdict: VerdictWord,
    /// How many.
    pub count: u64,
    /// How many entities they stand for. Left out if each stands for one.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub entities: u64,
    /// The first of them: `namespace/name in context`.
    pub first: Vec<String>,
}

/// Entities of one signature that were not assessed and are counted.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct MoreNotAssessed {
    /// Signature id.
    pub signature: String,
    /// How many.
    pub count: u64,
    /// The first of them: `namespace/name in context`.
    pub first: Vec<String>,
}

/// Parts that were not read, and are counted.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct MoreUnread {
    /// Why.
    pub reason: String,
    /// What that comes down to; left out if it was not understood, and no more is known than that.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cause: Option<Cause>,
    /// How many.
    pub count: u64,
}
