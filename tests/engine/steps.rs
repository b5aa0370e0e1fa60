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

/// A finding of a gate with these locks, and the commands that it shows.
fn commands(steps: &str, kind: &str, locks: &[(&str, &str)]) -> Vec<String> {
    let bolts = "let:\n  - name: bolts\n    object: { kind: locks.example.org, join: [{ path: spec.of, is: $gate.name }], \
                 capture: [{ path: metadata.name, as: bolt }, { path: spec.key, as: key }] }\n\n";
    let bolts = if steps.contains("{bolt}") { bolts } else { "" };
    let gate = format!("{bolts}entity:\n  name: gate\n  object: {{ kind: gates.example.org }}\n");
    let old = EVIDENCE.split("  - id: painted").next().unwrap_or_default();
    let text = signature("T-1", &gate, old, "  confirmed: old")
        .replace("{ steps: [{ do: Nothing. }], verify: [It is well.] }", steps);
    let mut bench = Bench::new();
    let gate = json!({"metadata": {"name": "west"}, "spec": {"age": "old", "kind": kind}});
    bench.object("gates.example.org", gate);
    for (name, key) in locks {
        let lock = json!({"metadata": {"name": name}, "spec": {"of": "west", "key": key}});
        bench.object("locks.example.org", lock);
    }
    let outcome = bench.run(&[&text]);
    let steps = outcome.findings.into_iter().flat_map(|finding| finding.remediation.steps);
    steps.filter_map(|step| step.command).collect()
}

#[test]
fn a_step_is_left_out_where_a_field_of_the_entity_says_that_it_is_for_others() {
    let steps = "{ steps: [{ do: Lift., command: lift, where: [{ path: spec.kind, equals: portcullis }] }, \
                 { do: Swing., command: swing, where: [{ path: spec.kind, in: [door, wicket] }] }, \
                 { do: Ask., command: ask, where: [{ path: status.guard, equals: asleep }] }], verify: [It is well.] }";
    // The whole object was read, so what is not set is known not to be it.
    assert_eq!(commands(steps, "door", &[]), ["swing"]);
    assert_eq!(commands(steps, "portcullis", &[]), ["lift"]);
    let unlike = commands(steps, "sluice", &[]);
    assert_eq!(unlike, ["lift", "swing", "ask"], "where no step is left, all are shown");
}

#[test]
fn a_command_is_filled_in_with_what_was_found_together_and_changes_nothing_that_nobody_chose() {
    let steps = |risk: &str| {
        let step = "{ do: Open., when: bolts, command: 'open {bolt} --with {key}'";
        format!("{{ steps: [{step}, risk: {risk} }}, {{ do: Wait., command: wait }}], verify: [It is well.] }}")
    };
    let two = [("a", "brass"), ("b", "iron; rm -rf /")];
    assert_eq!(commands(&steps("safe"), "door", &[]), ["wait"], "a step for what was not found");
    assert_eq!(commands(&steps("destructive"), "door", &two[..1]), ["open a --with brass", "wait"]);
    let safe = commands(&steps("safe"), "door", &two);
    assert_eq!(safe, ["open a --with brass\nopen b --with 'iron; rm -rf /'", "wait"]);
    let other = commands(&steps("destructive"), "door", &two);
    assert_eq!(other, ["open BOLT --with KEY\n# BOLT=a KEY=brass\n# BOLT=b KEY='iron; rm -rf /'", "wait"]);
    let many: Vec<(&str, &str)> = ["a", "b", "c", "d", "e"].map(|name| (name, "k")).into();
    assert!(commands(&steps("safe"), "door", &many).iter().any(|command| command.ends_with("\n# and 2 more")));
}

#[test]
fn of_steps_for_causes_that_nobody_said_only_those_are_shown_that_fit_all_or_are_safe() {
    let step = |name: &str, said: &str, risk: &str| {
        let said = if said.is_empty() { String::new() } else { format!("said: '{said}', ") };
        format!("{{ do: Do., {said}command: {name}, risk: {risk} }}")
    };
    let shown = |steps: &[String]| {
        let steps = format!("{{ steps: [{}], verify: [It is well.] }}", steps.join(", "));
        commands(&steps, "door", &[])
    };
    let (rust, moss) = (step("grind", "rust", "disruptive"), step("brush", "moss", "safe"));
    let (look, old) = (step("look", "", "safe"), step("replace", "old", "destructive"));
    assert_eq!(shown(&[rust.clone(), moss.clone(), look.clone()]), ["look"], "one fits all causes");
    assert_eq!(shown(&[rust.clone(), moss.clone()]), ["brush"], "one is safe");
    assert_eq!(shown(&[rust.clone(), step("drill", "ice", "disruptive")]), ["grind", "drill"], "none is");
    assert_eq!(shown(&[rust, moss, old, look]), ["replace", "look"], "it is known which it is");
}

#[test]
fn what_does_not_help_is_told_where_it_applies() {
    let told = |spec: Value, lock: Option<&str>| {
        let remedy = "{ steps: [{ do: Wait. }], verify: [It is well.], does_not_help: [\
                      { action: Paint it., because: It is., when: painted }, { action: Turn the key., because: None., unless: locked }], \
                      do_not: [{ action: Kick it., because: It is of glass., where: [{ path: spec.of, equals: glass }] }] }";
        let gate = "entity:\n  name: gate\n  object: { kind: gates.example.org }\n";
        let text = signature("T-1", gate, EVIDENCE, "  confirmed: old")
            .replace("{ steps: [{ do: Nothing. }], verify: [It is well.] }", remedy);
        let mut bench = Bench::new();
        bench.object("gates.example.org", json!({"metadata": {"name": "west"}, "spec": spec}));
        if let Some(of) = lock {
            bench.object("locks.example.org", json!({"metadata": {"name": "bolt"}, "spec": {"of": of}}));
        }
        let outcome = bench.run(&[&text]);
        let remedies = outcome.findings.into_iter().map(|finding| finding.remediation);
        let all = remedies.flat_map(|remedy| remedy.does_not_help.into_iter().chain(remedy.do_not));
        all.map(|advice| advice.action).collect::<Vec<_>>()
    };
    assert_eq!(
        told(json!({"age": "old", "colour": "red", "of": "glass"}), None),
        ["Paint it.", "Turn the key.", "Kick it."]
    );
    assert_eq!(told(json!({"age": "old", "of": "iron"}), None), ["Turn the key."]);
    assert_eq!(told(json!({"age": "old", "of": "iron"}), Some("west")), Vec::<String>::new());
}

/// A gate that is stuck because of its lock, which is found for certain or not.
fn follows(certain: bool) -> (Vec<usize>, usize) {
    let remedy =
        "{ steps: [{ do: Wait. }], verify: [It is well.], does_not_help: [{ action: Push., because: It is locked. }] }";
    let gate = "entity:\n  name: gate\n  object: { kind: gates.example.org }\n";
    let lock = "entity:\n  name: lock\n  object: { kind: locks.example.org }\n";
    let stuck = "\n  - id: stuck\n    role: hallmark\n    claim: It is stuck\n    object: { self: true, where: [{ path: spec.stuck, equals: true }] }\n  \
                 - id: guard\n    claim: A guard is there\n    object: { kind: guards.example.org }\n    collect: { on: cluster, run: kubectl get guards }\n";
    let shut = "\n  - id: shut\n    role: hallmark\n    claim: It is shut\n    object: { self: true, where: [{ path: spec.shut, equals: true }] }\n";
    let plain = "{ steps: [{ do: Nothing. }], verify: [It is well.] }";
    let effect =
        signature("T-1", gate, stuck, "  confirmed: stuck and guard\n  probable: stuck").replace(plain, remedy);
    let verdict = if certain { "  confirmed: shut" } else { "  confirmed: shut and not shut\n  probable: shut" };
    let cause = signature("T-2", lock, shut, verdict).replace(plain, remedy)
        + "\nrelations:\n  - { kind: causes, to: T-1, match: { $lock.spec.of: $gate.name } }\n";
    let mut bench = Bench::new();
    bench.object("gates.example.org", json!({"metadata": {"name": "west"}, "spec": {"stuck": true}}));
    bench.object("locks.example.org", json!({"metadata": {"name": "bolt"}, "spec": {"of": "west", "shut": true}}));
    let outcome = bench.run(&[&effect, &cause]);
    assert_eq!(outcome.findings.iter().map(|finding| finding.caused_by).collect::<Vec<_>>(), [None, Some(0)]);
    (outcome.findings.iter().map(|finding| finding.remediation.does_not_help.len()).collect(), outcome.asks.len())
}

#[test]
fn what_follows_tells_no_vain_step_and_asks_only_where_its_cause_is_not_certain() {
    assert_eq!(follows(true), (vec![1, 0], 0));
    assert_eq!(follows(false), (vec![1, 0], 1));
}
