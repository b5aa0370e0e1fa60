//! Lines that somebody else wrapped into JSON before they were collected: docker's json-file driver
//! (`{"log":"...\n","stream":"stderr","time":"..."}`) and `journalctl -o json`.
//!
//! Sources: `moby/moby:daemon/logger/jsonfilelog/jsonlog/jsonlog.go`; systemd
//! `src/shared/logs-show.c` (`output_json`): fields are strings, or arrays of bytes where a value is no
//! UTF-8 or holds control characters (colours of a terminal do).
//!
//! Invariant: the inner line is found without allocating; only reading it whole allocates.

use crate::glance::level_of_priority;
use crate::members::{Members, bare};
use crate::pairs;
use crate::time;
use facts::log::{Level, LineTime};

/// The program's line inside a wrapper, with what the wrapper says.
#[derive(Debug, Clone, Copy)]
pub struct Wrapped<'a> {
    /// The line: escaped text, or the numbers of its bytes.
    pub inner: &'a [u8],
    /// The line is an array of numbers.
    pub is_bytes: bool,
    /// When the wrapper was written.
    pub time: Option<LineTime>,
    /// The program, if the wrapper names it.
    pub program: Option<&'a [u8]>,
    /// The machine, if the wrapper names it.
    pub host: Option<&'a [u8]>,
    /// The priority of the journal.
    pub level: Level,
}

/// Unwraps a line; `None` if nothing is wrapped around it.
pub fn unwrap(line: &[u8]) -> Option<Wrapped<'_>> {
    if line.starts_with(b"{\"log\":") { docker(line) } else { journal(line) }
}

fn docker(line: &[u8]) -> Option<Wrapped<'_>> {
    let (mut log, mut time) = (None, None);
    for (key, value) in Members::new(line)? {
        match key {
            b"log" if log.is_none() => log = Some(bare(value)),
            b"time" if time.is_none() => time = time::rfc3339(bare(value)).ok().map(|(_, time)| time),
            _ => {}
        }
    }
    let log = log?;
    let inner = log.strip_suffix(b"\\n").unwrap_or(log);
    Some(Wrapped { inner, is_bytes: false, time, program: None, host: None, level: Level::Unknown })
}

fn journal(line: &[u8]) -> Option<Wrapped<'_>> {
    // All keys of the journal are capitals; a look at the first one spares other JSON the walk.
    let first = line.strip_prefix(b"{")?.trim_ascii_start().strip_prefix(b"\"")?.first()?;
    if !(first.is_ascii_uppercase() || *first == b'_') {
        return None;
    }
    let mut found =
        Wrapped { inner: b"", is_bytes: false, time: None, program: None, host: None, level: Level::Unknown };
    let mut message = None;
    for (key, value) in Members::new(line)? {
        match key {
            b"MESSAGE" => message = Some(value),
            b"__REALTIME_TIMESTAMP" => found.time = microseconds(bare(value)),
            b"SYSLOG_IDENTIFIER" => found.program = Some(bare(value)),
            b"_COMM" => found.program = found.program.or(Some(bare(value))),
            b"_HOSTNAME" => found.host = Some(bare(value)),
            b"PRIORITY" => found.level = level_of_priority(bare(value)),
            _ => {}
        }
    }
    found.time?;
    let message = message?;
    found.is_bytes = message.first() == Some(&b'[');
    found.inner = if found.is_bytes { message } else { bare(message) };
    Some(found)
}

fn microseconds(text: &[u8]) -> Option<LineTime> {
    let number: i64 = std::str::from_utf8(text).ok()?.parse().ok()?;
    jiff::Timestamp::from_microsecond(number).ok().map(LineTime::Exact)
}

impl Wrapped<'_> {
    /// The bytes of an array, or the line without the escapes that matter for a header.
    pub fn bytes(&self) -> impl Iterator<Item = u8> + '_ {
        let mut rest = self.inner.iter().copied();
        let is_bytes = self.is_bytes;
        std::iter::from_fn(move || {
            if !is_bytes {
                return Some(match rest.next()? {
                    b'\\' => match rest.next()? {
                        b't' => b'\t',
                        b'n' | b'r' => b' ',
                        other => other,
                    },
                    other => other,
                });
            }
            let mut number = u16::from(rest.by_ref().find(u8::is_ascii_digit)? - b'0');
            for digit in rest.by_ref().take_while(u8::is_ascii_digit) {
                number = number.saturating_mul(10).saturating_add(u16::from(digit - b'0'));
            }
            Some(u8::try_from(number).unwrap_or(b'?'))
        })
    }

    /// The whole line as text.
    pub fn text(&self) -> String {
        if self.is_bytes {
            pairs::lossy(&self.bytes().collect::<Vec<u8>>())
        } else {
            pairs::unescape(&pairs::lossy(self.inner)).into_owned()
        }
    }
}

/// A line as its program wrote it, where that differs from how it stands in the file: unwrapped, without
/// the escapes of JSON and without the colours of a terminal. `None` where nothing differs.
///
/// Why: a text that a signature looks for holds quotes as the program prints them.
pub(crate) fn as_written(line: &[u8]) -> Option<Vec<u8>> {
    let start = memchr::memchr(b'{', line);
    let mut text = match start.map(|at| &line[at..]).and_then(|json| Some((json, unwrap(json)?))) {
        Some((_, wrapped)) if wrapped.is_bytes || memchr::memchr(b'\\', wrapped.inner).is_some() => {
            Some(wrapped.text().into_bytes())
        }
        _ => None,
    };
    let current = text.as_deref().unwrap_or(line);
    if memchr::memchr(b'\\', current).is_some() && memchr::memmem::find(current, b"{\"").is_some() {
        text = Some(pairs::unescape(&pairs::lossy(current)).into_owned().into_bytes());
    }
    let current = text.as_deref().unwrap_or(line);
    if memchr::memchr(0x1b, current).is_some() {
        text = Some(without_colours(current));
    }
    text
}

/// Leaves out escape sequences of a terminal (`ESC [ ... m`).
pub fn without_colours(text: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = memchr::memchr(0x1b, rest) {
        out.extend_from_slice(&rest[..at]);
        rest = after_colour(&rest[at..]).unwrap_or(&rest[at + 1..]);
    }
    out.extend_from_slice(rest);
    out
}

/// What follows an escape sequence that the text begins with: `ESC [`, parameters and intermediates, one final byte
/// (ECMA-48, 5.4). A sequence that a text cuts short is none, so no line end and no letter of another alphabet is lost.
pub(crate) fn after_colour(text: &[u8]) -> Option<&[u8]> {
    let rest = text.strip_prefix(b"\x1b[")?;
    let end = rest.iter().take(16).position(|byte| !matches!(byte, 0x20..=0x3f))?;
    matches!(rest[end], 0x40..=0x7e).then(|| &rest[end + 1..])
}
