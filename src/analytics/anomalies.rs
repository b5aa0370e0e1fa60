//! What stands out and no signature explains: log lines that are new, rare or frequent, Warning events,
//! containers that restart. Labelled as not diagnosed; it only points.
//!
//! What is new comes first, what is frequent last: a message that a cluster repeats day and night is seldom
//! why somebody collected a bundle. Of objects that findings speak of, restarts and events of the sort that those findings
//! cite are no news and left out; their other events come last.

use crate::cited::Cited;
use crate::covered::Covered;
use crate::moments::{Event, NO_KIND};
use crate::tables::{self, TableError};
use diagnosis::model::{Anomaly, CitationInfo, Finding, OF_EVENT};
use diagnosis::words;
use facts::kind::KindName;
use facts::log::{Level, Repeated};
use facts::node::Node;
use facts::object::ContextId;
use facts::store::{Facts, Stream};
use facts::template;
use jiff::Timestamp;
use std::collections::{BTreeMap, BTreeSet};

/// An error said at most so often is rare.
const RARE: u64 = 3;
/// Seconds in which a process starts.
const START: i64 = 30;
/// Groups of events that are listed.
const EVENTS: usize = 15;
/// Restarting containers that are listed.
const RESTARTS: usize = 15;
/// Restarts from which a container stands out.
const MANY_RESTARTS: u64 = 3;

/// Everything that stands out: logs, then events, then restarts. `failure` is the first failure that a
/// finding saw, if any.
pub(crate) fn anomalies(
    facts: &Facts,
    findings: &[Finding],
    events: &[Event],
    cited: &Cited<'_>,
    failure: Option<Timestamp>,
) -> Result<Vec<Anomaly>, TableError> {
    let mut all = templates(facts, cited, failure)?;
    let covered = Covered::new(findings);
    all.extend(warnings(facts, events, cited, &covered)?);
    all.extend(restarts(facts, &covered));
    Ok(all)
}

/// Why a template stands out, the most telling first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Why {
    /// Its stream had been read for a while before it was said for the first time.
    New,
    /// An error that was said at most three times.
    Rare,
    /// Said often; many clusters say such things for years.
    Frequent,
}

impl Why {
    fn word(self) -> &'static str {
        match self {
            Why::New => "new",
            Why::Rare => "rare",
            Why::Frequent => "frequent",
        }
    }

    /// How many are listed of each.
    fn most(self) -> usize {
        match self {
            Why::New => 12,
            Why::Rare => 8,
            Why::Frequent => 5,
        }
    }
}

/// Where a template was first said.
struct First<'a> {
    stream: &'a Stream,
    member: &'a str,
    first: &'a Repeated,
}

/// Warning and error lines by template, without those that a finding explains and without what a process
/// says once when it starts.
fn templates(facts: &Facts, cited: &Cited<'_>, failure: Option<Timestamp>) -> Result<Vec<Anomaly>, TableError> {
    let mut explained: BTreeSet<(ContextId, String)> = BTreeSet::new();
    for line in cited.hits() {
        let mut template = String::new();
        template::of(line.hit.fields.message.as_bytes(), &mut template);
        explained.insert((line.stream.context, template));
    }
    let mut rows = Vec::new();
    let mut firsts = Vec::new();
    let mut streams: BTreeMap<(u32, &str), BTreeSet<&str>> = BTreeMap::new();
    for stream in &facts.streams {
        for (member, log) in &stream.parts {
            let member = facts.members.get(member).map_or("", |name| name.shown());
            for (template, first) in log.tally.templates.iter().filter(|(_, first)| first.level != Level::Unknown) {
                if cited.holds(member, first.line) || explained.contains(&(stream.context, template.clone())) {
                    continue;
                }
                streams.entry((stream.context.0, template)).or_default().insert(&stream.name);
                rows.push((stream.context.0, template.clone(), first.count));
                firsts.push(First { stream, member, first });
            }
        }
    }
    let mut found: Vec<(Why, bool, Anomaly)> = tables::most_frequent(&rows, u32::MAX)?
        .into_iter()
        .filter_map(|(context, template, count, row)| {
            let found = firsts.get(row as usize)?;
            let also = streams.get(&(context, template.as_str())).map_or(0, |all| all.len().saturating_sub(1) as u64);
            let (why, error) = judge(facts, found, count, count == also + 1, failure)?;
            let anomaly = Anomaly {
                kind: "log".to_owned(),
                context: facts.context(ContextId(context)).name.clone(),
                subject: found.stream.name.to_string(),
                text: words::short(&found.first.said, 300),
                count,
                why: why.word().to_owned(),
                time: time(facts, found).map(|time| time.to_string()),
                also,
                citation: Some(CitationInfo {
                    member: found.member.to_owned(),
                    line: Some(found.first.line),
                    path: None,
                    excerpt: found.first.text.chars().take(400).collect(),
                    ..CitationInfo::default()
                }),
            };
            Some((why, error, anomaly))
        })
        .collect();
    // Stable: within a rank the most frequent stay first.
    found.sort_by_key(|(why, error, _)| (*why, !error));
    let mut listed: BTreeMap<Why, usize> = BTreeMap::new();
    found.retain(|(why, _, _)| {
        let number = listed.entry(*why).or_default();
        *number += 1;
        *number <= why.most()
    });
    Ok(found.into_iter().map(|(_, _, anomaly)| anomaly).collect())
}

/// When a template was said first.
fn time(facts: &Facts, found: &First<'_>) -> Option<Timestamp> {
    let as_of = facts.context(found.stream.context).as_of.as_ref().map(|as_of| as_of.for_logs());
    found.first.time.and_then(|time| time.resolve(as_of))
}

/// Why a template stands out, and whether it is an error; `None` if it is what a process says once at its
/// start. `once`: it was said once in each stream.
fn judge(facts: &Facts, found: &First<'_>, count: u64, once: bool, failure: Option<Timestamp>) -> Option<(Why, bool)> {
    let as_of = facts.context(found.stream.context).as_of.as_ref().map(|as_of| as_of.for_logs());
    let error = matches!(found.first.level, Level::Error | Level::Fatal);
    let said = time(facts, found).map(Timestamp::as_second);
    let times = found.stream.parts.iter().flat_map(|(_, log)| [log.tally.first, log.tally.last]);
    let times: Vec<i64> = times.flatten().filter_map(|time| time.resolve(as_of)).map(Timestamp::as_second).collect();
    let (begin, end) = (times.iter().min().copied(), times.iter().max().copied());
    let (Some(said), Some(begin), Some(end)) = (said, begin, end) else {
        return Some((if error && count <= RARE { Why::Rare } else { Why::Frequent }, error));
    };
    if once && said - begin <= START && end - begin > START {
        return None;
    }
    let new = match failure.map(Timestamp::as_second) {
        Some(failure) => said >= failure - START && begin < failure - 2 * START,
        None => end - begin >= 600 && said - begin > (end - begin) / 10 * 9,
    };
    let why = match (new, error && count <= RARE) {
        (true, _) => Why::New,
        (false, true) => Why::Rare,
        (false, false) => Why::Frequent,
    };
    Some((why, error))
}

/// Warning events by (context, kind of object, reason), without those that a finding cites.
fn warnings(
    facts: &Facts,
    events: &[Event],
    cited: &Cited<'_>,
    covered: &Covered<'_>,
) -> Result<Vec<Anomaly>, TableError> {
    let is_cited = |event: &Event| event.citation.line.is_some_and(|line| cited.holds(&event.citation.member, line));
    let is_covered = |event: &Event| covered.holds(facts, event.context, &event.subject);
    let told: BTreeSet<(u32, &str)> = events
        .iter()
        .filter(|event| is_cited(event) && is_covered(event))
        .map(|event| (event.context.0, event.reason.as_str()))
        .collect();
    let fresh = |event: &&Event| {
        let is_told = || told.contains(&(event.context.0, event.reason.as_str())) && is_covered(event);
        event.warning && !is_cited(event) && !is_told()
    };
    let bare = |event: &Event| event.subject.rsplit([' ', '/']).next().unwrap_or_default().to_owned();
    // Some forms do not print the kind; the same event in another form does.
    let known: BTreeSet<(u32, String, &str)> = events
        .iter()
        .filter(|event| event.kind.is_some())
        .map(|event| (event.context.0, bare(event), event.reason.as_str()))
        .collect();
    let again =
        |event: &&Event| event.kind.is_none() && known.contains(&(event.context.0, bare(event), event.reason.as_str()));
    // Stable: what a finding speaks of stands behind what none does, so that it stands for no group that is new.
    let mut kept: Vec<&Event> = events.iter().filter(fresh).filter(|event| !again(event)).collect();
    kept.sort_by_cached_key(|event| is_covered(event));
    let group = |event: &Event| format!("{} {}", event.kind.as_deref().unwrap_or(NO_KIND), event.reason);
    let mut subjects: BTreeMap<(u32, String), BTreeSet<&str>> = BTreeMap::new();
    for event in &kept {
        subjects.entry((event.context.0, group(event))).or_default().insert(&event.subject);
    }
    let rows: Vec<(u32, String, u64)> = kept.iter().map(|event| (event.context.0, group(event), event.count)).collect();
    let mut found: Vec<(bool, Anomaly)> = tables::most_frequent(&rows, u32::MAX)?
        .into_iter()
        .filter_map(|(context, group, count, row)| {
            let event = kept.get(row as usize)?;
            let anomaly = Anomaly {
                kind: OF_EVENT.to_owned(),
                context: facts.context(ContextId(context)).name.clone(),
                subject: event.subject.clone(),
                text: format!("{}: {}", event.reason, words::short(&event.message, 240)),
                count,
                why: String::new(),
                time: event.time.map(|time| time.to_string()),
                also: subjects.get(&(context, group)).map_or(0, |all| all.len().saturating_sub(1) as u64),
                citation: Some(event.citation.clone()),
            };
            Some((is_covered(event), anomaly))
        })
        .collect();
    // Stable: within a rank the most frequent stay first.
    found.sort_by_key(|(covered, _)| *covered);
    found.truncate(EVENTS);
    Ok(found.into_iter().map(|(_, anomaly)| anomaly).collect())
}

/// Containers that were restarted often, the most restarted first, without those that a finding speaks of.
fn restarts(facts: &Facts, covered: &Covered<'_>) -> Vec<Anomaly> {
    let mut all = Vec::new();
    for context in facts.context_ids() {
        for id in facts.of_kind(context, &KindName::parse("pods")) {
            let object = facts.object(*id);
            let Some(record) = object.sightings.first().map(|sighting| &sighting.record) else { continue };
            let pod = match &object.namespace {
                Some(namespace) => format!("pods {namespace}/{}", object.name),
                None => format!("pods {}", object.name),
            };
            if covered.holds(facts, context, &pod) {
                continue;
            }
            for container in record.node.at(&["status", "containerStatuses"]).map(Node::items).unwrap_or_default() {
                let count = container.field("restartCount").and_then(|node| node.value.integer());
                let Some(count) = count.and_then(|n| u64::try_from(n).ok()).filter(|n| *n >= MANY_RESTARTS) else {
                    continue;
                };
                let name = container.field("name").and_then(Node::as_str).unwrap_or("?");
                let line = if container.line > 0 { container.line } else { record.line };
                all.push(Anomaly {
                    kind: "restarts".to_owned(),
                    context: facts.context(context).name.clone(),
                    subject: pod.clone(),
                    text: format!("container {name} was restarted {count} times"),
                    count,
                    why: String::new(),
                    also: 0,
                    time: None,
                    citation: Some(CitationInfo {
                        member: facts.members.get(&record.member).map(ToString::to_string).unwrap_or_default(),
                        line: (line > 0).then_some(line),
                        path: (!record.path.is_empty()).then(|| record.path.clone()),
                        excerpt: format!("restartCount: {count}"),
                        ..CitationInfo::default()
                    }),
                });
            }
        }
    }
    // Stable: equals stay in the order of the facts.
    all.sort_by_key(|anomaly| std::cmp::Reverse(anomaly.count));
    all.truncate(RESTARTS);
    all
}
