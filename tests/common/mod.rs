//! What several integration tests need: the recorded bundles, and a diagnosis of one of them.
#![expect(clippy::expect_used, clippy::panic, reason = "helpers of tests fail by panicking, loudly")]

mod corpus;

pub(crate) use corpus::corpus;

use catalogue::kinds::Catalogue;
use diagnose::{Input, Options, Quiet, diagnose};
use diagnosis::model::{Diagnosis, Finding};
use intake::Source;
use signature::load::Library;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

/// The built-in signatures, read once.
pub(crate) static LIBRARY: LazyLock<Library> = LazyLock::new(|| {
    Library::built_in().unwrap_or_else(|error| panic!("the built-in signatures do not load: {error}"))
});

/// Diagnoses one path with the built-in signatures.
pub(crate) fn diagnosis(path: &Path) -> Diagnosis {
    let input = Input { source: Source::Path(path.to_owned()), context: None };
    diagnose(&[input], &LIBRARY, &Catalogue::built_in(), &Options::default(), &mut Quiet)
        .unwrap_or_else(|error| panic!("{} cannot be read: {error}", path.display()))
}

/// A finding, shortly: `CF-2001/etcd confirmed`.
pub(crate) fn short(finding: &Finding) -> String {
    let verdict = serde_json::to_value(finding.verdict).expect("a verdict is a word");
    format!("{}/{} {}", finding.signature.id, finding.entity.name, verdict.as_str().unwrap_or_default())
}

/// All findings, shortly.
pub(crate) fn short_list(diagnosis: &Diagnosis) -> Vec<String> {
    diagnosis.findings.iter().map(short).collect()
}

/// All files below a folder, sorted.
pub(crate) fn files(folder: &Path) -> Vec<PathBuf> {
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
