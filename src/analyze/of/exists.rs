//! Analyzers that ask whether something is there: CustomResourceDefinitions, classes, Ingresses, Secrets, ConfigMaps,
//! credentials of registries.

use crate::ask::{Answer, Ask};
use crate::known::{Known, Open, Why, shown};
use crate::spec::Judges;
use crate::world::Found;
use facts::kind::KindName;
use facts::origin::Citation;

/// Files by which the collector of cluster resources says that it ran, and that it failed.
const RAN: [&str; 2] = ["cluster-resources/namespaces.json", "cluster-resources/nodes.json"];
const FAILED: &str = "cluster-resources/image-pull-secrets-errors.json";

/// One of two cases, with the place of the object or of what lacks it.
fn either(ask: &Ask<'_>, found: Known<Found>, default: &str) -> Vec<Answer> {
    match found {
        Ok(Found::There(id)) => vec![ask.either(true, default, ask.world.cite(id)).about(ask.world, id)],
        Ok(Found::Absent(at)) => vec![ask.either(false, default, at)],
        Err(open) => ask.open(open),
    }
}

pub(crate) fn definition(ask: &Ask<'_>) -> Vec<Answer> {
    let kind = KindName::parse("customresourcedefinitions.apiextensions.k8s.io");
    match ask.world.object(&kind, "", &ask.analyzer.text("customResourceDefinitionName")) {
        Ok(Found::Absent(at)) => {
            // The last outcome that is no pass.
            let judged = ask.analyzer.outcomes.iter().rev().find(|outcome| outcome.judges != Judges::Pass);
            vec![
                judged.map_or_else(
                    || Answer::nothing(ask.title, at.clone()),
                    |one| Answer::of(ask.title, one, at.clone()),
                ),
            ]
        }
        found => either(ask, found, ""),
    }
}

pub(crate) fn ingress(ask: &Ask<'_>) -> Vec<Answer> {
    let name = ask.analyzer.text("ingressName");
    let namespace = ask.analyzer.text("namespace");
    // Old clusters serve it in the old group.
    let kinds = ["ingresses.networking.k8s.io", "ingresses.extensions"].map(KindName::parse);
    let old = ask.world.object(&kinds[1], &namespace, &name);
    let found = match (ask.world.object(&kinds[0], &namespace, &name), old) {
        (Ok(Found::There(id)), _) | (_, Ok(Found::There(id))) => Ok(Found::There(id)),
        (found, _) => found,
    };
    either(ask, found, "")
}

pub(crate) fn storage_class(ask: &Ask<'_>) -> Vec<Answer> {
    class(ask, "storageclasses.storage.k8s.io", "storageClassName", "storageclass.kubernetes.io/is-default-class")
}

pub(crate) fn ingress_class(ask: &Ask<'_>) -> Vec<Answer> {
    class(ask, "ingressclasses.networking.k8s.io", "ingressClassName", "ingressclass.kubernetes.io/is-default-class")
}

/// A class by its name; without one the default class.
fn class(ask: &Ask<'_>, kind: &str, setting: &str, default: &str) -> Vec<Answer> {
    let kind = KindName::parse(kind);
    let name = ask.analyzer.text(setting);
    if !name.is_empty() {
        return either(ask, ask.world.object(&kind, "", &name), "");
    }
    let word = if setting == "storageClassName" { "Storage" } else { "Ingress" };
    let listed = ask.world.list(&kind, None);
    let mut open = listed.open;
    for id in &listed.ids {
        match ask.world.entry(*id, &["metadata", "annotations"], default) {
            Ok((Some(value), at)) if value == "true" => {
                let found = format!("Default {word} Class found");
                return vec![ask.either(true, &found, vec![at]).about(ask.world, *id)];
            }
            Ok(_) => {}
            Err(why) => open = open.or(Some(why)),
        }
    }
    match open {
        Some(open) => ask.open(open),
        None => vec![ask.either(false, &format!("No Default {word} Class found"), listed.at)],
    }
}

pub(crate) fn secret(ask: &Ask<'_>) -> Vec<Answer> {
    keyed(ask, "secrets", "secretName")
}

pub(crate) fn config_map(ask: &Ask<'_>) -> Vec<Answer> {
    keyed(ask, "configmaps", "configMapName")
}

/// An object with keys, and one of them if the spec names it.
fn keyed(ask: &Ask<'_>, kind: &str, setting: &str) -> Vec<Answer> {
    let found = ask.world.object(&KindName::parse(kind), &ask.analyzer.text("namespace"), &ask.analyzer.text(setting));
    let key = ask.analyzer.text("key");
    let Ok(Found::There(id)) = found else { return either(ask, found, "") };
    if key.is_empty() {
        return either(ask, Ok(Found::There(id)), "");
    }
    let mut at = None;
    let mut open = None;
    for field in ["data", "binaryData"] {
        match ask.world.entry(id, &[field], &key) {
            // A masked value is there.
            Ok((Some(_), place)) => return vec![ask.either(true, "", vec![place]).about(ask.world, id)],
            Err(Open { why: Why::Masked(_), at }) => return vec![ask.either(true, "", at).about(ask.world, id)],
            Ok((None, place)) => at = at.or(Some(place)),
            Err(why) => open = open.or(Some(why)),
        }
    }
    match open {
        Some(open) => vec![Answer::open(ask.title, open).about(ask.world, id)],
        None => vec![ask.either(false, "", at.into_iter().collect()).about(ask.world, id)],
    }
}

/// Whether a pull secret for a registry was collected.
pub(crate) fn pull_secret(ask: &Ask<'_>) -> Vec<Answer> {
    let registry = ask.analyzer.text("registryName");
    let files = ask.all_files();
    if let Ok(files) = &files {
        for file in files {
            let tree = match file.json(ask.world.nesting) {
                Ok(tree) => tree,
                Err(open) => return ask.open(open),
            };
            if let Some((_, node)) = tree.entries().iter().find(|(own, _)| **own == *registry) {
                let found = format!("Credentials to pull from: {} found", shown(&registry));
                return vec![ask.either(true, &found, vec![file.cite_node(node)])];
            }
        }
    }
    if let Some(at) = ask.world.files.named(FAILED) {
        return ask.open(Open { why: Why::CollectorFailed(format!("see {FAILED}")), at: vec![at] });
    }
    // The collector writes a file for each pull secret, and so none where there is none.
    let ran = RAN.iter().find_map(|file| ask.world.files.named(file));
    let Some(ran) = ran else {
        return ask.open(files.err().unwrap_or_else(|| Why::NoFile(RAN.join(", ")).into()));
    };
    let mut at: Vec<Citation> = files.unwrap_or_default().iter().map(|file| file.cite()).collect();
    if at.is_empty() {
        at.push(ran);
    }
    let missing = format!("Credentials to pull from: {} not found", shown(&registry));
    vec![ask.either(false, &missing, at)]
}
