//! Regexes that read letters, digits and the borders of words as ASCII.
//!
//! Why: `\w`, `\d` and `\b` of the crate `regex` know every script. `\w` alone is some thousand states, times the bound
//! of each repetition: half the time of a small run was spent on compiling them. And one `\b` keeps a regex from its
//! fast automaton as soon as a text holds a letter that is not ASCII. Logs, names and messages of programs are ASCII.
//!
//! Invariant: on a text of ASCII alone nothing changes.

/// What of a regex is read as ASCII.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum How {
    /// Words, digits and the borders of words.
    All,
    /// Digits and borders; a word may be of any script.
    Borders,
}

/// A regex whose `\w`, `\d`, `\b`, and `\W`, `\D`, mean ASCII.
pub fn words(regex: &str) -> String {
    rewritten(regex, How::All)
}

/// A regex whose `\d`, `\D` and `\b` mean ASCII, and whose words may be of any script: for what is looked for in texts of
/// people.
pub fn borders(regex: &str) -> String {
    rewritten(regex, How::Borders)
}

fn rewritten(regex: &str, how: How) -> String {
    // There a blank or a comment is no part of the regex; we write none.
    if regex.contains("(?x") || !regex.contains('\\') {
        return regex.to_owned();
    }
    let mut out = String::with_capacity(regex.len() + 32);
    let mut classes = 0_usize;
    let mut rest = regex.chars().peekable();
    while let Some(c) = rest.next() {
        match c {
            '\\' => {
                let next = rest.next();
                let (inside, outside) = match next {
                    Some('d') => ("0-9", "[0-9]"),
                    Some('D') => ("[^0-9]", "[^0-9]"),
                    Some('w') if how == How::All => ("0-9A-Za-z_", "[0-9A-Za-z_]"),
                    Some('W') if how == How::All => ("[^0-9A-Za-z_]", "[^0-9A-Za-z_]"),
                    // `\b{start}` and its like are written otherwise.
                    Some('b') if classes == 0 && rest.peek() != Some(&'{') => ("", r"(?-u:\b)"),
                    other => {
                        out.push('\\');
                        out.extend(other);
                        continue;
                    }
                };
                out.push_str(if classes > 0 { inside } else { outside });
            }
            '[' => {
                classes += 1;
                out.push('[');
                if let Some(caret) = rest.next_if_eq(&'^') {
                    out.push(caret);
                }
                // First in a class it stands for itself.
                if let Some(bracket) = rest.next_if_eq(&']') {
                    out.push(bracket);
                }
            }
            ']' => {
                classes = classes.saturating_sub(1);
                out.push(']');
            }
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use regex::Regex;

    #[test]
    fn words_digits_and_borders_are_ascii() {
        assert_eq!(words(r"\bv\d+\.\w{1,9}\s"), r"(?-u:\b)v[0-9]+\.[0-9A-Za-z_]{1,9}\s");
        assert_eq!(
            words(r"[\w.-]+[^\d\s]\W[]\w]\[\w\]"),
            r"[0-9A-Za-z_.-]+[^0-9\s][^0-9A-Za-z_][]0-9A-Za-z_]\[[0-9A-Za-z_]\]"
        );
        assert_eq!(words(r"[\D:]\\d\p{L}\x{41}"), r"[[^0-9]:]\\d\p{L}\x{41}");
        assert_eq!(borders(r"\b\w\d\b"), r"(?-u:\b)\w[0-9](?-u:\b)");
        assert_eq!(words("(?x) \\w # a [comment"), "(?x) \\w # a [comment");
    }

    proptest! {
        #[test]
        fn of_ascii_they_match_the_same(text in "[ -~]{0,40}", index in 0_usize..7) {
            let regex = [
                r"\b\w+\b", r"[\w.-]+:\d{2,5}", r"(?i)\bError\b[^\d]*(\d+)", r"[^\w/](\W\D)", r"\[\d*\]|[]\w]", r"^\w[\w$#]*/", r"\b[a-z]{2}\d\b",
            ][index];
            let spans = |regex: &str| {
                let regex = Regex::new(regex).unwrap();
                regex.find_iter(&text).map(|found| found.range()).collect::<Vec<_>>()
            };
            prop_assert_eq!(spans(regex), spans(&words(regex)));
            prop_assert_eq!(spans(regex), spans(&borders(regex)));
        }
    }
}
