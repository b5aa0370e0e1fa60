//! What ends a run that has no memory or no time left: it says so, ends with exit code 3, and leaves what was there.

#![cfg(target_os = "linux")]

use facts::cut::Cut;
use facts::limit::Limit;
use facts::origin::MemberId;
use intake::{Deadline, Limits, Source, Visitor};
use std::fmt::Write as _;
use std::io::Read;
use std::path::Path;
use std::process::{Command, Stdio};

const OLD: &str = "the report of yesterday";

/// Kilobytes of addresses that the program may have: enough to start, and not for what it is given to read.
const ADDRESSES: u32 = 350_000;

#[test]
fn an_allocation_that_fails_ends_a_run_with_3_and_leaves_the_old_report() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("bundle")).unwrap();
    let mut pods = r#"{"apiVersion":"v1","kind":"List","items":["#.to_owned();
    let note = "x".repeat(2_000);
    for at in 0..28_000 {
        let comma = if at == 0 { "" } else { "," };
        write!(
            pods,
            r#"{comma}{{"apiVersion":"v1","kind":"Pod","metadata":{{"name":"p{at}","namespace":"n","annotations":{{"a":"{note}"}}}}}}"#
        )
        .unwrap();
    }
    pods.push_str("]}");
    std::fs::write(folder.path().join("bundle/pods.json"), pods).unwrap();
    let report = folder.path().join("report.json");
    std::fs::write(&report, OLD).unwrap();
    let output = Command::new("sh")
        .args(["-c", "ulimit -c 0; ulimit -v \"$0\"; exec \"$@\"", &ADDRESSES.to_string()])
        .arg(env!("CARGO_BIN_EXE_casefile"))
        .args(["diagnose", "bundle", "--format", "json", "--force", "-o", "report.json"])
        .current_dir(folder.path())
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(3), "{said}");
    assert!(said.contains("memory allocation of ") && said.contains(" bytes failed"), "{said}");
    assert_eq!(std::fs::read_to_string(&report).unwrap(), OLD);
    let left = std::fs::read_dir(folder.path()).unwrap().count();
    assert_eq!(left, 2, "nothing is left but the bundle and the old report");
}

#[test]
fn a_run_that_takes_twice_its_time_ends_with_3() {
    let folder = tempfile::tempdir().unwrap();
    let mut child = Command::new(env!("CARGO_BIN_EXE_casefile"))
        .args(["diagnose", "-", "--max-time", "1"])
        .current_dir(folder.path())
        .stdin(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // A bundle that never comes: who writes it lives on.
    let held = child.stdin.take();
    let output = child.wait_with_output().unwrap();
    drop(held);
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(3), "{said}");
    assert!(said.contains("the run was ended after 2 seconds") && said.contains("--max-time"), "{said}");
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
}

/// Counts the members that are handed on, and their bytes.
#[derive(Default)]
struct Counted {
    members: usize,
    bytes: u64,
}

impl Visitor for Counted {
    fn member(&mut self, _id: MemberId, _name: &str, body: &mut dyn Read) {
        self.members += 1;
        // A cut is what is asked for here.
        let _ = std::io::copy(body, &mut std::io::sink()).map(|count| self.bytes += count);
    }

    fn cut(&mut self, _id: MemberId, _cut: &Cut) {}
}

#[test]
fn reading_ends_when_its_time_is_over() {
    let folder = tempfile::tempdir().unwrap();
    for at in 0..3 {
        std::fs::write(folder.path().join(format!("{at}.log")), "one line\n".repeat(100)).unwrap();
    }
    let read = |path: &Path, time| {
        let mut counted = Counted::default();
        let limits = Limits { time, ..Limits::default() };
        let read = intake::read(&Source::Path(path.to_owned()), &limits, &mut 0, &mut counted);
        (read, counted)
    };
    let (whole, counted) = read(folder.path(), None);
    assert!(whole.unwrap().limits_hit.is_empty());
    assert_eq!((counted.members, counted.bytes), (3, 2_700));
    // No time at all: what was begun ends at once, and nothing else is begun.
    let (ended, counted) = read(folder.path(), Some(Deadline::in_seconds(0)));
    assert!(counted.members <= 1 && counted.bytes == 0, "{} members, {} bytes", counted.members, counted.bytes);
    match ended {
        Ok(intake) => assert!(intake.limits_hit.iter().any(|(limit, _)| matches!(limit, Limit::Time(0)))),
        Err(error) => assert!(error.to_string().contains("limit time: reading stopped after 0 seconds"), "{error}"),
    }
}
