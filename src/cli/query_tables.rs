//! `casefile query` and `casefile export`: what is not built in is said to be so.
//!
//! Why it may not be: Polars with its SQL takes longer to compile than all else, so the first build leaves it out. Lines of
//! JSON need none of it.

use crate::args::{Export, ExportFormat, Query};
use crate::exit::Exit;
use crate::export_lines;
use anyhow::ensure;
use facts::suggest;
use tables::{OF_FLEETS, Source, Table};

/// The name that stands for the tables that `casefile fleet` reads.
const FLEET: &str = "fleet";

/// Answers a query.
///
/// # Errors
/// As `query::run`, or if the program was built without it.
pub(crate) fn query(args: &Query) -> anyhow::Result<Exit> {
    #[cfg(feature = "query")]
    return crate::query::run(args);
    #[cfg(not(feature = "query"))]
    missing("query", "", &args.one.bundle)
}

/// Writes tables.
///
/// # Errors
/// As `export::run` and `export_lines::run`, or if the program was built without Parquet.
pub(crate) fn export(args: &Export) -> anyhow::Result<Exit> {
    match args.format {
        Some(ExportFormat::Jsonl) => export_lines::run(args),
        #[cfg(feature = "query")]
        Some(ExportFormat::Parquet) | None => crate::export::run(args),
        #[cfg(not(feature = "query"))]
        Some(ExportFormat::Parquet) | None => {
            missing("export", ", or write lines of JSON with `--format jsonl`", &args.one.bundle)
        }
    }
}

#[cfg(not(feature = "query"))]
fn missing(command: &str, or: &str, _bundle: &std::path::Path) -> anyhow::Result<Exit> {
    anyhow::bail!(
        "this program was built without `{command}`; build it with `cargo build --release --features query`{or}"
    )
}

/// The tables of these names; all of them if none is named.
///
/// # Errors
/// If there is no table of a name.
pub(crate) fn wanted(source: &Source<'_>, names: &[String]) -> anyhow::Result<Vec<Table>> {
    let mut tables = source.tables();
    let is_wanted = |table: &str, name: &str| table == name || (name == FLEET && OF_FLEETS.contains(&table));
    for name in names {
        let known = tables.iter().any(|table| is_wanted(&table.name, name));
        let near = suggest::did_you_mean(name, tables.iter().map(|table| table.name.as_str()));
        let hint = near.unwrap_or_else(|| "`casefile query BUNDLE --explain-schema` lists them".to_owned());
        ensure!(known, "--tables {name}: there is no such table; {hint}");
    }
    if !names.is_empty() {
        tables.retain(|table| names.iter().any(|name| is_wanted(&table.name, name)));
    }
    Ok(tables)
}
