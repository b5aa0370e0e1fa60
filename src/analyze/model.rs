//! What came of a spec: the one model that all outputs of `analyze` are made from.
//!
//! Invariant: the words of [`Outcome`] and the names of fields are an interface for programs.

use diagnosis::model::{CitationInfo, Tool};
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::BTreeMap;

/// The version of the JSON.
pub const SCHEMA_VERSION: u32 = 1;

/// How an analyzer ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Outcome {
    /// An outcome `fail` of the spec applies.
    Fail,
    /// An outcome `warn` of the spec applies.
    Warn,
    /// The bundle does not tell.
    Unknown,
    /// An outcome `pass` of the spec applies.
    Pass,
    /// It was decided, and no outcome of the spec applies: Troubleshoot prints nothing here.
    NoResult,
    /// The spec switches the analyzer off.
    Excluded,
}

impl Outcome {
    /// All of them, in the order of the summary.
    pub const ALL: [Self; 6] = [Self::Fail, Self::Warn, Self::Unknown, Self::Pass, Self::NoResult, Self::Excluded];

    /// Its word.
    pub fn word(self) -> &'static str {
        match self {
            Self::Fail => "fail",
            Self::Warn => "warn",
            Self::Unknown => "unknown",
            Self::Pass => "pass",
            Self::NoResult => "no-result",
            Self::Excluded => "excluded",
        }
    }
}

/// What came of the specs.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Analysis {
    /// The version of this form: 1.
    pub schema_version: u32,
    /// What made it.
    pub tool: Tool,
    /// The names of the bundles.
    pub bundles: Vec<String>,
    /// How many results there are of each outcome.
    pub counts: BTreeMap<String, u64>,
    /// In the order of the specs.
    pub results: Vec<Row>,
}

/// One result of one analyzer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Row {
    /// The spec file.
    pub spec: String,
    /// The line of the analyzer in it.
    pub line: u32,
    /// Its type: `clusterVersion`.
    pub analyzer: String,
    /// `checkName`, or what Troubleshoot calls it.
    pub title: String,
    /// How it ended.
    pub outcome: Outcome,
    /// The message of the outcome; where it is unknown, why.
    pub message: String,
    /// The address that the outcome names.
    pub uri: Option<String>,
    /// The spec says that a preflight may not go on if this fails.
    pub strict: bool,
    /// The cluster; null for files, and where there is one cluster alone.
    pub cluster: Option<String>,
    /// The object that it is about, if it is one.
    pub object: Option<String>,
    /// Annotations of the analyzer.
    pub annotations: BTreeMap<String, String>,
    /// Where that stands in the bundle; for what is not there, the lists that lack it.
    pub citations: Vec<CitationInfo>,
}
