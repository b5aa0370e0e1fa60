//! The table of events at the end of a description.
//!
//! Why as objects: whoever pastes a description pastes its events with it, and no other file may hold them.
//!
//! Invariant: a row states no name and no time, so the Event has none: the age is relative to the clock of
//! the machine that ran kubectl. It is kept as printed (`status.kubectlLastSeen`): how old the event was then.
//!
//! Source: `kubernetes/kubectl:pkg/describe/describe.go@v0.34.0`, `DescribeEvents`.

use crate::answer;
use crate::describe::outline::Line;
use crate::fragment;
use crate::secrets;
use facts::kind::KindName;
use facts::node::Node;
use facts::object::{Form, ObjectRecord, Shown};
use facts::order::Order;
use facts::path::{Path, Step};
use facts::record::Parsed;
use facts::secrets::Counts;
use facts::unread::WhyUnread;
use nom::bytes::complete::{is_not, tag, take_while_m_n, take_while1};
use nom::combinator::{map, verify};
use nom::sequence::terminated;
use nom::{IResult, Parser};
use sha2::{Digest, Sha256};

/// The events at the end, as partial objects.
///
/// The table names no Event, so each is named after what it says, with a `#` that no name of an Event has:
/// the same event in two files is one, and joins the Event itself where that was collected. The age is
/// relative to the clock of the machine that ran kubectl, so it gives no time.
pub(super) fn events(
    about: &ObjectRecord,
    printed: Option<&str>,
    lines: &[Line<'_>],
    parsed: &mut Parsed,
) -> Vec<ObjectRecord> {
    let mut events: Vec<ObjectRecord> = Vec::new();
    // What kubectl wrote to its other stream may follow here.
    let lines: Vec<&Line<'_>> =
        lines.iter().skip(1).filter(|(_, line)| !line.trim().is_empty() && !answer::is_one(line)).collect();
    let Some((header, rows)) = lines.split_first() else { return events };
    let Some(columns) = event_columns(header.1) else {
        parsed.unread.push((header.0, WhyUnread::no_but("header of events", answer::short(header.1))));
        return events;
    };
    let mut more: Vec<&str> = Vec::new();
    for (number, line) in rows {
        let chars: Vec<char> = line.chars().collect();
        let row = columns
            .iter()
            .skip(1)
            .all(|start| chars.len() > *start && *start >= 2 && chars[start - 2..*start].iter().all(|c| *c == ' '));
        if line.trim_start().starts_with("---") {
            continue;
        }
        // A cell that is as wide as its column moves those behind it.
        if !row && let Some([kind, reason, age, from, message]) = fragment::event_cells(line) {
            go_on(&mut events, &mut more);
            let (event, masked) = Cells { kind, reason, age, from, message }.event(about, printed, *number);
            parsed.redactions += masked;
            events.push(event);
            continue;
        }
        if !row {
            // A message of several lines.
            match events.is_empty() {
                false => more.push(line.trim()),
                true => parsed.unread.push((*number, WhyUnread::no("row of the events"))),
            }
            continue;
        }
        go_on(&mut events, &mut more);
        let ends = columns.iter().skip(1).copied().chain([chars.len()]);
        let cells: Vec<String> = columns
            .iter()
            .zip(ends)
            .map(|(start, end)| chars.get(*start..end).unwrap_or_default().iter().collect::<String>().trim().to_owned())
            .collect();
        let [kind, reason, age, from, message] = cells.as_slice() else { continue };
        let cells = Cells { kind, reason, age, from, message };
        let (event, masked) = cells.event(about, printed, *number);
        parsed.redactions += masked;
        events.push(event);
    }
    go_on(&mut events, &mut more);
    events
}

/// Puts the lines that followed the last event behind its message, at once: there may be very many.
fn go_on(events: &mut [ObjectRecord], more: &mut Vec<&str>) {
    if let Some(event) = events.last_mut().filter(|_| !more.is_empty()) {
        let lines = std::mem::take(more).join("\n");
        event.node.edit(|node| append(node, &lines));
    }
}

/// The cells of a row.
pub(crate) struct Cells<'c> {
    pub kind: &'c str,
    pub reason: &'c str,
    pub age: &'c str,
    pub from: &'c str,
    pub message: &'c str,
}

impl Cells<'_> {
    /// The event that the row states, and how many secret values were masked in it.
    pub(crate) fn event(&self, about: &ObjectRecord, printed: Option<&str>, number: u32) -> (ObjectRecord, Counts) {
        let mut node = Node::map(number);
        let (field_path, message) = field_path(self.message);
        let text = |text: &str| Node::text(number, text);
        node.set("type", text(self.kind));
        node.set("reason", text(self.reason));
        node.set("message", text(message));
        node.set_at(&["involvedObject", "name"], text(&about.name));
        let mut paths = vec!["type", "reason", "message", "involvedObject.name"];
        if let Some(namespace) = &about.namespace {
            node.set_at(&["involvedObject", "namespace"], text(namespace));
            paths.push("involvedObject.namespace");
        }
        if let Some(kind) = printed {
            node.set_at(&["involvedObject", "kind"], text(kind));
            paths.push("involvedObject.kind");
        }
        if let Some(uid) = &about.uid {
            node.set_at(&["involvedObject", "uid"], text(uid));
            paths.push("involvedObject.uid");
        }
        if let Some(field_path) = field_path {
            node.set_at(&["involvedObject", "fieldPath"], text(field_path));
            paths.push("involvedObject.fieldPath");
        }
        if let Some(component) = component(self.from) {
            node.set_at(&["source", "component"], text(component));
            paths.push("source.component");
        }
        node.set_at(&["status", "kubectlLastSeen"], text(self.age));
        paths.push("status.kubectlLastSeen");
        if let Some(count) = repeated(self.age) {
            node.set("count", text(count));
            paths.push("count");
        }
        let path = |dotted: &&str| Path(dotted.split('.').map(|name| Step::Field(name.to_owned())).collect());
        let (node, masked) = secrets::tree(None, node);
        let event = ObjectRecord {
            kind: Some(KindName::parse("events")),
            api_version: None,
            namespace: about.namespace.clone(),
            name: event_name(about, printed, self.kind, self.reason, message),
            uid: None,
            form: Form::TypedDescribe,
            shown: Shown::Paths(paths.iter().map(path).collect()),
            node,
            member: about.member,
            line: number,
            path: String::new(),
            order: Order::default(),
        };
        (event, masked)
    }
}

/// Newer kubectl prints the part of the object before the message: `spec.containers{app}: Pulled`.
fn field_path(message: &str) -> (Option<&str>, &str) {
    match message.split_once("}: ") {
        Some((path, rest)) if path.starts_with("spec.") && !path.contains(' ') && path.contains('{') => {
            (message.get(..path.len() + 1), rest)
        }
        _ => (None, message),
    }
}

/// `From` is the component of the source, or the reporting controller where the source is empty; only where
/// the host stands behind it (kubectl up to 1.10) it is surely the source.
fn component(from: &str) -> Option<&str> {
    from.split_once(", ").map(|(component, _)| component)
}

fn event_name(about: &ObjectRecord, printed: Option<&str>, kind: &str, reason: &str, message: &str) -> String {
    let mut hash = Sha256::new();
    for part in [printed.unwrap_or(""), about.namespace.as_deref().unwrap_or(""), kind, reason, message] {
        hash.update(part.as_bytes());
        hash.update([0]);
    }
    let hash = hash.finalize();
    format!("{}#{:02x}{:02x}{:02x}{:02x}", about.name, hash[0], hash[1], hash[2], hash[3])
}

fn append(event: &mut Node, lines: &str) {
    if let Some(message) = event.get("message").and_then(Node::as_str) {
        let (lines, _) = secrets::mask_text(lines);
        let joined = format!("{message}\n{lines}");
        let number = event.get("message").map_or(0, |node| node.line);
        event.set("message", Node::text(number, joined));
    }
}

/// Where the five columns of the events start, in characters.
fn event_columns(line: &str) -> Option<[usize; 5]> {
    let mut starts = [0; 5];
    let mut from = 0;
    for (start, wanted) in starts.iter_mut().zip(["Type", "Reason", "Age", "From", "Message"]) {
        let at = line.get(from..)?.find(wanted)?;
        *start = from + at;
        from += at + wanted.len();
    }
    let (rest, _) = event_header.parse(line).ok()?;
    rest.trim().is_empty().then_some(starts)
}

fn event_header(input: &str) -> IResult<&str, ()> {
    let gap = || take_while1(|c| c == ' ');
    let header =
        (gap(), tag("Type"), gap(), tag("Reason"), gap(), tag("Age"), gap(), tag("From"), gap(), tag("Message"));
    map(header, |_| ()).parse(input)
}

/// `14s (x23 over 5m10s)`: the 23.
fn repeated(age: &str) -> Option<&str> {
    let (_, count) = repeated_age.parse(age).ok()?;
    Some(count)
}

fn repeated_age(input: &str) -> IResult<&str, &str> {
    let digits = take_while_m_n(1, 12, |c: char| c.is_ascii_digit());
    let (input, _) = (is_not(" "), tag(" (x")).parse(input)?;
    terminated(verify(digits, |text: &str| text != "0"), tag(" over ")).parse(input)
}
