//! Every built-in signature passes its own tests.

use catalogue::kinds::Catalogue;
use catalogue::sources::Sources;
use selftest::bench::Bench;
use selftest::run;
use signature::load::Library;
use signature::pack::Pack;
use signature::tests_file;

#[test]
fn built_in_signatures_pass_their_tests() {
    let mut library = Library::built_in().expect("the built-in signatures are valid");
    let catalogue = Catalogue::built_in();
    let mut failures = Vec::new();
    let pack = Pack::built_in();
    let mut all = Vec::new();
    for (path, text) in pack.tests() {
        let tests = tests_file::of_pack(&pack, path, text);
        failures.extend(tests.problems.iter().map(ToString::to_string));
        all.push((path, tests.cases().collect::<Vec<_>>()));
    }
    library.compared.extend(tests_file::looked_at(all.iter().flat_map(|(_, cases)| cases)));
    let bench = Bench::new(&library, &catalogue);
    for (path, cases) in all {
        for case in cases {
            let problems = run::run(&bench, &case);
            let (id, kind) = (&case.signature, case.kind.word());
            failures.extend(problems.iter().map(|p| format!("{path}: {id} {} ({kind}): {p}", case.name)));
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[test]
fn logs_by_which_products_are_recognised_are_classes_of_logs() {
    let classes: Vec<&str> = Sources::built_in().class_names().collect();
    let products = Catalogue::built_in().products;
    let mut named = products.iter().flat_map(|product| &product.sources).peekable();
    assert!(named.peek().is_some(), "no product is recognised by its logs");
    for source in named {
        assert!(classes.contains(&source.as_str()), "{source} is no class of sources.yaml");
    }
}
