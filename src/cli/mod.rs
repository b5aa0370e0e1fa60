//! The command line: arguments, settings, exit codes, progress; one file per command.

use std::process::ExitCode;

/// Parses the command line and runs the command.
pub fn main() -> ExitCode {
    ExitCode::SUCCESS
}
