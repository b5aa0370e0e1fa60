//! What a stream of bytes is, told by its first block and never by its name: names of uploads lie.

use crate::decode::Compression;
use std::io::{self, Read};

/// Bytes that decide; the size of a tar block.
pub(crate) const BLOCK: usize = 512;

/// What the first bytes say.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Shape {
    /// A tar archive.
    Tar,
    /// A zip archive.
    Zip,
    /// A compressed stream, maybe of an archive.
    Compressed(Compression),
    /// An archive or a compression that is recognised and not opened, by name.
    Unsupported(&'static str),
    /// Anything else: content.
    Plain,
}

/// Tells the shape of a stream from its head, at most [`BLOCK`] bytes.
pub(crate) fn sniff(head: &[u8]) -> Shape {
    const MAGICS: [(&[u8], Shape); 12] = [
        (b"\x1f\x8b\x08", Shape::Compressed(Compression::Gzip)),
        (b"\xfd7zXZ\0", Shape::Compressed(Compression::Xz)),
        (b"\x28\xb5\x2f\xfd", Shape::Compressed(Compression::Zstd)),
        (b"PK\x03\x04", Shape::Zip),
        // An empty archive, and one that was to be split and was not.
        (b"PK\x05\x06", Shape::Zip),
        (b"PK\x07\x08PK\x03\x04", Shape::Zip),
        (b"PK00PK\x03\x04", Shape::Zip),
        (b"7z\xbc\xaf\x27\x1c", Shape::Unsupported("7z")),
        (b"Rar!\x1a\x07", Shape::Unsupported("rar")),
        (b"\x04\x22\x4d\x18", Shape::Unsupported("lz4")),
        (b"LZIP\x01", Shape::Unsupported("lzip")),
        (b"\x1f\x9d", Shape::Unsupported("compress (.Z)")),
    ];
    if let Some((_, shape)) = MAGICS.iter().find(|(magic, _)| head.starts_with(magic)) {
        return *shape;
    }
    match head {
        // Text may begin with these letters: the mark of the first block, or of an empty stream, decides.
        [b'B', b'Z', b'h', b'1'..=b'9', mark @ ..]
            if mark.starts_with(b"\x31\x41\x59\x26\x53\x59") || mark.starts_with(b"\x17\x72\x45\x38\x50\x90") =>
        {
            return Shape::Compressed(Compression::Bzip2);
        }
        // A frame of zstd that is to be skipped.
        [0x50..=0x5f, 0x2a, 0x4d, 0x18, ..] => return Shape::Compressed(Compression::Zstd),
        _ => {}
    }
    match <&[u8; BLOCK]>::try_from(head) {
        Ok(block) if has_ustar(block) || valid_header(block) => Shape::Tar,
        _ => Shape::Plain,
    }
}

/// Whether a block carries the `ustar` magic (POSIX and GNU).
pub(crate) fn has_ustar(block: &[u8; BLOCK]) -> bool {
    block[257..262] == *b"ustar"
}

/// Whether a block is a tar header with a right checksum.
pub(crate) fn valid_header(block: &[u8; BLOCK]) -> bool {
    let field: &[u8] = &block[148..156];
    let digits: Vec<u8> = field.iter().copied().skip_while(|b| *b == b' ').take_while(u8::is_ascii_digit).collect();
    let stated = std::str::from_utf8(&digits).ok().and_then(|d| u32::from_str_radix(d, 8).ok());
    let sum = |signed: bool| -> i64 {
        block
            .iter()
            .enumerate()
            .map(|(i, b)| match i {
                148..156 => i64::from(b' '),
                _ if signed => i64::from(b.cast_signed()),
                _ => i64::from(*b),
            })
            .sum()
    };
    // Some old tar programs summed signed bytes; readers accept both.
    stated.is_some_and(|stated| i64::from(stated) == sum(false) || i64::from(stated) == sum(true))
}

/// A stream whose head was looked at and is still to be read.
pub(crate) struct Peeked<R> {
    head: Vec<u8>,
    at: usize,
    error: Option<io::Error>,
    inner: R,
}

impl<R: Read> Peeked<R> {
    /// Takes the head. An error is kept for the reader that gets so far.
    pub(crate) fn new(mut inner: R) -> Self {
        let mut head = vec![0; BLOCK];
        let (filled, error) = fill(&mut inner, &mut head);
        head.truncate(filled);
        Self { head, at: 0, error, inner }
    }

    pub(crate) fn head(&self) -> &[u8] {
        &self.head
    }

    /// The error that came before the first byte, if that is all there is.
    pub(crate) fn failed(&self) -> Option<&io::Error> {
        self.error.as_ref().filter(|_| self.head.is_empty())
    }
}

impl<R: Read> Read for Peeked<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let rest = &self.head[self.at..];
        if !rest.is_empty() {
            let count = rest.len().min(buffer.len());
            buffer[..count].copy_from_slice(&rest[..count]);
            self.at += count;
            return Ok(count);
        }
        match self.error.take() {
            Some(error) => Err(error),
            None => self.inner.read(buffer),
        }
    }
}

/// Fills a buffer as far as the stream goes.
pub(crate) fn fill(source: &mut dyn Read, buffer: &mut [u8]) -> (usize, Option<io::Error>) {
    let mut filled = 0;
    while filled < buffer.len() {
        match source.read(&mut buffer[filled..]) {
            Ok(0) => break,
            Ok(count) => filled += count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return (filled, Some(error)),
        }
    }
    (filled, None)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_bytes_decide_and_the_name_does_not() {
        let compressed = |head: &[u8], compression| assert_eq!(sniff(head), Shape::Compressed(compression));
        compressed(b"\x1f\x8b\x08\x00", Compression::Gzip);
        compressed(b"\xfd7zXZ\0\0", Compression::Xz);
        compressed(b"\x28\xb5\x2f\xfd..", Compression::Zstd);
        compressed(b"\x5a\x2a\x4d\x18..", Compression::Zstd);
        compressed(b"BZh9\x31\x41\x59\x26\x53\x59", Compression::Bzip2);
        assert_eq!(sniff(b"BZh is how this text begins"), Shape::Plain);
        assert_eq!(sniff(b"PK\x03\x04"), Shape::Zip);
        assert_eq!(sniff(b"PK is how this text begins"), Shape::Plain);
        assert_eq!(sniff(b"7z\xbc\xaf\x27\x1c"), Shape::Unsupported("7z"));
        assert_eq!(sniff(b""), Shape::Plain);
        assert_eq!(sniff(&[0; BLOCK]), Shape::Plain);
    }

    #[test]
    fn a_header_of_the_first_tar_format_is_known_by_its_checksum() {
        let mut header = tar::Header::new_old();
        header.set_path("a.txt").unwrap();
        header.set_size(1);
        header.set_cksum();
        assert_eq!(sniff(header.as_bytes()), Shape::Tar);
        header.set_size(2);
        assert_eq!(sniff(header.as_bytes()), Shape::Plain);
    }
}
