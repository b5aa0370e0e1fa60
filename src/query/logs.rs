//! The table `logs` as a scan: lines are read from the bundle when a query runs, a batch at a time.
//!
//! Invariants: of a batch only the columns that the query names are made, and only the rows that its conditions leave
//! stay; a text that nobody asks for is not even masked, nor is that of a line which the other conditions, or the
//! [`needles`] of those on texts, leave out, nor one that nobody sees where the needles decide; texts are masked on as many
//! threads as the machine has, and stand in the order of their lines; what stays is weighed, and ends the query where it is
//! too much.

use crate::columns::schema;
use crate::error::{LINES, MEMORY, TIME};
use crate::line_rows::LineRows;
use crate::needles;
use crate::needles::Otherwise;
use crate::session::Held;
use facts::store::Facts;
use lines::{Kept, Line};
use polars::prelude::{
    BooleanChunked, Column, DataFrame, DataType, IdxCa, IdxSize, NewChunkedArray, PolarsError, PolarsResult, SchemaRef,
};
use polars_lazy::prelude::{AnonymousScan, AnonymousScanArgs, Expr, IntoLazy, Operator};
use std::any::Any;
use std::num::NonZero;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use tables::LogColumn;

/// Lines of one batch.
const BATCH: usize = 32 << 10;
/// Bytes of lines of one batch that wait for conditions.
const BATCH_BYTES: usize = 16 << 20;
/// Lines of which it is worth to begin a thread.
const SHARE: usize = 256;
/// A column that no table has: does the row stay?
const STAYS: &str = "stays";

/// Name and type of each column.
pub(crate) fn columns() -> impl Iterator<Item = (&'static str, tables::Type)> {
    LogColumn::ALL.into_iter().map(|column| (column.name(), column.of()))
}

/// The lines of a bundle that is held.
pub(crate) struct Scan {
    held: Arc<Held>,
    /// When reading ends, and after how many seconds that is.
    until: Option<(Instant, u64)>,
    /// Texts are named in conditions alone.
    unseen: AtomicBool,
}

impl Scan {
    /// The lines as far as they can be read in so many seconds from now on.
    pub(crate) fn new(held: Arc<Held>, seconds: Option<u64>) -> Self {
        let until = |seconds| Some((Instant::now().checked_add(Duration::from_secs(seconds))?, seconds));
        Self { held, until: seconds.and_then(until), unseen: AtomicBool::new(false) }
    }

    /// Says that the query shows no text of lines: what the scan gives for one need not be it.
    pub(crate) fn leave_unseen(&self) {
        self.unseen.store(true, Ordering::Relaxed);
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
        let wanted = LogColumn::ALL.into_iter().filter(named).collect();
        let condition = args.predicate.and_then(certain);
        let needles = condition.as_ref().and_then(needles::of);
        let most = args.n_rows.unwrap_or(usize::MAX);
        let mut batch = Batch::new(&self.held.collected.facts, wanted, condition, self.unseen.load(Ordering::Relaxed))?;
        let mut kept: Option<DataFrame> = None;
        let mut failed = None;
        let mut settle = |batch: &mut Batch<'_>| -> PolarsResult<ControlFlow<()>> {
            let batch = batch.take()?;
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
        let mut passed = 0;
        let read = self.held.lines(&mut |line| {
            passed += 1;
            if needles.as_ref().is_none_or(|needles| line.may_hold(needles)) {
                batch.push(line);
            }
            // The time is watched where no line holds what is looked for, too.
            if !batch.is_full() && passed % BATCH != 0 {
                return ControlFlow::Continue(());
            }
            settle(&mut batch).unwrap_or_else(|error| {
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
        let _ = settle(&mut batch)?;
        let all = kept.unwrap_or_default();
        Ok(if all.height() > most { all.head(Some(most)) } else { all })
    }
}

/// The columns that hold the text of a line: each cell of them is masked when it is made.
fn is_text(column: LogColumn) -> bool {
    matches!(column, LogColumn::Text | LogColumn::Message)
}

/// Is it the name of one?
pub(crate) fn is_text_name(name: &str) -> bool {
    LogColumn::ALL.into_iter().any(|column| is_text(column) && column.name() == name)
}

/// Lines that become a frame with the rows that a condition leaves.
struct Batch<'f> {
    facts: &'f Facts,
    /// The columns of the frame.
    wanted: Vec<LogColumn>,
    /// What is made of each line: the columns that hold no text of it.
    rows: LineRows<'f>,
    /// What decides by these which lines stay.
    early: Option<Expr>,
    /// What decides about those once their texts are made.
    late: Option<Expr>,
    /// The lines themselves, where texts are made of those that stay.
    lines: Option<Kept>,
    /// What decides about lines without needles, where nobody sees a text; the others are kept, and stand at these places.
    unseen: Option<(Otherwise, Vec<IdxSize>)>,
}

impl<'f> Batch<'f> {
    fn new(
        facts: &'f Facts,
        wanted: Vec<LogColumn>,
        condition: Option<Expr>,
        are_texts_unseen: bool,
    ) -> PolarsResult<Self> {
        let otherwise = condition.as_ref().filter(|_| are_texts_unseen).and_then(needles::otherwise);
        let unseen = otherwise.map(|otherwise| (otherwise, Vec::new()));
        let (early, late) = condition.map_or((None, None), apart);
        let lines = wanted.iter().copied().any(is_text).then(Kept::default);
        let rows = LineRows::new(facts, wanted.iter().copied().filter(|column| !is_text(*column)))?;
        Ok(Self { facts, wanted, rows, early, late, lines, unseen })
    }

    fn push(&mut self, line: Line<'_>) {
        let at = self.rows.count();
        self.rows.push(&line);
        if let Some((otherwise, held)) = &mut self.unseen {
            if !line.may_hold(&otherwise.needles) {
                return;
            }
            held.push(at as IdxSize);
        }
        if let Some(lines) = &mut self.lines {
            lines.push(line);
        }
    }

    fn is_full(&self) -> bool {
        self.rows.count() >= BATCH || self.lines.as_ref().is_some_and(|lines| lines.weight() >= BATCH_BYTES)
    }

    /// The rows that stay of the lines so far; they are gone then.
    fn take(&mut self) -> PolarsResult<DataFrame> {
        let mut frame = self.rows.take()?;
        let Some(lines) = &mut self.lines else {
            return filtered(filtered(frame, self.early.as_ref())?, self.late.as_ref());
        };
        let columns: Vec<_> = self.wanted.iter().copied().filter(|column| is_text(*column)).collect();
        if let Some((otherwise, held)) = &mut self.unseen {
            let places: Vec<usize> = (0..held.len()).collect();
            let doubtful = IdxCa::from_vec("".into(), std::mem::take(held));
            let texts = texts(self.facts, &columns, lines, &places)?;
            lines.clear();
            let mut stays = stays(frame.clone(), &otherwise.condition)?;
            let mut whole = frame.take(&doubtful)?;
            whole.hstack_mut(texts.columns())?;
            let conditions = [&self.early, &self.late].into_iter().flatten();
            let mut of_doubtful = vec![true; whole.height()];
            for condition in conditions {
                let own = self::stays(whole.clone(), condition)?;
                of_doubtful.iter_mut().zip(own).for_each(|(both, own)| *both &= own);
            }
            for (at, own) in doubtful.into_no_null_iter().zip(of_doubtful) {
                if let Some(slot) = stays.get_mut(at as usize) {
                    *slot = own;
                }
            }
            let mut frame = frame.filter(&BooleanChunked::from_slice(STAYS.into(), &stays))?;
            let unseen =
                |column: &LogColumn| Column::full_null(column.name().into(), frame.height(), &DataType::String);
            let unseen: Vec<Column> = columns.iter().map(unseen).collect();
            frame.hstack_mut(&unseen)?;
            return frame.select(self.wanted.iter().map(|column| column.name()));
        }
        let mut staying: Vec<usize> = (0..frame.height()).collect();
        if let Some(early) = &self.early {
            let decided = frame.clone().lazy().with_column(early.clone().alias(STAYS)).collect()?;
            let stays = decided.column(STAYS)?.bool()?;
            staying = stays.iter().enumerate().filter(|(_, stays)| *stays == Some(true)).map(|(at, _)| at).collect();
            frame = frame.filter(stays)?;
        }
        frame.hstack_mut(texts(self.facts, &columns, lines, &staying)?.columns())?;
        lines.clear();
        filtered(frame.select(self.wanted.iter().map(|column| column.name()))?, self.late.as_ref())
    }
}

/// Columns of the lines at some places, which follow each other as the places do: masking a line takes longer than all
/// else, and no line waits for another.
fn texts(facts: &Facts, columns: &[LogColumn], lines: &Kept, places: &[usize]) -> PolarsResult<DataFrame> {
    let made = |places: &[usize]| {
        let mut rows = LineRows::new(facts, columns.iter().copied())?;
        places.iter().filter_map(|at| lines.get(*at)).for_each(|line| rows.push(&line));
        rows.take()
    };
    let threads = std::thread::available_parallelism().map_or(1, NonZero::get);
    let mut shares = places.chunks(places.len().div_ceil(threads).max(SHARE));
    let Some(own) = shares.next() else { return made(&[]) };
    std::thread::scope(|scope| {
        let others: Vec<_> = shares
            .map(|share| (share, std::thread::Builder::new().spawn_scoped(scope, move || made(share)).ok()))
            .collect();
        let mut all = made(own)?;
        for (share, thread) in others {
            let frame = match thread {
                Some(thread) => thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)),
                // Where there can be no more threads, this one does it.
                None => made(share),
            };
            all.vstack_mut_owned(frame?)?;
        }
        all.rechunk_mut();
        Ok(all)
    })
}

/// Of each row of a frame: does a condition leave it?
fn stays(mut frame: DataFrame, condition: &Expr) -> PolarsResult<Vec<bool>> {
    // With a column of its own, so that a condition that names none is asked for each row, too.
    frame.with_column(Column::new(STAYS.into(), vec![false; frame.height()]))?;
    let decided = frame.lazy().with_column(condition.clone().alias(STAYS)).collect()?;
    Ok(decided.column(STAYS)?.bool()?.iter().map(|stays| stays == Some(true)).collect())
}

fn filtered(frame: DataFrame, condition: Option<&Expr>) -> PolarsResult<DataFrame> {
    match condition {
        Some(condition) => frame.lazy().filter(condition.clone()).collect(),
        None => Ok(frame),
    }
}

/// A condition as what can be decided without the text of a line, and what needs it; both must hold.
fn apart(condition: Expr) -> (Option<Expr>, Option<Expr>) {
    let both = |one: Option<Expr>, other: Option<Expr>| match (one, other) {
        (Some(one), Some(other)) => Some(one.and(other)),
        (one, other) => one.or(other),
    };
    if let Expr::BinaryExpr { left, op: Operator::And | Operator::LogicalAnd, right } = condition {
        let (early, late) = apart(Arc::unwrap_or_clone(left));
        let (more_early, more_late) = apart(Arc::unwrap_or_clone(right));
        return (both(early, more_early), both(late, more_late));
    }
    let is_early = (&condition).into_iter().all(|part| match part {
        Expr::Column(name) => LogColumn::ALL.iter().any(|own| own.name() == name.as_str() && !is_text(*own)),
        Expr::Selector(_) => false,
        _ => true,
    });
    if is_early { (Some(condition), None) } else { (None, Some(condition)) }
}
