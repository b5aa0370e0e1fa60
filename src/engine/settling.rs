//! Which answers settle that an entity is not found.
//!
//! Why: a library asks hundreds of questions of each of thousands of Pods, and nearly all of them are well. What the
//! first answers settle need not be asked further; and what settled one entity settles most others too, so it is asked
//! first.
//!
//! Invariants: an entity that is settled is one that all evidence together would not find either: what is false while all
//! else is unknown stays false, and what cannot become true does not. In which order is asked changes no answer.

use crate::evidence::Held;
use crate::logic;
use crate::logic::Truth;
use crate::verdict::Rules;

/// The answers that an entity has so far; none where nobody asked yet.
pub(crate) type Asked = [Option<Held>];

/// Tells when enough was asked.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Settling<'r> {
    rules: &'r Rules<'r>,
}

impl<'r> Settling<'r> {
    pub(crate) fn new(rules: &'r Rules<'r>) -> Self {
        Self { rules }
    }

    /// Do these answers settle that the entity is not found, whatever the others say?
    pub(crate) fn by(&self, asked: &Asked) -> bool {
        self.without(asked, &[])
    }

    /// The fewest of these answers that settle it all the same, if they do: none of them can be left out.
    pub(crate) fn reason(&self, asked: &Asked) -> Vec<usize> {
        let all: Vec<usize> = (0..asked.len()).filter(|at| asked[*at].is_some()).collect();
        let mut left_out = Vec::new();
        for &at in &all {
            left_out.push(at);
            if !self.without(asked, &left_out) {
                left_out.pop();
            }
        }
        all.into_iter().filter(|at| !left_out.contains(at)).collect()
    }

    fn without(&self, asked: &Asked, left_out: &[usize]) -> bool {
        let answer = |at: usize| asked.get(at)?.as_ref().filter(|_| !left_out.contains(&at));
        let plain = |at: usize| answer(at).map(|held| held.truth);
        let strict = |at: usize| answer(at).map(|held| held.strict);
        let conditions = self.rules.conditions;
        let others = [&conditions.probable, &conditions.resolved];
        // What is open is told as not assessed, so it has to be false; of `ruled_out` it is enough that it does not hold.
        logic::evaluate_by(&conditions.confirmed, &plain) == Truth::False
            && others.into_iter().flatten().all(|condition| logic::evaluate_by(condition, &plain) == Truth::False)
            && conditions.ruled_out.iter().all(|condition| !logic::possible(condition, &strict).can_hold)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::answer::Answered;
    use crate::gap::{Gap, Why};
    use crate::logic::tests::{conditions, truths};
    use crate::verdict::Ruling;
    use crate::verdict::tests::{id, not, rules, rules_of};
    use Truth::{False as F, True as T, Unknown as U};
    use proptest::prelude::*;
    use signature::model::{Condition, VerdictRules};

    fn held(truth: Truth, strict: Truth) -> Held {
        Held { truth, strict, answered: Answered::unknown(Gap::new(Why::NoClock)) }
    }

    fn settles(conditions: &VerdictRules, asked: [Option<(Truth, Truth)>; 3]) -> bool {
        Settling::new(&rules_of(conditions)).by(&asked.map(|asked| asked.map(|(truth, strict)| held(truth, strict))))
    }

    #[test]
    fn answers_settle_only_what_no_other_can_change() {
        let mut conditions = rules();
        assert!(!settles(&conditions, [Some((F, F)), None, None]), "the way out may still rule it out");
        assert!(settles(&conditions, [Some((F, F)), None, Some((T, U))]), "it was asked, and does not");
        assert!(!settles(&conditions, [Some((F, F)), None, Some((F, F))]), "it rules it out");
        conditions.ruled_out = Some(Condition::And(vec![id(0), not(2)]));
        assert!(settles(&conditions, [Some((F, F)), None, None]));
        assert!(settles(&conditions, [Some((F, U)), None, None]), "the strict view can no longer rule it out");
        assert!(!settles(&conditions, [Some((F, T)), None, None]), "the strict view may still rule it out");
        assert!(!settles(&conditions, [Some((U, F)), None, None]), "it may still be probable");
        assert!(!settles(&conditions, [None, Some((F, F)), None]), "the sign alone makes it probable");
        conditions.resolved = Some(id(2));
        assert!(!settles(&conditions, [Some((F, F)), None, None]), "it may still be resolved");
    }

    #[test]
    fn the_reason_is_the_fewest_answers() {
        let conditions = rules();
        let rules = rules_of(&conditions);
        let asked = [Some(held(F, F)), Some(held(F, F)), Some(held(T, T))];
        assert_eq!(Settling::new(&rules).reason(&asked), [0, 2]);
    }

    proptest! {
        #[test]
        fn what_is_settled_is_not_found_by_all_evidence_either(
            confirmed in conditions(),
            others in prop::collection::vec(prop::option::of(conditions()), 3),
            plain in truths(),
            strict in truths(),
            asks in prop::collection::vec(any::<bool>(), 5),
        ) {
            let [probable, resolved, ruled_out] = others.try_into().unwrap_or_default();
            let conditions = VerdictRules { confirmed, probable, resolved, ruled_out, suspect: None };
            let rules = rules_of(&conditions);
            let all: Vec<Held> = plain.into_iter().zip(strict).map(|(truth, strict)| held(truth, strict)).collect();
            let asked: Vec<Option<Held>> =
                all.iter().zip(&asks).map(|(held, asked)| asked.then(|| held.clone())).collect();
            let settling = Settling::new(&rules);
            if settling.by(&asked) {
                for capped in [false, true] {
                    prop_assert_eq!(rules.decide(&rules.views(&all), capped), Ruling::NotFound);
                }
                let reason = settling.reason(&asked);
                let only: Vec<Option<Held>> =
                    (0..).zip(&asked).map(|(at, held)| held.clone().filter(|_| reason.contains(&at))).collect();
                prop_assert!(settling.by(&only));
            }
        }
    }
}
