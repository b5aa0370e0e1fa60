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

fn is_time(key: &[u8]) -> bool {
    matches!(key, b"ts" | b"time" | b"timestamp" | b"@timestamp" | b"T")
}

fn is_level(key: &[u8]) -> bool {
    matches!(key, b"level" | b"severity" | b"lvl" | b"L")
}

fn is_message(key: &[u8]) -> bool {
    matches!(key, b"msg" | b"message" | b"M")
}

/// A time as a string or a number.
fn read_time(value: &[u8]) -> Option<LineTime> {
    let value = bare(value);
    time::rfc3339(value).ok().map(|(_, time)| time).or_else(|| time::epoch(value))
}

/// Reads time, level, component and message. Stops as soon as everything that it needs is found.
fn head(input: &[u8]) -> Option<Glance<'_>> {
    let mut time = None;
    let mut level = None;
    let mut caller = None;
    let mut logger = None;
    let mut message = None;
    let mut verbosity = false;
    let mut error = false;
    for (key, value) in Members::new(input)? {
        match key {
            _ if is_time(key) && time.is_none() => time = read_time(value),
            _ if is_level(key) && level.is_none() => level = Some(level_word(bare(value))),
            _ if is_message(key) && message.is_none() => message = Some(bare(value)),
            b"caller" if caller.is_none() => caller = Some(bare(value)),
            b"logger" if logger.is_none() => logger = Some(bare(value)),
            b"v" => verbosity = true,
            b"err" => error = true,
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
    Some(Glance { time, level, component, message: message.unwrap_or(input), format, ..Glance::default() })
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
        } else if is_level(key) && !seen_level {
            seen_level = true;
        } else {
            fields.push((lossy(key), text(value)));
        }
    }
    (message, fields)
}

/// A line of a log in JSON: an object on one line with a message or level, and no kind.
fn is_surely_line(line: &str) -> bool {
    let line = line.trim();
    let has = |key: &str| line.contains(&format!("\"{key}\":")) || line.contains(&format!("\"{key}\" :"));
    let level = ["level", "lvl", "severity", "L"].into_iter().any(has);
    let message = ["msg", "message", "M", "log"].into_iter().any(has);
    let time = ["ts", "time", "timestamp", "T", "@timestamp"].into_iter().any(has);
    let object = line.starts_with('{') && (line.ends_with('}') || line.len() > 200);
    // `journalctl -o json`.
    let journal = has("MESSAGE") && (has("__REALTIME_TIMESTAMP") || has("_SOURCE_REALTIME_TIMESTAMP"));
    let kubernetes = has("apiVersion") && has("metadata") || has("items") && has("kind");
    object && !kubernetes && (journal || level && (message || time) || message && time)
}
