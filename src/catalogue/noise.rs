//! What differs between two bundles of one healthy cluster: `patterns/noise.yaml`.
//!
//! Invariant: what stands there is left out of a comparison and of nothing else.

use crate::built_in;
use facts::kind::KindName;
use serde::Deserialize;
use std::collections::BTreeSet;
use std::sync::LazyLock;

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Noise {
    #[serde(rename = "schema")]
    _schema: u32,
    kinds: BTreeSet<String>,
    fields: BTreeSet<String>,
    hashes: Vec<String>,
}

static NOISE: LazyLock<Noise> = LazyLock::new(|| built_in::document("noise.yaml").unwrap_or_default());

/// Do objects of this kind come and go all the time?
pub fn is_kind(kind: &KindName) -> bool {
    NOISE.kinds.contains(&kind.to_string())
}

/// Labels whose values are hashes in names of objects.
pub fn hashes() -> impl Iterator<Item = &'static str> {
    NOISE.hashes.iter().map(String::as_str)
}

/// Does a field change without anything having happened? `path` is one of [`facts::path::Path`], as it is printed.
pub fn is_field(path: &str) -> bool {
    let path = &*any_item(path);
    let ends = path.char_indices().filter(|(_, letter)| matches!(letter, '.' | '[')).map(|(at, _)| at);
    let above = ends.chain([path.len()]).filter_map(|end| path.get(..end));
    let is_named = |part: &str| {
        let last = part.rsplit('.').next().unwrap_or(part);
        NOISE.fields.contains(part) || NOISE.fields.contains(&format!("*.{last}"))
    };
    // A dot in a key in quotes ends no field.
    above.filter(|part| part.matches('"').count() % 2 == 0).any(is_named)
}

/// A path with `[*]` for each item of a list, by place or by name; keys in quotes stay.
fn any_item(path: &str) -> String {
    let mut out = String::with_capacity(path.len());
    let mut rest = path;
    while let Some(at) = rest.find('[') {
        out.push_str(&rest[..at]);
        let inside = &rest[at..];
        if inside.starts_with("[\"") {
            let end = inside.find("\"]").map_or(inside.len(), |end| end + 2);
            out.push_str(&inside[..end]);
            rest = &inside[end..];
        } else {
            let end = inside.find(']').map_or(inside.len(), |end| end + 1);
            out.push_str("[*]");
            rest = &inside[end..];
        }
    }
    out.push_str(rest);
    out
}

#[cfg(test)]
mod tests {
    use super::{NOISE, is_field, is_kind};
    use crate::kinds::Catalogue;
    use facts::kind::KindName;
    use facts::path::Path;

    #[test]
    fn noise_is_known_and_nothing_else_is() {
        let noise = [
            "metadata.resourceVersion",
            "status.conditions[type=Ready].lastHeartbeatTime",
            "status.containerStatuses[name=web].state.running.startedAt",
            r#"metadata.annotations["deployment.kubernetes.io/revision"]"#,
            "spec.volumes[name=kube-api-access-x2].projected.defaultMode",
            "spec.containers[name=web].volumeMounts[0].name",
        ];
        for path in noise {
            assert!(is_field(path), "{path}");
        }
        for path in
            ["spec.replicas", "status.conditions[type=Ready].status", "spec.containers[name=web].image", "metadata"]
        {
            assert!(!is_field(path), "{path}");
        }
        assert!(is_kind(&KindName::parse("events")) && !is_kind(&KindName::parse("pods")));
        let parses = |field: &String| Path::parse(field.strip_prefix("*.").unwrap_or(field)).is_ok();
        assert!(NOISE.fields.iter().all(parses) && NOISE.hashes.len() == 2);
        let known = |kind: &&String| Catalogue::shared().kind(&KindName::parse(kind)).is_some();
        assert!(NOISE.kinds.iter().filter(known).count() > 4);
    }
}
