//! Takes out of a text the sentence, or the part of it, that needs a value which is not known.
//!
//! Invariants: what is left has no blank and is not empty; a text without a blank stays as it is.

/// What stands for a value that is not known. No text of a bundle holds it: control characters are made visible, and
/// this one is no character at all (Unicode, section 23.7).
pub(crate) const BLANK: char = '\u{FFFE}';

/// What is said where nothing is left.
const NOTHING_LEFT: &str = "not in this bundle";

/// The text without what has blanks in it.
pub(crate) fn left_out(text: &str) -> String {
    if !text.contains(BLANK) {
        return text.to_owned();
    }
    let whole: Vec<&str> = sentences(text).into_iter().filter(|sentence| !sentence.contains(BLANK)).collect();
    if !whole.is_empty() {
        return whole.join(" ");
    }
    let mut parts: Vec<&str> = text.split_inclusive([',', ';', ':']).collect();
    parts.retain(|part| !part.contains(BLANK));
    let left = parts.concat();
    let left = left.trim().trim_end_matches([',', ';', ':']);
    // What followed a beginning that is gone is no sentence.
    let begins_small = |text: &str| text.starts_with(char::is_lowercase);
    if !left.is_empty() && begins_small(left) == begins_small(text) {
        return left.to_owned();
    }
    // A word that belongs to the value goes with it: `of X`, `(X)`, "`X`".
    let mut words: Vec<&str> = Vec::new();
    for word in text.split(' ') {
        if !word.contains(BLANK) {
            words.push(word);
        } else if words.last().is_some_and(|word| JOINING.contains(word)) {
            words.pop();
        }
    }
    if words.is_empty() { NOTHING_LEFT.to_owned() } else { words.join(" ") }
}

/// Words that lead to a value.
const JOINING: [&str; 12] = ["of", "in", "on", "by", "to", "for", "at", "with", "from", "is", "than", "container"];

/// The sentences of a text, each with its end.
fn sentences(text: &str) -> Vec<&str> {
    let mut all = Vec::new();
    let mut rest = text;
    while let Some(end) = rest.find(". ") {
        let (sentence, after) = rest.split_at(end + 1);
        all.push(sentence);
        rest = after.trim_start();
    }
    if !rest.is_empty() {
        all.push(rest);
    }
    all
}

#[cfg(test)]
mod tests {
    use super::{BLANK, left_out};

    #[test]
    fn what_needs_the_value_goes_with_it() {
        let said = |text: &str| left_out(&text.replace('?', &BLANK.to_string()));
        assert_eq!(said("It failed. Its last line is ?."), "It failed.");
        assert_eq!(said("`x` failed 3 times, last at ?"), "`x` failed 3 times");
        assert_eq!(said("The kubelet restarts container ? of `gateway`"), "The kubelet restarts of `gateway`");
        assert_eq!(
            said("Add the certificate of ? to the node, and restart it."),
            "Add the certificate to the node, and restart it."
        );
        assert_eq!(said("?"), "not in this bundle");
        assert_eq!(said("All is known."), "All is known.");
    }
}
