//! The table `logs` as a scan: lines are read from the bundle when a query runs, a batch at a time.
//!
//! Invariants: of a batch only the columns that the query names are made, and only the rows that its conditions leave
//! stay; a text that nobody asks for is not even masked; what stays is weighed, and ends the query where it is too much.

use crate::columns::{Rows, schema};
use crate::error::{LINES, MEMORY, TIME};
use crate::session::Held;
use polars::prelude::{DataFrame, PolarsError, PolarsResult, SchemaRef};
use polars_lazy::prelude::{AnonymousScan, AnonymousScanArgs, Expr, IntoLazy, Operator};
use std::any::Any;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tables::{LogColumn, log_cell};

/// Lines of one batch.
const BATCH: usize = 32 << 10;

/// Name and type of each column.
pub(crate) fn columns() -> impl Iterator<Item = (&'static str, tables::Type)> {
    LogColumn::ALL.into_iter().map(|column| (column.name(), column.of()))
}

/// The lines of a bundle that is held.
pub(crate) struct Scan {
    held: Arc<Held>,
    /// When reading ends, and after how many seconds that is.
    until: Option<(Instant, u64)>,
}

impl Scan {
    /// The lines as far as they can be read in so many seconds from now on.
    pub(crate) fn new(held: Arc<Held>, seconds: Option<u64>) -> Self {
        let until = |seconds| Some((Instant::now().checked_add(Duration::from_secs(seconds))?, seconds));
        Self { held, until: seconds.and_then(until) }
    }

    /// The seconds, if they are over.
    fn is_late(&self) -> Option<u64> {
        self.until.filter(|(until, _)| Instant::now() > *until).map(|(_, seconds)| seconds)
    }
}

/// A condition without what only Polars itself can check: where the first few rows of a sorted table are asked for, it adds
/// one that becomes narrower with each row, and nobody outside of it can read it (`Expr::Display`). It saves work and decides
/// nothing.
fn certain(condition: Expr) -> Option<Expr> {
    match condition {
        Expr::BinaryExpr { left, op: op @ (Operator::And | Operator::LogicalAnd), right } => {
            match (certain(Arc::unwrap_or_clone(left)), certain(Arc::unwrap_or_clone(right))) {
                (Some(left), Some(right)) => {
                    Some(Expr::BinaryExpr { left: Arc::new(left), op, right: Arc::new(right) })
                }
                (one, other) => one.or(other),
            }
        }
        other => {
            let is_foreign = (&other).into_iter().any(|part| matches!(part, Expr::Display { .. }));
            (!is_foreign).then_some(other)
        }
    }
}

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
        let predicate = args.predicate.clone().and_then(certain);
        let most = args.n_rows.unwrap_or(usize::MAX);
        let mut settle = |rows: &mut Rows<'_>| -> PolarsResult<ControlFlow<()>> {
            let mut batch = rows.take()?;
            if let Some(predicate) = &predicate {
                batch = batch.lazy().filter(predicate.clone()).collect()?;
            }
            let kept = match &mut kept {
                Some(kept) => kept.vstack_mut(&batch)?,
                none => none.insert(batch),
            };
            let bytes = kept.estimated_size() as u64;
            if bytes > self.held.memory {
                return Err(PolarsError::ComputeError(format!("{MEMORY}{}", self.held.memory).into()));
            }
            if let Some(seconds) = self.is_late() {
                return Err(PolarsError::ComputeError(format!("{TIME}{seconds}").into()));
            }
            Ok(if kept.height() >= most { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
        };
        let facts = &self.held.collected.facts;
        let read = self.held.lines(&mut |line| {
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
