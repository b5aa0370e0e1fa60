//! Texts that come again and again, each held once.
//!
//! Invariants: a text is cut to [`MOST`] characters, so that no row can make a page as long as it likes; a number means the
//! same text for as long as the names live.

use std::collections::BTreeMap;
use std::rc::Rc;

/// Characters of a text that are kept.
const MOST: usize = 300;

/// A text that is held.
pub(crate) type Name = u32;

/// The texts.
#[derive(Debug, Default)]
pub(crate) struct Names {
    by_text: BTreeMap<Rc<str>, Name>,
    all: Vec<Rc<str>>,
    /// Bytes of all texts.
    pub(crate) bytes: u64,
}

impl Names {
    /// The number of a text.
    pub(crate) fn of(&mut self, text: &str) -> Name {
        let text = diagnosis::words::short(text, MOST);
        if let Some(known) = self.by_text.get(text.as_str()) {
            return *known;
        }
        let name = Name::try_from(self.all.len()).unwrap_or(Name::MAX);
        let text: Rc<str> = text.into();
        // The text, two counts of it, two pointers to it and the number.
        self.bytes += text.len() as u64 + 64;
        self.by_text.insert(Rc::clone(&text), name);
        self.all.push(text);
        name
    }

    /// The text of a number.
    pub(crate) fn text(&self, name: Name) -> &str {
        usize::try_from(name).ok().and_then(|at| self.all.get(at)).map_or("", |text| text)
    }
}
