//! `casefile test [DIR]`: the tests that stand beside signatures.

use super::args::Test;
use super::exit::Exit;
use super::output;
use crate::engine::selftest;
use crate::facts::catalogue::Catalogue;
use crate::signature::load::Library;
use crate::signature::pack::Pack;
use crate::signature::problem::{self, Reporter};
use crate::signature::tests_file::{self, Case};
use std::fmt::Write;

/// Runs the tests of a pack and prints what failed.
///
/// # Errors
/// If the folder cannot be read or the result cannot be written.
pub fn run(args: &Test) -> anyhow::Result<Exit> {
    let pack = match &args.dir {
        Some(dir) => Pack::read(dir)?,
        None => Pack::built_in(),
    };
    let library = match Library::of(std::slice::from_ref(&pack)) {
        Ok(library) => library,
        // A signature that does not load has failed its tests.
        Err(error) => {
            output::stdout(&format!("{error}\n"))?;
            return Ok(Exit::Found);
        }
    };
    let catalogue = Catalogue::built_in();
    let mut out = String::new();
    let (mut passed, mut failed) = (0, 0);
    for (path, text) in pack.tests() {
        let shown = pack.shown(path);
        let mut reporter = Reporter::new(&shown, text);
        let cases = tests_file::parse(text, &mut reporter).map(|(_, cases)| cases).unwrap_or_default();
        let problems = reporter.finish();
        if !problems.is_empty() {
            failed += 1;
            // Writing into a String cannot fail.
            let _ = write!(out, "{}", problem::render(&problems, output::colour()));
        }
        for case in cases {
            let wrong = selftest::run(&library, &catalogue, &case);
            if wrong.is_empty() {
                passed += 1
            } else {
                failed += 1
            }
            line(&mut out, &shown, &case, &wrong);
        }
    }
    let _ = writeln!(out, "\n{passed} passed, {failed} failed");
    if passed + failed == 0 {
        out.push_str(
            "There are no tests: a signature `x.yaml` has them in `x.tests.yaml`; `casefile new` writes both.\n",
        );
    }
    output::stdout(&out)?;
    Ok(if failed > 0 || passed == 0 { Exit::Found } else { Exit::Done })
}

fn line(out: &mut String, file: &str, case: &Case, wrong: &[String]) {
    let word = if wrong.is_empty() { "ok" } else { "FAILED" };
    let _ = writeln!(out, "{word:<8}{} {}: {}", case.signature, case.kind.word(), case.name);
    if !wrong.is_empty() {
        let _ = writeln!(out, "        in {file}:{}", case.place.line);
    }
    for text in wrong {
        let _ = writeln!(out, "        {text}");
    }
}
