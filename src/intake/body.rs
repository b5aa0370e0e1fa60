//! The bytes of one member on their way to the visitor: counted, hashed, bounded.
//!
//! Invariant: the visitor sees an end of file, never an error; why it came is in [`Body::cut`].

use crate::Deadline;
use facts::cut::Cut;
use facts::limit::Limit;
use sha2::{Digest, Sha256};
use std::io::{self, Read};

/// How much may be read of a member.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Allowance {
    /// Bytes of this member.
    pub member: u64,
    /// Bytes of all members that are left.
    pub total: u64,
    /// When reading ends.
    pub time: Option<Deadline>,
}

/// Bytes of one repeated line or byte after which a member tells nothing more.
const REPEATED_BYTES: u64 = 1 << 20;
/// The longest line that is looked for again.
const PATTERN_BYTES: usize = 4 << 10;

/// Whether all that was read so far is its first line again and again, or its first byte.
#[derive(Debug, Default)]
struct Repeats {
    pattern: Vec<u8>,
    /// The pattern is known to its end.
    closed: bool,
    bytes: u64,
    /// Something else was read.
    over: bool,
}

impl Repeats {
    fn add(&mut self, bytes: &[u8]) {
        for byte in bytes {
            if self.over {
                return;
            }
            if self.closed {
                let at = usize::try_from(self.bytes % self.pattern.len() as u64).unwrap_or(0);
                self.over = self.pattern.get(at) != Some(byte);
            } else if self.pattern.len() > 1 && self.pattern.iter().all(|first| first == byte) {
                // The third byte in a row: no line, or one of nothing but this.
                self.pattern.truncate(1);
                self.closed = true;
            } else {
                self.pattern.push(*byte);
                self.closed = *byte == b'\n' && self.pattern.len() > 1;
                self.over = self.pattern.len() > PATTERN_BYTES;
            }
            self.bytes += 1;
        }
    }

    fn is_all(&self) -> bool {
        !self.over && self.closed && self.bytes >= REPEATED_BYTES
    }
}

/// The body of one member.
pub(crate) struct Body<'a> {
    source: &'a mut dyn Read,
    allowance: Allowance,
    bytes: u64,
    hash: Sha256,
    repeats: Repeats,
    cut: Option<Cut>,
    ended: bool,
}

impl<'a> Body<'a> {
    /// A body.
    pub(crate) fn new(source: &'a mut dyn Read, allowance: Allowance) -> Self {
        Self { source, allowance, bytes: 0, hash: Sha256::new(), repeats: Repeats::default(), cut: None, ended: false }
    }

    /// Reads what the visitor left, and gives the number of bytes, their hash, and why it is not all.
    pub(crate) fn finish(mut self) -> (u64, [u8; 32], Option<Cut>) {
        let mut buffer = vec![0; 64 << 10];
        while matches!(self.read(&mut buffer), Ok(count) if count > 0) {}
        self.so_far()
    }

    /// The same of what was read until now.
    pub(crate) fn so_far(self) -> (u64, [u8; 32], Option<Cut>) {
        (self.bytes, self.hash.finalize().into(), self.cut)
    }

    fn limit(&self) -> Option<Cut> {
        let bytes = self.bytes;
        if bytes >= self.allowance.total {
            return Some(Cut::Limit(Limit::TotalBytesWithin(bytes)));
        }
        if let Some(limit) = self.allowance.time.and_then(|time| time.reached()) {
            return Some(Cut::Limit(limit));
        }
        if self.repeats.is_all() {
            return Some(Cut::Limit(Limit::Repeated(bytes)));
        }
        (bytes >= self.allowance.member).then_some(Cut::Limit(Limit::MemberBytes(bytes)))
    }

    fn take(&mut self, buffer: &mut [u8]) -> usize {
        loop {
            match self.source.read(buffer) {
                Ok(count) => return count,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => {
                    self.cut = Some(Cut::from_error(&error));
                    return 0;
                }
            }
        }
    }
}

impl Read for Body<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.ended || buffer.is_empty() {
            return Ok(0);
        }
        let count = match self.limit() {
            // A member that just fits is whole: one byte more tells.
            Some(limit) => {
                if self.take(&mut [0]) > 0 {
                    self.cut = Some(limit);
                }
                0
            }
            None => {
                let left = self.allowance.member.min(self.allowance.total) - self.bytes;
                let room = buffer.len().min(usize::try_from(left).unwrap_or(usize::MAX));
                self.take(&mut buffer[..room])
            }
        };
        self.ended = count == 0;
        self.hash.update(&buffer[..count]);
        self.repeats.add(&buffer[..count]);
        self.bytes += count as u64;
        Ok(count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str, member: u64, total: u64) -> (u64, Option<String>) {
        let mut source = text.as_bytes();
        let (bytes, _, cut) = Body::new(&mut source, Allowance { member, total, time: None }).finish();
        (bytes, cut.map(|cut| cut.to_string()))
    }

    #[test]
    fn a_member_of_one_line_or_byte_is_stopped() {
        let cut = |text: &str| read(text, u64::MAX, u64::MAX).1;
        let many = |line: &str| line.repeat((3 << 20) / line.len());
        for line in ["\n", "\0", "x", "a line\n", "\n\n\nx\n", "ab\n"] {
            let said = cut(&many(line));
            let stops = line != "\n\n\nx\n";
            assert_eq!(said.is_some_and(|said| said.contains("again and again")), stops, "{line:?}");
        }
        assert_eq!(cut(&(many("a line\n") + "another")), cut(&many("a line\n")), "what stands behind is not seen");
        assert_eq!(cut(&("first\n".to_owned() + &many("a line\n"))), None);
        assert_eq!(cut(&"a line\n".repeat(1000)), None);
    }

    #[test]
    fn a_member_that_just_fits_is_whole() {
        assert_eq!(read("12345", 5, 5), (5, None));
        assert_eq!(read("12345", 4, 9), (4, Some("only the first 4 bytes were read".into())));
        assert_eq!(read("12345", 9, 3).0, 3);
    }
}
