//! I12: to which address the request to the installer was sent.

use crate::checklist::Profile;
use crate::installation::{Installation, NAMESPACE};
use crate::object::Object;
use crate::outcome::{Found, fail, pass, unknown, warn};
use facts::origin::Citation;
use regex::Regex;
use std::sync::LazyLock;

/// The path of the API that takes the request.
pub(super) const REQUEST_PATH: &str = "/cpaas-installer/api/config/";

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
