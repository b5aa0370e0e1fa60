//! Is a fault that a log reported over? A component that keeps meeting a fault keeps logging it. Where its log goes on
//! for long without such a line, the fault is healed.
//!
//! Why here: only the clock of that very log tells. Against the clock of the bundle an old line may just be the end
//! of a log that was not collected further.
//!
//! Invariants: unknown is never healed. A line without a time, a log whose end has none, and a log that others may
//! go on writing (the journal of a machine) keep all their lines. So does a component whose log ends with dials that
//! fail: it does not get as far as to meet the fault.

use catalogue::sources::Sources;
use catalogue::statements;
use facts::log::LogHit;
use facts::object::ContextId;
use facts::origin::{Citation, MemberId};
use facts::store::{AsOf, Facts, Stream};
use jiff::Timestamp;
use parse::journald;
use std::collections::{BTreeMap, BTreeSet};

/// For so long a log must go on without such a line, in seconds. Reflectors, lease holders and the probers of etcd
/// try again after a minute at most; informers of controllers a little later.
const LONG: i64 = 30 * 60;

/// Did a component not get as far as to be answered by the API server or by etcd?
pub(crate) fn unreached(hit: &LogHit) -> bool {
    statements::first("not-reached", hit).is_some()
}

/// The time after which a certificate is not valid, if an error names it.
pub(crate) fn not_after(error: &str) -> Option<String> {
    statements::first("certificate-end", error).map(|said| said.text)
}

/// The ends of the logs of a context.
pub(crate) struct LogEnds<'f> {
    facts: &'f Facts,
    clock: Option<Timestamp>,
    by_file: BTreeMap<MemberId, Vec<usize>>,
}

impl<'f> LogEnds<'f> {
    /// Of the streams of a context.
    pub(crate) fn new(facts: &'f Facts, context: ContextId) -> Self {
        let clock = facts.context(context).as_of.as_ref().map(AsOf::for_logs);
        let mut by_file: BTreeMap<MemberId, Vec<usize>> = BTreeMap::new();
        for (index, stream) in facts.streams.iter().enumerate().filter(|(_, stream)| stream.context == context) {
            for (member, _) in &stream.parts {
                by_file.entry(*member).or_default().push(index);
            }
        }
        Self { facts, clock, by_file }
    }

    /// Parts lines of one kind into those that may still hold and those that their logs have outlived. `place` gives
    /// the time and the place of each; `held` says of another line that the component did not get as far again.
    pub(crate) fn part<'n, T>(
        &self,
        lines: impl IntoIterator<Item = &'n T>,
        place: impl Fn(&T) -> (Option<Timestamp>, &Citation),
        held: impl Fn(&LogHit) -> bool,
    ) -> (Vec<&'n T>, Vec<&'n T>) {
        let lines: Vec<&T> = lines.into_iter().collect();
        let streams: Vec<Option<usize>> = lines.iter().map(|line| self.stream_of(place(line).1)).collect();
        let mut places: BTreeMap<usize, Vec<(Option<Timestamp>, &Citation)>> = BTreeMap::new();
        for (line, index) in lines.iter().zip(&streams) {
            if let Some(index) = index {
                places.entry(*index).or_default().push(place(line));
            }
        }
        let is_over = |(index, places): &(usize, Vec<(Option<Timestamp>, &Citation)>)| {
            let said = places.iter().map(|(time, _)| *time).collect::<Option<Vec<Timestamp>>>();
            let journal = places.iter().any(|(_, citation)| journald::names_its_program(&citation.excerpt));
            let last = said.and_then(|said| said.into_iter().max());
            self.facts.streams.get(*index).zip(last).is_some_and(|(s, last)| self.is_over(s, last, journal, &held))
        };
        let over: BTreeSet<usize> = places.into_iter().filter(is_over).map(|(index, _)| index).collect();
        let holds = |(_, index): &(&T, Option<usize>)| index.is_none_or(|index| !over.contains(&index));
        let (lasting, over): (Vec<_>, Vec<_>) = lines.into_iter().zip(streams).partition(holds);
        let lines = |parted: Vec<(&'n T, _)>| parted.into_iter().map(|(line, _)| line).collect();
        (lines(lasting), lines(over))
    }

    /// The stream in which a cited line stands.
    fn stream_of(&self, citation: &Citation) -> Option<usize> {
        let found = self.by_file.get(&citation.member)?;
        let holds = |index: &&usize| {
            let mut hits = self.facts.streams.get(**index).into_iter().flat_map(Stream::hits);
            hits.any(|hit| hit.member == citation.member && hit.line == citation.line)
        };
        match found.as_slice() {
            [only] => Some(*only),
            several => several.iter().find(holds).copied(),
        }
    }

    fn is_over(&self, stream: &Stream, said: Timestamp, journal: bool, held: &impl Fn(&LogHit) -> bool) -> bool {
        let Some(end) = stream.end(self.clock).filter(|end| end.duration_since(said).as_secs() >= LONG) else {
            return false;
        };
        let stuck = |hit: &LogHit| match hit.fields.time.and_then(|time| time.resolve(self.clock)) {
            Some(time) => time > said && end.duration_since(time).as_secs() < LONG && held(hit),
            None => held(hit),
        };
        self.speaks_alone(stream, journal) && !stream.hits().any(stuck)
    }

    /// Is every line of this log of the component that said it? A name tells whose a journal is, and what stands in
    /// a transcript is of one component only where that is known.
    fn speaks_alone(&self, stream: &Stream, journal: bool) -> bool {
        if stream.pod.is_some() {
            return true;
        }
        if journal || stream.parts.iter().any(|(_, log)| log.host.is_some()) {
            let sources = Sources::built_in();
            let named =
                |member: &MemberId| self.facts.members.get(member).map(|name| sources.locate(name.inside()).class);
            return stream.parts.iter().all(|(member, _)| named(member).flatten().is_some());
        }
        stream.class.is_some() || !stream.ordered
    }
}
