//! The word `null` that support-bundle-kit (Rancher, Harvester, Longhorn) writes for null and for the empty
//! string: `toObjCommon` of its object collectors replaces both by the text `"null"` before it prints YAML.
//! Source: `rancher/support-bundle-kit:pkg/manager/collectors/common.go`.
//!
//! The rule, because in any other bundle the text `null` is what somebody wrote: it is taken for nothing
//! only
//! 1. in a file that stands where the kit puts its objects (`yamls/cluster/...`, `yamls/namespaced/NS/...`), and
//! 2. if all of its objects were rewritten like that, which then hold no null and no empty string at all.
//!
//! What it is taken for: null, which is *not set*; but in a map of texts (labels, annotations, the data of a
//! ConfigMap), where the API server keeps no null, the empty string.

use facts::node::{Node, Value};
use facts::record::Record;

/// Maps from text to text, whose values are never null.
const TEXTS: [&str; 6] = ["labels", "annotations", "matchLabels", "nodeSelector", "data", "stringData"];

/// Does the kit keep objects where this member stands?
fn is_of_kit(name: &str) -> bool {
    let inside = name.strip_prefix("yamls/").or_else(|| Some(name.split_once("/yamls/")?.1));
    inside.is_some_and(|rest| rest.starts_with("cluster/") || rest.starts_with("namespaced/"))
}

/// Puts null and empty strings back into the objects of a member, if they were rewritten.
pub(super) fn restore(name: &str, records: &mut [Record]) {
    if !is_of_kit(name) {
        return;
    }
    let objects =
        || records.iter().filter_map(|record| if let Record::Object(object) = record { Some(object) } else { None });
    if objects().any(|object| holds_nothing(&object.node)) {
        return;
    }
    for record in records {
        if let Record::Object(object) = record {
            object.node.edit(|node| replace(node, false));
        }
    }
}

/// Is there any null or empty string?
fn holds_nothing(node: &Node) -> bool {
    match &node.value {
        Value::Null => true,
        Value::Str(text) => text.is_empty(),
        Value::Map(entries) => entries.iter().any(|(_, child)| holds_nothing(child)),
        Value::List(items) => items.iter().any(holds_nothing),
        _ => false,
    }
}

/// `text`: within a map of texts.
fn replace(node: &mut Node, text: bool) {
    match &mut node.value {
        Value::Str(word) if &**word == "null" => {
            node.value = if text { Value::Str("".into()) } else { Value::Null };
        }
        Value::Map(entries) => {
            for (key, child) in entries {
                let of_texts = matches!(child.value, Value::Map(_)) && TEXTS.contains(&&**key);
                replace(child, text || of_texts);
            }
        }
        Value::List(items) => items.iter_mut().for_each(|item| replace(item, false)),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn where_the_kit_keeps_objects() {
        for name in ["yamls/cluster/v1/nodes.yaml", "bundle/yamls/namespaced/a/v1/pods.yaml"] {
            assert!(is_of_kit(name), "{name}");
        }
        for name in ["yamls/nodes.yaml", "my-yamls/cluster/nodes.yaml", "cluster/v1/node/n1.yaml"] {
            assert!(!is_of_kit(name), "{name}");
        }
    }
}
