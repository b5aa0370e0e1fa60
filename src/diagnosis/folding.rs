//! How a finding that is folded under another one says so: the same words in every output.
//!
//! Why: what a fault causes and what is part of it are two things. Whoever opens a folded finding must read
//! which of the two it is, and where to begin, before any step of its own.
//!
//! Invariant: nothing is decided here, and a diagnosis whose `caused_by` goes in circles still ends.

use crate::model::{Diagnosis, Finding};
use crate::words;
use signature::model::{RelationKind, VerdictWord};

/// How one finding is folded under others.
#[derive(Debug, Clone, Copy)]
pub struct Fold<'a> {
    /// The finding that it is folded under.
    pub parent: &'a Finding,
    /// It is part of the same fault as its parent, not a consequence of it.
    pub part: bool,
    /// The finding at the top.
    pub root: &'a Finding,
    /// It follows from the root; else the root only contains it, or contains what it follows from.
    pub follows_from_root: bool,
    /// The furthest finding above that causes what is below it; none if all of them are one fault.
    pub cause: Option<&'a Finding>,
}

/// How a finding is folded; `None` for one that stands by itself.
pub fn fold<'a>(diagnosis: &'a Diagnosis, finding: &'a Finding) -> Option<Fold<'a>> {
    let parent = parent(diagnosis, finding)?;
    let part = is_part(finding);
    let mut fold = Fold { parent, part, root: parent, follows_from_root: !part, cause: (!part).then_some(parent) };
    for _ in 0..diagnosis.findings.len() {
        let Some(above) = self::parent(diagnosis, fold.root) else { break };
        fold.follows_from_root = !is_part(fold.root);
        if fold.follows_from_root {
            fold.cause = Some(above);
        }
        fold.root = above;
    }
    Some(fold)
}

impl<'a> Fold<'a> {
    /// How the finding stands to its parent, to be followed by the parent's name: `Follows from`.
    pub fn relation(&self) -> &'static str {
        match (self.part, is_probable(self.parent)) {
            (false, false) => "Follows from",
            (false, true) => "Probably follows from",
            (true, false) => "Part of the same fault as",
            (true, true) => "Probably part of the same fault as",
        }
    }

    /// The same inside a line of the summary: `follows from`.
    pub fn relation_short(&self) -> &'static str {
        if self.part { "part of" } else { "follows from" }
    }

    /// The finding to turn to before any step of this one.
    pub fn first(&self) -> &'a Finding {
        self.cause.unwrap_or(self.root)
    }

    /// What to do with [`Self::first`], to be followed by its name: `First cure the cause:`.
    pub fn begin(&self) -> &'static str {
        match self.cause {
            None => "First read",
            Some(cause) if is_probable(cause) => "First cure the probable cause:",
            Some(cause) if std::ptr::eq(cause, self.parent) => "First cure the cause:",
            Some(_) => "First cure the root cause:",
        }
    }

    /// What the finding's own steps are for, to follow the name of [`Self::first`]. Of two views of one fault
    /// neither is the cure of the other: the part can be its very cause.
    pub fn then(&self) -> &'static str {
        match self.cause {
            Some(_) => "The steps here are for what remains afterwards.",
            None => "It is about the same fault, and its warnings hold here too.",
        }
    }
}

/// How many findings follow from one and how many belong to the same fault, as one clause: `2 findings follow
/// from it, 1 belongs to the same fault`.
pub fn count(follow: u64, belong: u64, one: &str, many: &str) -> String {
    let noun = |number: u64| words::count(number, one, many);
    let follows = |number: u64| if number == 1 { "follows from it" } else { "follow from it" };
    let belongs = |number: u64| if number == 1 { "belongs to the same fault" } else { "belong to the same fault" };
    match (follow, belong) {
        (follow, 0) => format!("{} {}", noun(follow), follows(follow)),
        (0, belong) => format!("{} {}", noun(belong), belongs(belong)),
        (follow, belong) => {
            format!("{} {}, {} {}", noun(follow), follows(follow), words::thousands(belong), belongs(belong))
        }
    }
}

/// The finding that another one is folded under.
fn parent<'a>(diagnosis: &'a Diagnosis, finding: &Finding) -> Option<&'a Finding> {
    let parent = diagnosis.findings.get(finding.caused_by?)?;
    // What does not stand explains nothing; a diagnosis read from a file may still say so.
    (parent.verdict != VerdictWord::RuledOut && parent.anchor != finding.anchor).then_some(parent)
}

/// A diagnosis of an earlier version does not say why: then it follows.
fn is_part(finding: &Finding) -> bool {
    finding.folded_by == Some(RelationKind::Implies)
}

fn is_probable(finding: &Finding) -> bool {
    finding.verdict != VerdictWord::Confirmed
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Findings of a chain: each is folded under the one before it in the way that is given.
    fn chain(kinds: &[Option<RelationKind>], verdict: VerdictWord) -> Diagnosis {
        let text = include_str!("../../tests/data/report/typical.diagnosis.json");
        let mut diagnosis: Diagnosis = serde_json::from_str(text).expect("the fixture is a diagnosis");
        let first = diagnosis.findings.first().expect("the fixture has a finding").clone();
        let of = |(index, kind): (usize, &Option<RelationKind>)| Finding {
            anchor: format!("CF-{index}/x"),
            verdict,
            caused_by: kind.and(index.checked_sub(1)),
            folded_by: *kind,
            ..first.clone()
        };
        diagnosis.findings = kinds.iter().enumerate().map(of).collect();
        diagnosis
    }

    fn said(kinds: &[Option<RelationKind>], verdict: VerdictWord) -> String {
        let diagnosis = chain(kinds, verdict);
        let last = diagnosis.findings.last().expect("a finding");
        match fold(&diagnosis, last) {
            Some(fold) => format!(
                "{} {}. {} {}{}",
                fold.relation(),
                fold.parent.anchor,
                fold.begin(),
                fold.first().anchor,
                if fold.follows_from_root { ", follows from the root" } else { "" }
            ),
            None => "stands by itself".to_owned(),
        }
    }

    #[test]
    fn where_to_begin_is_said_for_causes_and_for_parts() {
        use RelationKind::{Causes, Implies};
        let sure = VerdictWord::Confirmed;
        insta::assert_snapshot!(said(&[None], sure), @"stands by itself");
        insta::assert_snapshot!(said(&[None, Some(Causes)], sure), @"Follows from CF-0/x. First cure the cause: CF-0/x, follows from the root");
        insta::assert_snapshot!(said(&[None, Some(Implies)], sure), @"Part of the same fault as CF-0/x. First read CF-0/x");
        insta::assert_snapshot!(said(&[None, Some(Causes), Some(Causes)], sure), @"Follows from CF-1/x. First cure the root cause: CF-0/x, follows from the root");
        insta::assert_snapshot!(said(&[None, Some(Causes), Some(Implies)], sure), @"Part of the same fault as CF-1/x. First cure the root cause: CF-0/x, follows from the root");
        insta::assert_snapshot!(said(&[None, Some(Implies), Some(Causes)], sure), @"Follows from CF-1/x. First cure the cause: CF-1/x");
        insta::assert_snapshot!(said(&[None, Some(Implies), Some(Implies)], sure), @"Part of the same fault as CF-1/x. First read CF-0/x");
        insta::assert_snapshot!(said(&[None, Some(Causes)], VerdictWord::Probable), @"Probably follows from CF-0/x. First cure the probable cause: CF-0/x, follows from the root");
        insta::assert_snapshot!(said(&[None, Some(Implies)], VerdictWord::Probable), @"Probably part of the same fault as CF-0/x. First read CF-0/x");
    }

    #[test]
    fn a_circle_ends() {
        let mut diagnosis = chain(&[Some(RelationKind::Causes); 3], VerdictWord::Confirmed);
        if let Some(first) = diagnosis.findings.first_mut() {
            first.caused_by = Some(2);
        }
        for finding in &diagnosis.findings {
            assert!(fold(&diagnosis, finding).is_some());
        }
    }

    #[test]
    fn what_follows_and_what_is_part_are_counted_apart() {
        let said = |follow, part| count(follow, part, "finding", "findings");
        assert_eq!(said(1, 0), "1 finding follows from it");
        assert_eq!(said(2, 0), "2 findings follow from it");
        assert_eq!(said(0, 1), "1 finding belongs to the same fault");
        assert_eq!(said(0, 3), "3 findings belong to the same fault");
        assert_eq!(said(2, 1), "2 findings follow from it, 1 belongs to the same fault");
    }
}
