//! Where a literal stands next in a large text, without looking at most of its bytes.
//!
//! Why beside the automaton: an automaton takes each byte one after the other, and reading logs was mostly that. A
//! literal of so many bytes holds at least one of the blocks that begin at every n-th byte of the text, wherever it
//! begins; so only those blocks are looked up, and what they lead to is compared. Of a literal those blocks are taken that
//! the fewest others have. The cost hardly depends on how many literals there are, and much on how long the shortest is: one of
//! four bytes would have every second byte looked at. So the few that are short are left to a search of their own.
//!
//! Invariant: of the literals that are long enough it finds exactly the places of literals, as the automaton does (a law holds that), though not always the
//! first one of a line first.

/// Bits of the hash of a block for a few literals; more literals take more.
const SMALLEST_TABLE: u32 = 16;
const LARGEST_TABLE: u32 = 22;
/// A bit of the table is set for one in so many at most.
const SPARSE: usize = 64;
/// Blocks of a literal are looked up at most so many bytes apart.
const LONGEST_STEP: usize = 8;
/// Shorter literals are left to another search.
pub(crate) const SHORTEST: usize = 11;
/// Bits of the hash by which blocks are counted.
const COUNTED: u32 = 16;
/// No block: the end of a list.
const NONE: u32 = u32::MAX;

/// A block of a literal.
#[derive(Debug, Clone, Copy)]
struct Block {
    bytes: u32,
    literal: u32,
    /// Where in the literal it begins.
    at: u32,
    /// The next block in the same row, or [`NONE`].
    next: u32,
}

/// The blocks of all literals.
#[derive(Debug)]
pub(crate) struct Sampling {
    /// Blocks of the text that are looked at begin so many bytes apart.
    step: usize,
    shift: u32,
    /// A bit for each hash that some block has.
    seen: Vec<u64>,
    /// The same hash without its last bits names a row.
    row: u32,
    /// The first block of each row, or [`NONE`].
    first: Vec<u32>,
    blocks: Vec<Block>,
}

/// Bytes of a block.
const WIDTH: usize = 4;

/// The block at a place; `None` if the text ends before it does.
#[inline(always)]
fn block(text: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_le_bytes(*text.get(at..)?.first_chunk::<WIDTH>()?))
}

/// The first bits of the hash of a block, all but so many.
#[inline(always)]
fn hash(block: u32, shift: u32) -> usize {
    (block.wrapping_mul(0x9e37_79b1) >> shift) as usize
}

impl Sampling {
    /// Prepares the search for those texts that are long enough; `None` if there are none.
    pub(crate) fn new(texts: &[String]) -> Option<Self> {
        let shortest = texts.iter().map(String::len).filter(|length| *length >= SHORTEST).min()?;
        let step = (shortest - WIDTH + 1).min(LONGEST_STEP);
        let wanted = (texts.len() * step * SPARSE).next_power_of_two().trailing_zeros();
        let bits = wanted.clamp(SMALLEST_TABLE, LARGEST_TABLE);
        let rows = (texts.len() * step).next_power_of_two().trailing_zeros().clamp(1, bits);
        let mut all = Self {
            step,
            shift: u32::BITS - bits,
            seen: vec![0; (1 << bits) / 64],
            row: u32::BITS - rows,
            first: vec![NONE; 1 << rows],
            blocks: Vec::with_capacity(texts.len() * step),
        };
        let count = all.counts(texts);
        for (literal, text) in (0u32..).zip(texts).filter(|(_, text)| text.len() >= SHORTEST) {
            let begin = all.rarest(text.as_bytes(), &count);
            for at in begin..begin + step {
                let bytes = block(text.as_bytes(), at)?;
                let bit = hash(bytes, all.shift);
                all.seen[bit / 64] |= 1 << (bit % 64);
                let row = &mut all.first[hash(bytes, all.row)];
                let next = std::mem::replace(row, u32::try_from(all.blocks.len()).ok()?);
                all.blocks.push(Block { bytes, literal, at: u32::try_from(at).ok()?, next });
            }
        }
        Some(all)
    }

    /// How often each block stands in the literals, by its hash.
    fn counts(&self, texts: &[String]) -> Vec<u32> {
        let mut count = vec![0u32; 1 << COUNTED];
        for text in texts {
            for at in 0..text.len() {
                let Some(bytes) = block(text.as_bytes(), at) else { break };
                count[hash(bytes, u32::BITS - COUNTED)] += 1;
            }
        }
        count
    }

    /// Where in a literal the blocks begin that stand in the fewest others: a word that many literals begin with is
    /// a word that many lines have.
    fn rarest(&self, text: &[u8], count: &[u32]) -> usize {
        let counted = |at| block(text, at).map_or(0, |bytes| count[hash(bytes, u32::BITS - COUNTED)]);
        let last = text.len().saturating_sub(WIDTH + self.step - 1);
        let common = |begin: &usize| (*begin..begin + self.step).map(counted).sum::<u32>();
        (0..=last).min_by_key(common).unwrap_or_default()
    }

    /// Where a literal begins at or after `from`. A literal that begins before another may be told after it, but for
    /// every literal there is one told at or before its end.
    pub(crate) fn next_in(&self, texts: &[String], text: &[u8], from: usize) -> Option<usize> {
        let mut at = from;
        while let Some(bytes) = block(text, at) {
            if self.has(bytes)
                && let Some(start) = self.literal_at(bytes, texts, text, from, at)
            {
                return Some(start);
            }
            at += self.step;
        }
        None
    }

    /// The places in `texts` of all literals that stand in a text, as often as they do.
    pub(crate) fn all_in(&self, texts: &[String], text: &[u8]) -> Vec<u32> {
        let mut found = Vec::new();
        let mut at = 0;
        while let Some(bytes) = block(text, at) {
            if self.has(bytes) {
                found.extend(self.at(bytes, texts, text, 0, at).map(|(literal, _)| literal));
            }
            at += self.step;
        }
        found
    }

    #[inline(always)]
    fn has(&self, bytes: u32) -> bool {
        let bit = hash(bytes, self.shift);
        self.seen[bit / 64] & (1 << (bit % 64)) != 0
    }

    #[cold]
    fn literal_at(&self, bytes: u32, texts: &[String], text: &[u8], from: usize, at: usize) -> Option<usize> {
        self.at(bytes, texts, text, from, at).next().map(|(_, start)| start)
    }

    /// The literals that have this block at this place of the text, and where they begin.
    fn at<'s>(
        &'s self,
        bytes: u32,
        texts: &'s [String],
        text: &'s [u8],
        from: usize,
        at: usize,
    ) -> impl Iterator<Item = (u32, usize)> + 's {
        let next = |block: &&Block| self.blocks.get(block.next as usize);
        let row = std::iter::successors(self.blocks.get(self.first[hash(bytes, self.row)] as usize), next);
        row.filter(move |block| block.bytes == bytes).filter_map(move |block| {
            let start = at.checked_sub(block.at as usize).filter(|start| *start >= from)?;
            let wanted = texts.get(block.literal as usize)?.as_bytes();
            // One byte tells most of those apart that share no more than the block.
            let stands = text.get(start + wanted.len() - 1) == wanted.last()
                && text.get(start..).is_some_and(|rest| rest.starts_with(wanted));
            stands.then_some((block.literal, start))
        })
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
        for texts in [&["no leader to", "123456789012"][..], &["abcdefghijk"], &["abcdefghijklm", "no leader of all"]] {
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
    fn all_literals_of_a_text_are_found() {
        let texts: Vec<String> =
            ["failed to list", "failed to l", "d to listed", "to listed: no", "no leader of"].map(String::from).into();
        let sampling = Sampling::new(&texts).expect("long enough");
        for blanks in 0..9 {
            let text = format!("{}failed to listed: no leader of all, no leader of", " ".repeat(blanks));
            let mut found = sampling.all_in(&texts, text.as_bytes());
            found.sort_unstable();
            assert_eq!(found, [0, 1, 2, 3, 4, 4], "{text}");
        }
        assert!(sampling.all_in(&texts, b"failed to").is_empty());
    }

    #[test]
    fn short_texts_are_left_to_another_search() {
        assert!(Sampling::new(&[]).is_none());
        assert!(Sampling::new(&["no leader".to_owned()]).is_none());
        let texts = ["no leader".to_owned(), "no leader at all".to_owned()];
        let sampling = Sampling::new(&texts).expect("one is long enough");
        assert_eq!(sampling.all_in(&texts, b"no leader at all"), [1]);
    }
}
