//! JSON lines: zap (etcd since 3.5, controller-runtime), the JSON format of Kubernetes components, and
//! what else writes one object per line with a level, a time and a message.
//!
//! Keys come in any order. Only the top level of the object is walked; nested values stay raw JSON text.
//!
//! Sources: `etcd-io/etcd:client/pkg/logutil/zap.go@v3.5.15`, `uber-go/zap:zapcore/json_encoder.go`,
//! `kubernetes/component-base:logs/json/json.go` (epoch milliseconds; `v` on info lines only).

use crate::glance::{Component, Glance, file_of, level_word};
use crate::log_format::{Fields, LogFormat};
use crate::members::{Members, bare, text};
use crate::pairs::lossy;
use crate::time;
use facts::log::{Level, LineTime};

pub(super) const FORMAT: LogFormat = LogFormat {
    names: &[ZAP, KLOG],
    begins: b"{",
    like_prefix: false,
    head,
    body: |line, _| body(line),
    is_surely: is_surely_line,
};

/// The name of zap's format.
const ZAP: &str = "zap-json";
/// The name of the JSON format of Kubernetes components.
const KLOG: &str = "klog-json";
/// The name of any other object with neither level nor time.
const OTHER: &str = "json";

/// Beside what zap writes: ViaQ's logerr (`_ts`, `_level`), hclog (`@level`), Serilog's compact form (`@t`, `@l`, `@m`),
/// .NET's console (`Timestamp`, `LogLevel`), Python's `logging` (`asctime`, `levelname`), ECS (`log.level`), MongoDB (`t`,
/// `s`), GELF (`short_message`).
const TIMES: [&str; 12] =
    ["ts", "time", "timestamp", "@timestamp", "T", "_ts", "@t", "t", "Timestamp", "asctime", "datetime", "_time"];
const LEVELS: [&str; 14] = [
    "level",
    "severity",
    "lvl",
    "L",
    "_level",
    "@level",
    "@l",
    "s",
    "Level",
    "LogLevel",
    "loglevel",
    "log_level",
    "levelname",
    "log.level",
];
const MESSAGES: [&str; 9] = ["msg", "message", "M", "_message", "@message", "@m", "@mt", "Message", "short_message"];
/// What structlog calls its message, and others something else: it is one where there is no other.
const EVENT: &[u8] = b"event";

fn is_one_of(keys: &[&str], key: &[u8]) -> bool {
    keys.iter().any(|known| known.as_bytes() == key)
}

fn is_time(key: &[u8]) -> bool {
    is_one_of(&TIMES, key)
}

fn is_message(key: &[u8]) -> bool {
    is_one_of(&MESSAGES, key)
}

/// The level that a member states, if it is one that does.
fn read_level(key: &[u8], value: &[u8]) -> Option<Level> {
    if !is_one_of(&LEVELS, key) {
        return None;
    }
    match (key, bare(value)) {
        // MongoDB; the key alone says nothing.
        (b"s", b"F") => Some(Level::Fatal),
        (b"s", b"E") => Some(Level::Error),
        (b"s", b"W") => Some(Level::Warn),
        (b"s", b"I") => Some(Level::Info),
        (b"s", [b'D', ..]) => Some(Level::Debug),
        (b"s", _) => None,
        // logr's verbosity.
        (b"_level", word) if word.iter().all(u8::is_ascii_digit) => None,
        // pino and bunyan.
        (_, b"60") => Some(Level::Fatal),
        (_, b"50") => Some(Level::Error),
        (_, b"40") => Some(Level::Warn),
        (_, b"30") => Some(Level::Info),
        (_, b"20" | b"10") => Some(Level::Debug),
        (_, word) => Some(level_word(word)),
    }
}

/// A time as a string or a number; MongoDB wraps it.
fn read_time(value: &[u8]) -> Option<LineTime> {
    let value = bare(value.strip_prefix(br#"{"$date":"#).map_or(value, |rest| rest.trim_ascii()));
    let value = value.strip_suffix(br#""}"#).unwrap_or(value);
    time::rfc3339(value).ok().map(|(_, time)| time).or_else(|| time::epoch(value))
}

/// Reads time, level, component and message. Stops as soon as everything that it needs is found.
fn head(input: &[u8]) -> Option<Glance<'_>> {
    let mut time = None;
    let mut level = None;
    let mut caller = None;
    let mut logger = None;
    let mut message = None;
    let mut event = None;
    let mut verbosity = false;
    let mut error = false;
    for (key, value) in Members::new(input)? {
        match key {
            _ if is_time(key) && time.is_none() => time = read_time(value),
            _ if level.is_none() && is_one_of(&LEVELS, key) => level = read_level(key, value),
            _ if is_message(key) && message.is_none() => message = Some(bare(value)),
            EVENT if event.is_none() && value.starts_with(b"\"") => event = Some(bare(value)),
            b"caller" if caller.is_none() => caller = Some(bare(value)),
            b"logger" if logger.is_none() => logger = Some(bare(value)),
            b"v" => verbosity = true,
            b"err" | b"_error" => error = true,
            _ => continue,
        }
        if time.is_some() && level.is_some() && caller.is_some() && message.is_some() {
            break;
        }
    }
    let format = match level {
        Some(_) => ZAP,
        None if time.is_some() && (verbosity || error || caller.is_some()) => KLOG,
        None => OTHER,
    };
    let level = match level {
        Some(level) => level,
        None if format == KLOG && verbosity => Level::Info,
        None if format == KLOG && error => Level::Error,
        None => Level::Unknown,
    };
    let component = match (caller, logger) {
        (Some(caller), _) => Component::new(file_of(caller)),
        (None, Some(logger)) => Component::new(logger),
        (None, None) => Component::default(),
    };
    Some(Glance { time, level, component, message: message.or(event).unwrap_or(input), format, ..Glance::default() })
}

/// Message and all other members but level and time.
fn body(input: &[u8]) -> (Option<String>, Fields) {
    let mut message = None;
    let mut fields = Vec::new();
    let (mut seen_time, mut seen_level) = (false, false);
    for (key, value) in Members::new(input).into_iter().flatten() {
        if is_message(key) && message.is_none() {
            message = Some(text(value));
        } else if is_time(key) && !seen_time && read_time(value).is_some() {
            seen_time = true;
        } else if !seen_level && read_level(key, value).is_some() {
            seen_level = true;
        } else {
            fields.push((lossy(key), text(value)));
        }
    }
    if message.is_none()
        && let Some(at) =
            fields.iter().position(|(key, value)| key.as_bytes() == EVENT && !value.starts_with(['{', '[']))
    {
        message = Some(fields.remove(at).1);
    }
    (message, fields)
}

/// A line of a log in JSON: an object on one line with a message or level, and no kind.
fn is_surely_line(line: &str) -> bool {
    let line = line.trim();
    let has = |key: &str| line.contains(&format!("\"{key}\":")) || line.contains(&format!("\"{key}\" :"));
    let level = LEVELS.into_iter().any(has);
    let message = MESSAGES.into_iter().chain(["log", "event"]).any(has);
    let time = TIMES.into_iter().any(has);
    let object = line.starts_with('{') && (line.ends_with('}') || line.len() > 200);
    // `journalctl -o json`.
    let journal = has("MESSAGE") && (has("__REALTIME_TIMESTAMP") || has("_SOURCE_REALTIME_TIMESTAMP"));
    let kubernetes = has("apiVersion") && has("metadata") || has("items") && has("kind");
    object && !kubernetes && (journal || level && (message || time) || message && time)
}
