//! What is missing from a diagnosis, in one sentence: the banner of the page, and its line in a ticket.

use diagnosis::model::Diagnosis;
use diagnosis::words;
use signature::model::VerdictWord;

/// What is missing, in clauses joined by semicolons and without a full stop; empty if nothing is.
pub fn sentence(diagnosis: &Diagnosis) -> String {
    let more = |list: &str| diagnosis.more.rows.get(list).copied().unwrap_or_default();
    let asks = diagnosis.asks.len() as u64 + more("asks");
    let limits = diagnosis.limits_hit.len() as u64 + more("limits_hit");
    let blocked = diagnosis.count(VerdictWord::Undecided) + diagnosis.count(VerdictWord::Probable);
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
            "{} refused, failed or may not be whole",
            words::count(refused, "collected answer was", "collected answers were")
        ));
    }
    parts.extend(words::losses(&diagnosis.unread, &diagnosis.more.unread));
    if limits > 0 {
        parts.push(format!("{} reached", words::count(limits, "limit was", "limits were")));
    }
    parts.join("; ")
}
