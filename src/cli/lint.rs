//! `casefile lint [DIR]`

use crate::args::Lint;
use crate::exit::Exit;
use crate::sandbox::Needs;
use crate::{output, sandbox};
use checks::checklist::Checklist;
use signature::code::Code;
use signature::lint::{lint, lint_packs};
use signature::located::Place;
use signature::pack::Pack;
use signature::problem;
use signature::problem::{Problem, Reporter};
use std::path::PathBuf;

/// Prints what is wrong with signature files.
///
/// # Errors
/// If the folder cannot be read, or the result cannot be written.
pub(crate) fn run(args: &Lint) -> anyhow::Result<Exit> {
    let paths = args.dir.as_deref().map(Pack::paths).unwrap_or_default();
    sandbox::confine(&Needs { read: paths.iter().map(PathBuf::as_path).collect(), ..Needs::default() });
    let (pack, mut problems) = match &args.dir {
        Some(dir) => (Pack::read(dir)?, lint(dir)?),
        None => (Pack::built_in(), lint_packs(&[Pack::built_in()], &[])),
    };
    problems.extend(checks(&pack));
    if problems.is_empty() {
        output::stdout("no problems\n")?;
        return Ok(Exit::Done);
    }
    let colour = output::colour();
    let count = if problems.len() == 1 { "1 problem".to_owned() } else { format!("{} problems", problems.len()) };
    output::stdout(&format!("{}\n{count}\n", problem::render(&problems, colour)))?;
    Ok(Exit::Found)
}

/// What is wrong with the checks of an installation, if the folder has any.
fn checks(pack: &Pack) -> Vec<Problem> {
    let Some(text) = pack.file("checks.yaml") else { return Vec::new() };
    let Err(wrong) = Checklist::parse(text) else { return Vec::new() };
    let shown = pack.shown("checks.yaml");
    let mut reporter = Reporter::new(&shown, text);
    let place = wrong.line.map_or(Place::default(), |line| Place { line, column: 1, length: 0 });
    let hint = "`src/checks/language.rs` lists the keys, and `src/checks/sentence.rs` the words of sentences";
    reporter.report(Code::BadValue, place, wrong.reason, Some(hint.to_owned()));
    reporter.finish()
}
