//! Every sentence of SECURITY.md is held by a test: `docs/security.md` says which, and this says that nothing is missing.
//!
//! A table there has the sentences in the words of SECURITY.md and the names of the tests. What is not in the table is
//! not promised; what is in it and not in SECURITY.md was promised once.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// How what must come of a hostile bundle is written in `tests/hostile/bundles`.
const MUST: [&str; 5] = ["Must::", "FINE,", "OUTSIDE,", "LEADS_OUT,", "REPEATED,"];

fn text(path: &str) -> String {
    std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(path)).unwrap()
}

/// A text without its line breaks and marks of lists.
fn flat(text: &str) -> String {
    text.split_whitespace().filter(|word| !matches!(*word, "-" | "|")).collect::<Vec<_>>().join(" ")
}

/// The rows of the table: a sentence and the names of the tests that hold it.
fn rows() -> Vec<(String, Vec<String>)> {
    let page = text("docs/security.md");
    let (_, table) = page.split_once("| sentence | tests |\n|---|---|\n").unwrap();
    let rows = table.lines().take_while(|line| line.starts_with('|'));
    rows.map(|row| {
        let (sentence, tests) = row.trim_matches('|').rsplit_once('|').unwrap();
        let names = tests.split('`').skip(1).step_by(2).map(str::to_owned).collect();
        (flat(sentence), names)
    })
    .collect()
}

/// What SECURITY.md promises of a run. How the program is built is held by `scripts/release --verify`, `cargo deny` and
/// the test of what is linked.
fn promised() -> String {
    let page = text("SECURITY.md");
    let (promises, _) = page.split_once("\n## What it is built from\n").unwrap();
    let lines = promises.lines().filter(|line| !line.starts_with('#') && !line.starts_with("|---"));
    flat(&lines.collect::<Vec<_>>().join("\n"))
}

/// The names of all tests.
fn tests() -> BTreeSet<String> {
    let mut open: Vec<PathBuf> =
        ["src", "tests"].map(|folder| Path::new(env!("CARGO_MANIFEST_DIR")).join(folder)).into();
    let mut names = BTreeSet::new();
    while let Some(path) = open.pop() {
        if path.is_dir() {
            open.extend(std::fs::read_dir(path).unwrap().map(|entry| entry.unwrap().path()));
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            let source = std::fs::read_to_string(path).unwrap();
            let lines: Vec<&str> = source.lines().map(str::trim).collect();
            for (at, line) in lines.iter().enumerate() {
                let is_test = lines[at.saturating_sub(4)..at].contains(&"#[test]");
                if let Some(rest) = line.strip_prefix("fn ").filter(|_| is_test) {
                    names.insert(rest.split('(').next().unwrap().to_owned());
                }
                // A hostile bundle is a test by its line in a table: its name, and what must come of it.
                if let Some((name, _)) =
                    line.split_once(": ").filter(|(_, must)| MUST.iter().any(|m| must.starts_with(m)))
                {
                    names.insert(name.to_owned());
                }
            }
        }
    }
    names
}

#[test]
fn every_sentence_of_the_security_page_is_held_by_a_test() {
    let tests = tests();
    let mut left = promised();
    let mut wrong = Vec::new();
    for (sentence, names) in rows() {
        match left.find(&sentence) {
            Some(at) => left.replace_range(at..at + sentence.len(), " "),
            None => wrong.push(format!("SECURITY.md does not say (any more): {sentence}")),
        }
        if names.is_empty() {
            wrong.push(format!("no test holds: {sentence}"));
        }
        wrong.extend(
            names.iter().filter(|name| !tests.contains(*name)).map(|name| format!("there is no test `{name}`")),
        );
    }
    let rest = flat(&left);
    if rest.chars().any(char::is_alphabetic) {
        wrong.push(format!("no row of docs/security.md has: {rest}"));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn unsafe_code_is_forbidden_in_every_room() {
    assert!(text("Cargo.toml").contains("[workspace.lints.rust]\nunsafe_code = \"forbid\"\n"));
    let rooms = std::fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("src")).unwrap();
    let rooms: Vec<PathBuf> =
        rooms.map(|entry| entry.unwrap().path().join("Cargo.toml")).filter(|path| path.is_file()).collect();
    assert!(rooms.len() > 10, "{rooms:?}");
    for room in rooms {
        let manifest = std::fs::read_to_string(&room).unwrap();
        assert!(manifest.contains("[lints]\nworkspace = true"), "{} takes no lints of the workspace", room.display());
    }
}
