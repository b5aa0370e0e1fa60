//! One log line: which format it has, and what it says.
//!
//! [`glance`] runs on every line of a bundle and allocates nothing; [`parse`] runs on the few lines that
//! somebody looks for. Invariant: both agree on time, level and format, because both read the header with the
//! same function, once. Prefixes of runtimes and journals are peeled off first: a time inside the program's
//! own line wins over the time of a prefix. The formats of what is left are rows of
//! [`LOG_FORMATS`](crate::log_format::LOG_FORMATS).

use crate::glance::{Component, Glance, level_word};
use crate::log_format;
use crate::log_format::plain;
use crate::wrapped::Wrapped;
use crate::{cri, journald, pairs, time, wrapped};
use facts::log::{Level, LineFields, LineTime};
use jiff::SignedDuration;

/// How many prefixes may stand before a line: a journal of a runtime's log with a time in front.
const PREFIXES: usize = 4;

/// How much of a line that is wrapped into JSON is looked at for its header.
const WRAPPED_HEAD: usize = 1024;

/// A line without its prefixes.
struct Peeled<'a> {
    time: Option<LineTime>,
    program: Option<&'a [u8]>,
    host: &'a [u8],
    inner: &'a [u8],
    /// What the program's own line says, where that had to be read to know that it begins with no prefix.
    seen: Option<Glance<'a>>,
}

impl<'a> Peeled<'a> {
    fn journal(&mut self, rest: &'a [u8], prefix: journald::Prefix<'a>) {
        // The machine whose journal the file is stands first; a journal of forwarded lines names others behind it.
        if prefix.certain && self.host.is_empty() && self.time.is_none() && is_host(prefix.host) {
            self.host = prefix.host;
        }
        (self.time, self.program, self.inner) = (Some(prefix.time), Some(prefix.program), rest);
    }

    /// What the program's own line says.
    fn own(&self) -> Glance<'a> {
        self.seen.or_else(|| log_format::head_of_own(self.inner)).unwrap_or_else(|| plain::head(self.inner))
    }
}

fn peel(line: &[u8]) -> Peeled<'_> {
    // A file system that lost power leaves runs of NUL bytes before the first line that follows.
    let start = line.iter().position(|b| *b != 0).unwrap_or(line.len());
    let mut peeled = Peeled { time: None, program: None, host: b"", inner: &line[start..], seen: None };
    for left in (0..=PREFIXES).rev() {
        peeled.seen = log_format::head_like_prefix(peeled.inner);
        if peeled.seen.is_some() || left == 0 {
            break;
        }
        match peeled.inner.first() {
            Some(b'0'..=b'9') => {
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
            Some(b'a'..=b'z' | 0x80..) if time::begins_like_syslog(peeled.inner) => {
                match journald::prefix(peeled.inner) {
                    Ok((rest, prefix)) => peeled.journal(rest, prefix),
                    Err(_) => break,
                }
            }
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

/// Of the time that a program wrote and the one in front of its line the one that says more: klog states neither year nor
/// zone, the runtime that kept the line states both. Of two that say as much the program's own.
fn fuller(own: Option<LineTime>, outer: Option<LineTime>) -> Option<LineTime> {
    let says = |time: &LineTime| match time {
        LineTime::Exact(_) => 3,
        LineTime::Civil(_) => 2,
        LineTime::NoYear(_) => 1,
        LineTime::SinceStart(_) => 0,
    };
    let (Some(written), Some(kept)) = (own, outer) else { return own.or(outer) };
    if says(&kept) <= says(&written) {
        return own;
    }
    // A program writes down what it does a moment before the runtime keeps it; where the two are hours apart, it is another
    // zone that it writes.
    let clock = kept.resolve(None).filter(|_| matches!(kept, LineTime::Exact(_)));
    let near = clock.and_then(|clock| Some((written.resolve(Some(clock))?, clock)));
    near.filter(|(own, clock)| own.duration_since(*clock).abs() < AT_ONCE)
        .map_or(outer, |(own, _)| Some(LineTime::Exact(own)))
}

/// What a program writes is kept sooner.
const AT_ONCE: SignedDuration = SignedDuration::from_secs(600);

/// The header of a line, read once for whoever needs it.
struct Header<'a> {
    seen: Glance<'a>,
    /// The line without its prefixes.
    inner: &'a [u8],
    /// The same, where somebody wrapped it into JSON.
    wrapped: Option<Wrapped<'a>>,
}

fn header(line: &[u8]) -> Header<'_> {
    let peeled = peel(line);
    let wrapped = wrapped::unwrap(peeled.inner);
    let mut seen = match &wrapped {
        Some(wrapped) => header_inside(wrapped),
        None => peeled.own(),
    };
    seen.zone = time::zone(seen.time, peeled.time);
    seen.time = fuller(seen.time, peeled.time);
    if !peeled.host.is_empty() {
        seen.host = peeled.host;
    }
    if let Some(program) = peeled.program.filter(|_| seen.component.is_empty()) {
        seen.component = Component::new(program);
    }
    Header { seen, inner: peeled.inner, wrapped }
}

/// What a line inside JSON says: its first bytes are unescaped on the stack.
fn header_inside<'a>(wrapped: &Wrapped<'a>) -> Glance<'a> {
    let mut buffer = [0; WRAPPED_HEAD];
    let mut length = 0;
    for (to, from) in buffer.iter_mut().zip(wrapped.bytes()) {
        *to = from;
        length += 1;
    }
    let below = peel(buffer.get(..length).unwrap_or_default());
    let mut seen = Glance { message: wrapped.inner, host: wrapped.host.unwrap_or_default(), ..below.own() };
    seen.time = fuller(fuller(seen.time, below.time), wrapped.time);
    if seen.level == Level::Unknown {
        seen.level = wrapped.level;
    }
    if let Some(program) = below.program.or(wrapped.program).filter(|_| seen.component.is_empty()) {
        seen.component = Component::new(program);
    }
    seen
}

/// Time, level, component and format of a line, without allocating.
pub fn glance(line: &[u8]) -> Glance<'_> {
    header(line).seen
}

/// The bytes that a program wrote itself, without the prefixes of runtimes and journals.
pub(crate) fn inner(line: &[u8]) -> &[u8] {
    peel(line).inner
}

/// What a program wrote itself, without the prefixes of runtimes and journals.
pub(crate) fn own(line: &str) -> String {
    let Header { inner, wrapped, .. } = header(line.as_bytes());
    match wrapped {
        Some(wrapped) => pairs::lossy(peel(wrapped.text().as_bytes()).inner),
        None => pairs::lossy(inner),
    }
}

/// The program that a journal names in front of a line; `None` for a line of no journal.
pub fn program(line: &str) -> Option<String> {
    let peeled = peel(line.as_bytes());
    let program = peeled.program.or_else(|| wrapped::unwrap(peeled.inner)?.program)?;
    Some(pairs::lossy(program))
}

/// Everything that can be read out of a line.
pub fn parse(line: &str) -> LineFields {
    let Header { seen, inner, wrapped } = header(line.as_bytes());
    let unescaped;
    let (inner, text) = match wrapped {
        // The header was read off the escaped text; message and fields stand in the whole, unescaped one.
        Some(wrapped) => {
            unescaped = wrapped.text();
            let below = peel(unescaped.as_bytes());
            (below.inner, below.own().message)
        }
        None => (inner, seen.message),
    };
    let (message, fields) = log_format::body(seen.format, inner, text);
    LineFields {
        time: seen.time,
        level: seen.level,
        message: message.unwrap_or_else(|| pairs::lossy(inner)),
        fields,
        format: seen.format,
    }
}
