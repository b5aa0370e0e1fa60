//! From evidence to a verdict.
//!
//! Invariants: `ruled_out` looks at the strict view alone; undecided is said only when there is reason to
//! suspect; a capped entity is never confirmed, probable or resolved; nothing is confirmed by a table, and what is severe
//! not by a list, of which nobody knows whether it was filtered; what is gone is resolved at most, and what is in dispute probable.

use crate::evidence::Held;
use crate::logic;
use crate::logic::Truth;
use facts::coverage::Basis;
use facts::presence::Presence;
use signature::model::{Condition, Evidence, Severity, Signature, VerdictRules, VerdictWord};

/// What the conditions of a signature give for one entity.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Ruling {
    /// A verdict; the flag says that there is another side, which is shown too.
    Verdict(VerdictWord, bool),
    /// It could not be decided, and nothing points at it.
    NotAssessed,
    /// It does not hold.
    NotFound,
}

impl Ruling {
    /// What is left of it for an entity that may not be there any more.
    #[must_use]
    pub fn given(self, presence: &Presence) -> Self {
        use VerdictWord::{Confirmed, Probable, Resolved};
        match (presence, self) {
            (Presence::Gone(_), Self::Verdict(Confirmed | Probable | Resolved, _)) => Self::Verdict(Resolved, false),
            (Presence::Gone(_), _) => Self::NotFound,
            (Presence::Disputed(_), Self::Verdict(Confirmed | Probable, _)) => Self::Verdict(Probable, true),
            (_, ruling) => ruling,
        }
    }
}

/// The evidence of a signature for one entity, as the rules look at it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Views {
    /// What is known.
    pub plain: Vec<Truth>,
    /// As `ruled_out` sees it: what a list without its command or lines of logs show is unknown.
    pub strict: Vec<Truth>,
    /// As a verdict is confirmed: what only a table without its command shows is unknown, and of what is severe also
    /// what only a list without its command shows.
    pub firm: Vec<Truth>,
}

/// The conditions of a signature with its hallmarks.
#[derive(Debug, Clone, Copy)]
pub struct Rules<'a> {
    pub conditions: &'a VerdictRules,
    /// The evidence, for its hallmarks.
    pub evidence: &'a [Evidence],
    /// A false alarm would be dear: high or critical.
    pub severe: bool,
}

impl<'a> Rules<'a> {
    /// The rules of a signature.
    pub fn of(signature: &'a Signature) -> Self {
        let severe = matches!(signature.severity, Severity::Critical | Severity::High);
        Self { conditions: &signature.verdict, evidence: &signature.evidence, severe }
    }
}

impl Rules<'_> {
    /// How the rules look at evidence.
    pub fn views(&self, held: &[Held]) -> Views {
        let firm = |held: &Held| match held.answered.weakest {
            Basis::Stated => held.truth,
            Basis::Listed if !self.severe => held.truth,
            _ => held.strict,
        };
        Views {
            plain: held.iter().map(|held| held.truth).collect(),
            strict: held.iter().map(|held| held.strict).collect(),
            firm: held.iter().map(firm).collect(),
        }
    }

    /// Decides.
    pub fn decide(&self, views: &Views, capped: bool) -> Ruling {
        let truths = views.plain.as_slice();
        let holds = |condition: &Option<Condition>| {
            condition.as_ref().map_or(Truth::False, |condition| logic::evaluate(condition, truths))
        };
        let confirmed = logic::evaluate(&self.conditions.confirmed, truths);
        let probable = holds(&self.conditions.probable);
        let resolved = holds(&self.conditions.resolved);
        let ruled_out = self.ruled_out(&views.strict);
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
            let firm = logic::evaluate(&self.conditions.confirmed, &views.firm) == Truth::True;
            Ruling::Verdict(if firm { VerdictWord::Confirmed } else { VerdictWord::Probable }, false)
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
    pub(crate) fn could_change(&self, views: &Views, lines: &[bool]) -> Vec<usize> {
        let (truths, strict) = (views.plain.as_slice(), views.strict.as_slice());
        let is_unknown = |view: &[Truth], index: usize| view.get(index) == Some(&Truth::Unknown);
        let open = |index: &usize| is_unknown(truths, *index) || is_unknown(&views.firm, *index);
        // What only explains decides nothing.
        let decides = |index: &usize| {
            let rules = self.conditions;
            let others = [&rules.probable, &rules.resolved, &rules.ruled_out, &rules.suspect];
            let mut all = std::iter::once(&rules.confirmed).chain(others.into_iter().flatten());
            let by_hallmark = rules.suspect.is_none() && self.evidence.get(*index).is_some_and(|own| own.hallmark);
            by_hallmark || all.any(|condition| logic::names(condition, *index))
        };
        let unknown: Vec<usize> = (0..truths.len()).filter(open).filter(decides).collect();
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
            let Views { plain: mut truths, mut strict, mut firm } = views.clone();
            for (place, index) in unknown.iter().enumerate() {
                let truth = Truth::known(bits & (1 << place) != 0);
                if let (Some(plain), Some(strictly), Some(firmly)) =
                    (truths.get_mut(*index), strict.get_mut(*index), firm.get_mut(*index))
                {
                    (*plain, *firmly) = (truth, truth);
                    // Lines stay unknown to `ruled_out`, whatever they say.
                    *strictly = if lines.get(*index) == Some(&true) { Truth::Unknown } else { truth };
                }
            }
            self.decide(&Views { plain: truths, strict, firm }, false)
        };
        let rulings: Vec<Ruling> = (0..1_u32 << unknown.len()).map(decide).collect();
        let matters = |bit: &usize| {
            let flip = 1_usize << bit;
            rulings.iter().enumerate().any(|(bits, ruling)| rulings.get(bits ^ flip) != Some(ruling))
        };
        (0..unknown.len()).filter(matters).filter_map(|bit| unknown.get(bit).copied()).collect()
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::answer::Answered;
    use crate::gap::{Gap, Why};
    use Truth::{False as F, True as T, Unknown as U};

    pub(crate) fn id(index: usize) -> Condition {
        Condition::Evidence(index)
    }

    pub(crate) fn not(index: usize) -> Condition {
        Condition::Not(Box::new(id(index)))
    }

    /// 0: a sign, 1: a proof, 2: a way out.
    pub(crate) fn rules() -> VerdictRules {
        VerdictRules {
            confirmed: Condition::And(vec![id(0), id(1)]),
            probable: Some(id(0)),
            resolved: None,
            ruled_out: Some(not(2)),
            suspect: Some(id(0)),
        }
    }

    pub(crate) fn rules_of(conditions: &VerdictRules) -> Rules<'_> {
        Rules { conditions, evidence: &[], severe: false }
    }

    fn views(plain: [Truth; 3], strict: [Truth; 3]) -> Views {
        Views { plain: plain.to_vec(), strict: strict.to_vec(), firm: plain.to_vec() }
    }

    fn decide(conditions: &VerdictRules, truths: [Truth; 3]) -> Ruling {
        rules_of(conditions).decide(&views(truths, truths), false)
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
        let rules = rules_of(&conditions);
        assert_eq!(rules.decide(&views([F, F, F], [F, F, U]), false), Ruling::NotFound);
        assert_eq!(rules.decide(&views([T, U, F], [T, U, U]), false), Ruling::Verdict(VerdictWord::Probable, false));
    }

    #[test]
    fn a_capped_entity_is_undecided_at_most() {
        let conditions = rules();
        let rules = rules_of(&conditions);
        assert_eq!(rules.decide(&views([T, T, U], [T, T, U]), true), Ruling::Verdict(VerdictWord::Undecided, false));
        assert_eq!(rules.decide(&views([U, T, U], [U, T, U]), true), Ruling::NotAssessed);
        assert_eq!(rules.decide(&views([F, U, U], [F, U, U]), true), Ruling::NotFound);
    }

    #[test]
    fn a_table_confirms_nothing_and_a_list_nothing_severe() {
        let held = |truth, strict, weakest| Held {
            truth,
            strict,
            answered: Answered { weakest, ..Answered::unknown(Gap::new(Why::NoClock)) },
        };
        let conditions = rules();
        let verdict = |word| Ruling::Verdict(word, false);
        let (rules, severe) = (rules_of(&conditions), Rules { severe: true, ..rules_of(&conditions) });
        for (basis, plainly, severely) in [
            (Basis::Stated, VerdictWord::Confirmed, VerdictWord::Confirmed),
            (Basis::Listed, VerdictWord::Confirmed, VerdictWord::Probable),
            (Basis::Rows, VerdictWord::Probable, VerdictWord::Probable),
        ] {
            let held = [held(T, T, Basis::Stated), held(T, U, basis), held(U, U, Basis::Stated)];
            for (rules, expected) in [(&rules, plainly), (&severe, severely)] {
                let views = rules.views(&held);
                assert_eq!(rules.decide(&views, false), verdict(expected), "{basis:?}");
                let asked: &[usize] = if expected == VerdictWord::Confirmed { &[2] } else { &[1, 2] };
                assert_eq!(rules.could_change(&views, &[false; 3]), asked, "to be collected with its command");
            }
        }
    }

    #[test]
    fn what_is_gone_is_resolved_at_most_and_what_is_in_dispute_probable() {
        let citation = facts::origin::Citation::line(facts::origin::MemberId(0), 1, "not found");
        let ended = facts::presence::Ended { how: facts::presence::How::NotFound, citation };
        let (gone, disputed) = (Presence::Gone(ended.clone()), Presence::Disputed(ended));
        let verdict = |word| Ruling::Verdict(word, false);
        for word in [VerdictWord::Confirmed, VerdictWord::Probable] {
            assert_eq!(verdict(word).given(&gone), verdict(VerdictWord::Resolved));
            assert_eq!(verdict(word).given(&disputed), Ruling::Verdict(VerdictWord::Probable, true));
            assert_eq!(verdict(word).given(&Presence::There), verdict(word));
        }
        for ruling in [verdict(VerdictWord::Undecided), verdict(VerdictWord::RuledOut), Ruling::NotAssessed] {
            assert_eq!(ruling.given(&gone), Ruling::NotFound);
            assert_eq!(ruling.given(&disputed), ruling);
        }
    }

    #[test]
    fn only_what_could_change_the_verdict_is_asked_for() {
        let conditions = rules();
        let rules = rules_of(&conditions);
        assert_eq!(rules.could_change(&views([T, U, T], [T, U, T]), &[false; 3]), [1]);
        assert_eq!(rules.could_change(&views([T, U, U], [T, U, U]), &[false; 3]), [1, 2]);
        assert_eq!(
            rules.could_change(&views([F, U, U], [F, U, U]), &[false; 3]),
            [2],
            "the proof alone decides nothing"
        );
        assert_eq!(rules.could_change(&views([T, T, U], [T, T, U]), &[false, false, true]), [0_usize; 0]);
    }

    #[test]
    fn what_only_explains_does_not_hide_what_a_table_alone_shows() {
        let conditions = VerdictRules {
            confirmed: id(0),
            probable: Some(id(0)),
            resolved: None,
            ruled_out: None,
            suspect: Some(id(0)),
        };
        // The rows of a table show the sign, which confirms nothing; twenty unknowns stand in no condition.
        let with = |first: Truth| std::iter::once(first).chain([U; 20]).collect::<Vec<_>>();
        let views = Views { plain: with(T), strict: with(U), firm: with(U) };
        assert_eq!(rules_of(&conditions).could_change(&views, &[false; 21]), [0]);
    }
}
