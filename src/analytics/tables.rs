//! The columnar tables themselves: the only file that speaks to Polars.
//!
//! Why apart: touching Polars starts its thread pool, and an edit elsewhere need not know its interface.
//! Each function takes rows and gives sorted rows; an empty input never starts Polars.

use polars::prelude::{DataFrame, IntoLazy, PolarsResult, SortMultipleOptions, col, df, lit};

/// Counts of one lane at one second.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sample {
    /// The lane's number.
    pub lane: u32,
    /// Epoch seconds.
    pub second: i64,
    /// All lines.
    pub lines: u64,
    /// Of them warnings.
    pub warnings: u64,
    /// Of them errors.
    pub errors: u64,
}

/// Counts of one lane in one bucket.
pub type Bucket = (u32, i64, [u64; 3]);

/// Adds samples up into buckets of `width` seconds from `start` on; samples before it are left out.
/// Sorted by lane, then bucket.
pub fn buckets(samples: &[Sample], start: i64, width: i64) -> Vec<Bucket> {
    if samples.is_empty() || width <= 0 {
        return Vec::new();
    }
    // A failure here can only be a fault of the query itself; a picture is then missing, never wrong.
    add_up(samples, start, width).unwrap_or_default()
}

fn add_up(samples: &[Sample], start: i64, width: i64) -> PolarsResult<Vec<Bucket>> {
    let table: DataFrame = df![
        "lane" => samples.iter().map(|s| s.lane).collect::<Vec<_>>(),
        "second" => samples.iter().map(|s| s.second - start).collect::<Vec<_>>(),
        "lines" => samples.iter().map(|s| s.lines).collect::<Vec<_>>(),
        "warnings" => samples.iter().map(|s| s.warnings).collect::<Vec<_>>(),
        "errors" => samples.iter().map(|s| s.errors).collect::<Vec<_>>(),
    ]?;
    let table = table
        .lazy()
        .filter(col("second").gt_eq(lit(0_i64)))
        // Both are whole and not negative here: cutting off the rest is the floor.
        .with_column((col("second") - col("second") % lit(width)).alias("bucket"))
        .group_by([col("lane"), col("bucket")])
        .agg([col("lines").sum(), col("warnings").sum(), col("errors").sum()])
        .sort(["lane", "bucket"], SortMultipleOptions::default())
        .collect()?;
    let (lane, bucket) = (table.column("lane")?.u32()?, table.column("bucket")?.i64()?);
    let sums = [table.column("lines")?.u64()?, table.column("warnings")?.u64()?, table.column("errors")?.u64()?];
    Ok((0..table.height())
        .filter_map(|row| {
            let counts = [sums[0].get(row)?, sums[1].get(row)?, sums[2].get(row)?];
            Some((lane.get(row)?, bucket.get(row)? / width, counts))
        })
        .collect())
}

/// How often something was said, under a group and a text: `first` is the row that said it first.
pub type Tallied = (u32, String, u64, u32);

/// Adds counts up by (group, text), the most frequent first, then by group and text; at most `most` rows.
/// Each input row is (group, text, count); the last number of a result is the index of its first input row.
pub fn most_frequent(rows: &[(u32, String, u64)], most: u32) -> Vec<Tallied> {
    if rows.is_empty() {
        return Vec::new();
    }
    rank(rows, most).unwrap_or_default()
}

fn rank(rows: &[(u32, String, u64)], most: u32) -> PolarsResult<Vec<Tallied>> {
    let table: DataFrame = df![
        "group" => rows.iter().map(|(group, _, _)| *group).collect::<Vec<_>>(),
        "text" => rows.iter().map(|(_, text, _)| text.as_str()).collect::<Vec<_>>(),
        "count" => rows.iter().map(|(_, _, count)| *count).collect::<Vec<_>>(),
        "row" => (0..rows.len() as u32).collect::<Vec<_>>(),
    ]?;
    let order = SortMultipleOptions::default().with_order_descending_multi([true, false, false]);
    let table = table
        .lazy()
        .group_by([col("group"), col("text")])
        .agg([col("count").sum(), col("row").min()])
        .sort(["count", "group", "text"], order)
        .limit(most)
        .collect()?;
    let (group, text) = (table.column("group")?.u32()?, table.column("text")?.str()?);
    let (count, row) = (table.column("count")?.u64()?, table.column("row")?.u32()?);
    Ok((0..table.height())
        .filter_map(|at| Some((group.get(at)?, text.get(at)?.to_owned(), count.get(at)?, row.get(at)?)))
        .collect())
}

#[cfg(test)]
mod tests {
    use super::{Sample, buckets, most_frequent};

    #[test]
    fn samples_fall_into_buckets_and_rows_are_ranked() {
        let sample = |lane, second, lines, warnings, errors| Sample { lane, second, lines, warnings, errors };
        let samples =
            [sample(1, 130, 2, 1, 0), sample(0, 60, 5, 0, 1), sample(1, 179, 1, 0, 1), sample(0, 59, 9, 9, 9)];
        assert_eq!(buckets(&samples, 60, 60), [(0, 0, [5, 0, 1]), (1, 1, [3, 1, 1])]);
        assert_eq!(buckets(&[], 60, 60), []);
        let row = |group, text: &str, count| (group, text.to_owned(), count);
        let rows = [row(0, "b", 2), row(1, "a", 3), row(0, "a", 4), row(0, "b", 2)];
        let ranked = most_frequent(&rows, 2);
        assert_eq!(ranked, [(0, "a".to_owned(), 4, 2), (0, "b".to_owned(), 4, 0)]);
    }
}
