//! What `patterns/kinds.yaml` knows of the tables of a kind, turned round: from the value of a path to the cell that prints
//! it. Kinds of products stand there, whose columns their definitions state in other clusters than this bundle's.
//!
//! Invariant: a cell that several values print alike is turned round only where one of them is there.

use crate::got::{Got, got};
use crate::{Cell, Column, Maker, NONE};
use catalogue::kinds::{self, Kind};
use facts::object::ObjectId;
use facts::path::Path;
use facts::store::Facts;

/// The paths behind one header.
#[derive(Debug, Clone)]
pub(crate) struct Known {
    paths: Vec<Shown>,
}

#[derive(Debug, Clone)]
struct Shown {
    path: Path,
    /// Value and cell, where only some cells are known.
    cells: Vec<(String, String)>,
    zero: bool,
}

/// The columns of a kind, in the order of the catalogue. What it knows of a part of a cell is left out.
pub(crate) fn columns(kind: &Kind) -> Vec<Column> {
    let mut columns: Vec<Column> = Vec::new();
    for own in kind.columns.iter().filter(|own| is_whole(own)) {
        let shown = Shown {
            path: own.path.clone(),
            cells: own.values.iter().map(|(cell, value)| (value.clone(), cell.clone())).collect(),
            zero: own.zero_is_unset,
        };
        match columns.iter_mut().find(|column| column.header == own.header) {
            Some(Column { maker: Maker::Known(known), .. }) => known.paths.push(shown),
            _ => columns.push(Column {
                header: own.header.clone(),
                wide: false,
                number: own.zero_is_unset,
                maker: Maker::Known(Known { paths: vec![shown] }),
            }),
        }
    }
    columns
}

/// Is the cell the value, and nothing beside it?
fn is_whole(column: &kinds::Column) -> bool {
    let made_up = column.path.to_string().starts_with("status.kubectl");
    column.part.is_none() && !column.before_brackets && !column.in_brackets && !made_up
}

impl Known {
    pub(crate) fn cell(&self, facts: &Facts, id: ObjectId) -> Cell {
        let mut unset = None;
        for shown in &self.paths {
            match got(facts, id, &shown.path) {
                Got::Unknown => {}
                Got::Masked => return Cell::Masked,
                Got::Unset => unset = unset.or(Some(shown)),
                found @ Got::Nodes(_) => {
                    let Some(text) = found.text() else {
                        unset = unset.or(Some(shown));
                        continue;
                    };
                    if shown.cells.is_empty() {
                        return Cell::Text(text);
                    }
                    let means = |value: &str| value.split('|').any(|one| one.eq_ignore_ascii_case(&text));
                    if let Some((_, cell)) = shown.cells.iter().find(|(value, _)| means(value)) {
                        return Cell::Text(cell.clone());
                    }
                }
            }
        }
        match unset {
            Some(shown) if shown.zero => Cell::Number(0),
            Some(shown) if shown.cells.is_empty() => Cell::Text(NONE.to_owned()),
            _ => Cell::Unknown,
        }
    }
}
