//! The streaming pass over a log: lines are split, counted, and searched for all wanted literals at once.
//!
//! One Aho-Corasick automaton holds the literals of all signatures and derived objects, so the cost of a
//! line does not grow with the number of signatures. Only lines that hit are parsed further than time
//! and level.

use crate::facts::log::LiteralId;

/// All literals that anybody looks for, in one automaton.
#[derive(Debug, Default)]
pub struct Literals {
    texts: Vec<String>,
}

impl Literals {
    /// Builds the automaton. Duplicates are folded; an id is the index in the sorted list.
    pub fn new(texts: impl IntoIterator<Item = String>) -> Self {
        let mut texts: Vec<String> = texts.into_iter().collect();
        texts.sort();
        texts.dedup();
        Self { texts }
    }

    /// The id of a literal, if it is one of them.
    pub fn id(&self, text: &str) -> Option<LiteralId> {
        self.texts.binary_search_by(|t| t.as_str().cmp(text)).ok().map(|i| LiteralId(i as u32))
    }
}
