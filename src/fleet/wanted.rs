//! The tables that are read, and of each the columns.
//!
//! Invariant: a file that lacks a column which must be there is not one of ours.

use tables::Type::{self, Number, Text, Time};

/// A column: its name, its type, and whether a file without it is refused.
pub type Column = (&'static str, Type, bool);

/// A table that is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Wanted {
    /// A row is a file that was handed to Casefile: the integrations write it.
    Inputs,
    Bundles,
    Versions,
    Findings,
    Coverage,
}

impl Wanted {
    /// All of them, in the order in which they are read.
    pub const ALL: [Self; 5] = [Self::Inputs, Self::Bundles, Self::Versions, Self::Findings, Self::Coverage];

    /// The name of its folder.
    pub fn name(self) -> &'static str {
        match self {
            Self::Inputs => "inputs",
            Self::Bundles => "bundles",
            Self::Versions => "versions",
            Self::Findings => "findings",
            Self::Coverage => "coverage",
        }
    }

    /// The columns that are read of it.
    pub fn columns(self) -> &'static [Column] {
        match self {
            Self::Inputs => {
                &[("file", Text, true), ("bundle_id", Text, true), ("exit_code", Number, true), ("message", Text, true)]
            }
            Self::Bundles => {
                &[("bundle_id", Text, true), ("name", Text, true), ("as_of", Time, true), ("objects", Number, true)]
            }
            Self::Versions => {
                &[("bundle_id", Text, true), ("context", Text, true), ("product", Text, true), ("version", Text, true)]
            }
            Self::Findings => &[
                ("bundle_id", Text, true),
                ("finding", Number, true),
                ("signature", Text, true),
                ("title", Text, true),
                ("severity", Text, true),
                ("verdict", Text, true),
                ("context", Text, true),
                ("since", Time, true),
                // Written since it is there.
                ("supported_by", Text, false),
            ],
            Self::Coverage => &[("bundle_id", Text, true), ("kind", Text, true), ("state", Text, true)],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Wanted;

    #[test]
    fn what_is_read_is_what_is_exported() {
        let exported = tables::fixed();
        for table in Wanted::ALL.into_iter().filter(|table| *table != Wanted::Inputs) {
            assert!(tables::OF_FLEETS.contains(&table.name()));
            let of_export = exported.iter().find(|own| own.name == table.name()).unwrap();
            for (name, of, _) in table.columns().iter().skip(1) {
                assert!(of_export.columns.iter().any(|own| own.name == *name && own.of == *of), "{name}");
            }
        }
    }
}
