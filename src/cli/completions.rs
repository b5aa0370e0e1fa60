//! `casefile completions SHELL`.
//!
//! Why ids and editions are in them: nobody knows `CF-2007` by heart, and a shell that offers names of files there helps
//! nobody. They are those of the built-in library; the commands themselves take any.

use crate::args::{Args, Completions};
use crate::exit::Exit;
use crate::output;
use checks::checklist::Checklist;
use clap::builder::PossibleValuesParser;
use clap::{Arg, Command, CommandFactory};
use signature::load::Library;

/// Prints the completions of a shell.
///
/// # Errors
/// If they cannot be written.
pub(crate) fn run(args: &Completions) -> anyhow::Result<Exit> {
    let mut out = Vec::new();
    // A command line keeps its values as long as the program runs, and this one ends at once.
    let ids: Result<Vec<&'static str>, _> =
        Library::built_in().map(|library| library.signatures.into_iter().map(|one| &*one.id.leak()).collect());
    let editions: Vec<&'static str> = Checklist::load()?.profiles.iter().map(|profile| profile.id.as_str()).collect();
    let mut command = offering(Args::command(), &ids.unwrap_or_default(), &editions);
    clap_complete::generate(args.shell, &mut command, "casefile", &mut out);
    output::stdout(&String::from_utf8_lossy(&out))?;
    Ok(Exit::Done)
}

/// The command line with the ids of signatures and the editions of the checks where they are wanted.
fn offering(command: Command, ids: &[&'static str], editions: &[&'static str]) -> Command {
    let of = |values: &[&'static str]| {
        let parser = PossibleValuesParser::new(values.to_vec());
        move |arg: Arg| arg.value_parser(parser)
    };
    let names: Vec<String> = command.get_subcommands().map(|one| one.get_name().to_owned()).collect();
    names.into_iter().fold(command, |command, name| {
        command.mut_subcommand(name, |mut own| {
            let has = |own: &Command, id: &str| own.get_arguments().any(|arg| arg.get_id() == id);
            if own.get_name() == "explain" {
                own = own.mut_arg("id", of(ids));
            }
            if own.get_name() == "test" {
                own = own.mut_arg("only", of(ids));
            }
            if has(&own, "profile") {
                own = own.mut_arg("profile", of(editions));
            }
            own
        })
    })
}
