//! How many secrets were masked, by what they are: a report tells it to whoever audits the mask.
//!
//! Invariants: the total is the sum of the kinds; counts do not depend on the order in which members are read.

use super::Kind;
use std::iter::Sum;
use std::ops::{Add, AddAssign};

/// The kinds, in the order of [`Kind`].
const KINDS: [Kind; 11] = [
    Kind::Password,
    Kind::Token,
    Kind::Key,
    Kind::Secret,
    Kind::Url,
    Kind::Header,
    Kind::Hash,
    Kind::Signature,
    Kind::Webhook,
    Kind::Document,
    Kind::Drawn,
];

/// Secrets by what they are.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counts([u64; KINDS.len()]);

impl Counts {
    /// None.
    pub const NONE: Self = Self([0; KINDS.len()]);

    /// One of a kind.
    pub fn one(kind: Kind) -> Self {
        Self(KINDS.map(|other| u64::from(other == kind)))
    }

    /// All of them.
    pub fn total(&self) -> u64 {
        self.0.iter().sum()
    }

    /// Are there any?
    pub fn is_none(&self) -> bool {
        *self == Self::NONE
    }

    /// The kinds of which there are some.
    pub fn by_kind(&self) -> impl Iterator<Item = (Kind, u64)> {
        KINDS.into_iter().zip(self.0).filter(|(_, count)| *count > 0)
    }
}

impl Add for Counts {
    type Output = Self;

    fn add(mut self, other: Self) -> Self {
        self += other;
        self
    }
}

impl AddAssign for Counts {
    fn add_assign(&mut self, other: Self) {
        for (count, more) in self.0.iter_mut().zip(other.0) {
            *count = count.saturating_add(more);
        }
    }
}

impl Sum for Counts {
    fn sum<I: Iterator<Item = Self>>(counts: I) -> Self {
        counts.fold(Self::NONE, Self::add)
    }
}

impl Kind {
    /// Its name in a report.
    pub fn name(self) -> &'static str {
        match self {
            Self::Password => "password",
            Self::Token => "token",
            Self::Key => "key",
            Self::Secret => "secret",
            Self::Url => "url",
            Self::Header => "header",
            Self::Hash => "hash",
            Self::Signature => "signature",
            Self::Webhook => "webhook",
            Self::Document => "document",
            Self::Drawn => "random",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::mask_counted;
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn each_kind_is_counted_under_its_own_name() {
        let all: Counts = KINDS.into_iter().map(Counts::one).sum();
        let names: BTreeSet<&str> = all.by_kind().map(|(kind, _)| kind.name()).collect();
        assert_eq!((names.len(), all.total()), (KINDS.len(), KINDS.len() as u64));
        assert!(Counts::NONE.is_none() && !all.is_none());
    }

    #[test]
    fn what_was_masked_is_told_by_what_it_is() {
        let text =
            "password=hunter2 of postgres://app:Zq7vTr4k@db:5432/x with ghp_0123456789abcdefghijABCDEFGHIJ012345";
        let (masked, counts) = mask_counted(text);
        assert!(!masked.contains("hunter2") && !masked.contains("Zq7v") && !masked.contains("ghp_"), "{masked}");
        let told: Vec<_> = counts.by_kind().map(|(kind, count)| (kind.name(), count)).collect();
        assert_eq!(told, [("password", 1), ("token", 1), ("url", 1)]);
        assert_eq!(mask_counted(&masked).1, Counts::NONE, "what is masked is no secret any more");
    }
}
