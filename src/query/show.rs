//! The answer to a query as text: a table for people, CSV and JSON for programs.
//!
//! Why not the writers of Polars: those for CSV and JSON bring its streaming engine along, which takes as long to compile
//! as the rest.

use crate::error::Error;
use crate::parquet;
use crate::session::Answer;
use diagnosis::plain_json;
use diagnosis::visible::one_line;
use jiff::Timestamp;
use polars::prelude::{AnyValue, DataFrame, TimeUnit};
use serde_json::{Map, Value};
use std::fmt::Write as _;

/// How an answer is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// Columns under headers, for people.
    Table,
    /// RFC 4180: a header, then a line for each row.
    Csv,
    /// A list of objects.
    Json,
    /// Apache Parquet.
    Parquet,
}

/// Characters of a cell in a table for people, where it is not the last one.
const WIDEST: usize = 60;

impl Answer {
    /// How many rows there are.
    pub fn rows(&self) -> usize {
        self.0.height()
    }

    /// The bytes of the answer in a format.
    ///
    /// # Errors
    /// If the format cannot hold a value of it.
    pub fn write(&self, format: Format) -> Result<Vec<u8>, Error> {
        match format {
            Format::Table => Ok(table(&self.0).into_bytes()),
            Format::Csv => Ok(csv(&self.0).into_bytes()),
            Format::Json => json(&self.0).map(String::into_bytes),
            Format::Parquet => parquet::bytes(&self.0),
        }
    }
}

/// How much of an answer is wanted as texts.
#[derive(Debug, Clone, Copy)]
pub struct Most {
    pub rows: usize,
    /// Letters of one cell.
    pub letters: usize,
    /// Bytes of all cells.
    pub bytes: usize,
}

/// An answer as texts, for a page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Texts {
    /// The columns: the name of each, and whether it holds numbers.
    pub columns: Vec<(String, bool)>,
    /// The cells, row by row; `None` is null.
    pub rows: Vec<Vec<Option<String>>>,
    /// There are more rows.
    pub is_cut: bool,
}

impl Answer {
    /// The first rows as texts; a cell that is too long ends with `…`.
    pub fn texts(&self, most: Most) -> Texts {
        let columns =
            self.0.columns().iter().map(|column| (column.name().to_string(), column.dtype().is_primitive_numeric()));
        let columns = columns.collect();
        let mut left = most.bytes;
        let mut rows = Vec::new();
        for row in 0..self.0.height().min(most.rows) {
            let row: Vec<Option<String>> =
                cells(&self.0, row).map(|cell| Some(shortened(cell?, most.letters))).collect();
            let bytes: usize = row.iter().flatten().map(String::len).sum();
            if bytes > left {
                break;
            }
            left -= bytes;
            rows.push(row);
        }
        let is_cut = rows.len() < self.0.height();
        Texts { columns, rows, is_cut }
    }
}

/// The beginning of a text.
fn shortened(mut text: String, letters: usize) -> String {
    if let Some((end, _)) = text.char_indices().nth(letters) {
        text.truncate(end);
        text.push('…');
    }
    text
}

/// A value as text; `None` is null.
fn text(value: &AnyValue<'_>) -> Option<String> {
    match value {
        AnyValue::Null => None,
        AnyValue::String(text) => Some((*text).to_owned()),
        AnyValue::StringOwned(text) => Some(text.to_string()),
        AnyValue::Datetime(number, unit, _) => time(*number, *unit),
        AnyValue::DatetimeOwned(number, unit, _) => time(*number, *unit),
        AnyValue::List(series) => {
            let items: Vec<String> =
                series.iter().map(|item| text(&item).unwrap_or_else(|| "null".to_owned())).collect();
            Some(format!("[{}]", items.join(", ")))
        }
        other => Some(other.to_string()),
    }
}

fn time(number: i64, unit: TimeUnit) -> Option<String> {
    let time = match unit {
        TimeUnit::Nanoseconds => Timestamp::from_nanosecond(number.into()),
        TimeUnit::Microseconds => Timestamp::from_microsecond(number),
        TimeUnit::Milliseconds => Timestamp::from_millisecond(number),
    };
    time.ok().map(|time| time.to_string())
}

fn cells(frame: &DataFrame, row: usize) -> impl Iterator<Item = Option<String>> + '_ {
    frame.columns().iter().map(move |column| column.get(row).ok().as_ref().and_then(text))
}

fn headers(frame: &DataFrame) -> Vec<String> {
    frame.get_column_names().iter().map(|name| name.to_string()).collect()
}

fn table(frame: &DataFrame) -> String {
    let mut rows = vec![headers(frame).iter().map(|header| header.to_uppercase()).collect::<Vec<_>>()];
    for row in 0..frame.height() {
        rows.push(cells(frame, row).map(|cell| cell.map_or_else(|| "-".to_owned(), |cell| one_line(&cell))).collect());
    }
    let columns = frame.width();
    let mut widths = vec![0; columns];
    for row in &mut rows {
        for (at, (cell, width)) in row.iter_mut().zip(&mut widths).enumerate() {
            if at + 1 < columns && cell.chars().count() > WIDEST {
                *cell = cell.chars().take(WIDEST - 1).chain(['…']).collect();
            }
            *width = (*width).max(cell.chars().count());
        }
    }
    let mut out = String::new();
    for row in &rows {
        let mut line = String::new();
        for (cell, width) in row.iter().zip(&widths) {
            // Writing to a String cannot fail.
            let _ = write!(line, "{cell:<width$}  ");
        }
        out.push_str(line.trim_end());
        out.push('\n');
    }
    out
}

fn csv(frame: &DataFrame) -> String {
    let field = |text: &str| match text.contains([',', '"', '\n', '\r']) || text.starts_with(' ') || text.ends_with(' ')
    {
        true => format!("\"{}\"", text.replace('"', "\"\"")),
        false => text.to_owned(),
    };
    let mut out = headers(frame).iter().map(|header| field(header)).collect::<Vec<_>>().join(",");
    out.push_str("\r\n");
    for row in 0..frame.height() {
        let fields: Vec<String> =
            cells(frame, row).map(|cell| cell.map_or_else(String::new, |cell| field(&cell))).collect();
        out.push_str(&fields.join(","));
        out.push_str("\r\n");
    }
    out
}

fn json(frame: &DataFrame) -> Result<String, Error> {
    let names = headers(frame);
    let value = |value: AnyValue<'_>| match value {
        AnyValue::Null => Value::Null,
        AnyValue::Boolean(truth) => Value::Bool(truth),
        AnyValue::Int64(number) => number.into(),
        AnyValue::Int32(number) => number.into(),
        AnyValue::UInt64(number) => number.into(),
        AnyValue::UInt32(number) => number.into(),
        AnyValue::Float64(number) => number.into(),
        AnyValue::Float32(number) => f64::from(number).into(),
        other => text(&other).map_or(Value::Null, Value::String),
    };
    let row = |row: usize| -> Map<String, Value> {
        let cells = frame.columns().iter().map(|column| column.get(row).map_or(Value::Null, value));
        names.iter().cloned().zip(cells).collect()
    };
    let rows: Vec<Map<String, Value>> = (0..frame.height()).map(row).collect();
    plain_json::pretty(&rows).map_err(|error| Error::Format { format: "JSON", reason: error.to_string() })
}
