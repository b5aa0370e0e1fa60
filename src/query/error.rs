//! Why a query or an export failed, with what to do next.

use crate::joins::Large;
use diagnosis::words;
use facts::suggest;
use polars::prelude::PolarsError;
use tables::Table;

/// Where the tables are.
const SHOWS: &str = "--explain-schema shows every table and column";
const LISTS: &str = "--explain-schema lists all tables";

/// Why a query has no answer.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// No table has that name.
    #[error("there is no table `{name}`; {hint}")]
    NoTable { name: String, hint: String },
    /// No table of the query has that column.
    #[error("no table of this query has a column `{name}`; {hint}")]
    NoColumn { name: String, hint: String },
    /// Polars does not understand it.
    #[error("the query cannot be answered: {0}; {SHOWS}")]
    Query(String),
    /// What it needs of the logs does not fit into memory.
    #[error(
        "the lines of logs that this query needs take more than {0} bytes of memory; select fewer columns, narrow it with \
         WHERE (time, source, level), or raise --max-memory"
    )]
    Memory(u64),
    /// The lines of logs take longer to read than they may.
    #[error(
        "the lines of logs that this query needs take longer than {0} seconds to read; narrow it with WHERE and a LIMIT, or \
         ask `casefile query`, which has no such bound"
    )]
    Time(u64),
    /// A join makes more rows than fit into memory.
    #[error("{}", too_large(.0))]
    Join(Large),
    /// The bundle could not be read a second time.
    #[error(transparent)]
    Lines(#[from] lines::Error),
    /// A result could not be put into a format.
    #[error("the result cannot be written as {format}: {reason}; choose another --format")]
    Format { format: &'static str, reason: String },
}

/// The marks by which an error that went through Polars is known again.
pub(crate) const MEMORY: &str = "casefile: memory: ";
pub(crate) const LINES: &str = "casefile: lines: ";
pub(crate) const TIME: &str = "casefile: time: ";

fn too_large(join: &Large) -> String {
    let rows = words::thousands(join.rows);
    let next = match join.is_crossed {
        true => "join on columns that are equal (ON a.name = b.name), and put other comparisons into WHERE",
        false => "name more columns in ON, such as context and namespace, or narrow the tables first (WITH)",
    };
    format!("a join of this query makes up to {rows} rows, which do not fit into memory; {next}")
}

impl From<Large> for Error {
    fn from(join: Large) -> Self {
        Self::Join(join)
    }
}

impl Error {
    /// The same for a page that lists the tables and has no arguments.
    pub fn on_page(&self) -> String {
        self.to_string().replace(SHOWS, "every table and column stands below").replace(LISTS, "all tables stand below")
    }

    /// An error of Polars about these tables.
    pub(crate) fn of(error: &PolarsError, tables: &[&Table]) -> Self {
        let text = error.to_string();
        let after = |mark: &str| -> Option<u64> {
            let digits: String = text.split_once(mark)?.1.chars().take_while(char::is_ascii_digit).collect();
            Some(digits.parse().unwrap_or_default())
        };
        if let Some(bytes) = after(MEMORY) {
            return Self::Memory(bytes);
        }
        if let Some(seconds) = after(TIME) {
            return Self::Time(seconds);
        }
        if let Some(name) = missing(&text) {
            let columns = tables.iter().flat_map(|table| &table.columns).map(|column| column.name.as_str());
            if !columns.clone().any(|column| column == name) {
                let near = suggest::did_you_mean(&name, columns.clone());
                let all = || {
                    let mut all: Vec<&str> = columns.clone().collect();
                    all.sort_unstable();
                    all.dedup();
                    format!("there are {}", all.join(", "))
                };
                return Self::NoColumn { name, hint: near.unwrap_or_else(all) };
            }
        }
        let line = text.lines().next().unwrap_or_default();
        Self::Query(line.trim_end_matches('.').to_owned())
    }

    /// No table has this name.
    pub(crate) fn no_table(name: &str, tables: &[Table]) -> Self {
        let near = suggest::did_you_mean(name, tables.iter().map(|table| table.name.as_str()));
        // `machines` is a part of the names of several views.
        let part: Vec<&str> =
            tables.iter().map(|table| table.name.as_str()).filter(|own| own.starts_with(&format!("{name}_"))).collect();
        let hint = match (part.is_empty(), near) {
            (false, _) => format!("several kinds have that name: {}", part.join(", ")),
            (true, Some(near)) => near,
            (true, None) => LISTS.to_owned(),
        };
        Self::NoTable { name: name.to_owned(), hint }
    }
}

/// The column that Polars does not find, by how it says so.
fn missing(text: &str) -> Option<String> {
    let starts =
        ["unable to find column \"", "not found: \"", "column \"", "unable to resolve column \"", "not found: '"];
    for start in starts {
        let Some((_, rest)) = text.split_once(start) else { continue };
        let name: String = rest.chars().take_while(|c| !matches!(c, '"' | '\'')).collect();
        if !name.is_empty() {
            return Some(name);
        }
    }
    // `not found: restart`, without quotes.
    let (_, rest) = text.split_once("not found: ")?;
    let name: String = rest.chars().take_while(|c| c.is_ascii_alphanumeric() || *c == '_').collect();
    (!name.is_empty()).then_some(name)
}
