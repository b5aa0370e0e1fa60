//! From a bundle to its members, as a stream: directories, single files, standard input, archives.
//!
//! Why: a bundle is hostile until proven otherwise. Nothing is ever extracted to disk, every size is
//! bounded, and damage costs what lies behind it, not what lies before it.
//!
//! Invariants: a member is handed on exactly once, with a safe name; a link to it is another name of it, in
//! [`Intake::links`]; what is not handed on is listed in [`Intake::unread`] with its reason; the order of
//! members means nothing to later layers.

mod blocks;
mod body;
mod decode;
pub mod error;
mod folder;
mod handover;
pub mod left_out;
pub mod limits;
pub mod links;
mod name;
mod names;
mod reading;
mod sniff;
mod tarball;
mod tree;
mod zip;
mod zip_records;

pub use error::Error;
pub use handover::{Handed, Handover};
pub use left_out::{Special, Step, WhyLeftOut};
pub use limits::{Deadline, Limits};
pub use links::{Dead, Link, LinkKind};

use decode::Yield;
use facts::cut::Cut;
use facts::limit::Limit;
use facts::origin::MemberId;
use facts::outside::Outside;
use reading::{Place, Reading};
use sniff::Peeked;
use std::io::Read;
use std::path::PathBuf;

/// What the user named on the command line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Source {
    /// A directory, an archive or a single file.
    Path(PathBuf),
    /// Standard input, `-`.
    Stdin,
}

/// One member after it was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Member {
    /// Its number; unique over all bundles of a run.
    pub id: MemberId,
    /// Its name: path inside the bundle without the common root folder, `/` between folders, nested
    /// archives joined with `!/`.
    pub name: String,
    /// Bytes read.
    pub bytes: u64,
    /// SHA-256 of the bytes read.
    pub sha256: [u8; 32],
    /// Why reading stopped before the end, if it did.
    pub cut: Option<Cut>,
}

/// A bundle after it was read.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Intake {
    /// The bundle's name without folders; `stdin` for standard input.
    pub name: String,
    /// The common root folder that was stripped off all names, with `/` at its end; empty if there was none.
    pub root: String,
    /// Members sorted by name, then hash.
    pub members: Vec<Member>,
    /// Other names of members: links inside the bundle, sorted. Their content is read once, as the member.
    pub links: Vec<Link>,
    /// Entries that were not handed on: name and reason (links that lead nowhere, devices, limits), sorted.
    pub unread: Vec<(String, WhyLeftOut)>,
    /// Limits that were reached, and the member if one.
    pub limits_hit: Vec<(Limit, Option<String>)>,
    /// Damage that was worked around, in sentences.
    pub damage: Vec<String>,
}

/// What takes the members as they stream past.
pub trait Visitor {
    /// Takes one member. `name` is its full name in the bundle (the common root folder is not yet known
    /// and still in it). `body` ends at the member's end, at damage, or at a limit; what the visitor
    /// leaves unread is drained and hashed by the intake.
    fn member(&mut self, id: MemberId, name: &str, body: &mut dyn Read);

    /// Says how far the bundle is, before a member of it: bytes of its file, and how many there are. Only where it is a
    /// file whose size is known.
    fn part(&mut self, _done: u64, _of: u64) {}

    /// Says that a member ended before its time, after [`Visitor::member`] returned.
    fn cut(&mut self, id: MemberId, cut: &Cut);

    /// Does anybody want what follows? Asked after each member: if not, the rest of the bundle stays unread, and with it the
    /// rest of this member, so that neither its hash nor the list of members says anything.
    fn goes_on(&self) -> bool {
        true
    }
}

/// Reads one bundle to its end.
///
/// What a stream is, its first bytes decide: a tar or zip archive, a compression (of an archive or of one
/// file), or content. `next_id` is the number of the first member, and is moved on.
///
/// A limit across members (all bytes, number of members) ends the reading of an archive where it is
/// reached, in the order of the archive; of a directory in the order of names.
///
/// # Errors
/// Only if nothing at all could be read (no such file, no permission, no member). Damage inside is in
/// the result.
pub fn read(source: &Source, limits: &Limits, next_id: &mut u32, visitor: &mut dyn Visitor) -> Result<Intake, Error> {
    let name = bundle_name(source);
    let mut reading = Reading::new(name.clone(), limits, next_id, visitor);
    let mut empty = false;
    match source {
        Source::Stdin => empty = open(&mut reading, &name, &mut std::io::stdin().lock())?,
        Source::Path(path) => {
            let failed = |source| Error::Open { path: path.clone(), source };
            let seen = std::fs::metadata(path).map_err(failed)?;
            if seen.is_dir() {
                reading.folder(path).map_err(failed)?;
            } else {
                let mut file = tree::open_named(path, &seen).map_err(failed)?;
                match file.metadata().map_err(failed)? {
                    meta if !meta.is_file() => empty = open(&mut reading, &name, &mut file)?,
                    meta if meta.len() == 0 => empty = true,
                    meta => {
                        reading.whole = file.try_clone().ok().map(|file| (file, meta.len()));
                        reading.open_file(&Place::bundle(&name), &mut file).map_err(failed)?;
                    }
                }
            }
        }
    }
    let intake = reading.finish();
    let hollow = intake.members.iter().all(|member| member.bytes == 0);
    if empty || hollow {
        let unread =
            intake.unread.first().map(|(name, reason)| format!("`{}` was not read: {reason}", Outside::name(name)));
        let limit = intake.limits_hit.first().map(|(limit, _)| format!("limit {}: {limit}", limit.name()));
        let reason = if empty { Some("it has no bytes at all".to_owned()) } else { intake.damage.first().cloned() };
        let reason = reason.or(limit).or(unread).unwrap_or_else(|| match intake.members.len() {
            0 => "it holds no files".to_owned(),
            1 => "the only file in it is empty".to_owned(),
            files => format!("all {files} files in it are empty"),
        });
        return Err(Error::Nothing { name: Outside::name(&name), reason: reason.into() });
    }
    Ok(intake)
}

/// Opens the bundle itself; says whether it is empty.
fn open(reading: &mut Reading<'_>, name: &str, source: &mut dyn Read) -> Result<bool, Error> {
    let mut source = Peeked::new(Counted { source, all: reading.all(), ended: false });
    if let Some(error) = source.failed() {
        return Err(Error::Nothing { name: Outside::name(name), reason: format!("reading failed: {error}").into() });
    }
    let empty = source.head().is_empty();
    if !empty {
        reading.open(&Place::bundle(name), &mut source);
    }
    Ok(empty)
}

/// A stream whose bytes are those of the bundle itself. A terminal can be read on behind its end: whoever pasted into it
/// would have to end it twice.
struct Counted<'a> {
    source: &'a mut dyn Read,
    all: Yield,
    ended: bool,
}

impl Read for Counted<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        if self.ended {
            return Ok(0);
        }
        let count = self.source.read(buffer)?;
        self.ended = count == 0 && !buffer.is_empty();
        self.all.pack(count as u64);
        Ok(count)
    }
}

/// The bundle's name: the last part of its path, of `.` that of the folder it stands for.
fn bundle_name(source: &Source) -> String {
    let Source::Path(path) = source else { return "stdin".to_owned() };
    let own = path.file_name().map(|name| name.as_encoded_bytes().to_vec());
    let real = || std::fs::canonicalize(path).ok()?.file_name().map(|name| name.as_encoded_bytes().to_vec());
    own.or_else(real).map_or_else(|| "bundle".to_owned(), |raw| name::shown(&raw))
}
