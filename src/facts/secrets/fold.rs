//! A text as a person reads it, with the way back: without characters that nobody sees, full-width letters as plain
//! ones, escapes (`\u003d`, `%3D`, `&quot;`) as what they stand for.
//!
//! Why: `pass\u200bword`, `ｐａｓｓｗｏｒｄ`, `password%3Dx` name a password as well as `password=x` does. Secrets are looked for in
//! the folded text, and masked in the one that was written.
//!
//! Invariants: a position of the folded text leads to the start of what was written for it. An escape never becomes a
//! blank or `&`, which would end a value; an escaped quote becomes a sign of its own, because it closes only what
//! an equally escaped one opened.

use std::borrow::Cow;

/// Quotes written as `%22`, `\u0022`, `&quot;`, and `'` in the same ways.
pub(super) const ESCAPED_QUOTES: [char; 6] = ['\u{e022}', '\u{e122}', '\u{e222}', '\u{e027}', '\u{e127}', '\u{e227}'];

/// A folded text.
pub(super) struct Folded<'a> {
    pub(super) text: Cow<'a, str>,
    /// Of each byte of the folded text, where it was written; and the end. `None`: nothing was folded.
    origins: Option<Vec<u32>>,
}

impl<'a> Folded<'a> {
    /// Folds a text.
    pub(super) fn of(text: &'a str) -> Self {
        if !is_worth_it(text) || u32::try_from(text.len()).is_err() {
            return Self { text: Cow::Borrowed(text), origins: None };
        }
        let mut folded = String::with_capacity(text.len());
        let mut origins = Vec::with_capacity(text.len() + 1);
        let mut at = 0;
        while let Some(rest) = text.get(at..).filter(|rest| !rest.is_empty()) {
            let (seen, length) = next(rest);
            if let Some(c) = seen {
                folded.push(c);
                origins.resize(folded.len(), u32::try_from(at).unwrap_or(u32::MAX));
            }
            at += length.max(1);
        }
        origins.push(u32::try_from(text.len()).unwrap_or(u32::MAX));
        Self { text: Cow::Owned(folded), origins: Some(origins) }
    }

    /// Where a position of the folded text was written.
    pub(super) fn origin(&self, at: usize) -> usize {
        match &self.origins {
            None => at,
            Some(origins) => origins.get(at).or(origins.last()).map_or(0, |origin| *origin as usize),
        }
    }
}

fn is_worth_it(text: &str) -> bool {
    let bytes = text.as_bytes();
    // Many bytes at once, without a branch for each of them: nearly every text has none of these.
    let is_odd = |b: u8| {
        u8::from(b.wrapping_sub(b' ') >= 0x5f) | u8::from(b == b'%') | u8::from(b == b'\\') | u8::from(b == b'&')
    };
    let (chunks, rest) = bytes.as_chunks::<32>();
    let mut odd = rest.iter().fold(0, |odd, byte| odd | is_odd(*byte));
    for chunk in chunks {
        odd |= chunk.iter().fold(0, |odd, byte| odd | is_odd(*byte));
    }
    if odd == 0 {
        return false;
    }
    bytes.iter().enumerate().any(|(at, byte)| match byte {
        b'%' => bytes.get(at + 1..at + 3).is_some_and(|two| two.iter().all(u8::is_ascii_hexdigit)),
        b'\\' => bytes.get(at + 1).is_some_and(|next| matches!(next, b'u' | b'x' | b'0' | b'e')),
        b'&' => bytes.get(at + 1).is_some_and(|next| matches!(next, b'#' | b'q' | b'a' | b'l' | b'g')),
        b'\n' | b'\r' | b'\t' => false,
        other => *other < 0x20 || *other >= 0x7f,
    })
}

/// What a person sees of the start of a text, and how long it was written.
fn next(text: &str) -> (Option<char>, usize) {
    let Some(c) = text.chars().next() else { return (None, 0) };
    let length = c.len_utf8();
    match c {
        '%' => match text.get(1..3).and_then(hex) {
            Some(code) => plain(code, 0, 3).unwrap_or((Some(c), length)),
            None => (Some(c), length),
        },
        '\\' => written_escape(text).unwrap_or((Some(c), length)),
        '&' => entity(text).unwrap_or((Some(c), length)),
        '\u{1b}' => (None, length + colour(&text[length..])),
        '\n' | '\r' | '\t' => (Some(c), length),
        '\u{ff01}'..='\u{ff5e}' => (char::from_u32(c as u32 - 0xfee0), length),
        '\u{3000}' | '\u{a0}' | '\u{2000}'..='\u{200a}' | '\u{202f}' | '\u{205f}' => (Some(' '), length),
        '\u{2236}' | '\u{fe55}' | '\u{fe13}' | '\u{a789}' => (Some(':'), length),
        '\u{ad}'
        | '\u{34f}'
        | '\u{61c}'
        | '\u{180e}'
        | '\u{200b}'..='\u{200f}'
        | '\u{202a}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}'
        | '\u{fe00}'..='\u{fe0f}'
        | '\u{feff}'
        | '\u{e0000}'..='\u{e01ef}' => (None, length),
        c if c.is_control() => (None, length),
        c => (Some(c), length),
    }
}

fn hex(digits: &str) -> Option<u32> {
    digits.bytes().all(|b| b.is_ascii_hexdigit()).then(|| u32::from_str_radix(digits, 16).ok()).flatten()
}

/// The visible character of a code; `way` numbers how it was written.
fn plain(code: u32, way: usize, length: usize) -> Option<(Option<char>, usize)> {
    let seen = match code {
        0x22 => ESCAPED_QUOTES[way],
        0x27 => ESCAPED_QUOTES[way + 3],
        0x26 => return None,
        0x21..=0x7e => char::from_u32(code)?,
        0xff01..=0xff5e => char::from_u32(code - 0xfee0)?,
        0x200b..=0x200f | 0x2060..=0x206f | 0xfeff | 0xad => return Some((None, length)),
        // Letters of other scripts, as JSON of Python and of Java writes them.
        0xa1..=0xd7ff if way == 1 => {
            char::from_u32(code).filter(|c| c.is_alphanumeric() || "→«»“”‘’「」：是为為は".contains(*c))?
        }
        _ => return None,
    };
    Some((Some(seen), length))
}

/// `\u003d`, `\x3d`, and the colours `\u001b[31m`, `\x1b[0m`, `\033[1m`, `\e[0m`; behind any number of backslashes.
fn written_escape(text: &str) -> Option<(Option<char>, usize)> {
    let slashes = text.bytes().take_while(|b| *b == b'\\').count();
    let rest = text.get(slashes..)?;
    let (code, length) = match rest.as_bytes().first()? {
        // As the names of members write control characters.
        b'u' if rest.get(1..2) == Some("{") => {
            let end = rest.bytes().take(10).position(|b| b == b'}')?;
            (hex(rest.get(2..end)?)?, end + 1)
        }
        b'u' => (hex(rest.get(1..5)?)?, 5),
        b'x' => (hex(rest.get(1..3)?)?, 3),
        b'e' if rest.get(1..2) == Some("[") => (0x1b, 1),
        b'0' if rest.starts_with("033[") => (0x1b, 3),
        _ => return None,
    };
    let length = slashes + length;
    if code == 0x1b {
        return Some((None, length + colour(text.get(length..)?)));
    }
    plain(code, 1, length)
}

/// `&quot;`, `&#61;`, `&#x3d;`.
fn entity(text: &str) -> Option<(Option<char>, usize)> {
    let end = text.bytes().take(10).position(|b| b == b';')?;
    let name = text.get(1..end)?;
    let code = match name {
        "quot" => 0x22,
        "apos" => 0x27,
        "lt" => 0x3c,
        "gt" => 0x3e,
        _ => match name.strip_prefix("#x").or_else(|| name.strip_prefix("#X")) {
            Some(digits) => hex(digits)?,
            None => name.strip_prefix('#')?.parse().ok()?,
        },
    };
    plain(code, 2, end + 1)
}

/// The length of what stands behind an escape character: `[1;31m`.
fn colour(text: &str) -> usize {
    if !text.starts_with('[') {
        return 0;
    }
    let end = text.bytes().skip(1).take(24).position(|b| (0x40..=0x7e).contains(&b));
    end.map_or(1, |end| end + 2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_person_reads() {
        let of = |text: &str| Folded::of(text).text.into_owned();
        assert_eq!(of("pass\u{200b}wo\u{ad}rd=x"), "password=x");
        assert_eq!(of("ｐａｓｓｗｏｒｄ：x"), "password:x");
        assert_eq!(of("\u{1b}[31mpassword\u{1b}[0m=x"), "password=x");
        assert_eq!(of("\\u0070assword\\u003dx \\\\x3d"), "password=x =");
        assert_eq!(of("password%3Dx%20y 100%"), "password=x%20y 100%");
        assert_eq!(of("a&quot;b&amp;c"), "a\u{e222}b&amp;c");
        assert_eq!(of("plain \\n \"text\""), "plain \\n \"text\"");
    }

    #[test]
    fn the_way_back() {
        let written = "pass\u{200b}word%3Dx";
        let folded = Folded::of(written);
        let at = folded.text.find('=').unwrap();
        assert_eq!(&written[folded.origin(at)..], "%3Dx");
        assert_eq!(folded.origin(folded.text.len()), written.len());
    }
}
