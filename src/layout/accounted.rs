//! What became of every member: the proof that nothing vanishes.
//!
//! Invariant: each member that the intake handed on is in exactly one of these numbers.

use crate::LAYOUTS;
use crate::apply::FORMAT;
use crate::content::BundleContent;
use facts::log::ScannedLog;
use parse::manifest::{EMPTY_LIST, NOT_KUBERNETES};
use parse::member::{BINARY, MemberContent, NO_ENTRIES, NO_FORMAT, WEB_PAGE};
use parse::other_text::{CHANGE, COLUMNS, FAILURE, LISTING};
use parse::table::TREE;
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt;

/// What `unread` says of a log of which no line has a known form.
const PLAIN: &str = "no line is in a known log format: searched as plain text, without times";

/// What `unread` says of a file that holds nothing but blanks or an empty document.
const BLANK: &str = "there is no data in it";

/// Why a member gave nothing: the closed set. What fits none of these is not understood.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Cause {
    /// A file that its layout knows, of no use for a diagnosis, or the collector's own.
    NoUse,
    /// The collector or the command failed, and the file says so.
    Failed,
    /// Cut, or broken in its form.
    Damaged,
    /// Binary data: archives in archives are opened, this is none.
    Binary,
    /// A web page.
    WebPage,
    /// JSON or YAML that holds no object of Kubernetes.
    OtherData,
    /// Text without a time in any line, searched as it is.
    PlainText,
    /// An answer without content: an empty list without its command, a journal without entries, blanks.
    Nothing,
}

impl Cause {
    /// The cause that a reason of `unread` states; `None` if it states none.
    pub fn of(reason: &str) -> Option<Self> {
        let asides = || LAYOUTS.iter().flat_map(|layout| layout.rules).filter_map(|rule| rule.is.reason());
        let starts = |words: &[&str]| words.iter().any(|word| reason.starts_with(word));
        Some(match reason {
            NO_FORMAT => return None,
            PLAIN => Self::PlainText,
            BLANK | EMPTY_LIST | NO_ENTRIES => Self::Nothing,
            LISTING | TREE | CHANGE => Self::NoUse,
            COLUMNS => Self::OtherData,
            FAILURE => Self::Failed,
            BINARY => Self::Binary,
            WEB_PAGE => Self::WebPage,
            _ if asides().any(|aside| aside == reason) => Self::NoUse,
            _ if reason.contains("` proves nothing: ") => Self::Nothing,
            _ if reason.ends_with(NOT_KUBERNETES) => Self::OtherData,
            _ if starts(&["the collect", "gathering `", "the API server ", "only the version of the client"]) => {
                Self::Failed
            }
            _ if starts(&["JSON breaks off", "YAML breaks off", "text after the JSON", "reading stopped"]) => {
                Self::Damaged
            }
            _ => return None,
        })
    }
}

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
    pub not_understood_members: Vec<String>,
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
                        counts.not_understood_members.push(member.name.clone());
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
    let lines = content.log.as_ref().map_or(0, ScannedLog::lines);
    content.parsed.unread.push((0, if lines > 0 { PLAIN } else { BLANK }.to_owned()));
}

/// Why a member gave nothing, if every reason that is listed of it states a cause; the gravest of them.
fn cause(content: &MemberContent) -> Option<Cause> {
    let mut causes = Vec::new();
    for (_, reason) in &content.parsed.unread {
        causes.push(Cause::of(reason)?);
    }
    causes.extend(content.cut.as_ref().map(|_| Cause::Damaged));
    causes.into_iter().min()
}

/// Did a member give anything?
pub fn understood(content: &MemberContent) -> bool {
    let known =
        |log: &ScannedLog| log.tally.first.is_some() || log.tally.formats.keys().any(|format| *format != "plain");
    let known_lines = content.log.as_ref().is_some_and(|log| log.machines().any(known));
    !content.parsed.records.is_empty() || known_lines || content.parsed.format == FORMAT
}
