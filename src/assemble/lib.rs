//! Assembly: the records of all members become the facts of contexts, each once.
//!
//! [`assembly::build`] is the way: tables are converted ([`rows`]), members get contexts (`placing`, [`contexts`]),
//! records are taken in (`gather`, `objects`, `answers`), and each context is put together (`merge`, `clock`,
//! `streams`, `copies`).
//!
//! May know: facts, intake, catalogue, parse, layout.
//!
//! Invariants: the facts depend on what members are called and hold, never on their order or numbers; no answer
//! is widened.

mod always;
mod answers;
pub mod as_of;
pub mod assembly;
mod clock;
pub mod contexts;
mod copies;
mod earlier_part;
mod file_name;
mod gather;
pub mod interest;
mod lists;
mod log_of_role;
mod machine_of_file;
mod machine_of_log;
mod merge;
mod namespace_of_table;
mod objects;
mod placing;
mod pod_of_log;
mod pod_row;
mod presence;
pub mod rows;
mod session_beside;
mod sightings;
mod streams;
mod whose_part;
mod zones;
