//! Members that were taken out of their cluster: what was said of them before is no trouble of it now.
//!
//! Why: a machine dies, its peers complain that they cannot reach it, and then it is removed. The complaints stay in their logs.
//!
//! Invariant: the ID of a removed member never votes again (`etcd:server/etcdserver/api/membership/cluster.go`, `removed`), so the
//! order of lines does not matter; one that a member list or its own log or answer shows is kept for those who look at these.

use crate::etcd::draft::Draft;
use crate::etcd::member::Key;
use std::collections::BTreeSet;

/// How the statements call it that a member was taken out.
const LEFT: &str = "left";

impl Draft {
    /// Takes away all that was said of members that were removed.
    pub(super) fn forget_removed(&mut self) {
        let left = { self.observations.iter() }.filter(|(_, said)| said.is(LEFT)).filter_map(|(key, _)| id(key));
        let mut gone: BTreeSet<u64> = left.collect();
        let listed = self.voting.iter().filter(|list| list.listed).flat_map(|list| &list.ids);
        let own = self.own_ids.iter().map(|(_, id)| id);
        let answered = self.statuses.iter().map(|status| &status.id);
        for id in listed.chain(own).chain(answered) {
            gone.remove(id);
        }
        self.observations.retain(|(_, said)| !said.is(LEFT));
        if gone.is_empty() {
            return;
        }
        let is_gone = |key: &Key| id(key).is_some_and(|id| gone.contains(&id));
        self.observations.retain(|(key, _)| !is_gone(key));
        self.seen.retain(|(key, _)| !is_gone(key));
        self.learner.retain(|(key, _)| !is_gone(key));
        self.started.retain(|(key, _)| !is_gone(key));
        self.healths.retain(|(key, _)| !is_gone(key));
        self.added.retain(|key| !is_gone(key));
        // The log of a machine goes on with the member that came in place of the removed one, and its address is often the same.
        let is_log = |group: &Vec<Key>| group.iter().any(|key| matches!(key, Key::Stream(_)));
        self.same.retain(|group| is_log(group) || !group.iter().any(is_gone));
        self.same.iter_mut().for_each(|group| group.retain(|key| !is_gone(key)));
        self.together.iter_mut().for_each(|group| group.retain(|key| !is_gone(key)));
        self.voting.iter_mut().for_each(|list| list.ids.retain(|id| !gone.contains(id)));
    }
}

fn id(key: &Key) -> Option<u64> {
    if let Key::Id(id) = key { Some(*id) } else { None }
}
