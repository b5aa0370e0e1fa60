//! How many rows the joins of a query make, reckoned before any is made.
//!
//! Why: a condition that was forgotten turns two tables of ten thousand rows into a hundred million, and Polars takes the
//! memory of the machine for them. All else that a query does makes no more rows than it is given.
//!
//! Invariants: nothing is joined here; a join below another one is reckoned first, so that what is counted is never more
//! than may be; what cannot be reckoned is left to Polars, which says what is wrong with it.

use polars::prelude::{DataType, PolarsResult};
use polars_lazy::prelude::{DslPlan, Expr, IntoLazy, JoinType, LazyFrame, col, len};

/// A join that makes too many rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Large {
    /// How many, at most.
    pub rows: u64,
    /// It compares with something else than `=`, so that each row meets each other one.
    pub is_crossed: bool,
}

/// Columns of the counts.
const ROWS: &str = "casefile rows";
const OTHER: &str = "casefile other rows";

/// Does a join of the plan make more rows than `most`?
///
/// # Errors
/// With the join that does.
pub(crate) fn check(plan: &DslPlan, most: u64) -> Result<(), Large> {
    for below in inputs(plan) {
        check(below, most)?;
    }
    let DslPlan::Join { input_left, input_right, left_on, right_on, predicates, options } = plan else { return Ok(()) };
    if matches!(options.args.how, JoinType::Semi | JoinType::Anti) {
        return Ok(());
    }
    let is_crossed = left_on.is_empty() || !predicates.is_empty();
    let made = match is_crossed {
        true => crossed(input_left, input_right),
        false => joined((input_left, left_on), (input_right, right_on)),
    };
    match made {
        Ok(rows) if rows > most => Err(Large { rows, is_crossed }),
        _ => Ok(()),
    }
}

/// What a step of a plan takes its rows from.
fn inputs(plan: &DslPlan) -> Vec<&DslPlan> {
    match plan {
        DslPlan::Filter { input, .. }
        | DslPlan::Cache { input, .. }
        | DslPlan::Select { input, .. }
        | DslPlan::GroupBy { input, .. }
        | DslPlan::HStack { input, .. }
        | DslPlan::MatchToSchema { input, .. }
        | DslPlan::Distinct { input, .. }
        | DslPlan::Sort { input, .. }
        | DslPlan::Slice { input, .. }
        | DslPlan::MapFunction { input, .. }
        | DslPlan::Sink { input, .. } => vec![input],
        DslPlan::Join { input_left, input_right, .. } => vec![input_left, input_right],
        DslPlan::Gather { input, idxs, .. } => vec![input, idxs],
        DslPlan::PipeWithSchema { input, .. } => input.iter().collect(),
        DslPlan::Union { inputs, .. } | DslPlan::HConcat { inputs, .. } | DslPlan::SinkMultiple { inputs } => {
            inputs.iter().collect()
        }
        DslPlan::ExtContext { input, contexts } => std::iter::once(&**input).chain(contexts).collect(),
        DslPlan::IR { dsl, .. } => vec![dsl],
        _ => Vec::new(),
    }
}

fn frame(plan: &DslPlan) -> LazyFrame {
    LazyFrame::from(plan.clone())
}

/// The one number of a frame.
fn number(frame: LazyFrame) -> PolarsResult<u64> {
    let frame = frame.collect()?;
    let value = frame.columns().first().map(|column| column.get(0)).transpose()?;
    Ok(value.and_then(|value| value.extract::<f64>()).map_or(0, |rows| rows as u64))
}

/// Each row with each other one.
fn crossed(left: &DslPlan, right: &DslPlan) -> PolarsResult<u64> {
    let rows = |plan| number(frame(plan).select([len().cast(DataType::Float64)]));
    Ok(rows(left)?.saturating_mul(rows(right)?))
}

/// Each row with the others of the same values; rows that meet none are not counted: they are no more than there were.
/// Where one of the sides has each value once, the other one grows by nothing, and is not even counted: it may be the lines
/// of all logs.
fn joined(left: (&DslPlan, &[Expr]), right: (&DslPlan, &[Expr])) -> PolarsResult<u64> {
    let (first, second) = if reads_lines(left.0) { (right, left) } else { (left, right) };
    let counts = counted(first, ROWS).collect()?;
    if number(counts.clone().lazy().select([col(ROWS).max()]))? <= 1 {
        return Ok(0);
    }
    let keys: Vec<Expr> = (0..first.1.len()).map(|at| col(key(at))).collect();
    let both = counts.lazy().join_builder().with(counted(second, OTHER)).on(&keys).how(JoinType::Inner).finish();
    number(both.select([(col(ROWS) * col(OTHER)).sum()]))
}

/// The name of a column of a condition.
fn key(at: usize) -> String {
    format!("casefile key {at}")
}

/// How often each value stands in the columns of a condition.
fn counted((plan, on): (&DslPlan, &[Expr]), rows: &str) -> LazyFrame {
    let keys: Vec<Expr> = on.iter().enumerate().map(|(at, on)| on.clone().alias(key(at))).collect();
    let names: Vec<Expr> = (0..on.len()).map(|at| col(key(at))).collect();
    frame(plan).select(&keys).group_by(&names).agg([len().cast(DataType::Float64).alias(rows)])
}

/// Is there a table that is read from the bundle?
fn reads_lines(plan: &DslPlan) -> bool {
    matches!(plan, DslPlan::Scan { .. }) || inputs(plan).into_iter().any(reads_lines)
}
