//! No code above `checks` decides by a text that code wrote.
//!
//! A reason is an enum until it is printed. Whoever compares a text all the same compares it with a word that somebody
//! else chose: a name of the API, what kubectl prints, a word of the signature language. All those words stand in
//! `tests/data/laws/compared_words.yaml` with their origin. The rooms below read foreign texts for a living, and are
//! not looked at here.
#![expect(clippy::expect_used, reason = "a test outside of `cfg(test)`: it fails loudly and says where")]

use regex::Regex;
use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

const ROOMS: [&str; 12] = [
    "analytics",
    "assemble",
    "cli",
    "diagnose",
    "diagnosis",
    "engine",
    "inspect",
    "intake",
    "layout",
    "report",
    "selftest",
    "symptoms",
];

/// Words of one origin.
#[derive(Deserialize)]
struct Group {
    /// Where they come from.
    #[serde(rename = "from")]
    _from: String,
    words: Vec<String>,
}

/// Every text that a line compares another with: by a method, by `==`, in `matches!`, in an arm of a `match`.
struct Comparisons {
    method: Regex,
    equal: Regex,
    matches: Regex,
    arm: Regex,
    text: Regex,
}

impl Comparisons {
    fn new() -> Self {
        let regex = |pattern: &str| Regex::new(pattern).expect("a regex");
        Self {
            method: regex(
                r#"(?:contains|starts_with|ends_with|strip_prefix|strip_suffix|eq_ignore_ascii_case|find)\("((?:[^"\\]|\\.)*)""#,
            ),
            equal: regex(r#"[=!]= (?:Some\()?"((?:[^"\\]|\\.)*)""#),
            matches: regex(r"matches!\((.*)"),
            arm: regex(r"^(.*?)=> ?"),
            text: regex(r#""((?:[^"\\]|\\.)*)""#),
        }
    }

    fn of<'t>(&self, line: &'t str) -> Vec<&'t str> {
        let line = line.trim().split(" // ").next().unwrap_or_default();
        if line.starts_with("//") {
            return Vec::new();
        }
        let first = |regex: &Regex| -> Vec<&'t str> {
            regex.captures_iter(line).filter_map(|found| found.get(1)).map(|found| found.as_str()).collect()
        };
        let within = |regex: &Regex| -> Vec<&'t str> {
            first(regex)
                .into_iter()
                .filter(|part| !part.contains(" if "))
                .flat_map(|part| {
                    self.text.captures_iter(part).filter_map(|found| found.get(1)).map(|found| found.as_str())
                })
                .collect()
        };
        [first(&self.method), first(&self.equal), within(&self.matches), within(&self.arm)].concat()
    }
}

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("a folder of the sources").flatten() {
        let path = entry.path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") && !path.ends_with("tests.rs") {
            found.push(path);
        }
    }
}

#[test]
fn code_compares_texts_with_words_of_others_only() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let list = std::fs::read_to_string(root.join("tests/data/laws/compared_words.yaml")).expect("the list of words");
    let groups: Vec<Group> = serde_saphyr::from_str(&list).expect("the list of words is YAML");
    let known: BTreeSet<&str> = groups.iter().flat_map(|group| &group.words).map(String::as_str).collect();
    let comparisons = Comparisons::new();
    let mut files = Vec::new();
    ROOMS.iter().for_each(|room| sources(&root.join("src").join(room), &mut files));
    let mut found: BTreeMap<String, String> = BTreeMap::new();
    for file in &files {
        let text = std::fs::read_to_string(file).expect("a source file");
        let code = text.split("#[cfg(test)]\nmod ").next().unwrap_or_default();
        let code = code.split("#[cfg(test)]\npub(crate) mod ").next().unwrap_or_default();
        for (number, line) in (1..).zip(code.lines()) {
            for word in comparisons
                .of(line)
                .into_iter()
                .filter(|word| word.contains(char::is_alphabetic) && !word.contains("\\x"))
            {
                let place = format!("{}:{number}", file.strip_prefix(root).unwrap_or(file).display());
                found.entry(word.to_owned()).or_insert(place);
            }
        }
    }
    let new: Vec<String> = found
        .iter()
        .filter(|(word, _)| !known.contains(word.as_str()))
        .map(|(word, place)| format!("{place}: {word:?}"))
        .collect();
    assert!(
        new.is_empty(),
        "texts that code compares with. Is it a reason or a state of ours? Then make it an enum. Did somebody else choose \
        the word? Then list it with its origin in tests/data/laws/compared_words.yaml:\n{}",
        new.join("\n")
    );
    let gone: Vec<&&str> = known.iter().filter(|word| !found.contains_key(**word)).collect();
    assert!(gone.is_empty(), "nothing compares with these any more, take them out of the list: {gone:?}");
}

#[test]
fn a_comparison_is_seen_wherever_it_stands() {
    let comparisons = Comparisons::new();
    let of = |line: &str| comparisons.of(line).join(" ");
    assert_eq!(of(r#"if reason.contains("disagree") {"#), "disagree");
    assert_eq!(of(r#"state == "a" || other != Some("b")"#), "a b");
    assert_eq!(of(r#"matches!(state, "c" | "d")"#), "c d");
    assert_eq!(of(r#"Some("e" | "f") => 1,"#), "e f");
    assert_eq!(of(r#"let text = format!("{}", "g"); // == "h""#), "");
}
