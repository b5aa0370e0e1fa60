//! `casefile query BUNDLE [SQL]`

use crate::args::{One, Query, QueryFormat};
use crate::destination::{Destination, Inputs, Readers, Standing};
use crate::exit::Exit;
use crate::progress::Spinner;
use crate::sandbox::Needs;
use crate::settings::Reading;
use crate::{last_line, library, output, sandbox, shell};
use anyhow::ensure;
use catalogue::kinds::Catalogue;
use diagnose::{Keep, collect};
use query::{Answer, Format, Held, Session};
use signature::load::Library;
use std::fmt::Write as _;
use std::io::{BufRead, IsTerminal, Write as _};
use std::sync::Arc;
use tables::{Source, Table};

impl From<QueryFormat> for Format {
    fn from(format: QueryFormat) -> Self {
        match format {
            QueryFormat::Table => Self::Table,
            QueryFormat::Csv => Self::Csv,
            QueryFormat::Json => Self::Json,
            QueryFormat::Parquet => Self::Parquet,
        }
    }
}

/// Settings of a command that holds one bundle with every object.
pub(crate) fn reading(one: &One) -> anyhow::Result<Reading> {
    let mut reading = Reading::of(&one.reading())?;
    reading.options.keep = Keep::All;
    Ok(reading)
}

/// Reads the bundle.
pub(crate) fn hold(reading: Reading, library: &Library, catalogue: &Catalogue) -> anyhow::Result<Arc<Held>> {
    last_line::of_time(&reading.options.limits);
    let mut progress = Spinner::new(&reading.inputs);
    let result = collect(&reading.inputs, library, catalogue, &reading.options, &mut progress);
    progress.finish();
    Ok(Held::new(Arc::new(result?), reading.inputs, reading.options))
}

/// Answers a query, or each one that somebody types.
///
/// # Errors
/// If the bundle cannot be read, the query is wrong, or the answer cannot be written.
pub(crate) fn run(args: &Query) -> anyhow::Result<Exit> {
    let reading = reading(&args.one)?;
    let inputs = Inputs::of(std::iter::once(args.one.bundle.as_path()));
    inputs.spare_from_stdout()?;
    let target = args.output.as_deref();
    let target = target.map(|path| Destination::check(path, &inputs, Readers::Owner, Standing::Stays)).transpose()?;
    let is_binary = args.format == QueryFormat::Parquet && target.is_none();
    ensure!(
        !(is_binary && std::io::stdout().is_terminal()),
        "--format parquet writes bytes that no terminal shows; name a file with `-o FILE`"
    );
    last_line::of_memory(&reading.options.limits);
    let library = library::load(&args.one.signatures)?;
    let types = args.sql.is_none() && !args.explain_schema && std::io::stdin().is_terminal();
    let typed = types.then(shell::Shell::open).transpose()?;
    let write = target.iter().filter_map(Destination::folder).collect();
    sandbox::confine(&Needs { read: reading.paths(), write, terminal: types, runtime: true, ..Needs::default() });
    let catalogue = Catalogue::built_in();
    let held = hold(reading, &library, &catalogue)?;
    let source = Source::new(&held.collected, &library, &catalogue, &held.options);
    let mut session = Session::new(Arc::clone(&held), &source);
    if args.explain_schema {
        output::stdout(&schema(session.tables()))?;
        return Ok(Exit::Done);
    }
    let format = Format::from(args.format);
    match (&args.sql, typed) {
        (Some(sql), _) => {
            let answer = session.ask(sql)?;
            let bytes = answer.write(format)?;
            match target {
                Some(target) => target.write_with(&mut |file| file.write_all(&bytes))?,
                None => output::stdout_bytes(&bytes)?,
            }
            Ok(Exit::Done)
        }
        (None, Some(shell)) => shell.run(&mut session, format),
        (None, None) => lines(&mut session, format),
    }
}

/// Answers each line of standard input.
fn lines(session: &mut Session<'_>, format: Format) -> anyhow::Result<Exit> {
    let mut exit = Exit::Done;
    for line in std::io::stdin().lock().lines() {
        let line = line?;
        let query = line.trim().trim_end_matches(';');
        if query.is_empty() || query.starts_with("--") {
            continue;
        }
        match session.ask(query).and_then(|answer: Answer| answer.write(format)) {
            Ok(bytes) => output::stdout_bytes(&bytes)?,
            Err(error) => {
                output::message(&format!("casefile: {error}"));
                exit = Exit::Usage;
            }
        }
    }
    Ok(exit)
}

/// Tables and columns, for people.
pub(crate) fn schema(tables: &[Table]) -> String {
    let mut out = String::new();
    for table in tables {
        out.push_str(&columns(table));
    }
    out
}

/// One table with its columns.
pub(crate) fn columns(table: &Table) -> String {
    // Writing to a String cannot fail.
    let mut out = String::new();
    let _ = writeln!(out, "{}: {}", table.name, table.about);
    let width = table.columns.iter().map(|column| column.name.len()).max().unwrap_or_default();
    for column in &table.columns {
        let _ = writeln!(out, "  {:width$}  {:6}  {}", column.name, column.of.word(), column.about);
    }
    out
}
