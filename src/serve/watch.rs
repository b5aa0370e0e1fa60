//! Watches, which end: a bundle does not change.
//!
//! Decision: who has listed already (a `resourceVersion` is given) gets no object twice, but a bookmark if it takes one,
//! and the end. Holding the answer open would let `kubectl get -w` wait for ever.
//! Source: <https://kubernetes.io/docs/reference/using-api/api-concepts/#efficient-detection-of-changes>.

use crate::list::VERSION;
use crate::params::Params;
use serde_json::{Value, json};

/// Does the client know the objects already?
pub(crate) fn knows_all(params: &Params<'_>) -> bool {
    !wants_initial(params) && params.text("resourceVersion").is_some_and(|version| version != "0")
}

/// Does it want all of them, with a mark behind them?
fn wants_initial(params: &Params<'_>) -> bool {
    params.is_true("sendInitialEvents")
}

/// The events, one in each line.
pub(crate) fn events(
    objects: impl Iterator<Item = Value>,
    params: &Params<'_>,
    api_version: &str,
    kind: &str,
) -> Vec<u8> {
    let mut lines = Vec::new();
    let mut line = |event: &Value| {
        lines.extend_from_slice(event.to_string().as_bytes());
        lines.push(b'\n');
    };
    for object in objects {
        line(&json!({ "type": "ADDED", "object": object }));
    }
    if params.is_true("allowWatchBookmarks") {
        let mut metadata = json!({ "resourceVersion": VERSION, "creationTimestamp": null });
        if wants_initial(params)
            && let Some(fields) = metadata.as_object_mut()
        {
            fields.insert("annotations".to_owned(), json!({ "k8s.io/initial-events-end": "true" }));
        }
        line(&json!({
            "type": "BOOKMARK", "object": { "kind": kind, "apiVersion": api_version, "metadata": metadata },
        }));
    }
    lines
}
