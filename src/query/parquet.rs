//! Tables as Parquet files.
//!
//! Invariants: each file holds one table, its first column is `bundle_id`; times say that they are in UTC; the version of
//! the schema stands in the file.

use crate::columns::{data_type, schema};
use crate::error::Error;
use crate::line_rows::LineRows;
use crate::session::{Held, fill};
use polars::prelude::{Column, DataFrame, DataType, PolarsError, PolarsResult, Schema, TimeUnit, TimeZone};
use polars_io::parquet::write::{KeyValueMetadata, ParquetWriter};
use std::io::Write;
use std::ops::ControlFlow;
use tables::{LogColumn, SCHEMA_VERSION, Source, Table, Type};

/// Rows of a group: as many as are held at a time.
const GROUP: usize = 128 << 10;

fn failed(error: &PolarsError) -> Error {
    Error::Format { format: "Parquet", reason: error.to_string() }
}

fn metadata() -> KeyValueMetadata {
    KeyValueMetadata::from_static(vec![("casefile.tables".to_owned(), SCHEMA_VERSION.to_string())])
}

/// A frame as one file.
pub(crate) fn bytes(frame: &DataFrame) -> Result<Vec<u8>, Error> {
    let mut out = Vec::new();
    let mut frame = in_utc(frame.clone()).map_err(|error| failed(&error))?;
    ParquetWriter::new(&mut out).finish(&mut frame).map_err(|error| failed(&error))?;
    Ok(out)
}

fn utc() -> DataType {
    DataType::Datetime(TimeUnit::Microseconds, Some(TimeZone::UTC))
}

/// The same with times that say their zone: readers take them for local ones else.
fn in_utc(mut frame: DataFrame) -> PolarsResult<DataFrame> {
    let times: Vec<Column> = frame
        .columns()
        .iter()
        .filter(|column| column.dtype() == &data_type(Type::Time))
        .map(|column| column.cast(&DataType::Int64)?.cast(&utc()))
        .collect::<PolarsResult<_>>()?;
    for column in times {
        frame.with_column(column)?;
    }
    Ok(frame)
}

fn with_id(frame: DataFrame, id: &str) -> PolarsResult<DataFrame> {
    let mut columns = vec![Column::new_scalar(
        "bundle_id".into(),
        polars::prelude::Scalar::from(polars::prelude::PlSmallStr::from(id)),
        frame.height(),
    )];
    columns.extend(frame.columns().iter().cloned());
    in_utc(DataFrame::new(frame.height(), columns)?)
}

fn file_schema(columns: impl Iterator<Item = (String, Type)>) -> Schema {
    let columns: Vec<(String, Type)> = std::iter::once(("bundle_id".to_owned(), Type::Text)).chain(columns).collect();
    let mut all = schema(columns.iter().map(|(name, of)| (name.as_str(), *of)));
    for (name, of) in &columns {
        if *of == Type::Time {
            all.set_dtype(name, utc());
        }
    }
    all
}

/// Writes one table with the id of its bundle into `out`; how many rows it has. Lines of logs are written group by group.
///
/// # Errors
/// If it cannot be written, or the bundle not be read a second time.
pub fn export(table: &Table, source: &Source<'_>, held: &Held, id: &str, out: impl Write) -> Result<u64, Error> {
    let columns = table.columns.iter().map(|column| (column.name.clone(), column.of));
    let writer = ParquetWriter::new(out).with_key_value_metadata(Some(metadata()));
    let mut writer = writer.batched(&file_schema(columns)).map_err(|error| failed(&error))?;
    let mut count = 0;
    let mut put = |frame: DataFrame| -> PolarsResult<()> {
        count += frame.height() as u64;
        if frame.height() > 0 { writer.write_batch(&with_id(frame, id)?) } else { Ok(()) }
    };
    if table.is_logs() {
        let mut rows = LineRows::new(&held.collected.facts, LogColumn::ALL).map_err(|error| failed(&error))?;
        let mut error = None;
        held.lines(&mut |line| {
            rows.push(&line);
            if rows.count() < GROUP {
                return ControlFlow::Continue(());
            }
            match rows.take().and_then(&mut put) {
                Ok(()) => ControlFlow::Continue(()),
                Err(why) => {
                    error = Some(why);
                    ControlFlow::Break(())
                }
            }
        })?;
        error.map_or_else(|| rows.take().and_then(&mut put), Err).map_err(|error| failed(&error))?;
    } else {
        fill(table, source).and_then(&mut put).map_err(|error| failed(&error))?;
    }
    writer.finish().map_err(|error| failed(&error))?;
    Ok(count)
}
