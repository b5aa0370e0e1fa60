//! The values of an object that each name another: which of those do not exist.
//!
//! Why one by one: an object names many others, and one that is missing is a fault even where the others are there; a
//! query over all names at once cannot tell them apart.
//!
//! Invariants: a value is missing only if the query for what it names finds nothing and its scope was looked at whole;
//! that nothing is missing is known only if every value is known and was found.

use crate::answer::Answered;
use crate::binding::Row;
use crate::entity::Subject;
use crate::gap::{Gap, PathOf, Why};
use crate::logic::Truth;
use facts::coverage::Basis;
use facts::masked_text;
use facts::node::Node;
use facts::object::{Lookup, ObjectId};
use facts::origin::Citation;
use facts::spot::Spot;
use facts::store::Facts;
use signature::model::{EACH, Each};
use std::collections::BTreeMap;

/// What is known of the objects that one object names.
pub(crate) struct Missing {
    /// Is one of them missing?
    pub truth: Truth,
    /// The same, where only a stated answer counts as looked at whole.
    pub strict: Truth,
    /// Where the missing ones are named and where they were searched; of none, where the values stand.
    pub citations: Vec<Citation>,
    /// A row for each missing one.
    pub rows: Vec<Row>,
    /// Why it is unknown, if it is.
    pub gap: Option<Gap>,
    /// A list without its command says so.
    pub weakest: Basis,
}

/// Asks for each value whether what it names exists. `find` answers the query for one value.
pub(crate) fn missing(
    facts: &Facts,
    each: &Each,
    subject: &Subject,
    row: &Row,
    id: ObjectId,
    find: impl Fn(&Row) -> Answered,
) -> Missing {
    let (values, open) = values(facts, each, subject, id);
    let undecided = if open.is_some() { Truth::Unknown } else { Truth::False };
    let mut found = Missing {
        truth: undecided,
        strict: undecided,
        citations: Vec::new(),
        rows: Vec::new(),
        gap: open,
        weakest: Basis::Stated,
    };
    for (value, named) in &values {
        let mut asked = row.clone();
        asked.insert(EACH.to_owned(), value.clone());
        let answered = find(&asked);
        found.strict = found.strict.or(answered.strict.negate());
        found.truth = found.truth.or(answered.truth.negate());
        match answered.truth {
            Truth::True => {}
            Truth::Unknown => found.gap = found.gap.or_else(|| answered.gaps.into_iter().next()),
            Truth::False => {
                found.weakest = found.weakest.min(answered.weakest);
                found.citations.extend(named.iter().cloned().chain(answered.citations));
                found.rows.push(Row::from([(each.missing.clone(), value.clone())]));
            }
        }
    }
    if found.truth != Truth::Unknown {
        found.gap = None;
    }
    if found.truth == Truth::False {
        found.citations = values.into_values().flatten().collect();
    }
    found
}

/// The values with where they stand, and why there may be others.
fn values(
    facts: &Facts,
    each: &Each,
    subject: &Subject,
    id: ObjectId,
) -> (BTreeMap<String, Vec<Citation>>, Option<Gap>) {
    let kind = &facts.object(id).kind;
    let wanted = |why: Why| Gap::new(why).wanting(subject.context, kind);
    let mut values: BTreeMap<String, Vec<Citation>> = BTreeMap::new();
    let mut open = None;
    let mut add = |all: Vec<(&Node, Spot<'_>)>| {
        for (node, spot) in all {
            if let Some(text) = node.value.scalar().filter(|text| !text.is_empty()) {
                values.entry(text).or_default().push(spot.cite());
            }
        }
    };
    for path in &each.paths {
        let masked = |node: &Node| {
            let text = node.value.scalar();
            node.value.is_redacted() || text.is_some_and(|text| masked_text::masked(&text).is_some())
        };
        match facts.lookup(id, path) {
            Lookup::Found(all) if all.iter().any(|(node, _)| masked(node)) => {
                open = open.or_else(|| Some(Gap::new(Why::Masked(Some(PathOf::of(facts, id, path))))));
            }
            Lookup::Found(all) => add(all),
            Lookup::AtLeast(all) => {
                add(all);
                open = open.or_else(|| Some(wanted(Why::SomeItems(Some(PathOf::of(facts, id, path))))));
            }
            Lookup::NotSet(_) | Lookup::NotSetOrEmpty(_) => {}
            Lookup::Redacted(_) => {
                open = open.or_else(|| Some(Gap::new(Why::Masked(Some(PathOf::of(facts, id, path))))));
            }
            Lookup::Unknown(unknown) => {
                open = open.or_else(|| Some(wanted(Why::LookUp(unknown))));
            }
        }
    }
    (values, open)
}
