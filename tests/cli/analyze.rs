//! `casefile analyze`: the fixtures and recorded bundles of Troubleshoot with the outcomes that it gives them, and what
//! Casefile says where it would guess.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use serde_json::Value;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

const VERSION: &str = "apiVersion: troubleshoot.sh/v1beta2\nkind: SupportBundle\nspec:\n  versionNumber: v0.123.0\n";

fn data(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/analyze").join(name)
}

fn peers() -> Option<PathBuf> {
    std::env::var_os("CASEFILE_CORPUS").map(|corpus| Path::new(&corpus).join("peers/troubleshoot"))
}

/// What one run says, and its exit code.
fn analyze(more: &[&str], spec: &Path, bundle: &Path) -> (String, i32) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_casefile"));
    let output = command.arg("analyze").arg("--spec").arg(spec).args(more).arg(bundle).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.code() < Some(2), "{}", String::from_utf8_lossy(&output.stderr));
    (text, output.status.code().unwrap())
}

fn write(path: &Path, text: &str) {
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, text).unwrap();
}

/// The results by the line of their analyzer.
fn by_line(json: &str) -> BTreeMap<u64, Vec<Value>> {
    let analysis: Value = serde_json::from_str(json).unwrap();
    let mut lines: BTreeMap<u64, Vec<Value>> = BTreeMap::new();
    for row in analysis["results"].as_array().unwrap() {
        lines.entry(row["line"].as_u64().unwrap()).or_default().push(row.clone());
    }
    lines
}

#[test]
fn the_fixtures_of_troubleshoot_give_its_outcomes() {
    let Some(peers) = peers() else { return };
    let text = std::fs::read_to_string(data("fixtures.yaml")).unwrap();
    let groups: Value = serde_saphyr::from_str(&text).unwrap();
    let mut wrong = Vec::new();
    let mut seen = 0;
    for group in groups.as_array().unwrap() {
        let dir = tempfile::tempdir().unwrap();
        let (spec_file, bundle) = (dir.path().join("spec.yaml"), dir.path().join("bundle"));
        write(&bundle.join("version.yaml"), VERSION);
        for (path, from) in group["files"].as_object().unwrap() {
            let from = from.as_str().unwrap();
            let text = match from.strip_prefix("text:") {
                Some(text) => text.to_owned(),
                None => std::fs::read_to_string(peers.join("analyzer-fixtures").join(from)).unwrap(),
            };
            write(&bundle.join(path), &text);
        }
        let mut spec = "apiVersion: troubleshoot.sh/v1beta2\nkind: Preflight\nspec:\n  analyzers:\n".to_owned();
        let cases = group["cases"].as_array().unwrap();
        for case in cases {
            spec.push_str(&format!("  - {}\n", case["analyzer"]));
        }
        write(&spec_file, &spec);
        let (json, _) = analyze(&["--format", "json"], &spec_file, &bundle);
        let lines = by_line(&json);
        for (index, case) in cases.iter().enumerate() {
            seen += 1;
            let rows = lines.get(&(index as u64 + 5)).cloned().unwrap_or_default();
            let expected = case["expect"].as_array().unwrap();
            let fits = |expected: &Value, row: &Value| {
                expected["outcome"] == row["outcome"]
                    && (expected["message"].is_null() || expected["message"] == row["message"])
            };
            let all = rows.len() == expected.len()
                && expected.iter().all(|expected| rows.iter().any(|row| fits(expected, row)));
            if !all {
                let said: Vec<String> =
                    rows.iter().map(|row| format!("{} {}", row["outcome"], row["message"])).collect();
                wrong.push(format!("{} {}: {said:?}", group["name"], case["analyzer"]));
            }
            for row in &rows {
                let judged = matches!(row["outcome"].as_str(), Some("fail" | "warn" | "pass"));
                let cites = row["citations"].as_array().is_some_and(|all| !all.is_empty());
                if judged && !cites {
                    wrong.push(format!("{} {}: no citation", group["name"], case["analyzer"]));
                }
            }
        }
    }
    assert!(seen > 50, "{seen}");
    assert!(wrong.is_empty(), "{} of {seen}:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn a_recorded_preflight_ends_as_troubleshoot_ended_it() {
    let Some(peers) = peers() else { return };
    let bundle = peers.join("baseline-preflight-v1beta2.tar.gz");
    let tar = tempfile::tempdir().unwrap();
    let unpacked = Command::new("tar").arg("xzf").arg(&bundle).arg("-C").arg(tar.path()).status().unwrap();
    assert!(unpacked.success());
    let root = std::fs::read_dir(tar.path()).unwrap().next().unwrap().unwrap().path();
    let theirs: Value = serde_json::from_str(&std::fs::read_to_string(root.join("analysis.json")).unwrap()).unwrap();
    let (json, code) = analyze(&["--format", "json"], &data("preflight.yaml"), &bundle);
    assert_eq!(code, 1, "some analyzers fail");
    let mut wrong = Vec::new();
    let lines = by_line(&json);
    assert!(lines.len() > 20, "{}", lines.len());
    for rows in lines.values() {
        let name = &rows[0]["annotations"]["as"];
        let mut expected: Vec<&str> = theirs
            .as_array()
            .unwrap()
            .iter()
            .filter(|row| row["insight"]["primary"] == *name)
            .map(|row| match row["severity"].as_str() {
                Some("error") => "fail",
                Some("warn") => "warn",
                _ => "pass",
            })
            .collect();
        let mut ours: Vec<&str> = rows.iter().filter_map(|row| row["outcome"].as_str()).collect();
        expected.sort_unstable();
        ours.sort_unstable();
        if expected != ours {
            wrong.push(format!("{name}: {expected:?}, and here {ours:?} {}", rows[0]["message"]));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// A bundle of another layout: what kubectl printed, into files.
fn pasted(dir: &Path) -> PathBuf {
    let bundle = dir.join("bundle");
    let nodes = "$ kubectl get nodes -o wide\n\
        NAME   STATUS   ROLES           AGE   VERSION   INTERNAL-IP   EXTERNAL-IP   OS-IMAGE   KERNEL-VERSION   CONTAINER-RUNTIME\n\
        cp-1   Ready    control-plane   9d    v1.31.2   10.0.0.1      <none>        Debian     6.1.0            containerd://1.7.1\n\
        cp-2   Ready    control-plane   9d    v1.31.2   10.0.0.2      <none>        Debian     6.1.0            containerd://1.7.1\n";
    write(
        &bundle.join("session.txt"),
        &format!(
            "{nodes}$ kubectl get deployments -A\n\
        NAMESPACE   NAME   READY   UP-TO-DATE   AVAILABLE   AGE\n\
        shop        web    1/3     3            1           9d\n\
        $ kubectl get storageclass\nNo resources found\n"
        ),
    );
    bundle
}

#[test]
fn another_layout_is_asked_the_same_and_says_what_it_does_not_know() {
    let dir = tempfile::tempdir().unwrap();
    let bundle = pasted(dir.path());
    let spec = dir.path().join("spec.yaml");
    write(
        &spec,
        "apiVersion: troubleshoot.sh/v1beta2\nkind: SupportBundle\nspec:\n  analyzers:\n\
         \x20 - deploymentStatus: {namespace: shop, name: web, outcomes: [{fail: {when: \"< 2\", message: few}}, {pass: {message: enough}}]}\n\
         \x20 - deploymentStatus: {namespace: shop, name: api, outcomes: [{fail: {when: absent, message: gone}}, {pass: {message: there}}]}\n\
         \x20 - nodeResources: {outcomes: [{fail: {when: \"count() < 2\", message: few}}, {pass: {message: enough}}]}\n\
         \x20 - nodeResources: {outcomes: [{fail: {when: \"min(memoryCapacity) < 8Gi\", message: little}}, {pass: {message: enough}}]}\n\
         \x20 - containerRuntime: {outcomes: [{pass: {when: \"== containerd\", message: ok}}, {fail: {message: other}}]}\n\
         \x20 - clusterVersion: {outcomes: [{pass: {message: ok}}]}\n\
         \x20 - storageClass: {outcomes: [{pass: {message: ok}}, {fail: {message: none}}]}\n\
         \x20 - configMap: {namespace: shop, configMapName: web, outcomes: [{pass: {message: ok}}, {fail: {message: none}}]}\n",
    );
    let (json, code) = analyze(&["--format", "json"], &spec, &bundle);
    let lines = by_line(&json);
    let outcomes: Vec<&str> = lines.values().map(|rows| rows[0]["outcome"].as_str().unwrap()).collect();
    assert_eq!(outcomes, ["fail", "fail", "pass", "unknown", "pass", "unknown", "fail", "unknown"], "{json}");
    assert_eq!(code, 1);
    assert_eq!(lines[&5][0]["citations"][0]["line"], 7);
    let (text, _) = analyze(&[], &spec, &bundle);
    insta::assert_snapshot!(text);
    let (text, _) = analyze(&["--format", "github"], &spec, &bundle);
    let annotations: Vec<&str> = text.lines().map(|line| line.split(' ').next().unwrap()).collect();
    assert_eq!(annotations, ["::error", "::error", "::notice", "::notice", "::error", "::notice"]);
    let (sarif, _) = analyze(&["--format", "sarif"], &spec, &bundle);
    let sarif: Value = serde_json::from_str(&sarif).unwrap();
    assert_eq!(sarif["runs"][0]["results"].as_array().unwrap().len(), 8);
    for (fail_on, expected) in [("never", 0), ("fail", 1), ("warn", 1), ("unknown", 1)] {
        assert_eq!(analyze(&["--fail-on", fail_on], &spec, &bundle).1, expected, "{fail_on}");
    }
}

#[test]
fn the_schema_of_an_analysis_is_as_checked_in() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("schema/analysis.schema.json");
    let run = Command::new(env!("CARGO_BIN_EXE_casefile")).args(["schema", "analysis"]).output().unwrap();
    let schema = String::from_utf8(run.stdout).unwrap();
    if std::env::var_os("CASEFILE_UPDATE").is_some() {
        std::fs::write(&path, &schema).unwrap();
    }
    assert_eq!(std::fs::read_to_string(&path).unwrap_or_default(), schema, "CASEFILE_UPDATE=1 writes it anew");
}

#[test]
fn the_table_of_analyzers_is_as_the_catalogue_has_it() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/analyze.md");
    let text = std::fs::read_to_string(&path).unwrap();
    let (head, rest) = text.split_once("<!-- analyzers -->\n").unwrap();
    let (_, tail) = rest.split_once("<!-- end -->").unwrap();
    let mut table = "| analyzer | Casefile |\n|---|---|\n".to_owned();
    for row in catalogue::analyzers::all() {
        let does = row.no.as_ref().map_or_else(|| row.does.clone(), |why| format!("no: {why}"));
        table.push_str(&format!("| `{}` | {does} |\n", row.of));
    }
    let expected = format!("{head}<!-- analyzers -->\n{table}<!-- end -->{tail}");
    if std::env::var_os("CASEFILE_UPDATE").is_some() {
        std::fs::write(&path, &expected).unwrap();
        return;
    }
    assert!(text == expected, "CASEFILE_UPDATE=1 writes it anew");
}

/// What `textAnalyze` says of the logs of one Pod in layouts that are not Troubleshoot's: line by line of the spec, outcome,
/// message, and the first place that is cited.
fn of_logs(bundle: &Path) -> Vec<String> {
    let dir = tempfile::tempdir().unwrap();
    let spec = dir.path().join("spec.yaml");
    let outcomes = "outcomes: [{fail: {when: \"true\", message: seen}}, {pass: {when: \"false\", message: not seen}}]";
    let analyzers = [
        "fileName: cluster-resources/pods/logs/shop/web-1/main.log, regex: connection refused",
        "fileName: cluster-resources/pods/logs/*/*/main-previous.log, regex: no config",
        "fileName: cluster-resources/pods/logs/shop/web-1/main.log, regex: no config",
        "collectorName: web, fileName: \"*/main.log\", regex: connection refused",
        "collectorName: web, fileName: web-1.log, regex: connection refused",
        "collectorName: web, fileName: web-1/side.log, regex: connection refused",
        "collectorName: api, fileName: \"*.log\", regex: connection refused",
        "collectorName: others, fileName: web-1/main.log, regex: connection refused",
    ];
    let lines: String =
        analyzers.iter().map(|settings| format!("  - textAnalyze: {{{settings}, {outcomes}}}\n")).collect();
    write(
        &spec,
        &format!(
            "apiVersion: troubleshoot.sh/v1beta2\nkind: SupportBundle\nspec:\n  collectors:\n\
             \x20 - logs: {{name: web, namespace: shop, selector: [app=web]}}\n\
             \x20 - logs: {{name: api, namespace: shop, selector: [app=api]}}\n  analyzers:\n{lines}"
        ),
    );
    let (json, _) = analyze(&["--format", "json"], &spec, bundle);
    let mut all = Vec::new();
    for (line, rows) in by_line(&json) {
        for row in rows {
            let place = &row["citations"][0];
            let at = place["line"].as_u64().map(|line| format!(":{line}")).unwrap_or_default();
            let place = place["member"].as_str().map(|member| format!(" {member}{at}")).unwrap_or_default();
            let message = row["message"].as_str().unwrap();
            all.push(format!("{} {} {message}{place}", line - 7, row["outcome"].as_str().unwrap()));
        }
    }
    all
}

fn pod(name: &str, app: &str) -> String {
    format!(
        r#"{{"apiVersion":"v1","kind":"Pod","metadata":{{"name":"{name}","namespace":"shop","uid":"{name}","resourceVersion":"5","labels":{{"app":"{app}"}}}},"spec":{{"containers":[{{"name":"main","image":"a:1"}}]}},"status":{{"phase":"Running"}}}}"#
    )
}

#[test]
fn logs_of_other_layouts_are_found_where_troubleshoot_would_have_put_them() {
    let current = "2026-03-04T09:00:00Z starts\n2026-03-04T09:01:00Z dial tcp 10.0.0.1:5432: connection refused\n";
    let previous = "2026-03-04T08:00:00Z no config\n";
    let dir = tempfile::tempdir().unwrap();
    let gathered = dir.path().join("must-gather");
    let pods = gathered.join("namespaces/shop/pods");
    write(&gathered.join("version"), "openshift/must-gather\n4.18.0\n");
    for (name, app) in [("web-1", "web"), ("web-2", "web"), ("api-1", "api")] {
        write(&pods.join(name).join(format!("{name}.yaml")), &pod(name, app));
    }
    write(&pods.join("web-1/main/main/logs/current.log"), current);
    write(&pods.join("web-1/main/main/logs/previous.log"), previous);
    let at = "namespaces/shop/pods/web-1/main/main/logs";
    let missing = "is in the bundle, which Troubleshoot did not make; logs of other layouts are found if the spec has the \
        `logs` collector whose name the path begins with";
    let expected = [
        format!("1 fail seen {at}/current.log:2"),
        format!("2 fail seen {at}/previous.log:1"),
        format!("3 pass not seen {at}/current.log"),
        format!("4 fail seen {at}/current.log:2"),
        "4 unknown the log of main of Pod shop/web-2 was not collected".to_owned(),
        format!("5 fail seen {at}/current.log:2"),
        format!("6 unknown no file `web/web-1/side.log` {missing}"),
        "7 unknown the log of main of Pod shop/api-1 was not collected".to_owned(),
        format!("8 unknown no file `others/web-1/main.log` {missing}"),
    ];
    assert_eq!(of_logs(&gathered), expected);

    // One file with the logs of all containers: what is cited is the line of the file.
    let dump = dir.path().join("dump");
    let list = |items: &[String]| {
        format!(
            r#"{{"kind":"PodList","apiVersion":"v1","metadata":{{"resourceVersion":"9"}},"items":[{}]}}"#,
            items.join(",")
        )
    };
    write(&dump.join("shop/pods.json"), &list(&[pod("web-1", "web"), pod("web-2", "web"), pod("api-1", "api")]));
    write(
        &dump.join("nodes.json"),
        r#"{"kind":"NodeList","apiVersion":"v1","metadata":{"resourceVersion":"9"},"items":[]}"#,
    );
    let block = |container: &str, text: &str| {
        format!(
            "==== START logs for container {container} of pod shop/web-1 ====\n{text}==== END logs for container {container} of pod shop/web-1 ====\n"
        )
    };
    write(
        &dump.join("shop/web-1/logs.txt"),
        &format!("{}{}", block("other", "no config\nstarts\n"), block("main", current)),
    );
    let found = of_logs(&dump);
    assert_eq!(found[0], "1 fail seen shop/web-1/logs.txt:7");
    assert_eq!(found[2], "3 pass not seen shop/web-1/logs.txt", "the log of another container is none of it");
    assert_eq!(found[3], "4 fail seen shop/web-1/logs.txt:7");
}
