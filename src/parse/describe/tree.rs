//! The indented body of a generic `kubectl describe`, back into a tree.
//!
//! Invariants: depth is bounded; every node has its line; a line that belongs nowhere is listed, not
//! dropped. The rules that restore lists and texts of several lines are in [`super`].

use crate::describe::outline::Line;
use facts::node::{Node, Value};
use facts::unread::WhyUnread;
use nom::branch::alt;
use nom::bytes::complete::{is_not, tag, take_while1};
use nom::character::complete::char;
use nom::combinator::{all_consuming, eof, map, opt, recognize, rest, value, verify};
use nom::multi::separated_list1;
use nom::sequence::{pair, preceded, terminated};
use nom::{IResult, Parser};

/// Levels of indentation that are followed; deeper lines are listed as unread.
const MAX_DEPTH: usize = 100;

/// The key and the value of `Key:  value`; no value for `Key:`. `None` if the line is no field.
///
/// A value stands at least two blanks behind the colon (or is empty), so `third: line` is no field.
pub(super) fn field(line: &str) -> Option<(&str, Option<&str>)> {
    let (_, found) = all_consuming(field_line).parse(line.trim_start_matches(' ')).ok()?;
    Some(found)
}

fn field_line(input: &str) -> IResult<&str, (&str, Option<&str>)> {
    pair(alt((title_key, raw_key)), colon).parse(input)
}

fn colon(input: &str) -> IResult<&str, Option<&str>> {
    preceded(
        char(':'),
        alt((
            value(None, eof),
            map(preceded(tag("  "), rest), |text: &str| Some(text.trim_start())),
            map(terminated(tag(" "), eof), |_| Some("")),
        )),
    )
    .parse(input)
}

/// Words as kubectl makes them of a camel-case key: `Last Transition Time`, `Kebab - Case`.
fn title_key(input: &str) -> IResult<&str, &str> {
    let word = alt((
        recognize(pair(
            verify(nom::character::complete::anychar, |c| c.is_uppercase()),
            opt(take_while1(|c: char| c.is_alphabetic())),
        )),
        take_while1(|c| c == '-'),
    ));
    terminated(recognize(separated_list1(char(' '), word)), nom::combinator::peek(char(':'))).parse(input)
}

/// A key that kubectl prints as it is, because it holds more than letters and dashes.
fn raw_key(input: &str) -> IResult<&str, &str> {
    let (_, token) = is_not(" ").parse(input)?;
    // The colon that ends the key is the last one of the word: `f:raw:`.
    let end = match token.rfind(':') {
        Some(end) if token.len() == end + 1 => end,
        _ => return Err(nom::Err::Error(nom::error::Error::new(input, nom::error::ErrorKind::Char))),
    };
    let key = &token[..end];
    let raw = key.starts_with(|c: char| c.is_alphanumeric() || c == '_' || c == '.')
        && key.chars().any(|c| !c.is_alphabetic() && c != '-');
    if raw {
        Ok((&input[end..], key))
    } else {
        Err(nom::Err::Error(nom::error::Error::new(input, nom::error::ErrorKind::Char)))
    }
}

/// The key of the object that a printed label was made of, as far as it can be told: the order of fields
/// is the order of these.
fn raw(label: &str) -> String {
    let mut raw = String::new();
    let mut lower = false;
    for (i, word) in label.split(' ').enumerate() {
        let acronym = matches!(word, "API" | "URL" | "UID" | "GUID");
        let capitals = word.len() > 1 && word.chars().all(|c| c.is_ascii_uppercase());
        let mut chars = word.chars();
        match chars.next() {
            _ if i == 0 && acronym => raw.push_str(&word.to_ascii_lowercase()),
            Some(first) if (i == 0 && !capitals) || lower => {
                raw.extend(first.to_lowercase());
                raw.push_str(chars.as_str());
            }
            _ => raw.push_str(word),
        }
        lower = word == "-";
    }
    raw
}

/// Reads the body of one object. Returns its fields as a map, and what was not understood.
pub(super) fn read(lines: &[Line<'_>]) -> (Node, Vec<(u32, WhyUnread)>) {
    let mut reader = Reader { lines, at: 0, top: None, unread: Vec::new() };
    let root = reader.level(0, 0);
    while let Some((number, line)) = reader.lines.get(reader.at) {
        if !line.trim().is_empty() {
            reader.unread.push((*number, WhyUnread::no("field of this object")));
        }
        reader.at += 1;
    }
    let line = lines.first().map_or(0, |(number, _)| *number);
    let root = match root.value {
        Value::Map(_) => root,
        _ => Node::map(line),
    };
    (root, reader.unread)
}

struct Reader<'a, 'b> {
    lines: &'b [Line<'a>],
    at: usize,
    /// The last key in the first column, as it was in the object.
    top: Option<String>,
    unread: Vec<(u32, WhyUnread)>,
}

fn indent(line: &str) -> usize {
    line.len() - line.trim_start_matches(' ').len()
}

impl<'a> Reader<'a, '_> {
    fn skip_blank(&mut self) {
        while self.lines.get(self.at).is_some_and(|(_, line)| line.trim().is_empty()) {
            self.at += 1;
        }
    }

    /// All fields at one indentation: a map, or a list of maps where keys start over.
    fn level(&mut self, wanted: usize, depth: usize) -> Node {
        let start = self.lines.get(self.at).map_or(0, |(number, _)| *number);
        let mut items: Vec<Node> = vec![Node::map(start)];
        let mut last: Option<String> = None;
        loop {
            self.skip_blank();
            let Some(&(number, line)) = self.lines.get(self.at) else { break };
            if indent(line) != wanted {
                break;
            }
            let Some((label, text)) = field(line) else { break };
            let raw = raw(label);
            let again = last.as_ref().is_some_and(|last| raw <= *last);
            if again {
                if wanted == 0 {
                    // The top level is one map: what starts over there is text.
                    break;
                }
                items.push(Node::map(number));
            }
            if wanted == 0 {
                self.top = Some(raw.clone());
            }
            last = Some(raw);
            self.at += 1;
            let node = match text {
                Some(text) => self.scalar(number, text, wanted),
                None => self.below(number, wanted, depth),
            };
            if let Some(Node { value: Value::Map(entries), .. }) = items.last_mut() {
                entries.push((label.into(), node));
            }
        }
        match items.len() {
            1 => items.pop().unwrap_or(Node::map(start)),
            _ => Node::new(start, Value::List(items)),
        }
    }

    /// What stands below `Key:`: fields, a list of scalars, or nothing.
    fn below(&mut self, number: u32, at: usize, depth: usize) -> Node {
        let empty = Node::new(number, Value::List(Vec::new()));
        let Some(&(_, line)) = self.lines.get(self.at) else { return empty };
        let inner = indent(line);
        if line.trim().is_empty() || inner <= at {
            return empty;
        }
        if depth >= MAX_DEPTH {
            self.unread.push((number, WhyUnread::TooDeep(MAX_DEPTH)));
            while self.lines.get(self.at).is_some_and(|(_, line)| indent(line) > at && !line.trim().is_empty()) {
                self.at += 1;
            }
            return Node::new(number, Value::REDACTED);
        }
        if field(line).is_some() {
            let mut node = self.level(inner, depth + 1);
            node.line = number;
            return node;
        }
        let mut items = Vec::new();
        while let Some(&(number, line)) = self.lines.get(self.at) {
            if indent(line) != inner || line.trim().is_empty() {
                break;
            }
            self.at += 1;
            items.push(self.scalar(number, &line[inner..], inner));
        }
        Node::new(number, Value::List(items))
    }

    /// A value with the lines that continue it: those that can be no field of an open level.
    fn scalar(&mut self, number: u32, text: &str, level: usize) -> Node {
        let mut whole = text.to_owned();
        let more = self.continuation(level);
        for (_, line) in &self.lines[self.at..self.at + more] {
            whole.push('\n');
            whole.push_str(line);
        }
        self.at += more;
        if more == 0 && text == "<nil>" {
            return Node::new(number, Value::Null);
        }
        Node::text(number, whole)
    }

    /// How many of the next lines continue the text above them.
    fn continuation(&self, level: usize) -> usize {
        let rest = &self.lines[self.at..];
        let mut count = 0;
        for (i, (_, line)) in rest.iter().enumerate() {
            if line.trim().is_empty() {
                continue;
            }
            if self.structural(line, level) {
                break;
            }
            count = i + 1;
        }
        count
    }

    /// Can this line be a field or an item of a level that is open, given that text stands at `level`?
    fn structural(&self, line: &str, level: usize) -> bool {
        let inner = indent(line);
        match field(line) {
            // A key in the first column of the object is letters only, in title case, and sorted.
            Some((key, _)) if inner == 0 => {
                key.chars().all(|c| c.is_alphabetic() || c == ' ')
                    && self.top.as_ref().is_none_or(|top| raw(key) > *top)
            }
            Some(_) => inner <= level && inner.is_multiple_of(2),
            // The next item of a list of scalars stands at the same indentation as the one before.
            None => inner == level && level > 0 && self.in_scalars(level),
        }
    }

    /// Is the line above an item of a list of scalars?
    fn in_scalars(&self, level: usize) -> bool {
        self.at
            .checked_sub(1)
            .and_then(|above| self.lines.get(above))
            .is_some_and(|(_, line)| indent(line) == level && field(line).is_none())
    }
}
