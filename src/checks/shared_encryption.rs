//! Group C: the encryption configuration of both sides of a pair. Keys are compared by their masks and never shown.

use crate::Profile;
use crate::State::{Fail, Pass, Warn};
use crate::bootstrap::same;
use crate::encryption::{encryption, encryption_file};
use crate::outcome::Outcome;
use crate::pair::{Pair, PairLogic};
use crate::thing::Field;
use facts::mask;
use facts::node::{Node, Value};
use std::collections::BTreeSet;

pub(super) const LOGIC: [(&str, PairLogic); 3] =
    [("C01", encryption_equal), ("C02", encryption_delivery), ("C03", secrets_covered)];

fn encryption_equal(pair: &Pair<'_>, _: &Profile) -> Vec<Outcome> {
    let found = pair.sides().map(|(name, side)| (name, encryption(side)));
    let [(_, Some((a, at))), (_, Some((b, other)))] = &found else {
        let missing: Vec<&str> = found.iter().filter(|(_, found)| found.is_none()).map(|(name, _)| *name).collect();
        return vec![Outcome::unknown(format!(
            "the encryption configuration of the {} was not collected",
            missing.join(" and of the ")
        ))];
    };
    let differences = differences(a, b);
    let citations = [at.clone(), other.clone()];
    if differences.is_empty() {
        return vec![Outcome::new(Pass, "both sides have the same encryption configuration", citations)];
    }
    vec![Outcome::new(Fail, format!("the encryption configurations differ at {}", differences.join(", ")), citations)]
}

/// Where two configurations differ in what they mean: order of rules, providers and keys counts, layout does not.
fn differences(a: &Node, b: &Node) -> Vec<String> {
    let mut found = Vec::new();
    let empty = Vec::new();
    let list = |node: &Node, key: &str| match node.get(key).map(|node| &node.value) {
        Some(Value::List(items)) => items.clone(),
        _ => empty.clone(),
    };
    let rules = [list(a, "resources"), list(b, "resources")];
    if rules[0].len() != rules[1].len() {
        found.push(format!("resources: {} and {} rules", rules[0].len(), rules[1].len()));
    }
    for (index, (x, y)) in rules[0].iter().zip(&rules[1]).enumerate() {
        let path = format!("resources[{index}]");
        let names =
            |node: &Node| list(node, "resources").iter().filter_map(|name| name.value.scalar()).collect::<Vec<_>>();
        if names(x) != names(y) {
            found.push(format!("{path}.resources"));
        }
        let providers = [list(x, "providers"), list(y, "providers")];
        if providers[0].len() != providers[1].len() {
            found.push(format!("{path}.providers: {} and {}", providers[0].len(), providers[1].len()));
        }
        for (at, (x, y)) in providers[0].iter().zip(&providers[1]).enumerate() {
            provider_differences(&format!("{path}.providers[{at}]"), x, y, &mut found);
        }
    }
    found
}

fn provider_differences(path: &str, a: &Node, b: &Node, found: &mut Vec<String>) {
    let (Some((kind, x)), Some((other, y))) = (a.entries().first(), b.entries().first()) else {
        return;
    };
    if kind != other {
        found.push(format!("{path}: {kind} and {other}"));
        return;
    }
    let keys = |node: &Node| node.get("keys").map_or(&[][..], Node::items).to_vec();
    let (x_keys, y_keys) = (keys(x), keys(y));
    if x_keys.len() != y_keys.len() {
        found.push(format!("{path}.{kind}.keys: {} and {}", x_keys.len(), y_keys.len()));
    }
    for (index, (x, y)) in x_keys.iter().zip(&y_keys).enumerate() {
        let name = |node: &Node| node.get("name").and_then(|name| name.value.scalar());
        if name(x) != name(y) {
            found.push(format!("{path}.{kind}.keys[{index}].name"));
        }
        let secret = |node: &Node| node.get("secret").and_then(mask::of_node).cloned();
        match (secret(x), secret(y)) {
            (Some(a), Some(b)) if a.same_secret(&b) => {}
            (Some(_), Some(_)) => found.push(format!("{path}.{kind}.keys[{index}].secret")),
            // Masked by whoever collected it: equal to nothing known, and different from nothing known.
            _ => {}
        }
    }
    if x_keys.is_empty() && !same(x, y) {
        found.push(format!("{path}.{kind}"));
    }
}

fn encryption_delivery(pair: &Pair<'_>, _: &Profile) -> Vec<Outcome> {
    let mut outcomes = Vec::new();
    for (name, side) in pair.sides() {
        let (Some(provider), Some(plane), Some(infrastructure)) =
            (side.provider(), side.control_plane(), side.infrastructure())
        else {
            outcomes.push(Outcome::unknown(format!("the objects of the {name} were not collected")));
            continue;
        };
        let file = encryption_file(&plane);
        let reference = infrastructure.field("spec.encryptionProviderConfigRef.name");
        match provider.name {
            "DCS" | "ProviderBaremetal" => {
                if let Some((_, _, citation)) = &file {
                    outcomes.push(Outcome::new(Fail, format!("the KubeadmControlPlane of the {name} writes the file; {} reads the Secret that the infrastructure cluster names", provider.name), [citation.clone()]));
                }
                outcomes.push(match (&reference, reference.citation()) {
                    (Field::NotSet(_), Some(citation)) => {
                        Outcome::new(Fail, format!("encryptionProviderConfigRef is not set on the {name}"), [citation])
                    }
                    (Field::Set(..), Some(citation)) => {
                        Outcome::new(Pass, format!("encryptionProviderConfigRef is set on the {name}"), [citation])
                    }
                    _ => Outcome::unknown(format!("encryptionProviderConfigRef of the {name} is not shown")),
                });
            }
            _ => match &file {
                Some((file, _, citation)) => {
                    let says = |key: &str| file.get(key).and_then(|node| node.value.scalar());
                    let mut wrong = Vec::new();
                    if says("owner").is_some_and(|owner| owner != "root:root") {
                        wrong.push("its owner is not root:root");
                    }
                    if says("permissions").is_some_and(|mode| mode != "0644") {
                        wrong.push("its permissions are not \"0644\"");
                    }
                    if says("append").as_deref() == Some("true") {
                        wrong.push("it is appended");
                    }
                    let state = if wrong.is_empty() { Pass } else { Fail };
                    let told = if wrong.is_empty() {
                        format!("the {name} writes the file")
                    } else {
                        format!("the {name} writes the file, but {}", wrong.join(", "))
                    };
                    outcomes.push(Outcome::new(state, told, [citation.clone()]));
                }
                None => match plane.field("spec.kubeadmConfigSpec.files") {
                    Field::Unknown => outcomes.push(Outcome::unknown(format!("files of the {name} are not shown"))),
                    field => outcomes.push(Outcome::new(
                        Fail,
                        format!("the KubeadmControlPlane of the {name} writes no encryption configuration"),
                        field.citation(),
                    )),
                },
            },
        }
    }
    outcomes
}

fn secrets_covered(pair: &Pair<'_>, _: &Profile) -> Vec<Outcome> {
    let mut covered = Vec::new();
    for (name, side) in pair.sides() {
        let Some((tree, citation)) = encryption(side) else {
            return vec![Outcome::unknown(format!("the encryption configuration of the {name} was not collected"))];
        };
        let rules = tree.get("resources").map_or(&[][..], Node::items);
        let names: BTreeSet<String> = rules
            .iter()
            .flat_map(|rule| rule.get("resources").map_or(&[][..], Node::items))
            .filter_map(|name| name.value.scalar())
            .collect();
        covered.push((name, names, citation));
    }
    let mut outcomes = Vec::new();
    for (name, names, citation) in &covered {
        let sound = ["secrets", "*.", "*.*"].iter().any(|wanted| names.contains(*wanted));
        let told = if sound {
            format!("the {name} encrypts Secrets")
        } else {
            format!("the encryption configuration of the {name} does not cover `secrets`")
        };
        outcomes.push(Outcome::new(if sound { Pass } else { Fail }, told, [citation.clone()]));
    }
    if let [(_, a, at), (_, b, other)] = covered.as_slice()
        && a != b
    {
        outcomes.push(Outcome::new(Warn, "the two sides encrypt different resources", [at.clone(), other.clone()]));
    }
    outcomes
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
