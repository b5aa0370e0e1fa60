//! Assembly: the records of all members become the facts of contexts, each once.
//!
//! [`assembly::build`] is the way; contexts, merging, tables, the clock and the names of streams each have a file.
//!
//! May know: facts, intake, catalogue, parse, layout.
//!
//! Invariants: the facts depend on what members are called and hold, never on their order or numbers; no answer
//! is widened.

pub mod as_of;

pub mod assembly;
pub mod contexts;
mod copies;
pub mod interest;

mod merge;
mod pod_row;
pub mod rows;
