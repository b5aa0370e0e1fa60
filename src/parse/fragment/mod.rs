//! Parts of outputs whose beginning was not pasted: rows without their header, the status of an object without its
//! name, the events of a description without its head.
//!
//! Why: people paste what they think matters. The cells of a row, the types of conditions and the labels of a
//! description tell what it is as surely as the head would have.
//!
//! # How to add one
//!
//! Write a file here with a `pub(super) const FRAGMENT: Fragment` and add it to [`FRAGMENTS`]. What tells kinds is data:
//! `parts` in `patterns/kinds.yaml`.
//!
//! Invariants: a part is partial: what it does not show is unknown, and it proves no absence; an object whose name was
//! not pasted is named after the file and line where it stands, so that two of them are never taken for one; what may
//! be of several kinds is of none.

mod described;
mod event_row;
mod events;
mod marks;
mod object;
mod rows;

use crate::answer;
use facts::kind::KindName;
use facts::origin::MemberId;
use facts::record::{Command, Parsed};
use intake::Limits;

/// Where a part stands, and what was asked before it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Place<'a> {
    /// The member it stands in.
    pub member: MemberId,
    /// The member's name: an object without a name is named after it, and it may tell a kind.
    pub name: &'a str,
    /// The number of its first line.
    pub first: u32,
    /// The command that printed it, if it is known.
    pub command: Option<&'a Command>,
    /// What may be read.
    pub limits: &'a Limits,
}

impl Place<'_> {
    /// The number of a line by its index.
    fn line(&self, at: usize) -> u32 {
        self.first.saturating_add(u32::try_from(at).unwrap_or(u32::MAX))
    }

    /// A name for an object whose own was not pasted.
    fn unnamed(&self, at: usize) -> String {
        let file = self.name.rsplit('/').next().unwrap_or(self.name);
        format!("(unnamed, {file}:{})", self.line(at))
    }

    /// The kind that was asked for.
    fn kind(&self) -> Option<KindName> {
        match self.command.map(|command| command.kinds.as_slice()) {
            Some([typed]) => answer::unambiguous(typed).ok(),
            _ => None,
        }
    }

    /// The name and the namespace that were asked for; a variable of a shell is none.
    fn asked(&self) -> (Option<&str>, Option<&str>) {
        let plain = |text: &&str| !text.is_empty() && !text.contains(['$', '<', '>', '{', '`', '(', '*', '=', '|']);
        let name = match self.command.map(|command| command.names.as_slice()) {
            Some([name]) => Some(name.as_str()),
            _ => None,
        };
        (name.filter(plain), self.command.and_then(|command| command.namespace.as_deref()).filter(plain))
    }
}

/// One form of parts.
#[derive(Debug)]
struct Fragment {
    /// How many of the lines, from the first one on, are one; `None` if the first one begins none.
    length: fn(&[&str], Option<&Command>) -> Option<usize>,
    /// Reads so many lines; `None` if nothing can be said of them.
    read: fn(&Place<'_>, &[&str]) -> Option<Parsed>,
}

/// In this order: the first that claims a line counts.
const FRAGMENTS: [&Fragment; 4] = [&events::FRAGMENT, &rows::FRAGMENT, &described::FRAGMENT, &object::FRAGMENT];

/// The longest part that is read.
const MAX_LINES: usize = 5_000;

/// How many of the lines, from the first one on, are a part of an output.
pub(crate) fn length(lines: &[&str], command: Option<&Command>) -> Option<usize> {
    let lines = &lines[..lines.len().min(MAX_LINES)];
    FRAGMENTS.iter().find_map(|fragment| (fragment.length)(lines, command)).filter(|length| *length > 0)
}

/// Lines that are looked at for the beginning of a part.
const LOOK: usize = 400;

/// Does a part of an output begin somewhere in the first lines of a text?
pub(crate) fn is_in(text: &str) -> bool {
    let lines: Vec<&str> = text.lines().take(LOOK).collect();
    (0..lines.len()).any(|at| length(&lines[at..lines.len().min(at + 4)], None).is_some())
}

/// Reads lines that [`length`] counted.
pub(crate) fn read(place: &Place<'_>, lines: &[&str]) -> Option<Parsed> {
    let claims = |fragment: &&&Fragment| (fragment.length)(lines, place.command).is_some();
    let fragment = FRAGMENTS.iter().find(claims)?;
    (fragment.read)(place, lines).map(|parsed| Parsed { format: FORMAT, ..parsed })
}

/// The format as `inspect` names it.
pub(crate) const FORMAT: &str = "part of an output";
