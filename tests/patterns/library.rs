//! Every built-in signature passes its own tests.

use catalogue::kinds::Catalogue;
use selftest::bench::Bench;
use selftest::run;
use signature::load::Library;
use signature::pack::Pack;
use signature::tests_file;

#[test]
fn built_in_signatures_pass_their_tests() {
    let library = Library::built_in().expect("the built-in signatures are valid");
    let catalogue = Catalogue::built_in();
    let bench = Bench::new(&library, &catalogue);
    let mut failures = Vec::new();
    let pack = Pack::built_in();
    for (path, text) in pack.tests() {
        let tests = tests_file::of_pack(&pack, path, text);
        failures.extend(tests.problems.iter().map(ToString::to_string));
        for case in tests.cases() {
            let problems = run::run(&bench, &case);
            let (id, kind) = (&case.signature, case.kind.word());
            failures.extend(problems.iter().map(|p| format!("{path}: {id} {} ({kind}): {p}", case.name)));
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}
