//! capnslog, the default text of etcd 3.4 and older: `2021-03-05 12:33:44.975123 W | rafthttp: ...`, and
//! the lines of its raft library beside it: `raft2021/03/05 12:33:44 INFO: ...`.
//!
//! Sources: `coreos/pkg:capnslog/formatters.go` (StringFormatter), `etcd-io/etcd:raft/logger.go@v3.4.23`.

use crate::glance::{Component, Glance, level_word};
use crate::log_format::{LogFormat, never};
use crate::{pairs, time};
use facts::log::Level;
use nom::bytes::complete::{tag, take_while1};
use nom::character::complete::one_of;
use nom::{IResult, Parser};

pub(super) const FORMAT: LogFormat = LogFormat {
    names: &[NAME],
    begins: b"0123456789r",
    like_prefix: true,
    head: |line| head(line).ok().map(|(_, seen)| seen),
    body: |_, text| (Some(pairs::lossy(text)), Vec::new()),
    is_surely: never,
};

const NAME: &str = "capnslog";

/// Reads time, level and package; the message follows `package: `.
fn head(input: &[u8]) -> IResult<&[u8], Glance<'_>> {
    if input.starts_with(b"raft") {
        return raft(input);
    }
    let (rest, (time, _, letter, _)) =
        (time::rfc3339, tag(" ".as_bytes()), one_of("CEWNIDT"), tag(" | ".as_bytes())).parse(input)?;
    let level = match letter {
        'C' => Level::Fatal,
        'E' => Level::Error,
        'W' => Level::Warn,
        'N' | 'I' => Level::Info,
        _ => Level::Debug,
    };
    let (package, message) = match memchr::memmem::find(rest, b": ") {
        Some(at) if !rest[..at].contains(&b' ') => (&rest[..at], &rest[at + 2..]),
        _ => (&[][..], rest),
    };
    Ok((
        &[],
        Glance {
            time: Some(time),
            level,
            component: Component::new(package),
            message,
            format: NAME,
            ..Glance::default()
        },
    ))
}

fn raft(input: &[u8]) -> IResult<&[u8], Glance<'_>> {
    let (rest, (_, time, _, word, _)) = (
        tag("raft".as_bytes()),
        time::slashed,
        tag(" ".as_bytes()),
        take_while1(|b: u8| b.is_ascii_uppercase()),
        tag(": ".as_bytes()),
    )
        .parse(input)?;
    let level = level_word(word);
    Ok((
        &[],
        Glance {
            time: Some(time),
            level,
            component: Component::new(b"raft"),
            message: rest,
            format: NAME,
            ..Glance::default()
        },
    ))
}
