//! How much of a bundle is read: every bound has a default, a flag and a visible trace when it is hit.

/// Bounds on what is read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of all members together, uncompressed.
    pub total_bytes: u64,
    /// Bytes of one member.
    pub member_bytes: u64,
    /// Bytes of one document that must be held whole (JSON, YAML, tables).
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
        }
    }
}
