//! The formats that a diagnosis is written in.
//!
//! # How to add one
//!
//! Write its renderer as a file of `report`, which sees nothing but the diagnosis, and add a row to
//! [`OUTPUTS`]: arguments, help, completions and the names of files go by that constant.

use clap::builder::PossibleValue;
use diagnosis::model::Diagnosis;
use report::error::Error;
use std::path::Path;

/// All formats, in the order of the help.
pub const OUTPUTS: [Format; 8] = [HTML, JSON, MARKDOWN, TICKET, MESSAGE, JUNIT, SARIF, GITHUB];

/// One page that loads nothing.
pub const HTML: Format = Format(&Output {
    name: "html",
    help: "One page that loads nothing",
    ending: "html",
    extensions: &["html", "htm"],
    render: report::html::render,
});

/// The whole diagnosis for programs.
pub const JSON: Format = Format(&Output {
    name: "json",
    help: "The whole diagnosis for programs; see `casefile schema`",
    ending: "json",
    extensions: &["json"],
    render: report::json::render,
});

const MARKDOWN: Format = Format(&Output {
    name: "markdown",
    help: "All findings with their evidence, as text",
    ending: "md",
    extensions: &["md", "markdown"],
    render: |diagnosis| Ok(report::markdown::render(diagnosis)),
});

const TICKET: Format = Format(&Output {
    name: "ticket",
    help: "The answer, all problems and the proofs in at most 3,000 characters of Markdown",
    ending: "ticket.md",
    extensions: &[],
    render: |diagnosis| Ok(report::ticket::render(diagnosis)),
});

const MESSAGE: Format = Format(&Output {
    name: "message",
    help: "A message to the customer: what was seen, and what to send next",
    ending: "message.txt",
    extensions: &[],
    render: |diagnosis| Ok(report::message::render(diagnosis)),
});

const SARIF: Format = Format(&Output {
    name: "sarif",
    help: "SARIF 2.1.0, for viewers of code scanning",
    ending: "sarif",
    extensions: &["sarif"],
    render: report::sarif::render,
});

const JUNIT: Format = Format(&Output {
    name: "junit",
    help: "One test case for each finding, for CI",
    ending: "junit.xml",
    extensions: &["xml"],
    render: report::junit::render,
});

const GITHUB: Format = Format(&Output {
    name: "github",
    help: "Annotations of a GitHub workflow, one for each problem; for `-o -`",
    ending: "github.txt",
    extensions: &[],
    render: |diagnosis| Ok(report::github::render(diagnosis)),
});

/// Everything about one format.
#[derive(Debug)]
pub struct Output {
    /// Its name as an argument.
    name: &'static str,
    /// What it is good for, as the help says it.
    help: &'static str,
    /// The ending of its default file name.
    ending: &'static str,
    /// The extensions of file names that ask for it, in lower case.
    extensions: &'static [&'static str],
    /// Writes a diagnosis. It fails only through a fault of Casefile.
    render: fn(&Diagnosis) -> Result<String, Error>,
}

/// A row of [`OUTPUTS`].
#[derive(Debug, Clone, Copy)]
pub struct Format(&'static Output);

impl PartialEq for Format {
    fn eq(&self, other: &Self) -> bool {
        self.0.name == other.0.name
    }
}

impl Eq for Format {}

impl Format {
    /// The ending of its default file name.
    pub fn ending(self) -> &'static str {
        self.0.ending
    }

    /// The format that a file's name asks for.
    pub(crate) fn of_path(path: &Path) -> Option<Self> {
        let extension = path.extension()?.to_str()?.to_ascii_lowercase();
        OUTPUTS.into_iter().find(|format| format.0.extensions.contains(&extension.as_str()))
    }

    /// The endings of file names that ask for a format.
    pub(crate) fn endings() -> Vec<String> {
        OUTPUTS.iter().flat_map(|format| format.0.extensions).map(|ending| format!(".{ending}")).collect()
    }

    /// The diagnosis in this format.
    ///
    /// # Errors
    /// Only through a fault of Casefile.
    pub fn render(self, diagnosis: &Diagnosis) -> Result<String, Error> {
        (self.0.render)(diagnosis)
    }
}

impl clap::ValueEnum for Format {
    fn value_variants<'a>() -> &'a [Self] {
        &OUTPUTS
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        Some(PossibleValue::new(self.0.name).help(self.0.help))
    }
}
