//! A limit that was reached, as data, and worded here for everybody who prints it.
//!
//! Why data: which limit it was decides how reading goes on, and which switch raises it follows from it. No code reads
//! the sentence back.

use std::borrow::Cow;
use std::fmt;

/// A limit that was reached, with what it cut. In the order of their names, so that lists of them are sorted by it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Limit {
    /// So many bytes of a zip archive that came as a stream were held.
    ArchiveBytes(u64),
    /// An archive lies inside so many others.
    ArchiveDepth(u32),
    /// Readings of one object were left out.
    Copies {
        /// The object, in words.
        object: String,
        dropped: u64,
    },
    /// So many bytes of a document were held.
    DocumentBytes(u64),
    /// Lines were cut.
    LineBytes {
        lines: u64,
        /// Where they were cut.
        bound: u64,
    },
    /// Lines with a wanted text were counted and not kept.
    LogHits {
        /// The text that somebody looks for.
        text: String,
        lines: u64,
    },
    /// So many bytes of one member were read.
    MemberBytes(u64),
    /// What a member holds did not fit any more into so many bytes of memory.
    Memory(u64),
    /// The names of so many entries did not fit any more into so many bytes of memory.
    MemoryOfNames { budget: u64, entries: u64 },
    /// So many members were read.
    Members(u64),
    /// So many entries that are no members of their own are not listed.
    Unlisted(u64),
    /// A file lies below so many folders.
    PathDepth(u64),
    /// A folder was not entered.
    Folder,
    /// Folders below so many levels were not entered.
    Folders(u64),
    /// More than so many bytes came out of each compressed byte.
    Ratio(u64),
    /// A member is one line or byte again and again: so many bytes of it were read.
    Repeated(u64),
    /// So many Services of a cluster were not followed to the Pods that they select.
    Services(u64),
    /// Entries of a zip archive share their bytes, as in an archive bomb.
    SharedBytes,
    /// Reading ended after so many seconds.
    Time(u64),
    /// Reading ended after so many bytes of all members.
    TotalBytes(u64),
    /// The same, of the member that was being read: so many bytes of it.
    TotalBytesWithin(u64),
    /// Values that a piece of evidence captured for one entity were not kept.
    Captures {
        /// How many are kept.
        bound: u64,
        signature: String,
        /// The name of the entity.
        entity: String,
        evidence: String,
    },
}

impl Limit {
    /// What it is called in a report.
    pub fn name(&self) -> Cow<'static, str> {
        Cow::Borrowed(match self {
            Self::ArchiveBytes(_) => "archive-bytes",
            Self::ArchiveDepth(_) => "archive-depth",
            Self::Copies { .. } => "copies",
            Self::DocumentBytes(_) => "document-bytes",
            Self::LineBytes { .. } => "line-bytes",
            Self::LogHits { .. } => "log-hits",
            Self::MemberBytes(_) => "member-bytes",
            Self::Memory(_) | Self::MemoryOfNames { .. } => "memory",
            Self::Members(_) | Self::Unlisted(_) => "members",
            Self::PathDepth(_) | Self::Folder | Self::Folders(_) => "path-depth",
            Self::Ratio(_) | Self::SharedBytes => "ratio",
            Self::Repeated(_) => "repeated",
            Self::Services(_) => "services",
            Self::Time(_) => "time",
            Self::TotalBytes(_) | Self::TotalBytesWithin(_) => "total-bytes",
            Self::Captures { bound, .. } => return Cow::Owned(format!("{bound} rows per evidence")),
        })
    }

    /// The switch of the command line that raises it; `None` if nothing does.
    pub fn switch(&self) -> Option<&'static str> {
        match self {
            Self::ArchiveBytes(_) => Some("--max-archive-bytes"),
            Self::ArchiveDepth(_) => Some("--max-archive-depth"),
            Self::DocumentBytes(_) => Some("--max-document-bytes"),
            Self::LineBytes { .. } => Some("--max-line-bytes"),
            Self::MemberBytes(_) => Some("--max-member-bytes"),
            Self::Memory(_) | Self::MemoryOfNames { .. } => Some("--max-memory"),
            Self::Members(_) | Self::Unlisted(_) => Some("--max-members"),
            Self::PathDepth(_) | Self::Folder | Self::Folders(_) => Some("--max-path-depth"),
            Self::Ratio(_) => Some("--max-ratio"),
            Self::Time(_) => Some("--max-time"),
            Self::TotalBytes(_) | Self::TotalBytesWithin(_) => Some("--max-total-bytes"),
            Self::Copies { .. }
            | Self::LogHits { .. }
            | Self::Repeated(_)
            | Self::Services(_)
            | Self::SharedBytes
            | Self::Captures { .. } => None,
        }
    }
}

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::ArchiveBytes(bytes) => write!(f, "only the first {bytes} bytes of this zip were held and read"),
            Self::ArchiveDepth(others) => write!(f, "it is an archive inside {others} others"),
            Self::Copies { object, dropped } => {
                write!(f, "{dropped} of the many copies of {object} were left out; what they disagree on is unknown")
            }
            Self::DocumentBytes(bytes) => write!(f, "only the first {bytes} bytes of this document were read"),
            Self::LineBytes { lines, bound } => write!(f, "{lines} lines were cut at {bound} bytes"),
            Self::LogHits { text, lines } => {
                write!(f, "{lines} more lines with `{text}` were counted and not kept, between the first and the last")
            }
            Self::MemberBytes(bytes) => write!(f, "only the first {bytes} bytes were read"),
            Self::Memory(budget) => {
                write!(f, "the budget of {budget} bytes of memory was used up; what stands behind was not kept")
            }
            Self::MemoryOfNames { budget, entries } => write!(
                f,
                "the budget of {budget} bytes of memory was used up; {entries} entries of the bundle were left out, long names first"
            ),
            Self::Members(members) => write!(f, "reading stopped after {members} members"),
            Self::Unlisted(entries) => {
                write!(f, "{entries} more entries that are no members of their own are not listed")
            }
            Self::PathDepth(folders) => write!(f, "it lies {folders} folders deep"),
            Self::Folder => f.write_str("the folder was not entered"),
            Self::Folders(levels) => write!(f, "folders below {levels} levels were not entered"),
            Self::Ratio(bytes) => write!(f, "more than {bytes} bytes came out of each byte of the bundle"),
            Self::Repeated(bytes) => {
                write!(f, "it is one line or byte again and again; only the first {bytes} bytes were read")
            }
            Self::Services(services) => write!(
                f,
                "{services} Services of one cluster were not followed to their Pods: together they select far more than there are"
            ),
            Self::SharedBytes => f.write_str("entries of the zip share their bytes; they were read once"),
            Self::Time(seconds) => write!(f, "reading stopped after {seconds} seconds"),
            Self::TotalBytes(bytes) => write!(f, "reading stopped after {bytes} bytes"),
            Self::TotalBytesWithin(bytes) => {
                write!(f, "the limit of all bytes was reached after {bytes} of them")
            }
            Self::Captures { signature, entity, evidence, .. } => {
                write!(f, "{signature} {entity}: values captured by {evidence}")
            }
        }
    }
}
