//! Makes characters that deceive the eye visible.
//!
//! Why: names and log lines come from strangers. A right-to-left override turns a file name around, an
//! escape sequence recolours a terminal, a zero-width space splits a word that is searched for. Reports
//! show such characters by their number instead of obeying them.
//!
//! Invariant: the result holds no control character but line feed and tab, and no character that changes
//! the direction or is invisible.

use std::borrow::Cow;
use std::fmt::Write;

/// Is it a character that is obeyed rather than seen?
pub fn deceives(c: char) -> bool {
    match c {
        '\n' | '\t' => false,
        c if c.is_control() => true,
        '\u{00AD}'
        | '\u{034F}'
        | '\u{061C}'
        | '\u{115F}'..='\u{1160}'
        | '\u{17B4}'..='\u{17B5}'
        | '\u{180E}'
        | '\u{200B}'..='\u{200F}'
        | '\u{2028}'..='\u{202E}'
        | '\u{2060}'..='\u{206F}'
        | '\u{3164}'
        | '\u{FEFF}'
        | '\u{FFA0}'
        | '\u{FFF9}'..='\u{FFFB}'
        | '\u{1BCA0}'..='\u{1BCA3}'
        | '\u{1D173}'..='\u{1D17A}'
        // Tags, and selectors that hide bytes behind a letter.
        | '\u{E0000}'..='\u{E0FFF}' => true,
        _ => false,
    }
}

/// The text with deceiving characters written as `⟨U+202E⟩`; a carriage return before a line feed is dropped.
pub fn visible(text: &str) -> Cow<'_, str> {
    if !text.chars().any(deceives) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 16);
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '\r' if chars.peek() == Some(&'\n') => {}
            c if deceives(c) => {
                let _ = write!(out, "⟨U+{:04X}⟩", u32::from(c));
            }
            c => out.push(c),
        }
    }
    Cow::Owned(out)
}

/// The text on one line: line feeds and tabs become spaces, the rest as [`visible`].
pub fn one_line(text: &str) -> String {
    visible(text).split(['\n', '\t']).map(str::trim).filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::{one_line, visible};

    #[test]
    fn deceiving_characters_show_their_number() {
        assert_eq!(visible("plain text, ünïcode"), "plain text, ünïcode");
        assert_eq!(visible("a\u{202E}gpj.exe"), "a⟨U+202E⟩gpj.exe");
        assert_eq!(visible("\u{1b}[31mred\u{7}"), "⟨U+001B⟩[31mred⟨U+0007⟩");
        assert_eq!(visible("x\u{2028}y\u{200B}z"), "x⟨U+2028⟩y⟨U+200B⟩z");
        assert_eq!(visible("a\r\nb\rc"), "a\nb⟨U+000D⟩c");
        assert_eq!(one_line("a\n  b\tc\n"), "a b c");
    }
}
