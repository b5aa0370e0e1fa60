//! Pods as a table and as JSON: what the table shows of a Pod, its JSON says too.

#![no_main]

#[path = "../bench.rs"]
mod bench;

use facts::node::Node;
use facts::object::Lookup;
use facts::path::Path;
use facts::store::Facts;

const PHASES: [&str; 4] = ["Running", "Pending", "Failed", "Succeeded"];
const PATHS: [&str; 3] = ["spec.nodeName", "status.podIP", "status.restarts"];

/// A word of a few letters.
fn word(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| char::from(b'a' + byte % 26)).chain(['x']).collect()
}

/// What the paths of each Pod say.
fn said(facts: &Facts) -> Vec<(String, &'static str, Option<String>)> {
    let mut said = Vec::new();
    for ((_, kind), objects) in &facts.by_kind {
        if kind.to_string() != "pods" {
            continue;
        }
        for id in objects {
            for text in PATHS {
                let Ok(path) = Path::parse(text) else { continue };
                let value = match facts.lookup(*id, &path) {
                    Lookup::Found(values) => values.first().map(|(node, _): &(&Node, _)| node.to_string()),
                    _ => None,
                };
                said.push((facts.object(*id).name.clone(), text, value));
            }
        }
    }
    said.sort();
    said
}

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let mut table = "NAME   READY   STATUS   RESTARTS   AGE   IP   NODE   NOMINATED NODE   READINESS GATES\n".to_owned();
    let mut items = Vec::new();
    for (at, pod) in bytes.chunks_exact(8).take(12).enumerate() {
        let name = format!("p{at}-{}", word(&pod[..3]));
        let (restarts, phase) = (pod[3], PHASES[usize::from(pod[4]) % 4]);
        let (ip, node) = (format!("10.{}.0.{}", pod[5], pod[6]), format!("n-{}", word(&pod[6..8])));
        table.push_str(&format!("{name}   0/1   {phase}   {restarts}   5m   {ip}   {node}   <none>   <none>\n"));
        items.push(serde_json::json!({
            "apiVersion": "v1", "kind": "Pod", "metadata": { "name": name, "namespace": "default" },
            "spec": { "nodeName": node, "containers": [{ "name": "c" }] },
            "status": { "phase": phase, "podIP": ip, "containerStatuses": [{ "name": "c", "ready": false, "restartCount": restarts }] }
        }));
    }
    let json = serde_json::json!({ "apiVersion": "v1", "kind": "List", "items": items }).to_string();
    let of_table = bench::facts(vec![("get-pods.txt".to_owned(), table.clone().into_bytes())], None);
    let of_json = bench::facts(vec![("pods.json".to_owned(), json.into_bytes())], None);
    let (of_table, of_json) = (said(&of_table), said(&of_json));
    assert_eq!(of_table.len(), items.len() * PATHS.len(), "every row is a Pod: {table}");
    for (name, path, value) in of_table {
        let same = of_json.iter().find(|(other, at, _)| *other == name && *at == path);
        let (Some(value), Some((_, _, Some(other)))) = (value, same) else { continue };
        assert_eq!(value, *other, "{path} of {name}");
    }
});
