//! G14 to G17: etcd-sync, which copies the primary cluster to the standby one.
//!
//! Sources: alauda/acp-docs:docs/en/install/global_dr.mdx@f5a958d (the parts of etcd-sync, the words of its
//! check, which Pods to restart), Go `crypto/x509` (`certificate is valid for A, not B`).

use crate::checklist::Profile;
use crate::installation::Installation;
use crate::log_line::LogLine;
use crate::object::Object;
use crate::outcome::{Found, Outcome, fail, judge, pass, unknown, warn};
use facts::origin::Citation;
use jiff::Timestamp;

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
fn installed(here: &Installation<'_>) -> Option<(Timestamp, Citation)> {
    let of = |here: &Installation<'_>| here.sync()?.time("metadata.creationTimestamp");
    of(here).or_else(|| of(&here.peer()?))
}

/// G14: what reads the addresses of a pair was restarted after etcd-sync was installed.
pub(super) fn restarted(here: &Installation<'_>, _: &Profile) -> Found {
    let Some((since, at)) = installed(here) else { return Vec::new() };
    let mut outcomes = Vec::new();
    for pod in here.all("pods") {
        let Some(name) = pod.label("service_name").text().filter(|name| RESTARTED.contains(&name.as_str())) else {
            continue;
        };
        let Some((started, citation)) = pod.time("status.startTime") else { continue };
        let told = format!("{pod} ({name}) started at {started}, and etcd-sync was installed at {since}");
        outcomes.push(judge(started >= since, told, [citation, at.clone()]));
    }
    if outcomes.is_empty() {
        outcomes.push(unknown("when the Pods that must be restarted after etcd-sync started was not collected"));
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

/// G15: etcd-sync finds the same keys on both sides.
pub(super) fn consistent(here: &Installation<'_>, _: &Profile) -> Found {
    let mut outcomes = Vec::new();
    for (words, what) in [(MISSED, "the primary alone"), (SURPLUS, "the standby alone")] {
        // A later check says what holds.
        let Some(line) = here.lines(words).pop() else { continue };
        outcomes.push(match keys_in(line.text(), words) {
            Some(0) => pass(format!("no key is in {what}"), [line.citation()]),
            Some(count) => fail(format!("{count} keys are in {what}"), [line.citation()]),
            None => unknown(format!("how many keys are in {what} does not stand in the line")),
        });
    }
    if outcomes.is_empty() && here.sync().is_some() {
        outcomes.push(unknown("the answer of the consistency check of etcd-sync was not collected"));
    }
    outcomes
}

fn job<'f>(here: &Installation<'f>) -> Result<Object<'f>, Outcome> {
    let name = "etcd-sync-bootstrap";
    let missing = || match here.lacks("jobs.batch", name) {
        Some(proof) => warn(format!("there is no Job `{name}`"), proof),
        None => unknown(format!("the Job `{name}` was not collected")),
    };
    here.named("jobs.batch", name).ok_or_else(missing)
}

/// G16: the parts of etcd-sync are there and work.
pub(super) fn parts(here: &Installation<'_>, _: &Profile) -> Found {
    // Who gives the token to the ModuleInfo itself, as earlier editions do, has none of these parts.
    if here.sync().is_none_or(|sync| sync.mask(&["spec", "config", "active_cluster_token"]).is_some()) {
        return Vec::new();
    }
    let mut outcomes = Vec::new();
    let condition = |thing: &Object<'_>, kind: &str| {
        let field = thing.field(&format!("status.conditions[type={kind}].status"));
        let (text, citation) = (field.text().unwrap_or_else(|| "not set".to_owned()), field.citation()?);
        Some(judge(text == "True", format!("{kind} of {thing} is {text}"), [citation]))
    };
    match job(here) {
        Ok(job) => outcomes.extend(condition(&job, "Complete")),
        Err(outcome) => outcomes.push(outcome),
    }
    match here.named("certificates.cert-manager.io", "remote-etcd-client") {
        Some(certificate) => outcomes.extend(condition(&certificate, "Ready")),
        None => outcomes.push(unknown("the Certificate `remote-etcd-client` was not collected")),
    }
    match here.named("leases.coordination.k8s.io", "etcd-sync-mirror") {
        Some(lease) => {
            if let (Some((renewed, citation)), Some(now)) = (lease.time("spec.renewTime"), here.clock()) {
                let age = now.duration_since(renewed).as_mins();
                let told = format!("{lease} was renewed {age} minutes before the end of the bundle");
                outcomes.push(judge(age < STALE, told, [citation]));
            }
        }
        None => outcomes.push(unknown("the Lease `etcd-sync-mirror` was not collected")),
    }
    outcomes
}

/// G17: etcd-sync trusts the certificate of the primary.
pub(super) fn certificate(here: &Installation<'_>, _: &Profile) -> Found {
    let lately = |line: &LogLine<'_>| line.age(here.clock_of_logs()).is_none_or(|age| age < LATELY);
    let lines: Vec<LogLine<'_>> =
        here.lines(NOT_VALID_FOR).into_iter().filter(|line| line.is_of("etcd-sync") && lately(line)).collect();
    let Some(line) = lines.last() else {
        return match here.sync() {
            Some(_) => vec![unknown("no line of etcd-sync tells whether it trusts the other side")],
            None => Vec::new(),
        };
    };
    let at = line.text().find(NOT_VALID_FOR).unwrap_or_default();
    let told: String = line.text().get(at..).unwrap_or_default().chars().take(200).collect();
    vec![fail(format!("etcd-sync does not trust the other side: {told}"), [line.citation()])]
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
