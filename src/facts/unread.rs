//! Why a member, or a part of one, gave nothing: as data, and worded here for everybody who prints it.
//!
//! Why data: whether something is lost, what is counted as understood and which file a check calls broken follows
//! from the reason. No code reads the sentence back.
//!
//! Invariant: a text in a reason is an excerpt with its secrets masked: [`Outside`].

use crate::outside::Outside;
use crate::shortfall::{WhyFailed, WhyTruncated};
use crate::trouble::Trouble;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt;

/// What a reason comes down to: the closed set. What fits none of these was not understood.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[schemars(rename = "UnreadCause")]
pub enum Cause {
    /// A file that is known to be of no use for a diagnosis, the collector's own, or what a desktop left beside.
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
    /// Is something lost? Not with what was read and holds nothing (empty lists, silent logs), nor with text that
    /// is searched as it is, nor with what is of no use.
    pub fn is_loss(self) -> bool {
        match self {
            Self::NoUse | Self::Nothing | Self::PlainText | Self::OtherData => false,
            Self::Failed | Self::Damaged | Self::Binary | Self::WebPage => true,
        }
    }
}

/// Why a part of a member gave nothing.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum WhyUnread {
    /// A text that no parser knows.
    NoFormat,
    /// Binary data.
    Binary,
    /// A web page.
    WebPage,
    /// A journal without entries of what was asked.
    NoEntries,
    /// A log of which no line has a known form.
    PlainText,
    /// Nothing but blanks, or an empty document.
    Blank,
    /// A listing of files (`ls -l`).
    Listing,
    /// What a command answers that changes something (`etcdctl put`, `etcdctl member add`).
    Change,
    /// Nothing but the error message of a program.
    OnlyAnError,
    /// A part of an output of which nothing tells what it is about.
    PartOfNothing,
    /// Rows of a table without the line that names the columns.
    Columns,
    /// A file that its layout knows and that no verdict rests on: what it is.
    Aside(&'static str),
    /// A file of the collector's own that does not read as such a file does: what was expected.
    NotAsExpected(NotAsExpected),

    /// JSON that breaks off.
    JsonBreaksOff(Outside),
    /// YAML that breaks off.
    YamlBreaksOff(Outside),
    /// What follows behind the last JSON document.
    AfterJson(Trouble),
    /// No JSON at all where some was expected.
    NoJson,
    /// A value that is no sound JSON: what was expected.
    Malformed(Outside),
    /// An empty list: a caller that knows the command makes it an answer.
    EmptyList,
    /// JSON or YAML that is no Kubernetes object.
    NotKubernetes,
    /// The same of one item of a list.
    ItemNotKubernetes(usize),
    /// The same of so many documents or items.
    ManyNotKubernetes(usize),
    /// An object of this kind that lost its indentation.
    Flat(Outside),
    /// The object within or behind which a text was cut.
    CutObject,
    /// A placeholder in place of the name of an object.
    Placeholder(Outside),
    /// A manifest of this object that was never shown to be applied.
    NoState(Outside),
    /// An object of a kind that nothing tells.
    UnknownKind(Outside),

    /// Somebody reports that something failed.
    Failed(Reporter, Trouble),
    /// Only the version of the client was printed.
    OnlyTheClient,
    /// What kubectl or the API server said proves nothing.
    ProvesNothing {
        /// What it said.
        said: Outside,
        /// Why it proves nothing.
        why: NoKind,
    },
    /// The same, of an old kubectl that names no namespace.
    NamespaceUnsaid(Outside),
    /// The answer is about a word that can mean several kinds, or none that is known.
    ManyMeanings(Outside),
    /// A message beside a table.
    BesideTable(Outside),
    /// What stands before the first described object.
    BeforeFirstObject(Outside),
    /// A line as a program printed it.
    Quoted(Trouble),
    /// A command that the collector ran ended so.
    CommandFailed(WhyFailed),
    /// The collector cut what a command printed.
    CommandCut(WhyTruncated),
    /// A certificate that kubeadm did not find.
    NoCertificate(Outside),

    /// Not what was expected at this place, with the line, if it is kept.
    No {
        /// What was expected: `row of api-resources`.
        expected: &'static str,
        /// The line.
        line: Option<Outside>,
    },
    /// A line that belongs to no table.
    NoRow(Trouble),
    /// A line that is no row of the table whose header stands on a line.
    NoRowOf(u32, Outside),
    /// Deeper than so many levels.
    TooDeep(usize),
    /// A row of a table of etcdctl without its closing border.
    NoBorder,
    /// Not what etcdctl prints: `JSON`, `fields`.
    NotOfEtcdctl(&'static str),
    /// A table with these headers, which etcdctl does not print.
    TableNotOfEtcdctl(Vec<Outside>),
    /// A row that an error cut.
    RowCut,
    /// A last row that ends early.
    RowEndsEarly,
    /// A table has more rows than are kept: so many.
    RowsBeyond(usize),
    /// So many lines were none of what was looked for, and what stands behind them was not looked at.
    LinesBeyond(usize),
    /// A row that lost the spaces between its columns.
    SpacesLost,
    /// A tree of objects, as `clusterctl describe` prints it.
    Tree,
    /// A table of this command, which lists no objects.
    TableOf(Outside),
    /// A table without a NAME column.
    NoNames,
    /// A row without a name.
    NoName,
    /// A table of a kind that nothing tells, with its headers.
    TableOfUnknownKind(Outside),

    /// The text calls it a sample.
    Sample,
    /// An output in a guide, without the command that printed it.
    InGuide,
    /// Code or data of this language.
    Code(Outside),
    /// What follows this command is in no known form.
    NoFormBehind(Outside),
    /// A description that lost its indentation, and the fields whose place is not certain.
    IndentationLost(Vec<Outside>),
}

/// Who reports that something failed, and of what.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Reporter {
    /// The command that collected.
    Command,
    /// The API server, as an object.
    Server,
    /// A program that got no answer from the API server.
    NoServer,
    /// Somebody whose line is no answer of the API server.
    Unknown,
    /// The collector, in a file of errors: of this part, if it says so.
    Collection(Option<Outside>),
    /// The collector, of one collector that has a title.
    Collector(Outside),
    /// The collector, in a file of messages.
    Said,
    /// The collector, in a log of errors.
    Says,
    /// A function that gathers.
    Gathering(Outside),
    /// A plugin of the collector.
    Plugin,
    /// The collector, of custom resources that it does not name.
    CustomResources,
}

/// What a file of the collector's own lacks.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum NotAsExpected {
    /// What was expected.
    Expected(&'static str),
    /// A field that was expected.
    Field(&'static str),
    /// What was expected, and what stands there.
    Found(&'static str, Outside),
    /// What is wrong with a line, in the words of its grammar.
    Line(u32, Outside),
}

impl From<&'static str> for NotAsExpected {
    fn from(expected: &'static str) -> Self {
        Self::Expected(expected)
    }
}

impl fmt::Display for NotAsExpected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Expected(what) => f.write_str(what),
            Self::Field(field) => write!(f, "expected `{field}`"),
            Self::Found(what, text) => write!(f, "expected {what}, found `{text}`"),
            Self::Line(line, what) => write!(f, "line {line}: {what}"),
        }
    }
}

/// Why it is not known of which kind an answer is.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum NoKind {
    /// The command asked for several kinds, or none.
    NotOne,
    /// The name of the file tells none.
    NoName,
    /// The name of the file holds a word that could mean anything.
    UnknownWord(Outside),
    /// The word is a plural in several API groups.
    SeveralGroups(Outside),
}

impl WhyUnread {
    /// What was expected at this place, without the line that stands there.
    pub fn no(expected: &'static str) -> Self {
        Self::No { expected, line: None }
    }

    /// What was expected at this place, with an excerpt of what stands there.
    pub fn no_but(expected: &'static str, line: impl Into<Outside>) -> Self {
        Self::No { expected, line: Some(line.into()) }
    }

    /// What it comes down to; `None` if the part was not understood, and no more is known than that.
    pub fn cause(&self) -> Option<Cause> {
        Some(match self {
            Self::Binary => Cause::Binary,
            Self::WebPage => Cause::WebPage,
            Self::PlainText => Cause::PlainText,
            Self::NoEntries | Self::Blank | Self::EmptyList | Self::ProvesNothing { .. } => Cause::Nothing,
            Self::Listing | Self::Tree | Self::Change | Self::Aside(_) => Cause::NoUse,
            Self::Columns
            | Self::PartOfNothing
            | Self::Code(_)
            | Self::NotKubernetes
            | Self::ItemNotKubernetes(_)
            | Self::ManyNotKubernetes(_) => Cause::OtherData,
            Self::OnlyAnError | Self::OnlyTheClient => Cause::Failed,
            Self::Failed(reporter, _) => return reporter.cause(),
            Self::JsonBreaksOff(_) | Self::YamlBreaksOff(_) | Self::AfterJson(_) => Cause::Damaged,
            Self::NoFormat
            | Self::NotAsExpected(_)
            | Self::NoJson
            | Self::Malformed(_)
            | Self::Flat(_)
            | Self::CutObject
            | Self::Placeholder(_)
            | Self::NoState(_)
            | Self::UnknownKind(_)
            | Self::NamespaceUnsaid(_)
            | Self::ManyMeanings(_)
            | Self::BesideTable(_)
            | Self::BeforeFirstObject(_)
            | Self::Quoted(_)
            | Self::CommandFailed(_)
            | Self::CommandCut(_)
            | Self::NoCertificate(_)
            | Self::No { .. }
            | Self::NoRow(_)
            | Self::NoRowOf(..)
            | Self::TooDeep(_)
            | Self::NoBorder
            | Self::NotOfEtcdctl(_)
            | Self::TableNotOfEtcdctl(_)
            | Self::RowCut
            | Self::RowEndsEarly
            | Self::RowsBeyond(_)
            | Self::LinesBeyond(_)
            | Self::SpacesLost
            | Self::TableOf(_)
            | Self::NoNames
            | Self::NoName
            | Self::TableOfUnknownKind(_)
            | Self::Sample
            | Self::InGuide
            | Self::NoFormBehind(_)
            | Self::IndentationLost(_) => return None,
        })
    }

    /// Is it JSON or YAML that holds no object of Kubernetes?
    pub fn is_not_kubernetes(&self) -> bool {
        matches!(self, Self::NotKubernetes | Self::ItemNotKubernetes(_) | Self::ManyNotKubernetes(_))
    }

    /// What somebody printed, with what it tells.
    pub fn trouble(&self) -> Option<&Trouble> {
        match self {
            Self::Failed(_, said) | Self::Quoted(said) | Self::NoRow(said) | Self::AfterJson(said) => Some(said),
            _ => None,
        }
    }
}

impl Reporter {
    fn cause(&self) -> Option<Cause> {
        match self {
            Self::Command
            | Self::Server
            | Self::NoServer
            | Self::Collection(_)
            | Self::Collector(_)
            | Self::Said
            | Self::Says
            | Self::Gathering(_) => Some(Cause::Failed),
            Self::Unknown | Self::Plugin | Self::CustomResources => None,
        }
    }

    fn write(&self, f: &mut fmt::Formatter<'_>, said: &Trouble) -> fmt::Result {
        match self {
            Self::Command => write!(f, "the collecting command failed: `{said}`"),
            Self::Server => write!(f, "the API server answered with an error: {said}"),
            Self::NoServer => write!(f, "the API server did not answer: `{said}`"),
            Self::Unknown => write!(f, "no answer of the API server: `{said}`"),
            Self::Collection(None) => write!(f, "the collection failed: {said}"),
            Self::Collection(Some(of)) => write!(f, "the collection of {of} failed: {said}"),
            Self::Collector(title) => write!(f, "the collector `{title}` failed: {said}"),
            Self::Said => write!(f, "the collector said: {said}"),
            Self::Says => write!(f, "the collector says: {said}"),
            Self::Gathering(function) => write!(f, "gathering `{function}` failed: {said}"),
            Self::Plugin => write!(f, "a plugin failed: {said}"),
            Self::CustomResources => write!(f, "custom resources: {said}"),
        }
    }
}

const NOT_KUBERNETES: &str = "no Kubernetes object: it has neither kind nor metadata.name";

impl fmt::Display for WhyUnread {
    #[expect(clippy::too_many_lines, reason = "one sentence for each reason")]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoFormat => f.write_str("no known format, read as plain text"),
            Self::Binary => f.write_str("no text: the file holds binary data"),
            Self::WebPage => f.write_str("a web page; collect the data itself instead"),
            Self::NoEntries => f.write_str("the journal has no entries of what was asked: `-- No entries --`"),
            Self::PlainText => f.write_str("no line is in a known log format: searched as plain text, without times"),
            Self::Blank => f.write_str("there is no data in it"),
            Self::Listing => f.write_str("a listing of files, which no signature rests on"),
            Self::Change => f.write_str("what a command answered that changes something"),
            Self::OnlyAnError => f.write_str("the command failed: the file holds its error message and nothing else"),
            Self::Columns => f.write_str("columns without a header: what they mean is not known"),
            Self::PartOfNothing => f.write_str("a part of an output, and nothing tells what it is about"),
            Self::Aside(what) => f.write_str(what),
            Self::NotAsExpected(expected) => expected.fmt(f),
            Self::Malformed(expected) => f.write_str(expected),
            Self::JsonBreaksOff(reason) => write!(f, "JSON breaks off: {reason}"),
            Self::YamlBreaksOff(reason) => write!(f, "YAML breaks off: {reason}"),
            Self::AfterJson(first) => write!(f, "text after the JSON: {first}"),
            Self::NoJson => f.write_str("expected JSON, an object or an array"),
            Self::EmptyList => f.write_str("empty list: proves nothing without its command"),
            Self::NotKubernetes => f.write_str(NOT_KUBERNETES),
            Self::ItemNotKubernetes(index) => write!(f, "item {index}: {NOT_KUBERNETES}"),
            Self::ManyNotKubernetes(count) => write!(f, "{count} documents or items: {NOT_KUBERNETES}"),
            Self::Flat(kind) => {
                write!(f, "{kind}: it has no metadata.name, and `name` stands at the top: its indentation was lost")
            }
            Self::CutObject => f.write_str(
                "the text was cut within this object or right behind it, so it was not kept: what it does not \
                show would look as if it were not set; collect it again to have it whole",
            ),
            Self::Placeholder(name) => write!(f, "`{name}` is a placeholder and names no object"),
            Self::NoState(name) => {
                write!(f, "the manifest of `{name}` shows no state of a cluster: it may never have been applied")
            }
            Self::UnknownKind(name) => write!(f, "`{name}` is an object of an unknown kind"),
            Self::Failed(reporter, said) => reporter.write(f, said),
            Self::OnlyTheClient => f.write_str("only the version of the client: the API server did not answer"),
            Self::ProvesNothing { said, why } => write!(f, "`{said}` proves nothing: {why}"),
            Self::NamespaceUnsaid(said) => {
                write!(f, "`{said}`: this old kubectl does not say for which namespace")
            }
            Self::ManyMeanings(typed) => {
                write!(f, "`{typed}` can mean several kinds or none that is known, so the answer proves nothing")
            }
            Self::BesideTable(line) => write!(f, "a message beside the table: `{line}`"),
            Self::BeforeFirstObject(line) => write!(f, "printed before the first object: `{line}`"),
            Self::Quoted(line) => write!(f, "{line}"),
            Self::CommandFailed(failed) => failed.fmt(f),
            Self::CommandCut(cut) => cut.fmt(f),
            Self::NoCertificate(line) => write!(f, "kubeadm did not find this certificate: `{line}`"),
            Self::No { expected, line: None } => write!(f, "no {expected}"),
            Self::No { expected, line: Some(line) } => write!(f, "no {expected}: `{line}`"),
            Self::NoRow(line) => write!(f, "no row of a table: `{line}`"),
            Self::NoRowOf(header, line) => write!(f, "no row of the table of line {header}: `{line}`"),
            Self::TooDeep(levels) => write!(f, "deeper than {levels} levels"),
            Self::NoBorder => f.write_str("a table row without closing border"),
            Self::NotOfEtcdctl(what) => write!(f, "{what} that etcdctl does not print"),
            Self::TableNotOfEtcdctl(headers) => {
                write!(f, "a table that etcdctl does not print: {}", headers.join(" | "))
            }
            Self::RowCut => f.write_str("an error cut this row, so its cells are not known"),
            Self::RowsBeyond(most) => {
                write!(f, "{most} rows of this table were read; give those behind them as a file of their own")
            }
            Self::LinesBeyond(most) => {
                write!(f, "{most} lines before it are no rows of a table; give the tables behind them as a file of their own")
            }
            Self::RowEndsEarly => f.write_str("the last row ends early, so its cells are not known"),
            Self::SpacesLost => {
                f.write_str("the spaces between columns were lost, and which cells of this row are empty is not known")
            }
            Self::Tree => f.write_str(
                "a tree of objects (as `clusterctl describe` prints it) states no fields; \
                collect the objects with `kubectl get -o yaml`",
            ),
            Self::TableOf(verb) => write!(f, "a table of `{verb}` lists no objects"),
            Self::NoNames => f.write_str("a table without a NAME column"),
            Self::NoName => f.write_str("a row without a name"),
            Self::TableOfUnknownKind(headers) => write!(
                f,
                "a table of an unknown kind ({headers}); keep the command with it, or name the file after the kind"
            ),
            Self::Sample => f.write_str("the text calls this a sample, so it is not read as the state of a cluster"),
            Self::InGuide => f.write_str(
                "an output without its command in a text that says what one may see: it may be a sample, and is not read; \
                if it is yours, give it as a file of its own",
            ),
            Self::Code(language) => write!(f, "code or data ({language}), and no output of a program"),
            Self::NoFormBehind(command) => write!(f, "what follows `{command}` is in no form that is known"),
            Self::IndentationLost(fields) => write!(
                f,
                "the indentation of this description was lost, and where some fields of {} belong is not certain",
                fields.join(", ")
            ),
        }
    }
}

impl fmt::Display for NoKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotOne => f.write_str("the command asked for several kinds or none"),
            Self::NoName => f.write_str("the name of the file tells no kind"),
            Self::UnknownWord(word) => write!(f, "what `{word}` in the name of the file means is not known"),
            Self::SeveralGroups(typed) => {
                write!(f, "`{typed}` exists in several API groups; ask for `{typed}.<group>` instead")
            }
        }
    }
}

/// Sorts reasons by their line, and those of one line by what a reader sees.
pub fn sort(unread: &mut [(u32, WhyUnread)]) {
    unread.sort_by_cached_key(|(line, why)| (*line, why.to_string()));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_read_and_holds_nothing_is_no_loss() {
        for why in [WhyUnread::Blank, WhyUnread::EmptyList, WhyUnread::Aside("how long the collectors took")] {
            assert!(why.cause().is_some_and(|cause| !cause.is_loss()), "{why}");
        }
        let failed = WhyUnread::Failed(Reporter::Command, "x".into());
        for why in [failed, WhyUnread::JsonBreaksOff("line 3".to_owned().into()), WhyUnread::Binary] {
            assert!(why.cause().is_some_and(Cause::is_loss), "{why}");
        }
        assert_eq!(WhyUnread::NoFormat.cause(), None);
    }

    #[test]
    fn a_text_that_was_collected_decides_nothing() {
        let said = "the collecting command failed: JSON breaks off, ` proves nothing: ".to_owned();
        assert_eq!(WhyUnread::Quoted(said.as_str().into()).cause(), None);
        assert_eq!(WhyUnread::BesideTable(said.into()).cause(), None);
    }
}
