//! The fields that every form of `kubectl describe` begins with: name, namespace, labels, annotations.
//!
//! Invariants: a `Labels:` block is complete if anything follows it; an annotation that kubectl cut is set, and nobody knows to what.
//!
//! Source: `kubernetes/kubectl:pkg/describe/describe.go@v0.34.0`, `printLabelsMultiline`,
//! `printAnnotationsMultiline`.

use crate::describe::outline::Line;
use crate::describe::top_field;
use facts::node::{Node, Value};
use facts::partial::fields;
use facts::path::Path;
use nom::bytes::complete::is_not;
use nom::character::complete::{char, space0};
use nom::combinator::{all_consuming, map, rest};
use nom::sequence::{preceded, separated_pair, terminated};
use nom::{IResult, Parser};
use std::collections::BTreeMap;

/// The head that all forms share.
#[derive(Debug, Default)]
pub(super) struct Head {
    pub name: (u32, String),
    pub namespace: Option<(u32, String)>,
    pub labels: Option<Node>,
    /// Something stands behind the labels, so that all of them are there.
    pub labels_closed: bool,
    pub annotations: Option<Node>,
}

/// What the head of every form shows.
pub(super) fn shown_head(head: &Head) -> Vec<Path> {
    let mut paths = vec![fields(&["metadata", "name"])];
    if head.namespace.is_some() {
        paths.push(fields(&["metadata", "namespace"]));
    }
    if head.labels.is_some() && head.labels_closed {
        paths.push(fields(&["metadata", "labels"]));
    }
    paths
}

/// `Name`, `Namespace`, `Labels` and `Annotations`, wherever the form has them, and the other lines.
pub(super) fn head<'a, 'b>(lines: &'b [Line<'a>]) -> (Head, &'b [Line<'a>]) {
    let mut head = Head::default();
    let mut at = 0;
    let mut rest_from = 0;
    while let Some(&(number, line)) = lines.get(at) {
        let Some((key, text)) = top_field(line) else {
            at += 1;
            continue;
        };
        let block = 1 + lines[at + 1..].iter().take_while(|(_, line)| line.starts_with(' ')).count();
        match key {
            "Name" if head.name.1.is_empty() => head.name = (number, text.to_owned()),
            "Namespace" if head.namespace.is_none() => {
                head.namespace = (!matches!(text, "" | "<none>")).then(|| (number, text.to_owned()));
            }
            "Labels" if head.labels.is_none() => {
                head.labels = Some(labels(&lines[at..at + block]));
                head.labels_closed = lines[at + block..].iter().any(|(_, line)| !line.trim().is_empty());
            }
            "Annotations" if head.annotations.is_none() => {
                head.annotations = Some(annotations(&lines[at..at + block]));
            }
            "API Version" | "Events" => break,
            _ => {
                at += block;
                continue;
            }
        }
        at += block;
        rest_from = at;
    }
    // In the generic form nothing stands between the four; typed forms mix them with other fields.
    (head, &lines[rest_from.min(lines.len())..])
}

pub(super) fn add_head(root: &mut Node, head: &Head) {
    let Value::Map(entries) = &mut root.value else { return };
    let mut metadata = match entries.iter().position(|(key, _)| key.eq_ignore_ascii_case("metadata")) {
        Some(at) if matches!(entries[at].1.value, Value::Map(_)) => entries.remove(at).1,
        _ => Node::map(head.name.0),
    };
    metadata.line = metadata.line.min(head.name.0);
    metadata.set("name", Node::text(head.name.0, head.name.1.as_str()));
    if let Some((line, namespace)) = &head.namespace {
        metadata.set("namespace", Node::text(*line, namespace.as_str()));
    }
    for (key, node) in [("labels", &head.labels), ("annotations", &head.annotations)] {
        if let Some(node) = node
            && !node.entries().is_empty()
        {
            metadata.set(key, node.clone());
        }
    }
    entries.insert(0, ("metadata".into(), metadata));
}

/// The text of a line of a head block, without the key in the first line.
fn block_text(at: usize, line: &str) -> &str {
    match (at, line.split_once(':')) {
        (0, Some((_, text))) => text,
        _ => line,
    }
}

fn labels(block: &[Line<'_>]) -> Node {
    let mut last: BTreeMap<&str, Node> = BTreeMap::new();
    let mut order = Vec::new();
    for (at, (number, line)) in block.iter().enumerate() {
        if let Ok((_, (key, text))) = all_consuming(label).parse(block_text(at, line).trim()) {
            // A label without a text is set, to the empty one.
            let value = if text.is_empty() { Node::str(*number, text) } else { Node::text(*number, text) };
            if last.insert(key, value).is_none() {
                order.push(key);
            }
        }
    }
    let entries = order.into_iter().filter_map(|key| Some((key.into(), last.remove(key)?))).collect();
    Node::new(block.first().map_or(0, |(number, _)| *number), Value::Map(entries))
}

fn label(input: &str) -> IResult<&str, (&str, &str)> {
    separated_pair(is_not("= "), char('='), rest).parse(input)
}

/// kubectl cuts each line of a long annotation to so many characters and adds `...`.
const CUT_AT: usize = 135;

fn annotations(block: &[Line<'_>]) -> Node {
    let mut node = Node::map(block.first().map_or(0, |(number, _)| *number));
    let base = block
        .first()
        .and_then(|(_, line)| Some((line, line.split_once(':')?.1)))
        .map_or(0, |(line, text)| line.len() - text.trim_start().len());
    let mut open: Option<(u32, String, Vec<&str>)> = None;
    let close = |node: &mut Node, open: &mut Option<(u32, String, Vec<&str>)>| {
        if let Some((number, key, lines)) = open.take() {
            let cut = lines.iter().any(|line| line.ends_with("...") && line.chars().count() > CUT_AT);
            // A cut value is set, and nobody knows what it says: the same as a masked one.
            let value = if cut { Value::REDACTED } else { Value::Text(lines.join("\n").into()) };
            node.set(&key, Node::new(number, value));
        }
    };
    for (at, (number, line)) in block.iter().enumerate() {
        let indent = if at == 0 { base } else { line.len() - line.trim_start().len() };
        let text = block_text(at, line).trim();
        if indent > base
            && let Some((_, _, lines)) = &mut open
        {
            lines.push(line.get(base + 2..).unwrap_or(text));
        } else if let Ok((_, (key, value))) = annotation.parse(text) {
            close(&mut node, &mut open);
            match value {
                Some(value) => node.set(key, Node::text(*number, value)),
                None => open = Some((*number, key.to_owned(), Vec::new())),
            }
        }
    }
    close(&mut node, &mut open);
    node
}

fn annotation(input: &str) -> IResult<&str, (&str, Option<&str>)> {
    let (input, key) = terminated(is_not(": "), char(':')).parse(input)?;
    map(preceded(space0, rest), |text: &str| (key, (!text.is_empty()).then_some(text))).parse(input)
}
