//! A diagnosis that a person can open, whatever the bundle: long lists keep their first rows and count the rest.
//!
//! Why: in a large cluster one cause has twenty thousand victims, and in an archive of a stranger a million names of
//! three thousand bytes are not read. Neither makes a report of hundreds of megabytes useful.
//!
//! Invariants: the first rows are those of the worst verdicts, in the order of the diagnosis; what is not listed is
//! counted in [`Diagnosis::more`], by what a reader would ask for; the sentence of the answer, the worst verdict of each
//! signature and everything within the bounds stay as they are; bounding twice changes nothing.

use crate::model::{CitationInfo, Diagnosis, EntityInfo, Finding, NotAssessed};
use crate::more::{MoreFindings, MoreNotAssessed, MoreUnread};
use crate::words;
use signature::model::VerdictWord;
use std::collections::BTreeMap;

/// Findings of one signature that are listed; the same of what was not assessed.
pub const FINDINGS: usize = 50;
/// Findings of all signatures: where there are more, each signature lists fewer, down to [`FEWEST`].
pub const ALL_FINDINGS: usize = 150;
/// Findings of one signature that are listed however many signatures there are.
pub const FEWEST: usize = 10;
/// Entities that the lists of all findings name: where there are more, each list names fewer, down to [`FEWEST`].
pub const ALL_ALIKE: usize = 500;
/// Parts that were not read and are listed.
pub const UNREAD: usize = 1_000;
/// Rows of every other list.
pub const ROWS: usize = 1_000;
/// Commands that are listed as the next to run.
pub const ASKS: usize = 200;
/// Characters of a name.
pub const NAME: usize = 200;
/// Names of entities that are given where they are counted.
const FIRST_NAMES: usize = 10;
/// Reasons under which unread parts are counted.
const REASONS: usize = 100;
/// The reason of what is counted beyond these.
const OTHER_REASONS: &str = "other reasons";

/// Bounds every list and every name.
pub fn bound(diagnosis: &mut Diagnosis) {
    findings(diagnosis);
    alike(diagnosis);
    not_assessed(diagnosis);
    unread(diagnosis);
    let Diagnosis { asks, coverage, logs, conflicts, limits_hit, more, .. } = diagnosis;
    let mut cut = |name: &str, beyond: usize| {
        if beyond > 0 {
            *more.rows.entry(name.to_owned()).or_default() += beyond as u64;
        }
    };
    cut("asks", truncate(asks, ASKS));
    cut("coverage", truncate(coverage, ROWS));
    cut("logs", truncate(logs, ROWS));
    cut("conflicts", truncate(conflicts, ROWS));
    cut("limits_hit", truncate(limits_hit, ROWS));
    names(diagnosis);
}

/// Cuts a list; gives how many rows that took.
fn truncate<T>(rows: &mut Vec<T>, most: usize) -> usize {
    let beyond = rows.len().saturating_sub(most);
    rows.truncate(most);
    beyond
}

/// The order in which findings are kept.
fn rank(verdict: VerdictWord) -> usize {
    words::VERDICTS.iter().position(|other| *other == verdict).unwrap_or_default()
}

/// Which findings are listed, of these in the order of the report: by their signatures and verdicts.
pub(crate) fn kept(rows: &[(&str, VerdictWord)]) -> Vec<bool> {
    let mut order: Vec<usize> = (0..rows.len()).collect();
    // Stable: equals stay in their order.
    order.sort_by_key(|at| rows.get(*at).map(|(_, verdict)| rank(*verdict)));
    let mut of_each: BTreeMap<&str, usize> = BTreeMap::new();
    for (signature, _) in rows {
        *of_each.entry(signature).or_default() += 1;
    }
    let most = shared(of_each.into_values(), ALL_FINDINGS);
    let mut listed: BTreeMap<&str, usize> = BTreeMap::new();
    let mut kept = vec![false; rows.len()];
    for at in order {
        let Some((signature, _)) = rows.get(at) else { continue };
        let number = listed.entry(signature).or_default();
        *number += 1;
        if let Some(kept) = kept.get_mut(at) {
            *kept = *number <= most;
        }
    }
    kept
}

/// How many of each of several lists of what findings stand for are listed.
pub(crate) fn most_alike(lengths: impl Iterator<Item = usize>) -> usize {
    shared(lengths, ALL_ALIKE)
}

/// How many rows each of several lists may have, for all of them to have so many.
fn shared(lengths: impl Iterator<Item = usize>, all: usize) -> usize {
    let lengths: Vec<usize> = lengths.collect();
    let listed = |most: usize| lengths.iter().map(|length| (*length).min(most)).sum::<usize>();
    (FEWEST..=FINDINGS).rev().find(|most| listed(*most) <= all).unwrap_or(FEWEST)
}

/// Bounds the lists of what findings stand for.
fn alike(diagnosis: &mut Diagnosis) {
    let most = most_alike(diagnosis.findings.iter().map(|finding| finding.alike.len()));
    for finding in &mut diagnosis.findings {
        finding.more_alike += truncate(&mut finding.alike, most) as u64;
    }
}

fn findings(diagnosis: &mut Diagnosis) {
    let rows: Vec<(&str, VerdictWord)> =
        diagnosis.findings.iter().map(|finding| (finding.signature.id.as_str(), finding.verdict)).collect();
    let kept = kept(&rows);
    if !kept.contains(&false) {
        return;
    }
    let mut place = Vec::with_capacity(kept.len());
    let mut next = 0;
    for kept in &kept {
        place.push(kept.then_some(next));
        next += usize::from(*kept);
    }
    let mut counted: BTreeMap<(String, usize), MoreFindings> = BTreeMap::new();
    let mut left: Vec<Finding> = Vec::with_capacity(next);
    for (mut finding, kept) in std::mem::take(&mut diagnosis.findings).into_iter().zip(kept) {
        if kept {
            finding.caused_by = finding.caused_by.and_then(|cause| place.get(cause).copied().flatten());
            if finding.caused_by.is_none() {
                finding.folded_by = None;
            }
            left.push(finding);
            continue;
        }
        let key = (finding.signature.id.clone(), rank(finding.verdict));
        let row = counted.entry(key).or_insert_with(|| MoreFindings {
            signature: finding.signature.id.clone(),
            title: finding.signature.title.clone(),
            severity: finding.signature.severity,
            verdict: finding.verdict,
            count: 0,
            entities: 0,
            first: Vec::new(),
        });
        row.count += 1;
        row.entities += finding.entities();
        if row.first.len() < FIRST_NAMES {
            row.first.push(format!("{} in {}", words::entities(&finding), finding.entity.context));
        }
    }
    for row in counted.values_mut().filter(|row| row.entities == row.count) {
        row.entities = 0;
    }
    diagnosis.findings = left;
    diagnosis.more.findings.extend(counted.into_values());
    let known: std::collections::BTreeSet<&str> =
        diagnosis.findings.iter().map(|finding| finding.anchor.as_str()).collect();
    for ask in &mut diagnosis.asks {
        ask.decides.retain(|anchor| known.contains(anchor.as_str()));
    }
}

fn not_assessed(diagnosis: &mut Diagnosis) {
    let mut listed: BTreeMap<String, usize> = BTreeMap::new();
    list_not_assessed(diagnosis, |row| {
        let number = listed.entry(row.signature.clone()).or_default();
        *number += 1;
        *number <= FINDINGS
    });
}

/// Lists what was not assessed only where it `stays`, and counts the rest.
pub fn list_not_assessed(diagnosis: &mut Diagnosis, mut stays: impl FnMut(&NotAssessed) -> bool) {
    let counted = std::mem::take(&mut diagnosis.more.not_assessed);
    let mut counted: BTreeMap<String, MoreNotAssessed> =
        counted.into_iter().map(|more| (more.signature.clone(), more)).collect();
    diagnosis.not_assessed.retain(|row| {
        let stays = stays(row);
        if !stays {
            let more = counted.entry(row.signature.clone()).or_insert_with(|| MoreNotAssessed {
                signature: row.signature.clone(),
                count: 0,
                first: Vec::new(),
            });
            more.count += 1;
            if more.first.len() < FIRST_NAMES {
                more.first.push(format!("{} in {}", words::entity(&row.entity), row.entity.context));
            }
        }
        stays
    });
    diagnosis.more.not_assessed.extend(counted.into_values());
}

fn unread(diagnosis: &mut Diagnosis) {
    if diagnosis.unread.len() <= UNREAD {
        return;
    }
    // What was lost says more than what has no use.
    diagnosis.unread.sort_by_key(|row| !words::is_loss(row.cause));
    let mut counted: Vec<MoreUnread> = Vec::new();
    let mut places: BTreeMap<(String, Option<facts::unread::Cause>), usize> = BTreeMap::new();
    for row in diagnosis.unread.drain(UNREAD..) {
        let reason = if places.len() < REASONS { row.reason } else { OTHER_REASONS.to_owned() };
        let at = *places.entry((reason.clone(), row.cause)).or_insert_with(|| {
            counted.push(MoreUnread { reason, cause: row.cause, count: 0 });
            counted.len() - 1
        });
        if let Some(more) = counted.get_mut(at) {
            more.count += 1;
        }
    }
    diagnosis.unread.sort();
    counted.sort_by(|a, b| (std::cmp::Reverse(a.count), &a.reason).cmp(&(std::cmp::Reverse(b.count), &b.reason)));
    diagnosis.more.unread.extend(counted);
}

/// Bounds names: of members, entities and what else the bundle names, and of long words in sentences.
fn names(diagnosis: &mut Diagnosis) {
    let Diagnosis { bundles, contexts, findings, not_assessed, asks, further, summary, more, .. } = diagnosis;
    for bundle in bundles {
        name(&mut bundle.name);
        bundle.damage.iter_mut().for_each(sentence);
    }
    contexts.iter_mut().for_each(|context| name(&mut context.name));
    for finding in findings {
        name(&mut finding.anchor);
        entity(&mut finding.entity);
        if let Some(owner) = &mut finding.owner {
            [&mut owner.kind, &mut owner.group, &mut owner.name].into_iter().for_each(name);
        }
        for text in [&mut finding.headline, &mut finding.own_headline, &mut finding.explanation, &mut finding.reason] {
            sentence(text);
        }
        for other in &mut finding.alike {
            name(&mut other.anchor);
            entity(&mut other.entity);
            sentence(&mut other.headline);
            for proof in &mut other.proofs {
                sentence(&mut proof.claim);
                proof.citations.iter_mut().for_each(citation);
            }
        }
        for row in &mut finding.evidence {
            sentence(&mut row.claim);
            sentence(&mut row.reason);
            row.citations.iter_mut().for_each(citation);
        }
    }
    for row in not_assessed {
        entity(&mut row.entity);
        sentence(&mut row.reason);
    }
    asks.iter_mut().flat_map(|ask| &mut ask.decides).for_each(name);
    further.iter_mut().for_each(|row| name(&mut row.context));
    summary.primary.iter_mut().for_each(name);
    let counted = more.findings.iter_mut().flat_map(|row| &mut row.first);
    counted.chain(more.not_assessed.iter_mut().flat_map(|row| &mut row.first)).for_each(sentence);
    more.unread.iter_mut().for_each(|row| sentence(&mut row.reason));
    sentence(&mut diagnosis.answer);
    names_of_rows(diagnosis);
}

/// The same for the lists that describe the bundle.
fn names_of_rows(diagnosis: &mut Diagnosis) {
    for row in &mut diagnosis.coverage {
        for text in [&mut row.context, &mut row.kind, &mut row.namespaces, &mut row.member] {
            name(text);
        }
        row.detail.iter_mut().for_each(sentence);
    }
    for row in &mut diagnosis.logs {
        name(&mut row.context);
        name(&mut row.stream);
        row.members.iter_mut().for_each(name);
    }
    for row in &mut diagnosis.unread {
        name(&mut row.member);
        sentence(&mut row.reason);
    }
    for row in &mut diagnosis.limits_hit {
        row.member.iter_mut().for_each(name);
        sentence(&mut row.what);
    }
    for row in &mut diagnosis.conflicts {
        name(&mut row.object);
        name(&mut row.path);
        row.values.iter_mut().for_each(|(_, place)| citation(place));
    }
    for row in &mut diagnosis.anomalies {
        name(&mut row.context);
        sentence(&mut row.subject);
        row.citation.iter_mut().for_each(citation);
    }
    for row in &mut diagnosis.loudest {
        name(&mut row.context);
        sentence(&mut row.stream);
        sentence(&mut row.text);
        citation(&mut row.citation);
    }
    let timeline = &mut diagnosis.timeline;
    timeline.lanes.iter_mut().for_each(|lane| [&mut lane.name, &mut lane.context].into_iter().for_each(name));
    timeline.rates.iter_mut().for_each(|rate| [&mut rate.lane, &mut rate.context].into_iter().for_each(name));
    for event in &mut timeline.events {
        name(&mut event.context);
        sentence(&mut event.subject);
        sentence(&mut event.text);
        event.citation.iter_mut().for_each(citation);
    }
    for table in &mut diagnosis.inventory {
        name(&mut table.context);
        table.rows.iter_mut().flatten().for_each(sentence);
    }
}

fn entity(entity: &mut EntityInfo) {
    for text in [&mut entity.kind, &mut entity.name, &mut entity.context] {
        name(text);
    }
    entity.namespace.iter_mut().for_each(name);
}

fn citation(citation: &mut CitationInfo) {
    name(&mut citation.member);
    citation.path.iter_mut().for_each(name);
    citation.before.iter_mut().chain(&mut citation.after).chain([&mut citation.object]).for_each(sentence);
}

/// Leaves out the middle of a name that is too long.
pub fn name(text: &mut String) {
    if text.len() <= NAME || text.chars().count() <= NAME {
        return;
    }
    let chars: Vec<char> = text.chars().collect();
    let (begin, end) = (NAME / 2, NAME - NAME / 2 - 1);
    let tail = chars.get(chars.len() - end..).unwrap_or_default();
    *text = chars.iter().take(begin).chain(&['…']).chain(tail).collect();
}

/// Does so with the words of a text, which white space parts.
pub fn sentence(text: &mut String) {
    if text.split(char::is_whitespace).all(|word| word.len() <= NAME) {
        return;
    }
    let shortened = |piece: &str| {
        let word = piece.trim_end_matches(char::is_whitespace);
        let mut short = word.to_owned();
        name(&mut short);
        short + piece.get(word.len()..).unwrap_or_default()
    };
    *text = text.split_inclusive(char::is_whitespace).map(shortened).collect();
}

#[cfg(test)]
mod tests {
    use super::{NAME, name, sentence};

    #[test]
    fn a_long_name_loses_its_middle_and_a_sentence_its_long_words() {
        let long = format!("{}漢{}", "a".repeat(150), "z".repeat(150));
        let mut short = long.clone();
        name(&mut short);
        assert_eq!(short, format!("{}…{}", "a".repeat(100), "z".repeat(99)));
        let mut again = short.clone();
        name(&mut again);
        assert_eq!((again.chars().count(), again), (NAME, short.clone()));
        let mut text = format!("Pod  `{long}`\n fails.");
        sentence(&mut text);
        assert!(text.starts_with("Pod  `aaa") && text.ends_with("zz`\n fails.") && text.contains('…'), "{text}");
        let mut whole = "nothing  to cut \n".to_owned();
        sentence(&mut whole);
        assert_eq!(whole, "nothing  to cut \n");
    }
}
