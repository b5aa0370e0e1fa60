//! A regex that is checked when it is read and compiled when it is first needed.
//!
//! Why: the library has hundreds of them, a run needs the few whose literals stand in the bundle, and to
//! compile one costs more than to read the whole signature around it.
//!
//! Invariants: the text is in the syntax of the crate `regex`, so that only the size can be wrong; whoever
//! loads files that no test has proven calls [`LazyRegex::compile`] at once; a regex that turns out too big
//! later gives `None`, which the engine takes as *unknown*, never as "does not match".

use regex::Regex;
use regex_syntax::hir::{Hir, HirKind};
use std::fmt;
use std::sync::{Arc, OnceLock};

/// Bytes that a compiled regex may take.
const SIZE_LIMIT: usize = 1 << 20;

/// How many bytes a literal must have to be worth a start.
pub const SHORTEST_LITERAL: usize = 3;

/// A regex with what its text tells before it is compiled. Copies share what one of them compiled.
#[derive(Clone)]
pub struct LazyRegex(Arc<Inner>);

struct Inner {
    text: String,
    names: Vec<String>,
    has_literal: bool,
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
        let has_literal = has_literal(&parsed);
        Ok(Self(Arc::new(Inner { text: text.to_owned(), names, has_literal, compiled: OnceLock::new() })))
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
        self.0.has_literal
    }

    /// The compiled regex; it is compiled only once.
    ///
    /// # Errors
    /// If it takes more than [`SIZE_LIMIT`].
    pub fn compile(&self) -> Result<&Regex, &regex::Error> {
        let build = || regex::RegexBuilder::new(&self.0.text).size_limit(SIZE_LIMIT).build();
        self.0.compiled.get_or_init(build).as_ref()
    }

    /// The compiled regex, or `None` if it is too big: then nothing is known of any text.
    pub fn get(&self) -> Option<&Regex> {
        self.compile().ok()
    }
}

impl fmt::Debug for LazyRegex {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "LazyRegex({:?})", self.0.text)
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

fn has_literal(hir: &Hir) -> bool {
    match hir.kind() {
        HirKind::Literal(literal) => literal.0.len() >= SHORTEST_LITERAL,
        HirKind::Repetition(repetition) => repetition.min >= 1 && has_literal(&repetition.sub),
        HirKind::Capture(capture) => has_literal(&capture.sub),
        HirKind::Concat(parts) => parts.iter().any(has_literal),
        HirKind::Alternation(branches) => branches.iter().all(has_literal),
        HirKind::Empty | HirKind::Class(_) | HirKind::Look(_) => false,
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
        for text in ["(?P<a>x)(?:(?P<b>y(?<c>z))|(?P<d>w){2,3})? (e)", "no groups", "(?P<a>[^ ]+)*"] {
            let regex = LazyRegex::parse(text).expect("a regex");
            let compiled: Vec<&str> = regex.compile().expect("small").capture_names().flatten().collect();
            assert_eq!(regex.names(), compiled, "{text}");
        }
    }

    #[test]
    fn what_is_too_big_is_known_to_be_so() {
        let regex = LazyRegex::parse("(?P<x>\\w{1000}){1000}").expect("the syntax is right");
        assert!(regex.compile().is_err() && regex.get().is_none());
    }
}
