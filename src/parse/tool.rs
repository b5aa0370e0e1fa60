//! Output of programs other than `kubectl get` and `describe`: which parser reads it, and how its records
//! are made.
//!
//! Why one place: each of these programs prints something that only it prints, so the first significant
//! line decides; and what they say becomes objects of the group `casefile.dev` like any other.
//!
//! Invariants: a parser here claims a text only by a mark that no other program prints; secret values are
//! masked before a record exists; a field that a form does not print is unknown, not unset.

use crate::answer::Asked;
use crate::secrets;
use crate::{access, checks, clock, crictl, disk, installer, openssl, resources, systemd, version, yaml};
use facts::kind::KindName;
use facts::node::{Node, Value};
use facts::object::{Form, ObjectRecord, Shown};
use facts::path::{Path, Step};
use facts::record::{Parsed, Record};
use facts::unread::WhyUnread;
use intake::Limits;

/// The group of records that are no objects of an API server.
const GROUP: &str = "casefile.dev";

/// Reads a text as output of one of these programs; `None` if it is something else.
pub fn try_parse(asked: &Asked<'_>, text: &str) -> Option<Parsed> {
    checks::try_parse(asked, text)
        .or_else(|| version::try_parse(asked, text))
        .or_else(|| resources::try_parse(asked, text))
        .or_else(|| access::try_parse(asked, text))
        .or_else(|| crictl::try_parse(asked, text))
        .or_else(|| openssl::try_parse(asked, text))
        .or_else(|| disk::try_parse(asked, text))
        .or_else(|| clock::try_parse(asked, text))
        .or_else(|| systemd::try_parse(asked, text))
}

/// Reads a document in JSON or YAML, already a tree, as output of one of these programs.
pub fn try_document(asked: &Asked<'_>, document: &Node, form: Form) -> Option<Parsed> {
    if document.get("apiVersion").is_some() && document.get("kind").is_some() {
        return None;
    }
    version::try_document(asked, document)
        .or_else(|| crictl::try_document(asked, document, form))
        .or_else(|| installer::try_document(asked, document, form))
        .or_else(|| access::try_document(asked, document, form))
}

/// Reads a single YAML document as output of one of these programs. Objects of Kubernetes are left alone.
pub(crate) fn try_yaml(asked: &Asked<'_>, text: &str, limits: &Limits) -> Option<Parsed> {
    const MAX: usize = 1 << 20;
    let begins = |line: &str| {
        ["clientVersion:", "serverVersion:", "containers:", "status:", "images:", "items:", "info:"]
            .iter()
            .any(|key| line.starts_with(key))
    };
    if text.len() > MAX || text.contains("\napiVersion:") || !lines(text).next().is_some_and(|(_, line)| begins(line)) {
        return None;
    }
    let [chunk] = yaml::chunks(text).try_into().ok()?;
    let [document] = yaml::read_chunk(&chunk, limits.nesting).try_into().ok()?;
    try_document(asked, &document.node.filter(|_| document.damage.is_none())?, Form::Yaml)
}

/// Could this line begin a text of one of these programs? For telling such a text from a log or YAML.
pub(crate) fn is_first_line(line: &str) -> bool {
    checks::is_first_line(line)
        || version::is_first_line(line)
        || crictl::is_header(line)
        || openssl::is_first_line(line)
        || disk::is_header(line)
        || clock::is_first_line(line)
        || systemd::is_first_line(line)
}

/// Records while a text is read.
#[derive(Debug)]
pub(super) struct Records<'a> {
    asked: &'a Asked<'a>,
    form: Form,
    parsed: Parsed,
}

impl<'a> Records<'a> {
    /// None yet, of a text form.
    pub fn new(asked: &'a Asked<'a>, format: &'static str) -> Self {
        Self { asked, form: Form::Table, parsed: Parsed { format, ..Parsed::default() } }
    }

    /// None yet, of a document.
    pub(crate) fn of_document(asked: &'a Asked<'a>, format: &'static str, form: Form) -> Self {
        Self { asked, form, parsed: Parsed { format, ..Parsed::default() } }
    }

    /// Adds an object of which only the fields in its tree are known.
    pub fn partial(&mut self, plural: &str, name: &str, node: Node) {
        let shown = Shown::Paths(fields(&node));
        self.add(plural, name, node, shown);
    }

    /// Adds an object that was printed whole.
    pub fn whole(&mut self, plural: &str, name: &str, node: Node) {
        self.add(plural, name, node, Shown::Everything);
    }

    fn add(&mut self, plural: &str, name: &str, mut node: Node, shown: Shown) {
        let kind = KindName { plural: plural.to_owned(), group: GROUP.to_owned() };
        let line = node.line;
        node.set_at(&["metadata", "name"], Node::str(line, name));
        self.parsed.redactions += secrets::mask_object(Some(&kind), &mut node);
        self.parsed.records.push(Record::Object(Box::new(ObjectRecord {
            kind: Some(kind),
            api_version: Some(format!("{GROUP}/v1")),
            namespace: None,
            name: secrets::mask_text(name).0.into_owned(),
            uid: None,
            form: self.form,
            shown,
            node,
            member: self.asked.member,
            line,
            path: String::new(),
            order: None,
            time: None,
        })));
    }

    /// Adds a record of another sort.
    pub fn push(&mut self, record: Record) {
        self.parsed.records.push(record);
    }

    /// Lists a line as not understood.
    pub fn unread(&mut self, line: u32, why: WhyUnread) {
        self.parsed.unread.push((line, why));
    }

    /// All of it.
    pub fn finish(self) -> Parsed {
        self.parsed
    }

    /// All of it, if there is any.
    pub(crate) fn finish_if_any(self) -> Option<Parsed> {
        (!self.parsed.records.is_empty()).then_some(self.parsed)
    }
}

/// The paths of a tree that have a value: each field of `spec` and `status`, and all others as a whole.
fn fields(node: &Node) -> Vec<Path> {
    let step = |text: &str| Step::Field(text.to_owned());
    let mut paths = vec![Path(vec![step("metadata")])];
    for (key, child) in node.entries() {
        if matches!(&**key, "spec" | "status") {
            paths.extend(child.entries().iter().map(|(field, _)| Path(vec![step(key), step(field)])));
        } else {
            paths.push(Path(vec![step(key)]));
        }
    }
    paths
}

/// The lines of a text with their numbers, without line ends and colours of a terminal; empty ones left out.
pub(super) fn lines(text: &str) -> impl Iterator<Item = (u32, &str)> {
    (1u32..).zip(text.lines()).map(|(number, line)| (number, line.trim_end())).filter(|(_, line)| !line.is_empty())
}

/// The last part of a member's name without its ending: what the file is about, in the words of whoever
/// collected it.
pub(super) fn stem(name: &str) -> &str {
    let file = name.rsplit('/').next().unwrap_or(name);
    file.split_once('.').map_or(file, |(stem, _)| stem)
}

/// A boolean at a line.
pub(super) fn boolean(line: u32, value: bool) -> Node {
    Node::new(line, Value::Bool(value))
}

/// A whole number at a line.
pub(super) fn integer(line: u32, value: i64) -> Node {
    Node::new(line, Value::Int(value))
}

/// A list of texts at a line.
pub(super) fn texts<'t>(line: u32, items: impl IntoIterator<Item = &'t str>) -> Node {
    Node::new(line, Value::List(items.into_iter().map(|item| Node::str(line, item)).collect()))
}

#[cfg(test)]
pub(super) mod testing {
    use super::*;
    use crate::command;
    use facts::origin::MemberId;

    /// Records as one line each: line, kind, name, fields.
    pub fn show(parsed: Option<Parsed>) -> String {
        let Some(parsed) = parsed else { return "something else".to_owned() };
        let mut out = String::new();
        for record in &parsed.records {
            match record {
                Record::Object(o) => {
                    let kind = o.kind.as_ref().map_or("?", |k| k.plural.as_str());
                    let rest: Vec<String> = o
                        .node
                        .entries()
                        .iter()
                        .filter(|(key, _)| &**key != "metadata")
                        .map(|(key, node)| format!("{key}: {{{node}}}"))
                        .collect();
                    out += &format!("{}: {kind} {} | {}\n", o.line, o.name, rest.join(" "));
                }
                Record::Stamp(s) => out += &format!("{}: {} {}\n", s.citation.line, s.what, s.text),
                Record::Answer(a) => {
                    out += &format!("{}: {} {:?} {}\n", a.citation.line, a.kind, a.namespaces, a.state.word());
                }
                Record::Served(s) => {
                    let kinds: Vec<String> = s.kinds.iter().map(ToString::to_string).collect();
                    out += &format!("{}: serves {} | whole: {}\n", s.citation.line, kinds.join(" "), s.is_whole());
                }
                Record::Table(_) => out += "a table\n",
            }
        }
        for (line, reason) in &parsed.unread {
            out += &format!("{line}! {reason}\n");
        }
        out
    }

    /// What a text is read as.
    pub fn read(name: &str, text: &str) -> String {
        show(try_parse(&Asked { member: MemberId(0), name, command: None }, text))
    }

    /// The same behind a command.
    pub(crate) fn read_of(command: &str, text: &str) -> String {
        let command = command::parse(command).unwrap_or_default();
        show(try_parse(&Asked { member: MemberId(0), name: "", command: Some(&command) }, text))
    }

    /// What a JSON document is read as.
    pub fn read_json(name: &str, text: &str) -> String {
        let asked = Asked { member: MemberId(0), name, command: None };
        let node = crate::json::json_values(text, 100).pop().unwrap_or_else(|| Node::map(1));
        show(try_document(&asked, &node, Form::Json))
    }
}

#[cfg(test)]
mod tests {
    use super::testing::{read, read_json};

    proptest::proptest! {
        #[test]
        fn foreign_text_never_panics(
            first in proptest::sample::select(vec![
                "Filesystem Size Used Avail Use% Mounted on",
                "CONTAINER IMAGE CREATED STATE NAME ATTEMPT POD ID POD",
                "POD ID CREATED STATE NAME NAMESPACE ATTEMPT",
                "CONTAINER ID IMAGE COMMAND CREATED STATUS PORTS NAMES",
                "NAME SHORTNAMES APIVERSION NAMESPACED KIND",
                "Resources  Non-Resource URLs  Resource Names  Verbs",
                "CERTIFICATE  EXPIRES  RESIDUAL TIME",
                "notAfter=Nov 19 00:00:00 2026 GMT",
                "Certificate:",
                "Local time: x",
                "Reference ID    : 1",
                "UNIT LOAD ACTIVE SUB DESCRIPTION",
                "\u{25cf} a.service - b",
                "[+]ping ok",
                "Client Version: v1",
            ]),
            text in "[-+\\[\\]()\"=:%/a-fA-F0-9 \u{e9}\n\t,.]{0,200}",
        ) {
            let _ = read("healthz.txt", &format!("{first}\n{text}"));
            let _ = read("healthz.txt", &text);
        }

        #[test]
        fn foreign_documents_never_panic(
            keys in proptest::collection::vec(proptest::sample::select(vec![
                "id", "metadata", "state", "containers", "items", "images", "status", "type", "registry", "console",
                "basic", "verbs", "resources", "serverVersion", "gitVersion", "createdAt",
            ]), 0..6),
            values in proptest::collection::vec(proptest::sample::select(vec![
                "{}", "[]", "1", "\"x\"", "null", "{\"id\":1,\"metadata\":{},\"state\":\"x\",\"createdAt\":\"99999999999999999999999999\"}", "[{\"id\":\"\u{e9}\u{e9}\u{e9}\u{e9}\u{e9}\u{e9}\u{e9}\u{e9}\",\"metadata\":1,\"state\":2}]",
            ]), 6),
        ) {
            let pairs: Vec<String> = keys.iter().zip(&values).map(|(key, value)| format!("\"{key}\":{value}")).collect();
            let _ = read_json("progress.json", &format!("{{{}}}", pairs.join(",")));
        }
    }
}
