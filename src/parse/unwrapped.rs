//! Errors of a command that somebody broke over several lines to read them better.
//!
//! Why: `Error from server (InternalError): error when creating "x":` says nothing without the lines below it, and
//! every reader of errors wants one line.
//!
//! Invariants: only indented lines below an error that is open (`:` or `,` at its end) are joined to it; their own
//! lines stay, empty, so that all others keep their numbers.

use std::borrow::Cow;

/// Lines that one error goes on for at most.
const MOST: usize = 12;

/// Does the line begin an error whose end stands below it?
fn opens(line: &str) -> bool {
    let starts = ["Error from server", "Error: ", "error: ", "Error ", "Unable to connect", "unable to "];
    starts.iter().any(|start| line.starts_with(start)) && is_open(line)
}

fn is_open(line: &str) -> bool {
    line.trim_end().ends_with([':', ','])
}

/// The lines with each broken error in its first one.
pub(crate) fn lines(lines: &mut [String]) {
    let mut at = 0;
    while at < lines.len() {
        if !opens(&lines[at]) {
            at += 1;
            continue;
        }
        let below = lines[at + 1..]
            .iter()
            .take(MOST)
            .take_while(|line| line.starts_with([' ', '\t']) && !line.trim().is_empty());
        let count = below.count();
        for next in at + 1..=at + count {
            let text = std::mem::take(&mut lines[next]);
            lines[at].push(' ');
            lines[at].push_str(text.trim());
        }
        at += count + 1;
    }
}

/// The same for a text.
pub(crate) fn text(text: &str) -> Cow<'_, str> {
    if !text.lines().any(opens) {
        return Cow::Borrowed(text);
    }
    let mut all: Vec<String> = text.lines().map(str::to_owned).collect();
    lines(&mut all);
    Cow::Owned(all.join("\n") + "\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_is_one_line() {
        let broken = "Error from server (InternalError): error when creating \"a\":\n  Internal error occurred: failed calling webhook:\n    Post \"https://a.b.svc/x\":\n      connection refused\nnext: line\n  of its own\n";
        assert_eq!(
            text(broken),
            "Error from server (InternalError): error when creating \"a\": Internal error occurred: failed calling webhook: Post \"https://a.b.svc/x\": connection refused\n\n\n\nnext: line\n  of its own\n"
        );
        let whole = "Error from server (NotFound): pods \"a\" not found\n  a: b\n";
        assert_eq!(text(whole), whole);
    }
}
