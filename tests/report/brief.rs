//! Of findings beyond the bounds a diagnosis keeps no texts; whatever a report lists has all of them.
#![expect(clippy::unwrap_used, reason = "helpers of tests fail by panicking")]

use catalogue::kinds::Catalogue;
use diagnose::{Input, Options, Quiet, diagnose, gather};
use diagnosis::bounds::{FINDINGS, bound};
use diagnosis::model::{Diagnosis, Finding};
use intake::Source;
use serde_json::{Value, json};
use signature::evidence_state::EvidenceState;
use signature::load::Library;

/// What makes a finding of each of many.
#[derive(Debug, Clone, Copy)]
enum Shape {
    /// Pods that crash again and again, of nobody: a finding for each.
    Pods,
    /// Pods that no image is there for, likewise.
    Images,
    /// Machines of so many MachineDeployments that never became Nodes: findings that go together.
    Machines(usize),
}

fn item(shape: Shape, number: usize) -> Value {
    let uid = format!("u-{number}");
    let state = match shape {
        Shape::Machines(owners) => return machine(number, owners),
        Shape::Pods => json!({ "waiting": { "reason": "CrashLoopBackOff", "message": "back-off 5m0s" } }),
        Shape::Images => json!({ "waiting": { "reason": "ImagePullBackOff", "message": "Back-off pulling image" } }),
    };
    json!({
        "apiVersion": "v1", "kind": "Pod",
        "metadata": { "name": format!("p-{number:04}"), "namespace": format!("ns-{}", number % 3), "uid": uid },
        "spec": { "nodeName": "n-1", "containers": [{ "name": "c", "image": "x" }] },
        "status": {
            "phase": "Running",
            "conditions": [{ "type": "Ready", "status": "False", "lastTransitionTime": "2026-01-01T00:00:00Z" }],
            "containerStatuses": [{
                "name": "c", "ready": false, "restartCount": 12, "image": "x", "imageID": "x",
                "state": state,
                "lastState": { "terminated": { "reason": "Error", "exitCode": 1,
                    "startedAt": "2026-01-01T00:00:10Z", "finishedAt": "2026-01-01T00:00:20Z" } }
            }]
        }
    })
}

fn machine(number: usize, owners: usize) -> Value {
    let owner = number % owners;
    let condition = |kind: &str, status: &str, reason: &str| json!({ "type": kind, "status": status, "reason": reason, "severity": "Warning", "message": "it failed in 10m0s", "lastTransitionTime": "2026-06-03T09:12:12Z" });
    json!({
        "apiVersion": "cluster.x-k8s.io/v1beta1", "kind": "Machine",
        "metadata": {
            "name": format!("m-{number:04}"), "namespace": "shop", "creationTimestamp": "2026-06-03T09:00:01Z",
            "labels": {
                "cluster.x-k8s.io/cluster-name": "shop",
                "cluster.x-k8s.io/deployment-name": format!("md-{owner}"),
                "cluster.x-k8s.io/set-name": format!("md-{owner}-7c9zt")
            },
            "ownerReferences": [{ "apiVersion": "cluster.x-k8s.io/v1beta1", "kind": "MachineSet",
                "name": format!("md-{owner}-7c9zt"), "uid": "x", "controller": true }]
        },
        "spec": { "clusterName": "shop", "version": "v1.30.5", "providerID": format!("vsphere://{number}"),
            "bootstrap": { "dataSecretName": format!("m-{number}") } },
        "status": {
            "phase": "Provisioned", "bootstrapReady": true, "infrastructureReady": true,
            "lastUpdated": "2026-06-03T09:02:11Z",
            "conditions": [
                condition("Ready", "False", "NodeStartupTimeout"),
                condition("BootstrapReady", "True", ""),
                condition("InfrastructureReady", "True", ""),
                condition("NodeHealthy", "False", "NodeProvisioning"),
                condition("HealthCheckSucceeded", "False", "NodeStartupTimeout")
            ]
        }
    })
}

/// The findings of these, which all stand on one line.
fn run(shape: Shape, numbers: impl Iterator<Item = usize>) -> Diagnosis {
    let folder = tempfile::tempdir().unwrap();
    let items: Vec<Value> = numbers.map(|number| item(shape, number)).collect();
    let list = json!({ "apiVersion": "v1", "kind": "List", "items": items });
    std::fs::write(folder.path().join("list.json"), list.to_string()).unwrap();
    let input = Input { source: Source::Path(folder.path().to_owned()), context: None };
    let library = Library::built_in().unwrap();
    diagnose(&[input], &library, &Catalogue::built_in(), &Options::default(), &mut Quiet).unwrap()
}

fn is_whole(finding: &Finding) -> bool {
    let says = |row: &diagnosis::model::EvidenceRow| {
        !row.claim.is_empty() && !row.reason.is_empty() && row.citations.iter().all(|place| !place.excerpt.is_empty())
    };
    !finding.explanation.is_empty()
        && !finding.reason.is_empty()
        && !finding.remediation.steps.is_empty()
        && finding.evidence.iter().any(|row| row.state == EvidenceState::Supports)
        && finding.evidence.iter().all(says)
}

/// Findings, and the shape that they are of.
const MANY: [(usize, Shape); 5] = [
    (FINDINGS * 4, Shape::Pods),
    (FINDINGS * 3, Shape::Images),
    (FINDINGS * 6, Shape::Machines(FINDINGS * 2)),
    (FINDINGS * 6, Shape::Machines(5)),
    (FINDINGS * 3, Shape::Machines(1)),
];

#[test]
fn what_a_report_lists_is_whole_with_and_without_owners() {
    for (count, shape) in MANY {
        let all = run(shape, 0..count);
        let brief = all.findings.iter().filter(|finding| !is_whole(finding)).count();
        assert!(brief > 0, "{shape:?}: texts of all of them were written");
        for gathered in [false, true] {
            let mut diagnosis = all.clone();
            if gathered {
                gather(&mut diagnosis);
            }
            bound(&mut diagnosis);
            let together = diagnosis.findings.iter().filter(|finding| !finding.alike.is_empty()).count();
            assert_eq!(together > 0, gathered && matches!(shape, Shape::Machines(_)), "{shape:?}");
            for finding in &diagnosis.findings {
                assert!(is_whole(finding), "{shape:?}, gathered: {gathered}: {finding:#?}");
                for other in &finding.alike {
                    assert!(!other.proofs.is_empty() && other.proofs.iter().all(|proof| !proof.claim.is_empty()));
                }
            }
        }
    }
}

#[test]
fn what_is_said_of_one_entity_does_not_depend_on_how_many_there_are() {
    let said = |finding: &Finding| {
        // What causes what, and whose name is unique, is of all of them.
        let finding = Finding { anchor: String::new(), caused_by: None, folded_by: None, ..finding.clone() };
        serde_json::to_string_pretty(&finding).unwrap()
    };
    for (count, shape, number) in [
        (FINDINGS * 4, Shape::Pods, 6),
        // These are listed beside the first of their owner, and were brief.
        (FINDINGS * 6, Shape::Machines(FINDINGS * 2), FINDINGS * 2 + 7),
        (FINDINGS * 4, Shape::Machines(FINDINGS * 3), FINDINGS * 3 + 7),
    ] {
        let (many, alone) = (run(shape, 0..count), run(shape, number..=number));
        assert!(!alone.findings.is_empty());
        for finding in &alone.findings {
            let same = many.findings.iter().find(|other| other.anchor == finding.anchor).unwrap();
            let place = format!("items[{number}]");
            // How long a list is that was looked through is no word about the one.
            let list = format!("list with {count} items");
            let said_of_many = said(same).replace(&place, "items[0]").replace(&list, "list with 1 item");
            assert_eq!(said_of_many, said(finding), "{shape:?}");
        }
    }
}

#[test]
fn a_brief_finding_takes_a_fraction_of_a_whole_one() {
    let all = run(Shape::Pods, 0..FINDINGS * 4);
    let size = |finding: &Finding| serde_json::to_string(finding).unwrap().len();
    let largest =
        |whole: bool| all.findings.iter().filter(|f| is_whole(f) == whole).map(size).max().unwrap_or_default();
    assert!(largest(false) * 5 < largest(true) * 3, "{} of {}", largest(false), largest(true));
}
