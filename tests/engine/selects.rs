//! Objects that are tied by a selector and labels.

use crate::bench::{Bench, evidence, signature};
use facts::coverage::Basis;
use facts::object::Form;
use proptest::prelude::*;
use serde_json::{Value, json};
use signature::evidence_state::EvidenceState;
use signature::model::VerdictWord;

const MONITORS: &str = "servicemonitors.monitoring.coreos.com";
const PROMETHEUSES: &str = "prometheuses.monitoring.coreos.com";

/// Of a monitor: which Prometheus selects it, and which Services it selects.
fn about_monitors() -> String {
    let evidence = "
  - id: by-none
    role: hallmark
    expect: absent
    claim: No Prometheus selects {monitor}
    object:
      kind: prometheuses.monitoring.coreos.com
      selects: [{ selector: spec.serviceMonitorSelector, labels: $monitor.metadata.labels }]
  - id: services
    claim: '{count} Services are selected: {service}'
    object:
      kind: services
      same_namespace: true
      selects: [{ selector: $monitor.spec.selector, labels: metadata.labels }]
      capture: [{ path: metadata.name, as: service }]
";
    let entity = format!("entity:\n  name: monitor\n  object: {{ kind: {MONITORS} }}\n");
    signature("T-1", &entity, evidence, "  confirmed: by-none\n  ruled_out: not by-none")
}

fn monitor(labels: Value, selector: Value) -> Value {
    let metadata = json!({"name": "cart", "namespace": "shop", "labels": labels});
    json!({"metadata": metadata, "spec": {"selector": selector}})
}

fn prometheus(selector: Value) -> Value {
    let spec = if selector.is_null() { json!({}) } else { json!({"serviceMonitorSelector": selector}) };
    json!({"metadata": {"name": "main", "namespace": "monitoring"}, "spec": spec})
}

fn service(name: &str, labels: Value) -> Value {
    json!({"metadata": {"name": name, "namespace": "shop", "labels": labels}})
}

/// What is said of a monitor with the label `release: main`, a Prometheus having this selector.
fn verdict_of(selector: Value) -> VerdictWord {
    let mut bench = Bench::new();
    bench.object(MONITORS, monitor(json!({"release": "main"}), json!({})));
    bench.object(PROMETHEUSES, prometheus(selector));
    bench.listed(PROMETHEUSES, Basis::Stated);
    let outcome = bench.run(&[&about_monitors()]);
    outcome.findings[0].verdict
}

#[test]
fn all_requirements_of_a_selector_hold_together() {
    use VerdictWord::{Confirmed, RuledOut};
    let expressed = |key: &str, operator: &str, values: &[&str]| json!({"matchExpressions": [{"key": key, "operator": operator, "values": values}]});
    for (selector, wanted) in [
        (json!({"matchLabels": {"release": "main"}}), RuledOut),
        (json!({"matchLabels": {"release": "other"}}), Confirmed),
        (json!({"matchLabels": {"Release": "main"}}), Confirmed),
        (json!({"matchLabels": {"release": "main", "team": "a"}}), Confirmed),
        (json!({"release": "main"}), RuledOut),
        (json!({"release": "other"}), Confirmed),
        (json!({}), RuledOut),
        (json!({"matchLabels": {}}), RuledOut),
        (json!(null), Confirmed),
        (expressed("release", "In", &["other", "main"]), RuledOut),
        (expressed("release", "In", &["other"]), Confirmed),
        (expressed("release", "NotIn", &["other"]), RuledOut),
        (expressed("release", "NotIn", &["main"]), Confirmed),
        (expressed("team", "In", &["a"]), Confirmed),
        (expressed("team", "NotIn", &["a"]), RuledOut),
        (expressed("release", "Exists", &[]), RuledOut),
        (expressed("team", "Exists", &[]), Confirmed),
        (expressed("team", "DoesNotExist", &[]), RuledOut),
        (expressed("release", "DoesNotExist", &[]), Confirmed),
        (
            json!({"matchLabels": {"release": "main"}, "matchExpressions": [{"key": "release", "operator": "DoesNotExist"}]}),
            Confirmed,
        ),
    ] {
        assert_eq!(verdict_of(selector.clone()), wanted, "{selector}");
    }
}

#[test]
fn what_is_not_known_of_a_selector_or_of_labels_decides_nothing() {
    let state = |change: &dyn Fn(&mut Bench)| {
        let mut bench = Bench::new();
        bench.object(MONITORS, monitor(json!({"release": "main"}), json!({})));
        change(&mut bench);
        bench.listed(PROMETHEUSES, Basis::Stated);
        let outcome = bench.run(&[&about_monitors()]);
        // What is suspected of nothing is no finding.
        outcome.findings.first().map_or(EvidenceState::Unknown, |finding| evidence(finding, "by-none").state)
    };
    // An operator, and a form, that nobody knows.
    for selector in [json!({"matchExpressions": [{"key": "a", "operator": "Gt"}]}), json!({"matchLabels": {"a": {}}})] {
        let odd = |bench: &mut Bench| {
            bench.object(PROMETHEUSES, prometheus(selector.clone()));
        };
        assert_eq!(state(&odd), EvidenceState::Unknown, "{selector}");
    }
    // A table does not show the selector; a generic description prints its keys in title case.
    let of_table = |bench: &mut Bench| bench.row(PROMETHEUSES, prometheus(json!(null)), &["metadata.name"]);
    assert_eq!(state(&of_table), EvidenceState::Unknown);
    let described = |bench: &mut Bench| {
        let object = bench.object(PROMETHEUSES, prometheus(json!({"matchLabels": {"Release": "main"}})));
        object.sightings[0].record.form = Form::Describe;
    };
    assert_eq!(state(&described), EvidenceState::Unknown);
    // One that surely selects it is enough, whatever else there is.
    let both = |bench: &mut Bench| {
        of_table(bench);
        let mut other = prometheus(json!({"matchLabels": {"release": "main"}}));
        other["metadata"]["name"] = json!("other");
        bench.object(PROMETHEUSES, other);
    };
    assert_eq!(state(&both), EvidenceState::Contradicts);
}

#[test]
fn the_selector_of_the_entity_chooses_among_many() {
    let mut bench = Bench::new();
    bench.object(MONITORS, monitor(json!({}), json!({"matchLabels": {"app": "a-7", "tier": "web"}})));
    for number in 0..300 {
        let tier = if number % 2 == 0 { "web" } else { "db" };
        bench.object(
            "services",
            service(&format!("s-{number}"), json!({"app": format!("a-{}", number % 50), "tier": tier})),
        );
    }
    bench.object(
        "services",
        json!({"metadata": {"name": "elsewhere", "namespace": "bank", "labels": {"app": "a-7", "tier": "web"}}}),
    );
    bench.listed("services", Basis::Stated);
    bench.listed(PROMETHEUSES, Basis::Stated);
    let none = bench.run(&[&about_monitors()]);
    // 7, 57, 107, ... are odd, so all of them are databases.
    assert_eq!(evidence(&none.findings[0], "services").state, EvidenceState::Contradicts);
    bench.object("services", service("the-one", json!({"app": "a-7", "tier": "web", "more": "x"})));
    let one = bench.run(&[&about_monitors()]);
    assert_eq!(evidence(&one.findings[0], "services").claim, "1 Services are selected: the-one");
}

fn some_labels() -> impl Strategy<Value = Value> {
    let label = || prop::option::of(prop::sample::select(vec!["x", "y"]));
    (label(), label()).prop_map(|(a, b)| {
        let mut labels = json!({});
        for (key, value) in [("a", a), ("b", b)] {
            if let Some(value) = value {
                labels[key] = json!(value);
            }
        }
        labels
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Sorting many by their labels loses none and adds none: two hundred are answered as each of them alone is.
    #[test]
    fn many_are_answered_as_each_alone(
        own in some_labels(), expressed in any::<bool>(), each in prop::collection::vec((some_labels(), any::<bool>()), 1..6),
    ) {
        let selector = |labels: &Value| match expressed {
            true => json!({"matchLabels": labels, "matchExpressions": [{"key": "b", "operator": "Exists"}]}),
            false => json!({"matchLabels": labels}),
        };
        let counted = |times: usize| {
            let mut bench = Bench::new();
            bench.object(MONITORS, monitor(json!({}), selector(&own)));
            for (number, (labels, shown)) in (0..times).flat_map(|_| each.clone()).enumerate() {
                let name = format!("s-{number}");
                // A row of a table shows no labels.
                let row = || json!({"metadata": {"name": name, "namespace": "shop"}});
                match shown {
                    true => {
                        bench.object("services", service(&name, labels));
                    }
                    false => bench.row("services", row(), &["metadata.name", "metadata.namespace"]),
                }
            }
            bench.listed("services", Basis::Stated);
            bench.listed(PROMETHEUSES, Basis::Stated);
            let outcome = bench.run(&[&about_monitors()]);
            let row = evidence(&outcome.findings[0], "services").clone();
            let number: usize = row.claim.split(' ').next().and_then(|word| word.parse().ok()).unwrap_or_default();
            (row.state, number)
        };
        let ((state, one), (of_many, many)) = (counted(1), counted(200));
        prop_assert_eq!(state, of_many);
        prop_assert_eq!(one * 200, many);
    }
}
