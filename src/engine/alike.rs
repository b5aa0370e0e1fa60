//! General findings that quote what a signature found elsewhere: the same sentence of an error, on another line.
//!
//! Why: a cause is told by whoever meets it. A rate limit of an issuer stands in the Order, in the Certificate and in an
//! Event; a login that a cloud refuses stands in a log, in a condition and in the condition of each owner. One signature knows
//! what it is; what only repeats its words is part of it, and no problem of its own.
//!
//! Invariants: only a general finding is a part; a sentence that findings of several signatures quote joins nothing, since it
//! says too little; nor does one that is short or was cut.

use crate::relations::Decided;
use diagnosis::model::{EvidenceRow, Finding};
use facts::masked_text;
use facts::object::ContextId;
use signature::evidence_state::EvidenceState;
use std::collections::BTreeMap;

/// Characters of a sentence that says enough to tell one fault from another.
const SHORTEST: usize = 40;
/// Where one sentence of an error ends and the error that it wraps begins.
const ENDS: [char; 5] = [':', ';', '"', '\n', '\\'];
/// What stands around a sentence.
const AROUND: [char; 9] = ['.', ',', ')', '(', '\'', '`', '[', ']', ' '];
/// Findings whose words are compared: more are a list, and no incident.
const MOST: usize = 5_000;

/// Who quotes a sentence.
#[derive(Clone, Copy)]
enum Quoted {
    /// The findings of one signature, the first of them.
    By(usize),
    BySeveral,
}

/// For each general finding the first of another signature that quotes the same sentence.
pub(crate) fn pairs(all: &[Decided<'_>]) -> Vec<(usize, usize)> {
    let is_general = |decided: &Decided<'_>| decided.signature.general && decided.can_follow();
    if all.len() > MOST || !all.iter().any(is_general) {
        return Vec::new();
    }
    let mut quoted: BTreeMap<(ContextId, String), Quoted> = BTreeMap::new();
    for (index, known) in all.iter().enumerate().filter(|(_, known)| !known.signature.general && known.can_cause()) {
        // What goes along with a finding, as the reason of its condition, is quoted by others as well.
        for sentence in sentences(&known.finding, |_| true) {
            let by = quoted.entry((known.subject.context, sentence)).or_insert(Quoted::By(index));
            let first = |by: Quoted| match by {
                Quoted::By(first) => all.get(first),
                Quoted::BySeveral => None,
            };
            if first(*by).is_none_or(|first| first.signature.id != known.signature.id) {
                *by = Quoted::BySeveral;
            }
        }
    }
    let general = all.iter().enumerate().filter(|(_, decided)| is_general(decided));
    let better = |(index, decided): (usize, &Decided<'_>)| {
        let context = decided.subject.context;
        let known = sentences(&decided.finding, |row| row.needed).into_iter().filter_map(|sentence| {
            match quoted.get(&(context, sentence)) {
                Some(Quoted::By(known)) => Some(*known),
                _ => None,
            }
        });
        Some((index, known.min()?))
    };
    general.filter_map(better).collect()
}

/// The sentences that what speaks for a finding quotes, in the rows that count.
fn sentences(finding: &Finding, counts: impl Fn(&EvidenceRow) -> bool) -> Vec<String> {
    let supporting = finding.evidence.iter().filter(|row| row.state == EvidenceState::Supports && counts(row));
    let excerpts = supporting.flat_map(|row| &row.citations).map(|citation| citation.excerpt.as_str());
    excerpts.flat_map(told_in).collect()
}

fn told_in(excerpt: &str) -> impl Iterator<Item = String> {
    let sentence = |part: &str| {
        let part = part.trim_matches(AROUND);
        let is_whole = !part.ends_with('…') && part.contains(' ') && masked_text::masked(part).is_none();
        (is_whole && part.chars().count() >= SHORTEST).then(|| part.to_lowercase())
    };
    excerpt.split(ENDS).filter_map(sentence)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sentences_of_an_error() {
        let told = |text: &str| told_in(text).collect::<Vec<_>>();
        let order = "Failed to create Order: 429 urn:ietf:params:acme:error:rateLimited: too many certificates (5) already issued for this exact set of identifiers, retry later: see https://acme.example/limits";
        assert_eq!(
            told(order),
            ["too many certificates (5) already issued for this exact set of identifiers, retry later"]
        );
        let quoted = "msg=\"login\" err=\"Cannot complete login due to an incorrect user name or password.\"";
        assert_eq!(told(quoted), ["cannot complete login due to an incorrect user name or password"]);
        assert!(told("Back-off restarting failed container: context deadline exceeded").is_empty(), "too short");
        assert!(told("error: a sentence of more than forty characters that was cut in its mid…").is_empty());
    }
}
