//! Which other object a field names (`patterns/references.yaml`): the lines of the picture round a finding's object.
//!
//! Invariant: a row whose path or kind cannot be read is a fault of the library, which a test finds; nothing is decided
//! by them.

use crate::built_in;
use facts::kind::KindName;
use facts::path::Path;
use serde::Deserialize;
use std::sync::LazyLock;

/// One row of the file.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    of: String,
    path: String,
    to: String,
    says: String,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[expect(dead_code, reason = "the version of the file's shape, which serde checks to be there")]
    schema: u32,
    references: Vec<Row>,
}

/// A field that names another object.
#[derive(Debug)]
pub struct Reference {
    /// The kind that has the field.
    pub of: KindName,
    /// The field.
    pub path: Path,
    /// The kind that it names.
    pub to: KindName,
    /// What the first does with the second: `runs on`.
    pub says: String,
}

static REFERENCES: LazyLock<Vec<Reference>> = LazyLock::new(|| {
    let rows = built_in::document::<File>("references.yaml").map(|file| file.references).unwrap_or_default();
    rows.into_iter().filter_map(reference).collect()
});

fn reference(row: Row) -> Option<Reference> {
    let path = Path::parse(&row.path).ok()?;
    Some(Reference { of: KindName::parse(&row.of), path, to: KindName::parse(&row.to), says: row.says })
}

/// The fields of a kind that name other objects, in the order of the file.
pub fn of(kind: &KindName) -> impl Iterator<Item = &'static Reference> {
    REFERENCES.iter().filter(move |reference| reference.of == *kind)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_can_be_read() {
        let text = include_str!("../../patterns/references.yaml");
        let file: File = serde_saphyr::from_str(text).expect("the file has its shape");
        assert_eq!(REFERENCES.len(), file.references.len());
        assert_eq!(of(&KindName::parse("pods")).next().map(|first| first.says.as_str()), Some("runs on"));
    }
}
