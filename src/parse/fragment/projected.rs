//! What `jq` and `jsonpath` picked out of one object that the command names: its conditions, a field, a line for each.
//!
//! Why: who knows what is wrong pastes the one field that says so, and the command above it tells where it stood.
//!
//! Invariants: the object is that of the command, by kind and name; what was picked is set where the expression says that it
//! stood, and proves nothing of the rest; an answer that is a whole object is none of these.

use crate::fragment::{Fragment, Place, marks};
use crate::json;
use facts::node::{Node, Value};
use facts::object::Form;
use facts::record::{Command, Parsed};
use nom::branch::alt;
use nom::bytes::complete::{tag, take_till1, take_while1};
use nom::character::complete::{char, one_of, space0};
use nom::combinator::{map, opt, value};
use nom::multi::many0;
use nom::sequence::{delimited, preceded};
use nom::{IResult, Parser};

pub(super) const FRAGMENT: Fragment = Fragment { length, read };

/// Before the expression of a filter in the output of a command; see [`crate::transcript`].
pub(crate) const FILTER: &str = "jq=";

/// Most lines of fields that are read.
const MOST_ROWS: usize = 200;

/// A step of an expression.
#[derive(Debug, Clone, PartialEq)]
enum Step<'t> {
    Field(&'t str),
    /// `[*]`, `[]`, `[0]`
    Items,
    /// `[?(@.type=="Ready")]`, `| select(.type=="Ready")`
    OfType(&'t str),
}

/// Where an expression says that a value stood.
#[derive(Debug, PartialEq)]
struct Picked<'t> {
    /// The names of the fields down to the list, or to the value.
    path: Vec<&'t str>,
    /// Items of a list were picked.
    items: bool,
    /// Of them those of this type.
    of_type: Option<&'t str>,
    /// The field of each item.
    field: Option<&'t str>,
}

fn field(input: &str) -> IResult<&str, Step<'_>> {
    let name = take_while1(|c: char| c.is_ascii_alphanumeric() || c == '_');
    map(preceded(char('.'), name), Step::Field).parse(input)
}

fn items(input: &str) -> IResult<&str, Step<'_>> {
    let inside = alt((tag("*"), nom::character::complete::digit1, tag(":"), tag("-1")));
    value(Step::Items, delimited(char('['), opt(inside), char(']'))).parse(input)
}

fn of_type(input: &str) -> IResult<&str, Step<'_>> {
    let quoted = || delimited(one_of("\"'"), take_till1(|c| c == '"' || c == '\''), one_of("\"'"));
    let equals = || (space0, tag("=="), space0);
    let jsonpath = delimited((tag("[?("), tag("@.type")), preceded(equals(), quoted()), tag(")]"));
    let piped = (space0, opt(char('|')), space0, tag("select(.type"));
    let jq = delimited(piped, preceded(equals(), quoted()), char(')'));
    map(alt((jsonpath, jq)), Step::OfType).parse(input)
}

fn step(input: &str) -> IResult<&str, Step<'_>> {
    preceded(opt((space0, char('|'), space0)), alt((items, of_type, field))).or(of_type).parse(input)
}

/// Reads the first path of an expression that begins at a part of an object.
fn picked(expression: &str) -> Option<Picked<'_>> {
    let begins = |part: &str| {
        let mut found = expression.match_indices(part).map(|(at, _)| at);
        found.find(|at| expression[at + part.len()..].chars().next().is_none_or(|next| !next.is_ascii_alphanumeric()))
    };
    let start = [".status", ".spec", ".metadata"].iter().filter_map(|part| begins(part)).min()?;
    let (_, steps) = many0(step).parse(expression.get(start..)?).ok()?;
    let mut picked = Picked { path: Vec::new(), items: false, of_type: None, field: None };
    for step in steps {
        match step {
            Step::Field(name) if !picked.items => picked.path.push(name),
            Step::Field(name) => {
                picked.field.get_or_insert(name);
            }
            Step::Items => picked.items = true,
            Step::OfType(kind) => (picked.items, picked.of_type) = (true, Some(kind)),
        }
    }
    Some(picked)
}

/// The expression of a command that asked for one object.
fn expression(command: Option<&Command>) -> Option<Picked<'_>> {
    let command = command.filter(|command| command.verb == "get" && command.names.len() == 1)?;
    let output = command.output.as_deref()?;
    let rest =
        [FILTER, "jsonpath=", "go-template=", "jsonpath-as-json="].iter().find_map(|way| output.strip_prefix(way))?;
    picked(rest)
}

fn length(lines: &[&str], command: Option<&Command>) -> Option<usize> {
    let picked = expression(command)?;
    let lines = &lines[..lines.iter().position(|line| line.trim().is_empty()).unwrap_or(lines.len())];
    let first = lines.first()?.trim();
    if first.starts_with(['{', '[']) {
        let is_whole = lines.iter().take(4).any(|line| line.trim_start().starts_with("\"apiVersion\""));
        return (!is_whole).then_some(lines.len());
    }
    if picked.items && picked.of_type.is_none() {
        let rows = lines.iter().take(MOST_ROWS).take_while(|line| row(line).is_some()).count();
        return (rows > 0).then_some(rows);
    }
    // One value; an answer of kubectl is none.
    (!crate::answer::is_one(lines.first()?) && first.len() > 1).then_some(1)
}

/// Type, status, reason and message, as people let them be printed.
fn row(line: &str) -> Option<Vec<&str>> {
    let is_status = |text: &str| matches!(text, "True" | "False" | "Unknown");
    let is_type = |text: &str| {
        text.starts_with(|c: char| c.is_ascii_uppercase())
            && text.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'.' | b'/'))
    };
    for separator in ["\t", "=", ": ", ":", ",", " "] {
        let cells: Vec<&str> = line.trim_end().splitn(4, separator).map(str::trim).collect();
        if let [kind, status, ..] = cells.as_slice()
            && is_type(kind)
            && is_status(status)
        {
            return Some(cells);
        }
    }
    None
}

fn read(place: &Place<'_>, lines: &[&str]) -> Option<Parsed> {
    let picked = expression(place.command)?;
    place.kind()?;
    let node = value_of(place, &picked, lines)?;
    let mut root = Node::map(place.first);
    root.set_at(&picked.path, node);
    let mut parsed = Parsed::default();
    marks::add(place, 0, root, Form::Json, &mut parsed).then_some(parsed)
}

/// The value that stood at the path.
fn value_of(place: &Place<'_>, picked: &Picked<'_>, lines: &[&str]) -> Option<Node> {
    let first = lines.first()?.trim();
    let list = |items: Vec<Node>| Node::new(place.first, Value::List(items));
    if first.starts_with(['{', '[']) {
        let above = "\n".repeat(usize::try_from(place.first).unwrap_or(1).saturating_sub(1));
        let mut values = json::json_values(&format!("{above}{}\n", lines.join("\n")), place.limits.nesting);
        let is_list = |node: &Node| matches!(node.value, Value::List(_));
        return match (picked.items, values.len()) {
            (_, 0) => None,
            (true, 1) if values.first().is_some_and(is_list) => values.pop(),
            (true, _) => Some(list(values)),
            (false, _) => values.into_iter().next(),
        };
    }
    if let Some(kind) = picked.of_type {
        let mut item = Node::map(place.first);
        item.set("type", Node::text(place.first, kind));
        item.set(picked.field?, Node::text(place.first, first));
        return Some(list(vec![item]));
    }
    if picked.items {
        let items = lines.iter().enumerate().filter_map(|(at, line)| {
            let number = place.line(at);
            let mut item = Node::map(number);
            for (name, cell) in ["type", "status", "reason", "message"].iter().zip(row(line)?) {
                item.set(name, Node::text(number, cell));
            }
            Some(item)
        });
        return Some(list(items.collect()));
    }
    Some(Node::text(place.first, first))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn show(expression: &str) -> String {
        let Some(picked) = picked(expression) else { return "-".to_owned() };
        let items = if picked.items { "[]" } else { "" };
        format!("{}{items} {:?} {:?}", picked.path.join("."), picked.of_type, picked.field)
    }

    #[test]
    fn expressions_tell_where_a_value_stood() {
        for (expression, expected) in [
            ("{.status.conditions}", "status.conditions None None"),
            ("'.status.conditions[] | {type,status}'", "status.conditions[] None None"),
            (
                "{.status.conditions[?(@.type==\"NodeDegraded\")].message}{\"\\n\"}",
                "status.conditions[] Some(\"NodeDegraded\") Some(\"message\")",
            ),
            (
                ".status.conditions[] | select(.type == \"Ready\") | .message",
                "status.conditions[] Some(\"Ready\") Some(\"message\")",
            ),
            ("{range .status.conditions[*]}{.type}{\"\\t\"}{.status}{end}", "status.conditions[] None None"),
            (".status.placementStatuses[] | {clusterName}", "status.placementStatuses[] None None"),
            ("{.status.phase}", "status.phase None None"),
            (".statuses", "-"),
            (".", "-"),
        ] {
            assert_eq!(show(expression), expected, "{expression}");
        }
    }

    #[test]
    fn rows_of_conditions() {
        assert_eq!(
            row("Initialized\tFalse\tFailed\tcannot go on"),
            Some(vec!["Initialized", "False", "Failed", "cannot go on"])
        );
        assert_eq!(row("Ready=False"), Some(vec!["Ready", "False"]));
        assert_eq!(row("Available\tTrue\t\tDone"), Some(vec!["Available", "True", "", "Done"]));
        for line in ["", "this is True or not", "Ready", "ready=False"] {
            assert_eq!(row(line), None, "{line}");
        }
    }
}
