//! The evidence of one finding for the page: what proves it is open, the rest is one click or one line.
//!
//! Invariant: what stands at a place is quoted once in a finding; a second claim about it names the place alone.

use crate::sorted;
use crate::view::card::{CITATIONS, Place, place};
use diagnosis::model::{EvidenceRow, Finding};
use diagnosis::words;
use serde::Serialize;
use signature::evidence_state::EvidenceState;
use std::collections::BTreeSet;

/// Values shown of one piece of evidence.
const VALUES: usize = 8;

/// The evidence of one finding.
#[derive(Debug, Serialize)]
pub struct Evidence {
    /// What the verdict rests on.
    pub proof: Vec<Row>,
    /// What also speaks for it.
    pub more: Vec<Row>,
    /// What was looked at and is not the case.
    pub not_so: Vec<Row>,
    /// What nobody knows, by what is missing.
    pub not_known: Vec<NotKnown>,
}

/// One piece of evidence.
#[derive(Debug, Serialize)]
pub struct Row {
    /// State's word.
    pub state: &'static str,
    /// The same as a part of the name of a class.
    pub key: &'static str,
    pub claim: String,
    /// Why.
    pub reason: String,
    /// Values as `path = value`.
    pub shown: Vec<String>,
    /// Values beyond those shown.
    pub more_shown: usize,
    /// The place to look at first.
    pub first: Option<Place>,
    /// More places, folded.
    pub places: Vec<Place>,
    /// How many places are folded, listed or not.
    pub folded: u64,
    /// Places beyond those listed; empty if none.
    pub more: String,
}

/// Claims that nobody knows of for one reason.
#[derive(Debug, Serialize)]
pub struct NotKnown {
    /// What is missing.
    pub reason: String,
    pub claims: Vec<String>,
    /// The first places that stand beside them.
    pub places: Vec<String>,
}

/// The evidence of a finding.
pub fn evidence(finding: &Finding) -> Evidence {
    let sorted = sorted::sorted(finding);
    let mut quoted = BTreeSet::new();
    let mut rows = |rows: Vec<&EvidenceRow>| rows.into_iter().map(|row| quote(row, &mut quoted)).collect::<Vec<_>>();
    let (proof, more) = (rows(sorted.proof), rows(sorted.more));
    let bare = |row: &&EvidenceRow| {
        let mut row = self::row(row);
        row.first.iter_mut().chain(&mut row.places).for_each(Place::unquote);
        row
    };
    Evidence { proof, more, not_so: sorted.not_so.iter().map(bare).collect(), not_known: not_known(&sorted.not_known) }
}

/// A piece of evidence with what stands at its places, where that was not quoted before.
fn quote(evidence: &EvidenceRow, quoted: &mut BTreeSet<(String, String)>) -> Row {
    let mut row = row(evidence);
    for place in row.first.iter_mut().chain(&mut row.places) {
        if !quoted.insert((place.place.clone(), place.excerpt.clone())) {
            place.unquote();
        }
    }
    row
}

fn row(row: &EvidenceRow) -> Row {
    let mut places: Vec<Place> = row.citations.iter().take(CITATIONS).map(place).collect();
    let beyond = row.citations.len().saturating_sub(CITATIONS) as u64 + row.more;
    let first = (!places.is_empty()).then(|| places.remove(0));
    let shown: Vec<String> = row.shown.iter().flatten().map(|(path, value)| format!("{path} = {value}")).collect();
    Row {
        state: words::evidence(row.state),
        key: match row.state {
            EvidenceState::Supports => "supported",
            EvidenceState::Contradicts => "contradicted",
            EvidenceState::Unknown => "unknown",
        },
        claim: row.claim.clone(),
        reason: words::reason(row).to_owned(),
        more_shown: shown.len().saturating_sub(VALUES),
        shown: shown.into_iter().take(VALUES).collect(),
        first,
        folded: places.len() as u64 + beyond,
        places,
        more: match beyond {
            0 => String::new(),
            beyond => format!("and {}", words::count(beyond, "more place", "more places")),
        },
    }
}

/// Claims that nobody knows of, by what is missing, in the order of the first one.
fn not_known(rows: &[&EvidenceRow]) -> Vec<NotKnown> {
    let mut groups: Vec<NotKnown> = Vec::new();
    for row in rows {
        let places = row.citations.iter().take(CITATIONS).map(words::place_short);
        let group = match groups.iter().position(|group| group.reason == row.reason) {
            Some(index) => groups.get_mut(index),
            None => {
                groups.push(NotKnown { reason: row.reason.clone(), claims: Vec::new(), places: Vec::new() });
                groups.last_mut()
            }
        };
        let Some(group) = group else { continue };
        group.claims.push(row.claim.clone());
        for place in places {
            if !group.places.contains(&place) {
                group.places.push(place);
            }
        }
    }
    groups
}
