//! What became of every member: the proof that nothing vanishes.
//!
//! Invariant: each member that the intake handed on is in exactly one of these numbers.

use crate::apply::FORMAT;
use crate::content::BundleContent;
use facts::log::ScannedLog;
use facts::outside::Outside;
use facts::unread::{Cause, WhyUnread};
use parse::member::MemberContent;
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt;

/// Members by what became of them.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Accounted {
    /// They gave objects, answers, times, lines of a known log format, or were read as the collector's own.
    pub understood: u64,
    /// They gave nothing, and the reason is one of a closed set.
    pub listed: BTreeMap<Cause, u64>,
    /// They gave nothing, and no more is known than that.
    pub not_understood: u64,
    /// The names of those.
    pub not_understood_members: Vec<Outside>,
    /// They have no bytes.
    pub empty: u64,
    /// Other names of members.
    pub links: u64,
    /// Entries that were not handed on and are listed with the reason: links, files of desktops, limits.
    pub not_handed_on: u64,
}

impl Accounted {
    /// Counts the members of a bundle. To be called while the contents still hold their records.
    pub fn of(bundle: &BundleContent) -> Self {
        let links = bundle.intake.links.len() as u64;
        let mut counts = Self { not_handed_on: bundle.intake.unread.len() as u64, links, ..Self::default() };
        for member in &bundle.intake.members {
            match bundle.contents.get(&member.id) {
                Some(content) if understood(content) => counts.understood += 1,
                Some(content) if content.empty => counts.empty += 1,
                content => match content.and_then(cause) {
                    Some(cause) => *counts.listed.entry(cause).or_default() += 1,
                    None => {
                        counts.not_understood += 1;
                        counts.not_understood_members.push(Outside::name(&member.name));
                    }
                },
            }
        }
        counts
    }

    /// Members that gave nothing for a reason of the closed set.
    pub fn of_no_use(&self) -> u64 {
        self.listed.values().sum()
    }

    /// All members that were handed on.
    pub fn members(&self) -> u64 {
        self.understood + self.of_no_use() + self.not_understood + self.empty
    }
}

impl fmt::Display for Accounted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parts = [
            (self.understood, "understood"),
            (self.of_no_use(), "of no use for a known reason"),
            (self.not_understood, "not understood"),
            (self.empty, "empty"),
        ];
        for (number, words) in parts {
            write!(f, "{number} {words}, ")?;
        }
        write!(f, "{} links, {} not read", self.links, self.not_handed_on)
    }
}

/// Gives a reason to members that parsers looked at and took nothing from.
pub fn explain(content: &mut MemberContent) {
    if content.empty || understood(content) || !content.parsed.unread.is_empty() {
        return;
    }
    let framed = content.framed.iter().map(|framed| framed.log.lines()).sum::<u64>();
    let lines = content.log.as_ref().map_or(0, ScannedLog::lines) + framed;
    content.parsed.unread.push((0, if lines > 0 { WhyUnread::PlainText } else { WhyUnread::Blank }));
}

/// Why a member gave nothing, if every reason that is listed of it states a cause; the gravest of them.
fn cause(content: &MemberContent) -> Option<Cause> {
    let mut causes = Vec::new();
    for (_, why) in &content.parsed.unread {
        causes.push(why.cause()?);
    }
    causes.extend(content.cut.as_ref().map(|_| Cause::Damaged));
    causes.into_iter().min()
}

/// Did a member give anything?
pub fn understood(content: &MemberContent) -> bool {
    let mut logs = content.log.iter().chain(content.framed.iter().map(|framed| &framed.log));
    let known_lines = logs.any(|log| log.machines().any(|log| log.tally.is_known()));
    // Of a session only what a program said is a log, whatever the form of its lines.
    let said = content.session.as_ref().is_some_and(|session| !session.logs.is_empty());
    !content.parsed.records.is_empty() || known_lines || said || content.parsed.format == FORMAT
}
