//! `casefile check [DIR]`: every sample bundle against its expected diagnosis.
//!
//! A case is a folder with `bundle/` (or `bundle.tar.gz`) and `expected.json`, whose shape is
//! [`report::expected::Expected`].

use crate::args::{Check, TableOrJunit};
use crate::destination::{Destination, Inputs, Readers, Standing};
use crate::exit::Exit;
use crate::folder::Folder;
use crate::sandbox::Needs;
use crate::{library, output, sandbox};
use anyhow::{Context, ensure};
use catalogue::kinds::Catalogue;
use diagnose::{Input, Options, Quiet, diagnose};
use intake::Source;
use report::expected::{Expected, diff};
use signature::load::Library;
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// What a case is expected to be.
const EXPECTED: &str = "expected.json";

/// How a case ended.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Outcome {
    /// As expected.
    Passed,
    /// Written anew, with the difference.
    Updated(String),
    /// Not as expected, with the difference or the reason.
    Failed(String),
}

/// One case after its run.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Case {
    name: String,
    outcome: Outcome,
    summary: String,
}

/// Runs all cases.
///
/// # Errors
/// If there is no case, a signature is bad, or an expectation cannot be written.
pub(crate) fn run(args: &Check) -> anyhow::Result<Exit> {
    checks::checklist::Checklist::load()?;
    let folders = folders(&args.dir)?;
    let library = library::load(&args.signatures)?;
    let write = if args.update { writable(&folders)? } else { Vec::new() };
    let expected: Vec<PathBuf> = folders.iter().map(|(folder, _)| folder.join(EXPECTED)).collect();
    let read = folders.iter().flat_map(|(folder, bundle)| [folder, bundle]).chain(&expected);
    sandbox::confine(&Needs {
        read: read.map(PathBuf::as_path).collect(),
        write: write.iter().collect(),
        ..Needs::default()
    });
    let catalogue = Catalogue::built_in();
    let mut cases = Vec::with_capacity(folders.len());
    for (folder, bundle) in folders {
        cases.push(case(&folder, bundle, &library, &catalogue, args.update)?);
    }
    let text = match args.format {
        TableOrJunit::Table => table(&cases),
        TableOrJunit::Junit => junit(&cases)?,
    };
    output::stdout(&text)?;
    let failed = cases.iter().any(|case| matches!(case.outcome, Outcome::Failed(_)));
    Ok(if failed { Exit::Found } else { Exit::Done })
}

/// The folders of cases with their bundles, sorted.
fn folders(dir: &Path) -> anyhow::Result<Vec<(PathBuf, PathBuf)>> {
    let next = "name a folder that holds `<case>/bundle` or `<case>/bundle.tar.gz`";
    let entries = std::fs::read_dir(dir).with_context(|| format!("cannot list {}; {next}", dir.display()))?;
    let mut folders = Vec::new();
    for entry in entries {
        let folder = entry.with_context(|| format!("cannot list {}", dir.display()))?.path();
        let bundle = ["bundle", "bundle.tar.gz"].map(|name| folder.join(name)).into_iter().find(|path| path.exists());
        if let Some(bundle) = bundle {
            folders.push((folder, bundle));
        }
    }
    folders.sort();
    ensure!(!folders.is_empty(), "there is no sample bundle in {}; {next}", dir.display());
    Ok(folders)
}

/// The folders of cases, opened to be written to.
fn writable(folders: &[(PathBuf, PathBuf)]) -> anyhow::Result<Vec<Folder>> {
    let open = |(folder, _): &(PathBuf, PathBuf)| {
        Folder::open(folder).with_context(|| format!("cannot open the folder {}", folder.display()))
    };
    folders.iter().map(open).collect()
}

fn case(
    folder: &Path,
    bundle: PathBuf,
    library: &Library,
    catalogue: &Catalogue,
    update: bool,
) -> anyhow::Result<Case> {
    let name = folder.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let input = Input { source: Source::Path(bundle.clone()), context: None };
    let diagnosis = match diagnose(&[input], library, catalogue, &Options::default(), &mut Quiet) {
        Ok(diagnosis) => diagnosis,
        Err(error) => {
            let outcome = Outcome::Failed(format!("{error}\n"));
            return Ok(Case { name, outcome, summary: "could not be read".to_owned() });
        }
    };
    let found = Expected::of(&diagnosis);
    let path = folder.join(EXPECTED);
    let stored = match std::fs::read_to_string(&path) {
        Ok(text) => Some(text),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => None,
        Err(error) => return Err(error).with_context(|| format!("cannot read {}", path.display())),
    };
    let text = found.to_json()?;
    let outcome = match compare(stored.as_deref(), &found)? {
        None => Outcome::Passed,
        Some(_) if update => {
            let inputs = Inputs::of(std::iter::once(bundle.as_path()));
            let standing = Standing::ReplacedIf(report::ours::is_expectation);
            Destination::check(&path, &inputs, Readers::Usual, standing)?.write(&text)?;
            Outcome::Updated(diff(stored.as_deref().unwrap_or_default(), &text))
        }
        Some(difference) => Outcome::Failed(difference),
    };
    Ok(Case { name, outcome, summary: found.summary() })
}

/// What is not as expected, in words or as a diff. The layout of the JSON does not matter, only what it
/// says.
fn compare(stored: Option<&str>, found: &Expected) -> anyhow::Result<Option<String>> {
    let Some(stored) = stored else {
        return Ok(Some("there is no expected.json; `casefile check --update` writes it\n".to_owned()));
    };
    match Expected::from_json(stored) {
        Ok(expected) if expected == *found => Ok(None),
        Ok(expected) => Ok(Some(diff(&expected.to_json()?, &found.to_json()?))),
        Err(error) => Ok(Some(format!("expected.json: {error}; see `casefile schema expected`\n"))),
    }
}

fn table(cases: &[Case]) -> String {
    let mut out = String::new();
    let width = cases.iter().map(|case| case.name.chars().count()).max().unwrap_or_default();
    for case in cases {
        let word = match case.outcome {
            Outcome::Passed => "ok",
            Outcome::Updated(_) => "updated",
            Outcome::Failed(_) => "FAILED",
        };
        // Writing into a String cannot fail.
        let _ = writeln!(out, "{word:<8}{:<width$}  {}", case.name, case.summary);
    }
    for case in cases {
        if let Outcome::Updated(text) | Outcome::Failed(text) = &case.outcome {
            let _ = write!(out, "\n{}:\n{text}", case.name);
        }
    }
    let count = |wanted: fn(&Outcome) -> bool| cases.iter().filter(|case| wanted(&case.outcome)).count();
    let failed = count(|outcome| matches!(outcome, Outcome::Failed(_)));
    let updated = count(|outcome| matches!(outcome, Outcome::Updated(_)));
    let passed = cases.len() - failed - updated;
    let _ = writeln!(out, "\n{passed} as expected, {failed} failed, {updated} updated");
    if failed > 0 {
        out.push_str("If the new diagnosis is right, `casefile check --update` makes it the expected one.\n");
    }
    out
}

fn junit(cases: &[Case]) -> anyhow::Result<String> {
    use quick_junit::{NonSuccessKind, Report, TestCase, TestCaseStatus, TestSuite};
    let mut suite = TestSuite::new("sample-bundles");
    for case in cases {
        let mut status = TestCaseStatus::success();
        if let Outcome::Failed(text) = &case.outcome {
            status = TestCaseStatus::non_success(NonSuccessKind::Failure);
            status.set_message("the diagnosis is not the expected one");
            status.set_description(text.as_str());
        }
        suite.add_test_case(TestCase::new(case.name.as_str(), status));
    }
    let mut report = Report::new("casefile check");
    report.add_test_suite(suite);
    report.to_string().context("cannot write the JUnit report")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cases() -> Vec<Case> {
        vec![
            Case { name: "healthy".into(), outcome: Outcome::Passed, summary: "silent".into() },
            Case {
                name: "etcd-down".into(),
                outcome: Outcome::Failed("-a\n+b\n".into()),
                summary: "CF-3001 probable".into(),
            },
        ]
    }

    #[test]
    fn the_table_ends_with_the_next_step() {
        insta::assert_snapshot!(table(&cases()), @"
        ok      healthy    silent
        FAILED  etcd-down  CF-3001 probable

        etcd-down:
        -a
        +b

        1 as expected, 1 failed, 0 updated
        If the new diagnosis is right, `casefile check --update` makes it the expected one.
        ");
    }

    #[test]
    fn junit_knows_no_clock() {
        let text = junit(&cases()).unwrap();
        assert_eq!(text, junit(&cases()).unwrap());
        assert!(
            text.contains(r#"tests="2""#) && text.contains(r#"failures="1""#) && !text.contains("timestamp"),
            "{text}"
        );
    }

    #[test]
    fn a_layout_of_the_json_is_no_difference() {
        let found = Expected { silent: true, findings: vec![], not_assessed: vec![], asks: vec![] };
        let flat = r#"{"asks":[],"silent":true,"findings":[],"not_assessed":[]}"#;
        assert_eq!(compare(Some(flat), &found).unwrap(), None);
        let other = flat.replace("true", "false");
        assert!(compare(Some(&other), &found).unwrap().unwrap().contains("+  \"silent\": true,"));
        assert!(compare(None, &found).unwrap().unwrap().contains("--update"));
    }
}
