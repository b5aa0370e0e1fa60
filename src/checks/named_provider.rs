//! A01: which infrastructure provider the objects name.

use crate::checklist::Profile;
use crate::installation::{Installation, RELEASES};
use crate::object::Object;
use crate::outcome::{Found, fail, pass};
use crate::provider::Provider;
use facts::origin::Citation;
use std::collections::BTreeSet;

/// Does a text mean a provider?
type Means = fn(&Provider, &str) -> bool;

/// The provider whose AppRelease this is.
fn released(release: &Object<'_>) -> Option<&'static Provider> {
    let end = release.name().strip_prefix("cluster-api-provider-")?;
    Provider::all().iter().find(|own| own.release == end)
}

/// A01: all objects name one provider.
pub(super) fn all_name_one(here: &Installation<'_>, _: &Profile) -> Found {
    let mut named: Vec<(&str, String, Citation)> = Vec::new();
    if let Some(cluster) = here.one("cluster") {
        let by_kind = |own: &Provider, text: &str| own.cluster_kind == text;
        let by_name = |own: &Provider, text: &str| own.name.eq_ignore_ascii_case(text);
        let fields: [(_, Means); 3] = [
            (cluster.field("spec.infrastructureRef.kind"), by_kind),
            (cluster.label("cluster-type"), by_name),
            (cluster.annotation("capi.cpaas.io/resource-kind"), by_kind),
        ];
        for (field, is) in fields {
            if let (Some(text), Some(citation)) = (field.text(), field.citation()) {
                let known = Provider::all().iter().find(|own| is(own, &text));
                named.push((known.map_or("none", |own| &own.name), text, citation));
            }
        }
    }
    for release in here.all(RELEASES) {
        named.extend(released(&release).map(|own| (own.name.as_str(), release.to_string(), release.citation())));
    }
    let different: BTreeSet<&str> = named.iter().map(|(known, ..)| *known).collect();
    let told: Vec<String> = named.iter().map(|(known, text, _)| format!("`{text}` means {known}")).collect();
    let told = told.join(", ");
    let citations = named.iter().map(|(.., citation)| citation.clone());
    match different.len() {
        0 => Vec::new(),
        1 if different.contains("none") => vec![fail(format!("no provider is known for {told}"), citations)],
        1 => vec![pass(told, citations)],
        _ => vec![fail(format!("the objects name different providers: {told}"), citations)],
    }
}
