//! Forms that are no labels with values: the data of ConfigMaps and Secrets, quotas, ports of Services,
//! subsets of Endpoints, the status of a PodDisruptionBudget.
//!
//! Invariants: nothing that stands in a Secret gets into a tree, a message or a report, not even where
//! kubectl prints it (the token of a ServiceAccount); of a Secret the keys are known and no value.
//!
//! Source: `kubernetes/kubectl:pkg/describe/describe.go@v0.34.0`, `ConfigMapDescriber`, `describeSecret`,
//! `describeQuota`, `describeService`, `describeEndpoints`, `describePodDisruptionBudgetV1`.

use crate::describe::outline::{Line, Section, blocks, pair, table};
use crate::describe::values::is_none;
use facts::node::{Node, Value};
use facts::partial::{Partial, dotted, fields};
use facts::path::{Path, Step};

/// The lines below a heading that is underlined with `====`, up to the next one.
fn below_heading<'a, 'b>(lines: &'b [Line<'a>], heading: &str) -> Option<&'b [Line<'a>]> {
    let is_underline = |at: usize| lines.get(at).is_some_and(|(_, line)| line.trim_end() == "====");
    let start = (0..lines.len()).find(|at| lines[*at].1.trim_end() == heading && is_underline(at + 1))? + 2;
    let end = (start..lines.len()).find(|at| is_underline(at + 1)).unwrap_or(lines.len());
    lines.get(start..end)
}

/// Each key with the lines of its value. A value ends where the next key has its line of dashes.
pub(super) fn config_map(_: &[Section<'_, '_>], lines: &[Line<'_>], out: &mut Partial) {
    let Some(data) = below_heading(lines, "Data") else { return };
    let key_at = |at: usize| {
        let (number, line) = data.get(at)?;
        let dashes = data.get(at + 1).is_some_and(|(_, line)| line.trim_end() == "----");
        let key = line.trim_end().strip_suffix(':')?;
        let valid = !key.is_empty() && key.chars().all(|c| c.is_ascii_alphanumeric() || "-_.".contains(c));
        (dashes && valid).then_some((*number, key))
    };
    let starts: Vec<(usize, u32, &str)> =
        (0..data.len()).filter_map(|at| key_at(at).map(|(number, key)| (at, number, key))).collect();
    let ends = starts.iter().skip(1).map(|(at, ..)| *at).chain([data.len()]);
    let mut node = Node::map(data.first().map_or(0, |(number, _)| *number));
    for ((at, number, key), end) in starts.iter().zip(ends) {
        let value: Vec<&str> = data.get(at + 2..end).unwrap_or_default().iter().map(|(_, line)| *line).collect();
        let first = data.get(at + 2).map_or(*number, |(line, _)| *line);
        // kubectl adds blank lines, so how many the value ended with is not known.
        node.set(key, Node::text(first, value.join("\n").trim_end()));
    }
    out.show(&fields(&["data"]), Some(node).filter(|node| !node.entries().is_empty()));
}

/// The keys; every value is masked, the printed ones too.
pub(super) fn secret(_: &[Section<'_, '_>], lines: &[Line<'_>], out: &mut Partial) {
    let Some(data) = below_heading(lines, "Data") else { return };
    let mut node = Node::map(data.first().map_or(0, |(number, _)| *number));
    for (number, line) in data {
        if let Some((key, _)) = pair(line) {
            node.set(key, Node::new(*number, Value::REDACTED));
        }
    }
    out.show(&fields(&["data"]), Some(node).filter(|node| !node.entries().is_empty()));
}

/// `Resource  Used  Hard`.
pub(super) fn is_quota_header(line: &str) -> bool {
    line.split_whitespace().eq(["Resource", "Used", "Hard"]) && !line.starts_with(' ')
}

pub(super) fn quota(_: &[Section<'_, '_>], lines: &[Line<'_>], out: &mut Partial) {
    let Some(header) = lines.iter().position(|(_, line)| is_quota_header(line)) else { return };
    let mut used = Node::map(lines.get(header).map_or(0, |(number, _)| *number));
    let mut hard = used.clone();
    for (number, cells) in table(lines.get(header..).unwrap_or_default()) {
        if let [(_, resource), (_, is), (_, at_most)] = cells.as_slice()
            && !resource.is_empty()
        {
            used.set(resource, Node::text(number, is.as_str()));
            hard.set(resource, Node::text(number, at_most.as_str()));
        }
    }
    out.show(&dotted("status.used"), Some(used));
    out.show(&dotted("status.hard"), Some(hard));
}

/// `Port: http 80/TCP` and what follows it.
pub(super) fn service_ports(sections: &[Section<'_, '_>], _: &[Line<'_>], out: &mut Partial) {
    let mut ports: Vec<Node> = Vec::new();
    let mut endpoints: Vec<Node> = Vec::new();
    for section in sections {
        let line = section.line;
        let number = |text: &str| text.split('/').next().unwrap_or(text).trim().to_owned();
        match (section.key, ports.last_mut()) {
            ("Port", _) => {
                let Some((name, port)) = section.text.split_once("  ") else { continue };
                let mut item = Node::map(line);
                if !is_none(name) {
                    item.set("name", Node::text(line, name.trim()));
                }
                item.set("port", Node::text(line, number(port)));
                if let Some((_, protocol)) = port.split_once('/') {
                    item.set("protocol", Node::text(line, protocol.trim()));
                }
                ports.push(item);
            }
            // `10.0.0.1:80,10.0.0.2:80 + 3 more...`; of none, older ones print `<none>` and newer ones nothing.
            ("Endpoints", Some(_)) => {
                let (shown, more) = section.text.split_once(" + ").unwrap_or((section.text, ""));
                let shown = shown.split(',').filter(|address| !is_none(address)).count() as i64;
                let more = more.split(' ').next().and_then(|more| more.parse::<i64>().ok()).unwrap_or_default();
                endpoints.push(Node::new(line, Value::Int(shown + more)));
            }
            ("TargetPort", Some(item)) => item.set("targetPort", Node::text(line, number(section.text))),
            ("NodePort", Some(item)) => {
                if let Some((_, port)) = section.text.split_once("  ") {
                    item.set("nodePort", Node::text(line, number(port)));
                }
            }
            _ => {}
        }
    }
    // One port each, or the two lists do not belong together.
    if !endpoints.is_empty() && endpoints.len() == ports.len() {
        let line = endpoints.first().map_or(0, |item| item.line);
        let path = fields(&["status", "kubectlEndpoints"]);
        out.put(&path, Node::new(line, Value::List(endpoints)));
        let mut steps = path.0;
        steps.push(Step::All);
        out.note(Path(steps));
    }
    let line = ports.first().map_or(0, |item| item.line);
    let path = fields(&["spec", "ports"]);
    if !ports.is_empty() {
        out.put(&path, Node::new(line, Value::List(ports)));
    }
    for name in ["name", "port", "protocol", "targetPort", "nodePort"] {
        let mut steps = path.0.clone();
        steps.extend([Step::All, Step::Field(name.to_owned())]);
        out.note(Path(steps));
    }
}

/// Addresses that are ready and that are not.
pub(super) fn subsets(sections: &[Section<'_, '_>], _: &[Line<'_>], out: &mut Partial) {
    let mut items: Vec<Node> = Vec::new();
    let Some(section) = sections.iter().find(|section| section.key == "Subsets") else { return };
    for block in blocks(section.body) {
        let list = |text: &str| {
            let address = |ip: &str| {
                let mut node = Node::map(block.line);
                node.set("ip", Node::text(block.line, ip.trim()));
                node
            };
            let items = text.split(',').filter(|ip| !is_none(ip)).map(address).collect();
            Node::new(block.line, Value::List(items))
        };
        match (block.key, items.last_mut()) {
            ("Addresses", _) => {
                let mut item = Node::map(block.line);
                if !is_none(block.text) {
                    item.set("addresses", list(block.text));
                }
                items.push(item);
            }
            ("NotReadyAddresses", Some(item)) if !is_none(block.text) => {
                item.set("notReadyAddresses", list(block.text))
            }
            ("Ports", Some(item)) => {
                let ports = table(block.body).into_iter().map(|(number, cells)| {
                    let mut port = Node::map(number);
                    for (header, cell) in cells.iter().filter(|(_, cell)| !is_none(cell)) {
                        port.set(&header.to_ascii_lowercase(), Node::text(number, cell.as_str()));
                    }
                    port
                });
                item.set("ports", Node::new(block.line, Value::List(ports.collect())));
            }
            _ => {}
        }
    }
    if !items.is_empty() {
        out.put(&fields(&["subsets"]), Node::new(section.line, Value::List(items)));
    }
    for path in ["addresses[*].ip", "notReadyAddresses[*].ip", "ports[*].name", "ports[*].port", "ports[*].protocol"] {
        out.note(dotted(&format!("subsets[*].{path}")));
    }
}

pub(super) fn disruptions(out: &mut Partial, section: &Section<'_, '_>, path: &Path) {
    let labels = [
        ("Allowed disruptions", "disruptionsAllowed"),
        ("Current", "currentHealthy"),
        ("Desired", "desiredHealthy"),
        ("Total", "expectedPods"),
    ];
    for block in blocks(section.body) {
        if let Some((_, field)) = labels.iter().find(|(label, _)| *label == block.key) {
            let mut steps = path.0.clone();
            steps.push(Step::Field((*field).to_owned()));
            out.show(&Path(steps), Some(Node::text(block.line, block.text)));
        }
    }
}
