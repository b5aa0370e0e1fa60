//! A signature as it is written: one struct for each YAML map, unknown keys refused, places kept.
//!
//! Why apart from [`crate::model`]: this is what a person types and what the JSON schema describes; the
//! model is what the engine reads. [`crate::compile`] turns the one into the other and says what is wrong.
//!
//! Invariants: `deny_unknown_fields` everywhere; no `untagged` and no `flatten`, because both lose places
//! and give poor messages. The documentation of each field is the text of the JSON schema.

use crate::located::Located;
use crate::model::{Severity, Status};
use crate::related::{RelationFile, TieFile};
use crate::remedy_file::{EscalationFile, RemediationFile};
use crate::scalar::Scalar;
use schemars::JsonSchema;
use serde::Deserialize;
use serde::de::{self, Deserializer, Visitor};

/// A text with its place.
pub type Text = Located<String>;

/// A signature of Casefile: how one failure of one kind of entity is recognised, and what to do about it.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SignatureFile {
    /// Version of this format: 1.
    pub schema: Located<u64>,
    /// One signature for each form of the same API (two scopes, two groups): its `id`, and a value for each variable
    /// that this file and its tests hold as `${name}`. The file then says `id: ${id}`.
    #[serde(default)]
    pub forms: Vec<crate::forms::FormFile>,
    /// Stable id such as `CF-1001`; never reused.
    pub id: Text,
    /// Short name in lower case with dashes: `capi-failed-import`.
    pub name: Text,
    /// One line for people.
    pub title: Text,
    /// What it means, in two or three sentences.
    pub summary: Text,
    /// How far it can be trusted.
    pub status: Status,
    /// How bad it is; `info` is no fault.
    pub severity: Located<Severity>,
    /// Date of the last review: `YYYY-MM-DD`.
    pub reviewed: Text,
    /// Words to find it by.
    #[serde(default)]
    pub tags: Vec<Text>,
    /// Other names people know it by.
    #[serde(default)]
    pub aliases: Vec<Text>,
    /// It only repeats what a process said last, and knows nothing more about it: a finding of another signature about
    /// the same object, log or line says more, and this one is folded under it.
    #[serde(default)]
    pub general: bool,
    /// Product that must be recognised (`patterns/products.yaml`).
    pub applies_to: Option<Text>,
    /// Kinds without which it does not apply, as `plural.group`.
    #[serde(default)]
    pub requires: Vec<Text>,
    /// Where the knowledge comes from.
    pub references: Vec<ReferenceFile>,
    /// What the signature is about.
    pub entity: EntityFile,
    /// Names for objects that references tie to the entity, and for values of theirs.
    #[serde(default, rename = "let")]
    pub names: Vec<NameFile>,
    /// Named pieces of evidence, each one query.
    pub evidence: Vec<EvidenceFile>,
    /// When which verdict holds: conditions over evidence ids.
    pub verdict: VerdictFile,
    /// Headlines for verdicts, which name the cause that was found here; without one the title is the headline.
    pub headline: Option<ExplainFile>,
    /// Sentences for verdicts, with placeholders and clauses (`[[ of {member}]]`).
    pub explain: Option<ExplainFile>,
    /// What to do.
    pub remediation: RemediationFile,
    /// How it hangs together with others; written once, at the cause.
    #[serde(default)]
    pub relations: Vec<RelationFile>,
    /// What its failure takes away (`patterns/ties.yaml`): what suffers from that is folded under its own findings.
    #[serde(default)]
    pub breaks: Vec<TieFile>,
    /// Where something else is broken, it can be the mere effect of that.
    #[serde(default)]
    pub suffers: Vec<TieFile>,
    /// What to hand to whom.
    pub escalation: Option<EscalationFile>,
}

impl SignatureFile {
    /// The same with its names as pieces of evidence, before the others: each `$health-check`, an id that nobody can write.
    pub(crate) fn with_names(&self) -> Self {
        let mut file = self.clone();
        let named = self.names.iter().map(|name| EvidenceFile {
            id: Text { value: format!("${}", name.name.value), place: name.name.place },
            role: None,
            claim: Text { value: String::new(), place: name.name.place },
            expect: Expect::Present,
            object: Some(name.object.clone()),
            log: None,
            collect: None,
        });
        file.evidence = named.chain(file.evidence).collect();
        file
    }

    /// The wordings of its evidence.
    pub(crate) fn variants(&self) -> impl Iterator<Item = &VariantFile> {
        self.evidence.iter().flat_map(|evidence| {
            let captures = evidence.object.iter().flat_map(|object| &object.capture);
            let of_log = evidence.log.iter().flat_map(|log| &log.variants);
            captures.flat_map(|capture| &capture.variants).chain(of_log)
        })
    }

    /// Its queries over objects, those of names too.
    pub(crate) fn objects(&self) -> impl Iterator<Item = &ObjectFile> {
        let named = self.names.iter().map(|name| &name.object);
        named.chain(self.evidence.iter().filter_map(|evidence| evidence.object.as_ref()))
    }
}

/// A source of knowledge.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ReferenceFile {
    /// Title of the document.
    pub title: Text,
    /// Section in it.
    pub section: Option<Text>,
    /// Address; shown, never fetched.
    pub url: Option<Text>,
}

/// What the signature is about: exactly one of `object`, `group` and `stream`.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct EntityFile {
    /// The name of its variable: `cluster` gives `$cluster` and `{cluster}`.
    pub name: Text,
    /// Every object of a kind.
    pub object: Option<EntityObjectFile>,
    /// Every distinct value of a path.
    pub group: Option<EntityGroupFile>,
    /// Every log stream that says something.
    pub stream: Option<EntityStreamFile>,
}

/// What else than an object of a cluster an entity may be.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Accepts {
    /// A manifest: JSON or YAML that no API server wrote.
    Manifests,
}

/// Entities that are objects.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct EntityObjectFile {
    /// The kind as `plural.group`.
    pub kind: Option<Text>,
    /// Several kinds.
    #[serde(default)]
    pub kinds: Vec<Text>,
    /// Role of the contexts: `management`, `global`, `workload`, `hub`, `member`.
    pub context: Option<Text>,
    /// `manifests`: an object that nobody has seen in a cluster, and a manifest alone speaks of, is an entity too.
    pub accepts: Option<Accepts>,
    /// Conditions on the object; all must hold.
    #[serde(default, rename = "where")]
    pub filter: Vec<PredicateFile>,
}

/// Entities that are the values of a path.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct EntityGroupFile {
    /// The kind as `plural.group`.
    pub kind: Text,
    /// Role of the contexts.
    pub context: Option<Text>,
    /// The path whose values are the entities.
    pub by: Text,
}

/// Entities that are log streams: each is named after its node, or as the stream is.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct EntityStreamFile {
    /// Class of the streams (`patterns/sources.yaml`).
    pub source: Text,
    /// Role of the contexts.
    pub context: Option<Text>,
    /// A stream is an entity if one of these literals is in one of its lines.
    pub any: Vec<Text>,
    /// Only lines in the last part of the stream count: `10m`, measured at its own end.
    pub lately: Option<Text>,
}

/// An object that references tie to the entity. It is no evidence: it supports nothing, and no report lists it.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct NameFile {
    /// What it is to the entity: `health-check`.
    pub name: Text,
    /// The object; what `capture` takes out of it is read as `$name`.
    pub object: ObjectFile,
}

/// A named piece of evidence: exactly one of `object` and `log`.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct EvidenceFile {
    /// Its id, in lower case with dashes.
    pub id: Text,
    /// `hallmark`: enough to suspect the signature.
    pub role: Option<Role>,
    /// What holds if the evidence supports, with `{placeholders}` and clauses: `[[ of {member}]]` is left out
    /// where `{member}` has no value, `[[{count}|Several]]` then reads `Several`.
    pub claim: Text,
    /// `absent`: the claim holds if the query finds nothing.
    #[serde(default)]
    pub expect: Expect,
    /// A query over objects.
    pub object: Option<ObjectFile>,
    /// A query over log lines.
    pub log: Option<LogFile>,
    /// How to collect what decides it.
    pub collect: Option<CollectFile>,
}

/// The role of a piece of evidence.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// Enough to suspect the signature.
    Hallmark,
}

/// The wanted polarity of a query.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Expect {
    /// The claim holds if the query finds something.
    #[default]
    Present,
    /// The claim holds if the query finds nothing.
    Absent,
}

/// A query over objects: exactly one of `self`, `kind` and `kinds`.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ObjectFile {
    /// `true`: the entity's own object.
    #[serde(rename = "self")]
    pub own: Option<Located<bool>>,
    /// The kind as `plural.group`.
    pub kind: Option<Text>,
    /// Several kinds.
    #[serde(default)]
    pub kinds: Vec<Text>,
    /// Role of the contexts, if not the entity's own.
    pub context: Option<Text>,
    /// Variable that names a Cluster: the context of its workload.
    pub context_of: Option<Text>,
    /// Equalities with the entity or with captures.
    #[serde(default)]
    pub join: Vec<JoinFile>,
    /// `true`: in the namespace of the entity; or a variable that holds a namespace. It adds the join on
    /// `metadata.namespace`, unless the kind has no namespaces.
    pub same_namespace: Option<Located<Scalar>>,
    /// Choices by labels between the entity's own object and this one; all must be made.
    #[serde(default)]
    pub selects: Vec<SelectsFile>,
    /// Conditions on the object; all must hold.
    #[serde(default, rename = "where")]
    pub filter: Vec<PredicateFile>,
    /// How many are wanted; at least one by default.
    pub count: Option<CountFile>,
    /// What to take out of each match.
    #[serde(default)]
    pub capture: Vec<CaptureFile>,
    /// Pairs that must differ.
    #[serde(default)]
    pub differs: Vec<DiffersFile>,
    /// Values of the entity's own object, each of which names another object; matches where one does not exist.
    pub each: Option<EachFile>,
    /// Paths that the report shows of each match.
    #[serde(default)]
    pub show: Vec<Text>,
}

/// For every value of a path: does the object that it names exist?
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct EachFile {
    /// The path whose values name objects.
    pub path: Text,
    /// Other paths whose values do.
    #[serde(default)]
    pub or_paths: Vec<Text>,
    /// The object that a value names; `$each` is the value.
    pub exists: ExistsFile,
    /// The name under which the values without an object are captured.
    pub missing: Text,
}

/// An object that should exist.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ExistsFile {
    /// The kind as `plural.group`.
    pub kind: Option<Text>,
    /// Several kinds.
    #[serde(default)]
    pub kinds: Vec<Text>,
    /// What ties it to the value `$each`, and to the entity.
    pub join: Vec<JoinFile>,
    /// `true`: in the namespace of the entity; or a variable that holds a namespace. It adds the join on
    /// `metadata.namespace`, unless the kind has no namespaces.
    pub same_namespace: Option<Located<Scalar>>,
    /// Conditions on it; all must hold.
    #[serde(default, rename = "where")]
    pub filter: Vec<PredicateFile>,
}

/// An equality.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct JoinFile {
    /// Path in the object.
    pub path: Text,
    /// A variable such as `$cluster.name`, or a constant.
    pub is: Text,
}

/// A selector and the labels that it must choose: one of them is a path of the object that is looked for, the other a path of
/// the entity's own object (`$entity.metadata.labels`).
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SelectsFile {
    /// Where the selector stands: `matchLabels` and `matchExpressions`, or a plain map of labels.
    pub selector: Text,
    /// Where the labels stand.
    pub labels: Text,
}

/// A pair that must differ.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DiffersFile {
    /// A variable or a constant.
    pub left: Text,
    /// A variable or a constant.
    pub right: Text,
}

/// A condition on one path: exactly one test.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PredicateFile {
    /// The path.
    pub path: Text,
    /// Other paths where the same may stand; the test passes if it does at one of them (one that negates: at all).
    #[serde(default)]
    pub or_paths: Vec<Text>,
    /// Other paths that are tested instead: the first that is set, where `path` surely is not. Where none is, no age is known.
    #[serde(default)]
    pub else_paths: Vec<Text>,
    /// API versions that have the path; predicates with versions are alternatives.
    #[serde(default)]
    pub api: Vec<Text>,
    /// Equal to this.
    pub equals: Option<Located<Scalar>>,
    /// Set, and not equal to this.
    pub not_equals: Option<Located<Scalar>>,
    /// One of these.
    #[serde(rename = "in")]
    pub one_of: Option<Vec<Scalar>>,
    /// Set, and none of these.
    pub not_in: Option<Vec<Scalar>>,
    /// Set, or not set.
    pub is_set: Option<bool>,
    /// Text that begins so.
    pub starts_with: Option<String>,
    /// Text that ends so.
    pub ends_with: Option<String>,
    /// Text that contains this, or a list with this item.
    pub contains: Option<String>,
    /// Text that matches this regex.
    pub matches: Option<Text>,
    /// Text that says what a group of `patterns/wordings.yaml` does (`image-cannot-be-pulled`), or one class of it
    /// (`image-cannot-be-pulled/unreachable`).
    pub wording: Option<Text>,
    /// Less than a number or a duration.
    pub lt: Option<Located<Scalar>>,
    /// At most a number or a duration.
    pub lte: Option<Located<Scalar>>,
    /// More than a number or a duration.
    pub gt: Option<Located<Scalar>>,
    /// At least a number or a duration.
    pub gte: Option<Located<Scalar>>,
    /// Less than the number at another path of the object.
    pub lt_path: Option<Text>,
    /// At most the number at another path of the object.
    pub lte_path: Option<Text>,
    /// More than the number at another path of the object.
    pub gt_path: Option<Text>,
    /// At least the number at another path of the object.
    pub gte_path: Option<Text>,
    /// The same as the value at another path of the object, or as a variable (`$machine.spec.version`).
    pub same_as: Option<Text>,
    /// Set, and not the same as the value at another path of the object, or as a variable.
    pub differs_from: Option<Text>,
    /// A time before that at another path of the object, or before a variable.
    pub earlier_than: Option<Text>,
    /// A time after that at another path of the object, or after a variable.
    pub later_than: Option<Text>,
    /// A time at least this long before the bundle: `5m`, or a variable that holds a duration.
    pub older_than: Option<Text>,
    /// A time less than this long before the bundle, or after it; a duration or a variable that holds one.
    pub younger_than: Option<Text>,
    /// A time that has passed, or comes in less than this after the bundle.
    pub due_within: Option<Text>,
    /// Whether the bundle tells how long ago this time was; `false` may stand in the evidence of `suspect` only.
    pub age_known: Option<Located<bool>>,
}

/// How many matches are wanted.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CountFile {
    /// Exactly.
    pub equals: Option<Located<u64>>,
    /// Fewer than.
    pub lt: Option<Located<u64>>,
    /// At most.
    pub lte: Option<Located<u64>>,
    /// More than.
    pub gt: Option<Located<u64>>,
    /// At least.
    pub gte: Option<Located<u64>>,
}

/// What to take out of a match: the whole value under a name, or the named groups of a regex.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CaptureFile {
    /// The path whose text is read.
    pub path: Text,
    /// Other paths whose texts are read as well.
    #[serde(default)]
    pub or_paths: Vec<Text>,
    /// The whole value under this name.
    #[serde(rename = "as")]
    pub name: Option<Text>,
    /// With `as`: what the text means by this group of `patterns/wordings.yaml`, instead of the text.
    pub wording: Option<Text>,
    /// With `as`: what a long message comes down to, for a headline.
    #[serde(default)]
    pub in_short: bool,
    /// A regex with named groups.
    pub regex: Option<Text>,
    /// Several wordings of one message.
    #[serde(default)]
    pub variants: Vec<VariantFile>,
    /// The text where none of the paths is set: what the API takes then.
    pub default: Option<Text>,
}

/// One wording of a message.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct VariantFile {
    /// First product version with it, for people.
    pub since: Option<String>,
    /// Last product version with it, for people.
    pub until: Option<String>,
    /// The regex with named groups.
    pub regex: Text,
    /// Headlines of findings in which this wording alone was found, where it tells a cause of its own.
    pub headline: Option<ExplainFile>,
}

/// A query over log lines: at least one of `any`, `all` and `state`.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LogFile {
    /// `true`: the entity's own stream, for entities that are streams.
    #[serde(rename = "self")]
    pub own: Option<Located<bool>>,
    /// Class of streams (`patterns/sources.yaml`). With `self: true` only `*`: whoever wrote into that log, as in a journal.
    pub source: Option<Text>,
    /// Role of the contexts, if not the entity's own.
    pub context: Option<Text>,
    /// Variable that names a Cluster: the context of its workload.
    pub context_of: Option<Text>,
    /// A line counts if one of these literals is in it.
    #[serde(default)]
    pub any: Vec<Text>,
    /// A line counts only if all of these literals are in it.
    #[serde(default)]
    pub all: Vec<Text>,
    /// Sifts the lines that a literal hit, and captures by its named groups.
    pub regex: Option<Text>,
    /// Several wordings of one message.
    #[serde(default)]
    pub variants: Vec<VariantFile>,
    /// Counts streams by their last state instead of lines.
    pub state: Option<StateFile>,
    /// How many lines (or streams) are wanted; at least one by default.
    pub count: Option<CountFile>,
    /// How a line names the entity that it belongs to.
    #[serde(default)]
    pub attribute: Vec<AttributeFile>,
    /// Only lines this near to the as-of clock or to other evidence.
    pub within: Option<WithinFile>,
    /// Only lines in the last part of their stream: `10m`, measured at its own end.
    pub lately: Option<Text>,
    /// Only streams where at least this lies between the first and the last of these lines.
    pub lasting: Option<Text>,
}

/// Texts that say that something is broken, and well again.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct StateFile {
    /// Texts that say it is broken.
    pub down: Vec<Text>,
    /// Texts that say it is well.
    pub up: Vec<Text>,
}

/// How a line names its entity.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AttributeFile {
    /// A regex with the group `named`.
    pub regex: Text,
    /// The variable that the group must equal.
    pub is: Text,
}

/// A time window: a duration, or a map with `duration` and `of`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WithinFile {
    /// The duration.
    pub duration: Text,
    /// Of this evidence; `None` means of the as-of clock.
    pub of: Option<Text>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct WithinMap {
    /// The duration: `10m`.
    duration: Text,
    /// Id of another evidence.
    of: Option<Text>,
}

impl<'de> Deserialize<'de> for WithinFile {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Either;
        impl<'de> Visitor<'de> for Either {
            type Value = WithinFile;
            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("a duration such as 10m, or a map with duration and of")
            }
            fn visit_str<E: de::Error>(self, value: &str) -> Result<WithinFile, E> {
                Ok(WithinFile {
                    duration: Text { value: value.to_owned(), place: crate::located::Place::default() },
                    of: None,
                })
            }
            fn visit_map<A: de::MapAccess<'de>>(self, map: A) -> Result<WithinFile, A::Error> {
                let map = WithinMap::deserialize(de::value::MapAccessDeserializer::new(map))?;
                Ok(WithinFile { duration: map.duration, of: map.of })
            }
        }
        deserializer.deserialize_any(Either)
    }
}

impl JsonSchema for WithinFile {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> std::borrow::Cow<'static, str> {
        "WithinFile".into()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        let map = generator.subschema_for::<WithinMap>();
        schemars::json_schema!({ "anyOf": [{ "type": "string" }, map] })
    }
}

/// How to collect what an evidence needs.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CollectFile {
    /// Where to run it: `management`, `workload`, `hub`, `member`, `node`.
    pub on: Text,
    /// The command.
    pub run: Text,
    /// What to look out for.
    pub note: Option<Text>,
}

/// Conditions over evidence ids with `and`, `or`, `not`, `N of (...)` and parentheses.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct VerdictFile {
    /// All that is needed was seen.
    pub confirmed: Text,
    /// It fits, and part could not be checked.
    pub probable: Option<Text>,
    /// It was so, and is no longer.
    pub resolved: Option<Text>,
    /// Something that was found excludes it; never a log line.
    pub ruled_out: Option<Text>,
    /// Reason to suspect; any hallmark by default.
    pub suspect: Option<Text>,
}

/// Sentences for verdicts.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ExplainFile {
    /// Said when it is confirmed.
    pub confirmed: Option<Text>,
    /// Said when it is probable.
    pub probable: Option<Text>,
    /// Said when it is undecided.
    pub undecided: Option<Text>,
    /// Said when it was so.
    pub resolved: Option<Text>,
    /// Said when it is ruled out.
    pub ruled_out: Option<Text>,
}
