//! What two bundles differ in: objects field by field, findings, versions and images, what logs complain of.
//!
//! Why: the quickest way to a cause is often the cluster that works, or the same one before it broke.
//!
//! May know: facts, catalogue, diagnosis, diagnose, report (its policy for pages).
//!
//! Invariants: what one of the bundles was not asked for is [`Comparison::not_comparable`], never gone or new; a masked value equals
//! nothing and differs from nothing; every list is sorted and bounded, and what is beyond a bound is counted. The data of
//! `patterns/noise.yaml` is left out.

pub mod html;
mod images;
pub mod logs;
mod model;
mod objects;
pub mod text;

pub use model::{
    Comparison, FieldChange, FindingChange, ImageChange, NotComparable, ObjectChange, ObjectName, SCHEMA_VERSION, Side,
    TemplateChange, VersionChange,
};

use diagnose::Collected;
use diagnosis::model::{Diagnosis, Finding};
use diagnosis::words;
use facts::object::ContextId;
use facts::store::Facts;
use model::bounded;
use signature::model::VerdictWord;
use std::collections::{BTreeMap, BTreeSet};

/// One of the two: what was read, and what was decided about it.
#[derive(Debug, Clone, Copy)]
pub struct Bundle<'a> {
    pub collected: &'a Collected,
    pub diagnosis: &'a Diagnosis,
}

impl<'a> Bundle<'a> {
    fn facts(&self) -> &'a Facts {
        &self.collected.facts
    }
}

/// What `b` differs in from `a`.
pub fn compare(a: Bundle<'_>, b: Bundle<'_>) -> Comparison {
    let pairs = pairs(a.facts(), b.facts());
    let (mut comparison, unpaired) = (Comparison::between(side(a), side(b)), unpaired(&pairs, a.facts(), b.facts()));
    for (from, to) in &pairs {
        objects::compare((a.facts(), *from), (b.facts(), *to), &mut comparison);
        versions((a.facts(), *from), (b.facts(), *to), &mut comparison);
    }
    comparison.not_comparable.extend(unpaired);
    comparison.images = images::compare(a.facts(), b.facts());
    comparison.findings = findings(a.diagnosis, b.diagnosis);
    (comparison.new_in_logs, comparison.vanished_from_logs) = logs::compare(a.facts(), b.facts());
    bounded(&mut comparison);
    comparison
}

fn side(bundle: Bundle<'_>) -> Side {
    let info = bundle.diagnosis.bundles.first();
    Side {
        name: info.map(|info| info.name.clone()).unwrap_or_default(),
        sha256: info.map(|info| info.sha256.clone()).unwrap_or_default(),
        as_of: info.and_then(|info| info.as_of.as_ref()).map(|as_of| as_of.time.clone()),
    }
}

/// The clusters that are compared: those of one name; the only one with the only one, whatever they are called.
fn pairs(a: &Facts, b: &Facts) -> Vec<(ContextId, ContextId)> {
    let by_name = |name: &str| b.context_ids().find(|id| b.context(*id).name == name);
    let named: Vec<_> = a.context_ids().filter_map(|id| Some((id, by_name(&a.context(id).name)?))).collect();
    match (a.contexts.len(), b.contexts.len()) {
        (1, 1) => vec![(ContextId(0), ContextId(0))],
        _ => named,
    }
}

/// Clusters that only one of the bundles shows.
fn unpaired(pairs: &[(ContextId, ContextId)], a: &Facts, b: &Facts) -> Vec<NotComparable> {
    let alone = |facts: &Facts, is_paired: &dyn Fn(ContextId) -> bool, lacks: &str| -> Vec<NotComparable> {
        let names = facts.context_ids().filter(|id| !is_paired(*id)).map(|id| facts.context(id).name.clone());
        names.map(|name| NotComparable { what: format!("cluster {name}"), lacks: lacks.to_owned() }).collect()
    };
    let mut all = alone(a, &|id| pairs.iter().any(|(own, _)| *own == id), "b");
    all.extend(alone(b, &|id| pairs.iter().any(|(_, own)| *own == id), "a"));
    all
}

fn versions((a, from): (&Facts, ContextId), (b, to): (&Facts, ContextId), out: &mut Comparison) {
    let of = |facts: &Facts, id: ContextId| {
        let mut versions: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        for (what, version) in &facts.context(id).versions {
            versions.entry(what.clone()).or_default().insert(version.clone());
        }
        versions
    };
    let (old, new) = (of(a, from), of(b, to));
    let join = |versions: &BTreeSet<String>| versions.iter().cloned().collect::<Vec<_>>().join(", ");
    let cluster = b.context(to).name.clone();
    // What only one of them states says nothing of the other.
    out.versions.extend(old.iter().filter_map(|(what, from)| {
        let to = new.get(what).filter(|to| *to != from)?;
        Some(VersionChange { cluster: cluster.clone(), what: what.clone(), a: join(from), b: join(to) })
    }));
}

/// Findings whose verdict differs: an undecided one is not known to be there or not.
fn findings(a: &Diagnosis, b: &Diagnosis) -> Vec<FindingChange> {
    let key = |finding: &Finding| {
        let entity = &finding.entity;
        (finding.signature.id.clone(), entity.kind.clone(), entity.namespace.clone(), entity.name.clone())
    };
    let matters = |finding: &&Finding| {
        matches!(finding.verdict, VerdictWord::Confirmed | VerdictWord::Probable | VerdictWord::Resolved)
    };
    let of = |diagnosis: &'_ Diagnosis| {
        diagnosis.findings.iter().map(|finding| (key(finding), finding.clone())).collect::<BTreeMap<_, _>>()
    };
    let (old, new) = (of(a), of(b));
    let keys: BTreeSet<_> = old.iter().chain(&new).filter(|(_, f)| matters(f)).map(|(key, _)| key).collect();
    let word = |finding: Option<&Finding>| finding.map(|finding| words::verdict_key(finding.verdict).to_owned());
    keys.into_iter()
        .filter(|key| word(old.get(*key)) != word(new.get(*key)))
        .filter_map(|key| {
            let shown = new.get(key).filter(matters_ref).or(old.get(key)).or(new.get(key))?;
            Some(FindingChange {
                signature: key.0.clone(),
                headline: shown.headline.clone(),
                object: words::entity(&shown.entity),
                a: word(old.get(key)),
                b: word(new.get(key)),
            })
        })
        .collect()
}

fn matters_ref(finding: &&Finding) -> bool {
    matches!(finding.verdict, VerdictWord::Confirmed | VerdictWord::Probable | VerdictWord::Resolved)
}
