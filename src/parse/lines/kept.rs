//! Lines that wait until somebody knows whether they are wanted.
//!
//! Why: a line lives as long as the block that it was read in, and masking each that may be thrown away is what takes time.

use super::RawLine;

/// Lines that are kept until somebody knows whether they are wanted.
#[derive(Debug, Default)]
pub struct Kept {
    bytes: Vec<u8>,
    /// The number of each, and where its bytes end.
    lines: Vec<(u32, usize)>,
}

impl Kept {
    /// Keeps a line behind the others.
    pub fn push(&mut self, line: RawLine<'_>) {
        self.bytes.extend_from_slice(line.text);
        self.lines.push((line.number, self.bytes.len()));
    }

    /// The line that was kept after so many others.
    pub fn get(&self, at: usize) -> Option<RawLine<'_>> {
        let start = at.checked_sub(1).map_or(Some(0), |before| self.lines.get(before).map(|line| line.1))?;
        let (number, end) = *self.lines.get(at)?;
        Some(RawLine { number, text: self.bytes.get(start..end)? })
    }

    /// Bytes of all of them.
    pub fn weight(&self) -> usize {
        self.bytes.len()
    }

    /// Forgets them.
    pub fn clear(&mut self) {
        self.bytes.clear();
        self.lines.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kept_lines_are_the_lines() {
        let mut kept = Kept::default();
        let numbered = [(3, "one"), (9, ""), (10, "three")];
        numbered.iter().for_each(|(number, text)| kept.push(RawLine { number: *number, text: text.as_bytes() }));
        let all: Vec<_> =
            (0..4).map_while(|at| kept.get(at)).map(|line| (line.number, line.text().to_string())).collect();
        assert_eq!(all, numbered.map(|(number, text)| (number, text.to_owned())));
        assert_eq!(kept.weight(), 8);
    }
}
