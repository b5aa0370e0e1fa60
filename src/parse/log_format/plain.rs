//! Lines of no known format: perhaps a date in front, perhaps a word that names the level.

use crate::glance::{Component, Glance, level_word};
use crate::time;
use facts::log::{Level, PLAIN};
use nom::Parser;
use nom::branch::alt;

/// The name of the format.
pub(crate) const NAME: &str = PLAIN;

/// Reads what can be read; never fails.
pub(crate) fn head(input: &[u8]) -> Glance<'_> {
    let (rest, time) = match alt((time::date, time::slashed)).parse(input) {
        Ok((rest, time)) => (rest.trim_ascii_start(), Some(time)),
        Err(_) => (input, None),
    };
    Glance {
        time,
        level: leading_level(rest),
        component: Component::default(),
        message: rest,
        format: NAME,
        ..Glance::default()
    }
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
    if marked || is_upper(word) { level_word(word) } else { middle_level(text) }
}

fn is_upper(word: &[u8]) -> bool {
    !word.is_empty() && word.iter().all(u8::is_ascii_uppercase)
}

/// The level between dashes, as Python's logging is often set up: `- app.main - ERROR - ...` behind the time.
fn middle_level(text: &[u8]) -> Level {
    let Some(mut rest) = text.strip_prefix(b"- ") else { return Level::Unknown };
    for _ in 0..3 {
        let end = rest.iter().take(80).position(|b| *b == b' ').unwrap_or(0);
        let (word, after) = rest.split_at(end);
        let Some(after) = after.strip_prefix(b" - ") else { return Level::Unknown };
        if is_upper(word) && level_word(word) != Level::Unknown {
            return level_word(word);
        }
        rest = after;
    }
    Level::Unknown
}
