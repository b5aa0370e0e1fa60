//! The signatures as a library: lint, their own tests, their pages, coverage of the guides, mutants.

mod commands;
#[path = "../common/corpus.rs"]
mod common;
mod coverage;
mod library;
mod lint;
mod mutations;
mod patterns_docs;
