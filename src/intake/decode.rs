//! Decompression as a stream: gzip of several parts, xz, and the bound on how much comes out.
//!
//! Invariant: once a stream failed, it fails in the same way for ever, so that every reader above it
//! sees the same end.

use std::cell::Cell;
use std::io::{self, BufRead, BufReader, Read};
use std::rc::Rc;

/// Bytes that may come out before the ratio counts: small streams of zeros are no bombs.
const RATIO_FROM: u64 = 64 << 20;
/// What an xz dictionary may take; `xz -9` needs 65 MiB.
const XZ_MEMORY: u64 = 256 << 20;

/// Why a compressed stream ended before its end.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Broken {
    /// It was cut.
    #[error("the compressed data ends early")]
    Early,
    /// It is damaged.
    #[error("the compressed data is damaged ({0})")]
    Damaged(String),
    /// It grows beyond the bound.
    #[error("more than {0} bytes came out of each compressed byte")]
    Ratio(u64),
}

impl Broken {
    /// The reason behind an error of a stream that passed through here.
    pub fn behind(error: &io::Error) -> Option<&Self> {
        error.get_ref().and_then(|inner| inner.downcast_ref())
    }

    fn from_error(error: &io::Error) -> Self {
        match (Self::behind(error), error.kind()) {
            (Some(broken), _) => broken.clone(),
            (None, io::ErrorKind::UnexpectedEof) => Self::Early,
            (None, _) => Self::Damaged(error.to_string()),
        }
    }
}

/// A decompressed stream with its bound.
pub struct Decoded<'a> {
    decoder: Box<dyn Read + 'a>,
    taken: Rc<Cell<u64>>,
    given: u64,
    ratio: u64,
    broken: Option<Broken>,
}

impl<'a> Decoded<'a> {
    /// Decompresses gzip.
    pub fn gzip(source: impl Read + 'a, ratio: u64) -> Self {
        let taken = Rc::new(Cell::new(0));
        let source = BufReader::with_capacity(64 << 10, Taken { source, taken: Rc::clone(&taken) });
        Self::new(Box::new(Gzip { decoder: Some(flate2::bufread::GzDecoder::new(source)) }), taken, ratio)
    }

    /// Decompresses xz.
    pub fn xz(source: impl Read + 'a, ratio: u64) -> Self {
        let taken = Rc::new(Cell::new(0));
        let source = Taken { source, taken: Rc::clone(&taken) };
        match liblzma::stream::Stream::new_stream_decoder(XZ_MEMORY, liblzma::stream::CONCATENATED) {
            Ok(stream) => Self::new(Box::new(liblzma::read::XzDecoder::new_stream(source, stream)), taken, ratio),
            Err(error) => {
                let broken = Some(Broken::Damaged(error.to_string()));
                Self { broken, ..Self::new(Box::new(io::empty()), taken, ratio) }
            }
        }
    }

    fn new(decoder: Box<dyn Read + 'a>, taken: Rc<Cell<u64>>, ratio: u64) -> Self {
        Self { decoder, taken, given: 0, ratio, broken: None }
    }
}

impl Read for Decoded<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if let Some(broken) = &self.broken {
            return Err(io::Error::other(broken.clone()));
        }
        let broken = match self.decoder.read(buffer) {
            Ok(count) => {
                self.given += count as u64;
                if self.given <= RATIO_FROM || self.given <= self.taken.get().saturating_mul(self.ratio) {
                    return Ok(count);
                }
                Broken::Ratio(self.ratio)
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => return Err(error),
            Err(error) => Broken::from_error(&error),
        };
        self.broken = Some(broken.clone());
        Err(io::Error::other(broken))
    }
}

/// Counts what the decoder takes.
struct Taken<R> {
    source: R,
    taken: Rc<Cell<u64>>,
}

impl<R: Read> Read for Taken<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.source.read(buffer)?;
        self.taken.set(self.taken.get() + count as u64);
        Ok(count)
    }
}

/// Gzip parts one after the other. What follows the last part and is no gzip is padding of a tape or of
/// an upload, and is left alone as `gzip` does; `flate2::MultiGzDecoder` takes it for damage.
struct Gzip<R> {
    decoder: Option<flate2::bufread::GzDecoder<R>>,
}

impl<R: BufRead> Read for Gzip<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while let Some(decoder) = &mut self.decoder {
            let count = decoder.read(buffer)?;
            if count > 0 || buffer.is_empty() {
                return Ok(count);
            }
            let rest = self.decoder.take().map(flate2::bufread::GzDecoder::into_inner);
            if let Some(mut rest) = rest
                && rest.fill_buf()?.first() == Some(&0x1f)
            {
                self.decoder = Some(flate2::bufread::GzDecoder::new(rest));
            }
        }
        Ok(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    fn gzip(bytes: &[u8]) -> Vec<u8> {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
        encoder.write_all(bytes).unwrap();
        encoder.finish().unwrap()
    }

    fn read(bytes: &[u8]) -> (Vec<u8>, Option<Broken>) {
        let mut decoded = Decoded::gzip(bytes, 1000);
        let mut out = Vec::new();
        let error = decoded.read_to_end(&mut out).err();
        (out, error.as_ref().and_then(Broken::behind).cloned())
    }

    #[test]
    fn parts_follow_each_other_and_padding_is_no_damage() {
        let mut bytes = gzip(b"one ");
        bytes.extend(gzip(b"two"));
        assert_eq!(read(&bytes), (b"one two".to_vec(), None));
        bytes.extend([0; 600]);
        assert_eq!(read(&bytes), (b"one two".to_vec(), None));
    }

    #[test]
    fn a_cut_and_a_wrong_checksum_are_told_apart() {
        let whole = gzip(b"a line of text\n");
        assert_eq!(read(&whole[..whole.len() - 8]).1, Some(Broken::Early));
        let mut wrong = whole.clone();
        let crc = wrong.len() - 8;
        wrong[crc] ^= 1;
        let (out, broken) = read(&wrong);
        assert_eq!(out, b"a line of text\n");
        assert!(matches!(broken, Some(Broken::Damaged(_))), "{broken:?}");
    }
}
