//! The command line: arguments, settings, exit codes, progress; one file per command.
//!
//! Invariants: standard output carries results and nothing else; messages and progress go to standard
//! error; every error is printed with its causes and ends with the next step; files are written through
//! [`destination`] alone.

mod analyze;
mod analyze_args;
pub mod args;
mod check;
mod collect_script;
mod completions;
mod defect;
mod destination;
mod diagnose;
mod diff;
pub mod exit;
mod explain;
#[cfg(feature = "query")]
mod export;
mod export_lines;
mod fleet;
mod folder;
pub mod format;
mod identity;
mod inspect;
mod last_line;
mod library;
mod lint;
mod man;
mod new;
mod output;
mod pack;
mod pack_args;
mod progress;
#[cfg(feature = "query")]
mod query;
mod query_tables;
mod sandbox;
pub mod schema;
#[cfg(feature = "serve")]
mod serve;
mod serve_clusters;
#[cfg(feature = "serve")]
mod serve_queries;
pub mod settings;
#[cfg(feature = "query")]
mod shell;
mod test;

use args::{Args, Command};
use clap::{CommandFactory as _, FromArgMatches as _};
use destination::NotWritten;
use exit::Exit;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Parses the command line and runs the command. Nothing may be done and no thread started before it.
pub fn main() -> ExitCode {
    environment::forget();
    defect::tell();
    let args = match parsed() {
        Ok(args) => args,
        Err(error) => {
            // Help and version are asked for, and go to standard output; all else is wrong usage.
            let printed = error.print().map_err(|failed| NotWritten::stdout(failed).into());
            return match printed {
                _ if error.use_stderr() => Exit::Usage,
                Ok(()) => Exit::Done,
                Err(failed) => Exit::of(&failed),
            }
            .into();
        }
    };
    match run(&args.command) {
        Ok(exit) => exit.into(),
        Err(error) => {
            if !exit::broken_pipe(&error) {
                output::message(&format!("casefile: {}", chain(&error)));
            }
            Exit::of(&error).into()
        }
    }
}

/// The arguments, under the name that the program was called by: kubectl runs what is called `kubectl-casefile` as
/// `kubectl casefile`.
fn parsed() -> Result<Args, clap::Error> {
    let name = std::env::args_os().next().map(PathBuf::from);
    let name = name.as_deref().and_then(Path::file_stem).map(|name| name.to_string_lossy().into_owned());
    let mut command = Args::command();
    if name.is_some_and(|name| name == "kubectl-casefile") {
        command = command.bin_name("kubectl casefile");
    }
    Args::from_arg_matches(&command.try_get_matches()?)
}

fn run(command: &Command) -> anyhow::Result<Exit> {
    match command {
        Command::Diagnose(args) => diagnose::run(args),
        Command::Analyze(args) => analyze::run(args),
        Command::Inspect(args) => inspect::run(args),
        Command::Query(args) => query_tables::query(args),
        Command::Export(args) => query_tables::export(args),
        Command::Fleet(args) => fleet::run(args),
        Command::Serve(args) => serve_clusters::serve(args),
        Command::Diff(args) => diff::run(args),
        Command::CollectScript(args) => collect_script::run(args),
        Command::Explain(args) => explain::run(args),
        Command::Lint(args) => lint::run(args),
        Command::Test(args) => test::run(args),
        Command::Check(args) => check::run(args),
        Command::New(args) => new::run(args),
        Command::Pack(args) => pack::run(args),
        Command::Schema(args) => schema::run(args),
        Command::Completions(args) => completions::run(args),
        Command::Man(args) => man::run(args),
    }
}

/// An error with its causes, each said once: some errors already hold the text of their source.
fn chain(error: &anyhow::Error) -> String {
    let mut text = String::new();
    for cause in error.chain() {
        let cause = cause.to_string();
        if text.is_empty() {
            text = cause;
        } else if !text.contains(&cause) {
            text = format!("{text}: {cause}");
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_arguments_are_well_formed() {
        Args::command().debug_assert();
    }

    #[test]
    fn an_error_names_each_cause_once() {
        let error = anyhow::anyhow!("c").context("b: c").context("a");
        assert_eq!(chain(&error), "a: b: c");
    }
}
