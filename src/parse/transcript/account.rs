//! What became of each line of a session.
//!
//! Why: a line that nobody reads is lost without a word, and the one that is lost may be the one that counts. So each
//! line is accounted for, and a law holds the account against the text.
//!
//! Invariant: one entry for each line of the text.

use std::ops::Range;

/// What a line of a session is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Line {
    /// Nothing stands in it.
    Blank,
    /// It sets an output apart.
    Fence,
    /// It was typed.
    Command,
    /// Somebody wrote it to somebody.
    Prose,
    /// A program printed it, and it was read.
    Output,
    /// A line of a log, of whomever it is.
    Log,
    /// It was not read; the session says why.
    Unread,
}

/// The lines of a session in their order.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Account(Vec<Line>);

impl Account {
    /// Of so many lines of which nothing is known yet.
    pub(crate) fn of(lines: &[&str], is_fence: impl Fn(&str) -> bool) -> Self {
        let first = |line: &&str| match line {
            line if line.trim().is_empty() => Line::Blank,
            line if is_fence(line) => Line::Fence,
            _ => Line::Prose,
        };
        Self(lines.iter().map(first).collect())
    }

    /// Lines were found to be something. Blanks and fences among them stay what they are.
    pub(crate) fn put(&mut self, range: Range<usize>, line: Line) {
        let among = self.0.get_mut(range).unwrap_or_default();
        for slot in among.iter_mut().filter(|slot| !matches!(slot, Line::Blank | Line::Fence)) {
            *slot = line;
        }
    }

    /// The lines in their order.
    pub fn lines(&self) -> &[Line] {
        &self.0
    }
}
