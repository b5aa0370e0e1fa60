//! Journals in the time of their machine: a line of it may hold a time that states a zone, as those of containerd do, and
//! so tells how far the clock in front of all lines is ahead of UTC, also in the other journals of that machine.
//!
//! Why: the times of objects are in UTC; without this a machine in Berlin did everything two hours after the cluster saw
//! it.
//!
//! Invariants: the lines of one machine agree on one zone, or none is taken; only times without year move, since all
//! others state their zone or may come from elsewhere.

use facts::log::ScannedLog;
use facts::origin::MemberId;
use parse::member::MemberContent;
use std::collections::BTreeMap;

/// Turns the times of the journals of one bundle into UTC, where their zone is known.
pub(crate) fn leave(contents: &mut BTreeMap<MemberId, MemberContent>) {
    // `None` where two journals of a machine tell two zones: it was moved, or the summer ended.
    let mut zones: BTreeMap<Box<str>, Option<i32>> = BTreeMap::new();
    let mut note = |log: &mut ScannedLog| {
        if let (Some(host), Some(zone)) = (&log.host, log.tally.zone) {
            let known = zones.entry(host.clone()).or_insert(Some(zone));
            *known = known.filter(|known| *known == zone);
        }
    };
    contents.values_mut().for_each(|content| each_log(content, &mut note));
    let mut settle = |log: &mut ScannedLog| {
        let of_machine = || zones.get(log.host.as_ref()?).copied().flatten();
        if let Some(ahead) = log.tally.zone.or_else(of_machine) {
            log.leave_zone(ahead);
        }
    };
    contents.values_mut().for_each(|content| each_log(content, &mut settle));
}

/// The logs of a member, each of one machine.
fn each_log(content: &mut MemberContent, act: &mut impl FnMut(&mut ScannedLog)) {
    let of_session = content.session.iter_mut().flat_map(|session| &mut session.logs).map(|part| &mut part.log);
    let framed = content.framed.iter_mut().map(|framed| &mut framed.log);
    for log in content.log.iter_mut().chain(framed).chain(of_session) {
        act(log);
        log.others.iter_mut().for_each(&mut *act);
    }
}
