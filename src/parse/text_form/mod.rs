//! The forms of text that a command prints: which reader claims a text, and how it is told from a log.
//!
//! # How to add one
//!
//! Write a file here with a `pub const FORM: TextForm`, declare it below and add a line to [`TEXT_FORMS`]. What a
//! row can say is [`TextForm`]; `disk.rs` is a short example, `crictl.rs` one with documents. Records are made with
//! `records.rs`, tests with `testing::read`.
//!
//! Invariants: a form claims a text only by a mark that no other has, except for the last four, which any
//! text may resemble: there the first that claims it counts, and a table comes last because its cells are
//! anything. Objects of Kubernetes in JSON and YAML are no text forms; they are left alone.

mod access;
mod cgroup_driver;
mod checks;
mod clock;
mod clusterctl;
mod crictl;
mod disk;
pub mod form;
mod installer;
mod manifest_folder;
mod openssl;
pub(crate) mod records;
mod resources;
mod sysctl;
mod systemd;
pub(crate) mod usage;
mod version;

use crate::answer::Asked;
use crate::{answer, describe, etcdctl, table, yaml};
use facts::node::Node;
use facts::object::Form;
use facts::record::{Command, Parsed, Record};
use form::{Mark, TextForm};
use intake::Limits;

pub const TEXT_FORMS: [&TextForm; 20] = [
    &checks::FORM,
    &version::FORM,
    &resources::FORM,
    &access::FORM,
    &crictl::FORM,
    &openssl::FORM,
    &disk::FORM,
    &usage::FORM,
    &clock::FORM,
    &sysctl::FORM,
    &cgroup_driver::FORM,
    &clusterctl::FORM,
    &systemd::FORM_LIST,
    &systemd::FORM_STATUS,
    &installer::FORM,
    &manifest_folder::FORM,
    &answer::FORM,
    &describe::FORM,
    &etcdctl::FORM,
    &table::FORM,
];

/// Lines of a text among which the first line of a program is looked for.
const FIRST_LINES: usize = 3;

/// Does a command list the folder of static Pods?
pub(crate) fn lists_manifests(command: &Command) -> bool {
    manifest_folder::listed(command).is_some()
}

/// What a file is that a bundle holds from the folder of static Pods.
pub(crate) fn manifest_file(asked: &Asked<'_>, records: &[Record]) -> Option<Record> {
    manifest_folder::of_file(asked, records)
}

/// The configuration of a kubelet or of a container runtime, which is no object of Kubernetes.
pub(crate) fn configuration(asked: &Asked<'_>, text: &[u8]) -> Option<Parsed> {
    // Nearly every file has another name.
    let text = cgroup_driver::is_named(asked).then(|| std::str::from_utf8(text).ok())??;
    cgroup_driver::of_file(asked, text)
}

/// Does a command show it?
pub(crate) fn shows_configuration(command: &Command) -> bool {
    cgroup_driver::is_asked(command)
}

/// Is a line the header of a tree that `clusterctl describe` draws? Its words are also those of a header of kubectl.
pub(crate) fn begins_tree(line: &str) -> bool {
    clusterctl::is_header(line)
}

/// Reads a text, with the form that claimed it; `None` if it is something else.
pub fn read(asked: &Asked<'_>, text: &str) -> Option<(&'static TextForm, Parsed)> {
    TEXT_FORMS.into_iter().find_map(|form| Some((form, form.text?(asked, text)?)))
}

/// Reads JSON whose reader needs the text itself.
pub(crate) fn read_json(asked: &Asked<'_>, text: &str) -> Option<Parsed> {
    TEXT_FORMS.into_iter().find_map(|form| form.json?(asked, text))
}

/// Reads a document in JSON or YAML, already a tree. Objects of Kubernetes are left alone.
pub fn read_document(asked: &Asked<'_>, document: &Node, form: Form) -> Option<Parsed> {
    if document.get("apiVersion").is_some() && document.get("kind").is_some() {
        return None;
    }
    TEXT_FORMS.into_iter().find_map(|row| row.document?(asked, document, form))
}

/// Reads a single YAML document. Objects of Kubernetes are left alone.
pub(crate) fn read_yaml(asked: &Asked<'_>, text: &str, limits: &Limits) -> Option<Parsed> {
    const MAX: usize = 1 << 20;
    let begins = |line: &str| TEXT_FORMS.iter().flat_map(|form| form.yaml_keys).any(|key| line.starts_with(key));
    let first = || records::lines(text).next();
    if text.len() > MAX || text.contains("\napiVersion:") || !first().is_some_and(|(_, line)| begins(line)) {
        return None;
    }
    let [chunk] = yaml::chunks(text).try_into().ok()?;
    let [document] = yaml::read_chunk(&chunk, limits.nesting).try_into().ok()?;
    read_document(asked, &document.node.filter(|_| document.damage.is_none())?, Form::Yaml)
}

/// Could this line begin what a program prints?
pub(crate) fn is_first_of_program(line: &str) -> bool {
    TEXT_FORMS.iter().any(|form| matches!(form.mark, Mark::Program(is) if is(line)))
}

/// Does one of these lines, the first ones of a text, tell it from a log and from YAML?
pub(crate) fn is_marked<'t>(lines: impl Iterator<Item = &'t str> + Clone) -> bool {
    let any = |is: fn(&str) -> bool, most: usize| lines.clone().take(most).any(is);
    TEXT_FORMS.iter().any(|form| match form.mark {
        Mark::None => false,
        Mark::First(is) => any(is, 1),
        Mark::Program(is) => any(is, FIRST_LINES),
        Mark::Any(is) => any(is, usize::MAX),
    })
}

#[cfg(test)]
pub(crate) mod testing {
    use super::*;
    use crate::command;
    use facts::origin::MemberId;

    /// The forms that are no program's own.
    const COMMON: [&str; 4] = ["answer", "describe", "etcdctl", "table"];

    fn read_program(asked: &Asked<'_>, text: &str) -> Option<Parsed> {
        let programs = TEXT_FORMS.iter().filter(|form| !COMMON.contains(&form.name));
        programs.filter_map(|form| form.text).find_map(|read| read(asked, text))
    }

    /// Records as one line each: line, kind, name, fields.
    pub(crate) fn show(parsed: Option<Parsed>) -> String {
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
                    out += &format!("{}: serves {} | whole: {}\n", s.citation.line, kinds.join(" "), s.is_whole);
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
    pub(crate) fn read(name: &str, text: &str) -> String {
        show(read_program(&Asked { member: MemberId(0), name, command: None }, text))
    }

    /// The same behind a command.
    pub(crate) fn read_of(command: &str, text: &str) -> String {
        let command = command::parse(command).unwrap_or_default();
        show(read_program(&Asked { member: MemberId(0), name: "", command: Some(&command) }, text))
    }

    /// What a JSON document is read as.
    pub(crate) fn read_json(name: &str, text: &str) -> String {
        let asked = Asked { member: MemberId(0), name, command: None };
        let node = crate::json::json_values(text, 100).pop().unwrap_or_else(|| Node::map(1));
        show(read_document(&asked, &node, Form::Json))
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
