//! What a line must hold for a condition on its text to be true.
//!
//! Why: who looks for ten lines of five million must not have the rest masked, made into rows and thrown away.
//!
//! Invariant: a line without any of the needles makes the condition false, or null, or what stands in its [`Otherwise`]; what
//! cannot be told gives none.

use lines::Needles;
use polars_lazy::dsl::{Expr, FunctionExpr, Operator, StringFunction, lit};
use regex_syntax::hir::{Class, Hir, HirKind};

/// Texts of which each line must hold one, and whether it may hold it in its message alone.
#[derive(Debug, PartialEq)]
struct Needed {
    texts: Vec<String>,
    in_message: bool,
}

/// The needles of a condition; `None` if a line can fulfil it without any that can be told.
pub(crate) fn of(condition: &Expr) -> Option<Needles> {
    let Needed { texts, in_message } = needed(condition)?;
    Needles::new(&texts, in_message)
}

/// A condition that the text of a line decides only if a needle stands in it.
pub(crate) struct Otherwise {
    pub(crate) needles: Needles,
    /// The condition for lines without any; it names no text.
    pub(crate) condition: Expr,
}

/// What a condition says of a line in which none of its needles stands; `None` if the text of that line still decides.
pub(crate) fn otherwise(condition: &Expr) -> Option<Otherwise> {
    let mut all = Needed { texts: Vec::new(), in_message: false };
    let condition = condition.clone().map_expr(|part| match asked(&part) {
        // A line always has a text and a message, so what it does not hold is not null either.
        Some((needed, holds)) => {
            all.texts.extend(needed.texts);
            all.in_message |= needed.in_message;
            lit(!holds)
        }
        None => part,
    });
    let names_a_text = (&condition).into_iter().any(|part| match part {
        Expr::Column(_) => in_message(part).is_some(),
        Expr::Selector(_) => true,
        _ => false,
    });
    let needles = Needles::new(&all.texts, all.in_message).filter(|_| !names_a_text)?;
    Some(Otherwise { needles, condition })
}

/// What a line must hold for one comparison with its text to be true, or (second) to be false.
fn asked(part: &Expr) -> Option<(Needed, bool)> {
    if let Expr::BinaryExpr { left, op: Operator::NotEq, right } = part {
        return Some((equal(left, right)?, false));
    }
    let is_comparison = matches!(
        part,
        Expr::BinaryExpr { op: Operator::Eq, .. } | Expr::Function { function: FunctionExpr::StringExpr(_), .. }
    );
    is_comparison.then(|| needed(part)).flatten().map(|needed| (needed, true))
}

fn equal(left: &Expr, right: &Expr) -> Option<Needed> {
    let (in_message, text) = [(left, right), (right, left)]
        .into_iter()
        .find_map(|(column, text)| Some((in_message(column)?, literal(text)?)))?;
    Some(Needed { texts: vec![text.to_owned()], in_message })
}

fn needed(condition: &Expr) -> Option<Needed> {
    match condition {
        Expr::BinaryExpr { left, op: Operator::And | Operator::LogicalAnd, right } => {
            match (needed(left), needed(right)) {
                // The longer their shortest text, the fewer lines have one of them.
                (Some(one), Some(other)) => Some(if one.shortest() < other.shortest() { other } else { one }),
                (one, other) => one.or(other),
            }
        }
        Expr::BinaryExpr { left, op: Operator::Or | Operator::LogicalOr, right } => {
            let (mut one, other) = (needed(left)?, needed(right)?);
            one.texts.extend(other.texts);
            one.in_message |= other.in_message;
            Some(one)
        }
        Expr::BinaryExpr { left, op: Operator::Eq, right } => equal(left, right),
        Expr::Function {
            input,
            function: FunctionExpr::StringExpr(StringFunction::Contains { literal: plain, .. }),
        } => {
            let [column, text] = input.as_slice() else { return None };
            let (in_message, text) = (in_message(column)?, literal(text)?);
            let text = if *plain { text.to_owned() } else { longest(text)? };
            Some(Needed { texts: vec![text], in_message })
        }
        _ => None,
    }
}

impl Needed {
    fn shortest(&self) -> usize {
        self.texts.iter().map(String::len).min().unwrap_or_default()
    }
}

/// Is it one of the columns with the text of a line, and is it what the line says?
fn in_message(column: &Expr) -> Option<bool> {
    let Expr::Column(name) = column else { return None };
    match name.as_str() {
        "text" => Some(false),
        "message" => Some(true),
        _ => None,
    }
}

fn literal(expr: &Expr) -> Option<&str> {
    let Expr::Literal(value) = expr else { return None };
    value.extract_str()
}

/// The longest text that stands, in any case, in whatever a regex finds.
fn longest(regex: &str) -> Option<String> {
    let hir = regex_syntax::Parser::new().parse(regex).ok()?;
    let mut runs = vec![String::new()];
    collect(&hir, &mut runs);
    runs.into_iter().max_by_key(String::len).filter(|run| !run.is_empty())
}

/// Adds to the last of the runs what must follow it, and begins a new one where anything may stand.
fn collect(hir: &Hir, runs: &mut Vec<String>) {
    match hir.kind() {
        HirKind::Literal(literal) => match std::str::from_utf8(&literal.0) {
            Ok(text) => runs.last_mut().into_iter().for_each(|run| run.push_str(text)),
            Err(_) => runs.push(String::new()),
        },
        HirKind::Class(class) => match letter(class) {
            Some(letter) => runs.last_mut().into_iter().for_each(|run| run.push(letter)),
            None => runs.push(String::new()),
        },
        HirKind::Concat(parts) => parts.iter().for_each(|part| collect(part, runs)),
        HirKind::Capture(capture) => collect(&capture.sub, runs),
        HirKind::Look(_) | HirKind::Empty => {}
        HirKind::Repetition(_) | HirKind::Alternation(_) => runs.push(String::new()),
    }
}

/// The ASCII letter that a class stands for, in both its cases.
fn letter(class: &Class) -> Option<char> {
    let Class::Unicode(class) = class else { return None };
    let mut letters = class.ranges().iter().map(|range| (range.start() == range.end()).then_some(range.start()));
    let (upper, lower) = (letters.next()??, letters.next()??);
    let is_letter = lower.is_ascii_lowercase() && lower.to_ascii_uppercase() == upper && letters.next().is_none();
    is_letter.then_some(lower)
}

#[cfg(test)]
mod tests {
    use super::*;
    use polars_lazy::dsl::{col, lit};

    fn texts(condition: &Expr) -> Option<(Vec<String>, bool)> {
        needed(condition).map(|needed| (needed.texts, needed.in_message))
    }

    fn like(column: &str, regex: &str) -> Expr {
        col(column).str().contains(lit(regex), true)
    }

    #[test]
    fn the_longest_text_of_a_regex_is_looked_for() {
        let own = |regex: &str| longest(regex);
        assert_eq!(own("(?s)^.*no space left.*on.*$").as_deref(), Some("no space left"));
        assert_eq!(own("^(?is).*time.out.*$").as_deref(), Some("time"));
        // The long s and the sign for Kelvin are letters of these too.
        assert_eq!(own("(?i)disk full").as_deref(), Some(" full"));
        assert_eq!(own("etcd|kubelet"), None);
        assert_eq!(own("(x+)?"), None);
        assert_eq!(own("(?s)^.*$"), None);
        assert_eq!(own("(broken"), None);
    }

    #[test]
    fn a_condition_that_may_hold_without_a_text_has_no_needle() {
        let one = like("text", "disk");
        assert_eq!(texts(&one), Some((vec!["disk".to_owned()], false)));
        assert_eq!(texts(&one.clone().and(col("level").eq(lit("error")))), Some((vec!["disk".to_owned()], false)));
        assert_eq!(texts(&one.clone().and(like("message", "no space"))), Some((vec!["no space".to_owned()], true)));
        let either = one.clone().or(like("message", "space"));
        assert_eq!(texts(&either), Some((vec!["disk".to_owned(), "space".to_owned()], true)));
        assert_eq!(texts(&one.clone().or(col("level").eq(lit("error")))), None);
        assert_eq!(texts(&one.clone().not()), None);
        assert_eq!(texts(&like("pod", "etcd")), None);
        assert_eq!(texts(&lit("quit").eq(col("message"))), Some((vec!["quit".to_owned()], true)));
    }

    #[test]
    fn without_its_needles_a_line_is_decided_by_the_rest() {
        let of = |condition: Expr| otherwise(&condition).map(|otherwise| otherwise.condition);
        let is_error = || col("level").eq(lit("error"));
        assert_eq!(of(like("message", "disk").not()), Some(lit(false).not()));
        assert_eq!(of(like("text", "disk").or(is_error())), Some(lit(false).or(is_error())));
        assert_eq!(of(col("message").neq(lit("quit")).and(is_error())), Some(lit(true).and(is_error())));
        assert_eq!(of(lit("quit").eq(col("message")).not()), Some(lit(false).not()));
        // A text of which nothing is known decides by itself.
        assert_eq!(of(like("message", "etcd|kubelet").not()), None);
        assert_eq!(of(like("message", "disk").not().and(col("message").is_null())), None);
        assert_eq!(of(is_error()), None);
    }
}
