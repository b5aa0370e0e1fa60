//! What is said about a fleet: the JSON of `casefile fleet --format json`, and what its page shows.

use schemars::JsonSchema;
use serde::Serialize;
use std::collections::BTreeMap;

/// The version of the JSON; it goes up when a field goes or means something else.
pub const SCHEMA_VERSION: u32 = 1;

/// The results of many bundles.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Fleet {
    /// Goes up when a field goes or means something else.
    pub schema_version: u32,
    /// What matters most, in a sentence.
    pub answer: String,
    /// Files that were handed to Casefile, as the engine wrote them down; 0 where nobody did.
    pub files: u64,
    /// Of those, the ones that gave no result.
    pub failed: u64,
    /// Of those, the ones whose bundle another file holds as well.
    pub again: u64,
    /// Bundles with a result, each once.
    pub bundles: u64,
    /// Bundles in which a fault is confirmed or probable.
    pub with_findings: u64,
    /// Bundles that do not tell when they were collected.
    pub without_time: u64,
    /// Objects of all bundles.
    pub objects: u64,
    /// The oldest bundle.
    pub oldest: Option<Moment>,
    /// The newest bundle: what is new is measured by it.
    pub newest: Option<Moment>,
    /// When the last week of the material begins; null where all bundles are of one week, so that nothing can be new.
    pub last_week_from: Option<String>,
    /// Faults that are confirmed, probable or resolved, those of most bundles first.
    pub findings: Vec<FindingRow>,
    /// Bundles that have the same first finding, on the same evidence.
    pub alike: Vec<AlikeRow>,
    /// Products and their versions.
    pub versions: Vec<VersionRow>,
    /// What collectors asked for and did not get whole.
    pub lacking: Vec<LackingRow>,
    /// Files that gave no result.
    pub failures: Vec<Failure>,
    /// Files of results that could not be used.
    pub skipped: Vec<SkippedFile>,
    /// Entries that were left out of each list, by its name.
    pub more: BTreeMap<String, u64>,
}

/// A bundle and its own "now".
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Moment {
    /// RFC 3339.
    pub time: String,
    /// The name of the bundle.
    pub bundle: String,
}

/// A known failure in the fleet.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct FindingRow {
    /// `CF-1001`.
    pub signature: String,
    pub title: String,
    pub severity: String,
    /// Bundles in which it is confirmed or probable.
    pub bundles: u64,
    /// Of those, confirmed.
    pub confirmed: u64,
    /// Of those, only probable.
    pub probable: u64,
    /// Bundles in which it was so and is no longer.
    pub resolved: u64,
    /// Bundles whose report it leads.
    pub first_of: u64,
    /// The earliest time that a bundle states for it.
    pub since: Option<String>,
    /// The clock of the oldest bundle that shows it.
    pub seen_from: Option<String>,
    /// The clock of the newest bundle that shows it.
    pub seen_to: Option<String>,
    /// Whether no bundle from before the last week of the material shows it.
    pub new: bool,
    /// What the clusters run that show it.
    pub versions: Vec<VersionCount>,
    /// Names of some of these bundles.
    pub examples: Vec<String>,
}

/// A version, and in how many bundles.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct VersionCount {
    pub product: String,
    /// Null where only the product is known.
    pub version: Option<String>,
    pub bundles: u64,
}

/// Bundles that are alike.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct AlikeRow {
    /// The first finding of their reports.
    pub signature: String,
    pub title: String,
    /// The names of the evidence that supports it.
    pub supported_by: Vec<String>,
    /// How many there are.
    pub bundles: u64,
    /// Names of some of them.
    pub examples: Vec<String>,
}

/// A version in the fleet.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct VersionRow {
    pub product: String,
    /// Null where only the product is known.
    pub version: Option<String>,
    /// Bundles with a cluster of it.
    pub bundles: u64,
    /// Of those, the ones in which such a cluster has a fault that is confirmed or probable.
    pub with_findings: u64,
}

/// What collectors did not get whole.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct LackingRow {
    /// Plural and group.
    pub kind: String,
    /// `forbidden`, `error`, `partial`, `truncated`, `redacted`.
    pub state: String,
    pub bundles: u64,
}

/// A file that gave no result.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Failure {
    pub file: String,
    /// As the README lists them; 124 is the time-out of the engine, 128 and more a signal. Null where it is not known.
    pub exit_code: Option<i64>,
    pub message: String,
}

/// A file in the folder of results that was left out.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct SkippedFile {
    pub file: String,
    pub reason: String,
}
