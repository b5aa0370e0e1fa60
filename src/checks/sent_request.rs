//! H08, I11 and I12: when the request was sent to the installer, and to which address.

use crate::checklist::Profile;
use crate::installation::{Installation, NAMESPACE};
use crate::object::Object;
use crate::outcome::{Found, fail, judge, pass, unknown, warn};
use facts::origin::Citation;
use regex::Regex;
use std::sync::LazyLock;

/// The path of the API that takes the request.
pub(super) const REQUEST_PATH: &str = "/cpaas-installer/api/config/";

/// H08: the import ConfigMap was created before the request was sent.
pub(super) fn created_in_time(here: &Installation<'_>, _: &Profile) -> Found {
    let Some(map) = here.import_map().filter(|_| !here.is_installed()) else { return Vec::new() };
    let Some((created, at)) = map.time("metadata.creationTimestamp") else {
        return vec![unknown(format!("when {map} was created is not shown"))];
    };
    let Some((sent, place)) = here.installer_log().and_then(|log| log.time("status.requestTime")) else {
        return vec![unknown("when the request was sent to the installer is not known")];
    };
    let told = format!("{map} was created at {created}, and the request was sent at {sent}");
    vec![judge(created <= sent, told, [at, place])]
}

static REQUEST: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r"(?:(?P<scheme>https?)://(?P<host>\[[0-9a-fA-F:]+\]|[^/\s:'\x22]+)(?::(?P<port>\d+))?)?/cpaas-installer/api/config/(?P<kind>[a-z0-9-]+)").ok()
});

/// Requests that a log or a history of commands shows.
fn requests<'f>(here: &Installation<'f>) -> Vec<(regex::Captures<'f>, Citation)> {
    let Some(regex) = REQUEST.as_ref() else { return Vec::new() };
    here.lines(REQUEST_PATH)
        .into_iter()
        .filter_map(|line| Some((regex.captures(line.text())?, line.citation())))
        .collect()
}

/// I11: the request goes to the one path, by http and port 8080.
pub(super) fn path(here: &Installation<'_>, _: &Profile) -> Found {
    let found = requests(here);
    if found.is_empty() && here.is_installed() {
        return Vec::new();
    }
    let mut outcomes = Vec::new();
    for (parts, citation) in found {
        let part = |name: &str| parts.name(name).map(|part| part.as_str());
        let mut wrong = Vec::new();
        if part("kind") != Some("dcs") {
            wrong.push("ends in something else than `dcs`, which is the path for every provider");
        }
        if part("scheme") == Some("https") {
            wrong.push("has the scheme https, not http");
        }
        if part("scheme").is_some() && part("port") != Some("8080") {
            wrong.push("does not have the port 8080");
        }
        let text = parts.get(0).map_or("", |all| all.as_str());
        outcomes.push(match wrong.is_empty() {
            true => pass(format!("the request went to `{text}`"), [citation]),
            false => fail(format!("the request went to `{text}`: it {}", wrong.join(", ")), [citation]),
        });
    }
    if outcomes.is_empty() {
        outcomes.push(unknown("where the request was sent is not known"));
    }
    outcomes
}

/// I12: the request goes to the installer of this bootstrap host.
pub(super) fn address(here: &Installation<'_>, _: &Profile) -> Found {
    if here.is_installed() {
        return Vec::new();
    }
    let address = |pod: &Object<'_>| {
        let field = pod.field("status.podIP");
        Some((field.text()?, field.citation()?))
    };
    let own: Vec<(String, Citation)> = here.installers().iter().filter_map(address).collect();
    let other: Vec<(String, Citation)> =
        here.peer().iter().flat_map(Installation::installers).filter_map(|pod| address(&pod)).collect();
    let mut outcomes = Vec::new();
    for (parts, citation) in requests(here) {
        let Some(host) = parts.name("host").map(|host| host.as_str()) else { continue };
        // A variable that the shell had yet to fill in says nothing.
        if host.contains('$') || own.is_empty() {
            continue;
        }
        if own.iter().any(|(address, _)| address == host) {
            outcomes.push(pass(format!("the request went to the installer at {host}"), [citation]));
        } else if let Some((_, at)) = other.iter().find(|(address, _)| address == host) {
            let told = format!("the request went to {host}, which is the installer of the other side");
            outcomes.push(fail(told, [citation, at.clone()]));
        } else {
            let own: Vec<&str> = own.iter().map(|(address, _)| address.as_str()).collect();
            let told = format!("the request went to {host}, and the installer has {}", own.join(", "));
            outcomes.push(warn(told, [citation]));
        }
    }
    if outcomes.is_empty() {
        outcomes.push(unknown(format!(
            "where the request was sent, or the address of the Pod cpaas-installer in {NAMESPACE}, is not known"
        )));
    }
    outcomes
}
