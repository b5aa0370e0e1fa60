//! Rows of cells as columns of Polars.

use jiff::Timestamp;
use polars::prelude::{
    Column, DataFrame, DataType, Field, IntoColumn, NamedFrom, PolarsResult, Schema, Series, TimeUnit,
};
use tables::{Cell, Table, Type};

/// The type of a column. Times are in UTC, without saying so: SQL compares them with texts like `'2026-03-04 09:00'` then.
pub(crate) fn data_type(of: Type) -> DataType {
    match of {
        Type::Text => DataType::String,
        Type::Number => DataType::Int64,
        Type::Time => DataType::Datetime(TimeUnit::Microseconds, None),
        Type::Truth => DataType::Boolean,
    }
}

/// Names and types of columns.
pub(crate) fn schema<'a>(columns: impl IntoIterator<Item = (&'a str, Type)>) -> Schema {
    columns.into_iter().map(|(name, of)| Field::new(name.into(), data_type(of))).collect()
}

/// A column while it is filled.
#[derive(Debug)]
pub(crate) enum Filling {
    Text(Vec<Option<String>>),
    Number(Vec<Option<i64>>),
    Time(Vec<Option<i64>>),
    Truth(Vec<Option<bool>>),
}

impl Filling {
    pub(crate) fn new(of: Type) -> Self {
        match of {
            Type::Text => Self::Text(Vec::new()),
            Type::Number => Self::Number(Vec::new()),
            Type::Time => Self::Time(Vec::new()),
            Type::Truth => Self::Truth(Vec::new()),
        }
    }

    /// Adds a cell; one of another type is none.
    pub(crate) fn push(&mut self, cell: Cell) {
        match (self, cell) {
            (Self::Text(all), Cell::Text(text)) => all.push(Some(text)),
            (Self::Text(all), _) => all.push(None),
            (Self::Number(all), Cell::Number(number)) => all.push(Some(number)),
            (Self::Time(all), Cell::Time(time)) => all.push(Some(micros(time))),
            (Self::Number(all) | Self::Time(all), _) => all.push(None),
            (Self::Truth(all), Cell::Truth(truth)) => all.push(Some(truth)),
            (Self::Truth(all), _) => all.push(None),
        }
    }

    /// The column, and an empty one of the same type in its place.
    pub(crate) fn take(&mut self, name: &str) -> PolarsResult<Column> {
        let series = match self {
            Self::Text(all) => Series::new(name.into(), std::mem::take(all)),
            Self::Number(all) => Series::new(name.into(), std::mem::take(all)),
            Self::Time(all) => Series::new(name.into(), std::mem::take(all)).cast(&data_type(Type::Time))?,
            Self::Truth(all) => Series::new(name.into(), std::mem::take(all)),
        };
        Ok(series.into_column())
    }
}

fn micros(time: Timestamp) -> i64 {
    time.as_microsecond()
}

/// Rows that become a frame.
#[derive(Debug)]
pub(crate) struct Rows<'t> {
    names: Vec<&'t str>,
    columns: Vec<Filling>,
    count: usize,
}

impl<'t> Rows<'t> {
    pub(crate) fn new(columns: impl IntoIterator<Item = (&'t str, Type)>) -> Self {
        let (names, columns) = columns.into_iter().map(|(name, of)| (name, Filling::new(of))).unzip();
        Self { names, columns, count: 0 }
    }

    pub(crate) fn of(table: &'t Table) -> Self {
        Self::new(table.columns.iter().map(|column| (column.name.as_str(), column.of)))
    }

    pub(crate) fn push(&mut self, cells: impl IntoIterator<Item = Cell>) {
        for (column, cell) in self.columns.iter_mut().zip(cells) {
            column.push(cell);
        }
        self.count += 1;
    }

    /// The frame of all rows so far; they are gone then.
    pub(crate) fn take(&mut self) -> PolarsResult<DataFrame> {
        let columns = self.columns.iter_mut().zip(&self.names).map(|(column, name)| column.take(name));
        let frame = DataFrame::new(self.count, columns.collect::<PolarsResult<Vec<_>>>()?);
        self.count = 0;
        frame
    }
}
