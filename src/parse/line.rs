//! One log line: which format it has, and what it says.
//!
//! [`glance`] runs on every line of a bundle and allocates nothing; [`parse`] runs on the few lines that
//! somebody looks for. Invariant: both agree on time, level and format, because `parse` starts with a
//! glance. Prefixes of runtimes and journals are peeled off first: a time inside the program's own line
//! wins over the time of a prefix.

use crate::{capnslog, cri, journald, klog, logfmt, pairs, plain, wrapped, zap, zap_console};
use facts::log::{Level, LineFields, LineTime};

/// How many prefixes may stand before a line: a journal of a runtime's log with a time in front.
const PREFIXES: usize = 4;

/// How much of a line that is wrapped into JSON is looked at for its header.
const WRAPPED_HEAD: usize = 1024;

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
    /// The machine that a journal names in front of the line; empty where there is none.
    pub host: &'a [u8],
    /// The message as it stands in the line, escapes and quotes included.
    pub message: &'a [u8],
    /// The name of the format of the program's own line.
    pub format: &'static str,
}

/// The level that a word means, whatever its case; colours of a terminal around it are ignored.
pub(crate) fn level_word(word: &[u8]) -> Level {
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

/// The level of a priority of syslog, `0` to `7`.
pub(crate) fn level_of_priority(digit: &[u8]) -> Level {
    match digit {
        b"0" | b"1" | b"2" => Level::Fatal,
        b"3" => Level::Error,
        b"4" => Level::Warn,
        b"5" | b"6" => Level::Info,
        b"7" => Level::Debug,
        _ => Level::Unknown,
    }
}

/// A line without its prefixes.
struct Peeled<'a> {
    time: Option<LineTime>,
    program: Option<&'a [u8]>,
    host: &'a [u8],
    inner: &'a [u8],
}

impl<'a> Peeled<'a> {
    fn journal(&mut self, rest: &'a [u8], prefix: journald::Prefix<'a>) {
        // The machine whose journal the file is stands first; a journal of forwarded lines names others behind it.
        if prefix.certain && self.host.is_empty() && self.time.is_none() && is_host(prefix.host) {
            self.host = prefix.host;
        }
        (self.time, self.program, self.inner) = (Some(prefix.time), Some(prefix.program), rest);
    }
}

fn peel(line: &[u8]) -> Peeled<'_> {
    // A file system that lost power leaves runs of NUL bytes before the first line that follows.
    let start = line.iter().position(|b| *b != 0).unwrap_or(line.len());
    let mut peeled = Peeled { time: None, program: None, host: b"", inner: &line[start..] };
    for _ in 0..PREFIXES {
        match peeled.inner.first() {
            Some(b'0'..=b'9') => {
                if capnslog::head(peeled.inner).is_ok() {
                    break;
                }
                if let Ok((rest, prefix)) = journald::prefix(peeled.inner)
                    && is_host(prefix.host)
                {
                    peeled.journal(rest, prefix);
                } else if let Ok((rest, time)) = cri::prefix(peeled.inner) {
                    (peeled.time, peeled.inner) = (Some(time), rest);
                } else {
                    break;
                }
            }
            Some(b'A'..=b'Z') => match journald::prefix(peeled.inner) {
                Ok((rest, prefix)) => peeled.journal(rest, prefix),
                Err(_) => break,
            },
            // `kubectl logs --prefix`.
            Some(b'[') if peeled.inner.starts_with(b"[pod/") => match memchr::memmem::find(peeled.inner, b"] ") {
                Some(at) => peeled.inner = &peeled.inner[at + 2..],
                None => break,
            },
            Some(0x1b) => match wrapped::after_colour(peeled.inner) {
                Some(rest) => peeled.inner = rest,
                None => break,
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

/// Time, level, component and format of a line, without allocating.
pub fn glance(line: &[u8]) -> Glance<'_> {
    let peeled = peel(line);
    let mut found = if let Some(wrapped) = wrapped::unwrap(peeled.inner) {
        let mut buffer = [0; WRAPPED_HEAD];
        let mut length = 0;
        for (to, from) in buffer.iter_mut().zip(wrapped.bytes()) {
            *to = from;
            length += 1;
        }
        let head = buffer.get(..length).unwrap_or_default();
        let below = peel(head);
        let host = wrapped.host.unwrap_or_default();
        let mut found = Glance { message: wrapped.inner, host, ..own(below.inner) };
        found.time = found.time.or(below.time).or(wrapped.time);
        if found.level == Level::Unknown {
            found.level = wrapped.level;
        }
        if let Some(program) = below.program.or(wrapped.program).filter(|_| found.component.is_empty()) {
            found.component = Component::new(program);
        }
        found
    } else {
        own(peeled.inner)
    };
    found.time = found.time.or(peeled.time);
    if !peeled.host.is_empty() {
        found.host = peeled.host;
    }
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
    let inner = match wrapped::unwrap(peeled.inner) {
        Some(wrapped) => {
            unescaped = wrapped.text();
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
