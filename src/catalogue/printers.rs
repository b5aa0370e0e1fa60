//! What `kubectl get` prints of the objects of a kind: `patterns/printers.yaml`.
//!
//! Invariant: a path that stands there parses, and a kind stands there once; a test holds both.

use crate::built_in;
use facts::kind::KindName;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::sync::LazyLock;

/// The columns of a kind.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Printer {
    kind: String,
    columns: Vec<PrinterColumn>,
}

/// One column.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct PrinterColumn {
    pub header: String,
    /// The path whose value is the cell.
    pub path: Option<String>,
    /// The first of these that is set gives the cell.
    pub paths: Vec<String>,
    /// The name of the function that works the cell out.
    pub by: Option<String>,
    /// Only with `-o wide`.
    pub wide: bool,
    /// The cell is a number.
    pub number: bool,
    /// The cell is the number of items or entries.
    pub count: bool,
    /// The cell is a map as labels are printed.
    pub labels: bool,
    /// What is printed where the object surely has no value.
    pub none: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    schema: u32,
    printers: Vec<Printer>,
}

static PRINTERS: LazyLock<BTreeMap<KindName, Vec<PrinterColumn>>> = LazyLock::new(|| {
    let file = built_in::document::<File>("printers.yaml").filter(|file| file.schema == 1);
    let printers = file.map(|file| file.printers).unwrap_or_default();
    printers.into_iter().map(|printer| (KindName::parse(&printer.kind), printer.columns)).collect()
});

/// The columns of a kind behind NAMESPACE and NAME, if the file has them.
pub fn of(kind: &KindName) -> Option<&'static [PrinterColumn]> {
    PRINTERS.get(kind).map(Vec::as_slice)
}

/// Every kind that has a row.
pub fn kinds() -> impl Iterator<Item = &'static KindName> {
    PRINTERS.keys()
}

/// The names of all functions that cells ask for.
pub fn functions() -> impl Iterator<Item = &'static str> {
    PRINTERS.values().flatten().filter_map(|column| column.by.as_deref())
}

impl PrinterColumn {
    /// Its paths.
    pub fn paths(&self) -> impl Iterator<Item = &str> {
        self.path.iter().chain(&self.paths).map(String::as_str)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kinds::Catalogue;
    use facts::path::Path;

    #[test]
    fn every_column_can_be_made() {
        assert!(kinds().count() > 30);
        for (kind, columns) in PRINTERS.iter() {
            assert!(Catalogue::shared().kind(kind).is_some(), "{kind} is in no row of kinds.yaml");
            for column in columns {
                let name = format!("{kind} {}", column.header);
                assert!(column.by.is_some() != (column.paths().count() > 0), "{name}: a path, or a function");
                assert!(column.paths().all(|path| Path::parse(path).is_ok()), "{name}");
            }
        }
    }
}
