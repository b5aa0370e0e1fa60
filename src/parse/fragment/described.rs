//! A description without its head: it begins at `Containers:`, `Conditions:`, `Status:`, inside of the status, or at one row
//! of its table of conditions.
//!
//! How: the head that is missing is put in front of it, so that the reader of whole descriptions reads it; built-in
//! kinds are told by their labels, all others by their conditions.

use crate::describe;
use crate::fragment::{Fragment, Place, events, inside, marks};
use catalogue::parts;
use facts::kind::KindName;
use facts::node::{Node, Value};
use facts::object::Form;
use facts::record::{Command, Parsed, Record};
use std::collections::BTreeSet;

pub(super) const FRAGMENT: Fragment = Fragment { length, read };

/// Labels of descriptions with lines below them, and the built-in kind that alone has them.
const LABELS: [(&str, Option<&str>); 21] = [
    ("Init Containers", Some("pods")),
    ("Containers", Some("pods")),
    ("Ephemeral Containers", Some("pods")),
    ("Volumes", Some("pods")),
    ("Tolerations", Some("pods")),
    ("Lease", Some("nodes")),
    ("System Info", Some("nodes")),
    ("Capacity", Some("nodes")),
    ("Allocatable", Some("nodes")),
    ("Addresses", Some("nodes")),
    ("Allocated resources", Some("nodes")),
    ("Non-terminated Pods", Some("nodes")),
    ("Conditions", None),
    ("Status", None),
    ("Spec", None),
    ("Limits", None),
    ("State", None),
    ("Last State", None),
    ("Events", None),
    ("Pod Template", None),
    ("Metadata", None),
];

/// The label of a line that has its text below it.
fn label(line: &str) -> Option<&'static (&'static str, Option<&'static str>)> {
    let key = line.trim_end().strip_suffix(':').filter(|key| !key.starts_with(' '))?;
    // `Non-terminated Pods:          (3 in total)` is a label with a text, and seldom the first one.
    LABELS.iter().find(|(label, _)| *label == key)
}

/// What stands above the metadata of any kind: `Kind:         Widget`.
fn is_type(line: &str) -> bool {
    let rest = line.strip_prefix("Kind:").or_else(|| line.strip_prefix("API Version:"));
    rest.is_some_and(|rest| rest.starts_with("  ") && !rest.trim().is_empty() && !rest.trim().contains(' '))
}

fn length(lines: &[&str], _: Option<&Command>) -> Option<usize> {
    if is_condition_row(lines.first()?) {
        return Some(lines.iter().take_while(|line| is_condition_row(line)).count());
    }
    if let Some(length) = inside::conditions(lines).or_else(|| inside::container(lines)) {
        return Some(length);
    }
    if let Some(length) = inside::status(lines) {
        return Some(length);
    }
    let head = lines.iter().take(2).take_while(|line| is_type(line)).count();
    let first = label(lines.get(head)?)?;
    if head > 0 && first.0 != "Metadata" {
        return None;
    }
    lines.get(head + 1).filter(|line| line.starts_with([' ', '\t']))?;
    let mut end = head + 1;
    for (at, line) in lines.iter().enumerate().skip(head + 1) {
        // The message of an event goes on in the first column.
        if line.starts_with("Events:")
            && let Some(length) = events::end(&lines[at..])
        {
            return Some(at + length);
        }
        let keyed = line.split_once(':').is_some_and(|(key, rest)| {
            key.starts_with(|c: char| c.is_ascii_uppercase())
                && key.split(' ').count() <= 4
                && (rest.is_empty() || rest.starts_with("  "))
        });
        let plain = line.trim().is_empty() || line.trim().chars().all(|c| c == '-');
        if !plain && (line.starts_with([' ', '\t']) || keyed) {
            end = at + 1;
        } else if !plain {
            break;
        }
    }
    Some(end)
}

/// `DiskPressure  True  Thu, 13 Apr 2023 14:50:21 +0900  ...  KubeletHasDiskPressure  kubelet has disk pressure`: one
/// row of the conditions of a Node, or `Ready  False` of a Pod with its columns lost.
fn is_condition_row(line: &str) -> bool {
    let cells: Vec<&str> = line.split("  ").map(str::trim).filter(|cell| !cell.is_empty()).collect();
    let of_node =
        |kind: &str| ["MemoryPressure", "DiskPressure", "PIDPressure", "NetworkUnavailable", "Ready"].contains(&kind);
    let [kind, status, time, ..] = cells.as_slice() else { return false };
    let is_time = |text: &str| text.len() > 20 && text.contains(',') && text.contains(':');
    of_node(kind) && ["True", "False", "Unknown"].contains(status) && is_time(time) && cells.len() >= 5
}

fn read(place: &Place<'_>, lines: &[&str]) -> Option<Parsed> {
    if lines.first().is_some_and(|line| is_condition_row(line)) {
        return conditions(place, lines);
    }
    let (name, namespace) = place.asked();
    let name = name.map_or_else(|| place.unnamed(0), str::to_owned);
    if inside::conditions(lines).is_some() {
        return inside::object_of_conditions(place, lines);
    }
    if inside::container(lines).is_some() {
        return inside::pod_of_container(place, (&name, namespace), lines);
    }
    if let Some(kind) = place.kind().or_else(|| typed(lines)).filter(describe::has_own_form) {
        let parsed = describe::read_part(place.member, &kind, (&name, namespace), lines, place.first);
        let told = |record: &Record| matches!(record, Record::Object(object) if object.kind.is_some());
        return Some(parsed).filter(|parsed| parsed.records.iter().any(told));
    }
    // Of what stands in a status the label above it is missing.
    let above = inside::above(lines).into_iter().flatten().map(|label| (place.first, *label));
    let below = (place.first..).zip(lines.iter().copied());
    let numbered: Vec<(u32, &str)> = above.chain(below).collect();
    let events = numbered.iter().position(|(_, line)| line.starts_with("Events:")).unwrap_or(numbered.len());
    let mut parsed = Parsed::default();
    let root = marks::whole(describe::body(&numbered[..events]))?;
    marks::add_of_any_kind(place, 0, root, Form::Describe, &mut parsed).then_some(parsed)
}

/// The built-in kind that the labels and the rows of conditions tell.
fn typed(lines: &[&str]) -> Option<KindName> {
    let by_label: BTreeSet<&str> = lines.iter().filter_map(|line| label(line)?.1).collect();
    let rows = lines.iter().filter_map(|line| {
        let mut words = line.split_whitespace();
        let (kind, status) = (words.next()?, words.next()?);
        ["True", "False", "Unknown"].contains(&status).then(|| format!("condition {kind}"))
    });
    let by_rows = parts::kind_of_marks(&rows.collect()).map(|(kind, _)| kind);
    let by_rows = by_rows.filter(describe::prints_conditions);
    match (by_label.first(), by_label.len()) {
        (Some(kind), 1) => Some(KindName::parse(kind)),
        (None, _) => by_rows,
        _ => None,
    }
}

/// Rows of the table of conditions of a Node.
fn conditions(place: &Place<'_>, lines: &[&str]) -> Option<Parsed> {
    let mut items = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        let number = place.line(at);
        let cells: Vec<&str> = line.split("  ").map(str::trim).filter(|cell| !cell.is_empty()).collect();
        let mut item = Node::map(number);
        let (times, rest): (Vec<&str>, Vec<&str>) =
            cells.iter().skip(2).partition(|cell| cell.len() > 20 && cell.contains(',') && cell.contains(':'));
        let texts =
            [("type", cells.first()), ("status", cells.get(1)), ("reason", rest.first()), ("message", rest.get(1))];
        for (key, text) in texts {
            if let Some(text) = text {
                item.set(key, Node::text(number, *text));
            }
        }
        for (key, text) in ["lastHeartbeatTime", "lastTransitionTime"].iter().zip(&times) {
            if let Some(time) = describe::time(number, text) {
                item.set(key, time);
            }
        }
        items.push(item);
    }
    let mut root = Node::map(place.first);
    root.set_at(&["status", "conditions"], Node::new(place.first, Value::List(items)));
    let mut parsed = Parsed::default();
    let node = KindName::parse("nodes");
    let asked = place.kind().is_none_or(|kind| kind == node);
    root.set("kind", Node::text(place.first, "Node"));
    root.set("apiVersion", Node::text(place.first, "v1"));
    (asked && marks::add(place, 0, root, Form::TypedDescribe, &mut parsed)).then_some(parsed)
}
