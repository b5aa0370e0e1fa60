//! Hostile input and secrets.

mod archives;
mod folders;
mod rows;
mod secrets;
mod secrets_stay_inside;
