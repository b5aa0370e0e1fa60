//! What tells whether two paths are the same file or folder, whatever they are called: links, hard links and `..`
//! included.
//!
//! Where a system numbers its files, device and number say it; elsewhere the path without links does.

use crate::folder::Folder;
use std::ffi::OsStr;
use std::fs::Metadata;
#[cfg(unix)]
use std::os::fd::AsFd;
use std::path::Path;

/// The identity of a file or a folder.
#[cfg(unix)]
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct FileId {
    device: u64,
    number: u64,
}

/// The identity of a file or a folder.
#[cfg(not(unix))]
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct FileId(std::path::PathBuf);

#[cfg(unix)]
impl FileId {
    /// What stands at a path, links followed.
    pub(crate) fn of(path: &Path) -> Option<(Self, Metadata)> {
        let meta = std::fs::metadata(path).ok()?;
        Some((Self::of_meta(&meta), meta))
    }

    fn of_meta(meta: &Metadata) -> Self {
        use std::os::unix::fs::MetadataExt;
        Self { device: meta.dev(), number: meta.ino() }
    }

    /// What stands in a folder under a name.
    pub(crate) fn in_folder(_folder: &Folder, _name: &OsStr, meta: &Metadata) -> Option<Self> {
        Some(Self::of_meta(meta))
    }

    /// The file that standard input reads.
    pub(crate) fn of_stdin() -> Option<Self> {
        Self::of_stream(std::io::stdin())
    }

    /// The file that standard output writes.
    pub(crate) fn of_stdout() -> Option<Self> {
        Self::of_stream(std::io::stdout())
    }

    /// The folder in which standard output is a file, and all folders around it; empty if it is none, or nobody says.
    pub(crate) fn folders_of_stdout() -> Vec<Self> {
        let file = std::io::stdout().as_fd().try_clone_to_owned().map(std::fs::File::from);
        if !file.and_then(|file| file.metadata()).is_ok_and(|meta| meta.is_file()) {
            return Vec::new();
        }
        let Ok(path) = std::fs::read_link("/proc/self/fd/1") else { return Vec::new() };
        path.ancestors().skip(1).filter_map(Self::of).map(|(id, _)| id).collect()
    }

    fn of_stream(stream: impl AsFd) -> Option<Self> {
        let file = std::fs::File::from(stream.as_fd().try_clone_to_owned().ok()?);
        Some(Self::of_meta(&file.metadata().ok()?))
    }
}

#[cfg(not(unix))]
impl FileId {
    /// What stands at a path, links followed.
    pub(crate) fn of(path: &Path) -> Option<(Self, Metadata)> {
        Some((Self(path.canonicalize().ok()?), path.metadata().ok()?))
    }

    /// What stands in a folder under a name.
    pub(crate) fn in_folder(folder: &Folder, name: &OsStr, _meta: &Metadata) -> Option<Self> {
        Some(Self(folder.path().join(name)))
    }

    /// The file that standard input reads: not known here.
    pub(crate) fn of_stdin() -> Option<Self> {
        None
    }

    /// The file that standard output writes: not known here.
    pub(crate) fn of_stdout() -> Option<Self> {
        None
    }

    /// The folders around that file: not known here.
    pub(crate) fn folders_of_stdout() -> Vec<Self> {
        Vec::new()
    }
}
