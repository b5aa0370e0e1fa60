//! From evidence to a verdict.
//!
//! Invariants: `ruled_out` looks at the strict view alone; undecided is said only when there is reason to
//! suspect; a capped entity is never confirmed, probable or resolved.

use crate::logic;
use crate::logic::Truth;
use signature::model::{Condition, Evidence, VerdictRules, VerdictWord};

/// What the conditions of a signature give for one entity.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Ruling {
    /// A verdict; the flag says that confirmed and ruled out hold at once.
    Verdict(VerdictWord, bool),
    /// It could not be decided, and nothing points at it.
    NotAssessed,
    /// It does not hold.
    NotFound,
}

/// The conditions of a signature with its hallmarks.
#[derive(Debug, Clone, Copy)]
pub struct Rules<'a> {
    pub conditions: &'a VerdictRules,
    /// The evidence, for its hallmarks.
    pub evidence: &'a [Evidence],
}

impl Rules<'_> {
    /// Decides. `truths` is the plain view of the evidence, `strict` the one of `ruled_out`.
    pub fn decide(&self, truths: &[Truth], strict: &[Truth], capped: bool) -> Ruling {
        let holds = |condition: &Option<Condition>| {
            condition.as_ref().map_or(Truth::False, |condition| logic::evaluate(condition, truths))
        };
        let confirmed = logic::evaluate(&self.conditions.confirmed, truths);
        let probable = holds(&self.conditions.probable);
        let resolved = holds(&self.conditions.resolved);
        let ruled_out = self.ruled_out(strict);
        let open = confirmed != Truth::False || probable != Truth::False;
        if capped {
            return match (ruled_out, open || resolved != Truth::False) {
                (true, _) => Ruling::Verdict(VerdictWord::RuledOut, false),
                (false, false) => Ruling::NotFound,
                (false, true) if self.suspect(truths) => Ruling::Verdict(VerdictWord::Undecided, false),
                (false, true) => Ruling::NotAssessed,
            };
        }
        if resolved == Truth::True {
            Ruling::Verdict(VerdictWord::Resolved, false)
        } else if ruled_out && confirmed == Truth::True {
            Ruling::Verdict(VerdictWord::Probable, true)
        } else if ruled_out {
            Ruling::Verdict(VerdictWord::RuledOut, false)
        } else if confirmed == Truth::True {
            Ruling::Verdict(VerdictWord::Confirmed, false)
        } else if probable == Truth::True {
            Ruling::Verdict(VerdictWord::Probable, false)
        } else if !open {
            Ruling::NotFound
        } else if self.suspect(truths) {
            Ruling::Verdict(VerdictWord::Undecided, false)
        } else {
            Ruling::NotAssessed
        }
    }

    /// Does `ruled_out` hold in the strict view?
    pub fn ruled_out(&self, strict: &[Truth]) -> bool {
        self.conditions.ruled_out.as_ref().is_some_and(|c| logic::evaluate(c, strict) == Truth::True)
    }

    /// Is there reason to suspect it?
    pub fn suspect(&self, truths: &[Truth]) -> bool {
        match &self.conditions.suspect {
            Some(condition) => logic::evaluate(condition, truths) == Truth::True,
            None => self.evidence.iter().zip(truths).any(|(e, truth)| e.hallmark && *truth == Truth::True),
        }
    }

    /// The unknown evidence that could still change the verdict: for which knowing all the rest some way
    /// makes a difference. Beyond a dozen unknowns, what the open conditions wait for.
    pub(crate) fn could_change(&self, truths: &[Truth], strict: &[Truth], lines: &[bool]) -> Vec<usize> {
        let unknown: Vec<usize> = (0..truths.len()).filter(|i| truths.get(*i) == Some(&Truth::Unknown)).collect();
        if unknown.len() > 12 {
            let rules = self.conditions;
            let conditions = [Some(&rules.confirmed), rules.probable.as_ref(), rules.resolved.as_ref()];
            let mut found: Vec<usize> =
                conditions.into_iter().flatten().flat_map(|c| logic::missing(c, truths)).collect();
            found.extend(rules.ruled_out.iter().flat_map(|c| logic::missing(c, strict)));
            found.retain(|index| unknown.contains(index));
            found.sort_unstable();
            found.dedup();
            return found;
        }
        let decide = |bits: u32| {
            let (mut truths, mut strict) = (truths.to_vec(), strict.to_vec());
            for (place, index) in unknown.iter().enumerate() {
                let truth = Truth::known(bits & (1 << place) != 0);
                if let (Some(plain), Some(strictly)) = (truths.get_mut(*index), strict.get_mut(*index)) {
                    *plain = truth;
                    // Lines stay unknown to `ruled_out`, whatever they say.
                    *strictly = if lines.get(*index) == Some(&true) { Truth::Unknown } else { truth };
                }
            }
            self.decide(&truths, &strict, false)
        };
        let rulings: Vec<Ruling> = (0..1_u32 << unknown.len()).map(decide).collect();
        let matters = |place: &usize| {
            let flip = 1_usize << place;
            rulings.iter().enumerate().any(|(bits, ruling)| rulings.get(bits ^ flip) != Some(ruling))
        };
        (0..unknown.len()).filter(matters).filter_map(|place| unknown.get(place).copied()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Truth::{False as F, True as T, Unknown as U};

    fn id(index: usize) -> Condition {
        Condition::Evidence(index)
    }

    fn not(index: usize) -> Condition {
        Condition::Not(Box::new(id(index)))
    }

    /// 0: a sign, 1: a proof, 2: a way out.
    fn rules() -> VerdictRules {
        VerdictRules {
            confirmed: Condition::And(vec![id(0), id(1)]),
            probable: Some(id(0)),
            resolved: None,
            ruled_out: Some(not(2)),
            suspect: Some(id(0)),
        }
    }

    fn decide(conditions: &VerdictRules, truths: [Truth; 3]) -> Ruling {
        Rules { conditions, evidence: &[] }.decide(&truths, &truths, false)
    }

    #[test]
    fn precedence_is_as_written() {
        let mut rules = rules();
        let verdict = |word| Ruling::Verdict(word, false);
        assert_eq!(decide(&rules, [T, T, U]), verdict(VerdictWord::Confirmed));
        assert_eq!(decide(&rules, [T, U, U]), verdict(VerdictWord::Probable));
        assert_eq!(decide(&rules, [T, F, F]), verdict(VerdictWord::RuledOut));
        assert_eq!(decide(&rules, [T, T, F]), Ruling::Verdict(VerdictWord::Probable, true));
        assert_eq!(decide(&rules, [F, T, U]), Ruling::NotFound);
        assert_eq!(decide(&rules, [U, T, U]), Ruling::NotAssessed);
        rules.suspect = Some(id(1));
        assert_eq!(decide(&rules, [U, T, U]), verdict(VerdictWord::Undecided));
        rules.resolved = Some(id(1));
        assert_eq!(decide(&rules, [T, T, F]), verdict(VerdictWord::Resolved));
    }

    #[test]
    fn ruled_out_sees_the_strict_view_alone() {
        let conditions = rules();
        let rules = Rules { conditions: &conditions, evidence: &[] };
        assert_eq!(rules.decide(&[F, F, F], &[F, F, U], false), Ruling::NotFound);
        assert_eq!(rules.decide(&[T, U, F], &[T, U, U], false), Ruling::Verdict(VerdictWord::Probable, false));
    }

    #[test]
    fn a_capped_entity_is_undecided_at_most() {
        let conditions = rules();
        let rules = Rules { conditions: &conditions, evidence: &[] };
        assert_eq!(rules.decide(&[T, T, U], &[T, T, U], true), Ruling::Verdict(VerdictWord::Undecided, false));
        assert_eq!(rules.decide(&[U, T, U], &[U, T, U], true), Ruling::NotAssessed);
        assert_eq!(rules.decide(&[F, U, U], &[F, U, U], true), Ruling::NotFound);
    }

    #[test]
    fn only_what_could_change_the_verdict_is_asked_for() {
        let conditions = rules();
        let rules = Rules { conditions: &conditions, evidence: &[] };
        assert_eq!(rules.could_change(&[T, U, T], &[T, U, T], &[false; 3]), [1]);
        assert_eq!(rules.could_change(&[T, U, U], &[T, U, U], &[false; 3]), [1, 2]);
        assert_eq!(rules.could_change(&[F, U, U], &[F, U, U], &[false; 3]), [2], "the proof alone decides nothing");
        assert_eq!(rules.could_change(&[T, T, U], &[T, T, U], &[false, false, true]), [0_usize; 0]);
    }
}
