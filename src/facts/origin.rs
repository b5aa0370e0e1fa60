//! Where a fact was read: the citation behind every claim.
//!
//! Invariant: a citation names a member of the bundle and, inside it, a line or a JSON path (or both).
//! Members are numbers while the bundle streams past, because their final names (without the common
//! root folder) are known only at the end.

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
    /// The text that stands there, cut to a readable length and already masked.
    pub excerpt: String,
}

impl Citation {
    /// A citation of one line of text. The excerpt is cut to 400 characters.
    pub fn line(member: MemberId, line: u32, excerpt: &str) -> Self {
        let excerpt = match excerpt.char_indices().nth(400) {
            Some((cut, _)) => format!("{}…", &excerpt[..cut]),
            None => excerpt.to_owned(),
        };
        Self { member, line, path: String::new(), excerpt }
    }

    /// The same citation with a JSON path.
    #[must_use]
    pub fn with_path(mut self, path: impl Into<String>) -> Self {
        self.path = path.into();
        self
    }
}
