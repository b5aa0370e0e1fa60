//! Queries over log lines.
//!
//! Why two steps: which lines a query selects does not depend on the entity, so they are selected, sifted
//! and sorted by the names they carry once; an entity then takes the lines that name it. Nothing costs
//! entities x lines: lines that name nobody are one shared list.
//!
//! Invariants: logs are never whole, so `hi` is unbounded and no line query contradicts, but for one about a stream
//! that is itself the entity and says the thing; equal lines of
//! one context and class (inner time and text) are one line; a line that names nobody counts for an
//! entity only where it can be nobody else's.

use crate::answer::{Answered, MAX_CITATIONS};
use crate::binding;
use crate::binding::{Bound, Row};
use crate::captures;
use crate::captures::Rows;
use crate::entity::Subject;
use crate::gap::{Gap, Why};
use crate::interval::Interval;
use crate::logic::Truth;
use crate::moments::{Moment, Moments};
use crate::object_query;
use crate::writers;
use diagnosis::model::GapCause;
use facts::coverage::Basis;
use facts::log::{LineTime, LiteralId, LogHit, ScannedLog};
use facts::object::ContextId;
use facts::origin::Citation;
use facts::store::{AsOf, Facts, Stream};
use facts::zone;
use parse::scan::Literals;
use signature::model::{ContextSelector, LogQuery, Operand, StateQuery, Within};
use std::collections::{BTreeMap, BTreeSet};

/// A hit by its place: stream, part, and number in the part.
type Place = (usize, usize, usize);

/// Which lines hold which literal, over all streams.
#[derive(Debug, Default)]
pub struct HitIndex {
    by_literal: BTreeMap<LiteralId, Vec<Place>>,
}

impl HitIndex {
    /// Indexes every hit once; each list is in the order of streams, parts and lines.
    pub fn new(facts: &Facts) -> Self {
        let mut index = Self::default();
        for (s, stream) in facts.streams.iter().enumerate() {
            for (p, (_, log)) in stream.parts.iter().enumerate() {
                for (h, hit) in log.hits.iter().enumerate() {
                    for literal in &hit.literals {
                        index.by_literal.entry(*literal).or_default().push((s, p, h));
                    }
                }
            }
        }
        index
    }

    /// The lines that hold one of the texts, with their streams, in order.
    pub(crate) fn hits_with<'f>(
        &self,
        facts: &'f Facts,
        literals: &Literals,
        texts: &[String],
    ) -> Vec<(usize, &'f Stream, &'f LogHit)> {
        let places = self.lines_with(literals, texts);
        places.into_iter().filter_map(|place| at(facts, place).map(|(stream, hit)| (place.0, stream, hit))).collect()
    }

    fn lines_with(&self, literals: &Literals, texts: &[String]) -> BTreeSet<Place> {
        let ids = texts.iter().filter_map(|text| literals.id(text));
        ids.filter_map(|id| self.by_literal.get(&id)).flatten().copied().collect()
    }
}

/// A line that a query selected.
#[derive(Debug)]
struct Line {
    context: ContextId,
    /// Its stream, by index.
    stream: usize,
    citation: Citation,
    /// When it was written; of a state, how long it held.
    held: Option<Moment>,
    /// Seconds from then to the end of its stream.
    before_end: Option<i64>,
    /// Captured tuples.
    rows: Vec<Row>,
    /// It says `down` (true) or `up`, in a state query.
    down: bool,
}

/// The lines of one query, sorted by whom they name.
#[derive(Debug, Default)]
pub struct Selected {
    lines: Vec<Line>,
    /// Lines of a context that name nobody.
    unnamed: BTreeMap<ContextId, Vec<usize>>,
    /// Lines of a context by the text that an `attribute` (by index) found in them.
    named: BTreeMap<(ContextId, usize, String), Vec<usize>>,
    /// Lines by their stream.
    of_stream: BTreeMap<usize, Vec<usize>>,
}

impl Selected {
    /// Selects the lines of a query, once for all entities.
    pub fn new(facts: &Facts, query: &LogQuery, index: &HitIndex, literals: &Literals) -> Self {
        let mut selected = Self::default();
        let mut seen = BTreeSet::new();
        let mut untimed: BTreeMap<(ContextId, Option<&str>, &str, u32), u32> = BTreeMap::new();
        for place in places(query, index, literals) {
            let Some((stream, hit)) = at(facts, place) else { continue };
            if query.source.as_ref().is_some_and(|wanted| !writers::may_be_by(stream, hit, wanted)) {
                continue;
            }
            let Some(rows) = captures::of_line(&hit.text, &query.captures) else { continue };
            // A stream of unknown class may be another copy of one of the wanted class.
            let class = stream.class.as_deref().filter(|_| query.source.is_none());
            let ordinal = if hit.fields.time.is_some() {
                0
            } else {
                let count = untimed.entry((stream.context, class, &hit.text, hit.member.0)).or_default();
                *count += 1;
                *count
            };
            let text = if hit.fields.message.is_empty() { &*hit.text } else { hit.fields.message.as_str() };
            let own_stream = (query.own || query.state.is_some()).then_some(place.0);
            let identity = (stream.context, class, own_stream, hit.fields.time, text, &hit.fields.fields, ordinal);
            if !seen.insert(identity) {
                continue;
            }
            let as_of = stream.own_clock(facts.context(stream.context).as_of.as_ref().map(AsOf::for_logs));
            let written = hit.fields.time.and_then(|time| time.resolve(as_of));
            let measured = query.state.is_some() || query.lately.is_some() || query.lasting.is_some();
            let end = if query.state.is_some() { stream.end(as_of) } else { None };
            let held = written.map(|from| Moment {
                from,
                to: if query.state.is_some() { end.map_or(from, |last| last.max(from)) } else { from },
                machine: stream.node.clone().unwrap_or_else(|| stream.name.to_string()),
            });
            let number = selected.lines.len();
            selected.lines.push(Line {
                context: stream.context,
                stream: place.0,
                citation: Citation::of(hit.member, hit.line, &hit.text),
                held,
                before_end: hit.fields.time.filter(|_| measured).and_then(|time| stream.before_end(time, as_of)),
                rows,
                down: query.state.as_ref().is_some_and(|state| says(&state.down, hit, literals)),
            });
            selected.of_stream.entry(place.0).or_default().push(number);
            selected.sort_in(query, stream.context, &hit.text, number);
        }
        selected
    }

    fn sort_in(&mut self, query: &LogQuery, context: ContextId, text: &str, number: usize) {
        let mut named = false;
        for (a, attribute) in query.attribute.iter().enumerate() {
            let matches = attribute.regex.matches(text);
            let names: BTreeSet<&str> = matches.filter_map(|c| Some(c.name("named")?.as_str())).collect();
            for name in names {
                named = true;
                self.named.entry((context, a, name.to_owned())).or_default().push(number);
            }
        }
        if !named {
            self.unnamed.entry(context).or_default().push(number);
        }
    }
}

fn at(facts: &Facts, (stream, part, hit): Place) -> Option<(&Stream, &LogHit)> {
    let stream = facts.streams.get(stream)?;
    Some((stream, stream.parts.get(part)?.1.hits.get(hit)?))
}

fn says(texts: &[String], hit: &LogHit, literals: &Literals) -> bool {
    texts.iter().filter_map(|text| literals.id(text)).any(|id| hit.literals.contains(&id))
}

/// The hits that a query's literals select, in order.
fn places(query: &LogQuery, index: &HitIndex, literals: &Literals) -> BTreeSet<Place> {
    let mut places = match &query.state {
        Some(StateQuery { down, up }) => {
            let mut places = index.lines_with(literals, down);
            places.extend(index.lines_with(literals, up));
            places
        }
        None if !query.any.is_empty() => index.lines_with(literals, &query.any),
        None => match query.all.first() {
            Some(first) => index.lines_with(literals, std::slice::from_ref(first)),
            None => BTreeSet::new(),
        },
    };
    for text in &query.all {
        let with = index.lines_with(literals, std::slice::from_ref(text));
        places.retain(|place| with.contains(place));
    }
    places
}

/// What an entity may take of the lines that name nobody.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unnamed {
    /// They can be nobody else's.
    Ours,
    /// They may belong to another entity.
    Anyones,
}

/// Answers a query for one entity. `times_of` gives the times of the evidence that `within` names.
pub fn answer(
    facts: &Facts,
    query: &LogQuery,
    subject: &Subject,
    row: &Row,
    selected: &Selected,
    unnamed: Unnamed,
    times_of: impl Fn(&str) -> Vec<Moment>,
) -> Answered {
    if query.own {
        return of_own_stream(facts, query, subject, selected);
    }
    let (contexts, _) = match object_query::contexts(facts, &query.context, subject, row) {
        Ok(found) => found,
        Err(gap) => return Answered::unknown(*gap),
    };
    let own_cluster = matches!(&query.context, ContextSelector::WorkloadOf(operand) if is_entity(operand));
    let mut numbers = BTreeSet::new();
    let mut untied = 0;
    for &context in &contexts {
        for (a, attribute) in query.attribute.iter().enumerate() {
            if let Bound::Values(values) = binding::resolve(facts, &attribute.is, subject, row) {
                for value in values {
                    numbers.extend(selected.named.get(&(context, a, value)).into_iter().flatten().copied());
                }
            }
        }
        let nobodys = selected.unnamed.get(&context).map_or(&[][..], Vec::as_slice);
        if own_cluster || unnamed == Unnamed::Ours {
            numbers.extend(nobodys);
        } else {
            untied += nobodys.len();
        }
    }
    let mut lines: Vec<&Line> = numbers.iter().filter_map(|n| selected.lines.get(*n)).collect();
    // What a program said before it was started again is no state of now.
    if query.state.is_some()
        || query.lately.is_some()
        || query.within.as_ref().is_some_and(|within| within.of.is_none())
    {
        lines.retain(|line| facts.streams.get(line.stream).is_none_or(|stream| stream.over.is_none()));
    }
    if query.state.is_some() {
        lines = down_streams(lines);
    }
    let mut gaps = Vec::new();
    if let Some(lately) = query.lately {
        lines.retain(|line| line.before_end.is_some_and(|age| (0..=lately).contains(&age)));
    }
    if let Some(within) = &query.within {
        let before = lines.len();
        lines = near(facts, within, lines, &times_of);
        if lines.len() < before && lines.is_empty() {
            gaps.push(Gap::new(Why::NotNear(before, within.seconds, within.of.clone())));
        }
    }
    if untied > 0 {
        gaps.push(Gap::new(Why::Untied(untied, subject.name.clone())));
    }
    let interval = Interval { lo: lines.len() as u64, hi: None };
    conclude(facts, query, &contexts, lines, interval, gaps)
}

/// Answers a query about the stream that is the entity. That stream is what was collected of it: if it says the thing
/// at all, and every such line has a time, then those of its end are counted exactly. If it never says it, it may
/// have been cut before it did.
fn of_own_stream(facts: &Facts, query: &LogQuery, subject: &Subject, selected: &Selected) -> Answered {
    let own = subject.stream.as_ref().and_then(|(index, _)| selected.of_stream.get(index));
    let all: Vec<&Line> = own.into_iter().flatten().filter_map(|n| selected.lines.get(*n)).collect();
    let mut lines = if query.state.is_some() { down_streams(all.clone()) } else { all.clone() };
    let mut gaps = Vec::new();
    if let Some(lately) = query.lately {
        lines.retain(|line| line.before_end.is_some_and(|age| (0..=lately).contains(&age)));
        let undated = all.iter().filter(|line| line.before_end.is_none()).count();
        if lines.is_empty() && undated > 0 {
            gaps.push(Gap::new(Why::Undated(undated)));
        }
    }
    // Without a clock, or without a time of the line, nothing is known to be near or far.
    let mut placed = true;
    if let Some(within) = &query.within {
        let before = lines.len();
        placed = facts.context(subject.context).as_of.is_some() && all.iter().all(|line| line.held.is_some());
        lines = near(facts, within, lines, &|_: &str| Vec::new());
        placed &= !(lines.is_empty() && may_be_of_now(facts, subject));
        if !placed && lines.is_empty() && before > 0 {
            gaps.push(Gap::new(Why::NotNear(before, within.seconds, within.of.clone())));
        }
    }
    // Of a piece that somebody pasted, how long it lasted is known if it is as long.
    let mut reaches = true;
    if let Some(lasting) = query.lasting {
        let ages = || lines.iter().filter_map(|line| line.before_end);
        let ends = ages().max().zip(ages().min());
        if ends.is_none_or(|(first, last)| first.saturating_sub(last) < lasting) {
            lines.clear();
            let shown = ends.and_then(|(_, last)| Some(begins(facts, subject)?.saturating_sub(last)));
            if let Some(shown) = shown.filter(|shown| *shown < lasting) {
                reaches = false;
                gaps.push(Gap::new(Why::ShownFor(shown)));
            }
        }
    }
    let exact =
        placed && reaches && !all.is_empty() && all.iter().all(|line| line.held.is_some() || line.before_end.is_some());
    let found = lines.len() as u64;
    let mut answered =
        conclude(facts, query, &[subject.context], lines, Interval { lo: found, hi: exact.then_some(found) }, gaps);
    if answered.truth == Truth::False {
        answered.citations = all.last().map(|line| line.citation.clone()).into_iter().collect();
    }
    answered
}

/// Does a stream of a machine that states dates and no zone, as `dmesg -T` does, end before the bundle by what a zone west of UTC
/// is behind? Then its last line may be of now.
fn may_be_of_now(facts: &Facts, subject: &Subject) -> bool {
    let stream = subject.stream.as_ref().and_then(|(index, _)| facts.streams.get(*index));
    let Some(stream) = stream.filter(|stream| stream.pod.is_none()) else { return false };
    let is_zoneless = |log: &ScannedLog| log.tally.zone.is_none() && matches!(log.tally.last, Some(LineTime::Civil(_)));
    let clock = facts.context(stream.context).as_of.as_ref().map(AsOf::for_logs);
    let behind = clock.zip(stream.end(clock)).map(|(clock, end)| clock.duration_since(end).as_secs());
    stream.parts.iter().any(|(_, log)| is_zoneless(log)) && behind.is_some_and(zone::is_behind)
}

/// How many seconds before its end a stream begins of which somebody pasted a piece; `None` of what was collected, where it
/// states no time, or begins where its machine did, so that nothing stood before.
fn begins(facts: &Facts, subject: &Subject) -> Option<i64> {
    let stream = facts.streams.get(subject.stream.as_ref()?.0)?;
    if !stream.ordered && !stream.parts.iter().any(|(_, log)| log.picked) {
        return None;
    }
    let as_of = stream.own_clock(facts.context(stream.context).as_of.as_ref().map(AsOf::for_logs));
    let firsts = stream.parts.iter().filter_map(|(_, log)| log.tally.first);
    firsts
        .filter(|first| !matches!(first, LineTime::SinceStart(_)))
        .filter_map(|first| stream.before_end(first, as_of))
        .max()
}

fn is_entity(operand: &Operand) -> bool {
    match operand {
        Operand::Entity => true,
        Operand::EntityAttribute(attribute) => attribute == "name",
        _ => false,
    }
}

/// The lines that are surely near enough to the as-of clock of their context or to other evidence.
fn near<'l>(
    facts: &Facts,
    within: &Within,
    lines: Vec<&'l Line>,
    times_of: &impl Fn(&str) -> Vec<Moment>,
) -> Vec<&'l Line> {
    let window = jiff::SignedDuration::from_secs(within.seconds);
    let others = within.of.as_ref().map(|id| Moments::new(&times_of(id)));
    lines
        .into_iter()
        .filter(|line| {
            let Some(held) = &line.held else { return false };
            match &others {
                None => facts
                    .context(line.context)
                    .as_of
                    .as_ref()
                    .is_some_and(|clock| held.is_near(clock.for_logs(), window)),
                Some(others) => others.near(held, window),
            }
        })
        .collect()
}

/// The last line of each stream that says down or up, where it says down. The last is the one with the
/// latest time; without times, the one that stands last in the stream.
fn down_streams(lines: Vec<&Line>) -> Vec<&Line> {
    let mut last: BTreeMap<usize, &Line> = BTreeMap::new();
    for line in lines {
        let earlier = last.get(&line.stream).is_some_and(|kept| match (&line.held, &kept.held) {
            (Some(held), Some(kept)) => held.from < kept.from,
            _ => false,
        });
        if !earlier {
            last.insert(line.stream, line);
        }
    }
    last.into_values().filter(|line| line.down).collect()
}

/// Does a reason tell already why there are too few lines?
fn tells_of_lines(gap: &Gap) -> bool {
    gap.cause() == GapCause::Attribution || matches!(gap.why, Why::Undated(_) | Why::ShownFor(_))
}

fn conclude(
    facts: &Facts,
    query: &LogQuery,
    contexts: &[ContextId],
    lines: Vec<&Line>,
    interval: Interval,
    mut gaps: Vec<Gap>,
) -> Answered {
    let truth = interval.compare(query.count);
    if truth == Truth::Unknown && !gaps.iter().any(tells_of_lines) {
        gaps.push(not_whole(facts, query, contexts, lines.len()));
    }
    let mut rows = Rows { more_strictly: true, ..Rows::default() };
    for line in &lines {
        rows.extend(line.rows.iter().filter(|row| !row.is_empty()).cloned());
    }
    let mut answered = Answered {
        truth,
        strict: Truth::Unknown,
        interval,
        citations: lines.iter().take(MAX_CITATIONS).map(|line| line.citation.clone()).collect(),
        more: lines.len().saturating_sub(MAX_CITATIONS) as u64,
        shown: Vec::new(),
        gaps: if truth == Truth::Unknown { gaps } else { Vec::new() },
        weakest: Basis::Stated,
        rows,
        times: lines.iter().filter_map(|line| line.held.clone()).collect(),
    };
    answered.tidy();
    answered
}

/// Why too few lines are no contradiction.
fn not_whole(facts: &Facts, query: &LogQuery, contexts: &[ContextId], found: usize) -> Gap {
    let read = facts
        .streams
        .iter()
        .filter(|s| contexts.contains(&s.context))
        .filter(|s| query.source.is_none() || s.class.is_none() || s.class == query.source)
        .count();
    Gap::new(match (read, found) {
        (_, 0) if query.own => Why::NotInThatLog,
        (0, _) => Why::NoLog(query.source.clone()),
        (_, 0) => Why::NoLine(read),
        _ => Why::FewLines(found),
    })
}
