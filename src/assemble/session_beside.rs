//! Which cluster a session is of that names none and lies beside the folders of clusters, by the objects that it shows.
//!
//! Why: people collect into a folder for each cluster and put the text of their ticket beside them, with a table or two. Taken for
//! one more cluster, each of its objects would be found twice.
//!
//! Invariant: such a session is put to a cluster only if that cluster alone shows objects of the same telling names, holds at least
//! half of those whose kinds it shows at all, and has every role that the session speaks of. Else it stays a cluster of its own.

use crate::assembly::{ContextKey, Gathered};
use crate::contexts::{self, Folder};
use facts::kind::KindName;
use facts::object::ObjectRecord;
use facts::origin::MemberId;
use std::collections::{BTreeMap, BTreeSet};

/// Letters of the shortest name that two clusters do not share by accident; it has a `-` as well.
const TELLING: usize = 10;

/// An object as every form shows it.
type Named<'r> = (&'r KindName, Option<&'r str>, &'r str);

/// Puts each such session to its cluster. `is_session` tells whether a member is a text of commands and prose.
pub(crate) fn place(
    gathered: &mut BTreeMap<ContextKey, Gathered>,
    clusters: &BTreeSet<String>,
    is_session: impl Fn(MemberId) -> bool,
) {
    let sessions: Vec<ContextKey> = { gathered.iter() }
        .filter(|(key, read)| {
            let mut of_records = read.records.values().flatten().map(|record| record.member);
            let mut of_answers = read.answers.iter().map(|answer| answer.citation.member);
            key.1 == Folder::Bundle && of_records.all(&is_session) && of_answers.all(&is_session)
        })
        .map(|(key, _)| key.clone())
        .collect();
    for key in sessions {
        let Some(home) = gathered.get(&key).and_then(|read| home(&key, read, gathered, clusters)) else { continue };
        let Some(mut read) = gathered.remove(&key) else { continue };
        // Logs of files are put to clusters by what they are of.
        let logs = std::mem::take(&mut read.logs);
        if !logs.is_empty() {
            gathered.insert(key, Gathered { logs, ..Gathered::default() });
        }
        if let Some(home) = gathered.get_mut(&home) {
            home.absorb(read);
        }
    }
}

fn home(
    key: &ContextKey,
    read: &Gathered,
    gathered: &BTreeMap<ContextKey, Gathered>,
    clusters: &BTreeSet<String>,
) -> Option<ContextKey> {
    let told: BTreeSet<Named<'_>> = named(&read.records).filter(is_telling).collect();
    if told.is_empty() {
        return None;
    }
    let in_folders = { gathered.iter() }.filter(|(other, _)| other.0 == key.0 && matches!(other.1, Folder::Path(_)));
    let mut same = in_folders.filter_map(|(other, theirs)| {
        let shown: BTreeSet<Named<'_>> = named(&theirs.records).filter(is_telling).collect();
        let both = told.intersection(&shown).count();
        (both > 0).then_some((other, theirs, both))
    });
    let (Some((home, theirs, both)), None) = (same.next(), same.next()) else { return None };
    let comparable = told.iter().filter(|(kind, ..)| theirs.records.contains_key(*kind)).count();
    let roles = |kinds| contexts::roles(None, kinds, clusters);
    let theirs = roles(&theirs.kinds);
    let is_of_role = roles(&read.kinds).iter().all(|role| role == "workload" || theirs.contains(role));
    (2 * both >= comparable && is_of_role).then(|| home.clone())
}

fn named(records: &BTreeMap<KindName, Vec<ObjectRecord>>) -> impl Iterator<Item = Named<'_>> {
    { records.iter() }.flat_map(|(kind, records)| {
        records.iter().map(move |record| (kind, record.namespace.as_deref(), record.name.as_str()))
    })
}

/// Would no other cluster have an object of this name? Static Pods, what every cluster has in `kube-system`, add-ons and what a
/// product makes by itself are called alike everywhere.
fn is_telling((kind, namespace, name): &Named<'_>) -> bool {
    let is_of_system = namespace.is_some_and(|namespace| namespace.starts_with("kube-"));
    let is_of_extension = kind.group.contains('.') && !kind.group.ends_with(".k8s.io");
    let is_of_cluster = matches!(kind.plural.as_str(), "pods" | "nodes");
    let is_own = name.len() >= TELLING && name.contains('-');
    !is_of_system && !name.starts_with("default") && (is_of_extension || is_of_cluster && is_own)
}
