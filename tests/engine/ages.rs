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
    assert!(lasting.reason.contains("nothing in the bundle says when it was made"), "{}", lasting.reason);
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
