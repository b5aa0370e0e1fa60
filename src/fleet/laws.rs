//! What must hold for any rows.

use crate::gather::Gathered;
use crate::wanted::Wanted;
use jiff::Timestamp;
use proptest::prelude::*;
use tables::Cell;

fn id(number: u8) -> Cell {
    Cell::Text(format!("{number:064x}"))
}

fn text(text: &str) -> Cell {
    Cell::Text(text.to_owned())
}

fn day() -> impl Strategy<Value = Cell> {
    prop_oneof![
        Just(Cell::Null),
        (0..40_i64).prop_map(|day| Cell::Time(Timestamp::from_second(1_770_000_000 + day * 86_400).unwrap())),
    ]
}

/// A row of one of the tables, about one of few bundles, so that rows meet.
fn row() -> impl Strategy<Value = (Wanted, Vec<Cell>)> {
    let few = 0..6_u8;
    let bundle = (few.clone(), "[ab]", day(), 0..3_i64).prop_map(|(n, name, as_of, objects)| {
        (Wanted::Bundles, vec![id(n), text(&name), as_of, Cell::Number(objects)])
    });
    let words = ["confirmed", "probable", "resolved", "undecided"];
    let finding = (few.clone(), 0..4_i64, 0..3_u8, 0..words.len(), "[xy]", day(), "[a-c]{0,2}", "[tu]").prop_map(
        move |(n, index, signature, verdict, context, since, by, title)| {
            let severity = if index == 3 { "info" } else { "high" };
            let signature = format!("CF-{signature}");
            let cells = [&signature, &title, severity, words[verdict], &context].map(text);
            let rest = [since, text(&by)];
            (Wanted::Findings, [id(n), Cell::Number(index)].into_iter().chain(cells).chain(rest).collect())
        },
    );
    let version = (few.clone(), "[xy]", proptest::option::of("v[12]")).prop_map(|(n, context, version)| {
        (Wanted::Versions, vec![id(n), text(&context), text("Kubernetes"), Cell::from(version)])
    });
    let input = ("[a-e]", proptest::option::of(few.clone()), 0..4_i64, "[m-p]").prop_map(|(file, n, code, said)| {
        (Wanted::Inputs, vec![text(&file), n.map_or(Cell::Null, id), Cell::Number(code), text(&said)])
    });
    let coverage = (few, "[kl]", prop_oneof![Just("error"), Just("complete")])
        .prop_map(|(n, kind, state)| (Wanted::Coverage, vec![id(n), text(&kind), text(state)]));
    prop_oneof![bundle, finding, version, input, coverage]
}

fn fleet(files: &[(Wanted, Vec<Vec<Cell>>)]) -> crate::Fleet {
    let mut gathered = Gathered::default();
    for (table, rows) in files {
        gathered.take(*table, rows.clone()).unwrap();
    }
    gathered.fleet()
}

proptest! {
    // What fails is printed; a file of it would lie between the rooms.
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn neither_the_order_of_rows_nor_how_they_are_split_nor_a_second_copy_matters(
        (rows, shuffled) in proptest::collection::vec(row(), 0..60)
            .prop_flat_map(|rows| (Just(rows.clone()), Just(rows).prop_shuffle())),
        again in 0..60_usize,
    ) {
        let whole: Vec<_> = Wanted::ALL
            .into_iter()
            .map(|table| (table, rows.iter().filter(|row| row.0 == table).map(|row| row.1.clone()).collect()))
            .collect();
        let mut split: Vec<_> = shuffled.into_iter().map(|(table, row)| (table, vec![row])).collect();
        split.extend(split.get(again).cloned());
        prop_assert_eq!(fleet(&whole), fleet(&split));
    }

    #[test]
    fn the_numbers_agree(rows in proptest::collection::vec(row(), 0..80)) {
        let files: Vec<_> = rows.into_iter().map(|(table, row)| (table, vec![row])).collect();
        let fleet = fleet(&files);
        prop_assert!(fleet.with_findings <= fleet.bundles && fleet.without_time <= fleet.bundles);
        prop_assert!(fleet.failed + fleet.again <= fleet.files);
        prop_assert_eq!(fleet.failures.len() as u64, fleet.failed);
        for row in &fleet.findings {
            prop_assert_eq!(row.bundles, row.confirmed + row.probable);
            prop_assert!(row.first_of <= row.bundles && row.bundles + row.resolved <= fleet.bundles);
            prop_assert!(!row.new || fleet.last_week_from.is_some());
        }
        let leads: u64 = fleet.findings.iter().map(|row| row.first_of).sum();
        prop_assert_eq!(leads, fleet.with_findings);
        prop_assert!(fleet.alike.iter().all(|row| row.bundles > 1));
    }
}
