//! Hostile input and secrets.

mod archives;
mod bundles;
mod folders;
mod growth;
mod last_line;
mod memory;
#[path = "../common/planted.rs"]
mod planted;
mod rows;
mod secret_places;
mod secrets;
mod secrets_stay_inside;
mod sentences;
