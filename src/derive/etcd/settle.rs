//! Who is who: members of etcd out of ids, names, addresses, endpoints and log streams.
//!
//! Invariants: a client address on loopback that two members answer from names neither; the name
//! `default` (etcd's default) names nobody; the result does not depend on the order of members.

use crate::etcd::draft::{Draft, StatusAnswer};
use crate::etcd::member::{Key, Member, MemberIndex, Membership};
use crate::etcd::observation::{Observation, REACHED};
use facts::union::Union;
use std::collections::{BTreeMap, BTreeSet};

impl Draft {
    /// Tells members apart: keys that some source uses together are one member.
    pub(super) fn settle(mut self) -> Membership {
        self.forget_removed();
        self.together.extend(answered_together(&self.statuses));
        self.name_machines();
        self.join_ports();
        self.keep_apart();
        let alarms = self.alarms.iter().filter(|(_, alarm, asked)| !self.is_over(alarm, asked));
        let alarms = alarms.map(|(id, alarm, asked)| (*id, alarm.clone(), asked.cited.clone())).collect();
        let unnamed = self.unnamed_alarms.iter().filter(|(alarm, asked)| !self.is_over(alarm, asked));
        let unnamed_alarms = unnamed.map(|(alarm, asked)| (alarm.clone(), asked.cited.clone())).collect();
        let ambiguous = self.ambiguous();
        let usable = |key: &Key| !ambiguous.contains(key);
        let observations: Vec<(Key, Observation)> =
            by_host(&self.same, self.observations).filter(|(key, _)| usable(key)).collect();

        let mut all: BTreeSet<Key> = self.same.iter().flatten().cloned().collect();
        all.extend(observations.iter().map(|(key, _)| key.clone()));
        all.extend(self.seen.iter().map(|(key, _)| key.clone()));
        all.retain(usable);
        all.extend(self.healths.iter().map(|(key, _)| key.clone()).filter(usable));
        all.extend(self.voting.iter().flat_map(|list| &list.ids).map(|id| Key::Id(*id)));
        let mut membership = members(&all.into_iter().collect::<Vec<Key>>(), &self.same);
        membership.each(observations, |member, said| member.observations.push(said));
        membership.each(self.own_ids, |member, id| member.own_id = Some(id));
        membership.each(self.seen, |member, cited| member.places.push(cited));
        membership.each(self.healths, |member, health| member.healths.push(health));
        membership.each(self.learner, |member, learner| member.learner = Some(learner));
        membership.each(self.started, |member, started| member.started = Some(started));
        // It was added, and since then nobody heard of it: it has not come yet.
        let is_heard = |said: &Observation| said.is(REACHED) || said.is_of_leader();
        membership.each(self.added.into_iter().map(|key| (key, ())).collect(), |member, ()| {
            let has_come = member.observations.iter().any(is_heard);
            member.started = member.started.or((!has_come).then_some(false));
        });
        Membership {
            voting: self.voting,
            together: self.together,
            alarms,
            unnamed_alarms,
            without_alarm: self.without_alarm.into_iter().map(|asked| asked.cited).collect(),
            refusals: self.refusals,
            statuses: self.statuses,
            defragmented: self.defragmented,
            hashes: self.hashes,
            links: self.links,
            ..membership
        }
    }

    /// Members that one list shows beside each other are two, whatever uses their keys together: a file into which the log of
    /// another member came names neither.
    fn keep_apart(&mut self) {
        let listed: Vec<BTreeSet<u64>> =
            self.voting.iter().filter(|list| list.listed).map(|list| list.ids.iter().copied().collect()).collect();
        for group in &mut self.same {
            let ids: BTreeSet<u64> =
                group.iter().filter_map(|key| if let Key::Id(id) = key { Some(*id) } else { None }).collect();
            let is_of_two = |list: &BTreeSet<u64>| list.intersection(&ids).count() > 1;
            if ids.len() > 1 && listed.iter().any(is_of_two) {
                group.retain(|key| matches!(key, Key::Stream(_)));
            }
        }
    }

    /// Joins the addresses for clients and for peers of one machine: on the ports that etcd is registered with (IANA, `etcd-client` and
    /// `etcd-server`), one process answers at both.
    fn join_ports(&mut self) {
        let of_groups = self.same.iter().flatten();
        let of_answers = self.healths.iter().map(|(key, _)| key).chain(self.seen.iter().map(|(key, _)| key));
        let of_lines = self.observations.iter().map(|(key, _)| key);
        let all: BTreeSet<&Key> = of_groups.chain(of_answers).chain(of_lines).collect();
        let pair = |key: &&Key| {
            let Key::Address(address) = key else { return None };
            let client = format!("{}{CLIENT_PORT}", address.strip_suffix(PEER_PORT)?);
            let client = Key::Address(client);
            (!is_loopback(key) && all.contains(&client)).then(|| vec![(*key).clone(), client])
        };
        let pairs: Vec<Vec<Key>> = all.iter().filter_map(pair).collect();
        self.same.extend(pairs);
    }

    /// Gives what was asked for on a machine to the member that is called after it: etcd of kubeadm has the name of its
    /// machine, that of K3s and RKE2 a hash behind it. Where none is, the machine names its member.
    fn name_machines(&mut self) {
        let of_lists = self.same.iter().flatten().chain(self.seen.iter().map(|(key, _)| key));
        let names: BTreeSet<String> =
            of_lists.filter_map(|key| if let Key::Name(name) = key { Some(name.clone()) } else { None }).collect();
        let of_machine = |machine: &str| -> Option<&String> {
            let short = machine.split('.').next().unwrap_or(machine);
            let fits = |name: &&String| {
                let rest = name.strip_prefix(short).unwrap_or_default();
                let hash = rest.strip_prefix('-').unwrap_or_default();
                rest.starts_with('.') || hash.len() == HASH && hash.bytes().all(|byte| byte.is_ascii_hexdigit())
            };
            let from = names.range(short.to_owned()..).take_while(|name| name.starts_with(short));
            let mut fitting = from.filter(fits);
            let first = fitting.next().filter(|_| fitting.next().is_none());
            names.get(machine).or_else(|| names.get(short)).or(first)
        };
        let settle = |key: &mut Key| {
            if let Key::Machine(machine) = key {
                *key = Key::Name(of_machine(machine).unwrap_or(machine).clone());
            }
        };
        self.same.iter_mut().flatten().for_each(settle);
        self.observations.iter_mut().map(|(key, _)| key).for_each(settle);
        self.seen.iter_mut().map(|(key, _)| key).for_each(settle);
        self.healths.iter_mut().map(|(key, _)| key).for_each(settle);
    }

    /// Keys that name no member. Loopback client addresses are the same on every node: they name a member only if one
    /// id uses them.
    fn ambiguous(&self) -> BTreeSet<Key> {
        let mut users: BTreeMap<&Key, BTreeSet<&Key>> = BTreeMap::new();
        for keys in &self.same {
            for id in keys.iter().filter(|key| matches!(key, Key::Id(_))) {
                for key in keys.iter().filter(|key| is_loopback(key)) {
                    users.entry(key).or_default().insert(id);
                }
            }
        }
        users.iter().filter(|(_, ids)| ids.len() > 1).map(|(key, _)| (*key).clone()).collect()
    }
}

/// The ports of etcd for clients and for peers.
const CLIENT_PORT: &str = ":2379";
const PEER_PORT: &str = ":2380";

/// Digits behind the name of its machine in that of a member of K3s and RKE2.
const HASH: usize = 8;

/// Who answered one question: whoever asks several endpoints at once takes them for one cluster.
fn answered_together(statuses: &[StatusAnswer]) -> Vec<Vec<Key>> {
    let pair = |pair: &[StatusAnswer]| match pair {
        [one, other] if one.asked.is_beside(&other.asked) => Some(vec![Key::Id(one.id), Key::Id(other.id)]),
        _ => None,
    };
    statuses.windows(2).filter_map(pair).collect()
}

impl Membership {
    /// Gives members what was read of them by one of their keys.
    fn each<T>(&mut self, read: Vec<(Key, T)>, give: impl Fn(&mut Member, T)) {
        for (key, what) in read {
            if let Some(member) = self.by_key.get(&key).and_then(|index| self.members.get_mut(*index)) {
                give(member, what);
            }
        }
    }
}

/// The members that sorted keys name. `same` are keys that some source uses together.
fn members(keys: &[Key], same: &[Vec<Key>]) -> Membership {
    let mut union = Union::new(keys.len());
    for group in same {
        let mut places = group.iter().filter_map(|key| keys.binary_search(key).ok());
        if let Some(first) = places.next() {
            places.for_each(|other| union.join(first, other));
        }
    }
    let mut membership = Membership::default();
    let mut roots: BTreeMap<usize, MemberIndex> = BTreeMap::new();
    for (index, key) in keys.iter().enumerate() {
        let root = union.root(index);
        let member = *roots.entry(root).or_insert_with(|| {
            membership.members.push(Member::default());
            membership.members.len() - 1
        });
        membership.by_key.insert(key.clone(), member);
        let known = &mut membership.members[member];
        match key {
            Key::Id(id) => drop(known.ids.insert(*id)),
            Key::Name(name) => drop(known.names.insert(name.clone())),
            Key::Address(address) => drop(known.addresses.insert(address.clone())),
            Key::Stream(_) | Key::Host(_) | Key::Machine(_) => {}
        }
    }
    membership
}

/// What was said, with the member in place of its address; without what is said of an address that several have.
fn by_host(same: &[Vec<Key>], all: Vec<(Key, Observation)>) -> impl Iterator<Item = (Key, Observation)> {
    let mut users: BTreeMap<String, BTreeSet<u64>> = BTreeMap::new();
    for keys in same {
        let hosts = keys.iter().filter_map(|key| match key {
            Key::Address(address) => address.rsplit_once(':').map(|(host, _)| host),
            _ => None,
        });
        for host in hosts {
            let ids = keys.iter().filter_map(|key| if let Key::Id(id) = key { Some(*id) } else { None });
            users.entry(host.to_owned()).or_default().extend(ids);
        }
    }
    let only = move |host: &str| users.get(host).filter(|ids| ids.len() == 1).and_then(|ids| ids.first().copied());
    all.into_iter().filter_map(move |(key, said)| match key {
        Key::Host(host) => Some((Key::Id(only(&host)?), said)),
        key => Some((key, said)),
    })
}

fn is_loopback(key: &Key) -> bool {
    matches!(key, Key::Address(address) if parse::etcdctl::is_loopback(address))
}
