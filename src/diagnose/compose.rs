//! Puts the diagnosis together from what the layers before yielded.
//!
//! Invariants: nothing is decided here; every list is sorted by a rule that does not depend on the order
//! of members; the same parts give the same diagnosis.

use crate::needs::Needs;
use crate::{answer, further, inventory, ledger, pasted, pictures, surroundings};
use analytics::Analytics;
use catalogue::kinds::Catalogue;
use diagnosis::citation::citation_info;
use diagnosis::log_row::log_row;
use diagnosis::model::{
    ALL_NAMESPACES, AsOfInfo, BundleInfo, ConflictRow, ContextInfo, CoverageRow, Diagnosis, LimitHit, NO_ROLE,
    OverrideInfo, Pack, SCHEMA_VERSION, Tool, Unread,
};
use diagnosis::more::More;
use diagnosis::pictures::Pictures;
use engine::Outcome;
use facts::coverage::{Namespaces, State};
use facts::kind::KindName;
use facts::limit::Limit;
use facts::object::ContextId;
use facts::origin::Citation;
use facts::outside::Outside;
use facts::store::{AsOf, Conflict, Context, Facts, Precision};
use intake::Intake;
use layout::content::BundleContent;
use sha2::{Digest, Sha256};
use signature::load::{Library, LoadedPack};
use signature::overrides::Override;
use std::collections::{BTreeMap, BTreeSet};

/// Everything a diagnosis is made of.
#[derive(Debug)]
pub(crate) struct Parts<'a> {
    /// The bundles as read.
    pub bundles: &'a [BundleContent],
    pub facts: &'a Facts,
    /// The signatures that were run.
    pub library: &'a Library,
    /// What the engine decided.
    pub outcome: Outcome,
    /// What the tables yield.
    pub analytics: Analytics,
    /// What each cluster lacks of what signatures read.
    pub wanted: Vec<Needs>,
    /// Options that shape the result, as given.
    pub options: BTreeMap<String, String>,
}

/// Puts the diagnosis together.
pub(crate) fn compose(parts: Parts<'_>) -> Diagnosis {
    let Parts { bundles, facts, library, mut outcome, analytics, wanted, options } = parts;
    for (finding, since) in outcome.findings.iter_mut().zip(&analytics.since) {
        finding.since = since.map(|time| time.to_string());
    }
    let mut diagnosis = Diagnosis {
        schema_version: SCHEMA_VERSION,
        tool: Tool { name: "casefile".to_owned(), version: env!("CARGO_PKG_VERSION").to_owned() },
        packs: packs(library),
        overrides: overrides(library),
        bundles: bundles.iter().enumerate().map(|(index, bundle)| bundle_info(index, bundle, facts)).collect(),
        contexts: facts.contexts.iter().map(context_info).collect(),
        answer: String::new(),
        summary: Default::default(),
        findings: outcome.findings,
        not_assessed: outcome.not_assessed,
        not_applicable: outcome.not_applicable,
        checked: outcome.checked,
        not_collected: outcome.not_collected,
        asks: outcome.asks,
        further: Vec::new(),
        coverage: coverage(facts),
        logs: facts.streams.iter().map(|stream| log_row(facts, stream)).collect(),
        timeline: analytics.timeline,
        inventory: inventory::tables(facts),
        anomalies: analytics.anomalies,
        loudest: analytics.loudest,
        pictures: Pictures::default(),
        conflicts: conflicts(facts),
        unread: unread(bundles),
        limits_hit: limits_hit(bundles, facts.limits.iter().chain(&outcome.limits_hit), &analytics.failed),
        redactions: facts.redactions.total(),
        redactions_by_kind: facts.redactions.by_kind().map(|(kind, count)| (kind.name().to_owned(), count)).collect(),
        options,
        more: More::default(),
    };
    surroundings::add(&mut diagnosis, facts);
    diagnosis.pictures = pictures::pictures(&diagnosis, facts);
    diagnosis.further = further::further(&diagnosis, wanted);
    diagnosis.summary = diagnosis::summary::of(&diagnosis);
    diagnosis.answer = answer::sentence(&diagnosis);
    diagnosis::seal::seal(diagnosis)
}

fn packs(library: &Library) -> Vec<Pack> {
    let one = |pack: &LoadedPack| Pack {
        name: pack.name.clone(),
        version: pack.version.clone(),
        signatures: pack.signatures,
        sha256: pack.sha256.clone(),
        signed_by: pack.signed_by.clone(),
    };
    library.packs.iter().map(one).collect()
}

fn overrides(library: &Library) -> Vec<OverrideInfo> {
    let one = |item: &Override| OverrideInfo {
        signature: item.id.clone(),
        title: item.title.clone(),
        disabled: item.disabled,
        severity: item.severity,
        reason: item.reason.clone(),
    };
    library.overrides.iter().map(one).collect()
}

fn context_info(context: &Context) -> ContextInfo {
    ContextInfo {
        name: context.name.clone(),
        role: if context.roles.is_empty() { NO_ROLE.to_owned() } else { context.roles.join("+") },
        bundle: context.bundle,
        as_of: context.as_of.as_ref().map(as_of_info),
        products: context.products.clone(),
        versions: context.versions.clone(),
        workload_of: context.workload_of.as_ref().map(|(_, name)| name.clone()),
    }
}

fn conflicts(facts: &Facts) -> Vec<ConflictRow> {
    let one = |conflict: &Conflict| {
        let value = |(value, citation): &(String, Citation)| (value.clone(), citation_info(facts, citation));
        ConflictRow {
            object: conflict.object.clone(),
            path: conflict.path.clone(),
            values: conflict.values.iter().map(value).collect(),
        }
    };
    facts.conflicts.iter().map(one).collect()
}

/// The as-of clock of a context, for the report.
fn as_of_info(as_of: &AsOf) -> AsOfInfo {
    // Ages in days leave a day open, in which a log may have gone on.
    let later = as_of.logs.filter(|logs| matches!(as_of.precision, Precision::Before(_)) && *logs > as_of.time);
    if let Some(logs) = later {
        return AsOfInfo { time: logs.to_string(), source: "last time inside a log".to_owned() };
    }
    // What changes seldom tells when the bundle was not yet collected, and no more.
    let source = match as_of.precision {
        Precision::Quiet => format!("{}; it was collected then, or any time later", as_of.source),
        _ => as_of.source.clone(),
    };
    AsOfInfo { time: as_of.time.to_string(), source }
}

/// The objects that something in a bundle shows, also those of kinds that nobody asks for.
fn objects_of(index: usize, facts: &Facts) -> u64 {
    let of_bundle = |object: &&facts::object::Object| {
        !object.shadow && facts.context(object.context).bundle == index && !object.sightings.is_empty()
    };
    let only_counted: BTreeSet<_> = facts.counted.keys().map(|(context, kind)| (*context, kind)).collect();
    let is_counted = |object: &facts::object::Object| only_counted.contains(&(object.context, &object.kind));
    let kept = facts.objects.iter().filter(of_bundle).filter(|object| !is_counted(object)).count() as u64;
    let counted = facts.counted.iter().filter(|((context, _), _)| facts.context(*context).bundle == index);
    kept + counted.map(|(_, count)| count).sum::<u64>()
}

/// See [`crate::bundle_id`].
pub(crate) fn bundle_id(intake: &Intake) -> String {
    let mut members: Vec<(&str, &[u8; 32])> = intake.members.iter().map(|m| (m.name.as_str(), &m.sha256)).collect();
    members.sort();
    let mut hash = Sha256::new();
    for (name, content) in members {
        // The length keeps two lists apart that differ only in where a name ends.
        hash.update((name.len() as u64).to_be_bytes());
        hash.update(name.as_bytes());
        hash.update(content);
    }
    hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}

/// What a report says about a bundle. Its clock is the latest of its contexts.
fn bundle_info(index: usize, bundle: &BundleContent, facts: &Facts) -> BundleInfo {
    let intake = &bundle.intake;
    BundleInfo {
        name: intake.name.clone(),
        sha256: bundle_id(intake),
        layout: bundle.layout.clone(),
        members: intake.members.len() as u64,
        links: intake.links.len() as u64,
        bytes: intake.members.iter().map(|member| member.bytes).sum(),
        objects: objects_of(index, facts),
        as_of: facts
            .contexts
            .iter()
            .filter(|context| context.bundle == index)
            .filter_map(|context| context.as_of.as_ref())
            .max_by_key(|as_of| as_of.time)
            .map(as_of_info),
        damage: intake.damage.clone(),
        shows: if index == 0 { pasted::shows(facts, Catalogue::shared()) } else { Vec::new() },
    }
}

/// Coverage records as rows, sorted.
fn coverage(facts: &Facts) -> Vec<CoverageRow> {
    let mut kinds: BTreeMap<(ContextId, &KindName), BTreeMap<Option<&str>, usize>> = BTreeMap::new();
    for object in facts.objects.iter().filter(|object| !object.shadow) {
        let of_kind = kinds.entry((object.context, &object.kind)).or_default();
        *of_kind.entry(object.namespace.as_deref()).or_default() += 1;
    }
    let mut rows: Vec<CoverageRow> = facts
        .coverage
        .iter()
        .map(|coverage| {
            let answer = &coverage.answer;
            let seen = kinds.get(&(coverage.context, &answer.kind));
            let objects = seen.map_or(0, |seen| match &answer.namespaces {
                Namespaces::All => seen.values().sum(),
                Namespaces::Some(names) => {
                    let names: BTreeSet<&str> = names.iter().map(String::as_str).collect();
                    names.iter().filter_map(|name| seen.get(&Some(*name))).sum::<usize>()
                }
            }) as u64;
            let counted = match &answer.namespaces {
                Namespaces::All => {
                    facts.counted.get(&(coverage.context, answer.kind.clone())).copied().unwrap_or_default()
                }
                Namespaces::Some(_) => 0,
            };
            CoverageRow {
                context: facts.context(coverage.context).name.clone(),
                kind: answer.kind.to_string(),
                namespaces: match &answer.namespaces {
                    Namespaces::All => ALL_NAMESPACES.to_owned(),
                    Namespaces::Some(names) => names.join(","),
                },
                state: answer.state.name(),
                basis: answer.basis.word().to_owned(),
                detail: detail(&answer.state, answer.names.as_deref(), answer.selector.as_deref()),
                objects: objects.max(counted),
                member: facts.members.get(&answer.citation.member).map(ToString::to_string).unwrap_or_default(),
            }
        })
        .collect();
    rows.sort();
    rows.dedup();
    rows
}

/// What stands behind a state, and what narrowed the question.
fn detail(state: &State, names: Option<&[String]>, selector: Option<&str>) -> Option<String> {
    let mut parts = Vec::new();
    parts.extend(state.detail());
    if let Some(names) = names {
        let shown: Vec<&str> = names.iter().take(5).map(String::as_str).collect();
        let more = names.len() - shown.len();
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        parts.push(format!("only {}{more}", shown.join(", ")));
    }
    if let Some(selector) = selector {
        parts.push(format!("selected by {selector}"));
    }
    (!parts.is_empty()).then(|| parts.join("; "))
}

/// Everything that was not read, or not to its end, or not understood; sorted.
fn unread(bundles: &[BundleContent]) -> Vec<Unread> {
    let mut rows = Vec::new();
    for bundle in bundles {
        let names = bundle.names();
        for (member, reason) in &bundle.intake.unread {
            rows.push(Unread {
                member: Outside::name(member).into(),
                line: None,
                reason: reason.to_string(),
                cause: reason.cause(),
            });
        }
        for member in &bundle.intake.members {
            if let Some(reason) = &member.cut {
                rows.push(Unread {
                    member: Outside::name(&member.name).into(),
                    line: None,
                    reason: format!("read in part: {reason}"),
                    cause: None,
                });
            }
        }
        for (id, content) in &bundle.contents {
            let member: String = Outside::name(names.get(id).copied().unwrap_or_default()).into();
            for (line, why) in &content.parsed.unread {
                rows.push(Unread {
                    member: member.clone(),
                    line: (*line > 0).then_some(*line),
                    reason: why.to_string(),
                    cause: why.cause(),
                });
            }
            let silent = content.parsed.records.is_empty()
                && content.parsed.unread.is_empty()
                && ledger::limit(content).is_none();
            if silent && content.log.is_none() && !content.empty && content.parsed.format.is_empty() {
                rows.push(Unread {
                    member,
                    line: None,
                    reason: "its format is not one that Casefile knows".to_owned(),
                    cause: None,
                });
            }
        }
    }
    rows.sort();
    rows.dedup();
    rows
}

/// Every limit that was reached, sorted.
fn limits_hit<'a>(bundles: &[BundleContent], all: impl Iterator<Item = &'a Limit>, tables: &[String]) -> Vec<LimitHit> {
    let row = |(limit, member): (&Limit, Option<String>)| LimitHit {
        limit: limit.name().into_owned(),
        what: limit.to_string(),
        member,
        switch: limit.switch().map(str::to_owned),
    };
    let missing = |what: &String| LimitHit {
        limit: "a table is missing".to_owned(),
        what: what.clone(),
        member: None,
        switch: None,
    };
    let mut rows: Vec<LimitHit> = all.map(|limit| row((limit, None))).collect();
    rows.extend(tables.iter().map(missing));
    rows.extend(bundles.iter().flat_map(BundleContent::limits_hit).map(row));
    rows.sort();
    rows.dedup();
    rows
}
