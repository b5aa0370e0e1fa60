//! Adds up the lines of one member as they pass: per minute, level and component, per format, and for
//! warnings and errors per template.
//!
//! Invariants: nothing is allocated for a line whose counter exists; the maps are bounded. When the
//! buckets are full, those of one minute and level are folded into one without component; only when that
//! is not enough lines go to `uncounted`.

use crate::glance::{Component, Glance};
use crate::last_words::{Ending, Tail};
use crate::secrets::mask_text;
use crate::time;
use crate::{pairs, said};
use catalogue::statements;
use facts::log::{Level, LineTime, Repeated, Tally};
use facts::outside::Outside;
use facts::secrets::Counts;
use facts::template;
use jiff::Timestamp;
use memchr::memmem::Finder;
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::sync::LazyLock;

/// Buckets of one member.
const BUCKETS: usize = 8_192;
/// Templates of one member.
const TEMPLATES: usize = 512;
/// Bytes kept of the first line of a template.
const EXAMPLE: usize = 600;
/// Characters of what a line says.
const SAID: usize = 240;
/// So many lines of no level may be an excerpt, of which each was chosen.
const EXCERPT: u64 = 64;
/// Zones that the lines of one machine may tell: two where the summer ends.
const ZONES: usize = 8;
/// Of a hundred lines that tell a zone so many tell the same.
const AGREE: u64 = 90;
/// Counters of the current minute that are searched one by one.
const CURRENT: usize = 64;

/// The counts of one member while it is read.
#[derive(Debug, Default)]
pub struct Tallying {
    tally: Tally,
    minute: i64,
    current: Vec<(Level, Component, u32)>,
    buckets: BTreeMap<(i64, Level, Component), u32>,
    folded: bool,
    formats: Vec<(&'static str, u64)>,
    /// How often a line is later, and how often it is earlier than the one before it.
    later: u64,
    earlier: u64,
    /// How far the clock of the machine is ahead of UTC, by the lines that tell it, and how many they are.
    zones: Vec<(i32, u64)>,
    scratch: String,
    tail: Tail,
    /// The first line of each template, as it stood.
    templates: BTreeMap<String, Line>,
    /// The last line that is an error or worse.
    last_error: Option<Line>,
    /// The last line of which a template was made.
    made_of: u32,
}

/// No zone is farther from UTC, in seconds.
const A_DAY: i64 = 26 * 60 * 60;

/// Lines of one sort while they are counted; the one that is shown of them is masked at the end.
#[derive(Debug)]
struct Line {
    count: u64,
    line: u32,
    text: Vec<u8>,
    time: Option<LineTime>,
    last: Option<LineTime>,
    level: Level,
}

/// Does a line hold a text with which programs complain of something that they need?
fn complains(text: &[u8]) -> bool {
    static FINDERS: LazyLock<Vec<Finder<'static>>> = LazyLock::new(|| {
        let literals = statements::group("complaints").map(|group| group.literals.as_slice()).unwrap_or_default();
        literals.iter().map(|literal| Finder::new(literal.as_bytes())).collect()
    });
    FINDERS.iter().any(|finder| finder.find(text).is_some())
}

impl Line {
    fn new(number: u32, text: &[u8], seen: &Glance<'_>) -> Self {
        Self { count: 1, line: number, text: shown(text).to_vec(), time: seen.time, last: seen.time, level: seen.level }
    }

    /// Another line of the sort stands for it from now on.
    fn replace(&mut self, number: u32, text: &[u8], seen: &Glance<'_>) {
        self.count += 1;
        self.text.clear();
        self.text.extend_from_slice(shown(text));
        (self.line, self.time, self.last, self.level) = (number, seen.time, seen.time, seen.level);
    }

    /// A full time of its own moment, and how far from it the time in front of it is, where that lacks the year.
    fn dated(&self) -> Option<(Timestamp, i64)> {
        let Some(time @ LineTime::NoYear(_)) = self.time else { return None };
        let near = |stated: Timestamp| {
            let apart = time.resolve(Some(stated))?.duration_since(stated).as_secs().abs();
            (apart <= A_DAY).then_some((stated, apart))
        };
        time::stated_in(&self.text).filter_map(near).min_by_key(|(_, apart)| *apart)
    }

    /// The line with its secrets masked, and how many there were.
    fn masked(&self) -> (Repeated, Counts) {
        let (text, inside) = Outside::counted(&pairs::readable(&self.text));
        let said = Outside::from(said::of(&said::read(&text).1)).shortened_inside(SAID);
        let &Self { count, line, time, last, level, .. } = self;
        (Repeated { count, line, text: text.shortened(EXAMPLE), said, time, last, level }, inside)
    }
}

/// The part of a line that is looked at.
fn shown(text: &[u8]) -> &[u8] {
    &text[..text.len().min(EXAMPLE * 4)]
}

impl Tallying {
    /// The last lines with something in them, of those read so far.
    pub(crate) fn ending(&mut self, lines: &mut Ending<'_>) {
        self.tail.take(lines, EXAMPLE * 4);
    }

    /// A line was cut.
    pub fn cut(&mut self) {
        self.tally.cut_lines += 1;
    }

    /// The newest line stands first (`journalctl -r`): time goes back from line to line more often than it
    /// goes on. A restart with another clock, or parts that follow each other, go back once or twice; and two threads
    /// that write within a second stand in any order.
    pub fn newest_first(&self) -> bool {
        self.earlier > self.later && !self.is_of_one_second()
    }

    /// Do the first and the last line with a time stand less than a second apart?
    fn is_of_one_second(&self) -> bool {
        let (Some(first), Some(last)) = (self.tally.first, self.tally.last) else { return false };
        [first.seconds_after(last), last.seconds_after(first)].iter().all(|apart| *apart == Some(0))
    }

    /// The last time seen.
    pub fn last(&self) -> Option<LineTime> {
        self.tally.last
    }

    /// Counts a line. A line without a time belongs to no minute and is only in the number of lines, of
    /// its format and, if it warns, of its template.
    pub fn line(&mut self, number: u32, text: &[u8], seen: &Glance<'_>) {
        self.tally.lines += 1;
        match self.formats.iter_mut().find(|(format, _)| *format == seen.format) {
            Some((_, count)) => *count += 1,
            None => self.formats.push((seen.format, 1)),
        }
        if let Some(time) = seen.time {
            self.tally.first = self.tally.first.or(Some(time));
            if let LineTime::Exact(time) = time {
                self.tally.newest_exact = self.tally.newest_exact.max(Some(time));
            }
            if let Some(before) = self.tally.last.replace(time)
                && std::mem::discriminant(&before) == std::mem::discriminant(&time)
            {
                let back = time::goes_back(before, time);
                self.later += u64::from(before != time && !back);
                self.earlier += u64::from(back);
            }
            if let Some(minute) = time::minute(time) {
                self.bucket(minute, seen.level, seen.component);
            }
        }
        if let Some(zone) = seen.zone {
            let is_full = self.zones.len() >= ZONES;
            match self.zones.iter_mut().find(|(known, _)| *known == zone) {
                Some((_, count)) => *count += 1,
                None if is_full => {}
                None => self.zones.push((zone, 1)),
            }
        }
        let counts = match seen.level {
            Level::Unknown => self.tally.lines <= EXCERPT && complains(text),
            level => level >= Level::Warn,
        };
        if counts {
            self.template(number, text, seen);
        }
        if seen.level >= Level::Error {
            match &mut self.last_error {
                Some(last) => last.replace(number, text, seen),
                None => self.last_error = Some(Line::new(number, text, seen)),
            }
        }
        self.tail.passes(number, text, seen);
    }

    /// A line that was counted goes on in others: this is all of it.
    pub(crate) fn joined(&mut self, number: u32, text: &[u8]) {
        // Most lines repeat a template, so that none of the others has to be looked at.
        let made = (self.made_of == number).then(|| self.templates.values_mut().find(|line| line.line == number));
        let last = self.last_error.as_mut().filter(|line| line.line == number);
        for line in made.flatten().into_iter().chain(last) {
            line.text = shown(text).to_vec();
        }
    }

    fn bucket(&mut self, minute: i64, level: Level, component: Component) {
        if minute != self.minute {
            self.flush();
            self.minute = minute;
        }
        match self.current.iter_mut().find(|(l, c, _)| *l == level && *c == component) {
            Some((_, _, count)) => *count = count.saturating_add(1),
            None => {
                if self.current.len() == CURRENT {
                    self.flush();
                }
                self.current.push((level, component, 1));
            }
        }
    }

    fn flush(&mut self) {
        for (level, component, count) in self.current.drain(..) {
            let component = if self.folded { Component::default() } else { component };
            let key = (self.minute, level, component);
            if self.buckets.len() >= BUCKETS && !self.buckets.contains_key(&key) && !self.folded {
                self.folded = true;
                let full = std::mem::take(&mut self.buckets);
                for ((minute, level, _), count) in full {
                    *self.buckets.entry((minute, level, Component::default())).or_default() += count;
                }
            }
            let key = if self.folded { (self.minute, level, Component::default()) } else { key };
            if self.buckets.len() < BUCKETS || self.buckets.contains_key(&key) {
                let bucket = self.buckets.entry(key).or_default();
                *bucket = bucket.saturating_add(count);
            } else {
                self.tally.uncounted += u64::from(count);
            }
        }
    }

    fn template(&mut self, number: u32, text: &[u8], seen: &Glance<'_>) {
        template::of(seen.message, &mut self.scratch);
        if let Some(known) = self.templates.get_mut(self.scratch.as_str()) {
            known.count += 1;
            known.last = seen.time.or(known.last);
        } else if self.templates.len() < TEMPLATES {
            self.templates.insert(self.scratch.clone(), Line::new(number, text, seen));
            self.made_of = number;
        } else {
            self.tally.templates_beyond += 1;
        }
    }

    /// The zone on which the lines agree that tell one.
    fn zone(&self) -> Option<i32> {
        let all: u64 = self.zones.iter().map(|(_, count)| count).sum();
        self.zones.iter().find(|(_, count)| count * 100 >= all * AGREE).map(|(zone, _)| *zone)
    }

    /// The counts, and how many secret values were masked in them.
    pub fn finish(mut self) -> (Tally, Counts) {
        self.flush();
        let newest_first = self.newest_first();
        let zone = self.zone();
        let mut tally = self.tally;
        if newest_first {
            std::mem::swap(&mut tally.first, &mut tally.last);
        }
        let mut components: BTreeMap<Component, Outside> = BTreeMap::new();
        for ((minute, level, component), count) in self.buckets {
            let shown = components.entry(component).or_insert_with_key(|component| component.as_str().into());
            let component = shown.clone();
            let bucket = tally.buckets.entry((time::minute_text(minute), level, component)).or_default();
            *bucket = bucket.saturating_add(count);
        }
        tally.zone = zone;
        tally.formats = self.formats.into_iter().collect();
        let lines = || self.templates.values().chain(&self.last_error);
        tally.dated = lines().filter_map(Line::dated).min_by_key(|(time, apart)| (*apart, std::cmp::Reverse(*time)));
        let mut masked = Counts::NONE;
        let mut first_error: Option<Repeated> = None;
        for (template, first) in self.templates {
            let (found, inside) = first.masked();
            masked += inside;
            if found.level >= Level::Error && first_error.as_ref().is_none_or(|error| found.line < error.line) {
                first_error = Some(found.clone());
            }
            // Templates that differed in a secret value are one now.
            match tally.templates.entry(mask_text(&template).0.into_owned()) {
                Entry::Vacant(free) => {
                    free.insert(found);
                }
                Entry::Occupied(mut same) => {
                    let same = same.get_mut();
                    let count = same.count + found.count;
                    if found.line < same.line {
                        *same = found;
                    }
                    same.count = count;
                }
            }
        }
        tally.last_error = self.last_error.map(|last| {
            let (last, inside) = last.masked();
            if !tally.templates.values().any(|first| first.line == last.line) {
                masked += inside;
            }
            // Where the newest line stands first, the last error was read first.
            let newest = if newest_first { first_error } else { None };
            Repeated { count: last.count, ..newest.unwrap_or(last) }
        });
        if let Some((line, text)) = self.tail.last() {
            let (text, inside) = Outside::unknown(&pairs::readable(text));
            masked += inside;
            tally.last_line = Some((line, text));
        }
        // Where the newest line stands first, what stands last was written first.
        tally.last_words = if newest_first { None } else { self.tail.last_words() };
        tally.last_reason = if newest_first || tally.last_words.is_some() { None } else { self.tail.reason() };
        (tally, masked)
    }
}
