//! Groups G, H and I: how far the installer is, when it was asked, and by which address.
//!
//! The words of the installer are not public, so nothing here rests on a text of its own but the two keys
//! of its replies, the path of its API and the levels of its log.

use crate::Profile;
use crate::State::{Fail, Pass, Warn};
use crate::outcome::{Outcome, number};
use crate::rule::{Need, Rule, rule};
use crate::side::{NAMESPACE, Side};
use crate::thing::Thing;
use facts::node::Node;
use facts::origin::Citation;
use jiff::Timestamp;
use regex::Regex;
use std::sync::LazyLock;

pub(super) const RULES: [Rule; 8] = [
    rule("G01", &[Need::Cluster, Need::ControlPlane], gate),
    rule("G02", &[Need::Progress], reply),
    rule("G03", &[Need::InstallerLog], repeated_error),
    rule("G04", &[Need::Cluster], phase),
    rule("G11", &[Need::Provider], machines),
    rule("H08", &[Need::ImportMap], created_in_time),
    rule("I11", &[], path_of_request),
    rule("I12", &[], address_of_request),
];

/// The path of the API that takes the request.
pub(super) const REQUEST_PATH: &str = "/cpaas-installer/api/config/";

/// After how many minutes an installation takes longer than it should.
/// Source: alauda/immutable-infra-docs:docs/en/global/install.mdx@92a8c6e, "typically takes 30-60 minutes".
const LONG: i64 = 90;
/// How many minutes an error must repeat to be more than a retry.
const STALLED: i64 = 10;
/// After how many minutes a Machine that says why it waits is more than slow.
const WAITING: i64 = 20;

/// A time in a field, with its place.
pub(super) fn time(thing: &Thing<'_>, path: &str) -> Option<(Timestamp, Citation)> {
    let field = thing.field(path);
    Some((field.text()?.parse().ok()?, field.citation()?))
}

fn minutes(from: Timestamp, to: Timestamp) -> i64 {
    to.duration_since(from).as_mins()
}

/// How many replicas of the control plane are ready, and are wanted.
fn ready(plane: &Thing<'_>) -> Option<(i64, i64, Citation)> {
    let (wanted, citation) = number(&plane.field("spec.replicas"))?;
    // The API leaves out a count of zero.
    let ready = match number(&plane.field("status.readyReplicas")) {
        Some((ready, _)) => ready,
        None if plane.field("status").node().is_some() && plane.field("status.readyReplicas").is_empty() => 0,
        None => return None,
    };
    Some((ready, wanted, citation))
}

/// What keeps the control plane from being ready for the request.
fn not_ready(side: &Side<'_>) -> Option<Vec<(String, Citation)>> {
    let (cluster, plane) = (side.cluster()?, side.control_plane()?);
    let mut open = Vec::new();
    let (ready, wanted, citation) = ready(&plane)?;
    if ready < wanted {
        open.push((format!("{ready} of {wanted} replicas of {plane} are ready"), citation.clone()));
    }
    let updated = number(&plane.any(&["status.updatedReplicas", "status.upToDateReplicas"]));
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

fn gate(side: &Side<'_>, _: &Profile) -> Vec<Outcome> {
    if side.is_installed() {
        return Vec::new();
    }
    let log = side.installer_log();
    let asked = log.and_then(|log| time(&log, "status.requestTime").zip(Some(log)));
    let was_asked = side.progress().first().map(Thing::citation).or(asked.as_ref().map(|((_, at), _)| at.clone()));
    let Some(at) = was_asked else {
        return vec![Outcome::unknown("whether the request was sent to the installer is not known")];
    };
    let Some(plane) = side.control_plane() else { return Vec::new() };
    if let (Some(((sent, at), _)), Some((since, place))) =
        (asked, time(&plane, "status.conditions[type=Ready].lastTransitionTime"))
        && plane.field("status.conditions[type=Ready].status").text().as_deref() == Some("True")
        && sent < since
    {
        let told = format!("the request was sent at {sent}, and {plane} was ready at {since}");
        return vec![Outcome::new(Warn, told, [at, place])];
    }
    let Some(open) = not_ready(side) else {
        return vec![Outcome::unknown(format!("the replicas of {plane} are not shown"))];
    };
    if open.is_empty() {
        return vec![Outcome::new(Pass, "the control plane is ready for the request", [at])];
    }
    let told: Vec<&str> = open.iter().map(|(text, _)| text.as_str()).collect();
    let told = format!("the request was sent, and {}", told.join(", "));
    vec![Outcome::new(Warn, told, open.iter().map(|(_, citation)| citation.clone()).chain([at]))]
}

fn reply(side: &Side<'_>, _: &Profile) -> Vec<Outcome> {
    let one = |reply: Thing<'_>| {
        let (status, kind) = (reply.field("progress.status"), reply.field("progress.type"));
        let (Some(status), Some(kind), Some(citation)) = (status.text(), kind.text(), status.citation()) else {
            return Outcome::unknown(format!("status and type of {reply} are not shown"));
        };
        let lower = status.to_ascii_lowercase();
        match (status.as_str(), kind.as_str()) {
            ("Success", "Complete") => Outcome::new(Pass, "the installer says Success and Complete", [citation]),
            ("Success", _) => {
                let told =
                    format!("the installer says Success of type {kind}: one stage is done, not the installation");
                Outcome::new(Warn, told, [citation])
            }
            _ if lower.contains("fail") || lower.contains("error") => {
                Outcome::new(Fail, format!("the installer says {status}, type {kind}"), [citation])
            }
            _ => Outcome::unknown(format!("the installer is at work: status {status}, type {kind}")),
        }
    };
    // A later reply cannot be told from an earlier one, and Complete is the last word.
    let all: Vec<Outcome> = side.progress().into_iter().map(one).collect();
    match all.iter().find(|outcome| outcome.state == Pass) {
        Some(complete) => vec![complete.clone()],
        None => all,
    }
}

fn repeated_error(side: &Side<'_>, _: &Profile) -> Vec<Outcome> {
    let Some(log) = side.installer_log() else { return Vec::new() };
    let errors = log.field("status.errors");
    let Some(citation) = errors.citation() else { return Vec::new() };
    if let Some((told, at)) = side.completed() {
        return vec![Outcome::new(Pass, format!("the installation is complete: {told}"), [at])];
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
        outcomes.push(Outcome::new(Fail, told, [at]));
    }
    if outcomes.is_empty() {
        outcomes.push(Outcome::new(Pass, "no error of the installer's log repeats to its end", [citation]));
    }
    outcomes
}

/// The first phase whose exit condition does not hold; nothing where too little is known.
fn open_phase(side: &Side<'_>) -> Option<(String, Vec<Citation>)> {
    let machines = side.machines();
    let pending: Vec<&Thing<'_>> = machines.iter().filter(|thing| thing.field("spec.providerID").is_empty()).collect();
    if let Some(first) = pending.first() {
        let told = format!("2, infrastructure provisioning: {} Machines have no providerID, {first}", pending.len());
        return Some((told, pending.iter().map(|thing| thing.citation()).collect()));
    }
    let plane = side.control_plane()?;
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
    let reply = side.progress().into_iter().next()?;
    let status = reply.field("progress.status");
    Some((format!("5, platform installation: the installer says {}", status.text()?), vec![status.citation()?]))
}

fn phase(side: &Side<'_>, _: &Profile) -> Vec<Outcome> {
    if let Some((told, at)) = side.completed() {
        return vec![Outcome::new(Pass, format!("the installation is complete: {told}"), [at])];
    }
    let Some(cluster) = side.cluster().filter(|_| !side.is_installed()) else { return Vec::new() };
    let Some((open, mut citations)) = open_phase(side) else {
        return vec![Outcome::unknown("the phase of the installation is not known")];
    };
    let created = time(&cluster, "metadata.creationTimestamp");
    let (Some((created, at)), Some(now)) = (created, side.clock()) else {
        return vec![Outcome::unknown(format!("the installation is in phase {open}; since when is not known"))];
    };
    let age = minutes(created, now);
    citations.push(at);
    let told = format!("after {age} minutes the installation is in phase {open}");
    vec![Outcome::new(if age > LONG { Warn } else { Pass }, told, citations)]
}

fn machines(side: &Side<'_>, _: &Profile) -> Vec<Outcome> {
    // Signatures of their own read what the vSphere provider says.
    if side.is("VSphere") {
        return Vec::new();
    }
    let machines = side.machines();
    if machines.is_empty() {
        return vec![Outcome::unknown("the Machines of `global` were not collected")];
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
            let since = time(machine, &format!("status.conditions[type={kind}].lastTransitionTime"));
            let age = since.zip(side.clock()).map(|((since, _), now)| minutes(since, now));
            if status != "False" || message.is_empty() || !(severe || age.is_some_and(|age| age > WAITING)) {
                continue;
            }
            outcomes.push(Outcome::new(Fail, format!("{machine} is {phase}: {kind} is False, {message}"), [citation]));
        }
    }
    if outcomes.is_empty() {
        let told = format!("none of {} Machines says that it cannot go on", machines.len());
        outcomes.push(Outcome::new(Pass, told, machines.iter().map(Thing::citation)));
    }
    outcomes
}

fn created_in_time(side: &Side<'_>, _: &Profile) -> Vec<Outcome> {
    let Some(map) = side.import_map().filter(|_| !side.is_installed()) else { return Vec::new() };
    let Some((created, at)) = time(&map, "metadata.creationTimestamp") else {
        return vec![Outcome::unknown(format!("when {map} was created is not shown"))];
    };
    let Some((sent, place)) = side.installer_log().and_then(|log| time(&log, "status.requestTime")) else {
        return vec![Outcome::unknown("when the request was sent to the installer is not known")];
    };
    let told = format!("{map} was created at {created}, and the request was sent at {sent}");
    vec![Outcome::new(crate::State::of(created <= sent), told, [at, place])]
}

static REQUEST: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r"(?:(?P<scheme>https?)://(?P<host>\[[0-9a-fA-F:]+\]|[^/\s:'\x22]+)(?::(?P<port>\d+))?)?/cpaas-installer/api/config/(?P<kind>[a-z0-9-]+)").ok()
});

/// Requests that a log or a history of commands shows.
fn requests<'f>(side: &Side<'f>) -> Vec<(regex::Captures<'f>, Citation)> {
    let Some(regex) = REQUEST.as_ref() else { return Vec::new() };
    side.lines(REQUEST_PATH)
        .into_iter()
        .filter_map(|line| Some((regex.captures(line.text())?, line.citation())))
        .collect()
}

fn path_of_request(side: &Side<'_>, _: &Profile) -> Vec<Outcome> {
    let found = requests(side);
    if found.is_empty() && side.is_installed() {
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
            wrong.push("has not the port 8080");
        }
        let text = parts.get(0).map_or("", |all| all.as_str());
        outcomes.push(match wrong.is_empty() {
            true => Outcome::new(Pass, format!("the request went to `{text}`"), [citation]),
            false => Outcome::new(Fail, format!("the request went to `{text}`: it {}", wrong.join(", ")), [citation]),
        });
    }
    if outcomes.is_empty() {
        outcomes.push(Outcome::unknown("where the request was sent is not known"));
    }
    outcomes
}

fn address_of_request(side: &Side<'_>, _: &Profile) -> Vec<Outcome> {
    if side.is_installed() {
        return Vec::new();
    }
    let address = |pod: &Thing<'_>| {
        let field = pod.field("status.podIP");
        Some((field.text()?, field.citation()?))
    };
    let own: Vec<(String, Citation)> = side.installers().iter().filter_map(address).collect();
    let other: Vec<(String, Citation)> =
        side.peer().iter().flat_map(Side::installers).filter_map(|pod| address(&pod)).collect();
    let mut outcomes = Vec::new();
    for (parts, citation) in requests(side) {
        let Some(host) = parts.name("host").map(|host| host.as_str()) else { continue };
        // A variable that the shell had yet to fill in says nothing.
        if host.contains('$') || own.is_empty() {
            continue;
        }
        if own.iter().any(|(address, _)| address == host) {
            outcomes.push(Outcome::new(Pass, format!("the request went to the installer at {host}"), [citation]));
        } else if let Some((_, at)) = other.iter().find(|(address, _)| address == host) {
            let told = format!("the request went to {host}, which is the installer of the other side");
            outcomes.push(Outcome::new(Fail, told, [citation, at.clone()]));
        } else {
            let own: Vec<&str> = own.iter().map(|(address, _)| address.as_str()).collect();
            let told = format!("the request went to {host}, and the installer has {}", own.join(", "));
            outcomes.push(Outcome::new(Warn, told, [citation]));
        }
    }
    if outcomes.is_empty() {
        outcomes.push(Outcome::unknown(format!(
            "where the request was sent, or the address of the Pod cpaas-installer in {NAMESPACE}, is not known"
        )));
    }
    outcomes
}
