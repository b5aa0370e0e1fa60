//! klog text, the format of Kubernetes and Cluster API components: a header with severity, month, day and
//! time, thread and source file, then a message.
//!
//! Three shapes of message: structured (`"msg" key="value"`, klog v2), logr text through klog
//! (`logger "msg"="..." "key"="value"`, Cluster API v0.3 and v0.4), and plain. Source of the header:
//! `kubernetes/klog:klog.go@v2` (`formatHeader`); of the pairs: `internal/serialize/keyvalues.go`.

use crate::glance::{Component, Glance};
use crate::log_format::{Fields, LogFormat, never};
use crate::pairs::{Pairs, lossy, quoted_len, unquote};
use crate::time;
use facts::log::Level;
use nom::bytes::complete::{tag, take_while1};
use nom::character::complete::{digit1, one_of, space0};
use nom::{IResult, Parser};

pub(super) const FORMAT: LogFormat = LogFormat {
    names: &[NAME],
    begins: b"IWEF",
    like_prefix: false,
    head: |line| head(line).ok().map(|(_, seen)| seen),
    body: |_, text| {
        let (message, fields) = body(text);
        (Some(message), fields)
    },
    is_surely: never,
};

pub(crate) const NAME: &str = "klog";

/// Reads the header; the message is what follows `] `.
fn head(input: &[u8]) -> IResult<&[u8], Glance<'_>> {
    let (rest, severity) = one_of("IWEF").parse(input)?;
    let (rest, time) = time::klog(rest)?;
    let (rest, _) = (space0, digit1, tag(" ".as_bytes())).parse(rest)?;
    let (rest, file) = take_while1(|b: u8| b != b':' && b != b']' && b != b' ').parse(rest)?;
    let (rest, _) = (tag(":".as_bytes()), digit1, tag("]".as_bytes())).parse(rest)?;
    let message = rest.strip_prefix(b" ").unwrap_or(rest);
    let level = match severity {
        'I' => Level::Info,
        'W' => Level::Warn,
        'E' => Level::Error,
        _ => Level::Fatal,
    };
    Ok((
        &[],
        Glance { time: Some(time), level, component: Component::new(file), message, format: NAME, ..Glance::default() },
    ))
}

/// Message and pairs of the text after the header.
fn body(text: &[u8]) -> (String, Fields) {
    const LOGR: &[u8] = b"\"msg\"=";
    let pairs = |text| Pairs::new(text).map(|pair| (lossy(pair.key), pair.text())).collect::<Vec<_>>();
    if let Some(at) = memchr::memmem::find(text, LOGR) {
        let before = text[..at].trim_ascii();
        let mut fields = pairs(&text[at..]);
        // The pairs before the message are those of an error: `"msg"` follows `"error"="..."`.
        let mut first = if before.starts_with(b"\"") { pairs(before) } else { Vec::new() };
        if first.is_empty() && !before.is_empty() {
            // A logger name; an error may stand between it and the message.
            let end = memchr::memchr(b' ', before).unwrap_or(before.len());
            first.push(("logger".to_owned(), lossy(&before[..end])));
            first.extend(pairs(&before[end..]));
        }
        let message = if fields.is_empty() { String::new() } else { fields.remove(0).1 };
        first.append(&mut fields);
        return (message, first);
    }
    if text.first() == Some(&b'"') {
        let end = quoted_len(text);
        return (unquote(&text[..end]), pairs(&text[end..]));
    }
    (lossy(text), Vec::new())
}
