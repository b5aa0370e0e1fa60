//! How old the parts of a thread of mails are: what is quoted was said before.
//!
//! Why: an answer stands above what it answers, so that the older state of an object stands below the newer one, and the
//! order of lines alone would let the older one win.
//!
//! Invariants: only a text with the head of a mail, or the line that introduces a quotation, is a thread; in all others, and
//! where nothing is quoted, a line is as late as it stands low.

use crate::transcript::dialect;
use catalogue::words;

/// Deeper quotations are as old as this one.
const DEEPEST: u8 = 15;
/// The room for the lines of one depth.
const LINES: u32 = 32;

/// How deep each line is quoted; nothing for a text that is no thread.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Thread(Vec<u8>);

impl Thread {
    /// The thread of a text as it was pasted.
    pub(super) fn of(text: &str) -> Self {
        if !text.starts_with('>') && !text.contains("\n>") {
            return Self::default();
        }
        let depths = dialect::depths(text);
        let bare = |line: &str| words::begins_mail(line.trim_start_matches(['>', ' ']));
        let (least, most) = (depths.iter().min(), depths.iter().max());
        match least < most && text.lines().any(bare) {
            true => Self(depths.into_iter().map(|depth| depth.min(DEEPEST)).collect()),
            false => Self::default(),
        }
    }

    /// The depth of a line.
    pub(super) fn depth(&self, line: u32) -> u8 {
        let at = usize::try_from(line).unwrap_or(usize::MAX).saturating_sub(1);
        self.0.get(at).copied().unwrap_or_default()
    }

    /// Is anything quoted?
    pub fn is_one(&self) -> bool {
        !self.0.is_empty()
    }

    /// Where a line stands in the order in which the lines were written.
    pub fn position(&self, line: u32) -> u64 {
        match self.is_one() {
            true => (u64::from(DEEPEST - self.depth(line)) << LINES) | u64::from(line),
            false => line.into(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_quoted_is_older() {
        let thread = Thread::of("It works now:\nNAME\n\n> From: Ann\n> NAME\n> > Sent: Monday\n> > NAME\nBye\n");
        let order = |a, b| thread.position(a) < thread.position(b);
        assert!(order(5, 2) && order(7, 5) && order(2, 8) && order(1, 2));
    }

    #[test]
    fn without_a_mail_lines_count() {
        for text in ["a\n> b\n> c\n", "a\nb\n", "> From: Ann\n> b\n", ""] {
            let thread = Thread::of(text);
            assert!(!thread.is_one() && thread.position(2) == 2, "{text}");
        }
    }
}
