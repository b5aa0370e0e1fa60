//! What the results of many bundles have in common: which findings, in how many, since when, on which versions.
//!
//! Why: what one bundle shows as a fault of its own is, in a hundred of them, a fault of a release. An engine that others
//! keep (Spark, Ray) runs Casefile over the bundles; this room reads the tables that come out of it.
//!
//! May know: diagnosis (words, JSON), tables (their columns), report (style, escaping, policy of pages). It reads no bundle and
//! decides nothing.
//!
//! Invariants: the result does not depend on the order or the number of the files that hold the rows, nor on a row that is
//! there twice; every file counts once and every bundle once, also one that could not be read; "new" is measured by the
//! bundles' own clocks, never by ours; every list is sorted and bounded, and what is beyond a bound is counted; a file that
//! is damaged or not ours is named and left out as a whole.

mod files;
mod gather;
pub mod html;
#[cfg(test)]
mod laws;
mod model;
mod names;
mod summary;
mod wanted;

pub use files::{Parquet, read};
pub use gather::Gathered;
pub use model::{
    AlikeRow, Failure, FindingRow, Fleet, LackingRow, Moment, SCHEMA_VERSION, SkippedFile, VersionCount, VersionRow,
};
pub use wanted::{Column, Wanted};
