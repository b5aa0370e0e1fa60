//! Count intervals: how many matches there are, at least and at most.
//!
//! Invariant: `lo <= hi` where `hi` is bounded. An unbounded `hi` means that nobody looked at the whole
//! scope; such an interval can support "at least", and never "at most".

use crate::logic::Truth;
use signature::model::CountWanted;

/// At least `lo`, at most `hi`; `None` is unbounded.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Interval {
    /// The fewest that the sightings allow.
    pub lo: u64,
    /// The most that coverage allows; `None` is unbounded.
    pub hi: Option<u64>,
}

impl Interval {
    /// Nothing is known.
    pub const UNKNOWN: Self = Self { lo: 0, hi: None };
    /// Surely none.
    pub const NONE: Self = Self { lo: 0, hi: Some(0) };

    /// The interval of a single thing that is there, is not, or may be.
    pub(crate) fn of_one(truth: Truth) -> Self {
        match truth {
            Truth::True => Self { lo: 1, hi: Some(1) },
            Truth::False => Self::NONE,
            Truth::Unknown => Self { lo: 0, hi: Some(1) },
        }
    }

    /// The two counted together.
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        let hi = self.hi.zip(other.hi).map(|(a, b)| a.saturating_add(b));
        Self { lo: self.lo.saturating_add(other.lo), hi }
    }

    /// Is the wanted count present (true), absent (false), or can it not be told?
    pub fn compare(self, wanted: CountWanted) -> Truth {
        let enough = if self.lo >= wanted.min {
            Truth::True
        } else if self.hi.is_some_and(|hi| hi < wanted.min) {
            Truth::False
        } else {
            Truth::Unknown
        };
        let not_too_many = match wanted.max {
            None => Truth::True,
            Some(max) if self.lo > max => Truth::False,
            Some(max) if self.hi.is_some_and(|hi| hi <= max) => Truth::True,
            Some(_) => Truth::Unknown,
        };
        enough.and(not_too_many)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn interval(lo: u64, hi: Option<u64>) -> Interval {
        Interval { lo, hi }
    }

    #[test]
    fn more_than_one_is_present_even_in_a_cut_listing() {
        let more_than_one = CountWanted { min: 2, max: None };
        assert_eq!(interval(2, None).compare(more_than_one), Truth::True);
        assert_eq!(interval(1, None).compare(more_than_one), Truth::Unknown);
        assert_eq!(interval(1, Some(1)).compare(more_than_one), Truth::False);
        assert_eq!(interval(1, Some(2)).compare(more_than_one), Truth::Unknown);
    }

    #[test]
    fn an_exact_count_needs_both_bounds() {
        let exactly_one = CountWanted { min: 1, max: Some(1) };
        assert_eq!(interval(1, Some(1)).compare(exactly_one), Truth::True);
        assert_eq!(interval(1, None).compare(exactly_one), Truth::Unknown);
        assert_eq!(interval(2, None).compare(exactly_one), Truth::False);
        assert_eq!(Interval::NONE.compare(exactly_one), Truth::False);
    }

    proptest! {
        /// The interval speaks for every count inside it.
        #[test]
        fn a_known_answer_holds_for_every_count_inside(
            lo in 0_u64..6, width in prop::option::of(0_u64..6), min in 0_u64..6, room in prop::option::of(0_u64..6),
        ) {
            let wanted = CountWanted { min, max: room.map(|r| min + r) };
            let answers: Vec<bool> = (lo..=lo + width.unwrap_or(20))
                .map(|n| n >= wanted.min && wanted.max.is_none_or(|max| n <= max))
                .collect();
            let expected = match (answers.iter().all(|a| *a), answers.iter().any(|a| *a)) {
                (true, _) => Truth::True,
                (_, false) => Truth::False,
                _ => Truth::Unknown,
            };
            prop_assert_eq!(interval(lo, width.map(|w| lo + w)).compare(wanted), expected);
        }
    }
}
