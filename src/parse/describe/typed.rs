//! The forms that kubectl has for each built-in kind: labels to paths.
//!
//! Which label shows which path is data ([`crate::describe::kinds`]); blocks that are lists or tables have a reader of
//! their own ([`crate::describe::pod`], [`crate::describe::node`], [`crate::describe::data`]).
//!
//! Invariants: an object is partial; a path is noted as shown only where kubectl prints its label whenever
//! it is set, and the text surely went on behind it; where a text ends early, what its last section says is
//! true, and says nothing of what else there is.

use crate::describe::form::{As, Field, Kind, Missing};
use crate::describe::kinds;
use crate::describe::outline;
use crate::describe::outline::{Line, Section};
use crate::describe::values::{is_none, number, number_in, time};
use facts::node::{Node, Value};
use facts::partial::{Partial, dotted};
use facts::path::{Path, Step};

/// A typed description, read.
#[derive(Debug)]
pub(super) struct Typed {
    /// The kind that its labels tell.
    pub kind: &'static Kind,
    /// What it says.
    pub partial: Partial,
    /// Pods that a Node lists: line, namespace, name.
    pub pods: Vec<(u32, String, String)>,
    /// Annotations are printed in a form of their own and were not read.
    pub odd_annotations: bool,
}

/// Reads the lines of one object but for its events. `hint` is what a command or file name says of the
/// kind; `whole` says that the text surely does not end early.
pub(super) fn read(hint: Option<&str>, lines: &[Line<'_>], events: &[Line<'_>], whole: bool) -> Option<Typed> {
    let sections = outline::sections(lines, kinds::is_label);
    let kind = kinds::tell(hint, lines, &sections, events)?;
    read_as(kind, lines, sections, Some(whole))
}

/// The same for a part of a description, whose kind is known.
pub(super) fn read_part(kind: &str, lines: &[Line<'_>]) -> Option<Typed> {
    read_as(kinds::named(kind)?, lines, outline::sections(lines, kinds::is_label), None)
}

fn read_as(
    kind: &'static Kind,
    lines: &[Line<'_>],
    sections: Vec<Section<'_, '_>>,
    whole: Option<bool>,
) -> Option<Typed> {
    // Of a part nobody knows what stood above it.
    let from_head = whole.is_some();
    let whole = whole.unwrap_or(false);
    // What kubectl prints of quotas has no label, and all that is read stands above it.
    let quotas = |(_, line): &Line<'_>| matches!(line.trim(), "No resource quota." | "Resource Quotas");
    let (sections, whole) = match lines.iter().position(quotas).filter(|_| kind.name == "namespaces") {
        Some(end) => (outline::sections(lines.get(..end).unwrap_or_default(), kinds::is_label), true),
        None => (sections, whole),
    };
    let mut partial = Partial::new(lines.first().map_or(0, |(number, _)| *number));
    let mut typed = Typed { kind, partial: Partial::new(0), pods: Vec::new(), odd_annotations: kind.odd_annotations };
    let mut furthest = None;
    let mut seen = vec![false; kind.fields.len()];
    for (at, section) in sections.iter().enumerate() {
        let Some((index, field)) = kind.fields.iter().enumerate().find(|(_, f)| f.labels.contains(&section.key)) else {
            continue;
        };
        if let Some(mark) = seen.get_mut(index) {
            *mark = true;
        }
        furthest = furthest.max(Some(index));
        let before = partial.shown.len();
        field.read(section, &mut partial, &mut typed.pods);
        if at + 1 == sections.len() && !whole {
            partial.shown.truncate(before);
        }
    }
    if let Some(all) = kind.all {
        let before = partial.shown.len();
        all(&sections, lines, &mut partial);
        if !whole {
            partial.shown.truncate(before);
        }
    }
    // Somebody left lines out of a description without those that every one has.
    let is_as_printed = kind.marks.iter().all(|mark| sections.iter().any(|section| section.key == *mark));
    for (index, field) in kind.fields.iter().enumerate().filter(|_| from_head && is_as_printed) {
        let printed_before = whole || furthest.is_some_and(|furthest| index < furthest);
        if field.missing == Missing::Unset && !seen.get(index).is_some_and(|seen| *seen) && printed_before {
            let line = partial.node.line;
            partial.show(&dotted(field.path), Some(Node::new(line, Value::Null)));
        }
    }
    typed.partial = partial;
    Some(typed)
}

impl Field {
    fn read(&self, section: &Section<'_, '_>, out: &mut Partial, pods: &mut Vec<(u32, String, String)>) {
        let line = section.line;
        let path = dotted(self.path);
        let text = section.text;
        let unset = || Node::new(line, Value::Null);
        match self.form {
            As::Text => out.show(&path, Some(text_or_unset(line, text))),
            As::Free => {
                let mut whole = text.to_owned();
                for (_, line) in section.body {
                    whole.push('\n');
                    whole.push_str(line);
                }
                out.show(&path, Some(Node::text(line, whole.trim_end())));
            }
            As::Time => match time(text) {
                Some(time) => out.show(&path, Some(Node::text(line, time))),
                None if is_none(text) => out.show(&path, Some(unset())),
                None => {}
            },
            As::Number => match number(text) {
                Some(number) => out.show(&path, Some(Node::text(line, number))),
                None if is_none(text) => out.show(&path, Some(unset())),
                None => {}
            },
            As::Count => show_count(out, &path, line, text),
            As::Flag => match text.to_ascii_lowercase().as_str() {
                "true" => out.show(&path, Some(Node::text(line, "true"))),
                "false" => out.show(&path, Some(unset())),
                _ => {}
            },
            As::List => {
                let items = text.trim_start_matches('[').trim_end_matches(']');
                let items = items.split([',', ' ']).map(str::trim).filter(|item| !item.is_empty() && !is_none(item));
                let items: Vec<Node> = items.map(|item| Node::text(line, item)).collect();
                out.show(&path, Some(Node::new(line, Value::List(items))));
            }
            As::Names(field) => names(out, &path, section, field),
            As::Pairs => pairs(out, &path, section),
            As::Modes => modes(out, &path, line, text),
            As::Phase => phase(out, &path, line, text),
            As::Owner => owner(out, path, line, text),
            As::Split(separator, second) => {
                let (first, rest) = text.split_once(separator).unwrap_or((text, ""));
                for (path, text) in [(path, first), (dotted(second), rest)] {
                    out.show(&path, Some(text_or_unset(line, text.trim())));
                }
            }
            As::Words(words) => {
                for (before, after, path, zero_is_unset) in words {
                    match number_in(text, before, after) {
                        Some(number) if *zero_is_unset => show_count(out, &dotted(path), line, number),
                        Some(number) => out.show(&dotted(path), Some(Node::text(line, number))),
                        None => {}
                    }
                }
            }
            As::Conditions(columns) => conditions(out, &path, section.body, columns),
            As::Block(read) => read(out, section, &path),
            As::Pods => crate::describe::node::pods(section, pods),
        }
    }
}

fn text_or_unset(line: u32, text: &str) -> Node {
    if is_none(text) { Node::new(line, Value::Null) } else { Node::text(line, text) }
}

/// Names below each other; each is the value of `field` of an item.
fn names(out: &mut Partial, path: &Path, section: &Section<'_, '_>, field: &str) {
    let items: Vec<Node> = outline::values(section)
        .into_iter()
        .map(|(number, name)| {
            let mut item = Node::map(number);
            item.set(field, Node::text(number, name.trim_end_matches(" (not found)")));
            item
        })
        .collect();
    let mut each = path.clone();
    each.0.extend([Step::All, Step::Field(field.to_owned())]);
    if !items.is_empty() {
        out.put(path, Node::new(section.line, Value::List(items)));
    }
    out.note(each);
}

/// `a=b,c=d`, or below each other. What is no pair (`a in (b)`) leaves all of it unknown.
fn pairs(out: &mut Partial, path: &Path, section: &Section<'_, '_>) {
    let values = outline::values(section);
    let entries: Option<Vec<_>> = values
        .iter()
        .flat_map(|(number, text)| text.split(',').map(move |pair| (*number, pair)))
        .map(|(number, pair)| {
            let (key, value) = pair.trim().split_once('=')?;
            (!key.contains([' ', '(', '!'])).then(|| (key.into(), Node::text(number, value)))
        })
        .collect();
    match entries {
        Some(entries) if entries.is_empty() => out.show(path, Some(Node::new(section.line, Value::Null))),
        Some(entries) => out.show(path, Some(Node::new(section.line, Value::Map(entries)))),
        None => {}
    }
}

/// `RWO,ROX`
fn modes(out: &mut Partial, path: &Path, line: u32, text: &str) {
    let word = |short: &str| match short.trim() {
        "RWO" => Some("ReadWriteOnce"),
        "ROX" => Some("ReadOnlyMany"),
        "RWX" => Some("ReadWriteMany"),
        "RWOP" => Some("ReadWriteOncePod"),
        _ => None,
    };
    let modes = text.split(',').map(|short| word(short).map(|mode| Node::text(line, mode)));
    if let Some(modes) = modes.collect::<Option<Vec<_>>>() {
        out.show(path, Some(Node::new(line, Value::List(modes))));
    }
}

/// `ReplicaSet/web`: the controller among the owners.
fn owner(out: &mut Partial, path: Path, line: u32, text: &str) {
    let Some((kind, name)) = text.split_once('/') else { return };
    let mut item = Node::map(line);
    for (key, value) in [("kind", kind), ("name", name), ("controller", "true")] {
        item.set(key, Node::text(line, value));
    }
    out.put(&path, Node::new(line, Value::List(vec![item])));
    let mut controller = path;
    controller.0.push(Step::Pick { field: "controller".to_owned(), value: "true".to_owned() });
    for field in ["kind", "name"] {
        let mut each = controller.clone();
        each.0.push(Step::Field(field.to_owned()));
        out.note(each);
    }
}

/// A number that the API leaves out where it is 0.
fn show_count(out: &mut Partial, path: &Path, line: u32, text: &str) {
    if let Some(number) = number(text) {
        let value = if number == "0" { Node::new(line, Value::Null) } else { Node::text(line, number) };
        out.show(path, Some(value));
    }
}

/// A phase, or the word that stands in its place while the object is being deleted.
fn phase(out: &mut Partial, path: &Path, line: u32, text: &str) {
    let deleted = dotted("metadata.deletionTimestamp");
    if text.starts_with("Terminating (") {
        // It is set, and the printed age gives no time.
        out.put(&deleted, Node::new(line, Value::REDACTED));
        out.note(deleted);
        return;
    }
    if is_none(text) {
        out.show(path, Some(Node::new(line, Value::Null)));
    } else {
        out.show(path, Some(Node::text(line, text)));
    }
    // Newer kubectl prints the phase of a Pod that has ended though it is being deleted.
    if !matches!(text, "Failed" | "Succeeded" | "Terminating") {
        out.show(&deleted, Some(Node::new(line, Value::Null)));
    }
}

/// A table of conditions; `columns` are headers with their fields. All that are printed are all there are.
fn conditions(out: &mut Partial, path: &Path, body: &[Line<'_>], columns: &[(&str, &str)]) {
    let mut items = Vec::new();
    let mut printed: Vec<&str> = Vec::new();
    for (number, cells) in outline::table(body) {
        let mut item = Node::map(number);
        for (header, cell) in &cells {
            let Some((_, field)) = columns.iter().find(|(name, _)| name == header) else { continue };
            printed.push(field);
            let value = if field.ends_with("Time") { time(cell) } else { Some(cell.clone()).filter(|c| !c.is_empty()) };
            item.set(field, value.map_or(Node::new(number, Value::Null), |value| Node::text(number, value)));
        }
        items.push(item);
    }
    if items.is_empty() {
        return;
    }
    let line = items.first().map_or(0, |item| item.line);
    out.put(path, Node::new(line, Value::List(items)));
    for field in printed.iter().take(columns.len()) {
        let mut each = path.clone();
        each.0.extend([Step::All, Step::Field((*field).to_owned())]);
        out.note(each);
    }
}
