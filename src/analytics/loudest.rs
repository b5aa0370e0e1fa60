//! The loudest lines: how processes ended and what went wrong last, in the words of the logs, less what findings cite.
//!
//! Why: where no signature fits, or only a weak one, this is what a person would search the logs for. A search finds
//! ten thousand errors; here stands one line of each log, and what is nearest to the end of a process comes first.
//!
//! Invariants: nothing is diagnosed; a line that a finding cites is not among them, nor one that says the same; what
//! several logs say is listed once; the list is bounded, and its order depends on the facts alone.

use crate::cited::Cited;
use catalogue::wordings;
use diagnosis::model::{CitationInfo, LoudLine, Loudness};
use facts::log::{LastWords, Level, LineTime, Repeated, Tally};
use facts::object::ContextId;
use facts::origin::MemberId;
use facts::outside::Outside;
use facts::store::{Facts, Stream};
use facts::template;
use jiff::Timestamp;
use parse::said;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

/// Lines that are listed.
const MOST: usize = 6;
/// Of these, errors of logs that go on after them.
const PAST: usize = 3;
/// An error so many lines before the end of a log is what it ends with.
const NEAR_LINES: u32 = 20;
/// The same in seconds.
const NEAR_SECONDS: i64 = 30;
/// A log that ends so many seconds before another one of its cluster stopped.
const SILENT: i64 = 120;

/// How near a line is to the end of a process, the nearest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Rank {
    /// The log ends with it.
    End,
    /// Nothing worse can be logged.
    Fatal,
    /// The process ended with it and was started again.
    EarlierEnd,
    /// An error, after which the log stopped while others went on.
    Stopped,
    /// An error among the last lines of a log.
    Near,
    /// An error that the log went on after.
    Past,
}

/// A line that may be listed.
struct Loud<'a> {
    rank: Rank,
    kind: Loudness,
    stream: &'a Stream,
    member: MemberId,
    line: u32,
    text: &'a Outside,
    said: &'a Outside,
    time: Option<Timestamp>,
    /// How often its log says such things.
    count: u64,
    /// Seconds from the end of its log to the newest line of its cluster.
    silent: Option<i64>,
}

/// The loudest lines of all logs.
pub(crate) fn loudest(facts: &Facts, cited: &Cited<'_>) -> Vec<LoudLine> {
    let explained = explained(cited);
    let mut ends: BTreeMap<ContextId, Timestamp> = BTreeMap::new();
    for stream in &facts.streams {
        if let Some(end) = stream.end(clock(facts, stream)) {
            let newest = ends.entry(stream.context).or_insert(end);
            *newest = end.max(*newest);
        }
    }
    let mut all: Vec<Loud<'_>> = Vec::new();
    for stream in &facts.streams {
        let silent = stream.end(clock(facts, stream)).zip(ends.get(&stream.context));
        let silent = silent.map(|(end, newest)| newest.as_second() - end.as_second()).filter(|gap| *gap >= SILENT);
        let known = |loud: &Loud<'_>| {
            let member = facts.members.get(&loud.member).map_or("", |name| name.shown());
            cited.holds(member, loud.line) || explained.contains(&(loud.stream.context, shape(loud.said)))
        };
        all.extend(of_stream(facts, stream, silent).into_iter().filter(|loud| !known(loud)));
    }
    all.sort_by_key(|loud| {
        let often = loud.count.checked_ilog2().unwrap_or_default();
        (loud.rank, often, Reverse(loud.time), loud.stream.context, loud.member, loud.line)
    });
    listed(facts, all)
}

/// What findings cite, without what varies: another line that says the same is explained as well.
fn explained(cited: &Cited<'_>) -> BTreeSet<(ContextId, String)> {
    let one = |line: &crate::cited::CitedLine<'_>| (line.stream.context, shape(&said::of(&line.hit.fields)));
    cited.hits().iter().map(one).collect()
}

fn shape(said: &str) -> String {
    let mut shape = String::new();
    template::of(said.as_bytes(), &mut shape);
    shape
}

fn clock(facts: &Facts, stream: &Stream) -> Option<Timestamp> {
    facts.context(stream.context).as_of.as_ref().map(|as_of| as_of.for_logs())
}

/// What a log says loudest: how it ended and what was fatal, else its last error.
fn of_stream<'a>(facts: &Facts, stream: &'a Stream, silent: Option<i64>) -> Vec<Loud<'a>> {
    let now = clock(facts, stream);
    let resolve = |time: Option<LineTime>| time.and_then(|time| time.resolve(now));
    let of_end = |rank, member, last: &'a LastWords| {
        let &LastWords { line, ref text, ref said, time, .. } = last;
        let kind = Loudness::LastWords;
        Loud { rank, kind, stream, member, line, text, said, time: resolve(time), count: 1, silent }
    };
    let of_line = |rank, kind, member, of: &'a Repeated| {
        let &Repeated { line, ref text, ref said, time, count, .. } = of;
        Loud { rank, kind, stream, member, line, text, said, time: resolve(time), count, silent }
    };
    let parts = || stream.parts.iter().filter(|(_, log)| log.tally.lines > 0).rev();
    let mut found: Vec<Loud<'_>> = Vec::new();
    let ending = |tally: &'a Tally| tally.last_words.as_ref().filter(|last| is_of_program(&last.text));
    if let Some((at, member, last)) =
        parts().enumerate().find_map(|(at, (member, log))| Some((at, *member, ending(&log.tally)?)))
    {
        found.push(of_end(if at == 0 { Rank::End } else { Rank::EarlierEnd }, member, last));
    }
    let is_new = |found: &[Loud<'_>], member: MemberId, of: &Repeated| {
        let same = |other: &Loud<'_>| (other.member, other.line) == (member, of.line) || *other.said == of.said;
        is_of_program(&of.text) && !found.iter().any(same)
    };
    let fatal = parts().find_map(|(member, log)| {
        let fatal = log.tally.templates.values().filter(|first| first.level == Level::Fatal);
        Some((*member, fatal.max_by_key(|first| first.line)?))
    });
    if let Some((member, of)) = fatal.filter(|(member, of)| is_new(&found, *member, of)) {
        found.push(of_line(Rank::Fatal, Loudness::Fatal, member, of));
    }
    // A log that says how it ended, or something fatal, has said its worst.
    let error = parts().enumerate().find_map(|(at, (member, log))| {
        let of = log.tally.last_error.as_ref()?;
        let near = at == 0 && is_near(&log.tally, of, now);
        Some((*member, of, near))
    });
    if let Some((member, of, near)) = error.filter(|(member, of, _)| found.is_empty() && is_new(&found, *member, of)) {
        let rank = match (near, silent) {
            (true, Some(_)) => Rank::Stopped,
            (true, None) => Rank::Near,
            (false, _) => Rank::Past,
        };
        found.push(of_line(rank, Loudness::LastError, member, of));
    }
    found
}

/// Did a program write this, and not the tool that was to read its log?
fn is_of_program(text: &str) -> bool {
    wordings::first("no-log", text).is_none()
}

/// Does the log end soon after this line?
fn is_near(tally: &Tally, of: &Repeated, clock: Option<Timestamp>) -> bool {
    let last = tally.last_line.as_ref().map_or(of.line, |(last, _)| *last);
    let times = of.time.zip(tally.last).and_then(|(said, end)| Some((said.resolve(clock)?, end.resolve(clock)?)));
    let soon = |(said, end): (Timestamp, Timestamp)| (end.as_second() - said.as_second()).abs() <= NEAR_SECONDS;
    last.abs_diff(of.line) <= NEAR_LINES || times.is_some_and(soon)
}

/// The first of them; what several logs of a cluster say stands once.
fn listed(facts: &Facts, all: Vec<Loud<'_>>) -> Vec<LoudLine> {
    let mut streams: BTreeMap<(ContextId, String), BTreeSet<&str>> = BTreeMap::new();
    for loud in &all {
        streams.entry((loud.stream.context, shape(loud.said))).or_default().insert(&loud.stream.name);
    }
    let mut seen = BTreeSet::new();
    let mut past = 0;
    let mut listed = Vec::new();
    for loud in &all {
        let key = (loud.stream.context, shape(loud.said));
        let others = streams.get(&key).map_or(0, |streams| streams.len().saturating_sub(1) as u64);
        past += usize::from(loud.rank == Rank::Past);
        let is_beside = loud.rank == Rank::Past && (past > PAST || listed.len() >= PAST);
        if listed.len() < MOST && !is_beside && seen.insert(key) {
            listed.push(row(facts, loud, others));
        }
    }
    listed
}

fn row(facts: &Facts, loud: &Loud<'_>, also: u64) -> LoudLine {
    LoudLine {
        kind: loud.kind,
        context: facts.context(loud.stream.context).name.clone(),
        stream: loud.stream.name.to_string(),
        text: loud.said.chars().take(300).collect(),
        time: loud.time.map(|time| time.to_string()),
        restarted: loud.rank == Rank::EarlierEnd,
        silent_seconds: loud.silent,
        count: loud.count,
        also,
        citation: CitationInfo {
            member: facts.members.get(&loud.member).map(ToString::to_string).unwrap_or_default(),
            line: Some(loud.line),
            path: None,
            excerpt: loud.text.chars().take(400).collect(),
            ..CitationInfo::default()
        },
    }
}
