//! H09 and C09: the ConfigMap that lists what the installer imports besides.

use crate::checklist::Profile;
use crate::installation::{IMPORT_MAP, Installation};
use crate::outcome::{Found, fail, pass, unknown};
use crate::pair::{Handover, Pair};
use facts::node::{Node, Value};
use facts::origin::Citation;
use std::collections::BTreeSet;

/// One entry of the list.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Entry {
    resource: String,
    method: Option<String>,
    names: Vec<String>,
    key_base: Option<String>,
}

/// The entries, if the ConfigMap is there and can be read.
fn entries(here: &Installation<'_>) -> Option<(Vec<Entry>, Citation)> {
    let field = here.one("import-map")?.field("data[\"resources.yaml\"]");
    let (text, citation) = (field.text()?, field.citation()?);
    let tree = parse::manifest::trees(&text, citation.line, 20).into_iter().next()?;
    let Value::List(items) = &tree.get("resources")?.value else { return None };
    let string = |node: &Node, key: &str| node.get(key).and_then(|node| node.value.scalar());
    let entries = items.iter().map(|node| Entry {
        resource: string(node, "resource").unwrap_or_default(),
        method: string(node, "method"),
        names: node.get("names").map_or(&[][..], Node::items).iter().filter_map(|name| name.value.scalar()).collect(),
        key_base: string(node, "etcdKeyBase"),
    });
    Some((entries.collect(), citation))
}

/// H09: every object that was listed for import is in the new cluster.
pub(super) fn imported(both: &Handover<'_>, _: &Profile) -> Found {
    let Some((entries, citation)) = entries(&both.bootstrap) else {
        return vec![unknown("what the bootstrap host lists for import was not collected")];
    };
    let mut found = Vec::new();
    for Entry { resource, names, .. } in entries.into_iter().filter(|entry| !entry.resource.is_empty()) {
        let all = || both.bootstrap.all(&resource).iter().map(|object| object.name().to_owned()).collect();
        for name in if names.is_empty() { all() } else { names } {
            found.push(match (both.global.named(&resource, &name), both.global.lacks(&resource, &name)) {
                (Some(own), _) => pass(format!("{own} was imported"), [citation.clone(), own.citation()]),
                (None, Some(proof)) => {
                    let told = format!("`{name}` of {resource} was not imported");
                    fail(told, [citation.clone()].into_iter().chain(proof))
                }
                (None, None) => unknown(format!("{resource} of the new cluster were not listed")),
            });
        }
    }
    found
}

/// C09: both sides of a pair import the same; Secrets may have their own names on each side.
pub(super) fn alike(pair: &Pair<'_>, _: &Profile) -> Found {
    let mut all: Vec<(BTreeSet<Entry>, Citation)> = Vec::new();
    for (side, here) in pair.sides() {
        let Some((mut entries, citation)) = entries(here) else {
            return vec![match here.lacks("configmaps", IMPORT_MAP) {
                Some(proof) => fail(format!("the {side} has no ConfigMap `{IMPORT_MAP}`"), proof),
                None => unknown(format!("the ConfigMap `{IMPORT_MAP}` of the {side} was not collected")),
            }];
        };
        entries.iter_mut().filter(|entry| entry.resource == "secrets").for_each(|entry| entry.names.clear());
        all.push((entries.into_iter().collect(), citation));
    }
    let [(a, at), (b, other)] = all.as_slice() else { return Vec::new() };
    let different: BTreeSet<&str> = a.symmetric_difference(b).map(|entry| entry.resource.as_str()).collect();
    let different = Vec::from_iter(different);
    let citations = [at.clone(), other.clone()];
    vec![match different.is_empty() {
        true => pass("both sides import the same", citations),
        false => fail(format!("the two sides import {} differently", different.join(", ")), citations),
    }]
}
