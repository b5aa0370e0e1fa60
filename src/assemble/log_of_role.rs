//! Which cluster a log is of that stands in a session without a command, by what writes it.
//!
//! Why: between commands to a workload cluster people paste what a controller of the management cluster says, and write no more
//! than whose log it is.
//!
//! Invariant: only what no command printed is put elsewhere, and only where its cluster is not one in which such a program runs
//! and one other cluster alone is.

use crate::assembly::{ContextKey, Gathered};
use crate::contexts::{self, Folder};
use catalogue::sources::Sources;
use std::collections::{BTreeMap, BTreeSet};

/// Puts such logs to the cluster in which their programs run.
pub(crate) fn place(gathered: &mut BTreeMap<ContextKey, Gathered>, sources: &Sources, clusters: &BTreeSet<String>) {
    let has_role = |key: &ContextKey, read: &Gathered, role: &str| {
        let folder = match &key.1 {
            Folder::Bundle => None,
            Folder::Path(name) | Folder::Given(name) => Some(name.as_str()),
        };
        contexts::roles(folder, &read.kinds, clusters).iter().any(|own| own == role)
    };
    let mut moves = Vec::new();
    for (key, read) in gathered.iter() {
        for (at, (_, part)) in read.session_logs.iter().enumerate().filter(|(_, (_, part))| !part.asked) {
            let Some(role) = sources.class_of_content(&part.log).and_then(|class| sources.role_of(&class)) else {
                continue;
            };
            if has_role(key, read, role) {
                continue;
            }
            let others = || gathered.iter().filter(|(other, read)| other.0 == key.0 && has_role(other, read, role));
            if let (Some((other, _)), None) = (others().next(), others().nth(1)) {
                moves.push((key.clone(), at, other.clone()));
            }
        }
    }
    // From the end on, so that what is left keeps its place.
    let mut moved = Vec::new();
    for (from, at, to) in moves.into_iter().rev() {
        moved.extend(gathered.get_mut(&from).map(|read| (to, read.session_logs.remove(at))));
    }
    for (to, part) in moved.into_iter().rev() {
        gathered.entry(to).or_default().session_logs.push(part);
    }
}
