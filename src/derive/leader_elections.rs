//! Components that lost their leader election: `leaderelections.casefile.dev`, one for each component.
//!
//! Why derived: one lost lease prints two or three lines, each restart of a component or of the API server
//! costs one, and whether it goes on is a matter of the clock. And whether etcd was in trouble in the minute
//! before stands in other logs.
//!
//! | field | meaning |
//! |---|---|
//! | `spec.component` | `kube-controller-manager`, `kube-scheduler`, or the class, container or Pod that writes |
//! | `status.losses`, `status.streams[]` | losses in the last hour of the bundle, at least; whose logs say so |
//! | `status.lastLoss`, `status.lastLossAge` | the youngest |
//! | `status.error` | why the lease could not be renewed, as the youngest line about it says |
//! | `status.others` | other components that lost theirs within two minutes of one of these |
//! | `status.etcdTrouble` | what etcd, or a client of it, said within two minutes before one of these |
//!
//! Sources: `kubernetes/client-go:tools/leaderelection/leaderelection.go` (`failed to renew lease`, `error
//! retrieving resource lock`), `kubernetes/kubernetes:cmd/kube-{controller-manager,scheduler}`
//! (`leaderelection lost`), `kubernetes-sigs/controller-runtime:pkg/manager/internal.go` (`leader election lost`).
//!
//! Invariants: lines of one component less than two minutes apart are one loss, whatever stream they stand in:
//! one outage makes all its replicas lose; a line without a time that can be placed is no loss; what is older
//! than an hour is not counted.

use crate::builder::Builder;
use facts::derived::Derived;
use facts::object::ContextId;
use facts::origin::Citation;
use facts::store::{AsOf, Facts, Stream};
use jiff::Timestamp;
use std::collections::{BTreeMap, BTreeSet};

/// The literals that bring a line here.
pub const LITERALS: &[&str] = &[
    "leaderelection lost",
    "leader election lost",
    "failed to renew lease",
    "Failed to renew lease",
    "error retrieving resource lock",
    "rror retrieving lease lock",
    "etcdserver: request timed out",
    "etcdserver: leader changed",
    "etcdserver: no leader",
];

/// Only losses as young as this are counted, in seconds.
const LATELY: i64 = 3600;
/// Lines of one component nearer than this are one loss, in seconds.
const ONE_LOSS: i64 = 120;
/// Between machines, times nearer than this have no order, in seconds.
const NO_ORDER: i64 = 60;
/// What happened so shortly before may be the reason, in seconds; clocks of machines are not compared more closely.
const BEFORE: i64 = 120;

/// One loss.
#[derive(Debug, Clone)]
struct Loss {
    time: Timestamp,
    stream: String,
    citation: Citation,
}

fn lost(text: &str) -> bool {
    ["leaderelection lost", "leader election lost", "failed to renew lease", "Failed to renew lease"]
        .iter()
        .any(|literal| text.contains(literal))
}

/// Why a lease could not be renewed, if a line says it.
fn why(text: &str) -> Option<&str> {
    let from = ["error retrieving resource lock ", "rror retrieving lease lock "]
        .iter()
        .find_map(|literal| text.split(literal).nth(1))?;
    let reason = from.split_once(": ").map_or(from, |(_, reason)| reason);
    let reason = reason.split_once("err=").map_or(reason, |(_, reason)| reason);
    Some(reason.trim().trim_matches('"')).filter(|reason| !reason.is_empty())
}

/// What a line says of the trouble of etcd.
fn trouble(text: &str, of_etcd: bool) -> Option<&'static str> {
    let client = ["etcdserver: request timed out", "etcdserver: leader changed", "etcdserver: no leader"];
    if let Some(found) = client.into_iter().find(|literal| text.contains(literal)) {
        return Some(found);
    }
    let own = [
        ("lost leader ", "etcd lost its leader"),
        ("no leader", "etcd had no leader"),
        ("slow fdatasync", "the disk of etcd was slow"),
    ];
    own.into_iter().find(|(literal, _)| of_etcd && text.contains(literal)).map(|(_, words)| words)
}

/// Who writes a stream: its container where that has a name of its own, else its class, its Pod or the file.
/// Not the class first: one class may hold several components (`kube-apiserver` and its operators).
fn component(stream: &Stream) -> String {
    let class = stream.class.as_deref();
    let container =
        stream.pod.as_ref().map(|(_, _, container)| container.as_str()).filter(|c| !c.is_empty() && *c != "-");
    let pod = stream.pod.as_ref().map(|(_, pod, _)| pod.as_str());
    // Every controller of controller-runtime calls its container `manager`.
    let container = container.filter(|container| !matches!(*container, "manager" | "controller-manager"));
    container.or(class).or(pod).unwrap_or(&stream.name).to_owned()
}

/// The components of one context that lost a leader election lately.
pub fn derive(facts: &Facts, context: ContextId) -> Vec<Derived> {
    let Some(clock) = facts.context(context).as_of.as_ref().map(AsOf::for_logs) else { return Vec::new() };
    let mut losses: BTreeMap<String, Vec<Loss>> = BTreeMap::new();
    let mut reasons: BTreeMap<String, (Timestamp, String, Citation)> = BTreeMap::new();
    let mut troubles: Vec<(Timestamp, &'static str, Citation)> = Vec::new();
    for stream in facts.streams.iter().filter(|stream| stream.context == context) {
        let of_etcd = stream.class.as_deref() == Some("etcd");
        let name = component(stream);
        for hit in stream.parts.iter().flat_map(|(_, log)| &log.hits) {
            let Some(time) = hit.fields.time.and_then(|time| time.resolve(Some(clock))) else { continue };
            let age = clock.duration_since(time).as_secs();
            if age > LATELY + BEFORE {
                continue;
            }
            let citation = || Citation::line(hit.member, hit.line, &hit.text);
            if let Some(words) = trouble(&hit.text, of_etcd) {
                troubles.push((time, words, citation()));
            }
            if of_etcd {
                continue;
            }
            if let Some(reason) = why(&hit.text) {
                let newer = reasons.get(&name).is_none_or(|(last, ..)| *last <= time);
                if newer {
                    reasons.insert(name.clone(), (time, reason.to_owned(), citation()));
                }
            }
            if age > LATELY || !lost(&hit.text) {
                continue;
            }
            let known = losses.entry(name.clone()).or_default();
            known.push(Loss { time, stream: stream.name.clone(), citation: citation() });
        }
    }
    troubles.sort_by(|a, b| (a.0, facts.place(&a.2)).cmp(&(b.0, facts.place(&b.2))));
    for own in losses.values_mut() {
        own.sort_by(|a, b| (a.time, &a.stream).cmp(&(b.time, &b.stream)));
        own.dedup_by(|later, kept| later.time.duration_since(kept.time).as_secs() < ONE_LOSS);
    }
    let all = losses.clone();
    losses
        .into_iter()
        .map(|(name, own)| {
            let mut made = Builder::new("leaderelections", None, &name);
            made.text("spec.component", &name);
            made.at_least("status.losses", own.len() as i64);
            made.list("status.streams", own.iter().map(|loss| loss.stream.clone()));
            for path in ["spec.component", "status.losses", "status.streams"] {
                made.rests_on(path, own.iter().map(|loss| loss.citation.clone()));
            }
            if let Some(last) = own.last() {
                made.text("status.lastLoss", &last.time.to_string());
                made.number("status.lastLossAge", clock.duration_since(last.time).as_secs().max(0));
                for path in ["status.lastLoss", "status.lastLossAge"] {
                    made.rests_on(path, [last.citation.clone()]);
                }
            }
            if let Some((_, reason, citation)) = reasons.get(&name) {
                made.text("status.error", reason);
                made.rests_on("status.error", [citation.clone()]);
            }
            let near = |a: Timestamp, b: Timestamp| a.duration_since(b).as_secs().abs() <= BEFORE;
            let others: Vec<(&String, &Loss)> = all
                .iter()
                .filter(|(other, _)| **other != name)
                .flat_map(|(other, losses)| losses.iter().map(move |loss| (other, loss)))
                .filter(|(_, loss)| own.iter().any(|mine| near(mine.time, loss.time)))
                .collect();
            if !others.is_empty() {
                made.list("status.others", others.iter().map(|(other, _)| (*other).clone()));
                made.rests_on("status.others", others.iter().map(|(_, loss)| loss.citation.clone()));
            }
            let before = |trouble: &&(Timestamp, &str, Citation)| {
                own.iter().any(|loss| {
                    let seconds = loss.time.duration_since(trouble.0).as_secs();
                    // Between machines less than a minute has no order.
                    (-NO_ORDER..=BEFORE).contains(&seconds)
                })
            };
            let found: Vec<_> = troubles.iter().filter(before).collect();
            if !found.is_empty() {
                let words: BTreeSet<&str> = found.iter().map(|(_, words, _)| *words).collect();
                made.text("status.etcdTrouble", &words.into_iter().collect::<Vec<_>>().join(", "));
                made.rests_on("status.etcdTrouble", found.iter().map(|(_, _, citation)| citation.clone()));
            }
            made.finish()
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_a_lost_lease() {
        assert!(lost(r#"F0514 10:00:00.000000 1 server.go:205] leaderelection lost"#));
        assert!(lost(r#"E0514 10:00:00.000000 1 leaderelection.go:308] "Failed to renew lease" lock="kube-system/x""#));
        assert!(lost(
            r#"{"level":"error","logger":"setup","msg":"problem running manager","error":"leader election lost"}"#
        ));
        assert!(!lost("successfully acquired lease kube-system/kube-scheduler"));
    }

    #[test]
    fn why_a_lease_was_not_renewed() {
        assert_eq!(
            why("error retrieving resource lock kube-system/kube-scheduler: etcdserver: request timed out"),
            Some("etcdserver: request timed out")
        );
        assert_eq!(why("leaderelection lost"), None);
    }

    #[test]
    fn trouble_of_etcd_and_of_nobody() {
        assert_eq!(trouble("x: etcdserver: leader changed", false), Some("etcdserver: leader changed"));
        assert_eq!(trouble("raft.node: a1 lost leader b2 at term 2", true), Some("etcd lost its leader"));
        assert_eq!(trouble("raft.node: a1 lost leader b2 at term 2", false), None);
    }
}
