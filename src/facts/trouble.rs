//! What went wrong when a cluster was asked, in the words of whoever said so, with what those words tell.
//!
//! Invariant: the text is foreign (of kubectl, an API server, a collector) and is for people alone; what code needs of
//! it is read once, where it is parsed, and stands beside it. Reasons of ours are variants of their own.

use crate::outside::Outside;
use std::fmt;

/// An error that somebody printed.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Trouble {
    /// The words.
    pub text: Outside,
    /// The API server that was not reached, if that is what the words say.
    pub unreached: Option<Unreached>,
}

/// An API server that was not reached.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Unreached {
    /// Host and port, or host; `None` if the words name none.
    pub server: Option<String>,
    /// What became of the connection.
    pub way: Way,
}

/// How a connection failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Way {
    /// Nothing listens there.
    Refused,
    /// Nothing answered in time.
    TimedOut,
    /// The network knows no way.
    NoRoute,
    /// It was accepted and broke off before an answer.
    BrokenOff,
}

/// Words that nothing needs to be read from.
impl From<&str> for Trouble {
    fn from(text: &str) -> Self {
        Self { text: text.into(), unreached: None }
    }
}

/// Reads like the text alone where the words tell nothing more, so that states in tests stay short.
impl fmt::Debug for Trouble {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.text, f)?;
        self.unreached.iter().try_for_each(|unreached| write!(f, " {unreached:?}"))
    }
}

impl fmt::Display for Trouble {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}
