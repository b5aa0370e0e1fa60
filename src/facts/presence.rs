//! Whether an object is still there, as far as the bundle tells.
//!
//! Why: an object that was seen once is not there for ever. A bundle may hold two snapshots, a session in which
//! somebody deletes a thing, or two objects of one name of which the later took the place of the other.
//!
//! Invariants: gone is said only by what was stated and is surely later than everything that shows the object; what
//! is only listed, or of no known order, leaves it in dispute; an object that is gone is in no count.

use crate::origin::Citation;

/// How it is known that an object is not there any more.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum How {
    /// `(NotFound)`.
    NotFound,
    /// Somebody deleted it.
    Deleted,
    /// A whole list of its scope does not name it.
    NotListed,
    /// Another object has its name now.
    Replaced,
    /// It is the log of a container that was started again since, and is well.
    RunsAgain,
}

/// What says that an object is not there any more.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ended {
    /// In which way.
    pub how: How,
    /// Where it stands.
    pub citation: Citation,
}

/// Whether an object is still there.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Presence {
    /// Nothing speaks against it.
    #[default]
    There,
    /// Something says that it is not there, and it is not known that this was later.
    Disputed(Ended),
    /// It is gone.
    Gone(Ended),
}

impl Presence {
    /// Is it gone?
    pub fn is_gone(&self) -> bool {
        matches!(self, Self::Gone(_))
    }

    /// Is it in dispute?
    pub fn is_disputed(&self) -> bool {
        matches!(self, Self::Disputed(_))
    }

    /// What says that it is not there any more, if anything.
    pub fn ended(&self) -> Option<&Ended> {
        match self {
            Self::There => None,
            Self::Disputed(ended) | Self::Gone(ended) => Some(ended),
        }
    }
}
