//! Keeps the lines that hit: of each literal the first and the last ones of a member, the others counted.
//!
//! The first ones say when something began, the last ones what holds at the end; a storm of equal lines in
//! between adds a number. Lines of the tail are parsed only when it is known that they stay.

use crate::around::Arounds;
use crate::{around, line, pairs};
use facts::log::{LineTime, LiteralId, LogHit};
use facts::origin::MemberId;
use facts::outside::Outside;
use facts::secrets::Counts;
use std::collections::{BTreeMap, VecDeque};

/// Lines kept of each literal at each end of a member.
pub const KEPT: usize = 2_000;
/// Bytes of lines kept at each end of a member, whatever their literals.
pub const KEPT_BYTES: usize = 16 << 20;
/// A line that hit, as it stood.
#[derive(Debug)]
struct Raw {
    line: u32,
    text: Box<[u8]>,
    literals: Vec<LiteralId>,
    carried: Option<LineTime>,
    /// For how many of its literals the tail keeps it.
    wanted: usize,
}

/// The lines kept of one member.
#[derive(Debug, Default)]
pub struct Hits {
    first: Vec<Raw>,
    first_bytes: usize,
    /// Lines of the head per literal.
    first_count: BTreeMap<LiteralId, usize>,
    last: BTreeMap<u64, Raw>,
    last_bytes: usize,
    /// Numbers in `last` per literal, in order.
    rings: BTreeMap<LiteralId, VecDeque<u64>>,
    next: u64,
    arounds: Arounds,
    total: BTreeMap<LiteralId, u64>,
}

impl Hits {
    /// A line passes that may stand after one that was kept.
    pub(crate) fn passes(&mut self, line: &[u8]) {
        self.arounds.follow(line);
    }

    /// Takes a line with its literals and the lines before it; `carried` is the time of the line that it continues.
    pub(crate) fn push(
        &mut self,
        line: u32,
        text: &[u8],
        before: [&[u8]; around::LINES],
        literals: Vec<LiteralId>,
        carried: Option<LineTime>,
    ) {
        self.arounds.hit(line, &literals, before);
        for literal in &literals {
            *self.total.entry(*literal).or_default() += 1;
        }
        let scarce = |literal| self.first_count.get(literal).copied().unwrap_or(0) < KEPT;
        let wanted = literals.len();
        let raw = |literals| Raw { line, text: text.into(), literals, carried, wanted };
        if self.first_bytes + text.len() <= KEPT_BYTES && literals.iter().any(scarce) {
            self.first_bytes += text.len();
            for literal in &literals {
                *self.first_count.entry(*literal).or_default() += 1;
            }
            self.first.push(raw(literals));
            return;
        }
        let number = self.next;
        self.next += 1;
        for literal in &literals {
            let ring = self.rings.entry(*literal).or_default();
            ring.push_back(number);
            if ring.len() > KEPT
                && let Some(old) = ring.pop_front()
            {
                release(&mut self.last, &mut self.last_bytes, old);
            }
        }
        self.last_bytes += text.len();
        self.last.insert(number, raw(literals));
        while self.last_bytes > KEPT_BYTES && self.last.len() > 1 {
            let Some((number, oldest)) = self.last.pop_first() else {
                break;
            };
            self.last_bytes -= oldest.text.len();
            for literal in &oldest.literals {
                if let Some(ring) = self.rings.get_mut(literal)
                    && ring.front() == Some(&number)
                {
                    ring.pop_front();
                }
            }
        }
    }

    /// The kept lines in the order of the file, parsed and masked; the lines that were only counted, per
    /// literal; and how many secret values were masked.
    pub fn finish(self, member: MemberId) -> (Vec<LogHit>, BTreeMap<LiteralId, u64>, Counts) {
        let mut beyond = self.total;
        let (mut arounds, mut masked) = self.arounds.finish();
        let mut hits: Vec<LogHit> = Vec::with_capacity(self.first.len() + self.last.len());
        for raw in self.first.into_iter().chain(self.last.into_values()) {
            for literal in &raw.literals {
                if let Some(count) = beyond.get_mut(literal) {
                    *count -= 1;
                }
            }
            let mut readable = pairs::readable(&raw.text);
            if readable.contains('\0') {
                readable = readable.replace('\0', "\u{fffd}").into();
            }
            let (text, count) = Outside::counted(&readable);
            masked += count;
            let mut fields = line::parse(&text);
            fields.time = fields.time.or(raw.carried);
            let around = arounds.remove(&raw.line).map(Box::new);
            hits.push(LogHit { member, line: raw.line, text, fields, literals: raw.literals, around });
        }
        // A line whose literals were all full at the head may stand before one with a scarcer literal.
        hits.sort_by_key(|hit| hit.line);
        beyond.retain(|_, count| *count > 0);
        (hits, beyond, masked)
    }
}

/// One literal less wants the line of this number in the tail; without any it goes.
fn release(last: &mut BTreeMap<u64, Raw>, bytes: &mut usize, number: u64) {
    let Some(raw) = last.get_mut(&number) else {
        return;
    };
    raw.wanted -= 1;
    if raw.wanted == 0
        && let Some(raw) = last.remove(&number)
    {
        *bytes -= raw.text.len();
    }
}
