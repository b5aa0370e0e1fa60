//! The records of a zip archive: the header before each entry, its copy in the directory, and the end mark.
//! Source: PKWARE APPNOTE.TXT 6.3.10, sections 4.3.7, 4.3.12 to 4.3.16 and 4.5.3.
//!
//! Invariant: a record is given only if all its bytes are there; no number in it is trusted.

use crate::name;

/// Begins a header before an entry.
pub(crate) const LOCAL: &[u8; 4] = b"PK\x03\x04";
/// Begins an entry of the directory.
pub(crate) const CENTRAL: &[u8; 4] = b"PK\x01\x02";
/// Begins the end mark.
pub(crate) const END: &[u8; 4] = b"PK\x05\x06";
/// Begins the end mark of large archives.
pub(crate) const END64: &[u8; 4] = b"PK\x06\x06";
/// Begins what leads to it.
pub(crate) const LOCATOR64: &[u8; 4] = b"PK\x06\x07";
/// Begins the sizes behind an entry that was written as a stream.
pub(crate) const DESCRIPTOR: &[u8; 4] = b"PK\x07\x08";

/// Bytes of the header before an entry, without its name.
pub(crate) const LOCAL_BYTES: usize = 30;
/// Bytes of an entry of the directory, without its name.
pub(crate) const CENTRAL_BYTES: usize = 46;
/// Bytes of the end mark, without its comment.
pub(crate) const END_BYTES: usize = 22;
/// Bytes of the end mark of large archives.
pub(crate) const END64_BYTES: usize = 56;
/// Bytes of what leads to it.
pub(crate) const LOCATOR64_BYTES: usize = 20;

fn u16_at(bytes: &[u8], at: usize) -> Option<u16> {
    Some(u16::from_le_bytes(*bytes.get(at..)?.first_chunk()?))
}

fn u32_at(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_le_bytes(*bytes.get(at..)?.first_chunk()?))
}

fn u64_at(bytes: &[u8], at: usize) -> Option<u64> {
    Some(u64::from_le_bytes(*bytes.get(at..)?.first_chunk()?))
}

/// What is said of an entry.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Header {
    /// General purpose flags.
    pub flags: u16,
    /// How it is compressed.
    pub method: u16,
    /// Checksum of the content.
    pub crc: u32,
    /// Bytes in the archive.
    pub packed: u64,
    /// Bytes of the content.
    pub size: u64,
    /// Bytes of the name, and of what follows it.
    pub name_bytes: usize,
    /// Bytes of extra fields.
    pub extra_bytes: usize,
    /// Bytes of the comment.
    pub comment_bytes: usize,
    /// What wrote it; decides what the attributes mean.
    pub host: u8,
    /// Attributes of the file.
    pub attributes: u32,
    /// Where the header before the entry stands.
    pub offset: u64,
}

impl Header {
    /// Reads the header before an entry.
    pub(crate) fn local(bytes: &[u8]) -> Option<Self> {
        if !bytes.starts_with(LOCAL) || bytes.len() < LOCAL_BYTES {
            return None;
        }
        Some(Self {
            flags: u16_at(bytes, 6)?,
            method: u16_at(bytes, 8)?,
            crc: u32_at(bytes, 14)?,
            packed: u32_at(bytes, 18)?.into(),
            size: u32_at(bytes, 22)?.into(),
            name_bytes: u16_at(bytes, 26)?.into(),
            extra_bytes: u16_at(bytes, 28)?.into(),
            ..Self::default()
        })
    }

    /// Reads an entry of the directory.
    pub(crate) fn central(bytes: &[u8]) -> Option<Self> {
        if !bytes.starts_with(CENTRAL) || bytes.len() < CENTRAL_BYTES {
            return None;
        }
        Some(Self {
            host: *bytes.get(5)?,
            flags: u16_at(bytes, 8)?,
            method: u16_at(bytes, 10)?,
            crc: u32_at(bytes, 16)?,
            packed: u32_at(bytes, 20)?.into(),
            size: u32_at(bytes, 24)?.into(),
            name_bytes: u16_at(bytes, 28)?.into(),
            extra_bytes: u16_at(bytes, 30)?.into(),
            comment_bytes: u16_at(bytes, 32)?.into(),
            attributes: u32_at(bytes, 38)?,
            offset: u32_at(bytes, 42)?.into(),
        })
    }

    /// Takes the large numbers, and a name in UTF-8, out of the extra fields.
    pub(crate) fn extend(&mut self, mut extra: &[u8]) -> Option<Vec<u8>> {
        let mut name = None;
        while let (Some(id), Some(length)) = (u16_at(extra, 0), u16_at(extra, 2)) {
            let Some(field) = extra.get(4..4 + usize::from(length)) else { break };
            extra = &extra[4 + usize::from(length)..];
            match id {
                0x0001 => {
                    let mut numbers = field;
                    for number in [&mut self.size, &mut self.packed, &mut self.offset] {
                        if *number == u64::from(u32::MAX)
                            && let Some(large) = u64_at(numbers, 0)
                        {
                            *number = large;
                            numbers = &numbers[8..];
                        }
                    }
                }
                // Info-ZIP's name in UTF-8: version, checksum of the other name, name.
                0x7075 if field.len() > 5 => name = Some(field[5..].to_vec()),
                _ => {}
            }
        }
        name
    }

    /// Its content is encrypted.
    pub(crate) fn is_encrypted(&self) -> bool {
        self.flags & 1 != 0
    }

    /// Its sizes stand behind it.
    pub(crate) fn is_streamed(&self) -> bool {
        self.flags & 8 != 0
    }

    /// What the entry is in a file system of Unix, if it was written there: the type bits of `st_mode`.
    pub(crate) fn unix_type(&self) -> Option<u32> {
        const UNIX: u8 = 3;
        const MACOS: u8 = 19;
        let kind = (self.attributes >> 16) & 0o170_000;
        (matches!(self.host, UNIX | MACOS) && kind != 0).then_some(kind)
    }
}

/// The end mark.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct End {
    /// Entries in the directory.
    pub entries: u64,
    /// Bytes of the directory.
    pub size: u64,
    /// Where it stands, if nothing stands before the archive.
    pub offset: u64,
}

impl End {
    /// Reads the end mark.
    pub(crate) fn read(bytes: &[u8]) -> Option<Self> {
        bytes.starts_with(END).then_some(())?;
        Some(Self {
            entries: u16_at(bytes, 10)?.into(),
            size: u32_at(bytes, 12)?.into(),
            offset: u32_at(bytes, 16)?.into(),
        })
    }

    /// Reads the end mark of large archives.
    pub(crate) fn read64(bytes: &[u8]) -> Option<Self> {
        bytes.starts_with(END64).then_some(())?;
        Some(Self { entries: u64_at(bytes, 32)?, size: u64_at(bytes, 40)?, offset: u64_at(bytes, 48)? })
    }

    /// Where the end mark of large archives stands.
    pub(crate) fn locate64(bytes: &[u8]) -> Option<u64> {
        bytes.starts_with(LOCATOR64).then_some(())?;
        u64_at(bytes, 8)
    }

    /// The end marks in the tail of an archive, the last one first.
    pub(crate) fn all(tail: &[u8]) -> impl Iterator<Item = usize> + '_ {
        memchr::memmem::rfind_iter(tail, END).filter(|at| tail.len() - at >= END_BYTES)
    }
}

/// The name of an entry with `/` between folders.
///
/// Decision: programs on Windows write `\`, so that is what it stands for, except where it begins an escape
/// of systemd (`dev-disk-by\x2duuid`): there two digits follow that stand for a character that needs one.
pub(crate) fn slashes(raw: &[u8]) -> Vec<u8> {
    let escape = |rest: &[u8]| {
        let digits = rest.get(1..3).and_then(|digits| std::str::from_utf8(digits).ok());
        let code =
            digits.filter(|_| rest.first() == Some(&b'x')).and_then(|digits| u8::from_str_radix(digits, 16).ok());
        code.is_some_and(|code| code.is_ascii_punctuation() || code == b' ')
    };
    let mut name = raw.to_vec();
    for (at, byte) in raw.iter().enumerate() {
        if *byte == b'\\' && !escape(&raw[at + 1..]) {
            name[at] = b'/';
        }
    }
    name
}

/// A method of compression by its name.
pub(crate) fn method_name(method: u16) -> String {
    let name = match method {
        1 => "Shrink",
        6 => "Implode",
        9 => "Deflate64",
        14 => "LZMA",
        98 => "PPMd",
        other => return format!("method {other}"),
    };
    name.to_owned()
}

/// A name for people, of what is no member.
pub(crate) fn shown(raw: &[u8]) -> String {
    name::safe(&slashes(raw)).text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn backslashes_are_folders_except_in_escapes() {
        let name = |text: &str| String::from_utf8(slashes(text.as_bytes())).unwrap();
        assert_eq!(name(r"nodes\cp-1\kubelet.log"), "nodes/cp-1/kubelet.log");
        assert_eq!(name(r"bin\x64\a"), "bin/x64/a");
        assert_eq!(name(r"run-r\x2duuid.mount"), r"run-r\x2duuid.mount");
        assert_eq!(name(r"a\"), "a/");
    }

    #[test]
    fn large_numbers_stand_in_the_extra_fields() {
        let mut header =
            Header { size: u64::from(u32::MAX), packed: 5, offset: u64::from(u32::MAX), ..Header::default() };
        let mut extra = vec![9, 9, 1, 0, 0, 1, 0, 16, 0];
        extra.extend((7u64 << 32).to_le_bytes());
        extra.extend((9u64 << 32).to_le_bytes());
        assert_eq!(header.extend(&extra), None);
        assert_eq!((header.size, header.packed, header.offset), (7 << 32, 5, 9 << 32));
    }
}
