//! JSON and YAML that begin inside an object: its status, its conditions, one condition.
//!
//! Invariant: YAML is taken for a part only where its first key is one of those that stand right below an object, or
//! where it begins with an item of a list of a status, or is a condition by its own fields.

use crate::fragment::{Fragment, Place, marks};
use crate::{json, manifest};
use catalogue::words;
use facts::object::Form;
use facts::record::{Command, Parsed};
use std::borrow::Cow;

pub(super) const FRAGMENT: Fragment = Fragment { length, read };

/// Keys with which a part begins.
const KEYS: [&str; 4] = ["status:", "conditions:", "spec:", "metadata:"];

/// Fields with which an item of a list of a status begins: kubectl sorts them.
const ITEM_KEYS: [&str; 7] = [
    "lastHeartbeatTime:",
    "lastProbeTime:",
    "lastTransitionTime:",
    "lastUpdateTime:",
    "type:",
    "message:",
    "containerID:",
];

/// A field of YAML, or the first one of an item.
pub(super) fn is_field(line: &str) -> bool {
    line.trim_start_matches(['-', ' ']).split_once(':').is_some_and(|(key, rest)| {
        !key.is_empty() && key.chars().all(|c| c.is_ascii_alphanumeric()) && (rest.is_empty() || rest.starts_with(' '))
    })
}

/// Where a condition of its own ends that begins with the first of the lines, as `yq` prints those that it selected; `None`
/// if none does.
fn bare_condition(lines: &[&str]) -> Option<usize> {
    let first = *lines.first()?;
    let key = |line: &str| line.split_once(':').map(|(key, _)| format!("{key}:"));
    if !ITEM_KEYS.contains(&key(first)?.as_str()) {
        return None;
    }
    let mut end = 1;
    // kubectl sorts the fields: one that is no later begins the next condition, or another part.
    let mut last = key(first)?;
    for line in &lines[1..] {
        if !line.starts_with(' ') {
            let Some(next) = key(line).filter(|next| is_field(line) && *next > last) else { break };
            last = next;
        }
        end += 1;
    }
    let has = |wanted: &str| lines[..end].iter().any(|line| line.starts_with(wanted));
    (has("type: ") && has("status: ") && (has("reason: ") || has("message: "))).then_some(end)
}

fn begins_yaml(lines: &[&str]) -> bool {
    let Some(first) = lines.first().map(|line| line.trim()) else { return false };
    let next = lines.get(1).copied().unwrap_or_default();
    let indent = |line: &str| line.len() - line.trim_start().len();
    let deeper = indent(next) > indent(lines[0]) || next.trim_start().starts_with("- ");
    let field = |line: &str| {
        line.trim_start_matches(['-', ' '])
            .split_once(':')
            .is_some_and(|(key, _)| !key.contains(' ') && !key.is_empty())
    };
    if KEYS.contains(&first) {
        return deeper && field(next);
    }
    let item =
        first.strip_prefix("- ").is_some_and(|rest| ITEM_KEYS.iter().any(|key| rest.trim_start().starts_with(key)));
    item && deeper && field(next)
}

fn begins_json(line: &str) -> bool {
    let line = line.trim();
    ["\"status\":", "\"conditions\":"]
        .iter()
        .any(|key| line.strip_prefix(key).is_some_and(|rest| matches!(rest.trim(), "{" | "[")))
}

fn length(lines: &[&str], _: Option<&Command>) -> Option<usize> {
    if begins_json(lines.first()?) {
        return Some(lines.iter().take_while(|line| !line.trim().is_empty()).count());
    }
    if let Some(length) = bare_condition(lines) {
        return Some(length);
    }
    if !begins_yaml(lines) {
        return None;
    }
    yaml_length(lines)
}

/// How many of the lines, of which the first is YAML, go on with it.
pub(super) fn yaml_length(lines: &[&str]) -> Option<usize> {
    let goes_on = |line: &str| {
        let key = line
            .split_once(':')
            .is_some_and(|(key, rest)| !key.contains(' ') && (rest.is_empty() || rest.starts_with(' ')));
        line.starts_with([' ', '-', '#']) || key
    };
    // Blank lines stand in texts of several lines; behind them prose may begin.
    let end = lines.iter().position(|line| !line.trim().is_empty() && !goes_on(line)).unwrap_or(lines.len());
    let blank = lines[..end].iter().rev().take_while(|line| line.trim().is_empty()).count();
    Some(end - blank)
}

fn read(place: &Place<'_>, lines: &[&str]) -> Option<Parsed> {
    let mut parsed = Parsed::default();
    let nodes = if begins_json(lines.first()?) { json_nodes(place, lines) } else { trees(place, lines) };
    for node in nodes {
        let at = usize::try_from(node.line.saturating_sub(place.first)).unwrap_or_default();
        let form = if begins_json(lines.first()?) { Form::Json } else { Form::Yaml };
        if let Some(root) = marks::whole(node) {
            marks::add_of_any_kind(place, at, root, form, &mut parsed);
        }
    }
    (!parsed.records.is_empty()).then_some(parsed)
}

/// The documents of lines of YAML.
pub(super) fn trees(place: &Place<'_>, lines: &[&str]) -> Vec<facts::node::Node> {
    manifest::trees(&dedented(lines), place.first, place.limits.nesting)
}

/// The text without the indentation of its first line, which the lines behind it share as a rule.
fn dedented(lines: &[&str]) -> Cow<'static, str> {
    let indent = |line: &str| line.len() - line.trim_start_matches(' ').len();
    let first = lines.first().map_or(0, |line| indent(line));
    // A mark for what was left out is no YAML.
    let cut = |line: &&str| match words::is_omission(line) {
        true => "\n".to_owned(),
        false => line.get(first.min(indent(line))..).unwrap_or_default().to_owned() + "\n",
    };
    Cow::Owned(lines.iter().map(cut).collect())
}

/// The object that `"status": {...}` stands in, its braces put around it again.
fn json_nodes(place: &Place<'_>, lines: &[&str]) -> Vec<facts::node::Node> {
    let inner = lines.join("\n");
    let inner = inner.trim_end().trim_end_matches(',');
    // Braces that close what was not pasted stand behind it.
    let closes = |text: &str| json::to_node(&format!("{{{text}}}"), place.first, place.limits.nesting).ok();
    let mut text = inner;
    for _ in 0..4 {
        if let Some(node) = closes(text) {
            return vec![node];
        }
        let Some(shorter) = text.trim_end().strip_suffix(['}', ']']) else { break };
        text = shorter;
    }
    Vec::new()
}
