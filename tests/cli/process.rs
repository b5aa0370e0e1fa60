//! How the process behaves towards its machine: what it hears from the environment, and what the kernel lets it do.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::path::Path;
use std::process::{Command, Output};

/// Variables that libraries below read, or may read in their next version.
const VARIABLES: [&str; 48] = [
    "POLARS_ALLOW_EXTENSION",
    "POLARS_ALLOW_NESTED_CSPE",
    "POLARS_ASYNC_THREAD_COUNT",
    "POLARS_AUTO_STRUCTIFY",
    "POLARS_BACKTRACE_IN_ERR",
    "POLARS_DNS_LOG_THRESHOLD_MS",
    "POLARS_ENGINE_AFFINITY",
    "POLARS_FMT_MAX_COLS",
    "POLARS_FMT_MAX_ROWS",
    "POLARS_FMT_STR_LEN",
    "POLARS_FMT_TABLE_CELL_LIST_LEN",
    "POLARS_FMT_TABLE_FORMATTING",
    "POLARS_FORCE_ASYNC",
    "POLARS_FORCE_STREAMING",
    "POLARS_GATHER_RECHUNK_RATIO",
    "POLARS_IDEAL_MORSEL_SIZE",
    "POLARS_IGNORE_TIMEZONE_PARSE_ERROR",
    "POLARS_IMPORT_INTERVAL_AS_STRUCT",
    "POLARS_JOIN_SAMPLE_LIMIT",
    "POLARS_MAX_BLOCKING_THREAD_COUNT",
    "POLARS_MAX_EXPR_DEPTH",
    "POLARS_MAX_THREADS",
    "POLARS_MEMORY_PREFETCH",
    "POLARS_NEXT_VERSION",
    "POLARS_OOC_DISK_BUDGET_MB",
    "POLARS_OOC_DRIFT_THRESHOLD",
    "POLARS_OOC_LOG_METRICS",
    "POLARS_OOC_MEMORY_BUDGET_FRACTION",
    "POLARS_OOC_MEMORY_BUDGET_MB",
    "POLARS_OOC_SPILL_COMPRESSION_LEVEL",
    "POLARS_OOC_SPILL_DIR",
    "POLARS_OOC_SPILL_FORMAT",
    "POLARS_OOC_SPILL_MIN_BYTES",
    "POLARS_OVERRIDE_TOTAL_MEMORY",
    "POLARS_PANIC_ON_ERR",
    "POLARS_PARQUET_BINARY_STATISTICS_TRUNCATE_LEN",
    "POLARS_REGEX_SIZE_LIMIT",
    "POLARS_ROW_FMT_SORT",
    "POLARS_STREAMING_CHUNK_SIZE",
    "POLARS_TABLE_WIDTH",
    "POLARS_THREAD_NAME",
    "POLARS_TRACK_SERIES_MATERIALIZATION",
    "POLARS_VERBOSE",
    "POLARS_WARN_UNKNOWN_CONFIG",
    "RAYON_NUM_THREADS",
    "RUST_MIN_STACK",
    "TOKIO_WORKER_THREADS",
    "TZ",
];

fn run(args: &[&str], set: impl FnOnce(&mut Command)) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_casefile"));
    command.current_dir(env!("CARGO_MANIFEST_DIR")).args(args);
    set(&mut command);
    command.output().unwrap()
}

/// A bundle whose timeline Polars adds up.
const BUNDLE: &str = "sample-bundles/etcd-no-leader/bundle";

#[test]
fn no_variable_of_the_environment_changes_or_breaks_a_run() {
    let args = ["diagnose", BUNDLE, "-o", "-", "--format", "json"];
    let bare = run(&args, |command| {
        command.env_clear();
    });
    assert_eq!(bare.status.code(), Some(0), "{}", String::from_utf8_lossy(&bare.stderr));
    let diagnosis: serde_json::Value = serde_json::from_slice(&bare.stdout).unwrap();
    assert!(!diagnosis["timeline"]["lanes"].as_array().unwrap().is_empty(), "the tables are used");
    for garbage in ["0", "1", "-1", "garbage", "", "99999999999999999999", "/dev/full", "\u{202e}"] {
        let all = run(&args, |command| {
            command.env_clear().envs(VARIABLES.map(|name| (name, garbage)));
        });
        assert_eq!(all.status.code(), Some(0), "{garbage}: {}", String::from_utf8_lossy(&all.stderr));
        assert!(all.stdout == bare.stdout && all.stderr == bare.stderr, "all as {garbage:?}");
    }
    // What one of them breaks, another may hide.
    for (name, value) in
        [("POLARS_MAX_THREADS", "0"), ("POLARS_FORCE_STREAMING", "1"), ("RUST_MIN_STACK", "1"), ("POLARS_VERBOSE", "1")]
    {
        let one = run(&args, |command| {
            command.env(name, value);
        });
        assert!(one.stdout == bare.stdout && one.stderr == bare.stderr, "{name}={value}");
    }
}

#[cfg(unix)]
#[test]
fn a_variable_that_is_no_text_or_has_an_odd_name_breaks_nothing() {
    use std::os::unix::ffi::OsStrExt;
    let odd = std::ffi::OsStr::from_bytes(b"A\xff\xfeB");
    let output = run(&["schema"], |command| {
        command.env(odd, odd).env("X Y", "z").env("POLARS_VERBOSE", odd);
    });
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
}

/// Makes a pipe, starts a run that reads it, and hands over what the kernel says of the process that waits for it.
#[cfg(target_os = "linux")]
fn status_while_waiting(dir: &Path, args: &[&str]) -> String {
    let pipe = dir.join("pipe");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let mut child = Command::new(env!("CARGO_BIN_EXE_casefile"))
        .current_dir(dir)
        .args(args)
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    let mut said = [0; 19];
    std::io::Read::read_exact(&mut child.stderr.take().unwrap(), &mut said).unwrap();
    assert_eq!(&said, b"reading from a pipe");
    let status = std::fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap();
    std::fs::write(&pipe, "apiVersion: v1\nkind: Node\nmetadata:\n  name: cp-1\n").unwrap();
    let output = child.wait_with_output().unwrap();
    std::fs::remove_file(pipe).unwrap();
    assert_eq!(output.status.code(), Some(0), "{args:?}");
    status
}

#[cfg(target_os = "linux")]
#[test]
fn the_kernel_confines_a_run_before_it_reads() {
    let dir = tempfile::tempdir().unwrap();
    for args in [&["diagnose", "pipe"][..], &["diagnose", "pipe", "-o", "-"], &["inspect", "pipe"]] {
        let status = status_while_waiting(dir.path(), args);
        let field = |name: &str| {
            let line = status.lines().find_map(|line| line.strip_prefix(name)).map(str::trim);
            line.unwrap_or_else(|| panic!("no {name} in\n{status}")).to_owned()
        };
        assert_eq!(field("Seccomp:"), "2", "{args:?}: filtered");
        assert_eq!(field("NoNewPrivs:"), "1", "{args:?}");
    }
    assert!(dir.path().join("pipe.diagnosis.html").metadata().unwrap().len() > 1000);
}

#[test]
fn inspect_says_how_far_it_is_confined_and_only_when_it_is_asked() {
    let quiet = run(&["inspect", BUNDLE], |_| {});
    let verbose = run(&["inspect", BUNDLE, "--verbose"], |_| {});
    assert!(quiet.status.success() && quiet.stderr.is_empty() && quiet.stdout == verbose.stdout);
    let said = String::from_utf8_lossy(&verbose.stderr).into_owned();
    assert!(said.contains("files: ") && said.contains("system calls: ") && said.contains("confined"), "{said}");
}

/// Inputs of every form and every output at once: what the kernel refuses is not needed.
#[test]
fn a_confined_run_reads_and_writes_all_that_it_is_to() {
    let dir = tempfile::tempdir().unwrap();
    let mut tar = tar::Builder::new(Vec::new());
    tar.append_dir_all("b", Path::new(env!("CARGO_MANIFEST_DIR")).join(BUNDLE)).unwrap();
    std::fs::write(dir.path().join("up.tar"), tar.into_inner().unwrap()).unwrap();
    std::fs::create_dir(dir.path().join("out")).unwrap();
    let bundle = Path::new(env!("CARGO_MANIFEST_DIR")).join(BUNDLE);
    let diagnose = |args: &[&str]| {
        let run = run(args, |command| {
            command.current_dir(dir.path());
        });
        assert_eq!(run.status.code(), Some(0), "{args:?}: {}", String::from_utf8_lossy(&run.stderr));
    };
    diagnose(&["diagnose", "up.tar", bundle.to_str().unwrap(), "--format", "html,json,markdown,junit"]);
    diagnose(&["diagnose", "up.tar", "-o", "out/x.html"]);
    diagnose(&["diagnose", "up.tar", "-o", "out/x.html"]);
    let names: Vec<_> = std::fs::read_dir(dir.path()).unwrap().map(|one| one.unwrap().file_name()).collect();
    assert_eq!(names.len(), 6, "{names:?}");
    assert_eq!(std::fs::read_dir(dir.path().join("out")).unwrap().count(), 1);
}
