//! Archives written byte by byte, so that every field of them can lie.

use std::fs;
use std::io::Write;
use std::path::Path;

/// The members of a sample bundle whose etcd has lost its majority.
pub(super) fn good() -> Vec<(String, Vec<u8>)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("sample-bundles/etcd-no-leader/bundle");
    let mut folders = vec![root.clone()];
    let mut found = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let name = path.strip_prefix(&root).unwrap().to_str().unwrap().to_owned();
                found.push((name, fs::read(&path).unwrap()));
            }
        }
    }
    found.sort();
    found
}

/// A header of tar that has what it is told, and its checksum.
pub(super) fn header(name: &[u8], kind: u8, link: &[u8], size: u64) -> Vec<u8> {
    let mut header = vec![0; 512];
    header[..name.len().min(100)].copy_from_slice(&name[..name.len().min(100)]);
    header[100..108].copy_from_slice(b"0000644\0");
    header[108..116].copy_from_slice(b"0000000\0");
    header[116..124].copy_from_slice(b"0000000\0");
    header[124..136].copy_from_slice(format!("{size:011o}\0").as_bytes());
    header[136..148].copy_from_slice(b"15000000000\0");
    header[156] = kind;
    header[157..157 + link.len().min(100)].copy_from_slice(&link[..link.len().min(100)]);
    header[257..265].copy_from_slice(b"ustar  \0");
    sum(&mut header);
    header
}

/// Writes the checksum of a header that was changed.
pub(super) fn sum(header: &mut [u8]) {
    header[148..156].fill(b' ');
    let sum: u32 = header.iter().map(|byte| u32::from(*byte)).sum();
    header[148..156].copy_from_slice(format!("{sum:06o}\0 ").as_bytes());
}

fn padded(mut bytes: Vec<u8>) -> Vec<u8> {
    bytes.resize(bytes.len().next_multiple_of(512), 0);
    bytes
}

/// A header with a body behind it.
pub(super) fn with_body(header: Vec<u8>, body: &[u8]) -> Vec<u8> {
    let mut out = header;
    out.extend(body);
    padded(out)
}

/// An entry of tar; a longer name or target stands in an entry of its own, as GNU writes it.
pub(super) fn entry(name: &[u8], kind: u8, link: &[u8], body: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    for (long, kind) in [(link, b'K'), (name, b'L')] {
        if long.len() > 100 {
            let text = [long, b"\0"].concat();
            out.extend(with_body(header(b"././@LongLink", kind, b"", text.len() as u64), &text));
        }
    }
    out.extend(with_body(header(name, kind, link, body.len() as u64), body));
    out
}

pub(super) fn file(name: impl AsRef<[u8]>, body: impl AsRef<[u8]>) -> Vec<u8> {
    entry(name.as_ref(), b'0', b"", body.as_ref())
}

pub(super) fn symlink(name: &str, target: &str) -> Vec<u8> {
    entry(name.as_bytes(), b'2', target.as_bytes(), b"")
}

/// Records of PAX for the next entry.
pub(super) fn pax(kind: u8, records: &[u8]) -> Vec<u8> {
    with_body(header(b"PaxHeaders/x", kind, b"", records.len() as u64), records)
}

/// A record of PAX.
pub(super) fn record(key: &str, value: &[u8]) -> Vec<u8> {
    let rest = [b" ", key.as_bytes(), b"=", value, b"\n"].concat();
    let mut length = rest.len() + 1;
    while length != rest.len() + length.to_string().len() {
        length = rest.len() + length.to_string().len();
    }
    [length.to_string().as_bytes(), &rest].concat()
}

/// The good half as entries of tar.
pub(super) fn good_entries() -> Vec<u8> {
    good().iter().flat_map(|(name, bytes)| file(name, bytes)).collect()
}

/// Entries without their end mark, and the good half behind them.
pub(super) fn before_good(entries: impl AsRef<[u8]>) -> Vec<u8> {
    let mut out = entries.as_ref().to_vec();
    out.extend(good_entries());
    out.resize(out.len() + 1024, 0);
    out
}

/// The good half, and entries behind it, with an end mark.
pub(super) fn after_good(entries: impl AsRef<[u8]>) -> Vec<u8> {
    let mut out = good_entries();
    out.extend(entries.as_ref());
    out.resize(out.len() + 1024, 0);
    out
}

/// An archive of these members before the good half.
pub(super) fn members(members: impl IntoIterator<Item = (impl AsRef<[u8]>, impl AsRef<[u8]>)>) -> Vec<u8> {
    before_good(members.into_iter().flat_map(|(name, body)| file(name, body)).collect::<Vec<u8>>())
}

pub(super) fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

pub(super) fn xz(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = liblzma::write::XzEncoder::new(Vec::new(), 1);
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

pub(super) fn zstd(bytes: &[u8]) -> Vec<u8> {
    zstd::encode_all(bytes, 1).unwrap()
}

pub(super) fn bzip2(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

/// An entry of a zip, each field of which can lie.
#[derive(Clone)]
pub(super) struct Zipped {
    pub name: Vec<u8>,
    /// What the entry calls itself; the directory says `name`.
    pub local_name: Vec<u8>,
    pub flags: u16,
    pub method: u16,
    pub data: Vec<u8>,
    pub crc: u32,
    pub size: u32,
    pub packed: u32,
    /// Where the directory says it is; `None` if it says the truth.
    pub offset: Option<u32>,
    pub attributes: u32,
    pub extra: Vec<u8>,
    pub extra_length: Option<u16>,
}

/// A stored entry that tells the truth.
pub(super) fn stored(name: impl AsRef<[u8]>, body: impl AsRef<[u8]>) -> Zipped {
    let (name, data) = (name.as_ref().to_vec(), body.as_ref().to_vec());
    let size = u32::try_from(data.len()).unwrap();
    let mut crc = flate2::Crc::new();
    crc.update(&data);
    Zipped {
        local_name: name.clone(),
        name,
        flags: 0x800,
        method: 0,
        crc: crc.sum(),
        data,
        size,
        packed: size,
        offset: None,
        attributes: 0o100_644 << 16,
        extra: Vec::new(),
        extra_length: None,
    }
}

/// A deflated entry that tells the truth.
pub(super) fn deflated(name: impl AsRef<[u8]>, body: impl AsRef<[u8]>) -> Zipped {
    let plain = stored(name, body);
    let mut encoder = flate2::write::DeflateEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(&plain.data).unwrap();
    let data = encoder.finish().unwrap();
    Zipped { method: 8, packed: u32::try_from(data.len()).unwrap(), data, ..plain }
}

impl Zipped {
    fn fields(&self) -> Vec<u8> {
        let mut out = Vec::new();
        out.extend(20u16.to_le_bytes());
        out.extend(self.flags.to_le_bytes());
        out.extend(self.method.to_le_bytes());
        out.extend([0, 0, 0x21, 0x5c]);
        out.extend(self.crc.to_le_bytes());
        out.extend(self.packed.to_le_bytes());
        out.extend(self.size.to_le_bytes());
        out
    }

    fn local(&self) -> Vec<u8> {
        let mut out = b"PK\x03\x04".to_vec();
        out.extend(self.fields());
        out.extend(u16::try_from(self.local_name.len()).unwrap().to_le_bytes());
        out.extend(0u16.to_le_bytes());
        out.extend(&self.local_name);
        out.extend(&self.data);
        out
    }

    fn central(&self, offset: u32) -> Vec<u8> {
        let mut out = b"PK\x01\x02\x14\x03".to_vec();
        out.extend(self.fields());
        out.extend(u16::try_from(self.name.len()).unwrap().to_le_bytes());
        let extra = u16::try_from(self.extra.len()).unwrap();
        out.extend(self.extra_length.unwrap_or(extra).to_le_bytes());
        out.extend([0; 6]);
        out.extend(self.attributes.to_le_bytes());
        out.extend(self.offset.unwrap_or(offset).to_le_bytes());
        out.extend(&self.name);
        out.extend(&self.extra);
        out
    }
}

/// The good half as entries of a zip.
pub(super) fn good_zipped() -> Vec<Zipped> {
    good().iter().map(|(name, bytes)| deflated(name, bytes)).collect()
}

/// A zip in its parts: entries, directory, end.
pub(super) fn zip_parts(entries: &[Zipped]) -> (Vec<u8>, Vec<u8>, Vec<u8>) {
    let (mut body, mut directory) = (Vec::new(), Vec::new());
    for entry in entries {
        directory.extend(entry.central(u32::try_from(body.len()).unwrap()));
        body.extend(entry.local());
    }
    let count = u16::try_from(entries.len()).unwrap_or(u16::MAX).to_le_bytes();
    let mut end = b"PK\x05\x06\0\0\0\0".to_vec();
    end.extend(count);
    end.extend(count);
    end.extend(u32::try_from(directory.len()).unwrap().to_le_bytes());
    end.extend(u32::try_from(body.len()).unwrap().to_le_bytes());
    end.extend([0, 0]);
    (body, directory, end)
}

/// A zip of these entries.
pub(super) fn zip(entries: &[Zipped]) -> Vec<u8> {
    let (body, directory, end) = zip_parts(entries);
    [body, directory, end].concat()
}

/// A zip of these entries and the good half.
pub(super) fn zip_with_good(entries: impl IntoIterator<Item = Zipped>) -> Vec<u8> {
    let mut all: Vec<Zipped> = entries.into_iter().collect();
    all.extend(good_zipped());
    zip(&all)
}
