//! `casefile completions SHELL`.

use crate::args::{Args, Completions};
use crate::exit::Exit;
use crate::output;
use clap::CommandFactory;

/// Prints the completions of a shell.
///
/// # Errors
/// If they cannot be written.
pub(crate) fn run(args: &Completions) -> anyhow::Result<Exit> {
    let mut out = Vec::new();
    clap_complete::generate(args.shell, &mut Args::command(), "casefile", &mut out);
    output::stdout(&String::from_utf8_lossy(&out))?;
    Ok(Exit::Done)
}
