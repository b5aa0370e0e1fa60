//! Values compared with other values: with another path of the object, with a variable, and with known wordings.

use crate::bench::{Bench, CLUSTERS, MACHINES, about_clusters, evidence};
use serde_json::json;
use signature::evidence_state::EvidenceState;
use signature::evidence_state::EvidenceState::{Contradicts, Supports, Unknown};

/// One piece of evidence about the Cluster itself for each test.
fn compared(test: &str) -> String {
    format!(
        "
  - id: compared
    role: hallmark
    claim: They compare so
    object:
      self: true
      where: [{{ {test} }}]
"
    )
}

/// What a test says of a Cluster with this `spec`.
fn says(test: &str, spec: serde_json::Value) -> Option<EvidenceState> {
    let mut bench = Bench::new();
    bench.object(CLUSTERS, json!({"metadata": {"name": "a"}, "spec": spec}));
    state(&bench, &compared(test))
}

/// The state of `compared`; `None` where the signature comes to nothing.
fn state(bench: &Bench, evidence_text: &str) -> Option<EvidenceState> {
    let outcome = bench.run(&[&about_clusters(evidence_text, "  confirmed: compared\n  ruled_out: not compared")]);
    Some(evidence(outcome.findings.first()?, "compared").state)
}

#[test]
fn a_value_is_or_is_not_that_at_another_path() {
    let (same, differs) = ("path: spec.a, same_as: spec.b", "path: spec.a, differs_from: spec.b");
    let alike = json!({"a": "v1.34.0", "b": "v1.34.0"});
    let apart = json!({"a": "v1.34.0", "b": "v1.33.0"});
    assert_eq!(says(same, alike.clone()), Some(Supports));
    assert_eq!(says(differs, alike), Some(Contradicts));
    assert_eq!(says(same, apart.clone()), Some(Contradicts));
    assert_eq!(says(differs, apart), Some(Supports));
}

#[test]
fn what_is_not_set_is_like_nothing_and_differs_from_nothing() {
    for spec in [json!({"a": "x"}), json!({"b": "x"}), json!({})] {
        assert_eq!(says("path: spec.a, same_as: spec.b", spec.clone()), Some(Contradicts), "{spec}");
        assert_eq!(says("path: spec.a, differs_from: spec.b", spec.clone()), Some(Contradicts), "{spec}");
    }
}

#[test]
fn what_a_form_does_not_show_is_neither_like_nor_unlike() {
    for test in ["path: spec.a, same_as: spec.b", "path: spec.a, differs_from: spec.b"] {
        for shown in ["a", "b"] {
            let mut bench = Bench::new();
            let row = json!({"metadata": {"name": "a"}, "spec": {shown: "x"}});
            bench.row(CLUSTERS, row, &["metadata.name", &format!("spec.{shown}")]);
            let told = state(&bench, &compared(test));
            assert!(matches!(told, None | Some(Unknown)), "{test}, shown {shown}: {told:?}");
        }
    }
}

#[test]
fn times_are_before_or_after_each_other() {
    let (earlier, later) = ("path: spec.a, earlier_than: spec.b", "path: spec.a, later_than: spec.b");
    let ordered = json!({"a": "2026-05-14T09:00:00Z", "b": "2026-05-14T11:30:00+02:00"});
    assert_eq!(says(earlier, ordered.clone()), Some(Supports), "the zone counts, not the digits");
    assert_eq!(says(later, ordered), Some(Contradicts));
    let at_once = json!({"a": "2026-05-14T09:00:00Z", "b": "2026-05-14T11:00:00+02:00"});
    assert_eq!(says(earlier, at_once.clone()), Some(Contradicts), "one moment is not before itself");
    assert_eq!(says(later, at_once), Some(Contradicts));
}

#[test]
fn what_is_no_time_has_no_order() {
    for test in ["path: spec.a, earlier_than: spec.b", "path: spec.a, later_than: spec.b"] {
        let told = says(test, json!({"a": "soon", "b": "2026-05-14T09:00:00Z"}));
        assert_ne!(told, Some(Supports), "{test}");
    }
}

#[test]
fn a_value_is_compared_with_that_of_the_entity() {
    let machines = "
  - id: compared
    role: hallmark
    claim: A Machine has the version of its Cluster
    object:
      kind: machines.cluster.x-k8s.io
      join: [{ path: spec.clusterName, is: $cluster.name }]
      where: [{ path: spec.version, same_as: $cluster.spec.version }]
";
    for (version, expected) in [("v1.34.0", Supports), ("v1.33.0", Contradicts)] {
        let mut bench = Bench::new();
        bench.object(CLUSTERS, json!({"metadata": {"name": "a"}, "spec": {"version": "v1.34.0"}}));
        bench.object(MACHINES, json!({"metadata": {"name": "m"}, "spec": {"clusterName": "a", "version": version}}));
        bench.listed(MACHINES, facts::coverage::Basis::Stated);
        assert_eq!(state(&bench, machines), Some(expected), "{version}");
    }
}

#[test]
fn a_text_says_something_in_any_of_its_wordings() {
    let unreachable = "path: spec.a, wording: image-cannot-be-pulled/unreachable";
    let any = "path: spec.a, wording: image-cannot-be-pulled";
    let refused = json!({"a": "dial tcp 10.0.0.9:443: connect: Connection Refused"});
    assert_eq!(says(unreachable, refused.clone()), Some(Supports));
    assert_eq!(says(any, refused), Some(Supports));
    let untrusted = json!({"a": "x509: certificate signed by unknown authority"});
    assert_eq!(says(unreachable, untrusted.clone()), Some(Contradicts), "it says something else");
    assert_eq!(says(any, untrusted), Some(Supports));
    let unheard = json!({"a": "the cat sat on the cable"});
    assert_eq!(says(any, unheard), Some(Contradicts));
    assert_eq!(says(any, json!({})), Some(Contradicts));
}

#[test]
fn a_capture_from_a_text_of_no_known_wording_is_open() {
    let captured = "
  - id: compared
    role: hallmark
    claim: 'It says: {why}'
    object:
      self: true
      where: [{ path: spec.a, is_set: true }]
      capture: [{ path: spec.a, wording: image-cannot-be-pulled, as: why }]
";
    let said = |text: &str| {
        let mut bench = Bench::new();
        bench.object(CLUSTERS, json!({"metadata": {"name": "a"}, "spec": {"a": text}}));
        let outcome = bench.run(&[&about_clusters(captured, "  confirmed: compared\n  suspect: compared")]);
        outcome.findings.first().map(|finding| evidence(finding, "compared").claim.clone())
    };
    assert_eq!(said("no such host").as_deref(), Some("It says: the name of the registry cannot be resolved"));
    assert_ne!(
        said("the cat sat on the cable").as_deref(),
        Some("It says: the name of the registry cannot be resolved")
    );
}
