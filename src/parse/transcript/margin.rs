//! Outputs that stand further right than the text around them: in a list, a mail, a page of plain text.
//!
//! Why: a margin says nothing, and every reader of outputs wants the first column where the program wrote it.
//!
//! Invariant: only a margin above which prose, a fence or nothing stands, and in which a command was typed, is taken off:
//! the indentation of a document belongs to it.

use crate::transcript::{cut, dialect};

/// Words of a line that is prose and no output.
const WORDS: usize = 5;

/// Takes the margin off each block that begins with a command.
pub(super) fn take_off(lines: &mut [String]) {
    let mut at = 0;
    while at < lines.len() {
        let (before, rest) = lines.split_at_mut(at);
        at += 1;
        let Some(margin) = rest.first().and_then(|line| margin(line)).map(str::to_owned) else { continue };
        let is_typed = rest.first().and_then(|line| line.get(margin.len()..)).is_some_and(cut::is_typed);
        if !is_typed || !stands_apart(before) {
            continue;
        }
        let block = rest.iter_mut().take_while(|line| line.trim().is_empty() || line.starts_with(&margin));
        for line in block {
            line.drain(..margin.len().min(line.len() - line.trim_start().len()));
            at += 1;
        }
        at -= 1;
    }
}

/// The blanks in front of a line, if they are more than a slip.
fn margin(line: &str) -> Option<&str> {
    let blanks = &line[..line.len() - line.trim_start_matches([' ', '\t']).len()];
    (blanks.len() > 1 || blanks == "\t").then_some(blanks).filter(|_| !line.trim().is_empty())
}

/// Does prose, a fence or nothing stand above?
fn stands_apart(before: &[String]) -> bool {
    let Some(above) = before.iter().rev().map(|line| line.trim()).find(|line| !line.is_empty()) else { return true };
    let prose = above.split_whitespace().count() >= WORDS && above.ends_with(['.', ':', '!', '?', '。', '：']);
    let begins = above.starts_with(|c: char| c.is_alphanumeric() || matches!(c, '-' | '*' | '(' | '"'));
    // The keys of a document have no blank in them.
    let key = above.split_once(':').is_some_and(|(key, _)| !key.contains(' '));
    prose && begins && !key || dialect::fence(above).is_some()
}

#[cfg(test)]
mod tests {
    use crate::transcript::dialect::clean;

    #[test]
    fn a_block_below_prose_loses_its_margin() {
        let text = "1. Look at the bindings of the placement:\n\n     kubectl get pods -o yaml\n     items:\n       - a: b\n\n     end\n   So it is.\n";
        assert_eq!(
            clean(text).join("\n"),
            "1. Look at the bindings of the placement:\n\nkubectl get pods -o yaml\nitems:\n  - a: b\n\nend\n   So it is."
        );
        assert_eq!(clean("\t$ kubectl get no\n\tNAME\n"), ["$ kubectl get no", "NAME"]);
        let fenced = "- A step:\n  ```\n  kubectl get no\n  NAME\n  ```\n";
        assert_eq!(clean(fenced), ["- A step:", "  ```", "kubectl get no", "NAME", "```"]);
    }

    #[test]
    fn the_indentation_of_a_document_stays() {
        for text in [
            "data:\n  run.sh: |\n    kubectl get pods\n    kubectl get nodes\n",
            "spec:\n  command:\n    - sh\n\n    kubectl get pods -A\n",
            "It is about these two:\n    apiVersion: v1\n    kind: Pod\n",
            "It was seen that some are not ready:\n    NAME   READY\n    web-0  0/1\n",
        ] {
            assert_eq!(clean(text).join("\n") + "\n", text);
        }
    }
}
