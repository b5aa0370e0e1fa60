//! A regex that is compiled only when a text comes that it could match.
//!
//! Why: the library has hundreds of them, and to compile one costs more than to read the whole signature
//! around it; a run needs those few whose wording stands in the bundle.
//!
//! Invariants: the text is in the syntax of the crate `regex`, so that only the size can be wrong; whoever
//! loads files that no test has proven uses [`LazyRegex::parse`] and calls [`LazyRegex::compile`] at once; of
//! a regex that turns out too big later nothing is known: no match, and no "does not match" either.

use facts::ascii;
use regex::{Captures, Regex};
use regex_syntax::hir::{Hir, HirKind};
use std::fmt;
use std::sync::{Arc, OnceLock};

/// Bytes that a compiled regex may take.
const SIZE_LIMIT: usize = 1 << 20;

/// How many bytes a literal must have to be worth a start.
pub(crate) const SHORTEST_LITERAL: usize = 3;

/// A regex with what its text tells before it is compiled. Copies share what one of them compiled.
#[derive(Clone)]
pub struct LazyRegex(Arc<Inner>);

struct Inner {
    text: String,
    names: Vec<String>,
    /// One of them stands in every match; empty if that is not known of any.
    needed: OnceLock<Vec<Vec<u8>>>,
    compiled: OnceLock<Result<Regex, regex::Error>>,
}

impl LazyRegex {
    /// Checks a text.
    ///
    /// # Errors
    /// If it is not in the syntax of the crate `regex`; the error knows the place.
    pub fn parse(text: &str) -> Result<Self, Box<regex_syntax::Error>> {
        let parsed = regex_syntax::parse(text)?;
        let mut names = Vec::new();
        collect_names(&parsed, &mut names);
        Ok(Self::new(text, names, OnceLock::from(needed(&parsed).unwrap_or_default())))
    }

    /// Takes a text that [`Self::parse`] is known to accept.
    pub fn proven(text: &str) -> Self {
        Self::new(text, written_names(text), OnceLock::new())
    }

    fn new(text: &str, names: Vec<String>, needed: OnceLock<Vec<Vec<u8>>>) -> Self {
        Self(Arc::new(Inner { text: text.to_owned(), names, needed, compiled: OnceLock::new() }))
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0.text
    }

    /// The names of its groups, in the order of the text.
    pub fn names(&self) -> &[String] {
        &self.0.names
    }

    /// Must every match hold some fixed text of at least [`SHORTEST_LITERAL`] bytes?
    pub(crate) fn has_literal(&self) -> bool {
        !self.needed().is_empty()
    }

    /// The compiled regex; it is compiled only once.
    ///
    /// # Errors
    /// If it takes more memory than a regex of a signature may.
    pub fn compile(&self) -> Result<&Regex, &regex::Error> {
        let build = || regex::RegexBuilder::new(&ascii::words(&self.0.text)).size_limit(SIZE_LIMIT).build();
        self.0.compiled.get_or_init(build).as_ref()
    }

    /// Does it match somewhere in a text? `None` if it is too big to be known.
    pub fn is_match(&self, text: &str) -> Option<bool> {
        if self.excludes(text) { Some(false) } else { self.compile().ok().map(|regex| regex.is_match(text)) }
    }

    /// Every match in a text; none if it is too big.
    pub fn matches<'t>(&self, text: &'t str) -> impl Iterator<Item = Captures<'t>> {
        let regex = if self.excludes(text) { None } else { self.compile().ok() };
        regex.into_iter().flat_map(move |regex| regex.captures_iter(text))
    }

    fn needed(&self) -> &[Vec<u8>] {
        let of_text = || regex_syntax::parse(&self.0.text).ok().and_then(|parsed| needed(&parsed)).unwrap_or_default();
        self.0.needed.get_or_init(of_text)
    }

    /// Nothing that a match must hold stands in the text.
    fn excludes(&self, text: &str) -> bool {
        let holds = |literal: &Vec<u8>| memchr::memmem::find(text.as_bytes(), literal).is_some();
        self.0.compiled.get().is_none() && self.has_literal() && !self.needed().iter().any(holds)
    }
}

impl fmt::Debug for LazyRegex {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "LazyRegex({:?} {:?})", self.0.text, self.0.names)
    }
}

impl fmt::Display for LazyRegex {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.text)
    }
}

fn collect_names(hir: &Hir, names: &mut Vec<String>) {
    match hir.kind() {
        HirKind::Capture(capture) => {
            names.extend(capture.name.iter().map(ToString::to_string));
            collect_names(&capture.sub, names);
        }
        HirKind::Repetition(repetition) => collect_names(&repetition.sub, names),
        HirKind::Concat(parts) | HirKind::Alternation(parts) => parts.iter().for_each(|p| collect_names(p, names)),
        HirKind::Empty | HirKind::Literal(_) | HirKind::Class(_) | HirKind::Look(_) => {}
    }
}

/// The names of the groups as they are written, `(?P<name>` or `(?<name>`, without parsing the rest.
fn written_names(text: &str) -> Vec<String> {
    let mut names = Vec::new();
    let (mut rest, mut in_class) = (text, false);
    while let Some(c) = rest.chars().next() {
        let named = rest.strip_prefix("(?P<").or_else(|| rest.strip_prefix("(?<"));
        match (c, named.and_then(|rest| rest.split_once('>'))) {
            ('(', Some((name, _))) if !in_class => names.push(name.to_owned()),
            ('[', _) => in_class = true,
            (']', _) => in_class = false,
            _ => {}
        }
        let skip = if c == '\\' { 2 } else { 1 };
        rest = rest.char_indices().nth(skip).map_or("", |(at, _)| rest.get(at..).unwrap_or_default());
    }
    names
}

/// Texts of which every match holds at least one, none shorter than [`SHORTEST_LITERAL`].
fn needed(hir: &Hir) -> Option<Vec<Vec<u8>>> {
    match hir.kind() {
        HirKind::Literal(literal) => (literal.0.len() >= SHORTEST_LITERAL).then(|| vec![literal.0.to_vec()]),
        HirKind::Repetition(repetition) if repetition.min >= 1 => needed(&repetition.sub),
        HirKind::Capture(capture) => needed(&capture.sub),
        // The part that excludes most: its shortest text is the longest.
        HirKind::Concat(parts) => {
            parts.iter().filter_map(needed).max_by_key(|texts| texts.iter().map(Vec::len).min().unwrap_or_default())
        }
        HirKind::Alternation(branches) => {
            branches.iter().map(needed).collect::<Option<Vec<_>>>().map(|branches| branches.concat())
        }
        HirKind::Empty | HirKind::Repetition(_) | HirKind::Class(_) | HirKind::Look(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn literals_are_found_only_where_every_match_has_them() {
        let has = |text: &str| LazyRegex::parse(text).expect("a regex").has_literal();
        assert!(has("ServiceAccount \"(?P<name>[^\"]+)\" not found"));
        assert!(has("(?:updateRun|clusterStagedUpdateRun): (?P<winner>\\S+)"));
        assert!(!has("(?P<all>.*)"));
        assert!(!has("(?:cluster=)?(?P<name>[a-z]+)"), "an optional literal is none");
        assert!(!has("(?:error|\\d+) (?P<x>.)"), "one branch has none");
        assert!(!has("(?i)error: (?P<x>.)"), "letters without case are classes");
    }

    #[test]
    fn the_names_are_those_of_the_compiled_regex() {
        for text in
            [r"(?P<a>x)(?:(?P<b>y(?<c>z))|(?P<d>w){2,3})? (e)", "none", r"(?P<a>[^ ]+)*\((?P<b>[(?P<c>]+)\\(?P<d>é)"]
        {
            let regex = LazyRegex::parse(text).expect("a regex");
            let compiled: Vec<&str> = regex.compile().expect("small").capture_names().flatten().collect();
            assert_eq!(regex.names(), compiled, "{text}");
            assert_eq!(LazyRegex::proven(text).names(), compiled, "{text}");
        }
    }

    #[test]
    fn what_a_match_must_hold_excludes_no_match() {
        let (regexes, texts) = (
            ["etcd (?:member )?(?P<x>\\w+) is down", "(?:lost|no) leader", "(?:abc)+d?", "a.c", "(?i)NoSpace", "x{3}y"],
            ["etcd m1 is down", "lost leader", "no leader", "abcabcd", "abd", "a-c", "nospace", "xxxy", "xxy", "", "é"],
        );
        for (regex, text) in regexes.iter().flat_map(|regex| texts.map(|text| (regex, text))) {
            let (lazy, compiled) = (LazyRegex::proven(regex), Regex::new(regex).expect("a regex"));
            assert_eq!(lazy.is_match(text), Some(compiled.is_match(text)), "{regex} {text}");
            assert_eq!(lazy.matches(text).count(), compiled.captures_iter(text).count(), "{regex} {text}");
        }
        let regex = LazyRegex::proven("etcd (?P<x>\\w+) is down");
        assert_eq!(regex.is_match("etcd m1 is up"), Some(false));
        assert!(regex.0.compiled.get().is_none(), "it is compiled for a text that it could match");
    }

    #[test]
    fn what_is_too_big_is_known_to_be_so() {
        let regex = LazyRegex::parse("(?P<x>\\w{1000}){1000}").expect("the syntax is right");
        assert!(regex.compile().is_err() && regex.is_match("x").is_none());
        assert_eq!(regex.matches("x").count(), 0);
    }
}
