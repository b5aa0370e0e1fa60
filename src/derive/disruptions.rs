//! PodDisruptionBudgets that allow no disruption, with the cordoned Nodes that their Pods keep busy:
//! `blockeddrains.casefile.dev`.
//!
//! Why derived: a budget of zero is normal until somebody drains a Node on which one of its Pods runs, and
//! which Pods a budget speaks of is a matter of its selector.
//!
//! Source: `kubernetes/kubernetes:pkg/registry/core/pod/storage/eviction.go` (`Cannot evict pod as it would
//! violate the pod's disruption budget.`).
//!
//! Invariant: a budget that was not seen to allow zero gives no object; nor does one that speaks of no Pod.

use crate::deriver::Deriver;
use crate::nodes::cordoned_by;
use crate::reader::Reader;
use crate::workloads::{Workloads, id_of};
use facts::coverage::Basis;
use facts::derived::Derived;
use facts::object::ObjectId;
use facts::provenance::Provenance;
use std::collections::BTreeSet;

const BUDGETS: &str = "poddisruptionbudgets.policy";

pub(crate) const DERIVER: Deriver = Deriver {
    makes: &["blockeddrains"],
    statements: &[],
    derive: |inputs| inputs.each(BUDGETS, |id| budget(inputs.reader, id, inputs.workloads)),
};

fn budget(reader: Reader<'_>, id: ObjectId, workloads: &Workloads) -> Option<Derived> {
    let namespace = reader.object(id).namespace.clone()?;
    if reader.number(id, "status.disruptionsAllowed") != Some(0) || reader.number(id, "status.expectedPods") == Some(0)
    {
        return None;
    }
    let mut made = reader.about(id, "blockeddrains");
    let seen = reader.seen(id);
    let allowed = reader.text(id, "status.disruptionsAllowed").map(|read| read.cited);
    made.number("status.disruptionsAllowed", 0, Provenance::all_or(allowed, &seen));
    for path in ["status.currentHealthy", "status.desiredHealthy"] {
        if let Some(read) = reader.text(id, path) {
            made.number(path, read.text.parse::<i64>().ok()?, &read);
        }
    }
    reader.copy(id, &mut made, &["spec.minAvailable", "spec.maxUnavailable"].map(|path| (path, path)));
    let Some(selector) = reader.entries(id, "spec.selector.matchLabels").filter(|selector| !selector.is_empty()) else {
        return Some(made);
    };
    let chosen = workloads.selected(&namespace, &selector);
    let owners = chosen.iter().filter_map(|index| workloads.owner_of(*index)).map(id_of);
    // Which Pods a budget speaks of is known only as far as the Pods are.
    let of_pods = reader.listed("pods", Some(&namespace)).and(&seen);
    made.list("status.workloads", owners, &of_pods);
    let nodes_of: BTreeSet<_> = chosen.iter().filter_map(|at| workloads.pods.get(*at)?.node.clone()).collect();
    let marked = nodes_of.into_iter().filter_map(|name| {
        let node = reader.named("nodes", None, &name)?;
        Some((name, cordoned_by(reader, node)?.cited))
    });
    let (cordoned, marks): (Vec<_>, Vec<_>) = marked.unzip();
    let of_nodes = reader.listed("nodes", None);
    if !chosen.is_empty() && (!cordoned.is_empty() || of_nodes.basis != Basis::Named) {
        made.list("status.cordonedNodes", cordoned, Provenance::all_or(marks, of_pods.and(of_nodes)));
    }
    Some(made)
}
