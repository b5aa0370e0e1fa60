//! A text that is put together of parts, as many as fit.
//!
//! Invariant: it has never more characters than it may have; no part is cut.

/// Characters that are kept for counting what does not fit.
const RESERVE: usize = 40;

#[derive(Debug)]
pub(super) struct Parts {
    text: String,
    left: usize,
}

impl Parts {
    pub(super) fn new(most: usize) -> Self {
        Self { text: String::new(), left: most.saturating_sub(RESERVE) }
    }

    /// Adds what every such text has; its parts are short by themselves.
    pub(super) fn must(&mut self, part: &str) {
        self.left = self.left.saturating_sub(part.chars().count());
        self.text.push_str(part);
    }

    /// Adds a part if it fits.
    pub(super) fn add(&mut self, part: &str) -> bool {
        let fits = part.chars().count() <= self.left;
        if fits {
            self.must(part);
        }
        fits
    }

    /// Adds parts that say something together only.
    pub(super) fn add_all(&mut self, parts: &[String]) -> bool {
        self.add(&parts.concat())
    }

    /// Adds the rows of a list, and counts those that do not fit.
    pub(super) fn list(&mut self, rows: &[String], singular: &str, plural: &str) {
        self.add("\n");
        let shown = rows.iter().take_while(|row| self.add(row)).count();
        let more = (rows.len() - shown) as u64;
        if more > 0 {
            // The reserve is for this line.
            self.text.push_str(&format!("- and {}\n", diagnosis::words::count(more, singular, plural)));
        }
    }

    pub(super) fn text(self) -> String {
        self.text
    }
}
