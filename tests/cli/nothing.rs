//! What holds no evidence: garbage, pictures, Casefile's own reports. It answers like an empty file, never like a healthy
//! cluster.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::path::Path;
use std::process::{Command, Output};

fn casefile(dir: &Path, args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_casefile")).current_dir(dir).args(args).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn bundle(name: &str) -> String {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("sample-bundles").join(name).join("bundle").display().to_string()
}

/// Formats and the names that their reports get here.
const FORMATS: [(&str, &str); 7] = [
    ("html", "r.html"),
    ("json", "r.json"),
    ("markdown", "r.md"),
    ("ticket", "r.ticket.md"),
    ("junit", "r.xml"),
    ("sarif", "r.sarif"),
    ("html", "renamed"),
];

#[test]
fn what_holds_nothing_ends_with_three_and_writes_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path();
    let noise: Vec<u8> = (0..20_000_u32).map(|n| (n.wrapping_mul(2_654_435_761) >> 13) as u8).collect();
    std::fs::write(dir.join("noise"), noise).unwrap();
    let png = [b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR".as_slice(), &[7; 900]].concat();
    std::fs::write(dir.join("picture.png"), png).unwrap();
    std::fs::write(dir.join("page.html"), "<!doctype html>\n<html><body><p>Sign in</p></body></html>\n").unwrap();
    for (format, name) in FORMATS {
        let made = casefile(dir, &["diagnose", &bundle("many-faults"), "--format", format, "-o", name]);
        assert_eq!(made.status.code(), Some(0), "{}", text(&made.stderr));
    }
    let reports = FORMATS.map(|(_, name)| name);
    for name in ["noise", "picture.png", "page.html"].into_iter().chain(reports) {
        let run = casefile(dir, &["diagnose", name, "--fail-on", "high", "-o", "out.html"]);
        let said = text(&run.stderr);
        assert_eq!(run.status.code(), Some(3), "{name}: {said}");
        assert!(
            said.contains(&format!("nothing could be read from {name}: ")) && said.contains("check the upload"),
            "{said}"
        );
        assert!(run.stdout.is_empty() && !dir.join("out.html").exists(), "{name}");
    }
}

#[test]
fn a_report_beside_a_bundle_is_no_evidence() {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path();
    std::fs::create_dir_all(dir.join("b")).unwrap();
    let node = "apiVersion: v1\nkind: Node\nmetadata:\n  name: cp-1\n";
    std::fs::write(dir.join("b/node.yaml"), node).unwrap();
    let findings = |name: &str| {
        let run = casefile(dir, &["diagnose", "b", "-o", name]);
        assert_eq!(run.status.code(), Some(0), "{}", text(&run.stderr));
        let report: serde_json::Value =
            serde_json::from_str(&std::fs::read_to_string(dir.join(name)).unwrap()).unwrap();
        (report["findings"].clone(), report["answer"].clone(), report["anomalies"].clone(), report["logs"].clone())
    };
    let alone = findings("alone.json");
    for (format, name) in FORMATS {
        let made = casefile(dir, &["diagnose", &bundle("many-faults"), "--format", format, "-o", name]);
        assert_eq!(made.status.code(), Some(0), "{}", text(&made.stderr));
        std::fs::rename(dir.join(name), dir.join("b").join(name)).unwrap();
    }
    assert_eq!(findings("beside.json"), alone);
}

#[test]
fn a_note_is_never_counted_as_confirmed() {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path();
    let run = casefile(dir, &["diagnose", &bundle("external-without-run"), "-o", "r.json"]);
    let report: serde_json::Value =
        serde_json::from_str(&std::fs::read_to_string(dir.join("r.json")).unwrap()).unwrap();
    let findings = report["findings"].as_array().unwrap();
    let notes = findings.iter().filter(|finding| finding["severity"] == "info" && finding["verdict"] == "confirmed");
    let notes = notes.count() as u64;
    assert!(notes > 0, "the sample has a note: {report}");
    assert_eq!(report["summary"]["counts"]["notes"], notes);
    assert_eq!(report["summary"]["counts"]["confirmed"], 0);
    assert_eq!(report["summary"]["primary"], serde_json::Value::Null);
    let said = text(&run.stdout);
    assert!(said.contains("0 confirmed") && said.contains(&format!("{notes} note")), "{said}");
    assert!(said.starts_with("No known problem found"), "{said}");
}

/// Pods that ended and that nobody misses stay in the lists: a clean answer does not point at them.
#[test]
fn a_pod_that_another_has_replaced_is_not_named_as_not_well() {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path();
    let rows = |complete: &str, ready: &str| {
        format!(
            "$ kubectl get pods -A\n\
             NAMESPACE   NAME                    READY   STATUS      RESTARTS   AGE\n\
             shop        cart-7d9f8c6b5-x2x4z    1/1     Running     0          48d\n\
             shop        cart-7d9f8c6b5-q8w7k    0/1     Evicted     0          48d\n\
             shop        nightly-29926440-4mz8c  0/1     Error       0          9h\n\
             shop        nightly-29926440-8kz2x  0/1     Completed   0          9h\n\
             $ kubectl get deployments -A\n\
             NAMESPACE   NAME   READY   UP-TO-DATE   AVAILABLE   AGE\n\
             shop        cart   {ready}     1            1           90d\n\
             $ kubectl get jobs -A\n\
             NAMESPACE   NAME               STATUS     COMPLETIONS   DURATION   AGE\n\
             shop        nightly-29926440   {complete}   1/1           40s        9h\n"
        )
    };
    let answer = |text: String| {
        std::fs::write(dir.join("paste.txt"), text).unwrap();
        let run = casefile(dir, &["diagnose", "paste.txt", "-o", "r.json", "--force"]);
        assert_eq!(run.status.code(), Some(0), "{}", self::text(&run.stderr));
        let report: serde_json::Value =
            serde_json::from_str(&std::fs::read_to_string(dir.join("r.json")).unwrap()).unwrap();
        report["answer"].as_str().unwrap().to_owned()
    };
    let well = answer(rows("Complete", "1/1"));
    assert!(well.starts_with("No known problem found") && !well.contains("Not ready"), "{well}");
    let without_jobs = rows("Complete", "1/1").split("$ kubectl get jobs").next().unwrap().to_owned();
    let open = answer(without_jobs);
    assert!(open.contains("`nightly-29926440-4mz8c`") && !open.contains("cart-7d9f8c6b5-q8w7k"), "{open}");
    let without_any = rows("Complete", "1/1").split("$ kubectl get deployments").next().unwrap().to_owned();
    let evicted = answer(without_any);
    assert!(evicted.contains("`cart-7d9f8c6b5-q8w7k`"), "{evicted}");
}

#[test]
fn a_name_whose_ending_is_no_format_is_refused_before_the_work() {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path();
    for name in ["x.yaml", "x.txt", "x.2026"] {
        let run = casefile(dir, &["diagnose", &bundle("many-faults"), "-o", name]);
        let said = text(&run.stderr);
        assert_eq!(run.status.code(), Some(2), "{said}");
        assert!(said.contains("no format has the ending") && said.contains(".html"), "{said}");
        assert!(run.stdout.is_empty() && !dir.join(name).exists());
        let named = casefile(dir, &["diagnose", &bundle("many-faults"), "-o", name, "--format", "ticket"]);
        assert_eq!(named.status.code(), Some(0), "{}", text(&named.stderr));
    }
    let link = text(&casefile(dir, &["diagnose", &bundle("many-faults"), "-o", "a report.html"]).stdout);
    let last = link.lines().last().unwrap();
    assert!(last.starts_with("Report: file:///") && last.ends_with("/a%20report.html"), "{last}");
}

#[test]
fn a_signature_is_found_by_its_number_and_by_a_part_of_its_name() {
    let dir = tempfile::tempdir().unwrap();
    let explained = |wanted: &str| casefile(dir.path(), &["explain", wanted]);
    assert_eq!(text(&explained("2001").stdout), text(&explained("CF-2001").stdout));
    assert_eq!(explained("2001").status.code(), Some(0));
    let several = explained("etcd");
    assert_eq!(several.status.code(), Some(2));
    assert!(text(&several.stderr).contains("\n  CF-20"), "{}", text(&several.stderr));
    let one = explained("nospace");
    assert!(
        text(&one.stdout).to_lowercase().contains("space") || text(&one.stderr).contains("names; give one"),
        "{}{}",
        text(&one.stdout),
        text(&one.stderr)
    );
    assert_eq!(explained("99999").status.code(), Some(2));
}

/// Runs it in a terminal of its own (`script` of util-linux), types a text and ends it as a person does.
#[test]
fn on_a_terminal_it_asks_for_a_paste_and_reads_it() {
    let dir = tempfile::tempdir().unwrap();
    let program = env!("CARGO_BIN_EXE_casefile");
    let mut child = Command::new("script")
        .args(["-qec", &format!("{program} diagnose"), "/dev/null"])
        .current_dir(dir.path())
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let paste = "NAME    READY   STATUS             RESTARTS   AGE\nweb-0   0/1     CrashLoopBackOff   7          3h\n";
    std::io::Write::write_all(&mut stdin, paste.as_bytes()).unwrap();
    std::io::Write::write_all(&mut stdin, b"\x04").unwrap();
    drop(stdin);
    let said = text(&child.wait_with_output().unwrap().stdout);
    assert!(said.contains("Ctrl-D"), "{said}");
    assert!(said.contains("`web-0` keeps crashing"), "{said}");
}
