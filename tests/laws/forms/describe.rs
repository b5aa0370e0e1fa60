//! What `kubectl describe` prints for an object of a custom kind (kubectl `pkg/describe/describe.go`,
//! `genericDescriber`): every field, in the order of the keys, items of lists without a mark between them.

use serde_json::{Map, Value};
use std::fmt::Write as _;

/// The text for some objects, as one command prints it.
pub(super) fn text(objects: &[Value]) -> String {
    objects.iter().map(one).collect::<Vec<_>>().join("\n\n")
}

/// A line before its columns are aligned: what stands before the tab, and what after it.
type Line = (String, Option<String>);

fn one(object: &Value) -> String {
    let metadata = &object["metadata"];
    let word = |key: &str| Some(metadata[key].as_str().unwrap_or_default().to_owned());
    let mut lines: Vec<Line> = vec![("Name:".to_owned(), word("name")), ("Namespace:".to_owned(), word("namespace"))];
    pairs("Labels:", &metadata["labels"], "=", &mut lines);
    pairs("Annotations:", &metadata["annotations"], ": ", &mut lines);
    if let Some(fields) = object.as_object() {
        let mut rest = fields.clone();
        if let Some(metadata) = rest.get_mut("metadata").and_then(Value::as_object_mut) {
            for own in ["managedFields", "name", "namespace", "labels", "annotations"] {
                metadata.remove(own);
            }
        }
        content(0, &rest, &mut lines);
    }
    lines.push(("Events:".to_owned(), Some("<none>".to_owned())));
    aligned(&lines)
}

fn pairs(title: &str, map: &Value, between: &str, lines: &mut Vec<Line>) {
    let shown = |(key, value): (&String, &Value)| format!("{key}{between}{}", plain(value));
    let mut shown: Vec<String> = map
        .as_object()
        .into_iter()
        .flatten()
        .filter(|(key, _)| *key != "kubectl.kubernetes.io/last-applied-configuration")
        .map(shown)
        .collect();
    if shown.is_empty() {
        shown.push("<none>".to_owned());
    }
    shown.sort();
    for (index, pair) in shown.into_iter().enumerate() {
        lines.push((if index == 0 { title.to_owned() } else { String::new() }, Some(pair)));
    }
}

fn content(level: usize, fields: &Map<String, Value>, lines: &mut Vec<Line>) {
    let mut keys: Vec<&String> = fields.keys().collect();
    keys.sort();
    let indent = "  ".repeat(level);
    for key in keys {
        let label = format!("{indent}{}:", label(key));
        match &fields[key] {
            Value::Object(map) => {
                lines.push((label, None));
                content(level + 1, map, lines);
            }
            Value::Array(items) => {
                lines.push((label, None));
                for item in items {
                    match item {
                        Value::Object(map) => content(level + 1, map, lines),
                        item => lines.push((format!("{indent}  {}", plain(item)), None)),
                    }
                }
            }
            value => lines.push((label, Some(plain(value)))),
        }
    }
}

fn plain(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Null => "<nil>".to_owned(),
        other => other.to_string(),
    }
}

/// `lastTransitionTime` is shown as `Last Transition Time`; a key with other characters than letters as it is.
fn label(key: &str) -> String {
    if key.chars().any(|letter| !letter.is_alphabetic()) {
        return key.to_owned();
    }
    let letters: Vec<char> = key.chars().collect();
    let mut words: Vec<String> = Vec::new();
    for (index, letter) in letters.iter().enumerate() {
        let before = index.checked_sub(1).map(|before| letters[before].is_uppercase());
        let after = letters.get(index + 1).is_some_and(|after| after.is_lowercase());
        let begins = letter.is_uppercase() && (before == Some(false) || after && before == Some(true));
        match words.last_mut() {
            Some(word) if !begins => word.push(*letter),
            _ => words.push(letter.to_string()),
        }
    }
    let title = |word: &String| match word.to_uppercase().as_str() {
        upper @ ("API" | "URL" | "UID" | "OSB" | "GUID") => upper.to_owned(),
        _ => word.chars().next().map_or_else(String::new, |first| first.to_uppercase().to_string() + &word[1..]),
    };
    words.iter().map(title).collect::<Vec<_>>().join(" ")
}

/// Values of lines that follow each other stand in one column, two spaces behind the longest label.
fn aligned(lines: &[Line]) -> String {
    let mut out = String::new();
    for run in lines.chunk_by(|a, b| a.1.is_some() && b.1.is_some()) {
        let width = run.iter().map(|(label, _)| label.chars().count()).max().unwrap_or_default() + 2;
        for (label, value) in run {
            let _ = match value {
                Some(value) => writeln!(out, "{label:width$}{value}"),
                None => writeln!(out, "{label}"),
            };
        }
    }
    out
}

#[test]
fn labels_are_those_of_kubectl() {
    let shown: Vec<String> =
        ["lastTransitionTime", "apiVersion", "uid", "podCIDR", "providerID", "cluster.x-k8s.io/a", "kind"]
            .map(label)
            .into();
    assert_eq!(
        shown,
        ["Last Transition Time", "API Version", "UID", "Pod CIDR", "Provider ID", "cluster.x-k8s.io/a", "Kind"]
    );
}
