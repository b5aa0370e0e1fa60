//! `casefile test [DIR]`: the tests that stand beside signatures, and what they leave unexercised.

use crate::args::{Test, TextOrJson};
use crate::exit::Exit;
use crate::sandbox::Needs;
use crate::{output, sandbox};
use catalogue::kinds::Catalogue;
use diagnosis::plain_json;
use selftest::bench::Bench;
use selftest::exercised::{Exercised, Seen};
use selftest::run;
use serde::Serialize;
use signature::load::Library;
use signature::pack::Pack;
use signature::problem;
use signature::problem::Problem;
use signature::tests_file;
use signature::tests_file::{Case, Tests};
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

/// How long a watched folder is left alone between two looks.
const PAUSE: Duration = Duration::from_millis(500);

/// How a run ended, as programs read it.
#[derive(Debug, Default, Serialize)]
struct Report {
    /// Tests that passed.
    passed: usize,
    /// Tests that failed, and test files that cannot be read.
    failed: usize,
    /// The tests, in the order of their files.
    tests: Vec<Tested>,
    /// What the tests exercise, with `--coverage`.
    #[serde(skip_serializing_if = "Option::is_none")]
    coverage: Option<Vec<Exercised>>,
}

#[derive(Debug, Serialize)]
struct Tested {
    signature: String,
    name: String,
    kind: &'static str,
    file: String,
    line: usize,
    /// What is not as expected; empty if it passed.
    wrong: Vec<String>,
}

/// One test file after its run.
struct Ran {
    /// What is wrong with the file itself.
    problems: String,
    tested: Vec<Tested>,
    seen: Vec<(String, Seen)>,
}

/// Runs the tests of a pack and prints what failed.
///
/// # Errors
/// If the folder cannot be read or the result cannot be written.
pub(crate) fn run(args: &Test) -> anyhow::Result<Exit> {
    let paths = args.dir.as_deref().map(Pack::paths).unwrap_or_default();
    sandbox::confine(&Needs { read: paths.iter().map(PathBuf::as_path).collect(), ..Needs::default() });
    match args.dir.as_deref().filter(|_| args.watch) {
        Some(dir) => watch(args, dir),
        None => once(args),
    }
}

/// Runs the tests again whenever a file of the folder changes, until somebody stops it.
fn watch(args: &Test, dir: &Path) -> anyhow::Result<Exit> {
    loop {
        // Read before the tests: what changes while they run is a change.
        let before = Pack::read(dir).ok();
        // What an editor has half written is said, and read again when it is whole.
        if let Err(error) = once(args) {
            output::message(&format!("casefile: {error:#}"));
        }
        output::message("waiting for a change; Ctrl-C ends it");
        while Pack::read(dir).ok() == before {
            std::thread::sleep(PAUSE);
        }
    }
}

fn once(args: &Test) -> anyhow::Result<Exit> {
    let pack = match &args.dir {
        Some(dir) => Pack::read(dir)?,
        None => Pack::built_in(),
    };
    let mut library = match Library::of(std::slice::from_ref(&pack)) {
        Ok(library) => library,
        // A signature that does not load has failed its tests.
        Err(error) => {
            output::stdout(&format!("{error}\n"))?;
            return Ok(Exit::Found);
        }
    };
    // The relations that compare them may stand in signatures that this folder lacks.
    let asked = files(&args.only, &pack, &library).into_iter();
    let cases: Vec<Case> = asked.flat_map(|(path, text)| tests_file::of_pack(&pack, path, text).cases()).collect();
    library.compared.extend(tests_file::looked_at(&cases));
    let ran = all(&args.only, &pack, &library, args.coverage);
    let mut report = Report { coverage: args.coverage.then(|| coverage(args, &library, &ran)), ..Report::default() };
    let mut out = String::new();
    for Ran { problems, tested, .. } in ran {
        report.failed += usize::from(!problems.is_empty());
        out.push_str(&problems);
        for tested in tested {
            let count = if tested.wrong.is_empty() { &mut report.passed } else { &mut report.failed };
            *count += 1;
            line(&mut out, &tested);
            report.tests.push(tested);
        }
    }
    let gaps = report.coverage.iter().flatten().any(|exercised| !exercised.gaps().is_empty());
    match args.format {
        TextOrJson::Json => output::stdout(&plain_json::pretty(&report)?)?,
        TextOrJson::Text => {
            if let Some(coverage) = &report.coverage {
                out = failures(&report.tests);
                out.push_str(&unexercised(coverage));
            }
            // Writing into a String cannot fail.
            let _ = writeln!(out, "\n{} passed, {} failed", report.passed, report.failed);
            if report.passed + report.failed == 0 {
                out.push_str(match args.only.is_empty() {
                    true => "There are no tests: a signature `x.yaml` has them in `x.tests.yaml`; `casefile new` writes both.\n",
                    false => "There are no tests: no signature has that id, and no file that text in its path.\n",
                });
            }
            output::stdout(&out)?;
        }
    }
    Ok(if report.failed > 0 || report.passed == 0 || gaps { Exit::Found } else { Exit::Done })
}

/// Are the tests of a signature in this file asked for?
fn is_wanted(only: &[String], path: &str, id: &str) -> bool {
    only.is_empty() || only.iter().any(|only| path.contains(only.as_str()) || id == only)
}

/// The test files in which some tests are asked for.
fn files<'a>(only: &[String], pack: &'a Pack, library: &Library) -> Vec<(&'a str, &'a str)> {
    let beside = |path: &str| {
        let file = pack.shown(&tests_file::signature_path(path));
        library.signatures.iter().filter(move |signature| signature.file == file)
    };
    let wanted =
        |path: &str| is_wanted(only, path, "") || beside(path).any(|signature| is_wanted(only, path, &signature.id));
    pack.tests().filter(|(path, _)| wanted(path)).collect()
}

/// Runs the tests that are asked for on all processors; the result is in the order of their files.
fn all(only: &[String], pack: &Pack, library: &Library, observe: bool) -> Vec<Ran> {
    let files = files(only, pack, library);
    let catalogue = Catalogue::built_in();
    let bench = &Bench::new(library, &catalogue);
    let next = &AtomicUsize::new(0);
    let threads = std::thread::available_parallelism().map_or(1, usize::from).min(files.len().max(1));
    let worker = || {
        let mut ran = Vec::new();
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some((path, text)) = files.get(index) else { return ran };
            let Tests { each, problems, .. } = tests_file::of_pack(pack, path, text);
            let cases = each.into_iter().flatten().flat_map(|form| form.cases);
            let cases: Vec<Case> = cases.filter(|case| is_wanted(only, path, &case.signature)).collect();
            ran.push((index, file(&pack.shown(path), &problems, &cases, bench, observe)));
        }
    };
    let mut ran: Vec<(usize, Ran)> = Vec::new();
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(worker)).collect();
        for worker in workers {
            match worker.join() {
                Ok(part) => ran.extend(part),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
    });
    ran.sort_by_key(|(index, _)| *index);
    ran.into_iter().map(|(_, ran)| ran).collect()
}

fn file(shown: &str, problems: &[Problem], cases: &[Case], bench: &Bench<'_>, observe: bool) -> Ran {
    let problems = if problems.is_empty() { String::new() } else { problem::render(problems, output::colour()) };
    let tested = |case: &Case| Tested {
        signature: case.signature.clone(),
        name: case.name.clone(),
        kind: case.kind.word(),
        file: shown.to_owned(),
        line: case.place.line,
        wrong: run::run(bench, case),
    };
    let seen = |case: &Case| (case.signature.clone(), run::observe(bench, case));
    Ran {
        problems,
        tested: cases.iter().map(tested).collect(),
        seen: if observe { cases.iter().map(seen).collect() } else { Vec::new() },
    }
}

fn line(out: &mut String, tested: &Tested) {
    let word = if tested.wrong.is_empty() { "ok" } else { "FAILED" };
    let _ = writeln!(out, "{word:<8}{} {}: {}", tested.signature, tested.kind, tested.name);
    if !tested.wrong.is_empty() {
        let _ = writeln!(out, "        in {}:{}", tested.file, tested.line);
    }
    for text in &tested.wrong {
        let _ = writeln!(out, "        {text}");
    }
}

fn failures(tests: &[Tested]) -> String {
    let mut out = String::new();
    for tested in tests.iter().filter(|tested| !tested.wrong.is_empty()) {
        line(&mut out, tested);
    }
    out
}

/// What the tests that ran exercise, by the id of the signature.
fn coverage(args: &Test, library: &Library, ran: &[Ran]) -> Vec<Exercised> {
    let mut all = Vec::new();
    for signature in &library.signatures {
        let mut exercised = Exercised::none(signature);
        for (_, seen) in ran.iter().flat_map(|ran| &ran.seen).filter(|(id, _)| *id == signature.id) {
            exercised.add(signature, seen);
        }
        if exercised.tests > 0 || args.only.is_empty() {
            all.push(exercised);
        }
    }
    all
}

fn unexercised(coverage: &[Exercised]) -> String {
    let mut out = String::new();
    let mut whole = 0;
    for exercised in coverage {
        let gaps = exercised.gaps();
        whole += usize::from(gaps.is_empty());
        if !gaps.is_empty() {
            let _ = writeln!(out, "{} {} ({} tests)", exercised.signature, exercised.file, exercised.tests);
        }
        for gap in gaps {
            let _ = writeln!(out, "        {gap}");
        }
    }
    let _ = writeln!(out, "\n{whole} of {} signatures are exercised in every part", coverage.len());
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What `casefile new` writes, with a second way to be ready.
    fn exercised(signature: &str) -> Vec<String> {
        let tests = include_str!("new.tests.yaml").to_owned();
        let files = vec![("a.tests.yaml".to_owned(), tests), ("a.yaml".to_owned(), signature.to_owned())];
        let pack = Pack::of("new", files);
        let library = Library::of(std::slice::from_ref(&pack)).expect("it loads");
        let args = Test { dir: None, only: Vec::new(), coverage: true, watch: false, format: TextOrJson::Text };
        let ran = all(&[], &pack, &library, true);
        assert!(ran.iter().all(|ran| ran.problems.is_empty()));
        coverage(&args, &library, &ran).iter().flat_map(Exercised::gaps).collect()
    }

    #[test]
    fn what_new_writes_is_exercised_in_every_part() {
        assert_eq!(exercised(include_str!("new.yaml")), Vec::<String>::new());
    }

    #[test]
    fn what_no_test_exercises_is_said() {
        let log = "  - id: said\n    claim: The kubelet says so\n    log: { any: [\"node not ready\", \"node lost\"] }\n    collect: { on: node, run: journalctl -u kubelet }\n\n";
        let signature = include_str!("new.yaml")
            .replace("# Conditions over", &format!("{log}# Conditions over"))
            .replace("  ruled_out: ready\n", "  probable: said\n  resolved: not-ready and ready\n  ruled_out: ready\n");
        insta::assert_snapshot!(exercised(&signature).join("\n"), @"
        evidence `said` never supports
        rule `probable` never holds
        rule `resolved` never holds
        rule `ruled_out` holds, and another verdict is always given
        wording of `said` in no test: node not ready
        wording of `said` in no test: node lost
        ");
    }

    /// What is wrong with a test of a healthy Node whose verdict is `none`, with more expected beside it.
    fn wrong(beside: &str) -> Vec<String> {
        let node = r#"{"apiVersion":"v1","kind":"Node","metadata":{"name":"a"},"status":{"conditions":[{"type":"Ready","status":"True"}]}}"#;
        let tests = format!(
            "signature: CF-0000\ntests:\n  - name: a\n    kind: near_miss\n    files: {{ a.json: '{node}' }}\n    \
             expect: [{{ entity: a, verdict: none, {beside} }}]\n"
        );
        let signature = include_str!("new.yaml").replace("  ruled_out: ready\n", "");
        let pack = Pack::of("new", vec![("a.tests.yaml".to_owned(), tests), ("a.yaml".to_owned(), signature)]);
        let library = Library::of(std::slice::from_ref(&pack)).expect("it loads");
        let ran = all(&[], &pack, &library, false);
        ran.into_iter().flat_map(|ran| ran.tested).flat_map(|one| one.wrong).collect()
    }

    #[test]
    fn what_stands_beside_the_verdict_none_is_checked() {
        assert_eq!(wrong("evidence: { not-ready: contradicts }"), Vec::<String>::new());
        insta::assert_snapshot!(wrong("evidence: { not-ready: supports }").join("\n"), @"a: expected not-ready to be supports, got contradicts");
        insta::assert_snapshot!(wrong("evidence: { ready-not: unknown }").join("\n"), @"a: the signature has no evidence ready-not");
        insta::assert_snapshot!(wrong("asks: [not-ready]").join("\n"), @"a: nothing asks for not-ready, where nothing is found");
    }

    #[test]
    fn tests_are_found_by_id_and_by_path() {
        let wanted = |only: &str, path: &str| is_wanted(&[only.to_owned()], path, "CF-2001");
        assert!(wanted("CF-2001", "etcd/no-leader.tests.yaml"));
        assert!(wanted("etcd/", "etcd/no-leader.tests.yaml"));
        assert!(!wanted("CF-200", "etcd/no-leader.tests.yaml"));
    }

    /// What `casefile new` writes, in two forms with a test of only one of them.
    fn in_forms() -> (Pack, Library) {
        let forms = "schema: 1\nforms: [{ id: CF-1, what: Node }, { id: CF-2, what: A node }]\n";
        let signature = include_str!("new.yaml").replace("id: CF-0000", "id: ${id}").replace("schema: 1\n", forms);
        let tests = include_str!("new.tests.yaml").replace("CF-0000", "${id}");
        let tests = tests.replacen("    kind: near_miss\n", "    kind: near_miss\n    forms: [CF-2]\n", 1);
        let files = vec![("a.tests.yaml".to_owned(), tests), ("a.yaml".to_owned(), signature)];
        let pack = Pack::of("new", files);
        let library = Library::of(std::slice::from_ref(&pack)).expect("it loads");
        (pack, library)
    }

    #[test]
    fn tests_run_in_each_form_unless_they_name_one() {
        let (pack, library) = in_forms();
        let kinds = |only: &[String]| -> Vec<String> {
            let ran = all(only, &pack, &library, false);
            assert!(ran.iter().all(|ran| ran.problems.is_empty()));
            let tested = ran.into_iter().flat_map(|ran| ran.tested);
            tested.map(|one| format!("{} {} {:?}", one.signature, one.kind, one.wrong)).collect()
        };
        let first = ["CF-1 confirmed []", "CF-1 ruled_out []", "CF-1 missing []"];
        let second = ["CF-2 confirmed []", "CF-2 ruled_out []", "CF-2 missing []", "CF-2 near_miss []"];
        assert_eq!(kinds(&[]), [first.as_slice(), &second].concat());
        assert_eq!(kinds(&["CF-2".to_owned()]), second);
        assert_eq!(kinds(&["a.tests".to_owned()]).len(), 7);
    }
}
