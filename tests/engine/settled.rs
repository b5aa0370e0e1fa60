//! Entities that the first answers settle.

use crate::bench::{Bench, MACHINES, signature};
use facts::coverage::Basis;
use proptest::prelude::*;
use serde_json::{Map, json};
use signature::model::VerdictWord;

/// Evidence of each sort that may be asked before the others, or may not: of the entity alone, of what another one
/// captured, of other objects.
fn about_machines() -> String {
    let evidence = "
  - id: failed
    role: hallmark
    claim: It failed
    object: { self: true, where: [{ path: status.phase, equals: Failed }], capture: [{ path: spec.peer, as: peer }] }
  - id: peer-fails
    claim: '{peer} fails too'
    object:
      kind: machines.cluster.x-k8s.io
      join: [{ path: metadata.name, is: $peer }]
      where: [{ path: status.phase, equals: Failed }]
  - id: paused
    claim: It is paused
    object: { self: true, where: [{ path: spec.paused, equals: true }] }
  - id: deleted
    claim: It is deleted
    object: { self: true, where: [{ path: spec.deleted, equals: true }] }
";
    let entity = format!("entity:\n  name: machine\n  object: {{ kind: {MACHINES} }}\n");
    let verdict = "  confirmed: failed and peer-fails\n  probable: failed\n  ruled_out: paused and deleted";
    signature("T-1", &entity, evidence, verdict)
}

/// What is shown of a Machine: its phase, its peer, whether it is paused and deleted.
type Shown = (Option<&'static str>, Option<usize>, Option<bool>, Option<bool>);

fn some_machine() -> impl Strategy<Value = Shown> {
    let flag = || prop::option::of(any::<bool>());
    (prop::option::of(prop::sample::select(vec!["Failed", "Running"])), prop::option::of(0..6_usize), flag(), flag())
}

fn machines(bench: &mut Bench, all: &[Shown]) {
    for (number, (phase, peer, paused, deleted)) in all.iter().enumerate() {
        let (mut spec, mut status) = (Map::new(), Map::new());
        let mut paths = vec!["metadata.name"];
        if let Some(phase) = phase {
            status.insert("phase".to_owned(), json!(phase));
            paths.push("status.phase");
        }
        if let Some(peer) = peer {
            spec.insert("peer".to_owned(), json!(format!("m-{peer}")));
            paths.push("spec.peer");
        }
        for (name, path, flag) in [("paused", "spec.paused", paused), ("deleted", "spec.deleted", deleted)] {
            if let Some(flag) = flag {
                spec.insert(name.to_owned(), json!(flag));
                paths.push(path);
            }
        }
        let body = json!({"metadata": {"name": format!("m-{number}")}, "spec": spec, "status": status});
        // What a row does not show is unknown.
        bench.row(MACHINES, body, &paths);
    }
    bench.listed(MACHINES, Basis::Stated);
}

/// The verdict of each Machine that has one.
fn verdicts(bench: &Bench) -> Vec<(String, VerdictWord)> {
    let outcome = bench.run(&[&about_machines()]);
    let mut all: Vec<(String, VerdictWord)> =
        outcome.findings.into_iter().map(|finding| (finding.entity.name, finding.verdict)).collect();
    all.sort();
    all
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    /// What settled one entity is asked first of the next, and says no more of that one: in whatever order they stand, each
    /// has the verdict that it has in any other.
    #[test]
    fn who_stands_before_an_entity_changes_nothing(all in prop::collection::vec(some_machine(), 6)) {
        let mut bench = Bench::new();
        machines(&mut bench, &all);
        // Entities are decided in the order of their names, so other names are another order.
        let mut turned = Bench::new();
        let last = all.len() - 1;
        let other = |number: usize| last - number;
        let reversed: Vec<Shown> =
            all.iter().rev().map(|(phase, peer, paused, deleted)| (*phase, peer.map(other), *paused, *deleted)).collect();
        machines(&mut turned, &reversed);
        let mut found: Vec<(String, VerdictWord)> = verdicts(&turned)
            .into_iter()
            .map(|(name, verdict)| {
                let number: usize = name.trim_start_matches("m-").parse().unwrap_or_default();
                (format!("m-{}", other(number)), verdict)
            })
            .collect();
        found.sort();
        prop_assert_eq!(verdicts(&bench), found);
    }

    /// Among so many that objects are looked up by what they say, each has the verdict that it has among few.
    #[test]
    fn many_that_are_well_change_nothing(few in prop::collection::vec(some_machine(), 6)) {
        let well = || std::iter::repeat_n((Some("Running"), None, Some(false), Some(false)), 300);
        let all: Vec<Shown> = few.iter().copied().chain(well()).collect();
        let (mut alone, mut among) = (Bench::new(), Bench::new());
        machines(&mut alone, &few);
        machines(&mut among, &all);
        prop_assert_eq!(verdicts(&alone), verdicts(&among));
    }
}
