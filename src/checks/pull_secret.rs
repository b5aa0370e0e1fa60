//! E06: the pull Secret of the AppReleases of the providers.

use crate::checklist::Profile;
use crate::installation::Installation;
use crate::object::Object;
use crate::outcome::{Found, Outcome, fail, pass, unknown, warn};
use facts::node::Node;
use facts::object::Lookup;
use facts::origin::Citation;

/// The Secret for a registry that wants a login.
const PULL_SECRET: &str = "global-registry-auth";
/// The two fields that name the pull Secret: of the chart, and of the images in it.
const PULL_SECRETS: [&str; 2] = ["spec.source.chartPullSecret", "spec.values.global.registry.imagePullSecrets"];

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
