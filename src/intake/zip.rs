//! Zip archives: by their directory, and by the headers before the entries where that is lost.
//!
//! Why not `zip::ZipArchive`: it keeps one of several entries of one name, holds the whole directory, and
//! stops where that is cut. The records are few and plain; decompression is the crates'.
//!
//! Invariants: an entry is read at most once; entries whose bytes overlap are one archive bomb and are read
//! once; memory does not follow the size of the archive, apart from two numbers for each entry; a link is
//! noted, never followed here.

use crate::decode::{Compression, Decoded};
use crate::left_out::{Special, Step, WhyLeftOut};
use crate::links::LinkKind;
use crate::reading::{Place, Reading};
use crate::sniff::fill;
use crate::zip_records::{
    CENTRAL, CENTRAL_BYTES, DESCRIPTOR, END, END64_BYTES, End, Header, LOCAL, LOCAL_BYTES, LOCATOR64_BYTES,
    method_name, shown, slashes,
};
use facts::cut::{Cut, Damage};
use facts::limit::Limit;
use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Read, Seek, SeekFrom};

/// Bytes at the end in which the end mark is searched: the mark, its longest comment, and some padding.
const TAIL_BYTES: u64 = (64 << 10) + (4 << 10);
/// End marks that are looked at: a comment may be full of them.
const MARKS: usize = 16;
/// Bytes that are looked at in one go when a header is searched for.
const SEARCH_BYTES: usize = 64 << 10;
/// Bytes of the target of a link.
const LINK_BYTES: u64 = 4 << 10;

/// What can be read from anywhere.
pub(crate) trait Jumping: Read + Seek {}
impl<T: Read + Seek> Jumping for T {}

/// An archive while it is read.
struct Archive<'s> {
    source: &'s mut dyn Jumping,
    length: u64,
    /// Where entries that were read begin and end.
    read: BTreeMap<u64, u64>,
    last: Option<String>,
}

impl Archive<'_> {
    /// So many bytes from a place, or as many as there are.
    fn bytes(&mut self, at: u64, count: usize) -> io::Result<Vec<u8>> {
        // Archives state places that no file has.
        if at >= self.length {
            return Ok(Vec::new());
        }
        let mut bytes = vec![0; count];
        self.source.seek(SeekFrom::Start(at))?;
        let (filled, error) = fill(self.source, &mut bytes);
        bytes.truncate(filled);
        error.map_or(Ok(bytes), Err)
    }

    /// Whether bytes belong to an entry that was read; if not, they do now.
    fn overlaps(&mut self, from: u64, to: u64) -> bool {
        let before = self.read.range(..to).next_back().is_some_and(|(_, end)| *end > from);
        if !before {
            self.read.insert(from, to);
        }
        before
    }
}

/// Where the directory stands.
struct Directory {
    start: u64,
    /// What is to be added to the places that it states; archives may stand behind something else.
    shift: i128,
    entries: u64,
}

impl Reading<'_> {
    /// Reads a zip archive, by its directory if there is one.
    pub(super) fn zip(&mut self, place: &Place, source: &mut dyn Jumping) {
        let length = match source.seek(SeekFrom::End(0)) {
            Ok(length) => length,
            Err(error) => return self.list(&place.name, WhyLeftOut::Refused(Step::Read, error.to_string())),
        };
        let mut archive = Archive { source, length, read: BTreeMap::new(), last: None };
        let read = match directory(&mut archive) {
            Ok(Some(directory)) => self.zip_directory(place, &mut archive, &directory),
            Ok(None) => {
                let text =
                    "the directory at the end of the zip is missing or damaged; its entries were searched one by one";
                self.damage(&place.prefix, text);
                self.zip_headers(place, &mut archive)
            }
            Err(error) => Err(error),
        };
        if let Err(error) = read {
            self.broke(place, &Cut::from_error(&error), archive.last.as_deref());
        }
    }

    /// Reads the entries of the directory; if it is damaged, the rest by their own headers.
    fn zip_directory(&mut self, place: &Place, archive: &mut Archive<'_>, directory: &Directory) -> io::Result<()> {
        let mut at = directory.start;
        let mut number: u64 = 0;
        let mut lost = Vec::new();
        // Archives of more than 65,535 entries may state the number modulo that.
        while !self.stopped() {
            let fixed = archive.bytes(at, CENTRAL_BYTES)?;
            let Some(mut header) = Header::central(&fixed) else { break };
            let names = archive.bytes(at + CENTRAL_BYTES as u64, header.name_bytes + header.extra_bytes)?;
            let (name, extra) = names.split_at(header.name_bytes.min(names.len()));
            let name = header.extend(extra).unwrap_or_else(|| name.to_vec());
            at += (CENTRAL_BYTES + header.name_bytes + header.extra_bytes + header.comment_bytes) as u64;
            number += 1;
            let shifted = u64::try_from(i128::from(header.offset) + directory.shift).ok();
            if !self.zip_listed(place, archive, &header, &name, [shifted, Some(header.offset)])? {
                lost.push(name);
            }
        }
        if !self.stopped() && number < directory.entries {
            let all = directory.entries;
            let text = format!(
                "the directory of the zip is damaged after {number} of {all} entries; the others were searched one by one"
            );
            self.damage(&place.prefix, text);
            self.zip_headers(place, archive)?;
        } else if !self.stopped() && !lost.is_empty() {
            self.zip_lost(place, archive, &lost)?;
        }
        Ok(())
    }

    /// Searches entries that are not where the directory says, and lists those that are nowhere.
    fn zip_lost(&mut self, place: &Place, archive: &mut Archive<'_>, lost: &[Vec<u8>]) -> io::Result<()> {
        let first = lost.first().map(|name| format!("{}{}", place.prefix, shown(name))).unwrap_or_default();
        let text = match lost.len() {
            1 => format!("the content of `{first}` is not where the directory of the zip says"),
            all => format!(
                "the content of {all} entries, the first of them `{first}`, is not where the directory of the zip says"
            ),
        };
        self.damage(&place.prefix, text);
        let before = self.count();
        self.zip_headers(place, archive)?;
        let found: BTreeSet<String> = self.names_from(before).map(str::to_owned).collect();
        for name in lost {
            let full = format!("{}{}", place.prefix, shown(name));
            let is_it = |found: &String| {
                found.strip_prefix(&full).is_some_and(|rest| rest.is_empty() || rest.starts_with("!/"))
            };
            if !found.range(full.clone()..).take(2).any(is_it) {
                self.list(&full, WhyLeftOut::NotThere);
            }
        }
        Ok(())
    }

    /// An entry of the directory, which stands at one of these places; says whether it does.
    fn zip_listed(
        &mut self,
        place: &Place,
        archive: &mut Archive<'_>,
        header: &Header,
        name: &[u8],
        places: [Option<u64>; 2],
    ) -> io::Result<bool> {
        for start in places.into_iter().flatten() {
            if let Some(local) = Header::local(&archive.bytes(start, LOCAL_BYTES)?) {
                let data = start + (LOCAL_BYTES + local.name_bytes + local.extra_bytes) as u64;
                self.zip_entry(place, archive, header, name, start..data, Some(header.packed))?;
                return Ok(true);
            }
        }
        Ok(is_folder(name))
    }

    /// Reads entries by the headers before them, from the start of the archive on; those that were read
    /// already are left out.
    fn zip_headers(&mut self, place: &Place, archive: &mut Archive<'_>) -> io::Result<()> {
        let mut at = 0;
        while !self.stopped() {
            let Some(start) = next_mark(archive, at, &[LOCAL])? else { break };
            if let Some(end) = archive.read.get(&start) {
                at = (*end).max(start + 1);
                continue;
            }
            let fixed = archive.bytes(start, LOCAL_BYTES)?;
            let Some(mut header) = Header::local(&fixed) else { break };
            let names = archive.bytes(start + LOCAL_BYTES as u64, header.name_bytes + header.extra_bytes)?;
            let (name, extra) = names.split_at(header.name_bytes.min(names.len()));
            if header.name_bytes == 0 || names.len() < header.name_bytes + header.extra_bytes {
                at = start + 1;
                continue;
            }
            let name = header.extend(extra).unwrap_or_else(|| name.to_vec());
            let data = start + (LOCAL_BYTES + header.name_bytes + header.extra_bytes) as u64;
            let packed = match header.is_streamed() {
                false => Some(header.packed),
                true if header.packed > 0 => Some(header.packed),
                // The sizes of what was written as a stream stand behind it, and the end of what is stored
                // can be found by them alone.
                true if header.method == 0 => Some(stored_size(archive, data)?),
                true => None,
            };
            at = self.zip_entry(place, archive, &header, &name, start..data, packed)?.max(start + 1);
        }
        Ok(())
    }

    /// Reads one entry: its header and name stand at `head`, its content behind that. Gives where it ends.
    fn zip_entry(
        &mut self,
        place: &Place,
        archive: &mut Archive<'_>,
        header: &Header,
        raw: &[u8],
        head: std::ops::Range<u64>,
        packed: Option<u64>,
    ) -> io::Result<u64> {
        let data = head.end;
        // What is larger than the archive is a lie; where it ends is seen by its content.
        let mut packed = packed.filter(|packed| data.saturating_add(*packed) <= archive.length);
        if packed.is_none() && header.method == 0 {
            packed = Some(stored_size(archive, data)?);
        }
        let stated_end = packed.map_or(data, |packed| data.saturating_add(packed));
        if archive.overlaps(head.start, stated_end.max(head.start + 1)) {
            let full = format!("{}{}", place.prefix, shown(raw));
            self.list(&full, WhyLeftOut::SharedBytes);
            self.limit(Limit::SharedBytes, &full);
            return Ok(stated_end);
        }
        if is_folder(raw) {
            return Ok(stated_end);
        }
        let Some(name) = self.admit(&place.prefix, &slashes(raw)) else { return Ok(stated_end) };
        let compression = match header.method {
            0 => None,
            8 => Some(Compression::Deflate),
            12 => Some(Compression::Bzip2),
            93 => Some(Compression::Zstd),
            95 => Some(Compression::Xz),
            other => {
                self.list(&name, WhyLeftOut::Compression(method_name(other)));
                return Ok(stated_end);
            }
        };
        if header.is_encrypted() {
            self.list(&name, WhyLeftOut::Encrypted);
            return Ok(stated_end);
        }
        archive.source.seek(SeekFrom::Start(data))?;
        // What was read already is not read again.
        let next = archive.read.range(head.start + 1..).next().map_or(archive.length, |(start, _)| *start);
        let there = next.saturating_sub(data);
        let stated = packed.unwrap_or(there);
        let source = (&mut *archive.source).take(stated);
        // The header before what was written as a stream states neither size nor checksum.
        let unproven = header.is_streamed() && header.crc == 0;
        let proof = (!unproven).then_some((header.size, header.crc));
        let mut taken = None;
        let content: Box<dyn Read + '_> = match compression {
            None => Box::new(source),
            Some(compression) => {
                let decoded = Decoded::new(compression, source, self.all());
                taken = Some(decoded.taken());
                Box::new(decoded)
            }
        };
        let mut content = Proven { content, proof, bytes: 0, crc: flate2::Crc::new() };
        match header.unix_type() {
            Some(0o120_000) => {
                let mut target = Vec::new();
                match (&mut content).take(LINK_BYTES).read_to_end(&mut target) {
                    Ok(_) => self.link(&place.prefix, &name, LinkKind::Symbolic, &target),
                    Err(error) => self.list(&name, WhyLeftOut::BrokenLink(Cut::from_error(&error))),
                }
            }
            Some(0o100_000) | None => {
                self.open(&Place::inside(name.clone(), place.level + 1), &mut content);
                archive.last = Some(name);
            }
            Some(0o010_000) => self.list(&name, WhyLeftOut::Special(Special::Fifo)),
            Some(0o020_000) => self.list(&name, WhyLeftOut::Special(Special::CharacterDevice)),
            Some(0o060_000) => self.list(&name, WhyLeftOut::Special(Special::BlockDevice)),
            Some(_) => self.list(&name, WhyLeftOut::Special(Special::Other)),
        }
        drop(content);
        let end = match (packed, taken) {
            (None, Some(taken)) => data.saturating_add(taken.get()),
            _ => stated_end,
        };
        archive.read.insert(head.start, end);
        Ok(end)
    }
}

/// A folder has a slash at the end of its name.
fn is_folder(name: &[u8]) -> bool {
    name.ends_with(b"/") || name.ends_with(b"\\")
}

/// Finds the directory by the last end mark that has one; `None` if there is none. A comment may hold other marks.
fn directory(archive: &mut Archive<'_>) -> io::Result<Option<Directory>> {
    let tail_start = archive.length.saturating_sub(TAIL_BYTES);
    let tail = archive.bytes(tail_start, usize::try_from(archive.length - tail_start).unwrap_or_default())?;
    for found in End::all(&tail).take(MARKS) {
        let Some(end) = tail.get(found..).and_then(End::read) else { continue };
        if let Some(directory) = directory_of(archive, tail_start + found as u64, end)? {
            return Ok(Some(directory));
        }
    }
    Ok(None)
}

/// The directory of an end mark.
fn directory_of(archive: &mut Archive<'_>, mut mark: u64, mut end: End) -> io::Result<Option<Directory>> {
    if let Some(locator) = mark.checked_sub(LOCATOR64_BYTES as u64)
        && let Some(stated) = End::locate64(&archive.bytes(locator, LOCATOR64_BYTES)?)
    {
        let direct = locator.checked_sub(END64_BYTES as u64);
        for at in [Some(stated), direct].into_iter().flatten() {
            if let Some(end64) = End::read64(&archive.bytes(at, END64_BYTES)?) {
                (end, mark) = (end64, at);
                break;
            }
        }
    }
    if mark == 0 && end.entries == 0 && end.size == 0 {
        return Ok(Some(Directory { start: mark, shift: 0, entries: 0 }));
    }
    for start in [mark.checked_sub(end.size), Some(end.offset)].into_iter().flatten() {
        if start < mark && archive.bytes(start, CENTRAL.len())? == CENTRAL {
            let shift = i128::from(start) - i128::from(end.offset);
            return Ok(Some(Directory { start, shift, entries: end.entries }));
        }
    }
    Ok(None)
}

/// The next place at or behind `from` where one of some marks stands.
fn next_mark(archive: &mut Archive<'_>, from: u64, marks: &[&[u8; 4]]) -> io::Result<Option<u64>> {
    let mut at = from;
    while at < archive.length {
        let window = archive.bytes(at, SEARCH_BYTES)?;
        let found = memchr::memmem::find_iter(&window, b"PK")
            .find(|start| window.get(*start..*start + 4).is_some_and(|mark| marks.iter().any(|m| mark == *m)));
        if let Some(start) = found {
            return Ok(Some(at + start as u64));
        }
        if window.len() < SEARCH_BYTES {
            break;
        }
        // A mark may begin in one window and end in the next.
        at += (window.len() - 3) as u64;
    }
    Ok(None)
}

/// The size of an entry that is stored as it is and was written as a stream: up to the sizes behind it that
/// agree with where they stand, or to the next record, or to the end.
fn stored_size(archive: &mut Archive<'_>, data: u64) -> io::Result<u64> {
    let mut at = data;
    while let Some(mark) = next_mark(archive, at, &[DESCRIPTOR, LOCAL, CENTRAL, END])? {
        let bytes = archive.bytes(mark, 12)?;
        let size = mark - data;
        let agrees = bytes.get(8..12).is_some_and(|packed| packed == (size as u32).to_le_bytes());
        if !bytes.starts_with(DESCRIPTOR) || agrees {
            return Ok(size);
        }
        at = mark + 1;
    }
    Ok(archive.length.saturating_sub(data))
}

/// Content that is compared at its end with what the archive says of it.
struct Proven<R> {
    content: R,
    proof: Option<(u64, u32)>,
    bytes: u64,
    crc: flate2::Crc,
}

impl<R: Read> Read for Proven<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.content.read(buffer)?;
        self.bytes += count as u64;
        self.crc.update(&buffer[..count]);
        match self.proof {
            Some((size, crc)) if count == 0 && !buffer.is_empty() => {
                if self.bytes < size {
                    return Err(Cut::Damage(Damage::Short(self.bytes, size)).into());
                }
                if self.crc.sum() != crc {
                    return Err(Cut::Damage(Damage::Checksum).into());
                }
                Ok(0)
            }
            _ => Ok(count),
        }
    }
}
