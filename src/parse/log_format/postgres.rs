//! PostgreSQL, as its image and Debian's packages write: `2024-07-17 19:01:49.247 UTC [29] user@db FATAL:  message`.
//!
//! Sources: `postgres/postgres:src/backend/utils/error/elog.c` (`log_status_format`, `error_severity`, `send_message_to_server_log`),
//! `src/backend/utils/misc/guc_tables.c` (`log_line_prefix`, default `%m [%p] `).
//!
//! Invariant: a line that adds to the one before it (`DETAIL`, `CONTEXT`, ...) keeps that word in its message, and has no level.

use crate::glance::{Component, Glance};
use crate::log_format::{LogFormat, never};
use crate::{pairs, time};
use facts::log::{Level, LineTime};
use jiff::tz::TimeZone;
use nom::bytes::complete::{tag, take_while1};
use nom::{IResult, Parser};

pub(super) const FORMAT: LogFormat = LogFormat {
    names: &[NAME],
    begins: b"0123456789",
    like_prefix: true,
    head: |line| if line.get(10) == Some(&b' ') { head(line).ok().map(|(_, seen)| seen) } else { None },
    body: |_, text| (Some(pairs::lossy(text)), Vec::new()),
    is_surely: never,
};

const NAME: &str = "postgres";

/// Bytes between the number of the process and the level in which user and database stand.
const WHO: usize = 160;

/// The words before a message.
const LEVELS: [(&[u8], Level); 13] = [
    (b"PANIC", Level::Fatal),
    (b"FATAL", Level::Fatal),
    (b"ERROR", Level::Error),
    (b"WARNING", Level::Warn),
    (b"NOTICE", Level::Info),
    (b"LOG", Level::Info),
    (b"INFO", Level::Info),
    (b"DETAIL", Level::Unknown),
    (b"HINT", Level::Unknown),
    (b"QUERY", Level::Unknown),
    (b"CONTEXT", Level::Unknown),
    (b"LOCATION", Level::Unknown),
    (b"STATEMENT", Level::Unknown),
];

fn head(input: &[u8]) -> IResult<&[u8], Glance<'_>> {
    let (rest, (time, _, zone, _, _, _)) = (
        time::rfc3339,
        tag(" ".as_bytes()),
        take_while1(|b: u8| b.is_ascii_uppercase()),
        tag(" [".as_bytes()),
        take_while1(|b: u8| b.is_ascii_digit()),
        tag("] ".as_bytes()),
    )
        .parse(input)?;
    let none = || nom::Err::Error(nom::error::Error::new(input, nom::error::ErrorKind::Tag));
    let end = memchr::memmem::find(rest.get(..WHO).unwrap_or(rest), b":  ").ok_or_else(none)?;
    let (before, message) = (&rest[..end], &rest[end + 3..]);
    let word = before.rsplit(|b| *b == b' ').next().unwrap_or(before);
    let level = { LEVELS.iter() }.find(|(name, _)| *name == word).or_else(|| debug(word)).ok_or_else(none)?.1;
    let message = if level == Level::Unknown { &rest[end - word.len()..] } else { message };
    let time = match time {
        LineTime::Civil(civil) if matches!(zone, b"UTC" | b"GMT") => {
            civil.to_zoned(TimeZone::UTC).map_or(LineTime::Civil(civil), |zoned| LineTime::Exact(zoned.timestamp()))
        }
        other => other,
    };
    let component = Component::new(b"");
    Ok((&[], Glance { time: Some(time), level, component, message, format: NAME, ..Glance::default() }))
}

/// `DEBUG1` to `DEBUG5`.
fn debug(word: &[u8]) -> Option<&'static (&'static [u8], Level)> {
    const DEBUG: (&[u8], Level) = (b"DEBUG", Level::Debug);
    matches!(word, [b'D', b'E', b'B', b'U', b'G', b'1'..=b'5']).then_some(&DEBUG)
}
