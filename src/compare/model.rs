//! What a comparison says: the JSON of `casefile diff --format json`.

use schemars::JsonSchema;
use serde::Serialize;

/// The version of the JSON; it goes up when a field goes or means something else.
pub const SCHEMA_VERSION: u32 = 1;
/// Entries of each list.
const MOST: usize = 500;
/// Changed fields of one object.
const MOST_FIELDS: usize = 50;

/// What bundle `b` differs in from bundle `a`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Comparison {
    /// Goes up when a field goes or means something else.
    pub schema_version: u32,
    /// The first bundle.
    pub a: Side,
    /// The second one.
    pub b: Side,
    /// Findings whose verdict differs.
    pub findings: Vec<FindingChange>,
    /// Versions that differ.
    pub versions: Vec<VersionChange>,
    /// Images that differ.
    pub images: Vec<ImageChange>,
    /// Objects that only `b` has; `a` was asked for their kind.
    pub added: Vec<ObjectName>,
    /// Objects that only `a` has; `b` was asked for their kind.
    pub gone: Vec<ObjectName>,
    /// Objects that both have, with the fields that differ.
    pub changed: Vec<ObjectChange>,
    /// Warnings and errors that only the logs of `b` have.
    pub new_in_logs: Vec<TemplateChange>,
    /// Warnings and errors that only the logs of `a` have.
    pub vanished_from_logs: Vec<TemplateChange>,
    /// What one of the bundles does not show, so that nothing is said of it.
    pub not_comparable: Vec<NotComparable>,
    /// Entries that were left out of each list, by its name.
    pub more: std::collections::BTreeMap<String, usize>,
}

/// One bundle.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Side {
    /// Its name.
    pub name: String,
    /// SHA-256 over the sorted list of member names and content hashes, in hex.
    pub sha256: String,
    /// Its own "now".
    pub as_of: Option<String>,
}

/// A finding whose verdict differs; no verdict means that nothing was found to suspect it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
pub struct FindingChange {
    /// Id of the signature.
    pub signature: String,
    /// What is wrong, in a sentence.
    pub headline: String,
    /// The object that it is about.
    pub object: String,
    /// The verdict in the first bundle.
    pub a: Option<String>,
    /// The verdict in the second one.
    pub b: Option<String>,
}

/// A version that differs.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
pub struct VersionChange {
    /// The cluster.
    pub cluster: String,
    /// Of what.
    pub what: String,
    /// In the first bundle.
    pub a: String,
    /// In the second one.
    pub b: String,
}

/// An image whose tags differ.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
pub struct ImageChange {
    /// The image without tag and digest.
    pub image: String,
    /// Its tags or digests in the first bundle; empty if no Pod there runs it.
    pub a: Vec<String>,
    /// The same in the second one.
    pub b: Vec<String>,
}

/// An object.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
pub struct ObjectName {
    /// The cluster.
    pub cluster: String,
    /// Plural and group.
    pub kind: String,
    /// Its namespace.
    pub namespace: Option<String>,
    /// Its name; of objects that are made from a template what their names begin with, and `*`.
    pub name: String,
    /// How many more, or fewer, of such objects there are.
    pub count: usize,
}

/// An object with the fields that differ.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
pub struct ObjectChange {
    /// Which object.
    pub object: ObjectName,
    /// The fields, sorted by path.
    pub fields: Vec<FieldChange>,
    /// Fields that differ and are not listed.
    pub more_fields: usize,
}

/// A field that differs.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
pub struct FieldChange {
    /// Its path.
    pub path: String,
    /// The value in the first bundle; null if it is surely not set.
    pub a: Option<String>,
    /// The value in the second one; null if it is surely not set.
    pub b: Option<String>,
}

/// A message that only the logs of one bundle have.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
pub struct TemplateChange {
    /// How many lines.
    pub count: u64,
    /// The message with what varies replaced by `#`.
    pub template: String,
    /// What the first of these lines says.
    pub example: String,
    /// The stream of logs that has most of them.
    pub source: String,
    /// The member that the example stands in.
    pub member: String,
    /// Its line.
    pub line: u32,
}

/// Something that one of the bundles does not show.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
pub struct NotComparable {
    /// What: a kind, a cluster.
    pub what: String,
    /// The bundle that lacks it: `a` or `b`.
    pub lacks: String,
}

impl Comparison {
    /// Nothing differs yet.
    pub(crate) fn between(a: Side, b: Side) -> Self {
        Self {
            schema_version: SCHEMA_VERSION,
            a,
            b,
            findings: Vec::new(),
            versions: Vec::new(),
            images: Vec::new(),
            added: Vec::new(),
            gone: Vec::new(),
            changed: Vec::new(),
            new_in_logs: Vec::new(),
            vanished_from_logs: Vec::new(),
            not_comparable: Vec::new(),
            more: std::collections::BTreeMap::new(),
        }
    }

    /// Do they differ in nothing that can be compared?
    pub fn is_empty(&self) -> bool {
        self.findings.is_empty()
            && self.versions.is_empty()
            && self.images.is_empty()
            && self.added.is_empty()
            && self.gone.is_empty()
            && self.changed.is_empty()
            && self.new_in_logs.is_empty()
            && self.vanished_from_logs.is_empty()
    }
}

/// Cuts each list, and says how much was cut.
pub(crate) fn bounded(comparison: &mut Comparison) {
    let more = &mut comparison.more;
    let mut cut = |name: &str, length: usize| {
        if length > MOST {
            more.insert(name.to_owned(), length - MOST);
        }
        length.min(MOST)
    };
    macro_rules! cut_lists {
        ($($list:ident),*) => { $(comparison.$list.truncate(cut(stringify!($list), comparison.$list.len()));)* };
    }
    comparison.not_comparable.sort();
    comparison.not_comparable.dedup();
    cut_lists!(findings, versions, images, added, gone, changed, new_in_logs, vanished_from_logs, not_comparable);
    for change in &mut comparison.changed {
        change.more_fields = change.fields.len().saturating_sub(MOST_FIELDS);
        change.fields.truncate(MOST_FIELDS);
    }
}
