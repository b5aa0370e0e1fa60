//! What is written, and what is never written to: inputs, links, what others wrote; and that a report stands there
//! whole or not at all.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::path::Path;
use std::process::{Command, Output};

/// A bundle as a directory `b`, as a single file `node.yaml` and as the archive `up.tar`.
fn folder() -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    let node = "apiVersion: v1\nkind: Node\nmetadata:\n  name: cp-1\n";
    std::fs::create_dir_all(dir.path().join("b/sub")).unwrap();
    std::fs::write(dir.path().join("b/sub/node.yaml"), node).unwrap();
    std::fs::write(dir.path().join("node.yaml"), node).unwrap();
    let mut tar = tar::Builder::new(Vec::new());
    tar.append_dir_all("b", dir.path().join("b")).unwrap();
    std::fs::write(dir.path().join("up.tar"), tar.into_inner().unwrap()).unwrap();
    dir
}

fn casefile(dir: &Path, args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_casefile")).current_dir(dir).args(args).output().unwrap()
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// Names and contents of all files of a folder, links not followed.
fn state(dir: &Path) -> Vec<(String, Vec<u8>)> {
    let mut all = Vec::new();
    let mut open = vec![dir.to_owned()];
    while let Some(folder) = open.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let meta = path.symlink_metadata().unwrap();
            if meta.is_dir() {
                open.push(path);
            } else {
                let content = if meta.is_file() { std::fs::read(&path).unwrap() } else { b"no file".to_vec() };
                all.push((path.display().to_string(), content));
            }
        }
    }
    all.sort();
    all
}

/// Runs, and wants it refused: exit code 4, nothing changed, no summary that speaks of a report.
fn refused(dir: &Path, args: &[&str], why: &str) {
    let before = state(dir);
    let run = casefile(dir, args);
    let said = stderr(&run);
    assert_eq!(run.status.code(), Some(4), "{args:?}: {said}");
    assert!(said.contains(why), "{args:?}: {said}");
    assert!(run.stdout.is_empty(), "{args:?}: {}", String::from_utf8_lossy(&run.stdout));
    assert_eq!(state(dir), before, "{args:?}");
}

#[test]
fn an_input_is_never_written_to() {
    let dir = folder();
    let dir = dir.path();
    for input in ["up.tar", "node.yaml"] {
        for force in [&[][..], &["--force"]] {
            refused(dir, &[&["diagnose", input, "-o", input], force].concat(), "it is the input");
            let around = format!("./b/../{input}");
            refused(dir, &[&["diagnose", input, "-o", &around], force].concat(), "it is the input");
            refused(dir, &[&["diagnose", "b", input, "-o", input], force].concat(), "it is the input");
        }
    }
    for inside in ["b/report.html", "b/sub/report.json", "b/sub/node.yaml", "b/../b/x.md"] {
        refused(dir, &["diagnose", "b", "-o", inside, "--force"], "it lies inside the input b");
    }
    // The default name of the folder itself lies inside it.
    refused(&dir.join("b"), &["diagnose", "."], "it lies inside the input .");
    refused(&dir.join("b/sub"), &["diagnose", "..", "--format", "json"], "it lies inside the input ..");
    // A folder beside it whose name begins as it does is another one.
    std::fs::create_dir(dir.join("b2")).unwrap();
    assert_eq!(casefile(dir, &["diagnose", "b", "-o", "b2/report.html"]).status.code(), Some(0));
}

#[cfg(unix)]
#[test]
fn an_input_under_another_name_is_never_written_to() {
    let dir = folder();
    let dir = dir.path();
    std::fs::hard_link(dir.join("up.tar"), dir.join("other-name")).unwrap();
    std::os::unix::fs::symlink("b", dir.join("link-to-b")).unwrap();
    std::os::unix::fs::symlink("up.tar", dir.join("link-to-up")).unwrap();
    refused(dir, &["diagnose", "up.tar", "-o", "other-name", "--force"], "it is the input up.tar");
    refused(dir, &["diagnose", "link-to-up", "-o", "up.tar", "--force"], "it is the input link-to-up");
    refused(dir, &["diagnose", "link-to-b", "-o", "b/x.html"], "it lies inside the input link-to-b");
    refused(dir, &["diagnose", "b", "-o", "link-to-b/x.html"], "it lies inside the input b");
    let through = |redirection: &str| {
        let line = format!("\"$0\" {redirection}");
        let run = Command::new("sh").args(["-c", &line, env!("CARGO_BIN_EXE_casefile")]).current_dir(dir).output();
        let run = run.unwrap();
        assert_eq!(run.status.code(), Some(4), "{line}: {}", stderr(&run));
    };
    let before = state(dir);
    through("diagnose - -o up.tar --force < up.tar");
    through("diagnose up.tar -o - >> up.tar");
    through("inspect up.tar >> up.tar");
    through("diagnose b -o - >> b/sub/node.yaml");
    through("inspect link-to-b >> b/sub/node.yaml");
    assert_eq!(state(dir), before);
}

#[cfg(unix)]
#[test]
fn no_link_is_written_through_and_only_files_are_replaced() {
    let dir = folder();
    let dir = dir.path();
    std::fs::create_dir(dir.join("home")).unwrap();
    std::fs::write(dir.join("home/profile"), "mine").unwrap();
    // As an unpacked bundle may bring it along, beside the folder.
    std::os::unix::fs::symlink("home/profile", dir.join("b.diagnosis.html")).unwrap();
    std::os::unix::fs::symlink("home/new", dir.join("b.diagnosis.json")).unwrap();
    for force in [&[][..], &["--force"]] {
        refused(dir, &[&["diagnose", "b"], force].concat(), "a symbolic link stands there");
        refused(dir, &[&["diagnose", "b", "--format", "json"], force].concat(), "a symbolic link stands there");
        refused(dir, &[&["diagnose", "b", "-o", "home"], force].concat(), "it is a folder");
        refused(dir, &[&["diagnose", "b", "-o", "home/"], force].concat(), "it is a folder");
    }
    assert!(Command::new("mkfifo").arg(dir.join("pipe")).status().unwrap().success());
    refused(dir, &["diagnose", "b", "-o", "pipe", "--force"], "no regular file");
    refused(dir, &["diagnose", "b", "-o", "none/x.html"], "the folder none");
    // Of several formats none is written if one cannot be.
    refused(dir, &["diagnose", "b", "--format", "markdown,json"], "a symbolic link stands there");
}

#[test]
fn only_what_casefile_wrote_is_replaced_without_force() {
    let dir = folder();
    let dir = dir.path();
    for (name, foreign) in [
        ("r.html", "<!doctype html>\n<title>Casefile diagnosis</title>\n"),
        ("r.json", "{\"schema_version\": 1, \"tool\": {\"name\": \"other\"}}"),
        ("r.md", "# Notes\n\n### How this was decided\n\nBy casefile.\n"),
        ("r.junit.xml", "<?xml version=\"1.0\"?>\n<testsuites name=\"mine\"/>\n"),
        ("report", "notes"),
    ] {
        std::fs::write(dir.join(name), foreign).unwrap();
        refused(dir, &["diagnose", "b", "-o", name], "that Casefile did not write; --force replaces it");
        let forced = casefile(dir, &["diagnose", "b", "-o", name, "--force"]);
        assert_eq!(forced.status.code(), Some(0), "{}", stderr(&forced));
        let first = std::fs::read(dir.join(name)).unwrap();
        // The report of any format may replace it, and is the same again.
        assert_eq!(casefile(dir, &["diagnose", "b", "-o", name]).status.code(), Some(0), "{name}");
        assert_eq!(std::fs::read(dir.join(name)).unwrap(), first);
        for format in ["html", "json", "markdown", "ticket", "sarif", "junit"] {
            let run = casefile(dir, &["diagnose", "b", "-o", name, "--format", format]);
            assert_eq!(run.status.code(), Some(0), "{name} as {format}: {}", stderr(&run));
        }
    }
    // What `mktemp` made holds nothing to lose.
    std::fs::write(dir.join("empty"), "").unwrap();
    assert_eq!(casefile(dir, &["diagnose", "b", "-o", "empty"]).status.code(), Some(0));
}

#[cfg(unix)]
#[test]
fn a_report_is_for_its_owner_alone_and_a_signature_is_not() {
    use std::os::unix::fs::PermissionsExt;
    let dir = folder();
    let mode = |name: &str| dir.path().join(name).metadata().unwrap().permissions().mode() & 0o777;
    casefile(dir.path(), &["diagnose", "b", "--format", "html,json,markdown,junit"]);
    for ending in ["html", "json", "md", "junit.xml"] {
        assert_eq!(mode(&format!("b.diagnosis.{ending}")), 0o600);
    }
    let line = "umask 022; \"$0\" new CF-9001";
    let run = Command::new("sh").args(["-c", line, env!("CARGO_BIN_EXE_casefile")]).current_dir(dir.path()).status();
    assert!(run.unwrap().success());
    assert_eq!(mode("cf-9001.yaml"), 0o644);
}

#[cfg(target_os = "linux")]
#[test]
fn a_disk_that_is_full_leaves_the_old_report_whole_and_nothing_else() {
    let dir = folder();
    let dir = dir.path();
    assert_eq!(casefile(dir, &["diagnose", "b"]).status.code(), Some(0));
    let before = state(dir);
    // Files of at most 8 blocks of 512 or 1024 bytes: less than any report.
    for args in ["diagnose b", "diagnose b --format json,html", "diagnose b -o other.html"] {
        let line = format!("ulimit -f 8; \"$0\" {args}");
        let run = Command::new("sh").args(["-c", &line, env!("CARGO_BIN_EXE_casefile")]).current_dir(dir).output();
        let run = run.unwrap();
        assert_eq!(run.status.code(), Some(4), "{args}: {}", stderr(&run));
        assert!(stderr(&run).contains("nothing was changed there") && run.stdout.is_empty(), "{}", stderr(&run));
        assert_eq!(state(dir), before, "{args}");
    }
    refused(dir, &["diagnose", "b", "-o", "/dev/full"], "No space left on device");
    assert_eq!(casefile(dir, &["diagnose", "b", "-o", "/dev/null"]).status.code(), Some(0));
    for args in ["diagnose b -o -", "diagnose b -o other.html", "inspect b", "schema", "--help", "man"] {
        let line = format!("\"$0\" {args} > /dev/full");
        let run = Command::new("sh").args(["-c", &line, env!("CARGO_BIN_EXE_casefile")]).current_dir(dir).output();
        assert_eq!(run.unwrap().status.code(), Some(4), "{args}");
    }
}

#[cfg(unix)]
#[test]
fn an_interrupt_leaves_the_old_report_whole_and_nothing_else() {
    let dir = folder();
    let dir = dir.path();
    assert_eq!(casefile(dir, &["diagnose", "b", "-o", "r.html"]).status.code(), Some(0));
    assert!(Command::new("mkfifo").arg(dir.join("pipe")).status().unwrap().success());
    let before = state(dir);
    for signal in ["INT", "TERM", "HUP"] {
        let mut run = Command::new(env!("CARGO_BIN_EXE_casefile"))
            .current_dir(dir)
            .args(["diagnose", "pipe", "-o", "r.html"])
            .stderr(std::process::Stdio::piped())
            .spawn()
            .unwrap();
        let mut said = [0; 19];
        std::io::Read::read_exact(&mut run.stderr.take().unwrap(), &mut said).unwrap();
        assert_eq!(&said, b"reading from a pipe");
        assert!(Command::new("kill").args(["-s", signal, &run.id().to_string()]).status().unwrap().success());
        // A shell that runs the tests in the background lets its children ignore INT, and `nohup` HUP.
        let ended = (0..50).any(|_| {
            std::thread::sleep(std::time::Duration::from_millis(100));
            run.try_wait().unwrap().is_some()
        });
        if !ended {
            run.kill().unwrap();
        }
        assert!(!run.wait().unwrap().success());
        assert_eq!(state(dir), before, "{signal}");
    }
}

#[cfg(unix)]
#[test]
fn new_and_check_write_through_no_link_either() {
    let dir = folder();
    let dir = dir.path();
    std::os::unix::fs::symlink("victim", dir.join("cf-9001.yaml")).unwrap();
    let run = casefile(dir, &["new", "CF-9001"]);
    assert!(run.status.code() == Some(2) && stderr(&run).contains("is there already"), "{}", stderr(&run));
    std::fs::create_dir_all(dir.join("cases/one")).unwrap();
    std::fs::rename(dir.join("b"), dir.join("cases/one/bundle")).unwrap();
    std::fs::write(dir.join("mine.json"), "{}").unwrap();
    std::os::unix::fs::symlink("../../mine.json", dir.join("cases/one/expected.json")).unwrap();
    refused(dir, &["check", "cases", "--update"], "a symbolic link stands there");
    std::fs::remove_file(dir.join("cases/one/expected.json")).unwrap();
    std::fs::write(dir.join("cases/one/expected.json"), "{\"mine\": true}").unwrap();
    refused(dir, &["check", "cases", "--update"], "that Casefile did not write");
    std::fs::write(dir.join("cases/one/expected.json"), "{\"silent\": false, \"findings\": [], \"old\": 1}").unwrap();
    assert_eq!(casefile(dir, &["check", "cases", "--update"]).status.code(), Some(0));
    assert!(!dir.join("victim").exists() && std::fs::read(dir.join("mine.json")).unwrap() == b"{}");
}
