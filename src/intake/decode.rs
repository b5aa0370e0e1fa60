//! Decompression as a stream: gzip, bzip2 and zstd of several parts, xz, and the bound on how much comes out.
//!
//! The bound is one for the whole bundle: what comes out of all layers together against what was read of the file
//! itself, since a ratio of each layer by itself multiplies.
//!
//! Invariants: once a stream failed, it fails in the same way for ever, so that every reader above it
//! sees the same end; what came out before that is handed on.

use facts::cut::{Cut, Damage};
use facts::limit::Limit;
use std::cell::Cell;
use std::io::{self, BufRead, BufReader, Read};
use std::rc::Rc;

/// Bytes that may come out in all before the ratio counts: small streams of zeros are no bombs.
pub(crate) const RATIO_FROM: u64 = 64 << 20;
/// What an xz dictionary may take; `xz -9` needs 65 MiB.
const XZ_MEMORY: u64 = 256 << 20;
/// What a zstd window may take, as a power of two; `zstd --ultra -22` needs 27.
const ZSTD_WINDOW: u32 = 27;

/// Why a decoder failed; one below it in the same stream may have said so.
fn reason(error: &io::Error) -> Cut {
    match (Cut::behind(error), error.kind()) {
        (Some(cut), _) => cut.clone(),
        (None, io::ErrorKind::UnexpectedEof) => Cut::Damage(Damage::Early),
        (None, _) => Cut::Damage(Damage::Compressed(error.to_string())),
    }
}

/// How a stream is compressed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Compression {
    /// RFC 1952.
    Gzip,
    Bzip2,
    /// RFC 8878.
    Zstd,
    Xz,
    /// RFC 1951, as entries of zip archives are.
    Deflate,
}

/// What went in and came out so far, of all streams of a bundle.
#[derive(Debug, Clone)]
pub(crate) struct Yield {
    /// Bytes on disk, or of standard input as far as it was read.
    pub packed: Rc<Cell<u64>>,
    /// Bytes that came out of all layers.
    pub unpacked: Rc<Cell<u64>>,
    /// Bytes that may come out of each byte.
    pub ratio: u64,
    /// Streams that gave too much and are not counted any more.
    forgiven: Rc<Cell<u32>>,
}

/// So many streams that give too much cost themselves alone: what follows them in the bundle is read.
const FORGIVEN: u32 = 4;

impl Yield {
    pub(crate) fn new(ratio: u64) -> Self {
        Self { packed: Rc::default(), unpacked: Rc::default(), ratio, forgiven: Rc::default() }
    }

    /// Counts bytes of the bundle itself.
    pub(crate) fn pack(&self, bytes: u64) {
        self.packed.set(self.packed.get().saturating_add(bytes));
    }

    /// Counts bytes that came out; `false` if they are too many.
    fn unpack(&self, bytes: u64) -> bool {
        let all = self.unpacked.get().saturating_add(bytes);
        self.unpacked.set(all);
        all <= RATIO_FROM || all <= self.packed.get().saturating_mul(self.ratio)
    }

    /// Takes out of the count what a stream gave that is not read on.
    fn forgive(&self, bytes: u64) {
        if self.forgiven.get() < FORGIVEN {
            self.forgiven.set(self.forgiven.get() + 1);
            self.unpacked.set(self.unpacked.get().saturating_sub(bytes));
        }
    }
}

/// A decompressed stream with its bound.
pub(crate) struct Decoded<'a> {
    decoder: Box<dyn Read + 'a>,
    taken: Rc<Cell<u64>>,
    given: u64,
    all: Yield,
    broken: Option<Cut>,
}

impl<'a> Decoded<'a> {
    /// Decompresses a stream.
    pub(crate) fn new(compression: Compression, source: impl Read + 'a, all: Yield) -> Self {
        let taken = Rc::new(Cell::new(0));
        let source = Taken { source: BufReader::with_capacity(64 << 10, source), taken: Rc::clone(&taken) };
        let decoder: io::Result<Box<dyn Read + 'a>> = match compression {
            Compression::Gzip => Ok(Box::new(Parts(Some(flate2::bufread::GzDecoder::new(source))))),
            Compression::Bzip2 => Ok(Box::new(Parts(Some(bzip2::bufread::BzDecoder::new(source))))),
            Compression::Zstd => {
                ZstdFrame::begin(source).map(|frame| -> Box<dyn Read> { Box::new(Parts(Some(frame))) })
            }
            Compression::Xz => liblzma::stream::Stream::new_stream_decoder(XZ_MEMORY, liblzma::stream::CONCATENATED)
                .map(|stream| -> Box<dyn Read> { Box::new(liblzma::bufread::XzDecoder::new_stream(source, stream)) })
                .map_err(io::Error::other),
            Compression::Deflate => Ok(Box::new(flate2::bufread::DeflateDecoder::new(source))),
        };
        let broken = decoder.as_ref().err().map(reason);
        let decoder = decoder.unwrap_or_else(|_| Box::new(io::empty()));
        Self { decoder, taken, given: 0, all, broken }
    }

    /// Compressed bytes that what came out was made of; exact at the end of the stream.
    pub(crate) fn taken(&self) -> Rc<Cell<u64>> {
        Rc::clone(&self.taken)
    }
}

impl Read for Decoded<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if let Some(broken) = &self.broken {
            return Err(broken.clone().into());
        }
        let broken = match self.decoder.read(buffer) {
            Ok(count) => {
                self.given += count as u64;
                if self.all.unpack(count as u64) {
                    return Ok(count);
                }
                self.all.forgive(self.given);
                Cut::Limit(Limit::Ratio(self.all.ratio))
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => return Err(error),
            Err(error) => reason(&error),
        };
        self.broken = Some(broken.clone());
        Err(broken.into())
    }
}

/// Counts what the decoder takes.
struct Taken<R> {
    source: BufReader<R>,
    taken: Rc<Cell<u64>>,
}

impl<R: Read> Read for Taken<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.source.read(buffer)?;
        self.taken.set(self.taken.get() + count as u64);
        Ok(count)
    }
}

impl<R: Read> BufRead for Taken<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.source.fill_buf()
    }

    fn consume(&mut self, count: usize) {
        self.source.consume(count);
        self.taken.set(self.taken.get() + count as u64);
    }
}

/// A decoder of one part of a stream of several.
trait Part: Read + Sized {
    /// The stream.
    type Source: BufRead;
    /// Begins the next part.
    fn begin(source: Self::Source) -> io::Result<Self>;
    /// Gives the stream back.
    fn end(self) -> Self::Source;
    /// Whether a byte can be the first of a part.
    fn can_begin(first: u8) -> bool;
}

impl<R: BufRead> Part for flate2::bufread::GzDecoder<R> {
    type Source = R;

    fn begin(source: R) -> io::Result<Self> {
        Ok(Self::new(source))
    }

    fn end(self) -> R {
        self.into_inner()
    }

    fn can_begin(first: u8) -> bool {
        first == 0x1f
    }
}

impl<R: BufRead> Part for bzip2::bufread::BzDecoder<R> {
    type Source = R;

    fn begin(source: R) -> io::Result<Self> {
        Ok(Self::new(source))
    }

    fn end(self) -> R {
        self.into_inner()
    }

    fn can_begin(first: u8) -> bool {
        first == b'B'
    }
}

/// One frame of zstd.
struct ZstdFrame<R: BufRead>(zstd::stream::read::Decoder<'static, R>);

impl<R: BufRead> Read for ZstdFrame<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.0.read(buffer)
    }
}

impl<R: BufRead> Part for ZstdFrame<R> {
    type Source = R;

    fn begin(source: R) -> io::Result<Self> {
        let mut decoder = zstd::stream::read::Decoder::with_buffer(source)?;
        decoder.window_log_max(ZSTD_WINDOW)?;
        Ok(Self(decoder.single_frame()))
    }

    fn end(self) -> R {
        self.0.finish()
    }

    fn can_begin(first: u8) -> bool {
        // A frame, or one that is to be skipped.
        first == 0x28 || first & 0xf0 == 0x50
    }
}

/// Parts one after the other. What follows the last part and cannot begin another is padding of a tape or
/// of an upload, and is left alone as `gzip` does; `flate2::MultiGzDecoder` takes it for damage.
struct Parts<D>(Option<D>);

impl<D: Part> Read for Parts<D> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while let Some(part) = &mut self.0 {
            let count = part.read(buffer)?;
            if count > 0 || buffer.is_empty() {
                return Ok(count);
            }
            if let Some(mut rest) = self.0.take().map(D::end)
                && rest.fill_buf()?.first().is_some_and(|first| D::can_begin(*first))
            {
                self.0 = Some(D::begin(rest)?);
            }
        }
        Ok(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    const PARTS: [Compression; 4] = [Compression::Gzip, Compression::Bzip2, Compression::Zstd, Compression::Xz];

    fn pack(compression: Compression, bytes: &[u8]) -> Vec<u8> {
        match compression {
            Compression::Gzip => {
                let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
                encoder.write_all(bytes).unwrap();
                encoder.finish().unwrap()
            }
            Compression::Bzip2 => {
                let mut encoder = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::fast());
                encoder.write_all(bytes).unwrap();
                encoder.finish().unwrap()
            }
            Compression::Zstd => {
                let mut encoder = zstd::stream::write::Encoder::new(Vec::new(), 1).unwrap();
                encoder.include_checksum(true).unwrap();
                encoder.write_all(bytes).unwrap();
                encoder.finish().unwrap()
            }
            Compression::Xz => {
                let mut encoder = liblzma::write::XzEncoder::new(Vec::new(), 1);
                encoder.write_all(bytes).unwrap();
                encoder.finish().unwrap()
            }
            Compression::Deflate => {
                let mut encoder = flate2::write::DeflateEncoder::new(Vec::new(), flate2::Compression::default());
                encoder.write_all(bytes).unwrap();
                encoder.finish().unwrap()
            }
        }
    }

    fn read(compression: Compression, bytes: &[u8]) -> (Vec<u8>, Option<Cut>) {
        let mut decoded = Decoded::new(compression, bytes, Yield::new(1000));
        let mut out = Vec::new();
        let error = decoded.read_to_end(&mut out).err();
        (out, error.as_ref().and_then(Cut::behind).cloned())
    }

    #[test]
    fn parts_follow_each_other_and_padding_is_no_damage() {
        for compression in PARTS {
            let mut bytes = pack(compression, b"one ");
            bytes.extend(pack(compression, b"two"));
            assert_eq!(read(compression, &bytes), (b"one two".to_vec(), None), "{compression:?}");
            bytes.extend([0; 600]);
            assert_eq!(read(compression, &bytes), (b"one two".to_vec(), None), "{compression:?}");
        }
    }

    #[test]
    fn a_frame_to_be_skipped_is_skipped() {
        let mut bytes = b"\x50\x2a\x4d\x18\x03\0\0\0abc".to_vec();
        bytes.extend(pack(Compression::Zstd, b"text"));
        assert_eq!(read(Compression::Zstd, &bytes), (b"text".to_vec(), None));
    }

    #[test]
    fn a_cut_and_a_wrong_checksum_are_told_apart() {
        for compression in PARTS {
            let whole = pack(compression, b"a line of text\n");
            let (_, broken) = read(compression, &whole[..whole.len() - 2]);
            assert_eq!(broken, Some(Cut::Damage(Damage::Early)), "{compression:?}");
            if compression == Compression::Xz {
                continue;
            }
            let mut wrong = whole.clone();
            let at = wrong.len() - if compression == Compression::Gzip { 8 } else { 3 };
            wrong[at] ^= 1;
            let (_, broken) = read(compression, &wrong);
            assert!(matches!(broken, Some(Cut::Damage(Damage::Compressed(_)))), "{compression:?} {broken:?}");
        }
    }

    #[test]
    fn what_was_taken_is_exact_at_the_end() {
        let packed = pack(Compression::Deflate, &b"a line of text\n".repeat(1000));
        let mut stream = packed.clone();
        stream.extend([7; 100]);
        let mut decoded = Decoded::new(Compression::Deflate, stream.as_slice(), Yield::new(1000));
        let taken = decoded.taken();
        io::copy(&mut decoded, &mut io::sink()).unwrap();
        assert_eq!(taken.get(), packed.len() as u64);
    }
}
