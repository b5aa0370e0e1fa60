//! The tests of one signature with their facts: built once, asked of each mutant.
//!
//! Why: to read a bundle costs a hundred times what it costs to decide one signature on its facts.
//!
//! Invariants: a mutant never reads other literals or kinds than its signature, so its facts are the same; a test
//! that fails of the signature itself kills nothing.

use super::twins::Twin;
use catalogue::kinds::Catalogue;
use facts::store::Facts;
use selftest::bench::Bench;
use selftest::exercised::{Exercised, Seen};
use selftest::run;
use signature::load::Library;
use signature::model::Signature;
use signature::tests_file::Case;
use std::collections::BTreeSet;

/// A test and the facts of its bundle.
struct Kept<'a> {
    case: &'a Case,
    facts: Facts,
}

/// All tests of one signature.
pub(super) struct Tests<'a> {
    bench: &'a Bench<'a>,
    catalogue: &'a Catalogue,
    kept: Vec<Kept<'a>>,
    /// The same tests beside each other.
    twins: Vec<Twin>,
}

impl<'a> Tests<'a> {
    /// Reads the bundles of all tests of a signature.
    pub(super) fn of(
        bench: &'a Bench<'a>,
        catalogue: &'a Catalogue,
        signature: &Signature,
        cases: &[&'a Case],
        twins: Vec<Twin>,
    ) -> Self {
        let kept = cases.iter().map(|case| {
            let (whole, parts) = bench.collect_case(case, &BTreeSet::new());
            let gone = run::gone(case, &parts);
            let collected = if gone.is_empty() { whole } else { bench.collect_case(case, &gone).0 };
            Kept { case, facts: collected.facts }
        });
        let kept = kept.collect();
        let mut tests = Self { bench, catalogue, kept, twins };
        let library = alone(bench, signature);
        tests.kept = std::mem::take(&mut tests.kept).into_iter().filter(|kept| !tests.fails(&library, kept)).collect();
        tests
    }

    fn fails(&self, library: &Library, kept: &Kept<'_>) -> bool {
        let outcome = engine::evaluate(&kept.facts, library, self.catalogue, self.bench.literals());
        !run::unmet(self.bench, kept.case, &kept.facts, library, &outcome).is_empty()
    }

    /// What no test of the signature exercises, one line each.
    pub(super) fn gaps(&self, signature: &Signature) -> Vec<String> {
        let library = alone(self.bench, signature);
        let mut exercised = Exercised::none(signature);
        for kept in &self.kept {
            exercised.add(signature, &Seen::of(&kept.facts, &library, signature, self.bench.literals()));
        }
        exercised.gaps()
    }

    /// Does a test fail of a mutant?
    pub(super) fn kill(&self, mutant: &Signature) -> bool {
        let library = alone(self.bench, mutant);
        self.kept.iter().any(|kept| self.fails(&library, kept))
            || self.twins.iter().any(|twin| twin.is_disturbed(&library, self.bench.literals()))
    }
}

/// A library of one signature, which keeps what the others ask of it.
pub(super) fn alone(bench: &Bench<'_>, signature: &Signature) -> Library {
    let mut signature = signature.clone();
    signature.relations.clear();
    let compared = bench.library.compared.clone();
    Library { signatures: vec![signature], compared, ..Library::default() }
}
