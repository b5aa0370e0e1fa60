//! The formats that a diagnosis is written in: their names, their file endings, their renderers.

use diagnosis::model::Diagnosis;
use std::path::Path;

/// A format of a diagnosis.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Format {
    /// One page that loads nothing.
    Html,
    /// The whole diagnosis for programs; see `casefile schema`.
    Json,
    /// Text for a ticket or a chat.
    Markdown,
    /// One test case for each finding, for CI.
    Junit,
}

impl Format {
    /// The ending of its default file name.
    pub fn ending(self) -> &'static str {
        match self {
            Format::Html => "html",
            Format::Json => "json",
            Format::Markdown => "md",
            Format::Junit => "junit.xml",
        }
    }

    /// The format that a file's name asks for.
    pub(crate) fn of_path(path: &Path) -> Option<Self> {
        match path.extension()?.to_str()?.to_ascii_lowercase().as_str() {
            "html" | "htm" => Some(Format::Html),
            "json" => Some(Format::Json),
            "md" | "markdown" => Some(Format::Markdown),
            "xml" => Some(Format::Junit),
            _ => None,
        }
    }

    /// The diagnosis in this format.
    ///
    /// # Errors
    /// Only through a fault of Casefile.
    pub fn render(self, diagnosis: &Diagnosis) -> Result<String, report::error::Error> {
        match self {
            Format::Html => report::html::render(diagnosis),
            Format::Json => report::json::render(diagnosis),
            Format::Markdown => Ok(report::markdown::render(diagnosis)),
            Format::Junit => report::junit::render(diagnosis),
        }
    }
}
