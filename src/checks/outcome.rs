//! What a check found: an outcome with its citations.
//!
//! Invariant: an outcome that is not [`State::Unknown`] cites what it rests on.

use facts::origin::Citation;
use serde::Deserialize;

/// How a check ended, the worst first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum State {
    /// Wrong.
    Fail,
    /// Not as documented, and perhaps meant so.
    Warn,
    /// An input is missing.
    Unknown,
    /// As documented.
    Pass,
}

impl State {
    /// Its word in the objects.
    pub(crate) fn word(self) -> &'static str {
        match self {
            State::Fail => "fail",
            State::Warn => "warn",
            State::Unknown => "unknown",
            State::Pass => "pass",
        }
    }

    /// Its word in a sentence.
    pub(crate) fn said(self) -> &'static str {
        match self {
            State::Fail => "wrong",
            State::Warn => "unusual",
            State::Unknown => "not known",
            State::Pass => "right",
        }
    }
}

/// One thing that a check found.
#[derive(Debug, Clone)]
pub(super) struct Outcome {
    pub state: State,
    /// What was found, a sentence without its full stop.
    pub sentence: String,
    pub citations: Vec<Citation>,
    /// The object that is wrong, where it is one among many.
    pub object: Option<String>,
}

/// What checks of one thing found.
pub(super) type Found = Vec<Outcome>;

impl Outcome {
    /// An outcome with what it rests on.
    pub(crate) fn new(
        state: State,
        sentence: impl Into<String>,
        citations: impl IntoIterator<Item = Citation>,
    ) -> Self {
        Self { state, sentence: sentence.into(), citations: citations.into_iter().collect(), object: None }
    }
}

/// As documented.
pub(super) fn pass(sentence: impl Into<String>, citations: impl IntoIterator<Item = Citation>) -> Outcome {
    Outcome::new(State::Pass, sentence, citations)
}

/// Wrong.
pub(super) fn fail(sentence: impl Into<String>, citations: impl IntoIterator<Item = Citation>) -> Outcome {
    Outcome::new(State::Fail, sentence, citations)
}

/// Not as documented, and perhaps meant so.
pub(super) fn warn(sentence: impl Into<String>, citations: impl IntoIterator<Item = Citation>) -> Outcome {
    Outcome::new(State::Warn, sentence, citations)
}

/// As documented, or wrong.
pub(super) fn judge(
    right: bool,
    sentence: impl Into<String>,
    citations: impl IntoIterator<Item = Citation>,
) -> Outcome {
    Outcome::new(if right { State::Pass } else { State::Fail }, sentence, citations)
}

/// An input is missing: which.
pub(super) fn unknown(sentence: impl Into<String>) -> Outcome {
    Outcome::new(State::Unknown, sentence, [])
}
