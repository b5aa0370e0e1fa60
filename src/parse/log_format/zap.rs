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

/// What the value of a key is for the line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Role {
    Time,
    Level,
    Message,
}

/// Beside what zap writes: ViaQ's logerr (`_ts`, `_level`), hclog (`@level`), Serilog's compact form (`@t`, `@l`, `@m`),
/// .NET's console (`Timestamp`, `LogLevel`), Python's `logging` (`asctime`, `levelname`), ECS (`log.level`), MongoDB (`t`,
/// `s`), GELF (`short_message`).
fn role(key: &[u8]) -> Option<Role> {
    match key {
        b"ts" | b"time" | b"timestamp" | b"@timestamp" | b"T" | b"_ts" | b"@t" | b"t" | b"Timestamp" | b"asctime"
        | b"datetime" | b"_time" => Some(Role::Time),
        b"level" | b"severity" | b"lvl" | b"L" | b"_level" | b"@level" | b"@l" | b"s" | b"Level" | b"LogLevel"
        | b"loglevel" | b"log_level" | b"levelname" | b"log.level" => Some(Role::Level),
        b"msg" | b"message" | b"M" | b"_message" | b"@message" | b"@m" | b"@mt" | b"Message" | b"short_message" => {
            Some(Role::Message)
        }
        _ => None,
    }
}

/// What structlog calls its message, and others something else: it is one where there is no other.
const EVENT: &[u8] = b"event";

/// What the value of a key for the level says; `None` if it is none.
fn read_level(key: &[u8], value: &[u8]) -> Option<Level> {
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
        match (role(key), key) {
            (Some(Role::Time), _) if time.is_none() => time = read_time(value),
            (Some(Role::Level), _) if level.is_none() => level = read_level(key, value),
            (Some(Role::Message), _) if message.is_none() => message = Some(bare(value)),
            (_, EVENT) if event.is_none() && value.starts_with(b"\"") => event = Some(bare(value)),
            (_, b"caller") if caller.is_none() => caller = Some(bare(value)),
            (_, b"logger") if logger.is_none() => logger = Some(bare(value)),
            (_, b"v") => verbosity = true,
            (_, b"err" | b"_error") => error = true,
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
        match role(key) {
            Some(Role::Message) if message.is_none() => message = Some(text(value)),
            Some(Role::Time) if !seen_time && read_time(value).is_some() => seen_time = true,
            Some(Role::Level) if !seen_level && read_level(key, value).is_some() => seen_level = true,
            _ => fields.push((lossy(key), text(value))),
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
    let quoted = || line.split('"').zip(line.split('"').skip(1));
    let keys = || quoted().filter(|(_, next)| next.trim_start().starts_with(':')).map(|(key, _)| key.as_bytes());
    let is = |wanted: Role| keys().any(|key| role(key) == Some(wanted));
    let (level, time) = (is(Role::Level), is(Role::Time));
    let message = is(Role::Message) || has("log") || has("event");
    let object = line.starts_with('{') && (line.ends_with('}') || line.len() > 200);
    // `journalctl -o json`.
    let journal = has("MESSAGE") && (has("__REALTIME_TIMESTAMP") || has("_SOURCE_REALTIME_TIMESTAMP"));
    let kubernetes = has("apiVersion") && has("metadata") || has("items") && has("kind");
    object && !kubernetes && (journal || level && (message || time) || message && time)
}
