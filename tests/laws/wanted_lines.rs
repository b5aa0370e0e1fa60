//! The law of the wanted lines: a log keeps exactly the lines with a text that somebody looks for, with all of those
//! texts, whatever they are and wherever they stand.

use facts::origin::MemberId;
use intake::Limits;
use parse::scan::{Literals, scan};
use proptest::prelude::*;
use std::collections::BTreeSet;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]
    #[test]
    fn are_those_that_hold_a_literal(
        // Few letters, so that texts begin within each other, follow each other and stand at both ends of a line.
        literals in prop::collection::btree_set("[ab:]{3,10}", 1..20),
        shortest in 3..9usize,
        lines in prop::collection::vec("[ab: ]{0,60}", 1..40),
    ) {
        let literals: Vec<String> = literals.into_iter().filter(|text| text.len() >= shortest).collect();
        let wanted = Literals::new(literals.clone());
        let log = scan(MemberId(0), lines.join("\n").as_bytes(), &wanted, &Limits::default());
        let found: Vec<(u32, BTreeSet<&str>)> = log.hits.iter().map(|hit| {
            (hit.line, hit.literals.iter().filter_map(|id| wanted.text(*id)).collect())
        }).collect();
        let there: Vec<(u32, BTreeSet<&str>)> = (1u32..).zip(&lines).filter_map(|(number, line)| {
            let inside: BTreeSet<&str> =
                literals.iter().map(String::as_str).filter(|text| line.contains(*text)).collect();
            (!inside.is_empty()).then_some((number, inside))
        }).collect();
        prop_assert_eq!(found, there);
    }
}
