//! One incident is one headline: small bundles, and what their report makes of them.
//!
//! `tests/data/incidents.yaml` holds the cases: files, and the findings that stand as a tree: the head of each incident with its
//! severity, what is folded under it, and how many others each stands for. Of each kind of incident there are some, and one
//! that looks alike and is two.
#![expect(clippy::unwrap_used, reason = "helpers of tests fail by panicking")]

use catalogue::kinds::Catalogue;
use diagnose::{Input, Options, Quiet, diagnose, gather};
use diagnosis::model::Diagnosis;
use intake::Source;
use serde::Deserialize;
use signature::load::Library;
use signature::model::{Severity, VerdictWord};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Cases {
    cases: Vec<Case>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    name: String,
    files: BTreeMap<String, String>,
    tree: String,
}

/// What stands, each under its cause.
fn tree(diagnosis: &Diagnosis) -> String {
    let mut text = String::new();
    let mut depths: Vec<usize> = Vec::new();
    for finding in &diagnosis.findings {
        let depth = finding.caused_by.and_then(|cause| depths.get(cause)).map_or(0, |depth| depth + 1);
        depths.push(depth);
        let open = finding.stands() || finding.verdict == VerdictWord::Undecided;
        if !open || finding.signature.severity == Severity::Info {
            continue;
        }
        let severity = if depth == 0 { format!(" {}", finding.severity.word()) } else { String::new() };
        let alike = if finding.alike.is_empty() { String::new() } else { format!(" +{}", finding.alike.len()) };
        let indent = "  ".repeat(depth);
        writeln!(text, "{indent}{} {}{alike}{severity}", finding.signature.id, finding.entity.name).unwrap();
    }
    text
}

#[test]
fn one_incident_has_one_head_and_two_have_two() {
    let text = include_str!("../data/incidents.yaml");
    let Cases { cases } = serde_saphyr::from_str(text).unwrap();
    let (library, catalogue) = (Library::built_in().unwrap(), Catalogue::built_in());
    let mut wrong = String::new();
    for Case { name, files, tree: wanted } in &cases {
        let folder = tempfile::tempdir().unwrap();
        for (path, content) in files {
            let file = folder.path().join(path);
            std::fs::create_dir_all(file.parent().unwrap_or(Path::new("."))).unwrap();
            std::fs::write(file, content).unwrap();
        }
        let input = Input { source: Source::Path(folder.path().to_owned()), context: None };
        let mut diagnosis = diagnose(&[input], &library, &catalogue, &Options::default(), &mut Quiet).unwrap();
        gather(&mut diagnosis);
        let got = tree(&diagnosis);
        if got.trim() != wanted.trim() {
            writeln!(wrong, "=== {name}\n--- wanted\n{wanted}--- got\n{got}").unwrap();
        }
    }
    assert!(cases.len() > 20, "only {} cases", cases.len());
    assert!(wrong.is_empty(), "{wrong}");
}
