//! `casefile man [COMMAND]`.

use crate::args::{Args, Man};
use crate::exit::Exit;
use crate::output;
use anyhow::Context;
use clap::CommandFactory;

/// Prints the man page of the program, or of one command.
///
/// # Errors
/// If there is no such command, or the page cannot be written.
pub(crate) fn run(args: &Man) -> anyhow::Result<Exit> {
    let mut program = Args::command();
    program.build();
    let page = match &args.command {
        None => program,
        Some(name) => {
            let command = program.find_subcommand(name);
            let known = || program.get_subcommands().map(clap::Command::get_name).collect::<Vec<_>>().join(", ");
            let command =
                command.with_context(|| format!("there is no command `{name}`; the commands are {}", known()))?;
            command.clone()
        }
    };
    let mut out = Vec::new();
    clap_mangen::Man::new(page).render(&mut out).context("cannot make the man page")?;
    output::stdout(&String::from_utf8_lossy(&out))?;
    Ok(Exit::Done)
}
