//! The signature language: files, conditions, templates, lint, packs.
//!
//! [`mod@file`] is what a person types, [`model`] what the engine reads, [`compile`] the way between; [`load`]
//! makes a [`load::Library`] of packs, [`lint`] says what is wrong with them.

pub mod built_in;
pub mod code;
pub mod compile;
pub mod condition;
pub mod docs;
pub mod duration;
pub mod explain;
pub mod file;
pub mod flow_style;
pub mod lazy_regex;
pub mod lint;
pub mod load;
pub mod located;
pub mod manifest;
pub mod model;
pub mod overrides;
pub mod pack;
pub mod problem;
pub mod read;
pub mod scalar;
pub mod schema;
pub mod suggest;
pub mod template;
pub mod tests_file;
pub mod unset;
pub mod variables;
