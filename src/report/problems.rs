//! All problems of a diagnosis, one line each: the table that stands on the first screen of every output.
//!
//! Invariants: the problem that matters most comes first, the others in the order of the report; what is folded under a
//! problem is counted with it; what is no fault (notes), what is over and what was excluded is not in it.

use diagnosis::model::{Diagnosis, Finding};
use diagnosis::{folding, summary, words};
use signature::model::{Severity, VerdictWord};
use std::collections::BTreeMap;

/// One problem.
#[derive(Debug)]
pub struct Problem<'a> {
    pub finding: &'a Finding,
    /// `front/ui and 2 more`, with its cluster where there are several.
    pub object: String,
    /// `2 follow from it`; empty if nothing is folded under it.
    pub folded: String,
}

/// The problems, what matters most first.
pub fn problems(diagnosis: &Diagnosis) -> Vec<Problem<'_>> {
    let is_problem = |finding: &&Finding| is_open(finding) && root(diagnosis, finding).is_none();
    let first = summary::primary(diagnosis).filter(is_problem);
    let is_other = |finding: &&Finding| first.is_none_or(|first| first.anchor != finding.anchor);
    let mut others: Vec<&Finding> = diagnosis.findings.iter().filter(is_problem).filter(is_other).collect();
    // Stable: those of one certainty stay in the order of the report.
    others.sort_by_key(|finding| (!finding.stands(), finding.signature.latent));
    let folded = folded(diagnosis);
    first.into_iter().chain(others).map(|finding| problem(diagnosis, finding, &folded)).collect()
}

/// How many findings follow from each problem, and how many belong to it, by its anchor.
fn folded(diagnosis: &Diagnosis) -> BTreeMap<&str, (u64, u64)> {
    let mut folded: BTreeMap<&str, (u64, u64)> = BTreeMap::new();
    for fold in diagnosis.findings.iter().filter(|finding| is_open(finding)).filter_map(|other| root(diagnosis, other))
    {
        let (follow, belong) = folded.entry(fold.root.anchor.as_str()).or_default();
        *if fold.follows_from_root { follow } else { belong } += 1;
    }
    folded
}

/// The problems that are certain enough to act on, what matters most first: root causes.
pub fn root_causes(diagnosis: &Diagnosis) -> impl Iterator<Item = Problem<'_>> {
    problems(diagnosis).into_iter().filter(|problem| problem.finding.stands())
}

/// May it hold, and is it a fault?
fn is_open(finding: &Finding) -> bool {
    finding.stands() || finding.verdict == VerdictWord::Undecided && finding.signature.severity != Severity::Info
}

/// The problem that a finding is folded under.
fn root<'a>(diagnosis: &'a Diagnosis, finding: &'a Finding) -> Option<folding::Fold<'a>> {
    folding::fold(diagnosis, finding).filter(|fold| is_open(fold.root))
}

fn problem<'a>(diagnosis: &'a Diagnosis, finding: &'a Finding, folded: &BTreeMap<&str, (u64, u64)>) -> Problem<'a> {
    let (follow, belong) = folded.get(finding.anchor.as_str()).copied().unwrap_or_default();
    let folded = match follow + belong {
        0 => String::new(),
        _ => folding::count(follow, belong, "problem", "problems"),
    };
    let object = match diagnosis.contexts.len() {
        0 | 1 => words::entities(finding),
        _ => format!("{} in {}", words::entities(finding), finding.entity.context),
    };
    Problem { finding, object, folded }
}
