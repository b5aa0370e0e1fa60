//! From a bundle to its members, as a stream: directories, single files, standard input, archives.
//!
//! Why: a bundle is hostile until proven otherwise. Nothing is ever extracted to disk, every size is
//! bounded, and damage costs what lies behind it, not what lies before it.
//!
//! Invariants: a member is handed on exactly once, with a safe name; what is not handed on is listed in
//! [`Intake::unread`] with its reason; the order of members means nothing to later layers.

pub mod error;
pub mod limits;

pub use error::Error;
pub use limits::Limits;

use crate::facts::origin::MemberId;
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
    /// Reading stopped before the end, with the reason.
    pub cut: Option<String>,
}

/// A bundle after it was read.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Intake {
    /// The bundle's name without folders; `stdin` for standard input.
    pub name: String,
    /// Members sorted by name, then hash.
    pub members: Vec<Member>,
    /// Entries that were not handed on: name and reason (links, devices, limits), sorted.
    pub unread: Vec<(String, String)>,
    /// Limits reached: which, what was cut, and the member if one.
    pub limits_hit: Vec<(String, String, Option<String>)>,
    /// Damage that was worked around, in sentences.
    pub damage: Vec<String>,
}

/// What takes the members as they stream past.
pub trait Visitor {
    /// Takes one member. `name` is its full name in the bundle (the common root folder is not yet known
    /// and still in it). `body` ends at the member's end, at damage, or at a limit; what the visitor
    /// leaves unread is drained and hashed by the intake.
    fn member(&mut self, id: MemberId, name: &str, body: &mut dyn Read);

    /// Says that a member ended before its time, after [`Visitor::member`] returned.
    fn cut(&mut self, id: MemberId, reason: &str);
}

/// Reads one bundle to its end.
///
/// `next_id` is the number of the first member, and is moved on.
///
/// # Errors
/// Only if nothing at all could be read (no such file, no permission). Damage inside is in the result.
pub fn read(
    _source: &Source,
    _limits: &Limits,
    _next_id: &mut u32,
    _visitor: &mut dyn Visitor,
) -> Result<Intake, Error> {
    Ok(Intake::default())
}
