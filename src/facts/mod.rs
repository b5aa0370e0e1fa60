//! Facts: objects, log lines, and coverage, the knowledge of what was looked at.
//!
//! Everything the engine decides on is here, placed in contexts and citable. The rules that decide
//! answers are normative in the signature language's semantics; this module is where they live.

pub mod absence;
pub mod as_of;
#[cfg(test)]
mod as_of_laws;
pub mod build;
pub mod catalogue;
pub mod contexts;
pub mod copies;
pub mod coverage;
pub mod derive;
mod event_form;
pub mod interest;
pub mod kind;
#[cfg(test)]
mod laws;
pub mod log;
pub mod lookup;
pub mod mask;
pub mod masked_text;
pub mod merge;
pub mod node;
pub mod object;
pub mod origin;
pub mod partial;
pub mod path;
pub mod pod_row;
pub mod products;
pub mod rows;
pub mod secrets;
pub mod store;
pub mod streams;
