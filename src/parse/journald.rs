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

/// Does a line name its program as a journal does: `kubelet[1201]: `, or a field of it? Such a log may hold the lines of
/// others as well.
pub fn names_its_program(text: &str) -> bool {
    let named = text.split_once("]: ").and_then(|(before, _)| before.rsplit_once('['));
    let process = |(program, id): (&str, &str)| {
        !id.is_empty() && id.bytes().all(|byte| byte.is_ascii_digit()) && !program.ends_with(' ')
    };
    named.is_some_and(process) || text.contains("SYSLOG_IDENTIFIER") || text.contains("_SYSTEMD_UNIT")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_a_journal_name_their_program() {
        assert!(names_its_program(
            "May 14 10:00:00 cp-a kubelet[1201]: E0514 10:00:00.000000 1201 reflector.go:150] x"
        ));
        assert!(!names_its_program("E0514 10:00:00.000000    1201 reflector.go:150] x [3]: y"));
        assert!(names_its_program(r#"{"SYSLOG_IDENTIFIER":"kubelet","MESSAGE":"x"}"#));
        assert!(!names_its_program(r#"{"level":"warn","ts":"2026-05-14T10:00:00Z","msg":"x"}"#));
    }
}
