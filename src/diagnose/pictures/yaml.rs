//! An object as YAML, the lines that are cited marked, what nobody cites folded.
//!
//! Invariants: every line that is cited is shown; a folded part says how many lines it has; texts come from the masked
//! tree, and their lines are those of the member.

use diagnosis::pictures::YamlLine;
use facts::node::{Node, Value};
use std::collections::BTreeSet;

/// The annotation in which kubectl keeps what was applied.
const LAST_APPLIED: &str = "kubectl.kubernetes.io/last-applied-configuration";
/// Characters of a value.
const VALUE: usize = 200;
/// Lines of a part that is short enough to be shown though nobody cites it.
const SHORT: usize = 3;

/// Lines of an object. `cited` are addresses of nodes, see [`address`].
pub(super) fn lines(node: &Node, cited: &BTreeSet<usize>) -> Vec<YamlLine> {
    let mut out = Vec::new();
    let some = has_cited(node, cited);
    for (key, value) in node.entries() {
        // Beside a part that is cited the others only get in the way.
        if some && !is_plain(value) && !has_cited(value, cited) {
            push(&mut out, value, format!("{key}:"), false, size(value));
        } else {
            entry(key, value, 0, cited, &mut out);
        }
    }
    out
}

/// What tells one node of a tree from another.
pub(super) fn address(node: &Node) -> usize {
    std::ptr::from_ref(node).addr()
}

fn has_cited(node: &Node, cited: &BTreeSet<usize>) -> bool {
    cited.contains(&address(node))
        || match &node.value {
            Value::Map(entries) => entries.iter().any(|(_, inner)| has_cited(inner, cited)),
            Value::List(items) => items.iter().any(|inner| has_cited(inner, cited)),
            _ => false,
        }
}

fn size(node: &Node) -> usize {
    match &node.value {
        Value::Map(entries) => entries.iter().map(|(_, inner)| 1 + inside(inner)).sum(),
        Value::List(items) => items.iter().map(|inner| size(inner).max(1)).sum(),
        _ => 1,
    }
}

fn inside(node: &Node) -> usize {
    if is_plain(node) { 0 } else { size(node) }
}

fn is_plain(node: &Node) -> bool {
    match &node.value {
        Value::Map(entries) => entries.is_empty(),
        Value::List(items) => items.is_empty(),
        _ => true,
    }
}

/// A value on one line.
fn plain(node: &Node) -> String {
    let text = match &node.value {
        Value::Map(_) => "{}".to_owned(),
        Value::List(_) => "[]".to_owned(),
        Value::Str(text) if text.is_empty() => "\"\"".to_owned(),
        _ => node.to_string(),
    };
    let mut line: String = text.chars().take(VALUE).map(|c| if c == '\n' { '⏎' } else { c }).collect();
    if line.len() < text.len() && text.chars().count() > VALUE {
        line.push('…');
    }
    line
}

fn push(out: &mut Vec<YamlLine>, node: &Node, text: String, cited: bool, folded: usize) {
    out.push(YamlLine { line: (node.line > 0).then_some(node.line), text, cited, folded: folded as u64 });
}

/// One entry of a map.
fn entry(key: &str, node: &Node, depth: usize, cited: &BTreeSet<usize>, out: &mut Vec<YamlLine>) {
    let head = format!("{}{key}:", "  ".repeat(depth));
    // The whole object once more, as somebody wrote it.
    if key == LAST_APPLIED && !cited.contains(&address(node)) {
        push(out, node, head, false, 1);
        return;
    }
    below(head, node, depth, cited, out);
}

/// What stands behind a head: `key:` or `-`.
fn below(head: String, node: &Node, depth: usize, cited: &BTreeSet<usize>, out: &mut Vec<YamlLine>) {
    let is_cited = cited.contains(&address(node));
    if is_plain(node) {
        push(out, node, format!("{head} {}", plain(node)), is_cited, 0);
        return;
    }
    let lines = size(node);
    let open = depth == 0 || lines <= SHORT || !is_cited && has_cited(node, cited) || is_cited && lines <= 3 * SHORT;
    if !open {
        push(out, node, head, is_cited, lines);
        return;
    }
    push(out, node, head, is_cited, 0);
    match &node.value {
        Value::Map(entries) => {
            for (key, inner) in entries {
                entry(key, inner, depth + 1, cited, out);
            }
        }
        Value::List(items) => {
            for inner in items {
                item(inner, depth + 1, cited, out);
            }
        }
        _ => {}
    }
}

/// One item of a list: a map begins behind the dash.
fn item(node: &Node, depth: usize, cited: &BTreeSet<usize>, out: &mut Vec<YamlLine>) {
    let dash = format!("{}-", "  ".repeat(depth));
    match &node.value {
        Value::Map(entries) if !entries.is_empty() && (has_cited(node, cited) || size(node) <= SHORT) => {
            let from = out.len();
            for (key, inner) in entries {
                entry(key, inner, depth + 1, cited, out);
            }
            // The first entry stands behind the dash.
            if let Some(first) = out.get_mut(from) {
                first.text.replace_range(2 * depth..=2 * depth, "-");
                first.cited |= cited.contains(&address(node));
            }
        }
        Value::Map(entries) if !entries.is_empty() => {
            let telling = ["name", "type", "key"].iter().find_map(|key| Some((*key, node.get(key)?)));
            let head = match telling.filter(|(_, node)| is_plain(node)) {
                Some((key, node)) => format!("{dash} {key}: {}", plain(node)),
                None => dash,
            };
            push(out, node, head, false, size(node).saturating_sub(1));
        }
        _ => below(dash, node, depth, cited, out),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(yaml: &str, path: &[&str]) -> String {
        let limits = intake::Limits::default();
        let parsed = parse::manifest::read_yaml(facts::origin::MemberId(0), "a.yaml", yaml.as_bytes(), &limits);
        let Some(facts::record::Record::Object(object)) = parsed.records.first() else { panic!("an object") };
        let cited = object.node.at(path).map(address).into_iter().collect();
        let shown = |line: &YamlLine| {
            let mark = if line.cited { ">" } else { " " };
            let folded = if line.folded > 0 { format!(" … {}", line.folded) } else { String::new() };
            format!("{mark}{:>2} {}{folded}", line.line.unwrap_or_default(), line.text)
        };
        lines(&object.node, &cited).iter().map(shown).collect::<Vec<_>>().join("\n")
    }

    const POD: &str = "apiVersion: v1\nkind: Pod\nmetadata:\n  name: web\n  namespace: shop\nspec:\n  nodeName: w-1\n  containers:\n  - name: c\n    image: x\n    env:\n    - name: A\n      value: b\n    args: [a, b]\nstatus:\n  phase: Pending\n  conditions:\n  - type: Ready\n    status: \"False\"\n  - type: Initialized\n    status: \"True\"\n    reason: a\n    message: b\n    lastTransitionTime: c\n";

    #[test]
    fn what_is_cited_is_marked_and_the_rest_is_folded() {
        let shown = text(POD, &["status", "phase"]);
        let ends = |mark: char, end: &str| shown.lines().any(|line| line.starts_with(mark) && line.ends_with(end));
        assert!(ends('>', "  phase: Pending"), "{shown}");
        assert_eq!(shown.matches('>').count(), 1, "{shown}");
        for folded in ["metadata: … 2", "spec: … 10", "  conditions: … 7"] {
            assert!(ends(' ', folded), "{folded} in {shown}");
        }
        assert!(!shown.contains("nodeName"), "{shown}");
    }

    #[test]
    fn an_item_that_is_cited_is_open_and_begins_behind_its_dash() {
        let limits = intake::Limits::default();
        let parsed = parse::manifest::read_yaml(facts::origin::MemberId(0), "a.yaml", POD.as_bytes(), &limits);
        let Some(facts::record::Record::Object(object)) = parsed.records.first() else { panic!("an object") };
        let ready = object.node.at(&["status", "conditions"]).and_then(|list| list.items().first());
        let cited = ready.and_then(|item| item.get("status")).map(address).into_iter().collect();
        let shown: Vec<String> = lines(&object.node, &cited).into_iter().map(|line| line.text).collect();
        let shown = shown.join("\n");
        assert!(
            shown.contains("  conditions:\n    - type: Ready\n      status: False\n    - type: Initialized"),
            "{shown}"
        );
    }
}
