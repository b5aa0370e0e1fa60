//! How much of a bundle is read: every bound has a default, a flag and a visible trace when it is hit.

use facts::limit::Limit;
use std::time::{Duration, Instant};

/// Bounds on what is read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of all members together, uncompressed.
    pub total_bytes: u64,
    /// Bytes of one member.
    pub member_bytes: u64,
    /// Bytes of one document that must be held whole (JSON, YAML, tables), or of one item of a list in JSON.
    pub document_bytes: u64,
    /// Bytes of all zip archives that are held at a time because they come as a stream: out of another
    /// archive or from standard input. A zip in the file system is never held.
    pub archive_bytes: u64,
    /// Number of members.
    pub members: u64,
    /// Bytes that all compressions together may give for each byte of the bundle on disk, once they gave 64 MiB.
    pub ratio: u64,
    /// Bytes of one line; the rest of it is skipped.
    pub line_bytes: usize,
    /// Depth of archives in archives.
    pub archive_depth: u32,
    /// Depth of nested maps and lists in JSON and YAML.
    pub nesting: u32,
    /// Folders in a member's name.
    pub path_depth: u32,
    /// Bytes of memory that all that is kept may take, as estimated (`facts::weight`).
    pub memory: u64,
    /// When reading ends, if somebody asked for that.
    pub time: Option<Deadline>,
}

/// When reading ends. It makes a result depend on a clock, so nobody has one who did not ask for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Deadline {
    at: Instant,
    seconds: u64,
}

impl Deadline {
    /// So many seconds from now.
    pub fn in_seconds(seconds: u64) -> Self {
        let now = Instant::now();
        Self { at: now.checked_add(Duration::from_secs(seconds)).unwrap_or(now), seconds }
    }

    /// The seconds that were given.
    pub fn seconds(&self) -> u64 {
        self.seconds
    }

    /// The limit, once it was reached.
    pub fn reached(&self) -> Option<Limit> {
        (Instant::now() >= self.at).then_some(Limit::Time(self.seconds))
    }
}

/// Of the memory, the part that names of entries may take: one of so many.
const NAMES: u64 = 4;
/// The part that what members hold may take, in eighths; the rest is for what the program needs itself.
const FACTS: u64 = 5;

impl Limits {
    /// Bytes for the names of entries.
    pub fn memory_of_names(&self) -> u64 {
        self.memory / NAMES
    }

    /// Bytes for what members hold, and for what follows from it.
    pub fn memory_of_facts(&self) -> u64 {
        self.memory / 8 * FACTS
    }
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            total_bytes: 64 << 30,
            member_bytes: 16 << 30,
            document_bytes: 64 << 20,
            archive_bytes: 512 << 20,
            members: 200_000,
            ratio: 1_000,
            line_bytes: 1 << 20,
            archive_depth: 4,
            nesting: 100,
            path_depth: 64,
            memory: 1 << 30,
            time: None,
        }
    }
}
