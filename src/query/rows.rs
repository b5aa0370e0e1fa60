//! The rows of a Parquet file that Casefile or another engine wrote.
//!
//! Invariants: a file is not trusted: the size that it states is checked before memory is taken for it; only the columns
//! that are asked for are read, in one thread, so that a panic of a decoder stays in it; times are told to the microsecond.

use jiff::Timestamp;
use polars::prelude::{AnyValue, Column, PolarsError, TimeUnit};
use polars_io::SerReader;
use polars_io::parquet::read::{ParallelStrategy, ParquetReader};
use std::io::Cursor;
use tables::{Cell, Type};

/// Rows of one file.
const MOST: usize = 20_000_000;

/// Hands on each row of a file: the cells of `columns` (name, type, whether it must be there), null where a column that need
/// not be there is not.
///
/// # Errors
/// With what is wrong with the file.
pub fn rows(bytes: &[u8], columns: &[(&str, Type, bool)], emit: &mut dyn FnMut(Vec<Cell>)) -> Result<(), String> {
    if !bytes.starts_with(b"PAR1") || !bytes.ends_with(b"PAR1") {
        return Err("it is no whole Parquet file".to_owned());
    }
    let mut reader = ParquetReader::new(Cursor::new(bytes)).read_parallel(ParallelStrategy::None);
    let schema = reader.schema().map_err(|error| damaged(&error))?;
    let count = reader.num_rows().map_err(|error| damaged(&error))?;
    if count > MOST {
        return Err(format!("it holds more than {MOST} rows"));
    }
    for (name, _, must) in columns {
        if *must && !schema.contains(name) {
            return Err(format!("it has no column `{name}`"));
        }
    }
    let there: Vec<String> =
        columns.iter().map(|(name, ..)| (*name).to_owned()).filter(|n| schema.contains(n)).collect();
    let frame = reader.with_columns(Some(there)).finish().map_err(|error| damaged(&error))?;
    let columns: Vec<(Option<&Column>, Type)> =
        columns.iter().map(|(name, of, _)| (frame.column(name).ok(), *of)).collect();
    for row in 0..frame.height() {
        let cell_at = |(column, of): &(Option<&Column>, Type)| {
            let value = column.and_then(|column| column.get(row).ok());
            value.map_or(Cell::Null, |value| cell(&value, *of))
        };
        emit(columns.iter().map(cell_at).collect());
    }
    Ok(())
}

/// A value as a cell of a type; null if it is another.
fn cell(value: &AnyValue<'_>, of: Type) -> Cell {
    match (of, value) {
        (Type::Text, AnyValue::String(text)) => Cell::Text((*text).to_owned()),
        (Type::Text, AnyValue::StringOwned(text)) => Cell::Text(text.to_string()),
        (Type::Number, AnyValue::Int64(number)) => Cell::Number(*number),
        (Type::Number, AnyValue::Int32(number)) => Cell::Number((*number).into()),
        (Type::Truth, AnyValue::Boolean(truth)) => Cell::Truth(*truth),
        (Type::Time, AnyValue::Datetime(number, unit, _)) => time(*number, *unit),
        (Type::Time, AnyValue::DatetimeOwned(number, unit, _)) => time(*number, *unit),
        _ => Cell::Null,
    }
}

fn time(number: i64, unit: TimeUnit) -> Cell {
    let micros = match unit {
        TimeUnit::Nanoseconds => number.div_euclid(1_000),
        TimeUnit::Microseconds => number,
        TimeUnit::Milliseconds => number.saturating_mul(1_000),
    };
    Timestamp::from_microsecond(micros).map_or(Cell::Null, Cell::Time)
}

fn damaged(error: &PolarsError) -> String {
    let text = error.to_string();
    format!("it cannot be read as Parquet: {}", text.lines().next().unwrap_or_default())
}
