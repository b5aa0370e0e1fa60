//! Which findings a report will list, known before their texts are written.
//!
//! Why: of twenty thousand findings a report lists some hundreds ([`crate::bounds`]), and only those need texts.
//!
//! Invariant: whatever [`crate::together`] and [`crate::bounds`] leave of a diagnosis, with or without the former, is
//! among what is given here.

use crate::model::Finding;
use crate::{bounds, together};
use signature::model::VerdictWord;
use std::collections::{BTreeMap, BTreeSet};

/// The findings that are listed, each for itself or in the list of another one, by their places; `contexts` are the
/// names of all clusters. The findings are in the order of the report, with owners and causes.
pub fn listed(findings: &[Finding], contexts: &[&str]) -> BTreeSet<usize> {
    let every: Vec<usize> = (0..findings.len()).collect();
    let mut listed: BTreeSet<usize> = kept(findings, &every).collect();
    let first_of = together::representatives(findings, contexts);
    let standing = together::order(findings, &first_of);
    let mut alike: BTreeMap<usize, Vec<usize>> =
        kept(findings, &standing).map(|standing| (standing, Vec::new())).collect();
    for (at, first) in first_of.iter().enumerate().filter(|(at, first)| at != *first) {
        if let Some(others) = alike.get_mut(first) {
            others.push(at);
        }
    }
    let most = bounds::most_alike(alike.values().map(Vec::len));
    for (standing, others) in alike {
        listed.insert(standing);
        listed.extend(others.into_iter().take(most));
    }
    listed
}

/// Of findings in an order those that are listed.
fn kept<'a>(findings: &[Finding], order: &'a [usize]) -> impl Iterator<Item = usize> + 'a {
    let row = |at: &usize| findings.get(*at).map(|finding| (finding.signature.id.as_str(), finding.verdict));
    let rows: Vec<(&str, VerdictWord)> = order.iter().filter_map(row).collect();
    let kept = bounds::kept(&rows);
    order.iter().zip(kept).filter(|(_, kept)| *kept).map(|(at, _)| *at)
}
