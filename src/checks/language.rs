//! The language in which `patterns/checks.yaml` states a check that compares fields with what they must be.
//!
//! A check has `tests`. A test reads a field (`path`) of each object that it names (`of`, or the check's), may
//! compare it with a value of another object (`with`), and goes through its `cases` in their order: the first
//! that holds gives its sentence as `pass`, `fail`, `warn` or `unknown`, or nothing where it has none. `must_be`
//! is short for the cases of a field that must have one value. `compare` sets the two sides of a pair side by
//! side. `none` is said if no test said anything.
//!
//! Invariants: keys that are not listed here are refused; a field that nothing shows meets no case but
//! `is: not-shown`, and an object that is not there none but `is: missing` or `is: not-collected`, so a check
//! never judges what it did not see.

use crate::outcome::State;
use crate::select::{Objects, Reading, Reference};
use crate::sentence::Sentence;
use regex::Regex;
use serde::Deserialize;

/// What must hold for a check, a test or a case to apply; all that is given must.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Guard {
    /// One of these infrastructure providers.
    pub provider: Vec<String>,
    /// None of these.
    pub not_provider: Vec<String>,
    /// The edition is, or is not, a revised one.
    pub revised: Option<bool>,
    /// The platform is, or is not, installed; of a pair, on any side.
    pub installed: Option<bool>,
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Test {
    /// When it applies.
    pub only: Guard,
    /// Of a pair: the side it looks at.
    pub on: On,
    /// The objects it looks at, where they are not those of the check.
    pub of: Option<Objects>,
    /// Looks at those objects alone that have this value.
    pub having: Option<Having>,
    /// Looks at the first such object alone.
    pub first: bool,
    /// The field it reads; without it the name.
    pub path: Option<Reading>,
    /// What sentences call the field.
    pub named: Option<Sentence>,
    /// The value that the field is compared with.
    pub with: Option<Reference>,
    /// The field must have this value.
    pub must_be: Option<Sentence>,
    /// A list or map must have these items or keys, and those that it lacks are `{missing}`.
    pub items: Vec<String>,
    /// What is said of it, the first that holds.
    pub cases: Vec<Case>,
    /// Compares a value of both sides of a pair, instead of all this.
    pub compare: Option<Compare>,
}

/// Which side of a pair is looked at.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum On {
    /// Both, one after the other.
    #[default]
    Both,
    Primary,
    Standby,
}

/// A field that an object must have to be looked at.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Having {
    /// The field.
    pub path: Reading,
    /// Its text.
    pub equals: Option<String>,
    /// What its text matches.
    pub matches: Option<Pattern>,
    /// What its text must not match.
    pub unlike: Option<Pattern>,
}

/// One value of both sides of a pair.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Compare {
    /// What sentences call it.
    pub what: String,
    pub value: Reference,
    /// Must it be equal, or must it differ?
    pub equal: bool,
    /// How the check ends otherwise.
    pub otherwise: Option<State>,
}

/// A condition and what is said where it holds; a condition that is not given holds.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Case {
    /// When it applies.
    pub only: Guard,
    /// What the field is.
    pub is: Option<Shape>,
    /// What it is not.
    pub not: Option<Shape>,
    /// Its text.
    pub equals: Option<Sentence>,
    /// Texts, one of which it is.
    pub one_of: Vec<String>,
    /// What its text matches.
    pub matches: Option<Pattern>,
    /// What the value matches that it is compared with.
    pub other: Option<Pattern>,
    /// Whether it is the value that it is compared with, of a list its one item; holds in neither form where that
    /// value is not known.
    pub same: Option<bool>,
    /// It is right.
    pub pass: Option<Sentence>,
    /// It is wrong.
    pub fail: Option<Sentence>,
    /// It is unusual.
    pub warn: Option<Sentence>,
    /// It is not known.
    pub unknown: Option<Sentence>,
    /// The tests after it are not held against the object.
    pub last: bool,
    /// What the sentence rests on; without it the field, and the other value where `with` has one.
    pub cite: Option<Cite>,
}

impl Case {
    /// How the check ends, and the sentence.
    pub(super) fn said(&self) -> Option<(State, &Sentence)> {
        let all = [
            (State::Pass, &self.pass),
            (State::Fail, &self.fail),
            (State::Warn, &self.warn),
            (State::Unknown, &self.unknown),
        ];
        all.into_iter().find_map(|(state, sentence)| Some((state, sentence.as_ref()?)))
    }
}

/// What a field, or its object, is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Shape {
    /// There surely is no such object.
    Missing,
    /// Nothing shows such an object.
    NotCollected,
    /// Nothing shows the field.
    NotShown,
    /// It has a value.
    Set,
    /// It surely has none.
    Unset,
    /// It has none, or an empty one.
    Empty,
    /// A text, number or boolean.
    Scalar,
    /// The same, and not an empty text.
    Valued,
    /// A typed whole number.
    Int,
    /// A whole number, or a text that is one.
    Number,
    /// Its key stands there, whatever the value.
    Key,
    /// A typed boolean.
    Boolean,
    /// A typed boolean, or a text of a form without types.
    BooleanOrText,
    List,
    /// A list with items.
    Filled,
    /// It lacks some of the items that it must have.
    Lacking,
    /// It was masked.
    Masked,
    /// The value that it is compared with is not known.
    OtherUnknown,
}

/// What a sentence rests on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Cite {
    Object,
    /// The field alone.
    Field,
}

/// What is said if no test said anything.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Otherwise {
    /// Objects it rests on; without any of them nothing is said.
    pub of: Option<Objects>,
    /// It rests on the first alone.
    pub first: bool,
    /// One of them must show this.
    pub shown: Option<Reading>,
    /// It is right.
    pub pass: Option<Sentence>,
    /// It is not known.
    pub unknown: Option<Sentence>,
}

/// A regular expression.
#[derive(Debug, Clone, Deserialize)]
#[serde(try_from = "String")]
pub(crate) struct Pattern(pub(super) Regex);

impl TryFrom<String> for Pattern {
    type Error = regex::Error;

    fn try_from(text: String) -> Result<Self, regex::Error> {
        Regex::new(&text).map(Self)
    }
}

impl PartialEq for Pattern {
    fn eq(&self, other: &Self) -> bool {
        self.0.as_str() == other.0.as_str()
    }
}

impl Eq for Pattern {}
