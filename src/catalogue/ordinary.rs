//! Lines that logs are full of in a cluster that is well (`patterns/ordinary-lines.yaml`).
//!
//! Why: what a literal costs is how often it stands in ordinary lines, and its author cannot see that. Here it can be
//! asked, so that lint can say it before a bundle does.
//!
//! Invariant: this decides nothing about a bundle; only lint asks.

use crate::built_in;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::sync::LazyLock;

/// A line that a program writes many times an hour.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OrdinaryLine {
    /// Which program, as the file groups them.
    pub of: &'static str,
    /// The line as it stands in a log.
    pub text: &'static str,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct OrdinaryFile {
    lines: BTreeMap<String, Vec<String>>,
}

/// The first ordinary line in which a text stands, byte for byte, or `None`.
pub fn line_with(text: &str) -> Option<OrdinaryLine> {
    static LINES: LazyLock<BTreeMap<String, Vec<String>>> = LazyLock::new(|| {
        built_in::document::<OrdinaryFile>("ordinary-lines.yaml").map(|file| file.lines).unwrap_or_default()
    });
    let lines = LINES.iter().flat_map(|(of, lines)| lines.iter().map(move |text| OrdinaryLine { of, text }));
    { lines }.find(|line| line.text.contains(text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_of_an_ordinary_line_is_found_with_its_program() {
        assert_eq!(line_with("finished scheduled compaction").map(|line| line.of), Some("etcd"));
        assert_eq!(line_with("mvcc: database space exceeded"), None);
    }
}
