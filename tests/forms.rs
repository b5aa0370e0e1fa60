//! One failure, collected twice: as YAML and JSON, and as tables and `describe` text. A form that shows less
//! may make evidence unknown, and nothing else: it never turns a claim round.
#![expect(clippy::panic, reason = "helpers of tests fail by panicking")]

#[expect(dead_code, reason = "each test file uses a part of it")]
mod common;

use casefile::report::model::{Diagnosis, EvidenceState, Finding};
use casefile::signature::model::VerdictWord;
use common::{diagnosis, short_list};
use std::collections::BTreeMap;
use std::path::Path;

fn sample(name: &str) -> Diagnosis {
    diagnosis(&Path::new(env!("CARGO_MANIFEST_DIR")).join("sample-bundles").join(name).join("bundle"))
}

fn finding<'a>(diagnosis: &'a Diagnosis, signature: &str, entity: &str) -> &'a Finding {
    let found = diagnosis.findings.iter().find(|f| f.signature.id == signature && f.entity.name == entity);
    found.unwrap_or_else(|| panic!("no finding {signature}/{entity} among {:?}", short_list(diagnosis)))
}

fn states(finding: &Finding) -> BTreeMap<&str, EvidenceState> {
    finding.evidence.iter().map(|row| (row.id.as_str(), row.state)).collect()
}

/// What is known in the first and not in the second; panics if the two contradict each other.
fn lost<'a>(whole: &'a Finding, less: &Finding) -> Vec<&'a str> {
    let less = states(less);
    let mut lost = Vec::new();
    for (id, state) in states(whole) {
        match less.get(id) {
            Some(other) if *other == state => {}
            Some(EvidenceState::Unknown) => lost.push(id),
            other => panic!("{id} is {state:?} in one form and {other:?} in the other"),
        }
    }
    lost
}

#[test]
fn a_failed_import_as_text_loses_what_text_can_not_show_and_nothing_else() {
    let (whole, text) = (sample("failed-import"), sample("failed-import-as-text"));
    let (whole, text) = (finding(&whole, "CF-1001", "wl-kestrel"), finding(&text, "CF-1001", "wl-kestrel"));
    assert_eq!(whole.verdict, VerdictWord::Confirmed, "{}", whole.reason);
    let unknown: Vec<&str> =
        states(whole).iter().filter(|(_, s)| **s == EvidenceState::Unknown).map(|(id, _)| *id).collect();
    assert_eq!(unknown, Vec::<&str>::new(), "everything was collected");
    // A table of MachineDeployments has no conditions, and nothing was collected from the workload cluster.
    assert_eq!(lost(whole, text), ["node-not-ready", "sentry-sa", "workers-unavailable"]);
    assert_eq!(text.verdict, VerdictWord::Confirmed, "{}", text.reason);
}

#[test]
fn credentials_are_counted_in_a_table_with_labels_as_in_yaml() {
    let (whole, text) = (sample("failed-import"), sample("failed-import-as-text"));
    let (whole, text) = (finding(&whole, "CF-1002", "wl-kestrel"), finding(&text, "CF-1002", "wl-kestrel"));
    assert_eq!((whole.verdict, text.verdict), (VerdictWord::Confirmed, VerdictWord::Confirmed));
    assert_eq!(lost(whole, text), Vec::<&str>::new());
}

#[test]
fn a_text_without_the_label_of_global_suspects_nobody_of_missing_the_prefix() {
    for name in ["failed-import", "failed-import-as-text"] {
        let diagnosis = sample(name);
        let found: Vec<String> = short_list(&diagnosis).into_iter().filter(|f| f.starts_with("CF-4001")).collect();
        assert_eq!(found, Vec::<String>::new(), "{name}");
    }
}

#[test]
fn a_preempted_run_as_text_loses_nothing_that_its_verdict_needs() {
    let (whole, text) = (sample("binding-preempted"), sample("binding-preempted-as-text"));
    let (whole, text) = (finding(&whole, "CF-3001", "rollout-autumn"), finding(&text, "CF-3001", "rollout-autumn"));
    assert_eq!((whole.verdict, text.verdict), (VerdictWord::Confirmed, VerdictWord::Confirmed), "{}", text.reason);
    for id in ["preempted-message", "binding-taken", "other-run"] {
        assert_eq!(states(text).get(id), Some(&EvidenceState::Supports), "{id}");
    }
}
