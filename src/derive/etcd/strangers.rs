//! Endpoints that somebody asked and that belong to no member.
//!
//! Why: a list of endpoints that still names a machine of the past gives an answer that reads like a member that is down.
//!
//! Invariants: only where the members are all known with their addresses; only addresses, for a name may lead to any of them;
//! never the own machine, whose address is that of the member on it.

use crate::etcd::member::{Member, MemberIndex, Membership};
use facts::derived::Derived;
use facts::provenance::Provenance;
use std::collections::BTreeSet;
use std::net::{IpAddr, SocketAddr};

/// Adds `status.askedStrangers`: the endpoints that failed to answer and are no member's, as text; and
/// `status.strangersAnswer`: whether all of them answered another time, or none. `members` are the members that are known,
/// all of them.
pub(super) fn add(membership: &Membership, members: &BTreeSet<MemberIndex>, object: &mut Derived) {
    let addresses = |member: &Member| member.addresses.iter().filter_map(|a| host(a)).collect::<BTreeSet<IpAddr>>();
    let known: Vec<BTreeSet<IpAddr>> = members.iter().map(|index| addresses(&membership.members[*index])).collect();
    if known.is_empty() || known.iter().any(BTreeSet::is_empty) {
        return;
    }
    let known: BTreeSet<IpAddr> = known.into_iter().flatten().collect();
    let nobody = |index: &MemberIndex| {
        let member = &membership.members[*index];
        let own = addresses(member);
        let is_address = member.ids.is_empty() && member.names.is_empty() && !own.is_empty();
        let fails = member.healths.iter().any(|answer| answer.error.is_some());
        let away = own.iter().all(|ip| !ip.is_loopback() && !ip.is_unspecified() && !known.contains(ip));
        is_address && fails && away
    };
    let found: Vec<&Member> =
        (0..membership.members.len()).filter(nobody).map(|index| &membership.members[index]).collect();
    let asked = found.iter().flat_map(|member| &member.healths).map(|answer| answer.asked.cited.clone());
    let Some(cited) = Provenance::all(asked) else { return };
    let names: Vec<&str> = found.iter().flat_map(|member| &member.addresses).map(String::as_str).collect();
    object.text("status.askedStrangers", &names.join(", "), &cited);
    // Who comes through another network knows members by addresses that they do not list.
    let answers: Vec<bool> =
        found.iter().map(|member| member.healths.iter().any(|answer| answer.error.is_none())).collect();
    let together =
        if answers.iter().all(|any| *any) { Some(true) } else { (!answers.contains(&true)).then_some(false) };
    object.flag("status.strangersAnswer", together, &cited);
}

/// The address of `10.0.0.1:2379` or `10.0.0.1`.
fn host(address: &str) -> Option<IpAddr> {
    address.parse::<SocketAddr>().map(|socket| socket.ip()).or_else(|_| address.parse()).ok()
}
