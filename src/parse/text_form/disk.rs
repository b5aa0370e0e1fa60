//! `df`: how full the file systems of a node are.
//!
//! Each is an object `filesystems`: `spec.mount`, `spec.device`, `status.size`, `status.used`,
//! `status.available` (as printed), `status.usedPercent`; of `df -i` `status.inodesUsedPercent`.
//! Source: coreutils `src/df.c` (headers by option).

use crate::answer::Asked;
use crate::text_form::form::{Mark, NONE, TextForm};
use crate::text_form::records;
use crate::text_form::records::Records;
use facts::node::Node;
use facts::record::Parsed;
use facts::unread::WhyUnread;

pub(super) const FORM: TextForm =
    TextForm { name: "disk", mark: Mark::Program(is_header), text: Some(try_parse), ..NONE };

/// Reads a table of `df`; `None` if it is none.
fn try_parse(asked: &Asked<'_>, text: &str) -> Option<Parsed> {
    let mut lines = records::lines(text).skip_while(|(_, line)| line.starts_with("df: "));
    let (_, header) = lines.next()?;
    if !is_header(header) {
        return None;
    }
    let with_type = header.split_whitespace().nth(1) == Some("Type");
    let inodes = header.contains("IUse%");
    let mut records = Records::new(asked, "df");
    // A device whose name is too long stands on a line of its own.
    let mut device = None;
    for (number, line) in lines {
        let words: Vec<&str> = line.split_whitespace().collect();
        if words.len() == 1 && !line.starts_with(' ') {
            device = Some(line);
            continue;
        }
        let words = match device.take() {
            Some(device) => std::iter::once(device).chain(words).collect(),
            None => words,
        };
        match row(&words, with_type) {
            Some(row) => records.partial("filesystems", &row.mount, row.node(number, inodes)),
            None if line.starts_with("df: ") => records.unread(number, WhyUnread::Quoted(line.into())),
            None => records.unread(number, WhyUnread::no("row of `df`")),
        }
    }
    records.finish_if_any()
}

/// The header of `df`, whatever its options.
fn is_header(line: &str) -> bool {
    line.starts_with("Filesystem ") && line.trim_end().ends_with("Mounted on") && line.contains('%')
        || line.starts_with("Filesystem ") && line.contains(" Capacity ")
}

struct Row<'a> {
    device: &'a str,
    numbers: [&'a str; 3],
    percent: Option<i64>,
    mount: String,
}

fn row<'a>(words: &[&'a str], with_type: bool) -> Option<Row<'a>> {
    let (device, rest) = words.split_first()?;
    let [size, used, available, percent, mount @ ..] = rest.get(usize::from(with_type)..)? else { return None };
    let percent = match percent.strip_suffix('%') {
        Some(number) => Some(number.parse().ok()?),
        None if *percent == "-" => None,
        None => return None,
    };
    (!mount.is_empty()).then(|| Row { device, numbers: [size, used, available], percent, mount: mount.join(" ") })
}

impl Row<'_> {
    fn node(&self, line: u32, inodes: bool) -> Node {
        let mut node = Node::map(line);
        node.set_at(&["spec", "mount"], Node::str(line, self.mount.as_str()));
        node.set_at(&["spec", "device"], Node::str(line, self.device));
        let percent = if inodes { "inodesUsedPercent" } else { "usedPercent" };
        if !inodes {
            for (field, number) in ["size", "used", "available"].into_iter().zip(self.numbers) {
                node.set_at(&["status", field], Node::text(line, number));
            }
        }
        if let Some(number) = self.percent {
            node.set_at(&["status", percent], records::integer(line, number));
        }
        node
    }
}

#[cfg(test)]
mod tests {
    use crate::text_form::testing::read;

    #[test]
    fn of_people_of_inodes_and_with_a_long_device() {
        let text = "Filesystem      Size  Used Avail Use% Mounted on\n/dev/sda1        40G   39G  200M 100% /\n/dev/mapper/a-very-long-volume-name\n                 10G  1.1G  8.9G  11% /var/lib/etcd\ntmpfs              0     0     0    - /run/lock\n";
        insta::assert_snapshot!(read("df.txt", text), @r"
        2: filesystems / | spec: {mount: /, device: /dev/sda1} status: {size: 40G, used: 39G, available: 200M, usedPercent: 100}
        4: filesystems /var/lib/etcd | spec: {mount: /var/lib/etcd, device: /dev/mapper/a-very-long-volume-name} status: {size: 10G, used: 1.1G, available: 8.9G, usedPercent: 11}
        5: filesystems /run/lock | spec: {mount: /run/lock, device: tmpfs} status: {size: 0, used: 0, available: 0}
        ");
        insta::assert_snapshot!(read("df.txt", "Filesystem     Type  Inodes  IUsed  IFree IUse% Mounted on\n/dev/sda1      xfs  2621440 262144 2359296   10% /\n"), @"2: filesystems / | spec: {mount: /, device: /dev/sda1} status: {inodesUsedPercent: 10}");
        insta::assert_snapshot!(read("a.txt", "Filesystem is full\n"), @"something else");
    }
}
