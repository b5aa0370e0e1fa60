//! What is missing from a diagnosis, in one sentence: the banner of the page, and its line in a ticket.

use diagnosis::model::Diagnosis;
use diagnosis::words;
use signature::model::VerdictWord;

/// What is missing, in clauses joined by semicolons and without a full stop; empty if nothing is.
pub fn sentence(diagnosis: &Diagnosis) -> String {
    let asks = diagnosis.asks.len() as u64;
    let blocked = diagnosis
        .findings
        .iter()
        .filter(|finding| matches!(finding.verdict, VerdictWord::Undecided | VerdictWord::Probable))
        .count() as u64;
    let refused = diagnosis.coverage.iter().filter(|row| row.state.is_missing()).count() as u64;
    let mut parts = Vec::new();
    if asks > 0 {
        parts.push(format!("{} would decide what is open", words::count(asks, "more command", "more commands")));
    }
    if blocked > 0 {
        parts.push(format!(
            "{} for lack of data",
            words::count(blocked, "verdict is held back", "verdicts are held back")
        ));
    }
    if refused > 0 {
        parts.push(format!(
            "{} refused, failed or cut short",
            words::count(refused, "collected answer was", "collected answers were")
        ));
    }
    parts.extend(words::losses(&diagnosis.unread));
    if !diagnosis.limits_hit.is_empty() {
        parts.push(format!("{} reached", words::count(diagnosis.limits_hit.len() as u64, "limit was", "limits were")));
    }
    parts.join("; ")
}
