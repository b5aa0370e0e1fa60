//! A signature as the engine reads it: checked, with every path, regex and condition parsed.
//!
//! Why apart from the file: [`crate::file`] mirrors the YAML (unknown keys refused, positions kept), this
//! mirrors the meaning. Only [`crate::load`] makes these, so the engine never meets a half-checked one.

use crate::related::Tied;
use catalogue::kinds::Collect;
use facts::kind::KindName;
use facts::lazy_regex::LazyRegex;
use facts::node::Value;
use facts::path::Path;
use std::collections::{BTreeMap, BTreeSet};

/// A loaded signature.
#[derive(Debug, Clone)]
pub struct Signature {
    /// Stable id: `CF-1001`.
    pub id: String,
    /// Short name: `capi-failed-import`.
    pub name: String,
    /// One line for people.
    pub title: String,
    /// What it means.
    pub summary: String,
    /// How far it can be trusted.
    pub status: Status,
    /// How bad it is.
    pub severity: Severity,
    /// Date of the last review, `YYYY-MM-DD`.
    pub reviewed: String,
    /// Other names people know it by.
    pub aliases: Vec<String>,
    /// Words to find it by.
    pub tags: Vec<String>,
    /// What another signature says about the same thing says more.
    pub general: bool,
    /// Product that must be recognised, as in `patterns/products.yaml`.
    pub applies_to: Option<String>,
    /// Kinds without which it is not applicable, if the API server does not serve them.
    pub requires: Vec<KindName>,
    /// Where the knowledge comes from.
    pub references: Vec<Reference>,
    /// What the signature is about.
    pub entity: Entity,
    /// The pieces of evidence, in the order of evaluation (captures before their use).
    pub evidence: Vec<Evidence>,
    /// When which verdict holds.
    pub verdict: VerdictRules,
    /// Sentences for verdicts, as templates.
    pub explain: BTreeMap<VerdictWord, Template>,
    /// What stands above a finding, for each verdict that has its own words; else the title does.
    pub headline: BTreeMap<VerdictWord, Template>,
    /// The same of wordings that tell a cause of their own.
    pub variant_headlines: Vec<VariantHeadline>,
    /// What to do.
    pub remediation: Remediation,
    /// How it hangs together with others.
    pub relations: Vec<Relation>,
    /// What its failure takes away.
    pub breaks: Vec<Tied>,
    /// Where something else is broken, it can be the mere effect of that.
    pub suffers: Vec<Tied>,
    /// What to hand to whom.
    pub escalation: Option<Escalation>,
    /// File it was read from, for messages.
    pub file: String,
}

impl Signature {
    /// Every kind that it names: those it requires, its entity's, and those of its evidence.
    pub fn kinds(&self) -> BTreeSet<KindName> {
        let mut kinds: BTreeSet<KindName> = self.requires.iter().cloned().collect();
        match &self.entity.source {
            EntitySource::Object { kinds: entities, .. } => kinds.extend(entities.iter().cloned()),
            EntitySource::Group { kind, .. } => {
                kinds.insert(kind.clone());
            }
            EntitySource::Stream(_) => {}
        }
        for evidence in &self.evidence {
            if let Query::Object(query) = &evidence.query {
                let asked = std::iter::once(query).chain(query.each.iter().map(|each| &*each.exists));
                for query in asked {
                    if let Target::Kinds(wanted) = &query.target {
                        kinds.extend(wanted.iter().cloned());
                    }
                }
            }
        }
        kinds
    }
}

/// How far a signature can be trusted.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize, schemars::JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// Decided by hand on real cases.
    Stable,
    /// New, with tests.
    Test,
    /// Not yet tried on real bundles.
    Experimental,
    /// To be removed.
    Deprecated,
}

/// How bad a finding is. The order is worst first.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize, schemars::JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum Severity {
    /// The platform is down or will lose data.
    Critical,
    /// A part of the platform does not work.
    High,
    /// Something needs attention soon.
    Medium,
    /// Minor.
    Low,
    /// No fault: what a person would want to know.
    Info,
}

impl Severity {
    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            Self::Critical => "critical",
            Self::High => "high",
            Self::Medium => "medium",
            Self::Low => "low",
            Self::Info => "info",
        }
    }
}

/// The verdicts. The order is the order of precedence in a report.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize, schemars::JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum VerdictWord {
    /// All that is needed was seen.
    Confirmed,
    /// It fits, and part could not be checked.
    Probable,
    /// There is reason to suspect it, and what would decide it is missing.
    Undecided,
    /// It was so, and is no longer.
    Resolved,
    /// Something that was found excludes it.
    RuledOut,
}

/// A source of knowledge.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reference {
    /// Title of the document.
    pub title: String,
    /// Section in it.
    pub section: Option<String>,
    /// Address; shown as text and as a link, never fetched.
    pub url: Option<String>,
}

/// What the signature is about.
#[derive(Debug, Clone)]
pub struct Entity {
    /// The variable name: `cluster`.
    pub name: String,
    /// Where the entities come from.
    pub source: EntitySource,
    /// Role of the contexts that they live in; `None` means any.
    pub context: Option<String>,
}

/// Where entities come from.
#[derive(Debug, Clone)]
pub enum EntitySource {
    /// Every object of these kinds that fits.
    Object {
        /// The kinds.
        kinds: Vec<KindName>,
        /// Conditions on the object.
        filter: Vec<Predicate>,
        /// A manifest without its object is an entity too.
        accepts_manifests: bool,
    },
    /// Every distinct value of a path over the objects of a kind.
    Group {
        /// The kind.
        kind: KindName,
        /// The path whose values are the entities.
        by: Path,
    },
    /// Every log stream that says something.
    Stream(StreamEntity),
}

/// Log streams as entities.
#[derive(Debug, Clone)]
pub struct StreamEntity {
    /// Class of the streams (`patterns/sources.yaml`).
    pub source: String,
    /// A stream is an entity if one of these literals is in one of its lines.
    pub any: Vec<String>,
    /// Only lines in so many last seconds of the stream count.
    pub lately: Option<i64>,
}

/// A named piece of evidence.
#[derive(Debug, Clone)]
pub struct Evidence {
    /// Its id inside the signature.
    pub id: String,
    /// A hallmark is reason enough to suspect.
    pub hallmark: bool,
    /// The claim, as a template.
    pub claim: Template,
    /// The wanted polarity: `true` means that the claim holds when the query finds nothing.
    pub expect_absent: bool,
    /// The one query.
    pub query: Query,
    /// How to collect what would decide it.
    pub collect: Option<Collect>,
}

impl Evidence {
    /// Is it a name for an object (`let`), which is no evidence for people?
    pub fn is_name(&self) -> bool {
        self.id.starts_with('$')
    }
}

/// A query over facts.
#[derive(Debug, Clone)]
pub enum Query {
    /// Over objects.
    Object(ObjectQuery),
    /// Over log lines.
    Log(LogQuery),
}

/// A query over objects.
#[derive(Debug, Clone)]
pub struct ObjectQuery {
    /// Whose objects.
    pub target: Target,
    /// In which contexts.
    pub context: ContextSelector,
    /// Equalities that tie the object to the entity or to captures.
    pub joins: Vec<Join>,
    /// Choices by labels between the entity and the object.
    pub selects: Vec<Selects>,
    /// Conditions on the object that hold whatever the entity is.
    pub filter: Vec<Predicate>,
    /// Conditions on the object that compare it with a variable.
    pub tied: Vec<Predicate>,
    /// How many are wanted.
    pub count: CountWanted,
    /// What to take out of each match.
    pub captures: Vec<Capture>,
    /// Pairs that must differ.
    pub differs: Vec<(Operand, Operand)>,
    /// What must be missing for one of the values that the object names.
    pub each: Option<Each>,
    /// Paths that the report shows of each match.
    pub show: Vec<Path>,
}

/// The values at some paths of an object, each of which names another object: the query matches where one of those
/// does not exist.
#[derive(Debug, Clone)]
pub struct Each {
    /// Where the values stand.
    pub paths: Vec<Path>,
    /// The object that a value names. The value is the captured [`EACH`].
    pub exists: Box<ObjectQuery>,
    /// The name under which the values without an object are captured.
    pub missing: String,
}

/// The name of the variable that stands for one value of `each`.
pub const EACH: &str = "each";

/// Whose objects a query reads.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Target {
    /// The entity's own object: interval [0, 1], no list needed.
    Entity,
    /// Objects of these kinds.
    Kinds(Vec<KindName>),
}

/// In which contexts a query looks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ContextSelector {
    /// The entity's own.
    Own,
    /// Those of a role.
    Role(String),
    /// The workload context of the Cluster that the operand names.
    WorkloadOf(Operand),
}

/// An equality between a path of the object and a variable.
#[derive(Debug, Clone)]
pub struct Join {
    /// Path in the object.
    pub path: Path,
    /// What it must equal.
    pub is: Operand,
}

/// A selector that must choose an object by its labels. One of the two stands in the entity, the other in the object.
#[derive(Debug, Clone)]
pub struct Selects {
    /// Path of the selector.
    pub selector: Path,
    /// Path of the labels.
    pub labels: Path,
    /// The selector is the entity's, and the labels are the object's.
    pub by_entity: bool,
}

/// The value of a variable or a constant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Operand {
    /// The entity itself: its name (of a group, its value).
    Entity,
    /// `$entity.name`, `$entity.namespace`, `$entity.context`.
    EntityAttribute(String),
    /// `$entity.spec.x`.
    EntityPath(Path),
    /// `$captured`.
    Captured(String),
    /// A constant.
    Constant(String),
}

/// A condition on one path.
#[derive(Debug, Clone)]
pub struct Predicate {
    /// The path.
    pub path: Path,
    /// Other paths where the same may stand: the test passes if it does at one of them, and a test that negates
    /// (`not_equals`, `not_in`, `is_set: false`, `age_known: false`) if it does at all of them.
    pub or_paths: Vec<Path>,
    /// Other paths that are tested instead of the first: the first that is set, where that surely is not.
    pub else_paths: Vec<Path>,
    /// The test.
    pub test: Test,
    /// API versions that have the path (`v1beta1`); empty means all. Predicates with versions are
    /// alternatives among each other, chosen by the version of the object.
    pub api: Vec<String>,
}

/// A test of the value at a path.
#[derive(Debug, Clone)]
pub enum Test {
    /// Equal to this.
    Equals(Value),
    /// Set, and not equal to this.
    NotEquals(Value),
    /// One of these.
    In(Vec<Value>),
    /// None of these, and set.
    NotIn(Vec<Value>),
    /// Set, or not set.
    IsSet(bool),
    /// Text that begins so.
    StartsWith(String),
    /// Text that ends so.
    EndsWith(String),
    /// Text that contains this, or a list with this item.
    Contains(String),
    /// Text that matches.
    Matches(LazyRegex),
    /// Text that says what a group of `patterns/wordings.yaml` does, or one of its classes.
    Says(String, Option<String>),
    /// A number or a duration in seconds compared with a constant.
    Compare(Ordering, f64),
    /// A number compared with the number at another path of the same object.
    ComparePath(Ordering, Path),
    /// A time compared with the clock of the bundle.
    Age(AgeTest),
    /// A value compared with another one of the bundle.
    Against(Comparison, Other),
}

/// How a value compares with another one of the bundle.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Comparison {
    /// The same text.
    Same,
    /// Both are set, and not the same.
    Differs,
    /// An earlier time.
    Earlier,
    /// A later time.
    Later,
    /// A time longer before the bundle than the other, which is a duration.
    Older,
    /// A time less long before the bundle than the other, which is a duration.
    Younger,
}

/// What a value is compared with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Other {
    /// The value at another path of the same object.
    Path(Path),
    /// A variable: such predicates stand in [`ObjectQuery::tied`].
    Variable(Operand),
}

/// A test of how long ago a time was, measured at the moment of the bundle.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AgeTest {
    /// At least so many seconds ago.
    OlderThan(i64),
    /// Less than so many seconds ago, or still to come.
    YoungerThan(i64),
    /// Past, or due in less than so many seconds.
    DueWithin(i64),
    /// Whether the age can be told at all.
    Known(bool),
}

/// A comparison.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ordering {
    /// `lt`
    Less,
    /// `lte`
    LessOrEqual,
    /// `gt`
    Greater,
    /// `gte`
    GreaterOrEqual,
}

/// How many matches are wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CountWanted {
    /// At least this many.
    pub min: u64,
    /// At most this many; `None` means any number.
    pub max: Option<u64>,
}

/// What to take out of a match.
#[derive(Debug, Clone)]
pub struct Capture {
    /// The path whose text is read; for log queries `None`: the line.
    pub path: Option<Path>,
    /// Other paths whose texts are read as well.
    pub or_paths: Vec<Path>,
    /// The whole value under this name, if there is no regex.
    pub name: Option<String>,
    /// Alternatives; a text that is there and matches none of them is *unknown*.
    pub variants: Vec<Variant>,
    /// What the text means by this group of `patterns/wordings.yaml` is taken instead of the text.
    pub wording: Option<String>,
    /// What a long message comes down to ([`facts::in_short`]) is taken instead of the text.
    pub in_short: bool,
    /// The text where none of the paths is set.
    pub default: Option<String>,
}

/// What stands above a finding in which one wording of a message was found.
#[derive(Debug, Clone)]
pub struct VariantHeadline {
    /// The mark of the wording, see [`Variant::mark`].
    pub mark: String,
    /// Its regex, for people.
    pub regex: String,
    /// The texts.
    pub headline: BTreeMap<VerdictWord, Template>,
}

/// One wording of a message.
#[derive(Debug, Clone)]
pub struct Variant {
    /// First product version with it, for people.
    pub since: Option<String>,
    /// Last product version with it, for people.
    pub until: Option<String>,
    /// The regex; its named groups are captures.
    pub regex: LazyRegex,
    /// A name that a row carries if this wording was found, where it has headlines of its own. Nobody can write it.
    pub mark: Option<String>,
}

/// A query over log lines.
#[derive(Debug, Clone)]
pub struct LogQuery {
    /// Class of streams to read (`patterns/sources.yaml`); `None` means all.
    pub source: Option<String>,
    /// In which contexts.
    pub context: ContextSelector,
    /// A line counts if one of these literals is in it.
    pub any: Vec<String>,
    /// A line counts only if all of these are in it.
    pub all: Vec<String>,
    /// Sifts the lines that a literal hit, and captures by its named groups.
    pub captures: Vec<Capture>,
    /// Counts streams by their last state instead of lines.
    pub state: Option<StateQuery>,
    /// How many lines (or streams) are wanted.
    pub count: CountWanted,
    /// How a line names the entity it belongs to.
    pub attribute: Vec<Attribute>,
    /// Only lines this near to the as-of clock or to other evidence.
    pub within: Option<Within>,
    /// Only lines of the entity's own stream.
    pub own: bool,
    /// Only lines in so many last seconds of their stream.
    pub lately: Option<i64>,
    /// Only if so many seconds lie between the first and the last of the lines of a stream.
    pub lasting: Option<i64>,
}

/// `down` and `up` literals; in each stream the last match wins.
#[derive(Debug, Clone)]
pub struct StateQuery {
    /// Texts that say it is broken.
    pub down: Vec<String>,
    /// Texts that say it is well.
    pub up: Vec<String>,
}

/// How a line names its entity.
#[derive(Debug, Clone)]
pub struct Attribute {
    /// The regex with the group `named`.
    pub regex: LazyRegex,
    /// What the group must equal to count for an entity.
    pub is: Operand,
}

/// A time window.
#[derive(Debug, Clone)]
pub struct Within {
    /// Seconds.
    pub seconds: i64,
    /// Of this evidence; `None` means of the as-of clock.
    pub of: Option<String>,
}

/// Text with `{placeholders}`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Template(pub Vec<Piece>);

/// A piece of a template.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Piece {
    /// Plain text.
    Text(String),
    /// `{name}` or `{entity.path}`, without the braces.
    Placeholder(String),
    /// `[[known|otherwise]]`: read only if every placeholder in it has a value.
    Clause {
        /// What is read then; holds a placeholder, and no clause.
        known: Vec<Piece>,
        /// What is read if one has none; may be empty.
        otherwise: Vec<Piece>,
    },
}

/// When which verdict holds.
#[derive(Debug, Clone)]
pub struct VerdictRules {
    /// Mandatory.
    pub confirmed: Condition,
    /// Optional.
    pub probable: Option<Condition>,
    /// Optional.
    pub resolved: Option<Condition>,
    /// Optional.
    pub ruled_out: Option<Condition>,
    /// Reason to suspect; `None` means any hallmark.
    pub suspect: Option<Condition>,
}

/// A condition over evidence ids.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Condition {
    /// An evidence by its index in [`Signature::evidence`].
    Evidence(usize),
    /// Not.
    Not(Box<Condition>),
    /// All.
    And(Vec<Condition>),
    /// Any.
    Or(Vec<Condition>),
    /// At least this many.
    AtLeast(usize, Vec<Condition>),
}

/// What to do about a finding.
#[derive(Debug, Clone, Default)]
pub struct Remediation {
    /// Steps, in order.
    pub steps: Vec<RemedyStep>,
    /// What people try in vain.
    pub does_not_help: Vec<Advice>,
    /// What makes it worse.
    pub do_not: Vec<Advice>,
    /// How to see that it is well again.
    pub verify: Vec<Template>,
}

/// One step of a remedy.
#[derive(Debug, Clone)]
pub struct RemedyStep {
    /// What to do.
    pub action: Template,
    /// The step is for cases in which this holds; `None` is all.
    pub when: Option<Condition>,
    /// It is not for cases in which this holds.
    pub unless: Option<Condition>,
    /// It is not for entities that fail one of these.
    pub filter: Vec<Predicate>,
    /// It is for cases in which what was said matches this, if one of the steps is.
    pub said: Option<LazyRegex>,
    /// A command to copy.
    pub command: Option<Template>,
    /// Why.
    pub because: Option<Template>,
    /// How dangerous.
    pub risk: Option<Risk>,
    /// Whose approval it needs.
    pub approval: Option<String>,
    /// What to check before.
    pub before: Vec<String>,
}

/// How dangerous a step is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Risk {
    /// Changes nothing that matters.
    Safe,
    /// Interrupts something.
    Disruptive,
    /// Destroys something.
    Destructive,
}

/// An action with its reason.
#[derive(Debug, Clone)]
pub struct Advice {
    /// The action.
    pub action: Template,
    /// It is for cases in which this holds; `None` is all.
    pub when: Option<Condition>,
    /// It is not for cases in which this holds.
    pub unless: Option<Condition>,
    /// It is not for entities that fail one of these.
    pub filter: Vec<Predicate>,
    /// Why it does not help, or what it breaks.
    pub because: Template,
}

/// How two signatures hang together.
#[derive(Debug, Clone)]
pub struct Relation {
    /// The kind of relation.
    pub kind: RelationKind,
    /// Id of the other signature.
    pub to: String,
    /// Which entities it connects: pairs of operands, the left of this finding, the right of the other.
    /// Empty means: the same context.
    pub matches: Vec<(String, String)>,
    /// By what the two are told apart.
    pub by: Option<String>,
    /// Ids of evidence of the other signature, any of which says that it does not follow.
    pub unless: Vec<String>,
}

/// The kinds of relation.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, serde::Serialize, serde::Deserialize, schemars::JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum RelationKind {
    /// This finding causes the other one.
    Causes,
    /// This finding contains the other one.
    Implies,
    /// The two look alike and are not the same.
    DistinctFrom,
}

/// What to hand to support.
#[derive(Debug, Clone)]
pub struct Escalation {
    /// To whom.
    pub to: String,
    /// From which verdict on.
    pub when: VerdictWord,
    /// What the packet holds.
    pub include: Vec<PacketItem>,
}

/// One item of an escalation packet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PacketItem {
    /// Its title.
    pub title: String,
    /// `entity`, `all`, or the id of an evidence.
    pub from: String,
    /// At most this many lines.
    pub lines: Option<usize>,
}
