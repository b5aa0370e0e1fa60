//! A sentence of `patterns/checks.yaml` with places that a check fills in: `{object} has {count} entries`.
//!
//! Invariant: a sentence that loads has only places that [`WORDS`] lists, and paths: `{.spec.version}` is what
//! stands there in what is looked at.

use crate::words::WORDS;
use facts::path::Path;
use serde::Deserialize;

/// Is it a word of [`WORDS`], or a path of what is looked at behind a dot?
fn is_known(word: &str) -> bool {
    let path = || word.strip_prefix('.').is_some_and(|path| Path::parse(path).is_ok());
    WORDS.iter().any(|(known, ..)| *known == word) || path()
}

/// A text with places to fill in.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub(crate) struct Sentence(String);

impl TryFrom<String> for Sentence {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        match text.split('{').skip(1).find(|rest| !rest.split_once('}').is_some_and(|(word, _)| is_known(word))) {
            None => Ok(Self(text)),
            Some(rest) => {
                let names: Vec<&str> = WORDS.iter().map(|(word, ..)| *word).collect();
                Err(format!("`{{{rest}` names nothing that is known; expected `.PATH` or one of {}", names.join(", ")))
            }
        }
    }
}

impl Sentence {
    /// The text, each place filled in by its word.
    pub(crate) fn fill(&self, word: impl Fn(&str) -> String) -> String {
        fill(&self.0, word)
    }
}

/// A text, each of its places filled in by its word.
pub(super) fn fill(text: &str, word: impl Fn(&str) -> String) -> String {
    let mut parts = text.split('{');
    let mut filled = parts.next().unwrap_or_default().to_owned();
    for (name, rest) in parts.filter_map(|part| part.split_once('}')) {
        filled.push_str(&word(name));
        filled.push_str(rest);
    }
    filled
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_filled_in_and_unknown_ones_refused() {
        let sentence = Sentence::try_from("{name} has {count}".to_owned()).unwrap();
        assert_eq!(sentence.fill(|word| format!("<{word}>")), "<name> has <count>");
        assert!(Sentence::try_from("{nmae} is".to_owned()).is_err() && Sentence::try_from("a {".to_owned()).is_err());
    }
}
