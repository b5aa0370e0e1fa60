//! Where the recorded bundles are.
#![expect(clippy::panic, clippy::print_stderr, reason = "helpers of tests fail by panicking, loudly")]

use std::path::{Path, PathBuf};

/// The folder of recorded real bundles, or `None` with a loud word if it is not here.
pub(crate) fn corpus() -> Option<PathBuf> {
    match std::env::var_os("CASEFILE_CORPUS") {
        Some(path) if Path::new(&path).is_dir() => Some(PathBuf::from(path)),
        Some(path) => panic!("CASEFILE_CORPUS is {path:?}, which is no directory; unset it or correct it"),
        None => {
            eprintln!("\n*** SKIPPED: CASEFILE_CORPUS is not set, so no recorded bundle was read ***\n");
            None
        }
    }
}
