//! The signatures as a library: lint, their own tests, their pages, coverage of the guides, mutants.

#[path = "../common/mod.rs"]
mod common;
mod coverage;
mod healthy;
mod library;
mod lint;
mod mutations;
mod patterns_docs;
