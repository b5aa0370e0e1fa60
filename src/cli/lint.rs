//! `casefile lint [DIR]`

use crate::args::Lint;
use crate::exit::Exit;
use crate::output;
use signature::lint::{lint, lint_packs};
use signature::pack::Pack;
use signature::problem;

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
