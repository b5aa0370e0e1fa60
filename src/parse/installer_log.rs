//! The log of the ACP installer (`/var/cpaas/data/installer.log`) as one object, beside its lines:
//! `installerlogs`.
//!
//! Why an object: whether an installation stalls is told by an error that comes again and again while no
//! phase follows, and the words of the installer are not public. So no text of its errors can be looked
//! for; what counts is the level of a line, how often its template comes, and over how long.
//!
//! | field | meaning |
//! |---|---|
//! | `spec.firstTime`, `spec.lastTime` | first and last time in the log, where its lines state a year |
//! | `status.request`, `status.requestTime` | the first line that names the API that takes the request, or the ConfigMap that it imports by |
//! | `status.phase` | the last line that names a phase |
//! | `status.errors[]` | of the errors since then that came three times or more: `text`, `count`, `minutes` between the first and the last, `quiet` minutes between the last and the end of the log |
//!
//! Source: Alauda "Installing the global Cluster", Step 9 ("The installer log records every phase
//! transition. Transient errors retry on a short interval; persistent errors stay visible in the log").
//!
//! Invariants: the number of templates and the length of lines are bounded; texts are masked.

use crate::answer::Asked;
use crate::secrets::mask_text;
use crate::text_form::records;
use crate::text_form::records::Records;
use crate::{line, time};
use facts::log::{Level, LineTime};
use facts::node::{Node, Value};
use facts::record::Parsed;
use facts::template;
use std::collections::BTreeMap;
use std::io::Read;

/// Templates that are counted between two phases.
const TEMPLATES: usize = 256;
/// Bytes of a line that are looked at.
const LINE: usize = 4 << 10;
/// How often an error must come to be listed.
const OFTEN: u64 = 3;
/// How many are listed.
const LISTED: usize = 5;

/// Is it the installer's log, by its name?
pub(crate) fn is_named(name: &str) -> bool {
    let file = name.rsplit('/').next().unwrap_or(name);
    file == "installer.log" || file.starts_with("installer.log.")
}

/// A repeated error.
struct Repeated {
    count: u64,
    line: u32,
    text: String,
    first: i64,
    last: i64,
}

/// Reads along while a log is scanned.
pub(crate) struct Watch<R> {
    body: R,
    open: Vec<u8>,
    number: u32,
    first: Option<LineTime>,
    last: Option<LineTime>,
    request: Option<(u32, String, Option<LineTime>)>,
    phase: Option<(u32, String)>,
    errors: BTreeMap<String, Repeated>,
}

impl<R: Read> Watch<R> {
    /// Reads along with `body`.
    pub(crate) fn new(body: R) -> Self {
        let (first, last, request, phase) = (None, None, None, None);
        Self { body, open: Vec::new(), number: 0, first, last, request, phase, errors: BTreeMap::new() }
    }

    fn line(&mut self) {
        self.number = self.number.saturating_add(1);
        let bytes = std::mem::take(&mut self.open);
        let seen = line::glance(&bytes);
        self.first = self.first.or(seen.time);
        self.last = seen.time.or(self.last);
        let text = String::from_utf8_lossy(&bytes);
        let shown = || mask_text(text.trim()).0.chars().take(400).collect::<String>();
        if self.request.is_none() && (text.contains("/api/config/") || text.contains("import-extra-resources")) {
            self.request = Some((self.number, shown(), seen.time));
        }
        if seen.level < Level::Error {
            if text.to_ascii_lowercase().split(|c: char| !c.is_ascii_alphanumeric()).any(|word| word == "phase") {
                self.phase = Some((self.number, shown()));
                self.errors.clear();
            }
        } else if let Some(minute) = seen.time.and_then(time::minute) {
            let mut key = String::new();
            template::of(seen.message, &mut key);
            if let Some(known) = self.errors.get_mut(&key) {
                known.count += 1;
                known.last = minute;
            } else if self.errors.len() < TEMPLATES {
                let one = Repeated { count: 1, line: self.number, text: shown(), first: minute, last: minute };
                self.errors.insert(key, one);
            }
        }
    }

    /// What was read, as an object; nothing if no line had a time.
    pub(crate) fn finish(mut self, asked: &Asked<'_>) -> Option<Parsed> {
        if !self.open.is_empty() {
            self.line();
        }
        let end = time::minute(self.last?)?;
        let mut records = Records::new(asked, "installer-log");
        let mut node = Node::map(1);
        for (field, time) in [("firstTime", self.first), ("lastTime", self.last)] {
            if let Some(text) = time.and_then(stated) {
                node.set_at(&["spec", field], Node::str(1, text));
            }
        }
        if let Some((line, text, time)) = self.request {
            node.set_at(&["status", "request"], Node::str(line, text));
            if let Some(time) = time.and_then(stated) {
                node.set_at(&["status", "requestTime"], Node::str(line, time));
            }
        }
        if let Some((line, text)) = self.phase {
            node.set_at(&["status", "phase"], Node::str(line, text));
        }
        let mut errors: Vec<Repeated> = self.errors.into_values().filter(|error| error.count >= OFTEN).collect();
        errors.sort_by_key(|error| (std::cmp::Reverse(error.last - error.first), error.line));
        errors.truncate(LISTED);
        let items = errors.into_iter().map(|error| {
            let mut item = Node::map(error.line);
            item.set("text", Node::str(error.line, error.text));
            item.set("count", records::integer(error.line, i64::try_from(error.count).unwrap_or(i64::MAX)));
            item.set("minutes", records::integer(error.line, error.last - error.first));
            item.set("quiet", records::integer(error.line, end - error.last));
            item
        });
        node.set_at(&["status", "errors"], Node::new(1, Value::List(items.collect())));
        records.whole("installerlogs", records::stem(asked.name), node);
        Some(records.finish())
    }
}

impl<R: Read> Read for Watch<R> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let count = self.body.read(buffer)?;
        let mut rest = buffer.get(..count).unwrap_or_default();
        while let Some(at) = memchr::memchr(b'\n', rest) {
            let (line, after) = rest.split_at(at);
            self.add(line);
            self.line();
            rest = after.get(1..).unwrap_or_default();
        }
        self.add(rest);
        Ok(count)
    }
}

impl<R> Watch<R> {
    fn add(&mut self, bytes: &[u8]) {
        let room = LINE.saturating_sub(self.open.len());
        self.open.extend_from_slice(bytes.get(..room).unwrap_or(bytes));
    }
}

/// A time that states its year, as RFC 3339; without a zone it is read as UTC, as everywhere.
fn stated(time: LineTime) -> Option<String> {
    match time {
        LineTime::NoYear(_) | LineTime::SinceStart(_) => None,
        time => time.resolve(None).map(|time| time.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use facts::origin::MemberId;

    fn read(text: &str) -> String {
        let mut watch = Watch::new(text.as_bytes());
        std::io::copy(&mut watch, &mut std::io::sink()).expect("memory does not fail");
        crate::text_form::testing::show(watch.finish(&Asked {
            member: MemberId(0),
            name: "data/installer.log",
            command: None,
        }))
    }

    fn minute(minute: u32, level: &str, text: &str) -> String {
        format!("2026-08-20T02:{minute:02}:00Z {level} {text}\n")
    }

    #[test]
    fn an_error_that_repeats_after_the_last_phase() {
        let error = |at| minute(at, "ERROR", &format!("create alb failed: try {at}"));
        let log = [
            minute(0, "INFO", "POST /cpaas-installer/api/config/dcs"),
            error(1),
            error(2),
            error(3),
            minute(4, "INFO", "enter phase network"),
            error(5),
            error(11),
            error(20),
            minute(21, "INFO", "retry"),
        ];
        insta::assert_snapshot!(read(&log.concat()), @"1: installerlogs installer | spec: {firstTime: 2026-08-20T02:00:00Z, lastTime: 2026-08-20T02:21:00Z} status: {request: 2026-08-20T02:00:00Z INFO POST /cpaas-installer/api/config/dcs, requestTime: 2026-08-20T02:00:00Z, phase: 2026-08-20T02:04:00Z INFO enter phase network, errors: text: 2026-08-20T02:05:00Z ERROR create alb failed: try 5, count: 3, minutes: 15, quiet: 1}");
    }

    #[test]
    fn what_a_phase_left_behind_does_not_count() {
        let error = |at| minute(at, "ERROR", "create alb failed");
        let log = [error(1), error(9), error(20), minute(21, "INFO", "phase done")];
        insta::assert_snapshot!(read(&log.concat()), @"1: installerlogs installer | spec: {firstTime: 2026-08-20T02:01:00Z, lastTime: 2026-08-20T02:21:00Z} status: {phase: 2026-08-20T02:21:00Z INFO phase done, errors: }");
    }

    #[test]
    fn only_its_own_log_is_read() {
        assert!(is_named("var/cpaas/data/installer.log") && is_named("installer.log.1"));
        assert!(!is_named("my-installer.log") && !is_named("installer-config.json"));
        assert_eq!(read("no time here\n"), "something else");
    }
}
