//! The files of a folder of results: which there are, and the rows in them.
//!
//! A table is a folder of that name with files below it, however an engine splits and names them
//! (`findings/batch=3/part-00000-….snappy.parquet`, `findings/<hash>.jsonl`).
//!
//! Invariants: files are read in the order of their names; links are not followed; a file is taken whole or named with the
//! reason why it was not; folders deeper than [`DEPTH`], and names that begin with `_` or `.`, which engines keep for
//! themselves, are left alone.

use crate::gather::Gathered;
use crate::model::SkippedFile;
use crate::wanted::{Column, Wanted};
use jiff::Timestamp;
use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use tables::{Cell, Type};

/// Folders inside the folder of a table.
const DEPTH: usize = 4;
/// Files of one table.
const FILES: usize = 1_000_000;
/// Bytes of one file.
const BYTES: u64 = 1 << 30;

/// Reads a Parquet file: its bytes, the columns that are wanted (one that is not there is null, unless it must be), and who
/// takes each row. The error says what is wrong with the file.
pub type Parquet<'p> = dyn Fn(&[u8], &[Column], &mut dyn FnMut(Vec<Cell>)) -> Result<(), String> + 'p;

/// Reads a folder of results. `parquet` is missing where the program was built without it; `memory` is how many bytes the
/// result may take.
///
/// # Errors
/// If the folder cannot be listed.
pub fn read(folder: &Path, parquet: Option<&Parquet<'_>>, memory: u64) -> io::Result<Gathered> {
    let mut gathered = Gathered::default();
    fs::read_dir(folder)?;
    let mut is_full = false;
    for table in Wanted::ALL {
        let mut files = Vec::new();
        list(&folder.join(table.name()), DEPTH, &mut files);
        files.sort();
        for file in files {
            let result = match is_full {
                true => Err("the memory is used up; raise --max-memory".to_owned()),
                false => rows(&file, table, parquet).and_then(|rows| gathered.take(table, rows)),
            };
            is_full = is_full || gathered.weight() > memory;
            if let Err(reason) = result {
                let file = file.strip_prefix(folder).unwrap_or(&file).to_string_lossy().into_owned();
                gathered.skipped.push(SkippedFile { file, reason });
            }
        }
    }
    Ok(gathered)
}

/// The files of a table; what cannot be listed has none.
fn list(folder: &Path, depth: usize, into: &mut Vec<PathBuf>) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let name = entry.file_name();
        let hidden = name.to_string_lossy().starts_with(['_', '.']);
        let Ok(kind) = entry.file_type() else { continue };
        if hidden || into.len() >= FILES {
            continue;
        }
        if kind.is_dir() && depth > 0 {
            list(&entry.path(), depth - 1, into);
        } else if kind.is_file() {
            into.push(entry.path());
        }
    }
}

fn rows(path: &Path, table: Wanted, parquet: Option<&Parquet<'_>>) -> Result<Vec<Vec<Cell>>, String> {
    let mut rows = Vec::new();
    match path.extension().and_then(|ending| ending.to_str()) {
        Some("jsonl") => json_lines(&bytes(path)?, table, &mut rows)?,
        Some("parquet") => {
            let read = parquet.ok_or("this program was built without Parquet; build it with `--features query`")?;
            read(&bytes(path)?, table.columns(), &mut |row| rows.push(row))?;
        }
        _ => return Err("it is no file of results: expected .parquet or .jsonl".to_owned()),
    }
    Ok(rows)
}

fn bytes(path: &Path) -> Result<Vec<u8>, String> {
    let mut bytes = Vec::new();
    let read = fs::File::open(path).and_then(|file| file.take(BYTES + 1).read_to_end(&mut bytes));
    read.map_err(|error| format!("it cannot be read: {error}"))?;
    if bytes.len() as u64 > BYTES { Err("it is larger than 1 GiB".to_owned()) } else { Ok(bytes) }
}

fn json_lines(bytes: &[u8], table: Wanted, rows: &mut Vec<Vec<Cell>>) -> Result<(), String> {
    if !bytes.is_empty() && !bytes.ends_with(b"\n") {
        return Err("it ends within a line".to_owned());
    }
    for (at, line) in bytes.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()).enumerate() {
        let wrong = |what: &str| format!("line {}: {what}", at + 1);
        let row: serde_json::Map<String, serde_json::Value> =
            serde_json::from_slice(line).map_err(|_| wrong("it is no JSON object"))?;
        if row.get("table").is_some_and(|name| name.as_str() != Some(table.name())) {
            return Err(wrong(&format!("it is no row of the table `{}`", table.name())));
        }
        // A cell that is null is left out of a line, so a column that is missing shows nowhere.
        rows.push(table.columns().iter().map(|(name, of, _)| cell(row.get(*name), *of)).collect());
    }
    Ok(())
}

/// A value as a cell of a type; null if it is another.
fn cell(value: Option<&serde_json::Value>, of: Type) -> Cell {
    let Some(value) = value else { return Cell::Null };
    match of {
        Type::Text => value.as_str().map_or(Cell::Null, |text| Cell::Text(text.to_owned())),
        Type::Number => value.as_i64().map_or(Cell::Null, Cell::Number),
        Type::Truth => value.as_bool().map_or(Cell::Null, Cell::Truth),
        Type::Time => value.as_str().and_then(|text| text.parse::<Timestamp>().ok()).map_or(Cell::Null, Cell::Time),
    }
}
