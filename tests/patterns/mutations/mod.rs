//! Are the tests of the signatures worth anything? Each signature is made wrong in one place, in every way that
//! [`operators`] knows. A test of it must then fail, or the company of another test must change what it says
//! ([`twins`]); if neither does, the place could be wrong and nobody would know.
//!
//! What no test kills stands in `survivors.txt`, one line each, and the list can only become shorter: a mutant that
//! survives and is not in it fails this test, and so does one that is in it and is killed.
#![expect(clippy::disallowed_methods, reason = "the update switch of golden files is an environment variable")]

mod kept;
mod operators;
mod rename;
mod twins;

use catalogue::kinds::Catalogue;
use kept::Tests;
use operators::Operator;
use selftest::bench::Bench;
use signature::load::Library;
use signature::pack::Pack;
use signature::tests_file;
use signature::tests_file::Case;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

fn cases(pack: &Pack) -> Vec<Case> {
    pack.tests().flat_map(|(path, text)| tests_file::of_pack(pack, path, text).cases()).collect()
}

/// What became of the mutants of one signature.
#[derive(Default)]
struct Result {
    /// Of each operator: how many mutants there were.
    mutants: BTreeMap<Operator, usize>,
    /// The mutants that live, as lines of the list.
    survivors: Vec<(Operator, String)>,
    /// What could not be put together, as a line for each reason.
    apart: BTreeMap<String, usize>,
    twins: usize,
}

fn of_signature(bench: &Bench<'_>, catalogue: &Catalogue, number: usize, cases: &[Case], meaning: &str) -> Result {
    let signature = &bench.library.signatures[number];
    let own: Vec<&Case> = cases.iter().filter(|case| case.signature == signature.id).collect();
    let (twins, apart) = twins::twins(bench, signature, &own, meaning);
    let mut result = Result { twins: twins.len(), ..Result::default() };
    for (what, why) in apart {
        *result.apart.entry(format!("{} {what:?}: {}", signature.id, why.word())).or_default() += 1;
    }
    let tests = Tests::of(bench, catalogue, signature, &own, twins);
    let mut lines: BTreeMap<String, usize> = BTreeMap::new();
    for mutant in operators::mutants(signature) {
        *result.mutants.entry(mutant.operator).or_default() += 1;
        let line = format!("{} {} {}", signature.id, mutant.operator.word(), mutant.what.replace('\n', " "));
        let count = lines.entry(line.clone()).or_default();
        *count += 1;
        if !tests.kill(&mutant.signature) {
            let line = if *count > 1 { format!("{line} ({count})") } else { line };
            result.survivors.push((mutant.operator, line));
        }
    }
    result
}

/// All signatures, on all processors.
fn all() -> Vec<Result> {
    let pack = Pack::built_in();
    let library = Library::of(std::slice::from_ref(&pack)).unwrap_or_default();
    let catalogue = Catalogue::built_in();
    let (bench, cases) = (&Bench::new(&library, &catalogue), &cases(&pack));
    let meanings = &meanings(&library);
    let next = &AtomicUsize::new(0);
    let work = || {
        let mut done = Vec::new();
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            let Some(meaning) = meanings.get(number) else { return done };
            done.push((number, of_signature(bench, bench.catalogue, number, cases, meaning)));
        }
    };
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let mut results: Vec<(usize, Result)> = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        workers.into_iter().flat_map(|worker| worker.join().unwrap_or_default()).collect()
    });
    assert_eq!(results.len(), library.signatures.len(), "a worker failed");
    results.sort_by_key(|(number, _)| *number);
    results.into_iter().map(|(_, result)| result).collect()
}

/// Of each signature the text of its file, whose words mean something to it.
fn meanings(library: &Library) -> Vec<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("patterns");
    let read = |path: PathBuf| std::fs::read_to_string(path).unwrap_or_default();
    let common: String =
        ["sources.yaml", "products.yaml", "wordings.yaml"].into_iter().map(|file| read(root.join(file))).collect();
    let of = |file: &str| {
        let below = file.split_once("patterns/").map_or(file, |(_, below)| below);
        common.clone() + &read(root.join(below))
    };
    library.signatures.iter().map(|signature| of(&signature.file)).collect()
}

fn table(results: &[Result]) -> String {
    let mut out = String::new();
    let (mut all, mut lives) = (0, 0);
    for operator in Operator::ALL {
        let mutants: usize = results.iter().filter_map(|result| result.mutants.get(&operator)).sum();
        let survivors = results.iter().flat_map(|result| &result.survivors).filter(|(by, _)| *by == operator).count();
        out.push_str(&format!("{:14} {mutants:5} {survivors:5}\n", operator.word()));
        all += mutants;
        lives += survivors;
    }
    let percent = 100.0 * lives as f64 / all.max(1) as f64;
    out + &format!("{:14} {all:5} {lives:5} {percent:.1} %\n", "all")
}

#[test]
fn no_mutant_survives_but_those_that_are_listed() {
    let results = all();
    let survivors: BTreeSet<String> =
        results.iter().flat_map(|result| &result.survivors).map(|(_, line)| line.clone()).collect();
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/patterns/mutations/survivors.txt");
    if std::env::var("CASEFILE_UPDATE").is_ok() {
        let text: String = survivors.iter().map(|line| format!("{line}\n")).collect();
        assert!(std::fs::write(&file, text).is_ok(), "{} cannot be written", file.display());
        let apart: String = results
            .iter()
            .flat_map(|result| result.apart.iter())
            .map(|(line, times)| format!("{line} ({times})\n"))
            .collect();
        let twins: usize = results.iter().map(|result| result.twins).sum();
        let report = std::env::temp_dir().join("casefile-mutants.txt");
        assert!(std::fs::write(report, format!("{}{twins} twins\n{apart}", table(&results))).is_ok());
        return;
    }
    let listed = std::fs::read_to_string(&file).unwrap_or_default();
    let listed: BTreeSet<String> = listed.lines().map(str::to_owned).collect();
    let new: Vec<&String> = survivors.difference(&listed).collect();
    let killed: Vec<&String> = listed.difference(&survivors).collect();
    assert!(new.is_empty(), "no test fails of these mutants:\n{new:#?}\n{}", table(&results));
    assert!(killed.is_empty(), "these are killed now; take them out of {}:\n{killed:#?}", file.display());
}
