//! Questions about objects.

use crate::bench::{Bench, CLUSTERS, MACHINES, OWNER, about_clusters, cluster, evidence, machine, signature};
use diagnosis::model::GapCause;
use facts::coverage::Basis;
use serde_json::json;
use signature::evidence_state::EvidenceState;
use signature::model::VerdictWord;

const FAILED_MACHINES: &str = "
  - id: failed
    role: hallmark
    claim: '{count} Machines of {cluster} have failed'
    object:
      kind: machines.cluster.x-k8s.io
      join: [{ path: spec.clusterName, is: $cluster.name }]
      where: [{ path: status.phase, equals: Failed }]
";

#[test]
fn a_whole_list_confirms_one_cluster_and_rules_the_other_out() {
    let mut bench = Bench::new();
    bench.object(CLUSTERS, cluster("bad"));
    bench.object(CLUSTERS, cluster("good"));
    bench.object(MACHINES, machine("m1", "bad", "Failed"));
    bench.object(MACHINES, machine("m2", "good", "Running"));
    bench.listed(CLUSTERS, Basis::Stated);
    bench.listed(MACHINES, Basis::Stated);
    let signature = about_clusters(FAILED_MACHINES, "  confirmed: failed\n  ruled_out: not failed");
    let outcome = bench.run(&[&signature]);
    let [bad, good] = outcome.findings.as_slice() else { panic!("{:#?}", outcome.findings) };
    assert_eq!((bad.entity.name.as_str(), bad.verdict), ("bad", VerdictWord::Confirmed));
    assert_eq!(bad.evidence[0].claim, "1 Machines of bad have failed");
    assert_eq!(bad.evidence[0].reason, "seen in global/all.yaml:21");
    assert_eq!((good.entity.name.as_str(), good.verdict), ("good", VerdictWord::RuledOut));
    assert_eq!(good.evidence[0].reason, "none, and all were asked for: global/all.yaml:99");
    assert_eq!(outcome.asks, []);
}

#[test]
fn a_list_without_its_command_supports_an_absence_and_never_rules_out() {
    let absent = "
  - id: none
    role: hallmark
    expect: absent
    claim: '{cluster} has no Machines'
    object:
      kind: machines.cluster.x-k8s.io
      join: [{ path: spec.clusterName, is: $cluster.name }]
";
    let mut bench = Bench::new();
    bench.object(CLUSTERS, cluster("empty"));
    bench.listed(MACHINES, Basis::Listed);
    let confirmed = bench.run(&[&about_clusters(absent, "  confirmed: none")]);
    assert_eq!(confirmed.findings[0].verdict, VerdictWord::Confirmed);
    assert_eq!(confirmed.findings[0].evidence[0].reason, "none, as listed in global/all.yaml:99");
    let failed = about_clusters(FAILED_MACHINES, "  confirmed: failed\n  ruled_out: not failed");
    assert_eq!(bench.run(&[&failed]).findings, [], "the list has no command, so it rules nothing out");
}

#[test]
fn what_was_not_collected_is_unknown_and_asked_for_only_under_suspicion() {
    let two = format!(
        "{FAILED_MACHINES}
  - id: provisioned
    role: hallmark
    claim: '{{cluster}} is Provisioned'
    object:
      self: true
      where: [{{ path: status.phase, equals: Provisioned }}]
"
    );
    let mut bench = Bench::new();
    bench.object(CLUSTERS, cluster("dark"));
    bench.object(CLUSTERS, json!({"metadata": {"name": "idle", "namespace": "ns"}}));
    let outcome = bench.run(&[&about_clusters(&two, "  confirmed: failed and provisioned\n  ruled_out: not failed")]);
    let [dark] = outcome.findings.as_slice() else { panic!("{:#?}", outcome.findings) };
    assert_eq!((dark.entity.name.as_str(), dark.verdict), ("dark", VerdictWord::Undecided));
    assert_eq!(evidence(dark, "failed").state, EvidenceState::Unknown);
    let commands: Vec<&str> = outcome.asks.iter().map(|ask| ask.command.as_str()).collect();
    assert_eq!(commands, ["kubectl get machines.cluster.x-k8s.io -A -o yaml"]);
    assert_eq!(outcome.asks[0].decides, ["T-1/dark"]);
}

#[test]
fn a_table_row_leaves_its_other_fields_unknown() {
    let mut bench = Bench::new();
    bench.object(CLUSTERS, cluster("bad"));
    let row = json!({"metadata": {"name": "m1"}, "status": {"phase": "Failed"}});
    bench.row(MACHINES, row, &["metadata.name", "status.phase"]);
    bench.listed(MACHINES, Basis::Stated);
    let outcome = bench.run(&[&about_clusters(FAILED_MACHINES, "  confirmed: failed\n  ruled_out: not failed")]);
    assert_eq!(outcome.findings, [], "it may be a Machine of another cluster, and it may be one of this");
    assert_eq!(outcome.not_assessed.len(), 1);
}

#[test]
fn a_cluster_that_is_only_referred_to_is_undecided_at_most() {
    let mut bench = Bench::new();
    bench.object(MACHINES, machine("m1", "lost", "Failed"));
    let outcome = bench.run(&[&about_clusters(FAILED_MACHINES, "  confirmed: failed")]);
    let [lost] = outcome.findings.as_slice() else { panic!("{:#?}", outcome) };
    assert_eq!((lost.entity.name.as_str(), lost.verdict), ("lost", VerdictWord::Undecided));
    assert_eq!(outcome.asks[0].command, "kubectl get clusters.cluster.x-k8s.io -A -o yaml");
}

#[test]
fn later_evidence_runs_over_every_captured_tuple() {
    let rows = "
  - id: names
    role: hallmark
    claim: '{cluster} waits for {machine}'
    object:
      self: true
      capture:
        - path: status.message
          variants:
            - regex: 'waits for (?P<machine>[a-z0-9]+)'
  - id: failed
    claim: 'One of them has failed: {machine}'
    object:
      kind: machines.cluster.x-k8s.io
      join: [{ path: metadata.name, is: $machine }]
      where: [{ path: status.phase, equals: Failed }]
";
    let waiting = |message: &str| json!({"metadata": {"name": "c", "namespace": "ns"}, "status": {"message": message}});
    let run = |message: &str, whole: bool| {
        let mut bench = Bench::new();
        bench.object(CLUSTERS, waiting(message));
        bench.object(MACHINES, machine("m1", "c", "Running"));
        bench.object(MACHINES, machine("m2", "c", "Failed"));
        if whole {
            bench.listed(MACHINES, Basis::Stated);
        }
        let outcome = bench
            .run(&[&about_clusters(rows, "  confirmed: names and failed\n  probable: names\n  ruled_out: not failed")]);
        outcome.findings.first().map(|f| (f.verdict, f.evidence[1].state, f.evidence[0].claim.clone()))
    };
    let all = "c waits for m1, m2".to_owned();
    assert_eq!(run("waits for m1; waits for m2", true), Some((VerdictWord::Confirmed, EvidenceState::Supports, all)));
    let one = "c waits for m1".to_owned();
    assert_eq!(run("waits for m1", true), Some((VerdictWord::RuledOut, EvidenceState::Contradicts, one.clone())));
    assert_eq!(run("waits for m1", false), Some((VerdictWord::Probable, EvidenceState::Unknown, one)));
    assert_eq!(run("other words than known", true), None, "a wording nobody knows decides nothing");
}

#[test]
fn consequences_follow_their_cause() {
    let mut bench = Bench::new();
    bench.object(CLUSTERS, cluster("bad"));
    bench.object(MACHINES, machine("m1", "bad", "Failed"));
    bench.object(MACHINES, machine("m2", "other", "Failed"));
    let cause = about_clusters(FAILED_MACHINES, "  confirmed: failed")
        + "relations:\n  - { kind: causes, to: T-2, match: { $cluster.name: $owner } }\n";
    let group = format!("entity:\n  name: owner\n  group:\n    kind: {MACHINES}\n    by: '{OWNER}'\n");
    let some = format!(
        "
  - id: some
    role: hallmark
    claim: '{{owner}} has Machines'
    object:
      kind: {MACHINES}
      join: [{{ path: '{OWNER}', is: $owner }}]
"
    );
    let effect = signature("T-2", &group, &some, "  confirmed: some").replace("severity: low", "severity: critical");
    let outcome = bench.run(&[&cause, &effect]);
    let order: Vec<_> = outcome.findings.iter().map(|f| (f.anchor.as_str(), f.caused_by)).collect();
    assert_eq!(order, [("T-1/bad", None), ("T-2/bad", Some(0)), ("T-2/other", None), ("T-1/other", None)]);
}

#[test]
fn a_finding_says_whether_it_follows_or_is_part() {
    let mut bench = Bench::new();
    bench.object(CLUSTERS, cluster("bad"));
    bench.object(MACHINES, machine("m1", "bad", "Failed"));
    let relations = |kinds: [&str; 2]| {
        let line = |kind: &str| format!("  - {{ kind: {kind}, to: T-2, match: {{ $cluster.name: $owner }} }}\n");
        let parent =
            about_clusters(FAILED_MACHINES, "  confirmed: failed") + "relations:\n" + &kinds.map(line).concat();
        let group = format!("entity:\n  name: owner\n  group:\n    kind: {MACHINES}\n    by: '{OWNER}'\n");
        let some = format!(
            "
  - id: some
    role: hallmark
    claim: '{{owner}} has Machines'
    object:
      kind: {MACHINES}
      join: [{{ path: '{OWNER}', is: $owner }}]
"
        );
        let child = signature("T-2", &group, &some, "  confirmed: some");
        let outcome = bench.run(&[&parent, &child]);
        outcome.findings.iter().map(|f| (f.caused_by, f.folded_by)).collect::<Vec<_>>()
    };
    use signature::model::RelationKind::{Causes, Implies};
    assert_eq!(relations(["causes", "implies"]), [(None, None), (Some(0), Some(Causes))]);
    assert_eq!(relations(["implies", "causes"]), [(None, None), (Some(0), Some(Implies))]);
}

/// An object whose name reads like a reason of ours is asked for as any other.
#[test]
fn the_name_of_an_object_does_not_change_what_is_asked_for() {
    let evidence = "
  - id: provisioned
    role: hallmark
    claim: '{cluster} is Provisioned'
    object:
      self: true
      where: [{ path: status.phase, equals: Provisioned }]
  - id: paused
    claim: '{cluster} is paused'
    object:
      self: true
      where: [{ path: spec.paused, equals: true }]
";
    let run = |name: &str| {
        let mut bench = Bench::new();
        bench.row(CLUSTERS, cluster(name), &["metadata.name", "status.phase"]);
        let outcome = bench.run(&[&about_clusters(evidence, "  confirmed: provisioned and paused")]);
        let rows: Vec<_> = outcome.findings.iter().flat_map(|finding| &finding.evidence).cloned().collect();
        let asks: Vec<String> = outcome.asks.iter().map(|ask| ask.command.clone()).collect();
        (format!("{rows:?} {:?}", outcome.asks), rows, asks)
    };
    let (plain, rows, asks) = run("plain-1");
    assert_eq!(asks, ["kubectl get clusters.cluster.x-k8s.io -A -o yaml"]);
    let paused = rows.iter().find(|row| row.id == "paused").expect("a row");
    assert_eq!((paused.state, paused.cause), (EvidenceState::Unknown, Some(GapCause::Form)));
    for name in ["disagree-1", "sources-disagree", "spec.paused", "masked", "cut"] {
        assert_eq!(run(name).0, plain.replace("plain-1", name), "{name}");
    }
}

const CAUSES: &str = r"
  - id: failed
    role: hallmark
    claim: '{cluster} failed'
    object:
      self: true
      capture:
        - path: 'status.messages[*]'
          variants:
            - regex: 'quota (?P<quota>[a-z-]+) is full'
              headline: { confirmed: 'Quota `{quota}` holds {cluster} back', undecided: 'Whether quota `{quota}` holds {cluster} back is not known' }
            - regex: 'image (?P<image>[a-z-]+) is missing'
              headline: { confirmed: 'Image `{image}` of {cluster} is missing' }
            - { regex: 'failed: (?P<other>[a-z]+)' }
  - id: proven
    claim: It is proven[[ ({quota})]][[ ({image})]][[ ({other})]]
    object:
      self: true
      where: [{ path: status.proven, equals: true }]
";

#[test]
fn a_wording_with_a_cause_of_its_own_has_a_headline_of_its_own() {
    let mut bench = Bench::new();
    let mut failed = |name: &str, proven: bool, messages: &[&str]| {
        bench.object(CLUSTERS, json!({"metadata": {"name": name}, "status": {"messages": messages, "proven": proven}}));
    };
    failed("a-quota", true, &["quota small is full"]);
    failed("b-image", true, &["image web is missing", "failed: again"]);
    failed("c-both", true, &["quota small is full", "image web is missing"]);
    failed("d-other", true, &["failed: somehow"]);
    failed("e-image-not-proven", false, &["image web is missing"]);
    bench.row(
        CLUSTERS,
        json!({"metadata": {"name": "f-open"}, "status": {"messages": ["quota small is full"]}}),
        &["status.messages"],
    );
    let outcome =
        bench.run(&[&about_clusters(CAUSES, "  confirmed: failed and proven\n  probable: failed and not proven")]);
    let said: Vec<(&str, &str)> = outcome.findings.iter().map(|f| (f.entity.name.as_str(), f.headline())).collect();
    let title = outcome.findings[0].signature.title.as_str();
    let expected = [
        ("a-quota", "Quota `small` holds a-quota back"),
        ("b-image", "Image `web` of b-image is missing"),
        ("c-both", title),
        ("d-other", title),
        ("e-image-not-proven", title),
        ("f-open", "Whether quota `small` holds f-open back is not known"),
    ];
    let said: std::collections::BTreeSet<_> = said.into_iter().collect();
    assert_eq!(said, expected.into_iter().collect(), "of several causes none is the headline");
}
