//! What stands out in a healthy bundle of the same platform too, taken out of what stands out in a sick one.
//!
//! Why: every platform has its own noise, and nobody but its owner can say what of it is ordinary.
//!
//! Invariants: only what is no diagnosis is taken out, anomalies and the loudest lines; findings, verdicts and evidence
//! stay as they are; numbers and names with numbers in them do not tell two texts apart.

use crate::model::{Diagnosis, OF_EVENT};
use std::collections::BTreeSet;

/// Takes out of a diagnosis what stands out in a healthy one as well; gives how many rows that were.
pub fn subtract(diagnosis: &mut Diagnosis, healthy: &Diagnosis) -> u64 {
    let rows = healthy.anomalies.iter().map(|row| (row.kind == OF_EVENT, alike(&row.text)));
    let lines = healthy.loudest.iter().map(|line| (false, alike(&line.text)));
    let known: BTreeSet<(bool, String)> = rows.chain(lines).collect();
    let before = diagnosis.anomalies.len() + diagnosis.loudest.len();
    diagnosis.anomalies.retain(|row| !known.contains(&(row.kind == OF_EVENT, alike(&row.text))));
    diagnosis.loudest.retain(|line| !known.contains(&(false, alike(&line.text))));
    (before - diagnosis.anomalies.len() - diagnosis.loudest.len()) as u64
}

/// A text without what varies from one bundle to the next: every word with a digit in it.
fn alike(text: &str) -> String {
    let word = |word: &str| {
        if word.contains(|c: char| c.is_ascii_digit()) || word.contains('#') { "#" } else { word }.to_owned()
    };
    text.split_whitespace().map(word).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Anomaly;

    fn with(texts: &[&str]) -> Diagnosis {
        let row = |text: &&str| Anomaly {
            kind: "log".to_owned(),
            context: "c".to_owned(),
            subject: "s".to_owned(),
            text: (*text).to_owned(),
            count: 1,
            why: String::new(),
            also: 0,
            time: None,
            citation: None,
        };
        Diagnosis { anomalies: texts.iter().map(row).collect(), ..Diagnosis::default() }
    }

    #[test]
    fn what_is_ordinary_on_that_platform_is_taken_out_and_nothing_else() {
        let mut sick = with(&["probe of web-7f9c failed after 12s", "disk of node is full", "probe of web failed"]);
        assert_eq!(subtract(&mut sick, &with(&["probe of web-1a2b failed after 900s"])), 1);
        let left: Vec<&str> = sick.anomalies.iter().map(|row| row.text.as_str()).collect();
        assert_eq!(left, ["disk of node is full", "probe of web failed"]);
    }
}
