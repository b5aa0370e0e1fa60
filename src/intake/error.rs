//! Why a bundle could not be read at all.
//!
//! Invariant: names and reasons come from strangers, and are masked.

use facts::outside::Outside;
use std::path::PathBuf;

/// A bundle of which nothing could be read.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The path does not exist, or may not be read.
    #[error(
        "cannot open {path}: {source}; give the path of a directory, an archive or a single file, or `-` for standard input",
        path = Outside::name(&path.to_string_lossy())
    )]
    Open {
        /// The path as given.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// It was opened, and no member could be read.
    #[error("nothing could be read from {name}: {reason}; check the upload, or collect the bundle again")]
    Nothing {
        /// The bundle's name.
        name: Outside,
        /// What was found instead of members.
        reason: Outside,
    },
}
