//! Group G: etcd-sync, which copies the primary cluster to the standby one.
//!
//! Sources: alauda/acp-docs:docs/en/install/global_dr.mdx@f5a958d (the parts of etcd-sync, the words of its
//! check, which Pods to restart), Go `crypto/x509` (`certificate is valid for A, not B`).

use crate::Profile;
use crate::State;
use crate::State::{Fail, Pass, Warn};
use crate::outcome::Outcome;
use crate::progress::time;
use crate::rule::{Rule, rule};
use crate::side::Side;
use crate::thing::{Line, Thing};
use facts::origin::Citation;
use jiff::Timestamp;

pub(super) const RULES: [Rule; 4] =
    [rule("G14", &[], restarted), rule("G15", &[], consistent), rule("G16", &[], parts), rule("G17", &[], certificate)];

/// The words of the consistency check.
pub(super) const MISSED: &str = "LOCAL ETCD missed keys";
/// The same for what the standby has and the primary has not.
pub(super) const SURPLUS: &str = "LOCAL ETCD surplus keys";
/// What Go says of a certificate that lacks a name.
pub(super) const NOT_VALID_FOR: &str = "x509: certificate is valid for";

/// What must be restarted once etcd-sync is installed, as values of the label `service_name`.
const RESTARTED: [&str; 5] = ["alertmanager", "vmselect", "vminsert", "cpaas-elasticsearch", "cluster-transformer"];
/// The Lease of the leader of etcd-sync is renewed every few seconds; collecting a bundle may take an hour.
const STALE: i64 = 60;
/// Minutes after which a refused certificate says nothing about now: etcd-sync tries again and again.
const LATELY: i64 = 10;

/// When etcd-sync was installed, here or on the other side.
fn installed(side: &Side<'_>) -> Option<(Timestamp, Citation)> {
    let of = |side: &Side<'_>| time(&side.sync()?, "metadata.creationTimestamp");
    of(side).or_else(|| of(&side.peer()?))
}

fn restarted(side: &Side<'_>, _: &Profile) -> Vec<Outcome> {
    let Some((since, at)) = installed(side) else { return Vec::new() };
    let mut outcomes = Vec::new();
    for pod in side.all("pods") {
        let Some(name) = pod.label("service_name").text().filter(|name| RESTARTED.contains(&name.as_str())) else {
            continue;
        };
        let Some((started, citation)) = time(&pod, "status.startTime") else { continue };
        let told = format!("{pod} ({name}) started at {started}, and etcd-sync was installed at {since}");
        outcomes.push(Outcome::new(State::of(started >= since), told, [citation, at.clone()]));
    }
    if outcomes.is_empty() {
        outcomes
            .push(Outcome::unknown("when the Pods that must be restarted after etcd-sync started was not collected"));
    }
    outcomes
}

/// How many keys a line of the check names; nothing where the line alone does not tell.
fn keys_in(line: &str, words: &str) -> Option<u64> {
    let rest =
        line.split_once(words)?.1.trim_start_matches([' ', '"', '\'', ':', '=', ',']).trim_end_matches([',', '}', ' ']);
    let rest = rest.trim();
    match rest {
        "" | "[" | "{" => None,
        "[]" | "{}" | "none" | "null" | "<nil>" => Some(0),
        _ => {
            let number: String = rest.chars().take_while(char::is_ascii_digit).collect();
            match number.parse() {
                Ok(number) => Some(number),
                Err(_) => Some(rest.matches("/registry/").count() as u64).filter(|count| *count > 0),
            }
        }
    }
}

fn consistent(side: &Side<'_>, _: &Profile) -> Vec<Outcome> {
    let mut outcomes = Vec::new();
    for (words, what) in [(MISSED, "the primary alone"), (SURPLUS, "the standby alone")] {
        // A later check says what holds.
        let Some(line) = side.lines(words).pop() else { continue };
        outcomes.push(match keys_in(line.text(), words) {
            Some(0) => Outcome::new(Pass, format!("no key is in {what}"), [line.citation()]),
            Some(count) => Outcome::new(Fail, format!("{count} keys are in {what}"), [line.citation()]),
            None => Outcome::unknown(format!("how many keys are in {what} does not stand in the line")),
        });
    }
    if outcomes.is_empty() && side.sync().is_some() {
        outcomes.push(Outcome::unknown("the answer of the consistency check of etcd-sync was not collected"));
    }
    outcomes
}

fn job<'f>(side: &Side<'f>) -> Result<Thing<'f>, Outcome> {
    let name = "etcd-sync-bootstrap";
    let missing = || match side.lacks("jobs.batch", name) {
        Some(proof) => Outcome::new(Warn, format!("there is no Job `{name}`"), proof),
        None => Outcome::unknown(format!("the Job `{name}` was not collected")),
    };
    side.named("jobs.batch", name).ok_or_else(missing)
}

fn parts(side: &Side<'_>, profile: &Profile) -> Vec<Outcome> {
    // Earlier editions give the token to the ModuleInfo itself, and have none of these parts.
    let Some(sync) = side.sync().filter(|_| !profile.is_first()) else { return Vec::new() };
    if sync.mask(&["spec", "config", "active_cluster_token"]).is_some() {
        return Vec::new();
    }
    let mut outcomes = Vec::new();
    let condition = |thing: &Thing<'_>, kind: &str| {
        let field = thing.field(&format!("status.conditions[type={kind}].status"));
        let (text, citation) = (field.text().unwrap_or_else(|| "not set".to_owned()), field.citation()?);
        Some(Outcome::new(State::of(text == "True"), format!("{kind} of {thing} is {text}"), [citation]))
    };
    match job(side) {
        Ok(job) => outcomes.extend(condition(&job, "Complete")),
        Err(outcome) => outcomes.push(outcome),
    }
    match side.named("certificates.cert-manager.io", "remote-etcd-client") {
        Some(certificate) => outcomes.extend(condition(&certificate, "Ready")),
        None => outcomes.push(Outcome::unknown("the Certificate `remote-etcd-client` was not collected")),
    }
    match side.named("leases.coordination.k8s.io", "etcd-sync-mirror") {
        Some(lease) => {
            if let (Some((renewed, citation)), Some(now)) = (time(&lease, "spec.renewTime"), side.clock()) {
                let age = now.duration_since(renewed).as_mins();
                let told = format!("{lease} was renewed {age} minutes before the end of the bundle");
                outcomes.push(Outcome::new(State::of(age < STALE), told, [citation]));
            }
        }
        None => outcomes.push(Outcome::unknown("the Lease `etcd-sync-mirror` was not collected")),
    }
    outcomes
}

fn certificate(side: &Side<'_>, _: &Profile) -> Vec<Outcome> {
    let lately = |line: &Line<'_>| line.age(side.clock_of_logs()).is_none_or(|age| age < LATELY);
    let lines: Vec<Line<'_>> =
        side.lines(NOT_VALID_FOR).into_iter().filter(|line| line.is_of("etcd-sync") && lately(line)).collect();
    let Some(line) = lines.last() else {
        return match side.sync() {
            Some(_) => vec![Outcome::unknown("no line of etcd-sync tells whether it trusts the other side")],
            None => Vec::new(),
        };
    };
    let at = line.text().find(NOT_VALID_FOR).unwrap_or_default();
    let told: String = line.text().get(at..).unwrap_or_default().chars().take(200).collect();
    vec![Outcome::new(Fail, format!("etcd-sync does not trust the other side: {told}"), [line.citation()])]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_answer_of_the_check() {
        for (line, keys) in [
            ("LOCAL ETCD missed keys: 0", Some(0)),
            ("LOCAL ETCD missed keys: []", Some(0)),
            ("LOCAL ETCD missed keys: 12", Some(12)),
            ("LOCAL ETCD missed keys: [/registry/pods/a/b /registry/pods/a/c]", Some(2)),
            ("  \"LOCAL ETCD missed keys\": 3,", Some(3)),
            ("LOCAL ETCD missed keys:", None),
            ("LOCAL ETCD missed keys: see below", None),
        ] {
            assert_eq!(keys_in(line, MISSED), keys, "{line}");
        }
    }
}
