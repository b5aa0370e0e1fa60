//! Which answer to a single piece of evidence settles that an entity is not found.
//!
//! Why: a library asks hundreds of questions of each of thousands of Pods, and nearly all of them are well. What one
//! answer settles need not be asked further.
//!
//! Invariant: an entity that is settled is one that all evidence together would not find either, for a condition that is
//! false while all else is unknown stays false.

use crate::evidence::Held;
use crate::logic::Truth;
use crate::verdict::Rules;

/// What settles, for each piece of evidence of a signature.
pub(crate) struct Settling(Vec<Vec<(Truth, Truth)>>);

impl Settling {
    /// Tries every answer to every piece of evidence.
    pub(crate) fn new(rules: &Rules<'_>) -> Self {
        let any = [Truth::False, Truth::Unknown, Truth::True];
        let answers = || any.into_iter().flat_map(|truth| any.into_iter().map(move |strict| (truth, strict)));
        let of = |index| answers().filter(|(truth, strict)| rules.settles(index, *truth, *strict)).collect();
        Self((0..rules.evidence.len()).map(of).collect())
    }

    /// Does what this piece of evidence says settle that the entity is not found?
    pub(crate) fn by(&self, index: usize, held: &Held) -> bool {
        self.0.get(index).is_some_and(|settling| settling.contains(&(held.truth, held.strict)))
    }
}
