//! What to collect, by where to run it.

use crate::view::fragment;
use diagnosis::model::Diagnosis;
use diagnosis::visible;
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

/// All commands as a text for a shell, with comments that say where each belongs.
pub fn shell(diagnosis: &Diagnosis) -> String {
    let mut text = String::new();
    for group in asks(diagnosis) {
        text.push_str(&format!("# on {}\n", visible::one_line(&group.on)));
        for ask in group.asks {
            if !ask.note.is_empty() {
                text.push_str(&format!("# {}\n", visible::one_line(&ask.note)));
            }
            text.push_str(&visible::visible(ask.command.trim_end()));
            text.push('\n');
        }
        text.push('\n');
    }
    text
}
