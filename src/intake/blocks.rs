//! The bytes of a tar archive between its headers.
//!
//! Why: crust-gather states sizes that are one too large (`<len> + 1` in the header, `<len>` bytes and their
//! padding behind it). As long as there is padding, the byte too much is a NUL of it; a length that is a
//! multiple of 512 leaves none, and the byte too much is the first of the next header. So a body whose
//! stated size ends one byte into a block looks at that block: one with a valid header is no content.
//!
//! And a size can be a lie that hides all that follows. Where a block of a body is a valid header, what follows is held
//! back ([`HELD`] bytes at most): if the archive ends before the body does, it ended at that header.
//!
//! Invariants: what was looked at and given back is read again; the position counts what was read; the content of an
//! entry that ends where it says is never changed, whatever it holds.

use crate::sniff::{BLOCK, fill, has_ustar, valid_header};
use facts::cut::{Cut, Damage};
use std::io::{self, BufRead, BufReader, Read};

/// Bytes that are held back behind what may be the next header. More of what a lie hides is lost.
const HELD: u64 = 16 << 20;

/// A stream that bytes can be given back to.
pub(crate) struct Blocks<'a> {
    source: &'a mut dyn Read,
    ahead: Vec<u8>,
    at: usize,
    position: u64,
}

impl<'a> Blocks<'a> {
    /// Begins.
    pub(crate) fn new(source: &'a mut dyn Read) -> Self {
        Self { source, ahead: Vec::new(), at: 0, position: 0 }
    }

    /// Bytes read so far.
    pub(crate) fn position(&self) -> u64 {
        self.position
    }

    /// Gives back the bytes that were read last.
    pub(crate) fn give_back(&mut self, bytes: &[u8]) {
        self.ahead.splice(..self.at, bytes.iter().copied());
        self.at = 0;
        self.position = self.position.saturating_sub(bytes.len() as u64);
    }
}

impl Read for Blocks<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let ahead = &self.ahead[self.at..];
        let count = if ahead.is_empty() {
            self.source.read(buffer)?
        } else {
            let count = buffer.len().min(ahead.len());
            buffer[..count].copy_from_slice(&ahead[..count]);
            self.at += count;
            count
        };
        self.position += count as u64;
        Ok(count)
    }
}

/// The body of one entry.
pub(crate) struct Entry<'b, 'a> {
    blocks: &'b mut Blocks<'a>,
    size: u64,
    /// Bytes that were not taken from the blocks.
    left: u64,
    looked: bool,
    out_of_step: bool,
    short: bool,
    /// No block is looked at for a header any more.
    trusted: bool,
    /// More bytes than can be.
    absurd: bool,
    lied: bool,
    /// What ended the stream behind the bytes that were handed on last.
    failed: Option<io::Error>,
    /// Bytes that were taken and are no header, and how many of them were handed on.
    ready: Vec<u8>,
    at: usize,
}

impl<'b, 'a> Entry<'b, 'a> {
    /// The next `size` bytes, of which there can be `most`. In a `bare` body the first block can be no header; that of
    /// a file can, for a file may be an archive.
    pub(crate) fn new(blocks: &'b mut Blocks<'a>, size: u64, most: u64, bare: bool) -> Self {
        let mut entry = Self {
            blocks,
            size,
            left: size,
            looked: size % BLOCK as u64 != 1,
            out_of_step: false,
            short: false,
            // One block hides none.
            trusted: size <= BLOCK as u64,
            absurd: size > most,
            lied: false,
            failed: None,
            ready: Vec::new(),
            at: 0,
        };
        if !bare && !entry.absurd && !entry.trusted {
            entry.trusted = entry.is_header_next();
        }
        entry
    }

    /// All of it was read.
    pub(crate) fn is_whole(&self) -> bool {
        self.left == 0 && !self.lied
    }

    /// Its stated size is one too large, and the next header follows at once.
    pub(crate) fn out_of_step(&self) -> bool {
        self.out_of_step
    }

    /// The archive ended before it did.
    pub(crate) fn short(&self) -> bool {
        self.short
    }

    /// Its stated size is a lie, and the next header follows at once.
    pub(crate) fn lied(&self) -> bool {
        self.lied
    }

    /// Bytes between its end and the next header.
    pub(crate) fn padding(&self) -> u64 {
        if self.out_of_step { 0 } else { (BLOCK as u64 - self.size % BLOCK as u64) % BLOCK as u64 }
    }

    /// Whether the next block is a header of the format that says so.
    fn is_header_next(&mut self) -> bool {
        let mut block = [0; BLOCK];
        let (filled, _) = fill(self.blocks, &mut block);
        self.blocks.give_back(&block[..filled]);
        filled == BLOCK && has_ustar(&block) && valid_header(&block)
    }

    /// Looks whether the block of the last byte is the next header.
    fn look(&mut self) {
        self.looked = true;
        if self.is_header_next() {
            self.out_of_step = true;
            self.left = 0;
        }
    }

    /// The next block is a header: holds back what follows, to see whether the body goes on as long as it says.
    fn doubt(&mut self) {
        self.trusted = true;
        if !self.absurd {
            let mut held = Vec::new();
            // What failed fails again when it is read.
            let _ = (&mut *self.blocks).take(self.left.min(HELD)).read_to_end(&mut held);
            let goes_on = held.len() as u64 == self.left.min(HELD);
            self.blocks.give_back(&held);
            if goes_on {
                return;
            }
        }
        self.lied = true;
    }

    /// Takes blocks, and gives back those from a header on.
    fn take(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let (mut filled, error) = fill(self.blocks, buffer);
        if !self.trusted {
            let (blocks, _) = buffer[..filled].as_chunks::<BLOCK>();
            if let Some(header) = blocks.iter().position(|block| has_ustar(block) && valid_header(block)) {
                let start = header * BLOCK;
                self.blocks.give_back(&buffer[start..filled]);
                filled = start;
                self.left -= filled as u64;
                self.doubt();
                return match filled {
                    0 if self.lied => Err(self.ends_early()),
                    // It is trusted from here on.
                    0 => self.take(buffer),
                    filled => Ok(filled),
                };
            }
        }
        self.left -= filled as u64;
        match error {
            error if filled > 0 => {
                self.failed = error;
                Ok(filled)
            }
            Some(error) => Err(error),
            None => {
                self.short = true;
                Err(self.ends_early())
            }
        }
    }

    fn ends_early(&self) -> io::Error {
        Cut::Damage(Damage::Short(self.size - self.left, self.size)).into()
    }
}

impl Read for Entry<'_, '_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if buffer.is_empty() {
            return Ok(0);
        }
        if self.at < self.ready.len() {
            let ready = &self.ready[self.at..];
            let count = ready.len().min(buffer.len());
            buffer[..count].copy_from_slice(&ready[..count]);
            self.at += count;
            return Ok(count);
        }
        if let Some(error) = self.failed.take() {
            return Err(error);
        }
        if self.lied {
            return Err(self.ends_early());
        }
        if self.left == 1 && !self.looked {
            self.look();
        }
        if self.left == 0 {
            return Ok(0);
        }
        let wanted = usize::try_from(if self.looked { self.left } else { self.left - 1 }).unwrap_or(usize::MAX);
        if buffer.len() >= wanted || buffer.len() >= BLOCK {
            // Whole blocks, or all that is left, so that each block is seen as one.
            let room = if buffer.len() >= wanted { wanted } else { buffer.len() / BLOCK * BLOCK };
            return self.take(&mut buffer[..room]);
        }
        let mut block = vec![0; BLOCK.min(wanted)];
        let count = self.take(&mut block)?;
        block.truncate(count);
        (self.ready, self.at) = (block, 0);
        self.read(buffer)
    }
}

/// A body without the one NUL byte behind it.
pub(crate) struct Trimmed<R> {
    source: BufReader<R>,
    /// A NUL that is the last byte so far.
    held: bool,
    /// The byte before it.
    last: u8,
    trimmed: bool,
}

impl<R: Read> Trimmed<R> {
    /// Begins.
    pub(crate) fn new(source: R) -> Self {
        Self { source: BufReader::with_capacity(64 << 10, source), held: false, last: b'\n', trimmed: false }
    }

    /// A byte was left out.
    pub(crate) fn trimmed(&self) -> bool {
        self.trimmed
    }
}

impl<R: Read> Read for Trimmed<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if buffer.is_empty() {
            return Ok(0);
        }
        loop {
            let ready = self.source.fill_buf()?;
            if self.held {
                self.held = false;
                if ready.is_empty() && self.last != 0 {
                    self.trimmed = true;
                    return Ok(0);
                }
                buffer[0] = 0;
                self.last = 0;
                return Ok(1);
            }
            if ready.is_empty() {
                return Ok(0);
            }
            let taken = ready.len().min(buffer.len());
            self.held = taken == ready.len() && ready[taken - 1] == 0;
            let count = taken - usize::from(self.held);
            buffer[..count].copy_from_slice(&ready[..count]);
            self.source.consume(taken);
            if let Some(last) = buffer[..count].last() {
                self.last = *last;
                return Ok(count);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn trimmed(bytes: &[u8], room: usize) -> (Vec<u8>, bool) {
        let mut source =
            Trimmed { source: BufReader::with_capacity(3, bytes), held: false, last: b'\n', trimmed: false };
        let (mut out, mut buffer) = (Vec::new(), vec![0; room]);
        loop {
            match source.read(&mut buffer).unwrap() {
                0 => return (out, source.trimmed()),
                count => out.extend(&buffer[..count]),
            }
        }
    }

    #[test]
    fn one_nul_at_the_end_is_left_out_and_no_other() {
        for room in 1..6 {
            assert_eq!(trimmed(b"text\0", room), (b"text".to_vec(), true));
            assert_eq!(trimmed(b"te\0xt\n\0", room), (b"te\0xt\n".to_vec(), true));
            assert_eq!(trimmed(b"\0", room), (b"".to_vec(), true));
            assert_eq!(trimmed(b"text", room), (b"text".to_vec(), false));
            assert_eq!(trimmed(b"bin\0\0", room), (b"bin\0\0".to_vec(), false));
            assert_eq!(trimmed(b"", room), (b"".to_vec(), false));
        }
    }

    #[test]
    fn what_is_given_back_is_read_again() {
        let mut source: &[u8] = b"abcdef";
        let mut blocks = Blocks::new(&mut source);
        let mut two = [0; 2];
        fill(&mut blocks, &mut two);
        blocks.give_back(b"ab");
        blocks.give_back(b"");
        assert_eq!(blocks.position(), 0);
        let mut all = String::new();
        blocks.read_to_string(&mut all).unwrap();
        assert_eq!((all.as_str(), blocks.position()), ("abcdef", 6));
    }
}
