//! Are the tests of the signatures worth anything? Each signature is made wrong in one place, in every way that
//! [`operators`] knows. A test of it must then fail, or the company of another test must change what it says
//! ([`twins`]); if neither does, the place could be wrong and nobody would know.
//!
//! What no test kills stands in `survivors.txt`, one line each, and the list can only become shorter: a mutant that
//! survives and is not in it fails this test, and so does one that is in it and is killed. So do `unexercised.txt`
//! (what `casefile test --coverage` calls gaps) and `apart.txt` (tests that cannot stand beside each other). A line
//! may end in its reason after `#`; a survivor must. `CASEFILE_UPDATE=1 cargo test --test patterns mutations` writes the lists anew,
//! for reading in the diff.
//!
//! The signatures are read from `patterns/` when the tests run, so that who writes them need not compile. Beside
//! `CASEFILE_ONLY=CF-1001,CF-2003` only these are made wrong, and their survivors are printed;
//! `CASEFILE_PATTERNS=DIR` takes another folder.
#![expect(
    clippy::disallowed_methods,
    clippy::print_stdout,
    clippy::panic,
    reason = "whoever writes tests switches by environment variables, and reads what is printed; a pack that does not load says why"
)]

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
use std::sync::LazyLock;
use std::sync::atomic::{AtomicUsize, Ordering};

fn cases(pack: &Pack) -> Vec<Case> {
    pack.tests().flat_map(|(path, text)| tests_file::of_pack(pack, path, text).cases()).collect()
}

/// Where the signatures and their tests lie.
fn patterns() -> PathBuf {
    let built = || Path::new(env!("CARGO_MANIFEST_DIR")).join("patterns");
    std::env::var_os("CASEFILE_PATTERNS").map_or_else(built, PathBuf::from)
}

/// The signatures that somebody works on; none: all.
fn only() -> Vec<String> {
    let ids = std::env::var("CASEFILE_ONLY").unwrap_or_default();
    ids.split(',').map(str::trim).filter(|id| !id.is_empty()).map(str::to_owned).collect()
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
    /// What no test exercises, as lines of the list.
    gaps: Vec<String>,
}

fn of_signature(bench: &Bench<'_>, catalogue: &Catalogue, number: usize, cases: &[Case], meaning: &str) -> Result {
    let signature = &bench.library.signatures[number];
    let own: Vec<&Case> = cases.iter().filter(|case| case.signature == signature.id).collect();
    let (twins, apart) = twins::twins(bench, signature, &own, meaning);
    let mut result = Result::default();
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
    let gaps = tests.gaps(signature).into_iter();
    result.gaps = gaps.map(|gap| format!("{} {}", signature.id, gap.replace('\n', " "))).collect();
    result
}

/// All signatures, on all processors.
fn all() -> Vec<Result> {
    let pack = Pack::read(&patterns()).unwrap_or_else(|e| panic!("{e}"));
    let mut library = Library::of(std::slice::from_ref(&pack)).unwrap_or_else(|e| panic!("{e}"));
    let only = only();
    let catalogue = Catalogue::built_in();
    let cases = &cases(&pack);
    library.compared.extend(tests_file::looked_at(cases));
    let bench = &Bench::new(&library, &catalogue);
    let meanings = &meanings(&library);
    let next = &AtomicUsize::new(0);
    let work = || {
        let mut done = Vec::new();
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            let Some(meaning) = meanings.get(number) else { return done };
            let id = &bench.library.signatures[number].id;
            let wanted = only.is_empty() || only.iter().any(|wanted| id.as_str() == wanted);
            let of = || of_signature(bench, bench.catalogue, number, cases, meaning);
            done.push((number, if wanted { of() } else { Result::default() }));
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
    let root = patterns();
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
    out + &format!("{:14} {all:5} {lives:5}\n", "all")
}

/// What came of all signatures: the tests of this file look at it from several sides.
static ALL: LazyLock<Vec<Result>> = LazyLock::new(all);

/// Between a line of a list and the reason why it stays there, which is written by hand and kept.
const REASON: &str = "    # ";

/// Compares a list with its file, line by line and both ways: what is new is a loss, and what is gone must leave the
/// file, so that it never comes back unseen.
fn compare(name: &str, lines: &BTreeSet<String>, new: &str, gone: &str) {
    if !only().is_empty() {
        let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
        println!("{name}:\n{}\n", lines.join("\n"));
        return;
    }
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/patterns/mutations").join(name);
    let text = std::fs::read_to_string(&file).unwrap_or_default();
    let reasons: BTreeMap<&str, &str> = text.lines().filter_map(|line| line.split_once(REASON)).collect();
    let listed = text.lines().map(|line| line.split_once(REASON).map_or(line, |(line, _)| line).to_owned());
    let listed: BTreeSet<String> = listed.collect();
    if std::env::var("CASEFILE_UPDATE").is_ok() {
        let with_reason = |line: &String| match reasons.get(line.as_str()) {
            Some(reason) => format!("{line}{REASON}{reason}\n"),
            None => format!("{line}\n"),
        };
        let text: String = lines.iter().map(with_reason).collect();
        assert!(std::fs::write(&file, text).is_ok(), "{} cannot be written", file.display());
        return;
    }
    let more: Vec<&String> = lines.difference(&listed).collect();
    let less: Vec<&String> = listed.difference(lines).collect();
    assert!(more.is_empty(), "{new}:\n{more:#?}\n{}", table(&ALL));
    assert!(less.is_empty(), "{gone}; run with CASEFILE_UPDATE=1, which takes them out of {name}:\n{less:#?}");
}

#[test]
fn no_mutant_survives_but_those_that_are_listed() {
    let survivors = ALL.iter().flat_map(|result| &result.survivors).map(|(_, line)| line.clone()).collect();
    compare("survivors.txt", &survivors, "no test fails of these mutants", "these mutants are killed now");
}

#[test]
fn each_pair_of_tests_is_put_together_but_those_that_are_listed() {
    let apart = ALL.iter().flat_map(|result| &result.apart).map(|(line, times)| format!("{line} ({times})")).collect();
    compare("apart.txt", &apart, "these tests cannot be put together any more", "these tests can be put together now");
}

#[test]
fn nothing_is_unexercised_but_what_is_listed() {
    let gaps = ALL.iter().flat_map(|result| &result.gaps).cloned().collect();
    compare("unexercised.txt", &gaps, "no test exercises this any more", "this is exercised now");
}

/// The most that may survive of a hundred mutants; it may only become less.
const MOST_OF_A_HUNDRED: f64 = 1.0;

#[test]
fn each_survivor_has_its_reason() {
    let text = include_str!("survivors.txt");
    let bare: Vec<&str> = text.lines().filter(|line| !line.contains(REASON)).collect();
    assert!(bare.is_empty(), "say why no test can kill them, or write one:\n{}", bare.join("\n"));
}

#[test]
fn the_share_of_survivors_only_falls() {
    if !only().is_empty() {
        println!("{}", table(&ALL));
        return;
    }
    let (mutants, survivors) = ALL.iter().fold((0, 0), |(mutants, survivors), result| {
        (mutants + result.mutants.values().sum::<usize>(), survivors + result.survivors.len())
    });
    let share = 100.0 * survivors as f64 / mutants as f64;
    assert!(share <= MOST_OF_A_HUNDRED, "{share:.1} % of the mutants survive:\n{}", table(&ALL));
}
