//! G04: how far the installer is.
//!
//! The words of the installer are not public, so nothing here rests on a text of its own but the two keys
//! of its replies and the levels of its log.

use crate::checklist::Profile;
use crate::installation::Installation;
use crate::object::Object;
use crate::outcome::{Found, Outcome, State, pass, unknown};
use facts::origin::Citation;

/// After how many minutes an installation takes longer than it should.
/// Source: alauda/immutable-infra-docs:docs/en/global/install.mdx@92a8c6e, "typically takes 30-60 minutes".
const LONG: i64 = 90;

/// How many replicas of the control plane are ready, and are wanted.
fn ready(plane: &Object<'_>) -> Option<(i64, i64, Citation)> {
    let (wanted, citation) = plane.field("spec.replicas").whole_number()?;
    // The API leaves out a count of zero.
    let ready = match plane.field("status.readyReplicas").whole_number() {
        Some((ready, _)) => ready,
        None if plane.field("status").node().is_some() && plane.field("status.readyReplicas").is_empty() => 0,
        None => return None,
    };
    Some((ready, wanted, citation))
}

/// The first phase whose exit condition does not hold; nothing where too little is known.
fn open_phase(here: &Installation<'_>) -> Option<(String, Vec<Citation>)> {
    let machines = here.group("machines");
    let pending: Vec<&Object<'_>> = machines.iter().filter(|thing| thing.field("spec.providerID").is_empty()).collect();
    if let Some(first) = pending.first() {
        let told = format!("2, infrastructure provisioning: {} Machines have no providerID, {first}", pending.len());
        return Some((told, pending.iter().map(|thing| thing.citation()).collect()));
    }
    let plane = here.one("control-plane")?;
    let (ready, wanted, citation) = ready(&plane)?;
    if ready < wanted {
        let told = format!("3, control plane bootstrap: {ready} of {wanted} replicas of {plane} are ready");
        return Some((told, vec![citation]));
    }
    let healthy = |thing: &Object<'_>| thing.field("status.conditions[type=NodeHealthy].status").valued();
    let mut states = machines.iter().filter_map(|thing| Some((thing, healthy(thing)?)));
    if let Some((thing, (_, citation))) = states.find(|(_, (healthy, _))| healthy == "False") {
        let told = format!("4, network and core add-ons: the Node of {thing} is not healthy");
        return Some((told, vec![citation]));
    }
    let reply = here.group("progress").into_iter().next()?;
    let status = reply.field("progress.status");
    Some((format!("5, platform installation: the installer says {}", status.text()?), vec![status.citation()?]))
}

/// G04: the installation gets through its phases in time.
pub(super) fn phase(here: &Installation<'_>, _: &Profile) -> Found {
    if let Some((told, at)) = here.completed() {
        return vec![pass(format!("the installation is complete: {told}"), [at])];
    }
    let Some(cluster) = here.one("cluster").filter(|_| !here.is_installed()) else { return Vec::new() };
    let Some((open, mut citations)) = open_phase(here) else {
        return vec![unknown("the phase of the installation is not known")];
    };
    let created = cluster.time("metadata.creationTimestamp");
    let (Some((created, at)), Some(now)) = (created, here.clock()) else {
        return vec![unknown(format!("the installation is in phase {open}; since when is not known"))];
    };
    let age = now.duration_since(created).as_mins();
    citations.push(at);
    let told = format!("after {age} minutes the installation is in phase {open}");
    vec![Outcome::new(if age > LONG { State::Warn } else { State::Pass }, told, citations)]
}
