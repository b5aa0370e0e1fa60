//! The ring of the kernel as `dmesg` prints it: `[911231.104211] EXT4-fs error ...`, with its priority in front where that was
//! asked for (`-r`: `<3>[911231.104211] ...`, `-x`: `kern  :err   : [911231.104211] ...`), or with the date (`-T`:
//! `[Mon Feb  9 10:11:12 2026] ...`).
//!
//! Sources: `torvalds/linux:kernel/printk/printk.c` (print_time, `[%5lu.%06lu]`), `util-linux:sys-utils/dmesg.c`; the low
//! three bits of a priority are its level (RFC 3164, section 4.1.1).

use crate::glance::{Component, Glance, level_word};
use crate::log_format::{LogFormat, never};
use crate::{pairs, time};
use facts::log::Level;
use nom::branch::alt;
use nom::bytes::complete::{tag, take_while_m_n};
use nom::character::complete::{char, space0};
use nom::combinator::{map, opt, rest};
use nom::sequence::{delimited, preceded, terminated};
use nom::{IResult, Parser};

pub(super) const FORMAT: LogFormat = LogFormat {
    names: &[NAME],
    begins: b"[<k",
    like_prefix: true,
    head: |line| head(line).ok().map(|(_, seen)| seen),
    body: |_, text| (Some(pairs::lossy(text)), Vec::new()),
    is_surely: never,
};

const NAME: &str = "kernel ring";

fn head(input: &[u8]) -> IResult<&[u8], Glance<'_>> {
    let stamp = delimited(char('['), alt((time::since_start, time::ctime)), tag("] ".as_bytes()));
    let (input, (level, time)) = (opt(alt((priority, decoded))), stamp).parse(input)?;
    let seen = |message| Glance {
        time: Some(time),
        level: level.unwrap_or_default(),
        component: Component::new(b"kernel"),
        message,
        format: NAME,
        ..Glance::default()
    };
    map(rest, seen).parse(input)
}

/// `<3>`, the level in its low three bits.
fn priority(input: &[u8]) -> IResult<&[u8], Level> {
    let digits = take_while_m_n(1, 3, |b: u8| b.is_ascii_digit());
    let level = |digits: &[u8]| match digits.iter().fold(0u16, |sum, b| sum * 10 + u16::from(b - b'0')) & 7 {
        0..=2 => Level::Fatal,
        3 => Level::Error,
        4 => Level::Warn,
        7 => Level::Debug,
        _ => Level::Info,
    };
    terminated(map(delimited(char('<'), digits, char('>')), level), space0).parse(input)
}

/// `kern  :err   : `
fn decoded(input: &[u8]) -> IResult<&[u8], Level> {
    let word = take_while_m_n(1, 6, |b: u8| b.is_ascii_lowercase());
    let level = terminated(word, (space0, tag(": ".as_bytes())));
    map(preceded((tag("kern".as_bytes()), space0, char(':')), level), level_word).parse(input)
}
