//! Many objects, rows and blocks: what a large or a forged cluster has.

use super::pack::members;
use super::{Must, bundles, size};
use serde_json::{Value, json};
use std::fmt::Write as _;

const FINE: Must = Must::Diagnose(&[]);

/// A list in JSON.
fn list(items: impl Iterator<Item = Value>) -> String {
    json!({ "apiVersion": "v1", "kind": "List", "items": items.collect::<Vec<_>>() }).to_string()
}

fn pod(at: usize) -> Value {
    json!({
        "apiVersion": "v1", "kind": "Pod",
        "metadata": { "name": format!("p{at}"), "namespace": "shop", "uid": format!("u{at}") },
        "spec": { "containers": [{ "name": "c", "image": "r.example/c:1" }] },
        "status": { "phase": "Pending", "containerStatuses": [{
            "name": "c", "ready": false, "restartCount": 9, "image": "r.example/c:1",
            "state": { "waiting": { "reason": "CrashLoopBackOff", "message": "back-off 5m0s" } }
        }] }
    })
}

fn lines(count: usize, line: impl Fn(usize) -> String) -> String {
    (0..count).fold(String::new(), |mut text, at| {
        let _ = writeln!(text, "{}", line(at));
        text
    })
}

const HEAD: &str = "NAMESPACE   NAME    READY   STATUS             RESTARTS   AGE\n";

macro_rules! texts {
    ($($name:ident: $must:expr, $file:literal, $text:expr;)+) => {
        bundles! { $($name: $must, |place| place.file("b.tar", members([($file, $text)]));)+ }
    };
}

texts! {
    equal_rows: FINE, "get-pods.txt", HEAD.to_owned() + &lines(size(20_000, 1_000_000), |_| "shop        web-1   0/1     CrashLoopBackOff   7          5m".to_owned());
    rows_that_differ: FINE, "get-pods.txt", HEAD.to_owned() + &lines(size(1_000, 1_000_000), |at| format!("shop        w{at:06} 0/1     CrashLoopBackOff   7          5m"));
    columns_without_number: FINE, "get-pods.txt", {
        let head: String = lines(size(1_000, 20_000), |at| format!("COL{at}")).replace('\n', "   ");
        let row: String = lines(size(1_000, 20_000), |at| format!("val{at}")).replace('\n', "   ");
        format!("NAME   {head}\n{}", format!("n      {row}\n").repeat(5))
    };
    heads_without_rows: FINE, "get-pods.txt", HEAD.repeat(size(3_000, 300_000));
    a_row_of_one_line: FINE, "get-pods.txt", format!("{HEAD}shop        {}", "x".repeat(size(2 << 20, 60 << 20)));
    descriptions: FINE, "describe-pods.txt", lines(size(400, 50_000), |at| format!("Name:         p{at}\nNamespace:    shop\nStatus:       Running\nEvents:       <none>\n\n"));
    a_description_that_goes_in: FINE, "describe-pods.txt", {
        let depth = size(500, 5_000);
        format!("Name:  p\nNamespace:  shop\nAPI Version:  e.com/v1\nKind:  W\nSpec:\n{}", lines(depth, |at| format!("{}A:", "  ".repeat(at + 1))))
    };
    labels_of_a_description: FINE, "describe-pods.txt", format!("Name:         p\nNamespace:    shop\nLabels:       a=b\n{}", lines(size(5_000, 100_000), |at| format!("              l{at}=x")));
    failing_pods: FINE, "pods.json", list((0..size(300, 20_000)).map(pod));
    copies_of_one_object: FINE, "pods.json", list((0..size(2_000, 1_000_000)).map(|_| pod(1)));
    versions_of_one_object: FINE, "pods.json", list((0..size(500, 20_000)).map(|at| { let mut pod = pod(1); pod["status"]["reason"] = json!(format!("r{at}")); pod }));
    owners_in_a_circle: FINE, "sets.json", list((0..size(300, 5_000)).map(|at| {
        let count = size(300, 5_000);
        json!({ "apiVersion": "apps/v1", "kind": "ReplicaSet", "metadata": { "name": format!("r{at}"), "namespace": "shop", "uid": format!("u{at}"),
            "ownerReferences": [{ "apiVersion": "apps/v1", "kind": "ReplicaSet", "name": format!("r{}", (at + 1) % count), "uid": format!("u{}", (at + 1) % count), "controller": true }] } })
    }));
    owner_of_itself: FINE, "pods.json", list((0..3).map(|at| { let mut pod = pod(at); pod["metadata"]["ownerReferences"] = json!([{ "apiVersion": "v1", "kind": "Pod", "name": format!("p{at}"), "uid": format!("u{at}"), "controller": true }]); pod }));
    conditions_without_number: FINE, "pods.json", list((0..2).map(|at| { let mut pod = pod(at); pod["status"]["conditions"] = (0..size(3_000, 300_000)).map(|at| json!({ "type": format!("T{at}"), "status": "False" })).collect(); pod }));
    labels_without_number: FINE, "pods.json", list((0..2).map(|at| { let mut pod = pod(at); pod["metadata"]["labels"] = (0..size(5_000, 500_000)).map(|at| (format!("k{at}"), json!("v"))).collect(); pod }));
    managers_of_fields: FINE, "pods.json", list((0..2).map(|at| { let mut pod = pod(at); pod["metadata"]["managedFields"] = (0..size(3_000, 300_000)).map(|at| json!({ "manager": format!("m{at}"), "fieldsV1": { "f:a": { "f:b": {} } } })).collect(); pod }));
    events: FINE, "events.json", list((0..size(2_000, 300_000)).map(|at| json!({ "apiVersion": "v1", "kind": "Event", "metadata": { "name": format!("e{at}"), "namespace": "shop" }, "involvedObject": { "kind": "Pod", "name": "p1", "namespace": "shop" }, "reason": "Failed", "message": format!("m{at}"), "type": "Warning", "count": at, "lastTimestamp": "2026-03-04T06:00:00Z" })));
    nodes_that_are_lost: FINE, "nodes.json", list((0..size(150, 5_000)).map(|at| json!({ "apiVersion": "v1", "kind": "Node", "metadata": { "name": format!("n{at}"), "uid": format!("n{at}") }, "status": { "conditions": [{ "type": "Ready", "status": "Unknown", "reason": "NodeStatusUnknown" }] } })));
    members_of_another_etcd: Must::Read(&[]), "other/member-list.json", json!({ "header": {}, "members": (0..size(300, 100_000)).map(|at| json!({ "ID": at + 1, "name": format!("m{at}"), "peerURLs": ["https://10.0.0.1:2380"], "clientURLs": [] })).collect::<Vec<_>>() }).to_string();
    kinds_that_nobody_knows: FINE, "things.json", list((0..size(2_000, 200_000)).map(|at| json!({ "apiVersion": format!("g{at}.example/v1"), "kind": format!("Kind{at}"), "metadata": { "name": "x" } })));
    namespaces_without_number: FINE, "pods.json", list((0..size(500, 50_000)).map(|at| { let mut pod = pod(at); pod["metadata"]["namespace"] = json!(format!("n{at}")); pod["status"] = json!({ "phase": "Running" }); pod }));
}
