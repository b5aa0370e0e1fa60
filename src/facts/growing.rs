//! Many texts searched at once, prepared as far as it pays.
//!
//! Why: the table that searches fastest takes longer to make than a small bundle takes to read. So the first megabyte is
//! searched by the form that is made fastest, and the table is made when more comes.
//!
//! Invariant: which form searches decides how long it takes, never what is found.

use aho_corasick::{AhoCorasick, AhoCorasickKind};
use std::fmt;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Bytes that are searched before the table is made.
const PAYS: usize = 1 << 20;

/// Texts, found wherever they stand, also within each other, letters of ASCII in either case.
pub(crate) struct Growing {
    texts: Vec<Vec<u8>>,
    first: AhoCorasick,
    table: OnceLock<Option<AhoCorasick>>,
    searched: AtomicUsize,
}

impl fmt::Debug for Growing {
    /// Its texts alone: how much was searched so far is no part of what it is.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.texts.iter().map(|text| String::from_utf8_lossy(text))).finish()
    }
}

impl Growing {
    /// Prepares the search; `None` if there are more texts than can be numbered.
    pub(crate) fn new<T: AsRef<[u8]>>(texts: impl IntoIterator<Item = T>) -> Option<Self> {
        let texts: Vec<Vec<u8>> = texts.into_iter().map(|text| text.as_ref().to_vec()).collect();
        let first = build(&texts, AhoCorasickKind::NoncontiguousNFA)?;
        Some(Self { texts, first, table: OnceLock::new(), searched: AtomicUsize::new(0) })
    }

    /// The place of each text that stands in this one, as often as it does.
    pub(crate) fn found<'s>(&'s self, text: &'s str) -> impl Iterator<Item = usize> + 's {
        self.form(text.len()).find_overlapping_iter(text).map(|hit| hit.pattern().as_usize())
    }

    fn form(&self, bytes: usize) -> &AhoCorasick {
        let before = self.searched.load(Ordering::Relaxed);
        if before < PAYS {
            self.searched.store(before.saturating_add(bytes), Ordering::Relaxed);
            return &self.first;
        }
        let table = self.table.get_or_init(|| build(&self.texts, AhoCorasickKind::DFA));
        table.as_ref().unwrap_or(&self.first)
    }
}

fn build(texts: &[Vec<u8>], kind: AhoCorasickKind) -> Option<AhoCorasick> {
    AhoCorasick::builder().ascii_case_insensitive(true).kind(Some(kind)).build(texts).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_forms_find_the_same() {
        let search = Growing::new(["token", "to", "key", "Key id"]).expect("few texts");
        let text = "a TOKEN to a key id, a monkey";
        let first: Vec<usize> = search.found(text).collect();
        let _ = search.found(&"x".repeat(PAYS));
        assert!(search.table.get().is_none());
        assert_eq!(search.found(text).collect::<Vec<_>>(), first);
        assert!(search.table.get().is_some());
        assert_eq!(format!("{search:?}"), r#"["token", "to", "key", "Key id"]"#);
    }
}
