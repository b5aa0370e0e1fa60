//! C01 and C03: the encryption configuration of both sides of a pair. Keys are compared by their masks and
//! never shown.

use crate::checklist::Profile;
use crate::encryption::{NOT_WHOLE, configuration, list};
use crate::outcome::{Found, fail, judge, pass, unknown, warn};
use crate::pair::Pair;
use facts::mask;
use facts::node::{Node, Value};
use std::collections::BTreeSet;

/// What a rule names that covers Secrets.
const COVERING: [&str; 3] = ["secrets", "*.", "*.*"];

/// C01: both sides have the same encryption configuration.
pub(super) fn equal(pair: &Pair<'_>, _: &Profile) -> Found {
    let found = pair.sides().map(|(side, here)| (side, configuration(here)));
    let [(_, Some(a)), (_, Some(b))] = &found else {
        let missing: Vec<&str> = found.iter().filter(|(_, found)| found.is_none()).map(|(side, _)| *side).collect();
        let missing = missing.join(" and of the ");
        return vec![unknown(format!("the encryption configuration of the {missing} was not collected"))];
    };
    let (mut differences, citations) = (differences(a.node, b.node), [a.citation.clone(), b.citation.clone()]);
    if !(a.is_whole && b.is_whole) {
        // A key that both show is another one, whatever follows.
        differences.retain(|path| path.ends_with(".secret"));
        if differences.is_empty() {
            return vec![unknown(NOT_WHOLE)];
        }
    }
    vec![match differences.is_empty() {
        true => pass("both sides have the same encryption configuration", citations),
        false => fail(format!("the encryption configurations differ at {}", differences.join(", ")), citations),
    }]
}

/// The scalars of a list under a key.
fn names(node: &Node) -> Vec<String> {
    list(node, "resources").iter().filter_map(|name| name.value.scalar()).collect()
}

/// Where two configurations differ in what they mean: order of rules, providers and keys counts, layout does not.
fn differences(a: &Node, b: &Node) -> Vec<String> {
    let mut found = Vec::new();
    let (ours, theirs) = (list(a, "resources"), list(b, "resources"));
    if ours.len() != theirs.len() {
        found.push(format!("resources: {} and {} rules", ours.len(), theirs.len()));
    }
    for (index, (x, y)) in ours.iter().zip(theirs).enumerate() {
        let path = format!("resources[{index}]");
        if names(x) != names(y) {
            found.push(format!("{path}.resources"));
        }
        let (ours, theirs) = (list(x, "providers"), list(y, "providers"));
        if ours.len() != theirs.len() {
            found.push(format!("{path}.providers: {} and {}", ours.len(), theirs.len()));
        }
        for (at, (x, y)) in ours.iter().zip(theirs).enumerate() {
            provider_differences(&format!("{path}.providers[{at}]"), x, y, &mut found);
        }
    }
    found
}

fn provider_differences(path: &str, a: &Node, b: &Node, found: &mut Vec<String>) {
    let (Some((kind, x)), Some((other, y))) = (a.entries().first(), b.entries().first()) else { return };
    if kind != other {
        found.push(format!("{path}: {kind} and {other}"));
        return;
    }
    let (ours, theirs) = (list(x, "keys"), list(y, "keys"));
    if ours.len() != theirs.len() {
        found.push(format!("{path}.{kind}.keys: {} and {}", ours.len(), theirs.len()));
    }
    for (index, (x, y)) in ours.iter().zip(theirs).enumerate() {
        let name = |node: &Node| node.get("name").and_then(|name| name.value.scalar());
        if name(x) != name(y) {
            found.push(format!("{path}.{kind}.keys[{index}].name"));
        }
        let secret = |node: &Node| node.get("secret").and_then(mask::of_node).cloned();
        // One that the collector masked is equal to nothing known, and different from nothing known.
        if secret(x).zip(secret(y)).is_some_and(|(a, b)| !a.same_secret(&b)) {
            found.push(format!("{path}.{kind}.keys[{index}].secret"));
        }
    }
    if ours.is_empty() && !same(x, y) {
        found.push(format!("{path}.{kind}"));
    }
}

/// Equal whatever the order of keys.
pub(super) fn same(a: &Node, b: &Node) -> bool {
    match (&a.value, &b.value) {
        (Value::Map(x), Value::Map(y)) => {
            x.len() == y.len() && x.iter().all(|(key, child)| b.get(key).is_some_and(|other| same(child, other)))
        }
        (Value::List(x), Value::List(y)) => x.len() == y.len() && x.iter().zip(y).all(|(x, y)| same(x, y)),
        (x, y) => x == y || x.same_as(y),
    }
}

/// C03: Secrets are encrypted on both sides.
pub(super) fn covered(pair: &Pair<'_>, _: &Profile) -> Found {
    let mut all = Vec::new();
    for (side, here) in pair.sides() {
        let Some(held) = configuration(here) else {
            return vec![unknown(format!("the encryption configuration of the {side} was not collected"))];
        };
        let names: BTreeSet<String> = list(held.node, "resources").iter().flat_map(names).collect();
        let sound = COVERING.iter().any(|wanted| names.contains(*wanted));
        if !held.is_whole && !sound {
            return vec![unknown(NOT_WHOLE)];
        }
        let told = match sound {
            true => format!("the {side} encrypts Secrets"),
            false => format!("the encryption configuration of the {side} does not cover `secrets`"),
        };
        all.push((judge(sound, told, [held.citation.clone()]), names, held));
    }
    let mut found: Found = all.iter().map(|(outcome, ..)| outcome.clone()).collect();
    if let [(_, names, own), (_, others, other)] = all.as_slice()
        && names != others
        && own.is_whole
        && other.is_whole
    {
        let places = [own.citation.clone(), other.citation.clone()];
        found.push(warn("the two sides encrypt different resources", places));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn masked(text: &str) -> Node {
        let mut node = parse::manifest::trees(text, 1, 50).pop().expect("one document");
        parse::secrets::mask_object(None, &mut node);
        node
    }

    const ONE: &str = "resources:\n- resources: [secrets]\n  providers:\n  - aescbc:\n      keys:\n      - name: key1\n        secret: c2FtcGxlLWtleS1vZi0zMi1ieXRlcy0wMTIzNDU2Nzg=\n";

    #[test]
    fn the_layout_of_a_configuration_does_not_count() {
        let other = "# a comment\nresources: [{providers: [{aescbc: {keys: [{secret: c2FtcGxlLWtleS1vZi0zMi1ieXRlcy0wMTIzNDU2Nzg=, name: key1}]}}], resources: [\"secrets\"]}]\n";
        assert_eq!(differences(&masked(ONE), &masked(other)), Vec::<String>::new());
    }

    #[test]
    fn what_differs_is_named_and_no_key_is_shown() {
        let name = ONE.replace("key1", "key2");
        assert_eq!(differences(&masked(ONE), &masked(&name)), ["resources[0].providers[0].aescbc.keys[0].name"]);
        let key = ONE.replace("MTIzNDU2Nzg=", "OTg3NjU0MzI=");
        assert_eq!(differences(&masked(ONE), &masked(&key)), ["resources[0].providers[0].aescbc.keys[0].secret"]);
        let kind = ONE.replace("aescbc", "aesgcm");
        assert_eq!(differences(&masked(ONE), &masked(&kind)), ["resources[0].providers[0]: aescbc and aesgcm"]);
        let identity = format!("{ONE}  - identity: {{}}\n");
        assert_eq!(differences(&masked(ONE), &masked(&identity)), ["resources[0].providers: 1 and 2"]);
    }
}
