//! The last line of a text in YAML: what it leaves open.
//!
//! Why: a text that was cut at a line end reads like one that is whole. Its last line tells what may have gone on
//! behind it.
//!
//! Invariant: a value that a further line could go on with is not kept, for half of it would look like all of it.

use crate::yaml::Chunk;
use facts::node::{Node, Value};
use facts::until::{Ending, Until};

/// Columns after which writers of YAML break a text at its next blank.
const WIDTH: usize = 80;

/// The last line of a text.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct TextEnd {
    /// Its number.
    line: u32,
    /// It has a line end of its own, and is too short to be gone on with.
    settled: bool,
    /// It is a comment in the first column: no value goes on behind one.
    comment: bool,
    braces: Option<String>,
}

/// The last line of a text that ends with this document; `None` if something follows it, or if the document closes
/// itself (`{…}`).
pub(crate) fn read(text: &str, chunk: &Chunk<'_>) -> Option<TextEnd> {
    let end_of = |text: &str| text.as_ptr() as usize + text.trim_end().len();
    if end_of(chunk.text) < end_of(text) {
        return None;
    }
    let body = chunk.text.trim_end();
    let first = body.lines().find(|line| !line.trim().is_empty() && !line.starts_with(['#', '-'])).unwrap_or_default();
    let last = body.lines().next_back().unwrap_or_default();
    if first.trim_start().starts_with(['{', '[']) || last.trim_end() == "..." {
        return None;
    }
    let line = chunk.line.saturating_add(u32::try_from(body.lines().count()).unwrap_or(u32::MAX)).saturating_sub(1);
    let has_end = chunk.text.len() > body.len();
    let settled = has_end && (last.chars().count() <= WIDTH || is_quoted(last)) && !opens_a_block(last);
    let comment = last.starts_with('#');
    Some(TextEnd { line, settled, comment, braces: braces(last).filter(|_| !comment) })
}

/// Does the line announce a text that stands in the lines below it (`key: |-`)?
fn opens_a_block(line: &str) -> bool {
    let value = line.split_once(": ").map_or(line, |(_, value)| value);
    let value = value.split(" #").next().unwrap_or_default().trim().trim_start_matches("- ");
    value.starts_with(['|', '>']) && value.chars().skip(1).all(|c| c == '+' || c == '-' || c.is_ascii_digit())
}

/// Does the line end with the quote that its value begins with?
fn is_quoted(line: &str) -> bool {
    let value = line.split_once(": ").map_or(line, |(_, value)| value).trim();
    let value = value.trim_start_matches("- ");
    ['"', '\''].iter().any(|quote| value.len() > 1 && value.starts_with(*quote) && value.ends_with(*quote))
}

/// The key before a map or list in braces that the line closes: nothing where it is an item of a list.
fn braces(line: &str) -> Option<String> {
    let mut rest = line.trim();
    while let Some(item) = rest.strip_prefix("- ") {
        rest = item.trim_start();
    }
    if !rest.ends_with(['}', ']']) {
        return None;
    }
    if rest.starts_with(['{', '[']) {
        return Some(String::new());
    }
    let (key, value) = rest.split_once(": ")?;
    value.trim_start().starts_with(['{', '[']).then(|| key.trim_matches(['"', '\'']).to_owned())
}

impl TextEnd {
    /// Does it close the map or list behind this key?
    pub(crate) fn closes(&self, key: &str) -> bool {
        self.braces.as_deref() == Some(key)
    }

    /// What the text shows of its last object. A value that may go on is taken out of it.
    pub(crate) fn until(&self, node: &mut Node, by_machine: bool) -> Until {
        // What looks like braces may be a line of a longer text.
        let is_last = last_leaf(node).line == self.line;
        let braces = self.braces.clone().filter(|_| is_last);
        let leaf_is_whole = braces.is_some() || self.comment || self.settled && is_last;
        let until = Until::of(node, by_machine, &Ending { leaf_is_whole, braces });
        if !leaf_is_whole {
            drop_last(node);
        }
        until
    }
}

fn last_leaf(node: &Node) -> &Node {
    let last = node.entries().last().map(|(_, node)| node).or_else(|| node.items().last());
    last.map_or(node, last_leaf)
}

/// Takes out the last value, which may be half of one.
fn drop_last(node: &mut Node) {
    let is_leaf = |node: &Node| node.entries().is_empty() && node.items().is_empty();
    match &mut node.value {
        Value::Map(entries) => match entries.last_mut() {
            Some((_, last)) if !is_leaf(last) => drop_last(last),
            _ => drop(entries.pop()),
        },
        Value::List(items) => match items.last_mut() {
            Some(last) if !is_leaf(last) => drop_last(last),
            _ => drop(items.pop()),
        },
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use crate::manifest::read_yaml;
    use facts::object::Shown;
    use facts::origin::MemberId;
    use facts::path::Path;
    use facts::record::Record;
    use intake::Limits;

    /// Which of these paths the last object of a text shows whole.
    fn shown(text: &str, paths: &[&str]) -> String {
        let parsed = read_yaml(MemberId(0), "x.yaml", text.as_bytes(), &Limits::default());
        let mut objects = parsed.records.into_iter().filter_map(|record| match record {
            Record::Object(object) => Some(object),
            _ => None,
        });
        let Some(object) = objects.next_back() else { return "no object".to_owned() };
        let manifest = if object.shown.is_manifest() { "manifest " } else { "" };
        let covers = |path: &&str| Path::parse(path).is_ok_and(|path| object.shown.covers(&path));
        let signs: String = paths.iter().map(|path| if covers(path) { '+' } else { '-' }).collect();
        manifest.to_owned() + &signs
    }

    const POD: &str = "apiVersion: v1\nkind: Pod\nmetadata:\n  creationTimestamp: \"2026-05-01T00:00:00Z\"\n  name: a\n  uid: u\nspec:\n  nodeName: n\n";

    #[test]
    fn a_section_is_whole_only_if_something_follows_it() {
        let paths = ["metadata.labels", "spec.nodeName", "spec.affinity", "spec.volumes", "status", "status.phase"];
        assert_eq!(shown(POD, &paths), "+++---");
        assert_eq!(shown(&format!("{POD}status:\n  phase: Running\n"), &paths), "++++-+");
        assert_eq!(shown(&format!("{POD}status:\n"), &paths), "++++--");
        // What follows may be the next document, and may be its mark alone.
        assert_eq!(shown(&format!("{POD}---\n"), &paths), "++++++");
        let by_json = "{apiVersion: v1, kind: Pod, metadata: {name: a, uid: u}, spec: {nodeName: n}}\n";
        assert_eq!(shown(by_json, &paths), "++++++");
    }

    #[test]
    fn a_value_that_could_go_on_is_not_kept() {
        let long = format!("{POD}status:\n  message: {}\n", "many words ".repeat(12).trim_end());
        assert_eq!(shown(&long, &["status.message", "status.conditions", "spec.volumes"]), "-++");
        let quoted = format!("{POD}status:\n  message: '{}'\n", "many words ".repeat(12));
        assert_eq!(shown(&quoted, &["status.message"]), "+");
        let block = format!("{POD}status:\n  message: |\n    one\n    two\n");
        assert_eq!(shown(&block, &["status.message", "spec.volumes"]), "-+");
        for open in ["message: |", "message: >-", "message: |2+  # of the kubelet"] {
            assert_eq!(
                shown(&format!("{POD}status:\n  {open}\n"), &["status.message", "spec.volumes"]),
                "-+",
                "{open}"
            );
        }
        for inside in ["    [one]\n", "    list:\n    - {one: 1}\n", "    kept: [one]\n"] {
            let text = format!("{POD}status:\n  message: |\n{inside}");
            assert_eq!(shown(&text, &["status.message", "spec.volumes"]), "-+", "{text}");
        }
        let closed = format!("{block}# a comment stands behind it\n");
        assert_eq!(shown(&closed, &["status.message", "status.phase"]), "+-");
        assert_eq!(shown(&format!("{POD}status:\n  phase: Run"), &["status.phase", "spec.volumes"]), "-+");
        assert_eq!(
            shown(&format!("{POD}status:\n  conditions: [{{type: A}}]\n"), &["status.conditions[type=B].status"]),
            "+"
        );
    }

    #[test]
    fn who_wrote_it_by_hand_sorts_nothing_and_says_what_was_wanted() {
        let manifest = "apiVersion: v1\nkind: Service\nmetadata:\n  name: a\n  creationTimestamp: null\nspec:\n  type: ClusterIP\nstatus: {}\n";
        assert_eq!(shown(manifest, &["spec.selector", "spec.type"]), "manifest ++");
        let cut = manifest.replace("status: {}\n", "");
        assert_eq!(shown(&cut, &["metadata.labels", "spec.selector", "spec.type"]), "manifest +-+");
        assert!(matches!(Shown::Manifest(Box::new(Shown::Everything)), shown if shown.is_manifest()));
    }

    #[test]
    fn the_last_item_of_a_list_that_ends_with_the_text_is_open() {
        let list = "apiVersion: v1\nkind: List\nitems:\n- kind: Pod\n  metadata:\n    name: a\n    uid: u\n  spec:\n    nodeName: n\n";
        assert_eq!(shown(list, &["metadata.labels", "spec.nodeName", "status"]), "++-");
        let closed = "apiVersion: v1\nitems:\n- kind: Pod\n  metadata:\n    name: a\n    uid: u\n  spec:\n    nodeName: n\nkind: List\n";
        assert_eq!(shown(closed, &["metadata.labels", "spec.volumes", "status"]), "+++");
    }
}
