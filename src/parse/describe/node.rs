//! The blocks of a described Node: taints, addresses, resources, its Pods.
//!
//! Source: `kubernetes/kubectl:pkg/describe/describe.go@v0.34.0`, `describeNode`, `describeNodeResource`.

use crate::describe::outline;
use crate::describe::outline::{Section, blocks};
use crate::describe::pod;
use crate::describe::values::is_none;
use facts::node::{Node, Value};
use facts::partial::Partial;
use facts::path::{Path, Step};

/// Notes fields of every item of a list, and puts the items there.
fn show_items(out: &mut Partial, path: &Path, line: u32, items: Vec<Node>, names: &[&str]) {
    if !items.is_empty() {
        out.put(path, Node::new(line, Value::List(items)));
    }
    for name in names {
        let mut steps = path.0.clone();
        steps.extend([Step::All, Step::Field((*name).to_owned())]);
        out.note(Path(steps));
    }
}

/// `key=value:Effect` below each other.
pub(super) fn taints(out: &mut Partial, section: &Section<'_, '_>, path: &Path) {
    let taint = |(line, text): (u32, &str)| {
        let mut node = Node::map(line);
        pod::key_and_effect(&mut node, line, text);
        node
    };
    let items = outline::values(section).into_iter().map(taint).collect();
    show_items(out, path, section.line, items, &["key", "value", "effect"]);
}

pub(super) fn addresses(out: &mut Partial, section: &Section<'_, '_>, path: &Path) {
    let address = |block: &Section<'_, '_>| {
        let mut node = Node::map(block.line);
        node.set("type", Node::text(block.line, block.key));
        node.set("address", Node::text(block.line, block.text));
        node
    };
    let items = blocks(section.body).iter().filter(|block| !block.key.is_empty()).map(address).collect();
    show_items(out, path, section.line, items, &["type", "address"]);
}

pub(super) fn quantities(out: &mut Partial, section: &Section<'_, '_>, path: &Path) {
    out.show(path, Some(pod::quantities(section)));
}

/// Labels of the block and their fields.
const SYSTEM_INFO: [(&str, &str); 10] = [
    ("Machine ID", "machineID"),
    ("System UUID", "systemUUID"),
    ("Boot ID", "bootID"),
    ("Kernel Version", "kernelVersion"),
    ("OS Image", "osImage"),
    ("Operating System", "operatingSystem"),
    ("Architecture", "architecture"),
    ("Container Runtime Version", "containerRuntimeVersion"),
    ("Kubelet Version", "kubeletVersion"),
    ("Kube-Proxy Version", "kubeProxyVersion"),
];

pub(super) fn system_info(out: &mut Partial, section: &Section<'_, '_>, path: &Path) {
    for block in blocks(section.body) {
        let Some((_, field)) = SYSTEM_INFO.iter().find(|(label, _)| *label == block.key) else { continue };
        let mut steps = path.0.clone();
        steps.push(Step::Field((*field).to_owned()));
        let value =
            if is_none(block.text) { Node::new(block.line, Value::Null) } else { Node::text(block.line, block.text) };
        out.show(&Path(steps), Some(value));
    }
}

/// The Pods that the Node runs: line, namespace, name.
pub(super) fn pods(section: &Section<'_, '_>, out: &mut Vec<(u32, String, String)>) {
    for (line, cells) in outline::table(section.body) {
        let cell = |name: &str| cells.iter().find(|(header, _)| *header == name).map(|(_, cell)| cell.clone());
        if let (Some(namespace), Some(name)) = (cell("Namespace"), cell("Name"))
            && [&namespace, &name].iter().all(|text| !text.is_empty() && !text.contains([' ', '\n']))
        {
            out.push((line, namespace, name));
        }
    }
}
