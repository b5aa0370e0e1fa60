//! Group E: the AppReleases of the providers on the bootstrap host, and what they must have brought.

use crate::Profile;
use crate::State::{Fail, Pass, Warn};
use crate::networks::is_bootstrap_only;
use crate::outcome::{Outcome, must_be};
use crate::rule::{Need, Rule, rule};
use crate::side::Side;
use crate::thing::{Field, Thing};
use facts::node::{Node, Value};
use facts::origin::Citation;

pub(super) const RULES: [Rule; 11] = [
    rule("E01", &[Need::Bootstrap, Need::Provider], exist),
    rule("E02", &[Need::Releases], annotations),
    rule("E03", &[Need::Releases], destination),
    rule("E04", &[Need::Releases], charts),
    rule("E05", &[Need::Releases], repository),
    rule("E06", &[Need::Releases], pull_secret),
    rule("E07", &[Need::Releases], values),
    rule("E08", &[Need::Releases], equal_values),
    rule("E09", &[Need::Releases], healthy),
    rule("E10", &[Need::Bootstrap, Need::Provider], definitions),
    rule("E11", &[Need::Bootstrap], pods),
];

fn each(side: &Side<'_>, check: impl Fn(Thing<'_>) -> Vec<Outcome>) -> Vec<Outcome> {
    side.releases().into_iter().flat_map(check).collect()
}

/// A field of an AppRelease that must have one value.
fn field(thing: Thing<'_>, path: &str, wanted: &str) -> Outcome {
    must_be(&format!("{path} of {thing}"), &thing.field(path), wanted)
}

fn exist(side: &Side<'_>, _: &Profile) -> Vec<Outcome> {
    let Some(provider) = side.provider() else { return Vec::new() };
    let names = ["cluster-api-provider-kubeadm".to_owned(), format!("cluster-api-provider-{}", provider.release)];
    let found = names.iter().map(|name| {
        if let Some(release) = side.named("appreleases.operator.alauda.io", name) {
            return Outcome::new(Pass, release.to_string(), [release.citation()]);
        }
        match side.lacks("appreleases.operator.alauda.io", name) {
            Some(proof) => Outcome::new(Fail, format!("there is no AppRelease `{name}`"), proof),
            None => Outcome::unknown(format!("the AppRelease `{name}` was not collected")),
        }
    });
    found.collect()
}

fn annotations(side: &Side<'_>, _: &Profile) -> Vec<Outcome> {
    each(side, |thing| {
        ["auto-recycle", "interval-sync"]
            .iter()
            .map(|key| field(thing, &format!("metadata.annotations[\"{key}\"]"), "true"))
            .collect()
    })
}

fn destination(side: &Side<'_>, _: &Profile) -> Vec<Outcome> {
    each(side, |thing| {
        let empty = |path: &str| {
            let field = thing.field(path);
            match (&field, field.citation()) {
                (Field::Set(node, _), Some(citation)) if node.value.is_empty() => {
                    Outcome::new(Pass, format!("{path} of {thing} is empty"), [citation])
                }
                (Field::Set(node, _), Some(citation)) => {
                    Outcome::new(Fail, format!("{path} of {thing} is `{node}`, and must be empty"), [citation])
                }
                (_, Some(citation)) => {
                    Outcome::new(Warn, format!("{path} of {thing} is not set; documented is an empty text"), [citation])
                }
                _ => Outcome::unknown(format!("{path} of {thing} is not shown")),
            }
        };
        vec![empty("spec.destination.cluster"), empty("spec.destination.namespace")]
    })
}

fn charts(side: &Side<'_>, _: &Profile) -> Vec<Outcome> {
    each(side, |thing| {
        let mut outcomes = vec![
            field(thing, "spec.source.charts[0].name", &format!("ait/chart-{}", thing.name())),
            field(thing, "spec.source.charts[0].releaseName", thing.name()),
        ];
        let revision = thing.field("spec.source.charts[0].targetRevision");
        if revision.is_empty()
            && let Some(citation) = revision.citation()
        {
            outcomes.push(Outcome::new(Fail, format!("{thing} names no targetRevision"), [citation]));
        }
        outcomes
    })
}

fn repository(side: &Side<'_>, _: &Profile) -> Vec<Outcome> {
    each(side, |thing| {
        let (field, values) = (thing.field("spec.source.repoURL"), thing.field("spec.values.global.registry.address"));
        let (Some(text), Some(citation)) = (field.text(), field.citation()) else {
            return vec![Outcome::unknown(format!("spec.source.repoURL of {thing} is not shown"))];
        };
        let mut outcomes = Vec::new();
        let bare = text.split("://").last().unwrap_or(&text);
        let host = bare.split(['/', ':']).next().unwrap_or(bare);
        if bare != text || bare.contains('/') {
            outcomes.push(Outcome::new(
                Fail,
                format!("repoURL of {thing} is `{text}`; it has a scheme or a path"),
                [citation.clone()],
            ));
        }
        if is_bootstrap_only(host) && host != "172.18.0.1" {
            outcomes.push(Outcome::new(
                Fail,
                format!("repoURL of {thing} is `{text}`; inside of a Pod that is the Pod itself"),
                [citation.clone()],
            ));
        } else if host != "172.18.0.1" {
            outcomes.push(Outcome::new(
                Warn,
                format!("repoURL of {thing} is `{text}`, documented is 172.18.0.1:11443"),
                [citation.clone()],
            ));
        }
        if let (Some(other), Some(at)) = (values.text(), values.citation())
            && other != text
        {
            outcomes.push(Outcome::new(
                Fail,
                format!("repoURL of {thing} is `{text}`, values.global.registry.address `{other}`"),
                [citation.clone(), at],
            ));
        }
        if outcomes.is_empty() {
            outcomes.push(Outcome::new(Pass, format!("repoURL of {thing} is `{text}`"), [citation]));
        }
        outcomes
    })
}

/// The two fields that name the pull Secret: of the chart, and of the images in it.
const PULL_SECRETS: [&str; 2] = ["spec.source.chartPullSecret", "spec.values.global.registry.imagePullSecrets"];

fn pull_secret(side: &Side<'_>, _: &Profile) -> Vec<Outcome> {
    let exists = side.named("secrets", "global-registry-auth").is_some();
    let absent = || side.lacks("secrets", "global-registry-auth");
    let by_field = |thing: Thing<'_>, path: &str| {
        let field = thing.field(path);
        match (names(&field), field.citation()) {
            (Some(names), Some(citation)) if !names.is_empty() => {
                names.iter().map(|name| pulls_with(side, thing, path, name, &citation)).collect()
            }
            (Some(_), Some(citation)) if exists => vec![Outcome::new(
                Warn,
                format!("the Secret `global-registry-auth` exists, and {path} of {thing} does not name it"),
                [citation],
            )],
            (Some(_), Some(citation)) if absent().is_some() => {
                vec![Outcome::new(Pass, format!("{path} of {thing} names no Secret, and there is none"), [citation])]
            }
            (Some(_), _) => {
                vec![Outcome::unknown("whether the Secret `global-registry-auth` exists was not collected")]
            }
            (None, _) => vec![Outcome::unknown(format!("{path} of {thing} is not shown"))],
        }
    };
    each(side, |thing| PULL_SECRETS.iter().flat_map(|path| by_field(thing, path)).collect())
}

/// A Secret that an AppRelease names must be there.
fn pulls_with(side: &Side<'_>, thing: Thing<'_>, path: &str, name: &str, citation: &Citation) -> Outcome {
    if side.named("secrets", name).is_some() {
        return Outcome::new(Pass, format!("{path} of {thing} names `{name}`"), [citation.clone()]);
    }
    match side.lacks("secrets", name) {
        Some(proof) => Outcome::new(
            Fail,
            format!("{path} of {thing} names `{name}`, and there is no such Secret"),
            [citation.clone()].into_iter().chain(proof),
        ),
        None => Outcome::unknown(format!("whether the Secret `{name}` exists was not collected")),
    }
}

/// The names in a field that holds one or a list of them, as texts or as `name:`; none where it is surely
/// empty, `None` where it is not known.
fn names(field: &Field<'_>) -> Option<Vec<String>> {
    match field {
        Field::NotSet(_) => Some(Vec::new()),
        Field::Set(node, _) if node.value.is_empty() => Some(Vec::new()),
        Field::Set(node, _) => {
            let name = |node: &Node| node.value.scalar().or_else(|| node.get("name")?.value.scalar());
            let items = node.items();
            if items.is_empty() { Some(vec![name(node)?]) } else { items.iter().map(name).collect() }
        }
        Field::Masked(_) | Field::Unknown => None,
    }
}

fn values(side: &Side<'_>, _: &Profile) -> Vec<Outcome> {
    each(side, |thing| {
        if matches!(thing.field("spec.values.global"), Field::Unknown) {
            return vec![Outcome::unknown(format!("spec.values of {thing} is not shown"))];
        }
        let fixed = [
            ("cluster.isGlobal", "true"),
            ("cluster.name", "global"),
            ("cluster.networkType", "kube-ovn"),
            ("cluster.type", "Baremetal"),
            ("namespace", "cpaas-system"),
            ("labelBaseDomain", "cpaas.io"),
            ("region", "global"),
            ("replicas", "1"),
            ("scheme", "https"),
        ];
        let mut outcomes: Vec<Outcome> =
            fixed.iter().map(|(path, wanted)| field(thing, &format!("spec.values.global.{path}"), wanted)).collect();
        let text = |path: &str| thing.field(&format!("spec.values.global.{path}")).text();
        if let (Some(alb), Some(class)) = (text("albName"), text("ingress.ingressClassName"))
            && alb != class
        {
            outcomes.push(Outcome::new(
                Fail,
                format!("albName of {thing} is `{alb}`, ingress.ingressClassName `{class}`"),
                thing.field("spec.values.global.albName").citation(),
            ));
        }
        if let (Some(host), Some(url)) = (text("host"), text("platformUrl"))
            && url != format!("https://{host}")
        {
            outcomes.push(Outcome::new(
                Fail,
                format!("platformUrl of {thing} is `{url}`, not `https://{host}`"),
                thing.field("spec.values.global.platformUrl").citation(),
            ));
        }
        outcomes
    })
}

fn equal_values(side: &Side<'_>, _: &Profile) -> Vec<Outcome> {
    let both = side.releases();
    let [a, b] = both.as_slice() else {
        return vec![Outcome::unknown("one of the two AppReleases was not collected")];
    };
    match (a.field("spec.values.global"), b.field("spec.values.global")) {
        (Field::Set(x, at), Field::Set(y, other)) => {
            let same = same(x, y);
            let told = if same {
                "values.global of both AppReleases are equal"
            } else {
                "values.global of the two AppReleases differ"
            };
            vec![Outcome::new(if same { Pass } else { Warn }, told, [at, other])]
        }
        _ => vec![Outcome::unknown("values.global of the AppReleases are not shown")],
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

fn healthy(side: &Side<'_>, _: &Profile) -> Vec<Outcome> {
    each(side, |thing| {
        let mut outcomes = Vec::new();
        for kind in ["Sync", "Health"] {
            let field = thing.field(&format!("status.conditions[type={kind}].status"));
            match (field.text(), field.citation()) {
                (Some(text), Some(citation)) if text == "True" => {
                    outcomes.push(Outcome::new(Pass, format!("{kind} of {thing} is True"), [citation]))
                }
                (Some(text), Some(citation)) => {
                    let reason =
                        thing.field(&format!("status.conditions[type={kind}].message")).text().unwrap_or_default();
                    outcomes.push(Outcome::new(Fail, format!("{kind} of {thing} is {text}: {reason}"), [citation]));
                }
                _ => outcomes.push(Outcome::unknown(format!("the condition {kind} of {thing} is not shown"))),
            }
        }
        let wanted = thing.field("spec.source.charts[0].targetRevision").text();
        if let Field::Set(charts, citation) = thing.field("status.charts") {
            for (name, chart) in charts.entries() {
                let phase = chart.get("phase").and_then(Node::as_str);
                if let Some(phase) = phase.filter(|phase| *phase != "Success") {
                    outcomes.push(Outcome::new(
                        Fail,
                        format!("the chart {name} of {thing} is in phase {phase}"),
                        [citation.clone()],
                    ));
                }
                let installed = chart.get("installedRevision").and_then(Node::as_str);
                if let (Some(installed), Some(wanted)) = (installed, wanted.as_deref())
                    && installed != wanted
                {
                    outcomes.push(Outcome::new(
                        Fail,
                        format!("the chart {name} of {thing} is installed as {installed}, wanted is {wanted}"),
                        [citation.clone()],
                    ));
                }
            }
        }
        outcomes
    })
}

fn definitions(side: &Side<'_>, _: &Profile) -> Vec<Outcome> {
    let Some(provider) = side.provider() else { return Vec::new() };
    let names = [
        "kubeadmcontrolplanes.controlplane.cluster.x-k8s.io".to_owned(),
        format!("{}.infrastructure.cluster.x-k8s.io", provider.clusters),
    ];
    let found = names.iter().map(|name| match side.named("customresourcedefinitions.apiextensions.k8s.io", name) {
        Some(thing) => {
            let field = thing.field("status.conditions[type=Established].status");
            match (field.text(), field.citation()) {
                (Some(text), Some(citation)) if text != "True" => {
                    Outcome::new(Fail, format!("{thing} is not Established"), [citation])
                }
                _ => Outcome::new(Pass, thing.to_string(), [thing.citation()]),
            }
        }
        // Objects of the kind are proof enough of its definition.
        None if !side.all(name).is_empty() => {
            Outcome::new(Pass, format!("objects of {name} exist"), side.all(name).first().map(|thing| thing.citation()))
        }
        None => match side.lacks("customresourcedefinitions.apiextensions.k8s.io", name) {
            Some(proof) => Outcome::new(Fail, format!("the definition of {name} does not exist"), proof),
            None => Outcome::unknown(format!("whether {name} is defined was not collected")),
        },
    });
    found.collect()
}

fn pods(side: &Side<'_>, _: &Profile) -> Vec<Outcome> {
    let wanted = side.all("pods").into_iter().filter(|pod| {
        pod.name().starts_with("cluster-api-provider-")
            || pod.label("service_name").text().as_deref() == Some("cpaas-installer")
    });
    let mut outcomes = Vec::new();
    for pod in wanted {
        let field = pod.field("status.phase");
        let (Some(phase), Some(citation)) = (field.text(), field.citation()) else { continue };
        let ready = pod.field("status.conditions[type=Ready].status").text();
        let sound = phase == "Running" && ready.as_deref() != Some("False");
        outcomes.push(Outcome::new(
            if sound { Pass } else { Fail },
            format!("{pod} is {phase}, Ready {}", ready.as_deref().unwrap_or("not known")),
            [citation],
        ));
    }
    if outcomes.is_empty() {
        outcomes.push(Outcome::unknown("Pods of the providers and of cpaas-installer were not collected"));
    }
    outcomes
}
