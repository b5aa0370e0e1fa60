//! A name of the bundle that reads like a reason of ours changes nothing: the diagnosis is the one of the same
//! bundle with a harmless name in its place.
#![expect(clippy::expect_used, reason = "helpers of tests fail by panicking")]

use crate::common::diagnosis;
use diagnosis::model::Diagnosis;
use std::path::Path;

/// A small bundle in which this name stands in the names of files, of a namespace and of objects.
fn files(name: &str) -> [(String, String); 8] {
    let refused = "The connection to the server 10.0.0.1:6443 was refused - did you specify the right host or port?\n";
    let forbidden = "Error from server (Forbidden): secrets is forbidden: User \"u\" cannot list resource \"secrets\"";
    let pod = format!("apiVersion: v1\n  kind: Pod\n  metadata: {{name: web-0, namespace: {name}}}");
    let node = format!("NAME        STATUS     ROLES    AGE   VERSION\n{name:9}   NotReady   <none>   5d    v1.30.1\n");
    [
        ("get-secrets.txt".to_owned(), format!("{forbidden} in API group \"\" in the namespace \"{name}\"\n")),
        (
            "pods.yaml".to_owned(),
            format!("apiVersion: v1\nkind: List\nitems:\n- {pod}\n  status: {{phase: Pending}}\n"),
        ),
        ("get-nodes.txt".to_owned(), format!("{node}{refused}")),
        ("refused.txt".to_owned(), refused.to_owned()),
        (format!("{name}.log"), format!("2026-06-01T10:00:00Z one\n2026-06-01T10:00:01Z two of {name}\n")),
        (format!("{name}.json"), "{\"kind\": \"PodList\", \"items\": [{\"metadata\"".to_owned()),
        (format!("{name}/empty.yaml"), "apiVersion: v1\nkind: List\nitems: []\n".to_owned()),
        (format!("{name}/page.html"), "<!DOCTYPE html>\n<html><body>no</body></html>\n".to_owned()),
    ]
}

/// The diagnosis of that bundle.
fn said_with(name: &str) -> String {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let bundle = folder.path().join("bundle");
    for (path, text) in files(name) {
        let path = bundle.join("cluster").join(path);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder is made");
        std::fs::write(path, text).expect("a file is written");
    }
    shown(&bundle)
}

fn shown(bundle: &Path) -> String {
    let mut diagnosis: Diagnosis = diagnosis(bundle);
    for bundle in &mut diagnosis.bundles {
        bundle.sha256 = String::new();
        bundle.bytes = 0;
    }
    serde_json::to_string_pretty(&diagnosis).expect("a diagnosis is JSON")
}

#[test]
fn a_name_that_reads_like_a_reason_changes_nothing() {
    // Of one length and between the same neighbours, so that nothing but the meaning of the words differs.
    for (name, harmless) in [("truncated", "trundling"), ("forbidden", "forebears"), ("disagree", "discount")] {
        let (said, expected) = (said_with(name), said_with(harmless).replace(harmless, name));
        assert!(expected.contains("\"unread\": [\n"), "the bundle tries what it is for: {expected}");
        assert!(
            expected.contains("\"cause\": \"damaged\"") && expected.contains("\"cause\": \"web-page\""),
            "{expected}"
        );
        for (said, expected) in said.lines().zip(expected.lines()) {
            assert_eq!(said, expected, "{name}");
        }
        assert_eq!(said.len(), expected.len(), "{name}");
    }
}
