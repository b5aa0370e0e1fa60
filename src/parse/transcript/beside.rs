//! One document of Kubernetes with sentences beside it: an object that somebody pasted into a mail, and what they ask.
//!
//! Why: one line behind the last brace or key makes all of it no document any more, and a few lines above it make it a text.
//!
//! Invariant: only what no document has in its first column is prose; errors and remarks of kubectl are none, for its
//! streams end in one file.

use crate::transcript::{dialect, stretch};
use crate::{answer, table};

/// Lines of a text that are looked at.
const LOOK: usize = 2_000;
/// Words of the shortest sentence.
const WORDS: usize = 3;
/// Lines behind a brace in which an object says what it is.
const HEAD: usize = 4;

/// Does prose stand beside a document?
pub(super) fn has_prose(head: &str) -> bool {
    head.lines().take(LOOK).any(is_prose)
}

/// A line that a document in block style cannot hold in its first column: several words, the first of them no key.
fn is_prose(line: &str) -> bool {
    let mut words = line.split_whitespace();
    let first = words.next().unwrap_or_default();
    line.starts_with(char::is_alphabetic)
        && !first.ends_with(':')
        && words.count() + 1 >= WORDS
        && !answer::is_one(line)
        && !stretch::is_log(line)
}

/// Does an object begin somewhere in a text that is none?
pub(super) fn has_document(head: &str) -> bool {
    let lines: Vec<&str> = head.lines().take(LOOK).collect();
    let says = |line: &&str| line.contains("\"apiVersion\"") || line.contains("\"kind\"");
    let fenced = lines.iter().any(|line| dialect::fence(line).is_some());
    let begins = |(at, line): (usize, &&str)| {
        let below = lines.get(at + 1..).unwrap_or_default();
        line.starts_with("apiVersion:")
            || line.starts_with("{\"apiVersion\"")
            || line.trim_end() == "{" && below.iter().take(HEAD).any(says)
    };
    !fenced && lines.iter().enumerate().any(begins)
}

/// Does what `kubectl describe` prints of an object begin somewhere in a text?
pub(super) fn has_description(head: &str) -> bool {
    let lines: Vec<&str> = head.lines().take(LOOK).collect();
    (0..lines.len()).any(|at| stretch::begins_description(lines.get(at..).unwrap_or_default()))
}

/// Do a table of a known kind and a line of a log stand in one text? Neither reader of the two reads the other's.
pub(super) fn has_table_and_log(head: &str) -> bool {
    let lines = || head.lines().take(LOOK);
    lines().any(table::is_of_known_kind)
        && lines().any(stretch::is_log)
        && !lines().any(|line| dialect::fence(line).is_some())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_beside_an_object() {
        let yaml = "apiVersion: v1\nkind: Pod\nmetadata:\n  name: a\nstatus:\n  message: |\n    two words and more\n";
        assert!(!has_prose(yaml) && has_document(yaml));
        assert!(has_prose(&format!("{yaml}What can we do?\n")) && has_prose(&format!("So it looks here:\n{yaml}")));
        let error = "Error from server (NotFound): pods \"b\" not found\n";
        assert!(!has_prose(&format!("{yaml}{error}")), "an error of kubectl is no sentence");
        let json = "{\n  \"kind\": \"Pod\",\n  \"message\": \"a b c d\"\n}\n";
        assert!(!has_prose(json) && has_document(json) && has_prose(&format!("It is broken, please help.\n{json}")));
        let described = "Name:         web-1\nNamespace:    shop\nPriority:     0\n";
        assert!(has_description(&format!("It restarts all the time.\n\n{described}")));
        assert!(!has_description("Name: web-1\nWe use the namespace shop.\n"), "no head of a description");
        assert!(!has_document("{\n a: b\n}\n") && !has_document("we set apiVersion: v1 there\n"));
    }
}
