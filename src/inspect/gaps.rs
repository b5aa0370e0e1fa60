//! When logs say nothing: the minutes in which a line stands, and the long silences between them.
//!
//! Invariant: only what has a time counts, and a silence between two lines is said, never what it means.

use analytics::timeline::{GAP, minute_time};
use facts::store::Stream;
use jiff::Timestamp;
use std::collections::BTreeSet;

/// Minutes (as seconds of Unix time) in which a stream has a line.
pub fn minutes(stream: &Stream, as_of: Option<Timestamp>) -> BTreeSet<i64> {
    let buckets = stream.parts.iter().flat_map(|(_, log)| log.tally.buckets.keys());
    buckets.filter_map(|(minute, ..)| Some(minute_time(minute, as_of)?.as_second())).collect()
}

/// Silences of ten minutes or more between minutes with a line: their beginning and end.
pub fn gaps(minutes: &BTreeSet<i64>) -> Vec<(Timestamp, Timestamp)> {
    let next = minutes.iter().skip(1);
    let long = minutes.iter().zip(next).filter(|(before, after)| **after - **before >= GAP + 60);
    // The minute itself had a line: silence begins at its end.
    long.filter_map(|(before, after)| {
        Some((Timestamp::from_second(before + 60).ok()?, Timestamp::from_second(*after).ok()?))
    })
    .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_short_silence_is_no_gap() {
        let of = |minutes: &[i64]| {
            let minutes: BTreeSet<i64> = minutes.iter().map(|minute| minute * 60).collect();
            let seconds = |(from, to): (Timestamp, Timestamp)| (from.as_second() / 60, to.as_second() / 60);
            gaps(&minutes).into_iter().map(seconds).collect::<Vec<_>>()
        };
        assert_eq!(of(&[]), []);
        assert_eq!(of(&[0, 1, 5, 15]), []);
        assert_eq!(of(&[0, 1, 12, 13, 60]), [(2, 12), (14, 60)]);
    }
}
