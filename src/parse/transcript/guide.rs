//! Is a text a guide, which says what one may see, and no account of what somebody saw?
//!
//! Why: both paste logs into fences. In a ticket they are the evidence; in a guide they are samples of what a fault would
//! look like, of several faults often.
//!
//! The rule: a guide has several headings, is mostly prose of some length, and speaks in conditions (`if you see`, `may look
//! like`: words in `patterns/kinds.yaml`) time and again. A ticket is short, and a report of an incident tells what was.
//!
//! Invariant: it depends on the prose alone; what stands in fences, commands and their outputs count for nothing.

use crate::transcript::cut::Part;
use crate::transcript::{dialect, stretch};
use catalogue::words;

/// Fewer headings have tickets too.
const HEADINGS: usize = 3;
/// Fewer lines of prose have tickets too.
const PROSE: usize = 40;
/// One of so many lines of prose speaks of what may be.
const CONDITIONAL: usize = 12;

/// Is the text a guide?
pub(crate) fn is_one(parts: &[Part], lines: &[&str]) -> bool {
    let outside = parts.iter().filter(|part| !part.fenced && part.shell.is_none());
    let outside = outside.flat_map(|part| lines.get(part.follows.clone()).unwrap_or_default());
    let (mut headings, mut prose, mut conditional) = (0, 0, 0);
    for line in outside.filter(|line| !line.trim().is_empty() && dialect::fence(line).is_none()) {
        if is_heading(line) {
            headings += 1;
        } else if !stretch::is_log(line) {
            prose += 1;
            conditional += usize::from(words::is_conditional(line));
        }
    }
    headings >= HEADINGS && prose >= PROSE && conditional * CONDITIONAL >= prose
}

/// `## Symptoms`, and the same of Jira and of reStructuredText.
fn is_heading(line: &str) -> bool {
    let marks = line.len() - line.trim_start_matches('#').len();
    let underline = line.len() > 3 && line.bytes().all(|byte| byte == b'=') || line.bytes().all(|byte| byte == b'~');
    let jira = line.starts_with('h') && line.get(1..4).is_some_and(|rest| rest.ends_with(". "));
    (1..=6).contains(&marks) && line.get(marks..).is_some_and(|rest| rest.starts_with(' ')) || underline || jira
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::transcript::cut;

    fn is_guide(text: &str) -> bool {
        let lines = dialect::clean(text);
        let borrowed: Vec<&str> = lines.iter().map(String::as_str).collect();
        is_one(&cut::cut(&lines), &borrowed)
    }

    #[test]
    fn prose_and_its_conditions_tell_a_guide_from_a_ticket() {
        let section = |at: usize| {
            format!(
                "## Problem {at}\n\n{}If you see lines such as these, the member may be broken.\n\n```\nE0514 10:00:00.000000 1 a.go:1] broken\n```\n\n",
                "Members keep their data on a disk of their own.\n".repeat(9)
            )
        };
        let guide: String = (0..5).map(section).collect();
        assert!(is_guide(&guide));
        // A ticket in the same form, but short.
        assert!(!is_guide(&section(0)));
        // A report of what was.
        assert!(!is_guide(
            &guide.replace(
                "If you see lines such as these, the member may be",
                "At ten these lines came, the member was"
            )
        ));
        // Long outputs are no prose.
        assert!(!is_guide(&format!(
            "# a\n## b\n## c\nIf you see this:\n```\n{}```\n",
            "E0514 10:00:00.000000 1 a.go:1] x\n".repeat(99)
        )));
    }

    #[test]
    fn headings() {
        for line in ["# a", "###### b", "====", "h2. Symptoms"] {
            assert!(is_heading(line), "{line}");
        }
        for line in ["#a", "=", "a == b", "hello. you", "####### c", "$ h"] {
            assert!(!is_heading(line), "{line}");
        }
    }
}
