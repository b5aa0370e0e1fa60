//! The command line as a user meets it: one file for each case under `tests/cli/`, and the few that need
//! files or streams here.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use assert_cmd::Command;
use std::path::Path;

/// A bundle of one healthy Node, as a directory.
fn bundle(dir: &Path) {
    std::fs::create_dir_all(dir.join("b")).unwrap();
    let node = "apiVersion: v1\nkind: Node\nmetadata:\n  name: cp-1\n";
    std::fs::write(dir.join("b/node.yaml"), node).unwrap();
}

/// The same bundle as a tar archive.
fn archive(dir: &Path) -> Vec<u8> {
    bundle(dir);
    let mut tar = tar::Builder::new(Vec::new());
    tar.append_dir_all("b", dir.join("b")).unwrap();
    tar.into_inner().unwrap()
}

fn casefile(dir: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_casefile"));
    command.current_dir(dir);
    command
}

#[test]
fn cases() {
    trycmd::TestCases::new().case("tests/cli/*.toml").case("tests/cli/*.trycmd");
}

#[test]
fn a_bundle_on_standard_input_is_diagnosed_to_standard_output() {
    let dir = tempfile::tempdir().unwrap();
    let tar = archive(dir.path());
    let run = |args: &[&str]| casefile(dir.path()).args(args).write_stdin(tar.clone()).assert().code(0);
    let output = run(&["diagnose", "-", "-o", "-", "--format", "json"]).get_output().stdout.clone();
    let diagnosis: serde_json::Value = serde_json::from_slice(&output).unwrap();
    assert_eq!(diagnosis["bundles"][0]["name"], "stdin");
    assert_eq!(diagnosis["bundles"][0]["members"], 1);
    let again = run(&["diagnose", "-", "-o", "-", "--format", "json"]).get_output().stdout.clone();
    assert_eq!(output, again);
    assert!(std::fs::read_dir(dir.path()).unwrap().count() == 1, "nothing is written besides");
}

/// Four Machines of two MachineDeployments, three of which never became Nodes.
#[test]
fn the_machines_of_one_machine_deployment_are_one_finding() {
    let dir = tempfile::tempdir().unwrap();
    std::fs::create_dir_all(dir.path().join("b")).unwrap();
    let owner = |kind: &str, name: &str| {
        format!(
            "ownerReferences: [{{apiVersion: cluster.x-k8s.io/v1beta1, kind: {kind}, name: {name}, controller: true}}]"
        )
    };
    let mut objects = String::new();
    for (set, deployment) in [("md-0-7c9zt", "md-0"), ("md-0-b8w6m", "md-0"), ("md-1-x2x9q", "md-1")] {
        objects += &format!(
            "---\napiVersion: cluster.x-k8s.io/v1beta1\nkind: MachineSet\nmetadata:\n  name: {set}\n  namespace: k\n  uid: u-{set}\n  {}\nspec: {{clusterName: k}}\n",
            owner("MachineDeployment", deployment)
        );
    }
    let stuck = "{type: HealthCheckSucceeded, status: \"False\", reason: NodeStartupTimeout, message: Node failed to report startup in 10m0s, lastTransitionTime: \"2026-06-03T09:12:12Z\"}";
    for (name, set) in [
        ("md-0-7c9zt-aaaaa", "md-0-7c9zt"),
        ("md-0-7c9zt-bbbbb", "md-0-7c9zt"),
        ("md-0-b8w6m-ccccc", "md-0-b8w6m"),
        ("md-1-x2x9q-ddddd", "md-1-x2x9q"),
    ] {
        objects += &format!(
            "---\napiVersion: cluster.x-k8s.io/v1beta1\nkind: Machine\nmetadata:\n  name: {name}\n  namespace: k\n  uid: u-{name}\n  creationTimestamp: \"2026-06-03T09:00:00Z\"\n  {}\nspec: {{clusterName: k, providerID: \"vsphere://{name}\"}}\nstatus:\n  phase: Provisioned\n  bootstrapReady: true\n  infrastructureReady: true\n  lastUpdated: \"2026-06-03T09:02:11Z\"\n  conditions: [{stuck}]\n",
            owner("MachineSet", set)
        );
    }
    // What ends with its file may be cut.
    objects += "---\n";
    std::fs::write(dir.path().join("b/capi.yaml"), objects).unwrap();
    let output = casefile(dir.path()).args(["diagnose", "b", "-o", "-", "--format", "json"]).output().unwrap();
    let diagnosis: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let findings = diagnosis["findings"].as_array().unwrap().iter();
    let stuck: Vec<_> = findings.filter(|finding| finding["signature"]["id"] == "CF-1020").collect();
    let [three, alone] = stuck.as_slice() else { panic!("{stuck:#?}") };
    assert_eq!(three["owner"]["name"], "md-0", "two MachineSets of one MachineDeployment");
    let headline = three["headline"].as_str().unwrap();
    assert!(headline.starts_with("3 Machines of MachineDeployment `md-0`: each "), "{headline}");
    let alike = three["alike"].as_array().unwrap();
    let names: Vec<_> = alike.iter().map(|other| other["entity"]["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["md-0-7c9zt-bbbbb", "md-0-b8w6m-ccccc"]);
    assert!(alike.iter().all(|other| other["proofs"][0]["citations"][0]["line"].is_u64()), "{alike:#?}");
    assert_eq!((&alone["owner"]["name"], alone.get("alike")), (&"md-1".into(), None));
}

#[test]
fn a_diagnosis_is_named_after_the_bundle() {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("up.tar.gz"), archive(dir.path())).unwrap();
    let run = casefile(dir.path()).args(["diagnose", "up.tar.gz", "--format", "json"]).assert().code(0);
    assert!(dir.path().join("up.diagnosis.json").exists());
    let stdout = String::from_utf8(run.get_output().stdout.clone()).unwrap();
    assert!((2..=14).contains(&stdout.lines().count()), "{stdout}");
}

#[test]
fn what_cannot_be_read_at_all_ends_with_3() {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("empty.tar.gz"), b"").unwrap();
    for bundle in ["none", "empty.tar.gz"] {
        for command in ["diagnose", "inspect"] {
            let run = casefile(dir.path()).args([command, bundle]).assert().code(3);
            let stderr = String::from_utf8(run.get_output().stderr.clone()).unwrap();
            assert!(stderr.starts_with("casefile: ") && stderr.contains(bundle), "{stderr}");
        }
    }
}

#[test]
fn an_output_that_cannot_be_written_ends_with_4() {
    let dir = tempfile::tempdir().unwrap();
    bundle(dir.path());
    let run = casefile(dir.path()).args(["diagnose", "b", "-o", "no/such/folder.json"]).assert().code(4);
    let stderr = String::from_utf8(run.get_output().stderr.clone()).unwrap();
    assert!(stderr.contains("cannot write no/such/folder.json: the folder no/such: No such file or directory (os error 2); name another file"), "{stderr}");
}

#[test]
fn inspect_prints_text_and_json() {
    let dir = tempfile::tempdir().unwrap();
    bundle(dir.path());
    let text = casefile(dir.path()).args(["inspect", "b"]).assert().code(0);
    assert!(text.get_output().stdout.starts_with(b"b: layout "));
    let json = casefile(dir.path()).args(["inspect", "b", "--format", "json"]).assert().code(0);
    let value: serde_json::Value = serde_json::from_slice(&json.get_output().stdout).unwrap();
    assert_eq!(value["bundles"][0]["members"], 1);
}

#[cfg(unix)]
#[test]
fn a_reader_that_goes_away_is_no_error() {
    let dir = tempfile::tempdir().unwrap();
    let mut child = std::process::Command::new(env!("CARGO_BIN_EXE_casefile"))
        .args(["schema", "diagnosis"])
        .current_dir(dir.path())
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(output.stderr.is_empty());
}

#[test]
fn check_compares_updates_and_fails() {
    let dir = tempfile::tempdir().unwrap();
    bundle(&dir.path().join("cases/one"));
    std::fs::rename(dir.path().join("cases/one/b"), dir.path().join("cases/one/bundle")).unwrap();
    let check = |args: &[&str], code| {
        let run = casefile(dir.path()).arg("check").arg("cases").args(args).assert().code(code);
        String::from_utf8(run.get_output().stdout.clone()).unwrap()
    };
    assert!(check(&[], 1).contains("there is no expected.json"));
    assert!(check(&["--update"], 0).contains("1 updated"));
    assert!(check(&[], 0).contains("1 as expected, 0 failed"));
    let path = dir.path().join("cases/one/expected.json");
    let text = std::fs::read_to_string(&path).unwrap();
    std::fs::write(&path, text.replace("\"silent\": true", "\"silent\": false")).unwrap();
    assert!(check(&[], 1).contains("+  \"silent\": true,"));
    assert!(check(&["--format", "junit"], 1).contains("failures=\"1\""));
    casefile(dir.path()).args(["check", "nowhere"]).assert().code(2);
}

#[test]
fn a_new_signature_lints_and_is_not_overwritten() {
    let dir = tempfile::tempdir().unwrap();
    casefile(dir.path()).args(["new", "CF-9001", "--dir", "mine", "--name", "node-not-ready"]).assert().code(0);
    casefile(dir.path()).args(["lint", "mine"]).assert().code(0);
    let again = casefile(dir.path()).args(["new", "CF-9001", "--dir", "mine", "--name", "node-not-ready"]).assert();
    let stderr = String::from_utf8(again.code(2).get_output().stderr.clone()).unwrap();
    assert!(stderr.contains("node-not-ready.yaml is there already"), "{stderr}");
    casefile(dir.path()).args(["new", "9001"]).assert().code(2);

    let file = dir.path().join("mine/node-not-ready.yaml");
    let text = std::fs::read_to_string(&file).unwrap().replace("confirmed: not-ready", "confirmed: not-red");
    std::fs::write(&file, text).unwrap();
    let lint = casefile(dir.path()).args(["lint", "mine"]).assert().code(1);
    assert!(String::from_utf8_lossy(&lint.get_output().stdout).contains("not-red"));
    // Every other command refuses a bad signature.
    bundle(dir.path());
    casefile(dir.path()).args(["diagnose", "b", "--only-patterns", "mine", "-o", "-"]).assert().code(2);
}

/// The checks of an installation are data too: a mistake in them is shown with file, line, what was expected and what
/// to look at next.
#[test]
fn a_mistake_in_the_checks_is_shown_where_it_stands() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data");
    let said = casefile(&root).args(["lint", "lint-checks"]).assert().code(1);
    let said = String::from_utf8_lossy(&said.get_output().stdout).into_owned();
    let golden = root.join("lint-checks/out.txt");
    assert_eq!(said, std::fs::read_to_string(golden).unwrap());
}

#[test]
fn an_author_goes_from_an_empty_folder_to_a_report() {
    let dir = tempfile::tempdir().unwrap();
    let run = |args: &[&str], code| {
        let run = casefile(dir.path()).args(args).assert().code(code);
        String::from_utf8(run.get_output().stdout.clone()).unwrap()
    };
    let write = |name: &str, text: &str| std::fs::write(dir.path().join(name), text).unwrap();
    run(&["new", "CF-9001", "--dir", "mine", "--name", "node-not-ready"], 0);
    assert!(run(&["test", "mine", "--only", "CF-9001"], 0).contains("4 passed, 0 failed"));
    assert!(run(&["test", "mine", "--only", "CF-9002"], 1).contains("no signature has that id"));
    let coverage = run(&["test", "mine", "--coverage"], 0);
    assert!(coverage.contains("1 of 1 signatures are exercised in every part"), "{coverage}");
    let page = run(&["explain", "CF-9001", "--patterns", "mine", "--format", "markdown"], 0);
    assert!(page.starts_with("# CF-9001 "), "{page}");
    assert!(run(&["explain", "CF-9001", "--patterns", "mine"], 0).contains("A Node is not ready"));

    // A second kind of evidence that no test shows.
    let text = std::fs::read_to_string(dir.path().join("mine/node-not-ready.yaml")).unwrap();
    let pressed = "  - id: pressed\n    claim: It is short of memory\n    object: { self: true, where: [{ path: status.pressed, equals: true }] }\n\n";
    write("mine/node-not-ready.yaml", &text.replace("# Conditions over", &format!("{pressed}# Conditions over")));
    let coverage = run(&["test", "mine", "--coverage"], 1);
    assert!(coverage.contains("evidence `pressed` never supports"), "{coverage}");
    let json: serde_json::Value =
        serde_json::from_str(&run(&["test", "mine", "--coverage", "--format", "json"], 1)).unwrap();
    assert_eq!(json["passed"], 4);
    let evidence = &json["coverage"][0]["evidence"];
    assert!(
        evidence.as_array().unwrap().iter().any(|one| one["id"] == "pressed" && one["supports"] == 0),
        "{evidence}"
    );

    // Name, version and hash of the pack and what the site changed are in the report.
    write("mine/pack.yaml", "schema: 1\nname: Our own\nversion: \"2026.11\"\n");
    write(
        "mine/overrides.yaml",
        "schema: 1\noverrides:\n- { id: CF-9001, severity: low, reason: \"It heals itself\" }\n- { id: CF-2001, disable: true, reason: \"No etcd here\" }\n",
    );
    bundle(dir.path());
    run(&["lint", "mine"], 0);
    let json = run(&["diagnose", "b", "--patterns", "mine", "--format", "json", "-o", "-"], 0);
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    let pack = &json["packs"][1];
    assert_eq!((&pack["name"], &pack["version"]), (&"Our own".into(), &"2026.11".into()));
    assert_eq!(pack["sha256"].as_str().map(str::len), Some(64));
    assert_eq!(json["overrides"][0]["reason"], "It heals itself");
    let html = run(&["diagnose", "b", "--patterns", "mine", "--format", "html", "-o", "-"], 0);
    for said in [
        "Our own 2026.11: 1 signature",
        "re-rated from medium to low by the site: It heals itself",
        "switched off by the site: No etcd here",
    ] {
        assert!(html.contains(said), "{said}");
    }
    write("mine/pack.yaml", "schema: 1\nname: \"\"\nversion: \"1\"\n");
    assert!(run(&["lint", "mine"], 1).contains("`name` of the pack cannot be shown"));
}
