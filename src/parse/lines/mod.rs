//! The lines of a log, one after the other: for commands that show lines, and not only what was found in them.
//!
//! Why beside [`scan`](crate::scan): that pass counts lines and keeps those that hold a wanted text; this one hands each
//! on and keeps none.
//!
//! Invariants: numbers are those of [`scan`](crate::scan), so that a line that one of them names is found by the other;
//! a line longer than the limit is cut where that cuts it; pieces of a line that a runtime cut are joined, and stand
//! where the first of them stands; memory does not follow the size of the log.

use crate::member::utf16;
use crate::partial::{Joined, Partial};
use crate::{frames, line};
use facts::log::{Level, LineTime};
use facts::outside::Outside;
use intake::Limits;
use std::io::{self, Read};
use std::ops::ControlFlow;

mod kept;
mod needles;

pub use kept::Kept;
pub use needles::Needles;

/// Bytes read at once.
const CHUNK: usize = 256 << 10;
/// What some programs write before the first line.
const BOM: &[u8] = "\u{feff}".as_bytes();

/// One line as it stands, which nobody may show before it is masked.
#[derive(Debug, Clone, Copy)]
pub struct RawLine<'a> {
    /// Its number in the member, from 1.
    pub number: u32,
    text: &'a [u8],
}

/// A line that may be shown.
#[derive(Debug, Clone, PartialEq)]
pub struct MaskedLine {
    /// The whole line, its secrets masked.
    pub text: Outside,
    /// What it says, without time, level and place in the source.
    pub message: String,
}

/// What a line says of itself before its header: nothing of it can be a secret.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Seen<'a> {
    /// The time inside it.
    pub time: Option<LineTime>,
    pub level: Level,
    /// The machine that a journal names in front of it; empty where there is none.
    pub host: &'a [u8],
}

impl<'a> RawLine<'a> {
    /// Time, level and machine, without masking anything.
    pub fn seen(&self) -> Seen<'a> {
        let seen = line::glance(self.text);
        Seen { time: seen.time, level: seen.level, host: seen.host }
    }

    /// Its text and what it says, masked.
    pub fn masked(&self) -> MaskedLine {
        let text = self.text();
        let message = line::parse(&text).message;
        MaskedLine { text, message }
    }

    /// Its text, masked.
    pub fn text(&self) -> Outside {
        let mut readable = crate::pairs::readable(self.text);
        if readable.contains('\0') {
            readable = readable.replace('\0', "\u{fffd}").into();
        }
        Outside::counted(&readable).0
    }

    /// Does it say nothing at all?
    pub fn is_blank(&self) -> bool {
        self.text.iter().all(u8::is_ascii_whitespace)
    }
}

/// Hands on each line of a member that is a log, or that has logs in it: dumps and transcripts have other lines too,
/// and who calls knows which are whose ([`ScannedLog::span`](facts::log::ScannedLog::span)).
///
/// # Errors
/// If reading fails; what was read before was handed on.
pub fn each(
    body: &mut dyn Read,
    limits: &Limits,
    visit: &mut dyn FnMut(RawLine<'_>) -> ControlFlow<()>,
) -> io::Result<()> {
    let mut head = Vec::new();
    let mut body = body;
    (&mut body).take(2).read_to_end(&mut head)?;
    if matches!(head.as_slice(), [0xff, 0xfe] | [0xfe, 0xff]) {
        // PowerShell writes UTF-16 when a command's output is redirected; such a text is held whole, as elsewhere.
        body.take(limits.document_bytes).read_to_end(&mut head)?;
        let text = utf16(&head).unwrap_or_default();
        return split(&mut text.as_bytes(), limits, visit);
    }
    split(&mut head.as_slice().chain(body), limits, visit)
}

fn split(
    body: &mut dyn Read,
    limits: &Limits,
    visit: &mut dyn FnMut(RawLine<'_>) -> ControlFlow<()>,
) -> io::Result<()> {
    let longest = limits.line_bytes.max(1);
    let mut lines = Lines { longest, number: 0, framed: false, partial: Partial::default(), visit };
    let mut buffer = vec![0; CHUNK];
    let (mut filled, mut skipping) = (0, false);
    loop {
        let count = match body.read(&mut buffer[filled..]) {
            Ok(count) => count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        let end = filled + count;
        let mut start = 0;
        if skipping {
            match memchr::memchr(b'\n', &buffer[..end]) {
                Some(at) => (start, skipping) = (at + 1, false),
                None => start = end,
            }
        }
        let whole = memchr::memrchr(b'\n', &buffer[start..end]).map_or(start, |at| start + at + 1);
        if lines.text(&buffer[start..whole]).is_break() {
            return Ok(());
        }
        if count == 0 {
            let _ = lines.text(&buffer[whole..end]).is_continue() && lines.rest().is_continue();
            return Ok(());
        }
        let mut rest = whole;
        if end - rest > longest {
            if lines.text(&buffer[rest..end]).is_break() {
                return Ok(());
            }
            (rest, skipping) = (end, true);
        }
        buffer.copy_within(rest..end, 0);
        filled = end - rest;
        if filled == buffer.len() {
            buffer.resize((filled * 2).min(longest + CHUNK), 0);
        }
    }
}

struct Lines<'v> {
    longest: usize,
    number: u32,
    /// Logs of containers stand in it one after the other.
    framed: bool,
    partial: Partial,
    visit: &'v mut dyn FnMut(RawLine<'_>) -> ControlFlow<()>,
}

impl Lines<'_> {
    fn text(&mut self, text: &[u8]) -> ControlFlow<()> {
        let mut start = 0;
        while start < text.len() {
            let end = memchr::memchr(b'\n', &text[start..]).map_or(text.len(), |at| start + at);
            self.line(&text[start..end])?;
            start = end + 1;
        }
        ControlFlow::Continue(())
    }

    fn line(&mut self, line: &[u8]) -> ControlFlow<()> {
        let mut line = line.strip_suffix(b"\r").unwrap_or(line);
        self.number = self.number.saturating_add(1);
        if self.number == 1 {
            line = line.strip_prefix(BOM).unwrap_or(line);
        }
        line = &line[..line.len().min(self.longest)];
        self.framed |= frames::is_start(line);
        if self.framed {
            line = frames::own(line);
        }
        match self.partial.take(self.number, line, self.longest) {
            Joined::Whole => (self.visit)(RawLine { number: self.number, text: line }),
            Joined::Piece => ControlFlow::Continue(()),
            Joined::Line(number, whole) => (self.visit)(RawLine { number, text: &whole }),
        }
    }

    /// Lines whose end never came.
    fn rest(&mut self) -> ControlFlow<()> {
        for (number, text) in self.partial.rest() {
            (self.visit)(RawLine { number, text: &text })?;
        }
        ControlFlow::Continue(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scan::{Literals, scan};
    use facts::origin::MemberId;
    use proptest::prelude::*;

    fn lines(text: &[u8], limits: &Limits) -> Vec<(u32, String)> {
        let mut all = Vec::new();
        let read = each(&mut &*text, limits, &mut |line| {
            all.push((line.number, line.text().to_string()));
            ControlFlow::Continue(())
        });
        assert!(read.is_ok());
        all
    }

    fn own(text: &str) -> Vec<(u32, String)> {
        lines(text.as_bytes(), &Limits::default())
    }

    #[test]
    fn lines_have_the_numbers_of_the_file() {
        let pairs = |all: &[(u32, &str)]| all.iter().map(|(n, t)| (*n, (*t).to_owned())).collect::<Vec<_>>();
        assert_eq!(own("\u{feff}a\r\n\nb"), pairs(&[(1, "a"), (2, ""), (3, "b")]));
        assert_eq!(own(""), []);
        let cut = "2026-06-01T10:00:00Z stdout P one \nx\n2026-06-01T10:00:00Z stdout F two\n";
        assert_eq!(own(cut), pairs(&[(2, "x"), (1, "2026-06-01T10:00:00Z stdout P one two")]));
        let utf16: Vec<u8> = [0xfeff, u16::from(b'h'), 10].iter().flat_map(|unit: &u16| unit.to_le_bytes()).collect();
        assert_eq!(lines(&utf16, &Limits::default()), pairs(&[(1, "h")]));
    }

    #[test]
    fn the_marks_of_a_dump_are_no_words_of_a_container() {
        let text =
            "==== START logs for container a of pod n/p ====\nlast==== END logs for container a of pod n/p ====\n";
        assert_eq!(own(text)[1], (2, "last".to_owned()));
    }

    #[test]
    fn secrets_are_masked_and_messages_are_read() {
        let text = "E0304 10:00:00.000000       1 a.go:1] login failed password=hunter2hunter2\n";
        let mut seen = Vec::new();
        let _ = each(&mut text.as_bytes(), &Limits::default(), &mut |line| {
            seen.push((line.seen().level, line.masked()));
            ControlFlow::Break(())
        });
        let (level, line) = &seen[0];
        assert_eq!(*level, Level::Error);
        assert!(!line.text.contains("hunter2") && line.message.starts_with("login failed"), "{line:?}");
    }

    proptest! {
        /// The scan and this pass count alike, whatever the bytes and however short lines may be.
        #[test]
        fn the_scan_counts_the_same_lines(text in "[ab\n\r]{0,200}", longest in 1usize..20) {
            let limits = Limits { line_bytes: longest, ..Limits::default() };
            let log = scan(MemberId(0), text.as_bytes(), &Literals::default(), &limits);
            let all = lines(text.as_bytes(), &limits);
            prop_assert_eq!(all.len() as u64, log.lines());
            prop_assert_eq!(log.span.1 as usize, all.len());
            prop_assert!(all.iter().enumerate().all(|(at, (number, _))| *number as usize == at + 1));
        }
    }
}
