//! What the kernel of a machine is set to, and how much of it is used: `sysctl -a`.
//!
//! Each is an object `sysctls` named after its key: `status.value`, and of a gauge whose bound stands beside it
//! `status.percentUsed`. What was read at the moment of collecting says more of now than any line of a log.
//!
//! Sources: `procps-ng:src/sysctl.c` (`key = value`); `torvalds/linux:Documentation/networking/nf_conntrack-sysctl.rst`,
//! `Documentation/admin-guide/sysctl/fs.rst` (`file-nr`: allocated, free, the most).

use crate::answer::Asked;
use crate::text_form::form::{Mark, NONE, TextForm};
use crate::text_form::records;
use crate::text_form::records::Records;
use facts::node::{Node, Value};
use facts::record::Parsed;
use std::collections::BTreeMap;

pub(super) const FORM: TextForm =
    TextForm { name: "sysctl", mark: Mark::First(is_first_line), text: Some(try_parse), ..NONE };

/// Keys of a kernel; there are some two thousand.
const MOST: usize = 5_000;
/// Gauges, and the keys of their bounds.
const BOUNDS: [(&str, &str); 1] = [("net.netfilter.nf_conntrack_count", "net.netfilter.nf_conntrack_max")];
/// A gauge and its bound in one value.
const FILES: &str = "fs.file-nr";
/// What the first word of a key can be.
const ROOTS: [&str; 8] = ["abi", "debug", "dev", "fs", "kernel", "net", "user", "vm"];

/// Reads the list; `None` if it is something else.
fn try_parse(asked: &Asked<'_>, text: &str) -> Option<Parsed> {
    let (_, first) = records::lines(text).next()?;
    if !is_first_line(first) {
        return None;
    }
    let rows: BTreeMap<&str, (u32, &str)> = records::lines(text)
        .take(MOST)
        .filter_map(|(number, line)| row(line).map(|(key, value)| (key, (number, value))))
        .collect();
    let mut found = Records::new(asked, "sysctl");
    for (key, (line, value)) in &rows {
        let mut node = Node::map(*line);
        node.set_at(&["status", "value"], Node::str(*line, *value));
        let number = |text: &str| text.parse::<u64>().ok();
        let bound = BOUNDS.iter().find(|(gauge, _)| gauge == key).and_then(|(_, bound)| number(rows.get(bound)?.1));
        let used = match (*key, bound) {
            (FILES, _) => {
                let words: Vec<u64> = value.split_whitespace().filter_map(number).collect();
                words.first().copied().zip(words.get(2).copied())
            }
            (_, Some(bound)) => number(value).zip(Some(bound)),
            _ => None,
        };
        if let Some((used, most)) = used.filter(|(_, most)| *most > 0) {
            let percent = i64::try_from(u128::from(used) * 100 / u128::from(most)).unwrap_or(i64::MAX);
            node.set_at(&["status", "percentUsed"], Node::new(*line, Value::Int(percent)));
        }
        found.partial("sysctls", key, node);
    }
    found.finish_if_any()
}

/// A key and its value.
fn row(line: &str) -> Option<(&str, &str)> {
    let (key, value) = line.split_once(" =")?;
    let (root, rest) = key.split_once('.')?;
    let is_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.' | '/' | ':' | '@');
    (ROOTS.contains(&root) && !rest.is_empty() && key.chars().all(is_name)).then_some((key, value.trim()))
}

fn is_first_line(line: &str) -> bool {
    row(line).is_some()
}

#[cfg(test)]
mod tests {
    use crate::text_form::testing::read;

    #[test]
    fn gauges_stand_beside_their_bounds() {
        let text = "fs.file-nr = 4672\t0\t9223372036854775807\nnet.netfilter.nf_conntrack_count = 131040\nnet.netfilter.nf_conntrack_max = 131072\nkernel.core_pattern = |/usr/lib/systemd/systemd-coredump %P %u\n";
        insta::assert_snapshot!(read("sysctl_-a", text), @r"
        1: sysctls fs.file-nr | status: {value: 4672	0	9223372036854775807, percentUsed: 0}
        4: sysctls kernel.core_pattern | status: {value: |/usr/lib/systemd/systemd-coredump %P %u}
        2: sysctls net.netfilter.nf_conntrack_count | status: {value: 131040, percentUsed: 99}
        3: sysctls net.netfilter.nf_conntrack_max | status: {value: 131072}
        ");
        // A gauge without its bound says nothing; settings of programs are something else.
        insta::assert_snapshot!(read("sysctl.txt", "net.netfilter.nf_conntrack_count = 131040\n"), @"1: sysctls net.netfilter.nf_conntrack_count | status: {value: 131040}");
        insta::assert_snapshot!(read("app.conf", "server.port = 8080\n"), @"something else");
    }
}
