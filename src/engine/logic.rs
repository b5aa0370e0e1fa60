//! Three-valued logic: what is known to hold, known not to hold, or not known.
//!
//! Why Kleene's strong logic and not "unknown is false": evidence that was not collected must neither
//! confirm nor exclude anything. A connective is unknown exactly when the missing part could decide it.
//!
//! Invariants: `and`, `or`, `not` and `at least` are monotone in information: learning more about an
//! operand never turns a known result into another known result (property tests below).

use signature::model::Condition;

/// Known to hold, known not to hold, or not known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Truth {
    /// It holds.
    True,
    /// It does not hold.
    False,
    /// It cannot be told.
    Unknown,
}

impl Truth {
    /// `true` and `false` as known truths.
    pub fn known(value: bool) -> Self {
        if value { Truth::True } else { Truth::False }
    }

    /// True, false, or unknown where there is no answer.
    pub fn of(value: Option<bool>) -> Self {
        value.map_or(Truth::Unknown, Self::known)
    }

    /// Holds exactly when `self` does not; unknown stays unknown.
    #[must_use]
    pub(crate) fn negate(self) -> Self {
        match self {
            Truth::True => Truth::False,
            Truth::False => Truth::True,
            Truth::Unknown => Truth::Unknown,
        }
    }

    /// Both hold.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        match (self, other) {
            (Truth::False, _) | (_, Truth::False) => Truth::False,
            (Truth::True, Truth::True) => Truth::True,
            _ => Truth::Unknown,
        }
    }

    /// One of them holds.
    #[must_use]
    pub fn or(self, other: Self) -> Self {
        self.negate().and(other.negate()).negate()
    }

    /// All hold; true of none.
    pub fn all(truths: impl IntoIterator<Item = Self>) -> Self {
        truths.into_iter().fold(Truth::True, Truth::and)
    }

    /// One of them holds; false of none.
    pub fn any(truths: impl IntoIterator<Item = Self>) -> Self {
        truths.into_iter().fold(Truth::False, Truth::or)
    }

    /// What all of them say, if they all say the same; unknown if they differ or there are none.
    pub fn agreed(truths: impl IntoIterator<Item = Self>) -> Self {
        let mut truths = truths.into_iter();
        let Some(first) = truths.next() else { return Truth::Unknown };
        if truths.all(|truth| truth == first) { first } else { Truth::Unknown }
    }
}

/// The truth of a condition, given the truth of each piece of evidence by its index. An index without a
/// value is unknown.
pub fn evaluate(condition: &Condition, evidence: &[Truth]) -> Truth {
    evaluate_by(condition, &|index| evidence.get(index).copied())
}

/// The same of answers that do not stand in a row. A result that is known stays whatever else becomes known.
pub(crate) fn evaluate_by(condition: &Condition, asked: &impl Fn(usize) -> Option<Truth>) -> Truth {
    match condition {
        Condition::Evidence(index) => asked(*index).unwrap_or(Truth::Unknown),
        Condition::Not(inner) => evaluate_by(inner, asked).negate(),
        Condition::And(parts) => Truth::all(parts.iter().map(|part| evaluate_by(part, asked))),
        Condition::Or(parts) => Truth::any(parts.iter().map(|part| evaluate_by(part, asked))),
        Condition::AtLeast(wanted, parts) => {
            let (mut holds, mut may_hold) = (0, 0);
            for part in parts {
                match evaluate_by(part, asked) {
                    Truth::True => holds += 1,
                    Truth::Unknown => may_hold += 1,
                    Truth::False => {}
                }
            }
            if holds >= *wanted {
                Truth::True
            } else if holds + may_hold < *wanted {
                Truth::False
            } else {
                Truth::Unknown
            }
        }
    }
}

/// What may still come out of a condition of which not every part was asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Possible {
    /// It may hold in the end.
    pub can_hold: bool,
    /// It may fail in the end.
    pub can_fail: bool,
}

/// What may still come out of a condition, given the answers there are so far by the index of their evidence: what was
/// not asked may say anything, and an unknown answer stays one. Both bounds are too wide rather than too narrow where one
/// piece of evidence stands in a condition twice.
pub(crate) fn possible(condition: &Condition, asked: &impl Fn(usize) -> Option<Truth>) -> Possible {
    let all = |parts: &[Condition]| parts.iter().map(|part| possible(part, asked)).collect::<Vec<_>>();
    match condition {
        Condition::Evidence(index) => {
            let answer = asked(*index);
            let may_be = |truth| answer.is_none_or(|answer| answer == truth);
            Possible { can_hold: may_be(Truth::True), can_fail: may_be(Truth::False) }
        }
        Condition::Not(inner) => {
            let Possible { can_hold, can_fail } = possible(inner, asked);
            Possible { can_hold: can_fail, can_fail: can_hold }
        }
        Condition::And(parts) => {
            let parts = all(parts);
            Possible {
                can_hold: parts.iter().all(|part| part.can_hold),
                can_fail: parts.iter().any(|part| part.can_fail),
            }
        }
        Condition::Or(parts) => {
            let parts = all(parts);
            Possible {
                can_hold: parts.iter().any(|part| part.can_hold),
                can_fail: parts.iter().all(|part| part.can_fail),
            }
        }
        Condition::AtLeast(wanted, parts) => {
            let parts = all(parts);
            let count = |may: fn(&Possible) -> bool| parts.iter().filter(|part| may(part)).count();
            Possible {
                can_hold: count(|part| part.can_hold) >= *wanted,
                can_fail: parts.len() - count(|part| part.can_fail) < *wanted,
            }
        }
    }
}

/// The pieces of evidence that a known result rests on, each with the truth it has there: of a conjunction
/// that holds all parts, of one that fails the parts that fail, and so on. Sorted, without duplicates;
/// empty for an unknown result.
pub(crate) fn grounds(condition: &Condition, evidence: &[Truth]) -> Vec<(usize, Truth)> {
    let mut found = Vec::new();
    collect_grounds(condition, evidence, &mut found);
    found.sort();
    found.dedup();
    found
}

fn collect_grounds(condition: &Condition, evidence: &[Truth], found: &mut Vec<(usize, Truth)>) {
    let result = evaluate(condition, evidence);
    if result == Truth::Unknown {
        return;
    }
    match condition {
        Condition::Evidence(index) => found.push((*index, result)),
        Condition::Not(inner) => collect_grounds(inner, evidence, found),
        Condition::And(parts) | Condition::Or(parts) | Condition::AtLeast(_, parts) => {
            for part in parts.iter().filter(|part| evaluate(part, evidence) == result) {
                collect_grounds(part, evidence, found);
            }
        }
    }
}

/// The pieces of evidence that an unknown result waits for: those that are unknown inside the parts that
/// are unknown. Sorted, without duplicates; empty for a known result.
pub fn missing(condition: &Condition, evidence: &[Truth]) -> Vec<usize> {
    let mut found = Vec::new();
    collect_missing(condition, evidence, &mut found);
    found.sort_unstable();
    found.dedup();
    found
}

/// Does the condition name this piece of evidence?
pub(crate) fn names(condition: &Condition, index: usize) -> bool {
    match condition {
        Condition::Evidence(own) => *own == index,
        Condition::Not(inner) => names(inner, index),
        Condition::And(parts) | Condition::Or(parts) | Condition::AtLeast(_, parts) => {
            parts.iter().any(|part| names(part, index))
        }
    }
}

fn collect_missing(condition: &Condition, evidence: &[Truth], found: &mut Vec<usize>) {
    if evaluate(condition, evidence) != Truth::Unknown {
        return;
    }
    match condition {
        Condition::Evidence(index) => found.push(*index),
        Condition::Not(inner) => collect_missing(inner, evidence, found),
        Condition::And(parts) | Condition::Or(parts) | Condition::AtLeast(_, parts) => {
            for part in parts {
                collect_missing(part, evidence, found);
            }
        }
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use proptest::prelude::*;

    const ALL: [Truth; 3] = [Truth::True, Truth::False, Truth::Unknown];

    /// `less` carries no more information than `more`.
    fn below(less: Truth, more: Truth) -> bool {
        less == Truth::Unknown || less == more
    }

    #[test]
    fn the_connectives_follow_kleenes_tables() {
        for a in ALL {
            assert_eq!(a.negate().negate(), a);
            assert_eq!(a.and(Truth::True), a);
            assert_eq!(a.or(Truth::False), a);
            assert_eq!(a.and(Truth::False), Truth::False);
            assert_eq!(a.or(Truth::True), Truth::True);
            for b in ALL {
                assert_eq!(a.and(b).negate(), a.negate().or(b.negate()), "de Morgan for {a:?} {b:?}");
                assert_eq!(a.and(b), b.and(a));
                assert_eq!(a.or(b), b.or(a));
                for c in ALL {
                    assert_eq!(a.and(b.or(c)), a.and(b).or(a.and(c)));
                    assert_eq!(a.and(b.and(c)), a.and(b).and(c));
                }
            }
        }
        assert_eq!(Truth::Unknown.and(Truth::Unknown.negate()), Truth::Unknown, "no excluded middle");
    }

    #[test]
    fn at_least_counts_unknown_as_possible() {
        let two_of = Condition::AtLeast(2, (0..3).map(Condition::Evidence).collect());
        let eval = |truths: [Truth; 3]| evaluate(&two_of, &truths);
        assert_eq!(eval([Truth::True, Truth::True, Truth::Unknown]), Truth::True);
        assert_eq!(eval([Truth::True, Truth::False, Truth::Unknown]), Truth::Unknown);
        assert_eq!(eval([Truth::False, Truth::False, Truth::Unknown]), Truth::False);
        assert_eq!(missing(&two_of, &[Truth::True, Truth::False, Truth::Unknown]), [2]);
        assert_eq!(grounds(&two_of, &[Truth::True, Truth::True, Truth::Unknown]), [(0, Truth::True), (1, Truth::True)]);
    }

    pub(crate) fn conditions() -> impl Strategy<Value = Condition> {
        let leaf = (0_usize..5).prop_map(Condition::Evidence);
        leaf.prop_recursive(4, 24, 4, |inner| {
            prop_oneof![
                inner.clone().prop_map(|c| Condition::Not(Box::new(c))),
                prop::collection::vec(inner.clone(), 1..4).prop_map(Condition::And),
                prop::collection::vec(inner.clone(), 1..4).prop_map(Condition::Or),
                (1_usize..4, prop::collection::vec(inner, 1..4)).prop_map(|(n, cs)| Condition::AtLeast(n, cs)),
            ]
        })
    }

    pub(crate) fn truths() -> impl Strategy<Value = Vec<Truth>> {
        prop::collection::vec(prop::sample::select(ALL.to_vec()), 5)
    }

    proptest! {
        #[test]
        fn learning_more_never_overturns_a_result(c in conditions(), more in truths(), hide in prop::collection::vec(any::<bool>(), 5)) {
            let less: Vec<Truth> =
                more.iter().zip(&hide).map(|(t, h)| if *h { Truth::Unknown } else { *t }).collect();
            prop_assert!(below(evaluate(&c, &less), evaluate(&c, &more)));
        }

        #[test]
        fn the_grounds_alone_give_the_result(c in conditions(), truths in truths()) {
            let result = evaluate(&c, &truths);
            let mut only = vec![Truth::Unknown; truths.len()];
            for (index, truth) in grounds(&c, &truths) {
                only[index] = truth;
            }
            prop_assert_eq!(evaluate(&c, &only), result);
            prop_assert_eq!(missing(&c, &truths).is_empty(), result != Truth::Unknown);
        }
    }
}
