//! Signed packs as a site uses them, and the name under which kubectl finds the program.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn casefile(dir: &Path, args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_casefile")).current_dir(dir).args(args).output().unwrap()
}

fn said(output: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

fn ends(dir: &Path, args: &[&str], code: i32) -> String {
    let output = casefile(dir, args);
    assert_eq!(output.status.code(), Some(code), "{args:?}: {}", said(&output));
    said(&output)
}

/// A folder with a pack of one signature, a key, and the pack that it signed.
fn signed(dir: &Path) -> &'static str {
    ends(dir, &["new", "XY-1", "--dir", "mine", "--name", "ours"], 0);
    std::fs::write(dir.join("mine/pack.yaml"), "schema: 1\nname: Our own\nversion: \"2026.11\"\n").unwrap();
    ends(dir, &["pack", "key", "-o", "ops.key", "--name", "Operations"], 0);
    let told = ends(dir, &["pack", "build", "mine", "--key", "ops.key"], 0);
    assert_eq!(told, "wrote our-own-2026.11.casefile-pack\n");
    "our-own-2026.11.casefile-pack"
}

/// The first of the sample bundles.
fn sample() -> PathBuf {
    let samples = Path::new(env!("CARGO_MANIFEST_DIR")).join("sample-bundles");
    let all = std::fs::read_dir(samples).unwrap().map(|entry| entry.unwrap().path().join("bundle"));
    all.filter(|path| path.is_dir()).min().unwrap()
}

#[test]
fn a_pack_goes_from_its_author_into_a_report() {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path();
    let pack = signed(dir);
    let told = ends(dir, &["pack", "verify", pack, "--trust", "ops.key.pub"], 0);
    assert!(told.starts_with("pack       Our own 2026.11\n") && told.contains("the key is trusted"), "{told}");
    ends(dir, &["pack", "install", pack, "--into", "site/packs", "--trust", "ops.key.pub"], 0);
    let installed = format!("site/packs/{pack}");
    let bundle = sample();
    let bundle = bundle.to_str().unwrap();
    let told =
        ends(dir, &["diagnose", bundle, "-o", "out.json", "--patterns", &installed, "--trust", "ops.key.pub"], 0);
    assert!(told.contains("Our own 2026.11") && told.contains("signed by Operations ("), "{told}");
    let report: serde_json::Value =
        serde_json::from_str(&std::fs::read_to_string(dir.join("out.json")).unwrap()).unwrap();
    let packs = report["packs"].as_array().unwrap();
    let own = packs.iter().find(|pack| pack["name"] == "Our own").unwrap();
    assert!(own["signed_by"].as_str().unwrap().starts_with("Operations ("), "{own}");
    assert_eq!(own["version"], "2026.11");
    assert!(packs.iter().any(|pack| pack["name"] != "Our own" && pack["signed_by"].is_null()));
    // The same files from a folder need no key, and nobody signed them.
    let told = ends(dir, &["diagnose", bundle, "-o", "plain.json", "--patterns", "mine"], 0);
    assert!(told.contains("Our own 2026.11") && !told.contains("signed by"), "{told}");
}

#[test]
fn a_pack_that_nobody_trusts_is_not_loaded() {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path();
    let pack = signed(dir);
    ends(dir, &["pack", "key", "-o", "other.key"], 0);
    for trust in [&[][..], &["--trust", "other.key.pub"]] {
        let told = ends(dir, &[&["explain", "XY-1", "--patterns", pack], trust].concat(), 2);
        assert!(told.contains("signed with a key that is not trusted"), "{told}");
        ends(dir, &[&["pack", "install", pack, "--into", "site"], trust].concat(), 2);
        ends(dir, &[&["pack", "verify", pack], trust].concat(), 1);
    }
    assert!(!dir.join("site").exists());
    ends(dir, &["explain", "XY-1", "--patterns", pack, "--allow-unsigned"], 0);
    ends(dir, &["pack", "build", "mine", "--unsigned", "-o", "bare.casefile-pack"], 0);
    let told = ends(dir, &["explain", "XY-1", "--patterns", "bare.casefile-pack", "--trust", "ops.key.pub"], 2);
    assert!(told.contains("it is not signed"), "{told}");
    ends(dir, &["explain", "XY-1", "--patterns", "bare.casefile-pack", "--allow-unsigned"], 0);
}

#[test]
fn a_pack_that_was_changed_is_refused_whatever_is_allowed() {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path();
    let pack = signed(dir);
    let text = std::fs::read_to_string(dir.join(pack)).unwrap();
    let changed = [
        ("text", text.replace("new signature", "New signature").replace("XY-1", "XY-2")),
        ("cut", text[..text.len() - 10].to_owned()),
        ("header", text.replacen("casefile-pack 1", "casefile-pack 9", 1)),
        (
            "bare",
            text.lines()
                .enumerate()
                .map(|(n, line)| if n == 2 { "signature none".to_owned() } else { line.to_owned() })
                .collect::<Vec<_>>()
                .join("\n"),
        ),
        ("empty", String::new()),
    ];
    for (name, text) in changed {
        let file = format!("{name}.casefile-pack");
        std::fs::write(dir.join(&file), text).unwrap();
        let told =
            ends(dir, &["explain", "XY-1", "--patterns", &file, "--trust", "ops.key.pub", "--allow-unsigned"], 2);
        assert!(told.contains(&format!("the pack {file} is refused: ")), "{told}");
        ends(dir, &["pack", "install", &file, "--into", "site", "--trust", "ops.key.pub", "--allow-unsigned"], 2);
    }
    assert!(!dir.join("site").exists());
}

#[cfg(unix)]
#[test]
fn the_secret_key_is_for_its_owner_and_nothing_is_written_over() {
    use std::os::unix::fs::PermissionsExt as _;
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path();
    ends(dir, &["pack", "key", "-o", "ops.key"], 0);
    let mode = std::fs::metadata(dir.join("ops.key")).unwrap().permissions().mode();
    assert_eq!(mode & 0o077, 0, "{mode:o}");
    let before = std::fs::read(dir.join("ops.key")).unwrap();
    ends(dir, &["pack", "key", "-o", "ops.key"], 4);
    assert_eq!(std::fs::read(dir.join("ops.key")).unwrap(), before);
}

#[cfg(unix)]
#[test]
fn kubectl_finds_the_program_by_its_name() {
    let dir = tempfile::tempdir().unwrap();
    let link = dir.path().join("kubectl-casefile");
    std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_casefile"), &link).unwrap();
    let help = Command::new(&link).args(["diagnose", "--help"]).output().unwrap();
    assert!(said(&help).contains("Usage: kubectl casefile diagnose "), "{}", said(&help));
    let wrong = Command::new(&link).arg("frobnicate").output().unwrap();
    assert_eq!(wrong.status.code(), Some(2));
    assert!(said(&wrong).contains("Usage: kubectl casefile "), "{}", said(&wrong));
    let plain = casefile(dir.path(), &["--help"]);
    assert!(said(&plain).contains("Usage: casefile <COMMAND>"), "{}", said(&plain));
}
