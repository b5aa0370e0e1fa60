//! Components that lost their leader election: `leaderelections.casefile.dev`, one for each component.
//!
//! Why derived: one lost lease prints two or three lines, each restart of a component or of the API server
//! costs one, and whether it goes on is a matter of the clock. And whether etcd was in trouble in the minute
//! before stands in other logs.
//!
//! What the lines say: `leader-election` of `patterns/statements.yaml`, `etcd-answers` and `etcd-in-trouble` of
//! `patterns/wordings.yaml`.
//!
//! Invariants: lines of one replica less than two minutes apart are one loss; losses of one replica are counted, never
//! those of several together: a roll of the control plane makes each of them lose once; a line without a time that can be
//! placed is no loss; what is older than an hour is not counted.

use crate::deriver::{Deriver, Inputs};
use catalogue::{statements, wordings};
use facts::derived::Derived;
use facts::object::ContextId;
use facts::provenance::{Cited, Provenance};
use facts::store::{Facts, Stream};
use jiff::Timestamp;
use std::collections::{BTreeMap, BTreeSet};

/// Only losses as young as this are counted, in seconds.
const LATELY: i64 = 3600;
/// Lines of one component nearer than this are one loss, in seconds.
const ONE_LOSS: i64 = 120;
/// Between machines, times nearer than this have no order, in seconds.
const NO_ORDER: i64 = 60;
/// What happened so shortly before may be the reason, in seconds; clocks of machines are not compared more closely.
const BEFORE: i64 = 120;

pub(crate) const DERIVER: Deriver = Deriver { makes: &["leaderelections"], statements: &["leader-election"], derive };

#[derive(Debug, Clone)]
struct Loss {
    time: Timestamp,
    /// The node that the replica runs on, else its stream.
    replica: String,
    cited: Cited,
}

/// What the logs of a context say of leader elections.
#[derive(Debug, Default)]
struct Heard {
    /// By component, the earliest first, one for each outage of a replica.
    losses: BTreeMap<String, Vec<Loss>>,
    /// By component, the youngest line that says why.
    reasons: BTreeMap<String, (Timestamp, String, Cited)>,
    /// What etcd or a client of it said, the earliest first.
    troubles: Vec<(Timestamp, &'static str, Cited)>,
}

/// What a line says of the trouble of etcd.
fn trouble(text: &str, of_etcd: bool) -> Option<&'static str> {
    let own = || wordings::first("etcd-in-trouble", text).filter(|_| of_etcd);
    wordings::first("etcd-answers", text).or_else(own).map(|wording| wording.means.as_str())
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
fn derive(inputs: &Inputs<'_>) -> Vec<Derived> {
    let Some(clock) = inputs.reader.log_clock() else { return Vec::new() };
    let heard = Heard::of(inputs.reader.facts, inputs.reader.context, clock);
    heard.losses.keys().filter_map(|component| heard.object(component, clock)).collect()
}

impl Heard {
    fn of(facts: &Facts, context: ContextId, clock: Timestamp) -> Self {
        let mut heard = Self::default();
        for stream in facts.streams.iter().filter(|stream| stream.context == context) {
            heard.listen(stream, clock);
        }
        heard.troubles.sort_by(|a, b| (a.0, facts.place(&a.2.citation)).cmp(&(b.0, facts.place(&b.2.citation))));
        for own in heard.losses.values_mut() {
            own.sort_by(|a, b| (&a.replica, a.time).cmp(&(&b.replica, b.time)));
            own.dedup_by(|later, kept| {
                later.replica == kept.replica && later.time.duration_since(kept.time).as_secs() < ONE_LOSS
            });
            own.sort_by(|a, b| (a.time, &a.replica).cmp(&(b.time, &b.replica)));
        }
        heard
    }

    fn listen(&mut self, stream: &Stream, clock: Timestamp) {
        let of_etcd = stream.class.as_deref() == Some("etcd");
        let name = component(stream);
        for hit in stream.hits() {
            let Some(time) = hit.fields.time.and_then(|time| time.resolve(Some(clock))) else { continue };
            let age = clock.duration_since(time).as_secs();
            if age > LATELY + BEFORE {
                continue;
            }
            let cited = || stream.cite(hit, Some(clock));
            if let Some(words) = trouble(&hit.text, of_etcd) {
                self.troubles.push((time, words, cited()));
            }
            if of_etcd {
                continue;
            }
            for said in statements::read("leader-election", hit) {
                if said.says == "lost" && age <= LATELY {
                    let known = self.losses.entry(name.clone()).or_default();
                    let replica = stream.node.clone().unwrap_or_else(|| stream.name.to_string());
                    known.push(Loss { time, replica, cited: cited() });
                } else if said.says == "why" && self.reasons.get(&name).is_none_or(|(last, ..)| *last <= time) {
                    self.reasons.insert(name.clone(), (time, said.text, cited()));
                }
            }
        }
    }

    /// The object of one component.
    fn object(&self, component: &str, clock: Timestamp) -> Option<Derived> {
        let own = self.losses.get(component)?;
        let last = own.last()?;
        let mut made = Derived::new("leaderelections", None, component);
        let lines = Provenance::all(own.iter().map(|loss| loss.cited.clone()))?;
        let mut each: BTreeMap<&str, i64> = BTreeMap::new();
        own.iter().for_each(|loss| *each.entry(&loss.replica).or_default() += 1);
        made.at_least("status.losses", each.values().copied().max()?, &lines);
        made.list("status.lossesOf", each.iter().map(|(replica, losses)| format!("{replica}: {losses}")), &lines);
        made.text("status.lastLoss", &last.time.to_string(), &last.cited);
        made.number("status.lastLossAge", clock.duration_since(last.time).as_secs().max(0), &last.cited);
        if let Some((_, reason, cited)) = self.reasons.get(component) {
            made.text("status.error", reason, cited);
        }
        let is_near =
            |loss: &Loss| own.iter().any(|mine| mine.time.duration_since(loss.time).as_secs().abs() <= BEFORE);
        let others = self.losses.iter().filter(|(other, _)| *other != component);
        let others = others.flat_map(|(other, losses)| losses.iter().map(move |loss| (other, loss)));
        let others: Vec<(&String, &Loss)> = others.filter(|(_, loss)| is_near(loss)).collect();
        if let Some(lines) = Provenance::all(others.iter().map(|(_, loss)| loss.cited.clone())) {
            made.list("status.others", others.iter().map(|(other, _)| (*other).clone()), lines);
        }
        // Between machines less than a minute has no order.
        let is_before = |time: Timestamp| {
            own.iter().any(|loss| (-NO_ORDER..=BEFORE).contains(&loss.time.duration_since(time).as_secs()))
        };
        let found: Vec<_> = self.troubles.iter().filter(|(time, ..)| is_before(*time)).collect();
        if let Some(lines) = Provenance::all(found.iter().map(|(.., cited)| cited.clone())) {
            let words: BTreeSet<&str> = found.iter().map(|(_, words, _)| *words).collect();
            made.text("status.etcdTrouble", &words.into_iter().collect::<Vec<_>>().join(", "), lines);
        }
        Some(made)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn trouble_of_etcd_and_of_nobody() {
        assert_eq!(trouble("x: etcdserver: leader changed", false), Some("etcdserver: leader changed"));
        assert_eq!(trouble("raft.node: a1 lost leader b2 at term 2", true), Some("etcd lost its leader"));
        assert_eq!(trouble("raft.node: a1 lost leader b2 at term 2", false), None);
    }
}
