//! Why an entry of a bundle is not handed on, as data, and worded here for everybody who prints it.
//!
//! Invariant: no code reads the sentence; what follows from a reason follows from its variant.

use crate::links::{Dead, LinkKind};
use facts::cut::Cut;
use facts::limit::Limit;
use facts::unread::Cause;
use std::fmt;

/// Why an entry is not handed on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum WhyLeftOut {
    /// What a desktop system leaves in folders and archives: `macOS`, `Windows`.
    Desktop(&'static str),
    Limit(Limit),
    /// A limit of the whole bundle was reached before it.
    AfterLimit,
    /// It is no file.
    Special(Special),
    /// A link that leads to no member.
    Link {
        kind: LinkKind,
        /// Where it leads, as a person reads it.
        target: String,
        why: Dead,
    },
    /// The system refuses it, in its words.
    Refused(Step, String),
    /// What it holds cannot be unpacked.
    Broken(Cut),
    /// The target of a symbolic link in an archive cannot be unpacked.
    BrokenLink(Cut),
    /// An archive or a compression that Casefile does not read: its name.
    Unsupported(&'static str),
    /// A compression within a zip archive that Casefile does not read: its name.
    Compression(String),
    /// It is encrypted.
    Encrypted,
    /// It has no name.
    NoName,
    /// A zip archive names it and does not hold it.
    NotThere,
    /// Its bytes belong to another entry.
    SharedBytes,
}

/// What an entry is that is neither a file nor a link.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Special {
    Fifo,
    Socket,
    BlockDevice,
    CharacterDevice,
    /// A file with holes.
    Sparse,
    /// An entry of a tar archive of this type, which nobody knows.
    Type(u8),
    /// None of these.
    Other,
}

/// What the system refuses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// To tell what a path is.
    Look,
    /// To tell where a symbolic link leads.
    LookAtLink,
    /// To open a file.
    Open,
    /// To read a file.
    Read,
    /// To list a folder.
    List,
    /// To list the rest of a folder.
    ListOn,
}

impl WhyLeftOut {
    /// What it comes down to; `None` if something may be lost with it.
    pub fn cause(&self) -> Option<Cause> {
        matches!(self, Self::Desktop(_)).then_some(Cause::NoUse)
    }
}

impl fmt::Display for WhyLeftOut {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Desktop(system) => write!(f, "metadata that {system} adds, nothing that was collected"),
            Self::Limit(limit) => write!(f, "limit {}: {limit}", limit.name()),
            Self::AfterLimit => f.write_str("a limit of the whole bundle was reached before"),
            Self::Special(special) => special.fmt(f),
            Self::Link { kind, target, why } => write!(f, "{kind} to `{target}`, {why}"),
            Self::Refused(step, words) => write!(f, "{step}: {words}"),
            Self::Broken(cut) => cut.fmt(f),
            Self::BrokenLink(cut) => write!(f, "symbolic link: {cut}"),
            Self::Unsupported(what) => write!(f, "{what} is not supported: unpack it first"),
            Self::Compression(method) => write!(f, "its compression in the zip ({method}) is not supported"),
            Self::Encrypted => f.write_str("it is encrypted: pack it again without a password"),
            Self::NoName => f.write_str("it has no name"),
            Self::NotThere => f.write_str("the zip names it, and its content is not there"),
            Self::SharedBytes => f.write_str("its bytes belong to another entry of the zip, as in an archive bomb"),
        }
    }
}

impl fmt::Display for Special {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Fifo => f.write_str("FIFO"),
            Self::Socket => f.write_str("socket"),
            Self::BlockDevice => f.write_str("block device"),
            Self::CharacterDevice => f.write_str("character device"),
            Self::Sparse => f.write_str("sparse file: pack it again without `--sparse`"),
            Self::Type(byte) => write!(f, "entry of the unknown type {:?}", char::from(*byte)),
            Self::Other => f.write_str("no regular file"),
        }
    }
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Look => "it cannot be looked at",
            Self::LookAtLink => "symbolic link that cannot be looked at",
            Self::Open => "it cannot be opened",
            Self::Read => "it cannot be read",
            Self::List => "the folder cannot be listed",
            Self::ListOn => "the folder cannot be listed to its end",
        })
    }
}
