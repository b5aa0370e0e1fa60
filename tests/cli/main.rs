//! The program as a user calls it: commands, exit codes, output.

mod check;
mod commands;
mod output;
mod process;
