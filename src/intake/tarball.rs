//! Tar archives as a stream, with salvage.
//!
//! Why not `tar::Archive`: it stops at the first damaged header, and it reads names of any length into
//! memory. The header fields are the crate's; the walk is ours.
//!
//! Invariants: nothing is extracted; links are listed, never followed; after a damaged header the next
//! valid one is searched for block by block.

use super::body::Cut;
use super::name;
use super::reading::{Place, Reading};
use super::sniff::{BLOCK, fill, has_ustar, valid_header};
use std::io::Read;
use tar::{EntryType, Header, PaxExtensions};

/// Bytes of a long name or of PAX records that are held; longer ones are skipped.
const EXTENSION_BYTES: u64 = 1 << 20;

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
        for record in PaxExtensions::new(records).flatten() {
            let value = record.value_bytes();
            match record.key_bytes() {
                b"path" => self.name = Some(value.to_vec()),
                b"linkpath" => self.link = Some(value.to_vec()),
                b"size" => self.size = std::str::from_utf8(value).ok().and_then(|text| text.parse().ok()),
                key if key.starts_with(b"GNU.sparse.") => self.sparse = true,
                _ => {}
            }
        }
    }
}

/// A long name as GNU tar writes it: with a NUL at its end.
fn until_nul(bytes: &[u8]) -> Vec<u8> {
    bytes.iter().copied().take_while(|b| *b != 0).collect()
}

/// What an entry is, if it is not a file, in words.
fn special(kind: EntryType, link: &[u8]) -> Option<String> {
    match kind {
        EntryType::Regular | EntryType::Continuous => None,
        EntryType::Symlink => Some(format!("symbolic link to `{}`", name::shown(link))),
        EntryType::Link => Some(format!("hard link to `{}`", name::shown(link))),
        EntryType::Char => Some("character device".to_owned()),
        EntryType::Block => Some("block device".to_owned()),
        EntryType::Fifo => Some("FIFO".to_owned()),
        EntryType::GNUSparse => Some("sparse file: pack it again without `--sparse`".to_owned()),
        other => Some(format!("entry of the unknown type {:?}", char::from(other.as_byte()))),
    }
}

impl Reading<'_> {
    /// Reads a tar archive to its end, or as far as it goes.
    pub(super) fn tar(&mut self, place: &Place, source: &mut dyn Read) {
        let mut block = [0; BLOCK];
        let mut at: u64 = 0;
        let mut extension = Extension::default();
        let mut last: Option<String> = None;
        let (mut ended, mut searching) = (false, false);
        while !self.stopped() {
            let (filled, error) = fill(source, &mut block);
            let here = at;
            at += filled as u64;
            if let Some(error) = error {
                self.broke(place, &Cut::from_error(&error), last.as_deref());
                return;
            }
            if filled < BLOCK {
                if !ended {
                    let text = if filled == 0 { "the archive has no end mark" } else { "the archive ends early" };
                    self.broke(place, &Cut::Damage(text.to_owned()), last.as_deref());
                }
                return;
            }
            if block.iter().all(|b| *b == 0) {
                // Archives that were appended to each other have such blocks in between.
                ended = true;
                self.spend(BLOCK as u64);
                continue;
            }
            let header = Header::from_byte_slice(&block);
            let size = header.entry_size();
            let valid = valid_header(&block) && (has_ustar(&block) || !(ended || searching));
            let (true, Ok(size)) = (valid, size) else {
                if !(ended || searching) {
                    searching = true;
                    self.damage(
                        &place.prefix,
                        format!("the header of the entry at byte {here} is damaged; reading went on at the next entry"),
                    );
                }
                extension = Extension::default();
                self.spend(BLOCK as u64);
                continue;
            };
            (ended, searching) = (false, false);

            let kind = header.entry_type();
            let size = if is_extension(kind) { size } else { extension.size.unwrap_or(size) };
            let padding = (BLOCK as u64 - size % BLOCK as u64) % BLOCK as u64;
            let mut body = source.take(size);
            if is_extension(kind) {
                if let Some(bytes) = self.extension_bytes(place, &mut body, size) {
                    match kind {
                        EntryType::GNULongName => extension.name = Some(until_nul(&bytes)),
                        EntryType::GNULongLink => extension.link = Some(until_nul(&bytes)),
                        EntryType::XHeader => extension.pax(&bytes),
                        _ => {}
                    }
                }
            } else {
                let extension = std::mem::take(&mut extension);
                let raw = extension.name.unwrap_or_else(|| header.path_bytes().into_owned());
                let link =
                    extension.link.or_else(|| header.link_name_bytes().map(|l| l.into_owned())).unwrap_or_default();
                let kind = if extension.sparse { EntryType::GNUSparse } else { kind };
                // The first tar format marks a folder by the slash alone.
                if kind != EntryType::Directory
                    && !raw.ends_with(b"/")
                    && let Some(name) = self.admit(&place.prefix, &raw)
                {
                    match special(kind, &link) {
                        Some(what) => self.list(&name, what),
                        None => {
                            self.open(&Place::inside(name.clone(), place.level + 1, Some(size)), &mut body);
                            last = Some(name);
                        }
                    }
                }
            }
            let left = body.limit();
            at = at.saturating_add(size).saturating_add(padding);
            let wanted = left.saturating_add(padding);
            let (skipped, cut) = self.skip(source, wanted);
            if self.stopped() {
                return;
            }
            // An archive may end right after its last byte of content, without padding.
            if cut.is_some() || skipped < left {
                let cut = cut.unwrap_or_else(|| Cut::Damage("the archive ends early".to_owned()));
                self.broke(place, &cut, last.as_deref());
                return;
            }
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
}

/// Whether an entry only says something about the next one.
fn is_extension(kind: EntryType) -> bool {
    matches!(kind, EntryType::GNULongName | EntryType::GNULongLink | EntryType::XHeader | EntryType::XGlobalHeader)
}
