//! B05 and B08: references that must lead to an object, and the objects that a provider needs.

use crate::checklist::Profile;
use crate::installation::{
    CONTROL_PLANE_TEMPLATE, Installation, KUBEADM_CONTROL_PLANES, MACHINE_DEPLOYMENTS, POOL_REFERENCES,
};
use crate::object::Object;
use crate::outcome::{Found, Outcome, State, fail, pass, unknown};
use crate::provider::Provider;
use facts::origin::Citation;
use facts::suggest::nearest;

/// A reference of one object to another.
struct Reference<'f> {
    from: Object<'f>,
    path: &'static str,
    /// The plural with its group.
    kind: String,
    name: String,
    citation: Citation,
}

impl<'f> Reference<'f> {
    /// The one that stands at a path, to an object of a kind; without the kind to what it says itself.
    fn at(from: Object<'f>, path: &'static str, kind: Option<String>) -> Option<Self> {
        let of = |part: &str| from.field(&format!("{path}.{part}"));
        let group = || {
            let version = of("apiVersion").text().map(|text| text.split('/').next().unwrap_or_default().to_owned());
            version.or_else(|| of("apiGroup").text())
        };
        let kind = kind.or_else(|| Some(format!("{}s.{}", of("kind").text()?.to_ascii_lowercase(), group()?)))?;
        Some(Self { from, path, kind, name: of("name").text()?, citation: of("name").citation()? })
    }
}

/// Every reference of the objects of `global`.
fn all<'f>(here: &Installation<'f>) -> Vec<Reference<'f>> {
    let mut found: Vec<Option<Reference<'f>>> = Vec::new();
    let cluster = here.cluster().into_iter();
    found.extend(cluster.flat_map(|from| {
        ["spec.controlPlaneRef", "spec.infrastructureRef"].map(|path| Reference::at(from, path, None))
    }));
    let plane = here.control_plane().into_iter();
    found.extend(plane.flat_map(|from| CONTROL_PLANE_TEMPLATE.map(|path| Reference::at(from, path, None))));
    found.extend(here.belonging(MACHINE_DEPLOYMENTS).into_iter().flat_map(|from| {
        let paths = ["spec.template.spec.bootstrap.configRef", "spec.template.spec.infrastructureRef"];
        paths.map(|path| Reference::at(from, path, None))
    }));
    let pools = here.provider().map(|provider| Provider::kind(&provider.pools));
    if pools.is_some() {
        let templates = here.templates().into_iter();
        found.extend(templates.flat_map(|from| POOL_REFERENCES.map(|path| Reference::at(from, path, pools.clone()))));
    }
    if let Some(from) = here.infrastructure() {
        // In the new cluster the credentials have a check of their own.
        let credentials = ["spec.credentialSecretRef", "spec.identityRef"].into_iter().filter(|_| !here.is_installed());
        let paths = credentials.chain(["spec.encryptionProviderConfigRef"]);
        found.extend(paths.map(|path| Reference::at(from, path, Some("secrets".to_owned()))));
    }
    found.into_iter().flatten().collect()
}

/// B05: every reference leads to an object.
pub(super) fn lead_somewhere(here: &Installation<'_>, _: &Profile) -> Found {
    let judge = |Reference { from, path, kind, name, citation }: Reference<'_>| {
        if let Some(there) = here.named(&kind, &name) {
            return pass(format!("{from} refers to {there}"), [citation, there.citation()]);
        }
        let Some(proof) = here.lacks(&kind, &name) else {
            return unknown(format!("`{name}` of {from} was not collected ({kind})"));
        };
        let others = here.all(&kind);
        let near = nearest(&name, others.iter().map(Object::name));
        let hint = near.map_or(String::new(), |near| format!("; there is a `{near}`"));
        let told = format!("{from} refers at {path} to `{name}`, and no such object exists among the {kind}{hint}");
        fail(told, [citation].into_iter().chain(proof))
    };
    all(here).into_iter().map(judge).collect()
}

/// B08: all objects that the provider needs exist.
pub(super) fn needed_objects(here: &Installation<'_>, _: &Profile) -> Found {
    let Some(provider) = here.provider() else { return Vec::new() };
    // Kind, how many, and whether one too few is the workers' alone.
    let mut wanted = vec![
        (KUBEADM_CONTROL_PLANES.to_owned(), 1, false),
        (Provider::kind(&provider.templates), 2, true),
        (Provider::kind(&provider.pools), 2, true),
        ("kubeadmconfigtemplates.bootstrap.cluster.x-k8s.io".to_owned(), 1, true),
        (MACHINE_DEPLOYMENTS.to_owned(), 1, true),
    ];
    if provider.name == "VSphere" {
        wanted.push(("clusterresourcesets.addons.cluster.x-k8s.io".to_owned(), 1, false));
    }
    let judge = |(kind, count, of_workers): (String, usize, bool)| {
        let there = here.belonging(&kind);
        if there.len() >= count {
            return pass(format!("{} {kind}", there.len()), there.iter().map(Object::citation));
        }
        let Some(proof) = here.listed(&kind) else { return unknown(format!("{kind} were not listed whole")) };
        let state = if of_workers && there.len() + 1 == count { State::Warn } else { State::Fail };
        Outcome::new(state, format!("{} of {count} {kind} for `global`", there.len()), proof)
    };
    wanted.into_iter().map(judge).collect()
}
