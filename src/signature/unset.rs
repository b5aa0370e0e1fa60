//! Values that a text prints although they may not be there.
//!
//! A capture has a value only if its evidence found something, and the verdict that a sentence is said with does
//! not always need that. What can be known of it from the file alone is said here, so that no report has a hole
//! in a sentence that it asserts. Paths of the entity are not judged: what they hold is known in a bundle only.
//!
//! Invariant: a name is *sure* only if it is in every finding that shows the text; whatever cannot be told is not.

use crate::captured::{captured_names, definers};
use crate::code::Code;
use crate::file::{EvidenceFile, SignatureFile, Text};
use crate::model::{Capture, Condition, Evidence, Query, Signature};
use crate::problem::Reporter;
use crate::template;
use regex_syntax::hir::{Hir, HirKind};
use std::collections::BTreeSet;

/// Checks the texts of a signature.
pub fn check(file: &SignatureFile, signature: &Signature, reporter: &mut Reporter<'_>) {
    let captures: BTreeSet<String> = signature.evidence.iter().flat_map(captured_names).collect();
    let verdict = &signature.verdict;
    let hallmarks = || {
        let ids = signature.evidence.iter().enumerate().filter(|(_, evidence)| evidence.hallmark);
        Condition::Or(ids.map(|(index, _)| Condition::Evidence(index)).collect())
    };
    let suspect = verdict.suspect.clone().unwrap_or_else(hallmarks);
    let sure = |condition: &Condition| sure_of(signature, &needed(condition));
    let mut check = Check { captures: &captures, reporter };
    let own = file.explain.iter().map(|texts| (texts, true, BTreeSet::new()));
    let own = own.chain(file.headline.iter().map(|texts| (texts, false, BTreeSet::new())));
    // What a wording takes out is there where the wording was found.
    let named = file.with_names();
    let of_variants = named.variants().filter_map(|variant| {
        let found = regex_syntax::parse(&variant.regex.value).map(|parsed| groups(&parsed));
        Some((variant.headline.as_ref()?, false, found.unwrap_or_default()))
    });
    for (sentences, has_reason, found) in own.chain(of_variants) {
        let said = [
            (&sentences.confirmed, Some(&verdict.confirmed)),
            (&sentences.probable, verdict.probable.as_ref()),
            (&sentences.undecided, Some(&suspect)),
            (&sentences.resolved, verdict.resolved.as_ref()),
            (&sentences.ruled_out, verdict.ruled_out.as_ref()),
        ];
        for (text, condition) in said {
            if let (Some(text), Some(condition)) = (text, condition) {
                check.text(text, &sure(condition).union(&found).cloned().collect(), has_reason);
            }
        }
    }
    let always = [Some(&verdict.confirmed), verdict.probable.as_ref(), Some(&suspect)];
    let always = always.into_iter().flatten().map(sure).reduce(|a, b| a.intersection(&b).cloned().collect());
    let always = always.unwrap_or_default();
    let remedy = &file.remediation;
    for (step, compiled) in remedy.steps.iter().zip(&signature.remediation.steps) {
        // A step that is only for what a piece of evidence found has what it found.
        let own = compiled.when.as_ref().map(sure).unwrap_or_default();
        for text in [Some(&step.action), step.because.as_ref()].into_iter().flatten() {
            check.text(text, &always.union(&own).cloned().collect(), false);
        }
    }
    let advice = remedy.does_not_help.iter().chain(&remedy.do_not).flat_map(|item| [&item.action, &item.because]);
    for text in advice.chain(&remedy.verify) {
        check.text(text, &always, false);
    }
    for (index, evidence) in signature.evidence.iter().enumerate() {
        let written = |item: &&EvidenceFile| item.id.value == evidence.id;
        if let Some(item) = file.evidence.iter().find(written) {
            check.text(&item.claim, &sure_of_claim(signature, index), false);
        }
    }
}

struct Check<'a, 'r, 's> {
    captures: &'a BTreeSet<String>,
    reporter: &'r mut Reporter<'s>,
}

impl Check<'_, '_, '_> {
    fn text(&mut self, text: &Text, sure: &BTreeSet<String>, has_reason: bool) {
        let parsed = template::parse(&text.value);
        for name in parsed.unguarded() {
            let reason = name == "reason" && !has_reason;
            if !reason && (!self.captures.contains(name) || sure.contains(name)) {
                continue;
            }
            let at = text.value.find(&format!("{{{name}}}")).map_or(0, |at| at + 1);
            let place = self.reporter.inside(text.place, &text.value, at, name.chars().count());
            let message = if reason {
                "`{reason}` has a value in `explain` only".to_owned()
            } else {
                format!("`{{{name}}}` may have no value where this is said")
            };
            let hint = format!("put what needs it in brackets: `[[ ({{{name}}})]]` or `[[{{{name}}}|other words]]`");
            self.reporter.report(Code::UnsetPlaceholder, place, message, Some(hint));
        }
    }
}

/// The evidence that supports whenever a condition holds.
fn needed(condition: &Condition) -> BTreeSet<usize> {
    let of_all = |items: &[Condition]| items.iter().flat_map(needed).collect();
    let of_any = |items: &[Condition]| {
        let all = items.iter().map(needed);
        all.reduce(|a, b| a.intersection(&b).copied().collect()).unwrap_or_default()
    };
    match condition {
        Condition::Evidence(index) => BTreeSet::from([*index]),
        Condition::Not(_) => BTreeSet::new(),
        Condition::And(items) => of_all(items),
        Condition::Or(items) => of_any(items),
        Condition::AtLeast(count, items) if *count >= items.len() => of_all(items),
        Condition::AtLeast(_, items) => of_any(items),
    }
}

/// The names that have a value where all this evidence supports.
fn sure_of(signature: &Signature, supporting: &BTreeSet<usize>) -> BTreeSet<String> {
    let evidence = supporting.iter().filter_map(|index| Some((*index, signature.evidence.get(*index)?)));
    evidence.flat_map(|(index, evidence)| captured(evidence).into_iter().chain(bound(signature, index))).collect()
}

/// The names that have a value in a claim that holds.
fn sure_of_claim(signature: &Signature, index: usize) -> BTreeSet<String> {
    sure_of(signature, &BTreeSet::from([index]))
}

/// The names that a piece of evidence was run with: without them it would be unknown.
fn bound(signature: &Signature, index: usize) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    let mut next = definers(&signature.evidence, index);
    while let Some(definer) = next.pop_first() {
        if let Some(evidence) = signature.evidence.get(definer) {
            names.extend(captured(evidence));
            next.extend(definers(&signature.evidence, definer));
        }
    }
    names
}

/// The names that evidence surely captures if its claim holds.
fn captured(evidence: &Evidence) -> BTreeSet<String> {
    let (captures, count) = match &evidence.query {
        Query::Object(query) => (&query.captures, query.count),
        Query::Log(query) => (&query.captures, query.count),
    };
    if evidence.expect_absent || count.min == 0 {
        return BTreeSet::new();
    }
    let missing = match &evidence.query {
        Query::Object(query) => query.each.as_ref().map(|each| each.missing.clone()),
        Query::Log(_) => None,
    };
    captures.iter().flat_map(of_capture).chain(missing).collect()
}

fn of_capture(capture: &Capture) -> BTreeSet<String> {
    let of_variants = capture.variants.iter().map(|variant| match regex_syntax::parse(variant.regex.as_str()) {
        Ok(parsed) => groups(&parsed),
        Err(_) => BTreeSet::new(),
    });
    let of_variants = of_variants.reduce(|a, b| a.intersection(&b).cloned().collect());
    capture
        .name
        .iter()
        .filter(|_| capture.variants.is_empty())
        .cloned()
        .chain(of_variants.unwrap_or_default())
        .collect()
}

/// The named groups that take part in every match of a regex.
fn groups(hir: &Hir) -> BTreeSet<String> {
    match hir.kind() {
        HirKind::Capture(capture) => capture.name.iter().map(ToString::to_string).chain(groups(&capture.sub)).collect(),
        HirKind::Repetition(repetition) if repetition.min > 0 => groups(&repetition.sub),
        HirKind::Concat(items) => items.iter().flat_map(groups).collect(),
        HirKind::Alternation(items) => {
            items.iter().map(groups).reduce(|a, b| a.intersection(&b).cloned().collect()).unwrap_or_default()
        }
        _ => BTreeSet::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_group_that_a_match_can_do_without_is_not_sure() {
        let sure = |regex: &str| groups(&regex_syntax::parse(regex).unwrap()).into_iter().collect::<Vec<_>>().join(" ");
        assert_eq!(sure("(?P<a>x)(?: (?P<b>y))?"), "a");
        assert_eq!(sure("(?:(?P<a>x)(?P<b>y)|(?P<a2>z)(?P<c>w))+"), "");
        assert_eq!(sure("(?:k(?P<a>x))+ (?P<b>y)"), "a b");
        assert_eq!(sure("(?P<a>x)|y"), "");
    }

    #[test]
    fn what_a_condition_needs_is_what_all_its_ways_share() {
        use Condition::{And, AtLeast, Evidence, Not, Or};
        let e = Evidence;
        let both = Or(vec![And(vec![e(0), e(1)]), And(vec![e(1), e(2)])]);
        assert_eq!(needed(&both), BTreeSet::from([1]));
        assert_eq!(needed(&And(vec![e(3), both, Not(Box::new(e(4)))])), BTreeSet::from([1, 3]));
        assert_eq!(needed(&AtLeast(2, vec![e(0), e(1), e(2)])), BTreeSet::new());
        assert_eq!(needed(&AtLeast(2, vec![e(0), e(1)])), BTreeSet::from([0, 1]));
    }
}
