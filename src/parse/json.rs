//! JSON to [`Node`], every node with the line it stands on.
//!
//! Why two steps: `serde_json` checks the syntax and cuts a document, or the items of a list, out of the
//! text as raw slices (nothing is built for what nobody reads); a small scanner then walks a checked slice
//! once and builds the tree with its lines. serde_json itself tells no positions.
//!
//! Invariants: integers stay exact; nesting is bounded before anything recurses; what was read before
//! damage is kept.

use facts::node::{Node, SmolStr, Value};
use serde::Deserializer as _;
use serde::de::{DeserializeSeed, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;
use std::fmt;

/// One JSON value of a text that may hold several, cut but not yet built.
#[derive(Debug)]
pub(super) struct Document<'a> {
    /// Byte at which it starts.
    pub start: usize,
    /// Byte after its last one (or after what could be read).
    pub end: usize,
    pub shape: Shape<'a>,
    /// Why reading it stopped before its end: byte and reason.
    pub damage: Option<(usize, String)>,
}

/// What stands at the top of a document.
#[derive(Debug)]
pub(super) enum Shape<'a> {
    /// A map with a list `items`: the other fields and the items.
    List { header: Vec<(String, &'a str)>, items: Vec<&'a str> },
    /// A bare array.
    Array(Vec<&'a str>),
    /// Anything else.
    Single,
}

#[derive(Default)]
struct Sink<'a> {
    header: Vec<(String, &'a str)>,
    items: Vec<&'a str>,
    is_list: bool,
    is_array: bool,
}

struct Top<'s, 'a>(&'s mut Sink<'a>);

impl<'s, 'de: 's> DeserializeSeed<'de> for Top<'s, 'de> {
    type Value = ();
    fn deserialize<D: serde::Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'s, 'de: 's> Visitor<'de> for Top<'s, 'de> {
    type Value = ();
    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON object or array")
    }
    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        while let Some(key) = map.next_key::<String>()? {
            if key == "items" {
                map.next_value_seed(Items(self.0))?;
            } else {
                let raw: &'de RawValue = map.next_value()?;
                self.0.header.push((key, raw.get()));
            }
        }
        Ok(())
    }
    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<(), A::Error> {
        self.0.is_array = true;
        while let Some(raw) = seq.next_element::<&'de RawValue>()? {
            self.0.items.push(raw.get());
        }
        Ok(())
    }
}

struct Items<'s, 'a>(&'s mut Sink<'a>);

impl<'s, 'de: 's> DeserializeSeed<'de> for Items<'s, 'de> {
    type Value = ();
    fn deserialize<D: serde::Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'s, 'de: 's> Visitor<'de> for Items<'s, 'de> {
    type Value = ();
    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("items of a list")
    }
    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<(), A::Error> {
        self.0.is_list = true;
        while let Some(raw) = seq.next_element::<&'de RawValue>()? {
            self.0.items.push(raw.get());
        }
        Ok(())
    }
    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
        Ok(())
    }
    fn visit_unit<E>(self) -> Result<(), E> {
        // Go prints a nil slice of items as null.
        self.0.is_list = true;
        Ok(())
    }
    fn visit_bool<E>(self, _: bool) -> Result<(), E> {
        Ok(())
    }
    fn visit_i64<E>(self, _: i64) -> Result<(), E> {
        Ok(())
    }
    fn visit_u64<E>(self, _: u64) -> Result<(), E> {
        Ok(())
    }
    fn visit_f64<E>(self, _: f64) -> Result<(), E> {
        Ok(())
    }
    fn visit_str<E>(self, _: &str) -> Result<(), E> {
        Ok(())
    }
}

/// Cuts the next JSON object or array out of `text`, from byte `from` on. `None` if the next thing that is
/// not white space is neither (the caller looks at what it is).
pub(super) fn next_document(text: &str, from: usize) -> Option<Document<'_>> {
    let start = from + text.get(from..)?.find(|c: char| !c.is_ascii_whitespace() && c != '\0')?;
    if !matches!(text.as_bytes()[start], b'{' | b'[') {
        return None;
    }
    let mut sink = Sink::default();
    let mut de = serde_json::Deserializer::from_str(&text[start..]);
    let result = (&mut de).deserialize_any(Top(&mut sink));
    let mut end = (start + de.into_iter::<IgnoredAny>().byte_offset()).min(text.len());
    let damage = result.err().map(|error| {
        let at = offset_of(&text[start..], error.line(), error.column()) + start;
        end = end.max(at).min(text.len());
        (at, reason(&error))
    });
    let shape = if sink.is_array {
        Shape::Array(sink.items)
    } else if sink.is_list {
        Shape::List { header: sink.header, items: sink.items }
    } else {
        Shape::Single
    };
    Some(Document { start, end, shape, damage })
}

fn reason(error: &serde_json::Error) -> String {
    let text = error.to_string();
    // The position is counted from the start of the document; the caller names the line in the member.
    match text.rfind(" at line ") {
        Some(cut) => text[..cut].to_owned(),
        None => text,
    }
}

fn offset_of(text: &str, line: usize, column: usize) -> usize {
    let start = if line <= 1 {
        0
    } else {
        memchr::memchr_iter(b'\n', text.as_bytes()).nth(line - 2).map_or(text.len(), |i| i + 1)
    };
    (start + column.saturating_sub(1)).min(text.len())
}

/// All JSON values of a text (objects, arrays, JSON Lines), with lines counted from 1, until the text is
/// no JSON any more. For parsers of formats that are JSON but not Kubernetes (`etcdctl -w json`).
pub fn json_values(text: &str, nesting: u32) -> Vec<Node> {
    let mut lines = Lines::new(text);
    let mut at = 0;
    let mut nodes = Vec::new();
    while let Some(document) = next_document(text, at) {
        if document.damage.is_some() {
            break;
        }
        let line = lines.at(document.start);
        if let Ok(node) = to_node(&text[document.start..document.end], line, nesting) {
            nodes.push(node);
        }
        at = document.end;
    }
    nodes
}

/// Line numbers for rising byte offsets, counted once over the whole text.
pub(super) struct Lines<'a> {
    text: &'a [u8],
    at: usize,
    line: u32,
}

impl<'a> Lines<'a> {
    /// Starts at line 1.
    pub(crate) fn new(text: &'a str) -> Self {
        Self { text: text.as_bytes(), at: 0, line: 1 }
    }

    /// The line of a byte; starts over if it lies before the last one asked for.
    pub(crate) fn at(&mut self, offset: usize) -> u32 {
        let offset = offset.min(self.text.len());
        if offset < self.at {
            self.at = 0;
            self.line = 1;
        }
        let count = memchr::memchr_iter(b'\n', &self.text[self.at..offset]).count();
        self.line = self.line.saturating_add(u32::try_from(count).unwrap_or(u32::MAX));
        self.at = offset;
        self.line
    }
}

/// Builds the tree of one JSON value that serde_json has checked; `line` is the line of its first byte.
///
/// # Errors
/// The line at which the nesting limit, or (for text that was not checked) damage, was met, and why.
pub fn to_node(text: &str, line: u32, nesting: u32) -> Result<Node, (u32, String)> {
    let mut scanner = Scanner { text, at: 0, line, values: 0, entries: Vec::new(), items: Vec::new() };
    let node = scanner.value(nesting)?;
    Ok(node)
}

/// Values of one object, or of one document that is none. The largest objects that an API server takes have 1.5 MiB.
const MOST_VALUES: usize = 1 << 20;

struct Scanner<'a> {
    text: &'a str,
    at: usize,
    line: u32,
    /// Values so far.
    values: usize,
    /// Entries of the maps that are not closed yet, and items of the lists: each is given exactly the room that it
    /// needs when it is closed.
    entries: Vec<(SmolStr, Node)>,
    items: Vec<Node>,
}

impl<'a> Scanner<'a> {
    fn peek(&mut self) -> Option<u8> {
        let bytes = self.text.as_bytes();
        while let Some(&byte) = bytes.get(self.at) {
            match byte {
                b'\n' => self.line = self.line.saturating_add(1),
                b' ' | b'\t' | b'\r' => {}
                _ => return Some(byte),
            }
            self.at += 1;
        }
        None
    }

    fn fail<T>(&self, expected: &str) -> Result<T, (u32, String)> {
        Err((self.line, format!("expected {expected}")))
    }

    fn value(&mut self, depth: u32) -> Result<Node, (u32, String)> {
        let Some(byte) = self.peek() else { return self.fail("a JSON value") };
        let line = self.line;
        self.values += 1;
        if self.values > MOST_VALUES {
            return Err((line, format!("it has more than {MOST_VALUES} values")));
        }
        let value = match byte {
            b'{' | b'[' if depth == 0 => {
                return Err((line, "nested deeper than the limit (--max-nesting)".to_owned()));
            }
            b'{' => {
                self.at += 1;
                let first = self.entries.len();
                loop {
                    match self.peek() {
                        Some(b'}') => break,
                        Some(b',') => self.at += 1,
                        Some(b'"') => {
                            let key = self.string()?;
                            if self.peek() != Some(b':') {
                                return self.fail("`:`");
                            }
                            self.at += 1;
                            let node = self.value(depth - 1)?;
                            self.entries.push((key, node));
                        }
                        _ => return self.fail("`\"` or `}`"),
                    }
                }
                self.at += 1;
                Value::Map(last_wins(self.entries.drain(first..).collect()))
            }
            b'[' => {
                self.at += 1;
                let first = self.items.len();
                loop {
                    match self.peek() {
                        Some(b']') => break,
                        Some(b',') => self.at += 1,
                        Some(_) => {
                            let item = self.value(depth - 1)?;
                            self.items.push(item);
                        }
                        None => return self.fail("`]`"),
                    }
                }
                self.at += 1;
                Value::List(self.items.drain(first..).collect())
            }
            b'"' => crate::string_value::string_value(self.string()?),
            _ => {
                let rest = &self.text[self.at..];
                let end = rest
                    .find(|c: char| matches!(c, ',' | ']' | '}' | ':' | '"' | '[' | '{') || c.is_ascii_whitespace())
                    .unwrap_or(rest.len());
                let token = &rest[..end];
                let Some(value) = scalar(token) else { return self.fail("a JSON value") };
                self.at += end;
                value
            }
        };
        Ok(Node::new(line, value))
    }

    fn string(&mut self) -> Result<SmolStr, (u32, String)> {
        let bytes = self.text.as_bytes();
        let start = self.at;
        let mut at = start + 1;
        let mut escaped = false;
        loop {
            match memchr::memchr2(b'"', b'\\', bytes.get(at..).unwrap_or_default()) {
                None => return self.fail("the end of a string"),
                Some(skip) if bytes[at + skip] == b'\\' => {
                    escaped = true;
                    at += skip + 2;
                }
                Some(skip) => {
                    at += skip;
                    break;
                }
            }
        }
        self.at = at + 1;
        if !escaped {
            return Ok(self.text[start + 1..at].into());
        }
        match serde_json::from_str::<String>(&self.text[start..=at]) {
            Ok(text) => Ok(text.into()),
            // A lone surrogate is the one thing that a checked raw value may still hold.
            Err(_) => Ok(self.text[start + 1..at].into()),
        }
    }
}

fn scalar(token: &str) -> Option<Value> {
    Some(match token {
        "null" => Value::Null,
        "true" => Value::Bool(true),
        "false" => Value::Bool(false),
        _ if token.starts_with(|c: char| c == '-' || c.is_ascii_digit()) => number(token)?,
        _ => return None,
    })
}

/// Above this a float no longer tells one integer from the next.
const EXACT: f64 = 9_007_199_254_740_992.0;

/// A number as exactly as it can be kept; beyond 64 bits and beyond `f64` it stays text.
///
/// Whole numbers with an exponent are integers: Go prints those that went through a `float64` like that
/// (`runAsUser: 1.00065e+09` in a bundle of support-bundle-kit).
pub(super) fn number(token: &str) -> Option<Value> {
    if let Ok(int) = token.parse::<i64>() {
        return Some(Value::Int(int));
    }
    if let Ok(uint) = token.parse::<u64>() {
        return Some(Value::UInt(uint));
    }
    let float = token.parse::<f64>().ok()?;
    if token.contains(['e', 'E']) && float.fract() == 0.0 && float.abs() < EXACT {
        return Some(Value::Int(float as i64));
    }
    let whole = token.bytes().all(|b| b.is_ascii_digit() || b == b'-' || b == b'+');
    Some(if float.is_finite() && !whole { Value::Float(float) } else { Value::Str(token.into()) })
}

/// Duplicate keys: the last one counts, as in Go's decoder; the order of first appearance stays. No room is spare: trees
/// are most of what a run holds.
pub(super) fn last_wins(mut entries: Vec<(SmolStr, Node)>) -> Vec<(SmolStr, Node)> {
    let has_duplicates = if entries.len() <= 16 {
        entries.iter().enumerate().any(|(i, (key, _))| entries[..i].iter().any(|(k, _)| k == key))
    } else {
        let mut keys: Vec<&str> = entries.iter().map(|(key, _)| &**key).collect();
        keys.sort_unstable();
        keys.windows(2).any(|pair| pair[0] == pair[1])
    };
    if !has_duplicates {
        entries.shrink_to_fit();
        return entries;
    }
    let mut indices = std::collections::BTreeMap::new();
    let mut kept: Vec<(SmolStr, Node)> = Vec::with_capacity(entries.len());
    for (key, node) in entries {
        match indices.get(&key) {
            Some(&index) => {
                let slot: &mut (SmolStr, Node) = &mut kept[index];
                slot.1 = node;
            }
            None => {
                indices.insert(key.clone(), kept.len());
                kept.push((key, node));
            }
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_object_of_millions_of_values_is_not_built() {
        let zeros = |count: usize| format!("{{\"a\": [{}0]}}", "0,".repeat(count));
        assert!(to_node(&zeros(1_000), 1, 9).is_ok());
        let (line, why) = to_node(&zeros(MOST_VALUES), 7, 9).unwrap_err();
        assert_eq!((line, why.as_str()), (7, "it has more than 1048576 values"));
    }
}
