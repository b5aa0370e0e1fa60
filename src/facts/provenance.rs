//! Where a fact comes from: where it stands, what proves it, and when it was so.
//!
//! Why together: an object that was put together from other facts must not look surer or younger than they are.
//! A count of lines stays a count of lines, and what a list without its command shows stays "as listed".
//!
//! Invariants: of several sources the weakest gives the basis; where one of them has no order that compares with
//! the others', the whole has none; nothing here is ever made surer.

use crate::coverage::Basis;
use crate::log::LogHit;
use crate::order::Order;
use crate::origin::{Citation, MemberId};
use crate::store::Facts;
use jiff::Timestamp;
use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};

/// Citations that one field keeps at most.
const MAX_CITATIONS: usize = 100;

/// One place with what it proves.
#[derive(Debug, Clone, PartialEq)]
pub struct Cited {
    /// Where it stands.
    pub citation: Citation,
    /// What it proves.
    pub basis: Basis,
    /// When it was so, as far as that is known.
    pub order: Option<Order>,
}

impl Cited {
    /// A line of a log, and its time if that is known.
    pub fn line(hit: &LogHit, time: Option<Timestamp>) -> Self {
        let citation = Citation::of(hit.member, hit.line, &hit.text);
        Self { citation, basis: Basis::Lines, order: time.map(Order::at) }
    }

    /// A place of which no order is known.
    pub fn new(citation: Citation, basis: Basis) -> Self {
        Self { citation, basis, order: None }
    }
}

/// What one field rests on.
#[derive(Debug, Clone, PartialEq)]
pub struct Provenance {
    /// The weakest of what it rests on.
    pub basis: Basis,
    /// The latest of what it rests on, if all of it has an order.
    pub order: Option<Order>,
    /// Where it stands, each place once; empty where the object is all that there is to cite.
    pub citations: Vec<Citation>,
}

impl Provenance {
    /// What is known by a basis alone, with no place of its own to cite.
    pub fn bare(basis: Basis) -> Self {
        Self { basis, order: None, citations: Vec::new() }
    }

    /// All of several places; `None` if there are none.
    pub fn all(places: impl IntoIterator<Item = Cited>) -> Option<Self> {
        let mut places = places.into_iter();
        let mut whole = Self::from(places.next()?);
        for place in places {
            whole.add(place.basis, place.order, [place.citation]);
        }
        Some(whole)
    }

    /// All of several places, or something else that is known where there are none.
    pub fn all_or(places: impl IntoIterator<Item = Cited>, otherwise: impl Into<Self>) -> Self {
        Self::all(places).unwrap_or_else(|| otherwise.into())
    }

    /// This and more that it takes to know it.
    #[must_use]
    pub fn and(mut self, more: impl Into<Self>) -> Self {
        let more = more.into();
        self.add(more.basis, more.order, more.citations);
        self
    }

    /// The same as far as it can be sure, without the places.
    #[must_use]
    pub fn without_places(&self) -> Self {
        Self { citations: Vec::new(), ..self.clone() }
    }

    fn add(&mut self, basis: Basis, order: Option<Order>, citations: impl IntoIterator<Item = Citation>) {
        self.basis = self.basis.min(basis);
        self.order = match (self.order.take(), order) {
            (Some(mine), Some(theirs)) => match mine.compare(&theirs) {
                Some(Ordering::Less) => Some(theirs),
                Some(_) => Some(mine),
                None => None,
            },
            _ => None,
        };
        for citation in citations {
            if self.citations.len() < MAX_CITATIONS && !self.citations.contains(&citation) {
                self.citations.push(citation);
            }
        }
    }
}

impl From<Cited> for Provenance {
    fn from(cited: Cited) -> Self {
        Self { basis: cited.basis, order: cited.order, citations: vec![cited.citation] }
    }
}

impl From<&Cited> for Provenance {
    fn from(cited: &Cited) -> Self {
        cited.clone().into()
    }
}

impl From<&Provenance> for Provenance {
    fn from(provenance: &Provenance) -> Self {
        provenance.clone()
    }
}

/// What the places of a bundle prove: the basis of the answer in which each stands.
#[derive(Debug, Default)]
pub struct Bases {
    /// Where the answers of a member begin.
    answers: BTreeMap<MemberId, Vec<(u32, Basis)>>,
    /// The members that hold lines of logs.
    logs: BTreeSet<MemberId>,
    /// Where objects stand that may be gone.
    disputed: BTreeSet<(MemberId, u32)>,
}

impl Bases {
    /// By the answers that were collected.
    pub fn of(facts: &Facts) -> Self {
        let mut all: BTreeMap<MemberId, Vec<(u32, Basis)>> = BTreeMap::new();
        for coverage in &facts.coverage {
            let (citation, basis) = (&coverage.answer.citation, coverage.answer.basis);
            all.entry(citation.member).or_default().push((citation.line, basis));
        }
        for answers in all.values_mut() {
            answers.sort_unstable();
            answers.dedup();
        }
        let logs = facts.streams.iter().flat_map(|stream| stream.parts.iter().map(|(member, _)| *member)).collect();
        let disputed = facts.objects.iter().filter(|object| object.presence.is_disputed());
        let records = disputed.flat_map(|object| object.sightings.iter().map(|sighting| &sighting.record));
        let disputed = records.map(|record| (record.member, record.line)).collect();
        Self { answers: all, logs, disputed }
    }

    /// Of what an object says that begins at a place: of the last answer that begins at this line or before it.
    /// Outside any answer an object shows itself alone.
    pub fn at(&self, member: MemberId, line: u32) -> Basis {
        if self.disputed.contains(&(member, line)) {
            return Basis::Disputed;
        }
        self.answer_at(member, line).unwrap_or(Basis::Named)
    }

    /// The line where the answer begins in which a place stands, if it stands in one.
    pub fn begin(&self, member: MemberId, line: u32) -> Option<u32> {
        Some(self.until(member, line)?.last()?.0)
    }

    /// The answers of a member that begin at a line or before it.
    fn until(&self, member: MemberId, line: u32) -> Option<&[(u32, Basis)]> {
        let all = self.answers.get(&member)?;
        all.get(..all.partition_point(|(begins, _)| *begins <= line))
    }

    fn answer_at(&self, member: MemberId, line: u32) -> Option<Basis> {
        let before = self.until(member, line)?;
        // Of several answers on one line, the weakest; they are sorted.
        let last = before.last()?.0;
        before.get(before.partition_point(|(begins, _)| *begins < last)).map(|(_, basis)| *basis)
    }

    /// A place of which it is not known whether an object or a line of a log stands there.
    pub fn cited(&self, citation: Citation) -> Cited {
        let otherwise = if self.logs.contains(&citation.member) { Basis::Lines } else { Basis::Named };
        let basis = self.answer_at(citation.member, citation.line).unwrap_or(otherwise);
        Cited::new(citation, basis)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cited(line: u32, basis: Basis, order: Option<Order>) -> Cited {
        Cited { citation: Citation::line(MemberId(0), line, "x"), basis, order }
    }

    #[test]
    fn the_weakest_gives_the_basis() {
        let both = [cited(1, Basis::Stated, None), cited(2, Basis::Lines, None), cited(1, Basis::Stated, None)];
        let whole = Provenance::all(both).unwrap();
        assert_eq!((whole.basis, whole.citations.len()), (Basis::Lines, 2));
        assert_eq!(Provenance::bare(Basis::Listed).and(cited(1, Basis::Named, None)).basis, Basis::Named);
        assert!(Provenance::all([]).is_none());
    }

    #[test]
    fn the_latest_gives_the_order_if_all_have_one() {
        let version = |number| Some(Order { resource_version: Some(number), ..Order::default() });
        let whole = |orders: [Option<Order>; 2]| {
            Provenance::all(orders.map(|order| cited(1, Basis::Stated, order))).and_then(|whole| whole.order)
        };
        assert_eq!(whole([version(7), version(9)]), version(9));
        assert_eq!(whole([version(9), version(7)]), version(9));
        assert_eq!(whole([version(7), None]), None);
        let position = Some(Order { transcript: Some((MemberId(1), 3)), ..Order::default() });
        assert_eq!(whole([version(7), position]), None);
    }

    #[test]
    fn a_place_has_the_basis_of_its_answer() {
        let answers = [(MemberId(1), vec![(1, Basis::Listed), (40, Basis::Stated)])].into();
        let bases = Bases { answers, logs: [MemberId(3)].into(), disputed: [(MemberId(4), 7)].into() };
        assert_eq!([6, 7].map(|line| bases.at(MemberId(4), line)), [Basis::Named, Basis::Disputed]);
        assert_eq!([0, 1, 39, 40, 99].map(|line| bases.at(MemberId(1), line)), {
            use Basis::{Listed, Named, Stated};
            [Named, Listed, Listed, Stated, Stated]
        });
        assert_eq!(bases.at(MemberId(2), 1), Basis::Named);
        assert_eq!(bases.cited(Citation::line(MemberId(3), 1, "x")).basis, Basis::Lines);
    }
}
