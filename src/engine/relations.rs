//! How findings hang together: consequences are folded under their cause, and the order of the report.
//!
//! Invariants: only a confirmed or probable finding is a cause, and what is ruled out or resolved is no
//! consequence; following `caused_by` always ends; the order depends on the findings alone. A cause is as severe as the
//! worst that follows from it, so that a small fault that broke much does not stand behind others; a note stays one. Of those
//! that are alike in this the one from which most follows stands first. What is undecided stands behind what is confirmed or
//! probable.

use crate::alike;
use crate::asks::Command;
use crate::binding;
use crate::connections;
use crate::entity::Subject;
use crate::evidence::Held;
use crate::log_query::Unnamed;
use crate::logic::Truth;
use crate::ties;
use catalogue::kinds::Catalogue;
use diagnosis::model::{Finding, NotAssessed};
use facts::masked_text;
use facts::object::ContextId;
use facts::origin::MemberId;
use facts::path::{Path, Step};
use facts::store::Facts;
use signature::model::{Operand, RelationKind, Severity, Signature, VerdictWord};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// A finding with what of its evidence is still asked for.
#[derive(Debug)]
pub struct Decided<'a> {
    /// It, or in brief ([`crate::brief`]).
    pub finding: Finding,
    pub signature: &'a Signature,
    /// Its entity.
    pub subject: Subject,
    /// The captured values that relations compare, by name.
    pub captured: BTreeMap<String, BTreeSet<String>>,
    /// The long values among all that its evidence captured: what somebody said of it, in his words. None of a brief finding.
    pub quoted: BTreeSet<String>,
    /// Where what speaks for it stands.
    pub places: BTreeSet<(MemberId, u32)>,
    /// The commands that it asks for.
    pub wants: Vec<Arc<Command>>,
    /// The finding is brief; and whose lines that name nobody are.
    pub brief: Option<Unnamed>,
    /// Clauses of its headline for which nothing is known.
    pub untold: usize,
    /// What speaks for it stands where somebody looked closer ([`crate::closer_look`]).
    pub looked_at: bool,
}

/// The values of those names that a piece of evidence captured.
pub(crate) fn captured(held: &[Held], names: &BTreeSet<String>) -> BTreeMap<String, BTreeSet<String>> {
    let mut all: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for (name, value) in held.iter().flat_map(|held| &held.answered.rows.rows).flatten() {
        // Two that are masked look alike and may be two.
        if names.contains(name) && masked_text::masked(value).is_none() {
            all.entry(name.clone()).or_default().insert(value.clone());
        }
    }
    all
}

/// The values that evidence captured and that are long enough to be known again.
pub(crate) fn quoted(held: &[Held]) -> BTreeSet<String> {
    let supporting = held.iter().filter(|held| held.answered.truth == Truth::True);
    let values = supporting.flat_map(|held| held.answered.rows.rows.iter().flatten()).map(|(_, value)| value);
    values.filter(|value| last_words(value).is_some()).take(MOST_QUOTED).cloned().collect()
}

/// Where the evidence stands that supports a finding.
pub(crate) fn places(held: &[Held]) -> BTreeSet<(MemberId, u32)> {
    let supporting = held.iter().filter(|held| held.answered.truth == Truth::True);
    supporting.flat_map(|held| &held.answered.citations).map(|place| (place.member, place.line)).collect()
}

impl Decided<'_> {
    fn order(&self) -> impl Ord + '_ {
        let severity: Severity = self.finding.signature.severity;
        // What is open stands behind what is not, however bad it would be, and notes stand behind both.
        let weight = (severity == Severity::Info, self.finding.verdict == VerdictWord::Undecided, severity);
        // A general finding stands behind what signatures know, however sure it is.
        let rank = (self.signature.general, self.finding.verdict);
        // Of alike findings the one whose reason is known says most.
        (self.section(), weight, rank, !self.looked_at, &self.signature.id, self.untold, self.subject.order())
    }

    /// How it stands to others of its severity: what is open, general or less sure stands behind.
    fn standing(&self) -> impl Ord + use<> {
        (self.finding.verdict == VerdictWord::Undecided, self.signature.general, self.finding.verdict)
    }

    /// What may hold, what is over, what was excluded.
    fn section(&self) -> u8 {
        match self.finding.verdict {
            VerdictWord::Confirmed | VerdictWord::Probable | VerdictWord::Undecided => 0,
            VerdictWord::Resolved => 1,
            VerdictWord::RuledOut => 2,
        }
    }

    pub(crate) fn can_cause(&self) -> bool {
        matches!(self.finding.verdict, VerdictWord::Confirmed | VerdictWord::Probable)
    }

    pub(crate) fn can_follow(&self) -> bool {
        self.can_cause() || self.finding.verdict == VerdictWord::Undecided
    }
}

/// Sorts findings, root causes first and consequences directly after their cause, and fills in
/// `caused_by` and `folded_by`.
pub fn fold<'a>(facts: &Facts, catalogue: &Catalogue, mut all: Vec<Decided<'a>>) -> Vec<Decided<'a>> {
    all.sort_by(|a, b| a.order().cmp(&b.order()));
    let causes = causes(facts, catalogue, &all);
    let severities = severities(&all, &causes);
    for (decided, severity) in all.iter_mut().zip(&severities) {
        decided.finding.severity = *severity;
    }
    let mut following: BTreeMap<Option<usize>, Vec<usize>> = BTreeMap::new();
    for (index, cause) in causes.iter().enumerate() {
        following.entry(cause.map(|(cause, _)| cause)).or_default().push(index);
    }
    let effects = effects(&causes);
    for list in following.values_mut() {
        list.sort_by_key(|index| {
            let own = all.get(*index).map(|decided| (decided.section(), decided.finding.severity, decided.standing()));
            (own, Reverse(effects.get(*index).copied().unwrap_or_default()))
        });
    }
    let mut order = Vec::with_capacity(all.len());
    let mut waiting: Vec<usize> = following.get(&None).into_iter().flatten().rev().copied().collect();
    while let Some(index) = waiting.pop() {
        order.push(index);
        waiting.extend(following.get(&Some(index)).into_iter().flatten().rev());
    }
    let mut place_of = vec![0; all.len()];
    for (place, index) in order.iter().enumerate() {
        if let Some(slot) = place_of.get_mut(*index) {
            *slot = place;
        }
    }
    let mut folded: Vec<(usize, Decided<'a>)> = Vec::with_capacity(all.len());
    for (index, mut decided) in all.into_iter().enumerate() {
        let cause = causes.get(index).copied().flatten();
        decided.finding.caused_by = cause.and_then(|(cause, _)| place_of.get(cause).copied());
        decided.finding.folded_by = cause.map(|(_, kind)| kind);
        folded.push((place_of.get(index).copied().unwrap_or(index), decided));
    }
    folded.sort_by_key(|(place, _)| *place);
    folded.into_iter().map(|(_, decided)| decided).collect()
}

/// Takes out what is undecided and only another form of a fault that is found: which fault it is, is known. Each is told as
/// not assessed, with its reason. `all` is folded.
pub(crate) fn take_answered(all: &mut Vec<Decided<'_>>) -> Vec<NotAssessed> {
    let causes: BTreeSet<usize> = all.iter().filter_map(|decided| decided.finding.caused_by).collect();
    let found: Vec<Option<String>> = all.iter().map(|decided| found_as(&decided.finding)).collect();
    let answer = |index: usize, finding: &Finding| {
        let is_form = finding.folded_by == Some(RelationKind::Implies) && !causes.contains(&index);
        let open = is_form && finding.verdict == VerdictWord::Undecided;
        found.get(finding.caused_by.filter(|_| open)?)?.clone()
    };
    let mut place = 0;
    let mut place_of = Vec::with_capacity(all.len());
    let mut told = Vec::new();
    for (index, decided) in all.iter().enumerate() {
        place_of.push(place);
        match answer(index, &decided.finding) {
            Some(cause) => told.push((index, cause)),
            None => place += 1,
        }
    }
    if told.is_empty() {
        return Vec::new();
    }
    let mut reasons = told.into_iter().peekable();
    let mut taken = Vec::new();
    for (index, mut decided) in std::mem::take(all).into_iter().enumerate() {
        match reasons.next_if(|(at, _)| *at == index) {
            Some((_, cause)) => taken.push(NotAssessed {
                signature: decided.signature.id.clone(),
                entity: decided.finding.entity,
                reason: format!("{cause}, and this would be the same fault"),
            }),
            None => {
                decided.finding.caused_by = decided.finding.caused_by.and_then(|cause| place_of.get(cause).copied());
                all.push(decided);
            }
        }
    }
    taken
}

/// How the reason names a finding.
fn found_as(finding: &Finding) -> Option<String> {
    let word = match finding.verdict {
        VerdictWord::Confirmed => "confirmed",
        VerdictWord::Probable => "probable",
        _ => return None,
    };
    Some(format!("{} of `{}` is {word}", finding.signature.id, finding.entity.name))
}

/// How much follows from each finding, over all steps.
fn effects(causes: &[Option<(usize, RelationKind)>]) -> Vec<usize> {
    let mut count = vec![0; causes.len()];
    for cause in causes {
        let mut at = *cause;
        while let Some((cause, _)) = at {
            if let Some(slot) = count.get_mut(cause) {
                *slot += 1;
            }
            at = causes.get(cause).copied().flatten();
        }
    }
    count
}

/// How severe each finding is with what is folded under it and stands.
fn severities(all: &[Decided<'_>], causes: &[Option<(usize, RelationKind)>]) -> Vec<Severity> {
    let own: Vec<Severity> = all.iter().map(|decided| decided.finding.signature.severity).collect();
    let mut worst = own.clone();
    for (index, decided) in all.iter().enumerate().filter(|(_, decided)| decided.can_cause()) {
        let severity = decided.finding.signature.severity;
        let mut at = causes.get(index).copied().flatten();
        while let Some((cause, _)) = at {
            if let Some(slot) = worst.get_mut(cause).filter(|_| own.get(cause) != Some(&Severity::Info)) {
                *slot = (*slot).min(severity);
            }
            at = causes.get(cause).copied().flatten();
        }
    }
    worst
}

/// For each finding the one that causes or contains it, and which of the two. Among several the nearest: one
/// that has itself a cause among them is nearer; then the order of the report decides. Where several relations
/// connect the same two, the first one in the file of the cause counts.
fn causes(facts: &Facts, catalogue: &Catalogue, all: &[Decided<'_>]) -> Vec<Option<(usize, RelationKind)>> {
    let mut candidates = connections::candidates(facts, all);
    for (effect, cause) in ties::pairs(facts, all) {
        if let Some(list) = candidates.get_mut(effect).filter(|list| list.iter().all(|(known, _)| *known != cause)) {
            list.push((cause, RelationKind::Causes));
        }
    }
    let follows: Vec<bool> = candidates.iter().map(|list| !list.is_empty()).collect();
    for (index, cause) in said_better(facts, catalogue, all, &follows).into_iter().chain(alike::pairs(all)) {
        if let Some(list) = candidates.get_mut(index).filter(|list| list.is_empty()) {
            list.push((cause, RelationKind::Implies));
        }
    }
    let mut causes: Vec<Option<(usize, RelationKind)>> = vec![None; all.len()];
    for effect in 0..all.len() {
        let Some(list) = candidates.get(effect) else { continue };
        let among: BTreeSet<usize> = list.iter().map(|(index, _)| *index).collect();
        let is_downstream = |(index, _): &&(usize, RelationKind)| {
            candidates.get(*index).is_some_and(|upstream| upstream.iter().any(|(other, _)| among.contains(other)))
        };
        let mut nearest_first = list.iter().filter(is_downstream).chain(list);
        let nearest = nearest_first.find(|(cause, _)| !leads_to(&causes, *cause, effect));
        if let Some(slot) = causes.get_mut(effect) {
            *slot = nearest.copied();
        }
    }
    for (effect, cause) in of_siblings(all, &causes) {
        if !leads_to(&causes, cause.0, effect)
            && let Some(slot) = causes.get_mut(effect)
        {
            *slot = Some(cause);
        }
    }
    causes
}

/// For each finding without a cause that of its siblings: what one owner made of one template fails alike, also where only one of
/// them was looked at. Only a cause in their own namespace is that of all; what is wrong with a Node meets those that run there.
fn of_siblings(all: &[Decided<'_>], causes: &[Option<(usize, RelationKind)>]) -> Vec<(usize, (usize, RelationKind))> {
    let family = |decided: &Decided<'_>| {
        let owner = decided.finding.owner.as_ref().filter(|_| decided.can_follow())?;
        let namespace = decided.subject.namespace.clone()?;
        let of = (owner.kind.clone(), owner.group.clone(), owner.name.clone());
        Some((decided.subject.context, namespace, of, decided.signature.id.clone(), decided.finding.verdict))
    };
    let mut known: BTreeMap<_, BTreeSet<(usize, RelationKind)>> = BTreeMap::new();
    for (decided, cause) in all.iter().zip(causes) {
        if let (Some(family), Some(cause)) = (family(decided), cause) {
            known.entry(family).or_default().insert(*cause);
        }
    }
    let of_one = |(index, decided): (usize, &Decided<'_>)| {
        let family = family(decided).filter(|_| causes.get(index).is_some_and(Option::is_none))?;
        let mut theirs = known.get(&family)?.iter();
        let (Some((cause, kind)), None) = (theirs.next(), theirs.next()) else { return None };
        let is_near = all.get(*cause).is_some_and(|cause| cause.subject.namespace == decided.subject.namespace);
        (is_near && *kind == RelationKind::Causes).then_some((index, (*cause, *kind)))
    };
    all.iter().enumerate().filter_map(of_one).collect()
}

/// For each general finding the first of another signature that speaks of the same line, log or object. What is open can be
/// that one if it `follows` from what is not.
fn said_better(facts: &Facts, catalogue: &Catalogue, all: &[Decided<'_>], follows: &[bool]) -> Vec<(usize, usize)> {
    let subjects = Path(vec![Step::Field("spec".to_owned()), Step::Field("subjects".to_owned()), Step::All]);
    let said = Path(vec![Step::Field("status".to_owned()), Step::Field("says".to_owned())]);
    let is_general = |decided: &Decided<'_>| decided.signature.general && decided.can_follow();
    if !all.iter().any(is_general) {
        return Vec::new();
    }
    // By what another one could be found, the first in the list that has it.
    let crowded = crowded(facts);
    let mut by_place: BTreeMap<(ContextId, (MemberId, u32)), usize> = BTreeMap::new();
    let mut by_key: BTreeMap<(ContextId, String), usize> = BTreeMap::new();
    let is_known = |index: usize, other: &Decided<'_>| {
        let follows = follows.get(index) == Some(&true) && other.can_follow();
        !other.signature.general && (other.can_cause() || follows)
    };
    for (index, other) in all.iter().enumerate().filter(|(index, other)| is_known(*index, other)) {
        let context = other.subject.context;
        for place in other.places.difference(&crowded) {
            by_place.entry((context, *place)).or_insert(index);
        }
        for key in keys(facts, catalogue, other) {
            by_key.entry((context, key)).or_insert(index);
        }
    }
    let spans = spans(facts);
    let quoted: Vec<(usize, ContextId, &BTreeSet<String>)> = { all.iter().enumerate() }
        .filter(|(index, other)| !other.quoted.is_empty() && is_known(*index, other))
        .map(|(index, other)| (index, other.subject.context, &other.quoted))
        .take(MOST_SAID)
        .collect();
    let general = all.iter().enumerate().filter(|(_, decided)| is_general(decided));
    let better = |(index, decided): (usize, &Decided<'_>)| {
        let context = decided.subject.context;
        let operand = Operand::EntityPath(subjects.clone());
        let named = binding::values_of(facts, &operand, &decided.subject);
        let by_place_of_it = decided.places.iter().filter_map(|place| by_place.get(&(context, *place)));
        // A report of a log says how a short log ends. What a signature reads in the same lines is what it is about.
        let logs =
            named.iter().filter(|_| decided.subject.kind == REPORTS).filter_map(|key| key.strip_prefix("stream "));
        let lines = logs.flat_map(|name| spans.get(&(context, name)).into_iter().flatten());
        let in_log = lines.flat_map(|(member, (first, last))| {
            by_place.range((context, (*member, *first))..=(context, (*member, *last))).map(|(_, other)| other)
        });
        let in_log: Vec<usize> = in_log.copied().collect();
        let by_key = named.into_iter().filter_map(|key| by_key.get(&(context, key)));
        // What somebody logged last, another finding may quote of what it is about.
        let by_words = || {
            let says = Operand::EntityPath(said.clone());
            let said = binding::values_of(facts, &says, &decided.subject);
            let words = said.first().filter(|_| decided.subject.kind == REPORTS).and_then(|said| last_words(said))?;
            let quotes = |quoted: &BTreeSet<String>| quoted.iter().any(|value| value.contains(words));
            quoted.iter().find(|(_, of, quoted)| *of == context && quotes(quoted)).map(|(other, ..)| *other)
        };
        let found = by_place_of_it.chain(by_key).chain(&in_log).min().copied();
        Some((index, found.or_else(by_words)?))
    };
    general.filter_map(better).collect()
}

/// Findings, in their order, among whose quotations the words of a general one are looked for.
const MOST_SAID: usize = 2_000;
/// Quotations of one finding.
const MOST_QUOTED: usize = 50;

/// The end of what was said, as long as nobody says it by accident.
fn last_words(said: &str) -> Option<&str> {
    let said = said.trim_end_matches('.');
    let (start, _) = said.char_indices().rev().nth(SAME_WORDS - 1)?;
    said.get(start..)
}

/// Characters of an error that two texts have in common where both are about it.
const SAME_WORDS: usize = 40;

/// The kind of what tools, tables and short logs report.
const REPORTS: &str = "reports.casefile.dev";

/// Lines of members, from one to another.
type Spans = Vec<(MemberId, (u32, u32))>;

/// Between which lines of which members each log stands, by its name.
fn spans(facts: &Facts) -> BTreeMap<(ContextId, &str), Spans> {
    let mut all: BTreeMap<(ContextId, &str), Spans> = BTreeMap::new();
    for stream in &facts.streams {
        let parts = stream.parts.iter().filter(|(_, log)| log.span.0 > 0 && log.span.0 <= log.span.1);
        let spans = parts.map(|(member, log)| (*member, log.span));
        all.entry((stream.context, &*stream.name)).or_default().extend(spans);
    }
    all
}

/// Lines in which several objects stand, as in JSON without line breaks: two findings that cite one need not be about one thing.
fn crowded(facts: &Facts) -> BTreeSet<(MemberId, u32)> {
    let mut seen = BTreeSet::new();
    // The line of an Event tells of the object, too, that the Event is about.
    let whole = facts.objects.iter().filter(|object| object.kind.plural != "events");
    let sightings = whole.flat_map(|object| &object.sightings);
    let places = sightings.map(|sighting| (sighting.record.member, sighting.record.node.line));
    places.filter(|place| !seen.insert(*place)).collect()
}

/// The class of the logs of the agent of a Node.
const AGENT: &str = "kubelet";

/// The names by which a general finding calls what another speaks of, or whose that is: `pods shop/web-1`,
/// `deployments.apps shop/web`, `stream kubelet.log`.
fn keys(facts: &Facts, catalogue: &Catalogue, decided: &Decided<'_>) -> Vec<String> {
    let subject = &decided.subject;
    let namespace = subject.namespace.as_deref().unwrap_or_default();
    let object = format!("{} {namespace}/{}", subject.kind, subject.name);
    let owner = decided.finding.owner.as_ref().filter(|owner| !owner.group.is_empty()).map(|owner| {
        let kind = catalogue.kind_of(&format!("{}/", owner.group), &owner.kind);
        format!("{kind} {namespace}/{}", owner.name)
    });
    let stream = subject.stream.as_ref().and_then(|(index, _)| facts.streams.get(*index));
    // What is wrong with a Node its kubelet says.
    let node = stream.filter(|stream| stream.class.as_deref() == Some(AGENT)).and_then(|stream| stream.node.as_ref());
    let node = node.map(|node| format!("nodes /{node}"));
    let stream = stream.map(|stream| format!("stream {}", stream.name));
    let stands_for = subject.object.and_then(|object| facts.stands_for.get(&object));
    let stands_for = stands_for.map(|kind| format!("{kind} {namespace}/{}", subject.name));
    stream.into_iter().chain(node).chain([object]).chain(stands_for).chain(owner).collect()
}

/// Does following causes from `from` meet `target`?
fn leads_to(causes: &[Option<(usize, RelationKind)>], from: usize, target: usize) -> bool {
    let mut at = Some(from);
    for _ in 0..=causes.len() {
        match at {
            None => return false,
            Some(index) if index == target => return true,
            Some(index) => at = causes.get(index).copied().flatten().map(|(cause, _)| cause),
        }
    }
    true
}
