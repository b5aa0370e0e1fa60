//! One log line: which format it has, and what it says.
//!
//! [`glance`] runs on every line of a bundle and allocates nothing; [`parse`] runs on the few lines that
//! somebody looks for. Invariant: both agree on time, level and format, because `parse` starts with a
//! glance. Prefixes of runtimes and journals are peeled off first: a time inside the program's own line
//! wins over the time of a prefix.

use super::{capnslog, cri, journald, klog, logfmt, pairs, plain, zap, zap_console};
use crate::facts::log::{Level, LineFields, LineTime};

/// How many prefixes may stand before a line: a journal of a runtime's log with a time in front.
const PREFIXES: usize = 4;

/// How much of the escaped line of a docker record is looked at for its header.
const DOCKER_HEAD: usize = 1024;

/// The part of a program that wrote a line: a file, logger or package, at most 32 bytes of ASCII. It is a
/// value of its own so that counting lines allocates nothing.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Component {
    bytes: [u8; 32],
    length: u8,
}

impl Component {
    /// The first 32 bytes; what is not printable ASCII becomes `?`.
    pub fn new(text: &[u8]) -> Self {
        let mut bytes = [0; 32];
        let length = text.len().min(bytes.len());
        for (to, from) in bytes.iter_mut().zip(text) {
            *to = if from.is_ascii_graphic() || *from == b' ' { *from } else { b'?' };
        }
        Self { bytes, length: length as u8 }
    }

    /// Its text.
    pub fn as_str(&self) -> &str {
        std::str::from_utf8(&self.bytes[..usize::from(self.length)]).unwrap_or_default()
    }

    /// The line names none.
    pub fn is_empty(&self) -> bool {
        self.length == 0
    }
}

impl std::fmt::Debug for Component {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.as_str().fmt(f)
    }
}

/// What a line says at first sight.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Glance<'a> {
    /// The time inside the line, else that of its nearest prefix.
    pub time: Option<LineTime>,
    /// The level.
    pub level: Level,
    /// File, logger or package; for a plain line of a journal the program.
    pub component: Component,
    /// The message as it stands in the line, escapes and quotes included.
    pub message: &'a [u8],
    /// The name of the format of the program's own line.
    pub format: &'static str,
}

/// The level that a word means, whatever its case; colours of a terminal around it are ignored.
pub fn level_word(word: &[u8]) -> Level {
    let word = match word {
        [0x1b, b'[', rest @ ..] => {
            let start = memchr::memchr(b'm', rest).map_or(0, |at| at + 1);
            let rest = &rest[start..];
            &rest[..memchr::memchr(0x1b, rest).unwrap_or(rest.len())]
        }
        word => word,
    };
    const WORDS: [(&[u8], Level); 20] = [
        (b"info", Level::Info),
        (b"warn", Level::Warn),
        (b"error", Level::Error),
        (b"debug", Level::Debug),
        (b"warning", Level::Warn),
        (b"notice", Level::Info),
        (b"trace", Level::Debug),
        (b"fatal", Level::Fatal),
        (b"panic", Level::Fatal),
        (b"dpanic", Level::Fatal),
        (b"critical", Level::Fatal),
        (b"crit", Level::Fatal),
        (b"alert", Level::Fatal),
        (b"emerg", Level::Fatal),
        (b"emergency", Level::Fatal),
        (b"severe", Level::Error),
        (b"err", Level::Error),
        (b"dbug", Level::Debug),
        (b"information", Level::Info),
        (b"eror", Level::Error),
    ];
    WORDS.iter().find(|(name, _)| word.eq_ignore_ascii_case(name)).map_or(Level::Unknown, |(_, level)| *level)
}

/// A line without its prefixes.
struct Peeled<'a> {
    time: Option<LineTime>,
    program: Option<&'a [u8]>,
    inner: &'a [u8],
}

fn peel(line: &[u8]) -> Peeled<'_> {
    // A file system that lost power leaves runs of NUL bytes before the first line that follows.
    let start = line.iter().position(|b| *b != 0).unwrap_or(line.len());
    let mut peeled = Peeled { time: None, program: None, inner: &line[start..] };
    for _ in 0..PREFIXES {
        match peeled.inner.first() {
            Some(b'0'..=b'9') => {
                if capnslog::head(peeled.inner).is_ok() {
                    break;
                }
                if let Ok((rest, prefix)) = journald::prefix(peeled.inner)
                    && is_host(prefix.host)
                {
                    (peeled.time, peeled.program, peeled.inner) = (Some(prefix.time), Some(prefix.program), rest);
                } else if let Ok((rest, time)) = cri::prefix(peeled.inner) {
                    (peeled.time, peeled.inner) = (Some(time), rest);
                } else {
                    break;
                }
            }
            Some(b'A'..=b'Z') => match journald::prefix(peeled.inner) {
                Ok((rest, prefix)) => {
                    (peeled.time, peeled.program, peeled.inner) = (Some(prefix.time), Some(prefix.program), rest);
                }
                Err(_) => break,
            },
            _ => break,
        }
    }
    peeled
}

/// After a full time, `stderr F ...:` and `INFO worker: ...` look like `host program:`; a journal's host is
/// neither a stream nor a level.
fn is_host(word: &[u8]) -> bool {
    !matches!(word, b"stdout" | b"stderr") && level_word(word) == Level::Unknown && word[0].is_ascii_alphanumeric()
}

/// The program's line inside a record of docker's json-file driver, still escaped, with the record's time.
/// Source: `moby/moby:daemon/logger/jsonfilelog/jsonlog/jsonlog.go`.
fn docker(line: &[u8]) -> Option<(&[u8], Option<LineTime>)> {
    if !line.starts_with(b"{\"log\":") {
        return None;
    }
    let (mut log, mut time) = (None, None);
    for (key, value) in zap::Members::new(line)? {
        match key {
            b"log" if log.is_none() => log = Some(zap::bare(value)),
            b"time" if time.is_none() => time = super::time::rfc3339(zap::bare(value)).ok().map(|(_, time)| time),
            _ => {}
        }
    }
    let log = log?;
    Some((log.strip_suffix(b"\\n").unwrap_or(log), time))
}

/// Undoes the escapes that matter for a header; returns the used length.
fn unescape_head(text: &[u8], into: &mut [u8; DOCKER_HEAD]) -> usize {
    let mut length = 0;
    let mut bytes = text.iter();
    while let Some(byte) = bytes.next() {
        if length == into.len() {
            break;
        }
        into[length] = match byte {
            b'\\' => match bytes.next() {
                Some(b't') => b'\t',
                Some(b'n' | b'r') => b' ',
                Some(other) => *other,
                None => break,
            },
            other => *other,
        };
        length += 1;
    }
    length
}

/// Time, level, component and format of a line, without allocating.
pub fn glance(line: &[u8]) -> Glance<'_> {
    let peeled = peel(line);
    let mut found = if let Some((inner, time)) = docker(peeled.inner) {
        let mut buffer = [0; DOCKER_HEAD];
        let length = unescape_head(inner, &mut buffer);
        let head = buffer.get(..length).unwrap_or_default();
        let below = peel(head);
        let mut found = Glance { message: inner, ..own(below.inner) };
        found.time = found.time.or(below.time).or(time);
        found
    } else {
        own(peeled.inner)
    };
    found.time = found.time.or(peeled.time);
    if let Some(program) = peeled.program.filter(|_| found.component.is_empty()) {
        found.component = Component::new(program);
    }
    found
}

/// The program's own line.
fn own(line: &[u8]) -> Glance<'_> {
    let found = match line.first() {
        Some(b'I' | b'W' | b'E' | b'F') => klog::head(line).ok().map(|(_, found)| found),
        Some(b'{') => zap::head(line),
        Some(b'0'..=b'9') => capnslog::head(line).ok().map(|(_, found)| found).or_else(|| zap_console::head(line)),
        Some(b'r') => capnslog::head(line).ok().map(|(_, found)| found),
        Some(b't' | b'l' | b'm' | b'c') => logfmt::head(line),
        _ => None,
    };
    found.unwrap_or_else(|| plain::head(line))
}

/// Everything that can be read out of a line.
pub fn parse(line: &str) -> LineFields {
    let found = glance(line.as_bytes());
    let peeled = peel(line.as_bytes());
    let unescaped;
    let inner = match docker(peeled.inner) {
        Some((inner, _)) => {
            unescaped = pairs::unescape(&pairs::lossy(inner)).into_owned();
            peel(unescaped.as_bytes()).inner
        }
        None => peeled.inner,
    };
    let whole = own(inner);
    let (message, fields) = match found.format {
        klog::FORMAT => {
            let (message, fields) = klog::body(whole.message);
            (Some(message), fields)
        }
        zap::FORMAT | zap::FORMAT_KLOG => zap::body(inner),
        zap_console::FORMAT => zap_console::body(inner),
        logfmt::FORMAT => logfmt::body(inner),
        capnslog::FORMAT => (Some(pairs::lossy(whole.message)), Vec::new()),
        _ => (None, Vec::new()),
    };
    LineFields {
        time: found.time,
        level: found.level,
        message: message.unwrap_or_else(|| pairs::lossy(inner)),
        fields,
        format: found.format,
    }
}
