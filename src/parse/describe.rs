//! Objects as `kubectl describe` prints them.
//!
//! Two forms. Kinds that kubectl does not know (every custom resource) get the **generic** form: all
//! fields, sorted by key, two spaces for each level, labels in title case (`lastTransitionTime` is
//! `Last Transition Time`). It shows every field but `managedFields`, the last applied configuration and
//! the values of long annotations. Built-in kinds get a **typed** form of their own; of those only name,
//! namespace and labels are taken.
//!
//! What the generic form loses, and what is done about it:
//! * Items of a list have nothing between them: a new one starts where a key repeats or sorts before the
//!   key above it. A list of one map looks like a map, and paths into lists accept that.
//! * A text of several lines is printed as it is, from the first column on: a line that cannot be a field
//!   of any open level continues the text above it.
//! * Types are lost: every value is [`Value::Text`].
//!
//! Sources: `kubectl/pkg/describe/describe.go@v0.34.0`, `genericDescriber`, `smartLabelFor`,
//! `printAnnotationsMultiline`.

use super::answer;
use super::record::{Parsed, Record};
use super::tree;
use crate::facts::kind::KindName;
use crate::facts::node::{Node, Value};
use crate::facts::object::{Form, ObjectRecord, Shown};
use crate::facts::origin::MemberId;
use crate::facts::path::{Path, Step};
use crate::facts::secrets;
use nom::bytes::complete::{is_not, tag, take_while_m_n, take_while1};
use nom::character::complete::{char, space0};
use nom::combinator::{all_consuming, map, rest, verify};
use nom::sequence::{preceded, separated_pair, terminated};
use nom::{IResult, Parser};
use sha2::{Digest, Sha256};

/// A numbered line without its line end.
pub type Line<'a> = (u32, &'a str);

/// Reads a text as one or more described objects; `None` if it does not start with one.
///
/// `name` is the member's name: it may tell the kind of the typed form.
pub fn try_parse(member: MemberId, name: &str, text: &str) -> Option<Parsed> {
    read(member, kind_of(name).as_ref(), text, 1)
}

/// The same for the output of one command in a transcript: `kind` is what was asked for, `first` the
/// number of the first line.
pub fn read(member: MemberId, kind: Option<&KindName>, text: &str, first: u32) -> Option<Parsed> {
    let lines: Vec<Line<'_>> = (first..).zip(text.lines().map(|line| line.trim_end_matches('\r'))).collect();
    let mut parsed = Parsed { format: "describe", ..Parsed::default() };
    let starts = starts(&lines);
    let before = &lines[..*starts.first()?];
    for (number, line) in before.iter().filter(|(_, line)| !line.trim().is_empty()) {
        if !answer::is_one(line) {
            return None;
        }
        parsed.unread.push((*number, format!("printed before the first object: `{}`", answer::short(line))));
    }
    let ends = starts.iter().skip(1).copied().chain([lines.len()]);
    for (start, end) in starts.iter().zip(ends) {
        object(member, kind, &lines[*start..end], end == lines.len(), &mut parsed);
    }
    Some(parsed)
}

/// The kind that the name of a file or folder tells, if it can be the name of a kind.
fn kind_of(name: &str) -> Option<KindName> {
    let hint = answer::kind_hint(name)?;
    (hint.rest.is_none() && hint.kind != "describe").then(|| KindName::parse(&hint.kind))
}

/// Where objects start: `Name:` in the first column, at the start or behind two blank lines, or behind
/// one if what follows is surely the head of an object.
fn starts(lines: &[Line<'_>]) -> Vec<usize> {
    let blank = |at: Option<usize>| at.is_none_or(|at| lines[at].1.trim().is_empty());
    let mut starts = Vec::new();
    for (at, (_, line)) in lines.iter().enumerate() {
        if top_field(line).is_none_or(|(key, text)| key != "Name" || text.is_empty()) {
            continue;
        }
        let head = lines[at + 1..]
            .iter()
            .take(2)
            .any(|(_, line)| top_field(line).is_some_and(|(key, _)| matches!(key, "Namespace" | "Labels")));
        let one = blank(at.checked_sub(1));
        let two = one && blank(at.checked_sub(2));
        let nothing_yet = starts.is_empty() && lines[..at].iter().all(|(_, line)| answer::is_one(line));
        if starts.is_empty() && (one || nothing_yet) || two || one && head {
            starts.push(at);
        }
    }
    starts
}

/// A field in the first column: `Key:` and its text, blanks trimmed.
fn top_field(line: &str) -> Option<(&str, &str)> {
    let (key, text) = tree::field(line)?;
    (!line.starts_with(' ')).then(|| (key, text.unwrap_or_default().trim()))
}

/// The head that all forms share.
#[derive(Debug, Default)]
struct Head {
    name: (u32, String),
    namespace: Option<(u32, String)>,
    labels: Option<Node>,
    annotations: Option<Node>,
}

/// Adds one object. `last` says that no other follows it, so that only its events prove that its text is
/// whole.
fn object(member: MemberId, kind: Option<&KindName>, lines: &[Line<'_>], last: bool, parsed: &mut Parsed) {
    let Some(&(line, _)) = lines.first() else { return };
    let (head, body) = head(lines);
    let (body, events) = match body.iter().position(|(_, line)| line.starts_with("Events:")) {
        Some(at) => body.split_at(at),
        None => (body, &[][..]),
    };
    let value = |wanted: &str| {
        body.iter().find_map(|(_, line)| top_field(line).filter(|(key, _)| *key == wanted).map(|(_, text)| text))
    };
    let api_version = value("API Version").filter(|text| !text.is_empty());
    let printed = value("Kind").filter(|text| !text.is_empty());
    let mut record = ObjectRecord {
        kind: kind.cloned(),
        api_version: None,
        namespace: head.namespace.as_ref().map(|(_, text)| text.clone()),
        name: head.name.1.clone(),
        uid: None,
        form: Form::TypedDescribe,
        shown: Shown::Paths(shown_head(&head)),
        node: Node::map(line),
        member,
        line,
        path: String::new(),
        order: None,
        time: None,
    };
    if let (Some(api_version), Some(printed)) = (api_version, printed) {
        record.kind = Some(KindName::guess(api_version, printed));
        record.api_version = Some(api_version.to_owned());
        record.form = Form::Describe;
        record.shown = Shown::Everything;
        let (root, unread) = tree::read(body);
        record.node = root;
        record.node.line = line;
        if !unread.is_empty() || (last && events.is_empty()) {
            let mut paths = shown_head(&head);
            shown_before_end(&record.node, &mut Vec::new(), &mut paths);
            record.shown = Shown::Paths(paths);
        }
        parsed.unread.extend(unread);
    } else if record.kind.is_none() {
        record.kind = typed_kind(body);
    }
    add_head(&mut record.node, &head);
    record.uid = record.node.at(&["metadata", "uid"]).and_then(Node::as_str).map(str::to_owned);
    parsed.redactions += secrets::mask_object(record.kind.as_ref(), &mut record.node);
    let events = self::events(&record, printed, events, parsed);
    parsed.records.push(Record::Object(Box::new(record)));
    parsed.records.extend(events.into_iter().map(|event| Record::Object(Box::new(event))));
}

/// What surely was there when the text of an object ends early: all but the last field, and of that one
/// all but its last field, and so on. A list that was open at the end is not known to be whole.
fn shown_before_end(node: &Node, at: &mut Vec<Step>, paths: &mut Vec<Path>) {
    let Some(((key, last), whole)) = node.entries().split_last() else { return };
    for (key, _) in whole {
        at.push(Step::Field(key.to_string()));
        paths.push(Path(at.clone()));
        at.pop();
    }
    at.push(Step::Field(key.to_string()));
    shown_before_end(last, at, paths);
    at.pop();
}

/// What the head of every form shows.
fn shown_head(head: &Head) -> Vec<Path> {
    let field = |name: &str| Step::Field(name.to_owned());
    let mut paths = vec![Path(vec![field("metadata"), field("name")])];
    if head.namespace.is_some() {
        paths.push(Path(vec![field("metadata"), field("namespace")]));
    }
    if head.labels.is_some() {
        paths.push(Path(vec![field("metadata"), field("labels")]));
    }
    paths
}

/// Pods and Nodes have marks that no other typed form has.
/// Source: `kubectl/pkg/describe/describe.go@v0.34.0`, `describePod`, `describeNode`.
fn typed_kind(body: &[Line<'_>]) -> Option<KindName> {
    let has = |wanted: &[&str]| {
        wanted.iter().all(|key| body.iter().any(|(_, line)| top_field(line).is_some_and(|(found, _)| found == *key)))
    };
    if has(&["Containers", "Conditions", "QoS Class"]) {
        Some(KindName::parse("pods"))
    } else if has(&["Taints", "Capacity", "System Info"]) {
        Some(KindName::parse("nodes"))
    } else {
        None
    }
}

/// `Name`, `Namespace`, `Labels` and `Annotations`, wherever the form has them, and the other lines.
fn head<'a, 'b>(lines: &'b [Line<'a>]) -> (Head, &'b [Line<'a>]) {
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
            "Labels" if head.labels.is_none() => head.labels = Some(labels(&lines[at..at + block])),
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

fn add_head(root: &mut Node, head: &Head) {
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
    let mut node = Node::map(block.first().map_or(0, |(number, _)| *number));
    for (at, (number, line)) in block.iter().enumerate() {
        if let Ok((_, (key, text))) = all_consuming(label).parse(block_text(at, line).trim()) {
            node.set(key, Node::text(*number, text));
        }
    }
    node
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

/// The events at the end, as partial objects.
///
/// The table names no Event, so each is named after what it says, with a `#` that no name of an Event has:
/// the same event in two files is one, and joins the Event itself where that was collected. The age is
/// relative to the clock of the machine that ran kubectl, so it gives no time.
fn events(about: &ObjectRecord, printed: Option<&str>, lines: &[Line<'_>], parsed: &mut Parsed) -> Vec<ObjectRecord> {
    let mut events: Vec<ObjectRecord> = Vec::new();
    // What kubectl wrote to its other stream may follow here.
    let lines: Vec<&Line<'_>> =
        lines.iter().skip(1).filter(|(_, line)| !line.trim().is_empty() && !answer::is_one(line)).collect();
    let Some((header, rows)) = lines.split_first() else { return events };
    let Some(columns) = event_columns(header.1) else {
        parsed.unread.push((header.0, format!("no header of events: `{}`", answer::short(header.1))));
        return events;
    };
    for (number, line) in rows {
        let chars: Vec<char> = line.chars().collect();
        let row = columns
            .iter()
            .skip(1)
            .all(|start| chars.len() > *start && *start >= 2 && chars[start - 2..*start].iter().all(|c| *c == ' '));
        if line.trim_start().starts_with("---") {
            continue;
        }
        if !row {
            // A message of several lines.
            match events.last_mut() {
                Some(event) => append(&mut event.node, line.trim()),
                None => parsed.unread.push((*number, "no row of the events".to_owned())),
            }
            continue;
        }
        let ends = columns.iter().skip(1).copied().chain([chars.len()]);
        let cells: Vec<String> = columns
            .iter()
            .zip(ends)
            .map(|(start, end)| chars.get(*start..end).unwrap_or_default().iter().collect::<String>().trim().to_owned())
            .collect();
        // What `From` prints is the source's component, with its host, or the reporting controller, depending
        // on the version of kubectl: it states none of them.
        let [kind, reason, age, _from, message] = cells.as_slice() else { continue };
        let mut node = Node::map(*number);
        let (message, masked) = secrets::mask_text(message);
        parsed.redactions += masked;
        let text = |text: &str| Node::text(*number, text);
        node.set("type", text(kind));
        node.set("reason", text(reason));
        node.set("message", text(&message));
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
        if let Some(count) = repeated(age) {
            node.set("count", text(count));
            paths.push("count");
        }
        let path = |dotted: &&str| Path(dotted.split('.').map(|name| Step::Field(name.to_owned())).collect());
        events.push(ObjectRecord {
            kind: Some(KindName::parse("events")),
            api_version: None,
            namespace: about.namespace.clone(),
            name: event_name(about, printed, kind, reason, &message),
            uid: None,
            form: Form::TypedDescribe,
            shown: Shown::Paths(paths.iter().map(path).collect()),
            node,
            member: about.member,
            line: *number,
            path: String::new(),
            order: None,
            time: None,
        });
    }
    events
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

fn append(event: &mut Node, line: &str) {
    if let Some(message) = event.get("message").and_then(Node::as_str) {
        let (line, _) = secrets::mask_text(line);
        let joined = format!("{message}\n{line}");
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

#[cfg(test)]
mod tests {
    use super::*;

    fn dump(node: &Node, indent: usize, out: &mut String) {
        let pad = "  ".repeat(indent);
        match &node.value {
            Value::Map(entries) => {
                for (key, child) in entries {
                    match &child.value {
                        Value::Map(entries) if !entries.is_empty() => {
                            *out += &format!("{pad}{key}:\n");
                            dump(child, indent + 1, out);
                        }
                        Value::List(items) if !items.is_empty() => {
                            *out += &format!("{pad}{key}:\n");
                            for item in items {
                                *out += &format!("{pad}-\n");
                                dump(item, indent + 1, out);
                            }
                        }
                        value => *out += &format!("{pad}{key}: {value:?} @{}\n", child.line),
                    }
                }
            }
            value => *out += &format!("{pad}{value:?} @{}\n", node.line),
        }
    }

    fn show(text: &str) -> String {
        let Some(parsed) = try_parse(MemberId(0), "describe-widgets.txt", text) else { return "-".to_owned() };
        let mut out = String::new();
        for record in parsed.records {
            let Record::Object(object) = record else { panic!("only objects") };
            let kind = object.kind.map_or("?".to_owned(), |kind| kind.to_string());
            let shown = match object.shown {
                Shown::Everything | Shown::Kept => "everything".to_owned(),
                Shown::Paths(paths) => paths.iter().map(Path::to_string).collect::<Vec<_>>().join(", "),
            };
            out += &format!("{}: {kind} {:?} {} shows {shown}\n", object.line, object.namespace, object.name);
            dump(&object.node, 1, &mut out);
        }
        for (line, reason) in parsed.unread {
            out += &format!("{line}! {reason}\n");
        }
        out
    }

    #[test]
    fn a_custom_resource() {
        let long = "y".repeat(135);
        insta::assert_snapshot!(show(&format!("\
Name:         a
Namespace:    {}
Labels:       example.com/x=1
              y=
Annotations:  long:
                {long}...
              multi:
                l1
                l2
              short: v: w
API Version:  example.com/v1
Kind:         Widget
Metadata:
  Creation Timestamp:  2025-05-13T20:50:00Z
  Owner References:
    API Version:     example.com/v1
    Name:            b
    UID:             0b
  Resource Version:  7
Spec:
  Cert SA Ns:
    localhost
    127.0.0.1
  Empty:        
  Empty List:
  ipv4Address:  1.2.3.4
  Nullv:        <nil>
Status:
  Conditions:
    Last Transition Time:  2025-05-13T20:50:00Z
    Message:               * Machines:
  * NodeHealthy:
    * Node.Ready: not ready
third: line

after a blank line
    Status:                True
    Type:                  Ready
    Message:               
    Type:                  Other
  Replicas:                3
Events:                    <none>
", "")), @r#"
        1: widgets.example.com None a shows everything
          metadata:
            Creation Timestamp: Text("2025-05-13T20:50:00Z") @14
            Owner References:
              API Version: Text("example.com/v1") @16
              Name: Text("b") @17
              UID: Text("0b") @18
            Resource Version: Text("7") @19
            name: Text("a") @1
            labels:
              example.com/x: Text("1") @3
              y: Text("") @4
            annotations:
              long: Redacted(None) @5
              multi: Text("l1\nl2") @7
              short: Text("v: w") @10
          API Version: Text("example.com/v1") @11
          Kind: Text("Widget") @12
          Spec:
            Cert SA Ns:
            -
              Text("localhost") @22
            -
              Text("127.0.0.1") @23
            Empty: Text("") @24
            Empty List: List([]) @25
            ipv4Address: Text("1.2.3.4") @26
            Nullv: Null @27
          Status:
            Conditions:
            -
              Last Transition Time: Text("2025-05-13T20:50:00Z") @30
              Message: Text("* Machines:\n  * NodeHealthy:\n    * Node.Ready: not ready\nthird: line\n\nafter a blank line") @31
              Status: Text("True") @37
              Type: Text("Ready") @38
            -
              Message: Text("") @39
              Type: Text("Other") @40
            Replicas: Text("3") @41
        "#);
    }

    #[test]
    fn several_objects_and_events() {
        insta::assert_snapshot!(show("\
Name:         a
Namespace:    ns
Labels:       <none>
Annotations:  <none>
API Version:  example.com/v1
Kind:         Widget
Events:
  Type     Reason  Age                 From     Message
  ----     ------  ----                ----     -------
  Warning  Failed  49s (x16 over 78s)  kubelet  first
second
  Normal   Pulled  46s                 kubelet  done


Name:         b
Namespace:    ns
Labels:       <none>
Annotations:  <none>
API Version:  example.com/v1
Kind:         Widget
Spec:
  A:  1
  B:
    C:  2
    D:  3
"), @r#"
        1: widgets.example.com Some("ns") a shows everything
          metadata:
            name: Text("a") @1
            namespace: Text("ns") @2
          API Version: Text("example.com/v1") @5
          Kind: Text("Widget") @6
        10: events Some("ns") a#c6f4d8c3 shows type, reason, message, involvedObject.name, involvedObject.namespace, involvedObject.kind, count
          type: Text("Warning") @10
          reason: Text("Failed") @10
          message: Text("first\nsecond") @10
          involvedObject:
            name: Text("a") @10
            namespace: Text("ns") @10
            kind: Text("Widget") @10
          count: Text("16") @10
        12: events Some("ns") a#e97b9db5 shows type, reason, message, involvedObject.name, involvedObject.namespace, involvedObject.kind
          type: Text("Normal") @12
          reason: Text("Pulled") @12
          message: Text("done") @12
          involvedObject:
            name: Text("a") @12
            namespace: Text("ns") @12
            kind: Text("Widget") @12
        15: widgets.example.com Some("ns") b shows metadata.name, metadata.namespace, metadata.labels, API Version, Kind, Spec.A, Spec.B.C
          metadata:
            name: Text("b") @15
            namespace: Text("ns") @16
          API Version: Text("example.com/v1") @19
          Kind: Text("Widget") @20
          Spec:
            A: Text("1") @22
            B:
              C: Text("2") @24
              D: Text("3") @25
        "#);
    }

    #[test]
    fn a_built_in_kind_is_partial() {
        insta::assert_snapshot!(show("\
Name:         web-1
Namespace:    shop
Priority:     0
Labels:       app=web
Status:       Running
Containers:
  web:
    State:  Waiting
Conditions:
  Type   Status
  Ready  False
QoS Class:  BestEffort
Events:     <none>
"), @r#"
        1: widgets Some("shop") web-1 shows metadata.name, metadata.namespace, metadata.labels
          metadata:
            name: Text("web-1") @1
            namespace: Text("shop") @2
            labels:
              app: Text("web") @4
        "#);
    }

    #[test]
    fn near_misses() {
        for text in ["", "Name: a\n", "name:         a\n", "We saw\nName:         a\n", "Names:       a\n"] {
            assert_eq!(try_parse(MemberId(0), "a.txt", text), None, "{text}");
        }
    }
}
