//! Paths into objects: `status.conditions[type=NodeHealthy].status`.
//!
//! Grammar: dotted field names; `["key"]` for keys with dots and slashes; `[name=value]` picks the items
//! of a list whose field `name` has that value; `[*]` takes all items; `[3]` one of them. Field names
//! match as [`crate::node::same_field`] says, keys in quotes match exactly.
//!
//! Invariant: parsing never panics; a path that does not parse says at which byte and what was expected.

use crate::node::same_field;
use foldhash::HashMap;
use nom::branch::alt;
use nom::bytes::complete::{take_till1, take_while1};
use nom::character::complete::{char, digit1, none_of};
use nom::combinator::{cut, eof, map, map_res, recognize, value};
use nom::error::{ErrorKind, FromExternalError, ParseError};
use nom::multi::{fold_many0, many0};
use nom::sequence::{delimited, preceded, separated_pair, terminated};
use nom::{IResult, Parser};
use std::cell::RefCell;
use std::fmt;
use std::rc::Rc;

/// Most steps that a path may have. Objects nest less deep than this in every published CRD.
const MAX_STEPS: usize = 64;

/// Most paths that a thread remembers.
const MOST_SHARED: usize = 4096;

thread_local! {
    static SHARED: RefCell<HashMap<String, Rc<Path>>> = RefCell::default();
}

/// A parsed path.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Path(pub Vec<Step>);

/// One step of a path.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Step {
    /// A field by name.
    Field(String),
    /// A key by its exact text.
    Key(String),
    /// The items of a list whose field has this value.
    Pick {
        /// The field of the item.
        field: String,
        /// The value that it must have, compared as text.
        value: String,
    },
    /// All items of a list.
    All,
    /// One item of a list, from 0.
    Index(usize),
}

impl fmt::Display for Path {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, step) in self.0.iter().enumerate() {
            match step {
                Step::Field(name) if i == 0 => f.write_str(name)?,
                Step::Field(name) => write!(f, ".{name}")?,
                Step::Key(key) => write!(f, "[\"{}\"]", escape(key))?,
                Step::Pick { field, value } if value.is_empty() || value.contains([']', '"', '\'', '\\']) => {
                    write!(f, "[{field}=\"{}\"]", escape(value))?;
                }
                Step::Pick { field, value } => write!(f, "[{field}={value}]")?,
                Step::All => f.write_str("[*]")?,
                Step::Index(i) => write!(f, "[{i}]")?,
            }
        }
        Ok(())
    }
}

/// Text as it stands between double quotes in a path.
fn escape(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"")
}

impl Step {
    /// Do two steps go the same way? Field names compare as [`same_field`] says; a key in quotes is a
    /// field whose case counts.
    pub fn same_as(&self, other: &Step) -> bool {
        match (self, other) {
            (Step::Field(a), Step::Field(b)) => same_field(a, b),
            (Step::Key(a), Step::Key(b) | Step::Field(b)) | (Step::Field(a), Step::Key(b)) => a == b,
            (Step::Pick { field: a, value: x }, Step::Pick { field: b, value: y }) => same_field(a, b) && x == y,
            (a, b) => a == b,
        }
    }

    /// Does it go to the field of this name?
    pub fn is_named(&self, name: &str) -> bool {
        match self {
            Step::Field(field) => same_field(field, name),
            Step::Key(key) => key == name,
            _ => false,
        }
    }

    /// It takes items out of a list by something else than their place.
    pub fn selects(&self) -> bool {
        matches!(self, Step::Pick { .. } | Step::All)
    }
}

impl Path {
    /// Reads a path.
    ///
    /// # Errors
    /// If the text is not a path, with the byte where reading stopped and what was expected there.
    pub fn parse(text: &str) -> Result<Self, PathError> {
        let failed = |offset: usize, expected: &'static str| PathError { text: text.to_owned(), offset, expected };
        match path(text) {
            Ok((_, steps)) if steps.len() > MAX_STEPS => {
                Err(failed(text.len(), "at most 64 steps; name the field more directly"))
            }
            Ok((_, steps)) => Ok(Self(steps)),
            Err(nom::Err::Error(e) | nom::Err::Failure(e)) => Err(failed(text.len() - e.rest.len(), e.expected)),
            Err(nom::Err::Incomplete(_)) => Err(failed(text.len(), "more text")),
        }
    }

    /// The same, remembered: for the few paths that a program asks for again and again.
    ///
    /// # Errors
    /// As [`Path::parse`].
    pub fn shared(text: &str) -> Result<Rc<Self>, PathError> {
        if let Some(path) = SHARED.with_borrow(|paths| paths.get(text).cloned()) {
            return Ok(path);
        }
        let path = Rc::new(Self::parse(text)?);
        SHARED.with_borrow_mut(|paths| {
            if paths.len() < MOST_SHARED {
                paths.insert(text.to_owned(), path.clone());
            }
        });
        Ok(path)
    }

    /// Is `self` a path to `other` or to something above it?
    pub(crate) fn is_prefix_of(&self, other: &Path) -> bool {
        self.0.len() <= other.0.len() && self.0.iter().zip(&other.0).all(|(a, b)| a.same_as(b))
    }
}

/// A text that is no path.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{text}` is not a path: at byte {offset}, expected {expected}; write it like `status.conditions[type=Ready].status` or `metadata.labels[\"a.b/c\"]`"
)]
pub struct PathError {
    /// The text as given.
    pub text: String,
    /// The byte where reading stopped, from 0.
    pub offset: usize,
    /// What was expected there.
    pub expected: &'static str,
}

/// The error of the grammar below: where, and what was expected.
#[derive(Debug)]
struct Failed<'a> {
    rest: &'a str,
    expected: &'static str,
}

impl<'a> ParseError<&'a str> for Failed<'a> {
    fn from_error_kind(rest: &'a str, _kind: ErrorKind) -> Self {
        Self { rest, expected: "a path" }
    }

    fn append(_rest: &'a str, _kind: ErrorKind, other: Self) -> Self {
        other
    }
}

impl<'a, E> FromExternalError<&'a str, E> for Failed<'a> {
    fn from_external_error(rest: &'a str, _kind: ErrorKind, _error: E) -> Self {
        Self { rest, expected: "an index that fits a number" }
    }
}

type Parsed<'a, T> = IResult<&'a str, T, Failed<'a>>;

/// Names what was expected where a parser fails.
fn expect<'a, T>(
    expected: &'static str,
    mut parser: impl Parser<&'a str, Output = T, Error = Failed<'a>>,
) -> impl FnMut(&'a str) -> Parsed<'a, T> {
    move |input| {
        parser.parse(input).map_err(|error| match error {
            nom::Err::Error(e) => nom::Err::Error(Failed { rest: e.rest, expected }),
            other => other,
        })
    }
}

fn path(input: &str) -> Parsed<'_, Vec<Step>> {
    let (rest, first) = alt((map(field, |name| vec![name]), map(bracket, |step| vec![step])))
        .parse(input)
        .map_err(|error| name_expected(error, input, "a field name or `[`"))?;
    let (rest, more) =
        many0(alt((preceded(char('.'), cut(expect("a field name after the dot", field))), bracket))).parse(rest)?;
    let (rest, _) = expect("`.`, `[` or the end", eof).parse(rest)?;
    Ok((rest, first.into_iter().chain(more).collect()))
}

/// Rewrites a recoverable error as one of its own place.
fn name_expected<'a>(error: nom::Err<Failed<'a>>, rest: &'a str, expected: &'static str) -> nom::Err<Failed<'a>> {
    match error {
        nom::Err::Error(_) => nom::Err::Error(Failed { rest, expected }),
        other => other,
    }
}

fn name(input: &str) -> Parsed<'_, &str> {
    take_while1(|c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '/' | '$' | ':' | '@')).parse(input)
}

fn field(input: &str) -> Parsed<'_, Step> {
    map(name, |name| Step::Field(name.to_owned())).parse(input)
}

fn bracket(input: &str) -> Parsed<'_, Step> {
    let inside = alt((
        value(Step::All, char('*')),
        map(quoted, Step::Key),
        map(separated_pair(name, char('='), cut(picked)), |(field, value)| Step::Pick {
            field: field.to_owned(),
            value,
        }),
        map_res(digit1, |digits: &str| digits.parse().map(Step::Index)),
    ));
    let inside = expect("`\"key\"`, `name=value`, `*` or an index", inside);
    preceded(char('['), cut(terminated(inside, expect("`]`", char(']'))))).parse(input)
}

fn picked(input: &str) -> Parsed<'_, String> {
    alt((quoted, map(expect("a value", take_till1(|c| c == ']')), str::to_owned))).parse(input)
}

fn quoted(input: &str) -> Parsed<'_, String> {
    let text = |quote: char, others: &'static str| {
        let piece = alt((
            preceded(char('\\'), cut(expect("a character after `\\`", recognize(none_of(""))))),
            recognize(none_of(others)),
        ));
        let text = fold_many0(piece, String::new, |mut text, piece: &str| {
            text.push_str(piece);
            text
        });
        delimited(char(quote), text, cut(expect("the closing quote", char(quote))))
    };
    alt((text('"', "\"\\"), text('\'', "'\\"))).parse(input)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn shape(text: &str) -> String {
        match Path::parse(text) {
            Ok(path) => format!("{:?}", path.0),
            Err(error) => format!("{}: expected {}", error.offset, error.expected),
        }
    }

    #[test]
    fn paths_and_their_steps() {
        insta::assert_snapshot!(shape("spec"), @r#"[Field("spec")]"#);
        insta::assert_snapshot!(shape("metadata.labels[\"a.b/c\"]"), @r#"[Field("metadata"), Field("labels"), Key("a.b/c")]"#);
        insta::assert_snapshot!(shape("metadata.labels['a.b/c']"), @r#"[Field("metadata"), Field("labels"), Key("a.b/c")]"#);
        insta::assert_snapshot!(shape("status.conditions[type=Ready].status"), @r#"[Field("status"), Field("conditions"), Pick { field: "type", value: "Ready" }, Field("status")]"#);
        insta::assert_snapshot!(shape("a[*].b[3]"), @r#"[Field("a"), All, Field("b"), Index(3)]"#);
        insta::assert_snapshot!(shape("a[type=\"x]y\"]"), @r#"[Field("a"), Pick { field: "type", value: "x]y" }]"#);
        insta::assert_snapshot!(shape("data.kubeadm-config"), @r#"[Field("data"), Field("kubeadm-config")]"#);
        insta::assert_snapshot!(shape("roles[3=x]"), @r#"[Field("roles"), Pick { field: "3", value: "x" }]"#);
    }

    #[test]
    fn errors_say_where_and_what_was_expected() {
        insta::assert_snapshot!(shape(""), @"0: expected a field name or `[`");
        insta::assert_snapshot!(shape(".spec"), @"0: expected a field name or `[`");
        insta::assert_snapshot!(shape("spec..x"), @"5: expected a field name after the dot");
        insta::assert_snapshot!(shape("spec.x y"), @"6: expected `.`, `[` or the end");
        insta::assert_snapshot!(shape("a[type=]"), @"7: expected a value");
        insta::assert_snapshot!(shape("a[]"), @r#"2: expected `"key"`, `name=value`, `*` or an index"#);
        insta::assert_snapshot!(shape("a[\"b]"), @"5: expected the closing quote");
        insta::assert_snapshot!(shape("a[type=x"), @"8: expected `]`");
        insta::assert_snapshot!(shape("a[99999999999999999999999]"), @r#"2: expected `"key"`, `name=value`, `*` or an index"#);
    }

    #[test]
    fn a_field_covers_what_lies_below_it_in_any_spelling() {
        let prefix = |a: &str, b: &str| Path::parse(a).unwrap().is_prefix_of(&Path::parse(b).unwrap());
        assert!(prefix("status.lastTransitionTime", "Status.lasttransitiontime"));
        assert!(prefix("metadata.labels", "metadata.labels[\"x\"]"));
        assert!(!prefix("metadata.labels[\"x\"]", "metadata.labels"));
        assert!(!prefix("status.conditions[type=Ready].status", "status.conditions[type=Other].status"));
    }

    proptest! {
        #[test]
        fn parsing_never_panics(text in "\\PC{0,40}") {
            let _ = Path::parse(&text);
        }

        #[test]
        fn a_printed_path_reads_back(steps in prop::collection::vec(
            prop_oneof![
                "[a-zA-Z][a-zA-Z0-9]{0,8}".prop_map(Step::Field),
                "\\PC{0,8}".prop_map(Step::Key),
                ("[a-z]{1,5}", "\\PC{0,8}").prop_map(|(field, value)| Step::Pick { field, value }),
                Just(Step::All),
                (0usize..1000).prop_map(Step::Index),
            ],
            1..8,
        )) {
            let path = Path(steps);
            let printed = path.to_string();
            prop_assert_eq!(Path::parse(&printed).ok(), Some(path), "{}", printed);
        }
    }
}
