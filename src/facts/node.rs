//! The tree that every structured input becomes, whatever its form.
//!
//! Why our own tree and not `serde_json::Value`: each node keeps the line it was read from, so that a
//! claim about one field can cite that field; text forms (table cells, describe values) have no types,
//! so a third kind of scalar, [`Value::Text`], says "this was printed, its type is not known"; and a
//! masked value is a value of its own, [`Value::Redacted`], equal to nothing.
//!
//! Why texts are [`SmolStr`]: keys and values are mostly shorter than 24 bytes, and trees are most of what a run
//! holds. Such a text stands in its node; a longer one is allocated.
//!
//! Invariants: map entries keep the order of the input; integers stay integers (etcd's ids need all 64
//! bits); a value that was masked never exists here in clear, see `parse::secrets`.

use crate::mask::Mask;
pub use smol_str::SmolStr;
use std::fmt;

/// One node: a value and the line (1-based, in its member) where it starts.
#[derive(Debug, Clone, PartialEq)]
pub struct Node {
    /// Line in the member, starting at 1; 0 where the form has no lines of its own (derived objects).
    pub line: u32,
    /// What stands there.
    pub value: Value,
}

/// A value as it was read.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// `null`, or an empty YAML value.
    Null,
    /// A typed boolean.
    Bool(bool),
    /// A typed integer that fits `i64`.
    Int(i64),
    /// A typed integer beyond `i64` (etcd member ids are unsigned 64-bit numbers).
    UInt(u64),
    /// A typed number with a fraction or an exponent.
    Float(f64),
    /// A typed string (JSON and YAML).
    Str(SmolStr),
    /// Text of a form that has no types: a table cell, a value of `kubectl describe`. It compares with
    /// booleans and numbers by what it says (`True` equals `true`, `3` equals 3).
    Text(SmolStr),
    List(Vec<Node>),
    /// A map, in the order of the input.
    Map(Vec<(SmolStr, Node)>),
    /// A whole number known only within bounds (derived objects): at least the first, at most the second;
    /// `None` is unbounded. Comparing it is three-valued.
    Range(i64, Option<i64>),
    /// A value that somebody masked: set, and equal to nothing known. What Casefile itself masked keeps
    /// its [`Mask`]; what the collector masked has none.
    Redacted(Option<Box<Mask>>),
}

impl Node {
    /// A node at a line.
    pub fn new(line: u32, value: Value) -> Self {
        Self { line, value }
    }

    /// A typed string at a line.
    pub fn str(line: u32, text: impl Into<SmolStr>) -> Self {
        Self::new(line, Value::Str(text.into()))
    }

    /// An untyped text at a line (table cells, describe values).
    pub fn text(line: u32, text: impl Into<SmolStr>) -> Self {
        Self::new(line, Value::Text(text.into()))
    }

    /// An empty map at a line.
    pub fn map(line: u32) -> Self {
        Self::new(line, Value::Map(Vec::new()))
    }

    /// The entry of a map by its exact key; `None` for other values.
    pub fn get(&self, key: &str) -> Option<&Node> {
        match &self.value {
            Value::Map(entries) => entries.iter().find(|(k, _)| &**k == key).map(|(_, v)| v),
            _ => None,
        }
    }

    /// The entry of a map by a field name as a person or `kubectl describe` would write it: case and
    /// spaces do not count (`lastTransitionTime` finds `Last Transition Time`). An exact key wins.
    pub fn field(&self, key: &str) -> Option<&Node> {
        self.entries().get(self.position(key)?).map(|(_, node)| node)
    }

    /// The number of that entry.
    pub(crate) fn position(&self, key: &str) -> Option<usize> {
        let mut alike = None;
        // One pass: most questions are for fields that are not set.
        for (index, (own, _)) in self.entries().iter().enumerate() {
            let own = own.as_str();
            if own == key {
                return Some(index);
            }
            if alike.is_none() && same_field(own, key) {
                alike = Some(index);
            }
        }
        alike
    }

    /// Follows exact field names downwards.
    pub fn at(&self, keys: &[&str]) -> Option<&Node> {
        keys.iter().try_fold(self, |node, key| node.field(key))
    }

    /// The items of a list; empty for other values.
    pub fn items(&self) -> &[Node] {
        match &self.value {
            Value::List(items) => items,
            _ => &[],
        }
    }

    /// The items of a list, whatever the form: `kubectl describe` prints a list of one as that one item, with
    /// nothing that tells it from a field of its own.
    pub fn elements(&self) -> &[Node] {
        match &self.value {
            Value::List(items) => items,
            Value::Map(_) | Value::Text(_) => std::slice::from_ref(self),
            _ => &[],
        }
    }

    /// The entries of a map; empty for other values.
    pub fn entries(&self) -> &[(SmolStr, Node)] {
        match &self.value {
            Value::Map(entries) => entries,
            _ => &[],
        }
    }

    /// Text of a string or text node; `None` for anything else.
    pub fn as_str(&self) -> Option<&str> {
        match &self.value {
            Value::Str(text) | Value::Text(text) => Some(text),
            _ => None,
        }
    }

    /// Adds or replaces an entry of a map; does nothing on other values.
    pub fn set(&mut self, key: &str, node: Node) {
        if let Value::Map(entries) = &mut self.value {
            match entries.iter_mut().find(|(k, _)| &**k == key) {
                Some((_, old)) => *old = node,
                None => entries.push((key.into(), node)),
            }
        }
    }

    /// Sets a value below nested maps, making the maps on the way (`&["status", "phase"]`).
    pub fn set_at(&mut self, keys: &[&str], node: Node) {
        let Some((first, rest)) = keys.split_first() else { return };
        if rest.is_empty() {
            self.set(first, node);
            return;
        }
        if self.get(first).is_none() {
            self.set(first, Node::map(node.line));
        }
        if let Value::Map(entries) = &mut self.value
            && let Some((_, child)) = entries.iter_mut().find(|(k, _)| k.as_str() == *first)
        {
            child.set_at(rest, node);
        }
    }
}

impl Value {
    /// A masked value of which nothing is known.
    pub const REDACTED: Self = Self::Redacted(None);

    /// Was it masked?
    pub fn is_redacted(&self) -> bool {
        matches!(self, Self::Redacted(_))
    }

    /// A scalar as text, the way kubectl prints it; `None` for lists, maps, null and redacted values.
    pub fn scalar(&self) -> Option<String> {
        Some(match self {
            Value::Bool(b) => b.to_string(),
            Value::Int(i) => i.to_string(),
            Value::UInt(u) => u.to_string(),
            Value::Float(f) => f.to_string(),
            Value::Str(s) | Value::Text(s) => s.to_string(),
            Value::Range(lo, Some(hi)) => format!("{lo} to {hi}"),
            Value::Range(lo, None) => format!("at least {lo}"),
            Value::Null | Value::List(_) | Value::Map(_) | Value::Redacted(_) => return None,
        })
    }

    /// Do two scalars say the same? Typed values compare by type; an untyped [`Value::Text`] compares by
    /// what it says, with booleans in any case. Redacted, null and
    /// ranges equal nothing.
    pub fn same_as(&self, other: &Value) -> bool {
        match (self, other) {
            (Value::Redacted(_) | Value::Null | Value::Range(..), _)
            | (_, Value::Redacted(_) | Value::Null | Value::Range(..)) => false,
            (Value::Text(a), b) | (b, Value::Text(a)) => match b.scalar() {
                Some(b_text) => match b {
                    Value::Bool(_) => a.eq_ignore_ascii_case(&b_text),
                    Value::Int(_) | Value::UInt(_) | Value::Float(_) => {
                        **a == *b_text
                            || a.parse::<f64>().ok() == b_text.parse::<f64>().ok() && a.parse::<f64>().is_ok()
                    }
                    _ => **a == *b_text,
                },
                None => false,
            },
            (Value::Str(a), Value::Str(b)) => a == b,
            (Value::Bool(a), Value::Bool(b)) => a == b,
            (a, b) => match (a.integer(), b.integer()) {
                (Some(a), Some(b)) => a == b,
                _ => match (a.number(), b.number()) {
                    (Some(a), Some(b)) => a == b,
                    _ => false,
                },
            },
        }
    }

    /// The value as an exact integer, if it is one (typed, or text that is one).
    pub fn integer(&self) -> Option<i128> {
        match self {
            Value::Int(i) => Some(i128::from(*i)),
            Value::UInt(u) => Some(i128::from(*u)),
            Value::Text(s) => s.parse().ok(),
            _ => None,
        }
    }

    /// The value as a number, if it is one.
    pub fn number(&self) -> Option<f64> {
        match self {
            Value::Int(i) => Some(*i as f64),
            Value::UInt(u) => Some(*u as f64),
            Value::Float(f) => Some(*f),
            Value::Text(s) => s.parse().ok(),
            _ => None,
        }
    }

    /// Nothing in it: null, an empty string, list or map, or what kubectl prints for that.
    pub fn is_empty(&self) -> bool {
        match self {
            Value::Null => true,
            Value::Str(s) => s.is_empty(),
            Value::Text(s) => s.is_empty() || &**s == "<none>",
            Value::List(items) => items.is_empty(),
            Value::Map(entries) => entries.is_empty(),
            _ => false,
        }
    }
}

impl fmt::Display for Node {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.value {
            Value::Null => f.write_str("null"),
            Value::Redacted(_) => f.write_str("[redacted]"),
            Value::List(items) => {
                for (i, item) in items.iter().enumerate() {
                    if i > 0 {
                        f.write_str(", ")?;
                    }
                    write!(f, "{item}")?;
                }
                Ok(())
            }
            Value::Map(entries) => {
                for (i, (key, item)) in entries.iter().enumerate() {
                    if i > 0 {
                        f.write_str(", ")?;
                    }
                    write!(f, "{key}: {item}")?;
                }
                Ok(())
            }
            scalar => f.write_str(&scalar.scalar().unwrap_or_default()),
        }
    }
}

/// Field names are equal when they are equal without spaces and case: `Provider ID` and `providerID`.
/// Source: `kubectl/pkg/describe/describe.go`, `smartLabelFor`.
pub fn same_field(a: &str, b: &str) -> bool {
    fn fold(text: &str) -> impl Iterator<Item = char> {
        text.chars().filter(|c| *c != ' ').flat_map(char::to_lowercase)
    }
    fn letters(text: &str) -> impl Iterator<Item = u8> {
        text.bytes().filter(|b| *b != b' ').map(|b| b.to_ascii_lowercase())
    }
    // Every step of every path comes here, and most names differ in their first letter.
    if let ([x @ 33..=127, ..], [y @ 33..=127, ..]) = (a.as_bytes(), b.as_bytes())
        && !x.eq_ignore_ascii_case(y)
    {
        return false;
    }
    // ASCII, which field names are, has a way without decoding.
    if a.is_ascii() && b.is_ascii() {
        return letters(a).eq(letters(b));
    }
    fold(a).eq(fold(b))
}
