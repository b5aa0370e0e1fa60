//! The program as a user calls it: commands, exit codes, output.

mod analyze;
mod check;
mod collect_script;
mod commands;
mod diff;
mod fleet;
mod nothing;
mod output;
mod pack;
mod process;
mod query;
mod readme;
mod work;
