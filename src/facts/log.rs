//! Log lines as facts: which lines of which stream held a text that a signature looks for.
//!
//! Why not every line: a bundle holds gigabytes of them. As lines pass they are only counted (see
//! [`Tally`]); a line becomes a [`LogHit`] when one of the wanted literals is in it.
//!
//! Invariants: hits of a stream are in the order of their time, then part, then member, then line; the
//! number of hits kept is bounded, and what is beyond the bound is counted and said.

use crate::origin::MemberId;
use crate::outside::Outside;
use crate::secrets::Counts;
use std::collections::BTreeMap;

/// A literal that signatures or derived objects look for, as an index into `parse::scan::Literals`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LiteralId(pub u32);

/// The level of a line, whatever its format calls it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub enum Level {
    /// Not recognised.
    #[default]
    Unknown,
    /// Trace and debug.
    Debug,
    /// Info and notice.
    Info,
    Warn,
    Error,
    /// Fatal, panic, critical and above.
    Fatal,
}

impl Level {
    /// Each of them, so that the index of one is its place.
    pub const ALL: [Self; 6] = [Self::Unknown, Self::Debug, Self::Info, Self::Warn, Self::Error, Self::Fatal];
}

/// The time inside a line, as far as its format states it.
///
/// klog prints no year and no zone, capnslog no zone; those are resolved against the as-of clock once
/// the whole bundle is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum LineTime {
    /// A complete point in time.
    Exact(jiff::Timestamp),
    /// Date and time without a zone: read as UTC.
    Civil(jiff::civil::DateTime),
    /// Month, day and time without year or zone; the stored year is 0 and means nothing.
    NoYear(jiff::civil::DateTime),
    /// Microseconds since the machine was started, as the ring of a kernel has them: it says how far two lines of one log
    /// are apart, and no date.
    SinceStart(u64),
}

impl LineTime {
    /// Seconds from an earlier line of one log to this; `None` if they tell their times in different ways.
    pub fn seconds_after(self, earlier: LineTime) -> Option<i64> {
        use LineTime::{Civil, Exact, NoYear, SinceStart};
        match (earlier, self) {
            (Exact(earlier), Exact(time)) => Some(time.duration_since(earlier).as_secs()),
            (Civil(earlier), Civil(time)) | (NoYear(earlier), NoYear(time)) => {
                Some(time.duration_since(earlier).as_secs())
            }
            (SinceStart(earlier), SinceStart(time)) => {
                Some(i64::try_from(time.saturating_sub(earlier) / 1_000_000).unwrap_or(i64::MAX))
            }
            _ => None,
        }
    }

    /// The point in time, given the as-of clock: a yearless time gets the latest year that puts it no more
    /// than 31 days beyond the clock, a zoneless one is read as UTC. `None` if a yearless time has no clock
    /// to go by, and of a time without a date.
    ///
    /// Why a month of grace: a clock inferred from conditions is a lower bound, and a line written two days
    /// after it is far likelier than one written a year before.
    pub fn resolve(self, as_of: Option<jiff::Timestamp>) -> Option<jiff::Timestamp> {
        let utc = |civil: jiff::civil::DateTime| civil.to_zoned(jiff::tz::TimeZone::UTC).ok().map(|z| z.timestamp());
        match self {
            LineTime::Exact(time) => Some(time),
            LineTime::Civil(civil) => utc(civil),
            LineTime::SinceStart(_) => None,
            LineTime::NoYear(civil) => {
                let as_of = as_of?;
                let limit = as_of.checked_add(jiff::SignedDuration::from_hours(31 * 24)).ok()?;
                let year = as_of.to_zoned(jiff::tz::TimeZone::UTC).year();
                [year + 1, year, year - 1, year - 2, year - 3, year - 4]
                    .into_iter()
                    .filter_map(|year| utc(civil.with().year(year).build().ok()?))
                    .find(|time| *time <= limit)
            }
        }
    }

    /// The same in UTC, if a clock wrote it that is so many seconds ahead of UTC. Only of a time without year: what states
    /// one may come from elsewhere.
    #[must_use]
    pub fn from_zone(self, ahead: i32) -> Self {
        let LineTime::NoYear(civil) = self else { return self };
        let moved = civil.checked_sub(jiff::SignedDuration::from_secs(ahead.into())).ok();
        let moved = moved.and_then(|moved| moved.with().year(civil.year()).build().ok());
        LineTime::NoYear(moved.unwrap_or(civil))
    }

    /// The same with the year in which it is nearest to a time, if it has none.
    #[must_use]
    pub fn in_year_of(self, near: jiff::Timestamp) -> Self {
        let LineTime::NoYear(civil) = self else { return self };
        let wanted = near.to_zoned(jiff::tz::TimeZone::UTC).datetime();
        let years = [wanted.year() - 1, wanted.year(), wanted.year() + 1];
        let dated = years.into_iter().filter_map(|year| civil.with().year(year).build().ok());
        dated.min_by_key(|dated| dated.duration_since(wanted).abs()).map_or(self, LineTime::Civil)
    }

    /// The first time that it can be after another one, unless it may be of the two months before that: what was kept of a
    /// log is often older than the newest object. `None` for a time with a year.
    pub fn first_after(self, bound: jiff::Timestamp) -> Option<jiff::Timestamp> {
        let LineTime::NoYear(civil) = self else { return None };
        let least = bound.checked_sub(jiff::SignedDuration::from_hours(62 * 24)).ok()?;
        let year = least.to_zoned(jiff::tz::TimeZone::UTC).year();
        // A leap day may be eight years away.
        let in_year =
            |year: i16| Some(civil.with().year(year).build().ok()?.to_zoned(jiff::tz::TimeZone::UTC).ok()?.timestamp());
        (year..year + 9).filter_map(in_year).find(|time| *time >= least)
    }
}

/// What the parsers read out of one line.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct LineFields {
    /// The time inside the line (an inner time wins over a prefix of the container runtime).
    pub time: Option<LineTime>,
    pub level: Level,
    /// The message without time, level and fields; the whole line for plain text.
    pub message: String,
    /// Key-value pairs, in the order of the line.
    pub fields: Vec<(String, String)>,
    /// The format that was recognised: `klog`, `zap-json`, `zap-console`, `capnslog`, `logfmt`, `plain`...
    pub format: &'static str,
}

impl LineFields {
    /// The value of a field by its exact key.
    pub fn field(&self, key: &str) -> Option<&str> {
        self.fields.iter().find(|(k, _)| k == key).map(|(_, v)| v.as_str())
    }
}

/// One line that held at least one wanted literal.
#[derive(Debug, Clone, PartialEq)]
pub struct LogHit {
    /// The member it stands in.
    pub member: MemberId,
    pub line: u32,
    /// The text of the line: cut at the limit, without its line end.
    pub text: Outside,
    /// What was read out of it.
    pub fields: LineFields,
    /// Every wanted literal in it, sorted.
    pub literals: Vec<LiteralId>,
    /// The lines round it, where they were kept.
    pub around: Option<Box<Around>>,
}

/// The lines round another one, without those that are blank.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Around {
    pub before: Vec<Outside>,
    pub after: Vec<Outside>,
}

/// Lines of one template: how many, and what was read out of the first of them.
#[derive(Debug, Clone, PartialEq)]
pub struct Repeated {
    /// How many lines.
    pub count: u64,
    /// The first line.
    pub line: u32,
    /// Its text, cut to a readable length.
    pub text: Outside,
    /// What it says, with the error that a field of it holds, and without time, level and place in the source.
    pub said: Outside,
    /// The time inside it.
    pub time: Option<LineTime>,
    /// The time inside the last one.
    pub last: Option<LineTime>,
    pub level: Level,
}

/// What a program wrote last, since it could not go on.
#[derive(Debug, Clone, PartialEq)]
pub struct LastWords {
    /// Where it stands.
    pub line: u32,
    /// The line, cut to a readable length.
    pub text: Outside,
    /// What it says, with the error that a field of it holds, and without time, level and place in the source.
    pub said: Outside,
    /// What sort of end it is: a class of the wordings `last-words`.
    pub class: &'static str,
    /// What it is about: a class of the wordings `why-ended`, of the whole line.
    pub why: Option<&'static str>,
    /// The time inside it.
    pub time: Option<LineTime>,
    /// What systemd says behind it of the unit whose program wrote it.
    pub unit: Option<UnitWord>,
}

/// What systemd says last of a unit whose process ended.
#[derive(Debug, Clone, PartialEq)]
pub struct UnitWord {
    /// The unit, with its type: `etcd.service`.
    pub unit: Outside,
    /// Where it says so.
    pub line: u32,
    pub text: Outside,
    /// It ended and was not started since, or ends whenever it is started.
    pub is_down: bool,
}

/// The format of lines that no format knows.
pub const PLAIN: &str = "plain";

/// Counts of the lines of one member, added up as they pass.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Tally {
    pub lines: u64,
    /// Of the file; none for another machine in it.
    pub bytes: u64,
    /// The time of the first line that has one, unresolved; of the last, where the newest line stands first.
    pub first: Option<LineTime>,
    /// The time of the last line that has one; of the first, where the newest line stands first.
    pub last: Option<LineTime>,
    /// The newest time of a line that states date and zone: lines of several forms may stand in one log.
    pub newest_exact: Option<jiff::Timestamp>,
    /// Lines per (minute, level, component). The minute is `civil` text `YYYY-MM-DDTHH:MM`, with year
    /// `0000` where the format has none. Bounded; what does not fit is in `uncounted`.
    pub buckets: BTreeMap<(String, Level, Outside), u32>,
    /// Lines that no bucket took.
    pub uncounted: u64,
    /// Formats seen with their number of lines.
    pub formats: BTreeMap<&'static str, u64>,
    /// Warning and error lines by [template](crate::template) (masked), bounded; of the first lines also those without a
    /// level that complain of something.
    pub templates: BTreeMap<String, Repeated>,
    /// The last line that is not blank, with its number, cut to a readable length: what a container wrote
    /// before it ended.
    pub last_line: Option<(u32, Outside)>,
    /// The line by which a program ended, if the log ends with one that programs write when they cannot go on.
    pub last_words: Option<LastWords>,
    /// Where it ends with no such line: of its last lines the last error that says what it is about. Of a program that ended
    /// this is why; one that goes on has overcome it.
    pub last_reason: Option<LastWords>,
    /// The last line that is an error or worse; `count` is the number of such lines in all.
    pub last_error: Option<Repeated>,
    /// A full time that one of its lines without a year states about itself, and how many seconds the line's own time is
    /// away from it: `E1126 07:08:46.1 ... current time 2026-11-26T07:08:46Z`.
    pub dated: Option<(jiff::Timestamp, i64)>,
    /// How many seconds the machine's clock is ahead of UTC, where its journal holds lines that state a zone themselves.
    pub zone: Option<i32>,
    /// Lines that were cut because they exceeded the length limit.
    pub cut_lines: u64,
    /// Warning and error lines whose template found no place any more.
    pub templates_beyond: u64,
    /// Lines that held a literal but were only counted, per literal: of each literal the first 2000 and
    /// the last 2000 lines of a member are kept, fewer if they are very long.
    pub hits_beyond: BTreeMap<LiteralId, u64>,
}

impl Tally {
    /// The line in which a program says why it ended, else the last one; with its number.
    pub fn ending(&self) -> Option<(u32, &Outside)> {
        let words = self.last_words.as_ref().map(|words| (words.line, &words.text));
        words.or_else(|| self.last_line.as_ref().map(|(line, text)| (*line, text)))
    }

    /// Changes all of its times.
    fn change_times(&mut self, change: impl Fn(LineTime) -> LineTime) {
        let Tally { first, last, templates, last_words, last_reason, last_error, buckets, .. } = self;
        let of_lines = templates.values_mut().chain(last_error).flat_map(|line| [&mut line.time, &mut line.last]);
        let of_words = last_words.iter_mut().chain(last_reason).map(|words| &mut words.time);
        for time in of_lines.chain(of_words).chain([first, last]).flatten() {
            *time = change(*time);
        }
        let (yearless, mut buckets): (BTreeMap<_, _>, BTreeMap<_, _>) =
            std::mem::take(buckets).into_iter().partition(|((minute, ..), _)| minute.starts_with("0000-"));
        for ((minute, level, component), count) in yearless {
            let minute = match minute.parse().map(|civil| change(LineTime::NoYear(civil))) {
                Ok(LineTime::NoYear(civil) | LineTime::Civil(civil)) => civil.strftime("%Y-%m-%dT%H:%M").to_string(),
                _ => minute,
            };
            *buckets.entry((minute, level, component)).or_default() += count;
        }
        self.buckets = buckets;
    }

    /// Is a line of it in a known format, or has one a time?
    pub fn is_known(&self) -> bool {
        self.first.is_some() || self.formats.keys().any(|format| *format != PLAIN)
    }
}

/// One log file after its scan.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ScannedLog {
    /// Lines with wanted literals, in the order of the file, or the other way round where the newest line
    /// stands first.
    pub hits: Vec<LogHit>,
    /// Counts of everything.
    pub tally: Tally,
    /// Secret values masked in the lines that are kept; in those of `others` too.
    pub redactions: Counts,
    /// Reading ended before the end of the member, with the reason; what was read until then is here.
    pub stopped: Option<String>,
    /// The lines of the member among which its own stand: the first and the last; 0 where it has none.
    pub span: (u32, u32),
    /// The machine that the lines of a journal name; `None` where they name none.
    pub host: Option<Box<str>>,
    /// It is of the container before it was started again, as the name of the file or the command says.
    pub previous: bool,
    /// Its lines were picked by what they hold (`grep`): what else the program said, and what it said last, is not known.
    pub picked: bool,
    /// The lines of further machines, where one file holds the journals of several: each is a log of its own,
    /// with a `host`, sorted by it.
    pub others: Vec<ScannedLog>,
}

impl ScannedLog {
    /// The log of each machine.
    pub fn machines(&self) -> impl Iterator<Item = &ScannedLog> {
        std::iter::once(self).chain(&self.others)
    }

    /// The log of each machine, apart from each other.
    pub fn split(mut self) -> Vec<ScannedLog> {
        let others = std::mem::take(&mut self.others);
        std::iter::once(self).chain(others).collect()
    }

    /// Moves every line of this log, not of the others, down by so many: it stands in the middle of a larger file.
    pub fn move_down(&mut self, lines: u32) {
        if self.span != (0, 0) {
            self.span = (self.span.0.saturating_add(lines), self.span.1.saturating_add(lines));
        }
        self.renumber(|line| line.saturating_add(lines));
    }

    /// Gives every line of this log, not of the others, the number that it has in the file: it was read without the lines
    /// of others that stand between its own. Its span is left.
    pub fn renumber(&mut self, number: impl Fn(u32) -> u32) {
        let Tally { templates, last_line, last_words, last_reason, last_error, .. } = &mut self.tally;
        let of_hits = self.hits.iter_mut().map(|hit| &mut hit.line);
        let of_templates = templates.values_mut().map(|first| &mut first.line);
        let of_words = last_words.iter_mut().chain(last_reason);
        let of_words =
            of_words.flat_map(|last| [&mut last.line].into_iter().chain(last.unit.as_mut().map(|unit| &mut unit.line)));
        let of_end = last_line.iter_mut().map(|(line, _)| line).chain(of_words);
        let of_error = last_error.iter_mut().map(|last| &mut last.line);
        for line in of_hits.chain(of_templates).chain(of_end).chain(of_error) {
            *line = number(*line);
        }
    }

    /// Turns the times of this log, not of the others, that state neither year nor zone into UTC: a clock so many seconds
    /// ahead of it wrote them.
    pub fn leave_zone(&mut self, ahead: i32) {
        self.tally.zone = Some(ahead);
        if ahead == 0 {
            return;
        }
        self.change_times(|time| time.from_zone(ahead));
    }

    /// Gives the times of this log, not of the others, that lack it the year in which they are nearest to a time.
    pub fn set_year(&mut self, near: jiff::Timestamp) {
        self.change_times(|time| time.in_year_of(near));
    }

    fn change_times(&mut self, change: impl Fn(LineTime) -> LineTime) {
        self.tally.change_times(&change);
        for time in self.hits.iter_mut().filter_map(|hit| hit.fields.time.as_mut()) {
            *time = change(*time);
        }
    }

    /// All lines of the file.
    pub fn lines(&self) -> u64 {
        self.machines().map(|log| log.tally.lines).sum()
    }
}
