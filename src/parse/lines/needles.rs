//! Which lines cannot hold a text that somebody looks for.
//!
//! Why: masking a line and reading what it says takes a hundred times as long as looking for a text in it.
//!
//! Invariant: a line is left out only if no needle stands in it as it may be shown, nor in what it says.

use super::RawLine;
use aho_corasick::AhoCorasick;
use facts::secrets;

/// Texts, in any case, of which a line must hold one to be wanted: who looks for lines need not mask all others.
#[derive(Debug, Clone)]
pub struct Needles {
    automaton: AhoCorasick,
    in_message: bool,
    /// One has a character that is often escaped.
    escaped: bool,
}

impl Needles {
    /// Needles that stand in the text of a line, or (`in_message`) in what it says. `None` if the line as it stands cannot
    /// tell: one is empty, is no plain ASCII, or could lie in part in the mask of a secret.
    pub fn new(texts: &[String], in_message: bool) -> Option<Self> {
        let tells = |text: &String| {
            !text.is_empty() && text.bytes().all(|byte| matches!(byte, b' '..=b'~')) && !touches_mask(text)
        };
        if texts.is_empty() || !texts.iter().all(tells) {
            return None;
        }
        let escaped = texts.iter().any(|text| text.contains(['"', '\'', '\\', '/']));
        let automaton = AhoCorasick::builder().ascii_case_insensitive(true).build(texts).ok()?;
        Some(Self { automaton, in_message, escaped })
    }
}

/// Could a text stand partly in a mask: in it, around it, or across one of its ends?
fn touches_mask(text: &str) -> bool {
    let (text, mask) = (text.to_ascii_lowercase(), secrets::MASK);
    let crosses = |left: &str, right: &str| (1..=right.len()).any(|length| left.ends_with(&right[..length]));
    mask.contains(&text) || text.contains(mask) || crosses(&text, mask) || crosses(mask, &text)
}

impl RawLine<'_> {
    /// Can it hold what a needle is made of? False only if no needle stands in its text, nor in what it says.
    pub fn may_hold(&self, needles: &Needles) -> bool {
        needles.automaton.is_match(self.text) || (needles.in_message && self.may_be_written_otherwise(needles.escaped))
    }

    /// Whoever escapes or colours a text may do so in the middle of a needle; what the line says stands without. Letters and
    /// digits are escaped by their numbers alone, which is rare; `any`, if the needle has what is often escaped.
    fn may_be_written_otherwise(&self, any: bool) -> bool {
        let is_number = |at| matches!(self.text.get(at + 1), Some(b'u' | b'x'));
        memchr::memchr2_iter(b'\\', 0x1b, self.text).any(|at| any || self.text[at] == 0x1b || is_number(at))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_needle_is_refused_where_a_mask_could_make_it() {
        let own = |text: &str| Needles::new(&[text.to_owned()], false).is_some();
        assert!(own("disk full") && own("timeout") && own("reda tor"));
        for text in ["", "redact", "[REDACTED]", "is [", "password=[redacted], user", "]", "d] by", "d", "caf\u{e9}"] {
            assert!(!own(text), "{text}");
        }
    }

    #[test]
    fn a_line_without_a_needle_is_left_out() {
        let looked_for = |texts: &[&str], in_message| {
            Needles::new(&texts.iter().map(|text| (*text).to_owned()).collect::<Vec<_>>(), in_message)
                .expect("plain needles")
        };
        let may = |line: &str, needles: &Needles| RawLine { number: 1, text: line.as_bytes() }.may_hold(needles);
        let line = "E0304 10:00:00.000000       1 a.go:1] write /var/lib: no space left on device";
        for in_message in [false, true] {
            let needles = looked_for(&["disk full", "No Space left"], in_message);
            assert!(may(line, &needles) && may(&line.to_uppercase(), &needles));
            assert!(!may("E0304 10:00:00.000000       1 a.go:1] connection refused", &needles));
            assert!(!may("level=error msg=\"a \\\"quoted\\\" word\"", &looked_for(&["disk"], false)));
        }
        // What an escape hides is found in the message alone, and a word without quotes only behind its number.
        let escaped = "{\"msg\":\"\\u0064isk full\"}";
        assert!(may(escaped, &looked_for(&["disk full"], true)) && !may(escaped, &looked_for(&["disk full"], false)));
        assert!(!may("{\"msg\":\"a \\\"quoted\\\" word\"}", &looked_for(&["disk full"], true)));
    }

    proptest! {
        /// A line without a needle holds it nowhere, whatever is masked, escaped or unwrapped in it.
        #[test]
        fn a_line_without_a_needle_does_not_hold_it(
            line in prop::collection::vec(prop::sample::select(vec![
                "disk", "full", " ", "Disk Full", "\\u0064isk", "\\x64isk", "\\n", "\\/", "\\\"", "\\\\", "password=", "hunter2hunter2", "\u{1b}[31m", "msg=\"",
                "\"", "{\"log\":\"", "\"msg\":\"", "}", "E0304 10:00:00.000000       1 a.go:1] ", "\u{e9}", "\0", "level=error ",
            ]), 0..12),
            needle in prop::sample::select(vec!["disk full", "disk", "full", "unter2", "full\"", "/disk", "\\full"]),
        ) {
            let line = line.concat();
            let raw = RawLine { number: 1, text: line.as_bytes() };
            let masked = raw.masked();
            let holds = |text: &str| text.to_ascii_lowercase().contains(needle);
            for (in_message, text) in [(false, &*masked.text), (true, masked.message.as_str())] {
                let needles = Needles::new(&[needle.to_owned()], in_message).expect("a plain needle");
                prop_assert!(raw.may_hold(&needles) || !holds(text), "{text}");
            }
        }
    }
}
