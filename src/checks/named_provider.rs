//! A01: which infrastructure provider the objects name.

use crate::checklist::Profile;
use crate::installation::{Installation, RELEASES};
use crate::object::Object;
use crate::outcome::{Found, fail, pass};
use crate::provider::Provider;
use facts::origin::Citation;
use std::collections::BTreeSet;

/// The provider whose AppRelease this is.
fn released(release: &Object<'_>) -> Option<&'static Provider> {
    let end = release.name().strip_prefix("cluster-api-provider-")?;
    Provider::all().iter().find(|own| own.release == end)
}

/// A01: all objects name one provider.
pub(super) fn all_name_one(here: &Installation<'_>, _: &Profile) -> Found {
    let mut named: Vec<(&str, String, Citation)> = Vec::new();
    if let Some(cluster) = here.one("cluster") {
        let fields = [
            (cluster.field("spec.infrastructureRef.kind"), true),
            (cluster.label("cluster-type"), false),
            (cluster.annotation("capi.cpaas.io/resource-kind"), true),
        ];
        for (field, is_kind) in fields {
            let Some((text, citation)) = field.text().zip(field.citation()) else { continue };
            let is_it = |own: &&Provider| match is_kind {
                true => own.cluster_kind == text,
                false => own.name.eq_ignore_ascii_case(&text),
            };
            named.push((Provider::all().iter().find(is_it).map_or("none", |own| &own.name), text, citation));
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
