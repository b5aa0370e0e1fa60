//! What is in a bundle, before anybody judges it: contexts, kinds with their coverage, logs, and what was
//! not understood.
//!
//! Invariants: a pure function of bundles and facts; every list is sorted; what was not understood is
//! listed with its reason, or counted ([`bounds`]), and never dropped; no character of the bundle reaches a terminal as a control
//! character.

use crate::bounds;
use crate::gaps;
use catalogue::kinds::Catalogue;
use catalogue::nouns::made_of;
use diagnose::needs;
use diagnose::needs::Needs;
use diagnosis::log_row::log_row;
use diagnosis::model::{ALL_NAMESPACES, LogRow};
use diagnosis::words;
use facts::coverage::{Answer, Namespaces, StateName};
use facts::kind::KindName;
use facts::origin::MemberId;
use facts::outside::Outside;
use facts::store::{Facts, Precision};
use facts::unread::Cause;
use layout::accounted::Accounted;
use layout::content::BundleContent;
use serde::Serialize;
use signature::load::Library;
use std::collections::{BTreeMap, BTreeSet};

/// What is in the bundles of a run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Inspection {
    /// The bundles, as given.
    pub bundles: Vec<InspectedBundle>,
    /// The clusters found.
    pub contexts: Vec<InspectedContext>,
    /// What failed or was cut at collection, with the reason the collector or the API server gave.
    pub failed: Vec<InspectedFailure>,
    /// Members and parts of members that were not read or not understood, with the reason.
    pub unread: Vec<InspectedUnread>,
    /// Limits that were reached: which, what was cut, and the member if one.
    pub limits_hit: Vec<(String, String, Option<Outside>)>,
    /// How many secret values were masked.
    pub redactions: u64,
    /// Rows that are counted and not listed, by the name of their list.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub more: BTreeMap<String, u64>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct InspectedBundle {
    pub name: Outside,
    /// The layout that was recognised.
    pub layout: String,
    /// Number of members.
    pub members: u64,
    /// Other names of members, sorted: the name of the link, and that of the member.
    pub links: Vec<(Outside, Outside)>,
    /// Bytes of all members.
    pub bytes: u64,
    /// Number of members by format.
    pub formats: BTreeMap<String, u64>,
    /// What became of the members.
    pub accounted: Accounted,
    /// Damage that was worked around.
    pub damage: Vec<Outside>,
}

/// The clock of a cluster.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct InspectedClock {
    /// The time (RFC 3339).
    pub time: String,
    /// How closely it is known: empty where somebody states it, `or later`, `or up to 40 seconds later`.
    pub precision: String,
    /// Where it was taken from.
    pub source: Outside,
    /// When the objects were read, if that was earlier: what the ages of objects are measured against.
    pub objects: Option<String>,
}

/// One cluster.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct InspectedContext {
    pub name: Outside,
    /// Index of its bundle.
    pub bundle: usize,
    pub roles: Vec<String>,
    /// Its own "now".
    pub as_of: Option<InspectedClock>,
    /// Products recognised in it.
    pub products: Vec<String>,
    /// Versions that it states: name and version.
    pub versions: Vec<(String, Outside)>,
    /// What the signatures need, and what of it is here.
    pub needs: Needs,
    /// First and last time of all logs, and the silences of all of them together.
    pub log_time: Option<InspectedTime>,
    /// Kinds, sorted.
    pub kinds: Vec<InspectedKind>,
    /// Log streams, sorted.
    pub logs: Vec<InspectedLog>,
}

/// One kind in one context.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct InspectedKind {
    /// `plural.group`.
    pub kind: Outside,
    /// Code put its objects together from others: nobody could have asked for them.
    pub derived: bool,
    /// Objects seen.
    pub objects: u64,
    /// Objects by namespace; the empty one stands for none.
    pub namespaces: BTreeMap<Outside, u64>,
    /// What was answered about it.
    pub coverage: Vec<InspectedCoverage>,
}

/// A stretch of time with lines.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct InspectedTime {
    /// First time (RFC 3339).
    pub from: String,
    /// Last time.
    pub to: String,
    /// Silences of ten minutes or more: from, to.
    pub gaps: Vec<(String, String)>,
}

/// Something that failed at collection.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct InspectedFailure {
    /// What was asked for: a kind with its namespaces, or the member that says so.
    pub what: Outside,
    /// The state's word; `failed` for what no kind is known of.
    pub state: String,
    /// The reason, in the words of who gave it.
    pub reason: Outside,
    /// The context, if what failed belongs to one.
    pub context: Option<Outside>,
    /// The member that says so.
    pub member: Outside,
    /// Its line, if known.
    pub line: Option<u32>,
}

/// Answers of one kind that say the same of the same scope.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct InspectedCoverage {
    /// `*`, or names joined by commas.
    pub namespaces: Outside,
    /// How they ended.
    pub state: StateName,
    /// The basis's word.
    pub basis: String,
    /// How many answers.
    pub answers: u64,
    /// The member of the first of them.
    pub member: Outside,
}

/// One log stream.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct InspectedLog {
    #[serde(flatten)]
    pub row: LogRow,
    /// Silences of ten minutes or more: from, to.
    pub gaps: Vec<(String, String)>,
}

/// Something that was not read or not understood.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct InspectedUnread {
    pub member: Outside,
    /// The line where it begins; null for the member as a whole.
    pub line: Option<u32>,
    /// Why.
    pub reason: Outside,
    /// What that comes down to, if more is known than that it was not understood.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cause: Option<Cause>,
}

/// Looks at bundles and their facts.
pub fn inspect(bundles: &[BundleContent], facts: &Facts, library: &Library, catalogue: &Catalogue) -> Inspection {
    let of_facts = facts.limits.iter().map(|limit| (limit.name().into_owned(), limit.to_string(), None));
    let mut limits_hit: Vec<_> = bundles.iter().flat_map(limits).chain(of_facts).collect();
    limits_hit.sort();
    let mut unread: Vec<_> = bundles.iter().flat_map(unread).collect();
    unread.sort();
    let needs = needs::needs(facts, library, catalogue);
    let mut inspection = Inspection {
        bundles: bundles.iter().map(bundle).collect(),
        contexts: facts.context_ids().zip(needs).map(|(id, needs)| context(facts, id, needs)).collect(),
        failed: failed(facts, &unread),
        unread,
        limits_hit,
        redactions: facts.redactions.total(),
        more: BTreeMap::new(),
    };
    bounds::bound(&mut inspection);
    inspection
}

fn bundle(bundle: &BundleContent) -> InspectedBundle {
    let mut formats: BTreeMap<String, u64> = BTreeMap::new();
    for content in bundle.contents.values() {
        let format = match (&content.log, content.parsed.format) {
            _ if content.empty => "empty",
            (_, format) if !format.is_empty() => format,
            (Some(_), _) => "log",
            (None, _) => "not understood",
        };
        *formats.entry(format.to_owned()).or_default() += 1;
    }
    InspectedBundle {
        name: Outside::name(&bundle.intake.name),
        layout: bundle.layout.clone(),
        members: bundle.intake.members.len() as u64,
        links: bundle
            .intake
            .links
            .iter()
            .map(|link| (Outside::name(&link.name), Outside::name(&link.target)))
            .collect(),
        bytes: bundle.intake.members.iter().map(|member| member.bytes).sum(),
        formats,
        accounted: bundle.accounted.clone(),
        damage: bundle.intake.damage.iter().map(Into::into).collect(),
    }
}

fn limits(bundle: &BundleContent) -> Vec<(String, String, Option<Outside>)> {
    let hit = bundle.limits_hit().into_iter();
    hit.map(|(limit, member)| (limit.name().into_owned(), limit.to_string(), member.as_deref().map(Outside::name)))
        .collect()
}

fn unread(bundle: &BundleContent) -> Vec<InspectedUnread> {
    let whole = |member: &str, reason: String, cause: Option<Cause>| InspectedUnread {
        member: Outside::name(member),
        line: None,
        reason: reason.into(),
        cause,
    };
    let mut list: Vec<_> =
        bundle.intake.unread.iter().map(|(name, why)| whole(name, why.to_string(), why.cause())).collect();
    for member in &bundle.intake.members {
        if let Some(reason) = &member.cut {
            list.push(whole(&member.name, format!("read only in part: {reason}"), None));
        }
        let Some(content) = bundle.contents.get(&member.id) else { continue };
        for (line, why) in &content.parsed.unread {
            let line = (*line > 0).then_some(*line);
            let row = whole(&member.name, why.to_string(), why.cause());
            list.push(InspectedUnread { line, ..row });
        }
        if content.empty {
            list.push(whole(&member.name, "it is empty".to_owned(), Some(Cause::Nothing)));
        }
    }
    list
}

/// The name of a member, as it may be shown.
fn shown(facts: &Facts, member: MemberId) -> Outside {
    facts.members.get(&member).map(|name| name.shown().clone()).unwrap_or_default()
}

/// What failed: answers that did, and what collectors say in files of their own.
fn failed(facts: &Facts, unread: &[InspectedUnread]) -> Vec<InspectedFailure> {
    let mut rows = BTreeSet::new();
    for coverage in &facts.coverage {
        let answer = &coverage.answer;
        let Some(reason) = answer.state.detail().filter(|_| answer.state.is_missing()) else { continue };
        let mut what = answer.kind.to_string();
        match (&answer.namespaces, &answer.names) {
            (_, Some(names)) if !names.is_empty() => what = format!("{what} {}", names.join(", ")),
            (Namespaces::Some(some), _) if !some.is_empty() => what = format!("{what} of {}", some.join(", ")),
            _ => {}
        }
        rows.insert(InspectedFailure {
            what: what.into(),
            state: answer.state.word().to_owned(),
            reason: reason.into(),
            context: Some((&facts.context(coverage.context).name).into()),
            member: shown(facts, answer.citation.member),
            line: (answer.citation.line > 0).then_some(answer.citation.line),
        });
    }
    let said: BTreeSet<(Outside, Option<u32>)> = rows.iter().map(|row| (row.member.clone(), row.line)).collect();
    for row in unread {
        if row.cause == Some(Cause::Failed) && !said.contains(&(row.member.clone(), row.line)) {
            rows.insert(InspectedFailure {
                what: row.member.clone(),
                state: "failed".to_owned(),
                reason: row.reason.clone(),
                context: None,
                member: row.member.clone(),
                line: row.line,
            });
        }
    }
    rows.into_iter().collect()
}

fn context(facts: &Facts, id: facts::object::ContextId, needs: Needs) -> InspectedContext {
    let context = facts.context(id);
    let as_of = context.as_of.as_ref();
    let now = as_of.map(|as_of| as_of.time);
    let streams = || facts.streams.iter().filter(|stream| stream.context == id);
    let log =
        |stream| InspectedLog { row: log_row(facts, stream), gaps: written(&gaps::gaps(&gaps::minutes(stream, now))) };
    let logs: Vec<InspectedLog> = streams().map(log).collect();
    let minutes = streams().flat_map(|stream| gaps::minutes(stream, now)).collect();
    let log_time = match (
        logs.iter().filter_map(|log| log.row.from.as_ref()).min(),
        logs.iter().filter_map(|log| log.row.to.as_ref()).max(),
    ) {
        (Some(from), Some(to)) => {
            Some(InspectedTime { from: from.clone(), to: to.clone(), gaps: written(&gaps::gaps(&minutes)) })
        }
        _ => None,
    };
    InspectedContext {
        name: (&context.name).into(),
        bundle: context.bundle,
        roles: context.roles.clone(),
        as_of: as_of.map(|as_of| InspectedClock {
            time: as_of.time.to_string(),
            precision: match as_of.precision {
                Precision::Stated => String::new(),
                Precision::OrLater | Precision::Quiet => "or later".to_owned(),
                Precision::Unzoned => "or later, if its log is in UTC: it states no zone".to_owned(),
                Precision::Before(until) => {
                    let span = words::rough_span(until.duration_since(as_of.time).as_secs().max(1));
                    format!("or up to {span} later")
                }
            },
            source: (&as_of.source).into(),
            objects: as_of.objects.filter(|time| *time < as_of.time).map(|time| time.to_string()),
        }),
        products: context.products.clone(),
        versions: context.versions.iter().map(|(of, version)| (of.clone(), version.into())).collect(),
        needs,
        log_time,
        kinds: kinds(facts, id),
        logs,
    }
}

/// Stretches of time as text.
fn written(gaps: &[(jiff::Timestamp, jiff::Timestamp)]) -> Vec<(String, String)> {
    gaps.iter().map(|(from, to)| (from.to_string(), to.to_string())).collect()
}

fn kinds(facts: &Facts, id: facts::object::ContextId) -> Vec<InspectedKind> {
    let mut answers: BTreeMap<&KindName, Vec<&Answer>> = BTreeMap::new();
    for coverage in facts.coverage.iter().filter(|coverage| coverage.context == id) {
        answers.entry(&coverage.answer.kind).or_default().push(&coverage.answer);
    }
    let mut names: BTreeSet<&KindName> = answers.keys().copied().collect();
    names.extend(facts.by_kind.keys().filter(|(context, _)| *context == id).map(|(_, kind)| kind));
    names.extend(facts.counted.keys().filter(|(context, _)| *context == id).map(|(_, kind)| kind));
    let kind = |kind: &KindName| {
        let objects: Vec<_> = facts.of_kind(id, kind).iter().map(|id| facts.object(*id)).collect();
        let mut namespaces: BTreeMap<Outside, u64> = BTreeMap::new();
        for object in &objects {
            *namespaces.entry(object.namespace.as_deref().unwrap_or_default().into()).or_default() += 1;
        }
        let counted = facts.counted.get(&(id, kind.clone())).copied().unwrap_or_default();
        InspectedKind {
            kind: kind.to_string().into(),
            derived: made_of(kind).0 != [kind.clone()],
            objects: (objects.len() as u64).max(counted),
            namespaces,
            coverage: coverage(facts, answers.get(kind).map_or(&[], Vec::as_slice)),
        }
    };
    names.into_iter().map(kind).collect()
}

fn coverage(facts: &Facts, answers: &[&Answer]) -> Vec<InspectedCoverage> {
    let mut rows: BTreeMap<(String, StateName, &str), (u64, Outside)> = BTreeMap::new();
    for answer in answers {
        let namespaces = match &answer.namespaces {
            Namespaces::All => ALL_NAMESPACES.to_owned(),
            Namespaces::Some(names) => names.join(","),
        };
        let key = (namespaces, answer.state.name(), answer.basis.word());
        let member = shown(facts, answer.citation.member);
        let row = rows.entry(key).or_insert_with(|| (0, member.clone()));
        row.0 += 1;
        row.1 = row.1.clone().min(member);
    }
    rows.into_iter()
        .map(|((namespaces, state, basis), (answers, member))| InspectedCoverage {
            namespaces: namespaces.into(),
            state,
            basis: basis.to_owned(),
            answers,
            member,
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use facts::cut::{Cut, Damage};
    use facts::unread::WhyUnread;
    use intake::{Dead, Intake, LinkKind, Member, WhyLeftOut};
    use parse::member::MemberContent;

    #[test]
    fn what_was_not_understood_is_listed_with_its_reason() {
        let member = Member {
            id: MemberId(0),
            name: "a\u{1b}[31m.bin".to_owned(),
            bytes: 2048,
            sha256: [0; 32],
            cut: Some(Cut::Damage(Damage::Early)),
        };
        let mut content = MemberContent::default();
        content.parsed.unread.push((3, WhyUnread::NotAsExpected("expected a mapping".into())));
        let left_out =
            WhyLeftOut::Link { kind: LinkKind::Symbolic, target: "/etc/passwd".to_owned(), why: Dead::Outside };
        let bundle = BundleContent {
            accounted: Accounted::default(),
            intake: Intake {
                name: "b.tar".to_owned(),
                members: vec![member],
                unread: vec![("link".to_owned(), left_out)],
                ..Intake::default()
            },
            contents: BTreeMap::from([(MemberId(0), content)]),
            layout: "folder".to_owned(),
            context: None,
        };
        let library = Library::default();
        let inspection = inspect(&[bundle], &Facts::default(), &library, &Catalogue::built_in());
        let text = crate::text::text(&inspection, false);
        assert!(!text.contains('\u{1b}'), "{text}");
        assert!(text.contains("not understood"), "{text}");
        assert!(text.contains("symbolic link to `/etc/passwd`, outside of the bundle: link\n"), "{text}");
        assert!(text.contains("expected a mapping: a⟨U+001B⟩[31m.bin:3\n"), "{text}");
        assert!(text.contains("read only in part: the compressed data ends early"), "{text}");
    }
}
