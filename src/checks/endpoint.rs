//! D19: all objects name one endpoint of the control plane.

use crate::checklist::Profile;
use crate::installation::Installation;
use crate::outcome::{Found, fail, pass, warn};
use facts::object::Lookup;
use facts::origin::Citation;

/// The port of the API server.
const PORT: i64 = 6443;

/// D19.
pub(super) fn one_for_all(here: &Installation<'_>, profile: &Profile) -> Found {
    let (Some(provider), Some(infrastructure)) = (here.provider(), here.infrastructure()) else { return Vec::new() };
    if provider.endpoint.is_empty() {
        return Vec::new();
    }
    let mut found = Vec::new();
    let mut all: Vec<(String, Citation)> = Vec::new();
    for path in &provider.endpoint {
        let field = infrastructure.field(path);
        all.extend(field.valued());
        if let Lookup::NotSet(citation) = field {
            found.push(fail(format!("{path} of {infrastructure} is not set"), [citation]));
        }
    }
    all.extend(here.cluster().and_then(|cluster| cluster.field("spec.controlPlaneEndpoint.host").valued()));
    let Some((first, _)) = all.first().cloned() else { return found };
    let citations: Vec<Citation> = all.iter().map(|(_, citation)| citation.clone()).collect();
    found.push(if all.iter().all(|(text, _)| *text == first) {
        pass(format!("the endpoint of the control plane is {first}"), citations)
    } else {
        let told: Vec<&str> = all.iter().map(|(text, _)| text.as_str()).collect();
        fail(format!("the endpoint of the control plane has different addresses: {}", told.join(", ")), citations)
    });
    let port = infrastructure.field("spec.controlPlaneEndpoint.port").whole_number();
    if let Some((port, citation)) = port.filter(|(port, _)| *port != PORT) {
        found.push(fail(format!("the port of the control plane is {port}, not {PORT}"), [citation]));
    }
    let kind = infrastructure.field("spec.controlPlaneLoadBalancer.type");
    if let (Some(text), Some(citation)) = (kind.text(), kind.citation())
        && provider.name == "DCS"
        && profile.revised
        && text != "external"
    {
        let told = format!("controlPlaneLoadBalancer.type is `{text}`; provider v1.0.21 needs `external`");
        found.push(warn(told, [citation]));
    }
    found
}
