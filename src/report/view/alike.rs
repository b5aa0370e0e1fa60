//! The entities that a finding stands for beside its own, as a table of the page.

use crate::view::card::{Place, place};
use diagnosis::model::{Alike, Finding, Proof};
use diagnosis::{together, words};
use serde::Serialize;

/// Rows that are open from the start.
const OPEN: usize = 10;

/// The other entities of a finding.
#[derive(Debug, Serialize)]
pub struct AlikeView {
    /// `3 Machines of MachineDeployment md-0`
    pub title: String,
    /// How to read the finding for them.
    pub note: String,
    /// The first of them.
    pub rows: Vec<AlikeRow>,
    /// Further ones, folded.
    pub folded: Vec<AlikeRow>,
    /// Those beyond the list; empty if there are none.
    pub more: String,
}

/// Another entity.
#[derive(Debug, Serialize)]
pub struct AlikeRow {
    /// Its anchor: a link to it leads to its row.
    pub anchor: String,
    /// `namespace/name`
    pub entity: String,
    /// Its own headline, where it says more than that of the finding; else empty.
    pub headline: String,
    /// The first place that its verdict rests on; empty if there is none.
    pub place: String,
    /// What its verdict rests on.
    pub proofs: Vec<AlikeProof>,
}

/// One claim about another entity.
#[derive(Debug, Serialize)]
pub struct AlikeProof {
    pub state: &'static str,
    pub claim: String,
    /// Where it stands.
    pub places: Vec<Place>,
}

/// The table of a finding that stands for several entities.
pub fn alike(finding: &Finding) -> AlikeView {
    let once = together::says_once(finding);
    let mut rows: Vec<AlikeRow> = finding.alike.iter().map(|other| row(other, once)).collect();
    let folded = rows.split_off(OPEN.min(rows.len()));
    let more = match finding.more_alike {
        0 => String::new(),
        more => format!("and {} more, which are not listed", words::thousands(more)),
    };
    AlikeView { title: words::of_whom(finding), note: words::stands_for(finding), rows, folded, more }
}

fn row(other: &Alike, once: bool) -> AlikeRow {
    let first = other.proofs.iter().flat_map(|proof| &proof.citations).next();
    AlikeRow {
        anchor: other.anchor.clone(),
        entity: words::entity(&other.entity),
        headline: if once { String::new() } else { other.headline.clone() },
        place: first.map(words::place_short).unwrap_or_default(),
        proofs: other.proofs.iter().map(proof).collect(),
    }
}

fn proof(proof: &Proof) -> AlikeProof {
    AlikeProof {
        state: words::evidence(proof.state),
        claim: proof.claim.clone(),
        places: proof.citations.iter().map(place).collect(),
    }
}
