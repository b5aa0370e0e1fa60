//! What kubectl prints of an object: the columns of `get` and `get -o wide`, worked out of what a bundle shows.
//!
//! Why: people ask about objects in the words of kubectl, and `READY 1/2` stands in no field. The columns are data
//! (`patterns/printers.yaml`); for other kinds the CustomResourceDefinition in the bundle has them, as in the cluster,
//! else the columns that `patterns/kinds.yaml` knows of the kind's tables.
//!
//! May know: facts, catalogue.
//!
//! Invariants: a cell that cannot be known from what was collected is [`Cell::Unknown`], never an invented zero or
//! `<none>`; a value that was masked is [`Cell::Masked`]; ages are measured against the clock of the bundle.

mod age;
mod cells;
mod crd;
mod got;
mod known;
pub mod pod;

use catalogue::kinds::Catalogue;
use catalogue::printers::{self, PrinterColumn};
use facts::kind::KindName;
use facts::object::{ContextId, ObjectId};
use facts::path::Path;
use facts::store::Facts;
use got::{Got, got};
use std::borrow::Cow;

pub use age::short as age;

/// What is printed where the object surely has no value.
const NONE: &str = "<none>";

/// What one cell says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Cell {
    /// What was collected does not tell.
    Unknown,
    /// It is set, and was masked.
    Masked,
    Text(String),
    Number(i64),
}

/// One column of a kind.
#[derive(Debug, Clone)]
pub struct Column {
    /// As kubectl prints it: `PORT(S)`.
    pub header: String,
    /// Only with `-o wide`.
    pub wide: bool,
    /// Every cell of it is a number.
    pub number: bool,
    maker: Maker,
}

#[derive(Debug, Clone)]
enum Maker {
    /// A row of `patterns/printers.yaml`.
    Row(Cow<'static, PrinterColumn>),
    /// What the tables of the kind show, turned round.
    Known(known::Known),
}

impl From<&'static PrinterColumn> for Column {
    fn from(row: &'static PrinterColumn) -> Self {
        let PrinterColumn { header, wide, number, .. } = row;
        Self { header: header.clone(), wide: *wide, number: *number, maker: Maker::Row(Cow::Borrowed(row)) }
    }
}

/// The columns of a kind behind NAMESPACE and NAME, as kubectl orders them.
///
/// `context` is the cluster whose CustomResourceDefinition counts for a kind that nothing else is known of.
pub fn columns(facts: &Facts, catalogue: &Catalogue, context: Option<ContextId>, kind: &KindName) -> Vec<Column> {
    if let Some(rows) = printers::of(kind) {
        return rows.iter().map(Column::from).collect();
    }
    let mut columns =
        crd::columns(facts, context, kind).or_else(|| Some(known::columns(catalogue.kind(kind)?))).unwrap_or_default();
    if !columns.iter().any(|column| column.header.eq_ignore_ascii_case("AGE")) {
        let at = columns.iter().position(|column| column.wide).unwrap_or(columns.len());
        let age = PrinterColumn { header: "AGE".to_owned(), by: Some("age".to_owned()), ..PrinterColumn::default() };
        let maker = Maker::Row(Cow::Owned(age));
        columns.insert(at, Column { header: "AGE".to_owned(), wide: false, number: false, maker });
    }
    columns
}

/// One cell that kubectl works out of several fields, by the name that `by:` of `patterns/printers.yaml` gives: `pod-status`.
pub fn made(by: &str, facts: &Facts, id: ObjectId) -> Cell {
    cells::make(by, facts, id)
}

impl Column {
    /// The cell of an object in this column.
    pub fn cell(&self, facts: &Facts, id: ObjectId) -> Cell {
        let cell = match &self.maker {
            Maker::Row(row) => self.of_row(row, facts, id),
            Maker::Known(known) => known.cell(facts, id),
        };
        match cell {
            // A number that was printed as a text, in a table.
            Cell::Text(text) if self.number => text.parse().map_or(Cell::Unknown, Cell::Number),
            cell => cell,
        }
    }

    fn of_row(&self, row: &PrinterColumn, facts: &Facts, id: ObjectId) -> Cell {
        if let Some(name) = &row.by {
            return cells::make(name, facts, id);
        }
        let mut is_unset = false;
        for path in row.paths().filter_map(|path| Path::parse(path).ok()) {
            match got(facts, id, &path) {
                Got::Unknown => {}
                Got::Unset => is_unset = true,
                Got::Masked => return Cell::Masked,
                found @ Got::Nodes(_) if row.count => return Cell::Number(found.count()),
                found @ Got::Nodes(_) if row.labels => return Cell::Text(found.labels()),
                found @ Got::Nodes(_) => match found.text() {
                    Some(text) => return Cell::Text(text),
                    None => is_unset = true,
                },
            }
        }
        match (is_unset, self.number, &row.none) {
            (false, _, _) => Cell::Unknown,
            (true, true, _) => Cell::Number(0),
            (true, false, Some(none)) => Cell::Text(none.clone()),
            (true, false, None) => Cell::Text(NONE.to_owned()),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    #[test]
    fn each_function_is_asked_for_and_there() {
        let asked: BTreeSet<&str> = catalogue::printers::functions().collect();
        assert_eq!(asked, crate::cells::names().collect::<BTreeSet<_>>());
    }
}
