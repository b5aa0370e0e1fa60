//! The catalogue: what the field knows, as data.
//!
//! Kinds with their columns and nouns, classes of logs, products: read from the files of `patterns/`, which
//! are embedded in the program. A new kind or product is a line of YAML and no code.
//!
//! May know: facts.
//!
//! Invariants: a word that people type means one kind or none; a rule is applied only where it is sure.

pub mod analyzers;
pub mod areas;
pub mod built_in;
mod cells;
pub mod conditions;
pub mod controllers;
pub mod groups;
pub mod homes;
pub mod kinds;
pub mod made_names;
pub mod noise;
pub mod nouns;
pub mod ordinary;
pub mod parts;
pub mod pod_message;
pub mod printers;
pub mod products;
pub mod references;
pub mod sources;
pub mod statements;
pub mod tables;
pub mod texts;
pub mod ties;
pub mod tools;
pub mod wordings;
pub mod words;
