//! A03, D14, D15 and G19: the versions of Kubernetes, charts, images and Nodes, and which of them must be equal.

use crate::checklist::Profile;
use crate::installation::{Installation, MACHINE_DEPLOYMENTS, RELEASES};
use crate::object::Object;
use crate::outcome::{Found, Outcome, State, fail, pass, unknown, warn};
use facts::origin::Citation;
use regex::Regex;
use std::collections::BTreeMap;
use std::sync::LazyLock;

const CHART: &str = "spec.source.charts[0].targetRevision";
/// Where the machine templates of the providers name their image.
const IMAGE: [&str; 3] =
    ["spec.template.spec.vmTemplateName", "spec.template.spec.template", "spec.template.spec.imageName"];

/// The version that the control plane is to have.
fn wanted(here: &Installation<'_>) -> Option<String> {
    here.control_plane()?.field("spec.version").text()
}

/// A03: the versions of Kubernetes, both charts and the machine image are known.
pub(super) fn known(here: &Installation<'_>, _: &Profile) -> Found {
    let kubeadm = here.named(RELEASES, "cluster-api-provider-kubeadm");
    let all = [
        ("Kubernetes", here.control_plane().map(|plane| plane.field("spec.version"))),
        ("kubeadm chart", kubeadm.map(|release| release.field(CHART))),
        ("infrastructure chart", here.release().map(|release| release.field(CHART))),
        ("machine image", here.templates().first().map(|template| template.any(&IMAGE))),
    ];
    let (mut found, mut missing) = (Vec::new(), Vec::new());
    for (what, field) in all {
        match field.and_then(|field| field.valued()) {
            Some((text, citation)) => found.push((format!("{what} {text}"), citation)),
            None => missing.push(what),
        }
    }
    if !missing.is_empty() {
        return vec![unknown(format!("not collected: {}", missing.join(", ")))];
    }
    let (told, citations): (Vec<String>, Vec<Citation>) = found.into_iter().unzip();
    vec![pass(told.join(", "), citations)]
}

/// D14: the machine image is of the version of the control plane, as far as its name tells.
pub(super) fn image(here: &Installation<'_>, _: &Profile) -> Found {
    static INSIDE: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r"v\d+\.\d+\.\d+").ok());
    let Some(version) = wanted(here) else { return Vec::new() };
    let judge = |template: Object<'_>| {
        let image = template.any(&IMAGE);
        let (text, citation) = (image.text()?, image.citation()?);
        let found = INSIDE.as_ref().and_then(|regex| regex.find(&text));
        Some(match found.map(|found| found.as_str()) {
            Some(found) if version.starts_with(found) => {
                pass(format!("the image `{text}` of {template} is of {version}"), [citation])
            }
            Some(found) => {
                fail(format!("the image `{text}` of {template} is of {found}, spec.version is {version}"), [citation])
            }
            None => unknown(format!("the name of the image `{text}` has no version")),
        })
    };
    here.templates().into_iter().filter_map(judge).collect()
}

/// D15: workers are not newer than the control plane.
pub(super) fn workers(here: &Installation<'_>, _: &Profile) -> Found {
    let Some(version) = wanted(here) else { return Vec::new() };
    let minor = |text: &str| {
        let mut parts = text.trim_start_matches('v').split('.');
        Some((parts.next()?.parse::<u32>().ok()?, parts.next()?.parse::<u32>().ok()?))
    };
    let judge = |workers: Object<'_>| {
        let field = workers.field("spec.template.spec.version");
        let (text, citation) = (field.text()?, field.citation()?);
        let right = minor(&text).zip(minor(&version)).is_some_and(|(own, plane)| own <= plane);
        let state = if right { State::Pass } else { State::Warn };
        Some(Outcome::new(state, format!("{workers} has {text}, the control plane {version}"), [citation]))
    };
    here.belonging(MACHINE_DEPLOYMENTS).into_iter().filter_map(judge).collect()
}

/// G19: all Nodes run the same image, and the kubelet of the version of the control plane.
pub(super) fn nodes(here: &Installation<'_>, _: &Profile) -> Found {
    let nodes = here.all("nodes");
    let mut images: BTreeMap<String, Citation> = BTreeMap::new();
    for (text, citation) in nodes.iter().filter_map(|node| node.field("status.nodeInfo.osImage").valued()) {
        images.entry(text).or_insert(citation);
    }
    if images.is_empty() {
        return vec![unknown("the system of the Nodes is not shown")];
    }
    let names: Vec<&str> = images.keys().map(String::as_str).collect();
    let state = if images.len() == 1 { State::Pass } else { State::Warn };
    let mut found = vec![Outcome::new(state, format!("the Nodes run {}", names.join(", ")), images.values().cloned())];
    if let Some((version, at)) = here.control_plane().and_then(|plane| plane.field("spec.version").valued()) {
        for node in &nodes {
            if let Some((text, citation)) = node.field("status.nodeInfo.kubeletVersion").valued()
                && text != version
            {
                let told = format!("the kubelet of {node} is {text}, the control plane is to be {version}");
                found.push(warn(told, [citation, at.clone()]));
            }
        }
    }
    found
}
