//! What several integration tests need: the recorded bundles, and a diagnosis of one of them.
#![expect(
    clippy::panic,
    clippy::print_stderr,
    clippy::expect_used,
    reason = "helpers of tests fail by panicking, loudly"
)]

use diagnose::{Input, Options, Quiet, diagnose};
use catalogue::kinds::Catalogue;
use intake::Source;
use diagnosis::model::{Diagnosis, Finding};
use signature::load::Library;
use signature::model::{Severity, VerdictWord};
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

/// The folder of recorded real bundles, or `None` with a loud word if it is not here.
pub fn corpus() -> Option<PathBuf> {
    match std::env::var_os("CASEFILE_CORPUS") {
        Some(path) if Path::new(&path).is_dir() => Some(PathBuf::from(path)),
        Some(path) => panic!("CASEFILE_CORPUS is {path:?}, which is no directory; unset it or correct it"),
        None => {
            eprintln!("\n*** SKIPPED: CASEFILE_CORPUS is not set, so no recorded bundle was read ***\n");
            None
        }
    }
}

/// The built-in signatures, read once.
pub static LIBRARY: LazyLock<Library> = LazyLock::new(|| {
    Library::built_in().unwrap_or_else(|error| panic!("the built-in signatures do not load: {error}"))
});

/// Diagnoses one path with the built-in signatures.
pub fn diagnosis(path: &Path) -> Diagnosis {
    let input = Input { source: Source::Path(path.to_owned()), context: None };
    diagnose(&[input], &LIBRARY, &Catalogue::built_in(), &Options::default(), &mut Quiet)
        .unwrap_or_else(|error| panic!("{} cannot be read: {error}", path.display()))
}

/// A finding, shortly: `CF-2001/etcd confirmed`.
pub fn short(finding: &Finding) -> String {
    let verdict = serde_json::to_value(finding.verdict).expect("a verdict is a word");
    format!("{}/{} {}", finding.signature.id, finding.entity.name, verdict.as_str().unwrap_or_default())
}

/// All findings, shortly.
pub fn short_list(diagnosis: &Diagnosis) -> Vec<String> {
    diagnosis.findings.iter().map(short).collect()
}

/// Findings that break silence: confirmed, probable or undecided above severity `info`.
pub fn loud(diagnosis: &Diagnosis) -> Vec<String> {
    let breaks = |finding: &&Finding| {
        matches!(finding.verdict, VerdictWord::Confirmed | VerdictWord::Probable | VerdictWord::Undecided)
            && finding.signature.severity != Severity::Info
    };
    diagnosis.findings.iter().filter(breaks).map(short).collect()
}

/// All files below a folder, sorted.
pub fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut open = vec![folder.to_owned()];
    while let Some(folder) = open.pop() {
        let entries = std::fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
        for entry in entries {
            let path = entry.expect("an entry of a folder").path();
            if path.is_dir() { open.push(path) } else { found.push(path) }
        }
    }
    found.sort();
    found
}
