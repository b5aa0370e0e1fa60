//! Which cluster a log is of that stands in a session without a command, or in a folder beside those of clusters, by what writes
//! it.
//!
//! Why: between commands to a workload cluster people paste what a controller of the management cluster says, and write no more
//! than whose log it is; and beside the folder with the objects of their only cluster they make one for the logs.
//!
//! Invariant: only what no command printed is put elsewhere, and only where its cluster is not one in which such a program runs
//! and one other cluster alone is; of files only those beside which nothing else stands outside of the folders of clusters.

use crate::assembly::{ContextKey, Gathered};
use crate::contexts::{self, Folder};
use crate::streams;
use catalogue::sources::Sources;
use facts::origin::MemberId;
use parse::transcript::SessionLog;
use std::collections::{BTreeMap, BTreeSet};

/// Puts such logs to the cluster in which their programs run.
pub(crate) fn place(gathered: &mut BTreeMap<ContextKey, Gathered>, sources: &Sources, clusters: &BTreeSet<String>) {
    if gathered.len() < 2 || gathered.values().all(|read| read.session_logs.iter().all(|(_, part)| part.asked)) {
        return;
    }
    let mut homes: BTreeMap<(usize, String), Vec<ContextKey>> = BTreeMap::new();
    for (key, read) in gathered.iter() {
        for role in roles(key, read, clusters) {
            homes.entry((key.0, role)).or_default().push(key.clone());
        }
    }
    let home_of = |key: &ContextKey, part: &SessionLog| {
        let class = Some(part).filter(|part| !part.asked).and_then(|part| streams::class_of(sources, part))?;
        let homes = homes.get(&(key.0, sources.role_of(&class)?.to_owned()))?;
        match homes.as_slice() {
            [home] if home != key => Some(home.clone()),
            _ => None,
        }
    };
    let mut moved = Vec::new();
    for (key, read) in gathered.iter_mut() {
        for (id, part) in std::mem::take(&mut read.session_logs) {
            match home_of(key, &part) {
                Some(home) => moved.push((home, (id, part))),
                None => read.session_logs.push((id, part)),
            }
        }
    }
    for (home, part) in moved {
        gathered.entry(home).or_default().session_logs.push(part);
    }
}

/// The roles of the cluster of a part of a bundle.
fn roles((_, folder): &ContextKey, read: &Gathered, clusters: &BTreeSet<String>) -> Vec<String> {
    let name = match folder {
        Folder::Bundle => None,
        Folder::Path(name) | Folder::Given(name) => Some(name.rsplit('/').next().unwrap_or(name)),
    };
    contexts::roles(name, &read.kinds, clusters)
}

/// Puts the logs of files in no cluster's folder to the only cluster of their bundle that can be theirs, where nothing but logs
/// stands outside of such folders. `file` tells the name and the class of a file's log.
pub(crate) fn place_files(
    gathered: &mut BTreeMap<ContextKey, Gathered>,
    sources: &Sources,
    clusters: &BTreeSet<String>,
    file: impl Fn(MemberId) -> (String, Option<String>),
) {
    let shows_logs_alone = |read: &Gathered| {
        !read.logs.is_empty() && read.records.is_empty() && read.answers.is_empty() && read.session_logs.is_empty()
    };
    let own =
        |(key, read): (&ContextKey, &Gathered)| (key.1 == Folder::Bundle && shows_logs_alone(read)).then_some(key.0);
    let bundles: Vec<usize> = gathered.iter().filter_map(own).collect();
    for bundle in bundles {
        let others: Vec<(ContextKey, Vec<String>)> = gathered
            .iter()
            .filter(|(key, read)| key.0 == bundle && key.1 != Folder::Bundle && !read.kinds.is_empty())
            .map(|(key, read)| (key.clone(), roles(key, read, clusters)))
            .collect();
        let home_of = |id: MemberId| {
            let role = file(id).1.and_then(|class| sources.role_of(&class));
            let can_be = |roles: &[String]| match role {
                Some(role) => roles.iter().any(|own| own == role),
                // What runs in any cluster may be of one that such a cluster manages.
                None => !roles.iter().any(|own| matches!(own.as_str(), "management" | "hub" | "global")),
            };
            match others.iter().filter(|(_, roles)| can_be(roles)).collect::<Vec<_>>().as_slice() {
                [(home, _)] => Some(home.clone()),
                _ => None,
            }
        };
        let Some(mut read) = gathered.remove(&(bundle, Folder::Bundle)) else { continue };
        let homes: Vec<Option<ContextKey>> =
            with_those_beside(&read.logs, read.logs.iter().map(|id| home_of(*id)).collect(), sources, &file);
        let mut left = Vec::new();
        for (id, home) in std::mem::take(&mut read.logs).into_iter().zip(&homes) {
            match home.as_ref().and_then(|home| gathered.get_mut(home)) {
                Some(home) => home.logs.push(id),
                None => left.push(id),
            }
        }
        let only =
            homes.first().cloned().flatten().filter(|first| homes.iter().all(|home| home.as_ref() == Some(first)));
        match only.and_then(|home| gathered.get_mut(&home)) {
            // What its files say of time is said of that cluster.
            Some(home) => {
                home.stamps.append(&mut read.stamps);
                home.times.append(&mut read.times);
            }
            None => {
                read.logs = left;
                gathered.insert((bundle, Folder::Bundle), read);
            }
        }
    }
}

/// The homes of logs, with that of the logs beside them for those of Pods that any cluster may have: who collects Pods of one
/// cluster writes their logs into one folder. What machines and their static Pods write may be of another.
fn with_those_beside(
    logs: &[MemberId],
    mut homes: Vec<Option<ContextKey>>,
    sources: &Sources,
    file: &impl Fn(MemberId) -> (String, Option<String>),
) -> Vec<Option<ContextKey>> {
    let folder = |name: &str| name.rsplit_once('/').map_or_else(String::new, |(folder, _)| folder.to_owned());
    let mut of_folder: BTreeMap<String, BTreeSet<ContextKey>> = BTreeMap::new();
    for (id, home) in logs.iter().zip(&homes) {
        if let Some(home) = home {
            of_folder.entry(folder(&file(*id).0)).or_default().insert(home.clone());
        }
    }
    for (id, home) in logs.iter().zip(&mut homes).filter(|(_, home)| home.is_none()) {
        let (name, class) = file(*id);
        let is_elsewhere =
            |class: &str| sources.is_of_machine(class) || sources.is_static(class) || sources.role_of(class).is_some();
        if class.as_deref().is_some_and(is_elsewhere) {
            continue;
        }
        if let Some(beside) = of_folder.get(&folder(&name)).filter(|beside| beside.len() == 1) {
            *home = beside.first().cloned();
        }
    }
    homes
}
