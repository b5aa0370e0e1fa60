//! Why something is unknown, as data.
//!
//! A report says the reason in words (`reasons`); what kind of thing is missing decides whether collecting more
//! could help (`asks`), and follows from the reason's variant.

use catalogue::nouns;
use diagnosis::model::GapCause as Cause;
use facts::kind::KindName;
use facts::object::{ContextId, ObjectId};
use facts::path::Path;
use facts::presence::How;
use facts::store::Facts;
use facts::unknown::{Unknown, Unproven, WhyUnproven};

/// One reason for not knowing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Gap {
    pub why: Why,
    /// The kind of object that would have to be collected, and where, if one.
    pub wants: Option<(ContextId, KindName)>,
}

/// A path of objects of a kind: only with its kind can it be said in words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PathOf {
    pub kind: KindName,
    pub path: Path,
}

impl PathOf {
    /// A path of this object.
    pub fn of(facts: &Facts, id: ObjectId, path: &Path) -> Self {
        Self { kind: facts.object(id).kind.clone(), path: path.clone() }
    }
}

/// Why something is not known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Why {
    /// The path of an object is not known, for this reason, which does not name the path itself.
    OfPath { path: PathOf, name: String, why: Box<Why> },
    /// A value is masked; the path, where it has to be named.
    Masked(Option<PathOf>),
    /// A look-up is unknown.
    LookUp(Unknown),
    /// The form shows only some items of a list; the path of the list, where it has to be named.
    SomeItems(Option<PathOf>),
    /// The form prints the same for not set and empty.
    NotSetOrEmpty,
    /// Values that leave a test open; whether one of them is known within bounds.
    Reads(Vec<String>, bool),
    /// The values at two paths, which do not compare.
    NotCompared(String, String),
    /// The object was not seen in one of these API versions.
    Version(KindName, String, Vec<String>),
    /// Sightings differ in a path.
    Differ(PathOf),
    /// No known wording matches the text at this path of the object of this name.
    NoWording(PathOf, String),

    /// Nothing says when the bundle was made.
    NoClock,
    /// The clock of the bundle states no zone, and it matters.
    NoZone,
    /// Values that are neither times nor ages.
    NoTime(Vec<String>),
    /// Sources give different times.
    TimesDiffer,
    /// An item of a list that is there and states no time.
    TimeNotStated,
    /// The value at a path and the one that it is compared with do not tell.
    NotComparable(PathOf),

    /// The object that it is about is not in the bundle: its kind and name.
    NoObject(String, String),
    /// It is not known whether a context is a cluster of this role.
    RoleUnknown(String, String),
    /// The `where` of the entity cannot be told.
    Filter,
    /// An object that is known only because another refers to it: kind, name, and by what.
    Referred(KindName, String, String),
    /// An object that could be one of several.
    OneOfSeveral(KindName, String),
    /// An object that may be gone: something says so, and it is not known that this was later.
    MayBeGone(KindName, String, How),
    /// The value at this path rests on an object that may be gone.
    InDispute(PathOf),
    /// So many objects do not show whether they belong to it.
    Unrelated(u64),
    /// There may be others that nobody saw.
    Unproven(Unproven),

    /// The namespace of this entity was never shown.
    NoNamespace(String),
    /// No attribute of an entity.
    NoAttribute(String),
    /// A name without a value.
    NoValue(String),
    /// Nothing that was found says what these names are.
    NotCaptured(Vec<String>),
    /// What must differ is not known on both sides.
    NotOnBothSides,
    /// The name of the cluster is not set.
    NoCluster,
    /// There may be other values of these names; whether a limit of Casefile cut them.
    OtherValues(Vec<String>, bool),

    /// So many lines are not known to be within so many seconds of another evidence, or of the bundle's own clock.
    NotNear(usize, i64, Option<String>),
    /// So many lines cannot be tied to this entity.
    Untied(usize, String),
    /// No log was collected; of this class, if one was asked for.
    NoLog(Option<String>),
    /// No such line in so many streams.
    NoLine(usize),
    /// No such line in the log that is the entity.
    NotInThatLog,
    /// So many such lines of that log state no time, so that nobody knows how long ago they were written.
    Undated(usize),
    /// What is shown of that log up to such a line spans so many seconds alone.
    ShownFor(i64),
    /// Only so many such lines.
    FewLines(usize),

    /// No cluster of this role was recognised.
    NoRole(String),
    /// There may be clusters of this role that are not in the bundle.
    MoreOfRole(String),
    /// Nothing is known to come from this workload cluster.
    NothingOf(String),
}

impl Why {
    /// What kind of thing is missing.
    pub fn cause(&self) -> Cause {
        match self {
            Self::OfPath { why, .. } => why.cause(),
            // Sources that disagree cannot be helped by collecting more, a form that does not show the path can.
            Self::LookUp(Unknown::Disagree(_)) | Self::Masked(_) | Self::Differ(_) | Self::RoleUnknown(..) => {
                Cause::Conflict
            }
            Self::TimesDiffer | Self::NotComparable(_) | Self::MayBeGone(..) | Self::InDispute(_) => Cause::Conflict,
            Self::LookUp(Unknown::NotShown { .. } | Unknown::LeftOpen(_))
            | Self::NoTime(_)
            | Self::TimeNotStated
            | Self::SomeItems(_)
            | Self::NotSetOrEmpty
            | Self::Version(..)
            | Self::Filter
            | Self::OneOfSeveral(..)
            | Self::Unrelated(_) => Cause::Form,
            // A number known within bounds would be narrower with more collected; values that differ stay.
            Self::Reads(_, true) => Cause::Coverage,
            Self::Reads(_, false) => Cause::Conflict,
            Self::NoWording(..) => Cause::Wording,
            Self::Unproven(unproven) => match unproven.why {
                WhyUnproven::Truncated(_) | WhyUnproven::Forgotten => Cause::Limit,
                WhyUnproven::TwoClusters(_) => Cause::Conflict,
                // Nothing that could be collected is a whole list of them.
                _ if nouns::put_together_from(&unproven.kind).is_some() => Cause::Form,
                _ => Cause::Coverage,
            },
            Self::NoNamespace(_)
            | Self::NoAttribute(_)
            | Self::NoValue(_)
            | Self::NotCaptured(_)
            | Self::NotOnBothSides
            | Self::NoCluster => Cause::Unbound,
            Self::OtherValues(_, true) => Cause::Limit,
            Self::Untied(..) => Cause::Attribution,
            Self::NoClock
            | Self::NoZone
            | Self::NotCompared(..)
            | Self::NoObject(..)
            | Self::Referred(..)
            | Self::OtherValues(_, false)
            | Self::NotNear(..)
            | Self::NoLog(_)
            | Self::NoLine(_)
            | Self::NotInThatLog
            | Self::Undated(_)
            | Self::ShownFor(_)
            | Self::FewLines(_)
            | Self::NoRole(_)
            | Self::MoreOfRole(_)
            | Self::NothingOf(_) => Cause::Coverage,
        }
    }

    /// Is all there but when the bundle was made, or in which time zone?
    pub(crate) fn is_of_the_clock(&self) -> bool {
        match self {
            Self::OfPath { why, .. } => why.is_of_the_clock(),
            why => matches!(why, Self::NoClock | Self::NoZone),
        }
    }

    /// Does the sentence of this reason name the path?
    pub(crate) fn names(&self, path: &Path) -> bool {
        matches!(self, Self::LookUp(Unknown::NotShown { path: own, .. }) if own == path)
    }
}

impl Gap {
    /// A gap that no kind of object fills.
    pub fn new(why: Why) -> Self {
        Self { why, wants: None }
    }

    /// The same gap, filled by collecting a kind in a context.
    #[must_use]
    pub(crate) fn wanting(mut self, context: ContextId, kind: &KindName) -> Self {
        self.wants = Some((context, kind.clone()));
        self
    }

    /// What kind of thing is missing.
    pub fn cause(&self) -> Cause {
        self.why.cause()
    }

    /// Could collecting more tell?
    pub(crate) fn can_be_collected(&self) -> bool {
        matches!(self.cause(), Cause::Coverage | Cause::Form)
    }
}
