//! Laws that hold for any input: properties, determinism, other forms of the same bundle, damage.

mod as_of;
mod bounds;
#[path = "../common/mod.rs"]
mod common;
mod compared_words;
mod cut_file;
mod damage;
mod derived;
mod determinism;
mod facts_of_bundles;
mod forms;
mod linked;
mod manifest_laws;
mod member_laws;
mod parsers_never_panic;
mod salvage;
mod taken_away;
mod thinned;
mod wanted_lines;
