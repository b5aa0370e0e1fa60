//! Tables of a report: what it shows of the objects of a kind, and which rows stand on top.
//!
//! Invariant: the order is that of `patterns/kinds.yaml`; a condition names a column that is there.

use crate::built_in;
use facts::kind::KindName;
use facts::path::Path;
use serde::Deserialize;
use std::rc::Rc;
use std::sync::LazyLock;

/// One table: a row of `tables` in `patterns/kinds.yaml`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Table {
    kind: String,
    /// The list whose items are the rows; without it the objects are.
    pub items: Option<String>,
    /// The header above the name of the object that the items are of.
    pub object: Option<String>,
    #[serde(default)]
    pub columns: Vec<Column>,
    /// Code makes the cells.
    pub cells: Option<Cells>,
    /// Conditions of which one puts a row on top.
    #[serde(default)]
    pub unhealthy: Vec<Condition>,
}

/// A column.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Column {
    pub header: String,
    /// The first that is set gives the cell.
    pub paths: Vec<String>,
}

/// Cells that code makes.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Cells {
    /// The name of the function.
    pub by: String,
    pub headers: Vec<String>,
}

/// What a cell is like in an unhealthy row.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Condition {
    pub header: String,
    /// It says this.
    pub is: Option<String>,
    /// It is known, and says something else, or surely nothing.
    pub not: Option<String>,
    /// It is a number below that of this column.
    pub below: Option<String>,
    /// Only if this holds as well.
    pub and: Option<Box<Condition>>,
}

#[derive(Deserialize)]
struct Tables {
    tables: Vec<Table>,
}

static TABLES: LazyLock<Vec<Table>> =
    LazyLock::new(|| built_in::document::<Tables>("kinds.yaml").map(|file| file.tables).unwrap_or_default());

/// All tables, in the order of a report.
pub fn all() -> &'static [Table] {
    &TABLES
}

impl Table {
    pub fn kind(&self) -> KindName {
        KindName::parse(&self.kind)
    }

    /// The headers behind the name, in order.
    pub fn headers(&self) -> Vec<&str> {
        match &self.cells {
            Some(cells) => cells.headers.iter().map(String::as_str).collect(),
            None => self.columns.iter().map(|column| column.header.as_str()).collect(),
        }
    }

    /// The number of a column.
    pub fn at(&self, header: &str) -> Option<usize> {
        self.columns.iter().position(|column| column.header == header)
    }
}

impl Column {
    /// Its paths; those that do not parse are left out, which a test of the catalogue forbids.
    pub fn paths(&self) -> impl Iterator<Item = Rc<Path>> {
        self.paths.iter().filter_map(|path| Path::shared(path).ok())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_table_can_be_made() {
        assert!(all().len() > 8, "{}", all().len());
        for table in all() {
            for column in &table.columns {
                assert_eq!(column.paths().count(), column.paths.len(), "{}: {}", table.kind, column.header);
            }
            for condition in table.unhealthy.iter().flat_map(|one| [Some(one), one.and.as_deref()]).flatten() {
                let names = [Some(&condition.header), condition.below.as_ref()].into_iter().flatten();
                assert!(names.into_iter().all(|name| table.at(name).is_some()), "{}: {condition:?}", table.kind);
                let tests = [&condition.is, &condition.not, &condition.below];
                assert_eq!(tests.into_iter().flatten().count(), 1, "{}: {condition:?}", table.kind);
            }
            assert_eq!(table.items.is_some(), table.object.is_some(), "{}", table.kind);
            assert_ne!(table.columns.is_empty(), table.cells.is_none(), "{}", table.kind);
        }
    }
}
