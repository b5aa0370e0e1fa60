//! Every built-in signature passes its own tests.

use catalogue::kinds::Catalogue;
use selftest::bench::Bench;
use selftest::run;
use signature::load::Library;
use signature::pack::Pack;
use signature::problem::Reporter;
use signature::tests_file;

#[test]
fn built_in_signatures_pass_their_tests() {
    let library = Library::built_in().expect("the built-in signatures are valid");
    let catalogue = Catalogue::built_in();
    let bench = Bench::new(&library, &catalogue);
    let mut failures = Vec::new();
    for (path, text) in Pack::built_in().tests() {
        let mut reporter = Reporter::new(path, text);
        let parsed = tests_file::parse(text, &mut reporter);
        failures.extend(reporter.finish().iter().map(|problem| problem.to_string()));
        for case in parsed.into_iter().flat_map(|(_, cases)| cases) {
            let problems = run::run(&bench, &case);
            failures.extend(problems.iter().map(|p| format!("{path}: {} ({}): {p}", case.name, case.kind.word())));
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}
