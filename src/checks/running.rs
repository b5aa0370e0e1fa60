//! G06 and G13: the `global` cluster once it was installed.
//!
//! Nodes that are not ready, Pods that fail, a ClusterModule that failed and the like have signatures of
//! their own (`carried_by` in `patterns/checks.yaml`); here is what they do not read.

use crate::checklist::Profile;
use crate::installation::{Installation, MACHINE_DEPLOYMENTS};
use crate::object::Object;
use crate::outcome::{Found, Outcome, State, pass, unknown};
use facts::origin::Citation;
use regex::Regex;
use std::sync::LazyLock;

/// What a history of commands holds if somebody deleted the cluster.
pub(super) const DELETIONS: [&str; 3] =
    ["delete cluster global", "delete clusters global", "delete clusters.cluster.x-k8s.io global"];

/// How many Nodes the cluster should have.
fn wanted_nodes(here: &Installation<'_>) -> Option<(i64, Vec<Citation>)> {
    let (mut count, first) = here.control_plane()?.field("spec.replicas").whole_number()?;
    let mut citations = vec![first];
    here.listed(MACHINE_DEPLOYMENTS)?;
    for workers in here.belonging(MACHINE_DEPLOYMENTS) {
        let (more, citation) = workers.field("spec.replicas").whole_number()?;
        count += more;
        citations.push(citation);
    }
    Some((count, citations))
}

/// G06: all Nodes of `global` are there.
pub(super) fn number_of_nodes(here: &Installation<'_>, _: &Profile) -> Found {
    let nodes = here.all("nodes");
    if here.listed("nodes").is_none() {
        return vec![unknown("the Nodes of `global` were not listed whole")];
    }
    let Some((wanted, citations)) = wanted_nodes(here) else {
        return vec![unknown(
            "how many Nodes there should be is not known: the MachineDeployments were not listed whole",
        )];
    };
    let told =
        format!("{} Nodes, and the control plane and the MachineDeployments have {wanted} replicas", nodes.len());
    let right = i64::try_from(nodes.len()) == Ok(wanted);
    vec![Outcome::new(
        if right { State::Pass } else { State::Warn },
        told,
        citations.into_iter().chain(nodes.first().map(Object::citation)),
    )]
}

static DELETE: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r"^\s*(?:\d+\s+)?(?:\[[^\]]*\]\s*)?(?:\S*[#$]\s*)?(?:sudo\s+)?kubectl\s(?:.*\s)?delete\s+clusters?(?:\.cluster\.x-k8s\.io)?[ /]+global(?:\s|$)").ok()
});

/// G13: nobody deletes the cluster that was installed.
pub(super) fn deletion(here: &Installation<'_>, _: &Profile) -> Found {
    let things: Vec<Object<'_>> =
        [here.cluster(), here.control_plane(), here.infrastructure()].into_iter().flatten().collect();
    let mut found: Vec<(String, Citation)> = things
        .iter()
        .filter_map(|thing| {
            let (since, citation) = thing.time("metadata.deletionTimestamp")?;
            Some((format!("{thing} is being deleted since {since}"), citation))
        })
        .collect();
    let typed = DELETIONS.iter().flat_map(|text| here.lines(text));
    let typed = typed.filter(|line| DELETE.as_ref().is_some_and(|regex| regex.is_match(line.text())));
    found
        .extend(typed.map(|line| (format!("`{}` was typed ({})", line.text().trim(), line.stream()), line.citation())));
    if found.is_empty() {
        let told = format!("none of {} objects is being deleted", things.len());
        return vec![pass(told, things.iter().map(Object::citation))];
    }
    // Before it is complete, an installation may be begun anew.
    let (state, why, at) = match here.completed() {
        Some((why, at)) => (State::Fail, format!("the installation is complete: {why}"), Some(at)),
        None => (State::Warn, "whether the installation was complete is not known".to_owned(), None),
    };
    let told: Vec<&str> = found.iter().map(|(text, _)| text.as_str()).collect();
    let told = format!("{}; {why}", told.join(", "));
    vec![Outcome::new(state, told, found.into_iter().map(|(_, citation)| citation).chain(at))]
}
