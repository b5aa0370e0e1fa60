//! Runs the tests that stand beside a signature: tiny bundles and what must come out.
//!
//! Why a second check for each `confirmed` test: nobody writes down every way in which evidence can be
//! missing. So each kind and each log class of its bundle is taken away in turn, and no verdict that was
//! reached may turn into *ruled out*.
//!
//! Invariant: a test takes the same way as a bundle (members, records, facts, derived objects, verdicts);
//! only the intake is left out.

use crate::bench::{Bench, Decided, Part, part};
use crate::exercised::Seen;
use catalogue::kinds::Catalogue;
use diagnosis::model::{Ask, Finding};
use engine::{Outcome, finding};
use facts::kind::KindName;
use facts::store::Facts;
use signature::evidence_state::EvidenceState;
use signature::load::Library;
use signature::model::{Query, Signature, Target, VerdictWord};
use signature::tests_file::{Case, ExpectFile, TestKind};
use std::collections::BTreeSet;

/// Runs one test. Each line of the result is one thing that is not as expected; none means it passed.
pub fn run(bench: &Bench<'_>, case: &Case) -> Vec<String> {
    if bench.library.get(&case.signature).is_none() {
        return vec![format!("no signature {} is loaded; name an existing one in `signature`", case.signature)];
    }
    let mut problems = Vec::new();
    let whole = bench.decide(case, &BTreeSet::new());
    let mut gone = BTreeSet::new();
    for what in &case.without {
        match part(what, &whole.parts) {
            Some(part) => {
                gone.insert(part);
            }
            None => problems.push(format!("`without` names {what}, which is no kind, log class or file of this test")),
        }
    }
    let decided = if gone.is_empty() { whole } else { bench.decide(case, &gone) };
    problems.extend(unmet(bench, case, &decided.facts, bench.library, &decided.outcome));
    if case.kind == TestKind::Confirmed {
        problems.extend(taken_away(bench, case, &gone, &decided));
    }
    problems
}

/// What a test expects, and what did not come out so, for an outcome of its facts under a library.
pub fn unmet(bench: &Bench<'_>, case: &Case, facts: &Facts, library: &Library, outcome: &Outcome) -> Vec<String> {
    let Some(signature) = library.get(&case.signature) else {
        return vec![format!("no signature {} is loaded", case.signature)];
    };
    let mut problems = Vec::new();
    for expected in &case.expect {
        let compared = compare(signature, bench.catalogue, outcome, expected);
        // Evidence is shown of findings only, and a test can name it of an entity that gives none.
        if compared.is_empty() && expected.verdict.verdict().is_none() {
            problems.extend(beside_none(bench, library, signature, facts, expected));
        }
        problems.extend(compared);
    }
    problems
}

/// The parts that a test takes away, of those that there are.
pub fn gone(case: &Case, parts: &BTreeSet<Part>) -> BTreeSet<Part> {
    case.without.iter().filter_map(|what| part(what, parts)).collect()
}

/// What one test shows of its own signature.
pub fn observe(bench: &Bench<'_>, case: &Case) -> Seen {
    let Some(signature) = bench.library.get(&case.signature) else { return Default::default() };
    let (whole, parts) = bench.collect_case(case, &BTreeSet::new());
    let gone = gone(case, &parts);
    let collected = if gone.is_empty() { whole } else { bench.collect_case(case, &gone).0 };
    Seen::of(&collected.facts, bench.library, signature, &collected.literals)
}

/// Takes every kind and every log class of a test away in turn: no verdict may become ruled out.
fn taken_away(bench: &Bench<'_>, case: &Case, gone: &BTreeSet<Part>, whole: &Decided) -> Vec<String> {
    let mut problems = Vec::new();
    // A verdict that nobody reached cannot turn.
    let found: BTreeSet<&str> = whole.outcome.findings.iter().map(|finding| finding.signature.id.as_str()).collect();
    for part in whole.parts.difference(gone) {
        let mut without = gone.clone();
        without.insert(part.clone());
        let less = bench.decide_some(case, &without, &|signature| found.contains(signature.id.as_str()));
        for flipped in flipped(&whole.outcome, &less.outcome) {
            problems.push(format!("without {part}, {flipped} turns into ruled out: missing evidence never rules out"));
        }
    }
    problems
}

/// The findings that were confirmed, probable or undecided in one outcome and are ruled out in another.
/// Conflicting findings are exempt: one of their sides is taken away.
pub fn flipped(before: &Outcome, after: &Outcome) -> Vec<String> {
    let standing = before.findings.iter().filter(|f| {
        !f.conflicting && matches!(f.verdict, VerdictWord::Confirmed | VerdictWord::Probable | VerdictWord::Undecided)
    });
    let is_ruled_out = |finding: &&Finding| {
        after.findings.iter().any(|other| {
            other.verdict == VerdictWord::RuledOut
                && other.signature.id == finding.signature.id
                && other.entity == finding.entity
        })
    };
    standing.filter(is_ruled_out).map(|finding| finding.anchor.clone()).collect()
}

/// Compares what came out for one entity with what is expected.
fn compare(signature: &Signature, catalogue: &Catalogue, outcome: &Outcome, expected: &ExpectFile) -> Vec<String> {
    let entity = &expected.entity.value;
    let mut found = outcome.findings.iter().filter(|finding| {
        finding.signature.id == signature.id
            && finding.entity.name == *entity
            && expected.context.as_ref().is_none_or(|context| finding.entity.context == context.value)
    });
    let (found, another) = (found.next(), found.next());
    let mut problems = Vec::new();
    if another.is_some() {
        problems.push(format!("{entity}: several entities have this name; say which by `context`"));
    }
    let got = found.map(|finding| finding.verdict);
    if got != expected.verdict.verdict() {
        problems.push(format!(
            "{entity}: expected {}, got {}",
            verdict_word(expected.verdict.verdict()),
            verdict_word(got)
        ));
    }
    against(signature, catalogue, outcome, expected, found, &mut problems);
    // Whatever is wrong, the evidence says why.
    if let Some(last) = problems.last_mut() {
        last.push_str(&detail(signature, outcome, entity, found));
    }
    problems
}

/// What is expected beside the verdict, and did not come out so.
fn against(
    signature: &Signature,
    catalogue: &Catalogue,
    outcome: &Outcome,
    expected: &ExpectFile,
    found: Option<&Finding>,
    problems: &mut Vec<String>,
) {
    let entity = &expected.entity.value;
    let Some(finding) = found else {
        if let Some(headline) = &expected.headline {
            problems.push(format!("{entity}: expected the headline \"{}\", but there is no finding", headline.value));
        }
        let captured = expected.captured.keys();
        problems
            .extend(captured.map(|name| format!("{entity}: expected {name} to be captured, but there is no finding")));
        return;
    };
    if let Some(conflicting) = expected.conflicting
        && conflicting != finding.conflicting
    {
        problems.push(format!("{entity}: expected conflicting: {conflicting}"));
    }
    if let Some(headline) = &expected.headline
        && headline.value != finding.headline
    {
        problems.push(format!("{entity}: expected the headline \"{}\", got \"{}\"", headline.value, finding.headline));
    }
    if let Some(expected) = &expected.commands {
        let expected: Vec<&str> = expected.iter().map(|command| command.value.as_str()).collect();
        let steps = finding.remediation.steps.iter();
        let shown: Vec<&str> = steps.filter_map(|step| step.command.as_deref()).collect();
        if shown != expected {
            problems.push(format!("{entity}: expected the commands {expected:?}, got {shown:?}"));
        }
    }
    for (name, values) in &expected.captured {
        let got = finding.captured.get(name).cloned().unwrap_or_default();
        if got != *values {
            problems.push(format!("{entity}: expected {name} to be {values:?}, got {got:?}"));
        }
    }
    for (id, state) in &expected.evidence {
        match finding.evidence.iter().find(|row| row.id == *id) {
            Some(row) if row.state == *state => {}
            Some(row) => problems.push(format!(
                "{entity}: expected {id} to be {}, got {}: {} ({})",
                state_word(*state),
                state_word(row.state),
                row.claim,
                row.reason
            )),
            None => problems.push(format!("{entity}: the signature has no evidence {id}")),
        }
    }
    for id in &expected.asks {
        if !asks_for(signature, catalogue, finding, &outcome.asks, &id.value) {
            let asked: Vec<&str> = outcome.asks.iter().map(|ask| ask.command.as_str()).collect();
            problems.push(format!("{entity}: {} is not asked for; asked for: [{}]", id.value, asked.join(" | ")));
        }
    }
}

/// Compares what is expected beside the verdict `none`.
fn beside_none(
    bench: &Bench<'_>,
    library: &Library,
    signature: &Signature,
    facts: &Facts,
    expected: &ExpectFile,
) -> Vec<String> {
    let entity = &expected.entity.value;
    let asks =
        expected.asks.iter().map(|id| format!("{entity}: nothing asks for {}, where nothing is found", id.value));
    let mut problems: Vec<String> = asks.collect();
    if expected.evidence.is_empty() {
        return problems;
    }
    let entities = engine::observe(facts, library, signature, bench.literals());
    let is_meant = |context: &str| expected.context.as_ref().is_none_or(|wanted| wanted.value == context);
    let Some(found) = entities.iter().find(|seen| seen.name == *entity && is_meant(&seen.context)) else {
        problems.push(format!("{entity}: there is no such entity, so no evidence of it can be expected"));
        return problems;
    };
    for (id, state) in &expected.evidence {
        match signature.evidence.iter().zip(&found.truths).find(|(evidence, _)| evidence.id == *id) {
            Some((_, truth)) if finding::state(*truth) == *state => {}
            Some((_, truth)) => {
                let got = state_word(finding::state(*truth));
                problems.push(format!("{entity}: expected {id} to be {}, got {got}", state_word(*state)));
            }
            None => problems.push(format!("{entity}: the signature has no evidence {id}")),
        }
    }
    problems
}

/// The evidence behind a verdict that was not expected.
fn detail(signature: &Signature, outcome: &Outcome, entity: &str, found: Option<&Finding>) -> String {
    let Some(finding) = found else {
        let not_assessed = outcome.not_assessed.iter().find(|n| n.signature == signature.id && n.entity.name == entity);
        let not_applicable = outcome.not_applicable.iter().find(|n| n.signature == signature.id);
        let others: Vec<&str> = outcome.findings.iter().map(|finding| finding.anchor.as_str()).collect();
        return match (not_assessed, not_applicable) {
            (Some(n), _) => format!("\n    not assessed: {}", n.reason),
            (None, Some(n)) => format!("\n    not applicable: {}", n.reason),
            (None, None) => format!("\n    no such finding; findings: [{}]", others.join(", ")),
        };
    };
    let wide = finding.evidence.iter().map(|row| row.id.len()).max().unwrap_or_default();
    let rows = finding.evidence.iter();
    rows.map(|row| format!("\n    {:<11} {:<wide$}  {} ({})", state_word(row.state), row.id, row.claim, row.reason))
        .collect()
}

fn verdict_word(verdict: Option<VerdictWord>) -> &'static str {
    match verdict {
        Some(VerdictWord::Confirmed) => "confirmed",
        Some(VerdictWord::Probable) => "probable",
        Some(VerdictWord::Undecided) => "undecided",
        Some(VerdictWord::Resolved) => "resolved",
        Some(VerdictWord::RuledOut) => "ruled_out",
        None => "none",
    }
}

fn state_word(state: EvidenceState) -> &'static str {
    match state {
        EvidenceState::Supports => "supports",
        EvidenceState::Contradicts => "contradicts",
        EvidenceState::Unknown => "unknown",
    }
}

/// Is the command that collects a piece of evidence asked for, to decide this finding?
fn asks_for(signature: &Signature, catalogue: &Catalogue, finding: &Finding, asks: &[Ask], id: &str) -> bool {
    let Some(evidence) = signature.evidence.iter().find(|evidence| evidence.id == id) else { return false };
    let mut commands = BTreeSet::new();
    match (&evidence.collect, &evidence.query) {
        (Some(collect), _) => {
            let name = &signature.entity.name;
            let run = collect.run.replace(&format!("{{{name}}}"), &finding.entity.name);
            let run = run.replace(&format!("{{{name}.name}}"), &finding.entity.name);
            let namespace = finding.entity.namespace.as_deref().unwrap_or_default();
            commands.insert(run.replace(&format!("{{{name}.namespace}}"), namespace));
        }
        (None, Query::Object(query)) => {
            let entity = [KindName::parse(&finding.entity.kind)];
            let kinds = match &query.target {
                Target::Entity => entity.as_slice(),
                Target::Kinds(kinds) => kinds.as_slice(),
            };
            commands.extend(kinds.iter().map(|kind| catalogue.collect_command(kind).run));
        }
        (None, Query::Log(_)) => {}
    }
    asks.iter().any(|ask| commands.contains(&ask.command) && ask.decides.contains(&finding.anchor))
}
