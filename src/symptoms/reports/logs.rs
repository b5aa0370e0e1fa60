//! Logs of few lines that end with an error: what somebody took out of a longer one is what he asks about.
//!
//! Of a log that ends with an error that only follows from one before, the one before is told.
//!
//! Invariant: what a container said that was started again and is shown, what came and did not come again in the log of a Pod
//! that runs, or what a log ended with long before the clock accuses nobody; the last words of a program that ended do.

use super::{OF_COLLECTED_LOG, Report};
use crate::speaker;
use catalogue::wordings;
use derive::reader::Reader;
use facts::coverage::Basis;
use facts::log::{Level, LineTime, Repeated, ScannedLog};
use facts::origin::{Citation, MemberId};
use facts::provenance::Cited;
use facts::store::{LONGEST_WAIT, Stream};
use std::collections::BTreeSet;

/// Who shows a log that ended so many seconds before shows what was, unless its program ended with it.
const PAST: i64 = 2 * 60 * 60;
/// A log of no more lines is what somebody took out of a longer one.
const EXCERPT: u64 = 40;
/// Letters of a name that tells one object from others.
const NAME: usize = 5;
/// Names of one line that are kept.
const NAMES: usize = 20;
/// Bytes of the longest name of an object (RFC 1123).
const LONGEST_NAME: usize = 253;

/// Logs of few lines that end with an error, and hold little else: what somebody asks about.
pub(super) fn reports(reader: Reader<'_>) -> Vec<Report> {
    let streams = reader.facts.streams.iter().filter(|stream| stream.context == reader.context);
    let parts = streams.flat_map(|stream| stream.parts.iter().map(move |(member, log)| (stream, *member, log)));
    let ends_with_error = |(stream, member, log): (&Stream, MemberId, &ScannedLog)| {
        let tally = &log.tally;
        let (error, (last, _)) = (tally.last_error.as_ref()?, tally.last_line.as_ref()?);
        let (lines, errors) = (tally.lines, error.count);
        (error.line == *last && lines <= EXCERPT && errors * 2 >= lines).then(|| {
            let speaker = speaker::of(stream);
            let reason = reason(log);
            let citation = Citation::line(member, error.line, &error.text);
            let class = if is_of_before(reader, stream, log) { OF_COLLECTED_LOG } else { "log" };
            Report {
                name: format!("log of {speaker}"),
                tool: "log".to_owned(),
                class: class.to_owned(),
                of: speaker,
                says: error.said.to_string(),
                after: reason.map(|reason| reason.said.to_string()).unwrap_or_default(),
                settled: errors > 1,
                nameless: stream.ordered && stream.class.is_none() && stream.pod.is_none(),
                subjects: vec![format!("stream {}", stream.name)],
                about: stream
                    .pod
                    .as_ref()
                    .map(|(namespace, pod, _)| ("pods".to_owned(), namespace.clone(), pod.clone())),
                names: names(&error.text),
                cited: vec![Cited::new(citation, Basis::Lines)],
                ..Report::default()
            }
        })
    };
    parts.filter_map(ends_with_error).collect()
}

/// The last error in a log whose last one only follows from another.
fn reason(log: &ScannedLog) -> Option<&Repeated> {
    let follows = |error: &Repeated| wordings::first(FOLLOWS, error.said.as_str()).is_some();
    log.tally.last_error.as_ref().filter(|last| follows(last))?;
    let errors = log.tally.templates.values().filter(|line| line.level >= Level::Error && !follows(line));
    errors.max_by_key(|error| error.line)
}

/// The wordings of errors that follow from one before.
const FOLLOWS: &str = "follows-error";

/// Names of objects in a line: words of small letters with a mark between them, as names of what controllers make are.
fn names(line: &str) -> BTreeSet<String> {
    let words = line.split(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '-' | '.')));
    let is_name = |word: &&str| {
        (NAME..=LONGEST_NAME).contains(&word.len())
            && word.contains('-')
            && word.starts_with(|c: char| c.is_ascii_lowercase())
            && word.chars().all(|c| !c.is_ascii_uppercase())
    };
    words.map(|word| word.trim_matches(['.', '-'])).filter(is_name).take(NAMES).map(str::to_owned).collect()
}

/// Is it of a container that has ended, of a Pod that runs? Or were its errors picked out of the log of such a Pod, and did none
/// follow for longer than one that comes again and again would take? Whoever tries again waits twice as long each time, so that
/// the next one comes within what has passed since the first; controllers wait a thousand seconds at most.
fn is_of_before(reader: Reader<'_>, stream: &Stream, log: &ScannedLog) -> bool {
    const SHORT: i64 = 3 * 60;
    let runs = |(namespace, pod, _): &(String, String, String)| {
        let pod = reader.named("pods", Some(namespace), pod);
        pod.and_then(|pod| reader.text(pod, "status.kubectlStatus")).is_some_and(|read| read.text == "Running")
    };
    let runs = stream.pod.as_ref().is_some_and(runs);
    // With its last words a container ended, and what the one after it says was shown.
    if log.previous && runs && stream.parts.iter().any(|(_, part)| !part.previous) {
        return true;
    }
    let clock = stream.own_clock(reader.log_clock());
    let resolved = |time: Option<LineTime>| time.and_then(|time| time.resolve(clock));
    let (first, last) = (resolved(log.tally.first), resolved(log.tally.last));
    // Its words are over as well where its container was started again long ago, and is well.
    let is_over = log.tally.last_words.is_none() || log.previous && stream.over.is_some();
    if is_over && reader.log_age(last).is_some_and(|age| age > PAST) {
        return true;
    }
    let Some((first, last)) = first.zip(last).filter(|_| log.picked && runs) else { return false };
    let lasted = last.duration_since(first).as_secs();
    let awaited = if log.tally.lines > 1 { (4 * lasted).clamp(SHORT, LONGEST_WAIT) } else { LONGEST_WAIT };
    reader.log_age(Some(last)).is_some_and(|age| age > awaited)
}
