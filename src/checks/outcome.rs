//! What a check found: an outcome with its place, and the few ways in which most of them come about.
//!
//! Invariant: an outcome that is not [`State::Unknown`] names the place it rests on.

use crate::thing::Field;
use facts::node::Node;
use facts::origin::Citation;

/// How a check ended, the worst first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum State {
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
    /// Right or wrong.
    pub fn of(right: bool) -> Self {
        if right { State::Pass } else { State::Fail }
    }

    /// Its word in the objects.
    pub fn word(self) -> &'static str {
        match self {
            State::Fail => "fail",
            State::Warn => "warn",
            State::Unknown => "unknown",
            State::Pass => "pass",
        }
    }

    /// Its word in a sentence.
    pub fn said(self) -> &'static str {
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

impl Outcome {
    /// An outcome with the places that it rests on.
    pub fn new(state: State, sentence: impl Into<String>, citations: impl IntoIterator<Item = Citation>) -> Self {
        Self { state, sentence: sentence.into(), citations: citations.into_iter().collect(), object: None }
    }

    /// Names the object that is wrong.
    pub fn about(mut self, object: &str) -> Self {
        self.object = Some(object.to_owned());
        self
    }

    /// An input is missing: which.
    pub fn unknown(sentence: impl Into<String>) -> Self {
        Self::new(State::Unknown, sentence, [])
    }
}

/// A field that must have one value; `what` names it in the sentence.
pub(super) fn must_be(what: &str, field: &Field<'_>, wanted: &str) -> Outcome {
    let Some(citation) = field.citation().filter(|_| !matches!(field, Field::Masked(_))) else {
        return Outcome::unknown(format!("{what} is not shown"));
    };
    let told = match field.text() {
        Some(text) if text == wanted => return Outcome::new(State::Pass, format!("{what} is `{text}`"), [citation]),
        Some(text) if !text.is_empty() => format!("{what} is `{text}`, not `{wanted}`"),
        _ if field.is_empty() => format!("{what} is not set; wanted is `{wanted}`"),
        _ => format!("{what} is no single value; wanted is `{wanted}`"),
    };
    Outcome::new(State::Fail, told, [citation])
}

/// A whole number with its place.
pub(super) fn number(field: &Field<'_>) -> Option<(i64, Citation)> {
    let number = field.node()?.value.integer()?;
    Some((i64::try_from(number).ok()?, field.citation()?))
}

/// A text that is set and not empty, with its place.
pub(super) fn valued(field: &Field<'_>) -> Option<(String, Citation)> {
    Some((field.text().filter(|text| !text.is_empty())?, field.citation()?))
}

/// The scalars of a list.
pub(super) fn texts(field: &Field<'_>) -> Vec<String> {
    field.node().map_or(&[][..], Node::elements).iter().filter_map(|item| item.value.scalar()).collect()
}
