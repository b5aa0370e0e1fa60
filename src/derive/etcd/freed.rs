//! Space that is free again after members were defragmented.
//!
//! Why: etcd never takes its alarm NOSPACE back by itself. Who has compacted and defragmented and still cannot write needs
//! one command, and not the whole cure once more.
//!
//! Invariants: only where somebody defragmented, and every database of which a size is shown after that is far below the
//! smallest quota that clusters have; a size of before says nothing.

use crate::etcd::member::Membership;
use facts::derived::Derived;
use facts::provenance::{Cited, Provenance};

/// Half of the quota that etcd has if nobody sets one, in bytes. Source: `server/storage/quota.go@v3.5.21`.
const FAR_BELOW: i64 = 1 << 30;

/// Adds `status.sizeAfterDefragmentation`: the largest size, as text.
pub(super) fn add(membership: &Membership, object: &mut Derived) {
    let is_before = |first: &Cited, then: &Cited| {
        first.citation.member == then.citation.member && first.citation.line < then.citation.line
    };
    let after = membership.statuses.iter().filter(|status| {
        membership.defragmented.iter().any(|defragmented| is_before(defragmented, &status.asked.cited))
    });
    let sizes: Vec<(i64, &Cited)> = after.filter_map(|status| Some((status.size?, &status.asked.cited))).collect();
    let Some(largest) = sizes.iter().map(|(size, _)| *size).max().filter(|size| *size < FAR_BELOW) else { return };
    let places = membership.defragmented.iter().chain(sizes.into_iter().map(|(_, cited)| cited)).cloned();
    if let Some(cited) = Provenance::all(places) {
        object.text("status.sizeAfterDefragmentation", &shown(largest), &cited);
    }
}

/// `2.8 MB`, by the thousand as etcdctl has it.
fn shown(bytes: i64) -> String {
    let (unit, name) = if bytes >= 1_000_000 { (1_000_000, "MB") } else { (1_000, "kB") };
    let tenths = bytes * 10 / unit;
    if tenths >= 100 { format!("{} {name}", tenths / 10) } else { format!("{}.{} {name}", tenths / 10, tenths % 10) }
}
