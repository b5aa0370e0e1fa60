//! What a chat puts in front of a line: `10:32 anna: `, `[10:14] Lukas: `, `[26.11.26, 10:14:03] Anna B: `.
//!
//! Invariants: a time with seconds is that of a log, unless a date stands before it in the same brackets; only lines whose
//! rest is an output, and those of the same person right below, lose the prefix.

use crate::transcript::cut;
use crate::{answer, table};
use nom::branch::alt;
use nom::bytes::complete::{take_while, take_while_m_n};
use nom::character::complete::{char, one_of, space0};
use nom::combinator::{opt, recognize};
use nom::sequence::{delimited, preceded, terminated};
use nom::{IResult, Parser};

/// Bytes in front of which a prefix ends.
const LONGEST: usize = 80;
/// Characters and words of a name.
const NAME: usize = 40;
const WORDS: usize = 3;

/// `10:32`, `9:05 PM`.
fn clock(input: &str) -> IResult<&str, &str> {
    let digits = |least, most| take_while_m_n(least, most, |c: char| c.is_ascii_digit());
    let half = preceded(char(' '), (one_of("AaPp"), one_of("Mm")));
    recognize((digits(1, 2), char(':'), digits(2, 2), opt(half))).parse(input)
}

/// `26.11.26, 10:14:03`
fn dated(input: &str) -> IResult<&str, &str> {
    let date = take_while_m_n(6, 10, |c: char| c.is_ascii_digit() || "./-".contains(c));
    let seconds = (char(':'), take_while_m_n(2, 2, |c: char| c.is_ascii_digit()));
    recognize((date, opt(char(',')), char(' '), clock, opt(seconds))).parse(input)
}

/// The time, and who speaks.
fn head(input: &str) -> IResult<&str, &str> {
    let bracketed = terminated(delimited(char('['), alt((dated, clock)), char(']')), space0);
    let bare = terminated(clock, char(' '));
    let (input, _) = alt((bracketed, bare)).parse(input)?;
    let name = take_while(|c: char| c.is_alphanumeric() || " .-_'".contains(c));
    terminated(name, char(':')).parse(input)
}

/// Who speaks in a line, and how many bytes stand before what is said; `None` if it is no line of a chat.
fn speaker(line: &str) -> Option<(&str, usize)> {
    let start = line.get(..line.floor_char_boundary(LONGEST))?;
    let (rest, name) = head(start).ok()?;
    let level = ["error", "warning", "warn", "info", "debug", "fatal", "notice", "trace"];
    let plain = name.starts_with(char::is_alphabetic)
        && name.chars().count() <= NAME
        && name.split(' ').count() <= WORDS
        && !level.iter().any(|word| name.eq_ignore_ascii_case(word));
    let ends = rest.is_empty() || rest.starts_with(' ');
    let length = start.len() - rest.len();
    (plain && ends).then(|| (name, (length + 1).min(line.len())))
}

/// How many bytes stand before what is said in a line of a chat.
pub(crate) fn prefix(line: &str) -> Option<usize> {
    speaker(line).map(|(_, length)| length)
}

/// Does an output begin with this text?
fn begins(text: &str) -> bool {
    !text.trim().is_empty()
        && (table::header(text).is_some() || answer::is_one(text) || cut::is_typed(text) || text.starts_with("Name:  "))
}

/// Takes the prefixes off outputs; `false` if there were none.
pub(crate) fn strip(lines: &mut [String]) -> bool {
    let mut open: Option<String> = None;
    let mut changed = false;
    for line in lines {
        let Some((name, length)) = speaker(line) else {
            open = None;
            continue;
        };
        let goes_on = open.as_deref() == Some(name);
        if !goes_on && !line.get(length..).is_some_and(begins) {
            open = None;
            continue;
        }
        if !goes_on {
            open = Some(name.to_owned());
        }
        line.drain(..length);
        changed = true;
    }
    changed
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stripped(text: &str) -> String {
        let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
        strip(&mut lines);
        lines.join("\n")
    }

    #[test]
    fn outputs_in_a_chat() {
        let table = "10:32 anna: NAME    READY   STATUS   RESTARTS   AGE\n10:32 anna: web-0   0/1     Error    4   5m\n10:33 bob: oh";
        assert_eq!(
            stripped(table),
            "NAME    READY   STATUS   RESTARTS   AGE\nweb-0   0/1     Error    4   5m\n10:33 bob: oh"
        );
        let error = "[10:18] Lukas M: Error from server (NotFound): pods \"a\" not found";
        assert_eq!(stripped(error), "Error from server (NotFound): pods \"a\" not found");
        assert_eq!(stripped("[26.11.26, 10:14:03] Anna: $ kubectl get nodes"), "$ kubectl get nodes");
        assert_eq!(stripped("9:05 PM Anna: $ kubectl get nodes"), "$ kubectl get nodes");
    }

    #[test]
    fn what_is_said_and_what_is_logged_stays() {
        for line in [
            "[10:14] Lukas: so it is",
            "[10:14] Lukas:",
            "10:32:01 kubelet: Error from server (NotFound): pods \"a\" not found",
            "10:32 error: Error from server (NotFound): pods \"a\" not found",
            "[10:32:01] deploy: NAME   READY   STATUS   AGE",
            "10:32 it is: NAME and so on",
            "",
        ] {
            assert_eq!(stripped(line), line);
        }
        assert!(prefix("[10:14] Lukas: so").is_some() && prefix("10:14:02 kubelet: x").is_none());
    }
}
