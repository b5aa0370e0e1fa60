//! What a row of the registry of text forms says.

use crate::answer::Asked;
use facts::node::Node;
use facts::object::Form;
use facts::record::Parsed;

/// Reads a text; `None` if it is something else.
pub type ReadText = fn(&Asked<'_>, &str) -> Option<Parsed>;

/// Reads a document in JSON or YAML, already a tree; `None` if it is something else.
pub type ReadDocument = fn(&Asked<'_>, &Node, Form) -> Option<Parsed>;

/// Everything about one form. Columns that do not concern it are those of [`NONE`].
#[derive(Debug)]
pub struct TextForm {
    pub name: &'static str,
    /// A line that tells it from a log and from YAML.
    pub mark: Mark,
    /// Reads its text.
    pub text: Option<ReadText>,
    /// Its text may end with lines of a log, which are searched as such.
    pub ends_with_log: bool,
    /// Reads its JSON where that is more than one document, or where its own reader needs the text.
    pub json: Option<ReadText>,
    /// Reads its documents, one in a file.
    pub document: Option<ReadDocument>,
    /// The keys that its YAML can begin with.
    pub yaml_keys: &'static [&'static str],
}

/// Nothing is known; for the columns that a row leaves out.
pub const NONE: TextForm = TextForm {
    name: "",
    mark: Mark::None,
    text: None,
    ends_with_log: false,
    json: None,
    document: None,
    yaml_keys: &[],
};

/// A line that only this form has, and where it stands.
#[derive(Debug, Clone, Copy)]
pub enum Mark {
    /// No line tells it; its reader looks at the whole text, or at the name or the command.
    None,
    /// The first line.
    First(fn(&str) -> bool),
    /// The first line of what a program prints, behind two lines of warnings at most.
    Program(fn(&str) -> bool),
    /// Any line: it may stand behind others.
    Any(fn(&str) -> bool),
}
