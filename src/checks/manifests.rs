//! A04 and A05: what a manifest still has of its template, and whether it has its indentation.

use crate::checklist::Profile;
use crate::installation::Installation;
use crate::object::Object;
use crate::outcome::{Found, fail, pass, unknown, warn};
use facts::node::{Node, Value};
use facts::origin::Citation;
use facts::unread::WhyUnread;
use regex::Regex;
use std::collections::BTreeSet;
use std::sync::LazyLock;

static PLACEHOLDER: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r"\$\{[A-Z0-9_]+\}|^<[a-z][a-z0-9]*(?:-[a-z0-9]+)*>$|^ssh-[a-z0-9-]+ AAAA\.\.\.").ok());
/// Most placeholders that are told.
const MAX_PLACEHOLDERS: usize = 20;
/// The parts of an object, and of a request to the installer, that a template fills in.
const FILLED_IN: [&str; 8] =
    ["metadata.annotations", "metadata.labels", "spec", "data", "console", "registry", "cluster", "hostIP"];
/// Keys that stand below others in every manifest of an installation, never at the top.
const INNER: [&str; 12] = [
    "clusterConfiguration",
    "clusterNetwork",
    "controlPlaneEndpoint",
    "controlPlaneRef",
    "etcd",
    "infrastructureRef",
    "kubeadmConfigSpec",
    "machineTemplate",
    "pods",
    "replicas",
    "services",
    "template",
];

/// A citation, at the line of a part of what it cites.
fn at(mut citation: Citation, node: &Node) -> Citation {
    if node.line > 0 {
        citation.line = node.line;
    }
    citation
}

/// A04: no placeholder is left in a value.
pub(super) fn placeholders(here: &Installation<'_>, _: &Profile) -> Found {
    let Some(regex) = PLACEHOLDER.as_ref() else { return Vec::new() };
    let groups =
        ["cluster", "infrastructure", "control-plane", "release", "request", "import-map", "templates", "pools"];
    let objects: Vec<Object<'_>> = groups.into_iter().flat_map(|group| here.group(group)).collect();
    let mut found = Vec::new();
    for (object, part) in objects.iter().flat_map(|object| FILLED_IN.map(|part| (object, part))) {
        let Some((node, citation)) = object.field(part).set() else { continue };
        scalars(node, part, &mut |path, node, text| {
            // The audit policy and scripts that are written to the machines have variables of their own.
            let is_file = path.contains(".files[") || path.contains("Commands[");
            if !is_file && (regex.is_match(text) || is_hollow(path, text)) && found.len() < MAX_PLACEHOLDERS {
                found.push(fail(format!("{object} has `{text}` at {path}"), [at(citation.clone(), node)]));
            }
        });
    }
    if found.is_empty() && !objects.is_empty() {
        let told = format!("no placeholder in {} objects", objects.len());
        found.push(pass(told, objects.iter().map(Object::citation)));
    }
    found
}

/// What a template leaves where its variable was not set: `:11443`, `https://`, `v`.
fn is_hollow(path: &str, text: &str) -> bool {
    let port_only =
        text.strip_prefix(':').is_some_and(|port| !port.is_empty() && port.bytes().all(|b| b.is_ascii_digit()));
    port_only || matches!(text, "https://" | "http://") || text == "v" && path.ends_with("version")
}

fn scalars<'n>(node: &'n Node, path: &str, take: &mut dyn FnMut(&str, &'n Node, &'n str)) {
    match &node.value {
        Value::Map(entries) => entries.iter().for_each(|(key, child)| scalars(child, &format!("{path}.{key}"), take)),
        Value::List(items) => {
            items.iter().enumerate().for_each(|(index, child)| scalars(child, &format!("{path}[{index}]"), take));
        }
        _ => node.as_str().into_iter().for_each(|text| take(path, node, text)),
    }
}

/// A05: the manifests have their indentation.
pub(super) fn indentation(here: &Installation<'_>, _: &Profile) -> Found {
    let groups = ["cluster", "infrastructure", "control-plane", "import-map", "templates", "pools"];
    let objects: Vec<Object<'_>> = groups.into_iter().flat_map(|group| here.group(group)).collect();
    let mut wrong = Vec::new();
    for (object, key) in objects.iter().flat_map(|object| INNER.map(|key| (object, key))) {
        if let Some((node, citation)) = object.field(key).set() {
            wrong.push(fail(format!("`{key}` stands at the top of {object}"), [at(citation, node)]));
        }
    }
    let members: BTreeSet<u32> = objects.iter().map(|object| object.citation().member.0).collect();
    for (citation, why) in here.unread() {
        // A file that cannot be read says nothing of its cluster, unless objects of it stand beside.
        if here.is_alone() && matches!(why, WhyUnread::Flat(_)) {
            wrong.push(fail(format!("a manifest cannot be read: {why}"), [citation]));
        } else if members.contains(&citation.member.0) && matches!(why, WhyUnread::YamlBreaksOff(_)) {
            // It may be the collector's output that was cut, and not the manifest.
            wrong.push(warn(format!("a file with manifests cannot be read whole: {why}"), [citation]));
        }
    }
    match (wrong.is_empty(), objects.is_empty()) {
        (false, _) => wrong,
        (true, true) => vec![unknown("no manifest was collected")],
        (true, false) => {
            let told = format!("{} manifests have their indentation", objects.len());
            vec![pass(told, objects.iter().map(Object::citation))]
        }
    }
}
