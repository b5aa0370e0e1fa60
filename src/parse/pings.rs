//! Packets of two sizes to one target: `ping -M do -s 1422`, then `-s 1472`.
//!
//! Why: that small packets get through and large ones get no answer at all is what a wrong MTU looks like, and no single
//! line says so.
//!
//! Invariants: a packet that was refused with a size (`message too long, mtu=1450`, `Frag needed`) was answered, and is no
//! fault: every overlay has its size; a target that answers large packets later is well.

use catalogue::tools::Report;
use std::collections::BTreeMap;

/// The program, and the class of what it says here.
const TOOL: &str = "ping";
const CLASS: &str = "mtu";
/// Lines that one run of it is read for.
const LONGEST: usize = 60;
/// Fewer packets that are lost may be lost by chance.
const LEAST: u32 = 2;

/// What one run of ping showed.
struct Run<'t> {
    target: &'t str,
    /// Bytes of a packet with its headers.
    bytes: u32,
    sent: u32,
    received: u32,
    /// Somebody on the way said that it is too large.
    refused: bool,
    /// Where it ends.
    at: usize,
}

/// `PING web (10.0.0.9) 1472(1500) bytes of data.`: the target and the bytes of a packet.
fn begins(line: &str) -> Option<(&str, u32)> {
    let (_, rest) = line.trim().strip_prefix("PING ")?.split_once('(')?;
    let (target, rest) = rest.split_once(')')?;
    let (_, rest) = rest.split_once('(')?;
    let (bytes, rest) = rest.split_once(')')?;
    Some((target, bytes.parse().ok()?)).filter(|_| rest.starts_with(" bytes of data"))
}

/// `3 packets transmitted, 0 received, 100% packet loss, time 2031ms`: how many were sent, and came back.
fn ends(line: &str) -> Option<(u32, u32)> {
    let (sent, rest) = line.trim().split_once(" packets transmitted, ")?;
    let received = rest.split(' ').next()?;
    Some((sent.parse().ok()?, received.parse().ok()?))
}

fn runs<'t>(lines: &[&'t str]) -> Vec<Run<'t>> {
    let mut all: Vec<Run<'t>> = Vec::new();
    let mut open: Option<(Run<'t>, usize)> = None;
    for (at, line) in lines.iter().enumerate() {
        if let Some((target, bytes)) = begins(line) {
            // Somebody stopped to copy before it was done.
            all.extend(open.take().map(|(run, _)| run).filter(|run| run.received > 0));
            open = Some((Run { target, bytes, sent: 0, received: 0, refused: false, at }, at));
            continue;
        }
        let Some((run, begun)) = &mut open else { continue };
        let lower = line.to_ascii_lowercase();
        if at - *begun > LONGEST {
            open = None;
        } else if let Some((sent, received)) = ends(line) {
            (run.sent, run.received, run.at) = (sent, received, at);
            all.extend(open.take().map(|(run, _)| run));
        } else if lower.contains(" bytes from ") {
            run.received += 1;
        } else if ["message too long", "frag needed", "packet too big"].iter().any(|word| lower.contains(word)) {
            run.refused = true;
        }
    }
    all.extend(open.map(|(run, _)| run).filter(|run| run.received > 0));
    all
}

/// Targets that answer small packets and no large ones, each with the index of the line that shows it.
pub(crate) fn find(lines: &[&str]) -> Vec<(usize, Report)> {
    let mut by_target: BTreeMap<&str, Vec<Run<'_>>> = BTreeMap::new();
    for run in runs(lines) {
        by_target.entry(run.target).or_default().push(run);
    }
    let lost = |runs: &Vec<Run<'_>>| {
        let answered = |run: &&Run<'_>| run.received > 0;
        let largest = runs.iter().filter(answered).map(|run| run.bytes).max()?;
        let is_lost = |run: &&Run<'_>| run.received == 0 && run.sent >= LEAST && !run.refused && run.bytes > largest;
        let run = runs.iter().filter(is_lost).min_by_key(|run| run.bytes)?;
        let says = format!("packets of {} bytes get no answer, and those of {largest} bytes do", run.bytes);
        let of = Some(run.target.to_owned());
        Some((
            run.at,
            Report { tool: TOOL, class: CLASS.to_owned(), of, says, wrong: true, state: true, causes_above: false },
        ))
    };
    by_target.values().filter_map(lost).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn show(text: &str) -> Vec<String> {
        let lines: Vec<&str> = text.lines().collect();
        find(&lines).into_iter().map(|(at, report)| format!("{at}: {}", report.says)).collect()
    }

    const SMALL: &str = "PING 10.0.0.9 (10.0.0.9) 1422(1450) bytes of data.\n1430 bytes from 10.0.0.9: icmp_seq=1 ttl=62 time=0.611 ms\n";
    const LARGE: &str = "PING 10.0.0.9 (10.0.0.9) 1472(1500) bytes of data.\n\n--- 10.0.0.9 ping statistics ---\n";
    const NONE: &str = "3 packets transmitted, 0 received, 100% packet loss, time 2031ms\n";

    #[test]
    fn small_packets_get_through_and_large_ones_do_not() {
        let text = format!("{SMALL}{LARGE}{NONE}");
        assert_eq!(show(&text), ["5: packets of 1500 bytes get no answer, and those of 1450 bytes do"]);
    }

    #[test]
    fn what_is_no_such_thing() {
        assert_eq!(show(&format!("{LARGE}{NONE}")), [""; 0], "nobody answers at all");
        let refused = LARGE.replace("\n\n", "\nping: local error: message too long, mtu=1450\n");
        assert_eq!(show(&format!("{SMALL}{refused}{NONE}")), [""; 0], "the size of the network is told");
        let other = LARGE.replace("10.0.0.9", "10.0.0.8");
        assert_eq!(show(&format!("{SMALL}{other}{NONE}")), [""; 0], "another target");
        let later = SMALL.replace("1422(1450)", "1472(1500)");
        assert_eq!(show(&format!("{SMALL}{LARGE}{NONE}{later}")), [""; 0], "it is well by now");
        assert_eq!(show("PING x (x): 56 data bytes\nPING (\n packets transmitted, \n"), [""; 0]);
    }
}
