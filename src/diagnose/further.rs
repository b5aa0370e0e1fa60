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
const LISTED: usize = 16;

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
    let mut ranked = ranked(all);
    ranked.truncate(LISTED);
    ranked
}

/// The commands in an order in which each gives data to as many checks as possible that had none before it; of equals
/// the one that helps more, then the order of the clusters.
fn ranked(mut left: Vec<Further>) -> Vec<Further> {
    let mut served: BTreeSet<(String, String)> = BTreeSet::new();
    let mut ranked = Vec::with_capacity(left.len());
    while !left.is_empty() {
        let worth = |row: &Further| {
            let new = |id: &&String| !served.contains(&(row.context.clone(), (*id).clone()));
            (row.signatures.iter().filter(new).count(), row.signatures.len())
        };
        let best = (0..left.len()).max_by_key(|at| (left.get(*at).map(worth), Reverse(*at))).unwrap_or_default();
        let row = left.remove(best);
        served.extend(row.signatures.iter().map(|id| (row.context.clone(), id.clone())));
        ranked.push(row);
    }
    ranked
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_that_helps_most_checks_without_data_comes_first() {
        let row = |command: &str, signatures: &[&str]| Further {
            command: command.to_owned(),
            on: "cluster".to_owned(),
            context: "c".to_owned(),
            what: Vec::new(),
            note: None,
            signatures: signatures.iter().map(|id| (*id).to_owned()).collect(),
        };
        let all =
            vec![row("a", &["1", "2", "3"]), row("b", &["1", "2"]), row("c", &["4"]), row("d", &["2", "3", "5", "6"])];
        let order: Vec<String> = ranked(all).into_iter().map(|row| row.command).collect();
        assert_eq!(order, ["d", "a", "c", "b"]);
    }
}
