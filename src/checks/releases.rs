//! E05, E06, E08, E09, E10, E11 and G10: the AppReleases of the providers, and what they must have brought.

use crate::address::{self, Address, GATEWAY};
use crate::checklist::Profile;
use crate::installation::{Installation, KUBEADM_CONTROL_PLANES};
use crate::object::Object;
use crate::outcome::{Found, Outcome, fail, judge, pass, unknown, warn};
use crate::provider::Provider;
use crate::shared_encryption::same;
use facts::node::Node;
use facts::object::Lookup;
use facts::origin::Citation;

/// The Secret for a registry that wants a login.
const PULL_SECRET: &str = "global-registry-auth";
/// The two fields that name the pull Secret: of the chart, and of the images in it.
const PULL_SECRETS: [&str; 2] = ["spec.source.chartPullSecret", "spec.values.global.registry.imagePullSecrets"];
const DEFINITIONS: &str = "customresourcedefinitions.apiextensions.k8s.io";

/// E05: the AppReleases pull from the registry of the bootstrap host.
pub(super) fn repository(here: &Installation<'_>, _: &Profile) -> Found {
    here.releases().into_iter().flat_map(repository_of).collect()
}

fn repository_of(release: Object<'_>) -> Found {
    let (field, values) = (release.field("spec.source.repoURL"), release.field("spec.values.global.registry.address"));
    let (Some(text), Some(citation)) = (field.text(), field.citation()) else {
        return vec![unknown(format!("spec.source.repoURL of {release} is not shown"))];
    };
    let (address, is) = (Address::of(&text), format!("repoURL of {release} is `{text}`"));
    let mut found = Vec::new();
    if address.has_scheme || address.has_path {
        found.push(fail(format!("{is}; it has a scheme or a path"), [citation.clone()]));
    }
    if address.host != GATEWAY && address::is_bootstrap_only(address.host) {
        found.push(fail(format!("{is}; inside of a Pod that is the Pod itself"), [citation.clone()]));
    } else if address.host != GATEWAY {
        found.push(warn(format!("{is}, documented is {GATEWAY}:11443"), [citation.clone()]));
    }
    if let (Some(other), Some(at)) = (values.text(), values.citation())
        && other != text
    {
        found.push(fail(format!("{is}, values.global.registry.address `{other}`"), [citation.clone(), at]));
    }
    if found.is_empty() {
        found.push(pass(is, [citation]));
    }
    found
}

/// E06: the pull Secret is named if and only if it exists.
pub(super) fn pull_secret(here: &Installation<'_>, _: &Profile) -> Found {
    let releases = here.releases().into_iter();
    releases.flat_map(|own| PULL_SECRETS.iter().flat_map(move |path| pull_secret_at(here, own, path))).collect()
}

fn pull_secret_at(here: &Installation<'_>, release: Object<'_>, path: &str) -> Found {
    let field = release.field(path);
    let Some(names) = names(&field) else { return vec![unknown(format!("{path} of {release} is not shown"))] };
    if let (Some(citation), false) = (field.citation(), names.is_empty()) {
        return names.iter().map(|name| pulls_with(here, release, path, name, &citation)).collect();
    }
    vec![if here.named("secrets", PULL_SECRET).is_some() {
        let told = format!("the Secret `{PULL_SECRET}` exists, and {path} of {release} does not name it");
        warn(told, field.citation())
    } else if here.lacks("secrets", PULL_SECRET).is_some() {
        pass(format!("{path} of {release} names no Secret, and there is none"), field.citation())
    } else {
        unknown(format!("whether the Secret `{PULL_SECRET}` exists was not collected"))
    }]
}

/// A Secret that an AppRelease names must be there.
fn pulls_with(here: &Installation<'_>, release: Object<'_>, path: &str, name: &str, at: &Citation) -> Outcome {
    let names = format!("{path} of {release} names `{name}`");
    match (here.named("secrets", name), here.lacks("secrets", name)) {
        (Some(_), _) => pass(names, [at.clone()]),
        (None, Some(proof)) => {
            fail(format!("{names}, and there is no such Secret"), [at.clone()].into_iter().chain(proof))
        }
        (None, None) => unknown(format!("whether the Secret `{name}` exists was not collected")),
    }
}

/// The names in a field that holds one or a list of them, as texts or as `name:`; none where it is surely
/// empty, `None` where it is not known.
fn names(field: &Lookup<'_>) -> Option<Vec<String>> {
    if field.is_empty() {
        return Some(Vec::new());
    }
    let name = |node: &Node| node.value.scalar().or_else(|| node.get("name")?.value.scalar());
    match field.node()?.items() {
        [] => Some(vec![name(field.node()?)?]),
        items => items.iter().map(name).collect(),
    }
}

/// E08: both AppReleases have equal values.
pub(super) fn equal_values(here: &Installation<'_>, _: &Profile) -> Found {
    let both = here.releases();
    let [a, b] = both.as_slice() else { return vec![unknown("one of the two AppReleases was not collected")] };
    vec![match (a.field("spec.values.global").set(), b.field("spec.values.global").set()) {
        (Some((x, at)), Some((y, other))) if same(x, y) => {
            pass("values.global of both AppReleases are equal", [at, other])
        }
        (Some((_, at)), Some((_, other))) => warn("values.global of the two AppReleases differ", [at, other]),
        _ => unknown("values.global of the AppReleases are not shown"),
    }]
}

/// E09: the charts of the AppReleases are installed, in the version that is wanted.
pub(super) fn charts(here: &Installation<'_>, _: &Profile) -> Found {
    let mut found = Vec::new();
    for release in here.releases() {
        let wanted = release.field("spec.source.charts[0].targetRevision").text();
        let Some((charts, citation)) = release.field("status.charts").set() else { continue };
        for (name, chart) in charts.entries() {
            let text = |key: &str| chart.get(key).and_then(Node::as_str);
            if let Some(phase) = text("phase").filter(|phase| *phase != "Success") {
                found.push(fail(format!("the chart {name} of {release} is in phase {phase}"), [citation.clone()]));
            }
            if let (Some(installed), Some(wanted)) = (text("installedRevision"), wanted.as_deref())
                && installed != wanted
            {
                let told = format!("the chart {name} of {release} is installed as {installed}, wanted is {wanted}");
                found.push(fail(told, [citation.clone()]));
            }
        }
    }
    found
}

/// E10: the definitions of both providers exist.
pub(super) fn definitions(here: &Installation<'_>, _: &Profile) -> Found {
    let Some(provider) = here.provider() else { return Vec::new() };
    let judge = |name: String| {
        if let Some(own) = here.named(DEFINITIONS, &name) {
            let field = own.field("status.conditions[type=Established].status");
            return match (field.text(), field.citation()) {
                (Some(text), Some(at)) if text != "True" => fail(format!("{own} is not Established"), [at]),
                _ => pass(own.to_string(), [own.citation()]),
            };
        }
        // Objects of the kind are proof enough of its definition.
        match (here.all(&name).first(), here.lacks(DEFINITIONS, &name)) {
            (Some(first), _) => pass(format!("objects of {name} exist"), [first.citation()]),
            (None, Some(proof)) => fail(format!("the definition of {name} does not exist"), proof),
            (None, None) => unknown(format!("whether {name} is defined was not collected")),
        }
    };
    [KUBEADM_CONTROL_PLANES.to_owned(), Provider::kind(&provider.clusters)].into_iter().map(judge).collect()
}

/// E11: the Pods of the providers and the installer are ready.
pub(super) fn pods(here: &Installation<'_>, _: &Profile) -> Found {
    let is_wanted = |pod: &Object<'_>| {
        pod.name().starts_with("cluster-api-provider-")
            || pod.label("service_name").text().as_deref() == Some("cpaas-installer")
    };
    let one = |pod: Object<'_>| {
        let field = pod.field("status.phase");
        let (phase, citation) = (field.text()?, field.citation()?);
        let ready = pod.field("status.conditions[type=Ready].status").text();
        let told = format!("{pod} is {phase}, Ready {}", ready.as_deref().unwrap_or("not known"));
        Some(judge(phase == "Running" && ready.as_deref() != Some("False"), told, [citation]))
    };
    here.all("pods").into_iter().filter(is_wanted).filter_map(one).collect()
}
