//! Where a literal stands next in a large text, without looking at most of its bytes.
//!
//! Why beside the automaton: an automaton takes each byte one after the other, and reading logs was mostly that. A
//! literal of so many bytes holds at least one of the blocks that begin at every n-th byte of the text, wherever it
//! begins; so only those blocks are looked up, and what they lead to is compared. The cost hardly depends on how many
//! literals there are.
//!
//! Invariant: finds exactly the places of literals, as the automaton does (a law holds that), though not always the
//! first one of a line first.

/// Bits of the hash of a block for a few literals; more literals take more.
const SMALLEST_TABLE: u32 = 16;
const LARGEST_TABLE: u32 = 22;
/// A table has so many times as many rows as there are blocks.
const SPARSE: usize = 64;
/// Blocks of a literal are looked up at most so many bytes apart.
const LONGEST_STEP: usize = 8;
/// No block: the end of a list.
const NONE: u32 = u32::MAX;

/// A block of a literal.
#[derive(Debug, Clone, Copy)]
struct Block {
    literal: u32,
    /// Where in the literal it begins.
    at: u32,
    /// The next block with the same hash, or [`NONE`].
    next: u32,
}

/// The blocks of all literals.
#[derive(Debug)]
pub(crate) struct Sampling {
    /// Bytes of a block: three or four.
    width: usize,
    /// Blocks of the text that are looked at begin so many bytes apart.
    step: usize,
    shift: u32,
    /// A bit for each hash that some block has.
    seen: Vec<u64>,
    /// The first block of each hash, or [`NONE`].
    first: Vec<u32>,
    blocks: Vec<Block>,
}

impl Sampling {
    /// Prepares the search for texts of at least four bytes each; `None` if one is shorter, or there is none.
    pub(crate) fn new(texts: &[String]) -> Option<Self> {
        let shortest = texts.iter().map(String::len).min()?;
        let width = match shortest {
            0..4 => return None,
            4..7 => 3,
            _ => 4,
        };
        let step = (shortest - width + 1).min(LONGEST_STEP);
        let wanted = (texts.len() * step * SPARSE).next_power_of_two().trailing_zeros();
        let bits = wanted.clamp(SMALLEST_TABLE, LARGEST_TABLE);
        let mut all = Self {
            width,
            step,
            shift: u32::BITS - bits,
            seen: vec![0; (1 << bits) / 64],
            first: vec![NONE; 1 << bits],
            blocks: Vec::new(),
        };
        for (literal, text) in (0u32..).zip(texts) {
            for at in 0..step {
                let hash = all.hash(text.as_bytes(), at)?;
                all.seen[hash / 64] |= 1 << (hash % 64);
                let block = Block { literal, at: u32::try_from(at).ok()?, next: all.first[hash] };
                all.first[hash] = u32::try_from(all.blocks.len()).ok()?;
                all.blocks.push(block);
            }
        }
        Some(all)
    }

    /// The hash of the block at a place; `None` if the text ends before it does.
    #[inline(always)]
    fn hash(&self, text: &[u8], at: usize) -> Option<usize> {
        let block = if self.width == 4 {
            u32::from_le_bytes(*text.get(at..)?.first_chunk()?)
        } else {
            let [a, b, c] = *text.get(at..)?.first_chunk()?;
            u32::from_le_bytes([a, b, c, 0])
        };
        Some((block.wrapping_mul(0x9e37_79b1) >> self.shift) as usize)
    }

    /// Where a literal begins at or after `from`. A literal that begins before another may be told after it, but for
    /// every literal there is one told at or before its end.
    pub(crate) fn next_in(&self, texts: &[String], text: &[u8], from: usize) -> Option<usize> {
        let mut at = from;
        while let Some(hash) = self.hash(text, at) {
            if self.seen[hash / 64] & (1 << (hash % 64)) != 0
                && let Some(start) = self.literal_at(hash, texts, text, from, at)
            {
                return Some(start);
            }
            at += self.step;
        }
        None
    }

    /// Where a literal begins that has a block of this hash at a place of the text.
    #[cold]
    fn literal_at(&self, hash: usize, texts: &[String], text: &[u8], from: usize, at: usize) -> Option<usize> {
        let mut block = self.blocks.get(self.first[hash] as usize);
        while let Some(Block { literal, at: inside, next }) = block {
            let start = at.checked_sub(*inside as usize).filter(|start| *start >= from);
            let wanted = texts.get(*literal as usize).map(String::as_bytes);
            if let (Some(start), Some(wanted)) = (start, wanted)
                // One byte tells most of those apart that share no more than the block.
                && text.get(start + wanted.len() - 1) == wanted.last()
                && text.get(start..).is_some_and(|rest| rest.starts_with(wanted))
            {
                return Some(start);
            }
            block = self.blocks.get(*next as usize);
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn first(texts: &[&str], text: &str, from: usize) -> Option<usize> {
        let texts: Vec<String> = texts.iter().map(|text| (*text).to_owned()).collect();
        Sampling::new(&texts).expect("long enough").next_in(&texts, text.as_bytes(), from)
    }

    #[test]
    fn a_literal_is_found_wherever_it_begins() {
        for texts in [&["no leader", "12345678"][..], &["abcd"], &["abcde", "no leader of all"]] {
            for (start, literal) in (0..40).flat_map(|start| texts.iter().map(move |literal| (start, literal))) {
                let text = format!("{}{literal}", "x".repeat(start));
                assert_eq!(first(texts, &text, 0), Some(start), "{text}");
                assert_eq!(first(texts, &text, start), Some(start), "{text}");
                assert_eq!(first(texts, &text, start + 1), None, "{text}");
                assert_eq!(first(texts, &text[..text.len() - 1], 0), None, "{text}");
            }
        }
    }

    #[test]
    fn short_texts_are_left_to_the_automaton() {
        assert!(Sampling::new(&[]).is_none());
        assert!(Sampling::new(&["abc".to_owned(), "no leader".to_owned()]).is_none());
        assert!(Sampling::new(&["abcd".to_owned()]).is_some());
    }
}
