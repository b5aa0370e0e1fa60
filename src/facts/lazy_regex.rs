//! A regex that is compiled only when a text comes that it could match.
//!
//! Why: patterns have hundreds of them, and to compile one costs more than to read the whole signature
//! around it; a run needs those few whose wording stands in the bundle.
//!
//! Invariants: the text is in the syntax of the crate `regex`, so that only the size can be wrong; whoever
//! loads files that no test has proven uses [`LazyRegex::parse`] and calls [`LazyRegex::compile`] at once; of
//! a regex that turns out too big later nothing is known: no match, and no "does not match" either.

use crate::ascii;
use memchr::{memchr2_iter, memmem};
use regex::{Captures, Regex};
use regex_syntax::hir::{Class, Hir, HirKind};
use std::fmt;
use std::sync::{Arc, OnceLock};

/// Bytes that a compiled regex may take.
const SIZE_LIMIT: usize = 1 << 20;

/// How many bytes a literal must have to be worth a start.
pub const SHORTEST_LITERAL: usize = 3;

/// A regex with what its text tells before it is compiled. Copies share what one of them compiled.
#[derive(Clone)]
pub struct LazyRegex(Arc<Inner>);

/// A text that stands in a match.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Literal {
    /// ASCII in small letters if it is folded.
    pub(crate) bytes: Vec<u8>,
    /// Its case does not count. `(?i)` knows letters beyond ASCII that are `k` and `s` in another case, so that it excludes
    /// only texts of ASCII.
    pub(crate) folded: bool,
}

impl Literal {
    /// Does it stand in a text, or may a letter beyond ASCII be meant for one of its own?
    fn may_stand_in(&self, text: &[u8]) -> bool {
        let Some(first) = self.bytes.first() else { return true };
        if !self.folded {
            return memmem::find(text, &self.bytes).is_some();
        }
        let same =
            |at: usize| text.get(at..at + self.bytes.len()).is_some_and(|part| part.eq_ignore_ascii_case(&self.bytes));
        !text.is_ascii() || memchr2_iter(*first, first.to_ascii_uppercase(), text).any(same)
    }
}

struct Inner {
    text: String,
    names: Vec<String>,
    /// One of them stands in every match; empty if that is not known of any.
    needed: OnceLock<Vec<Literal>>,
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

    fn new(text: &str, names: Vec<String>, needed: OnceLock<Vec<Literal>>) -> Self {
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
    pub fn has_literal(&self) -> bool {
        !self.needed().is_empty() && !self.needed().iter().any(|literal| literal.folded)
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

    /// The first match in a text; `None` as well if it is too big.
    pub fn captures<'t>(&self, text: &'t str) -> Option<Captures<'t>> {
        if self.excludes(text) { None } else { self.compile().ok()?.captures(text) }
    }

    /// Every match in a text; none if it is too big.
    pub fn matches<'t>(&self, text: &'t str) -> impl Iterator<Item = Captures<'t>> {
        let regex = if self.excludes(text) { None } else { self.compile().ok() };
        regex.into_iter().flat_map(move |regex| regex.captures_iter(text))
    }

    pub(crate) fn needed(&self) -> &[Literal] {
        let of_text = || regex_syntax::parse(&self.0.text).ok().and_then(|parsed| needed(&parsed)).unwrap_or_default();
        self.0.needed.get_or_init(of_text)
    }

    /// Nothing that a match must hold stands in the text.
    fn excludes(&self, text: &str) -> bool {
        let may_hold = |literal: &Literal| literal.may_stand_in(text.as_bytes());
        self.0.compiled.get().is_none() && !self.needed().is_empty() && !self.needed().iter().any(may_hold)
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
fn needed(hir: &Hir) -> Option<Vec<Literal>> {
    let long = |bytes: &[u8], folded: bool| {
        (bytes.len() >= SHORTEST_LITERAL).then(|| vec![Literal { bytes: bytes.to_vec(), folded }])
    };
    match hir.kind() {
        HirKind::Literal(literal) => long(&literal.0, false),
        HirKind::Repetition(repetition) if repetition.min >= 1 => needed(&repetition.sub),
        HirKind::Capture(capture) => needed(&capture.sub),
        // The part that excludes most: its shortest text is the longest.
        HirKind::Concat(parts) => {
            let of_parts = parts.iter().filter_map(needed);
            let runs = folded_runs(parts).into_iter().filter_map(|run| long(&run, true));
            let shortest = |texts: &Vec<Literal>| texts.iter().map(|text| text.bytes.len()).min().unwrap_or_default();
            let exact = |texts: &Vec<Literal>| !texts.iter().any(|text| text.folded);
            of_parts.chain(runs).max_by_key(|texts| (exact(texts), shortest(texts)))
        }
        HirKind::Alternation(branches) => {
            branches.iter().map(needed).collect::<Option<Vec<_>>>().map(|branches| branches.concat())
        }
        HirKind::Empty | HirKind::Repetition(_) | HirKind::Class(_) | HirKind::Look(_) => None,
    }
}

/// The texts that parts in a row make whose letters are of any case, in small letters.
fn folded_runs(parts: &[Hir]) -> Vec<Vec<u8>> {
    let mut runs = vec![Vec::new()];
    for part in parts {
        let text = match part.kind() {
            HirKind::Literal(literal) if literal.0.is_ascii() => Some(literal.0.to_ascii_lowercase()),
            HirKind::Class(class) => letter_of(class).map(|letter| vec![letter]),
            _ => None,
        };
        match (text, runs.last_mut()) {
            (Some(text), Some(run)) => run.extend(text),
            _ => runs.push(Vec::new()),
        }
    }
    runs
}

/// The letter of ASCII that a class is in both cases, and in those that Unicode knows beside them.
fn letter_of(class: &Class) -> Option<u8> {
    let Class::Unicode(class) = class else { return None };
    let mut letter = None;
    for range in class.ranges() {
        let single = (range.start() == range.end()).then(|| range.start())?;
        let small = match single {
            '\u{212a}' => 'k',
            '\u{17f}' => 's',
            other => other.to_ascii_lowercase(),
        };
        let small = u8::try_from(small).ok().filter(u8::is_ascii_lowercase)?;
        if letter.is_some_and(|known| known != small) {
            return None;
        }
        letter = Some(small);
    }
    letter
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
        assert!(!has("(?i)error (?P<x>.)"), "letters of any case are no fixed text");
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
            [
                "etcd (?:member )?(?P<x>\\w+) is down",
                "(?:lost|no) leader",
                "(?:abc)+d?",
                "a.c",
                "(?i)NoSpace",
                "x{3}y",
                "(?i)disk full|no (?:more )?space",
                "(?i)[kK]isses: (?-i:Ok)",
            ],
            [
                "etcd m1 is down",
                "lost leader",
                "no leader",
                "abcabcd",
                "abd",
                "a-c",
                "nospace",
                "xxxy",
                "xxy",
                "",
                "é",
                "NOSPACE",
                "no\u{17f}pace",
                "DISK Full",
                "di\u{17f}\u{212a} full",
                "No More Space",
                "no space é",
                "\u{212a}isses: Ok",
                "kisses: ok",
                "KISSES: Ok",
            ],
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
    fn letters_of_any_case_exclude_too() {
        let needed = |text: &str| LazyRegex::proven(text).needed().to_vec();
        let folded = |text: &str| vec![Literal { bytes: text.as_bytes().to_vec(), folded: true }];
        assert_eq!(
            needed("(?i)^Disk (?P<x>.) is FULL"),
            folded("is full")
                .into_iter()
                .map(|l| Literal { bytes: [b" ", &l.bytes[..]].concat(), ..l })
                .collect::<Vec<_>>()
        );
        assert_eq!(needed("[ab][cd][ef]"), []);
        let regex = LazyRegex::proven("(?i)disk full");
        assert_eq!(regex.is_match("the disk is empty"), Some(false));
        assert!(regex.0.compiled.get().is_none(), "it is compiled for a text that it could match");
    }

    #[test]
    fn what_is_too_big_is_known_to_be_so() {
        let regex = LazyRegex::parse("(?P<x>\\w{1000}){1000}").expect("the syntax is right");
        assert!(regex.compile().is_err() && regex.is_match("x").is_none());
        assert_eq!(regex.matches("x").count(), 0);
    }
}
