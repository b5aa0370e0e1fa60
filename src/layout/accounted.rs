//! What became of every member: the proof that nothing vanishes.
//!
//! Invariant: each member that the intake handed on is in exactly one of these numbers.

use crate::facts::build::BundleContent;
use crate::facts::log::ScannedLog;
use crate::layout::apply::FORMAT;
use crate::parse::member::MemberContent;
use std::fmt;

/// What `unread` says of a log of which no line has a known form.
const PLAIN: &str = "no line is in a known log format: searched as plain text, without times";

/// What `unread` says of a file that holds nothing but blanks or an empty document.
const BLANK: &str = "there is no data in it";

/// Members by what became of them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Accounted {
    /// They gave objects, answers, times, lines of a known log format, or were read as the collector's own.
    pub understood: u64,
    /// They are listed as not understood, with the reason.
    pub listed: u64,
    /// They have no bytes.
    pub empty: u64,
    /// None of these. This should not be.
    pub silent: u64,
    /// The names of the silent ones.
    pub silent_members: Vec<String>,
    /// Entries that were not handed on and are listed with the reason: links, files of desktops, limits.
    pub not_handed_on: u64,
}

impl Accounted {
    /// Counts the members of a bundle. To be called while the contents still hold their records.
    pub fn of(bundle: &BundleContent) -> Self {
        let mut counts = Self { not_handed_on: bundle.intake.unread.len() as u64, ..Self::default() };
        for member in &bundle.intake.members {
            let content = bundle.contents.get(&member.id);
            match content {
                Some(content) if understood(content) => counts.understood += 1,
                Some(content) if !content.parsed.unread.is_empty() || content.cut.is_some() => counts.listed += 1,
                Some(content) if content.empty => counts.empty += 1,
                _ => {
                    counts.silent += 1;
                    counts.silent_members.push(member.name.clone());
                }
            }
        }
        counts
    }

    /// All members that were handed on.
    pub fn members(&self) -> u64 {
        self.understood + self.listed + self.empty + self.silent
    }
}

impl fmt::Display for Accounted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} understood, {} listed with a reason, {} empty", self.understood, self.listed, self.empty)?;
        if self.silent > 0 {
            write!(f, ", {} neither", self.silent)?;
        }
        write!(f, "; {} entries not handed on", self.not_handed_on)
    }
}

/// Gives a reason to members that parsers looked at and took nothing from.
pub fn explain(content: &mut MemberContent) {
    if content.empty || understood(content) || !content.parsed.unread.is_empty() {
        return;
    }
    let lines = content.log.as_ref().map_or(0, ScannedLog::lines);
    content.parsed.unread.push((0, if lines > 0 { PLAIN } else { BLANK }.to_owned()));
}

fn understood(content: &MemberContent) -> bool {
    let known_lines = content
        .log
        .as_ref()
        .is_some_and(|log| log.tally.first.is_some() || log.tally.formats.keys().any(|format| *format != "plain"));
    !content.parsed.records.is_empty() || known_lines || content.parsed.format == FORMAT
}
