//! Where a fact was read: the citation behind every claim.
//!
//! Invariant: a citation names a member of the bundle and, inside it, a line or a JSON path (or both).
//! Members are numbers while the bundle streams past, because their final names (without the common
//! root folder) are known only at the end.

use crate::outside::Outside;
use std::fmt;

/// Bytes of a text that are looked at for an excerpt of it.
const LOOKED_AT: usize = 8 << 10;

/// The name of a member: for looking things up as it is, and as it may be shown.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct MemberName {
    inside: Box<str>,
    shown: Outside,
}

impl MemberName {
    /// The name as it stands in the bundle, which is never shown: people put passwords into names of files.
    pub fn inside(&self) -> &str {
        &self.inside
    }

    /// The name as it may be shown.
    pub fn shown(&self) -> &Outside {
        &self.shown
    }
}

impl From<&str> for MemberName {
    fn from(name: &str) -> Self {
        Self { inside: name.into(), shown: Outside::name(name) }
    }
}

impl From<String> for MemberName {
    fn from(name: String) -> Self {
        Self::from(name.as_str())
    }
}

impl fmt::Display for MemberName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.shown.fmt(f)
    }
}

impl fmt::Debug for MemberName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.shown, f)
    }
}

/// A member of a bundle, as a number; its name is in `intake::Intake`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MemberId(pub u32);

/// One place in one member.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Citation {
    pub member: MemberId,
    /// Line, starting at 1; 0 if only the member as a whole can be named.
    pub line: u32,
    /// JSON path inside a document, such as `items[3].status.phase`; empty for plain text.
    pub path: String,
    /// The text that stands there, cut to a readable length.
    pub excerpt: Outside,
}

impl Citation {
    /// A citation of one line of text. The excerpt is cut to 400 characters.
    pub fn line(member: MemberId, line: u32, excerpt: &str) -> Self {
        // What is far behind the cut is not looked at.
        let read = excerpt.get(..excerpt.floor_char_boundary(LOOKED_AT)).unwrap_or(excerpt);
        let excerpt = Outside::from(read).shortened(400);
        Self { member, line, path: String::new(), excerpt }
    }

    /// A citation of a line that is masked already: the mask is not asked again.
    pub fn of(member: MemberId, line: u32, text: &Outside) -> Self {
        Self { member, line, path: String::new(), excerpt: text.start(400) }
    }

    /// The same citation with a JSON path.
    #[must_use]
    pub fn with_path(mut self, path: impl Into<String>) -> Self {
        self.path = path.into();
        self
    }
}
