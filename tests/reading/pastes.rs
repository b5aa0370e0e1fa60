//! What people paste, one text each, with the finding that a person would come to first; or nothing, where it shows
//! something that is well, or only speaks of faults.
//!
//! The texts stand in `tests/data/pastes.txt`: a line `=== name | ID` (or `nothing`), and what was pasted below it.
//! Below a line `--- NAME` stands what was pasted into a second file beside the first, `paste.txt`.
#![expect(clippy::unwrap_used, reason = "helpers of tests fail by panicking")]

use crate::common;
use diagnosis::model::{Diagnosis, Finding};
use signature::model::Severity;
use std::path::Path;

/// Name, wanted ID and text of each.
fn pastes(all: &str) -> impl Iterator<Item = (&str, &str, &str)> {
    let parts = all.split("\n=== ").map(|part| part.trim_start_matches("=== "));
    parts.filter_map(|part| {
        let (head, text) = part.split_once('\n')?;
        let (name, wanted) = head.split_once(" | ")?;
        Some((name, wanted, text))
    })
}

/// The finding that stands first in a report.
fn first(diagnosis: &Diagnosis) -> Option<&Finding> {
    let loud = |finding: &&Finding| {
        finding.stands() && finding.caused_by.is_none() && finding.signature.severity != Severity::Info
    };
    diagnosis.findings.iter().find(loud)
}

fn found(folder: &Path, text: &str) -> String {
    let given = folder.join("given");
    let _ = std::fs::remove_dir_all(&given);
    std::fs::create_dir(&given).unwrap();
    let file = given.join("paste.txt");
    let mut parts = text.split("\n--- ").peekable();
    std::fs::write(&file, parts.next().unwrap_or_default()).unwrap();
    let is_alone = parts.peek().is_none();
    for part in parts {
        let (name, text) = part.split_once('\n').unwrap();
        let file = given.join(name);
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(file, text).unwrap();
    }
    let diagnosis = common::diagnosis(if is_alone { &file } else { &given });
    first(&diagnosis).map_or("nothing".to_owned(), |finding| finding.signature.id.clone())
}

#[test]
fn each_paste_gives_its_finding_or_none() {
    let folder = tempfile::tempdir().unwrap();
    let all = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/pastes.txt");
    let all = std::fs::read_to_string(all).unwrap();
    let mut wrong = Vec::new();
    let mut count = 0;
    for (name, wanted, text) in pastes(&all) {
        count += 1;
        let got = found(folder.path(), &format!("{text}\n"));
        if got != wanted {
            wrong.push(format!("{name}: expected {wanted}, got {got}"));
        }
    }
    assert!(count > 60, "only {count} pastes were read");
    assert_eq!(wrong, Vec::<String>::new());
}

/// Events as the API server lists them, of Pods whose probes failed, and of others whose did not.
fn listed(pods: usize) -> String {
    let item = |at: usize| {
        let (kind, reason, message) = match at % 10 {
            0 => ("Warning", "Unhealthy", "Readiness probe failed: HTTP probe failed with statuscode: 503"),
            _ => ("Normal", "Started", "Started container shop"),
        };
        serde_json::json!({
            "apiVersion": "v1", "kind": "Event", "type": kind, "reason": reason, "message": message, "count": 3,
            "metadata": {"name": format!("shop-{at}.1"), "namespace": "shop"},
            "involvedObject": {"kind": "Pod", "namespace": "shop", "name": format!("shop-{at}")},
            "firstTimestamp": "2026-06-01T10:00:00Z", "lastTimestamp": "2026-06-01T10:00:40Z",
        })
    };
    let items: Vec<_> = (0..pods).map(item).collect();
    serde_json::json!({"apiVersion": "v1", "kind": "List", "items": items}).to_string()
}

#[test]
fn a_list_of_a_whole_cluster_is_no_paste() {
    let folder = tempfile::tempdir().unwrap();
    let found = |pods: usize| found(folder.path(), &listed(pods));
    assert_eq!(found(10), "CF-5148", "ten events are what somebody shows");
    assert_eq!(found(100), "nothing", "among a hundred a probe that failed once is passing");
}
