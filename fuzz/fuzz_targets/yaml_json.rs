//! Objects of JSON are YAML too: read as such they are the same objects.

#![no_main]

use facts::origin::MemberId;
use facts::record::{Parsed, Record};
use intake::Limits;
use parse::manifest;

/// The objects of a text, as kind, namespace and name.
fn objects(parsed: &Parsed) -> Vec<String> {
    let one = |record: &Record| match record {
        Record::Object(object) => Some(format!("{:?} {:?} {}", object.kind, object.namespace, object.name)),
        _ => None,
    };
    parsed.records.iter().filter_map(one).collect()
}

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    // Names of letters: what else JSON and YAML read differently is no object of a cluster. Not of `x` alone, which is what
    // collectors write over a text.
    let mut items = Vec::new();
    for object in bytes.chunks(16).take(8) {
        let text = String::from_utf8_lossy(object);
        let name: String = std::iter::once('n').chain(object.iter().map(|byte| char::from(b'a' + byte % 26))).collect();
        items.push(serde_json::json!({
            "apiVersion": "v1", "kind": "ConfigMap", "metadata": { "name": name, "annotations": { "note": text } }, "data": { &*text: "x" }
        }));
    }
    let text = serde_json::json!({ "apiVersion": "v1", "kind": "List", "items": items }).to_string();
    let json = manifest::read_json(MemberId(0), "a.json", text.as_bytes(), &Limits::default());
    let yaml = manifest::read_yaml(MemberId(0), "a.yaml", text.as_bytes(), &Limits::default());
    assert_eq!(objects(&json).len(), items.len());
    assert_eq!(objects(&json), objects(&yaml), "{text}");
});
