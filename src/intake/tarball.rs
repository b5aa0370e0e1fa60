//! Tar archives as a stream, with salvage.
//!
//! Why not `tar::Archive`: it stops at the first damaged header, and it reads names of any length into
//! memory. The header fields are the crate's; the walk is ours.
//!
//! Invariants: nothing is extracted; links are noted, never followed here; after a damaged header the next
//! valid one is searched for, wherever it stands.

use crate::blocks::{Blocks, Entry};
use crate::left_out::{Special, WhyLeftOut};
use crate::links::LinkKind;
use crate::reading::{Place, Reading};
use crate::sniff::{BLOCK, fill, has_ustar, valid_header};
use facts::cut::{Cut, Damage};
use std::io::Read;
use tar::{EntryType, Header, PaxExtensions};

/// Bytes of a long name or of PAX records that are held; longer ones are skipped.
const EXTENSION_BYTES: u64 = 1 << 20;
/// Bytes that are looked at in one go when a header is searched for.
const SEARCH_BYTES: usize = 4 << 10;
/// In the header of GNU's sparse files, says that a block with more of its map follows.
const SPARSE_EXTENDED: usize = 482;
/// The same in such a block.
const SPARSE_EXTENDED_AGAIN: usize = 504;

/// What entries before the next one said about it.
#[derive(Debug, Default)]
struct Extension {
    name: Option<Vec<u8>>,
    link: Option<Vec<u8>>,
    size: Option<u64>,
    sparse: bool,
}

impl Extension {
    /// Reads the records of a PAX header; what is damaged in them is left out.
    fn pax(&mut self, records: &[u8]) {
        let mut real = None;
        for record in PaxExtensions::new(records).flatten() {
            let value = record.value_bytes();
            match record.key_bytes() {
                b"path" => self.name = Some(value.to_vec()),
                b"linkpath" => self.link = Some(value.to_vec()),
                b"size" => self.size = std::str::from_utf8(value).ok().and_then(|text| text.parse().ok()),
                // The path of a sparse file is made up, so that others do not take it for the file.
                b"GNU.sparse.name" => real = Some(value.to_vec()),
                _ => {}
            }
            self.sparse |= record.key_bytes().starts_with(b"GNU.sparse.");
        }
        self.name = real.or(self.name.take());
    }
}

/// What the walk has seen.
#[derive(Debug, Default)]
struct Walk {
    /// The last member that was begun.
    last: Option<String>,
    /// Members that were content, and those of them after which a byte too much was counted.
    plain: u64,
    one_too_long: u64,
    /// Headers stood where a size one too large leaves no room for them.
    out_of_step: bool,
}

/// A long name as GNU tar writes it: with a NUL at its end.
fn until_nul(bytes: &[u8]) -> Vec<u8> {
    bytes.iter().copied().take_while(|b| *b != 0).collect()
}

/// What an entry is, if it is neither a file nor a link.
fn special(kind: EntryType) -> Option<Special> {
    match kind {
        EntryType::Regular | EntryType::Continuous => None,
        EntryType::Char => Some(Special::CharacterDevice),
        EntryType::Block => Some(Special::BlockDevice),
        EntryType::Fifo => Some(Special::Fifo),
        EntryType::GNUSparse => Some(Special::Sparse),
        other => Some(Special::Type(other.as_byte())),
    }
}

impl Reading<'_> {
    /// Reads a tar archive to its end, or as far as it goes.
    pub(super) fn tar(&mut self, place: &Place, source: &mut dyn Read) {
        let mut walk = Walk::default();
        if let Some(cut) = self.tar_entries(place, &mut Blocks::new(source), &mut walk) {
            self.broke(place, &cut, walk.last.as_deref());
        }
        if walk.one_too_long > 0 && (walk.out_of_step || walk.one_too_long == walk.plain) {
            let text = format!(
                "the sizes in it are one too large, as crust-gather writes them; the NUL byte after each of {} members was left out",
                walk.one_too_long
            );
            self.damage(&place.prefix, text);
        }
    }

    /// Reads entry by entry; gives why the archive ended before its end.
    fn tar_entries(&mut self, place: &Place, blocks: &mut Blocks<'_>, walk: &mut Walk) -> Option<Cut> {
        let mut block = [0; BLOCK];
        let mut extension = Extension::default();
        let (mut ended, mut searched) = (false, false);
        while !self.stopped() {
            let here = blocks.position();
            let (filled, error) = fill(blocks, &mut block);
            if let Some(error) = error {
                return Some(Cut::from_error(&error));
            }
            if filled < BLOCK {
                let damage = if filled == 0 { Damage::NoEndMark } else { Damage::ArchiveEnds };
                return (!ended).then_some(Cut::Damage(damage));
            }
            if block.iter().all(|b| *b == 0) {
                // Archives that were appended to each other have such blocks in between.
                ended = true;
                self.spend(BLOCK as u64);
                continue;
            }
            let header = Header::from_byte_slice(&block);
            let known = valid_header(&block) && (has_ustar(&block) || !(ended || searched));
            let (true, Ok(size)) = (known, header.entry_size()) else {
                blocks.give_back(&block);
                let found = self.next_header(blocks);
                // What follows the end of an archive is no damage.
                if !ended {
                    let next = match found {
                        Some(next) => format!("reading went on at byte {next}"),
                        None => "nothing behind it could be read".to_owned(),
                    };
                    self.damage(&place.prefix, format!("the header of the entry at byte {here} is damaged; {next}"));
                }
                found?;
                extension = Extension::default();
                searched = true;
                continue;
            };
            (ended, searched) = (false, false);

            let kind = header.entry_type();
            if kind == EntryType::GNUSparse {
                self.rest_of_sparse_header(blocks, block[SPARSE_EXTENDED] != 0);
            }
            let size = if is_extension(kind) { size } else { extension.size.unwrap_or(size) };
            let mut entry = Entry::new(blocks, size, self.limits().total_bytes, is_extension(kind));
            if is_extension(kind) {
                if let Some(bytes) = self.extension_bytes(place, &mut entry, size) {
                    match kind {
                        EntryType::GNULongName => extension.name = Some(until_nul(&bytes)),
                        EntryType::GNULongLink => extension.link = Some(until_nul(&bytes)),
                        EntryType::XHeader => extension.pax(&bytes),
                        _ => {}
                    }
                }
            } else {
                self.tar_entry(place, header, std::mem::take(&mut extension), &mut entry, walk);
            }
            let (_, mut cut) = self.skip(&mut entry, u64::MAX);
            let (whole, short, padding) = (entry.is_whole(), entry.short(), entry.padding());
            walk.out_of_step |= entry.out_of_step();
            if entry.lied() {
                let next = blocks.position();
                self.damage(
                    &place.prefix,
                    format!("the entry at byte {here} states {size} bytes, and another begins within them; reading went on at byte {next}"),
                );
                continue;
            }
            if cut.is_none() && whole {
                // An archive may end right after its last byte of content, without padding.
                cut = self.skip(blocks, padding).1;
            }
            if self.stopped() {
                return None;
            }
            if short {
                return Some(Cut::Damage(Damage::ArchiveEnds));
            }
            if cut.is_some() {
                return cut;
            }
        }
        None
    }

    /// One entry that is no mere extension of the next.
    fn tar_entry(
        &mut self,
        place: &Place,
        header: &Header,
        extension: Extension,
        entry: &mut Entry<'_, '_>,
        walk: &mut Walk,
    ) {
        let raw = extension.name.unwrap_or_else(|| header.path_bytes().into_owned());
        let kind = if extension.sparse { EntryType::GNUSparse } else { header.entry_type() };
        // The first tar format marks a folder by the slash alone.
        if kind == EntryType::Directory || raw.ends_with(b"/") {
            return;
        }
        let Some(name) = self.admit(&place.prefix, &raw) else { return };
        let link = || extension.link.or_else(|| header.link_name_bytes().map(|l| l.into_owned())).unwrap_or_default();
        match kind {
            EntryType::Symlink => self.link(&place.prefix, &name, LinkKind::Symbolic, &link()),
            EntryType::Link => self.link(&place.prefix, &name, LinkKind::Hard, &link()),
            _ => match special(kind) {
                Some(what) => self.list(&name, WhyLeftOut::Special(what)),
                None => {
                    let (members, trimmed) = (self.count(), self.trimmed());
                    self.open(&Place::in_tar(name.clone(), place.level + 1), entry);
                    if self.count() == members + 1 {
                        walk.plain += 1;
                        walk.one_too_long += u64::from(self.trimmed() > trimmed || entry.out_of_step());
                    }
                    walk.last = Some(name);
                }
            },
        }
    }

    fn extension_bytes(&mut self, place: &Place, body: &mut dyn Read, size: u64) -> Option<Vec<u8>> {
        if size > EXTENSION_BYTES {
            self.damage(&place.prefix, format!("a name of {size} bytes was left out; its entry has a shorter one"));
            return None;
        }
        let mut bytes = vec![0; usize::try_from(size).ok()?];
        let (filled, _) = fill(body, &mut bytes);
        (filled == bytes.len()).then_some(bytes)
    }

    /// The blocks with the rest of the map of a sparse file stand between its header and its content.
    fn rest_of_sparse_header(&mut self, blocks: &mut Blocks<'_>, mut more: bool) {
        let mut block = [0; BLOCK];
        while more && !self.stopped() {
            let (filled, _) = fill(blocks, &mut block);
            self.spend(filled as u64);
            more = filled == BLOCK && block[SPARSE_EXTENDED_AGAIN] != 0;
        }
    }

    /// Goes to the next header with the `ustar` magic, wherever it stands, and gives its place.
    fn next_header(&mut self, blocks: &mut Blocks<'_>) -> Option<u64> {
        let ustar = memchr::memmem::Finder::new(b"ustar");
        let mut window = Vec::new();
        // The block at the start is no header, so the search begins behind its first byte.
        let mut from = 1;
        while !self.stopped() {
            let kept = window.len();
            window.resize(kept + SEARCH_BYTES, 0);
            let (filled, _) = fill(blocks, &mut window[kept..]);
            window.truncate(kept + filled);
            self.spend(filled as u64);
            for magic in ustar.find_iter(&window) {
                let Some(start) = magic.checked_sub(257).filter(|start| *start >= from) else { continue };
                let Some(block) = window.get(start..).and_then(|rest| rest.first_chunk::<BLOCK>()) else { continue };
                if valid_header(block) {
                    blocks.give_back(&window[start..]);
                    return Some(blocks.position());
                }
            }
            if filled == 0 {
                break;
            }
            // A header may begin in what was read and end in what was not.
            let gone = window.len().saturating_sub(BLOCK - 1);
            window.drain(..gone);
            from = from.saturating_sub(gone);
        }
        None
    }
}

/// Whether an entry only says something about the next one.
fn is_extension(kind: EntryType) -> bool {
    matches!(kind, EntryType::GNULongName | EntryType::GNULongLink | EntryType::XHeader | EntryType::XGlobalHeader)
}
