//! C17 and C18: whether the sides of a pair reach each other, and where the name of the platform leads.
//!
//! Only what somebody tried can tell: a refused connection in a log, the output of `nc` or `dig`. That
//! nothing of the kind was collected says nothing.
//!
//! Sources: Go `net` (`dial tcp A: connect: connection refused`, `i/o timeout`), OpenBSD netcat (`nc: connect
//! to A port N (tcp) failed`), BIND `dig` (an answer line: name, TTL, `IN`, `A`, address, between tabs).

use crate::checklist::Profile;
use crate::installation::Installation;
use crate::log_line::LogLine;
use crate::outcome::{Found, Outcome, State, judge, unknown};
use crate::pair::Pair;
use facts::origin::Citation;

/// Ports that must be open in both directions.
const PORTS: [u32; 4] = [443, 6443, 11443, 2379];

/// What a dial or a probe says. Dials of 443 and 6443 are on lines of every broken cluster, most of them to
/// the cluster itself, so of these only probes count.
pub(super) const DIALS: [&str; 6] = [
    ":11443: connect: ",
    ":2379: connect: ",
    ":11443: i/o timeout",
    ":2379: i/o timeout",
    "nc: connect to ",
    " port [tcp/",
];

/// An answer of `dig`.
pub(super) const DIG: &str = "\tIN\tA\t";

/// Minutes after which a dial says nothing about now.
const LATELY: i64 = 10;
/// So many dials must have failed lately: one alone is a moment's trouble.
const OFTEN: usize = 3;

/// Does the line say of an address and port that it can be reached?
fn reached(text: &str, address: &str, port: u32) -> Option<bool> {
    let dialled = format!("dial tcp {address}:{port}: ");
    let probed = format!("connect to {address} port {port} (tcp) ");
    let open = format!("Connection to {address} {port} port [tcp/");
    if text.contains(&dialled) || text.contains(&probed) && text.contains("failed") {
        return Some(false);
    }
    (text.contains(&open) && text.contains("succeeded")).then_some(true)
}

/// C17: the sides of a pair reach each other.
pub(super) fn ports(pair: &Pair<'_>, _: &Profile) -> Found {
    let mut outcomes = Vec::new();
    let [one, two] = pair.sides();
    for ((from, here), (to, other)) in [(one, two), (two, one)] {
        let Some((address, at)) = other.value("vip") else { continue };
        let lately = |line: &LogLine<'_>| line.age(here.clock_of_logs()).is_none_or(|age| age < LATELY);
        let lines: Vec<LogLine<'_>> = DIALS.iter().flat_map(|text| here.lines(text)).filter(lately).collect();
        for port in PORTS {
            let about: Vec<&LogLine<'_>> =
                lines.iter().filter(|line| reached(line.text(), &address, port) == Some(false)).collect();
            let got_through = lines.iter().find(|line| reached(line.text(), &address, port) == Some(true));
            let probed = about.iter().any(|line| !line.text().contains("dial tcp"));
            let (state, told, line) = match (got_through, about.first()) {
                (Some(line), _) => (State::Pass, "reaches", line),
                (None, Some(line)) if probed || about.len() >= OFTEN => (State::Fail, "does not reach", *line),
                _ => continue,
            };
            let told = format!("the {from} {told} {address}:{port} of the {to}");
            outcomes.push(Outcome::new(state, told, [line.citation(), at.clone()]));
        }
    }
    if outcomes.is_empty() {
        outcomes.push(unknown("no probe of the ports between the two sides was collected"));
    }
    outcomes
}

/// The address that `dig` answered for a name, the last one.
fn resolved(here: &Installation<'_>, name: &str) -> Option<(String, Citation)> {
    let answer = |line: &LogLine<'_>| {
        let (head, address) = line.text().split_once(DIG)?;
        let asked = head.split_whitespace().next()?.trim_end_matches('.');
        (asked == name).then(|| (address.trim().to_owned(), line.citation()))
    };
    here.lines(DIG).iter().filter_map(answer).next_back()
}

/// C18: the name of the platform leads to the side that is meant.
pub(super) fn name_of_platform(pair: &Pair<'_>, _: &Profile) -> Found {
    let (Some((primary, at)), Some((standby, place))) = (pair.primary.value("vip"), pair.standby.value("vip")) else {
        return vec![unknown("the addresses of the control planes are not known")];
    };
    let Some((name, _)) = pair.primary.value("platform-host").or_else(|| pair.standby.value("platform-host")) else {
        return vec![unknown("the name of the platform is not known")];
    };
    let mut outcomes = Vec::new();
    for ((own, here), vip) in pair.sides().into_iter().zip([&primary, &standby]) {
        let Some((address, citation)) = resolved(here, &name) else { continue };
        let known = address == primary || address == standby;
        // While a side is installed, the name must lead to it; afterwards it leads to the active one.
        let installing = !here.is_installed() && here.completed().is_none();
        let right = known && (!installing || address == *vip);
        let why = match (known, right) {
            (false, _) => ", which is neither side",
            (true, false) => ", the other side, while this one is being installed",
            _ => "",
        };
        let told = format!("on the {own} {name} leads to {address}{why}");
        outcomes.push(judge(right, told, [citation, at.clone(), place.clone()]));
    }
    if outcomes.is_empty() {
        outcomes.push(unknown(format!("where {name} leads to was not collected")));
    }
    outcomes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_dial_or_a_probe_says() {
        for (line, says) in [
            ("dial tcp 10.2.1.10:2379: connect: connection refused", Some(false)),
            ("dial tcp 10.2.1.10:2379: i/o timeout", Some(false)),
            ("nc: connect to 10.2.1.10 port 2379 (tcp) failed: Connection refused", Some(false)),
            ("Connection to 10.2.1.10 2379 port [tcp/*] succeeded!", Some(true)),
            ("dial tcp 10.2.1.10:23790: connect: connection refused", None),
            ("dial tcp 110.2.1.10:2379: connect: connection refused", None),
        ] {
            assert_eq!(reached(line, "10.2.1.10", 2379), says, "{line}");
        }
    }
}
