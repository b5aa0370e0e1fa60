//! Why the reading of a member ended before its end, as data, and worded here for everybody who prints it.
//!
//! Why an error too: a reader of a stream hands it through those above it, so that all of them see the same end.

use crate::limit::Limit;
use std::{error, fmt, io};

/// Why a stream or a member ended before its end.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Cut {
    Limit(Limit),
    Damage(Damage),
}

/// What is broken.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Damage {
    /// What is compressed was cut.
    Early,
    /// What is compressed does not unpack, in the words of the decoder.
    Compressed(String),
    /// It ends after the first number of bytes, and the archive states the second.
    Short(u64, u64),
    /// It has not the checksum that the archive states.
    Checksum,
    /// The archive breaks off.
    ArchiveEnds,
    /// The archive does not say that it is at its end.
    NoEndMark,
    /// The system could not read on, in its words.
    Reading(String),
    /// Whoever hands on the bytes stopped, in their words.
    Stopped(String),
}

impl Cut {
    /// The reason behind an error of a stream that hands it through.
    pub fn behind(error: &io::Error) -> Option<&Self> {
        error.get_ref().and_then(|inner| inner.downcast_ref())
    }

    /// The reason behind an error of a stream; what no stream of ours says, the system said.
    pub fn from_error(error: &io::Error) -> Self {
        Self::behind(error).cloned().unwrap_or_else(|| Self::Damage(Damage::Reading(error.to_string())))
    }
}

impl error::Error for Cut {}

impl From<Cut> for io::Error {
    fn from(cut: Cut) -> Self {
        Self::other(cut)
    }
}

impl fmt::Display for Cut {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Limit(limit) => limit.fmt(f),
            Self::Damage(damage) => damage.fmt(f),
        }
    }
}

impl fmt::Display for Damage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Early => f.write_str("the compressed data ends early"),
            Self::Compressed(words) => write!(f, "the compressed data is damaged ({words})"),
            Self::Short(bytes, stated) => write!(f, "it ends after {bytes} of {stated} bytes"),
            Self::Checksum => f.write_str("its checksum is not the one that the archive states"),
            Self::ArchiveEnds => f.write_str("the archive ends early"),
            Self::NoEndMark => f.write_str("the archive has no end mark"),
            Self::Reading(words) => write!(f, "reading failed: {words}"),
            Self::Stopped(words) => write!(f, "reading stopped: {words}"),
        }
    }
}
