//! Objects as `kubectl describe` prints them.
//!
//! Two forms. Kinds that kubectl does not know (every custom resource) get the **generic** form: all
//! fields, sorted by key, two spaces for each level, labels in title case (`lastTransitionTime` is
//! `Last Transition Time`). It shows every field but `managedFields`, the last applied configuration and
//! the values of long annotations. Built-in kinds get a **typed** form of their own, read by [`typed`]: each
//! label that is known shows one path, and what it does not show is unknown.
//!
//! What the generic form loses, and what is done about it:
//! * Items of a list have nothing between them: a new one starts where a key repeats or sorts before the
//!   key above it. A list of one map looks like a map, and paths into lists accept that.
//! * A text of several lines is printed as it is, from the first column on: a line that cannot be a field
//!   of any open level continues the text above it.
//! * Types are lost: every value is `Value::Text`.
//!
//! Sources: `kubectl/pkg/describe/describe.go@v0.34.0`, `genericDescriber`, `smartLabelFor`,
//! `printAnnotationsMultiline`.

mod data;
pub(crate) mod events;
mod form;
mod head;
mod kinds;
mod node;
mod outline;
mod pod;
#[cfg(test)]
mod properties;
mod tree;
mod typed;
mod values;

use crate::answer;
use crate::answer::{Asked, Remark};
use crate::interrupted;
use crate::secrets;
use crate::text_form::form::{Mark, NONE, TextForm};
use facts::kind::KindName;
use facts::node::Node;
use facts::object::{Form, ObjectRecord, Shown, Tree};
use facts::order::Order;
use facts::origin::MemberId;
use facts::partial::{Partial, dotted};
use facts::path::{Path, Step};
use facts::record::{Parsed, Record};
use facts::shown_paths::PathPool;
use facts::unread::WhyUnread;
use facts::until;
use head::{add_head, head, shown_head};
use outline::Line;

/// Described objects, of the kind that the command names or else the file.
pub(crate) const FORM: TextForm = TextForm {
    name: "describe",
    mark: Mark::First(|line| line.starts_with("Name:")),
    text: Some(|asked, text| match asked.command.map(|command| command.kinds.as_slice()) {
        Some([typed]) => read(asked.member, answer::unambiguous(typed).ok().as_ref(), text, 1),
        _ => try_parse(asked.member, asked.name, text),
    }),
    ..NONE
};

/// Reads a text as one or more described objects; `None` if it does not start with one.
///
/// `name` is the member's name: it may tell the kind of the typed form.
pub fn try_parse(member: MemberId, name: &str, text: &str) -> Option<Parsed> {
    read(member, kind_of(name, text).as_ref(), text, 1)
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
        parsed.unread.push((*number, WhyUnread::BeforeFirstObject(answer::short(line).into())));
    }
    let ends = starts.iter().skip(1).copied().chain([lines.len()]);
    let mut pool = PathPool::default();
    for (start, end) in starts.iter().zip(ends) {
        let before = parsed.records.len();
        let own = errors_behind(member, &lines[*start..end], &mut parsed);
        let extent = if end == lines.len() { Extent::Last } else { Extent::Whole };
        object(member, kind, own, extent, &mut parsed);
        for record in parsed.records.iter_mut().skip(before) {
            if let Record::Object(object) = record {
                pool.share(&mut object.shown);
            }
        }
    }
    Some(parsed)
}

/// Reads a description whose head was not pasted: an object of this kind, with the name that it is given.
pub(crate) fn read_part(
    member: MemberId,
    kind: &KindName,
    (name, namespace): (&str, Option<&str>),
    lines: &[&str],
    first: u32,
) -> Parsed {
    let head = format!("Name:         {name}");
    let of = namespace.map(|namespace| format!("Namespace:    {namespace}"));
    let mut all: Vec<Line<'_>> = vec![(first, head.as_str())];
    all.extend(of.as_deref().map(|line| (first, line)));
    all.extend((first..).zip(lines.iter().copied()));
    let mut parsed = Parsed::default();
    object(member, Some(kind), &all, Extent::Part, &mut parsed);
    parsed
}

/// How much of an object its lines are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Extent {
    /// All of it: another object follows.
    Whole,
    /// No other follows, so that only its events prove that its text is whole.
    Last,
    /// Its head was not pasted; its kind is known.
    Part,
}

/// The fields of a part of a generic description.
pub(crate) fn body(lines: &[(u32, &str)]) -> Node {
    tree::read(lines).0
}

/// A time as kubectl prints it; `None` if it is none.
pub(crate) fn time(line: u32, text: &str) -> Option<Node> {
    Some(Node::text(line, values::time(text)?))
}

/// Takes the errors of kubectl off the end of an object's lines, and the half of a line that one of them cut.
/// Returns what is left.
fn errors_behind<'a, 'b>(member: MemberId, lines: &'b [Line<'a>], parsed: &mut Parsed) -> &'b [Line<'a>] {
    let asked = Asked { member, name: "", command: None };
    let events = lines.iter().position(|(_, line)| line.starts_with("Events:"));
    let mut own = lines;
    let mut remarks = Vec::new();
    while let Some(((number, line), before)) = own.split_last() {
        // A message of an event may say what an error says.
        let cut = if events.is_some_and(|events| events < before.len()) {
            interrupted::glued(line)
        } else {
            interrupted::at(line).or_else(|| interrupted::anywhere(line))
        };
        let error = match cut {
            Some(at) => line.get(at..),
            None => Some(*line).filter(|line| !line.starts_with([' ', '\t']) && answer::is_error(line)),
        };
        match error {
            Some(error) => remarks.extend(answer::line(&asked, *number, error).map(|what| (*number, what))),
            None if line.trim().is_empty() => {}
            None => break,
        }
        own = before;
    }
    for (number, what) in remarks.into_iter().rev() {
        match what {
            Remark::Answer(answer) => parsed.records.push(Record::Answer(answer)),
            Remark::Unproven { why, .. } => parsed.unread.push((number, why)),
            Remark::Noise | Remark::Discovery => {}
        }
    }
    own
}

/// Has this kind a form of its own, or is it printed field by field?
pub(crate) fn has_own_form(kind: &KindName) -> bool {
    kinds::named(&kind.to_string()).is_some()
}

/// Does some description of kubectl have this label in its first column?
pub(crate) fn is_label(key: &str) -> bool {
    kinds::is_label(key)
}

/// Does `describe` print the conditions of this built-in kind as a table?
pub(crate) fn prints_conditions(kind: &KindName) -> bool {
    kinds::prints_conditions(&kind.to_string())
}

/// Lines at the beginning of a text in which a description that is named after its object begins.
const HEAD: usize = 10;

/// The kind that the name of a file or folder tells, if it can be the name of a kind, alone or with the name of the
/// object: `describe-node-worker-0.txt`.
fn kind_of(name: &str, text: &str) -> Option<KindName> {
    let hint = answer::kind_hint(name)?;
    // Above it stands no more than what kubectl answers to other questions.
    let object = || text.lines().take(HEAD).find_map(|line| line.strip_prefix("Name:")).map(str::trim);
    let is_kind = hint.rest.as_deref().is_none_or(|rest| object() == Some(rest));
    (is_kind && hint.kind != "describe").then(|| KindName::parse(&hint.kind))
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

/// Adds one object.
fn object<'a, 'b>(
    member: MemberId,
    kind: Option<&KindName>,
    lines: &'b [Line<'a>],
    extent: Extent,
    parsed: &mut Parsed,
) {
    let Some(&(line, _)) = lines.first() else { return };
    let last = extent != Extent::Whole;
    let (mut head, body) = head(lines);
    head.labels_closed |= !last;
    let mut pods = Vec::new();
    let split = |lines: &'b [Line<'a>]| match lines.iter().rposition(|(_, line)| line.starts_with("Events:")) {
        Some(at) => lines.split_at(at),
        None => (lines, &[][..]),
    };
    let (body, events) = split(body);
    let value = |wanted: &str| {
        body.iter().find_map(|(_, line)| top_field(line).filter(|(key, _)| *key == wanted).map(|(_, text)| text))
    };
    let api_version = value("API Version").filter(|text| !text.is_empty());
    let mut printed = value("Kind").filter(|text| !text.is_empty());
    let mut record = ObjectRecord {
        kind: kind.cloned(),
        api_version: None,
        namespace: head.namespace.as_ref().map(|(_, text)| text.clone()),
        name: head.name.1.clone(),
        uid: None,
        form: Form::TypedDescribe,
        shown: Shown::Paths(shown_head(&head).into()),
        node: Tree::of(Node::map(line)),
        member,
        line,
        path: String::new(),
        order: Order::default(),
    };
    let mut root = Node::map(line);
    if let (Some(api_version), Some(printed)) = (api_version, printed) {
        record.kind = Some(KindName::guess(api_version, printed));
        record.api_version = Some(api_version.to_owned());
        record.form = Form::Describe;
        record.shown = Shown::Everything;
        let (read, unread) = tree::read(body);
        root = Node { line, ..read };
        if !unread.is_empty() || (last && events.is_empty()) {
            let mut paths = shown_head(&head);
            shown_before_end(&root, &mut Vec::new(), &mut paths);
            record.shown = Shown::Paths(paths.into());
        }
        parsed.unread.extend(unread);
    } else {
        let hint = kind.map(ToString::to_string);
        let whole = !last || !events.is_empty();
        let read = || match extent {
            Extent::Part => typed::read_part(hint.as_deref()?, split(lines).0),
            _ => typed::read(hint.as_deref(), split(lines).0, events, whole),
        };
        if let Some(typed) = read() {
            record.kind = Some(KindName::parse(typed.kind.name));
            printed = Some(typed.kind.kind);
            let (node, shown) = typed.partial.finish();
            root = Node { line, ..node };
            if let (Shown::Paths(paths), Shown::Paths(more)) = (&mut record.shown, shown) {
                paths.extend(more.iter().cloned());
            }
            if typed.odd_annotations {
                head.annotations = None;
            }
            pods = typed.pods;
        }
    }
    add_head(&mut root, &head);
    let (root, masked) = secrets::tree(record.kind.as_ref(), root);
    parsed.redactions += masked;
    record.node = root;
    record.uid = record.node.at(&["metadata", "uid"]).and_then(Node::as_str).map(str::to_owned);
    let events = events::events(&record, printed, events, parsed);
    let pods: Vec<ObjectRecord> = pods.into_iter().map(|pod| pod_of_node(&record, pod)).collect();
    parsed.records.push(Record::Object(Box::new(record)));
    parsed.records.extend(pods.into_iter().chain(events).map(|other| Record::Object(Box::new(other))));
}

/// A Pod in the list of a Node: that it is there, and where it runs.
fn pod_of_node(node: &ObjectRecord, (line, namespace, name): (u32, String, String)) -> ObjectRecord {
    let mut partial = Partial::new(line);
    let says = [("metadata.name", &name), ("metadata.namespace", &namespace), ("spec.nodeName", &node.name)];
    for (path, text) in says {
        partial.show(&dotted(path), Some(Node::text(line, text.as_str())));
    }
    let (tree, shown) = partial.finish();
    ObjectRecord {
        kind: Some(KindName::parse("pods")),
        api_version: None,
        namespace: Some(namespace),
        name,
        uid: None,
        form: Form::TypedDescribe,
        shown,
        node: Tree::of(tree),
        member: node.member,
        line,
        path: String::new(),
        order: Order::default(),
    }
}

/// What surely was there when the text of an object ends early: all but the last field, and of that one
/// all but its last field, and so on. A list that was open at the end is not known to be whole; of its items all but
/// the last one are, and of that one all but its last field, if a type or a name tells them apart.
pub(crate) fn shown_before_end(node: &Node, at: &mut Vec<Step>, paths: &mut Vec<Path>) {
    if let Some((last, whole)) = node.items().split_last() {
        for step in whole.iter().filter_map(until::picked) {
            at.push(step);
            paths.push(Path(at.clone()));
            at.pop();
        }
        if let Some(step) = until::picked(last) {
            at.push(step);
            shown_before_end(last, at, paths);
            at.pop();
        }
        return;
    }
    let Some(((key, last), whole)) = node.entries().split_last() else { return };
    let is_condition = node.field("type").is_some() && node.field("status").is_some();
    if is_condition
        && !matches!(at.last(), Some(Step::Pick { .. }))
        && let Some(step) = until::picked(node)
    {
        // `kubectl describe` prints a list of one item like the item.
        at.push(step);
        shown_before_end(node, at, paths);
        at.pop();
    }
    for (key, _) in whole {
        at.push(Step::Field(key.to_string()));
        paths.push(Path(at.clone()));
        at.pop();
    }
    at.push(Step::Field(key.to_string()));
    // The last line of a condition is its type, a word that no line goes on with.
    if is_condition && key.eq_ignore_ascii_case("type") && last.value.scalar().is_some_and(|text| !text.is_empty()) {
        paths.push(Path(at.clone()));
    }
    shown_before_end(last, at, paths);
    at.pop();
}

#[cfg(test)]
mod tests {
    use super::*;
    use facts::node::Value;

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
            let object = match record {
                Record::Object(object) => object,
                Record::Answer(answer) => {
                    out += &format!("{}: answer {} {:?}\n", answer.citation.line, answer.kind, answer.state);
                    continue;
                }
                other => panic!("{other:?}"),
            };
            let kind = object.kind.map_or("?".to_owned(), |kind| kind.to_string());
            let shown = match object.shown {
                Shown::Everything | Shown::Kept | Shown::Until(_) | Shown::Manifest(_) => "everything".to_owned(),
                Shown::Paths(paths) => paths.iter().map(Path::to_string).collect::<Vec<_>>().join(", "),
                Shown::Fields(_) => unreachable!("nothing that is read is derived"),
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
    fn an_error_behind_an_object() {
        let widget = "Name:         a\nNamespace:    shop\nLabels:       <none>\nAnnotations:  <none>\nAPI Version:  example.com/v1\nKind:         Widget\nSpec:\n  Size:  5\nStatus:\n  Message:  it is";
        let refused =
            "The connection to the server 10.0.0.1:6443 was refused - did you specify the right host or port?";
        insta::assert_snapshot!(show(&format!("{widget}\n{refused}\n")), @r#"
        1: widgets.example.com Some("shop") a shows metadata.name, metadata.namespace, metadata.labels, API Version, Kind, Spec
          metadata:
            name: Text("a") @1
            namespace: Text("shop") @2
          API Version: Text("example.com/v1") @5
          Kind: Text("Widget") @6
          Spec:
            Size: Text("5") @8
          Status:
            Message: Text("it is") @10
        11! the collecting command failed: `The connection to the server 10.0.0.1:6443 was refused - did you specify the right host or port?`
        "#);
        insta::assert_snapshot!(show(&format!("{widget}{refused}\n")), @r#"
        1: widgets.example.com Some("shop") a shows metadata.name, metadata.namespace, metadata.labels, API Version, Kind, Spec
          metadata:
            name: Text("a") @1
            namespace: Text("shop") @2
          API Version: Text("example.com/v1") @5
          Kind: Text("Widget") @6
          Spec:
            Size: Text("5") @8
          Status: List([]) @9
        10! the collecting command failed: `The connection to the server 10.0.0.1:6443 was refused - did you specify the right host or port?`
        "#);
        insta::assert_snapshot!(show(&format!("{widget}\n  error: timed out waiting for the condition\n")), @r#"
        1: widgets.example.com Some("shop") a shows metadata.name, metadata.namespace, metadata.labels, API Version, Kind, Spec
          metadata:
            name: Text("a") @1
            namespace: Text("shop") @2
          API Version: Text("example.com/v1") @5
          Kind: Text("Widget") @6
          Spec:
            Size: Text("5") @8
          Status:
            Message: Text("it is") @10
        11! the collecting command failed: `error: timed out waiting for the condition`
        "#);
        // Behind the events the object is whole.
        insta::assert_snapshot!(
            show(&format!("{widget}\nEvents:  <none>\n\n\nError from server (NotFound): widgets.example.com \"b\" not found\n")),
            @r#"
        14: answer widgets.example.com NotFound("b")
        1: widgets.example.com Some("shop") a shows everything
          metadata:
            name: Text("a") @1
            namespace: Text("shop") @2
          API Version: Text("example.com/v1") @5
          Kind: Text("Widget") @6
          Spec:
            Size: Text("5") @8
          Status:
            Message: Text("it is") @10
        "#
        );
    }

    #[test]
    #[expect(clippy::too_many_lines, reason = "a text and what it is read as, side by side")]
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
              y: Str("") @4
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
        10: events Some("ns") a#c6f4d8c3 shows type, reason, message, involvedObject.name, involvedObject.namespace, involvedObject.kind, status.kubectlLastSeen, count
          type: Text("Warning") @10
          reason: Text("Failed") @10
          message: Text("first\nsecond") @10
          involvedObject:
            name: Text("a") @10
            namespace: Text("ns") @10
            kind: Text("Widget") @10
          status:
            kubectlLastSeen: Text("49s (x16 over 78s)") @10
          count: Text("16") @10
        12: events Some("ns") a#e97b9db5 shows type, reason, message, involvedObject.name, involvedObject.namespace, involvedObject.kind, status.kubectlLastSeen
          type: Text("Normal") @12
          reason: Text("Pulled") @12
          message: Text("done") @12
          involvedObject:
            name: Text("a") @12
            namespace: Text("ns") @12
            kind: Text("Widget") @12
          status:
            kubectlLastSeen: Text("46s") @12
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
