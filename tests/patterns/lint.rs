//! What `lint` says, as a person reads it: one folder for each mistake, with the wrong file and the text
//! that must come out. `CASEFILE_UPDATE=1` writes the texts anew, for reading in the diff.
#![expect(clippy::expect_used, reason = "helpers of tests fail by panicking")]
#![expect(clippy::disallowed_methods, reason = "the update switch of golden files is an environment variable")]

use signature::pack::Pack;
use signature::{code, lint, problem};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

fn cases() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/lint");
    let mut cases: Vec<PathBuf> =
        fs::read_dir(folder).expect("the folder").map(|entry| entry.expect("an entry").path()).collect();
    cases.sort();
    cases
}

/// A case is a pack of `in.yaml` (and `in.tests.yaml`), checked alone.
fn problems(case: &Path) -> Vec<problem::Problem> {
    let mut pack = Pack::read(case).expect("a pack");
    pack.root = String::new();
    lint::lint_packs(&[pack], &[])
}

#[test]
fn each_mistake_is_said_as_it_should_be() {
    let mut wrong = Vec::new();
    for case in cases() {
        let said = problem::render(&problems(&case), false);
        let golden = case.join("out.txt");
        if std::env::var("CASEFILE_UPDATE").is_ok() {
            fs::write(&golden, &said).expect("written");
        }
        let expected = fs::read_to_string(&golden).unwrap_or_default();
        if said != expected {
            wrong.push(format!("{}:\n--- expected\n{expected}\n--- said\n{said}", case.display()));
        }
    }
    assert!(wrong.is_empty(), "{}\nrun with CASEFILE_UPDATE=1 and read the diff", wrong.join("\n"));
}

#[test]
fn each_case_shows_the_mistake_it_is_named_for() {
    for case in cases() {
        let name = case.file_name().expect("a name").to_string_lossy().replace('-', "");
        let said: BTreeSet<String> = problems(&case).iter().map(|p| format!("{:?}", p.code).to_lowercase()).collect();
        let named = code::Code::ALL.iter().any(|code| {
            let code = format!("{code:?}").to_lowercase();
            name.starts_with(&code) && said.contains(&code)
        });
        assert!(named || name == "clean" && said.is_empty(), "{}: {said:?}", case.display());
    }
}

#[test]
fn the_built_in_signatures_are_clean() {
    let pack = Pack::read(&Path::new(env!("CARGO_MANIFEST_DIR")).join("patterns")).expect("the patterns");
    let problems = lint::lint_packs(&[pack], &[]);
    assert!(problems.is_empty(), "{}", problem::render(&problems, false));
}
