//! B10 and B11: what pools hold.

use crate::checklist::Profile;
use crate::installation::{CONTROL_PLANE_TEMPLATE, Installation, POOL_REFERENCES};
use crate::outcome::{Found, Outcome, State, fail, pass, unknown};
use facts::node::Node;
use facts::origin::Citation;
use std::collections::{BTreeMap, BTreeSet};
use std::net::IpAddr;

/// Where the pools of the providers list their entries.
const ENTRIES: [&str; 2] = ["spec.pool", "spec.configs"];

/// The entries of all pools: the name of the pool, the entry, and the citation of the list.
fn entries<'f>(here: &Installation<'f>) -> Vec<(&'f str, &'f Node, Citation)> {
    let lists =
        here.group("pools").into_iter().flat_map(|pool| ENTRIES.map(|path| (pool.name(), pool.field(path).set())));
    let lists = lists.filter_map(|(pool, list)| Some((pool, list?)));
    lists
        .flat_map(|(pool, (node, citation))| node.items().iter().map(move |entry| (pool, entry, citation.clone())))
        .collect()
}

/// The addresses that pools give to Nodes, with the names of the pools.
pub(super) fn addresses(here: &Installation<'_>) -> Vec<(IpAddr, String, Citation)> {
    let mut found = Vec::new();
    for (pool, entry, mut citation) in entries(here) {
        if entry.line > 0 {
            citation.line = entry.line;
        }
        let networks = entry.get("networks").map_or(&[][..], Node::items);
        let named = networks.iter().filter_map(|network| network.get("ipAddress").or_else(|| network.get("ip")));
        for text in entry.get("ip").into_iter().chain(named).filter_map(Node::as_str) {
            if let Ok(address) = text.split('/').next().unwrap_or(text).parse() {
                found.push((address, pool.to_owned(), citation.clone()));
            }
        }
    }
    found
}

/// B10: the pool has an entry for each machine, and for those that a rollout adds.
pub(super) fn size(here: &Installation<'_>, _: &Profile) -> Found {
    let Some(plane) = here.one("control-plane") else { return Vec::new() };
    let names = CONTROL_PLANE_TEMPLATE.map(|path| plane.field(&format!("{path}.name")).text());
    let is_own = |name: &str| names.iter().flatten().any(|own| own == name);
    let template = here.group("templates").into_iter().find(|template| is_own(template.name()));
    let pool = template
        .and_then(|own| POOL_REFERENCES.iter().find_map(|path| own.field(&format!("{path}.name")).text()))
        .and_then(|name| here.group("pools").into_iter().find(|pool| pool.name() == name));
    let Some(pool) = pool else { return Vec::new() };
    let paths = ["spec.rolloutStrategy.rollingUpdate.maxSurge", "spec.rollout.strategy.rollingUpdate.maxSurge"];
    let surge = plane.any(&paths).whole_number().map_or(1, |(surge, _)| surge);
    let entries = pool.any(&ENTRIES).set();
    let is_whole = ENTRIES.iter().any(|path| pool.is_whole(path) && pool.field(path).set().is_some());
    let (Some((replicas, _)), Some((entries, citation))) = (plane.field("spec.replicas").whole_number(), entries)
    else {
        return vec![unknown("replicas or pool entries are not shown")];
    };
    let (count, needed) = (entries.items().len(), replicas + surge);
    if (count as i64) < needed && !is_whole {
        return vec![unknown(format!("{pool} is not shown to its end"))];
    }
    let state = if (count as i64) < needed { State::Warn } else { State::Pass };
    let told = format!("{pool} has {count} entries, and {plane} needs {needed}");
    vec![Outcome::new(state, told, [citation, plane.citation()])]
}

/// B11: no address, host name or machine name stands twice.
pub(super) fn no_duplicates(here: &Installation<'_>, _: &Profile) -> Found {
    let mut seen: BTreeMap<String, Vec<(String, Citation)>> = BTreeMap::new();
    for (address, pool, citation) in addresses(here) {
        seen.entry(format!("address {address}")).or_default().push((pool, citation));
    }
    for (pool, entry, citation) in entries(here) {
        for key in ["hostname", "machineName"] {
            if let Some(text) = entry.get(key).and_then(Node::as_str) {
                seen.entry(format!("{key} {text}")).or_default().push((pool.to_owned(), citation.clone()));
            }
        }
    }
    let twice = seen.iter().filter(|(_, all)| all.len() > 1).map(|(what, all)| {
        let pools: BTreeSet<&str> = all.iter().map(|(pool, _)| pool.as_str()).collect();
        let pools: Vec<&str> = pools.into_iter().collect();
        let told = format!("{what} stands {} times in {}", all.len(), pools.join(", "));
        fail(told, all.iter().map(|(_, citation)| citation.clone()))
    });
    let twice: Found = twice.collect();
    if twice.is_empty() && !seen.is_empty() {
        let first = seen.values().flatten().map(|(_, citation)| citation.clone()).take(1);
        return vec![pass("each address and name stands once", first)];
    }
    twice
}
