//! What a line says in words for people: its message, with the error that a field of it holds.
//!
//! Why: in a structured log the message only says that something failed (`command failed`); why stands in a field.
//!
//! Invariant: the result is one line, without time, level and place in the source.

use crate::log_format::plain;
use crate::members::{Members, text};
use crate::{line, pairs};
use facts::human_duration;
use facts::log::{LineFields, PLAIN};

/// A message of fewer words says nothing beside its error: `command failed`.
const FEW: usize = 2;
/// The fields that say why.
const CAUSES: [&str; 13] = [
    "error",
    "err",
    "cause",
    "exception",
    "_error",
    "Error",
    "Exception",
    "@x",
    "error.message",
    "exc_info",
    "err.detail",
    "err.message",
    "error.detail",
];
/// What an error says that is an object of its own: `"_error":{"msg":"..."}`.
const INSIDE: [&[u8]; 4] = [b"msg", b"message", b"reason", b"error"];

/// Fields that tell of the program that wrote the line.
const OF_PROGRAM: [&str; 13] = [
    "caller",
    "logger",
    "ts",
    "level",
    "severity",
    "stacktrace",
    "stack",
    "reconcileID",
    "version",
    "controller",
    "component",
    "pid",
    "goroutine",
];
/// Bytes of a value that can name something.
const LEAST_OF_NAME: usize = 3;
const MOST_OF_NAME: usize = 100;

/// A line without its prefixes, and what was read out of it. The message of a line in no format is what stands behind its
/// time.
pub(crate) fn read(line: &str) -> (String, LineFields) {
    let (own, mut fields) = (line::own(line), line::parse(line));
    if fields.format == PLAIN {
        fields.message = pairs::lossy(plain::head(own.as_bytes()).message);
    }
    (own, fields)
}

/// What a line says.
pub fn of(fields: &LineFields) -> String {
    let message = fields.message.trim();
    let error = error(fields);
    let inside = error.and_then(inside);
    let said = match inside
        .as_deref()
        .or(error)
        .map(str::trim)
        .filter(|error| !error.is_empty() && !message.contains(error))
    {
        Some(error) if message.split_whitespace().count() <= FEW => error.to_owned(),
        Some(error) => format!("{message}: {error}"),
        None => message.to_owned(),
    };
    said.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The error that a field of a line holds.
pub(crate) fn error(fields: &LineFields) -> Option<&str> {
    CAUSES.into_iter().find_map(|key| fields.field(key)).map(str::trim).filter(|error| !error.is_empty())
}

/// What a line names beside its error, as `key value`: its field that is neither the error, nor a measure, nor about the program
/// that wrote it.
pub(crate) fn names(fields: &LineFields) -> Option<String> {
    let is_name = |value: &str| {
        value.contains(|c: char| c.is_ascii_alphabetic())
            && (LEAST_OF_NAME..=MOST_OF_NAME).contains(&value.len())
            && human_duration::parse(value).is_none()
            && value.parse::<jiff::Timestamp>().is_err()
    };
    let of_program = |key: &str| OF_PROGRAM.iter().any(|own| key.eq_ignore_ascii_case(own));
    let is_time = |key: &str| ["time", "duration", "elapsed", "took"].iter().any(|word| key.contains(word));
    let named = fields.fields.iter().find(|(key, value)| {
        !CAUSES.contains(&key.as_str()) && !of_program(key) && !is_time(key) && is_name(value.trim())
    });
    named.map(|(key, value)| format!("{key} {}", value.trim()))
}

/// The words of an error that is a JSON object.
fn inside(error: &str) -> Option<String> {
    let all: Vec<_> = Members::new(error.trim_start().as_bytes())?.collect();
    let words = INSIDE.into_iter().find_map(|key| all.iter().find(|(own, _)| *own == key));
    words.map(|(_, value)| text(value))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_that_is_an_object_says_what_it_says() {
        let said = |line: &str| of(&line::parse(line));
        let line = r#"{"_ts":"2026-05-14T10:00:00Z","_message":"failed to sync the store","_error":{"msg":"no \"access\"","code":7}}"#;
        assert_eq!(said(line), "failed to sync the store: no \"access\"");
        let line = r#"{"level":"error","msg":"failed to sync the store","error":{"code":7}}"#;
        assert_eq!(said(line), r#"failed to sync the store: {"code":7}"#);
        let line = r#"time="2026-05-14T10:00:00Z" level=error msg="response completed with error" err.code=unknown err.detail="filesystem: write /data: no space left on device" err.message="unknown error""#;
        assert_eq!(said(line), "response completed with error: filesystem: write /data: no space left on device");
        assert_eq!(
            said(r#"{"LogLevel":"Error","Message":"It failed at last","Exception":"System.Exception: x"}"#),
            "It failed at last: System.Exception: x"
        );
    }
}
