//! Members are unpacked on one thread and parsed on others, side by side.
//!
//! Why: unpacking is one stream and cannot be shared out, and parsing costs about as much; members know nothing of each
//! other, so whoever is free takes the next one.
//!
//! Invariants: what comes out does not depend on the number of threads or on their order, because results are kept by
//! member ([`Ledger`]); what waits between the threads is bounded ([`WAITING`] members, and what a [`Handover`] holds of them);
//! the body of a member is read to its end whether anybody wants it or not.

use crate::Progress;
use crate::ledger::Ledger;
use assemble::interest::Interest;
use catalogue::kinds::Catalogue;
use facts::cut::Cut;
use facts::object::ObjectRecord;
use facts::origin::MemberId;
use intake::{Handed, Handover, Intake, Limits, Source, Visitor};
use layout::apply::Manifests;
use parse::member;
use parse::member::Trim;
use parse::scan::Literals;
use std::collections::BTreeMap;
use std::io::{self, Read};
use std::num::NonZero;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};

/// Members that may wait to be parsed.
const WAITING: usize = 16;
/// Bytes up to which a file of a collector's own is read as such. Discovery of a large cluster has some.
const MANIFEST_BYTES: u64 = 16 << 20;
/// More parsers than this would only wait for the one that unpacks.
const MOST_PARSERS: usize = 8;

/// Bytes of stack of a parser: as many as the first thread of a program has, for documents are nested.
const STACK: usize = 8 << 20;

/// What each member needs to be parsed.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Parser<'a> {
    pub literals: &'a Literals,
    pub limits: &'a Limits,
    pub interest: &'a Interest,
    pub catalogue: &'a Catalogue,
    /// What its contents are charged to.
    pub ledger: &'a Ledger,
    /// On how many threads members, and the objects of a list, are read side by side.
    pub threads: NonZero<usize>,
}

/// What all members of a bundle held beside what the ledger has.
#[derive(Debug, Default)]
pub(crate) struct Parsed {
    pub manifests: Manifests,
}

/// Reads one bundle to its end. With one thread, each member is parsed before the next is unpacked; with more, so many
/// parse beside the one that unpacks.
///
/// # Errors
/// If nothing of it can be read.
pub(crate) fn read(
    parser: Parser<'_>,
    source: &Source,
    next_id: &mut u32,
    progress: &mut dyn Progress,
) -> Result<(Intake, Parsed), intake::Error> {
    std::thread::scope(|scope| {
        let (jobs, waiting) = sync_channel(WAITING);
        // The parsers alone own it: if they all panic, nobody waits for them.
        let waiting = Arc::new(Mutex::new(waiting));
        let mut parsers = Vec::new();
        let threads = parser.threads.get();
        let wanted = if threads == 1 { 0 } else { threads.min(MOST_PARSERS) };
        for _ in 0..wanted {
            let waiting = Arc::clone(&waiting);
            let work = move || parser.work(&waiting);
            // Where there can be no more threads, those that there are do it.
            let Ok(thread) = std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, work) else { break };
            parsers.push(thread);
        }
        drop(waiting);
        let jobs = (!parsers.is_empty()).then_some(jobs);
        let mut unpacking = Unpacking {
            parser,
            jobs,
            own: Parsed::default(),
            cuts: BTreeMap::new(),
            progress,
            handover: Handover::default(),
        };
        let intake = intake::read(source, parser.limits, next_id, &mut unpacking);
        let Unpacking { jobs, own: mut all, cuts, .. } = unpacking;
        // Without a sender the parsers end.
        drop(jobs);
        for parsed in parsers {
            let parsed = parsed.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
            all.manifests.extend(parsed.manifests);
        }
        parser.ledger.cut(cuts);
        Ok((intake?, all))
    })
}

/// A member on its way to a parser.
struct Job {
    id: MemberId,
    name: String,
    body: Handed,
}

impl Parser<'_> {
    /// Parses whatever waits, until nothing more can come.
    fn work(self, waiting: &Mutex<Receiver<Job>>) -> Parsed {
        let mut parsed = Parsed::default();
        let _watch = self.ledger.watch();
        loop {
            let job = waiting.lock().unwrap_or_else(PoisonError::into_inner).recv();
            let Ok(mut job) = job else { return parsed };
            self.parse(job.id, &job.name, &mut job.body, &mut parsed);
        }
    }

    fn parse(self, id: MemberId, name: &str, mut body: &mut dyn Read, parsed: &mut Parsed) {
        let hint = layout::hint(name);
        let cut = |object: &mut ObjectRecord| self.interest.cut_object(object, self.catalogue);
        let trim = Trim { cut: &cut, threads: self.threads };
        let read = |body: &mut dyn Read| {
            member::read_trimmed(id, name, body, self.literals, self.limits, &hint.known, Some(trim))
        };
        let mut content = if hint.manifests.is_empty() {
            read(body)
        } else {
            // Read twice: by the collector's own reader, if the layout turns out to be that collector's, and
            // as any other member, if not.
            let mut text = Vec::new();
            // What failed fails again below, where it is said.
            let _ = (&mut body).take(MANIFEST_BYTES).read_to_end(&mut text);
            let content = read(&mut text.as_slice().chain(&mut body));
            parsed.manifests.extend(layout::apply::read(id, name, &hint, &text));
            content
        };
        self.interest.cut(&mut content, self.catalogue);
        self.ledger.put(id, content);
    }
}

/// Takes the members as they are unpacked.
struct Unpacking<'a, 'p> {
    parser: Parser<'a>,
    /// Where they are parsed; `None` if here.
    jobs: Option<SyncSender<Job>>,
    /// What was parsed here.
    own: Parsed,
    /// The members that ended before their time.
    cuts: BTreeMap<MemberId, Cut>,
    progress: &'p mut dyn Progress,
    handover: Handover,
}

impl Visitor for Unpacking<'_, '_> {
    fn member(&mut self, id: MemberId, name: &str, body: &mut dyn Read) {
        self.progress.member(name);
        let mut body = Counted { body, progress: self.progress };
        let Some(jobs) = &self.jobs else {
            return self.parser.parse(id, name, &mut body, &mut self.own);
        };
        // Who does not want it any more has panicked, or has seen enough of this member.
        self.handover.pass(&mut body, |body| {
            let _ = jobs.send(Job { id, name: name.to_owned(), body });
        });
    }

    fn part(&mut self, done: u64, of: u64) {
        self.progress.part(done, of);
    }

    fn cut(&mut self, id: MemberId, cut: &Cut) {
        self.cuts.insert(id, cut.clone());
    }
}

/// A body that reports how many bytes were taken from it.
struct Counted<'a> {
    body: &'a mut dyn Read,
    progress: &'a mut dyn Progress,
}

impl Read for Counted<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.body.read(buffer)?;
        self.progress.bytes(count as u64);
        Ok(count)
    }
}
