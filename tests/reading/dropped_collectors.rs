//! What a collector did not bring changes a verdict only towards unknown, with the true reason, and the
//! diagnosis asks for exactly that.
#![expect(clippy::expect_used, reason = "helpers of tests fail by panicking")]

use crate::common::{diagnosis, files, short_list};
use diagnosis::model::{Diagnosis, Finding};
use signature::evidence_state::EvidenceState;
use signature::model::VerdictWord;
use std::path::Path;

/// How a list is lost.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Loss {
    /// Its file is not there.
    Dropped,
    /// Its file holds what the API server answers to someone without the right.
    Forbidden,
    /// Its file holds what kubectl says when nobody answers.
    Unreachable,
}

/// A copy of the bundle in which one file is lost.
fn with_loss(bundle: &Path, lost: &Path, kind: &str, loss: Loss) -> Diagnosis {
    let copy = tempfile::tempdir().expect("a temporary folder");
    for file in files(bundle) {
        let target = copy.path().join(file.strip_prefix(bundle).expect("inside"));
        std::fs::create_dir_all(target.parent().expect("a folder")).expect("a folder is made");
        let (plural, group) = kind.split_once('.').unwrap_or((kind, ""));
        if file != lost {
            std::fs::copy(&file, &target).expect("a file is copied");
        } else if loss == Loss::Forbidden {
            let text = format!(
                "Error from server (Forbidden): {kind} is forbidden: User \"support\" cannot list resource \"{plural}\" in API group \"{group}\" at the cluster scope\n"
            );
            std::fs::write(&target, text).expect("a file is written");
        } else if loss == Loss::Unreachable {
            let text =
                "The connection to the server 10.9.0.10:6443 was refused - did you specify the right host or port?\n";
            std::fs::write(&target, text).expect("a file is written");
        }
    }
    diagnosis(copy.path())
}

fn of<'a>(diagnosis: &'a Diagnosis, signature: &str, entity: &str) -> Option<&'a Finding> {
    diagnosis.findings.iter().find(|found| found.signature.id == signature && found.entity.name == entity)
}

/// Evidence that was known and is not any more.
fn lost_evidence<'a>(before: &Finding, after: &'a Finding) -> Vec<(&'a str, &'a str)> {
    let known = |id: &str| before.evidence.iter().any(|row| row.id == id && row.state != EvidenceState::Unknown);
    let unknown = after.evidence.iter().filter(|row| row.state == EvidenceState::Unknown && known(&row.id));
    unknown.map(|row| (row.id.as_str(), row.reason.as_str())).collect()
}

#[test]
fn a_lost_list_is_said_and_asked_for() {
    let bundle = Path::new(env!("CARGO_MANIFEST_DIR")).join("sample-bundles/failed-import/bundle");
    let whole = diagnosis(&bundle);
    let before = of(&whole, "CF-1001", "wl-kestrel").unwrap_or_else(|| panic!("{:?}", short_list(&whole)));
    assert_eq!(before.verdict, VerdictWord::Confirmed);
    // The files by the kind that stands in them. The Cluster itself is the entity, and is not taken away.
    let lists = [
        ("global/clustercredentials.platform.tkestack.io.yaml", "clustercredentials.platform.tkestack.io"),
        ("global/clusters.platform.tkestack.io.txt", "clusters.platform.tkestack.io"),
        ("global/kubeadmcontrolplanes.yaml", "kubeadmcontrolplanes.controlplane.cluster.x-k8s.io"),
        ("global/machines.json", "machines.cluster.x-k8s.io"),
        ("wl-kestrel/get-serviceaccounts.txt", "serviceaccounts"),
    ];
    let mut weaker = 0;
    for (file, kind) in lists {
        for loss in [Loss::Dropped, Loss::Forbidden, Loss::Unreachable] {
            let diagnosis = with_loss(&bundle, &bundle.join(file), kind, loss);
            let after = of(&diagnosis, "CF-1001", "wl-kestrel")
                .unwrap_or_else(|| panic!("{file} {loss:?}: no finding among {:?}", short_list(&diagnosis)));
            let allowed = [VerdictWord::Confirmed, VerdictWord::Probable, VerdictWord::Undecided];
            assert!(allowed.contains(&after.verdict), "{file} {loss:?}: {:?}", after.verdict);
            // `machines` stands for kinds of several groups, so a file of that name which holds only an error
            // is an answer to nobody knows what.
            let says_its_kind = kind != "machines.cluster.x-k8s.io";
            let lost = lost_evidence(before, after);
            assert!(!lost.is_empty(), "{file} {loss:?}: no evidence rests on it");
            for (id, reason) in &lost {
                let told = match loss {
                    Loss::Dropped => reason.contains("not collected"),
                    Loss::Forbidden => {
                        reason.contains("forbidden") || reason.contains("may not") || reason.contains("not allowed")
                    }
                    Loss::Unreachable if !says_its_kind => reason.contains("not collected"),
                    Loss::Unreachable => {
                        reason.contains("refused") || reason.contains("fail") || reason.contains("error")
                    }
                };
                assert!(told, "{file} {loss:?}: {id} is unknown for another reason: {reason}");
            }
            if after.verdict == VerdictWord::Confirmed {
                continue;
            }
            weaker += 1;
            let plural = kind.split('.').next().unwrap_or(kind);
            let singular = plural.trim_end_matches('s');
            let asked = diagnosis.asks.iter().any(|ask| {
                ask.command.starts_with("kubectl get")
                    && ask.command.contains(singular)
                    && ask.decides.contains(&after.anchor)
            });
            let commands: Vec<&str> = diagnosis.asks.iter().map(|ask| ask.command.as_str()).collect();
            assert!(asked, "{file} {loss:?}: nothing asks for {kind}: {commands:#?}");
        }
    }
    assert!(weaker >= 6, "only {weaker} losses weakened the verdict: the test proves little");
}
