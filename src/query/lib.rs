//! SQL over the tables of a bundle, and Parquet out of them: Polars does both.
//!
//! Why behind a feature (`sql`): the lazy half of Polars with its SQL takes longer to compile than all else, and who only
//! diagnoses needs none of it. Which tables there are, and what stands in them, `tables` says.
//!
//! May know: facts, lines, tables.
//!
//! Invariants: a table is filled only if the query names it; lines of logs are read in batches, of which only the columns
//! and rows stay that the query asks for, within the budget of memory: beyond it the query ends with an error, never with
//! fewer rows; a join that makes more rows than fit is refused before it is made; nothing is read from or written to files by a query.
//! `rows.rs` reads what `export` or an engine wrote, for `casefile fleet`.

#[cfg(feature = "sql")]
mod columns;
#[cfg(feature = "sql")]
mod error;
#[cfg(feature = "sql")]
mod joins;
#[cfg(feature = "sql")]
mod line_rows;
#[cfg(feature = "sql")]
mod logs;
#[cfg(feature = "sql")]
mod needles;
#[cfg(feature = "sql")]
mod parquet;
#[cfg(feature = "sql")]
mod rows;
#[cfg(feature = "sql")]
mod session;
#[cfg(feature = "sql")]
mod show;
#[cfg(feature = "sql")]
mod unseen;

#[cfg(feature = "sql")]
pub use error::Error;
#[cfg(feature = "sql")]
pub use joins::Large;
#[cfg(feature = "sql")]
pub use parquet::export;
#[cfg(feature = "sql")]
pub use rows::rows;
#[cfg(feature = "sql")]
pub use session::{Answer, Bounds, Held, Session};
#[cfg(feature = "sql")]
pub use show::{Format, Most, Texts};
