//! Lines of logs as columns of Polars.
//!
//! Why beside [`Rows`](crate::columns::Rows): millions of lines have the same few sources, levels and Pods. A cell that
//! lines share is made once, and each line says only which it is, which takes a fraction of the time and of the memory.

use crate::columns::Filling;
use facts::store::Facts;
use lines::Line;
use polars::prelude::{Column, DataFrame, IdxSize, IntoColumn, PolarsResult, Series};
use tables::{LogColumn, Shared, log_cell, shared_cell};

/// Lines that become a frame.
pub(crate) struct LineRows<'f> {
    facts: &'f Facts,
    columns: Vec<(LogColumn, Cells)>,
    count: usize,
}

/// The cells of a column.
enum Cells {
    /// One for each line.
    Own(Filling),
    /// What they may depend on, in its order, with the cell of each; and of each line which it is.
    Shared { keys: Vec<Shared>, values: Series, last: (usize, Shared), picks: Vec<IdxSize> },
}

impl<'f> LineRows<'f> {
    /// No lines yet.
    ///
    /// # Errors
    /// If Polars refuses the cells.
    pub(crate) fn new(facts: &'f Facts, columns: impl IntoIterator<Item = LogColumn>) -> PolarsResult<Self> {
        let columns = columns.into_iter().map(|column| {
            let keys = column.all_shared(facts);
            let Some(first) = keys.first().copied() else { return Ok((column, Cells::Own(Filling::new(column.of())))) };
            let mut filling = Filling::new(column.of());
            keys.iter().for_each(|key| filling.push(shared_cell(facts, *key, column)));
            let values = filling.take(column.name())?.take_materialized_series();
            Ok((column, Cells::Shared { keys, values, last: (0, first), picks: Vec::new() }))
        });
        Ok(Self { facts, columns: columns.collect::<PolarsResult<_>>()?, count: 0 })
    }

    /// Adds a line.
    pub(crate) fn push(&mut self, line: &Line<'_>) {
        for (column, cells) in &mut self.columns {
            match (cells, column.shared(line)) {
                (Cells::Own(filling), _) => filling.push(log_cell(self.facts, line, *column)),
                (Cells::Shared { keys, last, picks, .. }, Some(key)) => {
                    if last.1 != key {
                        *last = (keys.binary_search(&key).unwrap_or(0), key);
                    }
                    picks.push(last.0 as IdxSize);
                }
                (Cells::Shared { picks, .. }, None) => picks.push(0),
            }
        }
        self.count += 1;
    }

    /// How many lines wait.
    pub(crate) fn count(&self) -> usize {
        self.count
    }

    /// The frame of all lines so far; they are gone then.
    ///
    /// # Errors
    /// If Polars refuses the columns.
    pub(crate) fn take(&mut self) -> PolarsResult<DataFrame> {
        let column = |(column, cells): &mut (LogColumn, Cells)| -> PolarsResult<Column> {
            match cells {
                Cells::Own(filling) => filling.take(column.name()),
                Cells::Shared { values, picks, .. } => Ok(values.take_slice(&std::mem::take(picks))?.into_column()),
            }
        };
        let columns = self.columns.iter_mut().map(column).collect::<PolarsResult<Vec<_>>>()?;
        DataFrame::new(std::mem::take(&mut self.count), columns)
    }
}
