//! Steps of a remedy that are for some cases only.

use crate::bench::{Bench, signature};
use serde_json::{Value, json};

const EVIDENCE: &str = "
  - id: old
    role: hallmark
    claim: It is old
    object: { self: true, where: [{ path: spec.age, equals: old }] }
  - id: painted
    claim: 'It is painted [[{colour}|somehow]]'
    object: { self: true, where: [{ path: spec.colour, is_set: true }], capture: [{ path: spec.colour, as: colour }] }
  - id: locked
    claim: A lock holds it
    object: { kind: locks.example.org, join: [{ path: spec.of, is: $gate.name }] }
";

const STEPS: &str = "{ steps: [{ do: 'Scrape {colour} off.', when: painted }, { do: Oil it., unless: locked }, \
                     { do: Open it by hand., when: not painted and old, command: 'open -n {gate.spec.hand} {gate}' }], verify: [It is well.] }";

/// What a finding of a gate says to do, and its first command.
fn steps(spec: Value, lock: Option<&str>) -> (Vec<String>, Option<String>) {
    let gate = "entity:\n  name: gate\n  object: { kind: gates.example.org }\n";
    let text = signature("T-1", gate, EVIDENCE, "  confirmed: old")
        .replace("{ steps: [{ do: Nothing. }], verify: [It is well.] }", STEPS);
    let mut bench = Bench::new();
    bench.object("gates.example.org", json!({"metadata": {"name": "west"}, "spec": spec}));
    if let Some(of) = lock {
        bench.object("locks.example.org", json!({"metadata": {"name": "bolt"}, "spec": {"of": of}}));
    }
    let outcome = bench.run(&[&text]);
    let steps = outcome.findings.first().map(|finding| finding.remediation.steps.clone()).unwrap_or_default();
    let command = steps.iter().find_map(|step| step.command.clone());
    (steps.into_iter().map(|step| step.action).collect(), command)
}

#[test]
fn a_step_is_shown_where_it_applies_and_in_doubt_as_it_says() {
    let (painted, _) = steps(json!({"age": "old", "colour": "red"}), None);
    // Whether it is locked is not known: no list of locks was collected.
    assert_eq!(painted, ["Scrape red off.", "Oil it."]);
    let (bare, command) = steps(json!({"age": "old"}), None);
    assert_eq!(bare, ["Oil it.", "Open it by hand."]);
    assert_eq!(command.as_deref(), Some("open -n HAND west"), "what is not set is no value of a command");
    let (locked, _) = steps(json!({"age": "old", "colour": "red"}), Some("west"));
    assert_eq!(locked, ["Scrape red off."]);
}
