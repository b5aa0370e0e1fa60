//! The ground truth of the recorded bundles, case by case: the true cause comes first, what is healthy stays
//! silent, what cannot be told is asked for, and nothing else is claimed.
//!
//! [`CAUSES`] is the one table that says which signatures name a cause; cases come from `cases.tsv` alone.
#![expect(
    clippy::panic,
    clippy::print_stdout,
    reason = "a helper of tests fails by panicking, and tells what it found"
)]

use crate::common::{corpus, diagnosis, short, short_list};
use diagnosis::model::{Diagnosis, Finding};
use signature::evidence_state::EvidenceState;
use signature::model::{Severity, Status, VerdictWord};
use std::collections::BTreeSet;
use std::fmt::Write as _;

/// A cause of the ground truth, the signatures that name it, and those that may stand beside it as
/// findings of their own: what the same evidence truly shows besides the cause.
struct Cause {
    name: &'static str,
    signatures: &'static [&'static str],
    beside: &'static [&'static str],
}

const CAUSES: &[Cause] = &[
    Cause { name: "failed-cluster-import", signatures: &["CF-1001"], beside: &["CF-1002"] },
    Cause { name: "capi-remediation-loop", signatures: &["CF-2002"], beside: &[] },
    Cause { name: "capi-machine-stuck-provisioned", signatures: &["CF-1020"], beside: &[] },
    Cause { name: "etcd-quorum-lost", signatures: &["CF-2001", "CF-2003"], beside: &[] },
    Cause { name: "etcd-nospace", signatures: &["CF-2004"], beside: &[] },
    Cause { name: "etcd-wal-corrupt", signatures: &["CF-2006"], beside: &[] },
    Cause { name: "etcd-cluster-id-mismatch", signatures: &["CF-2007"], beside: &[] },
    Cause { name: "etcd-member-removed", signatures: &["CF-2008"], beside: &[] },
    Cause { name: "etcd-unstarted-member", signatures: &["CF-2009"], beside: &[] },
    Cause { name: "etcd-member-down", signatures: &["CF-2010"], beside: &[] },
    Cause { name: "certificates-expired", signatures: &["CF-2011"], beside: &["CF-6001"] },
    Cause { name: "kubefleet-preempted-run", signatures: &["CF-3001", "CF-3003"], beside: &[] },
    Cause { name: "kubefleet-external-no-run", signatures: &["CF-3004", "CF-3014"], beside: &[] },
    Cause { name: "kubefleet-init-failed", signatures: &["CF-3005", "CF-3015"], beside: &[] },
    Cause { name: "kubefleet-run-stuck", signatures: &["CF-3002", "CF-3007"], beside: &[] },
    Cause { name: "node-lost", signatures: &["CF-6050"], beside: &[] },
    Cause { name: "cni-not-ready", signatures: &["CF-6051"], beside: &[] },
    Cause { name: "webhook-down", signatures: &["CF-5035"], beside: &[] },
    Cause { name: "pdb-blocks-drain", signatures: &["CF-5034"], beside: &[] },
    Cause { name: "crashloop", signatures: &["CF-5001", "CF-5006"], beside: &[] },
    Cause { name: "image-pull", signatures: &["CF-5002"], beside: &[] },
    Cause { name: "missing-configmap/secret", signatures: &["CF-5003"], beside: &[] },
    Cause { name: "oom-killed", signatures: &["CF-5004"], beside: &[] },
    Cause { name: "pvc-unbound", signatures: &["CF-5040"], beside: &[] },
    // Eighteen faults in one cluster; `each_of_many_faults_is_a_finding_of_its_own` says which belongs where.
    Cause {
        name: "many-faults",
        signatures: &[
            "CF-5001", "CF-5002", "CF-5003", "CF-5004", "CF-5005", "CF-5006", "CF-5007", "CF-5008", "CF-5009",
            "CF-5010", "CF-5011", "CF-5016", "CF-5040",
        ],
        beside: &[],
    },
];

/// Causes that no signature names yet. They are printed and not judged; a cause leaves this list for [`CAUSES`].
const OPEN: &[&str] = &[];

#[test]
fn stable_is_what_a_recorded_failure_confirms() {
    let named: BTreeSet<&str> =
        CAUSES.iter().flat_map(|cause| cause.signatures.iter().chain(cause.beside)).copied().collect();
    let stable: BTreeSet<&str> = crate::common::LIBRARY
        .signatures
        .iter()
        .filter(|signature| signature.status == Status::Stable)
        .map(|signature| signature.id.as_str())
        .collect();
    assert_eq!(stable, named);
}

/// One row of `cases.tsv`.
struct Case {
    name: String,
    class: String,
    cause: String,
}

fn cases(text: &str) -> Vec<Case> {
    let rows = text.lines().skip(1).map(|line| {
        let mut cells = line.split('\t').map(str::to_owned);
        let mut cell = || cells.next().unwrap_or_else(|| panic!("a row of cases.tsv has too few cells: {line}"));
        Case { name: cell(), class: cell(), cause: cell() }
    });
    rows.collect()
}

fn claimed(finding: &Finding) -> bool {
    matches!(finding.verdict, VerdictWord::Confirmed | VerdictWord::Probable)
}

/// What is wrong with a diagnosis, by the class of its case; empty if nothing.
fn faults(case: &Case, diagnosis: &Diagnosis) -> Vec<String> {
    if case.class == "healthy" {
        let mut wrong: Vec<String> =
            crate::loud(diagnosis).into_iter().map(|found| format!("false claim: {found}")).collect();
        if !diagnosis.asks.is_empty() {
            wrong.push(format!("asked for {} things without a suspicion", diagnosis.asks.len()));
        }
        return wrong;
    }
    let Some(cause) = CAUSES.iter().find(|cause| cause.name == case.cause) else {
        return vec![format!("miss: no signature names `{}`", case.cause)];
    };
    let names_it = |finding: &Finding| cause.signatures.contains(&finding.signature.id.as_str());
    let mut wrong = Vec::new();
    let first = diagnosis.findings.first();
    match case.class.as_str() {
        "undecided" => {
            let undecided = diagnosis.findings.iter().find(|found| names_it(found));
            match undecided.map(|found| found.verdict) {
                Some(VerdictWord::Undecided) => {}
                Some(VerdictWord::Confirmed | VerdictWord::Probable)
                    if undecided.is_some_and(|found| found.signature.severity == Severity::Info) => {}
                verdict => wrong.push(format!("miss: `{}` is {verdict:?} and not undecided", case.cause)),
            }
            if diagnosis.asks.is_empty() {
                wrong.push("nothing is asked for".to_owned());
            }
        }
        _ if first.is_some_and(|found| names_it(found) && claimed(found)) => {}
        _ => wrong.push(format!(
            "miss: `{}` is not the first finding, that is {}",
            case.cause,
            first.map_or_else(|| "none".to_owned(), short)
        )),
    }
    let beside = |finding: &Finding| cause.beside.contains(&finding.signature.id.as_str());
    let false_claims = diagnosis.findings.iter().filter(|found| {
        claimed(found)
            && found.caused_by.is_none()
            && found.signature.severity != Severity::Info
            && !names_it(found)
            && !beside(found)
    });
    wrong.extend(false_claims.map(|found| format!("false claim: {}", short(found))));
    wrong
}

/// Reads every case, prints hits, misses and false claims, and fails on any but hits.
fn every(wanted: impl Fn(&str) -> bool, at_least: usize) {
    let Some(corpus) = corpus() else { return };
    let table = std::fs::read_to_string(corpus.join("cases.tsv")).unwrap_or_else(|error| panic!("cases.tsv: {error}"));
    let mut told = String::new();
    let (mut hits, mut misses) = (0, 0);
    let mut open = 0;
    for case in cases(&table).into_iter().filter(|case| wanted(&case.name)) {
        let diagnosis = diagnosis(&corpus.join(&case.name));
        if OPEN.contains(&case.cause.as_str()) {
            open += 1;
            let _ = writeln!(told, "*** OPEN {} ({}): {:?}", case.name, case.cause, crate::loud(&diagnosis));
            continue;
        }
        let wrong = faults(&case, &diagnosis);
        if wrong.is_empty() {
            hits += 1;
            let _ = writeln!(told, "hit   {} ({})", case.name, case.cause);
        } else {
            misses += 1;
            let _ = writeln!(told, "WRONG {} ({}, {})", case.name, case.class, case.cause);
            for wrong in wrong {
                let _ = writeln!(told, "        {wrong}");
            }
        }
    }
    println!("{told}{hits} hits, {misses} wrong, {open} open");
    assert!(hits + misses + open >= at_least, "only {} cases were read", hits + misses + open);
    assert_eq!(misses, 0, "\n{told}");
}

#[test]
fn every_recorded_case_gets_its_true_cause() {
    every(|name| !name.ends_with(".tar.xz"), 50);
}

#[test]
fn healthy_must_gathers_are_silent() {
    every(|name| name.ends_with(".tar.xz"), 2);
}

/// A cause that no row names would be a table that nobody checks.
#[test]
fn each_cause_of_the_table_is_a_cause_of_the_ground_truth() {
    let Some(corpus) = corpus() else { return };
    let table = std::fs::read_to_string(corpus.join("cases.tsv")).unwrap_or_else(|error| panic!("cases.tsv: {error}"));
    let cases = cases(&table);
    for name in CAUSES.iter().map(|cause| cause.name).chain(OPEN.iter().copied()) {
        assert!(cases.iter().any(|case| case.cause == name), "no case has the cause `{name}`");
    }
    for open in OPEN {
        assert!(!CAUSES.iter().any(|cause| cause.name == *open), "`{open}` is both named and open");
    }
}

fn finding<'a>(diagnosis: &'a Diagnosis, signature: &str, entity: &str) -> &'a Finding {
    diagnosis
        .findings
        .iter()
        .find(|f| f.signature.id == signature && (entity.is_empty() || f.entity.name == entity))
        .unwrap_or_else(|| panic!("no finding {signature}/{entity} among {:?}", short_list(diagnosis)))
}

fn read(name: &str) -> Option<Diagnosis> {
    Some(diagnosis(&corpus()?.join(name)))
}

#[test]
fn etcd_that_lost_its_majority_is_confirmed_in_both_log_formats() {
    for name in ["real/etcd35-quorum-lost-zap", "real/etcd34-quorum-lost-capnslog"] {
        let Some(diagnosis) = read(name) else { return };
        assert_eq!(finding(&diagnosis, "CF-2001", "").verdict, VerdictWord::Confirmed, "{name}");
        assert!(diagnosis.findings[0].signature.id == "CF-2001", "{name}: it comes first");
    }
}

/// No confirmed and no probable finding of a signature.
fn never(diagnosis: &Diagnosis, signature: &str) {
    let claimed = diagnosis
        .findings
        .iter()
        .find(|f| f.signature.id == signature && matches!(f.verdict, VerdictWord::Confirmed | VerdictWord::Probable));
    assert!(claimed.is_none(), "{signature} must not be claimed: {:?}", short_list(diagnosis));
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
        let Some(diagnosis) = read(name) else { return };
        println!("{name}: {:?}", short_list(&diagnosis));
        never(&diagnosis, "CF-2001");
    }
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
        let Some(diagnosis) = read(name) else { return };
        never(&diagnosis, "CF-3001");
    }
}

#[test]
fn a_leader_that_came_back_is_resolved() {
    let Some(diagnosis) = read("real/etcd35-leader-changes-recovered") else { return };
    assert_eq!(finding(&diagnosis, "CF-2001", "").verdict, VerdictWord::Resolved);
    assert_eq!(crate::loud(&diagnosis), Vec::<String>::new());
}

#[test]
fn preemption_names_the_runs_the_member_and_the_stage() {
    let Some(diagnosis) = read("kubefleet/preempted-docs-dialect") else { return };
    let found = finding(&diagnosis, "CF-3001", "example-run");
    assert_eq!(found.verdict, VerdictWord::Confirmed);
    let told: String = found.evidence.iter().map(|e| e.claim.as_str()).collect::<Vec<_>>().join("\n");
    for name in ["`example-run`", "`example-run-1`", "`member1`", "`staging`"] {
        assert!(told.contains(name), "{name} is missing in: {told}");
    }
    let Some(diagnosis) = read("real/kubefleet-concurrent-run-preempted") else { return };
    let found = finding(&diagnosis, "CF-3001", "rollout-v2");
    assert_eq!(found.verdict, VerdictWord::Confirmed);
    let told: String = found.evidence.iter().map(|e| e.claim.as_str()).collect::<Vec<_>>().join("\n");
    assert!(told.contains("rollout-hotfix") && told.contains("member-3") && told.contains("production"), "{told}");
    assert!(!short_list(&diagnosis).iter().any(|f| f.contains("rollout-hotfix")), "the winner has not failed");
}

#[test]
fn a_failed_import_with_part_of_the_evidence_asks_for_the_rest() {
    let Some(diagnosis) = read("samples/capi-v1beta1-broken-import.yaml") else { return };
    let found = finding(&diagnosis, "CF-1001", "wl-amber");
    assert_eq!(found.verdict, VerdictWord::Undecided);
    let asked: String = diagnosis.asks.iter().map(|a| a.command.as_str()).collect::<Vec<_>>().join("\n");
    for what in ["clusters.platform.tkestack.io", "clustercredentials", "kubectl logs"] {
        assert!(asked.contains(what), "{what} is not asked for: {asked}");
    }
}

#[test]
fn a_failed_import_without_the_log_of_its_provider_asks_for_it() {
    let Some(diagnosis) = read("real/capi113-failed-import-semireal") else { return };
    let failed = finding(&diagnosis, "CF-1001", "wl-hcs-01");
    assert!(matches!(failed.verdict, VerdictWord::Confirmed | VerdictWord::Probable), "{:?}", short_list(&diagnosis));
    let log = failed.evidence.iter().find(|e| e.id == "sentry-error-repeats").expect("the log is evidence");
    assert_eq!(log.state, EvidenceState::Unknown);
    assert!(diagnosis.asks.iter().any(|ask| ask.command.contains("kubectl logs")), "{:?}", diagnosis.asks);
    assert_eq!(finding(&diagnosis, "CF-1001", "wl-ok-02").verdict, VerdictWord::RuledOut);
}

#[test]
fn each_of_many_faults_is_a_finding_of_its_own() {
    let Some(diagnosis) = read("real/k8s120-many-workload-faults") else { return };
    let faults = [
        ("CF-5001", "f-badcmd"),
        ("CF-5001", "f-crashloop"),
        ("CF-5002", "f-badimage"),
        ("CF-5002", "f-imagepull"),
        ("CF-5003", "f-configmap"),
        ("CF-5003", "f-secretvol"),
        ("CF-5004", "f-oom"),
        ("CF-5005", "f-nonroot"),
        ("CF-5006", "f-init"),
        ("CF-5007", "f-liveness"),
        ("CF-5008", "f-readiness"),
        ("CF-5009", "f-cpu"),
        ("CF-5009", "f-nodeselector"),
        ("CF-5010", "cpaas-system"),
        ("CF-5010", "f-quota"),
        ("CF-5011", "f-evict"),
        ("CF-5016", "f-job"),
        ("CF-5040", "f-pvc"),
    ];
    let mut top: Vec<(&str, &str)> = diagnosis
        .findings
        .iter()
        .filter(|found| claimed(found) && found.caused_by.is_none() && found.signature.severity != Severity::Info)
        .map(|found| (found.signature.id.as_str(), found.entity.namespace.as_deref().unwrap_or_default()))
        .collect();
    // What was described stands first among its like.
    top.sort_unstable();
    assert_eq!(top, faults);
}

#[test]
fn the_lost_node_of_a_member_that_is_out_is_folded_under_it() {
    let Some(diagnosis) = read("real/k8s120-ha-one-control-plane-down") else { return };
    let node = finding(&diagnosis, "CF-6050", "cp-3");
    let cause = node.caused_by.and_then(|index| diagnosis.findings.get(index)).map(|found| found.signature.id.as_str());
    assert_eq!(cause, Some("CF-2010"));
}

#[test]
fn the_crash_loop_of_the_backend_is_folded_under_its_webhook() {
    let Some(diagnosis) = read("real/k8s120-webhook-backend-down") else { return };
    let crash = finding(&diagnosis, "CF-5001", "policy-webhook");
    let cause =
        crash.caused_by.and_then(|index| diagnosis.findings.get(index)).map(|found| found.signature.id.as_str());
    assert_eq!(cause, Some("CF-5035"));
}
