//! Space that is free again after members were defragmented.
//!
//! Why: etcd never takes its alarm NOSPACE back by itself. Who has compacted and defragmented and still cannot write needs
//! one command, and not the whole cure once more.
//!
//! Invariants: only where somebody defragmented, and every database of which a size is shown further down in that text is
//! far below the quota that etcd has if nobody sets one; a size of before says nothing, nor that of another cluster.

use crate::etcd::member::{MemberIndex, Membership};
use facts::derived::Derived;
use facts::provenance::{Cited, Provenance};
use std::collections::{BTreeMap, BTreeSet};

/// Half of the quota that etcd has if nobody sets one, in bytes. Source: `server/storage/quota.go@v3.5.21`.
const FAR_BELOW: i64 = 1 << 30;

/// Adds `status.sizeAfterDefragmentation`: the largest size, as text. `members` are those of the cluster.
pub(super) fn add(membership: &Membership, members: &[MemberIndex], object: &mut Derived) {
    // Where it is said first, by file.
    let mut said: BTreeMap<_, &Cited> = BTreeMap::new();
    for cited in &membership.defragmented {
        let first = said.entry(cited.citation.member).or_insert(cited);
        if cited.citation.line < first.citation.line {
            *first = cited;
        }
    }
    let members: BTreeSet<&MemberIndex> = members.iter().collect();
    let is_own = |id| membership.by_id(id).is_some_and(|index| members.contains(&index));
    let after = membership.statuses.iter().filter_map(|status| {
        let place = &status.asked.cited;
        let first = said.get(&place.citation.member).filter(|first| first.citation.line < place.citation.line)?;
        Some((status.size.filter(|_| is_own(status.id))?, [*first, place]))
    });
    let sizes: Vec<(i64, [&Cited; 2])> = after.collect();
    let largest = sizes.iter().map(|(size, _)| *size).max();
    let Some(largest) = largest.filter(|size| (0..FAR_BELOW).contains(size)) else { return };
    if let Some(cited) = Provenance::all(sizes.into_iter().flat_map(|(_, places)| places).cloned()) {
        object.text("status.sizeAfterDefragmentation", &shown(largest), &cited);
    }
}

/// `2.8 MB`, by the thousand as etcdctl has it.
fn shown(bytes: i64) -> String {
    let (unit, name) = if bytes >= 1_000_000 { (1_000_000, "MB") } else { (1_000, "kB") };
    let tenths = bytes * 10 / unit;
    if tenths >= 100 { format!("{} {name}", tenths / 10) } else { format!("{}.{} {name}", tenths / 10, tenths % 10) }
}
