//! The diagnosis as commands of a GitHub workflow: one annotation for each problem.
//!
//! Invariants: what is over, excluded or undecided is no annotation; a problem names no file, since the places that prove
//! it are in the bundle and not in the repository: they stand in the message.

use diagnosis::model::{CitationInfo, Diagnosis, Finding};
use diagnosis::words;
use diagnosis::workflow::{Command, Level};
use signature::evidence_state::EvidenceState;
use signature::model::{Severity, VerdictWord};

/// Places of one problem.
const PLACES: usize = 3;

/// The diagnosis as workflow commands.
pub fn render(diagnosis: &Diagnosis) -> String {
    diagnosis.findings.iter().filter_map(command).collect()
}

fn command(finding: &Finding) -> Option<String> {
    if !matches!(finding.verdict, VerdictWord::Confirmed | VerdictWord::Probable) {
        return None;
    }
    let level = match finding.severity {
        Severity::Critical | Severity::High => Level::Error,
        Severity::Medium => Level::Warning,
        Severity::Low | Severity::Info => Level::Notice,
    };
    let title = format!("{} ({})", finding.signature.id, words::verdict(finding.verdict));
    let supporting = finding.evidence.iter().filter(|row| row.state == EvidenceState::Supports);
    let mut places: Vec<&CitationInfo> = supporting.flat_map(|row| &row.citations).collect();
    places.dedup();
    let places = places.into_iter().take(PLACES).map(|at| format!("\n{}", words::place(at)));
    let message: String = std::iter::once(finding.headline().to_owned()).chain(places).collect();
    Some(Command { level, title: &title, file: None, line: None, message: &message }.to_string())
}
