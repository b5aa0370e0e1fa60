//! The streaming pass over a log: lines are split, counted, and searched for all wanted literals at once.
//!
//! The literals of all signatures and derived objects are searched together, so the cost of a line does not grow with
//! the number of signatures: whole chunks are [sampled](crate::sampling) for lines with any of them; only such a line
//! is searched for all of them, and only such a line is parsed further than time and level. Where a literal is too short
//! to be sampled, an Aho-Corasick automaton does both.
//!
//! Invariants: memory does not follow the size of the log. A member keeps the first and the last
//! [`KEPT`](crate::hits::KEPT) lines of each literal within [`KEPT_BYTES`](crate::hits::KEPT_BYTES) each (the others are counted in
//! [`hits_beyond`](facts::log::Tally::hits_beyond)), a bounded number of buckets and of templates, and one chunk.
//!
//! A line without a time of its own has none, with one exception: a line that hit and is clearly a
//! [continuation](crate::continuation) takes the time of the last line before it that had one, because
//! stack traces and wrapped errors print their time once. Pieces of a line that a runtime cut are
//! [joined](crate::partial) and stand where the first of them stands; what is wrapped into JSON is searched
//! [as it was written](crate::wrapped) too.

use crate::around;
use crate::around::Passed;
use crate::klog_block;
use crate::klog_block::{Block, Taken};
use crate::last_words::Ending;
use crate::line;
use crate::log_format::KLOG;
use crate::machines::Machines;
use crate::partial::{Joined, Partial};
use crate::sampling;
use crate::sampling::Sampling;
use crate::wrapped;
use aho_corasick::{AhoCorasick, AhoCorasickKind, Input, MatchKind};
use facts::log::{LineTime, LiteralId, ScannedLog};
use facts::origin::MemberId;
use intake::Limits;
use std::io::Read;
use std::sync::Arc;

/// Bytes of all literals up to which the automaton has a table of its own for each state. It costs at most
/// some 512 bytes for each of them, and searches several times faster than the compact form that the crate
/// chooses from a hundred literals on.
const DFA_BYTES: usize = 64 << 10;
/// What some programs write before the first line.
const BOM: &[u8] = "\u{feff}".as_bytes();
/// Bytes read at once.
const CHUNK: usize = 256 << 10;

/// All literals that anybody looks for, searched together; a copy shares them.
#[derive(Debug, Clone, Default)]
pub struct Literals {
    texts: Arc<[String]>,
    /// What finds them.
    search: Search,
    /// Bytes of the longest literal.
    longest: usize,
}

/// How literals are found.
#[derive(Debug, Clone, Default)]
enum Search {
    /// There are none.
    #[default]
    None,
    /// By samples of the text, and those that are too short for that by themselves.
    Sampling(Arc<Sampling>, Option<Short>),
    /// Byte for byte, since all are too short to be sampled.
    Automaton(AhoCorasick),
}

/// Literals that are too short to be sampled. There are few of them, so that a search finds them many bytes at a time.
#[derive(Debug, Clone)]
struct Short {
    search: AhoCorasick,
    /// Their places among all texts.
    literals: Vec<u32>,
}

/// Where the next literals stand in one text, of those that are sampled and of those that are not: each is looked for anew only
/// behind the place where it was found last.
#[derive(Debug, Default)]
pub(crate) struct Next {
    sampled: Found,
    short: Found,
}

/// What a search has found so far.
#[derive(Debug, Clone, Copy, Default)]
enum Found {
    /// Nobody has looked yet.
    #[default]
    Unknown,
    At(usize),
    Nowhere,
}

impl Found {
    /// The next place at or after `from`, which is looked for only where the last one lies before.
    fn next(&mut self, from: usize, search: impl FnOnce() -> Option<usize>) -> Option<usize> {
        let is_behind = matches!(self, Self::At(at) if *at >= from) || matches!(self, Self::Nowhere);
        if !is_behind {
            *self = search().map_or(Self::Nowhere, Self::At);
        }
        match self {
            Self::At(at) => Some(*at),
            Self::Unknown | Self::Nowhere => None,
        }
    }
}

impl Literals {
    /// Prepares the search. Duplicates are folded; an id is the index in the sorted list. An empty
    /// literal is never found. If an automaton cannot be built (more literals than it can number), none
    /// is found either; that takes gigabytes of signatures.
    pub fn new(texts: impl IntoIterator<Item = String>) -> Self {
        let mut texts: Vec<String> = texts.into_iter().filter(|text| !text.is_empty()).collect();
        texts.sort();
        texts.dedup();
        let search = match Sampling::new(&texts) {
            Some(sampling) => Search::Sampling(Arc::new(sampling), short(&texts)),
            None => automaton(&texts).map_or(Search::None, Search::Automaton),
        };
        let longest = texts.iter().map(String::len).max().unwrap_or_default();
        Self { texts: texts.into(), search, longest }
    }

    /// The id of a literal, if it is one of them.
    pub fn id(&self, text: &str) -> Option<LiteralId> {
        self.texts.binary_search_by(|t| t.as_str().cmp(text)).ok().map(|i| LiteralId(i as u32))
    }

    /// The text of a literal.
    pub fn text(&self, id: LiteralId) -> Option<&str> {
        self.texts.get(id.0 as usize).map(String::as_str)
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.texts.len()
    }

    /// There is none.
    pub fn is_empty(&self) -> bool {
        self.texts.is_empty()
    }

    /// Every literal in a line, sorted.
    pub(crate) fn all_in(&self, line: &[u8]) -> Vec<LiteralId> {
        let mut found: Vec<LiteralId> = match &self.search {
            Search::None => return Vec::new(),
            Search::Sampling(sampling, short) => {
                let sampled = sampling.all_in(&self.texts, line).into_iter();
                let short = short.iter().flat_map(|short| short.all_in(&self.texts, line));
                sampled.chain(short).map(LiteralId).collect()
            }
            Search::Automaton(automaton) => {
                automaton.find_overlapping_iter(line).map(|found| LiteralId(found.pattern().as_u32())).collect()
            }
        };
        found.sort_unstable();
        found.dedup();
        found
    }

    /// Where a literal begins at or after `from`, which grows from call to call with the same `next`. Each literal behind `from`
    /// ends at or behind it.
    fn next_in(&self, text: &[u8], from: usize, next: &mut Next) -> Option<usize> {
        match &self.search {
            Search::None => None,
            Search::Sampling(sampling, short) => {
                let sampled = next.sampled.next(from, || sampling.next_in(&self.texts, text, from));
                let short = short.as_ref().and_then(|short| next.short.next(from, || short.next_in(text, from)));
                sampled.into_iter().chain(short).min()
            }
            Search::Automaton(automaton) => automaton.find(Input::new(text).range(from..)).map(|found| found.start()),
        }
    }
}

/// The search for those that are not sampled.
fn short(texts: &[String]) -> Option<Short> {
    let is_short = |(_, text): &(u32, &String)| text.len() < sampling::SHORTEST;
    let (literals, texts): (Vec<u32>, Vec<&String>) = (0u32..).zip(texts).filter(is_short).unzip();
    if texts.is_empty() {
        return None;
    }
    // Only this kind of match is searched many bytes at a time.
    let search = AhoCorasick::builder().match_kind(MatchKind::LeftmostFirst).build(texts).ok()?;
    Some(Short { search, literals })
}

impl Short {
    fn next_in(&self, text: &[u8], from: usize) -> Option<usize> {
        self.search.find(Input::new(text).range(from..)).map(|found| found.start())
    }

    fn all_in(&self, texts: &[String], line: &[u8]) -> impl Iterator<Item = u32> {
        let holds = |text: &String| memchr::memmem::find(line, text.as_bytes()).is_some();
        self.literals.iter().copied().filter(move |at| texts.get(*at as usize).is_some_and(holds))
    }
}

fn automaton(texts: &[String]) -> Option<AhoCorasick> {
    if texts.is_empty() {
        return None;
    }
    let bytes: usize = texts.iter().map(String::len).sum();
    let kind = (bytes <= DFA_BYTES).then_some(AhoCorasickKind::DFA);
    AhoCorasick::builder().match_kind(MatchKind::Standard).kind(kind).build(texts).ok()
}

/// Reads a log to its end. A read error ends it early, with the reason in [`ScannedLog::stopped`].
pub fn scan(member: MemberId, body: impl Read, literals: &Literals, limits: &Limits) -> ScannedLog {
    scan_from(member, body, literals, limits, 0)
}

/// The same for a log that is a part of a member, behind so many of its lines.
pub(crate) fn scan_from(
    member: MemberId,
    mut body: impl Read,
    literals: &Literals,
    limits: &Limits,
    before: u32,
) -> ScannedLog {
    let longest = limits.line_bytes.max(1);
    let machines = Machines::default();
    let mut pass = Pass {
        literals,
        longest,
        machines,
        line: before,
        partial: Partial::default(),
        block: Block::default(),
        passed: Passed::default(),
    };
    let mut buffer = vec![0; CHUNK];
    let (mut filled, mut skipping) = (0, false);
    let mut stopped = None;
    loop {
        let count = match body.read(&mut buffer[filled..]) {
            Ok(count) => count,
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => continue,
            Err(error) => {
                stopped = Some(error.to_string());
                0
            }
        };
        pass.machines.bytes(count);
        let end = filled + count;
        let last = count == 0;
        let mut start = 0;
        if skipping {
            match memchr::memchr(b'\n', &buffer[..end]) {
                Some(at) => (start, skipping) = (at + 1, false),
                None => start = end,
            }
        }
        // Only whole lines are looked at, so that no literal is cut by the end of a chunk.
        let whole = match memchr::memrchr(b'\n', &buffer[start..end]) {
            Some(at) => start + at + 1,
            None => start,
        };
        pass.lines(&buffer[start..whole]);
        if last {
            pass.lines(&buffer[whole..end]);
            break;
        }
        let mut rest = whole;
        if end - rest > longest {
            pass.lines(&buffer[rest..end]);
            (rest, skipping) = (end, true);
        }
        buffer.copy_within(rest..end, 0);
        filled = end - rest;
        if filled == buffer.len() {
            buffer.resize((filled * 2).min(longest + CHUNK), 0);
        }
    }
    pass.rest_of_block();
    for (number, text) in pass.partial.rest() {
        pass.search(number, &text, NOTHING, Some(0), None);
    }
    let read = pass.line;
    let mut log = pass.machines.finish(member);
    log.stopped = stopped;
    if read > before {
        let span = (before.saturating_add(1), read);
        log.span = span;
        log.others.iter_mut().for_each(|other| other.span = span);
    }
    log
}

/// What goes along while a member is read.
struct Pass<'l> {
    literals: &'l Literals,
    longest: usize,
    machines: Machines,
    line: u32,
    partial: Partial,
    block: Block,
    /// The last lines of the text before.
    passed: Passed,
}

/// No lines before another one.
const NOTHING: [&[u8]; around::LINES] = [b""; around::LINES];

impl Pass<'_> {
    /// Looks at each line of a text that ends with a line, or with the member.
    fn lines(&mut self, text: &[u8]) {
        let mut places = Next::default();
        let mut next = self.literals.next_in(text, 0, &mut places);
        let mut start = 0;
        let mut ending = Ending::default();
        let passed = std::mem::take(&mut self.passed);
        let mut before_it = passed.lines();
        while start < text.len() {
            let end = memchr::memchr(b'\n', &text[start..]).map_or(text.len(), |at| start + at);
            let mut line = &text[start..end];
            line = line.strip_suffix(b"\r").unwrap_or(line);
            self.line = self.line.saturating_add(1);
            if self.line == 1 {
                line = line.strip_prefix(BOM).unwrap_or(line);
            }
            let cut = line.len() > self.longest;
            if cut {
                line = &line[..self.longest];
            }
            let seen = line::glance(line);
            if self.machines.turn_to(seen.host) {
                self.machines.before().tally.ending(&mut ending);
                before_it = NOTHING;
            }
            let says = line.iter().any(|b| !b.is_ascii_whitespace());
            if says {
                ending.push(self.line, line);
            }
            let machine = self.machines.current();
            machine.hits.passes(line);
            if cut {
                machine.tally.cut();
            }
            let before = machine.tally.last();
            machine.tally.line(self.line, line, &seen);
            let raw =
                next.filter(|at| *at < end).map(|at| at.saturating_sub(start + self.literals.longest + BOM.len()));
            if raw.is_some() {
                next = self.literals.next_in(text, end, &mut places);
            }
            let carried = if seen.time.is_some() {
                machine.trace.end();
                None
            } else {
                before.filter(|_| machine.trace.continues(line))
            };
            let is_head = seen.format == KLOG && klog_block::is_head(line);
            match self.block.take(self.line, line, is_head, self.longest) {
                Taken::Outside => self.rest_of_block(),
                Taken::Inside => {
                    start = end + 1;
                    continue;
                }
                Taken::Line(head, whole) => {
                    self.search(head, &whole, NOTHING, Some(0), None);
                    self.machines.current().tally.joined(head, &whole);
                    start = end + 1;
                    continue;
                }
            }
            match self.partial.take(self.line, line, self.longest) {
                Joined::Whole => self.search(self.line, line, before_it, raw, carried),
                Joined::Piece => {}
                Joined::Line(head, whole) => self.search(head, &whole, NOTHING, Some(0), None),
            }
            if says {
                before_it = [before_it[1], line];
            }
            start = end + 1;
        }
        self.machines.current().tally.ending(&mut ending);
        self.passed.keep(before_it);
    }

    /// Searches the lines of a value that did not end, each as it stands.
    fn rest_of_block(&mut self) {
        let mut head = None;
        for (number, text) in self.block.rest() {
            self.search(number, &text, NOTHING, Some(0), head);
            head = head.or(line::glance(&text).time);
        }
    }

    /// Keeps a line if it holds a literal, as it stands (at or behind `raw`, if at all) or as it was written.
    fn search(
        &mut self,
        number: u32,
        line: &[u8],
        before: [&[u8]; around::LINES],
        raw: Option<usize>,
        carried: Option<LineTime>,
    ) {
        if self.literals.is_empty() {
            return;
        }
        let mut found = raw.map(|from| self.literals.all_in(&line[from.min(line.len())..])).unwrap_or_default();
        if let Some(written) = wrapped::as_written(line)
            && self.literals.next_in(&written, 0, &mut Next::default()).is_some()
        {
            found.extend(self.literals.all_in(&written));
            found.sort_unstable();
            found.dedup();
        }
        if !found.is_empty() {
            self.machines.current().hits.push(number, line, before, found, carried);
        }
    }
}
