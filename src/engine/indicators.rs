//! How near a finding is to being confirmed: its indicators, and how many of them hold.
//!
//! Invariant: indicators are the evidence that the condition for *confirmed* reads; of alternatives those count that are
//! nearest to holding. What is named by evidence and says nothing (`is_name`) is counted, and never holds.

use crate::evidence::Held;
use crate::finding;
use diagnosis::model::Indicators;
use signature::evidence_state::EvidenceState;
use signature::model::{Condition, Signature};

/// How many indicators hold for one entity, of how many.
pub(crate) fn indicators(signature: &Signature, held: &[Held]) -> Indicators {
    let state = |index: usize| {
        let evidence = signature.evidence.get(index).filter(|evidence| !evidence.is_name());
        evidence.and(held.get(index)).map(|held| finding::state(held.truth))
    };
    let (held, total) = count(&signature.verdict.confirmed, &state, EvidenceState::Supports);
    Indicators { held, total }
}

/// Counts the leaves of a condition that stand as wanted.
fn count(
    condition: &Condition,
    state: &dyn Fn(usize) -> Option<EvidenceState>,
    wanted: EvidenceState,
) -> (usize, usize) {
    let flipped = match wanted {
        EvidenceState::Supports => EvidenceState::Contradicts,
        _ => EvidenceState::Supports,
    };
    let best = |of: &[Condition], take: usize| {
        let mut all: Vec<(usize, usize)> = of.iter().map(|part| count(part, state, wanted)).collect();
        // Nearest to holding first: the fewest missing, then the most held.
        all.sort_by_key(|(held, total)| (total - held, usize::MAX - held));
        all.iter().take(take).fold((0, 0), |(h, t), (held, total)| (h + held, t + total))
    };
    match condition {
        Condition::Evidence(index) => (usize::from(state(*index) == Some(wanted)), 1),
        Condition::Not(inner) => count(inner, state, flipped),
        Condition::And(parts) => {
            let (held, take) = if wanted == EvidenceState::Supports { (0, parts.len()) } else { (0, 1) };
            let (more, total) = best(parts, take);
            (held + more, total)
        }
        Condition::Or(parts) => {
            best(parts, if wanted == EvidenceState::Supports { 1.min(parts.len()) } else { parts.len() })
        }
        Condition::AtLeast(least, parts) => {
            let take =
                if wanted == EvidenceState::Supports { *least } else { (parts.len() + 1).saturating_sub(*least) };
            best(parts, take)
        }
    }
}
