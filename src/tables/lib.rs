//! What a bundle holds, as tables: the one place that says which there are, which columns they have and what stands in
//! them. `casefile query` asks them, `casefile export` writes them, `docs/tables.md` lists them.
//!
//! Why apart from Polars: a table is a list of rows, and who only wants to know which tables there are, or tests what
//! stands in them, needs no query engine.
//!
//! May know: facts, catalogue, diagnosis, diagnose, lines, printer.
//!
//! Invariants: a cell that cannot be known from what was collected is [`Cell::Null`], and so is one that does not apply;
//! rows come in the order of the facts; every text was masked before it came here; the meaning of a column never changes
//! within one [`SCHEMA_VERSION`].

mod bundle;
pub mod json;
mod logs;
mod objects;
mod schema;
mod views;

use catalogue::kinds::Catalogue;
use diagnose::{Collected, Options};
use diagnosis::model::Diagnosis;
use facts::kind::KindName;
use facts::store::Facts;
use jiff::Timestamp;
use signature::load::Library;
use std::cell::OnceCell;

pub use logs::{LogColumn, Shared, log_cell, shared_cell};
pub use schema::{OF_FLEETS, fixed, for_programs, page};
pub use views::view_name;

/// The version of tables and columns. It goes up when one goes, or means something else; new ones may come without.
pub const SCHEMA_VERSION: u32 = 1;

/// What a column holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Type {
    Text,
    /// A whole number of 64 bits.
    Number,
    /// A point in time, in UTC, to the microsecond.
    Time,
    Truth,
}

impl Type {
    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            Type::Text => "text",
            Type::Number => "number",
            Type::Time => "time",
            Type::Truth => "truth",
        }
    }
}

/// One column.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Column {
    /// Its name in SQL: lower case, digits and `_`.
    pub name: String,
    pub of: Type,
    /// What stands in it.
    pub about: String,
}

/// One table.
#[derive(Debug, Clone)]
pub struct Table {
    /// Its name in SQL.
    pub name: String,
    /// What a row is.
    pub about: String,
    pub columns: Vec<Column>,
    what: What,
}

#[derive(Debug, Clone)]
enum What {
    Bundles,
    Versions,
    ObjectCounts,
    Objects,
    Kind(KindName, Vec<printer::Column>),
    Conditions,
    Events,
    Logs,
    Findings,
    Evidence,
    Coverage,
}

/// One cell.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Cell {
    /// Not known, or it does not apply.
    Null,
    Text(String),
    Number(i64),
    Time(Timestamp),
    Truth(bool),
}

impl Cell {
    fn text(text: impl Into<String>) -> Self {
        Self::Text(text.into())
    }
}

impl<T: Into<String>> From<Option<T>> for Cell {
    fn from(text: Option<T>) -> Self {
        text.map_or(Cell::Null, |text| Cell::Text(text.into()))
    }
}

/// What the tables are made of.
#[derive(Debug)]
pub struct Source<'a> {
    /// What was read, with every object ([`diagnose::Keep::All`]).
    pub collected: &'a Collected,
    pub library: &'a Library,
    pub catalogue: &'a Catalogue,
    pub options: &'a Options,
    diagnosis: OnceCell<Diagnosis>,
}

impl<'a> Source<'a> {
    /// Tables of what was read.
    pub fn new(collected: &'a Collected, library: &'a Library, catalogue: &'a Catalogue, options: &'a Options) -> Self {
        Self { collected, library, catalogue, options, diagnosis: OnceCell::new() }
    }

    fn facts(&self) -> &'a Facts {
        &self.collected.facts
    }

    /// The diagnosis of it: made when a table asks for it first.
    pub fn diagnosis(&self) -> &Diagnosis {
        self.diagnosis.get_or_init(|| diagnose::decide(self.collected, self.library, self.catalogue, self.options))
    }

    /// Every table: the fixed ones, and a view for each kind that is catalogued or in the bundle, sorted by name.
    pub fn tables(&self) -> Vec<Table> {
        let mut tables = fixed();
        tables.extend(views::all(Some(self.facts()), self.catalogue));
        tables
    }
}

impl Table {
    /// Is it the one whose rows are read from the bundle a second time ([`log_cell`])?
    pub fn is_logs(&self) -> bool {
        matches!(self.what, What::Logs)
    }

    /// The kind whose objects are its rows, if it is the view of one.
    pub fn kind(&self) -> Option<&KindName> {
        match &self.what {
            What::Kind(kind, _) => Some(kind),
            _ => None,
        }
    }

    /// Hands on each row, its cells in the order of the columns. The lines of logs are no rows here.
    pub fn rows(&self, source: &Source<'_>, emit: &mut dyn FnMut(Vec<Cell>)) {
        match &self.what {
            What::Bundles => bundle::bundles(source, emit),
            What::Versions => bundle::versions(source.diagnosis(), emit),
            What::ObjectCounts => bundle::object_counts(source.facts(), emit),
            What::Objects => objects::objects(source.facts(), emit),
            What::Kind(kind, columns) => views::rows(source.facts(), kind, columns, emit),
            What::Conditions => objects::conditions(source.facts(), emit),
            What::Events => objects::events(source.facts(), emit),
            What::Findings => objects::findings(source.diagnosis(), emit),
            What::Evidence => objects::evidence(source.diagnosis(), emit),
            What::Coverage => objects::coverage(source.facts(), emit),
            What::Logs => {}
        }
    }
}
