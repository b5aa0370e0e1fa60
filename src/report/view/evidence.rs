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
    let own = finding.entity.kind.ends_with(".casefile.dev");
    let mut rows =
        |rows: Vec<&EvidenceRow>| rows.into_iter().map(|row| quote(row, own, &mut quoted)).collect::<Vec<_>>();
    let (proof, more) = (rows(sorted.proof), rows(sorted.more));
    let bare = |row: &&EvidenceRow| {
        let mut row = self::row(row, own);
        row.first.iter_mut().chain(&mut row.places).for_each(Place::unquote);
        row
    };
    Evidence {
        proof,
        more,
        not_so: sorted.not_so.iter().map(bare).collect(),
        not_known: not_known(&sorted.not_known, own),
    }
}

/// A piece of evidence with what stands at its places, where that was not quoted before.
fn quote(evidence: &EvidenceRow, own: bool, quoted: &mut BTreeSet<(String, String)>) -> Row {
    let mut row = row(evidence, own);
    for place in row.first.iter_mut().chain(&mut row.places) {
        if !quoted.insert((place.place.clone(), place.excerpt.clone())) {
            place.unquote();
        }
    }
    row
}

/// `own`: the values are those of an object that Casefile made, whose paths nobody else knows.
fn row(row: &EvidenceRow, own: bool) -> Row {
    let mut places: Vec<Place> = row.citations.iter().take(CITATIONS).map(place).collect();
    let beyond = row.citations.len().saturating_sub(CITATIONS) as u64 + row.more;
    let first = (!places.is_empty()).then(|| places.remove(0));
    let name = |path: &str| if own { in_words(path) } else { path.to_owned() };
    let shown: Vec<String> =
        row.shown.iter().flatten().map(|(path, value)| format!("{} = {value}", name(path))).collect();
    Row {
        state: words::evidence(row.state),
        key: match row.state {
            EvidenceState::Supports => "supported",
            EvidenceState::Contradicts => "contradicted",
            EvidenceState::Unknown => "unknown",
        },
        claim: row.claim.clone(),
        reason: if own { without_paths(words::reason(row)) } else { words::reason(row).to_owned() },
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

/// A path of an object that Casefile made as a reader says it: `status.lastWordTime` is `last word time`.
fn in_words(path: &str) -> String {
    let bare = path.strip_prefix("status.").or_else(|| path.strip_prefix("spec.")).unwrap_or(path);
    let bare = bare.strip_prefix("metadata.").unwrap_or(bare).replace("[*]", "").replace(".metadata.", ".");
    let mut out = String::with_capacity(bare.len() + 4);
    for c in bare.chars() {
        match c {
            '.' => out.push_str(", "),
            '[' => out.push_str(" of "),
            ']' | '*' => {}
            '=' => out.push(' '),
            c if c.is_ascii_uppercase() => {
                out.push(' ');
                out.push(c.to_ascii_lowercase());
            }
            c => out.push(c),
        }
    }
    out
}

/// A sentence in which the paths of such an object, between backticks, are said in words.
fn without_paths(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('`') {
        let Some((inside, left)) = after.split_once('`') else { break };
        out.push_str(before);
        if inside.starts_with("status.") || inside.starts_with("spec.") {
            out.push_str(&format!("“{}”", in_words(inside)));
        } else {
            out.push_str(&format!("`{inside}`"));
        }
        rest = left;
    }
    out + rest
}

/// Claims that nobody knows of, by what is missing, in the order of the first one.
fn not_known(rows: &[&EvidenceRow], own: bool) -> Vec<NotKnown> {
    let mut groups: Vec<NotKnown> = Vec::new();
    for row in rows {
        let places = row.citations.iter().take(CITATIONS).map(words::place_short);
        let reason = if own { without_paths(&row.reason) } else { row.reason.clone() };
        let group = match groups.iter().position(|group| group.reason == reason) {
            Some(index) => groups.get_mut(index),
            None => {
                groups.push(NotKnown { reason, claims: Vec::new(), places: Vec::new() });
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

#[cfg(test)]
mod tests {
    use super::without_paths;

    #[test]
    fn nobody_reads_the_path_of_an_object_that_casefile_made() {
        assert_eq!(
            without_paths("`status.possiblyServing` of etcd cluster `etcd` is not known exactly"),
            "“possibly serving” of etcd cluster `etcd` is not known exactly"
        );
        assert_eq!(without_paths("one ` alone"), "one ` alone");
    }
}
