//! What somebody does with more than one run: a healthy bundle beside a sick one, a pack that is being written.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::sync::mpsc;
use std::time::Duration;

fn casefile(dir: &Path, args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_casefile")).current_dir(dir).args(args).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// A bundle with a log of one line for each of these, and one that goes on longer.
fn bundle(dir: &Path, name: &str, lines: &[&str]) {
    let busy: String =
        (0..40).map(|n| format!("time=\"2026-03-04T09:{n:02}:00Z\" level=info msg=\"tick {n}\"\n")).collect();
    let said = lines.iter().map(|line| format!("{line}\n"));
    for (n, text) in std::iter::once(busy).chain(said).enumerate() {
        let pod = format!("pod-{n}");
        let folder = dir.join(name).join(format!("namespaces/shop/pods/{pod}/{pod}/{pod}/logs"));
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(folder.join("current.log"), text).unwrap();
    }
}

#[test]
fn what_a_healthy_bundle_says_as_well_does_not_stand_out() {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path();
    let noise = |minute: &str, page: &str| {
        format!("time=\"2026-03-04T09:{minute}:00Z\" level=error msg=\"cannot seal the ledger at page-{page}\"")
    };
    let torn = "time=\"2026-03-04T09:06:00Z\" level=error msg=\"the vault door is open\"";
    let (sick, healthy) = (noise("05", "71"), noise("07", "4402"));
    bundle(dir, "sick", &[&sick, torn]);
    bundle(dir, "healthy", &[&healthy]);
    let stands_out = |args: &[&str]| {
        let run = casefile(dir, &[["diagnose", "sick", "-o", "out.json"].as_slice(), args].concat());
        assert_eq!(run.status.code(), Some(0), "{}", text(&run.stderr));
        let report: serde_json::Value =
            serde_json::from_str(&std::fs::read_to_string(dir.join("out.json")).unwrap()).unwrap();
        let rows = format!("{}{}", report["anomalies"], report["loudest"]);
        (rows.contains("the ledger at"), rows.contains("vault door"), text(&run.stderr), report["options"].clone())
    };
    let (ledger, door, ..) = stands_out(&[]);
    assert!(ledger && door, "both stand out alone");
    let (ledger, door, said, options) = stands_out(&["--baseline", "healthy"]);
    assert!(!ledger && door, "only what both say is left out");
    assert!(said.contains("because the baseline has the same: "), "{said}");
    assert_eq!(options["baseline"], "healthy");
    // What cannot be read is no baseline, and nobody is left to believe that it was one.
    std::fs::write(dir.join("noise"), [0_u8, 159, 146, 150].repeat(50)).unwrap();
    let run = casefile(dir, &["diagnose", "sick", "-o", "other.json", "--baseline", "noise"]);
    assert_eq!(run.status.code(), Some(3), "{}", text(&run.stderr));
    assert!(!dir.join("other.json").exists());
}

#[test]
fn a_watched_pack_is_tested_again_when_it_changes() {
    let dir = tempfile::tempdir().unwrap();
    let pack = dir.path().join("mine");
    let made = casefile(dir.path(), &["new", "XY-1", "--dir", "mine"]);
    assert_eq!(made.status.code(), Some(0), "{}", text(&made.stderr));
    let signature = std::fs::read_dir(&pack).unwrap().map(|entry| entry.unwrap().path());
    let signature = signature.into_iter().find(|path| !path.to_string_lossy().contains(".tests.")).unwrap();
    let mut child = Command::new(env!("CARGO_BIN_EXE_casefile"))
        .args(["test", "--watch"])
        .arg(&pack)
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let (send, told) = mpsc::channel();
    let out = child.stdout.take().unwrap();
    std::thread::spawn(move || {
        let lines = BufReader::new(out).lines().map_while(Result::ok);
        lines.filter(|line| line.contains(" passed, ")).for_each(|line| drop(send.send(line)));
    });
    let wait = Duration::from_secs(120);
    let first = told.recv_timeout(wait);
    let whole = std::fs::read_to_string(&signature).unwrap();
    std::fs::write(&signature, format!("{whole}\n# read again\n")).unwrap();
    let second = told.recv_timeout(wait);
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(first.is_ok_and(|line| line.ends_with("0 failed")));
    assert!(second.is_ok_and(|line| line.ends_with("0 failed")));
}

/// A signature that somebody writes is checked by its own file or by that of its tests, one as good as the other; nothing
/// else beside it is opened.
#[test]
fn one_signature_is_checked_with_its_tests() {
    let dir = tempfile::tempdir().unwrap();
    let from = Path::new(env!("CARGO_MANIFEST_DIR")).join("patterns/kubefleet");
    for file in ["approval-ignored.yaml", "approval-ignored.tests.yaml"] {
        std::fs::copy(from.join(file), dir.path().join(file)).unwrap();
        std::fs::write(dir.path().join("other.yaml"), "no signature").unwrap();
    }
    for file in ["approval-ignored.yaml", "approval-ignored.tests.yaml"] {
        let run = casefile(dir.path(), &["test", file]);
        let said = text(&run.stdout);
        assert_eq!(run.status.code(), Some(0), "{file}: {said}{}", text(&run.stderr));
        assert!(said.contains(" passed, 0 failed") && !said.starts_with("0 "), "{file}: {said}");
        let run = casefile(dir.path(), &["lint", file]);
        assert_eq!(text(&run.stdout), "no problems\n", "{file}: {}", text(&run.stderr));
    }
}
