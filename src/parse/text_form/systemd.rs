//! Units of systemd: `systemctl status` and `systemctl list-units`.
//!
//! Each is an object `systemdunits`: `status.load`, `status.active`, `status.sub`. The lines of the journal
//! that `status` prints below are left to the search of logs. Source: systemd
//! `src/systemctl/systemctl-show.c` (`print_status_info`), `systemctl-list-units.c`.

use crate::answer::Asked;
use crate::text_form::form::{Mark, NONE, TextForm};
use crate::text_form::records;
use crate::text_form::records::Records;
use facts::node::Node;
use facts::record::Parsed;

/// `systemctl list-units`.
pub(super) const FORM_LIST: TextForm =
    TextForm { name: "systemctl", mark: Mark::Program(is_header), text: Some(list), ..NONE };

/// `systemctl status`.
pub(super) const FORM_STATUS: TextForm = TextForm {
    name: "systemctl-status",
    mark: Mark::Program(|line| unit_of(line).is_some()),
    text: Some(status),
    ends_with_log: true,
    ..NONE
};

const TYPES: [&str; 9] = [".service", ".socket", ".timer", ".mount", ".target", ".slice", ".scope", ".path", ".device"];

/// `  UNIT      LOAD   ACTIVE SUB     DESCRIPTION`
fn is_header(line: &str) -> bool {
    line.split_whitespace().take(4).eq(["UNIT", "LOAD", "ACTIVE", "SUB"])
}

fn is_unit(word: &str) -> bool {
    TYPES.iter().any(|ending| word.ends_with(ending))
}

/// `● kubelet.service - kubelet: The Kubernetes Node Agent`
fn unit_of(line: &str) -> Option<&str> {
    let rest = line.strip_prefix(['●', '○', '×', '↻', '*'])?.strip_prefix(' ')?;
    let unit = rest.split(' ').next()?;
    is_unit(unit).then_some(unit)
}

fn node(line: u32, load: &str, active: &str, sub: &str) -> Node {
    let mut node = Node::map(line);
    for (field, text) in [("load", load), ("active", active), ("sub", sub)] {
        if !text.is_empty() {
            node.set_at(&["status", field], Node::str(line, text));
        }
    }
    node
}

fn list(asked: &Asked<'_>, text: &str) -> Option<Parsed> {
    let (_, first) = records::lines(text).next()?;
    if !is_header(first) {
        return None;
    }
    let mut records = Records::new(asked, FORM_LIST.name);
    for (number, line) in records::lines(text).skip(1) {
        let row = line.trim_start_matches(['●', '○', '×', '*', ' ']);
        let words: Vec<&str> = row.split_whitespace().take(4).collect();
        if let [unit, load, active, sub] = words[..]
            && is_unit(unit)
        {
            records.partial("systemdunits", unit, node(number, load, active, sub));
        }
    }
    records.finish_if_any()
}

fn status(asked: &Asked<'_>, text: &str) -> Option<Parsed> {
    let (_, first) = records::lines(text).next()?;
    unit_of(first)?;
    let mut records = Records::new(asked, FORM_STATUS.name);
    let mut open: Option<(u32, &str, &str, &str, &str)> = None;
    let close = |records: &mut Records<'_>, unit: Option<(u32, &str, &str, &str, &str)>| {
        if let Some((line, unit, load, active, sub)) = unit {
            records.partial("systemdunits", unit, node(line, load, active, sub));
        }
    };
    for (number, line) in records::lines(text) {
        if let Some(unit) = unit_of(line) {
            close(&mut records, open.replace((number, unit, "", "", "")));
            continue;
        }
        let Some((_, _, load, active, sub)) = &mut open else { continue };
        let line = line.trim_start();
        if let Some(rest) = line.strip_prefix("Loaded: ") {
            *load = rest.split(' ').next().unwrap_or_default();
        } else if let Some(rest) = line.strip_prefix("Active: ") {
            // `active (running) since Fri 2026-11-20 20:11:01 UTC; 2h ago`
            *active = rest.split(' ').next().unwrap_or_default();
            *sub = rest.split_once('(').and_then(|(_, rest)| rest.split_once(')')).map_or("", |(sub, _)| sub);
        }
    }
    close(&mut records, open);
    Some(records.finish())
}

#[cfg(test)]
mod tests {
    use crate::text_form::testing::read;

    #[test]
    fn status_and_list() {
        let text = "● kubelet.service - kubelet: The Kubernetes Node Agent\n     Loaded: loaded (/lib/systemd/system/kubelet.service; enabled)\n     Active: activating (auto-restart) (Result: exit-code) since Fri 2026-11-20 20:11:01 UTC; 3s ago\n   Main PID: 812 (code=exited, status=1/FAILURE)\n\nNov 20 20:11:01 cp-1 kubelet[812]: E1120 x\n";
        insta::assert_snapshot!(read("s.txt", text), @"1: systemdunits kubelet.service | status: {load: loaded, active: activating, sub: auto-restart}");
        let text = "  UNIT               LOAD   ACTIVE SUB     DESCRIPTION\n  containerd.service loaded active running containerd\n● kubelet.service    loaded failed failed  kubelet\n\n2 loaded units listed.\n";
        insta::assert_snapshot!(read("s.txt", text), @r"
        2: systemdunits containerd.service | status: {load: loaded, active: active, sub: running}
        3: systemdunits kubelet.service | status: {load: loaded, active: failed, sub: failed}
        ");
    }
}
