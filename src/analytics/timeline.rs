//! The timeline: lanes of counts over time, and single moments worth naming.

use crate::cause;
use crate::cited::{Cited, CitedLine};
use crate::moments::{Event, Transition};
use crate::rates;
use crate::tables;
use crate::tables::{Sample, TableError};
use diagnosis::model::{CitationInfo, Lane, Timeline, TimelineEvent};
use engine::Outcome;
use facts::log::{Level, LineTime, LogHit};
use facts::object::ContextId;
use facts::store::Facts;
use jiff::Timestamp;
use signature::evidence_state::EvidenceState;
use signature::model::VerdictWord;
use std::collections::{BTreeMap, BTreeSet};

/// Buckets of a picture.
const BUCKETS: i64 = 120;
/// Lanes of a picture.
const LANES: usize = 16;
/// Days that a picture covers, counted from its end.
const DAYS: i64 = 7;
/// Seconds without a line that are drawn as a gap.
pub const GAP: i64 = 600;
/// Moments of one source that are listed.
const MOMENTS: usize = 40;
/// Widths of a bucket, in seconds.
const WIDTHS: [i64; 11] = [60, 120, 300, 600, 900, 1_800, 3_600, 7_200, 10_800, 21_600, 43_200];

/// What a lane is, before it is drawn.
pub struct Named {
    pub context: ContextId,
    pub name: String,
    /// Time without data is a gap; else it is a time in which nothing happened.
    pub gaps: bool,
    /// A finding that may hold now rests on it.
    pub cited: bool,
}

/// Puts the timeline together.
///
/// # Errors
/// If the table behind it cannot be made.
pub fn timeline(
    facts: &Facts,
    outcome: &Outcome,
    cited: &Cited<'_>,
    events: &[Event],
    conditions: &[Transition],
    first_failure: Option<Timestamp>,
) -> Result<Timeline, TableError> {
    let (lanes, samples) = samples(facts, outcome, events, conditions);
    let (listed, more_events) = moments(facts, outcome, cited, events, conditions);
    let mut timeline = Timeline {
        events: listed,
        more_events,
        first_failure: first_failure.map(|time| time.to_string()),
        rates: first_failure.map(|time| rates::rates(facts, &lanes, &samples, time)).unwrap_or_default(),
        ..Timeline::default()
    };
    // Conditions can be years old: they are drawn where logs and events are, and span nothing themselves.
    let spanning = |sample: &&Sample| lanes.get(sample.lane as usize).is_some_and(|lane| lane.gaps);
    let seconds = || samples.iter().filter(spanning).map(|sample| sample.second);
    let (Some(first), Some(last)) = (seconds().min(), seconds().max()) else { return Ok(timeline) };
    let last = end(facts, &lanes, &samples, last);
    let first = first.max(last - DAYS * 86_400);
    let width = WIDTHS.into_iter().find(|width| (last - first) / width < BUCKETS - 1).unwrap_or(86_400);
    let start = first - first.rem_euclid(width);
    let count = (last - start) / width + 1;
    let outside = |sample: &&Sample| sample.second < start || sample.second > last;
    timeline.not_drawn = samples.iter().filter(spanning).filter(outside).map(|sample| sample.lines).sum();
    let mut drawn: BTreeMap<u32, BTreeMap<i64, [u64; 3]>> = BTreeMap::new();
    for (lane, bucket, counts) in tables::buckets(&samples, start, width)? {
        if bucket < count {
            drawn.entry(lane).or_default().insert(bucket, counts);
        }
    }
    let mut all: Vec<(bool, u64, u64, Lane)> = drawn
        .into_iter()
        .filter_map(|(lane, buckets)| {
            let named = lanes.get(lane as usize)?;
            let sum = |which: usize| buckets.values().map(|counts| counts[which]).sum::<u64>();
            let lane = Lane {
                name: named.name.clone(),
                context: facts.context(named.context).name.clone(),
                buckets: fill(&buckets, count, width, named.gaps),
            };
            Some((named.cited, sum(2), sum(1), lane))
        })
        .collect();
    // What findings rest on first, then the worst; the order of the facts decides between equals.
    all.sort_by_key(|(cited, errors, warnings, _)| std::cmp::Reverse((*cited, *errors, *warnings)));
    timeline.more_lanes = all.len().saturating_sub(LANES) as u64;
    all.truncate(LANES);
    timeline.lanes = all.into_iter().map(|(_, _, _, lane)| lane).collect();
    timeline.from = Timestamp::from_second(start).ok().map(|time| time.to_string());
    timeline.to = Timestamp::from_second(start + count * width).ok().map(|time| time.to_string());
    timeline.bucket_seconds = width;
    Ok(timeline)
}

/// The end of the picture: the last line, unless almost all lines end by the latest clock of the bundle;
/// then a stray time beyond it would only squeeze the rest.
fn end(facts: &Facts, lanes: &[Named], samples: &[Sample], last: i64) -> i64 {
    let Some(clock) = facts.contexts.iter().filter_map(|context| context.as_of.as_ref()).map(|clock| clock.time).max()
    else {
        return last;
    };
    let limit = clock.as_second() + GAP;
    let lines = |beyond: bool| -> u64 {
        let spanning = |sample: &&Sample| lanes.get(sample.lane as usize).is_some_and(|lane| lane.gaps);
        let there = |sample: &&Sample| (sample.second > limit) == beyond;
        samples.iter().filter(spanning).filter(there).map(|sample| sample.lines).sum()
    };
    if last > limit && lines(true).saturating_mul(100) < lines(false) { limit } else { last }
}

/// One entry for each bucket: nothing before the first and after the last line, nor in long silence.
fn fill(buckets: &BTreeMap<i64, [u64; 3]>, count: i64, width: i64, gaps: bool) -> Vec<Option<[u64; 3]>> {
    let mut all: Vec<Option<[u64; 3]>> = (0..count).map(|index| buckets.get(&index).copied()).collect();
    if !gaps {
        return all.into_iter().map(|bucket| Some(bucket.unwrap_or_default())).collect();
    }
    let known: Vec<i64> = buckets.keys().copied().collect();
    for pair in known.windows(2) {
        let silent = pair[1] - pair[0] - 1;
        if silent > 0 && silent * width < GAP {
            for index in pair[0] + 1..pair[1] {
                if let Some(bucket) = usize::try_from(index).ok().and_then(|index| all.get_mut(index)) {
                    *bucket = Some([0, 0, 0]);
                }
            }
        }
    }
    all
}

/// The rows of the table: counts of log lines, events and transitions.
fn samples(facts: &Facts, outcome: &Outcome, events: &[Event], conditions: &[Transition]) -> (Vec<Named>, Vec<Sample>) {
    let mut lanes = Vec::new();
    let mut samples = Vec::new();
    let open = |verdict| matches!(verdict, VerdictWord::Confirmed | VerdictWord::Probable | VerdictWord::Undecided);
    let cited: BTreeSet<&str> = outcome
        .findings
        .iter()
        .filter(|finding| open(finding.verdict))
        .flat_map(|finding| &finding.evidence)
        .flat_map(|row| &row.citations)
        .map(|citation| citation.member.as_str())
        .collect();
    for stream in &facts.streams {
        let as_of = facts.context(stream.context).as_of.as_ref().map(|as_of| as_of.for_logs());
        let lane = lanes.len() as u32;
        let is_cited =
            |(member, _): &(_, _)| facts.members.get(member).is_some_and(|name| cited.contains(name.shown().as_str()));
        let is_cited = stream.parts.iter().any(is_cited);
        lanes.push(Named { context: stream.context, name: stream.name.to_string(), gaps: true, cited: is_cited });
        for (_, log) in &stream.parts {
            for ((minute, level, _), lines) in &log.tally.buckets {
                let Some(time) = minute_time(minute, as_of) else { continue };
                let lines = u64::from(*lines);
                samples.push(Sample {
                    lane,
                    second: time.as_second(),
                    lines,
                    warnings: if *level == Level::Warn { lines } else { 0 },
                    errors: if matches!(level, Level::Error | Level::Fatal) { lines } else { 0 },
                });
            }
        }
    }
    for context in facts.context_ids() {
        let lane = lanes.len() as u32;
        lanes.push(Named { context, name: "events".to_owned(), gaps: true, cited: false });
        for event in events.iter().filter(|event| event.context == context) {
            let Some(time) = event.time else { continue };
            samples.push(Sample {
                lane,
                second: time.as_second(),
                lines: 1,
                warnings: u64::from(event.warning),
                errors: 0,
            });
        }
        let lane = lanes.len() as u32;
        lanes.push(Named { context, name: "condition changes".to_owned(), gaps: false, cited: false });
        for change in conditions.iter().filter(|change| change.context == context) {
            samples.push(Sample {
                lane,
                second: change.time.as_second(),
                lines: 1,
                warnings: 0,
                errors: u64::from(change.bad),
            });
        }
    }
    (lanes, samples)
}

/// The time of a tally's minute: `2026-01-02T03:04`, or year `0000` where the format has none.
pub fn minute_time(minute: &str, as_of: Option<Timestamp>) -> Option<Timestamp> {
    let civil: jiff::civil::DateTime = format!("{minute}:00").parse().ok()?;
    match civil.year() {
        0 => LineTime::NoYear(civil).resolve(as_of),
        _ => LineTime::Civil(civil).resolve(as_of),
    }
}

/// Moments worth naming, by time; and how many more there are.
fn moments(
    facts: &Facts,
    outcome: &Outcome,
    cited: &Cited<'_>,
    events: &[Event],
    conditions: &[Transition],
) -> (Vec<TimelineEvent>, u64) {
    let named = |context: ContextId| facts.context(context).name.clone();
    let mut lines = cited_lines(facts, outcome, cited);
    // Conditions of one object often turn together for one reason: one moment names them all.
    let mut turned: BTreeMap<(Timestamp, ContextId, &str, &str), Vec<&Transition>> = BTreeMap::new();
    for change in conditions.iter().filter(|change| change.bad) {
        turned.entry((change.time, change.context, &change.subject, &change.became)).or_default().push(change);
    }
    let mut changes: Vec<(Timestamp, TimelineEvent)> = turned
        .into_iter()
        .filter_map(|((time, context, subject, became), together)| {
            let names: BTreeSet<&str> = together.iter().map(|change| change.condition.as_str()).collect();
            let event = TimelineEvent {
                time: time.to_string(),
                kind: "condition".to_owned(),
                context: named(context),
                subject: subject.to_owned(),
                text: format!("{} {became}", names.into_iter().collect::<Vec<_>>().join(", ")),
                level: "error".to_owned(),
                citation: Some(together.first()?.citation.clone()),
            };
            Some((time, event))
        })
        .collect();
    let mut warnings: Vec<(Timestamp, TimelineEvent)> = events
        .iter()
        .filter(|event| event.warning)
        .filter_map(|event| {
            let times = if event.count > 1 { format!(" ({} times)", event.count) } else { String::new() };
            let listed = TimelineEvent {
                time: event.time?.to_string(),
                kind: "event".to_owned(),
                context: named(event.context),
                subject: event.subject.clone(),
                text: format!("{}: {}{times}", event.reason, event.message),
                level: "warning".to_owned(),
                citation: Some(event.citation.clone()),
            };
            Some((event.time?, listed))
        })
        .collect();
    let mut more = 0;
    for list in [&mut lines, &mut changes, &mut warnings] {
        // The latest are nearest to what the bundle was collected for.
        list.sort_by(|a, b| key(a).cmp(&key(b)));
        let beyond = list.len().saturating_sub(MOMENTS);
        list.drain(..beyond);
        more += beyond as u64;
    }
    let mut all: Vec<(Timestamp, TimelineEvent)> = lines.into_iter().chain(changes).chain(warnings).collect();
    all.sort_by(|a, b| key(a).cmp(&key(b)));
    all.dedup_by(|a, b| a.1 == b.1);
    (all.into_iter().map(|(_, event)| event).collect(), more)
}

/// What moments are sorted by.
fn key(moment: &(Timestamp, TimelineEvent)) -> (Timestamp, &str, &str, &str, &str) {
    (moment.0, &moment.1.kind, &moment.1.context, &moment.1.subject, &moment.1.text)
}

/// The first log line that each evidence of a standing finding cites.
fn cited_lines(facts: &Facts, outcome: &Outcome, cited: &Cited<'_>) -> Vec<(Timestamp, TimelineEvent)> {
    let mut wanted: BTreeMap<(&str, u32), BTreeSet<&str>> = BTreeMap::new();
    for finding in outcome.findings.iter().filter(|finding| finding.verdict != VerdictWord::RuledOut) {
        for row in finding.evidence.iter().filter(|row| row.state == EvidenceState::Supports) {
            for citation in row.citations.iter().take(3) {
                if let Some(line) = citation.line {
                    wanted.entry((&citation.member, line)).or_default().insert(&finding.signature.id);
                }
            }
        }
    }
    let moment = |line: &CitedLine<'_>| {
        let signatures = wanted.get(&(line.member, line.hit.line))?;
        let time = line.time?;
        let ids: Vec<&str> = signatures.iter().copied().collect();
        let event = TimelineEvent {
            time: time.to_string(),
            kind: "finding".to_owned(),
            context: facts.context(line.stream.context).name.clone(),
            subject: line.stream.name.to_string(),
            text: format!("{} (evidence of {})", message(line.hit), ids.join(", ")),
            level: level(line.hit.fields.level).to_owned(),
            citation: Some(CitationInfo {
                member: line.member.to_owned(),
                line: Some(line.hit.line),
                path: None,
                excerpt: line.hit.text.chars().take(400).collect(),
                ..CitationInfo::default()
            }),
        };
        Some((time, event))
    };
    cited.hits().iter().filter_map(moment).collect()
}

/// The level of a line as the timeline words it.
fn level(level: Level) -> &'static str {
    match level {
        Level::Error | Level::Fatal => "error",
        Level::Warn => "warning",
        _ => "normal",
    }
}

/// What a line says, cut for a table.
fn message(hit: &LogHit) -> String {
    if hit.fields.message.is_empty() {
        return hit.text.chars().take(200).collect();
    }
    let own = |(name, _): &&(String, String)| matches!(name.as_str(), "error" | "err");
    let why = hit.fields.fields.iter().find(own).map(|(_, value)| value.as_str()).filter(|why| !why.is_empty());
    let why = why.map(str::to_owned).or_else(|| cause::of(&hit.text));
    cause::with(&hit.fields.message, why.as_deref()).chars().take(200).collect()
}

#[cfg(test)]
mod tests {
    use super::{fill, minute_time};
    use std::collections::BTreeMap;

    #[test]
    fn silence_is_a_gap_only_where_it_is_long() {
        let some = |lines| Some([lines, 0, 0]);
        let buckets = BTreeMap::from([(1, [5, 0, 0]), (4, [6, 0, 0])]);
        assert_eq!(fill(&buckets, 6, 60, true), [None, some(5), some(0), some(0), some(6), None]);
        assert_eq!(fill(&buckets, 6, 300, true), [None, some(5), None, None, some(6), None]);
        assert_eq!(fill(&buckets, 6, 300, false), [some(0), some(5), some(0), some(0), some(6), some(0)]);
    }

    #[test]
    fn a_minute_without_a_year_goes_by_the_clock_of_the_bundle() {
        let as_of = "2026-01-02T00:00:00Z".parse().ok();
        let time = |minute: &str| minute_time(minute, as_of).map(|time| time.to_string());
        assert_eq!(time("0000-12-31T23:59").as_deref(), Some("2025-12-31T23:59:00Z"));
        assert_eq!(time("2024-02-29T10:00").as_deref(), Some("2024-02-29T10:00:00Z"));
        assert_eq!(minute_time("0000-12-31T23:59", None), None);
        assert_eq!(time("nonsense"), None);
    }
}
