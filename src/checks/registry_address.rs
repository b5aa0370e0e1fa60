//! D06, I05, I06, G05 and G20: the addresses of registries, and whether they are those of the
//! bootstrap host.

use crate::address::{self, Address, GATEWAY};
use crate::checklist::Profile;
use crate::installation::{Installation, RELEASES};
use crate::outcome::{Found, Outcome, State, fail, judge, pass, unknown};
use facts::object::Lookup;
use facts::origin::Citation;

/// The annotation that names the registry.
const ANNOTATION: &str = "cpaas.io/registry-address";
/// The port of the registry of a bootstrap host.
const PORT: Option<&str> = Some("11443");

/// D06: the annotation is the bootstrap host with port 11443.
pub(super) fn of_cluster(here: &Installation<'_>, _: &Profile) -> Found {
    let Some(cluster) = here.cluster().filter(|_| !here.is_installed()) else { return Vec::new() };
    let field = cluster.annotation(ANNOTATION);
    let (Some(text), Some(citation)) = (field.text(), field.citation()) else {
        return vec![match field {
            Lookup::NotSet(citation) => fail(format!("the annotation `{ANNOTATION}` is not set"), [citation]),
            _ => unknown("annotations of the Cluster are not shown"),
        }];
    };
    let address = Address::of(&text);
    let own = here.request_field("hostIP").and_then(|field| field.text());
    let flaws = [
        (address.has_scheme, "has a scheme"),
        (address.has_path, "has a path"),
        (address.port != PORT, "does not have the port 11443"),
        (address::is_bootstrap_only(address.host), "names an address that only the bootstrap host itself reaches"),
        (own.is_some_and(|own| own != address.host), "is not the host that the installer request names in hostIP"),
    ];
    let wrong: Vec<&str> = flaws.into_iter().filter(|(is, _)| *is).map(|(_, told)| told).collect();
    let but = if wrong.is_empty() { String::new() } else { format!(": it {}", wrong.join(", ")) };
    let mut found = vec![judge(wrong.is_empty(), format!("`{ANNOTATION}` is `{text}`{but}"), [citation])];
    let other = here.infrastructure().map(|infrastructure| infrastructure.annotation(ANNOTATION));
    if let Some((other, citation)) = other.and_then(|field| field.text().zip(field.citation()))
        && other != text
    {
        found.push(fail(format!("the infrastructure cluster says `{other}`, the Cluster `{text}`"), [citation]));
    }
    found
}

/// I05: hostIP is the bootstrap host of the annotation.
pub(super) fn host_ip(here: &Installation<'_>, _: &Profile) -> Found {
    let field = here.request_field("hostIP");
    let Some((text, citation)) = field.and_then(|field| field.text().zip(field.citation())) else { return Vec::new() };
    let mut found = Vec::new();
    if address::is_bootstrap_only(&text) {
        let told = format!("hostIP is {text}, which only the bootstrap host itself reaches");
        found.push(fail(told, [citation.clone()]));
    }
    // Once the platform is installed, the registry is its own.
    let registry = here.cluster().filter(|_| !here.is_installed()).map(|cluster| cluster.annotation(ANNOTATION));
    if let Some((registry, at)) = registry.and_then(|field| field.text().zip(field.citation())) {
        let own = Address::of(&registry).host;
        found.push(judge(own == text, format!("hostIP is {text}, the host of `{ANNOTATION}` {own}"), [citation, at]));
    }
    found
}

/// I06: registry.domain is a host with port 11443.
pub(super) fn of_request(here: &Installation<'_>, _: &Profile) -> Found {
    let Some(field) = here.request_field("registry.domain") else { return Vec::new() };
    let (Some(text), Some(citation)) = (field.text(), field.citation()) else {
        return field.citation().map(|at| fail("registry.domain is not set", [at])).into_iter().collect();
    };
    let (host, port) = text.rsplit_once(':').unwrap_or((text.as_str(), ""));
    let (state, why) = match port {
        "" => (State::Fail, "; it has no port, documented is 11443"),
        _ if address::is_bootstrap_only(host) => (State::Fail, "; only the bootstrap host itself reaches that address"),
        "11443" if !text.contains('/') => (State::Pass, ""),
        _ => (State::Fail, "; documented is host:11443"),
    };
    vec![Outcome::new(state, format!("registry.domain is `{text}`{why}"), [citation])]
}

/// The registry addresses that the Cluster and its infrastructure cluster name.
fn annotated(here: &Installation<'_>) -> Vec<(String, String, Citation)> {
    let objects = here.cluster().into_iter().chain(here.infrastructure());
    let named = objects.filter_map(|object| Some((object, object.annotation(ANNOTATION).valued()?)));
    named.map(|(object, (text, citation))| (object.to_string(), text, citation)).collect()
}

/// G05: after the installation the annotation is the registry of the platform.
pub(super) fn of_platform(here: &Installation<'_>, _: &Profile) -> Found {
    let all = annotated(here);
    if all.is_empty() {
        return vec![unknown(format!("the annotation `{ANNOTATION}` is not shown"))];
    }
    let of = |here: &Installation<'_>, path: &str| here.request_field(path).and_then(|field| field.valued());
    let either = |path: &str| of(here, path).or_else(|| of(&here.peer()?, path));
    let (bootstrap, domain) = (either("hostIP"), either("registry.domain"));
    let judge = |(object, text, citation): (String, String, Citation)| match (&bootstrap, &domain) {
        (Some((own, at)), _) if Address::of(&text).host == own => {
            let told = format!("{object} still names the registry of the bootstrap host, `{text}`");
            fail(told, [citation, at.clone()])
        }
        (_, Some((domain, at))) if *domain == text => {
            pass(format!("{object} names the registry of the platform, `{text}`"), [citation, at.clone()])
        }
        _ => unknown(format!("whether `{text}` of {object} is the registry of the platform is not known")),
    };
    all.into_iter().map(judge).collect()
}

/// G20: nothing in the new cluster names the gateway of the bootstrap host.
pub(super) fn left_over(here: &Installation<'_>, _: &Profile) -> Found {
    let mut all = annotated(here);
    all.extend(here.all(RELEASES).into_iter().filter_map(|release| {
        let (text, citation) = release.field("spec.source.repoURL").valued()?;
        Some((release.to_string(), text, citation))
    }));
    let wrong = all.iter().filter(|(_, text, _)| Address::of(text).host == GATEWAY).map(|(object, text, citation)| {
        fail(format!("{object} names `{text}`, an address of the bootstrap host alone"), [citation.clone()])
    });
    let wrong: Found = wrong.collect();
    match (wrong.is_empty(), all.len()) {
        (false, _) => wrong,
        (true, 0) => vec![unknown("no address of a registry is shown")],
        (true, count) => {
            let told = format!("none of {count} addresses of registries is {GATEWAY}");
            vec![pass(told, all.into_iter().map(|(.., citation)| citation))]
        }
    }
}
