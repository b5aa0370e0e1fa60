//! What one query says for one entity: a count interval with everything a report needs to justify it.

use crate::captures::Rows;
use crate::gap::Gap;
use crate::interval::Interval;
use crate::logic::Truth;
use crate::moments::Moment;
use crate::reasons;
use facts::coverage::Basis;
use facts::origin::{Citation, MemberId};
use std::collections::BTreeSet;

/// Most citations that one piece of evidence lists.
pub const MAX_CITATIONS: usize = 20;

/// The member that a derived object names where no member shows a field.
const NOWHERE: MemberId = MemberId(u32::MAX);

/// The answer to a query, before the wanted polarity is applied.
#[derive(Debug, Clone, PartialEq)]
pub struct Answered {
    /// Is the wanted count present?
    pub truth: Truth,
    /// The same as `ruled_out` may see it: an absence that rests on a list without a command, and anything
    /// that rests on log lines, is unknown there.
    pub strict: Truth,
    /// How many matches.
    pub interval: Interval,
    /// Where the matches stand; of an absence, what was searched.
    pub citations: Vec<Citation>,
    /// Citations beyond those listed.
    pub more: u64,
    /// Paths and values to show, for each match.
    pub shown: Vec<Vec<(String, String)>>,
    /// What keeps the answer from being known.
    pub gaps: Vec<Gap>,
    /// The weakest list that an absence rests on; stated where it rests on none.
    pub weakest: Basis,
    /// Captured values.
    pub rows: Rows,
    /// When what matched held, by the times inside the lines; sorted.
    pub times: Vec<Moment>,
}

impl Answered {
    /// Nothing is known, for this reason.
    pub fn unknown(gap: Gap) -> Self {
        Self {
            truth: Truth::Unknown,
            strict: Truth::Unknown,
            interval: Interval::UNKNOWN,
            citations: Vec::new(),
            more: 0,
            shown: Vec::new(),
            gaps: vec![gap],
            weakest: Basis::Stated,
            rows: Rows { more: true, more_strictly: true, ..Rows::default() },
            times: Vec::new(),
        }
    }

    /// Drops citations that stand already and counts those beyond the bound. They keep their order, the
    /// most telling first: the numbers of members depend on the order of an archive and must sort nothing.
    pub(crate) fn tidy(&mut self) {
        let mut seen = BTreeSet::new();
        self.citations.retain(|c| c.member != NOWHERE && seen.insert((c.member, c.line, c.path.clone())));
        let beyond = self.citations.len().saturating_sub(MAX_CITATIONS);
        self.more += beyond as u64;
        self.citations.truncate(MAX_CITATIONS);
        if self.gaps.len() > 1 {
            self.gaps.sort_by_cached_key(|gap| (gap.cause(), reasons::why(&gap.why), gap.wants.clone()));
        }
        self.gaps.dedup();
        self.times.sort();
        self.times.dedup();
    }
}
