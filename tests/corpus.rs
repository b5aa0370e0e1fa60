//! Recorded real bundles against their ground truth. Reads the folder that `CASEFILE_CORPUS` names.
#![expect(clippy::panic, reason = "a helper of tests fails by panicking")]

mod common;

use casefile::report::model::{Diagnosis, EvidenceState, Finding};
use casefile::signature::model::{Severity, VerdictWord};
use common::{corpus, diagnosis, loud, short_list};
use std::path::Path;

fn finding<'a>(diagnosis: &'a Diagnosis, signature: &str, entity: &str) -> &'a Finding {
    diagnosis
        .findings
        .iter()
        .find(|f| f.signature.id == signature && (entity.is_empty() || f.entity.name == entity))
        .unwrap_or_else(|| panic!("no finding {signature}/{entity} among {:?}", short_list(diagnosis)))
}

/// No confirmed and no probable finding of a signature.
fn never(diagnosis: &Diagnosis, signature: &str) {
    let claimed = diagnosis
        .findings
        .iter()
        .find(|f| f.signature.id == signature && matches!(f.verdict, VerdictWord::Confirmed | VerdictWord::Probable));
    assert!(claimed.is_none(), "{signature} must not be claimed: {:?}", short_list(diagnosis));
}

fn silent(diagnosis: &Diagnosis) {
    assert_eq!(loud(diagnosis), Vec::<String>::new(), "must be silent");
    assert!(diagnosis.asks.is_empty(), "nothing is suspected, so nothing may be asked: {:?}", diagnosis.asks);
}

fn case(name: &str) -> Option<Diagnosis> {
    Some(diagnosis(&corpus()?.join(name)))
}

#[test]
fn etcd_that_lost_its_majority_is_confirmed_in_both_log_formats() {
    for name in ["real/etcd35-quorum-lost-zap", "real/etcd34-quorum-lost-capnslog"] {
        let Some(diagnosis) = case(name) else { return };
        assert_eq!(finding(&diagnosis, "CF-2001", "").verdict, VerdictWord::Confirmed, "{name}");
        assert!(diagnosis.findings[0].signature.id == "CF-2001", "{name}: it comes first");
    }
}

#[test]
fn a_leader_that_came_back_is_resolved() {
    let Some(diagnosis) = case("real/etcd35-leader-changes-recovered") else { return };
    assert_eq!(finding(&diagnosis, "CF-2001", "").verdict, VerdictWord::Resolved);
    assert_eq!(loud(&diagnosis), Vec::<String>::new());
}

#[test]
fn a_single_cut_off_member_is_no_lost_leader() {
    for name in [
        "real/etcd35-tls-expired-one",
        "real/etcd35-cluster-id-mismatch",
        "real/etcd35-one-member-down-quorum-kept",
        "real/etcd35-corrupt-wal",
        "real/etcd35-member-removed",
        "real/etcd35-unstarted-learner",
        "real/etcd34-nospace",
        "real/etcd35-nospace",
        "real/k8s120-ha-one-control-plane-down",
        "real/k8s120-etcd-nospace",
    ] {
        let Some(diagnosis) = case(name) else { return };
        println!("{name}: {:?}", short_list(&diagnosis));
        never(&diagnosis, "CF-2001");
    }
}

#[test]
fn healthy_bundles_are_silent() {
    for name in [
        "real/etcd35-healthy-zap",
        "real/etcd34-healthy-capnslog",
        "real/etcd35-tls-healthy-probe-noise",
        "real/k8s120-ha-healthy",
        "real/k8s120-healthy-with-old-events",
        "real/capi113-healthy",
        "real/kubefleet-run-succeeded-healthy",
        "real/kubefleet-waiting-for-approval",
        "real/pub-holmes-healthy-deployment",
        "real/pub-holmes-node-many-pods",
        "kubefleet/healthy",
        "samples/capi-v1beta1-healthy.yaml",
        "peers/sonobuoy/results-0.10.tar.gz",
        "peers/sonobuoy/results-quick-no-failures.tar.gz",
        "peers/troubleshoot/baseline-supportbundle.tar.gz",
    ] {
        let Some(diagnosis) = case(name) else { return };
        println!("{name}: {:?}", short_list(&diagnosis));
        silent(&diagnosis);
    }
}

#[test]
fn must_gathers_of_healthy_clusters_are_silent() {
    for name in ["offline/must-gather-aws.tar.xz", "offline/must-gather-metal.tar.xz"] {
        let Some(diagnosis) = case(name) else { return };
        println!("{name}: {:?}", short_list(&diagnosis));
        silent(&diagnosis);
    }
}

#[test]
fn preemption_names_the_runs_the_member_and_the_stage() {
    let Some(diagnosis) = case("kubefleet/preempted-docs-dialect") else { return };
    let found = finding(&diagnosis, "CF-3001", "example-run");
    assert_eq!(found.verdict, VerdictWord::Confirmed);
    let told: String = found.evidence.iter().map(|e| e.claim.as_str()).collect::<Vec<_>>().join("\n");
    for name in ["`example-run`", "`example-run-1`", "`member1`", "`staging`"] {
        assert!(told.contains(name), "{name} is missing in: {told}");
    }
    let Some(diagnosis) = case("real/kubefleet-concurrent-run-preempted") else { return };
    let found = finding(&diagnosis, "CF-3001", "rollout-v2");
    assert_eq!(found.verdict, VerdictWord::Confirmed);
    let told: String = found.evidence.iter().map(|e| e.claim.as_str()).collect::<Vec<_>>().join("\n");
    assert!(told.contains("rollout-hotfix") && told.contains("member-3") && told.contains("production"), "{told}");
    assert!(!short_list(&diagnosis).iter().any(|f| f.contains("rollout-hotfix")), "the winner has not failed");
}

#[test]
fn other_failures_of_update_runs_are_no_preemption() {
    for name in [
        "kubefleet/init-failed",
        "kubefleet/stuck-image-pull",
        "kubefleet/external-no-run",
        "real/kubefleet-run-stuck-workload-unavailable",
        "real/kubefleet-waiting-for-approval",
    ] {
        let Some(diagnosis) = case(name) else { return };
        never(&diagnosis, "CF-3001");
    }
}

#[test]
fn a_failed_import_with_part_of_the_evidence_asks_for_the_rest() {
    let Some(diagnosis) = case("samples/capi-v1beta1-broken-import.yaml") else { return };
    let found = finding(&diagnosis, "CF-1001", "wl-amber");
    assert_eq!(found.verdict, VerdictWord::Undecided);
    let asked: String = diagnosis.asks.iter().map(|a| a.command.as_str()).collect::<Vec<_>>().join("\n");
    for what in ["clusters.platform.tkestack.io", "clustercredentials", "kubectl logs"] {
        assert!(asked.contains(what), "{what} is not asked for: {asked}");
    }
}

#[test]
fn a_failed_import_without_the_log_of_its_provider_asks_for_it() {
    let Some(diagnosis) = case("real/capi113-failed-import-semireal") else { return };
    let failed = finding(&diagnosis, "CF-1001", "wl-hcs-01");
    assert!(matches!(failed.verdict, VerdictWord::Confirmed | VerdictWord::Probable), "{:?}", short_list(&diagnosis));
    let log = failed.evidence.iter().find(|e| e.id == "sentry-error-repeats").expect("the log is evidence");
    assert_eq!(log.state, EvidenceState::Unknown);
    assert!(diagnosis.asks.iter().any(|ask| ask.command.contains("kubectl logs")), "{:?}", diagnosis.asks);
    assert_eq!(finding(&diagnosis, "CF-1001", "wl-ok-02").verdict, VerdictWord::RuledOut);
}

/// Every case of the ground truth: no signature is claimed where another cause is true.
#[test]
fn no_case_gets_a_claim_that_its_ground_truth_forbids() {
    let Some(corpus) = corpus() else { return };
    // Which signatures a true cause allows to be claimed.
    let allowed = |cause: &str| -> &[&str] {
        match cause {
            "failed-cluster-import" => &["CF-1001", "CF-1002"],
            "etcd-quorum-lost" => &["CF-2001", "CF-2002", "CF-2003"],
            "etcd-nospace" => &["CF-2004"],
            "etcd-wal-corrupt" => &["CF-2006", "CF-2010"],
            "etcd-cluster-id-mismatch" => &["CF-2007"],
            "etcd-member-removed" => &["CF-2008"],
            "etcd-unstarted-member" => &["CF-2009"],
            "etcd-member-down" => &["CF-2010"],
            "certificates-expired" => &["CF-2011"],
            "capi-remediation-loop" => &["CF-2002"],
            "kubefleet-preempted-run" => &["CF-3001"],
            _ => &[],
        }
    };
    let table = std::fs::read_to_string(corpus.join("cases.tsv")).expect("cases.tsv is the ground truth");
    let mut wrong = Vec::new();
    let mut read = 0;
    for line in table.lines().skip(1) {
        let cells: Vec<&str> = line.split('\t').collect();
        let (name, cause) = (cells[0], cells[2]);
        if name.ends_with(".tar.xz") {
            continue;
        }
        let diagnosis = diagnosis(&corpus.join(Path::new(name)));
        read += 1;
        for found in &diagnosis.findings {
            let claimed = matches!(found.verdict, VerdictWord::Confirmed | VerdictWord::Probable)
                && found.signature.severity != Severity::Info;
            if claimed && !allowed(cause).contains(&found.signature.id.as_str()) {
                wrong.push(format!("{name} ({cause}): {}", common::short(found)));
            }
        }
    }
    assert!(read > 40, "only {read} cases were read");
    assert_eq!(wrong, Vec::<String>::new());
}
