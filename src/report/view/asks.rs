//! What to collect, by where to run it.

use crate::view::fragment;
use diagnosis::model::Diagnosis;
use diagnosis::words;
use serde::Serialize;

/// Commands to run in one place.
#[derive(Debug, Serialize)]
pub struct AskGroup {
    /// Where.
    pub on: String,
    /// The commands.
    pub asks: Vec<AskView>,
}

/// One command.
#[derive(Debug, Serialize)]
pub struct AskView {
    pub command: String,
    /// What to look out for.
    pub note: String,
    /// Anchors that it decides: text and link.
    pub decides: Vec<(String, String)>,
}

/// Commands by where to run them, in the order of their first one.
pub fn asks(diagnosis: &Diagnosis) -> Vec<AskGroup> {
    let mut groups: Vec<AskGroup> = Vec::new();
    for ask in &diagnosis.asks {
        let view = AskView {
            command: ask.command.clone(),
            note: ask.note.clone().unwrap_or_default(),
            decides: ask.decides.iter().map(|anchor| (anchor.clone(), fragment(anchor))).collect(),
        };
        match groups.iter_mut().find(|group| group.on == ask.on) {
            Some(group) => group.asks.push(view),
            None => groups.push(AskGroup { on: ask.on.clone(), asks: vec![view] }),
        }
    }
    groups
}

/// Commands that no finding waits for.
#[derive(Debug, Serialize)]
pub struct FurtherView {
    /// Where, and for which cluster.
    pub on: String,
    pub command: String,
    /// What it adds: `pods, deployments and 9 more kinds`.
    pub what: String,
    /// `gives data to 50 checks`
    pub gives: String,
    /// What to look out for.
    pub note: String,
}

/// What no finding waits for, the command that helps most first.
pub fn further(diagnosis: &Diagnosis) -> Vec<FurtherView> {
    let several = diagnosis.contexts.len() > 1;
    let one = |row: &diagnosis::model::Further| {
        let more = row.what.len().saturating_sub(WHAT);
        let mut what = row.what.iter().take(WHAT).cloned().collect::<Vec<_>>().join(", ");
        if more > 0 {
            what.push_str(&format!(" and {more} more"));
        }
        FurtherView {
            on: if several { format!("{} ({})", row.on, row.context) } else { row.on.clone() },
            command: row.command.clone(),
            what,
            gives: format!("gives data to {}", words::count(row.signatures.len() as u64, "check", "checks")),
            note: row.note.clone().unwrap_or_default(),
        }
    };
    diagnosis.further.iter().map(one).collect()
}

/// Sources that are named of one command.
const WHAT: usize = 4;
