//! What a KubeadmControlPlane waits for, and how long: `controlplanewaits.casefile.dev`, one for each that says
//! so.
//!
//! Why derived: the same preflight checks fail for seconds in every rollout; only how long they have failed,
//! and whether with the same words, makes a fault of it. That stands in events, in lines of its controller, and
//! in the time of a condition.
//!
//! What they say: `preflight-checks` of `patterns/statements.yaml`, `scaling-blocked` and `members-do-not-match` of
//! `patterns/wordings.yaml`.
//!
//! Invariants: a line that names no control plane counts only where there is one alone; without a clock there
//! are no ages.

use crate::deriver::{Deriver, Inputs};
use crate::heard::{Heard, listen};
use crate::reader::{Read, Reader};
use crate::workloads::Workloads;
use crate::workloads::events::Event;
use catalogue::{statements, wordings};
use facts::derived::Derived;
use facts::object::ObjectId;
use facts::provenance::{Cited, Provenance};
use jiff::Timestamp;

const CONTROL_PLANES: &str = "kubeadmcontrolplanes.controlplane.cluster.x-k8s.io";

pub(crate) const DERIVER: Deriver =
    Deriver { makes: &["controlplanewaits"], statements: &["preflight-checks"], derive };

/// Fields about conditions: which conditions, and the wording of what they say.
const COMPLAINTS: [(&str, &[&str], &str); 2] = [
    ("status.blocked", &["ScalingUp"], "scaling-blocked"),
    ("status.mismatch", &["EtcdClusterHealthy", "Available"], "members-do-not-match"),
];

/// One word about preflight checks.
#[derive(Debug, Clone)]
struct Word {
    first: Timestamp,
    last: Timestamp,
    failures: String,
    cited: Cited,
}

fn derive(inputs: &Inputs<'_>) -> Vec<Derived> {
    let reader = inputs.reader;
    let all = reader.all(CONTROL_PLANES);
    let alone = all.len() == 1;
    all.into_iter().filter_map(|id| one(reader, inputs.workloads, id, alone)).collect()
}

fn one(reader: Reader<'_>, workloads: &Workloads, id: ObjectId, alone: bool) -> Option<Derived> {
    let mut made = reader.about(id, "controlplanewaits");
    let mut words = events(reader, workloads, id);
    words.extend(lines(reader, id, alone));
    words.sort_by(|a, b| (a.last, a.first, &a.failures).cmp(&(b.last, b.first, &b.failures)));
    let first = words.iter().min_by_key(|word| word.first);
    if let (Some(first), Some(last)) = (first, words.last()) {
        let from = Provenance::from(&first.cited).and(&last.cited);
        made.number("status.preflightSeconds", last.last.duration_since(first.first).as_secs(), &from);
        made.text("status.preflightFailures", &last.failures, &from);
        made.flag("status.preflightSame", first.failures == last.failures, &from);
        made.number("status.preflightAge", reader.age_of(last.last), &last.cited);
    }
    for (path, kinds, wording) in COMPLAINTS {
        let found = kinds.iter().find_map(|kind| condition(reader, id, kind, wording));
        if let Some((message, since)) = found {
            message.write(&mut made, path);
            if let Some(since) = since {
                reader.write_age(&mut made, &format!("{path}Seconds"), &since);
            }
        }
    }
    let waits = made.paths().next().is_some();
    waits.then_some(made)
}

/// The message of a condition that fits, and its time, in any of the places where conditions stand.
fn condition(reader: Reader<'_>, id: ObjectId, kind: &str, wording: &str) -> Option<(Read, Option<Read>)> {
    ["status.conditions", "status.v1beta2.conditions", "status.deprecated.v1beta1.conditions"].iter().find_map(
        |place| {
            let at = |field: &str| reader.text(id, &format!("{place}[type={kind}].{field}"));
            let message = at("message").filter(|read| wordings::first(wording, &read.text).is_some())?;
            Some((message, at("lastTransitionTime")))
        },
    )
}

fn events(reader: Reader<'_>, workloads: &Workloads, id: ObjectId) -> Vec<Word> {
    let plane = reader.object(id);
    let all = workloads.events.of("KubeadmControlPlane", plane.namespace.as_deref(), &plane.name, None).into_iter();
    let word = |event: &Event| {
        let last = event.last?;
        let said = statements::first("preflight-checks", event.message.as_str()).map(|said| said.text);
        let (first, failures) = (event.first.unwrap_or(last), said.unwrap_or_default());
        Some(Word { first, last, failures, cited: event.cited.clone() })
    };
    all.filter(|event| event.says("preflight-checks-fail")).filter_map(word).collect()
}

fn lines(reader: Reader<'_>, id: ObjectId, alone: bool) -> Vec<Word> {
    let plane = reader.object(id);
    let namespaced = plane.namespace.as_ref().map(|namespace| format!("{namespace}/{}", plane.name));
    let is_ours = |heard: &Heard<'_>| {
        let named = ["KubeadmControlPlane", "kubeadmControlPlane"].iter().find_map(|key| heard.hit.fields.field(key));
        named.map_or(alone, |named| named == plane.name || Some(named) == namespaced.as_deref())
    };
    let word = |heard: Heard<'_>| {
        Some(Word { first: heard.time?, last: heard.time?, failures: heard.text, cited: heard.cited })
    };
    listen(reader, "preflight-checks", |_| true).filter(is_ours).filter_map(word).collect()
}
