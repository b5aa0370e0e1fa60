//! zap's console encoder: time, level, then optionally logger and caller, the message and a JSON object of
//! fields, all separated by tabs. Source: `uber-go/zap:zapcore/console_encoder.go`.

use crate::glance::{Component, Glance, file_of, level_word};
use crate::log_format::{Fields, LogFormat, never};
use crate::members::{Members, text};
use crate::{pairs, time};
use facts::log::{Level, LineTime};

pub(super) const FORMAT: LogFormat = LogFormat {
    names: &[NAME],
    begins: b"0123456789",
    like_prefix: false,
    head,
    body: |line, _| body(line),
    is_surely: never,
};

const NAME: &str = "zap-console";

/// The columns after time and level.
struct Columns<'a> {
    time: LineTime,
    level: Level,
    logger: Option<&'a [u8]>,
    caller: Option<&'a [u8]>,
    message: &'a [u8],
    fields: &'a [u8],
}

/// `controllers/remediation.go:77`: a file of Go source with a line.
fn is_caller(text: &[u8]) -> bool {
    let file = file_of(text);
    file.len() < text.len() && file.ends_with(b".go") && text[file.len() + 1..].iter().all(u8::is_ascii_digit)
}

/// A name of a logger holds no blank.
fn is_logger(text: &[u8]) -> bool {
    !text.is_empty() && !text.iter().any(|b| matches!(b, b' ' | b'{' | b'"'))
}

fn columns(input: &[u8]) -> Option<Columns<'_>> {
    let split = |text| -> Option<(&[u8], &[u8])> {
        let text: &[u8] = text;
        let at = memchr::memchr(b'\t', text)?;
        Some((&text[..at], &text[at + 1..]))
    };
    let (stamp, rest) = split(input)?;
    let time = match time::rfc3339(stamp) {
        Ok(([], time)) => time,
        _ => time::epoch(stamp)?,
    };
    let (level, mut rest) = split(rest).unwrap_or((rest, &[]));
    let level = level_word(level);
    if level == Level::Unknown {
        return None;
    }
    let (mut logger, mut caller) = (None, None);
    // Without more columns what is left is the message, whatever it looks like.
    if let Some((first, after)) = split(rest) {
        if is_caller(first) {
            (caller, rest) = (Some(first), after);
        } else if is_logger(first) && !after.starts_with(b"{") {
            (logger, rest) = (Some(first), after);
            if let Some((second, after)) = split(rest).filter(|(second, _)| is_caller(second)) {
                (caller, rest) = (Some(second), after);
            }
        }
    }
    let (message, fields) = match memchr::memrchr(b'\t', rest) {
        Some(at) if rest[at + 1..].starts_with(b"{") => (&rest[..at], &rest[at + 1..]),
        _ => (rest, &[][..]),
    };
    Some(Columns { time, level, logger, caller, message, fields })
}

/// Reads time, level, component and message.
fn head(input: &[u8]) -> Option<Glance<'_>> {
    let columns = columns(input)?;
    let component = columns.caller.map(file_of).or(columns.logger).map(Component::new).unwrap_or_default();
    Some(Glance {
        time: Some(columns.time),
        level: columns.level,
        component,
        message: columns.message,
        format: NAME,
        ..Glance::default()
    })
}

/// Message and fields.
fn body(input: &[u8]) -> (Option<String>, Fields) {
    let Some(columns) = columns(input) else {
        return (None, Vec::new());
    };
    let mut fields = Vec::new();
    for (key, value) in [("logger", columns.logger), ("caller", columns.caller)] {
        fields.extend(value.map(|value| (key.to_owned(), pairs::lossy(value))));
    }
    for (key, value) in Members::new(columns.fields).into_iter().flatten() {
        fields.push((pairs::lossy(key), text(value)));
    }
    (Some(pairs::lossy(columns.message)), fields)
}
