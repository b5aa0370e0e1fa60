//! The table `logs` as a scan: lines are read from the bundle when a query runs, a batch at a time.
//!
//! Invariants: of a batch only the columns that the query names are made, and only the rows that its conditions leave
//! stay; a text that nobody asks for is not even masked; what stays is weighed, and ends the query where it is too much.

use crate::columns::{Rows, schema};
use crate::error::{LINES, MEMORY};
use crate::session::Held;
use polars::prelude::{DataFrame, PolarsError, PolarsResult, SchemaRef};
use polars_lazy::prelude::{AnonymousScan, AnonymousScanArgs, IntoLazy};
use std::any::Any;
use std::ops::ControlFlow;
use std::sync::Arc;
use tables::{LogColumn, log_cell};

/// Lines of one batch.
const BATCH: usize = 32 << 10;

/// Name and type of each column.
pub(crate) fn columns() -> impl Iterator<Item = (&'static str, tables::Type)> {
    LogColumn::ALL.into_iter().map(|column| (column.name(), column.of()))
}

/// The lines of a bundle that is held.
pub(crate) struct Scan(pub(crate) Arc<Held>);

impl AnonymousScan for Scan {
    fn as_any(&self) -> &dyn Any {
        self
    }

    fn schema(&self, _: Option<usize>) -> PolarsResult<SchemaRef> {
        Ok(Arc::new(schema(columns())))
    }

    fn allows_predicate_pushdown(&self) -> bool {
        true
    }

    fn allows_projection_pushdown(&self) -> bool {
        true
    }

    fn scan(&self, args: AnonymousScanArgs) -> PolarsResult<DataFrame> {
        let named = |column: &LogColumn| {
            args.with_columns.as_ref().is_none_or(|names| names.iter().any(|name| name.as_str() == column.name()))
        };
        let wanted: Vec<LogColumn> = LogColumn::ALL.into_iter().filter(named).collect();
        let mut rows = Rows::new(wanted.iter().map(|column| (column.name(), column.of())));
        let mut kept: Option<DataFrame> = None;
        let mut failed = None;
        let most = args.n_rows.unwrap_or(usize::MAX);
        let mut settle = |rows: &mut Rows<'_>| -> PolarsResult<ControlFlow<()>> {
            let mut batch = rows.take()?;
            if let Some(predicate) = &args.predicate {
                batch = batch.lazy().filter(predicate.clone()).collect()?;
            }
            let kept = match &mut kept {
                Some(kept) => kept.vstack_mut(&batch)?,
                none => none.insert(batch),
            };
            let bytes = kept.estimated_size() as u64;
            if bytes > self.0.memory {
                return Err(PolarsError::ComputeError(format!("{MEMORY}{}", self.0.memory).into()));
            }
            Ok(if kept.height() >= most { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
        };
        let facts = &self.0.collected.facts;
        let read = self.0.lines(&mut |line| {
            rows.push(wanted.iter().map(|column| log_cell(facts, &line, *column)));
            if rows.count() < BATCH {
                return ControlFlow::Continue(());
            }
            settle(&mut rows).unwrap_or_else(|error| {
                failed = Some(error);
                ControlFlow::Break(())
            })
        });
        if let Some(error) = failed {
            return Err(error);
        }
        if let Err(error) = read {
            return Err(PolarsError::ComputeError(format!("{LINES}{error}").into()));
        }
        let _ = settle(&mut rows)?;
        let all = kept.unwrap_or_default();
        Ok(if all.height() > most { all.head(Some(most)) } else { all })
    }
}
