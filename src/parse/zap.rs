//! JSON lines: zap (etcd since 3.5, controller-runtime), the JSON format of Kubernetes components, and
//! what else writes one object per line with a level, a time and a message.
//!
//! Keys come in any order. Only the top level of the object is walked; nested values stay raw JSON text.
//! Invariants: no recursion; an object that was cut yields the pairs before the cut.
//!
//! Sources: `etcd-io/etcd:client/pkg/logutil/zap.go@v3.5.15`, `uber-go/zap:zapcore/json_encoder.go`,
//! `kubernetes/component-base:logs/json/json.go` (epoch milliseconds; `v` on info lines only).

use crate::line::{Component, Glance, level_word};
use crate::pairs::{bracketed_len, lossy, quoted_len, unquote};
use crate::time;
use facts::log::{Level, LineTime};

/// The name of zap's format.
pub const FORMAT: &str = "zap-json";
/// The name of the JSON format of Kubernetes components.
pub(crate) const FORMAT_KLOG: &str = "klog-json";
/// The name of any other object with neither level nor time.
pub(crate) const FORMAT_OTHER: &str = "json";

/// Walks the members of the top level of a JSON object: key without quotes, raw value.
#[derive(Debug, Clone)]
pub struct Members<'a> {
    rest: &'a [u8],
}

impl<'a> Members<'a> {
    /// `None` if the text does not open an object with a key.
    pub fn new(text: &'a [u8]) -> Option<Self> {
        let rest = text.strip_prefix(b"{")?;
        (rest.trim_ascii_start().first() == Some(&b'"')).then_some(Self { rest })
    }
}

impl<'a> Iterator for Members<'a> {
    type Item = (&'a [u8], &'a [u8]);

    fn next(&mut self) -> Option<Self::Item> {
        let start = self.rest.iter().position(|b| !matches!(b, b' ' | b'\t' | b','))?;
        let text = self.rest[start..].strip_prefix(b"\"")?;
        let quoted = &self.rest[start..];
        let end = quoted_len(quoted);
        let key = text.get(..end.checked_sub(2)?)?;
        let value = quoted[end..].trim_ascii_start().strip_prefix(b":")?.trim_ascii_start();
        let end = match value.first()? {
            b'"' => quoted_len(value),
            b'{' | b'[' => bracketed_len(value),
            _ => value.iter().position(|b| matches!(b, b',' | b'}')).unwrap_or(value.len()),
        };
        self.rest = &value[end..];
        Some((key, &value[..end]))
    }
}

/// The content of a raw string value, escapes as they stand; other values unchanged.
pub fn bare(value: &[u8]) -> &[u8] {
    match value {
        [b'"', inner @ .., b'"'] => inner,
        [b'"', inner @ ..] => inner,
        other => other,
    }
}

/// A raw value as text: strings unescaped, everything else as it stands.
pub fn text(value: &[u8]) -> String {
    if value.first() == Some(&b'"') { unquote(value) } else { lossy(value) }
}

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
pub fn head(input: &[u8]) -> Option<Glance<'_>> {
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
        Some(_) => FORMAT,
        None if time.is_some() && (verbosity || error || caller.is_some()) => FORMAT_KLOG,
        None => FORMAT_OTHER,
    };
    let level = match level {
        Some(level) => level,
        None if format == FORMAT_KLOG && verbosity => Level::Info,
        None if format == FORMAT_KLOG && error => Level::Error,
        None => Level::Unknown,
    };
    let component = match (caller, logger) {
        (Some(caller), _) => Component::new(file_of(caller)),
        (None, Some(logger)) => Component::new(logger),
        (None, None) => Component::default(),
    };
    Some(Glance { time, level, component, host: b"", message: message.unwrap_or(input), format })
}

/// A caller without its line: `rafthttp/probing_status.go:68` is `rafthttp/probing_status.go`.
pub(crate) fn file_of(caller: &[u8]) -> &[u8] {
    &caller[..memchr::memrchr(b':', caller).unwrap_or(caller.len())]
}

/// Message and all other members but level and time.
pub fn body(input: &[u8]) -> (Option<String>, Vec<(String, String)>) {
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
