//! Where a value ends, and whether it is one.
//!
//! The rule is that of quotes: a value that was opened by a quote ends with the same quote at the same depth of
//! escapes, whatever stands between; any other ends at white space, or where its neighbour begins.

use super::fold::ESCAPED_QUOTES;
use crate::ascii;
use crate::masked_text;
use regex::Regex;
use std::ops::Range;
use std::sync::LazyLock;

/// A value in a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Value {
    pub(super) range: Range<usize>,
    /// A quote or a bracket opened it.
    pub(super) opened: bool,
    /// Where to read on.
    pub(super) end: usize,
}

fn closer(open: char) -> Option<char> {
    Some(match open {
        '"' | '\'' | '`' => open,
        '“' => '”',
        '‘' => '’',
        '«' => '»',
        '「' => '」',
        '『' => '』',
        c if ESCAPED_QUOTES.contains(&c) => c,
        _ => return None,
    })
}

/// The value that starts at a position.
pub(super) fn at(text: &str, start: usize) -> Option<Value> {
    let rest = text.get(start..)?;
    let slashes = rest.bytes().take_while(|b| *b == b'\\').count();
    let first = rest.get(slashes..)?.chars().next()?;
    // Three quotes, as TOML and Python write a text of several lines.
    let quote = rest.get(..slashes + first.len_utf8()).filter(|_| matches!(first, '"' | '\''));
    if let Some(mark) = quote.map(|quote| quote.repeat(3)).filter(|mark| rest.starts_with(mark))
        && let Some(length) = rest[mark.len()..].find(&mark).filter(|length| *length > 0)
    {
        let range = start + mark.len()..start + mark.len() + length;
        return Some(Value { end: range.end, range, opened: true });
    }
    if let Some(close) = closer(first) {
        let from = start + slashes + first.len_utf8();
        let end = quoted_end(text, from, close, slashes);
        return Some(Value { range: from..end, opened: true, end });
    }
    if let Some(range) = bracketed(text, start, first) {
        let end = range.end;
        return Some(Value { range, opened: true, end });
    }
    let end = bare_end(text, start);
    (end > start).then_some(Value { range: start..end, opened: false, end })
}

/// Where a value ends that a quote behind so many backslashes opened. Without its end: at the end of the line.
fn quoted_end(text: &str, from: usize, close: char, slashes: usize) -> usize {
    let rest = text.get(from..).unwrap_or_default();
    let (mut behind, mut skip) = (0usize, false);
    for (at, c) in rest.char_indices() {
        if skip {
            skip = false;
            continue;
        }
        match c {
            '\\' => behind += 1,
            '\n' if !matches!(close, '"' | '\'') || !rest.contains(close) => return from + at,
            c if c == close => {
                if closes(behind, slashes) {
                    // `''` within quotes is one.
                    let doubled = at > 0 && slashes == 0 && rest[at + c.len_utf8()..].starts_with(close);
                    if !doubled {
                        return from + at - behind;
                    }
                    skip = true;
                }
                behind = 0;
            }
            _ => behind = 0,
        }
    }
    text.len()
}

/// Does a quote behind so many backslashes close what one behind `opened` of them opened? A quote within a text of
/// depth n is written with 2ⁿ - 1 of them, and each backslash of that text as 2ⁿ⁺¹ - 2 more.
fn closes(behind: usize, opened: usize) -> bool {
    let step = opened + 1;
    if step.is_power_of_two() { behind < opened || behind % (2 * step) == opened } else { behind <= opened }
}

/// What stands in brackets, if they hold the whole value: a list of one, `[x]` of a Go map.
fn bracketed(text: &str, start: usize, open: char) -> Option<Range<usize>> {
    let close = match open {
        '[' => ']',
        '(' => ')',
        _ => return None,
    };
    let mut depth = 0usize;
    for (at, c) in text.get(start..)?.char_indices() {
        if c == '\n' {
            return None;
        }
        if c == open {
            depth += 1;
        } else if c == close {
            depth -= 1;
            if depth == 0 {
                let behind = text[start + at + 1..].chars().next();
                let ends = behind.is_none_or(|c| c.is_whitespace() || ",;}])\"'\\.|".contains(c));
                return (ends && at > 1).then_some(start + 1..start + at);
            }
        }
    }
    None
}

/// The start of a neighbour behind a delimiter: `name=` or `"name":`, of letters alone, as no secret is written.
static NEIGHBOUR: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(&ascii::borders(r#"\A(?:[,;&|]|&amp;)\s*(?:[A-Za-z]{2,}(?:[_.-][A-Za-z]+)*(?:[a-z]\d)?=|\\*["'][A-Za-z_.-]+\\*["']\s*:|\\*["']|\{)"#)).ok()
});

/// Where a bare value ends.
pub(super) fn bare_end(text: &str, start: usize) -> usize {
    let rest = text.get(start..).unwrap_or_default();
    let mut end = rest.len();
    for (at, c) in rest.char_indices() {
        let here = &rest[at..];
        let stop = match c {
            c if c.is_whitespace() => true,
            // A line end that was written as one, where it is not within a Windows path.
            '\\' => {
                let slashes = here.bytes().take_while(|b| *b == b'\\').count();
                let behind = here[slashes..].chars().next();
                match behind {
                    Some('n' | 'r' | 't') => {
                        here[slashes + 1..].chars().next().is_none_or(|c| !c.is_lowercase() || slashes > 1)
                            || is_new_word(&here[slashes + 1..])
                    }
                    Some('"' | '\'') => ends_quote(&here[slashes + 1..]),
                    _ => false,
                }
            }
            ',' | ';' | '&' | '|' => at > 0 && NEIGHBOUR.as_ref().is_some_and(|neighbour| neighbour.is_match(here)),
            '<' => here.starts_with("</") || here.starts_with("<br"),
            '"' | '\'' | '`' => ends_quote(&here[1..]),
            c if ESCAPED_QUOTES.contains(&c) => true,
            '”' | '’' | '»' | '」' | '，' | '；' | '。' => true,
            _ => false,
        };
        if stop {
            end = at;
            break;
        }
    }
    start + trimmed(&rest[..end]).len()
}

/// Does a name with a separator follow? Then a written line end stood before it.
fn is_new_word(text: &str) -> bool {
    let word = text.bytes().take_while(|b| b.is_ascii_alphanumeric() || *b == b'_' || *b == b'-').count();
    word > 0 && text[word..].starts_with([' ', ':', '=', '\\', '"']) || word == text.len() && word < 4
}

/// Is what follows a quote such that the quote ends what was around the value?
fn ends_quote(behind: &str) -> bool {
    behind.chars().next().is_none_or(|c| c.is_whitespace() || ",}])>:;\\\"'`|".contains(c))
}

/// Without the marks of the sentence or the list behind it.
fn trimmed(value: &str) -> &str {
    let mut value = value;
    while let Some(last) = value.chars().next_back() {
        let open = match last {
            ')' => '(',
            ']' => '[',
            '}' => '{',
            '>' => '<',
            ',' | ';' | '.' | ':' | '\\' => '\0',
            _ => break,
        };
        let count = |wanted: char| value.chars().filter(|c| *c == wanted).count();
        if open != '\0' && count(open) >= count(last) || value.ends_with("[redacted]") {
            break;
        }
        value = &value[..value.len() - last.len_utf8()];
    }
    value
}

/// Words that stand for no value wherever they stand.
const NOTHING: [&str; 20] = [
    "null",
    "nil",
    "none",
    "true",
    "false",
    "redacted",
    "unset",
    "undefined",
    "empty",
    "n/a",
    "nan",
    "hidden",
    "masked",
    "yes",
    "no",
    "enabled",
    "disabled",
    "optional",
    "xxx",
    "-",
];

/// Words of a sentence about a password or a token.
#[rustfmt::skip]
const WORDS: [&str; 52] = [
    "incorrect", "mismatch", "required", "must", "invalid", "not", "expired", "authentication", "failed", "wrong", "the",
    "too", "cannot", "could", "error", "missing", "flag", "flags", "option", "options", "and", "or", "for", "was", "is", "are", "with", "from",
    "has", "have", "crypto", "unable", "does", "should", "file", "in", "of", "to", "a", "an", "authenticator", "unauthorized", "forbidden", "rejected", "denied",
    "unexpected", "unknown", "bad", "changed", "reset", "set", "illegal",
];

/// `%s`, `%v`, `%!s(string=x)` of a format that nobody filled.
fn is_format(value: &str) -> bool {
    value
        .strip_prefix('%')
        .is_some_and(|rest| rest.len() <= 2 && rest.bytes().all(|b| b.is_ascii_alphabetic() || b == b'+'))
}

/// `$NAME`, `${NAME}`, `$(NAME)`, `{{ .Name }}`.
fn is_variable(value: &str) -> bool {
    let name = |text: &str| {
        !text.is_empty() && text.bytes().all(|b| b.is_ascii_uppercase() || b.is_ascii_digit() || b == b'_')
    };
    if value.starts_with("{{") {
        return value.ends_with("}}") || value == "{{";
    }
    let Some(rest) = value.strip_prefix('$') else { return false };
    let inside = |open, close| rest.strip_prefix(open).and_then(|rest: &str| rest.strip_suffix(close));
    if let Some(inside) = inside('{', '}').or_else(|| inside('(', ')')) {
        return inside.bytes().all(|b| b.is_ascii_alphanumeric() || b"_.-:[]'\"".contains(&b)) && inside.len() <= 64;
    }
    let telling = ["PASS", "PWD", "TOKEN", "SECRET", "KEY", "AUTH", "CRED"].iter().any(|word| rest.contains(word));
    name(rest) && !rest.starts_with(|c: char| c.is_ascii_digit()) && (rest.contains('_') || telling)
}

/// Commands that print what a file or the cluster holds: what stands behind them names a secret, and is none.
const READERS: [&str; 4] = ["kubeadm", "kubectl", "oc", "cat"];

/// `$(kubeadm init phase upload-certs ...)`: a shell puts the value in.
fn is_command(value: &str) -> bool {
    let word = value.strip_prefix("$(").and_then(|rest| rest.split([' ', ')']).next());
    word.is_some_and(|word| READERS.contains(&word))
}

/// `<none>`, `<set to the key 'password' in secret 'db'>`: a note in brackets, of words.
fn is_note(value: &str) -> bool {
    value.starts_with('<') && value.bytes().skip(1).all(|b| b.is_ascii_lowercase() || b" >'\"-_.,".contains(&b))
}

/// Does a value only stand for one? `whole` is what stands there to the end of the line, for notes of several words.
pub(super) fn is_nothing(value: &str, whole: &str) -> bool {
    let word = value.trim_end_matches(['.', ':', '!', '>', ',']).to_ascii_lowercase();
    let note = value.starts_with('<')
        && whole.split_once('>').is_some_and(|(note, _)| is_note(&format!("{note}>")) && note.contains(' '));
    let stars = value.len() >= 2 && (value.bytes().all(|b| b == b'*') || value.bytes().all(|b| b == b'x' || b == b'X'));
    value.trim().is_empty()
        || masked_text::is_mask(value)
        || is_done(value)
        || stars
        || NOTHING.contains(&word.as_str())
        || is_variable(value)
        || is_command(value)
        || is_format(value)
        || value.ends_with("(nil)")
        || is_note(value) && value.ends_with('>')
        || note
}

/// Was it masked, in one or more pieces, with nothing but marks between?
fn is_done(value: &str) -> bool {
    const MARKS: [&str; 3] = ["[redacted]", "***HIDDEN***", "[redacted"];
    let left = MARKS.iter().fold(value.to_owned(), |left, mark| left.replace(mark, ""));
    left.len() < value.len() && !left.chars().any(char::is_alphanumeric)
}

/// Is it a word of a sentence? Only of bare values behind a colon and a blank, or a blank alone.
pub(super) fn is_word(value: &str, behind: &str) -> bool {
    let word = value.trim_end_matches(['.', ':', '!', ',', ';', ')']);
    let lower = word.to_ascii_lowercase();
    let letters = !word.is_empty() && word.chars().all(|c| c.is_alphabetic() || c == '\'' || c == '-');
    let small = letters && word.chars().skip(1).all(|c| !c.is_uppercase());
    let more = behind.strip_prefix(' ').is_some_and(|rest| rest.starts_with(|c: char| c.is_lowercase()));
    WORDS.contains(&lower.as_str()) || small && more || value.ends_with(':')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> &str {
        let value = at(text, 0).unwrap();
        &text[value.range]
    }

    #[test]
    fn a_quote_ends_with_its_like() {
        assert_eq!(of(r#""Zq7v(Tr4k)[Wp2m]" next"#), "Zq7v(Tr4k)[Wp2m]");
        assert_eq!(of(r#""a\"b,c" next"#), r#"a\"b,c"#);
        assert_eq!(of(r#"\"a,b\",\"c\""#), "a,b");
        assert_eq!(of(r#"\\\"a,b\\\",\"c\""#), "a,b");
        assert_eq!(of("'it''s' x"), "it''s");
        assert_eq!(of("\"no end"), "no end");
    }

    #[test]
    fn a_bare_value_ends_at_white_space_or_at_its_neighbour() {
        assert_eq!(of("Zq&7v;Tr4k x"), "Zq&7v;Tr4k");
        assert_eq!(of("abc&user=x"), "abc");
        assert_eq!(of("abc;EndpointSuffix=core"), "abc");
        assert_eq!(of(r#"abc","ts":1}"#), "abc");
        assert_eq!(of("abc), x"), "abc");
        assert_eq!(of("[Bearer_x] y"), "Bearer_x");
        assert_eq!(of("(Tr4k)[Wp2m]x y"), "(Tr4k)[Wp2m]x");
        assert_eq!(of("abc</password>"), "abc");
        assert_eq!(of(r"abc\nuser=y"), "abc");
    }

    #[test]
    fn what_stands_for_a_value() {
        for text in
            ["null", "<none>", "$(DB_PASSWORD)", "${X}", "$MYSQL_PASSWORD", "$(kubeadm", "%s", "***", "[redacted]", ""]
        {
            assert!(is_nothing(text, text), "{text}");
        }
        for text in ["<Zq7v>", "$(echo", "%Zq7v", "$ZQ7VTR4K", "ab", "hunter2", "***x9"] {
            assert!(!is_nothing(text, text), "{text}");
        }
    }
}
