//! The grammar of verdict conditions: evidence ids, `and`, `or`, `not`, parentheses, `N of (a, b, c)`.
//!
//! ```text
//! or   = and { "or" and }
//! and  = not { "and" not }
//! not  = "not" not | atom
//! atom = "(" or ")" | NUMBER "of" "(" or { "," or } ")" | id
//! ```
//!
//! `not` binds closest, then `and`, then `or`. Words are lower case; ids are letters, digits and dashes.
//!
//! Invariants: parsing never panics, nesting is bounded by [`MAX_DEPTH`], and an error names the byte at
//! which it stands and what was expected there. Every parser eats the blanks *before* its token and none
//! after it, so that `(a)and b` and `( a ) and b` are both read.

use nom::{
    IResult, Parser,
    bytes::complete::{tag, take_while1},
    character::complete::{char, digit1, multispace0},
    error::{ErrorKind, ParseError},
    sequence::preceded,
};

/// How deep a condition may be nested.
pub const MAX_DEPTH: usize = 32;

/// A condition as it is written: ids are not yet looked up.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Expression {
    /// An evidence id and the byte where it stands.
    Id(String, usize),
    Not(Box<Expression>),
    And(Vec<Expression>),
    /// Any.
    Or(Vec<Expression>),
    /// At least this many.
    AtLeast(usize, Vec<Expression>),
}

impl Expression {
    /// Every id in it with the byte where it stands, in the order of the text.
    pub fn ids(&self) -> Vec<(&str, usize)> {
        match self {
            Expression::Id(id, at) => vec![(id, *at)],
            Expression::Not(inner) => inner.ids(),
            Expression::And(items) | Expression::Or(items) | Expression::AtLeast(_, items) => {
                items.iter().flat_map(Expression::ids).collect()
            }
        }
    }
}

/// What is wrong with a condition.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{expected}, at character {}", at + 1)]
pub struct ConditionError {
    /// Byte in the text.
    pub at: usize,
    /// What was expected there.
    pub expected: String,
}

/// Parses a condition.
///
/// # Errors
/// If the text is not a condition, with the place and what was expected there.
pub fn parse(text: &str) -> Result<Expression, ConditionError> {
    let grammar = Grammar { length: text.len() };
    match grammar.or(text, 0) {
        Ok((rest, expression)) => {
            let left = rest.trim_start();
            if left.is_empty() {
                return Ok(expression);
            }
            let expected = "expected `and`, `or` or the end of the condition".to_owned();
            Err(ConditionError { at: text.len() - left.len(), expected })
        }
        Err(nom::Err::Error(error) | nom::Err::Failure(error)) => {
            Err(ConditionError { at: text.len() - error.rest.trim_start().len(), expected: error.expected })
        }
        Err(nom::Err::Incomplete(_)) => {
            Err(ConditionError { at: text.len(), expected: "expected more text".to_owned() })
        }
    }
}

/// What a parser met and wanted instead.
#[derive(Debug)]
struct Expected<'a> {
    rest: &'a str,
    expected: String,
}

impl<'a> ParseError<&'a str> for Expected<'a> {
    fn from_error_kind(rest: &'a str, _: ErrorKind) -> Self {
        Self { rest, expected: "expected an evidence id".to_owned() }
    }

    fn append(_: &'a str, _: ErrorKind, other: Self) -> Self {
        other
    }
}

type Parsed<'a, T> = IResult<&'a str, T, Expected<'a>>;

fn fail<T>(rest: &str, expected: impl Into<String>) -> Parsed<'_, T> {
    Err(nom::Err::Failure(Expected { rest, expected: expected.into() }))
}

/// A word of letters, digits, dashes and underscores after blanks.
fn word(input: &str) -> Parsed<'_, &str> {
    preceded(multispace0, take_while1(|c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_')).parse(input)
}

/// Exactly this word.
fn keyword<'a>(input: &'a str, wanted: &str) -> Option<&'a str> {
    word(input).ok().filter(|(_, found)| *found == wanted).map(|(rest, _)| rest)
}

/// Exactly this sign after blanks.
fn sign(input: &str, wanted: char) -> Option<&str> {
    preceded(multispace0::<&str, Expected<'_>>, char(wanted)).parse(input).ok().map(|(rest, _)| rest)
}

/// The parsers; they know the length of the text, so that an id knows its place.
struct Grammar {
    length: usize,
}

impl Grammar {
    fn or<'a>(&self, input: &'a str, depth: usize) -> Parsed<'a, Expression> {
        self.chain(input, depth, "or", Self::and, Expression::Or)
    }

    fn and<'a>(&self, input: &'a str, depth: usize) -> Parsed<'a, Expression> {
        self.chain(input, depth, "and", Self::not, Expression::And)
    }

    /// `item { word item }`; a single item stands for itself.
    fn chain<'a>(
        &self,
        input: &'a str,
        depth: usize,
        joiner: &str,
        item: fn(&Self, &'a str, usize) -> Parsed<'a, Expression>,
        join: fn(Vec<Expression>) -> Expression,
    ) -> Parsed<'a, Expression> {
        let (mut rest, first) = item(self, input, depth)?;
        let mut items = vec![first];
        while let Some(after) = keyword(rest, joiner) {
            let (next, expression) = item(self, after, depth)?;
            items.push(expression);
            rest = next;
        }
        let single = if items.len() == 1 { items.pop() } else { None };
        Ok((rest, single.unwrap_or_else(|| join(items))))
    }

    fn not<'a>(&self, input: &'a str, depth: usize) -> Parsed<'a, Expression> {
        match keyword(input, "not") {
            Some(_) if depth >= MAX_DEPTH => fail(input, format!("expected at most {MAX_DEPTH} levels")),
            Some(rest) => {
                let (rest, inner) = self.not(rest, depth + 1)?;
                Ok((rest, Expression::Not(Box::new(inner))))
            }
            None => self.atom(input, depth),
        }
    }

    fn atom<'a>(&self, input: &'a str, depth: usize) -> Parsed<'a, Expression> {
        if depth >= MAX_DEPTH {
            return fail(input, format!("expected at most {MAX_DEPTH} levels"));
        }
        if let Some(inside) = sign(input, '(') {
            let (rest, inner) = self.or(inside, depth + 1)?;
            return match sign(rest, ')') {
                Some(rest) => Ok((rest, inner)),
                None => fail(rest, "expected `and`, `or` or `)`"),
            };
        }
        if let Some(counted) = self.at_least(input, depth)? {
            return Ok(counted);
        }
        let Ok((rest, id)) = word(input) else { return fail(input, "expected an evidence id, `not` or `(`") };
        if matches!(id, "and" | "or" | "of") {
            return fail(input, format!("expected an evidence id before `{id}`"));
        }
        Ok((rest, Expression::Id(id.to_owned(), self.length - rest.len() - id.len())))
    }

    /// `N of (a, b, c)`; `None` if the text does not begin so.
    fn at_least<'a>(
        &self,
        input: &'a str,
        depth: usize,
    ) -> Result<Option<(&'a str, Expression)>, nom::Err<Expected<'a>>> {
        let number: Parsed<'a, &str> = preceded(multispace0, digit1).parse(input);
        let Ok((after, number)) = number else { return Ok(None) };
        let Some(mut rest) = keyword(after, "of") else { return Ok(None) };
        let list: Parsed<'a, &str> = preceded(multispace0, tag("(")).parse(rest);
        let Ok((inside, _)) = list else { return fail(rest, "expected `(` after `of`").map(|(_, ())| None) };
        let mut items = Vec::new();
        let mut next = Some(inside);
        rest = inside;
        while let Some(start) = next {
            let (after, item) = self.or(start, depth + 1)?;
            items.push(item);
            rest = after;
            next = sign(after, ',');
        }
        let Some(end) = sign(rest, ')') else { return fail(rest, "expected `,` or `)`").map(|(_, ())| None) };
        match number.parse::<usize>() {
            Ok(count) if (1..=items.len()).contains(&count) => Ok(Some((end, Expression::AtLeast(count, items)))),
            _ => fail(input, format!("expected a number from 1 to {} before `of`", items.len())).map(|(_, ())| None),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Prints a condition with all its parentheses, or the error.
    fn show(text: &str) -> String {
        fn print(expression: &Expression) -> String {
            let join = |items: &[Expression], by: &str| items.iter().map(print).collect::<Vec<_>>().join(by);
            match expression {
                Expression::Id(id, at) => format!("{id}@{at}"),
                Expression::Not(inner) => format!("!{}", print(inner)),
                Expression::And(items) => format!("({})", join(items, " & ")),
                Expression::Or(items) => format!("({})", join(items, " | ")),
                Expression::AtLeast(count, items) => format!("{count}[{}]", join(items, ", ")),
            }
        }
        parse(text).map_or_else(|error| error.to_string(), |expression| print(&expression))
    }

    #[test]
    fn precedence_is_not_and_or() {
        insta::assert_snapshot!(show("a and not b or c"), @"((a@0 & !b@10) | c@15)");
        insta::assert_snapshot!(show("a or b and c"), @"(a@0 | (b@5 & c@11))");
        insta::assert_snapshot!(show("not (a or b-c) and d"), @"(!(a@5 | b-c@10) & d@19)");
        insta::assert_snapshot!(show("not not a"), @"!!a@8");
    }

    #[test]
    fn parentheses_need_no_blanks_around_them() {
        insta::assert_snapshot!(show("(a)and b"), @"(a@1 & b@7)");
        insta::assert_snapshot!(show("( a ) and ( b )"), @"(a@2 & b@12)");
        insta::assert_snapshot!(show("(a or b)  \n  and c"), @"((a@1 | b@6) & c@17)");
    }

    #[test]
    fn counts() {
        insta::assert_snapshot!(show("2 of (a, b and c, not d) and e"), @"(2[a@6, (b@9 & c@15), !d@22] & e@29)");
        insta::assert_snapshot!(show("2of(a,b)"), @"2[a@4, b@6]");
        insta::assert_snapshot!(show("3 of (a, b)"), @"expected a number from 1 to 2 before `of`, at character 1");
        insta::assert_snapshot!(show("2 of a, b"), @"expected `(` after `of`, at character 6");
    }

    #[test]
    fn ids_may_look_like_words() {
        insta::assert_snapshot!(show("android and order and not-ready and of-3"), @"(android@0 & order@12 & not-ready@22 & of-3@36)");
    }

    #[test]
    fn errors_say_where_and_what() {
        insta::assert_snapshot!(show(""), @"expected an evidence id, `not` or `(`, at character 1");
        insta::assert_snapshot!(show("a and"), @"expected an evidence id, `not` or `(`, at character 6");
        insta::assert_snapshot!(show("a or or b"), @"expected an evidence id before `or`, at character 6");
        insta::assert_snapshot!(show("(a and b"), @"expected `and`, `or` or `)`, at character 9");
        insta::assert_snapshot!(show("a b"), @"expected `and`, `or` or the end of the condition, at character 3");
        insta::assert_snapshot!(show("a && b"), @"expected `and`, `or` or the end of the condition, at character 3");
    }

    #[test]
    fn nesting_is_bounded() {
        assert!(parse(&format!("{}a{}", "(".repeat(20), ")".repeat(20))).is_ok());
        assert!(parse(&"(".repeat(100_000)).is_err());
        assert!(parse(&"not ".repeat(100_000)).is_err());
    }

    proptest::proptest! {
        #[test]
        fn never_panics(text in "[ab0-9() ,\\-é]*|(not |and |or |a |\\(|\\) ){0,20}") {
            let _ = parse(&text);
        }
    }
}
