//! What else to collect, though no finding waits for it: what the checks that had no data would read.
//!
//! Why: a report that says "179 checks had no data" and asks for nothing leaves its reader alone with what `inspect` of
//! the same bundle knows.
//!
//! Invariants: each command helps a check that could not run in its cluster; none repeats what a finding asks for; the
//! command that helps most checks comes first.

use crate::needs::Needs;
use diagnosis::model::{Diagnosis, Further};
use std::cmp::Reverse;
use std::collections::BTreeSet;

/// Commands that are listed.
const LISTED: usize = 24;

/// The commands, from what each cluster lacks, by the order of the clusters.
pub(crate) fn further(diagnosis: &Diagnosis, lacking: Vec<Needs>) -> Vec<Further> {
    let mut all: Vec<Further> = Vec::new();
    for (context, needs) in diagnosis.contexts.iter().zip(lacking) {
        let without = diagnosis.not_collected.iter().filter(|row| row.context == context.name);
        let mut waiting: BTreeSet<&str> = without.flat_map(|row| &row.signatures).map(String::as_str).collect();
        let not_assessed = diagnosis.not_assessed.iter().filter(|row| row.entity.context == context.name);
        waiting.extend(not_assessed.map(|row| row.signature.as_str()));
        for wanted in needs.wanted {
            let signatures: Vec<String> =
                wanted.signatures.into_iter().filter(|id| waiting.contains(id.as_str())).collect();
            if signatures.is_empty() || diagnosis.asks.iter().any(|ask| ask.command == wanted.command) {
                continue;
            }
            all.push(Further {
                command: wanted.command,
                on: wanted.on,
                context: context.name.clone(),
                what: wanted.what,
                note: wanted.note,
                signatures,
            });
        }
    }
    // Stable: those of equal worth stay in the order of their cluster.
    all.sort_by_key(|row| Reverse(row.signatures.len()));
    all.truncate(LISTED);
    all
}
