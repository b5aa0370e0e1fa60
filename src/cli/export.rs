//! `casefile export BUNDLE --to DIR` as Parquet

use crate::args::Export;
use crate::destination::{Destination, Inputs, Readers, Standing};
use crate::exit::Exit;
use crate::folder::Folder;
use crate::query::{hold, reading};
use crate::query_tables::wanted;
use crate::sandbox::Needs;
use crate::settings::is_dash;
use crate::{last_line, library, output, sandbox};
use anyhow::{Context, ensure};
use catalogue::kinds::Catalogue;
use diagnose::bundle_id;
use facts::outside::Outside;
use std::io::{self, Write};
use tables::{Source, Table};

/// What a Parquet file begins with.
const MAGIC: &[u8] = b"PAR1";

/// Writes the tables.
///
/// # Errors
/// If the bundle cannot be read, a table does not exist, or a file cannot be written.
pub(crate) fn run(args: &Export) -> anyhow::Result<Exit> {
    ensure!(!is_dash(&args.to), "--to -: Parquet is many files; name a folder, or add `--format jsonl`");
    let reading = reading(&args.one)?;
    let inputs = Inputs::of(std::iter::once(args.one.bundle.as_path()));
    let shown = Outside::name(&args.to.to_string_lossy());
    let library = library::load(&args.one.signatures)?;
    std::fs::create_dir_all(&args.to)
        .with_context(|| format!("cannot make the folder {shown}; name another one with --to"))?;
    // Whatever is written below it is spared as this name would be.
    Destination::check(&args.to.join("objects.parquet"), &inputs, Readers::Owner, Standing::Replaced)?;
    let folder = Folder::open(&args.to)
        .with_context(|| format!("cannot open the folder {shown}; name another one with --to"))?;
    last_line::of_memory(&reading.options.limits);
    sandbox::confine(&Needs { read: reading.paths(), write: vec![&folder], folders: true, ..Needs::default() });
    let catalogue = Catalogue::built_in();
    let held = hold(reading, &library, &catalogue)?;
    let source = Source::new(&held.collected, &library, &catalogue, &held.options);
    let Some(bundle) = held.collected.bundles.first() else { return Ok(Exit::Done) };
    let id = bundle_id(bundle);
    let mut total = 0;
    for table in wanted(&source, &args.tables)? {
        if args.tables.is_empty() && is_empty(&table, &source) {
            continue;
        }
        let of_table = args.to.join(&table.name);
        match std::fs::create_dir(&of_table) {
            Err(error) if error.kind() != io::ErrorKind::AlreadyExists => {
                return Err(error)
                    .with_context(|| format!("cannot make a folder in {shown}; name another one with --to"));
            }
            _ => {}
        }
        let path = of_table.join(format!("{id}.parquet"));
        let standing = Standing::ReplacedIf(|bytes| bytes.starts_with(MAGIC));
        let file = Destination::check(&path, &inputs, Readers::Owner, standing)?;
        let mut rows = 0;
        file.write_with(&mut |out| {
            let mut out = io::BufWriter::new(out);
            rows = query::export(&table, &source, &held, &id, &mut out).map_err(io::Error::other)?;
            out.flush()
        })?;
        output::stdout(&format!("{}: {rows} rows\n", Outside::name(&path.to_string_lossy())))?;
        total += 1;
    }
    ensure!(total > 0, "no table has a row, so nothing was written; `casefile inspect` shows what was understood");
    Ok(Exit::Done)
}

/// Has a table no row? Logs have one if there is a stream.
fn is_empty(table: &Table, source: &Source<'_>) -> bool {
    if table.is_logs() {
        return source.collected.facts.streams.is_empty();
    }
    let mut empty = true;
    table.rows(source, &mut |_| empty = false);
    empty
}
