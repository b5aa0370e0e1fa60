//! What is masked in a corpus of real collections: counted and printed, in masked form, for a person to look at.
//!
//! Needs the environment variable `CASEFILE_CORPUS`; says so loudly where it is unset.

#![expect(clippy::print_stderr, reason = "a test that says what it found")]

use facts::node::{Node, Value};
use facts::origin::MemberId;
use facts::record::Record;
use intake::Limits;
use parse::manifest::{read_json, read_yaml};
use parse::secrets::mask_text;
use std::collections::BTreeMap;
use std::path::PathBuf;

fn texts() -> Vec<(PathBuf, String)> {
    let Some(root) = std::env::var_os("CASEFILE_CORPUS") else {
        eprintln!("CASEFILE_CORPUS is not set: masking was NOT tried on real files");
        return Vec::new();
    };
    let mut folders: Vec<PathBuf> =
        ["real", "kubefleet", "samples", "peers"].iter().map(|folder| PathBuf::from(&root).join(folder)).collect();
    let mut texts = Vec::new();
    while let Some(folder) = folders.pop() {
        let Ok(entries) = std::fs::read_dir(folder) else { continue };
        let mut paths: Vec<_> = entries.flatten().map(|entry| entry.path()).collect();
        paths.sort();
        for path in paths {
            if path.is_dir() {
                folders.push(path);
            } else if let Ok(text) = std::fs::read_to_string(&path) {
                texts.push((path, text));
            }
        }
    }
    texts.sort();
    texts
}

/// A masked text around its first mask, with numbers folded so that alike lines are one.
fn shape(masked: &str) -> String {
    let at = masked.find("[redacted]").unwrap_or_default();
    let before: String = masked[..at].chars().rev().take(60).collect::<Vec<_>>().into_iter().rev().collect();
    let after: String = masked[at..].chars().take(50).collect();
    format!("{before}{after}").chars().map(|c| if c.is_ascii_digit() { '0' } else { c }).collect()
}

#[test]
fn what_is_masked_in_the_corpus() {
    let (mut lines, mut masks) = (0u64, 0u64);
    for (path, text) in texts() {
        let mut shapes: BTreeMap<String, u64> = BTreeMap::new();
        for line in text.lines() {
            lines += 1;
            let (masked, count) = mask_text(line);
            if count > 0 {
                assert_eq!(mask_text(&masked).0, masked, "{}: masking twice changes a line", path.display());
                masks += count;
                *shapes.entry(shape(&masked)).or_default() += count;
            }
        }
        if !shapes.is_empty() {
            println!("{} values in {}", shapes.values().sum::<u64>(), path.display());
            for (shape, count) in &shapes {
                println!("  {count}x {shape}");
            }
        }
    }
    println!("{masks} values masked in {lines} lines");
    // The recorded bundles were cleaned of secrets: what is masked in them is nearly all a false alarm.
    assert!(masks * 5_000 <= lines, "{masks} masks in {lines} lines hide too much");
}

/// Paths of fields that are redacted, without indexes.
fn redacted(node: &Node, path: &str, found: &mut BTreeMap<String, u64>) {
    match &node.value {
        Value::Redacted(_) => *found.entry(path.to_owned()).or_default() += 1,
        Value::Map(entries) => entries.iter().for_each(|(key, node)| redacted(node, &format!("{path}.{key}"), found)),
        Value::List(items) => items.iter().for_each(|node| redacted(node, &format!("{path}[]"), found)),
        Value::Str(text) if text.contains("[redacted]") => {
            *found.entry(format!("{path} {}", shape(text))).or_default() += 1
        }
        _ => {}
    }
}

#[test]
fn what_is_masked_in_objects_of_the_corpus() {
    let (mut objects, mut paths) = (0u64, BTreeMap::new());
    for (path, text) in texts() {
        let parsed = match path.extension().and_then(|e| e.to_str()) {
            Some("yaml" | "yml") => read_yaml(MemberId(0), "x", text.as_bytes(), &Limits::default()),
            Some("json") => read_json(MemberId(0), "x", text.as_bytes(), &Limits::default()),
            _ => continue,
        };
        for record in &parsed.records {
            if let Record::Object(object) = record {
                objects += 1;
                let kind = object.kind.as_ref().map_or_else(String::new, ToString::to_string);
                redacted(&object.node, &kind, &mut paths);
            }
        }
    }
    for (path, count) in &paths {
        println!("{count}x {path}");
    }
    println!("{} values masked in {objects} objects", paths.values().sum::<u64>());
    for path in paths.keys() {
        let plain =
            [".name", ".namespace", ".uid", ".kind", ".apiVersion", ".resourceVersion", ".phase", ".reason", ".type"];
        assert!(!plain.iter().any(|end| path.ends_with(end)), "{path} is no secret, and evidence needs it");
    }
}

/// Identifiers that diagnoses need and that are no secrets.
const HARMLESS: [(&str, &str); 7] = [
    ("UID", r"\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b"),
    ("digest", r"\bsha256:[0-9a-f]{64}\b"),
    ("address", r"\b\d{1,3}(?:\.\d{1,3}){3}(?::\d{1,5})?\b"),
    ("image", r"\b[\w-]+(?:\.[\w-]+)+(?::\d+)?/[\w./-]+:[\w][\w.-]*"),
    ("version", r"\bv\d+\.\d+\.\d+[\w.+-]*"),
    ("host", r"\b[a-z][a-z0-9-]*(?:\.[a-z0-9-]+){2,}\b"),
    ("name", r"\b[a-z][a-z0-9]*(?:-[a-z0-9]+){2,}\b"),
];

#[test]
fn at_most_one_in_a_hundred_harmless_identifiers_is_masked() {
    let kinds: Vec<(&str, regex::Regex)> =
        HARMLESS.iter().map(|(kind, regex)| (*kind, regex::Regex::new(regex).expect("a regex"))).collect();
    let (mut all, mut lost) = (0u64, BTreeMap::<String, u64>::new());
    let mut last_words = 0u64;
    for (path, text) in texts() {
        for line in text.lines() {
            let line: String = line.chars().take(4_000).collect();
            let masked = mask_text(&line).0;
            for (kind, regex) in &kinds {
                let count =
                    |text: &str| regex.find_iter(text).map(|found| found.as_str().to_owned()).collect::<Vec<_>>();
                let before = count(&line);
                all += before.len() as u64;
                for one in before.into_iter().filter(|one| masked != line && !masked.contains(one.as_str())) {
                    *lost.entry(format!("{kind} {one} in {}", path.display())).or_default() += 1;
                }
            }
            last_words += u64::from(facts::secrets::mask_unknown(&line).1.total() > 0);
        }
    }
    for (what, count) in &lost {
        println!("{count}x {what}");
    }
    let masked: u64 = lost.values().sum();
    println!("{masked} of {all} harmless identifiers masked; {last_words} lines would be masked as last words");
    assert!(masked * 100 <= all, "{masked} of {all} harmless identifiers are masked");
}
