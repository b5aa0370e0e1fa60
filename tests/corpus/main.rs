//! Recorded real bundles with ground truth, where `CASEFILE_CORPUS` says that there are any; and what people pasted.

mod agreement;
#[path = "../common/mod.rs"]
mod common;
mod corpus_describe;
mod corpus_secrets;
mod ground_truths;
mod healthy;
mod installation;
mod layouts;
mod log_samples;
mod seeds;

use diagnosis::model::{Diagnosis, Finding};
use signature::model::{Severity, VerdictWord};

/// Findings that break silence: confirmed, probable or undecided above severity `info`.
fn loud(diagnosis: &Diagnosis) -> Vec<String> {
    let breaks = |finding: &&Finding| {
        matches!(finding.verdict, VerdictWord::Confirmed | VerdictWord::Probable | VerdictWord::Undecided)
            && finding.signature.severity != Severity::Info
    };
    diagnosis.findings.iter().filter(breaks).map(common::short).collect()
}
