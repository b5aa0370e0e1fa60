//! D25, D26, D27 and D31: disks, folder and processors of the machines.

use crate::checklist::Profile;
use crate::installation::Installation;
use crate::object::Object;
use crate::outcome::{Found, fail, judge, pass, unknown, warn};
use facts::node::Node;

/// What a program of glibc says on a processor that is too old.
pub(super) const OLD_CPU: &str = "CPU does not support x86-64-v2";
/// How the flags of an x86 processor begin in `/proc/cpuinfo` and `lscpu`.
pub(super) const CPU_FLAGS: &str = "fpu vme de pse tsc msr";
/// The flags that x86-64-v2 adds. Source: x86-64 psABI, "micro-architecture levels".
const WANTED_FLAGS: [&str; 6] = ["cx16", "lahf_lm", "popcnt", "sse4_1", "sse4_2", "ssse3"];
/// Most lines of programs that are told.
const MAX_LINES: usize = 5;

/// The texts under some keys, wherever they stand in a tree.
fn texts_under<'n>(node: &'n Node, keys: &[&str], found: &mut Vec<&'n str>) {
    for (key, child) in node.entries() {
        match child.as_str() {
            Some(text) if keys.contains(&&**key) => found.push(text),
            _ => texts_under(child, keys, found),
        }
    }
    node.items().iter().for_each(|child| texts_under(child, keys, found));
}

/// D25: `/var/cpaas` lies on a disk of the pool.
pub(super) fn persistent_disk(here: &Installation<'_>, _: &Profile) -> Found {
    let mounting = |objects: Vec<Object<'_>>| {
        objects.into_iter().find_map(|object| {
            let (node, citation) = object.field("spec").set()?;
            let mut paths = Vec::new();
            texts_under(node, &["path", "mountPath"], &mut paths);
            paths.contains(&"/var/cpaas").then(|| (object.to_string(), citation))
        })
    };
    match (mounting(here.pools()), mounting(here.templates())) {
        (Some((pool, a)), Some((template, b))) => {
            vec![fail(format!("both {pool} and {template} mount /var/cpaas"), [a, b])]
        }
        (None, Some((template, citation))) => {
            let why = "so it is lost with the machine; it belongs into the pool";
            vec![fail(format!("/var/cpaas is a disk of {template}, {why}"), [citation])]
        }
        (Some((pool, citation)), None) => vec![pass(format!("{pool} keeps /var/cpaas"), [citation])],
        (None, None) => Vec::new(),
    }
}

/// D26: datastore names stand for single datastores.
pub(super) fn datastores(here: &Installation<'_>, _: &Profile) -> Found {
    let (mut count, mut empty, mut at) = (0, 0, None);
    for object in here.pools().into_iter().chain(here.templates()) {
        let Some((node, citation)) = object.field("spec").set() else { continue };
        let mut names = Vec::new();
        texts_under(node, &["datastoreName"], &mut names);
        count += names.len();
        empty += names.iter().filter(|name| name.is_empty()).count();
        at = at.or((!names.is_empty()).then_some(citation));
    }
    match (count, empty) {
        (0, _) => Vec::new(),
        (_, 0) => vec![unknown(
            "whether a datastore name stands for one datastore or for a cluster of them cannot be told from here",
        )],
        _ => vec![warn(format!("{empty} disks name no datastore"), at)],
    }
}

/// D27: vSphere machines lie in the folder of `global`.
pub(super) fn folder(here: &Installation<'_>, _: &Profile) -> Found {
    let one = |template: Object<'_>| {
        let folder = template.field("spec.template.spec.folder");
        let Some(citation) = folder.citation() else {
            return unknown(format!("the folder of {template} is not shown"));
        };
        let text = folder.text().unwrap_or_default();
        let center = template.field("spec.template.spec.datacenter").text().unwrap_or_default();
        let parts: Vec<&str> = text.split('/').collect();
        let sound = matches!(parts.as_slice(), ["", own, "vm", "global", ..] if center.is_empty() || *own == center);
        let wanted = if sound { "" } else { ", documented is `/<datacenter>/vm/global`" };
        judge(sound, format!("the folder of {template} is `{text}`{wanted}"), [citation])
    };
    here.templates().into_iter().map(one).collect()
}

/// D31: the processors know x86-64-v2.
pub(super) fn processors(here: &Installation<'_>, _: &Profile) -> Found {
    let old = here.lines(OLD_CPU).into_iter().take(MAX_LINES);
    let mut found: Found =
        old.map(|line| fail(format!("{} says `{OLD_CPU}`", line.stream()), [line.citation()])).collect();
    // A file shows each core; one of each file is enough.
    let mut lines = here.lines(CPU_FLAGS);
    lines.dedup_by_key(|line| line.stream());
    found.extend(lines.into_iter().map(|line| {
        let flags: Vec<&str> = line.text().split_whitespace().collect();
        let missing: Vec<&str> = WANTED_FLAGS.into_iter().filter(|flag| !flags.contains(flag)).collect();
        let told = match missing.is_empty() {
            true => format!("the processor in {} has all flags of x86-64-v2", line.stream()),
            false => format!("the processor in {} lacks {}", line.stream(), missing.join(", ")),
        };
        judge(missing.is_empty(), told, [line.citation()])
    }));
    if found.is_empty() {
        found.push(unknown("the flags of the processors were not collected"));
    }
    found
}
