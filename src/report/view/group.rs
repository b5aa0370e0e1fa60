//! Findings that stand, what is folded under each beneath it.

use crate::told::Told;
use crate::view::card::{Card, card};
use crate::view::is_open;
use crate::view::pictures::{self, Chain};
use diagnosis::folding;
use diagnosis::model::{Diagnosis, Finding};
use serde::Serialize;
use signature::model::VerdictWord;

/// A finding with those that are folded under it.
#[derive(Debug, Serialize)]
pub struct Group {
    /// The cause.
    pub card: Card,
    /// What follows from it or belongs to the same fault, directly or not.
    pub folded: Vec<Card>,
    /// `2 findings follow from it, 1 belongs to the same fault`.
    pub folded_words: String,
    /// The same as a picture, where something is folded.
    pub chain: Option<Chain>,
}

/// Findings that stand, consequences folded under their first cause.
pub fn groups(diagnosis: &Diagnosis) -> Vec<Group> {
    let findings = &diagnosis.findings;
    let root_of = |mut index: usize| {
        // Bounded, in case a diagnosis read from a file goes in circles.
        for _ in 0..findings.len() {
            match findings[index].caused_by {
                Some(cause) if cause < findings.len() && cause != index && stands(&findings[cause]) => index = cause,
                _ => break,
            }
        }
        index
    };
    let mut groups: Vec<(usize, Group)> = Vec::new();
    for (index, finding) in findings.iter().enumerate().filter(|(_, finding)| stands(finding)) {
        if root_of(index) == index {
            let open = groups.len() < 3 && is_open(finding);
            groups.push((index, group(card(diagnosis, finding, open))));
        }
    }
    for (index, finding) in findings.iter().enumerate().filter(|(_, finding)| stands(finding)) {
        let root = root_of(index);
        if root != index {
            match groups.iter_mut().find(|(at, _)| *at == root) {
                Some((_, group)) => group.folded.push(card(diagnosis, finding, false)),
                None => groups.push((index, group(card(diagnosis, finding, false)))),
            }
        }
    }
    let mut told = Told::default();
    for card in groups.iter_mut().flat_map(|(_, group)| std::iter::once(&mut group.card).chain(&mut group.folded)) {
        told.shorten(&mut card.f);
    }
    for (_, group) in &mut groups {
        let follows = |card: &&Card| folding::fold(diagnosis, &card.f).is_some_and(|fold| fold.follows_from_root);
        let follow = group.folded.iter().filter(follows).count();
        let belong = group.folded.len() - follow;
        group.chain = findings
            .iter()
            .find(|root| root.anchor == group.card.f.anchor)
            .and_then(|root| pictures::chain(diagnosis, root));
        group.folded_words = folding::count(follow as u64, belong as u64, "finding", "findings");
    }
    groups.into_iter().map(|(_, group)| group).collect()
}

/// A finding under which nothing is folded yet.
fn group(card: Card) -> Group {
    Group { card, folded: Vec::new(), folded_words: String::new(), chain: None }
}

/// Is it shown among the findings?
fn stands(finding: &Finding) -> bool {
    finding.verdict != VerdictWord::RuledOut
}
