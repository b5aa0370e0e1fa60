//! `key=value` pairs as klog, logr and logfmt write them.
//!
//! Keys may be quoted (`"cluster"="x"`, old logr); values are quoted Go strings, balanced brackets
//! (`[a b]`, `{"a":1}`) or bare words. Invariants: no recursion; a value that never ends takes the rest of
//! the line; what is no pair is skipped, so one odd word does not hide the pairs after it.

use std::borrow::Cow;

/// One pair with the raw text of its parts (quotes included).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pair<'a> {
    /// The key without quotes.
    pub key: &'a [u8],
    /// The value as it stands.
    pub value: &'a [u8],
}

impl<'a> Pair<'a> {
    /// The value without quotes, escapes as they stand.
    pub fn bare(&self) -> &'a [u8] {
        match self.value {
            [b'"', inner @ ..] => inner.strip_suffix(b"\"").unwrap_or(inner),
            other => other,
        }
    }

    /// The value as text, unquoted.
    pub fn text(&self) -> String {
        match self.value {
            [b'"', ..] => unquote(self.value),
            [b'<', b' ', inner @ ..] => lossy(inner.strip_suffix(b">").unwrap_or(inner).trim_ascii()),
            _ => lossy(self.value),
        }
    }
}

/// Walks the pairs of a line.
#[derive(Debug, Clone)]
pub struct Pairs<'a> {
    rest: &'a [u8],
}

impl<'a> Pairs<'a> {
    /// Pairs in the text.
    pub fn new(rest: &'a [u8]) -> Self {
        Self { rest }
    }
}

impl<'a> Iterator for Pairs<'a> {
    type Item = Pair<'a>;

    fn next(&mut self) -> Option<Pair<'a>> {
        loop {
            let start = self.rest.iter().position(|b| !matches!(b, b' ' | b'\t' | b','))?;
            let text = &self.rest[start..];
            let (key, after) = if text[0] == b'"' {
                let end = quoted_len(text);
                (text[..end].strip_prefix(b"\"").and_then(|t| t.strip_suffix(b"\"")).unwrap_or(text), &text[end..])
            } else {
                let end = text.iter().position(|b| matches!(b, b'=' | b' ' | b'\t' | b'"')).unwrap_or(text.len());
                (&text[..end], &text[end..])
            };
            let Some(value) = after.strip_prefix(b"=").filter(|_| !key.is_empty()) else {
                // A word that is no pair; at least one byte is consumed, so the walk ends.
                self.rest = if after.len() < text.len() { after } else { &after[1..] };
                continue;
            };
            let end = value_len(value);
            self.rest = &value[end..];
            return Some(Pair { key, value: &value[..end] });
        }
    }
}

/// Length of a quoted string with both its quotes; the whole text if it never ends.
pub(crate) fn quoted_len(text: &[u8]) -> usize {
    let mut at = 1;
    while let Some(found) = memchr::memchr2(b'"', b'\\', text.get(at..).unwrap_or_default()) {
        if text[at + found] == b'"' {
            return at + found + 1;
        }
        at += found + 2;
    }
    text.len()
}

/// Length of a bracketed value, quotes inside respected; the whole text if it never ends.
pub(crate) fn bracketed_len(text: &[u8]) -> usize {
    let mut depth = 0usize;
    let mut at = 0;
    while let Some(byte) = text.get(at) {
        match byte {
            b'"' => {
                at += quoted_len(&text[at..]);
                continue;
            }
            b'[' | b'{' => depth += 1,
            b']' | b'}' => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    return at + 1;
                }
            }
            _ => {}
        }
        at += 1;
    }
    text.len()
}

fn value_len(text: &[u8]) -> usize {
    match text.first() {
        Some(b'"') => quoted_len(text),
        Some(b'[' | b'{') => bracketed_len(text),
        Some(b'<') if text.starts_with(b"< ") => joined_len(text),
        _ => text.iter().position(|b| matches!(b, b' ' | b'\t')).unwrap_or(text.len()),
    }
}

/// Length of a value that was written over several lines, and joined: up to the last ` >` that nothing or a pair follows.
fn joined_len(text: &[u8]) -> usize {
    let ends = memchr::memmem::rfind_iter(text, b" >").map(|at| at + 2);
    let is_end = |end: &usize| text.get(*end).is_none_or(|next| *next == b' ');
    ends.into_iter().find(is_end).unwrap_or(text.len())
}

/// The text of a quoted Go or JSON string. Escapes that are none are kept as they stand.
pub(crate) fn unquote(quoted: &[u8]) -> String {
    let inner = match quoted {
        [b'"', inner @ ..] => {
            if quoted_len(quoted) == quoted.len() {
                inner.strip_suffix(b"\"").unwrap_or(inner)
            } else {
                inner
            }
        }
        other => other,
    };
    unescape(&readable(inner)).into_owned()
}

/// Replaces the escapes of Go and JSON strings.
pub(crate) fn unescape(text: &str) -> Cow<'_, str> {
    if !text.contains('\\') {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('\\') {
        out.push_str(&rest[..at]);
        rest = &rest[at + 1..];
        let hex = |from: usize, to: usize| rest.get(from..to).and_then(|t| u32::from_str_radix(t, 16).ok());
        let (character, used) = match rest.as_bytes().first() {
            Some(b'n') => (Some('\n'), 1),
            Some(b't') => (Some('\t'), 1),
            Some(b'r') => (Some('\r'), 1),
            Some(byte @ (b'"' | b'\\' | b'/' | b'\'')) => (Some(char::from(*byte)), 1),
            Some(b'x') => (hex(1, 3).filter(|c| *c < 0x80).and_then(char::from_u32), 3),
            Some(b'u') => match hex(1, 5) {
                Some(high @ 0xd800..0xdc00) => {
                    let low = rest.get(5..7).filter(|t| *t == "\\u").and_then(|_| hex(7, 11));
                    let pair = low.filter(|low| (0xdc00..0xe000).contains(low));
                    (pair.and_then(|low| char::from_u32(0x10000 + ((high - 0xd800) << 10) + (low - 0xdc00))), 11)
                }
                code => (code.and_then(char::from_u32), 5),
            },
            _ => (None, 0),
        };
        match character {
            Some(character) => {
                out.push(character);
                rest = &rest[used..];
            }
            None => out.push('\\'),
        }
    }
    out.push_str(rest);
    Cow::Owned(out)
}

/// Bytes as readable text.
pub(crate) fn lossy(text: &[u8]) -> String {
    readable(text).into_owned()
}

/// The same, borrowed where it is text: the check of the whole is several times faster than going from piece to piece.
pub(crate) fn readable(text: &[u8]) -> Cow<'_, str> {
    std::str::from_utf8(text).map_or_else(|_| String::from_utf8_lossy(text), Cow::Borrowed)
}
