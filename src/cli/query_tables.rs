//! `casefile query` and `casefile export`, where they are built in.
//!
//! Why they may not be: Polars with its SQL takes longer to compile than all else, so the first build leaves it out.

use crate::args::{Export, Query};
use crate::exit::Exit;

/// Answers a query.
///
/// # Errors
/// As `query::run`, or if the program was built without it.
pub(crate) fn query(args: &Query) -> anyhow::Result<Exit> {
    #[cfg(feature = "query")]
    return crate::query::run(args);
    #[cfg(not(feature = "query"))]
    missing("query", &args.one.bundle)
}

/// Writes tables as Parquet.
///
/// # Errors
/// As `export::run`, or if the program was built without it.
pub(crate) fn export(args: &Export) -> anyhow::Result<Exit> {
    #[cfg(feature = "query")]
    return crate::export::run(args);
    #[cfg(not(feature = "query"))]
    missing("export", &args.one.bundle)
}

#[cfg(not(feature = "query"))]
fn missing(command: &str, _bundle: &std::path::Path) -> anyhow::Result<Exit> {
    anyhow::bail!("this program was built without `{command}`; build it with `cargo build --release --features query`")
}
