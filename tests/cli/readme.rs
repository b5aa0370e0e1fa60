//! What the README shows of a run is what a run prints.

use std::path::Path;
use std::process::Command;

/// The words of a text, however its lines are broken.
fn words(text: &str) -> Vec<&str> {
    text.split_whitespace().collect()
}

#[test]
fn the_run_in_the_readme_prints_what_stands_there() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let readme = std::fs::read_to_string(root.join("README.md")).unwrap();
    let (_, shown) = readme.split_once("```console\n$ casefile ").unwrap();
    let (command, shown) = shown.split_once('\n').unwrap();
    let (shown, _) = shown.split_once("Report: file://").unwrap();
    let folder = tempfile::tempdir().unwrap();
    let (verb, input) = command.split_once(' ').unwrap();
    let run = Command::new(env!("CARGO_BIN_EXE_casefile"))
        .current_dir(folder.path())
        .arg(verb)
        .arg(root.join(input))
        .output()
        .unwrap();
    let printed = String::from_utf8(run.stdout).unwrap() + &String::from_utf8(run.stderr).unwrap();
    let (printed, _) = printed.split_once("Report: file://").unwrap();
    assert_eq!(words(printed), words(shown));
}
