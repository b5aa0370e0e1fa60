//! From a ruling to the finding that a report shows.

use crate::entity::Subject;
use crate::evidence::Held;
use crate::gap::Gap;
use crate::indicators;
use crate::logic;
use crate::logic::Truth;
use crate::predicate;
use crate::reasons;
use crate::text::Words;
use crate::verdict::Rules;
use catalogue::texts;
use diagnosis::citation::citation_info;
use diagnosis::model::{
    AdviceInfo, EntityInfo, EvidenceRow, Finding, Packet, ReferenceInfo, RelationInfo, RemediationInfo, SignatureInfo,
    StepInfo,
};
use diagnosis::words as report;
use facts::presence::How;
use signature::evidence_state::EvidenceState;
use signature::load::Library;
use signature::model::{Advice, Condition, Predicate, RemedyStep, Risk, Signature, Template, VerdictWord};

/// The entity as a report names it.
pub(crate) fn entity_info(words: &Words<'_>) -> EntityInfo {
    let Subject { kind, namespace, name, context, .. } = words.subject;
    EntityInfo {
        kind: kind.clone(),
        namespace: namespace.clone(),
        name: name.clone(),
        context: words.facts.context(*context).name.clone(),
    }
}

/// The anchor of a finding, while no other has it.
pub(crate) fn anchor(words: &Words<'_>) -> String {
    format!("{}/{}", words.signature.id, words.subject.name)
}

/// What stands above a finding.
pub(crate) fn headline(words: &Words<'_>, verdict: VerdictWord) -> String {
    let template = of_variant(words, verdict).or_else(|| words.signature.headline.get(&verdict));
    let filled = template.map(|template| words.fill(template, None, None)).filter(|filled| says_something(filled));
    filled.unwrap_or_else(|| words.signature.title.clone())
}

/// Is there something behind the name at least, where all clauses of a headline were left out?
fn says_something(headline: &str) -> bool {
    !headline.trim_end().ends_with(':') && !headline.trim().is_empty()
}

/// How many clauses of the headline are left out, since what they would say is not known.
pub(crate) fn untold(words: &Words<'_>, verdict: VerdictWord) -> usize {
    let own = of_variant(words, verdict).is_none().then(|| words.signature.headline.get(&verdict)).flatten();
    own.map_or(0, |template| words.leaves_out(template))
}

/// A signature as a report names it.
pub(crate) fn signature_info(signature: &Signature) -> SignatureInfo {
    SignatureInfo {
        id: signature.id.clone(),
        name: signature.name.clone(),
        title: signature.title.clone(),
        summary: signature.summary.clone(),
        severity: signature.severity,
        status: signature.status,
        latent: signature.tags.iter().any(|tag| tag == "latent"),
        general: signature.general,
    }
}

/// Builds the finding of a verdict. Its anchor may still have to be told apart from others, and its owner be looked
/// up.
pub fn finding(words: &Words<'_>, library: &Library, verdict: VerdictWord, conflicting: bool) -> Finding {
    let signature = words.signature;
    let mut evidence: Vec<EvidenceRow> = (0..signature.evidence.len()).filter_map(|i| row(words, i)).collect();
    mark_needed(words, &mut evidence, verdict);
    let reason = reason(words, &evidence, verdict, conflicting);
    let explanation = match signature.explain.get(&verdict) {
        Some(template) => words.fill(template, None, Some(grounds_in_words(words, &evidence, verdict).as_str())),
        None => signature.summary.clone(),
    };
    let escalation = packet(words, &evidence, verdict);
    let is_name = |row: &EvidenceRow| signature.evidence.iter().any(|own| own.is_name() && own.id == row.id);
    evidence.retain(|row| !is_name(row));
    Finding {
        conflicting,
        indicators: indicators::indicators(signature, words.held),
        headline: headline(words, verdict),
        explanation,
        reason,
        escalation,
        evidence,
        remediation: remediation(words),
        relations: relations(signature, library),
        references: signature
            .references
            .iter()
            .map(|r| ReferenceInfo { title: r.title.clone(), section: r.section.clone(), url: r.url.clone() })
            .collect(),
        ..bare(words, verdict)
    }
}

/// A finding with nothing but its name: what [`finding`] and [`crate::brief`] have in common.
pub(crate) fn bare(words: &Words<'_>, verdict: VerdictWord) -> Finding {
    Finding::new(anchor(words), signature_info(words.signature), entity_info(words), verdict)
}

/// Marks the evidence that the verdict rests on; rows are still those of the signature, in its order.
fn mark_needed(words: &Words<'_>, rows: &mut [EvidenceRow], verdict: VerdictWord) {
    let Some((condition, truths)) = ground(words, verdict) else { return };
    for (index, _) in logic::grounds(condition, &truths) {
        if let Some(row) = rows.get_mut(index) {
            row.needed = true;
        }
    }
}

/// The condition of a verdict, and the truths that it is decided by.
fn ground<'a>(words: &Words<'a>, verdict: VerdictWord) -> Option<(&'a Condition, Vec<Truth>)> {
    let conditions = &words.signature.verdict;
    let strict = verdict == VerdictWord::RuledOut;
    let truths = words.held.iter().map(|h| if strict { h.strict } else { h.truth }).collect();
    let condition = match verdict {
        VerdictWord::Confirmed => Some(&conditions.confirmed),
        VerdictWord::Probable => conditions.probable.as_ref(),
        VerdictWord::Undecided => conditions.suspect.as_ref(),
        VerdictWord::Resolved => conditions.resolved.as_ref(),
        VerdictWord::RuledOut => conditions.ruled_out.as_ref(),
    };
    Some((condition?, truths))
}

/// The headline of the wording that was found, where one alone tells a cause of its own. Of several causes none is
/// the headline.
fn of_variant<'a>(words: &Words<'a>, verdict: VerdictWord) -> Option<&'a Template> {
    let supporting = || words.held.iter().filter(|held| held.truth == Truth::True);
    let found =
        |mark: &String| supporting().any(|held| held.answered.rows.rows.iter().any(|row| row.contains_key(mark)));
    let mut found = words.signature.variant_headlines.iter().filter(|variant| found(&variant.mark));
    let only = found.next()?;
    found.all(|other| other.mark == only.mark).then(|| only.headline.get(&verdict)).flatten()
}

/// What a truth is of a claim.
pub fn state(truth: Truth) -> EvidenceState {
    match truth {
        Truth::True => EvidenceState::Supports,
        Truth::False => EvidenceState::Contradicts,
        Truth::Unknown => EvidenceState::Unknown,
    }
}

fn row(words: &Words<'_>, index: usize) -> Option<EvidenceRow> {
    let evidence = words.signature.evidence.get(index)?;
    let Held { truth, answered, .. } = words.held.get(index)?;
    Some(EvidenceRow {
        id: evidence.id.clone(),
        state: state(*truth),
        claim: words.fill(&evidence.claim, Some(index), None),
        reason: words.reason(index),
        says_place: words.says_place(index),
        cause: answered.gaps.iter().map(Gap::cause).min().filter(|_| answered.truth == Truth::Unknown),
        hallmark: evidence.hallmark,
        needed: false,
        at_least: answered.interval.lo,
        at_most: answered.interval.hi,
        shown: answered.shown.iter().filter(|values| !values.is_empty()).cloned().collect(),
        citations: answered.citations.iter().map(|citation| citation_info(words.facts, citation)).collect(),
        more: answered.more,
    })
}

/// The claims that a condition rests on, for a condition that holds.
fn list(rows: &[EvidenceRow], condition: Option<&Condition>, truths: &[Truth]) -> String {
    let Some(condition) = condition else { return String::new() };
    let name = |(index, truth): (usize, Truth)| {
        let claim = &rows.get(index)?.claim;
        Some(if truth == Truth::True { format!("“{claim}”") } else { format!("“{claim}” is not the case") })
    };
    let names: Vec<String> = logic::grounds(condition, truths).into_iter().filter_map(name).collect();
    names.join("; ")
}

/// What would confirm it, and is known by a list or a table alone; `None` if that is not what keeps it from being confirmed.
fn soft(words: &Words<'_>, rows: &[EvidenceRow], truths: &[Truth]) -> Option<String> {
    let confirmed = &words.signature.verdict.confirmed;
    if logic::evaluate(confirmed, truths) != Truth::True {
        return None;
    }
    let is_soft = |index: usize| words.held.get(index).is_some_and(|held| held.answered.weakest.is_listed());
    let say = |(index, truth): (usize, Truth)| {
        let claim = &rows.get(index).filter(|_| is_soft(index))?.claim;
        Some(if truth == Truth::True { format!("“{claim}”") } else { format!("not “{claim}”") })
    };
    let all: Vec<String> = logic::grounds(confirmed, truths).into_iter().filter_map(say).collect();
    (!all.is_empty()).then(|| all.join("; "))
}

/// Why this verdict, in one or two sentences.
fn reason(words: &Words<'_>, rows: &[EvidenceRow], verdict: VerdictWord, conflicting: bool) -> String {
    let conditions = &words.signature.verdict;
    let truths: Vec<Truth> = words.held.iter().map(|held| held.truth).collect();
    let missing = |condition: &Condition| {
        let of = |index: usize| rows.get(index).map(|row| format!("“{}” ({})", row.claim, row.reason));
        let all: Vec<String> = logic::missing(condition, &truths).into_iter().filter_map(of).collect();
        all.join("; ")
    };
    if let Some(cap) = words.subject.cap.as_ref().filter(|_| verdict == VerdictWord::Undecided) {
        return format!("It can be no more than undecided, because {}.", words.why(&cap.why));
    }
    if let Some(ended) = words.subject.presence.ended() {
        let place = citation_info(words.facts, &ended.citation);
        let line = place.line.map(|line| format!(":{line}")).unwrap_or_default();
        let said = format!("{} ({}{line})", reasons::ended(ended.how), place.member);
        if verdict == VerdictWord::Resolved {
            let over =
                if ended.how == How::RunsAgain { "The log ended before" } else { "What it was found on is gone" };
            return format!("{over}: {said}.");
        }
        if conflicting {
            let for_it = list(rows, Some(&conditions.confirmed), &truths);
            let for_it = if for_it.is_empty() { list(rows, conditions.probable.as_ref(), &truths) } else { for_it };
            return format!("Found: {for_it}. But it may be gone: {said}, and it is not known which was later.");
        }
    }
    if conflicting {
        let against = grounds_in_words(words, rows, VerdictWord::RuledOut);
        let for_it = list(rows, Some(&conditions.confirmed), &truths);
        let for_it = if for_it.is_empty() { list(rows, conditions.probable.as_ref(), &truths) } else { for_it };
        return format!("Both sides hold. For it: {for_it}. Against it: {against}.");
    }
    match verdict {
        VerdictWord::Confirmed => {
            format!("Found: {}.", list(rows, Some(&conditions.confirmed), &truths))
        }
        VerdictWord::Resolved => format!("It is over: {}.", list(rows, conditions.resolved.as_ref(), &truths)),
        VerdictWord::RuledOut => format!("Not this: {}.", grounds_in_words(words, rows, verdict)),
        VerdictWord::Probable => {
            // What would confirm it makes it probable where it is known less closely.
            let by = list(rows, conditions.probable.as_ref().or(Some(&conditions.confirmed)), &truths);
            let open = missing(&conditions.confirmed);
            let soft = || soft(words, rows, &truths);
            if let Some(soft) = open.is_empty().then(soft).flatten() {
                format!(
                    "It rests on {by}. Not confirmed, because only a list or a table tells this, and a part of it may be missing: {soft}."
                )
            } else if open.is_empty() {
                let against = list(rows, Some(&conditions.confirmed), &truths);
                format!("It rests on {by}. Not confirmed, because {against}.")
            } else {
                format!("It rests on {by}. Not confirmed, because this is not known: {open}.")
            }
        }
        VerdictWord::Undecided => {
            let by = match &conditions.suspect {
                Some(condition) => list(rows, Some(condition), &truths),
                None => {
                    let hallmarks = rows.iter().filter(|r| r.hallmark && r.state == EvidenceState::Supports);
                    hallmarks.map(|r| format!("“{}”", r.claim)).collect::<Vec<_>>().join("; ")
                }
            };
            let probable = conditions.probable.as_ref().map(&missing).filter(|open| !open.is_empty());
            let open = probable.unwrap_or_else(|| missing(&conditions.confirmed));
            format!("Suspected because of {by}. Not decided, because this is not known: {open}.")
        }
    }
}

/// What a verdict rests on, claim by claim.
fn grounds_in_words(words: &Words<'_>, rows: &[EvidenceRow], verdict: VerdictWord) -> String {
    let Some((condition, truths)) = ground(words, verdict) else { return String::new() };
    let say = |(index, truth): (usize, Truth)| {
        let row = rows.get(index)?;
        Some(match truth {
            Truth::True => format!("{} ({})", row.claim, row.reason),
            _ => format!("“{}” is not the case ({})", row.claim, row.reason),
        })
    };
    logic::grounds(condition, &truths).into_iter().filter_map(say).collect::<Vec<_>>().join("; ")
}

fn remediation(words: &Words<'_>) -> RemediationInfo {
    let fill = |template: &Template| words.fill(template, None, None);
    let remediation = &words.signature.remediation;
    let step = |step: &RemedyStep| StepInfo {
        action: fill(&step.action),
        command: step.command.as_ref().map(|command| words.fill_command(command, step.risk)),
        because: step.because.as_ref().map(fill),
        risk: step.risk,
        approval: step.approval.clone(),
        before: step.before.clone(),
    };
    let truths: Vec<Truth> = words.held.iter().map(|held| held.truth).collect();
    let holds = |condition: &Condition| logic::evaluate(condition, &truths) == Truth::True;
    let fails = |filter: &[Predicate]| match words.subject.object {
        Some(id) => predicate::holds_all(words.facts, id, filter).truth == Truth::False,
        None => false,
    };
    let advice = |all: &[Advice]| {
        let applies = |advice: &&Advice| {
            advice.when.as_ref().is_none_or(holds)
                && !advice.unless.as_ref().is_some_and(holds)
                && !fails(&advice.filter)
        };
        let told = all.iter().filter(applies);
        told.map(|advice| AdviceInfo { action: fill(&advice.action), because: fill(&advice.because) }).collect()
    };
    let said = said(words);
    let is_meant = |step: &RemedyStep| step.said.as_ref().is_some_and(|regex| regex.is_match(&said) == Some(true));
    let is_known = remediation.steps.iter().any(is_meant);
    let applies = |step: &&RemedyStep| {
        step.when.as_ref().is_none_or(holds) && !step.unless.as_ref().is_some_and(holds) && !fails(&step.filter)
    };
    // Which of several causes it is nobody said: what is right for one of them alone may hurt with another.
    let has = |meant: fn(&RemedyStep) -> bool| remediation.steps.iter().filter(applies).any(meant);
    let is_safe = |step: &RemedyStep| step.risk.is_none_or(|risk| risk == Risk::Safe);
    let (general, safe) = (has(|step| step.said.is_none()), has(is_safe));
    let is_open = |step: &RemedyStep| !is_known && !general && (!safe || is_safe(step));
    let fits = |step: &&RemedyStep| applies(step) && (step.said.is_none() || is_meant(step) || is_open(step));
    let mut steps: Vec<StepInfo> = remediation.steps.iter().filter(fits).map(step).collect();
    if steps.is_empty() {
        // Whoever wrote them thought of other cases; all of them say more than none.
        steps = remediation.steps.iter().map(step).collect();
    }
    tell_calls(words, &mut steps);
    RemediationInfo {
        steps,
        does_not_help: advice(&remediation.does_not_help),
        do_not: advice(&remediation.do_not),
        verify: remediation.verify.iter().map(fill).collect(),
    }
}

/// What the evidence that holds found, in its words: values that it captured, and the lines that it cites.
fn said(words: &Words<'_>) -> String {
    if words.signature.remediation.steps.iter().all(|step| step.said.is_none()) {
        return String::new();
    }
    let holding = words.held.iter().filter(|held| held.truth == Truth::True);
    let texts = holding.flat_map(|held| {
        let captured = held.answered.rows.rows.iter().flat_map(|row| row.values()).cloned();
        captured.chain(held.answered.citations.iter().map(|place| place.excerpt.to_string()))
    });
    texts.collect::<Vec<_>>().join("\n")
}

/// Tells before the first step with a tool or a file that has another name on this product how it is had there.
fn tell_calls(words: &Words<'_>, steps: &mut [StepInfo]) {
    let products = &words.facts.context(words.subject.context).products;
    let mut told = Vec::new();
    for step in steps {
        let mut all = Vec::new();
        for (call, way) in texts::calls(step.command.as_deref().unwrap_or_default(), products) {
            if !told.iter().any(|one| std::ptr::eq(*one, way)) {
                told.push(way);
                all.push(format!("{} {} `{}`", call.action, way.because, way.command));
            }
        }
        step.before.splice(0..0, all);
    }
}

fn relations(signature: &Signature, library: &Library) -> Vec<RelationInfo> {
    let title = |id: &str| library.signatures.iter().find(|s| s.id == id).map(|s| s.title.clone()).unwrap_or_default();
    let info = |relation: &signature::model::Relation| RelationInfo {
        kind: relation.kind,
        to: relation.to.clone(),
        title: title(&relation.to),
        by: relation.by.clone(),
    };
    let mut all: Vec<RelationInfo> = Vec::new();
    // Two signatures can be related over several kinds of match: for a reader that is one relation.
    for relation in signature.relations.iter().map(info) {
        if !all.contains(&relation) {
            all.push(relation);
        }
    }
    all
}

/// The escalation packet, from the verdict on that the signature names. What is ruled out or resolved is
/// escalated to nobody.
fn packet(words: &Words<'_>, rows: &[EvidenceRow], verdict: VerdictWord) -> Option<Packet> {
    let escalation = words.signature.escalation.as_ref()?;
    if verdict > escalation.when || verdict > VerdictWord::Undecided {
        return None;
    }
    let item = |item: &signature::model::PacketItem| {
        let text = match item.from.as_str() {
            "entity" => {
                let entity = entity_info(words);
                format!("{} {} in {}", report::kind_of_one(&entity.kind), report::entity(&entity), entity.context)
            }
            "all" => rows.iter().map(|row| evidence_text(row, item.lines)).collect::<Vec<_>>().join("\n"),
            id => match rows.iter().find(|row| row.id == id) {
                Some(row) => evidence_text(row, item.lines),
                None => "not in this bundle".to_owned(),
            },
        };
        (item.title.clone(), text)
    };
    Some(Packet { to: escalation.to.clone(), items: escalation.include.iter().map(item).collect() })
}

fn evidence_text(row: &EvidenceRow, lines: Option<usize>) -> String {
    let mut text = format!("{}: {} ({})", report::evidence(row.state), row.claim, row.reason);
    for values in &row.shown {
        let values: Vec<String> = values.iter().map(|(path, value)| format!("{path}={value}")).collect();
        text.push_str(&format!("\n  {}", values.join(" ")));
    }
    for citation in row.citations.iter().take(lines.unwrap_or(usize::MAX)) {
        let line = citation.line.map(|line| format!(":{line}")).unwrap_or_default();
        text.push_str(&format!("\n  {}{line}: {}", citation.member, citation.excerpt));
    }
    if row.more > 0 {
        text.push_str(&format!("\n  and {} more", row.more));
    }
    text
}

/// Why an entity that nothing points at could not be decided.
pub(crate) fn not_assessed_reason(words: &Words<'_>, rules: &Rules<'_>) -> String {
    if let Some(cap) = &words.subject.cap {
        return words.why(&cap.why);
    }
    let truths: Vec<Truth> = words.held.iter().map(|held| held.truth).collect();
    let conditions = [rules.conditions.probable.as_ref(), Some(&rules.conditions.confirmed)];
    let open = conditions.into_iter().flatten().map(|c| logic::missing(c, &truths)).find(|open| !open.is_empty());
    words.reasons(&open.unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::says_something;

    #[test]
    fn a_headline_without_its_clauses_says_nothing() {
        assert!(says_something("flux: `apps` is not ready"));
        assert!(!says_something("flux: ") && !says_something(" "));
    }
}
