//! What a container runtime or `kubectl logs --timestamps` puts before each line: a time, and for files
//! under `/var/log/pods` stream and tag too (`2026-06-01T10:00:00.123456789Z stderr F rest`).
//! Source: `kubernetes/kubernetes:pkg/kubelet/kuberuntime/logs/logs.go` (`parseCRILog`).
//!
//! A line that the runtime split (tag `P`) is counted piece by piece; for searching the pieces are joined
//! ([`crate::partial`]).

use crate::time;
use facts::log::LineTime;
use nom::branch::alt;
use nom::bytes::complete::tag;
use nom::character::complete::one_of;
use nom::combinator::opt;
use nom::sequence::preceded;
use nom::{IResult, Parser};

/// Reads the prefix; the rest is the line that the program wrote.
pub fn prefix(input: &[u8]) -> IResult<&[u8], LineTime> {
    let stream = alt((tag("stdout".as_bytes()), tag("stderr".as_bytes())));
    let flags = (stream, tag(" ".as_bytes()), one_of("FP"), opt(tag(" ".as_bytes())));
    let (rest, time) = time::rfc3339(input)?;
    if rest.is_empty() {
        return Ok((rest, time));
    }
    preceded(tag(" ".as_bytes()), opt(flags)).map(|_| time).parse(rest)
}
