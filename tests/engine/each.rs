//! For each value of a path: does the object that it names exist?

use crate::bench::{Bench, evidence, signature};
use facts::coverage::Basis;
use serde_json::json;
use signature::evidence_state::EvidenceState;
use signature::model::VerdictWord;

const INGRESSES: &str = "ingresses.networking.k8s.io";

const MISSING: &str = "
  - id: gone
    role: hallmark
    claim: 'Not there: {service}'
    object:
      self: true
      each:
        path: 'spec.rules[*].service'
        or_paths: [spec.default]
        exists:
          kind: services
          join: [{ path: metadata.name, is: $each }, { path: metadata.namespace, is: $ingress.namespace }]
        missing: service
  - id: same-elsewhere
    claim: A Service of that name is in another namespace
    object:
      kind: services
      join: [{ path: metadata.name, is: $service }]
";

fn about_ingresses(verdict: &str) -> String {
    signature("T-1", "entity:\n  name: ingress\n  object: { kind: ingresses.networking.k8s.io }\n", MISSING, verdict)
}

fn ingress(services: &[&str]) -> serde_json::Value {
    let rules: Vec<_> = services.iter().map(|service| json!({"service": service})).collect();
    json!({"metadata": {"name": "web", "namespace": "shop"}, "spec": {"rules": rules, "default": "front"}})
}

fn service(namespace: &str, name: &str) -> serde_json::Value {
    json!({"metadata": {"name": name, "namespace": namespace}})
}

fn bench(services: &[&str], there: &[(&str, &str)], list: Option<Basis>) -> Bench {
    let mut bench = Bench::new();
    bench.object(INGRESSES, ingress(services));
    for (namespace, name) in there {
        bench.object("services", service(namespace, name));
    }
    if let Some(basis) = list {
        bench.listed("services", basis);
    }
    bench
}

#[test]
fn each_missing_one_is_named_though_others_are_there() {
    let bench =
        bench(&["web", "wbe", "cart"], &[("shop", "web"), ("shop", "front"), ("other", "cart")], Some(Basis::Stated));
    let outcome = bench.run(&[&about_ingresses("  confirmed: gone")]);
    let [finding] = outcome.findings.as_slice() else { panic!("{:#?}", outcome.findings) };
    assert_eq!(finding.verdict, VerdictWord::Confirmed);
    assert_eq!(evidence(finding, "gone").claim, "Not there: cart, wbe");
    assert_eq!(evidence(finding, "same-elsewhere").state, EvidenceState::Supports, "it runs for each missing one");
}

#[test]
fn all_that_are_there_contradict_it() {
    let bench = bench(&["web"], &[("shop", "web"), ("shop", "front")], None);
    assert_eq!(bench.run(&[&about_ingresses("  confirmed: gone")]).findings, []);
    let outcome = bench.run(&[&about_ingresses("  confirmed: gone\n  ruled_out: not gone")]);
    assert_eq!(outcome.findings[0].verdict, VerdictWord::RuledOut);
}

#[test]
fn without_a_whole_list_nothing_is_missing_and_without_its_command_nothing_is_ruled_out() {
    let absent = "  confirmed: gone\n  ruled_out: gone";
    let unlisted = bench(&["wbe"], &[("shop", "front")], None).run(&[&about_ingresses(absent)]);
    assert_eq!((unlisted.findings.len(), unlisted.not_assessed.len()), (0, 1));
    let listed = bench(&["wbe"], &[("shop", "front")], Some(Basis::Listed)).run(&[&about_ingresses(absent)]);
    assert_eq!(listed.findings[0].verdict, VerdictWord::Confirmed);
    let stated = bench(&["wbe"], &[("shop", "front")], Some(Basis::Stated)).run(&[&about_ingresses(absent)]);
    assert_eq!((stated.findings[0].verdict, stated.findings[0].conflicting), (VerdictWord::Probable, true));
}

#[test]
fn values_that_a_form_does_not_show_leave_it_open() {
    let mut bench = bench(&[], &[("shop", "front")], Some(Basis::Stated));
    bench.facts.objects.clear();
    bench.facts.by_kind.clear();
    bench.row(INGRESSES, ingress(&[]), &["metadata.name", "spec.default"]);
    bench.object("services", service("shop", "front"));
    let outcome = bench.run(&[&about_ingresses("  confirmed: gone\n  ruled_out: not gone")]);
    assert_eq!((outcome.findings.len(), outcome.not_assessed.len()), (0, 1));
}
