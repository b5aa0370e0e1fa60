//! Lines of no known format: perhaps a date in front, perhaps a word that names the level.

use crate::glance::{Component, Glance, level_word};
use crate::time;
use facts::log::{Level, LineTime, PLAIN};
use nom::Parser;
use nom::branch::alt;

/// The name of the format.
pub(crate) const NAME: &str = PLAIN;

/// Reads what can be read; never fails.
pub(crate) fn head(input: &[u8]) -> Glance<'_> {
    let (rest, time) = match alt((time::date, time::slashed)).parse(input) {
        Ok((rest, time)) => (rest.trim_ascii_start(), Some(time)),
        Err(_) => in_brackets(input).map_or((input, None), |(rest, time)| (rest, Some(time))),
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

/// A time in brackets: `[2026-05-01 10:00:00,123] ERROR ...` of log4j, `[2026-05-01T10:00:00.123Z] "GET / HTTP/1.1" 503` of
/// Envoy, `[2026-05-01 10:00:00 +0000] [7] [INFO]` of gunicorn, `[2026-05-01 10:00:00,123: ERROR/Main]` of Celery.
fn in_brackets(input: &[u8]) -> Option<(&[u8], LineTime)> {
    let inner = input.strip_prefix(b"[")?;
    let (rest, time) = alt((time::rfc3339, time::slashed, time::date)).parse(inner).ok()?;
    let (rest, time) = match rest {
        [b' ', sign @ (b'+' | b'-'), a, b, c, d, rest @ ..] if [a, b, c, d].iter().all(|b| b.is_ascii_digit()) => {
            let stated = &inner[..inner.len() - rest.len() - 6];
            let zoned = [stated, &[*sign, *a, *b, *c, *d]].concat();
            (rest, time::rfc3339(&zoned).map_or(time, |(_, time)| time))
        }
        rest => (rest, time),
    };
    let rest = rest.strip_prefix(b"]").or_else(|| rest.strip_prefix(b": "))?;
    Some((rest.trim_ascii_start(), time))
}

/// Bracketed words in front of a level, as the number of a process.
const BEFORE_LEVEL: usize = 2;

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
    let level = if marked || is_upper(word) { level_word(word) } else { middle_level(text) };
    if level == Level::Unknown && bracket { behind_brackets(text) } else { level }
}

/// The level behind other words in brackets: `[7] [INFO] Booting`.
fn behind_brackets(mut inside: &[u8]) -> Level {
    for _ in 0..BEFORE_LEVEL {
        let end = inside.iter().take(24).position(|b| *b == b']').map(|at| &inside[at + 1..]);
        let Some(next) = end.and_then(|rest| rest.trim_ascii_start().strip_prefix(b"[")) else { break };
        let word = &next[..next.iter().take(10).position(|b| !b.is_ascii_alphabetic()).unwrap_or(0)];
        if next.get(word.len()) == Some(&b']') && level_word(word) != Level::Unknown {
            return level_word(word);
        }
        inside = next;
    }
    Level::Unknown
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

#[cfg(test)]
mod tests {
    use super::*;

    fn show(line: &str) -> String {
        let glance = head(line.as_bytes());
        let time = glance.time.map_or("-".to_owned(), |time| match time {
            LineTime::Exact(time) => time.to_string(),
            LineTime::Civil(time) => format!("{time} somewhere"),
            other => format!("{other:?}"),
        });
        format!("{time} {:?} {}", glance.level, String::from_utf8_lossy(glance.message))
    }

    #[test]
    fn times_and_levels_in_brackets() {
        insta::assert_snapshot!(show("[2026-05-01T10:00:00.123Z] \"GET / HTTP/1.1\" 503"), @r#"2026-05-01T10:00:00.123Z Unknown "GET / HTTP/1.1" 503"#);
        insta::assert_snapshot!(show("[2026-05-01 10:00:00,123] ERROR [KafkaServer id=0] Fatal error"), @"2026-05-01T10:00:00.123 somewhere Error ERROR [KafkaServer id=0] Fatal error");
        insta::assert_snapshot!(show("[2026-05-01 12:00:00 +0200] [7] [CRITICAL] WORKER TIMEOUT"), @"2026-05-01T10:00:00Z Fatal [7] [CRITICAL] WORKER TIMEOUT");
        insta::assert_snapshot!(show("[2026-05-01 10:00:00,123: ERROR/MainProcess] no broker"), @"2026-05-01T10:00:00.123 somewhere Error ERROR/MainProcess] no broker");
        insta::assert_snapshot!(show("[web] [2026] nothing"), @"- Unknown [web] [2026] nothing");
        insta::assert_snapshot!(show("[ERROR] plugin/errors: timeout"), @"- Error [ERROR] plugin/errors: timeout");
    }
}
