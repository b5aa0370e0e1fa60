//! The objects of a bundle's files, read with a YAML library of its own and not with what is tested.

use serde_json::Value;
use std::path::Path;

/// The objects of a file of JSON or YAML, lists taken apart; empty if it holds none.
pub(super) fn of(path: &Path) -> Vec<Value> {
    let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
    if !matches!(ending, "json" | "yaml" | "txt") {
        return Vec::new();
    }
    let text = std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    // The command that printed it may stand above.
    let text = match text.split_once('\n') {
        Some((first, rest)) if first.contains("$ kubectl get ") && first.ends_with(" -o yaml") => without_prompt(rest),
        _ if ending == "txt" => return Vec::new(),
        _ => text,
    };
    let documents: Vec<Value> = match ending {
        "json" => serde_json::from_str(&text).into_iter().collect(),
        _ => text.split("\n---").filter_map(|document| serde_saphyr::from_str(document).ok()).collect(),
    };
    documents.into_iter().flat_map(items).filter(|object| object["metadata"]["name"].is_string()).collect()
}

/// What a command printed, without the prompt below it.
pub(super) fn without_prompt(printed: &str) -> String {
    let lines = printed.lines().filter(|line| !(line.starts_with('[') && line.trim_end().ends_with("]$")));
    lines.flat_map(|line| [line, "\n"]).collect()
}

fn items(document: Value) -> Vec<Value> {
    match document.get("items").and_then(Value::as_array) {
        Some(items) => items.clone(),
        None => vec![document],
    }
}

/// The group of an object; empty for the core group.
pub(super) fn group(object: &Value) -> &str {
    let version = object["apiVersion"].as_str().unwrap_or_default();
    version.split_once('/').map_or("", |(group, _)| group)
}

/// Is it of a kind that a CustomResourceDefinition defines, so that `kubectl describe` has no text of its own
/// for it?
pub(super) fn is_custom(object: &Value) -> bool {
    let group = group(object);
    group.contains('.') && !group.ends_with(".k8s.io") || group.ends_with("x-k8s.io")
}
