//! Are the tests of the signatures worth anything? Each piece of evidence is taken out of its signature in
//! turn, so that it is always unknown. A test of that signature must then fail; if none does, the evidence
//! could be wrong and nobody would know.

use catalogue::kinds::Catalogue;
use facts::kind::KindName;
use selftest::bench::Bench;
use signature::load::Library;
use signature::model::{ContextSelector, CountWanted, ObjectQuery, Query, Target};
use signature::pack::Pack;
use signature::tests_file;
use signature::tests_file::Case;

fn cases() -> Vec<Case> {
    let pack = Pack::built_in();
    pack.tests().flat_map(|(path, text)| tests_file::of_pack(&pack, path, text).cases()).collect()
}

/// A query that no bundle answers: its kind is one that nobody ever collects.
fn unanswered() -> Query {
    Query::Object(ObjectQuery {
        target: Target::Kinds(vec![KindName::parse("nothings.mutation.casefile.dev")]),
        context: ContextSelector::Own,
        joins: Vec::new(),
        filter: Vec::new(),
        tied: Vec::new(),
        count: CountWanted { min: 1, max: None },
        captures: Vec::new(),
        differs: Vec::new(),
        each: None,
        show: Vec::new(),
    })
}

#[test]
fn each_piece_of_evidence_is_held_by_a_test() {
    let library = Library::built_in().expect("the built-in signatures load");
    let catalogue = Catalogue::built_in();
    let bench = Bench::new(&library, &catalogue);
    let cases = cases();
    let mut survivors = Vec::new();
    for (number, signature) in library.signatures.iter().enumerate() {
        // A test that fails anyway would prove nothing.
        let passes = |case: &&Case| selftest::run::run(&bench, case).is_empty();
        let own: Vec<&Case> = cases.iter().filter(|case| case.signature == signature.id).filter(passes).collect();
        for (index, evidence) in signature.evidence.iter().enumerate() {
            let mut mutant = Library { signatures: library.signatures.clone(), ..Library::default() };
            mutant.signatures[number].evidence[index].query = unanswered();
            let bench = Bench::new(&mutant, &catalogue);
            // The tests that speak of it first: they fail soonest.
            let speaks = |case: &&&Case| case.expect.iter().any(|expect| expect.evidence.contains_key(&evidence.id));
            let (first, then): (Vec<&Case>, Vec<&Case>) = own.iter().partition(|case| speaks(case));
            let killed = first.into_iter().chain(then).any(|case| !selftest::run::run(&bench, case).is_empty());
            if !killed {
                survivors.push(format!("{} {}", signature.id, evidence.id));
            }
        }
    }
    assert!(survivors.is_empty(), "no test fails without this evidence:\n{}", survivors.join("\n"));
}
