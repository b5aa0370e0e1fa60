//! The names that pieces of evidence capture, and who needs them.

use crate::model::{Capture, ContextSelector, EACH, Evidence, Operand, Other, Query, Test};
use std::collections::BTreeSet;

/// The captured names that a piece of evidence needs from others, and who captures them first.
pub fn needs(evidence: &[Evidence], index: usize) -> (BTreeSet<String>, BTreeSet<usize>) {
    let Some(own) = evidence.get(index) else { return Default::default() };
    let mut operands: Vec<&Operand> = Vec::new();
    let context = match &own.query {
        Query::Object(query) => {
            operands.extend(query.joins.iter().map(|join| &join.is));
            operands.extend(query.differs.iter().flat_map(|(left, right)| [left, right]));
            let asked = || std::iter::once(query).chain(query.each.iter().map(|each| &*each.exists));
            operands.extend(asked().skip(1).flat_map(|query| &query.joins).map(|join| &join.is));
            operands.extend(asked().flat_map(|query| &query.tied).filter_map(|predicate| match &predicate.test {
                Test::Against(_, Other::Variable(operand)) => Some(operand),
                _ => None,
            }));
            &query.context
        }
        Query::Log(query) => {
            operands.extend(query.attribute.iter().map(|attribute| &attribute.is));
            &query.context
        }
    };
    if let ContextSelector::WorkloadOf(operand) = context {
        operands.push(operand);
    }
    let mine = captured_names(own);
    let mut names = BTreeSet::new();
    let mut definers = BTreeSet::new();
    for operand in operands {
        let Operand::Captured(name) = operand else { continue };
        if mine.contains(name) || name == EACH {
            continue;
        }
        names.insert(name.clone());
        definers.extend(evidence.iter().take(index).position(|other| captured_names(other).contains(name)));
    }
    (names, definers)
}

/// The evidence whose captures a piece of evidence needs.
pub fn definers(evidence: &[Evidence], index: usize) -> BTreeSet<usize> {
    needs(evidence, index).1
}

/// The names that a piece of evidence captures.
pub fn captured_names(evidence: &Evidence) -> BTreeSet<String> {
    let captures: &[Capture] = match &evidence.query {
        Query::Object(query) => &query.captures,
        Query::Log(query) => &query.captures,
    };
    let groups = captures.iter().flat_map(|c| &c.variants).flat_map(|v| v.regex.names().iter().cloned());
    let missing = match &evidence.query {
        Query::Object(query) => query.each.as_ref().map(|each| each.missing.clone()),
        Query::Log(_) => None,
    };
    captures.iter().filter_map(|c| c.name.clone()).chain(groups).chain(missing).collect()
}
