//! Real clients: `kubectl`, as `CASEFILE_KUBECTL` names it or as it stands in the path.

#![expect(clippy::print_stderr, reason = "a test that was skipped says so")]

use crate::running::USUAL;
use std::path::PathBuf;
use std::process::Command;
use std::sync::LazyLock;

/// The client; `None`, and said loudly, if there is none.
static KUBECTL: LazyLock<Option<PathBuf>> = LazyLock::new(|| {
    let named = std::env::var_os("CASEFILE_KUBECTL").map(PathBuf::from);
    let folders = std::env::var_os("PATH").unwrap_or_default();
    let found = std::env::split_paths(&folders).map(|folder| folder.join("kubectl")).find(|path| path.is_file());
    let kubectl = named.or(found);
    match &kubectl {
        Some(path) => eprintln!("kubectl: {}", path.display()),
        None => {
            eprintln!("SKIPPED: no kubectl in CASEFILE_KUBECTL or in the path; the API was NOT asked by a real client")
        }
    }
    kubectl
});

/// What it prints, and what it complains of; `None` without a client.
fn kubectl(args: &str) -> Option<(bool, String, String)> {
    let program = KUBECTL.as_ref()?;
    let dir = USUAL.dir.path();
    let mut command = Command::new(program);
    command.args(args.split(' ')).env("KUBECONFIG", dir.join("kc")).env("HOME", dir);
    let run = command.output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    Some((run.status.success(), text(&run.stdout), text(&run.stderr)))
}

/// What it prints where it must succeed.
fn prints(args: &str, expected: &[&str]) {
    let Some((done, out, error)) = kubectl(args) else { return };
    assert!(done, "{args}: {error}");
    for text in expected {
        assert!(out.contains(text), "{args}: no {text:?} in\n{out}\n{error}");
    }
    assert!(!error.contains("No resources found"), "{args}: {error}");
}

/// What it complains of where it must fail.
fn refuses(args: &str, expected: &str) {
    let Some((done, out, error)) = kubectl(args) else { return };
    assert!(!done, "{args}: {out}");
    assert!(error.contains(expected), "{args}: no {expected:?} in\n{error}");
    assert!(!error.contains("No resources found"), "{args}: {error}");
}

#[test]
fn get() {
    prints("get pods -A", &["NAMESPACE", "web-1", "CrashLoopBackOff", "batch-7"]);
    prints("get pods -n shop -o wide", &["NOMINATED NODE", "w-1"]);
    prints("get pods -n shop -o name", &["pod/two-1\npod/web-1\n"]);
    prints("get pod -n shop web-1 -o yaml", &["casefile.dev/from: pods.json:2", "restartCount: 7"]);
    prints("get pods -n shop -o json", &["\"kind\": \"List\""]);
    prints("get pods -n shop -l app=web --show-labels", &["app=web,tier=1"]);
    prints("get pods -n shop --field-selector status.phase!=Running", &["two-1"]);
    prints("get pods -n shop --sort-by .metadata.creationTimestamp", &["two-1"]);
    prints("get nodes", &["w-2", "NotReady"]);
    prints("get wg -A", &["shop", "SIZE", "3"]);
    prints("get pods,widgets -n shop", &["pod/web-1", "widget.example.com/w"]);
    prints("get events -n shop", &["BackOff", "FailedScheduling"]);
    prints("get pods -n shop -w", &["web-1"]);
}

#[test]
fn what_is_not_there_and_what_nobody_knows() {
    refuses("get services -A", "(NotInBundle): not in the bundle: nobody asked for services");
    refuses("get services -A --ignore-not-found", "not in the bundle");
    refuses("get secrets -n other", "the API server refused secrets");
    refuses("get pod -n shop gone", "(NotFound): pods \"gone\" not found");
    refuses("get pod -n jobs gone", "not in the bundle");
    refuses("wait --for=delete -n jobs pod/gone --timeout=2s", "not in the bundle");
    let Some((done, out, error)) = kubectl("get configmaps -A") else { return };
    assert!(done && out.is_empty() && error.contains("No resources found"), "the bundle proves that: {error}");
    let Some((_, _, error)) = kubectl("get pods -A") else { return };
    assert!(error.contains("Warning: this list of pods may not be whole"), "{error}");
    // `all` asks for what was not collected too.
    let Some((_, out, error)) = kubectl("get all -n shop") else { return };
    assert!(
        out.contains("pod/web-1") && out.contains("deployment.apps/web") && error.contains("not in the bundle"),
        "{error}"
    );
}

#[test]
fn describe() {
    prints("describe pod -n shop web-1", &["CrashLoopBackOff", "restarting failed container"]);
    prints("describe pod -n jobs batch-7", &["batch:2", "Restart Count:  3", "casefile.dev/form: describe"]);
    prints("describe node w-1", &["v1.31.2", "casefile.dev/form: table"]);
    prints("describe deployment -n shop web", &["casefile.dev/form: table"]);
    prints("describe secret -n shop db", &["password:"]);
    prints("describe widget -n shop w", &["Colour:"]);
    let Some((_, _, error)) = kubectl("describe pod -n jobs batch-7") else { return };
    assert!(error.contains("events are not in the bundle"), "its list of events is none, and nobody asked: {error}");
}

#[test]
fn logs() {
    prints("logs -n shop web-1", &["starts\nlogin password=[redacted]\nworks\ngoes on\n"]);
    prints("logs -n shop web-1 -c web --tail 1", &["goes on\n"]);
    prints("logs -n shop web-1 --since 60s", &["works\ngoes on\n"]);
    prints("logs -n shop web-1 --previous", &["FATAL: no config\n"]);
    prints("logs -n shop two-1 --all-containers", &["a\n", "b says\n"]);
    prints("logs -n shop -l app=web --timestamps", &["2026-03-04T09:09:45.123456789Z goes on"]);
    refuses("logs -n kube-system coredns-1", "not in the bundle: no log of ");
}

#[test]
fn discovery_and_the_rest() {
    prints("api-resources", &["widgets", "wg", "Widget", "configmaps"]);
    prints("api-versions", &["apps/v1", "example.com/v1"]);
    prints("version", &["v1.31.2"]);
    prints("auth can-i list pods", &["yes"]);
    prints("config get-contexts -o name", &["cluster"]);
    refuses("auth can-i delete pods", "");
    refuses("explain pods", "");
    refuses("top nodes", "");
    refuses("delete pod -n shop web-1", "the bundle is read only");
    refuses("label pod -n shop web-1 a=b", "the bundle is read only");
    refuses("exec -n shop web-1 -- ls", "the bundle is read only");
    refuses("create namespace x", "the bundle is read only");
    refuses("get nothingofthekind", "doesn't have a resource type");
}

/// As a plugin: kubectl runs what is called `kubectl-casefile` in the path, with all that stands behind `casefile`.
#[test]
fn casefile_is_a_plugin_of_kubectl() {
    let Some(program) = KUBECTL.as_ref() else { return };
    let plugins = tempfile::tempdir().unwrap();
    std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_casefile"), plugins.path().join("kubectl-casefile")).unwrap();
    let run = |args: &[&str]| {
        let mut command = Command::new(program);
        command.args(args).current_dir(USUAL.dir.path()).env("PATH", plugins.path()).env("HOME", plugins.path());
        let run = command.output().unwrap();
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        (run.status.code(), text(&run.stdout), text(&run.stderr))
    };
    let (code, out, error) = run(&["plugin", "list"]);
    assert!(code == Some(0) && out.contains("kubectl-casefile"), "{out}{error}");
    let (code, out, error) = run(&["casefile", "explain", "CF-2001"]);
    assert!(code == Some(0) && out.contains("CF-2001"), "{out}{error}");
    let (code, out, error) = run(&["casefile", "diagnose", "b", "--format", "ticket", "-o", "-"]);
    assert!(code == Some(0) && out.contains("web-1"), "{out}{error}");
    let (code, out, error) = run(&["casefile", "diagnose", "--help"]);
    assert!(code == Some(0) && out.contains("Usage: kubectl casefile diagnose"), "{out}{error}");
    // Codes are an API, through kubectl too.
    assert_eq!(run(&["casefile", "diagnose", "nothing"]).0, Some(3));
    assert_eq!(run(&["casefile", "diagnose", "b", "--format", "ticket", "-o", "-", "--fail-on", "low"]).0, Some(1));
    assert_eq!(run(&["casefile", "diagnos"]).0, Some(2));
}
