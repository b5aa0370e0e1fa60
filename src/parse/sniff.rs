//! Tells what a member is from its first bytes.
//!
//! Why content and not names: collectors write etcdctl's output to `.json`, logs to `.txt` and YAML to
//! files without any extension. The extension decides only where YAML has no mark of its own.
//!
//! The lines looked at, at most 40 of a member, are read again by whoever reads the member: the guess keeps nothing,
//! so that it can be asked of any head.
//!
//! Invariant: a guess loses nothing. A document that does not parse is read as a log as well, and a text
//! that is taken for a log by mistake is still searched line by line.

use crate::{answer, line, log_format, text_form};

/// How a member is to be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Guess {
    /// JSON documents: held whole.
    Json,
    /// YAML documents: held whole.
    Yaml,
    /// Text that a command printed (a table, `describe`, an answer, etcdctl): held whole.
    Text,
    /// A log: streamed.
    Log,
    /// A web page: nothing to read.
    Html,
    /// No text: nothing to read.
    Binary,
}

/// Bytes looked at before the way of reading is decided.
pub(crate) const HEAD: usize = 64 << 10;

/// Lines of a head that are looked at for the header of a table.
const LINES: usize = 40;

/// Guesses from the first bytes. `whole` says that there are no others; `name` is the member's name.
pub fn guess(head: &[u8], name: &str, whole: bool) -> Guess {
    if is_binary(head) {
        return Guess::Binary;
    }
    let text = String::from_utf8_lossy(head);
    let text = text.trim_start_matches('\u{feff}').trim_start();
    if is_html(text) {
        return Guess::Html;
    }
    let lines = || significant(text).take(LINES);
    let Some(first) = lines().next() else { return Guess::Text };
    if first.starts_with(['{', '[']) && is_json(first, text) {
        return Guess::Json;
    }
    if text_form::is_marked(lines()) {
        return Guess::Text;
    }
    if mostly_log(text) {
        return Guess::Log;
    }
    if is_yaml(text, name) {
        return Guess::Yaml;
    }
    if whole { Guess::Text } else { Guess::Log }
}

/// Lines that are neither blank nor remarks and answers of kubectl, which precede a document when both
/// output streams were written to one file.
fn significant(text: &str) -> impl Iterator<Item = &str> + Clone {
    text.lines().filter(|line| !line.trim().is_empty() && !answer::is_one(line))
}

/// NUL bytes, and not just the padding that some collectors leave at the end.
fn is_binary(head: &[u8]) -> bool {
    let first = &head[..head.len().min(1 << 10)];
    let text = first.iter().rposition(|byte| *byte != 0).map_or(&first[..0], |last| &first[..=last]);
    let nul = text.iter().filter(|byte| **byte == 0).count();
    let odd = text.iter().filter(|byte| **byte < 9 || (**byte > 13 && **byte < 27) || **byte == 127).count();
    nul > 0 && nul * 50 > text.len() || odd * 5 > text.len()
}

fn is_html(text: &str) -> bool {
    let start: String = text.chars().take(15).flat_map(char::to_lowercase).collect();
    start.starts_with("<!doctype html") || start.starts_with("<html")
}

/// `{` or `[` that opens JSON documents, and no line of a JSON log or a bracketed time.
fn is_json(first: &str, text: &str) -> bool {
    if log_format::is_surely_line(first) {
        return false;
    }
    let mut rest = first[1..].trim_start();
    if rest.is_empty() {
        let start = text.find(['{', '[']).unwrap_or_default();
        rest = text.get(start + 1..).unwrap_or_default().trim_start();
    }
    match first.as_bytes().first() {
        Some(b'{') => rest.starts_with(['"', '}']),
        _ => rest.starts_with(['{', ']', '"', '[']) || rest.is_empty(),
    }
}

/// Do most of the first lines look like a log's?
fn mostly_log(text: &str) -> bool {
    let mut all = 0;
    let mut log = 0;
    for line in significant(text).take(LINES) {
        all += 1;
        log += usize::from(is_log_line(line));
    }
    log * 2 > all
}

/// A line in one of the log formats. A bare level word at the start of a sentence is not enough.
fn is_log_line(line: &str) -> bool {
    let glance = line::glance(line.as_bytes());
    glance.time.is_some() || log_format::is_surely_line(line)
}

/// A mark of YAML: `---`, a Kubernetes field at the start of a line, or the extension and a key.
fn is_yaml(text: &str, name: &str) -> bool {
    let lines = || significant(text).filter(|line| !line.starts_with('#')).take(LINES);
    let Some(first) = lines().next() else { return false };
    if first.trim_end() == "---" || first.starts_with("%YAML") || first.starts_with("--- ") {
        return true;
    }
    let marked = |line: &str| {
        let line = line.strip_prefix("- ").unwrap_or(line);
        ["apiVersion:", "kind:", "items:", "metadata:"].into_iter().any(|key| line.starts_with(key))
    };
    if marked(first) {
        return true;
    }
    let lower = name.to_ascii_lowercase();
    let extension = lower.ends_with(".yaml") || lower.ends_with(".yml");
    extension && (first.starts_with("- ") || first.contains(": ") || first.trim_end().ends_with(':'))
        || !first.starts_with(' ') && first.contains(':') && lines().filter(|line| marked(line)).count() >= 2
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn by_content() {
        let cases: [(&str, &str, Guess); 21] = [
            ("{\n  \"kind\": \"List\"\n}", "a", Guess::Json),
            ("Warning: old\n{\"kind\":\"List\"}", "a", Guess::Json),
            ("[]", "a.txt", Guess::Json),
            ("[\n  {\"a\": 1}\n]", "a", Guess::Json),
            (r#"{"level":"info","ts":"2026-01-01T00:00:00Z","msg":"x"}"#, "a.json", Guess::Log),
            (r#"{"ts":1.5,"logger":"a","msg":"x"}"#, "a.json", Guess::Log),
            (r#"{"apiVersion":"v1","kind":"Event","metadata":{},"message":"x","level":"y"}"#, "a", Guess::Json),
            ("[2026-01-01T00:00:00Z] x\n", "a", Guess::Log),
            ("[web-1] x\n", "a", Guess::Text),
            ("---\na: b\n", "a", Guess::Yaml),
            ("# note\napiVersion: v1\n", "a", Guess::Yaml),
            ("- apiVersion: v1\n", "a", Guess::Yaml),
            ("a: b\n", "a.yaml", Guess::Yaml),
            ("a: b\n", "a.txt", Guess::Text),
            ("Name:         a\nNamespace:    b\n", "a", Guess::Text),
            ("NAME   AGE\na      1d\n", "a.log", Guess::Text),
            ("E1120 20:25:16.037202   22958 a.go:287] \"x\"\n", "a.txt", Guess::Log),
            ("2026-01-01 00:00:00.000000 I | etcdserver: x\n", "a.yaml", Guess::Log),
            ("<!DOCTYPE html><html>", "a.json", Guess::Html),
            ("\u{1}\u{0}\u{2}\u{0}\u{3}\u{0}", "a", Guess::Binary),
            ("{\"a\":1}\u{0}\u{0}\u{0}", "a", Guess::Json),
        ];
        for (text, name, wanted) in cases {
            assert_eq!(guess(text.as_bytes(), name, true), wanted, "{text}");
        }
        assert_eq!(guess(b"some words\n", "a", false), Guess::Log, "a long text of no known format is streamed");
    }
}
