//! Why an entry of a bundle is not handed on, as data, and worded here for everybody who prints it.
//!
//! Invariant: no code reads the sentence; what follows from a reason follows from its variant.

use facts::unread::Cause;
use std::fmt;

/// Why an entry is not handed on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum WhyLeftOut {
    /// What a desktop system leaves in folders and archives: `macOS`, `Windows`.
    Desktop(&'static str),
    /// A limit, by its name, with what it cut.
    Limit(&'static str, String),
    /// It is no file, or cannot be read: in words.
    Unreadable(String),
}

impl WhyLeftOut {
    /// What it comes down to; `None` if something may be lost with it.
    pub fn cause(&self) -> Option<Cause> {
        match self {
            Self::Desktop(_) => Some(Cause::NoUse),
            Self::Limit(..) | Self::Unreadable(_) => None,
        }
    }
}

impl<T: Into<String>> From<T> for WhyLeftOut {
    fn from(words: T) -> Self {
        Self::Unreadable(words.into())
    }
}

impl fmt::Display for WhyLeftOut {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Desktop(system) => write!(f, "metadata that {system} adds, nothing that was collected"),
            Self::Limit(limit, what) => write!(f, "limit {limit}: {what}"),
            Self::Unreadable(words) => f.write_str(words),
        }
    }
}
