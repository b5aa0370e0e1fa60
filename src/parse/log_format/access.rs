//! Requests as web servers log them: `10.0.0.5 - alice [18/Nov/2026:10:13:43 +0000] "GET / HTTP/2.0" 503 190 ...`, the common log
//! format of Apache, nginx and what imitates them.
//!
//! Sources: `apache/httpd:docs/manual/logs.xml` (`%h %l %u %t "%r" %>s %b`), `kubernetes/ingress-nginx:internal/ingress/controller/config`
//! (`logFormatUpstream`).
//!
//! Invariant: what a request was answered with is no level: a server that refuses or fails a request may be well itself.

use crate::glance::{Component, Glance};
use crate::log_format::{LogFormat, never};
use crate::{pairs, time};
use facts::log::Level;

pub(super) const FORMAT: LogFormat = LogFormat {
    names: &[NAME],
    begins: b"0123456789abcdefghijklmnopqrstuvwxyzABCDEF:-",
    like_prefix: false,
    head,
    body: |_, text| (Some(pairs::lossy(text)), Vec::new()),
    is_surely: never,
};

const NAME: &str = "access";

/// Bytes of the longest client, and of the longest user.
const WHO: usize = 64;

fn head(line: &[u8]) -> Option<Glance<'_>> {
    let client = line.iter().take(WHO).position(|b| *b == b' ')?;
    // The name by RFC 1413, which nobody asks for any more.
    let user = line.get(client..)?.strip_prefix(b" - ")?;
    let end = user.iter().take(WHO).position(|b| *b == b' ')?;
    let stated = user.get(end..)?.strip_prefix(b" [")?;
    let (rest, time) = time::access(stated).ok()?;
    rest.starts_with(b"] ").then(|| Glance {
        time: Some(time),
        level: Level::Unknown,
        component: Component::default(),
        message: line,
        format: NAME,
        ..Glance::default()
    })
}
