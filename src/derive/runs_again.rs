//! Logs of containers that were started again since, and are well now: their last words are over.
//!
//! Why: collectors always bring the `previous` log of each container, and after any reboot of a node it ends with words of
//! a program that could not go on. Whoever reads them as words of now finds a fault on a healthy cluster.
//!
//! Invariants: only what the name of a file or a command calls previous, or what surely ended before its container was
//! started, is over; a container that keeps being started is not well because it is just up.

use crate::container_state::{State, of_container};
use crate::reader::Reader;
use facts::log::LineTime;
use facts::origin::Citation;
use facts::provenance::Bases;
use facts::store::{Facts, Stream};

/// A container that was started so often is up for a moment only,
const OFTEN: i64 = 5;
/// if its last start is no longer ago than this, in seconds.
const JUST: i64 = 15 * 60;

/// The streams that are over, by index, with what shows it.
pub(crate) fn find(facts: &Facts, bases: &Bases) -> Vec<(usize, Citation)> {
    let streams = facts.streams.iter().enumerate();
    streams.filter_map(|(index, stream)| Some((index, shown(facts, bases, stream)?))).collect()
}

/// What shows that a stream is over.
fn shown(facts: &Facts, bases: &Bases, stream: &Stream) -> Option<Citation> {
    let (namespace, pod, container) = stream.pod.as_ref()?;
    let reader = Reader::new(facts, bases, stream.context);
    let pod = reader.named("pods", Some(namespace.as_str()), pod)?;
    let of = |path: &str| {
        let pick = if container.is_empty() { "*".to_owned() } else { format!("name=\"{container}\"") };
        format!("status.containerStatuses[{pick}].{path}")
    };
    let started = reader.text(pod, &of("state.running.startedAt"));
    let begun = started.as_ref().and_then(|read| read.time());
    let is_before = |time: Option<LineTime>| match (time, begun) {
        (Some(LineTime::Exact(end)), Some(begun)) => end < begun,
        _ => false,
    };
    let mut written = stream.parts.iter().map(|(_, log)| log).filter(|log| log.tally.lines > 0).peekable();
    written.peek()?;
    if !written.all(|log| log.previous || is_before(log.tally.last)) {
        return None;
    }
    let State::GoesOn(read) = of_container(reader, pod, container) else { return None };
    let restarts = reader.number(pod, &of("restartCount")).or_else(|| reader.number(pod, "status.restarts"));
    let age = reader.age(pod, &of("state.running.startedAt"));
    let keeps_failing = restarts.is_some_and(|count| count >= OFTEN) && age.is_some_and(|age| age < JUST);
    (!keeps_failing).then_some(read.cited.citation)
}
