//! Words that say how much of an answer is there: in names of files, in place of rows that were left out, in names of
//! kinds that several API groups have.
//!
//! Why data: each collector and each person has words of their own, and a new one is a line of YAML.
//!
//! Invariant: a word that nobody knows narrows; an answer is never taken for whole because of a name.

use crate::built_in;
use facts::kind::KindName;
use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

/// The rows of `words` in `patterns/kinds.yaml`.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Words {
    /// Plurals and kinds that several API groups have, beside those that the catalogue knows in several.
    ambiguous: BTreeSet<String>,
    /// Words of a file's name that say nothing of what was left out.
    plain: BTreeSet<String>,
    /// Words of a file's or folder's name that say that something was left out.
    narrow: BTreeSet<String>,
    /// Words that stand, in brackets or between dots, for what was left out of a text.
    omitted: BTreeSet<String>,
    /// Words beside them.
    fillers: BTreeSet<String>,
    /// With which the head of a mail begins.
    mail: Vec<String>,
    /// With which the line above a quotation ends.
    quotes: Vec<String>,
    /// What kubectl prints as the STATUS of a Pod or a Node.
    statuses: BTreeSet<String>,
    /// Kinds that every API server serves.
    served: Vec<String>,
    /// Words of a sentence that stands above a sample.
    sample: Vec<String>,
    /// Words of a sentence that stands above a state of before.
    past: Vec<String>,
    /// Words of a sentence that tells what may be.
    conditional: Vec<String>,
    /// Words of the line above a pasted log, beside a name.
    titles: BTreeSet<String>,
    /// Of these people count their machines.
    counted: BTreeSet<String>,
    /// What people call programs.
    programs: BTreeMap<String, String>,
    /// Languages of fences whose text is code or data, and no output.
    code: BTreeSet<String>,
}

#[derive(Deserialize)]
struct File {
    words: Words,
}

static WORDS: LazyLock<Words> =
    LazyLock::new(|| built_in::document::<File>("kinds.yaml").map(|file| file.words).unwrap_or_default());

/// Do several API groups have a kind of this name? The catalogue may know only one of them.
pub fn is_ambiguous(word: &str) -> bool {
    WORDS.ambiguous.contains(word)
}

/// Is the text of a fence of this language code or data, and no output of a program?
pub fn is_code(language: &str) -> bool {
    WORDS.code.contains(&language.to_ascii_lowercase())
}

/// Does a word of the line above a pasted log say no more than that one comes?
pub fn is_of_title(word: &str) -> bool {
    WORDS.titles.contains(&word.to_lowercase())
}

/// Do people count their machines by this word: `Master 2`?
pub fn is_counted(word: &str) -> bool {
    WORDS.counted.contains(&word.to_lowercase())
}

/// The program that people call by this word.
pub fn program(word: &str) -> Option<&'static str> {
    WORDS.programs.get(word).map(String::as_str)
}

/// Does a sentence say that what stands below it is a sample?
pub fn announces_sample(sentence: &str) -> bool {
    let sentence = sentence.to_lowercase();
    sentence.trim_end().ends_with(':') && WORDS.sample.iter().any(|word| sentence.contains(word))
}

/// Does a sentence say that what stands below it was so before?
pub fn tells_of_past(sentence: &str) -> bool {
    let sentence = sentence.to_lowercase();
    WORDS.past.iter().any(|word| sentence.contains(word))
}

/// Does a sentence tell what may be, and not what was?
pub fn is_conditional(sentence: &str) -> bool {
    let sentence = sentence.to_lowercase();
    WORDS.conditional.iter().any(|word| sentence.contains(word))
}

/// Is it a line of the head of a mail, or the one above a quotation?
pub fn begins_mail(line: &str) -> bool {
    let line = line.trim();
    WORDS.mail.iter().any(|start| line.starts_with(start)) || WORDS.quotes.iter().any(|end| line.ends_with(end))
}

/// The one known status that begins so.
pub fn status_of(beginning: &str) -> Option<&'static str> {
    let mut found = WORDS.statuses.iter().filter(|status| status.starts_with(beginning));
    found.next().filter(|_| found.next().is_none()).map(String::as_str)
}

/// The kinds that every API server serves.
pub fn served_everywhere() -> impl Iterator<Item = KindName> {
    WORDS.served.iter().map(|kind| KindName::parse(kind))
}

/// Does a line stand for others that were left out: `...`, `[snip]`, `(12 rows omitted)`, `--More--`?
pub fn is_omission(line: &str) -> bool {
    const AROUND: &[char] =
        &['[', ']', '(', ')', '<', '>', '{', '}', '-', '=', '*', '#', '/', '.', '…', ' ', '\t', '_'];
    let line = line.trim();
    if line.is_empty() || line.len() > 80 {
        return false;
    }
    let inner = line.trim_matches(AROUND);
    let marked = line.contains("...") || line.contains('…');
    if inner.is_empty() {
        return marked;
    }
    if inner.len() == line.len() {
        return false;
    }
    let lower = inner.to_lowercase();
    let mut words = lower.split([' ', ',', '-', '_', ':']).filter(|word| !word.is_empty()).peekable();
    let known = |word: &str| {
        WORDS.omitted.contains(word) || WORDS.fillers.contains(word) || word.bytes().all(|b| b.is_ascii_digit())
    };
    let strong = lower.split([' ', ',', '-', '_', ':']).any(|word| WORDS.omitted.contains(word));
    strong && words.all(known)
}

/// Does a word of a folder's or file's name say that something was left out?
pub fn narrows(word: &str) -> bool {
    let word = word.to_ascii_lowercase();
    word.contains('=') || WORDS.narrow.contains(&word) || WORDS.narrow.contains(word.trim_end_matches('s'))
}

/// Does a word of a file's name say nothing of what was left out: a form, a number, a date, a time before or after?
pub fn is_plain(word: &str) -> bool {
    let word = word.to_ascii_lowercase();
    let letters = word.trim_end_matches(|c: char| c.is_ascii_digit());
    word.starts_with(|c: char| c.is_ascii_digit()) || WORDS.plain.contains(&word) || WORDS.plain.contains(letters)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_that_stand_for_others() {
        for line in [
            "...",
            "…",
            "[...]",
            "[…]",
            "[snip]",
            "<snip>",
            "-- snip --",
            "(output omitted)",
            "... (37 more rows) ...",
            "# ... 12 lines omitted",
            "--More--",
            "[truncated]",
            "<< rest removed >>",
            "  ...  ",
        ] {
            assert!(is_omission(line), "{line}");
        }
        for line in
            ["snip", "web-1   1/1   Running", "---", "", "[web]", "more", "removed", "- name: more", "..a", "(none)"]
        {
            assert!(!is_omission(line), "{line}");
        }
    }

    #[test]
    fn words_of_names() {
        for word in ["wide", "yaml", "all", "A", "2", "20260514T1000Z", "before", "run1", "namespaces"] {
            assert!(is_plain(word), "{word}");
        }
        for word in ["not", "running", "short", "filtered", "tier", "top", "l", "head"] {
            assert!(!is_plain(word), "{word}");
        }
        assert!(narrows("Filtered") && narrows("errors") && narrows("app=web") && !narrows("shop"));
        assert!(is_ambiguous("clusters") && is_ambiguous("backups") && !is_ambiguous("pods"));
        assert!(served_everywhere().any(|kind| kind.to_string() == "pods"));
    }
}
