//! A bundle that is held, and the queries that are put to it.

use crate::columns::Rows;
use crate::error::{Error, LINES};
use crate::{joins, logs, unseen};
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
    pub collected: Arc<Collected>,
    pub inputs: Vec<Input>,
    pub options: Options,
    /// Bytes that the lines of a query may take.
    pub memory: u64,
}

impl Held {
    /// Holds what was read; lines of logs may take as much memory as what is held may.
    pub fn new(collected: Arc<Collected>, inputs: Vec<Input>, options: Options) -> Arc<Self> {
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

/// How far a query may go; by default to its end.
#[derive(Debug, Clone, Copy, Default)]
pub struct Bounds {
    /// No more rows are worked out than these.
    pub rows: Option<u32>,
    /// Seconds that the lines of logs may be read for.
    pub seconds: Option<u64>,
}

/// Bytes that a row of a join takes at least, with the places of both its halves.
const ROW: u64 = 64;

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
        self.ask_within(query, Bounds::default())
    }

    /// The answer to a query as far as its bounds let it go.
    ///
    /// # Errors
    /// As [`Self::ask`], or if it takes too long.
    pub fn ask_within(&mut self, query: &str, bounds: Bounds) -> Result<Answer, Error> {
        let names = extract_table_identifiers(query, false, true).map_err(|error| Error::of(&error, &[]))?;
        let mut context = SQLContext::new();
        let (mut own, mut scans) = (Vec::new(), Vec::new());
        for name in names {
            let name = name.trim_matches('"').to_owned();
            // Names of a WITH are none of ours; a name that is nowhere is refused below.
            let Some(at) = self.tables.iter().position(|table| table.name == name) else {
                if is_with(query, &name) {
                    continue;
                }
                return Err(Error::no_table(&name, &self.tables));
            };
            let frame = self.frame(at, bounds, &mut scans).map_err(|error| Error::of(&error, &[]))?;
            context.register(&name, frame);
            own.push(at);
        }
        let tables: Vec<&Table> = own.iter().filter_map(|at| self.tables.get(*at)).collect();
        let mut plan = context.execute(query).map_err(|error| Error::of(&error, &tables))?;
        joins::check(&plan.logical_plan, self.held.memory / ROW)?;
        if let Some(rows) = bounds.rows {
            plan = plan.limit(rows);
        }
        if !scans.is_empty() && unseen::are_texts_unseen(&plan) {
            scans.iter().for_each(|scan| scan.leave_unseen());
        }
        plan.collect().map(Answer).map_err(|error| match error.to_string().contains(LINES) {
            true => self.why_no_lines(),
            false => Error::of(&error, &tables),
        })
    }

    /// Forgets the tables that were filled, so that they take no memory until the next query.
    pub fn forget(&mut self) {
        self.filled.clear();
    }

    /// The error of the second reading, which went through Polars as a text.
    fn why_no_lines(&self) -> Error {
        match self.held.lines(&mut |_| ControlFlow::Break(())) {
            Err(error) => error.into(),
            Ok(()) => Error::Query("the bundle could not be read a second time".to_owned()),
        }
    }

    /// A table as a plan; where it is read as the query goes, its scan is added to the others.
    fn frame(&mut self, at: usize, bounds: Bounds, scans: &mut Vec<Arc<logs::Scan>>) -> PolarsResult<LazyFrame> {
        let table = &self.tables[at];
        if table.is_logs() {
            let scan = Arc::new(logs::Scan::new(Arc::clone(&self.held), bounds.seconds));
            scans.push(Arc::clone(&scan));
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
