//! Group D, machines of `global`: their image, disks, folder and credentials.

use crate::Profile;
use crate::State::{Fail, Pass, Warn};
use crate::outcome::{Outcome, State, must_be};
use crate::rule::{Need, Rule, rule};
use crate::side::{NAMESPACE, Side};
use crate::thing::{Field, Thing};
use facts::node::{Node, Value};
use regex::Regex;
use std::sync::LazyLock;

/// What a program of glibc says on a processor that is too old.
pub(super) const OLD_CPU: &str = "CPU does not support x86-64-v2";
/// How the flags of an x86 processor begin in `/proc/cpuinfo` and `lscpu`.
pub(super) const CPU_FLAGS: &str = "fpu vme de pse tsc msr";
/// The flags that x86-64-v2 adds. Source: x86-64 psABI, "micro-architecture levels".
const WANTED_FLAGS: [&str; 6] = ["cx16", "lahf_lm", "popcnt", "sse4_1", "sse4_2", "ssse3"];

pub(super) const RULES: [Rule; 6] = [
    rule("D14", &[Need::ControlPlane, Need::Templates], image_version),
    rule("D25", &[Need::Provider, Need::Templates], persistent_disk),
    rule("D26", &[Need::Provider, Need::Templates], datastore),
    rule("D27", &[Need::Provider, Need::Templates], folder),
    rule("D28", &[Need::Provider, Need::Infrastructure], identity),
    rule("D31", &[], processor),
];

/// The first `v1.2.3` in a text.
fn version_in(text: &str) -> Option<&str> {
    static INSIDE: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r"v\d+\.\d+\.\d+").ok());
    INSIDE.as_ref()?.find(text).map(|found| found.as_str())
}

fn image_version(side: &Side<'_>, _: &Profile) -> Vec<Outcome> {
    let Some(version) = side.control_plane().and_then(|plane| plane.field("spec.version").text()) else {
        return Vec::new();
    };
    let mut outcomes = Vec::new();
    for template in side.templates() {
        let image = template.any(&[
            "spec.template.spec.vmTemplateName",
            "spec.template.spec.template",
            "spec.template.spec.imageName",
        ]);
        let (Some(text), Some(citation)) = (image.text(), image.citation()) else { continue };
        outcomes.push(match version_in(&text) {
            Some(found) if version.starts_with(found) => {
                Outcome::new(Pass, format!("the image `{text}` of {template} is of {version}"), [citation])
            }
            Some(found) => Outcome::new(
                Fail,
                format!("the image `{text}` of {template} is of {found}, spec.version is {version}"),
                [citation],
            ),
            None => Outcome::unknown(format!("the name of the image `{text}` has no version")),
        });
    }
    outcomes
}

fn persistent_disk(side: &Side<'_>, _: &Profile) -> Vec<Outcome> {
    if !(side.is("DCS") || side.is("HCS")) {
        return Vec::new();
    }
    let at_path = |node: &Node| has_path(node, "/var/cpaas");
    let find = |things: Vec<Thing<'_>>| {
        things.into_iter().find_map(|thing| match thing.field("spec") {
            Field::Set(node, citation) if at_path(node) => Some((thing.to_string(), citation)),
            _ => None,
        })
    };
    let (pool, template) = (find(side.pools()), find(side.templates()));
    match (pool, template) {
        (Some((pool, a)), Some((template, b))) => {
            vec![Outcome::new(Fail, format!("both {pool} and {template} mount /var/cpaas"), [a, b])]
        }
        (None, Some((template, citation))) => {
            vec![Outcome::new(
                Fail,
                format!("/var/cpaas is a disk of {template}, so it is lost with the machine; it belongs into the pool"),
                [citation],
            )]
        }
        (Some((pool, citation)), None) => vec![Outcome::new(Pass, format!("{pool} keeps /var/cpaas"), [citation])],
        (None, None) => Vec::new(),
    }
}

fn has_path(node: &Node, wanted: &str) -> bool {
    match &node.value {
        Value::Map(entries) => entries.iter().any(|(key, child)| {
            (&**key == "path" || &**key == "mountPath") && child.as_str() == Some(wanted) || has_path(child, wanted)
        }),
        Value::List(items) => items.iter().any(|child| has_path(child, wanted)),
        _ => false,
    }
}

fn datastore(side: &Side<'_>, _: &Profile) -> Vec<Outcome> {
    if !side.is("DCS") {
        return Vec::new();
    }
    let mut names = Vec::new();
    for thing in side.pools().into_iter().chain(side.templates()) {
        if let Field::Set(node, citation) = thing.field("spec") {
            collect(node, "datastoreName", &mut |name| names.push((name.to_owned(), citation.clone())));
        }
    }
    let empty = names.iter().filter(|(name, _)| name.is_empty()).count();
    match (names.is_empty(), empty) {
        (true, _) => Vec::new(),
        (_, 0) => vec![Outcome::unknown(
            "whether a datastore name stands for one datastore or for a cluster of them cannot be told from here",
        )],
        _ => vec![Outcome::new(
            Warn,
            format!("{empty} disks name no datastore"),
            names.into_iter().map(|(_, citation)| citation).take(1),
        )],
    }
}

fn collect(node: &Node, wanted: &str, take: &mut dyn FnMut(&str)) {
    match &node.value {
        Value::Map(entries) => {
            for (key, child) in entries {
                match child.as_str() {
                    Some(text) if &**key == wanted => take(text),
                    _ => collect(child, wanted, take),
                }
            }
        }
        Value::List(items) => items.iter().for_each(|child| collect(child, wanted, take)),
        _ => {}
    }
}

fn folder(side: &Side<'_>, _: &Profile) -> Vec<Outcome> {
    if !side.is("VSphere") {
        return Vec::new();
    }
    side.templates()
        .into_iter()
        .map(|template| {
            let (folder, center) =
                (template.field("spec.template.spec.folder"), template.field("spec.template.spec.datacenter"));
            let Some(citation) = folder.citation() else {
                return Outcome::unknown(format!("the folder of {template} is not shown"));
            };
            let text = folder.text().unwrap_or_default();
            let center = center.text().unwrap_or_default();
            let parts: Vec<&str> = text.split('/').collect();
            let sound =
                matches!(parts.as_slice(), ["", own, "vm", "global", ..] if center.is_empty() || *own == center);
            let told = if sound {
                format!("the folder of {template} is `{text}`")
            } else {
                format!("the folder of {template} is `{text}`, documented is `/<datacenter>/vm/global`")
            };
            Outcome::new(State::of(sound), told, [citation])
        })
        .collect()
}

fn identity(side: &Side<'_>, _: &Profile) -> Vec<Outcome> {
    let Some(infrastructure) = side.infrastructure().filter(|_| side.is("VSphere")) else {
        return Vec::new();
    };
    let mut outcomes = vec![must_be("identityRef.kind", &infrastructure.field("spec.identityRef.kind"), "Secret")];
    outcomes.push(must_be(
        "identityRef.name",
        &infrastructure.field("spec.identityRef.name"),
        "global-vsphere-credentials",
    ));
    if let Some(secret) = side.named("secrets", "global-vsphere-credentials")
        && let Some(namespace) = secret.namespace()
        && namespace != NAMESPACE
    {
        outcomes.push(Outcome::new(
            Fail,
            format!("{secret} is in namespace `{namespace}`, not in `{NAMESPACE}`"),
            [secret.citation()],
        ));
    }
    outcomes
}

fn processor(side: &Side<'_>, _: &Profile) -> Vec<Outcome> {
    let mut outcomes: Vec<Outcome> = side
        .lines(OLD_CPU)
        .iter()
        .map(|line| Outcome::new(Fail, format!("{} says `{OLD_CPU}`", line.stream()), [line.citation()]))
        .take(5)
        .collect();
    // A file shows each core; one of each file is enough.
    let mut lines = side.lines(CPU_FLAGS);
    lines.dedup_by_key(|line| line.stream());
    for line in lines {
        let flags: Vec<&str> = line.text().split_whitespace().collect();
        let missing: Vec<&str> = WANTED_FLAGS.into_iter().filter(|flag| !flags.contains(flag)).collect();
        outcomes.push(if missing.is_empty() {
            Outcome::new(
                Pass,
                format!("the processor in {} has all flags of x86-64-v2", line.stream()),
                [line.citation()],
            )
        } else {
            let told = format!("the processor in {} lacks {}", line.stream(), missing.join(", "));
            Outcome::new(Fail, told, [line.citation()])
        });
    }
    if outcomes.is_empty() {
        outcomes.push(Outcome::unknown("the flags of the processors were not collected"));
    }
    outcomes
}
