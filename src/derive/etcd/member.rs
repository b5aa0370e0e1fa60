//! A member of etcd, and all members that a context shows.
//!
//! Each source names a member in its own way. Names that one source uses together belong to one member;
//! members that one list, one configuration or one log names together belong to one cluster; what names
//! none of these joins the only cluster of its context.

use crate::etcd::draft::{HashAnswer, HealthAnswer, StatusAnswer};
use crate::etcd::links::Link;
use crate::etcd::observation::{DIAL_FAILED, Observation, REACHED};
use crate::etcd::voting::VotingMembers;
use facts::provenance::Cited;
use facts::union::Union;
use std::collections::{BTreeMap, BTreeSet};

/// A way to name a member.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Key {
    Id(u64),
    Name(String),
    /// Peer or client address without its scheme.
    Address(String),
    /// A log stream, by its index.
    Stream(usize),
    /// The one member at this address, without a port; none where several are.
    Host(String),
    /// The member of this machine, which was asked for on it at the address of its loopback.
    Machine(String),
}

/// A member, as an index of [`Membership::members`].
pub(crate) type MemberIndex = usize;

/// A member with all that was said about it.
#[derive(Debug, Default, Clone)]
pub(super) struct Member {
    /// Its ids: one, or more where a member was replaced under the same name or address.
    pub ids: BTreeSet<u64>,
    pub names: BTreeSet<String>,
    pub addresses: BTreeSet<String>,
    /// It is a learner, where that is known.
    pub learner: Option<bool>,
    /// It was started, where that is known.
    pub started: Option<bool>,
    /// What was said about it, in the order of its places.
    pub observations: Vec<Observation>,
    /// The id that its own log gave last.
    pub own_id: Option<u64>,
    /// What those were told who asked it for its health.
    pub(super) healths: Vec<HealthAnswer>,
    /// It was seen other than in somebody else's list: in a list of its own cluster, an answer, a stream.
    pub places: Vec<Cited>,
}

impl Member {
    /// Everything of one kind that was said about it.
    pub(super) fn said(&self, says: &'static str) -> impl Iterator<Item = &Observation> + Clone {
        self.observations.iter().filter(move |said| said.is(says))
    }

    /// What peers measured of its clock: a prober that does not get through repeats what it measured last.
    pub(super) fn measured(&self) -> impl Iterator<Item = &Observation> {
        let apart = |a: &Observation, b: &Observation| Some(a.time?.duration_since(b.time?).as_secs().abs());
        let near = move |said: &Observation| self.said(DIAL_FAILED).any(|d| apart(d, said).is_some_and(|s| s < 60));
        let again = move |said: &Observation| self.said("drift").any(|o| o.text == said.text && o.time != said.time);
        self.said("drift").filter(move |said| !(again(said) && near(said)))
    }

    /// Is it known by the address of a loopback alone?
    pub(super) fn is_of_unnamed_machine(&self) -> bool {
        let loopback = |address: &String| parse::etcdctl::is_loopback(address);
        self.ids.is_empty()
            && self.names.is_empty()
            && !self.addresses.is_empty()
            && self.addresses.iter().all(loopback)
    }

    /// Is it only the number 0, in whose name etcd raises an alarm where it does not know which member is meant?
    pub(super) fn is_nobody(&self) -> bool {
        self.names.is_empty() && self.addresses.is_empty() && self.ids.iter().eq(&[0])
    }

    /// Did it answer a question itself?
    pub(super) fn answered(&self) -> Option<&Observation> {
        self.said(REACHED).find(|said| said.answer)
    }
}

/// All that a context says about etcd.
#[derive(Debug, Default)]
pub(super) struct Membership {
    /// The members, in the order of their smallest key.
    pub members: Vec<Member>,
    /// Which member a key names.
    pub by_key: BTreeMap<Key, MemberIndex>,
    /// Stated sets of voters.
    pub voting: Vec<VotingMembers>,
    /// Keys of members that were named together.
    pub(super) together: Vec<Vec<Key>>,
    /// Alarms: member id, alarm, place.
    pub alarms: Vec<(u64, String, Cited)>,
    /// Alarms that an answer names without the member that raised them.
    pub unnamed_alarms: Vec<(String, Cited)>,
    /// Answers of endpoints that list no alarm, and lists of alarms without one.
    pub without_alarm: Vec<Cited>,
    /// What etcd answered its clients, from logs of other components and kept error texts.
    pub refusals: Vec<Observation>,
    /// Rows of `endpoint status` and of `endpoint hashkv`.
    pub(super) statuses: Vec<StatusAnswer>,
    /// Where it is said that a member was defragmented.
    pub(super) defragmented: Vec<Cited>,
    pub(super) hashes: Vec<HashAnswer>,
    /// Links between two members that do not work.
    pub(super) links: Vec<Link>,
}

impl Membership {
    /// The member that a key names.
    pub(super) fn of(&self, key: &Key) -> Option<MemberIndex> {
        self.by_key.get(key).copied()
    }

    /// The member that an id names.
    pub(crate) fn by_id(&self, id: u64) -> Option<MemberIndex> {
        self.by_key.get(&Key::Id(id)).copied()
    }

    /// A name for a member in reports: its name, else its id, else an address.
    pub(super) fn label(&self, index: MemberIndex) -> String {
        let member = &self.members[index];
        let names = &member.names;
        // A file is called after a member as `etcd-3.log` is after a Pod, and the member may be called so itself.
        let whole = |name: &&String| !names.contains(&format!("etcd-{name}"));
        names
            .iter()
            .find(whole)
            .cloned()
            .or_else(|| member.ids.first().map(|id| parse::etcdctl::hex(*id)))
            .or_else(|| member.addresses.first().cloned())
            .unwrap_or_else(|| "?".to_owned())
    }

    /// The members grouped by cluster; each group and the groups among each other in order.
    pub(super) fn clusters(&self) -> Vec<Vec<MemberIndex>> {
        let mut union = Union::new(self.members.len());
        for keys in &self.together {
            let mut known = keys.iter().filter_map(|key| self.by_key.get(key));
            if let Some(first) = known.next() {
                known.for_each(|other| union.join(*first, *other));
            }
        }
        let mut groups: BTreeMap<usize, Vec<MemberIndex>> = BTreeMap::new();
        for index in 0..self.members.len() {
            groups.entry(union.root(index)).or_default().push(index);
        }
        let (linked, alone): (Vec<_>, Vec<_>) = groups.into_values().partition(|group| group.len() > 1);
        match (linked.len(), alone.len()) {
            // Loose members join the only cluster; without one they are one cluster together.
            (0, 0) => Vec::new(),
            (0, _) => vec![alone.concat()],
            (1, _) => {
                let mut members = linked.concat();
                members.extend(alone.concat());
                members.sort_unstable();
                vec![members]
            }
            _ => linked,
        }
    }
}
