//! Ages of times, measured at the moment of the bundle.
#![expect(clippy::expect_used, reason = "helpers of tests fail by panicking, loudly")]

use crate::bench::{Bench, CLUSTERS, about_clusters, evidence};
use facts::store::{AsOf, Precision};
use serde_json::json;
use signature::evidence_state::EvidenceState;
use signature::model::VerdictWord;

const DELETED: &str = "
  - id: lasting
    role: hallmark
    claim: '{cluster} was to be deleted {cluster.seconds_since(metadata.deletionTimestamp)} seconds ago'
    object:
      self: true
      where: [{ path: metadata.deletionTimestamp, or_paths: ['status.conditions[type=Deleting].lastTransitionTime'], older_than: 5m }]
  - id: unaged
    claim: Since when is not known
    object:
      self: true
      where: [{ path: metadata.deletionTimestamp, or_paths: ['status.conditions[type=Deleting].lastTransitionTime'], age_known: false }]
";

const VERDICT: &str = "  confirmed: lasting\n  suspect: lasting or unaged";

fn at(time: &str, precision: Precision) -> Option<AsOf> {
    let time = time.parse().expect("a time");
    Some(AsOf { time, source: "a test".to_owned(), citation: None, precision, objects: None, logs: None })
}

fn deleted(name: &str, since: &str) -> serde_json::Value {
    json!({"metadata": {"name": name, "deletionTimestamp": since}})
}

#[test]
fn a_state_is_a_fault_once_it_lasts() {
    let mut bench = Bench::new();
    bench.facts.contexts[0].as_of = at("2026-05-14T10:00:00Z", Precision::Stated);
    bench.object(CLUSTERS, deleted("a-young", "2026-05-14T09:59:00Z"));
    bench.object(CLUSTERS, deleted("b-old", "2026-05-14T09:00:00Z"));
    bench.object(CLUSTERS, json!({"metadata": {"name": "c-alive"}}));
    let told = json!({"metadata": {"name": "d-told"}, "status": {"conditions": [{"type": "Deleting", "lastTransitionTime": "2026-05-14T09:00:00Z"}]}});
    bench.object(CLUSTERS, told);
    let outcome = bench.run(&[&about_clusters(DELETED, VERDICT)]);
    let said: Vec<(&str, VerdictWord)> = outcome.findings.iter().map(|f| (f.entity.name.as_str(), f.verdict)).collect();
    assert_eq!(said, [("b-old", VerdictWord::Confirmed), ("d-told", VerdictWord::Confirmed)]);
    assert_eq!(evidence(&outcome.findings[0], "lasting").claim, "b-old was to be deleted 3600 seconds ago");
    assert_eq!(evidence(&outcome.findings[0], "unaged").state, EvidenceState::Contradicts);
    assert_eq!(outcome.not_assessed, []);
}

#[test]
fn without_a_clock_an_age_is_unknown_and_may_be_suspected() {
    let mut bench = Bench::new();
    bench.object(CLUSTERS, deleted("old", "2026-05-14T09:00:00Z"));
    let outcome = bench.run(&[&about_clusters(DELETED, VERDICT)]);
    assert_eq!(outcome.findings[0].verdict, VerdictWord::Undecided);
    let lasting = evidence(&outcome.findings[0], "lasting");
    assert_eq!(lasting.state, EvidenceState::Unknown);
    assert!(lasting.reason.contains("nothing in the bundle says when it was collected"), "{}", lasting.reason);
    assert_eq!(evidence(&outcome.findings[0], "unaged").state, EvidenceState::Supports);
}

#[test]
fn a_clock_without_a_zone_tells_what_every_zone_tells() {
    let mut bench = Bench::new();
    bench.facts.contexts[0].as_of = at("2026-05-14T10:00:00Z", Precision::Unzoned);
    bench.object(CLUSTERS, deleted("a-yesterday", "2026-05-13T10:00:00Z"));
    bench.object(CLUSTERS, deleted("b-today", "2026-05-14T08:00:00Z"));
    let outcome = bench.run(&[&about_clusters(DELETED, VERDICT)]);
    let said: Vec<(&str, VerdictWord)> = outcome.findings.iter().map(|f| (f.entity.name.as_str(), f.verdict)).collect();
    assert_eq!(said, [("a-yesterday", VerdictWord::Confirmed)]);
    assert_eq!(outcome.not_assessed.len(), 1, "its age depends on the zone");
}

#[test]
fn an_item_that_states_no_time_has_an_unknown_age() {
    let mut bench = Bench::new();
    bench.facts.contexts[0].as_of = at("2026-05-14T10:00:00Z", Precision::Stated);
    bench.object(
        CLUSTERS,
        json!({"metadata": {"name": "a"}, "status": {"conditions": [{"type": "Deleting", "status": "True"}]}}),
    );
    let outcome = bench.run(&[&about_clusters(DELETED, VERDICT)]);
    assert_eq!(outcome.findings[0].verdict, VerdictWord::Undecided);
    assert_eq!(evidence(&outcome.findings[0], "lasting").state, EvidenceState::Unknown);
}

const MADE: &str = "
  - id: old
    role: hallmark
    claim: '{cluster} is old'
    object:
      self: true
      where: [{ path: metadata.creationTimestamp, older_than: 5m }]
  - id: unaged
    claim: How old it is, is not known
    object:
      self: true
      where: [{ path: metadata.creationTimestamp, age_known: false }]
  - id: early
    claim: It was made before noon
    object:
      self: true
      where: [{ path: metadata.creationTimestamp, earlier_than: spec.noon }]
";

#[test]
fn every_object_was_made_once_so_a_text_without_the_time_does_not_tell_it() {
    let mut bench = Bench::new();
    bench.facts.contexts[0].as_of = at("2026-05-14T10:00:00Z", Precision::Stated);
    let made = |name: &str, time: &str| json!({"metadata": {"name": name, "uid": name, "creationTimestamp": time}, "spec": {"noon": "2026-05-14T12:00:00Z"}});
    bench.object(CLUSTERS, made("a-old", "2026-05-14T09:55:00Z"));
    bench.object(CLUSTERS, made("b-young", "2026-05-14T09:55:01Z"));
    let stripped = json!({"metadata": {"name": "c-stripped", "uid": "c"}, "spec": {"noon": "2026-05-14T12:00:00Z"}});
    bench.object(CLUSTERS, stripped);
    bench.object(CLUSTERS, made("d-empty", ""));
    let outcome = bench.run(&[&about_clusters(MADE, "  confirmed: old and early\n  suspect: old or unaged")]);
    let said: Vec<(&str, VerdictWord)> = outcome.findings.iter().map(|f| (f.entity.name.as_str(), f.verdict)).collect();
    let undecided = VerdictWord::Undecided;
    assert_eq!(said, [("a-old", VerdictWord::Confirmed), ("c-stripped", undecided), ("d-empty", undecided)]);
    for finding in outcome.findings.iter().skip(1) {
        let states = ["old", "unaged", "early"].map(|id| evidence(finding, id).state);
        assert_eq!(states, [EvidenceState::Unknown, EvidenceState::Supports, EvidenceState::Unknown]);
    }
}

const EITHER_FORM: &str = "
  - id: old
    role: hallmark
    claim: '{cluster} is old'
    object:
      self: true
      where: [{ path: metadata.creationTimestamp, or_paths: [status.kubectlAge], older_than: 5m }]
  - id: not-ended
    role: hallmark
    claim: '{cluster} has not ended'
    object:
      self: true
      where: [{ path: status.phase, or_paths: [status.kubectlStatus], not_in: [Succeeded] }]
";

#[test]
fn what_only_a_table_prints_says_nothing_of_an_object_from_yaml_and_the_other_way_round() {
    let mut bench = Bench::new();
    bench.facts.contexts[0].as_of = at("2026-05-14T10:00:00Z", Precision::Stated);
    let full = |name: &str, time: &str| json!({"metadata": {"name": name, "creationTimestamp": time}, "status": {"phase": "Running"}});
    bench.object(CLUSTERS, full("a-old", "2026-05-14T09:00:00Z"));
    bench.object(CLUSTERS, full("b-young", "2026-05-14T09:59:00Z"));
    let printed = |name: &str, age: &str| json!({"metadata": {"name": name}, "status": {"kubectlAge": age, "kubectlStatus": "Running"}});
    bench.row(CLUSTERS, printed("c-old-row", "10m"), &["metadata.name", "status.kubectlAge", "status.kubectlStatus"]);
    bench.row(CLUSTERS, printed("d-young-row", "10s"), &["metadata.name", "status.kubectlAge", "status.kubectlStatus"]);
    bench.row(CLUSTERS, json!({"metadata": {"name": "e-name-only"}}), &["metadata.name"]);
    let outcome = bench.run(&[&about_clusters(EITHER_FORM, "  confirmed: old and not-ended\n  probable: not-ended")]);
    let states = |name: &str| {
        let found = outcome.findings.iter().find(|finding| finding.entity.name == name);
        found.map(|finding| ["old", "not-ended"].map(|id| evidence(finding, id).state))
    };
    let (yes, no) = (EvidenceState::Supports, EvidenceState::Contradicts);
    assert_eq!(states("a-old"), Some([yes, yes]));
    assert_eq!(states("b-young"), Some([no, yes]));
    assert_eq!(states("c-old-row"), Some([yes, yes]));
    assert_eq!(states("d-young-row"), Some([no, yes]));
    assert_eq!(states("e-name-only"), None, "neither form shows anything");
}
