//! Lines of no known format: perhaps a date in front, perhaps a word that names the level.

use super::line::{Component, Glance, level_word};
use super::time;
use crate::facts::log::Level;
use nom::Parser;
use nom::branch::alt;

/// The name of the format.
pub const FORMAT: &str = "plain";

/// Reads what can be read; never fails.
pub fn head(input: &[u8]) -> Glance<'_> {
    let (rest, time) = match alt((time::date, time::slashed)).parse(input) {
        Ok((rest, time)) => (rest.trim_ascii_start(), Some(time)),
        Err(_) => (input, None),
    };
    Glance { time, level: leading_level(rest), component: Component::default(), message: rest, format: FORMAT }
}

/// The level that the first word states: `FATAL: ...`, `[WARNING] ...`, `INFO [main] ...`. Words in lower
/// case count only with a bracket or colon, as in `panic: ...`: `error` also begins sentences.
fn leading_level(text: &[u8]) -> Level {
    let (text, bracket) = match text {
        [b'[', rest @ ..] => (rest, true),
        _ => (text, false),
    };
    let end = text.iter().take(10).position(|b| !b.is_ascii_alphabetic()).unwrap_or(0);
    let word = &text[..end];
    let marked = bracket || text.get(end) == Some(&b':');
    let upper = !word.is_empty() && word.iter().all(u8::is_ascii_uppercase);
    if marked || upper { level_word(word) } else { Level::Unknown }
}
