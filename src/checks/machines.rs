//! D25 and D26: the disks of the machines.

use crate::checklist::Profile;
use crate::installation::Installation;
use crate::object::Object;
use crate::outcome::{Found, fail, pass, unknown, warn};
use facts::node::Node;

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
