//! The short text of journald and syslog: `Nov 28 14:02:06 node01 kubelet[308309]: rest`, and
//! `-o short-iso`, `short-full` and `short-unix` with a full time. Source:
//! `systemd/systemd:src/shared/logs-show.c` (`output_short`).

use crate::time;
use facts::log::LineTime;
use nom::branch::alt;
use nom::bytes::complete::{tag, take_while1};
use nom::character::complete::digit1;
use nom::combinator::opt;
use nom::sequence::delimited;
use nom::{IResult, Parser};

/// Is this all that `journalctl` prints where nothing fits what was asked?
pub(crate) fn has_no_entries(text: &str) -> bool {
    let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    let mut marks = lines
        .by_ref()
        .take(20)
        .filter(|line| !line.starts_with("-- Logs begin at ") && !line.starts_with("-- Journal begins at "));
    marks.next() == Some("-- No entries --") && marks.next().is_none()
}

/// What stands before the line of the unit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Prefix<'a> {
    /// The time, without zone and year in the plain form.
    pub time: LineTime,
    /// The machine.
    pub host: &'a [u8],
    /// The program: `kubelet`, `containerd`, `kernel`.
    pub program: &'a [u8],
    /// It is surely a journal's: after a full time, two words and a colon may be any sentence.
    pub certain: bool,
}

/// Reads the prefix; the rest is the line that the program wrote.
pub(crate) fn prefix(input: &[u8]) -> IResult<&[u8], Prefix<'_>> {
    let host = take_while1(|b: u8| b.is_ascii_graphic() && b != b':');
    let program = take_while1(|b: u8| b.is_ascii_graphic() && b != b'[' && b != b':');
    let pid = delimited(tag("[".as_bytes()), digit1, tag("]".as_bytes()));
    let blank = || tag(" ".as_bytes());
    let (rest, (time, _, host, _, program, pid, _, _)) = (
        alt((time::syslog, time::rfc3339, time::short_full, time::short_unix)),
        blank(),
        host,
        blank(),
        program,
        opt(pid),
        tag(":".as_bytes()),
        opt(blank()),
    )
        .parse(input)?;
    let certain = pid.is_some() || matches!(time, LineTime::NoYear(_));
    Ok((rest, Prefix { time, host, program, certain }))
}
