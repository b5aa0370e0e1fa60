//! `casefile new ID`: a signature and its test file that work, to be changed piece by piece.
//!
//! Why a working example and not blanks: whoever writes one can run `lint` and `test` after every change,
//! and sees from the first minute what a passing signature looks like.

use crate::args::New;
use crate::destination::{Destination, Inputs, Readers, Standing};
use crate::exit::Exit;
use crate::output;
use anyhow::{Context, ensure};
use signature::load::Library;
use std::path::{Path, PathBuf};

const SIGNATURE: &str = include_str!("new.yaml");
const TESTS: &str = include_str!("new.tests.yaml");

/// Writes the two files.
///
/// # Errors
/// If the id or the name is no good, a file is there already, or one cannot be written.
pub(crate) fn run(args: &New) -> anyhow::Result<Exit> {
    let name = args.name.clone().unwrap_or_else(|| args.id.to_ascii_lowercase());
    ensure!(
        args.id.split_once('-').is_some_and(|(letters, digits)| {
            !letters.is_empty()
                && letters.bytes().all(|b| b.is_ascii_uppercase())
                && !digits.is_empty()
                && digits.bytes().all(|b| b.is_ascii_digit())
        }),
        "`{}` is no id: expected capital letters, a dash and digits, such as CF-9001",
        args.id
    );
    ensure!(
        !name.is_empty() && name.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-'),
        "`{name}` is no name: expected lower-case letters, digits and dashes, such as node-not-ready"
    );
    if let Some(signature) = Library::built_in()?.get(&args.id) {
        anyhow::bail!("{} is the id of the built-in signature {}; take another one", args.id, signature.file);
    }
    let files = [(format!("{name}.yaml"), SIGNATURE), (format!("{name}.tests.yaml"), TESTS)];
    let files = files.map(|(file, text)| (args.dir.join(file), fill(text, &args.id, &name)));
    for (path, _) in &files {
        ensure!(
            path.symlink_metadata().is_err(),
            "{} is there already; remove it, or take another --name",
            path.display()
        );
    }
    std::fs::create_dir_all(&args.dir).with_context(|| format!("cannot make the folder {}", args.dir.display()))?;
    for (path, text) in &files {
        Destination::check(path, &Inputs::default(), Readers::Usual, Standing::Stays)?.write(text)?;
    }
    output::stdout(&next(&files.map(|(path, _)| path), &args.dir))?;
    Ok(Exit::Done)
}

fn fill(text: &str, id: &str, name: &str) -> String {
    text.replace("CF-0000", id).replace("new-signature", name)
}

fn next(files: &[PathBuf; 2], dir: &Path) -> String {
    let [signature, tests] = files.each_ref().map(|path| path.display());
    let dir = dir.display();
    format!(
        "wrote {signature}\nwrote {tests}\nChange them, then run `casefile lint {dir}` and `casefile test {dir}`.\n"
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use catalogue::kinds::Catalogue;
    use selftest::bench::Bench;
    use signature::lint::lint_packs;
    use signature::pack::Pack;
    use signature::problem;
    use signature::tests_file;
    use signature::tests_file::{Case, TestKind};

    fn written() -> Pack {
        let files = vec![
            ("a.tests.yaml".to_owned(), fill(TESTS, "CF-9001", "a")),
            ("a.yaml".to_owned(), fill(SIGNATURE, "CF-9001", "a")),
        ];
        Pack::of("new", files)
    }

    #[test]
    fn what_is_written_has_no_problem() {
        let problems = lint_packs(&[written()], &[Pack::built_in()]);
        assert!(problems.is_empty(), "{}", problem::render(&problems, false));
    }

    #[test]
    fn an_id_that_is_taken_is_refused_that_of_a_form_too() {
        for id in ["CF-1001", "CF-3018"] {
            let args = New { id: id.to_owned(), dir: PathBuf::from("no-such-folder"), name: None };
            let error = run(&args).expect_err("it is taken").to_string();
            assert!(error.contains(&format!("{id} is the id of the built-in signature")), "{error}");
        }
    }

    #[test]
    fn what_is_written_passes_a_test_of_each_kind() {
        let pack = written();
        let library = Library::of(std::slice::from_ref(&pack)).expect("it loads");
        let (tests, signature) = (fill(TESTS, "CF-9001", "a"), "CF-9001");
        let cases: Vec<Case> = tests_file::of_pack(&pack, "a.tests.yaml", &tests).cases().collect();
        assert_eq!(cases.iter().map(|case| case.kind).collect::<Vec<_>>(), TestKind::ALL);
        let catalogue = Catalogue::built_in();
        let bench = Bench::new(&library, &catalogue);
        for case in cases {
            assert_eq!(case.signature, signature);
            assert_eq!(selftest::run::run(&bench, &case), Vec::<String>::new(), "{}", case.name);
        }
    }
}
