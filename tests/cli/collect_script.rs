//! The script that collects what a report asks for: it runs, it takes secrets out, and what it brings decides.
#![cfg(unix)]
#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// What the API server of the stub answers: all clusters of the platform, and none that the failed import is for.
const KUBECTL: &str = r#"#!/bin/sh
echo "$@" >> "$CALLS"
case "$*" in
  "get clusters.platform.tkestack.io -o yaml") cat <<'EOF'
apiVersion: v1
items:
- apiVersion: platform.tkestack.io/v1
  kind: Cluster
  metadata:
    name: global
    annotations:
      kubectl.kubernetes.io/last-applied-configuration: |
        {"apiVersion":"v1","data":{"password":"c2VjcmV0LW9mLWFwcGx5"}}
kind: List
metadata:
  resourceVersion: ""
EOF
  ;;
  *secrets*) cat <<'EOF'
apiVersion: v1
items:
- apiVersion: v1
  data:
    password: c2VjcmV0LW9mLWRhdGE=
    long: |
      c2VjcmV0LW9mLWxpbmVz
  kind: Secret
  metadata:
    name: s
    namespace: a
kind: List
EOF
  ;;
  *) echo "Error from server (NotFound): no such thing" >&2; exit 1 ;;
esac
"#;

/// The container runtime of a node on which etcd ends at every start; `@LOG@` is what its container printed.
const CRICTL: &str = r#"#!/bin/sh
echo "crictl $*" >> "$CALLS"
case "$*" in
  *"-q --name ^etcd$") echo 4c0ffee4c0ffe ;;
  "ps -a --name ^etcd$") cat <<'EOF'
CONTAINER           IMAGE               CREATED             STATE               NAME                ATTEMPT             POD ID
4c0ffee4c0ffe       a9f8e7d6c5b4a       30 seconds ago      Exited              etcd                3                   0123456789abc
EOF
  ;;
  "logs -t 4c0ffee4c0ffe") cat '@LOG@' ;;
  *) exit 1 ;;
esac
"#;

/// Programs of a node that answer nothing.
const NOTHING: &str = "#!/bin/sh\necho \"$0 $*\" >> \"$CALLS\"\nexit 1\n";

struct Site {
    dir: tempfile::TempDir,
}

impl Site {
    fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        let bin = dir.path().join("bin");
        std::fs::create_dir(&bin).unwrap();
        let programs = [("kubectl", KUBECTL), ("etcdctl", NOTHING), ("crictl", NOTHING), ("journalctl", NOTHING)];
        for (name, text) in programs {
            let path = bin.join(name);
            std::fs::write(&path, text).unwrap();
            std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
        }
        Self { dir }
    }

    fn path(&self) -> &Path {
        self.dir.path()
    }

    /// Replaces a program of the node.
    fn program(&self, name: &str, text: &str) {
        std::fs::write(self.path().join("bin").join(name), text).unwrap();
    }

    /// The archive that the script packed.
    fn archive(&self) -> PathBuf {
        let all = std::fs::read_dir(self.path()).unwrap().map(|entry| entry.unwrap().path());
        let mut all = all.filter(|path| path.to_string_lossy().ends_with(".tar.gz"));
        all.next().unwrap()
    }

    fn casefile(&self, args: &[&str]) -> Output {
        Command::new(env!("CARGO_BIN_EXE_casefile")).current_dir(self.path()).args(args).output().unwrap()
    }

    /// Runs the script in its folder, with the stubs before all other programs.
    fn run(&self, script: &str, place: &str) -> Output {
        let path = self.path().join("collect.sh");
        std::fs::write(&path, script).unwrap();
        let search = format!("{}:/usr/bin:/bin", self.path().join("bin").display());
        Command::new("sh")
            .current_dir(self.path())
            .args(["collect.sh", place])
            .env("PATH", search)
            .env("CALLS", self.path().join("calls"))
            .output()
            .unwrap()
    }
}

fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let target = to.join(entry.file_name());
        if entry.path().is_dir() {
            copy(&entry.path(), &target)
        } else {
            std::fs::copy(entry.path(), target).map(|_| ()).unwrap()
        }
    }
}

fn sample(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("sample-bundles").join(name).join("bundle")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// The verdict of the first finding of a signature in a JSON report.
fn verdict(path: &Path, signature: &str) -> String {
    let diagnosis: serde_json::Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    let findings = diagnosis["findings"].as_array().unwrap();
    let found = findings.iter().find(|finding| finding["signature"]["id"] == signature).unwrap();
    found["verdict"].as_str().unwrap().to_owned()
}

#[test]
fn what_the_script_brings_decides_what_the_bundle_could_not() {
    let site = Site::new();
    copy(&sample("failed-import-as-text"), &site.path().join("b"));
    let first = site.casefile(&["diagnose", "b", "--format", "html,json"]);
    assert_eq!(first.status.code(), Some(0), "{}", text(&first.stderr));
    assert_eq!(verdict(&site.path().join("b.diagnosis.json"), "CF-1001"), "probable");
    let of_page = site.casefile(&["collect-script", "b.diagnosis.html"]);
    let of_json = site.casefile(&["collect-script", "b.diagnosis.json"]);
    assert_eq!(of_page.status.code(), Some(0), "{}", text(&of_page.stderr));
    assert_eq!(text(&of_page.stdout), text(&of_json.stdout), "page and data ask for the same");
    let run = site.run(&text(&of_page.stdout), "management");
    assert_eq!(run.status.code(), Some(0), "{}", text(&run.stderr));
    let archive = site.archive();
    // What came later lies in the same folder, as whoever works on the ticket keeps it.
    std::fs::copy(&archive, site.path().join("b/extra.tar.gz")).unwrap();
    let second = site.casefile(&["diagnose", "b", "--format", "json", "-o", "second.json"]);
    assert_eq!(second.status.code(), Some(0), "{}", text(&second.stderr));
    assert_eq!(verdict(&site.path().join("second.json"), "CF-1001"), "confirmed");
}

/// The log of the member that does not start is on its node alone: without it nobody knows why.
#[test]
fn what_the_script_brings_from_a_node_decides_too() {
    let site = Site::new();
    copy(&sample("etcd-wal-corrupt"), &site.path().join("b"));
    let log = site.path().join("b/logs/etcd-edge-cp-3.log");
    let kept = site.path().join("of-cp-3.log");
    std::fs::rename(&log, &kept).unwrap();
    site.program("crictl", &CRICTL.replace("@LOG@", &kept.to_string_lossy()));
    let first = site.casefile(&["diagnose", "b", "--format", "json", "-o", "first.json"]);
    assert_eq!(first.status.code(), Some(0), "{}", text(&first.stderr));
    let report = std::fs::read_to_string(site.path().join("first.json")).unwrap();
    assert!(!report.contains("\"CF-2006/"), "the cause is not known yet");
    assert_eq!(verdict(&site.path().join("first.json"), "CF-2010"), "probable");
    let script = site.casefile(&["collect-script", "first.json"]);
    let run = site.run(&text(&script.stdout), "node");
    assert_eq!(run.status.code(), Some(0), "{}", text(&run.stderr));
    let calls = std::fs::read_to_string(site.path().join("calls")).unwrap();
    assert!(calls.contains("crictl logs -t 4c0ffee4c0ffe") && calls.contains("etcdctl endpoint status"), "{calls}");
    std::fs::copy(site.archive(), site.path().join("b/extra.tar.gz")).unwrap();
    let second = site.casefile(&["diagnose", "b", "--format", "json", "-o", "second.json"]);
    assert_eq!(second.status.code(), Some(0), "{}", text(&second.stderr));
    assert_eq!(verdict(&site.path().join("second.json"), "CF-2006"), "confirmed");
}

#[test]
fn what_is_left_out_since_it_may_change_something_is_said() {
    let site = Site::new();
    copy(&sample("failed-import-as-text"), &site.path().join("b"));
    assert_eq!(site.casefile(&["diagnose", "b", "--format", "json", "-o", "r.json"]).status.code(), Some(0));
    let report = std::fs::read_to_string(site.path().join("r.json")).unwrap();
    let mut report: serde_json::Value = serde_json::from_str(&report).unwrap();
    let ask = |on: &str, command: &str| serde_json::json!({ "command": command, "on": on, "note": null, "decides": ["CF-1/x"] });
    report["further"] = serde_json::json!([]);
    report["asks"] = serde_json::json!([ask("node", "kubectl logs web | grep delete")]);
    std::fs::write(site.path().join("r.json"), report.to_string()).unwrap();
    let script = site.casefile(&["collect-script", "r.json"]);
    assert_eq!(script.status.code(), Some(0), "{}", text(&script.stderr));
    let run = site.run(&text(&script.stdout), "node");
    assert_eq!(run.status.code(), Some(0), "{}", text(&run.stderr));
    assert!(text(&run.stderr).contains("not run, since it may change something: kubectl logs web | grep delete"));
    assert!(!site.path().join("calls").exists(), "nothing was run");
}

#[test]
fn the_script_only_reads_takes_secrets_out_and_says_how_it_is_used() {
    let site = Site::new();
    copy(&sample("failed-import-as-text"), &site.path().join("b"));
    assert_eq!(site.casefile(&["diagnose", "b", "--format", "json", "-o", "r.json"]).status.code(), Some(0));
    // A report asks for Secrets, and somebody put a name into it that would be a second command.
    let report = std::fs::read_to_string(site.path().join("r.json")).unwrap();
    let mut report: serde_json::Value = serde_json::from_str(&report).unwrap();
    let ask = |command: &str| serde_json::json!({ "command": command, "on": "management", "note": null, "decides": ["CF-1/x"] });
    report["asks"] = serde_json::json!([
        ask("kubectl get secrets -A -o yaml"),
        ask("kubectl get clusters.platform.tkestack.io -o yaml"),
        ask("kubectl delete pods --all"),
        ask("kubectl get pod -n a 'it'\\''s; touch gotcha'"),
        ask("kubectl logs -n a <pod>"),
    ]);
    std::fs::write(site.path().join("r.json"), report.to_string()).unwrap();
    let script = text(&site.casefile(&["collect-script", "r.json"]).stdout);
    assert!(script.starts_with("#!/bin/sh\n"), "{script}");
    let wrong = site.run(&script, "nowhere");
    assert_eq!(wrong.status.code(), Some(2));
    assert!(text(&wrong.stderr).contains("usage: sh collect.sh PLACE"), "{}", text(&wrong.stderr));
    let run = site.run(&script, "management");
    assert_eq!(run.status.code(), Some(0), "{}", text(&run.stderr));
    let calls = std::fs::read_to_string(site.path().join("calls")).unwrap();
    assert!(calls.contains("get secrets") && !calls.contains("delete") && !calls.contains("<pod>"), "{calls}");
    assert!(!site.path().join("gotcha").exists(), "a name became a command");
    let folder = std::fs::read_dir(site.path()).unwrap().map(|entry| entry.unwrap().path());
    let mut folder = folder.filter(|path| path.is_dir() && path.to_string_lossy().contains("casefile-extra-"));
    let folder = folder.next().unwrap();
    let mut all = String::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let content = std::fs::read_to_string(entry.unwrap().path()).unwrap();
        assert!(content.starts_with("$ "), "the command stands above what it printed: {content}");
        all.push_str(&content);
    }
    assert!(all.contains("$ kubectl get secrets -A -o yaml") && all.contains("password: [removed]"), "{all}");
    assert!(all.contains("name: s") && all.contains("name: global"), "what is no secret stays: {all}");
    assert!(!all.contains("c2Vjc"), "{all}");
}

#[test]
fn what_is_no_report_is_refused() {
    let site = Site::new();
    for (name, content) in [("x.html", "<!doctype html><p>no"), ("x.txt", "notes"), ("x.json", "{\"schema_version\":")]
    {
        std::fs::write(site.path().join(name), content).unwrap();
        let run = site.casefile(&["collect-script", name]);
        assert_eq!(run.status.code(), Some(2), "{name}");
        assert!(text(&run.stderr).contains("report of Casefile") && run.stdout.is_empty(), "{}", text(&run.stderr));
    }
}
