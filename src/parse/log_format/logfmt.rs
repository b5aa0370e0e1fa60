//! logfmt: `time="..." level=info msg="..." key=value`, as containerd, dockerd, Argo CD and Prometheus
//! write it.
//!
//! Invariant: only a line that begins with a key of time, level or message is taken for logfmt; any text
//! may hold an `=`.

use crate::glance::{Component, Glance, file_of, level_word};
use crate::log_format::{Fields, LogFormat, never};
use crate::pairs::{Pair, Pairs, lossy};
use crate::time;
use facts::log::LineTime;

pub(super) const FORMAT: LogFormat = LogFormat {
    names: &[NAME],
    begins: b"tlmc",
    like_prefix: false,
    head,
    body: |line, _| body(line),
    is_surely: never,
};

const NAME: &str = "logfmt";

const FIRST: [&[u8]; 8] = [b"time=", b"ts=", b"t=", b"timestamp=", b"level=", b"lvl=", b"msg=", b"caller="];

fn is_time(pair: &Pair<'_>) -> bool {
    matches!(pair.key, b"time" | b"ts" | b"t" | b"timestamp")
}

fn read_time(pair: &Pair<'_>) -> Option<LineTime> {
    time::rfc3339(pair.bare()).ok().map(|(_, time)| time).or_else(|| time::epoch(pair.bare()))
}

fn is_level(pair: &Pair<'_>) -> bool {
    matches!(pair.key, b"level" | b"lvl")
}

fn is_message(pair: &Pair<'_>) -> bool {
    matches!(pair.key, b"msg" | b"message")
}

/// Reads time, level, component and message. The component is the caller's file, or the value of
/// `logger` or `component`, where it stands before or right after the message.
fn head(input: &[u8]) -> Option<Glance<'_>> {
    if !FIRST.iter().any(|first| input.starts_with(first)) {
        return None;
    }
    let mut found = Glance { format: NAME, message: input, ..Glance::default() };
    let (mut level, mut message) = (false, false);
    for pair in Pairs::new(input) {
        match pair.key {
            _ if is_time(&pair) && found.time.is_none() => found.time = read_time(&pair),
            _ if is_level(&pair) && !level => {
                level = true;
                found.level = level_word(pair.bare());
            }
            _ if is_message(&pair) && !message => {
                message = true;
                found.message = pair.bare();
            }
            b"caller" => found.component = Component::new(file_of(pair.bare())),
            b"logger" | b"component" if found.component.is_empty() => found.component = Component::new(pair.bare()),
            _ => {}
        }
        if level && message && found.time.is_some() {
            break;
        }
    }
    (level || message || found.time.is_some()).then_some(found)
}

/// Message and all other pairs but level and time.
fn body(input: &[u8]) -> (Option<String>, Fields) {
    let mut message = None;
    let mut fields = Vec::new();
    let (mut seen_time, mut seen_level) = (false, false);
    for pair in Pairs::new(input) {
        if is_message(&pair) && message.is_none() {
            message = Some(pair.text());
        } else if is_time(&pair) && !seen_time && read_time(&pair).is_some() {
            seen_time = true;
        } else if is_level(&pair) && !seen_level {
            seen_level = true;
        } else {
            fields.push((lossy(pair.key), pair.text()));
        }
    }
    (message, fields)
}
