//! The own tests of signatures: tiny bundles with the verdicts that they must get.
//!
//! May know: all rooms below `cli`.
//!
//! Invariants: a test goes the same way as a bundle of a user.

pub mod bench;
pub mod exercised;
pub mod run;
