//! `casefile lint [DIR]`

use super::args::Lint;
use super::exit::Exit;
use super::output;
use crate::signature::lint::{lint, lint_packs};
use crate::signature::pack::Pack;
use crate::signature::problem;

/// Prints what is wrong with signature files.
///
/// # Errors
/// If the folder cannot be read, or the result cannot be written.
pub fn run(args: &Lint) -> anyhow::Result<Exit> {
    let problems = match &args.dir {
        Some(dir) => lint(dir)?,
        None => lint_packs(&[Pack::built_in()], &[]),
    };
    if problems.is_empty() {
        output::stdout("no problems\n")?;
        return Ok(Exit::Done);
    }
    let colour = output::colour();
    let count = if problems.len() == 1 { "1 problem".to_owned() } else { format!("{} problems", problems.len()) };
    output::stdout(&format!("{}\n{count}\n", problem::render(&problems, colour)))?;
    Ok(Exit::Found)
}
