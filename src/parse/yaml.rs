//! YAML to [`Node`]: documents, one by one, each node with its line.
//!
//! Two readers that agree: a fast one of our own for the regular subset that kubectl, oc and Go's YAML
//! writers print ([`crate::yaml_block`]), and the events of `saphyr-parser` for everything else (flow
//! maps, anchors, tags). A document that the first does not know goes to the second as a whole.
//!
//! Invariants: nesting, and what aliases may expand to, are bounded; damage costs its own document
//! from there on, and never those before or after it.

use crate::json::{last_wins, number};
use crate::string_value::string_value;
use facts::node::{Node, SmolStr, Value};
use saphyr_parser::{Event, Parser, ScalarStyle};

/// Events of one document that are read: beyond any that a cluster of thousands of objects needs.
const MOST_EVENTS: usize = 8 << 20;
/// Nodes that the aliases of one document may expand to together.
const ALIAS_NODES: usize = 100_000;

/// A document: its tree as far as it was read, and where reading stopped.
#[derive(Debug, Clone, PartialEq)]
pub struct Document {
    /// Its tree; `None` if nothing could be kept.
    pub node: Option<Node>,
    /// Line and reason of damage.
    pub damage: Option<(u32, String)>,
}

/// Keys in the first column that a document has once.
const HEADS: [&str; 2] = ["apiVersion: ", "kind: "];

/// A part of the text between two document marks.
pub struct Chunk<'a> {
    pub text: &'a str,
    /// Line of its first byte.
    pub line: u32,
}

/// Cuts a text at its document marks (`---` at the start of a line). The mark stays with what follows it.
///
/// Two dumps that were appended to one file have no mark between them. `apiVersion` or `kind` in the first column
/// stands once in a document, so where either comes again the next one begins.
pub fn chunks(text: &str) -> Vec<Chunk<'_>> {
    let mut chunks = Vec::new();
    let (mut start, mut start_line, mut line, mut at) = (0, 1, 1, 0);
    let mut seen = [false; HEADS.len()];
    for piece in text.split_inclusive('\n') {
        let is_mark =
            piece.starts_with("---") && matches!(piece.as_bytes().get(3), None | Some(b' ' | b'\t' | b'\r' | b'\n'));
        let head = HEADS.iter().position(|head| piece.starts_with(head));
        let again = head.is_some_and(|head| seen.get(head) == Some(&true));
        if is_mark || again {
            seen = [false; HEADS.len()];
        }
        if let Some(seen) = head.and_then(|head| seen.get_mut(head)) {
            *seen = true;
        }
        if (is_mark || again) && at > start {
            chunks.push(Chunk { text: &text[start..at], line: start_line });
            (start, start_line) = (at, line);
        }
        at += piece.len();
        line += 1;
    }
    if at > start {
        chunks.push(Chunk { text: &text[start..at], line: start_line });
    }
    chunks.retain(|chunk| {
        chunk.text.lines().any(|l| {
            let l = l.trim();
            !(l.is_empty() || l.starts_with('#') || l == "---" || l == "...")
        })
    });
    chunks
}

/// The documents of one chunk.
pub fn read_chunk(chunk: &Chunk<'_>, nesting: u32) -> Vec<Document> {
    match crate::yaml_block::read(chunk.text, chunk.line, nesting) {
        Some(node) => vec![Document { node: Some(node), damage: None }],
        None => read_events(chunk.text, chunk.line, nesting),
    }
}

enum Frame {
    List { line: u32, anchor: usize, items: Vec<Node> },
    Map { line: u32, anchor: usize, entries: Vec<(SmolStr, Node)>, key: Option<SmolStr> },
}

struct Builder {
    stack: Vec<Frame>,
    anchors: std::collections::BTreeMap<usize, Node>,
    budget: usize,
    root: Option<Node>,
}

impl Builder {
    fn new() -> Self {
        Self { stack: Vec::new(), anchors: std::collections::BTreeMap::new(), budget: ALIAS_NODES, root: None }
    }

    fn put(&mut self, node: Node) {
        match self.stack.last_mut() {
            None => self.root = Some(node),
            Some(Frame::List { items, .. }) => items.push(node),
            Some(Frame::Map { entries, key, .. }) => match key.take() {
                Some(key) => entries.push((key, node)),
                None => *key = Some(node.value.scalar().unwrap_or_else(|| node.to_string()).into()),
            },
        }
    }

    /// Is the next node the key of a map?
    fn wants_key(&self) -> bool {
        matches!(self.stack.last(), Some(Frame::Map { key: None, .. }))
    }

    fn close(&mut self) {
        let (anchor, node) = match self.stack.pop() {
            Some(Frame::List { line, anchor, mut items }) => {
                items.shrink_to_fit();
                (anchor, Node::new(line, Value::List(items)))
            }
            Some(Frame::Map { line, anchor, entries, .. }) => (anchor, Node::new(line, Value::Map(last_wins(entries)))),
            None => return,
        };
        self.anchor(anchor, &node);
        self.put(node);
    }

    fn anchor(&mut self, anchor: usize, node: &Node) {
        if anchor > 0 {
            self.anchors.insert(anchor, node.clone());
        }
    }

    /// What can be kept of a list that broke off: its finished items. An object that broke off is not kept,
    /// for what it does not show would look as if it were not set.
    fn salvage(mut self) -> Option<Node> {
        let open = match self.stack.first()? {
            Frame::List { .. } => 1,
            Frame::Map { key: Some(key), .. } if &**key == "items" => match self.stack.get(1) {
                Some(Frame::List { .. }) => 2,
                _ => return None,
            },
            Frame::Map { entries, .. } => {
                let is_list = |(key, node): &(SmolStr, Node)| &**key == "items" && matches!(node.value, Value::List(_));
                entries.iter().any(is_list).then_some(1)?
            }
        };
        self.stack.truncate(open);
        (0..open).for_each(|_| self.close());
        self.root
    }
}

/// Reads a text through the events of saphyr-parser.
pub(super) fn read_events(source: &str, first_line: u32, nesting: u32) -> Vec<Document> {
    let source = &*without_lone_returns(source);
    let mut lines: Option<Vec<&str>> = None;
    let mut documents = Vec::new();
    let mut builder = Builder::new();
    for (nth, event) in Parser::new_from_str(source).enumerate() {
        let (event, span) = match event {
            Ok(event) => event,
            Err(error) => {
                let line = first_line + u32::try_from(error.marker().line()).unwrap_or(1).saturating_sub(1);
                let reason = format!(
                    "expected the rest of the document that starts at line {first_line}, found: {}; collect it again \
                     to have it whole",
                    error.info()
                );
                let damage = Some((line, reason));
                documents.push(Document { node: builder.salvage(), damage });
                return documents;
            }
        };
        let line = first_line + u32::try_from(span.start.line()).unwrap_or(1).saturating_sub(1);
        let is_start = matches!(event, Event::SequenceStart(..) | Event::MappingStart(..));
        if is_start && builder.stack.len() >= nesting as usize {
            let damage = Some((line, "nested deeper than the limit (--max-nesting)".to_owned()));
            documents.push(Document { node: builder.salvage(), damage });
            return documents;
        }
        if nth > MOST_EVENTS {
            let damage = Some((line, format!("it has more than {MOST_EVENTS} values and marks")));
            documents.push(Document { node: builder.salvage(), damage });
            return documents;
        }
        match event {
            Event::Nothing | Event::StreamStart | Event::StreamEnd => {}
            Event::DocumentStart(_) => builder = Builder::new(),
            Event::DocumentEnd => {
                documents.push(Document { node: builder.root.take(), damage: None });
            }
            Event::SequenceStart(anchor, _) => {
                builder.stack.push(Frame::List { line, anchor, items: Vec::new() });
            }
            Event::MappingStart(anchor, _) => {
                builder.stack.push(Frame::Map { line, anchor, entries: Vec::new(), key: None });
            }
            Event::SequenceEnd | Event::MappingEnd => builder.close(),
            Event::Scalar(text, style, anchor, tag) => {
                let is_str = tag.is_some_and(|tag| tag.suffix == "str" || tag.suffix == "binary");
                let line = match style {
                    ScalarStyle::Literal | ScalarStyle::Folded => {
                        let lines = lines.get_or_insert_with(|| source.split('\n').collect());
                        let own = line.saturating_sub(first_line) as usize;
                        first_line + u32::try_from(header_of(lines, own, span.start.col())).unwrap_or(0)
                    }
                    _ => line,
                };
                let value = if builder.wants_key() {
                    // A key is what stands there, whatever it would be as a value.
                    Value::Str(text.as_ref().into())
                } else if style == ScalarStyle::Plain && !is_str {
                    plain(&text)
                } else {
                    string_value(text.as_ref().into())
                };
                let node = Node::new(line, value);
                builder.anchor(anchor, &node);
                builder.put(node);
            }
            Event::Alias(anchor) => {
                let node = builder.anchors.get(&anchor).cloned().unwrap_or_else(|| Node::new(line, Value::Null));
                let size = count(&node);
                if size > builder.budget || builder.stack.len() + depth(&node) > nesting as usize {
                    let damage = Some((line, "aliases expand to more than the limit".to_owned()));
                    documents.push(Document { node: builder.salvage(), damage });
                    return documents;
                }
                builder.budget -= size;
                builder.put(node);
            }
        }
    }
    documents
}

/// A carriage return without a line feed ends a line for YAML, and for nobody who counts lines.
fn without_lone_returns(source: &str) -> std::borrow::Cow<'_, str> {
    if memchr::memchr(b'\r', source.as_bytes()).is_none() {
        return source.into();
    }
    let mut parts = source.split('\r');
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        out.push(if part.starts_with('\n') { '\r' } else { ' ' });
        out.push_str(part);
    }
    out.into()
}

/// The line (from 0) with the `|` or `>` of a block scalar. The library names the place of its first text,
/// or the mark itself if the source ends behind it.
fn header_of(lines: &[&str], line: usize, column: usize) -> usize {
    let at_mark = |text: &&str| matches!(text.chars().nth(column), Some('|' | '>'));
    let is_last = lines.iter().skip(line + 1).all(|text| text.trim().is_empty());
    let before = (0..line).rev().find(|at| !lines[*at].trim().is_empty());
    // A text may begin with the very character of the mark: then it stands below the mark.
    let marked = |at: usize| {
        lines[at].trim_end().trim_end_matches(|c: char| c.is_ascii_digit() || "+-".contains(c)).ends_with(['|', '>'])
    };
    let alone = lines.get(line).is_some_and(|text| text.chars().take(column).all(char::is_whitespace));
    if is_last && lines.get(line).is_some_and(at_mark) && !(alone && before.is_some_and(marked)) {
        return line;
    }
    before.unwrap_or(line)
}

fn count(node: &Node) -> usize {
    1 + node.items().iter().map(count).sum::<usize>() + node.entries().iter().map(|(_, n)| count(n)).sum::<usize>()
}

fn depth(node: &Node) -> usize {
    let below = node.items().iter().map(depth).chain(node.entries().iter().map(|(_, n)| depth(n))).max();
    below.map_or(0, |below| below + 1)
}

/// The value of a plain (unquoted) scalar: null, boolean, number or text.
///
/// Numbers with leading zeros and other bases stay text: Go's writers never print one unquoted, so it
/// was typed by a person, and YAML 1.1 and 1.2 disagree about it.
pub(super) fn plain(text: &str) -> Value {
    match text {
        "" | "~" | "null" | "Null" | "NULL" => return Value::Null,
        "true" | "True" | "TRUE" => return Value::Bool(true),
        "false" | "False" | "FALSE" => return Value::Bool(false),
        _ => {}
    }
    if is_number(text)
        && let Some(value) = number(text)
    {
        return value;
    }
    string_value(text.into())
}

fn is_number(text: &str) -> bool {
    let body = text.strip_prefix(['-', '+']).unwrap_or(text);
    if !body.starts_with(|c: char| c.is_ascii_digit() || c == '.') {
        return false;
    }
    let bytes = body.as_bytes();
    if bytes.len() > 1 && bytes[0] == b'0' && bytes[1].is_ascii_digit() {
        return false;
    }
    let digits = |from: usize| bytes[from..].iter().take_while(|b| b.is_ascii_digit()).count();
    let whole = digits(0);
    let mut at = whole;
    let mut fraction = 0;
    if bytes.get(at) == Some(&b'.') {
        at += 1;
        fraction = digits(at);
        at += fraction;
    }
    if whole + fraction == 0 {
        return false;
    }
    if matches!(bytes.get(at), Some(b'e' | b'E')) {
        at += 1;
        if matches!(bytes.get(at), Some(b'+' | b'-')) {
            at += 1;
        }
        let exponent = digits(at);
        if exponent == 0 {
            return false;
        }
        at += exponent;
    }
    at == bytes.len()
}
