//! Errors of the collecting command that stand where its output was cut: behind the half of a line, or behind
//! the blanks that were to indent one.
//!
//! Why: kubectl prints to one stream and fails on another, and both often end in one file. A stream that breaks
//! off does so between any two bytes, so the error does not always begin a line; then `phase: Running` becomes
//! `phase: RunUnable to connect to the server: ...`, which every reader would take for a value.
//!
//! Invariants: a text that says itself what went wrong (`message: "... Error from server"`) is no interruption:
//! before a glued error stands neither a blank nor a quote; in YAML, an `error:` that fits where it stands is the
//! object's own.

use crate::answer;

/// How errors begin that are known behind half a line. A bare `error: ` is not enough there: words end so.
const GLUED: [&str; 11] = [
    "Error from server",
    "Unable to connect to the server: ",
    "The connection to the server ",
    "error: timed out",
    "error: unable to ",
    "error: the server ",
    "error: You must be logged in",
    "error: http2: ",
    "error: stream error",
    "error: unexpected EOF",
    "error: context deadline exceeded",
];

/// How many lines above an `error:` are looked at to tell what it belongs to.
const FAR: usize = 2000;

/// Where in a line the text of an error begins that interrupted it; `None` if the line is whole, or is an
/// error from its first byte on.
pub fn at(line: &str) -> Option<usize> {
    let indent = line.len() - line.trim_start().len();
    if indent > 0 && answer::is_error(&line[indent..]) {
        return Some(indent);
    }
    // What stands in the first column (`kind:`, `apiVersion:`), and a version, says nothing of errors.
    let is_top = |at: &usize| {
        let key = line[indent..*at].strip_suffix(": ").unwrap_or_default();
        key == "resourceVersion" || indent == 0 && !key.is_empty() && !key.contains(' ')
    };
    glued(line).or_else(|| anywhere(line).filter(|at| *at >= indent).filter(is_top))
}

/// The same for errors behind half a line alone.
pub(crate) fn glued(line: &str) -> Option<usize> {
    let at = anywhere(line)?;
    let before = line[..at].chars().next_back()?;
    (before.is_alphanumeric() || "-_./:".contains(before)).then_some(at)
}

/// The same where no text of the object itself can hold an error: behind a blank too.
pub fn anywhere(line: &str) -> Option<usize> {
    let starts = GLUED.iter().filter_map(|text| line.find(text));
    let at = starts.filter(|at| *at > 0).min()?;
    answer::is_error(&line[at..]).then_some(at)
}

/// Does this indented line of YAML, which reads like an error, belong to the object above it? `before` is the
/// text above it.
///
/// Writers sort keys, so `error:` belongs to a map whose last key sorts before it, or to one that opens with it;
/// and any line belongs to a text of several lines: a block, or a quoted text that kubectl folded.
pub(crate) fn is_own_in_yaml(before: &str, line: &str) -> bool {
    let depth = |line: &str| line.len() - line.trim_start().len();
    let own = depth(line);
    let mut sibling = None;
    for above in before.rsplit('\n').filter(|above| !above.trim().is_empty()).take(FAR) {
        let text = above.trim_end();
        // The first key of an item stands behind its dash.
        let key = text.trim_start().trim_start_matches("- ");
        let column = text.len() - key.len();
        if depth(text) >= own && column > own {
            continue;
        }
        if column == own {
            sibling = sibling.or(Some(key));
            if depth(text) == own {
                continue;
            }
            // What continues a text of an item's first key stands under that key.
            if opens_quote(text) {
                return true;
            }
            break;
        }
        let opens_text = ["|", "|-", "|+", ">", ">-", ">+"].iter().any(|mark| text.ends_with(&format!(": {mark}")));
        // No `metadata` has such a key, and a map stands two columns deeper than what opens it.
        let opens_map = key != "metadata:" && text.ends_with(':');
        let is_sorted = || sibling.map_or(own == column + 2, sorts_before_error);
        return opens_text || opens_quote(text) || is_error_key(line) && opens_map && is_sorted();
    }
    is_error_key(line) && sibling.is_some_and(sorts_before_error)
}

/// Does the last value of a line begin with a quote that the line does not close?
fn opens_quote(line: &str) -> bool {
    let opened = |quote: char| {
        let value = line.rfind(&format!(": {quote}")).and_then(|at| line.get(at + 3..));
        value.is_some_and(|value| value.matches(quote).count() % 2 == 0)
    };
    opened('\'') || opened('"')
}

fn is_error_key(line: &str) -> bool {
    line.trim_start().starts_with("error: ")
}

fn sorts_before_error(sibling: &str) -> bool {
    sibling.split_once(':').is_some_and(|(key, _)| key < "error")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_behind_half_a_line() {
        for (line, wanted) in [
            ("    phase: RunUnable to connect to the server: EOF", Some("Unable to connect to the server: EOF")),
            ("a   1/1   RunnError from server (Timeout): x", Some("Error from server (Timeout): x")),
            ("      error: timed out waiting for the condition", Some("error: timed out waiting for the condition")),
            ("      finalizererror: timed out waiting", Some("error: timed out waiting")),
            (
                "      \tError from server: etcdserver: request timed out",
                Some("Error from server: etcdserver: request timed out"),
            ),
            ("  resourceVersion: Unable to connect to the server: EOF", Some("Unable to connect to the server: EOF")),
            ("kind: Unable to connect to the server: EOF", Some("Unable to connect to the server: EOF")),
            // A line that is one from its first byte on, and words of the object itself.
            ("error: timed out waiting for the condition", None),
            ("    message: 'it said: Error from server (NotFound): x'", None),
            ("    message: \"Error from server (NotFound): x\"", None),
            ("    message: it said Error from server (NotFound): x", None),
            ("    lasterror: something", None),
            ("    stderr: error: unable to read", None),
        ] {
            assert_eq!(at(line).map(|at| &line[at..]), wanted, "{line}");
        }
    }

    #[test]
    fn an_error_that_the_object_states_itself() {
        for (before, own) in [
            ("status:\n", true),
            ("status:\n  conditions:\n  - type: A\n", true),
            ("status:\n  boundName: a\n", true),
            ("status:\n  phase: Failed\n", false),
            ("metadata:\n", false),
            ("metadata:\n  annotations: {}\n", false),
            ("status:\n  message: |-\n", false),
            ("status: |\n  first\n", true),
            ("spec:\n  nodeName: a\nstatus: {}\n", false),
            ("- a: b\n  phase: x\n", false),
            ("- a: b\n", true),
            ("- message: 'Network plugin returns\n", true),
            ("- {status: 'False', message: 'it''s that the plugin returns\n", true),
            ("- message: \"it returns\n  an\n", true),
            ("- message: 'it returns nothing'\n", false),
            ("", false),
        ] {
            assert_eq!(is_own_in_yaml(before, "  error: timed out"), own, "{before}");
        }
        assert!(is_own_in_yaml("data:\n  log: |\n    one\n", "    Error from server (NotFound): x"));
        assert!(!is_own_in_yaml("data:\n  log: a\n", "  Error from server (NotFound): x"));
    }
}
