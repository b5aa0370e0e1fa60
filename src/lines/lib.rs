//! The lines of the streams of a run, one after the other: what facts do not hold, for gigabytes of lines would not fit
//! into memory.
//!
//! [`read`] goes through the bundles a second time, with the same intake, and hands on each line with the stream to which
//! assembly gave it. A file needs no index for that: where the lines of a stream stand in a member, its
//! [`span`](facts::log::ScannedLog::span) says.
//!
//! May know: facts, intake, parse.
//!
//! Invariants: no line is kept; a line is masked before anybody can see its text; who wants only some streams has only
//! their members split into lines, and the bundle read as far as the last of them; a bundle that is another one than before
//! is refused, for lines would go to wrong streams; lines come in the same order from however many threads.

use facts::cut::Cut;
use facts::log::Level;
use facts::origin::MemberId;
use facts::outside::Outside;
use facts::store::{Facts, Stream};
use intake::{Handover, Intake, Limits, Source, Visitor};
use jiff::Timestamp;
pub use parse::lines::Needles;
use parse::lines::{self, MaskedLine, RawLine};
use std::collections::BTreeMap;
use std::io::Read;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::mpsc::sync_channel;

/// Why the lines of a run cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// Standard input was read to its end once.
    #[error(
        "lines of logs need a second reading, and standard input can be read once; save the bundle to a file and name it"
    )]
    Stdin,
    /// The bundle could not be opened again.
    #[error(transparent)]
    Intake(#[from] intake::Error),
    /// It holds something else than at the first reading.
    #[error("{0} changed while it was read; run the command again when nothing writes to it")]
    Changed(Outside),
}

/// A bundle that was read, and where.
#[derive(Debug, Clone, Copy)]
pub struct Bundle<'a> {
    /// Where to read it again.
    pub source: &'a Source,
    /// What was in it.
    pub intake: &'a Intake,
}

/// One line of a stream.
#[derive(Debug, Clone, Copy)]
pub struct Line<'a> {
    /// The index of its stream in [`Facts::streams`].
    pub stream: usize,
    /// The index of its part in [`Stream::parts`]: parts stand in the order of time.
    pub part: usize,
    /// The member that it stands in.
    pub member: MemberId,
    /// Its number in there.
    pub number: u32,
    /// When it was written, by the clock of its context; `None` if it does not tell, or nobody knows its year.
    pub time: Option<Timestamp>,
    pub level: Level,
    raw: RawLine<'a>,
}

impl Line<'_> {
    /// The line as it may be shown.
    pub fn text(&self) -> Outside {
        self.raw.text()
    }

    /// Can it hold one of these? False only if none stands in its text, nor in what it says.
    pub fn may_hold(&self, needles: &Needles) -> bool {
        self.raw.may_hold(needles)
    }

    /// The line and what it says, as they may be shown.
    pub fn masked(&self) -> MaskedLine {
        self.raw.masked()
    }
}

/// Lines that are kept until somebody knows whether they are wanted.
#[derive(Debug, Default)]
pub struct Kept {
    raw: lines::Kept,
    places: Vec<Place>,
}

/// All of a line but its text.
#[derive(Debug, Clone, Copy)]
struct Place {
    stream: usize,
    part: usize,
    member: MemberId,
    time: Option<Timestamp>,
    level: Level,
}

impl Kept {
    /// Keeps a line behind the others.
    pub fn push(&mut self, line: Line<'_>) {
        let Line { stream, part, member, number: _, time, level, raw } = line;
        self.raw.push(raw);
        self.places.push(Place { stream, part, member, time, level });
    }

    /// The line that was kept after so many others.
    pub fn get(&self, at: usize) -> Option<Line<'_>> {
        let Place { stream, part, member, time, level } = *self.places.get(at)?;
        let raw = self.raw.get(at)?;
        Some(Line { stream, part, member, number: raw.number, time, level, raw })
    }

    /// Bytes of their texts.
    pub fn weight(&self) -> usize {
        self.raw.weight()
    }

    /// Forgets them.
    pub fn clear(&mut self) {
        self.raw.clear();
        self.places.clear();
    }
}

/// Lines of a member, and the parts of streams that they belong to: several where a journal holds those of several
/// machines.
#[derive(Debug)]
struct Stretch<'f> {
    span: (u32, u32),
    parts: Vec<Part<'f>>,
}

/// The lines of each member that has a wanted one, in their order.
type Stretches<'f> = BTreeMap<MemberId, Vec<Stretch<'f>>>;

/// A part of a stream.
#[derive(Debug)]
struct Part<'f> {
    stream: usize,
    part: usize,
    host: Option<&'f str>,
    clock: Option<Timestamp>,
    /// How many seconds the clock of its machine is ahead of UTC.
    zone: i32,
    wanted: bool,
}

/// Hands on the lines of all streams that are `wanted`, member by member in the order of the bundle, and in a member from
/// its first line to its last, until `visit` breaks.
///
/// # Errors
/// If a bundle cannot be read again, or is not the one that it was.
pub fn read(
    bundles: &[Bundle<'_>],
    facts: &Facts,
    limits: &Limits,
    wanted: &dyn Fn(usize, &Stream) -> bool,
    visit: &mut dyn FnMut(Line<'_>) -> ControlFlow<()>,
) -> Result<(), Error> {
    let stretches = stretches(facts, wanted);
    let Some(last) = stretches.keys().next_back().copied() else { return Ok(()) };
    let mut next_id = 0;
    for bundle in bundles {
        if *bundle.source == Source::Stdin {
            return Err(Error::Stdin);
        }
        let mut reader = Reader { stretches: &stretches, limits, visit };
        let (again, ended) =
            unpacked(bundle.source, limits, &mut next_id, &stretches, &mut |id, body| reader.member(id, body));
        if ended {
            return Ok(());
        }
        let members = |intake: &Intake| -> Vec<_> {
            intake.members.iter().filter(|member| member.id <= last).map(|m| (m.id, m.sha256)).collect()
        };
        if members(&again?) != members(bundle.intake) {
            return Err(Error::Changed(Outside::name(&bundle.intake.name)));
        }
    }
    Ok(())
}

/// Members that may wait to be read, while the next one is unpacked.
const WAITING: usize = 16;
/// Bytes of stack of the thread that unpacks: as many as the first thread of a program has.
const STACK: usize = 8 << 20;

/// Unpacks a bundle on a thread of its own as far as the last member with `stretches`, and hands each that has some to
/// `read` until that breaks; says what was in it, and whether `read` broke.
fn unpacked(
    source: &Source,
    limits: &Limits,
    next_id: &mut u32,
    stretches: &Stretches<'_>,
    read: &mut dyn FnMut(MemberId, &mut dyn Read) -> ControlFlow<()>,
) -> (Result<Intake, intake::Error>, bool) {
    let next = AtomicU32::new(*next_id);
    let (jobs, waiting) = sync_channel(WAITING);
    let unpack = || {
        // It ends with this thread, and with it the waiting of the other.
        let jobs = jobs;
        let handover = Handover::default();
        let mut hand_on = |id, body: &mut dyn Read| {
            let mut sent = ControlFlow::Continue(());
            // Who reads no more is gone.
            handover
                .pass(body, |body| sent = jobs.send((id, body)).map_or(ControlFlow::Break(()), ControlFlow::Continue));
            sent
        };
        let mut next_id = next.load(Ordering::Relaxed);
        let mut unpacking = Unpacking { stretches, hand_on: &mut hand_on, goes_on: true };
        let intake = intake::read(source, limits, &mut next_id, &mut unpacking);
        next.store(next_id, Ordering::Relaxed);
        intake
    };
    let mut ended = false;
    let mut read = |id, body: &mut dyn Read| {
        let goes_on = read(id, body);
        ended = goes_on.is_break();
        goes_on
    };
    let done = std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, unpack).ok()?;
        for (id, mut body) in waiting {
            if read(id, &mut body).is_break() {
                break;
            }
        }
        Some(thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
    });
    let intake = match done {
        Some(intake) => {
            *next_id = next.into_inner();
            intake
        }
        // Where there can be no more threads, this one does it.
        None => {
            let mut unpacking = Unpacking { stretches, hand_on: &mut read, goes_on: true };
            intake::read(source, limits, next_id, &mut unpacking)
        }
    };
    (intake, ended)
}

/// Hands on the members with a wanted line, as far as the last of them, until `hand_on` breaks.
struct Unpacking<'a> {
    stretches: &'a Stretches<'a>,
    hand_on: &'a mut dyn FnMut(MemberId, &mut dyn Read) -> ControlFlow<()>,
    goes_on: bool,
}

impl Visitor for Unpacking<'_> {
    fn member(&mut self, id: MemberId, _name: &str, body: &mut dyn Read) {
        self.goes_on = !is_behind(self.stretches, id);
        if self.stretches.contains_key(&id) {
            self.goes_on = (self.hand_on)(id, body).is_continue();
        }
    }

    fn cut(&mut self, _id: MemberId, _cut: &Cut) {}

    fn goes_on(&self) -> bool {
        self.goes_on
    }
}

/// Does a member stand behind the last one that anybody wants?
fn is_behind(stretches: &Stretches<'_>, id: MemberId) -> bool {
    stretches.keys().next_back().is_none_or(|last| id > *last)
}

/// Which lines of which member belong to which streams, in the order of the lines; only members with a wanted one.
fn stretches<'f>(facts: &'f Facts, wanted: &dyn Fn(usize, &Stream) -> bool) -> Stretches<'f> {
    let mut spans: BTreeMap<MemberId, BTreeMap<(u32, u32), Vec<Part<'f>>>> = BTreeMap::new();
    for (index, stream) in facts.streams.iter().enumerate() {
        let wanted = wanted(index, stream);
        let clock = facts.context(stream.context).as_of.as_ref().map(|as_of| as_of.for_logs());
        for (part, (member, log)) in stream.parts.iter().enumerate() {
            let zone = log.tally.zone.unwrap_or_default();
            let part = Part { stream: index, part, host: log.host.as_deref(), clock, zone, wanted };
            spans.entry(*member).or_default().entry(log.span).or_default().push(part);
        }
    }
    spans.retain(|_, of_member| of_member.values().flatten().any(|part| part.wanted));
    let stretches = |spans: BTreeMap<_, _>| spans.into_iter().map(|(span, parts)| Stretch { span, parts }).collect();
    spans.into_iter().map(|(member, of_member)| (member, stretches(of_member))).collect()
}

struct Reader<'a, 'f> {
    stretches: &'a Stretches<'f>,
    limits: &'a Limits,
    visit: &'a mut dyn FnMut(Line<'_>) -> ControlFlow<()>,
}

impl Reader<'_, '_> {
    /// Hands on the wanted lines of a member, until the visitor breaks.
    fn member(&mut self, id: MemberId, body: &mut dyn Read) -> ControlFlow<()> {
        let Some(stretches) = self.stretches.get(&id) else { return ControlFlow::Continue(()) };
        let last = stretches.iter().map(|stretch| stretch.span.1).max().unwrap_or_default();
        let mut whose = Whose::default();
        let (visit, mut broke) = (&mut self.visit, ControlFlow::Continue(()));
        // What cannot be read any further ends here, as it did the first time; the intake says why.
        let _ = lines::each(body, self.limits, &mut |raw| {
            if raw.number > last {
                return ControlFlow::Break(());
            }
            let seen = raw.seen();
            let Some(part) = whose.of(stretches, raw.number, seen.host).filter(|part| part.wanted) else {
                return ControlFlow::Continue(());
            };
            let line = Line {
                stream: part.stream,
                part: part.part,
                member: id,
                number: raw.number,
                time: seen.time.and_then(|time| time.from_zone(part.zone).resolve(part.clock)),
                level: seen.level,
                raw,
            };
            broke = visit(line);
            broke
        });
        broke
    }
}

/// Whose the last line was: one that names no machine belongs to the machine of the one before it.
#[derive(Debug, Default)]
struct Whose {
    host: Vec<u8>,
    span: (u32, u32),
}

impl Whose {
    /// The part that a line belongs to, if it is of a log at all.
    fn of<'p, 'f>(&mut self, stretches: &'p [Stretch<'f>], number: u32, host: &[u8]) -> Option<&'p Part<'f>> {
        let behind = stretches.partition_point(|stretch| stretch.span.0 <= number);
        let stretch = stretches.get(behind.checked_sub(1)?).filter(|stretch| number <= stretch.span.1)?;
        if stretch.span != self.span {
            self.span = stretch.span;
            self.host.clear();
        }
        if !host.is_empty() && self.host != host {
            self.host.clear();
            self.host.extend_from_slice(host);
        }
        let first = stretch.parts.first()?;
        if stretch.parts.len() == 1 {
            return Some(first);
        }
        let own = |part: &&Part<'_>| part.host.is_some_and(|own| own.as_bytes() == self.host.as_slice());
        stretch.parts.iter().find(own).or(Some(first))
    }
}
