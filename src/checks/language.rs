//! The language in which `patterns/checks.yaml` states a check that compares fields with what they must be.
//!
//! A check has `tests`. A test reads a field (`path`) of each object that it names (`of`, or the check's), may
//! compare it with a value of another object (`with`), and goes through its `cases` in their order: the first
//! that holds gives its sentence as `pass`, `fail`, `warn` or `unknown`, or nothing where it has none. `must_be`
//! is short for the cases of a field that must have one value. A test `otherwise` is held if none before it said anything.
//!
//! What a test looks at can be more than an object: `each` item of a list or entry of a map, all objects `together`,
//! a line of a log, a value of the installation, or several `values`. `leads_to` joins the object with the one that the field names.
//! `flaws` are said in one sentence, all that hold.
//!
//! Invariants: keys that are not listed here are refused; a field that nothing shows meets no case but
//! `is: not-shown`, and an object that is not there none but `is: missing` or `is: not-collected`, so a check
//! never judges what it did not see.

use crate::outcome::State;
use crate::select::{Objects, Reading, Reference};
use crate::sentence::Sentence;
use facts::lazy_regex::LazyRegex;
use serde::Deserialize;

/// What must hold for a check, a test or a case to apply; all that is given must.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Guard {
    /// One of these infrastructure providers.
    pub provider: Vec<String>,
    /// Of a pair: one of these on any side.
    pub provider_of_any: Vec<String>,
    /// None of these.
    pub not_provider: Vec<String>,
    /// The edition is, or is not, a revised one.
    pub revised: Option<bool>,
    /// The platform is, or is not, installed; of a pair, on any side.
    pub installed: Option<bool>,
    /// It is, or is not, one of a pair of which both sides were given.
    pub of_pair: Option<bool>,
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Test {
    /// When it applies.
    pub only: Guard,
    /// Of a pair: the side it looks at.
    pub on: On,
    /// Held only if no test before it said anything.
    pub otherwise: bool,
    /// The objects it looks at, where they are not those of the check.
    pub of: Option<Objects>,
    /// Looks at these values at once, where it looks at no objects; those that are not known are `{missing}`.
    pub values: Vec<Named>,
    /// Looks at each item of this list, or entry of this map, of the objects.
    pub each: Option<Reading>,
    /// Looks at all objects at once: at their number, or at the different values of the field.
    pub together: bool,
    /// Looks at those alone of which all this holds.
    pub having: Vec<Case>,
    /// Looks at lines alone that are of Pods, or files, whose names begin so.
    pub logged_by: Option<String>,
    /// Looks at lines alone that were written so many minutes before the end of the log, or when nobody knows.
    pub lately: Option<i64>,
    /// Looks at one line of each log alone.
    pub once_per_log: bool,
    /// Looks at so many at most.
    pub most: Option<usize>,
    /// Looks at the last alone.
    pub latest: bool,
    /// The field it reads; without it the name.
    pub path: Option<Reading>,
    /// The part of its text that cases are held against: the first group, or all that matches.
    pub find: Option<Pattern>,
    /// What sentences call the field.
    pub named: Option<Sentence>,
    /// The value that the field is compared with.
    pub with: Option<Reference>,
    /// The field must have this value.
    pub must_be: Option<Sentence>,
    /// A list or map must have these items or keys, and those that it lacks are `{missing}`.
    pub items: Vec<String>,
    /// Each item of a list must match this, and those that do not are `{missing}`.
    pub items_like: Option<Pattern>,
    /// The object must have these fields, and those that it lacks are `{missing}`.
    pub fields: Vec<Reading>,
    /// The kind of the object whose name the field is; `own` where the kind stands beside the name.
    pub leads_to: Option<String>,
    /// What is wrong with it; the words of all that hold are `{flaws}`.
    pub flaws: Vec<Case>,
    /// What is said of it, the first that holds.
    pub cases: Vec<Case>,
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

/// A value of the installation, with what sentences call it.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Named {
    #[serde(default)]
    pub named: String,
    pub value: Reference,
}

/// A condition and what is said where it holds; a condition that is not given holds. Below `having` and `if` it says
/// nothing, and may be held against a `value` of its own; below `unless` it is the shape of a `value`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Case {
    /// When it applies.
    pub only: Guard,
    /// Of the object that is looked at (`own PATH`) or of another: what a condition reads instead of the field.
    pub value: Option<Reference>,
    /// What a condition compares it with.
    pub with: Option<Reference>,
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
    /// What its text must not match.
    pub unlike: Option<Pattern>,
    /// What holds of other fields and objects; all must.
    #[serde(rename = "if")]
    pub conditions: Vec<Case>,
    /// There are so many objects, items or entries at least.
    pub at_least: Option<usize>,
    /// It is a number above this; a number that is not there is 0.
    pub above: Option<i64>,
    /// It is a number not above this.
    pub up_to: Option<i64>,
    /// It is a time more than so many minutes before the end of what was collected.
    pub older: Option<i64>,
    /// What the value matches that it is compared with.
    pub other: Option<Pattern>,
    /// Whether it is the value that it is compared with, of a list its one item; holds in neither form where that
    /// value is not known.
    pub same: Option<bool>,
    /// How it compares with the value that it is compared with; holds in neither form where that is not known.
    pub compares: Option<Comparison>,
    /// How it surely does not compare with it.
    pub compares_not: Option<Comparison>,
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
    /// Does it judge by what is not in a list or map?
    pub(super) fn asks_for_all(&self) -> bool {
        matches!(self.is, Some(Shape::Lacking | Shape::LackingAll))
            || matches!(self.compares_not, Some(Comparison::Has | Comparison::HasAddress | Comparison::SameItems))
            || self.compares == Some(Comparison::SameItems)
    }

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

/// How a value compares with another; that it does not is known only where both are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Comparison {
    /// A list that has it as an item.
    Has,
    /// A list of addresses, with the lengths of their networks or without, that has it.
    HasAddress,
    /// An item of the other.
    Among,
    /// A list of the same items, whatever their order.
    SameItems,
    /// A tree that is equal whatever the order of keys, or the same secret.
    Alike,
    /// An earlier time.
    Earlier,
    /// A later time.
    Later,
    /// A version of the same minor release, or of an earlier one.
    NotNewer,
    /// The text that the other, or one of its items, begins with.
    Begins,
    /// A smaller number.
    Below,
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
    /// It lacks some of the items or fields that it must have.
    Lacking,
    /// It lacks all of them.
    LackingAll,
    /// Some flaws hold.
    Flawed,
    /// There are several values.
    Various,
    /// A point in time.
    Time,
    /// A time, and the end of what was collected is known.
    Aged,
    /// An address of IP.
    Address,
    /// An address by which the bootstrap host alone reaches itself.
    BootstrapOnly,
    /// It does not have the part that is looked at.
    WithoutPart,
    /// No text shows the whole of it, so that something of it may have been cut off.
    Cut,
    /// It was masked.
    Masked,
    /// It was masked, and its shape is known.
    HasMask,
    /// Masked or not: base64.
    Base64,
    /// Base64 of a text that ends in a line end.
    Base64LineEnd,
    /// Base64 of a token.
    Base64Token,
    /// A token as it is.
    Token,
    /// Any other text that should be one of these.
    Plain,
    /// The object that it names is there.
    There,
    /// That object surely does not exist.
    Nowhere,
    /// No list proves that there are no others.
    NotListed,
    /// The value that it is compared with is not known.
    OtherUnknown,
}

/// What a sentence rests on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Cite {
    /// The object, item or line; of several together the list that proves that there are no others.
    Object,
    /// The field alone.
    Field,
    /// The first of several together.
    First,
    /// The value that it is compared with.
    Other,
    /// The value that it is compared with, then the field.
    OtherFirst,
    /// The field, then the value that it is compared with.
    OwnFirst,
}

/// A regular expression.
#[derive(Debug, Clone, Deserialize)]
#[serde(try_from = "String")]
pub(crate) struct Pattern(LazyRegex);

impl TryFrom<String> for Pattern {
    type Error = Box<regex_syntax::Error>;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        LazyRegex::parse(&text).map(Self)
    }
}

impl Pattern {
    /// Does it match somewhere in a text?
    pub(super) fn is_match(&self, text: &str) -> bool {
        self.0.is_match(text) == Some(true)
    }

    /// What it finds in a text: the first group, or all that matches.
    pub(super) fn found_in(&self, text: &str) -> Option<String> {
        let found = self.0.captures(text)?;
        Some(found.get(1).or_else(|| found.get(0))?.as_str().to_owned())
    }
}

impl PartialEq for Pattern {
    fn eq(&self, other: &Self) -> bool {
        self.0.as_str() == other.0.as_str()
    }
}

impl Eq for Pattern {}
