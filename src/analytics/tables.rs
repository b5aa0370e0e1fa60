//! The columnar tables themselves: the only file that speaks to Polars.
//!
//! Why apart: touching Polars starts its thread pool, and an edit elsewhere need not know its interface.
//! Each function takes rows and gives sorted rows; an empty input never starts Polars.

// Of Polars only the eager half: it adds up vectors that are in memory already, and the lazy half takes as long to
// compile as the rest of it.
use polars::prelude::{DataFrame, PolarsResult, SortMultipleOptions, df};

/// Why a table could not be made. Only a fault of the query itself can do that: a picture is then missing, never
/// wrong, and the diagnosis names it.
#[derive(Debug, thiserror::Error)]
#[error("{table} could not be added up: {source}; report it with the version of Casefile, the verdicts stand")]
pub struct TableError {
    table: &'static str,
    source: polars::prelude::PolarsError,
}

/// Counts of one lane at one second.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Sample {
    /// The lane's number.
    pub lane: u32,
    /// Epoch seconds.
    pub second: i64,
    pub lines: u64,
    pub warnings: u64,
    pub errors: u64,
}

/// Counts of one lane in one bucket.
pub(crate) type Bucket = (u32, i64, [u64; 3]);

/// Adds samples up into buckets of `width` seconds from `start` on; samples before it are left out.
/// Sorted by lane, then bucket.
///
/// # Errors
/// If Polars refuses the query.
pub(crate) fn buckets(samples: &[Sample], start: i64, width: i64) -> Result<Vec<Bucket>, TableError> {
    let kept: Vec<&Sample> = samples.iter().filter(|sample| sample.second >= start).collect();
    if kept.is_empty() || width <= 0 {
        return Ok(Vec::new());
    }
    add_up(&kept, start, width).map_err(|source| TableError { table: "the timeline of log lines", source })
}

fn add_up(samples: &[&Sample], start: i64, width: i64) -> PolarsResult<Vec<Bucket>> {
    let table: DataFrame = df![
        "lane" => samples.iter().map(|s| s.lane).collect::<Vec<_>>(),
        // Both are whole and not negative here: cutting off the rest is the floor.
        "bucket" => samples.iter().map(|s| (s.second - start) / width).collect::<Vec<_>>(),
        "lines" => samples.iter().map(|s| s.lines).collect::<Vec<_>>(),
        "warnings" => samples.iter().map(|s| s.warnings).collect::<Vec<_>>(),
        "errors" => samples.iter().map(|s| s.errors).collect::<Vec<_>>(),
    ]?;
    #[expect(deprecated, reason = "its successor is the lazy half of Polars, see above")]
    let table = table.group_by(["lane", "bucket"])?.select(["lines", "warnings", "errors"]).sum()?;
    let table = table.sort(["lane", "bucket"], SortMultipleOptions::default())?;
    let (lane, bucket) = (table.column("lane")?.u32()?, table.column("bucket")?.i64()?);
    let sum = |of: &str| table.column(of)?.u64();
    let (lines, warnings, errors) = (sum("lines_sum")?, sum("warnings_sum")?, sum("errors_sum")?);
    let row = |row| Some((lane.get(row)?, bucket.get(row)?, [lines.get(row)?, warnings.get(row)?, errors.get(row)?]));
    Ok((0..table.height()).filter_map(row).collect())
}

/// How often something was said, under a group and a text: `first` is the row that said it first.
pub(crate) type Tallied = (u32, String, u64, u32);

/// Adds counts up by (group, text), the most frequent first, then by group and text; at most `most` rows.
/// Each input row is (group, text, count); the last number of a result is the index of its first input row.
///
/// # Errors
/// If Polars refuses the query.
pub(crate) fn most_frequent(rows: &[(u32, String, u64)], most: u32) -> Result<Vec<Tallied>, TableError> {
    if rows.is_empty() {
        return Ok(Vec::new());
    }
    rank(rows, most).map_err(|source| TableError { table: "the most frequent messages", source })
}

fn rank(rows: &[(u32, String, u64)], most: u32) -> PolarsResult<Vec<Tallied>> {
    let table: DataFrame = df![
        "group" => rows.iter().map(|(group, _, _)| *group).collect::<Vec<_>>(),
        "text" => rows.iter().map(|(_, text, _)| text.as_str()).collect::<Vec<_>>(),
        "count" => rows.iter().map(|(_, _, count)| *count).collect::<Vec<_>>(),
        "row" => (0..rows.len() as u32).collect::<Vec<_>>(),
    ]?;
    let groups = table.group_by(["group", "text"])?;
    #[expect(deprecated, reason = "its successor is the lazy half of Polars, see above")]
    let (mut ranked, first) = (groups.clone().select(["count"]).sum()?, groups.select(["row"]).min()?);
    ranked.with_column(first.column("row_min")?.clone())?;
    let order = SortMultipleOptions::default().with_order_descending_multi([true, false, false]);
    let table = ranked.sort(["count_sum", "group", "text"], order)?.head(Some(most as usize));
    let (group, text) = (table.column("group")?.u32()?, table.column("text")?.str()?);
    let (count, row) = (table.column("count_sum")?.u64()?, table.column("row_min")?.u32()?);
    let tallied = |at| Some((group.get(at)?, text.get(at)?.to_owned(), count.get(at)?, row.get(at)?));
    Ok((0..table.height()).filter_map(tallied).collect())
}

#[cfg(test)]
mod tests {
    use super::{Sample, buckets, most_frequent};

    #[test]
    fn samples_fall_into_buckets_and_rows_are_ranked() {
        let sample = |lane, second, lines, warnings, errors| Sample { lane, second, lines, warnings, errors };
        let samples =
            [sample(1, 130, 2, 1, 0), sample(0, 60, 5, 0, 1), sample(1, 179, 1, 0, 1), sample(0, 59, 9, 9, 9)];
        assert_eq!(buckets(&samples, 60, 60).unwrap(), [(0, 0, [5, 0, 1]), (1, 1, [3, 1, 1])]);
        assert_eq!(buckets(&[], 60, 60).unwrap(), []);
        let row = |group, text: &str, count| (group, text.to_owned(), count);
        let rows = [row(0, "b", 2), row(1, "a", 3), row(0, "a", 4), row(0, "b", 2)];
        let ranked = most_frequent(&rows, 2).unwrap();
        assert_eq!(ranked, [(0, "a".to_owned(), 4, 2), (0, "b".to_owned(), 4, 0)]);
    }
}
