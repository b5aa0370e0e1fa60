//! A bundle that is held, and the queries that are put to it.

use crate::columns::Rows;
use crate::error::{Error, LINES};
use crate::logs;
use diagnose::{Collected, Input, Options};
use lines::Line;
use polars::prelude::{DataFrame, PolarsResult};
use polars::sql::{SQLContext, extract_table_identifiers};
use polars_lazy::prelude::{IntoLazy, LazyFrame, ScanArgsAnonymous};
use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::Arc;
use tables::{Source, Table};

/// What was read, and where to read it again for the lines of its logs.
#[derive(Debug)]
pub struct Held {
    pub collected: Collected,
    pub inputs: Vec<Input>,
    pub options: Options,
    /// Bytes that the lines of a query may take.
    pub memory: u64,
}

impl Held {
    /// Holds what was read; lines of logs may take as much memory as what is held may.
    pub fn new(collected: Collected, inputs: Vec<Input>, options: Options) -> Arc<Self> {
        let memory = options.limits.memory_of_facts();
        Arc::new(Self { collected, inputs, options, memory })
    }

    /// Hands on each line of each log.
    pub(crate) fn lines(&self, visit: &mut dyn FnMut(Line<'_>) -> ControlFlow<()>) -> Result<(), lines::Error> {
        let bundles: Vec<lines::Bundle<'_>> = self
            .inputs
            .iter()
            .zip(&self.collected.bundles)
            .map(|(input, bundle)| lines::Bundle { source: &input.source, intake: &bundle.intake })
            .collect();
        lines::read(&bundles, &self.collected.facts, &self.options.limits, &|_, _| true, visit)
    }
}

/// What a query gave.
#[derive(Debug)]
pub struct Answer(pub(crate) DataFrame);

/// Queries over one bundle; a table that was filled once stays.
#[derive(Debug)]
pub struct Session<'a> {
    held: Arc<Held>,
    source: &'a Source<'a>,
    tables: Vec<Table>,
    filled: BTreeMap<String, DataFrame>,
}

impl<'a> Session<'a> {
    /// Queries over what is held; `source` makes the tables of the same.
    pub fn new(held: Arc<Held>, source: &'a Source<'a>) -> Self {
        Self { held, source, tables: source.tables(), filled: BTreeMap::new() }
    }

    /// Every table.
    pub fn tables(&self) -> &[Table] {
        &self.tables
    }

    /// The answer to a query.
    ///
    /// # Errors
    /// If it is no SQL, names what is not there, or needs more memory than it may have.
    pub fn ask(&mut self, query: &str) -> Result<Answer, Error> {
        let names = extract_table_identifiers(query, false, true).map_err(|error| Error::of(&error, &[]))?;
        let mut context = SQLContext::new();
        let mut own = Vec::new();
        for name in names {
            let name = name.trim_matches('"').to_owned();
            // Names of a WITH are none of ours; a name that is nowhere is refused below.
            let Some(at) = self.tables.iter().position(|table| table.name == name) else {
                if is_with(query, &name) {
                    continue;
                }
                return Err(Error::no_table(&name, &self.tables));
            };
            let frame = self.frame(at).map_err(|error| Error::of(&error, &[]))?;
            context.register(&name, frame);
            own.push(at);
        }
        let tables: Vec<&Table> = own.iter().filter_map(|at| self.tables.get(*at)).collect();
        let answer = context.execute(query).and_then(LazyFrame::collect);
        answer.map(Answer).map_err(|error| match error.to_string().contains(LINES) {
            true => self.why_no_lines(),
            false => Error::of(&error, &tables),
        })
    }

    /// The error of the second reading, which went through Polars as a text.
    fn why_no_lines(&self) -> Error {
        match self.held.lines(&mut |_| ControlFlow::Break(())) {
            Err(error) => error.into(),
            Ok(()) => Error::Query("the bundle could not be read a second time".to_owned()),
        }
    }

    fn frame(&mut self, at: usize) -> PolarsResult<LazyFrame> {
        let table = &self.tables[at];
        if table.is_logs() {
            let scan = Arc::new(logs::Scan(Arc::clone(&self.held)));
            return LazyFrame::anonymous_scan(scan, ScanArgsAnonymous { name: "logs", ..ScanArgsAnonymous::default() });
        }
        if let Some(frame) = self.filled.get(&table.name) {
            return Ok(frame.clone().lazy());
        }
        let frame = fill(table, self.source)?;
        self.filled.insert(table.name.clone(), frame.clone());
        Ok(frame.lazy())
    }
}

/// A table as a frame.
pub(crate) fn fill(table: &Table, source: &Source<'_>) -> PolarsResult<DataFrame> {
    let mut rows = Rows::of(table);
    table.rows(source, &mut |row| rows.push(row));
    rows.take()
}

/// Does the query make a table of this name itself (`WITH x AS (...)`)?
fn is_with(query: &str, name: &str) -> bool {
    let lower = query.to_ascii_lowercase();
    lower.trim_start().starts_with("with ") && lower.contains(&format!("{} as", name.to_ascii_lowercase()))
}
