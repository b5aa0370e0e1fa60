//! The etcd clusters of a context and their members, out of member lists, endpoint status and health, alarms,
//! static Pods and log streams: `etcdclusters.casefile.dev` and `etcdclustermembers.casefile.dev`.
//!
//! Why derived: whether etcd has a leader cannot be told by counting lines. A cluster that lost its majority
//! may say so once; a single cut-off member says the same while the others have a leader. So every
//! member's last word is found first, and the arithmetic over the voting members follows.
//!
//! Invariants: a field that is not known for certain is a range or missing, never a guess; every field
//! names the lines it rests on; a member that only logs, and that the latest member list no longer
//! holds, is not counted.

mod cluster;
mod cluster_member;
mod cluster_troubles;
mod disagreement;
mod draft;
mod draft_log;
mod freed;
mod gather;
mod lag;
mod links;
mod member;
mod member_state;
mod observation;
mod removed;
mod settle;
mod strangers;
mod voting;

use crate::deriver::{Deriver, Inputs};
use facts::derived::Derived;

pub(crate) const DERIVER: Deriver = Deriver {
    makes: &["etcdclusters", "etcdclustermembers"],
    statements: &["etcd", "etcd-client", "not-reached"],
    derive,
};

/// Members of one cluster that are looked at. etcd advises up to seven, and tools keep up to some dozen former ones.
const MOST_MEMBERS: usize = 128;

/// The etcd clusters that the facts of one context show, in the order of their names.
fn derive(inputs: &Inputs<'_>) -> Vec<Derived> {
    let reader = inputs.reader;
    let membership = gather::gather(reader);
    let clusters = membership.clusters();
    let several = clusters.len() > 1;
    let mut derived: Vec<Derived> = clusters
        .iter()
        .flat_map(|members| {
            let name = if several { format!("etcd-{}", membership.label(members[0])) } else { "etcd".to_owned() };
            // No cluster has so many; what they say together is not known.
            if members.len() > MOST_MEMBERS {
                return vec![cluster_troubles::without_members(reader, &membership, &name)];
            }
            cluster::assemble(reader, &membership, members, &name)
        })
        .collect();
    let spoken_of =
        !membership.refusals.is_empty() || !membership.alarms.is_empty() || !membership.unnamed_alarms.is_empty();
    if clusters.is_empty() && spoken_of {
        // Its clients or an alarm speak of it, and nothing else does: there is one of unknown members.
        derived.push(cluster_troubles::without_members(reader, &membership, "etcd"));
    }
    derived.sort_by(|a, b| (a.kind(), a.name()).cmp(&(b.kind(), b.name())));
    derived
}
