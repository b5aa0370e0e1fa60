//! Lists of which the end may be missing, and the order in which findings are told.

use crate::bench::{Bench, CLUSTERS, MACHINES, about_clusters, evidence, machine, signature};
use facts::coverage::Basis;
use facts::object::Shown;
use facts::until::{Ending, Until};
use serde_json::json;
use signature::evidence_state::EvidenceState;
use signature::model::VerdictWord;

const DRY: &str = "
  - id: dry
    role: hallmark
    claim: 'A site of {cluster} is dry'
    object:
      self: true
      where: [{ path: 'status.sites[*].checks[reason=Dry].status', equals: \"False\" }]
  - id: named
    claim: 'It is {site}'
    object:
      self: true
      capture: [{ path: 'status.sites[*].name', as: site }]
  - id: known-site
    claim: '{site} is a Cluster'
    object:
      kind: clusters.cluster.x-k8s.io
      join: [{ path: metadata.name, is: $site }]
  - id: all-wet
    expect: absent
    claim: 'No site of {cluster} is dry'
    object:
      self: true
      where: [{ path: 'status.sites[*].checks[reason=Dry].status', equals: \"False\" }]
";

/// A Cluster whose text ends behind its last site.
fn cut(bench: &mut Bench, name: &str, reasons: &[&str]) {
    let site = |(at, reason): (usize, &&str)| json!({"checks": [{"reason": reason, "status": "False"}], "name": format!("site-{at}")});
    let sites: Vec<_> = reasons.iter().enumerate().map(site).collect();
    let object =
        bench.object(CLUSTERS, json!({"metadata": {"name": name, "namespace": "ns"}, "status": {"sites": sites}}));
    let record = &mut object.sightings[0].record;
    let ending = Ending { leaf_is_whole: true, braces: None };
    record.shown = Shown::Until(Box::new(Until::of(&record.node, true, &ending)));
}

#[test]
fn an_item_that_is_seen_counts_though_the_list_may_go_on() {
    let mut bench = Bench::new();
    cut(&mut bench, "a", &["Wet", "Dry"]);
    cut(&mut bench, "b", &["Wet", "Wet"]);
    bench.object(CLUSTERS, json!({"metadata": {"name": "site-1", "namespace": "ns"}}));
    let verdict = "  confirmed: dry and known-site\n  ruled_out: all-wet\n  suspect: named";
    let outcome = bench.run(&[&about_clusters(DRY, verdict)]);
    let of = |name: &str| outcome.findings.iter().find(|finding| finding.entity.name == name);
    let a = of("a").expect("a finding");
    assert_eq!(a.verdict, VerdictWord::Confirmed);
    assert_eq!(evidence(a, "named").state, EvidenceState::Supports, "what the item that is seen says can be captured");
    let b = of("b").expect("a finding");
    assert_eq!(b.verdict, VerdictWord::Undecided, "a dry site may stand in what was cut off");
    assert_eq!(evidence(b, "dry").state, EvidenceState::Unknown);
    assert_eq!(evidence(b, "all-wet").state, EvidenceState::Unknown);
}

const BAD: &str = "
  - id: bad
    role: hallmark
    claim: '{it} is bad'
    object:
      self: true
      where: [{ path: status.phase, equals: Bad }]";

#[test]
fn severity_comes_first_then_what_is_decided_and_what_is_not_general() {
    let mut bench = Bench::new();
    bench.object(CLUSTERS, json!({"metadata": {"name": "a"}, "status": {"phase": "Bad"}}));
    bench.object(MACHINES, machine("m", "other", "Bad"));
    let said = BAD.to_owned()
        + "
  - id: other
    role: hallmark
    claim: 'Another thing is there'
    object:
      kind: secrets
";
    let entity = format!("entity:\n  name: it\n  object: {{ kind: {CLUSTERS} }}\n");
    let of = |id: &str, severity: &str, verdict: &str| {
        signature(id, &entity, &said, verdict).replace("severity: low", &format!("severity: {severity}"))
    };
    let sure = "  confirmed: bad";
    let open = "  confirmed: bad and other\n  suspect: bad";
    let all = [
        of("T-1", "low", sure),
        of("T-2", "medium", sure),
        of("T-3", "high", open),
        of("T-4", "high", sure),
        of("T-5", "critical", open),
        of("T-6", "medium", sure).replace("references:", "general: true\nreferences:").replace(CLUSTERS, MACHINES),
        of("T-7", "low", open),
        of("T-8", "info", sure),
    ];
    let outcome = bench.run(&all.iter().map(String::as_str).collect::<Vec<_>>());
    let order: Vec<&str> = outcome.findings.iter().map(|finding| finding.signature.id.as_str()).collect();
    assert_eq!(order, ["T-5", "T-4", "T-3", "T-2", "T-6", "T-1", "T-7", "T-8"]);
}

#[test]
fn of_alike_findings_the_one_whose_reason_is_known_comes_first() {
    let mut bench = Bench::new();
    for (name, why) in [("a", "who knows"), ("b", "who knows"), ("c", "since it rains")] {
        bench.object(CLUSTERS, json!({"metadata": {"name": name}, "status": {"phase": "Bad", "why": why}}));
    }
    let said = BAD.to_owned()
        + "
  - id: reason
    claim: 'It is so since {why}'
    object:
      self: true
      capture: [{ path: status.why, regex: 'since (?P<why>.+)' }]
";
    let entity = format!("entity:\n  name: it\n  object: {{ kind: {CLUSTERS} }}\n");
    let text =
        signature("T-1", &entity, &said, "  confirmed: bad") + "headline:\n  confirmed: '`{it}` is bad[[: {why}]]'\n";
    let outcome = bench.run(&[&text]);
    let order: Vec<&str> = outcome.findings.iter().map(|finding| finding.headline()).collect();
    assert_eq!(order, ["`c` is bad: it rains", "`a` is bad", "`b` is bad"]);
}

/// What a table alone keeps from being confirmed is told as that, and nothing that holds is told not to be the case.
#[test]
fn why_a_table_confirms_nothing() {
    let evidence = "\n  - id: stuck\n    role: hallmark\n    claim: It is stuck\n    object: { self: true, where: [{ path: spec.stuck, equals: true }] }\n  \
                    - id: no-guard\n    claim: No guard is there\n    expect: absent\n    object: { kind: guards.example.org }\n";
    let gate = "entity:\n  name: gate\n  object: { kind: gates.example.org }\n";
    let reason = |basis: Basis| {
        let text = signature("T-1", gate, evidence, "  confirmed: stuck and no-guard\n  probable: stuck");
        let mut bench = Bench::new();
        bench.object("gates.example.org", json!({"metadata": {"name": "west"}, "spec": {"stuck": true}}));
        bench.listed("guards.example.org", basis);
        bench.run(&[&text]).findings.first().map(|finding| finding.reason.clone()).unwrap_or_default()
    };
    let table = reason(Basis::Rows);
    assert_eq!(
        table,
        "It rests on “It is stuck”. Not confirmed, because only a list or a table tells this, and a part of it may be missing: “No guard is there”."
    );
    assert_eq!(reason(Basis::Stated), "Found: “It is stuck”; “No guard is there”.");
}
