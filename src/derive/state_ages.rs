//! How long an object has been in a state that is normal for a moment and a fault when it lasts:
//! `stateages.casefile.dev`, one for each object that is in one.
//!
//! Why derived: a Namespace that was deleted a second ago and one that was deleted yesterday show the same
//! conditions; only the clock of the bundle tells them apart.
//!
//! | field | meaning |
//! |---|---|
//! | `spec.kind` | its kind: `Namespace`, `Cluster`, ... |
//! | `status.deleting` | seconds since it was to be deleted (`metadata.deletionTimestamp`); of a Namespace whose text does not show it, at least those since the oldest of the conditions that only a deletion sets |
//! | `status.missingReference` | seconds since Cluster API first missed an object that it names: since the oldest of its conditions that are `False` by `ObjectDoesNotExist` |
//! | `status.unaged` | set where the beginning of one of them is not known |
//!
//! Sources: `kubernetes/kubernetes:pkg/controller/namespace/deletion@v1.34`; `kubernetes-sigs/cluster-api:
//! api/core/v1beta2/condition_consts.go@v1.13.0` (`ObjectDoesNotExistReason`).
//!
//! Invariant: an object that is in such a state has one of these; where the clock or the beginning of the state is
//! not known, its field is unknown.

use crate::deriver::{Deriver, Inputs};
use crate::reader::{Read, Reader};
use facts::derived::Derived;
use facts::kind::KindName;
use facts::object::ObjectId;
use facts::provenance::{Cited, Provenance};

/// The kinds, with the word for each.
const KINDS: [(&str, &str); 4] = [
    ("namespaces", "Namespace"),
    ("clusters.cluster.x-k8s.io", "Cluster"),
    ("machines.cluster.x-k8s.io", "Machine"),
    ("dcsmachines.infrastructure.cluster.x-k8s.io", "DCSMachine"),
];

/// Where the conditions of Cluster API stand: of v1beta2 as they are, of v1beta1 below `v1beta2`.
const CONDITIONS: [&str; 2] = ["status.conditions", "status.v1beta2.conditions"];
/// The conditions that may say that an object does not exist.
const REFERENCES: [&str; 3] = ["InfrastructureReady", "BootstrapConfigReady", "ControlPlaneAvailable"];

/// The conditions of a Namespace that its deletion sets, and nothing else does.
const DELETION: [&str; 5] = [
    "NamespaceDeletionDiscoveryFailure",
    "NamespaceDeletionGroupVersionParsingFailure",
    "NamespaceDeletionContentFailure",
    "NamespaceContentRemaining",
    "NamespaceFinalizersRemaining",
];

pub(crate) const DERIVER: Deriver = Deriver {
    makes: &["stateages"],
    reads: &[KINDS[0].0, KINDS[1].0, KINDS[2].0, KINDS[3].0],
    logs: &[],
    literals: &[],
    derive,
};

fn derive(inputs: &Inputs<'_>) -> Vec<Derived> {
    let reader = inputs.reader;
    let of_kind = |(kind, word): (&'static str, &'static str)| {
        reader.all(kind).into_iter().filter_map(move |id| one(reader, id, kind, word))
    };
    KINDS.into_iter().flat_map(of_kind).collect()
}

fn one(reader: Reader<'_>, id: ObjectId, kind: &str, word: &str) -> Option<Derived> {
    let since = |read: &Read| Some((reader.age_of(read.time()?)?, read.cited.clone()));
    let terminating = reader.text(id, "status.phase").filter(|phase| phase.text == "Terminating");
    let deleted = reader.text(id, "metadata.deletionTimestamp");
    let conditions = CONDITIONS
        .iter()
        .flat_map(|conditions| REFERENCES.iter().map(move |reference| format!("{conditions}[type={reference}]")))
        .filter(|condition| reader.is(id, &format!("{condition}.status"), "False"));
    let missing: Vec<(String, Read)> = conditions
        .filter_map(|condition| {
            let reason = reader.text(id, &format!("{condition}.reason"))?;
            (reason.text == "ObjectDoesNotExist").then_some((condition, reason))
        })
        .collect();
    let because = terminating.iter().chain(&deleted).chain(missing.iter().map(|(_, reason)| reason));
    let because = Provenance::all(because.map(|read| read.cited.clone()))?;
    let begun = |(condition, _): &(String, Read)| since(&reader.text(id, &format!("{condition}.lastTransitionTime"))?);
    let object = reader.object(id);
    let mut made = Derived::new("stateages", object.namespace.as_deref(), &object.name);
    made.stands_for(KindName::parse(kind));
    made.text("spec.kind", word, because);
    let since_condition = |kind: &&str| {
        let condition = format!("status.conditions[type={kind}].lastTransitionTime");
        reader.text(id, &condition).as_ref().and_then(since)
    };
    let ages = [
        ("status.deleting", deleted.as_ref().and_then(since)),
        ("status.missingReference", missing.iter().filter_map(begun).max_by_key(|(seconds, _)| *seconds)),
    ];
    // `kubectl describe` prints no deletionTimestamp of a Namespace.
    let at_least = match &ages {
        [(_, None), _] if terminating.is_some() => {
            DELETION.iter().filter_map(since_condition).max_by_key(|(seconds, _)| *seconds)
        }
        _ => None,
    };
    let is_open = |named: bool, age: &Option<(i64, Cited)>| named && age.is_none();
    let [(_, deleting), (_, since_missing)] = &ages;
    let deleting = if deleting.is_none() { &at_least } else { deleting };
    let is_deleted = terminating.is_some() || deleted.is_some();
    if is_open(is_deleted, deleting) || is_open(!missing.is_empty(), since_missing) {
        made.flag("status.unaged", true, reader.seen(id));
    } else {
        made.absent("status.unaged", reader.seen(id));
    }
    for (path, age) in ages {
        if let Some((seconds, cited)) = age {
            made.number(path, seconds, cited);
        }
    }
    if let Some((seconds, cited)) = at_least {
        made.at_least("status.deleting", seconds, cited);
    }
    Some(made)
}
