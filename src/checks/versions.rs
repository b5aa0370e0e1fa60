//! A03: the versions of Kubernetes, charts and the machine image.

use crate::checklist::Profile;
use crate::installation::Installation;
use crate::outcome::{Found, pass, unknown};
use facts::origin::Citation;

const CHART: &str = "spec.source.charts[0].targetRevision";
/// Where the machine templates of the providers name their image.
const IMAGE: [&str; 3] =
    ["spec.template.spec.vmTemplateName", "spec.template.spec.template", "spec.template.spec.imageName"];

/// A03: the versions of Kubernetes, both charts and the machine image are known.
pub(super) fn known(here: &Installation<'_>, _: &Profile) -> Found {
    let kubeadm = here.kubeadm_release();
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
