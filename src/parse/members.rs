//! The members of a JSON object as they stand in a log line: for lines whose nested values nobody asks for,
//! and for what wraps lines into JSON.
//!
//! Invariants: nothing is allocated while walking, and there is no recursion; an object that was cut yields the
//! pairs before the cut.

use crate::pairs::{bracketed_len, lossy, quoted_len, unquote};

/// Walks the members of the top level of a JSON object: key without quotes, raw value.
#[derive(Debug, Clone)]
pub(crate) struct Members<'a> {
    rest: &'a [u8],
}

impl<'a> Members<'a> {
    /// `None` if the text does not open an object with a key.
    pub(crate) fn new(text: &'a [u8]) -> Option<Self> {
        let rest = text.strip_prefix(b"{")?;
        (rest.trim_ascii_start().first() == Some(&b'"')).then_some(Self { rest })
    }
}

impl<'a> Iterator for Members<'a> {
    type Item = (&'a [u8], &'a [u8]);

    fn next(&mut self) -> Option<Self::Item> {
        let start = self.rest.iter().position(|b| !matches!(b, b' ' | b'\t' | b','))?;
        let text = self.rest[start..].strip_prefix(b"\"")?;
        let quoted = &self.rest[start..];
        let end = quoted_len(quoted);
        let key = text.get(..end.checked_sub(2)?)?;
        let value = quoted[end..].trim_ascii_start().strip_prefix(b":")?.trim_ascii_start();
        let end = match value.first()? {
            b'"' => quoted_len(value),
            b'{' | b'[' => bracketed_len(value),
            _ => value.iter().position(|b| matches!(b, b',' | b'}')).unwrap_or(value.len()),
        };
        self.rest = &value[end..];
        Some((key, &value[..end]))
    }
}

/// The content of a raw string value, escapes as they stand; other values unchanged.
pub(crate) fn bare(value: &[u8]) -> &[u8] {
    match value {
        [b'"', inner @ .., b'"'] => inner,
        [b'"', inner @ ..] => inner,
        other => other,
    }
}

/// A raw value as text: strings unescaped, everything else as it stands.
pub(crate) fn text(value: &[u8]) -> String {
    if value.first() == Some(&b'"') { unquote(value) } else { lossy(value) }
}
