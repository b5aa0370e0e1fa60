//! Hostile bundles, one test each: what strangers send to break a reader.
//!
//! Each is made here, holds a good half where it can (a sample bundle whose etcd has lost its majority), is read by the
//! program as a user runs it, and is judged on its exit code, on what it says, on a canary outside of the bundle, on
//! the content of files of the machine, on its peak of memory and its processor time, and on whether the fault of the
//! good half is still confirmed.
//!
//! Sizes are small where the cost grows with them; `CASEFILE_HOSTILE=full` makes them as large as an attacker would.

#![cfg(target_os = "linux")]
#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod compression;
mod directories;
mod documents;
mod links;
mod logs;
mod names;
mod pack;
mod tables;
mod tar_headers;
mod unreadable;
mod zips;

use serde_json::Value;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// What stands outside of the bundle and must neither be read nor changed.
const CANARY: &str = "canary-of-the-host-4711";

/// Bytes of memory at the peak: where sizes are small, and at full size, where a bundle may fill the budget of a run. The
/// debug build of these tests needs no more than the program that is shipped: what is kept is the same, and only the code
/// is larger.
const MEMORY: (usize, usize) = (600 << 20, 1 << 30);

/// Seconds of a processor after which the system ends a run: twenty times of what the slowest of them takes where it is
/// compiled for speed.
const SECONDS: u32 = 200;

/// A size that is the second one where all is tried at full size.
#[expect(clippy::disallowed_methods, reason = "the switch to full size is an environment variable")]
pub(crate) fn size(small: usize, full: usize) -> usize {
    if std::env::var("CASEFILE_HOSTILE").is_ok_and(|value| value == "full") { full } else { small }
}

/// Where a bundle is made, with the canary beside it.
struct Place(tempfile::TempDir);

impl Place {
    fn new() -> Self {
        let place = Self(tempfile::tempdir().unwrap());
        for folder in ["in", "out", "canary"] {
            fs::create_dir(place.0.path().join(folder)).unwrap();
        }
        fs::write(place.canary(), CANARY).unwrap();
        place
    }

    fn canary(&self) -> PathBuf {
        self.0.path().join("canary/canary.txt")
    }

    /// The path of the canary as an archive writes it.
    fn canary_name(&self) -> String {
        self.canary().to_str().unwrap().to_owned()
    }

    /// The bundle, as a file of these bytes.
    fn file(&self, name: &str, bytes: impl AsRef<[u8]>) -> PathBuf {
        let path = self.0.path().join("in").join(name);
        fs::write(&path, bytes).unwrap();
        path
    }

    /// The bundle, as a folder that holds the good half.
    fn folder(&self) -> PathBuf {
        let root = self.0.path().join("in/bundle");
        for (name, bytes) in pack::good() {
            let path = root.join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, bytes).unwrap();
        }
        root
    }
}

/// What must come of a bundle.
enum Must {
    /// The good half is diagnosed, and these words stand in the report.
    Diagnose(&'static [&'static str]),
    /// What it holds contradicts the good half, or hides it: it is read, and these words stand in the report.
    Read(&'static [&'static str]),
    /// There is nothing good in it: these words stand in the error.
    Refuse(&'static [&'static str]),
}

/// What came of it.
struct Ran {
    code: Option<i32>,
    error: String,
    outputs: Vec<(String, String)>,
    memory: u64,
}

fn run(place: &Place, bundle: &Path) -> Ran {
    let stderr = place.0.path().join("stderr.txt");
    let stdout = place.0.path().join("stdout.txt");
    // The shell sets the bounds and becomes the program.
    let child = Command::new("sh")
        .args(["-c", "ulimit -c 0; ulimit -t \"$0\"; exec \"$@\"", &SECONDS.to_string()])
        .arg(env!("CARGO_BIN_EXE_casefile"))
        .args(["diagnose", "--format", "html,json,markdown,junit"])
        .arg(bundle)
        .current_dir(place.0.path().join("out"))
        .stdin(Stdio::null())
        .stdout(File::create(&stdout).unwrap())
        .stderr(File::create(&stderr).unwrap())
        .spawn()
        .unwrap();
    let (code, memory) = watch(child);
    let text = |path: &Path| String::from_utf8_lossy(&fs::read(path).unwrap()).into_owned();
    let mut outputs = vec![("standard output".to_owned(), text(&stdout))];
    for entry in fs::read_dir(place.0.path().join("out")).unwrap() {
        let path = entry.unwrap().path();
        outputs.push((path.extension().unwrap().to_string_lossy().into_owned(), text(&path)));
    }
    Ran { code, error: text(&stderr), outputs, memory }
}

/// Waits for a process: its exit code and the bytes of memory that it had at its peak. One that waits for what never
/// comes is ended.
fn watch(mut child: Child) -> (Option<i32>, u64) {
    let status = PathBuf::from(format!("/proc/{}/status", child.id()));
    let begun = Instant::now();
    let mut memory = 0;
    loop {
        // The system forgets the peak when the process ends, so it is asked while it runs.
        let text = fs::read_to_string(&status).unwrap_or_default();
        let peak = text.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let peak = peak.and_then(|peak| peak.trim().strip_suffix(" kB")?.trim().parse::<u64>().ok());
        memory = memory.max(peak.unwrap_or_default() << 10);
        if let Some(ended) = child.try_wait().unwrap() {
            return (ended.code(), memory);
        }
        if begun.elapsed() > Duration::from_secs(900) {
            child.kill().unwrap();
        }
        sleep(Duration::from_millis(10));
    }
}

impl Ran {
    fn json(&self) -> Option<Value> {
        let (_, text) = self.outputs.iter().find(|(format, _)| format == "json")?;
        serde_json::from_str(text).ok()
    }

    /// Is the fault of the good half confirmed?
    fn confirms(&self) -> bool {
        let json = self.json().unwrap_or_default();
        let findings = json["findings"].as_array().cloned().unwrap_or_default();
        findings.iter().any(|one| one["signature"]["id"] == "CF-2001" && one["verdict"] == "confirmed")
    }

    /// What the report says of what was not read, for a person who reads the failure.
    fn told(&self) -> String {
        let json = self.json().unwrap_or_default();
        let first = |value: &Value| value.to_string().chars().take(600).collect::<String>();
        format!(
            "damage {}\n unread {}\n limits {}",
            first(&json["bundles"]),
            first(&json["unread"]),
            first(&json["limits_hit"])
        )
    }
}

/// Makes a bundle, has it read and judges what comes of it.
fn judge(name: &str, must: &Must, make: impl FnOnce(&Place) -> PathBuf) {
    let place = Place::new();
    let bundle = make(&place);
    let host = fs::read_to_string("/etc/passwd").unwrap_or_default();
    let host = host.lines().next().unwrap_or("root:x:0:0:");
    let ran = run(&place, &bundle);
    let mut wrong = Vec::new();
    if ran.error.contains("a defect of Casefile")
        || ran.error.contains("panicked")
        || ran.error.contains("RUST_BACKTRACE")
    {
        wrong.push("it panics".to_owned());
    }
    for (what, text) in ran.outputs.iter().chain([&("standard error".to_owned(), ran.error.clone())]) {
        if text.contains(CANARY) || text.contains(host) {
            wrong.push(format!("{what} holds content of the machine"));
        }
        if text.chars().any(|c| c.is_control() && !matches!(c, '\n' | '\t')) {
            wrong.push(format!("{what} holds characters that a terminal obeys"));
        }
    }
    let beside: Vec<_> = fs::read_dir(place.canary().parent().unwrap()).unwrap().collect();
    if fs::read_to_string(place.canary()).ok().as_deref() != Some(CANARY) || beside.len() != 1 {
        wrong.push("the canary was touched".to_owned());
    }
    if ran.memory > size(MEMORY.0, MEMORY.1) as u64 {
        wrong.push(format!("{} MB of memory", ran.memory >> 20));
    }
    let (code, words) = match must {
        Must::Diagnose(words) | Must::Read(words) => (0, *words),
        Must::Refuse(words) => (3, *words),
    };
    if ran.code != Some(code) {
        wrong.push(format!("it ends with {:?} and not with {code}", ran.code));
    }
    match must {
        Must::Diagnose(_) if !ran.confirms() => wrong.push("CF-2001 is not confirmed any more".to_owned()),
        Must::Refuse(_) if !ran.error.contains(bundle.file_name().unwrap().to_str().unwrap()) => {
            wrong.push("the error does not name the bundle".to_owned());
        }
        _ => {}
    }
    let said: String = ran.outputs.iter().filter(|(what, _)| what == "json").map(|(_, text)| text.as_str()).collect();
    for word in words.iter().filter(|word| !said.contains(**word) && !ran.error.contains(**word)) {
        wrong.push(format!("it does not say `{word}`"));
    }
    assert!(wrong.is_empty(), "{name}: {}\n{}\n{}", wrong.join("; "), ran.error, ran.told());
}

/// A named test for each bundle: what must come of it, and what makes it.
macro_rules! bundles {
    ($($name:ident: $must:expr, $make:expr;)+) => {
        $(
            #[test]
            fn $name() {
                $crate::bundles::judge(stringify!($name), &$must, $make);
            }
        )+
    };
}
use bundles;
