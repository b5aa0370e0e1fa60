//! Regexes of which few can match a text: one scan tells which, and only those are compiled.
//!
//! Why: what a tool, a program or a kind of line looks like are tables of dozens of regexes, and most bundles meet a few
//! of them. To compile them all took longer than to read a small bundle.
//!
//! Invariant: what it says is what each regex alone would say, in the order of the table.

use crate::growing::Growing;
use crate::lazy_regex::LazyRegex;
use regex::Captures;
use std::sync::Arc;

/// Regexes in the order of their table.
#[derive(Debug, Clone, Default)]
pub struct LazySet {
    regexes: Vec<LazyRegex>,
    /// The texts of which one stands in a match, of all regexes; `None` if there are none.
    literals: Option<Arc<Growing>>,
    /// The regex of each text.
    of: Vec<usize>,
    /// Regexes that nothing is known of that stands in every match.
    always: Vec<usize>,
    /// Regexes that letters beyond ASCII may match instead of those of their texts.
    folded: Vec<usize>,
}

impl LazySet {
    /// A set of these; each is in the syntax of the crate `regex`, as [`LazyRegex`] asks.
    pub fn of(regexes: Vec<LazyRegex>) -> Self {
        let (mut texts, mut of, mut always, mut folded) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        for (at, regex) in regexes.iter().enumerate() {
            let needed = regex.needed();
            if needed.is_empty() {
                always.push(at);
            }
            if needed.iter().any(|literal| literal.folded) {
                folded.push(at);
            }
            for literal in needed {
                texts.push(literal.bytes.clone());
                of.push(at);
            }
        }
        let literals = Growing::new(texts).map(Arc::new);
        if literals.is_none() {
            always = (0..regexes.len()).collect();
        }
        Self { regexes, literals, of, always, folded }
    }

    /// The places of those that match, in order; one that is too big never does.
    pub fn matches<'s>(&'s self, text: &'s str) -> impl Iterator<Item = usize> + 's {
        let fits = move |at: &usize| self.regexes.get(*at).is_some_and(|regex| regex.is_match(text) == Some(true));
        self.candidates(text).into_iter().filter(fits)
    }

    /// The same, with what each of them found.
    pub fn found<'s, 't: 's>(&'s self, text: &'t str) -> impl Iterator<Item = (usize, Captures<'t>)> + 's {
        let found = move |at: usize| Some((at, self.regexes.get(at)?.captures(text)?));
        self.candidates(text).into_iter().filter_map(found)
    }

    /// Those that may match.
    fn candidates(&self, text: &str) -> Vec<usize> {
        let mut found = self.always.clone();
        if !text.is_ascii() {
            found.extend(&self.folded);
        }
        if let Some(literals) = &self.literals {
            let regex_of = |pattern: usize| self.of.get(pattern).copied();
            found.extend(literals.found(text).filter_map(regex_of));
        }
        found.sort_unstable();
        found.dedup();
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_says_what_each_regex_alone_would_say() {
        let regexes = ["^(?:no|lost) leader", "(?i)Disk Full", "[0-9]+", "(?P<x>abc)d", "leader$", "(?i)leader"];
        let set = LazySet::of(regexes.iter().map(|text| LazyRegex::proven(text)).collect());
        for text in ["no leader", "disk full", "DISK FULL 7", "di\u{17f}\u{212a} full", "abcd", "a LEADER", "", "é"] {
            let alone =
                |(at, regex): (usize, &&str)| regex::Regex::new(regex).expect("a regex").is_match(text).then_some(at);
            let alone: Vec<usize> = regexes.iter().enumerate().filter_map(alone).collect();
            assert_eq!(set.matches(text).collect::<Vec<_>>(), alone, "{text}");
            assert_eq!(set.found(text).map(|(at, _)| at).collect::<Vec<_>>(), alone, "{text}");
        }
        assert_eq!(set.found("abcd").find_map(|(_, found)| Some(found.name("x")?.as_str())), Some("abc"));
        assert_eq!(LazySet::default().matches("x").count(), 0);
    }
}
