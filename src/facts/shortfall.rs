//! Why an answer is missing, or a part of it, as data, and worded here for everybody who prints it.
//!
//! Why data: which server was not reached is read from it, and a name in a bundle must not look like a reason. No code
//! reads the sentence back.

use crate::cut::Cut;
use crate::outside::Outside;
use crate::trouble::Trouble;
use crate::unread::WhyUnread;
use std::fmt;

/// Why a list is not whole, or is not known to be.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum WhyPartial {
    /// The member ended before its end.
    Cut(Box<Cut>),
    /// An error stands with it.
    Said(Trouble),
    /// An error was printed in the same text.
    Beside(Trouble),
    /// Something was printed in the same text that proves nothing.
    BesideUnread(Box<WhyUnread>),

    /// The form of the text breaks off at this line, for this reason of its grammar.
    BreaksOff(u32, Outside),
    /// A text stands behind it at this line.
    TextBehind(u32, Trouble),
    /// The item at this line was not understood.
    ItemLost(u32),
    /// An error of the collecting command stands in it at this line.
    ErrorAt(u32),
    /// `metadata.continue` is set.
    MorePages,
    /// `metadata.remainingItemCount`.
    Remaining(Outside),
    /// kubectl prints `kind: List` behind the items, and it is not there.
    NoEnd,
    /// The text ends with the items of the list.
    EndsWithItems,

    /// This line stands for what was left out.
    LeftOut(u32),
    /// This line stands for rows that were left out.
    RowsLeftOut(u32),
    /// The same of the line behind the rows.
    RowsLeftOutBehind,
    /// An error cut the row on this line.
    RowCut(u32),
    /// The text ends inside the row on this line.
    RowEnds(u32),
    /// The text ends inside a name.
    NameEnds,
    /// This line stands below its rows and is none.
    NoRow(u32),
    /// The cells of the row on this line cannot be told apart.
    CellsLost(u32),
    /// The session ends with its rows.
    SessionEnds,
    /// The output went through this filter.
    Filtered(Outside),

    /// Its header was not pasted.
    NoHeader,
    /// Somebody chose its columns.
    ChosenColumns,
    /// This word in the name of its file may say that something was left out.
    NameOfFile(Outside),
    /// It lacks what every cluster has: an object of this namespace, or of this name, or both.
    LacksAlways(Option<Outside>, Option<Outside>),
    /// Another list of the same scope names other objects.
    OtherObjects {
        /// It is known to be later.
        is_later: bool,
        /// The member with the other list.
        member: Outside,
        line: u32,
    },
    /// It lacks an object that is shown elsewhere.
    Lacks {
        name: Outside,
        /// The member that shows it.
        member: Outside,
        line: u32,
    },
}

/// Why there is no answer.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum WhyFailed {
    /// Somebody printed an error.
    Said(Trouble),
    /// A function that gathers printed an error.
    Gathering(Outside, Box<Trouble>),
    /// A command ended with this code.
    Code(Outside, i128),
    /// kubectl could not learn which kinds the server has.
    NoDiscovery,
    /// The collector opened the file and wrote nothing into it.
    NoBytes,
    /// The collector found no etcd to ask.
    NoEtcdInfo,
}

/// What a limit of somebody else cut.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum WhyTruncated {
    /// The collector keeps the last so many lines.
    LastLines(&'static str),
    /// The collector keeps so much.
    LastBytes(&'static str),
    /// The collector keeps the last lines, or those that it looks for.
    ChosenLines,
    /// sos cut the output of this command.
    Sos(Outside),
    /// sos keeps the end of what is large.
    SosKeepsEnd,
    /// The dump ends within it.
    DumpEnds,
    /// The API server forgets events.
    EventTtl,
}

impl WhyPartial {
    /// What somebody printed, with what it tells.
    pub fn trouble(&self) -> Option<&Trouble> {
        match self {
            Self::Said(said) | Self::Beside(said) | Self::TextBehind(_, said) => Some(said),
            Self::BesideUnread(why) => why.trouble(),
            _ => None,
        }
    }
}

impl WhyFailed {
    /// What somebody printed, with what it tells.
    pub fn trouble(&self) -> Option<&Trouble> {
        match self {
            Self::Said(said) => Some(said),
            Self::Gathering(_, said) => Some(said),
            Self::Code(..) | Self::NoDiscovery | Self::NoBytes | Self::NoEtcdInfo => None,
        }
    }
}

impl fmt::Display for WhyPartial {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Cut(cut) => cut.fmt(f),
            Self::Said(said) => said.fmt(f),
            Self::Beside(said) => write!(f, "an error was printed with it: {said}"),
            Self::BesideUnread(why) => write!(f, "an error was printed with it: {why}"),
            Self::BreaksOff(line, reason) => write!(f, "the text breaks off at line {line}: {reason}"),
            Self::TextBehind(line, first) => write!(f, "text follows at line {line}: {first}"),
            Self::ItemLost(line) => write!(f, "an item at line {line} was not understood"),
            Self::ErrorAt(line) => write!(f, "an error of the collecting command cut it at line {line}"),
            Self::MorePages => f.write_str("`metadata.continue` is set: the list has more pages"),
            Self::Remaining(number) => write!(f, "`metadata.remainingItemCount` is {number}"),
            Self::NoEnd => f.write_str("the list ends with its items, and kubectl prints `kind: List` behind them"),
            Self::EndsWithItems => {
                f.write_str("the text ends with the items of the list, so more of them may have stood there")
            }
            Self::LeftOut(line) => write!(f, "line {line} stands for what was left out"),
            Self::RowsLeftOut(line) => write!(f, "line {line} stands for rows that were left out"),
            Self::RowsLeftOutBehind => f.write_str("the next line stands for rows that were left out"),
            Self::RowCut(line) => write!(f, "an error cut the row on line {line}"),
            Self::RowEnds(line) => write!(f, "the text ends inside the row on line {line}"),
            Self::NameEnds => f.write_str("the text ends inside a name"),
            Self::NoRow(line) => write!(f, "line {line} stands below its rows and is none"),
            Self::CellsLost(line) => write!(f, "the cells of the row on line {line} cannot be told apart"),
            Self::SessionEnds => f.write_str("the session ends with its rows, so more of them may have stood there"),
            Self::Filtered(filter) => write!(f, "the output went through `{filter}`"),
            Self::NoHeader => f.write_str("its header was not pasted, so rows may be missing as well"),
            Self::ChosenColumns => f.write_str("somebody chose its columns, and may have chosen its rows"),
            Self::NameOfFile(word) => {
                write!(f, "`{word}` in the name of the file may say that something was left out")
            }
            Self::LacksAlways(Some(namespace), Some(name)) => {
                write!(f, "it lacks `{namespace}/{name}`, which every cluster has")
            }
            Self::LacksAlways(Some(namespace), None) => {
                write!(f, "it lacks anything of namespace `{namespace}`, which every cluster has")
            }
            Self::LacksAlways(None, name) => {
                write!(f, "it lacks `{}`, which every cluster has", name.as_deref().unwrap_or_default())
            }
            Self::OtherObjects { is_later, member, line } => {
                let word = if *is_later { "a later" } else { "the" };
                write!(f, "{word} list in {member}:{line} names other objects")
            }
            Self::Lacks { name, member, line } => write!(f, "it lacks `{name}`, which {member}:{line} shows"),
        }
    }
}

impl fmt::Display for WhyFailed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Said(said) => said.fmt(f),
            Self::Gathering(function, said) => write!(f, "gathering `{function}`: {said}"),
            Self::Code(command, code) => write!(f, "`{command}` ended with code {code}"),
            Self::NoDiscovery => f.write_str("kubectl could not learn which kinds the server has"),
            Self::NoBytes => f.write_str("the collector opened the file and wrote nothing into it"),
            Self::NoEtcdInfo => {
                f.write_str("etcd_info is missing: gather_etcd found no running etcd Pod to ask, or failed")
            }
        }
    }
}

impl fmt::Display for WhyTruncated {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::LastLines(lines) => write!(f, "the collector keeps the last {lines} lines"),
            Self::LastBytes(bytes) => write!(f, "the collector keeps {bytes}"),
            Self::ChosenLines => f.write_str("the collector keeps the last lines, or only lines that it looks for"),
            Self::Sos(command) => write!(f, "sos cut the output of `{command}`"),
            Self::SosKeepsEnd => f.write_str("sos keeps the end of what is larger than its size limit"),
            Self::DumpEnds => f.write_str("the dump ends within this log"),
            Self::EventTtl => f.write_str("events are kept for an hour"),
        }
    }
}

/// Reads like the sentence, so that states in tests stay short.
fn debug(f: &mut fmt::Formatter<'_>, words: &str, trouble: Option<&Trouble>) -> fmt::Result {
    fmt::Debug::fmt(words, f)?;
    trouble.and_then(|trouble| trouble.unreached.as_ref()).map_or(Ok(()), |unreached| write!(f, " {unreached:?}"))
}

impl fmt::Debug for WhyPartial {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        debug(f, &self.to_string(), self.trouble())
    }
}

impl fmt::Debug for WhyFailed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        debug(f, &self.to_string(), self.trouble())
    }
}

impl fmt::Debug for WhyTruncated {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        debug(f, &self.to_string(), None)
    }
}
