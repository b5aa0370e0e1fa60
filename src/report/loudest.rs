//! The loudest lines, where nothing better is known: what every output shows of them, in the same words.
//!
//! Invariant: nothing is shown where a finding says what is wrong and why ([`summary::says_little`]).

use diagnosis::model::{Diagnosis, LoudLine, Loudness, OF_EVENT};
use diagnosis::{summary, words};
use serde::Serialize;

/// Events that stand beside the lines.
const EVENTS: usize = 3;

/// One line.
#[derive(Debug, Serialize)]
pub struct Loud {
    /// `last words`
    pub what: &'static str,
    /// The same as a part of the name of a class.
    pub key: &'static str,
    /// The process could not go on.
    pub worst: bool,
    /// The log, or the object of an event.
    pub log: String,
    /// `2026-03-04 09:40:04`; empty if it is not known.
    pub time: String,
    pub text: String,
    /// What else is known of it: `then silent for 5 minutes`; empty if nothing.
    pub note: String,
    /// Where it stands; empty if that is not known.
    pub place: String,
}

/// The lines of a diagnosis, the loudest first; none where a finding says more.
pub fn loudest(diagnosis: &Diagnosis) -> Vec<Loud> {
    if !summary::says_little(diagnosis) {
        return Vec::new();
    }
    let several = diagnosis.contexts.len() > 1;
    let named = |log: &str, context: &str| if several { format!("{log} in {context}") } else { log.to_owned() };
    let of_log = |line: &LoudLine| Loud {
        what: word(line.kind),
        key: if line.kind == Loudness::LastError { "error" } else { "fatal" },
        worst: line.kind != Loudness::LastError,
        log: named(&line.stream, &line.context),
        time: line.time.as_deref().map(words::clock).unwrap_or_default(),
        text: line.text.clone(),
        note: note(line),
        place: words::place_short(&line.citation),
    };
    let events = diagnosis.anomalies.iter().filter(|anomaly| anomaly.kind == OF_EVENT).take(EVENTS);
    let of_event = |event: &diagnosis::model::Anomaly| Loud {
        what: "event",
        key: "event",
        worst: false,
        log: named(&event.subject, &event.context),
        time: event.time.as_deref().map(words::clock).unwrap_or_default(),
        text: event.text.clone(),
        note: joined([times(event.count), also(event.also, "object", "objects")]),
        place: event.citation.as_ref().map(words::place_short).unwrap_or_default(),
    };
    diagnosis.loudest.iter().map(of_log).chain(events.map(of_event)).collect()
}

fn word(kind: Loudness) -> &'static str {
    match kind {
        Loudness::LastWords => "last words",
        Loudness::Fatal => "fatal",
        Loudness::LastError => "last error",
    }
}

/// What else is known of a line.
fn note(line: &LoudLine) -> String {
    let often = match line.kind {
        Loudness::LastError if line.count > 1 => format!("{} errors in this log", words::thousands(line.count)),
        _ => times(line.count),
    };
    let restarted = if line.restarted { "started again after it".to_owned() } else { String::new() };
    let silent =
        line.silent_seconds.map(|seconds| format!("the log stops {} before others do", words::rough_span(seconds)));
    joined([restarted, silent.unwrap_or_default(), often, also(line.also, "log", "logs")])
}

fn times(count: u64) -> String {
    if count > 1 { format!("{} times", words::thousands(count)) } else { String::new() }
}

fn also(others: u64, one: &str, many: &str) -> String {
    if others > 0 {
        format!("also in {}", words::count(others, &format!("more {one}"), &format!("more {many}")))
    } else {
        String::new()
    }
}

fn joined<const N: usize>(parts: [String; N]) -> String {
    parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("; ")
}
