//! Findings of one signature under one owner, made one finding with a list.
//!
//! Why: the three Machines of a MachineDeployment that never became Nodes are one fault with one cure. Three cards that
//! say the same hide what else there is.
//!
//! Invariants: together go findings of one signature, verdict, cluster and namespace that have the same owner, and
//! nothing or the same finding above them; without an owner, those that the same confirmed finding causes or contains;
//! without either, Nodes and their logs, and Jobs of one name but for its number, of which the same is said, from about the
//! same time on; else none. The first in the order of the report stands for all, the others keep their anchor, headline and
//! proofs in its list. Nothing is decided here. A diagnosis in which nothing goes together stays as it is, and so does
//! one that was gathered before.

use crate::model::{Alike, Diagnosis, EvidenceRow, Finding, OwnerInfo, Proof};
use crate::{seal, words};
use signature::evidence_state::EvidenceState;
use signature::model::{RelationKind, VerdictWord};
use std::collections::BTreeMap;

/// So many seconds after one Node another one may fall to the same blow: what fails behind a switch, a datastore or a roll-out
/// is noticed node by node, by heartbeats and probes that take minutes.
const ONE_BLOW: i64 = 10 * 60;
/// The kind of things of which a program makes many without owning them, each with a number.
const JOBS: &str = "jobs.batch";
/// Citations of one proof of an entity in the list.
const CITATIONS: usize = 2;

/// What findings have in common that go together.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Key<'a> {
    signature: &'a str,
    verdict: VerdictWord,
    conflicting: bool,
    context: &'a str,
    namespace: Option<&'a str>,
    owner: Option<&'a OwnerInfo>,
    /// The finding above them, and how they are folded under it.
    cause: Option<(usize, bool)>,
    /// Of Nodes without either: what is said of them, and the first of those that fell with them.
    blow: Option<(String, i64)>,
}

/// Gathers findings; asks, causes and the order of the findings follow.
pub fn gather(diagnosis: &mut Diagnosis) {
    let contexts: Vec<&str> = diagnosis.contexts.iter().map(|context| context.name.as_str()).collect();
    let first_of = representatives(&diagnosis.findings, &contexts);
    if first_of.iter().enumerate().all(|(at, first)| at == *first) {
        return;
    }
    let order = order(&diagnosis.findings, &first_of);
    let mut place_of: BTreeMap<usize, usize> = BTreeMap::new();
    for (place, at) in order.iter().enumerate() {
        place_of.insert(*at, place);
    }
    let mut left: BTreeMap<usize, Finding> = BTreeMap::new();
    let mut anchors: BTreeMap<String, String> = BTreeMap::new();
    for (at, mut finding) in std::mem::take(&mut diagnosis.findings).into_iter().enumerate() {
        let first = first_of.get(at).copied().unwrap_or(at);
        match left.get_mut(&first).filter(|_| first != at) {
            Some(standing) => {
                anchors.insert(finding.anchor.clone(), standing.anchor.clone());
                standing.alike.push(alike(finding));
            }
            None => {
                let cause = finding.caused_by.and_then(|cause| first_of.get(cause));
                finding.caused_by = cause.and_then(|cause| place_of.get(cause).copied());
                left.insert(at, finding);
            }
        }
    }
    for finding in left.values_mut().filter(|finding| !finding.alike.is_empty() && finding.own_headline.is_empty()) {
        finding.own_headline = finding.headline().to_owned();
        finding.headline = headline(finding);
        seal::seal_text(&mut finding.headline);
    }
    diagnosis.findings = order.into_iter().filter_map(|at| left.remove(&at)).collect();
    for ask in &mut diagnosis.asks {
        let mut decides: Vec<String> = Vec::new();
        for anchor in std::mem::take(&mut ask.decides) {
            let anchor = anchors.get(&anchor).cloned().unwrap_or(anchor);
            if !decides.contains(&anchor) {
                decides.push(anchor);
            }
        }
        ask.decides = decides;
    }
}

/// For each finding the one that stands for it, itself if none does.
pub(crate) fn representatives(findings: &[Finding], contexts: &[&str]) -> Vec<usize> {
    // Two bundles can name their clusters alike, and an entity names its cluster alone.
    let is_one = |name: &str| contexts.iter().filter(|context| **context == name).count() < 2;
    let blows = blows(findings);
    let mut firsts: BTreeMap<Key<'_>, usize> = BTreeMap::new();
    let mut first_of: Vec<usize> = Vec::with_capacity(findings.len());
    for (at, finding) in findings.iter().enumerate() {
        // A cause stands before what it causes, so it is known by now what stands for it.
        let cause = finding.caused_by.and_then(|cause| first_of.get(cause).copied());
        let certain = cause.and_then(|cause| findings.get(cause)).is_some_and(is_certain);
        let blow = blows.get(&at).cloned();
        let tied = finding.owner.is_some() || certain || blow.is_some();
        let first = match tied && is_one(&finding.entity.context) {
            true => *firsts.entry(Key { blow, ..key(finding, cause) }).or_insert(at),
            false => at,
        };
        first_of.push(first);
    }
    first_of
}

fn key(finding: &Finding, cause: Option<usize>) -> Key<'_> {
    Key {
        signature: &finding.signature.id,
        verdict: finding.verdict,
        conflicting: finding.conflicting,
        context: &finding.entity.context,
        namespace: finding.entity.namespace.as_deref(),
        owner: finding.owner.as_ref(),
        cause: cause.map(|cause| (cause, finding.folded_by == Some(RelationKind::Implies))),
        blow: None,
    }
}

/// Of each Node, and of each Job of a series, without an owner and a cause, what is said of it but for names and numbers, and
/// when the first of those fell of which the same is said.
fn blows(findings: &[Finding]) -> BTreeMap<usize, (String, i64)> {
    // When each fell of which the same is said: signature, cluster, words.
    type Fallen = Vec<(i64, usize)>;
    let mut by_words: BTreeMap<(&str, &str, String), Fallen> = BTreeMap::new();
    for (at, finding) in findings.iter().enumerate() {
        let alone = finding.stands() && finding.owner.is_none() && finding.caused_by.is_none();
        let of_node = finding.entity.kind == "nodes" || finding.entity.kind.contains(' ');
        // `score-88112` and `score-88113` were made by one thing, which tells of none of them.
        let series = finding.entity.name.trim_end_matches(|c: char| c.is_ascii_digit());
        let of_series = finding.entity.kind == JOBS && series != finding.entity.name && series.ends_with('-');
        let since = finding.since.as_deref().and_then(|since| since.parse::<jiff::Timestamp>().ok());
        if let Some(since) = since.filter(|_| alone && (of_node || of_series)) {
            let words = finding
                .headline()
                .replace(&format!("`{}`", finding.entity.name), "`")
                .replace(|c: char| c.is_ascii_digit(), "");
            let words = if of_series { format!("{series} {words}") } else { words };
            let key = (finding.signature.id.as_str(), finding.entity.context.as_str(), words);
            by_words.entry(key).or_default().push((since.as_second(), at));
        }
    }
    let mut blows = BTreeMap::new();
    for ((.., words), mut fallen) in by_words {
        fallen.sort_unstable();
        let mut first = i64::MIN;
        let mut last = i64::MIN;
        for (since, at) in fallen {
            if since.saturating_sub(last) > ONE_BLOW {
                first = since;
            }
            last = since;
            blows.insert(at, (words.clone(), first));
        }
    }
    blows
}

/// Can it be what several entities have in common?
fn is_certain(finding: &Finding) -> bool {
    finding.verdict == VerdictWord::Confirmed && !finding.conflicting
}

/// The findings that stand, what is folded under each directly after it.
pub(crate) fn order(findings: &[Finding], first_of: &[usize]) -> Vec<usize> {
    let stands = |at: &usize| first_of.get(*at) == Some(at);
    let mut below: BTreeMap<Option<usize>, Vec<usize>> = BTreeMap::new();
    for (at, finding) in findings.iter().enumerate().filter(|(at, _)| stands(at)) {
        let cause = finding.caused_by.and_then(|cause| first_of.get(cause)).copied();
        below.entry(cause).or_default().push(at);
    }
    let mut order = Vec::with_capacity(findings.len());
    let mut waiting: Vec<usize> = below.remove(&None).into_iter().flatten().rev().collect();
    while let Some(at) = waiting.pop() {
        order.push(at);
        waiting.extend(below.remove(&Some(at)).into_iter().flatten().rev());
    }
    // A diagnosis read from a file may go in circles: none of it may be lost.
    order.extend(below.into_values().flatten());
    order
}

/// What is kept of a finding that another one stands for.
fn alike(finding: Finding) -> Alike {
    let headline = finding.headline().to_owned();
    let against = finding.verdict == VerdictWord::RuledOut;
    let carries = |row: &EvidenceRow| match row.state {
        EvidenceState::Supports => true,
        EvidenceState::Contradicts => against,
        EvidenceState::Unknown => false,
    };
    let proof = |mut row: EvidenceRow| {
        let beyond = row.citations.len().saturating_sub(CITATIONS) as u64;
        row.citations.truncate(CITATIONS);
        Proof { id: row.id, state: row.state, claim: row.claim, citations: row.citations, more: row.more + beyond }
    };
    let proofs = finding.evidence.into_iter().filter(carries).map(proof).collect();
    Alike { anchor: finding.anchor, entity: finding.entity, headline, proofs }
}

/// How many, of whom, and what is true of them; what is true of each is said once.
fn headline(finding: &Finding) -> String {
    let (own, whose) = (&finding.own_headline, words::of_whom(finding));
    if !says_once(finding) {
        return format!("{whose}, the first of them: {own}");
    }
    let name = format!("`{}`", finding.entity.name);
    let subject = match own.split_once(&name) {
        None => return format!("{whose}: {own}"),
        Some((before, after)) if is_subject(before.trim_end(), &finding.entity.kind) => after.strip_prefix(' '),
        Some(_) => None,
    };
    match subject.filter(|rest| rest.starts_with(|c: char| c.is_lowercase()) && !rest.contains(&name)) {
        Some(rest) => format!("{whose}: each {rest}"),
        None => format!("{whose}: {own}; the same holds for the others"),
    }
}

/// Is this, before a name, no more than what the thing is called?
fn is_subject(before: &str, kind: &str) -> bool {
    before.is_empty() || before.eq_ignore_ascii_case(&words::noun(kind, 1))
}

/// Do the headlines of all entities say the same, but for their names? One of them is then enough.
pub fn says_once(finding: &Finding) -> bool {
    let bare = |headline: &str, name: &str| headline.replace(&format!("`{name}`"), "`");
    let own = bare(&finding.own_headline, &finding.entity.name);
    finding.alike.iter().all(|other| bare(&other.headline, &other.entity.name) == own)
}
