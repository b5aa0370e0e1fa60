//! What a line says at first sight, and the words of levels that formats and prefixes share.
//!
//! Invariant: everything here is a value of fixed size or borrows from the line, so that counting lines
//! allocates nothing.

use facts::log::{Level, LineTime};

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
    /// How many seconds the time in front of the line, which states no zone, is ahead of the one inside, which does.
    pub zone: Option<i32>,
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

/// A caller without its line: `rafthttp/probing_status.go:68` is `rafthttp/probing_status.go`.
pub(crate) fn file_of(caller: &[u8]) -> &[u8] {
    &caller[..memchr::memrchr(b':', caller).unwrap_or(caller.len())]
}
