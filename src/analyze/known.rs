//! What is known, or why it is not: the answer of every question that an analyzer asks.
//!
//! Why: Troubleshoot reads a file, and where the file is missing it fails, passes or stays silent, each analyzer in its
//! own way. Here a question that the bundle does not answer has an answer of its own, with its reason.
//!
//! Invariant: no code reads the sentence of a reason.

use facts::origin::Citation;
use facts::outside::Outside;
use std::fmt;

/// A value, or why it is open.
pub(crate) type Known<T> = Result<T, Open>;

/// Why something is open, and what was seen of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Open {
    pub why: Why,
    pub at: Vec<Citation>,
}

/// Why something is open.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Why {
    /// A type of analyzer that is in no list of ours.
    NoSuchType,
    /// A type that a bundle cannot answer, or that is not answered; the reason is data.
    NotAnswered(String),
    /// No cluster was found in the bundle.
    NoCluster,
    /// A file that the collector of this analyzer writes.
    NoFile(String),
    /// No file either, in a bundle of another collector.
    OtherLayout(String),
    /// The log of a container that a collector of the spec selects.
    NoLog(String),
    /// Files can only be read a second time if the bundle is one.
    Stdin,
    /// The file was not held: together they are too large.
    NotHeld(String),
    /// The file was cut, and what was read does not decide.
    Cut(String),
    /// The file is not of its form.
    Unreadable(String, String),
    /// The collector wrote why it failed.
    CollectorFailed(String),
    /// Nobody knows whether there are others: the words of `facts::whole`.
    NotWhole(String),
    /// A field that no form in which the object was seen shows, or about which sightings differ.
    NotShown {
        object: String,
        path: String,
    },
    /// A value that was masked.
    Masked(String),
    /// The version of the API server: none, or several.
    NoVersion,
    Versions(Vec<String>),
    /// A version that is none by semver.
    BadVersion(String),
    /// A condition of the spec that cannot be read.
    BadWhen {
        when: String,
        expected: &'static str,
    },
    /// A setting of the spec that cannot be used.
    BadSetting {
        name: &'static str,
        expected: String,
    },
    /// No node shows the resource.
    NoQuantity(String),
    /// When the bundle was collected is not known.
    NoClock,
    /// Several objects have the name, and the spec names no namespace.
    SeveralNamed(String),
}

impl Open {
    pub(crate) fn of(why: Why) -> Self {
        Self { why, at: Vec::new() }
    }
}

impl From<Why> for Open {
    fn from(why: Why) -> Self {
        Self::of(why)
    }
}

impl fmt::Display for Why {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoSuchType => f.write_str("Casefile does not know this type of analyzer"),
            Self::NotAnswered(why) => f.write_str(why),
            Self::NoCluster => f.write_str("no object of a cluster is in the bundle"),
            Self::NoLog(whose) => write!(f, "the log of {whose} was not collected"),
            Self::OtherLayout(file) => write!(
                f,
                "no file `{file}` is in the bundle, which Troubleshoot did not make; logs of other layouts are found if the \
                 spec has the `logs` collector whose name the path begins with"
            ),
            Self::NoFile(file) => write!(f, "no file `{file}` is in the bundle: its collector did not run, or failed"),
            Self::Stdin => f.write_str("files of a bundle on standard input cannot be read; save it and name the file"),
            Self::NotHeld(file) => {
                write!(f, "`{file}` was not held, since the files together are too large; raise --max-memory")
            }
            Self::Cut(file) => write!(f, "only the beginning of `{file}` was read, and it does not decide"),
            Self::Unreadable(file, why) => write!(f, "`{file}` cannot be read: {why}"),
            Self::CollectorFailed(why) => write!(f, "the collector failed: {why}"),
            Self::NotWhole(why) => f.write_str(why),
            Self::NotShown { object, path } => write!(f, "`{path}` of {object} was not collected, or sightings differ"),
            Self::Masked(what) => write!(f, "{what} was masked"),
            Self::NoVersion => f.write_str("the version of the API server was not collected (kubectl version)"),
            Self::Versions(all) => write!(f, "the bundle states several versions: {}", all.join(", ")),
            Self::BadVersion(text) => write!(f, "`{text}` is not a semantic version"),
            Self::BadWhen { when, expected } => write!(f, "`when: {when}` cannot be read; write {expected}"),
            Self::BadSetting { name, expected } => write!(f, "`{name}` of the spec cannot be used: {expected}"),
            Self::NoQuantity(what) => write!(f, "no matching node shows {what}"),
            Self::NoClock => f.write_str("the bundle does not tell when it was collected; name the time with --as-of"),
            Self::SeveralNamed(name) => write!(f, "several objects are called {name}; name a namespace in the spec"),
        }
    }
}

/// A text as it may be shown.
pub(crate) fn shown(text: &str) -> String {
    Outside::from(text).into()
}
