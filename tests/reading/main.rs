//! From bytes to facts: log formats, streams, transcripts, collectors, and every hazard of the field that is known.

mod clocks;
mod collectors;
mod come_and_go;
#[path = "../common/mod.rs"]
mod common;
mod dropped_collectors;
mod hazards;
mod host_texts;
mod lines;
mod log_lines;
mod log_scan;
mod log_streams;
mod names_decide_nothing;
mod namespaces;
mod on_its_way;
mod pastes;
mod printer;
mod transcript;
mod whole;
