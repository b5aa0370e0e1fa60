//! `casefile export BUNDLE --format jsonl`: tables as lines of JSON, in a folder or on standard output.
//!
//! Why: a program that hands thousands of bundles to Casefile needs the rows of each and no library of columns, and the
//! first build has no Parquet.
//!
//! Invariants: a bundle of which nothing is understood ends with the exit code of `diagnose`, and nothing is written; the
//! rows are those of the Parquet files.

use crate::args::Export;
use crate::destination::{Destination, Inputs, Readers, Standing};
use crate::exit::Exit;
use crate::folder::Folder;
use crate::query_tables::wanted;
use crate::sandbox::Needs;
use crate::settings::{Reading, is_dash};
use crate::{last_line, library, output, sandbox};
use anyhow::{Context, ensure};
use catalogue::kinds::Catalogue;
use diagnose::{Keep, bundle_id};
use diagnosis::words;
use facts::outside::Outside;
use std::io;
use tables::{Source, json};

/// What a file of such lines begins with.
const BEGINS: &[u8] = b"{\"table\":";

/// Writes the tables.
///
/// # Errors
/// If the bundle cannot be read, a table does not exist, or a file cannot be written.
pub(crate) fn run(args: &Export) -> anyhow::Result<Exit> {
    ensure!(
        !tables::fixed().iter().any(|table| table.is_logs() && args.tables.contains(&table.name)),
        "--tables logs: lines of logs are written as Parquet only; leave out `--format jsonl`"
    );
    let mut reading = Reading::of(&args.one.reading())?;
    reading.options.keep = Keep::All;
    let inputs = Inputs::of(std::iter::once(args.one.bundle.as_path()));
    let shown = Outside::name(&args.to.to_string_lossy());
    let hint = || format!("cannot make the folder {shown}; name another one with --to");
    let folder = if is_dash(&args.to) {
        inputs.spare_from_stdout()?;
        None
    } else {
        std::fs::create_dir_all(&args.to).with_context(hint)?;
        // Whatever is written below it is spared as this name would be.
        Destination::check(&args.to.join("objects.jsonl"), &inputs, Readers::Owner, Standing::Replaced)?;
        Some(Folder::open(&args.to).with_context(hint)?)
    };
    last_line::of_memory(&reading.options.limits);
    let library = library::load(&args.one.signatures)?;
    let write: Vec<&Folder> = folder.iter().collect();
    sandbox::confine(&Needs { read: reading.paths(), write, folders: true, ..Needs::default() });
    last_line::of_time(&reading.options.limits);
    let catalogue = Catalogue::built_in();
    let collected = reading.collect(&library, &catalogue)?;
    let source = Source::new(&collected, &library, &catalogue, &reading.options);
    if let Some(reason) = diagnose::nothing(source.diagnosis()) {
        let name = Outside::name(&words::bundles(&source.diagnosis().bundles));
        return Err(intake::Error::Nothing { name, reason: reason.into() }.into());
    }
    let Some(bundle) = collected.bundles.first() else { return Ok(Exit::Done) };
    let id = bundle_id(bundle);
    for table in wanted(&source, &args.tables)?.iter().filter(|table| !table.is_logs()) {
        let mut lines = String::new();
        let mut rows = 0;
        table.rows(&source, &mut |cells| {
            lines.push_str(&json::row(table, &id, &cells));
            rows += 1;
        });
        if folder.is_none() {
            output::stdout(&lines)?;
        } else if rows > 0 || !args.tables.is_empty() {
            let of_table = args.to.join(&table.name);
            match std::fs::create_dir(&of_table) {
                Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(error).with_context(hint),
                _ => {}
            }
            let path = of_table.join(format!("{id}.jsonl"));
            let standing = Standing::ReplacedIf(|bytes| bytes.starts_with(BEGINS));
            Destination::check(&path, &inputs, Readers::Owner, standing)?.write(&lines)?;
            output::stdout(&format!("{}: {rows} rows\n", Outside::name(&path.to_string_lossy())))?;
        }
    }
    Ok(Exit::Done)
}
