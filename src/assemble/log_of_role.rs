//! Which cluster a log is of that stands in a session without a command, by what writes it.
//!
//! Why: between commands to a workload cluster people paste what a controller of the management cluster says, and write no more
//! than whose log it is.
//!
//! Invariant: only what no command printed is put elsewhere, and only where its cluster is not one in which such a program runs
//! and one other cluster alone is.

use crate::assembly::{ContextKey, Gathered};
use crate::contexts::{self, Folder};
use crate::streams;
use catalogue::sources::Sources;
use parse::transcript::SessionLog;
use std::collections::{BTreeMap, BTreeSet};

/// Puts such logs to the cluster in which their programs run.
pub(crate) fn place(gathered: &mut BTreeMap<ContextKey, Gathered>, sources: &Sources, clusters: &BTreeSet<String>) {
    if gathered.len() < 2 || gathered.values().all(|read| read.session_logs.iter().all(|(_, part)| part.asked)) {
        return;
    }
    let roles = |(_, folder): &ContextKey, read: &Gathered| {
        let name = match folder {
            Folder::Bundle => None,
            Folder::Path(name) | Folder::Given(name) => Some(name.as_str()),
        };
        contexts::roles(name, &read.kinds, clusters)
    };
    let mut homes: BTreeMap<(usize, String), Vec<ContextKey>> = BTreeMap::new();
    for (key, read) in gathered.iter() {
        for role in roles(key, read) {
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
