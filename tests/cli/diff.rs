//! `casefile diff`: what differs is said, what is noise is not, and what was not asked for is never gone.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use assert_cmd::Command;
use std::path::Path;

fn pod(name: &str, image: &str, restarts: u32, version: u32) -> String {
    format!(
        r#"{{"apiVersion":"v1","kind":"Pod","metadata":{{"name":"{name}","namespace":"shop","generateName":"web-5d4f9c7b8-","resourceVersion":"{version}","labels":{{"pod-template-hash":"5d4f9c7b8"}}}},"spec":{{"nodeName":"w-{version}","containers":[{{"name":"web","image":"{image}"}}]}},"status":{{"phase":"Running","containerStatuses":[{{"name":"web","ready":true,"restartCount":{restarts}}}]}}}}"#
    )
}

fn list(kind: &str, items: &[String]) -> String {
    format!(
        r#"{{"apiVersion":"v1","kind":"{kind}","metadata":{{"resourceVersion":"1"}},"items":[{}]}}"#,
        items.join(",")
    )
}

fn config(name: &str, value: &str) -> String {
    format!(
        r#"{{"apiVersion":"v1","kind":"ConfigMap","metadata":{{"name":"{name}","namespace":"shop"}},"data":{{"mode":"{value}"}}}}"#
    )
}

fn write(dir: &Path, files: &[(&str, String)]) {
    std::fs::create_dir_all(dir).unwrap();
    for (name, text) in files {
        std::fs::write(dir.join(name), text).unwrap();
    }
}

fn diff(dir: &Path, args: &[&str]) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_casefile"));
    let run = command.current_dir(dir).args(["diff", "a", "b"]).args(args).assert().code(0);
    String::from_utf8(run.get_output().stdout.clone()).unwrap()
}

fn two(dir: &Path) {
    let log = "E0304 09:00:00.000000       1 a.go:1] \"cannot reach the shop\" err=\"refused\"\n";
    write(
        &dir.join("a"),
        &[
            ("pods.json", list("PodList", &[pod("web-5d4f9c7b8-aaaaa", "r:5000/web:1", 0, 1)])),
            ("configmaps.json", list("ConfigMapList", &[config("one", "slow"), config("two", "x")])),
            ("manager.log", "I0304 09:00:00.000000       1 a.go:1] \"fine\"\n".to_owned()),
        ],
    );
    write(
        &dir.join("b"),
        &[
            ("pods.json", list("PodList", &[pod("web-5d4f9c7b8-bbbbb", "r:5000/web:2", 4, 2)])),
            ("configmaps.json", list("ConfigMapList", &[config("one", "fast")])),
            (
                "services.json",
                list(
                    "ServiceList",
                    &[r#"{"apiVersion":"v1","kind":"Service","metadata":{"name":"s","namespace":"shop"}}"#.to_owned()],
                ),
            ),
            ("manager.log", log.repeat(3)),
        ],
    );
}

#[test]
fn what_differs_is_said_and_noise_is_not() {
    let dir = tempfile::tempdir().unwrap();
    two(dir.path());
    insta::assert_snapshot!(diff(dir.path(), &[]));
}

#[test]
fn the_schema_is_as_checked_in() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("schema/comparison.schema.json");
    let mut command = Command::new(env!("CARGO_BIN_EXE_casefile"));
    let run = command.args(["schema", "comparison"]).assert().code(0);
    let schema = String::from_utf8(run.get_output().stdout.clone()).unwrap();
    if std::env::var_os("CASEFILE_UPDATE").is_some() {
        std::fs::write(&path, &schema).unwrap();
    }
    let standing = std::fs::read_to_string(&path).unwrap();
    assert!(standing == schema, "schema/comparison.schema.json is another one; CASEFILE_UPDATE=1 writes it");
}

#[test]
fn the_json_is_as_its_schema_says_and_a_bundle_differs_in_nothing_from_itself() {
    let dir = tempfile::tempdir().unwrap();
    two(dir.path());
    let value: serde_json::Value = serde_json::from_str(&diff(dir.path(), &["--format", "json"])).unwrap();
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("schema/comparison.schema.json");
    let schema = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    let errors: Vec<String> =
        jsonschema::validator_for(&schema).unwrap().iter_errors(&value).map(|error| error.to_string()).collect();
    assert!(errors.is_empty(), "{errors:?}");
    assert_eq!(value["not_comparable"][0]["what"], "services");
    std::fs::remove_dir_all(dir.path().join("b")).unwrap();
    std::fs::rename(dir.path().join("a"), dir.path().join("b")).unwrap();
    two_only_a(dir.path());
    assert!(diff(dir.path(), &[]).contains("Nothing that both bundles show differs."));
}

fn two_only_a(dir: &Path) {
    std::fs::create_dir(dir.join("a")).unwrap();
    for entry in std::fs::read_dir(dir.join("b")).unwrap() {
        let path = entry.unwrap().path();
        std::fs::copy(&path, dir.join("a").join(path.file_name().unwrap())).unwrap();
    }
}

#[test]
fn the_page_loads_nothing_and_stays_where_something_stands() {
    let dir = tempfile::tempdir().unwrap();
    two(dir.path());
    diff(dir.path(), &["-o", "diff.html"]);
    let page = std::fs::read_to_string(dir.path().join("diff.html")).unwrap();
    assert!(page.contains("default-src 'none'") && !page.contains("<script") && !page.contains("src="), "{page}");
    let mut again = Command::new(env!("CARGO_BIN_EXE_casefile"));
    again.current_dir(dir.path()).args(["diff", "a", "b", "-o", "diff.html"]).assert().code(4);
}
