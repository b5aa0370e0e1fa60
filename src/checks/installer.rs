//! G01 to G04 and G11: how far the installer is.
//!
//! The words of the installer are not public, so nothing here rests on a text of its own but the two keys
//! of its replies and the levels of its log.

use crate::checklist::Profile;
use crate::installation::Installation;
use crate::object::Object;
use crate::outcome::{Found, Outcome, State, fail, pass, unknown, warn};
use facts::node::Node;
use facts::origin::Citation;
use jiff::Timestamp;

/// After how many minutes an installation takes longer than it should.
/// Source: alauda/immutable-infra-docs:docs/en/global/install.mdx@92a8c6e, "typically takes 30-60 minutes".
const LONG: i64 = 90;
/// How many minutes an error must repeat to be more than a retry.
const STALLED: i64 = 10;
/// After how many minutes a Machine that says why it waits is more than slow.
const WAITING: i64 = 20;

fn minutes(from: Timestamp, to: Timestamp) -> i64 {
    to.duration_since(from).as_mins()
}

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

/// What keeps the control plane from being ready for the request.
fn not_ready(here: &Installation<'_>) -> Option<Vec<(String, Citation)>> {
    let (cluster, plane) = (here.cluster()?, here.control_plane()?);
    let mut open = Vec::new();
    let (ready, wanted, citation) = ready(&plane)?;
    if ready < wanted {
        open.push((format!("{ready} of {wanted} replicas of {plane} are ready"), citation.clone()));
    }
    let updated = plane.any(&["status.updatedReplicas", "status.upToDateReplicas"]).whole_number();
    if let Some((updated, citation)) = updated.filter(|(updated, _)| *updated < wanted) {
        open.push((format!("{updated} of {wanted} replicas of {plane} are up to date"), citation));
    }
    let phase = cluster.field("status.phase");
    if let (Some(text), Some(citation)) = (phase.text(), phase.citation())
        && text != "Provisioned"
    {
        open.push((format!("{cluster} is {text}"), citation));
    }
    let etcd = plane.field("status.conditions[type=EtcdClusterHealthy].status");
    if let (Some(text), Some(citation)) = (etcd.text(), etcd.citation())
        && text == "False"
    {
        open.push((format!("EtcdClusterHealthy of {plane} is False"), citation));
    }
    Some(open)
}

/// G01: the control plane was ready before the request was sent.
pub(super) fn ready_for_request(here: &Installation<'_>, _: &Profile) -> Found {
    if here.is_installed() {
        return Vec::new();
    }
    let log = here.installer_log();
    let asked = log.and_then(|log| log.time("status.requestTime").zip(Some(log)));
    let was_asked = here.progress().first().map(Object::citation).or(asked.as_ref().map(|((_, at), _)| at.clone()));
    let Some(at) = was_asked else {
        return vec![unknown("whether the request was sent to the installer is not known")];
    };
    let Some(plane) = here.control_plane() else { return Vec::new() };
    if let (Some(((sent, at), _)), Some((since, place))) =
        (asked, plane.time("status.conditions[type=Ready].lastTransitionTime"))
        && plane.field("status.conditions[type=Ready].status").text().as_deref() == Some("True")
        && sent < since
    {
        let told = format!("the request was sent at {sent}, and {plane} was ready at {since}");
        return vec![warn(told, [at, place])];
    }
    let Some(open) = not_ready(here) else {
        return vec![unknown(format!("the replicas of {plane} are not shown"))];
    };
    if open.is_empty() {
        return vec![pass("the control plane is ready for the request", [at])];
    }
    let told: Vec<&str> = open.iter().map(|(text, _)| text.as_str()).collect();
    let told = format!("the request was sent, and {}", told.join(", "));
    vec![warn(told, open.iter().map(|(_, citation)| citation.clone()).chain([at]))]
}

/// G02: the installer says Success and Complete.
pub(super) fn reply(here: &Installation<'_>, _: &Profile) -> Found {
    let one = |reply: Object<'_>| {
        let (status, kind) = (reply.field("progress.status"), reply.field("progress.type"));
        let (Some(status), Some(kind), Some(citation)) = (status.text(), kind.text(), status.citation()) else {
            return unknown(format!("status and type of {reply} are not shown"));
        };
        let lower = status.to_ascii_lowercase();
        match (status.as_str(), kind.as_str()) {
            ("Success", "Complete") => pass("the installer says Success and Complete", [citation]),
            ("Success", _) => {
                let told =
                    format!("the installer says Success of type {kind}: one stage is done, not the installation");
                warn(told, [citation])
            }
            _ if lower.contains("fail") || lower.contains("error") => {
                fail(format!("the installer says {status}, type {kind}"), [citation])
            }
            _ => unknown(format!("the installer is at work: status {status}, type {kind}")),
        }
    };
    // A later reply cannot be told from an earlier one, and Complete is the last word.
    let all: Found = here.progress().into_iter().map(one).collect();
    match all.iter().find(|outcome| outcome.state == State::Pass) {
        Some(complete) => vec![complete.clone()],
        None => all,
    }
}

/// G03: no error of the installer repeats without a new phase.
pub(super) fn repeated_error(here: &Installation<'_>, _: &Profile) -> Found {
    let Some(log) = here.installer_log() else { return Vec::new() };
    let errors = log.field("status.errors");
    let Some(citation) = errors.citation() else { return Vec::new() };
    if let Some((told, at)) = here.completed() {
        return vec![pass(format!("the installation is complete: {told}"), [at])];
    }
    let count = |item: &Node, key: &str| item.get(key).and_then(|node| node.value.integer()).unwrap_or(0);
    let phase = log.field("status.phase").text();
    let since = phase.map_or(String::new(), |phase| format!(", since `{phase}`"));
    let mut outcomes = Vec::new();
    for item in errors.node().map_or(&[][..], Node::items) {
        let (often, long, quiet) = (count(item, "count"), count(item, "minutes"), count(item, "quiet"));
        // What fell silent was got over.
        if long <= i128::from(STALLED) || quiet > i128::from(STALLED) {
            continue;
        }
        let text = item.get("text").and_then(Node::as_str).unwrap_or_default();
        let mut at = citation.clone();
        at.line = item.line;
        let told = format!("the log repeats one error {often} times over {long} minutes{since}: `{text}`");
        outcomes.push(fail(told, [at]));
    }
    if outcomes.is_empty() {
        outcomes.push(pass("no error of the installer's log repeats to its end", [citation]));
    }
    outcomes
}

/// The first phase whose exit condition does not hold; nothing where too little is known.
fn open_phase(here: &Installation<'_>) -> Option<(String, Vec<Citation>)> {
    let machines = here.machines();
    let pending: Vec<&Object<'_>> = machines.iter().filter(|thing| thing.field("spec.providerID").is_empty()).collect();
    if let Some(first) = pending.first() {
        let told = format!("2, infrastructure provisioning: {} Machines have no providerID, {first}", pending.len());
        return Some((told, pending.iter().map(|thing| thing.citation()).collect()));
    }
    let plane = here.control_plane()?;
    let (ready, wanted, citation) = ready(&plane)?;
    if ready < wanted {
        let told = format!("3, control plane bootstrap: {ready} of {wanted} replicas of {plane} are ready");
        return Some((told, vec![citation]));
    }
    let sick = machines.iter().find_map(|thing| {
        let field = thing.field("status.conditions[type=NodeHealthy].status");
        (field.text().as_deref() == Some("False")).then(|| Some((thing, field.citation()?)))?
    });
    if let Some((thing, citation)) = sick {
        let told = format!("4, network and core add-ons: the Node of {thing} is not healthy");
        return Some((told, vec![citation]));
    }
    let reply = here.progress().into_iter().next()?;
    let status = reply.field("progress.status");
    Some((format!("5, platform installation: the installer says {}", status.text()?), vec![status.citation()?]))
}

/// G04: the installation gets through its phases in time.
pub(super) fn phase(here: &Installation<'_>, _: &Profile) -> Found {
    if let Some((told, at)) = here.completed() {
        return vec![pass(format!("the installation is complete: {told}"), [at])];
    }
    let Some(cluster) = here.cluster().filter(|_| !here.is_installed()) else { return Vec::new() };
    let Some((open, mut citations)) = open_phase(here) else {
        return vec![unknown("the phase of the installation is not known")];
    };
    let created = cluster.time("metadata.creationTimestamp");
    let (Some((created, at)), Some(now)) = (created, here.clock()) else {
        return vec![unknown(format!("the installation is in phase {open}; since when is not known"))];
    };
    let age = minutes(created, now);
    citations.push(at);
    let told = format!("after {age} minutes the installation is in phase {open}");
    vec![Outcome::new(if age > LONG { State::Warn } else { State::Pass }, told, citations)]
}

/// G11: no Machine says that it cannot go on.
pub(super) fn machines(here: &Installation<'_>, _: &Profile) -> Found {
    // Signatures of their own read what the vSphere provider says.
    if here.is("VSphere") {
        return Vec::new();
    }
    let machines = here.machines();
    if machines.is_empty() {
        return vec![unknown("the Machines of `global` were not collected")];
    }
    let mut outcomes = Vec::new();
    for machine in &machines {
        let Some(phase) = machine.field("status.phase").text() else { continue };
        if !matches!(phase.as_str(), "Pending" | "Provisioning" | "Failed") {
            continue;
        }
        for kind in ["BootstrapReady", "BootstrapConfigReady", "InfrastructureReady"] {
            let of = |part: &str| machine.field(&format!("status.conditions[type={kind}].{part}"));
            let (Some(status), Some(citation)) = (of("status").text(), of("status").citation()) else { continue };
            let message = of("message").text().unwrap_or_default();
            let severe = of("severity").text().as_deref() == Some("Error");
            let since = machine.time(&format!("status.conditions[type={kind}].lastTransitionTime"));
            let age = since.zip(here.clock()).map(|((since, _), now)| minutes(since, now));
            if status != "False" || message.is_empty() || !(severe || age.is_some_and(|age| age > WAITING)) {
                continue;
            }
            outcomes.push(fail(format!("{machine} is {phase}: {kind} is False, {message}"), [citation]));
        }
    }
    if outcomes.is_empty() {
        let told = format!("none of {} Machines says that it cannot go on", machines.len());
        outcomes.push(pass(told, machines.iter().map(Object::citation)));
    }
    outcomes
}
